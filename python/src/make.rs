//! Making wrappers.

use crate::errors;
use crate::inputs::Inputs;
use crate::net::Net;
use crate::wait::interruptible;
use crate::wrapper::Wrapper;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use wrapwright::batch::{self, Input};
use wrapwright::extract::ExtractSettings;
use wrapwright::input::is_address;
use wrapwright::make::{
    self, Asked, Basis, Draws, Examples, Expression, Grown, InferSettings, LearnSettings, Method, Schema,
};
use wrapwright::sample::{SampleSettings, sample};
use wrapwright::wrapper::Navigation;
use wrapwright::{Document, Job, ParseSettings};

/// Makes a wrapper from pages alone: several pages of one template, or one page with a list. An address is the first page of
/// a list, of which a sample is fetched.
#[pyfunction]
#[pyo3(signature = (
    pages, fields = None, *, method = None, record = "record", which = 1, all_texts = false, attributes = None,
    values = None, seed = 1, sample = None, charset = None, browser = None, jobs = 1, **net
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn infer(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    fields: Option<&Bound<'_, PyAny>>,
    method: Option<&str>,
    record: &str,
    which: usize,
    all_texts: bool,
    attributes: Option<Vec<String>>,
    values: Option<Vec<String>>,
    seed: u64,
    sample: Option<usize>,
    charset: Option<&str>,
    browser: Option<&Bound<'_, PyAny>>,
    jobs: usize,
    net: Option<&Bound<'_, PyDict>>,
) -> PyResult<Wrapper> {
    let usual = InferSettings::default();
    let settings = InferSettings {
        method: by_name(method)?,
        record: record.to_owned(),
        list: which,
        all: all_texts,
        attributes: attributes.or(usual.attributes),
        values: values.unwrap_or(usual.values),
        seed,
        ..usual
    };
    let asked = fields.map(wanted).transpose()?;
    let asked = asked.map(|asked| Asked::read(&asked)).transpose();
    let asked = asked.map_err(|error| errors::make(py, &error))?;
    let job = Job::new();
    let mut net = Net::new(browser, net)?;
    net.run.jobs = jobs.max(1);
    let mut notes = Vec::new();
    let mut rest = None;
    let (documents, navigation) = match address(pages)? {
        Some(address) => fetched(py, &address, sample, &mut net, &job)?,
        None => {
            let inputs = Inputs::all(pages, false)?;
            let draws = Draws::new(inputs.len(), sample, seed);
            notes.extend(draws.note());
            let drawn: Vec<&Input> = draws.drawn().into_iter().map(|at| &inputs[at]).collect();
            let documents = errors::documents(py, &drawn, &reading(charset), false)?;
            rest = Some((inputs, draws));
            (documents, None)
        }
    };
    let groups = py.detach(|| make::clusters(&documents));
    if groups.len() > 1 {
        let sizes: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
        let message = format!(
            "the pages look as if {} templates had made them ({} pages); infer a wrapper for each",
            groups.len(),
            sizes.join(", ")
        );
        errors::warn(py, "LearnWarning", &message)?;
    }
    let asked = asked.unwrap_or_default();
    let page = reading(charset);
    let mut unread = None;
    let made = interruptible(py, &job, || {
        let mut more = |count: usize| {
            let Some((inputs, draws)) = rest.as_mut().filter(|_| groups.len() == 1) else {
                return Vec::new();
            };
            let drawn: Vec<&Input> = draws.more(count).into_iter().map(|at| &inputs[at]).collect();
            let read = batch::documents(&drawn, &page, false).into_iter().flatten();
            let kept = read.filter_map(|document| document.map_err(|error| unread = Some(error)).ok());
            kept.collect()
        };
        make::infer_growing(documents, &settings, &asked, &job, &mut more)
    })?;
    let Grown { inferred, picks, .. } = made.map_err(|error| errors::make(py, &error))?;
    if let Some(error) = unread {
        return Err(errors::input(py, &error));
    }
    let mut wrapper = inferred.wrapper;
    notes.extend(inferred.notes);
    for pick in picks {
        match pick.sure >= make::SURE {
            true => notes.push(pick.to_text()),
            false => errors::warn(py, "LearnWarning", &pick.to_text())?,
        }
    }
    wrapper.navigation = navigation;
    Wrapper::new(py, wrapper, notes)
}

fn by_name(method: Option<&str>) -> PyResult<Method> {
    Ok(match method {
        None | Some("auto") => Method::Auto,
        Some("landmarks") => Method::Landmarks,
        Some("exalg") => Method::Exalg,
        Some("regions") => Method::Regions,
        Some("data") => Method::Data,
        Some(other) => {
            let message = format!("found the method {other:?}, expected landmarks, exalg, regions, data or auto");
            return Err(PyValueError::new_err(message));
        }
    })
}

/// The names of fields, as one text: a text, a list of texts, or the path of a schema.
fn wanted(fields: &Bound<'_, PyAny>) -> PyResult<String> {
    match fields.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned()),
        Err(_) if fields.hasattr("__fspath__")? => fields.call_method0("__fspath__")?.extract(),
        Err(_) => Ok(fields.extract::<Vec<String>>()?.join(",")),
    }
}

fn address(pages: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match pages.cast::<PyString>() {
        Ok(text) => Ok(Some(text.to_cow()?.into_owned()).filter(|text| is_address(text))),
        Err(_) => Ok(None),
    }
}

/// A sample of a live site.
fn fetched(
    py: Python<'_>,
    start: &str,
    pages: Option<usize>,
    net: &mut Net,
    job: &Job,
) -> PyResult<(Vec<Document>, Option<Navigation>)> {
    let session = net.open(py, &[])?;
    let usual = SampleSettings::default();
    let settings = SampleSettings {
        pages: pages.unwrap_or(usual.pages),
        jobs: net.run.jobs,
        ..usual
    };
    let taken = interruptible(py, job, move || {
        let taken = sample(&session.visitor(), start, &settings, job);
        (taken, session.finish())
    })?;
    let taken = match taken {
        (Err(error), _) => return Err(errors::error(py, "RunError", &error, error.remedy().as_ref())),
        (Ok(_), Err(error)) => return Err(errors::error(py, "RunError", error, None)),
        (Ok(taken), Ok(())) => taken,
    };
    for error in &taken.failures {
        errors::warn(py, "RunWarning", &error.message)?;
    }
    Ok((taken.documents(false), Some(taken.navigation)))
}

/// Pages as they are read: the name, the address if it is known, and the decoded source of each.
#[pyfunction]
pub(crate) fn sources(pages: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Option<String>, String)>> {
    let py = pages.py();
    let documents = errors::documents(py, &Inputs::all(pages, true)?, &reading(None), true)?;
    let text = |text: &std::sync::Arc<str>| text.to_string();
    let each = documents.iter().map(|document| {
        let source = document.source.as_ref().map(text).unwrap_or_default();
        (document.name.to_string(), document.url.as_ref().map(text), source)
    });
    Ok(each.collect())
}

/// How pages are read.
pub(crate) fn reading(charset: Option<&str>) -> ExtractSettings {
    ExtractSettings {
        page: ParseSettings {
            charset: charset.map(str::to_owned),
            ..ParseSettings::default()
        },
        ..ExtractSettings::default()
    }
}

/// Makes a wrapper from pages and what is on some of them, with or without a schema; or from an OXPath expression.
#[pyfunction]
#[pyo3(signature = (
    pages, examples = None, schema = None, *, expression = None, record = "record", delimiters = false, charset = None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    examples: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    expression: Option<&str>,
    record: &str,
    delimiters: bool,
    charset: Option<&str>,
) -> PyResult<Wrapper> {
    let documents = errors::documents(py, &Inputs::all(pages, true)?, &reading(charset), true)?;
    let names: Vec<String> = documents.iter().map(|document| document.name.to_string()).collect();
    let given = py.import("wrapwright._examples")?;
    let text = |name: &str, value: &Bound<'_, PyAny>| -> PyResult<String> {
        given.call_method1(name, (value, names.clone()))?.extract()
    };
    let examples = examples.map(|examples| text("examples", examples)).transpose()?;
    let examples = examples.map(|text| Examples::from_json("examples", &text)).transpose();
    let examples = examples.map_err(|error| errors::make(py, &error))?;
    let schema = schema.map(|schema| text("schema", schema)).transpose()?;
    let schema = schema.map(|text| Schema::parse("schema", &text)).transpose();
    let schema = schema.map_err(|error| errors::make(py, &error))?;
    let expression = expression.map(|text| Expression {
        name: "expression".to_owned(),
        text: text.to_owned(),
    });
    let basis = match (&examples, &schema, &expression) {
        (Some(examples), None, None) => Basis::Examples(examples),
        (Some(examples), Some(schema), None) => Basis::Schema(schema, examples),
        (None, None, Some(expression)) => Basis::Expression(expression),
        _ => {
            let message = "expected examples, examples and a schema, or an expression";
            return Err(PyValueError::new_err(message));
        }
    };
    let job = Job::new();
    let made = interruptible(py, &job, || {
        let mut settings = LearnSettings {
            record: record.to_owned(),
            delimiters,
            ..LearnSettings::default()
        };
        let chosen: Vec<Document> = match &examples {
            Some(examples) => {
                settings.also = examples.others(&documents, &[])?.into_iter().cloned().collect();
                examples.choose(&documents)?.into_iter().cloned().collect()
            }
            None => documents,
        };
        make::learn(&chosen, basis, &settings, &job)
    })?;
    let made = made.map_err(|error| errors::make(py, &error))?;
    let missing = made
        .missing
        .iter()
        .map(|field| format!("no rule was found for `{field}`"));
    for warning in made.warnings.iter().cloned().chain(missing).chain(made.never_found()) {
        errors::warn(py, "LearnWarning", &warning)?;
    }
    let notes = made.notes.iter().chain(&made.details).cloned().collect();
    Wrapper::new(py, made.wrapper, notes)
}

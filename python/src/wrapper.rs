//! Wrappers.

use crate::inputs::Inputs;
use crate::make::reading;
use crate::records::{Giving, Pages, Records, Source};
use crate::tables::{self, Table};
use crate::wait::interruptible;
use crate::{errors, run, tend, values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use wrapwright::columns::ExtractionSettings;
use wrapwright::extract::ExtractSettings;
use wrapwright::fields::Edit;
use wrapwright::record::Typing;
use wrapwright::tend::{Findings, FindingsError, RepairSettings};
use wrapwright::wrapper::{OpenProblem, Runner};
use wrapwright::{Job, SinkSpec, Wrapper as Saved};

/// What turns the pages of a site into records. It never changes: methods that change something give another wrapper.
#[pyclass(frozen, module = "wrapwright")]
pub(crate) struct Wrapper {
    saved: Saved,
    runner: Arc<Runner>,
    notes: Vec<String>,
}

/// The most pages that are extracted from at a time, for each thread.
const GROUP: usize = 256;

impl Wrapper {
    pub(crate) fn new(py: Python<'_>, saved: Saved, notes: Vec<String>) -> PyResult<Wrapper> {
        let runner = saved
            .runner()
            .map_err(|error| errors::error(py, "WrapperError", error, None))?;
        Ok(Wrapper {
            saved,
            runner: Arc::new(runner),
            notes,
        })
    }

    pub(crate) fn saved(&self) -> &Saved {
        &self.saved
    }

    fn merged(&self, py: Python<'_>, mut parts: Vec<String>) -> PyResult<Findings> {
        parts.sort_unstable();
        let merged = py.detach(|| {
            let mut all = Findings::none(&self.saved);
            for part in &parts {
                all.merge(&Findings::from_json(part, &self.saved)?);
            }
            Ok(all)
        });
        merged.map_err(|error: FindingsError| errors::error(py, "CheckError", error, None))
    }

    fn edited(&self, py: Python<'_>, edit: &Edit) -> PyResult<Wrapper> {
        let edited = edit.apply(&self.saved).map_err(|error| errors::make(py, &error))?;
        Wrapper::new(py, edited, self.notes.clone())
    }
}

/// Reads a wrapper from a file.
pub(crate) fn open(py: Python<'_>, path: &Path) -> PyResult<Saved> {
    py.detach(|| Saved::open(path)).map_err(|error| match &error.problem {
        OpenProblem::Io(reason) if reason.raw_os_error().is_some() => {
            errors::system(reason, &path.display().to_string())
        }
        _ => errors::error(py, "WrapperError", &error, None),
    })
}

/// Names that were given one by one, or as a list.
fn names(given: &Bound<'_, PyTuple>) -> PyResult<Vec<String>> {
    let mut all = Vec::new();
    for name in given {
        match name.extract::<String>() {
            Ok(name) => all.push(name),
            Err(_) => all.extend(name.extract::<Vec<String>>()?),
        }
    }
    Ok(all)
}

#[pymethods]
impl Wrapper {
    /// Reads a wrapper from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Wrapper> {
        Wrapper::new(py, open(py, &path)?, Vec::new())
    }

    /// Reads a wrapper from its JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Wrapper> {
        let saved = Saved::from_json(text).map_err(|error| errors::error(py, "WrapperError", error, None))?;
        Wrapper::new(py, saved, Vec::new())
    }

    /// Writes the wrapper to a file, which appears whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = py.detach(|| wrapwright::save_wrapper(&path, &self.saved));
        saved.map_err(|error| errors::system(&error.error, &path.display().to_string()))
    }

    /// The wrapper as JSON.
    fn to_json(&self) -> String {
        self.saved.to_json()
    }

    /// How it finds records: `"landmarks"`, `"template"`, `"paths"`, `"delimiters"` or `"oxpath"`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.saved.rule.kind()
    }

    /// How it was made, in words.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Its fields, with samples; those that it shows come first.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tend::fields(py, &self.saved)
    }

    /// The same wrapper, showing only these fields, in this order.
    #[pyo3(signature = (*fields))]
    fn keep(&self, py: Python<'_>, fields: &Bound<'_, PyTuple>) -> PyResult<Wrapper> {
        let edit = Edit {
            keep: names(fields)?,
            ..Edit::default()
        };
        self.edited(py, &edit)
    }

    /// The same wrapper without these fields.
    #[pyo3(signature = (*fields))]
    fn drop(&self, py: Python<'_>, fields: &Bound<'_, PyTuple>) -> PyResult<Wrapper> {
        let edit = Edit {
            drop: names(fields)?,
            ..Edit::default()
        };
        self.edited(py, &edit)
    }

    /// The same wrapper with other names of fields: `rename(old="new")` or `rename({"old": "new"})`.
    #[pyo3(signature = (names = None, /, **more))]
    fn rename(
        &self,
        py: Python<'_>,
        names: Option<&Bound<'_, PyDict>>,
        more: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wrapper> {
        let mut edit = Edit::default();
        for (old, new) in names.into_iter().flatten().chain(more.into_iter().flatten()) {
            edit.rename.push((old.extract()?, new.extract()?));
        }
        self.edited(py, &edit)
    }

    /// The records of a page, as dicts.
    #[pyo3(signature = (page, *, raw = false, meta = false, charset = None))]
    fn extract<'py>(
        &self,
        page: &Bound<'py, PyAny>,
        raw: bool,
        meta: bool,
        charset: Option<&str>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let py = page.py();
        let inputs = Inputs::all(page, self.runner.reads_source())?;
        let [input] = &inputs[..] else {
            let message = format!("found {} pages, expected one; extract_many takes several", inputs.len());
            return Err(PyTypeError::new_err(message));
        };
        let settings = ExtractSettings {
            raw,
            ..reading(charset)
        };
        let document = py.detach(|| input.document(&settings.page, self.runner.reads_source()));
        let document = document.map_err(|error| errors::input(py, &error))?;
        let found = py.detach(|| self.runner.run(&document, raw));
        let spec = SinkSpec {
            no_meta: !meta,
            ..SinkSpec::default()
        };
        let mut typing = Typing::new(std::slice::from_ref(self.runner.record_type()), &spec);
        let mut all = Vec::with_capacity(found.records.len());
        for record in &found.records {
            if let Some((kind, cells)) = typing.row(record)? {
                all.push(values::dict(py, typing.types()[kind].fields(), &cells)?);
            }
        }
        Ok(all)
    }

    /// The records of any number of pages, in their order. Pages are taken as they are needed; `threads=0` uses all
    /// processors.
    #[pyo3(signature = (
        pages, *, threads = 0, raw = false, meta = false, charset = None, keep = true, progress = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn extract_many(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        threads: usize,
        raw: bool,
        meta: bool,
        charset: Option<&str>,
        keep: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Records> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        };
        let pages = Pages {
            inputs: Mutex::new(Inputs::new(pages, self.runner.reads_source())?),
            runner: Arc::clone(&self.runner),
            kind: self.saved.given.as_ref().map(|_| self.runner.record_type().clone()),
            settings: ExtractSettings {
                raw,
                jobs: threads,
                ..reading(charset)
            },
            group: threads,
            most: threads.saturating_mul(GROUP),
        };
        let types = vec![self.runner.record_type().clone()];
        let giving = Giving {
            meta,
            keep,
            progress: run::listener(py, progress)?,
            bindings: None,
        };
        Ok(Records::new(Source::Pages(Box::new(pages)), types, Job::new(), giving))
    }

    /// A table of the records of a table of pages. Batches are taken and made as they are asked for. `carry` names columns that
    /// each record gets from the row of its page; `error` names a last column with what went wrong.
    #[pyo3(signature = (
        pages, *, html = "html", url = "url", charset = "content_charset", carry = Vec::new(), error = None, threads = 1,
        raw = false, meta = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn extract_table(
        &self,
        pages: &Bound<'_, PyAny>,
        html: &str,
        url: &str,
        charset: &str,
        carry: Vec<String>,
        error: Option<String>,
        threads: usize,
        raw: bool,
        meta: bool,
    ) -> PyResult<Table> {
        let settings = ExtractionSettings {
            pages: tables::columns(html, url, charset),
            carry,
            error,
            meta,
            extract: ExtractSettings {
                raw,
                jobs: threads,
                ..reading(None)
            },
        };
        tables::extract(&self.saved, pages, &settings)
    }

    /// What a check finds on a table of pages, as JSON: a part of a check, for `judge`.
    #[pyo3(signature = (pages, *, html = "html", url = "url", charset = "content_charset"))]
    fn survey(&self, pages: &Bound<'_, PyAny>, html: &str, url: &str, charset: &str) -> PyResult<String> {
        tables::survey(&self.saved, pages, &tables::columns(html, url, charset))
    }

    /// Merges parts of a check, in the order of their texts, so that the result does not depend on the order of parts.
    fn merge(&self, py: Python<'_>, parts: Vec<String>) -> PyResult<String> {
        Ok(self.merged(py, parts)?.to_json())
    }

    /// Judges the parts of a check.
    fn judge<'py>(&self, py: Python<'py>, parts: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let merged = self.merged(py, parts)?;
        let report = py.detach(|| wrapwright::tend::judge(&self.saved, [merged]));
        tend::check(py, &report.map_err(|error| errors::tend(py, &error))?)
    }

    /// Compares what the wrapper gives on these pages with what it gave when it was made.
    #[pyo3(signature = (pages, *, charset = None))]
    fn check<'py>(&self, pages: &Bound<'py, PyAny>, charset: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let py = pages.py();
        let with_source = self.runner.reads_source();
        let inputs = Inputs::all(pages, with_source)?;
        let documents = errors::documents(py, &inputs, &reading(charset), with_source)?;
        let job = Job::new();
        let report = interruptible(py, &job, || wrapwright::tend::check(&self.saved, &documents, &job))?;
        tend::check(py, &report.map_err(|error| errors::tend(py, &error))?)
    }

    /// Makes a new rule from changed pages, unless the wrapper still works on them. `at_least` says how sure a field must
    /// be; `force=True` repairs in any case; `accept=True` says that somebody has looked at the result, so later checks do not tell
    /// which fields it left out or was not sure of.
    #[pyo3(signature = (pages, *, at_least = wrapwright::tend::ENOUGH, force = false, accept = false, charset = None))]
    fn repair<'py>(
        &self,
        pages: &Bound<'py, PyAny>,
        at_least: f64,
        force: bool,
        accept: bool,
        charset: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = pages.py();
        let with_source = self.runner.reads_source();
        let inputs = Inputs::all(pages, with_source)?;
        let documents = errors::documents(py, &inputs, &reading(charset), with_source)?;
        let settings = RepairSettings {
            at_least,
            force,
            accept,
        };
        let job = Job::new();
        let outcome = interruptible(py, &job, || {
            wrapwright::tend::repair_with(&self.saved, &documents, &settings, &job)
        })?;
        let outcome = outcome.map_err(|error| errors::repair(py, &error))?;
        tend::repair(py, &self.saved, &outcome, &settings)
    }

    /// The same wrapper, which also knows what it gives on these pages: they are as they should be.
    #[pyo3(signature = (pages, *, charset = None))]
    fn accept(&self, pages: &Bound<'_, PyAny>, charset: Option<&str>) -> PyResult<Wrapper> {
        let py = pages.py();
        let documents = errors::documents(py, &Inputs::all(pages, true)?, &reading(charset), true)?;
        let (job, mut saved) = (Job::new(), self.saved.clone());
        let accepted = interruptible(py, &job, || wrapwright::tend::accept(&mut saved, &documents, &job))?;
        accepted.map_err(|error| errors::tend(py, &error))?;
        Wrapper::new(py, saved, self.notes.clone())
    }

    /// The wrapper in words; with a page, that page with the values coloured.
    #[pyo3(signature = (page = None))]
    fn show<'py>(&self, py: Python<'py>, page: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let Some(page) = page else {
            return tend::view(py, &self.saved, None);
        };
        let documents = errors::documents(py, &Inputs::all(page, false)?, &reading(None), false)?;
        match &documents[..] {
            [document] => tend::view(py, &self.saved, Some(&document.page)),
            _ => Err(PyTypeError::new_err(format!(
                "found {} pages, expected one",
                documents.len()
            ))),
        }
    }

    fn __repr__(&self) -> String {
        let listed = wrapwright::fields::list(&self.saved);
        let shown: Vec<&str> = listed
            .iter()
            .filter(|field| field.shown)
            .map(|field| field.name.as_str())
            .collect();
        format!("<Wrapper by {}: {}>", self.saved.rule.kind(), shown.join(", "))
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fields(py)?.call_method0("_repr_html_")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Wrapper>()
            .is_ok_and(|other| other.get().saved == self.saved)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = py.get_type::<Wrapper>();
        Ok((class.getattr("from_json")?, (self.saved.to_json(),)))
    }
}

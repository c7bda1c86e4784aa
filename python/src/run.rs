//! Runs of expressions and wrappers over the web, a browser or a recording.

use crate::errors;
use crate::net::Net;
use crate::records::{AHEAD, Giving, Message, Records, Source};
use crate::wrapper::Wrapper;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};
use wrapwright::session::{self, Bindings, Checks, RunSettings, Runs, Session, SessionError, expression_of};
use wrapwright::wrapper::{Links, Navigation, Onward};
use wrapwright::{Job, RecordType, Table, Wrapper as Saved};

/// What is run.
enum Program {
    Expression(Runs),
    Wrapper(Box<Saved>),
}

/// Runs an OXPath expression, or a wrapper over its site; gives the records as they come.
///
/// `expression` is an expression, the path of a file with one or of a saved wrapper, or a Wrapper.
#[pyfunction]
#[pyo3(signature = (
    expression, bindings = None, *, browser = None, jobs = 1, start = None, next = None, follow = None,
    with_bindings = false, meta = false, keep = true, progress = None, **net
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn run(
    py: Python<'_>,
    expression: &Bound<'_, PyAny>,
    bindings: Option<&Bound<'_, PyAny>>,
    browser: Option<&Bound<'_, PyAny>>,
    jobs: usize,
    start: Option<&Bound<'_, PyAny>>,
    next: Option<&str>,
    follow: Option<&Bound<'_, PyAny>>,
    with_bindings: bool,
    meta: bool,
    keep: bool,
    progress: Option<&Bound<'_, PyAny>>,
    net: Option<&Bound<'_, PyDict>>,
) -> PyResult<Records> {
    let mut net = Net::new(browser, net)?;
    net.run.jobs = jobs.max(1);
    let job = Job::new();
    net.run.job = job.clone();
    let mut program = program(py, expression, bindings, &net, &job)?;
    match &mut program {
        Program::Expression(_) if start.is_some() || next.is_some() || follow.is_some() => {
            let message = "an expression navigates by itself; start, next and follow are for wrappers";
            return Err(PyTypeError::new_err(message));
        }
        Program::Expression(_) => {}
        Program::Wrapper(wrapper) => {
            if bindings.is_some() {
                return Err(PyTypeError::new_err(
                    "a wrapper has no variables; bindings are for expressions",
                ));
            }
            navigate(wrapper, start, next, follow)?;
        }
    }
    let (styles, types): (Vec<String>, Vec<RecordType>) = match &program {
        Program::Expression(runs) => (runs.styles().to_vec(), runs.first().record_types()),
        Program::Wrapper(wrapper) => (Vec::new(), vec![wrapper.sink_type()]),
    };
    let bound = match &program {
        Program::Expression(runs) if with_bindings => Some(runs.bindings().clone()),
        _ => None,
    };
    let session = net.open(py, &styles)?;
    let (sender, receiver) = sync_channel(AHEAD);
    let settings = net.run.clone();
    let thread = std::thread::Builder::new().name("wrapwright-run".to_owned());
    thread.spawn(move || go(session, &program, &settings, &sender))?;
    let giving = Giving {
        meta,
        keep,
        progress: listener(py, progress)?,
        bindings: bound,
    };
    Ok(Records::new(Source::Run(Mutex::new(receiver)), types, job, giving))
}

/// Makes a run, on its own thread. It ends early when nobody listens any more.
fn go(mut session: Session, program: &Program, settings: &RunSettings, sender: &SyncSender<Message>) {
    let ended = records(&mut session, program, settings, sender);
    let message = match (ended, session.finish()) {
        (Err(error), _) => {
            let remedy = error.remedy();
            let words = error.to_string();
            failed(words, remedy)
        }
        (Ok(_), Err(error)) => failed(error.to_string(), None),
        (Ok(report), Ok(())) => Message::End(Box::new(report)),
    };
    // Nobody listens to a run that was dropped.
    let _ = sender.send(message);
}

fn failed(words: String, remedy: Option<wrapwright::Remedy>) -> Message {
    Message::Failed(Box::new(move |py| {
        errors::error(py, "RunError", &words, remedy.as_ref())
    }))
}

fn records(
    session: &mut Session,
    program: &Program,
    settings: &RunSettings,
    sender: &SyncSender<Message>,
) -> Result<session::RunReport, SessionError> {
    match program {
        Program::Expression(runs) => Ok(sent(session.run_all(runs, settings)?, sender)),
        Program::Wrapper(wrapper) => Ok(sent(session.run_wrapper(wrapper, settings)?, sender)),
    }
}

/// Sends all events.
fn sent(mut records: session::Records<'_>, sender: &SyncSender<Message>) -> session::RunReport {
    while let Some(event) = records.next_event() {
        if sender.send(Message::Event(Box::new(event))).is_err() {
            records.stop();
        }
    }
    records.report()
}

/// What is to be run.
fn program(
    py: Python<'_>,
    expression: &Bound<'_, PyAny>,
    bindings: Option<&Bound<'_, PyAny>>,
    net: &Net,
    job: &Job,
) -> PyResult<Program> {
    if let Ok(wrapper) = expression.cast::<Wrapper>() {
        return of_wrapper(py, wrapper.get().saved().clone(), bindings, net, job);
    }
    if let Ok(text) = expression.cast::<PyString>() {
        return compiled(py, &text.to_cow()?, bindings, net, job);
    }
    let path: PathBuf = expression.extract().map_err(|_| {
        PyTypeError::new_err("expected an expression as str, a Wrapper, or the path of a file with one of them")
    })?;
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    {
        let wrapper = crate::wrapper::open(py, &path)?;
        return of_wrapper(py, wrapper, bindings, net, job);
    }
    let read = wrapwright::make::Expression::open(&path).map_err(|error| errors::make(py, &error))?;
    compiled(py, &read.text, bindings, net, job)
}

fn of_wrapper(
    py: Python<'_>,
    wrapper: Saved,
    bindings: Option<&Bound<'_, PyAny>>,
    net: &Net,
    job: &Job,
) -> PyResult<Program> {
    match expression_of(&wrapper) {
        Some(source) => compiled(py, source, bindings, net, job),
        None => Ok(Program::Wrapper(Box::new(wrapper))),
    }
}

fn compiled(
    py: Python<'_>,
    source: &str,
    bindings: Option<&Bound<'_, PyAny>>,
    net: &Net,
    job: &Job,
) -> PyResult<Program> {
    let bindings = bound(bindings)?;
    let checks = Checks {
        runnable: true,
        browser: net.is_browser(),
        ..Checks::default()
    };
    let runs = py.detach(|| Runs::compile(source, bindings, &checks, job));
    let runs = runs.map_err(|error| errors::runs(py, &error))?;
    for warning in runs.first().warnings() {
        errors::warn(py, "ExpressionWarning", &warning.message)?;
    }
    Ok(Program::Expression(runs))
}

/// Values of variables: a dict of values or of lists of values, of which every combination is run; or a list of dicts, each
/// of which is run.
fn bound(given: Option<&Bound<'_, PyAny>>) -> PyResult<Bindings> {
    let Some(given) = given else {
        return Ok(Bindings::default());
    };
    if let Ok(dict) = given.cast::<PyDict>() {
        let mut pairs = Vec::new();
        for (name, value) in dict {
            let name: String = name.extract()?;
            match value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
                true => {
                    for value in value.try_iter()? {
                        pairs.push((name.clone(), written(&value?)?));
                    }
                }
                false => pairs.push((name, written(&value)?)),
            }
        }
        return Ok(Bindings::new(pairs, None));
    }
    let mut table = Table {
        names: Vec::new(),
        rows: Vec::new(),
        lines: Vec::new(),
    };
    for (number, row) in given.try_iter()?.enumerate() {
        let row = row?;
        let row = row.cast::<PyDict>()?;
        let names: Vec<String> = row.keys().iter().map(|name| name.extract()).collect::<PyResult<_>>()?;
        if number == 0 {
            table.names = names;
        } else if table.names != names {
            let message = format!("the bindings number {} have other names than the first", number + 1);
            return Err(PyTypeError::new_err(message));
        }
        let values: PyResult<Vec<String>> = row.values().iter().map(|value| written(&value)).collect();
        table.rows.push(values?);
        table.lines.push(number + 1);
    }
    Ok(Bindings::new([], Some(table)))
}

/// The value of a variable as text.
fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.str()?.extract()
}

/// Changes how a wrapper's pages are reached.
fn navigate(
    wrapper: &mut Saved,
    start: Option<&Bound<'_, PyAny>>,
    next: Option<&str>,
    follow: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    if start.is_none() && next.is_none() && follow.is_none() {
        return Ok(());
    }
    let navigation = wrapper.navigation.get_or_insert_with(|| Navigation {
        start: Vec::new(),
        next: None,
        follow: Vec::new(),
    });
    if let Some(start) = start {
        navigation.start = texts(start)?;
    }
    if let Some(next) = next {
        navigation.next = Some(Onward::from_text(next));
    }
    if let Some(follow) = follow {
        navigation.follow = texts(follow)?.iter().map(|text| Links::from_text(text)).collect();
    }
    Ok(())
}

/// One text, or several.
fn texts(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match given.cast::<PyString>() {
        Ok(text) => Ok(vec![text.to_cow()?.into_owned()]),
        Err(_) => given.extract(),
    }
}

/// Who is told how the work goes: a function of the numbers of pages and records, or a bar for True.
pub(crate) fn listener(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    let Some(progress) = progress else { return Ok(None) };
    if progress.is_callable() {
        return Ok(Some(progress.clone().unbind()));
    }
    match progress.is_truthy()? {
        true => Ok(Some(py.import("wrapwright._progress")?.call_method0("bar")?.unbind())),
        false => Ok(None),
    }
}

//! Errors of the library as exceptions of the package, which are classes in `wrapwright.errors`.

use crate::remedy;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList};
use std::borrow::Borrow;
use wrapwright::batch::Input;
use wrapwright::css::CssError;
use wrapwright::diag::{Diagnostic, Severity};
use wrapwright::extract::ExtractError;
use wrapwright::input::InputError;
use wrapwright::make::MakeError;
use wrapwright::session::{RunsError, RunsProblem, SessionError};
use wrapwright::tend::{RepairError, TendError};
use wrapwright::{CompileError, EvalError, Remedy};

/// An exception of the package: its class, what went wrong, and what to do about it.
pub(crate) fn error(py: Python<'_>, class: &str, message: impl ToString, remedy: Option<&Remedy>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("wrapwright.errors")?.getattr(class)?;
        let hint = remedy.map(remedy::in_words);
        Ok(PyErr::from_value(class.call1((message.to_string(), hint))?))
    };
    made().unwrap_or_else(|error| error)
}

/// An error of the system about a file, as Python has it: `FileNotFoundError` and others.
pub(crate) fn system(reason: &std::io::Error, path: &str) -> PyErr {
    let words = reason.to_string();
    // Python adds the number itself.
    let words = words.split(" (os error").next().unwrap_or_default().to_owned();
    PyOSError::new_err((reason.raw_os_error(), words, path.to_owned()))
}

/// A warning of the package.
pub(crate) fn warn(py: Python<'_>, class: &str, message: &str) -> PyResult<()> {
    let class = py.import("wrapwright.errors")?.getattr(class)?;
    py.import("warnings")?.call_method1("warn", (message, class, 1))?;
    Ok(())
}

pub(crate) fn limit(py: Python<'_>, error_: &wrapwright::LimitError) -> PyErr {
    error(py, "PageError", error_, Some(&error_.remedy()))
}

pub(crate) fn input(py: Python<'_>, error_: &InputError) -> PyErr {
    error(py, "PageError", error_, error_.remedy().as_ref())
}

pub(crate) fn extract(py: Python<'_>, error_: &ExtractError) -> PyErr {
    error(py, "ExtractError", error_, None)
}

pub(crate) fn make(py: Python<'_>, error_: &MakeError) -> PyErr {
    error(py, "LearnError", error_, error_.remedy().as_ref())
}

pub(crate) fn tend(py: Python<'_>, error_: &TendError) -> PyErr {
    error(py, "CheckError", error_, error_.remedy().as_ref())
}

pub(crate) fn repair(py: Python<'_>, error_: &RepairError) -> PyErr {
    error(py, "RepairError", error_, error_.remedy().as_ref())
}

pub(crate) fn session(py: Python<'_>, error_: &SessionError) -> PyErr {
    error(py, "RunError", error_, error_.remedy().as_ref())
}

pub(crate) fn evaluation(py: Python<'_>, error_: &EvalError) -> PyErr {
    error(py, "EvaluationError", error_, None)
}

/// An expression that cannot be run with its values.
pub(crate) fn runs(py: Python<'_>, error_: &RunsError) -> PyErr {
    match &*error_.problem {
        RunsProblem::Compile(error) => compile(py, error, "<oxpath>"),
        RunsProblem::NoStartPage { source, found } => expression(
            py,
            "<oxpath>",
            source,
            std::slice::from_ref(&**found),
            &error_.to_string(),
        ),
        RunsProblem::NeedsBrowser(_) => error(py, "RunError", error_, Some(&Remedy::UseBrowser)),
        _ => error(py, "RunError", error_, None),
    }
}

/// An expression that does not compile, with a caret where it is wrong.
pub(crate) fn compile(py: Python<'_>, error: &CompileError, file: &str) -> PyErr {
    expression(py, file, error.source_text(), error.diagnostics(), &error.to_string())
}

/// A selector that is wrong at a byte.
pub(crate) fn css(py: Python<'_>, error: &CssError, selector: &str) -> PyErr {
    use wrapwright::diag::{Code, Span};
    let at = error.at.min(selector.len());
    let found = Diagnostic::error(Code::Syntax, Span::new(at, at), error.message.clone());
    expression(py, "<css>", selector, &[found], &error.to_string())
}

fn expression(py: Python<'_>, file: &str, source: &str, found: &[Diagnostic], rendered: &str) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let all = PyList::empty(py);
        for diagnostic in found {
            all.append(described(py, source, diagnostic)?)?;
        }
        let class = py.import("wrapwright.errors")?.getattr("ExpressionError")?;
        Ok(PyErr::from_value(class.call1((file, source, all, rendered))?))
    };
    made().unwrap_or_else(|error| error)
}

/// A diagnostic as a dict; offsets count characters, as Python does.
fn described<'py>(py: Python<'py>, source: &str, found: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let chars = |at: u32| source.get(..at as usize).unwrap_or(source).chars().count();
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let dict = [("severity", severity), ("code", found.code.as_str())].into_py_dict(py)?;
    dict.set_item("message", &found.message)?;
    dict.set_item("start", chars(found.span.start))?;
    dict.set_item("end", chars(found.span.end))?;
    dict.set_item("hints", &found.hints)?;
    Ok(dict)
}

/// A thread of ours that ended by a panic, which is a bug.
pub(crate) fn panicked() -> PyErr {
    PyRuntimeError::new_err("the work ended unexpectedly; this is a bug in wrapwright")
}

/// The documents of inputs; the first page that cannot be read is an error.
pub(crate) fn documents<I: Borrow<Input> + Sync>(
    py: Python<'_>,
    inputs: &[I],
    settings: &wrapwright::extract::ExtractSettings,
    with_source: bool,
) -> PyResult<Vec<wrapwright::Document>> {
    let read = py.detach(|| wrapwright::batch::documents(inputs, settings, with_source));
    let read = read.map_err(|error| extract(py, &error))?;
    read.into_iter()
        .map(|document| document.map_err(|error| input(py, &error)))
        .collect()
}

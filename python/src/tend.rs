//! What checks and repairs found, for the classes in `wrapwright._reports`.

use crate::wrapper::Wrapper;
use pyo3::prelude::*;
use serde_json::Value;
use wrapwright::show::cards;
use wrapwright::tend::{RepairOutcome, RepairSettings, Report, repair_json, repair_text};
use wrapwright::{Wrapper as Saved, show};

/// How wide texts for people are.
const WIDTH: usize = 100;

/// An object of the reports.
fn report<'py, A>(py: Python<'py>, class: &str, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    py.import("wrapwright._reports")?.getattr(class)?.call1(arguments)
}

/// JSON as Python's objects.
fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// The table of fields.
pub(crate) fn fields<'py>(py: Python<'py>, wrapper: &Saved) -> PyResult<Bound<'py, PyAny>> {
    let listed = wrapwright::fields::list(wrapper);
    let rows: Vec<_> = listed
        .iter()
        .map(|field| {
            let (on, of) = field.records;
            (
                &field.name,
                field.sort,
                on,
                of,
                field.values.1,
                &field.samples,
                field.shown,
            )
        })
        .collect();
    let text = wrapwright::fields::to_text(&listed, WIDTH);
    report(py, "Fields", (rows, text, cards::fields(&listed)))
}

/// What a check found.
pub(crate) fn check<'py>(py: Python<'py>, found: &Report) -> PyResult<Bound<'py, PyAny>> {
    let data = object(py, &found.to_json())?;
    report(
        py,
        "Check",
        (found.is_fine(), found.to_text(WIDTH, false), cards::health(found), data),
    )
}

/// What became of a repair.
pub(crate) fn repair<'py>(
    py: Python<'py>,
    old: &Saved,
    outcome: &RepairOutcome,
    settings: &RepairSettings,
) -> PyResult<Bound<'py, PyAny>> {
    let name = match outcome {
        RepairOutcome::Healthy(_) => "healthy",
        RepairOutcome::Repaired(_) => "repaired",
        RepairOutcome::Partly(_) => "partly",
        RepairOutcome::Unsure(_) => "unsure",
    };
    let accepted = outcome.accepted(settings);
    let (text, data) = match outcome.repair() {
        Some(repair) => (repair_text(old, repair), repair_json(repair, accepted.is_some())),
        None => (
            "The wrapper still works, so it was left as it is.\n".to_owned(),
            Value::Null,
        ),
    };
    let new = accepted
        .map(|wrapper| Wrapper::new(py, wrapper.clone(), Vec::new()))
        .transpose()?;
    report(
        py,
        "Repair",
        (name, new, text, cards::repair(outcome), object(py, &data)?),
    )
}

/// A wrapper in words, or a page with its values.
pub(crate) fn view<'py>(
    py: Python<'py>,
    wrapper: &Saved,
    page: Option<&wrapwright::Page>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(page) = page else {
        let listed = wrapwright::fields::list(wrapper);
        return report(py, "View", (show::text(wrapper), cards::fields(&listed), false));
    };
    match show::page(wrapper, page) {
        Ok(html) => report(py, "View", (show::text(wrapper), html, true)),
        Err(error) => Err(crate::errors::error(py, "WrapperError", error, None)),
    }
}

//! Values of records and of expressions as Python's objects.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDate, PyDateTime, PyDict, PyFloat, PyInt, PyList, PyString};
use wrapwright::Value;
use wrapwright::record::{Cell, Content, Field};

/// Records as dicts. Several values are a list, a nested record is a dict, None stands for a missing value.
pub(crate) fn dict<'py>(py: Python<'py>, fields: &[Field], cells: &[Cell]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, cell) in fields.iter().zip(cells) {
        // What does not fit is told only where there is something.
        if field.name == wrapwright::record::MISFIT && *cell == Cell::Null {
            continue;
        }
        dict.set_item(PyString::intern(py, &field.name), object(py, field, cell)?)?;
    }
    Ok(dict)
}

fn object<'py>(py: Python<'py>, field: &Field, cell: &Cell) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        Cell::Null if field.cardinality.may_repeat() => PyList::empty(py).into_any(),
        Cell::Null => py.None().into_bound(py),
        Cell::Text(text) => PyString::new(py, text).into_any(),
        Cell::Integer(number) => number.into_pyobject(py)?.into_any(),
        Cell::Decimal(number) => PyFloat::new(py, number.to_f64()).into_any(),
        Cell::Boolean(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Cell::Date(date) => PyDate::new(py, i32::from(date.year()), date.month(), date.day())?.into_any(),
        Cell::Timestamp(moment) => datetime(py, moment.micros())?.into_any(),
        Cell::List(cells) => {
            let all = cells.iter().map(|cell| object(py, field, cell));
            PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Cell::Record(cells) => match &field.content {
            Content::Record(fields) => dict(py, fields, cells)?.into_any(),
            Content::Value(_) => py.None().into_bound(py),
        },
    })
}

/// A moment without a zone, as in Arrow: universal time if it was written with a zone.
fn datetime(py: Python<'_>, micros: i64) -> PyResult<Bound<'_, PyDateTime>> {
    const DAY: i64 = 86_400_000_000;
    let (days, rest) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let date = i32::try_from(days)
        .ok()
        .and_then(wrapwright::record::values::Date::from_days);
    let date = date.ok_or_else(|| PyTypeError::new_err("a date that Python does not have"))?;
    let seconds = rest / 1_000_000;
    let part = |number: i64| u8::try_from(number).unwrap_or(0);
    PyDateTime::new(
        py,
        i32::from(date.year()),
        date.month(),
        date.day(),
        part(seconds / 3600),
        part(seconds / 60 % 60),
        part(seconds % 60),
        u32::try_from(rest % 1_000_000).unwrap_or(0),
        None,
    )
}

/// The value of a variable of an expression: a text, a number or a truth value.
pub(crate) fn variable(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(Value::Number(value.extract()?));
    }
    match value.cast::<PyString>() {
        Ok(text) => Ok(Value::String(text.to_cow()?.into_owned())),
        Err(_) => Err(PyTypeError::new_err(format!(
            "the variable {name} is {}, expected str, int, float or bool",
            value.get_type().name()?
        ))),
    }
}

/// The variables of a call, in their order.
pub(crate) fn variables(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let mut all = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = variable(&name, &value)?;
        all.push((name, value));
    }
    Ok(all)
}

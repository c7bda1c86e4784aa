//! Compiled expressions.
//!
//! Methods that take an expression as text keep the last ones compiled, as Python's `re` does: at most [`KEPT`], and none
//! with variables. When there are more, all are forgotten.

use crate::nodes::Nodes;
use crate::{errors, values};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use wrapwright::{Document, NodeId, Query, Value, css};

/// The most expressions that are kept.
const KEPT: usize = 512;

/// Compiled expressions by their language and their text.
static COMPILED: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);

type Compiled = HashMap<(Language, String), Arc<Query>>;

/// What an expression is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    /// XPath.
    XPath,
    /// A CSS selector for a whole page.
    Css,
    /// A CSS selector for what is below a node.
    CssBelow,
}

/// The compiled expression of a text.
pub(crate) fn query(py: Python<'_>, language: Language, text: &str) -> PyResult<Arc<Query>> {
    let key = (language, text.to_owned());
    let known = COMPILED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&key)
        .cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let made = Arc::new(compiled(py, language, text, &[])?);
    let mut all = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= KEPT {
        all.clear();
    }
    all.insert(key, Arc::clone(&made));
    Ok(made)
}

pub(crate) fn compiled(
    py: Python<'_>,
    language: Language,
    text: &str,
    variables: &[(String, Value)],
) -> PyResult<Query> {
    let translated = match language {
        Language::XPath => None,
        Language::Css => Some(css::to_xpath(text)),
        Language::CssBelow => Some(css::to_xpath_below(text)),
    };
    let translated = translated.transpose().map_err(|error| errors::css(py, &error, text))?;
    let pairs: Vec<(&str, Value)> = variables
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    let made = Query::with_variables(translated.as_deref().unwrap_or(text), &pairs);
    made.map_err(|error| errors::compile(py, &error, "<xpath>"))
}

/// Evaluates an expression at a node.
pub(crate) fn evaluate(py: Python<'_>, query: &Query, document: &Document, node: NodeId) -> PyResult<Nodes> {
    let value = py.detach(|| query.evaluate_at(&document.page, node));
    let value = value.map_err(|error| errors::evaluation(py, &error))?;
    Ok(Nodes::new(document.clone(), value))
}

/// An XPath 1.0 expression that was compiled once, to be used on any number of pages from any number of threads.
#[pyclass(frozen, module = "wrapwright")]
pub(crate) struct XPath {
    source: String,
    variables: Vec<(String, Value)>,
    query: Query,
}

#[pymethods]
impl XPath {
    /// The expression as it was given.
    #[getter]
    fn source(&self) -> &str {
        &self.source
    }

    /// Evaluates the expression on a page, or with a node as context.
    fn __call__(&self, on: &Bound<'_, PyAny>) -> PyResult<Nodes> {
        let (document, node) = crate::nodes::context(on)?;
        evaluate(on.py(), &self.query, &document, node)
    }

    fn __repr__(&self) -> String {
        format!("XPath({:?})", self.source)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &XPath| other.source == self.source && other.variables == self.variables;
        other.cast::<XPath>().is_ok_and(|other| same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.source.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let variables = PyDict::new(py);
        for (name, value) in &self.variables {
            match value {
                Value::String(text) => variables.set_item(name, text)?,
                Value::Number(number) => variables.set_item(name, number)?,
                Value::Boolean(truth) => variables.set_item(name, truth)?,
                Value::Nodes(_) => {}
            }
        }
        let again = py.import("wrapwright.xpath")?.getattr("_again")?;
        Ok((
            again,
            PyTuple::new(
                py,
                [self.source.as_str().into_pyobject(py)?.into_any(), variables.into_any()],
            )?,
        ))
    }
}

/// Compiles an XPath 1.0 expression. Keyword arguments are the values of its variables.
#[pyfunction]
#[pyo3(signature = (expression, /, **variables))]
pub(crate) fn compile(py: Python<'_>, expression: &str, variables: Option<&Bound<'_, PyDict>>) -> PyResult<XPath> {
    let variables = values::variables(variables)?;
    Ok(XPath {
        source: expression.to_owned(),
        query: compiled(py, Language::XPath, expression, &variables)?,
        variables,
    })
}

/// The XPath expression for a CSS selector.
#[pyfunction]
pub(crate) fn css_to_xpath(py: Python<'_>, selector: &str) -> PyResult<String> {
    css::to_xpath(selector).map_err(|error| errors::css(py, &error, selector))
}

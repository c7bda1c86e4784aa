//! What expressions find on pages: nodes, or a single value.

use crate::page::Page;
use crate::xpath::{self, Language};
use crate::{errors, values};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyString};
use wrapwright::{Document, Kind, NodeId, Paths, Value, number_to_string};

/// A node of a page. It keeps its page in memory.
#[pyclass(frozen, module = "wrapwright")]
pub(crate) struct Node {
    pub(crate) document: Document,
    pub(crate) node: NodeId,
}

/// What an expression found: a sequence of nodes in document order, or a single value.
#[pyclass(frozen, sequence, module = "wrapwright")]
pub(crate) struct Nodes {
    document: Document,
    found: Value,
}

/// The page and the node that something stands for.
pub(crate) fn context(on: &Bound<'_, PyAny>) -> PyResult<(Document, NodeId)> {
    if let Ok(page) = on.cast::<Page>() {
        return Ok((page.get().document().clone(), NodeId::DOCUMENT));
    }
    match on.cast::<Node>() {
        Ok(node) => Ok((node.get().document.clone(), node.get().node)),
        Err(_) => Err(PyTypeError::new_err(format!(
            "found {}, expected a Page or a Node",
            on.get_type().name()?
        ))),
    }
}

/// A node as text: elements and the document as HTML, all others by their value.
fn written(document: &Document, node: NodeId) -> String {
    let page = &document.page;
    match page.kind(node) {
        Kind::Text | Kind::Attribute => page.string_value(node).to_owned(),
        _ => page.to_html(node),
    }
}

/// The same as an object of Python, without a copy of texts in between.
fn object<'py>(py: Python<'py>, document: &Document, node: NodeId) -> Bound<'py, PyString> {
    match document.page.kind(node) {
        Kind::Text | Kind::Attribute => PyString::new(py, document.page.string_value(node)),
        _ => PyString::new(py, &py.detach(|| document.page.to_html(node))),
    }
}

/// The attributes of an element.
fn attributes<'py>(py: Python<'py>, document: &Document, node: NodeId) -> PyResult<Bound<'py, PyDict>> {
    let (page, dict) = (&document.page, PyDict::new(py));
    for id in page.attributes(node) {
        dict.set_item(page.name(NodeId(id)), page.string_value(NodeId(id)))?;
    }
    Ok(dict)
}

/// Matches of a regular expression in texts, by Python's own `re`.
fn matches<'py>(py: Python<'py>, pattern: &Bound<'py, PyAny>, texts: Vec<String>) -> PyResult<Bound<'py, PyList>> {
    let found = py
        .import("wrapwright._regex")?
        .call_method1("matches", (pattern, texts))?;
    Ok(found.cast_into::<PyList>()?)
}

/// The first of some values, or a default.
fn first<'py>(all: &Bound<'py, PyList>, default: Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match all.is_empty() {
        true => Ok(default),
        false => all.get_item(0).map(Some),
    }
}

#[pymethods]
impl Node {
    /// What is found from this node on.
    #[pyo3(signature = (expression, /, **variables))]
    fn xpath(&self, py: Python<'_>, expression: &str, variables: Option<&Bound<'_, PyDict>>) -> PyResult<Nodes> {
        search(py, &self.document, self.node, expression, variables)
    }

    /// What a CSS selector matches below this node.
    fn css(&self, py: Python<'_>, selector: &str) -> PyResult<Nodes> {
        let query = xpath::query(py, Language::CssBelow, selector)?;
        xpath::evaluate(py, &query, &self.document, self.node)
    }

    /// An element as HTML; a text or an attribute by its value.
    fn get<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        object(py, &self.document, self.node)
    }

    /// The same as a list.
    fn getall<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        vec![self.get(py)]
    }

    /// All matches of a regular expression in what `get` gives.
    fn re<'py>(&self, pattern: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        matches(pattern.py(), pattern, vec![written(&self.document, self.node)])
    }

    /// The first match of a regular expression, or a default.
    #[pyo3(signature = (pattern, default = None))]
    fn re_first<'py>(
        &self,
        pattern: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        first(&self.re(pattern)?, default)
    }

    /// All text in the node.
    #[getter]
    fn text(&self) -> &str {
        self.document.page.string_value(self.node)
    }

    /// The node as HTML.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.page.to_html(self.node))
    }

    /// What is in the node, as HTML.
    #[getter]
    fn inner_html(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.page.inner_html(self.node))
    }

    /// The node as XML, whose tree is exactly this one.
    #[getter]
    fn xml(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.page.to_xml(self.node))
    }

    /// The name of an element or an attribute; empty for other nodes.
    #[getter]
    fn name(&self) -> &str {
        self.document.page.name(self.node)
    }

    /// What it is: `"element"`, `"attribute"`, `"text"`, `"comment"` or `"document"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.document.page.kind(self.node) {
            Kind::Document => "document",
            Kind::Element => "element",
            Kind::Attribute => "attribute",
            Kind::Text => "text",
            Kind::Comment => "comment",
        }
    }

    /// The attributes of an element.
    #[getter]
    fn attrib<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        attributes(py, &self.document, self.node)
    }

    /// The node around it.
    #[getter]
    fn parent(&self) -> Option<Node> {
        let document = self.document.clone();
        let parent = document.page.parent(self.node)?;
        Some(Node { document, node: parent })
    }

    /// An XPath expression that finds this node and no other on its page.
    #[getter]
    fn path(&self) -> String {
        Paths::new(&self.document.page).path(self.node)
    }

    fn __repr__(&self) -> String {
        let text: String = written(&self.document, self.node).chars().take(60).collect();
        format!("<Node {} {text:?}>", self.path())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same =
            |other: &Node| other.node == self.node && std::sync::Arc::ptr_eq(&other.document.page, &self.document.page);
        other.cast::<Node>().is_ok_and(|other| same(other.get()))
    }

    fn __hash__(&self) -> isize {
        self.node.index().cast_signed()
    }
}

/// Evaluates an expression that is given as text.
pub(crate) fn search(
    py: Python<'_>,
    document: &Document,
    node: NodeId,
    expression: &str,
    variables: Option<&Bound<'_, PyDict>>,
) -> PyResult<Nodes> {
    let variables = values::variables(variables)?;
    match variables.is_empty() {
        true => xpath::evaluate(py, &*xpath::query(py, Language::XPath, expression)?, document, node),
        false => {
            let query = xpath::compiled(py, Language::XPath, expression, &variables)?;
            xpath::evaluate(py, &query, document, node)
        }
    }
}

impl Nodes {
    pub(crate) fn new(document: Document, found: Value) -> Nodes {
        Nodes { document, found }
    }

    fn ids(&self) -> &[NodeId] {
        match &self.found {
            Value::Nodes(nodes) => nodes,
            _ => &[],
        }
    }

    /// The value as text, if it is not nodes.
    fn text(&self) -> Option<String> {
        match &self.found {
            Value::Nodes(_) => None,
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number_to_string(*number)),
            Value::Boolean(truth) => Some(truth.to_string()),
        }
    }

    fn texts(&self) -> Vec<String> {
        match self.text() {
            Some(text) => vec![text],
            None => self.ids().iter().map(|node| written(&self.document, *node)).collect(),
        }
    }

    /// What an expression finds from each node on, each node once and in document order.
    fn below(&self, py: Python<'_>, query: &wrapwright::Query) -> PyResult<Nodes> {
        let all = py.detach(|| {
            let mut all: Vec<NodeId> = Vec::new();
            for node in self.ids() {
                if let Value::Nodes(found) = query.evaluate_at(&self.document.page, *node)? {
                    all.extend(found);
                }
            }
            all.sort_unstable();
            all.dedup();
            Ok(all)
        });
        let all = all.map_err(|error| errors::evaluation(py, &error))?;
        Ok(Nodes::new(self.document.clone(), Value::Nodes(all)))
    }
}

#[pymethods]
impl Nodes {
    /// The first result, or a default: an element as HTML, a text or an attribute by its value.
    #[pyo3(signature = (default = None))]
    fn get<'py>(&self, py: Python<'py>, default: Option<Bound<'py, PyAny>>) -> Option<Bound<'py, PyAny>> {
        if let Some(node) = self.ids().first() {
            return Some(object(py, &self.document, *node).into_any());
        }
        match self.text() {
            Some(text) => Some(PyString::new(py, &text).into_any()),
            None => default,
        }
    }

    /// All results, as `get` gives them.
    fn getall<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        match self.text() {
            Some(text) => vec![PyString::new(py, &text)],
            None => self
                .ids()
                .iter()
                .map(|node| object(py, &self.document, *node))
                .collect(),
        }
    }

    /// The value of an expression that does not give nodes; None if it does.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match &self.found {
            Value::Nodes(_) => None,
            Value::String(text) => Some(PyString::new(py, text).into_any()),
            Value::Number(number) => Some(number.into_pyobject(py)?.into_any()),
            Value::Boolean(truth) => Some(truth.into_pyobject(py)?.to_owned().into_any()),
        })
    }

    /// The text in each node.
    #[getter(texts)]
    fn all_texts<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        let text = |node: &NodeId| PyString::new(py, self.document.page.string_value(*node));
        self.ids().iter().map(text).collect()
    }

    /// The attributes of the first node; empty if there is no node.
    #[getter]
    fn attrib<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match self.ids().first() {
            Some(node) => attributes(py, &self.document, *node),
            None => Ok(PyDict::new(py)),
        }
    }

    /// All matches of a regular expression in what `getall` gives.
    fn re<'py>(&self, pattern: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        matches(pattern.py(), pattern, self.texts())
    }

    /// The first match of a regular expression, or a default.
    #[pyo3(signature = (pattern, default = None))]
    fn re_first<'py>(
        &self,
        pattern: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        first(&self.re(pattern)?, default)
    }

    /// What is found from each node on: each node once, in document order.
    #[pyo3(signature = (expression, /, **variables))]
    fn xpath(&self, py: Python<'_>, expression: &str, variables: Option<&Bound<'_, PyDict>>) -> PyResult<Nodes> {
        let variables = values::variables(variables)?;
        match variables.is_empty() {
            true => self.below(py, &*xpath::query(py, Language::XPath, expression)?),
            false => self.below(py, &xpath::compiled(py, Language::XPath, expression, &variables)?),
        }
    }

    /// What a CSS selector matches below the nodes.
    fn css(&self, py: Python<'_>, selector: &str) -> PyResult<Nodes> {
        self.below(py, &*xpath::query(py, Language::CssBelow, selector)?)
    }

    fn __len__(&self) -> usize {
        self.ids().len()
    }

    fn __bool__(&self) -> bool {
        match &self.found {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::String(text) => !text.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Boolean(truth) => *truth,
        }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let ids = self.ids();
        if let Ok(slice) = at.cast::<PySlice>() {
            let range = slice.indices(isize::try_from(ids.len())?)?;
            let mut chosen = Vec::with_capacity(range.slicelength);
            let mut place = range.start;
            for _ in 0..range.slicelength {
                chosen.push(ids[place.cast_unsigned()]);
                place += range.step;
            }
            let chosen = Nodes::new(self.document.clone(), Value::Nodes(chosen));
            return Ok(Bound::new(py, chosen)?.into_any());
        }
        let at: isize = at.extract()?;
        let place = if at < 0 { at + isize::try_from(ids.len())? } else { at };
        let node = usize::try_from(place).ok().and_then(|place| ids.get(place));
        let node = *node.ok_or_else(|| PyIndexError::new_err("there is no such result"))?;
        let document = self.document.clone();
        Ok(Bound::new(py, Node { document, node })?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let node = |node: &NodeId| {
            let document = self.document.clone();
            Bound::new(py, Node { document, node: *node })
        };
        let nodes = self.ids().iter().map(node).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, nodes)?.try_iter()
    }

    fn __repr__(&self) -> String {
        match self.text() {
            Some(text) => format!("<Nodes value={text:?}>"),
            None => {
                let some: Vec<String> = self.texts().into_iter().take(3).collect();
                let some = some.iter().map(|text| text.chars().take(40).collect::<String>());
                format!("<Nodes {}: {:?}>", self.ids().len(), some.collect::<Vec<_>>())
            }
        }
    }
}

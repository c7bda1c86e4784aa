//! Pages.
//!
//! A page keeps the object of Python that it was made from, so that its source is there for those who need it (rules by
//! delimiters, pickles) without a copy.

use crate::errors;
use crate::nodes::{self, Nodes};
use crate::xpath::{self, Language};
use pyo3::exceptions::{PyLookupError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use std::path::PathBuf;
use wrapwright::{Document, Limits, NodeId, ParseSettings, is_charset};

/// An HTML page, parsed as browsers do. It never changes.
#[pyclass(frozen, module = "wrapwright")]
pub(crate) struct Page {
    document: Document,
    body: Body,
    charset: Option<String>,
}

/// What a page was made from.
enum Body {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

/// What a page without an address is called.
const NAMELESS: &str = "page";

impl Page {
    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// The document with its decoded source.
    pub(crate) fn with_source(&self) -> Document {
        let source = match &self.body {
            Body::Text(text) => (**text).into(),
            Body::Bytes(bytes) => wrapwright::decode(bytes, self.charset.as_deref()).0.as_ref().into(),
        };
        Document {
            source: Some(source),
            ..self.document.clone()
        }
    }

    /// A page from what it is made of. `limits` bound what it may cost.
    pub(crate) fn make(
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
        limits: Limits,
    ) -> PyResult<Page> {
        if let Some(charset) = charset.filter(|charset| !is_charset(charset)) {
            return Err(PyLookupError::new_err(format!("unknown charset: {charset}")));
        }
        let body = body(html)?;
        let settings = ParseSettings {
            limits,
            charset: charset.map(str::to_owned),
            ..ParseSettings::default()
        };
        let parsed = py.detach(|| match &body {
            Body::Bytes(bytes) => wrapwright::Page::parse(bytes, &settings),
            Body::Text(text) => wrapwright::Page::parse_str(text, &settings.limits),
        });
        let parsed = parsed.map_err(|error| errors::limit(py, &error))?;
        let document = Document::new(url.unwrap_or(NAMELESS), parsed);
        Ok(Page {
            document: match url {
                Some(url) => document.fetched_from(url),
                None => document,
            },
            body,
            charset: settings.charset,
        })
    }
}

/// The bytes or the text of a page.
fn body(html: &Bound<'_, PyAny>) -> PyResult<Body> {
    if let Ok(text) = html.cast::<PyString>() {
        return Ok(Body::Text(PyBackedStr::try_from(text.clone())?));
    }
    if let Ok(bytes) = html.cast::<PyBytes>() {
        return Ok(Body::Bytes(PyBackedBytes::from(bytes.clone())));
    }
    // Whatever else has bytes: bytearray, memoryview, mmap.
    let py = html.py();
    let view = py.import("builtins")?.getattr("memoryview")?.call1((html,));
    match view.and_then(|view| py.get_type::<PyBytes>().call1((view,))) {
        Ok(bytes) => Ok(Body::Bytes(PyBackedBytes::from(bytes.cast_into::<PyBytes>()?))),
        Err(_) => Err(PyTypeError::new_err(not_a_page(html)?)),
    }
}

fn not_a_page(html: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(format!(
        "found {}, expected the page as bytes or str",
        html.get_type().name()?
    ))
}

#[pymethods]
impl Page {
    /// A page from its bytes, whose encoding is found as browsers do, or from its text. `charset` is what the server says.
    #[new]
    #[pyo3(signature = (html, url = None, charset = None, *, max_page_bytes = None))]
    fn new(
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
        max_page_bytes: Option<usize>,
    ) -> PyResult<Page> {
        let usual = Limits::default();
        let limits = Limits {
            bytes: max_page_bytes.unwrap_or(usual.bytes),
            ..usual
        };
        Page::make(py, html, url, charset, limits)
    }

    /// A page from a file.
    #[staticmethod]
    #[pyo3(signature = (path, url = None, charset = None))]
    fn open(py: Python<'_>, path: PathBuf, url: Option<&str>, charset: Option<&str>) -> PyResult<Page> {
        let most = Limits::default().bytes as u64 + 1;
        let bytes = py.detach(|| wrapwright::bounded::read(&path, most));
        let bytes = bytes.map_err(|error| match error.raw_os_error() {
            Some(_) => errors::system(&error, &path.display().to_string()),
            None => errors::error(py, "PageError", format!("{}: {error}", path.display()), None),
        })?;
        let name = path.display().to_string();
        let page = Page::make(py, PyBytes::new(py, &bytes).as_any(), url, charset, Limits::default())?;
        Ok(Page {
            document: Document {
                name: name.into(),
                ..page.document
            },
            ..page
        })
    }

    /// What an XPath 1.0 expression finds. Keyword arguments are the values of its variables.
    #[pyo3(signature = (expression, /, **variables))]
    fn xpath(&self, py: Python<'_>, expression: &str, variables: Option<&Bound<'_, PyDict>>) -> PyResult<Nodes> {
        nodes::search(py, &self.document, NodeId::DOCUMENT, expression, variables)
    }

    /// What a CSS selector matches, with `::text` and `::attr(name)` at its end as in Scrapy.
    fn css(&self, py: Python<'_>, selector: &str) -> PyResult<Nodes> {
        let query = xpath::query(py, Language::Css, selector)?;
        xpath::evaluate(py, &query, &self.document, NodeId::DOCUMENT)
    }

    /// All text of the page.
    #[getter]
    fn text(&self) -> &str {
        self.document.page.text()
    }

    /// The page as HTML, as it was understood.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.page.to_html(NodeId::DOCUMENT))
    }

    /// The address that it came from, if that was given.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.document.url.as_deref()
    }

    /// The encoding that it was read in.
    #[getter]
    fn encoding(&self) -> String {
        self.document.page.decoding().encoding.to_owned()
    }

    fn __repr__(&self) -> String {
        let title: String = self.document.page.text().trim().chars().take(40).collect();
        match self.document.url.as_deref() {
            Some(url) => format!("<Page {url} {title:?}>"),
            None => format!("<Page {title:?}>"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let body = match &self.body {
            Body::Bytes(bytes) => bytes.into_pyobject(py)?.into_any(),
            Body::Text(text) => text.into_pyobject(py)?.into_any(),
        };
        let arguments = (body, self.document.url.as_deref(), self.charset.as_deref());
        Ok((py.get_type::<Page>().into_any(), arguments.into_pyobject(py)?))
    }
}

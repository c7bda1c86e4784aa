//! Pages as Python's programs have them: one, or any number of them, in memory, in files or in tables.
//!
//! | given | means |
//! |---|---|
//! | `Page` | that page |
//! | `bytes`, and what else has bytes | the bytes of a page |
//! | `str` with a `<` in it | the text of a page |
//! | any other `str`, and paths | a file, all pages of a directory, all pages of a WARC file |
//! | `(url, page)` | a page with its address |
//! | what has `url` and `body`, or `url` and `content` | the response of Scrapy, requests or httpx |
//! | what has `__arrow_c_stream__` | a table with a column `html` and perhaps `url` |
//! | whatever can be iterated | these one after the other, taken as they are needed |

use crate::arrow_in::Stream;
use crate::errors;
use crate::page::Page;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyMemoryView, PyString, PyTuple};
use std::collections::VecDeque;
use std::path::PathBuf;
use wrapwright::Document;
use wrapwright::batch::Input;
use wrapwright::input::find;

/// Pages, taken as they are needed.
pub(crate) struct Inputs {
    /// The iterators that were not finished, the innermost last.
    open: Vec<Open>,
    ready: VecDeque<Input>,
    /// The pages so far, which names those that have no other name.
    count: usize,
    /// Must documents have their source?
    with_source: bool,
}

enum Open {
    Iterator(Py<PyIterator>),
    Table(Box<Stream>),
}

/// How deeply lists of pages may be nested.
const DEEPEST: usize = 8;

impl Inputs {
    /// The pages that something stands for. `with_source` keeps the source of those that are parsed already.
    pub(crate) fn new(pages: &Bound<'_, PyAny>, with_source: bool) -> PyResult<Inputs> {
        let mut inputs = Inputs {
            open: Vec::new(),
            ready: VecDeque::new(),
            count: 0,
            with_source,
        };
        inputs.add(pages)?;
        Ok(inputs)
    }

    /// All pages.
    pub(crate) fn all(pages: &Bound<'_, PyAny>, with_source: bool) -> PyResult<Vec<Input>> {
        let mut inputs = Inputs::new(pages, with_source)?;
        let mut all = Vec::new();
        while let Some(input) = inputs.next(pages.py())? {
            all.push(input);
        }
        Ok(all)
    }

    /// The next page.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Input>> {
        loop {
            if let Some(input) = self.ready.pop_front() {
                return Ok(Some(input));
            }
            match self.open.last_mut() {
                None => return Ok(None),
                Some(Open::Table(stream)) => match stream.next(py, &mut self.count)? {
                    Some(inputs) => self.ready.extend(inputs),
                    None => drop(self.open.pop()),
                },
                Some(Open::Iterator(iterator)) => {
                    let next = iterator.bind(py).clone().next();
                    match next {
                        Some(item) => self.add(&item?)?,
                        None => drop(self.open.pop()),
                    }
                }
            }
        }
    }

    /// Some of the next pages; none at the end.
    pub(crate) fn some(&mut self, py: Python<'_>, most: usize) -> PyResult<Vec<Input>> {
        let mut some = Vec::new();
        while some.len() < most
            && let Some(input) = self.next(py)?
        {
            some.push(input);
        }
        Ok(some)
    }

    fn add(&mut self, page: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(input) = self.single(page, None)? {
            self.ready.push_back(input);
            return Ok(());
        }
        if let Some(path) = path_of(page)? {
            return self.find(page.py(), &path);
        }
        if page.hasattr("__arrow_c_stream__")? {
            self.open.push(Open::Table(Box::new(Stream::new(page)?)));
            return Ok(());
        }
        match page.try_iter() {
            Ok(_) if self.open.len() >= DEEPEST => {
                let message =
                    format!("found pages in more than {DEEPEST} lists in each other, expected a list of pages");
                Err(PyTypeError::new_err(message))
            }
            Ok(iterator) => {
                self.open.push(Open::Iterator(iterator.unbind()));
                Ok(())
            }
            Err(_) => Err(PyTypeError::new_err(format!(
                "found {}, expected a Page, bytes, str, a path, a table, or several of them",
                page.get_type().name()?
            ))),
        }
    }

    /// The pages of a file, a directory or a WARC file.
    fn find(&mut self, py: Python<'_>, path: &str) -> PyResult<()> {
        let (places, problems) = py.detach(|| find([path]));
        if let Some(error) = problems.first() {
            return Err(errors::input(py, error));
        }
        self.count += places.len();
        self.ready.extend(places.into_iter().map(Input::from));
        Ok(())
    }

    /// A page that is in memory.
    fn single(&mut self, page: &Bound<'_, PyAny>, url: Option<String>) -> PyResult<Option<Input>> {
        let name = |inputs: &mut Inputs| {
            inputs.count += 1;
            url.clone().unwrap_or_else(|| format!("page-{}", inputs.count))
        };
        if let Ok(page) = page.cast::<Page>() {
            let page = page.get();
            let document = match self.with_source {
                true => page.with_source(),
                false => page.document().clone(),
            };
            let name = match (&url, &document.url) {
                (None, Some(own)) => {
                    self.count += 1;
                    own.to_string()
                }
                _ => name(self),
            };
            return Ok(Some(Input::Document(Document {
                name: name.into(),
                url: url.map(Into::into).or(document.url),
                ..document
            })));
        }
        if let Ok(bytes) = page.cast::<PyBytes>() {
            return Ok(Some(Input::bytes(
                name(self),
                url,
                None,
                PyBackedBytes::from(bytes.clone()),
            )));
        }
        if page.is_instance_of::<PyByteArray>() || page.is_instance_of::<PyMemoryView>() {
            let bytes: Vec<u8> = page.py().get_type::<PyBytes>().call1((page,))?.extract()?;
            return Ok(Some(Input::bytes(name(self), url, None, bytes)));
        }
        if let Ok(text) = page.cast::<PyString>() {
            let text = PyBackedStr::try_from(text.clone())?;
            return Ok(match text.contains('<') {
                true => Some(Input::text(name(self), url, text)),
                false => None,
            });
        }
        if url.is_some() {
            return Ok(None);
        }
        if let Ok(pair) = page.cast::<PyTuple>()
            && pair.len() == 2
            && let Ok(url) = pair.get_item(0)?.extract::<String>()
            && !url.contains('<')
        {
            return self.single(&pair.get_item(1)?, Some(url));
        }
        response(page)?.map_or(Ok(None), |(url, body)| self.single(&body, Some(url)))
    }
}

/// The address and the bytes of a response, as several libraries have them.
fn response<'py>(page: &Bound<'py, PyAny>) -> PyResult<Option<(String, Bound<'py, PyAny>)>> {
    let Some(url) = page.getattr_opt("url")? else {
        return Ok(None);
    };
    for name in ["body", "content"] {
        if let Some(body) = page.getattr_opt(name)?
            && body.is_instance_of::<PyBytes>()
        {
            return Ok(Some((url.str()?.extract()?, body)));
        }
    }
    Ok(None)
}

/// The path that something is.
fn path_of(page: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if !page.is_instance_of::<PyString>() && !page.hasattr("__fspath__")? {
        return Ok(None);
    }
    let path: PathBuf = page.extract()?;
    match path.to_str() {
        Some(path) => Ok(Some(path.to_owned())),
        None => Err(PyTypeError::new_err(format!(
            "{}: expected a name in UTF-8",
            path.display()
        ))),
    }
}

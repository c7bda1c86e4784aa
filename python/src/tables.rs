//! Tables in, tables out: wrappers over batches of pages, and WARC files as tables.
//!
//! Both are streams of the Arrow PyCapsule interface that work when they are asked for the next batch. Whoever asks does so
//! without Python's lock; no row becomes an object of Python.

use crate::arrow_in::{mistake, reader};
use crate::arrow_out;
use crate::make::reading;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use wrapwright::columns::{
    Extraction, ExtractionSettings, Failures, PageColumns, WarcBatches, WarcSettings, warc_schema,
};
use wrapwright::extract::ExtractSettings;
use wrapwright::{Job, Wrapper as Saved};

/// What has been done, shared with a stream that somebody else reads.
type Told = Arc<Mutex<(Failures, Vec<String>)>>;

/// A table that is made while it is read, once.
#[pyclass(module = "wrapwright", frozen)]
pub(crate) struct Table {
    schema: SchemaRef,
    stream: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
    told: Told,
}

impl Table {
    fn new(stream: Box<dyn RecordBatchReader + Send>, told: Told) -> Table {
        Table {
            schema: stream.schema(),
            stream: Mutex::new(Some(stream)),
            told,
        }
    }

    fn told(&self) -> (Failures, Vec<String>) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Table {
    /// The Arrow PyCapsule interface. Batches are made as they are asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer give its own schema.
        let _ = requested_schema;
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        let stream =
            stream.ok_or_else(|| PyValueError::new_err("this table can be read once, and was read already"))?;
        arrow_out::reader(py, stream)
    }

    /// The Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow_out::schema(py, &self.schema)
    }

    /// What was done so far: the numbers of pages, records and failures.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (done, _) = self.told();
        let dict = PyDict::new(py);
        dict.set_item("pages", done.pages)?;
        dict.set_item("records", done.records)?;
        dict.set_item("failures", done.failed)?;
        Ok(dict)
    }

    /// What went wrong so far, in words; the first ones.
    #[getter]
    fn messages(&self) -> Vec<String> {
        let (done, messages) = self.told();
        done.first.into_iter().chain(messages).collect()
    }
}

/// Names of columns.
pub(crate) fn columns(html: &str, url: &str, charset: &str) -> PageColumns {
    PageColumns {
        html: html.to_owned(),
        url: url.to_owned(),
        charset: charset.to_owned(),
    }
}

/// Records of the pages of a table.
pub(crate) fn extract(wrapper: &Saved, pages: &Bound<'_, PyAny>, settings: &ExtractionSettings) -> PyResult<Table> {
    let pages_reader = reader(pages)?;
    let made = Extraction::new(wrapper, &pages_reader.schema(), settings);
    let extraction = made.map_err(|error| mistake(pages.py(), &error))?;
    let told = Told::default();
    let stream = Extracting {
        pages: pages_reader,
        extraction,
        ready: VecDeque::new(),
        told: Arc::clone(&told),
    };
    Ok(Table::new(Box::new(stream), told))
}

/// What a check finds on the pages of a table, as JSON.
pub(crate) fn survey(wrapper: &Saved, pages: &Bound<'_, PyAny>, names: &PageColumns) -> PyResult<String> {
    let py = pages.py();
    let mut batches = reader(pages)?;
    let settings: ExtractSettings = reading(None);
    // Whoever makes the batches may need Python's lock.
    let found = py.detach(|| {
        let schema = batches.schema();
        wrapwright::columns::survey(wrapper, &schema, &mut batches, names, &settings, &Job::new())
    });
    let found = found.map_err(|error| mistake(py, &error))?;
    Ok(found.to_json())
}

/// Batches of pages that become batches of records.
struct Extracting {
    pages: RecordBatchStreamReader,
    extraction: Extraction,
    ready: VecDeque<RecordBatch>,
    told: Told,
}

impl Iterator for Extracting {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        while self.ready.is_empty() {
            let pages = match self.pages.next()? {
                Ok(pages) => pages,
                Err(error) => return Some(Err(error)),
            };
            match self.extraction.batch(&pages, &Job::new()) {
                Ok(made) => self.ready.extend(made),
                Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
            }
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.0.clone_from(self.extraction.failures());
        }
        self.ready.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Extracting {
    fn schema(&self) -> SchemaRef {
        self.extraction.schema()
    }
}

/// A WARC file that is read.
struct Reading {
    batches: WarcBatches,
    told: Told,
}

impl Iterator for Reading {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = self.batches.next();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Ok(batch)) = &batch {
            told.0.pages += batch.num_rows() as u64;
            told.0.records = told.0.pages;
        }
        told.0.failed = self.batches.faults();
        told.1 = self.batches.messages().to_vec();
        batch
    }
}

impl RecordBatchReader for Reading {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

/// A WARC file as a table: a page in each row, with `all=True` every response.
#[pyfunction]
#[pyo3(signature = (path, *, name = None, all = false, max_page_bytes = None))]
pub(crate) fn warc(path: PathBuf, name: Option<&str>, all: bool, max_page_bytes: Option<usize>) -> PyResult<Table> {
    let shown = path.display().to_string();
    let usual = WarcSettings::default();
    let settings = WarcSettings {
        all,
        bytes: max_page_bytes.unwrap_or(usual.bytes),
    };
    let opened = WarcBatches::open(&path, name.unwrap_or(&shown), settings);
    let batches = opened.map_err(|error| crate::errors::system(&error, &shown))?;
    let told = Told::default();
    let stream = Reading {
        batches,
        told: Arc::clone(&told),
    };
    Ok(Table::new(Box::new(stream), told))
}

/// The columns of a WARC file: a table without rows.
#[pyfunction]
#[pyo3(signature = (*, all = false))]
pub(crate) fn warc_columns(all: bool) -> Table {
    let empty = arrow_array::RecordBatchIterator::new(Vec::new(), warc_schema(all));
    Table::new(Box::new(empty), Told::default())
}

//! Records of runs and extractions: an iterator that works when it is asked, and keeps what it got.
//!
//! A run has a thread of its own, which sends what happens through a short channel: it is at most [`AHEAD`] events ahead of
//! who asks. Pages of an extraction are taken and extracted from in groups, on as many threads as were asked for. In both
//! cases Python's lock is released while there is nothing to convert, and signals are looked for in between: Ctrl-C stops
//! the work, and what was got before stays.
//!
//! **Memory**: records are kept unless `keep=False`; then each is forgotten when it was given.

use crate::inputs::Inputs;
use crate::wait::PAUSE;
use crate::{arrow_out, errors, values};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wrapwright::batch;
use wrapwright::extract::{ExtractSettings, Trouble};
use wrapwright::record::{Content, Sort, Typing};
use wrapwright::session::{Bindings, RunEvent, RunReport};
use wrapwright::wrapper::Runner;
use wrapwright::{Batches, Failure, Job, LackingField, Record, RecordType, Remedy, SinkSpec};

/// How many events a run may be ahead.
pub(crate) const AHEAD: usize = 64;

/// The number of messages that are kept.
const KEPT: usize = 100;

/// After a signal, a run has this long to end; what it gives meanwhile is kept.
const GRACE: Duration = Duration::from_secs(2);

/// A group of pages that took less than this is followed by a larger one.
const SHORT: Duration = Duration::from_millis(50);

/// A group of pages that took more than this is followed by a smaller one.
const LONG: Duration = Duration::from_millis(400);

/// Where records come from.
pub(crate) enum Source {
    /// A run on its own thread.
    Run(Mutex<Receiver<Message>>),
    /// Pages that are extracted from.
    Pages(Box<Pages>),
    /// Nothing more.
    Done,
}

/// What a run says.
pub(crate) enum Message {
    /// Something happened.
    Event(Box<RunEvent>),
    /// It ended.
    End(Box<RunReport>),
    /// It could not begin, or its cookies or its recording could not be kept.
    Failed(Box<dyn Fn(Python<'_>) -> PyErr + Send>),
}

/// Pages that are extracted from.
pub(crate) struct Pages {
    pub(crate) inputs: Mutex<Inputs>,
    pub(crate) runner: Arc<Runner>,
    /// The type that records must fit, if the user gave one.
    pub(crate) kind: Option<RecordType>,
    pub(crate) settings: ExtractSettings,
    /// How many pages are taken at a time: few at first, so that the first records come soon, then as many as can be done in
    /// about [`SHORT`] to [`LONG`], so that threads seldom wait for each other at the end of a group, and Ctrl-C is noticed soon.
    pub(crate) group: usize,
    /// The most pages that are taken at a time.
    pub(crate) most: usize,
}

/// The records of a run or of many pages: iterate over them, or turn them into a table.
#[pyclass(module = "wrapwright")]
pub(crate) struct Records {
    source: Source,
    types: Vec<RecordType>,
    spec: SinkSpec,
    typing: Typing,
    /// The values of each run, if records contain them.
    bindings: Option<Bindings>,
    run: u32,
    job: Job,
    /// Records with the number of their run, from `base` on.
    rows: VecDeque<(u32, Record)>,
    base: usize,
    keep: bool,
    pages: u64,
    failed: u64,
    messages: Vec<String>,
    /// Records that lack a required field.
    lacking: Vec<LackingField>,
    /// What to do about the first failure.
    remedy: Option<Remedy>,
    /// An error that may not have been noticed.
    unheard: Option<PyErr>,
    progress: Option<Py<PyAny>>,
    report: Option<Box<RunReport>>,
}

/// How records are given.
pub(crate) struct Giving {
    /// With the keys `_record` and `_page`?
    pub(crate) meta: bool,
    /// Keep them?
    pub(crate) keep: bool,
    /// Is told the numbers of pages and of records.
    pub(crate) progress: Option<Py<PyAny>>,
    /// The values of each run, if records shall contain them.
    pub(crate) bindings: Option<Bindings>,
}

impl Records {
    pub(crate) fn new(source: Source, types: Vec<RecordType>, job: Job, giving: Giving) -> Records {
        let spec = SinkSpec {
            no_meta: !giving.meta,
            ..SinkSpec::default()
        };
        let mut typing = Typing::new(&types, &spec);
        if let Some(bindings) = giving.bindings.as_ref().filter(|bindings| bindings.count() > 0) {
            typing.bind(&bindings.of(0));
        }
        Records {
            typing,
            source,
            types,
            spec,
            bindings: giving.bindings,
            run: 0,
            job,
            rows: VecDeque::new(),
            base: 0,
            keep: giving.keep,
            pages: 0,
            failed: 0,
            messages: Vec::new(),
            lacking: Vec::new(),
            remedy: None,
            unheard: None,
            progress: giving.progress,
            report: None,
        }
    }

    /// The number of records so far.
    fn got(&self) -> usize {
        self.base + self.rows.len()
    }

    /// Works until there is a record of this number, or nothing more.
    fn fill(&mut self, py: Python<'_>, number: usize) -> PyResult<()> {
        if let Some(error) = self.unheard.take() {
            return Err(error);
        }
        while self.got() <= number && !matches!(self.source, Source::Done) {
            self.pull(py)?;
        }
        Ok(())
    }

    fn pull(&mut self, py: Python<'_>) -> PyResult<()> {
        let pages = self.pages;
        let pulled = match &mut self.source {
            Source::Done => Ok(()),
            Source::Run(_) => self.pull_run(py),
            Source::Pages(_) => self.pull_pages(py),
        };
        if let Err(error) = pulled {
            self.stop(py);
            return Err(error);
        }
        if self.pages != pages
            && let Some(progress) = &self.progress
        {
            progress.call1(py, (self.pages, self.got()))?;
        }
        Ok(())
    }

    /// The next event of a run.
    fn pull_run(&mut self, py: Python<'_>) -> PyResult<()> {
        let Source::Run(receiver) = &self.source else {
            return Ok(());
        };
        let message = loop {
            let received = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(PAUSE)
            });
            match received {
                Ok(message) => break message,
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Err(errors::panicked()),
            }
        };
        // A run that gives one record after the other never waits.
        py.check_signals()?;
        self.take(py, message)
    }

    fn take(&mut self, py: Python<'_>, message: Message) -> PyResult<()> {
        match message {
            Message::Failed(error) => {
                self.source = Source::Done;
                Err(error(py))
            }
            Message::End(report) => {
                self.source = Source::Done;
                self.report = Some(report);
                self.end(py)
            }
            Message::Event(event) => {
                match *event {
                    RunEvent::Run(number) => self.run = u32::try_from(number).unwrap_or(u32::MAX),
                    RunEvent::Record(record) => self.rows.push_back((self.run, record)),
                    RunEvent::Failure(failure) if failure.is_warning() => self.say(failure.to_string()),
                    RunEvent::Failure(failure) => {
                        let remedy = match &failure {
                            Failure::Driver(error) => error.remedy.clone(),
                            _ => None,
                        };
                        self.fail(failure.to_string(), remedy);
                    }
                    RunEvent::Trouble(trouble) => self.trouble(&trouble),
                    RunEvent::Page { .. } => self.pages += 1,
                    _ => {}
                }
                Ok(())
            }
        }
    }

    /// The records of the next pages.
    fn pull_pages(&mut self, py: Python<'_>) -> PyResult<()> {
        let Source::Pages(pages) = &mut self.source else {
            return Ok(());
        };
        let inputs = pages.inputs.get_mut().unwrap_or_else(PoisonError::into_inner);
        let some = inputs.some(py, pages.group)?;
        if some.is_empty() {
            self.source = Source::Done;
            return self.end(py);
        }
        let mut outcomes = Vec::with_capacity(some.len());
        let begun = Instant::now();
        let job = &self.job;
        let done = py.detach(|| {
            batch::each(
                &pages.runner,
                pages.kind.as_ref(),
                &some,
                &pages.settings,
                job,
                &mut |outcome| {
                    outcomes.push(outcome);
                    true
                },
            )
        });
        done.map_err(|error| errors::extract(py, &error))?;
        let took = begun.elapsed();
        pages.group = match pages.group {
            group if took < SHORT => group.saturating_mul(4).min(pages.most),
            group if took > LONG => (group / 2).max(pages.settings.jobs),
            group => group,
        };
        for outcome in outcomes {
            self.pages += 1;
            outcome.troubles.iter().for_each(|trouble| self.trouble(trouble));
            match outcome.found {
                Ok(found) => self.rows.extend(found.records.into_iter().map(|record| (0, record))),
                Err(error) => self.fail(error.to_string(), error.remedy()),
            }
        }
        py.check_signals()
    }

    fn trouble(&mut self, trouble: &Trouble) {
        match trouble {
            // Nothing is missing.
            Trouble::Joined { .. } => self.say(trouble.to_string()),
            // Told at the end, once for each field.
            Trouble::Lacking(lacking) => LackingField::add_all(&mut self.lacking, [lacking]),
            _ => self.fail(trouble.to_string(), None),
        }
    }

    fn fail(&mut self, message: String, remedy: Option<Remedy>) {
        if self.failed == 0 {
            self.remedy = remedy;
        }
        self.failed += 1;
        self.say(message);
    }

    fn say(&mut self, message: String) {
        if self.messages.len() < KEPT {
            self.messages.push(message);
        }
    }

    /// Tells what became of it. If nothing came of it at all, that is an error.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        for notice in self.report.iter().flat_map(|report| report.notices()) {
            let hint = crate::remedy::in_words(&notice.remedy);
            errors::warn(py, "RunWarning", &format!("{}\nhint: {hint}", notice.message))?;
        }
        for lacking in &self.lacking {
            errors::warn(py, "RunWarning", &lacking.to_string())?;
        }
        let first = self.messages.first().cloned().unwrap_or_default();
        match (self.failed, self.got()) {
            (0, _) => Ok(()),
            (1, 0) => Err(errors::error(py, "RunError", first, self.remedy.as_ref())),
            (failed, 0) => {
                let message = format!("no record was found, and {failed} pages failed; the first: {first}");
                Err(errors::error(py, "RunError", message, self.remedy.as_ref()))
            }
            (failed, _) => {
                let pages = if failed == 1 { "page" } else { "pages" };
                let message = format!("{failed} {pages} failed; see Records.messages. The first: {first}");
                errors::warn(py, "RunWarning", &message)
            }
        }
    }

    /// Stops the work. What a run has found and not given yet is kept.
    fn stop(&mut self, py: Python<'_>) {
        self.job.stop();
        let Source::Run(receiver) = std::mem::replace(&mut self.source, Source::Done) else {
            return;
        };
        let mut receiver = receiver.into_inner().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + GRACE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (message, back) = py.detach(move || (receiver.recv_timeout(left), receiver));
            receiver = back;
            match message {
                Ok(Message::End(report)) => {
                    self.report = Some(report);
                    return;
                }
                // What else goes wrong now does not matter any more.
                Ok(message) => drop(self.take(py, message)),
                Err(_) => return,
            }
        }
    }

    /// A record as a dict.
    fn dict<'py>(&mut self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        let place = number - self.base;
        let given = match self.keep {
            true => None,
            false => {
                self.base = number + 1;
                self.rows.drain(..=place).next_back()
            }
        };
        let (run, record) = match &given {
            Some((run, record)) => (*run, record),
            None => {
                let (run, record) = &self.rows[place];
                (*run, record)
            }
        };
        if let Some(bindings) = &self.bindings {
            self.typing.bind(&bindings.of(run as usize));
        }
        // A value that does not fit is null, so no record is left out.
        let (kind, cells) = self.typing.row(record)?.unwrap_or_default();
        values::dict(py, self.typing.types()[kind].fields(), &cells)
    }

    /// The records as Arrow batches.
    fn batches(&self, py: Python<'_>) -> PyResult<(Arc<arrow_schema::Schema>, Vec<arrow_array::RecordBatch>)> {
        if !self.keep && self.base > 0 {
            let message = "the records were not kept; make a table with keep=True, or before iterating over them";
            return Err(PyValueError::new_err(message));
        }
        let (types, spec, bindings, rows) = (&self.types, &self.spec, &self.bindings, &self.rows);
        let made = py.detach(|| {
            let mut batches = Batches::new(types, spec);
            let mut bound = None;
            let mut bind = |batches: &mut Batches, run: u32| {
                if let Some(bindings) = bindings
                    && bound != Some(run)
                {
                    batches.bind(&bindings.of(run as usize));
                    bound = Some(run);
                }
            };
            bind(&mut batches, 0);
            let schema = batches.schema();
            let mut all = Vec::new();
            for (run, record) in rows {
                bind(&mut batches, *run);
                all.extend(batches.push(record)?);
            }
            all.extend(batches.rest()?);
            Ok::<_, std::io::Error>((schema, all))
        });
        made.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

impl Drop for Records {
    /// A run that nobody asks any more ends by itself; it is not waited for.
    fn drop(&mut self) {
        self.job.stop();
    }
}

#[pymethods]
impl Records {
    fn __iter__(slf: Bound<'_, Self>) -> PyResult<RecordsIterator> {
        let at = slf.try_borrow()?.base;
        Ok(RecordsIterator {
            records: slf.unbind(),
            at,
        })
    }

    /// The number of records; waits for the last one.
    fn __len__(&mut self, py: Python<'_>) -> PyResult<usize> {
        match self.fill(py, usize::MAX) {
            Ok(()) => Ok(self.got()),
            Err(error) => {
                // `list` asks for the length and ignores such an error, so it is raised once more for the first record.
                if error.is_instance_of::<PyTypeError>(py) {
                    self.unheard = Some(error.clone_ref(py));
                }
                Err(error)
            }
        }
    }

    fn __bool__(&mut self, py: Python<'_>) -> PyResult<bool> {
        self.fill(py, 0)?;
        Ok(self.got() > 0)
    }

    fn __getitem__<'py>(&mut self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if !self.keep {
            let message = "the records are not kept, so they have no numbers; use keep=True";
            return Err(PyValueError::new_err(message));
        }
        if let Ok(slice) = at.cast::<PySlice>() {
            self.fill(py, usize::MAX)?;
            let range = slice.indices(isize::try_from(self.got())?)?;
            let all = PyList::empty(py);
            let mut place = range.start;
            for _ in 0..range.slicelength {
                all.append(self.dict(py, place.cast_unsigned())?)?;
                place += range.step;
            }
            return Ok(all.into_any());
        }
        let at: isize = at.extract()?;
        // The first ones need not wait for the last.
        self.fill(py, usize::try_from(at).unwrap_or(usize::MAX))?;
        let place = if at < 0 { at + isize::try_from(self.got())? } else { at };
        match usize::try_from(place).ok().filter(|place| *place < self.got()) {
            Some(place) => Ok(self.dict(py, place)?.into_any()),
            None => Err(PyIndexError::new_err("there is no such record")),
        }
    }

    /// Stops the work; what was got is kept. Waits at most two seconds for a run to end.
    fn close(&mut self, py: Python<'_>) {
        if !matches!(self.source, Source::Done) {
            self.stop(py);
        }
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// The names of the columns and the sorts of their values: `"text"`, `"link"`, `"integer"`, `"decimal"`,
    /// `"boolean"`, `"date"`, `"timestamp"`, `"list"` or `"record"`.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str)> {
        let types = self.typing.types();
        let [kind] = types else {
            return types.iter().map(|kind| (kind.name.clone(), "record")).collect();
        };
        let sort = |field: &wrapwright::record::Field| match &field.content {
            _ if field.cardinality.may_repeat() => "list",
            Content::Record(_) => "record",
            Content::Value(value) => match value.sort {
                Sort::Link => "link",
                Sort::Integer => "integer",
                Sort::Decimal => "decimal",
                Sort::Boolean => "boolean",
                Sort::Date => "date",
                Sort::Timestamp => "timestamp",
                _ => "text",
            },
        };
        kind.fields()
            .iter()
            .map(|field| (field.name.clone(), sort(field)))
            .collect()
    }

    /// What was done so far: the numbers of pages, records and failures, and whether it is over.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("pages", self.pages)?;
        dict.set_item("records", self.got())?;
        dict.set_item("failures", self.failed)?;
        dict.set_item("kept", self.keep)?;
        dict.set_item("done", matches!(self.source, Source::Done))?;
        dict.set_item("stopped", self.job.is_stopped())?;
        if let Some(report) = &self.report {
            dict.set_item("seconds", report.time.as_secs_f64())?;
            dict.set_item("failures_by_kind", report.failures_by_kind.clone())?;
        }
        Ok(dict)
    }

    /// What went wrong so far, in words: at most 100 messages.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.messages.clone()
    }

    /// The records as a pandas data frame; waits for the last one. pyarrow is not needed.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_pandas")
    }

    /// The records as a Polars data frame; waits for the last one.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_polars")
    }

    /// The records as a pyarrow table; waits for the last one.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_arrow")
    }

    /// The records as a relation of DuckDB; waits for the last one.
    #[pyo3(signature = (connection = None))]
    fn to_duckdb<'py>(slf: &Bound<'py, Self>, connection: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let tables = slf.py().import("wrapwright._tables")?;
        tables.call_method1("to_duckdb", (slf, connection))
    }

    /// The Arrow PyCapsule interface; waits for the last record.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer give its own schema.
        let _ = requested_schema;
        self.fill(py, usize::MAX)?;
        let (schema, batches) = self.batches(py)?;
        arrow_out::stream(py, schema, batches)
    }

    /// The Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let mut batches = Batches::new(&self.types, &self.spec);
        if let Some(bindings) = &self.bindings {
            batches.bind(&bindings.of(0));
        }
        arrow_out::schema(py, &batches.schema())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        table(slf, "to_html")
    }

    fn __repr__(&self) -> String {
        let more = if matches!(self.source, Source::Done) {
            ""
        } else {
            " so far"
        };
        format!("<Records {}{more}>", self.got())
    }
}

/// What the Python part of the package makes of records.
fn table<'py>(records: &Bound<'py, Records>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    records
        .py()
        .import("wrapwright._tables")?
        .call_method1(name, (records,))
}

/// One way through records; there may be several.
#[pyclass(module = "wrapwright")]
pub(crate) struct RecordsIterator {
    records: Py<Records>,
    at: usize,
}

impl Drop for RecordsIterator {
    /// Ctrl-C may come while the body of a loop runs. Then the iterator is dropped with that exception raised, and the work
    /// is stopped, as if it had come while a record was waited for. A loop that is left in another way can be continued.
    fn drop(&mut self) {
        Python::attach(|py| {
            let Some(error) = PyErr::take(py) else { return };
            if error.is_instance_of::<PyKeyboardInterrupt>(py)
                && let Ok(mut records) = self.records.bind(py).try_borrow_mut()
            {
                records.stop(py);
            }
            error.restore(py);
        });
    }
}

#[pymethods]
impl RecordsIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut records = self.records.bind(py).try_borrow_mut()?;
        self.at = self.at.max(records.base);
        records.fill(py, self.at)?;
        if self.at >= records.got() {
            return Ok(None);
        }
        self.at += 1;
        let number = self.at - 1;
        records.dict(py, number).map(Some)
    }
}

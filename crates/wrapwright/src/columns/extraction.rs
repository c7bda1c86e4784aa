//! Batches of pages in, batches of records out.

use super::{Columns, ColumnsError, PageColumns, place};
use crate::Batches;
use crate::batch::{self, Outcome};
use crate::extract::{ExtractSettings, Trouble};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use arrow_select::take::take;
use page::{Job, NodeId};
use record::{Record, RecordType, SinkSpec};
use std::sync::Arc;
use wrapper::{Runner, Wrapper};

/// Pages that are extracted from at a time, for each thread.
const GROUP: usize = 16;

/// How batches of pages become batches of records.
#[derive(Clone, Debug, Default)]
pub struct ExtractionSettings {
    /// Where the pages are.
    pub pages: PageColumns,
    /// Columns of the page's row that each of its records gets, before its own.
    pub carry: Vec<String>,
    /// A last column of this name: what went wrong with a page. Such a page gives a row of its own, with this message and
    /// no values. Without such a column, failures are only counted.
    pub error: Option<String>,
    /// Give each record the columns `_record` and `_page`?
    pub meta: bool,
    /// How to extract.
    pub extract: ExtractSettings,
}

/// Pages that could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Pages so far, those that failed among them.
    pub pages: u64,
    /// Records so far.
    pub records: u64,
    /// Pages that failed.
    pub failed: u64,
    /// The first message.
    pub first: Option<String>,
}

/// A wrapper over batches of pages.
///
/// ```
/// use arrow_array::{ArrayRef, RecordBatch, StringArray};
/// use std::sync::Arc;
/// use wrapwright::columns::{Extraction, ExtractionSettings};
/// use wrapwright::wrapper::Rule;
/// use wrapwright::{Job, RecordType, Wrapper};
///
/// let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
/// let wrapper = Wrapper::made(rule, RecordType::flat("row", ["item"]), None, &[])?;
/// let pages: ArrayRef = Arc::new(StringArray::from(vec!["<li>one<li>two", "<li>three"]));
/// let pages = RecordBatch::try_from_iter([("html", pages)])?;
/// let mut extraction = Extraction::new(&wrapper, &pages.schema(), &ExtractionSettings::default())?;
/// let records = extraction.batch(&pages, &Job::new())?;
/// assert_eq!(records[0].num_rows(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Extraction {
    runner: Runner,
    /// The type that records must fit, if the user gave one.
    kind: Option<RecordType>,
    /// The name of records.
    name: String,
    columns: Columns,
    carry: Vec<usize>,
    settings: ExtractionSettings,
    batches: Batches,
    schema: SchemaRef,
    failures: Failures,
}

/// Where the records of the next batch come from.
#[derive(Default)]
struct Rows {
    /// The row of the page of each.
    of: Vec<u32>,
    /// What went wrong with the page.
    errors: Vec<Option<String>>,
}

impl Extraction {
    /// A wrapper for batches of this schema.
    ///
    /// # Errors
    ///
    /// A column is missing or of another type, two columns of the result have the same name, or the wrapper cannot be run.
    pub fn new(wrapper: &Wrapper, pages: &Schema, settings: &ExtractionSettings) -> Result<Extraction, ColumnsError> {
        let runner = wrapper.runner().map_err(ColumnsError::Wrapper)?;
        let columns = Columns::find(&settings.pages, pages)?;
        let carry = settings.carry.iter().map(|name| place(pages, name));
        let carry = carry.collect::<Result<Vec<usize>, ColumnsError>>()?;
        let spec = SinkSpec {
            no_meta: !settings.meta,
            ..SinkSpec::default()
        };
        let kind = wrapper.sink_type();
        let batches = Batches::new(std::slice::from_ref(&kind), &spec);
        let mut fields: Vec<Arc<Field>> = carry.iter().map(|at| Arc::clone(&pages.fields()[*at])).collect();
        fields.extend(batches.schema().fields().iter().cloned());
        if let Some(name) = &settings.error {
            fields.push(Arc::new(Field::new(name, DataType::Utf8, true)));
        }
        let twice = (1..fields.len()).find(|at| fields[..*at].iter().any(|field| field.name() == fields[*at].name()));
        if let Some(at) = twice {
            return Err(ColumnsError::Twice(fields[at].name().clone()));
        }
        Ok(Extraction {
            kind: wrapper.given.as_ref().map(|_| runner.record_type().clone()),
            runner,
            name: kind.name,
            columns,
            carry,
            settings: settings.clone(),
            batches,
            schema: Arc::new(Schema::new(fields.into_iter().collect::<Fields>())),
            failures: Failures::default(),
        })
    }

    /// The schema of the result.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// What was done so far.
    pub fn failures(&self) -> &Failures {
        &self.failures
    }

    /// The records of a batch of pages, in their order: none, one or several batches.
    ///
    /// # Errors
    ///
    /// The charset of the settings is unknown, the system starts no thread, or the job was stopped.
    pub fn batch(&mut self, batch: &RecordBatch, job: &Job) -> Result<Vec<RecordBatch>, ColumnsError> {
        let group = GROUP.saturating_mul(self.settings.extract.jobs.max(1));
        let (mut made, mut rows) = (Vec::new(), Rows::default());
        for begin in (0..batch.num_rows()).step_by(group) {
            let end = batch.num_rows().min(begin + group);
            let (places, inputs): (Vec<usize>, Vec<_>) = self.columns.inputs(batch, begin..end).into_iter().unzip();
            let mut outcomes = Vec::with_capacity(inputs.len());
            let (runner, kind, settings) = (&self.runner, self.kind.as_ref(), &self.settings.extract);
            batch::each(runner, kind, &inputs, settings, job, &mut |outcome| {
                outcomes.push(outcome);
                true
            })
            .map_err(ColumnsError::Extract)?;
            if job.is_stopped() {
                return Err(ColumnsError::Stopped);
            }
            for (row, outcome) in places.into_iter().zip(outcomes) {
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                self.add(row, &outcome, batch, &mut rows, &mut made)?;
            }
        }
        if let Some(records) = self.batches.rest().map_err(ColumnsError::Record)? {
            made.push(self.whole(&records, batch, &mut rows)?);
        }
        Ok(made)
    }

    /// Adds what was found on a page.
    fn add(
        &mut self,
        row: u32,
        outcome: &Outcome,
        batch: &RecordBatch,
        rows: &mut Rows,
        made: &mut Vec<RecordBatch>,
    ) -> Result<(), ColumnsError> {
        self.failures.pages += 1;
        for record in outcome.records() {
            self.push(record, (row, None), batch, rows, made)?;
        }
        let Some(message) = failure(outcome) else {
            return Ok(());
        };
        self.failures.failed += 1;
        self.failures.first.get_or_insert_with(|| message.clone());
        if self.settings.error.is_some() {
            // Without values: its columns are null, its lists are empty.
            let empty = Record::new(&self.name, &outcome.page.as_str().into(), NodeId::DOCUMENT);
            self.push(&empty, (row, Some(message)), batch, rows, made)?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        record: &Record,
        (row, error): (u32, Option<String>),
        batch: &RecordBatch,
        rows: &mut Rows,
        made: &mut Vec<RecordBatch>,
    ) -> Result<(), ColumnsError> {
        let before = self.batches.tally().records;
        let is_failure = error.is_some();
        let full = self.batches.push(record).map_err(ColumnsError::Record)?;
        if self.batches.tally().records > before {
            rows.of.push(row);
            rows.errors.push(error);
            self.failures.records += u64::from(!is_failure);
        }
        if let Some(records) = full {
            made.push(self.whole(&records, batch, rows)?);
        }
        Ok(())
    }

    /// Records with the columns of their pages.
    fn whole(&self, records: &RecordBatch, batch: &RecordBatch, rows: &mut Rows) -> Result<RecordBatch, ColumnsError> {
        let Rows { of, errors } = std::mem::take(rows);
        let of = UInt32Array::from(of);
        let carried = self.carry.iter().map(|at| take(batch.column(*at), &of, None));
        let mut columns = carried.collect::<Result<Vec<ArrayRef>, _>>()?;
        columns.extend(records.columns().iter().cloned());
        if self.settings.error.is_some() {
            columns.push(Arc::new(StringArray::from(errors)));
        }
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }
}

/// Why a page cannot be used as it should, in words.
fn failure(outcome: &Outcome) -> Option<String> {
    if let Err(error) = &outcome.found {
        return Some(error.to_string());
    }
    let trouble = outcome.troubles.iter().find(|trouble| match trouble {
        Trouble::Unread(_) | Trouble::OtherKind { .. } | Trouble::End { .. } => true,
        // Nothing is missing, or the record says so itself.
        Trouble::Joined { .. } | Trouble::Misfit { .. } | Trouble::Lacking(_) => false,
    });
    trouble.map(ToString::to_string)
}

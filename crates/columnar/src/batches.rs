//! Records as Arrow record batches in memory, for programs that take them without a file in between.

use crate::frame::Frame;
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use record::{Record, RecordType, SinkSpec, Tally};
use std::io;
use std::sync::Arc;

/// Turns records into Arrow record batches, as the sinks for Parquet and Arrow do.
///
/// ```
/// use columnar::Batches;
/// use record::{Record, RecordType, SinkSpec};
/// let book = RecordType::flat("book", ["title"]);
/// let mut batches = Batches::new(&[book], &SinkSpec { no_meta: true, ..SinkSpec::default() });
/// let (page, node) = ("a.html".into(), page::NodeId::DOCUMENT);
/// let mut record = Record::new("book", &page, node);
/// record.children.push(Record::leaf("title", "Kelp", &page, node));
/// assert!(batches.push(&record)?.is_none(), "a batch is larger than that");
/// let last = batches.rest()?.expect("a batch");
/// assert_eq!((last.num_rows(), last.schema()), (1, batches.schema()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Batches {
    frame: Frame,
}

impl Batches {
    /// Batches for records of these types.
    pub fn new(types: &[RecordType], spec: &SinkSpec) -> Batches {
        Batches {
            frame: Frame::new(types, spec),
        }
    }

    /// Sets the values that the following records were made with. The first call decides which columns there are.
    pub fn bind(&mut self, bindings: &[(String, String)]) {
        self.frame.bind(bindings);
    }

    /// The schema of all batches.
    pub fn schema(&self) -> Arc<Schema> {
        self.frame.schema()
    }

    /// Adds a record; gives a batch if that makes it full.
    ///
    /// # Errors
    ///
    /// The record has something that its type does not have, or a value does not fit and that is an error.
    pub fn push(&mut self, record: &Record) -> io::Result<Option<RecordBatch>> {
        self.frame.push(record)?;
        match self.frame.is_full() {
            true => self.frame.take().map(Some),
            false => Ok(None),
        }
    }

    /// The records that are in no batch yet.
    ///
    /// # Errors
    ///
    /// Arrow refuses them: a single record is larger than 2 GB.
    pub fn rest(&mut self) -> io::Result<Option<RecordBatch>> {
        match self.frame.is_empty() {
            true => Ok(None),
            false => self.frame.take().map(Some),
        }
    }

    /// What was done so far.
    pub fn tally(&self) -> &Tally {
        self.frame.tally()
    }
}

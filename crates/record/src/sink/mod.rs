//! Writes records as text: lines of JSON, one XML document, or a table.
//!
//! A sink writes each top-level record as it comes, in one piece, and keeps none. So output streams however long a run
//! is, and a killed run has written only whole records. What a record looks like depends only on its [`RecordType`].

mod csv;
mod ndjson;
mod xml;

use crate::{Content, Record, RecordType};
use std::fmt;
use std::io::{self, Write};

/// How records are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SinkSpec {
    /// The format.
    pub format: Format,
    /// Leave out the keys `_record` and `_page`.
    pub no_meta: bool,
    /// Make table rows of these nested records, named by their path (`review`, `review.reply`), instead of top-level
    /// records.
    pub rows: Option<String>,
    /// Put a `'` before table cells that a spreadsheet would run as a formula.
    pub safe_csv: bool,
}

/// A format of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A JSON object on each line.
    #[default]
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// One XML document.
    Xml,
}

impl SinkSpec {
    /// Opens a sink for records of these types.
    ///
    /// ```
    /// use record::{Record, RecordType, SinkSpec};
    /// let book = RecordType::flat("book", ["title"]);
    /// let mut out = Vec::new();
    /// let spec = SinkSpec { no_meta: true, ..SinkSpec::default() };
    /// let mut sink = spec.open(&[book], &mut out)?;
    /// let (page, node) = ("a.html".into(), page::NodeId::DOCUMENT);
    /// let mut record = Record::new("book", &page, node);
    /// record.children.push(Record::leaf("title", "Kelp", &page, node));
    /// sink.record(&record)?;
    /// sink.finish()?;
    /// drop(sink);
    /// assert_eq!(out, b"{\"title\":\"Kelp\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No type has the nested records that should become rows.
    pub fn open<'w>(&self, types: &[RecordType], out: impl Write + 'w) -> Result<Box<dyn Sink + 'w>, NoSuchRows> {
        self.check(types)?;
        Ok(match self.format {
            Format::Ndjson => Box::new(ndjson::Ndjson::new(out, types, self.no_meta)),
            Format::Csv => Box::new(csv::Csv::new(out, types, self)),
            Format::Xml => Box::new(xml::Xml::new(out, types)),
        })
    }

    /// Checks whether records of these types can be written like this. The rows are checked whatever the format is.
    ///
    /// # Errors
    ///
    /// As [`SinkSpec::open`].
    pub fn check(&self, types: &[RecordType]) -> Result<(), NoSuchRows> {
        match &self.rows {
            Some(path) => csv::check_rows(types, path),
            None => Ok(()),
        }
    }
}

/// A destination for records.
pub trait Sink {
    /// Writes a top-level record.
    ///
    /// # Errors
    ///
    /// The writer fails, or the record contains something that its type does not have.
    fn record(&mut self, record: &Record) -> io::Result<()>;

    /// Sets the values that the following records were made with; they are written into these records.
    fn bindings(&mut self, bindings: &[(String, String)]);

    /// Writes what must come after the last record, and flushes.
    ///
    /// # Errors
    ///
    /// The writer fails.
    fn finish(&mut self) -> io::Result<()>;
}

/// No nested record has the path that was given for rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchRows {
    /// The path.
    pub path: String,
    /// The paths of the nested records that exist.
    pub there_are: Vec<String>,
}

impl fmt::Display for NoSuchRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are no nested records `{}`; ", self.path)?;
        match self.there_are.as_slice() {
            [] => f.write_str("the records have no nested records"),
            names => write!(f, "the records have: {}", names.join(", ")),
        }
    }
}

impl std::error::Error for NoSuchRows {}

/// The type of a record, by its name.
fn type_of<'t>(types: &'t [RecordType], record: &Record) -> io::Result<&'t RecordType> {
    let known = types.iter().find(|kind| kind.name == record.name);
    known.ok_or_else(|| unknown("record", &record.name))
}

/// The error for something that a type does not have.
fn unknown(what: &str, name: &str) -> io::Error {
    let text = format!("found a {what} `{name}`, which the type of the records does not have");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Is the type a single value, without fields?
fn is_value(kind: &RecordType) -> bool {
    matches!(kind.content, Content::Value(_))
}

/// What a sink writes for records.
#[cfg(test)]
fn written(spec: &SinkSpec, types: &[RecordType], records: &[Record]) -> String {
    let mut out = Vec::new();
    let mut sink = spec.open(types, &mut out).expect("rows that are there");
    for record in records {
        sink.record(record).expect("a vector takes all");
    }
    sink.finish().expect("a vector takes all");
    drop(sink);
    String::from_utf8(out).expect("text")
}

//! Writes records as text: JSON, one XML document, or a table.
//!
//! A sink writes each top-level record as it comes, in one piece, and keeps none. So output streams however long a run
//! is, and a killed run has written only whole records. What a record looks like depends only on its [`RecordType`].
//! Each record is one `write_all` to the writer, so a writer that takes pieces whole cuts no record.

mod csv;
mod ndjson;
mod xml;

use crate::{Content, OnMisfit, Record, RecordType, Tally};
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
    /// records (empty). If nothing is said, they are top-level records, or the nested ones if a record has nothing else.
    pub rows: Option<String>,
    /// Put a `'` before table cells that a spreadsheet would run as a formula.
    pub safe_csv: bool,
    /// Begin a table with the three bytes by which spreadsheets recognize UTF-8.
    pub bom: bool,
    /// What becomes of values that do not fit the sort of their field.
    pub on_misfit: OnMisfit,
    /// Go on after records that are there already: no header, no beginning of a document.
    pub continued: bool,
}

/// A format of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A JSON object on each line.
    #[default]
    Ndjson,
    /// One JSON array, with an object on each line.
    Json,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
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
            Format::Ndjson | Format::Json => Box::new(ndjson::Ndjson::new(out, types, self)),
            Format::Csv | Format::Tsv => Box::new(csv::Csv::new(out, types, self)),
            Format::Xml => Box::new(xml::Xml::new(out, types, self)),
        })
    }

    /// The first line of a table, without its line end; `None` for other formats. `bound` are the names of the values that
    /// runs are made with, if records contain them.
    ///
    /// ```
    /// use record::{Format, RecordType, SinkSpec};
    /// let spec = SinkSpec { format: Format::Csv, ..SinkSpec::default() };
    /// let book = RecordType::flat("book", ["title"]);
    /// assert_eq!(spec.header(&[book], &[]).as_deref(), Some("_record,_page,title"));
    /// ```
    pub fn header(&self, types: &[RecordType], bound: &[String]) -> Option<String> {
        match self.format {
            Format::Csv | Format::Tsv => Some(csv::header(types, self, bound)),
            _ => None,
        }
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

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It saw everything: a record that it did not find is gone.
    Complete,
    /// It came to its end, but did not see everything: pages failed, or a limit was reached.
    Gaps,
    /// It was stopped, or broke off.
    Broken,
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

    /// What was done so far.
    fn tally(&self) -> &Tally;

    /// How many of the records that were given to [`Sink::record`] the destination has, whatever happens next: they, and
    /// all that were left out before the last of them, need not be given again. A sink on a writer has handed them to the
    /// writer.
    fn flushed(&self) -> u64 {
        let tally = self.tally();
        tally.records + tally.dropped + tally.keyless
    }

    /// Concludes what follows from a run as a whole, after [`Sink::finish`]: makes it visible, marks records that are
    /// gone.
    ///
    /// # Errors
    ///
    /// The destination fails.
    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        let _ = ending;
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        (**self).record(record)
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        (**self).bindings(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        (**self).finish()
    }

    fn tally(&self) -> &Tally {
        (**self).tally()
    }

    fn flushed(&self) -> u64 {
        (**self).flushed()
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        (**self).settle(ending)
    }
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
pub(crate) fn unknown(what: &str, name: &str) -> io::Error {
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

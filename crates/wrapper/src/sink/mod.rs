//! Records as text: lines of JSON, one XML document, or a table.
//!
//! A sink writes each top-level record as it comes, in one piece, and keeps none, so output streams however long a run
//! is and what was written of a run that was killed is whole records.

mod csv;
mod ndjson;
mod xml;

pub use csv::{Csv, NoSuchRows};
pub use ndjson::Ndjson;
pub use xml::Xml;

use record::Record;
use std::io;

/// How records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// No keys of ours: `_record`, `_page`.
    pub no_meta: bool,
    /// Every field is an array, whatever the number of its values.
    pub arrays: bool,
}

/// Something that records are written to.
pub trait Sink {
    /// Writes a top-level record.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    fn record(&mut self, record: &Record) -> io::Result<()>;

    /// The values that the records from here on were made with, to be put into them.
    fn bindings(&mut self, bindings: &[(String, String)]);

    /// Writes what must stand behind the last record, and flushes.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    fn finish(&mut self) -> io::Result<()>;
}

#[cfg(test)]
fn node(name: &str, value: Option<&str>, children: Vec<Record>) -> Record {
    Record {
        name: name.to_owned(),
        value: value.map(str::to_owned),
        children,
        page: "http://x/".into(),
        node: page::NodeId::DOCUMENT,
    }
}

/// A book with a title, two tags and a review.
#[cfg(test)]
fn book() -> Record {
    let review = node("review", None, vec![node("by", Some("Ada"), Vec::new())]);
    node(
        "book",
        None,
        vec![
            node("title", Some("A \"B\" & C"), Vec::new()),
            node("tag", Some("1"), Vec::new()),
            review,
            node("tag", Some("2"), Vec::new()),
        ],
    )
}

/// What a sink makes of records.
#[cfg(test)]
fn written<'o>(out: &'o mut Vec<u8>, records: &[Record], sink: impl FnOnce(&'o mut Vec<u8>) -> Box<dyn Sink + 'o>) {
    let mut sink = sink(out);
    for record in records {
        sink.record(record).expect("a vector takes all");
    }
    sink.finish().expect("a vector takes all");
}

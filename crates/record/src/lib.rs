//! Records and their types: what wrappers give, and the formats in which it is written.
//!
//! A [`Record`] is a tree of named values. A [`RecordType`] says, before the first record, which fields there are, of
//! which sort, and how many values each has. [`SinkSpec::open`] writes records of a type as JSON, as a table or as XML;
//! [`Typing`] gives rows of typed cells, and [`RecordType::value`] the tree of typed values, for any other format.
//! [`values`] knows how numbers, prices and dates are written. Nothing here opens files.
//!
//! ```
//! use record::{Field, Record, RecordType, SinkSpec};
//!
//! let book = RecordType::new("book", vec![Field::text("title"), Field::texts("author")]);
//! let (page, node) = ("shop.html".into(), page::NodeId::DOCUMENT);
//! let mut record = Record::new("book", &page, node);
//! record.children.push(Record::leaf("title", "Kelp", &page, node));
//! record.children.push(Record::leaf("author", "Ada", &page, node));
//!
//! let mut out = Vec::new();
//! let mut sink = SinkSpec::default().open(&[book], &mut out)?;
//! sink.record(&record)?;
//! sink.finish()?;
//! drop(sink);
//! // One author is still a list: the type says that there may be several.
//! assert_eq!(out, br#"{"_record":"book","_page":"shop.html","title":"Kelp","author":["Ada"]}
//! "#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside;
mod choice;
mod fit;
mod record;
mod sink;
mod tables;
#[cfg(test)]
mod testing;
mod typed;
mod types;
mod value;
pub mod values;

pub use beside::NotBeside;
pub use choice::Choice;
pub use fit::{Misfit, pattern};
pub use record::Record;
pub use sink::{Ending, Format, NoSuchRows, Sink, SinkSpec};
pub use tables::{Column, Leaf, Row, Rows, Table};
pub use typed::{Cell, FieldMisfits, MISFIT, OnMisfit, Tally, Typing};
pub use types::{Cardinality, Content, Field, RecordType, Sort, VALUE, ValueType, XmlRoot, merge};
pub use value::Value;

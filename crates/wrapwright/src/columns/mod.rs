//! Pages in columns: batches of Arrow with a page in each row, for engines that have pages in tables.
//!
//! *Idea.* Spark, DuckDB, Polars and others keep pages in a column and exchange batches by Arrow's C interface. Here a batch
//! of pages goes in and batches of records come out ([`Extraction`]); a check looks at batches and gives what merges
//! ([`survey`]); and a WARC file is a stream of such batches ([`WarcBatches`]). No row becomes an object of another language
//! on the way.
//!
//! *Input*: a table with a column of texts or bytes, and perhaps columns with the address and the charset of each page
//! ([`PageColumns`]). *Output*: the same columns as a Parquet file of these records has, so records are the same as those of
//! [`extract`](crate::extract), value for value.
//!
//! *Cost*: buffers of pages are not copied. A few pages are parsed at a time; records wait for the end of their batch, or
//! until there are enough for a batch of their own.
//!
//! *Known limits*: the size of input batches is the engine's choice, and a batch is in memory as a whole.

mod archive;
mod extraction;
#[cfg(feature = "learn")]
mod survey;

pub use archive::{WarcBatches, WarcSettings, warc_schema};
pub use extraction::{Extraction, ExtractionSettings, Failures};
#[cfg(feature = "learn")]
pub use survey::survey;

use crate::batch::Input;
use crate::extract::ExtractError;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use std::fmt;
use std::ops::Range;
use wrapper::WrapperError;

/// The names of the columns that pages are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageColumns {
    /// The page, as text or as bytes.
    pub html: String,
    /// Its address. A table need not have this column.
    pub url: String,
    /// The charset that was declared with the bytes of a page. A table need not have this column.
    pub charset: String,
}

impl Default for PageColumns {
    fn default() -> PageColumns {
        PageColumns {
            html: "html".to_owned(),
            url: "url".to_owned(),
            charset: "content_charset".to_owned(),
        }
    }
}

/// Why batches cannot be worked on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColumnsError {
    /// The table does not have a column.
    Missing {
        /// Its name.
        name: String,
        /// The columns that it has.
        found: Vec<String>,
    },
    /// A column does not have pages.
    NotPages {
        /// Its name.
        name: String,
        /// Its type.
        kind: String,
    },
    /// Two columns of the result have this name.
    Twice(String),
    /// The wrapper cannot be run.
    Wrapper(WrapperError),
    /// Nothing can be extracted.
    Extract(ExtractError),
    /// A batch cannot be read or made.
    Arrow(ArrowError),
    /// A record cannot be put into a batch.
    Record(std::io::Error),
    /// The job was stopped.
    Stopped,
}

impl fmt::Display for ColumnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnsError::Missing { name, found } => {
                let found = found.join(", ");
                write!(f, "found a table with the columns {found}; expected {name}")
            }
            ColumnsError::NotPages { name, kind } => {
                write!(f, "the column {name} is of the type {kind}, expected texts or bytes")
            }
            ColumnsError::Twice(name) => write!(f, "the result would have two columns {name:?}, expected one"),
            ColumnsError::Wrapper(error) => error.fmt(f),
            ColumnsError::Extract(error) => error.fmt(f),
            ColumnsError::Arrow(error) => error.fmt(f),
            ColumnsError::Record(error) => error.fmt(f),
            ColumnsError::Stopped => f.write_str("the work was stopped"),
        }
    }
}

impl std::error::Error for ColumnsError {}

impl From<ArrowError> for ColumnsError {
    fn from(error: ArrowError) -> ColumnsError {
        ColumnsError::Arrow(error)
    }
}

/// Where pages are in the batches of a table.
#[derive(Clone, Debug)]
pub struct Columns {
    html: usize,
    url: Option<usize>,
    charset: Option<usize>,
    /// Pages so far; they name those that have no address.
    count: usize,
}

impl Columns {
    /// Finds the columns of a table.
    ///
    /// # Errors
    ///
    /// There is no column with pages, or it has something else.
    pub fn find(names: &PageColumns, schema: &Schema) -> Result<Columns, ColumnsError> {
        let html = place(schema, &names.html)?;
        let kind = schema.field(html).data_type();
        if !is_text(kind) && !is_bytes(kind) {
            return Err(ColumnsError::NotPages {
                name: names.html.clone(),
                kind: kind.to_string(),
            });
        }
        let text = |name: &str| {
            let at = place(schema, name).ok()?;
            is_text(schema.field(at).data_type()).then_some(at)
        };
        Ok(Columns {
            html,
            url: text(&names.url),
            charset: text(&names.charset),
            count: 0,
        })
    }

    /// The pages of some rows, each with the number of its row. Rows without a page are left out. Buffers are shared with the
    /// batch.
    pub fn inputs(&mut self, batch: &RecordBatch, rows: Range<usize>) -> Vec<(usize, Input)> {
        let html = batch.column(self.html);
        let text = |at: Option<usize>, row: usize| {
            let column = batch.column(at?);
            (!column.is_null(row)).then(|| text_of(column, row).to_owned())
        };
        let mut inputs = Vec::with_capacity(rows.len());
        for row in rows.filter(|row| !html.is_null(*row)) {
            self.count += 1;
            let url = text(self.url, row);
            let name = url.clone().unwrap_or_else(|| format!("page-{}", self.count));
            let shared = Shared {
                column: ArrayRef::clone(html),
                row,
            };
            inputs.push((
                row,
                match is_text(html.data_type()) {
                    true => Input::text(name, url, shared),
                    false => Input::bytes(name, url, text(self.charset, row), shared),
                },
            ));
        }
        inputs
    }
}

/// The number of a column.
fn place(schema: &Schema, name: &str) -> Result<usize, ColumnsError> {
    let fields = schema.fields();
    fields.iter().position(|field| field.name() == name).ok_or_else(|| {
        let found = fields.iter().map(|field| field.name().clone()).collect();
        let name = name.to_owned();
        ColumnsError::Missing { name, found }
    })
}

/// A text or some bytes of a column.
struct Shared {
    column: ArrayRef,
    row: usize,
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        let (column, row) = (&self.column, self.row);
        match column.data_type() {
            DataType::Binary => column.as_binary::<i32>().value(row),
            DataType::LargeBinary => column.as_binary::<i64>().value(row),
            DataType::BinaryView => column.as_binary_view().value(row),
            _ => text_of(column, row).as_bytes(),
        }
    }
}

impl AsRef<str> for Shared {
    fn as_ref(&self) -> &str {
        text_of(&self.column, self.row)
    }
}

/// A text; empty in a column of something else.
fn text_of(column: &ArrayRef, row: usize) -> &str {
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row),
        DataType::Utf8View => column.as_string_view().value(row),
        _ => "",
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_bytes(kind: &DataType) -> bool {
    matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

#[cfg(test)]
mod tests;

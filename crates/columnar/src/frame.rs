//! Rows of cells as Arrow record batches.
//!
//! Rows are collected up to a number or a size and turned into columns, field by field: the cells of a list are laid end to
//! end with their offsets, the cells of nested records become a struct of columns. **Cost**: linear in the cells; memory is
//! that of one batch. A batch has at most [`ROWS`] rows and about [`BYTES`] bytes of text, so the 32-bit offsets of Arrow are
//! enough as long as a single record is below 2 GB; a larger one is refused by Arrow with an error.
//!
//! Records of several types share a batch: each type is a struct of its own, which is null in the rows of the others.

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Fields, Schema, TimeUnit};
use record::{Cardinality, Cell, Content, Field, Record, RecordType, SinkSpec, Sort, Tally, Typing};
use std::io;
use std::sync::Arc;

/// The most rows of a batch.
const ROWS: usize = 8192;

/// A batch with this many bytes of text is full.
const BYTES: usize = 8 << 20;

/// Collects rows into batches.
pub(crate) struct Frame {
    typing: Typing,
    rows: Vec<Vec<Cell>>,
    bytes: usize,
}

impl Frame {
    pub(crate) fn new(types: &[RecordType], spec: &SinkSpec) -> Frame {
        Frame {
            typing: Typing::new(types, spec),
            rows: Vec::new(),
            bytes: 0,
        }
    }

    pub(crate) fn bind(&mut self, bindings: &[(String, String)]) {
        self.typing.bind(bindings);
    }

    pub(crate) fn tally(&self) -> &Tally {
        self.typing.tally()
    }

    /// Adds a record, unless it is left out.
    pub(crate) fn push(&mut self, record: &Record) -> io::Result<()> {
        let Some((at, mut cells)) = self.typing.row(record)? else {
            return Ok(());
        };
        let count = self.typing.types().len();
        if count > 1 {
            let own = cells.split_off(self.typing.columns_before());
            cells.extend((0..at).map(|_| Cell::Null));
            cells.push(Cell::Record(own));
            cells.extend((at + 1..count).map(|_| Cell::Null));
        }
        self.bytes += cells.iter().map(size).sum::<usize>();
        self.rows.push(cells);
        self.typing.tally_mut().records += 1;
        Ok(())
    }

    /// Counts a record as one that was written.
    pub(crate) fn skip(&mut self, record: &Record) -> io::Result<()> {
        if self.typing.row(record)?.is_some() {
            self.typing.tally_mut().records += 1;
        }
        Ok(())
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= ROWS || self.bytes >= BYTES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The fields of the columns.
    fn fields(&self) -> Vec<Field> {
        let types = self.typing.types();
        if let [kind] = types {
            return kind.fields().to_vec();
        }
        let before = self.typing.columns_before();
        let mut fields: Vec<Field> = types
            .first()
            .map(|kind| kind.fields()[..before].to_vec())
            .unwrap_or_default();
        for kind in types {
            let own = Content::Record(kind.fields()[before..].to_vec());
            fields.push(Field::new(&kind.name, Cardinality::Optional, own));
        }
        fields
    }

    /// The schema of all batches.
    pub(crate) fn schema(&self) -> Arc<Schema> {
        Arc::new(Schema::new(self.fields().iter().map(arrow_field).collect::<Fields>()))
    }

    /// The rows collected so far as a batch.
    pub(crate) fn take(&mut self) -> io::Result<RecordBatch> {
        let fields = self.fields();
        let mut columns: Vec<Vec<&Cell>> = vec![Vec::with_capacity(self.rows.len()); fields.len()];
        for row in &self.rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.push(cell);
            }
        }
        let arrays: Result<Vec<ArrayRef>, ArrowError> = fields
            .iter()
            .zip(&columns)
            .map(|(field, cells)| array(field, cells))
            .collect();
        let batch = arrays.and_then(|arrays| RecordBatch::try_new(self.schema(), arrays));
        let batch = batch.map_err(from_arrow)?;
        self.rows.clear();
        self.bytes = 0;
        Ok(batch)
    }
}

/// An error of Arrow, as sinks have them. The system's own errors keep their kind.
pub(crate) fn from_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}

/// About how many bytes a cell takes.
fn size(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len() + 8,
        Cell::List(cells) | Cell::Record(cells) => 8 + cells.iter().map(size).sum::<usize>(),
        _ => 8,
    }
}

/// A field as Arrow has it. A list is never null: without values it is empty.
fn arrow_field(field: &Field) -> ArrowField {
    let one = content_type(&field.content);
    match field.cardinality.may_repeat() {
        true => ArrowField::new(&field.name, DataType::List(item(one)), false),
        false => ArrowField::new(&field.name, one, true),
    }
}

fn item(of: DataType) -> Arc<ArrowField> {
    Arc::new(ArrowField::new("item", of, true))
}

fn content_type(content: &Content) -> DataType {
    match content {
        Content::Record(fields) => DataType::Struct(fields.iter().map(arrow_field).collect()),
        Content::Value(kind) => match kind.sort {
            Sort::Integer => DataType::Int64,
            Sort::Decimal => DataType::Float64,
            Sort::Boolean => DataType::Boolean,
            Sort::Date => DataType::Date32,
            Sort::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
            _ => DataType::Utf8,
        },
    }
}

/// The column of a field.
fn array(field: &Field, cells: &[&Cell]) -> Result<ArrayRef, ArrowError> {
    if !field.cardinality.may_repeat() {
        return single(&field.content, cells);
    }
    let lists: Vec<&[Cell]> = cells
        .iter()
        .map(|cell| match cell {
            Cell::List(list) => list.as_slice(),
            _ => &[],
        })
        .collect();
    let inside: Vec<&Cell> = lists.iter().flat_map(|list| list.iter()).collect();
    let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.len()));
    let values = single(&field.content, &inside)?;
    let list = ListArray::try_new(item(content_type(&field.content)), offsets, values, None)?;
    Ok(Arc::new(list))
}

/// A column of single values.
fn single(content: &Content, cells: &[&Cell]) -> Result<ArrayRef, ArrowError> {
    let kind = match content {
        Content::Record(fields) => return nested(fields, cells),
        Content::Value(kind) => kind,
    };
    let cells = cells.iter();
    Ok(match kind.sort {
        Sort::Integer => Arc::new(Int64Array::from_iter(cells.map(|cell| match cell {
            Cell::Integer(number) => Some(*number),
            _ => None,
        }))),
        Sort::Decimal => Arc::new(Float64Array::from_iter(cells.map(|cell| match cell {
            Cell::Decimal(number) => Some(number.to_f64()),
            _ => None,
        }))),
        Sort::Boolean => Arc::new(BooleanArray::from_iter(cells.map(|cell| match cell {
            Cell::Boolean(truth) => Some(*truth),
            _ => None,
        }))),
        Sort::Date => Arc::new(Date32Array::from_iter(cells.map(|cell| match cell {
            Cell::Date(date) => Some(date.days()),
            _ => None,
        }))),
        Sort::Timestamp => Arc::new(TimestampMicrosecondArray::from_iter(cells.map(|cell| match cell {
            Cell::Timestamp(moment) => Some(moment.micros()),
            _ => None,
        }))),
        _ => Arc::new(StringArray::from_iter(cells.map(|cell| match cell {
            Cell::Text(text) => Some(text.as_str()),
            _ => None,
        }))),
    })
}

/// A column of nested records.
fn nested(fields: &[Field], cells: &[&Cell]) -> Result<ArrayRef, ArrowError> {
    const NULL: &Cell = &Cell::Null;
    let is_there: Vec<bool> = cells.iter().map(|cell| matches!(cell, Cell::Record(_))).collect();
    let arrays: Result<Vec<ArrayRef>, ArrowError> = fields
        .iter()
        .enumerate()
        .map(|(at, field)| {
            let inside: Vec<&Cell> = cells
                .iter()
                .map(|cell| match cell {
                    Cell::Record(cells) => cells.get(at).unwrap_or(NULL),
                    _ => NULL,
                })
                .collect();
            array(field, &inside)
        })
        .collect();
    let fields: Fields = fields.iter().map(arrow_field).collect();
    let nulls = is_there.contains(&false).then(|| NullBuffer::from(is_there));
    Ok(Arc::new(StructArray::try_new(fields, arrays?, nulls)?))
}

//! Pages from tables of other programs, by the Arrow PyCapsule interface: anything with `__arrow_c_stream__`.
//!
//! The table has a column `html` of texts or bytes, and may have a column `url`. Batches are taken as they are needed and
//! their buffers are not copied. This is the one file with `unsafe`, because the interface is a pointer to a C structure.

use crate::errors;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use wrapwright::batch::Input;

/// A stream of batches with pages.
pub(crate) struct Stream {
    reader: RecordBatchStreamReader,
    html: usize,
    url: Option<usize>,
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
            _ => AsRef::<str>::as_ref(self).as_bytes(),
        }
    }
}

impl AsRef<str> for Shared {
    fn as_ref(&self) -> &str {
        let (column, row) = (&self.column, self.row);
        match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value(row),
            DataType::LargeUtf8 => column.as_string::<i64>().value(row),
            DataType::Utf8View => column.as_string_view().value(row),
            _ => "",
        }
    }
}

/// Takes the stream out of its capsule.
#[expect(unsafe_code, reason = "the interface is a pointer to a C structure")]
fn taken(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name has, by the interface, a pointer to a valid `ArrowArrayStream`, which was checked to
    // be named so and is not null. `from_raw` moves the structure out and leaves a released one in its place, so the
    // destructor of the capsule finds nothing to release. Python's lock is held, so nobody else takes it meanwhile.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) })
}

impl Stream {
    /// The pages of a table of another program.
    pub(crate) fn new(table: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let capsule = table.call_method0("__arrow_c_stream__")?;
        let reader = RecordBatchStreamReader::try_new(taken(capsule.cast::<PyCapsule>()?)?);
        let reader = reader.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let schema = reader.schema();
        let place = |name: &str| schema.fields().iter().position(|field| field.name() == name);
        let html = place("html").ok_or_else(|| {
            let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            let names = names.join(", ");
            PyValueError::new_err(format!(
                "found a table with the columns {names}; expected html, and perhaps url"
            ))
        })?;
        let kind = schema.field(html).data_type();
        if !is_text(kind) && !is_bytes(kind) {
            let message = format!("the column html is of the type {kind}, expected texts or bytes");
            return Err(PyValueError::new_err(message));
        }
        let url = place("url").filter(|at| is_text(schema.field(*at).data_type()));
        Ok(Stream { reader, html, url })
    }

    /// The pages of the next batch; none at the end. Rows without a page are left out.
    pub(crate) fn next(&mut self, py: Python<'_>, count: &mut usize) -> PyResult<Option<Vec<Input>>> {
        // Without Python's lock: whoever makes the batches may need it on another thread.
        let batch = py.detach(|| self.reader.next());
        let Some(batch) = batch else { return Ok(None) };
        let batch: RecordBatch = batch.map_err(|error| errors::error(py, "PageError", error, None))?;
        let html = batch.column(self.html);
        let mut inputs = Vec::with_capacity(batch.num_rows());
        for row in (0..batch.num_rows()).filter(|row| !html.is_null(*row)) {
            *count += 1;
            let shared = |at: usize| Shared {
                column: ArrayRef::clone(batch.column(at)),
                row,
            };
            let url = self.url.filter(|at| !batch.column(*at).is_null(row));
            let url = url.map(|at| AsRef::<str>::as_ref(&shared(at)).to_owned());
            let name = url.clone().unwrap_or_else(|| format!("page-{count}"));
            inputs.push(match is_text(html.data_type()) {
                true => Input::text(name, url, shared(self.html)),
                false => Input::bytes(name, url, None, shared(self.html)),
            });
        }
        Ok(Some(inputs))
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_bytes(kind: &DataType) -> bool {
    matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

//! Tables of other programs, by the Arrow PyCapsule interface: anything with `__arrow_c_stream__`.
//!
//! Batches are taken as they are needed and their buffers are not copied. This is the one file with `unsafe`, because the
//! interface is a pointer to a C structure.

use crate::errors;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use wrapwright::batch::Input;
use wrapwright::columns::{Columns, ColumnsError, PageColumns};

/// A stream of batches with pages.
pub(crate) struct Stream {
    reader: RecordBatchStreamReader,
    columns: Columns,
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

/// The batches of a table of another program.
pub(crate) fn reader(table: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let reader = RecordBatchStreamReader::try_new(taken(capsule.cast::<PyCapsule>()?)?);
    reader.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A mistake in the columns of a table is a `ValueError`.
pub(crate) fn mistake(py: Python<'_>, error: &ColumnsError) -> PyErr {
    match error {
        ColumnsError::Wrapper(error) => errors::error(py, "WrapperError", error, None),
        ColumnsError::Extract(error) => errors::extract(py, error),
        _ => PyValueError::new_err(error.to_string()),
    }
}

impl Stream {
    /// The pages of a table of another program.
    pub(crate) fn new(table: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let reader = reader(table)?;
        let columns = Columns::find(&PageColumns::default(), &reader.schema());
        let columns = columns.map_err(|error| mistake(table.py(), &error))?;
        Ok(Stream { reader, columns })
    }

    /// The pages of the next batch; none at the end. Rows without a page are left out.
    pub(crate) fn next(&mut self, py: Python<'_>, count: &mut usize) -> PyResult<Option<Vec<Input>>> {
        // Without Python's lock: whoever makes the batches may need it on another thread.
        let batch = py.detach(|| self.reader.next());
        let Some(batch) = batch else { return Ok(None) };
        let batch = batch.map_err(|error| errors::error(py, "PageError", error, None))?;
        let inputs: Vec<Input> = self
            .columns
            .inputs(&batch, 0..batch.num_rows())
            .into_iter()
            .map(|(_, input)| input)
            .collect();
        *count += inputs.len();
        Ok(Some(inputs))
    }
}

//! A check over batches of pages.

use super::{Columns, ColumnsError, PageColumns};
use crate::extract::ExtractSettings;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use page::Job;
use tend::{Findings, Survey};
use wrapper::Wrapper;

/// How many names of pages may wait to be forgotten.
const NAMES: usize = 10 * tend::NAMED;

/// What a check finds on the pages of batches. It merges with what is found on others; see
/// [`judge`](crate::tend::judge). Pages that cannot be read are counted.
///
/// # Errors
///
/// A column is missing or of another type, the wrapper cannot be run, a batch cannot be read, or the job was stopped.
pub fn survey(
    wrapper: &Wrapper,
    schema: &Schema,
    batches: &mut dyn Iterator<Item = Result<RecordBatch, ArrowError>>,
    pages: &PageColumns,
    settings: &ExtractSettings,
    job: &Job,
) -> Result<Findings, ColumnsError> {
    let mut columns = Columns::find(pages, schema)?;
    let mut survey = Survey::new(wrapper).map_err(ColumnsError::Wrapper)?;
    let with_source = wrapper.runner().map_err(ColumnsError::Wrapper)?.reads_source();
    for batch in batches {
        let batch = batch?;
        for row in 0..batch.num_rows() {
            if job.is_stopped() {
                return Err(ColumnsError::Stopped);
            }
            for (_, input) in columns.inputs(&batch, row..row + 1) {
                match input.document(&settings.page, with_source) {
                    Ok(document) => drop(survey.add(&document)),
                    Err(error) => survey.add_unread(&error.to_string()),
                }
            }
            if survey.pages() > NAMES {
                survey.forget();
            }
        }
    }
    Ok(survey.findings())
}

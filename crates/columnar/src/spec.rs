//! What a user can ask of tables and part files, whichever of them are compiled in.

use crate::Resume;
use std::time::Duration;

/// How tables are written.
#[derive(Clone, Debug, Default)]
pub struct TableSpec {
    /// The name of the table; without one, tables are named after the types of the records.
    pub table: Option<String>,
    /// The fields by which a record is recognized; none if every record is a new row.
    pub key: Vec<String>,
    /// Mark records that a complete run did not find? Only with a key.
    pub mark_gone: bool,
    /// Make a run visible all at once, at its end?
    pub publish: bool,
    /// Remove the rows that are there, when the run becomes visible?
    pub replace: bool,
    /// What becomes of fields that a table does not have.
    pub on_new_field: OnNewField,
    /// The name of the run.
    pub run: String,
    /// The time of the run, by ISO 8601: `2026-11-16T10:00:00Z`.
    pub now: String,
    /// Go on after the records of this run that are there? The database then has a table `_wrapwright_runs`.
    pub resume: Option<Resume>,
}

/// What becomes of fields that an existing table does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnNewField {
    /// The table gets a column.
    #[default]
    Evolve,
    /// Nothing is written, and the error names the fields.
    Freeze,
    /// Their values are left out.
    Drop,
}

/// When a part is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartLimits {
    /// At this many bytes.
    pub bytes: u64,
    /// After this time, with the next record.
    pub interval: Duration,
}

impl Default for PartLimits {
    /// 128 MB, or ten minutes.
    fn default() -> PartLimits {
        PartLimits {
            bytes: 128 << 20,
            interval: Duration::from_secs(600),
        }
    }
}

//! What may be wrong with a history, and what to do about it.

use super::store::VERSION;
use rusqlite::ErrorCode;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// What is wrong with a history: the file and the trouble; [`HistoryError::hint`] says what to do.
#[derive(Debug)]
pub struct HistoryError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub trouble: Trouble,
}

/// What may be wrong with a history.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// There is none yet.
    Missing,
    /// The file is no SQLite database.
    NoDatabase,
    /// The file is an SQLite database of something else.
    NoHistory,
    /// The file has a form that this program does not know yet.
    Newer(i64),
    /// Another process is writing and does not end.
    Locked,
    /// The file, or the directory that it is in, cannot be written to.
    ReadOnly,
    /// There is no room on the disk.
    Full,
    /// Something in the file cannot be.
    Damaged(String),
    /// Anything else, in the words of the system.
    Other(String),
}

/// What an error of SQLite means for a history.
pub(super) fn failure(path: &Path, error: rusqlite::Error) -> HistoryError {
    let words = match &error {
        rusqlite::Error::SqliteFailure(_, Some(words)) => words.clone(),
        other => other.to_string(),
    };
    let trouble = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Trouble::NoDatabase,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Trouble::Locked,
        Some(ErrorCode::ReadOnly) => Trouble::ReadOnly,
        Some(ErrorCode::DiskFull) => Trouble::Full,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::ConstraintViolation) => Trouble::Damaged(words),
        Some(ErrorCode::CannotOpen) => unopened(path),
        Some(_) => Trouble::Other(words),
        // Anything else is about a value that does not fit its column.
        None => match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, cause) => Trouble::Damaged(cause.to_string()),
            _ => Trouble::Damaged(words),
        },
    };
    HistoryError {
        path: path.to_owned(),
        trouble,
    }
}

/// Why a file, or the journal beside it, cannot be opened.
fn unopened(path: &Path) -> Trouble {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
        return Trouble::Other(format!("there is no directory {}", parent.display()));
    }
    match File::open(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Trouble::Other(error.to_string()),
        _ => Trouble::ReadOnly,
    }
}

impl HistoryError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match &self.trouble {
            Trouble::Missing => "`wrapwright watch` makes one: it adds a line for each run",
            Trouble::NoDatabase | Trouble::NoHistory => {
                "the file was left as it is; move it away, and the next `wrapwright watch` begins a history there"
            }
            Trouble::Newer(_) => "a newer release of wrapwright reads it",
            Trouble::Locked => "look for another `wrapwright watch`, or a program that has the file open, and try again",
            Trouble::ReadOnly => "the file and the directory that it is in must be writable: see their owner and permissions",
            Trouble::Full => "make room on the disk; what was in the history is in it still",
            Trouble::Damaged(_) => {
                "move the file away, and the next `wrapwright watch` begins a new one; `sqlite3 FILE .recover` gets out \
                 what can be had"
            }
            Trouble::Other(_) => "see that the file can be read and written, and try again",
        }
        .to_owned()
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.trouble {
            Trouble::Missing => write!(f, "there is no history yet"),
            Trouble::NoDatabase => write!(f, "found a file that is no SQLite database, expected a history"),
            Trouble::NoHistory => write!(f, "found an SQLite database of something else, expected a history"),
            Trouble::Newer(version) => write!(f, "found a history of form {version}, expected form {VERSION}"),
            Trouble::Locked => write!(f, "another process keeps the history locked"),
            Trouble::ReadOnly => write!(f, "the history cannot be written to"),
            Trouble::Full => write!(f, "there is no room on the disk for the history"),
            Trouble::Damaged(words) => write!(f, "the history is damaged: {words}"),
            Trouble::Other(words) => write!(f, "the history cannot be had: {words}"),
        }
    }
}

impl std::error::Error for HistoryError {}

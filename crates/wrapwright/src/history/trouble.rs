//! What can be wrong with a history, and what to do about it.

use super::store::VERSION;
use page::Remedy;
use rusqlite::ErrorCode;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// What is wrong with a history: the file and the problem; [`HistoryError::remedy`] says what to do.
#[derive(Debug)]
pub struct HistoryError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub trouble: Trouble,
    /// The error of SQLite or of the system that caused it.
    cause: Option<Box<dyn Error + Send + Sync>>,
}

/// What can be wrong with a history.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// There is no history yet.
    Missing,
    /// The file is not an SQLite database.
    NoDatabase,
    /// The file is an SQLite database of something else.
    NoHistory,
    /// A newer version of the program wrote the file.
    Newer(i64),
    /// Another process is writing and does not finish.
    Locked,
    /// The file or its directory cannot be written to.
    ReadOnly,
    /// The disk is full.
    Full,
    /// The file is damaged; the text says how.
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
        // Any other error is about a value that does not fit its column.
        None => match &error {
            rusqlite::Error::FromSqlConversionFailure(_, _, cause) => Trouble::Damaged(cause.to_string()),
            _ => Trouble::Damaged(words),
        },
    };
    HistoryError {
        cause: Some(error.into()),
        ..HistoryError::new(path, trouble)
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
    pub(super) fn new(path: &Path, trouble: Trouble) -> HistoryError {
        HistoryError {
            path: path.to_owned(),
            trouble,
            cause: None,
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> Remedy {
        match &self.trouble {
            Trouble::Missing => Remedy::StartHistory,
            Trouble::NoDatabase | Trouble::NoHistory => Remedy::ReplaceHistory,
            Trouble::Newer(_) => "a newer release of wrapwright reads it".into(),
            Trouble::Locked => {
                "look for another process that watches this wrapper or has the file open, and try again".into()
            }
            Trouble::ReadOnly => {
                "the file and its directory must be writable: check their owner and permissions".into()
            }
            Trouble::Full => "make room on the disk; the history up to now is kept".into(),
            Trouble::Damaged(_) => "move the file away, and the next watched run starts a new one; `sqlite3 FILE \
                                    .recover` saves what can still be read"
                .into(),
            Trouble::Other(_) => "check that the file can be read and written, and try again".into(),
        }
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.trouble {
            Trouble::Missing => write!(f, "there is no history yet"),
            Trouble::NoDatabase => write!(f, "found a file that is not an SQLite database, expected a history"),
            Trouble::NoHistory => write!(f, "found an SQLite database of something else, expected a history"),
            Trouble::Newer(version) => write!(f, "found a history of form {version}, expected form {VERSION}"),
            Trouble::Locked => write!(f, "another process keeps the history locked"),
            Trouble::ReadOnly => write!(f, "the history cannot be written to"),
            Trouble::Full => write!(f, "there is no room on the disk for the history"),
            Trouble::Damaged(words) => write!(f, "the history is damaged: {words}"),
            Trouble::Other(words) => write!(f, "the history cannot be read or written: {words}"),
        }
    }
}

impl Error for HistoryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

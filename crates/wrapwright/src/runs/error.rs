//! Why a run cannot be kept or resumed.

use crate::Remedy;
use browse::TapeError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot be kept or resumed.
#[derive(Debug)]
pub struct KeptError {
    /// The directory of the run.
    pub folder: PathBuf,
    /// What is wrong.
    pub problem: KeptProblem,
}

/// What is wrong with the directory of a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeptProblem {
    /// It has no run.
    Missing,
    /// It has a run already.
    Exists {
        /// Did that run come to its end?
        ended: bool,
    },
    /// The run came to its end.
    Ended,
    /// Another process works on the run.
    Busy,
    /// The expression or the wrapper is not the one that the run began with.
    Changed,
    /// It was made by a later version of this program, or is not the directory of a run.
    Strange(String),
    /// The system refuses.
    Io(io::Error),
    /// The recording cannot be read or written.
    Recording(TapeError),
    /// The database cannot be read or written.
    Database(rusqlite::Error),
}

impl KeptProblem {
    pub(super) fn at(self, folder: &Path) -> KeptError {
        KeptError {
            folder: folder.to_owned(),
            problem: self,
        }
    }
}

impl KeptProblem {
    /// The problem as an error of the system, which says if the disk is full.
    pub(super) fn into_io(self) -> io::Error {
        let is_full = match &self {
            KeptProblem::Database(error) => error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull),
            _ => false,
        };
        match (is_full, self) {
            (true, problem) => io::Error::new(io::ErrorKind::StorageFull, problem),
            (false, KeptProblem::Io(error)) => error,
            (false, problem) => io::Error::other(problem),
        }
    }
}

impl KeptError {
    /// Is it a mistake of the user, and not the outside that fails?
    pub fn is_mistake(&self) -> bool {
        !matches!(
            self.problem,
            KeptProblem::Io(_) | KeptProblem::Recording(_) | KeptProblem::Database(_)
        )
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        let words = match &self.problem {
            KeptProblem::Missing => "name the directory that the run was begun in",
            KeptProblem::Exists { ended: true } => "choose another directory for the new run",
            KeptProblem::Exists { ended: false } => "resume that run, or choose another directory",
            KeptProblem::Busy => "wait until it ends",
            KeptProblem::Changed => "begin a new run in another directory",
            KeptProblem::Recording(error) => return error.remedy(),
            _ => return None,
        };
        Some(words.into())
    }
}

impl fmt::Display for KeptProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeptProblem::Missing => f.write_str("there is no run in this directory"),
            KeptProblem::Exists { ended: true } => f.write_str("this directory has a run, which has ended"),
            KeptProblem::Exists { ended: false } => f.write_str("this directory has a run, which has not ended"),
            KeptProblem::Ended => f.write_str("the run has ended; there is nothing to resume"),
            KeptProblem::Busy => f.write_str("another process works on this run"),
            KeptProblem::Changed => {
                f.write_str("the expression, its values or the wrapper are not those that the run began with")
            }
            KeptProblem::Strange(why) => f.write_str(why),
            KeptProblem::Io(error) => error.fmt(f),
            KeptProblem::Recording(error) => error.fmt(f),
            KeptProblem::Database(error) => write!(f, "the database of the run: {error}"),
        }
    }
}

impl std::error::Error for KeptProblem {}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.folder.display(), self.problem)
    }
}

impl std::error::Error for KeptError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            KeptProblem::Io(error) => Some(error),
            KeptProblem::Recording(error) => Some(error),
            KeptProblem::Database(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for KeptProblem {
    fn from(error: io::Error) -> KeptProblem {
        KeptProblem::Io(error)
    }
}

impl From<TapeError> for KeptProblem {
    fn from(error: TapeError) -> KeptProblem {
        KeptProblem::Recording(error)
    }
}

impl From<rusqlite::Error> for KeptProblem {
    fn from(error: rusqlite::Error) -> KeptProblem {
        KeptProblem::Database(error)
    }
}

impl From<serde_json::Error> for KeptProblem {
    fn from(error: serde_json::Error) -> KeptProblem {
        KeptProblem::Strange(format!("what the run was asked for cannot be read: {error}"))
    }
}

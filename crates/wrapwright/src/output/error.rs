//! Why records cannot be written, where, and what to do about it.

use crate::Remedy;
use crate::record::NoSuchRows;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why records cannot be written.
#[derive(Debug)]
pub struct OutputError {
    /// Where they should go: a file, a database without its password.
    pub place: String,
    /// What is wrong.
    pub problem: OutputProblem,
}

/// What is wrong with a place for records.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputProblem {
    /// The system, or the database, refuses.
    Io(io::Error),
    /// A run that did not end has left this file.
    Left(PathBuf),
    /// Another process writes this file.
    Busy(PathBuf),
    /// It is a directory, and the format needs a file.
    Directory,
    /// Nothing can be added to a file of this kind.
    NoAppending(&'static str),
    /// The file has other columns than the records, or is not what its ending says.
    Unlike {
        /// What was found there.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// No record has the nested records that should become rows.
    Rows(NoSuchRows),
    /// Only tables of a database can do this.
    NeedsTable(&'static str),
    /// This needs a key.
    NeedsKey(&'static str),
    /// A currency has no price to come from.
    Currency(record::NotBeside),
    /// These two things exclude each other.
    Together(&'static str, &'static str),
    /// What went to a pipe or to standard output is gone when a run is resumed.
    NotResumable,
    /// This program was compiled without it.
    NotBuilt(&'static str),
}

impl OutputError {
    /// Is it a mistake of the user, and not the outside that fails?
    pub fn is_mistake(&self) -> bool {
        match &self.problem {
            OutputProblem::Io(error) => {
                matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
            }
            _ => true,
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match &self.problem {
            OutputProblem::Io(error) => advice(error),
            OutputProblem::Left(_) => Some(Remedy::AppendOrOverwrite),
            OutputProblem::Busy(_) => Some("wait until it ends, or write somewhere else".into()),
            OutputProblem::Directory => Some("name a file in it".into()),
            OutputProblem::NoAppending(_) => {
                Some("write lines of JSON, CSV, a directory of Parquet files, or a table".into())
            }
            OutputProblem::Unlike { .. } => Some("write somewhere else".into()),
            OutputProblem::NeedsTable(_) => {
                Some("write to an SQLite file, such as out.sqlite, or to PostgreSQL".into())
            }
            OutputProblem::NotResumable => Some("name a file or a table for the records".into()),
            OutputProblem::NotBuilt(feature) => Some(format!("compile it with the feature `{feature}`").into()),
            OutputProblem::Rows(_)
            | OutputProblem::Currency(_)
            | OutputProblem::NeedsKey(_)
            | OutputProblem::Together(..) => None,
        }
    }
}

/// What to do about an error while records are written.
pub fn advice(error: &io::Error) -> Option<Remedy> {
    let words = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space there, or write somewhere else",
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            "write somewhere where you may, or ask for the right to"
        }
        io::ErrorKind::ResourceBusy => "another program writes there; try again when it has ended",
        io::ErrorKind::ConnectionAborted => "whole batches are kept; run it again when the server is back",
        _ => return None,
    };
    Some(words.into())
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.problem {
            OutputProblem::Io(error) => write!(f, "cannot write {place}: {error}"),
            OutputProblem::Left(part) => write!(
                f,
                "{} was left by a run that did not end; it has the records that were found until then",
                part.display()
            ),
            OutputProblem::Busy(part) => write!(f, "another run writes {place}: {} is in use", part.display()),
            OutputProblem::Directory => write!(f, "{place} is a directory, expected a file for the records"),
            OutputProblem::NoAppending(what) => write!(f, "{place}: nothing can be added to {what}"),
            OutputProblem::Unlike { found, expected } => {
                write!(f, "cannot add to {place}: it has {found}, expected {expected}")
            }
            OutputProblem::Rows(error) => error.fmt(f),
            OutputProblem::NeedsTable(what) => write!(f, "{place}: {what} needs a table"),
            OutputProblem::Currency(why) => write!(f, "a currency as a value of its own: {why}"),
            OutputProblem::NeedsKey(what) => write!(f, "{place}: {what} needs a key, to tell records apart"),
            OutputProblem::Together(one, other) => write!(f, "{place}: {one} and {other} exclude each other"),
            OutputProblem::NotResumable => write!(
                f,
                "cannot write {place} in a run that can be resumed: nobody knows what was read there"
            ),
            OutputProblem::NotBuilt(_) => write!(f, "{place}: this program cannot write there"),
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            OutputProblem::Io(error) => Some(error),
            OutputProblem::Rows(error) => Some(error),
            _ => None,
        }
    }
}

//! Why no wrapper could be made.

use crate::Remedy;
use learn::infer::InferError;
use learn::label::PlaceError;
use std::error::Error;
use std::fmt;
use std::io;
use wrapper::WrapperError;

/// Why no wrapper could be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum MakeError {
    /// A file cannot be read.
    File(FileError),
    /// Examples that cannot be used.
    Examples {
        /// Their file, and where in it.
        place: String,
        /// What is wrong.
        message: String,
        /// Is it the form of a JSON text that is wrong?
        json: bool,
    },
    /// Examples for a page that was not given.
    NoSuchPage {
        /// The file of the examples.
        place: String,
        /// The page.
        page: String,
    },
    /// Examples for a page whose name fits several of the pages given.
    SeveralPages {
        /// The file of the examples.
        place: String,
        /// The page.
        page: String,
    },
    /// A page comes without its source, which delimiters are found in.
    NoSource {
        /// The page.
        page: String,
    },
    /// A value that cannot be placed on its page.
    Value {
        /// The page, the record and the field.
        place: String,
        /// Why.
        error: PlaceError,
    },
    /// A selector that selects nothing on its page.
    SelectsNothing {
        /// The file, the page, the record, the field and the selector.
        place: String,
    },
    /// The labels contradict each other.
    Labels(learn::LabelError),
    /// A schema that cannot be used.
    Schema {
        /// Its file.
        place: String,
        /// What is wrong.
        message: String,
        /// What a schema may contain.
        expected: &'static str,
    },
    /// A value that is not on its page, or values that no path leads to.
    Paths {
        /// The file of the examples.
        place: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// Recognizers that cannot be used.
    Recognizers {
        /// Their file, or a page.
        place: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        advice: Option<&'static str>,
    },
    /// An OXPath expression that cannot be used as a wrapper.
    Expression {
        /// Its file.
        place: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        advice: Option<&'static str>,
    },
    /// The expression gives no record on the pages.
    NoRecords {
        /// Its file.
        place: String,
    },
    /// No class of delimiters has a wrapper.
    NoDelimiters {
        /// Was it learned from what recognizers find?
        recognized: bool,
        /// Was there too much text to try everything?
        undecided: bool,
        /// For each class that was tried, why.
        reasons: Vec<String>,
    },
    /// Nothing can be inferred from the pages.
    Infer(InferError),
    /// No value that could be a field was found on any of this number of pages.
    NoValues(usize),
    /// The only page has nothing on it. Its name.
    Empty(String),
    /// The page has no list of records.
    NoList,
    /// The structured data of the pages says nothing about the thing that they are about.
    NoData,
    /// The page has fewer lists of records than the one that was asked for.
    FewerLists {
        /// How many it has.
        found: usize,
        /// Which one was asked for.
        wanted: usize,
    },
    /// A number that is not between 0 and 1.
    NotAShare {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A field cannot be renamed.
    Rename(super::RenameError),
    /// The rule that was made cannot be run.
    Wrapper(WrapperError),
    /// The work was stopped before there was a wrapper.
    Stopped,
}

/// Why a file could not be read.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub file: String,
    /// What was expected in it.
    pub expected: &'static str,
    /// What is wrong with it.
    pub problem: FileProblem,
}

/// What can be wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system's error.
    Io(io::Error),
    /// It is longer than this many bytes.
    TooLarge(u64),
    /// It is not UTF-8.
    NotUtf8,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileError { file, expected, .. } = self;
        match &self.problem {
            FileProblem::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => write!(f, "{file}: no such file, expected {expected}"),
                io::ErrorKind::IsADirectory => write!(f, "{file}: found a directory, expected {expected}"),
                _ => write!(f, "{file}: {error}"),
            },
            FileProblem::TooLarge(most) => {
                write!(f, "{file}: found more than {most} bytes, expected {expected}")
            }
            FileProblem::NotUtf8 => write!(f, "{file}: found bytes that are no UTF-8, expected {expected}"),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            FileProblem::Io(error) => Some(error),
            FileProblem::TooLarge(_) | FileProblem::NotUtf8 => None,
        }
    }
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::File(error) => error.fmt(f),
            MakeError::Examples { place, message, .. }
            | MakeError::Schema { place, message, .. }
            | MakeError::Paths { place, message, .. }
            | MakeError::Recognizers { place, message, .. }
            | MakeError::Expression { place, message, .. } => match place.is_empty() {
                true => f.write_str(message),
                false => write!(f, "{place}: {message}"),
            },
            MakeError::NoSuchPage { place, page } => write!(
                f,
                "{place}: found examples for `{page}`, which is not among the pages given"
            ),
            MakeError::SeveralPages { place, page } => {
                write!(f, "{place}: `{page}` may be several of the pages given")
            }
            MakeError::NoSource { page } => {
                write!(
                    f,
                    "{page}: the page comes without its source, in which delimiters are found"
                )
            }
            MakeError::Value { place, error } => write!(f, "{place}: {error}"),
            MakeError::SelectsNothing { place } => write!(f, "{place} selects nothing on the page"),
            MakeError::Labels(error) => error.fmt(f),
            MakeError::NoRecords { place } => write!(f, "{place}: the expression gives no record on these pages"),
            MakeError::NoDelimiters {
                recognized,
                undecided,
                reasons,
            } => {
                f.write_str(match (recognized, undecided) {
                    (_, true) => "no wrapper was found, but not all could be tried",
                    (true, _) => "no wrapper gives what the recognizers find",
                    (false, _) => "no wrapper gives all examples",
                })?;
                reasons.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
            }
            MakeError::Infer(error) => error.fmt(f),
            MakeError::NoValues(pages) => {
                let pages = if *pages == 1 { "the page".to_owned() } else { format!("any of {pages} pages") };
                write!(f, "found no value on {pages}, expected a list or texts that differ from page to page")
            }
            MakeError::Empty(place) => write!(f, "{place}: found an empty page, expected one with text"),
            MakeError::NoList => f.write_str("found no list of records on the page"),
            MakeError::NoData => f.write_str(
                "found no structured data (JSON-LD, microdata, RDFa) about one thing with the name of the page, with three values or more",
            ),
            MakeError::FewerLists { found, wanted } => {
                let lists = if *found == 1 { "list" } else { "lists" };
                write!(
                    f,
                    "found {found} {lists} of records on the page; list {wanted} was asked for"
                )
            }
            MakeError::NotAShare { name, value } => {
                write!(f, "found {value} for {name}, expected a number between 0 and 1")
            }
            MakeError::Rename(error) => error.fmt(f),
            MakeError::Wrapper(error) => error.fmt(f),
            MakeError::Stopped => f.write_str("the work was stopped before there was a wrapper"),
        }
    }
}

impl Error for MakeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            MakeError::File(error) => Some(error),
            MakeError::Value { error, .. } => Some(error),
            MakeError::Labels(error) => Some(error),
            MakeError::Infer(error) => Some(error),
            MakeError::Rename(error) => Some(error),
            MakeError::Wrapper(error) => Some(error),
            _ => None,
        }
    }
}

impl MakeError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        let advice = match self {
            MakeError::Examples { json: true, .. } => {
                "all values are in quotes, as the page says them: {\"a.html\": [{\"price\": \"12.50\"}]}"
            }
            MakeError::NoSuchPage { .. } => "give the page, or the directory that it is in",
            MakeError::SeveralPages { .. } => "write its path as it is given",
            MakeError::Value { error, .. } => match error {
                PlaceError::Empty(_) => "write null for a value that is missing",
                PlaceError::NotFound(_) => {
                    "values are what a reader sees, or what is in the source; check the spelling"
                }
                PlaceError::OutOfOrder(_) => "give all records of the page in its order, or give byte offsets",
            },
            MakeError::SelectsNothing { .. } => {
                "evaluate the selector on the page to see what it selects; scripts of a page are not run"
            }
            MakeError::Schema { expected, .. } => expected,
            MakeError::Paths { advice, .. } => advice,
            MakeError::Recognizers { advice, .. } | MakeError::Expression { advice, .. } => (*advice)?,
            MakeError::NoRecords { .. } => "give pages that its navigation leads to, saved to files",
            MakeError::NoDelimiters { recognized: false, .. } => {
                "give more exact examples, or allow more: missing values, alternatives, skips, the end of the page, spaces"
            }
            MakeError::NoDelimiters { recognized: true, .. } => {
                "check what each recognizer is said to get wrong, or give examples of some pages instead"
            }
            MakeError::Infer(InferError::TooFew(_)) => "give more pages of the site, or a directory of them",
            MakeError::Infer(InferError::Identical) => "ask for all texts to make fields of what all pages say, too",
            MakeError::NoValues(_) => {
                "give pages of one kind that have text; scripts of a page are not run, a browser saves what they make"
            }
            MakeError::Empty(_) => "save the page again; a download that broke off leaves an empty file",
            MakeError::NoList => {
                "a page about one thing has no list: several pages of its kind tell what varies, or examples of values do; scripts of a page are not run, a browser saves what they make"
            }
            MakeError::NoData => "let the method be chosen, or infer from several pages of the site",
            MakeError::Rename(error) => return error.remedy(),
            _ => return None,
        };
        Some(advice.into())
    }
}

impl From<InferError> for MakeError {
    fn from(error: InferError) -> MakeError {
        MakeError::Infer(error)
    }
}

impl From<WrapperError> for MakeError {
    fn from(error: WrapperError) -> MakeError {
        MakeError::Wrapper(error)
    }
}

impl From<FileError> for MakeError {
    fn from(error: FileError) -> MakeError {
        MakeError::File(error)
    }
}

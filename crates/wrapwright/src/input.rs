//! Pages as users name them: files, directories, `-` for standard input.
//!
//! [`find`] turns arguments into a list of places and tells at once of those that are not there; [`Place::read`] reads
//! one and parses it. Directories are walked in sorted order, so a run over them is repeatable, and links are followed
//! only to files, so that no cycle of directories traps us.

use crate::{LimitError, Page, Settings};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where a page is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// Why a page could not be had.
#[derive(Debug)]
pub struct InputError {
    /// The file or argument in question.
    pub place: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with an input.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// No such file or directory.
    Missing,
    /// A directory without a page in it.
    NoPages,
    /// A URL: pages are read from files only.
    Url,
    /// Not text; what it looks like instead.
    Binary(&'static str),
    /// Over a limit.
    Limit(LimitError),
    /// The system's word.
    Io(io::Error),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.problem {
            Problem::Missing => write!(f, "{place}: no such file or directory"),
            Problem::NoPages => write!(
                f,
                "{place}: found no page, expected files ending in .htm or .html in this directory"
            ),
            Problem::Url => write!(f, "{place}: found a URL, expected a file or directory"),
            Problem::Binary(what) => write!(f, "{place}: found {what}, expected an HTML page"),
            Problem::Limit(error) => write!(f, "{place}: {error}"),
            Problem::Io(error) => write!(f, "{place}: {error}"),
        }
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// What the user may do about it.
    pub fn hint(&self) -> Option<String> {
        match &self.problem {
            Problem::Missing => Some("check the spelling; a directory stands for all pages below it".to_owned()),
            Problem::NoPages => Some("name files of other endings one by one".to_owned()),
            Problem::Url => Some("save the page to a file first".to_owned()),
            Problem::Binary(_) => None,
            Problem::Limit(LimitError::Bytes(_)) => Some("raise it with --max-page-bytes".to_owned()),
            Problem::Limit(LimitError::Nodes(_)) => Some("raise it with --max-page-nodes".to_owned()),
            Problem::Limit(LimitError::Depth(_)) => Some("raise it with --max-page-depth".to_owned()),
            Problem::Io(_) => None,
        }
    }
}

/// The pages that arguments name, in their order, and what is wrong with the arguments that name none.
pub fn find<'a>(arguments: impl IntoIterator<Item = &'a str>) -> (Vec<Place>, Vec<InputError>) {
    let mut places = Vec::new();
    let mut errors = Vec::new();
    for argument in arguments {
        let error = |problem| InputError {
            place: argument.to_owned(),
            problem,
        };
        if argument == "-" {
            places.push(Place::Stdin);
            continue;
        }
        if argument.starts_with("http://") || argument.starts_with("https://") {
            errors.push(error(Problem::Url));
            continue;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = (places.len(), errors.len());
                walk(path, &mut places, &mut errors);
                if before == (places.len(), errors.len()) {
                    errors.push(error(Problem::NoPages));
                }
            }
            Ok(_) => places.push(Place::File(path.to_owned())),
            Err(reason) => errors.push(InputError {
                place: argument.to_owned(),
                problem: reason.into(),
            }),
        }
    }
    (places, errors)
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::NotFound => Problem::Missing,
            _ => Problem::Io(error),
        }
    }
}

/// Collects the pages below a directory, sorted by path, without recursion.
fn walk(directory: &Path, places: &mut Vec<Place>, errors: &mut Vec<InputError>) {
    let first = places.len();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = match fs::read_dir(&directory).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => {
                errors.push(InputError {
                    place: directory.display().to_string(),
                    problem: Problem::Io(error),
                });
                continue;
            }
        };
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(path);
            } else if path.extension().is_some_and(is_page_ending) && path.is_file() {
                places.push(Place::File(path));
            }
        }
    }
    places[first..].sort_by(|a, b| match (a, b) {
        (Place::File(a), Place::File(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
}

fn is_page_ending(ending: &std::ffi::OsStr) -> bool {
    ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm")
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            Place::Stdin => f.write_str("-"),
        }
    }
}

impl Place {
    /// Reads and parses the page.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no text, or is over a limit.
    pub fn read(&self, settings: &Settings) -> Result<Page, InputError> {
        let bytes = self.bytes(settings)?;
        Page::parse(&bytes, settings).map_err(|reason| self.error(Problem::Limit(reason)))
    }

    /// Reads the page's source and decodes it, without parsing it: what delimiters are found in.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no text, or is over the limit of bytes.
    pub fn source(&self, settings: &Settings) -> Result<String, InputError> {
        let bytes = self.bytes(settings)?;
        let most = settings.limits.bytes;
        let (text, _) = page::decode(&bytes, settings.charset.as_deref());
        if bytes.len() > most || text.len() > most {
            return Err(self.error(Problem::Limit(LimitError::Bytes(most))));
        }
        Ok(text.into_owned())
    }

    fn error(&self, problem: Problem) -> InputError {
        InputError {
            place: self.to_string(),
            problem,
        }
    }

    fn bytes(&self, settings: &Settings) -> Result<Vec<u8>, InputError> {
        // One byte more than allowed is enough to know, and all that is ever held.
        let most = settings.limits.bytes as u64 + 1;
        let mut bytes = Vec::new();
        match self {
            Place::File(path) => File::open(path).and_then(|file| {
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                bytes.reserve(usize::try_from(size.min(most)).unwrap_or(0));
                file.take(most).read_to_end(&mut bytes)
            }),
            Place::Stdin => io::stdin().lock().take(most).read_to_end(&mut bytes),
        }
        .map_err(|reason| self.error(reason.into()))?;
        match binary(&bytes) {
            Some(what) => Err(self.error(Problem::Binary(what))),
            None => Ok(bytes),
        }
    }
}

/// What a file that is no text looks like; none for text.
fn binary(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 10] = [
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xFF\xD8\xFF", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF-", "a PDF file"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip file"),
        (b"\xFD7zXZ\0", "an xz file"),
        (b"\x28\xB5\x2F\xFD", "a zstd file"),
        (b"\x7FELF", "a program"),
        (b"SQLite format 3\0", "an SQLite database"),
    ];
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(what);
    }
    // Text in UTF-16 is full of zero bytes, but then it says so with a byte order mark.
    let marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let start = &bytes[..bytes.len().min(1024)];
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    // A stray zero happens on real pages; one byte in twenty does not.
    (!marked && zeros * 20 > start.len()).then_some("a binary file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_told_from_text() {
        assert_eq!(binary(b"\x89PNG\r\n\x1a\n..."), Some("a PNG image"));
        assert_eq!(binary(b"\0\0\0\x01abc"), Some("a binary file"));
        assert_eq!(binary(b"<html>a stray \0 in the middle of a page</html>"), None);
        assert_eq!(binary(b"\xFF\xFE<\0p\0>\0"), None);
        assert_eq!(binary(b""), None);
    }
}

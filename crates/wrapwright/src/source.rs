//! Expressions from files, with the files that they import.
//!
//! An expression may come from somebody else, so an import opens no file that its author could not have sent along: the
//! path is relative, goes down only, and leads to a file below the directory of the file with the import, also if there
//! are links on the way. Nothing is fetched. Whoever has no file (an expression on the command line, or from standard
//! input) imports from the current directory.
//!
//! What is read is one source that runs alone ([`oxpath::syntax::gather`]). [`expanded`] goes further and gives a single
//! expression without definitions, which is what wrappers store.

use crate::bounded;
use oxpath::syntax::{self, Opened};
pub use oxpath::syntax::{GatherError, format, in_file};
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The most bytes of a file: more than the parser takes.
const LONGEST: u64 = 2 << 20;

/// Why an expression cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// An import is wrong.
    Gather(Box<GatherError>),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Read(file, error) => write!(f, "{}: {}", file.display(), why(error)),
            SourceError::Gather(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SourceError::Read(_, error) => Some(error),
            SourceError::Gather(error) => Some(error),
        }
    }
}

impl From<GatherError> for SourceError {
    fn from(error: GatherError) -> SourceError {
        SourceError::Gather(Box::new(error))
    }
}

/// The expression in a file, with all files that it imports before it.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// std::fs::write(path("common.oxp"), "let next = //a.next/{click /};")?;
/// std::fs::write(path("books.oxp"), "import 'common.oxp'; doc('shop.html')/(next())*//li:<book>")?;
/// let source = wrapwright::source::read(&path("books.oxp"))?;
/// assert_eq!(
///     wrapwright::source::expanded(&source)?,
///     "doc(\"shop.html\")/(//a.next/{click /})*//li:<book>"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A file cannot be read, or an import is not allowed.
pub fn read(file: &Path) -> Result<String, SourceError> {
    let text = bounded::read_text(file, LONGEST).map_err(|error| SourceError::Read(file.to_owned(), error))?;
    Ok(gather(&file.display().to_string(), &text)?)
}

/// A text with all files that it imports before it. `place` is the path of its file, or another name if it has none.
///
/// # Errors
///
/// A file cannot be read, or an import is not allowed.
pub fn gather(place: &str, text: &str) -> Result<String, GatherError> {
    syntax::gather(place, text, &mut open).map(std::borrow::Cow::into_owned)
}

/// The expression without definitions: its parts put in, in canonical form. An expression without definitions stays as it
/// is written.
///
/// # Errors
///
/// It is not an expression.
pub fn expanded(source: &str) -> Result<String, crate::CompileError> {
    match syntax::has_parts(source) {
        true => syntax::expand(source),
        false => Ok(source.to_owned()),
    }
}

fn open(importing: &str, path: &str) -> Result<Opened, String> {
    if path.contains("://") {
        return Err(format!("`{path}`: imports are files, nothing is fetched for them"));
    }
    let written = Path::new(path);
    let is_down = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || !written.components().all(is_down) {
        return Err(format!(
            "`{path}`: imports are relative and stay in the directory of the file with the import"
        ));
    }
    let folder = Path::new(importing).parent().unwrap_or(Path::new(""));
    let mut file = folder.to_owned();
    file.extend(written.components().filter(|part| matches!(part, Component::Normal(_))));
    let below = |folder: &Path, file: &Path| -> io::Result<bool> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        Ok(file.canonicalize()?.starts_with(folder.canonicalize()?))
    };
    let fail = |error: &io::Error| format!("{}: {}", file.display(), why(error));
    if !below(folder, &file).map_err(|error| fail(&error))? {
        return Err(format!(
            "`{path}` is a link that leads out of the directory of the file with the import"
        ));
    }
    let text = bounded::read_text(&file, LONGEST).map_err(|error| fail(&error))?;
    Ok(Opened {
        name: file.display().to_string(),
        text,
    })
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::InvalidData => "found bytes that are not UTF-8, expected an expression".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn imports_go_down_only() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("in/parts")).expect("directories");
        fs::write(path("secret.oxp"), "let x = 1;").expect("a file");
        fs::write(path("in/parts/a.oxp"), "import './b.oxp'; let a = b();").expect("a file");
        fs::write(path("in/parts/b.oxp"), "let b = //b;").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("secret.oxp"), path("in/link.oxp")).expect("a link");
        let main = path("in/main.oxp");
        let read = |text: &str| {
            fs::write(&main, text).expect("a file");
            super::read(&main).map_err(|error| error.to_string())
        };
        let whole = read("import 'parts/a.oxp'; import 'parts/b.oxp'; doc('u')/a():<x>").expect("all is there");
        assert_eq!(expanded(&whole).as_deref(), Ok("doc(\"u\")/(//b):<x>"));
        for (path, expected) in [
            ("../secret.oxp", "stay in the directory"),
            ("/etc/passwd", "stay in the directory"),
            ("", "stay in the directory"),
            ("https://a.example/b.oxp", "nothing is fetched"),
            ("none.oxp", "none.oxp: no such file"),
            #[cfg(unix)]
            ("link.oxp", "leads out of the directory"),
        ] {
            let error = read(&format!("import '{path}'; doc('u')//a:<x>")).expect_err(path);
            assert!(error.contains(expected), "{error}");
        }
    }
}

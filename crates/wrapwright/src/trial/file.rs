//! The file of a test, and what can be wrong with a test.

use super::{LONGEST, Subject, TEST, Trial};
use crate::bounded;
use crate::extract::ExtractError;
use crate::session::{RunsError, SessionError};
use crate::source::GatherError;
use crate::whole::Whole;
use serde_json::{Map, Value, json};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Why a test cannot be read, made or run.
#[derive(Debug)]
pub struct TrialError {
    /// The file or directory.
    pub place: PathBuf,
    /// What is wrong.
    pub problem: TrialProblem,
}

/// What is wrong with a test.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrialProblem {
    /// Something cannot be read.
    Read(io::Error),
    /// Something cannot be written.
    Write(io::Error),
    /// There is a test already.
    Exists,
    /// There is no test.
    None,
    /// The file does not say what is tested; this is expected.
    Form(&'static str),
    /// The expression cannot be run.
    Expression(Box<RunsError>),
    /// What the expression imports cannot be read.
    Import(Box<GatherError>),
    /// The wrapper cannot be read.
    Wrapper(String),
    /// The wrapper cannot be run.
    Extract(ExtractError),
    /// There is no record, and this went wrong.
    Failed(String),
    /// There is no session, or it cannot run the expression.
    Session(SessionError),
    /// The job was stopped.
    Stopped,
}

impl TrialError {
    pub(super) fn new(place: &Path, problem: TrialProblem) -> TrialError {
        TrialError {
            place: place.to_owned(),
            problem,
        }
    }
}

impl fmt::Display for TrialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.display();
        match &self.problem {
            TrialProblem::Read(error) if error.kind() == io::ErrorKind::NotFound => write!(f, "{place}: no such file"),
            TrialProblem::Read(error) => write!(f, "{place}: cannot be read: {error}"),
            TrialProblem::Write(error) => write!(f, "{place}: cannot be written: {error}"),
            TrialProblem::Exists => write!(f, "{place}: there is a test already, and it was left as it is"),
            TrialProblem::None => write!(f, "{place}: no {TEST} in it or below it"),
            TrialProblem::Form(expected) => write!(f, "{place}: expected {expected}"),
            TrialProblem::Expression(error) => write!(f, "{place}: the expression cannot be run: {}", error.problem),
            TrialProblem::Import(error) => error.fmt(f),
            TrialProblem::Wrapper(error) => write!(f, "{place}: {error}"),
            TrialProblem::Extract(error) => write!(f, "{place}: {error}"),
            TrialProblem::Failed(why) => write!(f, "{place}: no test was made, because there is no record: {why}"),
            TrialProblem::Session(error) => write!(f, "{place}: {error}"),
            TrialProblem::Stopped => write!(f, "{place}: the test was stopped"),
        }
    }
}

impl std::error::Error for TrialError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            TrialProblem::Read(error) | TrialProblem::Write(error) => Some(error),
            TrialProblem::Extract(error) => Some(error),
            TrialProblem::Session(error) => Some(error),
            _ => None,
        }
    }
}

/// Directories are searched to this depth, so that a circle of links ends.
const DEEPEST: usize = 16;

/// The directories with a test, sorted.
pub(super) fn find(folder: &Path) -> Result<Vec<PathBuf>, TrialError> {
    let mut found = Vec::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        if folder.join(TEST).is_file() {
            found.push(folder);
            continue;
        }
        if depth == DEEPEST {
            continue;
        }
        let read = |error| TrialError::new(&folder, TrialProblem::Read(error));
        for entry in fs::read_dir(&folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path.is_dir() {
                waiting.push((path, depth + 1));
            }
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(TrialError::new(folder, TrialProblem::None)),
        false => Ok(found),
    }
}

const FORM: &str =
    "an object with one of \"run\" (the file of an expression), \"expression\", or \"wrapper\" and \"pages\"";
const BIND: &str = "under \"bind\" an object of names and texts, or lists of texts";
const PAGES: &str = "under \"pages\" a list of files and directories";

/// Reads the test in a directory.
pub(super) fn read(folder: &Path) -> Result<Trial, TrialError> {
    let place = folder.join(TEST);
    let text =
        bounded::read_text(&place, LONGEST).map_err(|error| TrialError::new(&place, TrialProblem::Read(error)))?;
    let form = |expected| TrialError::new(&place, TrialProblem::Form(expected));
    let Ok(Value::Object(file)) = serde_json::from_str::<Value>(&text) else {
        return Err(form(FORM));
    };
    let text_of = |name: &str| {
        file.get(name)
            .map(|value| value.as_str().ok_or_else(|| form(FORM)))
            .transpose()
    };
    let subject = match (text_of("run")?, text_of("expression")?, text_of("wrapper")?) {
        (Some(run), None, None) => Subject::File(folder.join(run)),
        (None, Some(source), None) => Subject::Expression(source.to_owned()),
        (None, None, Some(wrapper)) => {
            let pages = file.get("pages").and_then(Value::as_array).ok_or_else(|| form(PAGES))?;
            let pages = pages.iter().map(|page| page.as_str().map(|page| folder.join(page)));
            Subject::Wrapper {
                file: folder.join(wrapper),
                pages: pages.collect::<Option<Vec<PathBuf>>>().ok_or_else(|| form(PAGES))?,
            }
        }
        _ => return Err(form(FORM)),
    };
    let known = ["run", "expression", "wrapper", "pages", "bind"];
    if file.keys().any(|name| !known.contains(&name.as_str())) {
        return Err(form(FORM));
    }
    let bindings = match file.get("bind") {
        None => Vec::new(),
        Some(bind) => bindings(bind).ok_or_else(|| form(BIND))?,
    };
    Ok(Trial {
        folder: folder.to_owned(),
        subject,
        bindings,
    })
}

fn bindings(bind: &Value) -> Option<Vec<(String, String)>> {
    let mut bindings = Vec::new();
    for (name, value) in bind.as_object()? {
        match value {
            Value::String(text) => bindings.push((name.clone(), text.clone())),
            Value::Array(texts) => {
                for text in texts {
                    bindings.push((name.clone(), text.as_str()?.to_owned()));
                }
            }
            _ => return None,
        }
    }
    Some(bindings)
}

/// Writes the file of a test.
pub(super) fn write(trial: &Trial) -> Result<(), TrialError> {
    let place = trial.folder.join(TEST);
    let relative = |path: &Path| relative(&trial.folder, path).display().to_string();
    let mut file = match &trial.subject {
        Subject::File(path) => json!({ "run": relative(path) }),
        Subject::Expression(source) => json!({ "expression": source }),
        Subject::Wrapper { file, pages } => {
            let pages: Vec<String> = pages.iter().map(|page| relative(page)).collect();
            json!({ "wrapper": relative(file), "pages": pages })
        }
    };
    if !trial.bindings.is_empty() {
        let mut bind = Map::new();
        for (name, value) in &trial.bindings {
            match bind.get_mut(name) {
                None => {
                    bind.insert(name.clone(), json!(value));
                }
                Some(Value::Array(values)) => values.push(json!(value)),
                Some(one) => *one = json!([one.take(), value]),
            }
        }
        file["bind"] = Value::Object(bind);
    }
    let write = || -> io::Result<()> {
        let mut out = Whole::create(&place)?;
        writeln!(out, "{file:#}")?;
        out.finish()
    };
    write().map_err(|error| TrialError::new(&place, TrialProblem::Write(error)))
}

/// A path as seen from a directory; the whole path if they have nothing in common.
fn relative(folder: &Path, path: &Path) -> PathBuf {
    let (Ok(folder), Ok(path)) = (folder.canonicalize(), path.canonicalize()) else {
        return path.to_owned();
    };
    let shared = folder
        .components()
        .zip(path.components())
        .take_while(|(one, other)| one == other)
        .count();
    let shared_root = folder
        .components()
        .take(shared)
        .any(|part| matches!(part, Component::Normal(_)));
    if !shared_root {
        return path;
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().expect("a directory");
        let test = folder.path().join("tests/books");
        fs::create_dir_all(&test).expect("a directory");
        let file = folder.path().join("books.oxp");
        fs::write(&file, "doc('x')").expect("a file");
        let bind = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let trial = Trial {
            folder: test.clone(),
            subject: Subject::File(file),
            bindings: vec![bind("a", "1"), bind("b", "2"), bind("b", "3")],
        };
        write(&trial).expect("it is written");
        let text = fs::read_to_string(test.join(TEST)).expect("it is there");
        assert!(text.contains("\"run\": \"../../books.oxp\""), "{text}");
        let read = read(&test).expect("it is read");
        assert_eq!(read.bindings, trial.bindings);
        assert_eq!(read.subject, Subject::File(test.join("../../books.oxp")));
        assert_eq!(find(folder.path()).expect("found"), [test]);
    }

    #[test]
    fn what_is_no_test_is_said() {
        let folder = tempfile::tempdir().expect("a directory");
        let place = folder.path();
        assert!(find(place).is_err_and(|error| matches!(error.problem, TrialProblem::None)));
        for text in [
            "",
            "[]",
            "{}",
            r#"{"run": 1}"#,
            r#"{"run": "a", "expression": "b"}"#,
            r#"{"wrapper": "w"}"#,
            r#"{"wrapper": "w", "pages": [1]}"#,
            r#"{"run": "a", "bind": {"x": 1}}"#,
            r#"{"run": "a", "bnd": {}}"#,
        ] {
            fs::write(place.join(TEST), text).expect("a file");
            let error = read(place).expect_err(text);
            assert!(matches!(error.problem, TrialProblem::Form(_)), "{text}: {error}");
        }
    }
}

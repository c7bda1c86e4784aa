//! Files that users write to make wrappers: schemas and expressions here, examples and recognizers beside it.
//!
//! All are small, and anybody may name any file, so at most [`LONGEST`] bytes of one are read.

use super::words::quoted;
use super::{FileError, FileProblem, MakeError};
use crate::{bounded, source};
use std::io;
use std::path::Path;
use wrapper::Given;

/// The most bytes of a file: 16 MiB. Larger ones are pages, or devices that never end.
pub const LONGEST: u64 = 16 << 20;

/// The bytes of a file.
pub(super) fn bytes_of(file: &Path, expected: &'static str) -> Result<Vec<u8>, FileError> {
    let fail = |problem| FileError {
        file: file.display().to_string(),
        expected,
        problem,
    };
    bounded::read(file, LONGEST).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => fail(FileProblem::TooLarge(LONGEST)),
        _ => fail(FileProblem::Io(error)),
    })
}

/// The text of a file that must be UTF-8.
fn text_of(file: &Path, expected: &'static str) -> Result<String, FileError> {
    String::from_utf8(bytes_of(file, expected)?).map_err(|_| FileError {
        file: file.display().to_string(),
        expected,
        problem: FileProblem::NotUtf8,
    })
}

/// A schema and what messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Its file.
    pub name: String,
    /// The schema.
    pub given: Given,
}

impl Schema {
    /// Reads a schema; one that begins with `<` is a DTD, one that begins with `{` a JSON Schema.
    ///
    /// # Errors
    ///
    /// [`MakeError::Schema`] if it begins with anything else.
    pub fn parse(name: impl Into<String>, text: &str) -> Result<Schema, MakeError> {
        let name = name.into();
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let found = match text.trim_start().chars().next() {
            Some('<') => {
                let given = Given::Dtd(text);
                return Ok(Schema { name, given });
            }
            Some('{') => {
                let given = Given::JsonSchema(text);
                return Ok(Schema { name, given });
            }
            None => "nothing".to_owned(),
            Some(_) => quoted(text.trim_start().lines().next().unwrap_or_default().trim_end()),
        };
        Err(MakeError::Schema {
            place: name,
            message: format!("found {found}, expected {SCHEMA}"),
            expected: "a DTD begins with <!ELEMENT …>, a JSON Schema is an object, {\"type\": \"object\", …}",
        })
    }

    /// Reads a schema from a file.
    ///
    /// # Errors
    ///
    /// As [`Schema::parse`], and when the file cannot be read.
    pub fn open(file: &Path) -> Result<Schema, MakeError> {
        Schema::parse(file.display().to_string(), &text_of(file, SCHEMA)?)
    }
}

const SCHEMA: &str = "a DTD or a JSON Schema";

/// An OXPath expression and what messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Its file.
    pub name: String,
    /// The expression.
    pub text: String,
}

impl Expression {
    /// Reads an expression from a file. Its parts, and those that it imports, are put in.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or what it imports.
    pub fn open(file: &Path) -> Result<Expression, MakeError> {
        let name = file.display().to_string();
        let text = text_of(file, "an OXPath expression")?;
        let wrong = |message: String| MakeError::Expression {
            place: String::new(),
            message,
            advice: None,
        };
        let text = source::gather(&name, &text).map_err(|error| wrong(error.to_string()))?;
        let text = source::expanded(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(Expression { name, text })
    }
}

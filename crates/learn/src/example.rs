//! Examples: pages with the positions of their values.
//!
//! A label is the list of values in the order of the page, each with the field it belongs to. This form represents both
//! tables and trees: in a table a value of the first field begins a tuple; in a tree a value of level k belongs to the
//! last value of level k − 1 before it.

use std::fmt;
use wrapper::rule::Found;

/// A page and the values to be found on it.
#[derive(Clone, Debug)]
pub struct Example<'a> {
    /// The name of the page in messages.
    pub name: &'a str,
    /// Its decoded source.
    pub text: &'a str,
    /// Its values, in the order of the page.
    pub values: Vec<Found>,
}

/// What is wrong with a set of examples, for every class of wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelError {
    /// There are no fields.
    NoAttributes,
    /// There is no page.
    NoExamples,
    /// No page has a value.
    NoValues,
    /// A field without a value in any example.
    NoValueOf {
        /// Its number, from 0.
        field: u32,
    },
    /// A value outside its page, or at a position inside a character.
    Outside {
        /// The page.
        page: String,
        /// Where the value begins according to the label.
        start: u32,
        /// Where it ends according to the label.
        end: u32,
    },
    /// Two values overlap, or are not in the order of the page.
    Overlap {
        /// The page.
        page: String,
        /// Where the first of them begins.
        first: u32,
        /// Where the second begins.
        second: u32,
    },
    /// A value of a field that does not exist.
    NoSuchAttribute {
        /// The page.
        page: String,
        /// Its number, from 0.
        field: u32,
    },
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::NoAttributes => f.write_str("the examples have no attribute, expected at least one"),
            LabelError::NoExamples => f.write_str("there is no example"),
            LabelError::NoValues => f.write_str("the examples have no value, expected at least one tuple on one page"),
            LabelError::NoValueOf { field } => {
                write!(
                    f,
                    "no example has a value of attribute {}, expected at least one",
                    field + 1
                )
            }
            LabelError::Outside { page, start, end } => {
                write!(
                    f,
                    "{page}: found a value at bytes {start} to {end}, which is no piece of the page"
                )
            }
            LabelError::Overlap { page, first, second } => write!(
                f,
                "{page}: the value at byte {second} begins before the value at byte {first} ends: values may not overlap"
            ),
            LabelError::NoSuchAttribute { page, field } => {
                write!(
                    f,
                    "{page}: found a value of attribute {}, which there is not",
                    field + 1
                )
            }
        }
    }
}

impl std::error::Error for LabelError {}

/// Checks what every learner assumes.
///
/// # Errors
///
/// If values overlap or are outside their page, or there are no values.
pub fn check_labels(fields: usize, examples: &[Example<'_>]) -> Result<(), LabelError> {
    if fields == 0 {
        return Err(LabelError::NoAttributes);
    }
    if examples.is_empty() {
        return Err(LabelError::NoExamples);
    }
    if examples.iter().all(|example| example.values.is_empty()) {
        return Err(LabelError::NoValues);
    }
    for example in examples {
        let page = || example.name.to_owned();
        for value in &example.values {
            if example.text.get(value.range()).is_none() {
                return Err(LabelError::Outside {
                    page: page(),
                    start: value.start,
                    end: value.end,
                });
            }
            if value.field as usize >= fields {
                return Err(LabelError::NoSuchAttribute {
                    page: page(),
                    field: value.field,
                });
            }
        }
        if let Some(pair) = example.values.windows(2).find(|pair| pair[1].start < pair[0].end) {
            return Err(LabelError::Overlap {
                page: page(),
                first: pair[0].start,
                second: pair[1].start,
            });
        }
    }
    let has_value = |field: &u32| {
        examples
            .iter()
            .any(|example| example.values.iter().any(|value| value.field == *field))
    };
    match (0..fields as u32).find(|field| !has_value(field)) {
        Some(field) => Err(LabelError::NoValueOf { field }),
        None => Ok(()),
    }
}

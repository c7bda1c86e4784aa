//! Makes wrappers from pages.
//!
//! [`infer()`] needs pages alone. [`learn()`] takes pages and a [`Basis`]: what somebody knows about them.
//!
//! | Basis | Rule |
//! |---|---|
//! | [`Examples`] | delimiters: strings before and after the values, in the source of a page; or paths, if they fit better |
//! | [`Schema`] and [`Examples`] | paths to the records and to their values |
//! | [`Recognizers`] | delimiters, around what the recognizers agree on |
//! | [`Expression`] | the expression itself, in OXPath, if it gives records on the pages |
//!
//! Each ends in [`Wrapper::made`], which looks at the pages once more and keeps what the values are like, so that the wrapper
//! can be checked and repaired later. [`point()`] adds a field from values that somebody points at. [`rename_fields`] gives fields the names that a user wants, in a wrapper of any kind.
//!
//! Everything is data: what is worth telling is in [`Made`] and [`Inferred`], what is wrong is a [`MakeError`]. Files are
//! read only by the functions named `open`, and no more than [`LONGEST`] bytes of each.

mod asked;
mod by_delimiters;
mod by_examples;
mod by_expression;
mod by_paths;
mod by_recognizers;
mod each;
mod error;
mod examples;
mod grow;
mod infer;
mod listed;
mod odd;
mod part;
mod point;
mod read;
mod recognizers;
mod rename;
mod shown;
#[cfg(test)]
mod tests;
mod values;
mod wanted;
mod ways;
mod words;

pub use each::{EachListed, eaches, set_each, try_each};
pub use error::{FileError, FileProblem, MakeError};
pub use examples::{Examples, Node};
pub use grow::{Draws, Grown, infer_growing};
pub use infer::{InferSettings, Inferred, LikeList, Method, clusters, infer, sample};
pub use listed::list_of;
pub use part::point_part;
pub use point::{Pointed, point, to_paths};
pub use read::{Expression, LONGEST, Schema};
pub use recognizers::{Attribute, Recognizers};
pub use rename::{RenameError, rename_fields};
pub use wanted::{Asked, Pick, SURE, choose_fields, with_picks};
pub use ways::{MOST_TRIED, TriedWay, TryWayError, WayListed, prefer, set_way, try_way, ways};

use crate::input::Place;
use crate::tend::TendError;
use crate::{Document, Job, Wrapper};
use ::learn::{Allow, Prefer};
use wrapper::rule::Class;

/// What is known about pages.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Basis<'b> {
    /// What is on some of the pages: all records of each page that is named.
    Examples(&'b Examples),
    /// The type of the records, and what is on some of the pages.
    Schema(&'b Schema, &'b Examples),
    /// How the values are known, on all pages.
    Recognizers(&'b Recognizers),
    /// How the records are found.
    Expression(&'b Expression),
}

/// How to learn.
#[derive(Clone, Debug)]
pub struct LearnSettings {
    /// What a record is called, where no schema or expression says it.
    pub record: String,
    /// The class of delimiters, or none for the simplest that will do.
    pub class: Option<Class>,
    /// Try delimiters first, also where the examples are few?
    pub delimiters: bool,
    /// Which of the valid delimiters to take.
    pub prefer: Prefer,
    /// What is allowed beyond the pure classes of delimiters.
    pub allow: Allow,
    /// The share of pages that delimiters may err on, for the bound on examples.
    pub epsilon: f64,
    /// The risk that they err on more.
    pub delta: f64,
    /// Pages without examples: what paths find there decides among those that fit the examples.
    pub also: Vec<Document>,
}

impl Default for LearnSettings {
    fn default() -> LearnSettings {
        LearnSettings {
            record: "record".to_owned(),
            class: None,
            delimiters: false,
            prefer: Prefer::default(),
            allow: Allow::ALL,
            epsilon: 0.05,
            delta: 0.05,
            also: Vec::new(),
        }
    }
}

/// A wrapper that was learned.
#[derive(Clone, Debug)]
pub struct Made {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What may make it worse than wanted, in words.
    pub warnings: Vec<String>,
    /// How it was made, in words.
    pub notes: Vec<String>,
    /// How sure that is by theory, in words.
    pub details: Vec<String>,
    /// The fields that a record must have, and for which no rule was found.
    pub missing: Vec<String>,
    /// Does it give all the examples, and has every field a rule?
    pub is_right: bool,
}

impl Made {
    /// What the wrapper never found on the pages that it was made from, in words: fields, and pages without a value. Fields of
    /// which a warning tells already are left out.
    pub fn never_found(&self) -> Vec<String> {
        let mut told = Vec::new();
        let evidence = &self.wrapper.evidence;
        for (table, profile) in self.wrapper.record_type.tables().iter().zip(&evidence.profiles) {
            let fields = table.columns.iter().zip(&profile.fields);
            for (column, _) in fields.filter(|(_, field)| field.count == 0) {
                let names: Vec<&str> = table.path.iter().chain(&column.path).map(String::as_str).collect();
                let name = format!("`{}`", names.join("."));
                let is_told = self.warnings.iter().any(|warning| warning.contains(&name))
                    || self.missing.iter().any(|missing| name == format!("`{missing}`"));
                if !is_told {
                    told.push(format!("{name} was found on none of the pages"));
                }
            }
        }
        let empty = evidence.pages.iter().filter(|page| page.values == 0);
        told.extend(empty.map(|page| format!("found nothing on {}", page.name)));
        told
    }
}

/// Something that is called as a page is, so that examples can name it.
pub trait NamedPage {
    /// The name.
    fn name(&self) -> String;
}

impl NamedPage for Document {
    fn name(&self) -> String {
        self.name.to_string()
    }
}

impl NamedPage for Place {
    fn name(&self) -> String {
        self.to_string()
    }
}

/// Learns a wrapper from documents and what is known about them.
///
/// Rules by delimiters are made from the source of pages, so their documents must have it. Warnings are told to the job as
/// they come, and given again in the end.
///
/// # Errors
///
/// See [`MakeError`].
///
/// ```
/// use wrapwright::make::{Basis, Examples, LearnSettings, learn};
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let page = |name, html| Document::from_source(name, html, &ParseSettings::default());
/// let known = page("a.html", "<ul><li><b>Congo</b> 242</li><li><b>Egypt</b> 20</li></ul>")?;
/// let other = page("b.html", "<ul><li><b>Peru</b> 51</li></ul>")?;
///
/// let examples = r#"{"a.html": [{"name": "Congo", "code": "242"}, {"name": "Egypt", "code": "20"}]}"#;
/// let examples = Examples::from_json("examples", examples)?;
/// let made = learn(&[known], Basis::Examples(&examples), &LearnSettings::default(), &Job::new())?;
/// let records = made.wrapper.extract(&other)?;
/// assert_eq!(records[0].get("code"), Some("51"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn(documents: &[Document], basis: Basis<'_>, settings: &LearnSettings, job: &Job) -> Result<Made, MakeError> {
    for (name, value) in [("epsilon", settings.epsilon), ("delta", settings.delta)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(MakeError::NotAShare { name, value });
        }
    }
    let mut made = match basis {
        Basis::Examples(examples) => by_examples::learn(documents, examples, settings, job),
        Basis::Schema(schema, examples) => by_paths::learn(documents, schema, examples, &settings.also, job),
        Basis::Recognizers(recognizers) => by_recognizers::learn(documents, recognizers, settings, job),
        Basis::Expression(expression) => by_expression::learn(documents, expression, job),
    }?;
    know_more(&mut made, &settings.also, job)?;
    Ok(made)
}

/// Adds what a new wrapper gives on pages without examples to what it knows, if they look like those with examples: a few records say little about
/// what values are like, and a repair finds again what was known.
fn know_more(made: &mut Made, also: &[Document], job: &Job) -> Result<(), MakeError> {
    if also.is_empty() || !made.wrapper.is_known() {
        return Ok(());
    }
    let (accepted, left_out) = match crate::tend::accept_as_before(&mut made.wrapper, also, job) {
        Ok(accepted) => accepted,
        Err(TendError::Stopped) => return Err(MakeError::Stopped),
        Err(TendError::Wrapper(error)) => return Err(error.into()),
        Err(TendError::NoPages | TendError::NoRecords | TendError::Unknown(_)) => return Ok(()),
    };
    let new = accepted.pages - accepted.known;
    if new > 0 {
        made.notes.push(format!(
            "also remembers what is on {} without examples",
            words::counted(usize::try_from(new).unwrap_or(usize::MAX), "page")
        ));
    }
    if left_out > 0 {
        let (of, number) = (also.len(), left_out);
        made.notes.push(format!(
            "{number} of the {of} pages without examples are not like the others, so they are not remembered"
        ));
    }
    Ok(())
}

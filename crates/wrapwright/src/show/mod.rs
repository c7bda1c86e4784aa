//! Wrappers for people: in words, as pictures, on a page, and in other languages.
//!
//! Every function here takes a wrapper and gives a text; nothing is written to files. [`brief`] and [`text`] work for every
//! kind of wrapper. The other forms exist only for some kinds, and [`ShowError`] says which:
//!
//! | form | kinds |
//! |---|---|
//! | [`svg`], the tree as a picture | `landmarks`, `template` |
//! | [`page`], a page with the values coloured | all |
//! | [`schema`], the schema of the records | `template`; `paths` that were learned by a schema |
//! | [`in_language`], as XQuery or OXPath | `paths`; `landmarks` and `template` in part; `oxpath` as OXPath |
//!
//! [`frozen`] gives any page as HTML that does nothing, and [`placed`] the records of a page with the nodes of their values, so
//! that a window can show both together.
//!
//! ```
//! use wrapwright::rule::paths::{PathField, Paths, Way};
//! use wrapwright::wrapper::{Rule, Wrapper};
//! use wrapwright::{RecordType, show};
//!
//! let title = Way { path: ".//h1".to_owned(), ..Way::default() };
//! let rule = Paths { fields: vec![PathField { many: false, ways: vec![title] }], ..Paths::default() };
//! let wrapper = Wrapper::bare(Rule::Paths(rule), RecordType::flat("page", ["title"]), None);
//! assert!(show::text(&wrapper).starts_with("wrapper by paths; records: page"));
//! let expression = show::in_language(&wrapper, show::Language::Oxpath)?;
//! assert!(expression.contains("<title"));
//! assert!(show::svg(&wrapper).is_err());
//! # Ok::<(), show::ShowError>(())
//! ```

mod brief;
#[cfg(feature = "learn")]
pub mod cards;
mod delimiters;
mod frozen;
mod landmarks;
mod page;
mod paths;
mod picture;
mod placed;
mod template;

pub use frozen::{Frozen, Loader, MOST_BYTES, MOST_NODES, POLICY, Spot};
pub use frozen::{frozen, loading_policy, node_at, spot, thawed, thawed_sheet};
pub use placed::{Placed, PlacedRow, placed};

use crate::Page;
use crate::record::XmlRoot;
use crate::rule::landmark as marks;
use crate::rule::paths::{to_oxpath, to_xquery};
use crate::rule::template as templates;
use crate::rule::template::{dtd, json_schema};
use crate::wrapper::{Given, Rule, Wrapper};
use std::fmt;

/// How many pages a rule was inferred from, as a line; nothing where only the rule is of interest.
fn inferred_from(wrapper: &Wrapper) -> String {
    match wrapper.evidence.pages.len() {
        0 => String::new(),
        1 => "\nInferred from 1 page.\n".to_owned(),
        pages => format!("\nInferred from {pages} pages.\n"),
    }
}

/// A language that rules can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// XQuery, with FOR, LET and RETURN.
    Xquery,
    /// OXPath, with markers.
    Oxpath,
}

/// A form of schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaFormat {
    /// JSON Schema.
    Json,
    /// A DTD.
    Dtd,
}

/// Why a wrapper cannot be shown in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShowError {
    /// Wrappers of this kind have no such form.
    Kind {
        /// The kind that was found.
        found: &'static str,
        /// The kinds that have the form, in words.
        expected: &'static str,
    },
    /// The wrapper was not learned by a schema.
    NoSchema,
    /// The wrapper was learned by a schema of this form, not of the one that was asked for.
    OtherSchema(SchemaFormat),
    /// No expression of the language gives the same records.
    NoEquivalent(Language),
    /// The wrapper finds no value on the page.
    NothingFound,
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShowError::Kind { found, expected } => {
                write!(f, "found a wrapper of kind `{found}`, expected one of kind {expected}")
            }
            ShowError::NoSchema => f.write_str("the wrapper was not learned by a schema"),
            ShowError::OtherSchema(SchemaFormat::Dtd) => f.write_str("the wrapper was learned by a DTD"),
            ShowError::OtherSchema(SchemaFormat::Json) => f.write_str("the wrapper was learned by a JSON Schema"),
            ShowError::NothingFound => f.write_str("the wrapper finds no value on this page, so there is nothing to show"),
            ShowError::NoEquivalent(Language::Oxpath) => f.write_str(
                "there is no equivalent OXPath: a name is not a valid marker, no path says where the values are, or nested records \
                 are outside the elements of their records",
            ),
            ShowError::NoEquivalent(Language::Xquery) => {
                f.write_str("there is no equivalent XQuery: nested records are outside the elements of their records")
            }
        }
    }
}

impl std::error::Error for ShowError {}

/// A wrapper in ten lines at most: what it extracts, from where, with a value of some fields.
pub fn brief(wrapper: &Wrapper) -> String {
    brief::brief(wrapper)
}

/// A wrapper in words, with its whole rule.
pub fn text(wrapper: &Wrapper) -> String {
    match &wrapper.rule {
        Rule::Delimiters(rule) => delimiters::describe(wrapper, rule),
        Rule::Landmarks(rule) => landmarks::describe(wrapper, rule),
        Rule::Template(rule) => template::describe(wrapper, rule),
        _ => paths::describe(wrapper),
    }
}

/// The tree of a landmark wrapper or a template as a picture.
///
/// # Errors
///
/// The wrapper is of another kind.
pub fn svg(wrapper: &Wrapper) -> Result<String, ShowError> {
    match &wrapper.rule {
        Rule::Landmarks(rule) => Ok(picture::svg(&landmarks::lines(rule))),
        Rule::Template(rule) => Ok(picture::svg(&template::lines(rule))),
        rule => Err(ShowError::Kind {
            found: rule.kind(),
            expected: "`landmarks` or `template`",
        }),
    }
}

/// A page as HTML, laid out as it is, with the values that a wrapper finds on it coloured, also those of fields that it does not show.
///
/// # Errors
///
/// The wrapper finds nothing on the page.
pub fn page(wrapper: &Wrapper, page: &Page) -> Result<String, ShowError> {
    let (fields, data) = match &wrapper.rule {
        Rule::Landmarks(rule) => (page::of_landmarks(page, rule), page::of_data(page, rule)),
        _ => (page::of_records(page, wrapper), Vec::new()),
    };
    match fields.is_empty() && data.is_empty() {
        true => Err(ShowError::NothingFound),
        false => Ok(page::coloured(page, &fields, &data)),
    }
}

/// The schema of a template's records, or the schema that a wrapper was learned by.
///
/// # Errors
///
/// The wrapper was not learned by a schema, or by one of another form.
pub fn schema(wrapper: &Wrapper, format: SchemaFormat) -> Result<String, ShowError> {
    let name = &wrapper.record_type.name;
    match (&wrapper.rule, &wrapper.given, format) {
        (Rule::Template(template), _, SchemaFormat::Json) => Ok(json_schema(template, name)),
        (Rule::Template(template), _, SchemaFormat::Dtd) => Ok(dtd(template, name)),
        (_, Some(Given::Dtd(text)), SchemaFormat::Dtd) | (_, Some(Given::JsonSchema(text)), SchemaFormat::Json) => {
            Ok(format!("{}\n", text.trim_end()))
        }
        (_, Some(Given::Dtd(_)), _) => Err(ShowError::OtherSchema(SchemaFormat::Dtd)),
        (_, Some(Given::JsonSchema(_)), _) => Err(ShowError::OtherSchema(SchemaFormat::Json)),
        (_, None, _) => Err(ShowError::NoSchema),
    }
}

/// A rule in another language. The OXPath of paths opens the page `$page`. Landmarks, and the lists of
/// templates, are translated as far as paths can say the same; comments at the beginning say what is lost.
///
/// # Errors
///
/// The wrapper is of a kind that cannot be translated, or has no equivalent in that language.
pub fn in_language(wrapper: &Wrapper, language: Language) -> Result<String, ShowError> {
    let record_type = &wrapper.record_type;
    match (&wrapper.rule, language) {
        (Rule::Oxpath(text), Language::Oxpath) => Ok(format!("{}\n", text.trim_end())),
        (Rule::Paths(rule), Language::Oxpath) => {
            to_oxpath(rule, record_type, "doc($page)").ok_or(ShowError::NoEquivalent(language))
        }
        (Rule::Paths(rule), Language::Xquery) => {
            let document = match &record_type.root {
                XmlRoot::Element(name) => Some(name.as_str()),
                _ => None,
            };
            to_xquery(rule, record_type, document).ok_or(ShowError::NoEquivalent(language))
        }
        (Rule::Landmarks(_) | Rule::Template(_), _) => {
            let missing = || ShowError::NoEquivalent(language);
            let kind = wrapper.sink_type();
            let translated = match &wrapper.rule {
                Rule::Landmarks(rule) => marks::to_paths(rule, &kind),
                Rule::Template(rule) => templates::to_paths(rule, &kind),
                _ => None,
            };
            let translated = translated.ok_or_else(missing)?;
            let text = match language {
                Language::Oxpath => to_oxpath(&translated.rule, &translated.record_type, "doc($page)"),
                Language::Xquery => to_xquery(&translated.rule, &translated.record_type, None),
            };
            let notes = translated
                .lost
                .iter()
                .map(|lost| format!("(: {} :)\n", lost.replace(":)", ": )")));
            Ok(notes.collect::<String>() + &text.ok_or_else(missing)?)
        }
        (rule, _) => Err(ShowError::Kind {
            found: rule.kind(),
            expected: "`paths`, `landmarks` or `template`",
        }),
    }
}

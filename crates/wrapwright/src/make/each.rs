//! The paths to the records themselves, written by hand.
//!
//! A rule by paths finds records first and values in them. The paths to the records are in order of preference, like those to a
//! field: the first one that finds something is taken. A rule without any takes each page as one record. Records inside of others
//! have paths of their own; a field tells which are meant.
//!
//! **Cost**: each path is evaluated once for each page.

use super::MakeError;
use super::point::paths_at;
use super::ways::{MOST_TRIED, TriedWay, TryWayError, column_of, with_rule};
use crate::{Document, NodeId, Query, Value, Wrapper};
use wrapper::Rule;
use wrapper::rule::paths::Paths;

/// A path to records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EachListed {
    /// The path from the page.
    pub path: String,
    /// On how many pages it finds something, of how many.
    pub filled: (usize, usize),
    /// How many records it finds on all pages.
    pub records: usize,
}

/// The paths to the records that a field belongs to, or to the outermost ones; none if the rule is not made of paths.
pub fn eaches(wrapper: &Wrapper, documents: &[Document], field: Option<&str>) -> Vec<EachListed> {
    let Some((rule, _)) = rule_of(wrapper, field) else {
        return Vec::new();
    };
    let each = rule.each.into_iter().map(|path| {
        let tried = try_each(wrapper, documents, field, &path).ok();
        EachListed {
            filled: tried.as_ref().map_or((0, documents.len()), |(tried, _)| tried.filled),
            records: tried.map_or(0, |(_, records)| records),
            path,
        }
    });
    each.collect()
}

/// What a path to records would find, if it were the only one: on how many pages, of how many; and how many records. The values are
/// the records with the beginning of their text, at most [`MOST_TRIED`]. Nothing is changed.
///
/// # Errors
///
/// The rule has no paths, or the path does not compile.
///
/// ```
/// use wrapwright::make::{InferSettings, Method, eaches, infer, set_each, try_each};
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let item = |name: &str| format!("<li><b>{name}</b><i>{}.50</i></li>", name.len());
/// let html = format!("<ul>{}</ul>", ["Kelp", "Moss", "Fern", "Salt Road"].map(item).concat());
/// let pages = [Document::from_source("a", html, &ParseSettings::default())?];
/// let settings = InferSettings { method: Method::Regions, ..InferSettings::default() };
/// let wrapper = infer(&pages, &settings, &Job::new())?.wrapper;
/// assert_eq!(eaches(&wrapper, &pages, None)[0].records, 4);
/// let (tried, records) = try_each(&wrapper, &pages, None, "//li[position() > 1]")?;
/// assert_eq!((tried.filled, records), ((1, 1), 3));
/// let wrapper = set_each(&wrapper, &pages, None, 0, "//li[position() > 1]")?;
/// assert_eq!(wrapper.extract(&pages[0])?.len(), 3);
/// assert!(try_each(&wrapper, &pages, None, "//li[").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn try_each(
    wrapper: &Wrapper,
    documents: &[Document],
    field: Option<&str>,
    path: &str,
) -> Result<(TriedWay, usize), TryWayError> {
    let _ = rule_of(wrapper, field).ok_or(TryWayError::NoField)?;
    let query = Query::compile(path).map_err(TryWayError::Path)?;
    let (mut filled, mut records, mut values) = (0, 0, Vec::new());
    for (number, document) in documents.iter().enumerate() {
        let found = match query.evaluate(&document.page) {
            Ok(Value::Nodes(nodes)) => nodes,
            _ => Vec::new(),
        };
        filled += usize::from(!found.is_empty());
        records += found.len();
        let room = MOST_TRIED.saturating_sub(values.len());
        let texts = found.into_iter().take(room);
        values.extend(texts.map(|node: NodeId| (number, node, said(document, node))));
    }
    let tried = TriedWay {
        filled: (filled, documents.len()),
        values,
    };
    Ok((tried, records))
}

/// The most characters of a record that are told.
const LONGEST: usize = 80;

/// The beginning of what a record says.
fn said(document: &Document, node: NodeId) -> String {
    let words = document.page.string_value(node).split_whitespace();
    let text = words.take(LONGEST / 4).collect::<Vec<_>>().join(" ");
    text.chars().take(LONGEST).collect()
}

/// The wrapper with a path to its records that somebody wrote: in the place of another one, or as the last one. An empty path takes
/// the other one away.
///
/// # Errors
///
/// The rule has no paths, there is no such path, it does not compile, or it finds no record on any page.
pub fn set_each(
    wrapper: &Wrapper,
    documents: &[Document],
    field: Option<&str>,
    at: usize,
    path: &str,
) -> Result<Wrapper, MakeError> {
    let refused = |message: String, advice| MakeError::Paths {
        place: "the path to the records".to_owned(),
        message,
        advice,
    };
    let advice = "correct the path";
    let path = path.trim();
    if !path.is_empty() {
        let tried = try_each(wrapper, documents, field, path);
        let (_, records) = tried.map_err(|error| refused(error.to_string(), advice))?;
        if records == 0 && !documents.is_empty() {
            return Err(refused("it finds nothing on these pages".to_owned(), advice));
        }
    }
    let Rule::Paths(rule) = &wrapper.rule else {
        return Err(refused("the rule has no paths".to_owned(), "say it as paths first"));
    };
    let mut rule = rule.clone();
    let place = rule_of(wrapper, field).map(|(_, way)| way).unwrap_or_default();
    let Some(own) = paths_at(&mut rule, &place).filter(|own| at <= own.each.len()) else {
        return Err(refused(
            format!("there is no path {}", at + 1),
            "take one that is listed",
        ));
    };
    let new = (!path.is_empty()).then(|| path.to_owned());
    let end = own.each.len().min(at + 1);
    own.each.splice(at..end, new);
    with_rule(wrapper, rule, documents)
}

/// The rule for the records that a field belongs to, and the way to it; without a field, for the outermost ones.
fn rule_of(wrapper: &Wrapper, field: Option<&str>) -> Option<(Paths, Vec<usize>)> {
    let Rule::Paths(rule) = &wrapper.rule else { return None };
    let (way, _) = match field {
        Some(field) => column_of(wrapper, field)?,
        None => (Vec::new(), 0),
    };
    let own = paths_at(&mut rule.clone(), &way)?.clone();
    Some((own, way))
}

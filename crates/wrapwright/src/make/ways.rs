//! The ways to a field: which a rule by paths has, how many records each one serves, which one comes first, and ways that
//! somebody wrote.
//!
//! A rule by paths has several ways to a field, in order of preference: the first one that finds something is taken. All were
//! learned and fit the examples. Which one is best may show only on more pages, or somebody may know.
//!
//! **Cost**: each way is evaluated once for each record.

use super::MakeError;
use super::point::{contexts, paths_at};
use crate::{CompileError, Document, NodeId, Query, Wrapper};
use std::fmt;
use wrapper::Rule;
use wrapper::rule::paths::{PathError, PathField, Paths, PathsRun, Way};

/// A way to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayListed {
    /// The path from the record.
    pub path: String,
    /// Words to pass first, within the text that the path leads to.
    pub skips: Vec<String>,
    /// Words before and after the value, within that text.
    pub around: (String, String),
    /// A regular expression for what is left, whose first group is the value.
    pub matching: String,
    /// How many records it gives a value for, of how many.
    pub filled: (usize, usize),
}

/// The ways to a field, best first; none if the rule is not made of paths or has no such field.
///
/// ```
/// use wrapwright::make::{Pointed, point, prefer, ways};
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let html = "<p id=price class=x>Price: <b itemprop=price>7.25</b></p>";
/// let pages = [Document::from_source("a", html, &ParseSettings::default())?];
/// let price = *pages[0].page.texts().last().ok_or("no text")?;
/// let at = [Pointed { document: 0, node: price, is_wrong: false }];
/// let wrapper = point(&pages, None, "price", &at, &Job::new())?.wrapper;
/// let found = ways(&wrapper, &pages, "price");
/// assert!(found.iter().all(|way| way.filled == (1, 1)));
/// let last = found.len() - 1;
/// let wrapper = prefer(&wrapper, &pages, "price", last)?;
/// assert_eq!(ways(&wrapper, &pages, "price")[0].path, found[last].path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ways(wrapper: &Wrapper, documents: &[Document], field: &str) -> Vec<WayListed> {
    let mut rule = match &wrapper.rule {
        Rule::Paths(rule) => rule.clone(),
        _ => return Vec::new(),
    };
    let Some((way, column)) = column_of(wrapper, field) else {
        return Vec::new();
    };
    let Ok(run) = PathsRun::new(&rule) else {
        return Vec::new();
    };
    let records = records_of(&run, &way, documents);
    let of = records.iter().map(|(_, nodes)| nodes.len()).sum();
    let found = paths_at(&mut rule, &way).and_then(|rule| rule.fields.get(column).cloned());
    let each = found.into_iter().flat_map(|field| field.ways).map(|way| WayListed {
        filled: (served(&way, &records), of),
        path: way.path,
        skips: way.skips,
        around: (way.after, way.before),
        matching: way.matching,
    });
    each.collect()
}

/// A rule of one way alone.
fn alone(way: &Way, many: bool) -> Paths {
    Paths {
        fields: vec![PathField {
            many,
            ways: vec![way.clone()],
        }],
        ..Paths::default()
    }
}

/// The number of records for which a way finds something.
fn served(way: &Way, records: &[(&Document, Vec<NodeId>)]) -> usize {
    let Ok(run) = PathsRun::new(&alone(way, false)) else {
        return 0;
    };
    let on = |(document, nodes): &(&Document, Vec<NodeId>)| {
        let filled = nodes
            .iter()
            .filter(|node| !run.field(&document.page, **node, 0).is_empty());
        filled.count()
    };
    records.iter().map(on).sum()
}

/// The wrapper with another way to a field in the first place; `way` counts as [`ways`] lists them.
///
/// # Errors
///
/// There is no such way.
pub fn prefer(wrapper: &Wrapper, documents: &[Document], field: &str, way: usize) -> Result<Wrapper, MakeError> {
    changed(wrapper, documents, field, |ways| {
        if way >= ways.len() {
            return Err(no_way(field, way));
        }
        let first = ways.remove(way);
        ways.insert(0, first);
        Ok(())
    })
}

/// What a way gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedWay {
    /// How many records it gives a value for, of how many.
    pub filled: (usize, usize),
    /// The values: the document, by its place among those given, the node, and the text. At most [`MOST_TRIED`].
    pub values: Vec<(usize, NodeId, String)>,
}

/// The most values of a way that are given back by [`try_way`].
pub const MOST_TRIED: usize = 5000;

/// Why a way cannot be tried.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TryWayError {
    /// The rule is not made of paths, or has no such field.
    NoField,
    /// The path is not an XPath expression.
    Path(CompileError),
    /// The path is an expression that a rule cannot have.
    Rule(PathError),
}

impl fmt::Display for TryWayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TryWayError::NoField => f.write_str("only fields of rules by paths have ways"),
            TryWayError::Path(error) => error.fmt(f),
            TryWayError::Rule(error) => f.write_str(&error.message),
        }
    }
}

impl std::error::Error for TryWayError {}

/// What a way to a field would give, if it were the only one. Nothing is changed.
///
/// # Errors
///
/// There is no such field, or the path does not compile; see [`TryWayError`].
///
/// ```
/// use wrapwright::make::{Pointed, TryWayError, point, set_way, try_way, ways};
/// use wrapwright::rule::paths::Way;
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let pages = [Document::from_source("a", "<p>Price: <b>7.25</b>", &ParseSettings::default())?];
/// let price = *pages[0].page.texts().last().ok_or("no text")?;
/// let at = [Pointed { document: 0, node: price, is_wrong: false }];
/// let wrapper = point(&pages, None, "price", &at, &Job::new())?.wrapper;
/// let way = |path: &str| Way { path: path.to_owned(), ..Way::default() };
/// let tried = try_way(&wrapper, &pages, "price", &way("//b"))?;
/// assert_eq!((tried.filled, tried.values[0].2.as_str()), ((1, 1), "7.25"));
/// assert!(matches!(try_way(&wrapper, &pages, "price", &way("//b[")), Err(TryWayError::Path(_))));
/// let wrapper = set_way(&wrapper, &pages, "price", 0, way("//b"))?;
/// assert_eq!(ways(&wrapper, &pages, "price")[0].path, "//b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn try_way(wrapper: &Wrapper, documents: &[Document], field: &str, way: &Way) -> Result<TriedWay, TryWayError> {
    let Rule::Paths(rule) = &wrapper.rule else {
        return Err(TryWayError::NoField);
    };
    let (place, column) = column_of(wrapper, field).ok_or(TryWayError::NoField)?;
    let many = paths_at(&mut rule.clone(), &place)
        .and_then(|rule| rule.fields.get(column).map(|field| field.many))
        .ok_or(TryWayError::NoField)?;
    Query::compile(&way.path).map_err(TryWayError::Path)?;
    let tried = PathsRun::new(&alone(way, many)).map_err(TryWayError::Rule)?;
    let run = PathsRun::new(rule).map_err(TryWayError::Rule)?;
    let records = records_of(&run, &place, documents);
    let of = records.iter().map(|(_, nodes)| nodes.len()).sum();
    let (mut filled, mut values) = (0, Vec::new());
    for (number, (document, nodes)) in records.iter().enumerate() {
        for node in nodes {
            let found = tried.field(&document.page, *node, 0);
            filled += usize::from(!found.is_empty());
            let room = MOST_TRIED.saturating_sub(values.len());
            values.extend(
                found
                    .into_iter()
                    .take(room)
                    .map(|value| (number, value.node, value.text)),
            );
        }
    }
    Ok(TriedWay {
        filled: (filled, of),
        values,
    })
}

/// The wrapper with a way to a field that somebody wrote: in the place of another one, which is counted as [`ways`] lists them,
/// or as the last one.
///
/// # Errors
///
/// There is no such field or way, or the path does not compile.
pub fn set_way(
    wrapper: &Wrapper,
    documents: &[Document],
    field: &str,
    at: usize,
    way: Way,
) -> Result<Wrapper, MakeError> {
    if let Err(error) = try_way(wrapper, &[], field, &way) {
        return Err(MakeError::Paths {
            place: format!("`{field}`"),
            message: error.to_string(),
            advice: "correct the path",
        });
    }
    changed(wrapper, documents, field, |ways| {
        if at > ways.len() {
            return Err(no_way(field, at));
        }
        ways.splice(at..ways.len().min(at + 1), [way]);
        Ok(())
    })
}

fn no_way(field: &str, way: usize) -> MakeError {
    MakeError::Paths {
        place: format!("`{field}`"),
        message: format!("there is no way {} to this field", way + 1),
        advice: "only rules by paths have several ways to a field",
    }
}

/// The records of each document that a field's table is made of.
fn records_of<'d>(run: &PathsRun, way: &[usize], documents: &'d [Document]) -> Vec<(&'d Document, Vec<NodeId>)> {
    let each = documents.iter().map(|document| {
        let mut nodes = Vec::new();
        contexts(&run.page(&document.page), way, &mut nodes);
        (document, nodes)
    });
    each.collect()
}

/// The wrapper with other ways to a field.
pub(super) fn changed(
    wrapper: &Wrapper,
    documents: &[Document],
    field: &str,
    change: impl FnOnce(&mut Vec<Way>) -> Result<(), MakeError>,
) -> Result<Wrapper, MakeError> {
    let missing = || no_way(field, 0);
    let Rule::Paths(rule) = &wrapper.rule else {
        return Err(missing());
    };
    let (place, column) = column_of(wrapper, field).ok_or_else(missing)?;
    let mut rule = rule.clone();
    let found = paths_at(&mut rule, &place).and_then(|rule| rule.fields.get_mut(column));
    change(&mut found.ok_or_else(missing)?.ways)?;
    with_rule(wrapper, rule, documents)
}

/// The wrapper with another rule for the same fields.
pub(super) fn with_rule(wrapper: &Wrapper, rule: Paths, documents: &[Document]) -> Result<Wrapper, MakeError> {
    let made = Wrapper::made(
        Rule::Paths(rule),
        wrapper.record_type.clone(),
        wrapper.given.clone(),
        documents,
    )?;
    Ok(Wrapper {
        shown: wrapper.shown.clone(),
        key: wrapper.key.clone(),
        navigation: wrapper.navigation.clone(),
        ..made
    })
}

/// The way to a field's table, as numbers of inner kinds of records, and its column there.
pub(super) fn column_of(wrapper: &Wrapper, field: &str) -> Option<(Vec<usize>, usize)> {
    let tables = wrapper.record_type.tables();
    for (number, table) in tables.iter().enumerate() {
        let name = |path: &[String]| [&table.path[..], path].concat().join(".");
        let Some(column) = table.columns.iter().position(|column| name(&column.path) == field) else {
            continue;
        };
        let mut way = Vec::new();
        let mut at = number;
        while let Some(parent) = tables[at].parent {
            let before = tables[..at].iter().filter(|other| other.parent == Some(parent));
            way.insert(0, before.count());
            at = parent;
        }
        return Some((way, column));
    }
    None
}

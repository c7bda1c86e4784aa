//! The ways to a field: which a rule by paths has, how many records each one serves, and which one comes first.
//!
//! A rule by paths has several ways to a field, in order of preference: the first one that finds something is taken. All were
//! learned and fit the examples. Which one is best may show only on more pages, or somebody may know.
//!
//! **Cost**: each way is evaluated once for each record.

use super::MakeError;
use super::point::{contexts, paths_at};
use crate::{Document, NodeId, Wrapper};
use wrapper::Rule;
use wrapper::rule::paths::{PathField, Paths, PathsRun, Way};

/// A way to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayListed {
    /// The path from the record.
    pub path: String,
    /// Words before and after the value, within the text that the path leads to.
    pub around: (String, String),
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
    let records: Vec<(&Document, Vec<NodeId>)> = documents
        .iter()
        .map(|document| {
            let mut nodes = Vec::new();
            contexts(&run.page(&document.page), &way, &mut nodes);
            (document, nodes)
        })
        .collect();
    let of = records.iter().map(|(_, nodes)| nodes.len()).sum();
    let found = paths_at(&mut rule, &way).and_then(|rule| rule.fields.get(column).cloned());
    let each = found.into_iter().flat_map(|field| field.ways).map(|way| WayListed {
        filled: (served(&way, &records), of),
        path: way.path,
        around: (way.after, way.before),
    });
    each.collect()
}

/// The number of records for which a way finds something.
fn served(way: &Way, records: &[(&Document, Vec<NodeId>)]) -> usize {
    let alone = Paths {
        fields: vec![PathField {
            many: false,
            ways: vec![way.clone()],
        }],
        ..Paths::default()
    };
    let Ok(run) = PathsRun::new(&alone) else { return 0 };
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
    let missing = || MakeError::Paths {
        place: format!("`{field}`"),
        message: format!("there is no way {} to this field", way + 1),
        advice: "only rules by paths have several ways to a field",
    };
    let Rule::Paths(rule) = &wrapper.rule else {
        return Err(missing());
    };
    let (place, column) = column_of(wrapper, field).ok_or_else(missing)?;
    let mut rule = rule.clone();
    let ways = paths_at(&mut rule, &place)
        .and_then(|rule| rule.fields.get_mut(column))
        .map(|field| &mut field.ways)
        .filter(|ways| way < ways.len())
        .ok_or_else(missing)?;
    let first = ways.remove(way);
    ways.insert(0, first);
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
fn column_of(wrapper: &Wrapper, field: &str) -> Option<(Vec<usize>, usize)> {
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

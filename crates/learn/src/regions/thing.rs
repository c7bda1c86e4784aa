//! The one thing that a page is about, as a record: its name, and what its labels say.
//!
//! **In**: a page and the lists that were found on it. **Out**: a [`Thing`]: a rule that gives one record for a page, with the name of the page as `title` and a field for each label
//! of its [`properties`](super::properties). A value is found by the words of its label, so that another page of the site with more or fewer labels has its values in the right fields.
//!
//! A page may have properties and a list. It is about the thing if its properties come first: its only `h1`, then the properties, then a heading below which the list is. Otherwise the
//! list is what is meant, and labels are about all of it.
//!
//! *Known failures*: values without labels (a price below the name) are no fields; a page with the list of a shop's things below the address of the shop, each with a heading.

use super::properties::{Property, properties};
use super::sight::Sight;
use super::{Candidate, is_unnamed};
use crate::naming::{Used, label_name};
use page::titles::plain;
use page::{NodeId, Page};
use wrapper::rule::paths::{PathField, Paths, PathsRun, Way};

/// The fewest labels whose values a record has.
const FEWEST: usize = 2;

/// What a page says about one thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The rule that gives one record for a page.
    pub rule: Paths,
    /// The names of its fields.
    pub names: Vec<String>,
}

/// The thing of a page, if the page says what it is with labels, and where its properties are: the first and the last label.
pub(super) fn find(sight: &Sight<'_>, all: &[Candidate]) -> Option<(Thing, (NodeId, NodeId))> {
    let page = sight.page;
    let mut blocks: Vec<Vec<Property>> = Vec::new();
    for candidate in all {
        let first = candidate.firsts()[0];
        if !sight.is_framing(first) && !sight.says_frame(candidate.items.base) {
            blocks.push(properties(sight, candidate));
        }
    }
    // Of two divisions of one block, that with more labels.
    blocks.sort_by_key(|block| std::cmp::Reverse(block.len()));
    let mut kept: Vec<Property> = Vec::new();
    for property in blocks.into_iter().flatten() {
        let is_known = |other: &Property| other.node == property.node || other.label == property.label;
        if !kept.iter().any(is_known) {
            kept.push(property);
        }
    }
    kept.sort_by_key(|property| property.node);
    let bounds = (kept.first()?.node, kept.last()?.node);
    let mut used = Used::default();
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    if let Some(path) = title(page) {
        names.push(used.fresh("title".to_owned()));
        fields.push(path);
    }
    let own = names.len();
    for property in &kept {
        let (Some(name), Some(way)) = (label_name(&property.label), &property.way) else {
            continue;
        };
        if leads_to(page, way, &property.value) {
            names.push(used.fresh(name));
            fields.push(way.clone());
        }
    }
    debug_assert!(!names.iter().any(|name| is_unnamed(name)), "labels name the fields");
    let rule = Paths {
        fields: fields.into_iter().map(single).collect(),
        ..Paths::default()
    };
    (names.len() >= own + FEWEST).then_some((Thing { rule, names }, bounds))
}

fn single(way: Way) -> PathField {
    PathField {
        many: false,
        ways: vec![way],
    }
}

/// The way to the name of a page: its only heading of the first level, or its title.
fn title(page: &Page) -> Option<Way> {
    let named = |wanted: &'static str| {
        let elements = page.elements().iter().copied();
        elements.filter(move |element| page.name(*element) == wanted && !page.string_value(*element).trim().is_empty())
    };
    let path = match (named("h1").count(), named("title").count()) {
        (1, _) => "//h1",
        (_, 1) => "//title",
        _ => return None,
    };
    Some(Way {
        path: path.to_owned(),
        ..Way::default()
    })
}

/// Does a way lead to this value on a page? Another row may have the same label.
fn leads_to(page: &Page, way: &Way, value: &str) -> bool {
    let rule = Paths {
        fields: vec![single(way.clone())],
        ..Paths::default()
    };
    let Ok(run) = PathsRun::new(&rule) else { return false };
    let found = run.field(page, NodeId::DOCUMENT, 0);
    found.first().is_some_and(|found| plain(&found.text) == plain(value))
}

/// Is a page about the thing, and not about the list that was found on it: the only `h1`, then the properties, then a heading, then the list?
pub(super) fn is_first(sight: &Sight<'_>, (first, last): (NodeId, NodeId), list: &Candidate) -> bool {
    let page = sight.page;
    let start = list.firsts()[0];
    let level = |node: NodeId| match page.name(node) {
        "h1" => 1,
        "h2" | "h3" | "h4" | "h5" | "h6" => 2,
        _ => 0,
    };
    let elements = page.elements().iter().copied();
    let names: Vec<NodeId> = elements.clone().filter(|node| level(*node) == 1).collect();
    let is_between = |node: NodeId| last < node && node < start && level(node) == 2;
    matches!(names[..], [name] if name < first) && elements.into_iter().any(is_between)
}

//! Sets of two pages from single pages with a list: `--data ../shared/bench/onepage` for the chores on lists.
//!
//! The first page has the first half of the records, the second one the other half; all else is on both. What most records have once
//! in the same place is an attribute (`onepage`). So there are many sites that no rule, limit or weight was made on, with
//! pages whose values are not on the page that a wrapper is learned from.
//!
//! The pages are written anew from their trees, to know where each value stands. Scripts and styles stay out.

use crate::list_pages::VOID;
use crate::onepage::{Known, OnePage, pages};
use crate::records::data::{self, Set};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use wrapper::rule::Found;

/// The fewest records of a half.
const LEAST: usize = 3;
/// An attribute is had by at least this share of the records.
const SHARE: f64 = 0.8;
/// A text that more than this share of the records have is no value.
const SAME: f64 = 0.5;
/// The most attributes.
const MOST: usize = 8;
/// The deepest tree that is written.
const DEEPEST: usize = 400;

/// The sets of a part.
pub(crate) fn load(data: &Path, split: Option<&str>) -> anyhow::Result<Vec<Set>> {
    let mut sets = Vec::new();
    for OnePage { name, page, about } in &pages(data, split)? {
        // A record that is several elements in a row has no end of its own.
        if about["form"].as_str() == Some("head") {
            continue;
        }
        if let Some(known) = Known::new(page, about)? {
            sets.extend(set(name, &known, split));
        }
    }
    Ok(sets)
}

fn set(name: &str, known: &Known<'_>, split: Option<&str>) -> Option<Set> {
    let count = known.records.len();
    let attributes = attributes(known);
    if count < 2 * LEAST || attributes.is_empty() {
        return None;
    }
    let half = count.div_ceil(2);
    Some(Set {
        name: name.to_owned(),
        family: name.to_owned(),
        half: split.map(str::to_owned),
        attributes: (0..attributes.len())
            .map(|number| format!("field {}", number + 1))
            .collect(),
        headers: 0,
        tree: false,
        pages: vec![
            written("first", known, &attributes, 0..half),
            written("second", known, &attributes, half..count),
        ],
        paper: None,
    })
}

/// For each attribute, the node of its value in each record: a text, or an attribute of an element.
fn attributes(known: &Known<'_>) -> Vec<Vec<Option<NodeId>>> {
    let count = known.records.len() as f64;
    let places: BTreeSet<&String> = known.places.iter().flat_map(|places| places.keys()).collect();
    let mut found = Vec::new();
    for place in places {
        let nodes: Vec<Option<NodeId>> = known
            .places
            .iter()
            .map(|places| match places.get(place)?[..] {
                [node] => only_text(known.page, node),
                _ => None,
            })
            .collect();
        let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
        for node in nodes.iter().flatten() {
            *texts.entry(known.page.string_value(*node).trim()).or_default() += 1;
        }
        let had = nodes.iter().flatten().count() as f64;
        let most = texts.values().max().copied().unwrap_or(0) as f64;
        if had >= SHARE * count && most <= (SAME * count).max(1.0) {
            found.push(nodes);
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

/// The only text below a node that is not blank; an attribute itself.
fn only_text(page: &Page, node: NodeId) -> Option<NodeId> {
    match page.kind(node) {
        Kind::Element => {
            let below = (node.0..page.end(node).0).map(NodeId);
            let mut texts =
                below.filter(|node| page.kind(*node) == Kind::Text && !page.string_value(*node).trim().is_empty());
            let first = texts.next()?;
            texts.next().is_none().then_some(first)
        }
        _ => Some(node).filter(|node| !page.string_value(*node).trim().is_empty()),
    }
}

/// The page with some of its records.
fn written(
    name: &str,
    known: &Known<'_>,
    attributes: &[Vec<Option<NodeId>>],
    rows: std::ops::Range<usize>,
) -> data::Page {
    let all = known.records.iter().enumerate();
    let without = all
        .filter(|(row, _)| !rows.contains(row))
        .map(|(_, nodes)| nodes.start)
        .collect();
    let wanted = attributes
        .iter()
        .flat_map(|nodes| nodes[rows.clone()].iter().flatten())
        .copied()
        .collect();
    let mut writer = Writer {
        page: known.page,
        without,
        wanted,
        text: "<!DOCTYPE html>".to_owned(),
        places: BTreeMap::new(),
    };
    known
        .page
        .children(NodeId::DOCUMENT)
        .for_each(|child| writer.node(child, 0));
    let Writer { text, places, .. } = writer;
    let place = |row: usize, attribute: usize| places.get(&attributes[attribute][row]?).cloned();
    let table = |cell: &dyn Fn(std::ops::Range<usize>) -> String| -> Vec<Vec<Option<String>>> {
        rows.clone()
            .map(|row| {
                (0..attributes.len())
                    .map(|attribute| place(row, attribute).map(cell))
                    .collect()
            })
            .collect()
    };
    let tuples = table(&|place| text[place].to_owned());
    let starts: Vec<Vec<Option<u32>>> = rows
        .clone()
        .map(|row| {
            let cells = 0..attributes.len();
            cells
                .map(|attribute| place(row, attribute).map(|place| place.start as u32))
                .collect()
        })
        .collect();
    let mut values: Vec<Found> = Vec::new();
    for row in rows.clone() {
        for attribute in 0..attributes.len() {
            values.extend(place(row, attribute).map(|place| Found {
                field: attribute as u32,
                start: place.start as u32,
                end: place.end as u32,
            }));
        }
    }
    values.sort_by_key(|value| (value.start, value.end, value.field));
    data::Page {
        name: format!("{name}.html"),
        text,
        values,
        tuples,
        places: starts,
    }
}

/// Writes a page, and where some of its texts stand.
struct Writer<'p> {
    page: &'p Page,
    without: BTreeSet<NodeId>,
    wanted: BTreeSet<NodeId>,
    text: String,
    places: BTreeMap<NodeId, std::ops::Range<usize>>,
}

impl Writer<'_> {
    fn node(&mut self, node: NodeId, depth: usize) {
        match self.page.kind(node) {
            Kind::Text => self.value(node, false),
            Kind::Element
                if depth < DEEPEST && !self.without.contains(&node) && !vocabulary::is_unseen(self.page.name(node)) =>
            {
                let name = self.page.name(node);
                self.text += &format!("<{name}");
                for attribute in self.page.attributes(node).map(NodeId) {
                    self.text += &format!(" {}=\"", self.page.name(attribute));
                    self.value(attribute, true);
                    self.text.push('"');
                }
                self.text.push('>');
                if !VOID.contains(&name) {
                    self.page.children(node).for_each(|child| self.node(child, depth + 1));
                    self.text += &format!("</{name}>");
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, node: NodeId, is_quoted: bool) {
        let text = self.page.string_value(node);
        let lead = text.len() - text.trim_start().len();
        let trimmed = text.trim();
        let parts = [&text[..lead], trimmed, &text[lead + trimmed.len()..]].map(|part| escaped(part, is_quoted));
        let start = self.text.len() + parts[0].len();
        if self.wanted.contains(&node) {
            self.places.insert(node, start..start + parts[1].len());
        }
        parts.iter().for_each(|part| self.text += part);
    }
}

fn escaped(text: &str, is_quoted: bool) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    if is_quoted { text.replace('"', "&quot;") } else { text }
}

//! Swaps the values of two fields on a page, with the words that belong to them.
//!
//! The two values of a record have a smallest element around both. In it, each value is in a child, or is one. The children
//! change places, each with its label: the label is inside the child, or it is the sibling before it. If the children are
//! cells of a table row without labels of their own, the headings of the two columns change places as well.
//!
//! What is a label is decided here apart from what the check uses: words without digits that stand at that place in at least
//! four of five records, or that end with a colon if there is only one record.

use super::Seen;
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::paths::{PathRecord, value};

/// The longest label, in characters.
const LONGEST: usize = 60;
/// The siblings before a value among which its label is looked for, blank ones among them.
const SIBLINGS: usize = 3;

/// What is known of a field on all pages.
pub(super) struct Column {
    /// The words before its values, if most have the same.
    pub(super) label: Option<String>,
}

/// A page on which two fields have changed places.
pub(super) struct Swapped {
    pub(super) page: Page,
    /// The numbers of the records whose values have.
    pub(super) records: Vec<usize>,
    /// Do words on the page tell which is which?
    pub(super) is_told: bool,
}

impl Column {
    pub(super) fn new(seen: &[Seen<'_>], field: usize) -> Column {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut all = 0;
        for seen in seen {
            for record in &seen.records {
                let Some(node) = only(record, field) else { continue };
                all += 1;
                if let Some((words, _)) = before(&seen.sample.page, node, NodeId::DOCUMENT) {
                    *counts.entry(words).or_default() += 1;
                }
            }
        }
        let best = counts.into_iter().max_by_key(|(words, count)| (*count, words.clone()));
        let best = best.filter(|(words, count)| {
            let is_one = all > 1 || words.ends_with(':');
            is_one && count * 5 >= all * 4 && !words.chars().any(char::is_numeric)
        });
        Column {
            label: best.map(|(words, _)| words),
        }
    }
}

/// The node of the only value of a field.
fn only(record: &PathRecord, field: usize) -> Option<NodeId> {
    let mut nodes = record.values.iter().filter(|value| value.field == field);
    match (nodes.next(), nodes.next()) {
        (Some(one), None) => Some(one.node),
        _ => None,
    }
}

/// The nearest words before a node and after `from`, and their text node.
fn before(page: &Page, node: NodeId, from: NodeId) -> Option<(String, NodeId)> {
    let texts = page.texts();
    let at = texts.partition_point(|text| *text < node);
    for text in texts[..at].iter().rev().take_while(|text| **text > from) {
        let words = value(page, *text);
        if words.chars().any(char::is_alphabetic) && vocabulary::is_seen(page, *text) {
            return (words.chars().count() <= LONGEST).then_some((words, *text));
        }
    }
    None
}

/// A run of siblings with a value and its label, and whether it has one.
struct Unit {
    nodes: Vec<NodeId>,
    has_label: bool,
}

/// The unit of a value: the child of `around` that it is in, with its label.
fn unit(page: &Page, node: NodeId, child: NodeId, field: &Column, values: &BTreeSet<NodeId>) -> Unit {
    let bare = |nodes| Unit {
        nodes,
        has_label: false,
    };
    let Some(label) = &field.label else {
        return bare(vec![child]);
    };
    if before(page, node, child).is_some_and(|(words, text)| words == *label && text >= child) {
        return Unit {
            nodes: vec![child],
            has_label: true,
        };
    }
    let mut nodes = vec![child];
    let mut at = child;
    for _ in 0..SIBLINGS {
        let Some(sibling) = page.previous_sibling(at) else {
            break;
        };
        if values.range(sibling..page.end(sibling)).next().is_some() {
            break;
        }
        nodes.insert(0, sibling);
        let words = value(page, sibling);
        if words == *label || before(page, node, sibling).is_some_and(|(words, _)| words == *label) {
            return Unit { nodes, has_label: true };
        }
        if !words.is_empty() && words.chars().any(char::is_alphabetic) {
            break;
        }
        at = sibling;
    }
    bare(vec![child])
}

/// The children of the smallest element around two nodes that these are in.
fn children(page: &Page, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
    let inside = |up: NodeId, node: NodeId| up <= node && node < page.end(up);
    let around = page.ancestors(a).find(|up| inside(*up, b) && *up != b)?;
    let child = |node: NodeId| page.children(around).find(|child| inside(*child, node));
    let (a, b) = (child(a)?, child(b)?);
    (a != b).then_some((a, b))
}

/// The cells of the row of headings above two cells, if they are different words.
fn headings(page: &Page, a: NodeId, b: NodeId, values: &BTreeSet<NodeId>) -> Option<(NodeId, NodeId)> {
    let row = page.parent(a).filter(|row| page.name(*row) == "tr")?;
    let table = page.ancestors(row).find(|up| page.name(*up) == "table")?;
    let cells = |row: NodeId| {
        page.children(row)
            .filter(|child| page.is_element(*child))
            .collect::<Vec<_>>()
    };
    let own = cells(row);
    let place = |cell: NodeId| own.iter().position(|other| *other == cell);
    let (i, j) = (place(a)?, place(b)?);
    let rows = page.elements_named(page.name_id("tr")?);
    let above = rows.iter().filter(|other| **other > table && **other < row).take(3);
    above
        .filter(|above| values.range(**above..page.end(**above)).next().is_none())
        .find_map(|above| {
            let cells = cells(*above);
            let (i, j) = (*cells.get(i)?, *cells.get(j)?);
            let words = [i, j].map(|cell| value(page, cell));
            let good = |words: &String| {
                words.chars().any(char::is_alphabetic)
                    && !words.chars().any(char::is_numeric)
                    && words.chars().count() <= LONGEST
            };
            (words.iter().all(good) && words[0] != words[1] && cells.len() == own.len()).then_some((i, j))
        })
}

/// Swaps two fields in all records of a page; none if no record has both in elements of their own.
pub(super) fn swap(page: &Page, records: &[PathRecord], pair: [usize; 2], fields: &[Column; 2]) -> Option<Swapped> {
    let nodes = records.iter().flat_map(|record| &record.values).map(|value| value.node);
    let values: BTreeSet<NodeId> = nodes.filter(|node| page.kind(*node) != Kind::Attribute).collect();
    let mut moves: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    let (mut swapped, mut told) = (Vec::new(), 0);
    for (number, record) in records.iter().enumerate() {
        let (Some(a), Some(b)) = (only(record, pair[0]), only(record, pair[1])) else {
            continue;
        };
        if value(page, a) == value(page, b) {
            continue;
        }
        let Some((one, two)) = children(page, a, b) else {
            continue;
        };
        let units = [
            unit(page, a, one, &fields[0], &values),
            unit(page, b, two, &fields[1], &values),
        ];
        let is_free = units
            .iter()
            .flat_map(|unit| &unit.nodes)
            .all(|node| !moves.contains_key(node));
        let overlap = units[0].nodes.iter().any(|node| units[1].nodes.contains(node));
        // A unit with another field in it would move that one as well.
        let alone = units.iter().zip([a, b]).all(|(unit, own)| {
            let inside = unit.nodes.iter().flat_map(|node| values.range(*node..page.end(*node)));
            inside.copied().all(|node| node == own)
        });
        if !is_free || overlap || !alone {
            continue;
        }
        let labelled = units.iter().all(|unit| unit.has_label) && fields[0].label != fields[1].label;
        if !labelled && let Some((i, j)) = headings(page, one, two, &values) {
            told += 1;
            moves.insert(i, vec![j]);
            moves.insert(j, vec![i]);
        }
        told += usize::from(labelled);
        for (from, to) in [(0, 1), (1, 0)] {
            for node in &units[from].nodes {
                moves.insert(*node, Vec::new());
            }
            moves.insert(units[from].nodes[0], units[to].nodes.clone());
        }
        swapped.push(number);
    }
    let mut html = match page.doctype() {
        Some(_) => "<!DOCTYPE html>".to_owned(),
        None => String::new(),
    };
    page.children(NodeId::DOCUMENT)
        .for_each(|child| write(page, child, &moves, &mut html));
    let new = Page::parse_str(&html, &Default::default()).ok()?;
    (!swapped.is_empty()).then(|| Swapped {
        page: new,
        is_told: told * 2 > swapped.len(),
        records: swapped,
    })
}

/// Writes a node; those that move are written where they go.
fn write(page: &Page, node: NodeId, moves: &BTreeMap<NodeId, Vec<NodeId>>, out: &mut String) {
    if let Some(nodes) = moves.get(&node) {
        nodes.iter().for_each(|node| *out += &page.to_html(*node));
        return;
    }
    if moves.range(node..page.end(node)).next().is_none() {
        *out += &page.to_html(node);
        return;
    }
    let attributes: String = page
        .attributes(node)
        .map(|id| format!(" {}", page.to_html(NodeId(id))))
        .collect();
    *out += &format!("<{}{attributes}>", page.name(node));
    page.children(node).for_each(|child| write(page, child, moves, out));
    *out += &format!("</{}>", page.name(node));
}

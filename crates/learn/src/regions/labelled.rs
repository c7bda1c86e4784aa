//! Values with labels inside of one element: `<b>Source:</b> Reuters <br> <b>Date:</b> May 9`.
//!
//! **In**: the elements of a column, one for each record, that have texts and elements side by side. **Out**: a part for each label that
//! enough records have, with the path to what is after it and before the next label, or nothing.
//!
//! A label is a child element whose text ends with a colon, or the beginning of a text up to its first colon. Labels of elements must
//! have one tag, which nothing else in the column has, so that the next element of that tag ends a value: the path
//! `b[normalize-space()="Date:"]/following-sibling::node()[…][1][not(self::b)]` gives nothing if a record says nothing there.
//!
//! Linear in the children of the elements. *Known failures*: labels in elements of different tags; a label without a colon; a
//! text with a colon that is not a label, but is in most records.

use crate::guided::literal;
use crate::naming::{LONGEST, label_name};
use page::{Kind, NodeId, Page};
use std::collections::BTreeMap;
use wrapper::rule::paths::{PathField, Way, value};

/// A label is one if this share of the records have it.
const OFTEN: f64 = 0.5;
/// The most children of an element that are looked at.
const CHILDREN: usize = 200;
/// The most labels.
const LABELS: usize = 20;
/// The share of the words that labels and their values must have to stand for the element.
const COVERED: f64 = 0.9;
/// The test of a node that says something, rather than dividing others.
const SAYS: &str = "[translate(normalize-space(), \" \u{a0},;|/\", \"\")]";
/// The text of a node, with all its spaces made plain ones.
const TEXT: &str = "normalize-space(translate(., \"\u{a0}\", \" \"))";

/// A labelled value.
pub(super) struct Part {
    pub(super) label: String,
    pub(super) field: PathField,
    /// The first node of each value.
    pub(super) nodes: Vec<NodeId>,
}

/// How a label is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// An element with this tag.
    Element(String),
    /// A text of its own.
    Text,
    /// The beginning of a text, the rest of which is the value.
    Beginning,
}

/// A label and what is after it.
struct Line {
    label: String,
    written: Written,
    nodes: Vec<NodeId>,
}

/// The labelled parts of the elements of a column, and whether they are all that the elements say.
pub(super) fn parts(page: &Page, elements: &[NodeId], path: &str) -> (Vec<Part>, bool) {
    let Some(read) = elements
        .iter()
        .map(|element| lines(page, *element))
        .collect::<Option<Vec<_>>>()
    else {
        return (Vec::new(), false);
    };
    let mut times: BTreeMap<(&str, &Written), usize> = BTreeMap::new();
    let mut order: Vec<(&str, &Written)> = Vec::new();
    for line in read.iter().flatten() {
        let key = (line.label.as_str(), &line.written);
        let count = times.entry(key).or_default();
        if *count == 0 {
            order.push(key);
        }
        *count += 1;
    }
    let enough = (OFTEN * elements.len() as f64).max(2.0);
    order.retain(|key| times[key] as f64 >= enough);
    // One tag for all labels in elements, or what ends a value is not known.
    let mut tags: Vec<&str> = order.iter().filter_map(|(_, written)| written.tag()).collect();
    tags.sort_unstable();
    tags.dedup();
    if order.len() < 2 || order.len() > LABELS || tags.len() > 1 || repeats(&read, &order) {
        return (Vec::new(), false);
    }
    let is_kept = |line: &&Line| order.contains(&(line.label.as_str(), &line.written));
    let said: usize = elements.iter().map(|element| letters(&value(page, *element))).sum();
    let covered: usize = read
        .iter()
        .flatten()
        .filter(is_kept)
        .map(|line| {
            let label = match line.written {
                Written::Beginning => 0,
                _ => letters(&line.label),
            };
            label
                + line
                    .nodes
                    .iter()
                    .map(|node| letters(&value(page, *node)))
                    .sum::<usize>()
        })
        .sum();
    let part = |(label, written): &(&str, &Written)| {
        let lines = || {
            read.iter()
                .flatten()
                .filter(|line| line.label == *label && line.written == **written)
        };
        Part {
            label: (*label).to_owned(),
            field: written.field(path, label, lines().any(|line| line.nodes.len() > 1)),
            nodes: lines().filter_map(|line| line.nodes.first().copied()).collect(),
        }
    };
    let parts = order.iter().map(part).filter(|part| !part.nodes.is_empty());
    (parts.collect(), covered as f64 >= COVERED * said as f64)
}

/// Does a record have a label twice?
fn repeats(read: &[Vec<Line>], order: &[(&str, &Written)]) -> bool {
    let twice = |lines: &Vec<Line>, key: &(&str, &Written)| {
        let same = lines
            .iter()
            .filter(|line| line.label == key.0 && line.written == *key.1);
        same.count() > 1
    };
    read.iter().any(|lines| order.iter().any(|key| twice(lines, key)))
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

impl Written {
    fn tag(&self) -> Option<&str> {
        match self {
            Written::Element(tag) => Some(tag),
            _ => None,
        }
    }

    /// The field of a label in the elements that a path leads to.
    fn field(&self, path: &str, label: &str, many: bool) -> PathField {
        let inner = |step: String| match path {
            "." => step,
            path => format!("{path}/{step}"),
        };
        let said = literal(label);
        let way = match self {
            Written::Beginning => Way {
                path: inner(format!("text()[starts-with({TEXT}, {said})]")),
                after: label.to_owned(),
                ..Way::default()
            },
            Written::Text => Way {
                path: inner(format!(
                    "text()[{TEXT}={said}]/following-sibling::node(){SAYS}[1][self::*]"
                )),
                ..Way::default()
            },
            Written::Element(tag) => Way {
                path: match many {
                    false => inner(format!(
                        "{tag}[{TEXT}={said}]/following-sibling::node(){SAYS}[1][not(self::{tag})]"
                    )),
                    true => inner(format!(
                        "node(){SAYS}[not(self::{tag})][preceding-sibling::{tag}[1][{TEXT}={said}]]"
                    )),
                },
                ..Way::default()
            },
        };
        let many = many && matches!(self, Written::Element(_));
        PathField { many, ways: vec![way] }
    }
}

/// The labelled lines of an element; `None` if there are too many children.
fn lines(page: &Page, element: NodeId) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, child) in page.children(element).enumerate() {
        if number == CHILDREN {
            return None;
        }
        let text = value(page, child);
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        let is_text = page.kind(child) == Kind::Text;
        let found = match page.kind(child) {
            Kind::Text => beginning(&text),
            Kind::Element => Some(text.as_str()).filter(|text| text.ends_with(':')),
            _ => continue,
        };
        let found = found.filter(|label| label.chars().count() <= LONGEST && label_name(label).is_some());
        match found {
            Some(label) => {
                let whole = label.len() == text.len();
                lines.push(Line {
                    label: label.to_owned(),
                    written: match (is_text, whole) {
                        (false, _) => Written::Element(page.name(child).to_owned()),
                        (true, true) => Written::Text,
                        (true, false) => Written::Beginning,
                    },
                    nodes: if whole { Vec::new() } else { vec![child] },
                });
            }
            None => {
                // The value of a text that is a label is the element after it.
                if let Some(line) = lines.last_mut()
                    && (matches!(line.written, Written::Element(_))
                        || (line.written == Written::Text && !is_text && line.nodes.is_empty()))
                {
                    line.nodes.push(child);
                }
            }
        }
    }
    Some(lines)
}

/// The beginning of a text up to its first colon, if that may be a label.
fn beginning(text: &str) -> Option<&str> {
    let end = text.find(':')? + 1;
    let label = &text[..end];
    let rest = &text[end..];
    let is_label = !label.chars().any(|c| c.is_ascii_digit()) && (rest.is_empty() || rest.starts_with(' '));
    is_label.then_some(label)
}

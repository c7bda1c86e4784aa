//! The fields of a list: which leaves of its records are values of one field, and the path to them.
//!
//! Leaves are in one column if the same names lead to them, and, in a table, the same cells. The element around a text is
//! its value. Where an element has texts and elements side by side (`<td><a>Kelp</a> by Ann <i>new</i></td>`), the texts are
//! columns of their own if most records have the same children there; otherwise, as in a sentence with words in bold, the
//! whole element is one value. A column that comes several times in a record is one for each place, if most records have
//! the same number, and else a list of values. Links and pictures give their addresses, too.
//!
//! A record of several siblings begins with its head; its other items are reached as the first, second, … sibling of their
//! tag after the head, and before the next head: `following-sibling::node()[self::dd or self::dt][1][self::dd]`.
//!
//! Linear in the leaves of the records that are looked at.

use super::heads::LEAVES;
use super::sight::Sight;
use super::{Candidate, items};
use crate::infer::names::{Used, name_around};
use page::{Kind, NameId, NodeId, Page};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use wrapper::rule::paths::{PathField, Way};

/// The most records that columns are made from.
const RECORDS: usize = 200;
/// The most columns.
const COLUMNS: usize = 40;
/// The most items of a record that are reached from its head.
const REACHED: usize = 12;
/// The share of the records that must agree on the number or the order of something.
const MOST: f64 = 0.7;
/// The most places of one path in a record that get a column each.
const PLACES: usize = 6;
/// The most different orders of children that are counted.
const PATTERNS: usize = 20;
/// A link or picture is a column if this share of the records have it.
const OFTEN: f64 = 0.3;

/// A field of a list.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) field: PathField,
}

/// Where an item is in its record: its tag, and which one of that tag; `None` for the head.
type Role = Option<(Option<NameId>, usize)>;
/// A step down: a name, and the number of a cell in its row.
type Step = (NameId, Option<usize>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    role: Role,
    steps: Vec<Step>,
    /// An attribute of the element.
    attribute: Option<&'static str>,
}

/// What has one key: for each record the elements, or texts, in order.
#[derive(Default)]
struct Cells {
    nodes: Vec<Vec<NodeId>>,
}

struct Maker<'m, 'p> {
    sight: &'m Sight<'p>,
    page: &'p Page,
    candidate: &'m Candidate,
    keys: Vec<Key>,
    numbers: HashMap<Key, usize>,
    cells: Vec<Cells>,
    count: usize,
}

/// The fields of a candidate.
pub(super) fn columns(sight: &Sight<'_>, candidate: &Candidate, _firsts: &[NodeId]) -> Vec<Column> {
    let records = &candidate.records[..candidate.records.len().min(RECORDS)];
    let mut maker = Maker {
        sight,
        page: sight.page,
        candidate,
        keys: Vec::new(),
        numbers: HashMap::new(),
        cells: Vec::new(),
        count: records.len(),
    };
    for (number, record) in records.iter().enumerate() {
        maker.read(number, record);
    }
    maker.columns()
}

impl Maker<'_, '_> {
    /// Takes down the leaves of a record.
    fn read(&mut self, number: usize, record: &Range<usize>) {
        let items = &self.candidate.items;
        let mut times: BTreeMap<Option<u32>, usize> = BTreeMap::new();
        for at in record.clone() {
            let node = items.nodes[at];
            let tag = self.page.name_of(node);
            let role = match at == record.start {
                true => None,
                false => {
                    let time = times.entry(tag.map(|tag| tag.index() as u32)).or_default();
                    *time += 1;
                    Some((tag, *time))
                }
            };
            if role.is_some_and(|(_, time)| time > REACHED) {
                continue;
            }
            for leaf in items.leaves[at].clone().take(LEAVES) {
                self.leaf(number, role, node, self.sight.leaves[leaf].node);
            }
        }
    }

    fn leaf(&mut self, number: usize, role: Role, item: NodeId, leaf: NodeId) {
        let page = self.page;
        let is_text = page.kind(leaf) == Kind::Text;
        let own = match is_text && leaf != item {
            true => page.parent(leaf).unwrap_or(item),
            false => leaf,
        };
        let Some(steps) = self.steps(item, own) else { return };
        if is_text {
            self.add(number, Key { role, steps: steps.clone(), attribute: None }, own);
        } else if page.name(leaf) == "img" {
            for attribute in ["src", "alt"] {
                let given = page.attribute_value(leaf, attribute).is_some_and(|value| !value.trim().is_empty());
                if given {
                    self.add(number, Key { role, steps: steps.clone(), attribute: Some(attribute) }, leaf);
                }
            }
        }
        // The link around it.
        let mut at = own;
        let mut length = steps.len();
        loop {
            if page.name(at) == "a" && page.attribute_value(at, "href").is_some() {
                let steps = steps[..length].to_vec();
                self.add(number, Key { role, steps, attribute: Some("href") }, at);
                break;
            }
            if at == item || length == 0 {
                break;
            }
            length -= 1;
            match page.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
    }

    fn add(&mut self, number: usize, key: Key, node: NodeId) {
        let count = self.count;
        let at = match self.numbers.get(&key) {
            Some(at) => *at,
            None => {
                self.keys.push(key.clone());
                self.cells.push(Cells { nodes: vec![Vec::new(); count] });
                self.numbers.insert(key, self.keys.len() - 1);
                self.keys.len() - 1
            }
        };
        let nodes = &mut self.cells[at].nodes[number];
        if nodes.last() != Some(&node) {
            nodes.push(node);
        }
    }

    /// The steps from an item down to a node.
    fn steps(&self, item: NodeId, node: NodeId) -> Option<Vec<Step>> {
        let page = self.page;
        let mut steps = Vec::new();
        let mut at = node;
        while at != item {
            let name = page.name_of(at)?;
            let cell = matches!(page.name(at), "td" | "th").then(|| {
                let siblings = page.parent(at).into_iter().flat_map(|parent| page.children(parent));
                siblings
                    .take_while(|other| *other <= at)
                    .filter(|other| page.name_of(*other) == Some(name))
                    .count()
            });
            steps.push((name, cell));
            at = page.parent(at)?;
            if steps.len() > super::sight::DEEP {
                return None;
            }
        }
        steps.reverse();
        Some(steps)
    }

    fn columns(self) -> Vec<Column> {
        let mut made: Vec<(PathField, Vec<NodeId>, Option<&'static str>)> = Vec::new();
        let mut whole: Vec<usize> = Vec::new();
        for at in 0..self.keys.len() {
            if self.is_mixed(at) && self.pattern(at).is_none() {
                whole.push(at);
            }
        }
        for at in 0..self.keys.len() {
            let (key, cells) = (&self.keys[at], &self.cells[at]);
            let filled = cells.nodes.iter().filter(|nodes| !nodes.is_empty()).count();
            let share = filled as f64 / self.count as f64;
            let link = self.page.name(self.first(at)) == "a";
            let inside = whole.iter().any(|other| *other != at && self.is_inside(at, *other));
            if (key.attribute.is_some() && share < OFTEN) || (inside && !(link && share >= OFTEN)) {
                continue;
            }
            if filled < 2 && self.count > 3 {
                continue;
            }
            self.column(at, &mut made);
        }
        made.truncate(COLUMNS);
        let mut used = Used::default();
        let named = made.into_iter().map(|(field, nodes, attribute)| Column {
            name: used.fresh(self.name(&nodes, attribute)),
            field,
        });
        named.collect()
    }

    fn first(&self, at: usize) -> NodeId {
        self.cells[at].nodes.iter().flatten().next().copied().unwrap_or(NodeId::DOCUMENT)
    }

    fn is_inside(&self, at: usize, other: usize) -> bool {
        let (one, other) = (&self.keys[at], &self.keys[other]);
        one.role == other.role && one.steps.len() > other.steps.len() && one.steps.starts_with(&other.steps)
    }

    /// Do elements of a column have texts and other leaves side by side?
    fn is_mixed(&self, at: usize) -> bool {
        let each = self.cells[at].nodes.iter().flatten();
        self.keys[at].attribute.is_none() && each.clone().any(|node| self.sight.range(*node).len() > 1)
    }

    /// The children of the elements of a column, texts as `None`, if most of them have the same.
    fn pattern(&self, at: usize) -> Option<Vec<Option<NameId>>> {
        let mut times: Vec<(Vec<Option<NameId>>, usize)> = Vec::new();
        let mut all = 0;
        for node in self.cells[at].nodes.iter().flatten() {
            let children = self.page.children(*node);
            let children = children.filter(|child| match self.page.kind(*child) {
                Kind::Text => !items::is_blank(self.page.string_value(*child)),
                kind => kind == Kind::Element,
            });
            let pattern: Vec<Option<NameId>> = children.map(|child| self.page.name_of(child)).collect();
            all += 1;
            match times.iter().position(|(known, _)| *known == pattern) {
                Some(at) => times[at].1 += 1,
                None if times.len() < PATTERNS => times.push((pattern, 1)),
                None => {}
            }
        }
        let (pattern, most) = times.into_iter().max_by_key(|(_, times)| *times)?;
        (most as f64 >= MOST * all as f64).then_some(pattern)
    }

    /// The columns of a key.
    fn column(&self, at: usize, made: &mut Vec<(PathField, Vec<NodeId>, Option<&'static str>)>) {
        let (key, cells) = (&self.keys[at], &self.cells[at]);
        let path = self.path(key);
        let mut push = |path: String, many: bool, place: Option<usize>| {
            let way = Way { path, ..Way::default() };
            let nodes = cells.nodes.iter().filter_map(|nodes| nodes.get(place.unwrap_or(0)));
            let nodes = nodes.copied().collect();
            made.push((PathField { many, ways: vec![way] }, nodes, key.attribute));
        };
        let counts: Vec<usize> = cells.nodes.iter().map(Vec::len).filter(|count| *count > 0).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        if most > 1 {
            let mode = (1..=most).max_by_key(|count| counts.iter().filter(|other| *other == count).count());
            let mode = mode.unwrap_or(1);
            let agree = counts.iter().filter(|count| **count == mode).count();
            if agree as f64 >= MOST * counts.len() as f64 && most <= PLACES {
                for place in 1..=most {
                    push(format!("({path})[{place}]"), false, Some(place - 1));
                }
            } else {
                push(path, true, None);
            }
            return;
        }
        let pattern = match self.is_mixed(at) {
            true => self.pattern(at),
            false => None,
        };
        match pattern {
            Some(pattern) => {
                let texts = pattern.iter().filter(|child| child.is_none()).count();
                for place in 1..=texts {
                    let base = if path == "." { String::new() } else { format!("{path}/") };
                    push(format!("{base}text()[normalize-space()][{place}]"), false, None);
                }
            }
            None => push(path, false, None),
        }
    }

    /// The path from the head of a record.
    fn path(&self, key: &Key) -> String {
        let mut steps: Vec<String> = Vec::new();
        if let Some((tag, time)) = key.role {
            steps.extend(self.siblings(tag, time));
        }
        for (name, cell) in &key.steps {
            let name = self.page.name_text(*name);
            steps.push(match cell {
                Some(cell) => format!("{name}[{cell}]"),
                None => name.to_owned(),
            });
        }
        if let Some(attribute) = key.attribute {
            steps.push(format!("@{attribute}"));
        }
        match steps.is_empty() {
            true => ".".to_owned(),
            false => steps.join("/"),
        }
    }

    /// The steps to the n-th sibling with a tag before the next head.
    fn siblings(&self, tag: Option<NameId>, time: usize) -> Vec<String> {
        let page = self.page;
        let heads = &self.candidate.heads;
        let node = |tag: Option<NameId>| match tag {
            Some(tag) => format!("self::{}", page.name_text(tag)),
            None => "self::text()[normalize-space()]".to_owned(),
        };
        if !heads.test.is_free() {
            let axis = match tag {
                Some(tag) => page.name_text(tag).to_owned(),
                None => "text()[normalize-space()]".to_owned(),
            };
            return vec![format!("following-sibling::{axis}[{time}]")];
        }
        let head = format!("{}{}", node(heads.tag), heads.test.predicate(page));
        let wanted = node(tag);
        let step = match heads.tag == tag {
            true => format!("following-sibling::node()[{wanted}][1][not({head})]"),
            false => format!("following-sibling::node()[{wanted} or {head}][1][{wanted}]"),
        };
        vec![step; time]
    }

    fn name(&self, nodes: &[NodeId], attribute: Option<&'static str>) -> String {
        let first = nodes.first().copied().unwrap_or(NodeId::DOCUMENT);
        let base = name_around(self.page, first);
        match (attribute, base) {
            (Some("href"), _) => "link".to_owned(),
            (Some("src"), _) => "image".to_owned(),
            (Some(other), _) => other.to_owned(),
            (None, Some(name)) => name,
            (None, None) if self.page.name(first) == "a" => "title".to_owned(),
            (None, None) => "text".to_owned(),
        }
    }
}

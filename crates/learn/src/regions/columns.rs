//! The fields of a list: which leaves of its records are values of one field, and the path to them.
//!
//! Leaves are in one column if the same names lead to them, and the same cells, where records have cells (see `cells`). The element around a text is
//! its value. Where an element has texts and elements side by side (`<td><a>Kelp</a> by Ann <i>new</i></td>`), the texts are
//! columns of their own if most records have the same children there; otherwise, as in a sentence with words in bold, the
//! whole element is one value, or one for each label in it (see `labelled`); an element in it that each record has once, with another text, is a
//! column, too. A column that comes several times in a record is one for each place, if most records have
//! the same number, and else a list of values. Links and pictures give their addresses, too. The heading above a group of records is a
//! field of each (see `groups`).
//!
//! A record of several siblings begins with its head; its other items are reached as the first, second, … sibling of their
//! tag after the head, and before the next head: `following-sibling::node()[self::dd or self::dt][1][self::dd]`.
//!
//! Linear in the leaves of the records that are looked at.

mod classes;
mod divided;
mod finish;
mod icons;
mod levels;
mod marks;
mod paths;
mod pieced;
mod read;
mod reduced;
mod taken;
mod uneven;
mod units;
mod written;

use super::cells::Grid;
use super::heads::ordinal;
use super::labelled::Labels;
use super::lines::Around;
use super::sight::{self, Sight};
use super::signs::Sign;
use super::{Candidate, cells, groups, items, pairs};
use crate::guided::literal;
use crate::naming::Naming;
use oxpath::{Query, Value};
use page::{Kind, NameId, NodeId, Page};
use std::collections::{HashMap, HashSet};
use wrapper::rule::paths::{PathField, Way, value};

/// The most records that columns are made from.
const RECORDS: usize = 200;
/// The most columns.
const COLUMNS: usize = 40;
/// The most items of a record that are reached from its head.
const REACHED: usize = 12;
/// The share of the records that must agree on the number or the order of something.
const MOST: f64 = 0.7;
/// The share of the records that makes sure.
const NEARLY_ALL: f64 = 0.9;
/// The most places of one path in a record that get a column each.
pub(super) const PLACES: usize = 6;
/// A text, or an element that only marks one: whether a row is in bold does not say what it is.
const MARKED: &str = "self::text() or self::b or self::strong or self::i or self::em or self::u or self::font or self::mark or self::big or self::small";
/// At most one record in this number has its texts marked in a way of its own.
const ODD: usize = 4;
/// The most records that a path is tried on.
const CHECKED: usize = 30;
/// The most attributes that are tried to tell the elements of a column from others.
const TESTS: usize = 4;
/// Attributes with the address of a picture that a script loads when it comes into sight. What is in `src` until then is empty or the same everywhere.
pub(super) const LATER: [&str; 4] = ["data-src", "data-original", "data-lazy-src", "data-lazy"];
/// The most different orders of children that are counted.
const PATTERNS: usize = 20;
/// The number of a sibling that is found by what is in it.
const ANY: usize = 0;
/// A link or picture is a column if this share of the records have it.
pub(super) const OFTEN: f64 = 0.3;

/// A field of a list.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) field: PathField,
}

/// A field before it is named.
pub(super) struct Unnamed {
    pub(super) field: PathField,
    /// The elements and texts that its values are from.
    pub(super) nodes: Vec<NodeId>,
    /// The attribute of them, if that is the value.
    pub(super) attribute: Option<&'static str>,
    /// The label on the page, if it is known.
    pub(super) label: Option<String>,
    /// The values of each record.
    pub(super) values: Vec<Vec<String>>,
}

/// A field with the nodes that it is made from.
pub(super) struct Made {
    pub(super) field: PathField,
    pub(super) nodes: Vec<NodeId>,
    pub(super) attribute: Option<&'static str>,
    pub(super) label: Option<String>,
}

/// Where an item is in its record: its tag, and which one of that tag; `None` for the head.
pub(super) type Role = Option<(Option<NameId>, usize)>;
/// A step down: a name, and the number of a cell in its row.
pub(super) type Step = (NameId, Option<usize>);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) role: Role,
    pub(super) steps: Vec<Step>,
    /// An attribute of the element.
    pub(super) attribute: Option<&'static str>,
    /// What the element is found by, instead of steps.
    pub(super) sign: Option<Sign>,
    /// The class that tells the element from others with the same steps.
    pub(super) told: Option<String>,
    /// The class of an element above that tells it from others with the same steps, and how many steps above it is.
    pub(super) around: Option<(usize, String)>,
    /// The column of those that the forms of their texts tell.
    pub(super) written: Option<Written>,
}

/// Ways to elements that are told by how their texts are written.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Written {
    pub(super) paths: Vec<String>,
    /// The label that the texts begin with.
    pub(super) label: Option<String>,
    /// What the values are called by a word that is not in them.
    pub(super) name: Option<String>,
}

/// What has one key: for each record the elements, or texts, in order.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) nodes: Vec<Vec<NodeId>>,
}

/// The records that have a cell.
fn full(cells: &Cells) -> Vec<usize> {
    let records = cells.nodes.iter().enumerate();
    let full = records.filter(|(_, nodes)| !nodes.is_empty());
    full.map(|(record, _)| record).collect()
}

/// Has a key a name of its own?
fn is_called(key: &Key) -> bool {
    key.written.as_ref().is_some_and(|written| written.name.is_some())
}

/// Has an element an attribute that may tell what its text is?
fn is_told(page: &Page, node: NodeId) -> bool {
    ["class", "id", "itemprop"]
        .iter()
        .any(|name| page.attribute_value(node, name).is_some())
}

/// Is a field found by a label, a class, the words of a link or the form of its text, wherever it is in a record? Only such paths have these tests. The cells of a table are told by their columns already.
pub(super) fn is_told_by_words(field: &PathField) -> bool {
    let labelled = format!("[{}=", super::labelled::TEXT);
    field.ways.iter().any(|way| {
        let is_written = !way.matching.is_empty() || way.path.contains("matches(") || way.after.ends_with(':');
        let is_named = way.path.contains("[@class=") || way.path.contains(&labelled);
        let is_link = way.path.contains("//a[") && way.path.ends_with("/@href");
        is_link || is_written || is_named && !way.path.starts_with("td")
    })
}

/// Is a node in a cell, which may have a heading, or has it an attribute that may tell what it is?
fn is_named_by(page: &Page, node: NodeId) -> bool {
    let mut around = std::iter::once(node).chain(page.ancestors(node)).take(3);
    is_told(page, node) || around.any(|up| matches!(page.name(up), "td" | "th"))
}

pub(super) use divided::pieces;
use taken::Taken;

pub(super) struct Maker<'m, 'p> {
    pub(super) sight: &'m Sight<'p>,
    pub(super) page: &'p Page,
    pub(super) candidate: &'m Candidate,
    pub(super) keys: Vec<Key>,
    numbers: HashMap<Key, usize>,
    pub(super) cells: Vec<Cells>,
    pub(super) count: usize,
    /// The links that are found by what they say.
    pub(super) signs: HashMap<NodeId, Sign>,
    /// The cells of the records, if they have some.
    grid: Option<Grid>,
    /// Are the cells of rows told by their texts, not by their places?
    loose: bool,
    /// What has a label.
    pub(super) labels: Labels,
    /// The places that labels are at: what is around them.
    pub(super) places: Vec<Around>,
    /// The columns that are one value each, though their elements have several texts.
    pieced: HashSet<usize>,
}

/// The fields of a candidate.
pub(super) fn columns(sight: &Sight<'_>, candidate: &Candidate, naming: &Naming<'_>) -> Vec<Column> {
    let records = &candidate.records[..candidate.records.len().min(RECORDS)];
    let mut maker = Maker {
        sight,
        page: sight.page,
        candidate,
        keys: Vec::new(),
        numbers: HashMap::new(),
        cells: Vec::new(),
        count: records.len(),
        signs: HashMap::new(),
        grid: Grid::new(sight, candidate, records.len()),
        loose: cells::are_loose(sight, candidate, records.len()),
        labels: Labels::default(),
        places: Vec::new(),
        pieced: HashSet::new(),
    };
    maker.signs = maker.signs(records);
    maker.labels = maker.find_labels(records);
    for (number, record) in records.iter().enumerate() {
        maker.read(number, record);
    }
    maker.unite_pictures();
    maker.unite_pieces();
    maker.columns(naming)
}

impl Maker<'_, '_> {
    fn columns(mut self, naming: &Naming<'_>) -> Vec<Column> {
        self.unmark();
        self.tell_by_class();
        self.unite_cells();
        self.tell_by_unit();
        self.tell_by_icon();
        self.tell_by_form();
        self.tell_siblings();
        let mut levels = self.other_levels();
        let mut uneven = self.uneven_cells();
        let mut written = self.written_texts();
        let mut made: Vec<Made> = Vec::new();
        let mut whole: Vec<usize> = Vec::new();
        for at in 0..self.keys.len() {
            let mixed = self.cells[at]
                .nodes
                .iter()
                .flatten()
                .any(|node| self.sight.range(*node).len() > 1);
            let divided =
                || matches!(self.taken(at), Taken::Texts(_)) || self.beside(at).is_some() || written.contains_key(&at);
            if self.keys[at].attribute.is_none() && mixed && !divided() {
                whole.push(at);
            }
        }
        for at in 0..self.keys.len() {
            made.extend(uneven.remove(&at).into_iter().flatten());
            let (key, cells) = (&self.keys[at], &self.cells[at]);
            let filled = cells.nodes.iter().filter(|nodes| !nodes.is_empty()).count();
            let share = filled as f64 / self.count as f64;
            let link = self.page.name(self.first(at)) == "a";
            let inside = whole.iter().any(|other| *other != at && self.is_inside(at, *other));
            let named =
                key.attribute.is_none() && share >= MOST && (self.is_named(at) || self.is_value_of_each(at, filled));
            let is_kept = link && share >= OFTEN || named || is_called(key);
            if (key.attribute.is_some() && key.sign.is_none() && share < OFTEN) || (inside && !is_kept) {
                continue;
            }
            let is_rare = filled < 2 && self.count > 3 && key.written.is_none();
            if filled == 0 || is_rare || self.is_icon(at) {
                continue;
            }
            match written.remove(&at) {
                Some(parts) => made.extend(parts),
                None => {
                    let before = made.len();
                    self.column(at, &mut made);
                    if let (Some(paths), [one]) = (levels.remove(&at), &mut made[before..]) {
                        let ways = paths.into_iter().map(|path| Way { path, ..Way::default() });
                        one.field.ways.extend(ways);
                    }
                }
            }
        }
        self.unite_prices(&mut made);
        self.labelled(&mut made);
        made.extend(groups::field(self.sight, self.candidate));
        self.named(made, naming)
    }

    /// Do the elements of a column, one in a record, say what they are?
    fn is_named(&self, at: usize) -> bool {
        let first = self.first(at);
        let single = self.cells[at].nodes.iter().all(|nodes| nodes.len() <= 1);
        let names = page::vocabulary::NAMING.iter();
        single
            && names
                .into_iter()
                .any(|name| self.page.attribute_value(first, name).is_some())
    }

    /// Does each record have at most one element of a column, with another text in most of them? Words in bold in a sentence are not such. If all
    /// records have one, and it marks no words, it may say the same everywhere, but for a label.
    fn is_value_of_each(&self, at: usize, filled: usize) -> bool {
        let nodes = &self.cells[at].nodes;
        if nodes.iter().any(|nodes| nodes.len() > 1) {
            return false;
        }
        let texts: HashSet<String> = nodes.iter().flatten().map(|node| value(self.page, *node)).collect();
        // A list may have records twice.
        let items = &self.candidate.items;
        let records = self
            .candidate
            .records
            .iter()
            .zip(nodes)
            .filter(|(_, nodes)| !nodes.is_empty());
        let records = records.map(|(record, _)| self.page.string_value(items.nodes[record.start]));
        let different = records.collect::<HashSet<&str>>().len();
        let is_mark = sight::is_marking(self.page.name(self.first(at)));
        let is_label = texts.iter().any(|text| text.ends_with(':'));
        texts.len() * 2 > different || (filled == self.count && !is_mark && !is_label)
    }

    /// Is a column a picture that is the same in several records, in links that lead to different pages? It only says that there is a link.
    fn is_icon(&self, at: usize) -> bool {
        let page = self.page;
        let Some(attribute) = self.keys[at].attribute.filter(|name| *name != "href") else {
            return false;
        };
        let nodes = || self.cells[at].nodes.iter().flatten().copied();
        let said: HashSet<Option<&str>> = nodes().map(|node| page.attribute_value(node, attribute)).collect();
        let link = |node: NodeId| page.ancestors(node).find(|up| page.name(*up) == "a");
        let led: HashSet<Option<&str>> = nodes()
            .map(|node| link(node).and_then(|link| page.attribute_value(link, "href")))
            .collect();
        said.len() == 1 && led.len() > 1
    }

    fn first(&self, at: usize) -> NodeId {
        self.cells[at]
            .nodes
            .iter()
            .flatten()
            .next()
            .copied()
            .unwrap_or(NodeId::DOCUMENT)
    }

    fn is_inside(&self, at: usize, other: usize) -> bool {
        let (one, other) = (&self.keys[at], &self.keys[other]);
        one.role == other.role && one.steps.len() > other.steps.len() && one.steps.starts_with(&other.steps)
    }

    /// The columns of a key.
    fn column(&self, at: usize, made: &mut Vec<Made>) {
        let (key, cells) = (&self.keys[at], &self.cells[at]);
        if let Some(written) = &key.written {
            made.push(self.by_form(at, written));
            return;
        }
        let taken = self.taken(at);
        let path = self.best(at);
        let inner = |text: &str| match path.as_str() {
            "." => text.to_owned(),
            path => format!("{path}/{text}"),
        };
        if let Some(test) = self.beside(at) {
            self.texts_beside(at, &inner(&format!("text()[normalize-space()]{test}")), made);
            return;
        }
        // A record that is a pair itself has a label and a value, and no field for each label.
        if key.attribute.is_none() && key.sign.is_none() && key.steps.len() > 1 {
            let pairs = pairs::pairs(self.sight, &cells.nodes);
            if !pairs.is_empty() {
                let parent = Key {
                    steps: key.steps[..key.steps.len() - 1].to_vec(),
                    ..key.clone()
                };
                made.extend(pairs.into_iter().map(|pair| {
                    let path = format!("{}/{}", self.path(&parent, &pair.test), pair.step);
                    Made {
                        field: PathField {
                            many: false,
                            ways: vec![Way { path, ..Way::default() }],
                        },
                        nodes: pair.nodes,
                        attribute: None,
                        label: Some(pair.label),
                    }
                }));
                return;
            }
        }
        // Of an element with several texts, the text that is meant says what it is.
        let text = |element: NodeId, place: Option<usize>| {
            let texts = self.page.children(element).filter(|child| {
                self.page.kind(*child) == Kind::Text && !items::is_blank(self.page.string_value(*child))
            });
            place.and_then(|place| texts.into_iter().nth(place)).unwrap_or(element)
        };
        let mut push = |path: String, many: bool, place: Option<usize>, number: Option<usize>| {
            let way = Way { path, ..Way::default() };
            let nodes = cells.nodes.iter().filter_map(|nodes| nodes.get(place.unwrap_or(0)));
            let nodes = nodes.map(|node| text(*node, number)).collect();
            made.push(Made {
                field: PathField { many, ways: vec![way] },
                nodes,
                attribute: key.attribute,
                label: key.sign.as_ref().and_then(Sign::label).map(str::to_owned),
            });
        };
        let counts: Vec<usize> = cells.nodes.iter().map(Vec::len).filter(|count| *count > 0).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let divided = !matches!(taken, Taken::Whole);
        if most > 1 {
            if let Some(prices) = self.reduced(&cells.nodes, &path).filter(|_| key.attribute.is_none()) {
                made.extend(prices);
                return;
            }
            let mode = (1..=most).max_by_key(|count| counts.iter().filter(|other| *other == count).count());
            let mode = mode.unwrap_or(1);
            let agree = counts.iter().filter(|count| **count == mode).count();
            if agree as f64 >= MOST * counts.len() as f64 && most <= PLACES && !divided {
                for place in 1..=most {
                    push(format!("({path})[{place}]"), false, Some(place - 1), None);
                }
            } else if divided {
                push(inner(&self.texts(at)), true, None, None);
            } else {
                push(path, true, None, None);
            }
            return;
        }
        match taken {
            Taken::Whole => push(path, false, None, None),
            Taken::AllTexts => push(inner(&self.texts(at)), true, None, None),
            Taken::Texts(texts) => {
                // In other rows, or on other pages, a text may be in bold.
                let marked = format!("node()[{MARKED}]");
                let alike = (1..=texts).all(|place| {
                    let [one, other] =
                        ["text()", &marked].map(|step| inner(&format!("{step}[normalize-space()][{place}]")));
                    self.are_same(&one, &other)
                });
                let step = if alike { marked.as_str() } else { "text()" };
                for place in 1..=texts {
                    let path = inner(&format!("{step}[normalize-space()][{place}]"));
                    push(path, false, None, Some(place - 1));
                }
            }
        }
    }

    /// The step from an element of a column to the texts in it that a reader sees.
    fn texts(&self, at: usize) -> String {
        let nodes = self.cells[at].nodes.iter().flatten();
        let inside = nodes.flat_map(|node| (node.0 + 1..self.page.end(*node).0).map(NodeId));
        let mut unseen: Vec<&str> = inside
            .filter(|node| self.page.is_element(*node))
            .map(|node| self.page.name(node))
            .filter(|name| page::vocabulary::is_unseen(name))
            .collect();
        unseen.sort_unstable();
        unseen.dedup();
        let not: String = unseen.iter().map(|name| format!("[not(parent::{name})]")).collect();
        format!("descendant::text()[normalize-space()]{not}")
    }

    /// The path that leads to the elements of a column, and to no others if there is one.
    fn best(&self, at: usize) -> String {
        let key = &self.keys[at];
        let plain = self.path(key, "");
        let mut paths = vec![plain];
        let first = self.first(at);
        if (key.attribute.is_none() || key.told.is_some()) && !key.steps.is_empty() {
            let attributes = self.page.attributes(first).map(NodeId);
            for attribute in attributes.filter(|attribute| self.tells(at, *attribute)).take(TESTS) {
                let (name, value) = (self.page.name(attribute), self.page.string_value(attribute));
                paths.push(self.path(key, &format!("[@{name}={}]", literal(value))));
            }
        }
        if key.told.as_ref().is_some_and(|class| class.trim().is_empty()) {
            paths.push(self.path(key, "[not(normalize-space(@class))]"));
        }
        // What is told by a class is found by it, even if the place is the same in all records.
        if key.told.is_some() && paths.len() > 1 {
            paths.rotate_left(1);
        }
        if key.attribute.is_none() && !key.steps.is_empty() {
            let around = &key.steps[..key.steps.len() - 1];
            paths.extend(self.others(key.role, around).map(|test| self.path(key, test)));
            paths.push(self.path(key, &format!("[node()[{MARKED}][normalize-space()]]")));
            paths.push(self.path(key, "[text()[normalize-space()]]"));
            paths.push(self.path(key, &format!("[{}]", ordinal(self.page, first))));
        }
        let mut best = (f64::MIN, String::new());
        for path in paths {
            let right = self.agreement(at, &path);
            if right > best.0 {
                best = (right, path);
            }
            if right >= 1.0 {
                break;
            }
        }
        best.1
    }

    /// Does a path give the same nodes as another one in each record in which that gives some?
    fn are_same(&self, one: &str, other: &str) -> bool {
        let (Ok(one), Ok(other)) = (Query::compile(one), Query::compile(other)) else {
            return false;
        };
        let records = self.candidate.records.iter().take(CHECKED);
        let mut heads = records.map(|record| self.candidate.items.nodes[record.start]);
        heads.all(|head| {
            let given = |query: &Query| match query.evaluate_at(self.page, head) {
                Ok(Value::Nodes(nodes)) => Some(nodes),
                _ => None,
            };
            let nodes = given(&one);
            nodes.as_ref().is_some_and(Vec::is_empty) || nodes == given(&other)
        })
    }

    /// Do all elements of a column have an attribute of the first, with the same value?
    fn tells(&self, at: usize, attribute: NodeId) -> bool {
        let (name, value) = (self.page.name(attribute), self.page.string_value(attribute));
        let mut nodes = self.cells[at].nodes.iter().flatten();
        let plain = name != "id" && page::vocabulary::tells_role(name) && !value.trim().is_empty() && value.len() <= 80;
        plain && nodes.all(|node| self.page.attribute_value(*node, name) == Some(value))
    }

    /// The share of the records in which a path leads to what is in the column, and to nothing where that is empty; a path that leads to more counts half.
    fn agreement(&self, at: usize, path: &str) -> f64 {
        let Ok(query) = Query::compile(path) else { return 0.0 };
        let attribute = self.keys[at].attribute.is_some();
        let cells = self.cells[at].nodes.iter().take(CHECKED);
        let right = cells.clone().zip(&self.candidate.records).map(|(nodes, record)| {
            let head = self.candidate.items.nodes[record.start];
            let mut found = match query.evaluate_at(self.page, head) {
                Ok(Value::Nodes(found)) => found,
                _ => Vec::new(),
            };
            // A cell with nothing but `&nbsp;` is empty.
            if nodes.is_empty() && !attribute {
                found.retain(|node| !value(self.page, *node).is_empty());
            }
            let owner = |node: &NodeId| match attribute {
                true => self.page.parent(*node).unwrap_or(*node),
                false => *node,
            };
            if found.len() == nodes.len() && found.iter().zip(nodes).all(|(found, node)| owner(found) == *node) {
                return 1.0;
            }
            match (found.first(), nodes.first()) {
                (Some(found), Some(node)) if owner(found) == *node => 0.5,
                _ => 0.0,
            }
        });
        right.sum::<f64>() / cells.len().max(1) as f64
    }
}

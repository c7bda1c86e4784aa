//! The columns of a page: the items at the same place in its structure.
//!
//! Items are all texts of a page: elements by their whole text, texts next to other texts, attributes that are shown or
//! followed, and parts of texts that are written like the values of a field. A column is a set of items whose elements
//! have the same names from the root on. A *group* is the part of a column below one element, for pages on which
//! several lists look the same.

use crate::evidence::{Known, Look, label_in};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use wrapper::profile::{SAID, Sights, longest_text};

/// Longer texts are not items.
const LONGEST: usize = 4000;
/// The number of elements above an item by which groups are made.
const ABOVE: usize = 5;

/// The nodes that have a text, and what is around them.
pub(crate) struct Items {
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) looks: Vec<Look>,
    /// The numbers of the items at the same place, in page order.
    pub(crate) columns: Vec<Vec<usize>>,
    /// The number of items that are whole nodes, in page order; the others are parts of them.
    whole: usize,
}

/// The places of a page's nodes in its structure, as numbers. Two nodes have the same place if the elements from the root to
/// them have the same names, and the nearest ones the same classes. A number means the same on every page.
///
/// The place of an element is that of its parent and its own name, so all places take one pass: written out as paths, the
/// places of deeply nested elements would take quadratic time and memory. Numbers are hashes of 64 bits; that two places of
/// a site have the same one is not expected.
pub(crate) struct Structure {
    /// For each number of elements whose classes count, the place of each element.
    places: [HashMap<NodeId, u64>; MOST_CLASSES + 1],
}

/// The most elements whose classes may count.
const MOST_CLASSES: usize = 3;

/// A place: what the node is, and the place of the element that it is, or belongs to.
pub(crate) type Place<'p> = (Option<&'p str>, u64);

impl Structure {
    pub(crate) fn new(page: &Page) -> Structure {
        let mut places: [HashMap<NodeId, u64>; MOST_CLASSES + 1] = Default::default();
        for element in page.elements() {
            let class = page.attribute_value(*element, "class").unwrap_or_default();
            let mut tokens: Vec<&str> = class
                .split_whitespace()
                .filter(|token| !token.chars().any(|c| c.is_ascii_digit()))
                .collect();
            tokens.sort_unstable();
            // The first counts no classes; each of the others takes what is above from the one before it.
            for classes in 0..=MOST_CLASSES {
                let parent = page.parent(*element);
                let above = parent.and_then(|up| places[classes.saturating_sub(1)].get(&up));
                let mut hasher = DefaultHasher::new();
                (above, page.name(*element)).hash(&mut hasher);
                if classes > 0 {
                    tokens.hash(&mut hasher);
                }
                places[classes].insert(*element, hasher.finish());
            }
        }
        Structure { places }
    }

    /// The place of a node; of the nearest elements, this number of them, the classes count.
    pub(crate) fn place<'p>(&self, page: &'p Page, node: NodeId, classes: usize) -> Place<'p> {
        let (kind, element) = match page.kind(node) {
            Kind::Element => (None, Some(node)),
            Kind::Attribute => (Some(page.name(node)), page.parent(node)),
            _ => (Some("#text"), page.parent(node)),
        };
        let place = element.and_then(|element| self.places[classes.min(MOST_CLASSES)].get(&element));
        (kind, place.copied().unwrap_or(0))
    }
}

/// Times that a page says a label, or the words of a link, if these are a part of its template.
const REPEATED: usize = 3;

/// The share of texts of one place that follow words that the page repeats, if these are labels.
const LABELLED: f64 = 0.8;

/// An item, and the part of its text that may be a value.
type Cut = (usize, Range<usize>);

/// What stands around a value in its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    /// The word or sign.
    word: String,
    /// Which of how many pieces is the value, if it is a bar between them; the first of one is what follows the word, the second what is before it.
    piece: (usize, usize),
}

/// Longer texts are prose.
const LONGEST_FRAMED: usize = 300;
/// Signs that stand between two values of a text, with spaces around them.
const BARS: [&str; 6] = ["|", "\u{b7}", "\u{2022}", "\u{2013}", "\u{2014}", "/"];
/// A text with more pieces is a menu.
const PIECES: usize = 6;

/// The parts of a text that may be values, with what is around them.
fn frames(text: &str) -> Vec<(Frame, Range<usize>)> {
    let mut frames = Vec::new();
    let mut add = |word: &str, piece: (usize, usize), part: Range<usize>| {
        let (own, trimmed) = (&text[part.clone()], text[part.clone()].trim());
        let start = part.start + own.len() - own.trim_start().len();
        if trimmed.contains(char::is_alphanumeric) {
            let word = word.to_owned();
            frames.push((Frame { word, piece }, start..start + trimmed.len()));
        }
    };
    if let Some((word, rest)) = text.split_once(char::is_whitespace) {
        add(word, (0, 1), text.len() - rest.len()..text.len());
    }
    if let Some((rest, word)) = text.rsplit_once(char::is_whitespace) {
        add(word, (1, 1), 0..rest.len());
    }
    for bar in BARS {
        let between = format!(" {bar} ");
        let pieces: Vec<&str> = text.split(&between).collect();
        let mut start = 0;
        for (number, piece) in pieces.iter().enumerate() {
            if (2..=PIECES).contains(&pieces.len()) {
                add(bar, (number, pieces.len()), start..start + piece.len());
            }
            start += piece.len() + between.len();
        }
    }
    frames
}

/// Is a node a text, or an element that has nothing but one?
fn is_one_text(page: &Page, node: NodeId) -> bool {
    let mut inside = page.children(node);
    page.kind(node) == Kind::Text
        || inside.next().is_some_and(|child| page.kind(child) == Kind::Text) && inside.next().is_none()
}

/// The nodes that have a text, in page order.
fn sayers(page: &Page) -> Vec<NodeId> {
    let longest = longest_text(page, LONGEST);
    let mut nodes = Vec::new();
    for element in vocabulary::seen_elements(page) {
        let attributes = vocabulary::DATA
            .iter()
            .filter_map(|name| page.attribute(element, page.name_id(name)?));
        nodes.extend(attributes.filter(|at| page.string_value(*at).len() <= LONGEST));
        if page.text_range(element).len() > longest || vocabulary::is_shell(page.name(element)) {
            continue;
        }
        nodes.push(element);
        let own = page.string_value(element).trim();
        let texts = page.children(element).filter(|child| page.kind(*child) == Kind::Text);
        // If an element has only one text, the element stands for it.
        nodes.extend(texts.filter(|text| page.string_value(*text).trim() != own));
    }
    nodes.sort_unstable();
    nodes
}

impl Items {
    pub(crate) fn new(page: &Page, structure: &Structure) -> Items {
        let none = HashSet::new();
        let sights = Sights::new(page);
        let (mut nodes, mut looks) = (Vec::new(), Vec::new());
        for node in sayers(page) {
            if page.string_value(node).trim().is_empty() {
                continue;
            }
            nodes.push(node);
            looks.push(Look::new(sights.of(node, &none)));
        }
        // By tags alone, and by tags and classes, because it is not known which of them the template uses.
        let mut columns: Vec<Vec<usize>> = Vec::new();
        let mut known: HashSet<Vec<usize>> = HashSet::new();
        for classes in [0, 1, 3] {
            let mut by: HashMap<Place<'_>, Vec<usize>> = HashMap::new();
            for (number, node) in nodes.iter().enumerate() {
                by.entry(structure.place(page, *node, classes))
                    .or_default()
                    .push(number);
            }
            let mut new: Vec<Vec<usize>> = by.into_values().collect();
            new.sort_unstable();
            columns.extend(new.into_iter().filter(|column| known.insert(column.clone())));
        }
        let whole = nodes.len();
        let mut items = Items {
            nodes,
            looks,
            columns,
            whole,
        };
        items.part_links(page, structure);
        items.part_labels(page, structure);
        items
    }

    /// Is an item a part of a node's text?
    pub(crate) fn is_part(&self, item: usize) -> bool {
        item >= self.whole
    }

    /// The items of a block that are whole nodes.
    pub(crate) fn within(&self, block: (NodeId, NodeId)) -> &[Look] {
        &self.looks[self.inside(block)]
    }

    /// Their numbers.
    pub(crate) fn inside(&self, (from, to): (NodeId, NodeId)) -> Range<usize> {
        let nodes = &self.nodes[..self.whole];
        nodes.partition_point(|node| *node < from)..nodes.partition_point(|node| *node < to)
    }

    /// Adds columns of addresses whose links have the same few words: "Agenda" and "Minutes" beside each other are two columns, also where a record
    /// lacks one of them.
    fn part_links(&mut self, page: &Page, structure: &Structure) {
        let mut by: BTreeMap<(Place<'_>, Vec<&str>), Vec<usize>> = BTreeMap::new();
        for (number, look) in self.looks.iter().enumerate().filter(|(_, look)| look.sight.attribute) {
            let names = look.sight.names.iter().map(String::as_str);
            let said: Vec<&str> = names.filter(|name| name.starts_with(SAID)).collect();
            if !said.is_empty() {
                let place = structure.place(page, self.nodes[number], 0);
                by.entry((place, said)).or_default().push(number);
            }
        }
        let new = by.into_values().filter(|column| column.len() >= REPEATED);
        let new: Vec<Vec<usize>> = new.filter(|column| !self.columns.contains(column)).collect();
        self.columns.extend(new);
    }

    /// Adds columns of texts of one place that follow the same label, as in `<b>Author:</b> Ann<br><b>Year:</b> 1952`, if some records lack some of these lines: by their
    /// number, those after a line that is missing would be taken for others. Labels are told from other texts before values by being repeated.
    fn part_labels(&mut self, page: &Page, structure: &Structure) {
        let mut by: BTreeMap<Place<'_>, BTreeMap<Option<&str>, Vec<usize>>> = BTreeMap::new();
        for (number, look) in self.looks.iter().enumerate().filter(|(_, look)| !look.sight.attribute) {
            let place = structure.place(page, self.nodes[number], 0);
            let label = look.sight.label.as_deref();
            by.entry(place).or_default().entry(label).or_default().push(number);
        }
        let mut new: Vec<Vec<usize>> = Vec::new();
        for of in by.into_values() {
            let all: usize = of.values().map(Vec::len).sum();
            let lines: Vec<Vec<usize>> = of
                .into_iter()
                .filter(|(label, items)| label.is_some() && items.len() >= REPEATED)
                .map(|(_, items)| items)
                .collect();
            let said: usize = lines.iter().map(Vec::len).sum();
            let is_uneven = lines.iter().any(|items| items.len() != lines[0].len());
            if is_uneven && said as f64 >= LABELLED * all as f64 {
                new.extend(lines);
            }
        }
        new.retain(|column| !self.columns.contains(column));
        self.columns.extend(new);
    }

    /// Adds columns of what follows a label inside of a text, such as `Author: Ann` between two `<br>`: the part after the label, for each label that a field is known
    /// to have, that the page repeats or that other pages have in `common`. So a record that lacks a line does not shift the others.
    pub(crate) fn cut_labels(
        &mut self,
        page: &Page,
        structure: &Structure,
        known: &[Known<'_>],
        common: &HashSet<String>,
    ) {
        let mut by: BTreeMap<(Place<'_>, String), Vec<(usize, Look)>> = BTreeMap::new();
        for item in 0..self.whole {
            let look = &self.looks[item];
            if look.sight.attribute || !is_one_text(page, self.nodes[item]) {
                continue;
            }
            let Some(label) = label_in(&look.sight.text) else {
                continue;
            };
            let (before, rest) = look.sight.text.split_at(label.len() + 1);
            if !rest.trim().is_empty() {
                let place = structure.place(page, self.nodes[item], 0);
                let cut = look.cut(rest.trim(), before);
                by.entry((place, label.to_owned())).or_default().push((item, cut));
            }
        }
        for ((_, label), cuts) in by {
            let is_known = || common.contains(&label) || known.iter().any(|known| known.has_label(&label));
            if cuts.len() < REPEATED && !is_known() {
                continue;
            }
            let column = cuts.into_iter().map(|(item, look)| {
                self.nodes.push(self.nodes[item]);
                self.looks.push(look);
                self.nodes.len() - 1
            });
            let column = column.collect();
            self.columns.push(column);
        }
    }

    /// Adds columns of what is left of texts without a word or sign of the template around it, or between bars: `by Ann Lee`, `2019 | Ann Lee`. Texts of one place that begin, or
    /// end, with the same word are a group, and so are those with the same bar and as many pieces. What is left is a column only if a field is written so, and
    /// not as the whole texts are ([`Known::is_freed`]): words that all values have may well be a part of them.
    pub(crate) fn cut_frames(&mut self, page: &Page, structure: &Structure, known: &[Known<'_>]) {
        let mut by: BTreeMap<(Place<'_>, Frame), Vec<Cut>> = BTreeMap::new();
        for item in 0..self.whole {
            let (look, node) = (&self.looks[item], self.nodes[item]);
            let text = look.sight.text.as_str();
            if look.sight.attribute || text.len() > LONGEST_FRAMED || !is_one_text(page, node) {
                continue;
            }
            let place = structure.place(page, node, 0);
            for (frame, part) in frames(text) {
                by.entry((place, frame)).or_default().push((item, part));
            }
        }
        for ((_, frame), cuts) in by {
            let parts: Vec<(&str, &str)> = cuts
                .iter()
                .map(|(item, part)| {
                    let text = self.looks[*item].sight.text.as_str();
                    (text, &text[part.clone()])
                })
                .collect();
            if cuts.len() < REPEATED || !known.iter().any(|known| known.is_freed(&frame.word, &parts)) {
                continue;
            }
            let column = cuts.into_iter().map(|(item, part)| {
                let look = &self.looks[item];
                let look = look.freed(&look.sight.text[part.clone()], &look.sight.text[..part.start]);
                self.nodes.push(self.nodes[item]);
                self.looks.push(look);
                self.nodes.len() - 1
            });
            let column = column.collect();
            self.columns.push(column);
        }
    }

    /// Adds columns of parts, if a quarter of the items of a column have a part that is written like the values of a
    /// field.
    pub(crate) fn cut(&mut self, known: &Known<'_>) {
        let mut new: Vec<Vec<usize>> = Vec::new();
        let mut parts: HashMap<usize, usize> = HashMap::new();
        let whole = self.nodes.len();
        // An item may be in many columns; where its part is, is looked up once.
        let mut places: HashMap<usize, Option<Range<usize>>> = HashMap::new();
        for column in self.columns.clone() {
            let found: Vec<(usize, Look)> = column
                .iter()
                .filter(|item| **item < whole)
                .filter_map(|item| {
                    let look = &self.looks[*item];
                    let place = places.entry(*item).or_insert_with(|| known.part(look));
                    let (before, part) = place
                        .as_ref()
                        .map(|at| (&look.sight.text[..at.start], &look.sight.text[at.clone()]))?;
                    Some((*item, look.cut(part, before)))
                })
                .collect();
            if found.len() * 4 < column.len() || found.is_empty() {
                continue;
            }
            let mut cut = Vec::new();
            for (item, look) in found {
                // An item may be in several columns, but its part is a single item.
                let number = *parts.entry(item).or_insert_with(|| {
                    self.nodes.push(self.nodes[item]);
                    self.looks.push(look);
                    self.nodes.len() - 1
                });
                cut.push(number);
            }
            new.push(cut);
        }
        self.columns.extend(new);
    }

    /// Is a text that of the element that an attribute belongs to, inside of it or around it?
    pub(crate) fn are_one(&self, page: &Page, text: usize, attribute: usize) -> bool {
        let Some(owner) = page.parent(self.nodes[attribute]) else {
            return false;
        };
        let holds = |a: NodeId, b: NodeId| a <= b && b < page.end(a);
        let text = self.nodes[text];
        holds(owner, text) || holds(text, owner)
    }

    /// Is each of `others` inside an item of `items`, or around one? `items` are in page order.
    pub(crate) fn are_levels(&self, page: &Page, items: &[usize], others: &[usize]) -> bool {
        let holds = |a: NodeId, b: NodeId| a <= b && b < page.end(a);
        let is_level = |other: &usize| {
            let other = self.nodes[*other];
            let after = items.partition_point(|item| self.nodes[*item] <= other);
            let around = after
                .checked_sub(1)
                .is_some_and(|at| holds(self.nodes[items[at]], other));
            around || items.get(after).is_some_and(|item| holds(other, self.nodes[*item]))
        };
        others.iter().all(is_level)
    }

    /// All columns, and the groups of each below one element.
    pub(crate) fn groups(&self, page: &Page) -> Vec<Vec<usize>> {
        let mut known: HashSet<Vec<usize>> = HashSet::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for column in &self.columns {
            if known.insert(column.clone()) {
                groups.push(column.clone());
            }
            let mut ups: Vec<Option<NodeId>> = column.iter().map(|item| page.parent(self.nodes[*item])).collect();
            for _ in 0..ABOVE {
                // Items of one element are neighbours, because columns are in page order.
                let mut at = 0;
                while at < column.len() {
                    let end = (at..column.len())
                        .find(|other| ups[*other] != ups[at])
                        .unwrap_or(column.len());
                    let group = &column[at..end];
                    if group.len() < column.len() && !known.contains(group) {
                        known.insert(group.to_vec());
                        groups.push(group.to_vec());
                    }
                    at = end;
                }
                for up in &mut ups {
                    *up = up.and_then(|up| page.parent(up));
                }
            }
        }
        groups
    }
}

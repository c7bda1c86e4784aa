//! The leaves of records, each put down under its key: where its item is in the record, and the steps down to it.
//!
//! A text is the value of the element around it, a picture gives its address and what it is called, and the link around either gives its address. Links
//! that are known by their words have no steps. What has a label is left to `labelled`.
//!
//! Linear in the leaves of the records, times their depth.

use super::super::heads::{LEAVES, ordinal};
use super::super::sight;
use super::super::signs::{Sign, signs};
use super::{ANY, Cells, Key, LATER, Maker, REACHED, Role, Step};
use page::{Kind, NameId, NodeId};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

impl Maker<'_, '_> {
    /// The links of all records that are found by what they say.
    pub(super) fn signs(&self, records: &[Range<usize>]) -> HashMap<NodeId, Sign> {
        let items = &self.candidate.items;
        let mut groups: HashMap<(bool, Vec<NameId>), Vec<Vec<NodeId>>> = HashMap::new();
        for (number, record) in records.iter().enumerate() {
            for at in record.clone() {
                let item = items.nodes[at];
                let leaves = self.sight.leaves[items.leaves[at].clone()].iter().take(LEAVES);
                let mut links: Vec<NodeId> = leaves.filter_map(sight::Leaf::link).collect();
                links.dedup();
                for link in links.into_iter().filter(|link| *link > item && !self.is_cell(*link)) {
                    let Some(steps) = self.steps(item, link) else { continue };
                    let names = steps.into_iter().map(|(name, _)| name).collect();
                    let group = groups.entry((at == record.start, names));
                    group.or_insert_with(|| vec![Vec::new(); self.count])[number].push(link);
                }
            }
        }
        let groups = groups.values().map(|group| signs(self.page, group, self.count));
        groups.flatten().collect()
    }

    /// Puts the pictures of a few records that are loaded at once where those are that a script loads later.
    pub(super) fn unite_pictures(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            if !key.attribute.is_some_and(|name| LATER.contains(&name)) {
                continue;
            }
            let same =
                |other: &Key| other.attribute == Some("src") && other.role == key.role && other.steps == key.steps;
            if let Some(other) = self.keys.iter().position(same) {
                for number in 0..self.count {
                    let nodes = std::mem::take(&mut self.cells[other].nodes[number]);
                    if self.cells[at].nodes[number].is_empty() {
                        self.cells[at].nodes[number] = nodes;
                    }
                }
            }
        }
    }

    /// Is a picture with a link all that a cell of a table has? Then the column tells more than the picture.
    fn is_cell(&self, link: NodeId) -> bool {
        let page = self.page;
        let cell = page.ancestors(link).find(|up| matches!(page.name(*up), "td" | "th"));
        self.grid.is_some()
            && cell.is_some_and(|cell| {
                let leaves = &self.sight.leaves[self.sight.range(cell)];
                matches!(leaves, [only] if !only.is_text())
            })
    }

    /// Takes down the leaves of a record.
    pub(super) fn read(&mut self, number: usize, record: &Range<usize>) {
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
                let leaf = self.sight.leaves[leaf].node;
                if !self.labels.leaves.contains(&leaf) {
                    self.leaf(number, role, node, leaf);
                }
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
        let mut around = std::iter::once(own).chain(page.ancestors(own));
        let link = around.find(|up| *up <= item || page.name(*up) == "a");
        if let Some((link, sign)) = link.and_then(|link| Some((link, self.signs.get(&link)?.clone()))) {
            // Any sibling of the record may have it, since those before it are optional.
            let is_free = self.candidate.heads.test.is_free() && role.is_some_and(|(tag, _)| tag.is_some());
            let key = Key {
                role: role.map(|(tag, time)| (tag, if is_free { ANY } else { time })),
                steps: Vec::new(),
                attribute: Some("href"),
                sign: Some(sign),
                told: None,
                around: None,
                written: None,
            };
            self.add(number, key, link);
            return;
        }
        if is_text {
            self.add(
                number,
                Key {
                    role,
                    steps: steps.clone(),
                    attribute: None,
                    sign: None,
                    told: None,
                    around: None,
                    written: None,
                },
                own,
            );
        } else if page.name(leaf) == "img" {
            let is_given = |attribute: &&str| {
                let value = page.attribute_value(leaf, attribute).unwrap_or("").trim();
                !value.is_empty() && !value.starts_with("data:")
            };
            let source = LATER.into_iter().find(|name| is_given(name)).unwrap_or("src");
            for attribute in [source, "alt"] {
                if is_given(&attribute) {
                    self.add(
                        number,
                        Key {
                            role,
                            steps: steps.clone(),
                            attribute: Some(attribute),
                            sign: None,
                            told: None,
                            around: None,
                            written: None,
                        },
                        leaf,
                    );
                }
            }
        }
        // The link around it.
        let mut at = own;
        let mut length = steps.len();
        loop {
            if page.name(at) == "a" && page.attribute_value(at, "href").is_some() {
                let steps = steps[..length].to_vec();
                self.add(
                    number,
                    Key {
                        role,
                        steps,
                        attribute: Some("href"),
                        sign: None,
                        told: None,
                        around: None,
                        written: None,
                    },
                    at,
                );
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
                self.cells.push(Cells {
                    nodes: vec![Vec::new(); count],
                });
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
    pub(in super::super) fn steps(&self, item: NodeId, node: NodeId) -> Option<Vec<Step>> {
        let page = self.page;
        let mut steps = Vec::new();
        let mut at = node;
        while at != item {
            let name = page.name_of(at)?;
            let up = page.parent(at)?;
            let cell = self.grid.as_ref().filter(|_| up == item);
            let cell = cell.and_then(|grid| grid.column(page, at));
            let is_loose = self.loose && up == item;
            let is_numbered = matches!(page.name(at), "td" | "th") && !is_loose;
            let cell = cell.or_else(|| is_numbered.then(|| ordinal(page, at)));
            steps.push((name, cell));
            at = up;
            if steps.len() > sight::DEEP {
                return None;
            }
        }
        steps.reverse();
        Some(steps)
    }
}

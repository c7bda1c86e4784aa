//! The list of active formatting elements (HTML Standard 13.2.4.3) and its effects on the tree: reconstruction and the
//! adoption agency (13.2.6.4.7).
//!
//! An entry is an element such as `b` or `a` that was opened and not closed by its own end tag; it is opened again in
//! the next paragraph or cell. Copies share the attributes of their original: a range of [`Scratch::attributes`] may
//! belong to many elements.
//!
//! Every piece of text asks whether an entry is open, so an entry remembers its place on the stack. The stack counts
//! how often places shifted; a place from an earlier count is looked up again.
//!
//! The stretch after the last marker never contains more entries than there may be open elements, because a formatting
//! tag opens all of them again before it adds one. So every walk here is bounded by the depth limit.
//!
//! [`Scratch::attributes`]: crate::scratch::Scratch::attributes

use super::class::{LISTED, of_html};
use super::{Builder, Tag};
use crate::name::NameId;
use crate::scratch::{Attribute, Kind, Ref};

/// An active formatting element, or a marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// [`Ref::NONE`] for a marker.
    node: Ref,
    name: NameId,
    /// The hash of the name and the attributes; 0 if none was computed.
    hash: u64,
    /// The place of the element on the stack when the stack had shifted `shifts` times; 0 if it was closed.
    place: u32,
    shifts: u32,
}

impl Entry {
    const MARKER: Entry = Entry {
        node: Ref::NONE,
        name: NameId(0),
        hash: 0,
        place: 0,
        shifts: 0,
    };

    #[inline]
    fn is_marker(&self) -> bool {
        self.node.is_none()
    }
}

/// A count of shifts that the stack never reaches.
const NEVER: u32 = u32::MAX;

/// Stretches of the list up to this length are compared attribute by attribute, longer ones by hash first.
const SHORT: usize = 8;

impl Builder<'_> {
    pub(super) fn push_marker(&mut self) {
        self.formatting.push(Entry::MARKER);
    }

    /// Removes the entries down to and including the last marker.
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(last) = self.formatting.last() {
            let marker = last.is_marker();
            self.drop_entry(self.formatting.len() - 1);
            if marker {
                break;
            }
        }
    }

    fn drop_entry(&mut self, at: usize) {
        if !self.formatting[at].is_marker() {
            let place = self.entry_place(at);
            self.stack.mark_listed(place, false);
        }
        self.formatting.remove(at);
    }

    /// The place of an entry's element on the stack, or 0.
    #[inline]
    fn entry_place(&mut self, at: usize) -> u32 {
        let entry = self.formatting[at];
        let shifts = self.stack.shifts();
        if entry.shifts == shifts {
            let open = self.stack.at(entry.place).is_some_and(|open| open.node == entry.node);
            return if open { entry.place } else { 0 };
        }
        let place = self.stack.place_of(entry.node, entry.name);
        self.formatting[at] = Entry { place, shifts, ..entry };
        place
    }

    /// The index of the last entry of that name after the last marker.
    pub(super) fn find_formatting(&self, name: NameId) -> Option<usize> {
        for (at, entry) in self.formatting.iter().enumerate().rev() {
            if entry.is_marker() {
                return None;
            }
            if entry.name == name {
                return Some(at);
            }
        }
        None
    }

    /// The element of an entry.
    pub(super) fn formatting_node(&self, at: usize) -> Ref {
        self.formatting[at].node
    }

    /// Removes an element from the list, if it is after the last marker, and from the stack.
    pub(super) fn forget_formatting(&mut self, node: Ref, name: NameId) {
        let place = self.stack.place_of(node, name);
        let after_marker = self
            .formatting
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, entry)| !entry.is_marker());
        let found = after_marker
            .into_iter()
            .find(|(_, entry)| entry.node == node)
            .map(|(at, _)| at);
        if let Some(at) = found {
            self.drop_entry(at);
        }
        if place != 0 {
            self.stack.remove(place);
        }
    }

    /// Inserts an element for the tag and adds it to the list, which may contain at most three equal ones after a
    /// marker.
    pub(super) fn insert_formatting(&mut self, tag: Tag) {
        let mut alike = 0;
        let mut earliest = 0;
        let mut hash = 0;
        let mut walked = 0;
        for at in (0..self.formatting.len()).rev() {
            let entry = self.formatting[at];
            if entry.is_marker() {
                break;
            }
            walked += 1;
            if walked > SHORT && hash == 0 {
                hash = self.hash_of(tag);
            }
            if entry.name != tag.name || (hash != 0 && entry.hash != 0 && hash != entry.hash) {
                continue;
            }
            if self.has_attributes_of(entry.node, tag) {
                alike += 1;
                earliest = at;
            }
        }
        if alike >= 3 {
            self.drop_entry(earliest);
        }
        let node = self.insert(tag);
        let place = self.stack.len() as u32;
        self.stack.mark_listed(place, true);
        self.formatting.push(Entry {
            node,
            name: tag.name,
            hash,
            place,
            shifts: self.stack.shifts(),
        });
    }

    fn hash_of(&self, tag: Tag) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut sum = u64::from(tag.name.0).wrapping_mul(FACTOR);
        for attribute in self.attributes(tag.first_attribute, tag.attributes) {
            let mut value = u64::from(attribute.name.0) + 1;
            for chunk in self.scratch.text(attribute.value).as_bytes().chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                value = (value.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
            }
            // A sum, because the order of attributes does not matter.
            sum = sum.wrapping_add(value ^ (value >> 31));
        }
        sum | 1
    }

    fn attributes(&self, first: u32, count: u32) -> &[Attribute] {
        &self.scratch.attributes[first as usize..(first + count) as usize]
    }

    fn has_attributes_of(&self, node: Ref, tag: Tag) -> bool {
        let Kind::Element {
            first_attribute,
            attributes,
            ..
        } = self.scratch.node(node).kind
        else {
            return false;
        };
        if attributes != tag.attributes {
            return false;
        }
        let ours = self.attributes(first_attribute, attributes);
        let theirs = self.attributes(tag.first_attribute, tag.attributes);
        let same_value = |a: &Attribute, b: &Attribute| self.scratch.text(a.value) == self.scratch.text(b.value);
        if ours.iter().zip(theirs).all(|(a, b)| a.name == b.name) {
            return ours.iter().zip(theirs).all(|(a, b)| same_value(a, b));
        }
        let [mut ours, mut theirs] = [ours.to_vec(), theirs.to_vec()];
        ours.sort_unstable_by_key(|attribute| attribute.name);
        theirs.sort_unstable_by_key(|attribute| attribute.name);
        ours.iter()
            .zip(&theirs)
            .all(|(a, b)| a.name == b.name && same_value(a, b))
    }

    /// Opens formatting elements again that are active but closed.
    #[inline]
    pub(super) fn reconstruct(&mut self) {
        if self.formatting.last().is_some_and(|last| !last.is_marker()) {
            let last = self.formatting.len() - 1;
            if self.entry_place(last) == 0 {
                self.reconstruct_from_end();
            }
        }
    }

    fn reconstruct_from_end(&mut self) {
        let mut first = self.formatting.len() - 1;
        while first > 0 && !self.formatting[first - 1].is_marker() && self.entry_place(first - 1) == 0 {
            first -= 1;
        }
        for at in first..self.formatting.len() {
            let entry = self.formatting[at];
            let kind = self.copied_kind(entry.node);
            let node = self.place_new(kind);
            self.stack.push(node, entry.name, of_html(entry.name) | LISTED);
            let (place, shifts) = (self.stack.len() as u32, self.stack.shifts());
            self.formatting[at] = Entry {
                node,
                place,
                shifts,
                ..entry
            };
        }
    }

    /// The kind of an element's copy; also counts what a copy costs beyond its node.
    pub(super) fn copied_kind(&mut self, node: Ref) -> Kind {
        let kind = self.scratch.node(node).kind;
        if let Kind::Element {
            first_attribute,
            attributes,
            ..
        } = kind
        {
            self.copied_attributes += attributes as usize;
            let values = self.attributes(first_attribute, attributes);
            let bytes = values.iter().map(|attribute| attribute.value.len()).sum::<usize>();
            self.copied_bytes = self.copied_bytes.saturating_add(bytes);
        }
        kind
    }

    /// The adoption agency: closes a formatting element although blocks in it are still open, by giving each of the
    /// blocks its own copy.
    pub(super) fn adopt(&mut self, subject: NameId) {
        let top = self.stack.top();
        if top.is(subject) && !top.has(LISTED) {
            self.stack.pop();
            return;
        }
        for _ in 0..8 {
            let Some(at) = self.find_formatting(subject) else {
                self.close_named(subject);
                return;
            };
            let place = self.entry_place(at);
            if place == 0 {
                self.formatting.remove(at);
                return;
            }
            if !self.stack.place_in_scope(place) {
                return;
            }
            if self.stack.special() < place {
                self.stack.truncate(place as usize - 1);
                self.formatting.remove(at);
                return;
            }
            self.adopt_once(at, place);
        }
    }

    /// One iteration of the outer loop, for the entry `at` whose element is at `place` and contains an open block.
    fn adopt_once(&mut self, mut at: usize, place: u32) {
        let from = place as usize - 1;
        let between = self.stack.until_special(from + 1);
        let [Some(&ancestor), Some(&formatting), Some(&block)] =
            [from - 1, from, from + 1 + between].map(|index| self.stack.get(index))
        else {
            return;
        };
        let mut bookmark = at;
        let mut last = block.node;
        let mut open_after = Vec::new();
        for turn in 0..between {
            let Some(&open) = self.stack.get(from + between - turn) else {
                continue;
            };
            if !open.has(LISTED) {
                continue;
            }
            let Some(entry) = self.formatting.iter().rposition(|entry| entry.node == open.node) else {
                continue;
            };
            if turn >= 3 {
                self.formatting.remove(entry);
                at -= usize::from(entry < at);
                bookmark -= usize::from(entry < bookmark);
                continue;
            }
            let kind = self.copied_kind(open.node);
            let node = self.scratch.create(kind);
            self.formatting[entry] = self.moved(self.formatting[entry], node);
            open_after.push(open.with_node(node));
            if last == block.node {
                bookmark = entry + 1;
            }
            self.scratch.detach(last);
            self.scratch.append(node, last);
            last = node;
        }
        self.scratch.detach(last);
        self.place_under(&ancestor, last);

        let kind = self.copied_kind(formatting.node);
        let node = self.scratch.create(kind);
        self.scratch.move_children(block.node, node);
        self.scratch.append(block.node, node);
        let entry = self.formatting.remove(at);
        bookmark -= usize::from(at < bookmark);
        self.formatting.insert(bookmark, self.moved(entry, node));

        open_after.reverse();
        open_after.extend([block, formatting.with_node(node)]);
        self.stack.replace(from, from + 2 + between, &open_after);
    }

    /// An entry for another node, whose place must still be looked up.
    fn moved(&self, entry: Entry, node: Ref) -> Entry {
        Entry {
            node,
            place: 0,
            shifts: NEVER,
            ..entry
        }
    }
}

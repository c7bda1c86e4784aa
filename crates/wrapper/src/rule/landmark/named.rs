//! Landmarks that an `id` names.
//!
//! An `id` names one element of a page. If a landmark has such a test and the page has one element with that tag and `id`, then this element
//! is the landmark, and no other one that passes a weaker test. So a block that stands under another parent on some pages is found there. **In**: a rule,
//! and the tokens of a page. **Out**: the elements that are not where the rule expects them. They are taken out of the page
//! ([`Tokens::apart`]), so that their texts are in no other field, and are read by themselves.
//!
//! The first part of a rule may have such landmarks, too: blocks that had several parents on the pages that the rule was made from. They are always
//! taken out, and come after the rest of the page in the order of their landmarks.
//!
//! Landmarks of items do not count, because a page has several items. An element with a landmark in it that was found by its `id` stays where
//! it is: it is the frame of a page that has another use for that `id`.
//!
//! **Known failure**: an element with the `id` of a block around all of a page whose other landmarks have no `id`.
//!
//! **Cost**: linear in the tokens; a page on which something has moved is read at most three times.

use super::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Tokens, What};
use page::{NodeId, Page, vocabulary};
use std::collections::{HashMap, HashSet};

/// A tag and an `id`.
type Key = (String, String);

/// The landmarks of a rule with an `id`.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The number of each landmark's key, by part and mark.
    keys: HashMap<(PartId, usize), usize>,
    numbers: HashMap<Key, usize>,
    /// The first landmark of each key.
    marks: Vec<(PartId, usize)>,
}

/// The elements of a page with the keys of a rule.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// The element of each key, if there is exactly one.
    elements: Vec<Option<NodeId>>,
    numbers: HashMap<NodeId, usize>,
    found: HashSet<NodeId>,
}

/// The key of a landmark.
fn key(landmark: &Landmark) -> Option<Key> {
    let What::Element(tag) = &landmark.what else {
        return None;
    };
    let mut attributes = landmark.tests.iter().flat_map(|test| &test.attributes);
    let id = attributes.find_map(|(name, value)| value.as_ref().filter(|_| name == "id"))?;
    (!vocabulary::is_shell(tag)).then(|| (tag.clone(), id.clone()))
}

impl Named {
    pub(super) fn new(rule: &Landmarks) -> Named {
        let mut named = Named::default();
        if rule.grain == Grain::Words {
            return named;
        }
        let mut is_item = vec![false; rule.parts.len()];
        for (number, part) in (0..).zip(&rule.parts) {
            let in_item = is_item[number as usize];
            for inner in part.parts() {
                let is_each = matches!(part, Part::List { each, .. } if *each == inner);
                is_item[inner as usize] |= in_item || is_each;
            }
            let Part::Split { marks, .. } = part else { continue };
            for (at, mark) in marks.iter().enumerate().filter(|_| !in_item) {
                if let Some(key) = key(&mark.landmark) {
                    let next = named.marks.len();
                    let own = *named.numbers.entry(key).or_insert(next);
                    if own == next {
                        named.marks.push((number, at));
                    }
                    named.keys.insert((number, at), own);
                }
            }
        }
        named
    }

    /// The number of the key of a landmark.
    pub(super) fn key(&self, part: PartId, mark: usize) -> Option<usize> {
        self.keys.get(&(part, mark)).copied()
    }

    pub(super) fn owners(&self, page: &Page, tokens: &Tokens) -> Owners {
        let mut owners = Owners {
            elements: vec![None; self.marks.len()],
            ..Owners::default()
        };
        let Some(id) = page.name_id("id").filter(|_| !self.marks.is_empty()) else {
            return owners;
        };
        let mut several = vec![false; self.marks.len()];
        for token in tokens.tokens.iter().filter(|token| token.piece == Piece::Start) {
            let Some(value) = page.attribute(token.node, id) else {
                continue;
            };
            let key = (
                page.name(token.node).to_owned(),
                page.string_value(value).trim().to_owned(),
            );
            if let Some(number) = self.numbers.get(&key) {
                several[*number] |= owners.elements[*number].replace(token.node).is_some();
            }
        }
        for (number, element) in owners.elements.iter_mut().enumerate() {
            *element = element.filter(|_| !several[number]);
            owners.numbers.extend(element.map(|element| (element, number)));
        }
        owners
    }

    /// The elements that are blocks of the first part, in the order of their landmarks.
    pub(super) fn blocks(&self, owners: &Owners) -> Vec<NodeId> {
        let blocks = self.marks.iter().enumerate().filter(|(_, (part, _))| *part == 0);
        blocks.filter_map(|(number, _)| owners.elements[number]).collect()
    }

    /// The landmark that an element is.
    pub(super) fn mark<'r>(&self, rule: &'r Landmarks, owners: &Owners, element: NodeId) -> Option<&'r Mark> {
        let (part, at) = self.marks[*owners.numbers.get(&element)?];
        match &rule.parts[part as usize] {
            Part::Split { marks, .. } => marks.get(at),
            _ => None,
        }
    }
}

impl Owners {
    /// The element that a landmark with this key is.
    pub(super) fn of(&self, key: usize) -> Option<NodeId> {
        self.elements[key]
    }

    /// A landmark was found at an element.
    pub(super) fn found(&mut self, element: NodeId) {
        if self.numbers.contains_key(&element) {
            self.found.insert(element);
        }
    }

    /// The page is read again.
    pub(super) fn forget(&mut self) {
        self.found.clear();
    }

    /// The outermost elements that are a landmark and were not found where it is expected, but for those that were taken out.
    pub(super) fn strays(&self, page: &Page, apart: &[NodeId]) -> Vec<NodeId> {
        let mut missing: Vec<NodeId> = self.elements.iter().flatten().copied().collect();
        missing.retain(|element| !self.found.contains(element) && !apart.contains(element));
        missing.sort_unstable();
        let mut found: Vec<NodeId> = self.found.iter().copied().collect();
        found.sort_unstable();
        let has_found = |element: NodeId| {
            let next = found.partition_point(|other| *other <= element);
            found.get(next).is_some_and(|other| *other < page.end(element))
        };
        let mut strays: Vec<NodeId> = Vec::new();
        for element in missing {
            let is_inside = strays.last().is_some_and(|last| element < page.end(*last));
            if !is_inside && !has_found(element) {
                strays.push(element);
            }
        }
        strays
    }
}

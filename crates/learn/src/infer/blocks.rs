//! Blocks that an `id` names and that stand under another parent on some pages.
//!
//! A block of details is in the left column of most pages, and on some in a frame of its own, or after the reviews. Landmarks divide
//! pages from the outside in, so what is in the block would be in one field for each of its parents. But the block has an `id`, and an `id` names
//! one element of a page, wherever it is.
//!
//! **In**: the pages, and for each element of them the region set in which the learner met it last. **Out**: the blocks to be taken out of the pages and
//! looked at by themselves ([`super::records`]). A block is an element with a tag and an `id` that at least `k` pages have, at most once each. It has
//! moved if it was met in different region sets: the learner did not see that it is the same. Of blocks inside one another the outer ones
//! come first, because the inner ones may have moved with them.
//!
//! **Cost**: linear in the tokens, and quadratic in the blocks that have moved, of which there are at most [`MOST`].
//!
//! **Known failures**: blocks that only a heading or a class tells; an `id` with a number of the page in it.

use super::site::{Doc, NO_TEXT, Site, Sym};
use page::{NodeId, vocabulary};
use std::collections::{BTreeMap, HashMap};
use wrapper::rule::landmark::{Landmark, PartId, Test};

/// The most blocks that are looked at. Pages have a few dozen.
const MOST: usize = 200;
/// How often pages are looked at again: for blocks that have moved, and for those inside them.
pub(super) const ROUNDS: usize = 3;
/// The region set of an element that was not met.
pub(super) const NOWHERE: PartId = PartId::MAX;

/// An element that an `id` names.
pub(super) struct Block {
    tag: Sym,
    id: Sym,
    /// The element on each page.
    pub(super) elements: Vec<Option<NodeId>>,
}

impl Block {
    pub(super) fn landmark(&self, site: &Site<'_>) -> Landmark {
        Landmark {
            what: site.what(self.tag),
            tests: vec![Test {
                attributes: vec![site.attributes[self.id as usize].clone()],
                ..Test::default()
            }],
        }
    }
}

/// The blocks of at least `k` pages.
pub(super) fn blocks(site: &Site<'_>, k: usize) -> Vec<Block> {
    let is_id = |attribute: &Sym| {
        let (name, value) = &site.attributes[*attribute as usize];
        name == "id" && value.is_some() && site.attribute_spread[*attribute as usize] as usize >= k.max(2)
    };
    let mut places: BTreeMap<(Sym, Sym), Vec<Option<NodeId>>> = BTreeMap::new();
    let mut several: Vec<(Sym, Sym)> = Vec::new();
    for (number, doc) in site.docs.iter().enumerate() {
        for (at, token) in (0u32..).zip(&doc.tokens.tokens) {
            let Some(id) = doc.attributes(at).iter().copied().find(is_id) else {
                continue;
            };
            let key = (doc.tags[at as usize], id);
            let elements = places.entry(key).or_insert_with(|| vec![None; site.docs.len()]);
            if elements[number].replace(token.node).is_some() {
                several.push(key);
            }
        }
    }
    several.into_iter().for_each(|key| drop(places.remove(&key)));
    let blocks = places
        .into_iter()
        .map(|((tag, id), elements)| Block { tag, id, elements });
    let blocks = blocks.filter(|block| {
        let pages = block.elements.iter().flatten().count();
        pages >= k.max(2) && !vocabulary::is_shell(&site.tags[block.tag as usize])
    });
    let mut blocks: Vec<Block> = blocks.collect();
    // In the order of the first page that has them.
    blocks.sort_by_key(|block| {
        block
            .elements
            .iter()
            .position(Option::is_some)
            .map(|page| (page, block.elements[page]))
    });
    blocks.truncate(MOST);
    blocks
}

/// The blocks, of those that are not apart, that were met in different region sets, `met` on each page by position.
pub(super) fn moved(site: &Site<'_>, blocks: &[Block], apart: &[usize], met: &[Vec<PartId>]) -> Vec<usize> {
    let mut places: Vec<HashMap<NodeId, u32>> = Vec::new();
    for doc in &site.docs {
        let starts = (0u32..).zip(&doc.tokens.tokens).filter(|(at, token)| token.mate > *at);
        places.push(starts.map(|(at, token)| (token.node, at)).collect());
    }
    let has_moved = |number: &usize| {
        let on = blocks[*number].elements.iter().enumerate();
        let mut seen = on.filter_map(|(doc, element)| Some((doc, *places[doc].get(&(*element)?)?)));
        let mut sets = seen.clone().map(|(doc, at)| met[doc][at as usize]);
        let first = sets.next();
        sets.any(|set| Some(set) != first) && seen.any(|(doc, at)| says_something(&site.docs[doc], at))
    };
    let moved: Vec<usize> = (0..blocks.len())
        .filter(|number| !apart.contains(number))
        .filter(has_moved)
        .collect();
    let is_in = |inner: &Block, outer: &Block| {
        let mut pages = inner.elements.iter().zip(&outer.elements).zip(&site.docs);
        pages.any(|((inner, outer), doc)| {
            inner
                .zip(*outer)
                .is_some_and(|(inner, outer)| outer < inner && inner < doc.page.end(outer))
        })
    };
    let is_outer = |number: &&usize| !moved.iter().any(|other| is_in(&blocks[**number], &blocks[*other]));
    moved.iter().filter(is_outer).copied().collect()
}

fn says_something(doc: &Doc<'_>, at: u32) -> bool {
    let mate = doc.tokens.tokens[at as usize].mate;
    doc.texts[at as usize..=mate as usize]
        .iter()
        .any(|text| *text != NO_TEXT)
}

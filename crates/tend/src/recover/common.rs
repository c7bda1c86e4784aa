//! Texts that are the same on several pages with one record each: they are of the template, and no values.
//!
//! *Input*: the pages as they were read. *Output*: whether an item is of the template. *Cost*: a pass over the texts of each page.

use super::{Read, hash};
use page::{NodeId, Page};
use std::collections::HashMap;
use wrapper::rule::paths::value;

/// What several pages have in common: the texts of the template.
///
/// A text that is on all pages is one of the template, but a value may be among such texts, too: the page of a player says his team once more than
/// the menu of all teams does. So a text that a page has more often than another page is a value at those places where most other pages say something else.
#[derive(Default)]
pub(super) struct Common {
    /// For each text of all pages, how often each page has it at least.
    least: HashMap<String, usize>,
    /// For each place and text, how many pages have this text there.
    there: HashMap<(u64, u64), usize>,
    pages: usize,
}

/// How often a page has each text.
pub(super) fn counts(page: &Page) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in page.texts().iter().map(|node| value(page, *node)) {
        if !text.is_empty() {
            *counts.entry(text).or_default() += 1;
        }
    }
    counts
}

impl Common {
    /// Compares pages; a single page has nothing in common with others.
    pub(super) fn new(pages: &[Read<'_>]) -> Common {
        let [first, others @ ..] = pages else {
            return Common::default();
        };
        if others.is_empty() {
            return Common::default();
        }
        let mut least = first.counts.clone();
        for page in others {
            least.retain(|text, least| match page.counts.get(text) {
                Some(count) => {
                    *least = (*least).min(*count);
                    true
                }
                None => false,
            });
        }
        let mut there: HashMap<(u64, u64), usize> = HashMap::new();
        for page in pages {
            for (keys, look) in page.keys.iter().zip(&page.items.looks) {
                let text = &look.sight.text;
                if let Some(place) = keys[0].filter(|_| least.contains_key(text)) {
                    *there.entry((place, hash(text))).or_default() += 1;
                }
            }
        }
        Common {
            least,
            there,
            pages: pages.len(),
        }
    }

    /// Have all pages all texts of a node? Then a part of it is of the template, too: the number in `Call (202) 502-7300` at the foot of each page.
    fn has_all(&self, page: &Page, node: NodeId) -> bool {
        let texts = page.texts();
        let from = texts.partition_point(|text| *text < node);
        let inside = texts[from..]
            .iter()
            .take_while(|text| **text == node || **text < page.end(node));
        let mut inside = inside
            .map(|text| value(page, *text))
            .filter(|text| !text.is_empty())
            .peekable();
        inside.peek().is_some() && inside.all(|text| self.least.contains_key(&text))
    }

    /// Is an item of a page a part of the template?
    pub(super) fn has(&self, page: &Read<'_>, item: usize) -> bool {
        let text = &page.items.looks[item].sight.text;
        let Some(least) = self.least.get(text) else {
            return page.items.is_part(item) && self.has_all(page.page, page.items.nodes[item]);
        };
        let is_more = page.counts.get(text).is_some_and(|count| count > least);
        let there = page.keys[item][0].and_then(|place| self.there.get(&(place, hash(text))));
        !is_more || there.is_none_or(|there| there * 2 > self.pages)
    }
}

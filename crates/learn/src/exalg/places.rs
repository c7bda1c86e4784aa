//! Rows of one list are at one place of the template.
//!
//! Lists are found by their paths (`rows`), and elements of one path may have nothing else in common: the menu, the facts, the rooms
//! and the agent of a house may all be tables in the body. If the rows of several were one list, their cells would be aligned with each other. The
//! paper has the rule (Observation 4.5): what is in one position of a valid class has another role than what is in another position of
//! it. The words of the root class, and of others that no page has twice (the heading of an optional part), divide the page into places. So these are not lists:
//!
//! - elements around rows that are at several places of a page, each on a part of the pages that the paper asks of a class (SUPTHRES). Where each page has one of these
//!   places, some pages have something more before the list;
//! - blocks and paragraphs of one parent of which hardly two stand together between such words: parts of the page.
//!
//! And what a list reads must be what it was learned from: if it takes rows of other elements, too on any of the pages, nothing tells it from them.
//! Some pages may have the block of a list at another place, inside of one element more. There the list was not learned from anything, and what it reads
//! is its block if its role is on no other block, or if no page with the list has other rows at that place.
//!
//! Words inside of rows do not count, since a word of the data may be once on every page, too. What is refused here is left to the classes.
//! One look at each row. Known failure: a list with odd rows beside another of the same path is read by the classes alone.

use super::dtokens::Collection;
use super::findeq::{Class, Dtoken};
use super::rows::Found;
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::landmark::Piece;
use wrapper::rule::template::{FoundRow, Stretch, path_of};

/// Elements that hold a record or a line. Several in one parent are a list, whatever stands between them.
const ITEMS: [&str; 2] = ["tr", "li"];
/// On average, a list has this many rows together.
const TOGETHER: usize = 2;

/// For each place, the pages with rows there.
type Places = BTreeMap<Option<Dtoken>, BTreeSet<usize>>;

/// The words of the template on a page: those of classes that no page has twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// The text node of each word with letters, in order, and the dtoken, which tells it on every page.
    words: Vec<(NodeId, Dtoken)>,
    /// The text nodes that begin with one.
    begun: BTreeSet<NodeId>,
}

impl Words {
    /// The words of each page, when the classes are known.
    pub(crate) fn of(collection: &Collection<'_>, classes: &[Class]) -> Vec<Words> {
        let mut own = vec![false; collection.strings.count as usize];
        let once = |class: &&Class| class.vector.iter().all(|(_, times)| *times == 1);
        for token in classes.iter().filter(once).flat_map(|class| &class.tokens) {
            own[*token as usize] = true;
        }
        let mut out = Vec::new();
        for (doc, string) in collection.docs.iter().zip(&collection.strings.pages) {
            let mut here = Words::default();
            let mut last = None;
            let tokens = &doc.tokens.tokens[doc.from..doc.to];
            for (token, dtoken) in tokens.iter().zip(&string[collection.dummies..]) {
                if token.piece != Piece::Word {
                    continue;
                }
                let first = last.replace(token.node) != Some(token.node);
                let letters = token.word(doc.page).chars().any(char::is_alphabetic);
                if own[*dtoken as usize] && letters {
                    here.words.push((token.node, *dtoken));
                    if first {
                        here.begun.insert(token.node);
                    }
                }
            }
            out.push(here);
        }
        out
    }

    /// The place of a node: the last word before it that is outside of these spans.
    fn place(&self, node: NodeId, spans: &[(NodeId, NodeId)]) -> Option<Dtoken> {
        let outside = |(word, _): &&(NodeId, Dtoken)| {
            let at = spans.partition_point(|(from, _)| from <= word);
            at.checked_sub(1).is_none_or(|at| spans[at].1 <= *word)
        };
        let end = self.words.partition_point(|(word, _)| *word < node);
        self.words[..end].iter().rev().find(outside).map(|(_, token)| *token)
    }
}

/// Are the rows of a list at one place of the template? `words` has the words of the template on each page.
pub(crate) fn is_one(pages: &[&Page], words: &[Words], list: &Found) -> bool {
    let support = pages.len().div_ceil(4).max(2);
    let item = ITEMS.contains(&list.rows.row.as_str());
    let mut around: Places = BTreeMap::new();
    let mut alone: Places = BTreeMap::new();
    let (mut rows, mut constant) = (0, 0);
    for (number, (page, words)) in pages.iter().zip(words).enumerate() {
        let stretches = &list.places[number];
        let parents: BTreeSet<NodeId> = stretches.iter().filter_map(|row| page.parent(row.from)).collect();
        let spans: Vec<(NodeId, NodeId)> = parents.iter().map(|parent| (*parent, page.end(*parent))).collect();
        for parent in &parents {
            around.entry(words.place(*parent, &spans)).or_default().insert(number);
        }
        // Paragraphs that begin with words of the template are between the others.
        let is_told = |row: &&Stretch| first_text(page, row).is_some_and(|text| words.begun.contains(&text));
        let (same, spans): (Vec<&Stretch>, Vec<&Stretch>) = stretches.iter().partition(is_told);
        let spans: Vec<(NodeId, NodeId)> = spans.into_iter().map(|row| (row.from, row.to)).collect();
        constant += usize::from(!same.is_empty());
        rows += spans.len();
        for (from, _) in &spans {
            alone.entry(words.place(*from, &spans)).or_default().insert(number);
        }
    }
    let there = list.places.iter().filter(|rows| !rows.is_empty()).count();
    let several = |places: &Places| {
        let mut pages = places.values().filter(|on| on.len() >= support).flatten();
        let mut seen = BTreeSet::new();
        pages.any(|page| !seen.insert(page))
    };
    if several(&around) {
        return false;
    }
    let pairs: usize = alone.values().map(BTreeSet::len).sum();
    let apart = (rows == 0 || rows < TOGETHER * pairs) && (several(&alone) || constant * 10 >= there * 9);
    item || !apart
}

/// Are these lists of one path that only their labels tell apart?
pub(crate) fn are_twins(one: &Found, other: &Found) -> bool {
    let same = one.rows.path == other.rows.path && one.rows.row == other.rows.row;
    same && one.rows.label.is_some() && other.rows.label.is_some() && one.rows.label != other.rows.label
}

/// The rows of a list on a page, as they are read beside these lists.
pub(crate) fn read(page: &Page, list: &Found, all: &[Found]) -> Vec<FoundRow> {
    list.rows
        .find_beside(page, all.iter().any(|other| are_twins(list, other)))
}

/// Drops lists that read rows of other elements than those that they were learned from, and of lists with the same rows all but one.
pub(crate) fn keep_told(pages: &[&Page], lists: &mut Vec<Found>) {
    // Without its twin, a list may read the rows of that one.
    loop {
        let told: Vec<bool> = lists.iter().map(|list| is_told(pages, list, lists)).collect();
        if told.iter().all(|told| *told) {
            break;
        }
        let mut at = 0;
        lists.retain(|_| {
            at += 1;
            told[at - 1]
        });
    }
    // What a list reads where its block has moved are its rows, too. Where they are another list as well, the one that more pages have counts.
    let there = |list: &Found| list.places.iter().filter(|rows| !rows.is_empty()).count();
    let known: Vec<usize> = lists.iter().map(there).collect();
    let rows = |list: &Found, page: &Page| -> Vec<Stretch> {
        let found = read(page, list, lists).into_iter();
        found
            .filter(|row| row.aligned.is_some())
            .map(|row| row.stretch)
            .collect()
    };
    let whole = |list: &Found| -> Vec<Vec<Stretch>> {
        let both = pages.iter().zip(&list.places);
        both.map(|(page, known)| match known.is_empty() {
            true => rows(list, page),
            false => known.clone(),
        })
        .collect()
    };
    let places: Vec<Vec<Vec<Stretch>>> = lists.iter().map(whole).collect();
    for (list, places) in lists.iter_mut().zip(places) {
        list.places = places;
    }
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(known[*at]));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        if kept.iter().all(|other| !share_rows(&lists[*other], &lists[at])) {
            kept.push(at);
        }
    }
    let mut at = 0;
    lists.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
}

/// Have two lists a row in common?
fn share_rows(one: &Found, other: &Found) -> bool {
    let mut pages = one.places.iter().zip(&other.places);
    pages.any(|(one, other)| {
        let firsts: BTreeSet<NodeId> = one.iter().map(|row| row.from).collect();
        other.iter().any(|row| firsts.contains(&row.from))
    })
}

/// The elements around rows.
fn parents(page: &Page, rows: &[Stretch]) -> BTreeSet<NodeId> {
    rows.iter().filter_map(|row| page.parent(row.from)).collect()
}

/// Does a list read what it was learned from and nothing else? On a page on which its block is at another place, that must be its block:
/// its role tells it, or no page with the list has other rows there.
fn is_told(pages: &[&Page], list: &Found, lists: &[Found]) -> bool {
    let mut moved: BTreeSet<Vec<String>> = BTreeSet::new();
    for (page, rows) in pages.iter().zip(&list.places) {
        let known = parents(page, rows);
        let found = read(page, list, lists);
        let found = found.iter().filter(|row| row.aligned.is_some()).map(|row| row.parent);
        let other: BTreeSet<NodeId> = found.filter(|parent| !known.contains(parent)).collect();
        for parent in other {
            let path = path_of(page, parent);
            if !known.is_empty() || path == list.rows.path {
                return false;
            }
            moved.insert(path);
        }
    }
    let Some(name) = list.rows.path.last().filter(|_| !moved.is_empty()) else {
        return true;
    };
    let (mut role, mut place) = (list.rows.role.is_some(), true);
    for (page, rows) in pages.iter().zip(&list.places).filter(|(_, rows)| !rows.is_empty()) {
        let known = parents(page, rows);
        let named = page.name_id(name).map_or(&[][..], |name| page.elements_named(name));
        let has_rows = |node: &&NodeId| {
            page.children(**node)
                .any(|child| page.is_element(child) && page.name(child) == list.rows.row)
        };
        for other in named.iter().filter(|node| !known.contains(node)).filter(has_rows) {
            role &= !list.rows.has_role(page, *other);
            place &= !moved.contains(&path_of(page, *other));
        }
    }
    role || place
}

/// The first text node with words in a row.
fn first_text(page: &Page, row: &Stretch) -> Option<NodeId> {
    let texts = page.texts();
    let start = texts.partition_point(|text| *text < row.from);
    let mut inside = texts[start..].iter().copied().take_while(|text| *text < row.to);
    inside.find(|text| !page.string_value(*text).trim().is_empty())
}

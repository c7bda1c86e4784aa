//! What a reader sees of a list, beside its text: which of the lists of a page is the one that is meant.
//!
//! The score of a list is its text, and text is not what a reader sees. A page of a shop has two dozen pictures with a name and a price each, and
//! below them what four customers say, in more words. What a reader sees is area:
//!
//! - *Pictures* are large. An icon is not: it is small, or the same picture again and again.
//! - *Long texts* are read, not looked over, so a record counts up to [`GLANCE`] characters.
//! - *Things have a page of their own*, to which no other record leads, or data, or are rows of a table. Steps and promises have neither.
//! - *Menus* and the columns of a footer are short links, many in each record, without pictures or data.
//!
//! These tell one part of the page from another, not one division of a part from another one: pictures do not tell whether a record without one is a
//! record. So candidates with the same records, or with a part of them, have one factor.
//!
//! The numbers are judgements. They were looked at with `bench/grafts.py`, on half of its families of pages.
//!
//! Linear in the leaves of the records that are looked at, and in their number for each pair of candidates.

use super::sight::{Leaf, Sight};
use super::{Candidate, HALF, MENU, NEARLY};
use page::{Kind, NodeId};
use std::collections::BTreeMap;
use std::ops::Range;

/// The text that the picture of a thing has the area of, in characters: a small one, of a hundred pixels each way.
const PICTURED: f64 = 100.0;
/// The most text of a record that counts, in characters: what a reader takes in at a glance. Records with more are texts to be read.
const GLANCE: f64 = 500.0;
/// The factor for records with neither a page of their own nor data, and that are no rows of a table: steps, promises and forms.
const NO_PAGE: f64 = 0.7;
/// The most text of a link in a menu, in characters on average: five words or so. Titles are longer.
const MENU_TEXT: f64 = 35.0;
/// How many links a record has on average that is a menu itself, or a column of a footer.
const MENU_LINKS: usize = 4;
/// More links than a thing has, with or without pictures beside them.
const DOZENS: usize = 24;
/// The factor for such records.
const LINKS: f64 = 0.2;

/// The factor for what a reader sees of each candidate, the best first: see [`factor`]. Different divisions of one part of the page have the factor of
/// the best of them, because it tells which part is meant, and not how to divide it.
pub(super) fn factors(sight: &Sight<'_>, all: &[Candidate]) -> Vec<f64> {
    let firsts: Vec<Vec<NodeId>> = all.iter().map(Candidate::firsts).collect();
    let is_within = |few: usize, many: usize| {
        let begins = |first: &NodeId| firsts[many].binary_search(first).is_ok() || all[many].holds(sight.page, *first);
        firsts[few].len() <= firsts[many].len() && firsts[few].iter().all(begins)
    };
    let mut best: Vec<usize> = (0..all.len()).collect();
    for at in 0..all.len() {
        let is_one = |better: &usize| {
            all[at].verdict.score >= NEARLY * all[*better].verdict.score
                && (is_within(at, *better) || is_within(*better, at))
        };
        if let Some(better) = (0..at).find(is_one) {
            best[at] = best[better];
        }
    }
    best.into_iter().map(|at| factor(sight, &all[at])).collect()
}

/// The factor for what a reader sees of a list, beside its text: pictures are large, long texts are not taken in at a glance, and menus of links are
/// not looked at.
fn factor(sight: &Sight<'_>, candidate: &Candidate) -> f64 {
    let records = candidate.looked();
    let text = |record: &Range<usize>| sight.text(&candidate.leaves(record));
    let all: f64 = records.iter().map(text).sum();
    // A row of many cells is looked over, not read.
    let is_row = sight.page.name(candidate.firsts()[0]) == "tr";
    let most = if is_row { f64::INFINITY } else { GLANCE };
    let glance: f64 = records.iter().map(|record| text(record).min(most)).sum();
    let area = (glance + PICTURED * pictured(sight, candidate) * records.len() as f64) / all.max(1.0);
    let links = links(sight, candidate);
    let data = data(sight, candidate);
    let many = |least: usize| links.count >= least * records.len();
    let are_menus = (many(MENU_LINKS) && are_short_links(sight, candidate) || many(DOZENS)) && data < HALF && !is_row;
    let menus = if are_menus { LINKS } else { 1.0 };
    let own = if is_row { 1.0 } else { links.own.max(data) };
    area * menus * (NO_PAGE + (1.0 - NO_PAGE) * own)
}

/// The share of the records that have a date, a time or a price.
pub(super) fn data(sight: &Sight<'_>, candidate: &Candidate) -> f64 {
    const TEXTS: usize = 12;
    let page = sight.page;
    let records = candidate.looked();
    let has_data = |record: &&Range<usize>| {
        let items = (*record).clone();
        let leaves = items.flat_map(|at| candidate.items.leaves[at].clone());
        let is_text = |leaf: &usize| page.kind(sight.leaves[*leaf].node) == Kind::Text;
        leaves.filter(is_text).take(TEXTS).any(|leaf| sight.is_data(leaf))
    };
    records.iter().filter(has_data).count() as f64 / records.len() as f64
}

/// The share of the records that have a picture of their own.
fn pictured(sight: &Sight<'_>, candidate: &Candidate) -> f64 {
    let records = candidate.looked();
    let pictured = records
        .iter()
        .filter(|record| sight.pictures(&candidate.leaves(record)) > 0);
    pictured.count() as f64 / records.len() as f64
}

/// Are the records links of a few words, mostly without a picture?
pub(super) fn are_short_links(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let leaves = || candidate.looked().iter().map(|record| candidate.leaves(record));
    let text: f64 = leaves().map(|leaves| sight.text(&leaves)).sum();
    let in_links: f64 = leaves().map(|leaves| sight.in_links(&leaves)).sum();
    in_links >= MENU * text
        && in_links <= MENU_TEXT * links(sight, candidate).count as f64
        && pictured(sight, candidate) < HALF
}

/// The links of some records.
pub(super) struct Links {
    /// How many there are.
    count: usize,
    /// The share of the records that have a link to a page that no other one links to.
    pub(super) own: f64,
}

pub(super) fn links(sight: &Sight<'_>, candidate: &Candidate) -> Links {
    let (page, records) = (sight.page, candidate.looked());
    let leads =
        |address: &&str| !address.is_empty() && !address.starts_with('#') && !address.starts_with("javascript:");
    let mut count = 0;
    let mut each: Vec<Vec<&str>> = Vec::new();
    for record in records {
        let mut links: Vec<NodeId> = sight.leaves[candidate.leaves(record)]
            .iter()
            .filter_map(Leaf::link)
            .collect();
        links.dedup();
        count += links.len();
        let addresses = links
            .iter()
            .filter_map(|link| page.attribute_value(*link, "href").map(str::trim));
        let mut addresses: Vec<&str> = addresses.filter(leads).collect();
        addresses.sort_unstable();
        addresses.dedup();
        each.push(addresses);
    }
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for address in each.iter().flatten() {
        *times.entry(address).or_default() += 1;
    }
    let has_own = |addresses: &&Vec<&str>| addresses.iter().any(|address| times[address] == 1);
    let own = each.iter().filter(has_own).count() as f64 / records.len() as f64;
    Links { count, own }
}

//! Lists of one shape on a page, each with a heading of its own: *Singles* and *Doubles*, or with other headings of its columns.
//!
//! Their records are not one list, because nothing says that they have one meaning, and the elements around them are no records. The
//! first of them on the page is meant rather than the longest, unless it has less than half as many records.
//!
//! Labels and values below headings look the same, but their rows say the same in each of them: these are records, not lists.

use super::Candidate;
use super::groups::{are_of_a_class, heading, tell_lists};
use super::sight::{Leaf, Sight};
use crate::tables;
use page::{NodeId, Page};
use std::collections::{BTreeMap, HashSet};
use wrapper::rule::paths::value;

/// The fewest records of a list that the elements around lists are no records for.
const LONG: usize = 3;
/// The most lists of one shape; more of them are sections of one list.
const LISTS: usize = 3;

/// Candidates that are lists of one shape, in the order of the page, by their numbers.
pub(super) fn families(sight: &Sight<'_>, all: &[Candidate]) -> Vec<Vec<usize>> {
    let page = sight.page;
    /// The names of the elements around records, and the class of the first of these.
    type Shape<'p> = (Vec<&'p str>, Option<&'p str>);
    let mut shapes: BTreeMap<Shape<'_>, BTreeMap<NodeId, usize>> = BTreeMap::new();
    for (at, candidate) in all.iter().enumerate() {
        if !candidate.items.is_flat() || candidate.records.iter().any(|record| record.len() != 1) {
            continue;
        }
        let base = candidate.items.base;
        let names = std::iter::once(base)
            .chain(page.ancestors(base))
            .map(|up| page.name(up));
        let class = page.attribute_value(base, "class");
        let shape = (names.collect(), class);
        // The best one comes first.
        shapes.entry(shape).or_default().entry(base).or_insert(at);
    }
    let families = shapes.into_values().map(|lists| lists.into_values().collect());
    families
        .filter(|family: &Vec<usize>| are_lists(sight, all, family))
        .collect()
}

/// Has each of them a heading of its own, of words, or other columns, and records of its own?
fn are_lists(sight: &Sight<'_>, all: &[Candidate], family: &[usize]) -> bool {
    let page = sight.page;
    let bases: Vec<NodeId> = family.iter().map(|at| all[*at].items.base).collect();
    let [first, .., last] = bases[..] else { return false };
    if family.len() > LISTS || bases.windows(2).any(|two| two[1] < page.end(two[0])) {
        return false;
    }
    let Some(around) = page.ancestors(first).find(|up| last < page.end(*up)) else {
        return false;
    };
    if are_of_a_class(page, family.iter().flat_map(|at| all[*at].firsts())) {
        return false;
    }
    let told = |captions: bool| {
        let heading = |at: &usize| {
            let heading = heading(sight, around, all[*at].firsts()[0], captions);
            heading.map(|heading| value(page, heading)).unwrap_or_default()
        };
        tell_lists(&family.iter().map(heading).collect::<Vec<String>>())
    };
    let texts = |at: &usize| all[*at].first_texts(sight, Leaf::is_text);
    let known: HashSet<&str> = texts(&family[0]).into_iter().collect();
    let others: Vec<&str> = family[1..].iter().flat_map(texts).collect();
    let same = others.iter().filter(|text| known.contains(*text)).count();
    let have_columns = || tables::differ(page, family.iter().map(|at| all[*at].firsts()[0]));
    same * 2 < others.len().max(1) && (told(false) || told(true) || have_columns())
}

/// The first records of lists that are long enough for the elements around them to be no records.
pub(super) fn firsts(all: &[Candidate], family: &[usize]) -> Option<Vec<NodeId>> {
    let is_long = |at: &usize| all[*at].records.len() >= LONG;
    let firsts = family.iter().map(|at| all[*at].firsts()[0]);
    family.iter().all(is_long).then(|| firsts.collect())
}

/// Gives lists of one shape, known by their first records, the score that they have together: they are as much of the page.
pub(super) fn raise(page: &Page, all: &mut [Candidate], firsts: &[NodeId], score: f64) {
    let bases: Vec<Option<NodeId>> = firsts.iter().map(|first| page.parent(*first)).collect();
    let is_one = |candidate: &Candidate| candidate.items.is_flat() && bases.contains(&Some(candidate.items.base));
    let lists = || all.iter().filter(|candidate| is_one(candidate));
    let length = |base: &Option<NodeId>| {
        let own = lists().filter(|candidate| Some(candidate.items.base) == *base);
        own.map(|candidate| candidate.records.len()).max().unwrap_or(0)
    };
    let lengths: Vec<usize> = bases.iter().map(length).collect();
    // A long list with a short one beside it is not more than it is alone.
    let (shortest, longest) = (lengths.iter().min(), lengths.iter().max());
    if shortest
        .zip(longest)
        .is_none_or(|(shortest, longest)| shortest * 2 < *longest)
    {
        return;
    }
    let scores = lists();
    let best = scores.map(|candidate| candidate.verdict.score).fold(0.0, f64::max);
    if best > 0.0 && best < score {
        for candidate in all.iter_mut().filter(|candidate| is_one(candidate)) {
            candidate.verdict.score *= score / best;
        }
    }
}

/// Brings the lists of each family into the order of the page, short ones last, one after the other at the place of the best.
pub(super) fn in_order(sight: &Sight<'_>, all: &mut Vec<Candidate>) {
    // Candidates are known by their places in the list at hand, so each family is looked for again.
    for number in 0..families(sight, all).len() {
        let Some(mut family) = families(sight, all).into_iter().nth(number) else {
            break;
        };
        let longest = family.iter().map(|at| all[*at].records.len()).max().unwrap_or(0);
        // Stable, so that both parts stay in the order of the page.
        family.sort_by_key(|at| all[*at].records.len() * 2 < longest);
        let place = family.iter().copied().min().unwrap_or(0);
        let mut slots: Vec<Option<Candidate>> = all.drain(..).map(Some).collect();
        let moved: Vec<Candidate> = family.iter().filter_map(|at| slots[*at].take()).collect();
        let after = slots.split_off(place);
        all.extend(
            slots
                .into_iter()
                .flatten()
                .chain(moved)
                .chain(after.into_iter().flatten()),
        );
    }
}

/// The heading of a list, if there is one.
pub(super) fn title(sight: &Sight<'_>, candidate: &Candidate) -> Option<String> {
    let first = *candidate.firsts().first()?;
    let found = heading(sight, NodeId::DOCUMENT, first, true);
    Some(value(sight.page, found?)).filter(|text| !text.is_empty())
}

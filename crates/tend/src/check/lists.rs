//! Questions about many values that few pages have, as a list has them.
//!
//! The other questions count pages more than values, because values of one page resemble each other. So a list that was learned from one page
//! could hardly ever raise an alarm, even if each of its dates became a name. These questions are about what a template
//! does to *all* values at once, and what even a page of quite other things does not do. Each is asked only if there are enough values, before and now,
//! and its answer decides by itself:
//!
//! - no value is written in any way that was seen before, although nearly all ways were seen several times ([`rewritten`]);
//! - all values begin or end with a sign that none had there, or begin with a number and none did: a box to tick, the number of
//!   the row ([`signs`]);
//! - a field has the values of another field, which it never had ([`doubled`]);
//! - all values follow the label of another field ([`misplaced`]);
//! - less than half of the records have a field that every record had ([`thinned`]).
//!
//! The numbers of values are judgements; how often they are wrong was measured on healthy pages (`cargo xtask alarms`).

use super::questions::{Answer, Sides, roughly};
use std::collections::{BTreeMap, HashSet};
use wrapper::profile::{FieldProfile, shape};

/// Different values before, and now, that tell what values are like.
const ENOUGH: (usize, usize) = (8, 5);
/// A healthy list does such a thing in rare cases.
const RARE: f64 = 0.01;

/// Has a page several records? Where it has one, each value is from another page, and the other questions are as good.
fn is_list(sides: Sides<'_>) -> bool {
    sides.known.records > sides.known.pages
}

fn is_enough(sides: Sides<'_>) -> bool {
    sides.was().samples.len() >= ENOUGH.0 && sides.is().samples.len() >= ENOUGH.1
}

/// The share of values written in a way seen once from which on it is no surprise that a way is new.
const NOVEL: f64 = 0.1;

/// Is no value written in a way that was seen before?
pub(super) fn rewritten(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_list(sides) || !is_enough(sides) || is_address(was) {
        return None;
    }
    let mut before: BTreeMap<String, usize> = BTreeMap::new();
    for text in &was.samples {
        *before.entry(roughly(&shape(text))).or_default() += 1;
    }
    // By Good and Turing: the number of ways seen once tells how much was never seen.
    let once = before.values().filter(|count| **count == 1).count();
    let seen = is
        .samples
        .iter()
        .any(|text| before.contains_key(&roughly(&shape(text))));
    if seen || once as f64 > NOVEL * was.samples.len() as f64 {
        return None;
    }
    let words = format!(
        "none of {} different values is written as before ({})",
        is.samples.len(),
        was.pattern()
    );
    Answer::new(RARE, words)
}

/// Have all values a sign at their beginning or end that none had, or a number at their beginning?
pub(super) fn signs(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_enough(sides) || is_address(was) {
        return None;
    }
    let first = |text: &str| text.chars().next();
    let last = |text: &str| text.chars().next_back();
    for (at, end) in [("begin", first as fn(&str) -> Option<char>), ("end", last)] {
        let sign = end(is.samples.first()?)?;
        let is_new = |has: &dyn Fn(char) -> bool| {
            let all = is.samples.iter().all(|text| end(text).is_some_and(has));
            all && !was.samples.iter().any(|text| end(text).is_some_and(has))
        };
        if !sign.is_alphanumeric() && is_new(&|c| c == sign) {
            let words = format!(
                "all {} different values {at} with \"{sign}\", none did",
                is.samples.len()
            );
            return Answer::new(RARE, words);
        }
        if at == "begin" && is_new(&char::is_numeric) {
            let words = format!(
                "all {} different values begin with a number, none did",
                is.samples.len()
            );
            return Answer::new(RARE, words);
        }
    }
    None
}

/// The share of the values of a field that another one must have now, and the most that it may have had before.
const SHARED: (f64, f64) = (0.9, 0.1);

/// Has it the values of another field, which it never had? Of the two, the one that is less like before is told.
pub(super) fn doubled(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    if !is_enough(sides) {
        return None;
    }
    let shared = |one: &FieldProfile, other: &FieldProfile| -> f64 {
        let others: HashSet<&str> = other.samples.iter().map(String::as_str).collect();
        let both = one.samples.iter().filter(|text| others.contains(text.as_str())).count();
        both as f64 / one.samples.len().max(1) as f64
    };
    let others = (0..sides.known.fields.len().min(sides.now.fields.len())).filter(|other| *other != sides.field);
    let mut others = others.map(|other| Sides { field: other, ..sides });
    let other = others.find(|other| {
        is_enough(*other)
            && shared(sides.is(), other.is()) >= SHARED.0
            && shared(sides.was(), other.was()) <= SHARED.1
            && shared(other.was(), sides.was()) <= SHARED.1
            && familiar(sides) <= familiar(*other)
    })?;
    let name = names.get(other.field).copied().unwrap_or_default();
    let words = format!(
        "it has the values of {name}, {} different ones, and had others",
        sides.is().samples.len()
    );
    Answer::new(RARE, words)
}

/// The share of the values that are known or written as before.
fn familiar(sides: Sides<'_>) -> f64 {
    let (was, is) = (sides.was(), sides.is());
    let shapes: HashSet<String> = was.samples.iter().map(|text| roughly(&shape(text))).collect();
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let familiar = |text: &&String| known.contains(text.as_str()) || shapes.contains(&roughly(&shape(text)));
    is.samples.iter().filter(familiar).count() as f64 / is.samples.len().max(1) as f64
}

/// Do all values of a list follow the label of another field, which none did?
pub(super) fn misplaced(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (label, count) = is.labels.iter().max_by_key(|(_, count)| **count)?;
    if !is_list(sides) || !is_enough(sides) || *count < is.count || was.labels.contains_key(label) {
        return None;
    }
    let mut others = sides.known.fields.iter().enumerate();
    let (other, _) = others.find(|(at, other)| {
        *at != sides.field && other.count > 0 && other.labels.get(label).is_some_and(|count| *count >= other.count)
    })?;
    let name = names.get(other).copied().unwrap_or_default();
    let words = format!(
        "all {} values follow \"{label}\", the label of {name}, none did",
        is.count
    );
    Answer::new(RARE, words)
}

/// Records before, and now, that tell in how many a field is.
const RECORDS: (u64, u64) = (20, 10);

/// Have less than half of the records of a list what every one had?
pub(super) fn thinned(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (had, has) = (sides.known.records, sides.now.records);
    let is_thin = was.records >= had && is.records.saturating_mul(2) < has;
    if !is_list(sides) || had < RECORDS.0 || has < RECORDS.1 || !is_thin {
        return None;
    }
    Answer::new(RARE, format!("{} of {has} records have it, all {had} had", is.records))
}

/// Are the values addresses? These get another host or protocol at once, and mean the same.
fn is_address(field: &FieldProfile) -> bool {
    field.attributes.saturating_mul(2) > field.count
}

//! Questions about many values that few pages have, as a list has them.
//!
//! The other questions count pages more than values, because values of one page resemble each other. So a list that was learned from one page
//! could hardly ever raise an alarm, even if each of its dates became a name. These questions are about what a template
//! does to *all* values at once, and what even a page of quite other things does not do. Each is asked only if there are enough values, before and now,
//! and its answer decides by itself:
//!
//! - values of a kind, such as dates, are all of no such kind, or the other way round ([`other_kind`]);
//! - all values begin or end with a sign that none had there, or begin with a number and none did: a box to tick, the number of
//!   the row ([`signs`]);
//! - a field has the values of another field, which it never had ([`doubled`]);
//! - all values follow the label of another field ([`misplaced`]);
//! - less than half of the records have a field that every record had ([`thinned`]).
//!
//! The numbers of values are judgements; how often they are wrong was measured on healthy pages (`cargo xtask alarms`).

use super::questions::{Answer, Sides, roughly};
use crate::evidence::{first_sign, last_sign, telling_kinds};
use record::values::{Kind, Kinds};
use std::collections::{BTreeSet, HashSet};
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

/// The share of values that must be of a kind for a field to be of it.
const MOSTLY: f64 = 0.95;

/// Were the values of a kind, and are they not now; or were they of no kind, and are all of one now?
pub(super) fn other_kind(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    // Values may be the same in all records, as a place is.
    let is_enough = was.count >= ENOUGH.0 as u64 && is.count >= ENOUGH.1 as u64;
    if !is_list(sides) || !is_enough || is_address(was) {
        return None;
    }
    let kinds = |field: &FieldProfile| -> Vec<Kinds> { field.samples.iter().map(|text| telling_kinds(text)).collect() };
    let (before, after) = (kinds(was), kinds(is));
    let count = |kinds: &[Kinds], kind: Kind| kinds.iter().filter(|kinds| kinds.contains(kind)).count();
    let mostly = |all: &[Kinds], kind: Kind| count(all, kind) as f64 >= MOSTLY * all.len() as f64;
    let known: Vec<Kind> = union(&before)
        .into_iter()
        .filter(|kind| mostly(&before, *kind))
        .collect();
    if let Some(first) = known.first()
        && known.iter().all(|kind| count(&after, *kind) == 0)
    {
        let words = format!("none of {} values is {}, all were", is.count, called(*first));
        return Answer::new(RARE, words);
    }
    let mut new = union(&after).into_iter().filter(|kind| mostly(&after, *kind));
    let new = new.find(|_| before.iter().all(|kinds| kinds.is_empty()))?;
    let words = format!("each of {} values is {}, none was", is.count, called(new));
    Answer::new(RARE, words)
}

/// A value of a kind, in words.
fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Date => "a date",
        Kind::Time => "a time",
        Kind::DateTime => "a date with a time",
        Kind::Price => "a price",
        Kind::Percentage => "a percentage",
        Kind::Phone => "a phone number",
        Kind::Email => "an address for mail",
        Kind::Address => "an address of a place",
        Kind::Link | Kind::Image => "an address of a page or file",
        _ => "of this kind",
    }
}

fn union(all: &[Kinds]) -> BTreeSet<Kind> {
    all.iter().flat_map(|kinds| kinds.iter().collect::<Vec<_>>()).collect()
}

/// Different values before and now that tell whether a sign is new.
const SIGNED: usize = 5;

/// The sign at one end of a text.
type Sign = fn(&str) -> Option<&str>;

/// Have all values a sign at their beginning or end that none had, or a number at their beginning?
pub(super) fn signs(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if was.samples.len() < SIGNED || is.samples.len() < SIGNED || is_address(was) {
        return None;
    }
    for (at, end) in [("begin", first_sign as Sign), ("end", last_sign)] {
        let Some(sign) = is.samples.first().and_then(|text| end(text)) else {
            continue;
        };
        let has = |text: &String| end(text) == Some(sign);
        if is.samples.iter().all(has) && !was.samples.iter().any(has) {
            let words = format!(
                "all {} different values {at} with \"{sign}\", none did",
                is.samples.len()
            );
            return Answer::new(RARE, words);
        }
    }
    let is_numbered = |text: &String| text.starts_with(char::is_numeric);
    if is.samples.iter().all(is_numbered) && !was.samples.iter().any(is_numbered) {
        let words = format!(
            "all {} different values begin with a number, none did",
            is.samples.len()
        );
        return Answer::new(RARE, words);
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

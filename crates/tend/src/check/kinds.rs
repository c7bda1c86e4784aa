//! Questions about kinds of values, such as dates, prices and phone numbers.
//!
//! A field whose values were all of a kind has another kind only if something else is read. There are three questions, since an
//! answer is worth more or less:
//!
//! - [`other_kind`]: in a list, no value is of the kind that all were of, or all are of one that none was of;
//! - [`of_no_kind`]: where a page has one value, what was a phone number on all of n pages is something else now. That is worth as much as a
//!   field that is missing: a chance of 1/(n + 2). After few known pages words say nothing;
//! - [`mixed_kinds`]: in a list, at least two values are of quite another kind than all were of, such as prices among dates. So some
//!   rows have other columns, as rows of advertisements have. Words without a kind do not count here: "to be announced" is no reason for an alarm.
//!
//! *Known failures*: values that are told by no kind; a column of another kind that is read in one row only.

use super::chance::on_pages;
use super::lists::{ENOUGH, EVERY, RARE, is_address, is_list};
use super::questions::{Answer, Sides};
use crate::evidence::telling_kinds;
use record::values::{Kind, Kinds};
use std::collections::BTreeSet;
use wrapper::profile::FieldProfile;

/// Values before that tell that all values are of a kind.
const OF_A_KIND: u64 = 5;
/// The share of values that must be of a kind for a field to be of it.
const MOSTLY: f64 = 0.95;

/// Were the values of a kind, and are they not now; or were they of no kind, and are all of one now?
pub(super) fn other_kind(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    // Values may be the same in all records, as a place is.
    let is_enough = was.count >= OF_A_KIND && is.count >= ENOUGH.1 as u64;
    if !is_list(sides) || !is_enough || is_address(was) {
        return None;
    }
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
    // A few names say little about the next one; a few dates do.
    if was.count < ENOUGH.0 as u64 {
        return None;
    }
    let mut new = union(&after).into_iter().filter(|kind| mostly(&after, *kind));
    let new = new.find(|_| before.iter().all(|kinds| kinds.is_empty()))?;
    let words = format!("each of {} values is {}, none was", is.count, called(new));
    Answer::new(RARE, words)
}

/// Where a page has one value: were all of a kind that surely tells them, and are some of none of these kinds now?
pub(super) fn of_no_kind(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if is_list(sides) || was.count > was.records || is_address(was) {
        return None;
    }
    let first = telling_kinds(was.samples.first()?);
    // What is of all kinds of one known value is of the kinds that all have in common.
    if is.samples.iter().all(|text| first.shared(telling_kinds(text)) == first) {
        return None;
    }
    let before = common(was);
    let kind = before.iter().find(|kind| class(*kind).is_some())?;
    let is_odd = |text: &&String| {
        let kinds = telling_kinds(text);
        // After few pages words say little: "on request" may stand for a phone number.
        let is_told = was.count >= EVERY || !kinds.is_empty() || text.contains(char::is_numeric);
        is_told && kinds.shared(before).is_empty()
    };
    let odd = is.samples.iter().filter(is_odd).count() as u64;
    if odd == 0 {
        return None;
    }
    let chance = on_pages(was.count, was.count, is.count.saturating_sub(odd), is.count);
    let words = match is.count {
        1 => format!("the value is not {}, all {} were", called(kind), was.count),
        all => format!("{odd} of {all} values are not {}, all {} were", called(kind), was.count),
    };
    Answer::new(chance, words)
}

/// Different values that are of another kind, not by accident.
const MIXED: usize = 2;

/// Are some values of a list of quite another kind than all were?
pub(super) fn mixed_kinds(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_list(sides) || was.count < ENOUGH.0 as u64 || is_address(was) {
        return None;
    }
    let classes = |kinds: Kinds| -> BTreeSet<Class> { kinds.iter().filter_map(class).collect() };
    let before = common(was);
    let (first, own) = (before.iter().find(|kind| class(*kind).is_some())?, classes(before));
    let is_other = |kinds: &&Kinds| {
        let classes = classes(**kinds);
        !classes.is_empty() && classes.is_disjoint(&own) && kinds.shared(before).is_empty()
    };
    let after = kinds(is);
    let odd: Vec<&Kinds> = after.iter().filter(is_other).collect();
    let other = odd.first()?.iter().find(|kind| class(*kind).is_some())?;
    if odd.len() < MIXED {
        return None;
    }
    let (called, number) = (called(first), odd.len());
    let words = format!(
        "{number} different values are not {called} but {}, all were",
        self::called(other)
    );
    Answer::new(RARE, words)
}

/// Kinds that surely tell values, those together that one column may have in turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Moment,
    Amount,
    Phone,
    Address,
}

fn class(kind: Kind) -> Option<Class> {
    match kind {
        Kind::Date | Kind::Time | Kind::DateTime => Some(Class::Moment),
        Kind::Price | Kind::Percentage => Some(Class::Amount),
        Kind::Phone => Some(Class::Phone),
        Kind::Link | Kind::Image | Kind::Email => Some(Class::Address),
        _ => None,
    }
}

fn kinds(field: &FieldProfile) -> Vec<Kinds> {
    field.samples.iter().map(|text| telling_kinds(text)).collect()
}

/// The kinds that all values are of.
fn common(field: &FieldProfile) -> Kinds {
    let mut kinds = field.samples.iter().map(|text| telling_kinds(text));
    let first = kinds.next().unwrap_or_default();
    let shared = kinds.try_fold(first, |shared, kinds| {
        let shared = shared.shared(kinds);
        (!shared.is_empty()).then_some(shared)
    });
    shared.unwrap_or_default()
}

fn union(all: &[Kinds]) -> BTreeSet<Kind> {
    all.iter().flat_map(|kinds| kinds.iter().collect::<Vec<_>>()).collect()
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

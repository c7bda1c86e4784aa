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
//! - all values began with the same label, and none does ([`unlabelled`]);
//! - nearly all links had the same word, such as "Agenda", and none has ([`unsaid`]);
//! - a field has the values of another field, which it never had ([`doubled`]);
//! - each value had another text of the same make beside it in its record, and none has: it may be the other one ([`lonely`]);
//! - all values follow the label of another field ([`misplaced`]);
//! - many records lack a field that every record had ([`thinned`]);
//! - few records are read, and the page has many other texts that are written like their values ([`scattered`]).
//!
//! The numbers of values are judgements; how often they are wrong was measured on healthy pages (`cargo xtask alarms`).

use super::questions::{Answer, Sides, roughly};
use crate::evidence::{common_label, first_sign, label_in, last_sign, said, telling_kinds};
use record::values::{Kind, Kinds};
use std::collections::{BTreeSet, HashSet};
use wrapper::profile::{FieldProfile, KEPT, Profile, SAID, shape};

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

/// Different values before, and now, that tell whether a word is missing.
const WORDED: (usize, usize) = (8, 3);

/// Did all values begin with the same label, such as "Publisher:", and does none now? Then they are something else.
pub(super) fn unlabelled(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let mine = common_label(&was.samples)?;
    let has = |text: &String| label_in(text) == Some(mine);
    let is_enough = was.samples.len() >= WORDED.0 && is.samples.len() >= WORDED.1;
    if !is_enough || is.samples.iter().any(has) {
        return None;
    }
    let words = format!(
        "none of {} different values begins with \"{mine}:\", all did",
        is.samples.len()
    );
    Answer::new(RARE, words)
}

/// Had nearly all links of its addresses the same word, and has none? Then they are other links.
pub(super) fn unsaid(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let said = said(was);
    let is_enough = was.count >= WORDED.0 as u64 && is.count >= WORDED.1 as u64;
    // Where no link has words any more, pictures stand for them. Where they have too many, not all are kept.
    let is_known = is.names.len() < KEPT && is.names.keys().any(|name| name.starts_with(SAID));
    if !is_enough || said.is_empty() || !is_known || said.iter().any(|word| is.names.contains_key(*word)) {
        return None;
    }
    let words = said.iter().map(|word| word.trim_start_matches(SAID));
    let words = words.collect::<Vec<_>>().join(" ");
    let words = format!("none of {} links says \"{words}\", nearly all did", is.count);
    Answer::new(RARE, words)
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

/// The share of values that must have had another text of their make beside them.
const PAIRED: f64 = 0.9;

/// Had nearly each value another text of the same make beside it in its record, and has none now? Then one of the two is gone, and which one is not known;
/// unless values recur, or follow their label.
pub(crate) fn lonely(was: &FieldProfile, is: &FieldProfile) -> bool {
    let is_enough = was.peers.0 >= ENOUGH.0 as u64 && is.peers.0 >= ENOUGH.1 as u64;
    let had = was.peers.1 as f64 >= PAIRED * was.peers.0 as f64;
    if !is_enough || !had || is.peers.1 > 0 {
        return false;
    }
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let recurring = is.samples.iter().filter(|text| known.contains(text.as_str())).count();
    let is_labelled = was.label().is_some_and(|label| is.label() == Some(label));
    recurring * 2 < is.samples.len() && !is_labelled
}

/// The answer to [`lonely`].
pub(super) fn unpaired(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_list(sides) || !lonely(was, is) {
        return None;
    }
    let words = format!(
        "none of {} values has another one like it beside it, {} of {} had",
        is.peers.0, was.peers.1, was.peers.0
    );
    Answer::new(RARE, words)
}

/// The share of the values that are known or written as before.
fn familiar(sides: Sides<'_>) -> f64 {
    written_so(sides.was(), sides.is())
}

/// The same for two profiles of a field.
pub(crate) fn written_so(was: &FieldProfile, is: &FieldProfile) -> f64 {
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

/// Records before that tell whether every record has a field, and records that lack it now.
const RECORDS: (u64, u64) = (10, 5);
/// The largest share of records that have it if it is not a matter of a few records.
const THIN: f64 = 0.6;

/// Records before that tell that a field is on the next one as well: by Laplace's rule of succession, as for pages ([`super::questions::gone`]).
const EVERY: u64 = 19;

/// Do many records of a list lack what every one had, or all of them? In the middle of a redesign, it may be those with the new template.
pub(super) fn thinned(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (had, has) = (sides.known.records, sides.now.records);
    let lack = has.saturating_sub(is.records);
    let is_thin = was.records >= had && lack >= RECORDS.1 && is.records as f64 <= THIN * has as f64;
    let is_gone = was.records >= had && had >= EVERY && has > 0 && is.records == 0;
    if !is_list(sides) || !is_gone && (had < RECORDS.0 || !is_thin) {
        return None;
    }
    Answer::new(RARE, format!("{} of {has} records have it, all {had} had", is.records))
}

/// Values before that tell how many other texts are written like them.
const WRITTEN: u64 = 5;
/// Other texts that are written like values, and how many times as many as these: two, and three times the share of before in addition.
const STRAYS: (u64, f64, f64) = (5, 2.0, 3.0);

/// Are there many more texts that are written like values than values, which was not so before? Then most records are not read.
pub(super) fn scattered(known: &Profile, now: &Profile) -> Option<Answer> {
    let ((had, before), (read, others)) = (known.strays, now.strays);
    if known.records <= known.pages || had < WRITTEN || others < STRAYS.0 {
        return None;
    }
    let usual = before as f64 / had as f64;
    if (others as f64) < read as f64 * (STRAYS.1 + STRAYS.2 * usual) {
        return None;
    }
    let values = match read {
        1 => "1 value is read".to_owned(),
        _ => format!("{read} values are read"),
    };
    let words = format!("{values}, and {others} other texts are written like them; it was {had} and {before}");
    Answer::new(RARE, words)
}

/// Are the values addresses? These get another host or protocol at once, and mean the same.
fn is_address(field: &FieldProfile) -> bool {
    field.attributes.saturating_mul(2) > field.count
}

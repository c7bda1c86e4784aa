//! Known records that say something else: pages are looked at again, most fields say that their records are known ones, and a field does not
//! have what these records had.
//!
//! - [`contradicted`]: a field that never recurs although its records do is another column, or other links: the closing date
//!   instead of the day of posting, the fax instead of the phone number.
//! - [`forgotten`]: all records are known ones, and at least three fields that every record had are gone. What is sold out may lack its price and one more.
//!
//! *Which records are known?* A profile keeps values for each field, and not which of them belong together; and names, dates and prices of one record
//! are those of another one by accident. So records count as known if their addresses or codes recur, of which each has its own, a
//! second field that tells records from each other ([`TELLING`]) does as well, and more such fields do than do not. One is not enough: in a
//! programme the address of each day recurs with other things to see.
//!
//! *Which values may change by themselves?* Prices, numbers, shares and times do, so only values that last are asked about ([`lasting`]):
//! phone numbers, addresses for mail, codes, words, dates, and addresses of pages by the number in them. Words are compared without capitals, signs and order, dates by their day, because the way of
//! writing may change. Dates that are later than all known ones are what a new entry brings to a known thing, such as its last change or its next
//! day, so they say nothing.
//!
//! *Cost*: sets of the samples of each field. *Known failures*: what records have one of and often change, such as the last post of an author; a
//! status; records without addresses and codes; fields that have more values than a profile keeps; a wrong column that has the values of many records by accident.

use super::lists::{ENOUGH, RARE};
use super::questions::{Answer, Sides};
use crate::evidence::telling_kinds;
use record::values::{Convention, Kind, Kinds, date};
use std::collections::HashSet;
use wrapper::profile::{FieldProfile, Profile};

/// A field tells records from each other if at least this share of its values were different.
const TELLING: f64 = 0.8;
/// The share of values that must be of a kind for a field to be of it.
const MOSTLY: f64 = 0.95;
/// Fields that must say that records are known.
const WITNESSES: usize = 2;
/// Fields that are gone at once where records are known.
const GONE: usize = 3;
/// At most one of this number of known records has the same value in another column by accident.
const BY_ACCIDENT: u64 = 5;

/// Do records that are known by other fields no longer have the values that they had?
pub(super) fn contradiction(sides: Sides<'_>) -> Option<Answer> {
    let (known, recurring) = contradicted(sides.known, sides.now, sides.field)?;
    let words = match recurring {
        0 => format!("{known} records are known ones, and none has the value that it had"),
        some => format!("{known} records are known ones, and at most {some} have the value that they had"),
    };
    Answer::new(RARE, words)
}

/// The number of records that are known by other fields, and of values of this field that recur, if hardly any does.
pub(crate) fn contradicted(known: &Profile, now: &Profile, field: usize) -> Option<(u64, u64)> {
    let (was, is) = (&known.fields[field], now.fields.get(field)?);
    // If not all values are kept, one may be known that seems to be new.
    if !tells(was) || was.different > was.samples.len() as u64 || is.count == 0 {
        return None;
    }
    let recurring = |before: &HashSet<String>, after: &HashSet<String>| before.intersection(after).count() as u64;
    let others = (0..known.fields.len().min(now.fields.len())).filter(|other| *other != field);
    let others = others.map(|other| (&known.fields[other], &now.fields[other]));
    let others: Vec<_> = others
        .filter(|(was, _)| tells(was))
        .map(|(was, is)| (was, is, recurring(&texts(was), &texts(is))))
        .collect();
    // Hardly ever does a record recur, so kinds, which cost most, are asked last.
    let keys = others.iter().filter(|(.., count)| *count >= ENOUGH.1 as u64);
    let keys = keys.filter(|(was, is, _)| is_key(was) && is_key(is));
    let known = keys.map(|(.., count)| *count).max()?;
    let witnesses = others.iter().filter(|(.., count)| count * 2 >= known).count();
    if witnesses < WITNESSES || witnesses * 2 <= others.len() {
        return None;
    }
    let (before, after) = lasting(was, is)?;
    // What lasts of the values must tell records, too: a year in the addresses of files does not.
    let is_own = |forms: &HashSet<String>, of: &FieldProfile| forms.len() as f64 >= TELLING * of.samples.len() as f64;
    if !is_own(&before, was) || !is_own(&after, is) {
        return None;
    }
    let own = recurring(&before, &after);
    (own * BY_ACCIDENT <= known).then_some((known, own))
}

/// If all records are known by other fields, and fields that every record had are gone: which ones.
pub(super) fn forgotten(known: &Profile, now: &Profile, names: &[&str]) -> Option<Answer> {
    let fields = || known.fields.iter().zip(&now.fields).zip(names);
    let gone = fields().filter(|((was, is), _)| was.count > 0 && was.records >= known.records && is.count == 0);
    let gone: Vec<&str> = gone.map(|(_, name)| *name).collect();
    if gone.len() < GONE {
        return None;
    }
    let recurs = |was: &FieldProfile, is: &FieldProfile| {
        let before = texts(was);
        is.records >= now.records && !is.samples.is_empty() && is.samples.iter().all(|text| before.contains(text))
    };
    let witnesses = fields().filter(|((was, is), _)| tells(was) && recurs(was, is) && is_name(was));
    if witnesses.count() < WITNESSES {
        return None;
    }
    let what = match now.records {
        1 => "the record is a known one".to_owned(),
        all => format!("all {all} records are known ones"),
    };
    Answer::new(
        RARE,
        format!("{what}, and {} are gone, which each had", gone.join(", ")),
    )
}

/// Does a field tell records from each other?
fn tells(field: &FieldProfile) -> bool {
    field.count > 0 && field.different as f64 >= TELLING * field.count as f64
}

/// Has each record a value of its own that no other record gets by accident: an address, or a code?
fn is_key(field: &FieldProfile) -> bool {
    let is_own = |text: &String| {
        let kinds = telling_kinds(text);
        let mut own = [Kind::Link, Kind::Email, Kind::Code].into_iter();
        // Some codes look like a part of a phone number or of a date.
        let is_word = text.contains(char::is_alphabetic) && !text.contains(char::is_whitespace);
        let is_code = is_word && !kinds.contains(Kind::Price) && address_number(text).is_some();
        is_code || own.any(|kind| kinds.contains(kind))
    };
    field.different >= field.count && field.samples.iter().all(is_own)
}

/// Are values more than numbers, prices and dates, which recur by accident?
fn is_name(field: &FieldProfile) -> bool {
    let is_own = |text: &String| {
        let kinds = telling_kinds(text);
        let mut kinds = kinds.iter();
        kinds.all(|kind| matches!(kind, Kind::Link | Kind::Email | Kind::Code | Kind::Phone))
    };
    field.samples.iter().all(is_own)
}

fn texts(field: &FieldProfile) -> HashSet<String> {
    field.samples.iter().cloned().collect()
}

/// The values of a field before and now in a form that lasts; none if they may change by themselves.
fn lasting(was: &FieldProfile, is: &FieldProfile) -> Option<(HashSet<String>, HashSet<String>)> {
    let kinds: Vec<Kinds> = was.samples.iter().map(|text| telling_kinds(text)).collect();
    let mostly = |is: &dyn Fn(&Kinds) -> bool| {
        let count = kinds.iter().filter(|kinds| is(kinds)).count();
        count as f64 >= MOSTLY * kinds.len() as f64
    };
    let has = |kind: Kind| mostly(&|kinds: &Kinds| kinds.contains(kind));
    if has(Kind::Image) {
        return None;
    }
    let all = |field: &FieldProfile, form: fn(&str) -> Option<String>| -> Option<HashSet<String>> {
        field.samples.iter().map(|text| form(text)).collect()
    };
    if has(Kind::Link) && !has(Kind::Email) {
        return Some((all(was, address_number)?, all(is, address_number)?));
    }
    if has(Kind::Date) {
        return days(was, is);
    }
    let is_lasting = has(Kind::Phone)
        || has(Kind::Email)
        || has(Kind::Code)
        || mostly(&|kinds: &Kinds| kinds.is_empty()) && !was.samples.iter().any(|text| text.contains(char::is_numeric));
    let words = |text: &str| Some(words(text));
    is_lasting.then(|| all(was, words).zip(all(is, words)))?
}

/// The words of a text without capitals, signs and order.
fn words(text: &str) -> String {
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.join(" ")
}

/// The fewest digits of a number in an address that tells a page from others.
const NUMBER: usize = 3;

/// The last number in an address that is long enough to tell pages from each other.
fn address_number(text: &str) -> Option<String> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.rfind(|number| number.len() >= NUMBER).map(str::to_owned)
}

/// The days of dates; none if some cannot be read, or if most of the new ones are later than all known ones.
fn days(was: &FieldProfile, is: &FieldProfile) -> Option<(HashSet<String>, HashSet<String>)> {
    let convention = Convention::of(was.samples.iter().chain(&is.samples));
    let read = |field: &FieldProfile| -> Option<Vec<i32>> {
        let read = |text: &String| date(text, &convention).ok().map(|date| date.days());
        field.samples.iter().map(read).collect()
    };
    let (before, after) = (read(was)?, read(is)?);
    let last = before.iter().max()?;
    let new = after.iter().filter(|day| !before.contains(day));
    let later = new.clone().filter(|day| *day > last).count();
    if later * 2 >= new.count() {
        return None;
    }
    let texts = |days: &[i32]| days.iter().map(i32::to_string).collect();
    Some((texts(&before), texts(&after)))
}

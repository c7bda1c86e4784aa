//! Values that changed places: a field has the values that another one had, and the other one has those of this field.
//!
//! *Idea.* Pages are looked at again, and most records recur. If a price that was known as that of the disc is that of the tape now, and
//! prices of the tape are those of the disc, the two columns have changed places, whatever is around them. There are three questions, since
//! such an answer is worth more or less:
//!
//! - [`traded`]: no words before the values tell whose they are. Then one record is enough, if most values moved: two prices, or two names if a value of a third field
//!   recurs, one that tells records from each other (two teams may play at the other place, but not the same match). Where words do tell, a single record says little: a page that says "List Price: 20" may mean it.
//! - [`exchanged`]: at least [`MOVED`] different values moved each way, and as many values of a third field recur, one that tells records
//!   from each other. So the records are known ones, and it is their values that moved. Words before the values do not count here: both labels may
//!   have new names, or the headings may have stayed where they were while the cells below them moved. Some of the records are enough.
//!
//! - [`sized`]: no record recurs, but both fields are numbers of different size, as the list price and the price of a shop are. Most values of each
//!   are outside of all that it had and between those that the other one had. One of the two may change for many reasons; that both do, in opposite
//!   directions, is an exchange. Nothing but their size tells the values, so at least ten of each must be known.
//!
//! A value counts as moved if it was the other field's and not this one's, and how many values both fields had tells what is usual.
//! In a table of prices of today and of yesterday, all values move one way each day, but not back; so the less odd of the two ways is the answer of [`exchanged`].
//!
//! *Cost*: sets of the samples of a field. *Known failures*: records that never recur; fields with more values than a profile keeps; one or two records
//! whose values were exchanged below labels that stayed.

use super::chance::{as_many, on_pages};
use super::questions::{Answer, Sides};
use std::collections::HashSet;
use wrapper::profile::{FieldProfile, Profile, number};

/// Has it the values that another field had, and the other one those of this field? This is asked if nothing else tells whose they are.
pub(super) fn traded(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    let mut best: Option<Answer> = None;
    if is_told(sides) {
        return None;
    }
    let all = Samples::all(sides);
    for other in others(sides) {
        let beside = Sides { field: other, ..sides };
        if all.now.is_empty() || !all.may_be_of(&sides.known.fields[other]) || is_told(beside) {
            continue;
        }
        let (mine, theirs) = match recurring(sides, other) > 0 {
            true => (Samples::all(sides), Samples::all(beside)),
            false => (all.digits(), Samples::all(beside).digits()),
        };
        let (one, two) = (mine.mostly_of(&theirs), theirs.mostly_of(&mine));
        let (Some(one), Some(two)) = (one, two) else { continue };
        let chance = one.1 * two.1;
        if best.as_ref().is_none_or(|best| chance < best.chance) {
            let words = words(&mine, (one.0, two.0), names.get(other).copied().unwrap_or_default());
            best = Some(Answer { chance, words });
        }
    }
    best
}

/// Different values that move each way, not by chance, and the part of all that they must be: a few of many may be the same by chance, as names are.
const MOVED: u64 = 3;
const PART: u64 = 4;
/// Values do not become those of another field.
const FOREIGN: f64 = 0.05;

/// Have known records exchanged their values of two fields?
pub(super) fn exchanged(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    exchanged_by(sides, names, |text| text).or_else(|| exchanged_by(sides, names, digits))
}

/// From the first digit of a text to its last one: the words around a number stay where they are when numbers change places.
fn digits(text: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let (from, to) = (text.find(is_digit), text.rfind(is_digit));
    from.zip(to).map_or("", |(from, to)| &text[from..=to])
}

/// The same for a part of each value.
fn exchanged_by(sides: Sides<'_>, names: &[&str], part: fn(&str) -> &str) -> Option<Answer> {
    let known: HashSet<&str> = sides.was().samples.iter().map(|text| part(text)).collect();
    let strange = sides.is().samples.iter().map(|text| part(text));
    let strange: HashSet<&str> = strange.filter(|text| !known.contains(text)).collect();
    if (strange.len() as u64) < MOVED {
        return None;
    }
    let mine = Samples::by(sides, part);
    for other in others(sides) {
        let had = &sides.known.fields[other].samples;
        let may_be = had.iter().filter(|text| strange.contains(part(text))).count() as u64;
        if may_be < MOVED {
            continue;
        }
        let theirs = Samples::by(Sides { field: other, ..sides }, part);
        let (one, two) = (mine.moved_from(&theirs), theirs.moved_from(&mine));
        let least = one.0.min(two.0);
        let all = mine.now.len().max(theirs.now.len()) as u64;
        if least < MOVED || least * PART < all || recurring(sides, other) < least {
            continue;
        }
        let words = words(&mine, (one.0, two.0), names.get(other).copied().unwrap_or_default());
        return Answer::new(one.1.max(two.1), words);
    }
    None
}

/// Numbers that must be known of each field for its size to be known.
const SIZES: u64 = 10;

/// Are the numbers of two fields of the sizes of each other, and not of their own?
pub(super) fn sized(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    for other in others(sides) {
        let beside = Sides { field: other, ..sides };
        let (Some(one), Some(two)) = (resized(sides, beside), resized(beside, sides)) else {
            continue;
        };
        let name = names.get(other).copied().unwrap_or_default();
        let words = format!(
            "{} of {} values are numbers of the size of {name}, and {} of {} of {name} are of the size of this field",
            one.0, one.1, two.0, two.1
        );
        return Answer::new(one.2.max(two.2), words);
    }
    None
}

/// Has a field, with another one, exchanged the sizes of its numbers?
pub(crate) fn are_of_each_others_size(known: &Profile, now: &Profile, field: usize) -> bool {
    sized(Sides { known, now, field }, &[]).is_some()
}

/// How many different values of a field, which are most of them, are outside of its own known numbers and between those of another one; of how many; and the chance of that.
fn resized(sides: Sides<'_>, other: Sides<'_>) -> Option<(u64, u64, f64)> {
    let ((count, least, most), (theirs, low, high)) = (sides.was().numbers, other.was().numbers);
    let are_all = count >= sides.was().count && theirs >= other.was().count;
    if count < SIZES || theirs < SIZES || !are_all {
        return None;
    }
    let now: HashSet<&str> = sides.is().samples.iter().map(String::as_str).collect();
    let is_moved = |text: &&str| {
        let is_between = |at: f64| (at < least || at > most) && low <= at && at <= high;
        number(text).is_some_and(is_between)
    };
    let (moved, all) = (now.iter().copied().filter(is_moved).count() as u64, now.len() as u64);
    (moved >= MOVED && moved * 2 > all).then(|| (moved, all, as_many((0, count), (moved, all), FOREIGN)))
}

fn others(sides: Sides<'_>) -> impl Iterator<Item = usize> {
    let count = sides.known.fields.len().min(sides.now.fields.len());
    (0..count).filter(move |other| *other != sides.field)
}

fn words(mine: &Samples<'_>, (one, two): (u64, u64), name: &str) -> String {
    format!(
        "{one} of {} different values were values of {name}, and {two} of {name} were values of this field",
        mine.now.len()
    )
}

/// A field tells records from each other if at least this share of its values were different.
const TELLING: f64 = 0.8;

/// The most values of a third field that recur, of one that tells records from each other.
fn recurring(sides: Sides<'_>, other: usize) -> u64 {
    let third = others(sides).filter(|field| *field != other);
    let known = third.filter_map(|field| {
        let Sides { known, now, .. } = sides;
        let (was, is) = (&known.fields[field], &now.fields[field]);
        if (was.different as f64) < TELLING * was.count as f64 {
            return None;
        }
        let before: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
        Some(is.samples.iter().filter(|text| before.contains(text.as_str())).count() as u64)
    });
    known.max().unwrap_or(0)
}

/// Do words before the values of a field tell that they are still its own?
fn is_told(sides: Sides<'_>) -> bool {
    let (was, is) = (sides.was(), sides.is());
    was.label().is_some_and(|label| {
        let still = is.labels.get(label).copied().unwrap_or(0);
        still.saturating_mul(2) >= is.count
    })
}

/// The values of a field, before and now.
struct Samples<'p> {
    known: HashSet<&'p str>,
    now: HashSet<&'p str>,
}

impl<'p> Samples<'p> {
    fn all(sides: Sides<'p>) -> Samples<'p> {
        Samples::by(sides, |text| text)
    }

    /// A part of each value, if it is not empty.
    fn by(sides: Sides<'p>, part: fn(&str) -> &str) -> Samples<'p> {
        let set = |field: &'p FieldProfile| {
            let parts = field.samples.iter().map(|text| part(text));
            parts.filter(|part| !part.is_empty()).collect()
        };
        Samples {
            known: set(sides.was()),
            now: set(sides.is()),
        }
    }

    /// Those that have digits.
    fn digits(&self) -> Samples<'p> {
        let with = |set: &HashSet<&'p str>| -> HashSet<&'p str> {
            let texts = set.iter().filter(|text| text.chars().any(char::is_numeric));
            texts.copied().collect()
        };
        Samples {
            known: with(&self.known),
            now: with(&self.now),
        }
    }

    /// Was any value of now among the values of a field? This costs less than a set of these.
    fn may_be_of(&self, field: &FieldProfile) -> bool {
        field.samples.iter().any(|sample| self.now.contains(sample.as_str()))
    }

    /// How many values were the other field's and not this one's.
    fn taken_from(&self, other: &Samples<'_>) -> u64 {
        let is_taken = |text: &&&str| other.known.contains(**text) && !self.known.contains(**text);
        self.now.iter().filter(is_taken).count() as u64
    }

    /// How many values both fields had, and how many this one had.
    fn shared_with(&self, other: &Samples<'_>) -> (u64, u64) {
        let shared = self.known.intersection(&other.known).count();
        (shared as u64, self.known.len() as u64)
    }

    /// How many values were the other field's and not this one's, and the chance of that, from how many were both's before;
    /// none if most values are not.
    fn mostly_of(&self, other: &Samples<'_>) -> Option<(u64, f64)> {
        let (taken, all) = (self.taken_from(other), self.now.len() as u64);
        let (shared, known) = self.shared_with(other);
        (taken * 2 > all && known > 0).then(|| (taken, on_pages(known - shared, known, all - taken, all)))
    }

    /// How many values were the other field's and not this one's, and the chance of that number.
    fn moved_from(&self, other: &Samples<'_>) -> (u64, f64) {
        let (taken, all) = (self.taken_from(other), self.now.len() as u64);
        (taken, as_many(self.shared_with(other), (taken, all), FOREIGN))
    }
}

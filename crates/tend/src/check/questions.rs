//! The questions about a field, and the answers that healthy wrappers give.

use super::chance::{Logs, Share, Usual, all_beyond, as_far, as_many, as_small, on_pages, units};
use super::lists::RARE;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use wrapper::profile::{FieldProfile, Profile};

/// An answer: the chance that a healthy wrapper gives it, and the observation in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) chance: f64,
    pub(super) words: String,
}

impl Answer {
    pub(super) fn new(chance: f64, words: String) -> Option<Answer> {
        Some(Answer { chance, words })
    }
}

/// A field before and now.
#[derive(Clone, Copy)]
pub(super) struct Sides<'p> {
    pub(super) known: &'p Profile,
    pub(super) now: &'p Profile,
    pub(super) field: usize,
}

impl<'p> Sides<'p> {
    pub(super) fn was(&self) -> &'p FieldProfile {
        &self.known.fields[self.field]
    }

    pub(super) fn is(&self) -> &'p FieldProfile {
        &self.now.fields[self.field]
    }

    fn known_units(&self) -> f64 {
        units(self.was().count as f64, self.known.pages as f64)
    }

    fn now_units(&self) -> f64 {
        units(self.is().count as f64, self.now.pages as f64)
    }

    /// The chance for a share of the values that was `had` and is `has`, in units of values.
    fn of_values(&self, had: u64, has: u64, usual: f64) -> f64 {
        as_small(
            Share::new(had, self.was().count, self.known_units()),
            Share::new(has, self.is().count, self.now_units()),
            usual,
        )
    }

    /// The same for what a page's template decides: a page with one value is as informative as a page with many.
    fn of_pages(&self, had: u64, has: u64, usual: f64) -> f64 {
        let pages = |count: u64, pages: u64| count.min(pages) as f64;
        as_small(
            Share::new(had, self.was().count, pages(self.was().count, self.known.pages)),
            Share::new(has, self.is().count, pages(self.is().count, self.now.pages)),
            usual,
        )
    }
}

/// A field that somebody asks for is present in nine of ten records.
const THERE: f64 = 0.9;

/// Is it present as often as before? A missing list is stronger evidence than a missing single value.
pub(super) fn missing(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (had, has) = (sides.known.records, sides.now.records);
    if had == 0 || has == 0 || was.records == 0 {
        return None;
    }
    let values = was.count.max(was.records) as f64 / was.records as f64;
    let chance = as_small(
        Share::new(was.records, had, units(had as f64 * values, sides.known.pages as f64)),
        Share::new(is.records, has, units(has as f64 * values, sides.now.pages as f64)),
        THERE,
    );
    Answer::new(chance, missing_words(sides))
}

pub(super) fn missing_words(sides: Sides<'_>) -> String {
    let (was, is) = (sides.was(), sides.is());
    let (had, has) = (sides.known.records, sides.now.records);
    let values = was.count.max(was.records) as f64 / was.records.max(1) as f64;
    let words = match (is.records, has) {
        (0, 1) => "the record has none".to_owned(),
        (0, _) => format!("none of {has} records has it"),
        (some, _) => format!("{some} of {has} records have it"),
    };
    format!("{words}, {} of {had} had{}", was.records, each(values))
}

/// A field with this many values on a page is a list: it has no values by accident only where the page has no such list. The second number is for fields of
/// which each record of a list has one: no record has it by accident less easily.
const LIST: (f64, f64) = (10.0, 5.0);
/// If a field was not on every page, it takes more to call it a list that is gone: this number of values, and of pages
/// with values, must be expected now. That none of three expected pages has it happens in one of twenty cases (Poisson).
const SCATTERED: (f64, f64) = (50.0, 3.0);

/// Is it missing on pages although it was on (nearly) every page? And is a whole list gone?
///
/// The answer decides by itself, whatever else holds: pages are counted one by one ([`on_pages`]), so that what 19 of 19 pages
/// had is an alarm when the next page does not have it. A list that is gone always is.
pub(super) fn gone(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (known, now) = (filled(sides.known), filled(sides.now));
    let on = |field: &FieldProfile, pages: u64| total(field.per_page.range(1..).map(|(_, pages)| pages)).min(pages);
    let (had, has) = (on(was, known), on(is, now));
    if had == 0 || has >= now {
        return None;
    }
    let values = was.count as f64 * sides.now.records as f64 / sides.known.records.max(1) as f64;
    let pages = had as f64 * now as f64 / known as f64;
    let enough = if sides.known.records > known { LIST.1 } else { LIST.0 };
    let is_list = is.count == 0 && (had == known && values >= enough || values >= SCATTERED.0 && pages >= SCATTERED.1);
    if is_list {
        let words = format!(
            "all values are gone, there were {} on {had} of {known} pages",
            was.count
        );
        return Answer::new(0.0, words);
    }
    // A field that was missing before is an optional one, however rarely it is missing.
    let optional = if had < known { 2.0 } else { 1.0 };
    let chance = (optional * on_pages(had, known, has, now)).min(1.0);
    // The pages are worth telling only if they say more than the records.
    let words = match sides.known.records > known {
        true => format!("{} of {now} pages do not have it, {had} of {known} had", now - has),
        false => missing_words(sides),
    };
    Answer::new(chance, words)
}

/// The least number of parts of a list that tell something, and the share of it, in that order.
const UNREAD: (u64, f64) = (3, 0.25);
/// The largest share of such parts before.
const UNREAD_BEFORE: f64 = 0.05;
/// A list gets parts that look like its records and are something else, in rare cases.
const HALF_READ: f64 = RARE;

/// Are parts of lists not read that look like records, which hardly any were before? Then some records have a new template.
pub(super) fn unread(known: &Profile, now: &Profile) -> Option<Answer> {
    let share = |(read, others): (u64, u64)| others as f64 / read.saturating_add(others).max(1) as f64;
    let (read, others) = now.parts;
    let is_odd = others >= UNREAD.0 && share(now.parts) >= UNREAD.1;
    if known.parts.0 == 0 || !is_odd || share(known.parts) > UNREAD_BEFORE {
        return None;
    }
    let all = read.saturating_add(others);
    let words = format!("{others} of {all} parts of the list look like records and are not read");
    Answer::new(HALF_READ, words)
}

/// The number of pages that have a record.
pub(super) fn filled(profile: &Profile) -> u64 {
    total(profile.counts.range(1..).map(|(_, pages)| pages))
}

/// The length of a list in words; empty for a single value.
fn each(values: f64) -> String {
    match values.round() {
        many if many >= 2.0 => format!(" ({many} values each)"),
        _ => String::new(),
    }
}

/// How the number of things on a page varies: threefold, and twofold from day to day.
const COUNTS: Usual = Usual {
    deviation: 1.0,
    drift: 0.6,
};

/// Do pages have as many values as before? This is asked about lists on pages with one record.
pub(super) fn counts(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let single = sides.known.records <= sides.known.pages && was.count <= was.records;
    if single || sides.known.records > sides.known.pages {
        return None;
    }
    let (chance, before, after) = pages(&was.per_page, &is.per_page)?;
    let words = format!("a page has {after:.0} of it, it had {before:.0}");
    Answer::new(chance, words)
}

/// A sum that cannot overflow, since profiles come from files.
pub(super) fn total<'c>(counts: impl Iterator<Item = &'c u64>) -> u64 {
    counts.fold(0, |sum: u64, count| sum.saturating_add(*count))
}

/// Compares the numbers on the pages that have any.
pub(super) fn pages(known: &BTreeMap<u64, u64>, now: &BTreeMap<u64, u64>) -> Option<(f64, f64, f64)> {
    let logs = |histogram: &BTreeMap<u64, u64>| {
        let some = histogram.iter().filter(|(number, _)| **number > 0);
        let pages = total(some.clone().map(|(_, pages)| pages));
        Logs::new(some, units(pages as f64, pages as f64))
    };
    let (before, after) = (logs(known)?, logs(now)?);
    let number = |logs: Logs| logs.mean.exp_m1();
    Some((as_far(before, after, COUNTS), number(before), number(after)))
}

/// The prior chance that a value is written in a way that was seen before: one in two.
const SEEN: f64 = 0.5;

/// Are values written as before?
pub(super) fn pattern(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (before, after) = (rough_shapes(was), rough_shapes(is));
    // By Good and Turing: the number of ways seen once tells how much was never seen.
    let once = before.values().filter(|count| **count == 1).count() as u64;
    let listed = total(before.values());
    let (seen, given) = after.iter().fold((0, 0), |(seen, given), (shape, count)| {
        (
            seen + if before.contains_key(shape) { *count } else { 0 },
            given + count,
        )
    });
    if was.count == 0 || given == 0 {
        return None;
    }
    let chance = as_small(
        Share::new(listed.saturating_sub(once), was.count, sides.known_units()),
        Share::new(seen, given, sides.now_units()),
        SEEN,
    );
    let words = format!("{seen} of {given} values are written as before ({})", was.pattern());
    Answer::new(chance, words)
}

/// The shapes of a field, roughly, and how often each was seen.
fn rough_shapes(field: &FieldProfile) -> BTreeMap<String, u64> {
    let mut rough: BTreeMap<String, u64> = BTreeMap::new();
    for (shape, count) in &field.shapes {
        let sum = rough.entry(roughly(shape)).or_default();
        *sum = sum.saturating_add(*count);
    }
    rough
}

/// A shape in which the length of numbers, the length of words and capitals do not matter.
pub(crate) fn roughly(shape: &str) -> String {
    let mut out = String::new();
    for c in shape.chars() {
        let c = match c {
            'a' | 'A' | 'w' | '+' => 'w',
            other => other,
        };
        if !(out.ends_with(c) && matches!(c, 'w' | '0' | ' ')) {
            out.push(c);
        }
    }
    out
}

/// The words before a value are a label in every second case; otherwise they are some other text.
const LABELLED: f64 = 0.5;

/// Do values follow the same words as before?
pub(super) fn label(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let label = was.label()?;
    let of = |field: &FieldProfile| field.labels.get(label).copied().unwrap_or(0);
    if is.count == 0 {
        return None;
    }
    let other = is.label().filter(|other| *other != label);
    let other = other
        .map(|other| format!(", most follow \"{other}\""))
        .unwrap_or_default();
    let words = format!("{} of {} values follow \"{label}\"{other}", of(is), is.count);
    Answer::new(sides.of_pages(of(was), of(is), LABELLED), words)
}

/// Values do not move to a place after the label of another field.
const FOREIGN: f64 = 0.05;

/// What follows the words of another field.
pub(super) struct Swap {
    pub(super) answer: Answer,
    /// Do the values of the other field follow the words of this one?
    pub(super) is_mutual: bool,
}

/// Do values follow words that were another field's label? Two fields that have each other's labels were swapped.
///
/// Each value counts by itself, not only what most of them follow: on some pages, or in some records, columns may have
/// changed places and not in others.
pub(super) fn swapped(sides: Sides<'_>, names: &[&str]) -> Option<Swap> {
    let (was, is) = (sides.was(), sides.is());
    let times = |field: &FieldProfile, label: &str| field.labels.get(label).copied().unwrap_or(0);
    // Words that its values have followed all along are its own as well.
    let is_foreign = |field: &FieldProfile, label: &str| {
        times(field, label) as f64 <= FOREIGN * field.count as f64 && field.label() != Some(label)
    };
    let fields = sides.known.fields.iter().enumerate();
    let others = fields.filter(|(at, _)| *at != sides.field).filter_map(|(at, other)| {
        let label = other.label().filter(|label| is_foreign(was, label))?;
        let taken = times(is, label);
        (taken > 0).then_some((taken, Reverse(at), label))
    });
    let (taken, Reverse(other), label) = others.max()?;
    let name = names.get(other).copied().unwrap_or_default();
    let (theirs, now) = (&sides.known.fields[other], sides.now.fields.get(other)?);
    let mine = was
        .label()
        .filter(|mine| is_foreign(theirs, mine) && times(now, mine) > 0);
    Some(match mine {
        // Both changes would have to happen, so even a few values are enough.
        Some(mine) => {
            let odd = |known: &FieldProfile, now: &FieldProfile, label: &str| {
                as_many(
                    (times(known, label), known.count),
                    (times(now, label), now.count),
                    FOREIGN,
                )
            };
            let all = match taken < is.count {
                true => format!("{taken} of {} values", is.count),
                false => "values".to_owned(),
            };
            let words = format!("{all} follow \"{label}\" and those of {name} follow \"{mine}\": the two were swapped");
            Swap {
                answer: Answer {
                    chance: odd(was, is, label) * odd(theirs, now, mine),
                    words,
                },
                is_mutual: true,
            }
        }
        None => {
            let own = |field: &FieldProfile| field.count.saturating_sub(times(field, label));
            Swap {
                answer: Answer {
                    chance: sides.of_values(own(was), own(is), 1.0 - FOREIGN),
                    words: format!("{taken} of {} values follow \"{label}\", the label of {name}", is.count),
                },
                is_mutual: false,
            }
        }
    })
}

/// A value that is the label of a field is a row of headings that was taken for a record, in all but rare cases.
const HEADING: f64 = RARE;

/// Is a value of it the label of a field? No value was before.
pub(super) fn headings(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let mut labels = sides.known.fields.iter().filter_map(FieldProfile::label);
    let label = labels.find(|label| {
        let has = |field: &FieldProfile| field.samples.iter().any(|text| text == label);
        has(is) && !has(was)
    })?;
    // What a few values were like says little about the next ones.
    let chance = if was.count < FEW { 1.0 } else { HEADING };
    Answer::new(chance, format!("a value is \"{label}\", which is a label"))
}

/// The number of values from which on it is known what values are like.
const FEW: u64 = 5;

/// How the length of values varies: twofold, and by a third from day to day.
const LENGTHS: Usual = Usual {
    deviation: 0.7,
    drift: 0.3,
};

/// Are values as long as before?
pub(super) fn lengths(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let before = Logs::new(was.lengths.iter(), sides.known_units())?;
    let after = Logs::new(is.lengths.iter(), sides.now_units())?;
    let range = match was.length.0 == was.length.2 {
        true => format!("{}", was.length.0),
        false => format!("{} to {}", was.length.0, was.length.2),
    };
    let words = format!("values have {:.0} characters, they had {range}", is.mean_length());
    Answer::new(as_far(before, after, LENGTHS), words)
}

/// A property of most values holds for nine of ten.
const MOSTLY: f64 = 0.9;

/// Are values links, or not, as before?
pub(super) fn links(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if was.count == 0 || is.count == 0 {
        return None;
    }
    let chance = match was.links.saturating_mul(2) >= was.count {
        true => sides.of_pages(was.links, is.links, MOSTLY),
        false => {
            let others = |field: &FieldProfile| field.count.saturating_sub(field.links);
            sides.of_pages(others(was), others(is), MOSTLY)
        }
    };
    let words = format!(
        "{} of {} values are links, {} of {} were",
        is.links, is.count, was.links, was.count
    );
    Answer::new(chance, words)
}

/// The numbers of a field may grow from day to day, but not by this factor.
const FAR: f64 = 10.0;

/// Are values numbers as before, and of a similar size?
pub(super) fn numbers(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let ((had, low, high), (has, least, most)) = (was.numbers, is.numbers);
    if had == 0 || had.saturating_mul(2) < was.count || is.count == 0 {
        return None;
    }
    let fewer = sides.of_pages(had, has, SEEN);
    let finite = [low, high, least, most].iter().all(|number| number.is_finite());
    let away = has > 0 && finite && (least > high * FAR && high > 0.0 || most < low / FAR && low > 0.0);
    let beyond = match away {
        true => all_beyond(sides.known_units(), sides.now_units()),
        false => 1.0,
    };
    match beyond < fewer {
        true => Answer::new(
            beyond,
            format!("numbers are from {least} to {most}, they were from {low} to {high}"),
        ),
        false => Answer::new(
            fewer,
            format!("{has} of {} values are numbers, {had} of {} were", is.count, was.count),
        ),
    }
}

/// Do values differ from each other, if they did before?
pub(super) fn variety(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if is.different != 1 || is.count < 2 || was.count < 2 || was.different.saturating_mul(2) <= was.count {
        return None;
    }
    let less = |count: u64, pages: u64| units(count as f64 - 1.0, pages as f64);
    let chance = as_small(
        Share::new(was.different - 1, was.count - 1, less(was.count, sides.known.pages)),
        Share::new(0, is.count - 1, less(is.count, sides.now.pages)),
        SEEN,
    );
    let words = format!(
        "all {} values are the same, {} of {} were different",
        is.count, was.different, was.count
    );
    Answer::new(chance, words)
}

//! Is a run what it should be?
//!
//! *Idea.* Each field is asked a few questions whose usual answers are known: is it there as often as it was, on a page as
//! many times, written as it was, behind the same words and not behind another field's, as long, a link as before, a number
//! of that size, different from one to the next? For each question there is a chance that a healthy wrapper gives such an
//! answer ([`questions`]), counted with the caution that few examples and pages that are alike ask for ([`chance`]).
//!
//! *One verdict from many answers.* Who asks often enough hears something odd from a healthy wrapper too. Half of the doubt
//! is kept for the first question, whether fields are there, because that is how changes mostly show; all other questions
//! share the rest. Fields that are gone at once are less likely than each of them, though not as if they had nothing to do
//! with each other ([`chance::at_once`]); other answers are taken together by the method of Simes, which stays right when they
//! depend on each other as the fields of one page do. What comes out is the chance that a healthy wrapper gives something as
//! odd as this: below [`DOUBT`] there is an alarm. Whatever was known, there is one when no page has a record any more.
//!
//! *Input, output.* Two profiles; for each field and for all a chance and reasons in words. *Cost*: that of the profiles.
//!
//! *What it cannot see.* A page that was shown once tells little: that a title is now much longer, or not a link, or that one
//! of its fields is not there, happens on healthy sites as well. Values that look right and are not, like the price of
//! another article, leave no trace in a profile. A rule that was wrong from the start is as wrong as ever.

mod chance;
mod questions;
#[cfg(test)]
mod tests;

use chance::{Share, as_small, at_once, together, units};
use learn::guided::Wanted;
use questions::{Answer, Sides, total};
use std::collections::BTreeMap;
use wrapper::profile::Profile;

/// How a field is.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Its name.
    pub name: String,
    /// The chance that a healthy wrapper gives what was given, from 0 to 1.
    pub chance: f64,
    /// What is wrong, in words, worst first; nothing if all is well.
    pub reasons: Vec<String>,
}

/// How a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// The site has changed.
    Changed,
}

/// What a check says.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// For all of it.
    pub verdict: Verdict,
    /// The chance that a healthy wrapper gives what was given, all fields together.
    pub chance: f64,
    /// For each field.
    pub fields: Vec<Health>,
    /// What concerns records as a whole.
    pub reasons: Vec<String>,
}

/// Below this chance a run is called changed.
pub const DOUBT: f64 = 0.05;
/// Below this chance an answer is worth a word when all is well, and when it is not.
const ODD: (f64, f64) = (DOUBT, 0.2);

/// Compares what a run gave with what is known.
pub fn check(wanted: &[Wanted], known: &Profile, now: &Profile) -> Alarm {
    if known.records == 0 {
        return silent(
            wanted,
            1.0,
            "nothing is known to compare with: the profile has no records",
        );
    }
    if now.pages == 0 {
        return silent(wanted, 0.0, "there are no pages");
    }
    if now.records == 0 {
        let words = match now.pages {
            1 => "the page has no record any more".to_owned(),
            pages => format!("none of {pages} pages has a record any more"),
        };
        return silent(wanted, 0.0, &words);
    }
    let names: Vec<&str> = wanted.iter().map(|want| want.name.as_str()).collect();
    let count = names.len().min(known.fields.len()).min(now.fields.len());
    let sides = (0..count).map(|field| Sides { known, now, field });
    let answers: Vec<(Option<Answer>, Vec<Answer>)> = sides.map(|sides| ask(&names, sides)).collect();
    let whole: Vec<Answer> = [empty(known, now), records(known, now)].into_iter().flatten().collect();
    let gone = answers
        .iter()
        .flat_map(|(missing, _)| missing)
        .map(|answer| answer.chance);
    let odd_fields = answers.iter().map(|(_, others)| worst(others));
    let odd_pages = whole.iter().map(|answer| answer.chance);
    let chance = at_once(gone.collect()).min(together(odd_fields.chain(odd_pages).collect()));
    let chance = (2.0 * chance).min(1.0);
    let verdict = verdict(chance);
    let odd = match verdict {
        Verdict::Fine => ODD.0,
        Verdict::Changed => ODD.1,
    };
    Alarm {
        verdict,
        chance,
        fields: names
            .iter()
            .zip(answers)
            .map(|(name, (missing, others))| health(name, missing, others, odd))
            .collect(),
        reasons: worded(
            whole.into_iter().map(|answer| (answer.chance, answer.words)).collect(),
            odd,
        ),
    }
}

fn verdict(chance: f64) -> Verdict {
    match chance < DOUBT {
        true => Verdict::Changed,
        false => Verdict::Fine,
    }
}

/// What is said where fields cannot be asked.
fn silent(wanted: &[Wanted], chance: f64, words: &str) -> Alarm {
    let health = |want: &Wanted| Health {
        name: want.name.clone(),
        chance,
        reasons: Vec::new(),
    };
    Alarm {
        verdict: verdict(chance),
        chance,
        fields: wanted.iter().map(health).collect(),
        reasons: vec![words.to_owned()],
    }
}

/// The answers that are worth a word, worst first.
fn worded(mut answers: Vec<(f64, String)>, odd: f64) -> Vec<String> {
    answers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let answers = answers.into_iter().filter(|(chance, _)| *chance < odd);
    answers.map(|(_, words)| words).collect()
}

/// Whether a field is there, and whatever else there is to ask.
fn ask(names: &[&str], sides: Sides<'_>) -> (Option<Answer>, Vec<Answer>) {
    let others = [
        questions::counts(sides),
        questions::pattern(sides),
        questions::label(sides),
        questions::swapped(sides, names),
        questions::lengths(sides),
        questions::links(sides),
        questions::numbers(sides),
        questions::variety(sides),
    ];
    (questions::missing(sides), others.into_iter().flatten().collect())
}

/// The chance that the oddest of some answers is as odd as it is.
fn worst(answers: &[Answer]) -> f64 {
    let least = answers.iter().map(|answer| answer.chance).fold(1.0, f64::min);
    (least * answers.len().max(1) as f64).min(1.0)
}

fn health(name: &str, missing: Option<Answer>, others: Vec<Answer>, odd: f64) -> Health {
    let each = 2.0 * others.len() as f64;
    let missing = missing.into_iter().map(|answer| (answer.chance * 2.0, answer.words));
    let others = others.into_iter().map(|answer| (answer.chance * each, answer.words));
    let answers: Vec<(f64, String)> = missing.chain(others).collect();
    Health {
        name: name.to_owned(),
        chance: answers.iter().map(|(chance, _)| *chance).fold(1.0, f64::min),
        reasons: worded(answers, odd),
    }
}

/// Nearly every page of a wrapper has a record.
const FILLED: f64 = 0.98;

/// Do pages have records at all, as they did?
fn empty(known: &Profile, now: &Profile) -> Option<Answer> {
    let filled = |counts: &BTreeMap<u64, u64>| total(counts.range(1..).map(|(_, pages)| pages));
    let share = |profile: &Profile| {
        let pages = total(profile.counts.values());
        Share::new(filled(&profile.counts), pages, units(pages as f64, pages as f64))
    };
    let chance = as_small(share(known), share(now), FILLED);
    let empty = now.pages.saturating_sub(filled(&now.counts));
    Some(Answer {
        chance,
        words: format!("{empty} of {} pages have no record", now.pages),
    })
}

/// Are there as many records on a page?
fn records(known: &Profile, now: &Profile) -> Option<Answer> {
    if known.per_page.1 <= 1 {
        // One record a page, as it should be.
        return None;
    }
    let (chance, before, after) = questions::pages(&known.counts, &now.counts)?;
    Some(Answer {
        chance,
        words: format!("a page has {after:.0} records, it had {before:.0}"),
    })
}

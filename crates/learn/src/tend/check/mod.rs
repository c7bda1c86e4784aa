//! Is a run what it should be?
//!
//! *Idea.* Each field is asked a few questions whose usual answers are known: is it there as often as it was, on a page as
//! many times, written as it was, behind the same words and not behind another field's, as long, a link as before, a number
//! of that size, different from one to the next? For each question there is a chance that a healthy wrapper gives such an
//! answer ([`questions`]), counted with the caution that few examples and pages that are alike ask for ([`chance`]).
//!
//! *One verdict from many answers.* Who asks often enough hears something odd from a healthy wrapper too. Half of the doubt
//! that a field may raise is kept for the first question, whether it is there, because that is how changes mostly show; the
//! other questions share the rest. Fields are taken together by the method of Simes, which stays right when they depend on
//! each other as the fields of one page do, and which hears three fields that are each somewhat odd. What is left is the
//! chance that the wrapper is healthy and gave this: below [`DOUBT`] there is an alarm, so about one healthy run in fifty
//! raises one, if the assumptions hold. Whatever was known, an alarm is raised when no page has a record any more.
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

use crate::guided::Wanted;
use chance::{Share, as_small, together, units};
use questions::{Answer, Sides};
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
pub const DOUBT: f64 = 0.02;
/// Below this chance an answer is worth a word.
const ODD: f64 = 0.05;

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
    let fields: Vec<Health> = (0..count)
        .map(|field| health(&names, Sides { known, now, field }))
        .collect();
    let whole = [empty(known, now), records(known, now)];
    let whole: Vec<Answer> = whole.into_iter().flatten().collect();
    let chances = fields.iter().map(|field| field.chance);
    let chance = together(chances.chain(whole.iter().map(|answer| answer.chance)).collect());
    Alarm {
        verdict: verdict(chance),
        chance,
        fields,
        reasons: odd(whole.into_iter().map(|answer| (answer.chance, answer.words)).collect()),
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
fn odd(mut answers: Vec<(f64, String)>) -> Vec<String> {
    answers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let odd = answers.into_iter().filter(|(chance, _)| *chance < ODD);
    odd.map(|(_, words)| words).collect()
}

fn health(names: &[&str], sides: Sides<'_>) -> Health {
    let first = questions::missing(sides);
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
    let others: Vec<Answer> = others.into_iter().flatten().collect();
    let weight = 2.0 * others.len() as f64;
    let weighed = |answer: Answer, weight: f64| ((answer.chance * weight).clamp(0.0, 1.0), answer.words);
    let first = first.into_iter().map(|answer| weighed(answer, 2.0));
    let answers: Vec<(f64, String)> = first
        .chain(others.into_iter().map(|answer| weighed(answer, weight)))
        .collect();
    Health {
        name: names.get(sides.field).copied().unwrap_or_default().to_owned(),
        chance: answers.iter().map(|(chance, _)| *chance).fold(1.0, f64::min),
        reasons: odd(answers),
    }
}

/// Nearly every page of a wrapper has a record.
const FILLED: f64 = 0.98;

/// Do pages have records at all, as they did?
fn empty(known: &Profile, now: &Profile) -> Option<Answer> {
    let filled = |counts: &BTreeMap<u64, u64>| -> u64 { counts.range(1..).map(|(_, pages)| *pages).sum() };
    let share = |profile: &Profile| {
        let pages: u64 = profile.counts.values().sum();
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

//! Checks whether a run gives what it should.
//!
//! *Idea.* Each field is asked a few questions whose usual answers are known. Is it present as often as before, and as
//! many times on a page? Is it written as before, after the same words and not after another field's? Is it as long, a
//! link as before, a number of that size, different from one value to the next? For each question there is a chance
//! that a healthy wrapper gives such an answer ([`questions`]). The chance takes into account that examples are few and
//! pages resemble each other ([`chance`]).
//!
//! *One verdict from many answers.* With many questions, one odd answer is expected even from a healthy wrapper
//! (multiple testing). Half of the doubt is reserved for the first question, whether fields are present, because that
//! is how most changes show; all other questions share the rest. That several fields disappear at once is less likely
//! than that each of them does, but not as unlikely as if they were independent ([`chance::at_once`]). Other answers
//! are combined by the method of Simes, which stays valid when they depend on each other as the fields of one page do.
//! The result is the chance that a healthy wrapper gives something as odd as this. Below [`DOUBT`] there is an alarm.
//!
//! *Answers that decide by themselves.* A few answers are almost never given by healthy wrappers, so they are not made
//! weaker because other questions were asked, too:
//!
//! - A field that was on n of n pages is missing on the next one with a chance of 1/(n + 2), by Laplace's rule of
//!   succession. With [`DOUBT`] as the limit this is an alarm from 19 pages on, for one page and one field. How often that
//!   is wrong was measured, because fields that were on 19 pages are usually on all ([`questions::gone`]).
//! - A list that is gone: where ten values or more are expected and there is none.
//! - Two fields whose values follow each other's label, or have each other's values, sizes or ways of writing ([`questions::swapped`], [`traded`], [`reshaped`]).
//! - A value is the label of a field: a row of headings was taken for a record ([`questions::headings`]).
//! - A quarter of a list or more looks like its records and is not read, and hardly anything did before: some records have a
//!   new template ([`questions::unread`]).
//! - Something that a template does to all values of a list at once, such as a new sign before each ([`lists`]).
//! - Values are not of the kind that all were of, such as a phone number ([`kinds`]).
//! - Known records no longer have the values that they had ([`known`]).
//! - A quarter of the pages or more have no record any more, and nearly all had. If no page has a record, there is an
//!   alarm whatever was known.
//!
//! *Fields that are not shown* raise no alarm: somebody has left them out, or inference has, because they are such things as the numbers
//! of pages or an advert. They still help to tell what has become of the others, whose values they may have.
//!
//! *Input, output.* Two profiles; for each field and for all together, a chance and reasons in words. *Cost*: that of
//! the profiles.
//!
//! *Limits.* After learning from a few pages, a single page says little: that a title is now much longer, or not a link,
//! or that one field is missing, happens on healthy sites as well. Values that look right but are wrong, like the price of
//! another article, leave no trace in a profile. A rule that was wrong from the start stays wrong unnoticed, but one that
//! never found anything is told.

mod chance;
mod kinds;
mod known;
mod lists;
mod questions;
mod reshaped;
#[cfg(test)]
mod tests;
mod traded;

use crate::compare::{name_of, shows};
pub(crate) use chance::at_least;
use chance::{Share, as_small, at_once, on_pages, together, units};
pub(crate) use known::contradicted;
use learn::guided::{Wanted, wanted};
pub(crate) use lists::{lonely, was_one_list, written_so};
pub(crate) use questions::roughly;
use questions::{Answer, Sides, filled, total};
use record::Table;
pub(crate) use traded::are_of_each_others_size;
use wrapper::Wrapper;
use wrapper::profile::Profile;

/// The state of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Its name.
    pub name: String,
    /// The chance that a healthy wrapper gives these values, from 0 to 1.
    pub chance: f64,
    /// What is wrong, in words, worst first; empty if all is well.
    pub reasons: Vec<String>,
    /// Does the wrapper show it? A field that is not shown raises no alarm.
    pub is_shown: bool,
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// The site has changed.
    Changed,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    /// The verdict for the whole run.
    pub verdict: Verdict,
    /// The chance that a healthy wrapper gives these values, for all fields together.
    pub chance: f64,
    /// The result for each field.
    pub fields: Vec<Health>,
    /// Reasons that concern records as a whole.
    pub reasons: Vec<String>,
}

/// A run with a chance below this is called changed.
pub const DOUBT: f64 = 0.05;
/// An answer with a chance below this is reported: when all is well, and when it is not.
const ODD: (f64, f64) = (DOUBT, 0.2);

/// Compares the profile of a run with what is known.
pub fn check(wanted: &[Wanted], known: &Profile, now: &Profile) -> Alarm {
    check_table(&Asked::all(wanted), known, now)
}

/// What a check asks about.
pub(crate) struct Asked {
    wanted: Vec<Wanted>,
    /// Which of these fields the wrapper shows. The others only help to tell what has become of these.
    shown: Vec<bool>,
    /// Are the records parts of others? Then a page may have none of them.
    is_inner: bool,
    /// Does the wrapper show something of these records, or of those in them?
    is_needed: bool,
}

impl Asked {
    /// All of these fields, of the outermost records.
    pub(crate) fn all(wanted: &[Wanted]) -> Asked {
        Asked {
            wanted: wanted.to_vec(),
            shown: vec![true; wanted.len()],
            is_inner: false,
            is_needed: true,
        }
    }

    /// What a wrapper shows of a table.
    pub(crate) fn of(wrapper: &Wrapper, table: &Table) -> Asked {
        let names = (0..table.columns.len()).map(|column| name_of(table, column));
        let path = format!("{}.", table.path.join("."));
        let mut paths = wrapper.shown.iter().flatten();
        Asked {
            wanted: wanted(table),
            shown: names.map(|name| shows(wrapper, &name)).collect(),
            is_inner: !table.path.is_empty(),
            is_needed: table.path.is_empty()
                || shows(wrapper, &table.path.join("."))
                || paths.any(|shown| shown.starts_with(&path)),
        }
    }

    fn shows(&self, field: usize) -> bool {
        self.shown.get(field).copied().unwrap_or(true)
    }

    /// The state of all fields when these cannot be asked.
    fn silent(&self, chance: f64, words: &str) -> Alarm {
        let health = |(field, want): (usize, &Wanted)| Health {
            name: want.name.clone(),
            chance,
            reasons: Vec::new(),
            is_shown: self.shows(field),
        };
        let chance = if self.is_needed { chance } else { 1.0 };
        Alarm {
            verdict: verdict(chance),
            chance,
            fields: self.wanted.iter().enumerate().map(health).collect(),
            reasons: vec![words.to_owned()],
        }
    }
}

/// The same for a table of a wrapper.
pub(crate) fn check_table(asked: &Asked, known: &Profile, now: &Profile) -> Alarm {
    if known.records == 0 {
        return asked.silent(1.0, NEVER);
    }
    if now.pages == 0 {
        return asked.silent(0.0, "there are no pages");
    }
    if now.records == 0 {
        let words = match now.pages {
            1 => "the page has no record any more".to_owned(),
            pages => format!("none of {pages} pages has a record any more"),
        };
        let (had, pages) = (filled(known), total(known.counts.values()));
        // Lists that were empty on some pages may be on others.
        let chance = match had < pages && (asked.is_inner || known.per_page.1 > 1) {
            true => on_pages(had, pages, 0, now.pages),
            false => 0.0,
        };
        return asked.silent(chance, &words);
    }
    let names: Vec<&str> = asked.wanted.iter().map(|want| want.name.as_str()).collect();
    let count = names.len().min(known.fields.len()).min(now.fields.len());
    let sides = (0..count).map(|field| Sides { known, now, field });
    let answers: Vec<Answers> = sides.map(|sides| ask(&names, sides)).collect();
    let empty = empty(known, now);
    let empties = now.pages.saturating_sub(filled(now));
    let shown: Vec<&Answers> = answers
        .iter()
        .enumerate()
        .filter(|(field, _)| asked.shows(*field))
        .map(|(_, answers)| answers)
        .collect();
    let mut decisive: Vec<f64> = shown
        .iter()
        .flat_map(|all| &all.decisive)
        .map(|one| one.chance)
        .collect();
    if empties.saturating_mul(MANY) >= now.pages {
        decisive.extend(empty.iter().map(|answer| answer.chance));
    }
    let unread = [
        questions::unread(known, now),
        lists::scattered(known, now),
        lists::outnumbered(known, now),
        lists::skipped(known, now),
        lists::beside(known, now),
        lists::divided(known, now),
        known::forgotten(known, now, &names),
    ];
    // Records of which nothing is shown may be anything, such as the links to other pages.
    let mut unread: Vec<Answer> = unread.into_iter().flatten().collect();
    unread.retain(|_| !shown.is_empty());
    decisive.extend(unread.iter().map(|answer| answer.chance));
    let whole: Vec<Answer> = [empty, records(known, now)].into_iter().flatten().collect();
    let gone = shown.iter().flat_map(|all| &all.missing).map(|answer| answer.chance);
    let odd_fields = shown.iter().map(|all| worst(&all.others));
    let odd_pages = whole.iter().map(|answer| answer.chance);
    let chance = at_once(gone.collect()).min(together(odd_fields.chain(odd_pages).collect()));
    let chance = decisive.into_iter().fold((2.0 * chance).min(1.0), f64::min);
    let chance = if asked.is_needed { chance } else { 1.0 };
    let verdict = verdict(chance);
    let odd = match verdict {
        Verdict::Fine => ODD.0,
        Verdict::Changed => ODD.1,
    };
    let mut fields: Vec<Health> = names
        .iter()
        .zip(answers)
        .enumerate()
        .map(|(field, (name, answers))| Health {
            is_shown: asked.shows(field),
            ..health(name, answers, odd)
        })
        .collect();
    for (field, health) in fields.iter_mut().enumerate().take(count) {
        let (was, is) = (&known.fields[field], &now.fields[field]);
        if was.count == 0 && is.count == 0 {
            health.reasons.push(never(known.records));
        }
        // What every record had and none has is told, however little it proves.
        if was.records >= known.records && is.count == 0 && health.reasons.is_empty() {
            let sides = Sides { known, now, field };
            health.reasons.push(questions::missing_words(sides));
        }
    }
    Alarm {
        verdict,
        chance,
        fields,
        reasons: worded(
            whole
                .into_iter()
                .chain(unread)
                .map(|answer| (answer.chance, answer.words))
                .collect(),
            odd,
        ),
    }
}

/// If at least one of this number of pages has no record, it is no accident of a few pages.
const MANY: u64 = 4;

/// What is said of a table that never had a record.
const NEVER: &str = "it never found a record, so there is nothing to compare with";

/// What is said of a field that never had a value.
fn never(records: u64) -> String {
    format!("{NEVER_FOUND} none of {records} known records has it")
}

const NEVER_FOUND: &str = "it was never found:";

/// Is this what is said of a field that never had a value?
pub(crate) fn is_never(reason: &str) -> bool {
    reason.starts_with(NEVER_FOUND)
}

fn verdict(chance: f64) -> Verdict {
    match chance < DOUBT {
        true => Verdict::Changed,
        false => Verdict::Fine,
    }
}

/// The answers that are worth reporting, worst first.
fn worded(mut answers: Vec<(f64, String)>, odd: f64) -> Vec<String> {
    answers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let answers = answers.into_iter().filter(|(chance, _)| *chance < odd);
    answers.map(|(_, words)| words).collect()
}

/// The answers about a field.
struct Answers {
    /// Is it present?
    missing: Option<Answer>,
    /// All other questions.
    others: Vec<Answer>,
    /// Those that decide by themselves.
    decisive: Vec<Answer>,
}

fn ask(names: &[&str], sides: Sides<'_>) -> Answers {
    let (mutual, alone) = match questions::swapped(sides, names) {
        Some(swap) if swap.is_mutual => (Some(swap.answer), None),
        swap => (None, swap.map(|swap| swap.answer)),
    };
    let others = [
        questions::counts(sides),
        questions::pattern(sides),
        questions::label(sides),
        alone,
        questions::lengths(sides),
        questions::links(sides),
        questions::numbers(sides),
        questions::variety(sides),
    ];
    let decisive = [
        questions::gone(sides),
        mutual,
        traded::traded(sides, names),
        traded::exchanged(sides, names),
        traded::sized(sides, names),
        reshaped::reshaped(sides, names),
        questions::headings(sides),
        kinds::other_kind(sides),
        kinds::of_no_kind(sides),
        kinds::mixed_kinds(sides),
        known::contradiction(sides),
        lists::signs(sides),
        lists::numbered(sides),
        lists::swollen(sides),
        lists::unlabelled(sides),
        lists::labelled(sides),
        lists::unsaid(sides),
        lists::doubled(sides, names),
        lists::unpaired(sides),
        lists::paired(sides),
        lists::misplaced(sides, names),
        lists::thinned(sides),
    ];
    Answers {
        missing: questions::missing(sides),
        others: others.into_iter().flatten().collect(),
        decisive: decisive.into_iter().flatten().collect(),
    }
}

/// The chance that the oddest of some answers is as odd as it is.
fn worst(answers: &[Answer]) -> f64 {
    let least = answers.iter().map(|answer| answer.chance).fold(1.0, f64::min);
    (least * answers.len().max(1) as f64).min(1.0)
}

fn health(name: &str, answers: Answers, odd: f64) -> Health {
    let each = 2.0 * answers.others.len() as f64;
    let times = |factor: f64| move |answer: Answer| (answer.chance * factor, answer.words);
    let missing = answers.missing.into_iter().map(times(2.0));
    let others = answers.others.into_iter().map(times(each));
    let decisive = answers.decisive.into_iter().map(times(1.0));
    let answers: Vec<(f64, String)> = decisive.chain(missing).chain(others).collect();
    let mut reasons = worded(answers.clone(), odd);
    // Two questions may have the same answer.
    let mut said = std::collections::HashSet::new();
    reasons.retain(|words| said.insert(words.clone()));
    Health {
        name: name.to_owned(),
        chance: answers.iter().map(|(chance, _)| *chance).fold(1.0, f64::min),
        reasons,
        is_shown: true,
    }
}

/// Nearly every page of a wrapper has a record.
const FILLED: f64 = 0.98;

/// Do pages still have records at all?
fn empty(known: &Profile, now: &Profile) -> Option<Answer> {
    let share = |profile: &Profile| {
        let pages = total(profile.counts.values());
        Share::new(filled(profile), pages, units(pages as f64, pages as f64))
    };
    let chance = as_small(share(known), share(now), FILLED);
    let empty = now.pages.saturating_sub(filled(now));
    Some(Answer {
        chance,
        words: format!("{empty} of {} pages have no record", now.pages),
    })
}

/// Do pages have as many records as before?
fn records(known: &Profile, now: &Profile) -> Option<Answer> {
    if known.per_page.1 <= 1 {
        // One record on each page, as expected.
        return None;
    }
    let (chance, before, after) = questions::pages(&known.counts, &now.counts)?;
    Some(Answer {
        chance,
        words: format!("a page has {after:.0} records, it had {before:.0}"),
    })
}

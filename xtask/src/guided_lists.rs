//! `cargo xtask guided --part lists`: learns paths from the first pages of sets with known tuples, and scores them on
//! the others. A value counts if it is in the right tuple. With `--limit`, only the first tuples of each page are given, as by
//! somebody who does not write down whole lists. With `--also`, the pages that are scored are given without their
//! tuples, as by somebody who has all pages of a site. With `--change`, rules from one page are scored on pages with known
//! changes (`records::changed`, `rule_changes`), beside the same pages as they are.

use crate::Options;
use crate::changes::{Score, add, bare};
use crate::records::changed;
use crate::records::data::{self, Set};
use crate::rule_changes;
use learn::guided::{Lesson, Trials, Wanted, Weights, learn_weighed};
use page::Page;
use std::path::PathBuf;
use std::process::ExitCode;
use wrapper::rule::paths::PathsRun;

const KS: [usize; 3] = [1, 2, 3];

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/records"));
    let sets = data::load_part(&data, options.text("split"))?;
    let most = match options.text("limit") {
        Some(most) => most.parse()?,
        None => usize::MAX,
    };
    let weights = crate::weights::given(options)?;
    if let Some(names) = options.text("change") {
        return changes(&sets, names, options, &weights);
    }
    let mut sums = [(0.0, 0.0, 0); KS.len()];
    for set in sets.iter().filter(|set| set.pages.len() > 1) {
        if !is_wanted(set, options) {
            continue;
        }
        let pages = parsed(set)?;
        let listed = Listed { set, pages: &pages };
        let mut line = format!("{:<44}", set.name);
        for (number, k) in KS.into_iter().enumerate().filter(|(_, k)| *k < set.pages.len()) {
            let (score, words) = listed.scored((k, most), options.text("also").is_some(), &weights);
            line += &format!("  k={k} {:.3}/{:.3}", score.recall(), score.precision());
            if options.text("show").is_some() {
                line += &format!("\n{words}");
            }
            sums[number] = (
                sums[number].0 + score.recall(),
                sums[number].1 + score.precision(),
                sums[number].2 + 1,
            );
        }
        println!("{line}");
    }
    for (k, (recall, precision, count)) in KS.into_iter().zip(sums) {
        println!(
            "k={k}: recall {:.3}, precision {:.3} over {count} sets",
            recall / f64::from(count.max(1)),
            precision / f64::from(count.max(1))
        );
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn is_wanted(set: &Set, options: &Options) -> bool {
    let named = |only: &str| only.split(',').any(|name| set.name.contains(name));
    let half = options.text("split");
    options.text("sites").is_none_or(named) && half.is_none_or(|half| set.is_of(half, &set.name))
}

/// Scores rules from one page on sets with known changes, beside those from the same sets as they are.
fn changes(sets: &[Set], names: &str, options: &Options, weights: &Weights) -> anyhow::Result<ExitCode> {
    println!("| change | sets | as they are | changed | worse |\n|---|--:|--:|--:|--:|");
    let seed = options.number("seed", 1)?;
    for name in all_changes().filter(|name| names == "all" || names.split(',').any(|wanted| wanted == *name)) {
        let (mut before, mut after, mut count, mut worse) = ((0.0, 0.0), (0.0, 0.0), 0, 0);
        for set in sets.iter().filter(|set| set.pages.len() > 1 && is_wanted(set, options)) {
            let Some((plain, new)) = change(set, name, seed)? else {
                continue;
            };
            let scored = |set: &Set| -> anyhow::Result<(Score, String)> {
                let pages = parsed(set)?;
                Ok(Listed { set, pages: &pages }.scored((1, usize::MAX), false, weights))
            };
            let ((old, _), (new, words)) = (scored(&plain)?, scored(&new)?);
            count += 1;
            before = (before.0 + old.recall(), before.1 + old.precision());
            after = (after.0 + new.recall(), after.1 + new.precision());
            let is_worse = new.recall() < old.recall() - SAME || new.precision() < old.precision() - SAME;
            worse += usize::from(is_worse);
            if is_worse && options.text("show").is_some() {
                let [old, new] = [&old, &new].map(|score| format!("{:.3}/{:.3}", score.recall(), score.precision()));
                println!("    {} {name}: {old} → {new}\n{words}", set.name);
            }
        }
        let mean = |(recall, precision): (f64, f64)| {
            let all = f64::from(count.max(1));
            format!("{:.3}/{:.3}", recall / all, precision / all)
        };
        println!("| {name} | {count} | {} | {} | {worse} |", mean(before), mean(after));
    }
    Ok(ExitCode::SUCCESS)
}

/// Scores that differ by less are the same.
const SAME: f64 = 0.01;

/// The names of all changes: those of values, and those of lists.
fn all_changes() -> impl Iterator<Item = &'static str> {
    changed::CHANGES
        .into_iter()
        .chain(rule_changes::CHANGES.iter().map(|(name, ..)| *name))
}

/// A set as it is and with a change, if it has room for it.
pub(crate) fn change(set: &Set, name: &str, seed: u64) -> anyhow::Result<Option<(Set, Set)>> {
    if changed::CHANGES.contains(&name) {
        return Ok(changed::changed(set, name, seed).map(|new| (set.clone(), new)));
    }
    rule_changes::changed(set, name, seed)
}

/// For each record the values of each field.
pub(crate) type Tuples = Vec<Vec<Vec<String>>>;

pub(crate) fn parsed(set: &Set) -> anyhow::Result<Vec<(Page, Tuples)>> {
    let settings = page::ParseSettings {
        charset: Some("utf-8".to_owned()),
        ..Default::default()
    };
    let each = set.pages.iter().map(|sample| {
        let value = |value: &Option<String>| -> Vec<String> {
            let text = value.as_deref().map(|text| page::source_text(text).into_owned());
            text.into_iter().filter(|text| !text.trim().is_empty()).collect()
        };
        let tuples = sample.tuples.iter().map(|tuple| tuple.iter().map(value).collect());
        Ok((Page::parse(sample.text.as_bytes(), &settings)?, tuples.collect()))
    });
    each.collect()
}

/// A page set with its parsed pages.
pub(crate) struct Listed<'l> {
    pub(crate) set: &'l Set,
    pub(crate) pages: &'l [(Page, Tuples)],
}

impl Listed<'_> {
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        let names = self.set.attributes.iter();
        names
            .map(|name| Wanted {
                name: name.clone(),
                many: false,
            })
            .collect()
    }

    fn lesson(&self, at: usize, most: usize) -> Lesson<'_> {
        let first: Vec<usize> = (0..self.pages[at].1.len().min(most)).collect();
        self.lesson_of(at, &first)
    }

    /// A page with some of its tuples.
    pub(crate) fn lesson_of(&self, at: usize, numbers: &[usize]) -> Lesson<'_> {
        let (page, tuples) = &self.pages[at];
        Lesson {
            name: &self.set.pages[at].name,
            page,
            records: numbers.iter().map(|number| tuples[*number].clone()).collect(),
        }
    }

    /// The paths to each field and to the records from one page, and how right they are on the others.
    pub(crate) fn trials(&self, from: usize, tried: usize, weights: &Weights) -> Trials {
        let others = (0..self.pages.len()).filter(|at| *at != from).take(tried);
        let others: Vec<Lesson<'_>> = others.map(|at| self.lesson(at, usize::MAX)).collect();
        learn::guided::trials(&self.wanted(), &self.lesson(from, usize::MAX), &others, true, weights)
    }

    /// Learns from the first pages, and at most so many tuples of each, and scores on the others.
    pub(crate) fn scored(&self, (k, most): (usize, usize), also: bool, weights: &Weights) -> (Score, String) {
        self.scored_from(0, (k, most), also, weights)
    }

    /// The same, with the pages that are learned from beginning with another one.
    pub(crate) fn scored_from(
        &self,
        first: usize,
        (k, most): (usize, usize),
        also: bool,
        weights: &Weights,
    ) -> (Score, String) {
        let lessons: Vec<Lesson<'_>> = (first..first + k).map(|at| self.lesson(at, most)).collect();
        let rest = (0..self.pages.len()).filter(|at| !(first..first + k).contains(at));
        self.scored_with(&lessons, &rest.collect::<Vec<_>>(), also, weights)
    }

    /// Learns from lessons, and scores on some pages; `also` if these are given without their tuples.
    pub(crate) fn scored_with(
        &self,
        lessons: &[Lesson<'_>],
        rest: &[usize],
        also: bool,
        weights: &Weights,
    ) -> (Score, String) {
        let mut score = Score::default();
        let others = rest.iter().filter(|_| also).map(|at| &self.pages[*at].0);
        let others: Vec<&Page> = others.collect();
        let taught = learn_weighed(&self.wanted(), lessons, (&others, weights), true, &page::Job::new());
        let words = match &taught {
            Ok(taught) => format!("    {:?} right {:.2?}", taught.rule, taught.right),
            Err(trouble) => format!("    {trouble}"),
        };
        let run = taught.ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
        for (page, tuples) in rest.iter().map(|at| &self.pages[*at]) {
            let records = run.as_ref().map(|run| run.page(page)).unwrap_or_default();
            let found: Vec<Vec<(usize, String)>> = records
                .into_iter()
                .map(|record| {
                    record
                        .values
                        .into_iter()
                        .map(|value| (value.field, bare(&value.text)))
                        .collect()
                })
                .collect();
            add(&mut score, &found, tuples);
        }
        (score, words)
    }
}

//! `cargo xtask guided --part lists`: learns paths from the first pages of sets with known tuples, and scores them on
//! the others. A value counts if it is in the right tuple. With `--limit`, only the first tuples of each page are given, as by
//! somebody who does not write down whole lists. With `--also`, the pages that are scored are given without their
//! tuples, as by somebody who has all pages of a site.

use crate::Options;
use crate::changes::{Score, add, bare};
use crate::records::data::{self, Set};
use learn::guided::{Lesson, Trials, Wanted, Weights, learn_weighed};
use page::Page;
use std::path::PathBuf;
use std::process::ExitCode;
use wrapper::rule::paths::PathsRun;

const KS: [usize; 3] = [1, 2, 3];

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/records"));
    let sets = data::load(&data)?;
    let most = match options.text("limit") {
        Some(most) => most.parse()?,
        None => usize::MAX,
    };
    let weights = crate::weights::given(options)?;
    let mut sums = [(0.0, 0.0, 0); KS.len()];
    for set in sets.iter().filter(|set| set.pages.len() > 1) {
        if options
            .text("sites")
            .is_some_and(|only| !only.split(',').any(|name| set.name.contains(name)))
        {
            continue;
        }
        if options
            .text("split")
            .is_some_and(|half| xtask::sites::split(&set.name) != half)
        {
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
    fn wanted(&self) -> Vec<Wanted> {
        let names = self.set.attributes.iter();
        names
            .map(|name| Wanted {
                name: name.clone(),
                many: false,
            })
            .collect()
    }

    fn lesson(&self, at: usize, most: usize) -> Lesson<'_> {
        let (page, tuples) = &self.pages[at];
        Lesson {
            name: &self.set.pages[at].name,
            page,
            records: tuples.iter().take(most).cloned().collect(),
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
        let mut score = Score::default();
        let rest = || self.pages[..first].iter().chain(&self.pages[first + k..]);
        let others = rest().filter(|_| also).map(|(page, _)| page);
        let others: Vec<&Page> = others.collect();
        let taught = learn_weighed(&self.wanted(), &lessons, (&others, weights), true, &page::Job::new());
        let words = match &taught {
            Ok(taught) => format!("    {:?} right {:.2?}", taught.rule, taught.right),
            Err(trouble) => format!("    {trouble}"),
        };
        let run = taught.ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
        for (page, tuples) in rest() {
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

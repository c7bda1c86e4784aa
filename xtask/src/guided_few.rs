//! `cargo xtask guided --part few`: rules from one, two or three records of a list, as by somebody who does not write down whole
//! lists.
//!
//! Records are drawn from the first page of a set that has at least [`LEAST`]: the first ones, those around the middle, and seeded
//! draws. Two records have the one record among them, three have both, so that each row of the table says what one more example
//! gives. The rule is scored on the other pages of the set. A further record should never cost anything: *worse* counts the sets
//! in which the recall or the precision is lower by more than [`SAME`] than with one record fewer.
//!
//! With `--change`, the pages have a known change, as for `--part lists`.
//!
//! One record of a page may also be all that the page is about. So one record of each set, and pages of SWDE, which are one record each, are
//! learned from as if they were of a list: with all fields, and with each two of them. *Taken for lists* are those for which the rule
//! finds at least three records on the page of the example, as `learn` decides it.

use crate::Options;
use crate::changes::Score;
use crate::guided::Site;
use crate::guided_lists::{Listed, change, is_wanted, parsed};
use crate::records::data;
use learn::guided::{Lesson, Wanted, learn_guided};
use std::path::PathBuf;
use std::process::ExitCode;
use wrapper::rule::paths::PathsRun;
use xtask::random::Random;
use xtask::sites;

/// The numbers of records that are given.
const GIVEN: [usize; 3] = [1, 2, 3];
/// The fewest records of a page that they are drawn from: with fewer, three of them would be most of the list.
const LEAST: usize = 6;
/// Scores that differ by less are the same.
const SAME: f64 = 0.01;
/// The number of seeded draws.
const DRAWS: u64 = 3;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/records"));
    let mut sets = data::load_part(&data, options.text("split"))?;
    let weights = crate::weights::given(options)?;
    let seed = options.number("seed", 1)?;
    if let Some(name) = options.text("change") {
        let sets_before = std::mem::take(&mut sets);
        for set in sets_before.iter().filter(|set| is_wanted(set, options)) {
            sets.extend(change(set, name, seed)?.map(|(_, new)| new));
        }
    }
    let mut draws = vec!["first".to_owned(), "middle".to_owned()];
    draws.extend((0..DRAWS).map(|number| format!("draw {}", seed + number)));
    let mut sums: Vec<[Sum; GIVEN.len()]> = draws.iter().map(|_| Default::default()).collect();
    for set in sets.iter().filter(|set| set.pages.len() > 1 && is_wanted(set, options)) {
        let pages = parsed(set)?;
        let listed = Listed { set, pages: &pages };
        let Some(page) = pages.iter().position(|(_, tuples)| tuples.len() >= LEAST) else {
            continue;
        };
        let count = pages[page].1.len();
        let rest: Vec<usize> = (0..pages.len()).filter(|at| *at != page).collect();
        println!("{} ({count} records)", set.name);
        for (number, draw) in draws.iter().enumerate() {
            let order = match number {
                0 => (0..GIVEN.len()).collect(),
                1 => vec![count / 2, count / 2 + 1, count / 2 - 1],
                _ => drawn(count, seed + number as u64 - 2),
            };
            let mut line = format!("    {draw:<8}");
            let mut before: Option<Score> = None;
            for (at, given) in GIVEN.into_iter().enumerate() {
                let mut numbers = order[..given].to_vec();
                numbers.sort_unstable();
                let lesson = listed.lesson_of(page, &numbers);
                let (score, words) = listed.scored_with(&[lesson], &rest, options.text("also").is_some(), &weights);
                line += &format!("  {given}: {:.3}/{:.3}", score.recall(), score.precision());
                if options.text("show").is_some() {
                    line += &format!(" {numbers:?}\n{words}\n");
                }
                sums[number][at].add(&score, before.as_ref());
                before = Some(score);
            }
            println!("{line}");
        }
    }
    println!("| records given | 1 | 2 | worse | 3 | worse |\n|---|--:|--:|--:|--:|--:|");
    let mut all: [Sum; GIVEN.len()] = Default::default();
    for (draw, sums) in draws.iter().zip(&sums) {
        row(draw, sums);
        all.iter_mut().zip(sums).for_each(|(all, sum)| all.join(sum));
    }
    row("all", &all);
    println!("| taken for lists, one record of | all fields | two fields |\n|---|--:|--:|");
    let mut lists = Taken::default();
    for set in sets.iter().filter(|set| is_wanted(set, options)) {
        let pages = parsed(set)?;
        let listed = Listed { set, pages: &pages };
        for (page, (_, tuples)) in pages.iter().enumerate().take(TRIED) {
            if tuples.len() >= LEAST {
                let lesson = listed.lesson_of(page, &drawn(tuples.len(), seed)[..1]);
                lists.add(&listed.wanted(), &lesson, options.text("show").map(|_| false));
            }
        }
    }
    lists.print("a list");
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let mut ones = Taken::default();
    for name in sites::names(&packs)? {
        if options.text("split").is_some_and(|half| sites::split(&name) != half) {
            continue;
        }
        if let Some(site) = Site::load(&packs, &name, seed)? {
            for at in 0..TRIED {
                let (wanted, lesson) = site.first_lesson(at);
                ones.add(&wanted, &lesson, options.text("show").map(|_| true));
            }
        }
    }
    ones.print("a page that is one record");
    Ok(ExitCode::SUCCESS)
}

/// How many pages of each set and site are looked at.
const TRIED: usize = 5;
/// A list has at least so many records.
const LIST: usize = 3;

/// How many examples are taken for lists, of all: with all fields, and with two of them.
#[derive(Default)]
struct Taken {
    whole: (usize, usize),
    pairs: (usize, usize),
}

impl Taken {
    /// Tries an example; those that are taken for lists are shown, or those that are not.
    fn add(&mut self, wanted: &[Wanted], lesson: &Lesson<'_>, show: Option<bool>) {
        let is_list = |fields: &[usize]| {
            let wanted: Vec<Wanted> = fields.iter().map(|field| wanted[*field].clone()).collect();
            let record: Vec<Vec<String>> = fields.iter().map(|field| lesson.records[0][*field].clone()).collect();
            let given = record.iter().filter(|values| !values.is_empty()).count();
            if given < fields.len().min(2) {
                return None;
            }
            let lesson = Lesson {
                records: vec![record],
                ..lesson.clone()
            };
            let taught = learn_guided(&wanted, std::slice::from_ref(&lesson), true, &page::Job::new());
            let is_list = taught.is_ok_and(|taught| {
                let is_right = taught.right.iter().all(|right| *right > 0.995);
                let run = PathsRun::new(&taught.rule).ok();
                let count = run.map_or(0, |run| run.page(lesson.page).len());
                if show == Some(count >= LIST && is_right) {
                    println!(
                        "    {} {:?} {count} records: {:?}",
                        lesson.name, lesson.records, taught.rule
                    );
                }
                count >= LIST && is_right
            });
            Some(usize::from(is_list))
        };
        let add = |to: &mut (usize, usize), is_list: Option<usize>| {
            to.0 += is_list.unwrap_or(0);
            to.1 += usize::from(is_list.is_some());
        };
        let all: Vec<usize> = (0..wanted.len()).collect();
        add(&mut self.whole, is_list(&all));
        for first in 0..all.len() {
            for second in first + 1..all.len() {
                add(&mut self.pairs, is_list(&[first, second]));
            }
        }
    }

    fn print(&self, what: &str) {
        let of = |(taken, all): (usize, usize)| format!("{taken} of {all}");
        println!("| {what} | {} | {} |", of(self.whole), of(self.pairs));
    }
}

/// Three different numbers below `count`.
fn drawn(count: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut numbers = Vec::new();
    while numbers.len() < GIVEN.len() {
        let number = random.below(count);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// What rules from so many records are worth.
#[derive(Default)]
struct Sum {
    recall: f64,
    precision: f64,
    count: usize,
    worse: usize,
}

impl Sum {
    fn add(&mut self, score: &Score, before: Option<&Score>) {
        self.recall += score.recall();
        self.precision += score.precision();
        self.count += 1;
        let is_worse =
            |before: &Score| score.recall() < before.recall() - SAME || score.precision() < before.precision() - SAME;
        self.worse += usize::from(before.is_some_and(is_worse));
    }

    fn join(&mut self, other: &Sum) {
        self.recall += other.recall;
        self.precision += other.precision;
        self.count += other.count;
        self.worse += other.worse;
    }
}

fn row(name: &str, sums: &[Sum; GIVEN.len()]) {
    let mut line = format!("| {name} |");
    for (at, sum) in sums.iter().enumerate() {
        let count = sum.count.max(1) as f64;
        line += &format!(" {:.3}/{:.3} |", sum.recall / count, sum.precision / count);
        if at > 0 {
            line += &format!(" {} of {} |", sum.worse, sum.count);
        }
    }
    println!("{line}");
}

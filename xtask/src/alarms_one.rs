//! `cargo xtask alarms --part one`: single pages on which one field is missing, after some good pages.
//!
//! For each SWDE site a rule is learned from ten labelled pages. Its results on some pages are what is known, as after
//! `check --accept`. Then other pages are checked one by one:
//!
//! - *as they are*: an alarm is false if all values of the page are right;
//! - *one field missing*: without the values of one field, for each field that the page has and that was on at least nine of
//!   ten known pages. An alarm should follow if the evidence is strong, that is, if there are many known pages.

use crate::Options;
use crate::changes::{Score, add, found};
use learn::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use std::path::PathBuf;
use std::process::ExitCode;
use tend::{Verdict, check, gather};
use wrapper::profile::{Profile, gather as gather_page};
use wrapper::rule::paths::PathsRun;
use xtask::sites::{self, files, shuffled, truth, values};

/// The number of labelled pages.
const LABELLED: usize = 10;
/// The numbers of known pages.
const KNOWN: [usize; 5] = [5, 10, 19, 33, 45];
/// A field that at least this share of the known pages have should be on every page.
const NEARLY: f64 = 0.9;

#[derive(Clone, Copy, Default)]
struct Count(u32, u32);

impl Count {
    fn add(&mut self, alarm: bool) {
        self.0 += u32::from(alarm);
        self.1 += 1;
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * f64::from(self.0) / f64::from(self.1.max(1));
        f.pad(&format!("{}/{} {share:.1}%", self.0, self.1))
    }
}

/// What was counted for a number of known pages.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Pages whose values are all right.
    right: Count,
    /// All pages.
    pages: Count,
    /// Pages without a field that nearly all had.
    missing: Count,
    /// Pages without a field that all had.
    always: Count,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let packs = PathBuf::from(options.text("data").unwrap_or("../shared/bench")).join("swde");
    let seed = options.number("seed", 1)?;
    let mut sums = [Counts::default(); KNOWN.len()];
    for site in sites::names(&packs)? {
        let is_asked = options
            .text("sites")
            .is_none_or(|wanted| wanted.split(',').any(|one| one == site))
            && options.text("split").is_none_or(|half| sites::split(&site) == half);
        if !is_asked {
            continue;
        }
        let (Some(files), Some(truth)) = (files(&packs, &site)?, truth(&packs, &site, false)?) else {
            continue;
        };
        let attributes: Vec<&String> = truth.keys().collect();
        let settings = page::ParseSettings {
            charset: Some("utf-8".to_owned()),
            ..Default::default()
        };
        let mut pages: Vec<(Page, Vec<Vec<String>>)> = Vec::new();
        for at in shuffled(files.len(), seed, &site) {
            let (name, bytes) = &files[at];
            let told = attributes.iter().map(|attribute| values(&truth, attribute, name));
            pages.push((Page::parse(bytes, &settings)?, told.collect()));
        }
        let wanted: Vec<Wanted> = attributes
            .iter()
            .enumerate()
            .map(|(field, name)| Wanted {
                name: (*name).clone(),
                many: pages[..LABELLED].iter().any(|(_, told)| told[field].len() > 1),
            })
            .collect();
        let lessons: Vec<Lesson<'_>> = pages[..LABELLED]
            .iter()
            .map(|(page, told)| Lesson {
                name: "",
                page,
                records: vec![told.clone()],
            })
            .collect();
        let Ok(taught) = learn_guided(&wanted, &lessons, false, &page::Job::new()) else {
            println!("{site:<34} no rule");
            continue;
        };
        let run = PathsRun::new(&taught.rule)?;
        let rows: Vec<Vec<Vec<Vec<String>>>> = pages
            .iter()
            .map(|(page, _)| crate::swaps::rows(&run.page(page), wanted.len()))
            .collect();
        let most = KNOWN[KNOWN.len() - 1];
        let mut line = format!("{site:<34}");
        for (number, count) in KNOWN.into_iter().enumerate() {
            let known: Vec<Lesson<'_>> = (0..count)
                .map(|at| Lesson {
                    name: "",
                    page: &pages[at].0,
                    records: rows[at].clone(),
                })
                .collect();
            let known = gather(&wanted, &known);
            let mut counts = Counts::default();
            for at in most..pages.len() {
                let (page, told) = &pages[at];
                let alarm = |rows: &[Vec<Vec<String>>]| {
                    let now: Profile = gather_page(wanted.len(), page, rows);
                    check(&wanted, &known, &now)
                };
                let mut score = Score::default();
                add(&mut score, &found(&run, page), std::slice::from_ref(told));
                let is_right = score.right == score.asked && score.right == score.given;
                let plain = alarm(&rows[at]);
                let rings = plain.verdict == Verdict::Changed;
                counts.pages.add(rings);
                if is_right {
                    counts.right.add(rings);
                    if rings && options.text("show").is_some() {
                        let odd = plain.fields.iter().filter(|field| field.chance < tend::DOUBT);
                        let odd: Vec<String> = odd
                            .map(|field| format!("{}: {:?}", field.name, field.reasons))
                            .collect();
                        println!("    {site} {count} known: {odd:?} {:?}", plain.reasons);
                    }
                }
                let [row] = &rows[at][..] else { continue };
                for field in (0..wanted.len()).filter(|field| !row[*field].is_empty()) {
                    let had = known.fields[field].records;
                    if (had as f64) < NEARLY * known.records as f64 {
                        continue;
                    }
                    let mut without = row.clone();
                    without[field].clear();
                    let rings = alarm(&[without]).verdict == Verdict::Changed;
                    counts.missing.add(rings);
                    if had == known.records {
                        counts.always.add(rings);
                    }
                }
            }
            line += &format!("  {:>9}", format!("{}", counts.right));
            let sum = &mut sums[number];
            for (sum, count) in [
                (&mut sum.right, counts.right),
                (&mut sum.pages, counts.pages),
                (&mut sum.missing, counts.missing),
                (&mut sum.always, counts.always),
            ] {
                *sum = Count(sum.0 + count.0, sum.1 + count.1);
            }
        }
        println!("{line}");
    }
    println!();
    println!(
        "{:<6} {:>20} {:>20} {:>24} {:>24}",
        "known", "alarm: all right", "alarm: all pages", "noticed: nearly all had", "noticed: all had"
    );
    for (known, counts) in KNOWN.into_iter().zip(sums) {
        println!(
            "{known:<6} {:>20} {:>20} {:>24} {:>24}",
            counts.right, counts.pages, counts.missing, counts.always
        );
    }
    Ok(ExitCode::SUCCESS)
}

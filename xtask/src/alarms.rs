//! `cargo xtask alarms`: does a check notice what changed, and stay silent about what did not?
//!
//! *Changes*: for each site with pages before and after a redesign, a rule is learned before and run after. Its values
//! there are compared with the known ones, which separates rules that still work from those that do not; only the
//! latter should cause an alarm. *Unchanged sites*: a rule is learned from the first k pages of a seeded order, and its
//! profile is gathered from the same pages. Then its values on other pages of the site are checked, page by page and
//! ten pages at a time. Every alarm there is false, unless the rule was wrong from the beginning. So the sites where it
//! finds at least 95 % of the values and is right in 95 % are counted separately, and among their batches those in
//! which every value is right.

use crate::Options;
use crate::changes::{Sample, Score, Side, add, lessons, score, side};
use learn::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{Alarm, DOUBT, Verdict, check, gather};
use wrapper::profile::Profile;
use wrapper::rule::paths::{Paths, PathsRun};
use xtask::sites::{self, files, normal, shuffled, truth};

/// The numbers of pages from which rules are learned; pages up to the largest number are not checked.
const LEARNED: [usize; 3] = [1, 3, 10];
/// The number of pages that are checked together.
const BATCH: usize = 10;
/// A rule with at least this recall and precision on other pages works.
const WORKS: f64 = 0.95;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let part = options.text("part").unwrap_or("all");
    anyhow::ensure!(
        ["all", "changes", "records", "swde"].contains(&part),
        "`--part {part}`: there are changes, records, swde and all"
    );
    let mut tally = Tally::default();
    if matches!(part, "all" | "changes") {
        changed(options, &mut tally)?;
    }
    if matches!(part, "all" | "records") {
        records(options, &mut tally)?;
    }
    if matches!(part, "all" | "swde") {
        swde(options, &mut tally)?;
    }
    tally.print();
    tally.print_limits();
    Ok(ExitCode::SUCCESS)
}

fn asked(options: &Options, name: &str) -> bool {
    let split = options.text("split");
    let named = options.text("sites");
    split.is_none_or(|split| sites::split(name) == split)
        && named.is_none_or(|wanted| wanted.split(',').any(|one| one == name))
}

/// Sites before and after a redesign.
fn changed(options: &Options, tally: &mut Tally) -> anyhow::Result<()> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench")).join("changes");
    println!(
        "{:<32} {:>6} {:>13}  {:<8} {:>7}  reason",
        "site", "pages", "after R/P", "verdict", "chance"
    );
    let (mut broken, mut noticed, mut working, mut quiet) = (0, 0, 0, 0);
    for folder in folders(&data)? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !asked(options, &name) {
            continue;
        }
        let (before, after) = (side(&folder.join("before"))?, side(&folder.join("after"))?);
        let taught = match learn_guided(&before.wanted, &lessons(&before), before.listed, &page::Job::new()) {
            Ok(taught) => taught,
            Err(trouble) => {
                println!("{name:<32} {trouble}");
                continue;
            }
        };
        let known = gather(&before.wanted, &lessons(&before));
        let now = profile(&taught.rule, &before.wanted, &after.pages.iter().collect::<Vec<_>>())?;
        let right = score(&taught.rule, &after);
        let alarm = check(&before.wanted, &known, &now);
        let works = right.recall() == 1.0 && right.precision() == 1.0;
        let rings = alarm.verdict == Verdict::Changed;
        match works {
            true => (working, quiet) = (working + 1, quiet + u32::from(!rings)),
            false => {
                (broken, noticed) = (broken + 1, noticed + u32::from(rings));
                tally.broken.push(alarm.chance);
            }
        }
        println!(
            "{name:<32} {:>2} →{:>2} {right}  {:<8} {:>7.4}  {}",
            before.pages.len(),
            after.pages.len(),
            if rings { "changed" } else { "fine" },
            alarm.chance,
            worst(&alarm)
        );
        if options.text("show").is_some() {
            detail(&alarm);
        }
    }
    println!(
        "changes: {noticed} of {broken} broken wrappers noticed ({:.1} %); no alarm for {quiet} of {working} that still work",
        100.0 * f64::from(noticed) / f64::from(broken.max(1)),
    );
    println!();
    Ok(())
}

fn worst(alarm: &Alarm) -> String {
    let field = alarm.fields.iter().min_by(|a, b| a.chance.total_cmp(&b.chance));
    let field = field.map(|field| {
        let reason = field.reasons.first().map_or("", String::as_str);
        format!("{} {:.1e}: {reason}", field.name, field.chance)
    });
    let words = alarm
        .reasons
        .iter()
        .cloned()
        .chain(field)
        .collect::<Vec<_>>()
        .join("; ");
    words.chars().take(150).collect()
}

fn detail(alarm: &Alarm) {
    for field in &alarm.fields {
        println!("      {:<14} {:.1e} {:?}", field.name, field.chance, field.reasons);
    }
}

fn folders(data: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(data)
        .map_err(|error| {
            anyhow::anyhow!(
                "cannot read {}: {error}; `--data` says where the bench data is",
                data.display()
            )
        })?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    folders.sort();
    folders.retain(|path| path.is_dir());
    Ok(folders)
}

/// The profile of what a rule gives on pages.
fn profile(rule: &Paths, wanted: &[Wanted], pages: &[&Sample]) -> anyhow::Result<Profile> {
    let run = PathsRun::new(rule)?;
    let lessons: Vec<Lesson<'_>> = pages
        .iter()
        .map(|sample| Lesson {
            name: &sample.name,
            page: &sample.page,
            records: run
                .page(&sample.page)
                .into_iter()
                .map(|record| {
                    let mut fields = vec![Vec::new(); wanted.len()];
                    for value in record.values {
                        fields[value.field].push(value.text);
                    }
                    fields
                })
                .collect(),
        })
        .collect();
    Ok(gather(wanted, &lessons))
}

/// Alarms among batches.
#[derive(Clone, Copy, Default)]
struct Count {
    batches: u32,
    alarms: u32,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.batches += other.batches;
        self.alarms += other.alarms;
    }

    fn rate(self) -> f64 {
        100.0 * f64::from(self.alarms) / f64::from(self.batches.max(1))
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.batches {
            0 => f.pad("-"),
            _ => f.pad(&format!("{}/{} {:.1}%", self.alarms, self.batches, self.rate())),
        }
    }
}

/// The counts by set, number of pages learned from and pages in a batch: batches whose values are all right on sites
/// where the rule works, all batches of such sites, and all batches.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(&'static str, usize, usize), [Count; 3]>,
    /// The number of sites where the rule works, and how many of them have an alarm.
    sites: BTreeMap<(&'static str, usize, usize), (u32, u32)>,
    /// The chances of broken wrappers, and those of batches by size where the rule works.
    broken: Vec<f64>,
    working: BTreeMap<usize, Vec<f64>>,
    /// Batches of sites where the rule works that raise an alarm because of single pages.
    mixed: Count,
}

/// Of ten pages this many raise an alarm by themselves with a chance below the limit of doubt, if one page does so with that
/// chance: the limit of a survey of pages one by one.
const ODD_PAGES: usize = 3;

impl Tally {
    /// Prints what other limits of doubt would give.
    fn print_limits(&self) {
        println!();
        println!(
            "alarm below {:>16} {:>16} {:>16}",
            "broken noticed", "one page", "ten pages"
        );
        for limit in [0.005, 0.01, 0.02, 0.05, 0.1, 0.2] {
            let count = |chances: &[f64]| Count {
                batches: chances.len() as u32,
                alarms: chances.iter().filter(|chance| **chance < limit).count() as u32,
            };
            let of = |batch: usize| self.working.get(&batch).map_or(Count::default(), |all| count(all));
            let mark = if limit == DOUBT { "*" } else { "" };
            println!(
                "{limit:<9}{mark:<2} {:>16} {:>16} {:>16}",
                count(&self.broken),
                of(1),
                of(BATCH)
            );
        }
    }

    fn print(&self) {
        if self.counts.is_empty() {
            return;
        }
        println!(
            "{:<8} {:>7} {:>6} {:>20} {:>20} {:>20} {:>18}",
            "set", "learned", "batch", "all right", "rule works", "all", "sites with alarm"
        );
        let mut sums: BTreeMap<usize, [Count; 3]> = BTreeMap::new();
        for (key, counts) in &self.counts {
            let (set, learned, batch) = key;
            let (works, rings) = self.sites.get(key).copied().unwrap_or_default();
            println!(
                "{set:<8} {learned:>7} {batch:>6} {:>20} {:>20} {:>20} {:>18}",
                counts[0],
                counts[1],
                counts[2],
                format!("{rings} of {works}")
            );
            let sum = sums.entry(*batch).or_default();
            (0..3).for_each(|at| sum[at].add(counts[at]));
        }
        for (batch, counts) in sums {
            println!(
                "{:<8} {:>7} {batch:>6} {:>20} {:>20} {:>20}",
                "all", "", counts[0], counts[1], counts[2]
            );
        }
        println!(
            "alarms of batches of ten because of single pages, where the rule works: {}",
            self.mixed
        );
    }
}

/// Learns from some pages of a site, checks the others, and counts the results.
fn unchanged(
    set: &'static str,
    name: &str,
    taught_from: &Side,
    others: &[Sample],
    tally: &mut Tally,
    options: &Options,
) -> anyhow::Result<()> {
    let learned = taught_from.pages.len();
    let Ok(taught) = learn_guided(
        &taught_from.wanted,
        &lessons(taught_from),
        taught_from.listed,
        &page::Job::new(),
    ) else {
        println!("{name:<34} {learned:>3}  no rule");
        return Ok(());
    };
    let known = gather(&taught_from.wanted, &lessons(taught_from));
    let run = PathsRun::new(&taught.rule)?;
    let scores: Vec<Score> = others
        .iter()
        .map(|sample| {
            let mut score = Score::default();
            add(&mut score, &crate::changes::found(&run, &sample.page), &sample.records);
            score
        })
        .collect();
    let sum = scores.iter().fold(Score::default(), |sum, one| Score {
        right: sum.right + one.right,
        given: sum.given + one.given,
        asked: sum.asked + one.asked,
    });
    let works = sum.recall() >= WORKS && sum.precision() >= WORKS;
    let mut line = format!("{name:<34} {learned:>3}  {sum}");
    let mut single: Vec<f64> = Vec::new();
    for batch in [1, BATCH] {
        let mut counts = [Count::default(); 3];
        for (samples, scores) in others.chunks(batch).zip(scores.chunks(batch)) {
            if batch > 1 && samples.len() < 2 {
                continue;
            }
            let now = profile(&taught.rule, &taught_from.wanted, &samples.iter().collect::<Vec<_>>())?;
            let alarm = check(&taught_from.wanted, &known, &now);
            let rings = u32::from(alarm.verdict == Verdict::Changed);
            if batch == 1 {
                single.push(alarm.chance);
            }
            let right = scores
                .iter()
                .all(|one| one.right == one.asked && one.right == one.given);
            if works {
                tally.working.entry(batch).or_default().push(alarm.chance);
            }
            for (count, counts_here) in counts.iter_mut().zip([works && right, works, true]) {
                count.batches += u32::from(counts_here);
                count.alarms += u32::from(counts_here) * rings;
            }
            if rings > 0 && options.text("show").is_some() {
                println!(
                    "    {name} k={learned} batch={batch} {} {}",
                    if right { "right" } else { "WRONG" },
                    worst(&alarm)
                );
            }
        }
        line += &format!("   {:>16} {:>16} {:>16}", counts[0], counts[1], counts[2]);
        let key = (set, learned, batch);
        let sums = tally.counts.entry(key).or_default();
        (0..3).for_each(|at| sums[at].add(counts[at]));
        let sites = tally.sites.entry(key).or_default();
        sites.0 += u32::from(works);
        sites.1 += u32::from(counts[1].alarms > 0);
    }
    for pages in single.chunks(BATCH).filter(|pages| works && pages.len() == BATCH) {
        let odd = pages.iter().filter(|chance| **chance < DOUBT).count();
        let least = pages.iter().copied().fold(1.0, f64::min);
        tally.mixed.batches += 1;
        tally.mixed.alarms += u32::from(odd >= ODD_PAGES || least * (BATCH as f64) < DOUBT);
    }
    println!("{line}");
    Ok(())
}

fn heads() {
    println!(
        "{:<34} {:>3}  {:^13}   {:>16} {:>16} {:>16}   {:>16} {:>16} {:>16}",
        "site", "k", "others R/P", "1: right", "rule works", "all", "10: right", "rule works", "all"
    );
}

/// Checks page sets with lists.
fn records(options: &Options, tally: &mut Tally) -> anyhow::Result<()> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench")).join("records");
    heads();
    for source in folders(&data)? {
        for folder in folders(&source)? {
            let name = folder.strip_prefix(&data)?.display().to_string();
            if !asked(options, &name) {
                continue;
            }
            for learned in LEARNED {
                let mut all = side(&folder)?;
                if all.pages.len() < learned + 1 {
                    continue;
                }
                let others = all.pages.split_off(learned);
                unchanged("records", &name, &all, &others, tally, options)?;
            }
        }
    }
    println!();
    Ok(())
}

/// Checks the packs of SWDE: pages with one record.
fn swde(options: &Options, tally: &mut Tally) -> anyhow::Result<()> {
    let packs = PathBuf::from(options.text("data").unwrap_or("../shared/bench")).join("swde");
    let seed = options.number("seed", 1)?;
    heads();
    for site in sites::names(&packs)? {
        if !asked(options, &site) {
            continue;
        }
        let (Some(files), Some(truth)) = (files(&packs, &site)?, truth(&packs, &site, false)?) else {
            continue;
        };
        let attributes: Vec<&String> = truth.keys().collect();
        let label = |page: &str, attribute: &str| -> Vec<String> {
            let mut seen = BTreeSet::new();
            let values = truth[attribute]
                .get(page)
                .into_iter()
                .flatten()
                .map(|text| normal(text));
            values
                .filter(|text| !text.is_empty() && seen.insert(text.clone()))
                .collect()
        };
        let settings = page::ParseSettings {
            charset: Some("utf-8".to_owned()),
            ..Default::default()
        };
        let mut samples: Vec<Sample> = Vec::new();
        for at in shuffled(files.len(), seed, &site) {
            let (name, bytes) = &files[at];
            samples.push(Sample {
                name: name.clone(),
                page: Page::parse(bytes, &settings)?,
                records: vec![attributes.iter().map(|attribute| label(name, attribute)).collect()],
            });
        }
        let others = samples.split_off(LEARNED[LEARNED.len() - 1].min(samples.len()));
        // From the most pages to the fewest, so that each side can be cut from the previous one.
        for learned in LEARNED.iter().rev() {
            samples.truncate(*learned);
            let wanted = attributes.iter().enumerate().map(|(field, name)| Wanted {
                name: (*name).clone(),
                many: samples.iter().any(|sample| sample.records[0][field].len() > 1),
            });
            let mut taught_from = Side {
                wanted: wanted.collect(),
                listed: false,
                pages: std::mem::take(&mut samples),
            };
            unchanged("swde", &site, &taught_from, &others, tally, options)?;
            samples = std::mem::take(&mut taught_from.pages);
        }
    }
    println!();
    Ok(())
}

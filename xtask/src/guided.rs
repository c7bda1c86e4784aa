//! `cargo xtask guided`: learns paths from a few labelled pages of each SWDE site and scores them on others.
//!
//! The labels are the site's ground truth on the first k pages of a seeded order. The next 55 pages that no rule was
//! learned from are scored, whatever k is; with `--also N`, N further pages are given without labels. The score is F1 over pairs of page and value, averaged over attributes and
//! sites.

use crate::Options;
use learn::guided::{Lesson, Trials, Wanted, Weights, learn_weighed};
use page::Page;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wrapper::rule::paths::PathsRun;
use xtask::sites::{self, Truth, files, normal, shuffled, truth, values};

/// The largest number of labels that are learned from.
const MOST: usize = 5;
/// The number of pages that are scored.
const SCORED: usize = 55;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match options.text("part") {
        Some("few") => return crate::guided_few::run(options),
        Some("lists") => return crate::guided_lists::run(options),
        Some("onepage") => return crate::guided_onepage::run(options),
        Some("printed") => return crate::printed::run(options),
        Some("rows") => return crate::metamorphic::run(options),
        _ => {}
    }
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let seed = options.number("seed", 1)?;
    let also = options.number("also", 0)? as usize;
    let ks = [1, 2, 3, 5];
    let weights = crate::weights::given(options)?;
    let mut names = sites::names(&packs)?;
    if let Some(wanted) = options.text("sites") {
        names.retain(|site| wanted.split(',').any(|name| name == site));
    }
    if let Some(half) = options.text("split") {
        names.retain(|site| sites::split(site) == half);
    }
    let mut means: HashMap<usize, Vec<f64>> = HashMap::new();
    // The first two sites of each vertical, because other systems were measured on two.
    let mut first: HashMap<(String, usize), Vec<f64>> = HashMap::new();
    let (mut learning, mut extracting, mut parsing) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut count = 0;
    for name in &names {
        let Some(site) = Site::load(&packs, name, seed)? else {
            continue;
        };
        parsing += site.parsing;
        let more = site.order.iter().skip(MOST + SCORED).take(also);
        let more: Vec<&Page> = more.map(|at| &site.pages[*at].1).collect();
        let mut line = format!("{name:<30}");
        for k in ks {
            let scores = site.score(k, &more, &weights);
            if k == 1 {
                learning += scores.learning;
                extracting += scores.extracting;
            }
            if options.text("show").is_some() {
                scores.wrong.iter().for_each(|words| println!("  {name} {words}"));
            }
            let mean = scores.mean();
            line += &format!("  k={k} {mean:.3}");
            means.entry(k).or_default().push(mean);
            let vertical = site.vertical().to_owned();
            let of = first.entry((vertical, k)).or_default();
            if of.len() < 2 {
                of.push(mean);
            }
        }
        println!("{line}");
        count += 1;
    }
    for k in ks {
        if let Some(all) = means.get(&k) {
            println!(
                "k={k}: mean F1 {:.3} over {} sites",
                all.iter().sum::<f64>() / all.len() as f64,
                all.len()
            );
        }
    }
    for k in ks {
        let some: Vec<f64> = first
            .iter()
            .filter(|((_, of), _)| *of == k)
            .flat_map(|(_, means)| means)
            .copied()
            .collect();
        let mean = some.iter().sum::<f64>() / some.len().max(1) as f64;
        println!(
            "k={k}: mean F1 {mean:.3} over {} sites, two of each vertical",
            some.len()
        );
    }
    println!(
        "learning from one page {:.1} ms a site; extraction {:.2} times parsing",
        learning.as_secs_f64() * 1e3 / f64::from(count.max(1)),
        extracting.as_secs_f64() / parsing.as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// A site with its labels.
pub(crate) struct Site {
    pub(crate) name: String,
    pages: Vec<(String, Page)>,
    truth: Truth,
    /// The order in which pages are learned from and scored.
    order: Vec<usize>,
    /// The time for parsing as many pages as are scored.
    parsing: Duration,
}

/// How a rule does on a site.
pub(crate) struct Scores {
    /// F1 of each attribute.
    each: Vec<f64>,
    /// What is wrong, in words.
    wrong: Vec<String>,
    learning: Duration,
    extracting: Duration,
}

impl Scores {
    pub(crate) fn mean(&self) -> f64 {
        self.each.iter().sum::<f64>() / self.each.len().max(1) as f64
    }
}

impl Site {
    /// Reads a site, if it and its labels are there.
    pub(crate) fn load(packs: &Path, site: &str, seed: u64) -> anyhow::Result<Option<Site>> {
        let (Some(files), Some(truth)) = (files(packs, site)?, truth(packs, site, false)?) else {
            return Ok(None);
        };
        let settings = page::ParseSettings {
            charset: Some("utf-8".to_owned()),
            ..Default::default()
        };
        let started = Instant::now();
        let pages = files
            .iter()
            .map(|(name, bytes)| anyhow::Ok((name.clone(), Page::parse(bytes, &settings)?)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Site {
            name: site.to_owned(),
            parsing: started.elapsed().mul_f64(SCORED as f64 / pages.len() as f64),
            order: shuffled(pages.len(), seed, site),
            pages,
            truth,
        }))
    }

    pub(crate) fn vertical(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    fn said(&self, at: usize, attribute: &str) -> Vec<String> {
        values(&self.truth, attribute, &self.pages[at].0)
    }

    /// The fields, and some pages with their values.
    fn lessons(&self, of: &[usize]) -> (Vec<Wanted>, Vec<Lesson<'_>>) {
        let wanted = self.truth.keys().map(|name| Wanted {
            name: name.clone(),
            many: of.iter().any(|at| self.said(*at, name).len() > 1),
        });
        let lessons = of.iter().map(|at| Lesson {
            name: &self.pages[*at].0,
            page: &self.pages[*at].1,
            records: vec![self.truth.keys().map(|name| self.said(*at, name)).collect()],
        });
        (wanted.collect(), lessons.collect())
    }

    /// The fields, and one of the first pages with its values.
    pub(crate) fn first_lesson(&self, at: usize) -> (Vec<Wanted>, Lesson<'_>) {
        let (wanted, mut lessons) = self.lessons(&self.order[at..=at]);
        (wanted, lessons.remove(0))
    }

    /// The paths to each field from one page, and how right they are on the next ones that no rule is learned from.
    pub(crate) fn trials(&self, from: usize, tried: usize, weights: &Weights) -> Trials {
        let (wanted, one) = self.lessons(&self.order[from..=from]);
        let others: Vec<usize> = self.order[MOST..].iter().take(tried).copied().collect();
        let (_, others) = self.lessons(&others);
        learn::guided::trials(&wanted, &one[0], &others, false, weights)
    }

    /// Learns from the first pages, and scores on others.
    pub(crate) fn score(&self, k: usize, more: &[&Page], weights: &Weights) -> Scores {
        self.score_from(0, k, more, weights)
    }

    /// The same, with the pages that are learned from beginning with another one.
    pub(crate) fn score_from(&self, first: usize, k: usize, more: &[&Page], weights: &Weights) -> Scores {
        let (wanted, lessons) = self.lessons(&self.order[first..first + k]);
        let started = Instant::now();
        let taught = learn_weighed(&wanted, &lessons, (more, weights), false, &page::Job::new());
        let learning = started.elapsed();
        let started = Instant::now();
        let run = taught.as_ref().ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
        let tested: Vec<usize> = self.order[MOST..].iter().take(SCORED).copied().collect();
        let found: Vec<Vec<(usize, String)>> = tested
            .iter()
            .map(|at| {
                let records = run.as_ref().map(|run| run.page(&self.pages[*at].1)).unwrap_or_default();
                records
                    .into_iter()
                    .flat_map(|record| record.values)
                    .map(|value| (value.field, normal(&value.text)))
                    .collect()
            })
            .collect();
        let extracting = started.elapsed();
        let (mut each, mut wrong) = (Vec::new(), Vec::new());
        for (field, name) in self.truth.keys().enumerate() {
            let (mut hits, mut given, mut asked) = (0usize, 0usize, 0usize);
            for (at, found) in tested.iter().zip(&found) {
                let right: BTreeSet<String> = self.said(*at, name).into_iter().collect();
                let mine: BTreeSet<&String> = found
                    .iter()
                    .filter(|(of, _)| *of == field)
                    .map(|(_, text)| text)
                    .collect();
                hits += mine.iter().filter(|text| right.contains(**text)).count();
                given += mine.len();
                asked += right.len();
            }
            if asked == 0 {
                continue;
            }
            let f1 = 2.0 * hits as f64 / (given + asked).max(1) as f64;
            each.push(f1);
            if f1 < 0.999 {
                let ways = taught.as_ref().map(|taught| ways(taught, field)).unwrap_or_default();
                wrong.push(format!(
                    "{name} k={k} F {f1:.2} (asked {asked}, given {given}, right {hits})\n      {ways}"
                ));
            }
        }
        Scores {
            each,
            wrong,
            learning,
            extracting,
        }
    }
}

/// The ways to a field, for people.
pub(crate) fn ways(taught: &learn::guided::Taught, field: usize) -> String {
    let ways = taught.rule.fields[field].ways.iter();
    let ways = ways.map(|way| format!("{} [{}|{}]", way.path, way.after, way.before));
    ways.collect::<Vec<_>>().join("\n      ")
}

//! `cargo xtask guided`: learns paths from a few labelled pages of each SWDE site and scores them on others.
//!
//! The labels are the site's ground truth on the first k pages of a seeded order. The next 55 pages that no rule was
//! learned from are scored, whatever k is; with `--also N`, N further pages are given without labels. The score is F1 over pairs of page and value, averaged over attributes and
//! sites.

use crate::Options;
use learn::guided::{Lesson, Wanted, learn_also};
use page::Page;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wrapper::rule::paths::PathsRun;
use xtask::sites::{self, files, normal, shuffled, truth, values};

/// The largest number of labels that are learned from.
const MOST: usize = 5;
/// The number of pages that are scored.
const SCORED: usize = 55;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match options.text("part") {
        Some("lists") => return crate::guided_lists::run(options),
        Some("printed") => return crate::printed::run(options),
        Some("rows") => return crate::metamorphic::run(options),
        _ => {}
    }
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let seed = options.number("seed", 1)?;
    let also = options.number("also", 0)? as usize;
    let ks = [1, 2, 3, 5];
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
    for site in &names {
        let Some(files) = files(&packs, site)? else { continue };
        let Some(truth) = truth(&packs, site, false)? else {
            continue;
        };
        let started = Instant::now();
        let pages: Vec<(String, Page)> = files
            .iter()
            .map(|(name, bytes)| {
                anyhow::Ok((
                    name.clone(),
                    Page::parse(
                        bytes,
                        &page::ParseSettings {
                            charset: Some("utf-8".to_owned()),
                            ..Default::default()
                        },
                    )?,
                ))
            })
            .collect::<Result<_, _>>()?;
        parsing += started.elapsed().mul_f64(SCORED as f64 / pages.len() as f64);
        let order = shuffled(pages.len(), seed, site);
        let more = order.iter().skip(MOST + SCORED).take(also);
        let more: Vec<&Page> = more.map(|at| &pages[*at].1).collect();
        let mut line = format!("{site:<30}");
        for k in ks {
            let label = |at: usize, attribute: &str| values(&truth, attribute, &pages[at].0);
            let attributes: Vec<&String> = truth.keys().collect();
            let wanted: Vec<Wanted> = attributes
                .iter()
                .map(|name| Wanted {
                    name: (*name).clone(),
                    many: order[..k].iter().any(|at| label(*at, name).len() > 1),
                })
                .collect();
            let lessons: Vec<Lesson<'_>> = order[..k]
                .iter()
                .map(|at| Lesson {
                    name: &pages[*at].0,
                    page: &pages[*at].1,
                    records: vec![attributes.iter().map(|name| label(*at, name)).collect()],
                })
                .collect();
            let started = Instant::now();
            let taught = learn_also(&wanted, &lessons, &more, false, &page::Job::new());
            learning += if k == 1 { started.elapsed() } else { Duration::ZERO };
            let mut scores = Vec::new();
            let started = Instant::now();
            let run = taught.as_ref().ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
            let tested: Vec<usize> = order[MOST..].iter().take(SCORED).copied().collect();
            let found: Vec<Vec<(usize, String)>> = tested
                .iter()
                .map(|at| {
                    let records = run.as_ref().map(|run| run.page(&pages[*at].1)).unwrap_or_default();
                    records
                        .into_iter()
                        .flat_map(|record| record.values)
                        .map(|value| (value.field, normal(&value.text)))
                        .collect()
                })
                .collect();
            extracting += if k == 1 { started.elapsed() } else { Duration::ZERO };
            for (field, name) in attributes.iter().enumerate() {
                let (mut hits, mut given, mut asked) = (0usize, 0usize, 0usize);
                for (at, found) in tested.iter().zip(&found) {
                    let right: BTreeSet<String> = label(*at, name).into_iter().collect();
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
                scores.push(f1);
                if options.text("show").is_some() {
                    let ways = taught.as_ref().map(|taught| ways(taught, field)).unwrap_or_default();
                    if f1 < 0.999 {
                        println!(
                            "  {site} {name} k={k} F {f1:.2} (asked {asked}, given {given}, right {hits})\n      {ways}"
                        );
                    }
                }
            }
            let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
            line += &format!("  k={k} {mean:.3}");
            means.entry(k).or_default().push(mean);
            let vertical = site.split('-').next().unwrap_or_default().to_owned();
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

/// The ways to a field, for people.
pub(crate) fn ways(taught: &learn::guided::Taught, field: usize) -> String {
    let ways = taught.rule.fields[field].ways.iter();
    let ways = ways.map(|way| format!("{} [{}|{}]", way.path, way.after, way.before));
    ways.collect::<Vec<_>>().join("\n      ")
}

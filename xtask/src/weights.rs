//! `cargo xtask weights`: learns the weights of what paths depend on, and prints them as the table of `guided::trust`.
//!
//! A *group* is a field (or the records) of one page whose values are known: all paths that fit it, what each depends on, and how
//! right each is on other pages of the site. The ranking is log-linear, so the chance that a path comes first is taken as
//! proportional to its trust to the power of [`SHARP`]. The weights are those for which the expected rightness of the first path is
//! the highest, in the mean of the logarithms over the groups of a site, and then over sites. Each weight is pulled to the one
//! that the table has now, so that what the data say little about stays a judgement; how strongly ([`PULLS`]) is decided by how right
//! the first path is in families that the weights were not learned from. Groups in which all paths are equally right tell nothing. The search is by gradient, in a fixed number of steps from the weights of now; nothing is random.
//!
//! It is cross-validated over *families*: the verticals of SWDE, and the families of the page sets. For each, the weights are
//! learned from the other families, and rules are learned with them and scored as in `cargo xtask guided`, beside rules with
//! the weights of now.

use crate::Options;
use crate::guided::Site;
use crate::guided_lists::Listed;
use crate::records::data;
use anyhow::Context as _;
use learn::guided::{Trial, Trials, Weights};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::sites;

/// A path that is trusted a hundredth more is more likely to be chosen by about a third.
const SHARP: f64 = 30.0;
/// How strongly weights may be pulled to those of now: a logarithm that differs by 0.1 costs half of this over a hundred.
const PULLS: [f64; 4] = [1.0, 4.0, 16.0, 64.0];
/// The steps of the search, and their length in the logarithms of weights.
const STEPS: usize = 400;
const STEP: f64 = 0.002;
/// The pages of a site that paths are made from, one at a time, and the pages that they are tried on.
const FROM: usize = 5;
const TRIED: usize = 15;
/// The pages of a site that rules are learned from for the cross-validation, one at a time.
const SCORED: usize = 3;

/// The groups of a site.
struct Groups {
    family: String,
    groups: Vec<Vec<Trial>>,
}

/// The groups of all sites: for paths to values, and for paths to records.
#[derive(Default)]
struct All {
    values: Vec<Groups>,
    records: Vec<Groups>,
}

impl All {
    fn add(&mut self, family: &str, trials: Vec<Trials>) {
        let (mut values, mut records) = (Vec::new(), Vec::new());
        for trials in trials {
            values.extend(trials.values);
            records.extend(trials.records);
        }
        for (all, groups) in [(&mut self.values, values), (&mut self.records, records)] {
            let groups = telling(groups);
            if !groups.is_empty() {
                let family = family.to_owned();
                all.push(Groups { family, groups });
            }
        }
    }

    /// The weights from the sites of other families than one, or of all.
    fn fit(&self, without: Option<&str>, now: &Weights, pulls: [f64; 2]) -> Weights {
        Weights {
            values: fit(&without_family(&self.values, without), &now.values, pulls[0]),
            records: fit(&without_family(&self.records, without), &now.records, pulls[1]),
        }
    }
}

fn without_family<'g>(all: &'g [Groups], family: Option<&str>) -> Vec<&'g [Vec<Trial>]> {
    let others = all.iter().filter(|of| family != Some(of.family.as_str()));
    others.map(|of| &of.groups[..]).collect()
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let half = options.text("split").unwrap_or("development");
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let now = Weights::default();
    let mut singles = Vec::new();
    for name in sites::names(&packs)?.iter().filter(|site| sites::split(site) == half) {
        singles.extend(Site::load(&packs, name, options.number("seed", 1)?)?);
    }
    let mut lists: Vec<(String, _, _)> = Vec::new();
    for folder in ["../shared/bench/records", "../shared/bench/meetings/records"] {
        for set in data::load(Path::new(folder))? {
            if set.pages.len() > 1 && sites::split(&set.name) == half {
                let pages = crate::guided_lists::parsed(&set)?;
                lists.push((set.family.clone(), set, pages));
            }
        }
    }
    let mut all = All::default();
    for site in &singles {
        let trials = (0..FROM).map(|from| site.trials(from, TRIED, &now));
        all.add(site.vertical(), trials.collect());
    }
    for (family, set, pages) in &lists {
        let listed = Listed { set, pages };
        let trials = (0..FROM.min(pages.len())).map(|from| listed.trials(from, TRIED, &now));
        all.add(family, trials.collect());
    }
    println!("{} sites and {} sets", singles.len(), lists.len());
    let pulls = [
        best_pull("values", &all.values, &now.values),
        best_pull("records", &all.records, &now.records),
    ];
    if options.text("part") != Some("table") {
        let families = singles.iter().map(Site::vertical);
        let families: BTreeSet<&str> = families
            .chain(lists.iter().map(|(family, ..)| family.as_str()))
            .collect();
        let (mut single, mut list): (Vec<[f64; 4]>, Vec<[f64; 4]>) = (Vec::new(), Vec::new());
        println!(
            "F1 from one page: the weights of now, those of values learned, those of records learned, both learned"
        );
        for family in families {
            let both = all.fit(Some(family), &now, pulls);
            let (values, records) = (both.values.clone(), both.records.clone());
            let tables = [
                now.clone(),
                Weights { values, ..now.clone() },
                Weights { records, ..now.clone() },
                both,
            ];
            for site in singles.iter().filter(|site| site.vertical() == family) {
                let of = |weights: &Weights| {
                    let each = (0..SCORED).map(|from| site.score_from(from, 1, &[], weights).mean());
                    each.sum::<f64>() / SCORED as f64
                };
                single.push(told(&site.name, &tables, of));
            }
            for (_, set, pages) in lists.iter().filter(|(of, ..)| of == family) {
                let listed = Listed { set, pages };
                let count = SCORED.min(pages.len());
                let of = |weights: &Weights| {
                    let each = (0..count).map(|from| listed.scored_from(from, (1, usize::MAX), false, weights).0.f1());
                    each.sum::<f64>() / count as f64
                };
                list.push(told(&set.name, &tables, of));
            }
        }
        for (what, scores) in [("one record a page", single), ("lists", list)] {
            let mean = |at: usize| scores.iter().map(|scores| scores[at]).sum::<f64>() / scores.len().max(1) as f64;
            let means = [0, 1, 2, 3].map(|at| format!("{:.4}", mean(at)));
            println!("{what}, mean of {}: {}", scores.len(), means.join(" "));
        }
    }
    let learned = all.fit(None, &now, pulls);
    for (at, name) in Weights::names().enumerate() {
        let [value, records] = [&learned.values, &learned.records].map(|logs| logs[at].exp());
        let [old, other] = [&now.values, &now.records].map(|logs| logs[at].exp());
        println!("    {name} = {value:.3}, {records:.3}; // {old:.3}, {other:.3}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The scores with each table, which are also printed.
fn told(name: &str, tables: &[Weights; 4], score: impl Fn(&Weights) -> f64) -> [f64; 4] {
    let scores = tables.each_ref().map(score);
    println!("{name:<44} {}", scores.map(|score| format!("{score:.3}")).join(" "));
    scores
}

/// The weights of a file as this chore prints them, or those of now.
pub(crate) fn given(options: &Options) -> anyhow::Result<Weights> {
    let mut weights = Weights::default();
    let Some(file) = options.text("weights") else {
        return Ok(weights);
    };
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
    for (at, name) in Weights::names().enumerate() {
        let row = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(" = "));
        let numbers = row.and_then(|row| row.split(';').next()?.split_once(", "));
        let (value, records) = numbers.with_context(|| format!("{file} has no row `{name} = …, …;`"))?;
        weights.values[at] = value.parse::<f64>()?.ln();
        weights.records[at] = records.parse::<f64>()?.ln();
    }
    Ok(weights)
}

/// How strongly to pull, by families that were left out in turn.
fn best_pull(what: &str, all: &[Groups], now: &[f64]) -> f64 {
    let families: BTreeSet<&str> = all.iter().map(|groups| groups.family.as_str()).collect();
    let groups: usize = all.iter().map(|of| of.groups.len()).sum();
    let mean = |rights: Vec<f64>| rights.iter().sum::<f64>() / rights.len().max(1) as f64;
    let before = mean(all.iter().map(|of| right(of, now)).collect());
    println!(
        "{what}: {groups} groups of {} families; weights of now {before:.4}",
        families.len()
    );
    let mut best = (0.0, PULLS[0]);
    for pull in PULLS {
        let mut rights = Vec::new();
        for family in &families {
            let learned = fit(&without_family(all, Some(family)), now, pull);
            rights.extend(
                all.iter()
                    .filter(|of| of.family == *family)
                    .map(|of| right(of, &learned)),
            );
        }
        let mean = mean(rights);
        println!("  pull {pull}: {mean:.4} in families left out");
        best = if mean > best.0 { (mean, pull) } else { best };
    }
    best.1
}

/// The groups in which it makes a difference which path is chosen. Paths that are alike in all that counts are taken together.
fn telling(groups: Vec<Vec<Trial>>) -> Vec<Vec<Trial>> {
    let tells = |group: &Vec<Trial>| {
        let rights = group.iter().map(|trial| trial.right);
        rights.clone().fold(0.0, f64::max) - rights.fold(1.0, f64::min) > 1e-9
    };
    let alike = |mut group: Vec<Trial>| {
        group.sort_by(|a, b| a.trust.counts().cmp(b.trust.counts()).then(a.right.total_cmp(&b.right)));
        group.dedup();
        group
    };
    groups.into_iter().filter(tells).map(alike).collect()
}

/// How right the first path of each group is, in the mean.
fn right(of: &Groups, weights: &[f64]) -> f64 {
    let trust = |trial: &Trial| {
        let counts = trial.trust.counts().iter().zip(weights);
        counts.map(|(count, log)| f64::from(*count) * log).sum::<f64>()
    };
    let firsts = of.groups.iter().map(|group| {
        let first = group.iter().max_by(|a, b| trust(a).total_cmp(&trust(b)));
        first.map_or(0.0, |first| first.right)
    });
    firsts.sum::<f64>() / of.groups.len() as f64
}

/// The weights that make the expected rightness the highest.
fn fit(sites: &[&[Vec<Trial>]], start: &[f64], pull: f64) -> Vec<f64> {
    let mut logs = start.to_vec();
    let (mut mean, mut square) = (vec![0.0; logs.len()], vec![0.0; logs.len()]);
    for step in 1..=STEPS {
        let mut gradient = vec![0.0; logs.len()];
        for groups in sites {
            let share = 1.0 / groups.len() as f64;
            for group in groups.iter() {
                add_gradient(group, &logs, share, &mut gradient);
            }
        }
        for (at, slope) in gradient.iter_mut().enumerate() {
            *slope = *slope / sites.len().max(1) as f64 - pull * (logs[at] - start[at]);
        }
        // Adam: each weight moves by about one step, whatever the scale of its slope.
        for at in 0..logs.len() {
            mean[at] = 0.9 * mean[at] + 0.1 * gradient[at];
            square[at] = 0.999 * square[at] + 0.001 * gradient[at] * gradient[at];
            let fair = |value: f64, rate: f64| value / (1.0 - rate.powi(step as i32));
            logs[at] += STEP * fair(mean[at], 0.9) / (fair(square[at], 0.999).sqrt() + 1e-8);
        }
    }
    logs
}

/// Adds the slope of the logarithm of a group's expected rightness.
fn add_gradient(group: &[Trial], logs: &[f64], share: f64, gradient: &mut [f64]) {
    let dot = |trial: &Trial| {
        let counts = trial.trust.counts().iter().zip(logs);
        SHARP * counts.map(|(count, log)| f64::from(*count) * log).sum::<f64>()
    };
    let dots: Vec<f64> = group.iter().map(dot).collect();
    let most = dots.iter().copied().fold(f64::MIN, f64::max);
    let chances: Vec<f64> = dots.iter().map(|dot| (dot - most).exp()).collect();
    let all: f64 = chances.iter().sum();
    // A group without a right path must not decide everything.
    let right = |trial: &Trial| trial.right + 0.01;
    let expected: f64 = group
        .iter()
        .zip(&chances)
        .map(|(trial, chance)| right(trial) * chance / all)
        .sum();
    for (trial, chance) in group.iter().zip(&chances) {
        let slope = share * chance / all * (right(trial) / expected - 1.0) * SHARP;
        for (gradient, count) in gradient.iter_mut().zip(trial.trust.counts()) {
            *gradient += slope * f64::from(*count);
        }
    }
}

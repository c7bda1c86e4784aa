//! Infers wrappers for the sites of the SWDE benchmark and writes what they extract, for the scorer of the benchmark.

mod labels;
mod report;

use crate::Options;
use anyhow::bail;
use learn::infer::{Inferred, LandmarkSettings, Objective, Search};
use page::Page;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Landmarks, Run};
use xtask::sites;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.text("report").is_some() {
        return report::run(options);
    }
    let (packs, sites) = training(options)?;
    let out = PathBuf::from(options.text("out").unwrap_or("target/swde.ndjson"));
    let mut out = std::io::BufWriter::new(std::fs::File::create(&out)?);
    if options.text("method") == Some("exalg") {
        return templates(&packs, &sites, &mut out);
    }
    println!(
        "{:<30} {:>8} {:>8} {:>8} {:>6} {:>6}",
        "site", "parse", "infer", "extract", "parts", "fields"
    );
    let settings = settings(options)?;
    let mut tally = Tally::default();
    for (site, train) in &sites {
        let Some(files) = sites::files(&packs, site)? else {
            continue;
        };
        let (pages, parsed) = parse(&files)?;
        let (found, inferred) = infer(&pages, train, &settings)?;
        tally.splits += found.splits;
        let rule = found.rule;
        if options.text("dump").is_some() {
            println!("{rule:#?}");
        }
        let (fields, extracted) = extract(&mut out, site, &pages, &rule, true)?;
        let per_page = |time: Duration| time.as_secs_f64() * 1e3 / pages.len() as f64;
        println!(
            "{site:<30} {:>7.2}m {:>7.0}m {:>7.2}m {:>6} {fields:>6}",
            per_page(parsed),
            inferred.as_secs_f64() * 1e3,
            per_page(extracted),
            rule.parts.len()
        );
        tally.times.push(inferred);
        tally.fields.push(fields);
    }
    println!("{} splits, {:.1} ms for 1,000", tally.splits, tally.split_time());
    println!(
        "median: inference {:.0} ms, {} fields",
        tally.time().as_secs_f64() * 1e3,
        tally.count()
    );
    Ok(ExitCode::SUCCESS)
}

/// The directory of the packs, and for each selected site the pages to infer from.
fn training(options: &Options) -> anyhow::Result<(PathBuf, BTreeMap<String, Vec<String>>)> {
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let mut training = sites::training(&packs, options.text("train"))?;
    if let Some(wanted) = options.text("sites") {
        training.retain(|site, _| wanted.split(',').any(|name| name == site));
    }
    Ok((packs, training))
}

/// The same with EXALG's templates.
fn templates(packs: &Path, sites: &BTreeMap<String, Vec<String>>, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    println!(
        "{:<30} {:>8} {:>8} {:>6} {:>6}",
        "site", "infer", "extract", "rounds", "fields"
    );
    for (site, train) in sites {
        let Some(files) = sites::files(packs, site)? else {
            continue;
        };
        let (pages, _) = parse(&files)?;
        let sample = pages.iter().filter(|(name, _)| train.contains(name));
        let sample: Vec<&Page> = sample.map(|(_, page)| page).collect();
        let started = Instant::now();
        let inferred = learn::exalg::infer(&sample, &learn::exalg::TemplateSettings::default(), &page::Job::new())?;
        let time = started.elapsed();
        let started = Instant::now();
        let run = wrapper::rule::template::Run::new(&inferred.template);
        for (name, page) in &pages {
            let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for event in run.page(page).0 {
                if let Event::Value { field, text, .. } = event {
                    let name = format!("{field} {}", inferred.template.fields[field as usize]);
                    fields.entry(name).or_default().push(text);
                }
            }
            let line = serde_json::json!({ "site": site, "page": name, "fields": fields });
            writeln!(out, "{line}")?;
        }
        println!(
            "{site:<30} {:>7.0}m {:>7.2}m {:>6} {:>6}",
            time.as_secs_f64() * 1e3,
            started.elapsed().as_secs_f64() * 1e3 / pages.len().max(1) as f64,
            inferred.iterations,
            inferred.template.fields.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Figures of a run over sites.
#[derive(Default)]
struct Tally {
    splits: u64,
    times: Vec<Duration>,
    fields: Vec<usize>,
}

impl Tally {
    /// Milliseconds for 1,000 splits, including all of inference.
    fn split_time(&self) -> f64 {
        let all: f64 = self.times.iter().map(Duration::as_secs_f64).sum();
        all * 1e6 / self.splits.max(1) as f64
    }

    /// The median time of inference over sites.
    fn time(&self) -> Duration {
        median(&self.times).unwrap_or_default()
    }

    /// The median number of fields over sites.
    fn count(&self) -> usize {
        median(&self.fields).unwrap_or_default()
    }
}

fn median<T: Ord + Copy>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// A page and its name.
type Named = (String, Page);

fn parse(files: &sites::Files) -> anyhow::Result<(Vec<Named>, Duration)> {
    let started = Instant::now();
    let pages = files
        .iter()
        .map(|(name, bytes)| anyhow::Ok((name.clone(), Page::parse(bytes, &Default::default())?)))
        .collect::<Result<_, _>>()?;
    Ok((pages, started.elapsed()))
}

fn infer(pages: &[Named], train: &[String], settings: &LandmarkSettings) -> anyhow::Result<(Inferred, Duration)> {
    let sample: Vec<&Page> = pages
        .iter()
        .filter(|(name, _)| train.contains(name))
        .map(|page| &page.1)
        .collect();
    let started = Instant::now();
    let found = learn::infer::infer(&sample, settings)?;
    Ok((found, started.elapsed()))
}

/// Writes what a rule finds on pages; returns how many fields it fills, and the time that the rule took. The truth was
/// labelled on whole text nodes, so `whole` gives the text nodes that contain the values.
fn extract(
    out: &mut impl Write,
    site: &str,
    pages: &[Named],
    rule: &Landmarks,
    whole: bool,
) -> anyhow::Result<(usize, Duration)> {
    let started = Instant::now();
    let run = Run::new(rule);
    let found: Vec<Vec<Event>> = pages.iter().map(|(_, page)| run.page(page, whole)).collect();
    let elapsed = started.elapsed();
    let mut used = vec![false; rule.fields.len()];
    for ((name, _), events) in pages.iter().zip(&found) {
        let mut fields: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for event in events {
            if let Event::Value { field, text, .. } = event {
                used[*field as usize] = true;
                let name = format!("{} {}", field, rule.fields[*field as usize].name);
                fields.entry(name).or_default().push(text);
            }
        }
        let line = serde_json::json!({ "site": site, "page": name, "fields": fields });
        writeln!(out, "{line}")?;
    }
    Ok((used.iter().filter(|used| **used).count(), elapsed))
}

fn settings(options: &Options) -> anyhow::Result<LandmarkSettings> {
    let mut settings = LandmarkSettings {
        seed: options.number("seed", 1)?,
        k: options.text("k").map(str::parse).transpose()?,
        lattice: options.text("lattice") != Some("off"),
        ..LandmarkSettings::default()
    };
    (settings.objective, settings.search) = match options.text("method").unwrap_or("records") {
        "records" => (Objective::Records, Search::Astar),
        "astar" => (Objective::Tokens, Search::Astar),
        "greedy-inf" => (Objective::Tokens, Search::GreedyInf),
        "greedy-rnd" => (Objective::Tokens, Search::GreedyRnd),
        "random" => (Objective::Tokens, Search::Random),
        other => bail!("unknown method `{other}`"),
    };
    Ok(settings)
}

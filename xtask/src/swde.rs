//! Infers wrappers for the sites of the SWDE benchmark and writes what they extract, for its scorer.

use crate::Options;
use anyhow::{Context as _, bail};
use learn::infer::{Objective, Search, Settings};
use page::Page;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use wrapper::rule::landmark::{Event, Run};

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let packs = PathBuf::from(options.text("packs").unwrap_or("../shared/bench/swde"));
    let train = options
        .text("train")
        .map_or_else(|| packs.join("train20.txt"), PathBuf::from);
    let train = std::fs::read_to_string(&train).with_context(|| format!("cannot read {}", train.display()))?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in train.lines() {
        let mut words = line.split_whitespace();
        if let (Some(site), Some(page)) = (words.next(), words.next()) {
            sites.entry(site).or_default().push(page);
        }
    }
    if let Some(wanted) = options.text("sites") {
        sites.retain(|site, _| wanted.split(',').any(|name| name == *site));
    }
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
    let mut splits = 0;
    let mut times: Vec<Duration> = Vec::new();
    let mut counts = Vec::new();
    for (site, train) in &sites {
        let Some(files) = files(&packs, site)? else { continue };
        let started = Instant::now();
        let pages: Vec<(String, Page)> = files
            .iter()
            .map(|(name, bytes)| anyhow::Ok((name.clone(), Page::parse(bytes, &Default::default())?)))
            .collect::<Result<_, _>>()?;
        let parsed = started.elapsed();
        let sample: Vec<&Page> = pages
            .iter()
            .filter(|(name, _)| train.contains(&name.as_str()))
            .map(|p| &p.1)
            .collect();
        let started = Instant::now();
        let found = learn::infer::infer(&sample, &settings)?;
        let inferred = started.elapsed();
        splits += found.splits;
        let rule = found.rule;
        if options.text("dump").is_some() {
            println!("{rule:#?}");
        }
        let started = Instant::now();
        let run = Run::new(&rule);
        // The truth was labelled on whole text nodes, so what stands before a value in its node stays.
        let found: Vec<Vec<Event>> = pages.iter().map(|(_, page)| run.page(page, true)).collect();
        let extracted = started.elapsed();
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
        let fields = used.iter().filter(|used| **used).count();
        let per_page = |time: Duration| time.as_secs_f64() * 1e3 / pages.len() as f64;
        println!(
            "{site:<30} {:>7.2}m {:>7.0}m {:>7.2}m {:>6} {fields:>6}",
            per_page(parsed),
            inferred.as_secs_f64() * 1e3,
            per_page(extracted),
            rule.parts.len()
        );
        times.push(inferred);
        counts.push(fields);
    }
    let all: f64 = times.iter().map(Duration::as_secs_f64).sum();
    println!("{splits} splits, {:.1} ms for 1,000", all * 1e6 / splits.max(1) as f64);
    times.sort();
    counts.sort_unstable();
    if let (Some(time), Some(count)) = (times.get(times.len() / 2), counts.get(counts.len() / 2)) {
        println!("median: inference {:.0} ms, {count} fields", time.as_secs_f64() * 1e3);
    }
    Ok(ExitCode::SUCCESS)
}

/// The same by EXALG's templates.
fn templates(
    packs: &Path,
    sites: &BTreeMap<&str, Vec<&str>>,
    out: &mut impl std::io::Write,
) -> anyhow::Result<ExitCode> {
    println!(
        "{:<30} {:>8} {:>8} {:>6} {:>6}",
        "site", "infer", "extract", "rounds", "fields"
    );
    for (site, train) in sites {
        let Some(files) = files(packs, site)? else { continue };
        let pages: Vec<(String, Page)> = files
            .iter()
            .map(|(name, bytes)| anyhow::Ok((name.clone(), Page::parse(bytes, &Default::default())?)))
            .collect::<Result<_, _>>()?;
        let sample = pages.iter().filter(|(name, _)| train.contains(&name.as_str()));
        let sample: Vec<&Page> = sample.map(|(_, page)| page).collect();
        let started = Instant::now();
        let inferred = learn::exalg::infer(&sample, &learn::exalg::Settings::default())?;
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

fn settings(options: &Options) -> anyhow::Result<Settings> {
    let mut settings = Settings {
        seed: options.number("seed", 1)?,
        k: usize::try_from(options.number("k", 2)?)?,
        lattice: options.text("lattice") != Some("off"),
        ..Settings::default()
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

/// Names of pages and their bytes.
type Files = Vec<(String, Vec<u8>)>;

/// The pages of a site, from a directory or a pack; none if there is neither.
fn files(packs: &Path, site: &str) -> anyhow::Result<Option<Files>> {
    let mut directory = packs.join(site);
    let mut unpacked = None;
    if !directory.is_dir() {
        let pack = packs.join(format!("{site}.tar.xz"));
        if !pack.is_file() {
            return Ok(None);
        }
        let place = std::env::temp_dir().join(format!("swde-{}-{site}", std::process::id()));
        std::fs::create_dir_all(&place)?;
        let done = Command::new("tar")
            .arg("-xJf")
            .arg(&pack)
            .arg("-C")
            .arg(&place)
            .status()?;
        if !done.success() {
            bail!("cannot unpack {}", pack.display());
        }
        directory = place.clone();
        unpacked = Some(place);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory.join("pages"))? {
        let path = entry?.path();
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned();
        files.push((name, std::fs::read(&path)?));
    }
    files.sort();
    if let Some(place) = unpacked {
        std::fs::remove_dir_all(place)?;
    }
    Ok(Some(files))
}

//! Prints all figures that are claimed for inference, from one command, as tables.
//!
//! A variant is a way to infer. Each site is parsed once and all variants run on it. Each variant writes its own
//! NDJSON, which the scorer of the benchmark then judges. Nothing here looks at the truth, except for the labels that
//! names are compared with.

use super::sites::{self, Files};
use super::{Tally, extract, infer, labels, parse};
use crate::Options;
use anyhow::{Context as _, bail};
use learn::infer::{LandmarkSettings, Objective, Search};
use serde_json::Value;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use wrapper::rule::landmark::Run;

const MEASURES: [&str; 3] = ["any-of", "lenient", "strict"];

/// The pages to infer from.
#[derive(Clone, Copy)]
enum Train {
    /// The pages that the benchmark lists.
    Listed,
    Drawn {
        count: usize,
        seed: u64,
    },
}

struct Variant {
    table: &'static str,
    name: String,
    settings: LandmarkSettings,
    train: Train,
    /// Are values whole text nodes, as in the truth?
    whole: bool,
    tally: Tally,
    file: PathBuf,
}

/// The scorer's result for a variant, for both truths.
struct Scores([Value; 2]);

impl Scores {
    fn of(&self, truth: usize, measure: &str, figure: &str) -> f64 {
        100.0 * self.0[truth]["overall"][measure][figure].as_f64().unwrap_or(f64::NAN)
    }
}

fn variants(directory: &Path) -> Vec<Variant> {
    let mut all: Vec<Variant> = Vec::new();
    let mut add = |table: &'static str, name: String, settings: LandmarkSettings, train: Train, whole: bool| {
        let file = directory.join(format!("{}.ndjson", all.len()));
        all.push(Variant {
            table,
            name,
            settings,
            train,
            whole,
            tally: Tally::default(),
            file,
        });
    };
    let tokens = |search: Search, lattice: bool, seed: u64, k: Option<usize>| LandmarkSettings {
        objective: Objective::Tokens,
        search,
        lattice,
        seed,
        k,
        ..LandmarkSettings::default()
    };
    let on_off = |lattice: bool| if lattice { "" } else { ", attributes off" };
    for lattice in [true, false] {
        let records = LandmarkSettings {
            lattice,
            ..LandmarkSettings::default()
        };
        let name = format!("records{}", on_off(lattice));
        add("strategies", name, records, Train::Listed, true);
    }
    for (search, name, seeds) in [
        (Search::Astar, "A*", 1),
        (Search::GreedyInf, "greedy-inf", 1),
        (Search::GreedyRnd, "greedy-rnd", 3),
        (Search::Random, "random", 3),
    ] {
        for lattice in [true, false] {
            for seed in 1..=seeds {
                let seeded = if seeds > 1 {
                    format!(", seed {seed}")
                } else {
                    String::new()
                };
                let name = format!("{name}{}{seeded}", on_off(lattice));
                add(
                    "strategies",
                    name,
                    tokens(search, lattice, seed, None),
                    Train::Listed,
                    true,
                );
            }
        }
    }
    for k in [2, 5, 10, 15, 20] {
        let settings = tokens(Search::Astar, true, 1, Some(k));
        add("k", format!("A*, k = {k}"), settings, Train::Listed, true);
    }
    for k in [2, 10] {
        let settings = tokens(Search::Astar, true, 1, Some(k));
        add(
            "k",
            format!("A*, k = {k}, values as cut"),
            settings,
            Train::Listed,
            false,
        );
    }
    for count in [5, 10, 20, 40] {
        for seed in 1..=3 {
            let train = Train::Drawn { count, seed };
            let name = format!("{count} pages, seed {seed}");
            add("training", name, LandmarkSettings::default(), train, true);
        }
    }
    all
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (packs, training) = super::training(options)?;
    let directory = PathBuf::from(options.text("out").unwrap_or("target/swde"));
    std::fs::create_dir_all(&directory)?;
    let wanted = options.text("report").unwrap_or("all");
    let mut variants = variants(&directory);
    variants
        .retain(|variant| wanted == "all" || variant.table == wanted || wanted == "names" && variant.name == "records");
    if variants.is_empty() {
        bail!("unknown report `{wanted}`; there are strategies, k, training, names and all");
    }
    let mut outs = Vec::new();
    for variant in &variants {
        outs.push(BufWriter::new(File::create(&variant.file)?));
    }
    let (mut parsing, mut applying) = (Vec::new(), Vec::new());
    let mut page_labels = labels::Labels::default();
    for (site, listed) in &training {
        let Some(files) = sites::files(&packs, site)? else {
            continue;
        };
        let (pages, parsed) = parse(&files)?;
        for (variant, out) in variants.iter_mut().zip(&mut outs) {
            let train = names_of(variant.train, listed, &files);
            let (found, time) = infer(&pages, &train, &variant.settings)?;
            let (fields, applied) = extract(out, site, &pages, &found.rule, variant.whole)?;
            variant.tally.splits += found.splits;
            variant.tally.times.push(time);
            variant.tally.fields.push(fields);
            if variant.name == "records" {
                // The best of three, because other programs may be running.
                let run = Run::new(&found.rule);
                let again = |work: &dyn Fn() -> usize| {
                    let started = Instant::now();
                    std::hint::black_box(work());
                    started.elapsed()
                };
                let apply = || pages.iter().map(|(_, page)| run.page(page, true).len()).sum();
                let parse_again = || parse(&files).map_or(0, |(pages, _)| pages.len());
                applying.push(applied.min(again(&apply)).min(again(&apply)));
                parsing.push(parsed.min(again(&parse_again)).min(again(&parse_again)));
            }
        }
        page_labels.site(&packs, site, &pages)?;
    }
    drop(outs);
    let mut scores = Vec::new();
    for variant in &variants {
        scores.push(Scores([
            score(&packs, &variant.file, options, false)?,
            score(&packs, &variant.file, options, true)?,
        ]));
    }
    print_tables(&variants, &scores);
    if let Some(at) = variants.iter().position(|variant| variant.name == "records") {
        print_speed(&parsing, &applying);
        page_labels.print(&scores[at].0);
    }
    Ok(ExitCode::SUCCESS)
}

fn names_of(train: Train, listed: &[String], files: &Files) -> Vec<String> {
    match train {
        Train::Listed => listed.to_vec(),
        Train::Drawn { count, seed } => sites::draw(files, count, seed),
    }
}

/// Runs the scorer of the benchmark on a file.
fn score(packs: &Path, file: &Path, options: &Options, expanded: bool) -> anyhow::Result<Value> {
    let mut command = Command::new(options.text("python").unwrap_or("python3"));
    command.arg(packs.join("score.py")).arg(file).arg(packs);
    command.args(["--no-bound", "--json"]);
    if expanded {
        command.arg("--expanded");
    }
    if let Some(sites) = options.text("sites") {
        command.args(["--sites", sites]);
    }
    let out = command.output().context("cannot run the scorer")?;
    if !out.status.success() {
        // No selected site has the expanded truth.
        if expanded && options.text("sites").is_some() {
            return Ok(Value::Null);
        }
        bail!("the scorer failed: {}", String::from_utf8_lossy(&out.stderr));
    }
    Ok(serde_json::from_slice(&out.stdout)?)
}

fn print_tables(variants: &[Variant], scores: &[Scores]) {
    let mut table = "";
    for (variant, scores) in variants.iter().zip(scores) {
        if variant.table != table {
            table = variant.table;
            println!("\n## {table}\n");
            let truths = ["", "expanded "];
            let heads: Vec<String> = truths
                .iter()
                .flat_map(|truth| MEASURES.map(|measure| format!("{truth}{measure} P / R / F")))
                .collect();
            println!("| | {} | fields | splits | ms for 1,000 |", heads.join(" | "));
            println!("|---|{}---|---|---|", "---|".repeat(heads.len()));
        }
        let mut cells = Vec::new();
        for truth in 0..2 {
            for measure in MEASURES {
                let [p, r, f] = ["P", "R", "F(P,R)"].map(|figure| scores.of(truth, measure, figure));
                cells.push(format!("{p:.2} / {r:.2} / {f:.2}"));
            }
        }
        let tally = &variant.tally;
        println!(
            "| {} | {} | {} | {} | {:.1} |",
            variant.name,
            cells.join(" | "),
            tally.count(),
            tally.splits,
            tally.split_time()
        );
    }
}

fn print_speed(parsing: &[Duration], applying: &[Duration]) {
    let sum = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    let mut ratios: Vec<f64> = parsing
        .iter()
        .zip(applying)
        .map(|(parsed, applied)| applied.as_secs_f64() / parsed.as_secs_f64())
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("\n## speed\n");
    println!(
        "Applying takes {:.2} of the time of parsing (median site {:.2}, worst {:.2}), the best of three runs each.",
        sum(applying) / sum(parsing),
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
        ratios.last().copied().unwrap_or(f64::NAN)
    );
}

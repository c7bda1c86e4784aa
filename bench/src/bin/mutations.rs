//! `cargo run --release -p wrapwright-bench --bin mutations`: wrappers for SWDE sites, before and after synthetic
//! redesigns, with and without repair. Prints tables; `--svg FILE` draws the survival curves.
//!
//! ```text
//! --packs DIR      the packs of sites (default ../shared/bench/swde)
//! --sites A,B      only these
//! --split NAME     only the sites for development, or those kept apart: development, opened, apart
//! --kinds A,B      only wrappers of these kinds: paths, landmarks, template, delimiters
//! --seed S         the seed of the page order and of the redesigns (default 1)
//! --seeds N        N seeds from that one on: each site counts once for each (default 1)
//! --only A,B       only redesigns whose names begin so: drift, change, dropped, strength
//! --strengths A,B  only these numbers of steps (default 0,1,2,4,6,8)
//! --jobs N         sites at a time (default 2)
//! --svg FILE       where to draw the curves
//! --keep FILE      a file for the results, written site by site; sites that are already in it are skipped
//! --show yes       also prints which steps were taken, and the fields that are lost
//! --said FILE      a line for each repaired field: how sure it was said to be, and whether it was right
//! --write DIR      where to write the redesigned pages of sites with lost fields, those to repair from first
//! --at-least X     how sure a field must be to be repaired (default as the command's)
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use anyhow::{Context, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use wrapwright_bench::mutate::{Change, Redesign, Sample, drift};
use wrapwright_bench::survival::{
    Counts, Curve, Indexed, Learner, Repaired, Said, Site, Watched, Wrapper, f1, plot, score,
};
use xtask::sites;

const COUNTS: Counts = Counts {
    labelled: 3,
    met: 10,
    fresh: 5,
    scored: 10,
};
/// The numbers of steps after which wrappers are tested.
const STRENGTHS: [usize; 6] = [0, 1, 2, 4, 6, 8];
/// A wrapper with a score below this is considered dead.
const GOOD: f64 = 0.9;

struct Options {
    packs: PathBuf,
    sites: Option<Vec<String>>,
    split: Option<String>,
    kinds: Option<Vec<String>>,
    seed: u64,
    seeds: u64,
    only: Option<Vec<String>>,
    strengths: Vec<usize>,
    jobs: usize,
    svg: Option<PathBuf>,
    keep: Option<PathBuf>,
    show: bool,
    said: Option<PathBuf>,
    write: Option<PathBuf>,
    at_least: f64,
}

/// The fate of one wrapper under one redesign.
#[derive(Clone, Copy, Default)]
struct Fate {
    plain: f64,
    repaired: f64,
    alarmed: bool,
}

/// What a fate belongs to: the redesign, and the wrapper.
type Place = (String, String);

#[derive(Default)]
struct Report {
    fates: BTreeMap<Place, Fate>,
    words: String,
    /// Lines of site, redesign, wrapper, field, how sure, and whether it was right.
    said: String,
    /// For each wrapper, what became of the fields that a redesign dropped. It is not kept in files.
    gone: BTreeMap<String, Gone>,
}

/// What is said of fields that a redesign dropped and the wrapper had before.
#[derive(Clone, Copy, Default)]
struct Gone {
    /// The check is content, and no value is given.
    unnoticed: usize,
    /// The repaired wrapper leaves the field out, which is said.
    told: usize,
    /// Something else is given for it.
    filled: usize,
}

fn main() -> anyhow::Result<()> {
    let options = options()?;
    let mut names: Vec<String> = sites::names(&options.packs)?.into_iter().collect();
    if let Some(wanted) = &options.sites {
        names.retain(|name| wanted.contains(name));
    }
    if let Some(split) = &options.split {
        names.retain(|name| sites::split(name) == split);
    }
    let few = few(&names);
    // The first two sites of each vertical come first, because they are tested with more kinds.
    names.sort_by_key(|name| (!few.contains(name), name.clone()));
    let kept = options.keep.as_deref().map_or_else(|| Ok(Reports::new()), kept)?;
    let seeds = || (0..options.seeds.max(1)).map(|more| options.seed.wrapping_add(more));
    let runs = seeds().flat_map(|seed| names.iter().map(move |name| (name, seed)));
    let runs = runs.map(|(name, seed)| (name, seed, called(name, seed, &options)));
    let missing: Vec<(&String, u64, String)> = runs.filter(|(.., called)| !kept.contains_key(called)).collect();
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(kept));
    std::thread::scope(|scope| {
        let work = || -> anyhow::Result<()> {
            while let Some((site, seed, name)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Some(of) = Site::read(&options.packs, site, *seed, COUNTS)? {
                    let report =
                        look(&of, *seed, few.contains(*site), &options).with_context(|| format!("on {name}"))?;
                    let mut reports = reports.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    if let Some(file) = &options.keep {
                        keep(file, name, &report)?;
                    }
                    if let Some(file) = &options.said {
                        let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
                        out.write_all(report.said.as_bytes())?;
                    }
                    if options.show {
                        print!("{}", report.words);
                    }
                    reports.insert(name.clone(), report);
                    eprintln!("{name}");
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(done) => done,
            Err(_) => bail!("a worker died"),
        })
    })?;
    let reports = reports.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if reports.is_empty() {
        bail!(
            "no site at {}; `--packs DIR` says where they are",
            options.packs.display()
        );
    }
    print_drift(&reports, &few);
    print_changes(&reports);
    print_gone(&reports);
    let curves = print_survival(&reports);
    if let Some(file) = &options.svg {
        let title = "Wrappers under synthetic redesigns (in brackets: how many were good before)";
        let svg = plot(
            title,
            "changes to the template",
            "wrappers with F1 of 0.9 or more",
            &STRENGTHS,
            &curves,
        );
        std::fs::write(file, svg).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// The name of a site in results: with its seed, if there are several.
fn called(name: &str, seed: u64, options: &Options) -> String {
    match options.seeds > 1 {
        true => format!("{name}#{seed}"),
        false => name.to_owned(),
    }
}

/// The site that a name in results is of.
fn site_of(called: &str) -> &str {
    called.split('#').next().unwrap_or(called)
}

const DRIFTS: [(&str, bool, bool); 4] = [
    ("none", false, false),
    ("classes renamed", true, false),
    ("wrappers inserted", false, true),
    ("both", true, true),
];

const CHANGES: [(&str, &[Change]); 8] = [
    ("wrap", &[Change::Wrap]),
    ("unwrap", &[Change::Unwrap]),
    ("reorder", &[Change::Reorder]),
    ("rename", &[Change::Rename(50)]),
    ("adverts", &[Change::Adverts]),
    (
        "drop a field",
        &[
            Change::Drop(0),
            Change::Drop(1),
            Change::Drop(2),
            Change::Drop(3),
            Change::Drop(4),
        ],
    ),
    ("swap columns", &[Change::Swap(0), Change::Swap(1)]),
    ("table to divs", &[Change::Divs]),
];

/// How wrappers are made: the name in tables, the learner, the number of labels, and whether it met pages before the
/// redesign.
const WRAPPERS: [(&str, Learner, usize, bool); 6] = [
    ("paths, 1 label", Learner::Paths, 1, true),
    ("paths, 1 label, profile of labels", Learner::Paths, 1, false),
    ("paths, 3 labels", Learner::Paths, 3, true),
    ("landmarks", Learner::Landmarks, 3, true),
    ("template", Learner::Template, 3, true),
    ("delimiters", Learner::Delimiters, 3, true),
];

/// Is a wrapper tested with a redesign? Drift is for wrappers from labels; only there are both kinds of profiles
/// compared. Single changes are for one wrapper.
fn is_asked(name: &str, redesign: &str) -> bool {
    match redesign.split(' ').next() {
        Some("drift") => name.starts_with("paths"),
        Some("change") => name == "paths, 1 label",
        _ => !name.contains("profile"),
    }
}

/// The first two sites of each vertical.
fn few(names: &[String]) -> BTreeSet<String> {
    let mut verticals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut few = BTreeSet::new();
    for name in names {
        let count = verticals.entry(name.split('-').next().unwrap_or("")).or_default();
        *count += 1;
        if *count <= 2 {
            few.insert(name.clone());
        }
    }
    few
}

/// Adds the results for a site to a file, a line for each wrapper and redesign.
fn keep(file: &Path, site: &str, report: &Report) -> anyhow::Result<()> {
    let mut text = String::new();
    for ((redesign, wrapper), fate) in &report.fates {
        text += &format!(
            "{site}\t{redesign}\t{wrapper}\t{}\t{}\t{}\n",
            fate.plain, fate.repaired, fate.alarmed
        );
    }
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    Ok(out.write_all(text.as_bytes())?)
}

/// Reads the results that were kept.
fn kept(file: &Path) -> anyhow::Result<Reports> {
    let mut reports = Reports::new();
    if !file.exists() {
        return Ok(reports);
    }
    for line in std::fs::read_to_string(file)?.lines() {
        let [site, redesign, wrapper, plain, repaired, alarmed] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!(
                "{}: found {line:?}, expected a line that this program wrote",
                file.display()
            );
        };
        let fate = Fate {
            plain: plain.parse()?,
            repaired: repaired.parse()?,
            alarmed: alarmed == "true",
        };
        let report = reports.entry(site.to_owned()).or_default();
        report.fates.insert((redesign.to_owned(), wrapper.to_owned()), fate);
    }
    Ok(reports)
}

/// Runs all redesigns of a site. Inference is slow, so landmarks, templates and delimiters are tested on few sites.
fn look(site: &Site, seed: u64, is_one_of_few: bool, options: &Options) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let indexed = Indexed::learn(site);
    let mut wrappers: Vec<(&str, Watched)> = Vec::new();
    let is_wanted = |learner: Learner| match &options.kinds {
        Some(kinds) => kinds.iter().any(|kind| kind == learner.name()),
        None => is_one_of_few || learner == Learner::Paths,
    };
    for (name, learner, labels, met) in WRAPPERS {
        if !is_wanted(learner) {
            continue;
        }
        match learner.learn(site, labels, met) {
            Ok(wrapper) => wrappers.push((name, wrapper.at_least(options.at_least))),
            Err(why) => report.words += &format!("{} | no {name}: {why}\n", site.name),
        }
    }
    let is_only = |redesign: &str| {
        let mut only = options.only.iter().flatten();
        options.only.is_none() || only.any(|only| redesign.starts_with(only))
    };
    let mut meet = |redesign: &str, now: &Redesign| -> anyhow::Result<()> {
        let place = |wrapper: &str| (redesign.to_owned(), wrapper.to_owned());
        report.fates.insert(place("indexed path"), fate(&indexed, now, site).0);
        for (name, wrapper) in &wrappers {
            if !is_asked(name, redesign) {
                continue;
            }
            let (fate, new) = fate(wrapper, now, site);
            report.fates.insert(place(name), fate);
            let of = match redesign.starts_with("dropped") {
                true => format!("{name}, each field by itself"),
                false => (*name).to_owned(),
            };
            let gone = report.gone.entry(of).or_default();
            for field in now.dropped() {
                match gone_as(*field, wrapper, new.as_ref(), fate.alarmed, now, site) {
                    Some(Left::Told) => gone.told += 1,
                    Some(Left::Unnoticed) => {
                        gone.unnoticed += 1;
                        report.words += &format!(
                            "{} | {redesign} | {name} | {} was dropped, and is not told\n",
                            site.name, site.fields[*field]
                        );
                    }
                    Some(Left::Filled) => {
                        gone.filled += 1;
                        let new = new.as_ref().unwrap_or(wrapper);
                        let given = now.samples()[site.fresh..].iter().take(3);
                        let given: Vec<_> = given
                            .map(|sample| new.extract(&sample.page).swap_remove(*field))
                            .collect();
                        report.words += &format!(
                            "{} | {redesign} | {name} | {} was dropped, and is filled: {given:.120?}, was {:.60?}, said {:.2?}\n",
                            site.name,
                            site.fields[*field],
                            site.later[site.fresh].truth[*field],
                            new.said()[*field],
                        );
                    }
                    None => {}
                }
            }
            for (field, said, right) in new.as_ref().map(|new| judged(new, now, site)).unwrap_or_default() {
                let field = &site.fields[field];
                let Said { score, sure, .. } = said;
                report.said += &format!(
                    "{}\t{redesign}\t{name}\t{field}\t{score:.4}\t{sure:.4}\t{right}\n",
                    site.name
                );
            }
            if options.show && fate.repaired < GOOD {
                report.words += &told(site, redesign, name, new.as_ref().unwrap_or(wrapper), wrapper, now);
                if let Some(folder) = &options.write {
                    write_pages(&folder.join(format!("{}-{redesign}", site.name).replace(' ', "-")), now)?;
                }
            }
        }
        Ok(())
    };
    for (name, renamed, wrapped) in DRIFTS.into_iter().filter(|_| is_only("drift")) {
        let now = drift(site.later.clone(), &site.name, seed, renamed, wrapped)?;
        meet(&format!("drift {name}"), &now)?;
    }
    for (name, changes) in CHANGES.into_iter().filter(|_| is_only("change")) {
        let mut now = Redesign::new(site.later.clone(), &site.name, seed)?;
        if changes.iter().any(|change| now.make(*change)) {
            meet(&format!("change {name}"), &now)?;
        }
    }
    for field in (0..site.fields.len()).filter(|_| is_only("dropped")) {
        let mut now = Redesign::new(site.later.clone(), &site.name, seed)?;
        if now.make(Change::Drop(field)) && now.make(Change::Rename(50)) && now.make(Change::Wrap) {
            meet(&format!("dropped {}", site.fields[field]), &now)?;
        }
    }
    let mut now = Redesign::new(site.later.clone(), &site.name, seed)?;
    for strength in options.strengths.iter().copied().filter(|_| is_only("strength")) {
        while now.steps().len() < strength {
            if !now.step() {
                bail!("no step number {} can be taken", now.steps().len() + 1);
            }
        }
        meet(&format!("strength {strength}"), &now)?;
    }
    for step in now.steps() {
        report.words += &format!("{} | {:.200}\n", site.name, step.to_string());
    }
    Ok(report)
}

/// Runs a wrapper on a redesign.
fn fate<W: Wrapper>(wrapper: &W, now: &Redesign, site: &Site) -> (Fate, Option<W>) {
    let (fresh, scored) = now.samples().split_at(site.fresh);
    let plain = score(wrapper, scored, now.dropped());
    match wrapper.repair(fresh) {
        Repaired::New(new) => {
            let repaired = score(&new, scored, now.dropped());
            (
                Fate {
                    plain,
                    repaired,
                    alarmed: true,
                },
                Some(new),
            )
        }
        repaired => (
            Fate {
                plain,
                repaired: plain,
                alarmed: matches!(repaired, Repaired::Lost),
            },
            None,
        ),
    }
}

/// What became of a field that was dropped.
enum Left {
    Told,
    Unnoticed,
    Filled,
}

/// What is said of a field that the redesign dropped; nothing if the wrapper did not give it before, and nothing else in its place, on most
/// pages.
fn gone_as<W: Wrapper>(
    field: usize,
    old: &W,
    new: Option<&W>,
    alarmed: bool,
    now: &Redesign,
    site: &Site,
) -> Option<Left> {
    let gives = |wrapper: &W, sample: &Sample| !wrapper.extract(&sample.page)[field].is_empty();
    let was_right = |sample: &&Sample| {
        let given = old.extract(&sample.page).swap_remove(field);
        let is_right = |text: &String| sample.truth[field].contains(&sites::normal(text));
        !given.is_empty() && given.iter().all(is_right)
    };
    let had = site.met.iter().filter(was_right).count();
    if had * 2 < site.met.len() {
        return None;
    }
    let scored = &now.samples()[site.fresh..];
    let is_filled = scored.iter().any(|sample| gives(new.unwrap_or(old), sample));
    let is_told = match new {
        Some(new) => new.said()[field].is_some_and(|said| said.left_out),
        None => alarmed,
    };
    Some(match (is_filled, is_told) {
        (true, _) => Left::Filled,
        (false, true) => Left::Told,
        (false, false) => Left::Unnoticed,
    })
}

/// The fields that a repaired wrapper gives: how sure they were said to be, and whether they are right on the scored pages,
/// which is so if nine of ten values are.
fn judged<W: Wrapper>(new: &W, now: &Redesign, site: &Site) -> Vec<(usize, Said, bool)> {
    let scored = &now.samples()[site.fresh..];
    let found: Vec<Vec<Vec<String>>> = scored.iter().map(|sample| new.extract(&sample.page)).collect();
    let mut judged = Vec::new();
    for (field, said) in new.said().into_iter().enumerate() {
        let (mut right, mut given) = (0, 0);
        for (found, sample) in found.iter().zip(scored) {
            given += found[field].len();
            right += found[field]
                .iter()
                .filter(|text| sample.truth[field].contains(&sites::normal(text)))
                .count();
        }
        if let Some(said) = said.filter(|_| given > 0) {
            judged.push((field, said, right * 10 >= given * 9));
        }
    }
    judged
}

/// Writes the pages of a redesign into a folder, numbered in their order.
fn write_pages(folder: &Path, now: &Redesign) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, sample) in now.samples().iter().enumerate() {
        let html = sample.page.to_html(page::NodeId::DOCUMENT);
        std::fs::write(folder.join(format!("{number:02}.html")), html)?;
    }
    Ok(())
}

/// Describes which fields are lost, and what was found again of them on a page.
fn told(site: &Site, redesign: &str, name: &str, new: &Watched, old: &Watched, now: &Redesign) -> String {
    let (fresh, scored) = now.samples().split_at(site.fresh);
    let values = |wrapper: &Watched| {
        let found: Vec<Vec<Vec<String>>> = scored.iter().map(|sample| wrapper.extract(&sample.page)).collect();
        f1(&found, scored, now.dropped())
    };
    let again: Vec<Vec<Vec<String>>> = fresh.iter().map(|sample| old.recovered(&sample.page)).collect();
    let (before, after, items) = (values(old), values(new), f1(&again, fresh, now.dropped()));
    let mut out = String::new();
    for (field, score) in after.into_iter().enumerate() {
        if let Some(score) = score.filter(|score| *score < GOOD) {
            out += &format!(
                "{} | {redesign} | {name} | {}: F1 {score:.2}, not repaired {:.2}, items {:.2}: {:.60?}, right {:.60?}, \
                 said {:.2?}, given {:.60?}, right {:.60?}\n",
                site.name,
                site.fields[field],
                before[field].unwrap_or(f64::NAN),
                items[field].unwrap_or(f64::NAN),
                again[0][field],
                fresh[0].truth[field],
                new.said().get(field),
                new.extract(&scored[0].page)[field],
                scored[0].truth[field],
            );
            let on = |wrapper: &Watched, pages: &[Sample]| -> Vec<Vec<String>> {
                let given = pages
                    .iter()
                    .map(|sample| wrapper.extract(&sample.page).swap_remove(field));
                given.collect()
            };
            out += &format!(
                "    paths {:?}\n    repaired from {:.300?}\n    given {:.400?}\n    right {:.400?}\n",
                new.paths(field),
                on(new, fresh),
                on(new, scored),
                scored.iter().map(|sample| &sample.truth[field]).collect::<Vec<_>>(),
            );
        }
    }
    let alarm = old.alarm(fresh).unwrap_or_else(|| "none".to_owned());
    out + &format!("{} | {redesign} | {name} | alarm: {alarm:.300}\n", site.name)
}

type Reports = BTreeMap<String, Report>;

fn of(reports: &Reports, redesign: &str, wrapper: &str) -> Vec<Fate> {
    let place = (redesign.to_owned(), wrapper.to_owned());
    reports
        .values()
        .filter_map(|report| report.fates.get(&place).copied())
        .collect()
}

/// The wrappers that were tested with a redesign whose name begins like this.
fn wrappers(reports: &Reports, redesign: &str) -> BTreeSet<String> {
    let places = reports.values().flat_map(|report| report.fates.keys());
    places
        .filter(|(met, _)| met.starts_with(redesign))
        .map(|(_, wrapper)| wrapper.clone())
        .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    values.for_each(|value| {
        sum += value;
        count += 1.0;
    });
    sum / f64::max(count, 1.0)
}

/// Prints F1 after drift, on the first two sites of each vertical and on all.
fn print_drift(reports: &Reports, few: &BTreeSet<String>) {
    for (what, all) in [("the first two sites of each vertical", false), ("all sites", true)] {
        let chosen = || reports.iter().filter(|(site, _)| all || few.contains(site_of(site)));
        let count = chosen().count();
        println!("\n## drift, {what} ({count})\n");
        println!("| wrapper | repair | {} |", DRIFTS.map(|(name, ..)| name).join(" | "));
        println!("|---|---|{}", "---|".repeat(DRIFTS.len()));
        for wrapper in wrappers(reports, "drift") {
            for repair in [false, true] {
                let cells = DRIFTS.map(|(name, ..)| {
                    let place = (format!("drift {name}"), wrapper.clone());
                    let fates = chosen().map(|(_, report)| report.fates.get(&place).copied().unwrap_or_default());
                    format!(
                        "{:.3}",
                        mean(fates.map(|fate| if repair { fate.repaired } else { fate.plain }))
                    )
                });
                println!(
                    "| {wrapper} | {} | {} |",
                    if repair { "with" } else { "without" },
                    cells.join(" | ")
                );
            }
        }
    }
}

/// Prints the effect of each change by itself.
fn print_changes(reports: &Reports) {
    for wrapper in wrappers(reports, "change") {
        println!("\n## one change, {wrapper}\n");
        println!("| change | sites | F1 without | with repair | alarms |\n|---|---|---|---|---|");
        for (change, _) in CHANGES {
            let fates = of(reports, &format!("change {change}"), &wrapper);
            println!(
                "| {change} | {} | {:.3} | {:.3} | {} |",
                fates.len(),
                mean(fates.iter().map(|fate| fate.plain)),
                mean(fates.iter().map(|fate| fate.repaired)),
                fates.iter().filter(|fate| fate.alarmed).count()
            );
        }
    }
}

/// Prints what became of dropped fields, over all redesigns.
fn print_gone(reports: &Reports) {
    let mut all: BTreeMap<&str, Gone> = BTreeMap::new();
    for (wrapper, gone) in reports.values().flat_map(|report| &report.gone) {
        let sum = all.entry(wrapper).or_default();
        sum.told += gone.told;
        sum.unnoticed += gone.unnoticed;
        sum.filled += gone.filled;
    }
    println!("\n## fields that a redesign dropped\n");
    println!("| wrapper | fields | told as gone | missing, not told | filled with something else | told % |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (wrapper, gone) in all {
        let sum = gone.told + gone.unnoticed + gone.filled;
        println!(
            "| {wrapper} | {sum} | {} | {} | {} | {:.1} |",
            gone.told,
            gone.unnoticed,
            gone.filled,
            100.0 * gone.told as f64 / sum.max(1) as f64
        );
    }
}

/// Prints survival by strength, for the wrappers that were good before.
fn print_survival(reports: &Reports) -> Vec<Curve> {
    let mut curves = Vec::new();
    for wrapper in wrappers(reports, "strength") {
        let good = |report: &&Report| {
            let before = report.fates.get(&("strength 0".to_owned(), wrapper.clone()));
            before.is_some_and(|fate| fate.plain >= GOOD)
        };
        let place = ("strength 0".to_owned(), wrapper.clone());
        let asked = reports
            .values()
            .filter(|report| report.fates.contains_key(&place))
            .count();
        let good: Vec<&Report> = reports.values().filter(good).collect();
        println!(
            "\n## survival, {wrapper}: {} of {} sites were good before\n",
            good.len(),
            asked
        );
        println!("| strength | F1 without | F1 with repair | survive without | survive with repair | alarms |");
        println!("|---|---|---|---|---|---|");
        let mut shares = [Vec::new(), Vec::new()];
        for (number, strength) in STRENGTHS.into_iter().enumerate() {
            let place = (format!("strength {strength}"), wrapper.clone());
            let fates: Vec<Fate> = good
                .iter()
                .filter_map(|report| report.fates.get(&place).copied())
                .collect();
            let alive = |value: f64| f64::from(u8::from(value >= GOOD));
            let alarms = fates.iter().filter(|fate| fate.alarmed).count();
            shares[0].push(mean(fates.iter().map(|fate| alive(fate.plain))));
            shares[1].push(mean(fates.iter().map(|fate| alive(fate.repaired))));
            if fates.is_empty() {
                continue;
            }
            println!(
                "| {strength} | {:.3} | {:.3} | {:.2} | {:.2} | {alarms} |",
                mean(fates.iter().map(|fate| fate.plain)),
                mean(fates.iter().map(|fate| fate.repaired)),
                shares[0][number],
                shares[1][number]
            );
        }
        let [plain, repaired] = shares;
        // If no wrapper was good there is nothing to draw, and the baseline is not repaired.
        let drawn = [(repaired, true), (plain, false)].into_iter();
        let drawn = drawn.filter(|(_, repaired)| !good.is_empty() && (!*repaired || wrapper != "indexed path"));
        for (shares, repaired) in drawn {
            curves.push(Curve {
                kind: format!("{wrapper} ({})", good.len()),
                repaired,
                shares,
            });
        }
    }
    curves
}

fn options() -> anyhow::Result<Options> {
    let mut options = Options {
        packs: PathBuf::from(sites::PACKS),
        sites: None,
        split: None,
        kinds: None,
        seed: 1,
        seeds: 1,
        only: None,
        strengths: STRENGTHS.to_vec(),
        jobs: 2,
        svg: None,
        keep: None,
        show: false,
        said: None,
        write: None,
        at_least: tend::ENOUGH,
    };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words.next().with_context(|| format!("`{name}` needs a value"))?;
        let list = || Some(value.split(',').map(str::to_owned).collect());
        match name.as_str() {
            "--packs" => options.packs = PathBuf::from(value),
            "--sites" => options.sites = list(),
            "--split" => options.split = Some(value),
            "--kinds" => options.kinds = list(),
            "--seed" => options.seed = value.parse()?,
            "--seeds" => options.seeds = value.parse()?,
            "--only" => options.only = list(),
            "--strengths" => {
                let numbers = value.split(',').map(str::parse);
                options.strengths = numbers.collect::<Result<_, _>>()?;
            }
            "--jobs" => options.jobs = value.parse()?,
            "--keep" => options.keep = Some(PathBuf::from(value)),
            "--svg" => options.svg = Some(PathBuf::from(value)),
            "--show" => options.show = value == "yes",
            "--at-least" => options.at_least = value.parse()?,
            "--write" => options.write = Some(PathBuf::from(value)),
            "--said" => options.said = Some(PathBuf::from(value)),
            _ => bail!(
                "unknown option `{name}`; known: --packs, --sites, --split, --kinds, --seed, --seeds, --only, --strengths, --jobs, --svg, --keep, --show, --said, --write, --at-least"
            ),
        }
    }
    Ok(options)
}

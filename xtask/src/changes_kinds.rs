//! `cargo xtask changes --part kinds`: sites before and after a redesign, for wrappers of other kinds than paths.
//!
//! Delimiters are learned by value from the pages before, for sites of lists; expressions are the paths learned there,
//! written as OXPath. Each is watched, checked on the pages after, and repaired with them; what the repaired wrapper gives is
//! scored, and of what kind it then is. Kinds that are inferred need several pages, which few of these sites have.
//!
//! Two scores: *forced*, with all fields that were found again, and *used*, what a user gets: without the fields that are less
//! sure than `--at-least`, and the old wrapper where no common field is sure enough. The table at the end compares how sure
//! fields were said to be with how many of them were right.

use crate::Options;
use crate::changes::{Sample, Score, Side, add, bare, side};
use learn::guided::{Chapter, learn_tables, record_type};
use learn::label::{Wanted as Labelled, place};
use learn::{Allow, DelimiterSettings, Example, learn_best};
use page::{Document, NodeId};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{Repair, compare, repair, repair_at_least};
use wrapper::rule::paths::to_oxpath;
use wrapper::{Rule, Wrapper};

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/changes"));
    let mut sites: Vec<PathBuf> = std::fs::read_dir(&data)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    sites.sort();
    sites.retain(|path| path.is_dir());
    let named = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(half) = options.text("split") {
        sites.retain(|path| xtask::sites::split(&named(path)) == half);
    }
    if let Some(wanted) = options.text("sites") {
        sites.retain(|path| wanted.split(',').any(|name| name == named(path)));
        anyhow::ensure!(
            !sites.is_empty(),
            "no site at {} has a name of `{wanted}`",
            data.display()
        );
    }
    let at_least: f64 = match options.text("at-least") {
        Some(text) => text.parse()?,
        None => tend::ENOUGH,
    };
    for (kind, make) in [
        ("paths", rules as fn(&Side) -> Option<Wrapper>),
        ("oxpath", expression),
        ("delimiters", delimiters),
    ] {
        println!("{kind}: site, before, after, alarm, forced R/P, used R/P, kind then");
        let mut count = 0.0;
        let mut all = Tally::default();
        for site in &sites {
            let Some(line) = one(site, make, at_least, &mut all)? else {
                continue;
            };
            println!("  {:<30} {line}", named(site));
            count += 1.0;
        }
        let mean = |(recall, precision): (f64, f64)| {
            let count = f64::max(count, 1.0);
            format!("{:.3}/{:.3}", recall / count, precision / count)
        };
        println!(
            "{kind}: {count} sites with such a wrapper before; alarms on {} of {} that broke; forced {}; used {}",
            all.alarms,
            all.broken,
            mean(all.forced),
            mean(all.used)
        );
        println!("  said     fields  right");
        for (at, (right, fields)) in all.said.iter().enumerate().filter(|(_, (_, fields))| *fields > 0) {
            let (low, high) = (at as f64 / 10.0, (at + 1) as f64 / 10.0);
            println!(
                "  {low:.1}..{high:.1} {fields:>7} {:>6.2}",
                *right as f64 / *fields as f64
            );
        }
        println!();
    }
    Ok(ExitCode::SUCCESS)
}

/// What was counted over all sites.
#[derive(Default)]
struct Tally {
    alarms: usize,
    broken: usize,
    /// Sums of recall and precision.
    forced: (f64, f64),
    used: (f64, f64),
    /// By how sure fields were said to be: how many were right, of how many.
    said: [(usize, usize); 10],
}

impl Tally {
    /// Compares how sure the fields of a repair are with how many of their values are right.
    fn judge(&mut self, repair: &Repair, side: &Side, documents: &[Document]) {
        let Ok(runner) = repair.wrapper.runner() else { return };
        let rows: Vec<_> = documents.iter().map(|document| runner.rows(document)).collect();
        for (number, want) in side.wanted.iter().enumerate() {
            let Some(field) = repair.fields.iter().find(|field| field.name == want.name) else {
                continue;
            };
            let (mut hits, mut given) = (0, 0);
            for (rows, sample) in rows.iter().zip(&side.pages) {
                let right: Vec<String> = sample
                    .records
                    .iter()
                    .flat_map(|row| &row[number])
                    .map(|text| bare(text))
                    .collect();
                let mine: Vec<String> = rows[0]
                    .iter()
                    .flat_map(|row| &row[number])
                    .map(|text| bare(text))
                    .collect();
                hits += mine.iter().filter(|text| right.contains(text)).count();
                given += mine.len();
            }
            if given > 0 {
                let bucket = &mut self.said[((field.sure * 10.0) as usize).min(9)];
                bucket.0 += usize::from(hits * 10 >= given * 9);
                bucket.1 += 1;
            }
        }
    }
}

/// Runs one kind of wrapper on a site; `None` if there is no such wrapper.
fn one(
    site: &Path,
    make: fn(&Side) -> Option<Wrapper>,
    at_least: f64,
    all: &mut Tally,
) -> anyhow::Result<Option<String>> {
    let (before, after) = (side(&site.join("before"))?, side(&site.join("after"))?);
    let Some(wrapper) = make(&before) else {
        return Ok(None);
    };
    let old = documents(&before);
    let first = score(&wrapper, &before, &old);
    if first.recall() < 0.8 {
        return Ok(None);
    }
    let new = documents(&after);
    let then = score(&wrapper, &after, &new);
    let alarm = !compare(&wrapper, wrapper.observe(&new)?)?.is_fine();
    let works = then.recall() > 0.99 && then.precision() > 0.99;
    all.broken += usize::from(!works);
    all.alarms += usize::from(!works && alarm);
    let job = page::Job::new();
    // What nobody complains of is not repaired.
    let (forced, used, kind) = match alarm {
        false => (then, then, "as it was".to_owned()),
        true => {
            let forced = match repair(&wrapper, &new, &job) {
                Ok(repaired) => {
                    all.judge(&repaired, &after, &new);
                    score(&repaired.wrapper, &after, &new)
                }
                Err(_) => Score::default(),
            };
            match repair_at_least(&wrapper, &new, at_least, &job) {
                Ok(repaired) if repaired.needed().any(|field| field.sure >= at_least) => {
                    let out = repaired.fields.iter().filter(|field| field.left_out).count();
                    let kind = repaired.wrapper.rule.kind();
                    let words = format!("{kind}, {:.2} sure, {out} left out", repaired.sure());
                    (forced, score(&repaired.wrapper, &after, &new), words)
                }
                Ok(repaired) => (forced, then, format!("refused, {:.2} sure", repaired.sure())),
                Err(error) => (forced, then, error.to_string()),
            }
        }
    };
    all.forced = (all.forced.0 + forced.recall(), all.forced.1 + forced.precision());
    all.used = (all.used.0 + used.recall(), all.used.1 + used.precision());
    let alarm = if alarm { "alarm" } else { "-    " };
    Ok(Some(format!("{first} {then} {alarm} {forced} {used} {kind}")))
}

pub(crate) fn documents(side: &Side) -> Vec<Document> {
    let each = side.pages.iter().map(|sample| Document {
        name: sample.name.as_str().into(),
        url: None,
        page: sample.page.clone().into(),
        source: Some(source(sample).into()),
    });
    each.collect()
}

/// The page written as HTML, because the reader of the data does not keep the decoded source.
fn source(sample: &Sample) -> String {
    sample.page.to_html(NodeId::DOCUMENT)
}

pub(crate) fn score(wrapper: &Wrapper, side: &Side, documents: &[Document]) -> Score {
    let mut score = Score::default();
    let Ok(runner) = wrapper.runner() else { return score };
    for (sample, document) in side.pages.iter().zip(documents) {
        let found: Vec<Vec<(usize, String)>> = runner.rows(document)[0]
            .iter()
            .map(|row| {
                let cells = row.iter().enumerate();
                cells
                    .flat_map(|(field, values)| values.iter().map(move |text| (field, bare(text))))
                    .collect()
            })
            .collect();
        add(&mut score, &found, &sample.records);
    }
    score
}

/// The wrapper that the library makes of a rule, on the pages before the change.
fn made(side: &Side, rule: Rule) -> Option<Wrapper> {
    Wrapper::made(rule, record_type("record", &side.wanted), None, &documents(side)).ok()
}

pub(crate) fn rules(side: &Side) -> Option<Wrapper> {
    let schema = record_type("record", &side.wanted);
    let chapters: Vec<Chapter<'_>> = side
        .pages
        .iter()
        .map(|sample| Chapter {
            name: &sample.name,
            page: &sample.page,
            rows: vec![sample.records.clone()],
            pins: Vec::new(),
        })
        .collect();
    let (rule, _) = learn_tables(&schema, &chapters, &[], &[side.listed], &page::Job::new()).ok()?;
    made(side, Rule::Paths(rule))
}

fn expression(side: &Side) -> Option<Wrapper> {
    let learned = rules(side)?;
    let Rule::Paths(rule) = &learned.rule else { return None };
    let text = to_oxpath(rule, &learned.record_type, "doc('http://example.org/')")?;
    made(side, Rule::Oxpath(text))
}

fn delimiters(side: &Side) -> Option<Wrapper> {
    if !side.listed {
        return None;
    }
    let sources: Vec<String> = side.pages.iter().map(source).collect();
    let mut examples = Vec::new();
    for (sample, text) in side.pages.iter().zip(&sources) {
        let values: Vec<Labelled> = sample
            .records
            .iter()
            .enumerate()
            .flat_map(|(tuple, record)| {
                record.iter().enumerate().filter_map(move |(field, values)| {
                    values.first().map(|text| Labelled {
                        field,
                        text: text.clone(),
                        tuple,
                    })
                })
            })
            .collect();
        examples.push(Example {
            name: &sample.name,
            text,
            values: place(text, &values).ok()?.values,
        });
    }
    learn::check_labels(side.wanted.len(), &examples).ok()?;
    let how = DelimiterSettings {
        allow: Allow::ALL,
        soft: true,
        ..DelimiterSettings::default()
    };
    let learned = learn_best(side.wanted.len(), &examples, &how, &page::Job::new()).ok()?;
    made(side, Rule::Delimiters(learned.rule))
}

//! `cargo xtask changes --part kinds`: sites before and after a redesign, for wrappers of other kinds than paths.
//!
//! Delimiters are learned by value from the pages before, for sites of lists; expressions are the paths learned there,
//! written as OXPath. Each is watched, checked on the pages after, and repaired with them; what the repaired wrapper gives is
//! scored, and of what kind it then is. Kinds that are inferred need several pages, which few of these sites have.

use crate::Options;
use crate::changes::{Sample, Score, Side, add, bare, side};
use learn::guided::{Chapter, learn_tables, record_type};
use learn::label::{Wanted as Labelled, place};
use learn::{Allow, DelimiterSettings, Example, learn_best};
use page::{Document, NodeId};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tend::{compare, repair};
use wrapper::rule::paths::to_oxpath;
use wrapper::{Rule, Wrapper};

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/changes"));
    let mut sites: Vec<PathBuf> = std::fs::read_dir(&data)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    sites.sort();
    sites.retain(|path| path.is_dir());
    for (kind, make) in [
        ("paths", rules as fn(&Side) -> Option<Wrapper>),
        ("oxpath", expression),
        ("delimiters", delimiters),
    ] {
        println!("{kind}: site, before, after, alarm, repaired R/P, kind then");
        let (mut count, mut alarms, mut broken, mut sums) = (0.0, 0, 0, (0.0, 0.0));
        let mut accepted: Vec<(f64, f64, f64)> = Vec::new();
        for site in &sites {
            let name = site.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(line) = one(site, make, &mut alarms, &mut broken)? else {
                continue;
            };
            println!("  {name:<30} {}", line.1);
            sums = (sums.0 + line.0.recall(), sums.1 + line.0.precision());
            accepted.extend(line.2.map(|sure| (sure, line.0.recall(), line.0.precision())));
            count += 1.0;
        }
        println!(
            "{kind}: {count} sites with such a wrapper before; alarms on {alarms} of {broken} that broke; repaired {:.3}/{:.3}",
            sums.0 / f64::max(count, 1.0),
            sums.1 / f64::max(count, 1.0)
        );
        for least in [0.0, 0.2, 0.3, 0.4, 0.5, 0.6] {
            let kept: Vec<&(f64, f64, f64)> = accepted.iter().filter(|(sure, ..)| *sure >= least).collect();
            let mean = |of: fn(&(f64, f64, f64)) -> f64| {
                kept.iter().map(|each| of(each)).sum::<f64>() / kept.len().max(1) as f64
            };
            println!(
                "  at least {least:.1} sure: {} of {} repairs, {:.3}/{:.3}",
                kept.len(),
                accepted.len(),
                mean(|each| each.1),
                mean(|each| each.2)
            );
        }
        println!();
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one kind of wrapper on a site; `None` if there is no such wrapper.
fn one(
    site: &Path,
    make: fn(&Side) -> Option<Wrapper>,
    alarms: &mut usize,
    broken: &mut usize,
) -> anyhow::Result<Option<(Score, String, Option<f64>)>> {
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
    *broken += usize::from(!works);
    *alarms += usize::from(!works && alarm);
    // What nobody complains of is not repaired.
    let (score, kind, sure) = match alarm {
        false => (then, "as it was".to_owned(), None),
        true => match repair(&wrapper, &new, &page::Job::new()) {
            Ok(repaired) => (
                score(&repaired.wrapper, &after, &new),
                format!("{}, {:.2} sure", repaired.wrapper.rule.kind(), repaired.sure()),
                Some(repaired.sure()),
            ),
            Err(error) => (Score::default(), error.to_string(), None),
        },
    };
    let line = format!(
        "{first} {then} {} {score} {kind}",
        if alarm { "alarm" } else { "-    " }
    );
    Ok(Some((score, line, sure)))
}

pub(crate) fn documents(side: &Side) -> Vec<Document> {
    let each = side.pages.iter().map(|sample| Document {
        name: sample.name.as_str().into(),
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
    let (rule, _) = learn_tables(&schema, &chapters, &[side.listed], &page::Job::new()).ok()?;
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

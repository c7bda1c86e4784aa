//! `wrapwright infer`: a wrapper from pages alone.

use crate::Exit;
use crate::args::{Aim, Clusters, Format, InferArgs, Method, Seek};
use crate::progress::InferProgress;
use crate::{interrupt, report, sheets, whole};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wrapwright::artifact::{Artifact, Evidence, FieldEvidence, Rule, Seen, hash};
use wrapwright::input;
use wrapwright::learn::choose::{Description, describe};
use wrapwright::learn::exalg;
use wrapwright::learn::infer::{InferError, Inferred, Objective, Search, Settings as How, clusters, infer};
use wrapwright::rule::landmark::{Event, Run, schema};
use wrapwright::rule::template;
use wrapwright::{Page, Settings};

/// Runs the command.
pub(crate) fn run(args: &InferArgs) -> anyhow::Result<Exit> {
    if let Some(charset) = args
        .charset
        .as_deref()
        .filter(|charset| !wrapwright::is_charset(charset))
    {
        report::mistake(&format!("found the unknown charset `{charset}`"), None);
        return Ok(Exit::Mistake);
    }
    if args.clusters == Clusters::Auto && args.output.is_none() {
        report::mistake(
            "found --clusters auto without -o, expected a file",
            Some("there may be several wrappers, which standard output cannot hold: add -o site.wrapper.json"),
        );
        return Ok(Exit::Mistake);
    }
    let stop = interrupt::flag();
    let (pages, failed) = read(args);
    let sample: Vec<&Page> = pages.iter().map(|(_, page)| &**page).collect();
    let groups = clusters(&sample);
    let several = args.clusters == Clusters::Auto && groups.len() > 1;
    if groups.len() > 1 {
        let sizes: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
        let count = groups.len();
        let sizes = sizes.join(", ");
        if !several {
            report::words(&format!(
                "warning: the pages look as if {count} templates had made them ({sizes} pages); \
                 --clusters auto makes a wrapper for each"
            ));
        } else if !args.quiet {
            report::words(&format!(
                "the pages look as if {count} templates had made them ({sizes} pages)"
            ));
        }
    }
    if !several {
        let all: Vec<&(String, Arc<Page>)> = pages.iter().collect();
        let done = one(args, &all, args.output.as_deref(), &stop)?;
        return Ok(ending(done, failed > 0 || stop.load(Ordering::Relaxed)));
    }
    let mut skipped = 0;
    for (number, group) in groups.iter().enumerate() {
        let group: Vec<&(String, Arc<Page>)> = group.iter().map(|at| &pages[*at]).collect();
        if let [(name, _)] = group[..] {
            skipped += 1;
            report::words(&format!(
                "warning: {name}: no other page is like it, so that it tells no template"
            ));
            continue;
        }
        let file = args.output.as_deref().map(|file| numbered(file, number + 1));
        if !one(args, &group, file.as_deref(), &stop)? {
            skipped += 1;
        }
    }
    Ok(ending(
        skipped < groups.len(),
        failed + skipped > 0 || stop.load(Ordering::Relaxed),
    ))
}

fn ending(done: bool, partly: bool) -> Exit {
    match (done, partly) {
        (false, _) => Exit::Mistake,
        (true, true) => Exit::Partial,
        (true, false) => Exit::Fine,
    }
}

/// The file of a further wrapper: `site.2.wrapper.json` beside `site.wrapper.json`.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (stem, rest) = name
        .split_once('.')
        .map_or((&*name, String::new()), |(stem, rest)| (stem, format!(".{rest}")));
    file.with_file_name(format!("{stem}.{number}{rest}"))
}

/// The pages that were named, or a sample of them, and how many could not be read.
fn read(args: &InferArgs) -> (Vec<(String, Arc<Page>)>, usize) {
    let (mut places, errors) = input::find(args.pages.iter().map(String::as_str));
    for error in &errors {
        report::input(error, Format::Text);
    }
    let given = places.len();
    if given > args.sample.max(2) {
        places = sample(places, args.sample.max(2), args.seed);
        if !args.quiet {
            report::words(&format!(
                "looking at {} of {given} pages, drawn with seed {}",
                places.len(),
                args.seed
            ));
        }
    }
    let settings = Settings {
        charset: args.charset.clone(),
        ..Settings::default()
    };
    let mut pages: Vec<(String, Arc<Page>)> = Vec::new();
    let mut failed = errors.len();
    for place in &places {
        match place.read(&settings) {
            Ok(page) => pages.push((place.to_string(), page.into())),
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    (pages, failed)
}

/// Infers a wrapper and writes it; false if there is none.
fn one(
    args: &InferArgs,
    pages: &[&(String, Arc<Page>)],
    output: Option<&Path>,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<bool> {
    let progress = InferProgress::new(args.quiet);
    let how = How {
        objective: match args.objective {
            Aim::Records => Objective::Records,
            Aim::Tokens => Objective::Tokens,
        },
        search: match args.search {
            Seek::Astar => Search::Astar,
            Seek::GreedyInf => Search::GreedyInf,
            Seek::GreedyRnd => Search::GreedyRnd,
            Seek::Random => Search::Random,
        },
        k: args.k,
        lattice: !args.no_lattice,
        attributes: args.attributes.clone(),
        values: args.values.clone(),
        all: args.all,
        seed: args.seed,
        stop: Some(Arc::clone(stop)),
        progress: Some(progress.shared()),
        ..How::default()
    };
    let sample: Vec<&Page> = pages.iter().map(|(_, page)| &**page).collect();
    let made = match args.method {
        Method::Landmarks => landmarks(args, pages, &sample, &how).map(|made| made.artifact),
        Method::Exalg => exalg(args, pages, &sample).map(|made| made.artifact),
        Method::Auto => auto(args, pages, &sample, &how),
    };
    progress.finish();
    let artifact = match made {
        Ok(artifact) => artifact,
        Err(error) => {
            let hint = match error {
                InferError::TooFew(_) => Some("name more pages of the site, or a directory of them"),
                InferError::Identical => Some("--all makes fields of what all pages say, too"),
                _ => None,
            };
            report::mistake(&error.to_string(), hint);
            return Ok(false);
        }
    };
    if stop.load(Ordering::Relaxed) {
        report::words("interrupted: the wrapper is the best found so far");
    }
    let json = artifact.to_json();
    whole::write_or_print(output, json.as_bytes())?;
    if !args.quiet {
        let names: Vec<&str> = match &artifact.rule {
            Rule::Landmarks(rule) => rule.fields.iter().map(|field| field.name.as_str()).collect(),
            Rule::Template(rule) => rule.fields.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        report::words(&format!(
            "{} fields from {} pages: {}",
            names.len(),
            pages.len(),
            names.join(", ")
        ));
    }
    Ok(true)
}

/// A wrapper, and how well it describes the pages.
struct Made {
    artifact: Artifact,
    description: Description,
}

/// Both methods; the shorter description wins.
fn auto(args: &InferArgs, pages: &[&(String, Arc<Page>)], sample: &[&Page], how: &How) -> Result<Artifact, InferError> {
    let (landmarks, exalg) = match (landmarks(args, pages, sample, how), exalg(args, pages, sample)) {
        (Ok(landmarks), Ok(exalg)) => (landmarks, exalg),
        (Ok(made), Err(_)) | (Err(_), Ok(made)) => return Ok(made.artifact),
        (Err(error), Err(_)) => return Err(error),
    };
    let words = |made: &Made| {
        let Description {
            bits,
            fields,
            rows,
            found,
        } = made.description;
        let found = found as f64 / 10.0;
        format!("{bits} bits ({fields} fields, {rows} rows of lists, {found} % of the varying text)")
    };
    let first = exalg.description.bits < landmarks.description.bits;
    let (kept, other) = if first {
        (("exalg", &exalg), &landmarks)
    } else {
        (("landmarks", &landmarks), &exalg)
    };
    if !args.quiet {
        let (name, made) = kept;
        report::words(&format!("kept {name}: {} against {}", words(made), words(other)));
    }
    Ok(if first { exalg.artifact } else { landmarks.artifact })
}

fn landmarks(
    args: &InferArgs,
    pages: &[&(String, Arc<Page>)],
    sample: &[&Page],
    how: &How,
) -> Result<Made, InferError> {
    let Inferred { rule, splits, cut, .. } = infer(sample, how)?;
    if cut && !args.quiet {
        report::words(&format!(
            "after {splits} splits some regions are divided greedily: a smaller extraction may exist"
        ));
    }
    let run = Run::new(&rule);
    let found: Vec<Vec<Event>> = sample.iter().map(|page| run.page(page, false)).collect();
    let description = describe(sample, &found, rule.parts.len());
    let evidence = evidence(pages, &found, rule.fields.len());
    let schema = schema(&rule, &args.record);
    let mut artifact = Artifact {
        schema,
        given: None,
        rule: Rule::Landmarks(rule),
        evidence,
    };
    watch(&mut artifact, pages);
    Ok(Made { artifact, description })
}

fn exalg(args: &InferArgs, pages: &[&(String, Arc<Page>)], sample: &[&Page]) -> Result<Made, InferError> {
    let settings = exalg::Settings {
        size: args.size.max(1),
        support: args.support,
        ..exalg::Settings::default()
    };
    let rule = exalg::infer(sample, &settings)?.template;
    let run = template::Run::new(&rule);
    let found: Vec<Vec<Event>> = sample.iter().map(|page| run.page(page).0).collect();
    let description = describe(sample, &found, rule.parts.len());
    let evidence = evidence(pages, &found, rule.fields.len());
    let schema = template::schema(&rule, &args.record);
    let mut artifact = Artifact {
        schema,
        given: None,
        rule: Rule::Template(rule),
        evidence,
    };
    watch(&mut artifact, pages);
    Ok(Made { artifact, description })
}

/// Keeps in the wrapper what its values are like; without it a wrapper runs, but is not watched.
fn watch(artifact: &mut Artifact, pages: &[&(String, Arc<Page>)]) {
    let each = pages.iter().map(|(name, page)| (name.as_str(), page, None));
    if let Err(error) = sheets::profile(artifact, each) {
        report::words(&format!("warning: {error}"));
    }
}

/// What was found on the pages, as the wrapper keeps it.
fn evidence(pages: &[&(String, Arc<Page>)], found: &[Vec<Event>], fields: usize) -> Evidence {
    let mut evidence = Evidence {
        pages: Vec::new(),
        fields: vec![FieldEvidence::default(); fields],
        profiles: Vec::new(),
    };
    for ((name, page), events) in pages.iter().zip(found) {
        let mut values = 0;
        for event in events {
            let Event::Value { field, text, .. } = event else {
                continue;
            };
            let length = text.chars().count() as u64;
            let seen = &mut evidence.fields[*field as usize];
            seen.shortest = if seen.count == 0 {
                length
            } else {
                seen.shortest.min(length)
            };
            seen.longest = seen.longest.max(length);
            seen.count += 1;
            values += 1;
        }
        let html = page.text();
        evidence.pages.push(Seen {
            name: name.clone(),
            bytes: html.len() as u64,
            hash: hash(html),
            values,
        });
    }
    evidence
}

/// A sample of so many, in their order: those whose turn comes first when all are numbered by chance.
fn sample<T>(items: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let chance = |number: u64| {
        let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let mut numbered: Vec<(u64, usize, T)> = items
        .into_iter()
        .enumerate()
        .map(|(at, item)| (chance(at as u64 + 1), at, item))
        .collect();
    numbered.sort_by_key(|(chance, at, _)| (*chance, *at));
    numbered.truncate(count);
    numbered.sort_by_key(|(_, at, _)| *at);
    numbered.into_iter().map(|(_, _, item)| item).collect()
}

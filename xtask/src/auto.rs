//! `cargo xtask auto`: does inference choose the right method by itself?
//!
//! For each page set with known rows, every method makes a wrapper, which is saved, read back and scored as `lists` does; the
//! automatic choice is right if no other method scores better. For each SWDE site, whose pages have one record each, the
//! automatic choice is right if it is landmarks. `--split` is as for `lists`; `--part lists` or `--part swde` does one of both.

use crate::Options;
use crate::exalg::Verdict;
use crate::lists::{known, sets};
use crate::records::data;
use crate::tables::{Known, Row, Tree, score};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use wrapwright::learn::choose::Description;
use wrapwright::make::{InferSettings, Method};
use wrapwright::rule::landmark::to_paths;
use wrapwright::wrapper::Rule;
use wrapwright::{Document, Job, Limits, Page, RecordType, Wrapper};
use xtask::sites;

/// The methods that are compared.
const METHODS: [(&str, Method); 3] = [
    ("landmarks", Method::Landmarks),
    ("exalg", Method::Exalg),
    ("regions", Method::Regions),
];

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let part = options.text("part");
    if part.is_none_or(|part| part == "lists") {
        lists(options)?;
    }
    if part.is_none_or(|part| matches!(part, "swde" | "paths")) {
        swde(options)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn lists(options: &Options) -> anyhow::Result<()> {
    let (mut right, mut all) = (0, 0);
    let (mut got, mut possible) = (0, 0);
    println!("set, read on: for each method the points (2 for a correct attribute, 1 for a partly correct one)");
    for set in &sets(options)? {
        let half = set.pages.len().div_ceil(2);
        for (what, train, read) in [
            ("same", 0..set.pages.len(), 0..set.pages.len()),
            ("others", 0..half, half..set.pages.len()),
        ] {
            if read.is_empty() {
                continue;
            }
            let (train, read) = (&set.pages[train], &set.pages[read]);
            let mut points = BTreeMap::new();
            let named = named(&train.iter().map(document).collect::<anyhow::Result<Vec<_>>>()?);
            let mut line = format!("{} {what}: pages {} named {named}", set.name, train.len());
            for (name, method) in METHODS {
                let (scored, description, _) = tried(set, method, train, read)?;
                points.insert(name, scored);
                line += &format!(" {name} {scored} {}", written(description));
            }
            let (scored, _, kind) = tried(set, Method::Auto, train, read)?;
            let best = points.values().copied().max().unwrap_or(0);
            all += 1;
            right += usize::from(scored >= best);
            got += scored;
            possible += best;
            println!(
                "{line} auto {scored} {kind}{}",
                if scored < best { " WRONG" } else { "" }
            );
        }
    }
    println!("auto is as good as the best method on {right} of {all}; {got} of {possible} points of the best methods");
    Ok(())
}

/// The points of a method on a set, how its rule describes the pages, and the kind of rule.
fn tried(
    set: &data::Set,
    method: Method,
    train: &[data::Page],
    read: &[data::Page],
) -> anyhow::Result<(usize, Option<Description>, &'static str)> {
    let train = train.iter().map(document).collect::<anyhow::Result<Vec<_>>>()?;
    let settings = InferSettings {
        method,
        ..InferSettings::default()
    };
    let Ok(made) = wrapwright::infer(&train, &settings, &Job::new()) else {
        return Ok((0, None, "-"));
    };
    let runner = Wrapper::from_json(&made.wrapper.to_json())?.runner()?;
    let mut found: Vec<BTreeMap<String, Vec<Row>>> = Vec::new();
    for page in read {
        // Records of a list are the rows of one table.
        let whole = Tree {
            children: runner
                .run(&document(page)?, false)
                .records
                .iter()
                .map(Tree::of_record)
                .collect(),
            ..Tree::default()
        };
        found.push(whole.tables());
    }
    let known: Vec<Known> = read.iter().map(known).collect();
    let points = score(set.attributes.len(), &known, &found)
        .into_iter()
        .map(|verdict| match verdict {
            Verdict::Correct => 2,
            Verdict::Partial => 1,
            Verdict::Incorrect => 0,
        });
    Ok((points.sum(), Some(made.description), made.wrapper.rule.kind()))
}

fn document(page: &data::Page) -> anyhow::Result<Document> {
    let parsed = Page::parse_str(&page.text, &Limits::default())?;
    Ok(Document::new(page.name.as_str(), parsed))
}

/// A description in few words.
fn written(description: Option<Description>) -> String {
    let Some(said) = description else {
        return "(none)".to_owned();
    };
    let list = said.list;
    format!(
        "(bits {} fields {} rows {} found {} | list {} rows {} fields {} filled {})",
        said.bits, said.fields, said.rows, said.found, list.share, list.rows, list.fields, list.filled
    )
}

/// The number of pages with a name of their own.
fn named(documents: &[Document]) -> usize {
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    wrapwright::learn::choose::named(&pages)
}

fn swde(options: &Options) -> anyhow::Result<()> {
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let training = sites::training(&packs, options.text("train"))?;
    let (mut right, mut all) = (0, 0);
    let mut same = Same::default();
    for site in sites::names(&packs)? {
        let wanted = |names: &str| names.split(',').any(|name| name == site);
        if options.text("split").is_some_and(|half| sites::split(&site) != half)
            || !options.text("sites").is_none_or(wanted)
        {
            continue;
        }
        let (Some(train), Some(files)) = (training.get(&site), sites::files(&packs, &site)?) else {
            continue;
        };
        let mut documents = Vec::new();
        let count = options.number("pages", 20)? as usize;
        let train = &train[..count.min(train.len())];
        for (name, bytes) in files.iter().filter(|(name, _)| train.contains(name)) {
            let page = Page::parse_str(&String::from_utf8_lossy(bytes), &Limits::default())?;
            documents.push(Document::new(name.as_str(), page));
        }
        if options.text("part") == Some("paths") {
            let others: Vec<&(String, Vec<u8>)> = files.iter().filter(|(name, _)| !train.contains(name)).collect();
            translated(&site, &documents, &others, &mut same)?;
            continue;
        }
        let mut line = format!("{site}: pages {} named {}", documents.len(), named(&documents));
        for (name, method) in METHODS {
            let settings = InferSettings {
                method,
                ..InferSettings::default()
            };
            let made = wrapwright::infer(&documents, &settings, &Job::new()).ok();
            line += &format!(" {name} {}", written(made.map(|made| made.description)));
        }
        let settings = InferSettings {
            method: Method::Auto,
            ..InferSettings::default()
        };
        let kind = wrapwright::infer(&documents, &settings, &Job::new())?
            .wrapper
            .rule
            .kind();
        all += 1;
        right += usize::from(kind == "landmarks");
        println!("{line} auto {kind}");
    }
    if options.text("part") == Some("paths") {
        println!(
            "{} of {} shown fields are translated; of {} values of these on other pages, {} are the same",
            same.fields, same.of_fields, same.of_values, same.values
        );
        return Ok(());
    }
    println!("auto is landmarks on {right} of {all} sites with one record a page");
    Ok(())
}

/// How much of landmark rules can be said as paths.
#[derive(Default)]
struct Same {
    fields: usize,
    of_fields: usize,
    values: usize,
    of_values: usize,
}

/// Compares a landmark rule with the paths that it is translated to, on pages that it was not made from.
fn translated(
    site: &str,
    documents: &[Document],
    others: &[&(String, Vec<u8>)],
    same: &mut Same,
) -> anyhow::Result<()> {
    let settings = InferSettings {
        method: Method::Landmarks,
        ..InferSettings::default()
    };
    let wrapper = wrapwright::infer(documents, &settings, &Job::new())?.wrapper;
    let Rule::Landmarks(rule) = &wrapper.rule else {
        return Ok(());
    };
    let kind = wrapper.sink_type();
    let columns = |kind: &RecordType| kind.tables().iter().map(|table| table.columns.len()).sum::<usize>();
    let mut here = Same {
        of_fields: columns(&kind),
        ..Same::default()
    };
    if let Some(paths) = to_paths(rule, &kind) {
        here.fields = columns(&paths.record_type);
        let other = Wrapper::bare(Rule::Paths(paths.rule), paths.record_type.clone(), None);
        let (mine, theirs) = (wrapper.runner()?, other.runner()?);
        for (name, bytes) in others {
            let page = Page::parse_str(&String::from_utf8_lossy(bytes), &Limits::default())?;
            let document = Document::new(name.as_str(), page);
            let mine = paths.record_type.rows(&mine.run(&document, false).records);
            let theirs = paths.record_type.rows(&theirs.run(&document, false).records);
            // Rows and their cells in order; a row too many or too few makes the rest different.
            for (mine, theirs) in mine.iter().zip(&theirs) {
                for (number, row) in mine.iter().enumerate() {
                    for (column, values) in row.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
                        here.of_values += 1;
                        here.values += usize::from(theirs.get(number).is_some_and(|row| row[column] == *values));
                    }
                }
            }
        }
    }
    println!(
        "{site}: {} of {} fields, {} of {} values",
        here.fields, here.of_fields, here.values, here.of_values
    );
    same.fields += here.fields;
    same.of_fields += here.of_fields;
    same.values += here.values;
    same.of_values += here.of_values;
    Ok(())
}

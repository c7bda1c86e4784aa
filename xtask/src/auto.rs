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
use wrapwright::{Document, Job, Limits, Page, Wrapper};
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
    if part.is_none_or(|part| part == "swde") {
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
        for (name, bytes) in files.iter().filter(|(name, _)| train.contains(name)) {
            let page = Page::parse_str(&String::from_utf8_lossy(bytes), &Limits::default())?;
            documents.push(Document::new(name.as_str(), page));
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
    println!("auto is landmarks on {right} of {all} sites with one record a page");
    Ok(())
}

//! Scores what the program writes, not what a rule finds: between them are the type of the records, the saved file and the
//! sink, and each can lose or bend a value.
//!
//! For each SWDE site the binary infers a wrapper from the listed pages into a file, and extracts with it from all pages.
//! The lines become the format of the benchmark's scorer: a field for each path of names, with all values below it. The
//! chore also checks what a table needs: a field has one form, a value or a list, on all pages. If not, it fails.

use crate::{Options, pages};
use anyhow::{Context, bail};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::sites;

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let training = sites::training(&packs, options.text("train"))?;
    let program = PathBuf::from(options.text("binary").unwrap_or("target/release/wrapwright"));
    if !program.is_file() {
        bail!(
            "{} is missing; build it with `cargo build --release`",
            program.display()
        );
    }
    let method = options.text("method").unwrap_or("landmarks");
    let out = options.text("out").unwrap_or("target/written.ndjson");
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    println!("{:<30} {:>6} {:>6} {:>6}", "site", "fields", "lists", "joined");
    let (mut all, mut bent) = (Tally::default(), 0);
    for (site, files) in pages::sites()? {
        let Some(train) = training.get(&site) else { continue };
        if !options
            .text("sites")
            .is_none_or(|wanted| wanted.split(',').any(|name| name == site))
        {
            continue;
        }
        let train: Vec<&PathBuf> = files.iter().filter(|file| train.contains(&stem(file))).collect();
        let (lines, joined) = extract(&program, method, &train, &files)?;
        let mut forms = Forms::default();
        for line in &lines {
            let page = stem(Path::new(line["_page"].as_str().unwrap_or_default()));
            let mut fields = BTreeMap::new();
            if let Value::Object(record) = line {
                flatten(record, "", &mut fields, &mut forms);
            }
            let line = serde_json::json!({ "site": site, "page": page, "fields": fields });
            writeln!(out, "{line}")?;
        }
        let both: Vec<&String> = forms.values.intersection(&forms.lists).collect();
        for path in &both {
            println!("{site}: `{path}` is a value on some pages and a list on others");
        }
        bent += both.len();
        let fields = forms.values.union(&forms.lists).count();
        println!("{site:<30} {fields:>6} {:>6} {joined:>6}", forms.lists.len());
        all.sites += 1;
        all.fields += fields;
        all.lists += forms.lists.len();
        all.pages += files.len();
        all.joined += joined;
    }
    println!(
        "{} sites: {} fields, {} of them lists; {bent} have two forms; on {} of {} pages values were joined",
        all.sites, all.fields, all.lists, all.joined, all.pages
    );
    Ok(match bent {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

#[derive(Default)]
struct Tally {
    sites: usize,
    fields: usize,
    lists: usize,
    pages: usize,
    joined: usize,
}

/// The paths that are a value somewhere, and those that are a list.
#[derive(Default)]
struct Forms {
    values: BTreeSet<String>,
    lists: BTreeSet<String>,
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The lines that the program writes for all pages of a site, and the number of pages on which it joined values.
fn extract(program: &Path, method: &str, train: &[&PathBuf], files: &[PathBuf]) -> anyhow::Result<(Vec<Value>, usize)> {
    let wrapper = std::env::temp_dir().join(format!("written-{}.wrapper.json", std::process::id()));
    let mut infer = Command::new(program);
    infer
        .args(["infer", "--method", method, "--charset", "utf-8", "-o"])
        .arg(&wrapper)
        .args(train);
    let done = infer.output().context("cannot run the program")?;
    if !done.status.success() {
        bail!("infer failed: {}", String::from_utf8_lossy(&done.stderr));
    }
    let mut extract = Command::new(program);
    let done = extract
        .arg("extract")
        .arg(&wrapper)
        .args(["--charset", "utf-8"])
        .args(files)
        .output()?;
    std::fs::remove_file(&wrapper)?;
    let said = String::from_utf8_lossy(&done.stderr);
    // The first page is named, the others are counted.
    let first = said.lines().filter(|line| line.ends_with("they were joined")).count();
    let more = said
        .lines()
        .find_map(|line| line.strip_prefix("warning: ")?.split_once(" more page"));
    let more: usize = more.map_or(Ok(0), |(count, _)| count.parse())?;
    let lines = String::from_utf8(done.stdout)?;
    let lines = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok((lines, first + more))
}

fn flatten(record: &Map<String, Value>, path: &str, fields: &mut BTreeMap<String, Vec<String>>, forms: &mut Forms) {
    for (name, value) in record.iter().filter(|(name, _)| !name.starts_with("_")) {
        let path = format!("{path}{name}");
        match value {
            Value::Array(items) => {
                forms.lists.insert(path.clone());
                for item in items {
                    add(item, &path, fields, forms);
                }
            }
            one => {
                forms.values.insert(path.clone());
                add(one, &path, fields, forms);
            }
        }
    }
}

fn add(value: &Value, path: &str, fields: &mut BTreeMap<String, Vec<String>>, forms: &mut Forms) {
    match value {
        Value::Object(inner) => flatten(inner, &format!("{path}."), fields, forms),
        Value::String(text) => fields.entry(path.to_owned()).or_default().push(text.clone()),
        other => fields.entry(path.to_owned()).or_default().push(other.to_string()),
    }
}

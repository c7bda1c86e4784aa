//! Learns from values as a person would give them, with the program itself, and tries the saved wrapper on unseen pages.
//!
//! For each page in turn, the program learns a wrapper from the values of the others (at most nine, or `--pages`), writes it
//! to a file, and extracts with it. A page is right if all its records are, in order, and nothing else is there.

use super::changed::{CHANGES, changed};
use super::data::{Page, Set};
use crate::Options;
use anyhow::{Context, bail};
use learn::label::{Wanted, place_all};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wrapper::rule::Found;
use xtask::sites;

/// The most pages to learn from, and the most pages of a set that are left out in turn where pages are changed.
const MOST: usize = 9;
const CHANGED: usize = 3;
/// The name of the records below a header.
const ROWS: &str = "rows";

/// Runs the part.
pub(crate) fn run(sets: &[Set], options: &Options) -> anyhow::Result<ExitCode> {
    let program = PathBuf::from(options.text("binary").unwrap_or("target/release/wrapwright"));
    if !program.is_file() {
        bail!(
            "{} is missing; build it with `cargo build --release`",
            program.display()
        );
    }
    let pages = match options.text("pages") {
        Some(pages) => pages.parse()?,
        None => MOST,
    };
    let trial = Trial {
        program,
        place: std::env::temp_dir().join(format!("unseen-{}", std::process::id())),
        pages,
        class: options.text("class").unwrap_or("auto").to_owned(),
        show: options.text("show").is_some(),
    };
    std::fs::create_dir_all(&trial.place)?;
    let wanted = |set: &&Set| {
        let named = options
            .text("set")
            .is_none_or(|only| only.split(',').any(|only| set.name.contains(only)));
        let half = options.text("split");
        // A set with one page has no unseen pages.
        named && half.is_none_or(|half| sites::split(&set.family) == half) && set.pages.len() > 1
    };
    let sets: Vec<&Set> = sets.iter().filter(wanted).collect();
    match options.text("change") {
        None => {
            println!("| set | placed as labelled | pages right | why not |\n|---|--:|--:|---|");
            let whole = trial.score(&sets, "", usize::MAX, true)?;
            println!("\nPerfect on every page not shown: {whole} of {} sets.", sets.len());
        }
        Some(change) => {
            println!("| change | sets with all unseen pages right |\n|---|--:|");
            for name in CHANGES.iter().filter(|name| change == "all" || change == **name) {
                let tables: Vec<&Set> = sets.iter().copied().filter(|set| !is_nested(set)).collect();
                let seed = options.text("seed").unwrap_or("1").parse()?;
                let new: Vec<Set> = tables.iter().filter_map(|set| changed(set, name, seed)).collect();
                let new: Vec<&Set> = new.iter().collect();
                let whole = trial.score(&new, name, CHANGED, options.text("list").is_some())?;
                println!("| {name} | {whole} of {} |", new.len());
            }
        }
    }
    std::fs::remove_dir_all(&trial.place)?;
    Ok(ExitCode::SUCCESS)
}

struct Trial {
    program: PathBuf,
    place: PathBuf,
    /// The most pages to learn from.
    pages: usize,
    class: String,
    show: bool,
}

impl Trial {
    /// The number of sets that are right on all pages that were left out.
    fn score(&self, sets: &[&Set], change: &str, most: usize, list: bool) -> anyhow::Result<usize> {
        let mut whole = 0;
        for set in sets {
            let files = self.write(set)?;
            let (mut right, mut why) = (0, String::new());
            let tried = set.pages.len().min(most);
            for left_out in 0..tried {
                let reason = self.one(set, &files, left_out)?;
                right += usize::from(reason.is_none());
                if let Some(reason) = reason.filter(|_| why.is_empty()) {
                    why = reason;
                }
            }
            whole += usize::from(right == tried);
            if list {
                let why: String = why.replace(['|', '\n'], " ").chars().take(160).collect();
                let as_labelled = as_labelled(set);
                let name = format!("{} {change}", set.name);
                let pages = set.pages.len();
                println!("| {name} | {as_labelled}/{pages} | {right}/{tried} | {why} |");
            }
        }
        Ok(whole)
    }

    fn write(&self, set: &Set) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for (number, page) in set.pages.iter().enumerate() {
            let file = self.place.join(format!("{number:03}.html"));
            // The mark at the beginning tells the encoding, whatever the page says.
            std::fs::write(&file, format!("\u{feff}{}", page.text))?;
            files.push(file);
        }
        Ok(files)
    }

    /// Why the page that was left out is not right.
    fn one(&self, set: &Set, files: &[PathBuf], left_out: usize) -> anyhow::Result<Option<String>> {
        // The pages after the one that is left out, and around.
        let others = (1..set.pages.len()).map(|step| (left_out + step) % set.pages.len());
        let mut others: Vec<usize> = others.take(self.pages).collect();
        others.sort_unstable();
        let pages = others.iter().map(|at| {
            let records = records(set, &set.pages[*at]).into_iter();
            let records: Vec<String> = records.map(|record| ordered(set, &record)).collect();
            format!("{}: [{}]", json!(name_of(&files[*at])), records.join(",\n"))
        });
        let examples = format!("{{{}}}", pages.collect::<Vec<_>>().join(",\n"));
        let (file, wrapper) = (self.place.join("examples.json"), self.place.join("made.wrapper.json"));
        std::fs::write(&file, examples)?;
        let mut command = Command::new(&self.program);
        command
            .arg("learn")
            .arg("--examples")
            .arg(&file)
            .arg("-o")
            .arg(&wrapper);
        if self.class != "none" {
            command.args(["--class", &self.class]);
        }
        let done = command
            .args(others.iter().map(|at| &files[*at]))
            .output()
            .context("cannot run the program")?;
        let words = String::from_utf8_lossy(&done.stderr).into_owned();
        if self.show {
            println!("--- {} without {}\n{words}", set.name, set.pages[left_out].name);
        }
        if !done.status.success() {
            return Ok(Some(words));
        }
        let done = Command::new(&self.program)
            .arg("extract")
            .arg(&wrapper)
            .arg(&files[left_out])
            .output()?;
        let got = extracted(set, &String::from_utf8(done.stdout)?)?;
        let page = &set.pages[left_out];
        Ok(difference(&got, &expected(set, page)).map(|what| format!("{}: {what}", page.name)))
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_nested(set: &Set) -> bool {
    set.tree || set.headers > 0
}

/// On how many pages all values are found where they are.
fn as_labelled(set: &Set) -> usize {
    let wanted: Vec<Vec<Wanted>> = set.pages.iter().map(|page| wanted(set, page)).collect();
    let pages: Vec<(&str, &[Wanted])> = set
        .pages
        .iter()
        .zip(&wanted)
        .map(|(page, wanted)| (page.text.as_str(), wanted.as_slice()))
        .collect();
    let placed = place_all(&pages).into_iter().zip(&set.pages);
    let same = placed.filter(|(placing, page)| {
        let shown = |value: &&Found| !page.text[value.range()].trim().is_empty();
        let kept: Vec<Found> = page.values.iter().filter(shown).copied().collect();
        placing
            .as_ref()
            .is_ok_and(|placing| is_alike(&page.text, &placing.values, &kept))
    });
    same.count()
}

fn is_alike(text: &str, one: &[Found], other: &[Found]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| {
            let same = || page::source_text(&text[a.range()]) == page::source_text(&text[b.range()]);
            a.field == b.field && (a == b || (a.start < b.end && b.start < a.end && same()))
        })
}

/// The values that a person would write down, in page order; a value above several tuples only once.
fn wanted(set: &Set, page: &Page) -> Vec<Wanted> {
    let mut out = Vec::new();
    if set.tree {
        for (tuple, value) in page.values.iter().enumerate() {
            let text = page::source_text(&page.text[value.range()]).into_owned();
            if !text.is_empty() {
                out.push(Wanted {
                    field: value.field as usize,
                    text,
                    tuple,
                });
            }
        }
        return out;
    }
    let mut header: Option<&[Option<String>]> = None;
    for (tuple, values) in page.tuples.iter().enumerate() {
        let above = &values[..set.headers];
        let repeats = set.headers > 0 && header == Some(above);
        header = Some(above);
        for (field, value) in values.iter().enumerate().skip(if repeats { set.headers } else { 0 }) {
            if let Some(text) = value.as_ref().filter(|text| !text.trim().is_empty()) {
                out.push(Wanted {
                    field,
                    text: text.clone(),
                    tuple,
                });
            }
        }
    }
    out
}

/// The records of a page as examples: those below a header are in a list.
fn records(set: &Set, page: &Page) -> Vec<Value> {
    let headers = match set.tree {
        true => 1,
        false => set.headers,
    };
    let mut all: Vec<Value> = Vec::new();
    let mut open: Option<(Map<String, Value>, Vec<Value>)> = None;
    let close = |open: &mut Option<(Map<String, Value>, Vec<Value>)>, all: &mut Vec<Value>| {
        if let Some((mut outer, rows)) = open.take() {
            outer.insert(ROWS.to_owned(), Value::Array(rows));
            all.push(Value::Object(outer));
        }
    };
    let mut row: Vec<Option<String>> = vec![None; set.attributes.len()];
    let mut tuple = usize::MAX;
    let mut last = None;
    let object = |row: &[Option<String>], from: usize, to: usize| -> Map<String, Value> {
        let pairs = (from..to).map(|field| {
            let value = row[field].clone().map_or(Value::Null, Value::String);
            (set.attributes[field].clone(), value)
        });
        pairs.collect()
    };
    let values = wanted(set, page);
    let count = set.attributes.len();
    let flush =
        |row: &mut Vec<Option<String>>, open: &mut Option<(Map<String, Value>, Vec<Value>)>, all: &mut Vec<Value>| {
            if headers == 0 {
                all.push(json!(object(row, 0, count)));
            } else {
                if row[..headers].iter().any(Option::is_some) || open.is_none() {
                    close(open, all);
                    *open = Some((object(row, 0, headers), Vec::new()));
                }
                if row[headers..].iter().any(Option::is_some)
                    && let Some((_, rows)) = open
                {
                    rows.push(json!(object(row, headers, count)));
                }
            }
            row.fill(None);
        };
    for value in values {
        // In a tree every value has a number of its own; a row ends where the next field is not a later one.
        let ends = match set.tree {
            true => last.is_some_and(|last| value.field <= last),
            false => tuple != usize::MAX && value.tuple != tuple,
        };
        if ends {
            flush(&mut row, &mut open, &mut all);
        }
        (tuple, last) = (value.tuple, Some(value.field));
        row[value.field] = Some(value.text);
    }
    if last.is_some() {
        flush(&mut row, &mut open, &mut all);
    }
    close(&mut open, &mut all);
    all
}

/// A record as text, with its attributes in the order of the set.
fn ordered(set: &Set, record: &Value) -> String {
    let pairs = set.attributes.iter().filter_map(|name| {
        let value = record.get(name)?;
        Some(format!("{}: {value}", json!(name)))
    });
    let mut pairs: Vec<String> = pairs.collect();
    if let Some(rows) = record[ROWS].as_array() {
        let rows: Vec<String> = rows.iter().map(|row| ordered(set, row)).collect();
        pairs.push(format!("{}: [{}]", json!(ROWS), rows.join(", ")));
    }
    format!("{{{}}}", pairs.join(", "))
}

/// The number of the record, the field and the text of each value. Records inside records are not counted.
type Texts = Vec<(usize, usize, String)>;

fn expected(set: &Set, page: &Page) -> Texts {
    let mut texts = Texts::new();
    for (number, record) in records(set, page).iter().enumerate() {
        gather(set, number, record, &mut texts);
    }
    texts
}

fn extracted(set: &Set, lines: &str) -> anyhow::Result<Texts> {
    let mut texts = Texts::new();
    for (number, line) in lines.lines().enumerate() {
        gather(set, number, &serde_json::from_str(line)?, &mut texts);
    }
    Ok(texts)
}

fn gather(set: &Set, number: usize, record: &Value, texts: &mut Texts) {
    for (field, name) in set.attributes.iter().enumerate() {
        if let Some(text) = record[name].as_str() {
            texts.push((number, field, text.to_owned()));
        }
    }
    for row in record[ROWS].as_array().into_iter().flatten() {
        gather(set, number, row, texts);
    }
}

/// The first value that differs.
fn difference(got: &Texts, expected: &Texts) -> Option<String> {
    // Some sets have values as a reader sees them, some as they are in the source: both are accepted.
    let same = |got: &(usize, usize, String), expected: &(usize, usize, String)| {
        let seen = expected.2.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = (got.0, got.1) == (expected.0, expected.1);
        place && (got.2 == seen || got.2 == page::source_text(&expected.2))
    };
    let at = got.iter().zip(expected).take_while(|(a, b)| same(a, b)).count();
    match (got.get(at), expected.get(at)) {
        (None, None) => None,
        (got, expected) => Some(format!("value {at}: found {got:?}, expected {expected:?}")),
    }
}

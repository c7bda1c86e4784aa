//! `wrapwright show` for landmark wrappers: the tree as text, as a picture, and on a page.

use crate::Exit;
use crate::args::{Format, ShowArgs};
use crate::show_page::{coloured, escape};
use crate::{report, whole};
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use wrapwright::Settings;
use wrapwright::input;
use wrapwright::rule::landmark::{Landmark, Landmarks, Part, PartId, Test, What};
use wrapwright::wrapper::Wrapper;

/// A line of the tree.
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) text: String,
    pub(crate) field: bool,
}

/// A landmark wrapper in words.
pub(crate) fn describe(artifact: &Wrapper, rule: &Landmarks) -> String {
    let mut lines = Vec::new();
    tree(rule, 0, 0, &mut lines);
    let mut out = format!(
        "landmark wrapper of {} fields; records: {}\n\n",
        rule.fields.iter().filter(|slot| !slot.name.is_empty()).count(),
        artifact.record_type.name
    );
    for line in &lines {
        out += &format!("{}{}\n", "  ".repeat(line.depth), line.text);
    }
    let pages = artifact.evidence.pages.len();
    out + &format!("\nInferred from {pages} pages.\n")
}

/// Runs the command.
pub(crate) fn run(args: &ShowArgs, artifact: &Wrapper, rule: &Landmarks) -> anyhow::Result<Exit> {
    let mut lines = Vec::new();
    tree(rule, 0, 0, &mut lines);
    if let Some(file) = &args.svg {
        write(file, &svg(&lines))?;
    }
    if let (Some(page), Some(file)) = (&args.on, &args.html) {
        let (places, errors) = input::find([page.as_str()]);
        if let Some(error) = errors.first() {
            report::input(error, Format::Text);
            return Ok(Exit::Mistake);
        }
        let Some(place) = places.first() else {
            return Ok(Exit::Mistake);
        };
        match place.read(&Settings::default()) {
            Ok(page) => write(file, &coloured(&page, rule))?,
            Err(error) => {
                report::input(&error, Format::Text);
                return Ok(Exit::Mistake);
            }
        }
    }
    if args.svg.is_none() && args.on.is_none() {
        let out = describe(artifact, rule);
        io::stdout()
            .lock()
            .write_all(out.as_bytes())
            .context("cannot write to standard output")?;
    }
    Ok(Exit::Fine)
}

pub(crate) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    whole::write(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
}

fn tree(rule: &Landmarks, part: PartId, depth: usize, lines: &mut Vec<Line>) {
    let mut line = |text: String, field| lines.push(Line { depth, text, field });
    match &rule.parts[part as usize] {
        Part::Nothing => {}
        Part::Field(field) => line(format!("= {}", field_name(rule, *field)), true),
        Part::Unwrap { wrapper, of } => {
            line(format!("perhaps in {}", landmark(wrapper)), false);
            tree(rule, *of, depth, lines);
        }
        Part::Group { field, of } => {
            line(format!("= {}, all of:", field_name(rule, *field)), true);
            tree(rule, *of, depth + 1, lines);
        }
        Part::List {
            name,
            start,
            before,
            each,
        } => {
            tree(rule, *before, depth, lines);
            let records = if name.is_empty() {
                String::new()
            } else {
                format!(", records {name}")
            };
            lines.push(Line {
                depth,
                text: format!("each {}{records}", landmark(start)),
                field: false,
            });
            tree(rule, *each, depth + 1, lines);
        }
        Part::Split { before, marks, failed } => {
            if let Some(field) = failed {
                line(format!("= {}, if this is missing:", field_name(rule, *field)), true);
            }
            tree(rule, *before, depth, lines);
            for mark in marks {
                let attributes: Vec<String> = mark
                    .attributes
                    .iter()
                    .map(|(name, field)| format!("; @{name} = {}", field_name(rule, *field)))
                    .collect();
                let text = format!("{}{}", landmark(&mark.landmark), attributes.concat());
                lines.push(Line {
                    depth,
                    text,
                    field: !mark.attributes.is_empty(),
                });
                tree(rule, mark.inner, depth + 1, lines);
                tree(rule, mark.after, depth, lines);
            }
        }
    }
}

fn field_name(rule: &Landmarks, field: u32) -> String {
    let slot = &rule.fields[field as usize];
    match slot.prefix.is_empty() {
        true => slot.name.clone(),
        false => format!("{} behind {:?}", slot.name, slot.prefix),
    }
}

fn landmark(landmark: &Landmark) -> String {
    let what = match &landmark.what {
        What::Element(name) => format!("<{name}>"),
        What::Text => "text".to_owned(),
        What::Word(word) => format!("{word:?}"),
    };
    let tests: Vec<String> = landmark
        .tests
        .iter()
        .map(test)
        .filter(|text| !text.is_empty())
        .collect();
    if tests.is_empty() {
        what
    } else {
        format!("{what} {}", tests.join(" or "))
    }
}

fn test(test: &Test) -> String {
    let mut words = Vec::new();
    for (name, value) in &test.attributes {
        words.push(
            value
                .as_ref()
                .map_or_else(|| format!("@{name}"), |value| format!("@{name}={value}")),
        );
    }
    if test.plain {
        words.push("without attributes".to_owned());
    }
    if let Some(says) = &test.says {
        words.push(format!("with {says:?}"));
    }
    if let Some((name, value)) = &test.holds {
        words.push(format!("holding @{name}={value}"));
    }
    if let Some(nth) = test.nth {
        words.push(format!("number {nth}"));
    }
    words.join(" ")
}

/// The tree as a picture: a box for each line, fields in colour.
pub(crate) fn svg(lines: &[Line]) -> String {
    const ROW: usize = 22;
    const STEP: usize = 18;
    const LONGEST: usize = 84;
    let deepest = lines.iter().map(|line| line.depth).max().unwrap_or(0);
    let (width, height) = (deepest * STEP + 660, lines.len() * ROW + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    // For each depth, the row of the last line there: what is deeper hangs from it.
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (row, line) in lines.iter().enumerate() {
        let (x, y) = (8 + line.depth * STEP, 8 + row * ROW);
        if let Some(parent) = line.depth.checked_sub(1).and_then(|depth| last.get(&depth)) {
            let (px, py) = (x - STEP + 6, 8 + parent * ROW + ROW - 4);
            out += &format!("<path d=\"M{px} {py}V{}H{x}\" fill=\"none\" stroke=\"#999\"/>\n", y + 9);
        }
        last.insert(line.depth, row);
        let fill = if line.field { "#d7f0d7" } else { "#e3ebf7" };
        let mut text: String = line.text.chars().take(LONGEST).collect();
        if line.text.chars().nth(LONGEST).is_some() {
            text.push('…');
        }
        // A monospaced letter of this size is about 7.25 wide.
        let wide = text.chars().count() * 29 / 4 + 12;
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"18\" rx=\"4\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>\n",
            x + 5,
            y + 13,
            escape(&text)
        );
    }
    out + "</svg>\n"
}

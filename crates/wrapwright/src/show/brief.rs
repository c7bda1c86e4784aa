//! A wrapper on one screen: what it extracts, from where, and what that looks like.
//!
//! At most ten lines, whatever the wrapper: the kind and the number of fields, the site, what the wrapper was made from, and
//! some fields with a value each. The values are the first ones that the wrapper remembers of each field, so they are mostly,
//! but not always, those of one record.

use crate::clip::clip;
use crate::wrapper::{Links, Navigation, Onward, Rule, Wrapper};

/// How many fields are shown.
const FIELDS: usize = 6;
/// The width of a line.
const WIDTH: usize = 100;
/// The width of a field's name.
const NAME: usize = 24;

/// A wrapper in ten lines.
pub(super) fn brief(wrapper: &Wrapper) -> String {
    let sink = wrapper.sink_type();
    let samples = samples(wrapper);
    let shown: Vec<&(String, Option<String>)> = samples
        .iter()
        .filter(|(path, _)| sink.fields().is_empty() || sink.has_path(path))
        .collect();
    let lists = sink.tables().len() - 1;
    let lists = match lists {
        0 => String::new(),
        1 => ", one list among them".to_owned(),
        lists => format!(", {lists} lists among them"),
    };
    let mut out = format!(
        "{}; records `{}` with {}{lists}\n",
        kind(&wrapper.rule),
        sink.name,
        counted(shown.len() as u64, "field")
    );
    if let Some(navigation) = &wrapper.navigation {
        out += &format!("{}\n", clip(&way(navigation), WIDTH));
    }
    if let Some(made) = made(wrapper) {
        out += &format!("{}\n", clip(&made, WIDTH));
    }
    // Those with a value tell more.
    let mut fields: Vec<&&(String, Option<String>)> = shown.iter().filter(|(_, sample)| sample.is_some()).collect();
    fields.extend(shown.iter().filter(|(_, sample)| sample.is_none()));
    let width = fields.iter().take(FIELDS).map(|(name, _)| name.chars().count());
    let width = width.max().unwrap_or(0).min(NAME);
    if !fields.is_empty() {
        out += "for example\n";
    }
    for (name, sample) in fields.iter().take(FIELDS).copied() {
        let name = clip(name, NAME);
        let sample = clip(sample.as_deref().unwrap_or("-"), WIDTH - width - 4);
        out += &format!("  {name:<width$}  {sample}\n");
    }
    if fields.len() > FIELDS {
        out += &format!("  and {} more\n", fields.len() - FIELDS);
    }
    out
}

fn kind(rule: &Rule) -> &'static str {
    match rule {
        Rule::Delimiters(_) => "wrapper by delimiters",
        Rule::Landmarks(_) => "wrapper by landmarks",
        Rule::Template(_) => "wrapper by a template",
        Rule::Paths(_) => "wrapper by paths",
        _ => "wrapper by an OXPath expression",
    }
}

/// How the site is reached, in words.
fn way(navigation: &Navigation) -> String {
    let mut out = format!("from {}", navigation.start.join(", "));
    match &navigation.next {
        None => {}
        Some(Onward::Pager) => out += ", along its pager",
        Some(Onward::Link(path)) => out += &format!(", next page at {path}"),
    }
    for links in &navigation.follow {
        out += &match links {
            Links::Like(address) => format!(", following links to {address}"),
            Links::Path(path) => format!(", following links at {path}"),
        };
    }
    out
}

/// What the wrapper was made from, in words.
fn made(wrapper: &Wrapper) -> Option<String> {
    let pages = &wrapper.evidence.pages;
    let first = pages.first()?;
    let records = wrapper.evidence.profiles.first().map_or(0, |profile| profile.records);
    let known = counted(records, "record");
    Some(match pages.len() {
        1 => format!("made from {}; knows {known}", first.name),
        count => format!("made from {count} pages such as {}; knows {known}", first.name),
    })
}

fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// The fields by their paths, each with a value.
fn samples(wrapper: &Wrapper) -> Vec<(String, Option<String>)> {
    let mut out = Vec::new();
    for (number, table) in wrapper.record_type.tables().iter().enumerate() {
        let profile = wrapper.evidence.profiles.get(number);
        for (at, column) in table.columns.iter().enumerate() {
            let path = [&table.path[..], &column.path].concat().join(".");
            let field = profile.and_then(|profile| profile.fields.get(at));
            out.push((path, field.and_then(|field| field.samples.first()).cloned()));
        }
    }
    match &wrapper.shown {
        None => out,
        Some(shown) => {
            let place = |path: &String| {
                let is_in = |known: &String| path == known || path.starts_with(&format!("{known}."));
                shown.iter().position(is_in).unwrap_or(usize::MAX)
            };
            out.sort_by_key(|(path, _)| place(path));
            out
        }
    }
}

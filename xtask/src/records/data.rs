//! Reads the page sets.

use crate::halves;
use anyhow::{Context, anyhow};
use learn::Example;
use serde_json::Value;
use std::fs;
use std::path::Path;
use wrapper::rule::Found;
use xtask::sites;

/// A site with its pages.
#[derive(Clone)]
pub(crate) struct Set {
    /// `wien/s04-yahoo-people`.
    pub(crate) name: String,
    /// Sites of one family have the same software or publisher: all are for development, or none.
    pub(crate) family: String,
    /// The part that it is of, if the data says so; else names of families or sites decide.
    pub(crate) half: Option<String>,
    pub(crate) attributes: Vec<String>,
    /// The number of attributes that occur once above several tuples; 0 in a table.
    pub(crate) headers: usize,
    /// Is the label given as a tree, in which headers may have nothing below them?
    pub(crate) tree: bool,
    pub(crate) pages: Vec<Page>,
    /// The classes that cover it according to the paper.
    pub(crate) paper: Option<Value>,
}

#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The label; for nested sets, as a tree.
    pub(crate) values: Vec<Found>,
    /// The tuples as in the data.
    pub(crate) tuples: Vec<Vec<Option<String>>>,
    /// Where each value of a tuple begins in the text.
    pub(crate) places: Vec<Vec<Option<u32>>>,
}

impl Set {
    /// Is it of a part? If nothing else says so, a name decides.
    pub(crate) fn is_of(&self, half: &str, name: &str) -> bool {
        self.half.as_deref().unwrap_or_else(|| sites::split(name)) == half
    }

    pub(crate) fn examples(&self) -> Vec<Example<'_>> {
        self.pages.iter().map(Page::example).collect()
    }
}

impl Page {
    pub(crate) fn example(&self) -> Example<'_> {
        Example {
            name: &self.name,
            text: &self.text,
            values: self.values.clone(),
        }
    }
}

/// All sets, sorted by name. Of single pages with a list, those of one part may be asked for.
pub(crate) fn load_part(dir: &Path, half: Option<&str>) -> anyhow::Result<Vec<Set>> {
    match dir.join("truth.json").is_file() {
        true => halves::load(dir, half),
        false => load(dir),
    }
}

/// All sets, sorted by name.
pub(crate) fn load(dir: &Path) -> anyhow::Result<Vec<Set>> {
    let mut sets = Vec::new();
    for source in sorted(dir)? {
        if !source.is_dir() {
            continue;
        }
        for site in sorted(&source)? {
            if site.join("expected.json").is_file() {
                sets.push(load_set(dir, &site).with_context(|| site.display().to_string())?);
            }
        }
    }
    Ok(sets)
}

fn sorted(dir: &Path) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn load_set(dir: &Path, site: &Path) -> anyhow::Result<Set> {
    let json: Value = serde_json::from_slice(&fs::read(site.join("expected.json"))?)?;
    let attributes: Vec<String> = list(&json["attributes"])?
        .iter()
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect();
    let nested = json["layout"] == "nested";
    let headers = match json["header_attributes"].as_array() {
        _ if !nested => 0,
        Some(headers) => headers.len(),
        None => 1,
    };
    let mut pages = Vec::new();
    for (name, spans) in json["spans"].as_object().ok_or_else(|| anyhow!("no spans"))? {
        let bytes = fs::read(site.join(name))?;
        let encoding = json["page_encoding"][name].as_str().or(json["encoding"].as_str());
        let (text, _) = page::decode(&bytes, encoding);
        let moved = offsets(&bytes, &text);
        let at = |offset: u64| moved.as_ref().map_or(offset as u32, |moved| moved[offset as usize]);
        let mut values: Vec<Found> = Vec::new();
        let mut push = |field: usize, span: &Value| {
            if let (Some(start), Some(end)) = (span[0].as_u64(), span[1].as_u64()) {
                let value = Found {
                    field: field as u32,
                    start: at(start),
                    end: at(end),
                };
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        };
        if let Some(trees) = json["nested_spans"][name].as_array() {
            for tree in trees {
                push(0, &tree["value"]);
                for child in list(&tree["children"])? {
                    for (field, span) in list(child)?.iter().enumerate() {
                        push(field + 1, span);
                    }
                }
            }
        } else {
            for tuple in list(spans)? {
                for (field, span) in list(tuple)?.iter().enumerate() {
                    push(field, span);
                }
            }
        }
        values.sort_by_key(|value| (value.start, value.end, value.field));
        let text_of = |value: &Value| value.as_str().map(str::to_owned);
        let tuples = list(&json["pages"][name])?
            .iter()
            .map(|tuple| Ok(list(tuple)?.iter().map(text_of).collect()))
            .collect::<anyhow::Result<_>>()?;
        let place = |span: &Value| span[0].as_u64().map(at);
        let places = list(spans)?
            .iter()
            .map(|tuple| Ok(list(tuple)?.iter().map(place).collect()))
            .collect::<anyhow::Result<_>>()?;
        pages.push(Page {
            places,
            name: name.clone(),
            text: text.into_owned(),
            values,
            tuples,
        });
    }
    let name = site.strip_prefix(dir)?.display().to_string();
    // Names are `court-year` and `vendor-council`; elsewhere each site is a family.
    let site = name.split('/').next_back().unwrap_or_default();
    let grouped = name.starts_with("juriscraper") || name.starts_with("planningalerts");
    let family = match json["family"].as_str() {
        Some(family) => family,
        None if grouped => site.split('-').next().unwrap_or(site),
        None => site,
    };
    let family = family.to_owned();
    let paper = json.get("paper").map(|paper| paper["covered_by"].clone());
    Ok(Set {
        name,
        family,
        half: None,
        attributes,
        headers,
        tree: json["nested_spans"].is_object(),
        pages,
        paper,
    })
}

fn list(value: &Value) -> anyhow::Result<&Vec<Value>> {
    value.as_array().ok_or_else(|| anyhow!("expected a list"))
}

/// The position in the text of each byte of the file, if positions differ.
fn offsets(bytes: &[u8], text: &str) -> Option<Vec<u32>> {
    if bytes.len() == text.len() {
        return None;
    }
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    if bytes[mark..] == *text.as_bytes() {
        return Some((0..=bytes.len()).map(|at| at.saturating_sub(mark) as u32).collect());
    }
    // One byte for each character.
    let mut places: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
    places.push(text.len() as u32);
    Some(places)
}

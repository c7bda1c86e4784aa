//! The pages of `onepage`: single pages of many sites, whose records are known by their nodes.
//!
//! Which values the records have is not known. What most records have in the same place (the names of the elements right around
//! it) is taken for a field: the text of a link, its address, and other texts.

use anyhow::{Context as _, bail};
use oxpath::{Query, Value};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use wrapper::rule::paths::value;
use xtask::sites::unpack;

/// The fewest records of a page: with fewer, a list does not show.
const LEAST: usize = 4;
/// A place is one of a field if at least this share of the records have it.
const SHARE: f64 = 0.8;
/// A text that more than this share of the records have is a label and no value.
const SAME: f64 = 0.3;
/// The most letters of an example. Nobody writes down a paragraph.
const LETTERS: usize = 120;
/// The number of elements around a value that tell its place.
const AROUND: usize = 3;
/// The most fields of an example.
const FIELDS: usize = 4;

/// The pages of a part, with what is known about each.
pub(crate) fn pages(data: &Path, split: Option<&str>) -> anyhow::Result<Vec<OnePage>> {
    let names = names(data, split)?;
    let mut truth: serde_json::Value = serde_json::from_slice(&std::fs::read(data.join("truth.json"))?)?;
    let packs: BTreeSet<&str> = names.iter().filter_map(|name| Some(name.split_once('/')?.0)).collect();
    let folder = std::env::temp_dir().join(format!("onepage-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for pack in packs {
        unpack(&data.join(format!("{pack}.tar.xz")), &folder)?;
    }
    let page = |name: String| {
        let bytes = std::fs::read(folder.join(format!("{name}.html")))?;
        anyhow::Ok(OnePage {
            page: Page::parse(&bytes, &Default::default())?,
            about: truth[&name].take(),
            name,
        })
    };
    let pages = names.into_iter().map(page).collect();
    std::fs::remove_dir_all(&folder)?;
    pages
}

/// A page, and what is known about it.
pub(crate) struct OnePage {
    pub(crate) name: String,
    pub(crate) page: Page,
    pub(crate) about: serde_json::Value,
}

/// The pages of a part. Which part a page is of is decided in one place.
fn names(data: &Path, split: Option<&str>) -> anyhow::Result<Vec<String>> {
    let mut command = Command::new("python3");
    command.arg("bench/onepage.py").arg("--names").arg("--data").arg(data);
    if let Some(split) = split {
        command.args(["--split", split]);
    }
    let out = command.output().context("cannot run bench/onepage.py")?;
    if !out.status.success() {
        bail!("bench/onepage.py: {}", String::from_utf8_lossy(&out.stderr));
    }
    Ok(String::from_utf8(out.stdout)?.lines().map(str::to_owned).collect())
}

/// A page with the ranges of its records.
pub(crate) struct Known<'p> {
    pub(crate) page: &'p Page,
    pub(crate) records: Vec<std::ops::Range<NodeId>>,
    /// For each record, the nodes of each place.
    pub(crate) places: Vec<BTreeMap<String, Vec<NodeId>>>,
}

/// A field of an example.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) place: String,
    pub(crate) text: String,
}

impl<'p> Known<'p> {
    pub(crate) fn new(page: &'p Page, about: &serde_json::Value) -> anyhow::Result<Option<Known<'p>>> {
        let xpath = about["xpath"].as_str().context("no xpath")?;
        let query = Query::compile(xpath).map_err(|error| anyhow::anyhow!("{xpath}: {}", error.message()))?;
        let Ok(Value::Nodes(nodes)) = query.evaluate(page) else {
            return Ok(None);
        };
        if about["expected"].as_u64() != Some(nodes.len() as u64) || nodes.len() < LEAST {
            return Ok(None);
        }
        let is_head = about["form"].as_str() == Some("head");
        let nexts = nodes.iter().skip(1).copied().chain([page.end(NodeId::DOCUMENT)]);
        let records: Vec<_> = nodes
            .iter()
            .zip(nexts)
            .map(|(node, next)| *node..if is_head { next } else { page.end(*node) })
            .collect();
        let places = records.iter().map(|record| places(page, record)).collect();
        Ok(Some(Known { page, records, places }))
    }

    /// The fields that most records have, in the order in which somebody would name them.
    pub(crate) fn fields(&self, at: usize) -> Vec<Field> {
        let count = self.records.len() as f64;
        let mut found: Vec<(String, NodeId, usize)> = Vec::new();
        for (place, nodes) in &self.places[at] {
            let node = &nodes[0];
            let texts: Vec<String> = self
                .places
                .iter()
                .filter_map(|places| Some(value(self.page, places.get(place)?[0])))
                .collect();
            let own = value(self.page, *node);
            let same = texts.iter().filter(|text| **text == own).count();
            let letters: usize = texts.iter().map(|text| text.chars().count()).sum();
            let is_value = own.chars().filter(|c| c.is_alphanumeric()).count() > 1;
            if texts.len() as f64 >= SHARE * count
                && same as f64 <= (SAME * count).max(1.0)
                && own.chars().count() <= LETTERS
                && is_value
            {
                found.push((place.clone(), *node, letters / texts.len()));
            }
        }
        let field = |name, (place, node, _): &(String, NodeId, usize)| Field {
            name,
            place: place.clone(),
            text: value(self.page, *node),
        };
        let links = found.iter().filter(|(place, ..)| place.starts_with("a<"));
        let title = links.max_by_key(|(_, node, letters)| (*letters, std::cmp::Reverse(*node)));
        let mut fields: Vec<Field> = title.map(|title| field("title", title)).into_iter().collect();
        if let Some((place, node, _)) = title {
            let href = found.iter().find(|(other, attribute, _)| {
                *other == format!("@href<{place}") && self.page.parent(*attribute) == Some(*node)
            });
            fields.extend(href.map(|href| field("link", href)));
        }
        let mut texts: Vec<&(String, NodeId, usize)> =
            found.iter().filter(|(place, ..)| place.starts_with("text<")).collect();
        texts.sort_by_key(|(_, node, _)| *node);
        for text in texts {
            let name = ["text", "more", "other", "last"]
                .get(fields.len().saturating_sub(1))
                .copied();
            let name = name.filter(|_| fields.len() < FIELDS);
            let next = name.map(|name| field(name, text));
            if let Some(next) = next.filter(|next| !fields.iter().any(|other| other.text == next.text)) {
                fields.push(next);
            }
        }
        fields
    }
}

/// The nodes of each place in a record: links, their addresses, and texts that are not in links.
fn places(page: &Page, record: &std::ops::Range<NodeId>) -> BTreeMap<String, Vec<NodeId>> {
    let mut places: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    let look = |node: NodeId| {
        let names: Vec<&str> = page.ancestors(node).take(AROUND).map(|up| page.name(up)).collect();
        names.join("<")
    };
    for node in (record.start.0..record.end.0).map(NodeId) {
        match page.kind(node) {
            Kind::Text => {
                let in_link = page
                    .ancestors(node)
                    .any(|up| page.name(up) == "a" && up >= record.start);
                if !in_link
                    && vocabulary::is_seen(page, node)
                    && !is_broken(page, node)
                    && !value(page, node).is_empty()
                {
                    places.entry(format!("text<{}", look(node))).or_default().push(node);
                }
            }
            Kind::Element if page.name(node) == "a" && !value(page, node).is_empty() => {
                let place = format!("a<{}", look(node));
                let href = page
                    .attributes(node)
                    .map(NodeId)
                    .find(|node| page.name(*node) == "href");
                if let Some(href) = href {
                    places.entry(format!("@href<{place}")).or_default().push(href);
                }
                places.entry(place).or_default().push(node);
            }
            _ => {}
        }
    }
    places
}

/// Does a sentence go on after a text: is the next thing an emphasized word?
fn is_broken(page: &Page, text: NodeId) -> bool {
    let Some(parent) = page.parent(text) else {
        return false;
    };
    let mut next = page.children(parent).skip_while(|child| *child <= text);
    let mark = |node: NodeId| matches!(page.name(node), "b" | "em" | "i" | "strong" | "font");
    let goes_on = next.next().is_some_and(mark);
    let before = page.children(parent).take_while(|child| *child < text).last();
    let begins_small = value(page, text).chars().next().is_some_and(char::is_lowercase);
    goes_on || (begins_small && before.is_some_and(mark))
}

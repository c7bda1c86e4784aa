//! `cargo xtask guided --part onepage`: rules from one record of a list, on single pages of many sites.
//!
//! The records of these pages are known by their nodes; which values they have is not. So an example is made from one record: the text
//! of a link, its address, and other texts, each of which most records have in the same place (the names of the elements right around
//! it). A rule is learned from it and run on the same page. The list is *exact* if it has as many records as are
//! known, and each has values of its own record only. How often the values are those of the same place is a second
//! figure; it is a guess where a record has several such places.
//!
//! The first record is taken, the one in the middle, and a drawn one; with a link and a text, with texts alone and with up to four fields.

use crate::Options;
use anyhow::{Context as _, bail};
use learn::guided::{Lesson, Wanted, learn_guided};
use oxpath::{Query, Value};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wrapper::rule::paths::{PathRecord, PathsRun, value};
use xtask::random::Random;

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

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/onepage"));
    let seed = options.number("seed", 1)?;
    let folder = std::env::temp_dir().join(format!("onepage-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let done = scored(&data, &folder, options, seed);
    std::fs::remove_dir_all(&folder)?;
    done
}

fn scored(data: &Path, folder: &Path, options: &Options, seed: u64) -> anyhow::Result<ExitCode> {
    let names = names(data, options.text("split"))?;
    let truth: serde_json::Value = serde_json::from_slice(&std::fs::read(data.join("truth.json"))?)?;
    let packs: BTreeSet<&str> = names.iter().filter_map(|name| Some(name.split_once('/')?.0)).collect();
    for pack in packs {
        let pack = data.join(format!("{pack}.tar.xz"));
        let unpacked = Command::new("tar")
            .arg("-xJf")
            .arg(&pack)
            .arg("-C")
            .arg(folder)
            .status()?;
        if !unpacked.success() {
            bail!("cannot unpack {}", pack.display());
        }
    }
    let mut sums: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    let mut pages = 0;
    for name in &names {
        let wanted = |only: &str| only.split(',').any(|only| name.contains(only));
        if !options.text("sites").is_none_or(wanted) {
            continue;
        }
        let about = &truth[name];
        let bytes = std::fs::read(folder.join(format!("{name}.html")))?;
        let page = Page::parse(&bytes, &Default::default())?;
        let Some(known) = Known::new(&page, about)? else {
            continue;
        };
        pages += 1;
        let count = known.records.len();
        println!("{name} ({count} records, {})", about["form"].as_str().unwrap_or(""));
        let drawn = Random::new(seed).below(count);
        for (draw, at) in [("first", 0), ("middle", count / 2), ("drawn", drawn)] {
            let fields = known.fields(at);
            let texts: Vec<Field> = fields
                .iter()
                .filter(|field| field.place.starts_with("text<"))
                .cloned()
                .collect();
            // The text of the link, and another text rather than its address.
            let both = fields.iter().take(1).chain(fields.get(2).or(fields.get(1)));
            let tries = [
                ("link and text", both.cloned().collect::<Vec<Field>>()),
                ("texts", texts),
                ("all", fields.clone()),
            ];
            for (what, fields) in tries.iter().filter(|(_, fields)| fields.len() > 1) {
                let tried = known.tried(name, at, fields, options.text("show").is_some());
                sums.entry((what, draw)).or_default().add(&tried);
                sums.entry((what, "each")).or_default().add(&tried);
                if tried.verdict != "exact" || tried.right < tried.all {
                    let texts: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
                    println!(
                        "    {draw} {texts:?}: {}, {} records, values {} of {}",
                        tried.verdict, tried.count, tried.right, tried.all
                    );
                }
            }
        }
    }
    println!("{pages} pages");
    println!(
        "| fields | record | exact | one | too few | too many | others | values |\n|---|---|--:|--:|--:|--:|--:|--:|"
    );
    for ((what, draw), sum) in &sums {
        let of = |verdict: &str| sum.verdicts.get(verdict).copied().unwrap_or(0);
        println!(
            "| {what} | {draw} | {} of {} ({:.3}) | {} | {} | {} | {} | {:.3} |",
            of("exact"),
            sum.count,
            of("exact") as f64 / sum.count.max(1) as f64,
            of("one"),
            of("too few"),
            of("too many"),
            of("others"),
            sum.values / sum.count.max(1) as f64
        );
    }
    Ok(ExitCode::SUCCESS)
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
struct Known<'p> {
    page: &'p Page,
    records: Vec<std::ops::Range<NodeId>>,
    /// For each record, the first node of each place.
    places: Vec<BTreeMap<String, NodeId>>,
}

/// A field of an example.
#[derive(Clone)]
struct Field {
    name: &'static str,
    place: String,
    text: String,
}

/// What a rule found.
struct Tried {
    verdict: &'static str,
    count: usize,
    right: usize,
    all: usize,
}

#[derive(Default)]
struct Sum {
    verdicts: BTreeMap<&'static str, usize>,
    count: usize,
    values: f64,
}

impl Sum {
    fn add(&mut self, tried: &Tried) {
        *self.verdicts.entry(tried.verdict).or_default() += 1;
        self.count += 1;
        self.values += tried.right as f64 / tried.all.max(1) as f64;
    }
}

impl<'p> Known<'p> {
    fn new(page: &'p Page, about: &serde_json::Value) -> anyhow::Result<Option<Known<'p>>> {
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
    fn fields(&self, at: usize) -> Vec<Field> {
        let count = self.records.len() as f64;
        let mut found: Vec<(String, NodeId, usize)> = Vec::new();
        for (place, node) in &self.places[at] {
            let texts: Vec<String> = self
                .places
                .iter()
                .filter_map(|places| Some(value(self.page, *places.get(place)?)))
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

    fn tried(&self, name: &str, at: usize, fields: &[Field], show: bool) -> Tried {
        let wanted: Vec<Wanted> = fields
            .iter()
            .map(|field| Wanted {
                name: field.name.to_owned(),
                many: false,
            })
            .collect();
        let lesson = Lesson {
            name,
            page: self.page,
            records: vec![fields.iter().map(|field| vec![field.text.clone()]).collect()],
        };
        let taught = learn_guided(&wanted, &[lesson], true, &page::Job::new());
        if show {
            match &taught {
                Ok(taught) => println!("      {at}: {:?}", taught.rule),
                Err(trouble) => println!("      {at}: {trouble}"),
            }
        }
        let run = taught.ok().and_then(|taught| PathsRun::new(&taught.rule).ok());
        let found = run.map(|run| run.page(self.page)).unwrap_or_default();
        let is_own = |(record, range): (&PathRecord, &std::ops::Range<NodeId>)| {
            !record.values.is_empty() && record.values.iter().all(|value| range.contains(&value.node))
        };
        let verdict = match found.len() {
            count if count == self.records.len() => match found.iter().zip(&self.records).all(is_own) {
                true => "exact",
                false => "others",
            },
            1 => "one",
            count if count < self.records.len() => "too few",
            _ => "too many",
        };
        // Values, by the known record that the found one is in.
        let (mut right, mut all) = (0, 0);
        for (range, places) in self.records.iter().zip(&self.places) {
            let mut own = found.iter().filter(|record| is_own((record, range)));
            let record = own.next();
            for (number, field) in fields.iter().enumerate() {
                let Some(node) = places.get(&field.place) else {
                    continue;
                };
                all += 1;
                let text = record.and_then(|record| record.values.iter().find(|value| value.field == number));
                right += usize::from(text.is_some_and(|text| text.text == value(self.page, *node)));
            }
        }
        Tried {
            verdict,
            count: found.len(),
            right,
            all,
        }
    }
}

/// The first node of each place in a record: links, their addresses, and texts that are not in links.
fn places(page: &Page, record: &std::ops::Range<NodeId>) -> BTreeMap<String, NodeId> {
    let mut places = BTreeMap::new();
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
                    places.entry(format!("text<{}", look(node))).or_insert(node);
                }
            }
            Kind::Element if page.name(node) == "a" && !value(page, node).is_empty() => {
                let place = format!("a<{}", look(node));
                if !places.contains_key(&place) {
                    let href = page
                        .attributes(node)
                        .map(NodeId)
                        .find(|node| page.name(*node) == "href");
                    if let Some(href) = href {
                        places.insert(format!("@href<{place}"), href);
                    }
                    places.insert(place, node);
                }
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

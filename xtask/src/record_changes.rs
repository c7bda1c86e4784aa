//! `cargo xtask swde --part changes`: pages with one record each, with changes whose effect on the values is known exactly.
//!
//! Each change is made to the pages of a site that a wrapper is inferred from, from a seed. The program infers from the changed
//! pages and reads them. An attribute is right if one field has one of its values first on all pages that have some, but for one
//! page in twenty. A pair of a site and a change is right if every attribute that is right on the pages as they are is right on
//! the changed pages, too, and if a value that the change takes away is not found.

use crate::Options;
use crate::exalg::plain;
use crate::list_pages::{Node, tree};
use crate::lists::{Counts, Maker};
use anyhow::Context;
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::random::Random;
use xtask::sites;

/// One page in this many may be wrong.
const WRONG: usize = 20;

/// A page that can be changed, with the values of each attribute.
#[derive(Clone)]
struct Record {
    root: Node,
    truth: Vec<Vec<String>>,
}

/// A change; false if the pages have no room for it.
type Change = fn(&mut [Record], &mut Random) -> bool;

const CHANGES: [(&str, Change); 12] = [
    ("value missing", value_missing),
    ("advert", advert),
    ("moved block", moved_block),
    ("branded pages", branded),
    ("two brands", two_brands),
    ("frame in a frame", nested_frames),
    ("bullets", bullets),
    ("white space", white_space),
    ("labelled rows turned", rows_turned),
    ("ids with numbers", numbered_ids),
    ("made-up classes", made_classes),
    ("attribute order", |_, _| true),
];

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let packs = PathBuf::from(options.text("packs").unwrap_or(sites::PACKS));
    let training = sites::training(&packs, options.text("train"))?;
    let maker = Maker::new(options)?;
    let method = options.text("method").unwrap_or("auto");
    let only = options.text("only");
    let (seed, show) = (options.number("seed", 1)?, options.text("show").is_some());
    let place = std::env::temp_dir().join(format!("record-changes-{}", std::process::id()));
    let mut counts = Counts::default();
    for (site, train) in &training {
        let wanted = |names: &str| names.split(',').any(|name| name == site);
        if options.text("split").is_some_and(|half| sites::split(site) != half)
            || options.text("sites").is_some_and(|names| !wanted(names))
        {
            continue;
        }
        let Some(plain) = records(&packs, site, train)? else {
            continue;
        };
        let before = right(&maker, method, &place, &plain, false)?;
        let mut failed = Vec::new();
        for (number, (name, change)) in CHANGES.iter().enumerate() {
            if only.is_some_and(|only| !only.split(',').any(|wanted| wanted == *name)) {
                continue;
            }
            let mut changed = plain.clone();
            let mut random = Random::new(seed ^ (number as u64) << 40);
            if !change(&mut changed, &mut random) {
                continue;
            }
            let after = right(&maker, method, &place, &changed, *name == "attribute order")?;
            let fine = before.iter().zip(&after).all(|(before, after)| *after || !before);
            counts.add(name, fine);
            if !fine {
                failed.push(*name);
            }
        }
        if show {
            let known = before.iter().filter(|right| **right).count();
            println!("{site:<30} {known} of {}: {}", before.len(), failed.join(", "));
        }
    }
    counts.print(&CHANGES.map(|(name, _)| name));
    Ok(ExitCode::SUCCESS)
}

/// The pages of a site that a wrapper is inferred from.
fn records(packs: &Path, site: &str, train: &[String]) -> anyhow::Result<Option<Vec<Record>>> {
    let (Some(files), Some(truth)) = (sites::files(packs, site)?, sites::truth(packs, site, false)?) else {
        return Ok(None);
    };
    let mut records = Vec::new();
    for (name, bytes) in files.iter().filter(|(name, _)| train.contains(name)) {
        let page = Page::parse(bytes, &Default::default())?;
        let root = page.children(NodeId::DOCUMENT).find(|node| page.is_element(*node));
        let root = root
            .and_then(|root| tree(&page, root))
            .context("a page without elements")?;
        let values = |attribute: &String| {
            sites::values(&truth, attribute, name)
                .iter()
                .map(|value| plain(value))
                .collect()
        };
        records.push(Record {
            root,
            truth: truth.keys().map(values).collect(),
        });
    }
    Ok(Some(records))
}

/// Which attributes are right.
fn right(maker: &Maker, method: &str, place: &Path, records: &[Record], other: bool) -> anyhow::Result<Vec<bool>> {
    std::fs::create_dir_all(place)?;
    let mut files = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let mut html = String::new();
        record.root.html(other, &mut html);
        let file = place.join(format!("{number:03}.html"));
        std::fs::write(&file, format!("\u{feff}<!DOCTYPE html>{html}"))?;
        files.push(file);
    }
    let found = maker.tables(method, &files, &files)?;
    std::fs::remove_dir_all(place)?;
    // The first value of each field on each page.
    let mut fields: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
    for (number, tables) in found.iter().enumerate() {
        for (field, rows) in tables.iter().filter(|(name, _)| name.ends_with("[]")) {
            let first = rows.first().and_then(|row| row.values().next());
            fields.entry(field).or_insert_with(|| vec![None; records.len()])[number] = first.map(String::as_str);
        }
    }
    let attributes = records.first().map_or(0, |record| record.truth.len());
    let is_right = |attribute: usize| {
        fields.values().any(|field| {
            let pages = || records.iter().map(|record| &record.truth[attribute]).zip(field);
            let known = pages().filter(|(truth, _)| !truth.is_empty());
            let wrong =
                known.filter(|(truth, found)| found.is_none_or(|found| !truth.iter().any(|value| value == found)));
            // What is gone must not be found.
            let gone = pages().all(|(truth, found)| truth != &[GONE] || found.is_none_or(str::is_empty));
            let all = pages()
                .filter(|(truth, _)| !truth.is_empty() && *truth != &[GONE])
                .count();
            let gones = pages().filter(|(truth, _)| *truth == &[GONE]).count();
            all > 0 && gone && (wrong.count() - gones) * WRONG <= all
        })
    };
    Ok((0..attributes).map(is_right).collect())
}

/// Stands for a value that was taken away.
const GONE: &str = "\u{e000}";

impl Record {
    fn body(&mut self) -> Option<&mut Vec<Node>> {
        let at = self.root.children().iter().position(|child| child.name() == "body")?;
        self.root.children_mut()?.get_mut(at)?.children_mut()
    }

    /// The part of the body with the most text.
    fn main(&mut self) -> Option<&mut Node> {
        let body = self.body()?;
        body.iter_mut()
            .filter(|child| !child.name().is_empty())
            .max_by_key(|child| child.said().len())
    }
}

/// On one page the only element with the value of an attribute is gone.
fn value_missing(records: &mut [Record], random: &mut Random) -> bool {
    /// Takes away the smallest element that says a value; how often it was found.
    fn take(node: &mut Node, value: &str, remove: bool) -> usize {
        let Some(children) = node.children_mut() else { return 0 };
        let mut times = 0;
        let mut at = 0;
        while at < children.len() {
            let inside = take(&mut children[at], value, remove);
            times += inside;
            if inside == 0 && !children[at].name().is_empty() && plain(&children[at].said()) == value {
                times += 1;
                if remove {
                    children.remove(at);
                    continue;
                }
            }
            at += 1;
        }
        times
    }
    for _ in 0..2 * records.len() {
        let page = random.below(records.len());
        let record = &mut records[page];
        let attribute = random.below(record.truth.len());
        let [value] = &record.truth[attribute][..] else {
            continue;
        };
        let value = value.clone();
        let once = plain(&record.root.said()).matches(&value).count() == 1;
        if once && take(&mut record.root, &value, false) == 1 {
            take(&mut record.root, &value, true);
            record.truth[attribute] = vec![GONE.to_owned()];
            return true;
        }
    }
    false
}

/// An advert somewhere in the main part of every third page.
fn advert(records: &mut [Record], random: &mut Random) -> bool {
    records.iter_mut().step_by(3).all(|record| {
        let Some(children) = record.main().and_then(Node::children_mut) else {
            return false;
        };
        let text = Node::element("p", vec![Node::text("Advertisement: all our offers")]);
        let at = random.below(children.len() + 1);
        children.insert(at, Node::element("div", vec![text]).with("class", "advert"));
        true
    })
}

/// On every third page the main part is in an element more.
fn moved_block(records: &mut [Record], _: &mut Random) -> bool {
    records.iter_mut().step_by(3).all(|record| {
        let main = record
            .main()
            .map(|main| *main = Node::element("div", vec![main.clone()]));
        main.is_some()
    })
}

/// Every third page has another frame around all that it shows.
fn branded(records: &mut [Record], _: &mut Random) -> bool {
    records.iter_mut().step_by(3).all(|record| {
        let Some(body) = record.body() else { return false };
        crate::list_changes::brand(body);
        true
    })
}

/// Every third page has a frame around all that it shows, and every third other page another one.
fn two_brands(records: &mut [Record], random: &mut Random) -> bool {
    let (first, second) = records
        .iter_mut()
        .enumerate()
        .partition::<Vec<_>, _>(|(at, _)| at % 3 == 0);
    let first = first
        .into_iter()
        .all(|(_, record)| branded(std::slice::from_mut(record), random));
    first
        && second.into_iter().filter(|(at, _)| at % 3 == 1).all(|(_, record)| {
            let Some(body) = record.body() else { return false };
            let inner = std::mem::take(body);
            let name = Node::element("b", vec![Node::text("Seen at the Daily Kelp")]);
            let menu = Node::element("p", vec![Node::text("News"), Node::text(" | Weather")]);
            let side = Node::element("section", vec![name, menu]).with("id", "paper");
            *body = vec![Node::element("section", inner).with("id", "paper-page"), side];
            true
        })
}

/// Every third page has two elements around all that it shows, the outer one with more in it.
fn nested_frames(records: &mut [Record], _: &mut Random) -> bool {
    records.iter_mut().step_by(3).all(|record| {
        let Some(body) = record.body() else { return false };
        let inner = std::mem::take(body);
        let brand = Node::element("h2", vec![Node::text("Partner of the week")]);
        let inner = Node::element("div", inner).with("class", "column");
        *body = vec![Node::element("div", vec![brand, inner]).with("class", "brand")];
        true
    })
}

/// A list of notes of another length on each page.
fn bullets(records: &mut [Record], random: &mut Random) -> bool {
    records.iter_mut().all(|record| {
        let Some(body) = record.body() else { return false };
        body.insert(0, crate::list_changes::notes(random));
        true
    })
}

/// White space around half of the texts.
fn white_space(records: &mut [Record], random: &mut Random) -> bool {
    for record in records {
        record.root.each_text(&mut |text, seen| {
            if seen && !text.trim().is_empty() && random.chance(50) {
                *text = format!("\u{a0} \n{text}\u{a0} ");
            }
        });
    }
    true
}

/// On every third page the rows of each table with labels are in the opposite order. A table has labels if each row has two cells and
/// the first one says what the first cell of a row says on at least half of the pages.
fn rows_turned(records: &mut [Record], _: &mut Random) -> bool {
    /// The text of the first cell of a row with two.
    fn label(row: &Node) -> Option<String> {
        let mut cells = row.children().iter().filter(|cell| ["td", "th"].contains(&cell.name()));
        let (first, second) = (cells.next()?, cells.next()?);
        let is_row = row.name() == "tr" && cells.next().is_none() && !plain(&second.said()).is_empty();
        Some(plain(&first.said())).filter(|said| is_row && !said.is_empty())
    }
    fn labels(node: &Node, found: &mut BTreeSet<String>) {
        found.extend(label(node));
        node.children().iter().for_each(|child| labels(child, found));
    }
    /// Turns tables; whether one of the values is in one of them.
    fn turn(node: &mut Node, is_label: &dyn Fn(&str) -> bool, is_value: &dyn Fn(&str) -> bool) -> bool {
        let Some(children) = node.children_mut() else {
            return false;
        };
        let mut turned = false;
        for child in children.iter_mut() {
            turned |= turn(child, is_label, is_value);
        }
        let rows: Vec<usize> = (0..children.len()).filter(|at| children[*at].name() == "tr").collect();
        let all = rows
            .iter()
            .all(|at| label(&children[*at]).is_some_and(|said| is_label(&said)));
        if rows.len() < 3 || !all {
            return turned;
        }
        turned |= rows.iter().any(|at| is_value(&plain(&children[*at].said())));
        for (from, to) in rows.iter().zip(rows.iter().rev()).take(rows.len() / 2) {
            children.swap(*from, *to);
        }
        turned
    }
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for record in records.iter() {
        let mut here = BTreeSet::new();
        labels(&record.root, &mut here);
        here.into_iter().for_each(|said| *pages.entry(said).or_default() += 1);
    }
    let count = records.len();
    let is_label = |said: &str| pages.get(said).is_some_and(|times| times * 2 >= count);
    let mut turned = false;
    for record in records.iter_mut().step_by(3) {
        let Record { root, truth } = record;
        let is_value = |row: &str| truth.iter().flatten().any(|value| row.ends_with(value.as_str()));
        turned |= turn(root, &is_label, &is_value);
    }
    turned
}

/// Changes each value of an attribute below a node.
fn each_attribute(node: &mut Node, wanted: &str, change: &mut dyn FnMut(&mut String)) {
    if let Node::Element {
        attributes, children, ..
    } = node
    {
        let of_name = attributes.iter_mut().filter(|(name, _)| name == wanted);
        of_name.for_each(|(_, value)| change(value));
        children
            .iter_mut()
            .for_each(|child| each_attribute(child, wanted, change));
    }
}

/// Each `id` ends with the number of the page's record.
fn numbered_ids(records: &mut [Record], random: &mut Random) -> bool {
    let mut some = false;
    for record in records {
        let number = random.below(1_000_000);
        each_attribute(&mut record.root, "id", &mut |value| {
            some = true;
            *value = format!("{value}-{number}");
        });
    }
    some
}

/// Each element with a class has another one, which is new on each page.
fn made_classes(records: &mut [Record], random: &mut Random) -> bool {
    let mut some = false;
    for record in records {
        each_attribute(&mut record.root, "class", &mut |value| {
            some = true;
            *value = format!("css-{:x} {value}", 0x10_0000 + random.below(0xF0_0000));
        });
    }
    some
}

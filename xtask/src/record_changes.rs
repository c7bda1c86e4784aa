//! `cargo xtask swde --part changes`: pages with one record each, with changes whose effect on the values is known exactly.
//!
//! Each change is made to the pages of a site that a wrapper is inferred from, from a seed. The program infers from the changed
//! pages and reads them. An attribute is right if one field has one of its values first on all pages that have some, but for one
//! page in twenty. A pair of a site and a change is right if every attribute that is right on the pages as they are is right on
//! the changed pages, too, and if a value that the change takes away is not found.

use crate::Options;
use crate::exalg::plain;
use crate::list_pages::{Node, Way, tree};
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

const CHANGES: [(&str, Change); 15] = [
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
    ("named block elsewhere", |records, random| {
        named_block(records, random) && elsewhere(records, random)
    }),
    ("named block in turn", |records, random| {
        named_block(records, random) && in_turn(records)
    }),
    ("headed block elsewhere", |records, random| {
        headed_block(records, random) && elsewhere(records, random)
    }),
    ("attribute order", |_, _| true),
];

/// Changes that only pages have that no wrapper was inferred from, each with what is done to all pages before.
const UNSEEN: [(&str, Change, Change); 7] = [
    ("advert", |_, _| true, advert),
    ("moved block", |_, _| true, moved_block),
    ("branded pages", |_, _| true, branded),
    ("frame in a frame", |_, _| true, nested_frames),
    ("named block elsewhere", named_block, elsewhere),
    ("named block in turn", named_block, |records, _| in_turn(records)),
    ("headed block elsewhere", headed_block, elsewhere),
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
        if options.text("part") == Some("unseen") {
            unseen(&maker, method, &place, &plain, (site, seed, only, show), &mut counts)?;
            continue;
        }
        let before = right(&maker, method, &place, None, &plain, false)?;
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
            let after = right(&maker, method, &place, None, &changed, *name == "attribute order")?;
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
    match options.text("part") == Some("unseen") {
        true => counts.print(&UNSEEN.map(|(name, _, _)| name)),
        false => counts.print(&CHANGES.map(|(name, _)| name)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Infers from the pages of a site and reads changed ones.
fn unseen(
    maker: &Maker,
    method: &str,
    place: &Path,
    plain: &[Record],
    (site, seed, only, show): (&str, u64, Option<&str>, bool),
    counts: &mut Counts,
) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    for (number, (name, prepare, change)) in UNSEEN.iter().enumerate() {
        if only.is_some_and(|only| !only.split(',').any(|wanted| wanted == *name)) {
            continue;
        }
        let mut random = Random::new(seed ^ (number as u64) << 40);
        let mut known = plain.to_vec();
        if !prepare(&mut known, &mut random) {
            continue;
        }
        let mut changed = known.clone();
        if !change(&mut changed, &mut random) {
            continue;
        }
        let before = right(maker, method, place, None, &known, false)?;
        let after = right(maker, method, place, Some(&known), &changed, false)?;
        let fine = before.iter().zip(&after).all(|(before, after)| *after || !before);
        counts.add(name, fine);
        if !fine {
            failed.push(*name);
        }
    }
    if show {
        println!("{site:<30} {}", failed.join(", "));
    }
    Ok(())
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

/// Which attributes are right, with a wrapper from these pages or from others.
fn right(
    maker: &Maker,
    method: &str,
    place: &Path,
    train: Option<&[Record]>,
    records: &[Record],
    other: bool,
) -> anyhow::Result<Vec<bool>> {
    std::fs::create_dir_all(place)?;
    let write = |records: &[Record], prefix: &str| -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for (number, record) in records.iter().enumerate() {
            let mut html = String::new();
            record.root.html(other, &mut html);
            let file = place.join(format!("{prefix}{number:03}.html"));
            std::fs::write(&file, format!("\u{feff}<!DOCTYPE html>{html}"))?;
            files.push(file);
        }
        Ok(files)
    };
    let files = write(records, "")?;
    let learned = train.map(|train| write(train, "learned-")).transpose()?;
    let found = maker.tables(method, learned.as_ref().unwrap_or(&files), &files)?;
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

/// The `id` of the block that is moved, and the heading of one that has none.
const NAMED: &str = "kelp-facts";
const HEADED: &str = "Facts and figures";

/// Elements that may stand under any block.
const MOVABLE: [&str; 9] = ["div", "table", "ul", "ol", "dl", "section", "p", "center", "fieldset"];

/// The ways to texts that are a value.
fn ways_to(node: &Node, value: &str, way: &mut Way, found: &mut Vec<Way>) {
    for (at, child) in node.children().iter().enumerate() {
        way.push(at);
        match child {
            Node::Text(text) if plain(text) == value => found.push(way.clone()),
            Node::Text(_) => {}
            Node::Element { .. } => ways_to(child, value, way, found),
        }
        way.pop();
    }
}

fn texts(node: &Node) -> usize {
    match node {
        Node::Text(text) => usize::from(!text.trim().is_empty()),
        Node::Element { children, .. } => children.iter().map(texts).sum(),
    }
}

/// The block around the value of an attribute on each page that has one value once: the smallest element of the same kind on all pages with at
/// least three texts and at most half of those of its page.
fn blocks(records: &[Record], attribute: usize) -> Option<Vec<Option<Way>>> {
    let mut places: Vec<Option<Way>> = Vec::new();
    for record in records {
        let mut found = Vec::new();
        if let [value] = &record.truth[attribute][..] {
            ways_to(&record.root, value, &mut Way::new(), &mut found);
        }
        places.push(found.pop().filter(|_| found.is_empty()));
    }
    if places.iter().flatten().count() * 10 < records.len() * 9 {
        return None;
    }
    (1..8).find_map(|level| {
        let ways: Vec<Option<Way>> = places
            .iter()
            .map(|place| {
                place
                    .as_ref()
                    .and_then(|way| Some(way[..way.len().checked_sub(level)?].to_vec()))
            })
            .collect();
        let known = || {
            ways.iter()
                .zip(records)
                .filter_map(|(way, record)| Some((record, record.root.at(way.as_ref()?)?)))
        };
        let name = known().next()?.1.name();
        let fits = |(record, node): (&Record, &Node)| {
            node.name() == name && texts(node) >= 3 && texts(node) * 2 <= texts(&record.root)
        };
        let is_whole = ways.iter().flatten().count() == places.iter().flatten().count();
        (MOVABLE.contains(&name) && is_whole && known().all(fits)).then_some(ways)
    })
}

/// Changes a block on each page.
fn each_block(records: &mut [Record], random: &mut Random, change: impl Fn(&mut Node)) -> bool {
    let attributes = records.first().map_or(0, |record| record.truth.len());
    let mut all: Vec<Vec<Option<Way>>> = (0..attributes).filter_map(|at| blocks(records, at)).collect();
    if all.is_empty() {
        return false;
    }
    let ways = all.swap_remove(random.below(all.len()));
    for (record, way) in records.iter_mut().zip(ways) {
        if let Some(block) = way.and_then(|way| record.root.at_mut(&way)) {
            change(block);
        }
    }
    true
}

/// A block is told by its `id` alone.
fn named_block(records: &mut [Record], random: &mut Random) -> bool {
    each_block(records, random, |block| {
        if let Node::Element { attributes, .. } = block {
            attributes.retain(|(name, _)| name != "id" && name != "class");
            attributes.push(("id".to_owned(), NAMED.to_owned()));
        }
    })
}

/// A block is told by its heading alone.
fn headed_block(records: &mut [Record], random: &mut Random) -> bool {
    each_block(records, random, |block| {
        if let Node::Element { attributes, name, .. } = block {
            attributes.clear();
            let own = Node::Element {
                name: name.clone(),
                attributes: Vec::new(),
                children: block.children().to_vec(),
            };
            let heading = Node::element("h3", vec![Node::text(HEADED)]);
            *block = Node::element("div", vec![heading, own]);
        }
    })
}

/// The way to the block that was named or got a heading.
fn way_to_block(node: &Node, way: &mut Way) -> Option<Way> {
    for (at, child) in node.children().iter().enumerate() {
        way.push(at);
        let is_named = |(name, value): &(String, String)| name == "id" && value == NAMED;
        let first = child.children().first();
        let is_block = match child {
            Node::Element { attributes, .. } => {
                attributes.iter().any(is_named)
                    || first.is_some_and(|first| first.name() == "h3" && first.said() == HEADED)
            }
            Node::Text(_) => false,
        };
        let found = if is_block {
            Some(way.clone())
        } else {
            way_to_block(child, way)
        };
        way.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Takes a node out.
fn take(root: &mut Node, way: &[usize]) -> Option<Node> {
    let (last, above) = way.split_last()?;
    let children = root.at_mut(above)?.children_mut()?;
    (*last < children.len()).then(|| children.remove(*last))
}

/// On every third page the block stands in a frame at the end, at the beginning of the body, or in another part of the page.
fn elsewhere(records: &mut [Record], random: &mut Random) -> bool {
    let place = random.below(3);
    let mut some = false;
    for record in records.iter_mut().step_by(3) {
        let Some(way) = way_to_block(&record.root, &mut Way::new()) else {
            continue;
        };
        let Some(block) = take(&mut record.root, &way) else {
            continue;
        };
        some = true;
        match place {
            0 => {
                let Some(body) = record.body() else { return false };
                let heading = Node::element("h4", vec![Node::text("More of this")]);
                body.push(Node::element("div", vec![heading, block]).with("class", "further"));
            }
            1 => {
                let Some(body) = record.body() else { return false };
                body.insert(0, block);
            }
            _ => {
                let Some(children) = record.main().and_then(Node::children_mut) else {
                    return false;
                };
                children.insert(0, Node::element("div", vec![block]));
            }
        }
    }
    some
}

/// On every third page the block is before the sibling that it comes after.
fn in_turn(records: &mut [Record]) -> bool {
    let mut some = false;
    for record in records.iter_mut().step_by(3) {
        let Some(way) = way_to_block(&record.root, &mut Way::new()) else {
            continue;
        };
        let Some((last, above)) = way.split_last() else {
            continue;
        };
        let children = record.root.at_mut(above).and_then(Node::children_mut);
        let Some(children) = children else { continue };
        let before = (0..*last).rev().find(|at| !children[*at].said().trim().is_empty());
        if let Some(before) = before {
            some = true;
            let block = children.remove(*last);
            children.insert(before, block);
        }
    }
    some
}

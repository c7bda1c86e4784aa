//! `cargo xtask lists --part changes`: real lists with changes whose effect on the truth is known exactly.
//!
//! Each change is made to the pages of each set that has rows (`list_pages`), from a seed. The program infers a wrapper
//! from the changed pages and reads them. A pair of a set and a change is right if every attribute that is right on the
//! pages as they are is right on the changed pages, too, but for the known effect; so are the attributes that the change
//! adds. Sets of which no attribute is right to begin with do not count.

use crate::Options;
use crate::exalg::{Verdict, plain};
use crate::list_pages::{ListPage, ListSet, Node, list_set, unmarked};
use crate::lists::{Counts, Maker, sets};
use crate::tables::{Known, score};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::random::Random;

/// A change; false if a set has no room for it.
pub(crate) type Change = fn(&mut ListSet, &mut Random) -> bool;

/// All changes, by name.
const CHANGES: [(&str, Change); 20] = [
    ("cell missing", |set, random| one_cell(set, random, false)),
    ("cell empty", |set, random| one_cell(set, random, true)),
    ("extra cell", extra_cell),
    ("advert row", |set, random| {
        between(set, random, "Advertisement: all our offers")
    }),
    ("heading row", |set, random| between(set, random, "Part two")),
    ("two tables", two_tables),
    ("first row odd", |set, _| odd_row(set, true)),
    ("last row odd", |set, _| odd_row(set, false)),
    ("three rows", |set, _| always(set, 3)),
    ("one row", |set, random| one_page(set, random, 1)),
    ("no row", |set, random| one_page(set, random, 0)),
    ("many rows", many_rows),
    ("group headings", group_headings),
    ("constant column", constant_column),
    ("moved block", moved_block),
    ("branded pages", branded),
    ("bullets", bullets),
    ("white space", white_space),
    ("attribute order", |_, _| true),
    ("optional label", optional_label),
];

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let maker = Maker::new(options)?;
    let method = options.text("method").unwrap_or("exalg");
    let seed = options.number("seed", 1)?;
    let show = options.text("show").is_some();
    let only = options.text("only");
    let place = std::env::temp_dir().join(format!("changes-{}", std::process::id()));
    let mut counts = Counts::default();
    let (mut used, mut all) = (0, 0);
    for set in sets(options)? {
        all += 1;
        let Some(plain) = list_set(&set)? else { continue };
        let before = verdicts(&maker, method, &place, None, &plain, false)?;
        let right: Vec<usize> = (0..plain.attributes)
            .filter(|at| before[*at] == Verdict::Correct)
            .collect();
        if right.is_empty() {
            continue;
        }
        used += 1;
        let mut failed = Vec::new();
        for (number, (name, change)) in CHANGES.iter().enumerate() {
            if only.is_some_and(|only| !only.split(',').any(|only| name.contains(only))) {
                continue;
            }
            let mut changed = plain.clone();
            let letters = plain
                .name
                .bytes()
                .fold(seed, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
            let mut random = Random::new(letters ^ (number as u64) << 40);
            if !change(&mut changed, &mut random) {
                continue;
            }
            if let Some(dir) = options.text("keep") {
                keep(
                    &Path::new(dir)
                        .join(plain.name.replace('/', "-"))
                        .join(name.replace(' ', "-")),
                    &changed,
                )?;
            }
            let after = verdicts(&maker, method, &place, None, &changed, *name == "attribute order")?;
            let new = plain.attributes..changed.attributes;
            let fine = right.iter().copied().chain(new).all(|at| after[at] == Verdict::Correct);
            counts.add(name, fine);
            if !fine {
                failed.push(*name);
            }
        }
        if show {
            println!(
                "{:<46} {} of {}: {}",
                plain.name,
                right.len(),
                plain.attributes,
                failed.join(", ")
            );
        }
    }
    println!("{used} of {all} sets have rows and something right\n");
    counts.print(&CHANGES.map(|(name, _)| name));
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages of a set, for a look at them.
fn keep(dir: &Path, set: &ListSet) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir)?;
    for (number, page) in set.pages.iter().enumerate() {
        let mut html = String::new();
        page.root.html(false, &mut html);
        std::fs::write(
            dir.join(format!("{number:03}.html")),
            format!("\u{feff}<!DOCTYPE html>{html}"),
        )?;
    }
    Ok(())
}

/// How well the attributes of a set are found, read on the pages that the wrapper was made from, or on others than those of `train`.
pub(crate) fn verdicts(
    maker: &Maker,
    method: &str,
    place: &Path,
    train: Option<&[ListPage]>,
    set: &ListSet,
    other: bool,
) -> anyhow::Result<Vec<Verdict>> {
    std::fs::create_dir_all(place)?;
    let write = |page: &ListPage, name: String, other: bool| -> anyhow::Result<(PathBuf, usize)> {
        let mut html = String::new();
        page.root.html(other, &mut html);
        let file = place.join(name);
        std::fs::write(&file, format!("\u{feff}<!DOCTYPE html>{html}"))?;
        Ok((file, plain(&page::source_text(&html)).len()))
    };
    let (mut files, mut known) = (Vec::new(), Vec::new());
    for (number, page) in set.pages.iter().enumerate() {
        let (file, length) = write(page, format!("{number:03}.html"), other)?;
        files.push(file);
        known.push(Known {
            rows: page.truth.clone(),
            length,
        });
    }
    let mut learned = Vec::new();
    for (number, page) in train.into_iter().flatten().enumerate() {
        learned.push(write(page, format!("learned-{number:03}.html"), false)?.0);
    }
    let train = train.map_or(&files[..], |_| &learned[..]);
    let found = maker.tables(method, train, &files)?;
    std::fs::remove_dir_all(place)?;
    Ok(score(set.attributes, &known, &found))
}

impl ListPage {
    fn parent(&mut self) -> Option<&mut Node> {
        self.root.at_mut(&self.parent)
    }

    /// The children of the element around the rows.
    pub(crate) fn children(&mut self) -> Option<&mut Vec<Node>> {
        self.parent()?.children_mut()
    }

    pub(crate) fn row(&mut self, row: usize) -> Option<&mut Node> {
        let at = self.rows[row];
        self.parent()?.children_mut()?.get_mut(at)
    }

    pub(crate) fn row_name(&self) -> String {
        let row = self
            .root
            .at(&self.parent)
            .and_then(|parent| parent.children().get(self.rows[0]));
        row.map_or("", Node::name).to_owned()
    }

    /// Inserts a node among the children of the rows' parent, before a row.
    pub(crate) fn insert(&mut self, row: usize, node: Node) {
        let at = self
            .rows
            .get(row)
            .map_or_else(|| self.rows[self.rows.len() - 1] + 1, |at| *at);
        if let Some(children) = self.children() {
            children.insert(at, node);
        }
        self.rows.iter_mut().filter(|row| **row >= at).for_each(|row| *row += 1);
    }

    /// Leaves only the first rows.
    pub(crate) fn keep(&mut self, count: usize) {
        for at in self.rows.split_off(count.min(self.rows.len())).into_iter().rev() {
            if let Some(children) = self.children() {
                children.remove(at);
            }
        }
        self.truth.truncate(count);
    }

    /// A row of its own, with a text across all columns.
    fn line(&self, text: &str, heading: bool) -> Node {
        let tag = if heading { "b" } else { "i" };
        let inner = Node::element(tag, vec![Node::text(text)]);
        match self.row_name().as_str() {
            "tr" => {
                let cell = Node::element(if heading { "th" } else { "td" }, vec![inner]).with("colspan", "9");
                Node::element("tr", vec![cell])
            }
            name => Node::element(name, vec![inner]),
        }
    }

    pub(crate) fn body(&mut self) -> Option<&mut Vec<Node>> {
        let at = self.root.children().iter().position(|child| child.name() == "body")?;
        self.root.children_mut()?.get_mut(at)?.children_mut()
    }

    /// The way to the body, as the first step of the way to the rows.
    pub(crate) fn in_body(&self) -> Option<usize> {
        let at = *self.parent.first()?;
        (self.root.children().get(at)?.name() == "body" && self.parent.len() > 1).then_some(at)
    }
}

/// A cell of one row is gone, or has nothing in it.
pub(crate) fn one_cell(set: &mut ListSet, random: &mut Random, empty: bool) -> bool {
    let page = random.below(set.pages.len());
    let page = &mut set.pages[page];
    let row = random.below(page.rows.len());
    let Some(node) = page.row(row) else { return false };
    // Cells with one attribute, if another cell has something.
    let cells: Vec<(usize, usize)> = node
        .children()
        .iter()
        .enumerate()
        .filter_map(|(at, child)| {
            let marks: Vec<(usize, usize)> = child.marks().into_iter().collect();
            match marks[..] {
                [(_, attribute)] if !child.name().is_empty() => Some((at, attribute)),
                _ => None,
            }
        })
        .collect();
    if cells.len() < 2 {
        return false;
    }
    let (at, attribute) = *random.pick(&cells);
    if let Some(children) = node.children_mut() {
        match empty {
            true => children[at].children_mut().map_or((), Vec::clear),
            false => drop(children.remove(at)),
        }
    }
    page.truth[row][attribute] = None;
    true
}

pub(crate) fn extra_cell(set: &mut ListSet, random: &mut Random) -> bool {
    let page = random.below(set.pages.len());
    let page = &mut set.pages[page];
    let row = random.below(page.rows.len());
    let name = if page.row_name() == "tr" { "td" } else { "p" };
    let children = page.row(row).and_then(Node::children_mut);
    children
        .map(|children| children.push(Node::element(name, vec![Node::text("Extra remark here")])))
        .is_some()
}

pub(crate) fn between(set: &mut ListSet, random: &mut Random, text: &str) -> bool {
    for number in 0..set.pages.len() {
        let page = &mut set.pages[number];
        if page.rows.len() < 3 || number > 0 && random.chance(66) {
            continue;
        }
        let line = page.line(text, text.starts_with("Part"));
        let at = 1 + random.below(page.rows.len() - 1);
        page.insert(at, line);
    }
    true
}

/// The list again after itself, with other words, and a heading above each.
pub(crate) fn two_tables(set: &mut ListSet, _: &mut Random) -> bool {
    for page in &mut set.pages {
        let mut way = page.parent.clone();
        if ["tbody", "thead"].contains(&page.root.at(&way).map_or("", Node::name)) {
            way.pop();
        }
        let Some(last) = way.pop().filter(|_| !way.is_empty()) else {
            return false;
        };
        let depth = way.len();
        let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
            return false;
        };
        let mut copy = children[last].clone();
        if ["tbody", "tr", "td", "body"].contains(&copy.name()) {
            return false;
        }
        copy.each_text(&mut |text, _| {
            let marked = unmarked(text) != *text;
            let plain = unmarked(text);
            *text = match marked {
                true => plain
                    .split(' ')
                    .map(|word| word.chars().rev().collect::<String>())
                    .collect::<Vec<_>>()
                    .join(" "),
                false => plain,
            };
        });
        children.insert(last + 1, copy);
        children.insert(last + 1, Node::element("h3", vec![Node::text("Doubles")]));
        children.insert(last, Node::element("h3", vec![Node::text("Singles")]));
        page.parent[depth] += 1;
    }
    true
}

/// The first or last row of each page looks different: its texts are in an element of their own.
pub(crate) fn odd_row(set: &mut ListSet, first: bool) -> bool {
    fn wrap(node: &mut Node) {
        let Some(children) = node.children_mut() else { return };
        for child in children {
            match child {
                Node::Text(text) if !text.trim().is_empty() => {
                    *child = Node::element("strong", vec![child.clone()]);
                }
                Node::Text(_) => {}
                Node::Element { .. } => wrap(child),
            }
        }
    }
    for page in &mut set.pages {
        let row = if first { 0 } else { page.rows.len() - 1 };
        let Some(row) = page.row(row) else { return false };
        wrap(row);
        if let Node::Element { attributes, .. } = row {
            attributes.push(("data-place".to_owned(), if first { "first" } else { "last" }.to_owned()));
        }
    }
    true
}

fn always(set: &mut ListSet, count: usize) -> bool {
    let enough = set.pages.len() > 1 && set.pages.iter().all(|page| page.rows.len() >= count);
    set.pages.iter_mut().for_each(|page| page.keep(count));
    enough
}

fn one_page(set: &mut ListSet, random: &mut Random, count: usize) -> bool {
    if set.pages.len() < 2 || set.pages.len() == 2 && count == 0 {
        return false;
    }
    let page = random.below(set.pages.len());
    set.pages[page].keep(count);
    true
}

/// One page has ten times its rows.
pub(crate) fn many_rows(set: &mut ListSet, random: &mut Random) -> bool {
    let page = random.below(set.pages.len());
    let page = &mut set.pages[page];
    let (rows, truth) = (page.rows.clone(), page.truth.clone());
    for _ in 0..9 {
        for (row, values) in rows.iter().zip(&truth) {
            let last = page.rows[page.rows.len() - 1] + 1;
            let Some(children) = page.children() else {
                return false;
            };
            let copy = children[*row].clone();
            children.insert(last, copy);
            page.rows.push(last);
            page.truth.push(values.clone());
        }
    }
    true
}

/// A heading above the first half of the rows and one above the second; it is an attribute of the rows below it.
fn group_headings(set: &mut ListSet, _: &mut Random) -> bool {
    if set.headers > 0 || set.pages.iter().any(|page| page.rows.len() < 4) {
        return false;
    }
    for (number, page) in set.pages.iter_mut().enumerate() {
        let half = page.rows.len() / 2;
        let names = [format!("Group A{number}"), format!("Group B{number}")];
        let lines = names.each_ref().map(|name| page.line(name, true));
        let [first, second] = lines;
        page.insert(half, second);
        page.insert(0, first);
        for (row, values) in page.truth.iter_mut().enumerate() {
            values.push(Some(plain(&names[usize::from(row >= half)])));
        }
    }
    set.attributes += 1;
    true
}

/// Each row has one more cell, which says the same everywhere.
fn constant_column(set: &mut ListSet, _: &mut Random) -> bool {
    for page in &mut set.pages {
        let name = match page.row_name().as_str() {
            "tr" => "td",
            // Nothing but its own parts stays in a table.
            "table" | "tbody" => return false,
            _ => "span",
        };
        for row in 0..page.rows.len() {
            let Some(children) = page.row(row).and_then(Node::children_mut) else {
                return false;
            };
            children.push(Node::element(name, vec![Node::text("Open")]));
            page.truth[row].push(Some("Open".to_owned()));
        }
    }
    set.attributes += 1;
    true
}

/// On every third page the list is in an element more.
pub(crate) fn moved_block(set: &mut ListSet, _: &mut Random) -> bool {
    for page in set.pages.iter_mut().step_by(3) {
        if page.in_body().is_none() {
            return false;
        }
        let around = page.parent[..2].to_vec();
        let Some(node) = page.root.at_mut(&around) else {
            return false;
        };
        *node = Node::element("div", vec![node.clone()]);
        page.parent.insert(2, 0);
    }
    set.pages.len() > 2
}

/// Every third page has another frame around all that it shows.
fn branded(set: &mut ListSet, _: &mut Random) -> bool {
    for page in set.pages.iter_mut().step_by(3) {
        if page.in_body().is_none() {
            return false;
        }
        let Some(body) = page.body() else { return false };
        brand(body);
        page.parent.insert(1, 1);
    }
    set.pages.len() > 2
}

/// Puts a frame around what a body has.
pub(crate) fn brand(body: &mut Vec<Node>) {
    let inner = std::mem::take(body);
    let brand = Node::element("h2", vec![Node::text("Partner of the week")]);
    *body = vec![brand, Node::element("div", inner).with("class", "brand")];
}

/// A list of notes of another length on each page.
pub(crate) fn bullets(set: &mut ListSet, random: &mut Random) -> bool {
    for page in &mut set.pages {
        if page.in_body().is_none() {
            return false;
        }
        let Some(body) = page.body() else { return false };
        body.insert(0, notes(random));
        page.parent[1] += 1;
    }
    true
}

/// One to four notes.
pub(crate) fn notes(random: &mut Random) -> Node {
    let count = 1 + random.below(4);
    let words = [
        "Closed on Mondays",
        "Bring your own",
        "Free parking",
        "Ask at the desk",
        "No dogs",
    ];
    let item = |_| Node::element("li", vec![Node::text(random.pick::<&str>(&words))]);
    Node::element("ul", (0..count).map(item).collect())
}

pub(crate) fn white_space(set: &mut ListSet, random: &mut Random) -> bool {
    for page in &mut set.pages {
        page.root.each_text(&mut |text, seen| {
            if seen && unmarked(text) != *text && random.chance(50) {
                *text = format!("\u{a0} \n{text}\u{a0} ");
            }
        });
    }
    true
}

/// Half of the rows have a label and a value more.
fn optional_label(set: &mut ListSet, random: &mut Random) -> bool {
    let mut some = false;
    for page in &mut set.pages {
        let name = page.row_name();
        for row in 0..page.rows.len() {
            if random.chance(50) {
                continue;
            }
            let number = format!("{}", 100 + random.below(900));
            let note = vec![
                Node::element("b", vec![Node::text("Reference:")]),
                Node::element("u", vec![Node::text(&number)]),
            ];
            let Some(node) = page.row(row) else { return false };
            // In a table, inside the last cell.
            let last = node.children().iter().rposition(|child| child.name() == "td");
            let Some(children) = node.children_mut() else {
                return false;
            };
            match last.filter(|_| name == "tr") {
                Some(last) => {
                    if let Some(cell) = children[last].children_mut() {
                        cell.push(Node::element("div", note));
                    }
                }
                None => children.push(Node::element("div", note)),
            }
            some = true;
        }
    }
    some
}

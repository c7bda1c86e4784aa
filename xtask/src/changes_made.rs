//! `cargo xtask changes --part made`: real lists, redesigned by known changes, through check and repair.
//!
//! A rule is learned from the first half of the pages of each set whose pages have rows (`list_pages`), or from the only page. The
//! others, or the same one, get a new template: one change at a time, the same on all pages. The values stay what they were, so what
//! is right is known. A change is *noticed* if the old rule no longer reads it and the check says so. What a repaired wrapper
//! gives is scored as users get it: without the fields that are less sure than `--at-least`, and the old wrapper where nothing is sure
//! enough.
//!
//! Three changes are about more than reading: *dropped* takes the values of the last attribute away, and the repair must say that they are
//! gone; *each dropped* does so with each attribute by itself; *half* changes every second row only, which the check must notice though half of the records are read as before.

use crate::Options;
use crate::changes::{Sample, Score, Side};
use crate::changes_kinds::{documents, rules, score};
use crate::changes_new::{NEW, New, SPELLED, Spell, spelled};
use crate::list_beside::BESIDE;
use crate::list_pages::{ListPage, ListSet, Node, list_set};
use crate::lists::sets;
use anyhow::Context;
use learn::guided::Wanted;
use page::Page;
use std::collections::BTreeMap;
use std::process::ExitCode;
use tend::{Survey, repair_at_least};

/// A change of a page; false if it has no room for it.
type Change = fn(&mut ListPage) -> bool;

/// All changes, by name.
const CHANGES: [(&str, Change); 11] = [
    ("renamed", |page| all(page, renamed)),
    ("divs", |page| all(page, to_div)),
    ("wrapped", |page| rows(page, wrapped)),
    ("numbered", |page| {
        numbered(page, |number| {
            Node::element("span", vec![Node::text(&format!("{number}"))])
        })
    }),
    ("ticked", |page| numbered(page, |_| Node::text("\u{25a2} "))),
    ("gaps", gaps),
    ("grid", grid),
    ("reversed", |page| rows(page, reversed)),
    ("framed", |page| {
        all(page, renamed) && rows(page, wrapped) && all(page, to_div)
    }),
    ("half", half),
    ("dropped", dropped),
];

/// The name of the change that drops one attribute, each by itself.
const EACH: &str = "each dropped";

#[derive(Default)]
struct Tally {
    sets: usize,
    broken: usize,
    noticed: usize,
    recall: f64,
    precision: f64,
    /// Fields that were said to be at least 0.9 sure, and those of them that were wrong.
    sure: (usize, usize),
    /// Dropped fields that the repaired wrapper says to be gone, of all that it had.
    gone: (usize, usize),
    /// Of each repaired field that has values: its name, its score, how sure it was said to be, and whether nine of ten values are right.
    said: Vec<(String, f64, f64, bool)>,
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let at_least = match options.text("at-least") {
        Some(text) => text.parse()?,
        None => tend::ENOUGH,
    };
    let only = options.text("only");
    let beside = match options.text("beside") {
        Some(name) => {
            let known = BESIDE.iter().find(|(known, _)| *known == name);
            Some(known.with_context(|| format!("nothing is called `{name}`"))?.1)
        }
        None => None,
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut said = String::new();
    for set in sets(options)?.into_iter().filter(|set| set.headers == 0) {
        let Some(mut listed) = list_set(&set)? else { continue };
        if let Some(add) = beside
            && !listed.pages.iter_mut().all(add)
        {
            continue;
        }
        let records: Vec<Vec<Vec<Vec<String>>>> = set.pages.iter().map(values).collect();
        let wanted: Vec<Wanted> = set
            .attributes
            .iter()
            .map(|name| Wanted {
                name: name.clone(),
                many: false,
            })
            .collect();
        let half = listed.pages.len().div_ceil(2);
        let later = if listed.pages.len() == 1 { 0 } else { half };
        let before = side(&listed, &wanted, &records, 0..half)?;
        let Some(wrapper) = rules(&before) else { continue };
        let plain = side(&listed, &wanted, &records, later..listed.pages.len())?;
        let works = score(&wrapper, &plain, &documents(&plain));
        if works.recall() < 0.95 || works.precision() < 0.95 {
            continue;
        }
        let known = CHANGES.iter().map(|(name, change)| (*name, Made::Known(*change)));
        let news = NEW.iter().map(|(name, change)| (*name, Made::New(*change)));
        let spells = SPELLED.iter().map(|(name, spell)| (*name, Made::Spelled(*spell)));
        let drops = (0..wanted.len()).map(|attribute| (EACH, Made::Without(attribute)));
        for (name, change) in known.chain(news).chain(spells).chain(drops) {
            if only.is_some_and(|only| !only.split(',').any(|only| only == name)) {
                continue;
            }
            let mut changed = listed.clone();
            let mut truth = records.clone();
            let mut both = changed.pages[later..].iter_mut().zip(&mut truth[later..]);
            if !both.all(|(page, records)| change.make(page, records, &set.attributes)) {
                continue;
            }
            let gone = lost(&listed.pages[later], &changed.pages[later]);
            for row in truth.iter_mut().flatten() {
                gone.iter().for_each(|attribute| row[*attribute].clear());
            }
            let after = side(&changed, &wanted, &truth, later..changed.pages.len())?;
            let tally = tallies.entry(name).or_default();
            let shows_wrong = options.text("show") == Some("wrong");
            let before = side(&changed, &wanted, &records, later..changed.pages.len())?;
            let gone = Gone { gone: &gone, before };
            let line = one(&wrapper, &after, &gone, at_least, shows_wrong, tally)?;
            for (field, score, sure, right) in tally.said.drain(..) {
                let site = set.name.replace('/', "-");
                said += &format!("{site}\t{name}\tlist\t{field}\t{score:.4}\t{sure:.4}\t{right}\n");
            }
            if options.text("show").is_some() {
                println!("{:<44} {name:<9} {line}", set.name);
            }
        }
    }
    if let Some(file) = options.text("said") {
        std::fs::write(file, said)?;
    }
    println!("| change | sets | old rule broken | noticed | repaired R/P | said .9 or more, wrong | dropped, told |");
    println!("|---|--:|--:|--:|---|---|---|");
    let names = CHANGES.iter().map(|(name, _)| *name);
    let names = names.chain(NEW.iter().map(|(name, _)| *name));
    let names = names.chain(SPELLED.iter().map(|(name, _)| *name));
    for name in names.chain([EACH]) {
        let Some(tally) = tallies.get(name) else { continue };
        let sets = tally.sets.max(1) as f64;
        println!(
            "| {name} | {} | {} | {} | {:.3}/{:.3} | {}, {} | {} |",
            tally.sets,
            tally.broken,
            tally.noticed,
            tally.recall / sets,
            tally.precision / sets,
            tally.sure.0,
            tally.sure.1,
            match tally.gone {
                (_, 0) => "–".to_owned(),
                (told, all) => format!("{all}, {told}"),
            },
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// What is done to a page.
enum Made {
    Known(Change),
    New(New),
    Spelled(Spell),
    /// The values of an attribute are taken away.
    Without(usize),
}

impl Made {
    /// Changes a page, and its records if these have other values then.
    fn make(&self, page: &mut ListPage, records: &mut [Vec<Vec<String>>], names: &[String]) -> bool {
        match self {
            Made::Known(change) => change(page),
            Made::New(change) => change(page, names),
            Made::Spelled(spell) => spelled(page, records, names.len(), *spell),
            Made::Without(attribute) => without(page, *attribute),
        }
    }
}

/// The values of the records of a page, as a reader sees them.
fn values(page: &crate::records::data::Page) -> Vec<Vec<Vec<String>>> {
    let cell = |value: &Option<String>| value.iter().map(|text| page::source_text(text).into_owned()).collect();
    let tuples = page.tuples.iter();
    tuples.map(|tuple| tuple.iter().map(cell).collect()).collect()
}

fn side(
    set: &ListSet,
    wanted: &[Wanted],
    records: &[Vec<Vec<Vec<String>>>],
    pages: std::ops::Range<usize>,
) -> anyhow::Result<Side> {
    let page = |number: usize| {
        let mut html = String::new();
        set.pages[number].root.html(false, &mut html);
        anyhow::Ok(Sample {
            name: format!("{number}.html"),
            page: Page::parse_str(&format!("<!DOCTYPE html>{html}"), &Default::default())?,
            records: records[number].clone(),
        })
    };
    Ok(Side {
        wanted: wanted.to_vec(),
        listed: true,
        pages: pages.map(page).collect::<Result<_, _>>()?,
    })
}

/// The attributes that a change drops, and the pages with the values of before.
struct Gone<'g> {
    gone: &'g [usize],
    before: Side,
}

/// Checks and repairs one wrapper.
fn one(
    wrapper: &wrapper::Wrapper,
    after: &Side,
    Gone { gone, before }: &Gone<'_>,
    at_least: f64,
    shows_wrong: bool,
    tally: &mut Tally,
) -> anyhow::Result<String> {
    let new = documents(after);
    let then = score(wrapper, after, &new);
    let mut survey = Survey::new(wrapper)?;
    new.iter().for_each(|document| drop(survey.add(document)));
    let report = survey.finish()?;
    let alarm = !report.is_fine();
    let works = then.recall() > 0.99 && then.precision() > 0.99;
    tally.sets += 1;
    tally.broken += usize::from(!works || !gone.is_empty());
    tally.noticed += usize::from((!works || !gone.is_empty()) && alarm);
    let mut line = format!("{then} {}", if alarm { "alarm" } else { "-    " });
    if !alarm && (!works || !gone.is_empty()) {
        line += &counts(&report);
    }
    let mut used = then;
    match alarm.then(|| repair_at_least(wrapper, &new, at_least, &page::Job::new())) {
        Some(Ok(repaired)) if repaired.needed().any(|field| field.sure >= at_least) => {
            used = score(&repaired.wrapper, after, &new);
            let runner = repaired.wrapper.runner()?;
            let given: Vec<_> = new.iter().map(|document| runner.rows(document)).collect();
            for (number, want) in after.wanted.iter().enumerate() {
                let Some(field) = repaired.fields.iter().find(|field| field.name == want.name) else {
                    continue;
                };
                let (right, count) = right(after, &given, number);
                // The same values may be elsewhere on the page, where no change took them away.
                let is_still_there = gone.contains(&number) && count > 0 && wrong(before, &given, number).is_empty();
                if gone.contains(&number) && !is_still_there {
                    tally.gone.1 += 1;
                    tally.gone.0 += usize::from(field.left_out && count == 0);
                }
                if count > 0 {
                    let is_right = is_still_there || right * 10 >= count * 9;
                    tally.said.push((want.name.clone(), field.score, field.sure, is_right));
                }
                if count > 0 && field.sure >= 0.9 {
                    tally.sure.0 += 1;
                    tally.sure.1 += usize::from(!is_still_there && right * 10 < count * 9);
                }
                line += &format!(" {}:{:.2}", want.name, field.sure);
                if shows_wrong && right < count {
                    line += &format!(" wrong {:?}", wrong(after, &given, number));
                }
            }
        }
        Some(Ok(repaired)) => line += &format!(" refused, {:.2} sure", repaired.sure()),
        Some(Err(error)) => line += &format!(" {error}"),
        None => {}
    }
    tally.recall += recall(used);
    tally.precision += used.precision();
    Ok(format!("{line} used {used}"))
}

/// What an alarm could have been raised by: the parts of the list that are read and those that are not, and the records that have each field, before
/// and now.
fn counts(report: &tend::Report) -> String {
    let mut words = String::new();
    for table in &report.tables {
        let (known, now) = (&table.known, &table.now);
        words += &format!(" parts {:?} → {:?}", known.parts, now.parts);
        let names = table.table.columns.iter().map(|column| column.name());
        for (name, (was, is)) in names.zip(known.fields.iter().zip(&now.fields)) {
            let of = |records: u64, all: u64| format!("{records}/{all}");
            let some = |samples: &[String]| samples.iter().take(2).cloned().collect::<Vec<_>>();
            words += &format!(
                " {name} {} → {} {:.60?} → {:.60?} makes {:?} → {:?}",
                of(was.records, known.records),
                of(is.records, now.records),
                some(&was.samples),
                some(&is.samples),
                was.makes,
                is.makes
            );
        }
    }
    words
}

/// If nothing is left to be found, nothing is missing.
fn recall(score: Score) -> f64 {
    if score.asked == 0 { 1.0 } else { score.recall() }
}

/// How many values of a field that are given are right, and how many are given.
fn right(after: &Side, given: &[record::Rows], field: usize) -> (usize, usize) {
    let count = given.iter().flat_map(|rows| &rows[0]).map(|row| row[field].len()).sum();
    (count - wrong(after, given, field).len(), count)
}

/// The values of a field that are given and not right.
fn wrong<'g>(after: &Side, given: &'g [record::Rows], field: usize) -> Vec<&'g str> {
    let bare = crate::changes::bare;
    let mut wrong = Vec::new();
    for (rows, sample) in given.iter().zip(&after.pages) {
        let known: Vec<String> = sample
            .records
            .iter()
            .flat_map(|row| &row[field])
            .map(|text| bare(text))
            .collect();
        let mine = rows[0].iter().flat_map(|row| &row[field]).map(String::as_str);
        wrong.extend(mine.filter(|text| !known.contains(&bare(text))));
    }
    wrong
}

/// The attributes that a page no longer has.
fn lost(before: &ListPage, after: &ListPage) -> Vec<usize> {
    let of = |page: &ListPage| -> std::collections::BTreeSet<usize> {
        page.root.marks().into_iter().map(|(_, attribute)| attribute).collect()
    };
    of(before).difference(&of(after)).copied().collect()
}

/// Changes each element of a page.
fn all(page: &mut ListPage, change: fn(&mut Node)) -> bool {
    each(&mut page.root, change);
    true
}

pub(crate) fn each(node: &mut Node, change: fn(&mut Node)) {
    change(node);
    for child in node.children_mut().into_iter().flatten() {
        each(child, change);
    }
}

/// Changes each row.
fn rows(page: &mut ListPage, change: fn(&mut Node) -> bool) -> bool {
    (0..page.rows.len()).all(|row| page.row(row).is_some_and(change))
}

pub(crate) fn renamed(node: &mut Node) {
    if let Node::Element { attributes, .. } = node {
        for (name, value) in attributes
            .iter_mut()
            .filter(|(name, _)| name == "class" || name == "id")
        {
            let letters = value
                .bytes()
                .fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
            *value = format!("{}{letters:x}", &name[..1]);
        }
    }
}

fn to_div(node: &mut Node) {
    if let Node::Element { name, attributes, .. } = node
        && [
            "table", "tbody", "thead", "tr", "td", "th", "ul", "ol", "li", "dl", "dt", "dd",
        ]
        .contains(&name.as_str())
    {
        "div".clone_into(name);
        attributes.retain(|(name, _)| !["colspan", "rowspan", "width", "align", "valign"].contains(&name.as_str()));
    }
}

/// The content of each child of a row gets an element around it.
fn wrapped(row: &mut Node) -> bool {
    let mut some = false;
    for child in row.children_mut().into_iter().flatten() {
        if let Some(children) = child.children_mut().filter(|children| !children.is_empty()) {
            *children = vec![Node::element("div", std::mem::take(children)).with("class", "inner")];
            some = true;
        }
    }
    some
}

fn reversed(row: &mut Node) -> bool {
    row.children_mut().is_some_and(|children| {
        children.reverse();
        children.iter().filter(|child| !child.marks().is_empty()).count() > 1
    })
}

/// A sign in front of the first text of each row that begins with a value.
fn numbered(page: &mut ListPage, sign: fn(usize) -> Node) -> bool {
    let add = |row: usize, page: &mut ListPage| page.row(row).is_some_and(|node| sign_in(node, &sign(row + 1)));
    (0..page.rows.len()).all(|row| add(row, page))
}

fn sign_in(node: &mut Node, sign: &Node) -> bool {
    let Some(children) = node.children_mut() else {
        return false;
    };
    let is_value = |child: &Node| matches!(child, Node::Text(text) if text.trim_start().starts_with('\u{e000}'));
    if let Some(at) = children.iter().position(is_value) {
        let value = children.remove(at);
        children.insert(at, Node::element("em", vec![value]));
        children.insert(at, sign.clone());
        return true;
    }
    children.iter_mut().any(|child| sign_in(child, sign))
}

/// Empty rows between the rows, and empty cells between the cells.
fn gaps(page: &mut ListPage) -> bool {
    let name = page.row_name();
    let cell = if name == "tr" { "td" } else { "span" };
    let fine = (0..page.rows.len()).all(|row| {
        page.row(row).and_then(Node::children_mut).is_some_and(|children| {
            let old = std::mem::take(children);
            for child in old {
                children.push(child);
                children.push(Node::element(cell, vec![Node::text(" ")]));
            }
            true
        })
    });
    for row in (0..page.rows.len()).rev() {
        let blank = Node::element(cell, vec![Node::text("\u{a0}")]);
        page.insert(row, Node::element(&name, vec![blank]));
    }
    fine
}

/// Rows become cells, two in a row of a table, with empty ones between them.
fn grid(page: &mut ListPage) -> bool {
    let (places, parent) = (page.rows.clone(), page.parent.clone());
    let Some(children) = page.root.at_mut(&parent).and_then(Node::children_mut) else {
        return false;
    };
    let taken: Vec<Node> = places
        .iter()
        .map(|at| {
            let mut node = children[*at].clone();
            each(&mut node, to_div);
            Node::element("td", vec![node])
        })
        .collect();
    let blank = || Node::element("td", vec![Node::text("\u{a0}")]);
    let mut lines = Vec::new();
    for pair in taken.chunks(2) {
        let mut cells = vec![pair[0].clone(), blank()];
        cells.extend(pair.get(1).cloned());
        lines.push(Node::element("tr", cells));
        lines.push(Node::element("tr", vec![blank(), blank(), blank()]));
    }
    let table = Node::element("table", vec![Node::element("tbody", lines)]);
    for at in places.iter().rev() {
        children.remove(*at);
    }
    let table = match page.root.at(&parent).map(Node::name) {
        Some("tbody" | "table" | "thead") => Node::element("tr", vec![Node::element("td", vec![table])]),
        _ => table,
    };
    page.root
        .at_mut(&parent)
        .and_then(Node::children_mut)
        .map(|children| children.push(table))
        .is_some()
}

/// Every second row has new classes and elements.
fn half(page: &mut ListPage) -> bool {
    let change = |row: usize, page: &mut ListPage| {
        page.row(row).is_some_and(|node| {
            each(node, renamed);
            wrapped(node) && {
                let inner = node.children_mut().map(std::mem::take).unwrap_or_default();
                match node.name() {
                    "tr" => {
                        let mut cell = Node::element("td", vec![Node::element("section", inner)]);
                        for child in cell.children_mut().into_iter().flatten() {
                            each(child, to_div);
                        }
                        node.children_mut().map(|children| children.push(cell)).is_some()
                    }
                    _ => {
                        let section = Node::element("section", inner);
                        node.children_mut().map(|children| children.push(section)).is_some()
                    }
                }
            }
        })
    };
    page.rows.len() >= 8 && (0..page.rows.len()).skip(1).step_by(2).all(|row| change(row, page))
}

/// The part of each row that has the last attribute, and no other, is gone; and the classes are new.
fn dropped(page: &mut ListPage) -> bool {
    let last = page.root.marks().into_iter().map(|(_, attribute)| attribute).max();
    last.is_some_and(|last| without(page, last))
}

/// The same with any attribute.
fn without(page: &mut ListPage, gone: usize) -> bool {
    if page.root.marks().iter().all(|(_, attribute)| *attribute != gone) {
        return false;
    }
    let fine = (0..page.rows.len()).all(|row| page.row(row).is_some_and(|node| drop_in(node, gone)));
    // Other lists of the same template.
    drop_in(&mut page.root, gone);
    each(&mut page.root, renamed);
    let left = page.root.marks();
    fine && !left.is_empty() && left.iter().all(|(_, attribute)| *attribute != gone)
}

fn drop_in(node: &mut Node, gone: usize) -> bool {
    let Some(children) = node.children_mut() else {
        return true;
    };
    let only = |child: &Node| {
        let marks = child.marks();
        !marks.is_empty() && marks.iter().all(|(_, attribute)| *attribute == gone)
    };
    children.retain(|child| !only(child));
    children.iter_mut().all(|child| drop_in(child, gone))
}

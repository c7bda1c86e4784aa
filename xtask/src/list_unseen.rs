//! `cargo xtask lists --part unseen`: wrappers that read lists with changes which the pages they were made from do not have.
//!
//! The program infers a wrapper from the first pages of a set as they are, and reads the same pages with a change. So the change is
//! all that is new to the wrapper, and what it does to the truth is known exactly. A pair of a set and a change is right if every
//! attribute that is right on the pages as they are is right on the changed pages, too, but for the known effect. An attribute that is
//! gone from all rows is not judged: whether its field is empty cannot be told from the tables.
//!
//! Some changes are those of `list_changes`. The others are what pages of one site differ in: columns that are moved, new or missing,
//! with their headings; numbers in the `id` of elements; classes of rows; other lengths; a block more before the list.

use crate::Options;
use crate::exalg::Verdict;
use crate::list_changes::{
    Change, between, brand, bullets, extra_cell, many_rows, notes, odd_row, one_cell, verdicts, white_space,
};
use crate::list_pages::{ListPage, ListSet, Node, list_set};
use crate::lists::{Counts, Maker, sets};
use std::process::ExitCode;
use xtask::random::Random;

/// All changes, by name.
const CHANGES: [(&str, Change); 22] = [
    ("cell missing", |set, random| one_cell(set, random, false)),
    ("cell empty", |set, random| one_cell(set, random, true)),
    ("extra cell", extra_cell),
    ("advert row", |set, random| {
        between(set, random, "Advertisement: all our offers")
    }),
    ("heading row", |set, random| between(set, random, "Part two")),
    ("first row odd", |set, _| odd_row(set, true)),
    ("last row odd", |set, _| odd_row(set, false)),
    ("one row", |set, _| kept(set, 1)),
    ("two rows", |set, _| kept(set, 2)),
    ("no row", |set, _| kept(set, 0)),
    ("many rows", many_rows),
    ("moved block", |set, _| moved(set)),
    ("branded pages", |set, _| branded(set)),
    ("bullets", bullets),
    ("block before", block_before),
    ("white space", white_space),
    ("row classes", row_classes),
    ("numbers in ids", numbers_in_ids),
    ("new column", |set, _| new_column(set, false)),
    ("new first column", |set, _| new_column(set, true)),
    ("columns moved", |set, _| {
        columns(set, |children| children.rotate_right(1))
    }),
    ("column gone", column_gone),
];

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let maker = Maker::new(options)?;
    let method = options.text("method").unwrap_or("auto");
    let seed = options.number("seed", 1)?;
    let count = options.number("pages", 1)? as usize;
    let only = options.text("only");
    let place = std::env::temp_dir().join(format!("unseen-{}", std::process::id()));
    let mut counts = Counts::default();
    let (mut used, mut all) = (0, 0);
    for set in sets(options)? {
        all += 1;
        let Some(mut plain) = list_set(&set)? else { continue };
        plain.pages.truncate(count.max(1));
        let train = plain.pages.clone();
        let before = verdicts(&maker, method, &place, Some(&train), &plain, false)?;
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
            let after = verdicts(&maker, method, &place, Some(&train), &changed, false)?;
            // What is gone has no field that stands for it.
            let is_there = |at: &usize| {
                let mut rows = changed.pages.iter().flat_map(|page| &page.truth).peekable();
                rows.peek().is_none() || rows.any(|row| row[*at].is_some())
            };
            let mut left = right.iter().filter(|at| is_there(at));
            let fine = left.all(|at| after[*at] == Verdict::Correct);
            counts.add(name, fine);
            if !fine {
                failed.push(*name);
            }
        }
        if options.text("show").is_some() {
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

/// Every page has this many rows.
fn kept(set: &mut ListSet, count: usize) -> bool {
    let enough = set.pages.iter().all(|page| page.rows.len() > count);
    set.pages.iter_mut().for_each(|page| page.keep(count));
    enough
}

/// The list is in an element more.
fn moved(set: &mut ListSet) -> bool {
    for page in &mut set.pages {
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
    true
}

/// Every page has another frame.
fn branded(set: &mut ListSet) -> bool {
    for page in &mut set.pages {
        if page.in_body().is_none() {
            return false;
        }
        let Some(body) = page.body() else { return false };
        brand(body);
        page.parent.insert(1, 1);
    }
    true
}

/// A block more, with a list of notes, just before the element around the rows, or before its table.
fn block_before(set: &mut ListSet, random: &mut Random) -> bool {
    for page in &mut set.pages {
        let mut way = page.parent.clone();
        while ["tbody", "thead", "table"].contains(&page.root.at(&way).map_or("", Node::name)) {
            if page.root.at(&way).is_some_and(|node| node.name() == "table") {
                break;
            }
            way.pop();
        }
        let Some(last) = way.pop().filter(|_| !way.is_empty()) else {
            return false;
        };
        let around = page.root.at(&way).map_or("", Node::name);
        if ["table", "tbody", "tr", "ul", "ol", "dl"].contains(&around) {
            return false;
        }
        let depth = way.len();
        let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
            return false;
        };
        let heading = Node::element("p", vec![Node::text("Please note:")]);
        children.insert(last, Node::element("div", vec![heading, notes(random)]));
        page.parent[depth] += 1;
    }
    true
}

/// A third of the rows have a class more, and no row has the one it had alone.
fn row_classes(set: &mut ListSet, random: &mut Random) -> bool {
    for page in &mut set.pages {
        for row in 0..page.rows.len() {
            let Some(Node::Element { attributes, .. }) = page.row(row) else {
                return false;
            };
            let class = attributes.iter_mut().find(|(name, _)| name == "class");
            match class {
                Some((_, class)) if random.chance(33) => class.push_str(" highlighted"),
                None if random.chance(33) => attributes.push(("class".to_owned(), "highlighted".to_owned())),
                _ => {}
            }
        }
    }
    true
}

/// The numbers in all `id` are others.
fn numbers_in_ids(set: &mut ListSet, _: &mut Random) -> bool {
    fn renumber(node: &mut Node, some: &mut bool) {
        let Node::Element {
            attributes, children, ..
        } = node
        else {
            return;
        };
        for (_, value) in attributes.iter_mut().filter(|(name, _)| name == "id") {
            *some |= value.chars().any(|c| c.is_ascii_digit());
            let next = |c: char| match c.to_digit(10) {
                Some(digit) => char::from_digit((digit + 3) % 10, 10).unwrap_or(c),
                None => c,
            };
            *value = value.chars().map(next).collect();
        }
        children.iter_mut().for_each(|child| renumber(child, some));
    }
    let mut some = false;
    set.pages
        .iter_mut()
        .for_each(|page| renumber(&mut page.root, &mut some));
    some
}

/// The cells of a row: its elements.
fn cells(row: &Node) -> usize {
    row.children().iter().filter(|child| !child.name().is_empty()).count()
}

impl ListPage {
    /// The way to the row with the headings of the columns, if there is one: the last row before the first of the list with as many
    /// cells, in a table with `th`.
    fn headings(&self) -> Option<Vec<usize>> {
        let first = self.root.at(&self.parent)?.children().get(*self.rows.first()?)?;
        if first.name() != "tr" || first.children().iter().any(|child| child.name() == "th") {
            return None;
        }
        let is_heading = |node: &Node| {
            let named = node
                .children()
                .iter()
                .filter(|child| child.name() == "th" && !child.said().trim().is_empty());
            node.name() == "tr" && cells(node) == cells(first) && named.count() * 2 > cells(first)
        };
        let find = |way: &[usize], before: usize| {
            let children = self.root.at(way)?.children();
            let at = children[..before.min(children.len())].iter().rposition(is_heading)?;
            Some([way, &[at]].concat())
        };
        let (last, above) = self.parent.split_last()?;
        let siblings = self.root.at(above)?.children();
        let head = siblings[..*last].iter().rposition(|node| node.name() == "thead");
        find(&self.parent, self.rows[0]).or_else(|| {
            let way = [above, &[head?]].concat();
            find(&way, usize::MAX)
        })
    }
}

/// Changes the cells of all rows and of the row with the headings alike, if all rows have the same number of them.
fn columns(set: &mut ListSet, change: impl Fn(&mut Vec<Node>)) -> bool {
    for page in &mut set.pages {
        let Some(headings) = page.headings() else { return false };
        let count = page.root.at(&headings).map_or(0, cells);
        let mut ways: Vec<Vec<usize>> = page
            .rows
            .iter()
            .map(|row| [&page.parent[..], &[*row]].concat())
            .collect();
        if count < 2 || ways.iter().any(|way| page.root.at(way).map_or(0, cells) != count) {
            return false;
        }
        ways.push(headings);
        for way in ways {
            let Some(children) = page.root.at_mut(&way).and_then(Node::children_mut) else {
                return false;
            };
            children.retain(|child| !child.name().is_empty());
            change(children);
        }
    }
    true
}

/// Each row has a cell more, and the row with the headings, too.
fn new_column(set: &mut ListSet, first: bool) -> bool {
    columns(set, |children| {
        let is_heading = children.iter().any(|child| child.name() == "th");
        let cell = match is_heading {
            true => Node::element("th", vec![Node::text("Remark")]),
            false => Node::element("td", vec![Node::text("Quorum met")]),
        };
        children.insert(if first { 0 } else { children.len() }, cell);
    })
}

/// A column with one attribute is gone, with its heading; another must be left.
fn column_gone(set: &mut ListSet, random: &mut Random) -> bool {
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for (number, page) in set.pages.iter().enumerate() {
        let row = page
            .root
            .at(&page.parent)
            .and_then(|parent| parent.children().get(page.rows[0]));
        let cells = row
            .into_iter()
            .flat_map(Node::children)
            .filter(|child| !child.name().is_empty());
        let marks = cells.map(|cell| {
            cell.marks()
                .into_iter()
                .map(|(_, attribute)| attribute)
                .collect::<Vec<_>>()
        });
        let marks: Vec<Vec<usize>> = marks.collect();
        if number == 0 {
            for (place, here) in marks.iter().enumerate() {
                if let [attribute] = here[..] {
                    gone.push((place, attribute));
                }
            }
        }
        gone.retain(|(place, attribute)| marks.get(*place).is_some_and(|here| here[..] == [*attribute]));
    }
    let others = set.attributes >= 2;
    if gone.is_empty() || !others {
        return false;
    }
    let (place, attribute) = *random.pick(&gone);
    // An attribute may be in several cells.
    let in_others = |page: &ListPage| {
        let rows = page
            .rows
            .iter()
            .filter_map(|row| page.root.at(&page.parent)?.children().get(*row));
        rows.flat_map(|row| {
            let cells = row.children().iter().filter(|child| !child.name().is_empty());
            cells
                .enumerate()
                .filter(|(at, _)| *at != place)
                .map(|(_, cell)| cell.marks())
        })
        .any(|marks| marks.iter().any(|(_, known)| *known == attribute))
    };
    if set.pages.iter().any(in_others) || !columns(set, |children| drop(children.remove(place))) {
        return false;
    }
    for page in &mut set.pages {
        page.truth.iter_mut().for_each(|row| row[attribute] = None);
    }
    true
}

//! Lists that are found by what repeats, and whose rows are aligned instead of matched.
//!
//! Equivalence classes need rows that are all alike: one row without a cell, and the tokens of that cell have another
//! occurrence vector than the row's. So lists are also looked for directly. Elements of one path whose children have one
//! name are a *group* (`groups`); the children, over all pages, are its rows if they are alike enough. `profile` aligns
//! them: the most frequent kind of row gives the cells, the other kinds add those that they have beside. `parts` divides
//! texts without markup. The result is a [`Rows`] for each list, and `cover` says whether the template has it already.
//!
//! What is a list? At least half of the children must be rows by the alignment. The rows must say different things: a
//! menu, which says the same on every page, is not a list, and neither are labelled lines, where a column says the same
//! few words on every page, each once (`facts` takes elements with labelled lines out of a group before). But pages may show the same list twice: if its rows have several cells with data and it is
//! larger than all other lists, it is one. If groups are inside rows of another group, the inner ones are lists only if their
//! rows differ in number, for otherwise they are cells; and if they have most of the text, the outer ones are only their
//! frames. Two or three outer rows with many inner ones are tables, whatever their numbers. Groups of one path with
//! different labels that come back on every page are several lists.
//!
//! Cost: linear in the pages, for at most [`GROUPS`] groups with at most `SAMPLE` rows each. Known failures: rows that are
//! neither elements nor begin with one (lines between line breaks); rows that are spread over two tables; a list that has
//! one row on every page.

mod alike;
mod cover;
mod facts;
mod groups;
mod moments;
pub(crate) mod parts;
mod profile;
mod told;

pub(super) use cover::{Cover, covered};

use groups::Group;
use page::{NodeId, Page};
use profile::Learned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::template::{
    RowHeading, Rows, Split, Stretch, label_of, leaves, telling_kinds, text_before, without_numbers,
};

/// The most groups that are looked at, those with the most text first.
const GROUPS: usize = 40;
/// Up to three tables of one shape are told apart by what is before them, on one page alone, and are not rows themselves.
const NAMED: usize = 3;
/// What holds a record or a line, and never a part of a page.
const ITEMS: [&str; 6] = ["tr", "li", "dt", "dd", "p", "a"];
/// The most lists of one path.
const MAKES: usize = 3;
/// The most lists of a site.
const LISTS: usize = 12;
/// How many parts of a page may have the same labels.
const PARTS: usize = 3;
/// From this number of pages on, a text that is equally often on all of them, and more than once, is no chance.
const STEADY: usize = 4;
/// On one page alone, lists with less than one part in this many of the worth of the best one are left out.
const LEAST: usize = 20;

/// A list and its rows on the pages.
pub(super) struct Found {
    /// Its fields are numbered from 0.
    pub(super) rows: Rows,
    pub(super) fields: u32,
    /// For each page, the rows.
    pub(super) places: Vec<Vec<Stretch>>,
    /// How much a reader may want it.
    worth: usize,
}

impl Found {
    /// Are rows of it in parts of the pages that are left out?
    pub(super) fn is_in(&self, hidden: &[Vec<(NodeId, NodeId)>]) -> bool {
        self.places.iter().zip(hidden).any(|(rows, hidden)| {
            let within = |row: &Stretch| hidden.iter().any(|(from, to)| *from <= row.from && row.from < *to);
            rows.iter().any(within)
        })
    }

    /// The list as the rows of a set of the template, with its fields; those that it does not have are dropped.
    pub(super) fn backing(&self, set: u32, fields: &BTreeMap<u32, u32>) -> Rows {
        let mut rows = self.rows.clone();
        let number = |field: u32| fields.get(&field).copied();
        for cell in &mut rows.cells {
            cell.field = cell.field.and_then(number);
            cell.attributes
                .retain_mut(|(_, _, field)| number(*field).inspect(|new| *field = *new).is_some());
            let known = |split: &Split| split.fields.iter().all(|field| number(*field).is_some());
            cell.split = cell.split.take().filter(known);
            for field in cell.split.iter_mut().flat_map(|split| split.fields.iter_mut()) {
                *field = number(*field).unwrap_or(*field);
            }
        }
        rows.wholes.clear();
        rows.heading = None;
        rows.name = String::new();
        rows.backs = Some(set);
        rows
    }

    /// The list with its fields numbered from another number.
    pub(super) fn numbered(&self, first: u32) -> Rows {
        let mut rows = self.rows.clone();
        for cell in &mut rows.cells {
            cell.field.iter_mut().for_each(|field| *field += first);
            cell.attributes.iter_mut().for_each(|(_, _, field)| *field += first);
            let split = cell.split.iter_mut().flat_map(|split| split.fields.iter_mut());
            split.for_each(|field| *field += first);
        }
        rows.wholes.iter_mut().for_each(|whole| whole.field += first);
        rows.heading.iter_mut().for_each(|heading| heading.field += first);
        rows
    }
}

/// The lists of pages, those with the most text first.
pub(super) fn find(pages: &[&Page]) -> Vec<Found> {
    let mut learned: Vec<Learned> = Vec::new();
    let alike = are_alike(pages);
    for group in groups::groups(pages).into_iter().take(GROUPS) {
        let group = match alike {
            true => group,
            false => facts::without(pages, group),
        };
        for mut part in divided(pages, group) {
            // Elements whose rows do not fit may have a list of their own.
            for _ in 0..MAKES {
                let Some(list) = profile::learn(pages, &part) else {
                    break;
                };
                let known: BTreeSet<(usize, NodeId)> = list.group.parents.iter().copied().collect();
                part.parents.retain(|parent| !known.contains(parent));
                match apart(pages, &list.group) {
                    Some(lists) => learned.extend(lists),
                    None => learned.push(list),
                }
                if part.parents.is_empty() {
                    break;
                }
            }
        }
    }
    let mut learned = joined(pages, learned);
    learned.retain(|list| !list.is_tuple() && !list.is_line() && !list.is_grid(pages));
    learned.retain(|list| alike || !is_frame(list));
    // Pages that are nearly the same do not tell what changes.
    let (mut learned, same): (Vec<Learned>, Vec<Learned>) = match alike {
        true => (learned, Vec::new()),
        false => learned
            .into_iter()
            .partition(|list| !is_menu(pages, list) && !is_labelled(pages, list)),
    };
    // Of the lists that say the same on every page, only one that is clearly no menu, and more than all others.
    let most = learned.iter().map(Learned::worth).max().unwrap_or(0);
    let same = same.into_iter().filter(|list| list.is_rich() && is_menu(pages, list));
    learned.extend(same.max_by_key(Learned::worth).filter(|list| list.worth() > most));
    let mut found: Vec<Found> = outermost(learned).into_iter().map(|list| finish(pages, list)).collect();
    found.sort_by_key(|list| std::cmp::Reverse(list.worth));
    if pages.len() == 1 {
        let best = found.first().map_or(0, |list| list.worth);
        found.retain(|list| list.worth * LEAST >= best);
    }
    found.truncate(LISTS);
    found
}

/// The lists that a list is, if labels tell its elements apart: other elements of its path, which have no rows, do not count any more.
fn apart(pages: &[&Page], group: &Group) -> Option<Vec<Learned>> {
    let parts = match group.label {
        Some(_) => return None,
        None => divided(pages, group.clone()),
    };
    let learn = |part| profile::learn(pages, part);
    (parts.len() > 1).then(|| parts.iter().map(learn).collect())?
}

/// Joins lists that are one list under different parents: some pages have the one, the others the other.
fn joined(pages: &[&Page], lists: Vec<Learned>) -> Vec<Learned> {
    let mut out: Vec<Learned> = Vec::new();
    let mut order = lists;
    // The path that most pages have counts.
    order.sort_by_key(|list| std::cmp::Reverse(list.pages().len()));
    for list in order {
        let other = out
            .iter()
            .position(|other| other.is_like(&list) && other.pages().is_disjoint(&list.pages()));
        let Some(at) = other else {
            out.push(list);
            continue;
        };
        let mut group = out[at].group.clone();
        group.parents.extend(list.group.parents.iter().copied());
        group.parents.sort_unstable();
        match profile::learn(pages, &group) {
            Some(both) => out[at] = both,
            None => out.push(list),
        }
    }
    out
}

/// A group as several, if labels that come back on every page tell its elements apart.
fn divided(pages: &[&Page], group: Group) -> Vec<Group> {
    if group.parents.len() < pages.len() + pages.len().min(2) {
        return vec![group];
    }
    // Captions may be the same where headings before the tables differ.
    divided_by(pages, &group, label_of)
        .or_else(|| divided_by(pages, &group, text_before))
        .unwrap_or_else(|| vec![group])
}

/// A group as several, by one kind of labels.
fn divided_by(pages: &[&Page], group: &Group, label: fn(&Page, NodeId) -> Option<String>) -> Option<Vec<Group>> {
    let parents = group.parents.iter();
    let mut labels: Vec<Option<String>> = parents.map(|(page, parent)| label(pages[*page], *parent)).collect();
    without_counts(group, &mut labels);
    let mut spread: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for ((page, _), label) in group.parents.iter().zip(&labels) {
        if let Some(label) = label {
            spread.entry(label).or_default().insert(*page);
        }
    }
    let there: BTreeSet<usize> = group.parents.iter().map(|(page, _)| *page).collect();
    let steady: Vec<&str> = spread
        .iter()
        .filter(|(label, on)| match pages.len() {
            // One page does not show what comes back; the names of two or three tables are words, not dates.
            1 => group.parents.len() <= NAMED && telling_kinds(label).is_empty(),
            _ => on.len() >= 2 && on.len() * 2 > there.len(),
        })
        .map(|(label, _)| *label)
        .collect();
    let named = labels
        .iter()
        .filter(|label| label.as_deref().is_some_and(|label| steady.contains(&label)));
    if steady.len() < 2 || named.count() * 10 < labels.len() * 8 {
        return None;
    }
    let part = |label: &&str| Group {
        label: Some((*label).to_owned()),
        parents: group
            .parents
            .iter()
            .zip(&labels)
            .filter(|(_, known)| known.as_deref() == Some(label))
            .map(|(parent, _)| *parent)
            .collect(),
        ..group.clone()
    };
    Some(steady.iter().map(part).collect())
}

/// Takes the numbers out of labels, which may be counts, if the labels of no page become the same by it: lists of two years stay two.
fn without_counts(group: &Group, labels: &mut [Option<String>]) {
    let pages = group.parents.iter().map(|(page, _)| *page);
    let plain: Vec<Option<String>> = labels
        .iter()
        .map(|label| label.as_deref().map(without_numbers))
        .collect();
    let mut known: BTreeMap<(usize, &str), &str> = BTreeMap::new();
    let mut each = pages.zip(labels.iter().zip(&plain));
    let are_apart = each.all(|(page, (label, plain))| match (label, plain) {
        (Some(label), Some(plain)) => *known.entry((page, plain)).or_insert(label) == label,
        _ => true,
    });
    if are_apart {
        labels.clone_from_slice(&plain);
    }
}

/// Are nearly all texts of the pages the same?
fn are_alike(pages: &[&Page]) -> bool {
    let texts = |page: &Page| -> BTreeSet<String> {
        let texts = page
            .texts()
            .iter()
            .map(|text| page.string_value(*text).trim().to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    };
    let Some((first, rest)) = pages.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return false;
    };
    let known = texts(first);
    rest.iter().all(|page| {
        let said = texts(page);
        let shared = said.intersection(&known).count();
        shared * 10 >= said.len().max(known.len()) * 9
    })
}

/// Does a list say the same on every page?
fn is_menu(pages: &[&Page], list: &Learned) -> bool {
    let there: BTreeSet<usize> = list.good().map(|row| row.page).collect();
    if there.len() < 2 {
        // The rows of one page alone must at least differ from each other.
        return pages.len() > 1 && list.good().count() < 3;
    }
    let mut said: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for row in list.good() {
        said.entry(row.text()).or_default().insert(row.page);
    }
    let steady = list.good().filter(|row| said[&row.text()].len() * 2 > there.len());
    steady.count() * 10 >= list.good().count() * 7
}

/// Are the rows rather parts of the page: few tables or other blocks, of which one says the same on every page, as a menu does?
fn is_frame(list: &Learned) -> bool {
    let there = list.pages();
    if ITEMS.contains(&list.group.row.as_str()) || there.len() < 2 || list.on_average() > NAMED {
        return false;
    }
    let mut said: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for row in list.good() {
        said.entry(row.text()).or_default().insert(row.page);
    }
    said.iter()
        .any(|(text, on)| !text.is_empty() && on.len() * 10 >= there.len() * 9)
}

/// How often a text is on a page, or in an element around rows.
type Said = BTreeMap<(usize, NodeId), usize>;

/// Has the list a column of labels: texts that are on most pages, each once? Parts of a page may have the same labels ("Ranking" of singles and of
/// doubles), so a few times will do, if it is equally often on every page that has it.
fn is_labelled(pages: &[&Page], list: &Learned) -> bool {
    // If a page has several elements with rows, a label may be in each of them, or on the page once.
    let around: BTreeSet<(usize, NodeId)> = list.good().map(Learned::around).collect();
    let several = around.len() * 2 > pages.len() * 3;
    is_labelled_by(list, |row| (row.page, NodeId::DOCUMENT)) || several && is_labelled_by(list, Learned::around)
}

/// The same, for labels that are in each page or element once.
fn is_labelled_by(list: &Learned, unit: fn(&profile::Row) -> (usize, NodeId)) -> bool {
    let there: BTreeSet<(usize, NodeId)> = list.good().map(unit).collect();
    if there.len() < 2 {
        return false;
    }
    (0..list.cells.len()).any(|cell| {
        let mut said: HashMap<&str, Said> = HashMap::new();
        let mut all = 0;
        for row in list.good() {
            if let Some(text) = row.cell(cell) {
                *said.entry(text).or_default().entry(unit(row)).or_default() += 1;
                all += 1;
            }
        }
        // Numbers and dates may come back, too, but they are no labels.
        let wordy = |text: &str| text.chars().any(char::is_alphabetic) && telling_kinds(text).is_empty();
        let steady = |on: &Said| {
            let times = on.values().next().copied().unwrap_or(0);
            let most = if on.len() < STEADY { 1 } else { PARTS };
            times <= most && on.values().all(|other| *other == times)
        };
        let label = |(text, on): &(&&str, &Said)| on.len() * 2 > there.len() && steady(on) && wordy(text);
        let labels: usize = said.iter().filter(label).flat_map(|(_, on)| on.values()).sum();
        let kinds = said.iter().filter(label).count();
        kinds >= 2 && labels * 10 >= all * 6 && labels * 2 >= list.good().count()
    })
}

/// Of lists inside each other, those that are lists and not cells or frames.
fn outermost(mut lists: Vec<Learned>) -> Vec<Learned> {
    // Outer ones first: they have the shorter paths. Lists of one path that labels tell apart go together.
    lists.sort_by(|a, b| (a.group.path.len(), a.key()).cmp(&(b.group.path.len(), b.key())));
    let families: Vec<Vec<usize>> = {
        let numbers: Vec<usize> = (0..lists.len()).collect();
        numbers
            .chunk_by(|a, b| lists[*a].key() == lists[*b].key())
            .map(<[usize]>::to_vec)
            .collect()
    };
    let mut dropped = vec![false; lists.len()];
    let size = |family: &[usize]| -> usize { family.iter().map(|at| lists[*at].size()).sum() };
    for (at, outer) in families.iter().enumerate() {
        for inner in &families[at + 1..] {
            if dropped[outer[0]] || dropped[inner[0]] {
                continue;
            }
            let rows: Vec<&Learned> = inner.iter().map(|at| &lists[*at]).collect();
            let counts: Vec<usize> = outer.iter().flat_map(|at| lists[*at].counts_of(&rows)).collect();
            if counts.iter().all(|count| *count == 0) {
                continue;
            }
            let mut times: BTreeMap<usize, usize> = BTreeMap::new();
            counts.iter().for_each(|count| *times.entry(*count).or_default() += 1);
            let most = times.values().max().copied().unwrap_or(0);
            let steady = most * 10 >= counts.len() * 9;
            let several = counts.iter().filter(|count| **count > 1).count() * 2 > counts.len();
            let main = size(inner) * 10 >= size(outer) * 6;
            // Two or three tables with many rows each are no rows themselves, though they have equally many.
            let tables = outer.iter().all(|at| lists[*at].on_average() <= NAMED)
                && inner
                    .iter()
                    .all(|at| lists[*at].is_rich() && lists[*at].on_average() >= NAMED);
            // Single texts are cells if their kinds of value tell them apart, however many of them a row has.
            let cells = rows.iter().all(|list| list.is_single()) && outer.iter().all(|at| lists[*at].has_columns());
            let frames = several && main && (!steady || tables) && !cells;
            let out = if frames { outer } else { inner };
            out.iter().for_each(|at| dropped[*at] = true);
        }
    }
    // Of lists that overlap otherwise, the one with more text.
    let mut order: Vec<usize> = (0..lists.len()).filter(|at| !dropped[*at]).collect();
    order.sort_by_key(|at| std::cmp::Reverse(lists[*at].size()));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        if kept.iter().all(|other| !lists[*other].overlaps(&lists[at])) {
            kept.push(at);
        }
    }
    let mut at = 0;
    lists.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    lists
}

/// The list as it is saved.
fn finish(pages: &[&Page], list: Learned) -> Found {
    let worth = list.worth();
    let heading = heading(pages, &list);
    let mut places = vec![Vec::new(); pages.len()];
    for row in list.good() {
        places[row.page].push(row.stretch);
    }
    let role = role(pages, &list.group);
    let (cells, wholes, mut fields) = list.fields(pages);
    let heading = heading.map(|among| {
        fields += 1;
        RowHeading {
            field: fields - 1,
            among,
        }
    });
    let rows = Rows {
        name: "items".to_owned(),
        path: list.group.path.clone(),
        role,
        label: list.group.label.clone(),
        row: list.group.row.clone(),
        run: list.group.run,
        cuts: list.cuts.clone(),
        makes: list.makes.clone(),
        cells,
        wholes,
        heading,
        backs: None,
    };
    Found {
        rows,
        fields,
        places,
        worth,
    }
}

/// The id or class that all elements around the rows have.
fn role(pages: &[&Page], group: &Group) -> Option<(String, String)> {
    ["id", "class"].into_iter().find_map(|name| {
        let mut values = group
            .parents
            .iter()
            .map(|(page, parent)| pages[*page].attribute_value(*parent, name));
        let first = values.next()??;
        (!first.trim().is_empty() && values.all(|value| value == Some(first)))
            .then(|| (name.to_owned(), first.to_owned()))
    })
}

/// What is known of a kind of element beside the rows: its texts on each page, how often it is there, and how often a row follows.
type Beside = (BTreeSet<(usize, String)>, usize, usize);

/// Whether there are headings that belong to the rows below them: the paths of their leaves if they are among the rows,
/// `None` inside if they are before each element around rows.
fn heading(pages: &[&Page], list: &Learned) -> Option<Option<Vec<String>>> {
    // Other pages may have the same headings.
    let mut kinds: BTreeMap<Vec<String>, Beside> = BTreeMap::new();
    let mut first = BTreeMap::new();
    for (page, parent) in &list.group.parents {
        let rows: Vec<NodeId> = list.rows_of(*page, *parent);
        let Some(first_row) = rows.first() else { continue };
        let mut waiting: Option<Vec<String>> = None;
        for child in pages[*page]
            .children(*parent)
            .filter(|child| pages[*page].is_element(*child))
        {
            if rows.contains(&child) {
                if let Some(paths) = waiting.take()
                    && let Some((_, _, followed)) = kinds.get_mut(&paths)
                {
                    *followed += 1;
                }
                continue;
            }
            let found = leaves(pages[*page], Stretch::element(pages[*page], child));
            let texts: Vec<_> = found.iter().filter(|leaf| !leaf.text.is_empty()).collect();
            if texts.is_empty() || texts.len() > 2 {
                continue;
            }
            let name = pages[*page].name(child);
            let paths: Vec<String> = texts.iter().map(|leaf| format!("{name}/{}", leaf.path)).collect();
            let said: Vec<&str> = texts.iter().map(|leaf| leaf.text.as_str()).collect();
            if child < *first_row {
                *first.entry(paths.clone()).or_insert(0) += 1;
            }
            let (all, times, _) = kinds.entry(paths.clone()).or_default();
            all.insert((*page, said.join(" ")));
            *times += 1;
            waiting = Some(paths);
        }
    }
    let around = list.group.parents.len();
    let among = kinds.into_iter().find(|(paths, (texts, times, followed))| {
        let before = first.get(paths).copied().unwrap_or(0);
        // Headings differ, rows follow them, and the first rows have one, too.
        let said: BTreeSet<&String> = texts.iter().map(|(_, text)| text).collect();
        said.len() >= 2
            && *times >= 2
            && followed * 10 >= times * 7
            && before * 10 >= around * 7
            && texts.len() * 2 > *times
    });
    if let Some((paths, _)) = among {
        return Some(Some(paths));
    }
    let there: BTreeSet<usize> = list.group.parents.iter().map(|(page, _)| *page).collect();
    if around * 2 < there.len() * 3 || around < 3 || list.group.label.is_some() {
        return None;
    }
    let labels: Vec<Option<String>> = list
        .group
        .parents
        .iter()
        .map(|(page, parent)| label_of(pages[*page], *parent))
        .collect();
    // The text before an element may be the end of the rows in the element before it.
    let mut last = list.group.parents.iter().enumerate().skip(1);
    if last
        .any(|(at, (page, parent))| ends_rows(pages[*page], *parent, labels[at].as_deref(), list.group.parents[at - 1]))
    {
        return None;
    }
    let distinct: BTreeSet<&String> = labels.iter().flatten().collect();
    let known = labels.iter().flatten().count();
    (known * 10 >= around * 8 && distinct.len() * 2 > known).then_some(None)
}

/// Is a label of an element the last text of the element before it on the page, which has rows?
fn ends_rows(page: &Page, parent: NodeId, label: Option<&str>, (_, before): (usize, NodeId)) -> bool {
    let is_before = before < parent && page.end(before) <= parent;
    let mut between = page.texts().iter().copied().filter(|text| *text < parent);
    let last = between.rfind(|text| !page.string_value(*text).trim().is_empty());
    let is_in = |text: NodeId| before < text && text < page.end(before);
    is_before && last.is_some_and(|text| is_in(text) && label == Some(page.string_value(text).trim()))
}

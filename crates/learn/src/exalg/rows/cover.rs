//! Does a template have a list already?
//!
//! It does if it reads all pages without gaps, one of its sets has exactly one element in each row, which is not partly
//! outside, and it divides the rows as finely: no text of a cell is only a part of a value. A cell that most rows have
//! must be one field in all of them. Then the template's set is as good, and it is the paper's. A list whose headings
//! belong to its rows is covered only if no heading is an element, and if the set is inside of another one. One pass over the events of each page.

use super::Found;
use page::Page;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;
use wrapper::rule::template::{Part, RowCell, Run, Template, telling_kind};

/// The values of a row: field and texts.
type Values = BTreeMap<u32, Vec<String>>;

/// How a template has a list.
pub(in super::super) struct Cover {
    /// The set.
    pub(in super::super) set: u32,
    /// For each field of the list the template's.
    pub(in super::super) fields: BTreeMap<u32, u32>,
    /// Is the set outside all others, with nothing but its fields in it? Then its rows can be read in its place.
    pub(in super::super) plain: bool,
}

/// For each list, how the template that `run` reads with has it, if it does.
pub(in super::super) fn covered(pages: &[&Page], run: &Run, lists: &[Found]) -> Vec<Option<Cover>> {
    let mut fine = vec![true; lists.len()];
    // For each list, the sets that have one element in each row so far, and the values of the rows.
    let mut sets: Vec<Option<BTreeSet<u32>>> = vec![None; lists.len()];
    let mut rows: Vec<Vec<(Values, Values)>> = vec![Vec::new(); lists.len()];
    for (number, page) in pages.iter().enumerate() {
        let (events, gaps) = run.page(page);
        for (at, list) in lists
            .iter()
            .enumerate()
            .filter(|(_, list)| !list.places[number].is_empty())
        {
            let Inside { values, once, outside } = inside(&events, list, number);
            fine[at] &= gaps.is_empty();
            // A row in which the template has nothing to say is judged by what the list has there.
            let once = once.into_iter().zip(&values).filter(|(_, values)| !values.is_empty());
            for (set, _) in once {
                sets[at] = Some(match sets[at].take() {
                    None => set,
                    Some(known) => known.intersection(&set).copied().collect(),
                });
            }
            if list.rows.heading.is_some()
                && let Some(sets) = &mut sets[at]
            {
                sets.retain(|set| !outside.contains(set));
            }
            rows[at].extend(ours(page, list, number).into_iter().zip(values));
        }
    }
    let template = run.template();
    let has = |at: usize, list: &Found| {
        let rows = &rows[at];
        let set = *sets[at].as_ref()?.first()?;
        let cells = &list.rows.cells;
        let alone = |cell: &RowCell| {
            let same = cells.iter().filter(|other| other.number == cell.number).count();
            same == 1 && !cell.path.is_empty()
        };
        if !fine[at] || !cells.iter().all(|cell| has_cell(rows, cell, alone(cell))) || mixes(rows, cells) {
            return None;
        }
        let mut fields = BTreeMap::new();
        for field in list.rows.fields() {
            let first = rows.iter().find(|(ours, _)| ours.contains_key(&field));
            let others = first.into_iter().flat_map(|(_, theirs)| theirs.keys());
            if let Some(other) = others.copied().find(|other| same(rows.iter(), field, *other)) {
                fields.insert(field, other);
            }
        }
        let below = |part: u32| template.parts[part as usize].parts();
        let inside = below(set).into_iter().flat_map(below);
        let flat = inside
            .into_iter()
            .all(|part| matches!(template.parts[part as usize], Part::Basic(_)));
        let nested = template
            .parts
            .iter()
            .filter(|part| matches!(part, Part::Set { .. } | Part::Mixed { .. }))
            .any(|part| part.parts().iter().any(|part| is_below(template, *part, set)));
        // Headings that are in no element around the set do not belong to its rows.
        if list.rows.heading.is_some() && !nested {
            return None;
        }
        Some(Cover {
            set,
            fields,
            plain: flat && !nested && template.list_name(set).is_some(),
        })
    };
    lists.iter().enumerate().map(|(at, list)| has(at, list)).collect()
}

/// Is a part below another?
fn is_below(template: &Template, above: u32, part: u32) -> bool {
    let below = template.parts[above as usize].parts();
    below
        .iter()
        .any(|child| *child == part || is_below(template, *child, part))
}

/// Has a field of the template, in every row, the text of a field of the list?
fn same<'v>(mut rows: impl Iterator<Item = &'v (Values, Values)>, field: u32, other: u32) -> bool {
    rows.all(|(ours, theirs)| {
        let mut texts = ours.get(&field).into_iter().flatten();
        texts.all(|text| theirs.get(&other).is_some_and(|texts| texts.contains(text)))
    })
}

/// Fewer texts do not tell what a cell has.
const FEWEST: usize = 5;

/// Has a field of the template the texts of two cells that labels or kinds of value tell apart? The values of an inner set are of one sort.
fn mixes(rows: &[(Values, Values)], cells: &[RowCell]) -> bool {
    let fields = |cell: &RowCell| -> Vec<u32> {
        let split = cell.split.iter().flat_map(|split| split.fields.iter().copied());
        let text = cell.field.or_else(|| split.clone().next());
        let attributes = cell.attributes.iter().map(|(_, _, field)| *field);
        text.into_iter().chain(attributes).collect()
    };
    // For each field of the template the cells whose texts it has.
    let mut of: BTreeMap<u32, BTreeMap<usize, Vec<&String>>> = BTreeMap::new();
    for (ours, theirs) in rows {
        for (at, cell) in cells.iter().enumerate() {
            for texts in fields(cell).iter().filter_map(|field| ours.get(field)) {
                let has = |others: &[String]| texts.iter().all(|text| others.contains(text));
                for (other, _) in theirs.iter().filter(|(_, others)| has(others)) {
                    of.entry(*other).or_default().entry(at).or_default().extend(texts);
                }
            }
        }
    }
    // Nearly all texts of the one are of a kind, and hardly any of the other.
    let differ = |texts: &[&String], others: &[&String]| {
        let Some(kind) = texts.iter().find_map(|text| telling_kind(text)) else {
            return false;
        };
        let count = |texts: &[&String]| texts.iter().filter(|text| telling_kind(text) == Some(kind)).count();
        texts.len().min(others.len()) >= FEWEST
            && count(texts) * 5 >= texts.len() * 4
            && count(others) * 5 <= others.len()
    };
    of.values().any(|of| {
        let pairs = of.iter().flat_map(|one| of.iter().map(move |other| (one, other)));
        pairs
            .into_iter()
            .any(|((one, texts), (other, others))| cells[*one].label != cells[*other].label || differ(texts, others))
    })
}

/// Does the template have the fields of a cell? Texts that are in none of its values are words of the template; only a cell
/// that is alone in its element is a value even then.
fn has_cell(rows: &[(Values, Values)], cell: &RowCell, alone: bool) -> bool {
    let known = |(ours, theirs): &&(Values, Values), field: u32| {
        let mut texts = ours.get(&field).into_iter().flatten();
        texts.any(|text| theirs.values().flatten().any(|other| other.contains(text.as_str())))
    };
    let one_field = |field: u32, alone: bool| {
        let valued: Vec<&(Values, Values)> = match alone {
            true => rows.iter().filter(|(ours, _)| ours.contains_key(&field)).collect(),
            false => rows.iter().filter(|row| known(row, field)).collect(),
        };
        let first = valued.first();
        first.is_none_or(|(_, theirs)| theirs.keys().any(|other| same(valued.iter().copied(), field, *other)))
    };
    // A text is told from its neighbours, or it is not a value at all.
    let apart = |field: u32| {
        rows.iter().all(|(ours, theirs)| {
            let mut texts = ours.get(&field).into_iter().flatten();
            texts.all(|text| {
                let mut all = theirs.values().flatten();
                let equal = theirs.values().flatten().any(|other| other == text);
                equal || all.all(|other| !other.contains(text.as_str()))
            })
        })
    };
    let attributes = cell.attributes.iter().map(|(_, _, field)| *field);
    let split = cell.split.iter().flat_map(|split| split.fields.iter().copied());
    let needed = cell.field.filter(|_| cell.usual || cell.words.is_some());
    // What an attribute says is no word of the template.
    attributes.into_iter().all(|field| one_field(field, true))
        && needed.into_iter().chain(split).all(|field| one_field(field, alone))
        && cell.field.is_none_or(apart)
}

/// What a template has in the rows of a list.
struct Inside {
    /// Its values in each row.
    values: Vec<Values>,
    /// For each row, the sets that have one element there.
    once: Vec<BTreeSet<u32>>,
    /// The sets that have elements elsewhere.
    outside: BTreeSet<u32>,
}

fn inside(events: &[Event], list: &Found, page: usize) -> Inside {
    let rows = &list.places[page];
    let mut values: Vec<Values> = vec![Values::new(); rows.len()];
    // For each element of a set, the rows that it has values in; `None` for outside.
    let mut spread: BTreeMap<(u32, usize), BTreeSet<Option<usize>>> = BTreeMap::new();
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        match event {
            Event::Open(set) => open.push((*set, place)),
            Event::Close => drop(open.pop()),
            Event::Value { field, node, text } => {
                let at = rows.partition_point(|row| row.to <= *node);
                let row = rows.get(at).filter(|row| row.contains(*node)).map(|_| at);
                for element in &open {
                    spread.entry(*element).or_default().insert(row);
                }
                if let Some(row) = row {
                    values[row].entry(*field).or_default().push(text.clone());
                }
            }
        }
    }
    let mut times: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); rows.len()];
    for ((set, _), within) in &spread {
        for row in within.iter().flatten() {
            // An element that is not in one row alone counts as two.
            *times[*row].entry(*set).or_default() += if within.len() == 1 { 1 } else { 2 };
        }
    }
    let once = |times: BTreeMap<u32, usize>| {
        times
            .into_iter()
            .filter(|(_, times)| *times == 1)
            .map(|(set, _)| set)
            .collect()
    };
    let apart = spread.iter().filter(|(_, within)| **within == BTreeSet::from([None]));
    Inside {
        outside: apart.map(|((set, _), _)| *set).collect(),
        values,
        once: times.into_iter().map(once).collect(),
    }
}

/// The list's own values in each of its rows on a page.
fn ours(page: &Page, list: &Found, number: usize) -> Vec<Values> {
    let mut events = Vec::new();
    list.rows.events(page, 0, &list.rows.find(page), &mut events);
    let mut values: Vec<Values> = vec![Values::new(); list.places[number].len()];
    for event in events {
        if let Event::Value { field, node, text } = event {
            let rows = &list.places[number];
            let at = rows.partition_point(|row| row.to <= node);
            if rows.get(at).is_some_and(|row| row.contains(node)) {
                values[at].entry(field).or_default().push(text);
            }
        }
    }
    values
}

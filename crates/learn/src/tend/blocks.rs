//! Which elements of a page are its records.
//!
//! Each set of elements that stand in the same place of the page's structure is tried. Within a set every field takes the
//! column that fits it best and has one item in each element; a column that has several in each is cut by their number, so
//! the cells of a row are columns of their own. The worth of a set is what its fields find in it, so a set of elements that
//! are too small (a cell each) lacks fields, and one of elements that are too large (a table each) has no column with one
//! item in each.

use super::columns::{Items, place};
use super::evidence::{Known, Look};
use crate::guided::Wanted;
use page::{NodeId, Page};
use std::collections::{HashMap, HashSet};
use wrapper::profile::Profile;

/// Sets of elements that are tried, largest first.
const SETS: usize = 400;
/// Items of one column in one element, at most, for it to be cut.
const CUT: usize = 12;
/// Items that are looked at to judge a column.
const SEEN: usize = 24;

/// The records of a page as they were found: for each field the item in each block, and how well it fits.
pub(super) struct Blocks {
    pub(super) blocks: Vec<NodeId>,
    /// For each field: its worth, and for each block the items.
    pub(super) fields: Vec<(f64, Vec<Vec<usize>>)>,
    pub(super) worth: f64,
}

fn spread<'s>(looks: &'s [Look], items: &[usize]) -> Vec<&'s Look> {
    let stride = items.len().div_ceil(SEEN).max(1);
    items.iter().step_by(stride).map(|item| &looks[*item]).collect()
}

/// Finds the blocks of a page.
pub(super) fn find(
    page: &Page,
    items: &Items,
    wanted: &[Wanted],
    known: &[Known<'_>],
    profile: &Profile,
) -> Option<Blocks> {
    let mut sets: Vec<Vec<NodeId>> = Vec::new();
    let mut seen: HashSet<Vec<NodeId>> = HashSet::new();
    for classes in [0, 1, 3] {
        let mut by: HashMap<String, Vec<NodeId>> = HashMap::new();
        for element in page.elements() {
            by.entry(place(page, *element, classes)).or_default().push(*element);
        }
        let mut new: Vec<Vec<NodeId>> = by
            .into_values()
            .filter(|nodes| nodes.len() > 1 && nodes.len() < 5000)
            .collect();
        // Elements of one set never hold each other, because they are equally deep.
        new.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        sets.extend(new.into_iter().filter(|nodes| seen.insert(nodes.clone())));
    }
    sets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    // A record says several things.
    sets.retain(|nodes| nodes.iter().take(8).any(|node| page.end(*node).0 - node.0 > 2));
    sets.truncate(SETS);
    let best = sets
        .into_iter()
        .map(|blocks| weigh(page, items, wanted, (known, profile), blocks));
    best.max_by(|a, b| {
        a.worth
            .total_cmp(&b.worth)
            .then_with(|| b.blocks.len().cmp(&a.blocks.len()))
    })
    .filter(|best| best.worth > 0.0)
}

/// Tries a set of elements as records.
fn weigh(
    page: &Page,
    items: &Items,
    wanted: &[Wanted],
    (known, profile): (&[Known<'_>], &Profile),
    blocks: Vec<NodeId>,
) -> Blocks {
    // The columns within the blocks, cut where each has several.
    let mut columns: Vec<Vec<Vec<usize>>> = Vec::new();
    for column in &items.columns {
        // Both are in the order of the page, so the block of an item is that of the one before or behind it.
        let mut at = 0;
        let mut homes: Vec<(usize, usize)> = Vec::new();
        for item in column {
            let node = items.nodes[*item];
            while at < blocks.len() && page.end(blocks[at]) <= node {
                at += 1;
            }
            if at < blocks.len() && blocks[at] <= node {
                homes.push((at, *item));
            }
        }
        if homes.len() * 2 < blocks.len() {
            continue;
        }
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        for (block, item) in homes {
            inside[block].push(item);
        }
        let most = inside.iter().map(Vec::len).max().unwrap_or(0);
        if most > 1 && most <= CUT {
            for number in 0..most {
                let cut = inside
                    .iter()
                    .map(|items| items.get(number).copied().into_iter().collect());
                columns.push(cut.collect());
            }
        }
        columns.push(inside);
    }
    let used = blocks
        .iter()
        .enumerate()
        .filter(|(at, _)| columns.iter().any(|column| !column[*at].is_empty()))
        .count()
        .max(1);
    let mut offers: Vec<(f64, usize, usize)> = Vec::new();
    for (field, want) in wanted.iter().enumerate() {
        for (number, column) in columns.iter().enumerate() {
            let worth = suits(items, &known[field], want, column, used);
            if worth > 0.0 {
                offers.push((worth, field, number));
            }
        }
    }
    // The best offers first; no two fields say the same thing.
    offers.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let mut fields: Vec<(f64, Vec<Vec<usize>>)> = vec![(0.0, vec![Vec::new(); blocks.len()]); wanted.len()];
    let mut taken: HashSet<usize> = HashSet::new();
    for (worth, field, number) in offers {
        let shared = columns[number].iter().flatten().any(|item| taken.contains(item));
        if fields[field].0 == 0.0 && !shared {
            taken.extend(columns[number].iter().flatten());
            fields[field] = (worth, columns[number].clone());
        }
    }
    let sum: f64 = fields.iter().map(|(worth, _)| worth).sum();
    let had: f64 = profile.records as f64 / profile.pages.max(1) as f64;
    // Blocks that are records have most of the fields.
    let whole = (0..blocks.len()).filter(|block| {
        let filled = fields.iter().filter(|(_, column)| !column[*block].is_empty()).count();
        filled * 2 > wanted.len()
    });
    let whole = whole.count() as f64;
    // A few more or fewer records are nothing; one instead of fifty is suspicious.
    let ratio = ((whole + 2.0) / (had + 2.0)).ln();
    let count = (-(if ratio < 0.0 { -ratio * 0.3 } else { ratio * 0.1 })).exp();
    Blocks {
        worth: sum / wanted.len().max(1) as f64 * count,
        blocks,
        fields,
    }
}

/// How well a column within blocks suits a field.
fn suits(items: &Items, known: &Known<'_>, want: &Wanted, column: &[Vec<usize>], used: usize) -> f64 {
    let filled = column.iter().filter(|items| !items.is_empty()).count();
    let single = column.iter().filter(|items| items.len() == 1).count();
    let all: Vec<usize> = column.iter().flatten().copied().collect();
    let per_record = all.len() as f64 / filled.max(1) as f64;
    let fit = known.fit(&spread(&items.looks, &all), per_record);
    let coverage = filled as f64 / used as f64;
    let alone = if want.many {
        1.0
    } else {
        single as f64 / filled.max(1) as f64
    };
    fit * (0.25 + 0.75 * coverage) * alone * alone
}

//! Where the values of a page's records are.
//!
//! Each value may be in many places. For each field the *look* that most of its values share is taken: the names of the elements around
//! it. Of looks that are equally frequent, those near the other values of their records come first. Then each record has an *anchor*,
//! and of each value the place is taken that is between the anchors before and after.

use super::{Lesson, Pins, Trouble, Wanted, paths, spots_of};
use page::{Kind, NodeId, Page};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::profile::{Places, Spot};

/// The records of one page, found on it.
pub(super) struct Found {
    /// The anchor of each record.
    pub(super) anchors: Vec<Option<NodeId>>,
    /// The spots of each record's values: by field, by value.
    pub(super) spots: Vec<Vec<Vec<Vec<Spot>>>>,
}

/// The look of a spot: the names of the elements around it, and whether it is all of its text.
pub(super) fn sign(page: &Page, spot: &Spot) -> String {
    let names = page.ancestors(spot.node).map(|up| page.name(up));
    let own = match page.kind(spot.node) {
        Kind::Attribute => format!("@{}", page.name(spot.node)),
        Kind::Text => "text".to_owned(),
        _ => page.name(spot.node).to_owned(),
    };
    let whole = if spot.is_whole() { "" } else { "~" };
    format!("{whole}{own}<{}", names.collect::<Vec<_>>().join("<"))
}

/// Finds the values of a page's records.
pub(super) fn find(wanted: &[Wanted], lesson: &Lesson<'_>, pins: &Pins, missed: &mut Vec<Trouble>) -> Found {
    let places = Places::new(lesson.page);
    let mut known: HashMap<&str, Vec<Spot>> = HashMap::new();
    for text in lesson.records.iter().flatten().flatten() {
        known
            .entry(text.as_str())
            .or_insert_with(|| spots_of(lesson.page, &places, pins, text));
    }
    let mut spots: Vec<Vec<Vec<Vec<Spot>>>> = lesson
        .records
        .iter()
        .map(|record| {
            record
                .iter()
                .map(|values| values.iter().map(|text| known[text.as_str()].clone()).collect())
                .collect()
        })
        .collect();
    for (record, spots) in lesson.records.iter().zip(&spots) {
        for ((want, values), spots) in wanted.iter().zip(record).zip(spots) {
            let lost = values.iter().zip(spots).filter(|(_, spots)| spots.is_empty());
            missed.extend(lost.map(|(text, _)| Trouble::NotFound {
                page: lesson.name.to_owned(),
                field: want.name.clone(),
                value: text.clone(),
            }));
        }
    }
    // For each field, the look that most of its values share.
    for field in 0..wanted.len() {
        let mut looks: HashMap<String, usize> = HashMap::new();
        for record in &spots {
            let mine: BTreeSet<String> = record
                .get(field)
                .into_iter()
                .flatten()
                .flatten()
                .map(|spot| sign(lesson.page, spot))
                .collect();
            for look in mine {
                *looks.entry(look).or_default() += 1;
            }
        }
        // Among equally frequent looks, whole texts come before parts, and texts before attributes. Of elements that
        // all contain the same text, the outermost comes first; of those that contain more, the innermost, which adds
        // the least.
        let rank = |look: &String| {
            let part = look.starts_with('~');
            let depth = look.matches('<').count();
            let depth = if part { usize::MAX - depth } else { depth };
            (part, look.contains('@'), depth, look.len(), look.clone())
        };
        let most = looks.values().copied().max().unwrap_or(0);
        looks.retain(|_, count| *count == most);
        together(lesson.page, &spots, field, &mut looks);
        let best = looks.iter().min_by_key(|(look, _)| rank(look));
        let Some((best, _)) = best else { continue };
        for record in &mut spots {
            for spots in record.get_mut(field).into_iter().flatten() {
                if spots.iter().any(|spot| sign(lesson.page, spot) == *best) {
                    spots.retain(|spot| sign(lesson.page, spot) == *best);
                }
            }
        }
    }
    let anchors = anchors(wanted, lesson, &spots);
    // For each value, the spot that belongs to the record.
    for number in 0..spots.len() {
        let Some(anchor) = anchors[number] else { continue };
        let before = anchors[..number]
            .iter()
            .rev()
            .flatten()
            .next()
            .copied()
            .unwrap_or(NodeId::DOCUMENT);
        let behind = anchors[number + 1..].iter().flatten().next().copied();
        for spots in spots[number].iter_mut().flatten() {
            let own = |spot: &Spot| spot.node > before && behind.is_none_or(|behind| spot.node < behind);
            if spots.iter().any(own) {
                spots.retain(own);
                spots.sort_by_key(|spot| spot.node.0.abs_diff(anchor.0));
            } else {
                // A heading: the last one above.
                spots.retain(|spot| spot.node < anchor);
                spots.sort_by_key(|spot| std::cmp::Reverse(spot.node));
            }
        }
    }
    Found { anchors, spots }
}

/// Values that are far away from the other values of their records are farther than this times those that are not.
const FAR: u32 = 4;
/// Nodes that are nearer than this are not far apart.
const NEAR: u32 = 16;

/// Leaves out the looks of a field whose values are far away from the other values of their records, if there are nearer ones: a
/// date in the row of its meeting, rather than the same date in a menu.
fn together(page: &Page, spots: &[Vec<Vec<Vec<Spot>>>], field: usize, looks: &mut HashMap<String, usize>) {
    if looks.len() < 2 {
        return;
    }
    let mut distances: HashMap<String, Vec<u32>> = HashMap::new();
    for record in spots {
        let others = record.iter().enumerate().filter(|(other, _)| *other != field);
        let mut others: Vec<u32> = others
            .flat_map(|(_, values)| values.iter().flatten())
            .map(|spot| spot.node.0)
            .collect();
        others.sort_unstable();
        for spot in record.get(field).into_iter().flatten().flatten() {
            let after = others.partition_point(|other| *other < spot.node.0);
            let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
            let near = near
                .filter_map(|at| others.get(at))
                .map(|other| other.abs_diff(spot.node.0))
                .min();
            if let (Some(near), look) = (near, sign(page, spot))
                && looks.contains_key(&look)
            {
                distances.entry(look).or_default().push(near);
            }
        }
    }
    let median = |mut all: Vec<u32>| {
        all.sort_unstable();
        all.get(all.len() / 2).copied()
    };
    let medians: HashMap<String, u32> = distances
        .into_iter()
        .filter_map(|(look, all)| Some((look, median(all)?)))
        .collect();
    let Some(least) = medians.values().copied().min() else {
        return;
    };
    looks.retain(|look, _| medians.get(look).is_none_or(|median| *median <= FAR * least.max(NEAR)));
}

/// The anchor of each record: the spots of the field that is found most often, in order.
fn anchors(wanted: &[Wanted], lesson: &Lesson<'_>, spots: &[Vec<Vec<Vec<Spot>>>]) -> Vec<Option<NodeId>> {
    let mut best: (usize, usize, Vec<Option<NodeId>>) = (0, 0, vec![None; spots.len()]);
    for field in (0..wanted.len()).filter(|field| !wanted[*field].many) {
        let distinct: HashSet<&String> = lesson
            .records
            .iter()
            .filter_map(|record| record.get(field)?.first())
            .collect();
        let mut last = NodeId::DOCUMENT;
        let mut chosen = Vec::new();
        for record in spots {
            let mine = record
                .get(field)
                .and_then(|values| values.first())
                .map_or(&[][..], Vec::as_slice);
            // A record is an element, also if an attribute is what is known of it.
            let next = mine.iter().map(|spot| paths::owner(lesson.page, spot.node));
            let next = next.filter(|node| *node > last).min();
            last = next.unwrap_or(last);
            chosen.push(next);
        }
        let count = chosen.iter().flatten().count();
        if (count, distinct.len()) > (best.0, best.1) {
            best = (count, distinct.len(), chosen);
        }
    }
    best.2
}

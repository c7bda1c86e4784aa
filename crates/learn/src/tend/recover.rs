//! Finding the values of a wrapper on pages that it no longer fits.

use super::blocks;
use super::columns::Items;
use super::evidence::{Known, Look};
use crate::guided::Wanted;
use page::Page;
use wrapper::profile::Profile;

/// What was found on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovered {
    /// For each record the values of each field.
    pub records: Vec<Vec<Vec<String>>>,
    /// For each field how sure it is, from 0 to 1; nothing was found where it is 0.
    pub sure: Vec<f64>,
}

/// Below this a column is taken for something else.
const LEAST: f64 = 0.3;

/// Finds what a page says of a wrapper's fields, by what is known of them.
pub fn recover(page: &Page, wanted: &[Wanted], profile: &Profile, listed: bool) -> Recovered {
    let mut items = Items::new(page);
    let known: Vec<Known<'_>> = wanted
        .iter()
        .zip(&profile.fields)
        .map(|(want, field)| Known::new(field, &want.name))
        .collect();
    for known in &known {
        items.cut(known);
    }
    match listed {
        true => records(page, &items, wanted, &known, profile),
        false => one(&items, wanted, &known),
    }
}

fn records(page: &Page, items: &Items, wanted: &[Wanted], known: &[Known<'_>], profile: &Profile) -> Recovered {
    let Some(found) = blocks::find(page, items, wanted, known, profile) else {
        return Recovered {
            records: Vec::new(),
            sure: vec![0.0; wanted.len()],
        };
    };
    let sure: Vec<f64> = found
        .fields
        .iter()
        .map(|(worth, _)| if *worth < LEAST { 0.0 } else { worth.min(1.0) })
        .collect();
    let mut records = Vec::new();
    for number in 0..found.blocks.len() {
        let record: Vec<Vec<String>> = (0..wanted.len())
            .map(|field| match sure[field] > 0.0 {
                true => found.fields[field].1[number]
                    .iter()
                    .map(|item| items.looks[*item].sight.text.clone())
                    .collect(),
                false => Vec::new(),
            })
            .collect();
        // Rows with hardly anything of a record are headings and rules.
        let filled = record.iter().filter(|values| !values.is_empty()).count();
        if filled * 2 >= sure.iter().filter(|sure| **sure > 0.0).count().max(1) {
            records.push(record);
        }
    }
    Recovered { records, sure }
}

/// One record: each field takes the column that fits it best.
fn one(items: &Items, wanted: &[Wanted], known: &[Known<'_>]) -> Recovered {
    let mut record = Vec::new();
    let mut sure = Vec::new();
    for (field, want) in wanted.iter().enumerate() {
        let (worth, values) = match want.many {
            true => several(items, &known[field]),
            false => single(items, &known[field]),
        };
        let found = worth >= LEAST;
        sure.push(if found { worth.min(1.0) } else { 0.0 });
        record.push(if found { values } else { Vec::new() });
    }
    Recovered {
        records: vec![record],
        sure,
    }
}

fn single(items: &Items, known: &Known<'_>) -> (f64, Vec<String>) {
    let mut best: (f64, Vec<String>) = (0.0, Vec::new());
    for column in &items.columns {
        let looks: Vec<&Look> = column.iter().map(|item| &items.looks[*item]).collect();
        // One of many that look alike is less likely to be the one.
        let alone = 1.0 / (column.len() as f64).sqrt();
        for look in looks.iter().take(40) {
            let worth = known.fit(&[look], 1.0) * (0.6 + 0.4 * alone);
            if worth > best.0 {
                best = (worth, vec![look.sight.text.clone()]);
            }
        }
    }
    best
}

fn several(items: &Items, known: &Known<'_>) -> (f64, Vec<String>) {
    let mut best: (f64, Vec<String>) = (0.0, Vec::new());
    for column in &items.columns {
        let looks: Vec<&Look> = column.iter().map(|item| &items.looks[*item]).collect();
        let worth = known.fit(&looks, looks.len() as f64);
        if worth > best.0 {
            best = (worth, looks.iter().map(|look| look.sight.text.clone()).collect());
        }
    }
    best
}

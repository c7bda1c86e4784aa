//! Finds the values of a wrapper on pages that it no longer matches.

use crate::assign::assign;
use crate::blocks::{self, Sought};
use crate::columns::{Items, Structure};
use crate::evidence::{Known, tied};
use crate::weights;
use crate::words::{Words, tokens};
use learn::guided::Wanted;
use page::Page;
use std::collections::HashSet;
use wrapper::profile::Profile;
use wrapper::rule::paths::value;

/// What was found on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovered {
    /// For each record, the values of each field.
    pub records: Vec<Vec<Vec<String>>>,
    /// For each field how sure the result is, from 0 to 1; if it is 0, nothing was found.
    pub sure: Vec<f64>,
}

/// A column that fits less well than this is considered to be something else.
const LEAST: f64 = 0.3;
/// A choice that is better than the next one by this much is clear.
const CLEAR: f64 = 0.2;
/// The number of candidates of a field that are weighed against those of other fields.
const CANDIDATES: usize = 12;

/// The texts that all pages contain, if there are several pages: those of the template.
pub(crate) fn common(pages: &[&Page]) -> HashSet<String> {
    let texts = |page: &Page| -> HashSet<String> {
        let texts = page.texts().iter().map(|node| value(page, *node));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let [first, others @ ..] = pages else {
        return HashSet::new();
    };
    if others.is_empty() {
        return HashSet::new();
    }
    let mut common = texts(first);
    for page in others {
        let mine = texts(page);
        common.retain(|text| mine.contains(text));
    }
    common
}

/// Finds the values of a wrapper's fields on a page, using their profiles.
pub fn recover(page: &Page, wanted: &[Wanted], profile: &Profile, listed: bool) -> Recovered {
    recover_beside(page, wanted, profile, listed, &HashSet::new())
}

/// The same; fields whose values vary do not have the texts in `common`.
pub(crate) fn recover_beside(
    page: &Page,
    wanted: &[Wanted],
    profile: &Profile,
    listed: bool,
    common: &HashSet<String>,
) -> Recovered {
    let structure = Structure::new(page);
    let mut items = Items::new(page, &structure);
    let mut known: Vec<Known<'_>> = wanted
        .iter()
        .zip(&profile.fields)
        .map(|(want, field)| Known::new(field, &want.name))
        .collect();
    let mut said = Words::default();
    let mut heard: HashSet<&str> = HashSet::new();
    for look in &items.looks {
        if heard.insert(&look.sight.text) {
            said.add(&look.tokens);
        }
    }
    for known in &known {
        items.cut(known);
    }
    for (field, known) in known.iter_mut().enumerate() {
        let mut elsewhere = said.clone();
        let others = profile.fields.iter().enumerate().filter(|(other, _)| *other != field);
        for text in others.flat_map(|(_, other)| &other.samples) {
            elsewhere.add(&tokens(text));
        }
        known.look_at(&items.looks, &elsewhere);
    }
    match listed {
        true => records(page, &structure, &items, wanted, &known, profile),
        false => one(page, &items, wanted, &known, common),
    }
}

fn records(
    page: &Page,
    structure: &Structure,
    items: &Items,
    wanted: &[Wanted],
    known: &[Known<'_>],
    profile: &Profile,
) -> Recovered {
    let sought = Sought {
        page,
        structure,
        items,
        wanted,
        known,
        profile,
        within: &within(profile),
    };
    let Some(found) = blocks::find(&sought) else {
        return Recovered {
            records: Vec::new(),
            sure: vec![0.0; wanted.len()],
        };
    };
    let each = found.fields.iter().zip(&found.rivals).zip(&found.margins);
    let sure: Vec<f64> = each
        .map(|(((worth, _), rival), margin)| sureness(*worth, *rival) * apart(*margin))
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
        // Rows that have hardly any field of a record are headings and separators. Rows that name the columns are
        // skipped too.
        let named = (0..wanted.len())
            .filter(|field| sure[*field] > 0.0)
            .flat_map(|field| &found.fields[field].1[number])
            .all(|item| page.name(items.nodes[*item]) == "th");
        if named {
            continue;
        }
        let filled = record.iter().filter(|values| !values.is_empty()).count();
        if filled * 2 >= sure.iter().filter(|sure| **sure > 0.0).count().max(1) {
            records.push(record);
        }
    }
    Recovered { records, sure }
}

/// How sure a choice is, from how well it fits and how well the next best one fits.
fn sureness(worth: f64, rival: f64) -> f64 {
    if worth < LEAST {
        return 0.0;
    }
    let clear = ((worth - rival) / CLEAR).clamp(0.0, 1.0);
    (worth.min(1.0) * (0.6 + 0.4 * clear)).min(1.0)
}

/// Two fields whose columns could be exchanged with so little loss are told apart by nothing but their order.
const EXCHANGED: f64 = 0.1;

/// How sure it is that a field was not exchanged with another one, by what that would lose.
fn apart(margin: f64) -> f64 {
    (margin / EXCHANGED).clamp(0.0, 1.0)
}

/// For each pair of fields: are values of the first parts of values of the second?
fn within(profile: &Profile) -> Vec<Vec<bool>> {
    let of = |one: usize, other: usize| {
        let parts = &profile.fields[one].samples;
        let wholes = &profile.fields[other].samples;
        wholes
            .iter()
            .take(50)
            .any(|whole| parts.iter().take(50).any(|part| whole.contains(part.as_str())))
    };
    let count = profile.fields.len();
    (0..count)
        .map(|one| (0..count).map(|other| of(one, other)).collect())
        .collect()
}

/// A set of items that a field could take.
struct Candidate {
    worth: f64,
    items: Vec<usize>,
}

/// For pages with one record: the fields together take the columns that fit them best.
fn one(page: &Page, items: &Items, wanted: &[Wanted], known: &[Known<'_>], common: &HashSet<String>) -> Recovered {
    let groups = items.groups(page);
    let candidates: Vec<Vec<Candidate>> = wanted
        .iter()
        .zip(known)
        .map(|(want, known)| match want.many {
            true => several(items, &groups, known),
            false => single(items, known, common),
        })
        .collect();
    let worths: Vec<Vec<f64>> = candidates
        .iter()
        .map(|candidates| candidates.iter().map(|candidate| candidate.worth).collect())
        .collect();
    let same: Vec<Vec<bool>> = known
        .iter()
        .map(|one| known.iter().map(|other| same(one, other)).collect())
        .collect();
    let mut chosen = assign(&worths, &|a, b| {
        !same[a.0][b.0] && share(page, items, &candidates[a.0][a.1], &candidates[b.0][b.1])
    });
    let tied = tied(known).and_then(|(text, address)| {
        let of = *candidates[text][chosen[text]?].items.first()?;
        let best = candidates[address].first()?.worth * weights::SAME_LINK;
        let same = candidates[address].iter().position(|candidate| {
            let is_one = |item: &usize| items.are_one(page, of, *item);
            candidate.worth >= best && candidate.items.first().is_some_and(is_one)
        })?;
        chosen[address] = Some(same);
        Some(address)
    });
    let mut record = Vec::new();
    let mut sure = Vec::new();
    for (field, number) in chosen.iter().enumerate() {
        let found = number.map(|number| &candidates[field][number]);
        // The best candidate that shares nothing with the chosen one.
        let rival = candidates[field].iter().find(|other| {
            let mut taken = chosen.iter().enumerate();
            !taken.any(|(field, number)| {
                number.is_some_and(|number| share(page, items, other, &candidates[field][number]))
            })
        });
        // Other links have other texts.
        let rival = rival.filter(|_| tied != Some(field)).map_or(0.0, |rival| rival.worth);
        let taken = |field: usize| chosen[field].map(|number| &candidates[field][number].items);
        let fit = |field: usize, of: &Vec<usize>| known[field].fit(&items.looks, of, of.len() as f64);
        let margins = (0..wanted.len()).filter(|other| *other != field).filter_map(|other| {
            let (own, others) = (taken(field)?, taken(other)?);
            let alike = !same[field][other] && wanted[field].many == wanted[other].many;
            alike.then(|| fit(field, own) + fit(other, others) - fit(field, others) - fit(other, own))
        });
        let margin = margins.fold(f64::INFINITY, f64::min);
        sure.push(found.map_or(0.0, |found| sureness(found.worth, rival) * apart(margin)));
        let texts = found.iter().flat_map(|found| &found.items);
        record.push(texts.map(|item| items.looks[*item].sight.text.clone()).collect());
    }
    Recovered {
        records: vec![record],
        sure,
    }
}

/// Did two fields mostly have the same values before? Then they may again: a title, and all places that mention it.
fn same(one: &Known<'_>, other: &Known<'_>) -> bool {
    let (one, other) = (&one.field.samples, &other.field.samples);
    let shared = one.iter().filter(|text| other.contains(text)).count();
    shared > 0 && shared * 2 >= one.len().min(other.len())
}

/// Do two candidates have the same text, or is one a part of the other?
fn share(page: &Page, items: &Items, one: &Candidate, other: &Candidate) -> bool {
    let text = |item: &usize| items.looks[*item].sight.text.as_str();
    if one.items.len() == 1 && other.items.len() == 1 {
        return text(&one.items[0]) == text(&other.items[0]);
    }
    let holds = |a: &usize, b: &usize| {
        let (a, b) = (items.nodes[*a], items.nodes[*b]);
        a <= b && b < page.end(a)
    };
    // Both are in page order.
    let mut at = 0;
    for item in &one.items {
        while at < other.items.len() && page.end(items.nodes[other.items[at]]) <= items.nodes[*item] {
            at += 1;
        }
        let near = other.items[at..].iter().take(2);
        if near.into_iter().any(|other| holds(item, other) || holds(other, item)) {
            return true;
        }
    }
    false
}

/// The best candidates, each text once.
fn best(items: &Items, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.worth >= LEAST);
    candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.items.cmp(&b.items)));
    let mut known: HashSet<Vec<&str>> = HashSet::new();
    candidates.retain(|candidate| {
        let texts = candidate
            .items
            .iter()
            .map(|item| items.looks[*item].sight.text.as_str());
        known.len() < CANDIDATES && known.insert(texts.collect())
    });
    candidates
}

fn single(items: &Items, known: &Known<'_>, common: &HashSet<String>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    // With a single value this is not known; most fields vary.
    let varies = known.field.different > known.field.count / 2;
    for column in &items.columns {
        // One of many items that look alike is less likely to be the right one.
        let alone = 1.0 / (column.len() as f64).sqrt();
        let fresh = |item: &&usize| !varies || !common.contains(&items.looks[**item].sight.text);
        for item in column.iter().take(40).filter(fresh) {
            let items_of = vec![*item];
            let worth = known.fit(&items.looks, &items_of, 1.0) * (0.6 + 0.4 * alone);
            candidates.push(Candidate { worth, items: items_of });
        }
    }
    best(items, candidates)
}

fn several(items: &Items, groups: &[Vec<usize>], known: &Known<'_>) -> Vec<Candidate> {
    let of = |group: &Vec<usize>| Candidate {
        worth: known.fit(&items.looks, group, group.len() as f64),
        items: group.clone(),
    };
    best(items, groups.iter().map(of).collect())
}

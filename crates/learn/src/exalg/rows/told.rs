//! What is known of the texts of a row before it is aligned: labels, kinds of values, and where texts are in pieces.
//!
//! Rows of one list may have the same paths and say different things: "Price: $5" where the next one has "Colour: red". So rows are of one kind only if
//! their texts have the same labels and kinds of value (`wrapper`'s `tells`). A label is a text that comes back in several rows and ends with a colon, or has one
//! after it, or with which texts begin ([`labels`]), or one of few texts that all elements of a make have, each before a value ([`plain_labels`]). Links of which a row has several are told by their words ([`link_words`]).
//!
//! Lines of a text, and parts between signs, are leaves of their own if not all rows have the same number of them ([`cuts`]); otherwise `parts` divides the text,
//! which keeps it as a whole.
//!
//! One pass over the leaves for each. Known failures: labels without a colon or a class or tag of their own; a comma, which is in dates and names, is no sign here.

use super::profile::{Learned, Row};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::template::{Cut, is_link, pieces, telling_kinds};

/// A label is in this many rows at least.
const COME_BACK: usize = 3;
/// The longest label, in bytes.
const LONGEST: usize = 40;
/// The most words of a label that a text begins with.
const WORDS: usize = 4;
/// The most labels; more are values.
const LABELS: usize = 60;
/// The most texts of links that come back; more are values.
const LINKS: usize = 40;
/// Signs that separate pieces, those that separate more first.
const SIGNS: [&str; 8] = ["\n", " | ", " – ", " — ", " - ", " • ", " · ", " / "];
/// The most pieces of a text.
const PIECES: usize = 12;

/// The label with which a text begins.
fn beginning(text: &str) -> Option<&str> {
    let at = text.find(": ").or_else(|| text.find(":\n"))?;
    let label = &text[..=at];
    (label.len() <= LONGEST && label.split_whitespace().count() <= WORDS).then_some(label)
}

/// The labels of rows.
pub(super) fn labels(rows: &[Row]) -> BTreeSet<String> {
    // For each text, the rows that have it, and what is after it.
    let mut seen: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for row in rows {
        let mut own: BTreeSet<&str> = BTreeSet::new();
        for (at, leaf) in row.leaves.iter().enumerate() {
            let next = row.leaves.get(at + 1).map_or("", |next| next.text.as_str());
            let is_label = leaf.text.ends_with(':') || next.starts_with(':');
            let (label, value) = match beginning(&leaf.text) {
                _ if is_label && leaf.text.len() <= LONGEST => (leaf.text.as_str(), next),
                Some(label) => (label, &leaf.text[label.len()..]),
                None => continue,
            };
            let (times, values) = seen.entry(label).or_default();
            *times += usize::from(own.insert(label));
            if values.len() < 2 {
                values.insert(value);
            }
        }
    }
    let wordy =
        |text: &str| text.chars().any(char::is_alphabetic) && telling_kinds(text.trim_end_matches(':')).is_empty();
    seen.retain(|label, (times, values)| *times >= COME_BACK && values.len() > 1 && wordy(label));
    if seen.len() > LABELS {
        return BTreeSet::new();
    }
    let plain = plain_labels(rows);
    seen.into_keys().map(str::to_owned).chain(plain).collect()
}

/// Labels without a colon: the texts of elements with one path and class, or of terms (`dt`), if these are always before another element, each text comes back, once in
/// a row, and every two are together in some row. Of the states of things (`Open`, `Closed`), a row has one.
fn plain_labels(rows: &[Row]) -> BTreeSet<String> {
    let mut makes: BTreeMap<(&str, &str), BTreeMap<&str, BTreeSet<usize>>> = BTreeMap::new();
    let mut others: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (number, row) in rows.iter().enumerate() {
        for (at, leaf) in row.leaves.iter().enumerate() {
            let is_term = leaf.path.ends_with("dt");
            if leaf.class.is_empty() && !is_term {
                continue;
            }
            let make = (leaf.path.as_str(), leaf.class.as_str());
            let next = row.leaves.get(at + 1);
            let leads =
                next.is_some_and(|next| (next.path.as_str(), next.class.as_str()) != make && !next.text.is_empty());
            let is_short = !leaf.text.is_empty() && leaf.text.len() <= LONGEST;
            let texts = makes.entry(make).or_default();
            if !leads || !is_short || texts.len() > LABELS || !texts.entry(&leaf.text).or_default().insert(number) {
                others.insert(make);
            }
        }
    }
    let mut labels = BTreeSet::new();
    for (_, texts) in makes.into_iter().filter(|(make, _)| !others.contains(make)) {
        let wordy = |text: &str| text.chars().any(char::is_alphabetic) && telling_kinds(text).is_empty();
        let comes_back = texts.iter().all(|(text, rows)| rows.len() >= COME_BACK && wordy(text));
        let together =
            |(at, one): (usize, &BTreeSet<usize>)| texts.values().skip(at + 1).all(|other| !one.is_disjoint(other));
        if texts.len() > 1 && comes_back && texts.values().enumerate().all(together) {
            labels.extend(texts.into_keys().map(str::to_owned));
        }
    }
    labels
}

/// The words that tell links: texts of links that come back in several rows, each once in a row, of which every two are together in some row. Titles may come back,
/// too, but a row has one of them.
pub(super) fn link_words(rows: &[Row]) -> BTreeSet<String> {
    let mut on: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut again: BTreeSet<&str> = BTreeSet::new();
    for (at, row) in rows.iter().enumerate() {
        for leaf in row
            .leaves
            .iter()
            .filter(|leaf| is_link(&leaf.path) && !leaf.text.is_empty())
        {
            if !on.entry(&leaf.text).or_default().insert(at) {
                again.insert(&leaf.text);
            }
        }
    }
    on.retain(|text, rows| rows.len() >= COME_BACK && !again.contains(text) && text.len() <= LONGEST);
    if on.len() > LINKS {
        return BTreeSet::new();
    }
    let is_told = |(text, rows): &(&&str, &BTreeSet<usize>)| {
        let mut others = on.iter().filter(|(other, _)| other != text);
        others.all(|(_, others)| !others.is_disjoint(rows))
    };
    let told: BTreeSet<String> = on.iter().filter(is_told).map(|(text, _)| (*text).to_owned()).collect();
    if told.len() < 2 { BTreeSet::new() } else { told }
}

/// Which texts of the rows are cut: those of a path of which at least half have the sign, and not all the same number of pieces.
pub(super) fn cuts(list: &Learned) -> Vec<Cut> {
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for leaf in list
        .good()
        .flat_map(|row| &row.leaves)
        .filter(|leaf| !leaf.text.is_empty())
    {
        texts.entry(&leaf.path).or_default().push(&leaf.text);
    }
    let cut = |(path, texts): (&str, Vec<&str>)| {
        let divides = |sign: &&str| {
            let has = |text: &&&str| text.contains(sign.trim_matches(' ')) && pieces(text, sign) != [**text];
            let counts: Vec<usize> = texts.iter().map(|text| pieces(text, sign).len()).collect();
            let has = texts.iter().filter(has).count();
            let most = counts.iter().max().copied().unwrap_or(0);
            let same = counts.iter().filter(|count| **count == counts[0]).count();
            has * 2 >= texts.len() && (2..=PIECES).contains(&most) && same < counts.len()
        };
        let sign = SIGNS.into_iter().find(divides)?;
        Some(Cut {
            path: path.to_owned(),
            sign: sign.to_owned(),
        })
    };
    texts.into_iter().filter_map(cut).collect()
}

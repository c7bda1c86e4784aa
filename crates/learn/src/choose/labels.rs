//! Labels that lead to one value of a page each.
//!
//! A text that is never twice on a page, and on many pages, is a label if a text follows that is on no more pages: `Author`, `Filed:`. Values of few words, such as
//! *Report*, are on fewer pages than their labels. Labels inside of the records of a list are on a page as often as there are records.
//!
//! Two questions are answered by them. **Are the records of a region no more than labels and their values** ([`are_properties`])? Such a table is about one
//! thing, also if it has two labels in a row, values without a label (the second author), and labels that only some pages have. **Has a template values of the page
//! beside its lists** ([`labelled_outside`])? **Cost**: linear in the pages. Known failure: lists of two columns whose first one is the same on every page.

use super::{rows, texts};
use page::{NodeId, Page};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::rule::Event;

/// A label is on one page of this number, or more, and on three pages at least: on two pages, values are the same by chance.
const ON_PAGES: usize = 4;
const FEWEST_PAGES: usize = 3;
/// Of the texts of a row of labels and values, this number of ten are labels with a value after them. Half would be a label for each value.
const LABELS: usize = 4;
/// Of the rows of such a table, one in this many has labels. The others lack them (a second author), or are those of a table below.
const ROWS: usize = 3;
/// The fewest labels on a page that make a table of them.
const FEWEST: usize = 3;

/// Are the records that a region finds labels with their values, on most pages? Rows of another table may be among them.
pub fn are_properties(pages: &[&Page], regions: &[Vec<Event>]) -> bool {
    let labels = labels(pages);
    let mut tables = 0;
    for (page, events) in pages.iter().zip(regions) {
        let texts: Vec<(NodeId, String)> = texts(page).collect();
        let (mut records, mut labelled, mut all) = (0, 0, 0);
        for (first, last) in rows(events).into_values().flatten() {
            let mut from = texts.partition_point(|(node, _)| *node < first);
            let to = texts.partition_point(|(node, _)| *node <= last);
            // A record that was found by its label begins after it.
            if from > 0 && from < to && leads(&labels, &texts[from - 1].1, &texts[from].1) {
                from -= 1;
            }
            let said = &texts[from..to.max(from)];
            let (mut led, mut at) = (0, 0);
            while let [(_, label), (_, value), ..] = &said[at..] {
                let leads = leads(&labels, label, value);
                led += usize::from(leads);
                at += if leads { 2 } else { 1 };
            }
            records += 1;
            labelled += usize::from(led > 0 && led * 10 >= said.len() * LABELS);
            all += led;
        }
        tables += usize::from(all >= FEWEST && labelled * ROWS >= records);
    }
    tables * 2 > pages.len()
}

/// How many values outside of its lists does a template find after a label, on the page in the middle by their number?
pub fn labelled_outside(pages: &[&Page], template: &[Vec<Event>]) -> usize {
    let labels = labels(pages);
    let mut counts: Vec<usize> = Vec::new();
    for (page, events) in pages.iter().zip(template) {
        let texts: Vec<(NodeId, String)> = texts(page).collect();
        let mut led: BTreeSet<NodeId> = BTreeSet::new();
        let mut depth = 0;
        for event in events {
            match event {
                Event::Open(_) => depth += 1,
                Event::Close => depth -= 1,
                Event::Value { node, text, .. } if depth == 0 => {
                    let at = texts.partition_point(|(own, _)| own < node);
                    let Some((own, whole)) = texts.get(at).filter(|(own, _)| own == node) else {
                        continue;
                    };
                    let before = at.checked_sub(1).map(|before| texts[before].1.as_str());
                    let is_after = before.is_some_and(|before| leads(&labels, before, whole));
                    // `Filed: May 9` is a label and a value in one text.
                    let is_in = whole.split_once(':').is_some_and(|(label, rest)| {
                        label.contains(char::is_alphabetic) && rest.contains(text.as_str())
                    });
                    if is_after || is_in {
                        led.insert(*own);
                    }
                }
                Event::Value { .. } => {}
            }
        }
        counts.push(led.len());
    }
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or(0)
}

/// Is a text a label of the text after it?
fn leads(labels: &HashMap<String, usize>, label: &str, value: &str) -> bool {
    let pages = labels.get(label);
    pages.is_some_and(|pages| labels.get(value).is_none_or(|others| others <= pages))
}

/// The texts that are on many pages, and never twice on one, with the number of their pages.
fn labels(pages: &[&Page]) -> HashMap<String, usize> {
    let mut spread: HashMap<String, usize> = HashMap::new();
    let mut often: HashSet<String> = HashSet::new();
    for page in pages {
        let mut here: HashSet<String> = HashSet::new();
        for (_, text) in texts(page).filter(|(_, text)| text.chars().any(char::is_alphabetic)) {
            if !here.insert(text.clone()) {
                often.insert(text);
            } else {
                *spread.entry(text).or_default() += 1;
            }
        }
    }
    let least = pages.len().div_ceil(ON_PAGES).max(FEWEST_PAGES);
    spread.retain(|text, pages| *pages >= least && !often.contains(text));
    spread
}

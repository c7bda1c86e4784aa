//! Elements whose children are labelled lines, which are no rows.
//!
//! A page about one thing has lines with labels, each of which comes once: `<tr><td>Country:</td><td>Chile</td></tr>`. Elements of the
//! same path may have rows of a list beside them, as the tables of a player's titles or the reviews of a film. If all of them were one group,
//! their rows would be aligned with the lines. So elements are taken out of a group if at least half of their children begin
//! with a label: a text that most pages have, once in its element, and that is no number or date.
//!
//! One look at the first leaf of each child. Known failure: a list whose first column has the same names on every page.

use super::Group;
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::template::{leaves, stretches, telling_kinds};

/// Fewer labels are headings, or a word that comes back by chance.
const LABELS: usize = 3;

/// A group without the elements that have labelled lines.
pub(super) fn without(pages: &[&Page], mut group: Group) -> Group {
    if pages.len() < 2 {
        return group;
    }
    let mut firsts: Vec<Vec<String>> = Vec::with_capacity(group.parents.len());
    for (number, parent) in &group.parents {
        let page = pages[*number];
        let first = |stretch| {
            let found = leaves(page, stretch).into_iter().find(|leaf| !leaf.text.is_empty())?;
            let heading = found.path.split('/').any(|step| step == "th");
            (!heading).then_some(found.text)
        };
        let rows = stretches(page, *parent, &group.row, group.run);
        firsts.push(rows.into_iter().filter_map(first).collect());
    }
    let there: BTreeSet<usize> = group.parents.iter().map(|(page, _)| *page).collect();
    let mut said: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut again: BTreeSet<&str> = BTreeSet::new();
    for ((page, _), texts) in group.parents.iter().zip(&firsts) {
        let mut here = BTreeSet::new();
        for text in texts {
            said.entry(text).or_default().insert(*page);
            if !here.insert(text.as_str()) {
                again.insert(text);
            }
        }
    }
    let wordy = |text: &str| text.chars().any(char::is_alphabetic) && telling_kinds(text).is_empty();
    said.retain(|text, on| on.len() >= 2 && on.len() * 2 > there.len() && !again.contains(text) && wordy(text));
    if said.len() < LABELS {
        return group;
    }
    // For each element, how many of its children have labels, and how many there are.
    let counts: Vec<(usize, usize)> = firsts
        .iter()
        .map(|texts| {
            let labels = texts.iter().filter(|text| said.contains_key(text.as_str())).count();
            (labels, texts.len())
        })
        .collect();
    let some = counts.iter().filter(|(labels, _)| *labels >= 2);
    let most = some.clone().filter(|(labels, all)| labels * 2 >= *all).count();
    // An element with more other text than usual is made as the others are.
    let usual = most * 2 >= some.count();
    let labelled = counts
        .iter()
        .map(|(labels, all)| *labels >= 2 && (usual || labels * 2 >= *all));
    let labelled: Vec<bool> = labelled.collect();
    let mut at = 0;
    group.parents.retain(|_: &(usize, NodeId)| {
        at += 1;
        !labelled[at - 1]
    });
    group
}

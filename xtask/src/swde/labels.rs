//! Do fields have the labels that pages show beside their values?
//!
//! A label is sought with the truth, not with a rule. For the benchmark's own truth: if a text node of a page is a true
//! value, the label is the text before a colon in it; otherwise the text before it, if that ends with a colon or is in
//! a `th`, `dt` or `label`; otherwise the `th` of its column. The expanded truth names its attributes as the pages do;
//! such a name counts if pages show it. A label belongs to an attribute if at least half of the pages with the
//! attribute show it. The field that the scorer found best must have the label in its name; only letters and digits are
//! compared.

use super::sites::{self, Truth};
use page::{Kind, NodeId, Page};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

/// Longer texts are not labels.
const LONGEST: usize = 40;

/// The labels of attributes by site, for both truths.
#[derive(Default)]
pub(super) struct Labels([Vec<(String, String, String)>; 2]);

impl Labels {
    /// Adds the labels of a site.
    pub(super) fn site(&mut self, packs: &Path, site: &str, pages: &[(String, Page)]) -> anyhow::Result<()> {
        for (number, expanded) in [false, true].into_iter().enumerate() {
            let Some(truth) = sites::truth(packs, site, expanded)? else {
                continue;
            };
            for (attribute, label) in labels(&truth, pages, expanded) {
                self.0[number].push((site.to_owned(), attribute, label));
            }
        }
        Ok(())
    }

    /// Compares the labels with the names of the best fields, as the scorer chose them for both truths.
    pub(super) fn print(&self, scores: &[Value]) {
        println!("\n## names\n");
        for ((labels, scores), truth) in self.0.iter().zip(scores).zip(["own", "expanded"]) {
            let mut misses = Vec::new();
            let mut all = 0;
            for (site, attribute, label) in labels {
                let row = &scores["sites"][site]["attributes"][attribute];
                if row.is_null() {
                    continue;
                }
                all += 1;
                let field = row["strict"]["field"].as_str().unwrap_or("");
                let name = field.split_once(' ').map_or("", |(_, name)| name);
                if !fold(name).contains(&fold(label)) {
                    misses.push(format!("{site} {attribute}: label {label:?}, field {name:?}"));
                }
            }
            let right = all - misses.len();
            println!("The {truth} truth: {right} of {all} labels are in the names of fields. Not:\n");
            misses.iter().for_each(|miss| println!("- {miss}"));
            println!();
        }
    }
}

fn fold(text: &str) -> String {
    let plain = text.chars().filter(|c| c.is_alphanumeric());
    plain.flat_map(char::to_lowercase).collect()
}

fn norm(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn labels(truth: &Truth, pages: &[(String, Page)], expanded: bool) -> Vec<(String, String)> {
    let mut votes: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for (name, page) in pages {
        let texts: Vec<(NodeId, String)> = (0..page.len() as u32)
            .map(NodeId)
            .filter(|node| page.kind(*node) == Kind::Text)
            .map(|node| (node, norm(page.string_value(node))))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let shown: HashSet<String> = texts.iter().map(|(_, text)| fold(text)).collect();
        for (attribute, values) in truth {
            let Some(values) = values.get(name).filter(|values| !values.is_empty()) else {
                continue;
            };
            let mut found: BTreeSet<String> = BTreeSet::new();
            if expanded {
                let last = attribute.rsplit('|').next().unwrap_or("").trim();
                let is_name = !last.starts_with('*') && last != "topic_entity_name";
                if is_name && shown.contains(&fold(last)) {
                    found.insert(fold(last));
                }
            } else {
                let values: HashSet<String> = values.iter().map(|value| norm(value)).collect();
                for at in (0..texts.len()).filter(|at| values.contains(&texts[*at].1)) {
                    found.extend(label_of(page, &texts, at));
                }
            }
            let votes = votes.entry(attribute).or_default();
            found
                .into_iter()
                .for_each(|label| *votes.entry(label).or_default() += 1);
        }
    }
    let mut out = Vec::new();
    for (attribute, votes) in votes {
        let pages = truth[attribute].values().filter(|values| !values.is_empty()).count();
        if let Some((label, _)) = votes
            .into_iter()
            .filter(|(_, times)| times * 2 >= pages)
            .max_by_key(|(_, times)| *times)
        {
            out.push((attribute.to_owned(), label));
        }
    }
    out
}

/// The label of the text at a position.
fn label_of(page: &Page, texts: &[(NodeId, String)], at: usize) -> Option<String> {
    let (node, text) = &texts[at];
    let fine = |label: &str| {
        let length = label.chars().count();
        (label.chars().any(char::is_alphabetic) && length <= LONGEST).then(|| label.to_owned())
    };
    if let Some((label, rest)) = text.split_once(':')
        && !rest.trim().is_empty()
        && !rest.starts_with("//")
        && label.starts_with(char::is_alphabetic)
        && let Some(label) = fine(label.trim())
    {
        return Some(label);
    }
    if let Some((before, said)) = at.checked_sub(1).map(|at| &texts[at]) {
        let marked = page
            .parent(*before)
            .into_iter()
            .flat_map(|parent| [Some(parent), page.parent(parent)]);
        let marked = marked
            .flatten()
            .any(|node| ["th", "dt", "label"].contains(&page.name(node)));
        if (said.ends_with(':') || marked && row_of(page, *before) == row_of(page, *node))
            && let Some(label) = fine(said.trim_end_matches(':').trim())
        {
            return Some(label);
        }
    }
    over(page, *node).and_then(|heading| fine(heading.trim_end_matches(':').trim()))
}

fn row_of(page: &Page, node: NodeId) -> Option<NodeId> {
    let mut at = page.parent(node)?;
    while page.name(at) != "tr" {
        at = page.parent(at)?;
    }
    Some(at)
}

/// The text of the `th` above a cell's column, in a row of its table in which all cells are `th`.
fn over(page: &Page, node: NodeId) -> Option<String> {
    let row = row_of(page, node)?;
    let is_cell = |cell: &NodeId| ["td", "th"].contains(&page.name(*cell));
    let column = page
        .children(row)
        .filter(is_cell)
        .position(|cell| cell < node && node < page.end(cell))?;
    let mut table = page.parent(row)?;
    while page.name(table) != "table" {
        table = page.parent(table)?;
    }
    let rows = (table.0..row.0).map(NodeId).filter(|other| page.name(*other) == "tr");
    let mut headings = rows.filter(|other| {
        let mut cells = page.children(*other).filter(is_cell).peekable();
        cells.peek().is_some() && cells.all(|cell| page.name(cell) == "th")
    });
    let heading = page.children(headings.next()?).filter(is_cell).nth(column)?;
    let said: Vec<String> = (heading.0..page.end(heading).0)
        .map(NodeId)
        .filter(|node| page.kind(*node) == Kind::Text)
        .map(|node| norm(page.string_value(node)))
        .collect();
    Some(norm(&said.join(" "))).filter(|said| !said.is_empty())
}

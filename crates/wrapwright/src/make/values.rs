//! The values of all fields of a wrapper on pages, with their places: what choosing among fields looks at.

use crate::record::Record;
use crate::{Document, Page, Wrapper};
use page::NodeId;
use page::structured::{Source, Structured};
use page::titles::{Titles, plain};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::Rule;
use wrapper::rule::landmark;

/// A field and its values on some pages.
pub(super) struct FieldValues {
    /// Its name, with those of the records around it.
    pub(super) name: String,
    /// The first value of each page that has one: the number of the page, the text, and the node.
    pub(super) firsts: Vec<(usize, String, NodeId)>,
    /// The number of values on all pages.
    pub(super) count: usize,
    /// How many of them end with a colon.
    pub(super) labels: usize,
    /// The number of different texts among the first values.
    pub(super) different: usize,
    /// The mean share to which the first values are what the page calls itself, over all pages.
    pub(super) titled: f64,
    /// Paths of structured data that have the same value on most pages.
    pub(super) keys: Vec<String>,
    /// How many values the wrapper knows, and how many different ones: more than the first ones of each page.
    pub(super) known: (u64, u64),
    /// Is it a second form of other fields?
    pub(super) is_twin: bool,
    /// Are most of the first values in the head of their pages?
    pub(super) is_in_head: bool,
    /// Does it come from structured data, so that the place of its values says nothing?
    pub(super) is_data: bool,
}

impl FieldValues {
    /// The share of the first values that a test holds for.
    pub(super) fn share(&self, holds: impl Fn(&str) -> bool) -> f64 {
        let count = self.firsts.iter().filter(|(_, text, _)| holds(text)).count();
        count as f64 / self.firsts.len().max(1) as f64
    }

    /// Are the values labels of what is after them, such as `Director:` and `Directors:`?
    pub(super) fn is_label(&self) -> bool {
        // What is different in most records is a value, however it ends.
        let varies = self.known.0 >= 4 && self.known.1 * 2 > self.known.0;
        self.count > 0 && self.labels as f64 >= 0.8 * self.count as f64 && !varies
    }

    /// Is the text the same on all pages, of which there are enough to tell?
    pub(super) fn is_constant(&self) -> bool {
        self.different == 1 && self.firsts.len() > 2
    }
}

/// The values of all fields, also of those that are not shown, in the order of the record type.
pub(super) fn values(wrapper: &Wrapper, documents: &[Document]) -> Vec<FieldValues> {
    let all = Wrapper {
        shown: None,
        ..wrapper.clone()
    };
    let Ok(runner) = all.runner() else { return Vec::new() };
    let mut found: Vec<HashMap<String, Vec<(String, NodeId)>>> = Vec::new();
    for document in documents {
        let mut here = HashMap::new();
        for record in runner.run(document, false).records {
            gather(&record, "", &mut here);
        }
        found.push(here);
    }
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    let data: Vec<Structured> = pages.iter().map(|page| Structured::of(page)).collect();
    let titles = Titles::with(&pages, &data);
    let keys: Vec<HashMap<String, Vec<&str>>> = data.iter().map(keys_of).collect();
    let twins = match &wrapper.rule {
        Rule::Landmarks(rule) => landmark::second_forms(rule),
        _ => BTreeSet::new(),
    };
    let field = |listed: crate::fields::Listed| {
        let mut firsts: Vec<(usize, String, NodeId)> = Vec::new();
        let (mut count, mut labels) = (0, 0);
        for (number, here) in found.iter().enumerate() {
            let of = here.get(&listed.name).map(Vec::as_slice).unwrap_or_default();
            count += of.len();
            labels += of.iter().filter(|(text, _)| text.trim_end().ends_with(':')).count();
            // Where a page says it several times, what readers see counts.
            let is_seen = |(_, node): &&(String, NodeId)| !is_in_head(pages[number], *node);
            let first = of.iter().find(is_seen).or(of.first());
            firsts.extend(first.map(|(text, node)| (number, tidy(text), *node)));
        }
        let titled: f64 = firsts.iter().map(|(number, text, _)| titles[*number].share(text)).sum();
        let mut different: Vec<&str> = firsts.iter().map(|(_, text, _)| text.as_str()).collect();
        different.sort_unstable();
        different.dedup();
        let heads = firsts.iter().filter(|(page, _, node)| is_in_head(pages[*page], *node));
        FieldValues {
            is_in_head: heads.count() * 2 > firsts.len(),
            different: different.len(),
            titled: titled / documents.len().max(1) as f64,
            keys: equal_keys(&firsts, &keys),
            is_data: listed.from.is_some(),
            is_twin: twins.contains(&listed.name),
            known: listed.values,
            name: listed.name,
            firsts,
            count,
            labels,
        }
    };
    crate::fields::list(&all).into_iter().map(field).collect()
}

fn is_in_head(page: &Page, node: NodeId) -> bool {
    page.ancestors(node).any(|up| page.name(up) == "head")
}

/// Adds the values of a record by their paths.
fn gather(record: &Record, path: &str, into: &mut HashMap<String, Vec<(String, NodeId)>>) {
    // Records nest as deep as their type, which is bounded where it is read.
    for child in &record.children {
        let path = match path.is_empty() {
            true => child.name.clone(),
            false => format!("{path}.{}", child.name),
        };
        match &child.value {
            Some(text) if child.children.is_empty() => {
                into.entry(path).or_default().push((text.clone(), child.node));
            }
            _ => gather(child, &path, into),
        }
    }
}

/// The paths of the facts of a page, by their values.
fn keys_of(data: &Structured) -> HashMap<String, Vec<&str>> {
    const CROWD: usize = 10;
    const LONGEST: usize = 500;
    let mut keys: HashMap<String, Vec<&str>> = HashMap::new();
    for fact in &data.facts {
        // The state of a script says anything.
        if fact.source != Source::State && fact.value.len() <= LONGEST {
            let of = keys.entry(plain(&fact.value)).or_default();
            if of.len() < CROWD && !of.contains(&fact.path.as_str()) {
                of.push(&fact.path);
            }
        }
    }
    keys
}

fn equal_keys(firsts: &[(usize, String, NodeId)], keys: &[HashMap<String, Vec<&str>>]) -> Vec<String> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, text, _) in firsts {
        for path in keys[*number].get(&plain(text)).into_iter().flatten() {
            *votes.entry(path).or_default() += 1;
        }
    }
    let most = votes
        .into_iter()
        .filter(|(_, times)| *times > 1 && times * 2 > firsts.len());
    most.map(|(path, _)| path.to_owned()).collect()
}

/// A text with single spaces.
pub(super) fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

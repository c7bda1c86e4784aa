//! Numbers that the words after them tell apart: `<li><b>3</b> beds</li><li><b>2</b> baths</li>`.
//!
//! Their places do not tell them where a record lacks one. If each of several elements is a number with one short text after it, its *unit*, a record has no unit twice, and no unit is in one record alone,
//! then elements with one unit are a column, called by it. One bed and two beds have the same unit. Linear in the elements.

use super::{Cells, Key, Maker, Written};
use crate::guided::literal;
use page::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::paths::value;

/// The longest unit, in characters, and the most units of one path.
const LONGEST: usize = 20;
const UNITS: usize = 12;

/// What is the same in the unit of one thing and of several.
fn singular(unit: &str) -> String {
    unit.strip_suffix('s').unwrap_or(unit).to_lowercase()
}

impl Maker<'_, '_> {
    /// Makes a column for each unit of numbers that a record has several of.
    pub(super) fn tell_by_unit(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            let is_plain = key.attribute.is_none() && key.sign.is_none() && key.told.is_none() && key.role.is_none();
            if !is_plain || key.steps.is_empty() || self.cells[at].nodes.iter().all(|nodes| nodes.len() < 2) {
                continue;
            }
            let Some(units) = self.units(at) else { continue };
            let key = key.clone();
            let old = std::mem::replace(&mut self.cells[at].nodes, vec![Vec::new(); self.count]);
            for (unit, said) in units {
                // The unit may be in an element of its own.
                let after = "following-sibling::node()[normalize-space()][1]";
                let tests: Vec<String> = said
                    .iter()
                    .map(|text| format!("normalize-space({after})={}", literal(text)))
                    .collect();
                let written = Written {
                    paths: vec![self.path(&key, &format!("[{}]", tests.join(" or ")))],
                    label: None,
                    name: said.iter().next_back().cloned(),
                };
                let own = |nodes: &Vec<NodeId>| -> Vec<NodeId> {
                    let is_own = |node: &&NodeId| self.unit(**node).is_some_and(|own| singular(&own) == unit);
                    nodes.iter().filter(is_own).copied().collect()
                };
                let nodes = old.iter().map(own).collect();
                self.keys.push(Key {
                    written: Some(written),
                    ..key.clone()
                });
                self.cells.push(Cells { nodes });
            }
        }
    }

    /// The units of the elements of a column, with the words for each, if they tell the elements apart.
    fn units(&self, at: usize) -> Option<Vec<(String, BTreeSet<String>)>> {
        let mut order: Vec<String> = Vec::new();
        let mut words: BTreeMap<String, (BTreeSet<String>, usize)> = BTreeMap::new();
        for nodes in &self.cells[at].nodes {
            let mut known = BTreeSet::new();
            for node in nodes {
                let said = self.unit(*node)?;
                let unit = singular(&said);
                if !known.insert(unit.clone()) {
                    return None;
                }
                if !order.contains(&unit) {
                    order.push(unit.clone());
                }
                let (texts, times) = words.entry(unit).or_default();
                texts.insert(said);
                *times += 1;
            }
        }
        let tells = (2..=UNITS).contains(&order.len()) && words.values().all(|(_, times)| *times >= 2);
        let units = order.into_iter().filter_map(|unit| {
            let (texts, _) = words.remove(&unit)?;
            Some((unit, texts))
        });
        tells.then(|| units.collect())
    }

    /// The text right after a number, if there is nothing else around both.
    fn unit(&self, node: NodeId) -> Option<String> {
        let number = value(self.page, node);
        let whole = value(self.page, self.page.parent(node)?);
        let unit = whole.strip_prefix(number.as_str())?.trim();
        let is_number = number.contains(char::is_numeric) && !number.contains(char::is_alphabetic);
        let is_unit = !unit.is_empty()
            && unit.chars().count() <= LONGEST
            && unit.chars().all(|c| c.is_alphabetic() || " .²³".contains(c));
        (is_number && is_unit).then(|| unit.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn numbers_are_told_by_the_words_after_them() {
        for [open, close] in [["", ""], ["<span>", "</span>"]] {
            let fact = |number: usize, unit: &str| format!("<li><b>{number}</b> {open}{unit}{close}</li>");
            let home = |at: usize| {
                let rooms = [fact(at % 4 + 2, "rooms"), String::new()][usize::from(at.is_multiple_of(3))].clone();
                let cabins =
                    [fact(at % 2 + 1, ["cabin", "cabins"][at % 2]), String::new()][usize::from(at == 4)].clone();
                let name = ["Kelp", "Moss", "Fern", "Reed", "Oak", "Elm", "Ash", "Ivy"][at];
                format!(
                    "<div><a href=/{at}>{name} House</a><ul>{rooms}{cabins}{}</ul></div>",
                    fact(900 + at, "feet")
                )
            };
            let homes: String = (0..8).map(home).collect();
            let page = Page::parse_str(&format!("<h1>Boats</h1><main>{homes}</main>"), &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            let records = PathsRun::new(&best.rule).unwrap().page(&page);
            let said = |at: usize, name: &str| {
                let field = best
                    .names
                    .iter()
                    .position(|own| own == name)
                    .unwrap_or_else(|| panic!("{:?}", best.names));
                let found = records[at].values.iter().find(|value| value.field == field);
                found.map(|value| value.text.clone())
            };
            for at in 0..8 {
                assert_eq!(
                    said(at, "rooms"),
                    (at % 3 != 0).then(|| (at % 4 + 2).to_string()),
                    "{:?}",
                    best.rule
                );
                assert_eq!(
                    said(at, "cabins"),
                    (at != 4).then(|| (at % 2 + 1).to_string()),
                    "{:?}",
                    best.rule
                );
                assert_eq!(said(at, "feet"), Some((900 + at).to_string()), "{:?}", best.rule);
            }
        }
    }
}

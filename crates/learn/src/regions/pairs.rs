//! Labels and values in elements of their own, side by side: `<p><span>Cost</span><span>$25</span></p>`, once for each label of a record.
//!
//! **In**: the nodes of a column that comes several times in a record. **Out**: a field for each label that enough records have, or
//! nothing if the column is something else.
//!
//! The parents of nearly all nodes must have two texts each, of which the first is a label: the same words in several records, once in
//! each. Some record must have two labels: where each has one pair, its first text is a value, such as the month above a day. A value is found by the words of its label, so that a record that lacks one does not move the others.
//!
//! Linear in the nodes.

use super::sight::Sight;
use crate::guided::literal;
use crate::naming::{LONGEST, label_name};
use page::NodeId;
use std::collections::BTreeMap;
use wrapper::rule::paths::value;

/// A label is one if this share of the records have it.
const OFTEN: f64 = 0.3;
/// The share of the parents that must be pairs with such a label.
const NEARLY_ALL: f64 = 0.9;
/// The fewest labels, and the most.
const FEWEST: usize = 2;
const LABELS: usize = 20;

/// A field of pairs.
pub(super) struct Pair {
    pub(super) label: String,
    /// The step to the element around the pair, as a predicate, and from there to the value.
    pub(super) test: String,
    pub(super) step: String,
    pub(super) nodes: Vec<NodeId>,
}

/// The pairs of a column; `nodes` are those of each record.
pub(super) fn pairs(sight: &Sight<'_>, nodes: &[Vec<NodeId>]) -> Vec<Pair> {
    let page = sight.page;
    let mut labels: BTreeMap<(String, String, String), (usize, Vec<NodeId>)> = BTreeMap::new();
    let (mut parents, mut pairs, mut order) = (0, 0, Vec::new());
    let mut has_several = false;
    for nodes in nodes {
        let mut above: Vec<NodeId> = nodes.iter().filter_map(|node| page.parent(*node)).collect();
        above.dedup();
        let mut known: Vec<String> = Vec::new();
        for parent in above {
            parents += 1;
            let elements: Vec<NodeId> = page.children(parent).filter(|child| page.is_element(*child)).collect();
            let full: Vec<NodeId> = elements
                .iter()
                .copied()
                .filter(|child| !sight.range(*child).is_empty())
                .collect();
            let [name, said] = full[..] else { continue };
            let label = value(page, name);
            let fits = sight.range(parent).len() == sight.range(name).len() + sight.range(said).len()
                && sight.range(name).len() == 1
                && sight.leaves[sight.range(name)].iter().all(|leaf| leaf.link().is_none())
                && label.chars().count() <= LONGEST
                && label_name(&label).is_some()
                && !known.contains(&label);
            if !fits {
                continue;
            }
            known.push(label.clone());
            let place = |node: NodeId| {
                let alike = elements
                    .iter()
                    .filter(|other| **other <= node && page.name(**other) == page.name(node));
                format!("{}[{}]", page.name(node), alike.count())
            };
            let key = (label, place(name), place(said));
            let entry = labels.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                (0, Vec::new())
            });
            entry.0 += 1;
            entry.1.push(said);
        }
        has_several |= known.len() > 1;
    }
    if !has_several {
        return Vec::new();
    }
    let often = |times: usize| times >= 2 && times as f64 >= OFTEN * nodes.len() as f64;
    let mut made = Vec::new();
    for key in order {
        let Some((times, nodes)) = labels.remove(&key).filter(|(times, _)| often(*times)) else {
            continue;
        };
        pairs += times;
        let (label, name, step) = key;
        made.push(Pair {
            test: format!("[{name}[normalize-space(.)={}]]", literal(&label)),
            label,
            step,
            nodes,
        });
    }
    let whole = (FEWEST..=LABELS).contains(&made.len()) && pairs as f64 >= NEARLY_ALL * f64::from(parents);
    if whole { made } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};

    #[test]
    fn the_month_above_a_day_is_a_value() {
        let months = ["Jan", "Feb", "Mar"];
        let row = |at: usize| {
            let (month, day) = (months[at / 4], at * 5 % 28 + 1);
            format!(
                "<li><div class=on><div>{month}</div><div>{day}</div></div><h3><a href=/e{at}>The event number {at}</a></h3></li>"
            )
        };
        let rows: String = (0..12).map(row).collect();
        let page = Page::parse_str(&format!("<ul>{rows}</ul>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        assert!(
            !best
                .names
                .iter()
                .any(|name| ["jan", "feb", "mar"].contains(&name.as_str())),
            "{:?}",
            best.names
        );
        let run = wrapper::rule::paths::PathsRun::new(&best.rule).unwrap();
        let said = format!("{:?}", run.page(&page)[5]);
        assert!(said.contains("\"Feb\"") && said.contains("\"26\""), "{said}");
    }

    #[test]
    fn a_row_of_label_and_value_has_no_field_for_each_label() {
        let row = |label: &str, value: usize| format!("<tr><th>{label}</th><td>{value}0 kg</td></tr>");
        let rows: String = (1..5)
            .map(|at| row("Weight", at) + &row("Load", at + 4) + &row("Sum", at + 8))
            .collect();
        let page = Page::parse_str(&format!("<table>{rows}</table>"), &Default::default()).unwrap();
        for list in crate::regions::find(&page, &Job::new()) {
            let paths: Vec<&str> = list
                .rule
                .fields
                .iter()
                .map(|field| field.ways[0].path.as_str())
                .collect();
            let mut different = paths.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), paths.len(), "{paths:?}");
        }
    }
}

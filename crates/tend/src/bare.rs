//! Where the records of a list were, by the paths of the old rule without the names that a redesign changes first.
//!
//! New names of classes and ids are the most common change of all, and often the only one. The old paths without them still lead to the
//! records, though to other elements, too: `//div[@class="hits"]/p[@class="hit"]` becomes `//div/p`, and the path from the root stays nearly as it
//! was. So what they lead to is tried as a set of records beside all others (`blocks`), and is preferred if it fits as well.
//!
//! Linear in the page for each of a few paths.

use oxpath::{Query, Value};
use page::{NodeId, Page};
use wrapper::Rule;

/// The most elements of a set.
const LARGEST: usize = 10_000;

/// The elements that the bare paths of a rule lead to, a set for each path.
pub(crate) fn records(rule: &Rule, page: &Page) -> Vec<Vec<NodeId>> {
    let Rule::Paths(rule) = rule else {
        return Vec::new();
    };
    let mut sets: Vec<Vec<NodeId>> = Vec::new();
    for path in rule.each.iter().map(|path| bare(path)) {
        let Ok(Ok(Value::Nodes(mut nodes))) = Query::compile(&path).map(|query| query.evaluate(page)) else {
            continue;
        };
        nodes.retain(|node| page.is_element(*node));
        // An element and one inside it are not two records.
        let mut end = NodeId::DOCUMENT;
        nodes.retain(|node| {
            let is_outside = *node >= end;
            end = if is_outside { page.end(*node) } else { end };
            is_outside
        });
        if nodes.len() > 1 && nodes.len() <= LARGEST && !sets.contains(&nodes) {
            sets.push(nodes);
        }
    }
    sets
}

/// A path without the tests of classes and ids.
fn bare(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    // For each open bracket, where it is in what is written.
    let mut open: Vec<usize> = Vec::new();
    let mut quote: Option<char> = None;
    for c in path.chars() {
        out.push(c);
        match (quote, c) {
            (Some(end), c) if end == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => open.push(out.len() - 1),
            (None, ']') => {
                let start = open.pop().unwrap_or(0);
                if out[start..].contains("@class") || out[start..].contains("@id") || &out[start..] == "[]" {
                    out.truncate(start);
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_names_are_left_out() {
        let cases = [
            ("//div[@class=\"hits\"]/p[@id='a]b'][2]", "//div/p[2]"),
            (
                "/html/body/table[4]/tr[.//td[@class=\"small\"]/a/b]",
                "/html/body/table[4]/tr[.//td/a/b]",
            ),
            ("//p[contains(concat(' ', @class, ' '), ' x ')][a]", "//p[a]"),
            ("//tr[td[2]]", "//tr[td[2]]"),
        ];
        for (path, expected) in cases {
            assert_eq!(bare(path), expected);
        }
    }
}

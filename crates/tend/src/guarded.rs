//! Paths by position that find nothing where a neighbour is missing.
//!
//! *Idea.* After a redesign without labels a field is often known as the second paragraph of its record. Where a record lacks the first one, that path would give the value of
//! the next field. If every record that the new rule was made from has the same number of such elements, the number becomes a part of the path: `p[2]` becomes
//! `p[2][count(../p)=3]`. A record with another number has no value of this field then, which is better than a wrong one.
//!
//! *Input*: a rule and the pages that it was made from. *Output*: a rule that gives the same on them. *Cost*: two runs of the rule on each page.
//!
//! *Known failures*: a record that has gained an element loses the values of all fields that are known by position alone.

use page::{Document, NodeId, Page};
use wrapper::rule::paths::{PathRecord, Paths, PathsRun};

/// Records that must have the same number of elements. Fewer may have it by chance.
const RECORDS: usize = 8;

/// A rule whose positions in lists hold only among as many neighbours as there are now.
pub(crate) fn guarded(rule: &Paths, documents: &[&Document]) -> Paths {
    let records = |rule: &Paths| -> Option<Vec<Vec<PathRecord>>> {
        let run = PathsRun::new(rule).ok()?;
        Some(documents.iter().map(|document| run.page(&document.page)).collect())
    };
    let mut new = rule.clone();
    let Some(found) = records(rule).filter(|_| !rule.each.is_empty()) else {
        return new;
    };
    // Each record must have a value.
    let least = found.iter().map(Vec::len).sum::<usize>().max(RECORDS);
    for (number, field) in new.fields.iter_mut().enumerate() {
        let [way] = &mut field.ways[..] else { continue };
        let Some(name) = positioned(&way.path).filter(|_| !field.many) else {
            continue;
        };
        let counts = documents.iter().zip(&found).flat_map(|(document, records)| {
            let values = records.iter().flat_map(|record| &record.values);
            let own = values.filter(move |value| value.field == number);
            own.map(|value| named(&document.page, value.node, name))
        });
        let counts: Vec<usize> = counts.collect();
        let count = counts.first().copied().unwrap_or(0);
        if counts.len() >= least && count > 1 && counts.iter().all(|other| *other == count) {
            way.path = format!("{}[count(../{name})={count}]", way.path);
        }
    }
    if records(&new).is_some_and(|now| now == found) {
        new
    } else {
        rule.clone()
    }
}

/// The name of the elements of which a path takes the one at a position, if that is all that its last step says.
fn positioned(path: &str) -> Option<&str> {
    let step = path.rsplit('/').next()?;
    let (name, position) = step.strip_suffix(']')?.split_once('[')?;
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && position.parse::<u32>().is_ok()).then_some(name)
}

/// How many children of the parent of an element have this name, if it has it itself; else 0.
fn named(page: &Page, node: NodeId, name: &str) -> usize {
    let has_name = |node: &NodeId| page.is_element(*node) && page.name(*node) == name;
    let parent = page.parent(node).filter(|_| has_name(&node));
    parent.map_or(0, |parent| page.children(parent).filter(has_name).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Limits;
    use wrapper::rule::paths::{PathField, Way};

    fn document(rows: &[&str]) -> Document {
        let rows: String = rows.iter().map(|row| format!("<li>{row}</li>")).collect();
        Document::new(
            "page",
            Page::parse_str(&format!("<ul>{rows}</ul>"), &Limits::default()).expect("a page"),
        )
    }

    fn rule() -> Paths {
        let field = |path: &str| PathField {
            many: false,
            ways: vec![Way {
                path: path.to_owned(),
                ..Way::default()
            }],
        };
        Paths {
            each: vec!["//li".to_owned()],
            fields: ["b", "p[1]", "p[2]"].map(field).into(),
            inner: Vec::new(),
        }
    }

    fn paths(rule: &Paths) -> Vec<&str> {
        rule.fields.iter().map(|field| field.ways[0].path.as_str()).collect()
    }

    #[test]
    fn a_position_counts_its_neighbours() {
        let whole = document(&["<b>Elm</b><p>12 m</p><p>Kew</p>"; RECORDS]);
        let new = guarded(&rule(), &[&whole]);
        assert_eq!(paths(&new), ["b", "p[1][count(../p)=2]", "p[2][count(../p)=2]"]);
        let lacking = document(&["<b>Oak</b><p>York</p>"]);
        let given = |rule: &Paths| PathsRun::new(rule).expect("a rule").page(&lacking.page)[0].values.len();
        assert_eq!(
            (given(&rule()), given(&new)),
            (2, 1),
            "York is not the height of an oak"
        );
    }

    #[test]
    fn a_position_among_any_number_stays() {
        let mut rows = vec!["<b>Elm</b><p>12 m</p><p>Kew</p>"; RECORDS];
        rows.push("<b>Fir</b><p>30 m</p>");
        assert_eq!(guarded(&rule(), &[&document(&rows)]), rule());
        assert_eq!(guarded(&rule(), &[&document(&rows[..RECORDS - 1])]), rule());
    }
}

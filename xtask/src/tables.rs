//! Compares the tables of an extraction with known rows, strictly.
//!
//! A page's record is a tree. Every kind of record in it (by the path of names) is a candidate table, and so is every
//! field with several values. A row of a table has its own fields, those of the records inside it, and those of the
//! records around it, because the value of a heading belongs to all rows below it. The candidate with the most right
//! attributes counts.
//!
//! An attribute is *correct* if one field has, on every page and row by row, exactly its values: as many rows, in the
//! same order, and nothing where the truth has nothing. Rows in which none of the fields that stand for an attribute has
//! a value are not counted as rows. It is *partially correct* if some field has, for each value, its own text that
//! contains it, in the same order; a text stands for one value only, and not for one if it is most of the page. Everything
//! else is incorrect. Values are compared without white space; several values of one field in one row are one text.

use crate::exalg::{Verdict, plain};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A record, or a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
    pub(crate) children: Vec<Tree>,
}

/// Field and text.
pub(crate) type Row = BTreeMap<String, String>;

/// What is known about a page.
pub(crate) struct Known {
    /// The rows, with a value for each attribute.
    pub(crate) rows: Vec<Vec<Option<String>>>,
    /// The length of the page's text without white space.
    pub(crate) length: usize,
}

impl Tree {
    /// A line that the program wrote.
    pub(crate) fn of_json(name: &str, value: &Value) -> Vec<Tree> {
        match value {
            Value::Object(fields) => {
                let fields = fields.iter().filter(|(name, _)| !name.starts_with('_'));
                vec![Tree {
                    name: name.to_owned(),
                    value: None,
                    children: fields.flat_map(|(name, value)| Tree::of_json(name, value)).collect(),
                }]
            }
            Value::Array(items) => items.iter().flat_map(|item| Tree::of_json(name, item)).collect(),
            Value::Null => Vec::new(),
            Value::String(text) => vec![Tree::leaf(name, text)],
            other => vec![Tree::leaf(name, &other.to_string())],
        }
    }

    /// A record of a run.
    pub(crate) fn of_record(record: &record::Record) -> Tree {
        Tree {
            name: record.name.clone(),
            value: record.value.clone(),
            children: record.children.iter().map(Tree::of_record).collect(),
        }
    }

    fn leaf(name: &str, text: &str) -> Tree {
        Tree {
            name: name.to_owned(),
            value: Some(text.to_owned()),
            children: Vec::new(),
        }
    }

    /// The rows of each candidate table.
    pub(crate) fn tables(&self) -> BTreeMap<String, Vec<Row>> {
        let mut out = BTreeMap::new();
        self.visit("", &Row::new(), &mut out);
        out
    }

    fn visit(&self, path: &str, around: &Row, out: &mut BTreeMap<String, Vec<Row>>) {
        let mut own = Row::new();
        for leaf in self.children.iter().filter(|child| child.value.is_some()) {
            let text = plain(leaf.value.as_deref().unwrap_or_default());
            *own.entry(leaf.name.clone()).or_default() += &text;
            let single = Row::from([(leaf.name.clone(), text)]);
            out.entry(format!("{path}/{}[]", leaf.name)).or_default().push(single);
        }
        let mut row = own.clone();
        row.extend(around.iter().map(|(name, text)| (name.clone(), text.clone())));
        for child in self.children.iter().filter(|child| child.value.is_none()) {
            child.inner(&child.name, &mut row);
        }
        out.entry(path.to_owned()).or_default().push(row);
        let mut around = around.clone();
        around.extend(own.into_iter().map(|(name, text)| (format!("^{path}/{name}"), text)));
        for child in self.children.iter().filter(|child| child.value.is_none()) {
            child.visit(&format!("{path}/{}", child.name), &around, out);
        }
    }

    fn inner(&self, path: &str, row: &mut Row) {
        for child in &self.children {
            let path = format!("{path}/{}", child.name);
            match &child.value {
                Some(text) => *row.entry(path).or_default() += &plain(text),
                None => child.inner(&path, row),
            }
        }
    }
}

/// How well each attribute was found by the best table; `found` has the candidates of each page.
pub(crate) fn score(attributes: usize, known: &[Known], found: &[BTreeMap<String, Vec<Row>>]) -> Vec<Verdict> {
    let names: BTreeSet<&String> = found.iter().flat_map(BTreeMap::keys).collect();
    let none = Vec::new();
    let scored = names.into_iter().map(|name| {
        let pages: Vec<&Vec<Row>> = found.iter().map(|page| page.get(name).unwrap_or(&none)).collect();
        score_table(attributes, known, &pages)
    });
    let best = scored.max_by_key(|verdicts| {
        let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        (count(Verdict::Correct), count(Verdict::Partial))
    });
    // Nothing is right where there is nothing.
    let nothing = match known.iter().all(|page| page.rows.is_empty()) {
        true => Verdict::Correct,
        false => Verdict::Incorrect,
    };
    best.unwrap_or_else(|| vec![nothing; attributes])
}

/// The text of a field in each row.
fn column<'r>(rows: &'r [&Row], field: &str) -> Vec<Option<&'r str>> {
    let text = |row: &&'r Row| row.get(field).map(String::as_str).filter(|text| !text.is_empty());
    rows.iter().map(text).collect()
}

fn score_table(attributes: usize, known: &[Known], pages: &[&Vec<Row>]) -> Vec<Verdict> {
    let fields: BTreeSet<&String> = pages.iter().flat_map(|rows| rows.iter().flat_map(Row::keys)).collect();
    let all: Vec<Vec<&Row>> = pages.iter().map(|rows| rows.iter().collect()).collect();
    let wanted = |page: &Known, attribute: usize| -> Vec<Option<String>> {
        page.rows.iter().map(|row| row[attribute].clone()).collect()
    };
    // For each attribute the field that agrees with it on most pages, if only the values are looked at.
    let mut stand: Vec<Option<&String>> = Vec::new();
    for attribute in 0..attributes {
        let agrees = |field: &&&String| {
            let same = |(page, rows): (&Known, &Vec<&Row>)| {
                let wanted = wanted(page, attribute);
                let values = wanted.iter().flatten().map(String::as_str);
                values.eq(column(rows, field).into_iter().flatten())
            };
            known.iter().zip(&all).filter(|pair| same((pair.0, pair.1))).count()
        };
        // Among equals the field of the row itself, not of what is around it.
        stand.push(
            fields
                .iter()
                .max_by_key(|field| (agrees(field), !field.starts_with('^')))
                .copied(),
        );
    }
    let counted: Vec<Vec<&Row>> = all
        .iter()
        .map(|rows| {
            let own = |row: &&&Row| {
                stand
                    .iter()
                    .flatten()
                    .any(|field| !field.starts_with('^') && row.get(*field).is_some_and(|text| !text.is_empty()))
            };
            rows.iter().filter(own).copied().collect()
        })
        .collect();
    (0..attributes)
        .map(|attribute| {
            let exact = |field: &&String| {
                known.iter().zip(&counted).all(|(page, rows)| {
                    let wanted = wanted(page, attribute);
                    let wanted: Vec<Option<&str>> = wanted.iter().map(Option::as_deref).collect();
                    column(rows, field) == wanted
                })
            };
            let partial = |field: &&&String| {
                known.iter().zip(&all).all(|(page, rows)| {
                    let wanted = wanted(page, attribute);
                    contained(&wanted, &column(rows, field), page.length)
                })
            };
            match stand[attribute] {
                Some(field) if exact(&field) => Verdict::Correct,
                _ if fields.iter().any(|field| partial(&field)) => Verdict::Partial,
                _ => Verdict::Incorrect,
            }
        })
        .collect()
}

/// Has each value its own text that contains it, in the same order?
fn contained(wanted: &[Option<String>], found: &[Option<&str>], length: usize) -> bool {
    let mut texts = found.iter().flatten();
    wanted.iter().flatten().all(|value| {
        texts.any(|text| text.contains(value.as_str()) && (text.len() * 2 < length || text.len() < 2 * value.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn verdicts(line: Value, rows: &[[Option<&str>; 2]], length: usize) -> Vec<Verdict> {
        let tree = &Tree::of_json("", &line)[0];
        let text = |value: &Option<&str>| value.map(str::to_owned);
        let known = Known {
            rows: rows.iter().map(|row| row.iter().map(text).collect()).collect(),
            length,
        };
        score(2, &[known], &[tree.tables()])
    }

    #[test]
    fn rows_must_agree_one_by_one() {
        use Verdict::{Correct, Incorrect, Partial};
        let truth = [[Some("a"), Some("1")], [Some("b"), None], [Some("c"), Some("3")]];
        let good = json!({"rows": [{"n": "a", "v": "1"}, {"n": "b"}, {"n": "c", "v": "3"}]});
        assert_eq!(verdicts(good, &truth, 100), [Correct, Correct]);
        // The value is in the row before.
        let shifted = json!({"rows": [{"n": "a", "v": "1"}, {"n": "b", "v": "3"}, {"n": "c"}]});
        assert_eq!(verdicts(shifted, &truth, 100), [Correct, Partial]);
        let more = json!({"rows": [{"n": "a", "v": "1 EUR"}, {"n": "b"}, {"n": "x"}, {"n": "c", "v": "3 EUR"}]});
        assert_eq!(verdicts(more, &truth, 100), [Partial, Partial]);
        let blob = json!({"all": "a 1 b c 3"});
        assert_eq!(verdicts(blob, &truth, 100), [Incorrect, Incorrect]);
        let joined = json!({"rows": [{"x": "-"}, {"n": "a", "v": "1"}, {"n": "b"}, {"n": "c", "v": "3"}]});
        assert_eq!(verdicts(joined, &truth, 100), [Correct, Correct]);
    }

    #[test]
    fn a_heading_belongs_to_the_rows_below_it() {
        use Verdict::Correct;
        let truth = [[Some("M"), Some("1")], [Some("M"), Some("2")], [Some("T"), Some("3")]];
        let line =
            json!({"days": [{"day": "M", "rows": [{"n": "1"}, {"n": "2"}]}, {"day": "T", "rows": [{"n": "3"}]}]});
        assert_eq!(verdicts(line, &truth, 100), [Correct, Correct]);
    }

    #[test]
    fn most_of_the_page_is_not_a_value() {
        use Verdict::{Incorrect, Partial};
        let line = json!({"all": "a 1 and more", "v": "1 EUR"});
        assert_eq!(verdicts(line, &[[Some("a"), Some("1")]], 12), [Incorrect, Partial]);
    }
}

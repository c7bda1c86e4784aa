//! Where two lists of records differ.
//!
//! **In**: lines of JSON, as expected and as found. **Out**: what is missing, what is extra, and which fields of a record have
//! changed.
//!
//! Equal lines at both ends are set aside. Between them, as many lines as possible are matched in order (a longest common
//! subsequence); if there are too many for that ([`MOST`]), each line is matched with the next equal one that is near. A run of
//! missing lines and a run of extra ones at the same place are paired, in order: if two records share at least half of their
//! fields' values, it is one record that has changed.
//!
//! Cost: at most [`MOST`] comparisons of hashes, then linear.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// The most pairs of lines that are compared with each other.
const MOST: usize = 4_000_000;
/// How far an equal line is looked for if there are too many lines.
const NEAR: usize = 200;

/// A place where records differ. Numbers count from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// An expected record was not found.
    Missing {
        /// Its number among the expected ones.
        number: usize,
        /// The record, as JSON.
        record: String,
    },
    /// A record was found that was not expected.
    Extra {
        /// Its number among those found.
        number: usize,
        /// The record, as JSON.
        record: String,
    },
    /// Fields of a record have other values.
    Changed {
        /// Its number among the expected ones.
        number: usize,
        /// What the record can be recognised by: its first value that is as expected.
        known_by: Option<String>,
        /// Its fields that differ.
        fields: Vec<Change>,
    },
}

/// A field with another value. Values are JSON; a field may be missing on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The field; fields of nested records have their whole path.
    pub field: String,
    /// What was expected.
    pub expected: Option<Value>,
    /// What was found.
    pub found: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing { record, .. } => write!(f, "- {record}"),
            Difference::Extra { record, .. } => write!(f, "+ {record}"),
            Difference::Changed {
                number,
                known_by,
                fields,
            } => {
                write!(f, "~ record {number}")?;
                if let Some(known_by) = known_by {
                    write!(f, " ({known_by})")?;
                }
                for change in fields {
                    let side = |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), Value::to_string);
                    write!(
                        f,
                        "\n    {}: {} → {}",
                        change.field,
                        side(&change.expected),
                        side(&change.found)
                    )?;
                }
                Ok(())
            }
        }
    }
}

/// Compares records as expected with records as found, in order.
///
/// ```
/// use wrapwright::trial::compare;
///
/// let expected = [r#"{"title":"Kelp","price":"7.25"}"#, r#"{"title":"Tides","price":"9.50"}"#];
/// let found = [r#"{"title":"Kelp","price":"8.00"}"#, r#"{"title":"Tides","price":"9.50"}"#];
/// let differences = compare(&expected, &found);
/// assert_eq!(differences[0].to_string(), "~ record 1 (Kelp)\n    price: \"7.25\" → \"8.00\"");
/// ```
pub fn compare(expected: &[impl AsRef<str>], found: &[impl AsRef<str>]) -> Vec<Difference> {
    let one: Vec<&str> = expected.iter().map(AsRef::as_ref).collect();
    let other: Vec<&str> = found.iter().map(AsRef::as_ref).collect();
    let mut differences = Vec::new();
    let (mut at, mut with) = (0, 0);
    let pairs = pairs(&one, &other);
    for (next, next_with) in pairs.into_iter().chain([(one.len(), other.len())]) {
        gap(&mut differences, (&one[at..next], at), (&other[with..next_with], with));
        (at, with) = (next + 1, next_with + 1);
    }
    differences
}

/// What differs between two equal lines.
fn gap(differences: &mut Vec<Difference>, (missing, at): (&[&str], usize), (extra, with): (&[&str], usize)) {
    for number in 0..missing.len().max(extra.len()) {
        let (one, other) = (missing.get(number), extra.get(number));
        if let (Some(one), Some(other)) = (one, other)
            && let Some((known_by, fields)) = changes(one, other)
        {
            differences.push(Difference::Changed {
                number: at + number + 1,
                known_by,
                fields,
            });
            continue;
        }
        if let Some(record) = one {
            differences.push(Difference::Missing {
                number: at + number + 1,
                record: (*record).to_owned(),
            });
        }
        if let Some(record) = other {
            differences.push(Difference::Extra {
                number: with + number + 1,
                record: (*record).to_owned(),
            });
        }
    }
}

/// The fields that differ between two records, and a value that both have; none if they are hardly the same record.
fn changes(one: &str, other: &str) -> Option<(Option<String>, Vec<Change>)> {
    let read = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        let mut fields = Vec::new();
        flatten(&mut fields, String::new(), value);
        Some(fields)
    };
    let (one, other) = (read(one)?, read(other)?);
    let find = |fields: &[(String, Value)], name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.clone())
    };
    let names: Vec<&String> = {
        let mut seen = BTreeSet::new();
        let all = one.iter().chain(&other).map(|(name, _)| name);
        all.filter(|name| seen.insert(name.as_str())).collect()
    };
    let (mut fields, mut known_by, mut same, mut other_values) = (Vec::new(), None, 0, 0);
    for name in &names {
        let (expected, found) = (find(&one, name), find(&other, name));
        if expected == found {
            same += 1;
            known_by = known_by.or_else(|| expected.as_ref().and_then(text));
        } else {
            other_values += usize::from(expected.is_some() && found.is_some());
            fields.push(Change {
                field: (*name).clone(),
                expected,
                found,
            });
        }
    }
    // A field that is lost says less than one with another value: a redesign loses many fields of the same record.
    let is_same = same * 2 >= names.len() || known_by.is_some() && same >= other_values;
    (is_same && same > 0).then_some((known_by, fields))
}

/// The text of a value, or of a list with one.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => match items.as_slice() {
            [Value::String(text)] => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The most fields of a record that are looked at.
const FIELDS: usize = 1000;

fn flatten(fields: &mut Vec<(String, Value)>, path: String, value: Value) {
    let mut waiting = vec![(path, value)];
    while let Some((path, value)) = waiting.pop() {
        let join = |name: &str| match path.is_empty() {
            true => name.to_owned(),
            false => format!("{path}.{name}"),
        };
        match value {
            _ if fields.len() == FIELDS => return,
            Value::Object(members) => {
                let members: Vec<(String, Value)> =
                    members.into_iter().map(|(name, value)| (join(&name), value)).collect();
                waiting.extend(members.into_iter().rev());
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                let items: Vec<(String, Value)> = items
                    .into_iter()
                    .enumerate()
                    .map(|(number, value)| (join(&(number + 1).to_string()), value))
                    .collect();
                waiting.extend(items.into_iter().rev());
            }
            value => fields.push((path, value)),
        }
    }
}

/// The numbers of lines that are the same on both sides, in order.
fn pairs(one: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let head = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (rest, rest_other) = (&one[head..], &other[head..]);
    let tail = rest
        .iter()
        .rev()
        .zip(rest_other.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (middle, middle_other) = (&rest[..rest.len() - tail], &rest_other[..rest_other.len() - tail]);
    let inner = match middle.len().saturating_mul(middle_other.len()) > MOST {
        true => near(middle, middle_other),
        false => longest(middle, middle_other),
    };
    let ends = (0..tail).map(|number| (one.len() - tail + number, other.len() - tail + number));
    (0..head)
        .map(|number| (number, number))
        .chain(inner.into_iter().map(|(a, b)| (a + head, b + head)))
        .chain(ends)
        .collect()
}

/// A longest common subsequence.
fn longest(one: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    // For each pair of positions the most pairs from there on.
    let mut most = vec![0u32; (one.len() + 1) * width];
    for a in (0..one.len()).rev() {
        for b in (0..other.len()).rev() {
            most[a * width + b] = match one[a] == other[b] {
                true => most[(a + 1) * width + b + 1] + 1,
                false => most[(a + 1) * width + b].max(most[a * width + b + 1]),
            };
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < one.len() && b < other.len() {
        if one[a] == other[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if most[(a + 1) * width + b] >= most[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// Each line with the next equal one that is near.
fn near(one: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < one.len() && b < other.len() {
        if one[a] == other[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
            continue;
        }
        let ahead = other[b..].iter().take(NEAR).position(|line| *line == one[a]);
        let behind = one[a..].iter().take(NEAR).position(|line| *line == other[b]);
        match (ahead, behind) {
            (Some(ahead), Some(behind)) if ahead <= behind => b += ahead,
            (Some(_), Some(behind)) | (None, Some(behind)) => a += behind,
            (Some(ahead), None) => b += ahead,
            (None, None) => (a, b) = (a + 1, b + 1),
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expected: &[&str], found: &[&str]) -> Vec<String> {
        compare(expected, found).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_records_do_not_differ() {
        assert!(told(&["{}", "{}"], &["{}", "{}"]).is_empty());
        assert!(told(&[], &[]).is_empty());
    }

    #[test]
    fn one_more_and_one_less() {
        let [a, b, c] = [r#"{"t":"a"}"#, r#"{"t":"b"}"#, r#"{"t":"c"}"#];
        assert_eq!(told(&[a, b, c], &[a, c]), [format!("- {b}")]);
        assert_eq!(told(&[a, c], &[a, b, c]), [format!("+ {b}")]);
        assert_eq!(told(&[], &[a]), [format!("+ {a}")]);
        assert_eq!(told(&[a, b], &[b, a]).len(), 2);
    }

    #[test]
    fn a_changed_record_shows_its_fields() {
        let one = r#"{"t":"a","n":{"x":1,"y":[1,2]},"gone":"g"}"#;
        let other = r#"{"t":"a","n":{"x":1,"y":[1,3]}}"#;
        assert_eq!(
            told(&[one], &[other]),
            ["~ record 1 (a)\n    gone: \"g\" → missing\n    n.y: [1,2] → [1,3]"]
        );
        assert_eq!(
            told(&[r#"{"t":["a"],"p":1}"#], &[r#"{"t":["a"],"p":2}"#]),
            ["~ record 1 (a)\n    p: 1 → 2"]
        );
        // Nothing in common: two records.
        assert_eq!(told(&[r#"{"t":"a"}"#], &[r#"{"t":"b"}"#]).len(), 2);
    }

    #[test]
    fn many_records_are_compared_all_the_same() {
        let lines: Vec<String> = (0..6000).map(|number| format!("{{\"n\":{number}}}")).collect();
        let mut other = lines.clone();
        other[0] = "{\"n\":\"x\"}".to_owned();
        other.remove(3000);
        other[5998] = "{\"n\":\"y\"}".to_owned();
        let differences = compare(&lines, &other);
        assert_eq!(differences.len(), 5, "{differences:?}");
    }

    #[test]
    fn the_shortest_account_is_given() {
        // Against all subsequences, for short lists of two kinds of lines.
        let lists: Vec<Vec<&str>> = (0..5)
            .flat_map(|length| {
                (0..1 << length).map(move |bits| (0..length).map(|at| ["a", "b"][bits >> at & 1]).collect())
            })
            .collect();
        let within = |list: &[&str], part: &[&str]| {
            let mut rest = list.iter();
            part.iter().all(|line| rest.any(|other| other == line))
        };
        for one in &lists {
            for other in &lists {
                let best = lists
                    .iter()
                    .filter(|part| within(one, part) && within(other, part))
                    .map(Vec::len)
                    .max();
                let found = pairs(one, other);
                assert_eq!(Some(found.len()), best, "{one:?} {other:?}");
                assert!(found.iter().all(|(a, b)| one[*a] == other[*b]));
                assert!(
                    found
                        .windows(2)
                        .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1)
                );
            }
        }
    }
}

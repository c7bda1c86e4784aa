//! Inferred rules as paths, as far as paths can say the same.
//!
//! An inferred rule reads a page as a whole: it looks for what it knows of the template, the surest things first, and takes what is
//! between them. A path says where one value is. So a translation gathers, for each field, the paths to the places that the rule
//! takes its values from ([`Gathered`]), and [`Translation`] says which fields have none, and why. **In**: a rule and the type of
//! the records that are wanted. **Out**: a rule by paths for the fields that could be translated. No page is looked at, so what the
//! rule does on pages that lack part of the template is lost; this is said, too.
//!
//! Cost: linear in the rule times the length of a path, which is limited ([`LONGEST`]).

use super::paths::{PathField, Paths, Way};
use record::{Content, Field, RecordType};
use std::collections::BTreeMap;

/// The longest path, in bytes. A longer one would help nobody.
pub(crate) const LONGEST: usize = 2000;
/// The most ways to a field.
const WAYS: usize = 4;

/// A rule as paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The rule.
    pub rule: Paths,
    /// The type of its records: with the fields that could be translated.
    pub record_type: RecordType,
    /// What is lost, in sentences.
    pub lost: Vec<String>,
}

/// The paths to fields, by the names of the fields.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// For each field its places; for each place the ways to it.
    fields: BTreeMap<Vec<String>, Vec<Vec<Way>>>,
    /// The paths to the records of lists.
    lists: BTreeMap<Vec<String>, String>,
    /// Why a field has no way.
    reasons: BTreeMap<Vec<String>, &'static str>,
}

impl Gathered {
    /// Adds a way to a field; `place` tells ways to one place from those to another.
    pub(crate) fn add(&mut self, field: Vec<String>, place: usize, way: Way) {
        let places = self.fields.entry(field).or_default();
        if places.len() <= place {
            places.resize(place + 1, Vec::new());
        }
        if !places[place].contains(&way) && places[place].len() < WAYS {
            places[place].push(way);
        }
    }

    /// Adds the path to the records of a list, unless there is one: expressions have one path to each kind of record.
    pub(crate) fn add_list(&mut self, list: Vec<String>, path: String) {
        self.lists.entry(list).or_insert(path);
    }

    /// Says why a field, or a place of it, cannot be translated.
    pub(crate) fn lose(&mut self, field: Vec<String>, reason: &'static str) {
        self.reasons.entry(field).or_insert(reason);
    }

    /// The rule for records of this type; `None` if no field could be translated.
    pub(crate) fn finish(self, record_type: &RecordType) -> Option<Translation> {
        let mut lost = Vec::new();
        let (rule, fields) = self.paths(record_type.fields(), &[], &mut lost);
        if fields.is_empty() {
            return None;
        }
        let mut record_type = record_type.clone();
        record_type.content = Content::Record(fields);
        Some(Translation {
            rule,
            record_type,
            lost,
        })
    }

    fn paths(&self, fields: &[Field], around: &[String], lost: &mut Vec<String>) -> (Paths, Vec<Field>) {
        let mut rule = Paths::default();
        let mut kept = Vec::new();
        for field in fields {
            let name = [around, std::slice::from_ref(&field.name)].concat();
            let mut lose = |reason: &str| lost.push(format!("`{}` is left out: {reason}", name.join(".")));
            let Content::Record(inner) = &field.content else {
                let many = field.cardinality.may_repeat();
                // Several places of a field are mentions of one datum, which the rule gives once: the first one is enough.
                let ways: Option<Vec<Way>> = self.fields.get(&name).map(|places| places.concat());
                match ways.filter(|ways| !ways.is_empty()) {
                    Some(ways) => {
                        rule.fields.push(PathField { many, ways });
                        kept.push(field.clone());
                    }
                    None => lose(self.reasons.get(&name).copied().unwrap_or("no path leads to it")),
                }
                continue;
            };
            let each = self.lists.get(&name);
            match (each, around) {
                (Some(each), []) => {
                    let (mut inside, fields) = self.paths(inner, &name, lost);
                    if !fields.is_empty() {
                        inside.each = vec![each.clone()];
                        rule.inner.push(inside);
                        kept.push(Field {
                            content: Content::Record(fields),
                            ..field.clone()
                        });
                    }
                }
                (Some(_), _) => lose("it is a list in a list"),
                (None, _) => lose(
                    self.reasons
                        .get(&name)
                        .copied()
                        .unwrap_or("no path leads to its records"),
                ),
            }
        }
        (rule, kept)
    }
}

/// The text of the context node as rules read it.
pub(crate) const TEXT: &str = "normalize-space(translate(., \"\u{a0}\", \" \"))";

/// A string literal of XPath 1, or `None` if the string contains both quotes.
pub(crate) fn literal(text: &str) -> Option<String> {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => Some(format!("\"{text}\"")),
        (true, false) => Some(format!("'{text}'")),
        (true, true) => None,
    }
}

/// A condition on an attribute of the context node; `class` must contain the value.
pub(crate) fn attribute(name: &str, value: Option<&str>) -> Option<String> {
    if !name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    {
        return None;
    }
    Some(match value {
        None => format!("@{name}"),
        Some(value) if name == "class" => {
            let value = literal(&format!(" {value} "))?;
            format!("contains(concat(\" \", normalize-space(@class), \" \"), {value})")
        }
        Some(value) => format!("normalize-space(@{name}) = {}", literal(value)?),
    })
}

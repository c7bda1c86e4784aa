//! Fields that every record must have: `:<title(required)=string(h2)>`.
//!
//! A page that lost a value gives records that look complete to every program after the run. Whoever marks a field as
//! required is told: the run counts the records that lack it, names the field and the first page, and its exit code is
//! not that of a whole success. The records themselves are given as they are.
//!
//! **Syntax.** The word stands in the list after the name of the marker, where wrappers for the original implementation
//! have the types of values. So the grammar is as it was, and old wrappers keep their meaning: no type of theirs has this
//! name. A sign such as `:<title!=.>` reads as *not equal*, and a word before the name would take a name from users.
//!
//! **Meaning.** A record lacks a required field if it has no value for it, or only values that are white space or not of
//! their sort (`NaN` of a number, a text that is no date of its format). Of several values one is enough. A required
//! *record* must be there at least once in each record around it. In the record type such a field is never missing.
//!
//! **Cost**: linear in the record, and nothing where no field is required. **Limit**: a record that the end of the run cut
//! off may be told as well.

use record::{Content, Field, Record, ValueType};
use std::fmt;
use std::sync::Arc;

/// The word in a marker that makes its field required.
pub(crate) const REQUIRED: &str = "required";

/// Records that lack a required field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LackingField {
    /// The names of the records, from the outermost on: `book`, `book.offer`.
    pub record: String,
    /// The field.
    pub field: String,
    /// In how many records.
    pub records: usize,
    /// The page of the first one.
    pub page: Arc<str>,
}

impl LackingField {
    /// Adds records that lack a field to those that are known.
    pub fn add_all<'f>(known: &mut Vec<LackingField>, more: impl IntoIterator<Item = &'f LackingField>) {
        for lacking in more {
            let is_same = |one: &&mut LackingField| (&one.record, &one.field) == (&lacking.record, &lacking.field);
            match known.iter_mut().find(is_same) {
                Some(one) => one.records += lacking.records,
                None => known.push(lacking.clone()),
            }
        }
    }
}

impl fmt::Display for LackingField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LackingField { record, field, .. } = self;
        match self.records {
            1 => write!(
                f,
                "1 `{record}` record lacks the required field `{field}`: on {}",
                self.page
            ),
            count => write!(
                f,
                "{count} `{record}` records lack the required field `{field}`; the first is on {}",
                self.page
            ),
        }
    }
}

/// A name in records, with what is required of it and in it.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    pub(super) name: String,
    /// Must each record around it have one?
    pub(super) is_required: bool,
    /// What its values are; none if it is a record.
    pub(super) value: Option<ValueType>,
    pub(super) inside: Vec<Needs>,
}

impl Needs {
    /// What is required of a field; nothing if that is nothing.
    pub(super) fn of(field: &Field, is_required: bool, inside: Vec<Needs>) -> Option<Needs> {
        (is_required || !inside.is_empty()).then(|| Needs {
            name: field.name.clone(),
            is_required,
            value: match &field.content {
                Content::Value(value) => Some(value.clone()),
                Content::Record(_) => None,
            },
            inside,
        })
    }

    /// Is a record a value?
    fn is_met_by(&self, record: &Record) -> bool {
        match &self.value {
            None => true,
            Some(kind) => {
                let text = record.value.as_deref().unwrap_or_default();
                !text.trim().is_empty() && kind.cell(text).is_ok()
            }
        }
    }
}

/// Tells of the required fields that a top-level record lacks.
pub(super) fn look(needs: &[Needs], record: &Record, tell: &mut impl FnMut(LackingField)) {
    let Some(need) = needs.iter().find(|need| need.name == record.name) else {
        return;
    };
    // A value at the top level is a record with one field.
    if need.is_required && !need.is_met_by(record) {
        tell(lacking(&record.name, &need.name, record));
    }
    inside(need, record, &record.name, tell);
}

fn inside(need: &Needs, record: &Record, path: &str, tell: &mut impl FnMut(LackingField)) {
    for need in &need.inside {
        if need.is_required && !record.all(&need.name).any(|child| need.is_met_by(child)) {
            tell(lacking(path, &need.name, record));
        }
        if !need.inside.is_empty() {
            let path = format!("{path}.{}", need.name);
            record
                .all(&need.name)
                .for_each(|child| inside(need, child, &path, tell));
        }
    }
}

fn lacking(record: &str, field: &str, found: &Record) -> LackingField {
    LackingField {
        record: record.to_owned(),
        field: field.to_owned(),
        records: 1,
        page: Arc::clone(&found.page),
    }
}

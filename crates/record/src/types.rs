//! The type of a record: which fields it has, how many values each may have, and of which sort.
//!
//! Everything that gives records (an OXPath expression, a rule of any kind, a user's schema) declares its
//! [`RecordType`] before the first record, and everything that takes records (sinks, checks, tables) reads it. The
//! cardinality of a field is part of the type, so it never depends on the data of one run: a column does not become a
//! list because one page had two authors.

use crate::Record;
use crate::values::Convention;
use std::collections::HashMap;

/// The field for the text of a record that also has other fields.
pub const VALUE: &str = "_value";

/// A type of record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// The name of the records.
    pub name: String,
    /// What is around the records in XML.
    pub root: XmlRoot,
    /// What a record contains: fields, or a single value.
    pub content: Content,
}

/// What is around the records of an XML document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum XmlRoot {
    /// The element `results`.
    #[default]
    Results,
    /// An element that a user's schema names.
    Element(String),
    /// Nothing: a single record is the document. If there are several, `results` is around them.
    Record,
}

/// What a record or a field contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value.
    Value(ValueType),
    /// A record with these fields, in order.
    Record(Vec<Field>),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// How many values, or nested records, of this field one record may have.
    pub cardinality: Cardinality,
    /// What each of them is.
    pub content: Content,
    /// The number of the choice that the field belongs to: a record has exactly one of the fields with the same number.
    pub choice: Option<usize>,
    /// Is it an attribute of its element in XML?
    pub attribute: bool,
}

/// What a value is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueType {
    /// The sort of value.
    pub sort: Sort,
    /// A regular expression that the text must match somewhere.
    pub pattern: Option<String>,
    /// A format of JSON Schema, such as `date` or `uri`.
    pub format: Option<String>,
    /// How numbers and dates of this field are written, as far as that is known before the first record.
    pub convention: Convention,
}

/// A sort of value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sort {
    /// Any text.
    #[default]
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Decimal,
    /// True or false.
    Boolean,
    /// A day.
    Date,
    /// A day and a time.
    Timestamp,
    /// An address.
    Link,
}

/// How many values a field may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Many,
    /// At least one.
    AtLeastOne,
}

impl Cardinality {
    /// May a record have no value?
    pub fn may_lack(self) -> bool {
        matches!(self, Cardinality::Optional | Cardinality::Many)
    }

    /// The same, but with any number of values.
    fn repeated(self) -> Cardinality {
        match self.may_lack() {
            true => Cardinality::Many,
            false => Cardinality::AtLeastOne,
        }
    }

    /// May a record have several values?
    pub fn may_repeat(self) -> bool {
        matches!(self, Cardinality::Many | Cardinality::AtLeastOne)
    }
}

impl Content {
    /// Any text.
    pub fn text() -> Content {
        Content::Value(ValueType::default())
    }

    /// The fields of a record; empty for a value.
    pub fn fields(&self) -> &[Field] {
        match self {
            Content::Value(_) => &[],
            Content::Record(fields) => fields,
        }
    }

    /// Is it a record?
    pub fn is_record(&self) -> bool {
        matches!(self, Content::Record(_))
    }
}

impl Field {
    /// A field.
    pub fn new(name: impl Into<String>, cardinality: Cardinality, content: Content) -> Field {
        Field {
            name: name.into(),
            cardinality,
            content,
            choice: None,
            attribute: false,
        }
    }

    /// A text that may be missing.
    pub fn text(name: impl Into<String>) -> Field {
        Field::new(name, Cardinality::Optional, Content::text())
    }

    /// Any number of texts.
    pub fn texts(name: impl Into<String>) -> Field {
        Field::new(name, Cardinality::Many, Content::text())
    }

    /// Any number of nested records.
    pub fn records(name: impl Into<String>, fields: Vec<Field>) -> Field {
        Field::new(name, Cardinality::Many, Content::Record(fields))
    }
}

impl RecordType {
    /// A type with these fields.
    pub fn new(name: impl Into<String>, fields: Vec<Field>) -> RecordType {
        RecordType {
            name: name.into(),
            root: XmlRoot::default(),
            content: Content::Record(fields),
        }
    }

    /// A type whose records are a single text.
    pub fn single(name: impl Into<String>) -> RecordType {
        RecordType {
            content: Content::text(),
            ..RecordType::new(name, Vec::new())
        }
    }

    /// A type whose fields are texts that may be missing.
    ///
    /// ```
    /// use record::RecordType;
    /// let book = RecordType::flat("book", ["title", "price"]);
    /// assert_eq!(book.fields().len(), 2);
    /// ```
    pub fn flat(name: impl Into<String>, fields: impl IntoIterator<Item = impl Into<String>>) -> RecordType {
        RecordType::new(name, fields.into_iter().map(Field::text).collect())
    }

    /// The fields of a record; empty if it is a single value.
    pub fn fields(&self) -> &[Field] {
        self.content.fields()
    }

    /// Is there a field with this path? `offer.price` is the field `price` of the nested record `offer`.
    pub fn has_path(&self, path: &str) -> bool {
        let mut fields = self.fields();
        path.split('.')
            .all(|name| match fields.iter().find(|field| field.name == name) {
                Some(field) => {
                    fields = field.content.fields();
                    true
                }
                None => false,
            })
    }

    /// The type of the values of the field with this path; `None` if there is no such field, or if it is a record.
    pub fn value_type(&self, path: &str) -> Option<&ValueType> {
        let mut content = &self.content;
        for name in path.split('.') {
            content = &content.fields().iter().find(|field| field.name == name)?.content;
        }
        match content {
            Content::Value(value) => Some(value),
            Content::Record(_) => None,
        }
    }

    /// As [`RecordType::value_type`], to change it.
    pub fn value_type_mut(&mut self, path: &str) -> Option<&mut ValueType> {
        let mut content = &mut self.content;
        for name in path.split('.') {
            let Content::Record(fields) = content else { return None };
            content = &mut fields.iter_mut().find(|field| field.name == name)?.content;
        }
        match content {
            Content::Value(value) => Some(value),
            Content::Record(_) => None,
        }
    }

    /// The same type, with the order, the cardinality and the sorts that its fields have in another, at every level. Fields that the
    /// other does not have come last, as they are.
    ///
    /// ```
    /// use record::{Field, RecordType};
    /// let found = RecordType::flat("book", ["price", "title", "new"]);
    /// let before = RecordType::new("book", vec![Field::texts("title"), Field::text("price")]);
    /// let fields = [Field::texts("title"), Field::text("price"), Field::text("new")];
    /// assert_eq!(found.shaped_like(&before).fields(), fields);
    /// ```
    pub fn shaped_like(mut self, other: &RecordType) -> RecordType {
        shape(&mut self.content, &other.content, true);
        self
    }

    /// The same type, with its fields in the order of another, at every level. Fields that the other does not have come
    /// last.
    pub fn ordered_like(mut self, other: &RecordType) -> RecordType {
        shape(&mut self.content, &other.content, false);
        self
    }

    /// Makes the field at a path a list, if there is one.
    pub fn make_list(&mut self, path: &[String]) {
        let mut content = &mut self.content;
        for (at, name) in path.iter().enumerate() {
            let Content::Record(fields) = content else { return };
            let Some(field) = fields.iter_mut().find(|field| field.name == *name) else {
                return;
            };
            if at + 1 == path.len() {
                field.cardinality = field.cardinality.repeated();
            }
            content = &mut field.content;
        }
    }

    /// Makes a list of each field of which a record has several values.
    pub fn widen(&mut self, record: &Record) {
        widen(&mut self.content, record);
    }

    /// Joins the values of each field that may have only one, with a space between them. Returns the paths of the fields
    /// that had several.
    ///
    /// ```
    /// use record::{Record, RecordType};
    /// let kind = RecordType::flat("book", ["title"]);
    /// let (page, node) = ("a.html".into(), page::NodeId::DOCUMENT);
    /// let mut book = Record::new("book", &page, node);
    /// book.children.push(Record::leaf("title", "Kelp", &page, node));
    /// book.children.push(Record::leaf("title", "and tide", &page, node));
    /// assert_eq!(kind.join(&mut book), ["title"]);
    /// assert_eq!((book.get("title"), book.children.len()), (Some("Kelp and tide"), 1));
    /// ```
    pub fn join(&self, record: &mut Record) -> Vec<String> {
        let mut joined = Vec::new();
        join(&self.content, record, "", &mut joined);
        joined
    }
}

/// Orders fields as others are; `whole` takes over their cardinality and sorts, too.
fn shape(content: &mut Content, like: &Content, whole: bool) {
    let Content::Record(fields) = content else { return };
    let like = like.fields();
    // The first field of a name counts.
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (number, field) in like.iter().enumerate() {
        places.entry(&field.name).or_insert(number);
    }
    let place = |field: &Field| places.get(field.name.as_str()).copied();
    for field in fields.iter_mut() {
        if let Some(other) = place(field).map(|at| &like[at])
            && field.content.is_record() == other.content.is_record()
        {
            if whole {
                field.cardinality = other.cardinality;
                if let (Content::Value(mine), Content::Value(theirs)) = (&mut field.content, &other.content) {
                    mine.sort = theirs.sort;
                }
            }
            shape(&mut field.content, &other.content, whole);
        }
    }
    fields.sort_by_key(|field| place(field).unwrap_or(usize::MAX));
}

fn widen(content: &mut Content, record: &Record) {
    let Content::Record(fields) = content else { return };
    for field in fields {
        let mut count = 0;
        for child in record.children.iter().filter(|child| child.name == field.name) {
            widen(&mut field.content, child);
            count += 1;
        }
        if count > 1 {
            field.cardinality = field.cardinality.repeated();
        }
    }
}

fn join(content: &Content, record: &mut Record, path: &str, joined: &mut Vec<String>) {
    for field in content.fields() {
        if field.content.is_record() {
            let path = format!("{path}{}.", field.name);
            let inner = record.children.iter_mut().filter(|child| child.name == field.name);
            inner.for_each(|child| join(&field.content, child, &path, joined));
        } else if !field.cardinality.may_repeat() && record.all(&field.name).nth(1).is_some() {
            joined.push(format!("{path}{}", field.name));
            let values = record.all(&field.name).filter_map(|child| child.value.as_deref());
            let mut whole = Some(values.collect::<Vec<_>>().join(" "));
            record.children.retain_mut(|child| {
                if child.name != field.name {
                    return true;
                }
                // The first one takes all of it; nothing is left for the others.
                child.value = whole.take();
                child.value.is_some()
            });
        }
    }
}

/// Merges fields of the same name into one, which may then have several values. A value and a record of the same name
/// become a record with a text of its own, [`VALUE`].
pub fn merge(fields: Vec<Field>) -> Vec<Field> {
    let mut merged: Vec<Field> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for field in fields {
        let Some(place) = places.get(&field.name) else {
            places.insert(field.name.clone(), merged.len());
            merged.push(field);
            continue;
        };
        let known = &mut merged[*place];
        known.cardinality = Cardinality::Many;
        let inside = |content: Content| match content {
            Content::Record(fields) => fields,
            Content::Value(value) => vec![Field::new(VALUE, Cardinality::Optional, Content::Value(value))],
        };
        let before = std::mem::replace(&mut known.content, Content::text());
        known.content = match (before, field.content) {
            (Content::Value(value), Content::Value(_)) => Content::Value(value),
            (before, now) => {
                let both = inside(before).into_iter().chain(inside(now));
                let mut both = merge_optional(both.collect());
                // The text comes first.
                both.sort_by_key(|field| field.name != VALUE);
                Content::Record(both)
            }
        };
    }
    merged
}

/// Merges the fields of two records of one kind: a field that only one of them has may be missing.
fn merge_optional(fields: Vec<Field>) -> Vec<Field> {
    let mut merged: Vec<Field> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for mut field in fields {
        field.cardinality = match field.cardinality {
            Cardinality::One => Cardinality::Optional,
            Cardinality::AtLeastOne => Cardinality::Many,
            other => other,
        };
        match places.get(&field.name) {
            None => {
                places.insert(field.name.clone(), merged.len());
                merged.push(field);
            }
            Some(place) => {
                let known = &mut merged[*place];
                let many = known.cardinality.may_repeat() || field.cardinality.may_repeat();
                let pair = merge(vec![known.clone(), field]);
                if let Some(one) = pair.into_iter().next() {
                    *known = one;
                }
                if !many {
                    known.cardinality = Cardinality::Optional;
                }
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_one_name_are_one() {
        let twice = merge(vec![Field::text("a"), Field::text("b"), Field::text("a")]);
        assert_eq!(twice, [Field::texts("a"), Field::text("b")]);
        let record = |fields: Vec<Field>| Field::new("r", Cardinality::One, Content::Record(fields));
        let one = Field::new("x", Cardinality::One, Content::text());
        let merged = merge(vec![record(vec![one.clone()]), record(vec![one, Field::texts("y")])]);
        assert_eq!(merged, [Field::records("r", vec![Field::text("x"), Field::texts("y")])]);
        let mixed = merge(vec![record(vec![Field::text("x")]), Field::text("r")]);
        assert_eq!(mixed, [Field::records("r", vec![Field::text(VALUE), Field::text("x")])]);
    }
}

//! Schemas that users write: what a record has, how often, and what its values must look like.
//!
//! A DTD and a JSON Schema say much the same in different words, so both are read into one form, the [`Model`]: a tree of
//! members, each with how often it may occur. Records are held against it ([`Model::faults`]). What the one can say and
//! the other cannot (a choice between members, a pattern of a text) is in the form as well; what neither a page nor a
//! record can have (entities, mixed content, `$ref`, recursion) is refused where it stands.

mod dtd;
mod json;
mod shape;

use record::Record;
use regex::Regex;
use std::fmt;

pub use dtd::from_dtd;
pub use json::from_json_schema;
pub use shape::VALUE;

/// What a user wants of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The name of the record, or of the document that holds records.
    pub name: String,
    /// What it holds.
    pub content: Content,
}

/// What a member holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A text.
    Text(Text),
    /// Members in this order.
    Members(Vec<Member>),
}

/// What a text must be like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// A number, an integer or a boolean.
    pub sort: Sort,
    /// A regular expression that it must have a match of.
    pub pattern: Option<String>,
    /// `date`, `uri` and their like.
    pub format: Option<String>,
}

/// What kind of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Any.
    #[default]
    String,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// How often it may occur.
    pub times: Times,
    /// The number of the choice that it is one of, if it is; one of the members with the same number occurs.
    pub choice: Option<usize>,
    /// Is it written as an attribute of its element?
    pub attribute: bool,
    /// What it holds.
    pub content: Content,
}

/// How often something occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Once.
    Once,
    /// Once or not at all: `?`.
    Optional,
    /// Any number of times: `*`.
    Any,
    /// At least once: `+`.
    Some,
}

impl Times {
    /// May it be absent?
    pub fn may_lack(self) -> bool {
        matches!(self, Times::Optional | Times::Any)
    }

    /// May there be several?
    pub fn may_repeat(self) -> bool {
        matches!(self, Times::Any | Times::Some)
    }
}

/// What is wrong with a schema, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// A line of the DTD, or a place of the JSON (`properties.price`).
    pub place: String,
    /// What is wrong there, and what to do.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ModelError {}

fn error(place: impl Into<String>, message: impl Into<String>) -> ModelError {
    ModelError {
        place: place.into(),
        message: message.into(),
    }
}

/// Nothing that a person writes is nested deeper.
const DEEPEST: usize = 32;

impl Model {
    /// What about a record is not as it should be: `price: "soon" is no number`.
    pub fn faults(&self, record: &Record) -> Vec<String> {
        let mut faults = Vec::new();
        faults_of(self.record().1, record, &record.name, &mut faults);
        faults
    }
}

fn faults_of(content: &Content, record: &Record, place: &str, faults: &mut Vec<String>) {
    let members = match content {
        Content::Text(text) => {
            let value = record.value.as_deref().unwrap_or("");
            if let Some(why) = text.fault(value) {
                faults.push(format!("{place}: {value:?} {why}"));
            }
            return;
        }
        Content::Members(members) => members,
    };
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for member in members {
        if member.name == VALUE {
            continue;
        }
        let found: Vec<&Record> = record
            .children
            .iter()
            .filter(|child| child.name == member.name)
            .collect();
        let place = format!("{place}.{}", member.name);
        match member.choice {
            Some(choice) => match chosen.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, count)) => *count += usize::from(!found.is_empty()),
                None => chosen.push((choice, usize::from(!found.is_empty()))),
            },
            None if found.is_empty() && !member.times.may_lack() => faults.push(format!("{place} is missing")),
            None => {}
        }
        if found.len() > 1 && !member.times.may_repeat() {
            faults.push(format!("{place} occurs {} times, expected at most one", found.len()));
        }
        for (number, child) in found.into_iter().enumerate() {
            let place = if member.times.may_repeat() {
                format!("{place}[{number}]")
            } else {
                place.clone()
            };
            faults_of(&member.content, child, &place, faults);
        }
    }
    for (_, count) in chosen.iter().filter(|(_, count)| *count != 1) {
        faults.push(format!("{place} has {count} of the members that it must have one of"));
    }
    for child in &record.children {
        if !members.iter().any(|member| member.name == child.name) {
            faults.push(format!(
                "{place} has a member `{}` that the schema does not know",
                child.name
            ));
        }
    }
}

impl Text {
    /// Why a value is not what it should be.
    fn fault(&self, value: &str) -> Option<String> {
        if self.typed(value).is_none() {
            return Some(format!("is no {}", self.sort.name()));
        }
        if let Some(pattern) = &self.pattern
            && !Regex::new(pattern).is_ok_and(|regex| regex.is_match(value))
        {
            return Some(format!("does not match {pattern}"));
        }
        let format = self.format.as_deref()?;
        let ok = match format {
            "date" => is_date(value),
            "uri" | "url" => value.contains("://") && !value.contains(char::is_whitespace),
            "email" => value
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && host.contains('.')),
            _ => true,
        };
        (!ok).then(|| format!("is no {format}"))
    }
}

/// A date as JSON has it: 2003-11-07.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts.as_slice() {
        [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => {
            let (month, day): (u32, u32) = (month.parse().unwrap_or(0), day.parse().unwrap_or(0));
            (1..=12).contains(&month) && (1..=31).contains(&day)
        }
        _ => false,
    }
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::String => "string",
            Sort::Number => "number",
            Sort::Integer => "integer",
            Sort::Boolean => "boolean",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::NodeId;

    fn leaf(name: &str, value: &str) -> Record {
        Record {
            name: name.to_owned(),
            value: Some(value.to_owned()),
            children: Vec::new(),
            page: "p".into(),
            node: NodeId::DOCUMENT,
        }
    }

    fn record(name: &str, children: Vec<Record>) -> Record {
        Record {
            value: None,
            children,
            ..leaf(name, "")
        }
    }

    #[test]
    fn records_are_held_against_a_schema() {
        let model = from_dtd(
            "<!ELEMENT v (name, year?, (dvd | vhs), actor*)><!ELEMENT name (#PCDATA)><!ELEMENT year (#PCDATA)>
             <!ELEMENT dvd (#PCDATA)><!ELEMENT vhs (#PCDATA)><!ELEMENT actor (#PCDATA)>",
        )
        .expect("a schema");
        let fine = record(
            "v",
            vec![
                leaf("name", "x"),
                leaf("dvd", "1"),
                leaf("actor", "a"),
                leaf("actor", "b"),
            ],
        );
        assert_eq!(model.faults(&fine), Vec::<String>::new());
        let bad = record(
            "v",
            vec![
                leaf("year", "1"),
                leaf("year", "2"),
                leaf("dvd", "1"),
                leaf("vhs", "2"),
                leaf("zzz", ""),
            ],
        );
        assert_eq!(
            model.faults(&bad),
            [
                "v.name is missing",
                "v.year occurs 2 times, expected at most one",
                "v has 2 of the members that it must have one of",
                "v has a member `zzz` that the schema does not know",
            ]
        );
    }

    #[test]
    fn texts_are_held_against_their_kind() {
        let model = from_json_schema(
            r#"{"title": "b", "type": "object", "required": ["price"], "properties": {
                "price": {"type": "number"}, "day": {"type": "string", "format": "date"},
                "isbn": {"type": "string", "pattern": "^[0-9]{10}$"}, "tags": {"type": "array", "items": {"type": "string"}}}}"#,
        )
        .expect("a schema");
        let fine = record(
            "b",
            vec![
                leaf("price", "1.5"),
                leaf("day", "2003-11-07"),
                leaf("isbn", "0123456789"),
            ],
        );
        assert_eq!(model.faults(&fine), Vec::<String>::new());
        let bad = record(
            "b",
            vec![leaf("price", "soon"), leaf("day", "7.11.2003"), leaf("isbn", "x")],
        );
        assert_eq!(
            model.faults(&bad),
            [
                "b.price: \"soon\" is no number",
                "b.day: \"7.11.2003\" is no date",
                "b.isbn: \"x\" does not match ^[0-9]{10}$",
            ]
        );
    }
}

//! Checks whether a record fits its type.

use crate::values::Misread;
use crate::{Content, Field, Record, RecordType, Sort, VALUE, Value, ValueType};
use regex::{Regex, RegexBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

/// Something about a record that does not fit its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The place, such as `book.price` or `book.tag[1]`.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.problem)
    }
}

impl RecordType {
    /// Everything in a record that does not fit: `book.price: "soon" is not a number`.
    pub fn misfits(&self, record: &Record) -> Vec<Misfit> {
        let mut found = Vec::new();
        look(&self.content, record, &record.name, &mut found);
        found
    }
}

fn misfit(place: &str, problem: String) -> Misfit {
    Misfit {
        place: place.to_owned(),
        problem,
    }
}

fn look(content: &Content, record: &Record, place: &str, found: &mut Vec<Misfit>) {
    let fields = match content {
        Content::Value(value) => {
            let text = record.value.as_deref().unwrap_or("");
            if let Some(why) = value.misfit(text) {
                found.push(misfit(&format!("{place}:"), format!("{text:?} {why}")));
            }
            return;
        }
        Content::Record(fields) => fields,
    };
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for field in fields.iter().filter(|field| field.name != VALUE) {
        let children: Vec<&Record> = record.all(&field.name).collect();
        let place = format!("{place}.{}", field.name);
        match field.choice {
            Some(choice) => match chosen.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, count)) => *count += usize::from(!children.is_empty()),
                None => chosen.push((choice, usize::from(!children.is_empty()))),
            },
            None if children.is_empty() && !field.cardinality.may_lack() => {
                found.push(misfit(&place, "is missing".to_owned()));
            }
            None => {}
        }
        let many = field.cardinality.may_repeat();
        if children.len() > 1 && !many {
            let problem = format!("occurs {} times, expected at most one", children.len());
            found.push(misfit(&place, problem));
        }
        for (number, child) in children.into_iter().enumerate() {
            match many {
                true => look(&field.content, child, &format!("{place}[{number}]"), found),
                false => look(&field.content, child, &place, found),
            }
        }
    }
    for (_, count) in chosen.iter().filter(|(_, count)| *count != 1) {
        let problem = format!("has {count} of the fields of a choice, expected exactly one");
        found.push(misfit(place, problem));
    }
    if let Some(stranger) = stranger(fields, record) {
        found.push(misfit(
            place,
            format!("has a field `{stranger}` that its type does not have"),
        ));
    }
}

/// The first child of a record that its type does not have.
pub(crate) fn stranger<'r>(fields: &[Field], record: &'r Record) -> Option<&'r str> {
    let known = |child: &&Record| fields.iter().any(|field| field.name == child.name);
    let child = record.children.iter().find(|child| !known(child));
    child.map(|child| child.name.as_str())
}

impl ValueType {
    /// Why a text is not a value of this type.
    pub fn misfit(&self, text: &str) -> Option<String> {
        let value = match self.parse(text) {
            Ok(value) => value,
            Err(Misread::Nothing | Misread::Words) => return Some(format!("is not {}", self.sort.with_article())),
            Err(why) => return Some(format!("is not {}: {why}", self.sort.with_article())),
        };
        // A schema describes what is written: for dates that is not the text of the page.
        let text = match (self.sort, &value) {
            (Sort::Date | Sort::Timestamp, Value::Text(written)) => written,
            _ => text,
        };
        if let Some(pattern) = &self.pattern
            && !matches(pattern, text)
        {
            return Some(format!("does not match {pattern}"));
        }
        let format = self.format.as_deref()?;
        let fits = match format {
            "date" => is_date(text),
            "uri" | "url" => text.contains("://") && !text.contains(char::is_whitespace),
            "email" => text
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && host.contains('.')),
            _ => true,
        };
        (!fits).then(|| format!("is not a valid {format}"))
    }
}

/// The most memory of a compiled pattern. `\w{1,100}` takes 3 MB; what is larger is a mistake or malice.
const PATTERN_BYTES: usize = 4 << 20;

/// Compiles the pattern of a value type.
///
/// # Errors
///
/// It is not a regular expression, or takes too much memory.
pub fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).size_limit(PATTERN_BYTES).build()
}

/// Does a text match a pattern? To compile a pattern takes much longer than to try it, so each thread keeps those that it
/// used last.
fn matches(text: &str, value: &str) -> bool {
    const KEPT: usize = 200;
    thread_local! {
        static PATTERNS: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
    }
    PATTERNS.with_borrow_mut(|patterns| {
        if patterns.len() >= KEPT && !patterns.contains_key(text) {
            patterns.clear();
        }
        if !patterns.contains_key(text) {
            patterns.insert(text.to_owned(), pattern(text).ok());
        }
        let compiled = patterns.get(text).and_then(Option::as_ref);
        compiled.is_some_and(|regex| regex.is_match(value))
    })
}

/// Is it a date as in JSON Schema, such as 2003-11-07?
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cardinality, testing::node};

    #[track_caller]
    fn check(kind: &RecordType, children: &[(&str, &str)], expected: &[&str]) {
        let children = children.iter().map(|(name, value)| node(name, Some(value), Vec::new()));
        let record = node("v", None, children.collect());
        let found: Vec<String> = kind.misfits(&record).iter().map(Misfit::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn fields_are_counted() {
        let choice = |name: &str| Field {
            choice: Some(0),
            ..Field::text(name)
        };
        let name = Field::new("name", Cardinality::One, Content::text());
        let fields = vec![
            name,
            Field::text("year"),
            choice("dvd"),
            choice("vhs"),
            Field::texts("actor"),
        ];
        let kind = RecordType::new("v", fields);
        check(
            &kind,
            &[("name", "x"), ("dvd", "1"), ("actor", "a"), ("actor", "b")],
            &[],
        );
        check(
            &kind,
            &[("year", "1"), ("year", "2"), ("dvd", "1"), ("vhs", "2"), ("zzz", "")],
            &[
                "v.name is missing",
                "v.year occurs 2 times, expected at most one",
                "v has 2 of the fields of a choice, expected exactly one",
                "v has a field `zzz` that its type does not have",
            ],
        );
    }

    #[test]
    fn values_are_of_their_sort() {
        let value = |sort: Sort, pattern: Option<&str>, format: Option<&str>| {
            Content::Value(ValueType {
                sort,
                pattern: pattern.map(str::to_owned),
                format: format.map(str::to_owned),
                ..ValueType::default()
            })
        };
        let field = |name: &str, content: Content| Field::new(name, Cardinality::Optional, content);
        let kind = RecordType::new(
            "v",
            vec![
                field("price", value(Sort::Decimal, None, None)),
                field("day", value(Sort::Text, None, Some("date"))),
                field("isbn", value(Sort::Text, Some("^[0-9]{10}$"), None)),
            ],
        );
        check(
            &kind,
            &[("price", "1.5"), ("day", "2003-11-07"), ("isbn", "0123456789")],
            &[],
        );
        check(
            &kind,
            &[("price", "soon"), ("day", "7.11.2003"), ("isbn", "x")],
            &[
                "v.price: \"soon\" is not a number",
                "v.day: \"7.11.2003\" is not a valid date",
                "v.isbn: \"x\" does not match ^[0-9]{10}$",
            ],
        );
    }
}

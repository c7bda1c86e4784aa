//! A record as a tree of typed values, from which a JSON object, a dictionary or a row of columns is made.

use crate::{Content, Field, Record, RecordType, Sort, VALUE, ValueType};

/// A value of a sort, or a list or record of values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A text; also a value that does not fit the sort of its field.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Decimal(f64),
    /// True or false.
    Boolean(bool),
    /// The values of a field that may have several.
    List(Vec<Value>),
    /// Fields with their values, in the order of the type. A field that is missing is absent.
    Record(Vec<(String, Value)>),
}

impl Sort {
    /// Its name with an article, for messages.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Sort::Text => "a text",
            Sort::Integer => "an integer",
            Sort::Decimal => "a number",
            Sort::Boolean => "a boolean",
            Sort::Date => "a date",
            Sort::Timestamp => "a time",
            Sort::Link => "a link",
        }
    }
}

impl ValueType {
    /// The value that a text stands for: the number in `$1,299.00` if a number is wanted; `None` if it has no such
    /// value.
    pub fn read(&self, text: &str) -> Option<Value> {
        match self.sort {
            Sort::Text | Sort::Date | Sort::Timestamp | Sort::Link => Some(Value::Text(text.to_owned())),
            Sort::Decimal => number(text).map(|number| match whole(number) {
                Some(whole) => Value::Integer(whole),
                None => Value::Decimal(number),
            }),
            Sort::Integer => number(text).and_then(whole).map(Value::Integer),
            Sort::Boolean => match text.trim().to_lowercase().as_str() {
                "true" | "yes" => Some(Value::Boolean(true)),
                "false" | "no" => Some(Value::Boolean(false)),
                _ => None,
            },
        }
    }
}

/// Beyond this, a 64-bit floating-point number cannot represent every integer.
const WHOLE: f64 = 9e15;

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < WHOLE).then_some(number as i64)
}

/// The number in a text, whatever is around it: `$1,299.00` is 1299.
pub fn number(text: &str) -> Option<f64> {
    let digits: String = text
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '.' || *c == '-')
        .collect();
    let others = text.chars().filter(|c| c.is_alphabetic()).count();
    if others > 3 || !digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits
        .trim_matches('.')
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

impl RecordType {
    /// A record as a tree of typed values. A record that is a single value becomes a record with that one field.
    ///
    /// ```
    /// use record::{Field, Record, RecordType, Value};
    /// let (page, node) = ("a.html".into(), page::NodeId::DOCUMENT);
    /// let book = RecordType::new("book", vec![Field::text("title"), Field::texts("tag")]);
    /// let mut record = Record::new("book", &page, node);
    /// record.children.push(Record::leaf("title", "Kelp", &page, node));
    /// let fields = vec![
    ///     ("title".to_owned(), Value::Text("Kelp".to_owned())),
    ///     ("tag".to_owned(), Value::List(Vec::new())),
    /// ];
    /// assert_eq!(book.value(&record), Value::Record(fields));
    /// ```
    pub fn value(&self, record: &Record) -> Value {
        match &self.content {
            Content::Value(_) => Value::Record(vec![(self.name.clone(), of(&self.content, record))]),
            Content::Record(fields) => Value::Record(members(fields, record)),
        }
    }
}

/// The records of a field: for `_value` the record itself, if it has a text.
pub(crate) fn children<'r>(field: &'r Field, record: &'r Record) -> impl Iterator<Item = &'r Record> {
    let own = (field.name == VALUE && record.value.is_some()).then_some(record);
    own.into_iter().chain(record.all(&field.name))
}

fn members(fields: &[Field], record: &Record) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for field in fields {
        let mut found: Vec<Value> = children(field, record).map(|child| of(&field.content, child)).collect();
        // More values than the type allows are a list, too: none is lost.
        let value = match field.cardinality.may_repeat() || found.len() > 1 {
            true => Some(Value::List(found)),
            false => found.pop(),
        };
        out.extend(value.map(|value| (field.name.clone(), value)));
    }
    out
}

fn of(content: &Content, record: &Record) -> Value {
    match content {
        Content::Record(fields) => Value::Record(members(fields, record)),
        Content::Value(value) => {
            let text = record.value.as_deref().unwrap_or_default();
            value.read(text).unwrap_or_else(|| Value::Text(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_their_sort() {
        let read = |sort: Sort, text: &str| {
            let kind = ValueType {
                sort,
                ..ValueType::default()
            };
            kind.read(text)
        };
        assert_eq!(read(Sort::Decimal, "$1,299.50"), Some(Value::Decimal(1299.5)));
        assert_eq!(read(Sort::Decimal, "12.00"), Some(Value::Integer(12)));
        assert_eq!(read(Sort::Integer, "12.5"), None);
        assert_eq!(read(Sort::Integer, "soon"), None);
        assert_eq!(read(Sort::Boolean, " Yes"), Some(Value::Boolean(true)));
        assert_eq!(read(Sort::Text, "x"), Some(Value::Text("x".to_owned())));
    }
}

//! A record as a tree of typed values, from which a JSON object, a dictionary or a row of columns is made.

use crate::values::{self, Misread};
use crate::{Content, Field, Record, RecordType, Sort, VALUE, ValueType};

/// A value of a sort, or a list or record of values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A text; a date or a time by ISO 8601; also a value that does not fit the sort of its field.
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
    /// All sorts, with the names that users write and files have.
    const NAMES: [(&'static str, Sort); 7] = [
        ("text", Sort::Text),
        ("integer", Sort::Integer),
        ("number", Sort::Decimal),
        ("boolean", Sort::Boolean),
        ("date", Sort::Date),
        ("timestamp", Sort::Timestamp),
        ("link", Sort::Link),
    ];

    /// Its name: `text`, `integer`, `number`, `boolean`, `date`, `timestamp` or `link`.
    pub fn name(self) -> &'static str {
        let named = Sort::NAMES.iter().find(|(_, sort)| *sort == self);
        named.map_or("text", |(name, _)| name)
    }

    /// The sort of this name. `decimal` is another name of `number`, and `time` of `timestamp`.
    ///
    /// ```
    /// use record::Sort;
    /// assert_eq!(Sort::named("number"), Some(Sort::Decimal));
    /// assert_eq!(Sort::named(Sort::Date.name()), Some(Sort::Date));
    /// assert_eq!(Sort::named("colour"), None);
    /// ```
    pub fn named(name: &str) -> Option<Sort> {
        let name = match name {
            "decimal" => "number",
            "time" => "timestamp",
            name => name,
        };
        let named = Sort::NAMES.iter().find(|(known, _)| *known == name);
        named.map(|(_, sort)| *sort)
    }

    /// Its name with an article, for messages.
    pub fn with_article(self) -> &'static str {
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
    /// The value that a text stands for: the number in `$1,299.00` if a number is wanted, the date of `May 9, 2019` as
    /// `2019-05-09`; `None` if it has no such value.
    ///
    /// ```
    /// use record::values::Convention;
    /// use record::{Sort, Value, ValueType};
    /// let price = ValueType {
    ///     sort: Sort::Decimal,
    ///     convention: Convention::of(["12,50 €", "1.234,50 €"]),
    ///     ..ValueType::default()
    /// };
    /// assert_eq!(price.read("9,99 €"), Some(Value::Decimal(9.99)));
    /// assert_eq!(price.read("3–5 €"), None);
    /// ```
    pub fn read(&self, text: &str) -> Option<Value> {
        self.parse(text).ok()
    }

    /// As [`ValueType::read`], with the reason if there is no such value.
    ///
    /// # Errors
    ///
    /// The text does not stand for a value of the sort.
    pub fn parse(&self, text: &str) -> Result<Value, Misread> {
        match self.sort {
            Sort::Text | Sort::Link => Ok(Value::Text(text.to_owned())),
            Sort::Date => values::date(text, &self.convention).map(|date| Value::Text(date.to_string())),
            Sort::Timestamp => values::timestamp(text, &self.convention).map(|moment| Value::Text(moment.to_string())),
            Sort::Decimal => {
                let number = values::number(text, &self.convention)?;
                let whole = number.to_i64().map(Value::Integer);
                Ok(whole.unwrap_or(Value::Decimal(number.to_f64())))
            }
            Sort::Integer => values::integer(text, &self.convention).map(Value::Integer),
            Sort::Boolean => values::truth(text).map(Value::Boolean),
        }
    }
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
    use crate::values::Convention;

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

    /// Issue 23: these were 1250, 1.2345, 123450, 12, 4.53 and 7.
    #[test]
    fn r23_numbers_are_right_or_refused() {
        for (text, expected) in [
            ("12,50 €", Some(12.5)),
            ("1.234,50 €", Some(1234.5)),
            ("1 234,50 €", Some(1234.5)),
            ("1\u{202f}234,50\u{a0}€", Some(1234.5)),
            ("1'234.50", Some(1234.5)),
            ("4.5e3", Some(4500.0)),
            ("−7", Some(-7.0)),
            ("1/2", None),
            ("3–5", None),
            ("10-20", None),
        ] {
            let kind = ValueType {
                sort: Sort::Decimal,
                ..ValueType::default()
            };
            let read = kind.read(text).map(|value| match value {
                Value::Integer(whole) => whole as f64,
                Value::Decimal(number) => number,
                other => panic!("{text:?} is read as {other:?}"),
            });
            assert_eq!(read, expected, "{text:?}");
        }
    }

    #[test]
    fn dates_are_written_by_iso() {
        let read = |sort: Sort, text: &str| {
            let kind = ValueType {
                sort,
                convention: Convention::of(["5/23/2019"]),
                ..ValueType::default()
            };
            kind.parse(text)
        };
        let text = |text: &str| Ok(Value::Text(text.to_owned()));
        assert_eq!(read(Sort::Date, "May 9, 2019"), text("2019-05-09"));
        assert_eq!(read(Sort::Date, "5/9/2019"), text("2019-05-09"));
        assert_eq!(read(Sort::Timestamp, "5/9/19-7pm"), text("2019-05-09T19:00:00"));
        assert_eq!(read(Sort::Timestamp, "5/9/19"), Err(Misread::NoTime));
    }
}

//! Lines of JSON.
//!
//! A line is one top-level record, `{"_record":"book","_page":"https://…","title":"…","review":[{…}]}`. Keys that begin
//! with `_` are added by the sink. The type decides the rest. A field that may have several values is an array, even if
//! it has only one or none. Any other field is a value, and is absent if it is missing. Numbers and booleans are
//! written as such, dates and times by ISO 8601, and a value that does not fit its sort is written as text. A value extracted at the top level is a
//! record with that one field. The values that a run was made with are an object under `_bind`.

use super::{Sink, is_value, type_of, unknown};
use crate::fit::stranger;
use crate::value::children;
use crate::{Content, Field, Record, RecordType, Sort, Value};
use std::io::{self, Write};

/// Lines of JSON.
pub(super) struct Ndjson<W> {
    out: W,
    types: Vec<RecordType>,
    no_meta: bool,
    /// The member `_bind`, ready to be written.
    bound: Vec<u8>,
    line: Vec<u8>,
}

impl<W: Write> Ndjson<W> {
    pub(super) fn new(out: W, types: &[RecordType], no_meta: bool) -> Ndjson<W> {
        Ndjson {
            out,
            types: types.to_vec(),
            no_meta,
            bound: Vec::new(),
            line: Vec::new(),
        }
    }
}

impl<W: Write> Sink for Ndjson<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let kind = type_of(&self.types, record)?;
        let line = &mut self.line;
        line.clear();
        line.push(b'{');
        if !self.no_meta {
            push_key(line, "_record");
            push_text(line, &record.name);
            push_key(line, "_page");
            push_text(line, &record.page);
        }
        if !self.bound.is_empty() {
            push_key(line, "_bind");
            line.extend_from_slice(&self.bound);
        }
        if is_value(kind) {
            push_key(line, &kind.name);
            push_content(line, &kind.content, record)?;
        } else {
            push_fields(line, kind.fields(), record)?;
        }
        line.extend_from_slice(b"}\n");
        self.out.write_all(line)
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound.clear();
        if bindings.is_empty() {
            return;
        }
        self.bound.push(b'{');
        for (name, value) in bindings {
            push_key(&mut self.bound, name);
            push_text(&mut self.bound, value);
        }
        self.bound.push(b'}');
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn push_fields(line: &mut Vec<u8>, fields: &[Field], record: &Record) -> io::Result<()> {
    let mut written = 0;
    for field in fields {
        let mut found = children(field, record).peekable();
        if found.peek().is_none() && !field.cardinality.may_repeat() {
            continue;
        }
        push_key(line, &field.name);
        let first = line.len();
        let mut count = 0;
        for child in found {
            if count > 0 {
                line.push(b',');
            }
            push_content(line, &field.content, child)?;
            count += 1;
        }
        // More values than the type allows are written, too: a value that does not fit is better than one that is lost.
        if field.cardinality.may_repeat() || count > 1 {
            line.insert(first, b'[');
            line.push(b']');
        }
        written += count;
    }
    // Only a record with more children than were written is searched for what its type does not have.
    if written < record.children.len()
        && let Some(name) = stranger(fields, record)
    {
        return Err(unknown("field", name));
    }
    Ok(())
}

fn push_content(line: &mut Vec<u8>, content: &Content, record: &Record) -> io::Result<()> {
    match content {
        Content::Value(kind) => {
            let text = record.value.as_deref().unwrap_or_default();
            let value = match kind.sort {
                Sort::Text | Sort::Link => None,
                _ => kind.read(text),
            };
            match value {
                Some(Value::Integer(number)) => line.extend_from_slice(number.to_string().as_bytes()),
                Some(Value::Decimal(number)) => {
                    line.extend_from_slice(serde_json::json!(number).to_string().as_bytes())
                }
                Some(Value::Boolean(truth)) => line.extend_from_slice(truth.to_string().as_bytes()),
                Some(Value::Text(text)) => push_text(line, &text),
                _ => push_text(line, text),
            }
            Ok(())
        }
        Content::Record(fields) => {
            line.push(b'{');
            push_fields(line, fields, record)?;
            line.push(b'}');
            Ok(())
        }
    }
}

fn push_key(line: &mut Vec<u8>, key: &str) {
    if line.last() != Some(&b'{') {
        line.push(b',');
    }
    push_text(line, key);
    line.push(b':');
}

fn push_text(line: &mut Vec<u8>, text: &str) {
    // Writing to a vector cannot fail, and text is always valid JSON.
    let _ = serde_json::to_writer(line, text);
}

#[cfg(test)]
mod tests {
    use super::super::{SinkSpec, written};
    use super::*;
    use crate::testing::{book, books, node};
    use crate::{Cardinality, ValueType};

    fn bare() -> SinkSpec {
        SinkSpec {
            no_meta: true,
            ..SinkSpec::default()
        }
    }

    #[track_caller]
    fn check(types: &[RecordType], record: Record, expected: &str) {
        assert_eq!(written(&bare(), types, &[record]), format!("{expected}\n"));
    }

    #[test]
    fn a_line_is_a_record() {
        let fields = r#""title":"A \"B\" & C","review":[{"by":"Ada"}],"tag":["1","2"]"#;
        let line = format!("{{\"_record\":\"book\",\"_page\":\"http://x/\",{fields}}}\n");
        assert_eq!(written(&SinkSpec::default(), &books(), &[book()]), line);
        check(&books(), book(), &format!("{{{fields}}}"));
        let link = RecordType::single("link");
        check(&[link], node("link", Some("/a"), Vec::new()), r#"{"link":"/a"}"#);
        check(&books(), node("book", None, Vec::new()), r#"{"review":[],"tag":[]}"#);
    }

    #[test]
    fn the_type_decides_what_is_a_list_a_record_or_a_number() {
        let value = |sort: Sort| {
            Content::Value(ValueType {
                sort,
                ..ValueType::default()
            })
        };
        let by = Content::Record(vec![Field::text("by"), Field::text("stars")]);
        let types = [RecordType::new(
            "book",
            vec![
                Field::text("title"),
                Field::new("pages", Cardinality::Optional, value(Sort::Integer)),
                Field::new("tag", Cardinality::Many, value(Sort::Integer)),
                Field::new("review", Cardinality::Optional, by),
            ],
        )];
        let mut record = book();
        record.children.push(node("pages", Some("about 10"), Vec::new()));
        check(
            &types,
            record,
            r#"{"title":"A \"B\" & C","pages":"about 10","tag":[1,2],"review":{"by":"Ada"}}"#,
        );
    }

    #[test]
    fn a_record_may_have_a_text_of_its_own() {
        let link = Content::Record(vec![Field::text("href"), Field::text(crate::VALUE)]);
        let types = [RecordType::new("r", vec![Field::new("a", Cardinality::Many, link)])];
        let mut both = node("a", Some("text"), vec![node("href", Some("/x"), Vec::new())]);
        let value = node("a", Some("alone"), Vec::new());
        check(
            &types,
            node("r", None, vec![both.clone(), value]),
            r#"{"a":[{"href":"/x","_value":"text"},{"_value":"alone"}]}"#,
        );
        both.value = None;
        check(&types, node("r", None, vec![both]), r#"{"a":[{"href":"/x"}]}"#);
    }

    #[test]
    fn lines_say_the_same_as_values() {
        fn json(value: &Value) -> serde_json::Value {
            match value {
                Value::Text(text) => text.as_str().into(),
                Value::Integer(number) => (*number).into(),
                Value::Decimal(number) => (*number).into(),
                Value::Boolean(truth) => (*truth).into(),
                Value::List(values) => values.iter().map(json).collect(),
                Value::Record(fields) => fields.iter().map(|(name, value)| (name.clone(), json(value))).collect(),
            }
        }
        let line = written(&bare(), &books(), &[book()]);
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line, json(&books()[0].value(&book())));
    }

    #[test]
    fn more_values_than_the_type_allows_are_written() {
        let title = |text: &str| node("title", Some(text), Vec::new());
        let two = node("book", None, vec![title("a"), title("b")]);
        check(&books(), two.clone(), r#"{"title":["a","b"],"review":[],"tag":[]}"#);
        let Value::Record(fields) = books()[0].value(&two) else {
            panic!("a record");
        };
        let texts = ["a", "b"].map(|text| Value::Text(text.to_owned()));
        assert_eq!(fields[0], ("title".to_owned(), Value::List(texts.to_vec())));
    }

    #[test]
    fn nothing_is_lost_silently() {
        let types = books();
        let mut sink = bare().open(&types, Vec::new()).expect("no rows asked for");
        let stranger = node("book", None, vec![node("price", Some("1"), Vec::new())]);
        let error = sink.record(&stranger).expect_err("no field").to_string();
        assert!(error.contains("`price`"), "{error}");
        let error = sink
            .record(&node("film", None, Vec::new()))
            .expect_err("no type")
            .to_string();
        assert!(error.contains("`film`"), "{error}");
    }

    #[test]
    fn a_line_says_what_its_run_was_made_with() {
        let mut out = Vec::new();
        let types = [RecordType::single("link")];
        let mut sink = bare().open(&types, &mut out).expect("no rows asked for");
        sink.bindings(&[("city".to_owned(), "Rome".to_owned()), ("n".to_owned(), "1".to_owned())]);
        sink.record(&node("link", Some("/a"), Vec::new()))
            .expect("a vector takes all");
        sink.bindings(&[]);
        sink.record(&node("link", Some("/b"), Vec::new()))
            .expect("a vector takes all");
        drop(sink);
        let lines = "{\"_bind\":{\"city\":\"Rome\",\"n\":\"1\"},\"link\":\"/a\"}\n{\"link\":\"/b\"}\n";
        assert_eq!(String::from_utf8_lossy(&out), lines);
    }
}

//! JSON: an object on each line, or one array with an object on each line.
//!
//! A line is one top-level record, `{"_record":"book","_page":"https://…","title":"…","review":[{…}]}`. Keys that begin
//! with `_` are added by the sink. The type decides the rest. A field that may have several values is an array, even if
//! it has only one or none. Any other field is a value, and is absent if it is missing. Numbers and booleans are
//! written as such, dates and times by ISO 8601. A value that does not fit its sort is null, and its text is in the object
//! `_misfit`, or as [`OnMisfit`] says. A value extracted at the top level is a record with that one field. The values that
//! a run was made with are an object under `_bind`.
//!
//! In an array the comma comes before the object, at the start of its line. So a file that ends after any line can be
//! continued, or becomes a whole array with one more line, `]`.

use super::{Format, Sink, SinkSpec, is_value, type_of, unknown};
use crate::fit::stranger;
use crate::typed::{Fitting, Path, problem};
use crate::value::children;
use crate::{Cell, Content, Field, OnMisfit, Record, RecordType, Tally};
use std::io::{self, Write};

/// JSON.
pub(super) struct Ndjson<W> {
    out: W,
    types: Vec<RecordType>,
    no_meta: bool,
    /// The records are one array; else lines.
    array: bool,
    /// Is there something before the next record of an array?
    begun: bool,
    /// Is there a record before the next one?
    follows: bool,
    fitting: Fitting,
    /// The member `_bind`, ready to be written.
    bound: Vec<u8>,
    line: Vec<u8>,
}

impl<W: Write> Ndjson<W> {
    pub(super) fn new(out: W, types: &[RecordType], spec: &SinkSpec) -> Ndjson<W> {
        Ndjson {
            out,
            types: types.to_vec(),
            no_meta: spec.no_meta,
            array: spec.format == Format::Json,
            begun: spec.continued,
            follows: spec.continued,
            fitting: Fitting::new(spec.on_misfit),
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
        self.fitting.found.clear();
        if self.array {
            let before: &[u8] = match (self.begun, self.follows) {
                (false, _) => b"[\n",
                (true, false) => b"",
                (true, true) => b",",
            };
            line.extend_from_slice(before);
        }
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
        let mut writing = Writing {
            line,
            fitting: &mut self.fitting,
            top: record,
            path: Path::new(),
        };
        if is_value(kind) {
            push_key(writing.line, &kind.name);
            writing.path.push((&kind.name, None));
            writing.content(&kind.content, record)?;
        } else {
            writing.fields(kind.fields(), record)?;
        }
        if self.fitting.drops() {
            return Ok(());
        }
        if let Some(misfits) = self.fitting.kept() {
            push_key(line, crate::MISFIT);
            line.extend_from_slice(misfits.as_bytes());
        }
        line.extend_from_slice(b"}\n");
        self.out.write_all(line)?;
        (self.begun, self.follows) = (true, true);
        self.fitting.tally.records += 1;
        Ok(())
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
        if self.array {
            self.out.write_all(if self.begun { b"]\n" } else { b"[\n]\n" })?;
        }
        self.out.flush()
    }

    fn tally(&self) -> &Tally {
        &self.fitting.tally
    }
}

/// A line that is being written.
struct Writing<'t, 'w> {
    line: &'w mut Vec<u8>,
    fitting: &'w mut Fitting,
    top: &'w Record,
    path: Path<'t>,
}

impl<'t> Writing<'t, '_> {
    fn fields(&mut self, fields: &'t [Field], record: &Record) -> io::Result<()> {
        let mut written = 0;
        for field in fields {
            let mut found = children(field, record).peekable();
            let many = field.cardinality.may_repeat();
            if found.peek().is_none() && !many {
                continue;
            }
            push_key(self.line, &field.name);
            let first = self.line.len();
            let mut count = 0;
            for child in found {
                if count > 0 {
                    self.line.push(b',');
                }
                self.path.push((&field.name, many.then_some(count)));
                self.content(&field.content, child)?;
                self.path.pop();
                count += 1;
            }
            // More values than the type allows are written, too: a value that does not fit is better than one that is lost.
            if many || count > 1 {
                self.line.insert(first, b'[');
                self.line.push(b']');
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

    fn content(&mut self, content: &'t Content, record: &Record) -> io::Result<()> {
        let kind = match content {
            Content::Record(fields) => {
                self.line.push(b'{');
                self.fields(fields, record)?;
                self.line.push(b'}');
                return Ok(());
            }
            Content::Value(kind) => kind,
        };
        let text = record.value.as_deref().unwrap_or_default();
        if kind.takes_all() {
            push_text(self.line, text);
            return Ok(());
        }
        match kind.cell(text) {
            Ok(Cell::Decimal(number)) => match number.to_i64() {
                Some(whole) => self.line.extend_from_slice(whole.to_string().as_bytes()),
                None => {
                    let number = serde_json::json!(number.to_f64());
                    self.line.extend_from_slice(number.to_string().as_bytes());
                }
            },
            Ok(cell @ (Cell::Integer(_) | Cell::Boolean(_))) => {
                self.line.extend_from_slice(cell.written().as_bytes());
            }
            Ok(cell) => push_text(self.line, &cell.written()),
            Err(why) => {
                self.fitting.misfit(&self.path, text, problem(kind, &why), self.top)?;
                match self.fitting.on {
                    OnMisfit::KeepText => push_text(self.line, text),
                    _ => self.line.extend_from_slice(b"null"),
                }
            }
        }
        Ok(())
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
    use crate::{Cardinality, Sort, Value, ValueType};

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
        record.children.push(node("pages", Some("10"), Vec::new()));
        check(
            &types,
            record.clone(),
            r#"{"title":"A \"B\" & C","pages":10,"tag":[1,2],"review":{"by":"Ada"}}"#,
        );
        // A value that does not fit: null, with its text beside it.
        record.children.pop();
        record.children.push(node("pages", Some("about 10"), Vec::new()));
        record.children.push(node("tag", Some("x"), Vec::new()));
        let misfit = r#""_misfit":{"pages":"about 10","tag[2]":"x"}"#;
        check(
            &types,
            record.clone(),
            &format!(r#"{{"title":"A \"B\" & C","pages":null,"tag":[1,2,null],"review":{{"by":"Ada"}},{misfit}}}"#),
        );
        let on = |on_misfit: OnMisfit| SinkSpec { on_misfit, ..bare() };
        let whole = written(&on(OnMisfit::KeepText), &types, std::slice::from_ref(&record));
        assert!(
            whole.contains(r#""pages":"about 10","tag":[1,2,"x"]"#) && !whole.contains("_misfit"),
            "{whole}"
        );
        let mut out = Vec::new();
        let mut sink = on(OnMisfit::Drop).open(&types, &mut out).expect("no rows");
        sink.record(&record).expect("it is left out");
        sink.record(&book()).expect("a vector takes all");
        let tally = sink.tally().clone();
        assert_eq!(
            (tally.records, tally.dropped, tally.misfits.len(), sink.flushed()),
            (1, 1, 2, 2)
        );
        drop(sink);
        assert_eq!(String::from_utf8_lossy(&out).lines().count(), 1);
        let mut sink = on(OnMisfit::Fail).open(&types, Vec::new()).expect("no rows");
        let error = sink.record(&record).expect_err("an error").to_string();
        assert_eq!(error, "http://x/: `pages`: \"about 10\" is not an integer");
    }

    #[test]
    fn records_may_be_one_array() {
        let spec = SinkSpec {
            format: Format::Json,
            ..bare()
        };
        for count in 0..4 {
            let text = written(&spec, &books(), &vec![book(); count]);
            let read: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
            assert_eq!(read.len(), count, "{text}");
            assert_eq!(text.lines().count(), count + 2, "each record is a line: {text}");
            // Continued after any whole line.
            let lines: Vec<&str> = text.lines().collect();
            let before = lines[..lines.len() - 1].join("\n") + "\n";
            if count > 0 {
                let more = SinkSpec {
                    continued: true,
                    ..spec.clone()
                };
                let text = before + &written(&more, &books(), &[book()]);
                let read: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
                assert_eq!(read.len(), count + 1, "{text}");
            }
        }
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

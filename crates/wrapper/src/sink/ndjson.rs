//! Lines of JSON.
//!
//! A line is one top-level record, `{"_record":"book","_page":"https://…","title":"…","review":[{…}]}`. Keys that begin
//! with `_` are ours. A field with one value is a string, with several an array of strings; nested records are always
//! arrays under their marker's name; a missing field is absent. A value extracted at the top level is a record with that
//! one field. The values that a run was made with are an object under `_bind`.
//!
//! Where a user gave a schema, it decides: what it repeats is an array, a single record inside of another an object, and
//! numbers and truth values are such. A value that is not of its type is written as text.

use super::{Shape, Sink};
use crate::model::{Content, Member, Model, VALUE};
use record::Record;
use std::io::{self, Write};

/// Lines of JSON.
pub struct Ndjson<W> {
    out: W,
    shape: Shape,
    /// The member `_bind`, ready to be written.
    bound: Vec<u8>,
    line: Vec<u8>,
    /// What a user wants a record to be like.
    content: Option<Content>,
}

impl<W: Write> Ndjson<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W, shape: Shape) -> Ndjson<W> {
        Ndjson {
            out,
            shape,
            bound: Vec::new(),
            line: Vec::new(),
            content: None,
        }
    }

    /// A sink whose records are as a user's schema has them; `--arrays` goes before it.
    pub fn by(out: W, shape: Shape, model: &Model) -> Ndjson<W> {
        Ndjson {
            content: (!shape.arrays).then(|| model.record().1.clone()),
            ..Ndjson::new(out, shape)
        }
    }
}

impl<W: Write> Sink for Ndjson<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        line.push(b'{');
        if !self.shape.no_meta {
            push_key(line, "_record");
            push_text(line, &record.name);
            push_key(line, "_page");
            push_text(line, &record.page);
        }
        if !self.bound.is_empty() {
            push_key(line, "_bind");
            line.extend_from_slice(&self.bound);
        }
        if let Some(Content::Members(members)) = &self.content {
            push_members(line, members, record);
            line.extend_from_slice(b"}\n");
            return self.out.write_all(line);
        }
        match &record.value {
            Some(_) if record.children.is_empty() => push_fields(line, std::slice::from_ref(record), self.shape),
            _ => push_fields(line, &record.children, self.shape),
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

/// The children of a record as members of an object, grouped by name in the order of their first appearance.
fn push_fields(line: &mut Vec<u8>, children: &[Record], shape: Shape) {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for child in children {
        match names.iter_mut().find(|(name, _)| *name == child.name) {
            Some((_, count)) => *count += 1,
            None => names.push((&child.name, 1)),
        }
    }
    for (name, count) in names {
        push_key(line, name);
        let mut same = children.iter().filter(|child| child.name == name);
        if count == 1
            && !shape.arrays
            && let Some(one) = same.clone().next()
            && one.value.is_some()
            && one.children.is_empty()
        {
            push_node(line, one, shape);
            continue;
        }
        line.push(b'[');
        if let Some(first) = same.next() {
            push_node(line, first, shape);
        }
        for node in same {
            line.push(b',');
            push_node(line, node, shape);
        }
        line.push(b']');
    }
}

/// What a record has of the members of a schema.
fn push_members(line: &mut Vec<u8>, members: &[Member], record: &Record) {
    for member in members {
        let own = (member.name == VALUE && record.value.is_some()).then_some(record);
        let found: Vec<&Record> = match own {
            Some(own) => vec![own],
            None => record
                .children
                .iter()
                .filter(|child| child.name == member.name)
                .collect(),
        };
        if member.times.may_repeat() {
            push_key(line, &member.name);
            line.push(b'[');
            for (number, child) in found.iter().enumerate() {
                if number > 0 {
                    line.push(b',');
                }
                push_content(line, &member.content, child);
            }
            line.push(b']');
        } else if let Some(child) = found.first() {
            push_key(line, &member.name);
            push_content(line, &member.content, child);
        }
    }
}

fn push_content(line: &mut Vec<u8>, content: &Content, record: &Record) {
    match content {
        Content::Text(text) => {
            let value = record.value.as_deref().unwrap_or_default();
            match text.typed(value) {
                Some(typed) => line.extend_from_slice(typed.to_string().as_bytes()),
                None => push_text(line, value),
            }
        }
        Content::Members(members) => {
            line.push(b'{');
            push_members(line, members, record);
            line.push(b'}');
        }
    }
}

fn push_node(line: &mut Vec<u8>, node: &Record, shape: Shape) {
    match &node.value {
        Some(value) if node.children.is_empty() => push_text(line, value),
        value => {
            line.push(b'{');
            if let Some(value) = value {
                push_key(line, "_value");
                push_text(line, value);
            }
            push_fields(line, &node.children, shape);
            line.push(b'}');
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
    // A vector takes all, and text is always JSON.
    let _ = serde_json::to_writer(line, text);
}

#[cfg(test)]
mod tests {
    use super::super::{book, node, written};
    use super::*;

    #[track_caller]
    fn check(record: Record, shape: Shape, expected: &str) {
        let mut out = Vec::new();
        written(&mut out, &[record], |out| Box::new(Ndjson::new(out, shape)));
        assert_eq!(String::from_utf8_lossy(&out), format!("{expected}\n"));
    }

    const BARE: Shape = Shape {
        no_meta: true,
        arrays: false,
    };

    #[test]
    fn a_line_is_a_record() {
        let fields = r#""title":"A \"B\" & C","tag":["1","2"],"review":[{"by":"Ada"}]"#;
        let line = format!("{{\"_record\":\"book\",\"_page\":\"http://x/\",{fields}}}");
        check(book(), Shape::default(), &line);
        check(book(), BARE, &format!("{{{fields}}}"));
        let arrays = Shape { arrays: true, ..BARE };
        let line = r#"{"title":["A \"B\" & C"],"tag":["1","2"],"review":[{"by":["Ada"]}]}"#;
        check(book(), arrays, line);
        check(node("link", Some("/a"), Vec::new()), BARE, r#"{"link":"/a"}"#);
        check(node("empty", None, Vec::new()), BARE, "{}");
    }

    #[test]
    fn a_schema_decides_what_is_a_list_and_what_a_number() {
        let model = crate::model::from_json_schema(
            r#"{"type": "object", "properties": {"title": {"type": "string"}, "pages": {"type": "integer"},
                "tag": {"type": "array", "items": {"type": "integer"}}, "note": {"type": "array", "items": {"type": "string"}},
                "review": {"type": "object", "properties": {"by": {"type": "string"}}}}}"#,
        )
        .expect("a schema");
        let mut record = book();
        record.children.push(node("pages", Some("about 10"), Vec::new()));
        let mut out = Vec::new();
        written(&mut out, &[record], |out| Box::new(Ndjson::by(out, BARE, &model)));
        assert_eq!(
            String::from_utf8_lossy(&out),
            "{\"title\":\"A \\\"B\\\" & C\",\"pages\":\"about 10\",\"tag\":[1,2],\"note\":[],\"review\":{\"by\":\"Ada\"}}\n"
        );
    }

    #[test]
    fn a_line_says_what_its_run_was_made_with() {
        let mut out = Vec::new();
        let mut sink = Ndjson::new(&mut out, BARE);
        sink.bindings(&[("city".to_owned(), "Rome".to_owned()), ("n".to_owned(), "1".to_owned())]);
        sink.record(&node("link", Some("/a"), Vec::new()))
            .expect("a vector takes all");
        sink.bindings(&[]);
        sink.record(&node("link", Some("/b"), Vec::new()))
            .expect("a vector takes all");
        let lines = "{\"_bind\":{\"city\":\"Rome\",\"n\":\"1\"},\"link\":\"/a\"}\n{\"link\":\"/b\"}\n";
        assert_eq!(String::from_utf8_lossy(&out), lines);
    }
}

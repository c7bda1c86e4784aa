//! Records as text: lines of JSON, or one XML document.
//!
//! A sink writes each top-level record as it comes and keeps none, so output streams however long a run is.
//!
//! **NDJSON**: a line is one top-level record, `{"_record":"book","_page":"https://…","title":"…","review":[{…}]}`. Keys
//! that begin with `_` are ours. A field with one value is a string, with several an array of strings; nested records
//! are always arrays under their marker's name; a missing field is absent. A value extracted at the top level is a record
//! with that one field.
//!
//! **XML**: the paper's output tree, an element for every output node, below `results`. Names that XML cannot spell have
//! the offending characters written as `_xHHHH_`.

use oxpath::run::Record;
use std::io::{self, Write};

/// How records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// No keys of ours: `_record`, `_page`.
    pub no_meta: bool,
    /// Every field is an array, whatever the number of its values.
    pub arrays: bool,
}

/// Something that records are written to.
pub trait Sink {
    /// Writes a top-level record.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    fn record(&mut self, record: &Record) -> io::Result<()>;

    /// Writes what must stand behind the last record, and flushes.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    fn finish(&mut self) -> io::Result<()>;
}

/// Lines of JSON.
pub struct Ndjson<W> {
    out: W,
    shape: Shape,
}

impl<W: Write> Ndjson<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W, shape: Shape) -> Ndjson<W> {
        Ndjson { out, shape }
    }
}

impl<W: Write> Sink for Ndjson<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let mut line = String::from("{");
        if !self.shape.no_meta {
            push_key(&mut line, "_record");
            push_text(&mut line, &record.name);
            push_key(&mut line, "_page");
            push_text(&mut line, &record.page);
        }
        match &record.value {
            Some(_) if record.children.is_empty() => push_fields(&mut line, &[record], self.shape),
            _ => push_fields(&mut line, &record.children.iter().collect::<Vec<_>>(), self.shape),
        }
        line.push_str("}\n");
        self.out.write_all(line.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The children of a record as members of an object, grouped by name in the order of their first appearance.
fn push_fields(line: &mut String, children: &[&Record], shape: Shape) {
    let mut names: Vec<&str> = Vec::new();
    for child in children {
        if !names.contains(&child.name.as_str()) {
            names.push(&child.name);
        }
    }
    for name in names {
        push_key(line, name);
        let same: Vec<&&Record> = children.iter().filter(|child| child.name == name).collect();
        match &same[..] {
            [one] if one.value.is_some() && one.children.is_empty() && !shape.arrays => push_node(line, one, shape),
            many => {
                line.push('[');
                for (at, node) in many.iter().enumerate() {
                    if at > 0 {
                        line.push(',');
                    }
                    push_node(line, node, shape);
                }
                line.push(']');
            }
        }
    }
}

fn push_node(line: &mut String, node: &Record, shape: Shape) {
    match &node.value {
        Some(value) if node.children.is_empty() => push_text(line, value),
        value => {
            line.push('{');
            if let Some(value) = value {
                push_key(line, "_value");
                push_text(line, value);
            }
            push_fields(line, &node.children.iter().collect::<Vec<_>>(), shape);
            line.push('}');
        }
    }
}

fn push_key(line: &mut String, key: &str) {
    if !line.ends_with('{') {
        line.push(',');
    }
    push_text(line, key);
    line.push(':');
}

fn push_text(line: &mut String, text: &str) {
    line.push_str(&serde_json::Value::from(text).to_string());
}

/// One XML document.
pub struct Xml<W> {
    out: W,
    begun: bool,
}

impl<W: Write> Xml<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Xml<W> {
        Xml { out, begun: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.out
                .write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>\n")?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for Xml<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let mut text = String::new();
        push_element(&mut text, record, 1);
        self.out.write_all(text.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.write_all(b"</results>\n")?;
        self.out.flush()
    }
}

fn push_element(text: &mut String, record: &Record, depth: usize) {
    let indent = "  ".repeat(depth);
    let name = page::xml_name(&record.name);
    let value = page::xml_text(record.value.as_deref().unwrap_or_default());
    if record.children.is_empty() {
        text.push_str(&format!("{indent}<{name}>{value}</{name}>\n"));
        return;
    }
    text.push_str(&format!("{indent}<{name}>{value}\n"));
    for child in &record.children {
        push_element(text, child, depth + 1);
    }
    text.push_str(&format!("{indent}</{name}>\n"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::NodeId;

    fn node(name: &str, value: Option<&str>, children: Vec<Record>) -> Record {
        Record {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            children,
            page: "http://x/".into(),
            node: NodeId::DOCUMENT,
        }
    }

    fn book() -> Record {
        let review = node("review", None, vec![node("by", Some("Ada"), Vec::new())]);
        node(
            "book",
            None,
            vec![
                node("title", Some("A \"B\" & C"), Vec::new()),
                node("tag", Some("1"), Vec::new()),
                review,
                node("tag", Some("2"), Vec::new()),
            ],
        )
    }

    fn ndjson(record: &Record, shape: Shape) -> String {
        let mut out = Vec::new();
        let mut sink = Ndjson::new(&mut out, shape);
        sink.record(record).expect("a vector takes all");
        sink.finish().expect("a vector takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_line_is_a_record() {
        let fields = r#""title":"A \"B\" & C","tag":["1","2"],"review":[{"by":"Ada"}]"#;
        let line = format!("{{\"_record\":\"book\",\"_page\":\"http://x/\",{fields}}}\n");
        assert_eq!(ndjson(&book(), Shape::default()), line);
        let bare = Shape {
            no_meta: true,
            arrays: false,
        };
        assert_eq!(ndjson(&book(), bare), format!("{{{fields}}}\n"));
        let arrays = Shape {
            no_meta: true,
            arrays: true,
        };
        let line = "{\"title\":[\"A \\\"B\\\" & C\"],\"tag\":[\"1\",\"2\"],\"review\":[{\"by\":[\"Ada\"]}]}\n";
        assert_eq!(ndjson(&book(), arrays), line);
        assert_eq!(
            ndjson(&node("link", Some("/a"), Vec::new()), bare),
            "{\"link\":\"/a\"}\n"
        );
    }

    #[test]
    fn xml_is_the_output_tree() {
        let mut out = Vec::new();
        let mut sink = Xml::new(&mut out);
        sink.record(&book()).expect("a vector takes all");
        sink.finish().expect("a vector takes all");
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>\n  <book>\n    <title>A \"B\" &amp; C</title>\n    \
                        <tag>1</tag>\n    <review>\n      <by>Ada</by>\n    </review>\n    <tag>2</tag>\n  </book>\n</results>\n";
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }

    #[test]
    fn no_records_are_an_empty_document() {
        let mut out = Vec::new();
        Xml::new(&mut out).finish().expect("a vector takes all");
        assert!(
            String::from_utf8(out)
                .expect("text")
                .ends_with("<results>\n</results>\n")
        );
    }
}

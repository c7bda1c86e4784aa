//! One XML document.
//!
//! The paper's output tree: an element for every output node, below `results`. Names that XML cannot spell have the
//! offending characters written as `_xHHHH_`, and different names stay different. The values that a run was made with are
//! attributes of top-level elements.
//!
//! Where a user gave a schema, the document is one of that schema: its root is what the schema has around records, and its
//! attributes are such. If nothing is around them, a record alone is the document, and several are below `results`.

use super::Sink;
use crate::model::{Content, Model};
use record::Record;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// One XML document.
pub struct Xml<W> {
    out: W,
    begun: bool,
    /// Attributes of the values that the run was made with.
    bound: String,
    /// The element around records; none if a record alone is a document.
    root: Option<String>,
    /// The first record, kept back while it may stay the only one.
    only: Option<Record>,
    /// Elements and their attributes.
    attributes: BTreeSet<(String, String)>,
}

impl<W: Write> Xml<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Xml<W> {
        Xml {
            out,
            begun: false,
            bound: String::new(),
            root: Some("results".to_owned()),
            only: None,
            attributes: BTreeSet::new(),
        }
    }

    /// A sink whose document is as a user's schema has it.
    pub fn by(out: W, model: &Model) -> Xml<W> {
        let mut attributes = BTreeSet::new();
        let (name, content) = model.record();
        find_attributes(name, content, &mut attributes);
        Xml {
            root: model.document().map(page::xml_name),
            attributes,
            ..Xml::new(out)
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
            if let Some(root) = &self.root {
                self.out.write_all(format!("<{root}>\n").as_bytes())?;
            }
        }
        Ok(())
    }

    fn write(&mut self, record: &Record, depth: usize) -> io::Result<()> {
        self.begin()?;
        let mut text = String::new();
        push_element(&mut text, record, &self.bound, &self.attributes, depth);
        self.out.write_all(text.as_bytes())
    }
}

fn find_attributes(name: &str, content: &Content, out: &mut BTreeSet<(String, String)>) {
    let Content::Members(members) = content else { return };
    for member in members {
        match member.attribute {
            true => {
                out.insert((name.to_owned(), member.name.clone()));
            }
            false => find_attributes(&member.name, &member.content, out),
        }
    }
}

/// A value between double quotes. What is not written as a reference, a parser takes for a space.
fn quoted(value: &str) -> String {
    page::xml_text(value)
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}

impl<W: Write> Sink for Xml<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        if self.root.is_none() && !self.begun {
            match self.only.take() {
                None => {
                    self.only = Some(record.clone());
                    return Ok(());
                }
                Some(first) => {
                    self.root = Some("results".to_owned());
                    self.write(&first, 1)?;
                }
            }
        }
        self.write(record, 1)
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound = bindings
            .iter()
            .map(|(name, value)| format!(" {}=\"{}\"", page::xml_name(name), quoted(value)))
            .collect();
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(only) = self.only.take() {
            self.write(&only, 0)?;
            return self.out.flush();
        }
        if self.root.is_none() && !self.begun {
            self.root = Some("results".to_owned());
        }
        self.begin()?;
        if let Some(root) = &self.root {
            self.out.write_all(format!("</{root}>\n").as_bytes())?;
        }
        self.out.flush()
    }
}

fn push_element(
    text: &mut String,
    record: &Record,
    bound: &str,
    attributes: &BTreeSet<(String, String)>,
    depth: usize,
) {
    let indent = "  ".repeat(depth);
    let name = page::xml_name(&record.name);
    let value = page::xml_text(record.value.as_deref().unwrap_or_default());
    let is_attribute =
        |child: &&Record| !attributes.is_empty() && attributes.contains(&(record.name.clone(), child.name.clone()));
    let own: String = record
        .children
        .iter()
        .filter(is_attribute)
        .map(|child| {
            let value = quoted(child.value.as_deref().unwrap_or_default());
            format!(" {}=\"{value}\"", page::xml_name(&child.name))
        })
        .collect();
    let mut inside = record.children.iter().filter(|child| !is_attribute(child)).peekable();
    if inside.peek().is_none() {
        text.push_str(&format!("{indent}<{name}{bound}{own}>{value}</{name}>\n"));
        return;
    }
    text.push_str(&format!("{indent}<{name}{bound}{own}>{value}\n"));
    for child in inside {
        push_element(text, child, "", attributes, depth + 1);
    }
    text.push_str(&format!("{indent}</{name}>\n"));
}

#[cfg(test)]
mod tests {
    use super::super::{book, written};
    use super::*;

    #[test]
    fn xml_is_the_output_tree() {
        let mut out = Vec::new();
        written(&mut out, &[book()], |out| Box::new(Xml::new(out)));
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>\n  <book>\n    <title>A \"B\" &amp; C</title>\n    \
                        <tag>1</tag>\n    <review>\n      <by>Ada</by>\n    </review>\n    <tag>2</tag>\n  </book>\n</results>\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn no_records_are_an_empty_document() {
        let mut out = Vec::new();
        written(&mut out, &[], |out| Box::new(Xml::new(out)));
        assert!(String::from_utf8_lossy(&out).ends_with("<results>\n</results>\n"));
    }

    #[test]
    fn a_schema_decides_what_is_around_and_what_an_attribute() {
        let dtd = |root: &str| {
            let text = format!(
                "{root}<!ELEMENT book (title, tag*, review?)><!ATTLIST book id CDATA #REQUIRED><!ELEMENT title (#PCDATA)>
                 <!ELEMENT tag (#PCDATA)><!ELEMENT review (by)><!ELEMENT by (#PCDATA)>"
            );
            crate::model::from_dtd(&text).expect("a schema")
        };
        let mut record = book();
        record.children.push(super::super::node("id", Some("a\"1"), Vec::new()));
        let made = |model: &Model, count: usize| {
            let mut out = Vec::new();
            let records = vec![record.clone(); count];
            written(&mut out, &records, |out| Box::new(Xml::by(out, model)));
            String::from_utf8_lossy(&out).into_owned()
        };
        let shelf = made(&dtd("<!ELEMENT shelf (book+)>"), 2);
        assert!(
            shelf.contains("?>\n<shelf>\n  <book id=\"a&quot;1\">\n    <title>"),
            "{shelf}"
        );
        assert!(shelf.ends_with("</book>\n</shelf>\n"), "{shelf}");
        let alone = made(&dtd(""), 1);
        assert!(alone.contains("?>\n<book id=\"a&quot;1\">\n"), "{alone}");
        assert!(made(&dtd(""), 2).contains("<results>\n  <book"));
        assert!(made(&dtd(""), 0).ends_with("<results>\n</results>\n"));
    }

    #[test]
    fn elements_say_what_their_run_was_made_with() {
        let mut out = Vec::new();
        let mut sink = Xml::new(&mut out);
        sink.bindings(&[("a city".to_owned(), "\"R&me\"".to_owned())]);
        sink.record(&book()).expect("a vector takes all");
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(
            text.contains("<book a_x0020_city=\"&quot;R&amp;me&quot;\">\n    <title>"),
            "{text}"
        );
        let mut out = Vec::new();
        let mut sink = Xml::new(&mut out);
        let bind = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        sink.bindings(&[bind("a b", "1\n2"), bind("a_x0020_b", "\t3\r")]);
        sink.record(&book()).expect("a vector takes all");
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(
            text.contains("<book a_x0020_b=\"1&#10;2\" a_x005F_x0020_b=\"&#9;3&#13;\">"),
            "{text}"
        );
    }
}

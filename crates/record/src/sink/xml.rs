//! One XML document.
//!
//! This is the output tree of the paper: an element for every output node, below `results`. In names that XML cannot
//! spell, the offending characters are written as `_xHHHH_`, and different names stay different. The values that a run
//! was made with are attributes of top-level elements. Numbers have a decimal point, dates and times are those of ISO 8601; a
//! value that does not fit is an empty element, and its text is in an element `_misfit` at the end of its record.
//!
//! If a user gave a schema, the document is valid for that schema: its root is the element that the schema has around
//! records, and attributes of the schema are written as attributes. If the schema has nothing around records, a single
//! record is the document, and several are below `results`.

use super::{Sink, SinkSpec};
use crate::typed::Fitting;
use crate::{Field, Record, RecordType, Tally, XmlRoot};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// One XML document.
pub(super) struct Xml<W> {
    out: W,
    types: Vec<RecordType>,
    fitting: Fitting,
    begun: bool,
    /// Attributes of the values that the run was made with.
    bound: String,
    /// The element around records; `None` if a single record is a document.
    root: Option<String>,
    /// The first record, held back as long as it may be the only one.
    only: Option<Record>,
    /// Elements and their attributes.
    attributes: BTreeSet<(String, String)>,
}

impl<W: Write> Xml<W> {
    /// A sink that writes to `out`. If there is one type, from a user's schema, it decides what the document is.
    pub(super) fn new(out: W, types: &[RecordType], spec: &SinkSpec) -> Xml<W> {
        let mut attributes = BTreeSet::new();
        for kind in types {
            find_attributes(&kind.name, kind.fields(), &mut attributes);
        }
        let root = match types {
            [
                RecordType {
                    root: XmlRoot::Record, ..
                },
            ] => None,
            [
                RecordType {
                    root: XmlRoot::Element(name),
                    ..
                },
            ] => Some(page::xml_name(name)),
            _ => Some("results".to_owned()),
        };
        Xml {
            out,
            types: types.to_vec(),
            fitting: Fitting::new(spec.on_misfit),
            begun: spec.continued,
            bound: String::new(),
            root,
            only: None,
            attributes,
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

fn find_attributes(name: &str, fields: &[Field], out: &mut BTreeSet<(String, String)>) {
    for field in fields {
        match field.attribute {
            true => {
                out.insert((name.to_owned(), field.name.clone()));
            }
            false => find_attributes(&field.name, field.content.fields(), out),
        }
    }
}

/// A value between double quotes. White space that is not written as a reference would become a space in a parser.
fn quoted(value: &str) -> String {
    page::xml_text(value)
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}

impl<W: Write> Sink for Xml<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let kind = self.types.iter().find(|kind| kind.name == record.name);
        let fitted = match kind {
            Some(kind) => match self.fitting.canonical(kind, record)? {
                Some(fitted) => fitted,
                None => return Ok(()),
            },
            None => std::borrow::Cow::Borrowed(record),
        };
        let record = fitted.as_ref();
        self.fitting.tally.records += 1;
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

    fn tally(&self) -> &Tally {
        &self.fitting.tally
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
    use super::super::{Format, SinkSpec, written};
    use super::*;
    use crate::testing::{book, books, node};

    fn xml(types: &[RecordType], records: &[Record]) -> String {
        let spec = SinkSpec {
            format: Format::Xml,
            ..SinkSpec::default()
        };
        written(&spec, types, records)
    }

    #[test]
    fn xml_is_the_output_tree() {
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>\n  <book>\n    <title>A \"B\" &amp; C</title>\n    \
                        <tag>1</tag>\n    <review>\n      <by>Ada</by>\n    </review>\n    <tag>2</tag>\n  </book>\n</results>\n";
        assert_eq!(xml(&books(), &[book()]), expected);
    }

    #[test]
    fn no_records_are_an_empty_document() {
        assert!(xml(&books(), &[]).ends_with("<results>\n</results>\n"));
    }

    #[test]
    fn a_schema_decides_what_is_around_and_what_an_attribute() {
        let mut id = Field::text("id");
        id.attribute = true;
        let kind = |root: XmlRoot| {
            let mut fields = books().remove(0).fields().to_vec();
            fields.push(id.clone());
            vec![RecordType {
                root,
                ..RecordType::new("book", fields)
            }]
        };
        let mut record = book();
        record.children.push(node("id", Some("a\"1"), Vec::new()));
        let shelf = xml(
            &kind(XmlRoot::Element("shelf".to_owned())),
            &[record.clone(), record.clone()],
        );
        assert!(
            shelf.contains("?>\n<shelf>\n  <book id=\"a&quot;1\">\n    <title>"),
            "{shelf}"
        );
        assert!(shelf.ends_with("</book>\n</shelf>\n"), "{shelf}");
        let alone = kind(XmlRoot::Record);
        let one = xml(&alone, std::slice::from_ref(&record));
        assert!(one.contains("?>\n<book id=\"a&quot;1\">\n"), "{one}");
        assert!(xml(&alone, &[record.clone(), record]).contains("<results>\n  <book"));
        assert!(xml(&alone, &[]).ends_with("<results>\n</results>\n"));
    }

    #[test]
    fn elements_say_what_their_run_was_made_with() {
        let bind = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let bound = |bindings: &[(String, String)]| {
            let mut out = Vec::new();
            let mut sink = Xml::new(&mut out, &books(), &SinkSpec::default());
            sink.bindings(bindings);
            sink.record(&book()).expect("a vector takes all");
            String::from_utf8(out).expect("text")
        };
        let text = bound(&[bind("a city", "\"R&me\"")]);
        assert!(
            text.contains("<book a_x0020_city=\"&quot;R&amp;me&quot;\">\n    <title>"),
            "{text}"
        );
        let text = bound(&[bind("a b", "1\n2"), bind("a_x0020_b", "\t3\r")]);
        assert!(
            text.contains("<book a_x0020_b=\"1&#10;2\" a_x005F_x0020_b=\"&#9;3&#13;\">"),
            "{text}"
        );
    }
}

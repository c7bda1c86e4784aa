//! One XML document.
//!
//! The paper's output tree: an element for every output node, below `results`. Names that XML cannot spell have the
//! offending characters written as `_xHHHH_`, and different names stay different. The values that a run was made with are attributes of top-level elements.

use super::Sink;
use oxpath::run::Record;
use std::io::{self, Write};

/// One XML document.
pub struct Xml<W> {
    out: W,
    begun: bool,
    /// Attributes of the values that the run was made with.
    bound: String,
}

impl<W: Write> Xml<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Xml<W> {
        Xml {
            out,
            begun: false,
            bound: String::new(),
        }
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
        push_element(&mut text, record, &self.bound, 1);
        self.out.write_all(text.as_bytes())
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound = bindings
            .iter()
            .map(|(name, value)| {
                // What is not written as a reference, a parser takes for a space.
                let value = page::xml_text(value)
                    .replace('"', "&quot;")
                    .replace('\n', "&#10;")
                    .replace('\t', "&#9;");
                format!(" {}=\"{value}\"", page::xml_name(name))
            })
            .collect();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.write_all(b"</results>\n")?;
        self.out.flush()
    }
}

fn push_element(text: &mut String, record: &Record, attributes: &str, depth: usize) {
    let indent = "  ".repeat(depth);
    let name = page::xml_name(&record.name);
    let value = page::xml_text(record.value.as_deref().unwrap_or_default());
    if record.children.is_empty() {
        text.push_str(&format!("{indent}<{name}{attributes}>{value}</{name}>\n"));
        return;
    }
    text.push_str(&format!("{indent}<{name}{attributes}>{value}\n"));
    for child in &record.children {
        push_element(text, child, "", depth + 1);
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

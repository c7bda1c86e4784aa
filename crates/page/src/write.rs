//! Writes a page, or a part of it, as HTML or as well-formed XML.
//!
//! HTML follows the standard's fragment serialisation (13.3). As there, the text need not parse back to the same tree:
//! HTML has trees that no text gives, such as a `p` inside a `p`.
//!
//! XML is for querying the same tree with another XPath engine, so every node is written as one node of its kind in no
//! namespace. The price is that things which XML cannot represent are changed. In names that are not XML names, that
//! contain a colon or begin with `xmlns`, the offending characters are written as `_xHHHH_`; characters that XML
//! forbids become U+FFFD; a comment gets a space after a dash that XML would not allow. The document type is left out.
//!
//! Both walk the columns with a stack of open elements, in linear time and without recursion.

use crate::name::{Namespace, known};
use crate::scratch::Doctype;
use crate::tree::{Kind, NodeId, Page};
use std::fmt::Write;

impl Page {
    /// A node as HTML: the document with its doctype, an element with its tags, text escaped, an attribute as
    /// `name="value"`.
    pub fn to_html(&self, node: NodeId) -> String {
        let mut out = String::new();
        if let (Kind::Document, Some(doctype)) = (self.kind(node), self.doctype()) {
            push_doctype(&mut out, doctype);
        }
        self.write_nodes(&mut out, node.0..self.end(node).0, &Html);
        out
    }

    /// The document as HTML, without some of its nodes and all that is inside of them.
    pub fn to_html_without(&self, left_out: &[NodeId]) -> String {
        let mut out = String::new();
        if let Some(doctype) = self.doctype() {
            push_doctype(&mut out, doctype);
        }
        let mut left_out = left_out.to_vec();
        left_out.sort_unstable();
        self.write_nodes_without(&mut out, 0..self.end(NodeId::DOCUMENT).0, &left_out, &Html);
        out
    }

    /// The content of an element as HTML.
    pub fn inner_html(&self, node: NodeId) -> String {
        let mut out = String::new();
        self.write_nodes(&mut out, self.styles(node).end..self.end(node).0, &Html);
        out
    }

    /// A node as well-formed XML; the document has an XML declaration.
    pub fn to_xml(&self, node: NodeId) -> String {
        let mut out = String::new();
        if self.kind(node) == Kind::Document {
            out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        }
        self.write_nodes(&mut out, node.0..self.end(node).0, &Xml);
        out
    }

    fn write_nodes(&self, out: &mut String, range: std::ops::Range<u32>, form: &impl Form) {
        self.write_nodes_without(out, range, &[], form);
    }

    /// The same without the nodes `left_out`, which are in page order.
    fn write_nodes_without(
        &self,
        out: &mut String,
        range: std::ops::Range<u32>,
        left_out: &[NodeId],
        form: &impl Form,
    ) {
        let mut open: Vec<NodeId> = Vec::new();
        let mut at = range.start;
        loop {
            while let Some(&element) = open.last()
                && at >= self.end(element).0
            {
                form.end(out, self, element);
                open.pop();
            }
            if at >= range.end {
                return;
            }
            let node = NodeId(at);
            if left_out.binary_search(&node).is_ok() {
                at = self.end(node).0;
                continue;
            }
            at += 1;
            match self.kind(node) {
                Kind::Document => {}
                Kind::Element => {
                    let attributes = self.attributes(node);
                    at = self.styles(node).end;
                    form.start(out, self, node, attributes.map(NodeId));
                    open.push(node);
                }
                Kind::Text => form.text(out, self, node),
                Kind::Comment => form.comment(out, self.string_value(node)),
                Kind::Attribute => form.attribute(out, self, node),
            }
        }
    }
}

/// The two formats in which a page is written.
trait Form {
    fn start(&self, out: &mut String, page: &Page, node: NodeId, attributes: impl Iterator<Item = NodeId>);
    fn attribute(&self, out: &mut String, page: &Page, node: NodeId);
    fn text(&self, out: &mut String, page: &Page, node: NodeId);
    fn comment(&self, out: &mut String, text: &str);
    fn end(&self, out: &mut String, page: &Page, node: NodeId);
}

struct Html;

impl Form for Html {
    fn start(&self, out: &mut String, page: &Page, node: NodeId, attributes: impl Iterator<Item = NodeId>) {
        out.push('<');
        out.push_str(page.name(node));
        for attribute in attributes {
            out.push(' ');
            self.attribute(out, page, attribute);
        }
        out.push('>');
    }

    fn attribute(&self, out: &mut String, page: &Page, node: NodeId) {
        out.push_str(page.name(node));
        out.push_str("=\"");
        escape(out, page.string_value(node), |c| match c {
            '&' => Some("&amp;"),
            '\u{A0}' => Some("&nbsp;"),
            '"' => Some("&quot;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            _ => None,
        });
        out.push('"');
    }

    fn text(&self, out: &mut String, page: &Page, node: NodeId) {
        let text = page.string_value(node);
        if page.parent(node).is_some_and(|parent| is_raw_text(page, parent)) {
            out.push_str(text);
        } else {
            escape(out, text, |c| match c {
                '&' => Some("&amp;"),
                '\u{A0}' => Some("&nbsp;"),
                '<' => Some("&lt;"),
                '>' => Some("&gt;"),
                _ => None,
            });
        }
    }

    fn comment(&self, out: &mut String, text: &str) {
        out.push_str("<!--");
        out.push_str(text);
        out.push_str("-->");
    }

    fn end(&self, out: &mut String, page: &Page, node: NodeId) {
        if !is_void(page, node) {
            out.push_str("</");
            out.push_str(page.name(node));
            out.push('>');
        }
    }
}

struct Xml;

impl Form for Xml {
    fn start(&self, out: &mut String, page: &Page, node: NodeId, attributes: impl Iterator<Item = NodeId>) {
        out.push('<');
        push_xml_name(out, page.name(node));
        for attribute in attributes {
            out.push(' ');
            self.attribute(out, page, attribute);
        }
        // An element without content is one tag; `end` then writes nothing.
        out.push_str(if page.first_child(node).is_some() { ">" } else { "/>" });
    }

    fn attribute(&self, out: &mut String, page: &Page, node: NodeId) {
        push_xml_name(out, page.name(node));
        out.push_str("=\"");
        escape(out, page.string_value(node), |c| match c {
            '"' => Some("&quot;"),
            // A parser would turn these into spaces.
            '\t' => Some("&#9;"),
            '\n' => Some("&#10;"),
            c => escape_for_xml(c),
        });
        out.push('"');
    }

    fn text(&self, out: &mut String, page: &Page, node: NodeId) {
        escape(out, page.string_value(node), escape_for_xml);
    }

    fn comment(&self, out: &mut String, text: &str) {
        out.push_str("<!--");
        let mut dash = false;
        for c in text.chars() {
            if c == '-' && dash {
                out.push(' ');
            }
            dash = c == '-';
            out.push(match c {
                '\r' => '\n',
                c if is_xml_char(c) => c,
                _ => '\u{FFFD}',
            });
        }
        out.push_str(if dash { " -->" } else { "-->" });
    }

    fn end(&self, out: &mut String, page: &Page, node: NodeId) {
        if page.first_child(node).is_some() {
            out.push_str("</");
            push_xml_name(out, page.name(node));
            out.push('>');
        }
    }
}

fn push_doctype(out: &mut String, doctype: &Doctype) {
    out.push_str("<!DOCTYPE ");
    out.push_str(&doctype.name);
    if !doctype.public_id.is_empty() {
        let _ = write!(out, " PUBLIC \"{}\"", doctype.public_id);
    } else if !doctype.system_id.is_empty() {
        out.push_str(" SYSTEM");
    }
    if !doctype.system_id.is_empty() {
        let _ = write!(out, " \"{}\"", doctype.system_id);
    }
    out.push('>');
}

fn escape(out: &mut String, text: &str, replace: impl Fn(char) -> Option<&'static str>) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if let Some(with) = replace(c) {
            out.push_str(&text[from..at]);
            out.push_str(with);
            from = at + c.len_utf8();
        }
    }
    out.push_str(&text[from..]);
}

fn escape_for_xml(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#13;"),
        c if is_xml_char(c) => None,
        _ => Some("\u{FFFD}"),
    }
}

/// XML 1.0, production 2.
fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..) && !('\u{FFFE}'..='\u{FFFF}').contains(&c)
}

/// XML 1.0, productions 4 and 4a, without the colon.
fn is_xml_name_char(c: char, first: bool) -> bool {
    match c {
        'A'..='Z' | 'a'..='z' | '_' => true,
        '0'..='9' | '-' | '.' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}' => !first,
        '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}' => true,
        _ => false,
    }
}

fn push_xml_name(out: &mut String, name: &str) {
    let reserved = name.starts_with("xmlns");
    for (at, c) in name.char_indices() {
        let escape = c == '_' && looks_escaped(&name[at + 1..]);
        if is_xml_name_char(c, at == 0) && !(reserved && at == 0) && !escape {
            out.push(c);
        } else {
            let _ = write!(out, "_x{:04X}_", c as u32);
        }
    }
}

/// Could this text, after an underscore, be read as an escaped character? The underscore that would close it does not
/// count: it may be the first character of a real escape.
fn looks_escaped(behind: &str) -> bool {
    let digits = behind.strip_prefix('x').and_then(|behind| behind.get(..4));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A name as XML can spell it: characters that no XML name has, and colons, become `_xHHHH_`. So does an underscore
/// that looks like the beginning of such an escape, so that different names stay different.
pub fn xml_name(name: &str) -> String {
    let mut out = String::new();
    push_xml_name(&mut out, name);
    out
}

/// Text as XML can represent it.
pub fn xml_text(text: &str) -> String {
    let mut out = String::new();
    escape(&mut out, text, escape_for_xml);
    out
}

fn is_raw_text(page: &Page, node: NodeId) -> bool {
    let raw = [
        known::STYLE,
        known::SCRIPT,
        known::XMP,
        known::IFRAME,
        known::NOEMBED,
        known::NOFRAMES,
        known::PLAINTEXT,
    ];
    page.namespace(node) == Some(Namespace::Html) && page.name_of(node).is_some_and(|name| raw.contains(&name))
}

fn is_void(page: &Page, node: NodeId) -> bool {
    let void = [
        known::AREA,
        known::BASE,
        known::BASEFONT,
        known::BGSOUND,
        known::BR,
        known::COL,
        known::EMBED,
        known::FRAME,
        known::HR,
        known::IMG,
        known::INPUT,
        known::KEYGEN,
        known::LINK,
        known::META,
        known::PARAM,
        known::SOURCE,
        known::TRACK,
        known::WBR,
    ];
    page.namespace(node) == Some(Namespace::Html) && page.name_of(node).is_some_and(|name| void.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::parse(html.as_bytes(), &Default::default()).unwrap()
    }

    #[test]
    fn names_that_differ_are_spelled_differently() {
        for (name, expected) in [
            ("a b", "a_x0020_b"),
            ("a_x0020_b", "a_x005F_x0020_b"),
            ("_x0020 ", "_x005F_x0020_x0020_"),
            (" x0020_", "_x0020_x0020_"),
            ("xmlns", "_x0078_mlns"),
            ("_x0078_mlns", "_x005F_x0078_mlns"),
            ("max_x", "max_x"),
            ("_x00\u{e9}0", "_x00\u{e9}0"),
        ] {
            assert_eq!(xml_name(name), expected);
        }
    }

    #[test]
    fn nodes_can_be_left_out() {
        let page = page("<!DOCTYPE html><ul><li>a<li><b>b</b><li>c</ul>");
        let items: Vec<NodeId> = page
            .elements()
            .iter()
            .copied()
            .filter(|node| page.name(*node) == "li")
            .collect();
        let html = page.to_html_without(&[items[2], items[1]]);
        assert_eq!(
            html,
            "<!DOCTYPE html><html><head></head><body><ul><li>a</li></ul></body></html>"
        );
        assert_eq!(page.to_html_without(&[]), page.to_html(NodeId::DOCUMENT));
    }

    #[test]
    fn html_is_written_as_the_standard_says() {
        let cases = [
            (
                "<!DOCTYPE html><p>a&lt;b&nbsp;&amp;<br>c",
                "<!DOCTYPE html><html><head></head><body><p>a&lt;b&nbsp;&amp;<br>c</p></body></html>",
            ),
            (
                "<a title='\"<'>x</a>",
                "<html><head></head><body><a title=\"&quot;&lt;\">x</a></body></html>",
            ),
            (
                "<script>a<b</script>",
                "<html><head><script>a<b</script></head><body></body></html>",
            ),
            (
                "<svg viewbox=1><textpath/></svg>",
                "<html><head></head><body><svg viewBox=\"1\"><textPath></textPath></svg></body></html>",
            ),
            ("<!--x-->", "<!--x--><html><head></head><body></body></html>"),
        ];
        for (source, expected) in cases {
            assert_eq!(page(source).to_html(NodeId::DOCUMENT), expected, "{source}");
        }
        let page = page("<div id=d>a<i>b</i></div>");
        let div = page.element_by_id("d").unwrap();
        assert_eq!(page.inner_html(div), "a<i>b</i>");
        assert_eq!(page.to_html(div), "<div id=\"d\">a<i>b</i></div>");
        assert_eq!(page.to_html(NodeId(page.attributes(div).start)), "id=\"d\"");
    }

    #[test]
    fn xml_carries_every_node_and_escapes_what_it_cannot() {
        let cases = [
            ("<p>a<br>]]>&amp;\u{C}", "<p>a<br/>]]&gt;&amp;\u{FFFD}</p>"),
            (
                "<o:p a:b='1\n2' xmlns:q=x>",
                "<o_x003A_p a_x003A_b=\"1&#10;2\" _x0078_mlns_x003A_q=\"x\"/>",
            ),
            ("<a\"b 1='\"'>", "<a_x0022_b _x0031_=\"&quot;\"/>"),
            ("<!--a--b- --><i></i>", "<!--a- -b- --><i/>"),
            ("<p>&#13;x", "<p>&#13;x</p>"),
        ];
        for (source, expected) in cases {
            let xml = page(&format!("<body>{source}")).to_xml(NodeId::DOCUMENT);
            let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html><head/><body>";
            assert_eq!(xml, format!("{head}{expected}</body></html>"), "{source}");
        }
    }
}

//! Builds a page from a program rather than from bytes: nodes in document order, balanced by the caller.
//!
//! A browser already has a tree. Writing it as HTML only to parse it again would lose what HTML cannot express: text
//! nodes that follow each other, elements at places where the parser would not leave them, the content of frames and
//! shadow trees. So a caller that has a tree passes it node by node. Since that is the order of the columns, they are
//! written directly, without a scratch tree in between. The guarantees of the columns hold whatever the caller does:
//! neighbouring texts are joined, empty ones are dropped, surplus closes are ignored and elements left open are closed.
//! The limits are those of [`Page::parse`].

use super::{
    ATTRIBUTE, COMMENT, DOCUMENT, ELEMENT_HTML, ELEMENT_MATHML, ELEMENT_SVG, NodeId, Page, Postings, STYLE, TEXT,
};
use crate::decode::Decoding;
use crate::limits::{LimitError, Limits, MOST_BYTES};
use crate::name::{Names, Namespace};
use crate::scratch::Doctype;

/// Builds a page node by node, in document order.
///
/// ```
/// use page::{Builder, Limits, Namespace};
/// let mut builder = Builder::new(Limits::default());
/// builder.open("p", Namespace::Html)?;
/// builder.attribute("class", "price")?;
/// builder.style("color", "rgb(0, 0, 0)")?;
/// builder.text("12 ")?;
/// builder.text("EUR")?;
/// builder.close();
/// let page = builder.finish();
/// let p = page.elements()[0];
/// assert_eq!(page.string_value(p), "12 EUR");
/// assert_eq!(page.attributes(p).len(), 1);
/// assert_eq!(page.styles(p).len(), 1);
/// # Ok::<(), page::LimitError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    page: Page,
    open: Vec<NodeId>,
    limits: Limits,
    /// Was the last node an element or one of its attributes, so that more attributes may follow?
    at_start: bool,
}

impl Builder {
    /// An empty page.
    pub fn new(limits: Limits) -> Builder {
        let mut page = Page {
            head: Vec::new(),
            parent: Vec::new(),
            end: Vec::new(),
            text_at: Vec::new(),
            text: String::new(),
            values: String::new(),
            value_at: vec![0],
            names: Names::default(),
            doctype: None,
            decoding: Decoding::of_text(),
            elements: Vec::new(),
            texts: Vec::new(),
            elements_by_name: Postings::default(),
            attributes_by_name: Postings::default(),
            hidden: None,
        };
        page.push(DOCUMENT, NodeId::DOCUMENT, 0);
        Builder {
            page,
            open: vec![NodeId::DOCUMENT],
            limits,
            at_start: false,
        }
    }

    fn here(&self) -> NodeId {
        self.open.last().copied().unwrap_or(NodeId::DOCUMENT)
    }

    fn room(&self, bytes: usize) -> Result<(), LimitError> {
        if self.page.head.len() >= self.limits.nodes.min(u32::MAX as usize - 1) {
            return Err(LimitError::Nodes(self.limits.nodes));
        }
        let most = self.limits.bytes.min(MOST_BYTES);
        if self.page.text.len() + self.page.values.len() + bytes > most {
            return Err(LimitError::Bytes(most));
        }
        Ok(())
    }

    /// Begins an element; its name may have any case.
    ///
    /// # Errors
    ///
    /// The page exceeds a limit; then all further calls fail too.
    pub fn open(&mut self, name: &str, namespace: Namespace) -> Result<NodeId, LimitError> {
        self.room(name.len())?;
        if self.open.len() > self.limits.depth {
            return Err(LimitError::Depth(self.limits.depth));
        }
        let name = self.name(name);
        let kind = match namespace {
            Namespace::Html => ELEMENT_HTML,
            Namespace::Svg => ELEMENT_SVG,
            Namespace::MathMl => ELEMENT_MATHML,
        };
        let id = self.page.push(kind | name, self.here(), 0);
        self.page.elements.push(id);
        self.open.push(id);
        self.at_start = true;
        Ok(id)
    }

    fn name(&mut self, name: &str) -> u32 {
        let names = &mut self.page.names;
        if name.bytes().any(|b| b.is_ascii_uppercase()) {
            names.intern(&name.to_ascii_lowercase()).0
        } else {
            names.intern(name).0
        }
    }

    /// Adds an attribute to the element that was just opened. Anywhere else it has no effect.
    ///
    /// # Errors
    ///
    /// As [`Builder::open`].
    pub fn attribute(&mut self, name: &str, value: &str) -> Result<(), LimitError> {
        // Attributes come before styles.
        if !self.at_start || self.page.head.last().is_some_and(|head| *head & !super::NAME == STYLE) {
            return Ok(());
        }
        self.value(ATTRIBUTE, name, value)
    }

    /// Adds a style to the element that was just opened, after its attributes. Anywhere else it has no effect.
    ///
    /// # Errors
    ///
    /// As [`Builder::open`].
    pub fn style(&mut self, name: &str, value: &str) -> Result<(), LimitError> {
        if !self.at_start {
            return Ok(());
        }
        self.value(STYLE, name, value)
    }

    fn value(&mut self, kind: u32, name: &str, value: &str) -> Result<(), LimitError> {
        self.room(name.len() + value.len())?;
        let name = self.name(name);
        self.page.push_value(kind | name, self.here(), value);
        Ok(())
    }

    /// Marks the element that was just opened as invisible. Once this or [`Builder::all_seen`] was called, all other
    /// elements count as visible.
    pub fn hidden(&mut self) {
        let here = self.here();
        self.page.hidden.get_or_insert_default().push(here);
    }

    /// Declares that all elements are visible unless they are marked as hidden.
    pub fn all_seen(&mut self) {
        self.page.hidden.get_or_insert_default();
    }

    /// Adds text; text after other text continues it.
    ///
    /// # Errors
    ///
    /// As [`Builder::open`].
    pub fn text(&mut self, text: &str) -> Result<(), LimitError> {
        if text.is_empty() {
            return Ok(());
        }
        self.room(text.len())?;
        self.at_start = false;
        let here = self.here();
        let last = self.page.head.len() - 1;
        let continues = self.page.head[last] == TEXT && self.page.parent[last] == here;
        if !continues {
            let id = self.page.push(TEXT, here, 0);
            self.page.end[id.index()] = id.0 + 1;
            self.page.texts.push(id);
        }
        self.page.text.push_str(text);
        Ok(())
    }

    /// Adds a comment.
    ///
    /// # Errors
    ///
    /// As [`Builder::open`].
    pub fn comment(&mut self, text: &str) -> Result<(), LimitError> {
        self.room(text.len())?;
        self.at_start = false;
        let here = self.here();
        self.page.push_value(COMMENT, here, text);
        Ok(())
    }

    /// Closes the innermost open element.
    pub fn close(&mut self) {
        self.at_start = false;
        if self.open.len() > 1
            && let Some(element) = self.open.pop()
        {
            self.page.end[element.index()] = self.page.head.len() as u32;
        }
    }

    /// Sets the document type.
    pub fn doctype(&mut self, doctype: Doctype) {
        self.page.doctype = Some(doctype);
    }

    /// The page.
    pub fn finish(mut self) -> Page {
        while self.open.len() > 1 {
            self.close();
        }
        let mut page = self.page;
        page.end[0] = page.head.len() as u32;
        page.text_at.push(page.text.len() as u32);
        page.index();
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(nodes: usize, depth: usize) -> Limits {
        Limits {
            nodes,
            depth,
            ..Limits::default()
        }
    }

    #[test]
    fn what_is_told_is_what_the_parser_would_give() {
        let html = "<!DOCTYPE html><html><head></head><body><p id=\"a\">x<b>y</b>z<!--c--></p></body></html>";
        let parsed = Page::parse(html.as_bytes(), &crate::ParseSettings::default()).expect("a page");
        let mut builder = Builder::new(Limits::default());
        builder.doctype(parsed.doctype().cloned().expect("a doctype"));
        let mut open = Vec::new();
        for node in (1..parsed.len() as u32).map(NodeId) {
            while open.last().is_some_and(|last| parsed.end(*last) <= node) {
                open.pop();
                builder.close();
            }
            match parsed.kind(node) {
                crate::Kind::Element => {
                    builder.open(parsed.name(node), Namespace::Html).expect("room");
                    open.push(node);
                }
                crate::Kind::Attribute => builder
                    .attribute(parsed.name(node), parsed.string_value(node))
                    .expect("room"),
                crate::Kind::Text => builder.text(parsed.string_value(node)).expect("room"),
                _ => builder.comment(parsed.string_value(node)).expect("room"),
            }
        }
        let built = builder.finish();
        assert_eq!(built.to_html(NodeId::DOCUMENT), parsed.to_html(NodeId::DOCUMENT));
        assert_eq!(built.len(), parsed.len());
    }

    #[test]
    fn styles_are_seen_only_when_asked_for() {
        let mut builder = Builder::new(Limits::default());
        builder.open("DIV", Namespace::Html).expect("room");
        builder.attribute("id", "d").expect("room");
        builder.style("color", "rgb(1, 2, 3)").expect("room");
        builder.attribute("late", "x").expect("nothing");
        builder.hidden();
        builder.text("a").expect("room");
        builder.text("").expect("nothing");
        builder.text("b").expect("room");
        builder.style("late", "x").expect("nothing");
        builder.close();
        builder.close();
        let page = builder.finish();
        let div = page.elements()[0];
        assert_eq!(page.to_html(div), "<div id=\"d\">ab</div>");
        assert_eq!(page.inner_html(div), "ab");
        assert_eq!(page.texts().len(), 1);
        assert_eq!((page.attributes(div).len(), page.styles(div).len()), (1, 1));
        let color = page
            .style(div, page.name_id("color").expect("a name"))
            .expect("a style");
        assert_eq!((page.name(color), page.string_value(color)), ("color", "rgb(1, 2, 3)"));
        assert_eq!(page.parent(color), Some(div));
        assert_eq!(page.first_child(div).map(|n| page.string_value(n)), Some("ab"));
        assert_eq!(page.previous_sibling(page.texts()[0]), None);
        assert_eq!(page.is_hidden(div), Some(true));
        assert_eq!(page.attributes_named(page.name_id("color").expect("a name")).len(), 0);
    }

    #[test]
    fn limits_hold() {
        let mut builder = Builder::new(limits(4, 2));
        builder.open("a", Namespace::Html).expect("room");
        builder.open("b", Namespace::Html).expect("room");
        assert_eq!(builder.open("c", Namespace::Html), Err(LimitError::Depth(2)));
        builder.text("x").expect("room");
        assert_eq!(builder.comment("y"), Err(LimitError::Nodes(4)));
        assert_eq!(builder.finish().len(), 4);
    }
}

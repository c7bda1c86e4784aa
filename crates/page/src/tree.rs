//! A page as columns in preorder.
//!
//! A node is its rank: the document is 0, an element is followed by its attributes and then by its children, each with
//! everything below it. So document order is `<` on ids, the subtree of `n` is the range `n..end(n)`, `following` is
//! `end(n)..`, and `preceding` is `..n` without the ancestors; attributes are skipped by their kind. Instead of a node
//! struct there are parallel columns of `u32`, sixteen bytes for each node:
//!
//! | column | element | attribute, comment | text |
//! |---|---|---|---|
//! | `head` | kind and name | kind and name | kind |
//! | `parent` | parent | owner | parent |
//! | `end` | end of the subtree | rank of its value | id + 1 |
//! | `text_at` | text before it | text before it | start of its text |
//!
//! The text of all text nodes is stored end to end, in document order, in one buffer. The string-value of an element is
//! by definition the text of the text nodes below it, so it is one slice of that buffer, whatever its markup: no
//! string-value is ever copied. Values of attributes and comments have a buffer of their own.
//!
//! A page from a browser may have *styles*: the computed properties that were requested, and the box of each element.
//! They are nodes after the attributes of their element, and like attributes in all respects but one: they are not in
//! [`Page::attributes`] but in [`Page::styles`]. So a page without them pays nothing, and sets, comparisons and
//! document order need no second mechanism. Which form fields are visible is a sorted list beside the columns
//! ([`Page::is_hidden`]).
//!
//! The layout costs one walk over the scratch tree. The walk is a loop, never recursion, and the columns drop in
//! constant time: depth costs nothing.

use crate::decode::Decoding;
use crate::limits::{LimitError, Limits};
use crate::name::{NameId, Names, Namespace, known, spelling};
use crate::scratch::{Doctype, Kind as ScratchKind, Ref, Scratch};
use std::ops::Range;

mod build;
pub use build::Builder;

/// A node of a page: its rank in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document node of every page.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// The id as an index into per-node tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The root of the tree.
    Document,
    /// An element of any namespace.
    Element,
    /// An attribute, or a style.
    Attribute,
    /// A text node; never empty, and no two are neighbours.
    Text,
    /// A comment.
    Comment,
}

// The upper four bits of `head` are one of these, the other bits are the name.
const DOCUMENT: u32 = 0;
const ELEMENT_HTML: u32 = 1 << 28;
const ELEMENT_SVG: u32 = 2 << 28;
const ELEMENT_MATHML: u32 = 3 << 28;
const ATTRIBUTE: u32 = 4 << 28;
const TEXT: u32 = 5 << 28;
const COMMENT: u32 = 6 << 28;
const STYLE: u32 = 7 << 28;
const NAME: u32 = (1 << 28) - 1;

/// An immutable page: a tree of nodes in document order.
///
/// ```
/// let page = page::Page::parse(b"<p>Price: <b>12</b></p>", &Default::default()).unwrap();
/// let p = page.elements_named(page.name_id("p").unwrap())[0];
/// assert_eq!(page.string_value(p), "Price: 12");
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    head: Vec<u32>,
    parent: Vec<NodeId>,
    end: Vec<u32>,
    text_at: Vec<u32>,
    text: String,
    values: String,
    value_at: Vec<u32>,
    names: Names,
    doctype: Option<Doctype>,
    decoding: Decoding,
    elements: Vec<NodeId>,
    texts: Vec<NodeId>,
    elements_by_name: Postings,
    attributes_by_name: Postings,
    /// The form fields that are not visible, if a browser said so.
    hidden: Option<Vec<NodeId>>,
}

impl Page {
    /// Lays a scratch tree out in columns.
    pub(crate) fn lay_out(scratch: Scratch<'_>, decoding: Decoding, limits: &Limits) -> Result<Page, LimitError> {
        let most = scratch.nodes.len() + scratch.attributes.len();
        if most > limits.nodes {
            return Err(LimitError::Nodes(limits.nodes));
        }
        let mut texts = 0;
        let mut text_len = 0;
        let mut values = scratch.attributes.len();
        let mut values_len = 0;
        for node in &scratch.nodes {
            match node.kind {
                ScratchKind::Text(piece) => {
                    texts += 1;
                    text_len += piece.len();
                }
                ScratchKind::Comment(piece) => {
                    values += 1;
                    values_len += piece.len();
                }
                ScratchKind::Document | ScratchKind::Element { .. } => {}
            }
        }
        values_len += scratch.attributes.iter().map(|a| a.value.len()).sum::<usize>();
        let mut page = Page {
            head: Vec::with_capacity(most),
            parent: Vec::with_capacity(most),
            end: Vec::with_capacity(most),
            text_at: Vec::with_capacity(most + 1),
            text: String::with_capacity(text_len),
            values: String::with_capacity(values_len),
            value_at: Vec::with_capacity(values + 1),
            names: Names::default(),
            doctype: None,
            decoding,
            elements: Vec::with_capacity(scratch.nodes.len() - texts),
            texts: Vec::with_capacity(texts),
            elements_by_name: Postings::default(),
            attributes_by_name: Postings::default(),
            hidden: None,
        };
        page.value_at.push(0);
        page.push_nodes(&scratch);
        page.text_at.push(page.text.len() as u32);
        page.names = scratch.names;
        page.doctype = scratch.doctype;
        page.index();
        Ok(page)
    }

    /// Lists the nodes of each name.
    fn index(&mut self) {
        let (names, head) = (self.names.len(), &self.head);
        let elements = self.elements.iter().map(|&n| (head[n.index()] & NAME, n));
        self.elements_by_name = Postings::new(names, elements);
        let attributes = (0u32..).zip(head).filter(|(_, head)| **head & !NAME == ATTRIBUTE);
        self.attributes_by_name = Postings::new(names, attributes.map(|(n, head)| (head & NAME, NodeId(n))));
    }

    fn push_nodes(&mut self, scratch: &Scratch<'_>) {
        let mut at = Ref::DOCUMENT;
        let mut parent = NodeId::DOCUMENT;
        loop {
            let node = scratch.node(at);
            match node.kind {
                ScratchKind::Document => {
                    self.push(DOCUMENT, NodeId::DOCUMENT, 0);
                }
                ScratchKind::Element {
                    name,
                    namespace,
                    first_attribute,
                    attributes,
                } => {
                    let kind = match namespace {
                        Namespace::Html => ELEMENT_HTML,
                        Namespace::Svg => ELEMENT_SVG,
                        Namespace::MathMl => ELEMENT_MATHML,
                    };
                    let id = self.push(kind | name.0, parent, 0);
                    self.elements.push(id);
                    let attributes = first_attribute as usize..(first_attribute + attributes) as usize;
                    for attribute in &scratch.attributes[attributes] {
                        self.push_value(ATTRIBUTE | attribute.name.0, id, scratch.text(attribute.value));
                    }
                    parent = id;
                }
                ScratchKind::Comment(piece) => self.push_value(COMMENT, parent, scratch.text(piece)),
                ScratchKind::Text(_) => {
                    at = self.push_text(scratch, at, parent);
                }
            }
            let node = scratch.node(at);
            if !node.first_child.is_none() {
                at = node.first_child;
                continue;
            }
            // Only documents and elements get their end here: they became `parent` when they were pushed.
            let mut done = matches!(node.kind, ScratchKind::Document | ScratchKind::Element { .. });
            loop {
                if done {
                    self.end[parent.index()] = self.head.len() as u32;
                    parent = self.parent[parent.index()];
                }
                let node = scratch.node(at);
                if !node.next.is_none() {
                    at = node.next;
                    break;
                }
                if node.parent.is_none() {
                    return;
                }
                at = node.parent;
                done = true;
            }
        }
    }

    /// Pushes a run of neighbouring text nodes as one, and returns the last of the run.
    fn push_text(&mut self, scratch: &Scratch<'_>, first: Ref, parent: NodeId) -> Ref {
        let id = NodeId(self.head.len() as u32);
        let text_at = self.text.len() as u32;
        let mut last = first;
        loop {
            if let ScratchKind::Text(piece) = scratch.node(last).kind {
                self.text.push_str(scratch.text(piece));
            }
            match scratch.node(last).next {
                next if next.is_none() || !matches!(scratch.node(next).kind, ScratchKind::Text(_)) => break,
                next => last = next,
            }
        }
        if self.text.len() as u32 > text_at {
            self.head.push(TEXT);
            self.parent.push(parent);
            self.end.push(id.0 + 1);
            self.text_at.push(text_at);
            self.texts.push(id);
        }
        last
    }

    fn push(&mut self, head: u32, parent: NodeId, end: u32) -> NodeId {
        let id = NodeId(self.head.len() as u32);
        self.head.push(head);
        self.parent.push(parent);
        self.end.push(end);
        self.text_at.push(self.text.len() as u32);
        id
    }

    fn push_value(&mut self, head: u32, parent: NodeId, value: &str) {
        self.push(head, parent, self.value_at.len() as u32 - 1);
        self.values.push_str(value);
        self.value_at.push(self.values.len() as u32);
    }

    /// The number of nodes, including attributes; ids are `0..len`.
    #[expect(clippy::len_without_is_empty, reason = "a page always has its document node")]
    pub fn len(&self) -> usize {
        self.head.len()
    }

    /// What a node is.
    pub fn kind(&self, node: NodeId) -> Kind {
        match self.head[node.index()] & !NAME {
            DOCUMENT => Kind::Document,
            ATTRIBUTE | STYLE => Kind::Attribute,
            TEXT => Kind::Text,
            COMMENT => Kind::Comment,
            _ => Kind::Element,
        }
    }

    /// Is this an element?
    pub fn is_element(&self, node: NodeId) -> bool {
        matches!(
            self.head[node.index()] & !NAME,
            ELEMENT_HTML | ELEMENT_SVG | ELEMENT_MATHML
        )
    }

    /// Is this an attribute, or a style?
    pub fn is_attribute(&self, node: NodeId) -> bool {
        matches!(self.head[node.index()] & !NAME, ATTRIBUTE | STYLE)
    }

    /// Is this a style?
    pub fn is_style(&self, node: NodeId) -> bool {
        self.head[node.index()] & !NAME == STYLE
    }

    /// The parent of a node, or the element of an attribute; `None` for the document.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::DOCUMENT).then(|| self.parent[node.index()])
    }

    /// One past the last node of the subtree of `node`.
    pub fn end(&self, node: NodeId) -> NodeId {
        match self.head[node.index()] & !NAME {
            ATTRIBUTE | STYLE | COMMENT => NodeId(node.0 + 1),
            _ => NodeId(self.end[node.index()]),
        }
    }

    /// The interned lower-case name of an element or attribute.
    pub fn name_of(&self, node: NodeId) -> Option<NameId> {
        match self.head[node.index()] & !NAME {
            DOCUMENT | TEXT | COMMENT => None,
            _ => Some(NameId(self.head[node.index()] & NAME)),
        }
    }

    /// Is this an element of that name?
    pub fn is_element_named(&self, node: NodeId, name: NameId) -> bool {
        self.is_element(node) && self.head[node.index()] & NAME == name.0
    }

    /// The namespace of an element, or of an attribute's element.
    pub fn namespace(&self, node: NodeId) -> Option<Namespace> {
        let element = if self.is_attribute(node) {
            self.parent[node.index()]
        } else {
            node
        };
        match self.head[element.index()] & !NAME {
            ELEMENT_HTML => Some(Namespace::Html),
            ELEMENT_SVG => Some(Namespace::Svg),
            ELEMENT_MATHML => Some(Namespace::MathMl),
            _ => None,
        }
    }

    /// The name of an element or attribute as its namespace spells it; empty for other nodes.
    pub fn name(&self, node: NodeId) -> &str {
        match (self.name_of(node), self.namespace(node)) {
            (Some(name), Some(namespace)) => spelling(self.names.text(name), namespace, self.is_attribute(node)),
            _ => "",
        }
    }

    /// The id of a name on this page, in any case; `None` if nothing on the page has it and HTML does not know it.
    pub fn name_id(&self, name: &str) -> Option<NameId> {
        if name.bytes().any(|b| b.is_ascii_uppercase()) {
            self.names.find(&name.to_ascii_lowercase())
        } else {
            self.names.find(name)
        }
    }

    /// The lower-case text of a name.
    pub fn name_text(&self, name: NameId) -> &str {
        self.names.text(name)
    }

    /// The number of names; every [`NameId::index`] is below it.
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// The string-value of a node as XPath defines it, without copying.
    pub fn string_value(&self, node: NodeId) -> &str {
        let at = node.index();
        match self.head[at] & !NAME {
            ATTRIBUTE | STYLE | COMMENT => {
                let rank = self.end[at] as usize;
                &self.values[self.value_at[rank] as usize..self.value_at[rank + 1] as usize]
            }
            _ => &self.text[self.text_range(node)],
        }
    }

    /// The range of the string-value of a document, element or text node in [`Page::text`]; empty for other nodes.
    pub fn text_range(&self, node: NodeId) -> Range<usize> {
        self.text_at[node.index()] as usize..self.text_at[self.end(node).index()] as usize
    }

    /// The position in [`Page::text`] where the text of a node begins, or would begin if it had any.
    pub fn text_start(&self, node: NodeId) -> usize {
        self.text_at[node.index()] as usize
    }

    /// The text of all text nodes, end to end in document order.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The attributes of an element, as a range of ids; empty for other nodes.
    pub fn attributes(&self, node: NodeId) -> Range<u32> {
        let first = node.0 + 1;
        if !self.is_element(node) {
            return first..first;
        }
        let count = self.head[first as usize..]
            .iter()
            .take_while(|head| **head & !NAME == ATTRIBUTE)
            .count();
        first..first + count as u32
    }

    /// The styles of an element, as a range of ids; empty for other nodes, and if no browser gave any.
    pub fn styles(&self, node: NodeId) -> Range<u32> {
        let first = self.attributes(node).end;
        if !self.is_element(node) {
            return first..first;
        }
        let styles = self.head[first as usize..].iter();
        let count = styles.take_while(|head| **head & !NAME == STYLE).count();
        first..first + count as u32
    }

    /// The style of an element with that name.
    pub fn style(&self, node: NodeId, name: NameId) -> Option<NodeId> {
        let wanted = STYLE | name.0;
        self.styles(node).map(NodeId).find(|at| self.head[at.index()] == wanted)
    }

    /// Is this form field invisible? `None` if the page is not from a browser; nothing is known about other elements.
    pub fn is_hidden(&self, node: NodeId) -> Option<bool> {
        self.hidden.as_ref().map(|hidden| hidden.binary_search(&node).is_ok())
    }

    /// The attribute of an element with that name.
    pub fn attribute(&self, node: NodeId, name: NameId) -> Option<NodeId> {
        if !self.is_element(node) {
            return None;
        }
        let wanted = ATTRIBUTE | name.0;
        for (at, head) in (node.0 + 1..).zip(&self.head[node.index() + 1..]) {
            if *head == wanted {
                return Some(NodeId(at));
            }
            if *head & !NAME != ATTRIBUTE {
                break;
            }
        }
        None
    }

    /// The value of an element's attribute, by its name in any case.
    pub fn attribute_value(&self, node: NodeId, name: &str) -> Option<&str> {
        Some(self.string_value(self.attribute(node, self.name_id(name)?)?))
    }

    /// The first child of a node.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        let first = NodeId(self.styles(node).end);
        (first < self.end(node)).then_some(first)
    }

    /// The next sibling of a node; `None` for attributes.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let next = self.end(node);
        let parent = self.parent(node)?;
        (next < self.end(parent) && !self.is_attribute(node)).then_some(next)
    }

    /// The sibling before a node; `None` for attributes. The cost is the depth of that sibling's last descendant.
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        if self.is_attribute(node) || node.0 == parent.0 + 1 {
            return None;
        }
        let mut at = NodeId(node.0 - 1);
        while self.parent[at.index()] != parent {
            at = self.parent[at.index()];
        }
        (!self.is_attribute(at)).then_some(at)
    }

    /// The children of a node in document order, without attributes.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end(node);
        let mut next = self.first_child(node).unwrap_or(end);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// The ancestors of a node from its parent up to the document.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&n| self.parent(n))
    }

    /// All elements in document order.
    pub fn elements(&self) -> &[NodeId] {
        &self.elements
    }

    /// All text nodes in document order.
    pub fn texts(&self) -> &[NodeId] {
        &self.texts
    }

    /// All elements of that name in document order.
    pub fn elements_named(&self, name: NameId) -> &[NodeId] {
        self.elements_by_name.get(name)
    }

    /// All attributes of that name in document order.
    pub fn attributes_named(&self, name: NameId) -> &[NodeId] {
        self.attributes_by_name.get(name)
    }

    /// The first element with that `id` attribute.
    pub fn element_by_id(&self, id: &str) -> Option<NodeId> {
        let found = self
            .attributes_named(known::ID)
            .iter()
            .find(|a| self.string_value(**a) == id)?;
        self.parent(*found)
    }

    /// The document type declaration.
    pub fn doctype(&self) -> Option<&Doctype> {
        self.doctype.as_ref()
    }

    /// The `href` of the first `base` element that has one, as written.
    pub fn base_href(&self) -> Option<&str> {
        let mut bases = self.elements_named(known::BASE).iter();
        bases
            .find_map(|base| self.attribute(*base, known::HREF))
            .map(|href| self.string_value(href))
    }

    /// How the bytes were read as text.
    pub fn decoding(&self) -> &Decoding {
        &self.decoding
    }

    /// The heap bytes that the page uses.
    pub fn heap_size(&self) -> usize {
        let columns = self.head.capacity() + self.parent.capacity() + self.end.capacity() + self.text_at.capacity();
        let lists = self.value_at.capacity() + self.elements.capacity() + self.texts.capacity();
        4 * (columns + lists)
            + self.text.capacity()
            + self.values.capacity()
            + self.names.heap_size()
            + self.elements_by_name.heap_size()
            + self.attributes_by_name.heap_size()
    }
}

/// For each name, the nodes that have it, in document order.
#[derive(Clone, Debug, Default)]
struct Postings {
    starts: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl Postings {
    /// A counting sort: two passes over the pairs, which come in document order.
    fn new(names: usize, pairs: impl Iterator<Item = (u32, NodeId)> + Clone) -> Postings {
        let mut starts = vec![0u32; names + 1];
        let mut total = 0;
        for (name, _) in pairs.clone() {
            starts[name as usize + 1] += 1;
            total += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut nodes = vec![NodeId::DOCUMENT; total];
        // Each start moves up to the position of the next one; shifting by one slot restores them.
        for (name, node) in pairs {
            let slot = &mut starts[name as usize];
            nodes[*slot as usize] = node;
            *slot += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
        Postings { starts, nodes }
    }

    fn get(&self, name: NameId) -> &[NodeId] {
        &self.nodes[self.starts[name.index()] as usize..self.starts[name.index() + 1] as usize]
    }

    fn heap_size(&self) -> usize {
        4 * (self.starts.capacity() + self.nodes.capacity())
    }
}

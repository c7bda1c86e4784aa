//! The linked tree that a parser builds; the last pass lays it out in columns.
//!
//! HTML's tree construction moves nodes (foster parenting, the adoption agency), so a page cannot be written in
//! preorder while it is parsed. The parser therefore works on this arena of linked nodes; [`crate::tree`] walks it once
//! and writes the columns. Text is not copied here: a text node is a range of the source, or of the `extra` buffer if
//! the text of the page differs from its source (entities, line ends) or was joined from pieces.

use crate::name::{NameId, Names, Namespace};

/// An index into [`Scratch::nodes`]. The document is node 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ref(pub(crate) u32);

impl Ref {
    /// The document node.
    pub(crate) const DOCUMENT: Ref = Ref(0);
    /// No node.
    pub(crate) const NONE: Ref = Ref(u32::MAX);

    pub(crate) fn is_none(self) -> bool {
        self == Ref::NONE
    }
}

/// A piece of text: of the source, or of the `extra` buffer if the top bit of `start` is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    start: u32,
    len: u32,
}

const IN_EXTRA: u32 = 1 << 31;

impl Piece {
    /// A range of the source.
    pub(crate) fn of_source(start: usize, end: usize) -> Piece {
        debug_assert!(end < IN_EXTRA as usize);
        Piece {
            start: start as u32,
            len: (end - start) as u32,
        }
    }

    /// A range of the extra buffer.
    pub(crate) fn of_extra(start: usize, end: usize) -> Piece {
        Piece {
            start: start as u32 | IN_EXTRA,
            len: (end - start) as u32,
        }
    }

    /// Length in bytes.
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    /// The first `n` bytes and the rest.
    pub(crate) fn split_at(self, n: usize) -> (Piece, Piece) {
        debug_assert!(n <= self.len());
        let n = n as u32;
        (
            Piece {
                start: self.start,
                len: n,
            },
            Piece {
                start: self.start + n,
                len: self.len - n,
            },
        )
    }
}

/// What a scratch node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    /// An element; its attributes are `first_attribute..first_attribute + attributes` of [`Scratch::attributes`].
    /// Copies of an element share the range of the original.
    Element {
        name: NameId,
        namespace: Namespace,
        first_attribute: u32,
        attributes: u32,
    },
    Text(Piece),
    Comment(Piece),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) parent: Ref,
    pub(crate) first_child: Ref,
    pub(crate) last_child: Ref,
    pub(crate) previous: Ref,
    pub(crate) next: Ref,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// In lower case, with its prefix if foreign content has one (`xlink:href`).
    pub(crate) name: NameId,
    pub(crate) value: Piece,
}

/// The document type declaration, kept for serialising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doctype {
    /// The name, `html` on nearly every page.
    pub name: String,
    /// The public identifier, or empty.
    pub public_id: String,
    /// The system identifier, or empty.
    pub system_id: String,
}

/// The tree under construction.
#[derive(Clone, Debug)]
pub(crate) struct Scratch<'s> {
    pub(crate) source: &'s str,
    pub(crate) extra: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) names: Names,
    pub(crate) doctype: Option<Doctype>,
}

impl<'s> Scratch<'s> {
    /// An empty document.
    pub(crate) fn new(source: &'s str) -> Scratch<'s> {
        // Real pages have one node for every 20 to 40 bytes, so one allocation suffices for most.
        let mut nodes = Vec::with_capacity(source.len() / 32 + 8);
        nodes.push(Node::new(Kind::Document));
        let attributes = Vec::with_capacity(source.len() / 48 + 8);
        Scratch {
            source,
            extra: String::new(),
            nodes,
            attributes,
            names: Names::default(),
            doctype: None,
        }
    }

    /// Adds a node that has no parent yet.
    pub(crate) fn create(&mut self, kind: Kind) -> Ref {
        self.nodes.push(Node::new(kind));
        Ref(self.nodes.len() as u32 - 1)
    }

    /// Adds a node as the last child of another.
    pub(crate) fn append_new(&mut self, parent: Ref, kind: Kind) -> Ref {
        let child = Ref(self.nodes.len() as u32);
        let above = &mut self.nodes[parent.0 as usize];
        let last = std::mem::replace(&mut above.last_child, child);
        if last.is_none() {
            above.first_child = child;
        } else {
            self.nodes[last.0 as usize].next = child;
        }
        self.nodes.push(Node {
            parent,
            previous: last,
            ..Node::new(kind)
        });
        child
    }

    pub(crate) fn node(&self, node: Ref) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: Ref) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    /// The text of a piece.
    pub(crate) fn text(&self, piece: Piece) -> &str {
        let start = (piece.start & !IN_EXTRA) as usize;
        let buffer = if piece.start & IN_EXTRA == 0 {
            self.source
        } else {
            &self.extra
        };
        &buffer[start..start + piece.len as usize]
    }

    /// Copies text into the extra buffer.
    pub(crate) fn store(&mut self, text: &str) -> Piece {
        let start = self.extra.len();
        self.extra.push_str(text);
        Piece::of_extra(start, self.extra.len())
    }

    /// Appends a node that has no parent.
    pub(crate) fn append(&mut self, parent: Ref, child: Ref) {
        let last = self.node(parent).last_child;
        let node = self.node_mut(child);
        debug_assert!(node.parent.is_none());
        node.parent = parent;
        node.previous = last;
        if last.is_none() {
            self.node_mut(parent).first_child = child;
        } else {
            self.node_mut(last).next = child;
        }
        self.node_mut(parent).last_child = child;
    }

    /// Inserts a node that has no parent before another node that has one.
    pub(crate) fn insert_before(&mut self, sibling: Ref, child: Ref) {
        let Node { parent, previous, .. } = *self.node(sibling);
        let node = self.node_mut(child);
        debug_assert!(node.parent.is_none());
        node.parent = parent;
        node.previous = previous;
        node.next = sibling;
        self.node_mut(sibling).previous = child;
        if previous.is_none() {
            self.node_mut(parent).first_child = child;
        } else {
            self.node_mut(previous).next = child;
        }
    }

    /// Removes a node with its subtree from its parent, if it has one.
    pub(crate) fn detach(&mut self, child: Ref) {
        let Node {
            parent, previous, next, ..
        } = *self.node(child);
        if parent.is_none() {
            return;
        }
        if previous.is_none() {
            self.node_mut(parent).first_child = next;
        } else {
            self.node_mut(previous).next = next;
        }
        if next.is_none() {
            self.node_mut(parent).last_child = previous;
        } else {
            self.node_mut(next).previous = previous;
        }
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (Ref::NONE, Ref::NONE, Ref::NONE);
    }

    /// Moves all children of one node to the end of another.
    pub(crate) fn move_children(&mut self, from: Ref, to: Ref) {
        let mut child = self.node(from).first_child;
        while !child.is_none() {
            let next = self.node(child).next;
            self.detach(child);
            self.append(to, child);
            child = next;
        }
    }

    /// Appends text as the last child; it is joined to the text before it if the two form one range.
    pub(crate) fn append_text(&mut self, parent: Ref, piece: Piece) {
        let last = self.node(parent).last_child;
        if !last.is_none() && self.join(last, piece) {
            return;
        }
        self.append_new(parent, Kind::Text(piece));
    }

    /// Inserts text before a node; it is joined to the text before it if the two form one range.
    pub(crate) fn insert_text_before(&mut self, sibling: Ref, piece: Piece) {
        let previous = self.node(sibling).previous;
        if !previous.is_none() && self.join(previous, piece) {
            return;
        }
        let text = self.create(Kind::Text(piece));
        self.insert_before(sibling, text);
    }

    /// Extends a text node by a piece that continues its range; returns false if that is impossible.
    ///
    /// Pieces that are apart become neighbouring text nodes, which the last pass joins. Copying them together here
    /// would be quadratic when two text nodes grow alternately.
    fn join(&mut self, node: Ref, piece: Piece) -> bool {
        let Kind::Text(old) = &mut self.node_mut(node).kind else {
            return false;
        };
        let continues = old.start.wrapping_add(old.len) == piece.start;
        if continues {
            old.len += piece.len;
        }
        continues
    }
}

impl Node {
    fn new(kind: Kind) -> Node {
        Node {
            kind,
            parent: Ref::NONE,
            first_child: Ref::NONE,
            last_child: Ref::NONE,
            previous: Ref::NONE,
            next: Ref::NONE,
        }
    }
}

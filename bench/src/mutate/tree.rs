//! A page as a tree that can be changed.
//!
//! Nodes are in a list and know their parent and their children; the document is the first. Removed nodes stay in the
//! list but are unreachable.

use super::Kind;
use page::{Limits, Namespace, NodeId, Page};

pub(super) type At = usize;

pub(super) struct Tree {
    nodes: Vec<Node>,
    doctype: Option<page::Doctype>,
}

struct Node {
    what: What,
    parent: At,
    children: Vec<At>,
}

enum What {
    Document,
    Element(Element),
    Text(String),
    Comment(String),
}

pub(super) struct Element {
    pub(super) tag: String,
    namespace: Namespace,
    pub(super) attributes: Vec<(String, String)>,
}

impl Tree {
    pub(super) const DOCUMENT: At = 0;

    pub(super) fn new(page: &Page) -> Tree {
        let mut nodes: Vec<Node> = Vec::new();
        let mut at_of = vec![0; page.len()];
        for id in (0..page.len() as u32).map(NodeId) {
            let what = match page.kind(id) {
                page::Kind::Document => What::Document,
                page::Kind::Element => What::Element(Element {
                    tag: page.name(id).to_owned(),
                    namespace: page.namespace(id).unwrap_or(Namespace::Html),
                    attributes: page
                        .attributes(id)
                        .map(NodeId)
                        .map(|at| (page.name(at).to_owned(), page.string_value(at).to_owned()))
                        .collect(),
                }),
                page::Kind::Text => What::Text(page.string_value(id).to_owned()),
                page::Kind::Comment => What::Comment(page.string_value(id).to_owned()),
                _ => continue,
            };
            let at = nodes.len();
            at_of[id.index()] = at;
            let parent = page.parent(id).map_or(0, |parent| at_of[parent.index()]);
            nodes.push(Node {
                what,
                parent,
                children: Vec::new(),
            });
            if at > 0 {
                nodes[parent].children.push(at);
            }
        }
        Tree {
            nodes,
            doctype: page.doctype().cloned(),
        }
    }

    /// The tree as HTML.
    pub(super) fn html(&self) -> String {
        let mut builder = page::Builder::new(Limits::default());
        if let Some(doctype) = &self.doctype {
            builder.doctype(doctype.clone());
        }
        // What is still to be written, last first; `None` is the end of an element.
        let mut left: Vec<Option<At>> = self.nodes[0].children.iter().rev().map(|at| Some(*at)).collect();
        while let Some(next) = left.pop() {
            let Some(at) = next else {
                builder.close();
                continue;
            };
            // A page that reaches a limit of depth or size ends there.
            let done = match &self.nodes[at].what {
                What::Document => Ok(()),
                What::Text(text) => builder.text(text),
                What::Comment(text) => builder.comment(text),
                What::Element(element) => builder.open(&element.tag, element.namespace).and_then(|_| {
                    left.push(None);
                    left.extend(self.nodes[at].children.iter().rev().map(|at| Some(*at)));
                    element
                        .attributes
                        .iter()
                        .try_for_each(|(name, value)| builder.attribute(name, value))
                }),
            };
            if done.is_err() {
                break;
            }
        }
        builder.finish().to_html(NodeId::DOCUMENT)
    }

    /// All elements that are in the tree, in order.
    pub(super) fn elements(&self) -> Vec<At> {
        self.below(Tree::DOCUMENT)
            .into_iter()
            .filter(|at| self.element(*at).is_some())
            .collect()
    }

    /// A node and all nodes under it, in order.
    pub(super) fn below(&self, at: At) -> Vec<At> {
        let mut found = Vec::new();
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            found.push(at);
            left.extend(self.nodes[at].children.iter().rev());
        }
        found
    }

    pub(super) fn element(&self, at: At) -> Option<&Element> {
        match &self.nodes[at].what {
            What::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(super) fn element_mut(&mut self, at: At) -> Option<&mut Element> {
        match &mut self.nodes[at].what {
            What::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The tag of an HTML element; empty for other nodes.
    pub(super) fn tag(&self, at: At) -> &str {
        self.element(at)
            .filter(|element| matches!(element.namespace, Namespace::Html))
            .map_or("", |element| &element.tag)
    }

    pub(super) fn kind(&self, at: At) -> Option<Kind> {
        let element = self.element(at).filter(|_| !self.tag(at).is_empty())?;
        let class = element.attributes.iter().find(|(name, _)| name == "class");
        Some(Kind {
            tag: element.tag.clone(),
            class: class.and_then(|(_, names)| names.split_whitespace().next().map(str::to_owned)),
        })
    }

    pub(super) fn parent(&self, at: At) -> At {
        self.nodes[at].parent
    }

    pub(super) fn children(&self, at: At) -> &[At] {
        &self.nodes[at].children
    }

    pub(super) fn is_inside(&self, mut at: At, tag: &str) -> bool {
        while at != Tree::DOCUMENT {
            at = self.parent(at);
            if self.tag(at) == tag {
                return true;
            }
        }
        false
    }

    /// The text of a text node.
    pub(super) fn own_text(&self, at: At) -> Option<&str> {
        match &self.nodes[at].what {
            What::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Does an element directly contain text?
    pub(super) fn has_text(&self, at: At) -> bool {
        let mut texts = self.children(at).iter().filter_map(|child| self.own_text(*child));
        texts.any(|text| !text.trim().is_empty())
    }

    /// The texts under a node that are more than white space, in order.
    pub(super) fn texts(&self, at: At) -> Vec<&str> {
        let texts = self.below(at).into_iter().filter_map(|at| self.own_text(at));
        texts.map(str::trim).filter(|text| !text.is_empty()).collect()
    }

    /// All text under a node.
    pub(super) fn text(&self, at: At) -> String {
        self.below(at).into_iter().filter_map(|at| self.own_text(at)).collect()
    }

    /// A new element without a place in the tree.
    pub(super) fn make(&mut self, tag: &str, attributes: &[(&str, &str)]) -> At {
        self.push(What::Element(Element {
            tag: tag.to_owned(),
            namespace: Namespace::Html,
            attributes: attributes
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }))
    }

    /// A new text without a place in the tree.
    pub(super) fn make_text(&mut self, text: String) -> At {
        self.push(What::Text(text))
    }

    fn push(&mut self, what: What) -> At {
        self.nodes.push(Node {
            what,
            parent: Tree::DOCUMENT,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    pub(super) fn set_children(&mut self, at: At, children: Vec<At>) {
        for child in &children {
            self.nodes[*child].parent = at;
        }
        self.nodes[at].children = children;
    }

    /// Replaces a node by other nodes.
    pub(super) fn replace(&mut self, at: At, with: &[At]) {
        let parent = self.parent(at);
        let mut children = std::mem::take(&mut self.nodes[parent].children);
        if let Some(place) = children.iter().position(|child| *child == at) {
            children.splice(place..=place, with.iter().copied());
        }
        self.set_children(parent, children);
    }
}

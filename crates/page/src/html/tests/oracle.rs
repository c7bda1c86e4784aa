//! The slow and simple parser for comparison: html5ever, with a sink that keeps just enough of the tree to print it.

use super::dump::{self, Lines};
use crate::name::Namespace;
use crate::scratch::Doctype;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, ParseOpts, QualName, ns};
use std::borrow::Cow;
use std::cell::{Ref, RefCell};

enum Content {
    Document,
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
        annotation_point: bool,
    },
    Text(String),
    Comment(String),
}

struct Node {
    content: Content,
    parent: Option<usize>,
    children: Vec<usize>,
}

#[derive(Default)]
struct Sink {
    nodes: RefCell<Vec<Node>>,
    doctype: RefCell<Option<Doctype>>,
}

impl Sink {
    fn add(&self, content: Content) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node {
            content,
            parent: None,
            children: Vec::new(),
        });
        nodes.len() - 1
    }

    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let child = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = at
                    .checked_sub(1)
                    .map(|before| self.nodes.borrow()[parent].children[before]);
                if let Some(before) = before
                    && let Content::Text(old) = &mut self.nodes.borrow_mut()[before].content
                {
                    old.push_str(&text);
                    return;
                }
                self.add(Content::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes[parent].children.insert(at, child);
        nodes[child].parent = Some(parent);
    }

    fn position(&self, node: usize) -> Option<(usize, usize)> {
        let nodes = self.nodes.borrow();
        let parent = nodes[node].parent?;
        Some((parent, nodes[parent].children.iter().rposition(|&child| child == node)?))
    }
}

#[derive(Debug)]
struct Name<'a>(Ref<'a, QualName>);

impl ElemName for Name<'_> {
    fn ns(&self) -> &html5ever::Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Sink;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Sink {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name<'a> {
        Name(Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target].content {
            Content::Element { name, .. } => name,
            _ => panic!("only elements have names"),
        }))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> usize {
        let annotation_point = flags.mathml_annotation_xml_integration_point;
        self.add(Content::Element {
            name,
            attributes,
            annotation_point,
        })
    }

    fn create_comment(&self, text: StrTendril) -> usize {
        self.add(Content::Comment(text.to_string()))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        panic!("HTML has no processing instructions")
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        let end = self.nodes.borrow()[*parent].children.len();
        self.insert(*parent, end, child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        if self.nodes.borrow()[*element].parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let [name, public_id, system_id] = [name, public_id, system_id].map(|text| text.to_string());
        *self.doctype.borrow_mut() = Some(Doctype {
            name,
            public_id,
            system_id,
        });
    }

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = child {
            self.remove_from_parent(&node);
        }
        let (parent, at) = self.position(*sibling).expect("the sibling has a parent");
        self.insert(parent, at, child);
    }

    fn add_attrs_if_missing(&self, target: &usize, added: Vec<Attribute>) {
        if let Content::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target].content {
            for attribute in added {
                if !attributes.iter().any(|old| old.name == attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        if let Some((parent, at)) = self.position(*target) {
            let mut nodes = self.nodes.borrow_mut();
            nodes[parent].children.remove(at);
            nodes[*target].parent = None;
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        for &child in &children {
            nodes[child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &usize) -> bool {
        matches!(
            self.nodes.borrow()[*handle].content,
            Content::Element {
                annotation_point: true,
                ..
            }
        )
    }
}

/// Parses a page and returns its document type and its tree in the notation of the html5lib tests.
pub(crate) fn tree(source: &str) -> (Option<String>, String) {
    let sink = Sink::default();
    sink.add(Content::Document);
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let sink = html5ever::parse_document(sink, options).one(StrTendril::from(source));
    let nodes = sink.nodes.borrow();
    let mut lines = Lines::new();
    let mut todo: Vec<(usize, usize)> = nodes[0].children.iter().rev().map(|&child| (child, 0)).collect();
    while let Some((at, mut depth)) = todo.pop() {
        match &nodes[at].content {
            Content::Document => {}
            Content::Text(text) => lines.text(depth, text),
            Content::Comment(text) => lines.comment(depth, text),
            Content::Element { name, attributes, .. } => {
                let namespace = match name.ns {
                    ns!(svg) => Namespace::Svg,
                    ns!(mathml) => Namespace::MathMl,
                    _ => Namespace::Html,
                };
                let attributes = attributes.iter().map(|attribute| {
                    let name = &attribute.name;
                    let prefix = match name.ns {
                        ns!(xlink) => "xlink ",
                        ns!(xml) => "xml ",
                        ns!(xmlns) => "xmlns ",
                        _ => "",
                    };
                    (format!("{prefix}{}", name.local), &*attribute.value)
                });
                lines.element(depth, namespace, &name.local, attributes.collect());
                depth += usize::from(namespace == Namespace::Html && &*name.local == "template");
            }
        }
        todo.extend(nodes[at].children.iter().rev().map(|&child| (child, depth + 1)));
    }
    let doctype = sink.doctype.borrow().as_ref().map(dump::doctype);
    (doctype, lines.finish())
}

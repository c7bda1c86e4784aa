//! html5ever with a sink that keeps as little as the tree builder allows.
//!
//! This is the minimum that every user of html5ever pays: no tree is built, nodes are numbers, and only the names that
//! the builder asks for again are kept.

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Parses a page and discards the result.
pub(crate) fn parse(text: &str) {
    std::hint::black_box(html5ever::parse_document(Sink::default(), ParseOpts::default()).one(text));
}

#[derive(Default)]
struct Sink {
    /// The last number that was given to a node.
    last: RefCell<usize>,
}

/// A node: its number, and its name if it is an element.
type Handle = (usize, Option<Rc<QualName>>);

impl Sink {
    fn node(&self, name: Option<QualName>) -> Handle {
        *self.last.borrow_mut() += 1;
        (*self.last.borrow(), name.map(Rc::new))
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = usize;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> usize {
        self.last.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        (0, None)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target
            .1
            .as_ref()
            .expect("the tree builder asks elements for their names")
            .expanded()
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> Handle {
        self.node(Some(name))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.node(None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.node(None)
    }

    fn append(&self, _: &Handle, _: NodeOrText<Handle>) {}

    fn append_based_on_parent_node(&self, _: &Handle, _: &Handle, _: NodeOrText<Handle>) {}

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.0 == other.0
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, _: &Handle, _: NodeOrText<Handle>) {}

    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, _: &Handle) {}

    fn reparent_children(&self, _: &Handle, _: &Handle) {}
}

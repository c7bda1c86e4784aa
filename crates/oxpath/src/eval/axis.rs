//! The axes of one node, and node tests.

use super::search::first_not_below;
use super::{Evaluator, Result};
use crate::plan::{Axis, Test};
use page::{Kind, NodeId};

impl<'p> Evaluator<'p> {
    /// Does a node pass a test?
    pub(super) fn passes(&self, node: NodeId, test: &Test) -> bool {
        let page = self.page;
        match test {
            Test::AnyElement => page.is_element(node),
            Test::Element(name) => self.memory.names[*name].is_some_and(|name| page.is_element_named(node, name)),
            Test::ElementPrefix(prefix) => {
                page.is_element(node) && page.name(node).to_ascii_lowercase().starts_with(prefix)
            }
            Test::AnyAttribute => page.is_attribute(node) && !page.is_style(node),
            Test::Attribute(name) => {
                page.is_attribute(node) && !page.is_style(node) && page.name_of(node) == self.memory.names[*name]
            }
            Test::AnyStyle => page.is_style(node),
            Test::Style(name) => page.is_style(node) && page.name_of(node) == self.memory.names[*name],
            Test::AttributePrefix(prefix) => {
                page.is_attribute(node)
                    && !page.is_style(node)
                    && page.name(node).to_ascii_lowercase().starts_with(prefix)
            }
            Test::Node => true,
            Test::Text => page.kind(node) == Kind::Text,
            Test::Comment => page.kind(node) == Kind::Comment,
            Test::Field { visible } => self.is_field(node, *visible),
            Test::Nothing => false,
        }
    }

    /// All nodes of the page that pass a test, where the page has a list of them.
    pub(super) fn list(&self, test: &Test) -> Option<&'p [NodeId]> {
        match test {
            Test::AnyElement => Some(self.page.elements()),
            Test::Element(name) => Some(self.memory.names[*name].map_or(&[], |name| self.page.elements_named(name))),
            Test::Attribute(name) => {
                Some(self.memory.names[*name].map_or(&[], |name| self.page.attributes_named(name)))
            }
            Test::Text => Some(self.page.texts()),
            Test::Nothing => Some(&[]),
            Test::Field { .. }
            | Test::Node
            | Test::Comment
            | Test::AnyAttribute
            | Test::AnyStyle
            | Test::Style(_)
            | Test::ElementPrefix(_)
            | Test::AttributePrefix(_) => None,
        }
    }

    /// The part of that list from `from` up to but not including `to`.
    ///
    /// Steps are usually taken from one node after the other, so the search begins where the last one in this list
    /// ended: a walk over the page then costs no logarithm.
    pub(super) fn list_between(&self, test: &Test, from: NodeId, to: NodeId) -> Option<&'p [NodeId]> {
        let list = self.list(test)?;
        let (before, near) = self.last_search.get();
        let near = if std::ptr::eq(before, list.as_ptr()) { near } else { 0 };
        let start = first_not_below(list, near, &from);
        self.last_search.set((list.as_ptr(), start));
        let end = match list.last() {
            Some(last) if *last >= to => first_not_below(list, start, &to),
            _ => list.len(),
        };
        Some(&list[start..end.max(start)])
    }

    /// Calls `visit` with the nodes of an axis that pass a test, in the order of the axis, until it returns true.
    pub(super) fn visit_axis(
        &mut self,
        node: NodeId,
        axis: Axis,
        test: &Test,
        visit: &mut dyn FnMut(&mut Self, NodeId) -> Result<bool>,
    ) -> Result<bool> {
        let page = self.page;
        match axis {
            Axis::Self_ => Ok(self.passes(node, test) && visit(self, node)?),
            Axis::Parent => match page.parent(node) {
                Some(parent) => Ok(self.passes(parent, test) && visit(self, parent)?),
                None => Ok(false),
            },
            Axis::Attribute => match test {
                Test::Attribute(name) => match self.memory.names[*name].and_then(|name| page.attribute(node, name)) {
                    Some(attribute) => visit(self, attribute),
                    None => Ok(false),
                },
                _ => self.visit_all(page.attributes(node).map(NodeId), test, visit),
            },
            Axis::Child => self.visit_all(page.children(node), test, visit),
            Axis::Ancestor => self.visit_all(page.ancestors(node), test, visit),
            Axis::AncestorOrSelf => self.visit_all(std::iter::once(node).chain(page.ancestors(node)), test, visit),
            Axis::Descendant => self.visit_range(NodeId(node.0 + 1), page.end(node), test, visit),
            Axis::DescendantOrSelf => {
                if self.passes(node, test) && visit(self, node)? {
                    return Ok(true);
                }
                self.visit_range(NodeId(node.0 + 1), page.end(node), test, visit)
            }
            Axis::Following => self.visit_range(page.end(node), page.end(NodeId::DOCUMENT), test, visit),
            Axis::FollowingSibling => self.visit_all(
                std::iter::successors(page.next_sibling(node), |n| page.next_sibling(*n)),
                test,
                visit,
            ),
            Axis::PrecedingSibling => {
                let before = std::iter::successors(page.previous_sibling(node), |n| page.previous_sibling(*n));
                self.visit_all(before, test, visit)
            }
            Axis::Preceding => self.visit_preceding(node, test, visit),
            Axis::Style => match test {
                Test::Style(name) => match self.memory.names[*name].and_then(|name| page.style(node, name)) {
                    Some(style) => visit(self, style),
                    None => Ok(false),
                },
                _ => self.visit_all(page.styles(node).map(NodeId), test, visit),
            },
            Axis::Namespace => Ok(false),
        }
    }

    fn visit_preceding(
        &mut self,
        node: NodeId,
        test: &Test,
        visit: &mut dyn FnMut(&mut Self, NodeId) -> Result<bool>,
    ) -> Result<bool> {
        let page = self.page;
        // A node that contains this one is an ancestor and does not precede it.
        let is_before = |candidate: &NodeId| page.end(*candidate) <= node;
        match self.list_between(test, NodeId::DOCUMENT, node) {
            Some(list) => {
                for candidate in list.iter().rev().copied().filter(is_before) {
                    self.work += 1;
                    if visit(self, candidate)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            None => {
                let candidates = (0..node.0).rev().map(NodeId).filter(|n| !page.is_attribute(*n));
                self.visit_all(candidates.filter(is_before), test, visit)
            }
        }
    }

    fn visit_all(
        &mut self,
        nodes: impl Iterator<Item = NodeId>,
        test: &Test,
        visit: &mut dyn FnMut(&mut Self, NodeId) -> Result<bool>,
    ) -> Result<bool> {
        for node in nodes {
            self.work += 1;
            if self.passes(node, test) && visit(self, node)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Visits the nodes in a range of ids that pass the test, except attributes.
    fn visit_range(
        &mut self,
        from: NodeId,
        to: NodeId,
        test: &Test,
        visit: &mut dyn FnMut(&mut Self, NodeId) -> Result<bool>,
    ) -> Result<bool> {
        match self.list_between(test, from, to) {
            Some(list) => {
                for &node in list {
                    self.work += 1;
                    if visit(self, node)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            None => {
                let page = self.page;
                let nodes = (from.0..to.0).map(NodeId).filter(|node| !page.is_attribute(*node));
                self.visit_all(nodes, test, visit)
            }
        }
    }
}

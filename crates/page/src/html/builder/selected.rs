//! The content of `selectedcontent` elements: a copy of the content of the selected option.
//!
//! The standard copies whenever an option is closed (HTML Standard 4.10.7 and 4.10.10, "maybe clone an option into
//! selectedcontent"), and only the last of these copies remains. Here it is made once, at the end of the page. The
//! selected option of a `select` is the last one with a `selected` attribute, otherwise the first one that is not
//! disabled.
//!
//! The cost is one walk over each `select` that contains such an element, and the copied nodes, which count like any
//! others.

use super::Builder;
use crate::limits::LimitError;
use crate::name::{NameId, Namespace, known};
use crate::scratch::{Kind, Ref};
use std::collections::HashSet;

impl Builder<'_> {
    pub(super) fn fill_selectedcontent(&mut self) -> Result<(), LimitError> {
        let mut filled = HashSet::new();
        // Copies are added after these, so they are not visited.
        for at in 0..self.scratch.nodes.len() as u32 {
            let target = Ref(at);
            if !self.is_html(target, known::SELECTEDCONTENT) {
                continue;
            }
            let Some(select) = self.select_around(target) else {
                continue;
            };
            if !filled.insert(select) || self.has_attribute(select, known::MULTIPLE) {
                continue;
            }
            if let Some(option) = self.selected_option(select) {
                self.copy_children(option, target)?;
            }
        }
        Ok(())
    }

    fn is_html(&self, node: Ref, wanted: NameId) -> bool {
        matches!(self.scratch.node(node).kind, Kind::Element { name, namespace: Namespace::Html, .. } if name == wanted)
    }

    fn has_attribute(&self, node: Ref, wanted: NameId) -> bool {
        let Kind::Element {
            first_attribute,
            attributes,
            ..
        } = self.scratch.node(node).kind
        else {
            return false;
        };
        let own = &self.scratch.attributes[first_attribute as usize..][..attributes as usize];
        own.iter().any(|attribute| attribute.name == wanted)
    }

    /// The `select` around a node; none if an option or another `selectedcontent` comes first.
    fn select_around(&self, node: Ref) -> Option<Ref> {
        let mut at = self.scratch.node(node).parent;
        while !at.is_none() {
            if self.is_html(at, known::SELECT) {
                return Some(at);
            }
            if self.is_html(at, known::OPTION) || self.is_html(at, known::SELECTEDCONTENT) {
                return None;
            }
            at = self.scratch.node(at).parent;
        }
        None
    }

    /// The next node of the subtree of `root` in document order; `skip` leaves out what is below `at`.
    fn following(&self, at: Ref, root: Ref, skip: bool) -> Option<Ref> {
        let node = self.scratch.node(at);
        if !skip && !node.first_child.is_none() {
            return Some(node.first_child);
        }
        let mut at = at;
        while at != root {
            let node = self.scratch.node(at);
            if !node.next.is_none() {
                return Some(node.next);
            }
            at = node.parent;
        }
        None
    }

    fn selected_option(&self, select: Ref) -> Option<Ref> {
        let mut first = None;
        let mut selected = None;
        let mut next = self.following(select, select, false);
        while let Some(at) = next {
            if self.is_html(at, known::OPTION) {
                if self.has_attribute(at, known::SELECTED) {
                    selected = Some(at);
                } else if first.is_none() && !self.has_attribute(at, known::DISABLED) {
                    first = Some(at);
                }
            }
            // The options of an inner select belong to that one.
            next = self.following(at, select, self.is_html(at, known::SELECT));
        }
        selected.or(first)
    }

    fn copy_children(&mut self, from: Ref, to: Ref) -> Result<(), LimitError> {
        let mut old = self.scratch.node(to).first_child;
        while !old.is_none() {
            let next = self.scratch.node(old).next;
            self.scratch.detach(old);
            old = next;
        }
        // The parent of the copies follows the original down and up.
        let mut parent = to;
        let mut next = self.following(from, from, false);
        while let Some(at) = next {
            let kind = self.copied_kind(at);
            let copy = self.scratch.append_new(parent, kind);
            self.check()?;
            next = self.following(at, from, false);
            let Some(following) = next else { break };
            if self.scratch.node(following).parent == at {
                parent = copy;
            } else {
                let mut up = at;
                while self.scratch.node(up).parent != self.scratch.node(following).parent {
                    up = self.scratch.node(up).parent;
                    parent = self.scratch.node(parent).parent;
                }
            }
        }
        Ok(())
    }
}

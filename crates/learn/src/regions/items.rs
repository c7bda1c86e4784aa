//! Rows of nodes in which records may be: the children of an element, or the children of several like elements.
//!
//! Records mostly are children of one element, each alone or with those after it. In a grid the cards of each row have a
//! parent of their own, and so have the items of a list that is divided into sections. So there is a row of items also for
//! all elements that have the same name and the same grandparent, or the same names and the same great-grandparent.
//! The rows of a page have as many nodes as the page, three times at most.

use super::sight::Sight;
use page::{Kind, NameId, NodeId, Page};
use std::collections::BTreeMap;
use std::ops::Range;

/// A row of nodes.
pub(super) struct Items {
    /// The element above all of them.
    pub(super) base: NodeId,
    /// The names between `base` and the nodes; empty if `base` is their parent.
    pub(super) steps: Vec<NameId>,
    /// The nodes: elements, also empty ones, and texts that are not blank.
    pub(super) nodes: Vec<NodeId>,
    /// The leaves of each.
    pub(super) leaves: Vec<Range<usize>>,
}

impl Items {
    /// Do all nodes have one parent?
    pub(super) fn is_flat(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Is it a text of white space alone, as XPath knows white space?
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// All rows of items of a page, those with many items first.
pub(super) fn rows(sight: &Sight<'_>) -> Vec<Items> {
    let page = sight.page;
    let mut rows: Vec<Items> = Vec::new();
    // Elements with leaves of their own or below, by what is one and two steps above them.
    let mut beside: BTreeMap<(NodeId, Vec<NameId>), Vec<NodeId>> = BTreeMap::new();
    for parent in parents(sight) {
        let Some(name) = page.name_of(parent) else { continue };
        let up = page.parent(parent).filter(|up| page.is_element(*up));
        if let Some(up) = up {
            beside.entry((up, vec![name])).or_default().push(parent);
            if let (Some(upper), Some(above)) = (page.parent(up), page.name_of(up))
                && page.is_element(upper)
            {
                beside.entry((upper, vec![above, name])).or_default().push(parent);
            }
        }
        let items = below(sight, parent, Vec::new(), &[parent]);
        if items.leaves.iter().filter(|leaves| !leaves.is_empty()).count() >= 2 {
            rows.push(items);
        }
    }
    for ((base, steps), parents) in beside {
        // With one parent above all, the shorter way says the same.
        let apart = match &steps[..] {
            [_] => parents.len() > 1,
            _ => parents.windows(2).any(|two| page.parent(two[0]) != page.parent(two[1])),
        };
        if !apart {
            continue;
        }
        let items = below(sight, base, steps, &parents);
        let full = items.leaves.iter().filter(|leaves| !leaves.is_empty()).count();
        if full > parents.len() {
            rows.push(items);
        }
    }
    rows.sort_by_key(|items| std::cmp::Reverse(items.nodes.len()));
    rows
}

/// The elements with leaves, in document order.
fn parents(sight: &Sight<'_>) -> Vec<NodeId> {
    let page = sight.page;
    let mut seen = vec![false; page.len()];
    let mut parents = Vec::new();
    for leaf in &sight.leaves {
        for up in page.ancestors(leaf.node) {
            if std::mem::replace(&mut seen[up.index()], true) || !page.is_element(up) {
                break;
            }
            parents.push(up);
        }
    }
    parents.sort_unstable();
    parents
}

fn below(sight: &Sight<'_>, base: NodeId, steps: Vec<NameId>, parents: &[NodeId]) -> Items {
    let page = sight.page;
    let nodes = parents.iter().flat_map(|parent| page.children(*parent));
    let nodes: Vec<NodeId> = nodes.filter(|node| is_item(page, *node)).collect();
    let leaves = nodes.iter().map(|node| sight.range(*node)).collect();
    Items {
        base,
        steps,
        nodes,
        leaves,
    }
}

fn is_item(page: &Page, node: NodeId) -> bool {
    match page.kind(node) {
        Kind::Element => true,
        Kind::Text => !is_blank(page.string_value(node)),
        _ => false,
    }
}

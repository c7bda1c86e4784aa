//! Lists: the nodes that a step with a position picks from, for the whole page.
//!
//! `//p/preceding-sibling::h2[1]` walks back from every paragraph until it finds a heading; where there is none, to the
//! first sibling. With a list of all headings, sorted, or sorted by parent and position for axes among siblings, the
//! nodes of an axis are a range of the list, and the n-th of them is found by two binary searches. For `preceding` the
//! range also contains ancestors, which are skipped; there are at most as many as the node is deep.
//!
//! A list is made when walks have taken long, as [tables](super::table) are. Ranges of several nodes are joined before
//! they are written ([`Evaluator::ranges`]), so `//p/following-sibling::p[position() > 3]` takes linear time as well.

use super::Evaluator;
use super::table::PATIENCE;
use crate::plan::{Axis, Predicate, Step};
use page::{NodeId, Page};
use std::ops::Range;
use std::rc::Rc;

/// The state of a slot for lists.
#[derive(Clone)]
pub(super) enum List {
    /// Walks so far visited this number of nodes.
    Cold(u64),
    /// No list can be made.
    Failed,
    Ready(Rc<Listed>),
}

/// The nodes that a step may pick from.
pub(super) struct Listed {
    /// In document order, or by parent where the axis is among siblings.
    nodes: Vec<NodeId>,
    /// The parents, in that case.
    parents: Vec<NodeId>,
}

impl Listed {
    fn new(page: &Page, axis: Axis, mut nodes: Vec<NodeId>) -> Listed {
        let mut parents = Vec::new();
        if is_kin(axis) {
            let parent = |node: &NodeId| page.parent(*node).unwrap_or(NodeId::DOCUMENT);
            nodes.sort_by_key(parent);
            parents = nodes.iter().map(parent).collect();
        }
        Listed { nodes, parents }
    }

    /// The nodes on the axis of a node; for `preceding` with its ancestors.
    fn range(&self, page: &Page, axis: Axis, node: NodeId) -> Range<usize> {
        let rank = |bound: NodeId| self.nodes.partition_point(|node| *node < bound);
        match axis {
            Axis::Descendant => rank(NodeId(node.0 + 1))..rank(page.end(node)),
            Axis::Following => rank(page.end(node))..self.nodes.len(),
            Axis::Preceding => 0..rank(node),
            _ => {
                let parent = if axis == Axis::Child {
                    Some(node)
                } else {
                    page.parent(node)
                };
                let Some(parent) = parent.filter(|_| !page.is_attribute(node)) else {
                    return 0..0;
                };
                let from = self.parents.partition_point(|other| *other < parent);
                let to = from + self.parents[from..].partition_point(|other| *other == parent);
                let split = |bound: NodeId| from + self.nodes[from..to].partition_point(|node| *node < bound);
                match axis {
                    Axis::Child => from..to,
                    Axis::FollowingSibling => split(NodeId(node.0 + 1))..to,
                    _ => from..split(node),
                }
            }
        }
    }

    /// The nodes at positions `from` to `to`, counted from 1 along the axis.
    fn pick(&self, page: &Page, axis: Axis, node: NodeId, from: usize, to: usize, out: &mut Vec<NodeId>) {
        let nodes = &self.nodes[self.range(page, axis, node)];
        let (skip, take) = (from.saturating_sub(1), to.saturating_sub(from.saturating_sub(1)));
        match axis {
            Axis::Preceding => {
                let before = nodes.iter().rev().filter(|other| page.end(**other) <= node);
                out.extend(before.skip(skip).take(take));
            }
            Axis::PrecedingSibling => out.extend(nodes.iter().rev().skip(skip).take(take)),
            _ => out.extend(nodes.iter().skip(skip).take(take)),
        }
    }

    /// The n-th from the end of the axis, counted from 0.
    fn from_end(&self, page: &Page, axis: Axis, node: NodeId, n: usize) -> Option<NodeId> {
        let nodes = &self.nodes[self.range(page, axis, node)];
        match axis {
            Axis::Preceding => nodes.iter().filter(|other| page.end(**other) <= node).nth(n).copied(),
            Axis::PrecedingSibling => nodes.get(n).copied(),
            _ => nodes.iter().rev().nth(n).copied(),
        }
    }
}

fn is_kin(axis: Axis) -> bool {
    matches!(axis, Axis::Child | Axis::FollowingSibling | Axis::PrecedingSibling)
}

impl<'p> Evaluator<'p> {
    /// The nodes that a step picks from one node, by its first predicate with a position; `None` if there is no list.
    pub(super) fn pick_from_list(&self, step: &Step, by: &Predicate, node: NodeId) -> Option<Vec<NodeId>> {
        let List::Ready(list) = &self.memory.lists[step.list?] else {
            return None;
        };
        let mut out = Vec::new();
        match by {
            Predicate::Nth(n) => list.pick(self.page, step.axis, node, *n, *n, &mut out),
            Predicate::Between(from, to) => list.pick(self.page, step.axis, node, *from, *to, &mut out),
            Predicate::Last => out.extend(list.from_end(self.page, step.axis, node, 0)),
            Predicate::FromEnd(n) => out.extend(list.from_end(self.page, step.axis, node, *n)),
            Predicate::Filter(_) | Predicate::Positional(_) => return None,
        }
        Some(out)
    }

    /// Adds the visits since `before` to those of a step, and makes its list when it is time.
    pub(super) fn maybe_list(&mut self, step: &'p Step, filters: &'p [Predicate], before: u64) {
        let Some(slot) = step.list else { return };
        let spent = self.work - before;
        let List::Cold(all) = &mut self.memory.lists[slot] else {
            return;
        };
        *all += spent;
        if *all > self.memory.patience {
            self.make_list(slot, step, filters);
        }
    }

    fn make_list(&mut self, slot: usize, step: &'p Step, filters: &'p [Predicate]) {
        self.memory.lists[slot] = match self.passing(&step.test, step.axis, filters) {
            Ok(nodes) => List::Ready(Rc::new(Listed::new(self.page, step.axis, nodes))),
            Err(_) => List::Failed,
        };
    }

    /// A step with a range of positions from many nodes at once, in document order; false if that is not possible.
    pub(super) fn ranges(&mut self, step: &'p Step, set: &[NodeId], out: &mut Vec<NodeId>) -> bool {
        let filters = step
            .predicates
            .iter()
            .take_while(|predicate| matches!(predicate, Predicate::Filter(_)))
            .count();
        let (filters, rest) = step.predicates.split_at(filters);
        let (Some(slot), [Predicate::Between(from, to)]) = (step.list, rest) else {
            return false;
        };
        let far = matches!(
            step.axis,
            Axis::Descendant | Axis::Following | Axis::FollowingSibling | Axis::PrecedingSibling
        );
        if !far || (set.len() as u64) < PATIENCE.min(self.memory.patience) {
            return false;
        }
        if let List::Cold(_) = self.memory.lists[slot] {
            self.make_list(slot, step, filters);
        }
        let List::Ready(list) = &self.memory.lists[slot] else {
            return false;
        };
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(set.len());
        for &node in set {
            let range = list.range(self.page, step.axis, node);
            let skip = from.saturating_sub(1);
            let range = if step.axis == Axis::PrecedingSibling {
                range.end.saturating_sub(*to).max(range.start)..range.end.saturating_sub(skip)
            } else {
                range.start.saturating_add(skip)..range.start.saturating_add(*to).min(range.end)
            };
            if range.start < range.end {
                ranges.push(range);
            }
        }
        ranges.sort_unstable_by_key(|range| range.start);
        let mut done = 0;
        for range in ranges {
            let start = range.start.max(done);
            if start < range.end {
                out.extend_from_slice(&list.nodes[start..range.end]);
                done = range.end;
            }
        }
        self.work += out.len() as u64;
        true
    }
}

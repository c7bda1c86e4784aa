//! Lists: the nodes that a step with a position picks from, for the whole page.
//!
//! `//p/preceding-sibling::h2[1]` walks back from every paragraph until it finds a heading; where there is none, to the
//! first sibling. With a list of all headings, sorted, or sorted by parent and position for axes among siblings, the
//! nodes of an axis are a range of the list, and the n-th of them is found by two binary searches. For `preceding` the
//! range also contains ancestors, which are skipped; there are at most as many as the node is deep.
//!
//! A list is made when walks have taken long, as [tables](super::table) are. A step from many nodes joins their ranges
//! before they are written ([`between`]), so `//p/following-sibling::p[position() > 3]` takes linear time as well. Any
//! other condition on the position is evaluated for each pair of a range and a node in it that was not found before: in
//! quadratic time, if it is seldom true.

use super::table::PATIENCE;
use super::{Context, Evaluator, Result};
use crate::plan::{Axis, Predicate, Step, Truth};
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
    /// Is every node beside the others, not below one of them?
    flat: bool,
}

impl Listed {
    fn new(page: &Page, axis: Axis, mut nodes: Vec<NodeId>) -> Listed {
        let mut parents = Vec::new();
        if is_kin(axis) {
            let parent = |node: &NodeId| page.parent(*node).unwrap_or(NodeId::DOCUMENT);
            // The document is nobody's sibling.
            nodes.retain(|node| *node != NodeId::DOCUMENT);
            nodes.sort_by_key(parent);
            parents = nodes.iter().map(parent).collect();
        }
        let flat = nodes.is_sorted_by(|a, b| page.end(*a) <= *b);
        Listed { nodes, parents, flat }
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
    fn nth_last(&self, page: &Page, axis: Axis, node: NodeId, n: usize) -> Option<NodeId> {
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
            Predicate::Last => out.extend(list.nth_last(self.page, step.axis, node, 0)),
            Predicate::FromEnd(n) => out.extend(list.nth_last(self.page, step.axis, node, *n)),
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

    /// A step from many nodes at once, not in document order; false if that is not possible.
    pub(super) fn step_by_list(&mut self, step: &'p Step, set: &[NodeId], out: &mut Vec<NodeId>) -> Result<bool> {
        let filters = step
            .predicates
            .iter()
            .take_while(|predicate| matches!(predicate, Predicate::Filter(_)))
            .count();
        let (filters, rest) = step.predicates.split_at(filters);
        let (Some(slot), [by @ (Predicate::Between(..) | Predicate::Positional(_))]) = (step.list, rest) else {
            return Ok(false);
        };
        // A few nodes take less time one by one, and children are on the axis of one node only.
        if step.axis == Axis::Child || (set.len() as u64) < PATIENCE.min(self.memory.patience) {
            return Ok(false);
        }
        if let List::Cold(_) = self.memory.lists[slot] {
            self.make_list(slot, step, filters);
        }
        let List::Ready(list) = &self.memory.lists[slot] else {
            return Ok(false);
        };
        let list = Rc::clone(list);
        if step.axis == Axis::Preceding && !list.flat {
            return Ok(false);
        }
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(set.len());
        for &node in set {
            let mut range = list.range(self.page, step.axis, node);
            // Flat: only the last before a node can be its ancestor.
            if step.axis == Axis::Preceding && range.end > 0 && self.page.end(list.nodes[range.end - 1]) > node {
                range.end -= 1;
            }
            ranges.push(range);
        }
        match by {
            Predicate::Positional(truth) => self.by_position(step.axis, truth, &list, ranges, out)?,
            Predicate::Between(from, to) => between(step.axis, (*from, *to), &list, ranges, out),
            _ => return Ok(false),
        }
        self.work += (set.len() + out.len()) as u64;
        Ok(true)
    }

    /// The nodes of ranges for which a condition on the position is true. Nodes before which others have the same range
    /// are not asked again, and neither are candidates that one of them has found.
    fn by_position(
        &mut self,
        axis: Axis,
        truth: &'p Truth,
        list: &Listed,
        mut ranges: Vec<Range<usize>>,
        out: &mut Vec<NodeId>,
    ) -> Result<()> {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        // From each index the next that is not found yet, possibly by several steps.
        let mut open: Vec<u32> = (0..=list.nodes.len() as u32).collect();
        let next = |open: &mut Vec<u32>, from: usize| {
            let mut at = from;
            while open[at] as usize != at {
                let beyond = open[open[at] as usize];
                open[at] = beyond;
                at = beyond as usize;
            }
            at
        };
        for range in ranges {
            let size = range.len();
            let mut at = next(&mut open, range.start);
            while at < range.end {
                let position = if is_reverse(axis) {
                    range.end - at
                } else {
                    at - range.start + 1
                };
                let node = list.nodes[at];
                self.work += 1;
                if self.truth(truth, Context { node, position, size })? {
                    out.push(node);
                    open[at] = at as u32 + 1;
                }
                at = next(&mut open, at + 1);
            }
        }
        Ok(())
    }
}

fn is_reverse(axis: Axis) -> bool {
    matches!(axis, Axis::Preceding | Axis::PrecedingSibling)
}

/// The nodes at positions of ranges, both ends included: the parts of the list are joined before they are written.
fn between(axis: Axis, (from, to): (usize, usize), list: &Listed, ranges: Vec<Range<usize>>, out: &mut Vec<NodeId>) {
    let skip = from.saturating_sub(1);
    let part = |range: Range<usize>| match is_reverse(axis) {
        true => range.end.saturating_sub(to).max(range.start)..range.end.saturating_sub(skip),
        false => range.start.saturating_add(skip)..range.start.saturating_add(to).min(range.end),
    };
    let mut parts: Vec<Range<usize>> = ranges.into_iter().map(part).filter(|part| !part.is_empty()).collect();
    parts.sort_unstable_by_key(|part| part.start);
    let mut done = 0;
    for part in parts {
        let start = part.start.max(done);
        if start < part.end {
            out.extend_from_slice(&list.nodes[start..part.end]);
            done = part.end;
        }
    }
}

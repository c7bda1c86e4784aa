//! Set at a time: a step from all nodes of a set at once.
//!
//! Sets are sorted by id, that is, in document order. Most axes give their nodes in order if the input is in order;
//! where some nodes of the input are below others, the result is sorted once at the end.

use super::search::first_not_below;
use super::{Context, Evaluator, Result};
use crate::plan::{Axis, Path, Predicate, Start, Step, Test, Truth, Walk};
use page::{NodeId, Page};

impl<'p> Evaluator<'p> {
    /// The nodes of a path, in document order.
    pub(super) fn path(&mut self, path: &'p Path, context: Context) -> Result<Vec<NodeId>> {
        let mut set = match &path.start {
            Start::Context => vec![context.node],
            Start::Root => vec![NodeId::DOCUMENT],
            Start::Nodes(nodes) => self.nodes(nodes, context)?.into_vec(),
        };
        for step in &path.steps {
            if set.is_empty() {
                break;
            }
            set = self.step(step, &set)?;
        }
        Ok(set)
    }

    pub(super) fn step(&mut self, step: &'p Step, set: &[NodeId]) -> Result<Vec<NodeId>> {
        let mut out = Vec::new();
        match step.walk {
            Walk::Set => {
                match step.detour.as_deref() {
                    Some(detour) => self.detour(detour, &step.test, set, &mut out)?,
                    None => self.axis_of_set(step.axis, &step.test, set, &mut out),
                }
                for predicate in &step.predicates {
                    if let Predicate::Filter(truth) = predicate {
                        self.retain(truth, &mut out)?;
                    }
                }
            }
            Walk::Each if self.step_by_list(step, set, &mut out)? => sort(&mut out),
            Walk::Each => {
                for &node in set {
                    self.step_from(step, node, &mut out)?;
                    // Neighbours often lead to the same node; dropping it now keeps the list short.
                    if let [.., before, last] = out[..]
                        && before == last
                    {
                        out.pop();
                    }
                }
                sort(&mut out);
            }
            Walk::Grouped => self.grouped_step(step, set, &mut out)?,
        }
        Ok(out)
    }

    /// Descendants, with positions among the children of each parent.
    fn grouped_step(&mut self, step: &'p Step, set: &[NodeId], out: &mut Vec<NodeId>) -> Result<()> {
        let mut found = Vec::new();
        self.axis_of_set(Axis::Descendant, &step.test, set, &mut found);
        let mut grouped: Vec<(NodeId, NodeId)> = found
            .iter()
            .map(|&node| (self.page.parent(node).unwrap_or(node), node))
            .collect();
        if !grouped.is_sorted_by_key(|(parent, _)| *parent) {
            grouped.sort_unstable();
        }
        let mut group = Vec::new();
        for siblings in grouped.chunk_by(|a, b| a.0 == b.0) {
            group.clear();
            group.extend(siblings.iter().map(|(_, node)| *node));
            self.apply(&step.predicates, &mut group)?;
            out.extend_from_slice(&group);
        }
        sort(out);
        Ok(())
    }

    /// Takes a step from one node and appends the nodes it leads to, in the order of the axis.
    pub(super) fn step_from(&mut self, step: &'p Step, node: NodeId, out: &mut Vec<NodeId>) -> Result<()> {
        let filters = step
            .predicates
            .iter()
            .take_while(|p| matches!(p, Predicate::Filter(_)))
            .count();
        let (filters, rest) = step.predicates.split_at(filters);
        if let Some(by) = rest.first()
            && let Some(mut list) = self.pick_from_list(step, by, node)
        {
            self.work += 1 + list.len() as u64;
            self.apply(&rest[1..], &mut list)?;
            out.append(&mut list);
            return Ok(());
        }
        let before = self.work;
        match rest.first() {
            Some(Predicate::Nth(_) | Predicate::Last) => self.step_to_one(step, filters, rest, node, out)?,
            _ => self.step_to_list(step, filters, rest, node, out)?,
        }
        if !matches!(rest.first(), Some(Predicate::Positional(_))) {
            self.maybe_list(step, filters, before);
        }
        Ok(())
    }

    fn step_to_one(
        &mut self,
        step: &'p Step,
        filters: &'p [Predicate],
        rest: &'p [Predicate],
        node: NodeId,
        out: &mut Vec<NodeId>,
    ) -> Result<()> {
        let found = match rest[0] {
            Predicate::Nth(n) => self.nth(step, filters, node, n)?,
            _ => self.last(step, filters, node)?,
        };
        // At most one node: for the following predicates it is the first of one.
        let mut list: Vec<NodeId> = found.into_iter().collect();
        self.apply(&rest[1..], &mut list)?;
        out.append(&mut list);
        Ok(())
    }

    fn step_to_list(
        &mut self,
        step: &'p Step,
        filters: &'p [Predicate],
        rest: &'p [Predicate],
        node: NodeId,
        out: &mut Vec<NodeId>,
    ) -> Result<()> {
        let most = match rest.first() {
            Some(Predicate::Between(_, to)) => *to,
            _ => usize::MAX,
        };
        let mut list = self.filtered(step, filters, node, most)?;
        self.apply(rest, &mut list)?;
        out.append(&mut list);
        Ok(())
    }

    /// The first `most` nodes of an axis that pass the test and the filters, in the order of the axis.
    fn filtered(&mut self, step: &'p Step, filters: &'p [Predicate], node: NodeId, most: usize) -> Result<Vec<NodeId>> {
        let mut list = Vec::new();
        self.visit_step(node, step, &mut |this, node| {
            if list.len() < most && this.passes_all(filters, node)? {
                list.push(node);
            }
            Ok(list.len() >= most)
        })?;
        Ok(list)
    }

    /// The n-th of them, counted from 1.
    fn nth(&mut self, step: &'p Step, filters: &'p [Predicate], node: NodeId, n: usize) -> Result<Option<NodeId>> {
        let mut left = n;
        let mut found = None;
        self.visit_step(node, step, &mut |this, node| {
            if this.passes_all(filters, node)? {
                left -= 1;
                if left == 0 {
                    found = Some(node);
                }
            }
            Ok(left == 0)
        })?;
        Ok(found)
    }

    /// The last of them.
    fn last(&mut self, step: &'p Step, filters: &'p [Predicate], node: NodeId) -> Result<Option<NodeId>> {
        let range = match step.axis {
            _ if step.detour.is_some() => None,
            Axis::Descendant => Some((NodeId(node.0 + 1), self.page.end(node))),
            Axis::Following => Some((self.page.end(node), self.page.end(NodeId::DOCUMENT))),
            _ => None,
        };
        if let Some((from, to)) = range
            && let Some(list) = self.list_between(&step.test, from, to)
        {
            for &candidate in list.iter().rev() {
                if self.passes_all(filters, candidate)? {
                    return Ok(Some(candidate));
                }
            }
            return Ok(None);
        }
        let mut last = None;
        self.visit_step(node, step, &mut |this, node| {
            if this.passes_all(filters, node)? {
                last = Some(node);
            }
            Ok(false)
        })?;
        Ok(last)
    }

    /// Applies predicates in turn to a list, which is in the order in which positions count.
    pub(super) fn apply(&mut self, predicates: &'p [Predicate], list: &mut Vec<NodeId>) -> Result<()> {
        for predicate in predicates {
            match predicate {
                Predicate::Filter(truth) => self.retain(truth, list)?,
                Predicate::Positional(truth) => {
                    let size = list.len();
                    let mut kept = 0;
                    for at in 0..size {
                        let context = Context {
                            node: list[at],
                            position: at + 1,
                            size,
                        };
                        if self.truth(truth, context)? {
                            list[kept] = list[at];
                            kept += 1;
                        }
                    }
                    list.truncate(kept);
                }
                Predicate::Nth(n) => keep(list, *n, *n),
                Predicate::Last => keep(list, list.len(), list.len()),
                Predicate::FromEnd(n) => {
                    let at = list.len().saturating_sub(*n);
                    keep(list, at.max(1), at);
                }
                Predicate::Between(from, to) => keep(list, *from, *to),
            }
        }
        Ok(())
    }

    fn retain(&mut self, truth: &'p Truth, list: &mut Vec<NodeId>) -> Result<()> {
        let mut kept = 0;
        for at in 0..list.len() {
            let node = list[at];
            if self.truth(
                truth,
                Context {
                    node,
                    position: 1,
                    size: 1,
                },
            )? {
                list[kept] = node;
                kept += 1;
            }
        }
        list.truncate(kept);
        Ok(())
    }

    /// Does a node pass predicates that do not depend on its position?
    pub(super) fn passes_all(&mut self, filters: &'p [Predicate], node: NodeId) -> Result<bool> {
        for predicate in filters {
            if let Predicate::Filter(truth) = predicate
                && !self.truth(
                    truth,
                    Context {
                        node,
                        position: 1,
                        size: 1,
                    },
                )?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The nodes on an axis of any node of a set that pass a test, in document order, each once.
    fn axis_of_set(&mut self, axis: Axis, test: &Test, set: &[NodeId], out: &mut Vec<NodeId>) {
        let page = self.page;
        let (Some(&first), Some(&last)) = (set.first(), set.last()) else {
            return;
        };
        // The nodes that were looked at and are not in the result.
        let mut visited = 0;
        match axis {
            Axis::Self_ => out.extend(set.iter().filter(|node| self.passes(**node, test))),
            Axis::Attribute => match test {
                Test::Attribute(name) => {
                    if let Some(name) = self.memory.names[*name] {
                        out.extend(set.iter().filter_map(|node| page.attribute(*node, name)));
                    }
                }
                _ => {
                    let attributes = set.iter().flat_map(|node| page.attributes(*node).map(NodeId));
                    out.extend(attributes.filter(|node| self.passes(*node, test)));
                }
            },
            Axis::Child => {
                match self.list(test) {
                    // Few nodes pass the test: ask each for its parent instead of each parent for its children.
                    Some(list) if list.len() <= 2 * set.len() => {
                        let mut near = 0;
                        out.extend(list.iter().filter(|node| {
                            let Some(parent) = page.parent(**node) else {
                                return false;
                            };
                            near = first_not_below(set, near, &parent);
                            set.get(near) == Some(&parent)
                        }));
                    }
                    _ => {
                        for &node in set {
                            visited += self.extend(page.children(node), test, out);
                        }
                        sort(out);
                    }
                }
            }
            Axis::Descendant | Axis::DescendantOrSelf => {
                // Subtrees are nested or disjoint: one that begins inside the last one adds nothing.
                let mut covered = NodeId::DOCUMENT;
                for &node in set {
                    if node < covered {
                        continue;
                    }
                    let after = NodeId(node.0 + 1);
                    if axis == Axis::DescendantOrSelf && self.passes(node, test) {
                        out.push(node);
                    }
                    visited += self.extend_from_range(test, after, page.end(node), out);
                    covered = page.end(node);
                }
                if axis == Axis::DescendantOrSelf && set.iter().any(|node| page.is_attribute(*node)) {
                    // An attribute is inside the range of its element without being below it.
                    out.extend(
                        set.iter()
                            .filter(|node| page.is_attribute(**node) && self.passes(**node, test)),
                    );
                    sort(out);
                }
            }
            Axis::Parent => {
                for &node in set {
                    if let Some(parent) = page.parent(node)
                        && out.last() != Some(&parent)
                        && self.passes(parent, test)
                    {
                        out.push(parent);
                    }
                }
                sort(out);
            }
            Axis::Ancestor | Axis::AncestorOrSelf => {
                // An ancestor shared with the previous node is already included, with all above it.
                let mut before: Option<NodeId> = None;
                for &node in set {
                    let chunk = out.len();
                    let own = (axis == Axis::AncestorOrSelf).then_some(node);
                    for ancestor in own.into_iter().chain(page.ancestors(node)) {
                        visited += 1;
                        let shared = before.is_some_and(|before| ancestor < before && before < page.end(ancestor));
                        let met = before == Some(ancestor);
                        if shared || (met && axis == Axis::AncestorOrSelf) {
                            break;
                        }
                        if self.passes(ancestor, test) {
                            out.push(ancestor);
                        }
                        if met {
                            break;
                        }
                    }
                    out[chunk..].reverse();
                    before = Some(node);
                }
                sort(out);
            }
            Axis::Following => {
                let from = set.iter().map(|node| page.end(*node)).min().unwrap_or(first);
                visited += self.extend_from_range(test, from, page.end(NodeId::DOCUMENT), out);
            }
            Axis::Preceding => {
                visited += self.extend_from_range(test, NodeId::DOCUMENT, last, out);
                out.retain(|node| page.end(*node) <= last);
            }
            Axis::FollowingSibling => {
                // Of several siblings in the set, the first has all that the others have.
                let mut seen = seen_table(page, set);
                visited += seen.len() as u64 / 32;
                for &node in set {
                    let Some(parent) = page.parent(node).filter(|_| !page.is_attribute(node)) else {
                        continue;
                    };
                    if seen
                        .get_mut(parent.index())
                        .is_some_and(|seen| std::mem::replace(seen, true))
                    {
                        continue;
                    }
                    let siblings = std::iter::successors(page.next_sibling(node), |n| page.next_sibling(*n));
                    visited += self.extend(siblings, test, out);
                }
                sort(out);
            }
            Axis::PrecedingSibling => {
                let mut seen = seen_table(page, set);
                visited += seen.len() as u64 / 32;
                for &node in set.iter().rev() {
                    let Some(parent) = page.parent(node).filter(|_| !page.is_attribute(node)) else {
                        continue;
                    };
                    if seen
                        .get_mut(parent.index())
                        .is_some_and(|seen| std::mem::replace(seen, true))
                    {
                        continue;
                    }
                    let siblings = page.children(parent).take_while(|sibling| *sibling < node);
                    visited += self.extend(siblings, test, out);
                }
                sort(out);
            }
            Axis::Style => {
                let styles = set.iter().flat_map(|node| page.styles(*node).map(NodeId));
                out.extend(styles.filter(|node| self.passes(*node, test)));
            }
            Axis::Namespace => {}
        }
        self.work += visited + (set.len() + out.len()) as u64;
    }

    /// Appends the nodes that pass a test, and returns how many there were.
    fn extend(&self, nodes: impl Iterator<Item = NodeId>, test: &Test, out: &mut Vec<NodeId>) -> u64 {
        let mut visited = 0;
        for node in nodes {
            visited += 1;
            if self.passes(node, test) {
                out.push(node);
            }
        }
        visited
    }

    /// The same for a range of ids; attributes are left out.
    fn extend_from_range(&self, test: &Test, from: NodeId, to: NodeId, out: &mut Vec<NodeId>) -> u64 {
        match self.list_between(test, from, to) {
            Some(list) => {
                out.extend_from_slice(list);
                0
            }
            None => {
                let nodes = (from.0..to.0).map(NodeId);
                self.extend(nodes.filter(|node| !self.page.is_attribute(*node)), test, out)
            }
        }
    }
}

/// A table of the parents seen so far; a set of one node needs none.
fn seen_table(page: &Page, set: &[NodeId]) -> Vec<bool> {
    if set.len() > 1 {
        vec![false; page.len()]
    } else {
        Vec::new()
    }
}

/// Keeps positions from the first to the second, counted from 1.
fn keep(list: &mut Vec<NodeId>, from: usize, to: usize) {
    list.truncate(to);
    list.drain(..from.saturating_sub(1).min(list.len()));
}

/// Puts nodes in document order, each once; costs nothing if they already are.
fn sort(nodes: &mut Vec<NodeId>) {
    if !nodes.is_sorted_by(|a, b| a < b) {
        nodes.sort_unstable();
        nodes.dedup();
    }
}

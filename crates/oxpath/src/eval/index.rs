//! Nodes by value: is one of the nodes of a path equal to a value, for many values?
//!
//! `//a[not(@href = preceding::a/@href)]` compares every node with all before it. An index has for each value the nodes
//! that the first long step of the path reaches and from which the rest of the path leads to that value. It remains to
//! ask whether one of these is on the axis of the context node, by a search in a sorted list.
//!
//! The index is made when walks have taken long, as [tables](super::table) are, and costs one walk along the rest of
//! the path from each node that the step may reach.

use super::table::{Table, slot};
use super::{Context, Evaluator, Result};
use crate::plan::{Axis, Nodes, Path, Step};
use crate::value::string_to_number;
use page::{NodeId, Page};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// The visits for each node of the page that making an index may take.
const MOST_VISITS: u64 = 32;

/// How nodes are compared with a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Text,
    Number,
}

/// Nodes by value.
pub(super) struct Index {
    by: By,
    /// By the hash of the value.
    groups: HashMap<u64, Vec<Group>>,
}

struct Group {
    /// A node with the value.
    value: NodeId,
    /// The nodes that lead to it, each after its parent where the axis is among siblings; sorted.
    members: Vec<(NodeId, NodeId)>,
}

/// A value to search for.
#[derive(Clone, Copy)]
pub(super) enum Sought<'s> {
    Text(&'s str),
    Number(f64),
}

impl Index {
    fn new(by: By) -> Index {
        Index {
            by,
            groups: HashMap::new(),
        }
    }

    fn add(&mut self, page: &Page, value: NodeId, member: (NodeId, NodeId)) {
        let text = page.string_value(value);
        let sought = match self.by {
            By::Text => Sought::Text(text),
            By::Number => Sought::Number(string_to_number(text)),
        };
        let Some(hash) = sought.hash() else { return };
        let groups = self.groups.entry(hash).or_default();
        match groups.iter_mut().find(|group| sought.is(page, group.value)) {
            Some(group) => group.members.push(member),
            None => groups.push(Group {
                value,
                members: vec![member],
            }),
        }
    }

    fn find(&self, page: &Page, sought: Sought<'_>) -> &[(NodeId, NodeId)] {
        let groups = sought.hash().and_then(|hash| self.groups.get(&hash));
        let group = groups.and_then(|groups| groups.iter().find(|group| sought.is(page, group.value)));
        group.map_or(&[], |group| &group.members)
    }

    #[expect(clippy::iter_over_hash_type, reason = "each group is sorted on its own")]
    fn sort(&mut self) {
        for groups in self.groups.values_mut() {
            for group in groups {
                group.members.sort_unstable();
                group.members.dedup();
            }
        }
    }
}

impl Sought<'_> {
    /// NaN is equal to nothing, and has no hash.
    fn hash(self) -> Option<u64> {
        match self {
            Sought::Text(text) => {
                let mut hasher = DefaultHasher::new();
                text.hash(&mut hasher);
                Some(hasher.finish())
            }
            Sought::Number(number) if number.is_nan() => None,
            // The two zeros are equal.
            Sought::Number(number) => Some((number + 0.0).to_bits()),
        }
    }

    fn is(self, page: &Page, node: NodeId) -> bool {
        let value = page.string_value(node);
        match self {
            Sought::Text(text) => value == text,
            Sought::Number(number) => string_to_number(value) == number,
        }
    }
}

impl<'p> Evaluator<'p> {
    /// Is one of the nodes equal to a value?
    pub(super) fn has_value(&mut self, nodes: &'p Nodes, context: Context, sought: Sought<'_>) -> Result<bool> {
        let page = self.page;
        if let Nodes::Once { slot, inner } = nodes {
            let index = self.once_index(*slot, inner, context, sought.by())?;
            return Ok(!index.find(page, sought).is_empty());
        }
        if let Nodes::Union(operands) | Nodes::Disjoint(operands) = nodes {
            for operand in operands {
                if self.has_value(operand, context, sought)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let found = slot(nodes).and_then(|(slot, path)| long_step(path).map(|at| (slot, path, at)));
        let Some((slot, path, at)) = found else {
            return self.visit(nodes, context, &mut |_, node| Ok(sought.is(page, node)));
        };
        if let Table::Index(index) = &self.memory.tables[slot] {
            let index = Rc::clone(index);
            let members = index.find(page, sought);
            if members.is_empty() {
                return Ok(false);
            }
            // Steps before the long one lead to one node at most.
            let mut node = context.node;
            for step in &path.steps[..at] {
                let mut reached = Vec::new();
                self.step_from(step, node, &mut reached)?;
                match reached.first() {
                    Some(reached) => node = *reached,
                    None => return Ok(false),
                }
            }
            return Ok(is_on_axis(page, path.steps[at].axis, node, members));
        }
        let before = self.work;
        let found = self.visit(nodes, context, &mut |_, node| Ok(sought.is(page, node)))?;
        if self.is_time(slot, before) {
            self.make_index(slot, path, at, sought.by());
        }
        Ok(found)
    }

    fn make_index(&mut self, slot: usize, path: &'p Path, at: usize, by: By) {
        self.memory.tables[slot] = match self.index(path, at, by) {
            Ok(Some(index)) => Table::Index(Rc::new(index)),
            Ok(None) | Err(_) => Table::Failed,
        };
    }

    /// Is there a node on either side with the same string-value?
    pub(super) fn have_a_common_value(&mut self, left: &'p Nodes, right: &'p Nodes, context: Context) -> Result<bool> {
        let page = self.page;
        for (once, other) in [(right, left), (left, right)] {
            if let Nodes::Once { slot, inner } = once {
                let index = self.once_index(*slot, inner, context, By::Text)?;
                return self.some(other, context, &|node| {
                    !index.find(page, Sought::Text(page.string_value(node))).is_empty()
                });
            }
        }
        for (union, other) in [(right, left), (left, right)] {
            if let Nodes::Union(operands) | Nodes::Disjoint(operands) = union {
                for operand in operands {
                    if self.have_a_common_value(operand, other, context)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
        }
        // The side with an index, and the slot for it.
        let indexable = |nodes: &'p Nodes| slot(nodes).filter(|(_, path)| long_step(path).is_some());
        let (probe, indexed, place) = match (indexable(left), indexable(right)) {
            (_, Some(place)) => (left, right, Some(place)),
            (place, None) => (right, left, place),
        };
        if let Some((slot, _)) = place
            && let Table::Index(_) = self.memory.tables[slot]
        {
            return self.visit(probe, context, &mut |this, node| {
                this.has_value(indexed, context, Sought::Text(page.string_value(node)))
            });
        }
        let before = self.work;
        let found = self.nodes(probe, context)?;
        let values: HashSet<&str> = found.iter().map(|node| page.string_value(*node)).collect();
        let met = !values.is_empty()
            && self.visit(indexed, context, &mut |_, node| {
                Ok(values.contains(page.string_value(node)))
            })?;
        if let Some((slot, path)) = place
            && self.is_time(slot, before)
            && let Some(at) = long_step(path)
        {
            self.make_index(slot, path, at, By::Text);
        }
        Ok(met)
    }

    fn once_index(&mut self, slot: usize, inner: &'p Nodes, context: Context, by: By) -> Result<Rc<Index>> {
        if let Some(index) = &self.memory.once_index[slot]
            && index.by == by
        {
            return Ok(Rc::clone(index));
        }
        let nodes = self.once(slot, inner, context)?;
        let mut index = Index::new(by);
        for &node in nodes.iter() {
            index.add(self.page, node, (NodeId::DOCUMENT, node));
        }
        let index = Rc::new(index);
        self.memory.once_index[slot] = Some(Rc::clone(&index));
        Ok(index)
    }

    fn index(&mut self, path: &'p Path, at: usize, by: By) -> Result<Option<Index>> {
        let page = self.page;
        let most = self.work + MOST_VISITS * page.len() as u64;
        let step = &path.steps[at];
        let Some(matching) = self.matching(step)? else {
            return Ok(None);
        };
        let kin = among_siblings(step.axis);
        let mut index = Index::new(by);
        // The document is nobody's sibling.
        for node in matching.into_iter().filter(|node| !kin || *node != NodeId::DOCUMENT) {
            let parent = page.parent(node).filter(|_| kin).unwrap_or(NodeId::DOCUMENT);
            self.walk(&path.steps[at + 1..], node, &mut |this, value| {
                index.add(page, value, (parent, node));
                Ok(this.work > most)
            })?;
            if self.work > most {
                return Ok(None);
            }
        }
        index.sort();
        Ok(Some(index))
    }
}

impl Sought<'_> {
    fn by(self) -> By {
        match self {
            Sought::Text(_) => By::Text,
            Sought::Number(_) => By::Number,
        }
    }
}

fn among_siblings(axis: Axis) -> bool {
    matches!(axis, Axis::Child | Axis::FollowingSibling | Axis::PrecedingSibling)
}

/// The step of a path that may lead to many nodes, if only steps to one node are before it and the steps after it can
/// be walked.
fn long_step(path: &Path) -> Option<usize> {
    let short = |step: &&Step| matches!(step.axis, Axis::Parent | Axis::Self_);
    let at = path.steps.iter().take_while(short).count();
    let step = path.steps.get(at)?;
    let known = matches!(
        step.axis,
        Axis::Child
            | Axis::Descendant
            | Axis::Following
            | Axis::FollowingSibling
            | Axis::Preceding
            | Axis::PrecedingSibling
            | Axis::Ancestor
            | Axis::AncestorOrSelf
    );
    (known && path.walkable).then_some(at)
}

/// Is one of the nodes on the axis of another? Sorted, each after its parent if the axis is among siblings.
fn is_on_axis(page: &Page, axis: Axis, node: NodeId, members: &[(NodeId, NodeId)]) -> bool {
    let first_from = |from: (NodeId, NodeId)| {
        let at = members.partition_point(|member| *member < from);
        members.get(at).copied()
    };
    let below = |parent: NodeId| (parent, NodeId::DOCUMENT);
    let whole = NodeId::DOCUMENT;
    match axis {
        Axis::Child => first_from(below(node)).is_some_and(|(parent, _)| parent == node),
        Axis::FollowingSibling | Axis::PrecedingSibling => {
            let Some(parent) = page.parent(node).filter(|_| !page.is_attribute(node)) else {
                return false;
            };
            if axis == Axis::PrecedingSibling {
                return first_from(below(parent)).is_some_and(|(other, first)| other == parent && first < node);
            }
            first_from((parent, NodeId(node.0 + 1))).is_some_and(|(other, _)| other == parent)
        }
        Axis::Descendant => first_from((whole, NodeId(node.0 + 1))).is_some_and(|(_, first)| first < page.end(node)),
        Axis::Following => members.last().is_some_and(|(_, last)| *last >= page.end(node)),
        // Only ancestors are before a node without preceding it.
        Axis::Preceding => {
            let mut before = members.iter().take_while(|(_, other)| *other < node);
            before.any(|(_, other)| page.end(*other) <= node)
        }
        _ => {
            let own = (axis == Axis::AncestorOrSelf).then_some(node);
            own.into_iter()
                .chain(page.ancestors(node))
                .any(|node| members.binary_search(&(whole, node)).is_ok())
        }
    }
}

//! Tables: the answer of a path for every node of the page, made when walks from one node after the other take long.
//!
//! *Idea.* `//td[count(following::td) > 5]` asks every cell for the cells after it. Walking from each takes quadratic
//! time; but the path can also be read from its end. Mark the nodes that its last step may reach, with a weight each;
//! [`gather`] says for every node what that step finds from there; this is the weight of the nodes that the step before
//! may reach, and so on (the "bottom-up" evaluation of Gottlob, Koch and Pichler, section 4, with sums instead of
//! sets). One pass over the page for each step answers all nodes.
//!
//! Weights decide what is asked: existence, also of a node with some fixed value; the number of nodes, if the path
//! reaches no node twice ([`Path::walkable`]); a sum of whole numbers; the first node; the least and greatest number;
//! whether all have one value. Only equality with a value that differs from node to node needs more: see
//! [`index`](super::index).
//!
//! *When.* For a few nodes a walk is faster, mostly because it stops early. So each slot counts the nodes that its walks
//! have visited, and a table is made when these are [`PATIENCE`] times the nodes of the page. Then walks and table
//! together take linear time, and a path that is cheap to walk never pays for a table.
//!
//! *Limits.* A step with a position is possible where the position does not depend on where the step starts (`child`,
//! `//x[2]`), or where it picks one node, from a [list](super::list). A predicate is evaluated for nodes that no walk
//! would have visited: if that fails or takes too long, there is no table and the walks go on.

use super::gather::{Extremes, First, Total, Values, Weight, gather};
use super::index::Index;
use super::{Context, Evaluator, Result};
use crate::plan::{Axis, Nodes, Path, Predicate, Step, Test, Walk};
use page::NodeId;
use std::rc::Rc;

/// The visits for each node of the page after which a table or list is made. More than most pages are deep, so that
/// walks to ancestors and descendants seldom need one.
pub(super) const PATIENCE: u64 = 16;

/// The visits for each node of the page that making a table may take.
const MOST_VISITS: u64 = 64;

/// The whole numbers whose sums are exact.
const EXACT: f64 = (1u64 << 53) as f64;

/// The state of a slot for tables.
#[derive(Clone)]
pub(super) enum Table {
    /// Walks so far visited this number of nodes.
    Cold(u64),
    /// No table can be made.
    Failed,
    Exists(Rc<[bool]>),
    Counts(Rc<[u32]>),
    Totals(Rc<[Total]>),
    Firsts(Rc<[First]>),
    Extremes(Rc<[Extremes]>),
    Values(Rc<[Values]>),
    Index(Rc<Index>),
}

impl<'p> Evaluator<'p> {
    /// Is there a node for which a condition holds that does not depend on the context?
    pub(super) fn some(&mut self, nodes: &'p Nodes, context: Context, holds: &dyn Fn(NodeId) -> bool) -> Result<bool> {
        if let Nodes::Union(operands) | Nodes::Disjoint(operands) = nodes {
            for operand in operands {
                if self.some(operand, context, holds)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let Some((slot, path)) = slot(nodes) else {
            return self.visit(nodes, context, &mut |_, node| Ok(holds(node)));
        };
        if let Table::Exists(table) = &self.memory.tables[slot] {
            return Ok(table[context.node.index()]);
        }
        let before = self.work;
        let found = self.visit(nodes, context, &mut |_, node| Ok(holds(node)))?;
        if self.is_time(slot, before) {
            let table = self.reach(&path.steps, holds);
            self.keep(slot, table, Table::Exists);
        }
        Ok(found)
    }

    /// The number of nodes.
    pub(super) fn count(&mut self, nodes: &'p Nodes, context: Context) -> Result<f64> {
        if let Nodes::Once { slot, inner } = nodes {
            return Ok(self.once(*slot, inner, context)?.len() as f64);
        }
        if let Nodes::Disjoint(operands) = nodes {
            let mut count = 0.0;
            for operand in operands {
                count += self.count(operand, context)?;
            }
            return Ok(count);
        }
        let slot = slot(nodes).filter(|(_, path)| path.walkable);
        if let Some((slot, _)) = slot
            && let Table::Counts(table) = &self.memory.tables[slot]
        {
            return Ok(f64::from(table[context.node.index()]));
        }
        let before = self.work;
        let mut count = 0usize;
        self.visit(nodes, context, &mut |_, _| {
            count += 1;
            Ok(false)
        })?;
        if let Some((slot, path)) = slot
            && self.is_time(slot, before)
        {
            let table = self.reach(&path.steps, &|_| 1u64);
            // No node is counted twice, so the numbers are at most that of the nodes.
            let table = table.map(|table| table.map(|counts| counts.into_iter().map(|count| count as u32).collect()));
            self.keep(slot, table, Table::Counts);
        }
        Ok(count as f64)
    }

    /// The sum of the numbers. Floating-point sums depend on the order: document order makes them repeatable.
    pub(super) fn sum(&mut self, nodes: &'p Nodes, context: Context) -> Result<f64> {
        let slot = slot(nodes).filter(|(_, path)| path.walkable);
        if let Some((slot, _)) = slot
            && let Table::Totals(table) = &self.memory.tables[slot]
        {
            let total = table[context.node.index()];
            if total.nan {
                return Ok(f64::NAN);
            }
            if !total.odd {
                return Ok(total.sum as f64);
            }
        }
        let before = self.work;
        let page = self.page;
        let found = self.nodes(nodes, context)?;
        let numbers = self.memory.numbers_of.clone();
        let sum = found
            .iter()
            .map(|node| numbers.get(page, *node))
            .fold(0.0, |sum, n| sum + n);
        self.work += found.len() as u64;
        if let Some((slot, path)) = slot
            && self.is_time(slot, before)
        {
            // Sums of whole numbers are the same in any order, as long as they are exact.
            let all = std::cell::Cell::new(0.0f64);
            let table = self.reach(&path.steps, &|node| {
                let number = numbers.get(page, node);
                let odd = number.fract() != 0.0 && !number.is_nan() || number.is_infinite();
                if !odd {
                    all.set(all.get() + number.abs().max(0.0));
                }
                Total {
                    sum: if odd { 0 } else { number as i64 },
                    nan: number.is_nan(),
                    odd,
                }
            });
            let table = table.map(|table| table.filter(|_| all.get() < EXACT));
            self.keep(slot, table, Table::Totals);
        }
        Ok(sum)
    }

    /// The first node in document order.
    pub(super) fn first(&mut self, nodes: &'p Nodes, context: Context) -> Result<Option<NodeId>> {
        match nodes {
            Nodes::Once { slot, inner } => return Ok(self.once(*slot, inner, context)?.first().copied()),
            Nodes::Union(operands) | Nodes::Disjoint(operands) => {
                let mut first: Option<NodeId> = None;
                for operand in operands {
                    let found = self.first(operand, context)?;
                    first = [first, found].into_iter().flatten().min();
                }
                return Ok(first);
            }
            _ => {}
        }
        let Some((slot, path)) = slot(nodes) else {
            return self.walk_to_first(nodes, context);
        };
        if let Table::Firsts(table) = &self.memory.tables[slot] {
            let First(first) = table[context.node.index()];
            return Ok((first != u32::MAX).then_some(NodeId(first)));
        }
        let before = self.work;
        let found = self.walk_to_first(nodes, context)?;
        if self.is_time(slot, before) {
            let table = self.reach(&path.steps, &|node| First(node.0));
            self.keep(slot, table, Table::Firsts);
        }
        Ok(found)
    }

    /// The least and the greatest number.
    pub(super) fn extremes(&mut self, nodes: &'p Nodes, context: Context) -> Result<Extremes> {
        let page = self.page;
        let numbers = self.memory.numbers_of.clone();
        let number = |node: NodeId| {
            let number = numbers.get(page, node);
            Extremes(number, number)
        };
        if let Nodes::Once { slot, .. } = nodes
            && let Some(extremes) = self.memory.once_extremes[*slot]
        {
            return Ok(extremes);
        }
        if let Some((slot, _)) = slot(nodes)
            && let Table::Extremes(table) = &self.memory.tables[slot]
        {
            return Ok(table[context.node.index()]);
        }
        let mut extremes = Extremes::NONE;
        if let Nodes::Union(operands) | Nodes::Disjoint(operands) = nodes {
            for operand in operands {
                extremes = extremes.plus(self.extremes(operand, context)?, page);
            }
            return Ok(extremes);
        }
        let before = self.work;
        self.visit(nodes, context, &mut |_, node| {
            extremes = extremes.plus(number(node), page);
            Ok(false)
        })?;
        if let Nodes::Once { slot, .. } = nodes {
            self.memory.once_extremes[*slot] = Some(extremes);
        }
        if let Some((slot, path)) = slot(nodes)
            && self.is_time(slot, before)
        {
            let table = self.reach(&path.steps, &number);
            self.keep(slot, table, Table::Extremes);
        }
        Ok(extremes)
    }

    /// Have all nodes the same string-value?
    pub(super) fn values(&mut self, nodes: &'p Nodes, context: Context) -> Result<Values> {
        let page = self.page;
        if let Nodes::Once { slot, .. } = nodes
            && let Some(values) = self.memory.once_values[*slot]
        {
            return Ok(values);
        }
        if let Some((slot, _)) = slot(nodes)
            && let Table::Values(table) = &self.memory.tables[slot]
        {
            return Ok(table[context.node.index()]);
        }
        let mut values = Values::None;
        if let Nodes::Union(operands) | Nodes::Disjoint(operands) = nodes {
            for operand in operands {
                values = values.plus(self.values(operand, context)?, page);
            }
            return Ok(values);
        }
        let before = self.work;
        self.visit(nodes, context, &mut |_, node| {
            values = values.plus(Values::One(node), page);
            Ok(matches!(values, Values::Many))
        })?;
        if let Nodes::Once { slot, .. } = nodes {
            self.memory.once_values[*slot] = Some(values);
        }
        if let Some((slot, path)) = slot(nodes)
            && self.is_time(slot, before)
        {
            let table = self.reach(&path.steps, &Values::One);
            self.keep(slot, table, Table::Values);
        }
        Ok(values)
    }

    /// Adds the visits since `before` to those of a slot. Is it time for a table?
    pub(super) fn is_time(&mut self, slot: usize, before: u64) -> bool {
        let spent = self.work - before;
        match &mut self.memory.tables[slot] {
            Table::Cold(all) => {
                *all += spent;
                *all > self.memory.patience
            }
            _ => false,
        }
    }

    /// Puts a table into its slot.
    fn keep<W>(&mut self, slot: usize, table: Result<Option<Vec<W>>>, kind: impl Fn(Rc<[W]>) -> Table) {
        self.memory.tables[slot] = match table {
            Ok(Some(table)) => kind(table.into()),
            Ok(None) | Err(_) => Table::Failed,
        };
    }

    /// For each node of the page, the sum of the weights of the nodes that the steps reach from there; `None` if that
    /// takes too long.
    fn reach<W: Weight>(&mut self, steps: &'p [Step], last: &dyn Fn(NodeId) -> W) -> Result<Option<Vec<W>>> {
        let page = self.page;
        let most = self.work + MOST_VISITS * page.len() as u64;
        let mut beyond: Option<Vec<W>> = None;
        for step in steps.iter().rev() {
            let weight = |node: NodeId| match &beyond {
                Some(beyond) => beyond[node.index()],
                None => last(node),
            };
            let out = match self.matching(step)? {
                Some(matching) => {
                    let mut from = vec![W::NONE; page.len()];
                    for node in matching {
                        from[node.index()] = weight(node);
                    }
                    gather(page, step.axis, &from)
                }
                // One node at most from each.
                None => {
                    let mut out = Vec::with_capacity(page.len());
                    let mut found = Vec::new();
                    for node in (0..page.len() as u32).map(NodeId) {
                        self.step_from(step, node, &mut found)?;
                        let sum = found.drain(..).fold(W::NONE, |sum, node| sum.plus(weight(node), page));
                        out.push(sum);
                        if self.work > most {
                            return Ok(None);
                        }
                    }
                    out
                }
            };
            self.work += page.len() as u64;
            if self.work > most {
                return Ok(None);
            }
            beyond = Some(out);
        }
        Ok(beyond)
    }

    /// All nodes of the page that a step may lead to, if that does not depend on where it starts.
    pub(super) fn matching(&mut self, step: &'p Step) -> Result<Option<Vec<NodeId>>> {
        let page = self.page;
        match (step.walk, step.axis) {
            (Walk::Set, _) => self.passing(&step.test, step.axis, &step.predicates).map(Some),
            (Walk::Grouped, _) => self.step(step, &[NodeId::DOCUMENT]).map(Some),
            (Walk::Each, Axis::Child | Axis::Attribute) => {
                let parents: Vec<NodeId> = std::iter::once(NodeId::DOCUMENT)
                    .chain(page.elements().iter().copied())
                    .collect();
                self.step(step, &parents).map(Some)
            }
            (Walk::Each, _) => Ok(None),
        }
    }

    /// All nodes of the page that an axis may lead to and that pass a test and filters, in document order.
    pub(super) fn passing(&mut self, test: &Test, axis: Axis, filters: &'p [Predicate]) -> Result<Vec<NodeId>> {
        let page = self.page;
        let own = matches!(
            axis,
            Axis::Self_ | Axis::AncestorOrSelf | Axis::DescendantOrSelf | Axis::Attribute | Axis::Style
        );
        let mut nodes: Vec<NodeId> = match self.list(test) {
            Some(list) => list.to_vec(),
            None => (0..page.len() as u32)
                .map(NodeId)
                .filter(|node| (own || !page.is_attribute(*node)) && self.passes(*node, test))
                .collect(),
        };
        self.work += nodes.len() as u64;
        self.apply(filters, &mut nodes)?;
        Ok(nodes)
    }
}

/// The path of an expression that has a slot for a table.
pub(super) fn slot(nodes: &Nodes) -> Option<(usize, &Path)> {
    match nodes {
        Nodes::Path(path) => path.table.map(|slot| (slot, path)),
        _ => None,
    }
}

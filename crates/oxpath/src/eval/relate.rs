//! Intensional axes by columns, see [`crate::plan::relate`].
//!
//! A column contains, for every candidate on the page, the values to compare: the string-values as numbers that are
//! equal when the strings are, and the least and the greatest of their numeric values, which decide every comparison by
//! size. It is computed once for a page. A context node then costs one pass over the candidates with a few comparisons
//! each, and a candidate that was found from one context node is not tested again.

use super::{Context, Evaluator, Result};
use crate::plan::{Comparison, Nodes, Relation, Test};
use crate::value::string_to_number;
use page::{NodeId, Page};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// The candidates of an axis on a page, and the values to compare.
pub(super) struct Columns {
    candidates: Vec<NodeId>,
    columns: Vec<Column>,
}

/// The values of each candidate to compare.
#[derive(Default)]
struct Column {
    /// The strings of candidate `n` are `strings[starts[n]..starts[n + 1]]`.
    strings: Vec<u32>,
    starts: Vec<u32>,
    least: Vec<f64>,
    greatest: Vec<f64>,
    /// The numbers of strings: by hash, a node that has the string.
    known: HashMap<u64, Vec<(NodeId, u32)>>,
    count: u32,
}

/// The values of a context node to compare.
struct Side {
    strings: Vec<u32>,
    least: f64,
    greatest: f64,
}

/// A string that no candidate has.
const UNKNOWN: u32 = u32::MAX;

impl Column {
    fn find(&self, page: &Page, node: NodeId) -> (u64, Option<u32>) {
        let text = page.string_value(node);
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        let same = |(other, _): &&(NodeId, u32)| page.string_value(*other) == text;
        let found = self.known.get(&hash).and_then(|known| known.iter().find(same));
        (hash, found.map(|(_, number)| *number))
    }

    fn push(&mut self, page: &Page, nodes: &[NodeId]) {
        self.starts.push(self.strings.len() as u32);
        let (least, greatest) = extremes(page, nodes);
        self.least.push(least);
        self.greatest.push(greatest);
        for &node in nodes {
            let (hash, known) = self.find(page, node);
            let number = known.unwrap_or_else(|| {
                self.count += 1;
                self.known.entry(hash).or_default().push((node, self.count));
                self.count
            });
            self.strings.push(number);
        }
    }

    fn side(&self, page: &Page, nodes: &[NodeId]) -> Side {
        let (least, greatest) = extremes(page, nodes);
        let strings = nodes.iter().map(|node| self.find(page, *node).1.unwrap_or(UNKNOWN));
        Side {
            strings: strings.collect(),
            least,
            greatest,
        }
    }

    fn holds(&self, comparison: Comparison, side: &Side, at: usize) -> bool {
        let strings = || &self.strings[self.starts[at] as usize..self.starts[at + 1] as usize];
        match comparison {
            Comparison::Equal => strings().iter().any(|number| side.strings.contains(number)),
            Comparison::NotEqual => {
                let differ = |number: &u32| side.strings.iter().any(|other| other != number || *other == UNKNOWN);
                strings().iter().any(differ)
            }
            Comparison::Less | Comparison::LessEqual => comparison.holds(side.least, self.greatest[at]),
            Comparison::Greater | Comparison::GreaterEqual => comparison.holds(side.greatest, self.least[at]),
        }
    }
}

/// Comparisons with NaN are false, and `min` and `max` ignore it.
fn extremes(page: &Page, nodes: &[NodeId]) -> (f64, f64) {
    let numbers = nodes.iter().map(|node| string_to_number(page.string_value(*node)));
    numbers.fold((f64::NAN, f64::NAN), |(least, greatest), number| {
        (least.min(number), greatest.max(number))
    })
}

impl<'p> Evaluator<'p> {
    /// The nodes that an intensional axis leads to from any node of a set (rule N12), in document order.
    pub(super) fn related(
        &mut self,
        relation: &'p Relation,
        test: &Test,
        set: &[NodeId],
        out: &mut Vec<NodeId>,
    ) -> Result<()> {
        let known = self.memory.relations[relation.slot].clone();
        let table = match known {
            Some(table) => table,
            None => {
                let table = Rc::new(self.columns(relation, test)?);
                self.memory.relations[relation.slot] = Some(Rc::clone(&table));
                table
            }
        };
        let mut open: Vec<u32> = (0..table.candidates.len() as u32).collect();
        for &node in set {
            if open.is_empty() {
                break;
            }
            let mut within = Vec::with_capacity(relation.within.len());
            for nodes in &relation.within {
                within.push(self.with_bound((node, node), nodes, node)?);
            }
            let mut sides = Vec::with_capacity(relation.pairs.len());
            for ((comparison, left, _), column) in relation.pairs.iter().zip(&table.columns) {
                let nodes = self.with_bound((node, node), left, node)?;
                sides.push((*comparison, column, column.side(self.page, &nodes)));
            }
            let mut failed = Ok(());
            open.retain(|at| {
                let candidate = table.candidates[*at as usize];
                let passes = sides
                    .iter()
                    .all(|(comparison, column, side)| column.holds(*comparison, side, *at as usize))
                    && within.iter().all(|nodes| nodes.binary_search(&candidate).is_ok());
                if !passes || failed.is_err() {
                    return true;
                }
                if let Some(rest) = &relation.rest {
                    let outer = self.bound.replace((node, candidate));
                    let holds = self.truth(rest, Context::of(node));
                    self.bound = outer;
                    match holds {
                        Ok(true) => {}
                        Ok(false) => return true,
                        Err(error) => {
                            failed = Err(error);
                            return true;
                        }
                    }
                }
                out.push(candidate);
                false
            });
            failed?;
        }
        out.sort_unstable();
        Ok(())
    }

    /// Evaluates nodes with `$lhs` and `$rhs` bound.
    fn with_bound(&mut self, pair: (NodeId, NodeId), nodes: &'p Nodes, node: NodeId) -> Result<Vec<NodeId>> {
        let outer = self.bound.replace(pair);
        let found = self.nodes(nodes, Context::of(node));
        self.bound = outer;
        Ok(found?.into_vec())
    }

    /// All values to compare, for all candidates. Attributes are never candidates.
    fn columns(&mut self, relation: &'p Relation, test: &Test) -> Result<Columns> {
        let page = self.page;
        let candidates: Vec<NodeId> = match self.list(test) {
            Some(list) => list.to_vec(),
            None => (0..page.len() as u32)
                .map(NodeId)
                .filter(|node| self.passes(*node, test))
                .collect(),
        };
        let candidates: Vec<NodeId> = candidates
            .into_iter()
            .filter(|node| !page.is_attribute(*node))
            .collect();
        let mut columns = Vec::with_capacity(relation.pairs.len());
        for (_, _, right) in &relation.pairs {
            let mut column = Column::default();
            for &candidate in &candidates {
                let nodes = self.with_bound((candidate, candidate), right, candidate)?;
                column.push(page, &nodes);
            }
            column.starts.push(column.strings.len() as u32);
            columns.push(column);
        }
        Ok(Columns { candidates, columns })
    }
}

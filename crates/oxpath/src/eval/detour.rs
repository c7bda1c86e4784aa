//! Steps that do not follow an axis: repetitions, and intensional axes (in `relate`); and what form fields are.

use super::{Context, Evaluator, Result};
use crate::plan::{Detour, Nodes, Step, Test};
use page::{Kind, NodeId, Page};
use std::collections::HashMap;
use std::rc::Rc;

/// The most nodes that the memos of repetitions contain.
const MOST_REPEATED: usize = 8 << 20;

impl<'p> Evaluator<'p> {
    /// Calls `visit` with the nodes that a step leads to from one node, without its predicates, until it returns true.
    pub(super) fn visit_step(
        &mut self,
        node: NodeId,
        step: &'p Step,
        visit: &mut dyn FnMut(&mut Self, NodeId) -> Result<bool>,
    ) -> Result<bool> {
        let Some(detour) = step.detour.as_deref() else {
            return self.visit_axis(node, step.axis, &step.test, visit);
        };
        let mut found = Vec::new();
        self.detour(detour, &step.test, &[node], &mut found)?;
        for node in found {
            if visit(self, node)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The nodes that a detour leads to from any node of a set, in document order.
    pub(super) fn detour(
        &mut self,
        detour: &'p Detour,
        test: &Test,
        set: &[NodeId],
        out: &mut Vec<NodeId>,
    ) -> Result<()> {
        match detour {
            Detour::Repeat { body, min, max, slot } => match (slot, set) {
                (Some(slot), [node]) => out.extend_from_slice(&self.repeat_from(*slot, body, (*min, *max), *node)?),
                _ => *out = self.repeat(body, *min, *max, set)?,
            },
            Detour::Related(relation) => self.related(relation, test, set, out)?,
        }
        Ok(())
    }

    /// The same from one node, remembered.
    fn repeat_from(
        &mut self,
        slot: usize,
        body: &'p Nodes,
        (min, max): (u32, Option<u32>),
        node: NodeId,
    ) -> Result<Rc<[NodeId]>> {
        if let Some(reached) = self.memory.repeats[slot].get(&node) {
            return Ok(Rc::clone(reached));
        }
        let reached: Rc<[NodeId]> = self.repeat(body, min, max, &[node])?.into();
        // On a huge page every node may reach every other: too many to store.
        if self.memory.repeated < MOST_REPEATED {
            self.memory.repeated += reached.len();
            self.memory.repeats[slot].insert(node, Rc::clone(&reached));
        }
        Ok(reached)
    }

    /// The nodes that a path reaches when it is followed at least `min` and at most `max` times (the paper's algorithm
    /// 1).
    fn repeat(&mut self, body: &'p Nodes, min: u32, max: Option<u32>, set: &[NodeId]) -> Result<Vec<NodeId>> {
        let mut reached: Vec<NodeId> = Vec::new();
        let mut frontier = set.to_vec();
        // Below the lower bound the same sets may recur: then whole rounds can be skipped.
        let mut rounds: HashMap<Vec<NodeId>, u32> = HashMap::new();
        let mut round = 0;
        loop {
            if round >= min {
                frontier.retain(|node| reached.binary_search(node).is_err());
                reached.extend_from_slice(&frontier);
                reached.sort_unstable();
            } else if let Some(before) = rounds.insert(frontier.clone(), round) {
                let period = round - before;
                round += (min - round) / period * period;
                rounds.clear();
                continue;
            }
            if frontier.is_empty() || max.is_some_and(|max| round >= max) {
                return Ok(reached);
            }
            let mut next = Vec::new();
            for &node in &frontier {
                next.extend_from_slice(&self.nodes(body, Context::of(node))?);
            }
            next.sort_unstable();
            next.dedup();
            frontier = next;
            round += 1;
        }
    }

    /// Is a node a form field; if `visible`, a visible one?
    pub(super) fn is_field(&self, node: NodeId, visible: bool) -> bool {
        let page = self.page;
        is_field(page, node) && (!visible || self.is_visible(node))
    }

    /// Is a node visible? For fields a browser knows; otherwise the markup decides: `type=hidden`, `hidden`, and styles
    /// written on the node or around it.
    pub(super) fn is_visible(&self, node: NodeId) -> bool {
        let page = self.page;
        if is_field(page, node)
            && let Some(hidden) = page.is_hidden(node)
        {
            return !hidden;
        }
        let hidden_input = page.kind(node) == Kind::Element
            && page.name(node) == "input"
            && page
                .attribute_value(node, "type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
        let hides = |node: NodeId| {
            page.attribute_value(node, "hidden").is_some()
                || page.attribute_value(node, "style").is_some_and(|style| {
                    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
                    let style = style.to_ascii_lowercase();
                    style.contains("display:none") || style.contains("visibility:hidden")
                })
        };
        !hidden_input && !std::iter::once(node).chain(page.ancestors(node)).any(hides)
    }
}

fn is_field(page: &Page, node: NodeId) -> bool {
    page.is_element(node) && matches!(page.name(node), "input" | "select" | "textarea" | "button")
}

//! Depth first along a path, node by node, until an answer is known.

use super::{Context, Evaluator, Result};
use crate::plan::{Nodes, Path, Start, Step, Walk};
use page::NodeId;

type Visit<'v, 'p> = dyn FnMut(&mut Evaluator<'p>, NodeId) -> Result<bool> + 'v;

impl<'p> Evaluator<'p> {
    /// Calls `visit` with each node of an expression once, in no particular order, until it returns true.
    pub(super) fn visit(&mut self, nodes: &'p Nodes, context: Context, visit: &mut Visit<'_, 'p>) -> Result<bool> {
        if let Nodes::Path(path) = nodes
            && path.walkable
        {
            return self.walk(&path.steps, start(path, context), visit);
        }
        for &node in self.nodes(nodes, context)?.iter() {
            if visit(self, node)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first node of an expression in document order.
    pub(super) fn walk_to_first(&mut self, nodes: &'p Nodes, context: Context) -> Result<Option<NodeId>> {
        if let Nodes::Path(path) = nodes
            && path.walkable
            && path.ordered
        {
            let mut first = None;
            self.walk(&path.steps, start(path, context), &mut |_, node| {
                first = Some(node);
                Ok(true)
            })?;
            return Ok(first);
        }
        Ok(self.nodes(nodes, context)?.first().copied())
    }

    pub(super) fn walk(&mut self, steps: &'p [Step], node: NodeId, visit: &mut Visit<'_, 'p>) -> Result<bool> {
        let Some((step, rest)) = steps.split_first() else {
            return visit(self, node);
        };
        if step.walk == Walk::Each {
            let mut list = Vec::new();
            self.step_from(step, node, &mut list)?;
            for node in list {
                if self.walk(rest, node, visit)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        self.visit_step(node, step, &mut |this, node| {
            Ok(this.passes_all(&step.predicates, node)? && this.walk(rest, node, visit)?)
        })
    }
}

/// Where a walkable path starts.
fn start(path: &Path, context: Context) -> NodeId {
    match path.start {
        Start::Root => NodeId::DOCUMENT,
        Start::Context | Start::Nodes(_) => context.node,
    }
}

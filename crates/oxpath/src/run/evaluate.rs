//! Questions to the simple engine about a page of the run.

use super::failure::Failure;
use super::frame::Tuple;
use super::machine::Machine;
use super::scope::Scope;
use crate::eval::Evaluator;
use crate::plan::{Nodes, Text, Truth};
use page::NodeId;
use page::driver::Live;
use std::rc::Rc;

impl<'s> Machine<'s, '_> {
    pub(super) fn scope(&self, live: Live, depth: usize, by_address: bool) -> Rc<Scope> {
        Rc::new(Scope::new(live, depth, by_address, self.shared, &self.pages))
    }

    pub(super) fn nodes(&self, nodes: &'s Nodes, scope: &Scope, node: NodeId) -> Result<Vec<NodeId>, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator.nodes_at(nodes, node).map_err(Failure::Eval)
    }

    pub(super) fn truth(&self, truth: &'s Truth, scope: &Scope, node: NodeId) -> Result<bool, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator.truth_at(truth, node).map_err(Failure::Eval)
    }

    /// The truth of a condition at the root of a page, with a node for `$this`.
    pub(super) fn truth_with(&self, truth: &'s Truth, scope: &Scope, this: Option<NodeId>) -> Result<bool, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let live = &scope.live;
        let mut evaluator = Evaluator::new(self.shared, &live.page, Some(&live.url), &mut memory).with_this(this);
        evaluator.truth_at(truth, NodeId::DOCUMENT).map_err(Failure::Eval)
    }

    pub(super) fn truth_at(
        &self,
        truth: &'s Truth,
        scope: &Scope,
        node: NodeId,
        position: usize,
        size: usize,
    ) -> Result<bool, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator
            .truth_among(truth, node, position, size)
            .map_err(Failure::Eval)
    }

    pub(super) fn text(&self, text: &'s Text, tuple: &Tuple<'s>) -> Result<String, Failure> {
        let mut memory = tuple.scope.memory.borrow_mut();
        let live = &tuple.scope.live;
        let mut evaluator = Evaluator::new(self.shared, &live.page, Some(&live.url), &mut memory);
        evaluator.text_at(text, tuple.node).map_err(Failure::Eval)
    }
}

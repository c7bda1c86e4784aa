//! What the value of an expression depends on: the context node, its position, the pair of an intensional axis.
//!
//! Memos are based on this. An expression that depends on nothing is evaluated once. One that depends on the node alone
//! is remembered by node. One that depends on the position is not remembered, or is remembered by node, position and
//! size. One walk over the expression.

use super::{Axis, Bound, Comparison};
use crate::check::static_type;
use crate::functions::{Function, Type};
use crate::syntax::ast::{Expr, ExprKind, PathStart, StepForm};
use crate::syntax::each_child;

/// Does an expression that depends on the position need nodes for which there is no memo, along more than a light path?
/// These are nodes that are compared or passed to a function, or that depend on the position themselves.
pub(super) fn is_loose(expr: &Expr) -> bool {
    let (operands, takes_nodes): (Vec<&Expr>, bool) = match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) => (operands.iter().collect(), false),
        ExprKind::Binary { op, left, right } => (vec![left, right], Comparison::of(*op).is_some()),
        ExprKind::Negate(inner) => (vec![inner], false),
        ExprKind::Call { args, .. } => (args.iter().collect(), true),
        // Nodes that depend on the position.
        _ => return true,
    };
    operands.into_iter().any(|operand| {
        let depends = Dependence::of(operand);
        if depends.position {
            is_loose(operand)
        } else {
            takes_nodes && depends.heavy && static_type(operand) == Type::NodeSet
        }
    })
}

/// Does the value of an expression depend on `position()` or `last()`?
pub(crate) fn depends_on_position(expr: &Expr) -> bool {
    Dependence::of(expr).position
}

fn refers_to_this(expr: &Expr) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Variable(name) if Bound::find(name) == Some(Bound::This));
    each_child(expr, &mut |child| found |= refers_to_this(child));
    found
}

/// What the value of an expression depends on, and whether it is worth remembering.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dependence {
    pub(super) node: bool,
    pub(super) position: bool,
    /// Does it walk further than to the attributes of the context node?
    pub(super) heavy: bool,
    /// Does it refer to `$lhs`, `$rhs` or `$this`, which memos do not include?
    pub(super) bound: bool,
}

impl Dependence {
    pub(super) fn of(expr: &Expr) -> Dependence {
        let mut depends = Dependence::default();
        depends.add(expr);
        depends
    }

    fn add(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Or(operands)
            | ExprKind::And(operands)
            | ExprKind::Union(operands)
            | ExprKind::FirstOf(operands) => {
                for operand in operands {
                    self.add(operand);
                }
            }
            ExprKind::Binary { left, right, .. } => {
                self.add(left);
                self.add(right);
            }
            ExprKind::Negate(inner) => self.add(inner),
            // Predicates have their own contexts; of the things asked here, they can only refer to these variables.
            ExprKind::Filter { primary, predicates } => {
                self.add(primary);
                self.heavy = true;
                self.bound |= predicates.iter().any(|predicate| Dependence::of(predicate).bound);
            }
            ExprKind::Path(path) => {
                match &path.start {
                    PathStart::Context => self.node = true,
                    PathStart::Root => {}
                    PathStart::Expr(start) => self.add(start),
                }
                for step in &path.steps {
                    let light = matches!(
                        &step.form,
                        StepForm::Full {
                            axis: Axis::Attribute | Axis::Self_,
                            ..
                        }
                    );
                    self.heavy |= !light || !step.predicates.is_empty();
                    self.bound |= step.predicates.iter().any(|predicate| Dependence::of(predicate).bound);
                    // An intensional axis binds its own pair, but not `$this`.
                    let is_bound: fn(&Expr) -> bool = match step.form {
                        StepForm::Intensional { .. } => refers_to_this,
                        _ => |part| Dependence::of(part).bound,
                    };
                    self.bound |= step.form.parts().into_iter().any(is_bound);
                }
            }
            ExprKind::Call { name, args, .. } => {
                match Function::find(name) {
                    Some(Function::Position | Function::Last) => self.position = true,
                    Some(Function::Lang) => self.node = true,
                    // `id()` looks its elements up, but on this page: it does not depend on the node.
                    Some(Function::Id | Function::DistinctValues | Function::Json | Function::Data) => {
                        self.heavy = true
                    }
                    _ => {}
                }
                for arg in args {
                    self.add(arg);
                }
            }
            ExprKind::Variable(name) => self.bound |= Bound::find(name).is_some(),
            ExprKind::Literal(_) | ExprKind::Number(_) => {}
        }
    }
}

//! Intensional axes by columns: which parts of a condition on pairs can be evaluated separately for each side.
//!
//! `[$lhs/^color = $rhs/^color and …]::*` is a condition on each pair of nodes, and the number of pairs is the square
//! of the number of nodes on the page. But most such conditions are conjunctions in which each part compares something
//! of `$lhs` with something of `$rhs`. Then the operand for `$rhs` can be evaluated once for every candidate on the
//! page, which gives a *column*, and the operand for `$lhs` once for each context node; for a pair it remains to
//! compare two numbers. A part `$rhs subset P`, where `P` refers to `$lhs` alone, asks whether the candidate is in a
//! set, which is also evaluated once. Any other part stays a condition, and is evaluated for the pairs that pass the
//! rest.

use super::{Comparison, Nodes, Truth};
use crate::check::static_type;
use crate::functions::{Function, Type};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, PathStart};
use crate::syntax::each_child;

/// A condition on pairs, divided into parts.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// Comparisons of something of `$lhs`, on the left, with something of `$rhs`.
    pub(crate) pairs: Vec<(Comparison, Nodes, Nodes)>,
    /// Sets for `$lhs` that must contain the candidate.
    pub(crate) within: Vec<Nodes>,
    /// The condition on the pairs that pass.
    pub(crate) rest: Option<Truth>,
    /// Where the columns are remembered.
    pub(crate) slot: usize,
}

/// A part of a condition.
pub(super) enum Part<'e> {
    /// A comparison, the side of `$lhs` first.
    Pair(Comparison, &'e Expr, &'e Expr),
    Within(&'e Expr),
    Other(&'e Expr),
}

/// The parts that must all be true.
pub(super) fn parts(condition: &Expr) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    take_apart(condition, &mut parts);
    parts
}

fn take_apart<'e>(condition: &'e Expr, parts: &mut Vec<Part<'e>>) {
    match &condition.kind {
        ExprKind::And(operands) => operands.iter().for_each(|operand| take_apart(operand, parts)),
        ExprKind::Call { name, args, .. } if name == "boolean" && args.len() == 1 => match static_type(&args[0]) {
            Type::Boolean => take_apart(&args[0], parts),
            _ => parts.push(Part::Other(condition)),
        },
        ExprKind::Binary { op, left, right } => parts.push(binary(*op, left, right).unwrap_or(Part::Other(condition))),
        _ => parts.push(Part::Other(condition)),
    }
}

fn binary<'e>(op: BinaryOp, left: &'e Expr, right: &'e Expr) -> Option<Part<'e>> {
    let (of_left, of_right) = (Sides::of(left), Sides::of(right));
    if op == BinaryOp::Subset {
        let candidate = matches!(&left.kind, ExprKind::Variable(name) if name == "rhs");
        return (candidate && !of_right.rhs && !of_right.position).then_some(Part::Within(right));
    }
    let comparison = Comparison::of(op)?;
    if static_type(left) != Type::NodeSet || static_type(right) != Type::NodeSet {
        return None;
    }
    if of_left.is_lhs() && of_right.is_rhs() {
        Some(Part::Pair(comparison, left, right))
    } else if of_left.is_rhs() && of_right.is_lhs() {
        Some(Part::Pair(comparison.flipped(), right, left))
    } else {
        None
    }
}

/// What an expression refers to. The context node of a condition is `$lhs`.
#[derive(Clone, Copy, Default)]
struct Sides {
    lhs: bool,
    rhs: bool,
    position: bool,
}

impl Sides {
    fn of(expr: &Expr) -> Sides {
        let mut sides = Sides::default();
        sides.add(expr, true);
        sides
    }

    /// `outside`: is the context node that of the condition, rather than that of a predicate inside it?
    fn add(&mut self, expr: &Expr, outside: bool) {
        match &expr.kind {
            ExprKind::Variable(name) => {
                self.lhs |= name == "lhs";
                self.rhs |= name == "rhs";
                // The node of an action is neither, and what is computed for a side once would outlive it.
                self.position |= name == "this";
            }
            ExprKind::Path(path) if path.start == PathStart::Context => self.lhs |= outside,
            ExprKind::Call { name, .. } => match Function::find(name) {
                Some(Function::Position | Function::Last) => self.position = true,
                Some(Function::Lang) => self.lhs |= outside,
                _ => {}
            },
            _ => {}
        }
        // Steps and predicates have their own contexts, and an axis inside binds its own pair. Treating its references
        // as ours is only more careful than necessary. The start of a path and the operands of a function have our
        // context.
        let inner = outside && !matches!(expr.kind, ExprKind::Path(_) | ExprKind::Filter { .. });
        if let ExprKind::Path(path) = &expr.kind
            && let PathStart::Expr(start) = &path.start
        {
            self.add(start, outside);
        }
        if let ExprKind::Filter { primary, .. } = &expr.kind {
            self.add(primary, outside);
        }
        each_child(expr, &mut |child| {
            let nested = is_intensional(expr, child);
            if !nested {
                self.add(child, inner);
            }
        });
    }

    fn is_lhs(self) -> bool {
        self.lhs && !self.rhs && !self.position
    }

    fn is_rhs(self) -> bool {
        self.rhs && !self.lhs && !self.position
    }
}

/// Is the child the condition of an intensional axis in a step of the path? It binds its own pair.
fn is_intensional(expr: &Expr, child: &Expr) -> bool {
    use crate::syntax::ast::StepForm;
    let ExprKind::Path(path) = &expr.kind else { return false };
    path.steps
        .iter()
        .any(|step| matches!(&step.form, StepForm::Intensional { condition, .. } if std::ptr::eq::<Expr>(&**condition, child)))
}

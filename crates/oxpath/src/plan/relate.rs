//! Intensional axes by columns: which parts of a condition on pairs can be answered side by side.
//!
//! `[$lhs/^color = $rhs/^color and …]::*` asks something of each pair of nodes, and there are as many pairs as the page
//! has nodes squared. But most such conditions are conjunctions in which each part compares something of `$lhs` with
//! something of `$rhs`. Then what is compared of `$rhs` can be found once for every candidate on the page, a *column*, and
//! what is compared of `$lhs` once for each context node; what is left for a pair is to compare two numbers. A part
//! `$rhs subset P`, with `P` of `$lhs` alone, asks whether the candidate is in a set that is found once as well. What is
//! neither stays a condition, and is asked of the pairs that pass the rest.

use super::{Comparison, Nodes, Truth};
use crate::check::static_type;
use crate::functions::{Function, Type};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, PathStart};
use crate::syntax::each_child;

/// A condition on pairs, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// Comparisons of something of `$lhs`, on the left, with something of `$rhs`.
    pub(crate) pairs: Vec<(Comparison, Nodes, Nodes)>,
    /// Sets of `$lhs` that the candidate must be in.
    pub(crate) within: Vec<Nodes>,
    /// What is asked of the pairs that pass.
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

/// The parts that must all hold.
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

    /// `outside`: is the context node that of the condition, rather than that of a predicate further in?
    fn add(&mut self, expr: &Expr, outside: bool) {
        match &expr.kind {
            ExprKind::Variable(name) => {
                self.lhs |= name == "lhs";
                self.rhs |= name == "rhs";
            }
            ExprKind::Path(path) if path.start == PathStart::Context => self.lhs |= outside,
            ExprKind::Call { name, .. } => match Function::find(name) {
                Some(Function::Position | Function::Last) => self.position = true,
                Some(Function::Lang) => self.lhs |= outside,
                _ => {}
            },
            _ => {}
        }
        // Steps and predicates have contexts of their own, and an axis inside binds its own pair; to take what it says
        // for ours only makes us more careful. The start of a path and the operands of a function have ours.
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

/// Is the child the condition of an intensional axis in a step of the path? It binds a pair of its own.
fn is_intensional(expr: &Expr, child: &Expr) -> bool {
    use crate::syntax::ast::StepForm;
    let ExprKind::Path(path) = &expr.kind else { return false };
    path.steps
        .iter()
        .any(|step| matches!(&step.form, StepForm::Intensional { condition, .. } if std::ptr::eq::<Expr>(&**condition, child)))
}

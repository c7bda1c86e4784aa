//! What may stand where in OXPath: the restrictions R1 to R4 (section 4.2 of the paper).
//!
//! - **R1** Actions and markers may not occur in markers, in arguments of functions and operators, or in intensional
//!   axes. Operands of `and`, `or` and `|` are not such arguments: there, the effects are wanted. `doc` is an action here.
//! - **R2** No positions among the nodes of a group, starred or not, that has actions or markers on its main path: they
//!   belong to several pages or records, and they would have to be buffered to be counted. The same is true for a predicate
//!   that asks for positions and acts or extracts at once.
//! - **R3** A marker in a predicate belongs to the last marker before the predicate, which must be there and have no
//!   value; a marker with a value stands in a predicate. Of 105 public wrappers, 28 have values outside of predicates
//!   and several have predicates without a record before them. Both make sense: such values belong to the root of the
//!   results. So these are warnings, and only a value within a value is an error. The paper also wants values to be
//!   scalars and has node-sets in its examples; they become strings in silence.
//! - **R4** Predicates before a contextual action, back to the last absolute action, may not act: to find its way back
//!   on the new page, a contextual action repeats the path that led to it. Optional predicates may: they keep every node,
//!   so the path is repeated without them. Wrappers close cookie banners that way.
//!
//! One walk, carrying down what is around ([`Scope`]) and along what came before on the main path ([`Trail`]); linear in
//! the size of the expression but for questions about what is below a predicate, which are asked once for each level of
//! nesting. One gap is known: that the second round of a repetition follows the first is not considered for R4.

use std::collections::HashSet;

use super::habits;
use crate::check::static_type;
use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::functions::Type;
use crate::syntax::ast::{Action, BinaryOp, Expr, ExprKind, Marker, Path, PathStart, Separator, Step, StepForm};
use crate::syntax::{each_child, is_simple};

/// Checks the restrictions.
pub(super) fn check(expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
    let mut walk = Walk {
        diagnostics,
        told_of_root: false,
        told_of: HashSet::new(),
    };
    walk.expr(expr, Scope::default(), Trail::default());
}

/// A marker, as far as those inside its predicates care.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Parent {
    /// No record: the root of the results.
    #[default]
    Root,
    Record,
    Value(Span),
}

/// Where an expression stands.
#[derive(Clone, Copy, Default)]
struct Scope<'e> {
    /// In what computes a value, and which.
    value: Option<(Place<'e>, Span)>,
    /// In a predicate.
    predicate: bool,
    /// What markers in this predicate belong to.
    parent: Parent,
}

/// The places of R1.
#[derive(Clone, Copy)]
enum Place<'e> {
    Argument(&'e str),
    Operand(BinaryOp),
    Negation,
    FirstOf,
    Marker(&'e str),
    Axis,
    ActionValue,
    Until,
    Address,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Argument(function) => write!(f, "an argument of `{function}`"),
            Place::Operand(op) => write!(f, "an operand of `{op}`"),
            Place::Negation => f.write_str("an operand of `-`"),
            Place::FirstOf => f.write_str("an operand of `??`"),
            Place::Marker(name) => write!(f, "the value of the marker `{name}`"),
            Place::Axis => f.write_str("an intensional axis"),
            Place::ActionValue => f.write_str("the text of an action"),
            Place::Until => f.write_str("the condition after `until`"),
            Place::Address => f.write_str("the address of `doc`"),
        }
    }
}

/// What came before on the main path.
#[derive(Clone, Copy, Default)]
struct Trail {
    /// The last marker.
    last: Parent,
    /// An action in a predicate since the last absolute action.
    acted: Option<Span>,
}

struct Walk<'d> {
    diagnostics: &'d mut Vec<Diagnostic>,
    /// Was it said that markers belong to the root?
    told_of_root: bool,
    /// The values of which it was said that they contain markers.
    told_of: HashSet<Span>,
}

impl Walk<'_> {
    /// Checks an expression; gives what came before on the main path when it is through.
    fn expr<'e>(&mut self, expr: &'e Expr, scope: Scope<'e>, trail: Trail) -> Trail {
        let in_value = |place: Place<'e>, span: Span| Scope {
            value: Some((place, span)),
            ..scope
        };
        match &expr.kind {
            ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
                let mut after = trail;
                for operand in operands {
                    let end = self.expr(operand, scope, trail);
                    if end.last != trail.last {
                        after.last = end.last;
                    }
                    after.acted = after.acted.or(end.acted);
                }
                after
            }
            ExprKind::Binary { op, left, right } => {
                // A repetition that is read as a product: what is in it is not the mistake.
                if scope.value.is_none()
                    && !is_simple(expr)
                    && let Some(found) = habits::product(expr)
                {
                    self.diagnostics.push(Diagnostic {
                        severity: Severity::Error,
                        ..found
                    });
                    return trail;
                }
                self.expr(left, in_value(Place::Operand(*op), expr.span), trail);
                self.expr(right, in_value(Place::Operand(*op), expr.span), trail);
                trail
            }
            ExprKind::FirstOf(operands) => {
                for operand in operands {
                    self.expr(operand, in_value(Place::FirstOf, expr.span), trail);
                }
                trail
            }
            ExprKind::Negate(inner) => {
                self.expr(inner, in_value(Place::Negation, expr.span), trail);
                trail
            }
            ExprKind::Call { name, name_span, args } => {
                for arg in args {
                    self.expr(arg, in_value(Place::Argument(name), *name_span), trail);
                }
                trail
            }
            ExprKind::Filter { primary, predicates } => {
                let mut after = self.expr(primary, scope, trail);
                let spread = spread(primary);
                for predicate in predicates {
                    self.position(predicate, spread);
                    self.predicate(predicate, scope, &mut after);
                }
                after
            }
            ExprKind::Path(path) => self.path(path, scope, trail),
            ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => trail,
        }
    }

    fn path<'e>(&mut self, path: &'e Path, scope: Scope<'e>, mut trail: Trail) -> Trail {
        // The effect that spreads the nodes over pages or records, if they are those of a group.
        let mut spread_by = None;
        if let PathStart::Expr(start) = &path.start {
            trail = self.expr(start, scope, trail);
            spread_by = spread(start);
        }
        for step in &path.steps {
            if step.separator != Separator::None || matches!(step.form, StepForm::Action(_) | StepForm::Doc { .. }) {
                spread_by = None;
            }
            if step.form.is_effect()
                && let Some((place, around)) = scope.value
            {
                self.effect_in_value(step, place, around);
            }
            self.form(step, scope, &mut trail);
            match &step.form {
                StepForm::Kleene { body, .. } => spread_by = main_effect(body),
                StepForm::Predicate(predicate) => self.position(predicate, spread_by),
                _ => {}
            }
            for predicate in &step.predicates {
                self.position(predicate, None);
                self.predicate(predicate, scope, &mut trail);
            }
        }
        trail
    }

    /// Checks what is in a step, but for its predicates.
    fn form<'e>(&mut self, step: &'e Step, scope: Scope<'e>, trail: &mut Trail) {
        let value = |place: Place<'e>, span: Span| Scope {
            value: Some((place, span)),
            ..scope
        };
        match &step.form {
            StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } => {}
            StepForm::Intensional { condition, .. } => {
                self.expr(condition, value(Place::Axis, condition.span), *trail);
            }
            StepForm::Kleene { body, .. } => *trail = self.expr(body, scope, *trail),
            StepForm::Action(action) => {
                let until = action.options.until.as_deref();
                for part in step.form.parts() {
                    let is_until = until.is_some_and(|until| std::ptr::eq(until, part));
                    let place = if is_until { Place::Until } else { Place::ActionValue };
                    self.expr(part, value(place, action.span), *trail);
                }
                self.action(action, scope, trail);
            }
            StepForm::Doc { url, options } => {
                self.expr(url, value(Place::Address, step.span), *trail);
                if let Some(until) = &options.until {
                    self.expr(until, value(Place::Until, step.span), *trail);
                }
                trail.acted = None;
            }
            StepForm::Marker(marker) => {
                if let Some(inner) = &marker.value {
                    self.expr(inner, value(Place::Marker(&marker.name), marker.span), *trail);
                }
                if scope.value.is_none() {
                    self.marker(marker, scope);
                }
                trail.last = match marker.value {
                    Some(_) => Parent::Value(marker.span),
                    None => Parent::Record,
                };
            }
            StepForm::Optional(predicate) => {
                let acted = trail.acted;
                self.predicate(predicate, scope, trail);
                trail.acted = acted;
            }
            StepForm::Predicate(predicate) => self.predicate(predicate, scope, trail),
        }
    }

    /// Enters a predicate.
    fn predicate<'e>(&mut self, predicate: &'e Expr, scope: Scope<'e>, trail: &mut Trail) {
        let inside = Scope {
            value: scope.value,
            predicate: true,
            parent: trail.last,
        };
        self.expr(predicate, inside, *trail);
        trail.acted = trail.acted.or_else(|| action_in(predicate));
    }
}

/// The complaints.
impl Walk<'_> {
    /// R1.
    fn effect_in_value(&mut self, step: &Step, place: Place<'_>, around: Span) {
        let (what, hint) = match &step.form {
            StepForm::Marker(_) => (
                "a marker",
                "put the marker after the path itself; its value may be computed: `:<name=string(.)>`",
            ),
            StepForm::Doc { .. } => ("`doc`", "let the expression begin with `doc(…)`"),
            _ => (
                "an action",
                "act in the path before this, or in a predicate of its own: `[a/{click /}//b]`",
            ),
        };
        let error = Diagnostic::error(
            Code::EffectInValue,
            step.span,
            format!("{what} is not allowed in {place}"),
        )
        .with_secondary(around, "a value is computed here")
        .with_hint(hint);
        self.diagnostics.push(error);
    }

    /// R2.
    fn position(&mut self, predicate: &Expr, spread: Option<Span>) {
        let by_number = static_type(predicate) == Type::Number;
        let Some(asked) = position_in(predicate).or(by_number.then_some(predicate.span)) else {
            return;
        };
        if let Some(effect) = spread {
            let message = "the nodes of a group with actions or markers have no positions";
            let error = Diagnostic::error(Code::PositionAcrossPages, asked, message)
                .with_label("asks for a position")
                .with_secondary(effect, "from here on, the nodes belong to several pages or records")
                .with_hint("ask for the position inside the group, or of a later step");
            self.diagnostics.push(error);
        } else if let Some((what, effect)) = effect_in(predicate) {
            let message = format!("a predicate with {what} may not ask for positions");
            let error = Diagnostic::error(Code::PositionAcrossPages, asked, message)
                .with_label("asks for a position")
                .with_secondary(effect, format!("{what} in the same predicate"))
                .with_hint("split it into two predicates: first the position, then the rest, as in `[1][…]`");
            self.diagnostics.push(error);
        }
    }

    /// R3.
    fn marker(&mut self, marker: &Marker, scope: Scope<'_>) {
        if !scope.predicate {
            if marker.value.is_some() {
                let message = format!(
                    "the value `{}` stands in no predicate, and so belongs to no record",
                    marker.name
                );
                let warning = Diagnostic::warning(Code::MisplacedMarker, marker.span, message);
                self.diagnostics.push(
                    warning.with_hint("put it in a predicate after the marker of its record: `:<book>[title:<…>]`"),
                );
            }
            return;
        }
        match scope.parent {
            Parent::Record => {}
            Parent::Root if self.told_of_root => {}
            Parent::Root => {
                self.told_of_root = true;
                let message = format!("no marker comes before the predicate with the marker `{}`", marker.name);
                let warning = Diagnostic::warning(Code::MisplacedMarker, marker.span, message)
                    .with_label("belongs to the root of the results")
                    .with_hint("to make a record, put a marker before the predicate: `:<book>[…]`");
                self.diagnostics.push(warning);
            }
            Parent::Value(span) => {
                if !self.told_of.insert(span) {
                    return;
                }
                let message = format!("the marker `{}` belongs to one that has a value", marker.name);
                let error = Diagnostic::error(Code::MisplacedMarker, marker.span, message)
                    .with_secondary(span, "this is not a record, because it has a value")
                    .with_hint("let the predicate begin before the value, or give the value a predicate of its own");
                self.diagnostics.push(error);
            }
        }
    }

    /// R4.
    fn action(&mut self, action: &Action, scope: Scope<'_>, trail: &mut Trail) {
        if action.absolute {
            trail.acted = None;
            return;
        }
        if scope.value.is_none()
            && let Some(before) = trail.acted.take()
        {
            let message = "a contextual action may not follow a predicate with an action";
            let error = Diagnostic::error(Code::RepeatedAction, action.span, message)
                .with_label("repeats the path before it, to find its way back on the new page")
                .with_secondary(before, "this action would be repeated")
                .with_hint("make one of them absolute: `{… /}` before this one, with nothing but steps between them");
            self.diagnostics.push(error);
        }
    }
}

/// What spreads the nodes of an expression in parentheses over several pages or records. A `doc` at its beginning does
/// not: it leads to one page.
fn spread(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Path(Path {
            start: PathStart::Context,
            steps,
        }) if matches!(steps.first().map(|step| &step.form), Some(StepForm::Doc { .. })) => {
            steps[1..].iter().find_map(main_step_effect)
        }
        _ => main_effect(expr),
    }
}

/// The first action, `doc` or marker on the main path.
fn main_effect(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Union(operands) => operands.iter().find_map(main_effect),
        ExprKind::Filter { primary, .. } => main_effect(primary),
        ExprKind::Path(path) => {
            let start = match &path.start {
                PathStart::Expr(start) => main_effect(start),
                _ => None,
            };
            start.or_else(|| path.steps.iter().find_map(main_step_effect))
        }
        _ => None,
    }
}

fn main_step_effect(step: &Step) -> Option<Span> {
    match &step.form {
        StepForm::Kleene { body, .. } => main_effect(body),
        form => form.is_effect().then_some(step.span),
    }
}

/// A call of `position()` or `last()` that is about the node the predicate is asked of.
fn position_in(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Call { name, args, .. } => match &**name {
            "position" | "last" => Some(expr.span),
            _ => args.iter().find_map(position_in),
        },
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) | ExprKind::FirstOf(operands) => {
            operands.iter().find_map(position_in)
        }
        ExprKind::Binary { left, right, .. } => position_in(left).or_else(|| position_in(right)),
        ExprKind::Negate(inner) | ExprKind::Filter { primary: inner, .. } => position_in(inner),
        ExprKind::Path(path) => match &path.start {
            PathStart::Expr(start) => position_in(start),
            _ => None,
        },
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => None,
    }
}

/// An action or marker that is not in a value, where R1 objects to it.
fn effect_in(expr: &Expr) -> Option<(&'static str, Span)> {
    match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
            operands.iter().find_map(effect_in)
        }
        ExprKind::Filter { primary, predicates } => {
            effect_in(primary).or_else(|| predicates.iter().find_map(effect_in))
        }
        ExprKind::Path(path) => {
            let start = match &path.start {
                PathStart::Expr(start) => effect_in(start),
                _ => None,
            };
            start.or_else(|| {
                path.steps.iter().find_map(|step| {
                    let here = match &step.form {
                        StepForm::Marker(_) => Some(("a marker", step.span)),
                        StepForm::Action(_) | StepForm::Doc { .. } => Some(("an action", step.span)),
                        StepForm::Kleene { body: part, .. } | StepForm::Optional(part) | StepForm::Predicate(part) => {
                            effect_in(part)
                        }
                        _ => None,
                    };
                    here.or_else(|| step.predicates.iter().find_map(effect_in))
                })
            })
        }
        _ => None,
    }
}

/// An action anywhere in the expression.
fn action_in(expr: &Expr) -> Option<Span> {
    if let ExprKind::Path(path) = &expr.kind
        && let Some(action) = path.steps.iter().find_map(|step| match &step.form {
            StepForm::Action(action) => Some(action.span),
            _ => None,
        })
    {
        return Some(action);
    }
    let mut found = None;
    each_child(expr, &mut |child| {
        if found.is_none() {
            found = action_in(child);
        }
    });
    found
}

#[cfg(test)]
mod tests;

//! The paper's normal form (section 4.9), as rewrites of the expression.
//!
//! **Theorem 2** takes markers out of repetitions: `h(p)*t` becomes `h[? (q)*/p](q)*t`, where `q` is `p` without its
//! markers; with bounds, `h(p)*{n,m}t` becomes `h[? (q)*{n-1,m-1}/p](q)*{n,m}t`, no bound going below zero.
//! **Theorem 3** leaves one marker on each branch: of `a:<R>b:<S>c` it makes `a[self::node():<R>]b:<S>c`.
//!
//! The machine does not need the normal form: it memoizes by tuple. It is for readers who want to see what an expression
//! says, and prints as an expression. Both rewrites can double their input, so only this many levels of repetitions are
//! rewritten; deeper ones stay as they are.

use crate::diag::Span;
use crate::syntax::ast::{Axis, Expr, ExprKind, KleeneForm, NodeTest, Path, PathStart, Separator, Step, StepForm};
use crate::syntax::each_child_mut;

/// How deep repetitions with markers are nested in practice: two, says the paper.
const DEEPEST: usize = 4;

/// Rewrites an expression by Theorem 2 until it no longer applies, then by Theorem 3.
pub(super) fn normal_form(expr: &Expr) -> Expr {
    let mut normal = expr.clone();
    extraction_free(&mut normal, DEEPEST);
    sibling_free(&mut normal);
    normal
}

fn extraction_free(expr: &mut Expr, levels: usize) {
    each_child_mut(expr, &mut |child| extraction_free(child, levels));
    let ExprKind::Path(path) = &mut expr.kind else { return };
    if levels == 0 {
        return;
    }
    let mut steps = Vec::with_capacity(path.steps.len());
    for step in path.steps.drain(..) {
        match &step.form {
            StepForm::Kleene { body, min, max, form } if has_markers(body) => {
                let quiet = super::program::without_markers(body);
                let less = |bound: u32| bound.saturating_sub(1);
                let before = kleene(quiet.clone(), less(*min), max.map(less), KleeneForm::Star, step.span);
                let here = suffix(StepForm::Dot, step.span);
                let inner = vec![here, before, group((**body).clone(), step.span)];
                let once = Expr {
                    kind: ExprKind::Path(Path {
                        start: PathStart::Context,
                        steps: inner,
                    }),
                    span: step.span,
                };
                steps.push(suffix(StepForm::Optional(Box::new(once)), step.span));
                let form = if *form == KleeneForm::Group {
                    KleeneForm::Group
                } else {
                    KleeneForm::Star
                };
                let mut repeated = kleene(quiet, *min, *max, form, step.span);
                repeated.separator = step.separator;
                steps.push(repeated);
            }
            _ => steps.push(step),
        }
    }
    // A predicate needs a step before it.
    if let (PathStart::Context, Some(first)) = (&path.start, steps.first_mut()) {
        if matches!(first.form, StepForm::Optional(_)) {
            steps.insert(0, self_step(expr.span));
        } else {
            first.separator = Separator::None;
        }
    }
    path.steps = steps;
}

fn sibling_free(expr: &mut Expr) {
    each_child_mut(expr, &mut sibling_free);
    let ExprKind::Path(path) = &mut expr.kind else { return };
    let last = path
        .steps
        .iter()
        .rposition(|step| matches!(step.form, StepForm::Marker(_)));
    for (at, step) in path.steps.iter_mut().enumerate() {
        if Some(at) != last && matches!(step.form, StepForm::Marker(_)) {
            let marker = Step {
                separator: Separator::None,
                ..step.clone()
            };
            let kind = ExprKind::Path(Path {
                start: PathStart::Context,
                steps: vec![self_step(step.span), marker],
            });
            step.form = StepForm::Predicate(Box::new(Expr { kind, span: step.span }));
        }
    }
}

fn has_markers(expr: &Expr) -> bool {
    let mut found = false;
    if let ExprKind::Path(path) = &expr.kind {
        found = path.steps.iter().any(|step| matches!(step.form, StepForm::Marker(_)));
    }
    crate::syntax::each_child(expr, &mut |child| found |= has_markers(child));
    found
}

fn kleene(body: Expr, min: u32, max: Option<u32>, form: KleeneForm, span: Span) -> Step {
    let form = StepForm::Kleene {
        body: Box::new(body),
        min,
        max,
        form,
    };
    Step {
        separator: Separator::Slash,
        form,
        predicates: Vec::new(),
        span,
    }
}

/// A path as one step.
fn group(body: Expr, span: Span) -> Step {
    kleene(body, 1, Some(1), KleeneForm::Group, span)
}

fn suffix(form: StepForm, span: Span) -> Step {
    Step {
        separator: Separator::None,
        form,
        predicates: Vec::new(),
        span,
    }
}

fn self_step(span: Span) -> Step {
    let form = StepForm::Full {
        axis: Axis::Self_,
        explicit: true,
        test: NodeTest::Node,
        selectors: Vec::new(),
    };
    suffix(form, span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let normal = normal_form(&crate::syntax::parse(source).expect(source)).to_string();
        assert_eq!(normal, expected);
        assert_eq!(
            crate::syntax::parse(&normal)
                .expect("what is printed parses")
                .to_string(),
            normal
        );
    }

    #[test]
    fn repetitions_lose_their_markers() {
        check("doc('u')/(a:<R>)*/b", "doc(\"u\")[? ./(a)*/(a:<R>)]/(a)*/b");
        check(
            "doc('u')/(a:<R>/{click /})*{2,5}",
            "doc(\"u\")[? ./(a/{click /})*{1,4}/(a:<R>/{click /})]/(a/{click /})*{2,5}",
        );
        check("doc('u')/(a)*/b:<R>", "doc(\"u\")/(a)*/b:<R>");
    }

    #[test]
    fn branches_keep_one_marker() {
        check("a:<R>/b:<S>/c", "a[self::node():<R>]/b:<S>/c");
        check("a:<R>[b:<S>]", "a:<R>[b:<S>]");
    }
}

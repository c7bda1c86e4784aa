//! Normal form: the same language with less of it.
//!
//! A normalised expression has every abbreviation spelled out: each step has its axis (`//` is
//! `/descendant-or-self::node()/`, `.` is `self::node()`, `..` is `parent::node()`), each predicate is a boolean (a number
//! `n` is `position() = n`, anything else is wrapped in `boolean()`), and a function that defaults to the context node
//! gets it as an argument. It is an ordinary syntax tree, so it prints as an expression with the same meaning. The
//! forms that OXPath adds stay what they are, with their parts normalised.
//!
//! One pass, linear in the expression. Spans of what was written are kept; what is added takes the span of its cause.

use crate::check::static_type;
use crate::diag::Span;
use crate::functions::{Function, Type};
use crate::syntax::ast::{
    ActionKind, Axis, BinaryOp, Expr, ExprKind, NodeTest, Options, Path, PathStart, Selector, Separator, Step, StepForm,
};

/// Normalises an expression that passed the checks.
pub fn normalize(expr: &Expr) -> Expr {
    let all = |operands: &[Expr]| operands.iter().map(normalize).collect::<Vec<_>>();
    let kind = match &expr.kind {
        ExprKind::Or(operands) => ExprKind::Or(all(operands)),
        ExprKind::And(operands) => ExprKind::And(all(operands)),
        ExprKind::Union(operands) => ExprKind::Union(all(operands)),
        ExprKind::FirstOf(operands) => ExprKind::FirstOf(all(operands)),
        ExprKind::Binary { op, left, right } => ExprKind::Binary {
            op: *op,
            left: Box::new(normalize(left)),
            right: Box::new(normalize(right)),
        },
        ExprKind::Negate(inner) => ExprKind::Negate(Box::new(normalize(inner))),
        ExprKind::Filter { primary, predicates } => ExprKind::Filter {
            primary: Box::new(normalize(primary)),
            predicates: predicates.iter().map(normalize_predicate).collect(),
        },
        ExprKind::Path(path) => ExprKind::Path(normalize_path(path)),
        ExprKind::Call { name, name_span, args } => {
            let mut args = all(args);
            if args.is_empty() && Function::find(name).is_some_and(defaults_to_context) {
                args.push(context_node(expr.span));
            }
            ExprKind::Call {
                name: name.clone(),
                name_span: *name_span,
                args,
            }
        }
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => expr.kind.clone(),
    };
    Expr { kind, span: expr.span }
}

fn normalize_path(path: &Path) -> Path {
    let start = match &path.start {
        PathStart::Expr(start) => PathStart::Expr(Box::new(normalize(start))),
        start => start.clone(),
    };
    let mut steps = Vec::with_capacity(path.steps.len());
    for step in &path.steps {
        let mut separator = step.separator;
        if separator == Separator::DoubleSlash {
            let at = Span {
                start: step.span.start,
                end: step.span.start,
            };
            steps.push(full_step(
                Separator::Slash,
                Axis::DescendantOrSelf,
                NodeTest::Node,
                Vec::new(),
                Vec::new(),
                at,
            ));
            separator = Separator::Slash;
        }
        let predicates = step.predicates.iter().map(normalize_predicate).collect();
        let (axis, test, selectors) = match &step.form {
            StepForm::Dot => (Axis::Self_, NodeTest::Node, Vec::new()),
            StepForm::DotDot => (Axis::Parent, NodeTest::Node, Vec::new()),
            StepForm::Full {
                axis, test, selectors, ..
            } => (*axis, test.clone(), selectors.clone()),
            form => {
                steps.push(Step {
                    separator,
                    form: normalize_form(form),
                    predicates,
                    span: step.span,
                });
                continue;
            }
        };
        steps.push(full_step(separator, axis, test, selectors, predicates, step.span));
    }
    Path { start, steps }
}

/// The forms that are more than an axis and a node test.
fn normalize_form(form: &StepForm) -> StepForm {
    let mut form = form.clone();
    match &mut form {
        StepForm::Predicate(predicate) => **predicate = normalize_predicate(predicate),
        StepForm::Intensional { condition, .. } => **condition = normalize_condition(condition),
        StepForm::Action(action) => {
            match &mut action.kind {
                ActionKind::Press(value)
                | ActionKind::KeyDown(value)
                | ActionKind::KeyUp(value)
                | ActionKind::Drag(value)
                | ActionKind::Type(value)
                | ActionKind::Select(value) => {
                    **value = normalize(value);
                }
                _ => {}
            }
            normalize_options(&mut action.options);
        }
        StepForm::Doc { url, options } => {
            **url = normalize(url);
            normalize_options(options);
        }
        form => form.parts_mut().into_iter().for_each(|part| *part = normalize(part)),
    }
    form
}

fn normalize_options(options: &mut Options) {
    if let Some(until) = &mut options.until {
        **until = normalize_condition(until);
    }
}

fn full_step(
    separator: Separator,
    axis: Axis,
    test: NodeTest,
    selectors: Vec<Selector>,
    predicates: Vec<Expr>,
    span: Span,
) -> Step {
    Step {
        separator,
        form: StepForm::Full {
            axis,
            explicit: true,
            test,
            selectors,
        },
        predicates,
        span,
    }
}

fn normalize_predicate(predicate: &Expr) -> Expr {
    let inner = normalize(predicate);
    let span = inner.span;
    let kind = match static_type(&inner) {
        Type::Boolean => return inner,
        Type::Number => ExprKind::Binary {
            op: BinaryOp::Equal,
            left: Box::new(call("position", Vec::new(), span)),
            right: Box::new(inner),
        },
        Type::NodeSet | Type::String | Type::Any => return call("boolean", vec![inner], span),
    };
    Expr { kind, span }
}

/// A condition that no position is part of: a number is true unless it is 0.
fn normalize_condition(condition: &Expr) -> Expr {
    let inner = normalize(condition);
    let span = inner.span;
    match static_type(&inner) {
        Type::Boolean => inner,
        _ => call("boolean", vec![inner], span),
    }
}

fn call(name: &str, args: Vec<Expr>, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Call {
            name: name.to_owned(),
            name_span: span,
            args,
        },
        span,
    }
}

fn context_node(span: Span) -> Expr {
    let step = full_step(
        Separator::None,
        Axis::Self_,
        NodeTest::Node,
        Vec::new(),
        Vec::new(),
        span,
    );
    Expr {
        kind: ExprKind::Path(Path {
            start: PathStart::Context,
            steps: vec![step],
        }),
        span,
    }
}

fn defaults_to_context(function: Function) -> bool {
    matches!(
        function,
        Function::String
            | Function::Number
            | Function::StringLength
            | Function::NormalizeSpace
            | Function::Trim
            | Function::Name
            | Function::LocalName
            | Function::NamespaceUri
            | Function::LowerCase
            | Function::UpperCase
            | Function::QualifyUrl
            | Function::InnerHtml
            | Function::OuterHtml
            | Function::ToXml
            | Function::IsVisible
            | Function::IsInvisible
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let expr = crate::syntax::parse(source).expect(source);
        assert_eq!(normalize(&expr).to_string(), expected);
    }

    #[test]
    fn abbreviations_are_spelled_out() {
        check("//a", "/descendant-or-self::node()/child::a");
        check("a//@b", "child::a/descendant-or-self::node()/attribute::b");
        check("../.", "parent::node()/self::node()");
        check("/", "/");
    }

    #[test]
    fn predicates_become_booleans() {
        check("a[1]", "child::a[position() = 1]");
        check("a[last()]", "child::a[position() = last()]");
        check("a[b]", "child::a[boolean(child::b)]");
        check("a['x']", "child::a[boolean(\"x\")]");
        check("(a)[b = 1]", "(child::a)[child::b = 1]");
    }

    #[test]
    fn what_oxpath_adds_is_kept() {
        check(
            "doc('u')//a.b[1]:<R>[2][? c:<t=.>]/{click [until=d] /}",
            "doc(\"u\")/descendant-or-self::node()/child::a.b[position() = 1]:<R>[position() = 2]\
             [? child::c:<t=self::node()>]/{click [until=boolean(child::d)] /}",
        );
        check(
            "a//(b | ../c)*",
            "child::a/descendant-or-self::node()/(child::b | parent::node()/child::c)*",
        );
        check("[$rhs/@a]::b", "[boolean($rhs/attribute::a)]::b");
        check("^color ~ 'x'", "style::color ~ \"x\"");
    }

    #[test]
    fn the_context_node_becomes_an_argument() {
        check(
            "a[string() = name()]",
            "child::a[string(self::node()) = name(self::node())]",
        );
        check("string-length()", "string-length(self::node())");
        check("position()", "position()");
    }
}

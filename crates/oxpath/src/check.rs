//! What can be objected to before an expression runs.
//!
//! The parser answers for the grammar; this pass answers for the rest: functions that do not exist or get the wrong
//! number of arguments, variables without a value, strings and numbers where only a node-set makes sense. It walks the
//! whole tree once, in time linear in its size, and reports everything it finds, in the order of the source.
//!
//! XPath 1.0 converts between all types but one: nothing becomes a node-set. So type errors arise where a node-set is
//! needed: an operand of `|`, what stands before `/`, what stands before a predicate, and the arguments of a few
//! functions. A variable may hold anything and is never objected to.
//!
//! Warnings are for expressions that are legal but certainly a mistake: a step that cannot match (`@href/a`), a predicate
//! that is the same for every node (`[0]`, `["x"]`), a child combinator of CSS (`div.item > a`). What is only probably a
//! mistake has a module of its own, `habits`, and a code of its own.
//!
//! One mistake gives one message: of several findings at one place, the first stands.
//!
//! One grammar serves two dialects. [`Dialect::XPath`] is for queries of one page: loading pages, actions, markers and
//! styles are errors there, the rest of OXPath is allowed. [`Dialect::OXPath`] is for runs, where the restrictions of the
//! paper apply.

mod habits;
mod restrict;

pub use habits::at_document;

use crate::diag::{Code, Diagnostic, Severity, Span, nearest};
use crate::functions::{self, Signature, Type};
use crate::run::REQUIRED;
use crate::syntax::ast::{
    Axis, BinaryOp, Expr, ExprKind, Marker, NodeTest, Path, PathStart, Selector, Separator, Step, StepForm,
};
use crate::syntax::{self, each_child, is_simple, needs_start_page};

/// How much of the language may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Questions about one page, for which its source is enough.
    XPath,
    /// Everything.
    OXPath,
}

/// The variables that an expression binds itself: an intensional axis the first two, an action the last one.
pub(crate) const RESERVED: [&str; 3] = ["lhs", "rhs", THIS];
/// The node of an action, in the condition that it waits for.
const THIS: &str = "this";

/// Checks an expression of plain XPath that will run with these variables bound, named without the dollar sign.
///
/// ```
/// let expr = oxpath::syntax::parse("count($x)").unwrap();
/// assert_eq!(oxpath::check::check(&expr, &["x"]), []);
/// assert_eq!(oxpath::check::check(&expr, &[])[0].message, "unknown variable `$x`");
/// ```
#[must_use]
pub fn check(expr: &Expr, variables: &[&str]) -> Vec<Diagnostic> {
    check_as(Dialect::XPath, expr, variables)
}

/// Checks an expression of a dialect.
///
/// ```
/// use oxpath::check::{Dialect, check_as};
///
/// let expr = oxpath::syntax::parse("doc('u')//a:<link>").unwrap();
/// assert_eq!(check_as(Dialect::OXPath, &expr, &[]), []);
/// assert_eq!(check_as(Dialect::XPath, &expr, &[]).len(), 2);
/// ```
#[must_use]
pub fn check_as(dialect: Dialect, expr: &Expr, variables: &[&str]) -> Vec<Diagnostic> {
    let mut checker = Checker {
        dialect,
        variables,
        axes: 0,
        waits: false,
        predicates: 0,
        diagnostics: Vec::new(),
    };
    let combinator = habits::combinator(dialect, expr);
    let is_path = combinator.is_none();
    checker.diagnostics.extend(combinator);
    checker.expr(expr);
    // What is no path has no places for actions and markers: one message is enough.
    if dialect == Dialect::OXPath && is_path {
        restrict::check(expr, &mut checker.diagnostics);
    }
    if is_path {
        habits::check(dialect, expr, &mut checker.diagnostics);
    }
    let mut found = checker.diagnostics;
    // Errors first, so that they stand.
    found.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity != Severity::Error));
    found.dedup_by(|later, first| later.span == first.span);
    found
}

/// Longer expressions are not repeated in a hint.
const LONGEST_HINT: usize = 60;

/// Says that an expression for a run does not open its first page.
///
/// ```
/// let expr = oxpath::syntax::parse("//li:<item>").unwrap();
/// let found = oxpath::check::no_start_page(&expr).unwrap();
/// assert_eq!(found.message, "expected `doc(…)` at the beginning, found a path without it");
/// ```
#[must_use]
pub fn no_start_page(expr: &Expr) -> Option<Diagnostic> {
    match &expr.kind {
        ExprKind::Union(operands) => operands.iter().find_map(no_start_page),
        _ if !needs_start_page(expr) => None,
        _ => {
            let span = match &expr.kind {
                ExprKind::Path(Path { start, steps }) => match (start, steps.first()) {
                    (PathStart::Expr(start), _) => start.span,
                    (PathStart::Context, Some(first)) => first.span,
                    (PathStart::Root, Some(first)) => Span {
                        start: expr.span.start,
                        end: first.span.end,
                    },
                    (_, None) => expr.span,
                },
                _ => expr.span,
            };
            let message = "expected `doc(…)` at the beginning, found a path without it";
            let error = Diagnostic::error(Code::NoStartPage, span, message).with_label("on which page?");
            let written = expr.to_string();
            let below = match &expr.kind {
                ExprKind::Path(Path {
                    start: PathStart::Root, ..
                }) => "",
                _ => "//",
            };
            Some(error.with_hint(match written.chars().count() <= LONGEST_HINT {
                true => format!("write the address of the page before it: `doc(\"https://…\"){below}{written}`"),
                false => "write the address of the page before it: `doc(\"https://…\")`".to_owned(),
            }))
        }
    }
}

/// Warns of elements that have the name of a part: its parentheses were forgotten, probably. Once for each part.
pub(crate) fn parts_without_parentheses(source: &str, expr: &Expr) -> Vec<Diagnostic> {
    let mut names = syntax::part_names(source);
    let mut found = Vec::new();
    if !names.is_empty() {
        named_as_parts(expr, &mut names, &mut found);
    }
    found
}

fn named_as_parts(expr: &Expr, names: &mut Vec<&str>, found: &mut Vec<Diagnostic>) {
    let steps = match &expr.kind {
        ExprKind::Path(path) => &path.steps[..],
        _ => &[],
    };
    for step in steps {
        let StepForm::Full {
            test: NodeTest::Name(name),
            axis: Axis::Child | Axis::Descendant,
            ..
        } = &step.form
        else {
            continue;
        };
        let Some(at) = names
            .iter()
            .position(|part| part == name)
            .filter(|_| !habits::is_element(name))
        else {
            continue;
        };
        names.remove(at);
        let message = format!("`{name}` is read as an element, not as the part of this name");
        let warning = Diagnostic::warning(Code::Suspicious, step.span, message);
        found.push(warning.with_hint(format!("a part is used with parentheses: `{name}()`")));
    }
    each_child(expr, &mut |child| named_as_parts(child, names, found));
}

/// Says that an expression for a run extracts nothing.
pub(crate) fn no_markers(expr: &Expr) -> Option<Diagnostic> {
    fn has_markers(expr: &Expr) -> bool {
        let mut found = matches!(&expr.kind, ExprKind::Path(path)
            if path.steps.iter().any(|step| matches!(step.form, StepForm::Marker(_))));
        each_child(expr, &mut |child| found |= has_markers(child));
        found
    }
    if has_markers(expr) {
        return None;
    }
    let last = match &expr.kind {
        ExprKind::Path(path) => path.steps.last().map(|step| step.span),
        _ => None,
    };
    let message = "nothing is extracted: the expression has no marker";
    let warning = Diagnostic::warning(Code::NoEffect, last.unwrap_or(expr.span), message);
    Some(warning.with_hint("a marker makes records of nodes, with fields in predicates: `:<book>[h2:<title=.>]`"))
}

/// The type of the expression's value, as far as it shows in the text.
///
/// Variables and calls of unknown functions are [`Type::Any`].
#[must_use]
pub fn static_type(expr: &Expr) -> Type {
    match &expr.kind {
        ExprKind::Or(_) | ExprKind::And(_) => Type::Boolean,
        ExprKind::Binary { op, .. } => match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
                Type::Number
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::ContainsText
            | BinaryOp::ContainsWord
            | BinaryOp::Subset => Type::Boolean,
        },
        ExprKind::Negate(_) | ExprKind::Number(_) => Type::Number,
        ExprKind::Union(_) | ExprKind::Path(_) | ExprKind::Filter { .. } => Type::NodeSet,
        ExprKind::FirstOf(operands) => common_type(operands),
        ExprKind::Literal(_) => Type::String,
        // Inside an intensional axis, and in the condition of an action.
        ExprKind::Variable(name) if RESERVED.contains(&name.as_str()) => Type::NodeSet,
        ExprKind::Variable(_) => Type::Any,
        ExprKind::Call { name, .. } => functions::lookup(name).map_or(Type::Any, |signature| signature.result),
    }
}

/// The type of the first of several values that is not missing: their type if it is the same, otherwise a string.
fn common_type(operands: &[Expr]) -> Type {
    let mut types = operands.iter().map(static_type);
    let first = types.next().unwrap_or(Type::String);
    let mut all = first;
    for other in types {
        all = match (all, other) {
            (Type::Any, _) | (_, Type::Any) => Type::Any,
            (all, other) if all == other => all,
            _ => Type::String,
        };
    }
    all
}

struct Checker<'a> {
    dialect: Dialect,
    variables: &'a [&'a str],
    /// How many intensional axes are around.
    axes: usize,
    /// Is it the condition of an action?
    waits: bool,
    /// How many predicates are around.
    predicates: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Or(operands) | ExprKind::And(operands) => operands.iter().for_each(|operand| self.expr(operand)),
            ExprKind::Binary { op, left, right } => {
                if *op == BinaryOp::Subset {
                    self.node_set(left, "as an operand of `subset`");
                    self.node_set(right, "as an operand of `subset`");
                }
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Negate(inner) => self.expr(inner),
            ExprKind::Union(operands) => {
                for operand in operands {
                    self.node_set(operand, "as an operand of `|`");
                    self.expr(operand);
                }
            }
            ExprKind::FirstOf(operands) => {
                self.never_missing(operands);
                operands.iter().for_each(|operand| self.expr(operand));
            }
            ExprKind::Path(path) => self.path(path),
            ExprKind::Filter { primary, predicates } => {
                self.node_set(primary, "before a predicate");
                self.expr(primary);
                self.predicates(predicates);
            }
            ExprKind::Literal(_) | ExprKind::Number(_) => {}
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Call { name, name_span, args } => {
                self.call(name, *name_span, expr.span, args);
                args.iter().for_each(|arg| self.expr(arg));
            }
        }
    }

    /// Warns of a value that is never missing, and has others after it.
    fn never_missing(&mut self, operands: &[Expr]) {
        let is_there = |operand: &&Expr| match &operand.kind {
            ExprKind::Literal(text) => !text.is_empty(),
            ExprKind::Number(_) => true,
            _ => static_type(operand) == Type::Boolean,
        };
        let before = operands.split_last().map_or(&[][..], |(_, before)| before);
        if let Some(found) = before.iter().find(is_there) {
            let what = static_type(found).with_article();
            let message = format!("what follows `??` is never used: {what} is never missing");
            let warning = Diagnostic::warning(Code::NoEffect, found.span, message);
            self.diagnostics
                .push(warning.with_hint("an empty node-set, an empty string and `NaN` are missing"));
        }
    }

    /// Objects to an expression that cannot be a node-set, where one is needed.
    fn node_set(&mut self, expr: &Expr, place: &str) {
        let found = static_type(expr);
        if !found.fits(Type::NodeSet) {
            let message = format!("expected a node-set {place}, found {}", found.with_article());
            let mut error = Diagnostic::error(Code::TypeMismatch, expr.span, message);
            if let ExprKind::Literal(text) = &expr.kind
                && crate::syntax::parse(text).is_ok_and(|path| static_type(&path) == Type::NodeSet)
            {
                error.hints.push(format!("without quotes it is a path: `{text}`"));
            }
            self.diagnostics
                .push(error.with_label(format!("this is {}", found.with_article())));
        }
    }

    fn variable(&mut self, name: &str, span: Span) {
        /// this many variables are listed, if none is similar.
        const LISTED: usize = 8;
        if name == THIS {
            if !self.waits {
                let message = "`$this` is used outside the `until` of an action";
                let error = Diagnostic::error(Code::UnknownVariable, span, message).with_label("never bound");
                self.diagnostics.push(error.with_hint(
                    "it is the node that was acted on, as in `{click [until=not($this/@disabled)] /}`; elsewhere write `.`",
                ));
            }
            return;
        }
        if RESERVED.contains(&name) {
            if self.axes == 0 {
                let message = format!("`${name}` is used outside an intensional axis");
                let error = Diagnostic::error(Code::UnknownVariable, span, message).with_label("never bound");
                self.diagnostics
                    .push(error.with_hint("such an axis is written `[$lhs/@id = $rhs/@for]::label`"));
            }
            return;
        }
        if self.variables.contains(&name) {
            return;
        }
        let hint = match nearest(name, self.variables.iter().copied()) {
            Some(meant) => Some(format!("did you mean `${meant}`?")),
            None if self.variables.is_empty() => None,
            None => {
                let mut known: Vec<String> = self
                    .variables
                    .iter()
                    .take(LISTED)
                    .map(|name| format!("`${name}`"))
                    .collect();
                if self.variables.len() > LISTED {
                    known.push("…".to_owned());
                }
                Some(format!("the variables bound are {}", known.join(", ")))
            }
        };
        let mut error = Diagnostic::error(Code::UnknownVariable, span, format!("unknown variable `${name}`"));
        if let Some(meant) = nearest(name, self.variables.iter().copied()) {
            error = error.with_fix(span, format!("${meant}"));
        }
        error.hints.extend(hint);
        self.diagnostics.push(error.with_label("never bound"));
    }

    fn call(&mut self, name: &str, name_span: Span, span: Span, args: &[Expr]) {
        let Some(signature) = functions::lookup(name) else {
            return self.unknown_function(name, name_span);
        };
        if !signature.takes(args.len()) {
            let message = format!("`{name}` takes {}, found {}", arity(signature), args.len());
            let hint = format!("it is `{signature}`: {}", signature.doc);
            self.diagnostics
                .push(Diagnostic::error(Code::UnknownFunction, span, message).with_hint(hint));
            return;
        }
        if let Some(reason) = signature.unsupported {
            let message = format!("`{name}` is not supported, and evaluates to nothing");
            self.diagnostics
                .push(Diagnostic::warning(Code::Unsupported, name_span, message).with_hint(reason));
        }
        for (index, arg) in args.iter().enumerate() {
            if signature.param(index) == Type::NodeSet {
                self.node_set(arg, &format!("as the argument of `{name}`"));
            }
        }
    }

    fn unknown_function(&mut self, name: &str, span: Span) {
        const NODE_TYPES: [&str; 6] = [
            "text",
            "node",
            "comment",
            "processing-instruction",
            "field",
            "any-field",
        ];
        let local = name.strip_prefix("fn:").unwrap_or(name);
        let known = functions::SIGNATURES
            .iter()
            .map(|signature| signature.name)
            .chain(NODE_TYPES);
        let mut error = Diagnostic::error(Code::UnknownFunction, span, format!("unknown function `{name}`"))
            .with_label("no such function");
        if name == "doc" {
            error.hints.push("`doc` begins a path; it is not a value".to_owned());
        } else if local != name && functions::lookup(local).is_some() {
            error = error.with_fix(span, local);
            error.hints.push(format!("write it without the prefix: `{local}(…)`"));
        } else if let Some(meant) = nearest(local, known) {
            let parens = if NODE_TYPES.contains(&meant) { "()" } else { "(…)" };
            error = error.with_fix(span, meant);
            error.hints.push(format!("did you mean `{meant}{parens}`?"));
        }
        self.diagnostics.push(error);
    }

    fn path(&mut self, path: &Path) {
        if let PathStart::Expr(start) = &path.start {
            self.node_set(start, before(path.steps.first()));
            self.expr(start);
        }
        // The last step whose nodes are known to have neither children nor attributes, and what they are.
        let mut barren: Option<(&Step, &str)> = None;
        for step in &path.steps {
            if self.dialect == Dialect::XPath {
                self.needs_run(step);
            }
            match &step.form {
                StepForm::Dot | StepForm::Marker(_) | StepForm::Optional(_) | StepForm::Predicate(_) => {}
                StepForm::Full {
                    axis, test, selectors, ..
                } => {
                    if let Some((parent, kind)) = barren
                        && let Some(lacks) = barren_axis(*axis, kind)
                    {
                        let message = format!("`{}` can never match: {kind} has no {lacks}", step.form);
                        let warning = Diagnostic::warning(Code::NeverMatches, step.span, message);
                        self.diagnostics
                            .push(warning.with_secondary(parent.span, format!("this is {kind}")));
                    }
                    barren = leaf_kind(*axis, test).map(|kind| (step, kind));
                    self.selectors(step, barren.map(|(_, kind)| kind), selectors);
                }
                StepForm::Intensional { test, selectors, .. } => {
                    barren = leaf_kind(Axis::Descendant, test).map(|kind| (step, kind));
                    self.selectors(step, barren.map(|(_, kind)| kind), selectors);
                }
                StepForm::DotDot | StepForm::Kleene { .. } | StepForm::Action(_) | StepForm::Doc { .. } => {
                    barren = None;
                }
            }
            self.form(step);
            self.predicates(&step.predicates);
        }
    }

    /// Checks the expressions in a step, but for its predicates.
    fn form(&mut self, step: &Step) {
        match &step.form {
            StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } => {}
            StepForm::Intensional { condition, .. } => {
                self.axes += 1;
                self.expr(condition);
                self.axes -= 1;
            }
            StepForm::Kleene { body, .. } => {
                self.node_set(body, "between the parentheses of a step");
                self.expr(body);
            }
            StepForm::Predicate(predicate) => {
                self.predicates(std::slice::from_ref(predicate));
            }
            StepForm::Optional(inner) => {
                if is_simple(inner) {
                    let message = "an optional predicate without markers and actions changes nothing";
                    let warning = Diagnostic::warning(Code::NoEffect, step.span, message);
                    self.diagnostics
                        .push(warning.with_hint(format!("remove it, or require it: `[{inner}]`")));
                }
                self.predicates += 1;
                self.expr(inner);
                self.predicates -= 1;
            }
            StepForm::Action(action) => {
                let until = action.options.until.as_deref();
                for part in step.form.parts() {
                    let before = self.waits;
                    self.waits = until.is_some_and(|until| std::ptr::eq(until, part));
                    self.expr(part);
                    self.waits = before;
                }
            }
            StepForm::Doc { options, .. } => {
                if options.noback {
                    let warning =
                        Diagnostic::warning(Code::NoEffect, step.span, "the option `noback` has no effect here");
                    self.diagnostics
                        .push(warning.with_hint("write it in an action, as in `{click [noback] /}`"));
                }
                step.form.parts().into_iter().for_each(|part| self.expr(part));
            }
            StepForm::Marker(marker) => {
                self.marker_words(marker);
                marker.value.iter().for_each(|value| self.expr(value));
            }
        }
    }

    /// Warns of a word in a marker that is almost `required`, and of `required` where nothing is around the record.
    fn marker_words(&mut self, marker: &Marker) {
        let almost = |word: &&String| **word != REQUIRED && nearest(word, [REQUIRED]).is_some();
        if let Some(word) = marker.types.iter().find(almost) {
            let message = format!("the word `{word}` in a marker has no effect");
            let warning = Diagnostic::warning(Code::NoEffect, marker.span, message);
            self.diagnostics
                .push(warning.with_hint(format!("did you mean `{}({REQUIRED})`?", marker.name)));
        }
        if marker.is_required() && marker.value.is_none() && self.predicates == 0 {
            let message = format!("`{REQUIRED}` has no effect on a record that is in no other record");
            let warning = Diagnostic::warning(Code::NoEffect, marker.span, message);
            self.diagnostics
                .push(warning.with_hint("write it for the fields that the record must have"));
        }
    }

    /// Objects to what plain XPath has no use for.
    fn needs_run(&mut self, step: &Step) {
        const RUN: &str = "`wrapwright run` evaluates expressions that load pages, act and extract";
        let (what, hint) = match &step.form {
            StepForm::Doc { .. } => ("`doc`", RUN),
            StepForm::Action(_) => ("an action", RUN),
            StepForm::Marker(_) => ("a marker", RUN),
            StepForm::Full { axis: Axis::Style, .. } => {
                ("the style axis", "styles need `wrapwright run` with a browser")
            }
            _ => return,
        };
        let message = format!("expected a query of one page, found {what}");
        self.diagnostics
            .push(Diagnostic::error(Code::NeedsRun, step.span, message).with_hint(hint));
    }

    /// Warns of a class or an id of something that has none.
    fn selectors(&mut self, step: &Step, kind: Option<&str>, selectors: &[Selector]) {
        if let (Some(kind), Some(selector)) = (kind, selectors.first()) {
            let lacks = match selector {
                Selector::Class(_) => "class",
                Selector::Id(_) => "id",
            };
            let message = format!("`{}` can never match: {kind} has no {lacks}", step.form);
            self.diagnostics
                .push(Diagnostic::warning(Code::NeverMatches, step.span, message));
        }
    }

    fn predicates(&mut self, predicates: &[Expr]) {
        self.predicates += 1;
        for predicate in predicates {
            self.constant(predicate);
            self.expr(predicate);
        }
        self.predicates -= 1;
    }

    /// Warns of a predicate that holds for every node, or for none.
    fn constant(&mut self, predicate: &Expr) {
        let (holds, hint) = match &predicate.kind {
            ExprKind::Literal(text) => (!text.is_empty(), None),
            ExprKind::Call { name, args, .. } if args.is_empty() && matches!(&**name, "true" | "false") => {
                (name == "true", None)
            }
            ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
            } => match (position(left), position(right)) {
                (true, false) if number(right).is_some_and(is_no_position) => (false, position_hint(number(right))),
                (false, true) if number(left).is_some_and(is_no_position) => (false, position_hint(number(left))),
                _ => return,
            },
            _ => match number(predicate) {
                Some(value) if is_no_position(value) => (false, position_hint(Some(value))),
                _ => return,
            },
        };
        let (code, what) = if holds {
            (Code::ConstantPredicate, "always")
        } else {
            (Code::NeverMatches, "never")
        };
        let mut warning = Diagnostic::warning(code, predicate.span, format!("this predicate is {what} true"));
        warning.hints.extend(hint.map(str::to_owned));
        self.diagnostics.push(warning);
    }
}

/// Where the expression stands that a path starts with, by the step that follows.
fn before(step: Option<&Step>) -> &'static str {
    match step {
        Some(step) if step.separator != Separator::None => "before `/`",
        Some(Step {
            form: StepForm::Marker(_),
            ..
        }) => "before a marker",
        Some(Step {
            form: StepForm::Action(_),
            ..
        }) => "before an action",
        _ => "before a predicate",
    }
}

/// How many arguments the function takes, in words.
fn arity(signature: &Signature) -> String {
    let plural = |count: usize| if count == 1 { "argument" } else { "arguments" };
    match (signature.min, signature.max) {
        (0, Some(0)) => "no arguments".to_owned(),
        (min, Some(max)) if min == max => format!("{max} {}", plural(max)),
        (0, Some(max)) => format!("at most {max} {}", plural(max)),
        (min, Some(max)) if max == min + 1 => format!("{min} or {max} arguments"),
        (min, Some(max)) => format!("{min} to {max} arguments"),
        (min, None) => format!("at least {min} {}", plural(min)),
    }
}

const ATTRIBUTE: &str = "an attribute";

/// What kind of nodes a step gives, if they can have neither children nor attributes.
fn leaf_kind(axis: Axis, test: &NodeTest) -> Option<&'static str> {
    match (axis, test) {
        (Axis::Attribute, _) => Some(ATTRIBUTE),
        (Axis::Namespace, _) => Some("a namespace node"),
        (Axis::Style, _) => Some("a property of style"),
        (_, NodeTest::Text) => Some("a text node"),
        (_, NodeTest::Comment) => Some("a comment"),
        (_, NodeTest::ProcessingInstruction(_)) => Some("a processing instruction"),
        _ => None,
    }
}

/// What such nodes lack, if the axis leads from them to nothing.
fn barren_axis(axis: Axis, kind: &str) -> Option<&'static str> {
    match axis {
        Axis::Child | Axis::Descendant => Some("children"),
        Axis::Attribute => Some("attributes"),
        Axis::Style => Some("style"),
        Axis::FollowingSibling | Axis::PrecedingSibling if kind == ATTRIBUTE => Some("siblings"),
        _ => None,
    }
}

/// Is this `position()`?
fn position(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { name, args, .. } if name == "position" && args.is_empty())
}

/// The value of a number that is written out.
fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Number(value) => Some(*value),
        ExprKind::Negate(inner) => match inner.kind {
            ExprKind::Number(value) => Some(-value),
            _ => None,
        },
        _ => None,
    }
}

/// Is no node ever at this position?
fn is_no_position(value: f64) -> bool {
    value < 1.0 || value.fract() != 0.0
}

fn position_hint(value: Option<f64>) -> Option<&'static str> {
    match value {
        Some(0.0) => Some("positions are counted from 1; write `[1]` for the first"),
        Some(-1.0) => Some("write `[last()]` for the last"),
        Some(value) if value < 0.0 => Some("to count from the end, subtract from `last()`, as in `[last() - 1]`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

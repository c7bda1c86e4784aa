//! What is allowed and hardly meant: mistakes that newcomers make, and habits of other languages.
//!
//! The expressions here are legal, so nothing else objects to them, and they find nothing or something else than their
//! author wants. Each check knows one mistake, says how the expression is read, and what to write instead:
//!
//! | written | read as | meant |
//! |---|---|---|
//! | `a/click/h1` | an element `click` | `a/{click /}/h1` |
//! | `a/href`, `a[href = "x"]` | a child element `href` | `@href` |
//! | `a/text` | a child element `text` | `text()` |
//! | `[@class = card]` | a child element `card` | `"card"` |
//! | `doc("…")/h1`, `/h1` | a child of the page's root, which is `html` alone | `//h1` |
//! | `a/{click}//h1` | an `h1` inside the link, on the new page | `a/{click /}//h1` |
//! | `li:<book>[a:<name>]` | a record without fields | `a:<name=.>` |
//! | `li > a` | a comparison | `li/a` |
//! | `(b/c)*/d` | a product | `./(b/c)*/d` |
//!
//! These are warnings: pages may be XML with names of their own. To keep them rare where they are wrong, names are
//! compared with those of HTML ([`ELEMENTS`]), and a step below an element that HTML does not have is never reported.
//! One walk, linear in the size of the expression.

use super::Dialect;
use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::syntax::ast::{
    ActionKind, Axis, BinaryOp, Expr, ExprKind, NodeTest, Path, PathStart, Separator, Step, StepForm,
};
use crate::syntax::{each_child, is_simple};

/// The elements of HTML, with those of SVG and MathML that pages contain most, and the obsolete ones.
#[rustfmt::skip]
const ELEMENTS: &[&str] = &[
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "bdi", "bdo", "big",
    "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code", "col", "colgroup", "data",
    "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset",
    "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
    "header", "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend", "li", "link",
    "main", "map", "mark", "math", "menu", "meta", "meter", "nav", "noscript", "object", "ol", "optgroup", "option",
    "output", "p", "param", "picture", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp", "script", "search",
    "section", "select", "slot", "small", "source", "span", "strong", "style", "sub", "summary", "sup", "svg", "table",
    "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul",
    "var", "video", "wbr",
];

/// Attributes whose names are elements nowhere.
#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    "alt", "class", "colspan", "datetime", "href", "hreflang", "onclick", "placeholder", "rowspan", "src", "srcset",
];

/// Attributes of HTML whose names are elements elsewhere, such as in feeds; reported only below elements of HTML.
#[rustfmt::skip]
const SHARED_ATTRIBUTES: &[&str] = &[
    "action", "checked", "content", "disabled", "height", "id", "method", "name", "rel", "role", "selected", "target",
    "type", "value", "width",
];

/// Node types that are often written without their parentheses.
const NODE_TYPES: &[&str] = &["text", "node", "comment"];

/// Actions that are often written without their braces. `focus` and `check` could be elements of XML.
const ACTIONS: &[&str] = &[
    "click",
    "dblclick",
    "nextclick",
    "mouseover",
    "scroll",
    "submit",
    "uncheck",
    "pressenter",
];

/// The functions that compare their first argument with a text.
const TEXT_FUNCTIONS: &[&str] = &["contains", "starts-with", "ends-with", "matches"];

/// Reports what is hardly meant.
pub(super) fn check(dialect: Dialect, expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
    let mut walk = Walk { dialect, diagnostics };
    walk.expr(expr, Below::Anything, false);
}

/// Reports a path that starts with a child of the document, where the expression is evaluated at the document of a page:
/// `h1.title` finds nothing there.
///
/// ```
/// let expr = oxpath::syntax::parse("h1.title").unwrap();
/// let found = oxpath::check::at_document(&expr).unwrap();
/// assert_eq!(found.hints, ["to find it anywhere on the page, write `//h1.title`"]);
/// ```
#[must_use]
pub fn at_document(expr: &Expr) -> Option<Diagnostic> {
    match &expr.kind {
        ExprKind::Path(Path {
            start: PathStart::Context,
            steps,
        }) => steps.first().and_then(child_of_document),
        ExprKind::Path(Path {
            start: PathStart::Expr(start),
            ..
        })
        | ExprKind::Filter { primary: start, .. } => at_document(start),
        ExprKind::Union(operands) | ExprKind::FirstOf(operands) => operands.iter().find_map(at_document),
        ExprKind::Binary {
            op: BinaryOp::Greater,
            right,
            ..
        } if at_document(right).is_some() => css(expr).map(|(_, found)| found),
        _ => None,
    }
}

/// The comparison `li > a` at the top of an expression, which CSS reads as a path; and `h2 + p`, `h2 ~ p`.
///
/// In a run the whole expression must be a path, so this is certainly a mistake. In a query the comparison may be meant,
/// unless it is made of steps of CSS, with a class or an id among them.
pub(super) fn combinator(dialect: Dialect, expr: &Expr) -> Option<Diagnostic> {
    let (parts, mut found) = css(expr)?;
    if dialect == Dialect::OXPath {
        found.severity = Severity::Error;
        return Some(found);
    }
    let selects = |part: &&Expr| matches!(first_child_step(part), Some(StepForm::Full { selectors, .. }) if !selectors.is_empty());
    let is_step = |part: &&Expr| {
        matches!(&part.kind, ExprKind::Path(path) if path.steps.len() == 1 && path.steps[0].predicates.is_empty())
            && first_child_step(part).is_some()
    };
    let greater = matches!(
        expr.kind,
        ExprKind::Binary {
            op: BinaryOp::Greater,
            ..
        }
    );
    (greater && parts.iter().all(is_step) && parts.iter().any(selects)).then_some(found)
}

/// A chain of comparisons that CSS reads as a path: its parts, the last first, and what to say about it.
fn css(expr: &Expr) -> Option<(Vec<&Expr>, Diagnostic)> {
    let ExprKind::Binary { op, left, right } = &expr.kind else {
        return None;
    };
    let joint = match op {
        BinaryOp::Greater => "/",
        BinaryOp::Add => "/following-sibling::*[1]/self::",
        BinaryOp::ContainsText => "/following-sibling::",
        _ => return None,
    };
    let mut operands = vec![&**right];
    let mut rest = &**left;
    while let ExprKind::Binary { op: inner, left, right } = &rest.kind
        && inner == op
    {
        operands.push(right);
        rest = left;
    }
    let is_path = matches!(rest.kind, ExprKind::Path(_));
    let starts_with_child = |operand: &&Expr| first_child_step(operand).is_some();
    if !is_path || !operands.iter().all(starts_with_child) {
        return None;
    }
    let mut written = rest.to_string();
    if first_child_step(rest).is_some() {
        written.insert_str(0, "//");
    }
    for operand in operands.iter().rev() {
        written.push_str(joint);
        written.push_str(&operand.to_string());
    }
    let does = match op {
        BinaryOp::Greater => "`>` compares values; it does not select children",
        BinaryOp::Add => "`+` adds values; it does not select the next sibling",
        _ => "`~` looks for a text; it does not select siblings",
    };
    let found = Diagnostic::warning(Code::ForeignSyntax, expr.span, does)
        .with_label("this is CSS")
        .with_hint(format!("write `{written}`"))
        .with_fix(expr.span, written.clone());
    operands.push(rest);
    Some((operands, found))
}

/// `(b/c)*/d` without spaces, where the star multiplies.
pub(super) fn product(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary {
        op: op @ (BinaryOp::Multiply | BinaryOp::Add),
        left,
        right,
    } = &expr.kind
    else {
        return None;
    };
    let goes_on = matches!(
        &right.kind,
        ExprKind::Path(Path {
            start: PathStart::Root,
            ..
        })
    );
    let inner = match &left.kind {
        ExprKind::Path(Path { start, steps }) => match (start, steps.first()) {
            (PathStart::Context, Some(first)) => first.span.start,
            // The slashes that it begins with are not part of a step.
            (PathStart::Root, Some(first)) => {
                let slashes = if first.separator == Separator::DoubleSlash {
                    2
                } else {
                    1
                };
                first.span.start.saturating_sub(slashes)
            }
            _ => return None,
        },
        ExprKind::Union(operands) => operands.first()?.span.start,
        _ => return None,
    };
    let touches = left.span.end + 1 == right.span.start;
    let in_parentheses = left.span.start < inner && left.span.end > left.span.start;
    if !goes_on || !touches || !in_parentheses {
        return None;
    }
    let (sign, does) = match op {
        BinaryOp::Multiply => ('*', "multiplies"),
        _ => ('+', "adds"),
    };
    let at = Span {
        start: left.span.end,
        end: right.span.start,
    };
    let message = format!("`{sign}` {does} here; it does not repeat the path before it");
    let warning = Diagnostic::warning(Code::Suspicious, at, message);
    // A page is opened once, before the repetition.
    let written = match &left.kind {
        ExprKind::Path(Path {
            start: PathStart::Context,
            steps,
        }) if matches!(steps[0].form, StepForm::Doc { .. }) && steps.len() > 1 => {
            let rest = Path {
                start: PathStart::Root,
                steps: steps[1..].to_vec(),
            };
            format!("{}/({rest}){sign}{right}", steps[0])
        }
        _ => format!("./({left}){sign}{right}"),
    };
    Some(warning.with_hint(format!("to repeat the path, write `{written}`")))
}

/// What a step is looked for in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// An element of HTML, or any element.
    Html,
    /// An element that HTML does not have.
    Other,
    /// Not known.
    Anything,
    /// The root of a page.
    Root,
}

struct Walk<'d> {
    dialect: Dialect,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn expr(&mut self, expr: &Expr, below: Below, in_predicate: bool) {
        match &expr.kind {
            ExprKind::Path(path) => return self.path(path, below, in_predicate),
            ExprKind::Binary { op, left, right } => {
                use BinaryOp::{ContainsText, ContainsWord, Equal, NotEqual};
                if matches!(op, Equal | NotEqual | ContainsText | ContainsWord) && self.unquoted(left, right) {
                    return self.expr(left, below, in_predicate);
                }
                if let Some(found) = product(expr).filter(|_| is_simple(expr)) {
                    self.diagnostics.push(found);
                    return self.expr(left, below, in_predicate);
                }
            }
            ExprKind::Call { name, args, .. } => {
                if let ([first, second, ..], true) = (&args[..], TEXT_FUNCTIONS.contains(&&**name))
                    && self.unquoted(first, second)
                {
                    return self.expr(first, below, in_predicate);
                }
            }
            ExprKind::Filter { primary, predicates } => {
                self.expr(primary, below, in_predicate);
                let inside = match &primary.kind {
                    ExprKind::Path(path) => path
                        .steps
                        .last()
                        .map_or(Below::Anything, |step| next_below(step, below)),
                    _ => Below::Anything,
                };
                return predicates
                    .iter()
                    .for_each(|predicate| self.expr(predicate, inside, true));
            }
            _ => {}
        }
        each_child(expr, &mut |child| self.expr(child, below, in_predicate));
    }

    fn path(&mut self, path: &Path, below: Below, in_predicate: bool) {
        let mut below = match &path.start {
            PathStart::Context => below,
            PathStart::Root => Below::Root,
            PathStart::Expr(start) => {
                self.expr(start, below, in_predicate);
                Below::Anything
            }
        };
        let mut acted_on: Option<&str> = None;
        for (at, step) in path.steps.iter().enumerate() {
            if let StepForm::Full { axis, test, .. } = &step.form {
                self.element(step, *axis, test, below);
                acted_on = match test {
                    NodeTest::Name(name) => Some(name),
                    _ => None,
                };
            }
            match &step.form {
                StepForm::Action(action) if !action.absolute && action.kind == ActionKind::Click => {
                    self.contextual(acted_on, step, &path.steps[at + 1..]);
                }
                StepForm::Marker(marker) if in_predicate && marker.value.is_none() => {
                    self.empty_record(&marker.name, step, &path.steps[at + 1..]);
                }
                _ => {}
            }
            let inside = next_below(step, below);
            step.predicates
                .iter()
                .for_each(|predicate| self.expr(predicate, inside, true));
            let predicate = matches!(step.form, StepForm::Predicate(_) | StepForm::Optional(_));
            for part in step.form.parts() {
                let start = if predicate { below } else { Below::Anything };
                self.expr(part, start, predicate);
            }
            below = inside;
        }
    }

    /// `a/click`, `a/href`, `a/text`, `/h1`.
    fn element(&mut self, step: &Step, axis: Axis, test: &NodeTest, below: Below) {
        let NodeTest::Name(name) = test else { return };
        if !matches!(axis, Axis::Child | Axis::Descendant) || below == Below::Other {
            return;
        }
        if below == Below::Root && step.separator == Separator::Slash {
            self.diagnostics.extend(child_of_document(step));
        }
        let name = &name.to_ascii_lowercase()[..];
        let in_html = below == Below::Html && step.separator != Separator::DoubleSlash;
        let (hint, meant) = if self.dialect == Dialect::OXPath && ACTIONS.contains(&name) {
            (
                format!("an action is written in braces: `{{{name} /}}`"),
                format!("{{{name} /}}"),
            )
        } else if ATTRIBUTES.contains(&name)
            || (in_html
                && (SHARED_ATTRIBUTES.contains(&name) || name.starts_with("data-") || name.starts_with("aria-")))
        {
            (format!("for the attribute, write `@{name}`"), format!("@{name}"))
        } else if in_html && NODE_TYPES.contains(&name) {
            let what = if name == "text" { "text" } else { "nodes" };
            (format!("for the {what}, write `{name}()`"), format!("{name}()"))
        } else {
            return;
        };
        let message = format!("`{name}` is read as an element, and HTML has no such element");
        let span = Span {
            end: step.span.start + name.len() as u32,
            ..step.span
        };
        let is_explicit = matches!(step.form, StepForm::Full { explicit: true, .. });
        let span = if is_explicit { step.span } else { span };
        let mut warning = Diagnostic::warning(Code::Suspicious, span, message).with_hint(hint);
        if !is_explicit {
            warning = warning.with_fix(span, meant);
        }
        self.diagnostics.push(warning);
    }

    /// `[@class = card]`; was it reported?
    fn unquoted(&mut self, left: &Expr, right: &Expr) -> bool {
        let ExprKind::Path(Path {
            start: PathStart::Context,
            steps,
        }) = &right.kind
        else {
            return false;
        };
        let [
            Step {
                form:
                    StepForm::Full {
                        axis: Axis::Child,
                        explicit: false,
                        test: NodeTest::Name(name),
                        selectors,
                    },
                predicates,
                span,
                ..
            },
        ] = &steps[..]
        else {
            return false;
        };
        let last = match &left.kind {
            ExprKind::Path(path) => path.steps.last().map(|step| &step.form),
            _ => None,
        };
        let is_text = matches!(
            last,
            Some(
                StepForm::Dot
                    | StepForm::Full {
                        test: NodeTest::Text,
                        ..
                    }
            )
        );
        let is_attribute = matches!(
            last,
            Some(StepForm::Full {
                axis: Axis::Attribute,
                ..
            })
        );
        let known = ELEMENTS.contains(&&*name.to_ascii_lowercase());
        if !predicates.is_empty() || !selectors.is_empty() || !(is_attribute || (is_text && !known)) {
            return false;
        }
        let message = format!("`{name}` is read as an element, not as a text");
        let warning = Diagnostic::warning(Code::Suspicious, *span, message);
        self.diagnostics
            .push(warning.with_hint(format!("for the text, put it in quotes: `\"{name}\"`")));
        true
    }

    /// `a/{click}//h1`.
    fn contextual(&mut self, acted_on: Option<&str>, action: &Step, after: &[Step]) {
        let Some(name @ ("a" | "button" | "input")) = acted_on else {
            return;
        };
        let is_suffix = |step: &&Step| step.separator == Separator::None;
        let Some(next) = after.iter().find(|step| !is_suffix(step)) else {
            return;
        };
        let inside = match &next.form {
            StepForm::Full { axis, .. } => *axis == Axis::Child,
            StepForm::Kleene { .. } => true,
            _ => false,
        };
        if next.separator != Separator::DoubleSlash && !inside {
            return;
        }
        let message = format!("after `{{click}}` the path goes on inside the `{name}` that was clicked");
        let warning = Diagnostic::warning(Code::Suspicious, action.span, message);
        self.diagnostics.push(
            warning
                .with_label("without a slash at its end")
                .with_hint("to go on at the root of the new page, write `{click /}`")
                .with_fix(action.span, "{click /}"),
        );
    }

    /// `li:<book>[a:<name>]`.
    fn empty_record(&mut self, name: &str, marker: &Step, after: &[Step]) {
        if after.iter().any(extracts) {
            return;
        }
        let message = format!("the record `{name}` has no fields");
        let warning = Diagnostic::warning(Code::Suspicious, marker.span, message);
        self.diagnostics.push(
            warning
                .with_hint(format!("for a field with the text of the node, write `:<{name}=.>`"))
                .with_fix(marker.span, format!(":<{name}=.>")),
        );
    }
}

/// Does a step extract something, in whatever way?
fn extracts(step: &Step) -> bool {
    fn inside(expr: &Expr) -> bool {
        let mut found = matches!(&expr.kind, ExprKind::Path(path) if path.steps.iter().any(extracts));
        each_child(expr, &mut |child| found |= inside(child));
        found
    }
    matches!(step.form, StepForm::Marker(_))
        || step.form.parts().into_iter().any(inside)
        || step.predicates.iter().any(inside)
}

/// The first step of a relative path, if that leads to children by name, as a step of CSS does.
fn first_child_step(expr: &Expr) -> Option<&StepForm> {
    let ExprKind::Path(Path {
        start: PathStart::Context,
        steps,
    }) = &expr.kind
    else {
        return None;
    };
    let form = &steps.first()?.form;
    matches!(
        form,
        StepForm::Full {
            axis: Axis::Child,
            explicit: false,
            ..
        }
    )
    .then_some(form)
}

/// An element of HTML that is looked for among the children of the document.
fn child_of_document(step: &Step) -> Option<Diagnostic> {
    let StepForm::Full {
        axis: Axis::Child,
        test: NodeTest::Name(name),
        ..
    } = &step.form
    else {
        return None;
    };
    let folded = name.to_ascii_lowercase();
    if folded == "html" || !ELEMENTS.contains(&&*folded) {
        return None;
    }
    let message = format!("`{name}` can never match here: the root of a page has no child but `html`");
    let warning = Diagnostic::warning(Code::NeverMatches, step.span, message);
    let written = step.form.to_string();
    Some(warning.with_hint(match &*folded {
        "head" | "body" => format!("write `/html/{written}`"),
        _ => format!("to find it anywhere on the page, write `//{written}`"),
    }))
}

/// What the step after this one is looked for in.
fn next_below(step: &Step, below: Below) -> Below {
    match &step.form {
        StepForm::Dot | StepForm::Marker(_) | StepForm::Predicate(_) | StepForm::Optional(_) => below,
        StepForm::Doc { .. } => Below::Root,
        StepForm::Action(action) if action.absolute => Below::Root,
        StepForm::Full { axis, test, .. } => match (axis, test) {
            (Axis::Attribute | Axis::Style, _) => Below::Anything,
            // SVG has an element `text`.
            (_, NodeTest::Name(name)) if matches!(&*name.to_ascii_lowercase(), "svg" | "math") => Below::Other,
            (_, NodeTest::Name(name)) if ELEMENTS.contains(&&*name.to_ascii_lowercase()) => Below::Html,
            (_, NodeTest::Name(_)) => Below::Other,
            (_, NodeTest::Any) => Below::Html,
            _ => Below::Anything,
        },
        _ => Below::Anything,
    }
}

/// Is this the name of an element of HTML?
pub(super) fn is_element(name: &str) -> bool {
    ELEMENTS.contains(&&*name.to_ascii_lowercase())
}

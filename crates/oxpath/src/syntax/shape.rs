//! Questions about a tree: what it contains, and what evaluating it needs.

use super::ast::{Action, ActionKind, Expr, ExprKind, Path, PathStart, Step, StepForm};
use crate::check::RESERVED;
use crate::functions::Function;

/// Is the expression free of `doc`, actions and markers?
///
/// Such an expression only asks something about one page: it fetches nothing, changes nothing, extracts nothing, and
/// may be evaluated in any order and any number of times. Styles need a browser, but are simple in this sense.
///
/// ```
/// use oxpath::syntax::{is_simple, parse};
///
/// assert!(is_simple(&parse("//a.title[? b]/(..)*").unwrap()));
/// assert!(!is_simple(&parse("//a[{click /}//b]").unwrap()));
/// ```
#[must_use]
pub fn is_simple(expr: &Expr) -> bool {
    let mut simple = true;
    each_child(expr, &mut |child| simple &= is_simple(child));
    if let ExprKind::Path(path) = &expr.kind {
        simple &= !path.steps.iter().any(|step| step.form.is_effect());
    }
    simple
}

/// Must the caller say on which page the expression starts, because not every path of it begins with `doc`?
///
/// ```
/// use oxpath::syntax::{needs_start_page, parse};
///
/// assert!(!needs_start_page(&parse("doc('a')//b | doc('c')//d").unwrap()));
/// assert!(needs_start_page(&parse("doc('a')//b | //d").unwrap()));
/// ```
#[must_use]
pub fn needs_start_page(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Path(Path { start, steps }) => match start {
            PathStart::Root => true,
            PathStart::Expr(start) => needs_start_page(start),
            PathStart::Context => match steps.first().map(|step| &step.form) {
                Some(StepForm::Doc { url, .. }) => needs_start_page(url),
                Some(StepForm::Kleene { body, min: 1.., .. }) => needs_start_page(body),
                _ => true,
            },
        },
        // Their predicates are about the nodes found.
        ExprKind::Filter { primary, .. } => needs_start_page(primary),
        _ => {
            let mut needs = false;
            each_child(expr, &mut |child| needs |= needs_start_page(child));
            needs
        }
    }
}

/// May the value of an expression depend on a page? If not, it consists of what its author wrote and its user bound.
pub(crate) fn reads_page(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Number(_) => false,
        // The operands of a user's operator come from where it is applied.
        ExprKind::Variable(name) => RESERVED.contains(&name.as_str()),
        ExprKind::Call { name, args, .. } => {
            use Function::{
                Concat, Date, LowerCase, Minus, NormalizeSpace, Now, Number, Plus, Replace, String, Substring,
                SubstringAfter, SubstringBefore, Translate, UpperCase,
            };
            let is_pure = match Function::find(name) {
                Some(Now) => true,
                // Without an argument some of these read the context node.
                Some(
                    Concat | Date | LowerCase | Minus | NormalizeSpace | Number | Plus | Replace | String | Substring
                    | SubstringAfter | SubstringBefore | Translate | UpperCase,
                ) => !args.is_empty(),
                _ => false,
            };
            !is_pure || args.iter().any(reads_page)
        }
        ExprKind::Binary { left, right, .. } => reads_page(left) || reads_page(right),
        ExprKind::Negate(inner) => reads_page(inner),
        ExprKind::FirstOf(operands) => operands.iter().any(reads_page),
        _ => true,
    }
}

/// The variables that a source refers to, except `$lhs`, `$rhs` and `$this`, in the order of their first appearance; empty if it
/// does not parse.
///
/// ```
/// assert_eq!(oxpath::syntax::free_variables("//a[@x = $y]/{$z}[. = $y]"), ["y", "z"]);
/// ```
#[must_use]
pub fn free_variables(source: &str) -> Vec<String> {
    fn collect(expr: &Expr, names: &mut Vec<String>) {
        match &expr.kind {
            ExprKind::Variable(name) if !RESERVED.contains(&name.as_str()) && !names.contains(name) => {
                names.push(name.clone());
            }
            _ => each_child(expr, &mut |child| collect(child, names)),
        }
    }
    let mut names = Vec::new();
    if let Ok(expr) = super::parse(source) {
        collect(&expr, &mut names);
    }
    names
}

/// Visits the expressions right below this one, in the order of the source.
pub fn each_child<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Or(parts)
        | ExprKind::And(parts)
        | ExprKind::Union(parts)
        | ExprKind::FirstOf(parts)
        | ExprKind::Call { args: parts, .. } => {
            parts.iter().for_each(visit);
        }
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Negate(inner) => visit(inner),
        ExprKind::Filter { primary, predicates } => {
            visit(primary);
            predicates.iter().for_each(visit);
        }
        ExprKind::Path(path) => {
            if let PathStart::Expr(start) = &path.start {
                visit(start);
            }
            for step in &path.steps {
                step.form.parts().into_iter().for_each(&mut *visit);
                step.predicates.iter().for_each(&mut *visit);
            }
        }
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => {}
    }
}

/// The same, mutably.
pub fn each_child_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Or(parts)
        | ExprKind::And(parts)
        | ExprKind::Union(parts)
        | ExprKind::FirstOf(parts)
        | ExprKind::Call { args: parts, .. } => {
            parts.iter_mut().for_each(visit);
        }
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Negate(inner) => visit(inner),
        ExprKind::Filter { primary, predicates } => {
            visit(primary);
            predicates.iter_mut().for_each(visit);
        }
        ExprKind::Path(path) => {
            if let PathStart::Expr(start) = &mut path.start {
                visit(start);
            }
            for Step { form, predicates, .. } in &mut path.steps {
                form.parts_mut().into_iter().for_each(&mut *visit);
                predicates.iter_mut().for_each(&mut *visit);
            }
        }
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => {}
    }
}

impl StepForm {
    /// Is this an action, `doc` or a marker, and so more than a question about the page?
    #[must_use]
    pub fn is_effect(&self) -> bool {
        matches!(self, StepForm::Action(_) | StepForm::Doc { .. } | StepForm::Marker(_))
    }

    /// Does this lead to another page by itself: an action or `doc`?
    #[must_use]
    pub fn turns_page(&self) -> bool {
        matches!(self, StepForm::Action(_) | StepForm::Doc { .. })
    }

    /// The expressions in the form, in the order of the source.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } => Vec::new(),
            StepForm::Intensional { condition: part, .. }
            | StepForm::Kleene { body: part, .. }
            | StepForm::Optional(part)
            | StepForm::Predicate(part) => vec![part],
            StepForm::Action(Action { kind, options, .. }) => {
                let value = match kind {
                    ActionKind::Press(value)
                    | ActionKind::KeyDown(value)
                    | ActionKind::KeyUp(value)
                    | ActionKind::Drag(value)
                    | ActionKind::Type(value)
                    | ActionKind::Select(value) => Some(&**value),
                    _ => None,
                };
                value.into_iter().chain(options.until.as_deref()).collect()
            }
            StepForm::Doc { url, options } => [&**url].into_iter().chain(options.until.as_deref()).collect(),
            StepForm::Marker(marker) => marker.value.as_deref().into_iter().collect(),
        }
    }

    /// The same, mutably.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } => Vec::new(),
            StepForm::Intensional { condition: part, .. }
            | StepForm::Kleene { body: part, .. }
            | StepForm::Optional(part)
            | StepForm::Predicate(part) => vec![part],
            StepForm::Action(Action { kind, options, .. }) => {
                let value = match kind {
                    ActionKind::Press(value)
                    | ActionKind::KeyDown(value)
                    | ActionKind::KeyUp(value)
                    | ActionKind::Drag(value)
                    | ActionKind::Type(value)
                    | ActionKind::Select(value) => Some(&mut **value),
                    _ => None,
                };
                value.into_iter().chain(options.until.as_deref_mut()).collect()
            }
            StepForm::Doc { url, options } => [&mut **url].into_iter().chain(options.until.as_deref_mut()).collect(),
            StepForm::Marker(marker) => marker.value.as_deref_mut().into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_wrote_does_not_depend_on_a_page() {
        let reads = |source: &str| reads_page(&crate::syntax::parse(source).expect("valid"));
        for source in [
            "'http://a'",
            "$url",
            "concat('http://a/', $id, '?n=', 3 + 4)",
            "replace(lower-case($x), 'a', 'b')",
            "now()",
        ] {
            assert!(!reads(source), "{source}");
        }
        for source in [
            "@href",
            ".",
            "string()",
            "string(.)",
            "normalize-space()",
            "concat('http://a/', @id)",
            "concat($x, //a[1])",
            "current-url()",
            "qualify-url('b')",
            "$lhs",
            "substring('abc', position())",
            "substring('abc', last())",
            "3 + count(//a)",
            "name()",
        ] {
            assert!(reads(source), "{source}");
        }
    }
}

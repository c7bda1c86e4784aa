//! The part of an expression behind its navigation, to be run on pages that are there already.
//!
//! `doc("…")//a[.="Books"]/{click /}/(//a.next/{click /})*//div.book:<book>[…]` finds its way with everything up to the last
//! action, and extracts with what follows. That part, the *tail*, can be run on saved pages, watched, and exchanged for
//! another, while the way to the pages stays. An expression that extracts on its way, acts while it extracts, or goes on at
//! the node acted on has no such part.

use super::{Failure, Progress, RunOptions, Script};
use crate::syntax::ast::{Expr, ExprKind, Path, PathStart, Step, StepForm};
use crate::syntax::{self, each_child};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options, Outcome};
use page::{NodeId, Page};
use record::Record;
use std::sync::Arc;

/// What an expression extracts from the pages that it leads to.
#[derive(Clone, Debug)]
pub struct Tail {
    script: Script,
    start: usize,
}

impl Tail {
    /// Takes the tail of an expression.
    ///
    /// # Errors
    ///
    /// The expression is none, or has no such part; the words say why.
    pub fn new(source: &str) -> Result<Tail, String> {
        let first = |found: Vec<crate::diag::Diagnostic>| {
            found
                .first()
                .map_or_else(|| "no expression".to_owned(), |first| first.message.clone())
        };
        let ast = syntax::parse(source).map_err(first)?;
        let start = start(&ast)?;
        let script = Script::compile(&source[start..], &[]).map_err(first)?;
        Ok(Tail { script, start })
    }

    /// Where it begins in the source; what stands before is navigation.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The compiled tail.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// What it extracts from a page; `name` is what records call the page.
    pub fn page(&self, page: &Page, name: &Arc<str>) -> Vec<Record> {
        let live = Live::new(Arc::new(page.clone()), name.clone());
        let mut records = Records(Vec::new());
        self.script
            .run(&mut Nowhere, Some(live), &RunOptions::default(), &mut records);
        records.0
    }
}

/// The byte at which the tail begins.
fn start(ast: &Expr) -> Result<usize, String> {
    let ExprKind::Path(path) = &ast.kind else {
        return Err(
            "the expression is no single path, so its extraction cannot be told from its navigation".to_owned(),
        );
    };
    if let PathStart::Expr(start) = &path.start
        && (has(start, &leads) || has(start, &marks))
    {
        return Err("the expression begins with a union of paths that act or extract".to_owned());
    }
    let last = path.steps.iter().rposition(|step| step_has(step, &leads));
    let Some(last) = last else {
        return Ok(ast.span.start as usize);
    };
    if path.steps[..last].iter().any(|step| step_has(step, &marks)) {
        return Err("the expression extracts before its last action".to_owned());
    }
    match &path.steps[last].form {
        StepForm::Doc { .. } | StepForm::Kleene { .. } => {}
        StepForm::Action(action) if action.absolute => {}
        StepForm::Action(_) => {
            return Err("the expression goes on at the node of its last action, which no saved page has".to_owned());
        }
        _ => return Err("the expression acts inside of a predicate".to_owned()),
    }
    if step_has(&path.steps[last], &marks) {
        return Err("the expression extracts inside of what it repeats".to_owned());
    }
    match path.steps.get(last + 1).map(|step| &step.form) {
        None => Err("the expression extracts nothing behind its last action".to_owned()),
        Some(StepForm::Marker(_) | StepForm::Optional(_) | StepForm::Predicate(_)) => {
            Err("the expression extracts from the page itself, expected a path before the marker".to_owned())
        }
        Some(_) => Ok(path.steps[last].span.end as usize),
    }
}

/// Does a step lead to another page?
fn leads(step: &StepForm) -> bool {
    matches!(step, StepForm::Action(_) | StepForm::Doc { .. })
}

/// Does a step extract?
fn marks(step: &StepForm) -> bool {
    matches!(step, StepForm::Marker(_))
}

fn step_has(step: &Step, what: &dyn Fn(&StepForm) -> bool) -> bool {
    let alone = Expr {
        kind: ExprKind::Path(Path {
            start: PathStart::Context,
            steps: vec![step.clone()],
        }),
        span: step.span,
    };
    has(&alone, what)
}

fn has(expr: &Expr, what: &dyn Fn(&StepForm) -> bool) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Path(path) => path.steps.iter().any(|step| what(&step.form)),
        _ => false,
    };
    each_child(expr, &mut |child| found |= has(child, what));
    found
}

struct Records(Vec<Record>);

impl Progress for Records {
    fn record(&mut self, record: Record) -> bool {
        self.0.push(record);
        true
    }

    fn failure(&mut self, _failure: &Failure) {}
}

/// A driver that goes nowhere: the tail has no actions.
struct Nowhere;

impl Driver for Nowhere {
    fn open(&mut self, url: &str, _options: &Options) -> Result<Live, DriverError> {
        Err(DriverError::new(
            FailureKind::BadUrl,
            format!("{url} is not opened here"),
        ))
    }

    fn act(&mut self, _: &Live, _: NodeId, _: &Action, _: &Options) -> Result<Outcome, DriverError> {
        Err(DriverError::new(FailureKind::BadUrl, "nothing is acted on here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_last_action_is_the_tail() {
        let source = "doc('x')//a[.='Books']/{click /}/(//a.next/{click /})*//div.book:<book>[b:<title=string(.)>]";
        let tail = Tail::new(source).expect("a tail");
        assert_eq!(&source[tail.start()..], "//div.book:<book>[b:<title=string(.)>]");
        let html = "<div class=book><b>One</b></div><div class=book><b>Two</b></div>";
        let page = Page::parse(html.as_bytes(), &page::Settings::default()).expect("a page");
        let records = tail.page(&page, &"p".into());
        let titles: Vec<&str> = records
            .iter()
            .filter_map(|record| record.children[0].value.as_deref())
            .collect();
        assert_eq!(titles, ["One", "Two"]);
        assert_eq!(records[0].page.as_ref(), "p");
        assert_eq!(Tail::new("//b:<t=string(.)>").map(|tail| tail.start()), Ok(0));
    }

    #[test]
    fn what_has_no_tail_says_why() {
        for (source, expected) in [
            (
                "doc('x')//a:<r>/{click /}//b:<t=string(.)>",
                "extracts before its last action",
            ),
            (
                "doc('x')//a[{click /}//b]//c:<t=string(.)>",
                "acts inside of a predicate",
            ),
            ("doc('x')//a/{click}/b:<t=string(.)>", "goes on at the node"),
            (
                "doc('x')//a:<t=string(.)> | doc('y')//b:<t=string(.)>",
                "no single path",
            ),
            (
                "doc('x')/(//a:<t=string(.)>/{click /})*//b",
                "inside of what it repeats",
            ),
            ("doc('x')//a/{click /}", "extracts nothing"),
            ("doc('x", ""),
        ] {
            let error = Tail::new(source).expect_err(source);
            assert!(error.contains(expected), "{source}: {error}");
        }
    }
}

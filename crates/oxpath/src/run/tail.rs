//! The part of an expression after its navigation, to be run on saved pages.
//!
//! `doc("…")//a[.="Books"]/{click /}/(//a.next/{click /})*//div.book:<book>[…]` finds its way with everything up to the last
//! action, and extracts with what follows. That part, the *tail*, can be run on saved pages, checked, and exchanged for
//! another, while the way to the pages stays. An expression that extracts on its way, acts while it extracts, or goes on at
//! the node acted on has no tail.

use super::{Failure, LackingField, Progress, RunOptions, Script};
use crate::error::CompileError;
use crate::syntax::ast::{Expr, ExprKind, Path, PathStart, Step, StepForm};
use crate::syntax::{self, each_child};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options, Outcome};
use page::{NodeId, Page};
use record::Record;
use std::fmt;
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
    /// The source is not an expression, or the expression has no such part.
    pub fn new(source: &str) -> Result<Tail, TailError> {
        if syntax::has_parts(source) {
            return Err(TailError::Parts);
        }
        let ast = syntax::parse(source).map_err(|found| CompileError::new(source, found))?;
        let start = start(&ast)?;
        let script = Script::compile(&source[start..], &[])?;
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

    /// What it gives on a page. `name` is what records call the page.
    pub fn page(&self, page: &Arc<Page>, name: &Arc<str>) -> OnPage {
        self.page_with(page, name, &RunOptions::default())
    }

    /// The same, with options.
    pub fn page_with(&self, page: &Arc<Page>, name: &Arc<str>, options: &RunOptions) -> OnPage {
        let live = Live::new(Arc::clone(page), Arc::clone(name));
        let mut found = OnPage::default();
        let summary = self.script.run(&mut Nowhere, Some(live), options, &mut found);
        found.lacking = summary.lacking;
        found
    }
}

/// What a tail gives on a page.
#[derive(Debug, Default)]
pub struct OnPage {
    /// The records.
    pub records: Vec<Record>,
    /// What failed: each failure ends one branch, the others go on.
    pub failures: Vec<Failure>,
    /// Records that lack a required field, once for each field.
    pub lacking: Vec<LackingField>,
}

/// Why an expression has no tail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TailError {
    /// It does not compile.
    Compile(CompileError),
    /// It has definitions, which must be put in first.
    Parts,
    /// It is a union or a value, not one path.
    NotOnePath,
    /// It begins with a union of paths that act or extract.
    BeginsWithUnion,
    /// It extracts before its last action.
    ExtractsEarly,
    /// Its last action goes on at the node acted on, which is not on a saved page.
    StaysAtNode,
    /// Its last action is in a predicate.
    ActsInPredicate,
    /// It extracts inside a repetition that acts.
    ExtractsInRepetition,
    /// It extracts nothing after its last action.
    ExtractsNothing,
    /// A marker or predicate follows its last action directly, without a path.
    NoPath,
}

impl fmt::Display for TailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TailError::Compile(error) => error.message(),
            TailError::Parts => "the expression has definitions, expected one where they are put in",
            TailError::NotOnePath => {
                "the expression is not a single path, so its extraction cannot be separated from its navigation"
            }
            TailError::BeginsWithUnion => "the expression begins with a union of paths that act or extract",
            TailError::ExtractsEarly => "the expression extracts before its last action",
            TailError::StaysAtNode => {
                "the expression goes on at the node of its last action, which is not on a saved page"
            }
            TailError::ActsInPredicate => "the expression acts inside a predicate",
            TailError::ExtractsInRepetition => "the expression extracts inside a repetition that acts",
            TailError::ExtractsNothing => "the expression extracts nothing after its last action",
            TailError::NoPath => "the expression extracts from the page itself, expected a path before the marker",
        })
    }
}

impl std::error::Error for TailError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TailError::Compile(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CompileError> for TailError {
    fn from(error: CompileError) -> TailError {
        TailError::Compile(error)
    }
}

/// The byte at which the tail begins.
fn start(ast: &Expr) -> Result<usize, TailError> {
    let ExprKind::Path(path) = &ast.kind else {
        return Err(TailError::NotOnePath);
    };
    if let PathStart::Expr(start) = &path.start
        && (has(start, &leads) || has(start, &marks))
    {
        return Err(TailError::BeginsWithUnion);
    }
    let last = path.steps.iter().rposition(|step| step_has(step, &leads));
    let Some(last) = last else {
        return Ok(ast.span.start as usize);
    };
    if path.steps[..last].iter().any(|step| step_has(step, &marks)) {
        return Err(TailError::ExtractsEarly);
    }
    match &path.steps[last].form {
        StepForm::Doc { .. } | StepForm::Kleene { .. } => {}
        StepForm::Action(action) if action.absolute => {}
        StepForm::Action(_) => return Err(TailError::StaysAtNode),
        _ => return Err(TailError::ActsInPredicate),
    }
    if step_has(&path.steps[last], &marks) {
        return Err(TailError::ExtractsInRepetition);
    }
    match path.steps.get(last + 1).map(|step| &step.form) {
        None => Err(TailError::ExtractsNothing),
        Some(StepForm::Marker(_) | StepForm::Optional(_) | StepForm::Predicate(_)) => Err(TailError::NoPath),
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

impl Progress for OnPage {
    fn record(&mut self, record: Record) -> bool {
        self.records.push(record);
        true
    }

    fn failure(&mut self, failure: &Failure) {
        self.failures.push(failure.clone());
    }
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

    fn open_from(&mut self, url: &str, _: &Live, options: &Options) -> Result<Live, DriverError> {
        self.open(url, options)
    }

    fn act(&mut self, _: &Live, _: NodeId, _: &Action, _: &Options) -> Result<Outcome, DriverError> {
        Err(DriverError::new(FailureKind::BadUrl, "no action is possible here"))
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
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let OnPage { records, failures, .. } = tail.page(&Arc::new(page), &"p".into());
        assert!(failures.is_empty(), "{failures:?}");
        let titles: Vec<&str> = records
            .iter()
            .filter_map(|record| record.children[0].value.as_deref())
            .collect();
        assert_eq!(titles, ["One", "Two"]);
        assert_eq!(records[0].page.as_ref(), "p");
        assert_eq!(Tail::new("//b:<t=string(.)>").map(|tail| tail.start()), Ok(0));
    }

    #[test]
    fn failures_are_reported_beside_the_records() {
        let tail = Tail::new("//b:<r>[? .:<t=replace(., @p, '')>][.:<u=.>]").expect("a tail");
        let page = Page::parse(b"<b p='('>One</b><b p='e'>Two</b>", &page::ParseSettings::default()).expect("a page");
        let OnPage { records, failures, .. } = tail.page(&Arc::new(page), &"p".into());
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].get("t"), Some("Two"));
        let words: Vec<String> = failures.iter().map(Failure::to_string).collect();
        assert_eq!(words.len(), 1, "{words:?}");
        assert!(words[0].contains("invalid regular expression `(`"), "{words:?}");
    }

    #[test]
    fn what_has_no_tail_says_why() {
        for (source, expected) in [
            (
                "doc('x')//a:<r>/{click /}//b:<t=string(.)>",
                "extracts before its last action",
            ),
            ("doc('x')//a[{click /}//b]//c:<t=string(.)>", "acts inside a predicate"),
            ("doc('x')//a/{click}/b:<t=string(.)>", "goes on at the node"),
            (
                "doc('x')//a:<t=string(.)> | doc('y')//b:<t=string(.)>",
                "not a single path",
            ),
            ("doc('x')/(//a:<t=string(.)>/{click /})*//b", "inside a repetition"),
            ("doc('x')//a/{click /}", "extracts nothing"),
            ("doc('x", ""),
        ] {
            let error = Tail::new(source).expect_err(source);
            assert!(error.to_string().contains(expected), "{source}: {error}");
        }
    }
}

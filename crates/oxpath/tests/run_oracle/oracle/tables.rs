//! The semantics as tables 1 and 2 of the paper have it, slow and obvious.
//!
//! Two functions over sets of context tuples: the value semantics ([`Oracle::value`]) says where an expression leads,
//! the extraction semantics ([`Oracle::extract`]) says which output tuples it gives and asks the former where to look.
//! Neither remembers anything but what the page tree and `OUT` are made of: an action on a tuple leads to one page, and
//! a node, a parent and a marker to one output node. Simple steps and values are left to [`Query`], which has an oracle
//! of its own.
//!
//! Where the paper is silent or we depart from it: a marker with a value does not become `last`; `OUT` also depends on
//! the parent and on the place of the marker; an action that leaves a page as it was does not lead to another page; an
//! action that fails leads nowhere; two places of the expression, or two rounds of a repetition that are told apart, that
//! do the same to a node get a page each.

use browse::Memory;
use oxpath::syntax::ast::{Action, ActionKind, Expr, ExprKind, Path, PathStart, Separator, Step, StepForm};
use oxpath::syntax::{each_child_mut, is_simple};
use oxpath::{Query, Value};
use page::NodeId;
use page::driver::{self, Driver, Live, Options, Outcome};
use std::collections::{BTreeMap, BTreeSet};

/// `⟨n, p, l⟩`, where `n` is a node on one of the pages of the page tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tuple {
    page: usize,
    node: NodeId,
    parent: usize,
    last: usize,
}

/// `⟨o, p, t, v⟩`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extracted {
    pub(crate) out: usize,
    pub(crate) parent: usize,
    pub(crate) tag: String,
    pub(crate) value: Option<String>,
}

type Tuples = BTreeSet<Tuple>;
type Relation = BTreeSet<Extracted>;

/// Why the oracle has no answer.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Too many pages or too much work.
    Fuel,
    /// A contextual action to another page whose action-free prefix is not a path without repetition.
    Prefix,
}

/// The simple steps since the page was new, for contextual actions; none if they lie in a repetition.
type Prefix = Option<Vec<Step>>;

pub(crate) struct Oracle {
    driver: Memory,
    /// The pages of the page tree; 0 is the arbitrary one where evaluation starts.
    pages: Vec<Live>,
    /// Where an action, or `doc`, at a place of the expression leads from a tuple.
    edges: BTreeMap<(u32, Tuple, Vec<u32>), Option<Tuple>>,
    /// The rounds of the repetitions around what is evaluated.
    rounds: Vec<u32>,
    /// `OUT`: from marker, node and parent.
    outs: BTreeMap<(u32, usize, NodeId, usize), usize>,
    queries: BTreeMap<String, Query>,
    fuel: usize,
}

impl Oracle {
    pub(crate) fn new(driver: Memory, fuel: usize) -> Oracle {
        Oracle {
            driver,
            pages: vec![Live::new(std::sync::Arc::new(page::Page::empty()), "about:blank")],
            edges: BTreeMap::new(),
            rounds: Vec::new(),
            outs: BTreeMap::new(),
            queries: BTreeMap::new(),
            fuel,
        }
    }

    /// The output of an expression from `⟨⊥, results, results⟩`.
    pub(crate) fn evaluate(&mut self, expr: &Expr) -> Result<Relation, Stop> {
        let start = Tuple {
            page: 0,
            node: NodeId::DOCUMENT,
            parent: 0,
            last: 0,
        };
        self.extract(expr, start, &Some(Vec::new()))
    }

    /// How many pages were opened and actions performed, whatever came of them.
    pub(crate) fn turns(&self) -> usize {
        self.edges.len()
    }

    /// `⟦expr⟧_V`, for paths and unions of paths.
    fn value(&mut self, expr: &Expr, c: Tuple, prefix: &Prefix) -> Result<Tuples, Stop> {
        match &expr.kind {
            ExprKind::Union(operands) if !is_simple(expr) => {
                let mut all = Tuples::new();
                for operand in operands {
                    all.extend(self.value(operand, c, prefix)?);
                }
                Ok(all)
            }
            ExprKind::Path(path) if !is_simple(expr) => {
                let mut here = self.starts(path, c, prefix)?;
                let mut prefix = prefix_at_start(path, prefix);
                for step in elementary(path) {
                    here = self.each_value(&step, &here, &prefix)?;
                    prefix = longer(prefix, &step);
                }
                Ok(here)
            }
            _ => self.simple(expr, c),
        }
    }

    /// `⟦expr⟧_B`.
    fn truth(&mut self, expr: &Expr, c: Tuple, prefix: &Prefix) -> Result<bool, Stop> {
        if is_simple(expr) {
            let source = format!("boolean({expr})");
            return Ok(self.query(&source, c)? == Value::Boolean(true));
        }
        match &expr.kind {
            ExprKind::Or(operands) => {
                let mut any = false;
                for operand in operands {
                    any |= self.truth(operand, c, prefix)?;
                }
                Ok(any)
            }
            ExprKind::And(operands) => {
                let mut all = true;
                for operand in operands {
                    all &= self.truth(operand, c, prefix)?;
                }
                Ok(all)
            }
            _ => Ok(!self.value(expr, c, prefix)?.is_empty()),
        }
    }

    /// `⟦expr⟧_E`.
    fn extract(&mut self, expr: &Expr, c: Tuple, prefix: &Prefix) -> Result<Relation, Stop> {
        if is_simple(expr) {
            return Ok(Relation::new());
        }
        let mut found = Relation::new();
        match &expr.kind {
            ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
                for operand in operands {
                    found.extend(self.extract(operand, c, prefix)?);
                }
            }
            ExprKind::Path(path) => {
                if let PathStart::Expr(start) = &path.start {
                    found.extend(self.extract(start, c, prefix)?);
                }
                let mut here = self.starts(path, c, prefix)?;
                let mut prefix = prefix_at_start(path, prefix);
                for step in elementary(path) {
                    // E1: what the step extracts, and then what the rest does from where the step leads.
                    for c in &here {
                        found.extend(self.extract_step(&step, *c, &prefix)?);
                    }
                    here = self.each_value(&step, &here, &prefix)?;
                    prefix = longer(prefix, &step);
                }
            }
            other => panic!("no effects may be in {other:?}"),
        }
        Ok(found)
    }

    /// Where a path starts.
    fn starts(&mut self, path: &Path, c: Tuple, prefix: &Prefix) -> Result<Tuples, Stop> {
        Ok(match &path.start {
            PathStart::Context => Tuples::from([c]),
            PathStart::Root => Tuples::from([Tuple {
                node: NodeId::DOCUMENT,
                ..c
            }]),
            PathStart::Expr(start) => self.value(start, c, prefix)?,
        })
    }

    fn each_value(&mut self, step: &Step, from: &Tuples, prefix: &Prefix) -> Result<Tuples, Stop> {
        let mut all = Tuples::new();
        for c in from {
            all.extend(self.value_step(step, *c, prefix)?);
        }
        Ok(all)
    }

    /// `⟦step⟧_N`.
    fn value_step(&mut self, step: &Step, c: Tuple, prefix: &Prefix) -> Result<Tuples, Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Fuel)?;
        match &step.form {
            StepForm::Predicate(condition) => {
                // N4
                let inside = Tuple { parent: c.last, ..c };
                // A predicate does not depend on the rounds around it.
                let rounds = std::mem::take(&mut self.rounds);
                let holds = self.truth(condition, inside, prefix)?;
                self.rounds = rounds;
                Ok(Tuples::from_iter(holds.then_some(c)))
            }
            // [? e] is [e | true]
            StepForm::Optional(_) => Ok(Tuples::from([c])),
            StepForm::Marker(marker) => {
                // N8
                let out = self.out(marker.span.start, c);
                let last = if marker.value.is_some() { c.last } else { out };
                Ok(Tuples::from([Tuple { last, ..c }]))
            }
            StepForm::Kleene { body, min, max, .. } if !is_simple(body) => {
                // N9, N10
                let mut reached = Tuples::new();
                for (round, tuples) in self.rounds(body, *min, *max, c, prefix)?.into_iter().enumerate() {
                    if round >= *min as usize {
                        reached.extend(tuples);
                    }
                }
                Ok(reached)
            }
            StepForm::Doc { .. } | StepForm::Action(_) => Ok(Tuples::from_iter(self.turn(step, c, prefix)?)),
            // N2, N3, N5
            _ => self.simple(&path_of(vec![step.clone()], step), c),
        }
    }

    /// `⟦step⟧_E`.
    fn extract_step(&mut self, step: &Step, c: Tuple, prefix: &Prefix) -> Result<Relation, Stop> {
        match &step.form {
            StepForm::Predicate(condition) | StepForm::Optional(condition) => {
                // E2
                let inside = Tuple { parent: c.last, ..c };
                let rounds = std::mem::take(&mut self.rounds);
                let found = self.extract(condition, inside, prefix)?;
                self.rounds = rounds;
                Ok(found)
            }
            StepForm::Marker(marker) => {
                // E3, E4
                let value = match &marker.value {
                    Some(value) => match self.query(&format!("string({value})"), c)? {
                        Value::String(text) => Some(text),
                        other => panic!("found {other:?}, expected a text"),
                    },
                    None => None,
                };
                Ok(Relation::from([Extracted {
                    out: self.out(marker.span.start, c),
                    parent: c.parent,
                    tag: marker.name.clone(),
                    value,
                }]))
            }
            StepForm::Kleene { body, min, max, .. } if !is_simple(body) => {
                let mut found = Relation::new();
                let rounds = self.rounds(body, *min, *max, c, prefix)?;
                let entered = max.map_or(rounds.len(), |max| rounds.len().min(max as usize));
                for (round, tuples) in rounds[..entered].iter().enumerate() {
                    self.rounds.push(counted(round, *min, *max));
                    for c in tuples {
                        found.extend(self.extract(body, *c, if *max == Some(1) { prefix } else { &None })?);
                    }
                    self.rounds.pop();
                }
                Ok(found)
            }
            _ => Ok(Relation::new()),
        }
    }

    /// The tuples after no, one, two … rounds of a repetition. Without a bound, until one that counts was there before:
    /// then all later ones were, too.
    fn rounds(
        &mut self,
        body: &Expr,
        min: u32,
        max: Option<u32>,
        c: Tuple,
        prefix: &Prefix,
    ) -> Result<Vec<Tuples>, Stop> {
        // A group is no repetition.
        let prefix = if max == Some(1) { prefix } else { &None };
        let mut rounds = vec![Tuples::from([c])];
        while max.is_none_or(|max| rounds.len() <= max as usize) {
            let mut next = Tuples::new();
            self.rounds.push(counted(rounds.len() - 1, min, max));
            for c in rounds.last().expect("one at least") {
                next.extend(self.value(body, *c, prefix)?);
            }
            self.rounds.pop();
            let repeats =
                next.is_empty() || (max.is_none() && rounds.iter().skip(min as usize).any(|before| *before == next));
            rounds.push(next);
            if repeats {
                break;
            }
        }
        Ok(rounds)
    }

    /// N6, N7.
    fn turn(&mut self, step: &Step, c: Tuple, prefix: &Prefix) -> Result<Option<Tuple>, Stop> {
        let key = (step.span.start, c, self.rounds.clone());
        if let Some(known) = self.edges.get(&key) {
            return Ok(*known);
        }
        let to = match &step.form {
            StepForm::Doc { url, .. } => match self.query(&format!("string({url})"), c)? {
                Value::String(url) => match self.driver.open(&url, &Options::default()) {
                    Ok(live) => Some(self.arrive(live, c)?),
                    Err(_) => None,
                },
                other => panic!("found {other:?}, expected an address"),
            },
            StepForm::Action(action) => self.act(action, c, prefix)?,
            other => panic!("{other:?} is no action"),
        };
        self.edges.insert(key, to);
        Ok(to)
    }

    fn act(&mut self, action: &Action, c: Tuple, prefix: &Prefix) -> Result<Option<Tuple>, Stop> {
        let performed = match &action.kind {
            ActionKind::Click => driver::Action::Click,
            ActionKind::Focus => driver::Action::Focus,
            ActionKind::Type(text) => match self.query(&format!("string({text})"), c)? {
                Value::String(text) => driver::Action::Type(text),
                other => panic!("found {other:?}, expected a text"),
            },
            other => panic!("the oracle knows nothing of {other:?}"),
        };
        let live = self.pages[c.page].clone();
        let Ok(outcome) = self.driver.act(&live, c.node, &performed, &Options::default()) else {
            return Ok(None);
        };
        let same_tree = matches!(outcome, Outcome::Same(_));
        let after = outcome.into_live();
        if !action.absolute && same_tree && after.fields == live.fields {
            return Ok(Some(c));
        }
        let root = self.arrive(after, c)?;
        if action.absolute {
            return Ok(Some(root));
        }
        let Some(base) = prefix else {
            // In a repetition: where the tree is the same, so is the node.
            return same_tree
                .then_some(Some(Tuple { node: c.node, ..root }))
                .ok_or(Stop::Prefix);
        };
        // What stands after an action is about the document.
        let mut steps = base.clone();
        steps.insert(0, step_of(StepForm::Dot, &base[0]));
        let mut base = path_of(steps, &base[0]);
        strip(&mut base);
        let top = Tuple {
            node: NodeId::DOCUMENT,
            ..c
        };
        let before: Vec<Tuple> = self.simple(&base, top)?.into_iter().collect();
        let Some(position) = before.iter().position(|found| found.node == c.node) else {
            panic!("{base} does not lead to {:?}", c.node)
        };
        Ok(self.simple(&base, root)?.into_iter().nth(position))
    }

    fn arrive(&mut self, live: Live, c: Tuple) -> Result<Tuple, Stop> {
        if self.pages.len() > 400 {
            return Err(Stop::Fuel);
        }
        self.pages.push(live);
        Ok(Tuple {
            page: self.pages.len() - 1,
            node: NodeId::DOCUMENT,
            ..c
        })
    }

    fn out(&mut self, marker: u32, c: Tuple) -> usize {
        let next = self.outs.len() + 1;
        *self.outs.entry((marker, c.page, c.node, c.parent)).or_insert(next)
    }

    fn simple(&mut self, expr: &Expr, c: Tuple) -> Result<Tuples, Stop> {
        match self.query(&expr.to_string(), c)? {
            Value::Nodes(nodes) => Ok(nodes.into_iter().map(|node| Tuple { node, ..c }).collect()),
            other => panic!("{expr}: found {other:?}, expected nodes"),
        }
    }

    fn query(&mut self, source: &str, c: Tuple) -> Result<Value, Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Fuel)?;
        let query = self.queries.entry(source.to_owned()).or_insert_with(|| {
            Query::compile(source).unwrap_or_else(|found| panic!("{source} is not simple: {found:?}"))
        });
        let found = query.evaluate_at(&self.pages[c.page].page, c.node);
        Ok(found.unwrap_or_else(|error| panic!("{source}: {error}")))
    }
}

/// The round of a repetition, as far as it matters: without a bound, whether there were enough.
fn counted(round: usize, min: u32, max: Option<u32>) -> u32 {
    let next = round as u32 + 1;
    if max.is_some() { next } else { next.min(min) }
}

/// The steps of a path one by one: `//` is a step, and so is a predicate with effects. A positional predicate stays with
/// the step whose nodes it counts.
fn elementary(path: &Path) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for step in &path.steps {
        let suffix = matches!(step.form, StepForm::Predicate(_)) && is_simple(&path_of(vec![step.clone()], step));
        if suffix && let Some(group) = steps.last_mut() {
            let counts = matches!(&group.form, StepForm::Kleene { body, .. } if is_simple(body));
            if counts && let StepForm::Predicate(condition) = &step.form {
                // `(p)*[q]` as `(p)*` with its predicates inside one group: `((p)*[q])`.
                let body = path_of(
                    vec![group.clone(), step_of(StepForm::Predicate(condition.clone()), step)],
                    step,
                );
                group.form = StepForm::Kleene {
                    body: Box::new(body),
                    min: 1,
                    max: Some(1),
                    form: oxpath::syntax::ast::KleeneForm::Group,
                };
                continue;
            }
        }
        if step.separator == Separator::DoubleSlash {
            let below = StepForm::Full {
                axis: oxpath::syntax::ast::Axis::DescendantOrSelf,
                explicit: true,
                test: oxpath::syntax::ast::NodeTest::Node,
                selectors: Vec::new(),
            };
            steps.push(step_of(below, step));
        }
        let plain = step
            .predicates
            .iter()
            .take_while(|predicate| is_simple(predicate))
            .count();
        let mut bare = step.clone();
        bare.predicates.truncate(plain);
        bare.separator = Separator::None;
        steps.push(bare);
        for predicate in &step.predicates[plain..] {
            steps.push(step_of(StepForm::Predicate(Box::new(predicate.clone())), step));
        }
    }
    steps
}

fn step_of(form: StepForm, like: &Step) -> Step {
    Step {
        separator: Separator::None,
        form,
        predicates: Vec::new(),
        span: like.span,
    }
}

/// A path from the context through steps.
fn path_of(mut steps: Vec<Step>, like: &Step) -> Expr {
    for (at, step) in steps.iter_mut().enumerate() {
        let suffix = matches!(
            step.form,
            StepForm::Predicate(_) | StepForm::Optional(_) | StepForm::Marker(_)
        );
        step.separator = if at == 0 || suffix {
            Separator::None
        } else {
            Separator::Slash
        };
    }
    let start = PathStart::Context;
    Expr {
        kind: ExprKind::Path(Path { start, steps }),
        span: like.span,
    }
}

fn prefix_at_start(path: &Path, prefix: &Prefix) -> Prefix {
    match &path.start {
        PathStart::Context => prefix.clone(),
        PathStart::Root => Some(Vec::new()),
        PathStart::Expr(_) => None,
    }
}

/// The action-free prefix after a step: without markers, contextual actions and optional predicates.
fn longer(prefix: Prefix, step: &Step) -> Prefix {
    let mut steps = match &step.form {
        StepForm::Doc { .. } => return Some(Vec::new()),
        StepForm::Action(action) if action.absolute => return Some(Vec::new()),
        StepForm::Kleene { body, .. } if !is_simple(body) => return None,
        _ => prefix?,
    };
    if !matches!(
        step.form,
        StepForm::Action(_) | StepForm::Marker(_) | StepForm::Optional(_)
    ) {
        steps.push(step.clone());
    }
    Some(steps)
}

/// Takes markers out of predicates.
fn strip(expr: &mut Expr) {
    if let ExprKind::Path(path) = &mut expr.kind {
        let like = path.steps.first().cloned();
        path.steps.retain(|step| !matches!(step.form, StepForm::Marker(_)));
        if let (true, PathStart::Context, Some(like)) = (path.steps.is_empty(), &path.start, like) {
            path.steps.push(step_of(StepForm::Dot, &like));
        }
        if let (PathStart::Context, Some(first)) = (&path.start, path.steps.first_mut()) {
            first.separator = Separator::None;
        }
    }
    each_child_mut(expr, &mut strip);
}

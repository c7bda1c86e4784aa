//! The paper's normal form (section 4.9), as rewrites of the expression.
//!
//! **Theorem 2** takes markers out of repetitions: `h(p)*t` becomes `h[? (q)*p](q)*t`, where `q` is `p` without its
//! markers. **Theorem 3** leaves one marker on each branch: `a:<R>b:<S>c` becomes `a[self::node():<R>]b:<S>c`.
//!
//! # Where we depart from the paper
//!
//! The proofs of the paper look at pairs of a node and a marker. A run also says which record each result belongs to,
//! and there both theorems need more care:
//!
//! - What is extracted in a predicate belongs to the last record before it. So when a marker moves into a predicate, the
//!   predicates that belong to it move along: `a:<R>[b:<v=.>]/c:<S>` becomes `a[? self::node():<R>[b:<v=.>]][b]/c:<S>`.
//!   The copy that stays on the path has no markers and only decides which nodes pass.
//! - In a predicate, results belong to the *last* record; outside, to the *parent*. Moving something into a predicate is
//!   therefore right only while both are the same: before the first record marker that stays on the path. So a path is
//!   rewritten from left to right, and a marker that cannot move ends the rewriting.
//! - Rounds below the lower bound extract, too. The paper has `(q)*{n-1,m-1}p` in the predicate, which loses these; here
//!   it is `(q)*{0,m-1}p`.
//! - A run performs an action once for each tuple, and the last record is part of a tuple. If the nodes of two records
//!   could lead to one node that is then acted on, the rewritten expression would act once instead of twice.
//!
//! What cannot be rewritten without changing the result stays as it is: a position that is asked for between a marker and
//! its predicates, a repetition whose predicates belong to the record of the round before, a repetition that extracts
//! after it acted (what two links to one address mean, and when a circle ends, is decided within a repetition). The
//! tests run normal forms against their originals. On the states of one page in a browser the two may differ, because
//! there the first path after a repetition gets only what is new.
//!
//! The machine does not need the normal form: it memoizes by tuple. It is for readers who want to see what an expression
//! says, and prints as an expression. The rewrites can double their input, so only [`DEEPEST`] levels of repetitions are
//! rewritten.

use super::program::without_markers;
use crate::check::static_type;
use crate::diag::Span;
use crate::functions::Type;
use crate::plan::depends_on_position;
use crate::syntax::ast::{
    Axis, Expr, ExprKind, KleeneForm, Marker, NodeTest, Path, PathStart, Separator, Step, StepForm,
};
use crate::syntax::{each_child, each_child_mut, is_simple};

/// How deep repetitions with markers are rewritten. In practice they are nested at most two deep, says the paper.
const DEEPEST: usize = 4;

/// Rewrites an expression by Theorems 2 and 3 wherever that does not change its result.
pub(super) fn normal_form(expr: &Expr) -> Expr {
    rewrite(expr, true, DEEPEST)
}

/// Rewrites an expression. `fresh` says that the parent is also the last record where it starts, and that nothing after
/// it depends on the last record where it ends; otherwise only its predicates are rewritten.
fn rewrite(expr: &Expr, fresh: bool, levels: usize) -> Expr {
    let all = |operands: &[Expr]| operands.iter().map(|each| rewrite(each, fresh, levels)).collect();
    let kind = match &expr.kind {
        ExprKind::Or(operands) => ExprKind::Or(all(operands)),
        ExprKind::And(operands) => ExprKind::And(all(operands)),
        ExprKind::Union(operands) => ExprKind::Union(all(operands)),
        ExprKind::Filter { primary, predicates } => ExprKind::Filter {
            primary: Box::new(rewrite(primary, fresh && !marks(primary), levels)),
            predicates: predicates.iter().map(|each| rewrite(each, true, levels)).collect(),
        },
        ExprKind::Path(path) => {
            let start = match &path.start {
                PathStart::Expr(start) => PathStart::Expr(Box::new(rewrite(start, fresh && !marks(start), levels))),
                start => start.clone(),
            };
            let level = fresh && !matches!(&path.start, PathStart::Expr(start) if marks(start));
            let mut way = Way {
                steps: &path.steps,
                out: Vec::new(),
                at_root: path.start == PathStart::Root,
                at_context: path.start == PathStart::Context,
                fresh,
                level,
                levels,
                quiet_before: 0,
            };
            way.walk();
            let steps = way.out;
            ExprKind::Path(Path { start, steps })
        }
        // Values have no markers.
        _ => expr.kind.clone(),
    };
    Expr { kind, span: expr.span }
}

/// The steps of a path while they are rewritten, from left to right.
struct Way<'e> {
    steps: &'e [Step],
    out: Vec<Step>,
    at_root: bool,
    at_context: bool,
    /// See [`rewrite`].
    fresh: bool,
    /// Is the parent also the last record here?
    level: bool,
    levels: usize,
    /// Before this step, markers in predicates were moved to a copy.
    quiet_before: usize,
}

impl Way<'_> {
    fn walk(&mut self) {
        let last_marker = self.steps.iter().rposition(step_marks);
        for (at, step) in self.steps.iter().enumerate() {
            let is_quiet = at < self.quiet_before;
            match &step.form {
                StepForm::Marker(marker) if Some(at) == last_marker || !self.level => {
                    self.level = false;
                    self.out.push(step.clone());
                }
                StepForm::Marker(marker) if marker.value.is_some() => self.out.push(alone(step)),
                StepForm::Marker(_) => match self.belongings(at) {
                    Some(end) if end == at + 1 => self.out.push(alone(step)),
                    Some(end) => self.move_with_belongings(at, end),
                    None => {
                        self.level = false;
                        self.out.push(step.clone());
                    }
                },
                StepForm::Kleene { .. } if !is_quiet && step_has_markers(step) => self.repetition(at),
                _ if is_quiet => self.out.extend(quiet_step(step)),
                _ => self.out.push(self.inside(step)),
            }
        }
    }

    /// The step with its predicates rewritten.
    fn inside(&self, step: &Step) -> Step {
        let mut step = step.clone();
        let again = |expr: &mut Expr, fresh: bool| *expr = rewrite(expr, fresh, self.levels);
        step.predicates.iter_mut().for_each(|predicate| again(predicate, true));
        match &mut step.form {
            StepForm::Predicate(inner) | StepForm::Optional(inner) => again(inner, true),
            StepForm::Kleene { body, .. } => again(body, false),
            _ => {}
        }
        step
    }

    /// If the record marker of a step may move into a predicate: the end of the steps that must move along.
    fn belongings(&self, at: usize) -> Option<usize> {
        let after = &self.steps[at + 1..];
        let next = after.iter().position(step_records).unwrap_or(after.len());
        if let Some(Step {
            form: StepForm::Kleene { .. },
            ..
        }) = after.get(next)
            && !self.moves_out(at + 1 + next, true)
        {
            return None;
        }
        let mine = match after[..next].iter().rposition(attaches) {
            Some(last) => last + 1,
            None => 0,
        };
        let within = after.iter().take(mine).take_while(|step| is_suffix(step));
        let chosen = |step: &Step| matches!(&step.form, StepForm::Predicate(inner) if counts_nodes(inner));
        let counts = within.into_iter().any(chosen);
        // Values in a repetition would have to stay on the path while its predicates move.
        let mixed = |step: &Step| matches!(step.form, StepForm::Kleene { .. }) && step_marks(step);
        if counts || after[..mine].iter().any(mixed) || !keeps_apart(after) {
            return None;
        }
        Some(at + 1 + mine)
    }

    /// Moves a record marker into a predicate, with all steps up to `end`.
    fn move_with_belongings(&mut self, at: usize, end: usize) {
        let step = &self.steps[at];
        let mut copy = vec![self_step(Separator::None, step.span), step.clone()];
        let is_value = |step: &Step| matches!(&step.form, StepForm::Marker(_));
        copy.extend(self.steps[at + 1..end].iter().filter(|step| !is_value(step)).cloned());
        let moved = rewrite(&from_context(copy, step.span), true, self.levels);
        self.out.push(suffix(StepForm::Optional(Box::new(moved)), step.span));
        self.quiet_before = end;
    }

    /// May the markers of a repetition move out of it?
    fn moves_out(&self, at: usize, level: bool) -> bool {
        let StepForm::Kleene { body, min, max, .. } = &self.steps[at].form else {
            return false;
        };
        let Some(operands) = paths(body) else { return false };
        let turns = |path: &Path| path.steps.iter().any(turns_absolutely);
        let told_apart = max.unwrap_or(*min) > 1 && !operands.iter().all(|path| turns(path));
        if !self.fresh || self.levels == 0 || (acts(body) && told_apart) {
            return false;
        }
        // What is extracted must come before what acts.
        for path in &operands {
            let acting = path.steps.iter().position(step_acts).unwrap_or(path.steps.len());
            if path.steps[acting..].iter().any(step_has_markers) {
                return false;
            }
        }
        if !records(body) {
            return level || !marks(body);
        }
        let tail = &self.steps[at + 1..];
        level && operands.iter().all(|path| sets_record(path, body, tail)) && !meets_attached(tail)
    }

    /// Takes the markers out of a repetition.
    fn repetition(&mut self, at: usize) {
        let step = &self.steps[at];
        let StepForm::Kleene { body, min, max, form } = &step.form else {
            return;
        };
        if !self.moves_out(at, self.level) {
            // A value that stays on the path is no record, but nothing may be extracted in a predicate after it (R3).
            self.level &= !step_marks(step);
            self.out.push(self.inside(step));
            return;
        }
        let span = step.span;
        let quiet = quiet(body);
        let mut separator = step.separator;
        if *max != Some(0) {
            // A predicate needs a step before it, and the right one.
            let first = self.out.is_empty();
            match separator {
                Separator::DoubleSlash => {
                    let below = axis_step(Axis::DescendantOrSelf, Separator::Slash, span);
                    self.out.push(below);
                }
                _ if first && self.at_context => self.out.push(self_step(Separator::None, span)),
                _ if first && self.at_root => self.out.push(self_step(Separator::Slash, span)),
                _ => {}
            }
            separator = Separator::Slash;
            let once = self.once(body, quiet.clone(), *max, span);
            self.out.push(suffix(StepForm::Optional(Box::new(once)), span));
        }
        let form = match form {
            KleeneForm::Group => KleeneForm::Group,
            KleeneForm::Star | KleeneForm::Plus => KleeneForm::Star,
        };
        let mut repeated = kleene(quiet, *min, *max, form, span);
        repeated.separator = separator;
        self.out.push(repeated);
    }

    /// `./(q)*{0,m-1}/p`, up to the last marker of `p`.
    fn once(&self, body: &Expr, quiet: Expr, max: Option<u32>, span: Span) -> Expr {
        let mut marking: Vec<Expr> = paths(body).into_iter().flatten().filter_map(up_to_marker).collect();
        let marked = match (marking.pop(), marking.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                marking.extend(last);
                let kind = ExprKind::Union(marking);
                Expr { kind, span }
            }
        };
        let marked = rewrite(&marked, true, self.levels - 1);
        if max == Some(1) {
            return marked;
        }
        let rounds = kleene(quiet, 0, max.map(|max| max - 1), KleeneForm::Star, span);
        let mut steps = vec![suffix(StepForm::Dot, span), rounds];
        match marked.kind {
            ExprKind::Path(Path {
                start: PathStart::Context,
                steps: mut inner,
            }) => {
                if let Some(first) = inner.first_mut() {
                    first.separator = Separator::Slash;
                }
                steps.append(&mut inner);
            }
            kind => steps.push(kleene(Expr { kind, span }, 1, Some(1), KleeneForm::Group, span)),
        }
        from_context(steps, span)
    }
}

/// The paths that an expression in parentheses is the union of; nothing if they start in other parentheses.
fn paths(body: &Expr) -> Option<Vec<&Path>> {
    match &body.kind {
        ExprKind::Union(operands) => operands
            .iter()
            .map(paths)
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat()),
        ExprKind::Path(path) if !matches!(path.start, PathStart::Expr(_)) => Some(vec![path]),
        _ => None,
    }
}

/// A path up to its last step with markers; nothing if it has none.
fn up_to_marker(path: &Path) -> Option<Expr> {
    let last = path.steps.iter().rposition(step_has_markers)?;
    let mut path = path.clone();
    path.steps.truncate(last + 1);
    let span = path.steps[last].span;
    let kind = ExprKind::Path(path);
    Some(Expr { kind, span })
}

/// Does each round along this path of a repetition make a record before it attaches anything, and do different records
/// never lead to the same action? `body` is all of the repetition, `tail` what follows it.
fn sets_record(path: &Path, body: &Expr, tail: &[Step]) -> bool {
    let is_record = |step: &Step| matches!(&step.form, StepForm::Marker(Marker { value: None, .. }));
    let Some(first) = path.steps.iter().position(step_records) else {
        return false;
    };
    if !is_record(&path.steps[first]) || path.steps[..first].iter().any(attaches) {
        return false;
    }
    let last = path.steps.iter().rposition(step_records).unwrap_or(first);
    let rest = &path.steps[last + 1..];
    if path.steps.iter().any(step_acts) {
        return is_record(&path.steps[last]) && leads_apart(rest);
    }
    let acting = tail.iter().position(step_acts).unwrap_or(tail.len());
    !acts(body) && !tail[acting..].iter().any(step_has_markers)
}

/// Is something attached to the last record before a step makes another one for certain?
fn meets_attached(tail: &[Step]) -> bool {
    let is_record = |step: &&Step| matches!(&step.form, StepForm::Marker(Marker { value: None, .. }));
    tail.iter().take_while(|step| !is_record(step)).any(attaches)
}

/// Do the steps after a marker lead from different nodes to different actions? It does not matter if nothing is extracted
/// after an action.
fn keeps_apart(after: &[Step]) -> bool {
    match after.iter().position(step_acts) {
        Some(acting) if after[acting..].iter().any(step_has_markers) => leads_apart(after),
        _ => true,
    }
}

/// Do the steps up to the first action lead from different nodes to different nodes?
fn leads_apart(steps: &[Step]) -> bool {
    let Some(acting) = steps.iter().position(step_acts) else {
        return false;
    };
    let injective = |step: &Step| match &step.form {
        StepForm::Full { axis, .. } => matches!(axis, Axis::Child | Axis::Attribute | Axis::Self_ | Axis::Style),
        form => matches!(
            form,
            StepForm::Dot | StepForm::Marker(_) | StepForm::Predicate(_) | StepForm::Optional(_)
        ),
    };
    let turns = matches!(steps[acting].form, StepForm::Action(_) | StepForm::Doc { .. });
    let plain = |step: &Step| step.separator != Separator::DoubleSlash;
    turns && plain(&steps[acting]) && steps[..acting].iter().all(|step| injective(step) && plain(step))
}

/// Has the expression a marker on its main path?
fn marks(expr: &Expr) -> bool {
    on_main_path(expr, &|step| matches!(step.form, StepForm::Marker(_)))
}

/// Has the expression a record marker on its main path?
fn records(expr: &Expr) -> bool {
    on_main_path(expr, &|step| {
        matches!(&step.form, StepForm::Marker(Marker { value: None, .. }))
    })
}

/// Has the expression an action or `doc` on its main path?
fn acts(expr: &Expr) -> bool {
    on_main_path(expr, &|step| step.form.turns_page())
}

fn on_main_path(expr: &Expr, is: &dyn Fn(&Step) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Union(operands) => operands.iter().any(|operand| on_main_path(operand, is)),
        ExprKind::Filter { primary, .. } => on_main_path(primary, is),
        ExprKind::Path(path) => {
            let starts = matches!(&path.start, PathStart::Expr(start) if on_main_path(start, is));
            starts || path.steps.iter().any(|step| step_on_main_path(step, is))
        }
        _ => false,
    }
}

fn step_on_main_path(step: &Step, is: &dyn Fn(&Step) -> bool) -> bool {
    is(step) || matches!(&step.form, StepForm::Kleene { body, .. } if on_main_path(body, is))
}

fn step_marks(step: &Step) -> bool {
    step_on_main_path(step, &|step| matches!(step.form, StepForm::Marker(_)))
}

fn step_records(step: &Step) -> bool {
    step_on_main_path(step, &|step| {
        matches!(&step.form, StepForm::Marker(Marker { value: None, .. }))
    })
}

fn step_acts(step: &Step) -> bool {
    step_on_main_path(step, &|step| step.form.turns_page())
}

fn turns_absolutely(step: &Step) -> bool {
    match &step.form {
        StepForm::Action(action) => action.absolute,
        form => matches!(form, StepForm::Doc { .. }),
    }
}

/// Is something extracted in the predicates of a step, and so attached to the last record before it?
fn attaches(step: &Step) -> bool {
    let below = match &step.form {
        StepForm::Predicate(inner) | StepForm::Optional(inner) => has_markers(inner),
        StepForm::Kleene { body, .. } => has_attaching(body),
        _ => false,
    };
    below || step.predicates.iter().any(has_markers)
}

fn has_attaching(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Union(operands) => operands.iter().any(has_attaching),
        ExprKind::Filter { primary, predicates } => has_attaching(primary) || predicates.iter().any(has_markers),
        ExprKind::Path(path) => {
            let starts = matches!(&path.start, PathStart::Expr(start) if has_attaching(start));
            starts || path.steps.iter().any(attaches)
        }
        _ => false,
    }
}

fn step_has_markers(step: &Step) -> bool {
    matches!(step.form, StepForm::Marker(_))
        || step.form.parts().into_iter().any(has_markers)
        || step.predicates.iter().any(has_markers)
}

fn has_markers(expr: &Expr) -> bool {
    let mut found = false;
    if let ExprKind::Path(path) = &expr.kind {
        found = path.steps.iter().any(|step| matches!(step.form, StepForm::Marker(_)));
    }
    each_child(expr, &mut |child| found |= has_markers(child));
    found
}

/// Does the predicate ask for a position?
fn counts_nodes(predicate: &Expr) -> bool {
    static_type(predicate) == Type::Number || depends_on_position(predicate)
}

fn is_suffix(step: &Step) -> bool {
    matches!(
        step.form,
        StepForm::Predicate(_) | StepForm::Optional(_) | StepForm::Marker(_)
    )
}

/// The expression without markers, and without optional predicates that only extracted.
fn quiet(expr: &Expr) -> Expr {
    fn drop_idle(expr: &mut Expr) {
        each_child_mut(expr, &mut drop_idle);
        if let ExprKind::Path(path) = &mut expr.kind {
            path.steps
                .retain(|step| !matches!(&step.form, StepForm::Optional(inner) if is_simple(inner)));
        }
    }
    let mut quiet = without_markers(expr);
    drop_idle(&mut quiet);
    quiet
}

/// The step without the markers in its predicates; nothing if it only extracted.
fn quiet_step(step: &Step) -> Option<Step> {
    let mut step = step.clone();
    step.predicates
        .iter_mut()
        .for_each(|predicate| *predicate = quiet(predicate));
    match &mut step.form {
        StepForm::Predicate(inner) | StepForm::Kleene { body: inner, .. } => **inner = quiet(inner),
        StepForm::Optional(inner) => {
            **inner = quiet(inner);
            if is_simple(inner) {
                return None;
            }
        }
        _ => {}
    }
    Some(step)
}

/// A marker in a predicate of its own: `[self::node():<R>]`.
fn alone(marker: &Step) -> Step {
    let inner = from_context(
        vec![self_step(Separator::None, marker.span), marker.clone()],
        marker.span,
    );
    suffix(StepForm::Predicate(Box::new(inner)), marker.span)
}

fn from_context(steps: Vec<Step>, span: Span) -> Expr {
    let start = PathStart::Context;
    Expr {
        kind: ExprKind::Path(Path { start, steps }),
        span,
    }
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

fn suffix(form: StepForm, span: Span) -> Step {
    Step {
        separator: Separator::None,
        form,
        predicates: Vec::new(),
        span,
    }
}

fn self_step(separator: Separator, span: Span) -> Step {
    axis_step(Axis::Self_, separator, span)
}

fn axis_step(axis: Axis, separator: Separator, span: Span) -> Step {
    let form = StepForm::Full {
        axis,
        explicit: true,
        test: NodeTest::Node,
        selectors: Vec::new(),
    };
    Step {
        separator,
        ..suffix(form, span)
    }
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
        check("doc('u')/(a:<R>)*/b", "doc(\"u\")[? ./(a)*/a:<R>]/(a)*/b");
        // Rounds before the second extract, too.
        check(
            "doc('u')/(a:<R>/{click /})*{2,5}",
            "doc(\"u\")[? ./(a/{click /})*{0,4}/a:<R>]/(a/{click /})*{2,5}",
        );
        check("doc('u')/(a)*/b:<R>", "doc(\"u\")/(a)*/b:<R>");
        check("doc('u')//(a:<R>)*{0,0}/b", "doc(\"u\")//(a)*{0,0}/b");
        check(
            "doc('u')//(a:<R>)*/b",
            "doc(\"u\")/descendant-or-self::node()[? ./(a)*/a:<R>]/(a)*/b",
        );
    }

    #[test]
    fn branches_keep_one_marker() {
        check("a:<R>/b:<S>/c", "a[self::node():<R>]/b:<S>/c");
        check("a:<R>[b:<S>]", "a:<R>[b:<S>]");
    }

    #[test]
    fn predicates_stay_with_their_marker() {
        check(
            "div:<g>[h2:<n=.>]/ul/li:<l>[a:<t=.>]",
            "div[? self::node():<g>[h2:<n=.>]][h2]/ul/li:<l>[a:<t=.>]",
        );
        check(
            "a:<R>/b[c:<v=.>][? d:<w=.>]/e:<S>",
            "a[? self::node():<R>/b[c:<v=.>][? d:<w=.>]]/b[c]/e:<S>",
        );
    }

    #[test]
    fn what_would_change_the_result_stays() {
        // `v` belongs to the first `R` only.
        check("a:<R>[1][b:<v=.>]/c:<S>", "a:<R>[1][b:<v=.>]/c:<S>");
        // `v` belongs to the record of the round before.
        check("a/(b[x:<v=.>]/c:<S>)*", "a/(b[x:<v=.>]/c:<S>)*");
        // `v` belongs to the last round's record.
        check("a/(b:<S>)*/c[x:<v=.>]", "a/(b:<S>)*/c[x:<v=.>]");
        // Each `R` leads to the same links, and each time they are followed.
        let merges = "doc(\"u\")//li:<R>/..//a/{click /}//h1:<S>";
        check(merges, merges);
        check(
            "doc('u')//li:<R>/a/{click /}//h1:<S>",
            "doc(\"u\")//li[self::node():<R>]/a/{click /}//h1:<S>",
        );
    }
}

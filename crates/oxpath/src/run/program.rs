//! Compiling an expression into operations.

use super::required::Needs;
use super::types;
use crate::check::{self, Dialect};
use crate::diag::{Code, Diagnostic, Severity};
use crate::error::CompileError;
use crate::normal;
use crate::plan::{Compiler, Nodes, Shared, Text, Truth, depends_on_position};
use crate::syntax::ast::{self, ActionKind, Expr, ExprKind, PathStart, Separator, Step, StepForm};
use crate::syntax::{self, is_simple, reads_page};
use crate::value::Value;
use record::RecordType;

/// A compiled OXPath expression, ready to run.
#[derive(Clone, Debug)]
pub struct Script {
    pub(super) ast: Expr,
    pub(super) program: Program,
    pub(super) types: Vec<RecordType>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Operations and what their simple parts share.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) branches: Vec<Vec<Op>>,
    /// What is required of top-level records.
    pub(super) needs: Vec<Needs>,
    pub(super) shared: Shared,
}

/// One operation on a context tuple.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// To the nodes of a simple path.
    Walk {
        id: usize,
        nodes: Nodes,
        /// Can the evaluation fail, because it computes a regular expression?
        fails: bool,
    },
    /// To the document of another page.
    Doc {
        id: usize,
        url: Text,
        /// Is the address computed from a page? Then that page gave it, not the user.
        is_of_page: bool,
        options: Options,
    },
    /// To what an action leads to.
    Act {
        id: usize,
        action: Action,
        absolute: bool,
        options: Options,
    },
    /// Extraction, with the predicates that follow directly.
    Mark(Mark),
    /// A predicate.
    Test(Test),
    /// Of the tuples that the body leads to, those whose position satisfies a condition.
    Choose { body: Vec<Vec<Op>>, position: Truth },
    /// A repetition with actions or markers inside.
    Loop {
        id: usize,
        body: Vec<Vec<Op>>,
        min: u32,
        max: Option<u32>,
        /// May a tuple come to the same place in several rounds, and does it matter in which?
        counts: bool,
    },
}

/// An extraction marker.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) value: Option<Text>,
    /// Must the record around it have one?
    pub(super) is_required: bool,
    /// Can the evaluation of the value fail?
    pub(super) fails: bool,
    /// The predicates that follow directly.
    pub(super) tests: Vec<Test>,
    /// May operations further on still attach something to it?
    pub(super) keeps_open: bool,
}

/// A predicate with actions or markers inside.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) id: usize,
    pub(super) condition: Condition,
    pub(super) optional: bool,
    /// Can the evaluation of the condition fail?
    pub(super) fails: bool,
    /// The same without markers, where it has no actions: what an action-free prefix asks.
    pub(super) simple: Option<Truth>,
}

/// A condition that extracts or acts while it is evaluated: all parts are, whatever the others say.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Simple(Truth),
    Path(Vec<Op>),
    Any(Vec<Condition>),
    All(Vec<Condition>),
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Fixed(page::driver::Action),
    Type(Text),
    Select(Text),
    Press(Text),
    KeyDown(Text),
    KeyUp(Text),
    Drag(Text),
    /// Click, and go on only to a page that was not reached so before.
    NextClick,
    /// Click, and go on only if the page changed.
    ClickWithChange,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub(super) wait: Option<f64>,
    pub(super) timeout: Option<f64>,
    pub(super) until: Option<Truth>,
    pub(super) noback: bool,
}

impl Script {
    /// Compiles an expression whose variables have the given values.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the expression, in the order of the source, including warnings.
    pub fn compile(source: &str, variables: &[(&str, Value)]) -> Result<Script, CompileError> {
        Script::checked(source, variables).map_err(|found| CompileError::new(source, found))
    }

    fn checked(source: &str, variables: &[(&str, Value)]) -> Result<Script, Vec<Diagnostic>> {
        let mut ast = syntax::parse(source)?;
        let names: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        let mut found = check::check_as(Dialect::OXPath, &ast, &names);
        found.extend(check::parts_without_parentheses(source, &ast));
        if found.is_empty() {
            found.extend(check::no_markers(&ast));
        }
        if found.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(found);
        }
        crate::query::bind(&mut ast, variables);
        let mut builder = Builder {
            compiler: Compiler::for_script(),
            ids: 0,
            diagnostics: Vec::new(),
        };
        let branches = builder.branches(&normal::normalize(&ast), false);
        let shared = builder.compiler.finish()?;
        if !builder.diagnostics.is_empty() {
            return Err(builder.diagnostics);
        }
        let mut program = Program {
            branches,
            needs: Vec::new(),
            shared,
        };
        let Some((types, needs)) = types::record_types(&program) else {
            let text = format!("the expression has more than {} fields", types::MOST_FIELDS);
            let error = Diagnostic::error(Code::LimitExceeded, ast.span, text);
            return Err(vec![error.with_hint(
                "nested predicates multiply the records that a marker can belong to",
            )]);
        };
        program.needs = needs;
        Ok(Script {
            ast,
            program,
            types,
            warnings: found,
        })
    }

    /// What looks wrong in the expression but does not prevent a run.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The expression; it prints in canonical form.
    pub fn ast(&self) -> &Expr {
        &self.ast
    }

    /// Must the caller give the page to start on, because not every path begins with `doc()`?
    pub fn needs_start_page(&self) -> bool {
        syntax::needs_start_page(&self.ast)
    }

    /// The computed styles and boxes that the expression asks for, by name; a driver without a browser has none.
    pub fn styles(&self) -> Vec<String> {
        let mut styles = Vec::new();
        collect_styles(&self.ast, &mut styles);
        styles
    }

    /// The expression in the paper's normal form: no markers in repetitions and one marker on each branch, as far as that
    /// gives the same records. It prints as an expression.
    ///
    /// ```
    /// let script = oxpath::run::Script::compile("doc('u')//div:<g>[h2:<n=.>]/p:<l>", &[])?;
    /// assert_eq!(script.normal_form().to_string(), "doc(\"u\")//div[? self::node():<g>[h2:<n=.>]][h2]/p:<l>");
    /// # Ok::<(), oxpath::CompileError>(())
    /// ```
    pub fn normal_form(&self) -> Expr {
        super::normal::normal_form(&self.ast)
    }

    /// How the expression is understood and will be run, for people: the expression in canonical form, its normal form,
    /// and the operations with what each keeps in memory.
    pub fn explain(&self) -> String {
        let mut out = format!(
            "expression\n  {}\n\nnormal form\n  {}\n\nplan\n",
            self.ast,
            self.normal_form()
        );
        for (at, branch) in self.program.branches.iter().enumerate() {
            if at > 0 {
                out.push_str("  and then\n");
            }
            super::explain::operations(&mut out, branch, 1);
        }
        let shared = &self.program.shared;
        let slots = shared.slots;
        let styles = self.styles();
        if !styles.is_empty() {
            out.push_str(&format!("\nstyles needed of a browser\n  {}\n", styles.join(", ")));
        }
        out.push_str(&format!(
            "\nremembered on each page, and freed with it\n  {} predicates, {} numbers, {} texts, {} node sets, {} searched texts\n",
            slots.truths + slots.contexts, slots.numbers, slots.texts, slots.nodes, shared.needles.len()
        ));
        out
    }
}

fn collect_styles(expr: &Expr, styles: &mut Vec<String>) {
    if let ExprKind::Path(path) = &expr.kind {
        for step in &path.steps {
            if let StepForm::Full {
                axis: ast::Axis::Style,
                test,
                ..
            } = &step.form
            {
                let name = test.to_string();
                if !styles.contains(&name) {
                    styles.push(name);
                }
            }
        }
    }
    syntax::each_child(expr, &mut |child| collect_styles(child, styles));
}

struct Builder {
    compiler: Compiler,
    ids: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Builder {
    fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids
    }

    /// A path, or a union of paths, as one sequence of operations for each.
    fn branches(&mut self, expr: &Expr, in_loop: bool) -> Vec<Vec<Op>> {
        match &expr.kind {
            ExprKind::Union(operands) if !is_simple(expr) => operands
                .iter()
                .flat_map(|operand| self.branches(operand, in_loop))
                .collect(),
            _ => vec![self.sequence(expr, in_loop)],
        }
    }

    /// An expression taken once, as one operation.
    fn once(&mut self, expr: &Expr) -> Op {
        let id = self.id();
        Op::Loop {
            id,
            body: self.branches(expr, true),
            min: 1,
            max: Some(1),
            counts: false,
        }
    }

    /// A path as a sequence of operations.
    fn sequence(&mut self, expr: &Expr, in_loop: bool) -> Vec<Op> {
        if is_simple(expr) {
            return vec![self.walk(expr)];
        }
        if let ExprKind::Filter { primary, predicates } = &expr.kind {
            let mut ops = vec![self.once(primary)];
            predicates
                .iter()
                .for_each(|predicate| self.test(predicate, false, &mut ops));
            return settle_marks(ops, in_loop);
        }
        if matches!(expr.kind, ExprKind::Union(_)) {
            return vec![self.once(expr)];
        }
        let ExprKind::Path(path) = &expr.kind else {
            let text = "expected a path here, found an expression with actions or markers inside";
            self.diagnostics
                .push(Diagnostic::error(Code::TypeMismatch, expr.span, text));
            return Vec::new();
        };
        let mut ops = Vec::new();
        let mut start = match &path.start {
            PathStart::Expr(start) if !is_simple(start) => {
                ops.extend(self.sequence(start, in_loop));
                PathStart::Context
            }
            start => start.clone(),
        };
        let mut simple: Vec<Step> = Vec::new();
        for unit in units(&path.steps) {
            if (ops.is_empty() || !is_suffix(&unit[0])) && unit.iter().all(is_simple_step) {
                simple.extend(unit.iter().cloned());
                continue;
            }
            // What is simple in front is taken together with the steps before it, so that all its nodes come in order. Only
            // where a position is asked for after an effect must the step be an operation of its own, because positions
            // count within it.
            let main = &unit[0];
            let lead = match unit.iter().take_while(|step| is_simple_step(step)).count() {
                _ if is_suffix(main) => 0,
                lead => lead,
            };
            let mut head: Vec<Step> = unit[..lead].to_vec();
            if lead == 0 && is_axis_step(main) {
                let mut bare = main.clone();
                bare.predicates.truncate(plain_predicates(main));
                head.push(bare);
            }
            if chooses_late(unit, lead) {
                self.flush(&mut start, &mut simple, &mut ops, expr);
                let mut unit_ops = Vec::new();
                self.flush(&mut start, &mut head, &mut unit_ops, expr);
                unit[lead..].iter().for_each(|step| self.step(step, &mut unit_ops));
                ops.append(&mut unit_ops);
            } else {
                simple.append(&mut head);
                self.flush(&mut start, &mut simple, &mut ops, expr);
                unit[lead..].iter().for_each(|step| self.step(step, &mut ops));
            }
        }
        self.flush(&mut start, &mut simple, &mut ops, expr);
        settle_marks(ops, in_loop)
    }

    /// Turns the simple steps gathered so far into one operation.
    fn flush(&mut self, start: &mut PathStart, simple: &mut Vec<Step>, ops: &mut Vec<Op>, expr: &Expr) {
        let start = std::mem::replace(start, PathStart::Context);
        let mut steps = std::mem::take(simple);
        if steps.is_empty() && start == PathStart::Context {
            return;
        }
        if let (Some(first), PathStart::Context) = (steps.first_mut(), &start) {
            first.separator = Separator::None;
        }
        let kind = ExprKind::Path(ast::Path { start, steps });
        ops.push(self.walk(&Expr { kind, span: expr.span }));
    }

    fn walk(&mut self, expr: &Expr) -> Op {
        let id = self.id();
        let before = self.compiler.computed_patterns();
        let nodes = self.compiler.nodes(expr);
        Op::Walk {
            id,
            nodes,
            fails: self.compiler.computed_patterns() > before,
        }
    }

    fn step(&mut self, step: &Step, ops: &mut Vec<Op>) {
        match &step.form {
            StepForm::Doc { url, options } => {
                let is_of_page = reads_page(url);
                let url = self.compiler.text(url);
                ops.push(Op::Doc {
                    id: self.id(),
                    url,
                    is_of_page,
                    options: self.options(options),
                });
            }
            StepForm::Action(action) => ops.push(Op::Act {
                id: self.id(),
                action: self.action(&action.kind),
                absolute: action.absolute,
                options: self.options(&action.options),
            }),
            StepForm::Marker(marker) => {
                let id = self.id();
                let before = self.compiler.computed_patterns();
                let value = marker.value.as_ref().map(|value| self.compiler.text(value));
                ops.push(Op::Mark(Mark {
                    id,
                    name: marker.name.clone(),
                    value,
                    is_required: marker.is_required(),
                    fails: self.compiler.computed_patterns() > before,
                    tests: Vec::new(),
                    keeps_open: true,
                }));
            }
            StepForm::Optional(condition) => self.test(condition, true, ops),
            StepForm::Predicate(condition) => self.test(condition, false, ops),
            StepForm::Kleene { body, min, max, .. } => {
                let id = self.id();
                let body = self.branches(body, true);
                let turns = |op: &Op| matches!(op, Op::Doc { .. } | Op::Act { absolute: true, .. });
                let turned = body.iter().all(|branch| branch.iter().any(turns));
                ops.push(Op::Loop {
                    id,
                    body,
                    min: *min,
                    max: *max,
                    counts: !turned && max.unwrap_or(*min) > 1,
                });
            }
            // The step itself was taken with those before it.
            StepForm::Full { .. } | StepForm::Intensional { .. } | StepForm::Dot | StepForm::DotDot => {
                for predicate in &step.predicates[plain_predicates(step)..] {
                    self.test(predicate, false, ops);
                }
            }
        }
    }

    fn test(&mut self, condition: &Expr, optional: bool, ops: &mut Vec<Op>) {
        if depends_on_position(condition) {
            // Positions count among all nodes of the step, so all must be known before one is chosen.
            let position = self.compiler.truth(condition);
            let body = vec![settle_marks(std::mem::take(ops), true)];
            ops.push(Op::Choose { body, position });
            return;
        }
        let id = self.id();
        let before = self.compiler.computed_patterns();
        let simple = Some(without_markers(condition))
            .filter(is_simple)
            .map(|stripped| self.compiler.truth(&stripped));
        let condition = self.condition(condition);
        ops.push(Op::Test(Test {
            id,
            condition,
            optional,
            fails: self.compiler.computed_patterns() > before,
            simple,
        }));
    }

    fn condition(&mut self, expr: &Expr) -> Condition {
        if is_simple(expr) {
            return Condition::Simple(self.compiler.truth(expr));
        }
        match &expr.kind {
            ExprKind::Or(operands) | ExprKind::Union(operands) => {
                Condition::Any(operands.iter().map(|operand| self.condition(operand)).collect())
            }
            ExprKind::And(operands) => Condition::All(operands.iter().map(|operand| self.condition(operand)).collect()),
            // Normalisation wraps predicates in `boolean()`.
            ExprKind::Call { name, args, .. } if name == "boolean" && args.len() == 1 => self.condition(&args[0]),
            _ => Condition::Path(self.sequence(expr, false)),
        }
    }

    fn action(&mut self, kind: &ActionKind) -> Action {
        use page::driver::Action as Fixed;
        Action::Fixed(match kind {
            ActionKind::Click => Fixed::Click,
            ActionKind::DoubleClick => Fixed::DoubleClick,
            ActionKind::RightClick => Fixed::RightClick,
            ActionKind::MouseOver => Fixed::MouseOver,
            ActionKind::Focus => Fixed::Focus,
            ActionKind::Scroll => Fixed::Scroll,
            ActionKind::Submit => Fixed::Submit,
            ActionKind::Check => Fixed::Check,
            ActionKind::Uncheck => Fixed::Uncheck,
            ActionKind::SelectIndex(index) => Fixed::SelectIndex(*index as usize),
            ActionKind::EnterFrame => Fixed::EnterFrame,
            ActionKind::MoveToFrame => Fixed::MoveToFrame,
            ActionKind::MoveToHref => Fixed::MoveToHref,
            ActionKind::Mouse(event) => Fixed::Mouse(event.clone()),
            ActionKind::Press(key) => return Action::Press(self.compiler.text(key)),
            ActionKind::KeyDown(key) => return Action::KeyDown(self.compiler.text(key)),
            ActionKind::KeyUp(key) => return Action::KeyUp(self.compiler.text(key)),
            ActionKind::Drag(by) => return Action::Drag(self.compiler.text(by)),
            ActionKind::Type(text) => return Action::Type(self.compiler.text(text)),
            ActionKind::Select(text) => return Action::Select(self.compiler.text(text)),
            ActionKind::NextClick => return Action::NextClick,
            ActionKind::ClickWithChange => return Action::ClickWithChange,
        })
    }

    fn options(&mut self, options: &ast::Options) -> Options {
        Options {
            wait: options.wait,
            timeout: options.timeout,
            until: options.until.as_ref().map(|until| self.compiler.truth(until)),
            noback: options.noback,
        }
    }
}

/// Steps with the markers and predicates that are written right after them.
fn units(steps: &[Step]) -> impl Iterator<Item = &[Step]> {
    steps.chunk_by(|_, next| is_suffix(next))
}

/// Does the step lead along an axis, of one kind or another?
fn is_axis_step(step: &Step) -> bool {
    matches!(
        step.form,
        StepForm::Full { .. } | StepForm::Intensional { .. } | StepForm::Dot | StepForm::DotDot
    )
}

/// Does a step ask for a position after something with an effect? `lead` steps of the unit are simple.
fn chooses_late(unit: &[Step], lead: usize) -> bool {
    let late = &unit[lead..];
    late.iter()
        .any(|step| matches!(&step.form, StepForm::Predicate(p) if depends_on_position(p)))
        || (lead == 0
            && unit[0].predicates[plain_predicates(&unit[0])..]
                .iter()
                .any(depends_on_position))
}

fn is_suffix(step: &Step) -> bool {
    matches!(
        step.form,
        StepForm::Predicate(_) | StepForm::Optional(_) | StepForm::Marker(_)
    )
}

/// How many predicates come before the first that acts or extracts.
fn plain_predicates(step: &Step) -> usize {
    let plain = step.predicates.iter().take_while(|predicate| is_simple(predicate));
    plain.count()
}

fn is_simple_step(step: &Step) -> bool {
    let kind = ExprKind::Path(ast::Path {
        start: PathStart::Context,
        steps: vec![step.clone()],
    });
    is_simple(&Expr { kind, span: step.span })
}

/// Gives markers the predicates that follow directly, and finds the markers that stay open no longer than that:
/// only predicates with markers attach to a record, and only up to the next record marker on the way. What comes after a
/// repetition is not known inside it, so there all stay open.
fn settle_marks(ops: Vec<Op>, in_loop: bool) -> Vec<Op> {
    let mut settled: Vec<Op> = Vec::with_capacity(ops.len());
    for op in ops {
        match (op, settled.last_mut()) {
            (Op::Test(test), Some(Op::Mark(mark))) if mark.value.is_none() => mark.tests.push(test),
            (op, _) => settled.push(op),
        }
    }
    for at in 0..settled.len() {
        let (before, after) = settled.split_at_mut(at + 1);
        if let Op::Mark(mark) = &mut before[at] {
            let way = after
                .iter()
                .take_while(|op| !matches!(op, Op::Mark(mark) if mark.value.is_none()));
            let replaced = after
                .iter()
                .any(|op| matches!(op, Op::Mark(mark) if mark.value.is_none()));
            mark.keeps_open = mark.value.is_none() && ((in_loop && !replaced) || way.into_iter().any(attaches));
        }
    }
    settled
}

fn attaches(op: &Op) -> bool {
    match op {
        Op::Test(test) => extracts(&test.condition),
        Op::Loop { body, .. } | Op::Choose { body, .. } => body.iter().flatten().any(extracts_at),
        Op::Walk { .. } | Op::Doc { .. } | Op::Act { .. } | Op::Mark(_) => false,
    }
}

fn extracts_at(op: &Op) -> bool {
    attaches(op) || matches!(op, Op::Mark(_))
}

fn extracts(condition: &Condition) -> bool {
    match condition {
        Condition::Simple(_) => false,
        Condition::Path(ops) => ops.iter().any(extracts_at),
        Condition::Any(parts) | Condition::All(parts) => parts.iter().any(extracts),
    }
}

/// The expression with its markers taken out, which says the same about nodes (the paper's fact 3).
pub(super) fn without_markers(expr: &Expr) -> Expr {
    let mut stripped = expr.clone();
    strip(&mut stripped);
    stripped
}

fn strip(expr: &mut Expr) {
    if let ExprKind::Path(path) = &mut expr.kind {
        path.steps.retain(|step| !matches!(step.form, StepForm::Marker(_)));
        if path.steps.is_empty() && path.start == PathStart::Context {
            path.steps.push(Step {
                separator: Separator::None,
                form: StepForm::Full {
                    axis: ast::Axis::Self_,
                    explicit: true,
                    test: ast::NodeTest::Node,
                    selectors: Vec::new(),
                },
                predicates: Vec::new(),
                span: expr.span,
            });
        }
        if let (PathStart::Context, Some(first)) = (&path.start, path.steps.first_mut()) {
            first.separator = Separator::None;
        }
    }
    syntax::each_child_mut(expr, &mut strip);
}

//! From normal form to plan: one pass that makes all the choices.

mod text;

use super::depend::{Dependence, is_loose};
use super::relate::{self, Part};
use super::shape::shape;
use super::{
    Axis, Bound, Comparison, Detour, Nodes, Number, Operator, Path, Plan, Predicate, Relation, Root, Separators,
    Shared, Slots, Start, Step, Test, Text, Truth, Walk, colour, compile_regex, rewrite,
};
use crate::check::static_type;
use crate::diag::Diagnostic;
use crate::functions::{Function, Type};
use crate::syntax::ast::{self, BinaryOp, Expr, ExprKind, NodeTest, PathStart, Selector, StepForm};
use crate::value::{is_space, string_to_number};
use std::collections::HashMap;

/// Plans a normalised expression that passed the checks.
///
/// # Errors
///
/// A regular expression that does not compile is reported; everything else was checked before.
pub(crate) fn compile(expr: &Expr) -> Result<Plan, Vec<Diagnostic>> {
    let mut compiler = Compiler::default();
    let root = match static_type(expr) {
        Type::NodeSet | Type::Any => Root::Nodes(compiler.nodes(expr)),
        Type::String => Root::Text(compiler.text(expr)),
        Type::Number => Root::Number(compiler.number(expr)),
        Type::Boolean => Root::Truth(compiler.truth(expr)),
    };
    Ok(Plan {
        root,
        shared: compiler.finish()?,
    })
}

/// Plans expressions that share their names and memo slots.
#[derive(Default)]
pub(crate) struct Compiler {
    names: Interner,
    slots: Slots,
    needles: Interner,
    diagnostics: Vec<Diagnostic>,
    /// The number of predicates around this expression.
    depth: usize,
    /// The number of repetitions around this expression.
    repeats: usize,
    /// Are we inside a predicate that depends on the position, and so has no memo as a whole?
    positional: bool,
    /// The number of regular expressions that are known only when they are evaluated.
    computed: usize,
    /// Are we inside an expression that is evaluated once as a whole?
    fixed: bool,
}

/// Numbers texts in the order of their first occurrence.
#[derive(Default)]
struct Interner {
    texts: Vec<String>,
    ranks: HashMap<String, usize>,
}

impl Interner {
    fn rank(&mut self, text: &str) -> usize {
        if let Some(&rank) = self.ranks.get(text) {
            return rank;
        }
        self.ranks.insert(text.to_owned(), self.texts.len());
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }
}

impl Compiler {
    /// For the simple parts of a script: each may be evaluated for many nodes, so all of them may use memos.
    pub(crate) fn for_script() -> Compiler {
        Compiler {
            depth: 1,
            ..Compiler::default()
        }
    }

    /// What the planned expressions share.
    ///
    /// # Errors
    ///
    /// The errors in their regular expressions.
    pub(crate) fn finish(self) -> Result<Shared, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        Ok(Shared {
            names: self.names.texts,
            slots: self.slots,
            needles: self.needles.texts,
        })
    }

    /// The number of regular expressions so far that are computed, so that their evaluation can fail.
    pub(crate) fn computed_patterns(&self) -> usize {
        self.computed
    }

    pub(crate) fn nodes(&mut self, expr: &Expr) -> Nodes {
        let nodes = match &expr.kind {
            ExprKind::Path(path) => self.path(path),
            ExprKind::Union(operands) => {
                let slots = self.depth > 0 && !Dependence::of(expr).bound;
                let operands = operands.iter().map(|operand| self.nodes(operand)).collect();
                rewrite::union(operands, self.depth, |nodes| match slots {
                    true => self.with_slots(nodes),
                    false => nodes,
                })
            }
            ExprKind::Filter { primary, predicates } => {
                let base = self.nodes(primary);
                let predicates: Vec<&Expr> = predicates.iter().collect();
                let predicates = self.predicates(&predicates, true);
                rewrite::filter(base, predicates, self.depth)
            }
            ExprKind::Call { name, args, .. } if Function::find(name) == Some(Function::Id) => {
                match static_type(&args[0]) {
                    Type::NodeSet => Nodes::IdsIn(Box::new(self.nodes(&args[0]))),
                    _ => Nodes::Id(Box::new(self.text(&args[0]))),
                }
            }
            ExprKind::Call { name, args, .. } if Function::find(name) == Some(Function::DistinctValues) => {
                Nodes::Distinct(Box::new(self.nodes(&args[0])))
            }
            ExprKind::FirstOf(operands) => self.first_nodes(operands),
            ExprKind::Variable(name) => match Bound::find(name) {
                Some(bound) => Nodes::Bound(bound),
                None => Nodes::Union(Vec::new()),
            },
            // The checks allow nothing else where nodes are wanted.
            _ => Nodes::Union(Vec::new()),
        };
        let depends = Dependence::of(expr);
        if self.depth > 0 && !depends.node && !depends.position && !depends.bound {
            self.slots.nodes += 1;
            return Nodes::Once {
                slot: self.slots.nodes - 1,
                inner: Box::new(nodes),
            };
        }
        // Not at the top: what is evaluated once needs no table.
        if self.depth > 0 && !depends.bound {
            return self.with_slots(nodes);
        }
        nodes
    }

    // Apart from `nodes` and `number`, which nest deeply and so need small frames.

    fn first_nodes(&mut self, operands: &[Expr]) -> Nodes {
        Nodes::FirstOf(operands.iter().map(|operand| self.nodes(operand)).collect())
    }

    fn first_number(&mut self, operands: &[Expr]) -> Number {
        Number::FirstOf(operands.iter().map(|operand| self.operand_number(operand)).collect())
    }

    /// Gives a path a slot for a table, and its steps slots for lists, where these may save time.
    fn with_slots(&mut self, mut nodes: Nodes) -> Nodes {
        if let Nodes::Path(path) = &mut nodes {
            if path.table.is_none() && rewrite::wants_table(path) {
                path.table = Some(self.slots.tables);
                self.slots.tables += 1;
            }
            for step in path.steps.iter_mut().filter(|step| step.list.is_none()) {
                if rewrite::wants_list(step) {
                    step.list = Some(self.slots.lists);
                    self.slots.lists += 1;
                }
            }
        }
        nodes
    }

    /// Asks whether there is one of these nodes.
    fn existence(&mut self, nodes: Nodes, expr: &Expr) -> Truth {
        let nodes = rewrite::existence(nodes, self.depth);
        Truth::Exists(match self.depth > 0 && !Dependence::of(expr).bound {
            true => self.with_slots(nodes),
            false => nodes,
        })
    }

    /// Does the value of an expression, which takes time, depend on nothing but the page?
    fn is_fixed(&self, expr: &Expr) -> bool {
        if self.depth == 0 || self.fixed || static_type(expr) == Type::NodeSet {
            return false;
        }
        let depends = Dependence::of(expr);
        depends.heavy && !depends.node && !depends.position && !depends.bound
    }

    /// Plans an expression whose parts need no slots of their own, because the whole is evaluated once.
    fn without_fixed<T>(&mut self, plan: impl FnOnce(&mut Compiler) -> T) -> T {
        let outer = std::mem::replace(&mut self.fixed, true);
        let planned = plan(self);
        self.fixed = outer;
        planned
    }

    /// A step by a condition, or a repetition. Apart from [`Compiler::path`], which nests deeply and so needs a small frame.
    fn detour(&mut self, step: &ast::Step, predicates: &[&Expr], steps: &mut Vec<Step>) {
        match &step.form {
            StepForm::Intensional {
                condition,
                test,
                selectors,
            } => {
                self.depth += 1;
                let detour = Detour::Related(self.relation(condition));
                self.depth -= 1;
                let test = self.test(test, Axis::Child);
                self.detour_step(detour, test, selectors, predicates, steps);
            }
            StepForm::Kleene { body, min, max, .. } => {
                // Inside another repetition it is evaluated for the same nodes in every round.
                let slot = (self.repeats > 0 && !Dependence::of(body).bound).then_some(self.slots.repeats);
                self.slots.repeats += usize::from(slot.is_some());
                self.depth += 1;
                self.repeats += 1;
                let body = self.nodes(body);
                self.repeats -= 1;
                self.depth -= 1;
                let detour = Detour::Repeat {
                    body,
                    min: *min,
                    max: *max,
                    slot,
                };
                self.detour_step(detour, Test::Node, &[], predicates, steps);
            }
            // No other form is simple, or changes the value of a simple expression.
            _ => {}
        }
    }

    /// The start of a path with predicates right after it.
    fn filtered_start(&mut self, start: Start, predicates: &[&Expr]) -> Start {
        let base = Box::new(Nodes::Path(Path {
            start,
            steps: Vec::new(),
            walkable: false,
            ordered: false,
            table: None,
        }));
        let predicates = self.predicates(predicates, true);
        Start::Nodes(Box::new(Nodes::Filter { base, predicates }))
    }

    fn path(&mut self, path: &ast::Path) -> Nodes {
        let start = match &path.start {
            PathStart::Context => Start::Context,
            PathStart::Root => Start::Root,
            PathStart::Expr(expr) => Start::Nodes(Box::new(self.nodes(expr))),
        };
        let mut start = start;
        let mut steps: Vec<Step> = Vec::with_capacity(path.steps.len());
        for (step, predicates) in with_predicates(&path.steps) {
            match &step.form {
                StepForm::Full {
                    axis, test, selectors, ..
                } => {
                    self.axis_step(*axis, test, selectors, &predicates, &mut steps);
                }
                StepForm::Predicate(_) => start = self.filtered_start(start, &predicates),
                _ => self.detour(step, &predicates, &mut steps),
            }
        }
        let shape = shape(&start, &steps, self.depth);
        Nodes::Path(Path {
            start,
            steps,
            walkable: shape.walkable,
            ordered: shape.ordered,
            table: None,
        })
    }

    /// Plans a step along an axis.
    fn axis_step(
        &mut self,
        axis: Axis,
        test: &NodeTest,
        selectors: &[Selector],
        predicates: &[&Expr],
        steps: &mut Vec<Step>,
    ) {
        let positional = predicates.iter().any(|p| Dependence::of(p).position);
        let mut axis = axis;
        let mut walk = if positional { Walk::Each } else { Walk::Set };
        if let Some(previous) = steps.last()
            && previous.detour.is_none()
            && previous.axis == Axis::DescendantOrSelf
            && previous.test == Test::Node
            && previous.predicates.is_empty()
        {
            match axis {
                Axis::Child => {
                    axis = Axis::Descendant;
                    walk = if positional { Walk::Grouped } else { Walk::Set };
                    steps.pop();
                }
                Axis::Descendant | Axis::DescendantOrSelf if !positional => {
                    steps.pop();
                }
                _ => {}
            }
        }
        let test = self.test(test, axis);
        // `self::node()` without predicates changes nothing.
        if axis == Axis::Self_ && test == Test::Node && predicates.is_empty() && selectors.is_empty() {
            return;
        }
        let mut planned = self.selected(selectors);
        planned.append(&mut self.predicates(predicates, walk == Walk::Each));
        let mut step = Step {
            axis,
            detour: None,
            test,
            predicates: planned,
            walk,
            list: None,
        };
        if rewrite::wants_list(&step) && !predicates.iter().any(|predicate| Dependence::of(predicate).bound) {
            step.list = Some(self.slots.lists);
            self.slots.lists += 1;
        }
        steps.push(step);
    }

    fn detour_step(
        &mut self,
        detour: Detour,
        test: Test,
        selectors: &[Selector],
        predicates: &[&Expr],
        steps: &mut Vec<Step>,
    ) {
        let positional = predicates.iter().any(|p| Dependence::of(p).position);
        let walk = if positional { Walk::Each } else { Walk::Set };
        let mut planned = self.selected(selectors);
        planned.append(&mut self.predicates(predicates, positional));
        // The axis has no meaning here.
        steps.push(Step {
            axis: Axis::Self_,
            detour: Some(Box::new(detour)),
            test,
            predicates: planned,
            walk,
            list: None,
        });
    }

    /// `.class` and `#id` as predicates.
    fn selected(&mut self, selectors: &[Selector]) -> Vec<Predicate> {
        let mut planned = Vec::with_capacity(selectors.len());
        for selector in selectors {
            planned.push(Predicate::Filter(match selector {
                Selector::Class(class) => Truth::HasWord {
                    text: Text::OfNodes(Box::new(self.attribute("class"))),
                    word: Text::Constant(class.clone()),
                    separators: Separators::Space,
                },
                Selector::Id(id) => Truth::NodesText {
                    equal: true,
                    nodes: self.attribute("id"),
                    text: Text::Constant(id.clone()),
                },
            }));
        }
        planned
    }

    /// An attribute of the context node.
    fn attribute(&mut self, name: &str) -> Nodes {
        let test = Test::Attribute(self.names.rank(name));
        path_from_context(vec![Step {
            axis: Axis::Attribute,
            detour: None,
            test,
            predicates: Vec::new(),
            walk: Walk::Set,
            list: None,
        }])
    }

    /// Takes the condition of an intensional axis apart.
    fn relation(&mut self, condition: &Expr) -> Relation {
        let (mut pairs, mut within, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for part in relate::parts(condition) {
            match part {
                Part::Pair(comparison, left, right) => pairs.push((comparison, self.nodes(left), self.nodes(right))),
                Part::Within(set) => within.push(self.nodes(set)),
                Part::Other(part) => rest.push(self.truth(part)),
            }
        }
        self.slots.relations += 1;
        Relation {
            pairs,
            within,
            rest: (!rest.is_empty()).then_some(Truth::All(rest)),
            slot: self.slots.relations - 1,
        }
    }

    fn test(&mut self, test: &NodeTest, axis: Axis) -> Test {
        let attribute = axis == Axis::Attribute;
        match test {
            _ if axis == Axis::Namespace => Test::Nothing,
            NodeTest::Name(name) if axis == Axis::Style => Test::Style(self.names.rank(&name.to_ascii_lowercase())),
            NodeTest::Any | NodeTest::Node if axis == Axis::Style => Test::AnyStyle,
            _ if axis == Axis::Style => Test::Nothing,
            NodeTest::Any if attribute => Test::AnyAttribute,
            NodeTest::Any => Test::AnyElement,
            NodeTest::AnyOf(prefix) => {
                let prefix = format!("{}:", prefix.to_ascii_lowercase());
                if attribute {
                    Test::AttributePrefix(prefix)
                } else {
                    Test::ElementPrefix(prefix)
                }
            }
            NodeTest::Name(name) => {
                let name = self.names.rank(&name.to_ascii_lowercase());
                if attribute {
                    Test::Attribute(name)
                } else {
                    Test::Element(name)
                }
            }
            NodeTest::Node if attribute => Test::AnyAttribute,
            NodeTest::Node => Test::Node,
            NodeTest::Text if !attribute => Test::Text,
            NodeTest::Comment if !attribute => Test::Comment,
            // HTML has no processing instructions.
            NodeTest::Text | NodeTest::Comment | NodeTest::ProcessingInstruction(_) => Test::Nothing,
            NodeTest::Field | NodeTest::AnyField if attribute => Test::Nothing,
            NodeTest::Field => Test::Field { visible: true },
            NodeTest::AnyField => Test::Field { visible: false },
        }
    }

    /// Plans predicates. `revisits`: may a predicate be evaluated for one node several times, from several context
    /// nodes?
    fn predicates(&mut self, predicates: &[&Expr], revisits: bool) -> Vec<Predicate> {
        self.depth += 1;
        let fixed = std::mem::replace(&mut self.fixed, false);
        let revisits = revisits || self.depth > 1;
        // Not as an iterator, which would need several stack frames for each level of nesting.
        let mut planned = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            planned.push(self.predicate(predicate, revisits));
        }
        self.fixed = fixed;
        self.depth -= 1;
        planned
    }

    fn predicate(&mut self, predicate: &Expr, revisits: bool) -> Predicate {
        if let Some(counted) = counting(predicate) {
            return counted;
        }
        let depends = Dependence::of(predicate);
        let outer = std::mem::replace(&mut self.positional, depends.position);
        let truth = self.truth(predicate);
        self.positional = outer;
        if depends.position {
            // Nodes are not remembered, but the answer is, where this predicate is inside another.
            if self.depth > 1 && depends.heavy && !depends.bound && is_loose(predicate) {
                self.slots.contexts += 1;
                return Predicate::Positional(Truth::ContextMemo {
                    slot: self.slots.contexts - 1,
                    inner: Box::new(truth),
                });
            }
            Predicate::Positional(truth)
        } else if revisits && depends.heavy && !depends.bound {
            Predicate::Filter(self.memo_truth(truth))
        } else {
            Predicate::Filter(truth)
        }
    }

    fn memo_truth(&mut self, inner: Truth) -> Truth {
        if matches!(inner, Truth::Memo { .. }) {
            return inner;
        }
        self.slots.truths += 1;
        Truth::Memo {
            slot: self.slots.truths - 1,
            inner: Box::new(inner),
        }
    }

    /// Should an expression inside a predicate get its own memo, because the expression around it has none?
    fn wants_memo(&self, expr: &Expr) -> bool {
        let depends = Dependence::of(expr);
        self.positional && depends.heavy && !depends.position && !depends.bound
    }

    pub(crate) fn truth(&mut self, expr: &Expr) -> Truth {
        if self.is_fixed(expr) {
            let inner = self.without_fixed(|this| this.truth(expr));
            self.slots.fixed_truths += 1;
            return Truth::Fixed {
                slot: self.slots.fixed_truths - 1,
                inner: Box::new(inner),
            };
        }
        match static_type(expr) {
            Type::NodeSet | Type::Any => self.exists(expr),
            Type::Number => Truth::OfNumber(self.number(expr)),
            Type::String => Truth::OfText(self.text(expr)),
            Type::Boolean => match &expr.kind {
                ExprKind::Or(operands) => Truth::Any(self.truths(operands)),
                ExprKind::And(operands) => Truth::All(self.truths(operands)),
                ExprKind::Binary { op, left, right } => self.comparison(*op, left, right),
                // A boolean is never missing.
                ExprKind::FirstOf(operands) => self.truth(&operands[0]),
                ExprKind::Call { name, args, .. } => self.truth_call(name, args),
                _ => Truth::Constant(false),
            },
        }
    }

    fn truths(&mut self, operands: &[Expr]) -> Vec<Truth> {
        operands.iter().map(|operand| self.operand_truth(operand)).collect()
    }

    fn truth_call(&mut self, name: &str, args: &[Expr]) -> Truth {
        match Function::find(name) {
            Some(Function::Boolean) => self.truth(&args[0]),
            Some(Function::Not) => match self.truth(&args[0]) {
                Truth::Not(inner) => *inner,
                Truth::Constant(value) => Truth::Constant(!value),
                inner => Truth::Not(Box::new(inner)),
            },
            Some(Function::True) => Truth::Constant(true),
            Some(Function::IsVisible) => Truth::Visible(self.nodes(&args[0])),
            Some(Function::IsInvisible) => Truth::Not(Box::new(Truth::Visible(self.nodes(&args[0])))),
            Some(Function::Lang) => Truth::Lang(self.operand_text(&args[0])),
            Some(Function::Contains) => self.contains(&args[0], &args[1]),
            Some(Function::StartsWith) => Truth::StartsWith(self.operand_text(&args[0]), self.operand_text(&args[1])),
            Some(Function::EndsWith) => Truth::EndsWith(self.operand_text(&args[0]), self.operand_text(&args[1])),
            Some(Function::Matches) => Truth::Matches {
                text: self.operand_text(&args[0]),
                pattern: self.pattern(&args[1], args.get(2)),
            },
            _ => Truth::Constant(false),
        }
    }

    fn exists(&mut self, expr: &Expr) -> Truth {
        if let ExprKind::Union(operands) = &expr.kind {
            return Truth::Any(operands.iter().map(|operand| self.exists(operand)).collect());
        }
        match self.nodes(expr) {
            Nodes::Path(Path {
                start: Start::Context,
                mut steps,
                ..
            }) if steps.len() == 1 && is_plain(&steps[0]) => match (steps[0].axis, &steps[0].test) {
                (Axis::Self_, _) => Truth::Is(std::mem::replace(&mut steps[0].test, Test::Nothing)),
                (Axis::Attribute, Test::Attribute(name)) => Truth::HasAttribute(*name),
                (Axis::Preceding, Test::AnyElement | Test::Element(_) | Test::Text) => {
                    Truth::Precedes(std::mem::replace(&mut steps[0].test, Test::Nothing))
                }
                (Axis::Following, Test::AnyElement | Test::Element(_) | Test::Text) => {
                    Truth::Follows(std::mem::replace(&mut steps[0].test, Test::Nothing))
                }
                _ => self.existence(path_from_context(steps), expr),
            },
            // `.` always exists.
            Nodes::Path(Path {
                start: Start::Context,
                steps,
                ..
            }) if steps.is_empty() => Truth::Constant(true),
            nodes => self.existence(nodes, expr),
        }
    }

    fn contains(&mut self, text: &Expr, part: &Expr) -> Truth {
        let text = self.operand_text(text);
        let part = self.operand_text(part);
        if let Text::Constant(part) = &part {
            if let (Text::Concat(parts), Some(word)) = (&text, padded_word(part))
                && let [Text::Constant(before), inner, Text::Constant(after)] = &parts[..]
                && before == " "
                && after == " "
            {
                let (text, separators) = match inner {
                    Text::NormalizeSpace(inner) => ((**inner).clone(), Separators::Space),
                    inner => (inner.clone(), Separators::Blank),
                };
                return Truth::HasWord {
                    text,
                    word: Text::Constant(word.to_owned()),
                    separators,
                };
            }
            if matches!(text, Text::Context) && !part.is_empty() {
                return Truth::ContextContains {
                    needle: self.needles.rank(part),
                };
            }
            if let Text::OfNodes(nodes) = &text
                && !part.is_empty()
            {
                let (nodes, needle) = ((**nodes).clone(), self.needles.rank(part));
                return Truth::FirstContains { nodes, needle };
            }
        }
        Truth::Contains(text, part)
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Truth {
        match op {
            BinaryOp::ContainsText => return self.contains(left, right),
            BinaryOp::ContainsWord => {
                let text = self.operand_text(left);
                let word = self.operand_text(right);
                return Truth::HasWord {
                    text,
                    word,
                    separators: Separators::Space,
                };
            }
            BinaryOp::Subset => return Truth::Subset(self.nodes(left), self.nodes(right)),
            _ => {}
        }
        let Some(comparison) = Comparison::of(op) else {
            return Truth::Constant(false);
        };
        if let Some(truth) = self.count_against_zero(comparison, left, right) {
            return truth;
        }
        let equality = match comparison {
            Comparison::Equal => Some(true),
            Comparison::NotEqual => Some(false),
            _ => None,
        };
        // `Any` cannot be here: variables have become constants.
        match (static_type(left), static_type(right), equality) {
            (Type::Boolean, _, Some(equal)) | (_, Type::Boolean, Some(equal)) => Truth::BothOrNeither {
                equal,
                left: Box::new(self.operand_truth(left)),
                right: Box::new(self.operand_truth(right)),
            },
            (Type::NodeSet, Type::NodeSet, _) => Truth::NodesNodes(comparison, self.nodes(left), self.nodes(right)),
            (Type::NodeSet, Type::String, Some(equal)) => Truth::NodesText {
                equal,
                nodes: self.nodes(left),
                text: self.beside(left, right),
            },
            (Type::String, Type::NodeSet, Some(equal)) => Truth::NodesText {
                equal,
                nodes: self.nodes(right),
                text: self.beside(right, left),
            },
            (Type::NodeSet, Type::Number | Type::String, _) => {
                Truth::NodesNumber(comparison, self.nodes(left), self.operand_number(right))
            }
            (Type::Number | Type::String, Type::NodeSet, _) => {
                Truth::NodesNumber(comparison.flipped(), self.nodes(right), self.operand_number(left))
            }
            (Type::String, Type::String, Some(equal)) => Truth::SameText {
                equal,
                left: self.operand_text(left),
                right: self.operand_text(right),
            },
            // A node-set is compared with a boolean as a boolean, whatever the operator (section 3.4).
            (Type::NodeSet, Type::Boolean, None) | (Type::Boolean, Type::NodeSet, None) => {
                let left = Number::OfTruth(Box::new(self.operand_truth(left)));
                let right = Number::OfTruth(Box::new(self.operand_truth(right)));
                Truth::CompareNumbers(comparison, left, right)
            }
            _ => Truth::CompareNumbers(comparison, self.operand_number(left), self.operand_number(right)),
        }
    }

    /// A text that is compared with nodes; if they are styles, as a browser would compute it.
    fn beside(&mut self, nodes: &Expr, text: &Expr) -> Text {
        match (&text.kind, style_of(nodes)) {
            (ExprKind::Literal(value), Some(property)) => {
                Text::Constant(colour::computed(&property.to_ascii_lowercase(), value).unwrap_or_else(|| value.clone()))
            }
            _ => self.operand_text(text),
        }
    }

    /// `count(p) > 0` and similar comparisons only ask whether there is a node.
    fn count_against_zero(&mut self, comparison: Comparison, left: &Expr, right: &Expr) -> Option<Truth> {
        let (counted, comparison, bound) = match (counted(left), counted(right), &left.kind, &right.kind) {
            (Some(nodes), _, _, ExprKind::Number(bound)) => (nodes, comparison, *bound),
            (_, Some(nodes), ExprKind::Number(bound), _) => (nodes, comparison.flipped(), *bound),
            _ => return None,
        };
        let exists = match comparison {
            Comparison::Greater | Comparison::NotEqual if bound == 0.0 => true,
            Comparison::GreaterEqual if bound > 0.0 && bound <= 1.0 => true,
            Comparison::Equal | Comparison::LessEqual if bound == 0.0 => false,
            Comparison::Less if bound > 0.0 && bound <= 1.0 => false,
            _ => return None,
        };
        let truth = self.exists(counted);
        Some(if exists { truth } else { Truth::Not(Box::new(truth)) })
    }

    // If a comparison as a whole depends on the position, and so has no memo, its operands get their own memos.

    fn operand_truth(&mut self, expr: &Expr) -> Truth {
        let truth = self.truth(expr);
        if self.wants_memo(expr) {
            self.memo_truth(truth)
        } else {
            truth
        }
    }

    fn operand_number(&mut self, expr: &Expr) -> Number {
        let number = self.number(expr);
        if self.wants_memo(expr) {
            self.slots.numbers += 1;
            return Number::Memo {
                slot: self.slots.numbers - 1,
                inner: Box::new(number),
            };
        }
        number
    }

    fn operand_text(&mut self, expr: &Expr) -> Text {
        let text = self.text(expr);
        if self.wants_memo(expr) {
            self.slots.texts += 1;
            return Text::Memo {
                slot: self.slots.texts - 1,
                inner: Box::new(text),
            };
        }
        text
    }

    fn number(&mut self, expr: &Expr) -> Number {
        if self.is_fixed(expr) {
            let inner = self.without_fixed(|this| this.number(expr));
            self.slots.fixed_numbers += 1;
            return Number::Fixed {
                slot: self.slots.fixed_numbers - 1,
                inner: Box::new(inner),
            };
        }
        match static_type(expr) {
            Type::NodeSet | Type::Any | Type::String => match self.text(expr) {
                Text::Constant(text) => Number::Constant(string_to_number(&text)),
                text => Number::OfText(text),
            },
            Type::Boolean => Number::OfTruth(Box::new(self.truth(expr))),
            Type::Number => match &expr.kind {
                ExprKind::Number(value) => Number::Constant(*value),
                ExprKind::Negate(inner) => match self.number(inner) {
                    Number::Constant(value) => Number::Constant(-value),
                    inner => Number::Negate(Box::new(inner)),
                },
                ExprKind::Binary { op, left, right } => {
                    let operator = match op {
                        BinaryOp::Add => Operator::Add,
                        BinaryOp::Subtract => Operator::Subtract,
                        BinaryOp::Multiply => Operator::Multiply,
                        BinaryOp::Divide => Operator::Divide,
                        _ => Operator::Modulo,
                    };
                    let left = Box::new(self.operand_number(left));
                    Number::Arithmetic(operator, left, Box::new(self.operand_number(right)))
                }
                ExprKind::FirstOf(operands) => self.first_number(operands),
                ExprKind::Call { name, args, .. } => self.number_call(name, args),
                _ => Number::Constant(f64::NAN),
            },
        }
    }

    fn arithmetic(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Number {
        let left = Box::new(self.operand_number(left));
        Number::Arithmetic(operator, left, Box::new(self.operand_number(right)))
    }

    fn number_call(&mut self, name: &str, args: &[Expr]) -> Number {
        match Function::find(name) {
            Some(Function::Position) => Number::Position,
            Some(Function::Last) => Number::Last,
            Some(Function::Count) => Number::Count(self.nodes(&args[0])),
            Some(Function::Sum) => Number::Sum(self.nodes(&args[0])),
            Some(function @ (Function::Min | Function::Max)) => Number::Extreme {
                nodes: self.nodes(&args[0]),
                largest: function == Function::Max,
            },
            Some(Function::Number) => self.number(&args[0]),
            Some(Function::Minus) => self.arithmetic(Operator::Subtract, &args[0], &args[1]),
            Some(Function::Plus) => self.arithmetic(Operator::Add, &args[0], &args[1]),
            Some(Function::Floor) => Number::Floor(Box::new(self.operand_number(&args[0]))),
            Some(Function::Ceiling) => Number::Ceiling(Box::new(self.operand_number(&args[0]))),
            Some(Function::Round) => Number::Round(Box::new(self.operand_number(&args[0]))),
            Some(Function::StringLength) => Number::Length(self.operand_text(&args[0])),
            _ => Number::Constant(f64::NAN),
        }
    }
}

impl Comparison {
    pub(super) fn of(op: BinaryOp) -> Option<Comparison> {
        Some(match op {
            BinaryOp::Equal => Comparison::Equal,
            BinaryOp::NotEqual => Comparison::NotEqual,
            BinaryOp::Less => Comparison::Less,
            BinaryOp::LessEqual => Comparison::LessEqual,
            BinaryOp::Greater => Comparison::Greater,
            BinaryOp::GreaterEqual => Comparison::GreaterEqual,
            _ => return None,
        })
    }

    /// The comparison with its operands exchanged.
    pub(crate) fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }
}

/// Steps with all the predicates that belong to them. Optional predicates keep every node, and have no other effect.
fn with_predicates(steps: &[ast::Step]) -> Vec<(&ast::Step, Vec<&Expr>)> {
    let mut grouped: Vec<(&ast::Step, Vec<&Expr>)> = Vec::with_capacity(steps.len());
    for step in steps {
        match (&step.form, grouped.last_mut()) {
            (StepForm::Optional(_), _) => {}
            (StepForm::Predicate(predicate), Some((_, predicates))) => predicates.push(predicate),
            (StepForm::Predicate(predicate), None) => grouped.push((step, vec![predicate])),
            _ => grouped.push((step, step.predicates.iter().collect())),
        }
    }
    grouped
}

fn path_from_context(steps: Vec<Step>) -> Nodes {
    // A single step may always be walked.
    let shape = shape(&Start::Context, &steps, 0);
    Nodes::Path(Path {
        start: Start::Context,
        steps,
        walkable: shape.walkable,
        ordered: shape.ordered,
        table: None,
    })
}

/// Is this an axis and a test, and nothing else?
fn is_plain(step: &Step) -> bool {
    step.predicates.is_empty() && step.detour.is_none()
}

/// The word in `" word "`, if the text has this form.
fn padded_word(text: &str) -> Option<&str> {
    let word = text.strip_prefix(' ')?.strip_suffix(' ')?;
    (!word.is_empty() && !word.contains(is_space)).then_some(word)
}

/// The argument of `count()`.
fn counted(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Call { name, args, .. } if Function::find(name) == Some(Function::Count) => args.first(),
        _ => None,
    }
}

fn is_call(expr: &Expr, function: Function) -> bool {
    matches!(&expr.kind, ExprKind::Call { name, .. } if Function::find(name) == Some(function))
}

/// A predicate that only counts: `position() = 3`, `position() = last()`, `position() > 1`.
fn counting(predicate: &Expr) -> Option<Predicate> {
    let ExprKind::Binary { op, left, right } = &predicate.kind else {
        return None;
    };
    let comparison = Comparison::of(*op)?;
    let (comparison, other) = if is_call(left, Function::Position) {
        (comparison, right)
    } else if is_call(right, Function::Position) {
        (comparison.flipped(), left)
    } else {
        return None;
    };
    if is_call(other, Function::Last) {
        return match comparison {
            Comparison::Equal | Comparison::GreaterEqual => Some(Predicate::Last),
            _ => None,
        };
    }
    if let ExprKind::Binary {
        op: BinaryOp::Subtract,
        left,
        right,
    } = &other.kind
        && comparison == Comparison::Equal
        && is_call(left, Function::Last)
        && let ExprKind::Number(before) = right.kind
        && before.fract() == 0.0
        && (1.0..1e9).contains(&before)
    {
        return Some(Predicate::FromEnd(before as usize));
    }
    let ExprKind::Number(bound) = other.kind else {
        return None;
    };
    // Positions are whole numbers from 1; `as` clamps what is out of range, and NaN satisfies only `!=`.
    let none = Predicate::Between(1, 0);
    if bound.is_nan() {
        return Some(if comparison == Comparison::NotEqual {
            Predicate::Between(1, usize::MAX)
        } else {
            none
        });
    }
    let (floor, ceiling) = (bound.floor() as usize, bound.ceil() as usize);
    Some(match comparison {
        Comparison::Equal if bound < 1.0 || bound.fract() != 0.0 || bound.is_infinite() => none,
        Comparison::Equal => Predicate::Nth(floor),
        Comparison::Less => Predicate::Between(1, ceiling.saturating_sub(1)),
        Comparison::LessEqual => Predicate::Between(1, floor),
        Comparison::Greater if bound < 0.0 => Predicate::Between(1, usize::MAX),
        Comparison::Greater => Predicate::Between(floor.saturating_add(1), usize::MAX),
        Comparison::GreaterEqual => Predicate::Between(ceiling.max(1), usize::MAX),
        Comparison::NotEqual => return None,
    })
}

/// The property that a path ends with, if it ends with one.
fn style_of(nodes: &Expr) -> Option<&str> {
    let ExprKind::Path(path) = &nodes.kind else { return None };
    match &path.steps.last()?.form {
        StepForm::Full {
            axis: Axis::Style,
            test: NodeTest::Name(name),
            ..
        } => Some(name),
        _ => None,
    }
}

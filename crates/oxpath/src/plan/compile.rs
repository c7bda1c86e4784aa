//! Normal form to plan: one pass, choosing as it goes.

use super::{
    Axis, Comparison, Nodes, Number, Operator, Path, Pattern, Plan, Predicate, Root, Separators, Slots, Start, Step,
    Test, Text, Truth, Walk, compile_regex,
};
use crate::check::static_type;
use crate::diag::{Code, Diagnostic};
use crate::functions::{Function, Type};
use crate::syntax::ast::{self, BinaryOp, Expr, ExprKind, NodeTest, PathStart, StepForm};
use crate::value::{is_space, number_to_string, string_to_number};
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
    if !compiler.diagnostics.is_empty() {
        return Err(compiler.diagnostics);
    }
    Ok(Plan {
        root,
        names: compiler.names.texts,
        slots: compiler.slots,
        needles: compiler.needles.texts,
    })
}

#[derive(Default)]
struct Compiler {
    names: Interner,
    slots: Slots,
    needles: Interner,
    diagnostics: Vec<Diagnostic>,
    /// How many predicates we are inside of.
    depth: usize,
    /// Are we inside a predicate that depends on the position, and so has no memo as a whole?
    positional: bool,
}

/// Numbers texts in the order in which they come, each once.
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
    fn nodes(&mut self, expr: &Expr) -> Nodes {
        let nodes = match &expr.kind {
            ExprKind::Path(path) => self.path(path),
            ExprKind::Union(operands) => Nodes::Union(operands.iter().map(|operand| self.nodes(operand)).collect()),
            ExprKind::Filter { primary, predicates } => {
                let base = Box::new(self.nodes(primary));
                Nodes::Filter {
                    base,
                    predicates: self.predicates(predicates, true),
                }
            }
            ExprKind::Call { name, args, .. } if Function::find(name) == Some(Function::Id) => {
                match static_type(&args[0]) {
                    Type::NodeSet => Nodes::IdsIn(Box::new(self.nodes(&args[0]))),
                    _ => Nodes::Id(Box::new(self.text(&args[0]))),
                }
            }
            // The checks let nothing else through where nodes are wanted.
            _ => Nodes::Union(Vec::new()),
        };
        let depends = Dependence::of(expr);
        if self.depth > 0 && !depends.node && !depends.position {
            self.slots.nodes += 1;
            return Nodes::Once {
                slot: self.slots.nodes - 1,
                inner: Box::new(nodes),
            };
        }
        nodes
    }

    fn path(&mut self, path: &ast::Path) -> Nodes {
        let start = match &path.start {
            PathStart::Context => Start::Context,
            PathStart::Root => Start::Root,
            PathStart::Expr(expr) => Start::Nodes(Box::new(self.nodes(expr))),
        };
        let mut steps: Vec<Step> = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            let StepForm::Full { axis, test, .. } = &step.form else {
                continue;
            };
            let positional = step.predicates.iter().any(|p| Dependence::of(p).position);
            let mut axis = *axis;
            let mut walk = if positional { Walk::Each } else { Walk::Set };
            if let Some(previous) = steps.last()
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
            if axis == Axis::Self_ && test == Test::Node && step.predicates.is_empty() {
                continue;
            }
            let predicates = self.predicates(&step.predicates, walk == Walk::Each);
            steps.push(Step {
                axis,
                test,
                predicates,
                walk,
            });
        }
        let shape = shape(&start, &steps, self.depth);
        Nodes::Path(Path {
            start,
            steps,
            walkable: shape.walkable,
            ordered: shape.ordered,
        })
    }

    fn test(&mut self, test: &NodeTest, axis: Axis) -> Test {
        let attribute = axis == Axis::Attribute;
        match test {
            _ if axis == Axis::Namespace => Test::Nothing,
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
        }
    }

    /// Plans predicates. `revisits`: may one node be asked several times, from several context nodes?
    fn predicates(&mut self, predicates: &[Expr], revisits: bool) -> Vec<Predicate> {
        self.depth += 1;
        let revisits = revisits || self.depth > 1;
        let planned = predicates
            .iter()
            .map(|predicate| self.predicate(predicate, revisits))
            .collect();
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
            // Nodes are not remembered; the answer is, where this predicate is inside another.
            if self.depth > 1 && depends.heavy && is_loose(predicate) {
                self.slots.contexts += 1;
                return Predicate::Positional(Truth::ContextMemo {
                    slot: self.slots.contexts - 1,
                    inner: Box::new(truth),
                });
            }
            Predicate::Positional(truth)
        } else if revisits && depends.heavy {
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

    /// Does an expression inside a predicate deserve a memo of its own, because what is around it has none?
    fn wants_memo(&self, expr: &Expr) -> bool {
        let depends = Dependence::of(expr);
        self.positional && depends.heavy && !depends.position
    }

    fn truth(&mut self, expr: &Expr) -> Truth {
        match static_type(expr) {
            Type::NodeSet | Type::Any => self.exists(expr),
            Type::Number => Truth::OfNumber(self.number(expr)),
            Type::String => Truth::OfText(self.text(expr)),
            Type::Boolean => match &expr.kind {
                ExprKind::Or(operands) => Truth::Any(self.truths(operands)),
                ExprKind::And(operands) => Truth::All(self.truths(operands)),
                ExprKind::Binary { op, left, right } => self.comparison(*op, left, right),
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
                _ => Truth::Exists(path_from_context(steps)),
            },
            // `.` is always there.
            Nodes::Path(Path {
                start: Start::Context,
                steps,
                ..
            }) if steps.is_empty() => Truth::Constant(true),
            Nodes::Union(operands) => Truth::Any(operands.into_iter().map(Truth::Exists).collect()),
            nodes => Truth::Exists(nodes),
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
                    word: word.to_owned(),
                    separators,
                };
            }
            if matches!(text, Text::Context) && !part.is_empty() {
                return Truth::ContextContains {
                    needle: self.needles.rank(part),
                };
            }
        }
        Truth::Contains(text, part)
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Truth {
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
                text: self.operand_text(right),
            },
            (Type::String, Type::NodeSet, Some(equal)) => Truth::NodesText {
                equal,
                nodes: self.nodes(right),
                text: self.operand_text(left),
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
            // A node-set meets a boolean as a boolean, whatever the operator (section 3.4).
            (Type::NodeSet, Type::Boolean, None) | (Type::Boolean, Type::NodeSet, None) => {
                let left = Number::OfTruth(Box::new(self.operand_truth(left)));
                let right = Number::OfTruth(Box::new(self.operand_truth(right)));
                Truth::CompareNumbers(comparison, left, right)
            }
            _ => Truth::CompareNumbers(comparison, self.operand_number(left), self.operand_number(right)),
        }
    }

    /// `count(p) > 0` and its like ask only whether there is a node.
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

    // Operands of a comparison that as a whole depends on the position, and so has no memo, get memos of their own.

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
                ExprKind::Call { name, args, .. } => self.number_call(name, args),
                _ => Number::Constant(f64::NAN),
            },
        }
    }

    fn number_call(&mut self, name: &str, args: &[Expr]) -> Number {
        match Function::find(name) {
            Some(Function::Position) => Number::Position,
            Some(Function::Last) => Number::Last,
            Some(Function::Count) => Number::Count(self.nodes(&args[0])),
            Some(Function::Sum) => Number::Sum(self.nodes(&args[0])),
            Some(Function::Number) => self.number(&args[0]),
            Some(Function::Floor) => Number::Floor(Box::new(self.operand_number(&args[0]))),
            Some(Function::Ceiling) => Number::Ceiling(Box::new(self.operand_number(&args[0]))),
            Some(Function::Round) => Number::Round(Box::new(self.operand_number(&args[0]))),
            Some(Function::StringLength) => Number::Length(self.operand_text(&args[0])),
            _ => Number::Constant(f64::NAN),
        }
    }

    fn text(&mut self, expr: &Expr) -> Text {
        match static_type(expr) {
            Type::NodeSet | Type::Any => match self.nodes(expr) {
                Nodes::Path(Path {
                    start: Start::Context,
                    steps,
                    ..
                }) if steps.is_empty() => Text::Context,
                nodes => Text::OfNodes(Box::new(nodes)),
            },
            Type::Boolean => Text::OfTruth(Box::new(self.truth(expr))),
            Type::Number => match self.number(expr) {
                Number::Constant(value) => Text::Constant(number_to_string(value)),
                number => Text::OfNumber(Box::new(number)),
            },
            Type::String => match &expr.kind {
                ExprKind::Literal(text) => Text::Constant(text.clone()),
                ExprKind::Call { name, args, .. } => self.text_call(name, args),
                _ => Text::Constant(String::new()),
            },
        }
    }

    fn text_call(&mut self, name: &str, args: &[Expr]) -> Text {
        let Some(function) = Function::find(name) else {
            return Text::Constant(String::new());
        };
        let local = function == Function::LocalName;
        let mut text = |at: usize| Box::new(self.operand_text(&args[at]));
        match function {
            Function::String => self.text(&args[0]),
            Function::Concat => Text::Concat(args.iter().map(|arg| self.operand_text(arg)).collect()),
            Function::SubstringBefore => Text::SubstringBefore(text(0), text(1)),
            Function::SubstringAfter => Text::SubstringAfter(text(0), text(1)),
            Function::NormalizeSpace => Text::NormalizeSpace(text(0)),
            Function::Translate => Text::Translate(text(0), text(1), text(2)),
            Function::LowerCase => Text::LowerCase(text(0)),
            Function::UpperCase => Text::UpperCase(text(0)),
            Function::Substring => Text::Substring {
                text: text(0),
                start: Box::new(self.operand_number(&args[1])),
                length: args.get(2).map(|length| Box::new(self.operand_number(length))),
            },
            Function::Name | Function::LocalName => Text::Name {
                nodes: Box::new(self.nodes(&args[0])),
                local,
            },
            Function::StringJoin => {
                let separator = args
                    .get(1)
                    .map_or(Text::Constant(String::new()), |arg| self.operand_text(arg));
                match static_type(&args[0]) {
                    Type::NodeSet => Text::Join {
                        nodes: Box::new(self.nodes(&args[0])),
                        separator: Box::new(separator),
                    },
                    _ => self.text(&args[0]),
                }
            }
            Function::Replace => {
                let text = text(0);
                let pattern = self.pattern(&args[1], args.get(3));
                Text::Replace {
                    text,
                    pattern,
                    with: Box::new(self.operand_text(&args[2])),
                }
            }
            // `namespace-uri()`: names on a page are in no namespace.
            _ => Text::Constant(String::new()),
        }
    }

    fn pattern(&mut self, pattern: &Expr, flags: Option<&Expr>) -> Pattern {
        let planned = self.operand_text(pattern);
        let planned_flags = flags.map(|flags| self.operand_text(flags));
        match (
            &planned,
            planned_flags.as_ref().unwrap_or(&Text::Constant(String::new())),
        ) {
            (Text::Constant(text), Text::Constant(set)) => match compile_regex(text, set) {
                Ok(regex) => Pattern::Fixed(regex),
                Err(reason) => {
                    let mut diagnostic = Diagnostic::error(
                        Code::InvalidRegex,
                        pattern.span,
                        format!("invalid regular expression: {reason}"),
                    );
                    diagnostic.label = "in this pattern".to_owned();
                    self.diagnostics.push(diagnostic);
                    Pattern::Computed {
                        pattern: Box::new(planned),
                        flags: None,
                    }
                }
            },
            _ => Pattern::Computed {
                pattern: Box::new(planned),
                flags: planned_flags.map(Box::new),
            },
        }
    }
}

impl Comparison {
    fn of(op: BinaryOp) -> Option<Comparison> {
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

fn path_from_context(steps: Vec<Step>) -> Nodes {
    // A single step may always be walked.
    let shape = shape(&Start::Context, &steps, 0);
    Nodes::Path(Path {
        start: Start::Context,
        steps,
        walkable: shape.walkable,
        ordered: shape.ordered,
    })
}

fn is_plain(step: &Step) -> bool {
    step.predicates.is_empty()
}

/// The word in `" word "`, if that is what the text is.
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
    let ExprKind::Number(bound) = other.kind else {
        return None;
    };
    // Positions are whole and at least 1; `as` clamps what is out of range, and NaN satisfies nothing.
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

/// Does an expression that depends on the position need nodes, along more than a light path, for which there is no memo:
/// nodes that are compared or handed to a function, or that depend on the position themselves?
fn is_loose(expr: &Expr) -> bool {
    let (operands, takes_nodes): (Vec<&Expr>, bool) = match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) => (operands.iter().collect(), false),
        ExprKind::Binary { op, left, right } => (vec![left, right], Comparison::of(*op).is_some()),
        ExprKind::Negate(inner) => (vec![inner], false),
        ExprKind::Call { args, .. } => (args.iter().collect(), true),
        // Nodes that depend on the position.
        _ => return true,
    };
    operands.into_iter().any(|operand| {
        let depends = Dependence::of(operand);
        if depends.position {
            is_loose(operand)
        } else {
            takes_nodes && depends.heavy && static_type(operand) == Type::NodeSet
        }
    })
}

/// What the value of an expression depends on, and whether it is worth remembering.
#[derive(Clone, Copy, Debug, Default)]
struct Dependence {
    node: bool,
    position: bool,
    /// Does it walk further than to the attributes of the context node?
    heavy: bool,
}

impl Dependence {
    fn of(expr: &Expr) -> Dependence {
        let mut depends = Dependence::default();
        depends.add(expr);
        depends
    }

    fn add(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
                for operand in operands {
                    self.add(operand);
                }
            }
            ExprKind::Binary { left, right, .. } => {
                self.add(left);
                self.add(right);
            }
            ExprKind::Negate(inner) => self.add(inner),
            // Predicates have contexts of their own; they cannot see ours.
            ExprKind::Filter { primary, .. } => {
                self.add(primary);
                self.heavy = true;
            }
            ExprKind::Path(path) => {
                match &path.start {
                    PathStart::Context => self.node = true,
                    PathStart::Root => {}
                    PathStart::Expr(start) => self.add(start),
                }
                self.heavy |= path.steps.iter().any(|step| {
                    let light = matches!(
                        &step.form,
                        StepForm::Full {
                            axis: Axis::Attribute | Axis::Self_,
                            ..
                        }
                    );
                    !light || !step.predicates.is_empty()
                });
            }
            ExprKind::Call { name, args, .. } => {
                match Function::find(name) {
                    Some(Function::Position | Function::Last) => self.position = true,
                    Some(Function::Lang) => self.node = true,
                    // `id()` looks its elements up, but on this page: it does not depend on the node.
                    Some(Function::Id) => self.heavy = true,
                    _ => {}
                }
                for arg in args {
                    self.add(arg);
                }
            }
            ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => {}
        }
    }
}

struct Shape {
    walkable: bool,
    ordered: bool,
}

/// How the nodes that a walk has reached lie to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// At most one node.
    Single,
    /// In document order, none below another.
    Disjoint,
    /// Each once.
    Distinct,
}

/// The walk recurses with each step, so longer paths are taken set at a time.
const MOST_WALKED: usize = 8;

/// Walks nest as predicates do, so below so many of them only single steps are walked.
const DEEPEST_WALK: usize = 8;

/// Can the steps be walked depth first, node by node, without meeting a node twice, and in document order? The path
/// stands inside so many predicates.
fn shape(start: &Start, steps: &[Step], depth: usize) -> Shape {
    let mut lie = match start {
        Start::Context | Start::Root => Lie::Single,
        Start::Nodes(_) => {
            return Shape {
                walkable: false,
                ordered: false,
            };
        }
    };
    if steps.len() > if depth < DEEPEST_WALK { MOST_WALKED } else { 1 } {
        return Shape {
            walkable: false,
            ordered: false,
        };
    }
    let mut ordered = true;
    for step in steps {
        if step.walk == Walk::Grouped {
            return Shape {
                walkable: false,
                ordered: false,
            };
        }
        let reverse = matches!(
            step.axis,
            Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling
        );
        let picks_one = matches!(step.predicates.first(), Some(Predicate::Nth(_) | Predicate::Last));
        ordered &= lie != Lie::Distinct || step.axis == Axis::Self_;
        lie = match (lie, step.axis) {
            (lie, Axis::Self_) => lie,
            (Lie::Single, _) if picks_one => Lie::Single,
            (Lie::Single, Axis::Parent) => Lie::Single,
            (Lie::Single, Axis::Attribute | Axis::Child | Axis::FollowingSibling) => Lie::Disjoint,
            (Lie::Single, _) => {
                ordered &= !reverse;
                Lie::Distinct
            }
            (Lie::Disjoint, Axis::Child | Axis::Attribute) => Lie::Disjoint,
            (Lie::Disjoint, Axis::Descendant | Axis::DescendantOrSelf) => Lie::Distinct,
            (Lie::Distinct, Axis::Child | Axis::Attribute) => Lie::Distinct,
            _ => {
                return Shape {
                    walkable: false,
                    ordered: false,
                };
            }
        };
    }
    Shape {
        walkable: true,
        ordered,
    }
}

//! From tree to text: the canonical spelling of an expression.
//!
//! Printing is the inverse of parsing: the text of a tree that came from the parser parses to the same tree, except for
//! spans. Binary operators get a space on either side, parentheses are printed only where the tree would change without
//! them, and abbreviations are kept, because the tree keeps them.
//!
//! Besides precedence, there are two reasons for parentheses. First, a nested list of the same operator, `(a | b) | c`,
//! is a different tree than `a | b | c`. Second, the path `/` takes what follows it as a step if possible: `/ * 2` is
//! the path `/*` followed by an error, and `/ and a` starts with an element called `and`. So the printer always knows
//! whether `*` or a word comes next after an expression, and puts `/` in parentheses if so. Groups have the same
//! problem: after `a/(b)`, a star or a plus is a repetition; after `(a)*` at the beginning of an expression, nothing
//! may follow that looks like an operand; and `(a) * [b]::c` would be a repetition with a predicate. In the value of a
//! marker, a comparison with `>` must not end the marker.
//!
//! A tree built by a program can contain what no source can: a literal with both kinds of quotes, a negative number or
//! NaN, an unnamed axis other than child, attribute and style, an element's name with a dot, a path that begins with a
//! repetition and continues with a slash. These are printed in a readable form, the last with `./` before it, but do
//! not parse to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    Action, ActionKind, Axis, BinaryOp, Expr, ExprKind, KleeneForm, Marker, NodeTest, Options, Path, PathStart,
    Selector, Separator, Step, StepForm,
};

/// How tightly an expression binds, loosest first. The levels from equality to multiplication are
/// [`BinaryOp::level`]'s.
mod level {
    pub(super) const OR: u8 = 0;
    pub(super) const AND: u8 = 1;
    pub(super) const UNARY: u8 = 6;
    pub(super) const FIRST_OF: u8 = 7;
    pub(super) const UNION: u8 = 8;
    pub(super) const PATH: u8 = 9;
    pub(super) const FILTER: u8 = 10;
    pub(super) const PRIMARY: u8 = 11;
}

impl Axis {
    /// The axes, in alphabetical order.
    pub const ALL: [Axis; 14] = [
        Axis::Ancestor,
        Axis::AncestorOrSelf,
        Axis::Attribute,
        Axis::Child,
        Axis::Descendant,
        Axis::DescendantOrSelf,
        Axis::Following,
        Axis::FollowingSibling,
        Axis::Namespace,
        Axis::Parent,
        Axis::Preceding,
        Axis::PrecedingSibling,
        Axis::Self_,
        Axis::Style,
    ];

    /// The name of the axis in expressions.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Axis::Ancestor => "ancestor",
            Axis::AncestorOrSelf => "ancestor-or-self",
            Axis::Attribute => "attribute",
            Axis::Child => "child",
            Axis::Descendant => "descendant",
            Axis::DescendantOrSelf => "descendant-or-self",
            Axis::Following => "following",
            Axis::FollowingSibling => "following-sibling",
            Axis::Namespace => "namespace",
            Axis::Parent => "parent",
            Axis::Preceding => "preceding",
            Axis::PrecedingSibling => "preceding-sibling",
            Axis::Self_ => "self",
            Axis::Style => "style",
        }
    }

    /// The axis with a given name.
    #[must_use]
    pub fn named(name: &str) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| axis.name() == name)
    }
}

impl BinaryOp {
    /// The operator as it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "div",
            BinaryOp::Modulo => "mod",
            BinaryOp::ContainsText => "~",
            BinaryOp::ContainsWord => "~=",
            BinaryOp::Subset => "subset",
        }
    }

    /// How tightly the operator binds: equality 2, relation 3, addition 4, multiplication 5.
    pub(super) fn level(self) -> u8 {
        match self {
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::ContainsText
            | BinaryOp::ContainsWord
            | BinaryOp::Subset => 2,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 3,
            BinaryOp::Add | BinaryOp::Subtract => 4,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 5,
        }
    }

    /// The kind of token that the operator might be mistaken for.
    fn next(self) -> Next {
        match self {
            BinaryOp::Multiply => Next::Star,
            BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::Subset => Next::Word,
            BinaryOp::Add => Next::Plus,
            BinaryOp::Subtract => Next::Minus,
            _ => Next::Other,
        }
    }
}

/// What is printed right after an expression, if it could be mistaken for a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// `*`.
    Star,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// An operator that is a word.
    Word,
    /// Nothing that could be mistaken.
    Other,
}

/// Would the path, printed without parentheses, include what comes next?
fn clashes(path: &Path, next: Next) -> bool {
    let Some(last) = path.steps.last() else {
        return matches!(next, Next::Star | Next::Word);
    };
    match &last.form {
        StepForm::Kleene {
            form: KleeneForm::Group,
            ..
        } => matches!(next, Next::Star | Next::Plus),
        form if ends_with_sign(form) && path.steps.len() == 1 && path.start == PathStart::Context => {
            matches!(next, Next::Star | Next::Word | Next::Minus)
        }
        _ => false,
    }
}

/// Does the form print as `(…)*` or `(…)+`?
fn ends_with_sign(form: &StepForm) -> bool {
    match form {
        StepForm::Kleene { min, max, form, .. } => match form {
            KleeneForm::Star => (*min, *max) == (0, None),
            KleeneForm::Plus => true,
            KleeneForm::Group => false,
        },
        _ => false,
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        operand(f, self, level::OR, Next::Other)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.start {
            PathStart::Context => {
                // At the beginning of an expression, a slash after a repetition makes it a product.
                if let [first, rest @ ..] = &self.steps[..]
                    && let StepForm::Kleene { form, .. } = &first.form
                    && (*form == KleeneForm::Group
                        || ends_with_sign(&first.form)
                            && rest.first().is_some_and(|second| {
                                second.separator != Separator::None || matches!(second.form, StepForm::Doc { .. })
                            }))
                {
                    f.write_str("./")?;
                }
            }
            // The first separator shows it, except for the path without steps.
            PathStart::Root if self.steps.is_empty() => f.write_char('/')?,
            PathStart::Root => {}
            PathStart::Expr(start) => operand(f, start, level::FILTER, Next::Other)?,
        }
        for (index, step) in self.steps.iter().enumerate() {
            let first = index == 0 && self.start == PathStart::Context;
            if !first && step.separator == Separator::None && matches!(step.form, StepForm::Doc { .. }) {
                f.write_char(' ')?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.separator {
            Separator::None => "",
            Separator::Slash => "/",
            Separator::DoubleSlash => "//",
        })?;
        self.form.fmt(f)?;
        predicates(f, &self.predicates)
    }
}

impl Display for StepForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StepForm::Dot => f.write_char('.'),
            StepForm::DotDot => f.write_str(".."),
            StepForm::Full {
                axis,
                explicit,
                test,
                selectors,
            } => {
                match axis {
                    Axis::Child if !explicit => {}
                    Axis::Attribute if !explicit => f.write_char('@')?,
                    Axis::Style if !explicit => f.write_char('^')?,
                    axis => write!(f, "{axis}::")?,
                }
                test.fmt(f)?;
                selectors.iter().try_for_each(|selector| selector.fmt(f))
            }
            StepForm::Intensional {
                condition,
                test,
                selectors,
            } => {
                bracketed(f, "[", condition, "]")?;
                write!(f, "::{test}")?;
                selectors.iter().try_for_each(|selector| selector.fmt(f))
            }
            StepForm::Kleene { body, min, max, form } => {
                bracketed(f, "(", body, ")")?;
                match (form, min, max) {
                    (KleeneForm::Group, ..) => Ok(()),
                    (KleeneForm::Plus, ..) => f.write_char('+'),
                    (KleeneForm::Star, 0, None) => f.write_char('*'),
                    (KleeneForm::Star, min, None) => write!(f, "*{{{min},}}"),
                    (KleeneForm::Star, min, Some(max)) => write!(f, "*{{{min},{max}}}"),
                }
            }
            StepForm::Action(action) => action.fmt(f),
            StepForm::Doc { url, options } => {
                f.write_str("doc(")?;
                operand(f, url, level::OR, Next::Other)?;
                if !options.is_empty() {
                    write!(f, ", {options}")?;
                }
                f.write_char(')')
            }
            StepForm::Marker(marker) => marker.fmt(f),
            StepForm::Optional(inner) => bracketed(f, "[? ", inner, "]"),
            StepForm::Predicate(inner) => bracketed(f, "[", inner, "]"),
        }
    }
}

impl Display for Selector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Class(name) => write!(f, ".{name}"),
            Selector::Id(name) => write!(f, "#{name}"),
        }
    }
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.kind)?;
        if !self.options.is_empty() {
            write!(f, " {}", self.options)?;
        }
        f.write_str(if self.absolute { " /}" } else { "}" })
    }
}

impl Display for ActionKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword().unwrap_or_default())?;
        match self {
            ActionKind::Press(value)
            | ActionKind::KeyDown(value)
            | ActionKind::KeyUp(value)
            | ActionKind::Drag(value)
            | ActionKind::Select(value) => {
                f.write_char(' ')?;
                operand(f, value, level::PRIMARY, Next::Other)
            }
            // A bare number is an index.
            ActionKind::Type(value) if matches!(value.kind, ExprKind::Number(_)) => bracketed(f, "(", value, ")"),
            ActionKind::Type(value) => operand(f, value, level::PRIMARY, Next::Other),
            ActionKind::SelectIndex(index) => write!(f, "{index}"),
            _ => Ok(()),
        }
    }
}

impl Display for Options {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "[";
        let mut next = |f: &mut Formatter<'_>, name: &str| {
            f.write_str(std::mem::replace(&mut separator, ", "))?;
            f.write_str(name)
        };
        if let Some(seconds) = self.wait {
            next(f, "wait=")?;
            number(f, seconds)?;
        }
        if let Some(condition) = &self.until {
            next(f, "until=")?;
            operand(f, condition, level::OR, Next::Other)?;
        }
        if let Some(seconds) = self.timeout {
            next(f, "timeout=")?;
            number(f, seconds)?;
        }
        if self.noback {
            next(f, "noback")?;
        }
        f.write_str(if self.is_empty() { "" } else { "]" })
    }
}

impl Display for Marker {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ":<{}", self.name)?;
        if !self.types.is_empty() {
            write!(f, "({})", self.types.join(", "))?;
        }
        if let Some(value) = &self.value {
            f.write_char('=')?;
            if shows_greater(value) {
                bracketed(f, "(", value, ")")?;
            } else {
                operand(f, value, level::OR, Next::Other)?;
            }
        }
        f.write_char('>')
    }
}

/// Could the expression print a `>` outside all brackets?
fn shows_greater(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) | ExprKind::FirstOf(operands) => {
            operands.iter().any(shows_greater)
        }
        ExprKind::Binary { op, left, right } => {
            matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual) || shows_greater(left) || shows_greater(right)
        }
        ExprKind::Negate(inner) => shows_greater(inner),
        _ => false,
    }
}

impl Display for NodeTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NodeTest::Any => f.write_char('*'),
            NodeTest::AnyOf(prefix) => write!(f, "{prefix}:*"),
            NodeTest::Name(name) => f.write_str(name),
            NodeTest::Node => f.write_str("node()"),
            NodeTest::Text => f.write_str("text()"),
            NodeTest::Comment => f.write_str("comment()"),
            NodeTest::Field => f.write_str("field()"),
            NodeTest::AnyField => f.write_str("any-field()"),
            NodeTest::ProcessingInstruction(None) => f.write_str("processing-instruction()"),
            NodeTest::ProcessingInstruction(Some(target)) => {
                f.write_str("processing-instruction(")?;
                literal(f, target)?;
                f.write_char(')')
            }
        }
    }
}

impl Display for Axis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Display for BinaryOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// The level of the production that yields this expression without parentheses.
fn level_of(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Or(_) => level::OR,
        ExprKind::And(_) => level::AND,
        ExprKind::Binary { op, .. } => op.level(),
        ExprKind::Negate(_) => level::UNARY,
        ExprKind::FirstOf(_) => level::FIRST_OF,
        ExprKind::Union(_) => level::UNION,
        ExprKind::Path(_) => level::PATH,
        ExprKind::Filter { .. } => level::FILTER,
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Call { .. } => level::PRIMARY,
    }
}

/// Prints an expression where one of `level` or tighter is allowed, before `next`.
fn operand(f: &mut Formatter<'_>, expr: &Expr, level: u8, next: Next) -> fmt::Result {
    let clashes = matches!(&expr.kind, ExprKind::Path(path) if clashes(path, next));
    if level_of(&expr.kind) < level || clashes {
        bracketed(f, "(", expr, ")")
    } else {
        bare(f, expr, next)
    }
}

/// Does the expression print with `[` or `{` as its first character, or would without parentheses?
fn begins_with_bracket(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) | ExprKind::FirstOf(operands) => {
            begins_with_bracket(&operands[0])
        }
        ExprKind::Binary { left, .. } => begins_with_bracket(left),
        ExprKind::Path(path) => {
            path.start == PathStart::Context
                && path
                    .steps
                    .first()
                    .is_some_and(|step| matches!(step.form, StepForm::Intensional { .. } | StepForm::Action(_)))
        }
        _ => false,
    }
}

fn bracketed(f: &mut Formatter<'_>, open: &str, expr: &Expr, close: &str) -> fmt::Result {
    f.write_str(open)?;
    bare(f, expr, Next::Other)?;
    f.write_str(close)
}

/// Prints an expression without parentheses around it.
fn bare(f: &mut Formatter<'_>, expr: &Expr, next: Next) -> fmt::Result {
    match &expr.kind {
        ExprKind::Or(operands) => list(f, operands, " or ", level::AND, Next::Word, next),
        ExprKind::And(operands) => list(f, operands, " and ", level::AND + 1, Next::Word, next),
        ExprKind::FirstOf(operands) => list(f, operands, " ?? ", level::UNION, Next::Other, next),
        ExprKind::Union(operands) => list(f, operands, " | ", level::PATH, Next::Other, next),
        ExprKind::Binary { op, left, right } => {
            operand(f, left, op.level(), op.next())?;
            write!(f, " {op} ")?;
            // After a parenthesis, the operator would be read as a repetition.
            if matches!(op, BinaryOp::Add | BinaryOp::Multiply) && begins_with_bracket(right) {
                return bracketed(f, "(", right, ")");
            }
            operand(f, right, op.level() + 1, next)
        }
        ExprKind::Negate(inner) => {
            f.write_char('-')?;
            operand(f, inner, level::UNARY, next)
        }
        ExprKind::Path(path) => path.fmt(f),
        ExprKind::Filter {
            primary,
            predicates: list,
        } => {
            operand(f, primary, level::PRIMARY, Next::Other)?;
            predicates(f, list)
        }
        ExprKind::Literal(text) => literal(f, text),
        ExprKind::Number(number) => self::number(f, *number),
        ExprKind::Variable(name) => write!(f, "${name}"),
        ExprKind::Call { name, args, .. } => {
            write!(f, "{name}(")?;
            list(f, args, ", ", level::OR, Next::Other, Next::Other)?;
            f.write_char(')')
        }
    }
}

/// Prints expressions with a separator between them, which looks like `between`, before `next`.
fn list(f: &mut Formatter<'_>, exprs: &[Expr], separator: &str, level: u8, between: Next, next: Next) -> fmt::Result {
    for (index, expr) in exprs.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        let last = index + 1 == exprs.len();
        operand(f, expr, level, if last { next } else { between })?;
    }
    Ok(())
}

fn predicates(f: &mut Formatter<'_>, predicates: &[Expr]) -> fmt::Result {
    predicates
        .iter()
        .try_for_each(|predicate| bracketed(f, "[", predicate, "]"))
}

fn literal(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    let quote = if text.contains('"') { '\'' } else { '"' };
    write!(f, "{quote}{text}{quote}")
}

/// The shortest digits that parse to the same number. An infinite number, which results from any literal of about 310
/// digits, becomes such a literal.
fn number(f: &mut Formatter<'_>, number: f64) -> fmt::Result {
    if number.is_infinite() {
        write!(f, "1{}", "0".repeat(309))
    } else {
        write!(f, "{number}")
    }
}

#[cfg(test)]
mod tests;

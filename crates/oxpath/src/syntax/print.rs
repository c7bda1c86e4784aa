//! From tree to text: the canonical spelling of an expression.
//!
//! Printing is the inverse of parsing: the text of a tree that came from the parser parses to the same tree, spans
//! apart. Binary operators get a space on either side, parentheses stand only where the tree would change without them,
//! and abbreviations are kept, because the tree keeps them.
//!
//! Besides precedence, two things call for parentheses. A nested list of the same operator, `(a | b) | c`, is another
//! tree than `a | b | c`. And the path `/` takes what follows it for a step if it can: `/ * 2` is the path `/*` and
//! then nonsense, and `/ and a` starts with an element called `and`. So every expression is printed knowing whether `*`
//! or a word comes next, and `/` wraps itself if so. Groups have the same trouble: after `a/(b)`, a star or a plus
//! repeats; after `(a)*` where an expression begins, nothing may follow that looks like an operand; and `(a) * [b]::c`
//! would be a repetition with a predicate. In the value of a marker, a comparison with `>` must not end the marker.
//!
//! A tree built by a program can hold what no source can: a literal with both kinds of quotes, a negative number or
//! NaN, an unnamed axis other than child, attribute and style, an element's name with a dot, a path that begins with a
//! repetition and goes on with a slash. These print as something readable, the last with `./` before it, but do not come
//! back as they were.

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
    pub(super) const UNION: u8 = 7;
    pub(super) const PATH: u8 = 8;
    pub(super) const FILTER: u8 = 9;
    pub(super) const PRIMARY: u8 = 10;
}

impl Axis {
    /// The axes, in the order of the alphabet.
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

    /// The axis of that name.
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

    /// What the operator could be taken for.
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

/// What is printed right after an expression, as far as it could be taken for a part of it.
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
    /// Nothing that could be.
    Other,
}

/// Would the path, printed without parentheses, take what comes next for a part of itself?
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
            // The first separator says it, except for the path that has no step.
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
            ActionKind::Press(value) | ActionKind::Select(value) => {
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

/// Could the expression print a `>` that is in no bracket?
fn shows_greater(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
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
        ExprKind::Union(_) => level::UNION,
        ExprKind::Path(_) => level::PATH,
        ExprKind::Filter { .. } => level::FILTER,
        ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Call { .. } => level::PRIMARY,
    }
}

/// Prints an expression where one of `level` or tighter may stand, before `next`.
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
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => {
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
        ExprKind::Union(operands) => list(f, operands, " | ", level::PATH, Next::Other, next),
        ExprKind::Binary { op, left, right } => {
            operand(f, left, op.level(), op.next())?;
            write!(f, " {op} ")?;
            // After a parenthesis, the operator would repeat it.
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

/// The shortest digits that give the number back. An infinite number, which any literal of some 310 digits is, becomes
/// such a literal.
fn number(f: &mut Formatter<'_>, number: f64) -> fmt::Result {
    if number.is_infinite() {
        write!(f, "1{}", "0".repeat(309))
    } else {
        write!(f, "{number}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{each_child_mut, parse};
    use super::*;
    use crate::diag::Span;

    /// Erases the spans, so that trees compare by content.
    fn erase(expr: &mut Expr) {
        expr.span = Span::default();
        match &mut expr.kind {
            ExprKind::Call { name_span, .. } => *name_span = Span::default(),
            ExprKind::Path(path) => {
                for step in &mut path.steps {
                    step.span = Span::default();
                    match &mut step.form {
                        StepForm::Action(action) => action.span = Span::default(),
                        StepForm::Marker(marker) => marker.span = Span::default(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        each_child_mut(expr, &mut erase);
    }

    fn tree(source: &str) -> Expr {
        let mut expr = parse(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
        erase(&mut expr);
        expr
    }

    /// Parses, prints as expected, and parses to the same tree again.
    #[track_caller]
    fn check(source: &str, expected: &str) {
        let first = tree(source);
        let printed = first.to_string();
        assert_eq!(printed, expected, "{source}");
        assert_eq!(first, tree(&printed), "{source}");
    }

    /// The same for what is canonical already.
    #[track_caller]
    fn same(source: &str) {
        check(source, source);
    }

    #[test]
    fn canonical_sources_print_as_they_are() {
        for source in [
            "a",
            "/",
            "//a",
            "/html/body//div[@class]/a/@href",
            "child::a/attribute::b/self::node()",
            "ancestor-or-self::*[1]/preceding-sibling::p:*",
            ".",
            "..",
            "./..//.",
            ".[1]",
            "..[@id]/a",
            "text()[normalize-space()]",
            "processing-instruction(\"x\")",
            "@*",
            "@node()",
            "$x",
            "$p:x/a",
            "id(\"x\")/a",
            "count(//a) > 3",
            "a | b | c",
            "(a | b)/c",
            "a or b and c or d",
            "(a or b) and (c or d)",
            "-a",
            "--1",
            "a - -1",
            "-(a + b)",
            "-a | b",
            "1 + 2 * 3 - 4 div 5 mod 6",
            "(1 + 2) * 3",
            "a - (b - c)",
            "a = b != c",
            "a = (b = c)",
            "a < b <= c > d >= e",
            "a < b < c = d < e",
            "(a = b) < c",
            "concat(\"a\", 'b\"c', \"it's\")",
            "a[b][c][position() = last()]",
            "1[2]",
            "1/a",
            "\"x\"//a",
            "0.5",
            "h:a/svg:*",
        ] {
            same(source);
        }
    }

    #[test]
    fn what_oxpath_adds() {
        for source in [
            "doc(\"u\")",
            "doc(\"u\", [wait=2])//a",
            "doc(concat(\"u\", $x))/doc(\"v\") doc(\"w\")//b",
            "doc(\"a\")//b | doc(\"c\")//d",
            "(doc(\"a\")//b)[1]",
            "//a/{click}",
            "//a{click /}",
            "//{click}",
            "{click /}//b",
            "a[{click /}//b]",
            "a/{click}{focus /}/b",
            "a/{click [wait=2.5, until=//b or c, timeout=10, noback] /}",
            "a/{click [noback]}",
            "a/{\"text\"}/{'it\"s' /}",
            "a/{$x}/{$x [wait=1] /}",
            "a/{concat(\"a\", $x)}",
            "a/{(3)}/{(a/b) /}",
            "a/{3}/{0 /}",
            "a/{press \"Enter\"}/{press $key}/{select \"x\" /}/{select (//a)}",
            "a/{dblclick}/{mouseover}/{focus}/{scroll}/{submit}/{check}/{uncheck}/{nextclick}/{clkwithchange}",
            "a/{enterframe}/{movetoframe}/{movetohref}/{mousedown}/{wheel}",
            "a/(b)*",
            "a/(b)*/c",
            "a//(b | c/d)*{2,5}/e",
            "a/(b)*{0,3}[1]:<x>",
            "a/(b)*{3,}",
            "a/(b)+//c",
            "a/(b)/c",
            "a/(b)[1]",
            "/(//a/{click /})*//b",
            "(a)*",
            "(a)+",
            "(a/b | c)*[1]",
            "(a)*{1,2}/b",
            "(a)*{click}",
            "(a)*:<x>",
            "(a)* = 3",
            "(a)* | b",
            "[(a)*]::b",
            "a[(b)*]",
            "./(a)*/b",
            "./(a)* and b",
            "a/(b)* * 2",
            "a/(b)* + 2",
            "(a/(b)) * 2",
            "(a/(b)) + 2",
            "1 - (a/(b)) * 2",
            "((a)*) * 2",
            "(a or b) * ([c]::d)",
            "(a or b) + ({click}/d)",
            "((a)*) and b",
            "((a)+) - 1",
            "(a)* + 1",
            "((a)*)/b",
            "((a)*)*",
            "a:<x>",
            "a:<x=.>",
            "a:<x=count(//b) + 1>",
            "a:<x=(b > c)>",
            "a:<x=(b >= c or d)>",
            "a:<x=b[c > d] < 3>",
            "a:<x=b = c>",
            "a:<ns:x(ns:t, u)=string(.)>",
            "a:<x.y-z(t)>",
            "a:<x>:<y=\"lit\">:<text(t)>",
            "a[1]:<R>[b][? c:<d=.>]/e",
            "a[? b]",
            "a[? b][c]",
            ".:<x>",
            "..[? a]",
            "@a.b:<x>",
            "(//a):<x>[1]",
            "(//a)[1]:<x>",
            "$x:<y>",
            "\"x\":<y>",
            "[a:<x> and b:<y> or c]::d",
            "a/[$lhs/@id = $rhs/@for]::label.x#y[1]",
            "[$rhs subset $lhs//a]::field()",
            "style::color/^font-size",
            "^*",
            "^box-left < 3",
            "//field()[1]/any-field().x",
            "a.b",
            "*.b#c.d",
            "//*#x",
            "following::*#stops2",
            "text().x",
            "a ~ \"x\"",
            "a ~= \"x\" = b",
            "a subset b",
            "(/) subset a",
            "a < (b ~ c)",
            "opex:minus(1, 2)",
        ] {
            same(source);
        }
    }

    #[test]
    fn other_spellings_of_oxpath() {
        check("//a[. #= 'x']", "//a[. ~ \"x\"]");
        check("//.cls", "//*.cls");
        check("//#id/.cls", "//*#id/*.cls");
        check("following::#id", "following::*#id");
        check(".cls#id", "*.cls#id");
        check("a .cls", "a.cls");
        check("a[1].b", "a[1][self::*.b]");
        check("a:<x>.b", "a:<x>[self::*.b]");
        check("a/{pressenter/}", "a/{press \"Enter\" /}");
        check("a/{ click  [ wait = 5 ]/}", "a/{click [wait=5] /}");
        check("a/{click(: now :)}", "a/{click}");
        check("doc ( 'u' , [ wait = 5 , noback ] )", "doc(\"u\", [wait=5, noback])");
        check("doc('a')doc('b')", "doc(\"a\") doc(\"b\")");
        check("a/(b)*{3}", "a/(b)*{3,}");
        check("a/(b)*{,3}", "a/(b)*{0,3}");
        check("a/( b ) * { 0, 4 }/c", "a/(b)*{0,4}/c");
        check("a :< x = string(.) >", "a:<x=string(.)>");
        check("a:<x=((b > c))>", "a:<x=(b > c)>");
        check("a[ ? b]", "a[? b]");
        check("a[?b:<x>]", "a[? b:<x>]");
        check("[.and b]::c", "[. and b]::c");
        check("a[.or.//b]", "a[. or .//b]");
        check("(a) * 2", "a * 2");
        check("(a)*/b", "a * /b");
        check("(a)+b", "a + b");
        check("(a) * -1", "a * -1");
    }

    #[test]
    fn spelling_is_normalised() {
        check("  a(: x :)  ", "a");
        check("a|b", "a | b");
        check("((a))", "a");
        check("(a)[1]", "(a)[1]");
        check("((a)[1])[2]", "((a)[1])[2]");
        check("(a)[1][2]", "(a)[1][2]");
        check("(($x)[1])/a", "$x[1]/a");
        check("(a/b)/c", "(a/b)/c");
        check("(a|b)|c", "(a | b) | c");
        check("a|(b|c)", "a | (b | c)");
        check("(a or b) or c", "(a or b) or c");
        check("(a and b) or c", "a and b or c");
        check("'a'", "\"a\"");
        check("1.", "1");
        check(".50", "0.5");
        check("self :: node ( )", "self::node()");
        check("processing-instruction('x')", "processing-instruction(\"x\")");
        check("(1)[2]", "1[2]");
        check("- - 1", "--1");
        check("-(a | b)", "-a | b");
        check("((a < b) < c) = (d < e)", "a < b < c = d < e");
        check("a -b", "a - b");
        check("f(a,b)", "f(a, b)");
    }

    #[test]
    fn names_that_look_like_operators() {
        same("div div div");
        same("and/or");
        same("and and or or div");
        same("* * *");
        same("mod mod mod * *");
        same("@div div @mod");
        same("-*");
        same("child::and and div()");
    }

    #[test]
    fn the_root_before_an_operator() {
        same("(/) * 2");
        same("(/) div 2");
        same("(/) and (/) or /");
        same("/ = 2");
        check("(/) - 1", "/ - 1");
        check("(/) | a", "/ | a");
        same("-(/) * 2");
        same("1 + (/) and x");
        same("1 + / = x");
        same("a | (/) and b");
        same("(/)[1]");
        same("(/)/a");
        same("a[/]");
        same("f(/, /)");
    }

    #[test]
    fn numbers_come_back() {
        for number in [
            0.0,
            1.0,
            0.1,
            1e300,
            1e-300,
            5e-324,
            f64::MAX,
            0.1 + 0.2,
            9007199254740993.0,
            f64::INFINITY,
        ] {
            let expr = Expr {
                kind: ExprKind::Number(number),
                span: Span::default(),
            };
            assert_eq!(tree(&expr.to_string()), expr, "{number}");
        }
        assert_eq!(tree(&"9".repeat(400)).kind, ExprKind::Number(f64::INFINITY));
    }

    fn name() -> impl Strategy<Value = String> {
        let nasty = [
            "a", "div", "mod", "and", "or", "text", "child", "p:q", "x-1", "subset", "click", "wait", "é", "_",
        ];
        prop_oneof![
            prop::sample::select(nasty.to_vec()).prop_map(str::to_owned),
            "[a-zA-Zé_][a-z0-9-]{0,3}(:[a-z]{1,2})?",
        ]
        .prop_filter("an axis is no prefix", |name| {
            name.split_once(':')
                .is_none_or(|(prefix, _)| Axis::named(prefix).is_none())
        })
    }

    /// A name of anything but an element.
    fn dotted() -> impl Strategy<Value = String> {
        prop_oneof![
            name(),
            Just("a.b".to_owned()),
            Just("p:q.r".to_owned()),
            Just("and.or".to_owned())
        ]
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof!["[^\"]{0,6}", "[^']{0,6}"]
    }

    fn node_test() -> impl Strategy<Value = NodeTest> {
        prop_oneof![
            4 => name().prop_map(NodeTest::Name),
            2 => Just(NodeTest::Any),
            1 => "[b-d]{1,3}".prop_map(NodeTest::AnyOf),
            1 => Just(NodeTest::Node),
            1 => Just(NodeTest::Text),
            1 => Just(NodeTest::Comment),
            1 => prop::option::of(text()).prop_map(NodeTest::ProcessingInstruction),
            1 => Just(NodeTest::Field),
            1 => Just(NodeTest::AnyField),
        ]
    }

    fn selectors() -> impl Strategy<Value = Vec<Selector>> {
        let selector = ("[a-zé_][a-z0-9-]{0,3}", any::<bool>()).prop_map(|(name, class)| match class {
            true => Selector::Class(name),
            false => Selector::Id(name),
        });
        prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(selector, 1..3)]
    }

    fn simple_form() -> impl Strategy<Value = StepForm> {
        let dotted = (
            prop::sample::select(vec![Axis::Attribute, Axis::Namespace, Axis::Style]),
            any::<bool>(),
            dotted(),
        );
        prop_oneof![
            1 => Just(StepForm::Dot),
            1 => Just(StepForm::DotDot),
            6 => (prop::sample::select(Axis::ALL.to_vec()), any::<bool>(), node_test(), selectors())
                .prop_map(|(axis, explicit, test, mut selectors)| {
                    if matches!(axis, Axis::Attribute | Axis::Namespace | Axis::Style) {
                        selectors.clear();
                    }
                    let explicit = explicit || !matches!(axis, Axis::Child | Axis::Attribute | Axis::Style);
                    StepForm::Full { axis, explicit, test, selectors }
                }),
            1 => dotted.prop_map(|(axis, explicit, name)| StepForm::Full {
                axis,
                explicit: explicit || axis == Axis::Namespace,
                test: NodeTest::Name(name),
                selectors: Vec::new(),
            }),
        ]
    }

    fn seconds() -> impl Strategy<Value = Option<f64>> {
        prop::option::of(prop::sample::select(vec![0.0, 0.5, 2.0, 60.0]))
    }

    fn options(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Options> {
        let some = (
            seconds(),
            prop::option::of(inner.prop_map(Box::new)),
            seconds(),
            any::<bool>(),
        );
        prop_oneof![
            2 => Just(Options::default()),
            1 => some.prop_map(|(wait, until, timeout, noback)| Options { wait, until, timeout, noback }),
        ]
    }

    fn action(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = StepForm> {
        let value = || inner.clone().prop_map(Box::new);
        let words = vec![
            ActionKind::Click,
            ActionKind::DoubleClick,
            ActionKind::MoveToHref,
            ActionKind::ClickWithChange,
            ActionKind::Mouse("wheel".to_owned()),
        ];
        let kind = prop_oneof![
            3 => prop::sample::select(words),
            1 => value().prop_map(ActionKind::Type),
            1 => value().prop_map(ActionKind::Press),
            1 => value().prop_map(ActionKind::Select),
            1 => any::<u32>().prop_map(ActionKind::SelectIndex),
        ];
        (kind, any::<bool>(), options(inner.clone())).prop_map(|(kind, absolute, options)| {
            StepForm::Action(Action {
                kind,
                absolute,
                options,
                span: Span::default(),
            })
        })
    }

    /// What can follow a step without a slash, but for the plain predicate.
    fn suffix(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = StepForm> {
        let one = inner.clone().prop_map(Box::new);
        let types = prop::collection::vec(name(), 0..3);
        let marker = (dotted(), types, prop::option::of(one.clone())).prop_map(|(name, types, value)| {
            StepForm::Marker(Marker {
                name,
                types,
                value,
                span: Span::default(),
            })
        });
        let doc = (one.clone(), options(inner.clone())).prop_map(|(url, options)| StepForm::Doc { url, options });
        prop_oneof![
            4 => marker,
            2 => one.prop_map(StepForm::Optional),
            2 => action(inner),
            1 => doc,
        ]
    }

    fn complex_form(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = StepForm> {
        let one = inner.clone().prop_map(Box::new);
        let intensional =
            (one.clone(), node_test(), selectors()).prop_map(|(condition, test, selectors)| StepForm::Intensional {
                condition,
                test,
                selectors,
            });
        let form = prop::sample::select(vec![KleeneForm::Star, KleeneForm::Plus, KleeneForm::Group]);
        let kleene = (one, form, 0..4_u32, prop::option::of(0..4_u32)).prop_map(|(body, form, least, more)| {
            let (min, max) = match form {
                KleeneForm::Star => (least, more.map(|more| least + more)),
                KleeneForm::Plus => (1, None),
                KleeneForm::Group => (1, Some(1)),
            };
            StepForm::Kleene { body, min, max, form }
        });
        let effect = suffix(inner).prop_filter("a suffix", |form| form.turns_page());
        prop_oneof![2 => intensional, 4 => kleene, 2 => effect]
    }

    /// Drops what the parser would have read otherwise.
    fn legal(start: &PathStart, steps: &mut Vec<Step>) {
        let mut at = 0;
        while at < steps.len() {
            let previous = at.checked_sub(1).map(|before| &steps[before].form);
            let bare = matches!(
                previous,
                None | Some(StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } | StepForm::Intensional { .. })
            );
            let wrong = match &steps[at].form {
                // It would have nothing to follow.
                _ if at == 0 && *start == PathStart::Root && steps[at].separator == Separator::None => true,
                StepForm::Marker(_) | StepForm::Optional(_) if at == 0 => *start == PathStart::Context,
                // It would be one of the predicates of the step.
                StepForm::Predicate(_) => bare,
                // It would be a bound.
                StepForm::Action(Action {
                    kind: ActionKind::SelectIndex(_),
                    ..
                }) if steps[at].separator == Separator::None => {
                    matches!(previous, Some(StepForm::Kleene { .. }))
                }
                // It would be a product, or a parenthesis.
                StepForm::Kleene { form, .. } if at == 0 && *start == PathStart::Context => {
                    *form == KleeneForm::Group
                        || ends_with_sign(&steps[at].form)
                            && steps.get(1).is_some_and(|next| {
                                next.separator != Separator::None || matches!(next.form, StepForm::Doc { .. })
                            })
                }
                _ => false,
            };
            if wrong {
                steps.remove(at);
                at = 0;
            } else {
                at += 1;
            }
        }
    }

    fn of(kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: Span::default(),
        }
    }

    /// Every tree the parser could give, of moderate size.
    fn expr() -> impl Strategy<Value = Expr> {
        let leaf = prop_oneof![
            text().prop_map(ExprKind::Literal),
            prop_oneof![(0..100_u32).prop_map(f64::from), any::<f64>().prop_map(f64::abs)]
                .prop_filter("a source has no such number", |number| !number.is_nan())
                .prop_map(ExprKind::Number),
            dotted().prop_map(ExprKind::Variable),
            Just(ExprKind::Path(Path {
                start: PathStart::Root,
                steps: vec![]
            })),
        ];
        leaf.prop_map(of).prop_recursive(6, 48, 4, |inner| {
            let some = |least: usize| prop::collection::vec(inner.clone(), least..4);
            let one = inner.clone().prop_map(Box::new);
            let op = {
                use BinaryOp::*;
                prop::sample::select(vec![
                    Equal,
                    NotEqual,
                    Less,
                    LessEqual,
                    Greater,
                    GreaterEqual,
                    Add,
                    Subtract,
                    Multiply,
                    Divide,
                    Modulo,
                    ContainsText,
                    ContainsWord,
                    Subset,
                ])
            };
            let separator = prop::sample::select(vec![Separator::Slash, Separator::DoubleSlash]);
            let of_form = |separator, form, predicates| Step {
                separator,
                form,
                predicates,
                span: Span::default(),
            };
            let boxed = inner.clone().boxed();
            let simple = (separator.clone(), simple_form(), some(0))
                .prop_map(move |(separator, form, predicates)| vec![of_form(separator, form, predicates)])
                .boxed();
            let complex = (separator, complex_form(boxed.clone()))
                .prop_map(move |(separator, form)| vec![of_form(separator, form, Vec::new())])
                .boxed();
            let suffixed = prop_oneof![
                3 => suffix(boxed.clone()),
                1 => one.clone().prop_map(StepForm::Predicate),
            ]
            .prop_map(move |form| vec![of_form(Separator::None, form, Vec::new())]);
            let start = prop_oneof![
                2 => Just(PathStart::Context),
                2 => Just(PathStart::Root),
                1 => one.clone().prop_map(PathStart::Expr),
            ];
            let steps = (
                prop_oneof![3 => simple.clone(), 1 => complex.clone()],
                prop::collection::vec(prop_oneof![3 => simple, 2 => complex, 2 => suffixed], 0..4),
            );
            let path = (start, steps).prop_map(|(start, (first, rest))| {
                let mut steps = [vec![first], rest].concat().concat();
                if start == PathStart::Context {
                    steps[0].separator = Separator::None;
                }
                legal(&start, &mut steps);
                if steps.is_empty() {
                    return ExprKind::Literal(String::new());
                }
                if start == PathStart::Context {
                    steps[0].separator = Separator::None;
                }
                ExprKind::Path(Path { start, steps })
            });
            let function = dotted().prop_filter("a node type is no function, and `press` an action", |name| {
                !["text", "press", "select", "doc"].contains(&&**name)
            });
            prop_oneof![
                some(2).prop_map(ExprKind::Or),
                some(2).prop_map(ExprKind::And),
                some(2).prop_map(ExprKind::Union),
                (op, one.clone(), one.clone()).prop_map(|(op, left, right)| ExprKind::Binary { op, left, right }),
                one.clone().prop_map(ExprKind::Negate),
                path.boxed(),
                (one, some(1)).prop_map(|(primary, predicates)| ExprKind::Filter { primary, predicates }),
                (function, some(0)).prop_map(|(name, args)| ExprKind::Call {
                    name,
                    name_span: Span::default(),
                    args
                }),
            ]
            .prop_map(of)
        })
    }

    #[test]
    fn parsing_undoes_printing() {
        // Generating a tree of these many forms takes more stack than reading one.
        let test = || {
            proptest!(|(expr in expr())| {
                let printed = expr.to_string();
                match parse(&printed) {
                    Err(errors) => prop_assert!(false, "{printed}: {errors:?}"),
                    Ok(mut parsed) => {
                        erase(&mut parsed);
                        prop_assert_eq!(parsed, expr, "{}", printed);
                    }
                }
            });
        };
        let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(test).unwrap();
        thread.join().unwrap();
    }
}

//! From tree to text: the canonical spelling of an expression.
//!
//! Printing is the inverse of parsing: the text of a tree that came from the parser parses to the same tree, spans
//! apart. Binary operators get a space on either side, parentheses stand only where the tree would change without them,
//! and abbreviations are kept, because the tree keeps them.
//!
//! Besides precedence, two things call for parentheses. A nested list of the same operator, `(a | b) | c`, is another
//! tree than `a | b | c`. And the path `/` takes what follows it for a step if it can: `/ * 2` is the path `/*` and
//! then nonsense, and `/ and a` starts with an element called `and`. So every expression is printed knowing whether `*`
//! or a word comes next, and `/` wraps itself if so.
//!
//! A tree built by a program can hold what no source can: a literal with both kinds of quotes, a negative number or
//! NaN, an unnamed axis other than child and attribute. These print as something readable, but do not come back as they
//! were.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{Axis, BinaryOp, Expr, ExprKind, NodeTest, Path, PathStart, Separator, Step, StepForm};

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
    pub const ALL: [Axis; 13] = [
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
        }
    }

    /// How tightly the operator binds: equality 2, relation 3, addition 4, multiplication 5.
    pub(super) fn level(self) -> u8 {
        match self {
            BinaryOp::Equal | BinaryOp::NotEqual => 2,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 3,
            BinaryOp::Add | BinaryOp::Subtract => 4,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 5,
        }
    }

    /// Would the operator be read as a node test after `/`?
    fn looks_like_a_step(self) -> bool {
        self.level() == BinaryOp::Multiply.level()
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        operand(f, self, level::OR, false)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.start {
            PathStart::Context => {}
            // The first separator says it, except for the path that has no step.
            PathStart::Root if self.steps.is_empty() => f.write_char('/')?,
            PathStart::Root => {}
            PathStart::Expr(start) => operand(f, start, level::FILTER, false)?,
        }
        self.steps.iter().try_for_each(|step| step.fmt(f))
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
                axis: Axis::Child,
                explicit: false,
                test,
            } => test.fmt(f),
            StepForm::Full {
                axis: Axis::Attribute,
                explicit: false,
                test,
            } => write!(f, "@{test}"),
            StepForm::Full { axis, test, .. } => write!(f, "{axis}::{test}"),
        }
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

/// Prints an expression where one of `level` or tighter may stand, `before_step` saying whether what is printed next
/// could be taken for a step.
fn operand(f: &mut Formatter<'_>, expr: &Expr, level: u8, before_step: bool) -> fmt::Result {
    let bare_root = matches!(&expr.kind, ExprKind::Path(path) if path.steps.is_empty());
    if level_of(&expr.kind) < level || (bare_root && before_step) {
        f.write_char('(')?;
        bare(f, expr, false)?;
        f.write_char(')')
    } else {
        bare(f, expr, before_step)
    }
}

/// Prints an expression without parentheses around it.
fn bare(f: &mut Formatter<'_>, expr: &Expr, before_step: bool) -> fmt::Result {
    match &expr.kind {
        ExprKind::Or(operands) => list(f, operands, " or ", level::AND, true, before_step),
        ExprKind::And(operands) => list(f, operands, " and ", level::AND + 1, true, before_step),
        ExprKind::Union(operands) => list(f, operands, " | ", level::PATH, false, before_step),
        ExprKind::Binary { op, left, right } => {
            operand(f, left, op.level(), op.looks_like_a_step())?;
            write!(f, " {op} ")?;
            operand(f, right, op.level() + 1, before_step)
        }
        ExprKind::Negate(inner) => {
            f.write_char('-')?;
            operand(f, inner, level::UNARY, before_step)
        }
        ExprKind::Path(path) => path.fmt(f),
        ExprKind::Filter {
            primary,
            predicates: list,
        } => {
            operand(f, primary, level::PRIMARY, false)?;
            predicates(f, list)
        }
        ExprKind::Literal(text) => literal(f, text),
        ExprKind::Number(number) => self::number(f, *number),
        ExprKind::Variable(name) => write!(f, "${name}"),
        ExprKind::Call { name, args, .. } => {
            write!(f, "{name}(")?;
            list(f, args, ", ", level::OR, false, false)?;
            f.write_char(')')
        }
    }
}

/// Prints expressions with a separator between them; `looks_like_a_step` is about the separator, `before_step` about
/// what follows the last.
fn list(
    f: &mut Formatter<'_>,
    exprs: &[Expr],
    separator: &str,
    level: u8,
    looks_like_a_step: bool,
    before_step: bool,
) -> fmt::Result {
    for (index, expr) in exprs.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        let last = index + 1 == exprs.len();
        operand(f, expr, level, if last { before_step } else { looks_like_a_step })?;
    }
    Ok(())
}

fn predicates(f: &mut Formatter<'_>, predicates: &[Expr]) -> fmt::Result {
    for predicate in predicates {
        f.write_char('[')?;
        operand(f, predicate, level::OR, false)?;
        f.write_char(']')?;
    }
    Ok(())
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

    use super::super::parse;
    use super::*;
    use crate::diag::Span;

    /// Erases the spans, so that trees compare by content.
    fn erase(expr: &mut Expr) {
        expr.span = Span::default();
        match &mut expr.kind {
            ExprKind::Or(list) | ExprKind::And(list) | ExprKind::Union(list) => list.iter_mut().for_each(erase),
            ExprKind::Binary { left, right, .. } => {
                erase(left);
                erase(right);
            }
            ExprKind::Negate(inner) => erase(inner),
            ExprKind::Path(path) => {
                if let PathStart::Expr(start) = &mut path.start {
                    erase(start);
                }
                for step in &mut path.steps {
                    step.span = Span::default();
                    step.predicates.iter_mut().for_each(erase);
                }
            }
            ExprKind::Filter { primary, predicates } => {
                erase(primary);
                predicates.iter_mut().for_each(erase);
            }
            ExprKind::Call { name_span, args, .. } => {
                *name_span = Span::default();
                args.iter_mut().for_each(erase);
            }
            ExprKind::Literal(_) | ExprKind::Number(_) | ExprKind::Variable(_) => {}
        }
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
            "a", "div", "mod", "and", "or", "text", "child", "p:q", "x-1", "a.b", "é", "_",
        ];
        prop_oneof![
            prop::sample::select(nasty.to_vec()).prop_map(str::to_owned),
            "[a-zA-Zé_][a-z0-9.-]{0,3}(:[a-z]{1,2})?",
        ]
        .prop_filter("an axis is no prefix", |name| {
            name.split_once(':')
                .is_none_or(|(prefix, _)| Axis::named(prefix).is_none())
        })
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
        ]
    }

    fn form() -> impl Strategy<Value = StepForm> {
        prop_oneof![
            1 => Just(StepForm::Dot),
            1 => Just(StepForm::DotDot),
            6 => (prop::sample::select(Axis::ALL.to_vec()), any::<bool>(), node_test()).prop_map(|(axis, explicit, test)| {
                let explicit = explicit || !matches!(axis, Axis::Child | Axis::Attribute);
                StepForm::Full { axis, explicit, test }
            }),
        ]
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
            name().prop_map(ExprKind::Variable),
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
                ])
            };
            let step = (any::<bool>(), form(), some(0)).prop_map(|(double, form, predicates)| Step {
                separator: if double {
                    Separator::DoubleSlash
                } else {
                    Separator::Slash
                },
                form,
                predicates,
                span: Span::default(),
            });
            let start = prop_oneof![
                2 => Just(PathStart::Context),
                2 => Just(PathStart::Root),
                1 => one.clone().prop_map(PathStart::Expr),
            ];
            let path = (start, prop::collection::vec(step, 1..4)).prop_map(|(start, mut steps)| {
                if start == PathStart::Context {
                    steps[0].separator = Separator::None;
                }
                ExprKind::Path(Path { start, steps })
            });
            let function = name().prop_filter("a node type is no function", |name| name != "text");
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

    proptest! {
        #[test]
        fn parsing_undoes_printing(expr in expr()) {
            let printed = expr.to_string();
            match parse(&printed) {
                Err(errors) => prop_assert!(false, "{printed}: {errors:?}"),
                Ok(mut parsed) => {
                    erase(&mut parsed);
                    prop_assert_eq!(parsed, expr, "{}", printed);
                }
            }
        }
    }
}

//! Tests of `print`.

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

/// The same for a source that is already canonical.
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
        ActionKind::RightClick,
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

/// What can follow a step without a slash, except for the plain predicate.
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

/// Removes what the parser would have read differently.
fn legal(start: &PathStart, steps: &mut Vec<Step>) {
    let mut at = 0;
    while at < steps.len() {
        let previous = at.checked_sub(1).map(|before| &steps[before].form);
        let bare = matches!(
            previous,
            None | Some(StepForm::Dot | StepForm::DotDot | StepForm::Full { .. } | StepForm::Intensional { .. })
        );
        let wrong = match &steps[at].form {
            // There would be nothing for it to follow.
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

/// Every tree that the parser could produce, of moderate size.
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
            some(2).prop_map(ExprKind::FirstOf),
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

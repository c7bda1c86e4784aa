//! Tests of `parser`.

use proptest::prelude::*;

use super::*;
use crate::check::{Dialect, check, check_as};
use crate::diag::assert_shown;

#[track_caller]
fn fails(source: &str, expected: &str) {
    match parse(source) {
        Ok(expr) => panic!("{source} parses as {expr}"),
        Err(errors) => assert_shown(source, &errors, expected),
    }
}

#[test]
fn nothing_and_half_of_something() {
    fails(
        "",
        r#"
            error XPST0003 at 0..0 ``: expected an expression, found nothing
            "#,
    );
    fails(
        "(: nothing :)",
        r#"
            error XPST0003 at 0..0 ``: expected an expression, found nothing
            "#,
    );
    fails(
        "a =",
        r#"
            error XPST0003 at 3..3 ``: expected an expression after `=`, found the end of the expression
            "#,
    );
    fails(
        "a = = b",
        r#"
            error XPST0003 at 4..5 `=`: expected an expression after `=`, found `=`
            "#,
    );
    fails(
        "a[b = ]",
        r#"
            error XPST0003 at 6..7 `]`: expected an expression after `=`, found `]`
            "#,
    );
    fails(
        "f(a,)",
        r#"
            error XPST0003 at 4..5 `)`: expected an expression after `,`, found `)`
            "#,
    );
    fails(
        "f(,a)",
        r#"
            error XPST0003 at 2..3 `,`: expected an expression after `(`, found `,`
            "#,
    );
    fails(
        "()",
        r#"
            error XPST0003 at 1..2 `)`: expected an expression between the parentheses, found `)`
            "#,
    );
}

#[test]
fn brackets() {
    fails(
        "//a[b",
        r#"
            error XPST0003 at 5..5 ``: expected `]`, found the end of the expression
              see 3..4 `[`: opened here
              hint: add `]`
            "#,
    );
    fails(
        "count(//a[b",
        r#"
            error XPST0003 at 11..11 ``: expected `]`, found the end of the expression
              see 9..10 `[`: opened here
              hint: add `])`
            "#,
    );
    fails(
        "((((a)",
        r#"
            error XPST0003 at 6..6 ``: expected `)`, found the end of the expression
              see 2..3 `(`: opened here
              hint: add `)))`
            "#,
    );
    fails(
        r#"//a[contains(@class, "x"]"#,
        r#"
            error XPST0003 at 24..25 `]`: expected `)`, found `]`
              see 12..13 `(`: opened here
              hint: add `)` before `]`
            "#,
    );
    fails(
        "//a[]",
        r#"
            error XPST0003 at 4..5 `]`: expected a condition or a position between the brackets, found `]`
              label: the predicate is empty
              hint: remove `[]`, or write a predicate such as `[1]` or `[@id]`
            "#,
    );
    fails(
        "//a)",
        r#"
            error XPST0003 at 3..4 `)`: expected the end of the expression, found `)`
              label: no `(` is open here
              hint: remove `)`
            "#,
    );
    fails(
        "//a]]",
        r#"
            error XPST0003 at 3..4 `]`: expected the end of the expression, found `]`
              label: no `[` is open here
              hint: remove `]`
            "#,
    );
    fails(
        "//a[1]]/b[c",
        r#"
            error XPST0003 at 6..7 `]`: expected the end of the expression, found `]`
              label: no `[` is open here
              hint: remove `]`
            error XPST0003 at 11..11 ``: expected `]`, found the end of the expression
              see 9..10 `[`: opened here
              hint: add `]`
            "#,
    );
    fails(
        "a)(b",
        r#"
            error XPST0003 at 1..2 `)`: expected the end of the expression, found `)`
              label: no `(` is open here
              hint: remove `)`
            error XPST0003 at 4..4 ``: expected `)`, found the end of the expression
              see 2..3 `(`: opened here
              hint: add `)`
            "#,
    );
}

#[test]
fn literals_and_comments() {
    fails(
        r#"//a[@class="x]"#,
        r#"
            error XPST0003 at 11..12 `"`: expected a closing `"`, found the end of the expression
              label: opened here
              hint: add `"` where the text ends
            "#,
    );
    fails(
        r#"contains(., 'it\'s')"#,
        r#"
            error XPST0003 at 18..19 `'`: expected a closing `'`, found the end of the expression
              label: opened here
              see 15..16 `\`: a backslash does not escape
              hint: put a text that contains `'` between `"`
            "#,
    );
    fails(
        "“x” = ‘y’",
        r#"
            error XPST0003 at 0..3 `“`: expected a straight quote `"`, found `“`
              label: a typographic quote
              hint: write `"x"`
            error XPST0003 at 10..13 `‘`: expected a straight quote `'`, found `‘`
              label: a typographic quote
              hint: write `'y'`
            "#,
    );
    fails(
        "a (: open (: twice :)",
        r#"
            error XPST0003 at 2..4 `(:`: expected `:)`, found the end of the expression
              label: comment opened here
              hint: add `:)`
            "#,
    );
    fails(
        "a :)",
        r#"
            error XPST0003 at 2..3 `:`: unexpected `:`
              hint: no comment is open; comments begin with `(:`
            "#,
    );
}

#[test]
fn axes() {
    fails(
        "foo::a",
        r#"
            error XPST0003 at 0..3 `foo`: expected an axis, found `foo`
              label: no such axis
              hint: the axes are ancestor, ancestor-or-self, attribute, child, descendant, descendant-or-self, following, following-sibling, namespace, parent, preceding, preceding-sibling, self, style
            "#,
    );
    fails(
        "decendant::a",
        r#"
            error XPST0003 at 0..9 `decendant`: expected an axis, found `decendant`
              label: no such axis
              hint: did you mean `descendant::`?
            "#,
    );
    fails(
        "Child::a",
        r#"
            error XPST0003 at 0..5 `Child`: expected an axis, found `Child`
              label: no such axis
              hint: did you mean `child::`?
            "#,
    );
    fails(
        "a/descendant:a",
        r#"
            error XPST0081 at 2..14 `descendant:a`: expected `::` after the axis `descendant`, found `:`
              label: `descendant` is an axis, not a prefix
              hint: did you mean `descendant::a`?
            "#,
    );
    fails(
        "descendant:text()",
        r#"
            error XPST0081 at 0..15 `descendant:text`: expected `::` after the axis `descendant`, found `:`
              label: `descendant` is an axis, not a prefix
              hint: did you mean `descendant::text()`?
            "#,
    );
    fails(
        "self:*",
        r#"
            error XPST0081 at 0..6 `self:*`: expected `::` after the axis `self`, found `:`
              label: `self` is an axis, not a prefix
              hint: did you mean `self::*`?
            "#,
    );
    fails(
        "//a[child:=b]",
        r#"
            error XPST0003 at 9..11 `:=`: expected `::` after the axis `child`, found `:=`
              hint: write two colons after an axis: `child::`
            "#,
    );
    fails(
        "child:",
        r#"
            error XPST0003 at 5..6 `:`: unexpected `:`
              hint: write two colons after an axis: `child::`
            "#,
    );
    fails(
        "child::",
        r#"
            error XPST0003 at 7..7 ``: expected a name, `*` or `node()` after `::`, found the end of the expression
            "#,
    );
}

#[test]
fn operators_of_other_languages() {
    fails(
        "a == b",
        r#"
            error XPST0003 at 2..4 `==`: expected `=`, found `==`
              label: not an operator of XPath
              hint: write `=`
            "#,
    );
    fails(
        "a && b || c",
        r#"
            error XPST0003 at 2..4 `&&`: expected `and`, found `&&`
              label: not an operator of XPath
              hint: write `and`
            error XPST0003 at 7..9 `||`: expected `or`, found `||`
              label: not an operator of XPath
              hint: write `or`
            "#,
    );
    fails(
        "a <> b % c",
        r#"
            error XPST0003 at 2..4 `<>`: expected `!=`, found `<>`
              label: not an operator of XPath
              hint: write `!=`
            error XPST0003 at 7..8 `%`: expected `mod`, found `%`
              label: not an operator of XPath
              hint: write `mod`
            "#,
    );
    fails(
        "//a[@b eq 'x' AND @c ne 'y']",
        r#"
            error XPST0003 at 7..9 `eq`: expected `=`, found `eq`
              label: not an operator of XPath
              hint: write `=`
            error XPST0003 at 14..17 `AND`: expected `and`, found `AND`
              label: not an operator of XPath
              hint: write `and`
            error XPST0003 at 21..23 `ne`: expected `!=`, found `ne`
              label: not an operator of XPath
              hint: write `!=`
            "#,
    );
    fails(
        "!a",
        r#"
            error XPST0003 at 0..1 `!`: expected `not(…)`, found `!`
              label: not an operator of XPath
              hint: write `not(a)`
            "#,
    );
    fails(
        "//a[!b and - !!c]",
        r#"
            error XPST0003 at 4..5 `!`: expected `not(…)`, found `!`
              label: not an operator of XPath
              hint: write `not(b)`
            error XPST0003 at 13..14 `!`: expected `not(…)`, found `!`
              label: not an operator of XPath
              hint: write `not(c)`
            "#,
    );
    fails(
        "!",
        r#"
            error XPST0003 at 1..1 ``: expected an expression after `!`, found the end of the expression
            "#,
    );
    fails(
        "a ! b",
        r#"
            error XPST0003 at 2..3 `!`: expected an operator or the end of the expression, found `!`
            "#,
    );
    fails(
        "for $x in //a return $x",
        r#"
            error XPST0003 at 4..6 `$x`: expected an operator or the end of the expression, found `$x`
              hint: `for` belongs to XPath 2.0 and later
            "#,
    );
    fails(
        "if (a) then b else c",
        r#"
            error XPST0003 at 7..11 `then`: expected an operator or the end of the expression, found `then`
              hint: `if` belongs to XPath 2.0 and later
            "#,
    );
}

#[test]
fn steps() {
    fails(
        "//",
        r#"
            error XPST0003 at 2..2 ``: expected a step after `//`, found the end of the expression
              hint: name what to look for, as in `//a` or `//*`
            "#,
    );
    fails(
        "a/",
        r#"
            error XPST0003 at 2..2 ``: expected a step after `/`, found the end of the expression
              hint: remove `/`, or add a step such as `*`
            "#,
    );
    fails(
        "a[//]",
        r#"
            error XPST0003 at 4..5 `]`: expected a step after `//`, found `]`
              hint: remove `//`, or add a step such as `*`
            "#,
    );
    fails(
        "a///b",
        r#"
            error XPST0003 at 3..4 `/`: expected a step after `//`, found `/`
            "#,
    );
    fails(
        "@",
        r#"
            error XPST0003 at 1..1 ``: expected an attribute's name after `@`, found the end of the expression
              hint: write `@*` for all attributes
            "#,
    );
    fails(
        "@[1]",
        r#"
            error XPST0003 at 1..2 `[`: expected an attribute's name after `@`, found `[`
              hint: write `@*` for all attributes
            "#,
    );
    fails(
        "a/string()",
        r#"
            error XPST0003 at 2..8 `string`: expected a step, found `string`
              label: a function is not a step
              hint: apply the function to the path: `string(a)`
            "#,
    );
    fails(
        "a/contains(., 'x')/b",
        r#"
            error XPST0003 at 2..10 `contains`: expected a step, found `contains`
              label: a function is not a step
              hint: apply the function to the path: `contains(a, …)`
            "#,
    );
    fails(
        "a/TEXT()",
        r#"
            error XPST0003 at 2..6 `TEXT`: expected a step, found `TEXT`
              label: a function is not a step
              hint: did you mean `text()`?
            "#,
    );
    fails(
        "child::foo(1)",
        r#"
            error XPST0003 at 7..10 `foo`: expected a step, found `foo`
              label: a function is not a step
            "#,
    );
    fails(
        "text(1)",
        r#"
            error XPST0003 at 5..6 `1`: expected `)`, found `1`
              label: `text()` takes no argument
            "#,
    );
}

#[test]
fn selectors_of_css() {
    fails(
        "div.item a",
        r#"
            error XPST0003 at 9..10 `a`: expected an operator or the end of the expression, found `a`
              hint: to find `a` below that, write `//a`
            "#,
    );
    fails(
        "# id",
        r#"
            error XPST0003 at 0..1 `#`: unexpected `#`
            "#,
    );
    fails(
        "div a",
        r#"
            error XPST0003 at 4..5 `a`: expected an operator or the end of the expression, found `a`
              hint: to find `a` below `div`, write `div//a`
            "#,
    );
    fails(
        "a, b",
        r#"
            error XPST0003 at 1..2 `,`: expected an operator or the end of the expression, found `,`
              hint: write `|` to unite two paths
            "#,
    );
    fails(
        r#"a[href^="x"]"#,
        r#"
            error XPST0003 at 6..8 `^=`: `^=` is an operator of CSS, not of XPath
              hint: write `starts-with(@href, …)`
            "#,
    );
    fails(
        "a[@href*='x'][@id$='y']",
        r#"
            error XPST0003 at 7..9 `*=`: `*=` is an operator of CSS, not of XPath
              hint: write `contains(@href, …)`
            error XPST0003 at 17..19 `$=`: `$=` is an operator of CSS, not of XPath
              hint: write `ends-with(@id, …)`
            "#,
    );
}

#[test]
fn strange_characters() {
    fails(
        "a: b",
        r#"
            error XPST0003 at 1..2 `:`: unexpected `:`
              hint: a colon stands between prefix and name, without spaces
            "#,
    );
    fails(
        "$ x",
        r#"
            error XPST0003 at 0..1 `$`: expected a variable's name right after `$`, found a space
              hint: write it like `$name`
            "#,
    );
    fails(
        r#"a\b"#,
        r#"
            error XPST0003 at 1..2 `\`: unexpected `\`
              hint: steps are separated by `/`
            "#,
    );
    fails(
        "a\u{A0}=\u{A0}b",
        r#"
            error XPST0003 at 1..3 ` `: expected a plain space, found U+00A0
              label: not white space in XPath
              hint: replace it by a plain space
            error XPST0003 at 4..6 ` `: expected a plain space, found U+00A0
              label: not white space in XPath
              hint: replace it by a plain space
            "#,
    );
}

#[test]
fn missing_operators() {
    fails(
        "1 2",
        r#"
            error XPST0003 at 2..3 `2`: expected an operator or the end of the expression, found `2`
            "#,
    );
    fails(
        "//a[b c]",
        r#"
            error XPST0003 at 6..7 `c`: expected an operator or `]`, found `c`
              hint: to find `c` below `b`, write `b//c`
            "#,
    );
    fails(
        r#"a[@x="1" @y="2"]"#,
        r#"
            error XPST0003 at 9..10 `@`: expected an operator or `]`, found `@`
              hint: to demand both, write `and` between them
            "#,
    );
    fails(
        r#"//div[@class="a"]text()"#,
        r#"
            error XPST0003 at 17..21 `text`: expected an operator or the end of the expression, found `text`
              hint: to go on to a child, write `/text()`
            "#,
    );
    fails(
        r#"//div[@class="a"]@href"#,
        r#"
            error XPST0003 at 17..18 `@`: expected an operator or the end of the expression, found `@`
              hint: to go on to an attribute, write `/@`
            "#,
    );
    fails(
        "f(a b, c d)[e f]",
        r#"
            error XPST0003 at 4..5 `b`: expected an operator or `)`, found `b`
              hint: to find `b` below `a`, write `a//b`
            error XPST0003 at 14..15 `f`: expected an operator or `]`, found `f`
              hint: to find `f` below `e`, write `e//f`
            "#,
    );
}

#[test]
fn several_at_once() {
    fails(
        "//a[b = #]/c[^]",
        r#"
            error XPST0003 at 8..9 `#`: unexpected `#`
            error XPST0003 at 14..15 `]`: expected a property of style after `^`, found `]`
              hint: write it like `^color`
            "#,
    );
    fails(
        "a[1 2]/b[]/c[",
        r#"
            error XPST0003 at 4..5 `2`: expected an operator or `]`, found `2`
              hint: to demand both, write `and` between them
            error XPST0003 at 9..10 `]`: expected a condition or a position between the brackets, found `]`
              label: the predicate is empty
              hint: remove `[]`, or write a predicate such as `[1]` or `[@id]`
            error XPST0003 at 13..13 ``: expected an expression after `[`, found the end of the expression
            "#,
    );
    fails(
        "//decendant::a[@b == 'c']/text(1)/foo::b[",
        r#"
            error XPST0003 at 2..11 `decendant`: expected an axis, found `decendant`
              label: no such axis
              hint: did you mean `descendant::`?
            error XPST0003 at 18..20 `==`: expected `=`, found `==`
              label: not an operator of XPath
              hint: write `=`
            error XPST0003 at 31..32 `1`: expected `)`, found `1`
              label: `text()` takes no argument
            error XPST0003 at 34..37 `foo`: expected an axis, found `foo`
              label: no such axis
              hint: the axes are ancestor, ancestor-or-self, attribute, child, descendant, descendant-or-self, following, following-sibling, namespace, parent, preceding, preceding-sibling, self, style
            error XPST0003 at 41..41 ``: expected an expression after `[`, found the end of the expression
            "#,
    );
}

#[test]
fn spans() {
    let source = " //a [ 1 ] / (: x :) @b | ( c ) + -f( $x ) ";
    let expr = parse(source).unwrap();
    let text = |span: Span| &source[span.range()];
    let ExprKind::Binary { left, right, .. } = &expr.kind else {
        panic!("{expr:?}")
    };
    assert_eq!(text(expr.span), "//a [ 1 ] / (: x :) @b | ( c ) + -f( $x )");
    assert_eq!(text(left.span), "//a [ 1 ] / (: x :) @b | ( c )");
    assert_eq!(text(right.span), "-f( $x )");
    let ExprKind::Union(operands) = &left.kind else {
        panic!("{left:?}")
    };
    assert_eq!(text(operands[0].span), "//a [ 1 ] / (: x :) @b");
    assert_eq!(text(operands[1].span), "( c )");
    let ExprKind::Path(path) = &operands[0].kind else {
        panic!("{operands:?}")
    };
    assert_eq!(text(path.steps[0].span), "a [ 1 ]");
    assert_eq!(text(path.steps[0].predicates[0].span), "1");
    assert_eq!(text(path.steps[1].span), "@b");
    let ExprKind::Negate(call) = &right.kind else {
        panic!("{right:?}")
    };
    let ExprKind::Call { name_span, args, .. } = &call.kind else {
        panic!("{call:?}")
    };
    assert_eq!(
        (text(call.span), text(*name_span), text(args[0].span)),
        ("f( $x )", "f", "$x")
    );
}

/// Runs on three quarters of the stack a thread gets by default, which every pass over a tree must fit.
fn on_a_small_stack(test: fn()) {
    std::thread::Builder::new()
        .stack_size(3 << 19)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap();
}

/// Is the source refused for its nesting? If it is not, it must parse and all passes must succeed.
fn is_refused(source: &str) -> bool {
    match parse(source) {
        Ok(expr) => {
            let copy = expr.clone();
            assert!(copy == expr);
            drop(copy);
            assert_eq!(parse(&expr.to_string()).unwrap().to_string(), expr.to_string());
            let _ = check(&expr, &[]);
            let _ = check_as(Dialect::OXPath, &expr, &[]);
            let _ = crate::normalize(&expr);
            let _ = format!("{expr:?}");
            false
        }
        Err(errors) => {
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert_eq!(errors[0].code, Code::LimitExceeded);
            true
        }
    }
}

#[test]
fn nesting_is_limited() {
    on_a_small_stack(|| {
        // What is repeated around a `1`, and the number of levels in it.
        for (opening, closing, levels) in [
            ("(", ")", 1),
            ("-", "", 1),
            ("-(", ")", 1),
            ("f(", ")", 1),
            ("a[", "]", 1),
            ("a/b[", "]", 1),
            ("1[", "]", 1),
            ("(a)/b[", "]", 1),
            ("1 + (", ")", 2),
            ("1 or (", ")", 2),
            ("1 ?? (", ")", 2),
            ("a or b and c = d < e + f * g | (", ")", 8),
            ("a/(", ")*", 1),
            ("(", ")*", 1),
            ("a[? ", "]", 1),
            ("a:<x=", ">", 1),
            ("[", "]::a", 1),
            ("doc(", ")", 1),
            ("a/{(", ")}", 1),
            ("a/{click [until=", "]}", 1),
        ] {
            let nested = |depth: usize| format!("{}1{}", opening.repeat(depth), closing.repeat(depth));
            assert!(!is_refused(&nested((MAX_DEPTH - 1) / levels)), "{opening}");
            assert!(is_refused(&nested(MAX_DEPTH / levels + 1)), "{opening}");
            assert!(is_refused(&nested(10_000)), "{opening}");
        }
    });
}

#[test]
fn left_associative_chains_are_nesting() {
    on_a_small_stack(|| {
        let chain = |length: usize| vec!["1"; length].join(" + ");
        assert!(!is_refused(&chain(MAX_DEPTH)));
        assert!(is_refused(&chain(MAX_DEPTH + 1)));
        assert!(is_refused(&chain(10_000)));
        // Neither deep nor long, but high.
        let stairs = (0..20).fold("1".to_owned(), |inner, _| format!("({inner}){}", " + 1".repeat(20)));
        assert!(is_refused(&stairs));
    });
}

#[test]
fn flat_chains_are_not() {
    on_a_small_stack(|| {
        for separator in [" or ", " and ", " | ", " ?? ", "/", "//"] {
            assert!(!is_refused(&vec!["a"; 100_000].join(separator)), "{separator}");
        }
        for suffix in ["[b]", ":<x>", "[? b]", "{focus}", ".b", "/(b)*", " doc('u')"] {
            assert!(!is_refused(&format!("a{}", suffix.repeat(100_000))), "{suffix}");
        }
        assert!(!is_refused(&format!("f({})", vec!["a"; 100_000].join(", "))));
    });
}

#[test]
fn length_is_limited() {
    assert!(parse(&" ".repeat(MAX_SOURCE - 1).replacen(' ', "a ", 1)).is_ok());
    let errors = parse(&"a".repeat(MAX_SOURCE + 1)).unwrap_err();
    assert_eq!(errors[0].message, "expected at most 1048576 bytes, found 1048577");
}

#[test]
fn complaints_are_limited() {
    for piece in [
        "# ", "a b ", "{", "}", ":<", "a:<1>", "{x}", "{<", "[", "]", "(", ")", "a[]/", "!a ", "== ", ", ", "$ ",
        "a:: ",
    ] {
        let source = piece.repeat(20_000);
        let errors = parse(&source).unwrap_err();
        assert!(
            (1..=MAX_DIAGNOSTICS).contains(&errors.len()),
            "{piece}: {}",
            errors.len()
        );
    }
}

/// What must be true for any source: a tree that prints and parses again, or a few errors in order and in range.
fn is_sane(source: &str) {
    let diagnostics = match parse(source) {
        Ok(expr) => {
            let printed = expr.to_string();
            assert_eq!(
                parse(&printed).expect("what is printed parses").to_string(),
                printed,
                "{source}"
            );
            let mut found = check_as(Dialect::OXPath, &expr, &[]);
            assert!(found.is_sorted_by_key(|diagnostic| diagnostic.span.start));
            found.extend(check(&expr, &[]));
            found.sort_by_key(|diagnostic| diagnostic.span.start);
            let _ = crate::normalize(&expr);
            found
        }
        Err(errors) => {
            assert!((1..=MAX_DIAGNOSTICS).contains(&errors.len()));
            errors
        }
    };
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
    for diagnostic in diagnostics {
        let second = diagnostic.secondary.iter().map(|(span, _)| *span);
        for span in second.chain([diagnostic.span]) {
            assert!(source.get(span.range()).is_some(), "{source}: {diagnostic:?}");
        }
    }
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
            "a div text() text node( p:q p:* * @ :: : child:: child: foo:: / // . .. [ ] ( ) , | + - = != ! < <= > >= \
             and or mod not( f( $x $ 1 .5 2. \"x\" 'y' \" ' “ ” # ^= *= == && || % (: :) { } \\ é \u{A0} eq AND 日 :< :<x :<y= \
             > .c #d ^ ~ ~= #= subset [? doc( {click /} {click} {press wait= [wait=2] until= noback ,[ )* )+ )*{1, )*{2} \
             $lhs ]:: field() ${x} /( //("
                .split(' ')
                .collect::<Vec<_>>(),
        );
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", "\n"])), 0..24)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_handled(source in "\\PC{0,60}") {
        is_sane(&source);
    }

    #[test]
    fn any_tokens_are_handled(source in soup()) {
        is_sane(&source);
    }
}

//! Tests of `check`.

use super::*;
use crate::diag::{assert_shown, show};
use crate::syntax::parse;

#[track_caller]
fn finds(source: &str, expected: &str) {
    let expr = parse(source).unwrap_or_else(|errors| panic!("{}", show(source, &errors)));
    assert_shown(source, &check(&expr, &["city", "n"]), expected);
}

#[test]
fn nothing_to_object_to() {
    for source in [
        "//a[@href]/text()",
        "count(//a | //b) = 3",
        "$city/a[$n]",
        "($city | //a)[1]",
        "id('x')/a",
        "sum(//td) div count($n)",
        "concat('a', 1, true(), //b)",
        "a[1][last()][position() = 2][position() > 0][1 = 1]",
        "@href/..",
        "@href/parent::a/b",
        "text()/following-sibling::a",
        "text()/..//a",
        "//a/@href/self::node()",
        "my-el.x/p:q.r/@data.x",
        "//a.b#c[.d]/text()[. ~ 'x' and . ~= 'y']",
        "//a[b subset c]/(d/..)*//field()",
        "//label/[$lhs/@for = $rhs/@id]::input",
        "//a[b.c > d]",
        "name() = 'a'",
        "string-join(//a, ', ')",
        "string()",
        "count(id('x')[2])",
        "a['x' = @b]",
    ] {
        finds(source, "");
    }
}

#[test]
fn types() {
    let check = |source: &str, expected| assert_eq!(static_type(&parse(source).unwrap()), expected, "{source}");
    check("a", Type::NodeSet);
    check("a | b", Type::NodeSet);
    check("$x", Type::Any);
    check("$x[1]", Type::NodeSet);
    check("a or b", Type::Boolean);
    check("a < b", Type::Boolean);
    check("a - b", Type::Number);
    check("-a", Type::Number);
    check("'a'", Type::String);
    check("count(a)", Type::Number);
    check("id('a')", Type::NodeSet);
    check("unheard-of()", Type::Any);
}

#[test]
fn functions() {
    finds(
        "unheard-of(a)",
        r#"
            error XPST0017 at 0..10 `unheard-of`: unknown function `unheard-of`
              label: no such function
            "#,
    );
    finds(
        "lower(a)",
        r#"
            error XPST0017 at 0..5 `lower`: unknown function `lower`
              label: no such function
              hint: did you mean `lower-case(…)`?
            "#,
    );
    finds(
        "TEXT()",
        r#"
            error XPST0017 at 0..4 `TEXT`: unknown function `TEXT`
              label: no such function
              hint: did you mean `text()`?
            "#,
    );
    finds(
        "normalise-space(.)",
        r#"
            error XPST0017 at 0..15 `normalise-space`: unknown function `normalise-space`
              label: no such function
              hint: did you mean `normalize-space(…)`?
            "#,
    );
    finds(
        "fn:contains(a, b)",
        r#"
            error XPST0017 at 0..11 `fn:contains`: unknown function `fn:contains`
              label: no such function
              hint: write it without the prefix: `contains(…)`
            "#,
    );
    finds(
        "last(1)",
        r#"
            error XPST0017 at 0..7 `last(1)`: `last` takes no arguments, found 1
              hint: it is `last()`: how many nodes the context has
            "#,
    );
    finds(
        "contains(a)",
        r#"
            error XPST0017 at 0..11 `contains(a)`: `contains` takes 2 arguments, found 1
              hint: it is `contains(string, string)`: does the first contain the second?
            "#,
    );
    finds(
        "substring(a)",
        r#"
            error XPST0017 at 0..12 `substring(a)`: `substring` takes 2 or 3 arguments, found 1
              hint: it is `substring(string, number, number?)`: the part from a position, counted from 1, of a length
            "#,
    );
    finds(
        "concat(a)",
        r#"
            error XPST0017 at 0..9 `concat(a)`: `concat` takes at least 2 arguments, found 1
              hint: it is `concat(string, string, …)`: the strings one after the other
            "#,
    );
    finds(
        "name(a, b)",
        r#"
            error XPST0017 at 0..10 `name(a, b)`: `name` takes at most 1 argument, found 2
              hint: it is `name(node-set?)`: the first node's name
            "#,
    );
}

#[test]
fn node_sets() {
    finds(
        r#"count("x")"#,
        r#"
            error XPTY0004 at 6..9 `"x"`: expected a node-set as the argument of `count`, found a string
              label: this is a string
              hint: without quotes it is a path: `x`
            "#,
    );
    finds(
        "sum(1)",
        r#"
            error XPTY0004 at 4..5 `1`: expected a node-set as the argument of `sum`, found a number
              label: this is a number
            "#,
    );
    finds(
        "(1)/a",
        r#"
            error XPTY0004 at 0..3 `(1)`: expected a node-set before `/`, found a number
              label: this is a number
            "#,
    );
    finds(
        r#""a" | b"#,
        r#"
            error XPTY0004 at 0..3 `"a"`: expected a node-set as an operand of `|`, found a string
              label: this is a string
              hint: without quotes it is a path: `a`
            "#,
    );
    finds(
        "(1)[2]",
        r#"
            error XPTY0004 at 0..3 `(1)`: expected a node-set before a predicate, found a number
              label: this is a number
            "#,
    );
    finds(
        "(a or b)//c | id(-1)",
        r#"
            error XPTY0004 at 0..8 `(a or b)`: expected a node-set before `/`, found a boolean
              label: this is a boolean
            "#,
    );
}

#[test]
fn variables() {
    finds(
        "$x",
        r#"
            error XPST0008 at 0..2 `$x`: unknown variable `$x`
              label: never bound
              hint: the variables bound are `$city`, `$n`
            "#,
    );
    finds(
        "$cty",
        r#"
            error XPST0008 at 0..4 `$cty`: unknown variable `$cty`
              label: never bound
              hint: did you mean `$city`?
            "#,
    );
}

#[test]
fn steps_that_cannot_match() {
    finds(
        "@href/a",
        r#"
            warning XPST0005 at 6..7 `a`: `a` can never match: an attribute has no children
              see 0..5 `@href`: this is an attribute
            "#,
    );
    finds(
        "@href//a",
        r#"
            warning XPST0005 at 7..8 `a`: `a` can never match: an attribute has no children
              see 0..5 `@href`: this is an attribute
            "#,
    );
    finds(
        "@a/@b",
        r#"
            warning XPST0005 at 3..5 `@b`: `@b` can never match: an attribute has no attributes
              see 0..2 `@a`: this is an attribute
            "#,
    );
    finds(
        "a/text()/./b/c",
        r#"
            warning XPST0005 at 11..12 `b`: `b` can never match: a text node has no children
              see 2..8 `text()`: this is a text node
            "#,
    );
    finds(
        "comment()[1]/descendant::a",
        r#"
            warning XPST0005 at 13..26 `descendant::a`: `descendant::a` can never match: a comment has no children
              see 0..12 `comment()[1]`: this is a comment
            "#,
    );
    finds(
        "@a/following-sibling::b",
        r#"
            warning XPST0005 at 3..23 `following-sibling::b`: `following-sibling::b` can never match: an attribute has no siblings
              see 0..2 `@a`: this is an attribute
            "#,
    );
}

#[test]
fn constant_predicates() {
    finds(
        "a[0]",
        r#"
            warning XPST0005 at 2..3 `0`: this predicate is never true
              hint: positions are counted from 1; write `[1]` for the first
            "#,
    );
    finds(
        "a[-1]",
        r#"
            warning XPST0005 at 2..4 `-1`: this predicate is never true
              hint: write `[last()]` for the last
            "#,
    );
    finds(
        "a[-2]",
        r#"
            warning XPST0005 at 2..4 `-2`: this predicate is never true
              hint: to count from the end, subtract from `last()`, as in `[last() - 1]`
            "#,
    );
    finds(
        "a[1.5]",
        r#"
            warning XPST0005 at 2..5 `1.5`: this predicate is never true
            "#,
    );
    finds(
        "a[position() = 0]",
        r#"
            warning XPST0005 at 2..16 `position() = 0`: this predicate is never true
              hint: positions are counted from 1; write `[1]` for the first
            "#,
    );
    finds(
        "a[0 = position()]",
        r#"
            warning XPST0005 at 2..16 `0 = position()`: this predicate is never true
              hint: positions are counted from 1; write `[1]` for the first
            "#,
    );
    finds(
        r#"a["x"]['']"#,
        r#"
            warning WW0001 at 2..5 `"x"`: this predicate is always true
            warning XPST0005 at 7..9 `''`: this predicate is never true
            "#,
    );
    finds(
        "a[true()]/b[false()]",
        r#"
            warning WW0001 at 2..8 `true()`: this predicate is always true
            warning XPST0005 at 12..19 `false()`: this predicate is never true
            "#,
    );
}

#[test]
fn classes_of_css() {
    finds(
        "div.item > a",
        r#"
            warning WW0002 at 0..12 `div.item > a`: `>` compares values; it does not select children
              label: this is CSS
              hint: write `//div.item/a`
            "#,
    );
    finds(
        "#main > ul > li",
        r#"
            warning WW0002 at 0..15 `#main > ul > li`: `>` compares values; it does not select children
              label: this is CSS
              hint: write `//*#main/ul/li`
            "#,
    );
    finds("a > b", "");
    finds("count(a.b) > c", "");
    finds(
        "@a/text()#b",
        r#"
            warning XPST0005 at 3..11 `text()#b`: `text()#b` can never match: an attribute has no children
              see 0..2 `@a`: this is an attribute
            "#,
    );
}

#[test]
fn several_at_once() {
    finds(
        r#"string-length(count("x"), foo(), $z)"#,
        r#"
            error XPST0017 at 0..36 `string-length(count("x"), foo(), $z)`: `string-length` takes at most 1 argument, found 3
              hint: it is `string-length(string?)`: how many characters it has
            error XPTY0004 at 20..23 `"x"`: expected a node-set as the argument of `count`, found a string
              label: this is a string
              hint: without quotes it is a path: `x`
            error XPST0017 at 26..29 `foo`: unknown function `foo`
              label: no such function
            error XPST0008 at 33..35 `$z`: unknown variable `$z`
              label: never bound
              hint: the variables bound are `$city`, `$n`
            "#,
    );
}

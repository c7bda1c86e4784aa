//! Tests of `restrict`.

use crate::check::{Dialect, check_as};
use crate::diag::{assert_shown, show};
use crate::syntax::parse;

#[track_caller]
fn finds(source: &str, expected: &str) {
    let expr = parse(source).unwrap_or_else(|errors| panic!("{}", show(source, &errors)));
    assert_shown(source, &check_as(Dialect::OXPath, &expr, &["city"]), expected);
}

#[test]
fn nothing_to_object_to() {
    for source in [
        "doc('u')//a:<r>[b:<x=string(.)>][? c/{click /}//d:<y=.>]",
        "doc('u')//a:<r>/b:<s>[c:<x=.>:<y=.>]/d[e:<z=.>]",
        "doc('u')//a:<r>[b:<s>[c:<x=.>] | d:<t=.> and e:<u=.>]",
        "doc('u')/.[? .//a/{click /}]//b/{'x'}/{press 'Enter' /}//c:<r>",
        "doc('u')//a[b/{click /}]/{click /}//c/{mouseover}",
        "doc('u')/(//a[. ~ 'Next'][1]/{click /})*//b[1]:<r>[2]",
        "doc('u')//a/{click}[1]",
        "(doc('u')//a)[1]",
        "doc('u')/(a/b)*[last()]",
        "doc('u')//tr[not(position() = 1)]:<r>[td[2]:<x=.>]",
        "doc('u')/(//a:<r>)*/.[b:<x=.>]",
        "doc(concat('u', $city))//a/{$city [until=//b[last()]] /}",
    ] {
        finds(source, "");
    }
}

#[test]
fn effects_in_values() {
    finds(
        "count(//a/{click /}//b)",
        r#"
            error WW0011 at 10..19 `{click /}`: an action is not allowed in an argument of `count`
              see 0..5 `count`: a value is computed here
              hint: act in the path before this, or in a predicate of its own: `[a/{click /}//b]`
            "#,
    );
    finds(
        "//a:<r>[b:<x> = 'y']",
        r#"
            error WW0011 at 9..13 `:<x>`: a marker is not allowed in an operand of `=`
              see 8..19 `b:<x> = 'y'`: a value is computed here
              hint: put the marker after the path itself; its value may be computed: `:<name=string(.)>`
            "#,
    );
    finds(
        "//a:<r>[.:<x=b/{click}>]",
        r#"
            error WW0011 at 15..22 `{click}`: an action is not allowed in the value of the marker `x`
              see 9..23 `:<x=b/{click}>`: a value is computed here
              hint: act in the path before this, or in a predicate of its own: `[a/{click /}//b]`
            "#,
    );
    finds(
        "//a/[$rhs:<x>]::b",
        r#"
            error WW0011 at 9..13 `:<x>`: a marker is not allowed in an intensional axis
              see 5..13 `$rhs:<x>`: a value is computed here
              hint: put the marker after the path itself; its value may be computed: `:<name=string(.)>`
            "#,
    );
    finds(
        "string(doc('u')//a)",
        r#"
            error WW0011 at 7..15 `doc('u')`: `doc` is not allowed in an argument of `string`
              see 0..6 `string`: a value is computed here
              hint: let the expression begin with `doc(…)`
            "#,
    );
    finds(
        "(//a/{click /})*//b",
        r#"
            error WW0006 at 15..16 `*`: `*` multiplies here; it does not repeat the path before it
              hint: to repeat the path, write `./(//a/{click /})*//b`
            "#,
    );
    finds(
        "//a/{click [until={click}]}",
        r#"
            error WW0011 at 18..25 `{click}`: an action is not allowed in the condition after `until`
              see 4..27 `{click [until={click}]}`: a value is computed here
              hint: act in the path before this, or in a predicate of its own: `[a/{click /}//b]`
            "#,
    );
}

#[test]
fn positions() {
    finds(
        "doc('u')/(//a/{click /})*[1]",
        r#"
            error WW0012 at 26..27 `1`: the nodes of a group with actions or markers have no positions
              label: asks for a position
              see 14..23 `{click /}`: from here on, the nodes belong to several pages or records
              hint: ask for the position inside the group, or of a later step
            "#,
    );
    finds(
        "(//a:<x>)[position() < last()]",
        r#"
            error WW0012 at 10..20 `position()`: the nodes of a group with actions or markers have no positions
              label: asks for a position
              see 4..8 `:<x>`: from here on, the nodes belong to several pages or records
              hint: ask for the position inside the group, or of a later step
            "#,
    );
    finds(
        "//a:<r>[position() = 1 and b:<x=.>]",
        r#"
            error WW0012 at 8..18 `position()`: a predicate with a marker may not ask for positions
              label: asks for a position
              see 28..34 `:<x=.>`: a marker in the same predicate
              hint: split it into two predicates: first the position, then the rest, as in `[1][…]`
            "#,
    );
}

#[test]
fn markers() {
    finds(
        "doc('u')//a:<link=@href>",
        r#"
            warning WW0013 at 11..24 `:<link=@href>`: the value `link` stands in no predicate, and so belongs to no record
              hint: put it in a predicate after the marker of its record: `:<book>[title:<…>]`
            "#,
    );
    finds(
        "doc('u')//a[b:<x=.>][c:<y=.>]",
        r#"
            warning WW0013 at 13..19 `:<x=.>`: no marker comes before the predicate with the marker `x`
              label: belongs to the root of the results
              hint: to make a record, put a marker before the predicate: `:<book>[…]`
            "#,
    );
    finds(
        "doc('u')//a:<r>[b:<x=.>[c:<y=.>][d:<z=.>]]",
        r#"
            error WW0013 at 25..31 `:<y=.>`: the marker `y` belongs to one that has a value
              see 17..23 `:<x=.>`: this is not a record, because it has a value
              hint: let the predicate begin before the value, or give the value a predicate of its own
            "#,
    );
}

#[test]
fn repeated_actions() {
    finds(
        "doc('u')//a[b/{click /}]/c/{mouseover}",
        r#"
            error WW0014 at 27..38 `{mouseover}`: a contextual action may not follow a predicate with an action
              label: repeats the path before it, to find its way back on the new page
              see 14..23 `{click /}`: this action would be repeated
              hint: make one of them absolute: `{… /}` before this one, with nothing but steps between them
            "#,
    );
    finds(
        "doc('u')//a:<r>[b/{click /}//c:<x=.>][d/{focus}/..]",
        r#"
            error WW0014 at 40..47 `{focus}`: a contextual action may not follow a predicate with an action
              label: repeats the path before it, to find its way back on the new page
              see 18..27 `{click /}`: this action would be repeated
              hint: make one of them absolute: `{… /}` before this one, with nothing but steps between them
            "#,
    );
}

#[test]
fn this_is_for_conditions_of_actions() {
    let hint = "it is the node that was acted on, as in `{click [until=not($this/@disabled)] /}`; elsewhere write `.`";
    for (source, found) in [
        ("doc('u')//a/{click [until=$this/b] /}", true),
        ("doc('u')//a/{click [until=//b[c = $this]] /}", true),
        ("doc('u', [until=$this])//a", false),
        ("doc('u')//a[$this]", false),
        ("doc('u')//a/{$this}", false),
    ] {
        let expr = crate::syntax::parse(source).expect("it parses");
        let diagnostics = crate::check::check_as(crate::check::Dialect::OXPath, &expr, &[]);
        assert_eq!(diagnostics.is_empty(), found, "{source}: {diagnostics:?}");
        if let Some(diagnostic) = diagnostics.first() {
            assert_eq!(diagnostic.message, "`$this` is used outside the `until` of an action");
            assert_eq!(diagnostic.hints, [hint]);
        }
    }
}

#[test]
fn other_findings() {
    finds(
        "doc('u')//a[? b]/{click [noback, timeout=3] /}",
        r#"
            warning WW0004 at 11..16 `[? b]`: an optional predicate without markers and actions changes nothing
              hint: remove it, or require it: `[b]`
            "#,
    );
    finds(
        "doc('u')//a:<r>[.:<x=select-text()>]",
        r#"
            warning WW0005 at 21..32 `select-text`: `select-text` is not supported, and evaluates to nothing
              hint: it needs a browser's selection; `string(…)` or `normalize-space(…)` comes close
            "#,
    );
    finds(
        "//a[$lhs = 1]/(1)*:<x>",
        r#"
            error XPST0008 at 4..8 `$lhs`: `$lhs` is used outside an intensional axis
              label: never bound
              hint: such an axis is written `[$lhs/@id = $rhs/@for]::label`
            error XPTY0004 at 14..17 `(1)`: expected a node-set between the parentheses of a step, found a number
              label: this is a number
            "#,
    );
}

#[test]
fn plain_xpath() {
    let source = "doc('u')//a.b/{click /}/^color[.:<x>]";
    let expr = parse(source).unwrap();
    assert_shown(
        source,
        &check_as(Dialect::XPath, &expr, &[]),
        r#"
            error WW0003 at 0..8 `doc('u')`: expected a query of one page, found `doc`
              hint: `wrapwright run` evaluates expressions that load pages, act and extract
            error WW0003 at 14..23 `{click /}`: expected a query of one page, found an action
              hint: `wrapwright run` evaluates expressions that load pages, act and extract
            error WW0003 at 24..37 `^color[.:<x>]`: expected a query of one page, found the style axis
              hint: styles need `wrapwright run` with a browser
            error WW0003 at 32..36 `:<x>`: expected a query of one page, found a marker
              hint: `wrapwright run` evaluates expressions that load pages, act and extract
            "#,
    );
}

//! Tests the parser with the html5lib tests, against html5ever on random markup, and with hostile pages.

mod dump;
mod hostile;
mod html5lib;
mod oracle;
mod random;

use super::{Options, parse, parse_fragment};
use crate::limits::{LimitError, Limits};
use crate::name::Namespace;

/// Limits that no test of the tree reaches.
const ROOMY: Limits = Limits {
    bytes: 1 << 30,
    nodes: 50_000_000,
    depth: 10_000_000,
};

/// Checks the tree of a page against an outline: names with their children in brackets, text in quotes.
fn check(source: &str, expected: &str) {
    let scratch = parse(source, &ROOMY, Options::default()).expect("within the limits");
    assert_eq!(dump::outline(&scratch), expected, "{source}");
}

#[test]
fn text_is_decoded() {
    check("a&amp;b\r\nc", "html(head body('a&b\\nc'))");
    check(
        "<p title='a&lt\r&copyx&copy=1&copy;'>",
        "html(head body(p[title=a<\\n&copyx&copy=1©]))",
    );
    check("<body>\0a\0b<svg>\0c", "html(head body('ab' svg:svg('\u{FFFD}c')))");
    check(
        "<textarea>\r\n\r\nx\0&lt;</textarea>",
        "html(head body(textarea('\\nx\u{FFFD}<')))",
    );
    check("<a\0B C\0=d>", "html(head body(a\u{FFFD}b[c\u{FFFD}=d]))");
}

#[test]
fn unfinished_markup() {
    check("x<", "html(head body('x<'))");
    check("x</", "html(head body('x</'))");
    check("x</>y", "html(head body('xy'))");
    check("x<a href='", "html(head body('x'))");
    check("x<!-", "html(head body('x' <!----->))");
    check("x<!--a--", "html(head body('x' <!--a-->))");
    check("x<!--a--!", "html(head body('x' <!--a-->))");
    check(
        "<!-->a<!--->b<!--c--!>",
        "<!----> html(head body('a' <!----> 'b' <!--c-->))",
    );
    check("<script>a", "html(head(script('a')) body)");
    check(
        "<script><!--<script></script>",
        "html(head(script('<!--<script></script>')) body)",
    );
}

#[test]
fn repeated_roots_add_attributes() {
    check(
        "<html a=1><body b=1><html a=2 c=3><body b=2 d=4 d=5>",
        "html[a=1 c=3](head body[b=1 d=4])",
    );
}

#[test]
fn duplicate_attributes_count_once() {
    check("<p b=1 a=2 B=3 c=4 A=5>", "html(head body(p[b=1 a=2 c=4]))");
}

#[test]
fn alike_formatting_is_reopened_three_times_at_most() {
    check("<p><b><b><b><b><p>x", "html(head body(p(b(b(b(b)))) p(b(b(b('x'))))))");
    check(
        "<p><b a=1 c=2><b c=2 a=1><b a=1><p>x",
        "html(head body(p(b[a=1 c=2](b[c=2 a=1](b[a=1]))) p(b[a=1 c=2](b[c=2 a=1](b[a=1]('x'))))))",
    );
}

#[test]
fn noscript_is_markup_unless_scripts_run() {
    let source = "<body><noscript><p>x</noscript>";
    check(source, "html(head body(noscript(p('x'))))");
    let scratch = parse(source, &ROOMY, Options { scripting: true }).expect("within the limits");
    assert_eq!(dump::outline(&scratch), "html(head body(noscript('<p>x')))");
}

#[test]
fn fragments() {
    let fragment = |context: (Namespace, &str), source: &str| {
        let scratch = parse_fragment(source, context, &ROOMY, Options::default()).expect("within the limits");
        dump::outline(&scratch)
    };
    assert_eq!(fragment((Namespace::Html, "tr"), "<td>x"), "html(td('x'))");
    assert_eq!(
        fragment((Namespace::Html, "title"), "<b>&lt;</title>"),
        "html('<b><</title>')"
    );
    assert_eq!(fragment((Namespace::Svg, "g"), "<a/><b>"), "html(svg:a b)");
}

#[test]
fn limits_name_themselves() {
    let parse = |source: &str, limits: Limits| parse(source, &limits, Options::default()).map(|_| ());
    let limits = Limits {
        bytes: 100,
        nodes: 10,
        depth: 5,
    };
    assert_eq!(parse(&" ".repeat(101), limits), Err(LimitError::Bytes(100)));
    assert_eq!(parse("<i><i><i><i><i>", limits), Err(LimitError::Depth(5)));
    assert_eq!(parse("<i><i><i>", limits), Ok(()));
    assert_eq!(parse("<p a b c d e f g h>", limits), Err(LimitError::Nodes(10)));
    assert_eq!(
        parse("<br><br><br><br><br><br><br><br>", limits),
        Err(LimitError::Nodes(10))
    );
}

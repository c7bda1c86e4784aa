//! What selectors match, say and refuse.

mod oracle;

use super::{MAX_BYTES, MAX_NESTING, to_xpath};
use crate::diag::Code;
use crate::{Query, Value};
use page::{Page, ParseSettings};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const SHOP: &str = r#"<html id=h><head id=he><title id=t>Shop</title></head><body id=bo>
<div id=main class="list  wide"><!-- offers -->
  <h2 id=h1>Offers</h2>
  <p id=p1 class="price old" lang=en data-n="1">9.99 <b id=b1>EUR</b></p>
  <p id=p2 class=price lang=en-GB data-n="12">8.50 <i id=i1>GBP</i> <b id=b2>net</b></p>
  <a id=a1 href="https://x.example/buy.html" title='say "hi"'>Buy</a>
  <p id=p3 class=priceless lang=enx></p>
  <p id=p4><!-- nothing --></p>
  <o:p id=o1>office</o:p>
</div>
<ul id=ul><li id=l1>1<li id=l2 class="x:y">2<li id=l3>3<li id=l4>4<li id=l5>5<li id=l6>6<li id=l7>7</ul>
<span id=123 data-q="it's &quot;so&quot;" class="größe" @click=go>s</span>
</body></html>"#;

fn parse(html: &str) -> Page {
    Page::parse(html.as_bytes(), &ParseSettings::default()).expect("the page is small")
}

/// Is there no warning, but that what matches nothing or everything does so?
fn is_quiet(query: &Query) -> bool {
    query
        .warnings()
        .iter()
        .all(|warning| matches!(warning.code, Code::NeverMatches | Code::ConstantPredicate))
}

/// The values of the nodes that a selector finds: an element's is its id.
#[track_caller]
fn found(page: &Page, selector: &str) -> String {
    let xpath = to_xpath(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    let query = Query::compile(&xpath).unwrap_or_else(|errors| panic!("{selector}: {xpath}: {errors:?}"));
    assert!(is_quiet(&query), "{selector}: {xpath}: {:?}", query.warnings());
    let Ok(Value::Nodes(nodes)) = query.evaluate(page) else {
        panic!("{selector}: {xpath} gives no nodes");
    };
    let value = |node| match page.is_element(node) {
        true => page.attribute_value(node, "id").unwrap_or("?").to_owned(),
        false => page.string_value(node).trim().to_owned(),
    };
    nodes.into_iter().map(value).collect::<Vec<_>>().join(" ")
}

#[test]
fn selectors_find_elements() {
    let page = parse(SHOP);
    #[rustfmt::skip]
    let cases = [
        // Names, classes, ids.
        ("b", "b1 b2"), ("B", "b1 b2"), ("ul *", "l1 l2 l3 l4 l5 l6 l7"), ("nav", ""),
        (".price", "p1 p2"), ("p.price.old", "p1"), (".Price", ""), ("div.list.wide", "main"), ("*.old", "p1"),
        ("#main", "main"), ("p#main", ""), ("#\\31 23", "123"), ("#\\000031\\000032\\33", "123"), (".gr\u{f6}\u{df}e", "123"),
        (".x\\:y", "l2"), (".x\\3a y", "l2"), (".x\\00003Ay", "l2"), ("o\\:p", "o1"), ("#m\\61in", "main"), ("#m\\61 in", "main"),
        (".a\\ b", ""), (".price\\ old", ""),
        // Attributes.
        ("[lang]", "p1 p2 p3"), ("[LANG]", "p1 p2 p3"), ("[lang=en]", "p1"), ("[lang = 'en']", "p1"), ("[lang=\"en\" s]", "p1"),
        ("[lang|=en]", "p1 p2"), ("[lang^=en]", "p1 p2 p3"), ("[lang^='']", ""), ("[lang$='']", ""), ("[lang*='']", ""),
        ("[class~='']", ""), ("[class~='price old']", ""), ("[class~=old]", "p1"), ("[data-n='12']", "p2"),
        ("[href$='.html']", "a1"), ("[class$=öße]", "123"), ("[id$='very long and in the end main']", ""), ("[href*=\"x.example\"]", "a1"),
        ("a[href^=https][href$=html]", "a1"), ("[\\@click]", "123"), ("[\\@click=go]", "123"), ("[\\@click^=g]", "123"),
        ("[title='say \"hi\"']", "a1"), ("[title=\"say \\\"hi\\\"\"]", "a1"), ("[title=\"say \\22hi\\22\"]", "a1"),
        ("[data-q='it\\'s \"so\"']", "123"), ("[data-q*='\\'s \"']", "123"), ("[data-q$='\"so\"']", "123"),
        ("[lang='e\\\nn']", "p1"), ("[lang='e\\\r\nn']", "p1"), ("[class=price]", "p2"), ("[data-n=\\31]", "p1"),
        // Combinators, white space, comments, lists.
        ("div>p>b", "b1 b2"), ("div > b", ""), ("body b", "b1 b2"), ("h2 + p", "p1"), ("h2+b", ""), ("p + p", "p2 p4"),
        ("p ~ a", "a1"), ("a ~ p", "p3 p4"), ("i~b", "b2"), ("p + a ~ *", "p3 p4 o1"), ("h2 + *", "p1"),
        (" \t\n div \r\n>\u{c}p ", "p1 p2 p3 p4"), ("div /* > */ p/* a */.old/**/", "p1"),
        ("b, i ,h2", "h1 b1 i1 b2"), ("b,b", "b1 b2"), ("body div p", "p1 p2 p3 p4"),
        // Positions.
        ("li:first-child", "l1"), ("li:last-child", "l7"), ("p:first-child", ""), ("div > :first-child", "h1"),
        ("title:only-child", "t"), ("b:only-child", "b1"), ("b:only-of-type", "b1 b2"), ("li:nth-child(3)", "l3"),
        ("li:nth-child(odd)", "l1 l3 l5 l7"), ("li:NTH-child( Even )", "l2 l4 l6"), ("li:nth-child(2n+1)", "l1 l3 l5 l7"),
        ("li:nth-child(3n - 1)", "l2 l5"), ("li:nth-child(-n+3)", "l1 l2 l3"), ("li:nth-child(n + 6)", "l6 l7"),
        ("li:nth-child(-2n+5)", "l1 l3 l5"), ("li:nth-child(n)", "l1 l2 l3 l4 l5 l6 l7"), ("li:nth-child(0n+2)", "l2"),
        ("li:nth-child(+3n)", "l3 l6"), ("li:nth-child(0)", ""), ("li:nth-child(-n)", ""), ("li:nth-child(-2)", ""),
        ("li:nth-child(99999999999999999999n + 2)", "l2"), ("li:nth-child(3n-99999999999999999999)", "l2 l5"),
        ("li:nth-child(3n+99999999999999999999)", ""), ("li:nth-child(/* x */2/* y */)", "l2"),
        ("li:nth-last-child(2)", "l6"), ("li:nth-last-child(3n+1)", "l1 l4 l7"), ("li:nth-last-child(-n+2)", "l6 l7"),
        ("p:nth-child(2)", "p1"), ("p:nth-of-type(2)", "p2"), ("p:first-of-type", "p1"), ("p:last-of-type", "p4"),
        ("p:nth-of-type(2n)", "p2 p4"), ("p:nth-last-of-type(2)", "p3"), ("p:nth-child(2):nth-of-type(1)", "p1"),
        ("p:nth-of-type(3):nth-last-of-type(2):nth-child(5)", "p3"), ("p.price:nth-of-type(1)", "p1"), ("p.x:nth-of-type(1)", ""),
        ("o\\:p:first-of-type", "o1"), ("#main > p:nth-of-type(2) > b:nth-child(2)", "b2"), ("html:first-child", "h"),
        ("li + li:nth-child(2n)", "l2 l4 l6"), ("li ~ li:nth-child(3)", "l3"), ("li ~ li:nth-child(n+6)", "l6 l7"),
        ("li ~ li:nth-last-child(-n+2)", "l6 l7"), ("h2 ~ p:nth-of-type(2)", "p2"), ("p + p:nth-of-type(2n)", "p2 p4"),
        ("li + li:nth-last-of-type(3n+2)", "l3 l6"), ("li ~ :nth-child(-3n+5)", "l2 l5"),
        // Functions.
        ("p:not(.price)", "p3 p4"), ("p:not(.price, #p3)", "p4"), ("p:not(.old):not(:empty)", "p2"), ("p:not(*)", ""),
        ("li:not(:first-child):not(:nth-child(2n))", "l3 l5 l7"), ("p:not(:first-of-type)", "p2 p3 p4"),
        ("p:not(p:nth-of-type(2))", "p1 p3 p4"), ("p:is(:nth-of-type(2), :nth-child(5))", "p2 p3"), (":is(p, b).price", "p1 p2"),
        (":where( h2 , a )", "h1 a1"), ("p:is(.x, .y)", ""), (":is(:is(:not(:not(h2))))", "h1"), ("div :is(b:nth-of-type(1))", "b1 b2"),
        ("p:has(b)", "p1 p2"), ("p:has(> i + b)", "p2"), ("p:has(+ a)", "p2"), ("h2:has(~ a)", "h1"), ("body:has(p b)", "bo"),
        ("p:has(b:first-child)", "p1"), ("*:has(> li:nth-child(7))", "ul"), (":has(> p, > li)", "main ul"), ("div:has(:has(i))", "main"),
        ("p:not(:has(*))", "p3 p4"), ("p:empty", "p3 p4"), (":root", "h"), (":root > body", "bo"), ("body:root", ""),
        ("p:contains('EUR')", "p1"), ("b:contains(net)", "b2"), ("p:contains('')", "p1 p2 p3 p4"), ("p:contains(\"'\")", ""),
    ];
    for (selector, expected) in cases {
        assert_eq!(found(&page, selector), expected, "{selector}");
    }
}

#[test]
fn text_and_attributes_as_in_scrapy() {
    let page = parse("<p id=a>one <b title=x>two <i>three</i></b></p><p>four</p><a href=/x>l</a><svg viewBox=1></svg>");
    #[rustfmt::skip]
    let cases = [
        ("p::text", "one four"), ("b::text", "two"), ("#a *::text", "one two three"), ("#a ::text", "one two three"),
        ("#a > *::text", "two"), ("#a i::text", "three"), ("::text", "one two three four l"), ("*::TEXT", "one two three four l"),
        ("a::attr(href)", "/x"), ("a::attr( HREF )", "/x"), ("body ::attr(title)", "x"), ("b::attr(x)", ""), ("::attr(id)", "a"),
        ("#a ::attr(id)", "a"), ("b::attr(title), a::text", "x l"), ("svg::attr(viewBox)", "1"), ("p:has(b)::attr(id)", "a"),
    ];
    for (selector, expected) in cases {
        assert_eq!(found(&page, selector), expected, "{selector}");
    }
}

#[test]
fn xpath_that_people_can_read() {
    #[rustfmt::skip]
    let cases = [
        ("div b", "//div//b"),
        ("div.price > b:nth-of-type(2)",
            "//div[contains(concat(' ', normalize-space(@class), ' '), ' price ')]/b[position() = 2]"),
        ("li:nth-child(2)", "//*[self::li and position() = 2]"),
        ("li + li:last-child", "//li/following-sibling::*[1][self::li and not(following-sibling::*[1])]"),
        ("a ~ b, c::attr(d)", "//a/following-sibling::b | //c/@d"),
        ("[a='\\'\"\\'']", r#"//*[@a = concat('', "'", '"', "'", '')]"#),
        ("[a=\"'\"]", r#"//*[@a = "'"]"#),
        ("o\\:p", "//*[name() = 'o:p']"),
        ("tr:nth-child(even)", "//*[self::tr and (position()) mod 2 = 0]"),
        ("p:has(> b):not(.a, #b)",
            "//p[./b and not(contains(concat(' ', normalize-space(@class), ' '), ' a ') or @id = 'b')]"),
        (":is(b, :has(i)):has(u, + u)", "//*[(self::b or .//i) and (.//u or ./following-sibling::*[1][self::u])]"),
    ];
    for (selector, expected) in cases {
        assert_eq!(to_xpath(selector).as_deref(), Ok(expected), "{selector}");
    }
}

#[test]
fn mistakes_say_where_and_what() {
    let selector = "expected a selector, as in `div.price > b`, found ";
    #[rustfmt::skip]
    let cases = [
        ("", 0, format!("{selector}the end")),
        ("  /* */ ", 8, format!("{selector}the end")),
        ("a,", 2, format!("{selector}the end")),
        (", a", 0, format!("{selector}`,`")),
        ("a > > b", 4, format!("{selector}`>`")),
        ("> a", 0, format!("{selector}`>`")),
        ("a >", 3, format!("{selector}the end")),
        ("a\u{a0}b", 1, "expected a space, `>`, `+`, `~`, `,` or the end, found U+00A0".to_owned()),
        ("[a]b", 3, "expected a space, `>`, `+`, `~`, `,` or the end, found `b`".to_owned()),
        ("a/**/b", 5, "expected a space, `>`, `+`, `~`, `,` or the end, found `b`".to_owned()),
        ("a /* b", 2, "expected `*/` at the end of this comment, found the end".to_owned()),
        ("a)", 1, "expected `,` or the end, found `)`".to_owned()),
        ("svg|a", 3, "expected a name without a namespace, found `|`".to_owned()),
        ("ä.", 3, "expected a class's name, found the end".to_owned()),
        ("#12", 1, "expected an id (a name that begins with a digit is written `\\31 …`), found `1`".to_owned()),
        ("a\\", 2, "expected a character after the backslash, found the end".to_owned()),
        ("[a", 2, "expected `]`, `=`, `~=`, `|=`, `^=`, `$=` or `*=`, found the end".to_owned()),
        ("[a!=b]", 2, "expected `]`, `=`, `~=`, `|=`, `^=`, `$=` or `*=`, found `!`".to_owned()),
        ("[a~b]", 3, "expected `=`, found `b`".to_owned()),
        ("[a=b i]", 5, "expected `]`, found the flag `i`: values compare with regard to case".to_owned()),
        ("[a='b'I]", 6, "expected `]`, found the flag `i`: values compare with regard to case".to_owned()),
        ("[a=b c]", 5, "expected `]`, found `c`".to_owned()),
        ("[a='b]", 3, "expected a closing `'` in the same line".to_owned()),
        ("[a=*]", 3, "expected a value; all but names need quotes, as in `[n=\"1\"]`, found `*`".to_owned()),
        ("a:first-child(2)", 1, "expected `:first-child` without arguments, found `(`".to_owned()),
        ("a:nth-child", 1, "expected arguments for `:nth-child`, as in `:nth-child(…)`".to_owned()),
        ("a:nth-child(x)", 12, "expected `odd`, `even`, a number or something like `2n+1`, found `x`".to_owned()),
        ("a:nth-child(2n+)", 15, "expected a number, found `)`".to_owned()),
        ("a:nth-child(2 of b)", 14, "expected `)`, found `o`".to_owned()),
        ("a:nth-child(odder)", 15, "expected `)`, found `e`".to_owned()),
        ("a b:", 4, "expected the name of a pseudo-class, found the end".to_owned()),
        (".a:first-of-type", 2, "expected an element's name before `:first-of-type`, as in `b:first-of-type`, to count by it".to_owned()),
        ("a:not()", 6, format!("{selector}`)`")),
        ("a:not(b > c)", 8, "expected `,` or `)`; combinators stand in `:has()` only and `::` at the very end, found `>`".to_owned()),
        ("a:has(b::text)", 7, "expected `,` or `)`; combinators stand in `:has()` only and `::` at the very end, found `:`".to_owned()),
        ("a:not(b", 7, "expected `,` or `)`; combinators stand in `:has()` only and `::` at the very end, found the end".to_owned()),
        ("a:contains()", 11, "expected a text in quotes, found `)`".to_owned()),
        ("a::before", 1, "expected `::text` or `::attr(name)`, found `::before`".to_owned()),
        ("a::attr", 1, "expected `::text` or `::attr(name)`, found `::attr`".to_owned()),
        ("a::text b", 8, "expected `,` or the end, found `b`".to_owned()),
    ];
    for (selector, at, message) in cases {
        let error = to_xpath(selector).expect_err(selector);
        assert_eq!((error.at, &*error.message), (at, &*message), "{selector}");
    }
    let error = to_xpath("a:hover").unwrap_err().to_string();
    assert!(
        error.starts_with("CSS selector, byte 1: expected one of :first-child, "),
        "{error}"
    );
    assert!(error.ends_with("; found `:hover`"), "{error}");
}

#[test]
fn what_nests_and_what_is_long() {
    let page = parse("<ul><li id=a><b id=b></b></ul>");
    for (open, close) in [
        ("li:not(:not(", "))"),
        ("li:is(:where(", "))"),
        ("li:is(i, b, :not(a, ", "))"),
        (":has(a, :is(", ", :nth-child(2n+1)))"),
        (":has(+ a, > a:nth-child(3n+2), :not(", "))"),
    ] {
        let nested = |pairs: usize, inner: &str| format!("{}{inner}{}", open.repeat(pairs), close.repeat(pairs));
        found(&page, &nested(MAX_NESTING / 2, "b:nth-child(2n+1)"));
        let error = to_xpath(&nested(MAX_NESTING / 2, ":is(b)")).unwrap_err();
        assert_eq!(
            error.message, "expected at most 16 levels of nesting, found more",
            "{open}"
        );
        assert_eq!(error.at, open.len() * MAX_NESTING / 2);
        assert!(to_xpath(&nested(200, "b")).is_err());
        assert!(to_xpath(&open.repeat(200)).is_err());
    }
    // Neighbours are not nested.
    found(&page, &":not(b)".repeat(MAX_BYTES / 7));
    found(&page, &":nth-child(2n+1)".repeat(MAX_BYTES / 16));
    found(&page, &"li b,".repeat(MAX_BYTES / 5)[1..MAX_BYTES / 5 * 5 - 1]);
    found(&page, &format!("li{}", " > li".repeat(MAX_BYTES / 5 - 1)));
    let error = to_xpath(&"a".repeat(MAX_BYTES + 1)).unwrap_err();
    assert_eq!(error.message, "expected at most 8192 bytes, found 8193");
    // A long name counted often would be a very long expression.
    let error = to_xpath(&format!(
        "é{}:nth-child(1){}",
        "a".repeat(4000),
        ":only-of-type".repeat(300)
    ))
    .unwrap_err();
    assert!(
        error
            .message
            .starts_with("expected a selector for at most 1048576 bytes of XPath, found "),
        "{error}"
    );
}

/// Gives an error within the text, or an expression that compiles.
fn is_settled(text: &str) -> Result<(), TestCaseError> {
    match to_xpath(text) {
        Err(error) => prop_assert!(
            text.is_char_boundary(error.at) && !error.message.is_empty(),
            "{:?}",
            error
        ),
        Ok(xpath) => match Query::compile(&xpath) {
            Ok(query) => prop_assert!(is_quiet(&query), "{}: {:?}", xpath, query.warnings()),
            Err(errors) => prop_assert!(false, "{}: {:?}", xpath, errors),
        },
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        rng_seed: RngSeed::Fixed(2011),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_a_selector_or_a_mistake(text in any::<String>()) {
        is_settled(&text)?;
    }

    #[test]
    fn any_pieces_are_a_selector_or_a_mistake(pieces in prop::collection::vec(prop::sample::select(&[
        "a", "b", "*", ".c", "#d", "[e]", "[e='", "']", "\"", "~=", "$=", "f", "]", " ", " > ", "+", "~", ",", ":", "::", "text",
        "attr(", "(", ")", ":not(", ":is(", ":has(", ":nth-child(", "2n", "-n", "+1", "odd", ":first-of-type", ":contains(", "\\",
        "\\31 ", "\\10ffff", "\\110000", "\\d800", "\\0", "ä", "\u{a0}", "/*", "*/", "-", "--", "0", "\n", "\0", "|", "'\"", "99999999999",
    ][..]), 0..14)) {
        is_settled(&pieces.concat())?;
    }
}

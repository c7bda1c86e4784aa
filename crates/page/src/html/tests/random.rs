//! Random markup, parsed by this parser and by html5ever.
//!
//! The vocabulary covers what the rules distinguish. If html5ever 0.40.1 differs from the standard, words that would
//! show it are left out; the comments below say why.

use super::{ROOMY, dump, oracle};
use crate::html::{Options, parse};
use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::sample::select;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// All elements except templates and foreign elements that contain HTML.
const ELEMENTS: &str = "html head body base link meta style script noscript frameset frame noframes \
    div p address section ul ol li dl dd dt h1 h2 pre listing form fieldset button a b i em font nobr code u \
    table caption colgroup col tbody thead tfoot tr td th select option optgroup input textarea hr br img image \
    ruby rb rt rtc rp svg math g path mglyph malignmark \
    object marquee applet iframe noembed xmp plaintext span x-own main area param source";

/// With templates, but without words that show two differences: html5ever opens formatting elements again for white
/// space between the parts of a table in a template, and it forgets an open `thead` that has no table around it.
const TEMPLATES: &str = "template template template html head body style script noscript frameset \
    div p ul li dd h1 pre form button table caption colgroup col tbody tfoot tr td th select option input \
    ruby rt svg math g object iframe plaintext span x-own";

/// HTML elements that foreign ones may contain, chosen so that it makes no difference that html5ever does not count the
/// foreign ones as special.
const HELD: &str = "svg math div p h1 form select button \
    object table caption colgroup col tbody tr td th template br img input pre";

/// Elements that change the parser's state, so that most tags of the tests are not simply rejected.
const FREQUENT: &str = "table tr td tbody b a i p div li select option svg math form";

const OTHERS: &[&str] = &[
    " ",
    "\n",
    "x",
    "y z",
    " w",
    "\r\n",
    "\r",
    "\0",
    "&amp;",
    "&lt",
    "&notit;",
    "&copy=1",
    "&#65;",
    "&#x80;",
    "&#10;",
    "&nonsense;",
    "&",
    "<",
    "</",
    // After an error, html5ever no longer drops the line feed that begins a `pre`.
    "x</>",
    "<!-- c -->",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!x>",
    "<?pi>",
    // In html5ever, text in a table continues after a document type.
    "<div><!DOCTYPE html>",
    "<![CDATA[a]]>",
    "]]>",
    "<a href=1>",
    "<a href='1&amp;2' title=\"x\ry\">",
    "<b class=x>",
    "<b class=y>",
    "<font color=red>",
    "<font size=1 color=red>",
    "<input type=hidden>",
    "<input TYPE='HIDDEN' a A>",
    "<html lang=en>",
    "<body class=c lang=d>",
    "<svg viewBox='0 0 1 1' xlink:href=#a />",
    "<g/>",
    "<br/>",
    "</br>",
    "</p>",
    "<p\tA=1/b=2 c/>",
    "<script><!--",
    "<script>x</script>",
    "<title>t&lt;</title>",
    "<style>s</style>",
    "<textarea>\n\nt</textarea>",
    "<p a='",
    "'>",
];

const DOCTYPES: &[&str] = &[
    "",
    " <!-- c --><!doctype HTML>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" 'x\ry'>",
    "<!DOCTYPE\tx system'>",
    "<!DOCTYPE html public \"-//w3c//dtd html 4.01//en\" x>",
    "<!DOCTYPE>",
];

fn start(elements: &'static str) -> impl Strategy<Value = String> {
    select(elements.split_whitespace().collect::<Vec<_>>()).prop_map(|name| format!("<{name}>"))
}

fn end(elements: &'static str) -> impl Strategy<Value = String> {
    select(elements.split_whitespace().collect::<Vec<_>>()).prop_map(|name| format!("</{name}>"))
}

fn agree(source: &str) -> Result<(), TestCaseError> {
    let scratch = parse(source, &ROOMY, Options::default()).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let (doctype, tree) = oracle::tree(source);
    let ours = dump::document(&scratch);
    if ours != tree {
        return Err(TestCaseError::fail(format!(
            "{source:?}\nhtml5ever\n{tree}\nhere\n{ours}"
        )));
    }
    proptest::prop_assert_eq!(scratch.doctype.as_ref().map(dump::doctype), doctype);
    Ok(())
}

fn run(words: impl Strategy<Value = String>) {
    // PROPTEST_CASES sets a larger number of cases.
    let config = Config {
        cases: Config::default().cases.max(3000),
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let pages = (select(DOCTYPES), vec(words, 0..40)).prop_map(|(doctype, words)| doctype.to_owned() + &words.concat());
    if let Err(error) = runner.run(&pages, |source| agree(&source)) {
        panic!("{error}");
    }
}

#[test]
fn random_markup_is_parsed_as_by_html5ever() {
    let others = select(OTHERS).prop_map(str::to_owned);
    run(prop_oneof![3 => start(ELEMENTS), 2 => end(ELEMENTS), 3 => start(FREQUENT), 3 => end(FREQUENT), 3 => others]);
}

#[test]
fn random_templates_are_parsed_as_by_html5ever() {
    let others = select(&["x", " ", "\0", "<!-- c -->", "<input type=hidden>"][..]).prop_map(str::to_owned);
    run(prop_oneof![4 => start(TEMPLATES), 3 => end(TEMPLATES), 1 => others]);
}

#[test]
fn random_foreign_markup_is_parsed_as_by_html5ever() {
    let others = &[
        "x",
        " ",
        "\0",
        "<!-- c -->",
        "<svg><g>",
        "<g/>",
        "<math><mglyph>",
        "<math><mi><malignmark/>",
    ][..];
    let holders = &[
        "<svg><desc>",
        "<svg><title>",
        "<svg><foreignObject>",
        "<math><mi>",
        "<math><mtext>",
    ][..];
    let ends = end("desc title foreignObject mi mtext svg math");
    let words = |words: &'static [&str]| select(words).prop_map(str::to_owned);
    run(prop_oneof![4 => start(HELD), 2 => end(HELD), 2 => words(holders), 1 => ends, 1 => words(others)]);
}

//! The evaluator against the oracle, and on its own where the oracle would not come to an end.

use super::generate::{self, Tape, VARIABLES};
use super::{Stop, Value, evaluate};
use crate::query::Query;
use crate::value::Value as Ours;
use page::{NodeId, Page, ParseSettings};
use proptest::collection::vec;
use proptest::num::u16::ANY;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

/// How many nodes the oracle may look at for one expression.
const FUEL: usize = 300_000;

/// Runs to the same cases each time; the variables of the environment ask for others, or more.
fn config() -> Config {
    let from_environment = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    Config {
        cases: from_environment("ORACLE_CASES").map_or(5000, |cases: u64| cases as u32),
        rng_seed: RngSeed::Fixed(from_environment("ORACLE_SEED").unwrap_or(1999)),
        failure_persistence: None,
        ..Config::default()
    }
}

fn parse(html: &str) -> Page {
    Page::parse(html.as_bytes(), &ParseSettings::default()).expect("the page is small")
}

fn bound() -> [(Ours, Value); 4] {
    [
        (Ours::String("x".to_owned()), Value::String("x".to_owned())),
        (Ours::Number(2.0), Value::Number(2.0)),
        (Ours::Boolean(true), Value::Boolean(true)),
        (Ours::Number(f64::NAN), Value::Number(f64::NAN)),
    ]
}

/// Are these the same value, to the sign of a zero?
fn same(ours: &Ours, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Ours::Nodes(ours), Value::Nodes(theirs)) => ours == theirs,
        (Ours::String(ours), Value::String(theirs)) => ours == theirs,
        (Ours::Boolean(ours), Value::Boolean(theirs)) => ours == theirs,
        (Ours::Number(ours), Value::Number(theirs)) => {
            ours.is_nan() && theirs.is_nan() || ours.to_bits() == theirs.to_bits()
        }
        _ => false,
    }
}

/// Evaluates an expression both ways at a node. Says what is different; `None` if the oracle gave up.
fn difference(source: &str, page: &Page, node: NodeId) -> Option<Result<Ours, String>> {
    let bound = bound();
    let variables: Vec<(&str, Ours)> = VARIABLES
        .iter()
        .copied()
        .zip(bound.iter().map(|b| b.0.clone()))
        .collect();
    let query = match Query::with_variables(source, &variables) {
        Ok(query) => query,
        Err(errors) => return Some(Err(format!("{source}\n{errors:?}"))),
    };
    let raw = crate::syntax::parse(source).expect("it compiled");
    let variables: Vec<(&str, Value)> = VARIABLES
        .iter()
        .copied()
        .zip(bound.iter().map(|b| b.1.clone()))
        .collect();
    let theirs = match evaluate(&raw, page, node, &variables, FUEL) {
        Ok(value) => value,
        Err(Stop::Fuel | Stop::Regex) => return None,
    };
    let impatient = query.evaluate_impatiently_at(page, node);
    if !matches!(&impatient, Ok(ours) if same(ours, &theirs)) {
        return Some(Err(format!(
            "{source}\n  at {node:?}, by tables: found {impatient:?}, expected {theirs:?}"
        )));
    }
    Some(match query.evaluate_at(page, node) {
        Ok(ours) if same(&ours, &theirs) => Ok(ours),
        ours => Err(format!("{source}\n  at {node:?}: found {ours:?}, expected {theirs:?}")),
    })
}

/// Holds the evaluator against the oracle at every node of a page.
#[track_caller]
fn agree(html: &str, source: &str) {
    let page = parse(html);
    for node in (0..page.len() as u32).map(NodeId) {
        if let Err(difference) = difference(source, &page, node).expect("the oracle comes to an end") {
            panic!("{html}\n{difference}");
        }
    }
}

#[test]
fn evaluator_agrees_with_the_oracle() {
    let mut runner = TestRunner::new(config());
    let (mut told, mut asked, mut found) = (0, 0, 0);
    let counts = std::cell::RefCell::new((&mut told, &mut asked, &mut found));
    let tapes = (vec(ANY, 0..160), vec(ANY, 0..120), vec(ANY, 6));
    let outcome = runner.run(&tapes, |(page, expression, at)| {
        let html = generate::page(&mut Tape::new(&page));
        let source = generate::expression(&mut Tape::new(&expression));
        let page = parse(&html);
        for at in at {
            let node = NodeId(u32::from(at) % page.len() as u32);
            let mut counts = counts.borrow_mut();
            *counts.1 += 1;
            match difference(&source, &page, node) {
                Some(Ok(value)) => {
                    *counts.0 += 1;
                    *counts.2 += u64::from(!matches!(value, Ours::Nodes(nodes) if nodes.is_empty()));
                }
                Some(Err(difference)) => {
                    return Err(TestCaseError::fail(format!("{html}\n{difference}")));
                }
                None => {}
            }
        }
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        // The tapes say nothing to anybody; the reason has the page and the expression.
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(error) => panic!("{error}"),
    }
    // The test is worth something only while the oracle answers and the expressions find something.
    assert!(told * 10 > asked * 9, "the oracle answered {told} of {asked} times");
    assert!(found * 2 > told, "only {found} of {told} answers were not empty");
}
/// What random pages meet too seldom: shapes that the plan treats specially, each where a slip would show.
#[test]
fn special_shapes_agree_with_the_oracle() {
    // A node begins inside an earlier occurrence of the text.
    agree("x<b>xx</b>x<i>x</i>", "contains(., 'xx')");
    agree("x<b>xx</b>x<i>x</i>", "//*[contains(., 'xx')]");
    agree(
        "<b title=xyx>xy<!--yx--></b>x",
        "//node()[contains(., 'yx')] | //@*[contains(., 'yx')]",
    );
    // Attributes lie inside the range of their element, and are not below it.
    agree(
        "<b id=x class=y><i n=1></i></b>",
        "(//@* | //b)/descendant-or-self::node()",
    );
    agree(
        "<b id=x class=y><i n=1></i></b>",
        "//@*/following::node() | //@*/preceding::node()",
    );
    agree(
        "<b id=x class=y><i n=1></i></b>",
        "//@*/ancestor-or-self::node()[position() mod 2 = 0]",
    );
    // Positions among children, below nodes that lie one inside the other.
    agree("<b><b>1<b>2</b></b><i>3</i><b>4</b></b>", "//b//b[1] | //b//*[last()]");
    agree("<b><b>1<b>2</b></b><i>3</i><b>4</b></b>", "//b/descendant::b[2]");
    agree("<b><b>1<b>2</b></b><i>3</i><b>4</b></b>", "string(//b[2]/preceding::*)");
    agree(
        "<b><b>1<b>2</b></b><i>3</i><b>4</b></b>",
        "//b[. < ../i][position() >= last()]",
    );
    // Words of a class.
    let classes = "<b class=' x\ty '>1</b><b class='xx y'>2</b><b class='x'>3</b><b class='y\nx y'>4</b>";
    for text in ["normalize-space(@class)", "@class"] {
        for word in ["' x '", "' y '", "' x y '", "'  '"] {
            agree(classes, &format!("//b[contains(concat(' ', {text}, ' '), {word})]"));
        }
    }
    // Values, not nodes, are compared, and one pair is enough.
    agree("<b>1</b><b>2</b><i>1</i><i>1</i>", "//b != //i");
    agree("<b>1</b><b>2</b><i>1</i><i>1</i>", "//i != //b");
    agree("<b>1</b><b>2</b><i>1</i><i>1</i>", "//i != //i");
    // What looks constant and is not.
    agree(
        "<b id=true lang=de></b><b id=false></b>",
        "//b[id(lang('de')) = .]/@id | //b[id(lang('de'))/@lang]",
    );
    // Zeros have signs.
    for zero in [
        "round(-0.3)",
        "round(-0.5)",
        "-0",
        "ceiling(-0.2)",
        "0 * -1",
        "-1 mod 1",
        "sum(//nowhere)",
    ] {
        agree("", &format!("1 div ({zero})"));
    }
}

/// Any axis after any other, with and without positions: counted, which may walk, listed, and the first of them.
#[test]
fn every_pair_of_axes_agrees_with_the_oracle() {
    const AXES: [&str; 12] = [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ];
    let page = parse("<b id=x>1<b>2</b><i>3<b>4</b></i></b><i n=1><!--5--></i>");
    for first in AXES {
        for second in AXES {
            for steps in ["A::node()/B::node()", "A::node()[1]/B::*", "A::*/B::node()[last()]"] {
                let path = steps.replace('A', first).replace('B', second);
                for source in [path.clone(), format!("count({path})"), format!("string({path})")] {
                    for node in (0..page.len() as u32).map(NodeId) {
                        if let Err(difference) = difference(&source, &page, node).expect("the oracle comes to an end") {
                            panic!("{difference}");
                        }
                    }
                }
            }
        }
    }
}

/// Every kind of question along every axis, asked of all nodes, attributes too: the first is answered by a walk, the
/// others by a table, a list or an index.
#[test]
fn answers_for_many_nodes_agree_with_the_oracle() {
    const AXES: [&str; 12] = [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ];
    const PATHS: [&str; 16] = [
        "A::node()",
        "A::b",
        "A::*[@id]",
        "A::*/*",
        "A::*/@*",
        "../A::b",
        "A::b[1]",
        "A::*[@id][2]",
        "A::node()[last()]",
        "A::*[last() - 1]",
        "A::*[position() > 1]",
        "A::*[position() <= 2]/following::node()",
        "A::node()/preceding-sibling::*[1]",
        "//node()/A::*[position() > 1]",
        "//node()/A::b[translate(@id, last(), position()) = 'x' or position() mod 3 = 2]",
        "//@*/A::node()[position() < last() - 1]",
    ];
    const QUESTIONS: [&str; 25] = [
        "P",
        "not(P)",
        "count(P) > 1",
        "count(P) = count(//b)",
        "P = '1'",
        "P != '1'",
        "P > 1",
        "P = string(.)",
        "P != string(@id)",
        "P = string-length(.)",
        "P < string-length(.)",
        "P != string-length(.)",
        ". = P",
        "@id != P",
        "//i >= P",
        "P = //i",
        "P != //i",
        "sum(P) > 1",
        "string(P)",
        "contains(P, '1')",
        "(P)[1] = '1'",
        "count(P | A::i) mod 2 = 1",
        "count(P | self::i | following::b | preceding::i | child::b[1]) mod 2 = 1",
        "(P | following-sibling::*) > string-length(.)",
        "@id = (P | following::b)",
    ];
    let page = parse("<b id=1>1<b>2</b><i>3<b id=x>1</b></i><b id=1>0.5</b></b><i id=2>x<!--5--></i><b>1</b>");
    for axis in AXES {
        for path in PATHS {
            for question in QUESTIONS {
                let question = question.replace('P', path).replace('A', axis);
                let source = format!("(//node() | //@*)[{question}]");
                let answer = difference(&source, &page, NodeId::DOCUMENT).expect("the oracle comes to an end");
                if let Err(difference) = answer {
                    panic!("{difference}");
                }
            }
        }
    }
}

/// By section 3.4 the node-set becomes a boolean, not the number of its first node, whatever the operator.
#[test]
fn a_node_set_is_ordered_against_a_boolean_as_a_boolean() {
    for operator in ["<", "<=", ">", ">="] {
        for nodes in [".", "//b", "//nowhere"] {
            for boolean in ["true()", "false()", "(1 = 1)"] {
                agree("<b>7</b><b>x</b>", &format!("{nodes} {operator} {boolean}"));
                agree("<b>7</b><b>x</b>", &format!("{boolean} {operator} {nodes}"));
                agree(
                    "<b>7</b><b>x</b>",
                    &format!("*[{nodes} {operator} {boolean} and position() = 1]"),
                );
            }
        }
    }
}

/// So many elements, one inside the other.
fn nested(depth: usize) -> Page {
    parse(&"<div>".repeat(depth))
}

/// Evaluates with a small stack, the default of a thread.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread
        .expect("threads can be started")
        .join()
        .expect("it does not panic")
}

/// `before` and `after` as often as the parser allows around `core`.
fn deepest(before: &str, core: &str, after: &str) -> String {
    let nest = |depth: usize| format!("{}{core}{}", before.repeat(depth), after.repeat(depth));
    let allowed = |depth: &usize| crate::syntax::parse(&nest(*depth)).is_ok();
    let depth = (1..=crate::syntax::MAX_DEPTH).rev().find(allowed);
    nest(depth.expect("a little nesting is allowed"))
}

#[test]
fn the_deepest_expressions_fit_a_small_stack() {
    // Eight steps are the longest path that is walked depth first.
    const CASES: [(&str, &str, &str); 23] = [
        ("*/*/*/*/*/*/*/*[", "*", "]"),
        ("*/*/*/*/*/*/*/*[not(", "nowhere", ")]"),
        ("*/*/*/*/*/*/*/*[", "*", "][1]"),
        ("*/*/*/*/*/*/*/*[", "*", "][last()]"),
        ("*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1][", "*", "]"),
        ("*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[last() and ", "*", "]"),
        ("*/*/*/*/*/*/*/*[count(", "*", ") >= position()]"),
        ("*[../*[", "*", "] != position()]"),
        ("descendant::*[", "*", "]"),
        ("ancestor-or-self::*[position() > 0 and ", "*", "]"),
        ("(*)[", "*", "]"),
        ("(", "*", ")[1]"),
        ("(* | ", "*", ")"),
        ("id(", ".", ")"),
        ("(", "*", ")/*"),
        ("*[id(", "*", ") = @id]"),
        ("*[string-join(", "*", ")]"),
        ("*[matches(.,", "'x'", ")]"),
        ("-", "1", ""),
        ("concat(1, ", "1", ")"),
        ("string(number(", "1", "))"),
        ("substring(., ", "1", ")"),
        ("(1 or (2 = ", "1", "))"),
    ];
    for (before, core, after) in CASES {
        on_a_small_stack(move || {
            let query = Query::compile(&deepest(before, core, after)).expect("it parses");
            // Deep enough that the innermost path still leads somewhere.
            let steps = before.matches('/').count() + 1;
            for page in [nested(steps * 210), parse(&"<b>1</b>".repeat(3))] {
                query.evaluate(&page).expect("nothing can fail");
            }
        });
    }
}

#[test]
fn a_deep_page_fits_a_small_stack() {
    on_a_small_stack(|| {
        let page = nested(4000);
        let count = |source: &str| match Query::compile(source).expect("it parses").evaluate(&page) {
            Ok(Ours::Number(number)) => number,
            other => panic!("{other:?}"),
        };
        // All but `html`, `head` and `body`.
        assert_eq!(count("count(//div)"), 4000.0);
        assert_eq!(count("count(//div[not(div)]/ancestor::div)"), 3999.0);
        assert_eq!(count("count(//div/ancestor-or-self::node())"), 4003.0);
        assert_eq!(count("count(//div[1]/descendant::div[1])"), 3999.0);
        assert_eq!(count("count(//div[last()]/..)"), 4000.0);
        assert_eq!(count("count(//div[not(ancestor::div[2])])"), 2.0);
        assert_eq!(count("count(//div[.//div])"), 3999.0);
        assert_eq!(count("count(//div/following::node() | //div/preceding::div)"), 0.0);
    });
}

/// Each of these took time exponential in its depth if a predicate, or what it asks of nodes, were not remembered.
#[test]
fn nested_predicates_take_polynomial_time() {
    let siblings = parse(&"<b>x</b>".repeat(10));
    let check = |before: &str, core: &str, after: &str, expected: f64| {
        let source = format!("count(//{}{core}{})", before.repeat(30), after.repeat(30));
        let query = Query::compile(&source).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
        assert_eq!(
            query.evaluate(&siblings),
            Ok(Ours::Number(expected)),
            "{before} {after}"
        );
    };
    check("b[count(parent::*/", "b", ") > 1]", 10.0);
    check("b[count(../", "b", ") >= position()]", 10.0);
    check("*[count(../", "*", ") >= position()]", 13.0);
    check("b[../", "b", "]", 10.0);
    // Compared with a position: the nodes themselves would have to be remembered.
    check("b[../", "b", " = position()]", 0.0);
    check("b[../", "b", " != position()]", 10.0);
    check("b[not(../", "b", " = position())]", 10.0);
    // Nodes that depend on a position in part.
    check("b[count(id(position()) | ../", "b", ") > 0]", 10.0);
    check("b[(id(position()) | ../", "b", ")[2]]", 10.0);
    // Texts beside a position.
    check("b[contains(concat(position(), 10), string(count(../", "b", ")))]", 10.0);
    check("b[starts-with(string(count(../", "b", ")), string(last()))]", 10.0);
    check("b[string-join(../", "b", ", position())]", 10.0);
    check("b[matches(string(count(../", "b", ")), string(last()))]", 10.0);
}

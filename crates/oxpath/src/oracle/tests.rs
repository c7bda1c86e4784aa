//! The evaluator against the oracle, and on its own where the oracle would not come to an end.

use super::generate::{self, Tape, VARIABLES};
use super::{Stop, Value, evaluate};
use crate::query::Query;
use crate::value::Value as Ours;
use page::{NodeId, Page, Settings};
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
    Page::parse(html.as_bytes(), &Settings::default()).expect("the page is small")
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
    let variables: Vec<(&str, Ours)> = VARIABLES.iter().copied().zip(bound.iter().map(|b| b.0.clone())).collect();
    let query = match Query::with_variables(source, &variables) {
        Ok(query) => query,
        Err(errors) => return Some(Err(format!("{source}\n{errors:?}"))),
    };
    let raw = crate::syntax::parse(source).expect("it compiled");
    let variables: Vec<(&str, Value)> = VARIABLES.iter().copied().zip(bound.iter().map(|b| b.1.clone())).collect();
    let theirs = match evaluate(&raw, page, node, &variables, FUEL) {
        Ok(value) => value,
        Err(Stop::Fuel | Stop::Regex) => return None,
    };
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
    let tapes = (vec(ANY, 0..160), vec(ANY, 0..120), vec(ANY, 3));
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
/// So many elements, one inside the other.
fn nested(depth: usize) -> Page {
    parse(&"<div>".repeat(depth))
}

/// Evaluates with a small stack, that of a thread which nobody configured.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("threads can be started").join().expect("it does not panic")
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
    const CASES: [(&str, &str, &str); 18] = [
        ("*/*/*/*/*/*/*/*[", "*", "]"),
        ("*/*/*/*/*/*/*/*[not(", "nowhere", ")]"),
        ("*/*/*/*/*/*/*/*[1][", "*", "]"),
        ("*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1][", "*", "]"),
        ("*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[1]/*[last() and ", "*", "]"),
        ("descendant::*[", "nowhere", "]"),
        ("ancestor-or-self::*[position() > 0 and ", "*", "]"),
        ("*/*/*/*/*/*/*/*[count(", "*", ") > position()]"),
        ("(*)[", "*", "]"),
        ("(", "*", ")[1]"),
        ("(* | ", "*", ")"),
        ("id(", ".", ")"),
        ("(", "*", ")/*"),
        ("-", "1", ""),
        ("concat(1, ", "1", ")"),
        ("string(number(", "1", "))"),
        ("substring(., ", "1", ")"),
        ("(1 or (2 = ", "1", "))"),
    ];
    for (before, core, after) in CASES {
        let source = deepest(before, core, after);
        std::println!("{before} {}", source.len());
        on_a_small_stack(move || {
            let query = Query::compile(&source).expect("it parses");
            for page in [nested(1700), parse(&"<b>1</b>".repeat(3))] {
                query.evaluate(&page).expect("nothing can fail");
            }
        });
    }
}
#[test]
#[ignore]
fn zz_stack() {
    let env = |n: &str| std::env::var(n).ok().and_then(|v| v.parse::<usize>().ok());
    let kb = env("KB").unwrap_or(2048);
    let stage = env("STAGE").unwrap_or(0);
    let source = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| deepest(&std::env::var("B").unwrap(), &std::env::var("C").unwrap(), &std::env::var("A").unwrap()))
        .unwrap()
        .join()
        .unwrap();
    let page = nested(1700);
    if stage == 0 {
        let _ = std::thread::Builder::new().stack_size(kb << 10).spawn(move || std::mem::forget(crate::syntax::parse(&source))).unwrap().join();
    } else if stage == 1 {
        let e = crate::syntax::parse(&source).unwrap();
        let _ = std::thread::Builder::new().stack_size(kb << 10).spawn(move || std::mem::forget((crate::check::check(&e, &[]), crate::normalize(&e), e))).unwrap().join();
    } else if stage == 2 {
        let e = crate::normalize(&crate::syntax::parse(&source).unwrap());
        let _ = std::thread::Builder::new().stack_size(kb << 10).spawn(move || std::mem::forget((crate::plan::compile(&e), e))).unwrap().join();
    } else if stage == 3 {
        let q = Query::compile(&source).unwrap();
        let _ = std::thread::Builder::new().stack_size(kb << 10).spawn(move || std::mem::forget((q.evaluate(&page), q, page))).unwrap().join();
    } else {
        let q = Query::compile(&source).unwrap();
        let _ = std::thread::Builder::new().stack_size(kb << 10).spawn(move || drop(q)).unwrap().join();
    }
}

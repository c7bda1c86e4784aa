//! Runs against a reference written from the tables of the paper.
//!
//! Random page graphs and random expressions over them; those that pass the checks are run and evaluated by
//! the [`oracle`], and both must give the same output tree, in whatever order. `ORACLE_CASES` and `ORACLE_SEED` ask for more
//! or other cases.

mod oracle;

use oracle::generate::{self, Tape};
use oracle::{Collected, expected, show_records, site};
use oxpath::run::{RunOptions, RunSummary, Script, Workers};
use oxpath::syntax::ast::{Expr, ExprKind, PathStart, StepForm};
use oxpath::syntax::{is_simple, parse};
use proptest::collection::vec;
use proptest::num::u16::ANY;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use record::{Cardinality, Content, Field, Record, RecordType, VALUE};
use std::cell::Cell;

/// Runs to the same cases each time; the variables of the environment ask for others, or more.
fn config() -> Config {
    let from_environment = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    Config {
        cases: from_environment("ORACLE_CASES").map_or(1000, |cases: u64| cases as u32),
        rng_seed: RngSeed::Fixed(from_environment("ORACLE_SEED").unwrap_or(2012)),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..Config::default()
    }
}

fn run(pages: &[(String, String)], script: &Script) -> (Collected, RunSummary) {
    let mut driver = site(pages);
    let mut collected = Collected::default();
    let summary = script.run(&mut driver, None, &RunOptions::default(), &mut collected);
    // Fetching ahead changes nothing but the order of requests.
    let mut workers = Workers::new(3, || Box::new(driver.clone())).expect("threads");
    let mut ahead = Collected::default();
    script.run_with(&mut workers, None, &RunOptions::default(), &mut ahead);
    assert_eq!(ahead.records, collected.records);
    assert_eq!(ahead.failures, collected.failures);
    (collected, summary)
}

/// Pages that may be held for an expression: those on the way through it, and the most while it is evaluated.
fn pages_held(expr: &Expr, longest: usize) -> (usize, usize) {
    let all = |operands: &[Expr]| {
        let each = operands.iter().map(|operand| pages_held(operand, longest));
        each.fold((0, 0), |most, held| (most.0.max(held.0), most.1.max(held.1)))
    };
    match &expr.kind {
        _ if is_simple(expr) => (0, 0),
        ExprKind::Or(operands) | ExprKind::And(operands) | ExprKind::Union(operands) => all(operands),
        ExprKind::Path(path) => {
            let (mut on_the_way, mut most) = match &path.start {
                PathStart::Expr(start) => pages_held(start, longest),
                _ => (0, 0),
            };
            for step in &path.steps {
                match &step.form {
                    StepForm::Kleene { body, max, .. } => {
                        let (each, peak) = pages_held(body, longest);
                        // Each page of a repetition may have more links that wait.
                        let rounds = max.map_or(longest, |max| longest.min(max as usize));
                        most = most.max(on_the_way + each * rounds + peak);
                        on_the_way += each * rounds;
                    }
                    StepForm::Predicate(inside) | StepForm::Optional(inside) => {
                        most = most.max(on_the_way + pages_held(inside, longest).1);
                    }
                    form => on_the_way += usize::from(form.turns_page()),
                }
                for predicate in &step.predicates {
                    most = most.max(on_the_way + pages_held(predicate, longest).1);
                }
            }
            (on_the_way, most.max(on_the_way))
        }
        _ => (0, 0),
    }
}

/// Is the first marker the only one outside of predicates, with nothing but simple steps of one page before it?
fn in_document_order(expr: &Expr) -> bool {
    let ExprKind::Path(path) = &expr.kind else { return false };
    let is_marker = |form: &StepForm| matches!(form, StepForm::Marker(_));
    let Some(first) = path.steps.iter().position(|step| is_marker(&step.form)) else {
        return false;
    };
    let simple = path.steps[1..first].iter().all(|step| {
        let kind = ExprKind::Path(oxpath::syntax::ast::Path {
            start: PathStart::Context,
            steps: vec![step.clone()],
        });
        is_simple(&Expr { kind, span: step.span })
    });
    let mut others = path.steps[first + 1..].iter();
    simple && !others.any(|step| is_marker(&step.form) || matches!(step.form, StepForm::Kleene { .. }))
}

/// Does a record have what its type says? Otherwise the words say what is wrong.
fn conforms(record: &Record, content: &Content) -> Result<(), String> {
    let fields = match (content, &record.value) {
        (Content::Value(_), Some(_)) if record.children.is_empty() => return Ok(()),
        (Content::Value(_), _) => return Err(format!("{} is not a value", record.name)),
        (Content::Record(fields), None) => fields,
        // A value where others of the name are records.
        (Content::Record(fields), Some(_)) => {
            let has_value = fields.iter().any(|field| field.name == VALUE);
            let lacks = fields.iter().find(|field| field.cardinality == Cardinality::One);
            return match (has_value && record.children.is_empty(), lacks) {
                (true, None) => Ok(()),
                _ => Err(format!("{} is a value: {fields:?}", record.name)),
            };
        }
    };
    for child in &record.children {
        let field = fields.iter().find(|field| field.name == child.name);
        let Some(Field { content, .. }) = field else {
            return Err(format!("{} has no field {}", record.name, child.name));
        };
        conforms(child, content)?;
    }
    for Field { name, cardinality, .. } in fields {
        let found = record.all(name).count();
        if (found == 0 && !cardinality.may_lack()) || (found > 1 && !cardinality.may_repeat()) {
            return Err(format!(
                "{} has {found} of {name}, which is {cardinality:?}",
                record.name
            ));
        }
    }
    Ok(())
}

/// The first record that is not of its declared type.
fn violation(types: &[RecordType], records: &[Record]) -> Option<String> {
    records.iter().find_map(|record| {
        let Some(declared) = types.iter().find(|declared| declared.name == record.name) else {
            return Some(format!("{} has no type", record.name));
        };
        conforms(record, &declared.content).err()
    })
}

/// How many fields have at most one value and how many of these have exactly one.
fn single_fields(content: &Content) -> (usize, usize) {
    let each = content.fields().iter().map(|field| {
        let (single, one) = single_fields(&field.content);
        let repeats = field.cardinality.may_repeat();
        let is_one = field.cardinality == Cardinality::One;
        (single + usize::from(!repeats), one + usize::from(is_one))
    });
    each.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
}

/// What an expression did that gave the same as the tables.
struct Compared {
    extracts: bool,
    /// Was there more than one `doc()`?
    acts: bool,
}

/// What is different between a run and the tables, or how much there was to compare; none if the oracle gave up.
fn difference(pages: &[(String, String)], source: &str, script: &Script) -> Option<Result<Compared, String>> {
    let expr = parse(source).expect("it compiled");
    let expected = expected(pages, &expr)?;
    let (collected, summary) = run(pages, script);
    let found = show_records(&collected.records);
    let told = || format!("{source}\n{pages:#?}\nfailures: {:#?}", collected.failures);
    if found != expected.trees {
        let expected = expected.trees;
        return Some(Err(format!("found {found:#?}\nexpected {expected:#?}\n{}", told())));
    }
    if let Some(wrong) = violation(&script.record_types(), &collected.records) {
        return Some(Err(format!("{wrong}\nfound {found:#?}\n{}", told())));
    }
    // The empty page before the first, and the page that is being opened.
    let held = pages_held(&expr, pages.len()).1 + 2;
    if summary.most_pages > held {
        return Some(Err(format!(
            "{} pages held, expected {held}\n{}",
            summary.most_pages,
            told()
        )));
    }
    if in_document_order(&expr) && !collected.records.windows(2).all(|pair| pair[0].node < pair[1].node) {
        return Some(Err(format!("not in document order: {found:#?}\n{}", told())));
    }
    Some(Ok(Compared {
        extracts: !expected.trees.is_empty(),
        acts: expected.turns > 1,
    }))
}

/// The layout changes nothing but white space, and a second time nothing at all.
#[test]
fn formatting_keeps_what_is_generated() {
    let mut runner = TestRunner::new(config());
    let outcome = runner.run(&vec(ANY, 0..200), |tape| {
        let source = generate::expression(&mut Tape::new(&tape));
        let Ok(whole) = parse(&source) else {
            return Ok(());
        };
        let formatted = oxpath::syntax::format(&source).expect("it parses");
        let again = oxpath::syntax::format(&formatted).expect("it parses");
        let same = parse(&formatted).expect("it parses").to_string() == whole.to_string();
        match same && again == formatted {
            true => Ok(()),
            false => Err(TestCaseError::fail(format!("{source}\n{formatted}\n{again}"))),
        }
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Takes the expression at a place, counted from the outermost on, and puts the use of a part there.
fn take_out(expr: &mut Expr, place: &mut usize) -> Option<Expr> {
    if *place == 0 {
        let span = expr.span;
        let kind = ExprKind::Call {
            name: "part".to_owned(),
            name_span: span,
            args: Vec::new(),
        };
        return Some(std::mem::replace(expr, Expr { kind, span }));
    }
    *place -= 1;
    let mut taken = None;
    oxpath::syntax::each_child_mut(expr, &mut |child| {
        if taken.is_none() {
            taken = take_out(child, place);
        }
    });
    taken
}

/// An expression, and the same with one of its parts defined before it: nothing after the parser may see a difference.
#[test]
fn parts_are_what_they_stand_for() {
    let mut runner = TestRunner::new(config());
    let outcome = runner.run(&(vec(ANY, 0..120), 0..12_usize), |(tape, place)| {
        let source = generate::expression(&mut Tape::new(&tape));
        let Ok(whole) = parse(&source) else {
            return Ok(());
        };
        let mut rest = whole.clone();
        let Some(part) = take_out(&mut rest, &mut place.clone()) else {
            return Ok(());
        };
        let divided = format!("let part = {part};\n{rest}");
        match parse(&divided) {
            Ok(found) if found.to_string() == whole.to_string() => Ok(()),
            found => Err(TestCaseError::fail(format!("{source}\n{divided}\n{found:?}"))),
        }
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn runs_give_what_the_tables_say() {
    let (compiled, compared, extracted, acted) = (Cell::new(0), Cell::new(0), Cell::new(0), Cell::new(0));

    let outcome = TestRunner::new(config()).run(&(vec(ANY, 40..200), vec(ANY, 10..80)), |(graph, choices)| {
        let pages = generate::pages(&mut Tape::new(&graph));
        let source = generate::expression(&mut Tape::new(&choices));
        let Ok(script) = Script::compile(&source, &[]) else {
            return Ok(());
        };
        compiled.set(compiled.get() + 1);

        match difference(&pages, &source, &script) {
            None => Ok(()),
            Some(Ok(Compared { extracts, acts })) => {
                compared.set(compared.get() + 1);
                extracted.set(extracted.get() + usize::from(extracts));
                acted.set(acted.get() + usize::from(extracts && acts));
                Ok(())
            }
            Some(Err(text)) => Err(TestCaseError::fail(text)),
        }
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    let counts = (compiled.get(), compared.get(), extracted.get(), acted.get());
    if std::env::var_os("ORACLE_COUNTS").is_some() {
        panic!("compiled, compared, extracted, of these with actions: {counts:?}");
    }
    // Otherwise this test says little.
    assert!(counts.2 * 4 > counts.0 && counts.3 * 10 > counts.0, "{counts:?}");
}

/// The same pages, with expressions whose fields often have one value: no record has more or less than its type says.
#[test]
fn records_are_of_their_types() {
    let (single, one, records) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let outcome = TestRunner::new(config()).run(&(vec(ANY, 40..200), vec(ANY, 10..80)), |(graph, choices)| {
        let pages = generate::pages(&mut Tape::new(&graph));
        let source = generate::expression(&mut Tape::narrow(&choices));
        let Ok(script) = Script::compile(&source, &[]) else {
            return Ok(());
        };
        let types = script.record_types();
        for declared in &types {
            let (some, exact) = single_fields(&declared.content);
            single.set(single.get() + some);
            one.set(one.get() + exact);
        }
        let mut collected = Collected::default();
        script.run(&mut site(&pages), None, &RunOptions::default(), &mut collected);
        records.set(records.get() + collected.records.len());
        match violation(&types, &collected.records) {
            None => Ok(()),
            Some(wrong) => Err(TestCaseError::fail(format!("{wrong}\n{source}\n{pages:#?}"))),
        }
    });
    if let Err(TestError::Fail(reason, _) | TestError::Abort(reason)) = outcome {
        panic!("{reason}");
    }
    let counts = (single.get(), one.get(), records.get());
    let cases = config().cases as usize;
    assert!(
        counts.0 * 4 > cases && counts.1 * 20 > cases && counts.2 > cases,
        "{counts:?}"
    );
}

/// How many expressions with markers are compared with their normal forms.
const NORMAL_FORMS: u32 = 10_000;

/// What `--explain` prints as the normal form of an expression gives the same records.
#[test]
fn normal_forms_give_the_same_records() {
    let (compared, rewritten, extracted) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let config = Config {
        // Some of them do not pass the checks, or have no markers.
        cases: NORMAL_FORMS * 2,
        ..config()
    };
    let outcome = TestRunner::new(config).run(&(vec(ANY, 40..200), vec(ANY, 10..80)), |(graph, choices)| {
        let pages = generate::pages(&mut Tape::new(&graph));
        let source = generate::expression(&mut Tape::new(&choices));
        let Ok(script) = Script::compile(&source, &[]) else {
            return Ok(());
        };
        if !source.contains(":<") || compared.get() == NORMAL_FORMS {
            return Ok(());
        }
        let normal = script.normal_form().to_string();
        let again = match Script::compile(&normal, &[]) {
            Ok(again) => again,
            Err(error) => return Err(TestCaseError::fail(format!("{source}\n{normal}\n{error}"))),
        };
        let records = |script: &Script| {
            let mut collected = Collected::default();
            script.run(&mut site(&pages), None, &RunOptions::default(), &mut collected);
            show_records(&collected.records)
        };
        let (found, expected) = (records(&again), records(&script));
        if found != expected {
            let text = format!("{source}\n{normal}\nfound {found:#?}\nexpected {expected:#?}\n{pages:#?}");
            return Err(TestCaseError::fail(text));
        }
        compared.set(compared.get() + 1);
        rewritten.set(rewritten.get() + usize::from(normal != script.ast().to_string()));
        extracted.set(extracted.get() + usize::from(!expected.is_empty()));
        Ok(())
    });
    if let Err(TestError::Fail(reason, _) | TestError::Abort(reason)) = outcome {
        panic!("{reason}");
    }
    let counts = (compared.get(), rewritten.get(), extracted.get());
    if std::env::var_os("ORACLE_COUNTS").is_some() {
        panic!("compared, rewritten, of these with records: {counts:?}");
    }
    assert_eq!(counts.0, NORMAL_FORMS, "{counts:?}");
    // Otherwise this test says little.
    assert!(counts.1 > 2000 && counts.2 > 5000, "{counts:?}");
}

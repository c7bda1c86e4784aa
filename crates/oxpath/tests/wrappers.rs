//! Real expressions: the public OXPath wrappers, the examples of the paper, and the probes of the old parser.
//!
//! The data is not part of the repository. Where it is missing, the tests say so and pass.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oxpath::check::{Dialect, check_as};
use oxpath::diag::{Diagnostic, Severity, Span};
use oxpath::syntax::ast::{Expr, ExprKind, StepForm};
use oxpath::syntax::{each_child_mut, parse};
use serde_json::Value;

fn reference(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/reference")
        .join(path);
    if !path.exists() {
        skip::skip("oxpath: public wrappers", &format!("{} is missing", path.display()));
        return None;
    }
    Some(path)
}

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

fn show(source: &str, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let text: String = source[d.span.range()].chars().take(60).collect();
        format!("\n    {} {} at `{text}`: {}", d.code.as_str(), d.span.start, d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// `${name}` replaced by `1`, as the old command line replaces it by a value.
fn fill(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        match after.split_once('}') {
            Some((_, after)) => {
                out.push('1');
                rest = after;
            }
            None => {
                out.push_str("${");
                rest = after;
            }
        }
    }
    out + rest
}

/// What the old parser accepts and our checks do not, and why not.
#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("oxpath-core-tests/asttest/033.oxp", "a marker on the number `position()`"),
    ("oxpath-core-tests/asttest/034.oxp", "a marker on the number 1"),
    ("oxpath-core-tests/asttest/133.oxp", "a marker on the number 2"),
    ("oxpath-core-tests/asttest/134.oxp", "a marker on the number `count(//a)`"),
    ("oxpath-core-tests/asttest/070.oxp", "R1: an action is compared with a number"),
    ("oxpath-core-tests/test-parser/002.oxp", "`current-url` with an argument, which the old parser does not count"),
    ("oxpath-core-tests/test-parser/003.oxp", "the same"),
    ("oxpath-core-tests/queries/001.oxp", "R1: `doc` as an argument; values are computed on a page, not across them"),
    ("oxpath-core-tests/queries/002.oxp", "the same"),
    ("oxpath-core-tests/queries/003.oxp", "the same"),
    ("oxpath-core-tests/queries/004.oxp", "the same"),
    ("oxpath-core-tests/oxpath-expressions-invalid/001.oxp", "must fail: there is no function `doc1`"),
];

/// What no parser accepts.
#[rustfmt::skip]
const BROKEN: &[(&str, &str)] = &[
    ("docs/smart-harvesting-blog-04.oxp", "a step of a tutorial, with an empty predicate still to be filled"),
    ("docs/code4lib-listing1.oxp", "the article lost a `]`"),
];

#[test]
fn wrappers() {
    let Some(folder) = reference("oxpath-wrappers") else {
        return;
    };
    let index = std::fs::read_to_string(folder.join("INDEX.json")).unwrap();
    let index: Vec<Value> = serde_json::from_str(&index).unwrap();
    let mut problems = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut warned: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &index {
        let Some(accepted) = entry["reference_parser_accepts"].as_bool() else {
            continue;
        };
        let file = entry["file"].as_str().unwrap();
        let accepted = accepted || entry["accepts_after_substituting_${..}_by_1"] == true;
        let source = fill(&std::fs::read_to_string(folder.join(file)).unwrap());
        let of_paper = file.starts_with("paper/");
        let broken = BROKEN.iter().any(|(known, _)| *known == file);
        let refused = REFUSED.iter().any(|(known, _)| *known == file);
        let expr = match parse(&source) {
            Ok(expr) => expr,
            Err(errors) => {
                if accepted || of_paper || !broken {
                    problems.push(format!("{file} does not parse:{}", show(&source, &errors)));
                }
                *counts.entry("rejected by both parsers").or_default() += 1;
                continue;
            }
        };
        if broken {
            problems.push(format!("{file} parses"));
        }
        let (mut first, printed) = (expr.clone(), expr.to_string());
        match parse(&printed) {
            Ok(mut second) => {
                erase(&mut first);
                erase(&mut second);
                if first != second {
                    problems.push(format!("{file} prints as another expression: {printed}"));
                }
            }
            Err(errors) => problems.push(format!("{file} prints wrongly:{}", show(&printed, &errors))),
        }
        let found = check_as(Dialect::OXPath, &expr, &["test"]);
        let (errors, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(|d| d.severity == Severity::Error);
        for code in warnings
            .iter()
            .map(|d| d.code.as_str())
            .collect::<std::collections::BTreeSet<_>>()
        {
            *warned.entry(code).or_default() += 1;
        }
        match (errors.is_empty(), refused) {
            (true, false) => {
                *counts.entry("accepted").or_default() += 1;
                let test = oxpath::Value::String(String::new());
                if let Err(errors) = oxpath::run::Script::compile(&source, &[("test", test)]) {
                    problems.push(format!("{file} cannot be run:{}", show(&source, errors.diagnostics())));
                }
            }
            (false, true) => *counts.entry("refused by the checks").or_default() += 1,
            (true, true) => problems.push(format!("{file} passes the checks")),
            (false, false) => problems.push(format!("{file} does not pass:{}", show(&source, &errors))),
        }
    }
    assert!(problems.is_empty(), "{}\n{counts:?} {warned:?}", problems.join("\n"));
    let expected = [
        ("accepted", 311),
        ("refused by the checks", 12),
        ("rejected by both parsers", 2),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    // How many files have a warning, by its code. Most are about markers without a record, and about children of the root,
    // which the old parser's own tests look for without meaning a page.
    let expected = [
        ("WW0001", 3),
        ("WW0004", 14),
        ("WW0005", 3),
        ("WW0006", 7),
        ("WW0013", 77),
        ("XPST0005", 106),
    ];
    assert_eq!(warned, BTreeMap::from(expected));
}

/// Probes on which we differ from the old parser: what we make of them, why, and which.
#[rustfmt::skip]
const DIFFERENCES: &[(bool, &str, &[&str])] = &[
    (true, "operators of the paper", &["D//a[.~'History']", "D//a[. ~ 'History']", "D//a[$rhs subset $lhs]",
        "D//a[b subset c]"]),
    (true, "the style axis abbreviated, as in the paper", &["D//a/^color", "D//a[^color='red']"]),
    (true, "intensional axes, as in the paper", &["D//a/[$lhs/style::color=$rhs/style::color]::*"]),
    (true, "groups and repetition wherever a step may stand, with any bounds, of any body", &["D//a/(//b)", "D//a/(b/c)",
        "D/(//a/{click /})*{,8}", "D/(//a/{click /})*{3,}", "D/(//a/{click /})+", "D/(//a/{click /}|//b)*",
        "D//(a/{click /})*", "D//a[(./b/{click/})*]"]),
    (true, "suffixes on anything", &["D/(//a/{click /})*[1]", "D/(//a/{click /})*:<x>", "D[1]", "D//a.b:<x>.c",
        "D//a:<x>.c", "D//a:<x>#c", "D//a/{click}[1]", "D//a/{click}:<x>", "D//a/{click}.c"]),
    (true, "actions without a slash, or after two", &["D//a{click}", "D{click /}", "D//{click /}", "D//a/{click}{click}",
        "D//a[{click}]"]),
    (true, "free white space", &["D//a/{ click /}", "D//a/{ \"text\" /}", "D//a[ ? b]"]),
    (true, "more actions and options", &["D//a/{click[wait=1.5]/}", "D//a/{click[until=//b]/}", "D//a/{scroll}",
        "D//a/{rightclick}"]),
    (true, "`doc` of any expression, as in the paper", &["doc($u)//a", "doc(concat(\"a\",\"b\"))//a", "doc(a)//a"]),
    (true, "markers with any name and value, as in the paper", &["D//a:<x=.>", "D//a:<x=@href>", "D//a:<x=count(//b)+1>",
        "D//a:<x.y>", "D//a:<é>"]),
    (true, "selectors without a node test, as in the paper", &["D//.cls", "D//#id", "D/following::#id"]),
    (true, "XPath 1.0, which the old parser does not have whole", &["/", "D//é", "D//ns:*", "D//a[1 = 1]",
        "D//a[count(b) > 0 and c]", "D//a[1+1]", "D//a[@x mod 2 = 1]", "D//a[@x div 2 and @y]"]),
    (true, "functions of XPath 2.0", &["D//a[matches(.,'x')]", "D//a[lower-case(.)='y']", "D//a[ends-with(.,'y')]"]),
    (true, "no reserved words", &["D//noback", "D//a[wait=3]", "D//a/noback"]),
    (true, "comments", &["D//a (: comment :)"]),
    (false, "`//` and `#name` are one token each, in XPath and CSS", &["D//a # c", "D/ /a"]),
];

#[test]
fn probes() {
    let Some(file) = reference("oxpath-testdata/parser-probes.json") else {
        return;
    };
    let probes: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let expected = |probe: &str| {
        let row = DIFFERENCES.iter().find(|(_, _, probes)| probes.contains(&probe));
        row.map(|(accepted, ..)| *accepted)
    };
    let mut problems = Vec::new();
    let mut agreed = 0;
    for probe in &probes {
        let (source, theirs) = (probe["expr"].as_str().unwrap(), probe["accept"].as_bool().unwrap());
        let short = source.replace("doc(\"a\")", "D");
        let ours = parse(source).is_ok();
        agreed += usize::from(ours == theirs);
        let listed = expected(&short);
        if listed.is_some_and(|listed| listed == theirs) || listed.unwrap_or(theirs) != ours {
            problems.push(format!("({ours}) {short:?}"));
        }
    }
    assert!(
        problems.is_empty(),
        "{agreed} of {}\n{}",
        probes.len(),
        problems.join("\n")
    );
    assert_eq!((agreed, probes.len()), (221, 285));
}

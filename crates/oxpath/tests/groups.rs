//! Groups, repetitions and unions in runs over pages in memory.

use browse::Memory;
use oxpath::run::{RunOptions, Script};

/// The values of the records that an expression gives, with their names.
#[track_caller]
fn check(pages: &[(&str, &str)], source: &str, expected: &[&str]) {
    let mut driver = Memory::new(pages.iter().copied());
    let script = Script::compile(source, &[]).unwrap_or_else(|found| panic!("{source}: {found}"));
    let options = RunOptions::default();
    let mut run = script.start(&mut driver, None, &options);
    let show = |record: record::Record| format!("<{0}>{1}</{0}>", record.name, record.value.unwrap_or_default());
    let found: Vec<String> = run.records().map(show).collect();
    assert_eq!(found, expected, "{source}");
}

/// What `((div)*/div)*` reaches; and a union of pages in parentheses.
#[test]
fn repetitions_in_repetitions_and_unions_of_pages() {
    let pages = &[
        ("http://a/", "<div id=1><div id=2><div id=3></div></div></div>"),
        ("http://b/", "<p>b</p>"),
    ];
    check(
        pages,
        "doc('http://a/')/html/body/((div)*/div)*[@id]:<d=@id>",
        &["<d>1</d>", "<d>2</d>", "<d>3</d>"],
    );
    check(pages, "(doc('http://a/') | doc('http://b/'))//p:<p=.>", &["<p>b</p>"]);
}

/// A group, a repetition or an intensional axis may be all that a condition asks for.
#[test]
fn groups_in_conditions() {
    let pages = &[(
        "http://a/",
        "<div id=1><div id=2><div id=3></div></div></div><p id=4 class=3></p>",
    )];
    let all = &["<d>1</d>", "<d>2</d>", "<d>3</d>"][..];
    for (condition, expected) in [
        ("./(div)", &all[..2]),
        ("./(div)+", &all[..2]),
        ("./(div)*{2,2}", &all[..1]),
        ("./(div)*", all),
        ("not(./(div))", &all[2..]),
        ("count(./(div)) > 0", &all[..2]),
        ("./[$lhs/@id = $rhs/@class]::p", &all[2..]),
    ] {
        check(pages, &format!("doc('http://a/')//div[{condition}]:<d=@id>"), expected);
    }
}

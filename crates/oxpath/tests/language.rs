//! Typed values, required fields, parts and `??` in whole runs over pages in memory.

use browse::Memory;
use oxpath::run::{Failure, Progress, RunOptions, RunSummary, Script};
use record::{Cardinality, Record, Sort};

#[derive(Default)]
struct Collected(Vec<Record>);

impl Progress for Collected {
    fn record(&mut self, record: Record) -> bool {
        self.0.push(record);
        true
    }

    fn failure(&mut self, failure: &Failure) {
        panic!("{failure}");
    }
}

fn run(pages: &[(&str, &str)], source: &str) -> (Vec<Record>, RunSummary) {
    let script = Script::compile(source, &[]).unwrap_or_else(|found| panic!("{found}"));
    let mut collected = Collected::default();
    let mut driver = Memory::new(pages.iter().copied());
    let summary = script.run(&mut driver, None, &RunOptions::default(), &mut collected);
    (collected.0, summary)
}

const EVENTS: &[(&str, &str)] = &[(
    "http://a/",
    "<ul><li><b>Kelp</b><i>9.5.2019</i><u>7</u></li><li><b> </b><i>soon</i><u>x</u></li><li><i>31.2.2019</i></li></ul>",
)];

#[test]
fn a_field_has_the_sort_of_its_expression() {
    let sort = |value: &str| {
        let source = format!("doc('http://a/')//li:<event>[.:<field={value}>]");
        let script = Script::compile(&source, &[]).unwrap_or_else(|found| panic!("{found}"));
        let types = script.record_types();
        let record::Content::Value(value) = &types[0].fields()[0].content else {
            panic!("{source}: not a value");
        };
        value.sort
    };
    for (value, expected) in [
        ("number(u)", Sort::Decimal),
        ("count(b)", Sort::Integer),
        // Evaluated once for the page, and still a number.
        ("count(//li)", Sort::Integer),
        ("count(//li) + 1", Sort::Decimal),
        ("//li = 'x'", Sort::Boolean),
        ("date(i, 'D.M.YYYY')", Sort::Date),
        ("date(i, 'D.M.YYYY H:mm')", Sort::Timestamp),
        ("date(//i, 'D.M.YYYY')", Sort::Date),
        ("number(u) ?? number(b)", Sort::Decimal),
        ("number(u) ?? 'none'", Sort::Text),
        ("string(b)", Sort::Text),
    ] {
        assert_eq!(sort(value), expected, "{value}");
    }
}

#[test]
fn dates_by_a_format() {
    let (records, _) = run(EVENTS, "doc('http://a/')//li:<event>[.:<day=date(i, 'D.M.YYYY')>]");
    let days: Vec<Option<&str>> = records.iter().map(|record| record.get("day")).collect();
    // What is no date is kept for whoever writes the record, who tells of it.
    assert_eq!(days, [Some("2019-05-09"), Some("soon"), Some("31.2.2019")]);
    let script = Script::compile("doc('u')//li:<event>[.:<day=date(i, 'D.M.YYYY')>]", &[]).expect("valid");
    let record_type = &script.record_types()[0];
    let misfits: Vec<String> = records
        .iter()
        .flat_map(|record| record_type.misfits(record))
        .map(|misfit| misfit.to_string())
        .collect();
    assert_eq!(
        misfits,
        [
            "event.day: \"soon\" is not a date",
            "event.day: \"31.2.2019\" is not a date"
        ]
    );
    // Elsewhere what is no date is the empty string.
    let (records, _) = run(EVENTS, "doc('http://a/')//li[date(i, 'D.M.YYYY')]:<event=string(b)>");
    assert_eq!(records.len(), 1);
}

#[test]
fn mistakes_in_formats() {
    let check = |format: &str, expected: &str| {
        let source = format!("doc('u')//li:<e>[.:<day=date(., {format})>]");
        let error = Script::compile(&source, &[]).expect_err(&source);
        assert_eq!(error.message(), expected);
    };
    check(
        "'dd.mm.yyyy'",
        "expected a format of dates, found `dd.mm.yyyy`: `dd` means nothing in a format of dates; write text as `[dd]`",
    );
    check(
        "@format",
        "expected the format of `date` as a text in quotes, found an expression",
    );
    check(
        "'D.M.'",
        "expected a format of dates, found `D.M.`: the year is missing",
    );
}

#[test]
fn records_without_a_required_field_are_told() {
    let source = "doc('http://a/')//li:<event>[? b:<title(required)=.>][? .:<pages(required)=number(u)>]\
                  [? .:<day(required)=date(i, 'D.M.YYYY')>]";
    let (records, summary) = run(EVENTS, source);
    assert_eq!(records.len(), 3, "they are given as they are");
    let told: Vec<String> = summary.lacking.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "2 `event` records lack the required field `title`; the first is on http://a/",
            "2 `event` records lack the required field `pages`; the first is on http://a/",
            "2 `event` records lack the required field `day`; the first is on http://a/",
        ]
    );
    let script = Script::compile(source, &[]).expect("valid");
    let cardinalities: Vec<Cardinality> = script.record_types()[0]
        .fields()
        .iter()
        .map(|field| field.cardinality)
        .collect();
    assert_eq!(
        cardinalities,
        [Cardinality::AtLeastOne, Cardinality::One, Cardinality::One]
    );
    assert!(run(EVENTS, &source.replace("(required)", "")).1.lacking.is_empty());
}

#[test]
fn required_in_nested_records_and_at_the_top() {
    let pages = &[("http://a/", "<div><p><b>x</b></p><p></p></div><div></div>")];
    let source = "doc('http://a/')//div:<book>[? p:<offer(required)>[? b:<price(required)=.>]]";
    let told = |source: &str| -> Vec<String> {
        let lacking = run(pages, source).1.lacking;
        lacking
            .iter()
            .map(|found| format!("{}.{} {}", found.record, found.field, found.records))
            .collect()
    };
    assert_eq!(told(source), ["book.offer.price 1", "book.offer 1"]);
    assert_eq!(told("doc('http://a/')//p:<text(required)=.>"), ["text.text 1"]);
    let warned = |source: &str| -> Vec<String> {
        let script = Script::compile(source, &[]).unwrap_or_else(|found| panic!("{found}"));
        script.warnings().iter().map(|found| found.message.clone()).collect()
    };
    assert_eq!(
        warned("doc('u')//p:<book(required)>[.:<t=string(.)>]"),
        ["`required` has no effect on a record that is in no other record"]
    );
    assert_eq!(
        warned("doc('u')//p:<book>[.:<t(requierd)=string(.)>]"),
        ["the word `requierd` in a marker has no effect"]
    );
    // The types of old wrappers are read and ignored.
    assert!(warned("doc('u')//p:<book>[.:<t(string)=string(.)>]").is_empty());
}

const SHOP: &[(&str, &str)] = &[
    ("http://shop/", "<a class=next href=2>next</a><p><h1>Kelp</h1></p>"),
    ("http://shop/2", "<title>Tides</title>"),
];

#[test]
fn parts_and_alternatives_in_a_run() {
    let parts = "let shop = doc('http://shop/');
        let pages($link) = (//a[. = $link]/{click /})*;
        let title = //h1 ?? //title;
        shop()/pages('next')/.:<page>[.:<title=title()>][? title():<node=name(.)>]";
    let alone = "doc('http://shop/')/(//a[. = 'next']/{click /})*/.:<page>[.:<title=//h1 ?? //title>]\
                 [? (//h1 ?? //title):<node=name(.)>]";
    let (records, summary) = run(SHOP, alone);
    let titles: Vec<(Option<&str>, Option<&str>)> = records
        .iter()
        .map(|record| (record.get("title"), record.get("node")))
        .collect();
    assert_eq!(titles, [(Some("Kelp"), Some("h1")), (Some("Tides"), Some("title"))]);
    let (same, _) = run(SHOP, parts);
    assert_eq!(same, records);
    assert_eq!(summary.failures, 0);
}

#[test]
fn alternatives_do_not_act() {
    let error = Script::compile("doc('u')//a:<x>[(b:<y=.> ?? c:<y=.>)]", &[]).expect_err("R1");
    assert!(error.message().contains("an operand of `??`"), "{error}");
    let script = Script::compile("doc('u')//a:<x>[.:<y='a' ?? b>]", &[]).expect("a warning");
    assert_eq!(
        script.warnings()[0].message,
        "what follows `??` is never used: a string is never missing"
    );
}

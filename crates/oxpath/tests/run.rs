//! Whole runs over pages in memory: the paper's examples and the rules of its tables.

use browse::Memory;
use oxpath::run::{Failure, Progress, Record, RunOptions, RunSummary, Script};

#[derive(Default)]
struct Collected {
    records: Vec<Record>,
    failures: Vec<String>,
    most: Option<usize>,
}

impl Progress for Collected {
    fn record(&mut self, record: Record) -> bool {
        self.records.push(record);
        self.most.is_none_or(|most| self.records.len() < most)
    }

    fn failure(&mut self, failure: &Failure) {
        self.failures.push(failure.to_string());
    }
}

/// A record as the paper writes it, on one line.
fn show(record: &Record) -> String {
    let inside: String =
        record.value.clone().unwrap_or_default() + &record.children.iter().map(show).collect::<String>();
    format!("<{0}>{inside}</{0}>", record.name)
}

fn run(pages: &[(&str, &str)], source: &str) -> (Collected, RunSummary, Vec<String>) {
    let mut driver = Memory::new(pages.iter().copied());
    let script = Script::compile(source, &[]).unwrap_or_else(|found| panic!("{source}: {found:?}"));
    let mut collected = Collected::default();
    let summary = script.run(&mut driver, None, &RunOptions::default(), &mut collected);
    (collected, summary, driver.log().to_vec())
}

#[track_caller]
fn check(pages: &[(&str, &str)], source: &str, expected: &[&str]) -> RunSummary {
    let (collected, summary, _) = run(pages, source);
    assert_eq!(collected.failures, Vec::<String>::new());
    assert_eq!(collected.records.iter().map(show).collect::<Vec<_>>(), expected);
    summary
}

const NEWS: &[(&str, &str)] = &[(
    "http://news/",
    "<div class='story top'><h2>Tax cuts</h2><span>Post</span><span>Journal</span></div>\
     <div class='story'><h2>Rain</h2><span>Echo</span></div>",
)];

#[test]
fn records_with_attributes() {
    check(
        NEWS,
        "doc('http://news/')//div[@class~='story']:<story>[./h2:<title=string(.)>][./span:<source=string(.)>]",
        &[
            "<story><title>Tax cuts</title><source>Post</source><source>Journal</source></story>",
            "<story><title>Rain</title><source>Echo</source></story>",
        ],
    );
}

#[test]
fn a_pager_is_walked_with_one_page_in_memory() {
    let pages: Vec<(String, String)> = (0..500)
        .map(|n| {
            let next = if n < 499 {
                format!("<a href='/{}'>Next</a>", n + 1)
            } else {
                String::new()
            };
            (format!("http://list/{n}"), format!("<li>item {n}</li>{next}"))
        })
        .collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, page)| (url.as_str(), page.as_str())).collect();
    let (collected, summary, log) = run(
        &pages,
        "doc('http://list/0')/(//a[.~'Next']/{click /})*//li:<item>[.:<text=.>]",
    );
    assert_eq!(collected.failures, Vec::<String>::new());
    assert_eq!(collected.records.len(), 500);
    assert_eq!(show(&collected.records[499]), "<item><text>item 499</text></item>");
    assert_eq!(log.len(), 500);
    assert!(summary.most_pages <= 3, "{summary:?}");
}

#[test]
fn a_circle_of_pages_is_noticed() {
    let pages = [
        ("http://a/", "<a href='http://b/'>Next</a><p>a"),
        ("http://b/", "<a href='http://a/'>Next</a><p>b"),
    ];
    let (collected, _, log) = run(&pages, "doc('http://a/')/(//a/{click /})*//p:<p>[.:<t=.>]");
    assert_eq!(collected.records.len(), 2);
    assert_eq!(collected.failures.len(), 1);
    assert_eq!(log.len(), 3);
}

const SHOP: &[(&str, &str)] = &[
    (
        "http://shop/",
        "<form action='/search'><input name=q><input type=submit value=Go></form>",
    ),
    (
        "http://shop/search?q=sea",
        "<li><a href='/1'>Salt</a><i>9</i></li><li><a href='/2'>Kelp</a><i>7</i></li>",
    ),
    ("http://shop/1", "<h1>Salt</h1><p class=pub>Harbour</p>"),
    ("http://shop/2", "<h1>Kelp</h1><p class=pub>Tide</p>"),
];

#[test]
fn a_form_is_filled_and_details_are_nested() {
    let summary = check(
        SHOP,
        "doc('http://shop/')//field()[1]/{'sea'}/following::field()[1]/{click /}\
         //li:<book>[./a:<title=.>][./a/{click /}//p.pub:<publisher=.>][./i:<price=number(.)>]",
        &[
            "<book><title>Salt</title><publisher>Harbour</publisher><price>9</price></book>",
            "<book><title>Kelp</title><publisher>Tide</publisher><price>7</price></book>",
        ],
    );
    assert_eq!(summary.pages, 4);
    assert!(summary.most_pages <= 3, "{summary:?}");
}

#[test]
fn optional_predicates_keep_every_record() {
    check(
        SHOP,
        "doc('http://shop/search?q=sea')//li:<book>[./a:<title=.>][? ./i[. > 8]:<dear=.>]",
        &[
            "<book><title>Salt</title><dear>9</dear></book>",
            "<book><title>Kelp</title></book>",
        ],
    );
}

#[test]
fn a_failing_predicate_keeps_what_was_extracted() {
    check(
        SHOP,
        "doc('http://shop/search?q=sea')//li:<book>[./i:<price=.>][./b:<none=.>][./a:<title=.>]",
        &["<book><price>9</price></book>", "<book><price>7</price></book>"],
    );
}

#[test]
fn a_node_is_extracted_once_for_a_parent() {
    let page = [("http://n/", "<p><p-a><p-b><b>x</b></p-b></p-a>")];
    check(&page, "doc('http://n/')//*[.//b]//b:<b>[.:<t=.>]", &["<b><t>x</t></b>"]);
    check(
        &page,
        "doc('http://n/')//*[? .//i:<no>]//b:<b>[.:<t=.>]",
        &["<b><t>x</t></b>"],
    );
}

#[test]
fn one_failing_page_does_not_stop_the_others() {
    let pages = [
        ("http://x/", "<a href='/1'>1</a><a href='/2'>2</a>"),
        ("http://x/2", "<h1>Two</h1>"),
    ];
    let (collected, summary, _) = run(&pages, "doc('http://x/')//a:<a>[./{click /}//h1:<h=.>]");
    assert_eq!(
        collected.records.iter().map(show).collect::<Vec<_>>(),
        ["<a></a>", "<a><h>Two</h></a>"]
    );
    assert_eq!(summary.failures, 1, "{:?}", collected.failures);
}

#[test]
fn siblings_outside_predicates_are_siblings() {
    let pages = [("http://x/", "<ul><li>1<b>a</b><li>2<b>b</b></ul>")];
    check(
        &pages,
        "doc('http://x/')//li:<R>/b:<S>[.:<t=.>]",
        &["<R></R>", "<S><t>a</t></S>", "<R></R>", "<S><t>b</t></S>"],
    );
}

#[test]
fn what_comes_after_a_step_attaches_to_the_last_record() {
    let pages = [("http://x/", "<ul><li>1<b>a</b><li>2<b>b</b></ul>")];
    check(
        &pages,
        "doc('http://x/')//li:<R>/b[.:<t=.>]",
        &["<R><t>a</t></R>", "<R><t>b</t></R>"],
    );
}

#[test]
fn intensional_axes_relate_pairs() {
    let pages = [(
        "http://x/",
        "<p id=1>a</p><p id=2>b</p><q id=3>a</q><q id=4>b</q><q id=5>b</q>",
    )];
    check(
        &pages,
        "doc('http://x/')//p/[$lhs = $rhs and $rhs subset $lhs/following::q]::*:<m>[.:<id=@id>]",
        &["<m><id>3</id></m>", "<m><id>4</id></m>", "<m><id>5</id></m>"],
    );
}

#[test]
fn the_run_stops_when_nobody_takes_records() {
    let mut driver = Memory::new(NEWS.iter().copied());
    let script = Script::compile("doc('http://news/')//span:<s>", &[]).expect("a script");
    let mut collected = Collected {
        most: Some(1),
        ..Collected::default()
    };
    let summary = script.run(&mut driver, None, &RunOptions::default(), &mut collected);
    assert_eq!(collected.records.len(), 1);
    assert!(summary.stopped);
}

/// Figures 9 and 10 of the paper: predicates with actions, nested; growth stays polynomial.
#[test]
fn nested_actions_in_predicates_are_not_exponential() {
    let page = "<a href='http://n/'>".to_owned() + &"<b><a href='http://n/'>".repeat(8);
    let pages = [("http://n/", page.as_str())];
    let mut counts = Vec::new();
    for depth in 1..=4 {
        let source = format!(
            "doc('http://n/')//a{}{}",
            "[.//b[.//a".repeat(depth),
            "]]".repeat(depth)
        );
        let source = source.replace("//b[", "//b[./a/{click /}][");
        let (_, summary, _) = run(&pages, &source);
        counts.push(summary.actions);
    }
    // The actions of one level do not depend on how many ways lead there.
    assert!(counts.windows(2).all(|pair| pair[1] <= pair[0] * 3 + 8), "{counts:?}");
}

#[test]
fn positions_count_among_what_the_step_gives() {
    let pages = [("http://x/", "<ul><li>1<li>2<li>3</ul><ul><li>4<li>5</ul>")];
    // All are extracted, the first of each list goes on.
    check(
        &pages,
        "doc('http://x/')//ul/li:<R>[1][.:<t=.>]",
        &["<R><t>1</t></R>", "<R></R>", "<R></R>", "<R><t>4</t></R>", "<R></R>"],
    );
    check(
        &pages,
        "doc('http://x/')//ul/li[? .:<seen=.>][last()]:<R>[.:<t=.>]",
        &[
            "<seen>1</seen>",
            "<seen>2</seen>",
            "<seen>3</seen>",
            "<R><t>3</t></R>",
            "<seen>4</seen>",
            "<seen>5</seen>",
            "<R><t>5</t></R>",
        ],
    );
    check(
        &pages,
        "doc('http://x/')/(//li:<all>)[. > 3]:<R>",
        &[
            "<all></all>",
            "<all></all>",
            "<all></all>",
            "<all></all>",
            "<R></R>",
            "<all></all>",
            "<R></R>",
        ],
    );
}

#[test]
fn two_nodes_may_reach_the_same_in_a_predicate() {
    let pages = [("http://x/", "<ul><li>1</li><li>2</li></ul><h1>head</h1>")];
    // The second `li` comes to the heading after the first did.
    check(
        &pages,
        "doc('http://x/')//ul:<R>[./li[//h1:<h=.>]:<S>]",
        &["<R><h>head</h><S></S><S></S></R>"],
    );
}

#[test]
fn an_action_is_not_done_again_for_the_same_tuple() {
    let pages = [
        ("http://x/", "<ul><li>1</li><li>2</li><a href='/1'>on</a></ul>"),
        ("http://x/1", "<h1>head</h1>"),
    ];
    // Both items lead to the same record, and that to one click.
    check(
        &pages,
        "doc('http://x/')//li:<R>/../a:<S>/{click /}[.//h1:<h=.>]",
        &["<R></R>", "<S><h>head</h></S>", "<R></R>"],
    );
    // Standing still is no second tuple.
    check(
        &pages,
        "doc('http://x/')//a:<S>/(b|.[? b:<b>])*/{click /}[.//h1:<h=.>]",
        &["<S><h>head</h></S>"],
    );
}

#[test]
fn repetitions_have_bounds() {
    let nested = [("http://x/", "<b id=1><b id=2><b id=3><b id=4></b></b></b></b>")];
    let chain = [
        ("http://x/", "<b id=1></b><a href='/2'>on</a>"),
        ("http://x/2", "<b id=2></b><a href='/3'>on</a>"),
        ("http://x/3", "<b id=3></b><a href='/4'>on</a>"),
        ("http://x/4", "<b id=4></b>"),
    ];
    for (bounds, expected) in [
        ("*{0,0}", "1"),
        ("*{0,1}", "12"),
        ("*{1,1}", "2"),
        ("", "2"),
        ("*{2,2}", "3"),
        ("*{2,3}", "34"),
        ("*{2,}", "34"),
        ("+", "234"),
        ("*", "1234"),
        ("*{5,6}", ""),
    ] {
        let ids = |pages: &[(&str, &str)], source: &str| {
            let (collected, _, _) = run(pages, source);
            assert_eq!(collected.failures, Vec::<String>::new(), "{source}");
            let values: String = collected.records.iter().filter_map(|r| r.value.clone()).collect();
            values
        };
        // In one page, a marker making the repetition more than a simple path; and over pages.
        let source = format!("doc('http://x/')/html/body/b/(b[? i:<i>]){bounds}/.:<v=@id>");
        assert_eq!(ids(&nested, &source), expected, "{source}");
        let source = format!("doc('http://x/')/(.//a/{{click /}}){bounds}//b:<v=@id>");
        assert_eq!(ids(&chain, &source), expected, "{source}");
        // Standing still counts as a round.
        let source = format!("doc('http://x/')/html/body/b/(.[? i:<i>]){bounds}/.:<v=@id>");
        assert_eq!(ids(&nested, &source), "1", "{source}");
    }
}

#[test]
fn repetitions_are_nested() {
    let pages = [
        ("http://x/", "<b><b><a href='/2'>on</a></b></b>"),
        ("http://x/2", "<b><a href='/3'>on</a></b>"),
        ("http://x/3", "<i>end</i>"),
    ];
    check(
        &pages,
        "doc('http://x/')/(./(html/body/b)*/(b[? i:<i>])*/a/{click /})*[.//i:<v=.>]",
        &["<v>end</v>"],
    );
}

#[test]
fn a_record_in_a_counted_repetition_stays_open() {
    let pages = [("http://x/", "<ul><li id=1></li><li id=2></li><li id=3></li></ul>")];
    // From the first item all are reached in the second round before the others are in the first, and go on only then.
    check(
        &pages,
        "doc('http://x/')//li[1]/(.[? .:<a=@id>]/../li:<R>)*{1,2}",
        &["<a>1</a>", "<R><a>1</a></R>", "<R><a>2</a></R>", "<R><a>3</a></R>"],
    );
}

/// Figure 7 of the paper: the output has the structure of the markers, not of the page.
#[test]
fn output_has_the_structure_of_the_markers() {
    let pages = [
        (
            "http://x/",
            "<d-d><a href='/1'>1</a></d-d><d-d><a href='/2'>2</a></d-d>",
        ),
        ("http://x/1", "<p>one</p><b>k<k-k></k-k></b><b>l<k-k></k-k></b>"),
        ("http://x/2", "<p>two</p><p>three</p>"),
    ];
    check(
        &pages,
        "doc('http://x/')//d-d:<R>/a/{click /}/.[//p:<Tp=string(.)>][//k-k:<S>[parent::b:<Tb=string(.)>]]",
        &[
            "<R><Tp>one</Tp><S><Tb>k</Tb></S><S><Tb>l</Tb></S></R>",
            "<R><Tp>two</Tp><Tp>three</Tp></R>",
        ],
    );
}

/// Figures 9 and 10: two pages at a time suffice, and links that several ways lead to are clicked once.
#[test]
fn linked_pages_are_loaded_one_after_another() {
    let pages = [
        (
            "http://x/",
            "<div><section><a href='/1'>1</a><section><a href='/2'>2</a></section><a href='/3'>3</a></section></div>",
        ),
        ("http://x/1", "<title>one</title>"),
        ("http://x/2", "<title>two</title>"),
        ("http://x/3", "<title>three</title>"),
    ];
    let source = "doc('http://x/')//div:<R>//section//a[{click /}//title:<t=string(.)>]";
    let summary = check(&pages, source, &["<R><t>one</t><t>two</t><t>three</t></R>"]);
    assert_eq!((summary.actions, summary.pages), (3, 4));
    // The third is the empty page where every run starts.
    assert!(summary.most_pages <= 3, "{summary:?}");
}

//! Whole runs over pages in memory: the paper's examples and the rules of its tables.

use browse::Memory;
use oxpath::run::{Ended, Event, Failure, Progress, RunOptions, RunSummary, Script, Workers};
use record::Record;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

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
    for size in [1, 2, 5] {
        let (again, _) = run_with(size, pages, &script);
        assert_eq!(again.records, collected.records, "{source} by {size} workers");
        assert_eq!(again.failures, collected.failures, "{source} by {size} workers");
    }
    (collected, summary, driver.log())
}

/// The same with several workers.
fn run_with(size: usize, pages: &[(&str, &str)], script: &Script) -> (Collected, RunSummary) {
    let driver = Memory::new(pages.iter().copied());
    let mut workers = Workers::new(size, || Box::new(driver.clone())).expect("threads");
    let mut collected = Collected::default();
    let summary = script.run_with(&mut workers, None, &RunOptions::default(), &mut collected);
    (collected, summary)
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

/// A driver without scripts does not know where the node is: it is the one in the same position (rule N7).
#[test]
fn until_sees_the_node_that_was_acted_on() {
    let pages: &[(&str, &str)] = &[
        ("http://x/", "<p><a href=2>a</a></p><p><a href=2>b</a></p>"),
        (
            "http://x/2",
            "<p><a class=one>c</a></p><p><a class=two>d</a></p><h1>two</h1>",
        ),
    ];
    let source = |until: &str, to: &str| format!("doc('http://x/')//p[2]/a/{{click [until={until}]{to}");
    check(pages, &source("$this/@class = 'two'", " /}//h1:<x=.>"), &["<x>two</x>"]);
    check(
        pages,
        &source("$this/../preceding::a[@class = 'one']", "}:<x=.>"),
        &["<x>d</x>"],
    );
    check(
        pages,
        &source("count($this | //a) = 2", " /}//h1:<x=.>"),
        &["<x>two</x>"],
    );
    // Also within an axis of one's own.
    check(
        pages,
        &source("//h1/[$lhs = $this/@class and $rhs subset $this]::a", " /}//h1:<x=.>"),
        &["<x>two</x>"],
    );
    let (collected, ..) = run(pages, &source("$this/@class = 'one'", " /}//h1:<x=.>"));
    assert_eq!(
        collected.failures,
        ["http://x/2: the condition of [until=…] does not hold"]
    );
    // The node is not there any more.
    let gone: &[(&str, &str)] = &[pages[0], ("http://x/2", "<h1>two</h1>")];
    check(gone, &source("not($this)", " /}//h1:<x=.>"), &["<x>two</x>"]);
    // An action that stays on its page.
    let stays: &[(&str, &str)] = &[("http://x/", "<input name=a><input name=b value=1>")];
    check(
        stays,
        "doc('http://x/')//input[2]/{focus [until=$this/@name = 'b']}/preceding::input:<x=@name>",
        &["<x>a</x>"],
    );
}

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
    assert_eq!(summary.ended, Some(Ended::Consumer));
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

/// A list of pages with items on other pages, each with a page of reviews after it.
fn shop(lists: usize, items: usize) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for list in 0..lists {
        let links: String = (0..items)
            .map(|item| format!("<li><a class=item href='/item/{list}/{item}'>{item}</a></li>"))
            .collect();
        let next = if list + 1 < lists {
            format!("<a class=next href='/list/{}'>Next</a>", list + 1)
        } else {
            String::new()
        };
        pages.push((format!("http://shop/list/{list}"), format!("<ul>{links}</ul>{next}")));
        for item in 0..items {
            let url = format!("http://shop/item/{list}/{item}");
            let page = format!("<h1>{list}-{item}</h1><a class=reviews href='/reviews/{list}/{item}'>reviews</a>");
            pages.push((url, page));
            let url = format!("http://shop/reviews/{list}/{item}");
            pages.push((url, format!("<p>good {list}-{item}</p>")));
        }
    }
    pages
}

const CATALOGUE: &str = "doc('http://shop/list/0')/(//a.next/{click /})*//li:<item>[? ./a.item/{click /}//h1:<name=.>]\
                    [? ./a.item/{click /}//a.reviews/{click /}//p:<review=.>]";

/// A driver whose pages take a moment, and which counts how many are under way at once: now, at most, and how often one
/// waited for another in vain.
#[derive(Clone)]
struct Slow {
    inner: Memory,
    busy: Arc<(AtomicUsize, AtomicUsize)>,
    alone: Arc<AtomicUsize>,
    gate: Arc<(Mutex<()>, Condvar)>,
    patience: Duration,
}
impl page::driver::Driver for Slow {
    fn open(
        &mut self,
        url: &str,
        options: &page::driver::Options,
    ) -> Result<page::driver::Live, page::driver::DriverError> {
        self.inner.open(url, options)
    }

    fn open_from(
        &mut self,
        url: &str,
        from: &page::driver::Live,
        options: &page::driver::Options,
    ) -> Result<page::driver::Live, page::driver::DriverError> {
        self.inner.open_from(url, from, options)
    }

    fn act(
        &mut self,
        on: &page::driver::Live,
        node: page::NodeId,
        action: &page::driver::Action,
        options: &page::driver::Options,
    ) -> Result<page::driver::Outcome, page::driver::DriverError> {
        let busy = self.busy.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.busy.1.fetch_max(busy, Ordering::SeqCst);
        // Waits until another is under way too, but not for ever: at the end of a list there may be no other.
        let guard = self.gate.0.lock().expect("no panic");
        self.gate.1.notify_all();
        if busy == 1 {
            let waited = self.gate.1.wait_timeout(guard, self.patience).expect("no panic");
            if waited.1.timed_out() {
                self.alone.fetch_add(1, Ordering::SeqCst);
            }
        }
        let outcome = self.inner.act(on, node, action, options);
        self.busy.0.fetch_sub(1, Ordering::SeqCst);
        outcome
    }

    fn foresee(
        &self,
        on: &page::driver::Live,
        node: page::NodeId,
        action: &page::driver::Action,
    ) -> page::driver::Foresight {
        self.inner.foresee(on, node, action)
    }
}

#[test]
fn pages_are_fetched_ahead_and_records_come_in_order() {
    let pages = shop(4, 5);
    let slow = Slow {
        inner: Memory::new(pages.iter().map(|(url, page)| (url.as_str(), page.as_str()))),
        busy: Arc::default(),
        alone: Arc::default(),
        gate: Arc::default(),
        patience: Duration::from_millis(20),
    };
    let script = Script::compile(CATALOGUE, &[]).expect("a valid expression");
    let mut workers = Workers::new(3, || Box::new(slow.clone())).expect("threads");
    let mut collected = Collected::default();
    let summary = script.run_with(&mut workers, None, &RunOptions::default(), &mut collected);
    let expected: Vec<String> = (0..4)
        .flat_map(|list| (0..5).map(move |item| format!("{list}-{item}")))
        .map(|item| format!("<item><name>{item}</name><review>good {item}</review></item>"))
        .collect();
    assert_eq!(collected.records.iter().map(show).collect::<Vec<_>>(), expected);
    assert!(
        slow.busy.1.load(Ordering::SeqCst) > 1,
        "several pages under way at once"
    );
    // 1 start, 3 next, and for each of 20 items the item twice and its reviews.
    assert_eq!(summary.pages, 4 + 20 * 3);
    assert_eq!(slow.inner.requests(), 4 + 20 * 3, "nothing is fetched for nothing");
    // On the way: list, item, reviews. Ahead: for each of the four actions as many as there are workers.
    assert!(summary.most_pages <= 4 + 4 * 3, "{} pages held", summary.most_pages);
}

#[test]
fn pages_that_wait_long_leave_room_for_those_needed_next() {
    // Six pages on each page, three levels deep. The first level is ordered first and waits longest.
    let mut pages = Vec::new();
    let mut names = vec![String::new()];
    for level in 0..4 {
        let mut next = Vec::new();
        for name in names {
            let below: Vec<String> = (0..6).map(|n| format!("{name}{n}")).collect();
            let links: String = below.iter().map(|name| format!("<a href=/{name}>.</a>")).collect();
            pages.push((format!("http://a/{name}"), format!("<p>{name}</p>{links}")));
            next.extend(below.into_iter().filter(|_| level < 3));
        }
        names = next;
    }
    let slow = Slow {
        inner: Memory::new(pages.iter().map(|(url, page)| (url.as_str(), page.as_str()))),
        busy: Arc::default(),
        alone: Arc::default(),
        gate: Arc::default(),
        patience: Duration::from_millis(100),
    };
    let script = Script::compile("doc('http://a/')/(//a/{click /})*{0,3}//p:<p=.>", &[]).expect("a valid expression");
    let mut workers = Workers::new(4, || Box::new(slow.clone())).expect("threads");
    let mut collected = Collected::default();
    let summary = script.run_with(&mut workers, None, &RunOptions::default(), &mut collected);
    assert_eq!((summary.pages, collected.records.len()), (259, 259));
    // It is about ten; where the first level takes up the room of the others it is about a hundred.
    let alone = slow.alone.load(Ordering::SeqCst);
    assert!(alone < 50, "{alone} of 258 pages came alone");
    assert!(summary.most_pages <= 4 + 3 * 4, "{} pages held", summary.most_pages);
}

#[test]
fn pages_and_depth_are_bounded() {
    let pages = shop(4, 5);
    let table: Vec<(&str, &str)> = pages.iter().map(|(url, page)| (url.as_str(), page.as_str())).collect();
    let script = Script::compile(CATALOGUE, &[]).expect("a valid expression");
    for size in [1, 3] {
        let run = |options: RunOptions| {
            let driver = Memory::new(table.iter().copied());
            let mut workers = Workers::new(size, || Box::new(driver.clone())).expect("threads");
            let mut collected = Collected::default();
            let summary = script.run_with(&mut workers, None, &options, &mut collected);
            (collected, summary)
        };
        let (collected, summary) = run(RunOptions {
            pages_left: Some(std::sync::Arc::new(8.into())),
            ..RunOptions::default()
        });
        assert_eq!((summary.pages, summary.ended), (8, Some(Ended::MaxPages)));
        assert_eq!(
            show(&collected.records[1]),
            "<item><name>0-1</name><review>good 0-1</review></item>"
        );
        // Lists are one page further from the start each, items one after their list: the first two lists, the items of
        // the first, and no reviews.
        let (collected, summary) = run(RunOptions {
            max_depth: Some(2),
            ..RunOptions::default()
        });
        assert_eq!(summary.ended, None);
        assert_eq!(collected.records.len(), 10);
        assert_eq!(show(&collected.records[4]), "<item><name>0-4</name></item>");
        assert_eq!(show(&collected.records[5]), "<item></item>");
        assert!(summary.cut > 0 && summary.failures == 0);
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let (collected, summary) = run(RunOptions {
            stop: Some(stop.into()),
            ..RunOptions::default()
        });
        assert_eq!((collected.records.len(), summary.ended), (0, Some(Ended::Stop)));
        let (_, summary) = run(RunOptions {
            deadline: Some(std::time::Instant::now()),
            ..RunOptions::default()
        });
        assert_eq!((summary.pages, summary.ended), (0, Some(Ended::Deadline)));
    }
}

#[test]
fn a_stop_leaves_no_record_half_done() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let page = page::Page::parse(
        "<li><b>a</b><i>1</i><li><b>b</b><i>2</i><li><b>c</b><i>3</i>".as_bytes(),
        &Default::default(),
    )
    .expect("a page");
    let page = std::sync::Arc::new(page);
    let script = Script::compile("//li:<item>[b:<name=.>][i:<value=.>][i:<again>[.:<value=.>]]", &[]).expect("valid");
    let whole = |name, value| {
        format!("<item><name>{name}</name><value>{value}</value><again><value>{value}</value></again></item>")
    };
    let all = [whole("a", 1), whole("b", 2), whole("c", 3)];
    let mut counts = std::collections::BTreeSet::new();
    for asked in 0..200 {
        let left = std::sync::Arc::new(AtomicUsize::new(asked));
        let now = move || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_err()
        };
        let options = RunOptions {
            stop: Some(oxpath::run::Stop::when(now)),
            ..RunOptions::default()
        };
        let mut driver = Memory::with(|_| None);
        let start = page::driver::Live::new(std::sync::Arc::clone(&page), "a");
        let records: Vec<String> = script
            .start(&mut driver, Some(start), &options)
            .records()
            .map(|r| show(&r))
            .collect();
        assert_eq!(records, all[..records.len()], "stopped at look {asked}");
        counts.insert(records.len());
    }
    assert_eq!(counts.len(), 4, "the run was stopped in each record");
}

/// Runs with so many workers over a site that is a function.
fn run_site(
    size: usize,
    answer: impl FnMut(&browse::Request) -> Option<browse::Response> + Send + 'static,
    options: &RunOptions,
    source: &str,
) -> (Vec<String>, Vec<String>, RunSummary, usize) {
    let driver = Memory::with(answer);
    let script = Script::compile(source, &[]).expect("a valid expression");
    let mut workers = Workers::new(size, || Box::new(driver.clone())).expect("threads");
    let mut collected = Collected::default();
    let summary = script.run_with(&mut workers, None, options, &mut collected);
    let records = collected.records.iter().map(show).collect();
    (records, collected.failures, summary, driver.requests())
}

/// Ten pages, each with a link to the next above and below its item.
fn pager_with_two_links(request: &browse::Request) -> Option<browse::Response> {
    let number: usize = request.url.path().trim_start_matches('/').parse().ok()?;
    let next = if number < 9 {
        format!("<a class=next href='/{}#top'>Next</a>", number + 1)
    } else {
        String::new()
    };
    Some(browse::Response::html(format!("{next}<b>{number}</b>{next}")))
}

#[test]
fn two_links_to_the_next_page_are_one_way() {
    let source = "doc('http://t/0')/(//a.next/{click /})*//b:<r=.>";
    for size in [1, 4] {
        let (records, failures, summary, requests) =
            run_site(size, pager_with_two_links, &RunOptions::default(), source);
        assert_eq!(records, (0..10).map(|n| format!("<r>{n}</r>")).collect::<Vec<_>>());
        assert_eq!((failures.len(), summary.pages, requests), (0, 10, 10));
    }
}

#[test]
fn a_page_that_links_to_itself_is_a_circle_whatever_it_says() {
    let source = "doc('http://t/clock')/(//a/{click /})*//b:<r=.>";
    for size in [1, 4] {
        let mut ticks = 0;
        let clock = move |_: &browse::Request| {
            ticks += 1;
            Some(browse::Response::html(format!(
                "<b>{ticks}</b><a href='/clock'>Next</a>"
            )))
        };
        let (records, failures, ..) = run_site(size, clock, &RunOptions::default(), source);
        assert_eq!(records, ["<r>1</r>"]);
        assert!(failures[0].contains("came back to this page"), "{failures:?}");
    }
}

#[test]
fn a_pager_by_post_at_one_address_goes_on_while_its_text_changes() {
    let source = "doc('http://t/list')/(//button/{click /})*//b:<r=.>";
    let mut page = 0;
    let list = move |_: &browse::Request| {
        page += 1;
        let more = if page < 5 {
            "<form method=post><button>Next</button></form>"
        } else {
            ""
        };
        Some(browse::Response::html(format!("<b>{page}</b>{more}")))
    };
    let (records, failures, ..) = run_site(3, list, &RunOptions::default(), source);
    assert_eq!(records.len(), 5);
    assert_eq!(failures.len(), 0);
}

/// A list with a form for each item that changes a number, and a link to a page that shows it.
#[test]
fn what_was_fetched_before_a_post_is_not_used_behind_it() {
    let source = "doc('http://t/')//li:<r>[? .//button/{click /}//h1:<posted=.>][? a/{click /}//p:<shown=.>]";
    for size in [1, 4] {
        let mut number = 0;
        let site = move |request: &browse::Request| {
            let form = "<li><form method=post action=/add><button>Add</button></form><a href=/show>show</a></li>";
            Some(browse::Response::html(match request.url.path() {
                "/" => form.repeat(5),
                "/add" => {
                    number += 1;
                    format!("<h1>{number}</h1>")
                }
                _ => format!("<p>{number}</p>"),
            }))
        };
        let (records, ..) = run_site(size, site, &RunOptions::default(), source);
        let expected: Vec<String> = (1..=5)
            .map(|n| format!("<r><posted>{n}</posted><shown>{n}</shown></r>"))
            .collect();
        assert_eq!(records, expected, "{size} workers");
    }
}

#[test]
fn clicks_that_stay_on_their_page_cost_no_page() {
    let site = |request: &browse::Request| {
        let form =
            "<form action=/to><input type=checkbox name=a><input type=checkbox name=b><button>Go</button></form>";
        Some(browse::Response::html(match request.url.path() {
            "/" => form.to_owned(),
            _ => format!("<p>{}</p>", request.url.query().unwrap_or_default()),
        }))
    };
    let source = "doc('http://t/')//input[1]/{click}/following::input[1]/{click}/following::button/{click /}//p:<p=.>";
    let options = RunOptions {
        pages_left: Some(std::sync::Arc::new(2.into())),
        max_depth: Some(2),
        ..RunOptions::default()
    };
    let (records, _, summary, _) = run_site(1, site, &options, source);
    assert_eq!(records, ["<p>a=on&amp;b=on</p>".replace("&amp;", "&")]);
    assert_eq!((summary.pages, summary.cut, summary.ended), (2, 0, None));
}

#[test]
fn pages_that_turn_out_to_be_repetitions_are_not_followed_ahead() {
    // Each page links to the two before it and the two after it.
    let site = |request: &browse::Request| {
        let number: usize = request.url.path().trim_start_matches('/').parse().ok()?;
        let links: String = (number.saturating_sub(2)..(number + 3).min(8))
            .map(|to| format!("<a href='/{to}'>{to}</a>"))
            .collect();
        Some(browse::Response::html(format!("<b>{number}</b>{links}")))
    };
    let source = "doc('http://t/0')/(//a/{nextclick /})*//b:<r=.>";
    let (one, _, _, requests) = run_site(1, site, &RunOptions::default(), source);
    let (many, _, _, more) = run_site(6, site, &RunOptions::default(), source);
    assert_eq!(one, many);
    assert!(more <= requests + 6, "{more} requests instead of {requests}");
}

/// The pages of a list, each with an item and a link to the next.
fn list(length: usize) -> Vec<(String, String)> {
    let page = |n: usize| format!("<li>item {n}</li><a href='/{}'>Next</a>", n + 1);
    (0..length).map(|n| (format!("http://list/{n}"), page(n))).collect()
}

#[test]
fn records_are_pulled_one_at_a_time() {
    let pages = list(50);
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, page)| (url.as_str(), page.as_str())).collect();
    // Also where all of the run happens inside a predicate.
    for source in [
        "doc('http://list/0')/(//a/{click /})*//li:<item=.>",
        "doc('http://list/0')[? ./(//a/{click /})*//li:<item=.>]",
        "doc('http://list/0')[.[./(//a/{click /})*//li:<item=.>] or .//b]",
    ] {
        let mut driver = Memory::new(pages.iter().copied());
        let script = Script::compile(source, &[]).unwrap_or_else(|error| panic!("{error}"));
        let mut run = script.start(&mut driver, None, &RunOptions::default());
        assert_eq!(run.summary().pages, 0, "nothing is done before the first event");
        for number in 0..3 {
            let item = format!("item {number}");
            assert!(matches!(run.next(), Some(Event::Page { .. })), "{source}");
            match run.next() {
                Some(Event::Record(record)) => assert_eq!(record.value, Some(item), "{source}"),
                other => panic!("{source}: found {other:?}, expected a record"),
            }
        }
        run.stop();
        assert!(run.next().is_none());
        assert_eq!((run.summary().pages, run.summary().records), (3, 3));
        assert_eq!(run.summary().ended, Some(Ended::Consumer));
        drop(run);
        assert_eq!(driver.log().len(), 3, "{source}");
    }
}

#[test]
fn pulled_events_are_those_of_callbacks() {
    let pages = list(5);
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, page)| (url.as_str(), page.as_str())).collect();
    let source = "doc('http://list/0')/(//a/{click /})*//li:<item>[.:<t=.>]";
    let (collected, summary, _) = run(&pages, source);
    let script = Script::compile(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let driver = Memory::new(pages.iter().copied());
    let mut workers = Workers::new(3, || Box::new(driver.clone())).expect("threads");
    let mut pulled = script.start_with(&mut workers, None, &RunOptions::default());
    let (mut records, mut failures, mut opened) = (Vec::new(), Vec::new(), 0);
    for event in &mut pulled {
        match event {
            Event::Record(record) => records.push(record),
            Event::Failure(failure) => failures.push(failure.to_string()),
            Event::Page { .. } => opened += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((records, failures), (collected.records, collected.failures));
    assert_eq!((opened, pulled.summary().records), (summary.pages, summary.records));
    assert!(pulled.next().is_none(), "it is over");
}

#[test]
fn predicates_nest_without_recursion() {
    let mut source = ".//b:<v=.>".to_owned();
    for _ in 0..90 {
        source = format!(".[{source}]");
    }
    check(
        &[("http://a/", "<b>x</b>")],
        &format!("doc('http://a/')//body:<r>[{source}]"),
        &["<r><v>x</v></r>"],
    );
}

/// Fetching ahead asks for no more pages than the limit allows, whatever the number of workers.
#[test]
fn a_limit_on_pages_holds_with_workers() {
    let list: String = (1..40).map(|n| format!("<li><a href='/{n}'>{n}</a></li>")).collect();
    let site = move |request: &browse::Request| {
        Some(browse::Response::html(match request.url.path() {
            "/" => list.clone(),
            path => format!("<h1>{path}</h1>"),
        }))
    };
    let source = "doc('http://t/')//li:<item>[a/{click /}//h1:<title=.>]";
    let script = Script::compile(source, &[]).expect("a valid expression");
    let run = |size: usize, most: usize| {
        let driver = Memory::with(site.clone());
        let mut workers = Workers::new(size, || Box::new(driver.clone())).expect("threads");
        let options = RunOptions {
            pages_left: Some(Arc::new(most.into())),
            ..RunOptions::default()
        };
        let mut collected = Collected::default();
        let summary = script.run_with(&mut workers, None, &options, &mut collected);
        drop(workers);
        let records: Vec<String> = collected.records.iter().map(show).collect();
        (records, summary.pages, summary.ended, driver.log().len())
    };
    for most in [1, 3, 10] {
        let alone = run(1, most);
        assert_eq!((alone.1, alone.3), (most, most));
        assert_eq!(run(32, most), alone, "at most {most} pages");
    }
}

/// A page that the limit was spent on ahead of time gives way to one that is needed first.
#[test]
fn pages_that_are_needed_first_come_first() {
    let site = |request: &browse::Request| {
        Some(browse::Response::html(match request.url.path() {
            "/" => "<p><a href='/1'>1</a></p><p><a href='/2'>2</a></p><p><a href='/3'>3</a></p>".to_owned(),
            path => format!("<h1>{path}</h1>"),
        }))
    };
    // `doc` is never fetched ahead.
    let source = "doc('http://t/')//p:<item>[? doc('http://t/more')//h1:<more=.>][? a/{click /}//h1:<title=.>]";
    for most in 1..8 {
        let options = |most: usize| RunOptions {
            pages_left: Some(Arc::new(most.into())),
            ..RunOptions::default()
        };
        let (alone, _, summary, _) = run_site(1, site, &options(most), source);
        let (ahead, _, with, _) = run_site(8, site, &options(most), source);
        assert_eq!((ahead, with.pages), (alone, summary.pages), "at most {most} pages");
    }
}

/// Actions of the original implementation that end a branch, or go where a link leads.
#[test]
fn actions_by_other_names() {
    let pages = &[
        (
            "http://a/",
            "<a href='/b'>b</a><form action='/b'><input name=q value=x></form><h1>a</h1>",
        ),
        ("http://a/b", "<h1>b</h1><a href='#top'>up</a>"),
        ("http://a/b?q=x", "<h1>found</h1>"),
    ];
    let h1 = "//h1:<x=string(.)>";
    for (action, found) in [
        ("//a/{movetohref /}", "<x>b</x>"),
        ("//a/{clkwithchange /}", "<x>b</x>"),
        ("//input/{pressenter /}", "<x>found</x>"),
    ] {
        check(pages, &format!("doc('http://a/'){action}{h1}"), &[found]);
    }
    // A click that leads nowhere else ends the branch, silently.
    check(pages, &format!("doc('http://a/b')//a/{{clkwithchange /}}{h1}"), &[]);
}

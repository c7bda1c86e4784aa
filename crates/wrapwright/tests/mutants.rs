//! Wrapper files that are valid JSON of a valid kind with odd values, as an attacker or a bad merge would make them.
//!
//! Real wrappers of every kind are made from pages; then parts of their JSON are replaced by odd numbers and texts, left
//! out, repeated, moved, or exchanged with parts of other wrappers. Whatever comes out is either refused with a message, or
//! it is a wrapper that can be run on any page, shown, checked and saved. Nothing panics, hangs, or takes memory without
//! end. Chance is seeded: the same mutants in every run.
#![cfg(feature = "learn")]

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use wrapwright::make::{Basis, Examples, Expression, InferSettings, LearnSettings, Method, Schema, infer, learn};
use wrapwright::show::{self, Language, SchemaFormat};
use wrapwright::{Document, Job, ParseSettings, Wrapper};

/// How many mutants a normal test makes of the wrappers together; `WRAPWRIGHT_MUTANTS` asks for others, and more.
const MUTANTS: usize = 2_500;
/// The longest time for one of them, without optimisation and on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);
/// The most memory that the whole test may take.
const MOST_MEMORY: u64 = 1 << 30;

/// Numbers that look random and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

const BOOKS: [[&str; 3]; 8] = [
    ["The Silent Orchard", "Mara Lindqvist", "$12.50"],
    ["Salt and Cedar", "Joan Whitfield", "$8.99"],
    ["A Map of Quiet Places", "Tomas Herrera", "$15.00"],
    ["Winter Ledger", "Agnes Okafor", "$21.75"],
    ["Harbour Lights", "Peter Vance", "$9.40"],
    ["The Glass Meridian", "Lucia Ferrante", "$18.20"],
    ["Borrowed Thunder", "Ravi Menon", "$11.10"],
    ["North of Anywhere", "Helen Strand", "$7.95"],
];

fn document(name: &str, html: &str) -> Document {
    Document::from_source(name, html, &ParseSettings::default()).expect("a page")
}

fn list(books: &[[&str; 3]]) -> String {
    let rows: String = books
        .iter()
        .map(|[title, author, price]| {
            format!("<li><b class=t>{title}</b> by <i>{author}</i><span>Our price: <u>{price}</u></span></li>")
        })
        .collect();
    format!("<html><head><title>Books</title></head><body><h1>Books</h1><ul>{rows}</ul><p>Contact us</p></body></html>")
}

fn detail([title, author, price]: [&str; 3]) -> String {
    format!(
        "<html><body><h1>{title}</h1><table><tr><th>Author</th><td>{author}</td></tr><tr><th>Price</th><td>{price}</td></tr>\
         </table><p>All rights reserved</p></body></html>"
    )
}

fn lists() -> Vec<Document> {
    let pages = BOOKS.chunks(4).enumerate();
    pages
        .map(|(at, books)| document(&format!("{at}.html"), &list(books)))
        .collect()
}

fn details() -> Vec<Document> {
    let pages = BOOKS.iter().enumerate();
    pages
        .map(|(at, book)| document(&format!("{at}.html"), &detail(*book)))
        .collect()
}

/// Real wrappers, at least one of each kind.
fn wrappers() -> Vec<Wrapper> {
    let job = Job::new();
    let settings = LearnSettings::default();
    let rows: Vec<Value> = BOOKS[..4]
        .iter()
        .map(|[title, author, price]| json!({"title": title, "author": author, "price": price}))
        .collect();
    let examples = Examples::from_json("e", &json!({ "0.html": rows }).to_string()).expect("examples");
    let pages = lists();
    let asked = LearnSettings {
        delimiters: true,
        ..LearnSettings::default()
    };
    let delimiters = learn(&pages[..1], Basis::Examples(&examples), &asked, &job).expect("a wrapper");
    let dtd = "<!ELEMENT books (book*)><!ELEMENT book (title, author, price?)><!ELEMENT title (#PCDATA)>
               <!ELEMENT author (#PCDATA)><!ELEMENT price (#PCDATA)>";
    let schema = Schema::parse("s", dtd).expect("a schema");
    let paths = learn(&pages[..1], Basis::Schema(&schema, &examples), &settings, &job).expect("a wrapper");
    let json_schema = r#"{"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"},
        "price": {"type": "string", "pattern": "[0-9]"}}}}"#;
    let schema = Schema::parse("s", json_schema).expect("a schema");
    let rows: Vec<Value> = BOOKS[..4]
        .iter()
        .map(|book| json!({"title": book[0], "price": book[2]}))
        .collect();
    let two = Examples::from_json("e", &json!({ "0.html": rows }).to_string()).expect("examples");
    let patterns = learn(&pages[..1], Basis::Schema(&schema, &two), &settings, &job).expect("a wrapper");
    let expression = Expression {
        name: "x".to_owned(),
        text: "doc('x')//li:<book>[b:<title=string(.)>][i:<author=string(.)>][.//u:<price=string(.)>]".to_owned(),
    };
    let oxpath = learn(&pages, Basis::Expression(&expression), &settings, &job).expect("a wrapper");
    let inferred = |documents: &[Document], method: Method| {
        let settings = InferSettings {
            method,
            ..InferSettings::default()
        };
        infer(documents, &settings, &job).expect("a wrapper").wrapper
    };
    vec![
        delimiters.wrapper,
        paths.wrapper,
        patterns.wrapper,
        oxpath.wrapper,
        inferred(&details(), Method::Landmarks),
        inferred(&pages, Method::Exalg),
        inferred(&details(), Method::Exalg),
    ]
}

/// The way to a part of a JSON value.
type Way = Vec<Step>;

#[derive(Clone)]
enum Step {
    Key(String),
    Item(usize),
}

fn ways(value: &Value, way: &mut Way, out: &mut Vec<Way>) {
    out.push(way.clone());
    let mut inside = |step: Step, inner: &Value| {
        way.push(step);
        ways(inner, way, out);
        way.pop();
    };
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, inner)| inside(Step::Key(key.clone()), inner)),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(at, inner)| inside(Step::Item(at), inner)),
        _ => {}
    }
}

fn part<'v>(mut value: &'v mut Value, way: &[Step]) -> Option<&'v mut Value> {
    for step in way {
        value = match step {
            Step::Key(key) => value.get_mut(key)?,
            Step::Item(at) => value.get_mut(*at)?,
        };
    }
    Some(value)
}

fn odd_number(chance: &mut Chance) -> Value {
    const WHOLE: [i64; 12] = [
        0,
        1,
        2,
        -1,
        7,
        255,
        65_536,
        i32::MAX as i64,
        u32::MAX as i64,
        1 << 53,
        i64::MAX,
        i64::MIN,
    ];
    match chance.below(16) {
        at @ 0..12 => json!(WHOLE[at]),
        12 => json!(u64::MAX),
        13 => json!(0.5),
        14 => json!(1e308),
        _ => json!(-0.0),
    }
}

fn odd_text(chance: &mut Chance, texts: &[String]) -> Value {
    const ODD: [&str; 20] = [
        "",
        " ",
        "\0",
        "é",
        "<",
        "</",
        ">",
        "//*",
        "(//*)[last()]",
        "//node()/ancestor-or-self::node()",
        "//*[count(.//*) > count(//*)]",
        "text",
        "title",
        "_value",
        "a.b",
        "\"'",
        "(((((((((((((((((((",
        "doc('http://127.0.0.1:1/')//p:<p=.>",
        "html",
        "\u{1b}[2J\u{202e}",
    ];
    match chance.below(8) {
        0 => json!("x".repeat(1 << chance.below(17))),
        1 => json!("<div>".repeat(1 << chance.below(10))),
        2 | 3 => json!(texts[chance.below(texts.len())]),
        _ => json!(ODD[chance.below(ODD.len())]),
    }
}

/// Replaces one part of a wrapper by something odd. `others` are parts of this and other wrappers.
fn spoil(root: &mut Value, others: &[Value], texts: &[String], chance: &mut Chance) {
    const KINDS: [&str; 5] = ["delimiters", "landmarks", "template", "paths", "oxpath"];
    let mut all = Vec::new();
    ways(root, &mut Vec::new(), &mut all);
    let way = all.swap_remove(1 + chance.below(all.len() - 1));
    let Some(value) = part(root, &way) else { return };
    if chance.below(40) == 0 {
        root["kind"] = json!(KINDS[chance.below(KINDS.len())]);
        return;
    }
    *value = match (value.take(), chance.below(8)) {
        (_, 0) => others[chance.below(others.len())].clone(),
        (Value::Number(_), _) => odd_number(chance),
        (Value::String(_), 1) => odd_number(chance),
        (Value::String(_), _) => odd_text(chance, texts),
        (Value::Array(mut list), how) => {
            match how {
                1 => list.clear(),
                2 => list.reverse(),
                3 => drop(list.pop()),
                4 if !list.is_empty() => drop(list.remove(chance.below(list.len()))),
                5 if !list.is_empty() => {
                    let item = list[chance.below(list.len())].clone();
                    list.extend(std::iter::repeat_n(item, 1 << chance.below(9)));
                }
                6 => list.insert(chance.below(list.len() + 1), others[chance.below(others.len())].clone()),
                _ => {
                    let whole = Value::Array(list.clone());
                    list.push(whole);
                }
            }
            Value::Array(list)
        }
        (Value::Object(mut map), how) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            match (how, keys.is_empty()) {
                (_, true) => {}
                (1 | 2, _) => drop(map.remove(&keys[chance.below(keys.len())])),
                (3 | 4, _) => {
                    let (one, two) = (chance.below(keys.len()), chance.below(keys.len()));
                    let value = map[&keys[one]].clone();
                    map.insert(keys[two].clone(), value);
                }
                (5, _) => {
                    // The same thing inside itself.
                    let mut inner = Value::Object(map.clone());
                    let key = &keys[chance.below(keys.len())];
                    for _ in 0..chance.below(40) {
                        inner = json!({ key: inner });
                    }
                    map.insert(key.clone(), inner);
                }
                _ => {
                    let key = keys[chance.below(keys.len())].clone();
                    map.insert(key, others[chance.below(others.len())].clone());
                }
            }
            Value::Object(map)
        }
        (Value::Bool(truth), _) => json!(!truth),
        (Value::Null, _) => odd_number(chance),
    };
}

/// Pages of all sorts: those that the wrappers are for, and those that nobody expects.
fn pages() -> Vec<Document> {
    let mut pages = vec![
        document("list", &list(&BOOKS)),
        document("detail", &detail(BOOKS[0])),
        document("empty", ""),
        document("text", "just words, $1.00, and < some > signs"),
        document("deep", &"<div><b>x</b>".repeat(300)),
        document("long", &"<li><b class=t>x</b> by <i>y</i><u>$1</u></li>".repeat(100)),
    ];
    pages.push(document("half", &list(&BOOKS)[..300]));
    pages
}

/// Everything that is done with a wrapper; every fifth one is checked, and every fiftieth repaired, because that takes long.
/// Gives the number of records.
fn use_it(wrapper: &Wrapper, pages: &[Document], turn: usize) -> usize {
    let runner = wrapper.runner().expect("what was read can be run");
    let mut records = 0;
    for page in pages {
        let found = runner.run(page, false);
        let rows = runner.record_type().rows(&found.records);
        assert_eq!(rows.len(), runner.record_type().tables().len());
        records += found.records.len();
    }
    let again = Wrapper::from_json(&wrapper.to_json());
    assert!(again.is_ok(), "what was read can be saved: {:?}", again.err());
    let _ = show::text(wrapper);
    let _ = show::svg(wrapper);
    let _ = show::page(wrapper, &pages[0].page);
    for format in [SchemaFormat::Json, SchemaFormat::Dtd] {
        let _ = show::schema(wrapper, format);
    }
    for language in [Language::Xquery, Language::Oxpath] {
        let _ = show::in_language(wrapper, language);
    }
    if turn.is_multiple_of(5)
        && let Ok(report) = wrapwright::tend::check(wrapper, pages, &Job::new())
    {
        let _ = (report.to_text(80, false), report.to_json());
    }
    if turn.is_multiple_of(50) {
        let _ = wrapwright::tend::repair(wrapper, &pages[..2], &Job::new());
    }
    records
}

/// The most memory that this process took so far, where the system says it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

#[test]
fn mutated_wrappers_are_refused_or_work() {
    let seeds: Vec<Value> = wrappers()
        .iter()
        .map(|wrapper| serde_json::from_str(&wrapper.to_json()).expect("JSON"))
        .collect();
    let kinds: Vec<&str> = seeds.iter().filter_map(|seed| seed["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        [
            "delimiters",
            "paths",
            "paths",
            "oxpath",
            "landmarks",
            "template",
            "template"
        ]
    );
    let (mut others, mut texts) = (Vec::new(), Vec::new());
    for seed in &seeds {
        let mut all = Vec::new();
        ways(seed, &mut Vec::new(), &mut all);
        let mut seed = seed.clone();
        for way in all.into_iter().skip(1) {
            let value = part(&mut seed, &way).expect("a part").clone();
            texts.extend(value.as_str().map(str::to_owned));
            others.push(value);
        }
    }
    let count: usize = std::env::var("WRAPWRIGHT_MUTANTS").map_or(MUTANTS, |count| count.parse().expect("a number"));
    // A thread of its own, so that one that hangs is told.
    let (sender, done) = channel();
    let (seeds_of, kinds_of) = (
        seeds.clone(),
        kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>(),
    );
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let pages = pages();
        let mut chance = Chance(0x5851_f42d_4c95_7f2d ^ count as u64);
        let mut tally: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
        for number in 0..count {
            let at = number % seeds_of.len();
            let mut mutant = seeds_of[at].clone();
            for _ in 0..=chance.below(3) {
                spoil(&mut mutant, &others, &texts, &mut chance);
            }
            let text = mutant.to_string();
            sender.send((number, text.clone())).expect("somebody waits");
            let entry = tally.entry(kinds_of[at].clone()).or_default();
            let outcome = catch_unwind(AssertUnwindSafe(|| match Wrapper::from_json(&text) {
                Ok(wrapper) => Some(use_it(&wrapper, &pages, number / seeds_of.len())),
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    None
                }
            }));
            match outcome {
                Ok(Some(records)) => {
                    entry.1 += 1;
                    entry.2 += records;
                }
                Ok(None) => entry.0 += 1,
                Err(_) => panic!("mutant {number} of kind {} panics: {text}", kinds_of[at]),
            }
        }
        tally
    });
    let worker = worker.expect("a thread");
    let mut last = (0, String::new());
    loop {
        match done.recv_timeout(LONGEST) {
            Ok(next) => last = next,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("mutant {} takes longer than {LONGEST:?}: {}", last.0, last.1),
        }
    }
    let tally = worker.join().expect("no mutant panics");
    assert!(peak() < MOST_MEMORY, "{} bytes", peak());
    // Of each kind, many were refused and many worked and found something; otherwise this would test nothing.
    assert_eq!(tally.len(), 5, "{tally:?}");
    for (kind, (refused, loaded, records)) in &tally {
        assert!(
            *refused > count / 100 && *loaded > count / 100 && *records > 50,
            "{kind}: {tally:?}"
        );
    }
}

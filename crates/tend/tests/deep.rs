//! Pages whose elements are nested thousands deep, as no person writes them, are repaired in seconds, not minutes.

use page::{Document, Job, Page};
use record::RecordType;
use std::time::{Duration, Instant};
use tend::repair;
use wrapper::{Rule, Wrapper};

/// Without optimisation and on a busy machine; before places were numbers, this took half a minute.
const ENOUGH: Duration = Duration::from_secs(12);

const DEEP: usize = 4_000;

fn document(html: &str) -> Document {
    Document {
        name: "p".into(),
        url: None,
        page: Page::parse(html.as_bytes(), &page::ParseSettings::default())
            .expect("a page")
            .into(),
        source: Some(html.into()),
    }
}

/// The title and the price of a book.
fn book(number: usize) -> (String, String) {
    const WORDS: [&str; 7] = ["Salt", "Cedar", "Winter", "Harbour", "Lantern", "Orchard", "Ledger"];
    let word = |at: usize| WORDS[at % WORDS.len()];
    let title = format!("{} and {} {number}", word(number), word(number / 7 + number + 3));
    (title, format!("${number}.50"))
}

/// A wrapper for a list of books, with what it knows of them.
fn wrapper() -> Wrapper {
    let rows: String = (0..20)
        .map(book)
        .map(|(title, price)| format!("<li><b>{title}</b> <i>Price: {price}</i></li>"))
        .collect();
    let before = document(&format!("<html><body><h1>Books</h1><ul>{rows}</ul></body></html>"));
    let source = "doc('http://x/')//li:<book>[b:<title=string(.)>][i:<price=substring-after(., ': ')>]";
    let kind = RecordType::flat("book", ["title", "price"]);
    Wrapper::made(Rule::Oxpath(source.to_owned()), kind, None, &[before]).expect("a wrapper")
}

fn quick(html: &str) -> Option<Wrapper> {
    let (old, page) = (wrapper(), document(html));
    let start = Instant::now();
    let repaired = repair(&old, &[page], &Job::new());
    let taken = start.elapsed();
    assert!(taken < ENOUGH, "{taken:?}");
    repaired.ok().map(|repaired| repaired.wrapper)
}

#[test]
fn around_the_records() {
    let rows: String = (0..20)
        .map(book)
        .map(|(title, price)| format!("<li><p class=q>{title}</p><s>Price: {price}</s></li>"))
        .collect();
    let html = format!(
        "<html><body>{}<ul>{rows}</ul>{}</body></html>",
        "<div class=a>x".repeat(DEEP),
        "</div>".repeat(DEEP)
    );
    let new = quick(&html).expect("a repair");
    let found = new.runner().expect("a rule").rows(&document(&html));
    let titles: Vec<&String> = found[0].iter().flat_map(|row| &row[0]).collect();
    assert_eq!(
        titles,
        (0..20)
            .map(|number| book(number).0)
            .collect::<Vec<_>>()
            .iter()
            .collect::<Vec<_>>()
    );
}

#[test]
fn around_one_text() {
    let html = format!("{}<p>Salt and Cedar 3</p>", "<div>".repeat(DEEP));
    quick(&html);
}

/// Every element has a text of its own and those of all that are inside it.
#[test]
fn with_texts_on_every_level() {
    let levels: String = (0..DEEP)
        .map(book)
        .map(|(title, price)| format!("<div><b>{title}</b> <i>Price: {price}</i>"))
        .collect();
    quick(&levels);
}

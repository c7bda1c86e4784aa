//! Pages whose elements are nested thousands deep, as no person writes them, and lists of thousands of rows are repaired. Anything
//! that takes quadratic time on them shows as a test that does not end.

use page::{Document, Job, Page};
use record::RecordType;
use tend::{RepairError, repair};
use wrapper::{Rule, Wrapper};

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

fn repaired(html: &str) -> Result<Wrapper, RepairError> {
    repair(&wrapper(), &[document(html)], &Job::new()).map(|repaired| repaired.wrapper)
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
    let new = repaired(&html).expect("a repair");
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
    let found = repaired(&html);
    assert!(matches!(found, Err(RepairError::NothingFound)), "{found:?}");
}

/// Every element has a text of its own and those of all that are inside it.
#[test]
fn with_texts_on_every_level() {
    let levels: String = (0..DEEP)
        .map(book)
        .map(|(title, price)| format!("<div><b>{title}</b> <i>Price: {price}</i>"))
        .collect();
    let found = repaired(&levels);
    assert!(matches!(found, Err(RepairError::NothingFound)), "{found:?}");
}

#[test]
fn a_list_of_thousands_of_rows() {
    const ROWS: usize = 5_100;
    let rows: String = (0..ROWS)
        .map(book)
        .map(|(title, price)| format!("<div><h3>{title}</h3><p><span>Price: <b>{price}</b></span></p></div>"))
        .collect();
    let page = document(&format!("<html><body><h1>Books</h1>{rows}</body></html>"));
    let repaired = repair(&wrapper(), std::slice::from_ref(&page), &Job::new()).expect("a repair");
    let records = repaired.wrapper.extract(&page).expect("records");
    assert_eq!(records.len(), ROWS);
    let (title, price) = book(ROWS - 1);
    assert_eq!(records[ROWS - 1].get("title"), Some(title.as_str()));
    assert_eq!(records[ROWS - 1].get("price"), Some(price.as_str()));
}

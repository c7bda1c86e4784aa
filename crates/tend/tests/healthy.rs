//! One field of a list has changed: the others stay as they are, with their paths, and no field gets the value of another one.

mod sites;

use page::{Document, Job};
use sites::{document, learned};
use tend::{ENOUGH, Repair, compare, repair_at_least};
use wrapper::{Rule, Wrapper};

/// A made-up book: title, author, list price, our price, date, number.
type Book = [String; 6];

const FIELDS: [&str; 6] = ["title", "author", "list", "our", "date", "link"];
const FIRST: [&str; 7] = ["Anna", "Bram", "Carla", "Dirk", "Elsa", "Frank", "Greta"];
const LAST: [&str; 5] = ["Abbot", "Brandt", "Carver", "Dunn", "Ekman"];
const THINGS: [&str; 9] = [
    "Harbour", "Lantern", "Attic", "Heron", "Cellar", "Ferry", "Kettle", "Compass", "Ledger",
];
const MONTHS: [&str; 5] = ["January", "March", "May", "July", "October"];

fn book(at: usize) -> Book {
    let price = |from: usize| format!("${}.{:02}", from + at * 7 % 40, at * 13 % 100);
    [
        format!("{} {}", THINGS[at % 9], THINGS[(at * 4 + 1 + at / 9) % 9]),
        format!("{} {}", FIRST[at % 7], LAST[at % 5]),
        price(50),
        price(10),
        format!("{} {}, {}", MONTHS[at % 5], 1 + at % 28, 2015 + at % 7),
        format!("/p/{}", 1000 + at * 37),
    ]
}

fn books(numbers: std::ops::Range<usize>) -> Vec<Book> {
    numbers.map(book).collect()
}

/// The labels of author, both prices and date; an empty one if the line is not there.
const LABELS: [&str; 4] = ["Author", "List price", "Our price", "Published"];

/// `Author: Ann<br>`: label and value are one text.
fn lines(books: &[Book], labels: [&str; 4]) -> String {
    let item = |book: &Book| {
        let line = |(label, value): (&&str, &String)| format!("<br>{label}: {value}");
        let lines: String = labels
            .iter()
            .zip(&book[1..5])
            .filter(|(label, _)| !label.is_empty())
            .map(line)
            .collect();
        format!("<li><b><a href='{}'>{}</a></b>{lines}</li>", book[5], book[0])
    };
    format!(
        "<h1>Books</h1><ul class=books>{}</ul><p>Terms</p>",
        books.iter().map(item).collect::<String>()
    )
}

/// The same with an element for each label and each value.
fn cards(books: &[Book], labels: [&str; 4]) -> String {
    let item = |book: &Book| {
        let line = |(label, value): (&&str, &String)| format!("<p class=f><span>{label}:</span> <i>{value}</i></p>");
        let lines: String = labels
            .iter()
            .zip(&book[1..5])
            .filter(|(label, _)| !label.is_empty())
            .map(line)
            .collect();
        format!(
            "<div class=item><h3><a href='{}'>{}</a></h3>{lines}</div>",
            book[5], book[0]
        )
    };
    format!(
        "<h1>Books</h1><div id=res>{}</div><p>Terms</p>",
        books.iter().map(item).collect::<String>()
    )
}

fn wrapper(page: fn(&[Book], [&str; 4]) -> String) -> Wrapper {
    let pages: Vec<(String, Vec<Vec<String>>)> = [books(0..8), books(8..16)]
        .map(|books| (page(&books, LABELS), books.iter().map(|book| book.to_vec()).collect()))
        .into();
    learned(&FIELDS, &pages, true)
}

fn documents(pages: &[String]) -> Vec<Document> {
    (0..).zip(pages).map(|(at, html)| document(at, html)).collect()
}

fn repaired(wrapper: &Wrapper, pages: &[String]) -> Repair {
    let documents = documents(pages);
    let now = wrapper.observe(&documents).expect("a rule that runs");
    assert!(
        !compare(wrapper, now).expect("profiles").is_fine(),
        "the change is told"
    );
    repair_at_least(wrapper, &documents, ENOUGH, &Job::new()).expect("a repair")
}

/// All values are right, or missing if that is said; those of `stay` have the paths that they had.
fn check(old: &Wrapper, pages: &[(String, Vec<Book>)], gone: &[usize], stay: &[usize]) {
    let html: Vec<String> = pages.iter().map(|(html, _)| html.clone()).collect();
    let repair = repaired(old, &html);
    let (Rule::Paths(was), Rule::Paths(is)) = (&old.rule, &repair.wrapper.rule) else {
        panic!("not paths: {}", repair.wrapper.rule.kind());
    };
    assert_eq!(was.each, is.each);
    for field in stay {
        assert_eq!(was.fields[*field], is.fields[*field], "{}", FIELDS[*field]);
    }
    for (document, (_, books)) in documents(&html).iter().zip(pages) {
        let records = repair.wrapper.extract(document).expect("records");
        assert_eq!(records.len(), books.len());
        for (record, book) in records.iter().zip(books) {
            for (field, name) in FIELDS.iter().enumerate() {
                let found = record.get(name);
                let is_right = found == Some(book[field].as_str()) && !gone.contains(&field);
                let is_missing = found.is_none() && !stay.contains(&field);
                assert!(is_right || is_missing, "{name}: {found:?} of {book:?}");
            }
        }
    }
}

/// Pages with books that are all new, and with some that are known.
fn some_pages(page: fn(&[Book], [&str; 4]) -> String, labels: [&str; 4]) -> [Vec<(String, Vec<Book>)>; 2] {
    let of = |books: Vec<Book>| (page(&books, labels), books);
    let mixed = |from: usize| [books(from..from + 4), books(from + 100..from + 104)].concat();
    [
        vec![of(books(40..48)), of(books(50..58))],
        vec![of(mixed(0)), of(mixed(8))],
    ]
}

#[test]
fn another_label_of_one_field_leaves_the_others_alone() {
    for page in [lines, cards] {
        let old = wrapper(page);
        let labels = ["Author", "List price", "Sale price today", "Published"];
        for pages in some_pages(page, labels) {
            check(&old, &pages, &[], &[0, 1, 2, 4, 5]);
        }
    }
}

#[test]
fn a_dropped_field_takes_no_other_with_it() {
    for page in [lines, cards] {
        let old = wrapper(page);
        for gone in 1..5 {
            let mut labels = LABELS;
            labels[gone - 1] = "";
            let stay: Vec<usize> = (0..6).filter(|field| *field != gone).collect();
            for pages in some_pages(page, labels) {
                check(&old, &pages, &[gone], &stay);
            }
        }
    }
}

#[test]
fn a_label_in_a_text_is_no_part_of_the_value() {
    let old = wrapper(cards);
    for pages in some_pages(lines, LABELS) {
        let html: Vec<String> = pages.iter().map(|(html, _)| html.clone()).collect();
        let repair = repaired(&old, &html);
        // A page on which a record lacks a line: by their places, the lines after it would be other ones.
        let (mut books, none) = (books(60..66), ["", "List price", "Our price", "Published"]);
        let last = books.split_off(5);
        let short = lines(&books, LABELS).replace(
            "</ul>",
            &lines(&last, none).replace("<h1>Books</h1><ul class=books>", ""),
        );
        books.extend(last);
        let records = repair.wrapper.extract(&document(9, &short)).expect("records");
        assert_eq!(records.len(), books.len());
        for (number, (record, book)) in records.iter().zip(&books).enumerate() {
            for (field, name) in FIELDS.iter().enumerate() {
                let expected = (field != 1 || number < 5).then_some(book[field].as_str());
                assert_eq!(record.get(name), expected, "{name}: {:?}", repair.fields);
            }
        }
    }
}

/// A row of a meeting: its name is a link, and links of its own words follow, of which some records lack one.
fn meetings(numbers: &[usize], is_new: bool, without: &str) -> String {
    let item = |at: &usize| {
        let at = *at;
        let [name, _, _, _, date, link] = book(at);
        let links = ["Agenda", "Minutes", "Video"]
            .into_iter()
            .filter(|word| *word != without);
        let links = links.filter(|word| *word != "Minutes" || !at.is_multiple_of(3));
        let link_to = |word: &str| format!("<a href='{}'>{word}</a>", address(at, word));
        match is_new {
            false => format!(
                "<tr><td>{date}</td><td><a href='{link}'>{name}</a></td><td>{}</td></tr>",
                links.map(link_to).collect::<Vec<_>>().join(" ")
            ),
            true => format!(
                "<div class=m><div><a href='/more/{at}00'>More</a> <a class=t href='{link}'>{name}</a></div><span>{date}</span><ul>{}</ul></div>",
                links
                    .rev()
                    .map(|word| format!("<li>{}</li>", link_to(word)))
                    .collect::<String>()
            ),
        }
    };
    let all: String = numbers.iter().map(item).collect();
    match is_new {
        false => format!("<h1>Meetings</h1><table>{all}</table>"),
        true => format!("<h1>Meetings</h1><div>{all}</div>"),
    }
}

fn address(at: usize, word: &str) -> String {
    let letter = word[..1].to_lowercase();
    match word {
        "Video" => format!("/watch/{}", at * 31 + 200),
        _ => format!("/doc/{}{letter}.pdf", at * 31 + 200),
    }
}

const LINKS: [&str; 6] = ["date", "name", "link", "Agenda", "Minutes", "Video"];

fn links(at: usize, without: &str) -> [Option<String>; 6] {
    let [name, _, _, _, date, link] = book(at);
    let of = |word: &str| {
        let is_there = word != without && (word != "Minutes" || !at.is_multiple_of(3));
        is_there.then(|| address(at, word))
    };
    [
        Some(date),
        Some(name),
        Some(link),
        of("Agenda"),
        of("Minutes"),
        of("Video"),
    ]
}

fn of_meetings() -> Wrapper {
    let page = |numbers: Vec<usize>| {
        let row = |at: &usize| links(*at, "").map(Option::unwrap_or_default).to_vec();
        (
            meetings(&numbers, false, ""),
            numbers.iter().map(row).collect::<Vec<_>>(),
        )
    };
    learned(&LINKS, &[page((0..9).collect()), page((9..18).collect())], true)
}

#[test]
fn links_stay_with_their_words_and_with_their_texts() {
    let old = of_meetings();
    let is_new_or_not = [(false, "Agenda"), (false, "Video"), (true, ""), (true, "Agenda")];
    // Meetings that are all new, and some that are known.
    let mixed = [0, 1, 2, 3, 4, 40, 41, 42, 43].to_vec();
    let numbers = [
        [(40..49).collect(), (60..69).collect()],
        [mixed, (70..79).collect::<Vec<usize>>()],
    ];
    for ((is_new, without), numbers) in is_new_or_not
        .into_iter()
        .flat_map(|one| numbers.iter().map(move |on| (one, on)))
    {
        let html: Vec<String> = numbers.iter().map(|on| meetings(on, is_new, without)).collect();
        let repair = repaired(&old, &html);
        for (document, numbers) in documents(&html).iter().zip(numbers) {
            let records = repair.wrapper.extract(document).expect("records");
            assert_eq!(records.len(), numbers.len());
            for (record, at) in records.iter().zip(numbers) {
                for (name, expected) in LINKS.iter().zip(links(*at, without)) {
                    let found = record.get(name);
                    assert_eq!(
                        found,
                        expected.as_deref(),
                        "{name}, {is_new}, {without}: {:?}",
                        repair.fields
                    );
                }
            }
        }
    }
}

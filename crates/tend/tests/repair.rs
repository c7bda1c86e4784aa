//! Wrappers of every kind, repaired after a site has changed.

use learn::guided::{Lesson, learn_guided, wanted};
use learn::{Allow, DelimiterSettings, Example, exalg, infer, learn_best};
use page::{Document, Job, Page};
use record::{Field, RecordType};
use tend::{ENOUGH, RepairError, compare, repair, repair_at_least};
use wrapper::rule::{landmark, template};
use wrapper::{Rule, Wrapper};

/// Books of a shop: title, author, price.
const BOOKS: [[&str; 3]; 12] = [
    ["The Silent Orchard", "Mara Lindqvist", "$12.50"],
    ["Salt and Cedar", "Joan Whitfield", "$8.99"],
    ["A Map of Quiet Places", "Tomas Herrera", "$15.00"],
    ["Winter Ledger", "Agnes Okafor", "$21.75"],
    ["Harbour Lights", "Peter Vance", "$9.40"],
    ["The Glass Meridian", "Lucia Ferrante", "$18.20"],
    ["Borrowed Thunder", "Ravi Menon", "$11.10"],
    ["North of Anywhere", "Helen Strand", "$7.95"],
    ["Paper Lanterns", "Yuki Tanabe", "$13.30"],
    ["The Last Cartographer", "Oscar Blume", "$16.60"],
    ["Inland Sea", "Nora Castell", "$10.05"],
    ["Stone Fruit", "Ewan Baird", "$14.45"],
];

fn document(name: &str, html: &str) -> Document {
    Document {
        name: name.into(),
        url: None,
        page: Page::parse(html.as_bytes(), &page::ParseSettings::default())
            .expect("a page")
            .into(),
        source: Some(html.into()),
    }
}

/// A page with four books as the shop was.
fn list_before(books: &[[&str; 3]]) -> String {
    let rows: String = books
        .iter()
        .map(|[title, author, price]| {
            format!("<tr><td class=t><a href=\"/b\">{title}</a></td><td>by <i>{author}</i></td><td>Our price: <b>{price}</b></td></tr>")
        })
        .collect();
    format!("<html><body><h1>Books</h1><p>Welcome to our shop</p><table>{rows}</table><p>Contact us</p></body></html>")
}

/// The same after a redesign: other elements, another order, a banner.
fn list_after(books: &[[&str; 3]]) -> String {
    let items: String = books
        .iter()
        .map(|[title, author, price]| {
            format!(
                "<li class=card><span class=cost>Our price: <em>{price}</em></span><h3><a href=\"/x\">{title}</a></h3>\
                 <div class=writer>by <span>{author}</span></div></li>"
            )
        })
        .collect();
    format!(
        "<html><body><div class=banner>Great offers every day</div><nav><a href=\"/\">Home</a><a href=\"/c\">Cart</a></nav>\
         <ul class=cards>{items}</ul><footer>Terms and conditions</footer></body></html>"
    )
}

fn detail_before([title, author, price]: [&str; 3]) -> String {
    format!(
        "<html><body><h1>{title}</h1><table><tr><th>Author</th><td>{author}</td></tr><tr><th>Price</th><td>{price}</td></tr>\
         </table><p>All rights reserved</p></body></html>"
    )
}

fn detail_after([title, author, price]: [&str; 3]) -> String {
    format!(
        "<html><body><div class=top><a href=\"/\">Home</a></div><div class=item><div class=cost><span>Price</span>\
         <strong>{price}</strong></div><h2>{title}</h2><div class=who><span>Author</span><em>{author}</em></div></div>\
         <div class=foot>All rights reserved</div></body></html>"
    )
}

fn known(wrapper: Wrapper, documents: &[Document]) -> Wrapper {
    Wrapper::made(wrapper.rule, wrapper.record_type, None, documents).expect("a rule")
}

fn wrapper(record_type: RecordType, rule: Rule) -> Wrapper {
    Wrapper::bare(rule, record_type, None)
}

fn lists(of: fn(&[[&str; 3]]) -> String, from: usize) -> Vec<Document> {
    let pages = BOOKS[from..from + 8].chunks(4).enumerate();
    pages
        .map(|(number, books)| document(&format!("{number}.html"), &of(books)))
        .collect()
}

fn details(of: fn([&str; 3]) -> String, books: &[[&str; 3]]) -> Vec<Document> {
    let pages = books.iter().enumerate();
    pages
        .map(|(number, book)| document(&format!("{number}.html"), &of(*book)))
        .collect()
}

fn labels(books: &[[&str; 3]]) -> Vec<Vec<Vec<String>>> {
    let cell = |text: &&str| vec![(*text).to_owned()];
    books.iter().map(|book| book.iter().map(cell).collect()).collect()
}

fn paths_for_lists() -> Wrapper {
    let schema = RecordType::flat("book", ["title", "author", "price"]);
    let documents = lists(list_before, 0);
    let lessons: Vec<Lesson<'_>> = documents
        .iter()
        .zip(BOOKS.chunks(4))
        .map(|(document, books)| Lesson {
            name: &document.name,
            page: &document.page,
            records: labels(books),
        })
        .collect();
    let taught = learn_guided(&wanted(&schema.tables()[0]), &lessons, true, &Job::new()).expect("a rule");
    known(wrapper(schema, Rule::Paths(taught.rule)), &documents)
}

/// Repairs a wrapper with pages, of which the first has the given rows, and tries it on others.
#[track_caller]
fn repairs(old: &Wrapper, changed: &[Document], unseen: &Document, expected: &[[&str; 3]]) -> Wrapper {
    let now = old.observe(changed).expect("a rule");
    assert!(!compare(old, now).expect("a profile").is_fine(), "nobody noticed");
    let repaired = repair(old, changed, &Job::new()).expect("a repair");
    assert!(repaired.sure() > 0.4, "{:?}", repaired.fields);
    let new = &repaired.wrapper;
    let given = new.runner().expect("a rule").rows(unseen);
    assert_eq!(given[0], labels(expected), "{}", new.to_json());
    // It can be saved, and knows what its values are like.
    let read = Wrapper::from_json(&new.to_json()).expect("a wrapper");
    let again = read.observe(changed).expect("a rule");
    assert!(compare(&read, again).expect("a profile").is_fine());
    repaired.wrapper
}

#[test]
fn paths_are_repaired_from_one_page() {
    let old = paths_for_lists();
    let changed = lists(list_after, 4);
    let new = repairs(&old, &changed[..1], &changed[1], &BOOKS[8..12]);
    assert_eq!(new.rule.kind(), "paths");
}

#[test]
fn an_expression_keeps_its_navigation() {
    let source = "doc('http://x/')//a[.='Books']/{click /}//table//tr:<book>[td[1]:<title=normalize-space(.)>]\
                  [td[2]/i:<author=string(.)>][.//b:<price=string(.)>]";
    let schema = RecordType::flat("book", ["title", "author", "price"]);
    let old = known(wrapper(schema, Rule::Oxpath(source.to_owned())), &lists(list_before, 0));
    let changed = lists(list_after, 4);
    let new = repairs(&old, &changed[..1], &changed[1], &BOOKS[8..12]);
    let Rule::Oxpath(text) = &new.rule else {
        panic!("{:?}", new.rule)
    };
    assert!(text.starts_with("doc('http://x/')//a[.='Books']/{click /}/"), "{text}");
}

/// The type that an expression declares: any field may have several values.
fn several(names: [&str; 3]) -> RecordType {
    RecordType::new("book", names.map(Field::texts).to_vec())
}

#[test]
fn a_field_that_never_had_two_values_is_sought_as_a_single_one() {
    let source = "doc('http://x/')/{click /}//body:<book>[.//h1:<title=string(.)>]\
                  [.//tr[1]/td:<author=string(.)>][.//tr[2]/td:<price=string(.)>]";
    let record_type = several(["title", "author", "price"]);
    let before = details(detail_before, &BOOKS[..6]);
    let old = known(wrapper(record_type.clone(), Rule::Oxpath(source.to_owned())), &before);
    let after = details(detail_after, &BOOKS[6..]);
    let repaired = repair(&old, &after[..5], &Job::new()).expect("a repair");
    let new = &repaired.wrapper;
    assert_eq!(new.record_type, record_type, "the type is still that of the expression");
    assert_eq!(new.rule.kind(), "oxpath");
    // As if the type had said so.
    let flat = RecordType::flat("book", ["title", "author", "price"]);
    let single = known(wrapper(flat, Rule::Oxpath(source.to_owned())), &before);
    let single = repair(&single, &after[..5], &Job::new()).expect("a repair");
    assert_eq!((&new.rule, &repaired.fields), (&single.wrapper.rule, &single.fields));
    let given = new.runner().expect("a rule").rows(&after[5]);
    assert_eq!(given[0], labels(&BOOKS[11..]), "{}", new.to_json());
    // The same with lists.
    let source = "doc('http://x/')/{click /}//table//tr:<book>[td[1]:<title=normalize-space(.)>]\
                  [td[2]/i:<author=string(.)>][.//b:<price=string(.)>]";
    let old = known(
        wrapper(record_type.clone(), Rule::Oxpath(source.to_owned())),
        &lists(list_before, 0),
    );
    let changed = lists(list_after, 4);
    let new = repairs(&old, &changed[..1], &changed[1], &BOOKS[8..12]);
    assert_eq!(new.record_type, record_type);
}

#[test]
fn a_field_that_had_two_values_stays_a_list() {
    let page = |[title, author, _]: [&str; 3], other: &str, item: &str| {
        format!(
            "<html><body><h1>{title}</h1><p>Authors</p><ul><{item}>{author}</{item}><{item}>{other}</{item}></ul>\
             <p>All rights reserved</p></body></html>"
        )
    };
    let pages = |item: &str| -> Vec<Document> {
        let pairs = BOOKS.iter().zip(BOOKS.iter().rev());
        pairs
            .map(|(book, other)| document("p", &page(*book, other[1], item)))
            .collect()
    };
    let source = "doc('http://x/')/{click /}//body:<book>[.//h1:<title=string(.)>][.//li:<author=string(.)>]";
    let record_type = RecordType::new("book", vec![Field::texts("title"), Field::texts("author")]);
    let old = known(
        wrapper(record_type.clone(), Rule::Oxpath(source.to_owned())),
        &pages("li"),
    );
    let after = pages("em");
    let repaired = repair(&old, &after[..6], &Job::new()).expect("a repair");
    assert_eq!(repaired.wrapper.record_type, record_type);
    let rows = repaired.wrapper.runner().expect("a rule").rows(&after[7]);
    let text = |text: &str| text.to_owned();
    let authors = vec![text(BOOKS[7][1]), text(BOOKS[4][1])];
    assert_eq!(rows[0], vec![vec![vec![text(BOOKS[7][0])], authors]]);
}

#[test]
fn a_job_that_is_stopped_repairs_nothing() {
    let job = Job::new();
    job.stop();
    let repaired = repair(&paths_for_lists(), &lists(list_after, 4), &job);
    assert_eq!(repaired.err(), Some(RepairError::Stopped));
}

#[test]
fn delimiters_are_learned_again() {
    let schema = RecordType::flat("book", ["title", "author", "price"]);
    let documents = lists(list_before, 0);
    let sources: Vec<&str> = documents
        .iter()
        .filter_map(|document| document.source.as_deref())
        .collect();
    let examples: Vec<Example<'_>> = sources
        .iter()
        .zip(BOOKS.chunks(4))
        .map(|(text, books)| {
            let wanted = books.iter().enumerate().flat_map(|(tuple, book)| {
                book.iter().enumerate().map(move |(field, text)| learn::label::Wanted {
                    field,
                    text: (*text).to_owned(),
                    tuple,
                })
            });
            Example {
                name: "p",
                text,
                values: learn::label::place(text, &wanted.collect::<Vec<_>>())
                    .expect("places")
                    .values,
            }
        })
        .collect();
    let how = DelimiterSettings {
        allow: Allow::ALL,
        ..DelimiterSettings::default()
    };
    let learned = learn_best(3, &examples, &how, &Job::new()).expect("a wrapper");
    let old = known(wrapper(schema, Rule::Delimiters(learned.rule)), &documents);
    let changed = lists(list_after, 4);
    // The order on the page is another one now, which delimiters of this schema cannot have: paths take over.
    let repaired = repair(&old, &changed, &Job::new()).expect("a repair");
    assert_eq!(repaired.wrapper.rule.kind(), "paths", "{:?}", repaired.notes);
    assert!(
        repaired.notes.iter().any(|note| note.contains("delimiters")),
        "{:?}",
        repaired.notes
    );
    repairs(&old, &changed, &changed[1], &BOOKS[8..12]);
    // With the order kept they stay delimiters.
    let moved = |books: &[[&str; 3]]| {
        list_before(books)
            .replace("<td", "<div")
            .replace("</td>", "</div>")
            .replace("<b>", "<u>")
            .replace("</b>", "</u>")
            .replace("tr>", "article>")
            .replace("<i>", "<s>")
            .replace("</i>", "</s>")
            .replace("table", "section")
    };
    let changed: Vec<Document> = BOOKS[4..12]
        .chunks(4)
        .map(|books| document("m", &moved(books)))
        .collect();
    let new = repairs(&old, &changed, &changed[1], &BOOKS[8..12]);
    assert_eq!(new.rule.kind(), "delimiters");
}

#[test]
fn landmarks_and_templates_are_inferred_again_under_the_old_names() {
    let before = details(detail_before, &BOOKS[..6]);
    let after = details(detail_after, &BOOKS[6..]);
    let pages: Vec<&Page> = before.iter().map(|document| &*document.page).collect();
    let rule = infer::infer(&pages, &infer::LandmarkSettings::default())
        .expect("a rule")
        .rule;
    let old = known(
        wrapper(landmark::record_type(&rule, "book"), Rule::Landmarks(rule)),
        &before,
    );
    let names = |wrapper: &Wrapper| -> Vec<String> {
        let mut names: Vec<String> = wrapper
            .record_type
            .fields()
            .iter()
            .map(|field| field.name.clone())
            .collect();
        names.sort();
        names
    };
    let repaired = repair(&old, &after[..5], &Job::new()).expect("a repair");
    assert_eq!(repaired.wrapper.rule.kind(), "landmarks", "{:?}", repaired.notes);
    assert_eq!(names(&repaired.wrapper), names(&old));
    let new = &repaired.wrapper;
    let given = new.runner().expect("a rule").rows(&after[5]);
    let mut values: Vec<String> = given[0][0].iter().flatten().cloned().collect();
    values.sort();
    let mut expected: Vec<String> = BOOKS[11].iter().map(|text| (*text).to_owned()).collect();
    expected.sort();
    assert_eq!(values, expected);
    // One page alone is too few, so paths take over.
    let repaired = repair(&old, &after[..1], &Job::new()).expect("a repair");
    assert_eq!(repaired.wrapper.rule.kind(), "paths");
    assert!(
        repaired.notes[0].contains("one page is too few"),
        "{:?}",
        repaired.notes
    );

    let before = lists(list_before, 0);
    let pages: Vec<&Page> = before.iter().map(|document| &*document.page).collect();
    let rule = exalg::infer(&pages, &exalg::TemplateSettings::default(), &page::Job::new())
        .expect("a rule")
        .template;
    let old = known(
        wrapper(template::record_type(&rule, "page"), Rule::Template(rule)),
        &before,
    );
    let after = lists(list_after, 4);
    let repaired = repair(&old, &after, &Job::new()).expect("a repair");
    let new = &repaired.wrapper;
    let table = old
        .record_type
        .tables()
        .iter()
        .position(|table| table.columns.len() >= 3)
        .expect("a table of books");
    let given = new.runner().expect("a rule").rows(&after[1]);
    let at = new
        .record_type
        .tables()
        .iter()
        .position(|other| other.path == old.record_type.tables()[table].path)
        .expect("the same table");
    let cells: Vec<&String> = given[at].iter().flatten().flatten().collect();
    for text in BOOKS[8..12].iter().flatten() {
        assert!(
            cells.iter().any(|cell| cell.contains(text)),
            "{text}: {cells:?} {:?}",
            repaired.notes
        );
    }
}

#[test]
fn inferred_wrappers_read_pages_of_both_templates() {
    let pages_of = |documents: &[Document]| -> Vec<std::sync::Arc<Page>> {
        documents.iter().map(|document| document.page.clone()).collect()
    };
    let all = |wrapper: &Wrapper, document: &Document| -> Vec<String> {
        let rows = wrapper.runner().expect("a rule").rows(document);
        rows.into_iter().flatten().flatten().flatten().collect()
    };
    let old_pages = details(detail_before, &BOOKS[..6]);
    let shared = pages_of(&old_pages);
    let pages: Vec<&Page> = shared.iter().map(|page| &**page).collect();
    let rule = infer::infer(&pages, &infer::LandmarkSettings::default())
        .expect("a rule")
        .rule;
    let old = known(
        wrapper(landmark::record_type(&rule, "book"), Rule::Landmarks(rule)),
        &old_pages,
    );
    let mut mixed = details(detail_before, &BOOKS[..4]);
    mixed.extend(details(detail_after, &BOOKS[6..11]));
    let repaired = repair(&old, &mixed, &Job::new()).expect("a repair");
    assert!(!repaired.is_for_some, "{:?}", repaired.notes);
    for (document, book) in mixed.iter().zip(BOOKS[..4].iter().chain(&BOOKS[6..11])) {
        let given = all(&repaired.wrapper, document);
        assert!(
            book.iter().all(|text| given.iter().any(|value| value == text)),
            "{given:?} {:?}",
            repaired.notes
        );
    }
    let old_pages = lists(list_before, 0);
    let shared = pages_of(&old_pages);
    let pages: Vec<&Page> = shared.iter().map(|page| &**page).collect();
    let rule = exalg::infer(&pages, &exalg::TemplateSettings::default(), &Job::new())
        .expect("a rule")
        .template;
    let old = known(
        wrapper(template::record_type(&rule, "page"), Rule::Template(rule)),
        &old_pages,
    );
    let mut mixed = lists(list_before, 0);
    mixed.extend(lists(list_after, 4));
    let repaired = repair(&old, &mixed, &Job::new()).expect("a repair");
    assert!(!repaired.is_for_some, "{:?}", repaired.notes);
    let given: Vec<String> = mixed
        .iter()
        .flat_map(|document| all(&repaired.wrapper, document))
        .collect();
    for text in BOOKS[..12].iter().flatten() {
        assert!(
            given.iter().any(|value| value == text),
            "{text}: {given:?} {:?}",
            repaired.notes
        );
    }
}

#[test]
fn what_cannot_be_repaired_says_why() {
    let old = paths_for_lists();
    let changed = lists(list_after, 4);
    assert_eq!(repair(&old, &[], &Job::new()).err(), Some(RepairError::NoPages));
    let empty = document("e", "");
    assert_eq!(
        repair(&old, &[empty], &Job::new()).err(),
        Some(RepairError::NothingFound)
    );
    let mut bare = old.clone();
    bare.evidence.profiles.clear();
    assert!(matches!(
        repair(&bare, &changed, &Job::new()),
        Err(RepairError::Unknown(_))
    ));
    assert!(compare(&bare, Vec::new()).is_err());
}

#[test]
fn a_site_that_did_not_change_is_fine() {
    let old = paths_for_lists();
    let more = lists(list_before, 4);
    let report = compare(&old, old.observe(&more).expect("a rule")).expect("a profile");
    assert!(report.is_fine(), "{:?}", report.tables[0].alarm);
}

fn paths_for_details() -> Wrapper {
    let schema = RecordType::flat("book", ["title", "author", "price"]);
    let documents = details(detail_before, &BOOKS[..6]);
    let lessons: Vec<Lesson<'_>> = documents
        .iter()
        .zip(&BOOKS)
        .map(|(document, book)| Lesson {
            name: &document.name,
            page: &document.page,
            records: labels(&[*book]),
        })
        .collect();
    let taught = learn_guided(&wanted(&schema.tables()[0]), &lessons, false, &Job::new()).expect("a rule");
    known(wrapper(schema, Rule::Paths(taught.rule)), &documents)
}

#[test]
fn what_is_gone_is_not_made_up() {
    let old = paths_for_details();
    let without = |book: [&str; 3]| {
        detail_after(book)
            .replace(&format!("<strong>{}</strong>", book[2]), "")
            .replace("<span>Price</span>", "")
    };
    let after: Vec<Document> = BOOKS[6..]
        .iter()
        .map(|book| document("after", &without(*book)))
        .collect();
    let repaired = repair(&old, &after, &Job::new()).expect("a repair");
    let price = repaired
        .fields
        .iter()
        .find(|field| field.name == "price")
        .expect("the field");
    assert_eq!(
        (price.sure, price.after.as_slice()),
        (0.0, &[][..]),
        "{:?}",
        repaired.notes
    );
    assert!(
        repaired.notes.iter().any(|note| note.contains("`price`")),
        "{:?}",
        repaired.notes
    );
    let title = repaired
        .fields
        .iter()
        .find(|field| field.name == "title")
        .expect("the field");
    assert_eq!(title.after[0], BOOKS[6][0]);
}

#[test]
fn another_price_is_not_taken_for_one_that_is_gone() {
    let old = paths_for_details();
    // The price and its label are gone; an advert that names other prices is new.
    let without = |(number, book): (usize, &[&str; 3])| {
        let html = detail_after(*book)
            .replace(&format!("<strong>{}</strong>", book[2]), "")
            .replace("<span>Price</span>", "");
        html.replace(
            "<div class=foot>",
            &format!("<div class=ad>Garden chairs <b>${number}9.90</b></div><div class=foot>"),
        )
    };
    let after: Vec<Document> = BOOKS[6..]
        .iter()
        .enumerate()
        .map(|book| document("after", &without(book)))
        .collect();
    let repaired = repair_at_least(&old, &after, ENOUGH, &Job::new()).expect("a repair");
    let price = repaired
        .fields
        .iter()
        .find(|field| field.name == "price")
        .expect("the field");
    assert!(price.left_out || price.after.is_empty(), "{price:?}");
    assert_eq!(
        repaired.wrapper.extract(&after[0]).expect("a rule")[0].get("price"),
        None
    );
}

#[test]
fn pages_are_judged_together() {
    let old = paths_for_details();
    // Each page also names a book that was known before, each time at another place.
    let page = |(number, [title, author, price]): (usize, &[&str; 3])| {
        let mut texts = [
            "Great Offers",
            "Open Daily",
            "Read More",
            "Our Shops",
            "Sign In",
            "Your Basket",
        ];
        texts[number % 6] = BOOKS[number % 6][0];
        let texts: String = texts
            .iter()
            .map(|text| format!("<li><span>{text}</span></li>"))
            .collect();
        format!(
            "<ul>{texts}</ul><div><h2>{title}</h2><p><span>Author</span> <em>{author}</em></p>\
             <p><span>Price</span> <strong>{price}</strong></p></div>"
        )
    };
    let after: Vec<Document> = BOOKS[6..]
        .iter()
        .enumerate()
        .map(|book| document("after", &page(book)))
        .collect();
    let repaired = repair(&old, &after, &Job::new()).expect("a repair");
    for (document, [title, _, _]) in after.iter().zip(&BOOKS[6..]) {
        let records = repaired.wrapper.extract(document).expect("a rule");
        assert_eq!(records[0].get("title"), Some(*title), "{:?}", repaired.fields);
    }
}

#[test]
fn records_with_one_field_may_be_cells() {
    let dates = [
        "January 23, 2018",
        "June 19, 2018",
        "July 10, 2018",
        "August 14, 2018",
        "May 22, 2018",
        "June 5, 2018",
    ];
    let schema = RecordType::flat("meeting", ["date"]);
    let items: String = dates.iter().map(|date| format!("<li>{date}</li>")).collect();
    let before = document(
        "before",
        &format!("<h1>Meetings</h1><ul>{items}</ul><p>Board of Appeals</p>"),
    );
    let lesson = Lesson {
        name: &before.name,
        page: &before.page,
        records: dates.iter().map(|date| vec![vec![(*date).to_owned()]]).collect(),
    };
    let taught = learn_guided(&wanted(&schema.tables()[0]), &[lesson], true, &Job::new()).expect("a rule");
    let old = known(wrapper(schema, Rule::Paths(taught.rule)), &[before]);
    // Two dates in each row, with empty rows between.
    let rows: String = dates
        .chunks(2)
        .map(|pair| {
            format!(
                "<tr><td>{}</td><td> </td><td>{}</td></tr><tr><td> </td></tr>",
                pair[0], pair[1]
            )
        })
        .collect();
    let after = document(
        "after",
        &format!("<div>Board of Appeals</div><table>{rows}</table><p>Contact</p>"),
    );
    let repaired = repair(&old, std::slice::from_ref(&after), &Job::new()).expect("a repair");
    let records = repaired.wrapper.extract(&after).expect("a rule");
    let found: Vec<_> = records.iter().filter_map(|record| record.get("date")).collect();
    assert_eq!(found, dates);
}

#[test]
fn what_still_works_stays_as_it_is() {
    // Only the price moves; title and author are where they were.
    let old = paths_for_details();
    let moved = |[title, author, price]: [&str; 3]| {
        format!(
            "<html><body><h1>{title}</h1><table><tr><th>Author</th><td>{author}</td></tr></table>\
             <div class=buy><em>Price</em><strong>{price}</strong></div><p>All rights reserved</p></body></html>"
        )
    };
    let after: Vec<Document> = BOOKS[6..].iter().map(|book| document("after", &moved(*book))).collect();
    let repaired = repair(&old, &after, &Job::new()).expect("a repair");
    let runner = repaired.wrapper.runner().expect("a rule");
    for (document, book) in after.iter().zip(&BOOKS[6..]) {
        assert_eq!(runner.rows(document)[0], labels(&[*book]));
    }
}

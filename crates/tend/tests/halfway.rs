//! Redesigns that are not finished, and repairs that are not sure.

use learn::guided::{Lesson, Wanted, learn_guided, record_type};
use page::{Document, Job, Limits, Page};
use tend::{ENOUGH, Survey, compare, repair, repair_at_least};
use wrapper::{Rule, Wrapper};

const BOOKS: [[&str; 2]; 12] = [
    ["The Silent Orchard", "$12.50"],
    ["Salt and Cedar", "$8.99"],
    ["A Map of Quiet Places", "$15.00"],
    ["Winter Ledger", "$21.75"],
    ["Harbour Lights", "$9.40"],
    ["The Glass Meridian", "$18.20"],
    ["Borrowed Thunder", "$11.10"],
    ["North of Anywhere", "$7.95"],
    ["Paper Lanterns", "$13.30"],
    ["The Last Cartographer", "$16.60"],
    ["Inland Sea", "$10.05"],
    ["Stone Fruit", "$14.45"],
];

fn document(name: &str, html: &str) -> Document {
    Document::new(name, Page::parse_str(html, &Limits::default()).expect("a page"))
}

/// A wrapper by paths for fields of records that are given page by page.
fn learned(names: &[&str], pages: &[(Document, Vec<Vec<Vec<String>>>)], listed: bool, many: bool) -> Wrapper {
    let wanted: Vec<Wanted> = names
        .iter()
        .map(|name| Wanted {
            name: (*name).to_owned(),
            many,
        })
        .collect();
    let lessons: Vec<Lesson<'_>> = pages
        .iter()
        .map(|(document, records)| Lesson {
            name: &document.name,
            page: &document.page,
            records: records.clone(),
        })
        .collect();
    let rule = learn_guided(&wanted, &lessons, listed, &Job::new())
        .expect("a rule")
        .rule;
    let documents: Vec<Document> = pages.iter().map(|(document, _)| document.clone()).collect();
    Wrapper::made(Rule::Paths(rule), record_type("book", &wanted), None, &documents).expect("a wrapper")
}

fn record([title, price]: [&str; 2]) -> Vec<Vec<String>> {
    vec![vec![title.to_owned()], vec![price.to_owned()]]
}

fn old_row([title, price]: [&str; 2]) -> String {
    format!("<li class=book><b class=t>{title}</b> <i class=p>{price}</i></li>")
}

fn new_row([title, price]: [&str; 2]) -> String {
    format!("<li class=card><div><h4>{title}</h4><div class=cost><em>{price}</em></div></div></li>")
}

fn list(name: &str, rows: impl Iterator<Item = String>) -> Document {
    document(
        name,
        &format!("<h1>Books</h1><ul>{}</ul><p>Contact</p>", rows.collect::<String>()),
    )
}

#[test]
fn a_list_of_which_half_has_a_new_template_is_noticed() {
    let page = list("1.html", BOOKS.into_iter().map(old_row));
    let wrapper = learned(
        &["title", "price"],
        &[(page.clone(), BOOKS.map(record).into())],
        true,
        false,
    );
    let look = |page: &Document| {
        compare(&wrapper, wrapper.observe(std::slice::from_ref(page)).expect("a rule")).expect("profiles")
    };
    let mixed = BOOKS.into_iter().enumerate().map(|(at, book)| match at % 2 {
        0 => old_row(book),
        _ => new_row(book),
    });
    let report = look(&list("2.html", mixed));
    assert!(!report.is_fine());
    let told = &report.tables[0].alarm.reasons;
    assert!(
        told.iter()
            .any(|words| words == "6 of 12 parts of the list look like records and are not read"),
        "{told:?}"
    );
    // Fewer records, and a line between them that is none, are no alarm.
    let advert = std::iter::once("<li>Today only: free delivery to all countries</li>".to_owned());
    let fewer = BOOKS[..8].iter().map(|book| old_row(*book)).chain(advert);
    assert!(look(&list("3.html", fewer)).is_fine());
}

/// Other books, so that no value recurs.
fn others() -> Vec<[String; 2]> {
    let (first, last) = (
        ["Copper", "Willow", "Summer", "Granite"],
        ["Stories", "Letters", "Songs"],
    );
    let other = |at: usize| {
        let title = format!(
            "{} {} of the {} Road",
            first[at % 4],
            last[at % 3],
            ["North", "South"][at % 2]
        );
        [title, format!("${}.{:02}", 7 + at, 10 + at * 7 % 90)]
    };
    (0..12).map(other).collect()
}

#[test]
fn both_halves_of_a_list_are_read_after_a_repair() {
    let page = list("1.html", BOOKS.into_iter().map(old_row));
    let wrapper = learned(&["title", "price"], &[(page, BOOKS.map(record).into())], true, false);
    let others = others();
    let rows = |is_old: fn(usize) -> bool| {
        let row = |(at, [title, price]): (usize, &[String; 2])| match is_old(at) {
            true => old_row([title, price]),
            false => new_row([title, price]),
        };
        list(
            "2.html",
            others.iter().enumerate().map(row).collect::<Vec<_>>().into_iter(),
        )
    };
    for is_old in [|at| at % 2 == 0, |at| at < 6, |at| at % 3 > 0] {
        let page = rows(is_old);
        let repaired = repair_at_least(&wrapper, std::slice::from_ref(&page), ENOUGH, &Job::new()).expect("a repair");
        assert!(repaired.is_whole(), "{:?}", repaired.fields);
        let found = repaired.wrapper.extract(&page).expect("records");
        let found: Vec<_> = found
            .iter()
            .map(|record| (record.get("title"), record.get("price")))
            .collect();
        let expected: Vec<_> = others
            .iter()
            .map(|[title, price]| (Some(&**title), Some(&**price)))
            .collect();
        assert_eq!(found, expected);
        let notes = repaired.notes.join("\n");
        assert!(notes.contains("records are as before and"), "{notes}");
        // When all rows are new, and while none is, the same rule reads them.
        let (all, none) = (rows(|_| true), rows(|_| false));
        for page in [all, none] {
            assert_eq!(repaired.wrapper.extract(&page).expect("records").len(), 12);
        }
    }
}

/// A wrapper by delimiters for the rows of one page.
fn cut(page: &Document, html: &str) -> Wrapper {
    let wanted = |(tuple, book): (usize, &[&str; 2])| {
        let value = move |(field, text): (usize, &&str)| learn::label::Wanted {
            field,
            text: (*text).to_owned(),
            tuple,
        };
        book.iter().enumerate().map(value).collect::<Vec<_>>()
    };
    let values: Vec<learn::label::Wanted> = BOOKS.iter().enumerate().flat_map(wanted).collect();
    let placed = learn::label::place_all(&[(html, &values)]).remove(0).expect("places");
    let example = learn::Example {
        name: &page.name,
        text: html,
        values: placed.values,
    };
    let learned = learn::learn_best(2, &[example], &learn::DelimiterSettings::default(), &Job::new());
    let rule = Rule::Delimiters(learned.expect("a rule").rule);
    let fields = ["title", "price"].map(|name| Wanted {
        name: name.to_owned(),
        many: false,
    });
    Wrapper::made(rule, record_type("book", &fields), None, std::slice::from_ref(page)).expect("a wrapper")
}

#[test]
fn both_halves_are_read_after_the_repair_of_delimiters() {
    let html = |rows: String| format!("<h1>Books</h1><ul>{rows}</ul><p>Contact</p>");
    let page = |name: &str, rows: String| {
        let html = html(rows);
        Document {
            source: Some(html.as_str().into()),
            ..document(name, &html)
        }
    };
    let before: String = BOOKS.into_iter().map(old_row).collect();
    let wrapper = cut(&page("1.html", before.clone()), &html(before));
    let others = others();
    let row = |(at, [title, price]): (usize, &[String; 2])| match at % 2 {
        0 => old_row([title, price]),
        _ => new_row([title, price]),
    };
    let page = page("2.html", others.iter().enumerate().map(row).collect());
    assert_eq!(wrapper.extract(&page).expect("records").len(), 6);
    let repaired = repair_at_least(&wrapper, std::slice::from_ref(&page), ENOUGH, &Job::new()).expect("a repair");
    let found = repaired.wrapper.extract(&page).expect("records");
    let found: Vec<_> = found
        .iter()
        .map(|record| (record.get("title"), record.get("price")))
        .collect();
    let expected: Vec<_> = others
        .iter()
        .map(|[title, price]| (Some(&**title), Some(&**price)))
        .collect();
    assert_eq!(found, expected, "{:?}", repaired.notes);
}

#[test]
fn a_list_of_which_one_record_is_read_is_noticed() {
    let page = list("1.html", BOOKS.into_iter().map(old_row));
    let known = [(page, BOOKS.map(record).into())];
    let wrapper = learned(&["title", "price"], &known, true, false);
    let look = |page: &Document| {
        let now = wrapper.observe(std::slice::from_ref(page)).expect("a rule");
        compare(&wrapper, now).expect("profiles")
    };
    let cells = BOOKS[1..]
        .iter()
        .map(|[title, price]| format!("<td><h4>{title}</h4><em>{price}</em></td>"));
    let grid = format!(
        "<ul>{}</ul><table><tr>{}</tr></table>",
        old_row(BOOKS[0]),
        cells.collect::<String>()
    );
    let report = look(&document("2.html", &grid));
    assert_eq!(report.tables[0].now.records, 1);
    let told = &report.tables[0].alarm.reasons;
    assert!(
        told.iter()
            .any(|words| words.contains("11 other texts are written like them")),
        "{told:?}"
    );
    assert!(!report.is_fine());
    // The last page of a list has one record, too.
    assert!(look(&list("3.html", std::iter::once(old_row(BOOKS[0])))).is_fine());
}

fn old_page([title, price]: [&str; 2]) -> String {
    format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>")
}

fn new_page([title, price]: [&str; 2]) -> String {
    format!("<header>New shop</header><div class=t>{title}</div><dl><dt>Price:</dt><dd>{price}</dd></dl>")
}

#[test]
fn pages_of_two_templates_are_repaired_together() {
    let known: Vec<(Document, Vec<Vec<Vec<String>>>)> = BOOKS[..3]
        .iter()
        .map(|book| (document(book[0], &old_page(*book)), vec![record(*book)]))
        .collect();
    let wrapper = learned(&["title", "price"], &known, false, false);
    let (old, new) = (&BOOKS[3..6], &BOOKS[6..10]);
    let mut pages: Vec<Document> = old.iter().map(|book| document(book[0], &old_page(*book))).collect();
    pages.extend(new.iter().map(|book| document(book[0], &new_page(*book))));
    pages.push(document("error", "<h1></h1><p>Not found</p>"));
    let repaired = repair_at_least(&wrapper, &pages, ENOUGH, &Job::new()).expect("a repair");
    assert!(repaired.is_whole(), "{:?}", repaired.fields);
    let notes = repaired.notes.join("\n");
    assert!(
        notes.contains("3 of 8 as before") && notes.contains("4 not (Borrowed Thunder"),
        "{notes}"
    );
    assert!(notes.contains("the new rule is for both templates"), "{notes}");
    for (page, [title, price]) in pages.iter().zip(old.iter().chain(new)) {
        let records = repaired.wrapper.extract(page).expect("records");
        assert_eq!(
            (records[0].get("title"), records[0].get("price")),
            (Some(*title), Some(*price))
        );
    }
}

#[test]
fn a_repair_that_is_not_sure_is_not_called_healthy() {
    let known: Vec<(Document, Vec<Vec<Vec<String>>>)> = BOOKS[..4]
        .iter()
        .map(|book| (document(book[0], &old_page(*book)), vec![record(*book)]))
        .collect();
    let wrapper = learned(&["title", "price"], &known, false, false);
    let bare = |book: &[&str; 2]| document(book[0], &format!("<main><h2>{}</h2><p>Ask us</p></main>", book[0]));
    let pages: Vec<Document> = BOOKS[..4].iter().map(bare).collect();
    let told = |wrapper: &Wrapper| {
        let mut survey = Survey::new(wrapper).expect("a rule");
        pages.iter().for_each(|page| drop(survey.add(page)));
        survey.finish().expect("profiles").to_text(100, false)
    };
    let partly = repair_at_least(&wrapper, &pages, ENOUGH, &Job::new())
        .expect("a repair")
        .wrapper;
    let text = told(&partly);
    assert!(
        text.contains("✗ A field is missing that the last repair left out: price."),
        "{text}"
    );
    assert!(text.contains("price: it was left out by the last repair"), "{text}");
    let forced = repair(&wrapper, &pages, &Job::new()).expect("a repair").wrapper;
    assert!(
        !told(&forced).contains('✓') || !told(&forced).contains("The wrapper works as it did."),
        "{}",
        told(&forced)
    );
    // The doubt is saved.
    let saved = Wrapper::from_json(&partly.to_json()).expect("a wrapper");
    assert_eq!(saved.evidence.doubts, partly.evidence.doubts);
    assert!(saved.evidence.doubts[0].left_out);
}

#[test]
fn values_that_recur_to_the_letter_decide_the_level() {
    let steps = [
        "Peel the onions and cut them into rings",
        "Melt the butter in a wide pan",
        "Add the onions and stir for ten minutes",
        "Pour in the stock and simmer for long",
    ];
    let old: String = steps.iter().map(|step| format!("<p class=step>{step}</p>")).collect();
    let page = document("1.html", &format!("<h1>Onion soup</h1><div>{old}</div>"));
    let all = vec![vec![steps.map(str::to_owned).into()]];
    let wrapper = learned(&["step"], &[(page, all)], false, true);
    for sign in ["<span>#</span>", "▢ "] {
        let new = steps.iter().enumerate().map(|(at, step)| {
            let sign = sign.replace('#', &(at + 1).to_string());
            format!("<li class=step>{sign}<em>{step}</em></li>")
        });
        let html = format!(
            "<header>Soups</header><h2>Onion soup</h2><ol>{}</ol>",
            new.collect::<String>()
        );
        let page = document("2.html", &html);
        let repaired = repair(&wrapper, std::slice::from_ref(&page), &Job::new()).expect("a repair");
        let records = repaired.wrapper.extract(&page).expect("records");
        let found: Vec<&str> = records[0]
            .all("step")
            .filter_map(|record| record.value.as_deref())
            .collect();
        assert_eq!(found, steps, "{sign}");
    }
}

#[test]
fn records_in_a_grid_with_gaps_are_all_found() {
    let days: Vec<String> = (1..=24).map(|day| format!("March {day}, 2018")).collect();
    let rows: String = days
        .chunks(2)
        .map(|pair| {
            format!(
                "<tr class=r><td class=d>{}</td><td class=d>{}</td></tr>",
                pair[0], pair[1]
            )
        })
        .collect();
    let page = document("1.html", &format!("<h1>Hearings</h1><table>{rows}</table>"));
    let records = days.iter().map(|day| vec![vec![day.clone()]]).collect();
    let wrapper = learned(&["date"], &[(page, records)], true, false);
    let gap = "<td> </td><td> </td><td> </td>";
    let rows: String = days
        .chunks(2)
        .map(|pair| {
            format!(
                "<tr><td>{}</td>{gap}<td>{}</td></tr><tr><td> </td>{gap}<td> </td></tr>",
                pair[0], pair[1]
            )
        })
        .collect();
    let page = document(
        "2.html",
        &format!("<main><p>2018</p><table><tbody>{rows}</tbody></table></main>"),
    );
    let repaired = repair(&wrapper, std::slice::from_ref(&page), &Job::new()).expect("a repair");
    let found = repaired.wrapper.extract(&page).expect("records");
    let found: Vec<&str> = found.iter().filter_map(|record| record.get("date")).collect();
    assert_eq!(found, days);
}

#[test]
fn a_row_of_headings_is_no_record() {
    let cells = |[title, price]: [&str; 2]| format!("<tr class=r><td>{title}</td><td>{price}</td></tr>");
    let rows: String = BOOKS.iter().map(|book| cells(*book)).collect();
    let head = "<thead><tr><th>Title</th><th>Price</th></tr></thead>";
    let old = document("old", &format!("<table>{head}<tbody>{rows}</tbody></table>"));
    let wrapper = learned(
        &["title", "price"],
        &[(old, BOOKS.iter().map(|book| record(*book)).collect())],
        true,
        false,
    );
    let line = |[title, price]: [&str; 2]| format!("<div class=x><div>{title}</div><div>{price}</div></div>");
    let lines: String = BOOKS.iter().map(|book| line(*book)).collect();
    let new = document("new", &format!("<div>{}{lines}</div>", line(["Title", "Price"])));
    let repaired = repair(&wrapper, std::slice::from_ref(&new), &Job::new()).expect("a repair");
    let records = repaired.wrapper.extract(&new).expect("records");
    let titles: Vec<Option<&str>> = records.iter().map(|record| record.get("title")).collect();
    let expected: Vec<Option<&str>> = BOOKS.iter().map(|[title, _]| Some(*title)).collect();
    assert_eq!(titles, expected);
}

#[test]
fn two_places_that_fit_are_both_told() {
    let page = |number: usize, html: String| document(&format!("{number}.html"), &html);
    let old = BOOKS[..6].iter().enumerate().map(|(number, book)| {
        let [title, price] = *book;
        let html = format!("<h1>{title}</h1><p>Price: <b class=p>{price}</b></p>");
        (page(number, html), vec![record(*book)])
    });
    let wrapper = learned(&["title", "price"], &old.collect::<Vec<_>>(), false, false);
    let new = BOOKS[6..].iter().enumerate().map(|(number, [title, price])| {
        let other = format!("${}.25", 10 + number);
        page(
            number,
            format!("<h2>{title}</h2><div><i>{price}</i></div><div><u>{other}</u></div>"),
        )
    });
    let new: Vec<Document> = new.collect();
    let repaired = repair_at_least(&wrapper, &new, ENOUGH, &Job::new()).expect("a repair");
    let of = |name: &str| {
        repaired
            .fields
            .iter()
            .find(|field| field.name == name)
            .expect("the field")
    };
    let [best, next] = &of("price").candidates[..] else {
        panic!("{:?}", of("price"));
    };
    assert!(
        best[0].starts_with('$') && next[0].starts_with('$') && best[0] != next[0],
        "{best:?} {next:?}"
    );
    assert!(of("title").candidates.is_empty(), "{:?}", of("title"));
}

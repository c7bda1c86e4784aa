//! Classes of redesigns in which a field was lost, or filled with something else: one small site for each.

mod sites;

use page::{Document, Job};
use sites::{document, learned};
use tend::{ENOUGH, Repair, compare, repair_at_least};
use wrapper::Wrapper;

/// The values of a record, field by field.
type Record = Vec<String>;

fn is_left_out(repair: &Repair, name: &str) -> bool {
    let field = repair.fields.iter().find(|field| field.name == name).expect("a field");
    field.left_out
}

const TEAMS: [&str; 6] = ["Hawks", "Rovers", "Comets", "Miners", "Pilots", "Saints"];
const PLAYERS: [&str; 12] = [
    "Ann Ode",
    "Bo Carver",
    "Cy Marsh",
    "Dee Pratt",
    "Eli Stone",
    "Fay Lund",
    "Gus Ward",
    "Hal Beck",
    "Ida Moss",
    "Jo Frost",
    "Kit Dunn",
    "Lou Vane",
];

#[test]
fn a_value_that_the_menu_of_all_pages_has_too() {
    let menu: String = TEAMS.iter().map(|team| format!("<li><a href=/t>{team}</a>")).collect();
    let old = |at: usize| {
        let (name, team) = (PLAYERS[at], TEAMS[at % 6]);
        let html = format!("<ul>{menu}</ul><h1>{name}</h1><p><b>{team}</b> <i>guard</i></p><p>Terms of use</p>");
        (html, vec![vec![name.to_owned(), team.to_owned()]])
    };
    let new = |at: usize| {
        let (name, team) = (PLAYERS[at], TEAMS[at % 6]);
        format!("<ul class=n>{menu}</ul><div class=x><h2>{name}</h2><div><b>{team}</b></div></div><p>Terms of use</p>")
    };
    let wrapper = learned(&["name", "team"], &(0..6).map(old).collect::<Vec<_>>(), false);
    let pages: Vec<String> = (6..12).map(new).collect();
    let repair = repaired(&wrapper, &pages);
    for (at, html) in pages.iter().enumerate() {
        let record = &repair.wrapper.extract(&document(at, html)).expect("records")[0];
        assert_eq!(record.get("team"), Some(TEAMS[at]), "{:?}", repair.fields);
        assert_eq!(record.get("name"), Some(PLAYERS[at + 6]), "{:?}", repair.fields);
    }
}

const BOOKS: [&str; 12] = [
    "Hands-On Geometry",
    "Julie of the Wolves",
    "Detox for Women",
    "Winter Ledger",
    "A Map of Quiet Places",
    "Salt and Cedar",
    "Stone Fruit",
    "Inland Sea",
    "The Last Cartographer",
    "Paper Lanterns",
    "North of Anywhere",
    "Borrowed Thunder",
];
const ADVERTS: [&str; 12] = [
    "Brighter kitchens begin here",
    "Lower rates for careful drivers",
    "Visit sunny coasts",
    "Garden tools half off",
    "Learn piano at home",
    "Fresh flowers sent daily",
    "Warm coats for walkers",
    "Better sleep is possible",
    "Boats and bikes for hire",
    "Every lamp tested twice",
    "Move house without worry",
    "Coffee for early birds",
];

#[test]
fn an_advert_after_the_last_entry_of_the_menu_is_no_title() {
    let head = |title: &str| format!("<title>{title} - Books</title><ul><li>Home<li>Gift Certificates</ul>");
    let price = |at: usize| format!("${}.50", 7 + at);
    let old = |at: usize| {
        let html = format!(
            "{}<a href=/b>{}</a><p>Price: <b>{}</b></p>",
            head(BOOKS[at]),
            BOOKS[at],
            price(at)
        );
        (html, vec![vec![BOOKS[at].to_owned(), price(at)]])
    };
    let new = |at: usize| {
        format!(
            "{}<div><a href=/x>{}</a></div><div class=b><a href=/b>{}</a><div>Price: <em>{}</em></div></div>",
            head(BOOKS[at]),
            ADVERTS[at],
            BOOKS[at],
            price(at)
        )
    };
    let wrapper = learned(&["title", "price"], &(0..7).map(old).collect::<Vec<_>>(), false);
    let pages: Vec<String> = (7..12).map(new).collect();
    let repair = repaired(&wrapper, &pages);
    for (at, html) in pages.iter().enumerate() {
        let record = &repair.wrapper.extract(&document(at, html)).expect("records")[0];
        assert_eq!(record.get("title"), Some(BOOKS[at + 7]), "{:?}", repair.fields);
    }
}

/// Meetings of a year: the date, and the addresses of two files. The files that are linked say which ones they are.
fn meetings(year: usize, links: &[&str], class: &str) -> (String, Vec<Record>) {
    let row = |month: usize| {
        let file = |name: &&str| format!("<a href=/files/{year}{month:02}{}.pdf>{name}</a> ", name.len());
        let files: String = links.iter().map(file).collect();
        format!("<tr class={class}><td>{month}/14/{year}</td><td>{files}</td></tr>")
    };
    let rows: String = (1..=12).map(row).collect();
    let record = |month: usize| {
        let file = |name: &&str| format!("/files/{year}{month:02}{}.pdf", name.len());
        let mut record = vec![format!("{month}/14/{year}")];
        record.extend(links.iter().map(file));
        record
    };
    (format!("<table>{rows}</table>"), (1..=12).map(record).collect())
}

#[test]
fn a_link_to_the_minutes_is_no_link_to_the_agenda() {
    let before = [meetings(2018, &["Agenda", "Minutes"], "a")];
    let wrapper = learned(&["date", "agenda", "minutes"], &before, true);
    let (html, records) = meetings(2019, &["Minutes"], "b");
    let now = wrapper.observe(&[document(0, &html)]).expect("a profile");
    assert!(!compare(&wrapper, now).expect("a report").is_fine());
    let repair = repaired(&wrapper, std::slice::from_ref(&html));
    assert!(is_left_out(&repair, "agenda"), "{:?}", repair.fields);
    let given = repair.wrapper.extract(&document(0, &html)).expect("records");
    assert_eq!(given.len(), 12);
    for (given, expected) in given.iter().zip(&records) {
        assert_eq!(
            (given.get("date"), given.get("agenda")),
            (Some(expected[0].as_str()), None)
        );
    }
    // With both links it is clear which is which, in whatever order.
    let (html, records) = meetings(2019, &["Minutes", "Agenda"], "b");
    let repair = repaired(&wrapper, std::slice::from_ref(&html));
    let given = repair.wrapper.extract(&document(0, &html)).expect("records");
    let agendas: Vec<Option<&str>> = given.iter().map(|record| record.get("agenda")).collect();
    assert_eq!(
        agendas,
        records
            .iter()
            .map(|record| Some(record[2].as_str()))
            .collect::<Vec<_>>()
    );
}

/// A table of applications with some of the columns, by their headings.
fn applications(from: usize, columns: &[&str]) -> (String, Vec<Record>) {
    let words = ["Deck", "Garage", "Fence", "Carport", "Shed", "Pool", "Porch"];
    let cell = |at: usize, column: &str| match column {
        "Number" => format!("PA/{}", 1000 + from + at * 7),
        "Description" => format!("{} and {}", words[at % 7], words[(at / 7 + at + 3) % 7].to_lowercase()),
        "Status" => "Being assessed".to_owned(),
        _ => format!("{} Mill Road", 3 + at * 2 + from),
    };
    let heads: String = columns.iter().map(|name| format!("<th>{name}</th>")).collect();
    let row = |at: usize| {
        let cells: String = columns
            .iter()
            .map(|name| format!("<td>{}</td>", cell(at, name)))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = (0..14).map(row).collect();
    let record = |at: usize| columns.iter().map(|name| cell(at, name)).collect();
    (
        format!("<table><tr>{heads}</tr>{rows}</table>"),
        (0..14).map(record).collect(),
    )
}

#[test]
fn a_column_with_another_heading_is_not_the_one_that_is_gone() {
    let fields = ["number", "description"];
    let wrapper = learned(&fields, &[applications(0, &["Number", "Description"])], true);
    for other in ["Status", "Site"] {
        let (html, _) = applications(500, &["Number", other]);
        let html = html
            .replace("<td>", "<td class=k><span>")
            .replace("</td>", "</span></td>");
        let repair = repaired(&wrapper, &[html]);
        assert!(is_left_out(&repair, "description"), "{other}: {:?}", repair.fields);
        assert!(!is_left_out(&repair, "number"), "{other}: {:?}", repair.fields);
    }
}

/// A list of talks, each with a day.
fn talks(from: usize, element: &str, day: fn(usize) -> String) -> (String, Vec<Record>) {
    let record = |at: usize| vec![format!("Talk {} on {}", at * 37, BOOKS[at % BOOKS.len()]), day(at)];
    let records: Vec<Record> = (from..from + 12).map(record).collect();
    let row = |record: &Record| format!("<{element}><b>{}</b><i>{}</i></{element}>", record[0], record[1]);
    let rows: String = records.iter().map(row).collect();
    (format!("<main>{rows}</main>"), records)
}

#[test]
fn a_column_of_dates_with_other_words_in_some_records_is_not_sure() {
    let wrapper = learned(
        &["title", "day"],
        &[talks(0, "p", |at| format!("May {}, 2012", 1 + at))],
        true,
    );
    let sure = |day: fn(usize) -> String| {
        let (html, _) = talks(20, "article", day);
        let repair = repaired(&wrapper, std::slice::from_ref(&html));
        repair
            .fields
            .iter()
            .find(|field| field.name == "day")
            .expect("a field")
            .sure
    };
    assert!(sure(|at| format!("June {}, 2013", at - 10)) >= 0.9);
    let mixed = sure(|at| match at % 4 {
        0 => "News of today".to_owned(),
        _ => format!("June {}, 2013", at - 10),
    });
    assert!(mixed < 0.9, "{mixed}");
}

fn repaired(wrapper: &Wrapper, pages: &[String]) -> Repair {
    let documents: Vec<Document> = pages.iter().enumerate().map(|(at, html)| document(at, html)).collect();
    repair_at_least(wrapper, &documents, ENOUGH, &Job::new()).expect("a repair")
}

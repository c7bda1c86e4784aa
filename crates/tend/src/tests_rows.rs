//! Records of a list that lack a value after a redesign: what is at its place is no value of it.

use crate::*;
use learn::guided::{Lesson, Wanted};
use page::Page;

fn page(html: &str) -> Page {
    Page::parse_str(html, &Default::default()).expect("a page")
}

/// What is found on a new page with what was known of an old one; a text that is empty is a value that is missing.
fn found<const N: usize>(fields: [&str; N], old: (&str, &[[&str; N]]), new: &str) -> Vec<Vec<String>> {
    let wanted = fields.map(|name| Wanted {
        name: name.to_owned(),
        many: false,
    });
    let value = |text: &&str| (!text.is_empty()).then(|| (*text).to_owned()).into_iter().collect();
    let records = old.1.iter().map(|row| row.iter().map(value).collect());
    let before = page(old.0);
    let lesson = Lesson {
        name: "old",
        page: &before,
        records: records.collect(),
    };
    let profile = gather(&wanted, &[lesson]);
    let found = recover(&page(new), &wanted, &profile, true);
    let rows = found.records.into_iter();
    rows.map(|row| row.into_iter().map(|values| values.join("|")).collect())
        .collect()
}

/// A text for each row, between two texts, or nothing if the value is missing.
fn cell(before: &str, text: &str, after: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("{before}{text}{after}"),
    }
}

const BOOKS: [[&str; 4]; 10] = [
    ["Kelp and Salt", "", "Harbor Press", "1987"],
    ["The Long Road", "3rd edition", "Moss & Sons", "2004"],
    ["May Morning", "", "Fern Books", "1999"],
    ["Low Tide", "", "Harbor Press", "2011"],
    ["A Cold House", "2nd edition", "Quill House", "1975"],
    ["Winter Wheat", "", "Moss & Sons", "1993"],
    ["Glass Birds", "5th edition", "Fern Books", "2016"],
    ["Northern Lines", "", "Ember Press", "2001"],
    ["Paper Boats", "", "Quill House", "1968"],
    ["Second Wind", "4th edition", "Ember Press", "2008"],
];
const FIELDS: [&str; 4] = ["title", "edition", "publisher", "year"];

fn old_books() -> String {
    let row = |[title, edition, publisher, year]: &[&str; 4]| {
        format!(
            "<li><h3>{title}</h3>{}<i>{publisher}</i><u>{year}</u></li>",
            cell("<em>", edition, "</em>")
        )
    };
    format!("<ul>{}</ul>", BOOKS[..7].iter().map(row).collect::<String>())
}

#[test]
fn a_line_that_a_record_lacks_does_not_shift_the_others() {
    let row = |[title, edition, publisher, year]: &[&str; 4]| {
        format!(
            "<p><b>Title:</b> {title}<br>{}<b>Publisher:</b> {publisher}<br><b>Year:</b> {year}<br><a href=/m>Keep</a></p>",
            cell("<b>Edition:</b> ", edition, "<br>")
        )
    };
    let new: String = BOOKS.iter().map(row).collect();
    let found = found(FIELDS, (&old_books(), &BOOKS[..7]), &format!("<div>{new}</div>"));
    assert_eq!(found.len(), BOOKS.len());
    for (found, expected) in found.iter().zip(&BOOKS) {
        assert_eq!(
            (&found[0][..], &found[2][..], &found[3][..]),
            (expected[0], expected[2], expected[3])
        );
    }
}

#[test]
fn labels_are_not_taken_for_the_values_that_follow_them() {
    // No label of before is kept, and the editions are gone.
    let row = |[title, _, publisher, year]: &[&str; 4]| {
        format!("<p><b>Name:</b> <i>{title}</i> <b>House:</b> <i>{publisher}</i> <b>Since:</b> <i>{year}</i></p>")
    };
    let new: String = BOOKS.iter().map(row).collect();
    let found = found(FIELDS, (&old_books(), &BOOKS[..7]), &format!("<div>{new}</div>"));
    assert!(found.iter().flatten().all(|text| !text.ends_with(':')), "{found:?}");
}

const CARS: [[&str; 3]; 10] = [
    ["Fiat Kelp 1.4", "", "Malmo"],
    ["Opel Moss 2.0", "Bargain", "Ghent"],
    ["Skoda Fern 1.9", "", "Turin"],
    ["Toyota Tide 1.4", "", "Malmo"],
    ["Ford Reed 2.0", "", "Basel"],
    ["Fiat Rye 1.2", "", "Ghent"],
    ["Opel Leek 1.6", "Featured", "Turin"],
    ["Skoda Plum 2.0", "", "Basel"],
    ["Ford Oat 1.9", "", "Malmo"],
    ["Fiat Bean 1.2", "", "Turin"],
];

#[test]
fn a_value_that_is_known_as_that_of_another_field_is_not_taken() {
    let old = |[title, flag, town]: &[&str; 3]| {
        format!(
            "<tr><td>{title}<td><em>{town}</em><td>{}</tr>",
            cell("<u>", flag, "</u>")
        )
    };
    let new = |[title, flag, town]: &[&str; 3]| {
        format!(
            "<article>{}<h2>{title}</h2><p>{town}</p></article>",
            cell("<p>", flag, "</p>")
        )
    };
    let old: String = CARS[..7].iter().map(old).collect();
    let new: String = CARS.iter().map(new).collect();
    let old = format!("<table>{old}</table>");
    let found = found(
        ["title", "flag", "town"],
        (&old, &CARS[..7]),
        &format!("<div>{new}</div>"),
    );
    let towns: Vec<&str> = found.iter().map(|row| row[2].as_str()).collect();
    assert_eq!(towns, CARS.map(|[_, _, town]| town));
}

#[test]
fn a_price_is_not_the_kind_of_a_job_that_has_none() {
    let jobs = [
        ["Night Nurse", "Full-time", "$42,000"],
        ["Lead Analyst", "Part-time", "$53,000"],
        ["Site Cook", "", "$38,000"],
        ["Field Welder", "Contract", "$61,000"],
        ["Head Editor", "Full-time", "$70,000"],
        ["Junior Buyer", "", "$33,000"],
        ["Senior Driver", "Part-time", "$47,000"],
        ["Night Auditor", "Full-time", "$58,000"],
        ["Lead Planner", "Contract", "$66,000"],
        ["Site Manager", "Full-time", "$81,000"],
        ["Junior Teacher", "", "$36,000"],
    ];
    let old = |[title, kind, _]: &[&str; 3]| format!("<li><b>{title}</b>{}</li>", cell("<i>", kind, "</i>"));
    let new = |[title, kind, pay]: &[&str; 3]| {
        format!(
            "<div><h2>{title}</h2><ul>{}<li>{pay}</li></ul></div>",
            cell("<li>", kind, "</li>")
        )
    };
    let known: Vec<[&str; 2]> = jobs.iter().map(|[title, kind, _]| [*title, *kind]).collect();
    let old: String = jobs.iter().map(old).collect();
    let new: String = jobs.iter().map(new).collect();
    let found = found(
        ["title", "kind"],
        (&format!("<ul>{old}</ul>"), &known),
        &format!("<main>{new}</main>"),
    );
    let kinds: Vec<&str> = found.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(kinds, jobs.map(|[_, kind, _]| kind));
}

#[test]
fn a_row_of_headings_that_no_field_was_called_by_is_no_record() {
    let row = |[title, _, publisher, year]: &[&str; 4]| format!("<tr><td>{title}<td>{publisher}<td>{year}</tr>");
    let rows: String = BOOKS.iter().map(row).collect();
    let new = format!("<table><tr><td><b>Work</b><td><b>House</b><td><b>Since</b></tr>{rows}</table>");
    let found = found(FIELDS, (&old_books(), &BOOKS[..7]), &new);
    let titles: Vec<&str> = found.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(titles, BOOKS.map(|[title, ..]| title));
}

//! Rows that lack a text which only its label, its kind, its words or what the others say can tell from the rest.

use super::parse;
use crate::exalg::{TemplateSettings, infer};
use page::{Document, Page};
use std::collections::BTreeMap;
use wrapper::rule::template::record_type;
use wrapper::{Rule, Wrapper};

const ROWS: usize = 12;
const PAGES: usize = 3;
const NAMES: [&str; 7] = ["Ada", "Bob", "Cleo", "Dan", "Edna", "Fred", "Gus"];
const THINGS: [&str; 5] = ["Walk", "Lamp", "Guide", "Concert", "Survey"];
const MADE: [&str; 4] = ["Quiet", "Green", "Public", "Coastal"];

/// A number that differs from row to row.
fn draw(page: usize, row: usize, salt: usize) -> usize {
    let mut x = (page * 1_000_003 + row * 1009 + salt + 1) as u64;
    x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 32;
    (x % 1_000_003) as usize
}

fn title(page: usize, row: usize) -> String {
    let (a, b, c) = (draw(page, row, 1), draw(page, row, 2), draw(page, row, 3));
    format!("{} {} {}", MADE[a % 4], THINGS[b % 5], THINGS[c % 5])
}

/// Does the wrapper, saved and read again, give the expected values of a column in one field of the rows of another page? A row without a value is empty.
fn reads(page: impl Fn(usize) -> (String, Vec<Vec<Option<String>>>)) {
    let sources: Vec<String> = (0..PAGES).map(|number| page(number).0).collect();
    let pages = parse(&sources);
    let all: Vec<&Page> = pages.iter().collect();
    let template = infer(&all, &TemplateSettings::default(), &page::Job::new())
        .unwrap()
        .template;
    let kind = record_type(&template, "record");
    let documents: Vec<Document> = pages.into_iter().map(|page| Document::new("a", page)).collect();
    let made = Wrapper::made(Rule::Template(template), kind, None, &documents).unwrap();
    let text = made.to_json();
    let runner = Wrapper::from_json(&text).unwrap().runner().unwrap();
    let (source, known) = page(PAGES);
    let document = Document::new("b", parse(&[source]).remove(0));
    let records = runner.run(&document, false).records;
    let rows: Vec<BTreeMap<&str, &str>> = records[0]
        .children
        .iter()
        .filter(|row| row.value.is_none())
        .map(|row| {
            row.children
                .iter()
                .map(|cell| (cell.name.as_str(), cell.value.as_deref().unwrap_or("")))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), known.len(), "{text}");
    for column in 0..known[0].len() {
        let expected: Vec<Option<&str>> = known.iter().map(|row| row[column].as_deref()).collect();
        let fields = rows.iter().flat_map(|row| row.keys());
        let has = |field: &&&str| {
            rows.iter()
                .map(|row| row.get(**field).copied())
                .eq(expected.iter().copied())
        };
        assert!(
            fields.clone().any(|field| has(&field)),
            "{expected:?}\n{rows:?}\n{text}"
        );
    }
}

/// Rows that a function makes of the values that they have, and the page around them.
fn listed(
    number: usize,
    optional: &[usize],
    values: impl Fn(usize) -> Vec<String>,
    row: impl Fn(&[Option<String>]) -> String,
    around: &str,
) -> (String, Vec<Vec<Option<String>>>) {
    let mut html = String::new();
    let mut known = Vec::new();
    for at in 0..ROWS + number {
        let lacks = |cell: &usize| draw(number, at, 20 + cell) % 10 < 4;
        let own: Vec<Option<String>> = (0..)
            .zip(values(at))
            .map(|(cell, value)| (!(optional.contains(&cell) && lacks(&cell))).then_some(value))
            .collect();
        html += &row(&own);
        known.push(own);
    }
    (
        format!("<h1>Page {number}</h1><{around}>{html}</{around}><p>{number} of many"),
        known,
    )
}

fn pieces(values: &[Option<String>], before: &str, after: &str) -> String {
    values
        .iter()
        .flatten()
        .map(|value| format!("{before}{value}{after}"))
        .collect()
}

#[test]
fn a_label_that_some_rows_lack_brings_its_value_along() {
    reads(|number| {
        let values = |at| {
            let name = NAMES[draw(number, at, 4) % 7];
            vec![
                title(number, at),
                format!("{}", 10 + draw(number, at, 5) % 90),
                name.to_owned(),
                format!("Hall {}", draw(number, at, 6) % 9),
            ]
        };
        let row = |values: &[Option<String>]| {
            let labels = ["", "<b>Lot:</b> ", "<b>Owner:</b> ", "<b>Place:</b> "];
            let cells = labels
                .iter()
                .zip(values)
                .filter_map(|(label, value)| Some(format!("<div>{label}{}</div>", value.as_ref()?)));
            format!("<li>{}</li>", cells.collect::<String>())
        };
        listed(number, &[1, 2, 3], values, row, "ul")
    });
}

/// Rows of a title and of four values with labels, of which any may be missing.
fn labelled(
    number: usize,
    pair: impl Fn(&str, &str) -> String,
    around: [&str; 2],
) -> (String, Vec<Vec<Option<String>>>) {
    let values = |at| {
        let state = ["Open", "Closed", "Under review"][draw(number, at, 7) % 3];
        vec![
            title(number, at),
            format!("{} Hall", NAMES[draw(number, at, 4) % 7]),
            format!("2024-0{}-1{}", 1 + draw(number, at, 5) % 9, draw(number, at, 8) % 10),
            format!("${}.50", draw(number, at, 6) % 90),
            state.to_owned(),
        ]
    };
    let row = |values: &[Option<String>]| {
        let labels = ["Location", "Closing date", "Estimated value", "Status"];
        let pairs = labels.iter().zip(&values[1..]);
        let pairs = pairs.filter_map(|(label, value)| Some(pair(label, value.as_ref()?)));
        let (title, [open, close]) = (values[0].as_ref().unwrap(), around);
        format!("<li><h3>{title}</h3>{open}{}{close}</li>", pairs.collect::<String>())
    };
    listed(number, &[1, 2, 3, 4], values, row, "ol")
}

#[test]
fn a_value_goes_to_the_cell_of_its_term() {
    let pair = |label: &str, value: &str| format!("<div><dt>{label}</dt><dd>{value}</dd></div>");
    reads(|number| labelled(number, pair, ["<dl>", "</dl>"]));
}

#[test]
fn words_of_one_class_before_each_value_are_labels() {
    let pair =
        |label: &str, value: &str| format!("<div><span class=k>{label}</span><span class=v>{value}</span></div>");
    reads(|number| labelled(number, pair, ["<div>", "</div>"]));
}

fn title_time_and_price(number: usize, at: usize) -> Vec<String> {
    vec![
        title(number, at),
        format!("{}:30 PM", 1 + draw(number, at, 4) % 9),
        format!("${}.50", draw(number, at, 5) % 90),
    ]
}

#[test]
fn lines_that_some_rows_lack_are_told_by_their_kinds() {
    reads(|number| {
        let values = |at| title_time_and_price(number, at);
        let row = |values: &[Option<String>]| {
            let lines: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
            format!("<div>{}</div>", lines.join("<br>"))
        };
        listed(number, &[1, 2], values, row, "div")
    });
}

#[test]
fn parts_between_signs_may_be_missing() {
    reads(|number| {
        let values = |at| title_time_and_price(number, at);
        let row = |values: &[Option<String>]| {
            let parts: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
            format!("<li>{}</li>", parts.join(" · "))
        };
        listed(number, &[1, 2], values, row, "ul")
    });
}

#[test]
fn a_word_before_some_titles_is_no_title() {
    reads(|number| {
        let values = |at| {
            let flag = ["New", "Sold out", "On sale"][draw(number, at, 4) % 3];
            vec![
                flag.to_owned(),
                title(number, at),
                format!("${}.50", draw(number, at, 5) % 90),
            ]
        };
        listed(
            number,
            &[0],
            values,
            |values| format!("<li>{}</li>", pieces(values, "<span>", "</span>")),
            "ul",
        )
    });
}

#[test]
fn texts_of_different_kinds_are_no_inner_list() {
    reads(|number| {
        let values = |at| {
            vec![
                title(number, at),
                format!("${}.50", draw(number, at, 4) % 90),
                format!("2021-05-{}", 10 + draw(number, at, 5) % 19),
            ]
        };
        listed(
            number,
            &[1],
            values,
            |values| format!("<section>{}</section>", pieces(values, "<p>", "</p>")),
            "div",
        )
    });
}

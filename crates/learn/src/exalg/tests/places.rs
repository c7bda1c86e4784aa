//! Pages with several parts of one make: each attribute must be one field with exactly its values, also on pages that were not learned from.

use crate::exalg::{TemplateSettings, infer};
use page::{Document, Page};
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;
use wrapper::rule::template::{Run, infix, record_type};
use wrapper::{Rule, Wrapper};

/// The values of each attribute of a page.
type Truth = BTreeMap<&'static str, Vec<String>>;

fn parse(html: &str) -> Page {
    Page::parse_str(html, &Default::default()).expect("a page")
}

/// A number below `of` that differs from page to page and from place to place.
fn draw(page: usize, place: usize, of: usize) -> usize {
    let mut state = (page as u64 * 1_000_003 + place as u64 * 7919 + 17).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state ^= state >> 29;
    (state.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as usize % of
}

/// A value, which is noted.
fn value(truth: &mut Truth, name: &'static str, page: usize, place: usize) -> String {
    let words = 1 + draw(page, place + 5, 3);
    let text = (0..words).map(|word| format!("{name}{}", draw(page, place + 11 * word + 3, 9000) + 1));
    let text = text.collect::<Vec<_>>().join(" ").to_uppercase();
    truth.entry(name).or_default().push(text.clone());
    text
}

fn body(content: &str) -> String {
    let menu = "<table><tr><td><a href=/>Home</a></td><td><a href=/n>News</a></td></tr></table>";
    format!("<html><body>{menu}{content}<hr><p>Copyright of the makers</p></body></html>")
}

/// Learns from twenty pages and reads forty.
fn check(make: impl Fn(usize, &mut Truth) -> String) {
    let made: Vec<(Page, Truth)> = (0..40)
        .map(|number| {
            let mut truth = Truth::new();
            let html = body(&make(number, &mut truth));
            (parse(&html), truth)
        })
        .collect();
    let pages: Vec<&Page> = made.iter().map(|(page, _)| page).collect();
    let inferred = infer(&pages[..20], &TemplateSettings::default(), &page::Job::new()).expect("a template");
    let run = Run::new(&inferred.template);
    let mut found: Vec<BTreeMap<u32, Vec<String>>> = Vec::new();
    for page in &pages {
        let mut here: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for event in run.page(page).0 {
            if let Event::Value { field, text, .. } = event {
                here.entry(field).or_default().push(text);
            }
        }
        found.push(here);
    }
    let names: BTreeSet<&str> = made.iter().flat_map(|(_, truth)| truth.keys().copied()).collect();
    for name in names {
        let right = |field: &u32| {
            let mut pairs = found.iter().zip(&made);
            pairs.all(|(found, (_, truth))| found.get(field) == truth.get(name))
        };
        let all = 0..inferred.template.fields.len() as u32;
        let (template, lists) = (infix(&inferred.template, true), &inferred.template.rows);
        assert!(
            all.into_iter().any(|field| right(&field)),
            "{name}: {template}\n{lists:?}"
        );
    }
}

fn rows(truth: &mut Truth, names: &[&'static str], page: usize, place: usize, count: usize) -> String {
    let row = |row: usize| {
        let cells = names.iter().enumerate();
        let cells: String = cells
            .map(|(at, name)| format!("<td>{}</td>", value(truth, name, page, place + 31 * row + 7 * at)))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    (0..count).map(row).collect()
}

#[test]
fn tables_at_several_places_are_several_lists() {
    check(|page, truth| {
        let facts = |truth: &mut Truth, pairs: &[(&str, &'static str, usize)]| {
            let there = pairs.iter().filter(|(label, _, of)| draw(page, label.len(), 10) < *of);
            let rows = there.map(|(label, name, _)| {
                let said = value(truth, name, page, label.len());
                format!("<tr><td align=right><b>{label}:</b></td><td><i>{said}</i></td></tr>")
            });
            format!("<table>{}</table>", rows.collect::<String>())
        };
        let house = facts(
            truth,
            &[
                ("Beds", "beds", 10),
                ("Baths", "baths", 10),
                ("Garage", "garage", 5),
                ("Year built", "built", 6),
                ("Heating", "heating", 10),
            ],
        );
        let room = |row: usize, truth: &mut Truth| {
            let (room, size) = (
                value(truth, "room", page, 90 * row),
                value(truth, "size", page, 90 * row + 1),
            );
            // Some cells are empty.
            let level = match draw(page, 90 * row + 2, 3) {
                0 => String::new(),
                _ => value(truth, "level", page, 90 * row + 3),
            };
            format!("<tr><td>{room}</td><td>{size}</td><td>{level}</td></tr>")
        };
        let rooms: String = (0..2 + draw(page, 1, 5)).map(|row| room(row, truth)).collect();
        let text = value(truth, "text", page, 800);
        let mut out = format!("<h1>House</h1>{house}<h4>Description</h4><p>{text}</p>");
        out += &format!("<h4>Rooms</h4><table><tr><th>Room</th><th>Size</th><th>Level</th></tr>{rooms}</table>");
        if draw(page, 2, 2) == 0 {
            let visits = rows(truth, &["day", "time"], page, 900, 1 + draw(page, 3, 3));
            out += &format!("<h4>Viewings</h4><table><tr><th>Day</th><th>Time</th></tr>{visits}</table>");
        }
        let agent = facts(
            truth,
            &[
                ("Agent", "agent", 10),
                ("Telephone", "phone", 10),
                ("Telefax", "fax", 5),
            ],
        );
        out + &format!("<h4>Contact the agent</h4>{agent}")
    });
}

#[test]
fn paragraphs_between_words_of_the_page_are_no_list() {
    check(|page, truth| {
        let sold = match draw(page, 3, 2) {
            0 => format!("sold by {} for cash", value(truth, "seller", page, 4)),
            _ => format!("lent to {} until May", value(truth, "lender", page, 5)),
        };
        format!(
            "<h1>{}</h1><h3>About it</h3><p>{sold}</p>",
            value(truth, "title", page, 6)
        )
    });
}

#[test]
fn what_follows_an_optional_heading_belongs_to_it() {
    check(|page, truth| {
        let list = |truth: &mut Truth, name, place, count: usize| {
            let items = (0..count).map(|at| format!("<li>{}</li>", value(truth, name, page, place + 13 * at)));
            format!("<ul>{}</ul>", items.collect::<String>())
        };
        let mut out = format!(
            "<h1>Job</h1><h4>Duties</h4>{}",
            list(truth, "duty", 10, 2 + draw(page, 7, 4))
        );
        if draw(page, 8, 5) < 3 {
            out += &format!(
                "<h4>What we offer</h4>{}",
                list(truth, "gain", 200, 1 + draw(page, 9, 4))
            );
        }
        if draw(page, 10, 5) < 3 {
            let facts = value(truth, "phone", page, 12);
            out += &format!("<dl><dt>Phone:</dt><dd>{facts}</dd></dl>");
        }
        out
    });
}

#[test]
fn tables_of_which_any_may_be_missing_are_told_by_their_headings() {
    check(|page, truth| {
        let mut out = "<h1>Player</h1>".to_owned();
        for (at, (kind, names)) in [
            ("Singles titles", ["year", "town"]),
            ("Doubles titles", ["when", "where"]),
        ]
        .into_iter()
        .enumerate()
        {
            if draw(page, 20 + at, 4) > 0 {
                let rows = rows(truth, &names, page, 300 + 500 * at, 1 + draw(page, 30 + at, 5));
                out += &format!("<h3>{kind}</h3><table>{rows}</table>");
            }
        }
        out
    });
}

#[test]
fn labels_in_rows_tell_their_values() {
    check(|page, truth| {
        let review = |truth: &mut Truth, row: usize| {
            let mut out = format!(
                "<div><b>{}</b> by <i>{}</i>",
                value(truth, "mark", page, 40 * row),
                value(truth, "guest", page, 40 * row + 1)
            );
            for (at, (label, name)) in [("Liked:", "good"), ("Disliked:", "bad")].into_iter().enumerate() {
                if draw(page, 70 * row + at, 5) < 3 {
                    out += &format!("<p><b>{label}</b> {}</p>", value(truth, name, page, 40 * row + 2 + at));
                }
            }
            out + "</div>"
        };
        let reviews: String = (0..1 + draw(page, 60, 5)).map(|row| review(truth, row)).collect();
        format!("<h1>Hotel</h1><h4>Reviews</h4><div>{reviews}</div>")
    });
}

#[test]
fn lines_of_an_address_are_fields() {
    check(|page, truth| {
        let line = ["street", "town", "land"].map(|name| value(truth, name, page, name.len()));
        format!("<h1>Hotel</h1><p>{}</p>", line.join("<br>"))
    });
}

#[test]
fn names_in_a_line_are_a_set() {
    check(|page, truth| {
        let links = |truth: &mut Truth, name, place| {
            let links = (0..1 + draw(page, place, 2))
                .map(|at| format!("<a href=/{at}>{}</a>", value(truth, name, page, place + at)));
            links.collect::<Vec<_>>().join(", ")
        };
        let (director, writer) = (links(truth, "director", 80), links(truth, "writer", 90));
        format!("<h1>Film</h1><p><b>Directed by</b> {director}</p><p><b>Written by</b> {writer}</p>")
    });
}

#[test]
fn cells_below_headings_are_told_apart_in_a_short_table() {
    check(|page, truth| {
        let mut out = "<h1>House</h1>".to_owned();
        if draw(page, 95, 2) == 0 {
            let rows = rows(truth, &["day", "time"], page, 400, 1 + draw(page, 96, 2));
            out += &format!("<h4>Viewings</h4><table><tr><th>Date</th><th>Time</th></tr>{rows}</table>");
        }
        out + "<h4>Contact the agent</h4>"
    });
}

#[test]
fn a_paragraph_of_an_optional_part_is_not_the_one_before_it() {
    check(|page, truth| {
        let text = value(truth, "text", page, 50);
        let rated = match draw(page, 51, 5) {
            0..3 => format!(
                "<p>Members rate it <b>{}</b> stars of five</p>",
                value(truth, "score", page, 52)
            ),
            _ => "<p>Not rated by members yet.</p>".to_owned(),
        };
        format!("<h1>Film</h1><div><p>{text}</p>{rated}</div><h4>You may also like</h4>")
    });
}

#[test]
fn a_page_whose_list_is_empty_is_read() {
    let page = |number: usize, count: usize| {
        let mut truth = Truth::new();
        let title = value(&mut truth, "title", number, 1);
        let row = |at: usize| {
            let (maker, model) = (
                value(&mut truth, "maker", number, 20 * at),
                value(&mut truth, "model", number, 20 * at + 1),
            );
            format!("<li><b>Maker</b> {maker} <b>Model</b> {model}</li>")
        };
        let items: String = (0..count).map(row).collect();
        let html = body(&format!("<h1>{title}</h1><h3>Cars and vans</h3><ul>{items}</ul>"));
        Document::new(format!("{number}.html"), parse(&html))
    };
    let documents: Vec<Document> = (0..20)
        .map(|number| page(number, if number == 7 { 0 } else { 1 + number % 4 }))
        .collect();
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    let template = infer(&pages, &TemplateSettings::default(), &page::Job::new())
        .expect("a template")
        .template;
    let kind = record_type(&template, "record");
    let wrapper = Wrapper::made(Rule::Template(template), kind, None, &documents).expect("a wrapper");
    let runner = wrapper.runner().expect("a runner");
    for number in [3, 7] {
        assert_eq!(runner.run(&documents[number], false).records.len(), 1, "{number}");
    }
    let other = Document::new(
        "other.html",
        parse("<html><body><h1>Login</h1><p>Your name and password, please</p></body></html>"),
    );
    assert_eq!(runner.run(&other, false).records.len(), 0);
}

//! What `check` and `watch` notice: one page without a field, lists that are gone, pages of two templates, prices that changed
//! places in every structure, and rules that never worked.

mod sites;

use serde_json::Value;
use sites::Place;

/// A wrapper for pages of films: by position, so that nothing but what it gives tells whether it is right.
const FILMS: &str = "doc(\"http://shop.example/\")//body:<film>[? .//h1:<title=string(.)>][? .//p[1]:<year=string(.)>]\
    [? .//p[2]:<by=string(.)>][? .//p[3]:<stars=string(.)>][? .//p[4]:<price=string(.)>]";

fn film(number: usize, has_price: bool) -> String {
    let price = match has_price {
        true => format!("<p>{}.50</p>", 5 + number % 9),
        false => String::new(),
    };
    let year = 1950 + number;
    format!("<h1>Film {number}</h1><p>{year}</p><p>Director {number}</p><p>Actor {number}</p>{price}")
}

/// The verdict of a check, for programs.
#[track_caller]
fn report(place: &Place, wrapper: &str, pages: &[&str]) -> Value {
    let ran = place.run(&[&["check", "--format", "json", wrapper], pages].concat());
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.words));
    let code = if report["fine"] == true { 0 } else { 3 };
    assert_eq!(ran.code, Some(code), "{}", ran.out);
    report
}

#[test]
fn one_page_without_a_field_that_33_pages_had() {
    let place = Place::new();
    place.write("f.oxp", FILMS);
    for number in 0..33 {
        place.write(&format!("good/{number:02}.html"), film(number, true));
    }
    place
        .run(&["learn", "--oxpath", "f.oxp", "good", "-o", "f.wrapper.json"])
        .ended(0, "");
    place
        .write("fine.html", film(40, true))
        .write("odd.html", film(41, false));
    assert_eq!(report(&place, "f.wrapper.json", &["fine.html"])["fine"], true);
    let odd = report(&place, "f.wrapper.json", &["odd.html"]);
    assert_eq!(odd["fine"], false, "{odd}");
    assert_eq!(odd["tables"][0]["fields"][4]["verdict"], "broken", "{odd}");
    let words = place.run(&["check", "f.wrapper.json", "odd.html"]).ended(3, "").out;
    assert!(words.contains("the record has none, 33 of 33 had"), "{words}");
}

#[test]
fn a_list_that_goes_from_126_to_nothing() {
    let place = Place::new();
    let expression = "doc(\"http://shop.example/\")//li:<item>[? .//b:<name=string(.)>][? .//i:<note=string(.)>]";
    place.write("l.oxp", expression);
    let page = |notes: usize| -> String {
        let note = |at: usize| {
            if at < notes {
                format!("<i>note {at}</i>")
            } else {
                String::new()
            }
        };
        let rows = (0..300).map(|at| format!("<li><b>Item {at}</b>{}", note(at)));
        format!("<ul>{}</ul>", rows.collect::<String>())
    };
    place.write("old.html", page(126)).write("new.html", page(0));
    place
        .run(&["learn", "--oxpath", "l.oxp", "old.html", "-o", "l.wrapper.json"])
        .ended(0, "");
    assert_eq!(report(&place, "l.wrapper.json", &["old.html"])["fine"], true);
    let words = place.run(&["check", "l.wrapper.json", "new.html"]).ended(3, "").out;
    assert!(words.contains("✗ note"), "{words}");
    assert!(words.contains("126 → 0  all values are gone"), "{words}");
}

#[test]
fn pages_of_two_templates_are_named() {
    let place = Place::new();
    place.write("f.oxp", FILMS);
    for number in 0..6 {
        place.write(&format!("old/{number}.html"), film(number, true));
        let half = match number % 2 {
            0 => film(number + 50, true),
            _ => format!("<h2>Film {number}</h2><ul><li>Director {number}<li>Actor {number}</ul>"),
        };
        place.write(&format!("now/{number}.html"), half);
    }
    place
        .run(&["learn", "--oxpath", "f.oxp", "old", "-o", "f.wrapper.json"])
        .ended(0, "");
    let found = report(&place, "f.wrapper.json", &["now"]);
    assert_eq!(
        (&found["fine"], &found["mixed"]),
        (&Value::Bool(false), &Value::Bool(true)),
        "{found}"
    );
    let words = place.run(&["check", "f.wrapper.json", "now"]).ended(3, "").out;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "✗ The pages are mixed: 3 of 6 are as before, 3 have changed. As before: now/0.html, now/2.html, \
        now/4.html. Changed: now/1.html, now/3.html, now/5.html.";
    assert!(words.starts_with(expected), "{words}");
    assert!(!words.contains("The site has changed"), "{words}");
    // Half of the pages are of another kind.
    for number in 0..3 {
        place.write(
            &format!("others/{number}.html"),
            format!("<div>Team {number}: call us</div>"),
        );
    }
    let pages = ["old/0.html", "old/1.html", "old/2.html", "others"];
    let ran = place
        .run(&[&["check", "f.wrapper.json"], &pages[..]].concat())
        .ended(3, "");
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.starts_with("✗ The pages are mixed: 3 of 6 are as before, 3 are of another kind."),
        "{words}"
    );
    assert!(
        words.contains("others/0.html, others/1.html, others/2.html."),
        "{words}"
    );
    let words = place.run(&["check", "f.wrapper.json", "others"]).ended(3, "").out;
    assert!(words.starts_with("✗ All 3 pages seem to be of another kind"), "{words}");
    // A page of another kind, and one that cannot be read, say nothing about the site.
    place.write("gone.html", "<div>Not found</div>");
    let ran = place.run(&["check", "f.wrapper.json", "old", "gone.html", "nowhere.html"]);
    let ran = ran.ended(1, "1 page could not be read; the report is about the others");
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("1 of 7 pages seem to be of another kind and were not counted"),
        "{words}"
    );
}

/// A structure with two prices: its name, what is before the rows, a row, and where the two prices are in a row.
type Shop = (
    &'static str,
    &'static str,
    fn([&str; 2], [&str; 2]) -> String,
    [&'static str; 2],
);

const SHOPS: [Shop; 6] = [
    (
        "cells with their labels in bold",
        "",
        |[a, b], [x, y]| format!("<tr><td><b>{a}</b> <em>{x}</em><td><b>{b}</b> <em>{y}</em></tr>"),
        ["td[1]/em", "td[2]/em"],
    ),
    (
        "cells with their labels as text",
        "",
        |[a, b], [x, y]| format!("<tr><td>{a}: <em>{x}</em><td>{b}: <em>{y}</em></tr>"),
        ["td[1]/em", "td[2]/em"],
    ),
    (
        "cells of labels",
        "",
        |[a, b], [x, y]| format!("<tr><td>{a}<td>{x}<td>{b}<td>{y}</tr>"),
        ["td[2]", "td[4]"],
    ),
    (
        "headings",
        "<tr><th>A<th>B</tr>",
        |_, [x, y]| format!("<tr class=r><td>{x}<td>{y}</tr>"),
        ["td[1]", "td[2]"],
    ),
    (
        "plain headings",
        "<tr><td>A<td>B</tr>",
        |_, [x, y]| format!("<tr class=r><td>{x}<td>{y}</tr>"),
        ["td[1]", "td[2]"],
    ),
    (
        "a list in a cell",
        "",
        |[a, b], [x, y]| {
            format!("<tr><td><ul><li><b>{a}</b> - $ <em>{x}</em><li><b>{b}</b> - $ <em>{y}</em></ul></tr>")
        },
        [".//li[1]/em", ".//li[2]/em"],
    ),
];

#[test]
fn prices_that_change_places_in_tables() {
    for (name, head, row, [one, two]) in SHOPS {
        for rows in [1, 5] {
            let place = Place::new();
            let each = if head.is_empty() { "tr" } else { "tr[@class=\"r\"]" };
            let expression = format!(
                "doc(\"http://shop.example/\")//{each}:<video>[? {one}:<dvd=string(.)>][? {two}:<vhs=string(.)>]"
            );
            place.write("x.oxp", expression);
            let page = |from: usize, is_swapped: bool| -> String {
                let rows = (from..from + rows).map(|at| {
                    let [x, y] = [format!("{}.98", 14 + at), format!("{}.38", 9 + at * 2)];
                    match is_swapped {
                        false => row(["DVD", "VHS"], [&x, &y]),
                        true => row(["VHS", "DVD"], [&y, &x]),
                    }
                });
                let head = match is_swapped {
                    false => head.replace('A', "DVD").replace('B', "VHS"),
                    true => head.replace('A', "VHS").replace('B', "DVD"),
                };
                format!("<table>{head}{}</table>", rows.collect::<String>())
            };
            place
                .write("old/1.html", page(0, false))
                .write("old/2.html", page(7, false))
                .write("same.html", page(20, false))
                .write("new.html", page(20, true));
            place
                .run(&["learn", "--oxpath", "x.oxp", "old", "-o", "x.wrapper.json"])
                .ended(0, "");
            let fine = report(&place, "x.wrapper.json", &["same.html"]);
            assert_eq!(fine["fine"], true, "{name}, {rows} rows: {fine}");
            let found = report(&place, "x.wrapper.json", &["new.html"]);
            assert_eq!(found["fine"], false, "{name}, {rows} rows: {found}");
            let reasons = found["tables"][0]["fields"][0]["reasons"].to_string();
            assert!(
                reasons.contains("the two were swapped"),
                "{name}, {rows} rows: {reasons}"
            );
        }
    }
}

#[test]
fn a_field_that_was_never_found_is_told() {
    let place = Place::new();
    place
        .write("f.oxp", FILMS)
        .write("one.html", film(1, false))
        .write("two.html", film(2, false));
    place
        .run(&[
            "learn",
            "--oxpath",
            "f.oxp",
            "one.html",
            "two.html",
            "-o",
            "f.wrapper.json",
        ])
        .ended(0, "`price` was found on none of the pages");
    let words = place.run(&["check", "f.wrapper.json", "one.html"]).ended(0, "").out;
    assert!(words.contains("? price"), "{words}");
    assert!(
        words.contains("it was never found: none of 2 known records has it"),
        "{words}"
    );
}

#[test]
fn watch_counts_a_page_once() {
    let place = Place::new();
    place
        .write("f.oxp", FILMS)
        .write("saved/1.html", film(1, true))
        .write("saved/2.html", film(2, true));
    place
        .run(&["learn", "--oxpath", "f.oxp", "saved/1.html", "-o", "f.wrapper.json"])
        .ended(0, "");
    for _ in 0..3 {
        place
            .run(&["watch", "f.wrapper.json", "--pages", "saved"])
            .ended(0, "2 pages, 2 records: fine");
        assert_eq!(place.json("f.wrapper.json")["evidence"]["profiles"][0]["pages"], 2);
    }
}

#[test]
fn watch_says_how_many_pages_it_looks_at() {
    let place = Place::new();
    place.write("f.oxp", FILMS);
    for number in 0..7 {
        place.write(&format!("saved/{number}.html"), film(number, true));
    }
    place
        .run(&["learn", "--oxpath", "f.oxp", "saved", "-o", "f.wrapper.json"])
        .ended(0, "");
    let watch = |sample: &str| place.run(&["watch", "f.wrapper.json", "--pages", "saved", "--sample", sample]);
    let ran = watch("5").ended(0, "looks at 5 of 7 pages, an even sample; --sample 7 looks at all\n");
    assert!(ran.words.ends_with("5 pages, 5 records: fine\n"), "{}", ran.words);
    let ran = watch("7").ended(0, "7 pages, 7 records: fine\n");
    assert!(!ran.words.contains("sample"), "{}", ran.words);
}

//! Labels that a redesign puts after their values, or something between the two.

use crate::recover::recover_together;
use crate::*;
use learn::guided::{Lesson, Wanted};
use page::Page;

fn page(html: &str) -> Page {
    Page::parse_str(html, &Default::default()).expect("a page")
}

/// Pages before a redesign, by their numbers: a director and a writer.
const PEOPLE: [(&str, &str); 10] = [
    ("Ann Lee", "Kit Bell"),
    ("Bo Chan", "Lou Dean"),
    ("Cid Moss", "Max Orr"),
    ("Dora Fox", "Nan West"),
    ("Ed Stone", "Oz Finn"),
    ("Flo Hart", "Pip Rowe"),
    ("Gus Wood", "Quin Day"),
    ("Hal Reed", "Ray Cole"),
    ("Ida Lane", "Sam Voss"),
    ("Jo Park", "Ted Ames"),
];
/// Texts that are on one page each.
const ADVERTS: [&str; 4] = [
    "boots for half the price today",
    "win a week at the sea",
    "new phones are here",
    "learn to sail in May",
];

/// What is found on four pages after a redesign, of which the number says which people and which advert it has.
fn found(after: impl Fn(&str, &str, &str) -> String) -> Vec<Recovered> {
    let old = |(director, writer): &(&str, &str)| {
        page(&format!(
            "<table><tr><td>Director:</td><td>{director}</td></tr><tr><td>Writer:</td><td>{writer}</td></tr></table>"
        ))
    };
    let pages: Vec<Page> = PEOPLE[..6].iter().map(old).collect();
    let value = |text: &str| vec![text.to_owned()];
    let lessons: Vec<Lesson<'_>> = pages
        .iter()
        .zip(&PEOPLE)
        .map(|(page, (director, writer))| Lesson {
            name: "before",
            page,
            records: vec![vec![value(director), value(writer)]],
        })
        .collect();
    let wanted = ["director", "writer"].map(|name| Wanted {
        name: name.to_owned(),
        many: false,
    });
    let profile = gather(&wanted, &lessons);
    let new = PEOPLE[6..].iter().zip(ADVERTS);
    let new: Vec<Page> = new
        .map(|((director, writer), advert)| page(&after(director, writer, advert)))
        .collect();
    let new: Vec<&Page> = new.iter().collect();
    recover_together(&new, &wanted, &profile, None, &mut |_| true).expect("not stopped")
}

fn check(found: &[Recovered]) {
    for (page, (director, writer)) in found.iter().zip(&PEOPLE[6..]) {
        assert_eq!(
            page.records,
            [vec![vec![director.to_string()], vec![writer.to_string()]]]
        );
    }
}

#[test]
fn a_label_may_be_after_its_value() {
    let found = found(|director, writer, _| {
        format!(
            "<div><div><p>{director}</p><p>Director:</p></div><div><p>{writer}</p><p>Writer:</p></div>\
             <div><p>1999</p><p>Year:</p></div></div>"
        )
    });
    check(&found);
}

#[test]
fn an_advert_between_label_and_value_is_no_value() {
    let found = found(|director, writer, advert| {
        format!(
            "<p><b>Director:</b> <a href=/go>{advert}</a> <i>{director}</i></p><p><b>Writer:</b> <a href=/go>{advert}, too</a> \
             <i>{writer}</i></p>"
        )
    });
    check(&found);
}

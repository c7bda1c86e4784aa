//! The paper's running example, the swap of two prices, and pages without anything.

use super::*;
use crate::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use wrapper::rule::guided::GuidedRun;

fn page(html: &str) -> Page {
    Page::parse(html.as_bytes(), &page::Settings::default()).expect("a page")
}

fn wanted(names: &[&str]) -> Vec<Wanted> {
    let want = |name: &&str| Wanted {
        name: (*name).to_owned(),
        many: false,
    };
    names.iter().map(want).collect()
}

fn records(rows: &[&[&str]]) -> Vec<Vec<Vec<String>>> {
    rows.iter()
        .map(|row| row.iter().map(|value| vec![(*value).to_owned()]).collect())
        .collect()
}

const FIELDS: [&str; 5] = ["Name", "Director", "Actors", "VHSPrice", "DVDPrice"];

/// Figure 2(a), with a second video, because one alone shows no list.
const BEFORE: &str = "<table><tr><td><b><a href=/1>May Morning</a></b> (1972) directed by <i>Ugo Liberatore</i><br>\
  <b>Featuring</b>: <i>Jane Birkin; John Steiner; Rosella Falk</i>\
  <ul><li><b>DVD</b> - <span>$15.38</span><li><b>VHS</b> - <span>$14.98</span></ul></td></tr>\
  <tr><td><b><a href=/2>Red Desert</a></b> (1964) directed by <i>Carlo Giorgi</i><br>\
  <b>Featuring</b>: <i>Monica Vitti; Richard Harris</i>\
  <ul><li><b>DVD</b> - <span>$19.99</span><li><b>VHS</b> - <span>$12.50</span></ul></td></tr></table>";

/// Figure 2(b).
const AFTER: &str = "<p>Results</p>\
  <table class=v><tr><td><img src=x></td><td><span><b><a href=/3>Lucky Day</a></b> (2002)</span> DVD from <em>$13.59</em> VHS from <em>$8.99</em>\
  <span><b>Directed by:</b> <u>Penelope Buitenhuis</u></span><span><b>Featuring:</b> <u>Amanda Donohoe, Tony Lo Bianco, Andrew Gillies</u></span></td></tr></table>\
  <table class=v><tr><td><img src=y></td><td><span><b><a href=/4>Green Card</a></b> (1990)</span> DVD from <em>$10.00</em> VHS from <em>$7.25</em>\
  <span><b>Directed by:</b> <u>Peter Weir</u></span><span><b>Featuring:</b> <u>Gerard Depardieu, Andie MacDowell</u></span></td></tr></table>";

fn before() -> (Page, Vec<Vec<Vec<String>>>) {
    let rows = records(&[
        &[
            "May Morning",
            "Ugo Liberatore",
            "Jane Birkin; John Steiner; Rosella Falk",
            "$14.98",
            "$15.38",
        ],
        &[
            "Red Desert",
            "Carlo Giorgi",
            "Monica Vitti; Richard Harris",
            "$12.50",
            "$19.99",
        ],
    ]);
    (page(BEFORE), rows)
}

#[test]
fn the_features_of_the_running_example() {
    let (page, rows) = before();
    let lesson = Lesson {
        name: "a",
        page: &page,
        records: rows,
    };
    let profile = gather(&wanted(&FIELDS), &[lesson]);
    let seen: Vec<(bool, Option<&str>)> = profile
        .fields
        .iter()
        .map(|field| (field.link_share() > 0.5, field.label()))
        .collect();
    // Tables 1 and 2: hyperlink and annotation of each element.
    assert_eq!(
        seen,
        [
            (true, None),
            (false, profile.fields[1].label()),
            (false, Some("Featuring")),
            (false, Some("VHS")),
            (false, Some("DVD")),
        ]
    );
    assert!(
        profile.fields[1]
            .labels
            .keys()
            .all(|label| label.ends_with("directed by"))
    );
    assert_eq!(profile.fields[4].pattern(), r"\$[0-9]{2}\.[0-9]{2}");
    assert_eq!(profile.fields[0].pattern(), "[A-Z][a-z]+( [A-Z][a-z]+)+");
}

#[test]
fn the_running_example_is_mended() {
    let (old, rows) = before();
    let wanted = wanted(&FIELDS);
    let lesson = Lesson {
        name: "a",
        page: &old,
        records: rows,
    };
    let taught = learn_guided(&wanted, std::slice::from_ref(&lesson), true).expect("a rule");
    let profile = gather(&wanted, &[lesson]);
    let new = page(AFTER);
    let run = GuidedRun::new(&taught.rule).expect("a rule");
    assert!(run.page(&new).is_empty(), "the old rule finds nothing");
    let found = recover(&new, &wanted, &profile, true);
    let expected = records(&[
        &[
            "Lucky Day",
            "Penelope Buitenhuis",
            "Amanda Donohoe, Tony Lo Bianco, Andrew Gillies",
            "$8.99",
            "$13.59",
        ],
        &[
            "Green Card",
            "Peter Weir",
            "Gerard Depardieu, Andie MacDowell",
            "$7.25",
            "$10.00",
        ],
    ]);
    assert_eq!(found.records, expected);
    let lesson = Lesson {
        name: "b",
        page: &new,
        records: found.records,
    };
    let again = learn_guided(&wanted, &[lesson], true).expect("a rule");
    let values: Vec<Vec<Vec<String>>> = GuidedRun::new(&again.rule)
        .expect("a rule")
        .page(&new)
        .into_iter()
        .map(|record| record.values.into_iter().map(|value| vec![value.text]).collect())
        .collect();
    assert_eq!(values, expected);
}

/// Section 5: nothing but the headings tells that two columns were swapped.
#[test]
fn swapped_prices_are_noticed() {
    let table = |heads: [&str; 2], swap: bool| -> Page {
        let rows: String = (0..12)
            .map(|n| {
                let (list, our) = (format!("${}.00", 29 + n), format!("${}.00", 23 + n));
                let (one, two) = if swap { (our, list) } else { (list, our) };
                format!("<tr><td>Book Number{n}</td><td>{one}</td><td>{two}</td></tr>")
            })
            .collect();
        page(&format!(
            "<table><tr><th>Title</th><th>{}</th><th>{}</th></tr>{rows}</table>",
            heads[0], heads[1]
        ))
    };
    let wanted = wanted(&["title", "list", "our"]);
    let old = table(["List Price", "Our Price"], false);
    let rows: Vec<Vec<Vec<String>>> = (0..12)
        .map(|n| {
            vec![
                vec![format!("Book Number{n}")],
                vec![format!("${}.00", 29 + n)],
                vec![format!("${}.00", 23 + n)],
            ]
        })
        .collect();
    let lesson = Lesson {
        name: "a",
        page: &old,
        records: rows,
    };
    let rule = learn_guided(&wanted, std::slice::from_ref(&lesson), true)
        .expect("a rule")
        .rule;
    let profile = gather(&wanted, &[lesson]);
    let run = GuidedRun::new(&rule).expect("a rule");
    let verdict = |page: &Page| {
        let records = run.page(page).into_iter().map(|record| {
            let mut fields = vec![Vec::new(); 3];
            record
                .values
                .into_iter()
                .for_each(|value| fields[value.field].push(value.text));
            fields
        });
        let lesson = Lesson {
            name: "b",
            page,
            records: records.collect(),
        };
        check(&wanted, &profile, &gather(&wanted, &[lesson]))
    };
    let same = verdict(&old);
    assert_eq!(same.verdict, Verdict::Fine, "{same:?}");
    let swapped = verdict(&table(["Our Price", "List Price"], true));
    assert_eq!(swapped.verdict, Verdict::Changed);
    assert!(swapped.fields[1].reasons[0].contains("List Price"), "{swapped:?}");
}

#[test]
fn a_page_without_anything_gives_nothing() {
    let (old, rows) = before();
    let wanted = wanted(&FIELDS);
    let profile = gather(
        &wanted,
        &[Lesson {
            name: "a",
            page: &old,
            records: rows,
        }],
    );
    for html in ["", "<p>gone</p>", "<table><tr><td></table>"] {
        let found = recover(&page(html), &wanted, &profile, true);
        assert!(
            found.records.iter().flatten().flatten().count() <= 1,
            "{html}: {found:?}"
        );
    }
}

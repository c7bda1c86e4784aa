//! Two fields that nothing but their order tells apart after a redesign: a repair must not claim to know which is which.

use learn::guided::{Lesson, Wanted, learn_guided, record_type};
use page::{Document, Job, Limits, Page};
use tend::{repair, repair_at_least};
use wrapper::{Rule, Wrapper};

const BEFORE: [[&str; 3]; 5] = [
    ["May Morning", "15.38", "14.98"],
    ["Blow Up", "12.10", "9.98"],
    ["Wonderwall", "22.00", "11.50"],
    ["Kaleidoscope", "10.40", "17.25"],
    ["Bedazzled", "13.60", "18.20"],
];
const AFTER: [[&str; 3]; 5] = [
    ["Performance", "11.20", "14.10"],
    ["Darling", "19.90", "12.75"],
    ["The Knack", "16.30", "10.80"],
    ["Georgy Girl", "12.95", "13.40"],
    ["Smashing Time", "18.05", "9.60"],
];

fn document(name: &str, html: &str) -> Document {
    Document::new(name, Page::parse_str(html, &Limits::default()).expect("a page"))
}

fn table(rows: &[[&str; 3]], first: &str, second: &str) -> Document {
    let row = |[name, dvd, vhs]: &[&str; 3]| {
        format!(
            "<tr><td><b>{name}</b><ul><li><i>{first}</i> <em>{dvd}</em></li><li><i>{second}</i> <em>{vhs}</em></li></ul></td></tr>"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    document("before.html", &format!("<h2>Videos</h2><table>{rows}</table>"))
}

fn divs(rows: &[[&str; 3]], first: &str, second: &str) -> Document {
    let row = |[name, dvd, vhs]: &[&str; 3]| {
        format!(
            "<div class=v><h3>{name}</h3><p><span>{second}</span> <strong>{vhs}</strong></p><p><span>{first}</span> <strong>{dvd}</strong></p></div>"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    document("after.html", &format!("<h2>Films</h2><section>{rows}</section>"))
}

fn wrapper() -> Wrapper {
    let wanted: Vec<Wanted> = ["name", "dvd", "vhs"]
        .map(|name| Wanted {
            name: name.to_owned(),
            many: false,
        })
        .into();
    let before = table(&BEFORE, "DVD", "VHS");
    let record = |row: &[&str; 3]| row.iter().map(|text| vec![(*text).to_owned()]).collect();
    let lesson = Lesson {
        name: "before.html",
        page: &before.page,
        records: BEFORE.iter().map(record).collect(),
    };
    let rule = learn_guided(&wanted, &[lesson], true, &Job::new())
        .expect("a rule")
        .rule;
    Wrapper::made(Rule::Paths(rule), record_type("video", &wanted), None, &[before]).expect("a wrapper")
}

#[test]
fn fields_that_only_their_order_tells_apart_are_left_out() {
    let old = wrapper();
    let after = [divs(&AFTER, "Disc", "Tape")];
    let found = repair(&old, &after, &Job::new()).expect("a repair");
    for field in &found.fields[1..] {
        assert!(
            field.sure < 0.3,
            "{} is {:.2} sure: {:?}",
            field.name,
            field.sure,
            field.after
        );
    }
    let repaired = repair_at_least(&old, &after, 0.3, &Job::new()).expect("a repair");
    let out: Vec<bool> = repaired.fields.iter().map(|field| field.left_out).collect();
    assert_eq!(out, [false, true, true]);
    assert!(!repaired.is_whole());
    let records = repaired.wrapper.extract(&after[0]).expect("records");
    assert_eq!(records.len(), AFTER.len());
    assert_eq!(records[1].get("name"), Some("Darling"));
    assert_eq!((records[1].get("dvd"), records[1].get("vhs")), (None, None));
}

#[test]
fn labels_that_stay_tell_them_apart() {
    let old = wrapper();
    let after = [divs(&AFTER, "DVD", "VHS")];
    let repaired = repair_at_least(&old, &after, 0.3, &Job::new()).expect("a repair");
    assert!(repaired.is_whole(), "{:?}", repaired.fields);
    let records = repaired.wrapper.extract(&after[0]).expect("records");
    assert_eq!(
        (records[1].get("dvd"), records[1].get("vhs")),
        (Some("19.90"), Some("12.75"))
    );
}

#[test]
fn prices_of_each_others_size_are_not_taken_though_their_classes_stay() {
    let film = |at: usize| {
        let price = |from: usize| format!("{}.{:02}", from + at * 7 % 20, at * 13 % 90 + 10);
        [
            format!("Film number {at} of the {} year", ["first", "last"][at % 2]),
            price(50),
            price(10),
        ]
    };
    let page = |films: &[[String; 3]]| {
        let row = |[name, list, own]: &[String; 3]| {
            format!("<li><b>{name}</b> <i class=list>{list}</i> <em class=own>{own}</em></li>")
        };
        document(
            "films.html",
            &format!("<ul>{}</ul>", films.iter().map(row).collect::<String>()),
        )
    };
    let known: Vec<[String; 3]> = (0..12).map(film).collect();
    let wanted: Vec<Wanted> = ["name", "list", "own"]
        .map(|name| Wanted {
            name: name.to_owned(),
            many: false,
        })
        .into();
    let before = page(&known);
    let lesson = Lesson {
        name: "before.html",
        page: &before.page,
        records: known
            .iter()
            .map(|row| row.iter().map(|text| vec![text.clone()]).collect())
            .collect(),
    };
    let rule = learn_guided(&wanted, &[lesson], true, &Job::new())
        .expect("a rule")
        .rule;
    let old = Wrapper::made(Rule::Paths(rule), record_type("film", &wanted), None, &[before]).expect("a wrapper");
    let swapped: Vec<[String; 3]> = (20..32)
        .map(|at| {
            let [name, list, own] = film(at);
            [name, own, list]
        })
        .collect();
    let after = [page(&swapped)];
    let repaired = repair_at_least(&old, &after, tend::ENOUGH, &Job::new()).expect("a repair");
    let out: Vec<bool> = repaired.fields.iter().map(|field| field.left_out).collect();
    assert_eq!(out, [false, true, true], "{:?}", repaired.fields);
}

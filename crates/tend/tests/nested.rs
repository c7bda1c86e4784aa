//! Lists inside of records that the old rule still gives stay as they are, whatever has changed around them.

use learn::exalg;
use page::{Document, Job, Limits, Page};
use tend::{ENOUGH, compare, repair_at_least};
use wrapper::rule::template;
use wrapper::{Rule, Wrapper};

const PLANTS: [&str; 6] = ["Foxglove", "Yarrow", "Mugwort", "Betony", "Tansy", "Hyssop"];
const PLACES: [&str; 5] = [
    "Under the hedge",
    "Along the wall",
    "Beside the pond",
    "On the bank",
    "By the gate",
];

fn name(at: usize) -> String {
    format!(
        "{} {}",
        ["Great", "Common", "Dwarf", "Marsh"][at / 6 % 4],
        PLANTS[at % 6]
    )
}

/// The places of a plant, each with a number of days.
fn places(at: usize) -> Vec<(String, String)> {
    let place = |k: usize| {
        (
            PLACES[(at + k * 2) % 5].to_owned(),
            format!("{}", 4 + (at * 7 + k * 11) % 40),
        )
    };
    (0..2 + at % 3).map(place).collect()
}

fn html(at: usize, labels: [&str; 2]) -> String {
    let places: String = places(at)
        .iter()
        .map(|(place, days)| format!("<li>{place} after {days} days.</li>"))
        .collect();
    format!(
        "<html><head><title>Herbs</title></head><body><h1>Herbs</h1><h2 class=t>{}</h2>\
         <ul class=m><li><b>{}:</b> {} cm</li><li><b>{}:</b> {} weeks</li></ul>\
         <h3>Where</h3><ol>{places}</ol><p>Ask us at the desk</p></body></html>",
        name(at),
        labels[0],
        30 + at * 7 % 60,
        labels[1],
        3 + at * 5 % 17
    )
}

fn document(at: usize, labels: [&str; 2]) -> Document {
    let page = Page::parse_str(&html(at, labels), &Limits::default()).expect("a page");
    Document::new(format!("{at}.html"), page)
}

#[test]
fn a_list_that_works_as_it_did_stays() {
    let before: Vec<Document> = (0..12).map(|at| document(at, ["Height", "Flowers"])).collect();
    let pages: Vec<&Page> = before.iter().map(|document| &*document.page).collect();
    let rule = exalg::infer(&pages, &exalg::TemplateSettings::default(), &Job::new())
        .expect("a template")
        .template;
    let record_type = template::record_type(&rule, "record");
    let wrapper = Wrapper::made(Rule::Template(rule), record_type, None, &before).expect("a wrapper");
    let after: Vec<Document> = [1, 3, 5, 14, 16, 18, 20, 22]
        .map(|at| document(at, ["Size", "In flower"]))
        .into();
    let report = compare(&wrapper, wrapper.observe(&after).expect("a rule")).expect("profiles");
    let list = report
        .tables
        .iter()
        .position(|table| table.table.parent.is_some())
        .expect("a list");
    assert!(!report.is_fine() && report.tables[list].alarm.reasons.is_empty());
    let repair = repair_at_least(&wrapper, &after, ENOUGH, &Job::new()).expect("a repair");
    let given = |wrapper: &Wrapper, document: &Document| {
        let rows = wrapper.runner().expect("a rule").rows(document);
        let tables = wrapper.record_type.tables();
        let nested = tables
            .iter()
            .position(|table| table.path == report.tables[list].table.path);
        nested.map(|at| rows[at].clone()).unwrap_or_default()
    };
    for document in &after {
        assert_eq!(
            given(&repair.wrapper, document),
            given(&wrapper, document),
            "{:?}",
            repair.fields
        );
    }
}

//! Lists that have something of the same make beside them: a second list, rows of another class, a second date. What a repair takes must be what was read, or the
//! repair must not be sure of it.

mod sites;

use page::{Document, Job};
use record::RecordType;
use sites::{document, learned};
use tend::{ENOUGH, Repair, compare, repair_at_least};
use wrapper::rule::paths::{PathField, Paths, Way};
use wrapper::{Rule, Wrapper};

/// The values of a record: a name and a date.
type Record = [String; 2];

/// A wrapper that tells the list by the `id` of its table.
fn by_id(id: &str, pages: &[String]) -> Wrapper {
    let way = |path: &str| Way {
        path: path.to_owned(),
        ..Way::default()
    };
    let field = |path: &str| PathField {
        many: false,
        ways: vec![way(path)],
    };
    let rule = Paths {
        each: vec![format!("//table[@id='{id}']//tr")],
        fields: vec![field("td[1]"), field("td[2]")],
        inner: Vec::new(),
    };
    let documents: Vec<Document> = (0..).zip(pages).map(|(at, html)| document(at, html)).collect();
    let schema = RecordType::flat("record", ["name", "date"]);
    Wrapper::made(Rule::Paths(rule), schema, None, &documents).expect("a wrapper")
}

fn repaired(wrapper: &Wrapper, pages: &[String]) -> Repair {
    let documents: Vec<Document> = (0..).zip(pages).map(|(at, html)| document(at, html)).collect();
    let now = wrapper.observe(&documents).expect("a rule that runs");
    assert!(
        !compare(wrapper, now).expect("profiles").is_fine(),
        "the change is told"
    );
    repair_at_least(wrapper, &documents, ENOUGH, &Job::new()).expect("a repair")
}

fn given(wrapper: &Wrapper, html: &str) -> Vec<(String, String)> {
    let get = |record: &record::Record, name: &str| record.get(name).unwrap_or_default().to_owned();
    let records = wrapper.extract(&document(0, html)).expect("records");
    let both = |record: &record::Record| (get(record, "name"), get(record, "date"));
    records.iter().map(both).collect()
}

const FIRST: [&str; 6] = ["Harbour", "Meadow", "Granite", "Willow", "Copper", "Summer"];
const SECOND: [&str; 5] = ["Council", "Committee", "Board", "Assembly", "Hearing"];

/// A record that no other number gives.
fn record(at: usize) -> Record {
    let name = format!(
        "{} {} {}",
        FIRST[at % 6],
        SECOND[at % 5],
        ["North", "South"][at / 30 % 2]
    );
    [name, format!("{}/{}/{}", 1 + at % 12, 10 + at % 19, 2017 + at / 60)]
}

/// A record with a name that no other one has.
fn session(at: usize) -> Record {
    let [_, date] = record(at);
    [
        format!("Session {at} of the {} {}", FIRST[at % 6], SECOND[at % 5]),
        date,
    ]
}

fn records(numbers: std::ops::Range<usize>) -> Vec<Record> {
    numbers.map(record).collect()
}

fn rows(records: &[Record]) -> String {
    let row = |[name, date]: &Record| format!("<tr><td>{name}</td><td>{date}</td></tr>");
    records.iter().map(row).collect()
}

fn two_lists(ids: [&str; 2], main: &[Record], other: &[Record]) -> String {
    let [first, second] = ids;
    format!(
        "<div><table id={first}>{}</table><table id={second}>{}</table></div>",
        rows(main),
        rows(other)
    )
}

#[test]
fn of_two_lists_the_one_whose_values_recur_is_the_right_one() {
    let (main, other) = (records(0..12), records(30..42));
    let wrapper = by_id("coming", &[two_lists(["coming", "past"], &main, &other)]);
    for is_first in [true, false] {
        let html = match is_first {
            true => two_lists(["x7", "x8"], &main, &other),
            false => two_lists(["x7", "x8"], &other, &main),
        };
        let repair = repaired(&wrapper, std::slice::from_ref(&html));
        let expected: Vec<(String, String)> = main.iter().cloned().map(Into::into).collect();
        assert_eq!(given(&repair.wrapper, &html), expected, "{:?}", repair.fields);
    }
}

#[test]
fn which_of_two_lists_is_right_is_not_guessed() {
    let page = |ids: [&str; 2], at: usize| two_lists(ids, &records(at..at + 12), &records(at + 30..at + 42));
    let old: Vec<String> = (0..3).map(|at| page(["coming", "past"], at * 60)).collect();
    let new: Vec<String> = (5..8).map(|at| page(["x7", "x8"], at * 60)).collect();
    let repair = repaired(&by_id("coming", &old), &new);
    assert!(
        repair.fields.iter().all(|field| field.sure < ENOUGH),
        "{:?}",
        repair.fields
    );
}

#[test]
fn a_list_that_came_where_the_right_one_was_is_not_taken_for_it() {
    let table = |class: &str, records: &[Record]| format!("<table class={class}>{}</table>", rows(records));
    let old: Vec<String> = (0..3)
        .map(|at| format!("<main>{}</main>", table("coming", &records(at * 60..at * 60 + 12))))
        .collect();
    let mut wrapper = by_id("coming", &old);
    let Rule::Paths(rule) = &mut wrapper.rule else {
        panic!("paths")
    };
    rule.each = vec!["/html/body/main/table[@class='coming'][1]/tbody/tr".to_owned()];
    let documents: Vec<Document> = (0..).zip(&old).map(|(at, html)| document(at, html)).collect();
    let wrapper = Wrapper::made(wrapper.rule, wrapper.record_type, None, &documents).expect("a wrapper");
    // Without their classes, the old paths lead to the archive.
    let new: Vec<String> = (5..8)
        .map(|at| {
            let (main, other) = (records(at * 60..at * 60 + 12), records(at * 60 + 30..at * 60 + 42));
            format!("<main>{}{}</main>", table("x7", &other), table("x7", &main))
        })
        .collect();
    let repair = repaired(&wrapper, &new);
    assert!(
        repair.fields.iter().all(|field| field.sure < ENOUGH),
        "{:?}",
        repair.fields
    );
}

#[test]
fn lists_of_very_different_lengths_do_not_tell_a_second_one() {
    let old: Vec<String> = [(0, 6), (60, 12), (120, 40)]
        .map(|(at, count)| {
            format!(
                "<main><table id=coming>{}</table></main>",
                rows(&records(at..at + count))
            )
        })
        .into();
    let table = |at: usize| {
        let all: Vec<Record> = (at..at + 8).map(session).collect();
        format!("<table class=x7>{}</table>", rows(&all))
    };
    let new = [format!(
        "<main><h3>Past</h3>{}<h3>Now</h3>{}</main>",
        table(330),
        table(300)
    )];
    let repair = repaired(&by_id("coming", &old), &new);
    assert!(
        repair.fields.iter().all(|field| field.sure < 0.9),
        "{:?}",
        repair.fields
    );
}

#[test]
fn pages_with_few_records_do_not_hide_a_second_list() {
    let old: Vec<String> = [(0, 2), (60, 7)]
        .map(|(at, count)| {
            let rows = rows(&records(at..at + count));
            format!("<main><table id=coming>{rows}</table></main>")
        })
        .into();
    let table = |at: usize| format!("<table class=x7>{}</table>", rows(&records(at..at + 8)));
    let new = [format!("<main>{}{}</main>", table(330), table(300))];
    let repair = repaired(&by_id("coming", &old), &new);
    assert!(
        repair.fields.iter().all(|field| field.sure < 0.9),
        "{:?}",
        repair.fields
    );
}

#[test]
fn of_two_lists_in_elements_of_their_own_none_is_sure() {
    let sessions = |from: usize| -> Vec<Record> { (from..from + 12).map(session).collect() };
    let old: Vec<String> = (0..3)
        .map(|at| {
            let rows = rows(&sessions(at * 60));
            format!("<main><table id=coming>{rows}</table></main>")
        })
        .collect();
    let new: Vec<String> = (5..8)
        .map(|at| {
            let table = |from: usize| format!("<table class=x7>{}</table>", rows(&sessions(from)));
            let (main, other) = (table(at * 60), table(at * 60 + 30));
            format!("<main><aside><div>{other}</div></aside><section>{main}</section></main>")
        })
        .collect();
    let repair = repaired(&by_id("coming", &old), &new);
    assert!(
        repair.fields.iter().all(|field| field.sure < ENOUGH),
        "{:?}",
        repair.fields
    );
    // Records that were there before tell which of them is meant.
    let known: Vec<String> = old
        .iter()
        .zip(5..)
        .map(|(old, at)| {
            let rows = rows(&sessions(at * 60));
            let main = old.replace("id=coming", "class=x7").replace("main", "section");
            format!("<main><aside><div><table class=x7>{rows}</table></div></aside>{main}</main>")
        })
        .collect();
    let repair = repaired(&by_id("coming", &old), &known);
    let expected: Vec<(String, String)> = sessions(0).into_iter().map(Into::into).collect();
    assert_eq!(given(&repair.wrapper, &known[0]), expected, "{:?}", repair.fields);
}

#[test]
fn a_list_that_has_grown_is_taken_as_a_whole() {
    let page = |tag: &str, parts: &[&[Record]]| {
        let part = |part: &&[Record]| {
            let row = |[name, date]: &Record| format!("<{tag}><b>{name}</b><i>{date}</i></{tag}>");
            format!("<section>{}</section>", part.iter().map(row).collect::<String>())
        };
        format!("<main>{}</main>", parts.iter().map(part).collect::<String>())
    };
    let (known, new) = (records(0..12), records(30..42));
    let wrapper = learned(
        &["name", "date"],
        &[(page("p", &[&known[..6], &known[6..]]), known.clone())],
        true,
    );
    // New records are a group of their own, and nothing of the kind was left aside before.
    let html = page("article", &[&new, &known]);
    let repair = repaired(&wrapper, std::slice::from_ref(&html));
    assert_eq!(given(&repair.wrapper, &html).len(), 24, "{:?}", repair.fields);
}

#[test]
fn rows_of_another_class_stay_out() {
    let page = |classes: [&str; 2], from: usize| {
        let row = |at: usize| {
            let [name, date] = record(from + at);
            let class = classes[usize::from(at % 3 == 2)];
            format!("<li class={class}><b>{name}</b><i>{date}</i></li>")
        };
        let main = (0..24).filter(|at| at % 3 != 2).map(|at| record(from + at)).collect();
        (format!("<ul>{}</ul>", (0..24).map(row).collect::<String>()), main)
    };
    let wrapper = learned(
        &["name", "date"],
        &[page(["entry", "note"], 0), page(["entry", "note"], 60)],
        true,
    );
    let (html, main): (String, Vec<Record>) = page(["kq", "vw"], 120);
    let repair = repaired(&wrapper, std::slice::from_ref(&html));
    let expected: Vec<(String, String)> = main.into_iter().map(Into::into).collect();
    assert_eq!(given(&repair.wrapper, &html), expected, "{:?}", repair.fields);
}

/// A page with a second date in each record, or without the first one.
fn two_dates(classes: [&str; 3], from: usize, has_both: bool) -> (String, Vec<Record>) {
    let row = |at: usize| {
        let ([name, date], [_, other]) = (record(from + at), record(from + at + 7));
        let [one, two, three] = classes;
        let first = format!("<td class={two}>{date}</td>");
        let first = if has_both { first.as_str() } else { "" };
        format!("<tr><td class={one}>{name}</td>{first}<td class={three}>{other}</td></tr>")
    };
    let html: String = (0..12).map(row).collect();
    (format!("<table>{html}</table>"), records(from..from + 12))
}

#[test]
fn of_two_dates_the_one_that_is_left_is_not_sure() {
    let old: Vec<_> = (0..3)
        .map(|at| two_dates(["name", "filed", "heard"], at * 60, true))
        .collect();
    let wrapper = learned(&["name", "date"], &old, true);
    let new: Vec<String> = (5..8).map(|at| two_dates(["a", "b", "c"], at * 60, false).0).collect();
    let repair = repaired(&wrapper, &new);
    let date = repair
        .fields
        .iter()
        .find(|field| field.name == "date")
        .expect("the field");
    assert!(date.left_out, "{:?}", repair.fields);
}

#[test]
fn records_that_are_known_by_their_names_keep_their_dates() {
    let (html, known) = two_dates(["name", "filed", "heard"], 0, true);
    let wrapper = learned(&["name", "date"], &[(html, known)], true);
    let repair = repaired(&wrapper, &[two_dates(["a", "b", "c"], 0, false).0]);
    let sure = |name: &str| {
        repair
            .fields
            .iter()
            .find(|field| field.name == name)
            .map_or(0.0, |field| field.sure)
    };
    assert!(sure("name") > 0.9, "{:?}", repair.fields);
    assert!(sure("date") < ENOUGH, "{:?}", repair.fields);
}

/// Only classes are new, and so are the words of the list: the old paths without classes lead to it, though another list says what the old one said.
#[test]
fn new_names_of_classes_do_not_lead_to_another_list() {
    let turned = |[name, date]: Record| {
        let word = |word: &str| format!("E{}", word.chars().rev().collect::<String>().to_lowercase());
        let words: Vec<String> = name.split(' ').map(word).collect();
        [words.join(" "), date]
    };
    let hits = |at: usize| -> Vec<Record> {
        let hits = records(at..at + 5);
        if at < 120 {
            hits
        } else {
            hits.into_iter().map(turned).collect()
        }
    };
    let page = |class: &str, at: usize| {
        let link = |[name, date]: &Record| format!("<a href=/{date}>{name}</a> <i>{date}</i>");
        let own: String = hits(at).iter().map(|one| format!("<p>{}</p>", link(one))).collect();
        let other = records(at + 30..at + 36);
        let other: String = other.iter().map(|one| format!("<li>{}</li>", link(one))).collect();
        format!("<div><div class=side><ul>{other}</ul></div><div class={class}>{own}</div></div>")
    };
    let rule = Paths {
        each: vec!["//div[@class='hits']/p".to_owned()],
        fields: ["a", "i"]
            .map(|path| PathField {
                many: false,
                ways: vec![Way {
                    path: path.to_owned(),
                    ..Way::default()
                }],
            })
            .to_vec(),
        inner: Vec::new(),
    };
    let old: Vec<Document> = (0..2).map(|at| document(at, &page("hits", at * 60))).collect();
    let schema = RecordType::flat("record", ["name", "date"]);
    let wrapper = Wrapper::made(Rule::Paths(rule), schema, None, &old).expect("a wrapper");
    let new: Vec<String> = (3..5).map(|at| page("x7", at * 60)).collect();
    let repair = repaired(&wrapper, &new);
    for (html, at) in new.iter().zip(3..) {
        let expected: Vec<(String, String)> = hits(at * 60).into_iter().map(Into::into).collect();
        assert_eq!(given(&repair.wrapper, html), expected, "{:?}", repair.fields);
    }
}

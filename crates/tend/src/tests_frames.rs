//! Values that a redesign puts words, bars or numbers around, lists that get a second one of the same make, and texts of the template.

use crate::recover::recover_together;
use crate::*;
use learn::guided::{Lesson, Wanted};
use page::{Document, Job, Page};
use record::RecordType;
use wrapper::rule::paths::{PathField, Paths, Way};
use wrapper::{Rule, Wrapper};

fn page(html: &str) -> Page {
    Page::parse_str(html, &Default::default()).expect("a page")
}

const NAMES: [&str; 12] = [
    "Ann Lee", "Bo Chan", "Cid Moss", "Dora Fox", "Ed Stone", "Flo Hart", "Gus Wood", "Hal Reed", "Ida Lane",
    "Jo Park", "Kit Bell", "Lou Dean",
];
const TITLES: [&str; 12] = [
    "The long road home",
    "A garden in winter",
    "Letters to nobody",
    "Seven quiet rooms",
    "On salt and water",
    "The last lighthouse",
    "Notes from a train",
    "How rivers remember",
    "Paper boats",
    "A house of cards",
    "Before the frost",
    "Songs without words",
];

fn wanted(fields: &[(&str, bool)]) -> Vec<Wanted> {
    let want = |(name, many): &(&str, bool)| Wanted {
        name: (*name).to_owned(),
        many: *many,
    };
    fields.iter().map(want).collect()
}

/// A list of titles and names, before and after a change of how its rows are written.
fn found(after: impl Fn(usize) -> String) -> Recovered {
    let rows: Vec<String> = (0..6)
        .map(|n| format!("<tr><td>{}</td><td>{}</td></tr>", TITLES[n], NAMES[n]))
        .collect();
    let old = page(&format!("<table>{}</table>", rows.concat()));
    let value = |text: &str| vec![text.to_owned()];
    let lesson = Lesson {
        name: "before",
        page: &old,
        records: (0..6).map(|n| vec![value(TITLES[n]), value(NAMES[n])]).collect(),
    };
    let wanted = wanted(&[("title", false), ("author", false)]);
    let profile = gather(&wanted, &[lesson]);
    let new: Vec<String> = (6..12).map(after).collect();
    recover(
        &page(&format!("<main>{}</main>", new.concat())),
        &wanted,
        &profile,
        true,
    )
}

#[test]
fn words_and_bars_of_the_template_are_no_part_of_values() {
    let check = |found: Recovered| {
        let authors: Vec<&String> = found.records.iter().flat_map(|row| &row[1]).collect();
        assert_eq!(authors, NAMES[6..].iter().collect::<Vec<_>>());
    };
    check(found(|n| {
        format!("<article><h3>{}</h3><p>by {}</p></article>", TITLES[n], NAMES[n])
    }));
    check(found(|n| {
        format!("<article><h3>{}</h3><p>2019 | {}</p></article>", TITLES[n], NAMES[n])
    }));
    check(found(|n| {
        format!("<article><h3>{}</h3><p>{} wrote</p></article>", TITLES[n], NAMES[n])
    }));
    // Words that known values might have as well stay.
    let same = found(|n| format!("<article><h3>{}</h3><p>Sir {}</p></article>", TITLES[n], NAMES[n]));
    assert_eq!(same.records[0][1], ["Sir Gus Wood"]);
}

#[test]
fn a_part_of_a_text_that_all_pages_have_is_no_value() {
    let phone = |n: usize| format!("(84{n}) 398-40{n}0");
    let old = |n: usize| {
        let html = format!(
            "<h1>{}</h1><table><tr><th>General:</th><td>{}</td></tr></table><div>Call (202) 502-7300</div>",
            TITLES[n],
            phone(n)
        );
        page(&html)
    };
    let before: Vec<Page> = (0..6).map(old).collect();
    let value = |text: String| vec![text];
    let lessons = before.iter().enumerate().map(|(n, page)| Lesson {
        name: "before",
        page,
        records: vec![vec![value(TITLES[n].to_owned()), value(phone(n))]],
    });
    let wanted = wanted(&[("title", false), ("phone", false)]);
    let profile = gather(&wanted, &lessons.collect::<Vec<_>>());
    let new = |n: usize| {
        let html = format!(
            "<h1>{}</h1><p>General: Call (202) 502-7300</p><div><i>Ring</i></div><div><b>{}</b></div>",
            TITLES[n],
            phone(n)
        );
        page(&html)
    };
    let after: Vec<Page> = (6..10).map(new).collect();
    let pages: Vec<&Page> = after.iter().collect();
    let found = recover_together(&pages, &wanted, &profile, None, &mut |_| true).expect("not stopped");
    for (n, found) in found.iter().enumerate() {
        assert_eq!(found.records[0][1], [phone(n + 6)]);
    }
}

#[test]
fn numbers_before_steps_are_no_part_of_them() {
    let steps = |from: usize| -> Vec<String> { TITLES[from..from + 4].iter().map(|text| format!("{text}.")).collect() };
    let old = steps(0)
        .iter()
        .map(|text| format!("<li>{text}</li>"))
        .collect::<String>();
    let old = page(&format!("<h1>Cake</h1><ol>{old}</ol>"));
    let lesson = Lesson {
        name: "before",
        page: &old,
        records: vec![vec![steps(0)]],
    };
    let wanted = wanted(&[("step", true)]);
    let profile = gather(&wanted, &[lesson]);
    let found = |write: &dyn Fn(usize, &str) -> String| {
        let all: String = steps(4)
            .iter()
            .enumerate()
            .map(|(n, text)| write(n + 1, text))
            .collect();
        let found = recover(
            &page(&format!("<h1>Pie</h1><section>{all}</section>")),
            &wanted,
            &profile,
            false,
        );
        found.records[0][0].clone()
    };
    assert_eq!(
        found(&|n, text| format!("<div><b>Step {n}</b> <span>{text}</span></div>")),
        steps(4)
    );
    assert_eq!(
        found(&|n, text| format!("<div><p>{n}</p><p>{text}</p></div>")),
        steps(4)
    );
}

/// A wrapper for lists of titles and names with these pages known.
fn list_wrapper(pages: &[Document]) -> Wrapper {
    let path = |path: &str| PathField {
        many: false,
        ways: vec![Way {
            path: path.to_owned(),
            ..Way::default()
        }],
    };
    let rule = Paths {
        each: vec!["//li".to_owned()],
        fields: vec![path("./b"), path("./i")],
        inner: Vec::new(),
    };
    let record_type = RecordType::flat("book", ["title", "author"]);
    Wrapper::made(Rule::Paths(rule), record_type, None, pages).expect("a wrapper")
}

fn list(numbers: std::ops::Range<usize>) -> String {
    let rows: String = numbers
        .map(|n| format!("<li><b>{} {n}</b><i>{} {n}</i></li>", TITLES[n % 12], NAMES[n % 12]))
        .collect();
    format!("<ul>{rows}</ul>")
}

fn document(html: &str) -> Document {
    Document {
        name: "page".into(),
        url: None,
        page: page(html).into(),
        source: None,
    }
}

#[test]
fn a_second_list_of_the_same_make_is_noticed_and_doubted() {
    let known = [document(&list(0..12))];
    let wrapper = list_wrapper(&known);
    let is_fine = |html: &str| {
        let now = wrapper.observe(&[document(html)]).expect("it runs");
        compare(&wrapper, now).expect("it is known").is_fine()
    };
    assert!(is_fine(&list(20..44)), "a list has grown");
    assert!(
        is_fine(&format!("{}<h2>Old</h2>{}", list(20..26), list(30..36))),
        "as many records as ever"
    );
    let twice = format!("<h2>New</h2>{}<h2>Old</h2>{}", list(20..32), list(40..52));
    assert!(!is_fine(&twice));
    let repaired = repair(&wrapper, &[document(&twice)], &Job::new()).expect("a repair");
    assert!(repaired.sure() < ENOUGH, "{}", repaired.sure());
}

#[test]
fn far_fewer_records_are_told() {
    let known = [document(&list(0..12)), document(&list(0..12)), document(&list(0..12))];
    let wrapper = list_wrapper(&known);
    let row = |n: usize| format!("<tr><td>{} {n}</td><td>{} {n}</td></tr>", TITLES[n], NAMES[n]);
    let table = |count: usize| document(&format!("<table>{}</table>", (0..count).map(row).collect::<String>()));
    let repaired = |count: usize| repair(&wrapper, &[table(count)], &Job::new()).expect("a repair");
    let few = repaired(3);
    assert_eq!(few.fewer, Some((3, 12)));
    assert_eq!(
        few.notes
            .iter()
            .filter(|note| note.contains("3 records at most"))
            .count(),
        1
    );
    assert_eq!(repaired(12).fewer, None);
}

#[test]
fn rows_that_look_like_records_and_are_not_read_are_told() {
    let wrapper = list_wrapper(&[document(&list(0..12))]);
    let row = |n: usize, tag: &str| format!("<{tag}><b>{} {n}</b><i>{} {n}</i></{tag}>", TITLES[n], NAMES[n]);
    let page = |tags: [&str; 2]| {
        let rows: String = (0..12).map(|n| row(n, tags[n % 2])).collect();
        document(&format!("<main>{rows}</main>"))
    };
    let mut repaired = repair(&wrapper, &[page(["p", "p"])], &Job::new()).expect("a repair");
    assert_eq!(repaired.unread, None);
    // What its rule gives where every second row has another template.
    let half = repaired.wrapper.observe(&[page(["p", "section"])]).expect("it runs");
    assert_eq!(half[0].records, 6);
    repaired.wrapper.evidence.profiles = half;
    let half = crate::missing::counted(&wrapper, repaired);
    assert_eq!(half.unread, Some((6, 6)));
    assert!(
        half.notes.iter().any(|note| note.contains("6 parts of lists")),
        "{:?}",
        half.notes
    );
}

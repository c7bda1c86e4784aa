//! The paper's running example, the swap of two prices, and pages without anything.

use crate::*;
use learn::guided::{Lesson, Wanted, learn_guided};
use page::Page;
use wrapper::rule::paths::{Paths, PathsRun};

fn page(html: &str) -> Page {
    Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page")
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
    // Before a director stands the year, too, which is another one each time.
    let labels = |field: &wrapper::profile::FieldProfile| match field
        .labels
        .keys()
        .all(|label| label.ends_with("directed by"))
    {
        true if !field.labels.is_empty() => Some("directed by".to_owned()),
        _ => field.label().map(str::to_owned),
    };
    let seen: Vec<(bool, Option<String>)> = profile
        .fields
        .iter()
        .map(|field| (field.link_share() > 0.5, labels(field)))
        .collect();
    let seen: Vec<(bool, Option<&str>)> = seen.iter().map(|(link, label)| (*link, label.as_deref())).collect();
    // Tables 1 and 2: hyperlink and annotation of each element.
    assert_eq!(
        seen,
        [
            (true, None),
            (false, Some("directed by")),
            (false, Some("Featuring")),
            (false, Some("VHS")),
            (false, Some("DVD")),
        ]
    );
    assert_eq!(profile.fields[4].pattern(), r"\$[0-9]{2}\.[0-9]{2}");
    assert_eq!(profile.fields[0].pattern(), "[A-Z][a-z]+( [A-Z][a-z]+)+");
}

#[test]
fn the_running_example_is_repaired() {
    let (old, rows) = before();
    let wanted = wanted(&FIELDS);
    let lesson = Lesson {
        name: "a",
        page: &old,
        records: rows,
    };
    let taught = learn_guided(&wanted, std::slice::from_ref(&lesson), true, &page::Job::new()).expect("a rule");
    let profile = gather(&wanted, &[lesson]);
    let new = page(AFTER);
    let run = PathsRun::new(&taught.rule).expect("a rule");
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
    let again = learn_guided(&wanted, &[lesson], true, &page::Job::new()).expect("a rule");
    let values: Vec<Vec<Vec<String>>> = PathsRun::new(&again.rule)
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
    let rule = learn_guided(&wanted, std::slice::from_ref(&lesson), true, &page::Job::new())
        .expect("a rule")
        .rule;
    let profile = gather(&wanted, &[lesson]);
    // A rule by places, as it is learned where the headings say nothing.
    let mut placed = rule.clone();
    for field in &mut placed.fields {
        field.ways.retain(|way| !way.path.contains("ancestor::"));
        assert!(!field.ways.is_empty(), "{rule:?}");
    }
    let verdict = |rule: &Paths, page: &Page| {
        let run = PathsRun::new(rule).expect("a rule");
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
    let same = verdict(&placed, &old);
    assert_eq!(same.verdict, Verdict::Fine, "{same:?}");
    let exchanged = table(["Our Price", "List Price"], true);
    let swapped = verdict(&placed, &exchanged);
    assert_eq!(swapped.verdict, Verdict::Changed);
    assert!(swapped.fields[1].reasons[0].contains("List Price"), "{swapped:?}");
    // The rule that was learned goes by the headings: nothing is wrong.
    let followed = verdict(&rule, &exchanged);
    assert_eq!(followed.verdict, Verdict::Fine, "{followed:?}");
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

/// What is found on a new page with what was known of an old one.
fn found_again(
    fields: &[(&str, bool)],
    (old, rows): (&str, Vec<Vec<Vec<String>>>),
    new: &str,
    listed: bool,
) -> Recovered {
    let wanted: Vec<Wanted> = fields
        .iter()
        .map(|(name, many)| Wanted {
            name: (*name).to_owned(),
            many: *many,
        })
        .collect();
    let old = page(old);
    let lesson = Lesson {
        name: "a",
        page: &old,
        records: rows,
    };
    let profile = gather(&wanted, &[lesson]);
    recover(&page(new), &wanted, &profile, listed)
}

const CASES: [(&str, bool); 3] = [("docket", false), ("name", false), ("date", false)];

/// A list of cases as a table.
fn cases() -> (String, Vec<Vec<Vec<String>>>) {
    let rows: [&[&str]; 5] = [
        &["12-101", "Roe v. Carter", "May 3, 2016"],
        &["12-115", "Brown v. Board of Review", "May 3, 2016"],
        &["12-120", "In re Estate of Gault", "May 4, 2016"],
        &["12-131", "State v. Miller", "May 4, 2016"],
        &["12-140", "City of Rome v. Lopez", "May 4, 2016"],
    ];
    let cells = |row: &&[&str]| row.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>();
    let table: String = rows.iter().map(|row| format!("<tr>{}</tr>", cells(row))).collect();
    (format!("<table>{table}</table>"), records(&rows))
}

const NEW: [&[&str]; 4] = [
    &["15-220", "Adams v. Stone", "June 12, 2018"],
    &["15-227", "State v. Ortiz", "June 12, 2018"],
    &["15-231", "In re Estate of Wu", "June 13, 2018"],
    &["15-244", "Reed v. City of Troy", "June 14, 2018"],
];

/// A page of such cases, each made by a function of its number.
fn listing(before: &str, each: impl Fn(usize, &[&str]) -> String) -> String {
    let made: String = NEW.iter().enumerate().map(|(at, row)| each(at, row)).collect();
    format!(
        "<html><head><title>Opinions</title></head><body><ul><li><a href=/a>Home</a><li><a href=/b>Search all opinions</a>\
         <li><a href=/c>Opens in a new window</a></ul>{before}<div>{made}</div><p>Updated by the clerk</p></body></html>"
    )
}

#[test]
fn rows_of_two_classes_are_one_list() {
    let (old, rows) = cases();
    let new = listing("", |at, row| {
        let class = ["odd", "even"][at % 2];
        format!(
            "<section class={class}><b class={class}>{}</b><i class={class}>{}</i><u>{}</u></section>",
            row[1], row[0], row[2]
        )
    });
    let found = found_again(&CASES, (&old, rows), &new, true);
    assert_eq!(found.records, records(&NEW));
}

#[test]
fn records_may_be_runs_of_neighbours() {
    let (old, rows) = cases();
    let new = listing("", |_, row| {
        format!("<h3>{}</h3><p>Case No. {}</p><p>Filed {}</p>", row[1], row[0], row[2])
    });
    let found = found_again(&CASES, (&old, rows), &new, true);
    // The number and the date are parts of their texts.
    assert_eq!(found.records, records(&NEW));
}

#[test]
fn words_tell_which_column_is_meant() {
    let (old, rows) = cases();
    // The first text is as long as a name and written alike, but says other things.
    let courts = [
        "Third Circuit Panel of Appeal",
        "Fifth Circuit Bench of Trial",
        "Third Circuit Bench of Appeal",
        "Ninth Circuit Panel of Trial",
    ];
    let new = listing("", |at, row| {
        format!(
            "<section><b>{}</b><b>{}</b><b>{}</b><b>{}</b></section>",
            courts[at], row[1], row[2], row[0]
        )
    });
    let found = found_again(&CASES, (&old, rows), &new, true);
    assert_eq!(found.records, records(&NEW));
}

#[test]
fn a_heading_stands_for_the_records_below_it() {
    let (old, rows) = cases();
    let new = listing("", |at, row| {
        let heading = match at {
            0 => "<h2>Opinions of June 12, 2018</h2>",
            2 => "<h2>Opinions of June 19, 2018</h2>",
            _ => "",
        };
        format!("{heading}<section><b>{}</b><i>{}</i></section>", row[1], row[0])
    });
    let found = found_again(&CASES, (&old, rows), &new, true);
    let dates: Vec<&str> = found.records.iter().map(|record| record[2][0].as_str()).collect();
    assert_eq!(
        dates,
        ["June 12, 2018", "June 12, 2018", "June 19, 2018", "June 19, 2018"]
    );
}

#[test]
fn addresses_are_known_by_their_ends_and_their_attribute() {
    let old: String = (0..5)
        .map(|n| format!("<p><a href='View.asp?Id={}'>Case {n}</a></p>", 480 + n))
        .collect();
    let rows: Vec<Vec<Vec<String>>> = (0..5)
        .map(|n| vec![vec![format!("View.asp?Id={}", 480 + n)], vec![format!("Case {n}")]])
        .collect();
    let new: String = (0..4)
        .map(|n| {
            format!(
                "<li><img title='View of case {n}' src=/i/{n}.png><a href=/print/view/{n}>Print</a>\
                 <a href='http://court.test/apps/View.asp?Id={}'>Case {}</a></li>",
                530 + n,
                30 + n
            )
        })
        .collect();
    let found = found_again(&[("url", false), ("name", false)], (&old, rows), &new, true);
    let first: Vec<&str> = found.records[0].iter().map(|values| values[0].as_str()).collect();
    assert_eq!(first, ["http://court.test/apps/View.asp?Id=530", "Case 30"]);
    assert_eq!(found.records.len(), 4);
}

/// A recipe, and another one on a page where lists look alike and some items are in one span.
fn recipe() -> (String, Vec<Vec<Vec<String>>>) {
    let ingredients = ["2 cups flour", "1 cup sugar", "3 eggs", "salt and pepper"];
    let steps = [
        "Heat the oven to 350 degrees and butter a large pan.",
        "Mix the flour and the sugar, then add the eggs one by one.",
        "Bake for 30 minutes until golden.",
    ];
    let list = |texts: &[&str]| texts.iter().map(|text| format!("<p>{text}</p>")).collect::<String>();
    let html = format!(
        "<title>Plain Cake - Our Kitchen</title><h1>Plain Cake</h1><h4>Ingredients</h4><div>{}</div><h4>Steps</h4><div>{}</div>",
        list(&ingredients),
        list(&steps)
    );
    let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
    let record = vec![strings(&["Plain Cake"]), strings(&ingredients), strings(&steps)];
    (html, vec![record])
}

const RECIPE: [(&str, bool); 3] = [("title", false), ("ingredient", true), ("instruction", true)];

#[test]
fn lists_that_look_alike_are_told_apart() {
    let (old, rows) = recipe();
    let new = "<title>Lemon Bread | Our Kitchen</title><body><ul><li>Home<li>Breakfast<li>Videos<li>Contact us</ul>\
        <h2>Lemon Bread</h2><p>My aunt made this all summer long and we never tired of it.</p>\
        <h3>Ingredients</h3><ul><li><b>1</b> <i>cup</i> <u>sugar</u></li><li><b>4</b> <i>cups</i> <u>flour</u></li>\
        <li><u>lemon juice</u></li></ul><h3>Steps</h3><ul><li>Heat the oven to 375 degrees and oil a pan.</li>\
        <li>Mix the sugar and the flour, then add the juice.</li></ul>\
        <h3>Comments</h3><ul><li>So good, thank you for this!</li><li>We loved it.</li></ul>";
    let found = found_again(&RECIPE, (&old, rows), new, false);
    assert_eq!(found.records[0][0], ["Lemon Bread"]);
    assert_eq!(found.records[0][1], ["1 cup sugar", "4 cups flour", "lemon juice"]);
    assert_eq!(
        found.records[0][2],
        [
            "Heat the oven to 375 degrees and oil a pan.",
            "Mix the sugar and the flour, then add the juice."
        ]
    );
}

#[test]
fn what_is_known_again_is_surer_than_what_looks_alike() {
    let (old, rows) = recipe();
    let same = found_again(&RECIPE, (&old, rows.clone()), &old, false);
    assert_eq!(same.records, rows);
    assert!(same.sure.iter().all(|sure| *sure > 0.9), "{:?}", same.sure);
    let other = "<p>Imprint</p><p>Contact</p><p>Terms of use</p>";
    let found = found_again(&RECIPE, (&old, rows), other, false);
    assert!(found.sure.iter().all(|sure| *sure < 0.5), "{found:?}");
}

#[test]
fn hostile_pages_end() {
    let (old, rows) = recipe();
    let (list, listed) = cases();
    let pages = [
        "<div>".repeat(3000),
        format!("<ul>{}</ul>", "<li>x<b>1</b>".repeat(3000)),
        format!("<div>{}</div>", "<h3>a</h3><p>b</p>".repeat(3000)),
        format!("<title>{}</title>{}", "a ".repeat(20_000), "<p>a a a".repeat(1000)),
    ];
    for html in pages {
        let one = found_again(&RECIPE, (&old, rows.clone()), &html, false);
        let many = found_again(&CASES, (&list, listed.clone()), &html, true);
        assert_eq!((one.sure.len(), many.sure.len()), (3, 3));
        let values = one.records.iter().chain(&many.records).flatten().flatten();
        assert!(values.into_iter().all(|text| text.len() < 5000));
    }
}

/// A table of meetings: the name, the day and the hour of each, and a link to its packet.
fn meetings(class: &str, months: std::ops::Range<u32>, links: &[&str], below: &str) -> String {
    let row = |month: u32| {
        let link =
            |word: &&str| format!("<td class={class}{word}><a href=/f?u=/files/Meet-{word}-{month}7.pdf><img></a>");
        let links: String = links.iter().map(link).collect();
        format!(
            "<tr><td class={class}a>City Council<td class={class}b>{month}/12/2022<td class={class}c>6:00 PM{links}"
        )
    };
    let rows: String = months.map(row).collect();
    format!("<p>Meetings<table class={class}>{rows}</table>{below}")
}

const PAGER: &str = "<table><tr><td>&lt;&lt;<td>&lt;<td>1 2 3<td><a href=/?page=9>&gt;&gt;</a></table>";

/// What is found on the page `after` of meetings, whose packets were read on a page before.
fn found_meetings(after: &str) -> Recovered {
    let old = page(&meetings("x", 1..7, &["Packet", "Minutes"], PAGER));
    let row = |month: u32| {
        let values = [
            "City Council".to_owned(),
            format!("{month}/12/2022"),
            "6:00 PM".to_owned(),
            format!("/f?u=/files/Meet-Packet-{month}7.pdf"),
        ];
        values.map(|value| vec![value]).to_vec()
    };
    let wanted = wanted(&["title", "date", "time", "packet"]);
    let lesson = Lesson {
        name: "a",
        page: &old,
        records: (1..7).map(row).collect(),
    };
    let profile = gather(&wanted, &[lesson]);
    recover(&page(after), &wanted, &profile, true)
}

#[test]
fn a_pager_below_a_table_is_no_record() {
    let found = found_meetings(&meetings("y", 7..12, &["Packet", "Minutes"], PAGER));
    let days: Vec<&str> = found.records.iter().map(|record| record[1][0].as_str()).collect();
    assert_eq!(
        days,
        ["7/12/2022", "8/12/2022", "9/12/2022", "10/12/2022", "11/12/2022"]
    );
    assert!(found.records[0][3][0].contains("Packet"), "{found:?}");
}

#[test]
fn links_that_lead_elsewhere_are_not_taken_for_those_that_are_gone() {
    let sure = |links: &[&str]| found_meetings(&meetings("y", 7..12, links, "")).sure;
    let (both, gone) = (sure(&["Minutes", "Packet"]), sure(&["Minutes"]));
    assert!(both[3] > 0.6 && gone[3] < 0.34, "{both:?} {gone:?}");
    assert!(gone[1] > 0.6, "{gone:?}");
}

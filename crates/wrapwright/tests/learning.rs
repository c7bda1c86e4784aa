//! Learning from examples: values that are hard to place, fields that may be missing, and which learner is chosen.

use wrapwright::make::{Basis, Examples, LearnSettings, Made, Schema, learn};
use wrapwright::{Document, Job, ParseSettings, Wrapper};

fn page(name: &str, html: &str) -> Document {
    Document::from_source(name, html, &ParseSettings::default()).expect("a page")
}

/// Delimiters are tried first.
fn delimiters() -> LearnSettings {
    LearnSettings {
        delimiters: true,
        ..LearnSettings::default()
    }
}

fn learned(pages: &[Document], examples: &str, settings: &LearnSettings) -> Made {
    let examples = Examples::from_json("examples", examples).expect("examples");
    learn(pages, Basis::Examples(&examples), settings, &Job::new()).expect("a wrapper")
}

/// The records that a wrapper gives after it was saved and read: `name=value` for each field, by name.
fn read(made: &Made, page: &Document) -> Vec<String> {
    let wrapper = Wrapper::from_json(&made.wrapper.to_json()).expect("a wrapper");
    let records = wrapper.extract(page).expect("records");
    let line = |record: &wrapwright::record::Record| {
        let values = record.children.iter();
        let mut values: Vec<String> = values
            .map(|child| format!("{}={}", child.name, child.value.as_deref().unwrap_or_default()))
            .collect();
        values.sort();
        values.join(" ")
    };
    records.iter().map(line).collect()
}

fn rows(name: &str, rows: &[&str]) -> Document {
    page(
        name,
        &format!(
            "<html><body><h1>Shop</h1><table>{}</table></body></html>",
            rows.concat()
        ),
    )
}

#[test]
fn a_first_attribute_may_be_missing_also_from_the_first_record() {
    let known = rows(
        "a",
        &[
            "<tr><td><b>Acme</b></td><td><i>Lamp</i></td><td><u>$3</u></td></tr>",
            "<tr><td></td><td><i>Desk</i></td><td><u>$30</u></td></tr>",
            "<tr><td><b>Bolt</b></td><td><i>Chair</i></td><td></td></tr>",
            "<tr><td></td><td><i>Sofa</i></td><td><u>$90</u></td></tr>",
        ],
    );
    let examples = r#"{"a": [
        {"brand": "Acme", "name": "Lamp", "price": "$3"}, {"brand": null, "name": "Desk", "price": "$30"},
        {"brand": "Bolt", "name": "Chair", "price": null}, {"brand": null, "name": "Sofa", "price": "$90"}]}"#;
    let other = rows(
        "b",
        &[
            "<tr><td></td><td><i>Stool</i></td><td><u>$8</u></td></tr>",
            "<tr><td><b>Zed</b></td><td><i>Bench</i></td><td></td></tr>",
            "<tr><td></td><td><i>Shelf</i></td><td><u>$4</u></td></tr>",
        ],
    );
    let made = learned(&[known], examples, &delimiters());
    assert_eq!(
        read(&made, &other),
        ["name=Stool price=$8", "brand=Zed name=Bench", "name=Shelf price=$4"]
    );
}

#[test]
fn a_first_attribute_may_be_missing_with_its_element() {
    let known = rows(
        "a",
        &[
            "<tr><td><b>Acme</b> <i>Lamp</i> <u>$3</u></td></tr>",
            "<tr><td><i>Desk</i> <u>$30</u></td></tr>",
            "<tr><td><b>Bolt</b> <i>Chair</i> <u>$5</u></td></tr>",
        ],
    );
    let examples = r#"{"a": [
        {"brand": "Acme", "name": "Lamp", "price": "$3"}, {"brand": null, "name": "Desk", "price": "$30"},
        {"brand": "Bolt", "name": "Chair", "price": "$5"}]}"#;
    let other = rows(
        "b",
        &[
            "<tr><td><i>Stool</i> <u>$8</u></td></tr>",
            "<tr><td><b>Zed</b> <i>Bench</i> <u>$9</u></td></tr>",
        ],
    );
    let made = learned(&[known], examples, &delimiters());
    assert_eq!(
        read(&made, &other),
        ["name=Stool price=$8", "brand=Zed name=Bench price=$9"]
    );
}

#[test]
fn records_that_are_joined_are_told() {
    let known = page(
        "a",
        "<ul><li class=r><b>Kelp</b></li><li class=r><i>2</i></li><li class=r><b>Moss</b><i>3</i></li></ul>",
    );
    let examples = r#"{"a": [{"n": "Kelp", "c": null}, {"n": null, "c": "2"}, {"n": "Moss", "c": "3"}]}"#;
    let made = learned(std::slice::from_ref(&known), examples, &delimiters());
    assert!(!made.is_right);
    let warning = "a: records without their first fields are taken for the rest of the record before";
    assert_eq!(made.warnings, [warning]);
}

#[test]
fn a_value_may_be_visible_only_as_the_beginning_of_the_next() {
    let row = |id: &str, street: &str| format!("<p><a href=\"/case?id={id}\">{street}</a></p>");
    let known = page(
        "a",
        &(row("12", "12 Main St") + &row("7", "7 Elm St") + &row("31", "31 Oak St")),
    );
    let examples = r#"{"a": [{"id": "12", "street": "12 Main St"}, {"id": "7", "street": "7 Elm St"},
        {"id": "31", "street": "31 Oak St"}]}"#;
    let made = learned(&[known], examples, &delimiters());
    let other = page("b", &row("450", "9 Ash St"));
    assert_eq!(read(&made, &other), ["id=450 street=9 Ash St"]);
}

#[test]
fn repeated_values_are_placed_by_their_record() {
    let row = |a: &str, b: &str, c: &str| format!("<tr><td>{a}</td><td>x</td><td>{b}</td><td>{c}</td></tr>");
    let known = page(
        "a",
        &format!(
            "<p>1 of 2, x</p><table>{}</table><p>x 2 1</p>",
            row("1", "1", "2") + &row("2", "x", "1") + &row("x", "2", "x") + &row("1", "1", "1")
        ),
    );
    let examples = r#"{"a": [{"a": "1", "b": "1", "c": "2"}, {"a": "2", "b": "x", "c": "1"},
        {"a": "x", "b": "2", "c": "x"}, {"a": "1", "b": "1", "c": "1"}]}"#;
    let made = learned(&[known], examples, &delimiters());
    let other = page("b", &format!("<p>1 of 2, x</p><table>{}</table>", row("p", "q", "r")));
    assert_eq!(read(&made, &other), ["a=p b=q c=r"]);
}

#[test]
fn white_space_before_a_closing_tag_does_not_count() {
    let cell = |text: &str, space: &str| format!("<td>{text}{space}</td>");
    let row =
        |name: &str, one: &str, price: &str, other: &str| format!("<tr>{}{}</tr>", cell(name, one), cell(price, other));
    let known = page(
        "a",
        &format!(
            "<table>{}</table>",
            row("Kelp", "&nbsp;", "1", "") + &row("Moss", "", "2", "\n ") + &row("Fern", " &#160;", "3", "&#xa0;")
        ),
    );
    let examples = r#"{"a": [{"n": "Kelp", "c": "1"}, {"n": "Moss", "c": "2"}, {"n": "Fern", "c": "3"}]}"#;
    let made = learned(&[known], examples, &delimiters());
    let other = page(
        "b",
        &format!(
            "<table>{}</table>",
            row("Reed", "&#xA0;", "4", "&nbsp;&nbsp;") + &row("Oak", "", "5", "")
        ),
    );
    assert_eq!(read(&made, &other), ["c=4 n=Reed", "c=5 n=Oak"]);
}

#[test]
fn a_page_whose_values_cannot_be_placed_is_left_out() {
    let list = |name: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><b>{item}</b></li>")).collect();
        page(name, &format!("<ul>{items}</ul>"))
    };
    let pages = [list("a", &["Kelp", "Moss", "Fern"]), list("b", &["Reed", "Oak", "Ash"])];
    let examples =
        r#"{"a": [{"n": "Kelp"}, {"n": "Moss"}, {"n": "Fern"}], "b": [{"n": "Reed"}, {"n": "Elm"}, {"n": "Ash"}]}"#;
    let made = learned(&pages, examples, &delimiters());
    assert_eq!(
        made.warnings,
        ["b: record 2, `n` \"Elm\": the value is not on the page; the page is left out"]
    );
    assert_eq!(read(&made, &pages[1]), ["n=Reed", "n=Oak", "n=Ash"]);
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let known = page(
        "a",
        "<h2>Mon</h2><p><b>Kelp</b> <i>1</i></p><p><b>Moss</b> <i>2</i></p><h2>Tue</h2><p><b>Fern</b> <i>3</i></p>",
    );
    let examples = r#"{"a": [{"rows": [{"c": "1", "n": "Kelp"}, {"n": "Moss", "c": "2"}], "day": "Mon"},
        {"day": "Tue", "rows": [{"n": "Fern", "c": "3"}]}]}"#;
    let made = learned(&[known], examples, &delimiters());
    let other = page("b", "<h2>Fri</h2><p><b>Reed</b> <i>4</i></p>");
    let records = made.wrapper.extract(&other).expect("records");
    assert_eq!(records[0].get("day"), Some("Fri"));
    let row = records[0]
        .children
        .iter()
        .find(|child| child.name == "rows")
        .expect("a row");
    assert_eq!((row.get("n"), row.get("c")), (Some("Reed"), Some("4")));
}

#[test]
fn a_value_that_is_cut_inside_a_word_is_told() {
    let known = page("a", "<h1>May Morning</h1><p>Price: <b>12</b></p>");
    let made = learned(
        &[known],
        r#"{"a": [{"title": "May Mornin", "price": "12"}]}"#,
        &delimiters(),
    );
    let warning = "a: \"May Mornin\", which is given for `title`, is cut inside a word; did you mean \"May Morning\"?";
    assert_eq!(made.warnings, [warning]);
    // Where most values are parts of words, they are meant to be.
    let list = page(
        "a",
        "<ul><li><b>12kg</b></li><li><b>7kg</b></li><li><b>31kg</b></li></ul>",
    );
    let made = learned(
        &[list],
        r#"{"a": [{"n": "12"}, {"n": "7"}, {"n": "31"}]}"#,
        &delimiters(),
    );
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
}

#[test]
fn a_schema_with_one_list_takes_examples_as_it_writes_them() {
    let known = page(
        "a",
        "<ul><li><b>Kelp</b> <i>1</i></li><li><b>Moss</b> <i>2</i></li><li><b>Fern</b> <i>3</i></li></ul>",
    );
    let schema = r#"{"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object",
        "properties": {"n": {"type": "string"}, "c": {"type": "string"}}}}}}"#;
    let schema = Schema::parse("schema.json", schema).expect("a schema");
    let examples = r#"{"a": {"items": [{"n": "Kelp", "c": "1"}, {"n": "Moss", "c": "2"}]}}"#;
    let examples = Examples::from_json("examples", examples).expect("examples");
    let basis = Basis::Schema(&schema, &examples);
    let made = learn(
        std::slice::from_ref(&known),
        basis,
        &LearnSettings::default(),
        &Job::new(),
    )
    .expect("a wrapper");
    assert_eq!(read(&made, &known), ["c=1 n=Kelp", "c=2 n=Moss", "c=3 n=Fern"]);
}

#[test]
fn a_short_value_far_down_a_long_page_is_found() {
    let rows: Vec<(String, String)> = (0..700)
        .map(|row| (format!("22222222-{row}"), (row % 10).to_string()))
        .collect();
    let html: String = rows
        .iter()
        .map(|(name, count)| format!("<p><b>{name}</b> <i>{count}</i></p>"))
        .collect();
    let examples: Vec<String> = rows
        .iter()
        .map(|(name, count)| format!(r#"{{"n": "{name}", "c": "{count}"}}"#))
        .collect();
    let examples = format!(r#"{{"a": [{}]}}"#, examples.join(","));
    let page = page("a", &html);
    let made = learned(std::slice::from_ref(&page), &examples, &delimiters());
    // By delimiters, which need all places.
    assert!(!made.notes[0].starts_with("paths"), "{:?}", made.notes);
    assert_eq!(
        read(&made, &page).last().map(String::as_str),
        Some("c=9 n=22222222-699")
    );
}

#[test]
fn a_part_of_a_text_may_be_after_several_others() {
    let row =
        |size: &str, date: &str, time: &str| format!("<li><a>x</a> <i>size {size} bytes - {date} {time}</i></li>");
    let known = page(
        "a",
        &format!(
            "<ul>{}</ul>",
            row("6,828", "4/28/97", "5:38:56 PM") + &row("512", "12/1/96", "11:02:10 AM")
        ),
    );
    let examples = r#"{"a": [{"size": "6,828", "date": "4/28/97", "time": "5:38:56 PM"},
        {"size": "512", "date": "12/1/96", "time": "11:02:10 AM"}]}"#;
    let made = learned(&[known], examples, &LearnSettings::default());
    assert!(matches!(made.wrapper.rule, wrapwright::wrapper::Rule::Paths(_)));
    let other = page("b", &format!("<ul>{}</ul>", row("77", "1/9/98", "3:00:01 PM")));
    assert_eq!(read(&made, &other), ["date=1/9/98 size=77 time=3:00:01 PM"]);
}

#[test]
fn a_link_is_known_by_its_own_words() {
    let row = |name: &str, links: &[(&str, &str)]| {
        let links: String = links
            .iter()
            .map(|(text, to)| format!("<a href=\"{to}\">{text}</a> "))
            .collect();
        format!("<tr><td>{name}</td><td>{links}</td></tr>")
    };
    let known = page(
        "a",
        &format!(
            "<table>{}</table>",
            row("State v. Dean", &[("HTML", "1.htm"), ("PDF", "1.pdf")])
                + &row("Ex parte Poe", &[("HTML", "2.htm"), ("PDF", "2.pdf")])
        ),
    );
    let examples = r#"{"a": [{"name": "State v. Dean", "file": "1.pdf"}, {"name": "Ex parte Poe", "file": "2.pdf"}]}"#;
    let made = learned(&[known], examples, &LearnSettings::default());
    let other = page(
        "b",
        &format!(
            "<table>{}</table>",
            row("In re Kim", &[("PDF", "3.pdf")]) + &row("Roe v. Lee", &[("HTML", "4.htm"), ("Audio", "4.mp3")])
        ),
    );
    assert_eq!(read(&made, &other), ["file=3.pdf name=In re Kim", "name=Roe v. Lee"]);
}

#[test]
fn some_records_of_a_list_are_told_from_all_of_them() {
    let names = ["Kelp", "Moss", "Fern", "Reed", "Oak", "Ash", "Elm", "Yew"];
    let list = |names: &[&str]| {
        let items = names.iter().enumerate();
        let items: String = items
            .map(|(number, name)| {
                let class = if number % 2 == 0 { "even" } else { "odd" };
                format!("<li class={class}><b>{name}</b> <i>{number}</i></li>")
            })
            .collect();
        format!("<html><body><ul>{items}</ul></body></html>")
    };
    let known = page("a", &list(&names));
    let examples = r#"{"a": [{"n": "Kelp", "c": "0"}, {"n": "Moss", "c": "1"}, {"n": "Fern", "c": "2"}]}"#;
    let made = learned(std::slice::from_ref(&known), examples, &LearnSettings::default());
    assert_eq!(read(&made, &known).len(), names.len(), "{:?}", made.notes);
    assert_eq!(
        made.notes[0],
        "paths; the examples are 3 of 8 records like them on their pages"
    );
    // A list of three is a list of three.
    let short = page("a", &list(&names[..3]));
    let made = learned(std::slice::from_ref(&short), examples, &LearnSettings::default());
    let note = "paths; one page says too little about the source of others for delimiters";
    assert_eq!(made.notes[0], note);
    assert_eq!(read(&made, &short).len(), 3);
}

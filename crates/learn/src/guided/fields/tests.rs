//! Paths to fields, learned from made-up pages.

use super::*;
use crate::guided::{learn_guided, trials};

fn page(html: &str) -> Page {
    Page::parse(html.as_bytes(), &Default::default()).expect("a page")
}

fn lesson<'p>(page: &'p Page, values: &[&str]) -> Lesson<'p> {
    let values = values.iter().map(|text| vec![(*text).to_owned()]);
    Lesson {
        name: "page",
        page,
        records: vec![values.collect()],
    }
}

fn fields(names: &[&str]) -> Vec<Wanted> {
    let want = |name: &&str| Wanted {
        name: (*name).to_owned(),
        many: false,
    };
    names.iter().map(want).collect()
}

#[test]
fn what_was_chosen_in_a_form_is_found_by_being_chosen() {
    let form = |chosen: &str| {
        let option = |name: &str| match name == chosen {
            true => format!("<option selected>{name}</option>"),
            false => format!("<option>{name}</option>"),
        };
        let options: String = ["Dollar", "Euro", "Peso", "Yen"].map(option).concat();
        page(&format!("<form><select name=from>{options}</select></form>"))
    };
    let (first, other) = (form("Peso"), form("Euro"));
    let wanted = fields(&["currency"]);
    let taught = learn_guided(&wanted, &[lesson(&first, &["Peso"])], false, &Job::new()).expect("a rule");
    let found = PathsRun::new(&taught.rule).expect("a rule").page(&other);
    assert_eq!(found[0].values[0].text, "Euro");
}

#[test]
fn the_heading_of_a_section_is_no_label_of_its_first_row() {
    let html = |first: &str| {
        page(&format!(
            "<h1>Kelp</h1><div><div>About this edition:</div>{first}<div><b>No. 2:</b> 1400078997</div></div>"
        ))
    };
    // A label may have digits in it, whether it says what the field is called or not.
    for field in ["isbn_13", "number"] {
        let row = |value: &str| format!("<div><b>ISBN13:</b> {value}<br></div>");
        let (first, other, without) = (html(&row("9781400078998")), html(&row("9780307279446")), html(""));
        let lesson = lesson(&first, &["9781400078998"]);
        let taught = learn_guided(&fields(&[field]), &[lesson], false, &Job::new()).expect("a rule");
        let run = PathsRun::new(&taught.rule).expect("a rule");
        let found = |page: &Page| -> Vec<String> {
            let records = run.page(page).into_iter();
            records
                .flat_map(|record| record.values)
                .map(|value| value.text)
                .collect()
        };
        assert_eq!(found(&other), ["9780307279446"], "{field}");
        assert!(found(&without).is_empty(), "{field}: {:?}", found(&without));
    }
}

#[test]
fn trials_say_which_paths_are_right_elsewhere() {
    let html = |number: usize, rows: &str| format!("<h1>Title {number}</h1><table>{rows}</table>");
    let first = page(&html(
        1,
        "<tr><th>Brand</th><td>Acme</td></tr><tr><th>Stock</th><td>3</td></tr>",
    ));
    let other = page(&html(
        2,
        "<tr><th>Size</th><td>XL</td></tr><tr><th>Brand</th><td>Zeta</td></tr>",
    ));
    let all = trials(
        &fields(&["brand"]),
        &lesson(&first, &["Acme"]),
        &[lesson(&other, &["Zeta"])],
        false,
        &Weights::default(),
    );
    let rights: Vec<f64> = all.values[0].iter().map(|trial| trial.right).collect();
    assert!(rights.contains(&1.0), "by the label");
    assert!(rights.contains(&0.0), "by the position");
    assert!(all.records.is_empty());
}

#[test]
fn a_column_without_its_heading_is_found_by_position_only_in_rows_with_as_many_cells() {
    let table = |tag: &str, headings: &[&str], rows: &[&[&str]]| {
        let row = |tag: &str, cells: &[&str]| {
            let cells: String = cells.iter().map(|text| format!("<{tag}>{text}</{tag}>")).collect();
            format!("<tr>{cells}</tr>")
        };
        let head = if headings.is_empty() {
            String::new()
        } else {
            row(tag, headings)
        };
        let rows: String = rows.iter().map(|cells| row("td", cells)).collect();
        page(&format!("<h1>Books</h1><table>{head}{rows}</table>"))
    };
    let rows: [&[&str]; 3] = [
        &["Kelp", "$9.10", "$7.25"],
        &["Salt", "$8.00", "$6.50"],
        &["Moss", "$5.40", "$4.15"],
    ];
    let wide: [&[&str]; 2] = [
        &["Reed", "$1.00", "$3.30", "$2.20"],
        &["Fern", "$1.10", "$3.60", "$2.90"],
    ];
    for tag in ["th", "td"] {
        let known = table(tag, &["Title", "List price", "Our price"], &rows);
        let records = rows.map(|row| row.iter().map(|text| vec![(*text).to_owned()]).collect());
        let lesson = Lesson {
            name: "page",
            page: &known,
            records: records.to_vec(),
        };
        let wanted = fields(&["title", "list", "our"]);
        let rule = learn_guided(&wanted, &[lesson], true, &Job::new())
            .expect("a rule")
            .rule;
        let run = PathsRun::new(&rule).expect("a rule");
        let found = |page: &Page, field: usize| -> Vec<String> {
            let values = run.page(page).into_iter().flat_map(|record| record.values);
            let values = values.filter(|value| value.field == field);
            values.map(|value| value.text).collect()
        };
        // A column was put in, and the heading of another one was changed.
        let changed = table(tag, &["Title", "Shipping", "Recommended", "Our price"], &wide);
        assert_eq!(found(&changed, 1), Vec::<String>::new(), "{tag}: {rule:?}");
        let prices = found(&changed, 2);
        assert!(
            prices.ends_with(&["$2.20".to_owned(), "$2.90".to_owned()]),
            "{tag}: {prices:?}"
        );
        // A heading that was renamed, and no other column.
        let renamed = table(tag, &["Title", "Recommended", "Our price"], &rows[1..]);
        assert!(found(&renamed, 1).ends_with(&["$5.40".to_owned()]), "{tag}: {rule:?}");
        // Without headings the position is all there is.
        let bare = table(tag, &[], &rows[1..]);
        assert!(found(&bare, 1).ends_with(&["$5.40".to_owned()]), "{tag}: {rule:?}");
    }
}

/// What a rule that was learned from one page finds on another one.
fn learned(first: &str, value: &str, other: &str) -> Vec<String> {
    let (first, other) = (page(first), page(other));
    let lesson = lesson(&first, &[value]);
    let taught = learn_guided(&fields(&["contact"]), &[lesson], false, &Job::new()).expect("a rule");
    let run = PathsRun::new(&taught.rule).expect("a rule");
    let records = run.page(&other).into_iter();
    records
        .flat_map(|record| record.values)
        .map(|value| value.text)
        .collect()
}

#[test]
fn elements_around_a_label_alone_are_no_distance() {
    let row = |label: &str, value: &str| {
        format!("<tr><td><span><i><em><u><b>{label}</b></u></em></i></span></td><td><span>{value}</span></td></tr>")
    };
    let table = |rows: &[String]| format!("<table>{}</table>", rows.concat());
    let first = table(&[
        row("Hours:", "9 to 5"),
        row("Phone:", "860 493"),
        row("Fax:", "860 494"),
    ]);
    let other = table(&[row("Phone:", "212 111"), row("Fax:", "212 112")]);
    assert_eq!(learned(&first, "860 493", &other), ["212 111"]);
}

#[test]
fn words_after_a_value_are_its_caption_if_a_row_has_nothing_else() {
    let row = |label: &str, value: &str| format!("<div><p>{value}</p><p>{label}</p></div>");
    let first = [
        row("Hours:", "9 to 5"),
        row("Phone:", "860 493"),
        row("Fax:", "860 494"),
    ]
    .concat();
    let other = [row("Phone:", "212 111"), row("Fax:", "212 112")].concat();
    assert_eq!(learned(&first, "860 493", &other), ["212 111"]);
    // Where all is in one row, the words after a value are the label of the next one.
    let flat = |fax: &str| format!("<div><b>Phone:</b> <i>860 493</i> {fax}<b>Web:</b> <i>a.org</i></div>");
    let found = learned(&flat("<b>Fax:</b> <i>860 494</i> "), "860 493", &flat(""));
    assert_eq!(found, ["860 493"]);
}

//! Tests of questions about kinds of values, and about what known records had.

use super::*;

/// A list of pages with this number of records each; the fields of a record are made from its number.
fn lists(pages: usize, records: std::ops::Range<usize>, row: impl Fn(usize) -> Vec<String>) -> Profile {
    let rows: Vec<Vec<String>> = records.map(row).collect();
    let given: Vec<Vec<Vec<Vec<Given<'_>>>>> = rows
        .chunks(rows.len().div_ceil(pages))
        .map(|page| page.iter().map(|row| record(row)).collect())
        .collect();
    profile(&given)
}

/// A record; an empty text is no value.
fn record(row: &[String]) -> Vec<Vec<Given<'_>>> {
    let values = row.iter().map(|value| match value.is_empty() {
        true => Vec::new(),
        false => vec![text(value)],
    });
    values.collect()
}

#[test]
fn one_value_of_no_kind_is_as_odd_as_a_missing_one() {
    let phones: Vec<String> = (0..40).map(|at| format!("(619) 555-{}", 1155 + at)).collect();
    let known = |pages: usize| single(pages, |at| text(&phones[at]));
    let is_odd = |known: &Profile, now: &Profile| judge(known, now).verdict == Verdict::Changed;
    assert!(is_odd(&known(33), &single(1, |_| text("B-136"))));
    assert!(is_odd(&known(33), &single(1, |_| text("on request"))));
    assert!(!is_odd(&known(12), &single(1, |_| text("B-136"))));
    assert!(!is_odd(&known(33), &single(1, |_| text("+44 20 7946 0958"))));
    // Few pages are known: only values of another kind tell.
    let codes: Vec<String> = (0..8).map(|at| format!("B-{}", 136 + at)).collect();
    changed(
        &known(2),
        &single(8, |at| text(&codes[at])),
        0,
        "8 of 8 values are not a phone number",
    );
    assert!(!is_odd(&known(2), &single(3, |_| text("on request"))));
}

#[test]
fn some_rows_with_values_of_another_kind() {
    let known = lists(2, 0..28, |at| {
        vec![format!("{} May 2019", 1 + at), format!("Road {at}")]
    });
    let now = |odd: usize, other: &'static str| {
        lists(3, 0..42, move |at| match at < odd {
            true => vec![format!("{other}{at}"), format!("Road {at}")],
            false => vec![format!("{} May 2020", 1 + at % 28), format!("Road {at}")],
        })
    };
    changed(
        &known,
        &now(2, "$89,000 - $94,0"),
        0,
        "2 different values are not a date but a price",
    );
    fine(&known, &now(1, "$89,000 - $94,0"));
    // What is not known yet, and what is from today.
    fine(&known, &now(2, "to be announced "));
    fine(&known, &now(9, "10:3"));
}

#[test]
fn a_third_of_the_records_of_several_pages_lack_a_field() {
    let list = |pages: usize, lacking: usize| {
        lists(pages, 0..42, move |at| match at % 3 < lacking {
            true => vec![format!("Road {at}"), String::new()],
            false => vec![format!("Road {at}"), format!("Town {at}")],
        })
    };
    changed(&list(3, 0), &list(3, 1), 1, "28 of 42 records have it, all 42 had");
    // Records of one page are alike.
    fine(&list(1, 0), &list(3, 1));
}

/// Staff: a name, an address for mail, a phone number and a day, of the records in this order.
fn staff(records: std::ops::Range<usize>, phone: usize, day: impl Fn(usize) -> String) -> Profile {
    lists(1, records, |at| {
        let name = format!("{} {}", WORDS[at % 12], ["Abbot", "Brandt", "Costa"][at / 12]);
        let phone = format!("(619) 555-{}", phone + 7 * at);
        vec![name, format!("p{at}@college.example.edu"), phone, day(at)]
    })
}

#[test]
fn known_records_with_other_values() {
    let day = |at: usize| format!("{} May 2019", 1 + 2 * (at % 14));
    let known = staff(0..14, 1000, day);
    fine(&known, &staff(7..28, 1000, day));
    changed(
        &known,
        &staff(7..28, 5001, day),
        2,
        "7 records are known ones, and none has the value",
    );
    // No record is known.
    fine(&known, &staff(14..28, 5001, day));
    // Another day of each, within the known ones; and what each last did, after all of them.
    let other = |at: usize| format!("{} May 2019", 4 + 2 * at);
    changed(
        &known,
        &staff(0..7, 1000, other),
        3,
        "7 records are known ones, and none has the value",
    );
    fine(&known, &staff(0..7, 1000, |at| format!("{} June 2019", 1 + at)));
    // The same days in other words.
    fine(&known, &staff(0..7, 1000, |at| format!("May {}, 2019", 1 + 2 * at)));
    // Prices change.
    let known = staff(0..14, 1000, |at| format!("${}.50", 20 + at));
    fine(&known, &staff(0..14, 1000, |at| format!("${}.75", 20 + at)));
    // What a programme shows at an address of each day.
    let shown = |week: usize| {
        lists(1, 0..7, move |at| {
            vec![format!("/day/{at}"), format!("Story {week}{at}")]
        })
    };
    fine(&shown(1), &shown(2));
}

#[test]
fn known_records_with_other_links() {
    let courts = |records: std::ops::Range<usize>, link: &dyn Fn(usize) -> String| {
        lists(1, records, |at| {
            vec![
                format!("{} {at}", WORDS[at % 12]),
                format!("CV-19-{}", 41000 + at),
                link(at),
            ]
        })
    };
    let known = courts(0..14, &|at| format!("/opinions/2020/op{}.pdf", 41000 + at));
    let now = |link: &dyn Fn(usize) -> String| courts(7..28, link);
    let other = now(&|at| format!("/case/{}", 60000 + at));
    changed(
        &known,
        &other,
        2,
        "7 records are known ones, and none has the value that it had",
    );
    // The same files at other addresses, and addresses without numbers, which may be the same.
    let is_told = |now: &Profile| contradicted(&known, now, 2).is_some();
    assert!(!is_told(&now(&|at| format!("/files/{}/opinion", 41000 + at))));
    assert!(!is_told(&now(&|at| format!("/opinions/{}", WORDS[at % 12]))));
}

#[test]
fn a_known_record_that_lacks_several_fields() {
    let page = |names: [&'static str; 2], rest: [&'static str; 3]| {
        let stays = ["a cup of rice", "Stir well"];
        let record = names
            .iter()
            .chain(&stays)
            .chain(&rest)
            .map(|value| match value.is_empty() {
                true => Vec::new(),
                false => vec![text(value)],
            });
        profile(&[vec![record.collect()]])
    };
    let mut known = page(["Onion soup", "Ada Abbot"], ["20 min", "4", "$2.10"]);
    known.merge(&page(["Leek pie", "Ben Brandt"], ["15 min", "6", "$3.10"]));
    let is_odd = |now: &Profile| judge(&known, now).verdict == Verdict::Changed;
    assert!(is_odd(&page(["Onion soup", "Ada Abbot"], [""; 3])));
    assert!(!is_odd(&page(["Onion soup", "Ada Abbot"], ["25 min", "", ""])));
    assert!(!is_odd(&page(["Fig jam", "Ada Abbot"], [""; 3])));
    // What every record had and none has is told in any case.
    let alarm = judge(&known, &page(["Fig jam", "Ada Abbot"], [""; 3]));
    assert_eq!(alarm.fields[4].reasons, ["the record has none, 2 of 2 had"]);
}

#[test]
fn a_new_column_of_the_kind_of_a_field() {
    let list = |label: &'static str, others: u64, day: usize| {
        let texts: Vec<String> = (0..24).map(|at| format!("{} May 20{day}", 1 + at)).collect();
        let record = |at: usize| vec![vec![text(WORDS[at % 12])], vec![Given(&texts[at], label, false)]];
        let mut profile = profile(&[(0..24).map(record).collect()]);
        profile.strays = (24, others);
        profile.fields[1].peers = (24, others.min(24));
        profile
    };
    let known = list("Filed", 0, 19);
    fine(&known, &list("Filed", 24, 20));
    changed(&known, &list("Argued", 24, 20), 1, "it may be the other one");
    // The values recur.
    fine(&known, &list("Argued", 24, 19));
    // More texts than a column has: another list.
    assert_eq!(judge(&known, &list("Filed", 48, 20)).verdict, Verdict::Changed);
}

//! Tests of questions about records that recur, and about lists that are empty.

use super::*;

type Row = (&'static str, &'static str, &'static str);

/// A list of one page: a title and two more values, with labels.
fn listed(rows: &[Row], labels: (&'static str, &'static str)) -> Profile {
    let row = |(title, one, two): &Row| {
        vec![
            vec![text(title)],
            vec![Given(one, labels.0, false)],
            vec![Given(two, labels.1, false)],
        ]
    };
    profile(&[rows.iter().map(row).collect()])
}

#[test]
fn values_of_known_records_that_changed_places_are_told() {
    let prices = [
        ("Kelp", "$9.10", "$4.20"),
        ("Salt Road", "$12.99", "$7.00"),
        ("May Morning", "$8.15", "$3.35"),
        ("Harbor", "$15.05", "$6.60"),
        ("Low Tide", "$11.25", "$2.45"),
    ];
    let names = [
        ("Kelp", "Ada Abbot", "Paul Reed"),
        ("Salt Road", "Ben Brandt", "Rita Sato"),
        ("May Morning", "Cora Costa", "Sven Toth"),
        ("Harbor", "Dan Dahl", "Uwe Quinn"),
        ("Low Tide", "Eva Egan", "Vera Pratt"),
    ];
    let exchanged = |rows: &[Row; 5], some: usize| {
        let mut new = *rows;
        new.iter_mut().take(some).for_each(|row| *row = (row.0, row.2, row.1));
        new
    };
    let is_told = |known: &Profile, now: &Profile| judge(known, now).verdict == Verdict::Changed;
    for rows in [prices, names] {
        for labels in [("", ""), ("DVD:", "VHS:")] {
            let known = listed(&rows, labels);
            assert!(!is_told(&known, &listed(&rows, labels)));
            for some in [3, 5] {
                assert!(
                    is_told(&known, &listed(&exchanged(&rows, some), labels)),
                    "{labels:?} {some}"
                );
            }
            // Both labels have new names, too.
            assert!(is_told(&known, &listed(&exchanged(&rows, 5), ("Disc:", "Tape:"))));
        }
    }
    // Other matches of the same teams: no record is a known one.
    let again: Vec<Row> = exchanged(&names, 5)
        .iter()
        .map(|row| ("a match", row.1, row.2))
        .collect();
    let round = |rows: &[Row]| listed(rows, ("Home", "Away"));
    assert!(!is_told(&round(&names), &round(&again)));
    // One record, below labels that stayed: the page may mean it.
    let one = exchanged(&prices, 1);
    assert!(!is_told(
        &listed(&prices, ("Now", "Was")),
        &listed(&one, ("Now", "Was"))
    ));
}

#[test]
fn a_label_that_became_a_part_of_the_values_is_told() {
    let known = single(5, |at| text(["$9.10", "$4.20", "$8.15", "$15.05", "$3.35"][at]));
    let told = |words: &str, now: &[&'static str]| {
        let now = single(now.len(), |at| text(now[at]));
        let alarm = judge(&known, &now);
        assert_eq!(alarm.verdict == Verdict::Changed, !words.is_empty(), "{alarm:?}");
        assert!(words.is_empty() || alarm.fields[0].reasons.iter().any(|reason| reason == words));
    };
    told(
        "all 2 values begin with \"Disc:\", none did",
        &["Disc: $9.10", "Disc: $7.77"],
    );
    told("", &["$9.10", "$7.77"]);
}

#[test]
fn a_list_that_was_empty_may_be_empty() {
    let row = |name: &'static str| vec![vec![text(name)]];
    let full = || vec![row("a"), row("b"), row("c")];
    let known = profile(&[full(), vec![], full(), full(), vec![]]);
    let now = |pages: usize| {
        let mut now = profile(&[full()]);
        (now.records, now.pages, now.counts) = (0, pages as u64, [(0, pages as u64)].into());
        now.fields[0] = FieldProfile::default();
        judge(&known, &now).verdict
    };
    assert_eq!(now(1), Verdict::Fine);
    assert_eq!(now(9), Verdict::Changed);
    let never = profile(&[full(), full()]);
    let mut none = profile(&[full()]);
    none.records = 0;
    assert_eq!(judge(&never, &none).verdict, Verdict::Changed);
}

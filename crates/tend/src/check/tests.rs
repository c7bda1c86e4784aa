//! Tests each question with small profiles, the verdicts of the module's essay, and profiles that make no sense.

mod kinds;
mod recurring;

use super::*;
use wrapper::profile::{FieldProfile, Sight};

/// A value: its text, the words before it, and whether it is a link.
#[derive(Clone, Copy)]
struct Given<'t>(&'t str, &'t str, bool);

fn text(text: &str) -> Given<'_> {
    Given(text, "", false)
}

/// A profile of pages, records, fields and values.
fn profile(pages: &[Vec<Vec<Vec<Given<'_>>>>]) -> Profile {
    let width = pages.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let mut profile = Profile {
        fields: vec![FieldProfile::default(); width],
        ..Profile::default()
    };
    for page in pages {
        let counts: Vec<u64> = (0..width)
            .map(|field| page.iter().map(|record| record[field].len() as u64).sum())
            .collect();
        profile.add_page(page.len() as u64, &counts);
        for record in page {
            for (field, values) in profile.fields.iter_mut().zip(record) {
                field.records += u64::from(!values.is_empty());
                for Given(text, label, link) in values {
                    field.add(&Sight {
                        text: (*text).to_owned(),
                        label: (!label.is_empty()).then(|| (*label).to_owned()),
                        link: *link,
                        ..Sight::default()
                    });
                }
            }
        }
    }
    profile
}

/// A profile of `pages` pages with one record each that has one value of one field.
fn single<'t>(pages: usize, value: impl Fn(usize) -> Given<'t>) -> Profile {
    let pages: Vec<_> = (0..pages).map(|at| vec![vec![vec![value(at)]]]).collect();
    profile(&pages)
}

fn judge(known: &Profile, now: &Profile) -> Alarm {
    let wanted: Vec<Wanted> = ["one", "two", "three", "four", "five", "six", "seven"]
        .iter()
        .take(known.fields.len().max(now.fields.len()))
        .map(|name| Wanted {
            name: (*name).to_owned(),
            many: false,
        })
        .collect();
    check(&wanted, known, now)
}

/// Checks that there is an alarm, for this reason in this field.
fn changed(known: &Profile, now: &Profile, field: usize, reason: &str) {
    let alarm = judge(known, now);
    assert_eq!(alarm.verdict, Verdict::Changed, "{alarm:?}");
    let reasons = &alarm.fields[field].reasons;
    assert!(reasons.iter().any(|words| words.contains(reason)), "{alarm:?}");
}

fn fine(known: &Profile, now: &Profile) {
    let alarm = judge(known, now);
    assert_eq!(alarm.verdict, Verdict::Fine, "{alarm:?}");
}

const WORDS: [&str; 12] = [
    "Onion soup",
    "Leek pie",
    "Fig jam",
    "Plum cake",
    "Nut roast",
    "Rye bread",
    "Pea stew",
    "Egg curry",
    "Oat bar",
    "Rice bowl",
    "Bean dip",
    "Corn salad",
];

fn names(pages: usize) -> Profile {
    single(pages, |at| text(WORDS[at % WORDS.len()]))
}

#[test]
fn missing() {
    // Two fields, the second of which may be missing.
    let pages = |count: usize, there: &dyn Fn(usize) -> bool| {
        let page = |at: usize| {
            let second = if there(at) { vec![text("Ann Low")] } else { Vec::new() };
            vec![vec![vec![text(WORDS[at % WORDS.len()])], second]]
        };
        profile(&(0..count).map(page).collect::<Vec<_>>())
    };
    let (all, none) = (|_: usize| true, |_: usize| false);
    changed(&pages(10, &all), &pages(10, &none), 1, "none of 10 records");
    changed(&pages(3, &all), &pages(5, &none), 1, "none of 5 records");
    // One page says little about another one, but many do.
    fine(&pages(1, &all), &pages(1, &none));
    fine(&pages(10, &all), &pages(1, &none));
    changed(
        &pages(19, &all),
        &pages(1, &none),
        1,
        "the record has none, 19 of 19 had",
    );
    changed(
        &pages(33, &all),
        &pages(1, &none),
        1,
        "the record has none, 33 of 33 had",
    );
    changed(
        &pages(100, &|at| at != 7),
        &pages(1, &none),
        1,
        "the record has none, 99 of 100 had",
    );
    fine(&pages(33, &|at| at != 7), &pages(1, &none));
    // One of ten pages without it is nothing, several are.
    fine(&pages(33, &all), &pages(10, &|at| at != 4));
    changed(&pages(33, &all), &pages(10, &|at| at > 3), 1, "6 of 10 records have it");
    // An optional field may be missing.
    fine(&pages(10, &|at| at % 2 == 0), &pages(4, &none));
    fine(&pages(10, &|at| at % 2 == 0), &pages(10, &|at| at % 3 == 0));
    // More values than before are harmless.
    fine(&pages(10, &|at| at % 2 == 0), &pages(10, &all));
}

#[test]
fn a_list_that_is_gone_says_more_than_one_value() {
    let page = |steps: usize| {
        let steps: Vec<Given<'_>> = WORDS.iter().cycle().take(steps).map(|word| text(word)).collect();
        profile(&[vec![vec![vec![text("Soup")], steps]]])
    };
    changed(&page(15), &page(0), 1, "the record has none");
    fine(&page(1), &page(0));
}

/// One page of 40 fields: the number of fields does not matter where the evidence is strong.
#[test]
fn a_field_among_many_that_is_gone_from_a_page() {
    let page = |there: bool| {
        let field = |at: usize| {
            if at == 1 && !there {
                Vec::new()
            } else {
                vec![text("Ann Low")]
            }
        };
        vec![(0..40).map(field).collect::<Vec<_>>()]
    };
    let wanted: Vec<Wanted> = (0..40)
        .map(|at| Wanted {
            name: format!("f{at}"),
            many: false,
        })
        .collect();
    let judge = |known: usize| check(&wanted, &profile(&vec![page(true); known]), &profile(&[page(false)]));
    assert_eq!(judge(17).verdict, Verdict::Fine);
    assert_eq!(judge(19).verdict, Verdict::Changed);
    assert_eq!(judge(33).fields[1].reasons, ["the record has none, 33 of 33 had"]);
}

/// A list that goes from 126 values to none is an alarm, whatever else holds.
#[test]
fn a_list_that_is_gone_is_always_an_alarm() {
    // A field that some of the records of a page have.
    let rows = |records: usize, with: usize| -> Vec<Vec<Vec<Given<'_>>>> {
        let second = |at: usize| if at < with { vec![text("Ann Low")] } else { Vec::new() };
        (0..records)
            .map(|at| vec![vec![text(WORDS[at % 12])], second(at)])
            .collect()
    };
    changed(
        &profile(&[rows(300, 126)]),
        &profile(&[rows(300, 0)]),
        1,
        "all values are gone, there were 126",
    );
    // On some of the pages.
    let some = |with: usize| -> Vec<_> { (0..10).map(|at| rows(100, if at < 3 { with } else { 0 })).collect() };
    changed(
        &profile(&some(42)),
        &profile(&some(0)),
        1,
        "all values are gone, there were 126 on 3 of 10 pages",
    );
    // A page without it is no surprise if most had none.
    fine(&profile(&some(42)), &profile(&[rows(100, 0)]));
    // Few records cannot have many values.
    fine(&profile(&[rows(300, 126)]), &profile(&[rows(3, 0)]));
}

#[test]
fn a_field_that_was_never_found_is_told() {
    let page = vec![vec![vec![text("Soup")], vec![]]];
    let alarm = judge(&profile(&vec![page.clone(); 3]), &profile(&[page]));
    assert_eq!(alarm.verdict, Verdict::Fine);
    assert_eq!(
        alarm.fields[1].reasons,
        ["it was never found: none of 3 known records has it"]
    );
    assert!(alarm.fields[0].reasons.is_empty(), "{alarm:?}");
}

#[test]
fn inner_records_may_be_missing_where_they_were() {
    let pages = |full: usize, empty: usize| {
        let mut pages = vec![vec![vec![vec![text("Soup")]]]; full];
        pages.extend(vec![Vec::new(); empty]);
        let mut profile = profile(&pages);
        profile.fields.resize(1, FieldProfile::default());
        profile
    };
    let judge = |known: &Profile, now: &Profile| {
        let wanted = Wanted {
            name: "one".to_owned(),
            many: false,
        };
        let asked = Asked {
            is_inner: true,
            ..Asked::all(&[wanted])
        };
        check_table(&asked, known, now).verdict
    };
    assert_eq!(judge(&pages(5, 5), &pages(0, 1)), Verdict::Fine);
    assert_eq!(judge(&pages(5, 5), &pages(0, 9)), Verdict::Changed);
    assert_eq!(judge(&pages(3, 0), &pages(0, 1)), Verdict::Changed);
}

#[test]
fn most_fields_gone_at_once() {
    let page = |there: [bool; 4]| {
        let value = |there: bool| if there { vec![text("Ann Low")] } else { Vec::new() };
        profile(&vec![vec![there.map(value).to_vec()]; 3])
    };
    let one = |there: [bool; 4]| {
        let value = |there: bool| if there { vec![text("Ann Low")] } else { Vec::new() };
        profile(&[vec![there.map(value).to_vec()]])
    };
    changed(
        &page([true; 4]),
        &one([true, false, false, false]),
        2,
        "the record has none",
    );
    fine(&page([true; 4]), &one([true, true, true, false]));
}

#[test]
fn counts_on_a_page() {
    let pages = |pages: usize, values: usize| {
        let page = |_| vec![vec![WORDS.iter().cycle().take(values).map(|word| text(word)).collect()]];
        profile(&(0..pages).map(page).collect::<Vec<_>>())
    };
    changed(&pages(10, 3), &pages(10, 200), 0, "a page has 200 of it, it had 3");
    fine(&pages(10, 3), &pages(10, 6));
    fine(&pages(1, 3), &pages(1, 30));
}

#[test]
fn records_on_a_page() {
    let pages = |pages: usize, records: usize| {
        let page = |_| (0..records).map(|at| vec![vec![text(WORDS[at % 12])]]).collect();
        profile(&(0..pages).map(page).collect::<Vec<_>>())
    };
    let alarm = judge(&pages(10, 20), &pages(10, 1));
    assert_eq!(alarm.verdict, Verdict::Changed, "{alarm:?}");
    assert_eq!(alarm.reasons, ["a page has 1 records, it had 20"]);
    // A last page has fewer, and one page says little.
    fine(&pages(10, 20), &pages(1, 5));
    fine(&pages(1, 20), &pages(1, 1));
}

#[test]
fn pages_without_records() {
    let pages = |full: usize, empty: usize| {
        let mut pages = vec![vec![vec![vec![text("Soup")]]]; full];
        pages.extend(vec![Vec::new(); empty]);
        let mut profile = profile(&pages);
        profile.fields.resize(1, FieldProfile::default());
        profile
    };
    let alarm = judge(&pages(10, 0), &pages(2, 8));
    assert_eq!(alarm.verdict, Verdict::Changed, "{alarm:?}");
    assert_eq!(alarm.reasons, ["8 of 10 pages have no record"]);
    // Half of two pages, after learning from one.
    let alarm = judge(&pages(1, 0), &pages(1, 1));
    assert_eq!(alarm.verdict, Verdict::Changed, "{alarm:?}");
    fine(&pages(1, 0), &pages(9, 1));
    fine(&pages(5, 5), &pages(4, 6));
    // No records at all is an alarm, whatever was known.
    for known in [pages(1, 0), pages(1, 9)] {
        for now in [pages(0, 1), pages(0, 4)] {
            let alarm = judge(&known, &now);
            assert_eq!((alarm.verdict, alarm.chance), (Verdict::Changed, 0.0));
            assert!(alarm.reasons[0].contains("record any more"), "{alarm:?}");
        }
    }
}

#[test]
fn patterns() {
    let prices = |pages| single(pages, |at| Given(["$15.38", "$4.20", "$119.00"][at % 3], "", false));
    changed(&prices(10), &names(10), 0, "are written as before");
    fine(&prices(10), &prices(4));
    // Another number of digits is the same pattern.
    fine(&single(10, |_| text("$9.99")), &single(10, |_| text("$29.00")));
    // One title says nothing about the next.
    fine(
        &names(1),
        &single(1, |_| text("Peas, (very) green & small: a 2nd try!")),
    );
}

#[test]
fn labels_that_moved() {
    let behind = |pages: usize, label: &'static str| single(pages, move |at| Given(WORDS[at % 12], label, false));
    changed(
        &behind(10, "Author:"),
        &behind(10, "Price:"),
        0,
        "0 of 10 values follow \"Author:\", most follow \"Price:\"",
    );
    fine(&behind(10, "Author:"), &behind(3, "Author:"));
    fine(&behind(1, "Author:"), &behind(1, "Price:"));
    // Words that differ on each page are not a label.
    let varied = |pages: usize| single(pages, |at| Given(WORDS[at % 12], WORDS[(at + 1) % 12], false));
    fine(&varied(10), &behind(10, "Price:"));
}

#[test]
fn labels_that_were_swapped() {
    // A table of one page; both columns look alike.
    let table = |labels: [&'static str; 2]| {
        let row = |at: usize| {
            labels
                .map(|label| vec![Given(["$15.38", "$14.20", "$11.00"][at % 3], label, false)])
                .to_vec()
        };
        profile(&[(0..12).map(row).collect()])
    };
    let known = table(["List Price", "Our Price"]);
    changed(
        &known,
        &table(["Our Price", "List Price"]),
        0,
        "those of two follow \"List Price\": the two were swapped",
    );
    changed(&known, &table(["Our Price", "List Price"]), 1, "the two were swapped");
    fine(&known, &table(["List Price", "Our Price"]));
}

/// Labels that change places on one of ten pages, and in one of twelve records.
#[test]
fn labels_that_were_swapped_here_and_there() {
    let row = |labels: [&'static str; 2]| labels.map(|label| vec![Given("$15.38", label, false)]).to_vec();
    let (usual, other) = (["List Price", "Our Price"], ["Our Price", "List Price"]);
    let pages = |odd: usize| {
        let page = |at: usize| vec![row(if at < odd { other } else { usual })];
        profile(&(0..10).map(page).collect::<Vec<_>>())
    };
    changed(
        &pages(0),
        &pages(1),
        0,
        "1 of 10 values follow \"Our Price\" and those of two",
    );
    fine(&pages(0), &pages(0));
    let table = |odd: usize| {
        let rows = (0..12).map(|at| row(if at < odd { other } else { usual }));
        profile(&[rows.collect()])
    };
    changed(&table(0), &table(1), 1, "the two were swapped");
    // If this happened before, it may happen again.
    fine(&table(2), &table(1));
}

/// Without labels, values that recur tell of fields that changed places.
#[test]
fn values_that_were_traded() {
    let prices = ["$15.38", "$14.20", "$11.00", "$9.50", "$8.25"];
    let others = ["$12.10", "$10.05", "$7.00", "$6.40", "$5.15"];
    let pages = |one: [&'static str; 5], two: [&'static str; 5], label: &'static str| {
        let page = |at: usize| {
            vec![vec![
                vec![Given(one[at], label, false)],
                vec![Given(two[at], "", false)],
            ]]
        };
        profile(&(0..5).map(page).collect::<Vec<_>>())
    };
    changed(
        &pages(prices, others, ""),
        &pages(others, prices, ""),
        0,
        "5 of 5 different values were values of two",
    );
    // If the page says which is which, it is right.
    fine(&pages(prices, others, "List:"), &pages(others, prices, "List:"));
    // Fields that share their values may do so again.
    fine(&pages(prices, prices, ""), &pages(others, others, ""));
    // Teams play at home and away.
    let teams = ["Reds", "Blues", "Greens", "Whites", "Blacks"];
    let guests = ["Lions", "Tigers", "Bears", "Wolves", "Foxes"];
    fine(&pages(teams, guests, ""), &pages(guests, teams, ""));
}

#[test]
fn numbers_that_are_of_each_others_size() {
    let price = |from: usize, at: usize| format!("${}.{:02}", from + at * 7 % 30, at * 13 % 100);
    let (dear, cheap): (Vec<String>, Vec<String>) = (0..40).map(|at| (price(50, at), price(10, at))).unzip();
    let known = listed(12, |at| &dear[at], |at| &cheap[at]);
    let words = "values are numbers of the size of two";
    changed(&known, &listed(12, |at| &cheap[at + 20], |at| &dear[at + 20]), 0, words);
    fine(&known, &listed(12, |at| &dear[at + 20], |at| &cheap[at + 20]));
    // A sale makes one of them cheaper, and dearer goods have two higher prices.
    let dearer: Vec<String> = (0..40).map(|at| price(60, at)).collect();
    fine(&known, &listed(12, |at| &dearer[at + 20], |at| &dear[at + 20]));
    // Two records say little, and so do few that are known.
    fine(&known, &listed(2, |at| &cheap[at + 20], |at| &dear[at + 20]));
    let few = listed(4, |at| &dear[at], |at| &cheap[at]);
    fine(&few, &listed(4, |at| &cheap[at + 20], |at| &dear[at + 20]));
}

/// Known records whose numbers changed places, and the words after them did not.
#[test]
fn numbers_that_changed_places_before_their_words() {
    let row = |at: usize, is_exchanged: bool| {
        let numbers = (300 + at * 37, 20 + at * 11);
        let (points, comments) = if is_exchanged { (numbers.1, numbers.0) } else { numbers };
        [
            WORDS[at].to_owned(),
            format!("{points} points"),
            format!("{comments} comments"),
        ]
    };
    let all: Vec<[[String; 3]; 2]> = (0..8).map(|at| [row(at, false), row(at, true)]).collect();
    let page = |which: usize| {
        let rows = all
            .iter()
            .map(|row| row[which].iter().map(|value| vec![text(value)]).collect());
        profile(&[rows.collect()])
    };
    changed(&page(0), &page(1), 1, "were values of three");
    fine(&page(0), &page(0));
}

/// No record recurs, and the numbers of one field are of the size of both.
#[test]
fn numbers_that_are_written_as_each_other() {
    let row = |at: usize, is_exchanged: bool, price: usize| {
        let (beds, baths) = (
            format!("{}", 2 + at % 4),
            format!("{}{}", 1 + at % 4, [".5", ""][at % 2]),
        );
        let (beds, baths) = if is_exchanged { (baths, beds) } else { (beds, baths) };
        [
            format!("{at} Kelp Street"),
            beds,
            baths,
            format!("${}", price + at * 1000),
        ]
    };
    let pages = |from: usize, is_exchanged: bool, price: usize| {
        let rows: Vec<[String; 4]> = (from..from + 40).map(|at| row(at, is_exchanged, price)).collect();
        let pages: Vec<Vec<Vec<Vec<Given<'_>>>>> = rows
            .chunks(8)
            .map(|rows| {
                let rows = rows.iter();
                rows.map(|row| row.iter().map(|value| vec![text(value)]).collect())
                    .collect()
            })
            .collect();
        profile(&pages)
    };
    let known = pages(100, false, 200_000);
    let words = "written as those of three were";
    changed(&known, &pages(140, true, 160_000), 1, words);
    fine(&known, &pages(140, false, 160_000));
    // All prices are higher: it is another part of a sorted list, so what else is so is no accident.
    let alarm = judge(&known, &pages(140, true, 900_000));
    assert!(
        alarm.fields[1].reasons.iter().all(|reason| !reason.contains(words)),
        "{alarm:?}"
    );
}

#[test]
fn a_row_of_headings_that_is_taken_for_a_record() {
    let table = |first: Option<[&'static str; 2]>| {
        let rows = (0..6).map(|at| {
            let price = |label| vec![Given(["$15.38", "$14.20", "$11.00"][at % 3], label, false)];
            vec![price("DVD"), price("VHS")]
        });
        let heading = first.map(|words| words.map(|word| vec![text(word)]).to_vec());
        profile(&[heading.into_iter().chain(rows).collect()])
    };
    changed(
        &table(None),
        &table(Some(["VHS", "DVD"])),
        0,
        "a value is \"VHS\", which is a label",
    );
    fine(&table(None), &table(Some(["$9.00", "$8.00"])));
}

#[test]
fn a_label_that_was_another_fields() {
    let pages = |label: &'static str| {
        let page = vec![vec![
            vec![Given("$15.38", label, false)],
            vec![Given("$11.00", "Our Price", false)],
        ]];
        profile(&vec![page; 6])
    };
    changed(
        &pages("List Price"),
        &pages("Our Price"),
        0,
        "\"Our Price\", the label of two",
    );
}

#[test]
fn lengths() {
    let long = "a word ".repeat(60);
    let long = long.trim_end();
    changed(
        &names(10),
        &single(10, |_| text(long)),
        0,
        "values have 419 characters, they had 7 to 10",
    );
    let longer: Vec<String> = WORDS.iter().map(|word| format!("{word} in another way")).collect();
    fine(&names(10), &single(10, |at| text(&longer[at])));
    fine(&names(1), &single(1, |_| text(long)));
}

#[test]
fn links() {
    let linked = |pages: usize, link: bool| single(pages, move |at| Given(WORDS[at % 12], "", link));
    changed(
        &linked(10, true),
        &linked(10, false),
        0,
        "0 of 10 values are links, 10 of 10 were",
    );
    changed(
        &linked(10, false),
        &linked(10, true),
        0,
        "10 of 10 values are links, 0 of 10 were",
    );
    fine(&linked(10, true), &linked(10, true));
    fine(&linked(1, true), &linked(1, false));
}

#[test]
fn numbers() {
    let sizes = |pages: usize, factor: usize| {
        let texts: Vec<String> = (0..pages).map(|at| format!("{}", (at + 3) * factor)).collect();
        single(pages, |at| text(&texts[at]))
    };
    changed(
        &sizes(10, 1),
        &sizes(10, 1000),
        0,
        "numbers are from 3000 to 12000, they were from 3 to 12",
    );
    changed(&sizes(10, 1000), &sizes(10, 1), 0, "numbers are from 3 to 12");
    changed(
        &sizes(10, 1),
        &names(10),
        0,
        "0 of 10 values are numbers, 10 of 10 were",
    );
    // Numbers that grow, as case numbers do.
    fine(&sizes(10, 1), &sizes(10, 5));
    fine(&sizes(1, 1), &sizes(1, 1000));
}

#[test]
fn variety() {
    changed(
        &names(10),
        &single(10, |_| text("Rye bread")),
        0,
        "all 10 values are the same, 10 of 10 were different",
    );
    fine(&single(10, |_| text("Rye bread")), &single(10, |_| text("Rye bread")));
    fine(&names(3), &single(2, |_| text("Rye bread")));
}

#[test]
fn nothing_to_compare() {
    let nothing = Profile::default();
    let alarm = judge(&nothing, &names(3));
    assert_eq!((alarm.verdict, alarm.chance), (Verdict::Fine, 1.0));
    assert!(alarm.reasons[0].contains("never found a record"), "{alarm:?}");
    let alarm = judge(&names(3), &nothing);
    assert_eq!(alarm.verdict, Verdict::Changed);
    assert_eq!(alarm.reasons, ["there are no pages"]);
    assert!(check(&[], &nothing, &nothing).fields.is_empty());
    // A field about which nothing is known is asked nothing.
    let alarm = judge(
        &profile(&[vec![vec![vec![text("Soup")], vec![]]]]),
        &profile(&[vec![vec![vec![text("Pie")], vec![text("x")]]]]),
    );
    assert_eq!((alarm.verdict, alarm.fields[1].chance), (Verdict::Fine, 1.0));
}

/// Profiles are read from files, so anything may be in them.
#[test]
fn profiles_that_make_no_sense() {
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -0.0];
    let counts = [0, 1, 7, u64::MAX / 4];
    let mut odd = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        for count in counts {
            let mut profile = names(3);
            (profile.pages, profile.records) = (count, counts[(at + 1) % 4]);
            profile.counts.insert(u64::MAX, count);
            let field = &mut profile.fields[0];
            field.numbers = (counts[at % 4], *number, numbers[(at + 2) % 5]);
            (field.count, field.records) = (counts[(at + 2) % 4], count);
            (field.links, field.different) = (count, counts[(at + 3) % 4]);
            field.length = (count, u64::MAX, 0);
            field.lengths.insert(u64::MAX, count);
            field.labels.insert(String::new(), count);
            odd.push(profile);
        }
    }
    odd.push(names(2));
    for known in &odd {
        for now in &odd {
            let alarm = judge(known, now);
            let chances = alarm.fields.iter().map(|field| field.chance).chain([alarm.chance]);
            for chance in chances {
                assert!((0.0..=1.0).contains(&chance), "{alarm:?}");
            }
        }
    }
}

/// An additional healthy value does not make an alarm likelier, and an additional bad one does not make it less likely.
#[test]
fn chances_move_the_right_way() {
    let pages = |there: usize, away: usize| {
        let page = |second: Vec<Given<'static>>| vec![vec![vec![text("Soup")], second]];
        let mut pages = vec![page(vec![text("Ann")]); there];
        pages.extend(vec![page(Vec::new()); away]);
        profile(&pages)
    };
    let chance = |known: &Profile, now: &Profile| judge(known, now).fields[1].chance;
    for known in 1..20 {
        assert!(chance(&pages(known + 1, 0), &pages(0, 2)) <= chance(&pages(known, 0), &pages(0, 2)) + 1e-12);
        for away in 0..10 {
            assert!(
                chance(&pages(known, 0), &pages(9 - away, away + 1))
                    <= chance(&pages(known, 0), &pages(10 - away, away)) + 1e-12
            );
        }
    }
}

/// A page with records of two fields.
fn listed<'t>(records: usize, one: impl Fn(usize) -> &'t str, two: impl Fn(usize) -> &'t str) -> Profile {
    let record = |at: usize| vec![vec![text(one(at))], vec![text(two(at))]];
    profile(&[(0..records).map(record).collect()])
}

#[test]
fn lists_of_one_page_whose_values_all_changed() {
    let dates: Vec<String> = (1..=30).map(|day| format!("May {day}, 2019")).collect();
    let others: Vec<String> = (1..=30).map(|day| format!("June {day}, 2020")).collect();
    let name = |at: usize| WORDS[at % 12];
    let known = listed(12, |at| &dates[at], name);
    fine(&known, &listed(12, |at| &others[at], name));
    // Exchanged: no label tells, but a date is no name.
    changed(
        &known,
        &listed(12, name, |at| &others[at]),
        0,
        "none of 12 values is a date, all were",
    );
    for (sign, words) in [("▢ ", "begin with \"▢\""), ("1. ", "begin with a number")] {
        let signed: Vec<String> = (0..12).map(|at| format!("{sign}{}", name(at))).collect();
        changed(&known, &listed(12, |at| &others[at], |at| &signed[at]), 1, words);
        // Two values are too few to tell.
        fine(&known, &listed(2, |at| &others[at], |at| &signed[at]));
    }
    changed(
        &known,
        &listed(12, |at| &others[at], |_| "▢"),
        1,
        "none of 12 values has a letter",
    );
}

#[test]
fn lists_of_one_page_whose_values_are_numbered() {
    let name = |at: usize| WORDS[at % 12];
    let known = listed(12, name, |_| "City Council");
    let of = |text: &dyn Fn(usize) -> String| -> Vec<String> { (0..12).map(text).collect() };
    let numbered = of(&|at| format!("{}{}", at + 1, name(at)));
    changed(
        &known,
        &listed(4, |at| &numbered[at], |_| "City Council"),
        0,
        "begin with 1, 2, 3",
    );
    // One value of all records.
    let same = of(&|at| format!("{} City Council", at + 1));
    changed(&known, &listed(5, name, |at| &same[at]), 1, "begin with 1, 2, 3");
    // The first days of a month.
    let (may, june) = (
        of(&|at| format!("{} May", at + 12)),
        of(&|at| format!("{} June", at + 1)),
    );
    fine(&listed(12, |at| &may[at], name), &listed(4, |at| &june[at], name));
    fine(&listed(12, |at| &june[at], name), &listed(4, |at| &june[at], name));
}

#[test]
fn a_list_that_became_a_grid() {
    let page = |records: usize, others: u64| {
        let mut profile = listed(records, |at| WORDS[at % 12], |at| WORDS[(at + 1) % 12]);
        for field in &mut profile.fields {
            field.makes = (records as u64, others);
        }
        profile
    };
    let is_told = |known: &Profile, now: &Profile| {
        let words = judge(known, now).reasons;
        words
            .iter()
            .any(|words| words.contains("other elements like those of the values"))
    };
    assert!(is_told(&page(13, 0), &page(1, 12)));
    assert!(is_told(&page(5, 1), &page(1, 5)));
    // The last page of a list is short, and menus are as long as before.
    assert!(!is_told(&page(13, 0), &page(1, 0)));
    assert!(!is_told(&page(13, 20), &page(1, 24)));
    // As many records as before, and a longer menu.
    assert!(!is_told(&page(13, 0), &page(13, 30)));
    // One of two fields is like a menu.
    let mut menu = page(1, 0);
    menu.fields[0].makes.1 = 12;
    assert!(!is_told(&page(13, 0), &menu));
    let long = WORDS.join(" ");
    changed(
        &listed(12, |at| WORDS[at % 12], |at| WORDS[(at + 1) % 12]),
        &listed(1, |_| &long, |_| "Soup"),
        0,
        "values have at least",
    );
}

#[test]
fn a_field_that_has_the_values_of_another() {
    let teams: Vec<String> = (0..12).map(|at| format!("Team {}", WORDS[at])).collect();
    let schools: Vec<String> = (0..12).map(|at| format!("{} School", WORDS[at])).collect();
    let known = listed(12, |at| &teams[at], |at| &schools[at]);
    changed(
        &known,
        &listed(12, |at| &schools[at], |at| &schools[at]),
        0,
        "the values of two",
    );
    // Two fields that were the same all along stay so.
    let known = listed(12, |at| &teams[at], |at| &teams[at]);
    fine(&known, &listed(9, |at| &teams[at], |at| &teams[at]));
}

#[test]
fn a_list_in_which_most_records_lack_a_field() {
    let page = |records: usize, with: usize| {
        let record = |at: usize| match at < with {
            true => vec![vec![text(WORDS[at % 12])], vec![text(WORDS[(at + 1) % 12])]],
            false => vec![vec![text(WORDS[at % 12])], vec![]],
        };
        profile(&[(0..records).map(record).collect()])
    };
    changed(&page(24, 24), &page(30, 12), 1, "12 of 30 records have it, all 24 had");
    // Every second record, as in the middle of a redesign.
    changed(&page(12, 12), &page(12, 6), 1, "6 of 12 records have it, all 12 had");
    fine(&page(24, 24), &page(30, 20));
    fine(&page(24, 23), &page(30, 12));
    fine(&page(9, 9), &page(30, 12));
    fine(&page(24, 24), &page(7, 3));
}

#[test]
fn a_list_of_which_hardly_anything_is_read() {
    let page = |records: usize, others: u64| {
        let record = |at: usize| vec![vec![text(WORDS[at % 12])], vec![text(WORDS[(at + 1) % 12])]];
        let mut profile = profile(&[(0..records).map(record).collect()]);
        profile.strays = (records as u64, others);
        profile
    };
    let is_told = |known: &Profile, now: &Profile| {
        let wanted = ["one", "two"].map(|name| Wanted {
            name: name.to_owned(),
            many: false,
        });
        let alarm = check(&wanted, known, now);
        alarm
            .reasons
            .iter()
            .any(|words| words.contains("other texts are written like them"))
    };
    assert!(is_told(&page(50, 0), &page(1, 49)));
    // The last page of a list is short.
    assert!(!is_told(&page(50, 0), &page(1, 0)));
    // Each record had another text that is written so.
    assert!(!is_told(&page(50, 50), &page(2, 6)));
    assert!(is_told(&page(50, 50), &page(1, 99)));
}

#[test]
fn one_of_two_values_of_the_same_make_is_gone() {
    let dates: Vec<String> = (1..=30).map(|day| format!("May {day}, 2019")).collect();
    let others: Vec<String> = (1..=30).map(|day| format!("May {day}, 2020")).collect();
    let page = |dates: &Vec<String>, peers: (u64, u64)| {
        let record = |at: usize| vec![vec![text("")], vec![Given(dates[at].as_str(), "", false)]];
        let mut profile = profile(&[(0..12).map(record).collect()]);
        profile.fields[1].peers = peers;
        profile
    };
    let known = page(&dates, (12, 12));
    changed(
        &known,
        &page(&others, (12, 0)),
        1,
        "another one like it beside it, 12 of 12 had",
    );
    fine(&known, &page(&others, (12, 9)));
    // The values themselves are the same.
    fine(&known, &page(&dates, (12, 0)));
    fine(&page(&dates, (12, 6)), &page(&others, (12, 0)));
}

#[test]
fn a_list_whose_values_follow_the_label_of_another_field() {
    let row = |at: usize, label: &'static str| {
        let name = WORDS[at % 12];
        vec![vec![Given(name, label, false)], vec![Given("7.20", "Price", false)]]
    };
    let page = |label: &'static str| profile(&[(0..12).map(|at| row(at, label)).collect()]);
    fine(&page("Name"), &page("Name"));
    changed(&page("Name"), &page("Price"), 0, "the label of two");
}

#[test]
fn links_that_say_something_else() {
    let page = |from: usize, links: usize, word: &dyn Fn(usize) -> Option<&'static str>| {
        let mut profile = single(0, |_| text(""));
        profile.fields = vec![FieldProfile::default()];
        profile.add_page(links as u64, &[links as u64]);
        for at in 0..links {
            profile.fields[0].records += 1;
            profile.fields[0].add(&Sight {
                text: format!("/files/{}.pdf", from + at),
                attribute: true,
                link: true,
                tag: "@href".to_owned(),
                names: word(at).map(|word| format!("\"{word}")).into_iter().collect(),
                ..Sight::default()
            });
        }
        profile
    };
    let known = page(0, 12, &|_| Some("agenda"));
    fine(&known, &page(50, 6, &|_| Some("agenda")));
    changed(
        &known,
        &page(50, 6, &|_| Some("minute")),
        0,
        "none of 6 links says \"agenda\"",
    );
    // Some still say so; pictures say nothing; two are too few.
    fine(&known, &page(50, 6, &|at| Some(["agenda", "minute"][at % 2])));
    fine(&known, &page(50, 6, &|_| None));
    fine(&known, &page(50, 2, &|_| Some("minute")));
    let known = page(0, 12, &|at| Some(WORDS[at % 12]));
    fine(&known, &page(50, 6, &|_| Some("minute")));
}

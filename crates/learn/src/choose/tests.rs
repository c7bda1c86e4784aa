//! Which of several rules is taken.

use super::*;

#[test]
fn a_list_is_shorter_as_one_than_as_many_fields() {
    let page = |names: [&str; 3]| {
        let html: String = names.iter().map(|name| format!("<li>{name}")).collect();
        Page::parse(html.as_bytes(), &Default::default()).unwrap()
    };
    let pages = [page(["a", "b", "c"]), page(["d", "e", "f"])];
    let pages: Vec<&Page> = pages.iter().collect();
    let events = |many: bool| -> Vec<Vec<Event>> {
        let value = |(number, node): (usize, &NodeId), page: &Page| Event::Value {
            field: if many { number as u32 } else { 0 },
            node: *node,
            text: page.string_value(*node).to_owned(),
        };
        let one = |page: &&Page| page.texts().iter().enumerate().map(|text| value(text, page)).collect();
        pages.iter().map(one).collect()
    };
    let (many, one) = (describe(&pages, &events(true), 3), describe(&pages, &events(false), 3));
    assert!(one.bits < many.bits, "{one:?} {many:?}");
    assert_eq!((many.fields, one.fields, one.found), (3, 1, 1000));
    let none = describe(&pages, &[Vec::new(), Vec::new()], 0);
    assert_eq!((none.fields, none.found), (0, 0));
}

fn pages(names: &[&str], html: impl Fn(&str) -> String) -> Vec<Page> {
    let page = |name: &&str| Page::parse(html(name).as_bytes(), &Default::default()).unwrap();
    names.iter().map(page).collect()
}

#[test]
fn numbers_are_no_names() {
    let check = |names: &[&str], expected: usize| {
        for element in ["title", "h1"] {
            let pages = pages(names, |name| format!("<{element}>{name}</{element}><p>text"));
            assert_eq!(named(&pages.iter().collect::<Vec<_>>()), expected, "{names:?}");
        }
    };
    check(&["Kelp - Shop", "Moss - Shop", "Fern - Shop"], 3);
    check(&["Books, page 1", "Books, page 2", "Books, page 3"], 0);
    check(&["Kelp", "Kelp", "Moss", "Fern"], 2);
    check(&["", "", ""], 0);
}

/// Rows of lists, each with the nodes of its values.
fn listed(rows: &[(u32, &[u32])]) -> Vec<Event> {
    let mut events = Vec::new();
    for (list, nodes) in rows {
        events.push(Event::Open(*list));
        let value = |node: &u32| Event::Value {
            field: 0,
            node: NodeId(*node),
            text: "x".to_owned(),
        };
        events.extend(nodes.iter().map(value));
        events.push(Event::Close);
    }
    events
}

#[test]
fn the_same_records_are_known_by_their_places() {
    let region = [listed(&[(0, &[1, 3]), (0, &[5, 7]), (0, &[9, 11])])];
    let check = |rows: &[(u32, &[u32])], expected: bool| {
        assert_eq!(agree(&region, &[listed(rows)]), expected.then_some(1), "{rows:?}");
    };
    check(&[(4, &[1, 2, 3]), (4, &[5]), (4, &[11])], true);
    // Two lists of one shape, which a region takes for one.
    check(&[(4, &[1, 3]), (5, &[5, 7]), (5, &[9, 11])], true);
    check(&[(4, &[1, 3]), (4, &[5, 11])], false);
    // A row of headings is no record.
    check(&[(4, &[0]), (4, &[1, 3]), (4, &[5]), (4, &[11])], false);
    check(
        &[(4, &[1]), (4, &[3]), (4, &[5]), (4, &[7]), (4, &[9]), (4, &[11])],
        false,
    );
    check(&[], false);
    assert_eq!(agree(&[Vec::new()], &[Vec::new()]), None);
    // Rows with records in each are not cells in one field; several values are.
    let nested = |second: u32| {
        let mut events = Vec::new();
        for row in [[1, 3], [5, 7], [9, 11]] {
            events.push(Event::Open(4));
            for (field, node) in [(0, row[0]), (second, row[1])] {
                let text = "x".to_owned();
                let node = NodeId(node);
                events.extend([Event::Open(5), Event::Value { field, node, text }, Event::Close]);
            }
            events.push(Event::Close);
        }
        [events]
    };
    assert_eq!(agree(&region, &nested(1)), Some(usize::MAX));
    assert_eq!(agree(&region, &nested(0)), Some(1));
}

#[test]
fn a_row_that_is_the_same_on_every_page_is_no_record() {
    let said = |text: &str, records: &[(u32, &[u32])]| -> Vec<Event> {
        let mut events = listed(records);
        if let Some(Event::Value { text: first, .. }) = events.get_mut(1) {
            *first = text.to_owned();
        }
        events
    };
    let region = || listed(&[(0, &[3, 5]), (0, &[7, 9])]);
    let regions = [region(), region()];
    let rows: [(u32, &[u32]); 3] = [(4, &[1]), (4, &[3, 5]), (4, &[7, 9])];
    let check = |texts: [&str; 2], rows: &[(u32, &[u32])], expected: bool| {
        let template = texts.map(|text| said(text, rows));
        assert_eq!(takes_headings(&regions, &template), expected, "{texts:?} {rows:?}");
    };
    check(["Name", "Name"], &rows, true);
    check(["Kelp", "Moss"], &rows, false);
    check(["Name", "Name"], &rows[1..], false);
    check(["Name", "Name"], &rows[..2], false);
    assert!(
        !takes_headings(&regions[..1], &[said("Name", &rows)]),
        "one page does not tell"
    );
}

#[test]
fn of_the_same_records_those_of_the_template_are_taken() {
    let described = |share, bits| Description {
        bits,
        found: 900,
        data: 500,
        list: MainList {
            share,
            own: share,
            rows: 9,
            fields: 3,
            labels: 0,
            filled: 1000,
            mixed: 0,
        },
        ..Description::default()
    };
    let (region, template) = (described(900, 100), described(900, 200));
    let headed = Description { headed: true, ..region };
    assert!(prefers_regions(&headed, &template, Some(3)) && !prefers_regions(&headed, &template, Some(4)));
    assert!(prefers_regions(&region, &template, None));
    assert!(!prefers_regions(&region, &template, Some(3)));
    let copies = |description| Description { data: 3, ..description };
    assert!(prefers_regions(&copies(region), &copies(template), None));
    assert!(!prefers_regions(&copies(region), &copies(template), Some(3)));
    assert!(!prefers_regions(&copies(region), &copies(described(500, 200)), Some(1)));
    assert!(
        prefers_regions(&region, &described(500, 200), Some(3)),
        "a template without most of the values"
    );
    let fields = |fields| Description {
        list: MainList { fields, ..region.list },
        ..region
    };
    assert!(
        prefers_regions(&fields(7), &template, Some(3)),
        "cells that are told apart"
    );
    assert!(!prefers_regions(&fields(5), &template, Some(3)));
    let on = |description: &Description, listed| Description { listed, ..*description };
    assert!(
        prefers_regions(&on(&region, 10), &on(&template, 9), Some(3)),
        "a page is lost"
    );
    assert!(!prefers_regions(&on(&region, 9), &on(&template, 10), Some(3)));
}

/// A region against a template with as much of the data: which lists are taken by their rows, fields and makes.
#[test]
fn the_finer_list_is_taken_if_it_mixes_nothing() {
    let described = |(rows, fields, filled, mixed, own): (usize, usize, u64, u64, u64)| Description {
        bits: 1000,
        found: own,
        data: 500,
        listed: 2,
        list: MainList {
            share: own,
            own,
            rows,
            fields,
            labels: 0,
            filled,
            mixed,
        },
        ..Description::default()
    };
    let check = |region, template, agree, expected: bool| {
        let (region, template) = (described(region), described(template));
        assert_eq!(
            prefers_regions(&region, &template, agree),
            expected,
            "{region:?} {template:?}"
        );
    };
    // Three records in each row of a table.
    check((14, 7, 870, 0, 950), (5, 22, 930, 0, 950), None, true);
    check((14, 7, 870, 300, 950), (5, 22, 930, 0, 950), None, false);
    // Several columns in one field, and rows that are full because of that.
    check((12, 2, 1000, 1360, 970), (12, 5, 870, 400, 970), Some(5), false);
    check((12, 2, 1000, 500, 970), (12, 5, 870, 400, 970), Some(5), true);
    // Rows of which the template has nothing but lists.
    check((5, 6, 620, 410, 1000), (5, 4, 0, 1430, 1000), Some(usize::MAX), true);
    check((5, 6, 620, 1300, 1000), (5, 4, 0, 1430, 1000), Some(usize::MAX), false);
    // More of the data, with other rows.
    check((15, 4, 960, 0, 960), (11, 4, 1000, 0, 880), None, true);
    check((15, 4, 760, 0, 960), (11, 4, 1000, 0, 880), None, false);
    // The same with the headings of groups.
    let grouped = Description {
        grouped: true,
        ..described((12, 5, 1000, 490, 870))
    };
    assert!(prefers_regions(&grouped, &described((12, 5, 1000, 490, 900)), None));
    assert!(!prefers_regions(&grouped, &described((12, 5, 1000, 490, 950)), None));
}

#[test]
fn values_of_one_make_are_those_of_one_column() {
    let list = |mixed, filled| MainList {
        share: 900,
        own: 900,
        rows: 9,
        fields: 4,
        labels: 0,
        filled,
        mixed,
    };
    let described = |mixed, filled| Description {
        found: 900,
        data: 500,
        listed: 2,
        list: list(mixed, filled),
        ..Description::default()
    };
    let check = |regions: Description, template: Description, expected: bool| {
        assert_eq!(prefers_regions(&regions, &template, Some(4)), expected);
    };
    check(described(300, 1000), described(400, 1000), true);
    check(described(400, 1000), described(300, 1000), false);
    // Even if a page has none for the template.
    let lost = Description {
        listed: 1,
        ..described(300, 1000)
    };
    check(described(400, 1000), lost, true);
    check(described(600, 1000), lost, false);
    // Half of the data is lost.
    let half = Description {
        list: MainList {
            share: 450,
            own: 450,
            ..list(300, 1000)
        },
        ..described(300, 1000)
    };
    check(half, described(400, 1000), false);
}

#[test]
fn makes_are_counted_without_what_is_there_twice() {
    let count = |rows: &[&[(u32, u32, &str)]]| {
        let mut list = Listed::default();
        for row in rows {
            let row: Vec<(u32, NodeId, &str)> = row
                .iter()
                .map(|(field, node, text)| (*field, NodeId(*node), *text))
                .collect();
            list.add_row(&row);
        }
        list.summary(1).mixed
    };
    assert_eq!(
        count(&[&[(0, 1, "Kelp"), (1, 2, "$5.00")], &[(0, 1, "Moss"), (1, 2, "$6.00")]]),
        0
    );
    assert_eq!(
        count(&[&[(0, 1, "Kelp"), (1, 2, "$5.00")], &[(0, 1, "$6.00"), (1, 2, "Moss")]]),
        1000
    );
    let whole = |text| [(0, 1, text), (1, 1, "Ann Lee")];
    assert_eq!(
        count(&[
            &whole("by Ann Lee"),
            &whole("Ann Lee, who wrote it in the year of the flood")
        ]),
        0
    );
}

#[test]
fn a_template_with_mixed_rows_is_not_taken() {
    let described = |(share, own), (rows, fields), filled| Description {
        found: share,
        data: 500,
        listed: 2,
        list: MainList {
            share,
            own,
            rows,
            fields,
            labels: 0,
            filled,
            mixed: 0,
        },
        ..Description::default()
    };
    let region = described((950, 950), (9, 4), 990);
    let agree = Some(4);
    assert!(prefers_regions(&region, &described((980, 980), (9, 4), 700), agree));
    assert!(!prefers_regions(&region, &described((980, 980), (9, 4), 970), agree));
    assert!(
        !prefers_regions(
            &described((500, 500), (9, 4), 990),
            &described((980, 980), (9, 4), 700),
            agree
        ),
        "half of the data is lost"
    );
    let one_of_two = described((480, 480), (9, 4), 990);
    assert!(prefers_regions(&one_of_two, &described((980, 490), (9, 4), 700), agree));
    assert!(
        !prefers_regions(&region, &described((980, 980), (9, 4), 0), agree),
        "lists in lists"
    );
    let tables = described((980, 980), (2, 40), 990);
    assert!(prefers_regions(&one_of_two, &tables, None), "two lists as two records");
    assert!(!prefers_regions(&one_of_two, &tables, agree));
}

#[test]
fn names_ask_for_more_of_the_data_in_a_list() {
    let with = |share| Description {
        data: 500,
        list: MainList {
            share,
            own: share,
            rows: 10,
            fields: 4,
            labels: 0,
            filled: 1000,
            mixed: 0,
        },
        ..Description::default()
    };
    let check = |pages, named, share, expected| {
        assert_eq!(
            are_lists(pages, named, &[with(share)], false),
            expected,
            "{named} {share}"
        );
    };
    check(20, 0, 340, true);
    check(20, 0, 300, false);
    check(20, 20, 940, false);
    check(20, 20, 960, true);
    check(2, 2, 600, true);
    // A few records beside much other text.
    let both = [with(150), with(140)];
    assert!(are_lists(6, 1, &both, true) && !are_lists(6, 1, &both, false) && !are_lists(6, 6, &both, true));
    // A table with headings on every page.
    let headed = [Description {
        headed: true,
        ..with(180)
    }];
    assert!(are_lists(6, 1, &headed, false) && are_lists(3, 3, &headed, false) && !are_lists(6, 6, &headed, false));
    let small = [Description {
        headed: true,
        ..with(110)
    }];
    assert!(are_lists(6, 1, &small, false) && !are_lists(3, 3, &small, false));
    let single = Description {
        data: 500,
        list: MainList {
            fields: 1,
            ..with(990).list
        },
        ..Description::default()
    };
    assert!(!are_lists(20, 0, &[single], false), "paragraphs are no records");
}

#[test]
fn two_tables_are_as_much_of_the_data_as_one() {
    let table = |from: usize| {
        let row = |at: usize| format!("<tr><td>name{}</td><td>{}</td></tr>", from + at, 7 * (from + at));
        format!("<table>{}</table>", (0..4).map(row).collect::<String>())
    };
    let html = |page: usize| format!("{}<h3>Doubles</h3>{}", table(100 * page), table(100 * page + 50));
    let pages: Vec<Page> = (1..3)
        .map(|page| Page::parse(html(page).as_bytes(), &Default::default()).unwrap())
        .collect();
    let pages: Vec<&Page> = pages.iter().collect();
    let events = |page: &&Page| {
        let texts: Vec<NodeId> = page.texts().to_vec();
        let cells: Vec<NodeId> = texts
            .into_iter()
            .filter(|node| page.string_value(*node) != "Doubles")
            .collect();
        let mut events = Vec::new();
        for (at, row) in cells.chunks(2).enumerate() {
            events.push(Event::Open(u32::from(at >= 4)));
            for (column, node) in row.iter().enumerate() {
                events.push(Event::Value {
                    field: column as u32 + if at >= 4 { 2 } else { 0 },
                    node: *node,
                    text: page.string_value(*node).to_owned(),
                });
            }
            events.push(Event::Close);
        }
        events
    };
    let found: Vec<Vec<Event>> = pages.iter().map(events).collect();
    let description = describe(&pages, &found, 1);
    assert!(description.list.share >= 990, "{description:?}");
    // Copies of a page have no data, and are lists all the same.
    let copies = [pages[0], pages[0]];
    let description = describe(&copies, &[found[0].clone(), found[0].clone()], 1);
    assert_eq!(description.data, 0);
    assert!(are_lists(2, 0, &[description], false) && !are_lists(2, 0, &[Description::default()], false));
}

#[test]
fn labels_are_the_same_on_each_page() {
    let check = |texts: &[&[&str]], expected: bool| {
        let mut field = Texts::default();
        for (number, page) in texts.iter().enumerate() {
            page.iter().for_each(|text| field.add(number, text));
        }
        assert_eq!(field.are_labels(), expected, "{texts:?}");
    };
    check(
        &[
            &["Code", "Weight", "Size"],
            &["Code", "Weight"],
            &["Code", "Weight", "Size"],
        ],
        true,
    );
    check(&[&["Kelp", "Moss", "Fern"], &["Reed", "Sedge"]], false);
    check(&[&["Buy", "Buy", "Buy"], &["Buy", "Buy"]], false);
    check(&[&["1", "2", "3"], &["1", "2", "3"]], false);
    check(&[&["Code", "Weight"]], false);
}

#[test]
fn a_template_with_a_list_is_better_than_a_field_for_each_of_its_rows() {
    let list = MainList {
        share: 780,
        own: 780,
        rows: 12,
        fields: 5,
        filled: 700,
        ..MainList::default()
    };
    let template = Description {
        bits: 10_000,
        fields: 10,
        found: 990,
        list,
        ..Description::default()
    };
    let landmarks = Description {
        bits: 12_000,
        fields: 39,
        found: 900,
        ..Description::default()
    };
    assert!(nests_list(&template, &landmarks));
    let few = Description {
        fields: 15,
        ..landmarks
    };
    assert!(!nests_list(&template, &few), "landmarks have no field for each row");
    let shorter = Description {
        bits: 9_000,
        ..landmarks
    };
    assert!(
        !nests_list(&template, &shorter),
        "landmarks describe the pages in fewer bits"
    );
}

#[test]
fn a_field_for_each_cell_is_a_list_with_as_many_rows_on_every_page() {
    let rows = Description {
        list: MainList {
            share: 259,
            own: 259,
            rows: 13,
            fields: 8,
            filled: 1000,
            ..MainList::default()
        },
        fields: 8,
        found: 259,
        data: 747,
        listed: 5,
        ..Description::default()
    };
    let cells = |fields: usize| Description {
        fields,
        found: 1000,
        data: 747,
        ..Description::default()
    };
    assert!(are_lists(5, 0, &[cells(111), rows], false) && prefers_regions(&rows, &cells(111), None));
    // Few of the cells, or much else.
    assert!(!are_lists(5, 0, &[cells(40), rows], false) && !are_lists(5, 0, &[cells(300), rows], false));
    // Pages with names of their own are about things.
    assert!(!are_lists(5, 5, &[cells(111), rows], false));
}

#[test]
fn rows_of_a_template_are_better_than_pieces_of_them() {
    let list = |rows: usize, fields: usize, mixed: u64| Description {
        list: MainList {
            share: 837,
            own: 837,
            rows,
            fields,
            filled: 800,
            mixed,
            ..MainList::default()
        },
        fields,
        found: 837,
        data: 493,
        listed: 5,
        ..Description::default()
    };
    let grouped = |description: Description| Description {
        grouped: true,
        ..description
    };
    assert!(!prefers_regions(&grouped(list(53, 3, 333)), &list(14, 9, 0), None));
    // With values of one make in each field, the template has several records in a row.
    assert!(prefers_regions(&grouped(list(53, 3, 0)), &list(14, 9, 0), None));
}

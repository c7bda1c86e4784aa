//! Tables of one shape whose columns have different headings: they are different lists, however alike their rows are.
//!
//! The headings of a table are the texts of the first row with two or more `th`. Digits do not count: a column called 2018 in one table and 2019 in
//! the next one may be one column of one list.

use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::Event;
use wrapper::rule::paths::value;

/// The rows of a table in which its headings are looked for.
const ROWS: usize = 3;
/// The most cells that are looked at.
const CELLS: usize = 60;

/// The table around a node.
pub(crate) fn table(page: &Page, node: NodeId) -> Option<NodeId> {
    let mut around = std::iter::once(node).chain(page.ancestors(node));
    around.find(|up| page.name(*up) == "table")
}

/// The headings of a table as they are written, if it has some.
pub(crate) fn headings(page: &Page, table: NodeId) -> Option<Vec<String>> {
    let sections = page.children(table).filter(|child| page.is_element(*child)).take(ROWS);
    let rows = sections.flat_map(|section| {
        let is_row = page.name(section) == "tr";
        let inner = page.children(section).filter(move |_| !is_row);
        is_row.then_some(section).into_iter().chain(inner)
    });
    let rows = rows.filter(|row| page.name(*row) == "tr").take(ROWS);
    let cells = rows.map(|row| -> Vec<String> {
        let cells = page.children(row).filter(|cell| page.name(*cell) == "th").take(CELLS);
        cells.map(|cell| value(page, cell)).collect()
    });
    cells.into_iter().find(|cells| cells.len() >= 2)
}

/// Headings without what may vary in one list.
fn plain(headings: &[String]) -> Vec<String> {
    let words = |text: &String| {
        text.chars()
            .filter(|c| c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect()
    };
    headings.iter().map(words).collect()
}

/// Are nodes in tables with headings, not all of which have the same ones?
pub(crate) fn differ(page: &Page, nodes: impl Iterator<Item = NodeId>) -> bool {
    let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
    for node in nodes {
        let Some(headings) = table(page, node).and_then(|table| headings(page, table)) else {
            return false;
        };
        known.insert(plain(&headings));
    }
    known.len() >= 2
}

/// Do the items of one list come from tables with different headings, two or more from each, on most of the pages?
pub fn mixes_tables(pages: &[&Page], found: &[Vec<Event>]) -> bool {
    let is_mixed = |(page, events): (&&Page, &Vec<Event>)| {
        let mut tables: HashMap<NodeId, Option<Vec<String>>> = HashMap::new();
        let mut lists: BTreeMap<u32, BTreeMap<Vec<String>, usize>> = BTreeMap::new();
        let mut open: Vec<(u32, bool)> = Vec::new();
        for event in events {
            match event {
                Event::Open(list) => open.push((*list, false)),
                Event::Close => drop(open.pop()),
                Event::Value { node, .. } => {
                    // The first value of an item says where it is.
                    let Some((list, is_known)) = open.last_mut().filter(|(_, is_known)| !is_known) else {
                        continue;
                    };
                    *is_known = true;
                    let Some(table) = table(page, *node) else { continue };
                    let own = tables
                        .entry(table)
                        .or_insert_with(|| headings(page, table).map(|texts| plain(&texts)));
                    if let Some(own) = own {
                        *lists.entry(*list).or_default().entry(own.clone()).or_default() += 1;
                    }
                }
            }
        }
        let is_two = |heads: &BTreeMap<Vec<String>, usize>| heads.values().filter(|items| **items >= 2).count() >= 2;
        lists.values().any(is_two)
    };
    let mixed = pages.iter().zip(found).filter(|pair| is_mixed(*pair)).count();
    mixed * 2 > pages.len()
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    fn table(columns: [&str; 2], rows: std::ops::Range<usize>) -> String {
        let row = |number: usize| {
            let name = ["Kelp", "Moss", "Fern", "Algae", "Reed", "Oak"][number % 6];
            format!(
                "<tr><td><a href=/{number}>{name} {number}</a><td>${number}.50<td>${}.25</tr>",
                9 * number
            )
        };
        let rows: String = rows.map(row).collect();
        let [one, other] = columns;
        format!("<table><tr><th>Title<th>{one}<th>{other}</tr>{rows}</table>")
    }

    #[test]
    fn tables_with_other_columns_are_other_lists() {
        let page = |first: usize, second: usize| {
            let one = table(["List price", "Our price"], 0..first);
            let other = table(["Deposit", "Fee"], 20..20 + second);
            Page::parse_str(&format!("<h1>Goods</h1>{one}{other}"), &Default::default()).unwrap()
        };
        let from = page(6, 7);
        let lists = crate::regions::find(&from, &Job::new());
        assert_eq!((lists[0].records, lists[1].records), (6, 7), "{lists:?}");
        assert!(lists[0].names.contains(&"our_price".to_owned()), "{:?}", lists[0].names);
        assert!(lists[1].names.contains(&"fee".to_owned()), "{:?}", lists[1].names);
        let others = |at: usize| PathsRun::new(&lists[at].rule).unwrap().page(&page(3, 4)).len();
        assert_eq!((others(0), others(1)), (3, 4));
        // With the same columns they are one.
        let one = table(["2016 price", "Fee"], 0..6) + &table(["2017 price", "Fee"], 20..27);
        let page = Page::parse_str(&format!("<h1>Goods</h1>{one}"), &Default::default()).unwrap();
        assert_eq!(crate::regions::find(&page, &Job::new())[0].records, 13);
    }
}

//! Rules across the page (`hr`) between records.
//!
//! Whoever draws a rule after each record says where records end. A division whose records mostly have a rule inside begins at the wrong line: it has the end of one record and the
//! beginning of the next.
//!
//! Linear in the items of the records.

use super::Candidate;
use super::sight::Sight;
use page::NodeId;

/// Have half of the records of several items, or more, a rule between their first and last text?
pub(super) fn cross_rules(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let (page, items) = (sight.page, &candidate.items);
    if !items.is_flat() || candidate.records.iter().all(|record| record.len() == 1) {
        return false;
    }
    let rules: Vec<NodeId> = page
        .children(items.base)
        .filter(|child| page.name(*child) == "hr")
        .collect();
    let is_crossing = |record: &&std::ops::Range<usize>| {
        let full = |at: &usize| !items.leaves[*at].is_empty();
        let last = (*record).clone().rev().find(full).unwrap_or(record.start);
        let place = |node: NodeId| rules.partition_point(|rule| *rule < node);
        place(items.nodes[last]) > place(items.nodes[record.start])
    };
    let crossing = candidate.records.iter().filter(is_crossing).count();
    crossing > 0 && crossing * 2 >= candidate.records.len()
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn records_end_at_rules() {
        let titles = [
            "Night Ledger",
            "Amber Paper",
            "Attic",
            "Kelp Harbour",
            "The Tin Compass",
            "Salt",
            "Late Orchard",
        ];
        let record = |number: usize| {
            let text = match number % 3 {
                0 => String::new(),
                _ => format!("A long text about {} and what is in it.<br>", titles[number]),
            };
            let size = if number % 4 == 1 {
                String::new()
            } else {
                format!(" | {}K", number + 3)
            };
            format!(
                "<b><a href=/p/{number}>{}</a></b><br>{text}<font color=green>http://site{number}.example/</font>{size}<hr>",
                titles[number]
            )
        };
        let list: String = (0..7).map(record).collect();
        let page = Page::parse_str(&format!("<h1>Hits</h1><div><hr>{list}</div>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        assert_eq!(records.len(), 7, "{:?}", best.rule);
        for (number, record) in records.iter().enumerate() {
            let says = |text: &str| record.values.iter().any(|value| value.text == text);
            assert!(
                says(titles[number]) && says(&format!("http://site{number}.example/")),
                "{record:?}: {:?}",
                best.rule
            );
        }
    }
}

//! Do the rows of a list reach over blank lines?
//!
//! A line with a date, a link below it and a blank line may be taken for rows in two ways: from date to link, or from each link to the date of the next
//! record. Both look alike, and both describe the page equally well. The blank line tells which one is right: two line breaks or a rule are between records, and not
//! in each of them. **Cost**: linear in the pages.

use super::rows;
use page::{Kind, NodeId, Page};
use std::collections::BTreeMap;
use wrapper::rule::Event;

/// Rows reach over blank lines if this number of ten do, and do not if at most this number do.
const MOSTLY: usize = 8;
const HARDLY: usize = 1;

/// Do nearly all rows of the main list of a template reach over blank lines, and hardly any record of a region?
pub fn reaches_over_breaks(pages: &[&Page], regions: &[Vec<Event>], template: &[Vec<Event>]) -> bool {
    let (reaching, all) = reaching(pages, template);
    let (within, records) = self::reaching(pages, regions);
    all > 0 && records > 0 && reaching * 10 >= all * MOSTLY && within * 10 <= records * HARDLY
}

/// How many rows of the longest list reach over a blank line, and how many there are.
fn reaching(pages: &[&Page], found: &[Vec<Event>]) -> (usize, usize) {
    let mut lists: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (page, events) in pages.iter().zip(found) {
        let breaks = breaks(page);
        let reaches = |(first, last): &&(NodeId, NodeId)| {
            let next = breaks.partition_point(|node| node <= first);
            breaks.get(next).is_some_and(|node| node < last)
        };
        for (list, rows) in rows(events) {
            let (reaching, all) = lists.entry(list).or_default();
            *reaching += rows.iter().filter(reaches).count();
            *all += rows.len();
        }
    }
    lists.into_values().max_by_key(|(_, all)| *all).unwrap_or_default()
}

/// The rules of a page, and the line breaks right after other ones.
fn breaks(page: &Page) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut is_after = false;
    for node in (0..page.end(NodeId::DOCUMENT).0).map(NodeId) {
        match page.kind(node) {
            Kind::Text if !page.string_value(node).trim().is_empty() => is_after = false,
            Kind::Element => match page.name(node) {
                "hr" => found.push(node),
                "br" if is_after => found.push(node),
                "br" => is_after = true,
                _ => {}
            },
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_between_records() {
        let html: String = (0..5)
            .map(|at| format!("Filed May {at}<br><a href=/{at}>Case {at}</a><br><br>"))
            .collect();
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let texts: Vec<NodeId> = (0..page.end(NodeId::DOCUMENT).0)
            .map(NodeId)
            .filter(|node| page.kind(*node) == Kind::Text)
            .collect();
        let events = |from: usize| -> Vec<Event> {
            let row = |two: &[NodeId]| {
                let value = |(field, node): (usize, &NodeId)| Event::Value {
                    field: field as u32,
                    text: page.string_value(*node).to_owned(),
                    node: *node,
                };
                let values: Vec<Event> = two.iter().enumerate().map(value).collect();
                [vec![Event::Open(0)], values, vec![Event::Close]].concat()
            };
            texts[from..].chunks_exact(2).flat_map(row).collect()
        };
        let (right, shifted) = (vec![events(0)], vec![events(1)]);
        assert!(reaches_over_breaks(&[&page], &right, &shifted));
        assert!(!reaches_over_breaks(&[&page], &shifted, &right));
        assert!(!reaches_over_breaks(&[&page], &right, &right));
    }
}

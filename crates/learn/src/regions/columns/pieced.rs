//! Values that are written in several elements: `<strong><abbr>Jan</abbr> 18, 2022</strong>`, `<b>$<span>12</span><sup>.99</sup></b>`.
//!
//! An element is one value if its whole text is a date, a time or a price in nearly all records, and none of the texts in it is one in most of them. Where a text
//! in it is a value of its own, as in `<p>Price: <b>$12</b></p>` and in a date beside a time, the texts stay columns. An element with blocks or several links in it is no value.
//!
//! Linear in the leaves, times the levels that are looked at.

use super::super::is_data;
use super::{Key, Maker, NEARLY_ALL, full};
use page::NodeId;
use wrapper::rule::paths::value;

/// How many levels above a text the element with the whole value may be.
const LEVELS: usize = 2;
/// Fewer records do not tell.
const FEWEST: usize = 3;

impl Maker<'_, '_> {
    /// Makes one column of the texts of an element that are one value together.
    pub(super) fn unite_pieces(&mut self) {
        for at in 0..self.keys.len() {
            let found = (0..=LEVELS).find_map(|up| self.pieces_of(at, up));
            let Some((whole, members, nodes)) = found else { continue };
            for member in members {
                self.cells[member].nodes = vec![Vec::new(); self.count];
            }
            self.keys[at] = whole.clone();
            self.numbers.insert(whole, at);
            self.cells[at].nodes = nodes;
            self.pieced.insert(at);
        }
    }

    /// The column of the elements `up` levels above those of another one, the columns of the texts in them, and its cells, if they are one value.
    fn pieces_of(&self, at: usize, up: usize) -> Option<(Key, Vec<usize>, Vec<Vec<NodeId>>)> {
        let key = &self.keys[at];
        let depth = key.steps.len().checked_sub(up).filter(|depth| *depth > 0)?;
        if !self.is_text(at) || full(&self.cells[at]).len() < FEWEST {
            return None;
        }
        let steps = &key.steps[..depth];
        let is_member = |other: &usize| {
            let key = &self.keys[*other];
            self.is_text(*other) && key.role == self.keys[at].role && key.steps.starts_with(steps)
        };
        let members: Vec<usize> = (0..self.keys.len()).filter(is_member).collect();
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); self.count];
        for member in &members {
            let above = self.keys[*member].steps.len() - depth;
            for (record, own) in self.cells[*member].nodes.iter().enumerate() {
                let whole = own.iter().filter_map(|node| {
                    let mut around = std::iter::once(*node).chain(self.page.ancestors(*node));
                    around.nth(above)
                });
                nodes[record].extend(whole);
                nodes[record].sort_unstable();
                nodes[record].dedup();
            }
        }
        let all: Vec<NodeId> = nodes.iter().flatten().copied().collect();
        let most = |count: usize| count as f64 >= NEARLY_ALL * all.len() as f64;
        let is_single = nodes.iter().all(|nodes| nodes.len() <= 1);
        let pieces = all.iter().filter(|node| self.is_in_pieces(**node)).count();
        let whole = || all.iter().filter(|node| is_data(&value(self.page, **node)));
        let has_value = |node: &&NodeId| {
            let leaves = &self.sight.leaves[self.sight.range(**node)];
            leaves
                .iter()
                .any(|leaf| is_data(self.page.string_value(leaf.node).trim()))
        };
        if !is_single || all.len() < FEWEST || !most(pieces) || !most(whole().count()) {
            return None;
        }
        let valued = all.iter().filter(has_value).count();
        (valued * 2 < all.len()).then(|| {
            let whole = Key {
                steps: steps.to_vec(),
                ..key.clone()
            };
            (whole, members, nodes)
        })
    }

    fn is_text(&self, at: usize) -> bool {
        let key = &self.keys[at];
        key.attribute.is_none() && key.sign.is_none() && !self.pieced.contains(&at)
    }

    /// Has an element several texts in a line, and nothing but texts?
    fn is_in_pieces(&self, node: NodeId) -> bool {
        let page = self.page;
        let inside = (node.0 + 1..page.end(node).0).map(NodeId);
        let mut elements = inside.filter(|node| page.is_element(*node)).map(|node| page.name(node));
        let leaves = &self.sight.leaves[self.sight.range(node)];
        leaves.len() > 1
            && leaves.iter().all(|leaf| leaf.is_text())
            && elements.all(|name| name != "a" && name != "br" && page::vocabulary::is_phrasing(name))
    }
}

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// The texts of a field of the first list, one for each record that has it.
    fn texts(html: &str, field: &str) -> Vec<String> {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let at = best.names.iter().position(|name| name == field);
        let at = at.unwrap_or_else(|| panic!("no {field} in {:?}", best.names));
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let values = records.into_iter().flat_map(|record| record.values);
        let own = values.filter(|value| value.field == at);
        own.map(|value| value.text).collect()
    }

    /// Meetings with a date in two elements; every third one has minutes, and all but these a date after a word.
    fn meetings() -> String {
        let months = ["Jan", "Sep", "Apr", "Aug", "Feb", "May", "Dec"];
        let row = |(at, month): (usize, &&str)| {
            let (posted, minutes) = match at % 3 {
                0 => ("", "<a href=/minutes><img src=/icon.png></a>"),
                _ => (" — Posted Nov 7, 2019", ""),
            };
            let date = format!("<strong><abbr>{month}</abbr> {}, 2018</strong>", at + 11);
            let title = format!("<p><a href=/agenda/{at}>Meeting about {month}</a></p>");
            format!("<tr><td><h3>{date}{posted}</h3>{title}</td><td>{minutes}</td></tr>")
        };
        let rows: String = months.iter().enumerate().map(row).collect();
        format!("<table>{rows}</table>")
    }

    #[test]
    fn a_date_in_two_elements_is_one_value() {
        let dates = texts(&meetings(), "date");
        assert_eq!((dates.len(), dates[1].as_str()), (7, "Sep 12, 2018"));
    }

    #[test]
    fn what_is_after_a_sign_and_a_word_is_a_value() {
        assert_eq!(texts(&meetings(), "posted"), vec!["Nov 7, 2019"; 4]);
    }

    #[test]
    fn a_cell_that_few_rows_fill_belongs_to_the_row() {
        assert_eq!(texts(&meetings(), "link_2"), vec!["/minutes"; 3]);
    }

    #[test]
    fn a_price_in_pieces_is_one_value_and_a_price_after_its_label_stays() {
        let item = |price: &str, at: usize| format!("<li><a href=/{at}>Lamp {at} of the shore</a> {price}</li>");
        let list = |price: fn(usize) -> String| -> String {
            let items: String = (1..6).map(|at| item(&price(at), at)).collect();
            format!("<ul>{items}</ul>")
        };
        let pieces = list(|at| format!("<b>$<span>{at}7</span><sup>.99</sup></b>"));
        assert_eq!(texts(&pieces, "price")[..2], ["$17.99", "$27.99"]);
        let labelled = list(|at| format!("<em>Price: <b>${at}.50</b></em>"));
        assert_eq!(texts(&labelled, "price")[..2], ["$1.50", "$2.50"]);
    }
}

//! Cells of a table whose text is made in one way in some rows and in another way in others: a date alone here, and there in a paragraph
//! with a note below it.
//!
//! Whoever writes such a table by hand does not care which element a text is in, so the elements tell nothing. If most rows have one text in
//! the cell, the first text is the value in all of them, and what follows it is a note. If most have several, they are the lines of one value.
//! Only elements that say nothing about their text count: paragraphs and the like without a class, not links or words in bold.
//!
//! Linear in the leaves of the records that are looked at.

use super::{Cells, Key, Made, Maker, NEARLY_ALL, ODD, PathField, Step, Way, full, is_told, sight};
use page::NodeId;
use std::collections::BTreeMap;

/// Elements that say nothing about their text.
const PLAIN: [&str; 5] = ["p", "div", "span", "font", "center"];

impl Maker<'_, '_> {
    /// Makes columns of uneven cells, each before the key of its first text, and takes their texts away from the others.
    pub(super) fn uneven_cells(&mut self) -> BTreeMap<usize, Vec<Made>> {
        let mut groups: BTreeMap<Vec<(u32, Option<usize>)>, Vec<usize>> = BTreeMap::new();
        for (at, key) in self.keys.iter().enumerate() {
            let cell = key.steps.iter().rposition(|(_, cell)| cell.is_some());
            if let (None, Some(cell), false) = (key.role, cell, full(&self.cells[at]).is_empty()) {
                let steps = key.steps[..=cell].iter();
                let cell = steps.map(|(name, cell)| (name.index() as u32, *cell)).collect();
                groups.entry(cell).or_default().push(at);
            }
        }
        let groups = groups
            .into_iter()
            .filter(|(cell, group)| self.is_uneven(cell.len(), group));
        let groups: Vec<(usize, Vec<usize>)> = groups.map(|(cell, group)| (cell.len(), group)).collect();
        let mut made = BTreeMap::new();
        for (length, group) in groups {
            made.insert(group[0], self.united(length, &group));
            for at in group {
                self.cells[at] = Cells {
                    nodes: vec![Vec::new(); self.count],
                };
            }
        }
        made
    }

    /// Are texts of a cell, with `length` steps to it, in different elements, none of which nearly all rows have?
    fn is_uneven(&self, length: usize, group: &[usize]) -> bool {
        let is_plain = |(name, cell): &Step| cell.is_none() && PLAIN.contains(&self.page.name_text(*name));
        let is_told = |at: usize| {
            self.cells[at]
                .nodes
                .iter()
                .flatten()
                .any(|node| is_told(self.page, *node))
        };
        // One row in bold says nothing either.
        let is_odd = |at: usize| full(&self.cells[at]).len() * ODD <= self.count;
        let is_mark = |(name, cell): &Step| cell.is_none() && sight::is_marking(self.page.name_text(*name));
        let plain = group.iter().all(|at| {
            let key = &self.keys[*at];
            let below = &key.steps[length..];
            key.attribute.is_none()
                && key.sign.is_none()
                && below.iter().all(|step| is_plain(step) || is_odd(*at) && is_mark(step))
                && (below.is_empty() || !is_told(*at))
        });
        // A key that only some of the rows have, beside another one that they lack.
        let rows: Vec<Vec<usize>> = group.iter().map(|at| full(&self.cells[*at])).collect();
        let most = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let all = (0..self.count).filter(|row| rows.iter().any(|rows| rows.binary_search(row).is_ok()));
        let all = all.count() as f64;
        plain && group.len() > 1 && (most < all || rows.iter().any(|rows| (rows.len() as f64) < NEARLY_ALL * all))
    }

    /// The columns of uneven cells.
    fn united(&self, length: usize, group: &[usize]) -> Vec<Made> {
        let page = self.page;
        let mut cells: Vec<NodeId> = Vec::new();
        for number in 0..self.count {
            let mut up = group.iter().filter_map(|at| {
                let node = self.cells[*at].nodes[number].first()?;
                let mut around = std::iter::once(*node).chain(page.ancestors(*node));
                around.nth(self.keys[*at].steps.len() - length)
            });
            cells.extend(up.next());
        }
        let single = cells.iter().filter(|cell| self.sight.range(**cell).len() == 1).count();
        let key = Key {
            steps: self.keys[group[0]].steps[..length].to_vec(),
            ..self.keys[group[0]].clone()
        };
        let is_spaced = |cell: &NodeId| page.string_value(*cell).contains('\u{a0}');
        let said = match cells.iter().any(is_spaced) {
            true => "normalize-space(translate(., \"\u{a0}\", \" \"))",
            false => "normalize-space()",
        };
        let texts = format!("{}/descendant::text()[{said}]", self.path(&key, ""));
        let column = |test: &str, many: bool| Made {
            field: PathField {
                many,
                ways: vec![Way {
                    path: format!("{texts}{test}"),
                    ..Way::default()
                }],
            },
            nodes: cells.clone(),
            attribute: None,
            label: None,
        };
        match single * 2 >= cells.len() {
            true => {
                let notes = (single + 1 < cells.len()).then(|| column("[position()>1]", true));
                [column("[1]", false)].into_iter().chain(notes).collect()
            }
            false => vec![column("", true)],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    fn table(rows: &[&str]) -> Vec<Vec<(String, String)>> {
        let head = "<tr><th>Date</th><th>Place</th></tr>";
        let rows: String = rows.iter().map(|row| format!("<tr>{row}</tr>")).collect();
        let page = Page::parse_str(&format!("<table>{head}{rows}</table>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let said = |value: &wrapper::rule::paths::PathValue| (best.names[value.field].clone(), value.text.clone());
        records
            .iter()
            .map(|record| record.values.iter().map(said).collect())
            .collect()
    }

    #[test]
    fn a_note_below_a_value_does_not_move_the_value() {
        let found = table(&[
            "<td>May 3, 2018</td><td>Hall One</td>",
            "<td><p>June 7, 2018</p><p>(first Thursday)</p></td><td>Library</td>",
            "<td>July 5, 2018</td><td>Hall Two</td>",
            "<td><p>August 9, 2018</p><p>(second Thursday)</p></td><td>School</td>",
            "<td><p>October 4, 2018</p></td><td>Town House</td>",
            "<td>November 8, 2018</td><td>Hall Four</td>",
        ]);
        let dates: Vec<&str> = found.iter().map(|record| record[0].1.as_str()).collect();
        let expected = [
            "May 3, 2018",
            "June 7, 2018",
            "July 5, 2018",
            "August 9, 2018",
            "October 4, 2018",
            "November 8, 2018",
        ];
        assert_eq!(dates, expected, "{found:?}");
    }

    #[test]
    fn the_lines_of_a_cell_are_one_value_whatever_they_are_in() {
        let found = table(&[
            "<td>May 3, 2018</td><td><p>Hall<br>1 High St</p><p>Kew</p></td>",
            "<td>June 7, 2018</td><td>Library<p>2 Low St</p><p>Bow</p></td>",
            "<td>July 5, 2018</td><td><p>Hall</p><p>3 Old Rd</p><p>Lee</p></td>",
            "<td>August 9, 2018</td><td><p>School<br>4 New Rd</p><p>Ely</p></td>",
        ]);
        let place = |record: &Vec<(String, String)>| -> Vec<String> {
            let places = record.iter().filter(|(name, _)| name == "place");
            places.map(|(_, text)| text.clone()).collect()
        };
        assert_eq!(place(&found[1]), ["Library", "2 Low St", "Bow"], "{found:?}");
        assert_eq!(place(&found[2]), ["Hall", "3 Old Rd", "Lee"], "{found:?}");
    }
}

//! Cells of a table that reach over several rows.
//!
//! `<td rowspan=3>Norway</td>` says the country of three rows. The two rows below have a cell less, so their other cells are in columns to the right of
//! their places, and the country is theirs, too. **In**: the rows of a list and the name of their cells. **Out**: for each row, the columns that its cells are in and those that a cell of a
//! row above covers.
//!
//! A path can not count spans, so it tells rows by the number of their cells: rows with the same number are read as most of them are. In most tables the columns
//! that cells reach over are the first ones, from the outside to the inside, and the number tells which of them a row lacks.
//!
//! **Cost**: linear in the cells of the tables. **Known failures**: rows with the same number of cells that lack different columns; tables that have cells across columns, too, are not looked at.

use super::cells::{CELLS, cells};
use page::{NameId, NodeId, Page};
use std::collections::{BTreeSet, HashMap};

/// The columns of the cells of rows, some of which reach over several.
pub(super) struct Spans {
    /// For each row the columns of its cells, and how many columns are covered from above.
    rows: HashMap<NodeId, (Vec<usize>, usize)>,
}

impl Spans {
    /// The spans of the tables that the rows of a list are in; none if no cell covers one of a row below, or if cells reach over several columns.
    pub(super) fn new(page: &Page, records: &[NodeId], name: NameId) -> Option<Spans> {
        let parents: BTreeSet<NodeId> = records.iter().filter_map(|row| page.parent(*row)).collect();
        let mut rows = HashMap::new();
        for parent in parents {
            // How many more rows the cell of each column reaches over.
            let mut open: Vec<usize> = Vec::new();
            for row in page.children(parent).filter(|child| page.name(*child) == "tr") {
                let covered: Vec<bool> = open.iter().map(|rows| *rows > 0).collect();
                open.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
                let mut columns = Vec::new();
                let mut column = 0;
                for cell in cells(page, row, name) {
                    if page
                        .attribute_value(cell, "colspan")
                        .is_some_and(|columns| columns.trim() != "1")
                    {
                        // A line across the table has no columns.
                        columns.clear();
                        break;
                    }
                    while covered.get(column) == Some(&true) {
                        column += 1;
                    }
                    open.resize(open.len().max(column + 1), 0);
                    open[column] = rows_of(page, cell) - 1;
                    columns.push(column);
                    column += 1;
                }
                let covered = covered.into_iter().filter(|is| *is).count();
                rows.insert(row, (columns, covered));
            }
        }
        let mut known = records.iter().map(|row| &rows[row]);
        let is_fine = known
            .clone()
            .all(|(columns, _)| !columns.is_empty() && columns.len() <= CELLS);
        (is_fine && known.any(|(_, covered)| *covered > 0)).then_some(Spans { rows })
    }

    /// How many columns a row has, with those that are covered.
    pub(super) fn width(&self, row: NodeId) -> usize {
        self.rows
            .get(&row)
            .map_or(0, |(columns, covered)| columns.len() + covered)
    }

    /// For each column the place of its cell in a row that lacks some, counted from 1.
    pub(super) fn places(&self, row: NodeId, width: usize) -> Option<Vec<Option<usize>>> {
        let (columns, _) = self.rows.get(&row).filter(|(_, covered)| *covered > 0)?;
        let place = |column: usize| columns.iter().position(|other| *other == column).map(|at| at + 1);
        Some((0..width).map(place).collect())
    }
}

/// How many rows a cell reaches over.
fn rows_of(page: &Page, cell: NodeId) -> usize {
    /// What browsers allow.
    const MOST: usize = 65_534;
    let said = page
        .attribute_value(cell, "rowspan")
        .and_then(|rows| rows.trim().parse().ok());
    match said {
        // To the end of the table.
        Some(0) => MOST,
        Some(rows) => MOST.min(rows),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// What the best list of a page says, with a sign between values and one for what a row lacks.
    fn said(html: &str) -> (Vec<String>, Vec<String>) {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let row = |at: usize| {
            let value = |field: usize| {
                let mut values = records[at].values.iter();
                let found = values.find(|value| value.field == field);
                found.map_or("-".to_owned(), |value| value.text.clone())
            };
            (0..best.names.len()).map(value).collect::<Vec<_>>().join(" | ")
        };
        (best.names.clone(), (0..records.len()).map(row).collect())
    }

    fn table(groups: &[usize], is_head: bool) -> String {
        let mut rows = "<tr><th>Country</th><th>Bridge</th><th>Length</th><th>Opened</th></tr>".to_owned();
        let mut number = 0;
        for (group, count) in groups.iter().enumerate() {
            for at in 0..*count {
                let country = match (at, is_head) {
                    (0, true) => format!("<th rowspan={count}>Land {group}</th>"),
                    (0, false) => format!("<td rowspan={count}>Land {group}</td>"),
                    _ => String::new(),
                };
                rows += &format!(
                    "<tr>{country}<td>Bridge {number}</td><td>{}.5 km</td><td>{}</td></tr>",
                    number + 2,
                    1900 + number * 7
                );
                number += 1;
            }
        }
        format!("<h1>Bridges</h1><table>{rows}</table>")
    }

    #[test]
    fn a_cell_that_reaches_over_rows_is_a_value_of_each() {
        for is_head in [false, true] {
            let (names, rows) = said(&table(&[2, 3, 1, 2, 2], is_head));
            assert_eq!(rows.len(), 10, "{names:?} {rows:?}");
            assert!(names.iter().any(|name| name == "country"), "{names:?}");
            for (at, land) in [0, 0, 1, 1, 1, 2, 3, 3, 4, 4].into_iter().enumerate() {
                for part in [
                    format!("Land {land}"),
                    format!("Bridge {at}"),
                    format!("{}.5 km", at + 2),
                    format!("{}", 1900 + at * 7),
                ] {
                    assert!(rows[at].contains(&part), "{part}: {names:?} {rows:?}");
                }
            }
        }
    }

    /// A group in a group: the number of cells says which columns a row lacks.
    #[test]
    fn cells_that_reach_over_rows_are_in_each_other() {
        let mut rows = String::new();
        for number in 0..12 {
            let outer = if number % 4 == 0 {
                format!("<td rowspan=4>Land {}</td>", number / 4)
            } else {
                String::new()
            };
            let inner = if number % 2 == 0 {
                format!("<td rowspan=2>Town {}</td>", number / 2)
            } else {
                String::new()
            };
            rows += &format!(
                "<tr>{outer}{inner}<td>Bridge {number}</td><td>{}.5 km</td></tr>",
                number + 2
            );
        }
        let html = format!("<table><tr><th>Land</th><th>Town</th><th>Name</th><th>Length</th></tr>{rows}</table>");
        let (names, rows) = said(&html);
        for wanted in ["land", "town", "name", "length"] {
            assert!(names.iter().any(|name| name == wanted), "{names:?}");
        }
        assert_eq!(rows.len(), 12, "{rows:?}");
        for (at, row) in rows.iter().enumerate() {
            for part in [
                format!("Land {} |", at / 4),
                format!("Town {} |", at / 2),
                format!("Bridge {at} |"),
                format!("{}.5 km", at + 2),
            ] {
                assert!(row.contains(&part), "{part}: {row}");
            }
        }
    }
}

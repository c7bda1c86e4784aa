//! Cells of a table that reach over several rows.
//!
//! `<td rowspan=3>Norway</td>` says the country of three rows. The two rows below have a cell less, so their other cells are in columns to the right of
//! their places, and the country is theirs, too. **In**: the rows of a list and the name of their cells. **Out**: for each row, the columns that its cells are in and those that a cell of a
//! row above covers.
//!
//! A path can not count spans, so it tells rows by the number of their cells: rows with the same number are read as most of them are. In most tables the columns
//! that cells reach over are the first ones, from the outside to the inside, and the number tells which of them a row lacks.
//!
//! **Cost**: linear in the cells of the tables. A row with a cell across columns (the break of a programme) keeps its columns, too.
//! **Known failures**: rows with the same number of cells that lack different columns.

use super::cells::{CELLS, cells};
use super::heads::COMPARED;
use super::sight::Sight;
use super::{Candidate, LOOKED};
use page::{NameId, NodeId, Page};
use std::collections::{BTreeSet, HashMap};

/// The fewest groups of rows that show that each of them is a record.
const GROUPS: usize = 3;

/// The columns of the cells of rows, some of which reach over several.
pub(super) struct Spans {
    rows: HashMap<NodeId, Row>,
}

/// The cells of a row.
#[derive(Default)]
struct Row {
    /// The first column of each.
    columns: Vec<usize>,
    /// How many columns are covered from above.
    covered: usize,
    /// How many columns there are, with those.
    width: usize,
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
                    while covered.get(column) == Some(&true) {
                        column += 1;
                    }
                    columns.push(column);
                    let next = column + columns_of(page, cell);
                    open.resize(open.len().max(next), 0);
                    open[column..next].fill(rows_of(page, cell) - 1);
                    column = next;
                }
                let width = column.max(covered.iter().rposition(|is| *is).map_or(0, |last| last + 1));
                let covered = covered.into_iter().filter(|is| *is).count();
                let row_of_cells = Row {
                    columns,
                    covered,
                    width,
                };
                rows.insert(row, row_of_cells);
            }
        }
        let mut known = records.iter().map(|row| &rows[row]);
        let is_fine = known.clone().all(|row| !row.columns.is_empty() && row.width <= CELLS);
        (is_fine && known.any(|row| row.covered > 0)).then_some(Spans { rows })
    }

    /// How many columns a row has, with those that are covered.
    pub(super) fn width(&self, row: NodeId) -> usize {
        self.rows.get(&row).map_or(0, |row| row.width)
    }

    /// For each column the place of its cell in a row that lacks some, counted from 1.
    pub(super) fn places(&self, row: NodeId, width: usize) -> Option<Vec<Option<usize>>> {
        let row = self.rows.get(&row).filter(|row| row.covered > 0)?;
        let place = |column: usize| row.columns.iter().position(|other| *other == column).map(|at| at + 1);
        Some((0..width).map(place).collect())
    }
}

/// How many columns a cell reaches over.
pub(super) fn columns_of(page: &Page, cell: NodeId) -> usize {
    let said = page.attribute_value(cell, "colspan");
    let columns = said.and_then(|columns| columns.trim().parse().ok());
    columns.filter(|columns| (1..=CELLS).contains(columns)).unwrap_or(1)
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

/// Are the records rows of which several make up a record: a cell reaches over the same number of rows everywhere, and the rows beside it are
/// not alike? Where they are, it says something of several records, as the day of some meetings does.
pub(super) fn are_parts(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let page = sight.page;
    let firsts = candidate.firsts();
    if page.name(firsts[0]) != "tr" || candidate.records.iter().any(|record| record.len() != 1) {
        return false;
    }
    let elements = |row: NodeId| page.children(row).filter(|child| page.is_element(*child)).take(CELLS);
    let reach = |row: NodeId| elements(row).map(|cell| rows_of(page, cell)).max().unwrap_or(1);
    // What the cells of a row look like, without those that reach over others.
    let look = |row: NodeId| -> Vec<(Vec<NameId>, bool)> {
        let cells = elements(row).filter(|cell| rows_of(page, *cell) == 1);
        let leaves = cells.flat_map(|cell| sight.range(cell));
        leaves
            .map(|leaf| (sight.names(&sight.leaves[leaf], row), sight.is_data(leaf)))
            .collect()
    };
    let items = &candidate.items;
    let rows = (0..items.nodes.len().min(COMPARED)).filter(|at| !items.leaves[*at].is_empty());
    let rows: Vec<NodeId> = rows.map(|at| items.nodes[at]).collect();
    let Some(begin) = rows.iter().position(|row| reach(*row) > 1) else {
        return false;
    };
    let step = reach(rows[begin]);
    let is_group = |group: &[NodeId]| reach(group[0]) == step && group[1..].iter().all(|row| reach(*row) == 1);
    let differs = |group: &&[NodeId]| group[1..].iter().all(|row| look(*row) != look(group[0]));
    let groups = rows[begin..].chunks_exact(step);
    let count = groups.len();
    let is_inner = |row: &NodeId| groups.clone().any(|group| group[1..].contains(row));
    count >= GROUPS
        && groups.clone().all(is_group)
        && groups.clone().filter(differs).count() * 10 >= count * 9
        && firsts.iter().take(LOOKED).any(is_inner)
        && firsts.iter().take(LOOKED).any(|row| !is_inner(row))
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn unlike_rows_beside_one_cell_are_one_record() {
        let names = [
            "Ash v. Oak",
            "Elm v. Fir",
            "In re Ivy",
            "Kelp v. Moss",
            "Reed v. Fern",
            "In re Lime",
            "Yew v. Box",
        ];
        let case = |at: usize| {
            format!(
                "<tr><td rowspan=2><a href=/c{at}>CV-{at}7</a></td><td><b>{}</b></td><td>{}</td></tr><tr><td>Hon. Ann Lee</td><td>May {}, 2019</td></tr>",
                names[at],
                ["Open", "Closed"][at % 2],
                at + 1
            )
        };
        let html = format!("<h1>Cases</h1><table>{}</table>", (0..7).map(case).collect::<String>());
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let said = format!("{:?}", records[2]);
        assert_eq!(records.len(), 7, "{:?}", best.rule);
        assert!(said.contains("In re Ivy") && said.contains("May 3, 2019"), "{said}");
        assert!(best.names.iter().all(|name| !name.contains("cv")), "{:?}", best.names);
    }

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

    /// A break of a programme has a time, and one cell across the rest.
    #[test]
    fn a_row_with_a_cell_across_columns_moves_no_others() {
        // With one column less, the break has as many cells as the rows that a time reaches over.
        for rooms in [true, false] {
            let room = |at: usize| {
                if rooms {
                    format!("<td>Room {at}</td>")
                } else {
                    String::new()
                }
            };
            let talk = |at: usize| format!("<td>On {} bridges</td><td>Person {at}</td>{}", 7 * at, room(at));
            let mut html = format!(
                "<tr><th>Time</th><th>Talk</th><th>Speaker</th>{}</tr>",
                if rooms { "<th>Room</th>" } else { "" }
            );
            let mut expected = Vec::new();
            let mut at = 0;
            for (hour, count) in [(9, 2), (10, 1), (11, 3), (12, 0), (13, 2), (14, 3)] {
                if count == 0 {
                    html += &format!(
                        "<tr><td>{hour}:00</td><td colspan={}>Lunch</td></tr>",
                        2 + usize::from(rooms)
                    );
                    expected.push(format!("{hour}:00 | Lunch | -"));
                }
                for number in 0..count {
                    let time = if number == 0 {
                        format!("<td rowspan={count}>{hour}:00</td>")
                    } else {
                        String::new()
                    };
                    html += &format!("<tr>{time}{}</tr>", talk(at));
                    expected.push(format!("{hour}:00 | On {} bridges | Person {at}", 7 * at));
                    at += 1;
                }
            }
            let (names, rows) = said(&format!("<h1>Programme</h1><table>{html}</table>"));
            assert_eq!(names[..3], ["time", "talk", "speaker"], "{names:?}");
            assert_eq!(rows.len(), expected.len(), "{rows:?}");
            for (row, expected) in rows.iter().zip(&expected) {
                assert!(row.starts_with(expected), "{row}: {expected} {rows:?}");
            }
        }
    }
}

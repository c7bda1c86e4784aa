//! The headings of a table's columns.
//!
//! A cell's column is the sum of the spans of the cells before it in its row. Its headings are the texts of the cells
//! that cover that column in the first rows of the table, the nearest first. Cells that span several rows are ignored:
//! their tables get the heading of a neighbouring column, or none. Each lookup reads at most the first rows of one
//! table.

use page::{Kind, NodeId, Page};

/// The number of rows that are searched for headings.
const ROWS: usize = 3;
/// The number of cells of a row that are considered.
const CELLS: usize = 400;
/// How far above a text its cell may be.
const DEEP: usize = 8;

fn named(page: &Page, node: NodeId, names: &[&str]) -> bool {
    page.is_element(node) && names.contains(&page.name(node))
}

fn above(page: &Page, node: NodeId, names: &[&str]) -> Option<NodeId> {
    let mut at = node;
    for _ in 0..DEEP {
        at = page.parent(at)?;
        if named(page, at, names) {
            return Some(at);
        }
        if named(page, at, &["table"]) {
            return None;
        }
    }
    None
}

/// The row that contains a text or element.
pub(super) fn row(page: &Page, node: NodeId) -> Option<NodeId> {
    above(page, node, &["tr"])
}

fn cells(page: &Page, row: NodeId) -> impl Iterator<Item = (NodeId, usize)> + '_ {
    let cells = page
        .children(row)
        .filter(|node| named(page, *node, &["td", "th"]))
        .take(CELLS);
    cells.map(|cell| {
        let span = page
            .attribute_value(cell, "colspan")
            .and_then(|span| span.trim().parse().ok());
        (cell, span.unwrap_or(1).clamp(1, CELLS))
    })
}

/// The text nodes that are headings of the column of a text, the nearest first.
pub(crate) fn headings(page: &Page, node: NodeId) -> Vec<NodeId> {
    let Some(cell) = above(page, node, &["td", "th"]) else {
        return Vec::new();
    };
    let Some(row) = page.parent(cell).filter(|row| named(page, *row, &["tr"])) else {
        return Vec::new();
    };
    let column: usize = cells(page, row)
        .take_while(|(other, _)| *other != cell)
        .map(|(_, span)| span)
        .sum();
    let Some(body) = page.parent(row) else {
        return Vec::new();
    };
    let table = match named(page, body, &["table"]) {
        true => body,
        false => page.parent(body).unwrap_or(body),
    };
    let sections = page.children(table).take(CELLS).flat_map(|section| {
        let rows = named(page, section, &["thead", "tbody", "tfoot"]).then(|| page.children(section));
        rows.into_iter()
            .flatten()
            .chain(named(page, section, &["tr"]).then_some(section))
    });
    let rows = sections
        .filter(|other| named(page, *other, &["tr"]))
        .take_while(|other| *other < row)
        .take(ROWS);
    let mut found: Vec<NodeId> = Vec::new();
    for other in rows {
        // A row with one cell is a title of the table.
        if cells(page, other).nth(1).is_none() {
            continue;
        }
        let mut at = 0;
        for (cell, span) in cells(page, other) {
            if (at..at + span).contains(&column) {
                found.extend(only_text(page, cell));
                break;
            }
            at += span;
        }
    }
    found.reverse();
    found
}

/// The text of a cell, if it has exactly one.
fn only_text(page: &Page, cell: NodeId) -> Option<NodeId> {
    let nodes = (cell.0 + 1..page.end(cell).0).map(NodeId);
    let said = |node: &NodeId| page.kind(*node) == Kind::Text && !page.string_value(*node).trim().is_empty();
    let mut texts = nodes.filter(said);
    texts.next().filter(|_| texts.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_stands_over_its_column() {
        let html = "<table><tr><td>Totals</td></tr><tr><th>Year<th colspan=2>Shots<th>Points</tr>\
                    <tr><td>2009<td>4<td>5<td>x</tr></table><p>z</p>";
        let page = Page::parse(html.as_bytes(), &Default::default()).unwrap();
        let heading = |text: &str| {
            let nodes = (0..page.len() as u32).map(NodeId);
            let node = nodes
                .filter(|node| page.kind(*node) == Kind::Text)
                .find(|node| page.string_value(*node) == text)
                .unwrap();
            let said: Vec<&str> = headings(&page, node)
                .into_iter()
                .map(|node| page.string_value(node))
                .collect();
            said.join("|")
        };
        let found = ["2009", "4", "5", "x", "z", "Year", "Totals"].map(heading);
        assert_eq!(found, ["Year", "Shots", "Shots", "Points", "", "", ""]);
    }
}

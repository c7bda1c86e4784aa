//! Rows in the text format of `COPY`: cells with a tab between them, a row on each line.

use crate::layout::Column;
use record::{Cell, Sort};

/// A piece for the server has at least this many bytes.
const LONG: usize = 64 << 10;

/// Lines that are being written.
#[derive(Default)]
pub(super) struct Line {
    text: String,
    begun: bool,
}

impl Line {
    fn next(&mut self) {
        if self.begun {
            self.text.push('\t');
        }
        self.begun = true;
    }

    pub(super) fn number(&mut self, number: i64) {
        self.next();
        self.text.push_str(&number.to_string());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.next();
        self.escaped(text);
    }

    pub(super) fn cell(&mut self, cell: &Cell) {
        match cell {
            Cell::Null | Cell::Record(_) => {
                self.next();
                self.text.push_str("\\N");
            }
            Cell::List(cells) => self.text(&array(cells)),
            cell => self.text(&written(cell)),
        }
    }

    pub(super) fn end(&mut self) {
        self.text.push('\n');
        self.begun = false;
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    pub(super) fn is_long(&self) -> bool {
        self.text.len() >= LONG
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\\' => self.text.push_str("\\\\"),
                '\t' => self.text.push_str("\\t"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\0' => self.text.push('\u{FFFD}'),
                c => self.text.push(c),
            }
        }
    }
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Timestamp(moment) => moment.in_utc().to_string(),
        cell => cell.written().into_owned(),
    }
}

/// An array as PostgreSQL writes it: `{"a","b",NULL}`.
fn array(cells: &[Cell]) -> String {
    let item = |cell: &Cell| match cell {
        Cell::Null | Cell::List(_) | Cell::Record(_) => "NULL".to_owned(),
        cell => format!("\"{}\"", written(cell).replace('\\', "\\\\").replace('"', "\\\"")),
    };
    format!("{{{}}}", cells.iter().map(item).collect::<Vec<_>>().join(","))
}

/// The type of a column, as a table declares it.
pub(super) fn sql_type(column: &Column) -> String {
    let kind = match column.sort {
        Sort::Integer => "bigint",
        Sort::Decimal => "numeric",
        Sort::Boolean => "boolean",
        Sort::Date => "date",
        Sort::Timestamp => "timestamp",
        _ => "text",
    };
    format!("{kind}{}", if column.many { "[]" } else { "" })
}

/// The type of a column, as the catalogue of the server names it.
pub(super) fn array_type(column: &Column) -> String {
    let kind = match column.sort {
        Sort::Integer => "int8",
        Sort::Decimal => "numeric",
        Sort::Boolean => "bool",
        Sort::Date => "date",
        Sort::Timestamp => "timestamp",
        _ => "text",
    };
    format!("{}{kind}", if column.many { "_" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_escaped() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let mut line = Line::default();
        line.number(7);
        line.cell(&text("a\tb\\\n\0"));
        line.cell(&Cell::Null);
        line.cell(&text("\\N"));
        line.cell(&Cell::List(vec![text("x\"y\\z"), Cell::Null, text("")]));
        line.end();
        let expected = "7\ta\\tb\\\\\\n\u{FFFD}\t\\N\t\\\\N\t{\"x\\\\\"y\\\\\\\\z\",NULL,\"\"}\n";
        assert_eq!(String::from_utf8_lossy(line.bytes()), expected);
    }
}

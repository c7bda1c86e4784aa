//! Tables that users write: comma-separated values with a header line of names.
//!
//! RFC 4180: a quoted cell may contain commas, line ends and doubled quotes; lines end with CR LF or LF; an empty line
//! is not a row, but a line with only `""` is. Every row must have as many cells as there are names, because a row with
//! a missing cell would shift values silently. The names are names of variables: white space around them and a leading
//! `$` are ignored.

use std::fmt;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of its columns.
    pub names: Vec<String>,
    /// Its rows, each with one cell for each name.
    pub rows: Vec<Vec<String>>,
    /// The line on which each row begins, counted from 1.
    pub lines: Vec<usize>,
}

/// What is wrong with a table, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

impl Table {
    /// Reads a table.
    ///
    /// ```
    /// let table = wrapwright::Table::read("city,note\nRome,\"a, b\"\n").unwrap();
    /// assert_eq!(table.names, ["city", "note"]);
    /// assert_eq!(table.rows, [["Rome", "a, b"]]);
    /// ```
    ///
    /// # Errors
    ///
    /// If there are no names, a name occurs twice, a row has another length, or a quote is not closed.
    pub fn read(text: &str) -> Result<Table, TableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = rows(text)?.into_iter();
        let wrong = |line, message: String| Err(TableError { line, message });
        let Some((line, names)) = lines.next() else {
            return wrong(
                1,
                "found nothing, expected a line with the names of the columns".to_owned(),
            );
        };
        let bare = |name: String| {
            let name = name.trim();
            name.strip_prefix('$').unwrap_or(name).to_owned()
        };
        let names: Vec<String> = names.into_iter().map(bare).collect();
        for (at, name) in names.iter().enumerate() {
            if name.is_empty() {
                return wrong(line, format!("column {} has no name", at + 1));
            }
            if names[..at].contains(name) {
                return wrong(line, format!("two columns are named `{name}`"));
            }
        }
        let (mut rows, mut begins) = (Vec::new(), Vec::new());
        for (line, row) in lines {
            if row.len() != names.len() {
                let message = format!(
                    "found {} cells, expected {} as in the first line",
                    row.len(),
                    names.len()
                );
                return wrong(line, message);
            }
            rows.push(row);
            begins.push(line);
        }
        Ok(Table {
            names,
            rows,
            lines: begins,
        })
    }
}

/// All rows with the lines on which they begin.
fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, TableError> {
    let mut rows = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let begin = line;
        let quoted = rest.starts_with('"');
        let mut row = Vec::new();
        loop {
            let (cell, behind) = match rest.strip_prefix('"') {
                Some(quoted) => quoted_cell(quoted, &mut line).ok_or_else(|| TableError {
                    line: begin,
                    message: "found a quote that is not closed".to_owned(),
                })?,
                None => {
                    let end = rest.find([',', '\n', '\r']).unwrap_or(rest.len());
                    (rest[..end].to_owned(), &rest[end..])
                }
            };
            row.push(cell);
            rest = behind;
            if let Some(behind) = rest.strip_prefix(',') {
                rest = behind;
                continue;
            }
            let ended = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']));
            match ended {
                Some(behind) => rest = behind,
                None if rest.is_empty() => {}
                None => {
                    let found: String = rest.chars().take(10).collect();
                    let message =
                        format!("found `{found}` behind a closing quote, expected a comma or the end of the line");
                    return Err(TableError { line, message });
                }
            }
            line += 1;
            break;
        }
        if quoted || row.len() > 1 || row.iter().any(|cell| !cell.is_empty()) {
            rows.push((begin, row));
        }
    }
    Ok(rows)
}

/// The rest of a cell after its opening quote, and the text after the closing one.
fn quoted_cell<'t>(mut rest: &'t str, line: &mut usize) -> Option<(String, &'t str)> {
    let mut cell = String::new();
    loop {
        let quote = rest.find('"')?;
        cell.push_str(&rest[..quote]);
        *line += rest[..quote].matches('\n').count();
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(behind) => {
                cell.push('"');
                rest = behind;
            }
            None => return Some((cell, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, line: usize, part: &str) {
        let error = Table::read(text).expect_err("a mistake");
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn cells_may_be_quoted() {
        let table = Table::read("\u{feff}a,b\r\n\"x\"\"y\",\"1\n2\"\r\n\r\n,\n3,4").expect("a table");
        assert_eq!(table.names, ["a", "b"]);
        assert_eq!(table.rows, [["x\"y", "1\n2"], ["", ""], ["3", "4"]]);
        assert_eq!(table.lines, [2, 5, 6]);
        assert_eq!(Table::read("a\n").expect("a table").rows.len(), 0);
        assert_eq!(Table::read("a\n\"\"\n\nx\n").expect("a table").rows, [[""], ["x"]]);
        assert_eq!(Table::read(" $a , b\n").expect("a table").names, ["a", "b"]);
    }

    #[test]
    fn mistakes_have_a_line() {
        refused("", 1, "names");
        refused("a,a\n", 1, "two columns");
        refused("a, $a\n", 1, "two columns");
        refused("a,\n", 1, "column 2 has no name");
        refused("$,a\n", 1, "column 1 has no name");
        refused("a,b\n1,2\n3\n", 3, "found 1 cells, expected 2");
        refused("a\n\"x\ny\"\n\"z", 4, "not closed");
        refused("a,b\n\"x\"y,2\n", 2, "behind a closing quote");
    }
}

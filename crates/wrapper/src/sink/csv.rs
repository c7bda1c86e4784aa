//! A table with commas.
//!
//! Records nest and tables do not. The rule, which `wrapwright run --help` repeats:
//!
//! - A row is a top-level record. Or, if `rows` names a kind of nested record (`review`, or `review.reply` by its path),
//!   a row is one of those, and the values of the records around it are repeated on each of its rows; a top-level record
//!   without any such record inside has one row all the same, so that nothing is lost.
//! - A column is a value that can be extracted, named by the markers from the top-level record down to it: `title`,
//!   `review.by`. Columns stand in the order of the expression; they are known before the first record, and a record
//!   with anything else in it is an error.
//! - Several values for one cell are joined with `; `, empty ones too.
//! - A value and a nested record of one name have a column and columns: `review`, `review.by`.
//! - In front of these stand `_record` and `_page`, unless they are not wanted, and a column `_bind.NAME` for each value
//!   that the run was made with, if asked for.
//!
//! Cells are quoted as RFC 4180 says where they must be; lines end with a line feed. Spreadsheets take a cell that begins
//! with `=`, `+`, `-` or `@` for a formula, which a hostile page may exploit: `guard` puts a `'` in front of it.

use super::{Shape, Sink};
use oxpath::run::Outline;
use record::Record;
use std::io::{self, Write};

/// What stands between several values in one cell.
const BETWEEN: &str = "; ";

/// A table with commas.
pub struct Csv<W> {
    out: W,
    columns: Vec<Column>,
    /// The names of the columns that are not ours.
    header: Vec<String>,
    rows: Vec<String>,
    no_meta: bool,
    guard: bool,
    bound: Vec<(String, String)>,
    begun: bool,
}

/// A marker: where its values go, and the markers inside it.
struct Column {
    name: String,
    cell: Option<usize>,
    inside: Vec<Column>,
}

/// What stands in a column of a row: nothing is not the same as an empty value, to which others are joined.
type Cell = Option<String>;

/// There is no nested record of the name that rows were asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct NoSuchRows {
    /// The nested records that there are, by their paths.
    pub there_are: Vec<String>,
}

impl<W: Write> Csv<W> {
    /// A sink that writes to `out` what has that outline. `rows` is the path of the nested records that rows are made of;
    /// empty for top-level records.
    ///
    /// # Errors
    ///
    /// There are no nested records of that path.
    pub fn new(out: W, outline: &[Outline], rows: &str, shape: Shape, guard: bool) -> Result<Csv<W>, NoSuchRows> {
        let mut header = Vec::new();
        let mut columns: Vec<Column> = Vec::new();
        for top in outline {
            if top.value || top.children.is_empty() {
                let alone = Outline {
                    children: Vec::new(),
                    ..top.clone()
                };
                add(&mut columns, &alone, "", &mut header);
            }
            for child in &top.children {
                add(&mut columns, child, "", &mut header);
            }
        }
        let rows: Vec<String> = match rows {
            "" => Vec::new(),
            path => path.split('.').map(str::to_owned).collect(),
        };
        if !rows.is_empty() && !leads_to_records(&columns, &rows) {
            let mut there_are = Vec::new();
            nested(&columns, "", &mut there_are);
            return Err(NoSuchRows { there_are });
        }
        Ok(Csv {
            out,
            columns,
            header,
            rows,
            no_meta: shape.no_meta,
            guard,
            bound: Vec::new(),
            begun: false,
        })
    }

    /// The columns of ours before the others.
    fn ours(&self, record: &Record) -> Vec<String> {
        let mut ours = Vec::new();
        if !self.no_meta {
            ours.push(record.name.clone());
            ours.push(record.page.to_string());
        }
        ours.extend(self.bound.iter().map(|(_, value)| value.clone()));
        ours
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.begun {
            return Ok(());
        }
        self.begun = true;
        let meta = ["_record".to_owned(), "_page".to_owned()];
        let bound = self.bound.iter().map(|(name, _)| format!("_bind.{name}"));
        let cells = meta
            .into_iter()
            .filter(|_| !self.no_meta)
            .chain(bound)
            .chain(self.header.iter().cloned());
        let line = line(cells, false);
        self.out.write_all(line.as_bytes())
    }
}

impl<W: Write> Sink for Csv<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let top: &[Record] = match &record.value {
            Some(_) => std::slice::from_ref(record),
            None => &record.children,
        };
        let mut table = Vec::new();
        let cells = vec![None; self.header.len()];
        rows(&self.columns, top, &self.rows, cells, &mut table)?;
        let ours = self.ours(record);
        let lines: String = table
            .into_iter()
            .map(|cells| {
                let cells = cells.into_iter().map(Option::unwrap_or_default);
                line(ours.iter().cloned().chain(cells), self.guard)
            })
            .collect();
        self.out.write_all(lines.as_bytes())
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound = bindings.to_vec();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.flush()
    }
}

/// Adds a marker and what is inside it; markers of one name in one place are one column.
fn add(columns: &mut Vec<Column>, outline: &Outline, path: &str, header: &mut Vec<String>) {
    let name = format!("{path}{}", outline.name);
    let at = columns
        .iter()
        .position(|column| column.name == outline.name)
        .unwrap_or_else(|| {
            columns.push(Column {
                name: outline.name.clone(),
                cell: None,
                inside: Vec::new(),
            });
            columns.len() - 1
        });
    let column = &mut columns[at];
    if (outline.value || outline.children.is_empty()) && column.cell.is_none() {
        column.cell = Some(header.len());
        header.push(name.clone());
    }
    for child in &outline.children {
        add(&mut column.inside, child, &format!("{name}."), header);
    }
}

fn leads_to_records(columns: &[Column], path: &[String]) -> bool {
    let Some((name, path)) = path.split_first() else {
        return true;
    };
    let column = columns.iter().find(|column| column.name == *name);
    column.is_some_and(|column| !column.inside.is_empty() && leads_to_records(&column.inside, path))
}

fn nested(columns: &[Column], path: &str, names: &mut Vec<String>) {
    for column in columns.iter().filter(|column| !column.inside.is_empty()) {
        let name = format!("{path}{}", column.name);
        nested(&column.inside, &format!("{name}."), names);
        names.push(name);
    }
    names.sort();
}

/// The rows of a record: one, or one for each nested record that the path leads to. `cells` holds what the records around
/// it say.
fn rows(
    columns: &[Column],
    children: &[Record],
    path: &[String],
    mut cells: Vec<Cell>,
    table: &mut Vec<Vec<Cell>>,
) -> io::Result<()> {
    // A value of the rows' name is no row.
    let is_along = |child: &&Record| Some(&child.name) == path.first() && child.value.is_none();
    for child in children.iter().filter(|child| !is_along(child)) {
        fill(columns, child, &mut cells)?;
    }
    let Some((name, further)) = path.split_first() else {
        table.push(cells);
        return Ok(());
    };
    let column = find(columns, name)?;
    let mut inside = children.iter().filter(is_along).peekable();
    if inside.peek().is_none() {
        table.push(cells);
        return Ok(());
    }
    for record in inside {
        rows(&column.inside, &record.children, further, cells.clone(), table)?;
    }
    Ok(())
}

/// Puts the values of a record, and of all that is inside it, into their cells.
fn fill(columns: &[Column], record: &Record, cells: &mut [Cell]) -> io::Result<()> {
    let column = find(columns, &record.name)?;
    if let Some(value) = &record.value {
        let cell = column.cell.and_then(|cell| cells.get_mut(cell));
        match cell.ok_or_else(|| no_column(&record.name))? {
            Some(before) => {
                before.push_str(BETWEEN);
                before.push_str(value);
            }
            cell => *cell = Some(value.clone()),
        }
    }
    for child in &record.children {
        fill(&column.inside, child, cells)?;
    }
    Ok(())
}

fn find<'c>(columns: &'c [Column], name: &str) -> io::Result<&'c Column> {
    let column = columns.iter().find(|column| column.name == name);
    column.ok_or_else(|| no_column(name))
}

fn no_column(name: &str) -> io::Error {
    let text = format!("the record holds `{name}`, for which the table has no column");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn line(cells: impl Iterator<Item = String>, guard: bool) -> String {
    let mut line = String::new();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            line.push(',');
        }
        let formula = guard && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let guarded = if formula { format!("'{cell}") } else { cell };
        // A line of one empty cell would look like no line at all.
        if guarded.contains(['"', ',', '\n', '\r']) || (at == 0 && guarded.is_empty()) {
            line.push('"');
            line.push_str(&guarded.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(&guarded);
        }
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::super::{book, node, written};
    use super::*;

    fn outline(name: &str, children: &[Outline]) -> Outline {
        Outline {
            name: name.to_owned(),
            value: children.is_empty(),
            children: children.to_vec(),
        }
    }

    fn books() -> Vec<Outline> {
        let review = outline("review", &[outline("by", &[]), outline("stars", &[])]);
        vec![outline("book", &[outline("title", &[]), review, outline("tag", &[])])]
    }

    const BARE: Shape = Shape {
        no_meta: true,
        arrays: false,
    };

    #[track_caller]
    fn check(records: &[Record], rows: &str, expected: &str) {
        let mut out = Vec::new();
        written(&mut out, records, |out| {
            Box::new(Csv::new(out, &books(), rows, BARE, true).expect("rows that are there"))
        });
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn a_row_is_a_record() {
        check(
            &[book()],
            "",
            "title,review.by,review.stars,tag\n\"A \"\"B\"\" & C\",Ada,,1; 2\n",
        );
        check(&[], "", "title,review.by,review.stars,tag\n");
        check(
            &[node("book", None, Vec::new())],
            "",
            "title,review.by,review.stars,tag\n\"\",,,\n",
        );
    }

    #[test]
    fn rows_may_be_nested_records() {
        let mut twice = book();
        let second = node("review", None, vec![node("by", Some("=Bob"), Vec::new())]);
        twice.children.push(second);
        let bare = node("book", None, vec![node("title", Some("none"), Vec::new())]);
        check(
            &[twice, bare],
            "review",
            "title,review.by,review.stars,tag\n\"A \"\"B\"\" & C\",Ada,,1; 2\n\"A \"\"B\"\" & C\",'=Bob,,1; 2\nnone,,,\n",
        );
    }

    #[test]
    fn rows_that_are_not_there_are_refused() {
        for rows in ["tag", "reviews", "review.by", ".", "review.", ".review"] {
            let refused = Csv::new(Vec::new(), &books(), rows, BARE, false).err();
            let there_are = vec!["review".to_owned()];
            assert_eq!(refused, Some(NoSuchRows { there_are }), "{rows}");
        }
    }

    #[test]
    fn nothing_is_lost_silently() {
        let mut sink = Csv::new(Vec::new(), &books(), "", BARE, false).expect("no rows asked for");
        let stranger = node("book", None, vec![node("price", Some("1"), Vec::new())]);
        let error = sink.record(&stranger).expect_err("no column");
        assert!(error.to_string().contains("`price`"));
    }

    #[test]
    fn a_value_and_a_record_may_share_a_name() {
        let both = Outline {
            value: true,
            ..outline("x", &[outline("y", &[])])
        };
        let value = |text| node("x", Some(text), Vec::new());
        let record = |text| node("x", None, vec![node("y", Some(text), Vec::new())]);
        let check = |outline: &[Outline], records: &[Record], rows: &str, expected: &str| {
            let mut out = Vec::new();
            written(&mut out, records, |out| {
                Box::new(Csv::new(out, outline, rows, BARE, false).expect("rows that are there"))
            });
            assert_eq!(String::from_utf8_lossy(&out), expected);
        };
        let inside = [outline("r", std::slice::from_ref(&both))];
        let record_of_both = node("r", None, vec![value("1"), record("2"), value("3"), record("4")]);
        check(&inside, std::slice::from_ref(&record_of_both), "", "x,x.y\n1; 3,2; 4\n");
        check(&inside, &[record_of_both], "x", "x,x.y\n1; 3,2\n1; 3,4\n");
        check(&[both], &[value("1"), record("2")], "", "x,y\n1,\n\"\",2\n");
        let mut sink = Csv::new(Vec::new(), &books(), "", BARE, false).expect("no rows asked for");
        let stranger = node("book", None, vec![node("review", Some("good"), Vec::new())]);
        let error = sink.record(&stranger).expect_err("no column");
        assert!(error.to_string().contains("`review`"));
    }

    #[test]
    fn empty_values_are_values() {
        for (values, expected) in [(["", "x"], "; x"), (["x", ""], "x; "), (["", ""], "; ")] {
            let tags = values.map(|value| node("tag", Some(value), Vec::new()));
            check(
                &[node("book", None, tags.to_vec())],
                "",
                &format!("title,review.by,review.stars,tag\n\"\",,,{expected}\n"),
            );
        }
    }

    #[test]
    fn top_level_values_and_bindings_have_columns() {
        let mut out = Vec::new();
        let outline = [outline("link", &[])];
        let mut sink = Csv::new(&mut out, &outline, "", Shape::default(), false).expect("no rows asked for");
        sink.bindings(&[("city".to_owned(), "Rome, Italy".to_owned())]);
        sink.record(&node("link", Some("/a"), Vec::new()))
            .expect("a vector takes all");
        let expected = "_record,_page,_bind.city,link\nlink,http://x/,\"Rome, Italy\",/a\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}

//! Comma-separated values (CSV), or the same with tabs (TSV).
//!
//! Records nest and tables do not. These are the rules, which `wrapwright run --help` repeats:
//!
//! - A row is a top-level record. Or, if `rows` names a kind of nested record (`review`, or `review.reply` by its
//!   path), a row is one of those, and the values of the records around it are repeated on each of its rows. A
//!   top-level record that has values and no such nested record still has one row, so that nothing is lost.
//! - If `rows` says nothing and a record has nothing but nested records of one kind (a page with a list), a row is one of those:
//!   joined in one cell, their values could no longer be told apart where some lack one. `rows` is empty for a row each page.
//! - A column is a value that can be extracted, named by the markers from the top-level record down to it: `title`,
//!   `review.by`. Columns have the order of the expression. They are known before the first record, and a record that
//!   contains anything else is an error.
//! - Several values in one cell are joined with `; `, including empty ones.
//! - If a value and a nested record have the same name, there are columns for both: `review`, `review.by`.
//! - The columns `_record` and `_page` come first, unless they are not wanted, and then, if requested, a column
//!   `_bind.NAME` for each value that the run was made with.
//!
//! - Numbers have a decimal point, dates and times are those of ISO 8601. If a field has such values, there is a last
//!   column `_misfit`: the texts of values that do not fit, as a JSON object.
//!
//! Cells are quoted where RFC 4180 requires it; lines end with a line feed. Spreadsheets treat a cell that begins with
//! `=`, `+`, `-` or `@` as a formula, which a hostile page may exploit: `guard` puts a `'` in front of it.

use super::{Format, NoSuchRows, Sink, SinkSpec, type_of, unknown};
use crate::typed::{Fitting, with_misfit};
use crate::{Content, Field, Record, RecordType, Tally, VALUE};
use std::io::{self, Write};

/// The separator of several values in one cell.
const BETWEEN: &str = "; ";

/// A sink for CSV.
pub(super) struct Csv<W> {
    out: W,
    types: Vec<RecordType>,
    fitting: Fitting,
    columns: Vec<Column>,
    /// The names of the columns, without those that begin with `_`.
    header: Vec<String>,
    rows: Vec<String>,
    no_meta: bool,
    guard: bool,
    separator: char,
    bom: bool,
    bound: Vec<(String, String)>,
    begun: bool,
}

/// A marker: the column of its values, and the markers inside it.
struct Column {
    name: String,
    cell: Option<usize>,
    inside: Vec<Column>,
}

/// A cell of a row: `None` differs from an empty value, to which others are joined.
type Cell = Option<String>;

/// The columns of types, and their header.
fn columns(types: &[RecordType]) -> (Vec<Column>, Vec<String>) {
    let mut header = Vec::new();
    let mut columns: Vec<Column> = Vec::new();
    for top in types {
        match &top.content {
            Content::Record(fields) if !fields.is_empty() => {
                for field in fields {
                    // The text of a record that is itself a value, and may have fields as well.
                    let name = if field.name == VALUE { &top.name } else { &field.name };
                    add(&mut columns, name, &field.content, "", &mut header);
                }
            }
            content => add(&mut columns, &top.name, content, "", &mut header),
        }
    }
    (columns, header)
}

/// The first line of the table, without its line end.
pub(super) fn header(types: &[RecordType], spec: &SinkSpec, bound: &[String]) -> String {
    let (_, header) = columns(&with_misfit(types, spec.on_misfit));
    let line = first_line(&header, spec.no_meta, bound, separator(spec));
    line.trim_end_matches('\n').to_owned()
}

fn separator(spec: &SinkSpec) -> char {
    if spec.format == Format::Tsv { '\t' } else { ',' }
}

fn first_line(header: &[String], no_meta: bool, bound: &[String], separator: char) -> String {
    let meta = ["_record".to_owned(), "_page".to_owned()];
    let meta = meta.into_iter().filter(|_| !no_meta);
    let bound = bound.iter().map(|name| format!("_bind.{name}"));
    line(meta.chain(bound).chain(header.iter().cloned()), separator, false)
}

/// Does a type have nested records of this path?
pub(super) fn check_rows(types: &[RecordType], path: &str) -> Result<(), NoSuchRows> {
    let (columns, _) = columns(types);
    if path.is_empty() || leads_to_records(&columns, &parts(path)) {
        return Ok(());
    }
    let mut there_are = Vec::new();
    nested(&columns, "", &mut there_are);
    Err(NoSuchRows {
        path: path.to_owned(),
        there_are,
    })
}

fn parts(path: &str) -> Vec<String> {
    match path {
        "" => Vec::new(),
        path => path.split('.').map(str::to_owned).collect(),
    }
}

/// The way to the nested records that are all that a record has; empty if it has something else, too.
fn only_records(columns: &[Column]) -> Vec<String> {
    match columns {
        [only] if only.cell.is_none() => {
            let further = only_records(&only.inside);
            std::iter::once(only.name.clone()).chain(further).collect()
        }
        _ => Vec::new(),
    }
}

impl<W: Write> Csv<W> {
    /// A sink that writes records of these types to `out`; the rows of the specification are already checked.
    pub(super) fn new(out: W, types: &[RecordType], spec: &SinkSpec) -> Csv<W> {
        let rows = match &spec.rows {
            Some(path) => parts(path),
            None => only_records(&columns(types).0),
        };
        let (columns, header) = columns(&with_misfit(types, spec.on_misfit));
        Csv {
            out,
            types: types.to_vec(),
            fitting: Fitting::new(spec.on_misfit),
            columns,
            header,
            rows,
            no_meta: spec.no_meta,
            guard: spec.safe_csv,
            separator: separator(spec),
            bom: spec.bom,
            bound: Vec::new(),
            begun: spec.continued,
        }
    }

    /// The cells of the leading columns that begin with `_`.
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
        let bound: Vec<String> = self.bound.iter().map(|(name, _)| name.clone()).collect();
        let line = first_line(&self.header, self.no_meta, &bound, self.separator);
        let bom = if self.bom { "\u{feff}" } else { "" };
        self.out.write_all((bom.to_owned() + &line).as_bytes())
    }
}

impl<W: Write> Sink for Csv<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let kind = type_of(&self.types, record)?;
        let Some(record) = self.fitting.canonical(kind, record)? else {
            return Ok(());
        };
        let record = record.as_ref();
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
                line(ours.iter().cloned().chain(cells), self.separator, self.guard)
            })
            .collect();
        self.out.write_all(lines.as_bytes())?;
        self.fitting.tally.records += 1;
        Ok(())
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.bound = bindings.to_vec();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.flush()
    }

    fn tally(&self) -> &Tally {
        &self.fitting.tally
    }
}

/// Adds a field and what is nested in it; fields of the same name at the same place share one column.
fn add(columns: &mut Vec<Column>, name: &str, content: &Content, path: &str, header: &mut Vec<String>) {
    let full = format!("{path}{name}");
    let at = columns
        .iter()
        .position(|column| column.name == name)
        .unwrap_or_else(|| {
            columns.push(Column {
                name: name.to_owned(),
                cell: None,
                inside: Vec::new(),
            });
            columns.len() - 1
        });
    let column = &mut columns[at];
    let fields = content.fields();
    let has_value = fields.is_empty() || fields.iter().any(|field| field.name == VALUE);
    if has_value && column.cell.is_none() {
        column.cell = Some(header.len());
        header.push(full.clone());
    }
    for Field { name, content, .. } in fields.iter().filter(|field| field.name != VALUE) {
        add(&mut column.inside, name, content, &format!("{full}."), header);
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

/// The rows of a record: one, or one for each nested record that the path leads to. `cells` contains the values of the
/// records around it.
fn rows(
    columns: &[Column],
    children: &[Record],
    path: &[String],
    mut cells: Vec<Cell>,
    table: &mut Vec<Vec<Cell>>,
) -> io::Result<()> {
    // A value with the name of the rows is not a row.
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
        table.extend(cells.iter().any(Option::is_some).then_some(cells));
        return Ok(());
    }
    for record in inside {
        rows(&column.inside, &record.children, further, cells.clone(), table)?;
    }
    Ok(())
}

/// Puts the values of a record, and of everything inside it, into their cells.
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
    unknown("field", name)
}

fn line(cells: impl Iterator<Item = String>, separator: char, guard: bool) -> String {
    let mut line = String::new();
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            line.push(separator);
        }
        let formula = guard && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let guarded = if formula { format!("'{cell}") } else { cell };
        // A line with one empty cell would look like an empty line.
        if guarded.contains(['"', separator, '\n', '\r']) || (at == 0 && guarded.is_empty()) {
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
    use super::super::{Format, written};
    use super::*;
    use crate::testing::{book, books, node};
    use crate::types::merge;

    fn spec(rows: &str, safe_csv: bool) -> SinkSpec {
        SinkSpec {
            format: Format::Csv,
            no_meta: true,
            rows: Some(rows.to_owned()),
            safe_csv,
            ..SinkSpec::default()
        }
    }

    #[track_caller]
    fn check(records: &[Record], rows: &str, expected: &str) {
        assert_eq!(written(&spec(rows, true), &books(), records), expected);
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
    fn records_that_are_nothing_but_a_list_are_its_rows() {
        let item = |values: &[&str]| {
            let values = values.iter().map(|value| node("name", Some(value), Vec::new()));
            node("item", None, values.collect())
        };
        let of = |items: Vec<Record>| node("page", None, items);
        let records = [
            of(vec![item(&["a"])]),
            of(Vec::new()),
            of(vec![item(&["b", "c"]), item(&["d"])]),
        ];
        let types = [RecordType::new(
            "page",
            vec![Field::records("item", vec![Field::texts("name")])],
        )];
        let list = SinkSpec {
            rows: None,
            ..spec("", false)
        };
        assert_eq!(written(&list, &types, &records), "item.name\na\nb; c\nd\n");
        let pages = "item.name\na\n\"\"\nb; c; d\n";
        assert_eq!(written(&spec("", false), &types, &records), pages);
    }

    #[test]
    fn rows_that_are_not_there_are_refused() {
        for rows in ["tag", "reviews", "review.by", ".", "review.", ".review"] {
            let refused = spec(rows, false).open(&books(), Vec::new()).err();
            let expected = NoSuchRows {
                path: rows.to_owned(),
                there_are: vec!["review".to_owned()],
            };
            assert_eq!(refused, Some(expected));
            // The same for every format.
            let lines = SinkSpec {
                format: Format::Ndjson,
                ..spec(rows, false)
            };
            assert!(lines.check(&books()).is_err());
        }
    }

    #[test]
    fn nothing_is_lost_silently() {
        let types = books();
        let mut sink = spec("", false).open(&types, Vec::new()).expect("no rows asked for");
        for (name, value) in [("price", "1"), ("review", "good")] {
            let stranger = node("book", None, vec![node(name, Some(value), Vec::new())]);
            let error = sink.record(&stranger).expect_err("no column").to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
        }
    }

    #[test]
    fn a_value_and_a_record_may_share_a_name() {
        let value = |text| node("x", Some(text), Vec::new());
        let record = |text| node("x", None, vec![node("y", Some(text), Vec::new())]);
        let both = merge(vec![Field::text("x"), Field::records("x", vec![Field::text("y")])]);
        let nested = [RecordType::new("r", both.clone())];
        let of_both = [node("r", None, vec![value("1"), record("2"), value("3"), record("4")])];
        assert_eq!(written(&spec("", false), &nested, &of_both), "x,x.y\n1; 3,2; 4\n");
        assert_eq!(written(&spec("x", false), &nested, &of_both), "x,x.y\n1; 3,2\n1; 3,4\n");
        let top = [RecordType {
            content: both[0].content.clone(),
            ..RecordType::single("x")
        }];
        let records = [value("1"), record("2")];
        assert_eq!(written(&spec("", false), &top, &records), "x,y\n1,\n\"\",2\n");
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
        let spec = SinkSpec {
            format: Format::Csv,
            ..SinkSpec::default()
        };
        let types = [RecordType::single("link")];
        let mut sink = spec.open(&types, &mut out).expect("no rows asked for");
        sink.bindings(&[("city".to_owned(), "Rome, Italy".to_owned())]);
        sink.record(&node("link", Some("/a"), Vec::new()))
            .expect("a vector takes all");
        drop(sink);
        let expected = "_record,_page,_bind.city,link\nlink,http://x/,\"Rome, Italy\",/a\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn typed_values_are_written_plainly_and_misfits_have_a_column() {
        use crate::{Cardinality, Sort, ValueType};
        let value = |name: &str, sort: Sort| {
            let kind = ValueType {
                sort,
                ..ValueType::default()
            };
            Field::new(name, Cardinality::Many, Content::Value(kind))
        };
        let types = [RecordType::new(
            "r",
            vec![value("price", Sort::Decimal), value("day", Sort::Date)],
        )];
        let record = |texts: &[(&str, &str)]| {
            let children = texts.iter().map(|(name, text)| node(name, Some(text), Vec::new()));
            node("r", None, children.collect())
        };
        let records = [
            record(&[("price", "12,50 €"), ("price", "$1,299.00"), ("day", "May 9, 2019")]),
            record(&[("price", "soon"), ("day", "5/9/2019")]),
        ];
        let spec = SinkSpec {
            bom: true,
            format: Format::Tsv,
            no_meta: true,
            ..SinkSpec::default()
        };
        let expected = "\u{feff}price\tday\t_misfit\n12.50; 1299.00\t2019-05-09\t\n\
                        \"\"\t\t\"{\"\"price[0]\"\":\"\"soon\"\",\"\"day[0]\"\":\"\"5/9/2019\"\"}\"\n";
        assert_eq!(written(&spec, &types, &records), expected);
        let single = [RecordType {
            content: types[0].fields()[0].content.clone(),
            ..RecordType::single("n")
        }];
        let values = ["7", "x"].map(|text| node("n", Some(text), Vec::new()));
        let spec_without_rows = SinkSpec {
            format: Format::Csv,
            bom: false,
            ..spec
        };
        let expected = "n,_misfit\n7,\n\"\",\"{\"\"n\"\":\"\"x\"\"}\"\n";
        assert_eq!(written(&spec_without_rows, &single, &values), expected);
    }
}

//! A record type as tables of a database, and records as their rows.
//!
//! A record is a row of a table. A nested record of which there may be several is a row of a table of its own, with the id
//! of the row it belongs to and its position there. A single nested record becomes columns of the row around it. Names of
//! columns are paths joined with `_`. Databases do not tell `Title` from `title`, and PostgreSQL cuts names at 63 bytes, so a
//! name that is taken gets a number: the same type always has the same names.

use record::{Cell, Content, Field, RecordType, Sort, VALUE};

/// The most bytes of a name.
const LONGEST_NAME: usize = 63;

/// Columns that every table, or every table with a key, may have.
pub(crate) const OURS: [&str; 9] = [
    "_id",
    "_parent",
    "_position",
    "_first_seen",
    "_last_seen",
    "_run",
    "_changed",
    "_gone",
    "_hash",
];

/// The tables of a type, each before those inside it.
pub(crate) struct Layout {
    pub(crate) tables: Vec<Table>,
    slots: Vec<Slot>,
}

pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) columns: Vec<Column>,
}

#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The path of its field, joined with dots.
    pub(crate) field: String,
    pub(crate) sort: Sort,
    pub(crate) many: bool,
}

/// Where the cell of a field goes.
enum Slot {
    Column { many: bool },
    Inline(Vec<Slot>),
    Table(usize, Vec<Slot>),
}

/// A row of a table.
pub(crate) struct Row {
    pub(crate) table: usize,
    /// The row around it, among the rows of the same record.
    pub(crate) parent: usize,
    pub(crate) position: usize,
    pub(crate) cells: Vec<Cell>,
}

impl Layout {
    pub(crate) fn new(kind: &RecordType, name: &str) -> Layout {
        let mut layout = Layout {
            tables: Vec::new(),
            slots: Vec::new(),
        };
        let name = free(name, |_| false);
        layout.tables.push(Table {
            name,
            parent: None,
            columns: Vec::new(),
        });
        layout.slots = layout.add(kind.fields(), 0, "", "");
        layout
    }

    fn add(&mut self, fields: &[Field], table: usize, prefix: &str, path: &str) -> Vec<Slot> {
        let mut slots = Vec::new();
        for field in fields {
            let full = format!("{path}{}", field.name);
            let many = field.cardinality.may_repeat();
            slots.push(match &field.content {
                Content::Value(value) => {
                    let columns = &self.tables[table].columns;
                    let name = free(&format!("{prefix}{}", field.name), |name| {
                        OURS.contains(&name) || columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
                    });
                    self.tables[table].columns.push(Column {
                        name,
                        field: full,
                        sort: value.sort,
                        many,
                    });
                    Slot::Column { many }
                }
                Content::Record(inner) if many => {
                    let name = format!("{}_{prefix}{}", self.tables[table].name, field.name);
                    let name = free(&name, |name| {
                        self.tables.iter().any(|table| table.name.eq_ignore_ascii_case(name))
                    });
                    self.tables.push(Table {
                        name,
                        parent: Some(table),
                        columns: Vec::new(),
                    });
                    let at = self.tables.len() - 1;
                    Slot::Table(at, self.add(inner, at, "", &format!("{full}.")))
                }
                Content::Record(inner) => {
                    let prefix = format!("{prefix}{}_", field.name);
                    Slot::Inline(self.add(inner, table, &prefix, &format!("{full}.")))
                }
            });
        }
        slots
    }

    /// The rows of a record, each before those inside it. The first is the record itself.
    pub(crate) fn rows(&self, cells: Vec<Cell>) -> Vec<Row> {
        let mut rows = vec![Row {
            table: 0,
            parent: 0,
            position: 0,
            cells: Vec::new(),
        }];
        lay(&self.slots, cells, 0, &mut rows);
        rows
    }
}

fn lay(slots: &[Slot], cells: Vec<Cell>, row: usize, rows: &mut Vec<Row>) {
    let mut cells = cells.into_iter();
    for slot in slots {
        let cell = cells.next().unwrap_or(Cell::Null);
        match (slot, cell) {
            (Slot::Column { many: true }, Cell::Null) => rows[row].cells.push(Cell::List(Vec::new())),
            (Slot::Column { .. }, cell) => rows[row].cells.push(cell),
            (Slot::Inline(inner), Cell::Record(inside)) => lay(inner, inside, row, rows),
            (Slot::Inline(inner), _) => lay(inner, Vec::new(), row, rows),
            (Slot::Table(table, inner), Cell::List(items)) => {
                for (position, item) in items.into_iter().enumerate() {
                    let Cell::Record(inside) = item else { continue };
                    rows.push(Row {
                        table: *table,
                        parent: row,
                        position,
                        cells: Vec::new(),
                    });
                    lay(inner, inside, rows.len() - 1, rows);
                }
            }
            (Slot::Table(..), _) => {}
        }
    }
}

/// A name that is not taken, with a number at its end if need be.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let plain: String = name.chars().filter(|c| *c != '\0').collect();
    let mut number = 1;
    loop {
        let ending = if number == 1 {
            String::new()
        } else {
            format!("_{number}")
        };
        let mut end = plain.len().min(LONGEST_NAME - ending.len());
        while !plain.is_char_boundary(end) {
            end -= 1;
        }
        let name = format!("{}{ending}", &plain[..end]);
        if !taken(&name) {
            return name;
        }
        number += 1;
    }
}

/// The name of an index of a table.
pub(crate) fn index_name(table: &str, what: &str) -> String {
    let mut end = table.len().min(LONGEST_NAME - what.len() - 1);
    while !table.is_char_boundary(end) {
        end -= 1;
    }
    quoted(&format!("{}_{what}", &table[..end]))
}

/// A name as SQL has it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A hash of the values of a record and of the records inside it: FNV-1a with 64 bits. What sinks add, such as the page,
/// does not count, and neither do missing values, so a new field without values changes nothing.
pub(crate) fn hash(layout: &Layout, rows: &[Row]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        // A byte that no UTF-8 has keeps texts apart.
        for byte in text.bytes().chain([0xFF]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for row in rows {
        let table = &layout.tables[row.table];
        add(&table.name);
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let first = column.field.split('.').next().unwrap_or_default();
            let is_ours = row.table == 0 && first.starts_with('_') && first != VALUE;
            if is_ours || cell.is_nothing() {
                continue;
            }
            add(&column.name);
            match cell {
                Cell::List(cells) => cells.iter().for_each(|cell| add(&cell.written())),
                cell => add(&cell.written()),
            }
        }
    }
    format!("{hash:016x}")
}

/// The values of a list as a JSON array.
pub(crate) fn json(cells: &[Cell]) -> String {
    let value = |cell: &Cell| -> serde_json::Value {
        match cell {
            Cell::Null | Cell::List(_) | Cell::Record(_) => serde_json::Value::Null,
            Cell::Integer(number) => (*number).into(),
            Cell::Decimal(number) => match number.to_i64() {
                Some(whole) => whole.into(),
                None => number.to_f64().into(),
            },
            Cell::Boolean(truth) => (*truth).into(),
            cell => cell.written().into_owned().into(),
        }
    };
    serde_json::Value::Array(cells.iter().map(value).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Cardinality;

    fn film() -> RecordType {
        let prices = Content::Record(vec![Field::text("dvd"), Field::texts("vhs")]);
        let answer = Field::records("answer", vec![Field::text("text")]);
        RecordType::new(
            "film",
            vec![
                Field::text("name"),
                Field::text("Name"),
                Field::text("_id"),
                Field::new("price", Cardinality::Optional, prices),
                Field::records("review", vec![Field::text("by"), answer]),
            ],
        )
    }

    #[test]
    fn nested_records_are_tables_and_single_ones_columns() {
        let layout = Layout::new(&film(), "films");
        let shown = layout.tables.iter().map(|table| {
            let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            format!("{} ({:?}): {}", table.name, table.parent, columns.join(" "))
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "films (None): name Name_2 _id_2 price_dvd price_vhs",
                "films_review (Some(0)): by",
                "films_review_answer (Some(1)): text",
            ]
        );
        let text = |text: &str| Cell::Text(text.to_owned());
        let answers = |texts: &[&str]| Cell::List(texts.iter().map(|it| Cell::Record(vec![text(it)])).collect());
        let reviews = vec![
            Cell::Record(vec![text("x"), answers(&["1", "2"])]),
            Cell::Record(vec![text("y"), answers(&[])]),
        ];
        let cells = vec![text("A"), Cell::Null, Cell::Null, Cell::Null, Cell::List(reviews)];
        let rows = layout.rows(cells);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| (row.table, row.parent, row.position, row.cells.len()))
            .collect();
        assert_eq!(
            shown,
            [(0, 0, 0, 5), (1, 0, 0, 1), (2, 1, 0, 1), (2, 1, 1, 1), (1, 0, 1, 1)]
        );
        assert_eq!(rows[0].cells[4], Cell::List(Vec::new()), "a list is never null");
    }

    #[test]
    fn names_are_short_and_different() {
        let long = "ä".repeat(40);
        let fields = vec![Field::text(&long), Field::text(format!("{long}x"))];
        let layout = Layout::new(&RecordType::new("t", fields), &long);
        let columns = &layout.tables[0].columns;
        assert!(columns.iter().all(|column| column.name.len() <= LONGEST_NAME));
        assert_ne!(columns[0].name, columns[1].name);
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}

//! A record type as tables, and as the sequence of text fields that delimiter rules need.
//!
//! The outermost record is a table, and so is each kind of record that may repeat in another. The columns of a table
//! are the values that belong only to its records, including those of single nested records.

use crate::values::Convention;
use crate::{Content, Field, Record, RecordType, Sort, VALUE, ValueType};

/// A value field of a linear record type: see [`RecordType::leaves`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf<'s> {
    /// The field's name.
    pub name: &'s str,
    /// How many records it is nested in, not counting the outermost.
    pub depth: usize,
    /// Is it the first field of its record?
    pub opens: bool,
}

/// One table of a record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The field names from the outermost record to this one; empty for the outermost.
    pub path: Vec<String>,
    /// The table of the record around this one.
    pub parent: Option<usize>,
    /// Its columns, in the order of the type.
    pub columns: Vec<Column>,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The field names from the table's record to the value: several if a single record is nested in it.
    pub path: Vec<String>,
    /// May a record have several values?
    pub many: bool,
}

/// The values of each column of one record.
pub type Row = Vec<Vec<String>>;

/// The rows of each table.
pub type Rows = Vec<Vec<Row>>;

impl Table {
    /// Its path, joined with dots.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

impl Column {
    /// Its path, joined with dots.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

impl RecordType {
    /// The tables, each before those nested in it.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![Table {
            path: Vec::new(),
            parent: None,
            columns: Vec::new(),
        }];
        match &self.content {
            Content::Value(_) => tables[0].columns.push(Column {
                path: vec![VALUE.to_owned()],
                many: false,
            }),
            Content::Record(fields) => fill(fields, 0, &[], &[], &mut tables),
        }
        tables
    }

    /// The values of records by table.
    pub fn rows(&self, records: &[Record]) -> Rows {
        let mut rows = vec![Vec::new(); self.tables().len()];
        for record in records {
            match &self.content {
                Content::Value(_) => rows[0].push(vec![record.value.iter().cloned().collect()]),
                Content::Record(fields) => row(fields, record, &mut 0, &mut rows),
            }
        }
        rows
    }

    /// Decides how the numbers and dates of each field are written, from values of each column of each table, in the order
    /// of [`RecordType::tables`]. Fields without values keep their convention.
    ///
    /// ```
    /// use record::values::{Convention, Decimal};
    /// use record::{Cardinality, Content, Field, RecordType, Sort, Value, ValueType};
    /// let price = ValueType { sort: Sort::Decimal, ..ValueType::default() };
    /// let fields = vec![Field::new("price", Cardinality::One, Content::Value(price))];
    /// let mut book = RecordType::new("book", fields);
    /// book.decide_conventions(&[vec![&["12,50".to_owned(), "1.234".to_owned()]]]);
    /// let Content::Value(price) = &book.fields()[0].content else { unreachable!() };
    /// assert_eq!(price.read("1.234"), Some(Value::Integer(1234)));
    /// ```
    pub fn decide_conventions(&mut self, values: &[Vec<&[String]>]) {
        match &mut self.content {
            Content::Value(value) => value.decide(values.first().and_then(|columns| columns.first())),
            Content::Record(fields) => decide(fields, 0, &mut vec![0], values),
        }
    }

    /// The value fields in page order; those of nested records come after those of the record around them. Only for
    /// linear types ([`RecordType::not_linear`]).
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        let mut next = Some(self.fields());
        let mut depth = 0;
        while let Some(fields) = next.take() {
            let mut opens = true;
            for field in fields {
                match &field.content {
                    Content::Record(inner) => next = Some(inner),
                    Content::Value(_) => {
                        leaves.push(Leaf {
                            name: &field.name,
                            depth,
                            opens,
                        });
                        opens = false;
                    }
                }
            }
            depth += 1;
        }
        leaves
    }

    /// The names of the records at each depth of a linear type, outermost first.
    pub fn levels(&self) -> Vec<&str> {
        let mut names = vec![self.name.as_str()];
        let mut fields = self.fields();
        while let Some(field) = fields.iter().find(|field| field.content.is_record()) {
            names.push(&field.name);
            fields = field.content.fields();
        }
        names
    }

    /// Why a delimiter rule cannot give this type. Its records must be linear: each has values, then at most one field
    /// with nested records.
    pub fn not_linear(&self) -> Option<String> {
        let (mut name, mut fields) = (&self.name, self.fields());
        loop {
            let values = fields.iter().take_while(|field| !field.content.is_record()).count();
            if values == 0 {
                return Some(format!("the record `{name}` has no value before its nested records"));
            }
            match &fields[values..] {
                [] => return None,
                [last] => (name, fields) = (&last.name, last.content.fields()),
                _ => return Some(format!("in the record `{name}` nested records are not the last field")),
            }
        }
    }
}

fn fill(fields: &[Field], table: usize, way: &[String], column: &[String], tables: &mut Vec<Table>) {
    for field in fields {
        let longer = |names: &[String]| -> Vec<String> { names.iter().chain([&field.name]).cloned().collect() };
        let many = field.cardinality.may_repeat();
        match &field.content {
            Content::Value(_) => tables[table].columns.push(Column {
                path: longer(column),
                many,
            }),
            Content::Record(inner) if many => {
                let path = longer(way);
                tables.push(Table {
                    path: path.clone(),
                    parent: Some(table),
                    columns: Vec::new(),
                });
                fill(inner, tables.len() - 1, &path, &[], tables);
            }
            Content::Record(inner) => fill(inner, table, &longer(way), &longer(column), tables),
        }
    }
}

impl ValueType {
    fn decide(&mut self, values: Option<&&[String]>) {
        // What a program writes is known without looking.
        let written = matches!(self.sort, Sort::Integer | Sort::Decimal | Sort::Date | Sort::Timestamp)
            && self.convention != Convention::of_programs();
        if let Some(values) = values.filter(|values| written && !values.is_empty()) {
            self.convention = Convention::of(*values);
        }
    }
}

/// As [`fill`]: `counts` has the number of columns seen so far of each table.
fn decide(fields: &mut [Field], table: usize, counts: &mut Vec<usize>, values: &[Vec<&[String]>]) {
    for field in fields {
        let table_of_its_own = is_table(field);
        match &mut field.content {
            Content::Value(value) => {
                value.decide(values.get(table).and_then(|columns| columns.get(counts[table])));
                counts[table] += 1;
            }
            Content::Record(inner) if table_of_its_own => {
                counts.push(0);
                decide(inner, counts.len() - 1, counts, values);
            }
            Content::Record(inner) => decide(inner, table, counts, values),
        }
    }
}

/// The number of tables of repeated records among fields.
fn count(fields: &[Field]) -> usize {
    let inside = |field: &Field| count(field.content.fields()) + usize::from(is_table(field));
    fields.iter().map(inside).sum()
}

fn is_table(field: &Field) -> bool {
    field.content.is_record() && field.cardinality.may_repeat()
}

/// Adds a record's row to its table, `next`, and those of the records in it to the tables after that.
fn row(fields: &[Field], record: &Record, next: &mut usize, rows: &mut Rows) {
    let table = *next;
    *next += 1;
    let mut row = Vec::new();
    cells(fields, &[record], &mut row, next, rows);
    rows[table].push(row);
}

fn cells(fields: &[Field], records: &[&Record], into: &mut Row, next: &mut usize, rows: &mut Rows) {
    for field in fields {
        let children = records.iter().flat_map(|record| &record.children);
        let found: Vec<&Record> = children.filter(|child| child.name == field.name).collect();
        match &field.content {
            Content::Value(_) if field.name == VALUE => {
                into.push(records.iter().filter_map(|record| record.value.clone()).collect());
            }
            Content::Value(_) => into.push(found.iter().filter_map(|child| child.value.clone()).collect()),
            Content::Record(inner) if is_table(field) => {
                let first = *next;
                for child in found {
                    *next = first;
                    row(inner, child, next, rows);
                }
                *next = first + 1 + count(inner);
            }
            Content::Record(inner) => cells(inner, &found, into, next, rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::NodeId;

    fn record(name: &str, value: Option<&str>, children: Vec<Record>) -> Record {
        Record {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            children,
            page: "p".into(),
            node: NodeId::DOCUMENT,
        }
    }

    /// A film with a name, two prices inside one record, tags, and reviews that have answers.
    fn film() -> RecordType {
        let answer = Field::records("answer", vec![Field::text("text")]);
        let review = Field::records("review", vec![Field::text("by"), answer]);
        let prices = Content::Record(vec![Field::text("dvd"), Field::text("vhs")]);
        let price = Field::new("price", crate::Cardinality::Optional, prices);
        RecordType::new("film", vec![Field::text("name"), review, price, Field::texts("tag")])
    }

    #[test]
    fn records_are_tables() {
        let tables = film().tables();
        let shown: Vec<String> = tables
            .iter()
            .map(|table| {
                let columns = table.columns.iter().map(|column| {
                    let many = if column.many { "*" } else { "" };
                    column.name() + many
                });
                format!("{}: {}", table.name(), columns.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(
            shown,
            [": name price.dvd price.vhs tag*", "review: by", "review.answer: text"]
        );
        assert_eq!(
            tables.iter().map(|table| table.parent).collect::<Vec<_>>(),
            [None, Some(0), Some(1)]
        );
    }

    #[test]
    fn rows_are_the_values_of_records() {
        let text = |name: &str, value: &str| record(name, Some(value), Vec::new());
        let review = |by: &str, answers: &[&str]| {
            let answers = answers
                .iter()
                .map(|text_| record("answer", None, vec![text("text", text_)]));
            record("review", None, std::iter::once(text("by", by)).chain(answers).collect())
        };
        let one = record(
            "film",
            None,
            vec![
                text("name", "A"),
                review("x", &["1", "2"]),
                review("y", &[]),
                record("price", None, vec![text("vhs", "9")]),
                text("tag", "t"),
                text("tag", "u"),
            ],
        );
        let two = record("film", None, vec![text("name", "B"), review("z", &["3"])]);
        let cell = |values: &[&str]| -> Vec<String> { values.iter().map(|text| (*text).to_owned()).collect() };
        let rows = film().rows(&[one, two]);
        assert_eq!(
            rows[0],
            [
                vec![cell(&["A"]), cell(&[]), cell(&["9"]), cell(&["t", "u"])],
                vec![cell(&["B"]), cell(&[]), cell(&[]), cell(&[])]
            ]
        );
        assert_eq!(rows[1], [[cell(&["x"])], [cell(&["y"])], [cell(&["z"])]]);
        assert_eq!(rows[2], [[cell(&["1"])], [cell(&["2"])], [cell(&["3"])]]);
    }
}

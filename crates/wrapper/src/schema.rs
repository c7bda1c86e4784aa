//! The shape of records: which fields they have, which of them are lists, and how they nest.

use oxpath::run::Outline;
use record::Record;

/// A kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// What a record is called.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// Any number of these.
    List(Box<Kind>),
    /// A record.
    Record(Schema),
}

/// A field that holds text, wherever in the schema it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf<'s> {
    /// The field's name.
    pub name: &'s str,
    /// How many records it is inside of, beyond the outermost.
    pub depth: usize,
    /// Is it the first field of its record?
    pub opens: bool,
}

/// A kind of record within a schema: the outermost, or one that another has any number of. Its columns are the texts that
/// belong to it alone, so the values of all records of one kind are a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names from the outermost record to this one, without the first; empty for the outermost.
    pub path: Vec<String>,
    /// The table of the record that this one is inside of.
    pub parent: Option<usize>,
    /// Its columns, in the order of the schema.
    pub columns: Vec<Column>,
}

/// The texts of one name in a kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The names from the record to the text: more than one where a record has a single record inside.
    pub path: Vec<String>,
    /// May a record have several?
    pub many: bool,
}

impl Table {
    /// What messages call it.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

impl Column {
    /// What messages and headings call it.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

impl Schema {
    /// The kinds of records, each before those inside of it.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![Table {
            path: Vec::new(),
            parent: None,
            columns: Vec::new(),
        }];
        self.fill(0, &[], &[], &mut tables);
        tables
    }

    fn fill(&self, table: usize, way: &[String], column: &[String], tables: &mut Vec<Table>) {
        for field in &self.fields {
            let longer = |names: &[String]| -> Vec<String> { names.iter().chain([&field.name]).cloned().collect() };
            let is_list = matches!(field.kind, Kind::List(_));
            match record_of(&field.kind) {
                None => tables[table].columns.push(Column {
                    path: longer(column),
                    many: is_list,
                }),
                Some(inner) if is_list => {
                    let path = longer(way);
                    tables.push(Table {
                        path: path.clone(),
                        parent: Some(table),
                        columns: Vec::new(),
                    });
                    inner.fill(tables.len() - 1, &path, &[], tables);
                }
                Some(inner) => inner.fill(table, &longer(way), &longer(column), tables),
            }
        }
    }

    /// The values of records by table: for each table its rows, for each row the values of each column.
    pub fn rows(&self, records: &[Record]) -> Vec<Vec<Vec<Vec<String>>>> {
        let mut rows = vec![Vec::new(); self.tables().len()];
        for record in records {
            let mut next = 0;
            self.row(record, &mut next, &mut rows);
        }
        rows
    }

    /// Adds a record's row to its table, `next`, and those of the records inside to the tables behind.
    fn row(&self, record: &Record, next: &mut usize, rows: &mut [Vec<Vec<Vec<String>>>]) {
        let table = *next;
        *next += 1;
        let mut row = Vec::new();
        self.cells(&[record], &mut row, next, rows);
        rows[table].push(row);
    }

    fn cells(
        &self,
        records: &[&Record],
        row: &mut Vec<Vec<String>>,
        next: &mut usize,
        rows: &mut [Vec<Vec<Vec<String>>>],
    ) {
        for field in &self.fields {
            let children = records.iter().flat_map(|record| &record.children);
            let found: Vec<&Record> = children.filter(|child| child.name == field.name).collect();
            match record_of(&field.kind) {
                None if field.name == crate::model::VALUE => {
                    row.push(records.iter().filter_map(|record| record.value.clone()).collect());
                }
                None => row.push(found.iter().filter_map(|child| child.value.clone()).collect()),
                Some(inner) if matches!(field.kind, Kind::List(_)) => {
                    let first = *next;
                    for child in found {
                        *next = first;
                        inner.row(child, next, rows);
                    }
                    *next = first + inner.tables().len();
                }
                Some(inner) => inner.cells(&found, row, next, rows),
            }
        }
    }

    /// The same as a sink of tables wants it.
    pub fn outline(&self) -> Outline {
        let fields = self.fields.iter().map(|field| match record_of(&field.kind) {
            Some(inner) => Outline {
                name: field.name.clone(),
                ..inner.outline()
            },
            None => Outline {
                name: field.name.clone(),
                value: true,
                children: Vec::new(),
            },
        });
        Outline {
            name: self.name.clone(),
            value: false,
            children: fields.collect(),
        }
    }

    /// A record of text fields.
    pub fn flat(name: impl Into<String>, fields: impl IntoIterator<Item = impl Into<String>>) -> Schema {
        let fields = fields.into_iter().map(|name| Field {
            name: name.into(),
            kind: Kind::Text,
        });
        Schema {
            name: name.into(),
            fields: fields.collect(),
        }
    }

    /// The text fields in the order of the page, those of nested records behind those of the record they are in.
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        let mut next = Some(self);
        let mut depth = 0;
        while let Some(schema) = next.take() {
            let mut opens = true;
            for field in &schema.fields {
                match record_of(&field.kind) {
                    Some(inner) => next = Some(inner),
                    None => {
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

    /// The names of the records at each depth, outermost first: its own, then those of the fields that hold records.
    pub fn levels(&self) -> Vec<&str> {
        let mut names = vec![self.name.as_str()];
        let mut schema = self;
        while let Some((field, inner)) = schema
            .fields
            .iter()
            .find_map(|field| record_of(&field.kind).map(|inner| (field, inner)))
        {
            names.push(&field.name);
            schema = inner;
        }
        names
    }

    /// Why the schema cannot be that of a delimiter wrapper, whose records nest in one line: each has text fields and then at
    /// most one list of records.
    pub(crate) fn not_linear(&self) -> Option<String> {
        let mut schema = self;
        loop {
            let text = schema
                .fields
                .iter()
                .take_while(|field| record_of(&field.kind).is_none())
                .count();
            if text == 0 {
                return Some(format!(
                    "the record `{}` has no text field before its nested records",
                    schema.name
                ));
            }
            match &schema.fields[text..] {
                [] => return None,
                [last] => match record_of(&last.kind) {
                    Some(inner) => schema = inner,
                    None => return None,
                },
                _ => {
                    return Some(format!(
                        "in the record `{}` nested records are not the last field",
                        schema.name
                    ));
                }
            }
        }
    }
}

/// The record that a field holds one or more of.
pub(crate) fn record_of(kind: &Kind) -> Option<&Schema> {
    match kind {
        Kind::Text => None,
        Kind::List(inner) => record_of(inner),
        Kind::Record(schema) => Some(schema),
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

    /// A film with a name, two prices inside of one record, tags, and reviews that have answers.
    fn film() -> Schema {
        let field = |name: &str, kind: Kind| Field {
            name: name.to_owned(),
            kind,
        };
        let mut review = Schema::flat("review", ["by"]);
        let answer = Kind::Record(Schema::flat("answer", ["text"]));
        review.fields.push(field("answer", Kind::List(Box::new(answer))));
        let mut film = Schema::flat("film", ["name"]);
        film.fields
            .push(field("review", Kind::List(Box::new(Kind::Record(review)))));
        film.fields
            .push(field("price", Kind::Record(Schema::flat("price", ["dvd", "vhs"]))));
        film.fields.push(field("tag", Kind::List(Box::new(Kind::Text))));
        film
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

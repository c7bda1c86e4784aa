//! The shape of records: which fields they have, which of them are lists, and how they nest.

use oxpath::run::Outline;

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

impl Schema {
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
fn record_of(kind: &Kind) -> Option<&Schema> {
    match kind {
        Kind::Text => None,
        Kind::List(inner) => record_of(inner),
        Kind::Record(schema) => Some(schema),
    }
}

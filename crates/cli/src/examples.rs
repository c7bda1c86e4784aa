//! Examples files: what is on which page, by value or by offsets, as JSON or CSV.
//!
//! JSON keeps the order of its keys here, because the order of attributes may be all that tells where they stand.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use wrapwright::record::{Content, Field, RecordType};

/// JSON with the order of keys kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Text(String),
    Number(u64),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        struct Nodes;
        impl<'de> Visitor<'de> for Nodes {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, an offset, null, a list or an object")
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }
            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
                Ok(Node::Number(number))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut list = Vec::new();
                while let Some(node) = access.next_element()? {
                    list.push(node);
                }
                Ok(Node::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = access.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Node::Object(pairs))
            }
        }
        deserializer.deserialize_any(Nodes)
    }
}

/// A value of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Missing,
    Text(String),
    Place(u64, u64),
}

/// One value after the other, as they nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The attribute's number.
    pub(crate) field: usize,
    pub(crate) value: Given,
    /// The number of the outermost record.
    pub(crate) record: usize,
}

/// An examples file.
#[derive(Clone, Debug)]
pub(crate) struct Examples {
    pub(crate) schema: RecordType,
    /// Pages by name, with their values.
    pub(crate) pages: Vec<(String, Vec<Item>)>,
}

/// Reads an examples file; `csv` if its name says so.
pub(crate) fn parse(text: &str, csv: bool, record: &str) -> Result<Examples, String> {
    let pages = match csv {
        true => from_csv(text)?,
        false => from_json(text, false)?,
    };
    if pages.is_empty() {
        return Err("found no page in the examples, expected at least one".to_owned());
    }
    let mut schema: Option<(Vec<Field>, String)> = None;
    let mut out = Vec::new();
    for (page, records) in pages {
        let mut items = Vec::new();
        for (number, node) in records.iter().enumerate() {
            let found = shape(node, record, &page, number)?;
            let (known, first) = schema.get_or_insert_with(|| (found.fields().to_vec(), page.clone()));
            merge(known, found.fields()).map_err(|what| {
                let hint = "write null where an attribute is missing";
                format!(
                    "{page}: record {} has other attributes than those of {first}: {what}; {hint}",
                    number + 1
                )
            })?;
            flatten(node, 0, number, &mut items);
        }
        out.push((page, items));
    }
    let Some((schema, _)) = schema else {
        return Err("found no record in the examples, expected at least one on one page".to_owned());
    };
    let schema = RecordType::new(record, schema);
    if schema.leaves().is_empty() {
        return Err("the records have no attribute, expected at least one".to_owned());
    }
    Ok(Examples { schema, pages: out })
}

/// Pages with their records as a schema has them: columns `price.dvd` are members of members, and the record of a page that
/// has one may stand alone.
pub(crate) fn pages(text: &str, csv: bool) -> Result<Vec<(String, Vec<Node>)>, String> {
    let pages = match csv {
        false => from_json(text, true)?,
        true => {
            let nested = |(page, records): (String, Vec<Node>)| (page, records.into_iter().map(unfold).collect());
            from_csv(text)?.into_iter().map(nested).collect()
        }
    };
    match pages.is_empty() {
        true => Err("found no page in the examples, expected at least one".to_owned()),
        false => Ok(pages),
    }
}

/// Makes members of members of names with dots.
fn unfold(node: Node) -> Node {
    let Node::Object(pairs) = node else { return node };
    let mut out: Vec<(String, Node)> = Vec::new();
    for (name, value) in pairs {
        match name.split_once('.') {
            None => out.push((name, value)),
            Some((first, rest)) => {
                let inner = (rest.to_owned(), value);
                match out.iter_mut().find(|(known, _)| known == first) {
                    Some((_, Node::Object(members))) => members.push(inner),
                    _ => out.push((first.to_owned(), Node::Object(vec![inner]))),
                }
            }
        }
    }
    let deeper = |(name, node)| (name, unfold(node));
    Node::Object(out.into_iter().map(deeper).collect())
}

fn from_json(text: &str, alone: bool) -> Result<Vec<(String, Vec<Node>)>, String> {
    let node: Node = serde_json::from_str(text).map_err(|error| format!("not JSON as expected: {error}"))?;
    let expected = "expected {\"page.html\": [{\"attribute\": \"value\", …}, …], …}";
    let Node::Object(pages) = node else {
        return Err(format!("found no object, {expected}"));
    };
    let each = pages.into_iter().map(|(page, records)| match records {
        Node::List(records) => Ok((page, records)),
        one @ Node::Object(_) if alone => Ok((page, vec![one])),
        _ => Err(format!("{page}: found no list of records, {expected}")),
    });
    each.collect()
}

/// The shape of a record: texts, then at most one list of records.
fn shape(node: &Node, name: &str, page: &str, number: usize) -> Result<RecordType, String> {
    let place = || format!("{page}: record {}", number + 1);
    let Node::Object(pairs) = node else {
        return Err(format!(
            "{}: found no object, expected {{\"attribute\": \"value\", …}}",
            place()
        ));
    };
    let mut fields: Vec<Field> = Vec::new();
    for (at, (name, value)) in pairs.iter().enumerate() {
        if fields.iter().any(|field| field.name == *name) {
            return Err(format!("{}: found the attribute `{name}` twice", place()));
        }
        let field = match value {
            Node::Null | Node::Text(_) => Field::text(name),
            Node::Number(value) => {
                return Err(format!(
                    "{}: found the number {value} for `{name}`, expected \"{value}\" in quotes",
                    place()
                ));
            }
            Node::List(list) if matches!(&list[..], [Node::Number(_), Node::Number(_)]) => Field::text(name),
            Node::List(list) => {
                if at + 1 < pairs.len() {
                    return Err(format!("{}: the list `{name}` is not the last attribute", place()));
                }
                let mut inner = Vec::new();
                for node in list {
                    merge(&mut inner, shape(node, name, page, number)?.fields())
                        .map_err(|what| format!("{}: {what}", place()))?;
                }
                Field::records(name, inner)
            }
            Node::Object(_) => {
                return Err(format!(
                    "{}: found an object for `{name}`, expected a list of them",
                    place()
                ));
            }
        };
        fields.push(field);
    }
    Ok(RecordType::new(name, fields))
}

/// Makes one shape of two; an empty list of records takes any shape.
fn merge(known: &mut Vec<Field>, found: &[Field]) -> Result<(), String> {
    if known.is_empty() {
        *known = found.to_vec();
        return Ok(());
    }
    if found.is_empty() {
        return Ok(());
    }
    if let Some(field) = found
        .iter()
        .find(|field| !known.iter().any(|other| other.name == field.name))
    {
        return Err(format!("found `{}`, which the others do not have", field.name));
    }
    for field in known {
        let Some(other) = found.iter().find(|other| other.name == field.name) else {
            return Err(format!("found no `{}`", field.name));
        };
        match (&mut field.content, &other.content) {
            (Content::Record(known), Content::Record(found)) => merge(known, found)?,
            (Content::Value(_), Content::Value(_)) => {}
            _ => return Err(format!("found `{}` once as text and once as a list", field.name)),
        }
    }
    Ok(())
}

/// The values of a record in order; attributes are counted through nested records.
fn flatten(node: &Node, first: usize, record: usize, items: &mut Vec<Item>) {
    let Node::Object(pairs) = node else { return };
    let mut field = first;
    for (_, value) in pairs {
        let value = match value {
            Node::Text(text) => Given::Text(text.clone()),
            Node::List(list) => match &list[..] {
                [Node::Number(start), Node::Number(end)] => Given::Place(*start, *end),
                _ => {
                    list.iter().for_each(|node| flatten(node, field, record, items));
                    continue;
                }
            },
            _ => Given::Missing,
        };
        items.push(Item { field, value, record });
        field += 1;
    }
}

/// Rows with a first column `page`; an empty cell is a missing value.
fn from_csv(text: &str) -> Result<Vec<(String, Vec<Node>)>, String> {
    let mut rows = csv_rows(text)?.into_iter();
    let header = rows.next().unwrap_or_default();
    if header.first().map(String::as_str) != Some("page") || header.len() < 2 {
        return Err("expected a first line `page,attribute,…`".to_owned());
    }
    let mut pages: Vec<(String, Vec<Node>)> = Vec::new();
    for (number, row) in rows.enumerate() {
        if row.len() != header.len() {
            return Err(format!(
                "row {}: found {} cells, expected {}",
                number + 2,
                row.len(),
                header.len()
            ));
        }
        let mut cells = row.into_iter();
        let page = cells.next().unwrap_or_default();
        let value = |cell: String| if cell.is_empty() { Node::Null } else { Node::Text(cell) };
        let pairs = header[1..].iter().cloned().zip(cells.map(value)).collect();
        match pages.iter_mut().find(|(name, _)| *name == page) {
            Some((_, records)) => records.push(Node::Object(pairs)),
            None => pages.push((page, vec![Node::Object(pairs)])),
        }
    }
    Ok(pages)
}

fn csv_rows(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = characters.next() {
        let row = match rows.last_mut() {
            Some(row) => row,
            None => return Ok(rows),
        };
        let Some(cell) = row.last_mut() else { return Ok(rows) };
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted && characters.peek() == Some(&'\n') => {}
            '\n' if !quoted => rows.push(vec![String::new()]),
            c => cell.push(c),
        }
    }
    if quoted {
        return Err("found a quote that is never closed".to_owned());
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    Ok(rows)
}

//! Examples: what is on which page, by value or by offsets, as JSON or CSV.
//!
//! `{"a.html": [{"title": "Kelp", "price": "12.50"}], …}` in JSON, or a CSV file whose first column is `page`. A value is a
//! text as a reader sees it, null where it is missing, or two byte offsets. With a schema, a page that is one record may
//! have an object instead of a list, and a value may be `{"xpath": …}` or `{"css": …}`.
//!
//! JSON keeps the order of its keys here, because the order of attributes may be all that tells where they are.

use super::read::bytes_of;
use super::{MakeError, NamedPage};
use crate::record::{Content, Field, RecordType};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::path::Path;

/// A value as a user wrote it: JSON with the order of keys kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Nothing.
    Null,
    /// A text.
    Text(String),
    /// A number.
    Number(u64),
    /// A list.
    List(Vec<Node>),
    /// An object, with its members in order.
    Object(Vec<(String, Node)>),
}

/// What some pages say.
///
/// ```
/// use wrapwright::make::Examples;
/// let examples = Examples::from_json("e.json", r#"{"a.html": [{"title": "Kelp"}]}"#)?;
/// assert_eq!(examples.pages[0].0, "a.html");
/// let examples = Examples::from_csv("e.csv", "page,title\na.html,Kelp\n")?;
/// assert_eq!(examples.pages.len(), 1);
/// # Ok::<(), wrapwright::make::MakeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Examples {
    /// What messages call them: their file.
    pub name: String,
    /// The pages by name, each with its records: a list of objects, or an object for a page that is one record.
    pub pages: Vec<(String, Node)>,
    /// Are they a table, where columns such as `price.dvd` are members of members?
    pub table: bool,
}

impl Examples {
    /// Reads examples in JSON.
    ///
    /// # Errors
    ///
    /// [`MakeError::Examples`] if they are not of the form that is expected.
    pub fn from_json(name: impl Into<String>, text: &str) -> Result<Examples, MakeError> {
        let name = name.into();
        let pages = match serde_json::from_str(text) {
            Ok(Node::Object(pages)) => Ok(pages),
            Ok(_) => Err(format!("found no object, {EXPECTED}")),
            Err(error) => Err(format!("not JSON as expected: {error}")),
        };
        Examples::of(name, pages, false)
    }

    /// Reads examples in CSV: rows with a first column `page`; an empty cell is a missing value.
    ///
    /// # Errors
    ///
    /// [`MakeError::Examples`] if they are not of the form that is expected.
    pub fn from_csv(name: impl Into<String>, text: &str) -> Result<Examples, MakeError> {
        let pages = read_csv(text).map(|pages| {
            let listed = |(page, records): (String, Vec<Node>)| (page, Node::List(records));
            pages.into_iter().map(listed).collect()
        });
        Examples::of(name.into(), pages, true)
    }

    /// Reads a file of examples: CSV if its name ends in `.csv`, else JSON.
    ///
    /// # Errors
    ///
    /// As the others, and when the file cannot be read.
    pub fn open(file: &Path) -> Result<Examples, MakeError> {
        let bytes = bytes_of(file, "examples")?;
        let text = String::from_utf8_lossy(&bytes);
        let name = file.display().to_string();
        let csv = file
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        match csv {
            true => Examples::from_csv(name, &text),
            false => Examples::from_json(name, &text),
        }
    }

    fn of(name: String, pages: Result<Vec<(String, Node)>, String>, table: bool) -> Result<Examples, MakeError> {
        let none = "found no page in the examples, expected at least one";
        let pages = pages.and_then(|pages| {
            if pages.is_empty() {
                Err(none.to_owned())
            } else {
                Ok(pages)
            }
        });
        match pages {
            Ok(pages) => Ok(Examples { name, pages, table }),
            Err(message) => Err(MakeError::Examples {
                place: name,
                message,
                json: !table,
            }),
        }
    }

    /// The pages that have examples, each once, in the order of the examples: those to read, where many are at hand.
    ///
    /// A page is named by its whole name, or by the last part of its path.
    ///
    /// # Errors
    ///
    /// There is no such page, or more than one.
    pub fn choose<'p, P: NamedPage>(&self, pages: &'p [P]) -> Result<Vec<&'p P>, MakeError> {
        let mut chosen: Vec<usize> = Vec::new();
        for (name, _) in &self.pages {
            let at = self.find(pages, name)?;
            if !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        Ok(chosen.into_iter().map(|at| &pages[at]).collect())
    }

    /// The pages without examples, of these and of those in `also`: some of them, if they are many, for
    /// [`LearnSettings::also`](super::LearnSettings::also).
    ///
    /// # Errors
    ///
    /// As [`Examples::choose`].
    pub fn others<'p, P: NamedPage>(&self, pages: &'p [P], also: &'p [P]) -> Result<Vec<&'p P>, MakeError> {
        let chosen: Vec<String> = self.choose(pages)?.into_iter().map(NamedPage::name).collect();
        let others = pages.iter().chain(also).filter(|page| !chosen.contains(&page.name()));
        let others: Vec<&P> = others.collect();
        Ok(learn::guided::some(&others).into_iter().copied().collect())
    }

    /// The page of a name, by its place in the list.
    pub(super) fn find<P: NamedPage>(&self, pages: &[P], name: &str) -> Result<usize, MakeError> {
        let names: Vec<String> = pages.iter().map(NamedPage::name).collect();
        let of = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let all = names.iter().enumerate();
            all.filter(|(_, known)| fits(known)).map(|(at, _)| at).collect()
        };
        let exact = of(&|known| known == name);
        let last = |known: &str| {
            Path::new(known)
                .file_name()
                .is_some_and(|last| last.to_string_lossy() == name)
        };
        let found = if exact.is_empty() { of(&last) } else { exact };
        let (place, page) = (self.name.clone(), name.to_owned());
        match found[..] {
            [at] => Ok(at),
            [] => Err(MakeError::NoSuchPage { place, page }),
            _ => Err(MakeError::SeveralPages { place, page }),
        }
    }

    /// Something is wrong with the examples, though not with their form.
    fn wrong(&self, message: String) -> MakeError {
        MakeError::Examples {
            place: self.name.clone(),
            message,
            json: false,
        }
    }

    /// The examples as tables, for rules that take their schema from them.
    pub(super) fn tables(&self, record: &str) -> Result<Tables, MakeError> {
        let pages = self.pages.iter().map(|(page, records)| match records {
            Node::List(records) => Ok((page.as_str(), records.as_slice())),
            _ => Err(self.wrong(format!("{page}: found no list of records, {EXPECTED}"))),
        });
        let pages: Vec<(&str, &[Node])> = pages.collect::<Result<_, _>>()?;
        tables(&pages, record).map_err(|message| self.wrong(message))
    }

    /// The records of each page as a schema has them: columns `price.dvd` are members of members, and the record of a page
    /// that has one may be alone.
    pub(super) fn records(&self) -> Result<Vec<(String, Vec<Node>)>, MakeError> {
        let each = self.pages.iter().map(|(page, records)| match records {
            Node::List(records) if self.table => Ok((page.clone(), records.iter().cloned().map(unfold).collect())),
            Node::List(records) => Ok((page.clone(), records.clone())),
            one @ Node::Object(_) => Ok((page.clone(), vec![one.clone()])),
            _ => Err(MakeError::Examples {
                place: self.name.clone(),
                message: format!("{page}: found no list of records, {EXPECTED}"),
                json: !self.table,
            }),
        });
        let pages: Vec<(String, Vec<Node>)> = each.collect::<Result<_, _>>()?;
        match pages.iter().all(|(_, records)| records.is_empty()) {
            true => Err(self.wrong("found no record, expected at least one on one page".to_owned())),
            false => Ok(pages),
        }
    }
}

const EXPECTED: &str = "expected {\"page.html\": [{\"attribute\": \"value\", …}, …], …}";

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
pub(super) enum Given {
    Missing,
    Text(String),
    Place(u64, u64),
}

/// One value after the other, as they nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The attribute's number.
    pub(super) field: usize,
    pub(super) value: Given,
    /// The number of the outermost record.
    pub(super) record: usize,
}

/// Examples with the schema that they have.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) schema: RecordType,
    /// Pages by name, with their values.
    pub(super) pages: Vec<(String, Vec<Item>)>,
}

fn tables(pages: &[(&str, &[Node])], record: &str) -> Result<Tables, String> {
    let mut schema: Option<(Vec<Field>, String)> = None;
    for (page, records) in pages {
        for (number, node) in records.iter().enumerate() {
            let found = shape(node, record, page, number)?;
            let (known, first) = schema.get_or_insert_with(|| (found.fields().to_vec(), (*page).to_owned()));
            merge(known, found.fields()).map_err(|what| {
                let hint = "write null where an attribute is missing";
                format!(
                    "{page}: record {} has other attributes than those of {first}: {what}; {hint}",
                    number + 1
                )
            })?;
        }
    }
    let Some((schema, _)) = schema else {
        return Err("found no record in the examples, expected at least one on one page".to_owned());
    };
    let schema = RecordType::new(record, schema);
    if schema.leaves().is_empty() {
        return Err("the records have no attribute, expected at least one".to_owned());
    }
    // Attributes are known by their names: the next record may have them in another order.
    let out = pages.iter().map(|(page, records)| {
        let mut items = Vec::new();
        for (number, node) in records.iter().enumerate() {
            flatten(node, schema.fields(), 0, number, &mut items);
        }
        ((*page).to_owned(), items)
    });
    let pages = out.collect();
    Ok(Tables { schema, pages })
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

/// The shape of a record: texts, then at most one list of records, wherever that is among them.
fn shape(node: &Node, name: &str, page: &str, number: usize) -> Result<RecordType, String> {
    let place = || format!("{page}: record {}", number + 1);
    let Node::Object(pairs) = node else {
        return Err(format!(
            "{}: found no object, expected {{\"attribute\": \"value\", …}}",
            place()
        ));
    };
    let mut fields: Vec<Field> = Vec::new();
    let mut list_of: Option<Field> = None;
    for (name, value) in pairs {
        if fields.iter().chain(&list_of).any(|field| field.name == *name) {
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
                if let Some(other) = &list_of {
                    let (place, other) = (place(), &other.name);
                    return Err(format!(
                        "{place}: found the lists `{other}` and `{name}`, expected at most one"
                    ));
                }
                let mut inner = Vec::new();
                for node in list {
                    merge(&mut inner, shape(node, name, page, number)?.fields())
                        .map_err(|what| format!("{}: {what}", place()))?;
                }
                list_of = Some(Field::records(name, inner));
                continue;
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
    fields.extend(list_of);
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

/// The values of a record in the order of its fields; attributes are counted through nested records.
fn flatten(node: &Node, fields: &[Field], first: usize, record: usize, items: &mut Vec<Item>) {
    let Node::Object(pairs) = node else { return };
    let mut number = first;
    for field in fields {
        let value = pairs
            .iter()
            .find(|(name, _)| *name == field.name)
            .map(|(_, value)| value);
        let value = match (value, &field.content) {
            (Some(Node::List(list)), Content::Record(inner)) => {
                list.iter().for_each(|node| flatten(node, inner, number, record, items));
                continue;
            }
            (Some(Node::List(list)), Content::Value(_)) => match &list[..] {
                [Node::Number(start), Node::Number(end)] => Given::Place(*start, *end),
                _ => Given::Missing,
            },
            (_, Content::Record(_)) => continue,
            (Some(Node::Text(text)), _) => Given::Text(text.clone()),
            _ => Given::Missing,
        };
        items.push(Item {
            field: number,
            value,
            record,
        });
        number += 1;
    }
}

/// The records of each page.
fn read_csv(text: &str) -> Result<Vec<(String, Vec<Node>)>, String> {
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

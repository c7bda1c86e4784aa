//! `wrapwright learn --schema`: a wrapper by paths, from a schema and what some pages say of it.
//!
//! The examples follow the schema: `{"a.html": {"title": "May Morning", "actor": ["Jane Birkin"]}}` for a page that is one
//! record, a list of such objects for a page with several. A value is a text as a reader sees it, or an object that says where
//! it is: `{"xpath": "//h1"}`, `{"css": "h1.title"}`. In CSV the columns are named `title` or `price.dvd`.

use crate::args::LearnArgs;
use crate::examples::{self, Node};
use crate::learn::{Complaint, document, find_pages, page_of};
use crate::report;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use wrapwright::learn::guided::{Chapter, Taught, Trouble, learn_tables, occurrences};
use wrapwright::record::{Content, Field, Rows, XmlRoot};
use wrapwright::wrapper::{Given, Rule};
use wrapwright::{Document, NodeId, Page, Query, RecordType, Value, Wrapper};

/// A page with what it says.
struct Lesson {
    document: Document,
    rows: Rows,
    pins: Vec<(String, NodeId)>,
}

/// Learns the wrapper, and gives what to say of it.
pub(crate) fn learn(args: &LearnArgs, schema_file: &Path) -> Result<(Wrapper, String), Complaint> {
    let given = read_schema(schema_file)?;
    let schema = given.record_type().map_err(|error| {
        let known = match given {
            Given::Dtd(_) => {
                "a DTD may have <!ELEMENT …> with names, (#PCDATA), `,`, `|`, `?`, `*` and `+`, and <!ATTLIST …>"
            }
            Given::JsonSchema(_) => "a JSON Schema may have type, properties, required, items, format and pattern",
        };
        Complaint::new(format!("{}, {error}", schema_file.display())).hint(known)
    })?;
    let file = args.examples.as_deref().unwrap_or_else(|| Path::new(""));
    let pages = read_examples(file)?;
    let places = find_pages(args)?;
    let tables = schema.tables();
    let mut lessons = Vec::new();
    let mut several = matches!(schema.root, XmlRoot::Element(_));
    for (name, records) in pages {
        let place = page_of(&places, &name, &file.display().to_string())?;
        let document = Document {
            name: name.as_str().into(),
            ..document(args, place)?
        };
        let page = &*document.page;
        several |= records.len() > 1;
        let records = in_page_order(page, records);
        let mut rows = vec![Vec::new(); tables.len()];
        let pins = RefCell::default();
        for (number, record) in records.iter().enumerate() {
            let reader = Reader {
                page,
                pins: &pins,
                place: format!("{}: {name}, record {}", file.display(), number + 1),
            };
            let mut next = 0;
            reader.record(&schema.name, schema.fields(), record, "", &mut next, &mut rows)?;
        }
        lessons.push(Lesson {
            pins: pins.into_inner(),
            document,
            rows,
        });
    }
    warn_of_doubles(&schema, &lessons);
    let chapters: Vec<Chapter<'_>> = lessons
        .iter()
        .map(|lesson| Chapter {
            name: &lesson.document.name,
            page: &lesson.document.page,
            rows: lesson.rows.clone(),
            pins: lesson.pins.clone(),
        })
        .collect();
    let listed: Vec<bool> = tables.iter().map(|table| table.parent.is_some() || several).collect();
    let (rule, taught) = learn_tables(&schema, &chapters, &listed).map_err(|trouble| {
        let hint = match &trouble {
            Trouble::NotFound { .. } => NOT_SAID,
            Trouble::NoExamples => "give at least one value of one page",
            _ => "give more values, or more pages",
        };
        Complaint::new(format!("{}: {}", file.display(), in_words(&trouble))).hint(hint)
    })?;
    let words = summary(&schema, &taught, lessons.len())?;
    let documents: Vec<Document> = lessons.into_iter().map(|lesson| lesson.document).collect();
    let wrapper = Wrapper::made(Rule::Paths(rule), schema, Some(given), &documents);
    Ok((wrapper.map_err(|error| Complaint::new(error.to_string()))?, words))
}

/// What to do about a value that is not found.
const NOT_SAID: &str = "values are what a reader sees; check the spelling, or give {\"xpath\": …} or {\"css\": …}";

/// What went wrong; a value that is not found may be very long.
fn in_words(trouble: &Trouble) -> String {
    match trouble {
        Trouble::NotFound { page, field, value } => {
            format!("{page} does not say {}, which is given for `{field}`", quoted(value))
        }
        _ => trouble.to_string(),
    }
}

/// A text in quotes, cut if it is long.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}… ({} characters)", &text[..end], text.chars().count()),
        None => format!("{text:?}"),
    }
}

/// The bytes of a file, or what is wrong with it.
pub(crate) fn bytes_of(file: &Path, expected: &str) -> Result<Vec<u8>, Complaint> {
    std::fs::read(file).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => format!("no such file, expected {expected}"),
            io::ErrorKind::IsADirectory => format!("found a directory, expected {expected}"),
            _ => error.to_string(),
        };
        Complaint::new(format!("{}: {why}", file.display()))
    })
}

/// Reads a schema; what begins with `<` is a DTD, what begins with `{` a JSON Schema.
fn read_schema(file: &Path) -> Result<Given, Complaint> {
    let expected = "a DTD or a JSON Schema";
    let fail = |found: &str| {
        Complaint::new(format!("{}: found {found}, expected {expected}", file.display()))
            .hint("a DTD begins with <!ELEMENT …>, a JSON Schema is an object, {\"type\": \"object\", …}")
    };
    let text = String::from_utf8(bytes_of(file, expected)?).map_err(|_| fail("bytes that are no UTF-8"))?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    match text.trim_start().chars().next() {
        None => Err(fail("nothing")),
        Some('<') => Ok(Given::Dtd(text)),
        Some('{') => Ok(Given::JsonSchema(text)),
        Some(_) => {
            let line = text.trim_start().lines().next().unwrap_or_default();
            Err(fail(&quoted(line.trim_end())))
        }
    }
}

/// Records in the order of the page, if each says something that the page says once; otherwise as they were given.
fn in_page_order(page: &Page, records: Vec<Node>) -> Vec<Node> {
    fn texts<'n>(node: &'n Node, out: &mut Vec<&'n str>) {
        match node {
            Node::Text(text) => out.push(text),
            Node::List(list) => list.iter().for_each(|node| texts(node, out)),
            Node::Object(pairs) => pairs.iter().for_each(|(_, node)| texts(node, out)),
            Node::Null | Node::Number(_) => {}
        }
    }
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = tidy(page.text());
    let place = |record: &Node| {
        let mut all = Vec::new();
        texts(record, &mut all);
        all.iter().find_map(|text| {
            let text = tidy(text);
            let mut places = whole.match_indices(&text).map(|(at, _)| at);
            let first = places.next().filter(|_| !text.is_empty())?;
            places.next().is_none().then_some(first)
        })
    };
    let places: Option<Vec<usize>> = match records.len() {
        0 | 1 => None,
        _ => records.iter().map(place).collect(),
    };
    let Some(places) = places else { return records };
    let mut ordered: Vec<(usize, Node)> = places.into_iter().zip(records).collect();
    ordered.sort_by_key(|(place, _)| *place);
    ordered.into_iter().map(|(_, record)| record).collect()
}

/// Pages by name, with their records.
fn read_examples(file: &Path) -> Result<Vec<(String, Vec<Node>)>, Complaint> {
    let place = file.display();
    let bytes = bytes_of(file, "examples")?;
    let csv = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let pages = examples::pages(&String::from_utf8_lossy(&bytes), csv).map_err(|reason| {
        let complaint = Complaint::new(format!("{place}: {reason}"));
        match csv {
            true => complaint,
            false => complaint
                .hint("all values are in quotes, as the page says them: {\"a.html\": [{\"price\": \"12.50\"}]}"),
        }
    })?;
    match pages.iter().all(|(_, records)| records.is_empty()) {
        true => Err(Complaint::new(format!(
            "{place}: found no record, expected at least one on one page"
        ))),
        false => Ok(pages),
    }
}

/// Reads the records of a page's examples.
struct Reader<'p> {
    page: &'p Page,
    /// Values that were given by their nodes.
    pins: &'p RefCell<Vec<(String, NodeId)>>,
    /// Where, for messages.
    place: String,
}

impl Reader<'_> {
    fn fail<T>(&self, text: &str) -> Result<T, Complaint> {
        Err(Complaint::new(format!("{}: {text}", self.place)))
    }

    /// Adds a record to its table, `next`, and those inside of it to the ones behind.
    fn record(
        &self,
        name: &str,
        fields: &[Field],
        node: &Node,
        way: &str,
        next: &mut usize,
        rows: &mut Rows,
    ) -> Result<(), Complaint> {
        let table = *next;
        *next += 1;
        let mut row = Vec::new();
        self.cells(name, fields, Some(node), way, &mut row, next, rows)?;
        rows[table].push(row);
        Ok(())
    }

    fn cells(
        &self,
        name: &str,
        fields: &[Field],
        node: Option<&Node>,
        way: &str,
        row: &mut Vec<Vec<String>>,
        next: &mut usize,
        rows: &mut Rows,
    ) -> Result<(), Complaint> {
        let none = Vec::new();
        let pairs = match node {
            None | Some(Node::Null) => &none,
            Some(Node::Object(pairs)) => pairs,
            Some(other) => {
                let found = match other {
                    Node::Text(text) => quoted(text),
                    Node::Number(number) => number.to_string(),
                    _ => "a list".to_owned(),
                };
                let name = if way.is_empty() { name } else { way };
                let members = names(fields);
                return self.fail(&format!(
                    "found {found} for `{name}`, expected an object with {members}"
                ));
            }
        };
        for (number, (key, _)) in pairs.iter().enumerate() {
            if pairs[..number].iter().any(|(other, _)| other == key) {
                return self.fail(&format!("`{}` is given twice", named(way, key)));
            }
            if !fields.iter().any(|field| field.name == *key) {
                let (key, known) = (named(way, key), names(fields));
                return self.fail(&format!("the schema has no `{key}`; `{name}` has {known}"));
            }
        }
        for field in fields {
            let given = pairs.iter().find(|(name, _)| *name == field.name).map(|(_, node)| node);
            let path = named(way, &field.name);
            let many = field.cardinality.may_repeat();
            match &field.content {
                Content::Value(_) => {
                    let values = self.values(given, &path)?;
                    if values.len() > 1 && !many {
                        let text = format!(
                            "found {} values for `{path}`, expected one, as the schema says",
                            values.len()
                        );
                        return self.fail(&text);
                    }
                    row.push(values);
                }
                Content::Record(inner) if many => {
                    let first = *next;
                    let records: Vec<&Node> = match given {
                        None | Some(Node::Null) => Vec::new(),
                        Some(Node::List(list)) => list.iter().collect(),
                        Some(one) => vec![one],
                    };
                    for record in records {
                        *next = first;
                        self.record(&field.name, inner, record, &path, next, rows)?;
                    }
                    *next = first + RecordType::new("", inner.clone()).tables().len();
                }
                Content::Record(inner) => self.cells(&field.name, inner, given, &path, row, next, rows)?,
            }
        }
        Ok(())
    }

    /// The values of a field.
    fn values(&self, node: Option<&Node>, path: &str) -> Result<Vec<String>, Complaint> {
        match node {
            None | Some(Node::Null) => Ok(Vec::new()),
            Some(Node::Text(text)) if text.trim().is_empty() => self.fail(&format!(
                "found an empty value for `{path}`; write null for a value that is missing"
            )),
            Some(Node::Text(text)) => Ok(vec![text.clone()]),
            Some(Node::Number(number)) => Ok(vec![number.to_string()]),
            Some(Node::List(list)) => {
                let mut values = Vec::new();
                for node in list {
                    values.extend(self.values(Some(node), path)?);
                }
                Ok(values)
            }
            Some(Node::Object(pairs)) => match pairs.as_slice() {
                [(key, Node::Text(text))] if key == "xpath" => self.select(text, text, path),
                [(key, Node::Text(text))] if key == "css" => {
                    let xpath = wrapwright::css::to_xpath(text);
                    let xpath = xpath.map_err(|error| {
                        Complaint::new(format!("{}: `{path}`: {}: {error}", self.place, quoted(text)))
                    })?;
                    self.select(&xpath, text, path)
                }
                _ => self.fail(&format!(
                    "found an object for `{path}`, expected a text, {{\"xpath\": …}} or {{\"css\": …}}"
                )),
            },
        }
    }

    /// The texts of the nodes that a selector selects.
    fn select(&self, xpath: &str, as_given: &str, path: &str) -> Result<Vec<String>, Complaint> {
        let as_given = quoted(as_given);
        let query = Query::compile(xpath).map_err(|found| {
            let why = found.message();
            Complaint::new(format!("{}: `{path}`: {as_given} is no XPath: {why}", self.place))
        })?;
        let nodes = match query.evaluate(self.page) {
            Ok(Value::Nodes(nodes)) => nodes,
            Ok(_) => return self.fail(&format!("`{path}`: {as_given} selects no nodes, expected a path")),
            Err(error) => return self.fail(&format!("`{path}`: {as_given}: {error}")),
        };
        let texts = nodes
            .iter()
            .map(|node| (wrapwright::rule::paths::value(self.page, *node), *node));
        let pins: Vec<(String, NodeId)> = texts.filter(|(text, _)| !text.is_empty()).collect();
        let texts: Vec<String> = pins.iter().map(|(text, _)| text.clone()).collect();
        self.pins.borrow_mut().extend(pins);
        match texts.is_empty() {
            true => Err(Complaint::new(format!(
                "{}: `{path}`: {as_given} selects nothing on the page",
                self.place
            ))
            .hint("`wrapwright query XPATH PAGE` shows what an expression selects; scripts of a page are not run")),
            false => Ok(texts),
        }
    }
}

/// The members of a record.
fn names(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    names.join(", ")
}

fn named(way: &str, name: &str) -> String {
    match way {
        "" => name.to_owned(),
        _ => format!("{way}.{name}"),
    }
}

/// Tells of values that two fields of a record share, where the page says them only once.
fn warn_of_doubles(schema: &RecordType, lessons: &[Lesson]) {
    let tables = schema.tables();
    for lesson in lessons {
        for (table, rows) in tables.iter().zip(&lesson.rows) {
            for row in rows {
                for (number, values) in row.iter().enumerate() {
                    let doubled = values.iter().find_map(|text| {
                        let other = row[..number].iter().position(|others| others.contains(text))?;
                        Some((text, other))
                    });
                    if let Some((text, other)) = doubled
                        && occurrences(&lesson.document.page, text) < 2
                    {
                        report::words(&format!(
                            "warning: {}: {} is given for `{}` and for `{}`, but the page says it once",
                            lesson.document.name,
                            quoted(text),
                            table.columns[other].name(),
                            table.columns[number].name()
                        ));
                    }
                }
            }
        }
    }
}

/// What was learned, a line for each field that needs one.
fn summary(schema: &RecordType, taught: &[Option<Taught>], pages: usize) -> Result<String, Complaint> {
    let tables = schema.tables();
    let mut out = String::new();
    let mut fields = 0;
    for (table, taught) in tables.iter().zip(taught) {
        let Some(taught) = taught else {
            if !table.columns.is_empty() {
                out += &format!("warning: no example has a `{}`, so it has no rule\n", table.name());
            }
            continue;
        };
        for missed in &taught.missed {
            out += &format!("warning: {}\n", in_words(missed));
        }
        for ((column, field), right) in table.columns.iter().zip(&taught.rule.fields).zip(&taught.right) {
            let names: Vec<&str> = table.path.iter().chain(&column.path).map(String::as_str).collect();
            let name = names.join(".");
            match field.ways.len() {
                0 => {
                    out += &format!("warning: `{name}` has no rule: no example has a value of it that the page says\n")
                }
                _ if *right < 0.995 => {
                    out += &format!("warning: `{name}` is right in {:.0} % of the examples\n", right * 100.0);
                    fields += 1;
                }
                _ => fields += 1,
            }
        }
    }
    if fields == 0 {
        return Err(Complaint::new("no field could be learned").hint("values are what a reader sees on the page"));
    }
    out += &format!("paths to {} from {}", counted(fields, "field"), counted(pages, "page"));
    Ok(out)
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

//! `wrapwright learn --schema`: a wrapper by paths, from a schema and what some pages say of it.
//!
//! The examples follow the schema: `{"a.html": {"title": "May Morning", "actor": ["Jane Birkin"]}}` for a page that is one
//! record, a list of such objects for a page with several. A value is a text as a reader sees it, or an object that says where
//! it is: `{"xpath": "//h1"}`, `{"css": "h1.title"}`. In CSV the columns are named `title` or `price.dvd`.

use crate::args::LearnArgs;
use crate::examples::{self, Node};
use crate::learn::{Complaint, find_pages, page_of, source};
use crate::{report, sheets};
use std::cell::RefCell;
use std::path::Path;
use wrapwright::artifact::{Artifact, Evidence, Given, Rule, Seen, hash};
use wrapwright::learn::guided::{Chapter, Taught, Trouble, learn_tables, occurrences};
use wrapwright::schema::{Field, Kind, Schema};
use wrapwright::{NodeId, Page, Query, Value};

/// A page with what it says.
struct Lesson {
    name: String,
    source: String,
    page: Page,
    rows: Vec<Vec<Vec<Vec<String>>>>,
    pins: Vec<(String, NodeId)>,
}

/// Learns the wrapper, and gives what to say of it.
pub(crate) fn learn(args: &LearnArgs, schema_file: &Path) -> Result<(Artifact, String), Complaint> {
    let given = read_schema(schema_file)?;
    let model = given
        .model()
        .map_err(|error| Complaint::new(format!("{}, {error}", schema_file.display())))?;
    let schema = model.schema();
    let file = args.examples.as_deref().unwrap_or_else(|| Path::new(""));
    let pages = read_examples(file)?;
    let places = find_pages(args)?;
    let tables = schema.tables();
    let mut lessons = Vec::new();
    let mut several = model.document().is_some();
    for (name, records) in pages {
        let place = page_of(&places, &name, &file.display().to_string())?;
        let source = source(args, place)?;
        let page = sheets::parse(&source).map_err(|error| Complaint::new(format!("{name}: {error}")))?;
        several |= records.len() > 1;
        let mut rows = vec![Vec::new(); tables.len()];
        let pins = RefCell::default();
        for (number, record) in records.iter().enumerate() {
            let reader = Reader {
                page: &page,
                pins: &pins,
                place: format!("{}: {name}, record {}", file.display(), number + 1),
            };
            let mut next = 0;
            reader.record(&schema, record, "", &mut next, &mut rows)?;
        }
        lessons.push(Lesson {
            name,
            source,
            pins: pins.into_inner(),
            page,
            rows,
        });
    }
    warn_of_doubles(&schema, &lessons);
    let chapters: Vec<Chapter<'_>> = lessons
        .iter()
        .map(|lesson| Chapter {
            name: &lesson.name,
            page: &lesson.page,
            rows: lesson.rows.clone(),
            pins: lesson.pins.clone(),
        })
        .collect();
    let listed: Vec<bool> = tables.iter().map(|table| table.parent.is_some() || several).collect();
    let (rule, taught) = learn_tables(&schema, &chapters, &listed).map_err(|trouble| {
        let hint = match &trouble {
            Trouble::NotFound { .. } => {
                "values are what a reader sees; check the spelling, or give an xpath or css selector"
            }
            Trouble::NoExamples => "give at least one value of one page",
            _ => "give more values, or more pages",
        };
        Complaint::new(trouble.to_string()).hint(hint)
    })?;
    let words = summary(&schema, &taught, lessons.len())?;
    let mut artifact = Artifact {
        schema,
        given: Some(given),
        rule: Rule::Rules(rule),
        evidence: Evidence {
            pages: lessons
                .iter()
                .map(|lesson| Seen {
                    name: lesson.name.clone(),
                    bytes: lesson.source.len() as u64,
                    hash: hash(&lesson.source),
                    values: lesson
                        .rows
                        .iter()
                        .flatten()
                        .flatten()
                        .map(|values| values.len() as u64)
                        .sum(),
                })
                .collect(),
            ..Evidence::default()
        },
    };
    let pages = lessons.iter().map(|lesson| (lesson.name.as_str(), &lesson.page, None));
    sheets::profile(&mut artifact, pages).map_err(|error| Complaint::new(error.to_string()))?;
    Ok((artifact, words))
}

/// Reads a schema; what begins with `<` is a DTD.
fn read_schema(file: &Path) -> Result<Given, Complaint> {
    let bytes = std::fs::read(file).map_err(|error| Complaint::new(format!("{}: {error}", file.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Complaint::new(format!(
            "{}: found bytes that are no UTF-8, expected a schema",
            file.display()
        ))
    })?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    match text.trim_start().starts_with('<') {
        true => Ok(Given::Dtd(text)),
        false => Ok(Given::JsonSchema(text)),
    }
}

/// Pages by name, with their records.
fn read_examples(file: &Path) -> Result<Vec<(String, Vec<Node>)>, Complaint> {
    let place = file.display();
    let bytes = std::fs::read(file).map_err(|error| Complaint::new(format!("{place}: {error}")))?;
    let csv = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let pages = examples::pages(&String::from_utf8_lossy(&bytes), csv)
        .map_err(|reason| Complaint::new(format!("{place}: {reason}")))?;
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
        schema: &Schema,
        node: &Node,
        way: &str,
        next: &mut usize,
        rows: &mut [Vec<Vec<Vec<String>>>],
    ) -> Result<(), Complaint> {
        let table = *next;
        *next += 1;
        let mut row = Vec::new();
        self.cells(schema, Some(node), way, &mut row, next, rows)?;
        rows[table].push(row);
        Ok(())
    }

    fn cells(
        &self,
        schema: &Schema,
        node: Option<&Node>,
        way: &str,
        row: &mut Vec<Vec<String>>,
        next: &mut usize,
        rows: &mut [Vec<Vec<Vec<String>>>],
    ) -> Result<(), Complaint> {
        let none = Vec::new();
        let pairs = match node {
            None | Some(Node::Null) => &none,
            Some(Node::Object(pairs)) => pairs,
            Some(_) => {
                return self.fail(&format!(
                    "found no object for `{}`, expected one with its members",
                    named(way, &schema.name)
                ));
            }
        };
        for (number, (name, _)) in pairs.iter().enumerate() {
            if pairs[..number].iter().any(|(other, _)| other == name) {
                return self.fail(&format!("`{}` is given twice", named(way, name)));
            }
            if !schema.fields.iter().any(|field| field.name == *name) {
                let there: Vec<&str> = schema.fields.iter().map(|field| field.name.as_str()).collect();
                let known = there.join(", ");
                let text = format!(
                    "the schema has no `{}`; `{}` has {known}",
                    named(way, name),
                    schema.name
                );
                return self.fail(&text);
            }
        }
        for field in &schema.fields {
            let given = pairs.iter().find(|(name, _)| *name == field.name).map(|(_, node)| node);
            let path = named(way, &field.name);
            match &field.kind {
                Kind::Text => {
                    let values = self.values(given, &path)?;
                    if values.len() > 1 {
                        let text = format!(
                            "found {} values for `{path}`, expected one: the schema says so",
                            values.len()
                        );
                        return self.fail(&text);
                    }
                    row.push(values);
                }
                Kind::Record(inner) => self.cells(inner, given, &path, row, next, rows)?,
                Kind::List(inner) => match &**inner {
                    Kind::Record(inner) => {
                        let first = *next;
                        let records: Vec<&Node> = match given {
                            None | Some(Node::Null) => Vec::new(),
                            Some(Node::List(list)) => list.iter().collect(),
                            Some(one) => vec![one],
                        };
                        for record in records {
                            *next = first;
                            self.record(inner, record, &path, next, rows)?;
                        }
                        *next = first + inner.tables().len();
                    }
                    _ => row.push(self.values(given, &path)?),
                },
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
                    let xpath = xpath
                        .map_err(|error| Complaint::new(format!("{}: `{path}`: {text:?}: {error}", self.place)))?;
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
        let query = Query::compile(xpath).map_err(|found| {
            let why = found.first().map_or("no expression", |first| first.message.as_str());
            Complaint::new(format!("{}: `{path}`: {as_given:?} is no XPath: {why}", self.place))
        })?;
        let nodes = match query.evaluate(self.page) {
            Ok(Value::Nodes(nodes)) => nodes,
            Ok(_) => return self.fail(&format!("`{path}`: {as_given:?} selects no nodes, expected a path")),
            Err(error) => return self.fail(&format!("`{path}`: {as_given:?}: {error}")),
        };
        let texts = nodes
            .iter()
            .map(|node| (wrapwright::rule::guided::value(self.page, *node), *node));
        let pins: Vec<(String, NodeId)> = texts.filter(|(text, _)| !text.is_empty()).collect();
        let texts: Vec<String> = pins.iter().map(|(text, _)| text.clone()).collect();
        self.pins.borrow_mut().extend(pins);
        match texts.is_empty() {
            true => self.fail(&format!("`{path}`: {as_given:?} selects nothing on the page")),
            false => Ok(texts),
        }
    }
}

fn named(way: &str, name: &str) -> String {
    match way {
        "" => name.to_owned(),
        _ => format!("{way}.{name}"),
    }
}

/// Tells of values that two fields of a record share, where the page says them only once.
fn warn_of_doubles(schema: &Schema, lessons: &[Lesson]) {
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
                        && occurrences(&lesson.page, text) < 2
                    {
                        report::words(&format!(
                            "warning: {}: {text:?} is given for `{}` and for `{}`, but the page says it once",
                            lesson.name,
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
fn summary(schema: &Schema, taught: &[Option<Taught>], pages: usize) -> Result<String, Complaint> {
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
            out += &format!("warning: {missed}\n");
        }
        for ((column, field), right) in table.columns.iter().zip(&taught.rule.fields).zip(&taught.right) {
            let names: Vec<&str> = table.path.iter().chain(&column.path).map(String::as_str).collect();
            let name = names.join(".");
            match field.ways.len() {
                0 => out += &format!("warning: `{name}` has no rule: no example has a value that the page says\n"),
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
    let s = |count: usize| if count == 1 { "" } else { "s" };
    out += &format!("paths to {fields} field{} from {pages} page{}", s(fields), s(pages));
    Ok(out)
}

/// A wrapper of an OXPath expression, with what it gives on pages.
pub(crate) fn from_oxpath(args: &LearnArgs, file: &Path) -> Result<(Artifact, String), Complaint> {
    let place = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Complaint::new(format!("{place}: {error}")))?;
    let tail = wrapwright::Tail::new(&text).map_err(|why| {
        Complaint::new(format!("{place}: {why}"))
            .hint("a wrapper is an expression that finds its pages first and extracts all at their end")
    })?;
    let outline = tail.script().outline();
    let [record] = outline.as_slice() else {
        return Err(Complaint::new(format!(
            "{place}: found {} kinds of outermost records, expected one",
            outline.len()
        )));
    };
    if record.children.is_empty() {
        return Err(
            Complaint::new(format!("{place}: `{}` has no values inside", record.name))
                .hint("write //x:<record>[.:<value=string(.)>]"),
        );
    }
    let mut schema = shape(record);
    let places = find_pages(args)?;
    let mut pages = Vec::new();
    for at in &places {
        let source = source(args, at)?;
        let page = sheets::parse(&source).map_err(|error| Complaint::new(format!("{at}: {error}")))?;
        pages.push((at.to_string(), source, page));
    }
    let mut records = 0;
    for (name, _, page) in &pages {
        let found = tail.page(page, &name.as_str().into());
        records += found.len();
        found.iter().for_each(|record| widen(&mut schema, record));
    }
    if records == 0 {
        return Err(
            Complaint::new(format!("{place}: the expression gives no record on these pages"))
                .hint("give pages that its navigation leads to, saved with `wrapwright fetch`"),
        );
    }
    let seen = pages.iter().map(|(name, source, _)| Seen {
        name: name.clone(),
        bytes: source.len() as u64,
        hash: hash(source),
        values: 0,
    });
    let mut artifact = Artifact {
        schema,
        given: None,
        rule: Rule::Oxpath(text),
        evidence: Evidence {
            pages: seen.collect(),
            ..Evidence::default()
        },
    };
    let each = pages.iter().map(|(name, _, page)| (name.as_str(), page, None));
    sheets::profile(&mut artifact, each).map_err(|error| Complaint::new(error.to_string()))?;
    Ok((artifact, format!("{records} records on {} pages", pages.len())))
}

/// The shape of what an expression extracts.
fn shape(outline: &wrapwright::Outline) -> Schema {
    let fields = outline.children.iter().map(|child| Field {
        name: child.name.clone(),
        kind: match child.children.is_empty() {
            true => Kind::Text,
            false => Kind::List(Box::new(Kind::Record(shape(child)))),
        },
    });
    Schema {
        name: outline.name.clone(),
        fields: fields.collect(),
    }
}

/// Fields of which a record has several values are lists.
fn widen(schema: &mut Schema, record: &wrapwright::Record) {
    for field in &mut schema.fields {
        let same = record.children.iter().filter(|child| child.name == field.name);
        match &mut field.kind {
            Kind::Text if same.clone().count() > 1 => field.kind = Kind::List(Box::new(Kind::Text)),
            Kind::List(inner) => {
                if let Kind::Record(inner) = &mut **inner {
                    same.for_each(|child| widen(inner, child));
                }
            }
            _ => {}
        }
    }
}

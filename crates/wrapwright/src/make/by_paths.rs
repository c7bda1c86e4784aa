//! Rules by paths, from a schema and what some pages say.
//!
//! The examples follow the schema: `{"a.html": {"title": "May Morning", "actor": ["Jane Birkin"]}}` for a page that is one
//! record, a list of such objects for a page with several. A value is a text as a reader sees it, or an object that says where
//! it is: `{"xpath": "//h1"}`, `{"css": "h1.title"}`. In CSV the columns are named `title` or `price.dvd`.

use super::words::{counted, cut, is_mistake, quoted};
use super::{Examples, Made, MakeError, Node, Schema};
use crate::record::{Cardinality, Content, Field, Rows, XmlRoot};
use crate::{Document, Job, NodeId, Page, Query, RecordType, Value, Wrapper};
use learn::guided::{Chapter, Taught, Trouble, learn_tables, occurrences, places_like};
use std::cell::RefCell;
use wrapper::profile::{Places, Spot};
use wrapper::{Given, Rule};

/// A page with what it says.
struct Lesson {
    document: Document,
    rows: Rows,
    pins: Vec<(String, NodeId)>,
}

pub(super) fn learn(
    documents: &[Document],
    schema: &Schema,
    examples: &Examples,
    also: &[Document],
    job: &Job,
) -> Result<Made, MakeError> {
    let given = schema.given.clone();
    let schema = given.record_type().map_err(|error| {
        let expected = match given {
            Given::Dtd(_) => {
                "a DTD may have <!ELEMENT …> with names, (#PCDATA), `,`, `|`, `?`, `*` and `+`, and <!ATTLIST …>"
            }
            Given::JsonSchema(_) => "a JSON Schema may have type, properties, required, items, format and pattern",
        };
        MakeError::Schema {
            place: format!("{}, {}", schema.name, error.place),
            message: error.message,
            expected,
        }
    })?;
    let several = matches!(schema.root, XmlRoot::Element(_));
    let list = alone_in_list(documents, &schema, (examples, also, several), job)?;
    let mut made = learn_typed(documents, schema, Some(given), (examples, also, several), job)?;
    made.warnings.extend(list);
    made.warnings.iter().for_each(|warning| job.warn(warning));
    Ok(made)
}

/// A warning, if the schema says that a page is one record, and each example is one of several on its page.
fn alone_in_list(
    documents: &[Document],
    schema: &RecordType,
    (examples, also, several): (&Examples, &[Document], bool),
    job: &Job,
) -> Result<Option<String>, MakeError> {
    // An object says by itself that the page is one record.
    let is_list = |(_, records): &(String, Node)| matches!(records, Node::List(records) if records.len() == 1);
    if several || !examples.pages.iter().all(is_list) {
        return Ok(None);
    }
    let list = match learn_typed(documents, schema.clone(), None, (examples, also, true), job) {
        Ok(made) if made.is_right => made,
        Err(MakeError::Stopped) => return Err(MakeError::Stopped),
        _ => return Ok(None),
    };
    let mut counts = Vec::new();
    for (page, _) in &examples.pages {
        let document = &documents[examples.find(documents, page)?];
        counts.push(list.wrapper.extract(document).map_or(0, |records| records.len()));
    }
    let fewest = counts
        .first()
        .copied()
        .filter(|_| counts.iter().all(|count| *count >= LEAST_RECORDS));
    Ok(fewest.map(|count| {
        format!(
            "{} has {} like the example, but the schema is of one record a page; for a list, give two records, or a schema of a list",
            examples.pages[0].0,
            counted(count, "record")
        )
    }))
}

/// With fewer records on a page, it is no list.
pub(super) const LEAST_RECORDS: usize = 3;

/// The same, with the type of the records; `several` if a page has several also where the examples name one. The job is told
/// no warnings.
pub(super) fn learn_typed(
    documents: &[Document],
    schema: RecordType,
    given: Option<Given>,
    (examples, also, mut several): (&Examples, &[Document], bool),
    job: &Job,
) -> Result<Made, MakeError> {
    let file = &examples.name;
    let pages = examples.records()?;
    let tables = schema.tables();
    let mut lessons = Vec::new();
    for (name, records) in pages {
        let records = without_list(records, &schema);
        let document = Document {
            name: name.as_str().into(),
            ..documents[examples.find(documents, &name)?].clone()
        };
        let page = &*document.page;
        several |= records.len() > 1;
        let records = in_page_order(page, records);
        let mut to = Target {
            rows: vec![Vec::new(); tables.len()],
            next: 0,
        };
        let pins = RefCell::default();
        for (number, record) in records.iter().enumerate() {
            let reader = Reader {
                page,
                pins: &pins,
                place: format!("{file}: {name}, record {}", number + 1),
            };
            to.next = 0;
            reader.record(&schema.name, schema.fields(), record, "", &mut to)?;
        }
        lessons.push(Lesson {
            pins: pins.into_inner(),
            document,
            rows: to.rows,
        });
    }
    let mut warnings = doubles(&schema, &lessons);
    warnings.extend(cuts(&schema, &lessons));
    let chapters: Vec<Chapter<'_>> = lessons
        .iter()
        .map(|lesson| Chapter {
            name: &lesson.document.name,
            page: &lesson.document.page,
            rows: lesson.rows.clone(),
            pins: lesson.pins.clone(),
        })
        .collect();
    let also: Vec<&Page> = also.iter().map(|document| &*document.page).collect();
    let listed: Vec<bool> = tables.iter().map(|table| table.parent.is_some() || several).collect();
    let (rule, taught) = learn_tables(&schema, &chapters, &also, &listed, job).map_err(|trouble| {
        let advice = match &trouble {
            Trouble::Stopped => return MakeError::Stopped,
            Trouble::NotFound { .. } => NOT_SAID,
            Trouble::NoExamples => "give at least one value of one page",
            _ => "give more values, or more pages",
        };
        MakeError::Paths {
            place: file.clone(),
            message: in_words(&trouble),
            advice,
        }
    })?;
    let (fields, is_right, more) = doubts(&schema, &taught);
    let missing = missing(&schema, &taught);
    warnings.extend(more);
    if fields == 0 {
        return Err(MakeError::Paths {
            place: file.clone(),
            message: "no field could be learned".to_owned(),
            advice: "values are what a reader sees on the page",
        });
    }
    let note = format!(
        "paths to {} from {}",
        counted(fields, "field"),
        counted(lessons.len(), "page")
    );
    let documents: Vec<Document> = lessons.into_iter().map(|lesson| lesson.document).collect();
    let wrapper = Wrapper::made(Rule::Paths(rule), schema, given, &documents)?;
    Ok(Made {
        wrapper,
        warnings,
        notes: vec![note],
        details: Vec::new(),
        missing,
        is_right,
    })
}

/// The fewest other places like that of a single value that may be a list.
const LEAST_PLACES: usize = 2;

/// A warning, if the only value of the only record of a page is one of several in such a place: one value does not tell whether
/// the page is a list.
pub(super) fn may_be_list(documents: &[Document], examples: &Examples) -> Result<Option<String>, MakeError> {
    for (name, records) in examples.records()? {
        let [Node::Object(pairs)] = &records[..] else { continue };
        let [(field, Node::Text(text))] = &pairs[..] else {
            continue;
        };
        let page = &documents[examples.find(documents, &name)?].page;
        let others = places_like(page, text, field);
        if others >= LEAST_PLACES {
            return Ok(Some(format!(
                "{name} has {} like that of `{field}`; if it is a list, give two of its records",
                counted(others, "other place")
            )));
        }
    }
    Ok(None)
}

/// The records of a page that were given as the schema writes them: `{"item": […]}`, where the page is a list of `item`s.
fn without_list(records: Vec<Node>, schema: &RecordType) -> Vec<Node> {
    match &records[..] {
        [Node::Object(pairs)] => match &pairs[..] {
            [(name, Node::List(list))]
                if *name == schema.name && !schema.fields().iter().any(|field| field.name == *name) =>
            {
                list.clone()
            }
            _ => records,
        },
        _ => records,
    }
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

/// The tables that records are added to.
struct Target {
    rows: Rows,
    /// The table of the record that is read next.
    next: usize,
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
    fn fail<T>(&self, text: &str) -> Result<T, MakeError> {
        Err(self.wrong(text))
    }

    fn wrong(&self, text: &str) -> MakeError {
        MakeError::Examples {
            place: self.place.clone(),
            message: text.to_owned(),
            json: false,
        }
    }

    /// Adds a record to the next table, and those inside of it to the tables after that.
    fn record(&self, name: &str, fields: &[Field], node: &Node, way: &str, to: &mut Target) -> Result<(), MakeError> {
        let table = to.next;
        to.next += 1;
        let mut row = Vec::new();
        self.cells(name, fields, Some(node), way, &mut row, to)?;
        to.rows[table].push(row);
        Ok(())
    }

    fn cells(
        &self,
        name: &str,
        fields: &[Field],
        node: Option<&Node>,
        way: &str,
        row: &mut Vec<Vec<String>>,
        to: &mut Target,
    ) -> Result<(), MakeError> {
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
                    let first = to.next;
                    let records: Vec<&Node> = match given {
                        None | Some(Node::Null) => Vec::new(),
                        Some(Node::List(list)) => list.iter().collect(),
                        Some(one) => vec![one],
                    };
                    for record in records {
                        to.next = first;
                        self.record(&field.name, inner, record, &path, to)?;
                    }
                    to.next = first + RecordType::new("", inner.clone()).tables().len();
                }
                Content::Record(inner) => self.cells(&field.name, inner, given, &path, row, to)?,
            }
        }
        Ok(())
    }

    /// The values of a field.
    fn values(&self, node: Option<&Node>, path: &str) -> Result<Vec<String>, MakeError> {
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
                    let xpath = crate::css::to_xpath(text);
                    let xpath = xpath.map_err(|error| self.wrong(&format!("`{path}`: {}: {error}", quoted(text))))?;
                    self.select(&xpath, text, path)
                }
                _ => self.fail(&format!(
                    "found an object for `{path}`, expected a text, {{\"xpath\": …}} or {{\"css\": …}}"
                )),
            },
        }
    }

    /// The texts of the nodes that a selector selects.
    fn select(&self, xpath: &str, as_given: &str, path: &str) -> Result<Vec<String>, MakeError> {
        let as_given = quoted(as_given);
        let query = Query::compile(xpath).map_err(|found| {
            let why = found.message();
            self.wrong(&format!("`{path}`: {as_given} is no XPath: {why}"))
        })?;
        let nodes = match query.evaluate(self.page) {
            Ok(Value::Nodes(nodes)) => nodes,
            Ok(_) => return self.fail(&format!("`{path}`: {as_given} selects no nodes, expected a path")),
            Err(error) => return self.fail(&format!("`{path}`: {as_given}: {error}")),
        };
        let texts = nodes
            .iter()
            .map(|node| (crate::rule::paths::value(self.page, *node), *node));
        let pins: Vec<(String, NodeId)> = texts.filter(|(text, _)| !text.is_empty()).collect();
        let texts: Vec<String> = pins.iter().map(|(text, _)| text.clone()).collect();
        self.pins.borrow_mut().extend(pins);
        match texts.is_empty() {
            true => Err(MakeError::SelectsNothing {
                place: format!("{}: `{path}`: {as_given}", self.place),
            }),
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

/// Warnings of values that two fields of a record share, where the page says them only once.
fn doubles(schema: &RecordType, lessons: &[Lesson]) -> Vec<String> {
    let mut warnings = Vec::new();
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
                        warnings.push(format!(
                            "{}: {} is given for `{}` and for `{}`, but the page says it once",
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
    warnings
}

/// Warnings of values that begin or end inside a word of their page: one for each field. If most values of a field do, they are
/// meant to.
fn cuts(schema: &RecordType, lessons: &[Lesson]) -> Vec<String> {
    let mut warnings = Vec::new();
    let tables = schema.tables();
    let places: Vec<Places> = lessons
        .iter()
        .map(|lesson| Places::new(&lesson.document.page))
        .collect();
    for (number, table) in tables.iter().enumerate() {
        for (at, column) in table.columns.iter().enumerate() {
            let mut all = 0;
            let mut found = Vec::new();
            for (lesson, places) in lessons.iter().zip(&places) {
                for text in lesson.rows[number].iter().flat_map(|row| &row[at]) {
                    all += 1;
                    found.extend(whole_words(places, text).map(|whole| (&lesson.document.name, text, whole)));
                }
            }
            if let Some((page, text, whole)) = found.first().filter(|_| is_mistake(found.len(), all)) {
                warnings.push(cut(page, text, &column.name(), whole));
            }
        }
    }
    warnings
}

/// What a value is a part of, if it begins or ends inside a word wherever the page says it.
fn whole_words(places: &Places, text: &str) -> Option<String> {
    let spots = places.of(text);
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_cut = |spot: &Spot| {
        let begins = is_letter(spot.before.chars().next_back()) && is_letter(text.chars().next());
        let ends = is_letter(spot.behind.chars().next()) && is_letter(text.chars().next_back());
        begins || ends
    };
    let spot = spots.first().filter(|_| spots.iter().all(is_cut))?;
    let end = |c: char| !c.is_alphanumeric();
    let before = &spot.before[spot
        .before
        .rfind(end)
        .map_or(0, |at| at + spot.before[at..].chars().next().map_or(1, char::len_utf8))..];
    let behind = &spot.behind[..spot.behind.find(end).unwrap_or(spot.behind.len())];
    Some(format!("{before}{text}{behind}"))
}

/// The fields that a record must have, and that have no rule.
fn missing(schema: &RecordType, taught: &[Option<Taught>]) -> Vec<String> {
    let mut missing = Vec::new();
    for (table, taught) in schema.tables().iter().zip(taught) {
        for (number, column) in table.columns.iter().enumerate() {
            let has_rule = taught
                .as_ref()
                .is_some_and(|taught| !taught.rule.fields[number].ways.is_empty());
            let names: Vec<&str> = table.path.iter().chain(&column.path).map(String::as_str).collect();
            if !has_rule && is_required(schema.fields(), &names) {
                missing.push(names.join("."));
            }
        }
    }
    missing
}

/// Must every record have the field with these names?
fn is_required(fields: &[Field], names: &[&str]) -> bool {
    let Some((first, rest)) = names.split_first() else {
        return true;
    };
    let field = fields.iter().find(|field| field.name == *first);
    field.is_some_and(|field| {
        let needed = matches!(field.cardinality, Cardinality::One | Cardinality::AtLeastOne);
        let inner = match &field.content {
            Content::Record(inner) => is_required(inner, rest),
            Content::Value(_) => true,
        };
        needed && inner
    })
}

/// How many fields have a rule, whether all have one that is always right, and warnings of those that have not.
fn doubts(schema: &RecordType, taught: &[Option<Taught>]) -> (usize, bool, Vec<String>) {
    let mut warnings = Vec::new();
    let (mut fields, mut is_right) = (0, true);
    for (table, taught) in schema.tables().iter().zip(taught) {
        let Some(taught) = taught else {
            if !table.columns.is_empty() {
                warnings.push(format!("no example has a `{}`, so it has no rule", table.name()));
                is_right = false;
            }
            continue;
        };
        for ((column, field), right) in table.columns.iter().zip(&taught.rule.fields).zip(&taught.right) {
            let names: Vec<&str> = table.path.iter().chain(&column.path).map(String::as_str).collect();
            let name = names.join(".");
            let missed = misses(&taught.missed, &column.name());
            is_right &= missed.is_none();
            if field.ways.is_empty() {
                is_right = false;
                warnings.push(match missed {
                    Some(missed) => format!("{missed}; `{name}` has no rule"),
                    None => format!("`{name}` has no rule: no example has a value of it"),
                });
                continue;
            }
            fields += 1;
            if missed.is_some() {
                warnings.extend(missed);
                continue;
            }
            if *right < 0.995 {
                is_right = false;
                warnings.push(format!("`{name}` is right in {:.0} % of the examples", right * 100.0));
            }
        }
    }
    (fields, is_right, warnings)
}

/// Which values of a field were not found: one warning for all of them.
fn misses(missed: &[Trouble], name: &str) -> Option<String> {
    let own = |trouble: &&Trouble| matches!(trouble, Trouble::NotFound { field, .. } if field == name);
    let mut own = missed.iter().filter(own);
    let words = in_words(own.next()?);
    Some(match own.count() {
        0 => words,
        more => format!("{words}, and {more} more of its values"),
    })
}

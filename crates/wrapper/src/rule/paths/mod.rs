//! Paths rules: for each field, XPath expressions that lead to its values.
//!
//! A rule follows the type of its records. Something that repeats is a FOR: a path whose nodes are the records.
//! Everything else is a LET: a path to the value, from the record's node, or from the document if a page is one record.
//! Paths are plain XPath 1.0, so people can read them, change them by hand and use them elsewhere.
//!
//! An expression that gives a text is a path, too: `data('offers.price')` is what the structured data of the page says.
//!
//! A field may have several paths. The first one that finds something is used, so a page on which the best path fails
//! is not lost. If a value is only part of a text,
//! `after` and `before` are the words around it: in `Directed by: Ugo (1972)` the value is after `Directed by:` and
//! before `(`. If these words are missing, the path finds nothing. Where parts of a text may be missing, so that no words tell which one is
//! which, `matching` is a regular expression for all of what is left, whose first group is the value.
//!
//! Records inside records have a rule of their own, whose paths to the records also begin at the document. An inner
//! record belongs to the last outer record that begins before it. If outer records are elements that contain inner
//! ones, inner records outside of all of them belong to no record.
//!
//! Cost: each path is evaluated once for each record. A value is the text of its node with each run of white space
//! replaced by one space.

mod json;
mod print;

pub(crate) use json::{read, write};
pub use print::{to_oxpath, to_xquery};

use oxpath::{Query, Value};
use page::{NodeId, Page};
use record::{Content, Field, Record, RecordType, VALUE};
use regex::{Regex, RegexBuilder};
use std::fmt;
use std::sync::Arc;

/// A paths rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// The paths to the records, from the document; empty if a page is one record.
    pub each: Vec<String>,
    /// The columns of the record's table, in the order of the record type.
    pub fields: Vec<PathField>,
    /// The rules for the kinds of records inside, in the order of the record type.
    pub inner: Vec<Paths>,
}

/// How to find the values of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathField {
    /// May a record have any number of them?
    pub many: bool,
    /// The ways to the values, best first.
    pub ways: Vec<Way>,
}

/// A way to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// The path from the record.
    pub path: String,
    /// Words to pass first, within its text, one after the other.
    pub skips: Vec<String>,
    /// The words before the value, after those.
    pub after: String,
    /// The words after it.
    pub before: String,
    /// A regular expression that all of what is left matches, and whose first group is the value; empty if all of it is.
    pub matching: String,
}

impl Way {
    /// Is all of the text the value?
    pub fn is_whole(&self) -> bool {
        self.skips.is_empty() && self.after.is_empty() && self.before.is_empty() && self.matching.is_empty()
    }
}

/// A value that a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathValue {
    /// The number of the field.
    pub field: usize,
    /// The node whose text, or part of whose text, it is.
    pub node: NodeId,
    /// The text.
    pub text: String,
    /// Which of the field's ways found it.
    pub way: usize,
}

/// A record that a rule found: its node, and its values in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRecord {
    /// The record's node; the document if a page is one record.
    pub node: NodeId,
    /// Its values.
    pub values: Vec<PathValue>,
    /// For each kind of inner records, those that were found.
    pub inner: Vec<Vec<PathRecord>>,
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// The place, such as `fields[2].ways[0].path`.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for PathError {}

/// The most values of one field of a record; a path written by hand may find far too many.
const MOST: usize = 100_000;

/// A path, with the texts before and after the value, and the expression that it matches.
type Compiled = (Query, Way, Option<Regex>);

/// A rule made ready to run.
#[derive(Debug)]
pub struct PathsRun {
    each: Vec<Query>,
    fields: Vec<(bool, Vec<Compiled>)>,
    inner: Vec<PathsRun>,
}

fn compile(path: &str, place: impl Fn() -> String) -> Result<Query, PathError> {
    Query::compile(path).map_err(|found| PathError {
        place: place(),
        message: found.message().to_owned(),
    })
}

impl PathsRun {
    /// Compiles a rule.
    ///
    /// # Errors
    ///
    /// A path is not valid XPath.
    pub fn new(rule: &Paths) -> Result<PathsRun, PathError> {
        let each = rule.each.iter().enumerate();
        let each = each.map(|(number, path)| compile(path, || format!("each[{number}]")));
        let fields = rule.fields.iter().enumerate().map(|(field, rule)| {
            let ways = rule.ways.iter().enumerate().map(|(number, way)| {
                let query = compile(&way.path, || format!("fields[{field}].ways[{number}].path"))?;
                let matching = (!way.matching.is_empty()).then(|| pattern(&way.matching)).transpose();
                let matching = matching.map_err(|error| PathError {
                    place: format!("fields[{field}].ways[{number}].matching"),
                    message: error.to_string(),
                })?;
                Ok((query, way.clone(), matching))
            });
            Ok((rule.many, ways.collect::<Result<_, PathError>>()?))
        });
        let inner = rule.inner.iter().enumerate().map(|(number, rule)| {
            PathsRun::new(rule).map_err(|error| PathError {
                place: format!("inner[{number}].{}", error.place),
                ..error
            })
        });
        Ok(PathsRun {
            each: each.collect::<Result<_, _>>()?,
            fields: fields.collect::<Result<_, _>>()?,
            inner: inner.collect::<Result<_, _>>()?,
        })
    }

    /// The records of a page.
    pub fn page(&self, page: &Page) -> Vec<PathRecord> {
        let roots = match self.each.as_slice() {
            [] => vec![NodeId::DOCUMENT],
            paths => {
                let found = paths.iter().map(|path| nodes(path, page, NodeId::DOCUMENT));
                found.into_iter().find(|nodes| !nodes.is_empty()).unwrap_or_default()
            }
        };
        let records = roots.into_iter().map(|node| PathRecord {
            node,
            values: self.values(page, node),
            inner: vec![Vec::new(); self.inner.len()],
        });
        let mut records: Vec<PathRecord> = records.collect();
        for (number, run) in self.inner.iter().enumerate() {
            let found = run.page(page);
            let holds =
                |outer: &PathRecord, inner: &PathRecord| outer.node <= inner.node && inner.node < page.end(outer.node);
            let nested = found
                .iter()
                .any(|inner| records.iter().any(|outer| holds(outer, inner)));
            for inner in found {
                let at = records.partition_point(|outer| outer.node <= inner.node);
                if let Some(outer) = at.checked_sub(1).map(|at| &mut records[at])
                    && (!nested || holds(outer, &inner))
                {
                    outer.inner[number].push(inner);
                }
            }
        }
        // A node without any value is not a record.
        records.retain(|record| !record.values.is_empty() || record.inner.iter().any(|inner| !inner.is_empty()));
        records
    }

    /// The values of a record.
    fn values(&self, page: &Page, record: NodeId) -> Vec<PathValue> {
        let fields = 0..self.fields.len();
        fields.flat_map(|field| self.field(page, record, field)).collect()
    }

    /// The values of one field of a record; `record` is the record's node.
    pub fn field(&self, page: &Page, record: NodeId, field: usize) -> Vec<PathValue> {
        let (many, ways) = &self.fields[field];
        for (number, (query, way, matching)) in ways.iter().enumerate() {
            let found = texts(query, page, record).into_iter().filter_map(|(node, text)| {
                let text = part(&text, way)?;
                let text = match matching {
                    Some(matching) => matched(text, matching)?.to_owned(),
                    None => text.to_owned(),
                };
                Some(PathValue {
                    field,
                    node,
                    text,
                    way: number,
                })
            });
            let found: Vec<PathValue> = found.take(if *many { MOST } else { 1 }).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}

/// Turns what a rule found into records.
pub(crate) fn assemble(kind: &RecordType, found: &[PathRecord], page: &Arc<str>) -> Vec<Record> {
    match &kind.content {
        Content::Record(fields) => records(&kind.name, fields, found, page),
        Content::Value(_) => records(&kind.name, &[Field::text(VALUE)], found, page),
    }
}

fn records(name: &str, fields: &[Field], found: &[PathRecord], page: &Arc<str>) -> Vec<Record> {
    let records = found.iter().map(|record| {
        let (mut field, mut kind) = (0, 0);
        let whole = Record {
            name: name.to_owned(),
            value: None,
            children: children(fields, record, page, &mut field, &mut kind),
            page: page.clone(),
            node: record.node,
        };
        valued(whole)
    });
    records.collect()
}

/// If a record has a member for its own text, that text becomes the record's value.
fn valued(mut record: Record) -> Record {
    if let Some(at) = record.children.iter().position(|child| child.name == VALUE) {
        record.value = record.children.remove(at).value;
    }
    record
}

/// The members of a record; `field` counts the columns of its table, `kind` the tables inside.
fn children(
    fields: &[Field],
    record: &PathRecord,
    page: &Arc<str>,
    field: &mut usize,
    kind: &mut usize,
) -> Vec<Record> {
    let mut out = Vec::new();
    for member in fields {
        let make = |value: Option<String>, children: Vec<Record>, node: NodeId| Record {
            name: member.name.clone(),
            value,
            children,
            page: page.clone(),
            node,
        };
        match &member.content {
            Content::Value(_) => {
                let mine = record.values.iter().filter(|value| value.field == *field);
                out.extend(mine.map(|value| make(Some(value.text.clone()), Vec::new(), value.node)));
                *field += 1;
            }
            Content::Record(inner) if member.cardinality.may_repeat() => {
                let found = record.inner.get(*kind).map_or(&[][..], Vec::as_slice);
                out.extend(records(&member.name, inner, found, page));
                *kind += 1;
            }
            Content::Record(inner) => {
                let children = children(inner, record, page, field, kind);
                if !children.is_empty() {
                    out.push(valued(make(None, children, record.node)));
                }
            }
        }
    }
    out
}

fn nodes(query: &Query, page: &Page, at: NodeId) -> Vec<NodeId> {
    match query.evaluate_at(page, at) {
        Ok(Value::Nodes(nodes)) => nodes,
        _ => Vec::new(),
    }
}

/// What a path finds: nodes with their texts, or a text itself, such as that of `data('name')`, which is found at the record.
fn texts(query: &Query, page: &Page, at: NodeId) -> Vec<(NodeId, String)> {
    match query.evaluate_at(page, at) {
        Ok(Value::Nodes(nodes)) => nodes
            .into_iter()
            .take(MOST)
            .map(|node| (node, value(page, node)))
            .collect(),
        Ok(Value::String(text)) => vec![(at, tidy(&text))],
        _ => Vec::new(),
    }
}

/// The text of a node as a value: each run of white space replaced by one space, and trimmed.
pub fn value(page: &Page, node: NodeId) -> String {
    let text = page.string_value(node);
    let mut out = String::with_capacity(text.len().min(256));
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Replaces each run of white space by one space, and trims.
pub fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The largest program of a regular expression, in bytes.
const LARGEST: usize = 1 << 20;

/// The expression that a way's text must match, as a whole.
///
/// # Errors
///
/// It is no regular expression, or too large.
pub fn pattern(matching: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&format!("^(?:{matching})$"))
        .size_limit(LARGEST)
        .build()
}

/// The part of a text that an expression of [`pattern`] captures, or `None` if it does not match or the part is empty.
pub fn matched<'t>(text: &'t str, matching: &Regex) -> Option<&'t str> {
    let found = matching.captures(text)?;
    let part = match found.len() {
        1 => found.get(0),
        _ => found.get(1),
    };
    part.map(|part| part.as_str().trim()).filter(|part| !part.is_empty())
}

/// The part of a text that a way describes by the words around it, or `None` if it is empty or the words are missing.
pub fn part<'t>(text: &'t str, way: &Way) -> Option<&'t str> {
    let mut rest = text;
    for words in way.skips.iter().chain([&way.after]) {
        rest = &rest[rest.find(words)? + words.len()..];
    }
    let end = match way.before.as_str() {
        "" => rest.len(),
        before => rest.find(before)?,
    };
    Some(rest[..end].trim()).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rule: &Paths, html: &str) -> Vec<Vec<String>> {
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let records = PathsRun::new(rule).expect("a rule").page(&page);
        records
            .iter()
            .map(|record| {
                record
                    .values
                    .iter()
                    .map(|value| format!("{}={}", value.field, value.text))
                    .collect()
            })
            .collect()
    }

    fn field(many: bool, ways: &[(&str, &str, &str)]) -> PathField {
        let ways = ways.iter().map(|(path, after, before)| Way {
            path: (*path).to_owned(),
            after: (*after).to_owned(),
            before: (*before).to_owned(),
            ..Way::default()
        });
        PathField {
            many,
            ways: ways.collect(),
        }
    }

    #[test]
    fn no_record_of_a_long_list_is_lost() {
        let rule = Paths {
            each: vec!["//p".to_owned()],
            fields: vec![field(false, &[(".", "", "")])],
            inner: Vec::new(),
        };
        assert_eq!(run(&rule, &"<p>x</p>".repeat(MOST + 10)).len(), MOST + 10);
    }

    #[test]
    fn records_are_for_and_fields_are_let() {
        let rule = Paths {
            each: vec!["//li".to_owned()],
            fields: vec![
                field(false, &[("b", "", "")]),
                field(false, &[("i", "by ", " ("), ("u", "", "")]),
                field(true, &[("a", "", "")]),
            ],
            inner: Vec::new(),
        };
        let html =
            "<ul><li><b> One\n x</b><i>by Ann (1972)</i><a>1</a><a>2</a><li><b>Two</b><i>Bob</i><u>Cy</u><li></ul>";
        assert_eq!(
            run(&rule, html),
            [vec!["0=One x", "1=Ann", "2=1", "2=2"], vec!["0=Two", "1=Cy"]]
        );
    }

    #[test]
    fn parts_that_may_be_missing_are_told_by_an_expression() {
        let matching = |pattern: &str| PathField {
            many: false,
            ways: vec![Way {
                path: "i".to_owned(),
                matching: pattern.to_owned(),
                ..Way::default()
            }],
        };
        let rule = Paths {
            each: vec!["//li".to_owned()],
            fields: vec![
                matching(r"(.*?)(?: - \$\d+)?(?: - \d{4})?"),
                matching(r".* - (\$\d+)(?: - .*)?"),
                matching(r"(?:.* - )?(\d{4})"),
            ],
            inner: Vec::new(),
        };
        let html = "<li><i>A - B - $5 - 1972</i><li><i>C - 1973</i><li><i>D</i>";
        assert_eq!(
            run(&rule, html),
            [vec!["0=A - B", "1=$5", "2=1972"], vec!["0=C", "2=1973"], vec!["0=D"]]
        );
        let broken = Paths {
            fields: vec![matching("(")],
            ..Paths::default()
        };
        let error = PathsRun::new(&broken).err().map(|error| error.place);
        assert_eq!(error, Some("fields[0].ways[0].matching".to_owned()));
    }

    #[test]
    fn a_text_is_a_value() {
        let rule = Paths {
            fields: vec![
                field(false, &[("data('name')", "", "")]),
                field(false, &[("data('sku')", "", ""), ("//i", "", "")]),
                field(false, &[("data('offers.price')", "EUR ", "")]),
            ],
            ..Paths::default()
        };
        let html = "<script type='application/ld+json'>{\"name\": \" Ke\\n lp \", \"offers\": {\"price\": \"EUR 12\"}}</script><i>7</i>";
        assert_eq!(run(&rule, html), [vec!["0=Ke lp", "1=7", "2=12"]]);
    }

    #[test]
    fn a_page_may_be_one_record() {
        let rule = Paths {
            each: Vec::new(),
            fields: vec![
                field(false, &[("//h1", "", "")]),
                field(false, &[("//p/@title", "", "")]),
            ],
            ..Paths::default()
        };
        assert_eq!(run(&rule, "<h1>T</h1><p title=x>"), [vec!["0=T", "1=x"]]);
        assert_eq!(run(&rule, ""), Vec::<Vec<String>>::new());
    }

    #[test]
    fn records_may_be_inside_of_records() {
        let inner = |each: &str| Paths {
            each: vec![each.to_owned()],
            fields: vec![field(false, &[("text()", "", "")])],
            ..Paths::default()
        };
        let rule = Paths {
            each: vec!["//div".to_owned()],
            fields: vec![field(false, &[("b", "", "")])],
            inner: vec![inner("//i")],
        };
        let star = Field::records("star", vec![Field::text("who")]);
        let schema = RecordType::new("film", vec![Field::text("name"), star]);
        let given = |rule: &Paths, html: &str| {
            let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
            let found = PathsRun::new(rule).expect("a rule").page(&page);
            schema.rows(&assemble(&schema, &found, &"p".into()))
        };
        let html = "<i>no</i><div><b>A</b><i>x</i><i>y</i></div><div><b>B</b></div><i>no</i>";
        let text = |text: &str| vec![vec![text.to_owned()]];
        let rows = given(&rule, html);
        assert_eq!(
            (&rows[0], &rows[1]),
            (&vec![text("A"), text("B")], &vec![text("x"), text("y")])
        );
        // Records that are headings contain nothing: what follows them belongs to them.
        let rule = Paths {
            each: vec!["//b".to_owned()],
            fields: vec![field(false, &[(".", "", "")])],
            inner: vec![inner("//i")],
        };
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let found = PathsRun::new(&rule).expect("a rule").page(&page);
        let stars: Vec<usize> = found.iter().map(|record| record.inner[0].len()).collect();
        assert_eq!(stars, [2, 1]);
    }

    #[test]
    fn a_path_that_is_none_is_told_with_its_place() {
        let rule = Paths {
            each: Vec::new(),
            fields: vec![field(false, &[("//h1[", "", "")])],
            ..Paths::default()
        };
        assert_eq!(
            PathsRun::new(&rule).err().map(|error| error.place),
            Some("fields[0].ways[0].path".to_owned())
        );
    }
}

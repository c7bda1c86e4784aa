//! A field from values that somebody points at.
//!
//! **In**: documents, the wrapper so far if there is one, the name of a field, and nodes: right values, or wrong ones. **Out**: a
//! wrapper that has the field.
//!
//! With a wrapper, the records are known, and only the field is learned ([`learn_field`]); the other fields stay as they are.
//! This needs a rule by paths. A rule of another kind is first said again as paths: what it shows on the pages are the
//! examples. Values that the paths give otherwise are warned of; fields that were not shown are not taken along.
//!
//! Without a wrapper, or with one that has only this field, the values are the examples: one on a page means that a page is one
//! record, two on a page mean a list.
//!
//! **Cost**: that of the learner for one field, milliseconds for a page; once more for each field where the rule is changed to
//! paths. At most [`PAGES`] pages are examples for that, and at most [`ALSO`] records without examples are looked at.

use super::words::counted;
use super::{Made, MakeError};
use crate::record::{Choice, Content, Field, Record};
use crate::{Document, Job, NodeId, Page, RecordType, Wrapper, map_in_order};
use learn::guided::{Chapter, Shown, Wanted, learn_field, learn_tables};
use std::collections::HashSet;
use wrapper::Rule;
use wrapper::rule::paths::{PathRecord, Paths, PathsRun, value};

/// The most pages that are examples for paths in place of another rule.
const PAGES: usize = 12;
/// The most records without examples that are looked at.
const ALSO: usize = 60;
/// The most threads that run the rule: somebody waits for the answer.
const MOST_JOBS: usize = 8;
/// The most values of other fields that are known not to be labels.
const KNOWN: usize = 2000;

/// A node that somebody pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// The document, by its place among those given.
    pub document: usize,
    /// An element, a text or an attribute.
    pub node: NodeId,
    /// Is it not a value of the field? Then the record that it is in has none.
    pub is_wrong: bool,
}

/// The wrapper with a field whose values are where somebody pointed.
///
/// # Errors
///
/// [`MakeError::Paths`] if nothing was pointed at, if a value is outside of the records, or if no path leads to it;
/// [`MakeError::Rename`] if the name is empty, or has a dot or a space.
///
/// ```
/// use wrapwright::make::{Pointed, point};
/// use wrapwright::{Document, Job, ParseSettings, infer};
///
/// let page = |name: &str, title: &str| {
///     let html = format!("<h1>{title}</h1><p>Sold by <i>Ada</i></p>");
///     Document::from_source(name, html, &ParseSettings::default())
/// };
/// let pages = [page("a", "Kelp")?, page("b", "Moss")?];
/// let wrapper = infer(&pages, &Default::default(), &Job::new())?.wrapper;
/// // What all pages say is not a field by itself. Somebody points at it.
/// let seller = *pages[0].page.texts().last().ok_or("no text")?;
/// let at = [Pointed { document: 0, node: seller, is_wrong: false }];
/// let made = point(&pages, Some(&wrapper), "seller", &at, &Job::new())?;
/// let record = &made.wrapper.extract(&pages[1])?[0];
/// assert_eq!((record.get("title"), record.get("seller")), (Some("Moss"), Some("Ada")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn point(
    documents: &[Document],
    wrapper: Option<&Wrapper>,
    field: &str,
    at: &[Pointed],
    job: &Job,
) -> Result<Made, MakeError> {
    let at: Vec<Pointed> = at
        .iter()
        .copied()
        .filter(|point| {
            let page = documents.get(point.document).map(|document| &document.page);
            page.is_some_and(|page| point.node.index() < page.len())
        })
        .collect();
    let right: Vec<Pointed> = at.iter().copied().filter(|point| !point.is_wrong).collect();
    if right.is_empty() {
        return Err(refused(
            field,
            "nothing was pointed at",
            "point at a value of the field",
        ));
    }
    if let Some(point) = right.iter().find(|point| text_of(documents, point).is_empty()) {
        let page = &documents[point.document].name;
        return Err(refused(
            field,
            &format!("there is no text at this place of {page}"),
            "point at a text, a link or a picture",
        ));
    }
    if field.is_empty() || field.contains(|c: char| c == '.' || c.is_whitespace()) {
        return Err(super::RenameError::NotAName(field.to_owned()).into());
    }
    match wrapper {
        None => anew(documents, field, &right, job),
        // The first value did not tell whether a page is one record or a list of them. The second one does.
        Some(wrapper) if is_alone(wrapper, field) && right.len() == at.len() => {
            let mut made = anew(documents, field, &right, job)?;
            made.wrapper.navigation.clone_from(&wrapper.navigation);
            Ok(made)
        }
        Some(wrapper) => {
            let (paths, warnings) = as_paths(wrapper, documents, job)?;
            let mut made = added(documents, &paths, field, &at)?;
            made.warnings.splice(0..0, warnings);
            Ok(made)
        }
    }
}

/// Has the wrapper this field, and no other?
fn is_alone(wrapper: &Wrapper, field: &str) -> bool {
    matches!(wrapper.record_type.fields(), [only] if only.name == field && !only.content.is_record())
}

fn refused(field: &str, message: &str, advice: &'static str) -> MakeError {
    MakeError::Paths {
        place: format!("`{field}`"),
        message: message.to_owned(),
        advice,
    }
}

fn text_of(documents: &[Document], point: &Pointed) -> String {
    value(&documents[point.document].page, point.node)
}

/// A wrapper for this field alone.
fn anew(documents: &[Document], field: &str, right: &[Pointed], job: &Job) -> Result<Made, MakeError> {
    let schema = RecordType::flat("record", [field]);
    let mut chapters = Vec::new();
    let mut also = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let mut nodes: Vec<NodeId> = right
            .iter()
            .filter(|point| point.document == number)
            .map(|point| point.node)
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.is_empty() {
            also.push(&*document.page);
            continue;
        }
        let texts = || nodes.iter().map(|node| value(&document.page, *node));
        chapters.push(Chapter {
            name: &document.name,
            page: &document.page,
            rows: vec![texts().map(|text| vec![vec![text]]).collect()],
            pins: texts().zip(nodes.iter().copied()).collect(),
        });
    }
    let is_list = chapters.iter().any(|chapter| chapter.rows[0].len() > 1);
    let (rule, taught) = learn_tables(&schema, &chapters, &also, &[is_list], job)
        .map_err(|trouble| refused(field, &trouble.to_string(), "point at another value of the same kind"))?;
    let is_right = taught
        .iter()
        .flatten()
        .all(|taught| taught.right.iter().all(|right| *right > 0.99));
    let wrapper = Wrapper::made(Rule::Paths(rule), schema, None, documents)?;
    let note = match is_list {
        true => "a list of records, from values of one page",
        false => "each page is one record; point at a second value on the same page if it is a list",
    };
    Ok(made(wrapper, vec![note.to_owned()], Vec::new(), is_right))
}

fn made(wrapper: Wrapper, notes: Vec<String>, warnings: Vec<String>, is_right: bool) -> Made {
    Made {
        wrapper,
        warnings,
        notes,
        details: Vec::new(),
        missing: Vec::new(),
        is_right,
    }
}

/// The same wrapper with a rule by paths, which people can read and change. Values that the paths give otherwise are warned
/// of; fields that are not shown are not taken along.
///
/// # Errors
///
/// [`MakeError::Paths`] if the rule cannot be said as paths, [`MakeError::Expression`] if it is an expression.
pub fn to_paths(wrapper: &Wrapper, documents: &[Document], job: &Job) -> Result<Made, MakeError> {
    let (wrapper, warnings) = as_paths(wrapper, documents, job)?;
    let is_right = warnings.is_empty();
    Ok(made(wrapper, Vec::new(), warnings, is_right))
}

/// The wrapper by paths, and what it gives otherwise.
fn as_paths(wrapper: &Wrapper, documents: &[Document], job: &Job) -> Result<(Wrapper, Vec<String>), MakeError> {
    match &wrapper.rule {
        Rule::Paths(_) => return Ok((wrapper.clone(), Vec::new())),
        Rule::Oxpath(_) => {
            return Err(MakeError::Expression {
                place: String::new(),
                message: "the rule is an expression, which cannot be changed by pointing".to_owned(),
                advice: Some("change the expression, and make the wrapper again"),
            });
        }
        _ => {}
    }
    let schema = match &wrapper.shown {
        Some(shown) => Choice::new(shown).of_type(&wrapper.record_type),
        None => wrapper.record_type.clone(),
    };
    let runner = wrapper.runner()?;
    let mut pages = Vec::new();
    for document in documents {
        let mut records = runner.run(document, false).records;
        let mut pins = Vec::new();
        records
            .iter_mut()
            .for_each(|record| as_written(record, &document.page, &mut pins));
        if !records.is_empty() {
            pages.push((document, schema.rows(&records), pins));
        }
    }
    let several = pages.iter().any(|(_, rows, _)| rows[0].len() > 1);
    let tables = schema.tables();
    let listed: Vec<bool> = tables.iter().map(|table| table.parent.is_some() || several).collect();
    let chapters: Vec<Chapter<'_>> = some_of(&pages)
        .map(|(document, rows, pins)| Chapter {
            name: &document.name,
            page: &document.page,
            rows: rows.clone(),
            pins: pins.clone(),
        })
        .collect();
    let (rule, _) = learn_tables(&schema, &chapters, &[], &listed, job).map_err(|trouble| match trouble {
        learn::guided::Trouble::Stopped => MakeError::Stopped,
        trouble => MakeError::Paths {
            place: String::new(),
            message: format!("the rule cannot be said as paths: {trouble}"),
            advice: "begin again from a value, or learn from examples",
        },
    })?;
    let mut new = Wrapper::made(Rule::Paths(rule), schema, None, documents)?;
    new.navigation.clone_from(&wrapper.navigation);
    let key = wrapper.key.iter().filter(|path| new.record_type.has_path(path));
    new.key = key.cloned().collect();
    let again = new.runner()?;
    let (mut same, mut all) = (0, 0);
    for (document, rows, _) in &pages {
        let now = again.rows(document);
        for (before, now) in rows.iter().flatten().zip(now.iter().flatten()) {
            for (before, now) in before.iter().zip(now).filter(|(before, _)| !before.is_empty()) {
                all += 1;
                same += usize::from(before == now);
            }
        }
    }
    let mut warnings = Vec::new();
    if same < all {
        warnings.push(format!(
            "the rule is now made of paths; {} of {all} values differ from those before",
            all - same
        ));
    }
    Ok((new, warnings))
}

/// At most [`PAGES`] of these, from everywhere among them.
fn some_of<T>(pages: &[T]) -> impl Iterator<Item = &T> {
    let step = pages.len().div_ceil(PAGES).max(1);
    pages.iter().step_by(step)
}

/// Values as the page has them, with their nodes: addresses are made absolute only at the end.
fn as_written(record: &mut Record, page: &Page, pins: &mut Vec<(String, NodeId)>) {
    if let Some(text) = &mut record.value
        && record.node != NodeId::DOCUMENT
    {
        if page.is_attribute(record.node) {
            *text = value(page, record.node);
        }
        pins.push((text.clone(), record.node));
    }
    for child in &mut record.children {
        as_written(child, page, pins);
    }
}

/// A record that a node is in: the way to its table, as numbers of inner kinds of records, and the record's node.
type Inside = (Vec<usize>, NodeId);

/// The innermost record that contains a node.
fn inside(page: &Page, records: &[PathRecord], node: NodeId) -> Option<Inside> {
    let record = records
        .iter()
        .find(|record| record.node <= node && node < page.end(record.node).max(NodeId(record.node.0 + 1)))?;
    for (kind, inner) in record.inner.iter().enumerate() {
        if let Some((mut way, context)) = inside(page, inner, node) {
            way.insert(0, kind);
            return Some((way, context));
        }
    }
    Some((Vec::new(), record.node))
}

/// The nodes of all records at the end of a way.
pub(super) fn contexts(records: &[PathRecord], way: &[usize], out: &mut Vec<NodeId>) {
    for record in records {
        match way.split_first() {
            None => out.push(record.node),
            Some((kind, rest)) => contexts(record.inner.get(*kind).map_or(&[][..], Vec::as_slice), rest, out),
        }
    }
}

fn texts(records: &[PathRecord], out: &mut HashSet<String>) {
    for record in records {
        out.extend(record.values.iter().map(|value| value.text.clone()));
        record.inner.iter().for_each(|inner| texts(inner, out));
        if out.len() > KNOWN {
            return;
        }
    }
}

/// The wrapper by paths with one more field, or with other paths for a field that it has.
fn added(documents: &[Document], wrapper: &Wrapper, field: &str, at: &[Pointed]) -> Result<Made, MakeError> {
    let Rule::Paths(rule) = &wrapper.rule else {
        return Err(refused(field, "the rule has no paths", "begin again from a value"));
    };
    let run = PathsRun::new(rule).map_err(|error| refused(field, &error.to_string(), "correct the rule"))?;
    let mut pages: Vec<Vec<PathRecord>> = Vec::new();
    let on = |document: &Document| run.page(&document.page);
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let take = |records| {
        pages.push(records);
        true
    };
    if map_in_order(documents, jobs.min(MOST_JOBS), on, take).is_err() {
        // The system gives no threads.
        pages = documents.iter().map(on).collect();
    }
    let mut way: Option<Vec<usize>> = None;
    let mut shown: Vec<(usize, Shown<'_>)> = Vec::new();
    for point in at {
        let page = &*documents[point.document].page;
        let Some((found, context)) = inside(page, &pages[point.document], point.node) else {
            let message = format!(
                "the value is outside of the records of {}",
                documents[point.document].name
            );
            return Err(refused(
                field,
                &message,
                "point inside a record, or begin again from this value",
            ));
        };
        if *way.get_or_insert_with(|| found.clone()) != found {
            return Err(refused(
                field,
                "the values are in different kinds of records",
                "point at values of one kind of record",
            ));
        }
        let node = Some(point.node).filter(|_| !point.is_wrong);
        match shown
            .iter_mut()
            .find(|(document, shown)| *document == point.document && shown.context == context)
        {
            Some((_, shown)) => shown.nodes.extend(node.filter(|node| !shown.nodes.contains(node))),
            None => shown.push((
                point.document,
                Shown {
                    page,
                    context,
                    nodes: node.into_iter().collect(),
                },
            )),
        }
    }
    let way = way.unwrap_or_default();
    let many = shown.iter().any(|(_, shown)| shown.nodes.len() > 1);
    let mut also = Vec::new();
    for (number, records) in pages.iter().enumerate() {
        let mut nodes = Vec::new();
        contexts(records, &way, &mut nodes);
        let is_shown = |context: &NodeId| {
            shown
                .iter()
                .any(|(at, shown)| *at == number && shown.context == *context)
        };
        let page = &*documents[number].page;
        also.extend(
            nodes
                .iter()
                .filter(|context| !is_shown(context))
                .map(|context| (page, *context)),
        );
    }
    let step = also.len().div_ceil(ALSO).max(1);
    let also: Vec<(&Page, NodeId)> = also.into_iter().step_by(step).collect();
    let mut known = HashSet::new();
    let pointed: HashSet<usize> = shown.iter().map(|(document, _)| *document).collect();
    for (number, records) in pages.iter().enumerate().filter(|(number, _)| pointed.contains(number)) {
        texts(records, &mut known);
        known.extend(
            at.iter()
                .filter(|point| point.document == number)
                .map(|point| text_of(documents, point)),
        );
    }
    let want = Wanted {
        name: field.to_owned(),
        many,
    };
    let shown: Vec<Shown<'_>> = shown.into_iter().map(|(_, shown)| shown).collect();
    let Some((mut found, share)) = learn_field(&want, &shown, &also, &known) else {
        return Err(refused(
            field,
            "no path leads to all these values",
            "take back the last one, or make a field of its own for it",
        ));
    };
    let is_right = share > 0.99;
    if !is_right && at.iter().any(|point| point.is_wrong) {
        return Err(refused(
            field,
            "no path finds the right values without the wrong ones",
            "point at more right values, or make a field of its own for them",
        ));
    }
    let mut warnings = Vec::new();
    if !is_right {
        warnings.push(format!(
            "`{field}` is right in {:.0} % of the records that were pointed at",
            share * 100.0
        ));
    }
    let table = table_of(&wrapper.record_type, &way);
    let mut rule = rule.clone();
    let mut record_type = wrapper.record_type.clone();
    let tables = wrapper.record_type.tables();
    let column = tables[table].columns.iter().position(|column| column.path == [field]);
    let place = paths_at(&mut rule, &way).ok_or_else(|| {
        refused(
            field,
            "the rule has no such kind of records",
            "begin again from a value",
        )
    })?;
    match column {
        Some(column) => {
            found.many |= tables[table].columns[column].many;
            place.fields[column] = found;
        }
        None => {
            place.fields.push(found);
            let new = match many {
                true => Field::texts(field),
                false => Field::text(field),
            };
            add_field(&mut record_type.content, &tables[table].path, new)
                .map_err(|()| super::RenameError::Taken(field.to_owned()))?;
        }
    }
    let mut new = Wrapper::made(Rule::Paths(rule), record_type, None, documents)?;
    new.navigation.clone_from(&wrapper.navigation);
    let path = [&tables[table].path[..], &[field.to_owned()]].concat().join(".");
    new.shown.clone_from(&wrapper.shown);
    new.key.clone_from(&wrapper.key);
    if let Some(shown) = &mut new.shown
        && !shown.contains(&path)
    {
        shown.push(path);
    }
    let note = format!("paths to `{field}` from {}", counted(shown.len(), "record"));
    Ok(made(new, vec![note], warnings, is_right))
}

/// The number of the table at the end of a way.
fn table_of(record_type: &RecordType, way: &[usize]) -> usize {
    let tables = record_type.tables();
    way.iter().fold(0, |table, kind| {
        let mut inner = (0..tables.len()).filter(|other| tables[*other].parent == Some(table));
        inner.nth(*kind).unwrap_or(table)
    })
}

/// The rule for the records at the end of a way.
pub(super) fn paths_at<'r>(rule: &'r mut Paths, way: &[usize]) -> Option<&'r mut Paths> {
    way.iter().try_fold(rule, |rule, kind| rule.inner.get_mut(*kind))
}

/// Adds a field as the last one of the records at the end of a path; fails if there is one of its name.
fn add_field(content: &mut Content, path: &[String], field: Field) -> Result<(), ()> {
    let Content::Record(fields) = content else {
        return Err(());
    };
    match path.split_first() {
        None if fields.iter().any(|other| other.name == field.name) => Err(()),
        None => {
            fields.push(field);
            Ok(())
        }
        Some((first, rest)) => {
            let inner = fields.iter_mut().find(|other| other.name == *first).ok_or(())?;
            add_field(&mut inner.content, rest, field)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseSettings;
    use crate::make::{InferSettings, infer};

    fn document(name: &str, html: &str) -> Document {
        Document::from_source(name, html, &ParseSettings::default()).expect("a page")
    }

    /// A list with a note that only some records have.
    fn shelf(name: &str, books: &[(&str, &str, Option<&str>)]) -> Document {
        let item = |(title, price, note): &(&str, &str, Option<&str>)| {
            let note = note.map_or(String::new(), |note| format!("<em class=note>{note}</em>"));
            format!("<li><h3>{title}</h3><p>Price: <b>{price}</b></p>{note}</li>")
        };
        let items: String = books.iter().map(item).collect();
        document(name, &format!("<h1>Books</h1><ul>{items}</ul><p class=note>The end"))
    }

    fn shelves() -> Vec<Document> {
        vec![
            shelf(
                "a",
                &[
                    ("Kelp", "7.25", None),
                    ("Moss", "8.00", Some("used")),
                    ("Fern", "9.10", None),
                ],
            ),
            shelf(
                "b",
                &[
                    ("Rope", "1.25", Some("torn")),
                    ("Salt", "3.00", None),
                    ("Tide", "4.10", None),
                ],
            ),
        ]
    }

    fn node(document: &Document, text: &str) -> NodeId {
        let page = &document.page;
        let found = page.texts().iter().find(|node| page.string_value(**node) == text);
        *found.expect("the text")
    }

    fn at(documents: &[Document], document: usize, text: &str) -> Pointed {
        Pointed {
            document,
            node: node(&documents[document], text),
            is_wrong: false,
        }
    }

    fn column(wrapper: &Wrapper, document: &Document, field: &str) -> Vec<Option<String>> {
        let records = wrapper.extract(document).expect("records");
        records
            .iter()
            .map(|record| record.get(field).map(str::to_owned))
            .collect()
    }

    fn some(texts: &[Option<&str>]) -> Vec<Option<String>> {
        texts.iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn two_values_of_a_page_make_a_list_and_more_fields_belong_to_its_records() {
        let pages = shelves();
        let points = [at(&pages, 0, "Kelp"), at(&pages, 0, "Moss")];
        let one = point(&pages, None, "title", &points[..1], &Job::new()).expect("a wrapper");
        assert_eq!(column(&one.wrapper, &pages[1], "title"), some(&[Some("Rope")]));
        let made = point(&pages, Some(&one.wrapper), "title", &points, &Job::new()).expect("a wrapper");
        assert_eq!(
            column(&made.wrapper, &pages[1], "title"),
            some(&[Some("Rope"), Some("Salt"), Some("Tide")])
        );

        let points = [at(&pages, 0, "8.00")];
        let made = point(&pages, Some(&made.wrapper), "price", &points, &Job::new()).expect("a wrapper");
        assert_eq!(
            column(&made.wrapper, &pages[1], "price"),
            some(&[Some("1.25"), Some("3.00"), Some("4.10")])
        );
    }

    #[test]
    fn a_field_is_added_to_inferred_records_and_missing_stays_missing() {
        let pages = shelves();
        let settings = InferSettings {
            method: crate::make::Method::Regions,
            ..InferSettings::default()
        };
        let wrapper = infer(&pages, &settings, &Job::new()).expect("a wrapper").wrapper;
        let before = wrapper.extract(&pages[1]).expect("records");
        let made = point(&pages, Some(&wrapper), "state", &[at(&pages, 0, "used")], &Job::new()).expect("a wrapper");
        assert_eq!(
            column(&made.wrapper, &pages[1], "state"),
            some(&[Some("torn"), None, None])
        );
        let after = made.wrapper.extract(&pages[1]).expect("records");
        for (before, after) in before.iter().zip(&after) {
            for child in &before.children {
                assert_eq!(after.get(&child.name), child.value.as_deref(), "the other fields stay");
            }
        }
        // Outside of the records.
        let refused = point(
            &pages,
            Some(&made.wrapper),
            "end",
            &[at(&pages, 0, "The end")],
            &Job::new(),
        );
        assert!(
            refused
                .expect_err("outside")
                .to_string()
                .contains("outside of the records")
        );
    }

    #[test]
    fn a_rule_by_landmarks_becomes_paths_with_the_same_values() {
        let page = |name: &str, title: &str, price: &str| {
            document(
                name,
                &format!("<h1>{title}</h1><p>Price: <b>{price}</b></p><p>Shipped by <i>sea</i></p>"),
            )
        };
        let pages = [
            page("a", "Kelp", "7.25"),
            page("b", "Moss", "8.00"),
            page("c", "Fern", "9.10"),
        ];
        let wrapper = infer(&pages, &InferSettings::default(), &Job::new())
            .expect("a wrapper")
            .wrapper;
        assert_eq!(wrapper.rule.kind(), "landmarks");
        let made = point(&pages, Some(&wrapper), "ship", &[at(&pages, 0, "sea")], &Job::new()).expect("a wrapper");
        assert_eq!(made.warnings, Vec::<String>::new());
        for document in &pages {
            assert_eq!(
                column(&made.wrapper, document, "title"),
                column(&wrapper, document, "title")
            );
            assert_eq!(
                column(&made.wrapper, document, "price"),
                column(&wrapper, document, "price")
            );
            assert_eq!(column(&made.wrapper, document, "ship"), some(&[Some("sea")]));
        }
    }

    #[test]
    fn a_wrong_value_rules_out_what_finds_it() {
        let row = |a: &str, b: &str| format!("<p>{a}</p><p>{b}</p>");
        let pages = [
            document("a", &format!("<h1>Kelp</h1>{}", row("<b>used</b>", "<b class=x>7</b>"))),
            document("b", &format!("<h1>Moss</h1>{}", row("<b>new</b>", ""))),
        ];
        let title = point(&pages, None, "title", &[at(&pages, 0, "Kelp")], &Job::new())
            .expect("a wrapper")
            .wrapper;
        let right = at(&pages, 0, "7");
        let wrong = Pointed {
            is_wrong: true,
            ..at(&pages, 1, "new")
        };
        let made = point(&pages, Some(&title), "code", &[right, wrong], &Job::new()).expect("a wrapper");
        assert_eq!(column(&made.wrapper, &pages[0], "code"), some(&[Some("7")]));
        assert_eq!(column(&made.wrapper, &pages[1], "code"), some(&[None]));
    }

    #[test]
    fn what_cannot_be_a_field_is_refused() {
        let pages = shelves();
        let title = [at(&pages, 0, "Kelp"), at(&pages, 0, "Moss")];
        let title = point(&pages, None, "title", &title, &Job::new())
            .expect("a wrapper")
            .wrapper;
        let same = Pointed {
            is_wrong: true,
            ..at(&pages, 0, "8.00")
        };
        let refused = point(
            &pages,
            Some(&title),
            "price",
            &[at(&pages, 0, "7.25"), same],
            &Job::new(),
        );
        assert!(
            refused
                .expect_err("two of a kind")
                .to_string()
                .contains("without the wrong ones")
        );
        let none = point(&pages, None, "x", &[], &Job::new());
        assert!(none.is_err());
        let far = Pointed {
            document: 7,
            node: NodeId(1),
            is_wrong: false,
        };
        assert!(point(&pages, None, "x", &[far], &Job::new()).is_err());
        assert!(point(&pages, None, "a b", &[at(&pages, 0, "Kelp")], &Job::new()).is_err());
    }
}

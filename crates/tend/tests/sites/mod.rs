//! Wrappers of small sites.

use learn::guided::{Lesson, learn_guided, wanted};
use page::{Document, Job, Page};
use record::RecordType;
use wrapper::{Rule, Wrapper};

pub(crate) fn document(name: usize, html: &str) -> Document {
    let page = Page::parse_str(html, &page::Limits::default()).expect("a page");
    Document::new(format!("{name}.html"), page)
}

/// A wrapper learned from all records of some pages; an empty text is a value that is missing.
pub(crate) fn learned<R: AsRef<[String]>>(fields: &[&str], pages: &[(String, Vec<R>)], listed: bool) -> Wrapper {
    let schema = RecordType::flat("record", fields.iter().map(|name| (*name).to_owned()));
    let table = schema.tables().swap_remove(0);
    let documents: Vec<Document> = pages
        .iter()
        .enumerate()
        .map(|(at, (html, _))| document(at, html))
        .collect();
    let cells = |record: &R| {
        let values = |text: &String| Some(text.clone()).filter(|text| !text.is_empty()).into_iter().collect();
        record.as_ref().iter().map(values).collect()
    };
    let lessons: Vec<Lesson<'_>> = documents
        .iter()
        .zip(pages)
        .map(|(document, (_, records))| Lesson {
            name: &document.name,
            page: &document.page,
            records: records.iter().map(cells).collect(),
        })
        .collect();
    let rule = learn_guided(&wanted(&table), &lessons, listed, &Job::new())
        .expect("a rule")
        .rule;
    Wrapper::made(Rule::Paths(rule), schema, None, &documents).expect("a wrapper")
}

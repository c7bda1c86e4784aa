//! `wrapwright learn --oxpath`: a wrapper of an expression, with what its values are like on some pages.

use crate::args::LearnArgs;
use crate::learn::{Complaint, document, find_pages};
use crate::learn_schema::{bytes_of, counted};
use std::path::Path;
use wrapwright::wrapper::{Rule, Wrapper};

/// A wrapper of an OXPath expression, with what it gives on pages.
pub(crate) fn learn(args: &LearnArgs, file: &Path) -> Result<(Wrapper, String), Complaint> {
    let place = file.display();
    let text = String::from_utf8(bytes_of(file, "an OXPath expression")?).map_err(|_| {
        Complaint::new(format!(
            "{place}: found bytes that are no UTF-8, expected an OXPath expression"
        ))
    })?;
    let tail = wrapwright::Tail::new(&text).map_err(|why| {
        Complaint::new(format!("{place}: {why}"))
            .hint("a wrapper is an expression that finds its pages first and extracts all at their end")
    })?;
    let types = tail.script().record_types();
    let [record_type] = types.as_slice() else {
        return Err(Complaint::new(format!(
            "{place}: found {} kinds of outermost records, expected one",
            types.len()
        )));
    };
    if record_type.fields().is_empty() {
        return Err(
            Complaint::new(format!("{place}: `{}` has no values inside", record_type.name))
                .hint("write //x:<record>[.:<value=string(.)>]"),
        );
    }
    let places = find_pages(args)?;
    let mut pages = Vec::new();
    for at in &places {
        pages.push(document(args, at)?);
    }
    let records: usize = pages
        .iter()
        .map(|document| tail.page(&document.page, &document.name).0.len())
        .sum();
    if records == 0 {
        return Err(
            Complaint::new(format!("{place}: the expression gives no record on these pages"))
                .hint("give pages that its navigation leads to, saved with `wrapwright fetch`"),
        );
    }
    let made = Wrapper::made(Rule::Oxpath(text), record_type.clone(), None, &pages);
    let wrapper = made.map_err(|error| Complaint::new(error.to_string()))?;
    let (records, pages) = (counted(records, "record"), counted(pages.len(), "page"));
    Ok((wrapper, format!("{records} on {pages}")))
}

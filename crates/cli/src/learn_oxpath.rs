//! `wrapwright learn --oxpath`: a wrapper of an expression, with what its values are like on some pages.

use crate::args::LearnArgs;
use crate::learn::{Complaint, find_pages, source};
use crate::learn_schema::{bytes_of, counted};
use crate::sheets;
use std::path::Path;
use wrapwright::artifact::{Artifact, Evidence, Rule, Seen, hash};
use wrapwright::schema::{Field, Kind, Schema};

/// A wrapper of an OXPath expression, with what it gives on pages.
pub(crate) fn learn(args: &LearnArgs, file: &Path) -> Result<(Artifact, String), Complaint> {
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
        pages.push((at.to_string(), source, std::sync::Arc::new(page)));
    }
    let mut records = 0;
    for (name, _, page) in &pages {
        let found = tail.page(page, &name.as_str().into()).0;
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
    let (records, pages) = (counted(records, "record"), counted(pages.len(), "page"));
    Ok((artifact, format!("{records} on {pages}")))
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

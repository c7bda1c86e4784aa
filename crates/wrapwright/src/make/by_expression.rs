//! A wrapper of an OXPath expression, with what its values are like on some pages.

use super::words::counted;
use super::{Expression, Made, MakeError};
use crate::{Document, Job, Tail, Wrapper};
use oxpath::run::LackingField;
use page::job::Event;
use wrapper::Rule;

pub(super) fn learn(documents: &[Document], expression: &Expression, job: &Job) -> Result<Made, MakeError> {
    let place = &expression.name;
    let fail = |message: String, advice: Option<&'static str>| MakeError::Expression {
        place: place.clone(),
        message,
        advice,
    };
    let tail = Tail::new(&expression.text).map_err(|why| {
        let advice = "a wrapper is an expression that finds its pages first and extracts all at their end";
        fail(why.to_string(), Some(advice))
    })?;
    let types = tail.script().record_types();
    let [record_type] = types.as_slice() else {
        let message = format!("found {} kinds of outermost records, expected one", types.len());
        return Err(fail(message, None));
    };
    if record_type.fields().is_empty() {
        let message = format!("`{}` has no values inside", record_type.name);
        return Err(fail(message, Some("write //x:<record>[.:<value=string(.)>]")));
    }
    let (mut records, mut lacking) = (0, Vec::new());
    for document in documents {
        if job.is_stopped() {
            return Err(MakeError::Stopped);
        }
        job.tell(Event::Page(&document.name));
        let found = tail.page(&document.page, &document.name);
        records += found.records.len();
        LackingField::add_all(&mut lacking, &found.lacking);
    }
    if records == 0 {
        return Err(MakeError::NoRecords { place: place.clone() });
    }
    let warnings: Vec<String> = lacking.iter().map(ToString::to_string).collect();
    warnings.iter().for_each(|warning| job.warn(warning));
    let rule = Rule::Oxpath(expression.text.clone());
    let wrapper = Wrapper::made(rule, record_type.clone(), None, documents)?;
    let (records, pages) = (counted(records, "record"), counted(documents.len(), "page"));
    Ok(Made {
        wrapper,
        warnings,
        notes: vec![format!("{records} on {pages}")],
        details: Vec::new(),
        missing: Vec::new(),
        is_right: true,
    })
}

//! Rules by delimiters, from what recognizers find on all pages.

use super::by_delimiters::{finish, how, no_delimiters, sources};
use super::{LearnSettings, Made, MakeError, Recognizers};
use crate::record::RecordType;
use crate::{Document, Job};
use learn::Example;
use learn::label::{Column, Mistakes, NotCorroborated, corroborate};

pub(super) fn learn(
    documents: &[Document],
    recognizers: &Recognizers,
    settings: &LearnSettings,
    job: &Job,
) -> Result<Made, MakeError> {
    let attributes = &recognizers.attributes;
    let pages = sources(documents)?;
    let columns: Vec<Column> = attributes
        .iter()
        .map(|attribute| Column {
            mistakes: attribute.mistakes,
            found: pages.iter().map(|(_, text)| attribute.recognizer.find(text)).collect(),
        })
        .collect();
    let got = corroborate(&pages, &columns, &how(settings, true), job)
        .map_err(|reason| why_not(recognizers, &pages, &reason, job))?;
    let names: Vec<String> = got.order.iter().map(|at| attributes[*at].name.clone()).collect();
    let mut warnings = Vec::new();
    if got.ambiguous {
        let warning =
            "the recognizers agree on other places too, for which there is a wrapper as well; see what it extracts";
        job.warn(warning);
        warnings.push(warning.to_owned());
    }
    let labelled: Vec<Example<'_>> = pages
        .iter()
        .zip(&got.labels)
        .map(|((name, text), values)| Example {
            name,
            text,
            values: values.clone(),
        })
        .collect();
    let schema = RecordType::flat(&settings.record, &names);
    let mut made = finish(settings, schema, got.learned, &labelled, documents, &names)?;
    made.warnings = warnings;
    Ok(made)
}

fn why_not(recognizers: &Recognizers, pages: &[(&str, &str)], reason: &NotCorroborated, job: &Job) -> MakeError {
    let attributes = &recognizers.attributes;
    let name = |column: &usize| attributes.get(*column).map_or("", |attribute| attribute.name.as_str());
    let fail = |place: &str, message: String, advice: Option<&'static str>| MakeError::Recognizers {
        place: place.to_owned(),
        message,
        advice,
    };
    match reason {
        NotCorroborated::NoAnchor => fail(
            &recognizers.name,
            "every recognizer is said to make mistakes, expected at least one with \"mistakes\": \"none\"".to_owned(),
            None,
        ),
        NotCorroborated::NothingFound(column) => fail(
            &recognizers.name,
            format!("the recognizer of `{}` finds nothing on any page", name(column)),
            Some("try its pattern on the text of a page; \"in\" says where it is looked for"),
        ),
        NotCorroborated::Contradiction(found) => {
            let page = pages.get(found.page).map_or("", |(page, _)| *page);
            let said = attributes
                .get(found.column)
                .map_or(Mistakes::None, |attribute| attribute.mistakes);
            let (byte, name, message) = (found.byte, name(&found.column), &found.message);
            let advice = match said {
                Mistakes::FalsePositives => "every record must have each attribute; otherwise declare false-negatives",
                _ => "if it finds what is no value, declare false-positives",
            };
            let message = format!("at byte {byte} the recognizer of `{name}` has {message}");
            fail(page, message, Some(advice))
        }
        NotCorroborated::NothingCommon(column) => fail(
            "",
            format!(
                "nothing is common around what the recognizer of `{}` finds",
                name(column)
            ),
            Some("values of one attribute must stand between the same strings on all pages"),
        ),
        NotCorroborated::NoOrder => fail(
            "",
            "no choice of what the recognizers find has the attributes in one order in all records".to_owned(),
            None,
        ),
        NotCorroborated::NoWrapper(order, reasons) => {
            let names: Vec<String> = order.iter().map(|column| name(column).to_owned()).collect();
            let pages: Vec<&str> = pages.iter().map(|(page, _)| *page).collect();
            no_delimiters(reasons, &names, &pages, true, job)
        }
    }
}

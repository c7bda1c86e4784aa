//! `wrapwright learn --recognizers`: a wrapper from pages and how to know what is on them.

use crate::args::LearnArgs;
use crate::learn::{Complaint, find_pages, finish, no_wrapper, source};
use crate::recognizers::{self, Attribute};
use crate::report;
use std::path::Path;
use wrapwright::RecordType;
use wrapwright::learn::label::{Column, Mistakes, NotCorroborated, corroborate};
use wrapwright::learn::{Example, Settings as How};
use wrapwright::wrapper::Wrapper;

/// Learns a wrapper from what recognizers find on all pages.
pub(crate) fn learn(args: &LearnArgs, path: &Path, how: &How) -> Result<(Wrapper, String), Complaint> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Complaint::new(format!("{file}: {error}")))?;
    let dir = path.parent().unwrap_or_else(|| Path::new(""));
    let attributes = recognizers::parse(&String::from_utf8_lossy(&bytes), dir)
        .map_err(|reason| Complaint::new(format!("{file}: {reason}")))?;
    let mut pages: Vec<(String, String)> = Vec::new();
    for place in find_pages(args)? {
        pages.push((place.to_string(), source(args, &place)?));
    }
    let columns: Vec<Column> = attributes
        .iter()
        .map(|attribute| Column {
            mistakes: attribute.mistakes,
            found: pages.iter().map(|(_, text)| attribute.recognizer.find(text)).collect(),
        })
        .collect();
    let texts: Vec<(&str, &str)> = pages
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let got = corroborate(&texts, &columns, how).map_err(|reason| complaint(&file, &attributes, &pages, &reason))?;
    let names: Vec<String> = got.order.iter().map(|at| attributes[*at].name.clone()).collect();
    if got.ambiguous {
        report::words(
            "warning: the recognizers agree on other places too, for which there is a wrapper as well; see what it extracts",
        );
    }
    let labelled: Vec<Example<'_>> = texts
        .iter()
        .zip(&got.labels)
        .map(|((name, text), values)| Example {
            name,
            text,
            values: values.clone(),
        })
        .collect();
    let schema = RecordType::flat(&args.record, &names);
    finish(args, schema, got.learned, &labelled, &names)
}

fn complaint(file: &str, attributes: &[Attribute], pages: &[(String, String)], reason: &NotCorroborated) -> Complaint {
    let name = |column: &usize| attributes.get(*column).map_or("", |attribute| attribute.name.as_str());
    match reason {
        NotCorroborated::NoAnchor => Complaint::new(format!(
            "{file}: every recognizer is said to make mistakes, expected at least one with \"mistakes\": \"none\""
        )),
        NotCorroborated::NothingFound(column) => Complaint::new(format!(
            "{file}: the recognizer of `{}` finds nothing on any page",
            name(column)
        ))
        .hint("try its pattern on the text of a page; \"in\" says where it is looked for"),
        NotCorroborated::Contradiction(found) => {
            let page = pages.get(found.page).map_or("", |(page, _)| page.as_str());
            let said = attributes
                .get(found.column)
                .map_or(Mistakes::None, |attribute| attribute.mistakes);
            let message = format!(
                "{page}: at byte {} the recognizer of `{}` has {}",
                found.byte,
                name(&found.column),
                found.message
            );
            let hint = match said {
                Mistakes::FalsePositives => "every record must have each attribute; otherwise declare false-negatives",
                _ => "if it finds what is no value, declare false-positives",
            };
            Complaint::new(message).hint(hint)
        }
        NotCorroborated::NothingCommon(column) => Complaint::new(format!(
            "nothing is common around what the recognizer of `{}` finds",
            name(column)
        ))
        .hint("values of one attribute must stand between the same strings on all pages"),
        NotCorroborated::NoOrder => {
            Complaint::new("no choice of what the recognizers find has the attributes in one order in all records")
        }
        NotCorroborated::NoWrapper(order, reasons) => {
            let names: Vec<String> = order.iter().map(|column| name(column).to_owned()).collect();
            let pages: Vec<&str> = pages.iter().map(|(page, _)| page.as_str()).collect();
            no_wrapper("no wrapper gives what the recognizers find", reasons, &names, &pages)
                .hint("see that each recognizer is declared as it is; give some pages as --examples instead")
        }
    }
}

//! Which learner, where the examples do not say it.
//!
//! Delimiters are exact: a rule that gives all records of some pages gives nothing else there. So they come first where whole
//! lists of several pages are known. One page, or one or two records of each, say little about what stays the same in the
//! source of the next one, but the labels, names and structure around the values do: there paths come first. If the first
//! learner finds no rule that gives the examples, the other one is tried. If neither gives all of them, the one that gives more
//! is taken, with a warning for each field that is not always right; if neither gives a half, the first one says why.
//!
//! Delimiters leave out a page whose values do not stand in the order of the others. That counts as values not given.
//!
//! A few records may be only the first ones of a list: if paths find at least as many more like them on the same pages, the
//! examples were not all records, and delimiters that give nothing else are wrong.
//!
//! Delimiters that give the examples may still fail elsewhere. Where that shows, paths are learned, too, and the better of both
//! is taken: with several pages, the one that is right on more pages that are left out in turn; with one page and
//! others without examples, the one that fills more of the fields that all examples have. Of equals, delimiters are taken.
//!
//! One record of each page is an example of pages that are one record, or of lists. It is a list if what repeats on each page around the
//! record shows one (`learn::guided`), with at least [`by_paths::LEAST_RECORDS`] records; which one it was taken for is said. A record of one field shows
//! too little: if the page has several such places, a warning says how to ask for a list.
//!
//! Cost: that of both learners; paths are learned again for each page that is left out, at most five times.

use super::by_delimiters::Delimited;
use super::examples::Given;
use super::values::tidy;
use super::words::counted;
use super::{Examples, LearnSettings, Made, MakeError, Node, by_delimiters, by_paths};
use crate::record::Record;
use crate::{Document, Job};
use std::collections::HashMap;

/// With more records than this, an example is a whole page.
const FEW: usize = 2;
/// With more records than this on a page, they are all of them.
const PART: usize = 8;
/// A wrapper must give at least this share of the examples.
const HALF: f64 = 0.5;

pub(super) fn learn(
    documents: &[Document],
    examples: &Examples,
    settings: &LearnSettings,
    job: &Job,
) -> Result<Made, MakeError> {
    let delimiters = || by_delimiters::learn(documents, examples, settings, job);
    let kept = |delimited: Delimited| {
        let made = delimited.made;
        made.warnings.iter().for_each(|warning| job.warn(warning));
        made
    };
    let tables = examples.tables(&settings.record)?;
    let mut items = tables.pages.iter().flat_map(|(_, items)| items);
    // Positions in the source and a class of delimiters are meant for delimiters.
    if settings.class.is_some() || items.any(|item| matches!(item.value, Given::Place(..))) {
        return delimiters().map(kept);
    }
    let count = |(_, records): &(String, Vec<Node>)| records.len();
    let counts: Vec<usize> = examples.records()?.iter().map(count).collect();
    let paths = |examples: &Examples, several| {
        let given = (examples, settings.also.as_slice(), several);
        by_paths::learn_typed(documents, tables.schema.clone(), None, given, job)
    };
    let typed = |several| paths(examples, several);
    let is_list = counts.iter().any(|count| *count > FEW);
    if settings.delimiters || (is_list && counts.len() > 1) {
        let first = match delimiters() {
            Ok(first) => first,
            Err(error) if is_no_rule(&error) => {
                let why = "paths, because delimiters do not give all the examples";
                return match typed(true) {
                    Ok(made) if made.is_right || given_by(&made, documents, examples)?.both >= HALF => {
                        Ok(told(made, why, job))
                    }
                    Err(MakeError::Stopped) => Err(MakeError::Stopped),
                    _ => Err(error),
                };
            }
            Err(error) => return Err(error),
        };
        let (right, of) = first.left_out;
        // A few records may be a part of a list; whoever asks for delimiters gives all of them.
        let few = !settings.delimiters && counts.iter().all(|count| *count <= PART);
        let all_pages = first.pages.len() == counts.len();
        let compares = match of {
            0 => few || !settings.also.is_empty(),
            _ => few || right < of,
        };
        if first.made.is_right && all_pages && !compares {
            return Ok(kept(first));
        }
        let second = match typed(true) {
            Ok(made) if made.is_right || !all_pages => made,
            Err(MakeError::Stopped) => return Err(MakeError::Stopped),
            _ => return Ok(kept(first)),
        };
        if !all_pages {
            let [one, other] = [&first.made, &second].map(|made| given_by(made, documents, examples));
            // What a wrapper gives besides the examples does not count here: a value with a mistake in it stands for another one.
            let (one, other) = (one?.given, other?.given);
            let why = format!(
                "paths, which give {:.0} % of the examples; delimiters {:.0} %",
                other * 100.0,
                one * 100.0
            );
            return Ok(match other > one {
                true => told(second, &why, job),
                false => kept(first),
            });
        }
        let given: usize = counts.iter().sum();
        let all = all_records(&second, documents);
        let why = match first.made.is_right {
            true if few && all >= given * 2 => Some(some_of(given, all)),
            false => Some("paths, because delimiters divide the records in another way".to_owned()),
            true if of > 0 && right < of => {
                let better = right_elsewhere(documents, examples, &first.pages[..of], |some| paths(some, true))?;
                let why = format!("paths, right on {better} of {of} pages left out in turn; delimiters on {right}");
                (better > right).then_some(why)
            }
            true if of > 0 || settings.also.is_empty() => None,
            true => {
                let [one, other] = [&first.made, &second].map(|made| filled(made, &second, &settings.also));
                let percent = |share: f64| (share * 100.0).round();
                let why = format!(
                    "paths, which fill {} % of the fields on the pages without examples; delimiters {} %",
                    percent(other),
                    percent(one)
                );
                (percent(other) > percent(one)).then_some(why)
            }
        };
        return Ok(match why {
            Some(why) => told(second, &why, job),
            None => kept(first),
        });
    }
    let is_alone = counts.iter().all(|count| *count == 1);
    if is_alone
        && let Ok(made) = typed(true)
        && let Some(list) = fewest_records(&made, documents, examples)?
            .filter(|count| *count >= by_paths::LEAST_RECORDS && made.is_right)
    {
        let note = match counts.len() {
            1 => format!(
                "paths; the example is one of {} like it on its page",
                counted(list, "record")
            ),
            _ => format!(
                "paths; each example is one of {} or more like it on its page",
                counted(list, "record")
            ),
        };
        return Ok(told(made, &note, job));
    }
    let note = match is_alone {
        true => "paths; each page is one record, as in the examples",
        false if is_list => "paths; one page says too little about the source of others for delimiters",
        false => "paths, because the examples are too few for delimiters",
    };
    match typed(is_list) {
        Ok(mut made) if made.is_right => {
            if is_alone {
                made.warnings.extend(by_paths::may_be_list(documents, examples)?);
            }
            let (given, all) = (counts.iter().sum::<usize>(), all_records(&made, documents));
            Ok(match is_list && all >= given * 2 {
                true => told(made, &some_of(given, all), job),
                false => told(made, note, job),
            })
        }
        Err(MakeError::Stopped) => Err(MakeError::Stopped),
        made => match delimiters() {
            Err(error) if is_no_rule(&error) => made.map(|made| told(made, note, job)).map_err(|_| error),
            delimiters => delimiters.map(kept),
        },
    }
}

/// On how many pages a wrapper is right that was learned from the examples of the others.
fn right_elsewhere(
    documents: &[Document],
    examples: &Examples,
    pages: &[String],
    learn: impl Fn(&Examples) -> Result<Made, MakeError>,
) -> Result<usize, MakeError> {
    let mut right = 0;
    for page in pages {
        let (own, others): (Vec<_>, Vec<_>) = examples.pages.iter().cloned().partition(|(name, _)| name == page);
        let some = |pages| Examples {
            pages,
            ..examples.clone()
        };
        let made = match learn(&some(others)) {
            Ok(made) => made,
            Err(MakeError::Stopped) => return Err(MakeError::Stopped),
            Err(_) => continue,
        };
        let document = &documents[examples.find(documents, page)?];
        let records = made.wrapper.extract(document).unwrap_or_default();
        let got = records.iter().map(|record| said(&Said::Record(record)));
        let given = some(own).records()?;
        let given = given.iter().flat_map(|(_, records)| records);
        let given = given.map(|record| said(&Said::Node(record)));
        right += usize::from(got.eq(given));
    }
    Ok(right)
}

/// How much of the examples a wrapper gives.
struct Share {
    /// The values that it gives, by those of the examples.
    given: f64,
    /// The same, and nothing else: twice these values, by the values of both.
    both: f64,
}

fn given_by(made: &Made, documents: &[Document], examples: &Examples) -> Result<Share, MakeError> {
    let (mut hits, mut all, mut both) = (0, 0, 0);
    for (page, given) in examples.records()? {
        let document = &documents[examples.find(documents, &page)?];
        let mut found: HashMap<String, usize> = HashMap::new();
        for record in &made.wrapper.extract(document).unwrap_or_default() {
            for value in said(&Said::Record(record)) {
                *found.entry(value).or_default() += 1;
            }
        }
        both += found.values().sum::<usize>();
        for value in given.iter().flat_map(|record| said(&Said::Node(record))) {
            both += 1;
            all += 1;
            if let Some(left) = found.get_mut(&value).filter(|left| **left > 0) {
                *left -= 1;
                hits += 1;
            }
        }
    }
    Ok(Share {
        given: hits as f64 / all.max(1) as f64,
        both: 2.0 * hits as f64 / both.max(1) as f64,
    })
}

/// A record that was found, or one that was given.
enum Said<'s> {
    Record(&'s Record),
    Node(&'s Node),
}

/// The values of a record by name, then those of the records inside it in their order.
fn said(record: &Said<'_>) -> Vec<String> {
    let value = |name: &str, text: &str| format!("{name}={}", tidy(text));
    let (mut own, mut inner) = (Vec::new(), Vec::new());
    // Records nest as deep as their type, which is bounded where it is read.
    match record {
        Said::Record(record) => {
            for child in &record.children {
                match &child.value {
                    Some(text) => own.push(value(&child.name, text)),
                    None => inner.push(said(&Said::Record(child))),
                }
            }
        }
        Said::Node(Node::Object(pairs)) => {
            for (name, node) in pairs {
                match node {
                    Node::Text(text) => own.push(value(name, text)),
                    Node::List(list) => inner.extend(list.iter().map(|node| said(&Said::Node(node)))),
                    _ => {}
                }
            }
        }
        Said::Node(_) => {}
    }
    own.sort();
    for record in inner {
        own.push("{".to_owned());
        own.extend(record);
        own.push("}".to_owned());
    }
    own
}

/// The share of the fields that all examples have which a wrapper fills on pages without examples; a page without a record
/// counts as a record without a field.
fn filled(made: &Made, known: &Made, pages: &[Document]) -> f64 {
    let table = known.wrapper.evidence.profiles.first();
    let columns = known.wrapper.record_type.tables();
    let (Some(table), Some(columns)) = (table, columns.first()) else {
        return 0.0;
    };
    let records = table.fields.iter().map(|field| field.count).max().unwrap_or(0);
    let names = columns.columns.iter().zip(&table.fields);
    let names: Vec<String> = names
        .filter(|(_, field)| field.count == records)
        .map(|(column, _)| column.name())
        .collect();
    let (mut has, mut all) = (0, 0);
    for page in pages {
        let records = made.wrapper.extract(page).unwrap_or_default();
        all += records.len().max(1) * names.len();
        for record in &records {
            has += names.iter().filter(|name| record.get(name).is_some()).count();
        }
    }
    has as f64 / all.max(1) as f64
}

/// The number of records that a wrapper gives on all pages.
fn all_records(made: &Made, documents: &[Document]) -> usize {
    let counts = documents
        .iter()
        .filter_map(|document| made.wrapper.extract(document).ok());
    counts.map(|records| records.len()).sum()
}

/// The fewest records that a wrapper gives on a page that has examples.
fn fewest_records(made: &Made, documents: &[Document], examples: &Examples) -> Result<Option<usize>, MakeError> {
    let mut fewest = None;
    for (page, _) in &examples.pages {
        let document = &documents[examples.find(documents, page)?];
        let count = made.wrapper.extract(document).map_or(0, |records| records.len());
        fewest = Some(fewest.map_or(count, |fewest: usize| fewest.min(count)));
    }
    Ok(fewest)
}

/// Why it is a list that goes on after the examples.
fn some_of(given: usize, all: usize) -> String {
    let all = counted(all, "record");
    format!("paths; the examples are {given} of {all} like them on their pages")
}

/// Is it the learner that has no rule, and not the examples that are wrong?
fn is_no_rule(error: &MakeError) -> bool {
    matches!(
        error,
        MakeError::NoDelimiters { .. } | MakeError::Value { .. } | MakeError::Labels(_) | MakeError::Paths { .. }
    )
}

/// Says why these are paths, and what may be wrong with them.
fn told(mut made: Made, why: &str, job: &Job) -> Made {
    made.warnings.iter().for_each(|warning| job.warn(warning));
    made.notes.insert(0, why.to_owned());
    made
}

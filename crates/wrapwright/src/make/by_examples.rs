//! Which learner, where the examples do not say it.
//!
//! Delimiters are exact: a rule that gives all records of some pages gives nothing else there. So they come first where whole
//! lists are known. One or two records of a page say little about what stays the same in the source of the next one, but the
//! labels, names and structure around them do: there paths come first. If the first learner finds no rule that gives the
//! examples, the other one is tried; if both fail, the first one says why.
//!
//! One record of one page is an example of a page that is one record, or of a list. It is a list if most fields are found in
//! several places of the same structure; which one it was taken for is said.

use super::examples::Given;
use super::words::counted;
use super::{Examples, LearnSettings, Made, MakeError, by_delimiters, by_paths};
use crate::{Document, Job};

/// With more records than this, an example is a whole page.
const FEW: usize = 2;
/// With fewer records than this on a page, it is no list.
const LEAST: usize = 3;

pub(super) fn learn(
    documents: &[Document],
    examples: &Examples,
    settings: &LearnSettings,
    job: &Job,
) -> Result<Made, MakeError> {
    let delimiters = || by_delimiters::learn(documents, examples, settings, job);
    let tables = examples.tables(&settings.record)?;
    let mut items = tables.pages.iter().flat_map(|(_, items)| items);
    // Positions in the source and a class of delimiters are meant for delimiters.
    if settings.class.is_some() || items.any(|item| matches!(item.value, Given::Place(..))) {
        return delimiters();
    }
    let count = |(_, records): &(String, Vec<super::Node>)| records.len();
    let counts: Vec<usize> = examples.records()?.iter().map(count).collect();
    let typed = |several| {
        by_paths::learn_typed(
            documents,
            tables.schema.clone(),
            None,
            (examples, &settings.also, several),
            job,
        )
    };
    if settings.delimiters || counts.iter().any(|count| *count > FEW) {
        return match delimiters() {
            Err(error) if is_no_rule(&error) => match typed(true) {
                Ok(made) if made.is_right => Ok(told(
                    made,
                    "paths, because delimiters do not give all the examples",
                    job,
                )),
                Err(MakeError::Stopped) => Err(MakeError::Stopped),
                _ => Err(error),
            },
            made => made,
        };
    }
    if counts == [1]
        && let Ok(made) = typed(true)
        && let Some(list) = most_records(&made, documents).filter(|count| *count >= LEAST && made.is_right)
    {
        let note = format!(
            "paths; the example is one of {} like it on its page",
            counted(list, "record")
        );
        return Ok(told(made, &note, job));
    }
    let note = match counts.iter().all(|count| *count == 1) {
        true => "paths; each page is one record, as in the examples",
        false => "paths, because the examples are too few for delimiters",
    };
    match typed(false) {
        Ok(made) if made.is_right => Ok(told(made, note, job)),
        Err(MakeError::Stopped) => Err(MakeError::Stopped),
        made => match delimiters() {
            Err(error) if is_no_rule(&error) => made.map(|made| told(made, note, job)).map_err(|_| error),
            delimiters => delimiters,
        },
    }
}

/// The most records that a wrapper gives on a page.
fn most_records(made: &Made, documents: &[Document]) -> Option<usize> {
    let counts = documents
        .iter()
        .filter_map(|document| made.wrapper.extract(document).ok());
    counts.map(|records| records.len()).max()
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

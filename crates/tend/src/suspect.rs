//! Reasons to doubt a field that only the new rule shows, when it is run.
//!
//! *Input*: the old wrapper, the new one and the pages. *Output*: lower scores. *Cost*: two runs of the new rule on each page.

use crate::check::{are_of_each_others_size, contradicted, lonely};
use crate::compare;
use crate::relearn;
use crate::repair::{RepairError, homes};
use crate::weights;
use page::Document;
use record::Rows;
use std::collections::HashMap;
use wrapper::Wrapper;
use wrapper::profile::{FieldProfile, Profile};

/// Endings of files that are offered beside each other.
const FILES: [&str; 12] = [
    "pdf", "doc", "docx", "xls", "xlsx", "csv", "ppt", "pptx", "zip", "mp3", "jpg", "png",
];

/// Were all values addresses of files of some sorts, and are all now files of others? A link to the text is not one to the PDF.
fn are_other_files(known: &[String], now: &[String]) -> bool {
    let ending = |text: &String| -> Option<&'static str> {
        let (_, ending) = text.rsplit_once('.')?;
        FILES.into_iter().find(|file| ending.eq_ignore_ascii_case(file))
    };
    let (had, has): (Vec<_>, Vec<_>) = (known.iter().map(ending).collect(), now.iter().map(ending).collect());
    let is_some = |endings: &[Option<&str>]| !endings.is_empty() && endings.iter().all(Option::is_some);
    is_some(&had) && is_some(&has) && !has.iter().any(|file| had.contains(file))
}

/// Lowers the scores of fields that link to files of another sort than before, of those that have the same value on all pages and had different ones, and of those
/// that are one of two of the same make, of which one is gone, of numbers that are of the size of another field, which has those of this one,
/// and of known records that no longer have the values that they had.
pub(crate) fn doubt(
    old: &Wrapper,
    new: &Wrapper,
    documents: &[&Document],
    score: &mut [Vec<f64>],
) -> Result<(), RepairError> {
    let runner = new.runner().map_err(RepairError::Wrapper)?;
    let given: Vec<Rows> = documents
        .iter()
        .map(|document| relearn::as_before(&old.record_type, &new.record_type, runner.rows(document)))
        .collect();
    let copies: Vec<Document> = documents.iter().map(|document| (*document).clone()).collect();
    let seen = new.observe(&copies).map_err(RepairError::Wrapper)?;
    let homes = homes(&old.record_type.tables(), &new.record_type.tables());
    for (table, (known, score)) in old.evidence.profiles.iter().zip(score).enumerate() {
        let now: Vec<FieldProfile> = homes[table]
            .iter()
            .map(|home| {
                home.map_or_else(FieldProfile::default, |(table, column)| {
                    seen[table].fields[column].clone()
                })
            })
            .collect();
        let now = Profile {
            fields: now,
            ..Profile::default()
        };
        for (column, score) in score.iter_mut().enumerate() {
            if are_of_each_others_size(known, &now, column) || contradicted(known, &now, column).is_some() {
                *score *= weights::ONE_OF_TWO;
            }
            let now = homes[table][column].map(|(table, column)| &seen[table].fields[column]);
            if now.is_some_and(|now| lonely(&known.fields[column], now)) {
                *score *= weights::ONE_OF_TWO;
            }
            let now: Vec<String> = given
                .iter()
                .flat_map(|rows| compare::column(rows, table, column))
                .collect();
            let field = &known.fields[column];
            if are_other_files(&field.samples, &now) {
                *score *= weights::MADE_OTHERWISE;
            }
            if are_all_the_same(field, &now) {
                *score *= weights::ALL_THE_SAME;
            }
        }
    }
    Ok(())
}

/// Values of different pages that tell whether all are the same, before and now.
const SEVERAL: (u64, usize) = (5, 3);

/// Are the values of several pages nearly all the same, though most were different?
fn are_all_the_same(known: &FieldProfile, now: &[String]) -> bool {
    let varied = known.count >= SEVERAL.0 && known.different.saturating_mul(2) > known.count;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in now {
        *counts.entry(text).or_default() += 1;
    }
    let most = counts.into_values().max().unwrap_or(0);
    varied && now.len() >= SEVERAL.1 && most * 5 >= now.len() * 4
}

//! Reasons to doubt a field that only the new rule shows, when it is run.
//!
//! *Input*: the old wrapper, the new one and the pages. *Output*: lower scores. *Cost*: two runs of the new rule on each page.

use crate::check::{are_of_each_others_size, contradicted, lonely, roughly};
use crate::compare;
use crate::evidence::said;
use crate::relearn;
use crate::repair::{RepairError, homes};
use crate::weights;
use page::Document;
use record::{Row, Rows};
use std::collections::{BTreeMap, HashMap, HashSet};
use wrapper::Wrapper;
use wrapper::profile::{FieldProfile, Profile, shape};

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
/// that have the known values of another field, of those that have something more than a value,
/// that are one of two of the same make, of which one is gone, of numbers that are of the size of another field, which has those of this one,
/// and of known records that no longer have the values that they had, by the profiles or, where the words of the field are gone, row by row.
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
        let rows: Vec<&Row> = given.iter().flat_map(|rows| &rows[table]).collect();
        for (column, score) in score.iter_mut().enumerate() {
            if are_of_each_others_size(known, &now, column)
                || is_left_of_two(known, &now, column)
                || contradicted(known, &now, column).is_some()
            {
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
            if are_of_another(known, column, &now) {
                *score *= weights::ONE_OF_TWO;
            }
            if have_more(field, &now) {
                *score = score.min(weights::UNTOLD);
            }
            if are_all_the_same(field, &now) {
                *score *= weights::ALL_THE_SAME;
            }
            let seen = homes[table][column].map(|(table, column)| &seen[table].fields[column]);
            let keeps = seen.and_then(|seen| keeps_words(field, seen));
            // Without words of its own, a link may lead to the same file by an address that does not say so.
            if keeps == Some(false) && (is_contradicted(known, &rows, column) || are_no_files(field, &now)) {
                *score *= weights::MADE_OTHERWISE;
            }
        }
    }
    Ok(())
}

/// Are the own words of a field, a label or those of its links, still at most of its values? Nothing if it had none.
fn keeps_words(was: &FieldProfile, is: &FieldProfile) -> Option<bool> {
    let keeps = |after: &BTreeMap<String, u64>, word: &str| after.get(word).copied().unwrap_or(0) * 2 >= is.count;
    let (label, said) = (was.label().filter(|label| !label.trim().is_empty()), said(was));
    let has_label = label.is_some_and(|label| keeps(&is.labels, label));
    let had_any = label.is_some() || !said.is_empty();
    had_any.then(|| has_label || said.iter().any(|word| keeps(&is.names, word)))
}

/// Were there two fields with labels and values written in one way, and are now both labels gone and one of the fields? Then what is left may be either of them or
/// a third one, such as a total.
fn is_left_of_two(known: &Profile, now: &Profile, column: usize) -> bool {
    let (was, is) = (&known.fields[column], &now.fields[column]);
    let written = |field: &FieldProfile| {
        let most = field.shapes.iter().max_by_key(|(_, count)| **count);
        most.map(|(shape, _)| shape.clone()).filter(|shape| shape.contains('0'))
    };
    let is_gone = |other: usize| {
        let (had, has) = (&known.fields[other], &now.fields[other]);
        had.count > 0
            && has.count == 0
            && had.label().is_some()
            && had.label() != was.label()
            && written(had) == written(was)
    };
    is.count > 0
        && written(was).is_some()
        && keeps_words(was, is) == Some(false)
        && (0..known.fields.len()).any(|other| other != column && is_gone(other))
}

/// Were all values addresses of files of a sort, and is now no value the address of a file?
fn are_no_files(was: &FieldProfile, now: &[String]) -> bool {
    let ending = |text: &String| text.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_file = |text: &String| ending(text).is_some_and(|ending| FILES.contains(&ending.as_str()));
    !was.samples.is_empty() && was.samples.iter().all(is_file) && !now.is_empty() && !now.iter().any(is_file)
}

/// Known records that must have other values than they had.
const CONTRADICTING: usize = 3;
/// Fields that must have known values for their record to be a known one: one alone may recur by chance, as names and titles do.
const WITNESSES: usize = 2;

/// Do known records have mostly other values of this field than any known one, though these are written as they were? A record is known if most of its other values
/// of fields that told records from each other are known.
fn is_contradicted(known: &Profile, rows: &[&Row], column: usize) -> bool {
    let field = &known.fields[column];
    // All different values must be known, else the right ones may be among the others.
    if field.different > field.samples.len() as u64 {
        return false;
    }
    let texts = |field: &FieldProfile| -> HashSet<String> { field.samples.iter().cloned().collect() };
    let telling = |(other, field): &(usize, &FieldProfile)| {
        *other != column && field.count > 0 && field.different as f64 >= TELLING * field.count as f64
    };
    let telling: Vec<(usize, HashSet<String>)> = known
        .fields
        .iter()
        .enumerate()
        .filter(telling)
        .map(|(other, field)| (other, texts(field)))
        .collect();
    let is_known = |row: &&&Row| {
        let given = telling.iter().filter(|(other, _)| !row[*other].is_empty());
        let recurs = |(other, before): &&(usize, HashSet<String>)| row[*other].iter().any(|text| before.contains(text));
        let (recurring, all) = (given.clone().filter(recurs).count(), given.count());
        recurring >= WITNESSES && recurring * 2 > all
    };
    let values: Vec<&String> = rows.iter().filter(is_known).flat_map(|row| &row[column]).collect();
    let (had, written): (HashSet<String>, HashSet<String>) =
        (texts(field), field.samples.iter().map(|text| shape(text)).collect());
    let alike = values.iter().filter(|text| written.contains(&shape(text))).count();
    // Other values than the right ones are now and then among the known ones, too.
    let recurring = values.iter().filter(|text| had.contains(**text)).count();
    values.len() >= CONTRADICTING && alike * 2 > values.len() && recurring * 2 < values.len()
}

/// A field tells records from each other if at least this share of its values were different.
const TELLING: f64 = 0.8;

/// Digits that a value has which another one hardly has by accident, such as a phone number; and the number of other values that tell the same.
const TELLING_DIGITS: usize = 6;
const TAKEN: usize = 3;

/// Are more values known as those of another field than as those of this one, though the two had none in common? Then it has got the values of that field, which may be missing
/// on these pages or left out.
fn are_of_another(known: &Profile, column: usize, now: &[String]) -> bool {
    let own: HashSet<&String> = known.fields[column].samples.iter().collect();
    let now: HashSet<&String> = now.iter().collect();
    let kept = now.intersection(&own).count();
    let others = known.fields.iter().enumerate().filter(|(other, _)| *other != column);
    let mut others =
        others.filter(|(_, other)| !own.is_empty() && !other.samples.iter().any(|text| own.contains(text)));
    others.any(|(_, other)| {
        let taken = other.samples.iter().filter(|text| now.contains(text));
        let is_telling = |text: &&String| text.chars().filter(char::is_ascii_digit).count() >= TELLING_DIGITS;
        let (telling, all) = (taken.clone().filter(is_telling).count(), taken.count());
        all > kept && (telling > 0 || all >= TAKEN)
    })
}

/// Known values that tell how all are written, and the most ways of that.
const WRITTEN: (usize, usize) = (5, 3);

/// Have one of ten values or more something before or after a text that is written as all known values were, such as `$12.00 $9.50`? Then they are values with something
/// else, or two of them.
fn have_more(known: &FieldProfile, now: &[String]) -> bool {
    let written = |text: &str| roughly(&shape(text));
    let ways: HashSet<String> = known.samples.iter().map(|text| written(text)).collect();
    let is_told = ways
        .iter()
        .all(|way| way.contains('0') && way.contains(|c: char| !c.is_alphanumeric()));
    if known.samples.len() < WRITTEN.0 || ways.len() > WRITTEN.1 || !is_told {
        return false;
    }
    let has_more = |text: &&String| {
        let ends = text.match_indices(char::is_whitespace);
        let parts = ends.flat_map(|(at, _)| [&text[..at], &text[at..]]);
        let mut parts = parts.map(|part| written(part.trim()));
        !ways.contains(&written(text)) && parts.any(|part| ways.contains(&part))
    };
    let more = now.iter().filter(has_more).count();
    more > 0 && more * weights::HARDLY >= now.len()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn field(samples: &[&str], label: &str) -> FieldProfile {
        let count = samples.len() as u64;
        FieldProfile {
            count,
            records: count,
            different: count,
            samples: texts(samples),
            labels: [(label.to_owned(), count)].into(),
            ..FieldProfile::default()
        }
    }

    fn rows(titles: &[&str], values: &[&str]) -> Vec<Row> {
        let row = |(title, value): (&&str, &&str)| {
            let address = format!("/{title}");
            vec![texts(&[title]), texts(&[value]), vec![address]]
        };
        titles.iter().zip(values).map(row).collect()
    }

    #[test]
    fn a_fax_is_not_a_known_phone_number() {
        let known = Profile {
            fields: vec![
                field(&["(555) 215-2957", "(555) 265-8975", "(555) 405-6284"], "Tel:"),
                field(&["(555) 787-6394"], "Fax:"),
            ],
            ..Profile::default()
        };
        let now = texts(&["(555) 212-2134", "(555) 215-2957", "(555) 221-9904"]);
        assert!(are_of_another(&known, 1, &now));
        assert!(!are_of_another(&known, 0, &now));
        // New numbers are those of nobody.
        assert!(!are_of_another(
            &known,
            1,
            &texts(&["(555) 212-2134", "(555) 221-9904"])
        ));
    }

    #[test]
    fn values_with_something_more_are_not_all_right() {
        let prices = field(&["$12.10", "$9.99", "$105.00", "$8.25", "$14.00"], "");
        assert!(have_more(&prices, &texts(&["$7.10", "$20.00 $18.50", "$6.60"])));
        assert!(!have_more(&prices, &texts(&["$7.10", "$20.00", "on request"])));
        // Known values had more, too.
        let both = field(&["$12.10", "$9.99 each", "$105.00", "$8.25 each", "$14.00"], "");
        assert!(!have_more(&both, &texts(&["$7.10", "$20.00 each", "$6.60"])));
        // Names are not told by how they are written.
        let names = field(&["Kelp", "Salt", "Moss", "Fern", "Reed"], "");
        assert!(!have_more(&names, &texts(&["Kelp Road", "Moss"])));
    }

    #[test]
    fn known_records_with_other_values_contradict() {
        let titles = ["Slate Roof", "Oak Door", "Lead Pipe", "Tin Shed"];
        let known = Profile {
            fields: vec![
                field(&titles, ""),
                field(&["12 kg", "30 kg", "45 kg", "70 kg"], "Net weight:"),
                field(&["/Slate Roof", "/Oak Door", "/Lead Pipe", "/Tin Shed"], ""),
            ],
            ..Profile::default()
        };
        let is_contradicted = |titles: &[&str], values: &[&str]| {
            let rows = rows(titles, values);
            is_contradicted(&known, &rows.iter().collect::<Vec<_>>(), 1)
        };
        assert!(is_contradicted(&titles, &["15 kg", "33 kg", "48 kg", "74 kg"]));
        assert!(is_contradicted(&titles, &["15 kg", "33 kg", "45 kg", "74 kg"]));
        // Half of the values are known; values are written in another way; the records are new ones.
        assert!(!is_contradicted(&titles, &["15 kg", "30 kg", "45 kg", "74 kg"]));
        assert!(!is_contradicted(&titles, &["12000 g", "30,000 g", "45.0 t", "7e4"]));
        assert!(!is_contradicted(
            &["Hip Roof", "Ash Door", "Zinc Pipe", "Log Shed"],
            &["15 kg", "33 kg", "48 kg", "74 kg"]
        ));
        let (net, gross) = (&known.fields[1], field(&["15 kg", "33 kg"], "Gross weight:"));
        assert_eq!(keeps_words(net, net), Some(true));
        assert_eq!(keeps_words(net, &gross), Some(false));
        assert_eq!(keeps_words(&known.fields[0], &gross), None);
    }

    #[test]
    fn what_is_left_of_two_fields_without_their_labels_may_be_either() {
        let minutes = |label: &str, count: u64| FieldProfile {
            shapes: [("00 a".to_owned(), count)].into(),
            ..field(&["20 min", "45 min", "35 min"][..count as usize], label)
        };
        let of = |fields: [FieldProfile; 2]| Profile {
            fields: fields.into(),
            ..Profile::default()
        };
        let known = of([minutes("Prep time:", 3), minutes("Cook time:", 3)]);
        let gone = || minutes("", 0);
        assert!(is_left_of_two(&known, &of([gone(), minutes("Total time:", 3)]), 1));
        assert!(!is_left_of_two(&known, &of([gone(), minutes("Cook time:", 3)]), 1));
        let both = of([minutes("Preparing:", 3), minutes("Cooking:", 3)]);
        assert!(!is_left_of_two(&known, &both, 1));
    }

    #[test]
    fn a_link_to_a_page_is_none_to_a_file() {
        let files = field(&["/f/1.pdf", "/f/2.pdf"], "");
        assert!(are_no_files(&files, &texts(&["/case/1", "/case/2"])));
        assert!(!are_no_files(&files, &texts(&["/new/1.PDF", "/case/2"])));
        assert!(!are_no_files(&field(&["/case/1"], ""), &texts(&["/c/1"])));
    }
}

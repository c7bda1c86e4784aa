//! Rules by delimiters, from examples.
//!
//! Values that are given as a reader sees them are looked for on their page, in the order in which they are given; if that
//! fails, attributes are put into the order of the page first. The learner then takes the simplest class of delimiters that
//! gives exactly these values.

use super::examples::{Given, Item, Tables};
use super::words::counted;
use super::{Examples, LearnSettings, Made, MakeError};
use crate::record::RecordType;
use crate::{Document, Job, Wrapper};
use learn::label::{PlaceError, Wanted, column_order, place};
use learn::{Cause, DelimiterSettings, Example, Impossible, Learned, check_labels, learn_best, pac_bound};
use wrapper::Rule;
use wrapper::rule::Found;

pub(super) fn learn(
    documents: &[Document],
    examples: &Examples,
    settings: &LearnSettings,
    job: &Job,
) -> Result<Made, MakeError> {
    let tables = examples.tables(&settings.record)?;
    let mut pages = Vec::new();
    for (name, _) in &tables.pages {
        pages.push(Document {
            name: name.as_str().into(),
            ..documents[examples.find(documents, name)?].clone()
        });
    }
    let sources = sources(&pages)?;
    let (schema, order) = in_page_order(&tables, &sources);
    let names: Vec<String> = schema.leaves().iter().map(|leaf| leaf.name.to_owned()).collect();
    let mut warnings = Vec::new();
    let mut labelled = Vec::new();
    for ((name, text), (_, items)) in sources.iter().zip(&tables.pages) {
        let (values, warning) = label(name, text, items, &order, &names, &examples.name)?;
        if let Some(warning) = warning {
            job.warn(&warning);
            warnings.push(warning);
        }
        labelled.push(Example { name, text, values });
    }
    check_labels(names.len(), &labelled).map_err(MakeError::Labels)?;
    let by_value = |item: &Item| !matches!(item.value, Given::Place(..));
    let soft = tables.pages.iter().all(|(_, items)| items.iter().all(by_value));
    let learned = learn_best(names.len(), &labelled, &how(settings, soft), job).map_err(|reasons| {
        let pages: Vec<&str> = sources.iter().map(|(name, _)| *name).collect();
        no_delimiters(&reasons, &names, &pages, false, job)
    })?;
    let mut made = finish(settings, schema, learned, &labelled, &pages, &names)?;
    made.warnings = warnings;
    Ok(made)
}

/// The settings of the learner; `soft` if values were given as a reader sees them.
pub(super) fn how(settings: &LearnSettings, soft: bool) -> DelimiterSettings {
    DelimiterSettings {
        class: settings.class,
        prefer: settings.prefer,
        allow: settings.allow,
        soft,
    }
}

/// The names and the sources of documents.
pub(super) fn sources(documents: &[Document]) -> Result<Vec<(&str, &str)>, MakeError> {
    let source = |document: &'_ Document| MakeError::NoSource {
        page: document.name.to_string(),
    };
    let each = documents.iter().map(|document| {
        let text = document.source.as_deref().ok_or_else(|| source(document))?;
        Ok((&*document.name, text))
    });
    each.collect()
}

/// Why no class has a wrapper.
pub(super) fn no_delimiters(
    reasons: &[Impossible],
    names: &[String],
    pages: &[&str],
    recognized: bool,
    job: &Job,
) -> MakeError {
    if job.is_stopped() {
        return MakeError::Stopped;
    }
    let undecided = reasons.iter().any(|reason| reason.cause == Cause::Undecided);
    let reasons = reasons
        .iter()
        .map(|reason| format!("{}: {}", reason.class, reason.describe(names, pages)));
    MakeError::NoDelimiters {
        recognized,
        undecided,
        reasons: reasons.collect(),
    }
}

/// The wrapper, and how it was made.
pub(super) fn finish(
    settings: &LearnSettings,
    schema: RecordType,
    learned: Learned,
    labelled: &[Example<'_>],
    documents: &[Document],
    names: &[String],
) -> Result<Made, MakeError> {
    let (notes, details) = notes(settings, &learned, labelled, names);
    let wrapper = Wrapper::made(Rule::Delimiters(learned.rule), schema, None, documents)?;
    Ok(Made {
        wrapper,
        warnings: Vec::new(),
        notes,
        details,
        missing: Vec::new(),
        is_right: true,
    })
}

/// The schema with the attributes of a table in the order of the pages, and the old number of each attribute.
fn in_page_order(tables: &Tables, sources: &[(&str, &str)]) -> (RecordType, Vec<usize>) {
    let count = tables.schema.leaves().len();
    if tables.schema.levels().len() > 1 {
        return (tables.schema.clone(), (0..count).collect());
    }
    let rows: Vec<Vec<Vec<Option<String>>>> = tables
        .pages
        .iter()
        .map(|(_, items)| {
            let records = items.chunk_by(|one, next| one.record == next.record);
            let row = |record: &[Item]| {
                let mut row = vec![None; count];
                for item in record {
                    if let Given::Text(text) = &item.value {
                        row[item.field] = Some(text.clone());
                    }
                }
                row
            };
            records.map(row).collect()
        })
        .collect();
    let rows: Vec<(&str, &[Vec<Option<String>>])> = sources
        .iter()
        .zip(&rows)
        .map(|((_, text), table)| (*text, table.as_slice()))
        .collect();
    let order = column_order(count, &rows);
    let fields = order.iter().map(|field| tables.schema.fields()[*field].clone());
    (RecordType::new(&tables.schema.name, fields.collect()), order)
}

/// Where the values of a page are, and what may be wrong with that.
fn label(
    page: &str,
    text: &str,
    items: &[Item],
    order: &[usize],
    names: &[String],
    file: &str,
) -> Result<(Vec<Found>, Option<String>), MakeError> {
    let number = |field: usize| order.iter().position(|old| *old == field).unwrap_or(field);
    let mut items: Vec<Item> = items
        .iter()
        .map(|item| Item {
            field: number(item.field),
            ..item.clone()
        })
        .collect();
    if order.windows(2).any(|pair| pair[0] > pair[1]) {
        items.sort_by_key(|item| (item.record, item.field));
    }
    let given: Vec<&Item> = items.iter().filter(|item| item.value != Given::Missing).collect();
    let offsets: Vec<Found> = given
        .iter()
        .filter_map(|item| match item.value {
            Given::Place(start, end) => {
                let clip = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
                Some(Found {
                    field: item.field as u32,
                    start: clip(start),
                    end: clip(end),
                })
            }
            _ => None,
        })
        .collect();
    if offsets.len() == given.len() {
        return Ok((offsets, None));
    }
    let wanted: Vec<Wanted> = given
        .iter()
        .filter_map(|item| match &item.value {
            Given::Text(text) => Some(Wanted {
                field: item.field,
                text: text.clone(),
                tuple: item.record,
            }),
            _ => None,
        })
        .collect();
    if wanted.len() != given.len() {
        return Err(MakeError::Examples {
            place: file.to_owned(),
            message: format!("{page}: found values and offsets, expected one or the other"),
            json: false,
        });
    }
    let placing = place(text, &wanted).map_err(|error| {
        let (PlaceError::Empty(at) | PlaceError::NotFound(at) | PlaceError::OutOfOrder(at)) = error;
        let value = &wanted[at];
        let name = names.get(value.field).map_or("", String::as_str);
        let place = format!("{page}: record {}, `{name}` {:?}", value.tuple + 1, value.text);
        MakeError::Value { place, error }
    })?;
    let warning = placing.ambiguous.first().map(|at| {
        let value = &wanted[*at];
        let also = match placing.ambiguous.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let (record, text) = (value.tuple + 1, &value.text);
        format!("{page}: record {record}, {text:?} is at several places that look alike; the first was taken{also}")
    });
    Ok((placing.values, warning))
}

/// What was learned: a line for each simpler class that does not do, and one for the class taken. Then, for those who want to
/// know, how many examples would prove it.
fn notes(
    settings: &LearnSettings,
    learned: &Learned,
    examples: &[Example<'_>],
    names: &[String],
) -> (Vec<String>, Vec<String>) {
    let class = learned.rule.class;
    let pages: Vec<&str> = examples.iter().map(|example| example.name).collect();
    let simpler = learned.impossible.iter();
    let mut notes: Vec<String> = simpler
        .map(|reason| format!("not {}: {}", reason.class, reason.describe(names, &pages)))
        .collect();
    let extended = if learned.rule.is_pure() { "" } else { ", extended" };
    let shortest = examples.iter().map(|example| example.text.len()).min().unwrap_or(0);
    let LearnSettings { epsilon, delta, .. } = settings;
    let bound = pac_bound(class, names.len(), shortest, *epsilon, *delta);
    let more = bound.saturating_sub(examples.len() as u64);
    let check = match learned.left_out {
        (_, 0) => "one page only, so nothing to check it with".to_owned(),
        (right, total) => format!("right on {right} of {total} pages left out in turn"),
    };
    let pages = counted(examples.len(), "page");
    notes.push(format!("{class}{extended} from {pages}; {check}"));
    let proof = format!("for ε = {epsilon}, δ = {delta} the PAC bound wants {more} more pages");
    (notes, vec![proof])
}

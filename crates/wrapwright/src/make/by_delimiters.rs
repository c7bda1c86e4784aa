//! Rules by delimiters, from examples.
//!
//! Values that are given as a reader sees them are looked for on their pages, all together, in the order in which they are
//! given; the attributes of a record are put into the order of the page first. A page on which a value cannot be found is left
//! out with a warning, if there are others. The learner then takes the simplest class of delimiters that gives exactly these
//! values, and the wrapper is run on the examples: a rule that gives the right values may still put them into other records,
//! where fields are missing at the end of one record and at the beginning of the next.

use super::examples::{Given, Item, Tables};
use super::words::{counted, cut, is_mistake};
use super::{Examples, LearnSettings, Made, MakeError};
use crate::record::{Content, Field, RecordType};
use crate::{Document, Job, Wrapper};
use learn::label::{PlaceError, Placing, Wanted, column_order, place_all};
use learn::{Cause, DelimiterSettings, Example, Impossible, Learned, check_labels, learn_best, pac_bound};
use wrapper::Rule;
use wrapper::rule::Found;

/// A wrapper by delimiters, and what is known of it.
pub(super) struct Delimited {
    pub(super) made: Made,
    /// On how many of the pages that were left out in turn it is right, and their number.
    pub(super) left_out: (usize, usize),
    /// The pages that it was made from, those that were left out in turn first.
    pub(super) pages: Vec<String>,
}

/// Learns delimiters. The job is told no warnings, since another learner may know better.
pub(super) fn learn(
    documents: &[Document],
    examples: &Examples,
    settings: &LearnSettings,
    job: &Job,
) -> Result<Delimited, MakeError> {
    let tables = examples.tables(&settings.record)?;
    let mut pages = Vec::new();
    for (name, _) in &tables.pages {
        pages.push(Document {
            name: name.as_str().into(),
            ..documents[examples.find(documents, name)?].clone()
        });
    }
    let all = sources(&pages)?;
    let (schema, order) = in_page_order(&tables, &all);
    let names: Vec<String> = schema.leaves().iter().map(|leaf| leaf.name.to_owned()).collect();
    let depths: Vec<usize> = tables.schema.leaves().iter().map(|leaf| leaf.depth).collect();
    let mut labels = Vec::new();
    for ((page, text), (_, items)) in all.iter().zip(&tables.pages) {
        labels.push(Labels::new(
            page,
            text,
            in_order(items, &order, &depths),
            &examples.name,
        )?);
    }
    let (used, warnings) = placed(&labels, &names)?;
    let pages: Vec<Document> = used.iter().map(|(at, _)| pages[*at].clone()).collect();
    let labelled = used.into_iter().map(|(at, values)| Example {
        name: labels[at].page,
        text: labels[at].text,
        values,
    });
    let labelled: Vec<Example<'_>> = labelled.collect();
    check_labels(names.len(), &labelled).map_err(MakeError::Labels)?;
    let by_value = |item: &Item| !matches!(item.value, Given::Place(..));
    let soft = tables.pages.iter().all(|(_, items)| items.iter().all(by_value));
    let how = DelimiterSettings {
        flat: schema.levels().len() == 1,
        ..how(settings, soft)
    };
    let learned = learn_best(names.len(), &labelled, &how, job).map_err(|reasons| {
        let pages: Vec<&str> = labelled.iter().map(|example| example.name).collect();
        no_delimiters(&reasons, &names, &pages, false, job)
    })?;
    let left_out = learned.left_out;
    let mut made = finish(settings, schema, learned, &labelled, &pages, &names)?;
    made.warnings = warnings;
    if soft
        && let Some(page) = pages.iter().find(|page| {
            let labels = labels.iter().find(|labels| labels.page == &*page.name);
            labels.is_some_and(|labels| !gives(&made.wrapper, page, &labels.items))
        })
    {
        let warning = format!(
            "{}: records without their first fields are taken for the rest of the record before",
            page.name
        );
        made.warnings.push(warning);
        made.is_right = false;
    }
    Ok(Delimited {
        made,
        left_out,
        pages: labelled.iter().map(|example| example.name.to_owned()).collect(),
    })
}

/// Does a wrapper give as many records as an example has, each with as many values?
fn gives(wrapper: &Wrapper, page: &Document, items: &[Item]) -> bool {
    let Ok(records) = wrapper.extract(page) else {
        return false;
    };
    fn values(record: &crate::record::Record) -> usize {
        // Records nest as deep as their type, which is bounded where it is read.
        let inner: usize = record.children.iter().map(values).sum();
        inner + usize::from(record.value.is_some())
    }
    let given = items.chunk_by(|one, next| one.record == next.record);
    let given = given.map(|record| record.iter().filter(|item| item.value != Given::Missing).count());
    given
        .filter(|count| *count > 0)
        .eq(records.iter().map(values).filter(|count| *count > 0))
}

/// The values of a page, in the order of the page.
struct Labels<'l> {
    page: &'l str,
    text: &'l str,
    items: Vec<Item>,
    /// The values to be found, if they were not given by their positions.
    wanted: Option<Vec<Wanted>>,
}

impl<'l> Labels<'l> {
    fn new(page: &'l str, text: &'l str, items: Vec<Item>, file: &str) -> Result<Labels<'l>, MakeError> {
        let offsets = items
            .iter()
            .filter(|item| matches!(item.value, Given::Place(..)))
            .count();
        let wanted: Vec<Wanted> = items
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
        if offsets > 0 && !wanted.is_empty() {
            return Err(MakeError::Examples {
                place: file.to_owned(),
                message: format!("{page}: found values and offsets, expected one or the other"),
                json: false,
            });
        }
        Ok(Labels {
            page,
            text,
            items,
            wanted: (offsets == 0).then_some(wanted),
        })
    }

    /// The values that were given by their positions.
    fn offsets(&self) -> Vec<Found> {
        let clip = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        let found = self.items.iter().filter_map(|item| match item.value {
            Given::Place(start, end) => Some(Found {
                field: item.field as u32,
                start: clip(start),
                end: clip(end),
            }),
            _ => None,
        });
        found.collect()
    }
}

/// The items of a page, with the attributes of each record in the order of the page.
fn in_order(items: &[Item], order: &[usize], depths: &[usize]) -> Vec<Item> {
    let number = |field: usize| order.iter().position(|old| *old == field).unwrap_or(field);
    let mut all = Vec::with_capacity(items.len());
    for record in own(items, depths) {
        let first = all.len();
        all.extend(record.iter().map(|item| Item {
            field: number(item.field),
            ..item.clone()
        }));
        all[first..].sort_by_key(|item: &Item| item.field);
    }
    all
}

/// A page by its number, and where its values are.
type Used = (usize, Vec<Found>);

/// Where the values of the pages are, without the pages on which they cannot be found, and what may be wrong with that.
fn placed(labels: &[Labels<'_>], names: &[String]) -> Result<(Vec<Used>, Vec<String>), MakeError> {
    let by_value: Vec<(&str, &[Wanted])> = labels
        .iter()
        .filter_map(|labels| Some((labels.text, labels.wanted.as_deref()?)))
        .collect();
    let mut placings = place_all(&by_value).into_iter();
    let (mut used, mut warnings, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for (number, label) in labels.iter().enumerate() {
        let Some(wanted) = &label.wanted else {
            used.push((number, label.offsets()));
            continue;
        };
        match placings.next() {
            Some(Ok(placing)) => {
                warnings.extend(alike(label.page, wanted, &placing));
                used.push((number, placing.values));
            }
            Some(Err(error)) => {
                let (PlaceError::Empty(at) | PlaceError::NotFound(at) | PlaceError::OutOfOrder(at)) = error;
                let place = match wanted.get(at) {
                    Some(value) => {
                        let name = names.get(value.field).map_or("", String::as_str);
                        format!("{}: record {}, `{name}` {:?}", label.page, value.tuple + 1, value.text)
                    }
                    None => label.page.to_owned(),
                };
                lost.push(MakeError::Value { place, error });
            }
            None => {}
        }
    }
    // An empty value is a mistake in the examples; what is on no page may be one.
    let is_empty = |error: &MakeError| {
        matches!(
            error,
            MakeError::Value {
                error: PlaceError::Empty(_),
                ..
            }
        )
    };
    let has_values = used.iter().any(|(_, values)| !values.is_empty());
    if let Some(at) = lost.iter().position(|error| !has_values || is_empty(error)) {
        return Err(lost.swap_remove(at));
    }
    warnings.extend(lost.iter().map(|error| format!("{error}; the page is left out")));
    warnings.extend(cuts(labels, &used, names));
    Ok((used, warnings))
}

/// Warnings of values that begin or end inside a word of their page: one for each field. If most values of a field do, they are
/// meant to.
fn cuts(labels: &[Labels<'_>], used: &[Used], names: &[String]) -> Vec<String> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut warnings = Vec::new();
    for (field, name) in names.iter().enumerate() {
        let own = used.iter().filter(|(at, _)| labels[*at].wanted.is_some());
        let own = own.flat_map(|(at, values)| values.iter().map(|value| (&labels[*at], value)));
        let own: Vec<_> = own.filter(|(_, value)| value.field as usize == field).collect();
        let mut found = own.iter().filter_map(|(label, value)| {
            let range = value.range();
            let (before, text, after) = (
                label.text.get(..range.start)?,
                label.text.get(range.clone())?,
                label.text.get(range.end..)?,
            );
            let begins = is_letter(before.chars().next_back()) && is_letter(text.chars().next());
            let ends = is_letter(text.chars().next_back()) && is_letter(after.chars().next());
            let first = before.trim_end_matches(char::is_alphanumeric).len();
            let last = after.trim_start_matches(char::is_alphanumeric).len();
            let whole = &label.text
                [if begins { first } else { range.start }..if ends { label.text.len() - last } else { range.end }];
            (begins || ends).then_some((label.page, text, whole))
        });
        if let Some((page, text, whole)) = found.next()
            && is_mistake(found.count() + 1, own.len())
        {
            warnings.push(cut(page, text, name, whole));
        }
    }
    warnings
}

/// A warning of values that could be elsewhere on their page.
fn alike(page: &str, wanted: &[Wanted], placing: &Placing) -> Option<String> {
    let value = wanted.get(*placing.ambiguous.first()?)?;
    let also = match placing.ambiguous.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let (record, text) = (value.tuple + 1, &value.text);
    Some(format!(
        "{page}: record {record}, {text:?} is at several places that look alike; the first was taken{also}"
    ))
}

/// The settings of the learner; `soft` if values were given as a reader sees them.
pub(super) fn how(settings: &LearnSettings, soft: bool) -> DelimiterSettings {
    DelimiterSettings {
        class: settings.class,
        prefer: settings.prefer,
        allow: settings.allow,
        soft,
        flat: false,
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

/// The schema with the attributes of each kind of record in the order of the pages, and the old number of each attribute.
fn in_page_order(tables: &Tables, sources: &[(&str, &str)]) -> (RecordType, Vec<usize>) {
    let leaves = tables.schema.leaves();
    let depths: Vec<usize> = leaves.iter().map(|leaf| leaf.depth).collect();
    let rows: Vec<Vec<Vec<Option<String>>>> = tables
        .pages
        .iter()
        .map(|(_, items)| {
            let row = |items: &[Item]| {
                let mut row = vec![None; depths.len()];
                for item in items {
                    if let Given::Text(text) = &item.value {
                        row[item.field] = Some(text.clone());
                    }
                }
                row
            };
            own(items, &depths).map(row).collect()
        })
        .collect();
    let rows: Vec<(&str, &[Vec<Option<String>>])> = sources
        .iter()
        .zip(&rows)
        .map(|((_, text), table)| (*text, table.as_slice()))
        .collect();
    let mut order = column_order(depths.len(), &rows);
    // What is inside a record stays after its own attributes.
    order.sort_by_key(|field| depths[*field]);
    let fields = reordered(tables.schema.fields(), 0, &order);
    (RecordType::new(&tables.schema.name, fields), order)
}

/// The items of each record, without those of records inside it.
fn own<'i>(items: &'i [Item], depths: &[usize]) -> impl Iterator<Item = &'i [Item]> {
    items.chunk_by(|one, next| {
        one.record == next.record && depths[one.field] == depths[next.field] && one.field < next.field
    })
}

/// Fields with the attributes in another order, from the attribute with the number `first` on.
fn reordered(fields: &[Field], first: usize, order: &[usize]) -> Vec<Field> {
    let texts = fields.iter().filter(|field| matches!(field.content, Content::Value(_)));
    let count = texts.count();
    let old = order.iter().skip(first).take(count);
    let mut out: Vec<Field> = old.filter_map(|old| fields.get(old - first).cloned()).collect();
    for field in fields.iter().skip(count) {
        out.push(match &field.content {
            // Records nest as deep as their type, which is bounded where it is read.
            Content::Record(inner) => Field {
                content: Content::Record(reordered(inner, first + count, order)),
                ..field.clone()
            },
            Content::Value(_) => field.clone(),
        });
    }
    out
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

//! `wrapwright learn`: a wrapper from pages and examples of what is on them.

use crate::Exit;
use crate::args::{Extension, Format, LearnArgs, Taste};
use crate::examples::{self, Examples, Given, Item};
use crate::{learn_oxpath, learn_recognized, learn_schema, remedy, report, whole};
use std::path::Path;
use wrapwright::input::{self, InputError, Place};
use wrapwright::learn::label::{PlaceError, Wanted, column_order, place};
use wrapwright::learn::{
    Allow, Example, Impossible, Learned, Prefer, Settings as How, check_labels, learn_best, pac_bound,
};
use wrapwright::rule::{Class, Found};
use wrapwright::wrapper::{Rule, Wrapper};
use wrapwright::{Document, RecordType};

/// A message and what to do about it.
pub(crate) struct Complaint(pub(crate) String, pub(crate) Option<String>);

impl Complaint {
    pub(crate) fn new(text: impl Into<String>) -> Complaint {
        Complaint(text.into(), None)
    }

    fn of_input(error: &InputError) -> Complaint {
        Complaint(error.to_string(), error.remedy().as_ref().map(remedy::in_words))
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Complaint {
        Complaint(self.0, Some(hint.into()))
    }
}

/// Runs the command.
pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<Exit> {
    match learn(args) {
        Ok((artifact, words)) => {
            let json = artifact.to_json();
            whole::write_or_print(args.output.as_deref(), json.as_bytes())?;
            if !args.quiet {
                report::words(&words);
            }
            Ok(Exit::Fine)
        }
        Err(Complaint(text, hint)) => {
            report::message(&text, hint.as_deref(), None, Format::Text);
            Ok(Exit::Mistake)
        }
    }
}

fn settings(args: &LearnArgs, soft: bool) -> Result<How, Complaint> {
    let class = match args.class.as_str() {
        name if name.eq_ignore_ascii_case("auto") => None,
        name => Some(Class::from_name(name).ok_or_else(|| {
            let names = Class::ALL.map(Class::name).join(", ");
            Complaint::new(format!("found the unknown class `{name}`, expected auto, {names}"))
        })?),
    };
    for (name, value) in [("epsilon", args.epsilon), ("delta", args.delta)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Complaint::new(format!(
                "found --{name} {value}, expected a number between 0 and 1"
            )));
        }
    }
    let has = |extension| args.allow.contains(&extension);
    let allow = if args.allow.is_empty() && class.is_none() {
        Allow::ALL
    } else {
        Allow {
            missing: has(Extension::Missing),
            alternatives: has(Extension::Alternatives),
            skips: has(Extension::Skips),
            eof: has(Extension::Eof),
            spaces: has(Extension::Spaces),
        }
    };
    let prefer = match args.prefer {
        Taste::Tags => Prefer::Tags,
        Taste::Short => Prefer::Short,
        Taste::Long => Prefer::Long,
    };
    Ok(How {
        class,
        prefer,
        allow,
        soft,
    })
}

fn learn(args: &LearnArgs) -> Result<(Wrapper, String), Complaint> {
    if let Some(schema) = &args.schema {
        return learn_schema::learn(args, schema);
    }
    if let Some(file) = &args.oxpath {
        return learn_oxpath::learn(args, file);
    }
    let how = settings(args, true)?;
    let path = match (&args.examples, &args.recognizers) {
        (None, Some(path)) => return learn_recognized::learn(args, path, &how),
        (examples, _) => examples.as_deref().unwrap_or_else(|| Path::new("")),
    };
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Complaint::new(format!("{file}: {error}")))?;
    let csv = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let examples = examples::parse(&String::from_utf8_lossy(&bytes), csv, &args.record)
        .map_err(|reason| Complaint::new(format!("{file}: {reason}")))?;
    let places = find_pages(args)?;
    let pages = read_pages(args, &places, &examples, &file)?;
    let (schema, order) = in_page_order(&examples, &pages);
    let soft = examples
        .pages
        .iter()
        .all(|(_, items)| !items.iter().any(|item| matches!(item.value, Given::Place(..))));
    let how = How { soft, ..how };
    let names: Vec<String> = schema.leaves().iter().map(|leaf| leaf.name.to_owned()).collect();
    let mut labelled = Vec::new();
    for ((name, text), (_, items)) in pages.iter().zip(&examples.pages) {
        let values = label(name, text, items, &order, &names)?;
        labelled.push(Example { name, text, values });
    }
    check_labels(names.len(), &labelled).map_err(|error| Complaint::new(error.to_string()))?;
    let learned = learn_best(names.len(), &labelled, &how).map_err(|reasons| {
        let pages: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        no_wrapper("no wrapper gives all examples", &reasons, &names, &pages)
            .hint("give more exact examples, or allow more: --allow missing,alternatives,skips,eof,spaces")
    })?;
    finish(args, schema, learned, &labelled, &names)
}

/// Says why no class has a wrapper.
pub(crate) fn no_wrapper(what: &str, reasons: &[Impossible], names: &[String], pages: &[&str]) -> Complaint {
    let lines: Vec<String> = reasons
        .iter()
        .map(|reason| format!("\n  {}: {}", reason.class, reason.describe(names, pages)))
        .collect();
    Complaint::new(format!("{what}{}", lines.concat()))
}

/// The wrapper as it is saved, and what to say of it.
pub(crate) fn finish(
    args: &LearnArgs,
    schema: RecordType,
    learned: Learned,
    labelled: &[Example<'_>],
    names: &[String],
) -> Result<(Wrapper, String), Complaint> {
    let words = summary(args, &learned, labelled, names);
    let settings = wrapwright::Settings::default();
    let documents: Result<Vec<Document>, _> = labelled
        .iter()
        .map(|example| Document::from_source(example.name, example.text, &settings))
        .collect();
    let documents = documents.map_err(|error| Complaint::new(error.to_string()))?;
    let wrapper = Wrapper::made(Rule::Delimiters(learned.rule), schema, None, &documents);
    Ok((wrapper.map_err(|error| Complaint::new(error.to_string()))?, words))
}

/// The pages that were named.
pub(crate) fn find_pages(args: &LearnArgs) -> Result<Vec<Place>, Complaint> {
    let (places, errors) = input::find(args.pages.iter().map(String::as_str));
    match errors.first() {
        Some(error) => Err(Complaint::of_input(error)),
        None => Ok(places),
    }
}

/// A page with its decoded source.
pub(crate) fn document(args: &LearnArgs, place: &Place) -> Result<Document, Complaint> {
    let name = place.to_string();
    let parsed = Document::from_source(name.as_str(), source(args, place)?, &wrapwright::Settings::default());
    parsed.map_err(|error| Complaint::new(format!("{name}: {error}")))
}

/// The decoded source of a page.
pub(crate) fn source(args: &LearnArgs, place: &Place) -> Result<String, Complaint> {
    let settings = wrapwright::Settings {
        charset: args.charset.clone(),
        ..Default::default()
    };
    place.source(&settings).map_err(|error| Complaint::of_input(&error))
}

/// The pages that have examples, in the order of the examples.
fn read_pages(
    args: &LearnArgs,
    places: &[Place],
    examples: &Examples,
    file: &str,
) -> Result<Vec<(String, String)>, Complaint> {
    let mut pages = Vec::new();
    for (name, _) in &examples.pages {
        pages.push((name.clone(), source(args, page_of(places, name, file)?)?));
    }
    Ok(pages)
}

/// The page that an examples file names: by its path, or by its file name alone.
pub(crate) fn page_of<'p>(places: &'p [Place], name: &str, file: &str) -> Result<&'p Place, Complaint> {
    let last = |name: &str| {
        Path::new(name)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let exact: Vec<&Place> = places.iter().filter(|place| place.to_string() == name).collect();
    let by_name = || {
        places
            .iter()
            .filter(|place| last(&place.to_string()).as_deref() == Some(name))
            .collect()
    };
    let found: Vec<&Place> = if exact.is_empty() { by_name() } else { exact };
    match &found[..] {
        [place] => Ok(place),
        [] => {
            let text = format!("{file}: found examples for `{name}`, which is not among the pages given");
            Err(Complaint::new(text).hint("name the page on the command line, or its directory"))
        }
        _ => {
            let text = format!("{file}: `{name}` may be several of the pages given");
            Err(Complaint::new(text).hint("write its path as on the command line"))
        }
    }
}

/// The schema with the attributes of a table in the order of the pages, and the old number of each attribute.
fn in_page_order(examples: &Examples, pages: &[(String, String)]) -> (RecordType, Vec<usize>) {
    let count = examples.schema.leaves().len();
    let given: Vec<usize> = (0..count).collect();
    if examples.schema.levels().len() > 1 {
        return (examples.schema.clone(), given);
    }
    let tables: Vec<Vec<Vec<Option<String>>>> = examples
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
    let tables: Vec<(&str, &[Vec<Option<String>>])> = pages
        .iter()
        .zip(&tables)
        .map(|((_, text), table)| (text.as_str(), table.as_slice()))
        .collect();
    let order = column_order(count, &tables);
    let fields = order.iter().map(|field| examples.schema.fields()[*field].clone());
    (RecordType::new(&examples.schema.name, fields.collect()), order)
}

/// Where the values of a page are.
fn label(page: &str, text: &str, items: &[Item], order: &[usize], names: &[String]) -> Result<Vec<Found>, Complaint> {
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
        return Ok(offsets);
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
        return Err(Complaint::new(format!(
            "{page}: found values and offsets, expected one or the other"
        )));
    }
    let placing = place(text, &wanted).map_err(|error| {
        let (PlaceError::Empty(at) | PlaceError::NotFound(at) | PlaceError::OutOfOrder(at)) = error;
        let value = &wanted[at];
        let name = names.get(value.field).map_or("", String::as_str);
        let hint = match error {
            PlaceError::Empty(_) => "write null for a value that is missing",
            PlaceError::NotFound(_) => {
                "values are what a reader sees, or what stands in the source; check the spelling"
            }
            PlaceError::OutOfOrder(_) => "give all records of the page in its order, or give byte offsets",
        };
        let place = format!("{page}: record {}, `{name}` {:?}", value.tuple + 1, value.text);
        Complaint::new(format!("{place}: {error}")).hint(hint)
    })?;
    if let Some(at) = placing.ambiguous.first() {
        let value = &wanted[*at];
        let more = placing.ambiguous.len() - 1;
        let also = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        report::words(&format!(
            "warning: {page}: record {}, {:?} is at several places that look alike; the first was taken{also}",
            value.tuple + 1,
            value.text
        ));
    }
    Ok(placing.values)
}

/// What was learned, in a line or two.
fn summary(args: &LearnArgs, learned: &Learned, examples: &[Example<'_>], names: &[String]) -> String {
    let class = learned.rule.class;
    let pages: Vec<&str> = examples.iter().map(|example| example.name).collect();
    let mut out = String::new();
    for reason in &learned.impossible {
        out += &format!("not {}: {}\n", reason.class, reason.describe(names, &pages));
    }
    let extended = if learned.rule.is_pure() { "" } else { ", extended" };
    let shortest = examples.iter().map(|example| example.text.len()).min().unwrap_or(0);
    let bound = pac_bound(class, names.len(), shortest, args.epsilon, args.delta);
    let more = bound.saturating_sub(examples.len() as u64);
    let check = match learned.left_out {
        (_, 0) => "one page only, so nothing to check it with".to_owned(),
        (right, total) => format!("right on {right} of {total} pages left out in turn"),
    };
    let (epsilon, delta) = (args.epsilon, args.delta);
    out += &format!(
        "{class}{extended} from {} pages; {check}; for ε = {epsilon}, δ = {delta} the PAC bound wants {more} more",
        examples.len()
    );
    out
}

//! Pages that are surely not of the kind a wrapper is for: an error, a login, a notice that the site is closed.
//!
//! *Idea.* Such a page is no reason for a repair, because a site shows it for an hour and a repaired wrapper stays. Often it has the
//! frame of the site, so a rule still finds a title on it, and what is found is no proof. But the page does not have the data. Three
//! things are looked at, for the fields that most records had, without those that are in the title of the page (every page has a title):
//!
//! 1. How many of them are found, written as before, and how many are *familiar*: their label, or one of their known values, is on the page.
//! 2. Does the page say what it is? The title and the first large heading are compared with a list of [`NOTICES`].
//! 3. Which kinds of values are on the page? Where fields are dates, prices and the like, a page of the same kind has such texts,
//!    however it is built.
//!
//! A page is a stranger if hardly any field is found or familiar and it says so, or if nothing is found or familiar and no text is of the kind of any
//! field.
//!
//! *Input*: what is known of the tables, what was found on the page, the page. *Output*: in words, why the page is a stranger. *Cost*: a
//! search for labels and values in the text of the page, and one pass over its texts.
//!
//! *Known failures*: an error page in a language that the list does not have, of a wrapper whose fields are all plain texts without
//! labels; an error page on which a box shows other records of the site.

use crate::survey::{has_words, said};
use page::titles::plain;
use page::{Document, NodeId, Page};
use record::values::{Kind, Kinds, kinds};
use std::collections::BTreeSet;
use wrapper::profile::{FieldProfile, Profile, TITULAR};
use wrapper::rule::paths::tidy;
use wrapper::{Observer, Wrapper, WrapperError};

/// What titles and headings of such pages say, as words in lower case. A text of up to [`SAID`] words that has one of them says so.
const NOTICES: &[&str] = &[
    "401",
    "403",
    "404",
    "410",
    "429",
    "500",
    "502",
    "503",
    "504",
    "access denied",
    "anmelden",
    "anmeldung",
    "are you a human",
    "are you a robot",
    "attention required",
    "authentication required",
    "authorization required",
    "bad gateway",
    "bad request",
    "captcha",
    "cannot be found",
    "connexion",
    "could not be found",
    "does not exist",
    "doesn t exist",
    "einloggen",
    "erreur",
    "error",
    "errore",
    "fehler",
    "forbidden",
    "gateway timeout",
    "iniciar sesión",
    "internal server error",
    "introuvable",
    "just a moment",
    "log in",
    "log on",
    "login",
    "logon",
    "maintenance",
    "nicht gefunden",
    "nicht verfügbar",
    "niet gevonden",
    "no encontrada",
    "no encontrado",
    "no longer available",
    "no longer exists",
    "non trovata",
    "not authorized",
    "not available",
    "not exist",
    "not found",
    "permission denied",
    "página no encontrada",
    "rate limit",
    "security check",
    "server error",
    "service unavailable",
    "session expired",
    "session has expired",
    "sign in",
    "sign on",
    "signin",
    "temporarily unavailable",
    "too many requests",
    "unauthorized",
    "unavailable",
    "under construction",
    "verify you are human",
    "wartungsarbeiten",
    "we ll be back",
];

/// Longer titles and headings are about something.
const SAID: usize = 12;
/// A field that at least this share of the records had is on every page.
const USUAL: f64 = 0.5;
/// If less than one of this number of the fields is found or familiar, hardly any is.
const HARDLY: usize = 4;
/// Fields of which none is there by chance.
const SEVERAL: usize = 2;
/// The shortest label and the shortest value by which a page is recognized: shorter ones are found anywhere.
const SHORTEST: (usize, usize) = (3, 6);
/// A field is of a kind if at least this share of its values is.
const OF_KIND: f64 = 0.8;
/// Different values that tell the kind of a field.
const TELLING: usize = 3;
/// The kinds that plain words are not of. Whole numbers are on every page.
const KINDS: [Kind; 7] = [
    Kind::Date,
    Kind::Time,
    Kind::DateTime,
    Kind::Price,
    Kind::Phone,
    Kind::Email,
    Kind::Decimal,
];

/// The pages that are surely not of the kind that a wrapper is for: their numbers, and why, in words.
///
/// # Errors
///
/// The rule cannot be run.
pub fn strangers(wrapper: &Wrapper, documents: &[Document]) -> Result<Vec<(usize, String)>, WrapperError> {
    let mut observer = Observer::new(wrapper)?;
    let mut why = |document: &Document| {
        let (_, now) = observer.look(document);
        stranger(&wrapper.evidence.profiles, &now, &document.page)
    };
    let each = documents.iter().enumerate();
    Ok(each.filter_map(|(at, document)| Some((at, why(document)?))).collect())
}

/// Why a page is surely not of the kind that a wrapper is for, in words; none if it may be. `known` and `now` are the profiles of each
/// table, of before and of this page.
pub(crate) fn stranger(known: &[Profile], now: &[Profile], page: &Page) -> Option<String> {
    let fields: Vec<(&FieldProfile, &FieldProfile)> = known.iter().zip(now).flat_map(usual).collect();
    let credible = fields.iter().filter(|(was, is)| is_credible(was, is)).count();
    if credible * HARDLY >= fields.len().max(1) {
        return None;
    }
    let text = said(page);
    let is_there = |(was, is): &&(&FieldProfile, &FieldProfile)| is_credible(was, is) || is_familiar(was, &text);
    let there = fields.iter().filter(is_there).count();
    if there * HARDLY >= fields.len().max(1) {
        return None;
    }
    if let Some(said) = notice(page) {
        return Some(format!("it says \"{said}\""));
    }
    let sought: BTreeSet<Kind> = fields.iter().filter_map(|(was, _)| kind_of(was)).collect();
    // A single field may be missing without any other text of its kind.
    let is_any = there > 0 || fields.iter().any(|(_, is)| is.count > 0);
    if is_any || fields.len() < SEVERAL || sought.is_empty() || has_kind(page, &sought) {
        return None;
    }
    let names: Vec<&str> = sought.iter().map(|kind| words(*kind)).collect();
    Some(format!("no text on it is {}", names.join(" or ")))
}

/// The fields of a table that most records had, before and now, without those that are in the title of their page.
pub(crate) fn usual<'p>(
    (known, now): (&'p Profile, &'p Profile),
) -> impl Iterator<Item = (&'p FieldProfile, &'p FieldProfile)> {
    let is_usual = |field: &FieldProfile| {
        let titular = field.names.get(TITULAR).copied().unwrap_or(0);
        let is_titular = titular.saturating_mul(2) > field.count;
        field.count > 0 && field.records as f64 >= USUAL * known.records as f64 && !is_titular
    };
    known
        .fields
        .iter()
        .zip(&now.fields)
        .filter(move |(was, _)| is_usual(was))
}

/// Was a field found, with a value that is written like one of before? At its old position, a path finds any text.
fn is_credible(was: &FieldProfile, is: &FieldProfile) -> bool {
    is.shapes.keys().any(|shape| was.shapes.contains_key(shape))
}

/// Is the label of a field in a text, or one of its values?
fn is_familiar(field: &FieldProfile, text: &str) -> bool {
    let label = field.label().filter(|label| label.chars().count() >= SHORTEST.0);
    let values = field.samples.iter().map(String::as_str);
    let mut values = values.filter(|value| value.chars().count() >= SHORTEST.1);
    label.is_some_and(|label| has_words(text, label)) || values.any(|value| has_words(text, value))
}

/// The title or the first large heading of a page, if it says that the page is an error or a login.
fn notice(page: &Page) -> Option<String> {
    let first = |name: &str| -> Option<NodeId> { page.elements_named(page.name_id(name)?).first().copied() };
    let headings = first("h1").or_else(|| first("h2"));
    [first("title"), headings].into_iter().flatten().find_map(|node| {
        let said = tidy(page.string_value(node));
        let words = plain(&said);
        let is_short = words.split(' ').count() <= SAID;
        (is_short && NOTICES.iter().any(|notice| has_words(&words, notice))).then_some(said)
    })
}

/// The kind of value that a field has, if it is one that plain words are not of.
fn kind_of(field: &FieldProfile) -> Option<Kind> {
    if field.samples.len() < TELLING || field.attributes > 0 {
        return None;
    }
    let each: Vec<Kinds> = field.samples.iter().map(|text| kinds(text)).collect();
    let share = |kind: Kind| each.iter().filter(|own| own.contains(kind)).count() as f64 / each.len() as f64;
    KINDS.into_iter().find(|kind| share(*kind) >= OF_KIND)
}

/// The words that are looked at together, and how far apart such groups begin: a date of three words is within one of them, and few others.
const GROUP: (usize, usize) = (5, 2);
/// A longer text of an element is not a single value.
const LONGEST: usize = 60;

/// Has a page a text of one of some kinds, alone, within a longer text, or as the text of a small element? A date with a time is a date.
fn has_kind(page: &Page, sought: &BTreeSet<Kind>) -> bool {
    let is_moment = |kind: &Kind| matches!(kind, Kind::Date | Kind::Time | Kind::DateTime);
    let moments = sought.iter().any(is_moment);
    let is_sought = |text: &str| {
        let mut own = kinds(text).iter();
        own.any(|kind| sought.contains(&kind) || moments && is_moment(&kind))
    };
    page.texts().iter().any(|node| {
        let words: Vec<&str> = page.string_value(*node).split_whitespace().collect();
        let starts = (0..words.len()).step_by(GROUP.1);
        let mut groups = starts.map(|at| words[at..].iter().take(GROUP.0).copied().collect::<Vec<_>>().join(" "));
        let around = page.parent(*node).map(|parent| tidy(page.string_value(parent)));
        groups.any(|group| is_sought(&group)) || around.is_some_and(|text| text.len() <= LONGEST && is_sought(&text))
    })
}

/// A kind of value in words.
fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Date => "a date",
        Kind::Time => "a time",
        Kind::DateTime => "a date with a time",
        Kind::Price => "a price",
        Kind::Phone => "a phone number",
        Kind::Decimal => "a number with decimals",
        _ => "a mail address",
    }
}

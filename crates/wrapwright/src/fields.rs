//! The fields of a wrapper: look at them, keep some, rename them, put them in order, give them types and a key.
//!
//! **In**: a wrapper of any kind. **Out**: a table of its fields with samples ([`list`]), or a wrapper that shows other fields
//! ([`Edit::apply`]).
//!
//! Fields that are not shown stay in the rule and in what is known of the values. So they can come back, a check uses them
//! as witnesses, though they raise no alarm, and so does a repair: that the title is where it was tells where the price is. Names are changed in the rule, see
//! [`rename_fields`]. Types are changed in the record type alone: the rule finds texts, and a text becomes a number or a date when
//! it is written. How the field writes its numbers and dates is known from the values that the wrapper remembers, and they decide
//! whether a type is accepted: at least half of them must be of it. [`notes`] tells of the others.
//!
//! ```
//! use wrapwright::fields::{Edit, list};
//! use wrapwright::{Document, Job, ParseSettings, infer};
//!
//! let page = |name: &str, title: &str, code: &str| {
//!     let html = format!("<h1>{title}</h1><p>Code: <b>{code}</b></p>");
//!     Document::from_source(name, html, &ParseSettings::default())
//! };
//! let pages = [page("a", "Kelp", "17")?, page("b", "Moss", "23")?];
//! let wrapper = infer(&pages, &Default::default(), &Job::new())?.wrapper;
//! let edit = Edit { keep: vec!["code".to_owned()], ..Edit::default() };
//! let wrapper = edit.apply(&wrapper)?;
//! let shown: Vec<String> = list(&wrapper).into_iter().filter(|field| field.shown).map(|field| field.name).collect();
//! assert_eq!(shown, ["code"]);
//! assert_eq!(wrapper.extract(&pages[0])?[0].children.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::Wrapper;
use crate::clip::clip;
use crate::make::{MakeError, RenameError, rename_fields};
use crate::profile::{FieldProfile, TITULAR, words};
use crate::record::values::{Convention, Kind, Kinds, kinds};
use crate::record::{Sort, ValueType};
use crate::wrapper::Rule;
use serde_json::{Value, json};

/// A field of a wrapper.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name, with those of the records around it.
    pub name: String,
    /// What its values are: image, link, e-mail, date, time, price, share, phone, number or text.
    pub sort: &'static str,
    /// On how many records it is, of how many.
    pub records: (u64, u64),
    /// How many values it has, and how many different ones.
    pub values: (u64, u64),
    /// The share of values whose page supports the name: by the words before them, the names of the elements around them, the
    /// title of the page, structured data, or what they are (a price, a date). None if nothing does, as with names that the user gave.
    pub sure: Option<f64>,
    /// Some of its values.
    pub samples: Vec<String>,
    /// Does the wrapper show it?
    pub shown: bool,
    /// The type of its values in the records.
    pub value: Sort,
    /// Is it part of the key that tells records apart?
    pub key: bool,
    /// The place in the structured data of pages that it comes from, such as `json-ld Product sku`, if it does.
    pub from: Option<String>,
}

/// The number of samples of a field.
const SAMPLES: usize = 3;
/// The most characters of a sample in JSON.
const LONGEST: usize = 40;
/// The share of values that decides their sort.
const MOST: f64 = 0.8;

/// The fields of a wrapper, those that it shows first and in their order.
pub fn list(wrapper: &Wrapper) -> Vec<Listed> {
    let tables = wrapper.record_type.tables();
    let mut fields = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let profile = wrapper.evidence.profiles.get(number);
        for (at, column) in table.columns.iter().enumerate() {
            let name = [&table.path[..], &column.path].concat().join(".");
            let known = profile.and_then(|profile| profile.fields.get(at));
            let kinds = known.map_or_else(Vec::new, kinds_of);
            let from = from_data(wrapper, &name);
            fields.push(Listed {
                sure: match from {
                    Some(_) => Some(1.0),
                    None => known.and_then(|known| support(known, &kinds, &name)),
                },
                sort: sort(&kinds),
                records: (
                    known.map_or(0, |known| known.records),
                    profile.map_or(0, |profile| profile.records),
                ),
                values: known.map_or((0, 0), |known| (known.count, known.different)),
                samples: known.map_or_else(Vec::new, |known| known.samples.iter().take(SAMPLES).cloned().collect()),
                shown: place(wrapper, &name).is_some(),
                value: wrapper
                    .record_type
                    .value_type(&name)
                    .map_or(Sort::Text, |value| value.sort),
                key: wrapper.key.contains(&name),
                from,
                name,
            });
        }
    }
    fields.sort_by_key(|field| place(wrapper, &field.name).unwrap_or(usize::MAX));
    fields
}

/// Where in the structured data of pages a field comes from; none if it comes from what readers see.
fn from_data(wrapper: &Wrapper, name: &str) -> Option<String> {
    let Rule::Landmarks(rule) = &wrapper.rule else {
        return None;
    };
    let slot = rule
        .fields
        .iter()
        .find(|slot| slot.data.is_some() && slot.name == name)?;
    slot.data.as_ref().map(ToString::to_string)
}

/// The share of values whose page supports the name of a field. `kinds` are those of its samples.
fn support(known: &FieldProfile, kinds: &[Kinds], name: &str) -> Option<f64> {
    let last = name.rsplit('.').next().unwrap_or(name);
    // The second field of a name has a number after it.
    let base = last.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let wanted = words(if base.is_empty() { last } else { base });
    if wanted.is_empty() || known.count == 0 {
        return None;
    }
    let share = |count: u64| count as f64 / known.count as f64;
    let labelled = known.labels.iter().filter(|(label, _)| words(label) == wanted);
    let labelled = share(labelled.map(|(_, count)| *count).sum());
    let around = |word: &String| known.names.get(word).copied().unwrap_or(0);
    let called = share(wanted.iter().map(around).min().unwrap_or(0));
    let is_title = matches!(wanted.last().map(String::as_str), Some("title" | "name"));
    let titled = if is_title {
        share(known.names.get(TITULAR).copied().unwrap_or(0))
    } else {
        0.0
    };
    let is_kind = |(word, of): &&(&str, &[Kind])| wanted.iter().any(|wanted| wanted == word) && !of.is_empty();
    let kind = SORTS
        .iter()
        .filter(is_kind)
        .map(|(_, of)| part(kinds, of))
        .fold(0.0, f64::max);
    let best = [labelled, called, titled, kind].into_iter().fold(0.0, f64::max);
    (best > 0.0).then_some(best.min(1.0))
}

/// The place of a field among those that are shown; fields of a record that is shown as a whole are shown, too.
fn place(wrapper: &Wrapper, name: &str) -> Option<usize> {
    let Some(shown) = &wrapper.shown else { return Some(0) };
    shown.iter().position(|path| {
        name == path
            || name
                .strip_prefix(path.as_str())
                .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// What values may be: what says most comes first.
const SORTS: [(&str, &[Kind]); 10] = [
    ("image", &[Kind::Image]),
    ("link", &[Kind::Link]),
    ("e-mail", &[Kind::Email]),
    ("time", &[Kind::DateTime]),
    ("date", &[Kind::Date]),
    ("time", &[Kind::Time]),
    ("price", &[Kind::Price]),
    ("share", &[Kind::Percentage]),
    ("phone", &[Kind::Phone]),
    ("number", &[Kind::Integer, Kind::Decimal]),
];

/// The kinds of the values of a field that are remembered. To take texts apart is most of the work of a list, so it is done once.
fn kinds_of(field: &FieldProfile) -> Vec<Kinds> {
    field.samples.iter().map(|text| kinds(text)).collect()
}

/// What most values of a field are.
fn sort(kinds: &[Kinds]) -> &'static str {
    let found = SORTS.iter().find(|(_, of)| part(kinds, of) >= MOST);
    found.map_or("text", |(name, _)| name)
}

/// The share of values that is of one of some kinds.
fn part(kinds: &[Kinds], of: &[Kind]) -> f64 {
    let is_one = |kinds: &&Kinds| of.iter().any(|kind| kinds.contains(*kind));
    kinds.iter().filter(is_one).count() as f64 / kinds.len().max(1) as f64
}

/// A table of fields, for people; those that are not shown after a line.
pub fn to_text(fields: &[Listed], width: usize) -> String {
    let longest = fields.iter().map(|field| field.name.chars().count()).max().unwrap_or(0);
    let name = longest.clamp(5, 30);
    // What nobody has said yet needs no column.
    let typed = fields.iter().any(|field| field.key || field.value != Sort::Text);
    let column = |text: &str| match typed {
        true => format!("{text:<14}  "),
        false => String::new(),
    };
    let rest = width.saturating_sub(name + 27 + column("").len()).max(20);
    let mut out = format!(
        "{:<name$}  {:<6}  {}{:>9}  {:>4}  samples\n",
        "field",
        "sort",
        column("type"),
        "records",
        "sure"
    );
    let mut is_shown = true;
    for field in fields {
        if std::mem::replace(&mut is_shown, field.shown) && !field.shown {
            out += "not shown:\n";
        }
        let on = match field.records.1 {
            0 => "-".to_owned(),
            of => format!("{}/{of}", field.records.0),
        };
        let samples: Vec<String> = field.samples.iter().map(|text| clip(text, 30)).collect();
        let from = field.from.as_ref().map(|from| format!("({from}) ")).unwrap_or_default();
        let samples = clip(&format!("{from}{}", samples.join(" | ")), rest);
        let kind = match field.key {
            true => format!("{}, key", field.value.name()),
            false => field.value.name().to_owned(),
        };
        let sure = field
            .sure
            .map_or("-".to_owned(), |sure| format!("{:.0}%", 100.0 * sure));
        let line = format!(
            "{:<name$}  {:<6}  {}{on:>9}  {sure:>4}  {samples}",
            clip(&field.name, name),
            field.sort,
            column(&kind)
        );
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// The fields for programs, in few words: what is not known is left out. Of many fields, those after the first ones are said in
/// fewer words, so that a program that pays for words can look at 100 fields (about 4,000 tokens of a language model).
pub fn to_json(fields: &[Listed]) -> Value {
    let full = if fields.len() > MANY { FULL } else { MANY };
    let longest = if fields.len() > MANY { LONGEST / 2 } else { LONGEST };
    let each = fields.iter().enumerate().map(|(number, field)| {
        if number >= full {
            let sample = field.samples.first().map(|text| clip(text, SHORT));
            return short(field, sample);
        }
        let samples: Vec<String> = field.samples.iter().map(|text| clip(text, longest)).collect();
        let mut object = json!({
            "name": field.name, "sort": field.sort, "records": field.records.0, "of": field.records.1,
            "different": field.values.1, "samples": samples, "shown": field.shown,
        });
        if let Some(sure) = field.sure {
            object["sure"] = ((sure * 100.0).round() / 100.0).into();
        }
        if field.value != Sort::Text {
            object["type"] = field.value.name().into();
        }
        if field.key {
            object["key"] = true.into();
        }
        if let Some(from) = &field.from {
            object["from"] = from.as_str().into();
        }
        object
    });
    Value::Array(each.collect())
}

/// With more fields, only the first ones are said in full.
const MANY: usize = 40;
const FULL: usize = 25;
/// The most characters of the sample of another one.
const SHORT: usize = 12;

fn short(field: &Listed, sample: Option<String>) -> Value {
    let samples: Vec<String> = sample.into_iter().collect();
    json!({ "name": field.name, "sort": field.sort, "records": field.records.0, "samples": samples, "shown": field.shown })
}

/// What to change. Names are those of before the change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Show all fields again, in the order of the rule, before anything else.
    pub all: bool,
    /// Show only these, in this order.
    pub keep: Vec<String>,
    /// Do not show these.
    pub drop: Vec<String>,
    /// Show these first, in this order.
    pub order: Vec<String>,
    /// Old names and new ones.
    pub rename: Vec<(String, String)>,
    /// The fields that tell records apart; empty for no key. Without it, the key stays.
    pub key: Option<Vec<String>>,
    /// Fields and the types of their values.
    pub types: Vec<(String, Sort)>,
}

impl Edit {
    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        *self == Edit::default()
    }

    /// The wrapper with these changes.
    ///
    /// # Errors
    ///
    /// [`MakeError::Rename`] if there is no such field, if nothing would be left, if a field cannot be renamed, if most of its known
    /// values are not of the type, or if it cannot be a key.
    pub fn apply(&self, wrapper: &Wrapper) -> Result<Wrapper, MakeError> {
        let mut new = wrapper.clone();
        if self.all {
            new.shown = None;
        }
        let known = || -> Vec<String> { list(wrapper).into_iter().map(|field| field.name).collect() };
        let keys = self.key.iter().flatten();
        let typed = self.types.iter().map(|(name, _)| name);
        let named = [&self.keep, &self.drop, &self.order].into_iter().flatten();
        for name in named.chain(keys).chain(typed) {
            if !wrapper.record_type.has_path(name) {
                return Err(RenameError::NoSuchField(name.clone(), known()).into());
            }
        }
        let under =
            |name: &str, path: &str| name == path || name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let mut shown: Vec<String> = match self.keep.is_empty() {
            false => self.keep.clone(),
            true => list(&new)
                .into_iter()
                .filter(|field| field.shown)
                .map(|field| field.name)
                .collect(),
        };
        shown.retain(|name| !self.drop.iter().any(|path| under(name, path)));
        let first = |name: &String| {
            self.order
                .iter()
                .position(|path| under(name, path))
                .unwrap_or(usize::MAX)
        };
        shown.sort_by_key(first);
        if shown.is_empty() {
            return Err(RenameError::NothingLeft.into());
        }
        if !(self.keep.is_empty() && self.drop.is_empty() && self.order.is_empty()) {
            new.shown = Some(shown);
        }
        for (name, sort) in &self.types {
            give_type(&mut new, name, *sort)?;
        }
        if let Some(key) = &self.key {
            let first = &new.record_type.tables()[0];
            let can_be = |name: &String| {
                first
                    .columns
                    .iter()
                    .any(|column| !column.many && column.name() == *name)
            };
            if let Some(name) = key.iter().find(|name| !can_be(name)) {
                return Err(RenameError::NotAKey(name.clone()).into());
            }
            new.key.clone_from(key);
        }
        if let Some(name) = new.key.iter().find(|name| place(&new, name).is_none()) {
            return Err(RenameError::KeyNotShown(name.clone()).into());
        }
        let names: Vec<(&str, &str)> = self
            .rename
            .iter()
            .map(|(old, new)| (old.as_str(), new.as_str()))
            .collect();
        match names.is_empty() {
            true => Ok(new),
            false => rename_fields(&new, &names),
        }
    }
}

/// Gives a field another type of values, if most of its known values are of it.
fn give_type(wrapper: &mut Wrapper, name: &str, sort: Sort) -> Result<(), RenameError> {
    if wrapper.given.is_some() || matches!(wrapper.rule, Rule::Oxpath(_)) {
        return Err(RenameError::FixedTypes(name.to_owned()));
    }
    if wrapper.record_type.value_type(name).is_none() {
        return Err(RenameError::NotAValue(name.to_owned()));
    }
    let samples = samples(wrapper, name);
    let (fits, example) = fitting(sort, samples);
    if fits * 2 < samples.len() {
        return Err(RenameError::NotOfSort {
            field: name.to_owned(),
            sort,
            fits: (fits, samples.len()),
            example: clip(example.unwrap_or_default(), LONGEST),
        });
    }
    if let Some(value) = wrapper.record_type.value_type_mut(name) {
        value.sort = sort;
    }
    Ok(())
}

/// The values of a field that the wrapper remembers.
fn samples<'w>(wrapper: &'w Wrapper, name: &str) -> &'w [String] {
    let tables = wrapper.record_type.tables();
    for (table, profile) in tables.iter().zip(&wrapper.evidence.profiles) {
        for (column, field) in table.columns.iter().zip(&profile.fields) {
            if [&table.path[..], &column.path].concat().join(".") == name {
                return &field.samples;
            }
        }
    }
    &[]
}

/// How many texts are values of a sort, read in the way that all of them together decide, and the first that is not.
fn fitting(sort: Sort, samples: &[String]) -> (usize, Option<&str>) {
    let value = ValueType {
        sort,
        convention: Convention::of(samples.iter().map(String::as_str)),
        ..ValueType::default()
    };
    let is_link = |text: &str| {
        let kinds = kinds(text);
        kinds.contains(Kind::Link) || kinds.contains(Kind::Image)
    };
    let fits = |text: &&String| match sort {
        Sort::Link => is_link(text),
        _ => value.cell(text).is_ok(),
    };
    let misfit = samples.iter().find(|text| !fits(text));
    (samples.iter().filter(fits).count(), misfit.map(String::as_str))
}

/// What may go wrong with the types and the key of a wrapper, judged by the values that it remembers, in sentences.
pub fn notes(wrapper: &Wrapper) -> Vec<String> {
    let mut notes = Vec::new();
    for field in list(wrapper) {
        let known = samples(wrapper, &field.name);
        if wrapper.given.is_none()
            && field.value != Sort::Text
            && let (fits, Some(example)) = fitting(field.value, known)
        {
            notes.push(format!(
                "`{}`: {} of {} known values are not {}, such as {:?}",
                field.name,
                known.len() - fits,
                known.len(),
                field.value.with_article(),
                clip(example, LONGEST)
            ));
        }
        let (records, of) = field.records;
        if field.key && records < of {
            notes.push(format!(
                "`{}` is the key, but {} of {of} records have no value of it",
                field.name,
                of - records
            ));
        }
        // Several fields may be a key together.
        if field.key && wrapper.key.len() == 1 && field.values.1 < field.values.0 {
            notes.push(format!(
                "`{}` is the key, but only {} of its {} values are different; records with the same key are taken for one",
                field.name, field.values.1, field.values.0
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Job, ParseSettings};

    fn wrapper() -> Wrapper {
        let page = |number: usize| {
            let html = format!(
                "<h1>{}</h1><table><tr><th>Price</th><td>{}.{:03},50 €</td></tr><tr><th>Code</th><td>K-{number}</td></tr>\
                 <tr><th>Due</th><td>{}.11.2026</td></tr></table>",
                ["Kelp", "Moss", "Fern", "Reed"][number],
                number + 1,
                number * 7,
                number + 12,
            );
            Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
        };
        let pages: Vec<Document> = (0..4).map(page).collect();
        crate::infer(&pages, &Default::default(), &Job::new())
            .expect("a wrapper")
            .wrapper
    }

    fn refused(edit: &Edit, wrapper: &Wrapper) -> String {
        edit.apply(wrapper)
            .expect_err("a change that cannot be made")
            .to_string()
    }

    #[test]
    fn a_name_is_sure_if_the_pages_say_it() {
        let named = Edit {
            rename: vec![("code".to_owned(), "shelf".to_owned())],
            ..Edit::default()
        };
        let fields = list(&named.apply(&wrapper()).expect("a name"));
        let sure = |name: &str| fields.iter().find(|field| field.name == name).expect("a field").sure;
        assert_eq!(
            (sure("price"), sure("due"), sure("shelf")),
            (Some(1.0), Some(1.0), None)
        );
        let text = to_text(&fields, 80);
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a line");
        assert!(line("price").contains(" 100%  "), "{text}");
        assert!(line("shelf").contains("   -  "), "{text}");
    }

    #[test]
    fn many_fields_are_said_in_few_words() {
        let field = |number: usize| Listed {
            sure: None,
            name: format!("a_field_of_a_table_{number}"),
            sort: "text",
            records: (20, 20),
            values: (20, 17),
            samples: vec!["some long value of this field, which goes on".to_owned(); 3],
            shown: number < 25,
            value: Sort::Text,
            key: false,
            from: None,
        };
        let fields: Vec<Listed> = (0..100).map(field).collect();
        let text = to_json(&fields).to_string();
        // JSON of English words has more than three bytes for each token.
        assert!(text.len() < 7 * 4000 / 2, "{} bytes", text.len());
        assert_eq!(to_json(&fields).as_array().map(Vec::len), Some(100));
        assert!(to_json(&fields[..40])[39]["different"].is_number());
    }

    #[test]
    fn types_and_key_follow_a_renaming_and_are_saved() {
        let edit = Edit {
            key: Some(vec!["code".to_owned()]),
            types: vec![("price".to_owned(), Sort::Decimal), ("due".to_owned(), Sort::Date)],
            rename: vec![
                ("price".to_owned(), "cost".to_owned()),
                ("code".to_owned(), "id".to_owned()),
            ],
            ..Edit::default()
        };
        let new = edit.apply(&wrapper()).expect("a wrapper");
        let read = Wrapper::from_json(&new.to_json()).expect("a wrapper");
        assert_eq!(read, new);
        assert_eq!(read.key, ["id"]);
        let kind = read.sink_type();
        let cost = kind.value_type("cost").expect("a field");
        // The field's own values say that the comma is for decimals.
        assert_eq!(cost.cell("3.014,50 €").expect("a number").written(), "3014.50");
        let due = kind.value_type("due").expect("a field");
        assert_eq!(due.cell("12.11.2026").expect("a date").written(), "2026-11-12");
        assert_eq!(notes(&new), Vec::<String>::new());
    }

    #[test]
    fn what_most_values_are_not_is_refused() {
        let types = |name: &str, sort| Edit {
            types: vec![(name.to_owned(), sort)],
            ..Edit::default()
        };
        let said = refused(&types("title", Sort::Decimal), &wrapper());
        assert_eq!(said, "`title`: 4 of 4 known values are not a number, such as \"Kelp\"");
        assert!(refused(&types("due", Sort::Link), &wrapper()).contains("are not a link"));
        assert!(refused(&types("colour", Sort::Link), &wrapper()).contains("found no field `colour`"));
    }

    #[test]
    fn a_key_must_be_shown() {
        let keyed = Edit {
            key: Some(vec!["code".to_owned()]),
            ..Edit::default()
        };
        let keyed = keyed.apply(&wrapper()).expect("a wrapper");
        let hide = Edit {
            drop: vec!["code".to_owned()],
            ..Edit::default()
        };
        assert_eq!(
            refused(&hide, &keyed),
            "`code` is the key of the records, so it must be shown"
        );
        let without = Edit {
            key: Some(Vec::new()),
            ..hide
        };
        assert_eq!(without.apply(&keyed).expect("a wrapper").key, Vec::<String>::new());
    }
}

//! The fields of a wrapper: look at them, keep some, rename them, put them in order.
//!
//! **In**: a wrapper of any kind. **Out**: a table of its fields with samples ([`list`]), or a wrapper that shows other fields
//! ([`Edit::apply`]).
//!
//! Fields that are not shown stay in the rule and in what is known of the values. So they can come back, a check compares them,
//! too, and a repair uses them: that the title is where it was tells where the price is. Names are changed in the rule, see
//! [`rename_fields`].
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
use crate::profile::FieldProfile;
use crate::record::values::{Kind, Kinds, kinds};
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
    /// Some of its values.
    pub samples: Vec<String>,
    /// Does the wrapper show it?
    pub shown: bool,
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
            fields.push(Listed {
                sort: known.map_or("text", sort),
                records: (
                    known.map_or(0, |known| known.records),
                    profile.map_or(0, |profile| profile.records),
                ),
                values: known.map_or((0, 0), |known| (known.count, known.different)),
                samples: known.map_or_else(Vec::new, |known| known.samples.iter().take(SAMPLES).cloned().collect()),
                shown: place(wrapper, &name).is_some(),
                name,
            });
        }
    }
    fields.sort_by_key(|field| place(wrapper, &field.name).unwrap_or(usize::MAX));
    fields
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

/// What most values of a field are: what says most comes first.
fn sort(field: &FieldProfile) -> &'static str {
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
    let all: Vec<Kinds> = field.samples.iter().map(|text| kinds(text)).collect();
    let most = |of: &[Kind]| {
        let count = all.iter().filter(|kinds| of.iter().any(|kind| kinds.contains(*kind)));
        !all.is_empty() && count.count() as f64 >= MOST * all.len() as f64
    };
    let found = SORTS.iter().find(|(_, of)| most(of));
    found.map_or("text", |(name, _)| name)
}

/// A table of fields, for people; those that are not shown after a line.
pub fn to_text(fields: &[Listed], width: usize) -> String {
    let longest = fields.iter().map(|field| field.name.chars().count()).max().unwrap_or(0);
    let name = longest.clamp(5, 30);
    let rest = width.saturating_sub(name + 21).max(20);
    let mut out = format!("{:<name$}  {:<6}  {:>9}  samples\n", "field", "sort", "records");
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
        let samples = clip(&samples.join(" | "), rest);
        let line = format!(
            "{:<name$}  {:<6}  {on:>9}  {samples}",
            clip(&field.name, name),
            field.sort
        );
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// The fields for programs, in few words: what is not known is left out.
pub fn to_json(fields: &[Listed]) -> Value {
    let each = fields.iter().map(|field| {
        let samples: Vec<String> = field.samples.iter().map(|text| clip(text, LONGEST)).collect();
        json!({
            "name": field.name, "sort": field.sort, "records": field.records.0, "of": field.records.1,
            "different": field.values.1, "samples": samples, "shown": field.shown,
        })
    });
    Value::Array(each.collect())
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
    /// [`MakeError::Rename`] if there is no such field, if nothing would be left, or if a field cannot be renamed.
    pub fn apply(&self, wrapper: &Wrapper) -> Result<Wrapper, MakeError> {
        let mut new = wrapper.clone();
        if self.all {
            new.shown = None;
        }
        let known = || -> Vec<String> { list(wrapper).into_iter().map(|field| field.name).collect() };
        for name in [&self.keep, &self.drop, &self.order].into_iter().flatten() {
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

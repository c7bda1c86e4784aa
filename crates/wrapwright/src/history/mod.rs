//! The history of a watched wrapper: the result of each run, the state of each field, and what was repaired.
//!
//! A history is an SQLite file beside its wrapper ([`default_path`]). Each watched run adds an [`Entry`]
//! ([`History::add`]). An entry is added completely or not at all, even if the process that adds it is killed, and two
//! processes that add at the same time both succeed. [`text`] and [`svg`] draw entries for people; both depend on the
//! entries alone, so the same history gives the same picture.
//!
//! A run costs one transaction, which waits for the disk twice; reading costs time and memory in proportion to the
//! entries read. Nothing is ever removed: a run with twenty fields takes less than a kilobyte while all fields are
//! fine, so a year of hourly runs takes less than nine megabytes.
//!
//! Known limits: the locks are those of the file system, so a history on a network share is only as safe as the share's
//! locks. Runs are in the order in which they were added, not ordered by time, because clocks can be set back.

mod cells;
mod clock;
mod json;
mod picture;
mod store;
mod trouble;
mod words;

pub use clock::{now, utc};
pub use json::json_lines;
pub use picture::svg;
pub use store::History;
pub use trouble::{HistoryError, Trouble};
pub use words::text;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A field with a chance below this is drawn as broken.
pub const BROKEN: f64 = ::tend::DOUBT;

/// A run of a watched wrapper.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The time of the run, in UTC, in the format of RFC 3339: see [`now`].
    pub when: String,
    /// The wrapper that was run.
    pub wrapper_hash: String,
    /// The number of pages to read.
    pub pages: u64,
    /// The number of pages that could not be fetched or read.
    pub failed_pages: u64,
    /// The number of records that were extracted, after the repair if there was one.
    pub records: u64,
    /// How it ended.
    pub verdict: Outcome,
    /// The state of each field, in the order of the wrapper, at the first check of the run.
    pub fields: Vec<FieldEntry>,
    /// The repair, if one was made or attempted.
    pub repair: Option<RepairEntry>,
}

/// How a watched run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// As it should be.
    Fine,
    /// The site has changed, and no repair was attempted.
    Changed,
    /// The site has changed, and the wrapper was repaired.
    Repaired,
    /// The site has changed, and the wrapper could not be repaired.
    NotRepaired,
    /// There were no pages to judge by.
    Unreadable,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 5] = [
        Outcome::Fine,
        Outcome::Changed,
        Outcome::Repaired,
        Outcome::NotRepaired,
        Outcome::Unreadable,
    ];

    /// Its name, for people and files.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Fine => "fine",
            Outcome::Changed => "changed",
            Outcome::Repaired => "repaired",
            Outcome::NotRepaired => "not repaired",
            Outcome::Unreadable => "unreadable",
        }
    }
}

/// The state of a field in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEntry {
    /// Its name.
    pub name: String,
    /// The number of values that were extracted.
    pub count: u64,
    /// The chance that a healthy wrapper gives such values, from 0 to 1. NaN is stored as 0.
    pub chance: f64,
    /// What is wrong, if anything is.
    pub reason: Option<String>,
}

/// A repair that was made or attempted.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairEntry {
    /// The wrapper before the repair.
    pub from_hash: String,
    /// The wrapper after the repair; the same if nothing was repaired.
    pub to_hash: String,
    /// Where the wrapper from before the repair is kept; empty if nothing was repaired.
    pub kept_as: String,
    /// The fields that were repaired, and how sure each is, from 0 to 1.
    pub fields: Vec<(String, f64)>,
    /// A remark about it.
    pub note: String,
}

/// How a field of a run is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Health {
    /// As it should be.
    Fine,
    /// Something is unusual, but within what is expected.
    Doubtful,
    /// There are values, but they are wrong or too few.
    Broken,
    /// There are no values, but there should be.
    Gone,
    /// There are no values, which is normal for this field.
    Empty,
    /// It was broken or gone, and the run repaired it.
    Mended,
}

impl Health {
    /// Its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Health::Fine => "fine",
            Health::Doubtful => "doubtful",
            Health::Broken => "broken",
            Health::Gone => "nothing found",
            Health::Empty => "nothing found (optional)",
            Health::Mended => "mended",
        }
    }
}

/// A field over time: for each run its state and its entry; none in runs that did not have the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip<'e> {
    /// The name of the field.
    pub name: &'e str,
    /// Run by run.
    pub cells: Vec<Option<(Health, &'e FieldEntry)>>,
}

/// All fields over time: those of the last run first, in its order, then those that only earlier runs had.
pub fn strips(entries: &[Entry]) -> Vec<Strip<'_>> {
    let names = names(entries);
    let rows = rows(entries, &names);
    let mut strips = Vec::new();
    for (name, row) in names.into_iter().zip(rows) {
        let cells = row.into_iter().zip(entries);
        let cells = cells.map(|(field, entry)| field.map(|field| (entry.health(field), field)));
        strips.push(Strip {
            name,
            cells: cells.collect(),
        });
    }
    strips
}

impl FieldEntry {
    fn health(&self) -> Health {
        // NaN counts as broken.
        let is_broken = !matches!(self.chance.partial_cmp(&BROKEN), Some(order) if order.is_ge());
        match (is_broken, self.count) {
            (true, 0) => Health::Gone,
            (true, _) => Health::Broken,
            (false, _) if self.reason.is_some() => Health::Doubtful,
            (false, 0) => Health::Empty,
            (false, _) => Health::Fine,
        }
    }
}

impl Entry {
    /// How a field of this run is drawn: as it was at the first check, unless the run repaired it.
    pub fn health(&self, field: &FieldEntry) -> Health {
        let health = field.health();
        let mut repaired = self.repair.iter().flat_map(|repair| &repair.fields);
        let is_mended = self.verdict == Outcome::Repaired
            && matches!(health, Health::Broken | Health::Gone)
            && repaired.any(|(name, _)| *name == field.name);
        if is_mended { Health::Mended } else { health }
    }
}

/// The path of a wrapper's history: `site.history.sqlite` beside `site.wrapper.json`.
///
/// ```
/// use std::path::Path;
/// use wrapwright::history::default_path;
///
/// assert_eq!(default_path(Path::new("a/site.wrapper.json")), Path::new("a/site.history.sqlite"));
/// assert_eq!(default_path(Path::new("a/w.json")), Path::new("a/w.history.sqlite"));
/// ```
pub fn default_path(wrapper: &Path) -> PathBuf {
    const WRAPPER: &str = ".wrapper.json";
    let whole = wrapper.file_name().and_then(|name| name.to_str());
    let mut name = match whole.and_then(|name| name.strip_suffix(WRAPPER)) {
        Some(stem) if !stem.is_empty() => OsString::from(stem),
        _ => wrapper.file_stem().unwrap_or_default().to_owned(),
    };
    name.push(".history.sqlite");
    wrapper.with_file_name(name)
}

/// The names of the fields of all entries: those of the last run first, in its order, then those of earlier runs.
fn names(entries: &[Entry]) -> Vec<&str> {
    let mut seen = std::collections::HashSet::new();
    let fields = entries.iter().rev().flat_map(|entry| &entry.fields);
    let names = fields.map(|field| field.name.as_str());
    names.filter(|name| seen.insert(*name)).collect()
}

/// The entries of each of these names, run by run.
fn rows<'e>(entries: &'e [Entry], names: &[&str]) -> Vec<Vec<Option<&'e FieldEntry>>> {
    let places: std::collections::HashMap<&str, usize> =
        names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let mut rows = vec![vec![None; entries.len()]; names.len()];
    for (run, entry) in entries.iter().enumerate() {
        for field in &entry.fields {
            if let Some(place) = places.get(field.name.as_str()) {
                rows[*place][run] = Some(field);
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run for tests: each field has a name, a count and a chance, and a reason where the chance is small.
    pub(super) fn entry(when: &str, records: u64, verdict: Outcome, fields: &[(&str, u64, f64)]) -> Entry {
        let fields = fields.iter().map(|(name, count, chance)| FieldEntry {
            name: (*name).to_owned(),
            count: *count,
            chance: *chance,
            reason: (*chance < 0.1)
                .then(|| format!("{count} of {records} records have it, {records} of {records} had")),
        });
        Entry {
            when: when.to_owned(),
            wrapper_hash: "00c0ffee00c0ffee".to_owned(),
            pages: 3,
            failed_pages: 0,
            records,
            verdict,
            fields: fields.collect(),
            repair: None,
        }
    }

    #[test]
    fn a_history_lies_beside_its_wrapper() {
        let check = |wrapper: &str, expected: &str| assert_eq!(default_path(Path::new(wrapper)), Path::new(expected));
        check("site.wrapper.json", "site.history.sqlite");
        check("/a/b.c/site.wrapper.json", "/a/b.c/site.history.sqlite");
        check("site.2.wrapper.json", "site.2.history.sqlite");
        check("w.json", "w.history.sqlite");
        check("w", "w.history.sqlite");
        check(".wrapper.json", ".wrapper.history.sqlite");
        check("wrapper.json", "wrapper.history.sqlite");
    }

    #[test]
    fn health_goes_by_chance_count_and_reason() {
        let check = |count, chance, reason: Option<&str>, expected| {
            let field = FieldEntry {
                name: "a".to_owned(),
                count,
                chance,
                reason: reason.map(str::to_owned),
            };
            assert_eq!(field.health(), expected, "{field:?}");
        };
        check(3, 1.0, None, Health::Fine);
        check(3, 0.05, None, Health::Fine);
        check(0, 1.0, None, Health::Empty);
        check(3, 0.07, Some("odd"), Health::Doubtful);
        check(0, 0.07, Some("odd"), Health::Doubtful);
        check(3, 0.009, Some("odd"), Health::Broken);
        check(3, 0.0, None, Health::Broken);
        check(0, 0.0, Some("odd"), Health::Gone);
        check(3, f64::NAN, None, Health::Broken);
    }

    #[test]
    fn a_field_that_a_run_repaired_is_mended() {
        let fields = [("title", 3, 1.0), ("price", 0, 0.0), ("stock", 3, 0.0)];
        let mut run = entry("", 3, Outcome::Repaired, &fields);
        run.repair = Some(RepairEntry {
            from_hash: String::new(),
            to_hash: String::new(),
            kept_as: String::new(),
            fields: vec![("title".to_owned(), 1.0), ("price".to_owned(), 0.9)],
            note: String::new(),
        });
        let health = |run: &Entry| -> Vec<Health> { run.fields.iter().map(|field| run.health(field)).collect() };
        assert_eq!(health(&run), [Health::Fine, Health::Mended, Health::Broken]);
        let entries = [run.clone()];
        let strips = strips(&entries);
        assert_eq!(strips[1].name, "price");
        assert!(strips[1].cells[0].is_some_and(|(health, field)| health == Health::Mended && field.count == 0));
        run.verdict = Outcome::NotRepaired;
        assert_eq!(health(&run), [Health::Fine, Health::Gone, Health::Broken]);
    }

    #[test]
    fn fields_are_those_of_the_last_run_and_then_older_ones() {
        let first = entry("", 1, Outcome::Fine, &[("old", 1, 1.0), ("b", 1, 1.0)]);
        let last = entry("", 1, Outcome::Fine, &[("a", 1, 1.0), ("b", 1, 1.0)]);
        let entries = [first, last];
        let names = names(&entries);
        assert_eq!(names, ["a", "b", "old"]);
        let there: Vec<Vec<bool>> = rows(&entries, &names)
            .iter()
            .map(|row| row.iter().map(Option::is_some).collect())
            .collect();
        assert_eq!(there, [[false, true], [true, true], [true, false]]);
    }
}

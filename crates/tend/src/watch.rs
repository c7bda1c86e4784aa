//! Wrappers of every kind, as something that is watched: what they give on pages, by table, and how it compares.
//!
//! A wrapper gives records, and records are tables ([`Schema::tables`]): one for the outermost kind and one for each kind of
//! record that another has any number of. Each table has its profile, kept in the artifact; each is checked on its own.
//!
//! Pages are taken one at a time, so any number of them can be looked at.

use crate::check::{Alarm, Verdict, check};
use learn::guided::{Lesson, Wanted, wanted};
use page::{Document, Page};
use std::fmt;
use std::sync::Arc;
use wrapper::artifact::{Artifact, ArtifactError, Runner};
use wrapper::profile::{self, FieldProfile, Profile};
use wrapper::rule::guided::tidy;
use wrapper::schema::{Schema, Table};

/// The rows of each table of a page: for each row the values of each column.
pub type Rows = Vec<Vec<Vec<Vec<String>>>>;

/// The values of a column, sorted.
pub(crate) fn column(rows: &Rows, table: usize, column: usize) -> Vec<String> {
    let cells = rows[table].iter().flat_map(|row| &row[column]);
    let mut values: Vec<String> = cells.map(|text| tidy(text)).collect();
    values.sort_unstable();
    values
}

/// The profile of fields on pages, given the records that each page has.
pub fn gather(wanted: &[Wanted], lessons: &[Lesson<'_>]) -> Profile {
    let mut profile = Profile {
        fields: vec![FieldProfile::default(); wanted.len()],
        ..Profile::default()
    };
    for lesson in lessons {
        profile.merge(&profile::gather(wanted.len(), lesson.page, &lesson.records));
    }
    profile
}

/// What a wrapper gives on a page, by table.
pub fn rows(runner: &Runner, schema: &Schema, sheet: &Document) -> Rows {
    given(runner, schema, &sheet.name, &sheet.page, sheet.source.as_deref())
}

fn given(runner: &Runner, schema: &Schema, name: &str, page: &Arc<Page>, source: Option<&str>) -> Rows {
    let name: Arc<str> = name.into();
    let (records, _) = match (source, runner.reads_source()) {
        (Some(source), true) => runner.run(&name, source, false),
        _ => runner.run_page(&name, page, false),
    };
    schema.rows(&records)
}

/// Gathers the profiles of what a wrapper gives.
#[derive(Debug)]
pub struct Observer<'a> {
    schema: &'a Schema,
    tables: Vec<Vec<Wanted>>,
    runner: Runner,
    profiles: Vec<Profile>,
}

impl<'a> Observer<'a> {
    /// Begins to look.
    ///
    /// # Errors
    ///
    /// The wrapper's rule is none.
    pub fn new(artifact: &'a Artifact) -> Result<Observer<'a>, ArtifactError> {
        let tables: Vec<Vec<Wanted>> = artifact.schema.tables().iter().map(wanted).collect();
        Ok(Observer {
            schema: &artifact.schema,
            profiles: tables.iter().map(|table| gather(table, &[])).collect(),
            tables,
            runner: artifact.runner()?,
        })
    }

    /// Looks at a page, and gives how many records of the outermost kind are on it; rules that cut the source do so if there
    /// is one.
    pub fn add(&mut self, name: &str, page: &Arc<Page>, source: Option<&str>) -> usize {
        let rows = given(&self.runner, self.schema, name, page, source);
        let count = rows.first().map_or(0, Vec::len);
        for ((wanted, profile), records) in self.tables.iter().zip(&mut self.profiles).zip(rows) {
            profile.merge(&profile::gather(wanted.len(), page, &records));
        }
        count
    }

    /// What was seen, for each table.
    pub fn finish(self) -> Vec<Profile> {
        self.profiles
    }
}

/// The profiles of what a wrapper gives on pages.
///
/// # Errors
///
/// The wrapper's rule is none.
pub fn observe(artifact: &Artifact, sheets: &[Document]) -> Result<Vec<Profile>, ArtifactError> {
    let mut observer = Observer::new(artifact)?;
    for sheet in sheets {
        observer.add(&sheet.name, &sheet.page, sheet.source.as_deref());
    }
    Ok(observer.finish())
}

/// What a check says of a wrapper.
#[derive(Clone, Debug)]
pub struct Report {
    /// For each table of its records.
    pub tables: Vec<TableReport>,
}

/// What a check says of a kind of records.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// The table.
    pub table: Table,
    /// What is known of it.
    pub known: Profile,
    /// What was seen of it now.
    pub now: Profile,
    /// What to think of that.
    pub alarm: Alarm,
}

impl Report {
    /// Is all as it should be?
    pub fn is_fine(&self) -> bool {
        self.tables.iter().all(|table| table.alarm.verdict == Verdict::Fine)
    }
}

/// A wrapper that keeps nothing to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwatched;

impl fmt::Display for Unwatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the wrapper does not say what its values are like, so nothing can be compared with them")
    }
}

impl std::error::Error for Unwatched {}

/// Compares what a wrapper gave with what it keeps.
///
/// # Errors
///
/// The wrapper keeps nothing.
pub fn compare(artifact: &Artifact, now: Vec<Profile>) -> Result<Report, Unwatched> {
    let known = &artifact.evidence.profiles;
    if known.is_empty() || known.iter().all(|profile| profile.records == 0) {
        return Err(Unwatched);
    }
    let tables = artifact.schema.tables().into_iter().zip(known.iter().zip(now));
    let tables = tables.map(|(table, (known, now))| TableReport {
        alarm: check(&wanted(&table), known, &now),
        known: known.clone(),
        now,
        table,
    });
    Ok(Report {
        tables: tables.collect(),
    })
}

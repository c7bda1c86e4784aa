//! What a wrapper gives now, compared with what it is known to give.
//!
//! A wrapper gives records, and records are tables ([`RecordType::tables`](record::RecordType::tables)): one for the outermost
//! record and one for each kind of record that another may have several of. The wrapper keeps a profile of each table, and
//! each is checked on its own.

use crate::check::{Alarm, Asked, Verdict, check_table, is_never};
use crate::survey::{PageCounts, PageReport};
use learn::guided::{Lesson, Wanted};
use oxpath::run::LackingField;
use record::{Rows, Table};
use std::fmt;
use wrapper::profile::{self, FieldProfile, Profile};
use wrapper::rule::paths::tidy;
use wrapper::{Doubt, Wrapper};

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

/// What a check says of a wrapper.
#[derive(Clone, Debug)]
pub struct Report {
    /// The kind of the wrapper's rule, as [`Rule::kind`](wrapper::Rule::kind) has it.
    pub kind: &'static str,
    /// For each table of its records.
    pub tables: Vec<TableReport>,
    /// For each page, if pages were looked at one by one ([`Survey`](crate::Survey)); for some of them, if the report was
    /// made from parts ([`Findings`](crate::Findings)).
    pub pages: Vec<PageReport>,
    /// How many pages are in each state.
    pub counts: PageCounts,
    /// Records that lack a field which the wrapper's expression calls required, once for each field.
    pub lacking: Vec<LackingField>,
    /// What else there is to say of the wrapper.
    pub notes: Vec<String>,
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
    /// Was the repair that made the wrapper not sure of a field? Then what is known of it may be wrong.
    pub is_doubtful: bool,
    /// The names of fields that most records had and that the repair left out: for the outermost table those of all tables, because an inferred
    /// rule may have lost a whole table; for others none.
    pub left_out: Vec<String>,
}

impl Report {
    /// Is all as it should be? Nothing has changed, and the last repair has left out no field that most records had.
    pub fn is_fine(&self) -> bool {
        !self.has_changed() && self.left_out().next().is_none()
    }

    /// Is something not as it was?
    pub fn has_changed(&self) -> bool {
        self.tables.iter().any(|table| table.alarm.verdict == Verdict::Changed)
    }

    /// The fields that are shown, that every known record had and that none has now.
    pub fn gone(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().flat_map(|table| {
            let (known, now) = (&table.known, &table.now);
            let fields = table.alarm.fields.iter().zip(known.fields.iter().zip(&now.fields));
            let gone = fields.filter(move |(health, (was, is))| {
                health.is_shown && now.records > 0 && was.count > 0 && was.records >= known.records && is.count == 0
            });
            gone.map(|(health, _)| health.name.as_str())
        })
    }

    /// The fields that most records had and that the last repair left out.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().flat_map(|table| &table.left_out).map(String::as_str)
    }
}

/// A wrapper that does not know what its values are like, so that nothing can be compared with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the wrapper does not know what its values are like, so nothing can be compared with them")
    }
}

impl std::error::Error for Unknown {}

/// Compares what a wrapper gave with what it keeps.
///
/// # Errors
///
/// The wrapper keeps nothing.
pub fn compare(wrapper: &Wrapper, now: Vec<Profile>) -> Result<Report, Unknown> {
    if !wrapper.is_known() {
        return Err(Unknown);
    }
    let known = &wrapper.evidence.profiles;
    let tables = wrapper.record_type.tables().into_iter().zip(known.iter().zip(now));
    let tables = tables.map(|(table, (known, now))| {
        let mut alarm = check_table(&Asked::of(wrapper, &table), known, &now);
        let is_doubtful = tell_doubts(&wrapper.evidence.doubts, &table, &mut alarm);
        TableReport {
            alarm,
            is_doubtful,
            left_out: Vec::new(),
            known: known.clone(),
            now,
            table,
        }
    });
    let mut tables: Vec<TableReport> = tables.collect();
    if let Some(outer) = tables.first_mut() {
        let lost = wrapper.evidence.doubts.iter().filter(|doubt| is_lost(doubt));
        outer.left_out.extend(lost.map(|doubt| doubt.field.clone()));
    }
    Ok(Report {
        kind: wrapper.rule.kind(),
        tables,
        pages: Vec::new(),
        counts: PageCounts::default(),
        lacking: Vec::new(),
        notes: never_worked(wrapper).into_iter().collect(),
    })
}

/// A field that at least this share of the records had is missed.
const USUAL: f64 = 0.5;

/// Is this a field that the wrapper should have and has not?
fn is_lost(doubt: &Doubt) -> bool {
    doubt.left_out && doubt.usual >= USUAL
}

/// The name of a column, with those of the records around it.
pub(crate) fn name_of(table: &Table, column: usize) -> String {
    let path = table.path.iter().chain(&table.columns[column].path);
    path.map(String::as_str).collect::<Vec<_>>().join(".")
}

/// Does a wrapper show a field of this name?
pub(crate) fn shows(wrapper: &Wrapper, name: &str) -> bool {
    let is_in = |path: &String| {
        let rest = name.strip_prefix(path.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    wrapper.shown.as_ref().is_none_or(|shown| shown.iter().any(is_in))
}

/// Says of fields that the last repair was not sure of them. Are there any?
fn tell_doubts(doubts: &[Doubt], table: &Table, alarm: &mut Alarm) -> bool {
    let mut some = false;
    for (column, health) in alarm.fields.iter_mut().take(table.columns.len()).enumerate() {
        let name = name_of(table, column);
        if let Some(doubt) = doubts.iter().find(|doubt| doubt.field == name) {
            some = true;
            let words = match doubt.left_out {
                true => "it was left out by the last repair, which did not surely find it".to_owned(),
                false => format!("the last repair was only {:.0} % sure of it", doubt.sure * 100.0),
            };
            // That it was never found since then says less.
            health.reasons.retain(|reason| !doubt.left_out || !is_never(reason));
            health.reasons.insert(0, words);
        }
    }
    some
}

/// Did the rule find nothing on pages that it was made from?
fn never_worked(wrapper: &Wrapper) -> Option<String> {
    let pages = &wrapper.evidence.pages;
    let empty: Vec<&str> = pages
        .iter()
        .filter(|page| page.values == 0)
        .map(|page| page.name.as_str())
        .collect();
    let first = empty.first()?;
    let which = match empty.len() {
        1 => (*first).to_owned(),
        _ => format!("{first} and others"),
    };
    Some(format!(
        "on {} of {} pages that the wrapper was made from it found nothing ({which}): it never worked there",
        empty.len(),
        pages.len()
    ))
}

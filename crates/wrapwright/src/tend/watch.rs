//! One look at a site: check the wrapper, repair it if something is wrong, check the result, and describe the run.
//!
//! The steps, in this order:
//!
//! 1. The wrapper is run on the documents and compared with what it knows. Without a document the run is *unreadable*: the
//!    site may be down, which says nothing about the wrapper.
//! 2. If it is fine, the wrapper learns from what it gave, until it knows [`LEARNED`] pages. A page counts once, however often
//!    it is looked at: by its name, or by its text if it has got another name. If a known page has new values, these are kept
//!    as samples, but they do not make the wrapper surer of what all pages have.
//! 3. If not, it is repaired with the same documents. The repair is used if it is sure enough, gives records on these documents, and
//!    is no loss; otherwise the wrapper stays as it is. Nobody looks at what is written here, so the repair must keep at least half of the fields
//!    ([`PART`]), and read as many pages as the old wrapper, those that are as before among them. If nothing has changed and only
//!    fields are missing that an earlier repair left out, it must find one of these. Errors and logins are no reason for a repair.
//! 4. The run becomes an [`Entry`] of the history.
//!
//! [`watch`] decides and changes nothing. [`Watcher`] also saves: first the wrapper, then the entry, so that an entry never
//! tells of a wrapper that is not there. A wrapper that is replaced by a repair is kept under another name.

use super::outcome::refuse_strangers;
use super::{
    ENOUGH, FieldRepair, PageState, Repair, RepairError, Report, TendError, Unknown, merge, not_sure, observe,
    remember, repair_at_least, repair_json, survey,
};
use crate::history::{self, Entry, FieldEntry, History, HistoryError, Outcome, RepairEntry};
use crate::whole::{SaveError, replace_wrapper, save_wrapper};
use crate::wrapper::profile::Profile;
use crate::wrapper::{Evidence, Navigation, Observer, OpenError, Seen, Wrapper, hash};
use crate::{Document, Job, Remedy};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// A wrapper learns from runs that are fine until it knows this many pages: sites change slowly over time, so old pages
/// should not outweigh new ones, and files should not grow.
const LEARNED: u64 = 1000;

/// What a look at a site may do.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchSettings {
    /// Repair the wrapper if the site has changed.
    pub repair: bool,
    /// Learn from runs that are fine.
    pub update: bool,
    /// How sure each field that most records have must be for a repair to be used, from 0 to 1.
    pub at_least: f64,
}

impl Default for WatchSettings {
    fn default() -> WatchSettings {
        WatchSettings {
            repair: true,
            update: true,
            at_least: ENOUGH,
        }
    }
}

/// What a look at a site found.
#[derive(Clone, Debug)]
pub struct WatchReport {
    /// The entry for the history.
    pub entry: Entry,
    /// How the wrapper compares with what it gave before; none if there was no page.
    pub check: Option<Report>,
    /// The repair that was made, whether it is used or not.
    pub repair: Option<Repair>,
    /// What went wrong, if something did.
    pub problem: Option<WatchProblem>,
    /// What becomes of the wrapper.
    pub update: Update,
}

impl WatchReport {
    /// Is there something to tell: has the site changed, or could it not be read?
    pub fn is_news(&self) -> bool {
        self.entry.verdict != Outcome::Fine
    }

    /// For programs: the entry of the history, what the check found, what the repair did, what went wrong.
    pub fn to_json(&self) -> Value {
        let line = history::json_lines(std::slice::from_ref(&self.entry));
        let entry: Value = serde_json::from_str(&line).unwrap_or_default();
        let is_used = matches!(self.update, Update::Repaired(_));
        json!({
            "verdict": self.entry.verdict.name(),
            "problem": self.problem.as_ref().map(ToString::to_string),
            "entry": entry,
            "check": self.check.as_ref().map(Report::to_json),
            "repair": self.repair.as_ref().map(|repair| repair_json(repair, is_used)),
        })
    }
}

/// What becomes of a wrapper after a look at its site.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// It stays as it is.
    Nothing,
    /// It learned what its values are like now.
    Learned(Box<Wrapper>),
    /// It was repaired.
    Repaired(Box<Wrapper>),
}

/// Why a look at a site ended badly.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WatchProblem {
    /// No page could be read.
    NoPages,
    /// The site has changed, and no repair was asked for.
    Changed,
    /// The site has changed, and no repair was found.
    Repair(RepairError),
    /// The repair is not sure enough of these fields, in words.
    Unsure(String),
    /// The wrapper was repaired without these fields, of which the repair is not sure enough, in words.
    Partly(String),
    /// The repaired wrapper gives no record.
    NoRecords,
    /// The repair found less than half of the fields again: how many, and of how many.
    FewFields(usize, usize),
    /// The repaired wrapper reads fewer pages than the old one, or not those that are as before: how many the old one reads, and how many the new one.
    FewPages(usize, usize),
    /// An earlier repair left out these fields, and they were not found again.
    StillMissing(String),
}

impl fmt::Display for WatchProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchProblem::NoPages => f.write_str("no page could be read, so nothing was checked"),
            WatchProblem::Changed => f.write_str("the site has changed"),
            WatchProblem::Repair(error) => error.fmt(f),
            WatchProblem::Unsure(why) => write!(f, "{why}, so it stays as it is"),
            WatchProblem::Partly(why) => write!(f, "{why}, so they are left out"),
            WatchProblem::NoRecords => f.write_str("the repaired wrapper gives no record, so it stays as it is"),
            WatchProblem::FewFields(found, of) => write!(
                f,
                "a repair finds only {found} of {of} fields again, so the wrapper stays as it is: are these the right pages?"
            ),
            WatchProblem::FewPages(old, new) => write!(
                f,
                "the wrapper reads {old} of the pages; a repaired one would read {new} and lose some of these, so it stays as it is"
            ),
            WatchProblem::StillMissing(fields) => {
                write!(f, "the last repair left out {fields}, which could not be found again")
            }
        }
    }
}

/// Looks at a site once. `unread` is the number of pages that could not be read, which the entry mentions.
///
/// # Errors
///
/// The wrapper knows nothing, its rule cannot be run, or the job was stopped.
pub fn watch(
    wrapper: &Wrapper,
    documents: &[Document],
    unread: u64,
    settings: &WatchSettings,
    job: &Job,
) -> Result<WatchReport, TendError> {
    if !wrapper.is_known() {
        return Err(TendError::Unknown(Unknown));
    }
    let mut seen = WatchReport {
        entry: Entry {
            when: history::now(),
            wrapper_hash: rule_hash(wrapper),
            pages: documents.len() as u64 + unread,
            failed_pages: unread,
            records: 0,
            verdict: Outcome::Unreadable,
            fields: Vec::new(),
            repair: None,
        },
        check: None,
        repair: None,
        problem: None,
        update: Update::Nothing,
    };
    if documents.is_empty() {
        seen.problem = Some(WatchProblem::NoPages);
        return Ok(seen);
    }
    let found = survey(wrapper, documents, job)?;
    seen.entry.records = found.records();
    seen.entry.fields = fields(&found);
    if found.is_fine() {
        seen.entry.verdict = Outcome::Fine;
        let known = wrapper.evidence.profiles.first().map_or(0, |profile| profile.pages);
        if settings.update && known < LEARNED {
            seen.update = learned(wrapper, documents, &found, job)?;
        }
    } else if settings.repair {
        try_repair(wrapper, documents, settings, &found, job, &mut seen)?;
        // Only a field is missing: what the wrapper gives is as it was.
        let is_stable = !found.has_changed() && found.counts.changed == 0;
        if seen.update == Update::Nothing && settings.update && is_stable {
            seen.update = learned(wrapper, documents, &found, job)?;
        }
    } else {
        seen.entry.verdict = Outcome::Changed;
        seen.problem = Some(WatchProblem::Changed);
    }
    seen.check = Some(found);
    Ok(seen)
}

/// What a wrapper learns from pages on which it works.
fn learned(wrapper: &Wrapper, documents: &[Document], found: &Report, job: &Job) -> Result<Update, TendError> {
    let counted = wrapper.evidence.counted();
    let (mut names, mut hashes): (HashSet<&str>, HashSet<String>) =
        counted.map(|seen| (seen.name.as_str(), seen.hash.clone())).unzip();
    let good = documents.iter().zip(&found.pages);
    let good = good.filter(|(_, page)| page.state == PageState::AsBefore);
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for (document, _) in good {
        let is_new = !names.contains(&*document.name) & hashes.insert(hash(document.page.text()));
        match is_new {
            true => new.push(document),
            false => old.push(document),
        }
        names.insert(&document.name);
    }
    let mut later = Vec::new();
    let mut observer = Observer::new(wrapper).map_err(TendError::Wrapper)?;
    for document in &new {
        later.push(Seen::of(document, &observer.add(document)));
    }
    let again = observe(wrapper, old, job)?;
    let mut next = wrapper.clone();
    merge(&mut next.evidence.profiles, &observer.finish());
    remember(&mut next.evidence, later);
    for (known, again) in next.evidence.profiles.iter_mut().zip(&again) {
        for (known, again) in known.fields.iter_mut().zip(&again.fields) {
            known.remember(&again.samples);
        }
    }
    Ok(match next == *wrapper {
        true => Update::Nothing,
        false => Update::Learned(Box::new(next)),
    })
}

/// Tries a repair, and looks at what it gives.
fn try_repair(
    wrapper: &Wrapper,
    documents: &[Document],
    settings: &WatchSettings,
    found: &Report,
    job: &Job,
    seen: &mut WatchReport,
) -> Result<(), TendError> {
    seen.entry.verdict = Outcome::NotRepaired;
    let mut tried = RepairEntry {
        from_hash: seen.entry.wrapper_hash.clone(),
        to_hash: seen.entry.wrapper_hash.clone(),
        kept_as: String::new(),
        fields: Vec::new(),
        note: String::new(),
    };
    let repaired = refuse_strangers(wrapper, documents, found)
        .and_then(|()| repair_at_least(wrapper, documents, settings.at_least, job));
    let repaired = match repaired {
        Ok(repaired) => repaired,
        Err(RepairError::Stopped) => return Err(TendError::Stopped),
        Err(error) => {
            tried.note = error.to_string();
            seen.entry.repair = Some(tried);
            seen.problem = Some(WatchProblem::Repair(error));
            return Ok(());
        }
    };
    // A field that was left out was not mended.
    let each = repaired.fields.iter().filter(|field| !field.left_out);
    tried.fields = each.map(|field| (field.name.clone(), field.sure)).collect();
    tried.note = repaired.notes.join("; ");
    // The second check: the new wrapper gives records on these documents. How similar their values are to those of before is
    // what `sure` says already.
    let again = observe(&repaired.wrapper, documents, job)?;
    let records = records(&repaired.wrapper, &again);
    if records == 0 {
        seen.problem = Some(WatchProblem::NoRecords);
    } else if !repaired.needed().any(|field| field.sure >= settings.at_least) {
        seen.problem = Some(WatchProblem::Unsure(not_sure(&repaired, settings.at_least)));
    } else if let Some(loss) = loss(wrapper, &repaired, documents, found)? {
        tried.note = loss.to_string();
        seen.problem = Some(loss);
    } else {
        if repaired.sure() < settings.at_least {
            seen.problem = Some(WatchProblem::Partly(not_sure(&repaired, settings.at_least)));
        }
        seen.entry.records = records;
        seen.entry.verdict = Outcome::Repaired;
        tried.to_hash = rule_hash(&repaired.wrapper);
        seen.update = Update::Repaired(Box::new(repaired.wrapper.clone()));
    }
    seen.entry.repair = Some(tried);
    seen.repair = Some(repaired);
    Ok(())
}

/// A repair that nobody looks at must find at least one of this number of the fields again.
const PART: usize = 2;

/// What would be lost if a repair were used without a look at it.
fn loss(
    wrapper: &Wrapper,
    repaired: &Repair,
    documents: &[Document],
    found: &Report,
) -> Result<Option<WatchProblem>, TendError> {
    let needed: Vec<&FieldRepair> = repaired.needed().collect();
    let kept: Vec<&str> = needed
        .iter()
        .filter(|field| !field.left_out)
        .map(|field| field.name.as_str())
        .collect();
    if kept.len() * PART < needed.len() {
        return Ok(Some(WatchProblem::FewFields(kept.len(), needed.len())));
    }
    let (old, new) = (
        read(wrapper, documents, &kept)?,
        read(&repaired.wrapper, documents, &kept)?,
    );
    let pages = |values: &[usize]| values.iter().filter(|count| **count * PART >= kept.len()).count();
    let (before, after) = (pages(&old), pages(&new));
    if repaired.is_for_some || after < before {
        return Ok(Some(WatchProblem::FewPages(before, after)));
    }
    let is_gain = new.iter().sum::<usize>() > old.iter().sum();
    if !found.has_changed() && !is_gain {
        let names: Vec<String> = found.left_out().map(|name| format!("`{name}`")).collect();
        return Ok(Some(WatchProblem::StillMissing(names.join(", "))));
    }
    Ok(None)
}

/// For each page, how many of some fields a wrapper finds on it.
fn read(wrapper: &Wrapper, documents: &[Document], fields: &[&str]) -> Result<Vec<usize>, TendError> {
    let runner = wrapper.runner().map_err(TendError::Wrapper)?;
    let tables = wrapper.record_type.tables();
    let each = documents.iter().map(|document| {
        let mut found = HashSet::new();
        for (table, rows) in tables.iter().zip(runner.rows(document)) {
            for (at, column) in table.columns.iter().enumerate() {
                let path = table.path.iter().chain(&column.path).map(String::as_str);
                if rows.iter().any(|row| !row[at].is_empty()) {
                    found.insert(path.collect::<Vec<_>>().join("."));
                }
            }
        }
        fields.iter().filter(|name| found.contains(**name)).count()
    });
    Ok(each.collect())
}

/// The number of records in the first table with fields: those of a list, and not the pages that it is on.
fn records(wrapper: &Wrapper, profiles: &[Profile]) -> u64 {
    let tables = wrapper.record_type.tables();
    let first = tables.iter().position(|table| !table.columns.is_empty());
    first
        .and_then(|at| profiles.get(at))
        .map_or(0, |profile| profile.records)
}

/// An entry of the history for a repair that a person accepted: `report` is the check before it, `accepted` is the wrapper
/// that is used from now on, which may have been corrected by hand. Where the old wrapper is kept is not known yet, so
/// [`RepairEntry::kept_as`] is empty.
///
/// # Errors
///
/// The new wrapper cannot be run, or the job was stopped.
pub fn accepted_entry(
    old: &Wrapper,
    report: &Report,
    repair: &Repair,
    accepted: &Wrapper,
    documents: &[Document],
    job: &Job,
) -> Result<Entry, TendError> {
    let records = records(accepted, &observe(accepted, documents, job)?);
    let found = repair.fields.iter().filter(|field| !field.left_out);
    Ok(Entry {
        when: history::now(),
        wrapper_hash: rule_hash(old),
        pages: documents.len() as u64,
        failed_pages: 0,
        records,
        verdict: Outcome::Repaired,
        fields: fields(report),
        repair: Some(RepairEntry {
            from_hash: rule_hash(old),
            to_hash: rule_hash(accepted),
            kept_as: String::new(),
            fields: found.map(|field| (field.name.clone(), field.sure)).collect(),
            note: repair.notes.join("; "),
        }),
    })
}

/// How the fields of a run were.
fn fields(found: &Report) -> Vec<FieldEntry> {
    let mut out = Vec::new();
    for table in &found.tables {
        let sides = table.known.fields.iter().zip(&table.now.fields);
        for (health, (known, now)) in table.alarm.fields.iter().zip(sides) {
            let around = table.table.path.iter().map(String::as_str);
            // That a field was never found is no news of this run, and nothing is said of one that is not shown.
            let is_news = known.count > 0 || now.count > 0;
            out.push(FieldEntry {
                name: around.chain([health.name.as_str()]).collect::<Vec<_>>().join("."),
                count: now.count,
                chance: if health.is_shown { health.chance } else { 1.0 },
                reason: health.reasons.first().filter(|_| is_news && health.is_shown).cloned(),
            });
        }
    }
    out
}

/// A hash of the rule alone: what a wrapper knows of its values changes with every run.
fn rule_hash(wrapper: &Wrapper) -> String {
    let bare = Wrapper {
        evidence: Evidence::default(),
        ..wrapper.clone()
    };
    hash(&bare.to_json())
}

/// A wrapper in a file, with its history.
#[derive(Debug)]
pub struct Watcher {
    path: PathBuf,
    wrapper: Wrapper,
    history: History,
}

/// Why a look at a site could not be taken, or not be saved.
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchError {
    /// The wrapper cannot be opened.
    Open(OpenError),
    /// The wrapper cannot be checked, or the job was stopped.
    Tend(TendError),
    /// The history cannot be opened or added to.
    History(HistoryError),
    /// The wrapper cannot be saved.
    Save(SaveError),
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchError::Open(error) => error.fmt(f),
            WatchError::Tend(error) => error.fmt(f),
            WatchError::History(error) => error.fmt(f),
            WatchError::Save(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            WatchError::Open(error) => error,
            WatchError::Tend(error) => error,
            WatchError::History(error) => error,
            WatchError::Save(error) => error,
        })
    }
}

impl WatchError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            WatchError::Tend(error) => error.remedy(),
            WatchError::History(error) => Some(error.remedy()),
            WatchError::Open(_) | WatchError::Save(_) => None,
        }
    }
}

impl Watcher {
    /// Opens a wrapper and its history, which is begun if there is none; see [`history::default_path`].
    ///
    /// # Errors
    ///
    /// The file is not a wrapper, the wrapper knows nothing, or its history cannot be opened.
    pub fn open(path: &Path) -> Result<Watcher, WatchError> {
        let wrapper = Wrapper::open(path).map_err(WatchError::Open)?;
        Watcher::new(path, wrapper)
    }

    /// The same for a wrapper that was read from `path`.
    ///
    /// # Errors
    ///
    /// The wrapper knows nothing, or its history cannot be opened.
    pub fn new(path: &Path, wrapper: Wrapper) -> Result<Watcher, WatchError> {
        if !wrapper.is_known() {
            return Err(WatchError::Tend(TendError::Unknown(Unknown)));
        }
        let history = History::open(&history::default_path(path)).map_err(WatchError::History)?;
        Ok(Watcher {
            path: path.to_owned(),
            wrapper,
            history,
        })
    }

    /// The wrapper as it is now.
    pub fn wrapper(&self) -> &Wrapper {
        &self.wrapper
    }

    /// Sets how the pages of the site are reached from now on. It is saved with the wrapper when that is repaired.
    pub fn set_navigation(&mut self, navigation: Navigation) {
        self.wrapper.navigation = Some(navigation);
    }

    /// Looks at the site once ([`watch`]), saves the wrapper if it changed, and adds the run to the history.
    ///
    /// # Errors
    ///
    /// The wrapper cannot be run, something cannot be saved, or the job was stopped.
    pub fn look(
        &mut self,
        documents: &[Document],
        unread: u64,
        settings: &WatchSettings,
        job: &Job,
    ) -> Result<WatchReport, WatchError> {
        let mut seen = watch(&self.wrapper, documents, unread, settings, job).map_err(WatchError::Tend)?;
        match &seen.update {
            Update::Nothing => {}
            Update::Learned(wrapper) => {
                save_wrapper(&self.path, wrapper).map_err(WatchError::Save)?;
                self.wrapper.clone_from(wrapper);
            }
            Update::Repaired(wrapper) => {
                let kept = replace_wrapper(&self.path, wrapper).map_err(WatchError::Save)?;
                self.wrapper.clone_from(wrapper);
                if let (Some(kept), Some(tried)) = (kept, &mut seen.entry.repair) {
                    tried.kept_as = kept.display().to_string();
                }
            }
        }
        self.history.add(&seen.entry).map_err(WatchError::History)?;
        Ok(seen)
    }
}

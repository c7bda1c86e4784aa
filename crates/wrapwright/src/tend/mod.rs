//! Keeping wrappers alive: check what they give, repair them, watch them.
//!
//! A wrapper keeps what its values look like (see [`profile`](crate::profile)). Four steps use that, each one function:
//!
//! - [`check`] runs a wrapper on pages and compares the result with what is known. It takes any number of documents and
//!   holds one at a time.
//! - [`accept`] says that what the wrapper gives on these pages is right, and adds it to what is known.
//! - [`repair_with`] finds the values again on changed pages and makes a new rule, unless the wrapper still works. The
//!   [`RepairOutcome`] says whether the new wrapper is sure enough to be used.
//! - `watch` (feature `history`) does all of it once: check, repair if something is wrong, check again, and describe the run
//!   as an entry of a history. `Watcher` also saves the wrapper and the entry.
//!
//! None of these reads pages: whoever calls them gives documents, so pages may come from files, from the web or from memory.
//! None prints; reports are data, with a text for people ([`Report::to_text`], [`repair_text`]) and JSON for programs
//! ([`Report::to_json`], [`repair_json`]). All look at their [`Job`] between pages and between the steps of a repair; a job
//! that is stopped ends them with an error, because half a check would be a wrong verdict.
//!
//! The methods themselves are in the crate `tend`, whose items are also here.
//!
//! ```
//! use wrapwright::rule::paths::{PathField, Paths, Way};
//! use wrapwright::tend::{RepairOutcome, RepairSettings, check, repair_with};
//! use wrapwright::wrapper::Rule;
//! use wrapwright::{Document, Job, RecordType, ParseSettings, Wrapper};
//!
//! let document = |html: &str| Document::from_source("page", html, &ParseSettings::default());
//! let old = [document("<h1>Kelp</h1><p>Sea</p>")?, document("<h1>Salt Road</h1><p>Dust</p>")?];
//! let new = [document("<div>Shop</div><h2>Kelp</h2><p>Sea</p>")?, document("<div>Shop</div><h2>Salt Road</h2><p>Dust</p>")?];
//!
//! let title = Way { path: ".//h1".to_owned(), ..Way::default() };
//! let rule = Paths { fields: vec![PathField { many: false, ways: vec![title] }], ..Paths::default() };
//! let wrapper = Wrapper::made(Rule::Paths(rule), RecordType::flat("page", ["title"]), None, &old)?;
//!
//! let job = Job::new();
//! assert!(check(&wrapper, &old, &job)?.is_fine());
//! let report = check(&wrapper, &new, &job)?;
//! assert!(!report.is_fine() && report.to_text(80, false).contains("has changed"));
//!
//! let outcome = repair_with(&wrapper, &new, &RepairSettings::default(), &job)?;
//! let RepairOutcome::Repaired(repair) = outcome else { panic!("not sure enough") };
//! assert_eq!(repair.wrapper.extract(&new[1])?[0].get("title"), Some("Salt Road"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod outcome;
#[cfg(all(feature = "history", feature = "http"))]
mod seen;
#[cfg(feature = "history")]
mod watch;

pub use ::tend::check as check_table;
pub use ::tend::{
    Alarm, DOUBT, ENOUGH, FieldRepair, Findings, FindingsError, Health, PageCounts, PageReport, PageState, Recovered,
    Repair, RepairError, Report, Survey, TableReport, Unknown, Verdict, compare, gather, recover, repair,
    repair_at_least, strangers,
};
pub use outcome::{RepairOutcome, RepairSettings, accept_repair, not_sure, repair_json, repair_text, repair_with};
#[cfg(all(feature = "history", feature = "http"))]
pub use seen::{KEPT_LOOKS, keep_pages};
#[cfg(feature = "history")]
pub use watch::{Update, WatchError, WatchProblem, WatchReport, WatchSettings, Watcher, accepted_entry, watch};

use crate::profile::Profile;
use crate::wrapper::{Evidence, Observer, Seen, Wrapper, WrapperError};
use crate::{Document, Job, Remedy};
use page::job::Event;
use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;

/// Why a wrapper could not be checked, or what it gives not be accepted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TendError {
    /// There are no pages.
    NoPages,
    /// The wrapper gives no record on these pages, so there is nothing to accept.
    NoRecords,
    /// The wrapper keeps nothing to compare with.
    Unknown(Unknown),
    /// Its rule cannot be run.
    Wrapper(WrapperError),
    /// The job was stopped.
    Stopped,
}

impl fmt::Display for TendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TendError::NoPages => f.write_str("there is no page to check the wrapper with, expected at least one"),
            TendError::NoRecords => f.write_str("found no record on these pages, so there is nothing to keep"),
            TendError::Unknown(error) => error.fmt(f),
            TendError::Wrapper(error) => error.fmt(f),
            TendError::Stopped => f.write_str("the check was stopped"),
        }
    }
}

impl std::error::Error for TendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TendError::Unknown(error) => Some(error),
            TendError::Wrapper(error) => Some(error),
            TendError::NoPages | TendError::NoRecords | TendError::Stopped => None,
        }
    }
}

impl TendError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            TendError::NoRecords => Some("give pages on which the wrapper works, or repair it first".into()),
            TendError::Unknown(_) => Some("accept what the wrapper gives on pages on which it works".into()),
            TendError::NoPages | TendError::Wrapper(_) | TendError::Stopped => None,
        }
    }
}

/// Runs a wrapper on documents and compares what it gives with what it gave before.
///
/// # Errors
///
/// There is nothing to compare, or the job was stopped; see [`TendError`].
pub fn check<D: Borrow<Document>>(
    wrapper: &Wrapper,
    documents: impl IntoIterator<Item = D>,
    job: &Job,
) -> Result<Report, TendError> {
    survey(wrapper, documents, job)
}

/// Judges what was found on parts of the pages, perhaps by other processes. Merge parts in a fixed order to get the same
/// report again.
///
/// # Errors
///
/// There are no pages, or the wrapper has nothing to compare with.
pub fn judge(wrapper: &Wrapper, parts: impl IntoIterator<Item = Findings>) -> Result<Report, TendError> {
    let mut all = Findings::none(wrapper);
    for part in parts {
        all.merge(&part);
    }
    match all.counts().all() {
        0 => Err(TendError::NoPages),
        _ => all.judge(wrapper).map_err(TendError::Unknown),
    }
}

/// The same for other steps.
fn survey<D: Borrow<Document>>(
    wrapper: &Wrapper,
    documents: impl IntoIterator<Item = D>,
    job: &Job,
) -> Result<Report, TendError> {
    let mut survey = Survey::new(wrapper).map_err(TendError::Wrapper)?;
    let pages = each(documents, job, |document| drop(survey.add(document)))?;
    match pages {
        0 => Err(TendError::NoPages),
        _ => survey.finish().map_err(TendError::Unknown),
    }
}

/// What was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Pages that were looked at.
    pub pages: u64,
    /// Outermost records that were found on them.
    pub records: u64,
    /// Pages that were known already and are not counted again.
    pub known: u64,
}

/// Takes what the wrapper gives on these documents as right, and adds it to what the wrapper knows. A page that the wrapper
/// knows already, to the letter, is not counted again.
///
/// # Errors
///
/// There is nothing to accept, or the job was stopped; see [`TendError`]. The wrapper is then unchanged.
pub fn accept<D: Borrow<Document>>(
    wrapper: &mut Wrapper,
    documents: impl IntoIterator<Item = D>,
    job: &Job,
) -> Result<Accepted, TendError> {
    let mut observer = Observer::new(wrapper).map_err(TendError::Wrapper)?;
    let is_known = wrapper.is_known();
    let counted = wrapper.evidence.counted().filter(|_| is_known);
    let mut hashes: HashSet<String> = counted.map(|seen| seen.hash.clone()).collect();
    let (mut records, mut known, mut later) = (0, 0, Vec::new());
    let pages = each(documents, job, |document| {
        let (rows, profiles) = observer.look(document);
        records += profiles.first().map_or(0, |profile| profile.records);
        let seen = Seen::of(document, &rows);
        match hashes.insert(seen.hash.clone()) {
            true => {
                observer.merge(&profiles);
                later.push(seen);
            }
            false => known += 1,
        }
    })?;
    if pages == 0 {
        return Err(TendError::NoPages);
    }
    let now = observer.finish();
    if known == 0 && now.iter().all(|profile| profile.records == 0) {
        return Err(TendError::NoRecords);
    }
    let evidence = &mut wrapper.evidence;
    match evidence.profiles.is_empty() {
        true => evidence.profiles = now,
        false => merge(&mut evidence.profiles, &now),
    }
    remember(evidence, later);
    outcome::looked_at(evidence);
    Ok(Accepted { pages, records, known })
}

/// The same for those of these documents that a check finds as before; nothing is accepted if it finds that the site has changed. Unlike with [`accept`],
/// nobody has looked at them. The number of documents that were left out is returned, too.
pub(crate) fn accept_as_before(
    wrapper: &mut Wrapper,
    documents: &[Document],
    job: &Job,
) -> Result<(Accepted, u64), TendError> {
    let report = survey(wrapper, documents, job)?;
    let left_out = match report.has_changed() {
        true => documents.len() as u64,
        false => report.counts.changed + report.counts.others,
    };
    let none = Accepted {
        pages: 0,
        records: 0,
        known: 0,
    };
    let is_odd = |name: &str| report.changed().contains(&name) || report.others().contains(&name);
    let as_before: Vec<&Document> = documents.iter().filter(|document| !is_odd(&document.name)).collect();
    if report.has_changed() || as_before.is_empty() {
        return Ok((none, left_out));
    }
    match accept(wrapper, as_before, job) {
        // A list may be empty on some pages.
        Err(TendError::NoRecords) => Ok((none, left_out)),
        accepted => Ok((accepted?, left_out)),
    }
}

/// Keeps pages as counted.
fn remember(evidence: &mut Evidence, pages: Vec<Seen>) {
    // A wrapper without profiles may name the same page as one that it was made from.
    let made: HashSet<&str> = evidence.pages.iter().map(|seen| seen.hash.as_str()).collect();
    let new: Vec<Seen> = pages
        .into_iter()
        .filter(|page| !made.contains(page.hash.as_str()))
        .collect();
    evidence.later.extend(new);
}

/// Adds profiles to those that are known.
fn merge<'p>(known: &mut [Profile], now: impl IntoIterator<Item = &'p Profile>) {
    for (known, now) in known.iter_mut().zip(now) {
        known.merge(now);
    }
}

/// What a wrapper gives on documents, for each table of its records.
#[cfg(feature = "history")]
fn observe<D: Borrow<Document>>(
    wrapper: &Wrapper,
    documents: impl IntoIterator<Item = D>,
    job: &Job,
) -> Result<Vec<Profile>, TendError> {
    let mut observer = Observer::new(wrapper).map_err(TendError::Wrapper)?;
    each(documents, job, |document| drop(observer.add(document)))?;
    Ok(observer.finish())
}

/// Looks at each document, tells the job, and returns the number of documents.
fn each<D: Borrow<Document>>(
    documents: impl IntoIterator<Item = D>,
    job: &Job,
    mut look: impl FnMut(&Document),
) -> Result<u64, TendError> {
    let mut pages = 0;
    for document in documents {
        if job.is_stopped() {
            return Err(TendError::Stopped);
        }
        let document: &Document = document.borrow();
        job.tell(Event::Page(&document.name));
        look(document);
        pages += 1;
        job.tell(Event::Step { done: pages, of: None });
    }
    match job.is_stopped() {
        true => Err(TendError::Stopped),
        false => Ok(pages),
    }
}

#[cfg(test)]
mod tests;

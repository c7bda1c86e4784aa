//! What a run did, and why it ended.

use super::hints::{ScriptedPage, SkippedFields};
#[cfg(doc)]
use super::options::RunOptions;
use super::required::LackingField;
use std::time::Duration;

/// Why a run ended before its expression did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The caller stopped asking for records.
    Consumer,
    /// [`RunOptions::fail_fast`].
    Failure,
    /// [`RunOptions::pages_left`].
    MaxPages,
    /// [`RunOptions::deadline`].
    Deadline,
    /// [`RunOptions::stop`].
    Stop,
}

/// The most different predicates that are told of: more than a person reads.
const MOST_SKIPPED: usize = 20;

impl RunSummary {
    /// Adds fields that were skipped.
    pub fn add_skipped(&mut self, skipped: &SkippedFields) {
        if let Some(known) = self.skipped.iter_mut().find(|known| known.is_same(skipped)) {
            known.records += skipped.records;
        } else if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(skipped.clone());
        }
    }
}

impl RunSummary {
    /// Adds records that lack a required field.
    pub fn add_lacking(&mut self, lacking: &LackingField) {
        LackingField::add_all(&mut self.lacking, [lacking]);
    }
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// Pages opened, by `doc()` or an action.
    pub pages: usize,
    /// Actions performed.
    pub actions: usize,
    /// Top-level records given to the caller.
    pub records: usize,
    /// The most pages in memory at once.
    pub most_pages: usize,
    /// Branches that failed.
    pub failures: usize,
    /// Branches that were not followed further because of [`RunOptions::max_depth`].
    pub cut: usize,
    /// Time spent waiting for the driver.
    pub waiting: Duration,
    /// Why the run ended early, if it did.
    pub ended: Option<Ended>,
    /// The first page before the first record that seems to be made by scripts, if no browser opened it.
    pub scripted: Option<ScriptedPage>,
    /// Fields that records lack because a predicate before them was false, once for each such predicate.
    pub skipped: Vec<SkippedFields>,
    /// Records that lack a required field, once for each field.
    pub lacking: Vec<LackingField>,
}

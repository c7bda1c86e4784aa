//! What became of a run, counted for people and programs.

use crate::extract::Trouble;
use browse::Stats;
use oxpath::run::{Failure, RunSummary};
use page::Remedy;
use std::collections::BTreeMap;
use std::time::Duration;

/// The kind of failure of a page that a wrapper does not fit, in [`RunReport::failures_by_kind`].
pub const OTHER_KIND: &str = "other-kind";

/// What became of a run, so far or in all.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Pages, records, failures, and why it ended early.
    pub summary: RunSummary,
    /// Failures by [`kind_of`].
    pub failures_by_kind: BTreeMap<String, usize>,
    /// The first failure of each kind, in words.
    pub first_failures: BTreeMap<String, String>,
    /// Repetitions that came back to a page, or found nothing new for long, and were ended there.
    pub circles: usize,
    /// What fetching cost, since the session began.
    pub stats: Stats,
    /// The time since the run was started.
    pub time: Duration,
}

/// Something that a run noticed and that its records do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What was noticed.
    pub message: String,
    /// What to do about it.
    pub remedy: Remedy,
}

impl RunReport {
    /// What the run noticed: a page that seems to be made by scripts, if there are no records; fields that records lack
    /// because a predicate before them was false, once for each such predicate; and required fields that records lack.
    pub fn notices(&self) -> Vec<Notice> {
        let summary = &self.summary;
        let scripted = summary
            .scripted
            .iter()
            .filter(|_| summary.records == 0 && summary.failures == 0);
        let scripted = scripted.map(|page| Notice {
            message: page.to_string(),
            remedy: Remedy::UseBrowser,
        });
        let skipped = summary.skipped.iter().map(|skipped| Notice {
            message: skipped.to_string(),
            remedy: "to keep a record that lacks a field, write the field's predicate as `[? …]`".into(),
        });
        let lacking = summary.lacking.iter().map(|lacking| Notice {
            message: lacking.to_string(),
            remedy: "look at that page; if such records are right, the field is not required".into(),
        });
        scripted.chain(skipped).chain(lacking).collect()
    }

    /// Pages that a wrapper does not fit, or on which its rule did not end as it should, are failures.
    pub(super) fn count_trouble(&mut self, trouble: &Trouble) {
        let name = match trouble {
            Trouble::OtherKind { .. } => OTHER_KIND,
            Trouble::End { .. } => "ended-early",
            Trouble::Misfit { .. } => "misfit",
            // Counted in the summary, by field.
            Trouble::Lacking(_) | Trouble::Joined { .. } | Trouble::Unread(_) => return,
        };
        self.add(name.to_owned(), trouble);
    }

    /// Counts files that could not be downloaded as failures; `first` is what went wrong with the first of them.
    #[cfg(feature = "runs")]
    pub(crate) fn count_downloads(&mut self, count: usize, first: String) {
        self.summary.failures += count;
        *self.failures_by_kind.entry("download".to_owned()).or_default() += count;
        self.first_failures.insert("download".to_owned(), first);
    }

    fn add(&mut self, kind: String, what: &dyn std::fmt::Display) {
        let count = self.failures_by_kind.entry(kind.clone()).or_default();
        *count += 1;
        if *count == 1 {
            self.first_failures.insert(kind, what.to_string());
        }
    }

    pub(super) fn count(&mut self, failure: &Failure) {
        match failure {
            failure if failure.is_warning() => self.circles += 1,
            _ => self.add(kind_of(failure), failure),
        }
    }
}

/// The name of a kind of failure, for programs: `timeout`, `status-404`, `evaluation`. Names never change.
pub fn kind_of(failure: &Failure) -> String {
    let name = match failure {
        Failure::Driver(error) => return error.kind.name(),
        Failure::Eval(_) => "evaluation",
        Failure::NodeLost { .. } => "node-lost",
        Failure::ConditionNotMet { .. } => "condition-not-met",
        Failure::Circle { .. } => "circle",
        Failure::NothingNew { .. } => "nothing-new",
        _ => "other",
    };
    name.to_owned()
}

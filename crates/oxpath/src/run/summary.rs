//! What a run did, and why it ended.

#[cfg(doc)]
use super::options::RunOptions;
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
}

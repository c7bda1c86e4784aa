//! A state of a page: the tab that is in it, and how it was reached.
//!
//! A tab can be in one state at a time, and acting on it usually takes it to the next. A [`Place`] owns its tab as long
//! as the tab is in that state; when an action moves the tab on, the new place takes it over and the old one is left with
//! what it needs to get there again: an address, and the actions since. Nobody pays for that unless a branch does act on
//! the old state, which is the last alternative of most pages never.
//!
//! When the last copy of a place is dropped, its tab is free.

use super::browser::Lease;
use page::driver::Action;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;

/// More actions than this are not repeated.
pub(super) const MOST_STEPS: usize = 500;

/// A state of a page.
pub(super) struct Place {
    pub(super) how: Arc<How>,
    /// The number of the tree in its tab.
    pub(super) version: u64,
    lease: Mutex<Option<Lease>>,
}

impl Place {
    pub(super) fn new(how: Arc<How>, version: u64, lease: Lease) -> Place {
        Place {
            how,
            version,
            lease: Mutex::new(Some(lease)),
        }
    }

    /// The tab, if it is in this state. Whoever holds this is alone with it.
    pub(super) fn lease(&self) -> MutexGuard<'_, Option<Lease>> {
        self.lease.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a state was reached.
pub(super) enum How {
    /// By its address.
    Open {
        url: Url,
        referrer: Option<String>,
        /// May it be a private one?
        private: bool,
    },
    /// By an action in another state.
    Then { before: Option<Arc<How>>, step: Step },
}

/// An action on an element.
#[derive(Clone)]
pub(super) struct Step {
    /// The element by its rank in the tree.
    pub(super) rank: usize,
    /// Its name and id, to know it by.
    pub(super) sign: String,
    pub(super) action: Action,
}

impl How {
    /// The address that it begins with, and the actions since; none if there were too many of them.
    pub(super) fn steps(&self) -> Option<(&How, Vec<&Step>)> {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            match at {
                How::Open { .. } => {
                    steps.reverse();
                    return Some((at, steps));
                }
                How::Then { before, step } => {
                    steps.push(step);
                    at = before.as_deref()?;
                    if steps.len() > MOST_STEPS {
                        return None;
                    }
                }
            }
        }
    }
}

impl Drop for How {
    /// A long way must not be dropped by recursion.
    fn drop(&mut self) {
        let take = |how: &mut How| match how {
            How::Open { .. } => None,
            How::Then { before, .. } => before.take(),
        };
        let mut before = take(self);
        while let Some(how) = before {
            before = Arc::into_inner(how).and_then(|mut how| take(&mut how));
        }
    }
}

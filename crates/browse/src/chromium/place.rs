//! A state of a page: the tab that is in it, and how it was reached.
//!
//! A tab can be in one state at a time, and acting on it usually takes it to the next. A [`Place`] owns its tab as long
//! as the tab is in that state. When an action changes the tab, the new place takes it over, and the old one keeps what
//! is needed to reach its state again: an address, and the actions since. That costs time only if a branch acts on the
//! old state, which on most pages never happens.
//!
//! When the last copy of a place is dropped, its tab is released.

use super::browser::Lease;
use page::driver::{Action, Live};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use url::Url;

/// More actions than this are not repeated.
pub(super) const MOST_STEPS: usize = 500;

/// A state of a page.
pub(super) struct Place {
    pub(super) how: Arc<How>,
    /// The number of pages and states from the start of its branch; the first is 1.
    pub(super) depth: usize,
    /// The number of the tree in its tab.
    pub(super) version: u64,
    lease: Mutex<Option<Lease>>,
}

impl Place {
    pub(super) fn new(how: Arc<How>, depth: usize, version: u64, lease: Lease) -> Place {
        Place {
            how,
            depth,
            version,
            lease: Mutex::new(Some(lease)),
        }
    }

    /// The place of a page from a browser.
    pub(super) fn of(live: &Live) -> Option<&Place> {
        live.state.as_ref()?.downcast_ref()
    }

    /// The tab, if it is in this state. The lock gives exclusive use of it.
    pub(super) fn lease(&self) -> MutexGuard<'_, Option<Lease>> {
        self.lease.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases the tab, if it is not in use; true if it was released.
    fn give_way(&self) -> bool {
        self.lease.try_lock().is_ok_and(|mut lease| lease.take().is_some())
    }
}

/// All places that have not been dropped, oldest first.
///
/// A page that was opened ahead of its turn holds a tab while it waits, and there can be as many of these as there are
/// workers, for each action of the expression. Most of them are never acted on. So the number of tabs is limited to
/// depth of the branch + workers, and a page that needs one more takes it from another page: the one furthest from the
/// start of its branch, and of these the one opened last, which is needed last.
#[derive(Default)]
pub(super) struct Places(Vec<Weak<Place>>);

impl Places {
    pub(super) fn add(&mut self, place: &Arc<Place>) {
        self.0.retain(|place| place.strong_count() > 0);
        self.0.push(Arc::downgrade(place));
    }

    /// The depth of the deepest branch at present.
    pub(super) fn depth(&self) -> usize {
        let depths = self.0.iter().filter_map(|place| Some(place.upgrade()?.depth));
        depths.max().unwrap_or(0)
    }

    /// Takes a tab from a page that can wait; true if one was released.
    pub(super) fn make_room(&self) -> bool {
        let mut places: Vec<Arc<Place>> = self.0.iter().rev().filter_map(Weak::upgrade).collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.depth));
        places.iter().any(|place| place.give_way())
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
    /// By an action on another state.
    Then { before: Option<Arc<How>>, step: Step },
}

/// An action on an element.
#[derive(Clone)]
pub(super) struct Step {
    /// The element by its rank in the tree.
    pub(super) rank: usize,
    /// Its name and id, to recognise it.
    pub(super) sign: String,
    pub(super) action: Action,
}

impl How {
    /// The address at its start, and the actions since; none if there are too many.
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
    /// Without recursion, which could overflow the stack for a long chain.
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

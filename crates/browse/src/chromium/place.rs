//! A state of a page: the tab that is in it, and how it was reached.
//!
//! A tab can be in one state at a time, and acting on it usually takes it to the next. A [`Place`] owns its tab as long
//! as the tab is in that state. When an action changes the tab, the new place takes it over, and the old one keeps what
//! is needed to reach its state again: an address, and the actions since.
//!
//! **A tab comes back.** When the last copy of a place is dropped, its tab goes back to the place that it was taken from,
//! if that is still wanted. The tab has *moved on* from that state: a panel is open, say. Whether the next action may be
//! performed there, or the state must be brought back first, is decided by trying both once and comparing what comes of
//! them ([`Trust`]).

use super::browser::Lease;
use super::sign::Sign;
use page::driver::{Action, Live};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
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
    /// The number of the page that it is a state of. A state that was reached by an action without a new page being loaded
    /// belongs to the page of the state before, even if it was reached in another tab, by bringing that state back.
    pub(super) page: u64,
    /// The place whose tab it has taken over.
    from: Weak<Place>,
    lease: Mutex<Option<Lease>>,
    /// The tab that was in this state and has moved on, without leaving the document.
    moved_on: Mutex<Option<Lease>>,
    trust: Mutex<Vec<(Action, Trust)>>,
    /// The last action here, if it has changed nothing so far. It may yet.
    pending: Mutex<Option<Step>>,
}

/// May an action be performed in a tab that has moved on from a state?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Yes: it led to the same as in the state itself, or there is no other way, which was told.
    InPlace,
    /// No: it led to something else.
    Never,
}

impl Place {
    pub(super) fn new(how: Arc<How>, depth: usize, version: u64, lease: Lease, from: Weak<Place>) -> Place {
        static PAGES: AtomicU64 = AtomicU64::new(0);
        let page = match from.upgrade() {
            Some(before) => before.page,
            None => PAGES.fetch_add(1, Ordering::Relaxed),
        };
        Place {
            how,
            depth,
            version,
            page,
            from,
            lease: Mutex::new(Some(lease)),
            moved_on: Mutex::default(),
            trust: Mutex::default(),
            pending: Mutex::default(),
        }
    }

    /// The place of a page from a browser.
    pub(super) fn of(live: &Live) -> Option<Arc<Place>> {
        Arc::clone(live.state.as_ref()?).downcast().ok()
    }

    /// The tab that was in this state and has moved on, if it still works.
    pub(super) fn moved_on(&self) -> Option<Lease> {
        lock(&self.moved_on).take().filter(Lease::is_alive)
    }

    /// Takes a tab back that has moved on from this state.
    pub(super) fn take_back(&self, lease: Lease) {
        lock(&self.moved_on).get_or_insert(lease);
    }

    /// Remembers, or forgets, an action that has changed nothing so far.
    pub(super) fn set_pending(&self, step: Option<Step>) {
        *lock(&self.pending) = step;
    }

    /// How the state was reached that came later by itself.
    pub(super) fn later(&self, after: u64, took: Duration) -> Arc<How> {
        match lock(&self.pending).take() {
            Some(step) => Arc::new(How::Then {
                before: Some(Arc::clone(&self.how)),
                step: Step {
                    after,
                    took: step.took + took,
                    ..step
                },
            }),
            None => self.how.later(after, took),
        }
    }

    /// May this action be performed in a tab that has moved on? None if that was not tried yet.
    pub(super) fn trust(&self, action: &Action) -> Option<Trust> {
        let known = lock(&self.trust);
        let found = known.iter().find(|(known, _)| known == action);
        found.map(|(_, trust)| *trust)
    }

    pub(super) fn set_trust(&self, action: &Action, trust: Trust) {
        let mut known = lock(&self.trust);
        known.retain(|(known, _)| known != action);
        known.push((action.clone(), trust));
    }

    /// The tab, if it is in this state. The lock gives exclusive use of it.
    pub(super) fn lease(&self) -> MutexGuard<'_, Option<Lease>> {
        lock(&self.lease)
    }

    /// Releases the tab, if it is not in use; true if it was released.
    fn give_way(&self) -> bool {
        let release = |tab: &Mutex<Option<Lease>>| tab.try_lock().is_ok_and(|mut lease| lease.take().is_some());
        release(&self.moved_on) || release(&self.lease)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mine = |tab: &mut Mutex<Option<Lease>>| tab.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let tab = mine(&mut self.lease).or_else(|| mine(&mut self.moved_on));
        if let (Some(tab), Some(from)) = (tab.filter(Lease::is_alive), self.from.upgrade()) {
            from.take_back(tab);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// The element.
    pub(super) sign: Sign,
    /// Its start tag, for messages.
    pub(super) tag: String,
    pub(super) action: Action,
    /// How long to wait after it, if the expression says so.
    pub(super) wait: Option<Duration>,
    /// The fingerprint of the state that it led to.
    pub(super) after: u64,
    /// How long it took to get there, with all waiting.
    pub(super) took: Duration,
}

impl How {
    /// The same, but the state is the one that came later by itself.
    fn later(self: &Arc<How>, after: u64, took: Duration) -> Arc<How> {
        match &**self {
            How::Open { .. } => Arc::clone(self),
            How::Then { before, step } => Arc::new(How::Then {
                before: before.clone(),
                step: Step {
                    after,
                    took: step.took + took,
                    ..step.clone()
                },
            }),
        }
    }

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

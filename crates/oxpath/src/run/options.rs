//! How to run: limits, and when to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Stop at the first failure instead of going on with other branches.
    pub fail_fast: bool,
    /// Pages that may still be opened, by this run and by others that share the number.
    pub pages_left: Option<Arc<AtomicUsize>>,
    /// Follow no branch further than this many pages from its start; the page that it starts with is the first.
    pub max_depth: Option<usize>,
    /// Stop at this time.
    pub deadline: Option<Instant>,
    /// Stop when this says so.
    pub stop: Option<Stop>,
    /// Make values that are addresses absolute, see [`address`](crate::address).
    pub whole_addresses: bool,
    /// The number of this run among several that are made at the same time; drivers are told.
    pub run: u64,
}

/// Whether to stop; asked often during a run.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl Stop {
    /// Asks a function.
    pub fn when(stopped: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Arc::new(stopped))
    }

    /// Should the run stop now?
    pub fn is_now(&self) -> bool {
        (self.0)()
    }
}

impl From<Arc<AtomicBool>> for Stop {
    /// Stops when the flag is true.
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop::when(move || flag.load(Ordering::Relaxed))
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stop").field(&self.is_now()).finish()
    }
}

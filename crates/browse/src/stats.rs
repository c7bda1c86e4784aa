//! What browsing has cost so far: counters that all clones of a driver share.
//!
//! Each counter is an atomic of its own. A [`Stats`] read while others browse is therefore a little uneven, a request
//! counted whose bytes are not yet; once nobody browses it is exact. Times are sums over threads, so together they may
//! exceed the time that passed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What browsing has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Requests that went out: pages, redirects, robots.txt, and every try of each.
    pub requests: u64,
    /// Bytes of bodies that came in, with any compression undone.
    pub bytes: u64,
    /// Requests that were made once more because the one before failed.
    pub retries: u64,
    /// Answers that came from the disk cache.
    pub cache_hits: u64,
    /// Pages that robots.txt forbade.
    pub robots_refusals: u64,
    /// Time between asking and the last byte.
    pub fetching: Duration,
    /// Time from bytes to pages.
    pub parsing: Duration,
    /// Time spent waiting: for a turn at a host, between tries, for a page that says to come back.
    pub waiting: Duration,
}

#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) requests: Counter,
    pub(crate) bytes: Counter,
    pub(crate) retries: Counter,
    pub(crate) cache_hits: Counter,
    pub(crate) robots_refusals: Counter,
    pub(crate) fetching: Counter,
    pub(crate) parsing: Counter,
    pub(crate) waiting: Counter,
}

impl Counters {
    pub(crate) fn read(&self) -> Stats {
        Stats {
            requests: self.requests.get(),
            bytes: self.bytes.get(),
            retries: self.retries.get(),
            cache_hits: self.cache_hits.get(),
            robots_refusals: self.robots_refusals.get(),
            fetching: Duration::from_nanos(self.fetching.get()),
            parsing: Duration::from_nanos(self.parsing.get()),
            waiting: Duration::from_nanos(self.waiting.get()),
        }
    }
}

#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// Adds the time since `start`, in nanoseconds.
    pub(crate) fn add_since(&self, start: Instant) {
        self.add(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

//! What browsing has cost so far: counters that all clones of a driver share.
//!
//! Each counter is a separate atomic. A [`Stats`] that is read while other threads browse is therefore slightly
//! inconsistent: a request may be counted before its bytes. Afterwards it is exact. Times are sums over threads, so
//! they can exceed the time that passed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What browsing has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Requests that were sent: pages, redirects, robots.txt, and every try of each.
    pub requests: u64,
    /// Bytes of received bodies, after decompression.
    pub bytes: u64,
    /// Requests that were sent again because a try failed.
    pub retries: u64,
    /// Answers that came from the disk cache.
    pub cache_hits: u64,
    /// Answers that an earlier process of the same run had kept.
    pub recalled: u64,
    /// Requests whose answer an earlier run has, and which has not changed since, as the server said.
    pub unchanged: u64,
    /// Pages that robots.txt forbade.
    pub robots_refusals: u64,
    /// Time from sending requests to their last byte.
    pub fetching: Duration,
    /// Time for parsing pages.
    pub parsing: Duration,
    /// Time spent waiting: for a turn at a host, between tries, for a page with a delayed refresh.
    pub waiting: Duration,
}

#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) requests: Counter,
    pub(crate) bytes: Counter,
    pub(crate) retries: Counter,
    pub(crate) cache_hits: Counter,
    pub(crate) recalled: Counter,
    pub(crate) unchanged: Counter,
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
            recalled: self.recalled.get(),
            unchanged: self.unchanged.get(),
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

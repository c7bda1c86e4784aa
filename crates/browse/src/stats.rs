//! What browsing has cost so far: counters that all clones of a driver share.
//!
//! Each counter is an atomic of its own. A [`Stats`] read while others browse is therefore a little uneven, a request
//! counted whose bytes are not yet; once nobody browses it is exact. Times are sums over threads, so together they may
//! exceed the time that passed.

use std::time::Duration;

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

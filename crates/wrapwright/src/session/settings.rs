//! Settings of sessions and runs: plain values, with defaults that are safe and polite.

use page::Job;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How pages are had.
#[derive(Clone, Debug, Default)]
pub struct SessionSettings {
    /// How drivers fetch: limits, politeness, headers, cache, proxy.
    pub web: browse::HttpSettings,
    /// Record all answers in this WARC file, which must not exist.
    pub record: Option<PathBuf>,
    /// Get answers of an earlier process of the same run, and keep new ones. Excludes a recording.
    pub recall: Option<Arc<dyn browse::Recall>>,
    /// Begin with the cookies of this file, if it exists, and write them back at the end.
    pub cookies: Option<PathBuf>,
    /// Which browser to use, and how; for [`Session::chromium`](crate::session::Session::chromium) only.
    #[cfg(feature = "chromium")]
    pub browser: browse::chromium::Setup,
}

impl SessionSettings {
    /// Sets a header; it replaces one of the same name.
    pub fn set_header(&mut self, name: &str, value: &str) {
        let headers = &mut self.web.headers;
        headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        headers.push((name.to_owned(), value.to_owned()));
    }

    /// Sets the headers of hosts.
    pub fn set_site_headers(&mut self, headers: &BTreeMap<String, BTreeMap<String, String>>) {
        for (host, headers) in headers {
            let pairs = headers.iter().map(|(name, value)| (name.clone(), value.clone()));
            self.web.site_headers.insert(host.clone(), pairs.collect());
        }
    }
}

/// How far a run goes, and what stops it.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Pages to work on at a time; records come in the same order.
    pub jobs: usize,
    /// Open at most this many pages, over all runs.
    pub max_pages: Option<usize>,
    /// Follow no branch further than this many pages from its start.
    pub max_depth: Option<usize>,
    /// Stop after this time.
    pub max_time: Option<Duration>,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Make values that are addresses absolute. Wrappers always do.
    pub whole_addresses: bool,
    /// Stops the run, and is told each time a page was opened.
    pub job: Job,
    /// Pages that a wrapper need not read again. With it, [`RunEvent::Found`](super::RunEvent::Found) comes before the records
    /// of each page.
    pub known: Option<Arc<dyn KnownPages>>,
}

/// Pages that an earlier run of the same wrapper read.
pub trait KnownPages: Send + Sync + std::fmt::Debug {
    /// A name for the content of a page at an address. Another content has another name.
    fn name(&self, url: &str, body: &[u8]) -> u128;

    /// Hashes of the records of a page, if it was read before.
    fn records(&self, page: u128) -> Option<Vec<u64>>;
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            jobs: 1,
            max_pages: None,
            max_depth: None,
            max_time: None,
            fail_fast: false,
            whole_addresses: false,
            job: Job::new(),
            known: None,
        }
    }
}

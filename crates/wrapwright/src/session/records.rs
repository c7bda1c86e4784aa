//! Records of runs, pulled one at a time.

use super::lanes::Lanes;
use super::report::RunReport;
use super::site::Site;
use crate::download::DownloadFailure;
use crate::extract::Trouble;
use browse::{Fetch, Stats, Web};
use oxpath::run::{Event, Failure, Run, RunSummary};
use page::Job;
use page::job;
use record::{Record, RecordType};
use std::time::Instant;

/// What happens in runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent {
    /// The run of this number, from 0, begins; what follows belongs to it.
    Run(usize),
    /// A record is complete.
    Record(Record),
    /// A branch failed, or came back to a page it had been on; the others go on.
    Failure(Failure),
    /// Something is wrong with what a wrapper found on a page; the others go on.
    Trouble(Trouble),
    /// A file that a record links to could not be downloaded, so the record has no name of one; only from
    /// [`runs::follow`](crate::runs::follow).
    NoFile(DownloadFailure),
    /// A page was opened.
    Page {
        /// How many pages from the start of its branch; the first is 1.
        depth: usize,
    },
    /// A wrapper was applied to a page, whose records come next; only with [`RunSettings::known`](super::RunSettings::known).
    Found {
        /// Its name there.
        page: u128,
        /// The hashes of its records, if it is known. Then it was not read, and no records come.
        known: Option<Vec<u64>>,
    },
}

impl RunEvent {
    pub(super) fn of(event: Event) -> Option<RunEvent> {
        match event {
            Event::Record(record) => Some(RunEvent::Record(record)),
            Event::Failure(failure) => Some(RunEvent::Failure(failure)),
            Event::Page { depth } => Some(RunEvent::Page { depth }),
            _ => None,
        }
    }
}

/// The records of one or several runs: an iterator that works when it is asked, and stops when it is dropped.
///
/// A branch that fails is an `Err` between the records; the other branches go on. A repetition that comes back to a page is
/// not a failure, so only [`Records::next_event`] and [`RunReport::circles`] tell of it.
pub struct Records<'s> {
    source: Source<'s>,
    types: Vec<RecordType>,
    job: Job,
    pages: u64,
    report: RunReport,
    begin: Instant,
    web: Option<Web<Box<dyn Fetch>>>,
}

pub(super) enum Source<'s> {
    /// A single run, and whether it was announced.
    One(Box<Run<'s, 's>>, bool),
    Several(Box<Lanes>),
    /// A wrapper over a site.
    Site(Box<Site>),
}

impl<'s> Records<'s> {
    pub(super) fn new(
        source: Source<'s>,
        types: Vec<RecordType>,
        job: Job,
        web: Option<Web<Box<dyn Fetch>>>,
    ) -> Records<'s> {
        Records {
            source,
            types,
            job,
            pages: 0,
            report: RunReport::default(),
            begin: Instant::now(),
            web,
        }
    }

    /// The types of the records, which are known before the first one.
    pub fn record_types(&self) -> &[RecordType] {
        &self.types
    }

    /// The next event: a record, a failure, a page that was opened, a run that begins.
    pub fn next_event(&mut self) -> Option<RunEvent> {
        let event = match &mut self.source {
            Source::One(_, announced @ false) => {
                *announced = true;
                Some(RunEvent::Run(0))
            }
            Source::One(run, true) => run.find_map(RunEvent::of),
            Source::Several(lanes) => lanes.next(),
            Source::Site(site) => site.next(),
        };
        match &event {
            Some(RunEvent::Page { .. }) => {
                self.pages += 1;
                self.job.tell(job::Event::Step {
                    done: self.pages,
                    of: None,
                });
            }
            Some(RunEvent::Failure(failure)) => self.report.count(failure),
            Some(RunEvent::Trouble(trouble)) => self.report.count_trouble(trouble),
            _ => {}
        }
        event
    }

    /// What was done so far.
    pub fn summary(&self) -> RunSummary {
        match &self.source {
            Source::One(run, _) => run.summary(),
            Source::Several(lanes) => lanes.summary(),
            Source::Site(site) => site.summary(),
        }
    }

    /// How many pages are known that were not used yet; none if several runs are made at the same time.
    pub fn queue(&self) -> Option<usize> {
        match &self.source {
            Source::One(run, _) => Some(run.queue()),
            Source::Several(_) => None,
            Source::Site(site) => Some(site.queue()),
        }
    }

    /// What became of it so far, with kinds of failures, times and costs.
    pub fn report(&self) -> RunReport {
        RunReport {
            summary: self.summary(),
            stats: self.stats(),
            time: self.begin.elapsed(),
            ..self.report.clone()
        }
    }

    /// Does the run end early, because it was stopped or a limit was reached? The records that still come were finished with
    /// the pages at hand, and may lack what other pages would have given.
    pub fn is_ending(&self) -> bool {
        match &self.source {
            Source::One(run, _) => run.ending().is_some(),
            Source::Several(lanes) => lanes.is_ending(),
            // Each page gives whole records.
            Source::Site(_) => false,
        }
    }

    /// What fetching cost, since the session began.
    pub fn stats(&self) -> Stats {
        self.web.as_ref().map(Web::stats).unwrap_or_default()
    }

    /// Ends all runs: there are no more events. The summary says that the caller ended them.
    pub fn stop(&mut self) {
        match &mut self.source {
            Source::One(run, _) => run.stop(),
            Source::Several(lanes) => lanes.stop(),
            Source::Site(site) => site.stop(),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Failure>;

    fn next(&mut self) -> Option<Result<Record, Failure>> {
        loop {
            match self.next_event()? {
                RunEvent::Record(record) => return Some(Ok(record)),
                RunEvent::Failure(failure) if !failure.is_warning() => return Some(Err(failure)),
                _ => {}
            }
        }
    }
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records")
            .field("summary", &self.summary())
            .finish_non_exhaustive()
    }
}

//! What a run tells, one event at a time.
//!
//! [`Run`] is an iterator: it works until there is something to tell and then stops until it is asked again. So records can
//! be pulled without a thread, and a caller that stops asking stops the run. [`Progress`] is the same by callbacks.

use super::ahead::Hands;
use super::failure::Failure;
use super::machine::Machine;
use super::options::RunOptions;
use super::program::Script;
use super::summary::{Ended, RunSummary};
use super::workers::Workers;
use page::driver::{Driver, Live};
use record::Record;
use std::sync::Arc;

/// What a run reports, by callbacks.
pub trait Progress {
    /// A top-level record is finished. False stops the run.
    fn record(&mut self, record: Record) -> bool;
    /// A branch failed, or came back to a page it had been on; the others go on.
    fn failure(&mut self, failure: &Failure);
    /// Another page was opened; `depth` counts the pages from the start of its branch.
    fn page(&mut self, _depth: usize) {}
}

/// What happened in a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A top-level record is finished.
    Record(Record),
    /// A branch failed, or came back to a page it had been on; the others go on.
    Failure(Failure),
    /// Another page was opened.
    Page {
        /// How many pages from the start of its branch; the first is 1.
        depth: usize,
    },
}

/// A run that is under way: an iterator of its events.
///
/// ```
/// use oxpath::run::{Event, RunOptions, Script};
/// # use page::driver::*;
/// # struct Nowhere;
/// # impl Driver for Nowhere {
/// #     fn open(&mut self, _: &str, _: &Options) -> Result<Live, DriverError> { unreachable!() }
/// #     fn open_from(&mut self, _: &str, _: &Live, _: &Options) -> Result<Live, DriverError> { unreachable!() }
/// #     fn act(&mut self, _: &Live, _: page::NodeId, _: &Action, _: &Options) -> Result<Outcome, DriverError> { unreachable!() }
/// # }
/// # let mut driver = Nowhere;
/// let page = page::Page::parse(b"<li>one<li>two", &Default::default()).unwrap();
/// let script = Script::compile("//li:<item=.>", &[]).unwrap();
/// let start = Live::new(page.into(), "a.html");
/// let mut run = script.start(&mut driver, Some(start), &RunOptions::default());
/// let first = run.records().next().unwrap();
/// assert_eq!(first.value.as_deref(), Some("one"));
/// assert_eq!(run.summary().records, 1);
/// ```
pub struct Run<'s, 'd> {
    machine: Machine<'s, 'd>,
}

impl Run<'_, '_> {
    /// The records alone.
    pub fn records(&mut self) -> impl Iterator<Item = Record> {
        self.filter_map(|event| match event {
            Event::Record(record) => Some(record),
            Event::Failure(_) | Event::Page { .. } => None,
        })
    }

    /// What the run did so far.
    pub fn summary(&self) -> RunSummary {
        self.machine.summary()
    }

    /// How many pages were ordered ahead and are not used yet.
    pub fn queue(&self) -> usize {
        self.machine.ahead.len()
    }

    /// Why the run ends early, as soon as that is decided. Records that come after that were finished with the pages at
    /// hand: another run may find more for them.
    pub fn ending(&self) -> Option<Ended> {
        self.machine.summary.ended
    }

    /// Ends the run: there are no more events, and nothing more is done.
    pub fn stop(&mut self) {
        self.machine.abandon();
        self.machine.summary.ended = Some(Ended::Consumer);
    }
}

impl Iterator for Run<'_, '_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.machine.next_event();
        self.machine.summary.records += usize::from(matches!(event, Some(Event::Record(_))));
        event
    }
}

impl std::iter::FusedIterator for Run<'_, '_> {}

impl Drop for Run<'_, '_> {
    /// Workers must not fetch what nobody waits for.
    fn drop(&mut self) {
        self.machine.forget_orders();
    }
}

impl std::fmt::Debug for Run<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("summary", &self.summary())
            .finish_non_exhaustive()
    }
}

impl Script {
    /// Starts the expression; nothing is done until the first event is asked for. The expression opens its first page
    /// itself, by `doc()`, or starts on `page`.
    pub fn start<'s, 'd>(
        &'s self,
        driver: &'d mut dyn Driver,
        page: Option<Live>,
        options: &RunOptions,
    ) -> Run<'s, 'd> {
        self.start_by(Hands::One(driver), page, options)
    }

    /// Starts the expression with several drivers: pages that will be needed are fetched ahead. The events are the same as
    /// with one driver, and come in the same order.
    pub fn start_with<'s, 'd>(
        &'s self,
        workers: &'d mut Workers,
        page: Option<Live>,
        options: &RunOptions,
    ) -> Run<'s, 'd> {
        self.start_by(Hands::Many(workers), page, options)
    }

    fn start_by<'s, 'd>(&'s self, hands: Hands<'d>, page: Option<Live>, options: &RunOptions) -> Run<'s, 'd> {
        let page = page.unwrap_or_else(empty_page);
        Run {
            machine: Machine::new(&self.program, hands, page, options.clone()),
        }
    }

    /// Runs the expression to its end. The expression opens its first page itself, by `doc()`, or starts on `page`.
    pub fn run(
        &self,
        driver: &mut dyn Driver,
        page: Option<Live>,
        options: &RunOptions,
        progress: &mut dyn Progress,
    ) -> RunSummary {
        tell(self.start(driver, page, options), progress)
    }

    /// Runs the expression to its end with several drivers, as [`Script::start_with`].
    pub fn run_with(
        &self,
        workers: &mut Workers,
        page: Option<Live>,
        options: &RunOptions,
        progress: &mut dyn Progress,
    ) -> RunSummary {
        tell(self.start_with(workers, page, options), progress)
    }
}

fn tell(mut run: Run<'_, '_>, progress: &mut dyn Progress) -> RunSummary {
    while let Some(event) = run.next() {
        match event {
            Event::Record(record) => {
                if !progress.record(record) {
                    run.stop();
                }
            }
            Event::Failure(failure) => progress.failure(&failure),
            Event::Page { depth } => progress.page(depth),
        }
    }
    run.summary()
}

/// What a run starts on when it has no page: an empty one.
fn empty_page() -> Live {
    Live::new(Arc::new(page::Page::empty()), "about:blank")
}

//! A wrapper over a live site.
//!
//! A thread of its own walks along the navigation ([`crawl`]) and extracts from each page; what happens comes back through
//! a channel of limited size, so a slow reader slows the walk down, and memory is limited whatever the number of pages. The
//! thread starts when somebody asks for the first event and ends when nobody is left to listen. Somebody who stops the run does
//! not wait for a page that is being fetched.

use super::{KnownPages, RunEvent, RunSettings, SessionError};
use crate::crawl::{self, Route, Stop};
use crate::errand::map_until;
use crate::extract::{Trouble, troubles};
use crate::visit::{Visited, Visitor};
use oxpath::run::{Ended, Failure, RunSummary};
use page::Job;
use page::driver::{DriverError, FailureKind, Live, Options};
use record::RecordType;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use wrapper::{Extracted, Navigation, Runner, Wrapper};

/// How often to check whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// How many pages the walk may be ahead of the reader.
const AHEAD: usize = 4;

/// A run of a wrapper over a site.
pub(crate) struct Site {
    walk: Option<Walk>,
    events: Option<Receiver<Message>>,
    /// Raised when nobody wants more.
    over: Arc<AtomicBool>,
    queue: Arc<AtomicUsize>,
    waiting: VecDeque<RunEvent>,
    summary: RunSummary,
    job: Job,
    fail_fast: bool,
    /// The schema that the user gave.
    given: Option<RecordType>,
}

/// What the walk tells.
enum Message {
    /// A page was opened, this many pages from the start, and extracted from if it is one with records.
    Page {
        url: Arc<str>,
        depth: usize,
        /// Its name among those that are known, if that is asked for.
        name: Option<u128>,
        found: Option<Found>,
    },
    /// A page could not be opened.
    Failure(DriverError),
    /// Pages that are too far from the start.
    Cut(usize),
    /// Why the walk ended early.
    Ended(Ended),
}

/// What a page has.
enum Found {
    /// What was found there now.
    New(Box<Extracted>),
    /// Hashes of what was found there before: it has not changed.
    Known(Vec<u64>),
}

/// What the thread works with.
struct Walk {
    visitor: Arc<dyn Visitor>,
    runner: Arc<Runner>,
    route: Route,
    starts: Vec<String>,
    jobs: usize,
    pages_left: Option<usize>,
    max_depth: usize,
    deadline: Option<Instant>,
    job: Job,
    over: Arc<AtomicBool>,
    known: Option<Arc<dyn KnownPages>>,
    /// Pages to open before the walk goes on.
    queue: Arc<AtomicUsize>,
}

impl Site {
    pub(super) fn new(
        visitor: Arc<dyn Visitor>,
        wrapper: &Wrapper,
        navigation: &Navigation,
        settings: &RunSettings,
    ) -> Result<Site, SessionError> {
        let runner = wrapper.runner().map_err(SessionError::Wrapper)?;
        let given = wrapper.given.as_ref().map(|_| runner.record_type().clone());
        let over = Arc::new(AtomicBool::new(false));
        let queue = Arc::new(AtomicUsize::new(0));
        let walk = Walk {
            visitor,
            runner: Arc::new(runner),
            route: Route::of(navigation).map_err(SessionError::Navigation)?,
            starts: navigation.start.clone(),
            jobs: settings.jobs.max(1),
            pages_left: settings.max_pages,
            max_depth: settings.max_depth.unwrap_or(usize::MAX),
            deadline: settings.max_time.and_then(|time| Instant::now().checked_add(time)),
            job: settings.job.clone(),
            over: Arc::clone(&over),
            known: settings.known.clone(),
            queue: Arc::clone(&queue),
        };
        Ok(Site {
            walk: Some(walk),
            events: None,
            over,
            queue,
            waiting: VecDeque::new(),
            summary: RunSummary::default(),
            job: settings.job.clone(),
            fail_fast: settings.fail_fast,
            given,
        })
    }

    /// The next event.
    pub(super) fn next(&mut self) -> Option<RunEvent> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                match &event {
                    RunEvent::Record(_) => self.summary.records += 1,
                    RunEvent::Found { known, .. } => self.summary.records += known.as_ref().map_or(0, Vec::len),
                    _ => {}
                }
                return Some(event);
            }
            let message = self.receive()?;
            self.take(message);
        }
    }

    fn receive(&mut self) -> Option<Message> {
        if let Some(walk) = self.walk.take() {
            let (sender, receiver) = sync_channel(AHEAD);
            self.events = Some(receiver);
            let started = std::thread::Builder::new().spawn(move || walk.go(&sender));
            if let Err(error) = started {
                let message = format!("the system gives no thread to work on: {error}");
                return Some(Message::Failure(DriverError::new(FailureKind::Other, message)));
            }
        }
        let events = self.events.as_ref()?;
        loop {
            match events.recv_timeout(LOOK) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Timeout) if self.job.is_stopped() => {
                    self.end(Ended::Stop);
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Page {
                url,
                depth,
                name,
                found,
            } => {
                self.summary.pages += 1;
                self.waiting.push_back(RunEvent::Page { depth });
                let (known, new) = match found {
                    None => return,
                    Some(Found::Known(hashes)) => (Some(hashes), None),
                    Some(Found::New(found)) => (None, Some(found)),
                };
                self.waiting.extend(name.map(|page| RunEvent::Found { page, known }));
                if let Some(found) = new {
                    self.found(&url, *found);
                }
            }
            Message::Failure(error) => {
                self.summary.failures += 1;
                self.waiting.push_back(RunEvent::Failure(Failure::Driver(error)));
                if self.fail_fast {
                    self.end(Ended::Failure);
                }
            }
            Message::Cut(count) => self.summary.cut += count,
            Message::Ended(why) => self.summary.ended = Some(why),
        }
    }

    fn found(&mut self, url: &str, found: Extracted) {
        let waiting = &mut self.waiting;
        let mut failures = 0;
        let summary = &mut self.summary;
        troubles(url, &found, self.given.as_ref(), &mut |trouble| {
            match &trouble {
                Trouble::Lacking(lacking) => return summary.add_lacking(lacking),
                Trouble::Joined { .. } => {}
                _ => failures += 1,
            }
            waiting.push_back(RunEvent::Trouble(trouble));
        });
        waiting.extend(found.records.into_iter().map(RunEvent::Record));
        self.summary.failures += failures;
        if failures > 0 && self.fail_fast {
            self.end(Ended::Failure);
        }
    }

    fn end(&mut self, why: Ended) {
        self.over.store(true, Ordering::Relaxed);
        self.events = None;
        self.summary.ended.get_or_insert(why);
    }

    /// How many pages the present page of the list still leads to.
    pub(super) fn queue(&self) -> usize {
        self.queue.load(Ordering::Relaxed)
    }

    pub(super) fn summary(&self) -> RunSummary {
        self.summary.clone()
    }

    /// Ends the run: there are no more events.
    pub(super) fn stop(&mut self) {
        self.walk = None;
        self.waiting.clear();
        self.end(Ended::Consumer);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Nobody listens any more.
struct Gone;

impl Walk {
    fn go(mut self, out: &SyncSender<Message>) {
        for start in std::mem::take(&mut self.starts) {
            let route = self.route.clone();
            let is_over = self.is_over();
            let walked = crawl::walk(&start, &route, &is_over, &mut |stop| self.visit(stop, out));
            if walked.is_err() {
                return;
            }
        }
        let ended = if self.job.is_stopped() {
            Some(Ended::Stop)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Ended::Deadline)
        } else {
            (self.pages_left == Some(0)).then_some(Ended::MaxPages)
        };
        if let Some(ended) = ended {
            // If nobody listens, nobody asks why.
            let _ = out.send(Message::Ended(ended));
        }
    }

    /// Has the walk to end now?
    fn is_over(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let (job, over, deadline) = (self.job.clone(), Arc::clone(&self.over), self.deadline);
        move || {
            job.is_stopped()
                || over.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        }
    }

    /// Opens pages and tells what they contain.
    fn visit(&mut self, stop: Stop<'_>, out: &SyncSender<Message>) -> Result<Vec<Live>, Gone> {
        let Stop {
            mut urls,
            from,
            depth,
            is_detail,
        } = stop;
        if depth > self.max_depth {
            out.send(Message::Cut(urls.len())).map_err(|_| Gone)?;
            return Ok(Vec::new());
        }
        if let Some(left) = &mut self.pages_left {
            urls.truncate(*left);
            *left -= urls.len();
        }
        let has_records = is_detail || !self.route.follows();
        let options = Options {
            deadline: self.deadline,
            ..Options::default()
        };
        let work = {
            let (visitor, runner, from) = (Arc::clone(&self.visitor), Arc::clone(&self.runner), from.cloned());
            let known = self.known.clone().filter(|_| has_records);
            let is_over = self.is_over();
            move |url: &String| {
                if is_over() {
                    return None;
                }
                let (mut name, mut before) = (None, None);
                // A page that is known is read only if it leads on.
                let mut is_enough = |url: &str, body: &[u8]| {
                    name = known.as_ref().map(|known| known.name(url, body));
                    before = known.as_ref().zip(name).and_then(|(known, name)| known.records(name));
                    is_detail && before.is_some()
                };
                let visit = visitor.open_unless(url, from.as_ref(), &options, &mut is_enough);
                Some(visit.map(|visit| match visit {
                    Visited::Enough(url) => (url, None, name, before.map(Found::Known)),
                    Visited::Read(visit) => {
                        let found = match before {
                            Some(hashes) => Some(Found::Known(hashes)),
                            None => has_records.then(|| {
                                let document = visit.document(runner.reads_source());
                                Found::New(Box::new(runner.run(&document, false)))
                            }),
                        };
                        // Only pages of the list lead on.
                        let url = Arc::clone(&visit.live.url);
                        (url, (!is_detail).then_some(visit.live), name, found)
                    }
                }))
            }
        };
        let mut pages = Vec::new();
        let mut told = Ok(());
        let is_over = self.is_over();
        let names = urls.clone();
        let queue = Arc::clone(&self.queue);
        queue.store(urls.len(), Ordering::Relaxed);
        let mapped = map_until(urls, self.jobs, work, &is_over, |at, answer| {
            let broken = || {
                let message = format!("{}: a bug ended the work on this page", names[at]);
                DriverError::new(FailureKind::Other, message)
            };
            let message = match answer.unwrap_or_else(|| Some(Err(broken()))) {
                None => return false,
                // A fetch that the end of the walk interrupted is not a failure.
                Some(Err(_)) if is_over() => return false,
                Some(Err(error)) => Message::Failure(error),
                Some(Ok((url, live, name, found))) => {
                    pages.extend(live);
                    Message::Page {
                        url,
                        depth,
                        name,
                        found,
                    }
                }
            };
            queue.store(names.len() - at - 1, Ordering::Relaxed);
            told = out.send(message).map_err(|_| Gone);
            told.is_ok()
        });
        told?;
        if let Err(error) = mapped {
            let message = format!("the system gives no thread to work on: {error}");
            let failure = Message::Failure(DriverError::new(FailureKind::Other, message));
            out.send(failure).map_err(|_| Gone)?;
        }
        Ok(pages)
    }
}

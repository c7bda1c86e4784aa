//! A worker: leases units, runs them, and brings their records back.
//!
//! One thread leases and sends heartbeats; it never runs a unit, so a unit that takes long does not make the worker look
//! dead. The other threads run one unit each. All of them are one visitor: they share cookies, connections and what
//! robots.txt says, for each job.
//!
//! A unit ends in one of four ways. It is *done*, with its records and failures. It is *tried again* later, perhaps by
//! another worker, if something failed that may pass (a time-out, a server that is down or busy) and tries are left; what was
//! found is dropped. It is *given back* at once if the worker is stopped. Or the worker was given up meanwhile, and what
//! it found is dropped, because somebody else has the unit.
//!
//! If the frontier cannot be reached, the worker waits for it for [`PATIENCE`], and units that are ready to be brought
//! back wait as well.

use super::program::{Input, Ready, compiled, record_to_text};
use super::{
    Frontier, FrontierError, HostTurns, JobId, Lease, Leased, MOST_BYTES, MOST_RECORDS, Program, UnitReport, WorkerId,
};
use crate::session::{Records, RunEvent, RunSettings, Session, SessionError, SessionSettings};
use crate::{Ended, Failure, Job};
use page::driver::{Again, DriverError, FailureKind};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker waits for a frontier that does not answer.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The longest pause between two looks for units.
const POLL: Duration = Duration::from_millis(500);

/// The shortest one.
const SOON: Duration = Duration::from_millis(5);

/// The pause after an error of the frontier.
const PAUSE: Duration = Duration::from_secs(1);

/// Jobs whose programs and sessions are kept.
const MOST_CREWS: usize = 16;

/// The most characters of a failure that are brought back.
const LONGEST: usize = 500;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name, for people.
    pub name: String,
    /// Units to run at a time.
    pub jobs: usize,
    /// It is given up after this time without a heartbeat; heartbeats are three times as frequent.
    pub limit: Duration,
    /// It ends if no unit waits for this long; without it, it waits for ever.
    pub idle: Option<Duration>,
    /// How it fetches pages.
    pub session: SessionSettings,
    /// Stops it.
    pub job: Job,
}

impl WorkerSettings {
    /// A worker that fetches like this, but opens no files, and private addresses only if pages may lead there: what it
    /// runs comes from elsewhere.
    pub fn new(mut session: SessionSettings) -> WorkerSettings {
        session.web.allow_file = false;
        session.web.allow_named_private = session.web.allow_private;
        WorkerSettings {
            name: format!("process {}", std::process::id()),
            jobs: 1,
            limit: Duration::from_secs(60),
            idle: None,
            session,
            job: Job::new(),
        }
    }
}

/// What happens to a worker.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkerEvent {
    /// A unit is done.
    Done(Lease, UnitReport),
    /// A unit will be tried again, or was given up after its last try.
    Again(Lease, UnitReport),
    /// A unit was dropped, because somebody else has it.
    Dropped(Lease),
    /// The worker was given up and starts anew.
    GivenUp,
    /// The frontier does not answer; the worker waits.
    Waits(FrontierError),
}

/// What a worker did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerReport {
    /// Units that are done.
    pub units: u64,
    /// Units that are to be tried again.
    pub again: u64,
    /// Units that somebody else had in the end.
    pub dropped: u64,
    /// Pages that were opened.
    pub pages: u64,
    /// Records that were brought back.
    pub records: u64,
    /// Failures in units that are done.
    pub failures: u64,
}

/// What a thread is to do.
struct Errand {
    lease: Lease,
    /// Raised when the unit should not be finished.
    halt: Arc<AtomicBool>,
}

/// What a thread has done.
enum Outcome {
    Done(UnitReport),
    Again(UnitReport),
    GivenBack,
    Dropped,
}

/// Works until it is stopped, or nothing is left to do for [`WorkerSettings::idle`].
///
/// # Errors
///
/// The frontier does not answer, the system gives no threads, or a setting for fetching cannot be used.
pub fn work(
    frontier: &Arc<dyn Frontier>,
    settings: &WorkerSettings,
    tell: &mut dyn FnMut(WorkerEvent),
) -> Result<WorkerReport, WorkError> {
    // A setting that cannot be used should not cost every unit a try.
    Session::http(&settings.session).map_err(WorkError::Session)?;
    let crews = Arc::new(Crews {
        frontier: Arc::clone(frontier),
        settings: settings.clone(),
        known: Mutex::default(),
    });
    let (send, errands) = channel::<Errand>();
    let (told, outcomes) = channel();
    let errands = Arc::new(Mutex::new(errands));
    let mut threads = Vec::new();
    for _ in 0..settings.jobs.max(1) {
        let (crews, errands, told) = (Arc::clone(&crews), Arc::clone(&errands), told.clone());
        let thread = std::thread::Builder::new().spawn(move || run_errands(&crews, &errands, &told));
        threads.push(thread.map_err(WorkError::Threads)?);
    }
    drop(told);
    let mut foreman = Foreman {
        frontier,
        settings,
        halt: Arc::new(AtomicBool::new(false)),
        running: 0,
        report: WorkerReport::default(),
        failing_since: None,
    };
    let worked = foreman.lead(&send, &outcomes, tell);
    foreman.halt.store(true, Ordering::Relaxed);
    drop(send);
    while let Ok((lease, outcome)) = outcomes.recv() {
        foreman.count(lease, outcome, tell);
    }
    for thread in threads {
        let _ = thread.join();
    }
    worked.map(|()| foreman.report).map_err(WorkError::Frontier)
}

/// Why a worker cannot work.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkError {
    /// The frontier does not answer.
    Frontier(FrontierError),
    /// A setting for fetching cannot be used.
    Session(SessionError),
    /// The system gives no thread.
    Threads(io::Error),
}

impl std::fmt::Display for WorkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WorkError::Frontier(error) => error.fmt(f),
            WorkError::Session(error) => error.fmt(f),
            WorkError::Threads(error) => write!(f, "the system gives no thread to work on: {error}"),
        }
    }
}

impl std::error::Error for WorkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            WorkError::Frontier(error) => Some(error),
            WorkError::Session(error) => Some(error),
            WorkError::Threads(error) => Some(error),
        }
    }
}

/// The thread that leases.
struct Foreman<'w> {
    frontier: &'w Arc<dyn Frontier>,
    settings: &'w WorkerSettings,
    /// For the units of the present registration.
    halt: Arc<AtomicBool>,
    running: usize,
    report: WorkerReport,
    failing_since: Option<Instant>,
}

impl Foreman<'_> {
    fn lead(
        &mut self,
        send: &Sender<Errand>,
        outcomes: &Receiver<(Lease, Outcome)>,
        tell: &mut dyn FnMut(WorkerEvent),
    ) -> Result<(), FrontierError> {
        let WorkerSettings { name, limit, .. } = self.settings;
        let mut worker = self.frontier.enter(name, *limit)?;
        let mut beaten = Instant::now();
        let mut busy = Instant::now();
        while !self.settings.job.is_stopped() {
            let step = self.step(&mut worker, &mut beaten, send);
            let pause = match step {
                Ok(Some(wait)) => {
                    self.failing_since = None;
                    if self.running > 0 || wait.is_some() {
                        busy = Instant::now();
                    }
                    if self.settings.idle.is_some_and(|idle| busy.elapsed() >= idle) {
                        break;
                    }
                    wait.unwrap_or(POLL).clamp(SOON, POLL)
                }
                Ok(None) => {
                    self.failing_since = None;
                    busy = Instant::now();
                    // All threads are busy, or there may be more units at once.
                    if self.running < self.settings.jobs.max(1) {
                        SOON
                    } else {
                        POLL
                    }
                }
                Err(FrontierError::GivenUp) => {
                    tell(WorkerEvent::GivenUp);
                    self.halt.store(true, Ordering::Relaxed);
                    self.halt = Arc::new(AtomicBool::new(false));
                    worker = self.frontier.enter(name, *limit)?;
                    beaten = Instant::now();
                    continue;
                }
                Err(error) => {
                    let since = *self.failing_since.get_or_insert_with(Instant::now);
                    if since.elapsed() > PATIENCE || error.is_mistake() {
                        return Err(error);
                    }
                    tell(WorkerEvent::Waits(error));
                    PAUSE
                }
            };
            let pause = pause.min(*limit / 6).max(SOON);
            match outcomes.recv_timeout(pause) {
                Ok((lease, outcome)) => {
                    self.running -= 1;
                    self.count(lease, outcome, tell);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Whoever looks next gives it up at once; units that are running are given back by their threads before that,
        // or wait again with it.
        self.halt.store(true, Ordering::Relaxed);
        while self.running > 0 {
            let Ok((lease, outcome)) = outcomes.recv() else { break };
            self.running -= 1;
            self.count(lease, outcome, tell);
        }
        let _ = self.frontier.beat(worker, Duration::ZERO);
        Ok(())
    }

    /// A heartbeat if it is time, and units if a thread is free. Gives nothing if units were leased or no thread is
    /// free; otherwise how long to wait if units wait for their hosts.
    #[allow(clippy::type_complexity, reason = "two questions, one answer")]
    fn step(
        &mut self,
        worker: &mut WorkerId,
        beaten: &mut Instant,
        send: &Sender<Errand>,
    ) -> Result<Option<Option<Duration>>, FrontierError> {
        if beaten.elapsed() >= self.settings.limit / 3 {
            if !self.frontier.beat(*worker, self.settings.limit)? {
                return Err(FrontierError::GivenUp);
            }
            *beaten = Instant::now();
            self.frontier.reap()?;
        }
        let free = self.settings.jobs.max(1) - self.running;
        if free == 0 {
            return Ok(None);
        }
        match self.frontier.lease(*worker, free)? {
            Leased::Units(units) => {
                for lease in units {
                    let halt = Arc::clone(&self.halt);
                    self.running += usize::from(send.send(Errand { lease, halt }).is_ok());
                }
                Ok(None)
            }
            Leased::Wait(time) => Ok(Some(Some(time))),
            Leased::Nothing => Ok(Some(None)),
        }
    }

    fn count(&mut self, lease: Lease, outcome: Outcome, tell: &mut dyn FnMut(WorkerEvent)) {
        match outcome {
            Outcome::Done(report) => {
                self.report.units += 1;
                self.report.pages += report.pages as u64;
                self.report.records += report.records as u64;
                self.report.failures += report.failures.values().sum::<usize>() as u64;
                tell(WorkerEvent::Done(lease, report));
            }
            Outcome::Again(report) => {
                self.report.again += 1;
                tell(WorkerEvent::Again(lease, report));
            }
            Outcome::GivenBack => {}
            Outcome::Dropped => {
                self.report.dropped += 1;
                tell(WorkerEvent::Dropped(lease));
            }
        }
    }
}

/// The sessions of jobs.
struct Crews {
    frontier: Arc<dyn Frontier>,
    settings: WorkerSettings,
    known: Mutex<BTreeMap<JobId, Arc<Crew>>>,
}

/// What the units of a job share.
struct Crew {
    program: Program,
    ready: Ready,
    session: Mutex<Session>,
}

impl Crews {
    fn of(&self, job: JobId) -> Result<Option<Arc<Crew>>, FrontierError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(crew) = known.get(&job) {
            return Ok(Some(Arc::clone(crew)));
        }
        let Some(program) = self.frontier.program(job)? else {
            return Ok(None);
        };
        if known.len() >= MOST_CREWS {
            known.retain(|_, crew| Arc::strong_count(crew) > 1);
        }
        let mut settings = self.settings.session.clone();
        if let Some(delay) = program.delay {
            settings.web.delay = Some(Duration::try_from_secs_f64(delay).unwrap_or_default());
        }
        let turns = HostTurns::new(Arc::clone(&self.frontier), self.settings.job.flag());
        settings.web.turns = Some(Arc::new(turns));
        let session = Session::http(&settings).map_err(|error| FrontierError::Program(error.to_string()))?;
        let crew = Arc::new(Crew {
            ready: Ready::new(&program.task)?,
            program,
            session: Mutex::new(session),
        });
        known.insert(job, Arc::clone(&crew));
        Ok(Some(crew))
    }
}

/// A thread that runs units.
fn run_errands(crews: &Crews, errands: &Mutex<Receiver<Errand>>, told: &Sender<(Lease, Outcome)>) {
    loop {
        let next = errands.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Errand { lease, halt }) = next else { return };
        let outcome = bring(crews, &lease, &halt);
        if told.send((lease, outcome)).is_err() {
            return;
        }
    }
}

/// Runs a unit and brings back what became of it, however often that has to be tried.
fn bring(crews: &Crews, lease: &Lease, halt: &Arc<AtomicBool>) -> Outcome {
    let ran = catch_unwind(AssertUnwindSafe(|| run(crews, lease, halt)));
    let ran = ran.unwrap_or_else(|_| Ran::Again(UnitReport::failed("bug", "a bug ended the work on this unit")));
    let frontier = &crews.frontier;
    let begun = Instant::now();
    loop {
        let brought = match &ran {
            Ran::Done(report, records) => frontier.finish(lease, report, records),
            Ran::Again(report) => frontier.give_back(lease, Some(report)),
            Ran::Stopped => frontier.give_back(lease, None),
        };
        match brought {
            Ok(true) => break,
            Ok(false) => return Outcome::Dropped,
            // Without an answer the lease ends by itself.
            Err(_) if begun.elapsed() > PATIENCE || crews.settings.job.is_stopped() => return Outcome::Dropped,
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
    match ran {
        Ran::Done(report, _) => Outcome::Done(report),
        Ran::Again(report) => Outcome::Again(report),
        Ran::Stopped => Outcome::GivenBack,
    }
}

/// How the run of a unit ended.
enum Ran {
    Done(UnitReport, Vec<String>),
    Again(UnitReport),
    Stopped,
}

fn run(crews: &Crews, lease: &Lease, halt: &Arc<AtomicBool>) -> Ran {
    let begun = Instant::now();
    let crew = match crews.of(lease.job) {
        Ok(Some(crew)) => crew,
        // The job was removed; so was the unit.
        Ok(None) => return Ran::Stopped,
        Err(error) => return Ran::Again(UnitReport::failed("program", error.to_string())),
    };
    let settings = RunSettings {
        max_pages: crew.program.max_pages,
        max_depth: crew.program.max_depth,
        max_time: Duration::try_from_secs_f64(crew.program.max_seconds).ok(),
        job: Job::stopped_by(Arc::clone(halt)),
        ..RunSettings::default()
    };
    let is_stopped = || halt.load(Ordering::Relaxed) || crews.settings.job.is_stopped();
    let mistake = |words: String| Ran::Done(UnitReport::failed("mistake", words), Vec::new());
    let mut session = crew.session.lock().unwrap_or_else(PoisonError::into_inner).twin();
    match (&crew.ready, Input::from_json(&lease.input)) {
        (
            Ready::Expression {
                source,
                whole_addresses,
            },
            Ok(Input::Values(values)),
        ) => {
            let runs = match compiled(source, values) {
                Ok(runs) => runs,
                Err(words) => return mistake(words),
            };
            let settings = RunSettings {
                whole_addresses: *whole_addresses,
                ..settings
            };
            match session.run_with(runs.first(), &settings) {
                Ok(records) => collect(records, lease, &crew.program, begun, &is_stopped),
                Err(error) => mistake(error.to_string()),
            }
        }
        (Ready::Wrapper(wrapper), Ok(Input::Start(start))) => {
            let mut wrapper = wrapper.clone();
            wrapper.navigation.get_or_insert_default().start = vec![start];
            match session.run_wrapper(&wrapper, &settings) {
                Ok(records) => collect(records, lease, &crew.program, begun, &is_stopped),
                Err(error) => mistake(error.to_string()),
            }
        }
        (_, Ok(_)) => mistake("the unit is not for this program".to_owned()),
        (_, Err(error)) => mistake(error.to_string()),
    }
}

/// May this failure pass? The driver has tried it several times, within minutes.
fn passes(error: &DriverError) -> bool {
    let is_busy = matches!(error.kind, FailureKind::Status(429 | 500 | 502 | 503 | 504));
    is_busy || error.again != Again::No
}

/// Takes all records of a run, within limits.
fn collect(
    mut events: Records<'_>,
    lease: &Lease,
    program: &Program,
    begun: Instant,
    is_stopped: &dyn Fn() -> bool,
) -> Ran {
    let (mut records, mut bytes, mut may_pass) = (Vec::new(), 0, false);
    while let Some(event) = events.next_event() {
        match event {
            RunEvent::Record(record) => {
                let text = record_to_text(&record);
                bytes += text.len();
                records.push(text);
            }
            RunEvent::Failure(Failure::Driver(error)) => may_pass |= passes(&error),
            _ => {}
        }
        if bytes > MOST_BYTES || records.len() > MOST_RECORDS {
            let words = format!(
                "the unit has more than {MOST_RECORDS} records or {} MB of them; make smaller units",
                MOST_BYTES >> 20
            );
            return Ran::Done(UnitReport::failed("too-large", words), Vec::new());
        }
    }
    let report = events.report();
    let first = report.first_failures.into_iter();
    let report = UnitReport {
        pages: report.summary.pages,
        records: records.len(),
        failures: report.failures_by_kind,
        first_failures: first
            .map(|(kind, words)| (kind, words.chars().take(LONGEST).collect()))
            .collect(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    match events.summary().ended {
        Some(Ended::Stop | Ended::Consumer) => Ran::Stopped,
        // What failed may have failed because of the stop.
        _ if !report.failures.is_empty() && is_stopped() => Ran::Stopped,
        _ if may_pass && lease.tries < program.tries => Ran::Again(report),
        _ => Ran::Done(report, records),
    }
}

//! Runs that go on: after a kill, a power failure, a full disk or Ctrl-C, a run is resumed where it was.
//!
//! **Idea.** Records are a function of the expression and of the answers of the web, and they come in the same order
//! whatever the number of jobs. So it is enough to keep the answers. The directory of a run has
//!
//! | file | |
//! |---|---|
//! | `pages.warc` | every answer, appended before it is used ([`browse::Recording`]) |
//! | `run.sqlite` | what was asked for (arguments, expression, limits), an index of the answers, counters |
//! | `lock` | held by the process that works on the run |
//!
//! A run that is resumed starts from the beginning: requests that were answered get their answers from the recording,
//! without the network, and give the same records in the same order. Each output leaves out those that it has (see
//! [`output`](crate::output)). After that the run goes on as if nothing had happened.
//!
//! **Why nothing is lost or doubled.** (1) A record exists only after the answers that it was made from were appended
//! to the recording. (2) How many records an output has is kept in the output itself, by the same transaction or rename
//! that keeps the records. (3) Records of the second process are those of the first, in the same order; a hash over the
//! records that are there is compared, and the run stops if they differ. (4) When an answer cannot be appended, the run
//! ends before the next record is written ([`KeptRun::write`]), because a page that is missing would move all records
//! after it.
//!
//! **What the disk has.** The index is a shortcut: what was appended after its last commit is read from the end of the
//! recording, and half an answer there is cut off. So after a kill every answer is there. The recording is written to
//! the disk (`fdatasync`) every second, by a thread of its own, and before a batch of a table or a part file is kept for good.
//! After a power failure at most the last seconds are fetched again.
//!
//! **Records that were begun** when a run was stopped are finished with the pages at hand. In tables and part files they are
//! left out, and written when the run goes on.
//!
//! **Failures** are answers: a page that timed out is missing in the resumed run as well, because records after it may
//! have been written. What failed only because the time for the run was over is asked for again. [`KeptRun::retry`] asks
//! for all of them again, for outputs where records may come between others.
//!
//! **Cost.** Starting takes time linear in the answers after the last commit, at most a second's worth. Going through
//! known pages again costs parsing and evaluating them, but no waiting. Memory is a bit for each known request.
//!
//! **Browsers** have state that no recording has. A run in a browser ([`Plan::browser`]) keeps no answers: when it is resumed,
//! it asks for its pages again. So records may come between others, and it needs an output as [`KeptRun::retry`] does.
//!
//! **Known failures.** Local files are read again, so they must not change.
//!
//! ```
//! use wrapwright::output::{OutputSpec, Target};
//! use wrapwright::record::Ending;
//! use wrapwright::runs::{Finish, KeptRun, Plan};
//! use wrapwright::session::{RunEvent, Session, SessionSettings};
//! use wrapwright::Script;
//!
//! # let folder = tempfile::tempdir()?;
//! # let page = folder.path().join("a.html");
//! # std::fs::write(&page, "<li>one<li>two")?;
//! # let source = format!("doc('{}')//li:<item=.>", page.display());
//! # let file = folder.path().join("items.ndjson");
//! # let folder = folder.path().join("run");
//! let mut kept = KeptRun::begin(&folder, &Plan::of(&source))?;
//! let script = Script::compile(&source, &[])?;
//! let mut spec = OutputSpec::new(Target::new(Some(&file), None));
//! kept.prepare(&mut spec);
//! let mut out = spec.open(&script.record_types(), std::io::stdout())?;
//! kept.opened(&out)?;
//! let mut settings = SessionSettings::default();
//! settings.recall = kept.recall();
//! let mut session = Session::http(&settings)?;
//! let mut records = session.run(&script)?;
//! while let Some(event) = records.next_event() {
//!     if let RunEvent::Record(record) = event {
//!         kept.write(&mut out, &record, records.is_ending())?;
//!     }
//!     kept.tick(|| records.report())?;
//! }
//! let ended = out.end(Ending::Complete)?;
//! kept.end(Finish::Ended, &records.report(), Some(&ended.tally))?;
//! assert!(KeptRun::resume(&folder).is_err(), "it has ended");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod carry;
mod error;
mod keeper;
mod list;
mod recall;
mod since;
mod store;

pub use carry::{Carried, CarryProblem, Tell, carry_out, ending, follow};
pub use error::{KeptError, KeptProblem};
pub use list::{RunEntry, last_before, list};

use crate::Record;
use crate::output::{Output, OutputSpec, Resume, Resumption};
use crate::session::{KnownPages, RunEvent, RunReport};
use browse::{Recall, recording_in};
use keeper::{Keeper, Note};
use recall::Memory;
use record::{Sink, Tally};
use serde::{Deserialize, Serialize};
use since::{Pages, Since};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use store::Store;

/// How often the recording is written to the disk and the index is brought up to date.
const INTERVAL: Duration = Duration::from_secs(1);

/// At most this number of hashes of records waits for the database.
const MOST_FOUND: usize = 1 << 16;

/// What was asked for. It is kept, so that nothing has to be said again when a run is resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// How the run was started, in words that whoever started it understands.
    pub arguments: Vec<String>,
    /// The directory that relative paths belong to.
    pub folder: PathBuf,
    /// The expression, or the file of the wrapper.
    pub source: String,
    /// A hash of everything that decides what the records are.
    pub hash: String,
    /// The most pages, if there is a limit.
    pub max_pages: Option<usize>,
    /// The most pages from the start of a branch, if there is a limit.
    pub max_depth: Option<usize>,
    /// The number of jobs.
    pub jobs: usize,
    /// Is it a run in a browser, whose answers cannot be kept?
    #[serde(default)]
    pub browser: bool,
}

impl Plan {
    /// A plan for an expression or a wrapper.
    pub fn of(source: &str) -> Plan {
        Plan {
            source: source.to_owned(),
            hash: Plan::hash_of([source]),
            jobs: 1,
            ..Plan::default()
        }
    }

    /// A hash of texts that decide what the records are.
    pub fn hash_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
        let whole: Vec<String> = texts.into_iter().map(wrapper::hash).collect();
        wrapper::hash(&whole.join(" "))
    }
}

/// How a process that worked on a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The run came to its end.
    Ended,
    /// A limit ended it: pages, time, the first failure.
    Limit,
    /// Somebody stopped it.
    Stopped,
    /// Something could not be written.
    Failed,
}

impl Finish {
    /// Its name, for people and files.
    pub fn name(self) -> &'static str {
        match self {
            Finish::Ended => "ended",
            Finish::Limit => "limit",
            Finish::Stopped => "stopped",
            Finish::Failed => "failed",
        }
    }
}

/// A run with a directory, which this process works on.
#[derive(Debug)]
pub struct KeptRun {
    folder: PathBuf,
    plan: Plan,
    memory: Arc<Memory>,
    /// The name of the run, and its time.
    run: String,
    now: SystemTime,
    /// Has an earlier process opened the output, and what was in its file?
    again: bool,
    before: Option<u64>,
    force: bool,
    retry: bool,
    /// Did an earlier process begin the run?
    resumed: bool,
    since: Option<Since>,
    /// Hashes of records that the database does not have yet.
    found: Vec<u64>,
    /// The same for pages that a wrapper was applied to.
    pages: Vec<(u128, Vec<u64>)>,
    /// The page whose records come now.
    page: Option<(u128, Vec<u64>)>,
    kept: Instant,
    /// Waits for the disk meanwhile. None at the end.
    keeper: Option<Keeper>,
    /// Held as long as this process works on the run.
    _lock: File,
}

impl KeptRun {
    /// Begins a run in a directory, which is made.
    ///
    /// # Errors
    ///
    /// The directory has a run, or cannot be written.
    pub fn begin(folder: &Path, plan: &Plan) -> Result<KeptRun, KeptError> {
        let folder = &absolute(folder)?;
        let lock = lock(folder, true)?;
        let path = folder.join(store::FILE);
        if path.exists() {
            let state = Store::open(&path).and_then(|store| store.text("state"));
            let ended = state.map_err(|problem| problem.at(folder))?.as_deref() == Some("ended");
            return Err(KeptProblem::Exists { ended }.at(folder));
        }
        let spec = OutputSpec::new(crate::output::Target::new(None, None));
        let text = serde_json::to_string(plan).map_err(|error| KeptProblem::from(error).at(folder))?;
        let since = spec.now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let values = [
            ("plan", text),
            ("run", spec.run.clone()),
            ("now", since.as_nanos().to_string()),
            ("begun", crate::output::iso(spec.now)),
            ("state", "running".to_owned()),
            ("processes", "1".to_owned()),
        ];
        let store = Store::create(&path, &values).map_err(|problem| problem.at(folder))?;
        KeptRun::with(folder, plan.clone(), store, lock)
    }

    /// Goes on with the run of a directory.
    ///
    /// # Errors
    ///
    /// There is none, it has ended, another process works on it, or it cannot be read or written.
    pub fn resume(folder: &Path) -> Result<KeptRun, KeptError> {
        KeptRun::open(folder, false)
    }

    /// Goes on with the run of a directory, also with one that has ended, and asks again for the pages that failed.
    ///
    /// What these pages give comes between the other records. So the records of a file are written again from the first new
    /// one on, and a table needs a key.
    ///
    /// # Errors
    ///
    /// As [`KeptRun::resume`].
    pub fn retry(folder: &Path) -> Result<KeptRun, KeptError> {
        KeptRun::open(folder, true)
    }

    fn open(folder: &Path, retry: bool) -> Result<KeptRun, KeptError> {
        let folder = &absolute(folder)?;
        let path = folder.join(store::FILE);
        if !path.is_file() {
            return Err(KeptProblem::Missing.at(folder));
        }
        let lock = lock(folder, false)?;
        let opened = || -> Result<(Store, Plan), KeptProblem> {
            let store = Store::open(&path)?;
            if store.text("state")?.as_deref() == Some("ended") && !retry {
                return Err(KeptProblem::Ended);
            }
            let plan = serde_json::from_str(&store.text("plan")?.unwrap_or_default())?;
            Ok((store, plan))
        };
        let (store, plan) = opened().map_err(|problem| problem.at(folder))?;
        let kept = KeptRun::with(folder, plan, store, lock)?;
        Ok(KeptRun {
            retry,
            resumed: true,
            ..kept
        })
    }

    fn with(folder: &Path, plan: Plan, store: Store, lock: File) -> Result<KeptRun, KeptError> {
        let opened = || -> Result<KeptRun, KeptProblem> {
            let run = store.text("run")?.unwrap_or_default();
            let nanos = store.number("now")?;
            let again = store.text("output")?.is_some();
            let before = store.text("output")?.and_then(|bytes| bytes.parse().ok());
            let memory = Arc::new(Memory::open(&recording_in(folder), store)?);
            Ok(KeptRun {
                keeper: Some(Keeper::start(&memory)?),
                memory,
                folder: folder.to_owned(),
                plan,
                run,
                now: UNIX_EPOCH + Duration::from_nanos(nanos),
                again,
                before,
                force: false,
                retry: false,
                resumed: false,
                since: None,
                found: Vec::new(),
                pages: Vec::new(),
                page: None,
                kept: Instant::now(),
                _lock: lock,
            })
        };
        opened().map_err(|problem| problem.at(folder))
    }

    /// The directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was asked for.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many requests are known.
    pub fn known(&self) -> u64 {
        self.memory.known()
    }

    /// Does the expression or the wrapper still say what it said?
    ///
    /// # Errors
    ///
    /// It does not.
    pub fn check(&self, plan: &Plan) -> Result<(), KeptError> {
        match plan.hash == self.plan.hash || self.force {
            true => Ok(()),
            false => Err(KeptProblem::Changed.at(&self.folder)),
        }
    }

    /// Goes on even if the expression or the records have changed. Records may then be missing or be there twice.
    pub fn force(&mut self) {
        self.force = true;
    }

    /// Leaves out records that the run of another directory has found, and asks servers only for pages that have changed since.
    /// With `stop_at_known`, the run has seen enough after that many known records one after the other.
    ///
    /// # Errors
    ///
    /// There is no such run, or a process works on it.
    pub fn since(&mut self, folder: &Path, stop_at_known: Option<u64>) -> Result<(), KeptError> {
        let (since, earlier) = Since::open(folder, stop_at_known)?;
        self.since = Some(since);
        self.memory.compare_with(earlier);
        let folder = absolute(folder)?;
        let noted = self.memory.with(|store| store.set("since", &folder.to_string_lossy()));
        noted.map_err(|problem| problem.at(&self.folder))
    }

    /// The directory of the run that [`KeptRun::since`] named when this one was begun.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn earlier(&self) -> Result<Option<PathBuf>, KeptError> {
        let since = self.memory.with(|store| store.text("since"));
        since
            .map(|since| since.map(PathBuf::from))
            .map_err(|problem| problem.at(&self.folder))
    }

    /// What a run of a wrapper must know of pages, so that it does not read those again that have not changed.
    pub fn known_pages(&self) -> Arc<dyn KnownPages> {
        Arc::new(Pages::of(&self.memory, &self.plan))
    }

    /// Takes note of an event of a run before it is used; [`KeptRun::write`] takes records.
    pub fn hear(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Found { page, known } => {
                self.end_page();
                match known {
                    None => self.page = Some((*page, Vec::new())),
                    Some(hashes) => {
                        self.found.extend(hashes);
                        self.pages.push((*page, hashes.clone()));
                        if let Some(since) = &mut self.since {
                            hashes.iter().for_each(|hash| {
                                since.knows(*hash);
                            });
                        }
                    }
                }
            }
            // What was wrong there is to be told again.
            RunEvent::Trouble(_) => self.page = None,
            _ => {}
        }
    }

    fn end_page(&mut self) {
        self.pages.extend(self.page.take());
    }

    /// Has the run seen enough known records? Then it has come to its end.
    pub fn has_enough(&self) -> bool {
        self.since.as_ref().is_some_and(Since::has_enough)
    }

    /// How many records were left out, because they were known.
    pub fn left_out(&self) -> u64 {
        self.since.as_ref().map_or(0, |since| since.left_out)
    }

    /// What a session gets answers from and keeps them in; none for one in a browser.
    pub fn recall(&self) -> Option<Arc<dyn Recall>> {
        (!self.plan.browser).then(|| Arc::clone(&self.memory) as Arc<dyn Recall>)
    }

    /// Makes an output go on where an earlier process of this run was.
    pub fn prepare(&self, spec: &mut OutputSpec) {
        spec.run.clone_from(&self.run);
        spec.now = self.now;
        let memory = Arc::clone(&self.memory);
        let mut resume = Resume::new(move || memory.sync());
        resume.force = self.force;
        resume.anew = self.retry || self.plan.browser;
        spec.resumption = Some(Resumption {
            resume,
            again: self.again,
            before: self.before,
        });
    }

    /// The run begins, or goes on, with an output that was opened. Must be called before anything is asked for.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn opened(&self, output: &Output<'_>) -> Result<(), KeptError> {
        let before = output.bytes_before().map_or("-".to_owned(), |bytes| bytes.to_string());
        let noted = self.memory.with(|store| {
            if self.retry {
                store.forget_failures()?;
            }
            if self.resumed {
                let processes: u64 = store.number("processes")?;
                store.set("processes", &(processes + 1).to_string())?;
                store.set("state", "running")?;
                store.forget_records()?;
            }
            if !self.again {
                store.set("output", &before)?;
                store.set("place", output.place())?;
            }
            store.commit()
        });
        noted.map_err(|problem| problem.at(&self.folder))
    }

    /// Writes a record, unless it is known ([`KeptRun::since`]), or an answer could not be kept: then the run must end.
    ///
    /// `is_ending` is [`Records::is_ending`](crate::session::Records::is_ending). A record that was finished with the pages at
    /// hand goes to files alone, which can be corrected when the run goes on.
    ///
    /// # Errors
    ///
    /// The output fails, or an answer could not be kept.
    pub fn write(&mut self, output: &mut Output<'_>, record: &Record, is_ending: bool) -> io::Result<()> {
        self.memory.check()?;
        if is_ending && output.bytes_before().is_none() {
            return Ok(());
        }
        let hash = record.fold(0);
        if !is_ending {
            self.found.push(hash);
            self.page.iter_mut().for_each(|(_, hashes)| hashes.push(hash));
        }
        let is_known = match &mut self.since {
            Some(since) => since.knows(hash),
            None => false,
        };
        match is_known {
            true => Ok(()),
            false => output.record(record),
        }
    }

    /// Keeps how far the run is, once a second. `report` is called only then.
    ///
    /// # Errors
    ///
    /// An answer could not be kept, or the disk refuses.
    pub fn tick(&mut self, report: impl FnOnce() -> RunReport) -> io::Result<()> {
        if self.kept.elapsed() < INTERVAL && self.found.len() < MOST_FOUND {
            return self.memory.check();
        }
        self.kept = Instant::now();
        let note = Note {
            found: std::mem::take(&mut self.found),
            pages: std::mem::take(&mut self.pages),
            report: report(),
        };
        let is_full = note.found.len() >= MOST_FOUND;
        let refused = self.keeper.as_ref().and_then(|keeper| keeper.take(note, is_full));
        if let Some(note) = refused {
            // The disk is slow: a second later, there may be time for it.
            (self.found, self.pages) = (note.found, note.pages);
        }
        self.memory.check()
    }

    /// Removes a run that could not start: nothing was asked for yet. A run with answers is left as it is.
    pub fn discard(self) {
        if !self.memory.is_empty() || self.resumed {
            return;
        }
        let folder = self.folder.clone();
        drop(self);
        for name in [store::FILE, "run.sqlite-wal", "run.sqlite-shm", "run.new", "lock"] {
            let _ = fs::remove_file(folder.join(name));
        }
        let _ = fs::remove_file(recording_in(&folder));
        // Only if nothing else is in it.
        let _ = fs::remove_dir(&folder);
    }

    /// Ends the work of this process on the run.
    ///
    /// # Errors
    ///
    /// It cannot be written. The run can be resumed.
    pub fn end(mut self, finish: Finish, report: &RunReport, tally: Option<&Tally>) -> Result<(), KeptError> {
        if finish == Finish::Ended {
            self.end_page();
        }
        // What it was given is kept before it ends.
        self.keeper = None;
        // What failed before must not be taken for an end.
        let has_failed = self.memory.check().is_err();
        let finish = if has_failed { Finish::Failed } else { finish };
        let keep = |store: &Store| {
            store.add_records(&self.found)?;
            store.add_pages(&self.pages)?;
            if let Some(since) = self.since.as_ref().filter(|since| since.has_enough()) {
                // What was not looked at is known to the next run as well.
                store.add_records(&since.hashes)?;
            }
            store.count(report)?;
            if let Some(tally) = tally {
                let news = self.news(tally, report, finish);
                store.set("added", &news.added.to_string())?;
                store.set("changed", &news.changed.to_string())?;
                store.set("gone", &news.gone.to_string())?;
                store.set("written", &tally.records.to_string())?;
            }
            store.set("ended", &crate::output::iso(SystemTime::now()))?;
            store.set("state", finish.name())?;
            store.close()
        };
        let ended = match has_failed {
            // The recording cannot be written. What it has is found when the run goes on.
            true => self.memory.with(keep),
            false => self.memory.keep_up(keep),
        };
        ended.map_err(|problem| problem.at(&self.folder))
    }

    /// What is new, changed and gone. A table with a key says so itself. Without one, a run is compared with the earlier one: a
    /// record that has changed is a new one, and the old one is gone. What is gone is known only if the run saw everything.
    pub fn news(&self, tally: &Tally, report: &RunReport, finish: Finish) -> News {
        let by_key = News::of(tally);
        let saw_all = finish == Finish::Ended && report.summary.failures == 0 && report.summary.cut == 0;
        match &self.since {
            Some(since) if by_key == News::default() => News {
                added: tally.records,
                gone: if saw_all && !since.has_enough() {
                    since.missing()
                } else {
                    0
                },
                ..by_key
            },
            _ => by_key,
        }
    }
}

/// What is new in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Records that were not there before.
    pub added: u64,
    /// Records that were there with other values.
    pub changed: u64,
    /// Records that were there and are no longer.
    pub gone: u64,
}

impl News {
    /// What a table with a key says.
    pub fn of(tally: &Tally) -> News {
        News {
            added: tally.added,
            changed: tally.changed,
            gone: tally.gone,
        }
    }
}

/// A path that stays what it is when the process changes its directory.
fn absolute(folder: &Path) -> Result<PathBuf, KeptError> {
    std::path::absolute(folder).map_err(|error| KeptProblem::Io(error).at(folder))
}

/// Locks a directory for this process; makes it if asked to.
fn lock(folder: &Path, make: bool) -> Result<File, KeptError> {
    let failed = |error: io::Error| KeptProblem::Io(error).at(folder);
    if make {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join("lock")).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(KeptProblem::Busy.at(folder)),
        // Where there are no locks, one hopes for the best.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

#[cfg(test)]
mod tests;

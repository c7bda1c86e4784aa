//! A frontier: work that several machines share, with one turn per host among all of them.
//!
//! **Idea.** A run that is too large for one machine is a *job*: a program (an expression or a wrapper) and *units*, each of
//! which is one set of values or one address. Whoever submits a job follows it: records come in the order of the units, as
//! if one process had made the run. Workers on any number of machines lease units, run them with a [`Session`](crate::Session), and
//! bring their records back. All that they share is a [`Frontier`]. [`Postgresql`] is one for machines; [`Memory`] is one
//! for the threads of a process, and the model that the SQL is tested against.
//!
//! **Nothing is lost.** A worker has a time limit that it extends by heartbeats. If it dies, the limit passes, and anyone
//! may give it up ([`Frontier::reap`]): its units wait again. A unit that outlives [`Program::tries`] workers is given up,
//! because it is what kills them.
//!
//! **Nothing doubles.** A unit may be *run* more than once, but it is *done* once: its records, with the unit and the position
//! as their key, and the mark that it is done are one transaction, which needs the present lease. A worker that was given
//! up and comes back has no lease; what it brings is dropped.
//!
//! A power failure of the server may forget leases and turns of the last moments, which do not wait for the disk. Then a
//! unit is leased twice, and still done once. What is done is on the disk before the worker is told.
//!
//! **Politeness.** Before each request to a host that has a delay, a worker reserves the next turn there ([`Turns`]): one
//! statement moves the host's next time by the delay and tells how long to wait. So the delay holds across machines, in
//! the order of arrival, without polling. A turn that is reserved and not used, because the worker died, costs one delay.
//! Nobody reserves further ahead than [`AHEAD`]. `Retry-After` moves the next time for all.
//!
//! **Which unit is next.** Units wait by host. A lease looks for hosts whose time has come, in the order in which they
//! became ready, and takes one unit of each. So a thousand units of a slow host do not keep workers from the other hosts. The
//! host of a unit is that of its first page; where it cannot be seen before the run, units are spread over [`UNKNOWN`]
//! queues. This decides only the order: the delay is kept by turns.
//!
//! **Cost.** A unit with one page costs three statements: lease, turn, finish; each is logarithmic in hosts and units. What
//! that means in pages per second is in `docs/scale.md`. Records of a unit are in memory until it is done, at most
//! [`MOST_BYTES`].
//!
//! **Trust.** What is in the database is run by the workers. Who can write there can make every worker fetch any public
//! page with the worker's headers and cookies. Workers open no files and, unless they are told so, no private
//! addresses ([`WorkerSettings::new`]); expressions have the limits that they always have.
//!
//! **Known failures.** Units share the cookies of their worker, as runs with several sets of values do, so a site that
//! counts visits may answer differently. Sites with scripts need a browser, which workers do not have. A unit whose page
//! sends a form may send it again when it is tried again.

mod follow;
mod memory;
#[cfg(feature = "postgres")]
mod postgresql;
mod program;
mod turns;
mod worker;

pub use follow::{Followed, Following};
pub use memory::Memory;
#[cfg(feature = "postgres")]
pub use postgresql::Postgresql;
pub use program::{Input, Program, Task, units_of_runs, units_of_wrapper};
pub use turns::HostTurns;
pub use worker::{PATIENCE, WorkError, WorkerEvent, WorkerReport, WorkerSettings, work};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::time::{Duration, SystemTime};

#[doc(no_inline)]
pub use browse::Turns;

/// The most bytes of records of one unit.
pub const MOST_BYTES: usize = 64 << 20;

/// The most records of one unit.
pub const MOST_RECORDS: usize = 1 << 20;

/// How far ahead a turn at a host is reserved.
pub const AHEAD: Duration = Duration::from_secs(10);

/// The number of queues for units whose host is not known before they run.
pub const UNKNOWN: usize = 64;

/// The version of the tables.
pub const VERSION: i32 = 1;

/// The number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub i64);

/// The number of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerId(pub i64);

/// A unit of a job, before it is submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The host of its first page, or a name of a queue.
    pub host: String,
    /// What the program is run with, as [`Input::to_json`] writes it.
    pub input: String,
}

/// A unit that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its job.
    pub job: JobId,
    /// Its number in the job, from 0.
    pub number: i64,
    /// Which lease this is; no two are the same.
    pub lease: i64,
    /// Which try this is, from 1.
    pub tries: i32,
    /// What the program is run with.
    pub input: String,
}

/// The answer to a request for units.
#[derive(Clone, Debug, PartialEq)]
pub enum Leased {
    /// These; at least one.
    Units(Vec<Lease>),
    /// None yet: all hosts with waiting units are busy for this long.
    Wait(Duration),
    /// None: no unit waits.
    Nothing,
}

/// The answer to a request for a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// It is reserved, and comes after this time.
    In(Duration),
    /// It is not reserved, because it would come only after this time.
    NotBefore(Duration),
}

/// What became of a unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitReport {
    /// Pages that were opened.
    pub pages: usize,
    /// Records that were found.
    pub records: usize,
    /// Failures by kind.
    pub failures: BTreeMap<String, usize>,
    /// The first failure of each kind, in words.
    pub first_failures: BTreeMap<String, String>,
    /// Seconds that it took.
    pub seconds: f64,
}

impl UnitReport {
    /// A unit that failed as a whole.
    pub fn failed(kind: &str, words: impl Into<String>) -> UnitReport {
        UnitReport {
            failures: BTreeMap::from([(kind.to_owned(), 1)]),
            first_failures: BTreeMap::from([(kind.to_owned(), words.into())]),
            ..UnitReport::default()
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON; what cannot be read says nothing.
    pub fn from_json(text: &str) -> UnitReport {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// The report of a unit whose workers died.
fn lost() -> UnitReport {
    UnitReport::failed("worker-lost", "every worker that ran this unit died")
}

/// A job as its followers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Submitted {
    /// Its number.
    pub job: JobId,
    /// Was it there before? Then an earlier process submitted the same work, and did not follow it to its end.
    pub again: bool,
    /// The number of units.
    pub units: i64,
    /// When it was submitted.
    pub made: SystemTime,
    /// Did an earlier follower open its output?
    pub opened: bool,
    /// The bytes that were in the output before.
    pub before: Option<u64>,
}

/// A unit that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its number.
    pub number: i64,
    /// The bytes of its records.
    pub bytes: i64,
    /// What became of it.
    pub report: UnitReport,
}

/// Work that several workers share. All calls are atomic, and the clock is the frontier's own.
pub trait Frontier: Send + Sync + fmt::Debug {
    /// Adds a job with all its units, or finds the same job, which somebody submitted before and which has not ended.
    ///
    /// # Errors
    ///
    /// The frontier cannot be reached. This holds for all calls.
    fn submit(&self, program: &Program, units: &[Unit]) -> Result<Submitted, FrontierError>;

    /// The program of a job; none if the job was removed.
    ///
    /// # Errors
    ///
    /// As above; or another version of this program wrote it.
    fn program(&self, job: JobId) -> Result<Option<Program>, FrontierError>;

    /// Makes the caller the only one who follows a job, as long as it keeps what it gets.
    ///
    /// # Errors
    ///
    /// As above; or [`FrontierError::Followed`].
    fn claim(&self, job: JobId) -> Result<Claim, FrontierError>;

    /// Notes that the output of a job was opened, and the bytes that were in it.
    ///
    /// # Errors
    ///
    /// As above.
    fn opened(&self, job: JobId, before: Option<u64>) -> Result<(), FrontierError>;

    /// The units that are over, from this number on without a gap, at most `most`.
    ///
    /// # Errors
    ///
    /// As above.
    fn done(&self, job: JobId, from: i64, most: i64) -> Result<Vec<Done>, FrontierError>;

    /// The records of units, in order: the unit's number and the record as text.
    ///
    /// # Errors
    ///
    /// As above.
    fn records(&self, job: JobId, units: std::ops::Range<i64>) -> Result<Vec<(i64, String)>, FrontierError>;

    /// Removes a job, done or not.
    ///
    /// # Errors
    ///
    /// As above.
    fn forget(&self, job: JobId) -> Result<(), FrontierError>;

    /// Registers a worker, which is given up after this time without a heartbeat.
    ///
    /// # Errors
    ///
    /// As above.
    fn enter(&self, name: &str, limit: Duration) -> Result<WorkerId, FrontierError>;

    /// A heartbeat; false if the worker was given up.
    ///
    /// # Errors
    ///
    /// As above.
    fn beat(&self, worker: WorkerId, limit: Duration) -> Result<bool, FrontierError>;

    /// Gives up the workers whose time is over; gives the number of units that they had.
    ///
    /// # Errors
    ///
    /// As above.
    fn reap(&self) -> Result<usize, FrontierError>;

    /// Leases up to this number of units.
    ///
    /// # Errors
    ///
    /// As above; or [`FrontierError::GivenUp`].
    fn lease(&self, worker: WorkerId, most: usize) -> Result<Leased, FrontierError>;

    /// Reserves the next turn at a host, if it comes before `longest` is over. After it, the host has a pause of `delay`.
    ///
    /// # Errors
    ///
    /// As above.
    fn turn(&self, host: &str, delay: Duration, longest: Duration) -> Result<Turn, FrontierError>;

    /// No turn at a host before this time is over.
    ///
    /// # Errors
    ///
    /// As above.
    fn hold(&self, host: &str, pause: Duration) -> Result<(), FrontierError>;

    /// Keeps the records of a unit and marks it as done; false if the lease is over, and nothing was kept.
    ///
    /// # Errors
    ///
    /// As above.
    fn finish(&self, lease: &Lease, report: &UnitReport, records: &[String]) -> Result<bool, FrontierError>;

    /// Puts a unit back. With a report, the try counts, and after the last one the unit is given up with it. False if the
    /// lease is over.
    ///
    /// # Errors
    ///
    /// As above.
    fn give_back(&self, lease: &Lease, report: Option<&UnitReport>) -> Result<bool, FrontierError>;
}

/// The right to follow a job; ends when it is dropped.
pub struct Claim(#[allow(dead_code, reason = "it is kept until it is dropped")] Box<dyn Send>);

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claim")
    }
}

/// Why a frontier does not answer as it should.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrontierError {
    /// The server does not answer, or refuses.
    Server {
        /// The server, without its password.
        place: String,
        /// What it says.
        error: io::Error,
    },
    /// The address is not one of a server.
    Address(io::Error),
    /// The tables are those of another version of this program.
    Version {
        /// What was found.
        found: i32,
    },
    /// A program that this version does not understand.
    Program(String),
    /// The worker was given up, because it was silent for too long.
    GivenUp,
    /// Another process follows the job.
    Followed,
    /// This program was compiled without it.
    NotBuilt,
}

impl FrontierError {
    /// Is it a mistake of the user, and not the outside that fails?
    pub fn is_mistake(&self) -> bool {
        match self {
            FrontierError::Server { error, .. } => error.kind() == io::ErrorKind::PermissionDenied,
            FrontierError::GivenUp => false,
            _ => true,
        }
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> Option<page::Remedy> {
        match self {
            FrontierError::Server { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
                Some("the first use makes tables, which needs the right to create a schema in the database".into())
            }
            FrontierError::Server { .. } => Some("check that the server runs, and its address".into()),
            FrontierError::Address(_) => Some("expected something like postgresql://USER@HOST/DATABASE".into()),
            FrontierError::Version { .. } => {
                Some("use the same version on all machines; an empty database gets the tables of this version".into())
            }
            FrontierError::NotBuilt => Some("compile it with the feature `postgres`".into()),
            FrontierError::Followed => Some("wait until it ends; two outputs of one job are not possible".into()),
            FrontierError::Program(_) | FrontierError::GivenUp => None,
        }
    }
}

impl fmt::Display for FrontierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrontierError::Server { place, error } => write!(f, "{place}: {error}"),
            FrontierError::Address(error) => write!(f, "not the address of a frontier: {error}"),
            FrontierError::Version { found } => {
                write!(f, "the frontier has version {found}, expected version {VERSION}")
            }
            FrontierError::Program(why) => write!(f, "the frontier has a job that cannot be run: {why}"),
            FrontierError::GivenUp => f.write_str("this worker was given up, because it was silent for too long"),
            FrontierError::Followed => f.write_str("another process follows the same job"),
            FrontierError::NotBuilt => f.write_str("this program cannot use a PostgreSQL server"),
        }
    }
}

impl std::error::Error for FrontierError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FrontierError::Server { error, .. } | FrontierError::Address(error) => Some(error),
            _ => None,
        }
    }
}

/// Opens the frontier at an address such as `postgresql://ada@db.example.org/crawl`; `password` counts if the address has
/// none.
///
/// # Errors
///
/// The address is wrong, the server does not answer, it has the tables of another version, or this program was compiled
/// without the feature `postgres`.
pub fn open(address: &str, password: Option<&str>) -> Result<std::sync::Arc<dyn Frontier>, FrontierError> {
    #[cfg(feature = "postgres")]
    return Ok(std::sync::Arc::new(Postgresql::open(address, password)?));
    #[cfg(not(feature = "postgres"))]
    {
        let _ = (address, password);
        Err(FrontierError::NotBuilt)
    }
}

#[cfg(test)]
mod tests;

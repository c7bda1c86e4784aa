//! Following a job: its records in the order of its units, while workers work on them in any order.
//!
//! Whoever follows needs nothing of the workers. It asks for the units that are over, from the first on without a gap,
//! and reads their records. A unit that takes long delays the output, not the work. A follower that dies is replaced by
//! running the same command again: the same work is the same job ([`Frontier::submit`]), its records come in the same order,
//! and outputs leave out what they have ([`output`](crate::output)).

use super::program::record_from_text;
use super::{Claim, Done, Frontier, FrontierError, JobId, Submitted, UnitReport};
use crate::output::{OutputSpec, Resume, Resumption, Target};
use crate::session::RunReport;
use crate::{Ended, Job, Record};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Units that are asked for at once.
const UNITS: i64 = 256;

/// The most bytes of records that are read at once, if several units are.
const BYTES: i64 = 8 << 20;

/// Pauses between questions: the shortest and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

impl Submitted {
    /// Makes an output go on where an earlier follower of the job was. Standard output cannot.
    pub fn prepare(&self, spec: &mut OutputSpec) {
        if matches!(spec.target, Target::Stdout(_)) {
            return;
        }
        let made = self.made.duration_since(UNIX_EPOCH).unwrap_or_default();
        let shard = spec.shard.map(|shard| format!("-{shard}")).unwrap_or_default();
        spec.run = format!("job-{}-{}{shard}", self.job.0, made.as_micros());
        spec.now = self.made;
        spec.resumption = Some(Resumption {
            // Records are in the frontier before they are here.
            resume: Resume::new(|| Ok(())),
            again: self.opened,
            before: self.before,
        });
    }
}

/// What happens in a job that is followed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Followed {
    /// The unit of this number, from 0, is over; its records follow.
    Unit(usize),
    /// A record.
    Record(Record),
    /// All records of the unit were given.
    Over(UnitReport),
}

/// A job that is followed by this process, and by no other.
#[derive(Debug)]
pub struct Following {
    frontier: Arc<dyn Frontier>,
    job: JobId,
    units: i64,
    next: i64,
    waiting: VecDeque<Followed>,
    stop: Job,
    begun: Instant,
    reaped: Instant,
    report: RunReport,
    _claim: Claim,
}

impl Following {
    /// Follows a job until its end, or until `stop` is stopped.
    ///
    /// # Errors
    ///
    /// Another process follows it, or the frontier does not answer.
    pub fn new(frontier: &Arc<dyn Frontier>, submitted: &Submitted, stop: Job) -> Result<Following, FrontierError> {
        let claim = frontier.claim(submitted.job)?;
        Ok(Following {
            frontier: Arc::clone(frontier),
            job: submitted.job,
            units: submitted.units,
            next: 0,
            waiting: VecDeque::new(),
            stop,
            begun: Instant::now(),
            reaped: Instant::now(),
            report: RunReport::default(),
            _claim: claim,
        })
    }

    /// The next event; none when all units are over, or after a stop.
    ///
    /// # Errors
    ///
    /// The frontier does not answer, or has something that cannot be read.
    pub fn next_event(&mut self) -> Result<Option<Followed>, FrontierError> {
        let mut pause = PAUSES.0;
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(Some(event));
            }
            if self.next >= self.units {
                return Ok(None);
            }
            if self.stop.is_stopped() {
                self.report.summary.ended = Some(Ended::Stop);
                return Ok(None);
            }
            let done = self.frontier.done(self.job, self.next, UNITS)?;
            if done.is_empty() {
                // Workers do this, too; but there may be none left.
                if self.reaped.elapsed() > PAUSES.1 {
                    self.frontier.reap()?;
                    self.reaped = Instant::now();
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(PAUSES.1);
                continue;
            }
            self.read(done)?;
        }
    }

    /// Reads the records of some of these units.
    fn read(&mut self, mut done: Vec<Done>) -> Result<(), FrontierError> {
        let mut bytes = 0;
        let fits = |unit: &&Done| {
            bytes += unit.bytes;
            bytes <= BYTES
        };
        let count = done.iter().take_while(fits).count().max(1);
        done.truncate(count);
        let begin = self.next;
        self.next += i64::try_from(done.len()).unwrap_or(0);
        let mut records = self
            .frontier
            .records(self.job, begin..self.next)?
            .into_iter()
            .peekable();
        for unit in done {
            self.waiting
                .push_back(Followed::Unit(usize::try_from(unit.number).unwrap_or(0)));
            while let Some((_, text)) = records.next_if(|(number, _)| *number == unit.number) {
                self.report.summary.records += 1;
                self.waiting.push_back(Followed::Record(record_from_text(&text)?));
            }
            self.count(&unit.report);
            self.waiting.push_back(Followed::Over(unit.report));
        }
        Ok(())
    }

    fn count(&mut self, unit: &UnitReport) {
        self.report.summary.pages += unit.pages;
        for (kind, count) in &unit.failures {
            self.report.summary.failures += count;
            *self.report.failures_by_kind.entry(kind.clone()).or_default() += count;
        }
        for (kind, words) in &unit.first_failures {
            let first = self.report.first_failures.entry(kind.clone());
            first.or_insert_with(|| words.clone());
        }
    }

    /// The number of units.
    pub fn units(&self) -> i64 {
        self.units
    }

    /// Are all units over, and all their records given?
    pub fn is_over(&self) -> bool {
        self.next >= self.units && self.waiting.is_empty()
    }

    /// What became of the job so far: pages, records and failures of the units that were read.
    pub fn report(&self) -> RunReport {
        RunReport {
            time: self.begun.elapsed(),
            ..self.report.clone()
        }
    }

    /// Removes the job, because its output is whole.
    ///
    /// # Errors
    ///
    /// The frontier does not answer.
    pub fn forget(self) -> Result<(), FrontierError> {
        self.frontier.forget(self.job)
    }
}

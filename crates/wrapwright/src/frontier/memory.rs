//! A frontier in memory: for the threads of one process, and the model that the SQL is compared with in tests.
//!
//! It does what `schema.sql` does, in the plainest way: one lock, and every question is answered by looking at all units.

use super::{
    Claim, Done, Frontier, FrontierError, JobId, Lease, Leased, Program, Submitted, Turn, Unit, UnitReport, WorkerId,
    lost,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A frontier in memory.
#[derive(Debug, Default)]
pub struct Memory {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    jobs: BTreeMap<JobId, JobState>,
    workers: BTreeMap<WorkerId, Instant>,
    hosts: BTreeMap<String, Host>,
    followed: BTreeSet<JobId>,
    last_job: i64,
    last_worker: i64,
    last_lease: i64,
}

#[derive(Debug)]
struct JobState {
    program: Program,
    submitted: Submitted,
    hash: String,
    units: Vec<UnitState>,
}

#[derive(Debug)]
struct UnitState {
    host: String,
    input: String,
    stage: Stage,
    tries: i32,
}

#[derive(Debug)]
enum Stage {
    Waiting,
    Leased(WorkerId, i64),
    /// With the lease by which it was done; given up without one.
    Over(Option<i64>, UnitReport, Vec<String>),
}

#[derive(Debug, Default)]
struct Host {
    next: Option<Instant>,
    ready: Option<Instant>,
    pace: Duration,
}

impl Memory {
    /// A frontier without jobs.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn unit(&mut self, lease: &Lease) -> Option<(&mut UnitState, i32)> {
        let job = self.jobs.get_mut(&lease.job)?;
        let most = job.program.tries;
        let unit = job.units.get_mut(usize::try_from(lease.number).ok()?)?;
        Some((unit, most))
    }

    /// The waiting unit of a host that is next: job and number.
    fn next_of(&self, host: &str) -> Option<(JobId, usize)> {
        let all = self.jobs.iter().flat_map(|(job, state)| {
            let units = state.units.iter().enumerate();
            units.map(move |(number, unit)| (unit, *job, number))
        });
        let waiting = all.filter(|(unit, ..)| unit.host == host && matches!(unit.stage, Stage::Waiting));
        let first = waiting.min_by_key(|(unit, job, number)| (unit.tries, *job, *number));
        first.map(|(_, job, number)| (job, number))
    }
}

impl UnitState {
    /// Back to the others, or given up.
    fn put_back(&mut self, most: i32, report: UnitReport) {
        self.stage = match self.tries >= most {
            true => Stage::Over(None, report, Vec::new()),
            false => Stage::Waiting,
        };
    }
}

impl Frontier for Memory {
    fn submit(&self, program: &Program, units: &[Unit]) -> Result<Submitted, FrontierError> {
        let mut state = self.lock();
        let hash = program.hash(units);
        if let Some(job) = state.jobs.values().find(|job| job.hash == hash) {
            return Ok(Submitted {
                again: true,
                ..job.submitted.clone()
            });
        }
        state.last_job += 1;
        let submitted = Submitted {
            job: JobId(state.last_job),
            again: false,
            units: i64::try_from(units.len()).unwrap_or(i64::MAX),
            made: SystemTime::now(),
            opened: false,
            before: None,
        };
        for unit in units {
            let pace = match unit.host.starts_with('?') {
                true => Duration::ZERO,
                false => Duration::try_from_secs_f64(program.delay.unwrap_or_default()).unwrap_or_default(),
            };
            let host = state.hosts.entry(unit.host.clone()).or_default();
            host.pace = host.pace.max(pace);
        }
        let units = units.iter().map(|unit| UnitState {
            host: unit.host.clone(),
            input: unit.input.clone(),
            stage: Stage::Waiting,
            tries: 0,
        });
        let job = JobState {
            program: program.clone(),
            submitted: submitted.clone(),
            hash,
            units: units.collect(),
        };
        state.jobs.insert(submitted.job, job);
        Ok(submitted)
    }

    fn program(&self, job: JobId) -> Result<Option<Program>, FrontierError> {
        Ok(self.lock().jobs.get(&job).map(|job| job.program.clone()))
    }

    fn claim(&self, job: JobId) -> Result<Claim, FrontierError> {
        struct Held(Arc<Mutex<State>>, JobId);
        impl Drop for Held {
            fn drop(&mut self) {
                let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                state.followed.remove(&self.1);
            }
        }
        match self.lock().followed.insert(job) {
            true => Ok(Claim(Box::new(Held(Arc::clone(&self.state), job)))),
            false => Err(FrontierError::Followed),
        }
    }

    fn opened(&self, job: JobId, before: Option<u64>) -> Result<(), FrontierError> {
        if let Some(job) = self.lock().jobs.get_mut(&job) {
            (job.submitted.opened, job.submitted.before) = (true, before);
        }
        Ok(())
    }

    fn done(&self, job: JobId, from: i64, most: i64) -> Result<Vec<Done>, FrontierError> {
        let state = self.lock();
        let units = state
            .jobs
            .get(&job)
            .into_iter()
            .flat_map(|job| job.units.iter().enumerate());
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let done = units.skip(skipped).take(usize::try_from(most).unwrap_or(0));
        let done = done.map_while(|(number, unit)| match &unit.stage {
            Stage::Over(_, report, records) => Some(Done {
                number: i64::try_from(number).unwrap_or(i64::MAX),
                bytes: i64::try_from(records.iter().map(String::len).sum::<usize>()).unwrap_or(i64::MAX),
                report: report.clone(),
            }),
            _ => None,
        });
        Ok(done.collect())
    }

    fn records(&self, job: JobId, units: Range<i64>) -> Result<Vec<(i64, String)>, FrontierError> {
        let state = self.lock();
        let mut found = Vec::new();
        for number in units {
            let job = state.jobs.get(&job);
            let unit = job.and_then(|job| job.units.get(usize::try_from(number).ok()?));
            if let Some(Stage::Over(_, _, records)) = unit.map(|unit| &unit.stage) {
                found.extend(records.iter().map(|record| (number, record.clone())));
            }
        }
        Ok(found)
    }

    fn forget(&self, job: JobId) -> Result<(), FrontierError> {
        self.lock().jobs.remove(&job);
        Ok(())
    }

    fn enter(&self, _name: &str, limit: Duration) -> Result<WorkerId, FrontierError> {
        let mut state = self.lock();
        state.last_worker += 1;
        let worker = WorkerId(state.last_worker);
        state.workers.insert(worker, Instant::now() + limit);
        Ok(worker)
    }

    fn beat(&self, worker: WorkerId, limit: Duration) -> Result<bool, FrontierError> {
        let mut state = self.lock();
        let until = state.workers.get_mut(&worker);
        Ok(until.map(|until| *until = Instant::now() + limit).is_some())
    }

    fn reap(&self) -> Result<usize, FrontierError> {
        let mut state = self.lock();
        let now = Instant::now();
        let over = state.workers.iter().filter(|(_, until)| **until < now);
        let over: Vec<WorkerId> = over.map(|(worker, _)| *worker).collect();
        let mut freed = 0;
        for worker in over {
            state.workers.remove(&worker);
            for job in state.jobs.values_mut() {
                let most = job.program.tries;
                for unit in &mut job.units {
                    if matches!(unit.stage, Stage::Leased(by, _) if by == worker) {
                        unit.put_back(most, lost());
                        freed += 1;
                    }
                }
            }
        }
        Ok(freed)
    }

    fn lease(&self, worker: WorkerId, most: usize) -> Result<Leased, FrontierError> {
        let mut state = self.lock();
        let state = &mut *state;
        if !state.workers.contains_key(&worker) {
            return Err(FrontierError::GivenUp);
        }
        let now = Instant::now();
        let names: Vec<String> = state.hosts.keys().cloned().collect();
        let mut waiting: Vec<(Option<Instant>, String)> = Vec::new();
        for name in names {
            if state.next_of(&name).is_some() {
                let host = &state.hosts[&name];
                // As in SQL, what others have reserved moves the host back.
                waiting.push((host.ready.max(host.next.filter(|next| *next > now)), name));
            }
        }
        waiting.sort();
        let mut units = Vec::new();
        let first = waiting.first().map(|(ready, _)| *ready);
        for (_, name) in waiting
            .into_iter()
            .filter(|(ready, _)| ready.is_none_or(|ready| ready <= now))
        {
            let pace = state.hosts[&name].pace;
            let want = if pace.is_zero() { most } else { 1 };
            let mut taken = 0;
            while taken < want && units.len() < most {
                let Some((job, number)) = state.next_of(&name) else {
                    break;
                };
                state.last_lease += 1;
                let lease = state.last_lease;
                let unit = state.jobs.get_mut(&job).and_then(|job| job.units.get_mut(number));
                let Some(unit) = unit else { break };
                unit.stage = Stage::Leased(worker, lease);
                unit.tries += 1;
                units.push(Lease {
                    job,
                    number: i64::try_from(number).unwrap_or(i64::MAX),
                    lease,
                    tries: unit.tries,
                    input: unit.input.clone(),
                });
                taken += 1;
            }
            if let Some(host) = state.hosts.get_mut(&name).filter(|_| taken > 0) {
                host.ready = Some(now + pace);
            }
        }
        Ok(match first {
            _ if !units.is_empty() => Leased::Units(units),
            Some(ready) => Leased::Wait(ready.map_or(Duration::ZERO, |ready| ready.saturating_duration_since(now))),
            None => Leased::Nothing,
        })
    }

    fn turn(&self, host: &str, delay: Duration, longest: Duration) -> Result<Turn, FrontierError> {
        let mut state = self.lock();
        let host = state.hosts.entry(host.to_owned()).or_default();
        let now = Instant::now();
        let due = host.next.filter(|next| *next > now).unwrap_or(now);
        if due > now + longest {
            return Ok(Turn::NotBefore(due - now));
        }
        host.next = Some(due + delay);
        host.pace = delay;
        Ok(Turn::In(due - now))
    }

    fn hold(&self, host: &str, pause: Duration) -> Result<(), FrontierError> {
        let mut state = self.lock();
        let host = state.hosts.entry(host.to_owned()).or_default();
        host.next = host.next.max(Some(Instant::now() + pause));
        Ok(())
    }

    fn finish(&self, lease: &Lease, report: &UnitReport, records: &[String]) -> Result<bool, FrontierError> {
        let mut state = self.lock();
        let Some((unit, _)) = state.unit(lease) else {
            return Ok(false);
        };
        Ok(match unit.stage {
            Stage::Leased(_, number) if number == lease.lease => {
                unit.stage = Stage::Over(Some(number), report.clone(), records.to_vec());
                true
            }
            Stage::Over(Some(number), ..) => number == lease.lease,
            _ => false,
        })
    }

    fn give_back(&self, lease: &Lease, report: Option<&UnitReport>) -> Result<bool, FrontierError> {
        let mut state = self.lock();
        let Some((unit, most)) = state.unit(lease) else {
            return Ok(false);
        };
        match unit.stage {
            Stage::Leased(_, number) if number == lease.lease => {}
            _ => return Ok(false),
        }
        match report {
            Some(report) => unit.put_back(most, report.clone()),
            None => {
                unit.tries -= 1;
                unit.stage = Stage::Waiting;
            }
        }
        Ok(true)
    }
}

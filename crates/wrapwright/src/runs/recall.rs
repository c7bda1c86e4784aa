//! The answers of a run: those of earlier processes are found by the database, new ones go to the recording.

use super::error::KeptProblem;
use super::since::Earlier;
use super::store::Store;
use browse::{Budget, Kept, Method, Moment, Recall, Recalled, Recording, Request, Response, TapeError, fingerprint};
use page::driver::{DriverError, FailureKind};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// At most this number of answers waits for the disk; then requests wait, too.
const MOST_WAITING: usize = 1 << 14;

/// The answers of a run.
#[derive(Debug)]
pub(super) struct Memory {
    recording: Recording,
    /// Locked before `state` where both are needed.
    store: Mutex<Store>,
    state: Mutex<State>,
    known: u64,
    /// The answers of an earlier run, if only what is new is wanted.
    earlier: OnceLock<Earlier>,
}

#[derive(Debug)]
struct State {
    /// The answers that were given already, a bit for each.
    used: Vec<u64>,
    /// How many of the known ones were not.
    left: u64,
    /// The number of forms that each run has sent, if it has sent any.
    turns: BTreeMap<u64, u64>,
    /// Answers that the recording has and the database does not, in the order of the recording.
    waiting: Vec<Kept>,
}

impl Memory {
    /// Opens the recording, and takes note of what the database does not know of it.
    pub(super) fn open(path: &Path, store: Store) -> Result<Memory, KeptProblem> {
        let mut unknown = Vec::new();
        let recording = Recording::open(path, store.number("length")?, &mut |kept| unknown.push(kept))?;
        store.add(&unknown, recording.length())?;
        store.commit()?;
        let known = store.requests()?;
        let words = usize::try_from(known / 64 + 1).unwrap_or(usize::MAX);
        Ok(Memory {
            recording,
            store: Mutex::new(store),
            state: Mutex::new(State {
                used: vec![0; words],
                left: known,
                turns: BTreeMap::new(),
                waiting: Vec::new(),
            }),
            known,
            earlier: OnceLock::new(),
        })
    }

    /// Asks servers only for what is not as an earlier run got it.
    pub(super) fn compare_with(&self, earlier: Earlier) {
        // A run has one earlier run.
        let _ = self.earlier.set(earlier);
    }

    /// The earlier run, if there is one.
    pub(super) fn earlier(&self) -> Option<&Earlier> {
        self.earlier.get()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works with the database, which may not know the last answers yet.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Store) -> Result<T, KeptProblem>) -> Result<T, KeptProblem> {
        work(&self.store())
    }

    /// Waits until the disk has all answers so far, tells the database about them, and works with it. The database never knows of an
    /// answer that the disk does not have, so a power failure cannot leave it with one.
    pub(super) fn keep_up<T>(&self, work: impl FnOnce(&Store) -> Result<T, KeptProblem>) -> Result<T, KeptProblem> {
        let length = self.recording.length();
        self.recording.sync()?;
        let store = self.store();
        let ready = {
            let mut state = self.state();
            let ready = state.waiting.partition_point(|kept| kept.end <= length);
            let rest = state.waiting.split_off(ready);
            std::mem::replace(&mut state.waiting, rest)
        };
        if let Some(last) = ready.last() {
            store.add(&ready, last.end)?;
        }
        work(&store)
    }

    /// Was nothing asked for, neither by this process nor by an earlier one?
    pub(super) fn is_empty(&self) -> bool {
        self.known == 0 && self.state().waiting.is_empty() && self.with(Store::requests).is_ok_and(|asked| asked == 0)
    }

    /// The requests that were answered before this process.
    pub(super) fn known(&self) -> u64 {
        self.known
    }

    /// Could everything be kept?
    pub(super) fn check(&self) -> io::Result<()> {
        self.recording.check().map_err(as_io)
    }

    /// The run must end: something cannot be kept.
    pub(super) fn fail(&self, problem: KeptProblem) -> TapeError {
        self.recording.fail(problem.into_io())
    }

    /// Waits until the disk has all answers that were kept before this call.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.recording.sync().map_err(as_io)
    }

    /// An answer that is known and was not given yet.
    fn take(&self, run: u64, request: &Request) -> Result<(Option<(u64, bool)>, Moment), KeptProblem> {
        let (when, left) = {
            let state = self.state();
            let turn = state.turns.get(&run).copied().unwrap_or(0);
            (Moment { run, turn }, state.left)
        };
        if left == 0 {
            return Ok((None, when));
        }
        let found = self.with(|store| store.find(fingerprint(request), when))?;
        let mut state = self.state();
        let fresh = found.into_iter().find(|known| {
            let bit = 1_u64 << (known.id % 64);
            let word = usize::try_from(known.id / 64).ok().and_then(|at| state.used.get(at));
            known.id <= self.known && word.is_some_and(|word| word & bit == 0)
        });
        let Some(fresh) = fresh else {
            return Ok((None, when));
        };
        if let Some(word) = usize::try_from(fresh.id / 64)
            .ok()
            .and_then(|at| state.used.get_mut(at))
        {
            *word |= 1 << (fresh.id % 64);
        }
        state.left -= 1;
        Ok((Some((fresh.offset, fresh.is_answer)), when))
    }

    /// After a form was sent, pages may be others.
    fn next_turn(&self, run: u64, request: &Request) {
        if request.method != Method::Get {
            *self.state().turns.entry(run).or_default() += 1;
        }
    }
}

impl Recall for Memory {
    fn recall(&self, run: u64, request: &Request, budget: &Budget) -> Result<Recalled, TapeError> {
        self.recording.check()?;
        let taken = self.take(run, request).map_err(|problem| self.fail(problem))?;
        let (offset, is_answer) = match taken {
            (Some(found), _) => found,
            (None, when) => {
                let earlier = self.earlier.get().and_then(|earlier| earlier.answer(request, budget));
                return Ok(Recalled::Unknown { when, earlier });
            }
        };
        let answer = self.recording.answer(offset, request, budget);
        if let Err(error) = &answer
            && is_answer
            && error.kind != FailureKind::TooLarge
        {
            // Without this answer all records after it would be others.
            return Err(self.recording.fail(io::Error::other(error.message.clone())));
        }
        self.next_turn(run, request);
        Ok(Recalled::Answer(answer))
    }

    fn keep(&self, when: Moment, request: &Request, answer: &Result<Response, DriverError>) -> Result<(), TapeError> {
        let packed = self.recording.pack(when, request, answer)?;
        let is_full = {
            // One by one, so that the database never knows an answer without knowing those before it.
            let mut state = self.state();
            let kept = self.recording.append(packed)?;
            state.waiting.push(kept);
            state.waiting.len() >= MOST_WAITING
        };
        if is_full {
            self.keep_up(|_| Ok(())).map_err(|problem| self.fail(problem))?;
        }
        self.next_turn(when.run, request);
        Ok(())
    }
}

fn as_io(error: TapeError) -> io::Error {
    io::Error::new(error.kind(), error)
}

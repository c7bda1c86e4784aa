//! Only what is new: records and pages that an earlier run found.
//!
//! **Records.** A record is known if the earlier run found one with the same names and values, wherever it was. The earlier
//! run keeps a hash of 64 bits for each of its records; among a million of them, a new record is taken for a known one with a
//! chance of one in 18 million million. Each run keeps the hashes of all records that it found, also of those that it left out,
//! so the next run needs the last one only. A run that ended at known records did not see all of them, and takes over the
//! others. Memory is eight bytes for each record of the earlier run.
//!
//! **Answers** ([`Earlier`]). A server that gave a page an `ETag` or a `Last-Modified` is asked whether it is still the same. If it
//! is, nothing is sent, and the page comes from the recording of the earlier run. It is also written to the new one, so
//! the earlier directory is not needed any more.
//!
//! **Pages** ([`KnownPages`]). The records of a page depend on nothing but the page, if they come from a wrapper that goes along
//! its navigation. So such a run keeps a hash of 128 bits of the address and the content of each page, with the hashes
//! of its records. A page that has not changed is not read again: its records are known. That holds only if the wrapper has
//! not changed either. A page on which something was wrong is not kept: the next run says so again. In an expression, what is
//! found on a page may depend on the way to it, so its pages are read.

use super::error::{KeptError, KeptProblem};
use super::list::is_locked;
use super::store::{FILE, Store};
use super::{Plan, recall::Memory};
use crate::session::KnownPages;
use browse::{Answers, Budget, Request, Response, fingerprint, recording_in, sha256};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The records of an earlier run.
#[derive(Debug)]
pub(super) struct Since {
    /// Their hashes, sorted.
    pub(super) hashes: Vec<u64>,
    /// Which of them were found again, a bit for each.
    seen: Vec<u64>,
    /// Known records after which a run has seen enough, if they come one after the other.
    stop_at: Option<u64>,
    in_a_row: u64,
    pub(super) left_out: u64,
}

impl Since {
    /// Opens the run of a directory; also gives what it knows of pages.
    pub(super) fn open(folder: &Path, stop_at: Option<u64>) -> Result<(Since, Earlier), KeptError> {
        let path = folder.join(FILE);
        if !path.is_file() {
            return Err(KeptProblem::Missing.at(folder));
        }
        // What it has found must not change any more.
        if is_locked(folder) {
            return Err(KeptProblem::Busy.at(folder));
        }
        let opened = || -> Result<(Since, Earlier), KeptProblem> {
            let store = Store::look(&path)?;
            let hashes = store.records()?;
            let plan: Plan = serde_json::from_str(&store.text("plan")?.unwrap_or_default())?;
            let since = Since {
                seen: vec![0; hashes.len() / 64 + 1],
                hashes,
                stop_at,
                in_a_row: 0,
                left_out: 0,
            };
            let earlier = Earlier {
                plan,
                store: Mutex::new(store),
                answers: Answers::of(&recording_in(folder)),
            };
            Ok((since, earlier))
        };
        opened().map_err(|problem| problem.at(folder))
    }

    /// Is a record known?
    pub(super) fn knows(&mut self, hash: u64) -> bool {
        let at = self.hashes.binary_search(&hash);
        if let Ok(at) = at {
            self.seen[at / 64] |= 1 << (at % 64);
        }
        self.in_a_row = if at.is_ok() { self.in_a_row + 1 } else { 0 };
        self.left_out += u64::from(at.is_ok());
        at.is_ok()
    }

    pub(super) fn has_enough(&self) -> bool {
        self.stop_at.is_some_and(|most| self.in_a_row >= most)
    }

    /// How many records of the earlier run were not found.
    pub(super) fn missing(&self) -> u64 {
        let seen: u64 = self.seen.iter().map(|word| u64::from(word.count_ones())).sum();
        self.hashes.len() as u64 - seen
    }
}

/// The answers of an earlier run, and the pages that it read.
#[derive(Debug)]
pub(super) struct Earlier {
    plan: Plan,
    store: Mutex<Store>,
    answers: Answers,
}

impl Earlier {
    /// What the earlier run got for a request, if it was a page and can still be read.
    pub(super) fn answer(&self, request: &Request, budget: &Budget) -> Option<Response> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = store.find_last(fingerprint(request)).ok()??;
        drop(store);
        self.answers.at(offset, request, budget).ok()
    }

    /// The hashes of the records of a page, if it was read before.
    fn page(&self, page: u128) -> Option<Vec<u64>> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.page(page).ok()?
    }

    /// Did the earlier run do what this one does?
    fn is_of(&self, plan: &Plan) -> bool {
        self.plan.hash == plan.hash
    }
}

/// The pages of the run before, for one that reads pages by a wrapper.
#[derive(Debug)]
pub(super) struct Pages {
    memory: Arc<Memory>,
    /// Is the wrapper the one of the earlier run?
    is_same: bool,
}

impl Pages {
    pub(super) fn of(memory: &Arc<Memory>, plan: &Plan) -> Pages {
        Pages {
            is_same: memory.earlier().is_some_and(|earlier| earlier.is_of(plan)),
            memory: Arc::clone(memory),
        }
    }
}

impl KnownPages for Pages {
    fn name(&self, url: &str, body: &[u8]) -> u128 {
        let hash = sha256(&[&(url.len() as u64).to_be_bytes(), url.as_bytes(), body]);
        let half: [u8; 16] = std::array::from_fn(|at| hash[at]);
        u128::from_be_bytes(half)
    }

    fn records(&self, page: u128) -> Option<Vec<u64>> {
        let earlier = self.memory.earlier().filter(|_| self.is_same)?;
        earlier.page(page)
    }
}

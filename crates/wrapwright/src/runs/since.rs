//! Only what is new: records that an earlier run found are left out.
//!
//! A record is known if the earlier run found one with the same names and values, wherever it was. The earlier run keeps a
//! hash of 64 bits for each of its records; among a million of them, a new record is taken for a known one with a chance of
//! one in 18 million million. Each run keeps the hashes of all records that it found, also of those that it left out,
//! so the next run needs the last one only. Memory is eight bytes for each record of the earlier run.

use super::error::{KeptError, KeptProblem};
use super::list::is_locked;
use super::store::{FILE, Store};
use std::path::Path;

/// The records of an earlier run.
#[derive(Debug)]
pub(super) struct Since {
    /// Their hashes, sorted.
    hashes: Vec<u64>,
    /// Known records after which a run has seen enough, if they come one after the other.
    stop_at: Option<u64>,
    in_a_row: u64,
    pub(super) left_out: u64,
}

impl Since {
    pub(super) fn open(folder: &Path, stop_at: Option<u64>) -> Result<Since, KeptError> {
        let path = folder.join(FILE);
        if !path.is_file() {
            return Err(KeptProblem::Missing.at(folder));
        }
        // What it has found must not change any more.
        if is_locked(folder) {
            return Err(KeptProblem::Busy.at(folder));
        }
        let hashes = Store::look(&path).and_then(|store| store.records());
        Ok(Since {
            hashes: hashes.map_err(|problem| problem.at(folder))?,
            stop_at,
            in_a_row: 0,
            left_out: 0,
        })
    }

    /// Is a record known?
    pub(super) fn knows(&mut self, hash: u64) -> bool {
        let known = self.hashes.binary_search(&hash).is_ok();
        self.in_a_row = if known { self.in_a_row + 1 } else { 0 };
        self.left_out += u64::from(known);
        known
    }

    pub(super) fn has_enough(&self) -> bool {
        self.stop_at.is_some_and(|most| self.in_a_row >= most)
    }
}

//! A thread that waits for the disk, so that the run does not.
//!
//! Once a second it gets what the database must know. It waits until the disk has the recording up to now, and commits.
//! The run goes on meanwhile, and stops at the next record if that fails ([`Memory::check`]).

use super::error::KeptProblem;
use super::recall::Memory;
use crate::session::RunReport;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// What the database must know besides answers.
#[derive(Debug, Default)]
pub(super) struct Note {
    /// Hashes of records that were found.
    pub(super) found: Vec<u64>,
    /// Pages that a wrapper was applied to, with the hashes of their records.
    pub(super) pages: Vec<(u128, Vec<u64>)>,
    /// How far the run is.
    pub(super) report: RunReport,
}

/// The thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Keeper {
    notes: Option<SyncSender<Note>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(super) fn start(memory: &Arc<Memory>) -> io::Result<Keeper> {
        // Nothing waits in the channel: a note is taken when the one before it is kept.
        let (notes, taken) = sync_channel(0);
        let memory = Arc::clone(memory);
        let thread = std::thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || keep_all(&memory, &taken))?;
        Ok(Keeper {
            notes: Some(notes),
            thread: Some(thread),
        })
    }

    /// Hands over a note, or gives it back: the thread is still busy with the one before, and `patient` is false.
    pub(super) fn take(&self, note: Note, patient: bool) -> Option<Note> {
        let notes = self.notes.as_ref()?;
        match patient {
            true => notes.send(note).err().map(|error| error.0),
            false => match notes.try_send(note) {
                Ok(()) => None,
                Err(TrySendError::Full(note) | TrySendError::Disconnected(note)) => Some(note),
            },
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.notes = None;
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was told.
            let _ = thread.join();
        }
    }
}

fn keep_all(memory: &Memory, notes: &Receiver<Note>) {
    for note in notes {
        if let Err(problem) = keep(memory, &note) {
            memory.fail(problem);
            return;
        }
    }
}

/// Keeps everything so far for good.
fn keep(memory: &Memory, note: &Note) -> Result<(), KeptProblem> {
    memory.keep_up(|store| {
        store.add_records(&note.found)?;
        store.add_pages(&note.pages)?;
        store.count(&note.report)?;
        store.commit()
    })
}

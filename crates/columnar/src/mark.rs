//! How far a destination is, so that a run that was killed goes on after it.
//!
//! A run that is resumed gives all its records again, in the same order. A destination that keeps records for good
//! (tables, part files) stores a [`Mark`] together with them, in the same transaction or by the same rename: how many
//! records it was given, and a hash over them. So however the process ended, mark and records agree, and the second
//! process leaves out exactly the records that are there. If their hash is another one, the pages say something else
//! than before; then nothing can be told about what is missing, and the destination refuses to go on.

use record::Record;
use std::fmt;
use std::io;
use std::sync::Arc;

/// How far a destination is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Records that it was given, and has or has left out for good.
    pub records: u64,
    /// [`Record::fold`] over them.
    pub hash: u64,
    /// Records whose key was not there before.
    pub added: u64,
    /// Records that were there before with other values.
    pub changed: u64,
}

/// What makes a destination go on after the records that it has.
#[derive(Clone)]
pub struct Resume {
    before: Arc<dyn Fn() -> io::Result<()> + Send + Sync>,
    /// Go on even if the records are not those of before?
    pub force: bool,
    /// Update all records, also those that are there? Only with a key.
    pub anew: bool,
}

impl Resume {
    /// `before` is called each time before records are kept for good: what they were made from must be on the disk first.
    pub fn new(before: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Resume {
        Resume {
            before: Arc::new(before),
            force: false,
            anew: false,
        }
    }
}

impl fmt::Debug for Resume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resume")
            .field("force", &self.force)
            .finish_non_exhaustive()
    }
}

/// Counts the records of a run, and knows which of them are there.
pub(crate) struct Pace {
    resume: Option<Resume>,
    known: Mark,
    so_far: Mark,
}

impl Pace {
    pub(crate) fn new(resume: Option<Resume>) -> Pace {
        Pace {
            resume,
            known: Mark::default(),
            so_far: Mark::default(),
        }
    }

    /// Can the run be resumed?
    pub(crate) fn is_kept(&self) -> bool {
        self.resume.is_some()
    }

    /// The destination has these records.
    pub(crate) fn know(&mut self, known: Mark) {
        self.known = known;
    }

    /// Takes note of a record. Is it there already?
    pub(crate) fn pass(&mut self, record: &Record) -> io::Result<bool> {
        let Some(resume) = &self.resume else {
            return Ok(false);
        };
        self.so_far.records += 1;
        self.so_far.hash = record.fold(self.so_far.hash);
        if self.so_far.records == self.known.records && self.so_far.hash != self.known.hash && !resume.force {
            return Err(differs(self.known.records));
        }
        Ok(self.so_far.records <= self.known.records)
    }

    /// At the end of a run: did it find all the records that are there?
    pub(crate) fn check_end(&self) -> io::Result<()> {
        match &self.resume {
            Some(resume) if self.is_behind() && !resume.force => Err(differs(self.known.records)),
            _ => Ok(()),
        }
    }

    /// Are there records that were not found yet?
    pub(crate) fn is_behind(&self) -> bool {
        self.so_far.records < self.known.records
    }

    /// How far it is.
    pub(crate) fn mark(&self) -> Mark {
        self.so_far
    }

    /// Makes sure that what records were made from is on the disk.
    pub(crate) fn before(&self) -> io::Result<()> {
        self.resume.as_ref().map_or(Ok(()), |resume| (resume.before)())
    }
}

fn differs(records: u64) -> io::Error {
    let text = format!(
        "the first {records} records are not those that were written before; the expression, the program or local files have changed"
    );
    io::Error::new(io::ErrorKind::InvalidData, text)
}

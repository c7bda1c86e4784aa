//! Records by place.

use super::reader::Reader;
use super::{Fault, Problem, Record, Spot};
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The most readers that a shelf keeps for their next use.
const MOST_IDLE: usize = 16;

/// An archive whose records are read by place, also by several threads at the same time.
pub struct Shelf {
    path: PathBuf,
    idle: Mutex<Vec<Reader<File>>>,
}

impl Shelf {
    /// The records of a file, which is opened when the first one is read.
    pub fn new(path: impl Into<PathBuf>) -> Shelf {
        Shelf {
            path: path.into(),
            idle: Mutex::default(),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The record at a place, if it is not longer than `limit` bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no such record there.
    pub fn read(&self, spot: Spot, limit: u64) -> Result<Record, Fault> {
        let mut reader = self.reader(spot).map_err(|error| Fault {
            spot,
            problem: Problem::Io(error),
        })?;
        reader.limit = limit;
        let found = reader.next().unwrap_or(Err(Fault {
            spot,
            problem: Problem::CutShort,
        }));
        if !reader.done {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() >= MOST_IDLE {
                idle.remove(0);
            }
            idle.push(reader);
        }
        found.and_then(|record| match record.head.spot == spot {
            true => Ok(record),
            // A record elsewhere in the file is not the one that was asked for.
            false => Err(Fault {
                spot,
                problem: Problem::Broken("found no record, expected one: was the file changed meanwhile?".to_owned()),
            }),
        })
    }

    /// A reader at the beginning of a record.
    fn reader(&self, spot: Spot) -> io::Result<Reader<File>> {
        let usable = |reader: &Reader<File>| {
            let at = reader.stream.spot();
            !reader.done && !reader.lost && reader.begun.is_none() && at.offset == spot.offset && at.skip <= spot.skip
        };
        let mut reader = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let nearest = (0..idle.len())
                .filter(|at| usable(&idle[*at]))
                .max_by_key(|at| idle[*at].stream.spot().skip);
            nearest.map(|at| idle.remove(at))
        };
        if reader.is_none() {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(spot.offset))?;
            reader = Some(Reader::at(file, 0, spot.offset));
        }
        let mut reader = reader.ok_or(io::ErrorKind::NotFound)?;
        if spot.skip > 0 {
            reader.stream.begin_member()?;
            let left = spot.skip - reader.stream.taken.min(spot.skip);
            reader.stream.pass(left)?;
        }
        Ok(reader)
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shelf").field(&self.path).finish()
    }
}

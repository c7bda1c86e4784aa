//! A directory of Parquet files.
//!
//! A part has a hidden name, `.part-….parquet.tmp`, until it is whole; it is locked until then, so the next run can remove what
//! a killed one left. The parts of a run that can be resumed say in their names how many records the run had with them, and
//! their hash: `part-RUN-00002-3000-….parquet`. So the rename that makes a part visible also says how far the run is.
//! If the whole run is to appear at once, the directory itself has another name until the end.

use super::error::OutputProblem;
use crate::whole::sweep;
use crate::{Record, RecordType};
use columnar::{Mark, PartFiles, PartLimits, Parts, Resume};
use record::{Ending, Sink, SinkSpec, Tally};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A directory for part files.
pub(super) struct Folder {
    /// Where parts are written.
    inside: PathBuf,
    /// Where they shall be in the end.
    target: PathBuf,
    run: String,
    number: usize,
    overwrite: bool,
    /// Do the names say how far the run is?
    marked: bool,
    mark: Option<Mark>,
}

impl Folder {
    /// Opens or makes the directory; `resumed` if an earlier process of this run has made it.
    pub(super) fn open(
        target: &Path,
        run: &str,
        whole: bool,
        overwrite: bool,
        (marked, resumed): (bool, bool),
    ) -> Result<Folder, OutputProblem> {
        // Without a slash at its end, which a rename does not like.
        let target: PathBuf = target.components().collect();
        let mut inside = target.clone();
        // What this run has made visible as a whole may be replaced by the same run.
        let overwrite = overwrite || resumed && whole && is_of(&target, run);
        if whole {
            let mut name = target.as_os_str().to_owned();
            name.push(".part");
            inside = PathBuf::from(name);
            if inside.exists() {
                if !overwrite && !resumed {
                    return Err(OutputProblem::Left(inside));
                }
                fs::remove_dir_all(&inside)?;
            }
            let has_parts = fs::read_dir(&target).is_ok_and(|mut entries| entries.next().is_some());
            if has_parts && !overwrite {
                let found = "files, which a directory that appears as a whole would replace";
                return Err(OutputProblem::Unlike {
                    found: found.to_owned(),
                    expected: "none".to_owned(),
                });
            }
        }
        fs::create_dir_all(&inside)?;
        sweep(&inside, |name| {
            name.starts_with(".part-") && name.ends_with(".parquet.tmp")
        });
        let (number, mark) = match resumed && !whole {
            true => last_part(&inside, run),
            false => (0, None),
        };
        Ok(Folder {
            inside,
            target,
            run: run.to_owned(),
            number,
            overwrite,
            marked,
            mark,
        })
    }

    /// Puts the whole directory in its place, or removes it.
    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        if self.inside == self.target {
            return Ok(());
        }
        if ending == Ending::Broken {
            // A run that is resumed makes it anew.
            return fs::remove_dir_all(&self.inside);
        }
        let mut old = self.target.as_os_str().to_owned();
        old.push(".old");
        let old = PathBuf::from(old);
        let replaced = self.overwrite && self.target.is_dir();
        if replaced {
            let _ = fs::remove_dir_all(&old);
            fs::rename(&self.target, &old)?;
        }
        fs::rename(&self.inside, &self.target)?;
        match replaced {
            true => fs::remove_dir_all(&old),
            false => Ok(()),
        }
    }
}

/// A part that is being written; it is removed if it does not become whole.
pub(super) struct Part {
    file: File,
    hidden: PathBuf,
    is_whole: bool,
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_whole {
            let _ = fs::remove_file(&self.hidden);
        }
    }
}

impl PartFiles for Folder {
    type File = Part;

    fn begin(&mut self) -> io::Result<Part> {
        self.number += 1;
        let hidden = format!(".part-{}-{:05}.parquet.tmp", self.run, self.number);
        let hidden = self.inside.join(hidden);
        let file = OpenOptions::new().write(true).create_new(true).open(&hidden)?;
        // Where there are no locks, nobody removes the files of others either.
        let _ = file.try_lock();
        Ok(Part {
            file,
            hidden,
            is_whole: false,
        })
    }

    fn end(&mut self, mut part: Part, mark: &Mark) -> io::Result<()> {
        part.file.sync_all()?;
        let name = match self.marked {
            true => format!(
                "part-{}-{:05}-{}-{:016x}.parquet",
                self.run, self.number, mark.records, mark.hash
            ),
            false => format!("part-{}-{:05}.parquet", self.run, self.number),
        };
        fs::rename(&part.hidden, self.inside.join(name))?;
        part.is_whole = true;
        Ok(())
    }

    fn mark(&self) -> Option<Mark> {
        self.mark
    }
}

/// The names of the files in a directory.
fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// Are there files in a directory, all of them parts of this run?
fn is_of(folder: &Path, run: &str) -> bool {
    let begin = format!("part-{run}-");
    names(folder).next().is_some() && names(folder).all(|name| name.starts_with(&begin))
}

/// The number of the last part of a run, and how far the run is with it.
fn last_part(folder: &Path, run: &str) -> (usize, Option<Mark>) {
    let begin = format!("part-{run}-");
    let read = |name: String| {
        let rest = name.strip_prefix(&begin)?.strip_suffix(".parquet")?.to_owned();
        let mut parts = rest.split('-');
        let number: usize = parts.next()?.parse().ok()?;
        let mark = Mark {
            records: parts.next()?.parse().ok()?,
            hash: u64::from_str_radix(parts.next()?, 16).ok()?,
            ..Mark::default()
        };
        Some((number, mark))
    };
    let last = names(folder).filter_map(read).max_by_key(|(number, _)| *number);
    last.map_or((0, None), |(number, mark)| (number, Some(mark)))
}

/// A sink for a directory.
pub(super) struct FolderSink(Parts<Folder>);

impl FolderSink {
    pub(super) fn new(
        types: &[RecordType],
        spec: &SinkSpec,
        limits: PartLimits,
        folder: Folder,
        resume: Option<Resume>,
    ) -> FolderSink {
        FolderSink(Parts::resumed(types, spec, limits, folder, resume))
    }
}

impl Sink for FolderSink {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.0.record(record)
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.0.bindings(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }

    fn tally(&self) -> &Tally {
        self.0.tally()
    }

    fn flushed(&self) -> u64 {
        self.0.flushed()
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        self.0.settle(ending)?;
        self.0.files().settle(ending)
    }
}

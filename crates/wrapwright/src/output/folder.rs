//! A directory of Parquet files.
//!
//! A part has a hidden name, `.part-….parquet.tmp`, until it is whole; it is locked until then, so the next run can remove what
//! a killed one left. If the whole run is to appear at once, the directory itself has another name until the end.

use super::error::OutputProblem;
use crate::whole::sweep;
use crate::{Record, RecordType};
use columnar::{PartFiles, PartLimits, Parts};
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
}

impl Folder {
    pub(super) fn open(target: &Path, run: &str, whole: bool, overwrite: bool) -> Result<Folder, OutputProblem> {
        // Without a slash at its end, which a rename does not like.
        let target: PathBuf = target.components().collect();
        let mut inside = target.clone();
        if whole {
            let mut name = target.as_os_str().to_owned();
            name.push(".part");
            inside = PathBuf::from(name);
            if inside.exists() {
                if !overwrite {
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
        Ok(Folder {
            inside,
            target,
            run: run.to_owned(),
            number: 0,
            overwrite,
        })
    }

    /// Puts the whole directory in its place, or removes it.
    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        if self.inside == self.target {
            return Ok(());
        }
        if ending == Ending::Broken {
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

    fn end(&mut self, mut part: Part) -> io::Result<()> {
        part.file.sync_all()?;
        let name = format!("part-{}-{:05}.parquet", self.run, self.number);
        fs::rename(&part.hidden, self.inside.join(name))?;
        part.is_whole = true;
        Ok(())
    }
}

/// A sink for a directory.
pub(super) struct FolderSink(Parts<Folder>);

impl FolderSink {
    pub(super) fn new(types: &[RecordType], spec: &SinkSpec, limits: PartLimits, folder: Folder) -> FolderSink {
        FolderSink(Parts::new(types, spec, limits, folder))
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
        self.0.files().settle(ending)
    }
}

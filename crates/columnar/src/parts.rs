//! Part files: a directory of Parquet files, each of which is whole.
//!
//! A part is closed when it is large enough or open long enough, and appears under its name only then. So a run that is
//! killed loses at most one part, and a reader of the directory never meets half a file.

use crate::frame::Frame;
use crate::mark::{Mark, Pace};
use crate::stream::Writer;
use crate::{PartLimits, Resume};
use record::{Ending, Record, RecordType, Sink, SinkSpec, Tally};
use std::io::{self, Write};
use std::time::Instant;

/// Where parts are made.
pub trait PartFiles {
    /// A part that is being written.
    type File: Write + Send;

    /// Begins a part that nobody sees yet.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    fn begin(&mut self) -> io::Result<Self::File>;

    /// Makes a part visible that is whole; `mark` says how far the run is with it.
    ///
    /// # Errors
    ///
    /// It cannot be put in its place.
    fn end(&mut self, file: Self::File, mark: &Mark) -> io::Result<()>;

    /// How far the parts are that this run made before.
    fn mark(&self) -> Option<Mark> {
        None
    }
}

/// A sink for part files.
pub struct Parts<F: PartFiles> {
    frame: Frame,
    files: F,
    limits: PartLimits,
    part: Option<(Writer<F::File>, Instant)>,
    any: bool,
    flushed: u64,
    pace: Pace,
    /// After a failure no part is made: it would come after a gap.
    failed: bool,
}

impl<F: PartFiles> Parts<F> {
    /// A sink for parts.
    pub fn new(types: &[RecordType], spec: &SinkSpec, limits: PartLimits, files: F) -> Parts<F> {
        Parts::resumed(types, spec, limits, files, None)
    }

    /// A sink that goes on after the parts that a run made before.
    pub fn resumed(
        types: &[RecordType],
        spec: &SinkSpec,
        limits: PartLimits,
        files: F,
        resume: Option<Resume>,
    ) -> Parts<F> {
        let mut pace = Pace::new(resume);
        let known = files.mark();
        pace.know(known.unwrap_or_default());
        Parts {
            frame: Frame::new(types, spec),
            files,
            limits,
            part: None,
            any: known.is_some(),
            flushed: 0,
            pace,
            failed: false,
        }
    }

    /// Where the parts are made.
    pub fn files(&mut self) -> &mut F {
        &mut self.files
    }

    fn write(&mut self) -> io::Result<()> {
        if self.part.is_none() {
            let writer = Writer::new(self.files.begin()?, self.frame.schema())?;
            self.part = Some((writer, Instant::now()));
        }
        if let Some((writer, _)) = &mut self.part
            && !self.frame.is_empty()
        {
            writer.write(&self.frame.take()?)?;
        }
        Ok(())
    }

    fn take(&mut self, record: &Record) -> io::Result<()> {
        if self.pace.pass(record)? {
            self.frame.skip(record)?;
            let tally = self.frame.tally();
            self.flushed = tally.records + tally.dropped;
            return Ok(());
        }
        self.frame.push(record)?;
        if self.part.is_none() {
            // The clock of a part starts with its first record.
            self.write()?;
        }
        let is_late = |begun: &Instant| begun.elapsed() >= self.limits.interval;
        let late = self.part.as_ref().is_some_and(|(_, begun)| is_late(begun));
        if self.frame.is_full() || late {
            self.write()?;
        }
        let large = |writer: &Writer<F::File>| writer.size() as u64 >= self.limits.bytes;
        match late || self.part.as_ref().is_some_and(|(writer, _)| large(writer)) {
            true => self.close(),
            false => Ok(()),
        }
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some((writer, _)) = self.part.take() {
            let file = writer.end()?;
            self.pace.before()?;
            self.files.end(file, &self.pace.mark())?;
            self.any = true;
        }
        let tally = self.frame.tally();
        self.flushed = tally.records + tally.dropped;
        Ok(())
    }
}

impl<F: PartFiles> Sink for Parts<F> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let taken = self.take(record);
        self.failed |= taken.is_err();
        taken
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.frame.bind(bindings);
    }

    /// Closes the last part. Without any record, there is one part without rows, which tells a reader the columns.
    fn finish(&mut self) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("records before these could not be written"));
        }
        if !self.frame.is_empty() || !self.any && self.part.is_none() {
            self.write()?;
        }
        self.close()
    }

    fn tally(&self) -> &Tally {
        self.frame.tally()
    }

    fn flushed(&self) -> u64 {
        self.flushed
    }

    fn settle(&mut self, ending: Ending) -> io::Result<()> {
        match ending {
            Ending::Broken => Ok(()),
            _ => self.pace.check_end(),
        }
    }
}

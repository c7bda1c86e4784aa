//! One Parquet file, or a stream of Arrow record batches.

use crate::frame::{Frame, from_arrow};
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use record::{Record, RecordType, Sink, SinkSpec, Tally};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The rows of a stream wait at most this long until the next record comes.
const WAIT: Duration = Duration::from_secs(1);

/// A row group is closed when it takes this many bytes of memory.
const GROUP: usize = 64 << 20;

/// A file that batches are written into.
pub(crate) struct Writer<W: Write + Send> {
    writer: ArrowWriter<Watched<W>>,
    failure: Failure,
}

/// The first error of the system, which the errors of Parquet may hide.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    /// What went wrong, in the words of the system if it was that.
    fn or(&self, error: ParquetError) -> io::Error {
        let first = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        first.unwrap_or_else(|| io::Error::other(error))
    }
}

struct Watched<W> {
    out: W,
    failure: Failure,
}

impl<W: Write> Watched<W> {
    fn watch<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let again = io::Error::from(error.kind());
            let mut first = self.failure.0.lock().unwrap_or_else(PoisonError::into_inner);
            if error.kind() != io::ErrorKind::Interrupted && first.is_none() {
                *first = Some(error);
            }
            again
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.watch(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.watch(done)
    }
}

impl<W: Write + Send> Writer<W> {
    pub(crate) fn new(out: W, schema: Arc<Schema>) -> io::Result<Writer<W>> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("wrapwright ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let failure = Failure::default();
        let watched = Watched {
            out,
            failure: failure.clone(),
        };
        let writer = ArrowWriter::try_new(watched, schema, Some(properties)).map_err(|error| failure.or(error))?;
        Ok(Writer { writer, failure })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.writer.write(batch).map_err(|error| self.failure.or(error))?;
        match self.writer.in_progress_size() > GROUP {
            true => self.writer.flush().map_err(|error| self.failure.or(error)),
            false => Ok(()),
        }
    }

    /// The bytes so far, written and waiting.
    pub(crate) fn size(&self) -> usize {
        self.writer.bytes_written() + self.writer.in_progress_size()
    }

    /// Writes the end of the file, and gives back where it was written to.
    pub(crate) fn end(self) -> io::Result<W> {
        let mut watched = self.writer.into_inner().map_err(|error| self.failure.or(error))?;
        watched.out.flush()?;
        Ok(watched.out)
    }
}

/// A sink for one Parquet file, which can be read once it is finished.
pub struct Parquet<W: Write + Send> {
    frame: Frame,
    out: Option<W>,
    writer: Option<Writer<W>>,
    finished: bool,
}

impl<W: Write + Send> Parquet<W> {
    /// A sink that writes to `out`.
    pub fn new(types: &[RecordType], spec: &SinkSpec, out: W) -> Parquet<W> {
        Parquet {
            frame: Frame::new(types, spec),
            out: Some(out),
            writer: None,
            finished: false,
        }
    }

    /// Writes the rows collected so far; begins the file if that was not done.
    fn write(&mut self) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            self.writer = Some(Writer::new(out, self.frame.schema())?);
        }
        if let Some(writer) = &mut self.writer
            && !self.frame.is_empty()
        {
            writer.write(&self.frame.take()?)?;
        }
        Ok(())
    }
}

impl<W: Write + Send> Sink for Parquet<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.frame.push(record)?;
        match self.frame.is_full() {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.frame.bind(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()?;
        if let Some(writer) = self.writer.take() {
            writer.end()?;
        }
        self.finished = true;
        Ok(())
    }

    fn tally(&self) -> &Tally {
        self.frame.tally()
    }

    /// Nothing before the end: without its last bytes, a Parquet file cannot be read.
    fn flushed(&self) -> u64 {
        let tally = self.tally();
        if self.finished {
            tally.records + tally.dropped
        } else {
            0
        }
    }
}

/// A sink for a stream of Arrow record batches (IPC), which a reader can use while it is written.
pub struct Arrow<W: Write> {
    frame: Frame,
    out: Option<W>,
    writer: Option<StreamWriter<W>>,
    flushed: u64,
    since: Instant,
}

impl<W: Write> Arrow<W> {
    /// A sink that writes to `out`.
    pub fn new(types: &[RecordType], spec: &SinkSpec, out: W) -> Arrow<W> {
        Arrow {
            frame: Frame::new(types, spec),
            out: Some(out),
            writer: None,
            flushed: 0,
            since: Instant::now(),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            let writer = StreamWriter::try_new(out, &self.frame.schema());
            self.writer = Some(writer.map_err(from_arrow)?);
        }
        if let Some(writer) = &mut self.writer
            && !self.frame.is_empty()
        {
            writer.write(&self.frame.take()?).map_err(from_arrow)?;
            writer.flush().map_err(from_arrow)?;
        }
        let tally = self.frame.tally();
        self.flushed = tally.records + tally.dropped;
        self.since = Instant::now();
        Ok(())
    }
}

impl<W: Write> Sink for Arrow<W> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.frame.push(record)?;
        match self.frame.is_full() || self.since.elapsed() >= WAIT {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn bindings(&mut self, bindings: &[(String, String)]) {
        self.frame.bind(bindings);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write()?;
        match &mut self.writer {
            Some(writer) => writer.finish().map_err(from_arrow),
            None => Ok(()),
        }
    }

    fn tally(&self) -> &Tally {
        self.frame.tally()
    }

    fn flushed(&self) -> u64 {
        self.flushed
    }
}

//! Archives of what was fetched: WARC files (ISO 28500), read and written.
//!
//! A WARC file is records end to end: a version line, named fields, an empty line, a block of `Content-Length` bytes,
//! two line breaks. Compressed, each record is a gzip member of its own, so that a record can be read by its offset and
//! a file that was cut short loses only what was cut.
//!
//! **Reading.** [`Reader`] takes any stream, plain or compressed, and asks at every seam which it is, so members of one
//! record each, one member of all records and a mixture all work. It never holds more than one record, and of that no
//! more than it is told to. Archives come from many hands and from disks that filled up, so a [`Fault`] is an item among
//! the records: after it the reader looks for the next version line or, where compressed data is damaged, for the next
//! beginning of a member. A record is given only when its block is complete and, compressed, when its checksum is right
//! as far as the data allows to tell. Both line ends are taken, and any version and type of record.
//!
//! A record's place is a [`Spot`]: the offset of its member and how far into the member it lies, which is zero in files
//! as they should be. [`Shelf`] reads by spot. In a file that was compressed as a whole, reading from the middle means
//! decompressing up to there; the shelf keeps readers where they stopped, so at least reading in order stays linear.
//!
//! **Writing.** [`Writer`] makes the bytes of records and leaves writing to whoever holds the file: compression then
//! needs no lock, and an exchange reaches the file in one write. It writes WARC 1.1. The ids of records are hashes of a
//! seed, a counter and the record, in the shape of a UUID (version 8, which leaves its bits to us): what is recorded
//! depends on nothing but what is passed in, times included.
//!
//! Known gaps: records that go on in the next member or file are reported as broken or passed over, and there are no
//! digests.

use crate::fetch::{Request, Response};
use crate::message;
use flate2::bufread::GzDecoder;
use flate2::{Compression, write::GzEncoder};
use page::driver::DriverError;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The fields of one record may not be longer than this together; real ones are a few hundred bytes.
const MOST_HEAD: usize = 256 << 10;

/// So many readers wait on a shelf for their next use.
const MOST_IDLE: usize = 16;

/// The bytes that begin a gzip member, its method included: there is only one.
const GZIP: &[u8] = b"\x1F\x8B\x08";

/// Where a record lies in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The offset in the file, in bytes, of the record or of the gzip member that holds it.
    pub offset: u64,
    /// Bytes of the decompressed member before the record.
    pub skip: u64,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.skip {
            0 => write!(f, "byte {}", self.offset),
            skip => write!(f, "byte {} (decompressed: {skip})", self.offset),
        }
    }
}

/// What a record says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Where it is.
    pub spot: Spot,
    /// The named fields, in order.
    pub fields: Vec<(String, String)>,
    /// How long its block is, in bytes.
    pub length: u64,
}

impl Head {
    /// The first field of that name, in any case.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Is this a record of that type: `response`, `request`, `warcinfo`?
    pub fn is(&self, kind: &str) -> bool {
        self.field("WARC-Type").is_some_and(|it| it.eq_ignore_ascii_case(kind))
    }

    /// The address that the record is about. Some programs write it in angle brackets.
    pub fn target(&self) -> Option<&str> {
        let target = self.field("WARC-Target-URI")?;
        let bare = target.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        Some(bare.unwrap_or(target))
    }
}

/// A record: what it says about itself, and its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it says about itself.
    pub head: Head,
    /// The block, or the beginning of it if no more was asked for: see [`Reader::next_keeping`].
    pub block: Vec<u8>,
}

/// Something in an archive that cannot be used.
#[derive(Debug)]
pub struct Fault {
    /// Where it begins.
    pub spot: Spot,
    /// What it is.
    pub problem: Problem,
}

/// What can be wrong in an archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The file ends within a record.
    CutShort,
    /// What is there is no record, or not a whole one.
    Broken(String),
    /// The record is longer than what is taken.
    TooLarge {
        /// How long its block is.
        length: u64,
        /// What is taken.
        limit: u64,
    },
    /// The system's word; nothing is read after it.
    Io(io::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::CutShort => f.write_str("the file ends in the middle of a record"),
            Problem::Broken(why) => f.write_str(why),
            Problem::TooLarge { length, limit } => {
                write!(
                    f,
                    "a record of {length} bytes is larger than the limit of {limit} bytes"
                )
            }
            Problem::Io(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.spot, self.problem)
    }
}

impl std::error::Error for Fault {}

/// Does a file that begins like this hold WARC records, compressed or not? The first hundred bytes suffice.
pub fn is_warc(start: &[u8]) -> bool {
    let mut plain = Vec::new();
    if start.starts_with(GZIP) {
        // What is missing at the end is no concern here.
        let _ = GzDecoder::new(start).take(5).read_to_end(&mut plain);
    } else {
        plain.extend(start.iter().take(5));
    }
    plain == b"WARC/"
}

/// How long a record may be whose page may have so many bytes: chunks and headers take some room.
pub fn room_for(bytes: usize) -> u64 {
    (bytes as u64).saturating_add(bytes as u64 / 4).saturating_add(1 << 20)
}

/// Reads the records of an archive, one after the other.
///
/// ```
/// use browse::warc::Reader;
/// let file = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let records: Vec<_> = Reader::new(&file[..], 1 << 20).collect();
/// let record = records[0].as_ref().unwrap();
/// assert!(record.head.is("resource"));
/// assert_eq!(record.block, b"hello");
/// ```
pub struct Reader<R> {
    stream: Stream<R>,
    limit: u64,
    /// A version line that was read while looking for one.
    begun: Option<Spot>,
    /// Compressed data was damaged: what cannot be read is passed over until there is a record again.
    lost: bool,
    done: bool,
}

impl<R: Read> Reader<R> {
    /// A reader of a stream that takes records of at most `limit` bytes; larger ones are passed over as faults.
    pub fn new(stream: R, limit: u64) -> Reader<R> {
        Reader::at(stream, limit, 0)
    }

    /// A reader of a stream of which `offset` bytes were read before.
    fn at(stream: R, limit: u64, offset: u64) -> Reader<R> {
        Reader {
            stream: Stream::new(stream, offset),
            limit,
            begun: None,
            lost: false,
            done: false,
        }
    }

    /// The next record, of whose block at most so many bytes are kept as the function says; the rest is passed over.
    ///
    /// Whoever looks for something among large records need not hold them. Nothing is too large here.
    pub fn next_keeping(&mut self, keep: impl Fn(&Head) -> u64) -> Option<Result<Record, Fault>> {
        while !self.done {
            let spot = match self.find() {
                Ok(Some(spot)) => spot,
                Ok(None) => return None,
                Err(fault) => match self.recover(fault) {
                    Some(fault) => return Some(Err(fault)),
                    None => continue,
                },
            };
            match self.record(spot, &keep) {
                Ok(record) => {
                    self.lost = false;
                    return Some(Ok(record));
                }
                Err(fault) => {
                    if let Some(fault) = self.recover(fault) {
                        return Some(Err(fault));
                    }
                }
            }
        }
        None
    }

    /// Goes to where the next record may begin. Gives the fault back unless it is a consequence of the one before.
    fn recover(&mut self, mut fault: Fault) -> Option<Fault> {
        let known = self.lost;
        if let Problem::Broken(_) = fault.problem {
            match self.resync() {
                Ok(begun) => self.begun = begun,
                Err(error) => {
                    self.leave(&error);
                }
            }
        } else if let Problem::Io(error) = &fault.problem {
            if let Some(problem) = self.leave(error) {
                fault.problem = problem;
            }
        } else {
            self.done = true;
        }
        (!known || matches!(fault.problem, Problem::Io(_))).then_some(fault)
    }

    /// After a failed read, goes to the next member if there may be one; says what the failure means.
    fn leave(&mut self, error: &io::Error) -> Option<Problem> {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.done = true;
                Some(Problem::CutShort)
            }
            // So the decompressor calls damaged data.
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                self.lost = true;
                self.done = self.stream.seek_member().is_err();
                Some(Problem::Broken(format!("the compressed data is damaged: {error}")))
            }
            _ => {
                self.done = true;
                None
            }
        }
    }

    /// Goes past empty lines to a version line, and past it.
    fn find(&mut self) -> Result<Option<Spot>, Fault> {
        if let Some(spot) = self.begun.take() {
            return Ok(Some(spot));
        }
        loop {
            let mut spot = self.stream.spot();
            let fail = |spot, error| Fault {
                spot,
                problem: Problem::Io(error),
            };
            if self.stream.is_between() {
                match self.stream.begin_member() {
                    Ok(true) => spot = self.stream.spot(),
                    Ok(false) => return Ok(None),
                    Err(error) => return Err(fail(spot, error)),
                }
            }
            let mut line = Vec::new();
            let whole = self
                .stream
                .line(&mut line, MOST_HEAD)
                .map_err(|error| fail(spot, error))?;
            if line.is_empty() && !whole {
                self.stream.end_member();
                continue;
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            if is_version(&line) {
                return Ok(Some(spot));
            }
            let last = self.stream.is_last().map_err(|error| fail(spot, error))?;
            let problem = if !whole && last && b"WARC/".starts_with(&text[..text.len().min(5)]) {
                Problem::CutShort
            } else {
                let shown: String = String::from_utf8_lossy(text)
                    .chars()
                    .take(20)
                    .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
                    .collect();
                Problem::Broken(format!(
                    "found \"{shown}\", expected a record that begins with WARC/1.1"
                ))
            };
            return Err(Fault { spot, problem });
        }
    }

    /// Looks for a version line within the member.
    fn resync(&mut self) -> io::Result<Option<Spot>> {
        let mut line = Vec::new();
        let mut begins_line = true;
        loop {
            let spot = self.stream.spot();
            line.clear();
            let whole = self.stream.line(&mut line, 4096)?;
            if begins_line && whole && is_version(&line) {
                return Ok(Some(spot));
            }
            if line.is_empty() && !whole {
                return Ok(None);
            }
            begins_line = whole;
        }
    }

    /// Reads a record whose version line was read.
    fn record(&mut self, spot: Spot, keep: impl Fn(&Head) -> u64) -> Result<Record, Fault> {
        let fault = |problem| Fault { spot, problem };
        let broken = |why: &str| fault(Problem::Broken(why.to_owned()));
        let fail = |error| fault(Problem::Io(error));
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut size = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            let whole = self.stream.line(&mut line, MOST_HEAD).map_err(fail)?;
            size += line.len();
            if !whole {
                if line.len() >= MOST_HEAD {
                    return Err(broken("the fields of the record do not end"));
                }
                return Err(self.short(spot));
            }
            if size > MOST_HEAD {
                return Err(broken("the fields of the record do not end"));
            }
            if line.trim_ascii().is_empty() {
                break;
            }
            message::push_field(&mut fields, &line);
        }
        let mut head = Head {
            spot,
            fields,
            length: 0,
        };
        head.length = match head.field("Content-Length").map(|length| length.trim().parse::<u64>()) {
            Some(Ok(length)) => length,
            Some(Err(_)) => return Err(broken("the Content-Length of the record is no number")),
            None => return Err(broken("the record has no Content-Length")),
        };
        let mut block = Vec::new();
        let kept = keep(&head).min(head.length);
        let read = self.stream.take(kept, &mut block).map_err(fail)?;
        let passed = self.stream.pass(head.length - kept).map_err(fail)?;
        if read + passed < head.length {
            return Err(self.short(spot));
        }
        // The line breaks after the block; at the end of a member its checksum is looked at.
        if self.stream.pass_line_breaks().map_err(fail)? {
            self.stream.end_member();
        } else if self.stream.is_doubtful().map_err(fail)? {
            return Err(broken("the record does not end where it says, or is damaged"));
        }
        Ok(Record { head, block })
    }

    /// The stream or its member ended within a record.
    fn short(&mut self, spot: Spot) -> Fault {
        let problem = match self.stream.is_last() {
            Ok(true) => Problem::CutShort,
            Ok(false) => Problem::Broken("the record is longer than the compressed data that holds it".to_owned()),
            Err(error) => Problem::Io(error),
        };
        Fault { spot, problem }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, Fault>;

    fn next(&mut self) -> Option<Result<Record, Fault>> {
        let limit = self.limit;
        let record = self.next_keeping(|head| if head.length > limit { 0 } else { head.length })?;
        Some(record.and_then(|record| match record.head.length {
            length if length > limit => Err(Fault {
                spot: record.head.spot,
                problem: Problem::TooLarge { length, limit },
            }),
            _ => Ok(record),
        }))
    }
}

fn is_version(line: &[u8]) -> bool {
    let Some(version) = line.trim_ascii_end().strip_prefix(b"WARC/") else {
        return false;
    };
    version.len() < 16 && version.first().is_some_and(u8::is_ascii_digit) && version.contains(&b'.')
}

/// A stream of bytes, some of which may be compressed.
struct Stream<R> {
    layer: Layer<R>,
    /// Bytes that were taken from the present member.
    taken: u64,
    /// Was there a compressed member before?
    compressed: bool,
}

enum Layer<R> {
    /// Before a member.
    Between(Input<R>),
    /// From here on nothing is compressed.
    Plain(Input<R>),
    /// A member, and the offset of its beginning.
    Gzip(Box<BufReader<GzDecoder<Input<R>>>>, u64),
    /// Only while one layer becomes another.
    Moving,
}

impl<R: Read> Stream<R> {
    fn new(inner: R, offset: u64) -> Stream<R> {
        let buffer = vec![0; 64 << 10];
        Stream {
            layer: Layer::Between(Input {
                inner,
                buffer,
                start: 0,
                end: 0,
                offset,
            }),
            taken: 0,
            compressed: false,
        }
    }

    fn spot(&self) -> Spot {
        match &self.layer {
            Layer::Between(input) | Layer::Plain(input) => Spot {
                offset: input.offset,
                skip: 0,
            },
            Layer::Gzip(_, offset) => Spot {
                offset: *offset,
                skip: self.taken,
            },
            Layer::Moving => Spot { offset: 0, skip: 0 },
        }
    }

    fn is_between(&self) -> bool {
        matches!(self.layer, Layer::Between(_))
    }

    /// Begins what comes next; false at the end of the stream.
    fn begin_member(&mut self) -> io::Result<bool> {
        let Layer::Between(input) = &mut self.layer else {
            return Ok(true);
        };
        // Some programs fill up the last block of a file with zeros.
        while input.peek(1)?.first() == Some(&0) {
            input.consume(1);
        }
        let start = input.peek(5)?;
        if start.is_empty() {
            return Ok(false);
        }
        // A beginning that is cut short counts, so that the cut is found.
        let gzip = start.starts_with(GZIP) || GZIP.starts_with(start);
        let plain = start[0] == b'\r' || start[0] == b'\n' || b"WARC/".starts_with(&start[..start.len().min(5)]);
        if !gzip && !plain && self.compressed {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no gzip member begins here"));
        }
        self.taken = 0;
        self.compressed |= gzip;
        let Layer::Between(input) = std::mem::replace(&mut self.layer, Layer::Moving) else {
            return Ok(true);
        };
        let offset = input.offset;
        self.layer = if gzip {
            Layer::Gzip(
                Box::new(BufReader::with_capacity(32 << 10, GzDecoder::new(input))),
                offset,
            )
        } else {
            Layer::Plain(input)
        };
        Ok(true)
    }

    /// Leaves the member, at its end or wherever its decompressor stopped.
    fn end_member(&mut self) {
        self.layer = match std::mem::replace(&mut self.layer, Layer::Moving) {
            Layer::Gzip(reader, _) => Layer::Between(reader.into_inner().into_inner()),
            Layer::Plain(input) => Layer::Between(input),
            layer => layer,
        };
        self.taken = 0;
    }

    /// Leaves a damaged member and looks for the beginning of another.
    fn seek_member(&mut self) -> io::Result<()> {
        self.end_member();
        let Layer::Between(input) = &mut self.layer else {
            return Ok(());
        };
        loop {
            let bytes = input.peek(1 + GZIP.len())?;
            if bytes.is_empty() || bytes.starts_with(GZIP) && bytes.get(3).is_none_or(|flags| *flags < 32) {
                return Ok(());
            }
            let next = bytes[1..].iter().position(|byte| *byte == GZIP[0]);
            let step = next.map_or(bytes.len(), |at| at + 1);
            input.consume(step);
        }
    }

    fn fill(&mut self) -> io::Result<&[u8]> {
        match &mut self.layer {
            Layer::Plain(input) => input.fill_buf(),
            Layer::Gzip(reader, _) => reader.fill_buf(),
            Layer::Between(_) | Layer::Moving => Ok(&[]),
        }
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        match &mut self.layer {
            Layer::Plain(input) => input.consume(count),
            Layer::Gzip(reader, _) => reader.consume(count),
            Layer::Between(_) | Layer::Moving => {}
        }
    }

    /// Takes a line with its end, or at most `most` bytes of it. False if the end of the line was not reached.
    fn line(&mut self, line: &mut Vec<u8>, most: usize) -> io::Result<bool> {
        while line.len() < most {
            let room = most - line.len();
            let bytes = self.fill()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let bytes = &bytes[..bytes.len().min(room)];
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(bytes.len(), |at| at + 1);
            line.extend_from_slice(&bytes[..count]);
            self.consume(count);
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes so many bytes, or fewer at the end of the member; says how many. Memory is taken as bytes arrive.
    fn take(&mut self, count: u64, out: &mut Vec<u8>) -> io::Result<u64> {
        self.each(count, |bytes| out.extend_from_slice(bytes))
    }

    fn pass(&mut self, count: u64) -> io::Result<u64> {
        self.each(count, |_| {})
    }

    fn each(&mut self, count: u64, mut see: impl FnMut(&[u8])) -> io::Result<u64> {
        let mut left = count;
        while left > 0 {
            let bytes = self.fill()?;
            if bytes.is_empty() {
                break;
            }
            let some = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            see(&bytes[..some]);
            self.consume(some);
            left -= some as u64;
        }
        Ok(count - left)
    }

    /// Passes line breaks; true at the end of the member.
    fn pass_line_breaks(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.fill()?;
            if bytes.is_empty() {
                return Ok(true);
            }
            let count = bytes.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
            if count == 0 {
                return Ok(false);
            }
            self.consume(count);
        }
    }

    /// Does something follow in a member that is no record? Then its checksum is far away or lost, and nothing vouches for
    /// what came before.
    fn is_doubtful(&mut self) -> io::Result<bool> {
        let Layer::Gzip(reader, _) = &mut self.layer else {
            return Ok(false);
        };
        let bytes = reader.fill_buf()?;
        Ok(!b"WARC/".starts_with(&bytes[..bytes.len().min(5)]))
    }

    /// Does nothing follow the present member, which was read to its end?
    fn is_last(&mut self) -> io::Result<bool> {
        match &mut self.layer {
            Layer::Gzip(reader, _) => {
                if !reader.fill_buf()?.is_empty() {
                    return Ok(false);
                }
                Ok(reader.get_mut().get_mut().peek(1)?.is_empty())
            }
            Layer::Plain(input) | Layer::Between(input) => Ok(input.peek(1)?.is_empty()),
            Layer::Moving => Ok(true),
        }
    }
}

/// A buffered stream that knows how far it was read and can look ahead.
struct Input<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Of the next byte.
    offset: u64,
}

impl<R: Read> Input<R> {
    /// What comes next: at least `count` bytes, unless the stream ends before.
    fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let count = count.min(self.buffer.len());
        if self.end - self.start < count {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            while self.end < count {
                match self.inner.read(&mut self.buffer[self.end..]) {
                    Ok(0) => break,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }
}

impl<R: Read> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(out.len());
        out[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// An archive whose records are read by their places, by several threads at once if need be.
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
            // What a file has elsewhere says nothing about what was to be here.
            false => Err(Fault {
                spot,
                problem: Problem::Broken("found no record, expected one: was the file changed meanwhile?".to_owned()),
            }),
        })
    }

    /// A reader that stands where a record begins.
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

/// Makes the records of an archive, as bytes to be appended to a file.
#[derive(Debug)]
pub struct Writer {
    gzip: bool,
    seed: u128,
    count: AtomicU64,
}

impl Writer {
    /// A writer of records, compressed or not. Writers of different seeds give different ids.
    pub fn new(gzip: bool, seed: &str) -> Writer {
        Writer {
            gzip,
            seed: hash(&[seed.as_bytes()]),
            count: AtomicU64::new(0),
        }
    }

    /// The record that an archive begins with: what made it, for which other names and values may be given.
    ///
    /// # Errors
    ///
    /// Compression fails, which in memory it does not.
    pub fn info(&self, at: SystemTime, facts: &[(&str, &str)]) -> io::Result<Vec<u8>> {
        let mut block = String::new();
        let own = [
            ("software", concat!("wrapwright/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC file version 1.1"),
        ];
        for (name, value) in own.iter().chain(facts) {
            block += &format!("{name}: {}\r\n", message::one_line(value));
        }
        let id = self.id("warcinfo", block.as_bytes());
        let fields = [
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", &id),
            ("WARC-Date", &date(at)),
            ("Content-Type", "application/warc-fields"),
        ];
        self.pack(&fields, block.as_bytes())
    }

    /// The records of one exchange: the request, and the response or, where there was none, why.
    ///
    /// A failure is a `metadata` record that names its kind in a field of its own, `Wrapwright-Failure`; programs that
    /// do not know it pass over it.
    ///
    /// # Errors
    ///
    /// Compression fails, which in memory it does not.
    pub fn exchange(
        &self,
        at: SystemTime,
        request: &Request,
        answer: &Result<Response, DriverError>,
    ) -> io::Result<Vec<u8>> {
        let date = date(at);
        let mut url = request.url.clone();
        url.set_fragment(None);
        let asked = message::request_bytes(request);
        let asked_id = self.id(url.as_str(), &asked);
        let (kind, media, failure, answered) = match answer {
            Ok(response) => (
                "response",
                "application/http; msgtype=response",
                None,
                message::response_bytes(response),
            ),
            Err(error) => {
                let kind = message::failure_name(error.kind);
                (
                    "metadata",
                    "application/warc-fields",
                    Some(kind),
                    message::failure_bytes(error),
                )
            }
        };
        let answered_id = self.id(url.as_str(), &answered);
        let mut bytes = self.pack(
            &[
                ("WARC-Type", "request"),
                ("WARC-Record-ID", &asked_id),
                ("WARC-Date", &date),
                ("WARC-Target-URI", url.as_str()),
                ("WARC-Concurrent-To", &answered_id),
                ("Content-Type", "application/http; msgtype=request"),
            ],
            &asked,
        )?;
        let mut fields = vec![
            ("WARC-Type", kind),
            ("WARC-Record-ID", &answered_id),
            ("WARC-Date", &date),
            ("WARC-Target-URI", url.as_str()),
            ("WARC-Concurrent-To", &asked_id),
            ("Content-Type", media),
        ];
        if let Some(kind) = &failure {
            fields.push(("Wrapwright-Failure", kind));
        }
        bytes.extend(self.pack(&fields, &answered)?);
        Ok(bytes)
    }

    /// Any other record: its fields but for the id and the length, and its block.
    ///
    /// # Errors
    ///
    /// Compression fails, which in memory it does not.
    pub fn record(&self, fields: &[(&str, &str)], block: &[u8]) -> io::Result<Vec<u8>> {
        let id = self.id("", block);
        let mut all = vec![("WARC-Record-ID", id.as_str())];
        all.extend(fields);
        self.pack(&all, block)
    }

    fn id(&self, about: &str, block: &[u8]) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let bits = hash(&[
            &self.seed.to_be_bytes(),
            &count.to_be_bytes(),
            about.as_bytes(),
            &block[..block.len().min(4096)],
        ]);
        // Version 8 and the variant of RFC 9562.
        let bits = bits & !(0xF << 76) | 8 << 76;
        let bits = bits & !(3 << 62) | 2 << 62;
        let hex = format!("{bits:032x}");
        format!(
            "<urn:uuid:{}-{}-{}-{}-{}>",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }

    fn pack(&self, fields: &[(&str, &str)], block: &[u8]) -> io::Result<Vec<u8>> {
        let mut head = "WARC/1.1\r\n".to_owned();
        for (name, value) in fields {
            head += &format!("{name}: {}\r\n", message::one_line(value));
        }
        head += &format!("Content-Length: {}\r\n\r\n", block.len());
        let parts = [head.as_bytes(), block, b"\r\n\r\n"];
        if !self.gzip {
            return Ok(parts.concat());
        }
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        for part in parts {
            member.write_all(part)?;
        }
        member.finish()
    }
}

/// FNV-1a of 128 bits over parts, each with its length. Stable from version to version; no defence against malice.
pub(crate) fn hash(parts: &[&[u8]]) -> u128 {
    let mut state: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            state = (state ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
        }
    };
    for part in parts {
        add(&(part.len() as u64).to_be_bytes());
        add(part);
    }
    state
}

/// A time as WARC writes it: `2024-02-29T12:00:00Z`.
fn date(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March end with the day that leap years add (Hinnant, "chrono-compatible date algorithms").
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = match month {
        0..10 => (month + 3, year + era * 400),
        _ => (month - 9, year + era * 400 + 1),
    };
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

//! Records, one after the other, and how reading continues after a fault.

use super::stream::Stream;
use super::{Fault, Head, Problem, Record, Spot};
use crate::message;
use std::io::{self, Read};

/// The most bytes of the fields of one record; real ones have a few hundred.
const MOST_HEAD: usize = 256 << 10;

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
    pub(super) stream: Stream<R>,
    pub(super) limit: u64,
    /// A version line that was read while looking for one.
    pub(super) begun: Option<Spot>,
    /// Compressed data was damaged: everything up to the next record is skipped.
    pub(super) lost: bool,
    pub(super) done: bool,
}

impl<R: Read> Reader<R> {
    /// A reader of a stream that accepts records of at most `limit` bytes; larger ones are skipped and are faults.
    pub fn new(stream: R, limit: u64) -> Reader<R> {
        Reader::at(stream, limit, 0)
    }

    /// A reader of a stream of which `offset` bytes were read before.
    pub(crate) fn at(stream: R, limit: u64, offset: u64) -> Reader<R> {
        Reader {
            stream: Stream::new(stream, offset),
            limit,
            begun: None,
            lost: false,
            done: false,
        }
    }

    /// Where the next record may begin: right after the last one, if nothing lies between them.
    pub fn position(&self) -> Spot {
        self.stream.spot()
    }

    /// The next record, with at most as many bytes of its block as `keep` returns; the rest is skipped.
    ///
    /// So large records need not be kept in memory. The limit does not apply here.
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

    /// Goes to where the next record may begin. Returns the fault unless it follows from the one before.
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

    /// After a failed read, goes to the next member if there may be one; returns what the failure means.
    fn leave(&mut self, error: &io::Error) -> Option<Problem> {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.done = true;
                Some(Problem::CutShort)
            }
            // The decompressor's errors for damaged data.
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
            Some(Err(_)) => return Err(broken("the Content-Length of the record is not a number")),
            None => return Err(broken("the record has no Content-Length")),
        };
        let mut block = Vec::new();
        let kept = keep(&head).min(head.length);
        let read = self.stream.take(kept, &mut block).map_err(fail)?;
        let passed = self.stream.pass(head.length - kept).map_err(fail)?;
        if read + passed < head.length {
            return Err(self.short(spot));
        }
        // The line breaks after the block; at the end of a member its checksum is checked.
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

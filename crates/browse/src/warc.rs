//! Archives of what was fetched: WARC files (ISO 28500), read and written.
//!
//! A WARC file is records end to end: a version line, named fields, an empty line, a block of `Content-Length` bytes,
//! two line breaks. Compressed, each record is a gzip member of its own, so that a record can be read by its offset and
//! a file that was cut short loses only what was cut.
//!
//! **Reading.** [`Reader`] reads any stream, plain or compressed, and checks at every record or member which it is. So
//! a member per record, one member for all records, and mixtures all work. It keeps at most one record in memory, and
//! of that only as much as the caller wants. Archives come from many programs and from full disks, so a [`Fault`] is an
//! item among the records: after it the reader looks for the next version line or, in damaged compressed data, for the
//! start of the next member. A record is returned only if its block is complete and, if compressed, its checksum is
//! right as far as the data allows to check. Both kinds of line ends are accepted, and any version and type of record.
//!
//! A record's place is a [`Spot`]: the offset of its member and its offset inside the member, which is zero in regular
//! files. [`Shelf`] reads by spot. In a file that was compressed as a whole, reading from the middle means
//! decompressing up to there; the shelf keeps readers where they stopped, so that reading in order takes linear time.
//!
//! **Writing.** [`Writer`] makes the bytes of records, and the caller writes them to the file: so compression needs no
//! lock, and an exchange is one write. The format is WARC 1.1. Record ids are hashes of a seed, a counter and the
//! address, in the form of a UUID (version 8, whose bits are free to choose): the output depends only on the input,
//! which includes the times.
//!
//! Known gaps: records that continue in the next member or file are reported as broken or skipped, and there are no
//! digests.

mod reader;
mod shelf;
mod stream;
#[cfg(feature = "http")]
mod writer;

pub use reader::Reader;
pub use shelf::Shelf;
#[cfg(feature = "http")]
pub use writer::Writer;
#[cfg(feature = "http")]
pub(crate) use writer::hash;

use flate2::bufread::GzDecoder;
use std::fmt;
use std::io::{self, Read};

/// The first bytes of a gzip member, including the method: there is only one.
const GZIP: &[u8] = b"\x1F\x8B\x08";

/// Where a record lies in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The offset in the file, in bytes, of the record or of the gzip member that contains it.
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

/// The fields of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Where it is.
    pub spot: Spot,
    /// The named fields, in order.
    pub fields: Vec<(String, String)>,
    /// The length of its block, in bytes.
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

    /// The address that the record belongs to. Some programs write it in angle brackets.
    pub fn target(&self) -> Option<&str> {
        let target = self.field("WARC-Target-URI")?;
        let bare = target.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        Some(bare.unwrap_or(target))
    }
}

/// A record: its fields and its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its fields.
    pub head: Head,
    /// The block, or only its beginning: see [`Reader::next_keeping`].
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
    /// The data is not a record, or not a complete one.
    Broken(String),
    /// The record is longer than the limit.
    TooLarge {
        /// The length of its block.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// An error of the system; nothing is read after it.
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

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Does a file that begins like this contain WARC records, compressed or not? The first hundred bytes are enough.
pub fn is_warc(start: &[u8]) -> bool {
    let mut plain = Vec::new();
    if start.starts_with(GZIP) {
        // A missing end does not matter here.
        let _ = GzDecoder::new(start).take(5).read_to_end(&mut plain);
    } else {
        plain.extend(start.iter().take(5));
    }
    plain == b"WARC/"
}

/// The limit for a record whose page may have `bytes` bytes: chunks and headers take some room.
pub fn room_for(bytes: usize) -> u64 {
    (bytes as u64).saturating_add(bytes as u64 / 4).saturating_add(1 << 20)
}

//! Buffers between sinks and files, with or without compression.
//!
//! Records are collected and written in chunks; a chunk has whole records only. If files are compressed, a chunk is a member
//! (gzip) or a frame (Zstandard) of its own, so a file that was cut off can be read to the end of its last whole chunk, and
//! continued there. Chunks of a megabyte cost little: a member has 20 bytes around it and begins with an empty dictionary.

use super::Packing;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

/// How many bytes of records are a chunk, and how long they wait at most until the next record comes.
fn limits(packing: Packing) -> (usize, Duration) {
    match packing {
        Packing::Plain => (64 << 10, Duration::from_millis(500)),
        _ => (1 << 20, Duration::from_secs(10)),
    }
}

/// A writer that collects pieces.
#[derive(Debug)]
pub(super) struct Packed<W> {
    out: W,
    packing: Packing,
    chunk: Vec<u8>,
    /// Where the pieces of the chunk end.
    ends: Vec<usize>,
    since: Instant,
    /// After a failure nothing more is written: it could come after a gap.
    failed: bool,
}

impl<W: Write> Packed<W> {
    pub(super) fn new(out: W, packing: Packing) -> Packed<W> {
        Packed {
            out,
            packing,
            chunk: Vec::new(),
            ends: Vec::new(),
            since: Instant::now(),
            failed: false,
        }
    }

    /// Is nothing waiting?
    pub(super) fn is_empty(&self) -> bool {
        self.chunk.is_empty()
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }

    fn pack(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() || self.failed {
            return Ok(());
        }
        let written = match self.packing {
            Packing::Plain => self.out.write_all(&self.chunk),
            Packing::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&self.chunk)?;
                let packed = encoder.finish()?;
                self.out.write_all(&packed)
            }
            Packing::Zstd => {
                let packed = compress_to_vec(self.chunk.as_slice(), CompressionLevel::Fastest);
                self.out.write_all(&packed)
            }
        };
        if let Err(error) = written {
            self.failed = true;
            if self.packing == Packing::Plain {
                // The disk may have room for some of them.
                let mut from = 0;
                for end in std::mem::take(&mut self.ends) {
                    if self.out.write_all(&self.chunk[from..end]).is_err() {
                        break;
                    }
                    from = end;
                }
            }
            return Err(error);
        }
        self.chunk.clear();
        self.ends.clear();
        Ok(())
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.chunk.is_empty() {
            self.since = Instant::now();
        }
        self.chunk.extend_from_slice(piece);
        self.ends.push(self.chunk.len());
        let (bytes, time) = limits(self.packing);
        if self.chunk.len() >= bytes || self.since.elapsed() >= time {
            self.pack()?;
        }
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pack()?;
        self.out.flush()
    }
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    count: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.count += count as u64;
        self.inner.consume(count);
    }
}

/// Where the last whole chunk of a compressed file ends, and the first bytes of what is in the file.
pub(super) fn whole_end(file: &mut File, packing: Packing) -> io::Result<(u64, Vec<u8>)> {
    const FIRST: u64 = 1 << 20;
    let mut counted = Counted {
        inner: BufReader::new(file),
        count: 0,
    };
    let (mut end, mut first) = (0, Vec::new());
    while !counted.fill_buf()?.is_empty() {
        // What cannot be read was cut off.
        let read = match packing {
            Packing::Zstd => match StreamingDecoder::new(&mut counted) {
                Ok(decoder) => drain(decoder, FIRST - first.len() as u64, &mut first),
                Err(_) => break,
            },
            _ => drain(GzDecoder::new(&mut counted), FIRST - first.len() as u64, &mut first),
        };
        if read.is_err() {
            break;
        }
        end = counted.count;
    }
    Ok((end, first))
}

/// Reads to the end, and keeps the first bytes.
fn drain(mut from: impl Read, keep: u64, first: &mut Vec<u8>) -> io::Result<()> {
    from.by_ref().take(keep).read_to_end(first)?;
    io::copy(&mut from, &mut io::sink())?;
    Ok(())
}

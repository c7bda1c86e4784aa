//! Bytes of a file as if nothing in it were compressed, with places that can be found again.

use super::{GZIP, Spot};
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// A stream of bytes, some of which may be compressed.
pub(super) struct Stream<R> {
    layer: Layer<R>,
    /// Bytes read from the present member.
    pub(super) taken: u64,
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
    /// Only while one layer is replaced by another.
    Moving,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(inner: R, offset: u64) -> Stream<R> {
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

    pub(super) fn spot(&self) -> Spot {
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

    pub(super) fn is_between(&self) -> bool {
        matches!(self.layer, Layer::Between(_))
    }

    /// Starts the next member or plain part; false at the end of the stream.
    pub(super) fn begin_member(&mut self) -> io::Result<bool> {
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
        // A cut beginning counts too, so that the cut is reported.
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
    pub(super) fn end_member(&mut self) {
        self.layer = match std::mem::replace(&mut self.layer, Layer::Moving) {
            Layer::Gzip(reader, _) => Layer::Between(reader.into_inner().into_inner()),
            Layer::Plain(input) => Layer::Between(input),
            layer => layer,
        };
        self.taken = 0;
    }

    /// Leaves a damaged member and looks for the beginning of another.
    pub(super) fn seek_member(&mut self) -> io::Result<()> {
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

    /// Reads a line with its end, or at most `most` bytes of it. False if the end of the line was not reached.
    pub(super) fn line(&mut self, line: &mut Vec<u8>, most: usize) -> io::Result<bool> {
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

    /// Reads `count` bytes, or fewer at the end of the member, and returns how many. Memory grows as bytes arrive.
    pub(super) fn take(&mut self, count: u64, out: &mut Vec<u8>) -> io::Result<u64> {
        self.each(count, |bytes| out.extend_from_slice(bytes))
    }

    pub(super) fn pass(&mut self, count: u64) -> io::Result<u64> {
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

    /// Skips line breaks; true at the end of the member.
    pub(super) fn pass_line_breaks(&mut self) -> io::Result<bool> {
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

    /// Is there other data than a record next in the member? Then its checksum is far away or lost, and the data before
    /// it cannot be checked.
    pub(super) fn is_doubtful(&mut self) -> io::Result<bool> {
        let Layer::Gzip(reader, _) = &mut self.layer else {
            return Ok(false);
        };
        let bytes = reader.fill_buf()?;
        Ok(!b"WARC/".starts_with(&bytes[..bytes.len().min(5)]))
    }

    /// Does nothing follow the present member, which was read to its end?
    pub(super) fn is_last(&mut self) -> io::Result<bool> {
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

/// A buffered stream that knows its position and can look ahead.
struct Input<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset of the next byte.
    offset: u64,
}

impl<R: Read> Input<R> {
    /// The next bytes: at least `count`, unless the stream ends before.
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

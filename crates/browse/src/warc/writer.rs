//! Records as bytes.

use crate::fetch::{Request, Response};
use crate::message;
use flate2::{Compression, write::GzEncoder};
use page::driver::DriverError;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Makes the records of an archive, as bytes to be appended to a file.
#[derive(Debug)]
pub struct Writer {
    level: Option<Compression>,
    seed: u128,
    count: AtomicU64,
}

impl Writer {
    /// A writer of records, compressed or not. Writers with different seeds make different ids.
    pub fn new(gzip: bool, seed: &str) -> Writer {
        Writer {
            level: gzip.then(Compression::default),
            seed: hash(&[seed.as_bytes()]),
            count: AtomicU64::new(0),
        }
    }

    /// A writer of records that are compressed as fast as can be.
    pub(crate) fn fast(seed: &str) -> Writer {
        Writer {
            level: Some(Compression::fast()),
            ..Writer::new(true, seed)
        }
    }

    /// The first record of an archive: the program that wrote it, and further names and values.
    ///
    /// # Errors
    ///
    /// Compression fails, which does not happen in memory.
    pub fn info(&self, at: SystemTime, facts: &[(&str, &str)]) -> io::Result<Vec<u8>> {
        let mut block = String::new();
        let own = [
            ("software", concat!("wrapwright/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC file version 1.1"),
        ];
        for (name, value) in own.iter().chain(facts) {
            block += &format!("{name}: {}\r\n", message::one_line(value));
        }
        let id = self.id("warcinfo");
        let fields = [
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", &id),
            ("WARC-Date", &date(at)),
            ("Content-Type", "application/warc-fields"),
        ];
        let mut bytes = Vec::new();
        self.pack(&mut bytes, &fields, &[block.as_bytes()])?;
        Ok(bytes)
    }

    /// The records of one exchange: the request, and the response or the failure.
    ///
    /// A failure is a `metadata` record with its kind in the field `Wrapwright-Failure`; other programs skip it.
    ///
    /// # Errors
    ///
    /// Compression fails, which does not happen in memory.
    pub fn exchange(
        &self,
        at: SystemTime,
        request: &Request,
        answer: &Result<Response, DriverError>,
    ) -> io::Result<Vec<u8>> {
        self.parts(at, request, answer, &[]).map(|(bytes, _)| bytes)
    }

    /// The records of one exchange, with further fields for the request; and where the answer begins in them.
    pub(crate) fn parts(
        &self,
        at: SystemTime,
        request: &Request,
        answer: &Result<Response, DriverError>,
        further: &[(&str, &str)],
    ) -> io::Result<(Vec<u8>, usize)> {
        let date = date(at);
        let mut url = request.url.clone();
        url.set_fragment(None);
        let asked = message::request_bytes(request);
        let asked_id = self.id(url.as_str());
        let (kind, media, failure, head, body) = match answer {
            Ok(response) => (
                "response",
                "application/http; msgtype=response",
                None,
                message::response_head(response),
                response.body.as_slice(),
            ),
            Err(error) => {
                let kind = error.kind.name();
                (
                    "metadata",
                    "application/warc-fields",
                    Some(kind),
                    message::failure_bytes(error),
                    &[][..],
                )
            }
        };
        let answered_id = self.id(url.as_str());
        let mut fields = vec![
            ("WARC-Type", "request"),
            ("WARC-Record-ID", &asked_id),
            ("WARC-Date", &date),
            ("WARC-Target-URI", url.as_str()),
            ("WARC-Concurrent-To", &answered_id),
            ("Content-Type", "application/http; msgtype=request"),
        ];
        fields.extend(further);
        // Room for both records, with what their fields usually take.
        let mut bytes = match self.level {
            None => Vec::with_capacity(asked.len() + head.len() + body.len() + 2048),
            Some(_) => Vec::new(),
        };
        self.pack(&mut bytes, &fields, &[&asked])?;
        let begin = bytes.len();
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
        let remote = answer.as_ref().ok().and_then(|response| response.remote);
        let remote = remote.map(|address| address.to_string());
        if let Some(address) = &remote {
            fields.push(("WARC-IP-Address", address));
        }
        self.pack(&mut bytes, &fields, &[&head, body])?;
        Ok((bytes, begin))
    }

    /// Any other record: its fields without id and length, and its block.
    ///
    /// # Errors
    ///
    /// Compression fails, which does not happen in memory.
    pub fn record(&self, fields: &[(&str, &str)], block: &[u8]) -> io::Result<Vec<u8>> {
        let id = self.id("");
        let mut all = vec![("WARC-Record-ID", id.as_str())];
        all.extend(fields);
        let mut bytes = Vec::new();
        self.pack(&mut bytes, &all, &[block])?;
        Ok(bytes)
    }

    fn id(&self, about: &str) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let bits = hash(&[&self.seed.to_be_bytes(), &count.to_be_bytes(), about.as_bytes()]);
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

    /// Appends a record; its block is given in parts.
    fn pack(&self, bytes: &mut Vec<u8>, fields: &[(&str, &str)], block: &[&[u8]]) -> io::Result<()> {
        let mut head = "WARC/1.1\r\n".to_owned();
        for (name, value) in fields {
            head += &format!("{name}: {}\r\n", message::one_line(value));
        }
        let length: usize = block.iter().map(|part| part.len()).sum();
        head += &format!("Content-Length: {length}\r\n\r\n");
        let parts = [head.as_bytes()]
            .into_iter()
            .chain(block.iter().copied())
            .chain([&b"\r\n\r\n"[..]]);
        let Some(level) = self.level else {
            parts.for_each(|part| bytes.extend_from_slice(part));
            return Ok(());
        };
        let mut member = GzEncoder::new(bytes, level);
        for part in parts {
            member.write_all(part)?;
        }
        member.finish()?;
        Ok(())
    }
}

/// FNV-1a of 128 bits over parts, each with its length. The same in all versions; not safe against deliberate
/// collisions.
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

//! A WARC file as a stream of batches, with a page in each row.
//!
//! *Idea.* One pass over the file: every record that is a page becomes a row. Columns have the names that the columnar index of
//! Common Crawl gives them, so that queries and joins look the same. *Output*: batches of at most [`ROWS`] rows and about
//! [`BYTES`] bytes. *Cost*: one record is in memory beside its batch.
//!
//! | column | is |
//! |---|---|
//! | `url` | the address |
//! | `url_host_name` | its host |
//! | `fetch_time` | when it was fetched |
//! | `fetch_status` | the status of the response; missing for files |
//! | `content_digest` | the digest that the archive has, without the name of its method |
//! | `content_mime_type` | the type that was declared, without parameters |
//! | `content_charset` | the charset that was declared (Common Crawl's index has the one that was detected) |
//! | `content_truncated` | why the archive has only a part of it |
//! | `warc_filename`, `warc_record_offset`, `warc_record_length` | where the record is; the length is missing if records share a gzip member |
//! | `html`, or `content` if everything is wanted | the body, with its codings undone |
//!
//! *Known limits*: what follows damage in a file is found again at the next record, see [`browse::warc`]; records that
//! continue in another file are skipped.

use crate::archived::{Unread, body_of, is_archived_page};
use arrow_array::RecordBatch;
use arrow_array::builder::{BinaryBuilder, Int16Builder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use browse::Message;
use browse::warc::{Head, Reader, Record, room_for};
use page::Limits;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The most rows of a batch.
const ROWS: usize = 1024;

/// A batch with this many bytes of pages is full.
const BYTES: usize = 16 << 20;

/// The most messages about damage that are kept.
const KEPT: usize = 20;

/// What to read of a WARC file.
#[derive(Clone, Copy, Debug)]
pub struct WarcSettings {
    /// Every response, whatever its status and type? Otherwise pages only: HTML with the status 200.
    pub all: bool,
    /// The most bytes of a body; larger ones are left out.
    pub bytes: usize,
}

impl Default for WarcSettings {
    fn default() -> WarcSettings {
        WarcSettings {
            all: false,
            bytes: Limits::default().bytes,
        }
    }
}

/// The columns of a WARC file.
pub fn warc_schema(all: bool) -> SchemaRef {
    let column = |name: &str, kind: DataType| Field::new(name, kind, true);
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        column("url", DataType::Utf8),
        column("url_host_name", DataType::Utf8),
        column("fetch_time", time),
        column("fetch_status", DataType::Int16),
        column("content_digest", DataType::Utf8),
        column("content_mime_type", DataType::Utf8),
        column("content_charset", DataType::Utf8),
        column("content_truncated", DataType::Utf8),
        column("warc_filename", DataType::Utf8),
        column("warc_record_offset", DataType::Int64),
        column("warc_record_length", DataType::Int64),
        column(if all { "content" } else { "html" }, DataType::Binary),
    ]))
}

/// The pages of a WARC file, in its order.
pub struct WarcBatches {
    reader: Reader<File>,
    name: String,
    settings: WarcSettings,
    schema: SchemaRef,
    messages: Vec<String>,
    faults: u64,
}

impl WarcBatches {
    /// Opens a file. `name` is what the column `warc_filename` says.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(path: &Path, name: &str, settings: WarcSettings) -> io::Result<WarcBatches> {
        Ok(WarcBatches {
            reader: Reader::new(File::open(path)?, 0),
            name: name.to_owned(),
            settings,
            schema: warc_schema(settings.all),
            messages: Vec::new(),
            faults: 0,
        })
    }

    /// The columns.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// How many records could not be read so far.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Why, in words; the first ones.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    fn fault(&mut self, message: String) {
        self.faults += 1;
        if self.messages.len() < KEPT {
            self.messages.push(format!("{}: {message}", self.name));
        }
    }

    /// The row of a record, if it has one.
    fn add(&mut self, record: &Record, rows: &mut Rows) {
        let Some(url) = record.head.target() else { return };
        if !self.settings.all && !is_archived_page(record) {
            return;
        }
        let limit = self.settings.bytes;
        let body = match (record.head.length > record.block.len() as u64, body_of(record, limit)) {
            (true, _) => Err(Unread::Limit(page::LimitError::Bytes(limit))),
            (false, Ok(body)) if body.bytes.len() > limit => Err(Unread::Limit(page::LimitError::Bytes(limit))),
            (false, body) => body,
        };
        let (body, charset) = match body {
            Ok(found) => (found.bytes, found.charset),
            Err(unread) => {
                let why = match unread {
                    Unread::Limit(error) => error.to_string(),
                    Unread::Body(error) => error.to_string(),
                    Unread::Fault(error) => error.to_string(),
                };
                return self.fault(format!("at {}: {url}: {why}", record.head.spot));
            }
        };
        let message = record
            .head
            .is("response")
            .then(|| Message::parse(&record.block))
            .flatten();
        let media = match &message {
            Some(message) => message.header("content-type"),
            None => record.head.field("Content-Type"),
        };
        let kind = media.and_then(|media| media.split(';').next()).map(str::trim);
        let field = |name: &str| record.head.field(name);
        let digest = field("WARC-Payload-Digest").map(|digest| digest.split_once(':').map_or(digest, |(_, rest)| rest));
        let (spot, after) = (record.head.spot, self.reader.position());
        let length = (spot.skip == 0 && after.skip == 0 && after.offset > spot.offset)
            .then(|| i64::try_from(after.offset - spot.offset).ok())
            .flatten();
        rows.url.append_value(url);
        let host = url::Url::parse(url).ok();
        rows.host.append_option(host.as_ref().and_then(url::Url::host_str));
        rows.time.append_option(field("WARC-Date").and_then(microseconds));
        let status = message.as_ref().and_then(Message::status);
        rows.status
            .append_option(status.and_then(|status| i16::try_from(status).ok()));
        rows.digest.append_option(digest);
        rows.media.append_option(kind.filter(|kind| !kind.is_empty()));
        rows.charset.append_option(charset);
        rows.truncated.append_option(field("WARC-Truncated"));
        rows.file.append_value(&self.name);
        rows.offset.append_option(i64::try_from(spot.offset).ok());
        rows.length.append_option(length);
        rows.bytes += body.len();
        rows.body.append_value(body);
        rows.count += 1;
    }
}

impl Iterator for WarcBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let mut rows = Rows::default();
        let most = room_for(self.settings.bytes);
        let keep = |head: &Head| match head.is("response") || head.is("resource") {
            true => head.length.min(most),
            false => 0,
        };
        while rows.count < ROWS && rows.bytes < BYTES {
            match self.reader.next_keeping(keep) {
                None => break,
                Some(Ok(record)) if keep(&record.head) == 0 => {}
                Some(Ok(record)) => self.add(&record, &mut rows),
                Some(Err(fault)) => self.fault(fault.to_string()),
            }
        }
        (rows.count > 0).then(|| rows.batch(self.schema()))
    }
}

/// The rows of a batch.
#[derive(Default)]
struct Rows {
    count: usize,
    bytes: usize,
    url: StringBuilder,
    host: StringBuilder,
    time: TimestampMicrosecondBuilder,
    status: Int16Builder,
    digest: StringBuilder,
    media: StringBuilder,
    charset: StringBuilder,
    truncated: StringBuilder,
    file: StringBuilder,
    offset: Int64Builder,
    length: Int64Builder,
    body: BinaryBuilder,
}

impl Rows {
    fn batch(mut self, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(
            schema,
            vec![
                Arc::new(self.url.finish()),
                Arc::new(self.host.finish()),
                Arc::new(self.time.finish().with_timezone("UTC")),
                Arc::new(self.status.finish()),
                Arc::new(self.digest.finish()),
                Arc::new(self.media.finish()),
                Arc::new(self.charset.finish()),
                Arc::new(self.truncated.finish()),
                Arc::new(self.file.finish()),
                Arc::new(self.offset.finish()),
                Arc::new(self.length.finish()),
                Arc::new(self.body.finish()),
            ],
        )
    }
}

/// A time such as `2024-03-01T12:30:00Z`, perhaps with a fraction of a second, in microseconds since 1970.
fn microseconds(text: &str) -> Option<i64> {
    let (date, time) = text.trim().strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut time = time.splitn(3, ':');
    let (hour, minute) = (time.next()?.parse::<i64>().ok()?, time.next()?.parse::<i64>().ok()?);
    let (second, fraction) = time
        .next()
        .map_or(("0", ""), |rest| rest.split_once('.').unwrap_or((rest, "")));
    let second = second.parse::<i64>().ok()?;
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) || !is_time {
        return None;
    }
    let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
    let fraction = digits.parse::<i64>().ok()?;
    // Days since 1970 in the Gregorian calendar, with years that begin in March, so that leap days come last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, month) = (year.div_euclid(400), (month + 9) % 12);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + fraction)
}

#[cfg(test)]
mod tests {
    use super::microseconds;

    #[test]
    fn times() {
        let rows = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2024-02-29T12:30:05Z", Some(1_709_209_805_000_000)),
            ("2024-03-01T00:00:00.25Z", Some(1_709_251_200_250_000)),
            ("2024-13-01T00:00:00Z", None),
            ("yesterday", None),
            ("2024-03-01", None),
        ];
        for (text, expected) in rows {
            assert_eq!(microseconds(text), expected, "{text}");
        }
    }
}

//! Pages in WARC files.
//!
//! One pass lists the pages of a file: the position and address of each. The pages themselves are read when needed,
//! each from its own position, so several threads can read one archive and none keeps more than its page in memory.
//!
//! A page is a response with status 200 whose type is HTML, or which has no type and looks like HTML; or a `resource`
//! record of that type, as written by programs that archive files. Everything else in an archive (images, requests,
//! revisits, texts made from pages) is skipped silently; damaged parts are reported with their position.

use crate::ParseSettings;
use browse::Message;
use browse::warc::{self, Fault, Head, Reader, Shelf, Spot};
use page::Markup;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The bytes of a record that are enough to see what it is.
const START: u64 = 64 << 10;

/// The most faults that are reported for one file; a file that is all damage should not fill a terminal.
const MOST_FAULTS: usize = 20;

/// A page in a WARC file.
#[derive(Clone, Debug)]
pub struct Archived {
    shelf: Arc<Shelf>,
    spot: Spot,
    url: String,
}

impl PartialEq for Archived {
    fn eq(&self, other: &Archived) -> bool {
        (self.shelf.path(), self.spot, &self.url) == (other.shelf.path(), other.spot, &other.url)
    }
}

impl Eq for Archived {}

/// Why an archived page cannot be read.
pub(crate) enum Unread {
    Fault(Fault),
    Body(browse::BodyError),
    Limit(page::LimitError),
}

impl Archived {
    /// The file that contains it.
    pub fn file(&self) -> &Path {
        self.shelf.path()
    }

    /// Its position in the file.
    pub fn spot(&self) -> Spot {
        self.spot
    }

    /// The address it was fetched from.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The page, as it was answered.
    pub(crate) fn read(&self, settings: &ParseSettings) -> Result<Body, Unread> {
        let limit = settings.limits.bytes;
        let too_large = || Unread::Limit(page::LimitError::Bytes(limit));
        let record = self
            .shelf
            .read(self.spot, warc::room_for(limit))
            .map_err(|fault| match fault.problem {
                warc::Problem::TooLarge { .. } => too_large(),
                _ => Unread::Fault(fault),
            })?;
        body_of(&record, limit)
    }
}

/// A page that was answered.
pub(crate) struct Body {
    /// Perhaps one byte more than the limit.
    pub(crate) bytes: Vec<u8>,
    /// The charset that was declared with it.
    pub(crate) charset: Option<String>,
    /// What its media type says.
    pub(crate) markup: Markup,
}

impl Body {
    fn of(bytes: Vec<u8>, media: &str) -> Body {
        Body {
            bytes,
            charset: browse::charset(media).map(str::to_owned),
            markup: Markup::of_media(media),
        }
    }
}

/// The body of a page.
pub(crate) fn body_of(record: &warc::Record, limit: usize) -> Result<Body, Unread> {
    if record.head.is("resource") {
        let media = record.head.field("Content-Type").unwrap_or("");
        return Ok(Body::of(record.block.clone(), media));
    }
    // Whoever asks has seen that it is a message.
    let message = Message::parse(&record.block).unwrap_or(Message {
        start: String::new(),
        headers: Vec::new(),
        stored: &[],
    });
    let media = message.header("content-type").unwrap_or("").to_owned();
    let (bytes, broken) = message.body_so_far(limit).map_err(Unread::Body)?;
    match broken {
        // If the archive says that the record was truncated, an incomplete body is expected.
        Some(coding) if record.head.field("WARC-Truncated").is_none() && bytes.len() <= limit => {
            Err(Unread::Body(browse::BodyError::Broken(coding)))
        }
        _ => Ok(Body::of(bytes.into_owned(), &media)),
    }
}

/// Is a record a page? Its beginning is enough.
pub(crate) fn is_archived_page(record: &warc::Record) -> bool {
    match &record.head {
        head if head.is("response") => is_page(&record.block),
        head => head.is("resource") && is_html(head.field("Content-Type"), || record.block.clone()),
    }
}

/// Is this a WARC file, judging by its name or its first bytes?
pub(crate) fn is_archive(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    if name.ends_with(".warc") || name.ends_with(".warc.gz") {
        return true;
    }
    // Most pages are recognized by their names alone, without opening them. Pipes can be read only once.
    if name.ends_with(".html") || name.ends_with(".htm") || !path.is_file() {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut start));
    read.is_ok() && warc::is_warc(&start)
}

/// The pages of a WARC file, the faults in it, and the number of further faults.
pub(crate) fn list(path: &Path) -> io::Result<(Vec<Archived>, Vec<Fault>, usize)> {
    let shelf = Arc::new(Shelf::new(path));
    let mut reader = Reader::new(File::open(path)?, 0);
    let (mut pages, mut faults, mut more) = (Vec::new(), Vec::new(), 0);
    let may_be = |head: &Head| head.is("response") || head.is("resource");
    while let Some(record) = reader.next_keeping(|head| if may_be(head) { START } else { 0 }) {
        match record {
            Ok(record) => {
                if let (true, Some(url)) = (is_archived_page(&record), record.head.target()) {
                    pages.push(Archived {
                        shelf: Arc::clone(&shelf),
                        spot: record.head.spot,
                        url: url.to_owned(),
                    });
                }
            }
            Err(fault) if faults.len() < MOST_FAULTS => faults.push(fault),
            Err(_) => more += 1,
        }
    }
    Ok((pages, faults, more))
}

fn is_page(block: &[u8]) -> bool {
    let Some(message) = Message::parse(block) else {
        return false;
    };
    message.status() == Some(200)
        && is_html(message.header("content-type"), || {
            // Only the beginning is here, so an incomplete body is expected.
            let start = message.body_so_far(1024);
            start.map_or(Vec::new(), |(bytes, _)| bytes.into_owned())
        })
}

fn is_html(media: Option<&str>, start: impl Fn() -> Vec<u8>) -> bool {
    let kind = media.unwrap_or("").split(';').next().unwrap_or("").trim();
    match kind.to_ascii_lowercase().as_str() {
        "text/html" | "application/xhtml+xml" => true,
        "" => looks_like_html(&start()),
        _ => false,
    }
}

/// Does a text begin like a page? Similar to the MIME Sniffing Standard.
fn looks_like_html(start: &[u8]) -> bool {
    const TAGS: [&str; 19] = [
        "<!doctype html",
        "<html",
        "<head",
        "<script",
        "<iframe",
        "<h1",
        "<div",
        "<font",
        "<table",
        "<a",
        "<style",
        "<title",
        "<b",
        "<body",
        "<br",
        "<p",
        "<meta",
        "<link",
        "<!--",
    ];
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    TAGS.iter().any(|tag| {
        let (Some(head), after) = (start.get(..tag.len()), start.get(tag.len())) else {
            return false;
        };
        let ends = after.is_none_or(|byte| matches!(byte, b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\r' | b'\x0C'));
        head.eq_ignore_ascii_case(tag.as_bytes()) && (ends || tag.starts_with("<!--"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_without_a_type_are_known_by_their_beginning() {
        let rows: [(&[u8], bool); 9] = [
            (b"<!DOCTYPE html><p>", true),
            (b"\xEF\xBB\xBF \r\n<HTML>", true),
            (b"<!--x--><p>", true),
            (b"<p>", true),
            (b"<product>", false),
            (b"<?xml version='1.0'?><rss>", false),
            (b"plain text", false),
            (b"{\"a\": 1}", false),
            (b"", false),
        ];
        for (bytes, expected) in rows {
            assert_eq!(looks_like_html(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}

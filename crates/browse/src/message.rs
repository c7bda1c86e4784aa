//! HTTP messages as archives store them.
//!
//! Our recordings store a body as the transport returned it, with all codings undone. Other archives store what went
//! over the wire, so a body may still be chunked and compressed; and some undo both but keep the fields that announce
//! them. So a coding is undone only if the body begins like that coding; otherwise it counts as undone already.
//!
//! So that other programs can read our recordings, fields that announce a coding or a length that the stored body does
//! not have get a prefix, as in the Internet Archive's files. A replay removes the prefix, so a response is the same as
//! when it was recorded.

#[cfg(feature = "http")]
use crate::fetch::{Request, Response};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
#[cfg(feature = "http")]
use page::Remedy;
#[cfg(feature = "http")]
use page::driver::{DriverError, FailureKind};
use std::borrow::Cow;
use std::io::{self, Read};

/// The most codings around one body; real ones have one or two.
const MOST_CODINGS: usize = 4;

/// The prefix of fields that do not describe the body as it is stored.
#[cfg(feature = "http")]
const ASIDE: &str = "X-Archive-Orig-";

/// A response or request as stored in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<'b> {
    /// The first line: `HTTP/1.1 200 OK`, `GET / HTTP/1.1`.
    pub start: String,
    /// The header fields, in order.
    pub headers: Vec<(String, String)>,
    /// The body as it is stored: see [`Message::body`].
    pub stored: &'b [u8],
}

/// Why a body cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyError {
    /// It is larger than this limit, in bytes.
    TooLarge(usize),
    /// It ends too early, or is not what its header says.
    Broken(&'static str),
    /// It is in an unknown coding.
    Coding(String),
}

impl std::fmt::Display for BodyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BodyError::TooLarge(limit) => write!(f, "the body is larger than the limit of {limit} bytes"),
            BodyError::Broken(coding) => write!(f, "the body is broken: it is not complete {coding}"),
            BodyError::Coding(coding) => {
                write!(
                    f,
                    "the body is stored in the coding \"{coding}\", expected gzip, deflate or none"
                )
            }
        }
    }
}

impl std::error::Error for BodyError {}

impl<'b> Message<'b> {
    /// Parses a block. Other data than HTTP gives a meaningless message, or `None` if there is no first line.
    pub fn parse(block: &'b [u8]) -> Option<Message<'b>> {
        let mut rest = block;
        let mut line = || {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let (line, after) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
            rest = after;
            line
        };
        let start = text(line().trim_ascii()).into_owned();
        let mut headers = Vec::new();
        if start.is_empty() {
            return None;
        }
        loop {
            let line = line();
            if line.trim_ascii().is_empty() {
                break;
            }
            push_field(&mut headers, line);
        }
        Some(Message {
            start,
            headers,
            stored: rest,
        })
    }

    /// The status of a response.
    pub fn status(&self) -> Option<u16> {
        let mut words = self.start.split_ascii_whitespace();
        words.next().filter(|version| version.starts_with("HTTP/"))?;
        words.next()?.parse().ok()
    }

    /// The method of a request.
    pub fn method(&self) -> Option<&str> {
        self.start.split_ascii_whitespace().next()
    }

    /// The first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The charset that the header names.
    pub fn charset(&self) -> Option<&str> {
        charset(self.header("content-type")?)
    }

    /// The body with its codings undone, if it has at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// It is larger, broken, or in an unknown coding.
    pub fn body(&self, limit: usize) -> Result<Cow<'b, [u8]>, BodyError> {
        let (bytes, error) = self.body_so_far(limit)?;
        match error {
            Some(coding) => Err(BodyError::Broken(coding)),
            None if bytes.len() > limit => Err(BodyError::TooLarge(limit)),
            None => Ok(bytes),
        }
    }

    /// The beginning of the body, at most one byte more than `limit`, and the coding that ends too early, if one does.
    ///
    /// # Errors
    ///
    /// It is in an unknown coding.
    pub fn body_so_far(&self, limit: usize) -> Result<(Cow<'b, [u8]>, Option<&'static str>), BodyError> {
        let mut codings: Vec<Coding> = Vec::new();
        // The outermost coding first.
        for value in ["transfer-encoding", "content-encoding"] {
            let values: Vec<&str> = self
                .headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case(value))
                .flat_map(|(_, value)| value.split(','))
                .collect();
            for name in values.iter().rev() {
                codings.extend(Coding::named(name.trim())?);
            }
        }
        if codings.len() > MOST_CODINGS {
            return Err(BodyError::Coding(format!("{} codings at once", codings.len())));
        }
        let most = limit.saturating_add(1);
        let mut bytes: Cow<'b, [u8]> = Cow::Borrowed(self.stored);
        let mut broken = None;
        for (at, coding) in codings.iter().enumerate() {
            // An inner coding may be larger than its content, but not by this much.
            let most = if at + 1 < codings.len() {
                most.saturating_mul(2)
            } else {
                most
            };
            let (inner, whole) = coding.undo(&bytes, most);
            if let Some(inner) = inner {
                bytes = Cow::Owned(inner);
                broken = broken.or((!whole).then_some(coding.name()));
            }
        }
        if bytes.len() > most {
            bytes = match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..most]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(most);
                    Cow::Owned(bytes)
                }
            };
        }
        Ok((bytes, broken))
    }

    /// The headers of the response that was recorded. Codings that are undone are not announced.
    #[cfg(feature = "http")]
    pub(crate) fn restored(&self) -> Vec<(String, String)> {
        let coded = ["transfer-encoding", "content-encoding"].map(|name| self.header(name).is_some());
        let coded = coded.contains(&true);
        let stale = |name: &str| {
            name.eq_ignore_ascii_case("content-encoding")
                || name.eq_ignore_ascii_case("transfer-encoding")
                || coded && name.eq_ignore_ascii_case("content-length")
        };
        self.headers
            .iter()
            .filter(|(name, _)| !stale(name))
            .map(|(name, value)| (name.strip_prefix(ASIDE).unwrap_or(name).to_owned(), value.clone()))
            .collect()
    }
}

/// How a body may be coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Chunked,
    Gzip,
    Deflate,
}

impl Coding {
    fn named(name: &str) -> Result<Option<Coding>, BodyError> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "" | "identity" | "none" => None,
            "chunked" => Some(Coding::Chunked),
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            _ => return Err(BodyError::Coding(name.chars().take(40).collect())),
        })
    }

    fn name(self) -> &'static str {
        match self {
            Coding::Chunked => "sequence of chunks",
            Coding::Gzip => "gzip",
            Coding::Deflate => "deflate",
        }
    }

    /// At most `most` decoded bytes, and whether the coding is complete; none if the bytes are not in this coding.
    fn undo(self, bytes: &[u8], most: usize) -> (Option<Vec<u8>>, bool) {
        let take = |mut decoder: &mut dyn Read| {
            let mut out = Vec::new();
            let whole = (&mut decoder).take(most as u64).read_to_end(&mut out).is_ok();
            (Some(out), whole)
        };
        // Bytes of zlib: the method is 8, and the first two are a multiple of 31.
        let zlib = matches!(bytes, [a, b, ..] if a & 15 == 8 && (u16::from(*a) << 8 | u16::from(*b)) % 31 == 0);
        match self {
            Coding::Chunked if chunk_size(bytes).is_none() => (None, true),
            Coding::Chunked => take(&mut Dechunk { rest: bytes, left: 0 }),
            Coding::Gzip if !bytes.starts_with(b"\x1F\x8B") => (None, true),
            Coding::Gzip => take(&mut MultiGzDecoder::new(bytes)),
            Coding::Deflate if zlib => take(&mut ZlibDecoder::new(bytes)),
            // Some servers leave out the zlib header. Nothing marks such a body, so other data is taken as it is.
            Coding::Deflate => match take(&mut DeflateDecoder::new(bytes)) {
                (_, false) if bytes.trim_ascii_start().starts_with(b"<") => (None, true),
                (Some(out), false) if out.is_empty() => (None, true),
                undone => undone,
            },
        }
    }
}

/// Decodes a chunked body.
struct Dechunk<'b> {
    rest: &'b [u8],
    /// Of the present chunk.
    left: usize,
}

/// The size of the chunk that begins here, and the bytes that say so.
fn chunk_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.iter().take(1024).position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next().unwrap_or("").trim();
    let hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let size = usize::from_str_radix(digits, 16).ok().filter(|_| hex)?;
    Some((size, end + 1))
}

impl Read for Dechunk<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.left == 0 {
            let Some((size, line)) = chunk_size(self.rest) else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            // Trailer fields after the last chunk are ignored.
            if size == 0 {
                return Ok(0);
            }
            self.rest = &self.rest[line..];
            self.left = size;
        }
        if self.rest.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let count = self.left.min(out.len()).min(self.rest.len());
        out[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        self.left -= count;
        if self.left == 0 {
            self.rest = self.rest.strip_prefix(b"\r").unwrap_or(self.rest);
            self.rest = self.rest.strip_prefix(b"\n").unwrap_or(self.rest);
        }
        Ok(count)
    }
}

/// The charset that a media type names.
pub fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

/// Adds a header line to the fields: a new field, a continuation of the last one, or nothing.
pub(crate) fn push_field(fields: &mut Vec<(String, String)>, line: &[u8]) {
    if line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
        if let Some((_, value)) = fields.last_mut() {
            value.push(' ');
            value.push_str(&text(line.trim_ascii()));
        }
        return;
    }
    if let Some(colon) = line.iter().position(|byte| *byte == b':') {
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        fields.push((text(name).into_owned(), text(value).into_owned()));
    }
}

/// The text of a field: UTF-8 if it is valid, or else Latin-1.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    }
}

/// A value without line breaks, which would end its field.
#[cfg(feature = "http")]
pub(crate) fn one_line(value: &str) -> Cow<'_, str> {
    if value.contains(['\r', '\n', '\0']) {
        value.replace(['\r', '\n', '\0'], " ").into()
    } else {
        value.into()
    }
}

/// A request as sent over the wire, without what the transport adds.
#[cfg(feature = "http")]
pub(crate) fn request_bytes(request: &Request) -> Vec<u8> {
    let url = &request.url;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str().unwrap_or("")),
        None => url.host_str().unwrap_or("").to_owned(),
    };
    let mut head = format!(
        "{} {}{query} HTTP/1.1\r\nHost: {host}\r\n",
        request.method.as_str(),
        url.path()
    );
    for (name, value) in &request.headers {
        head += &format!("{}: {}\r\n", one_line(name), one_line(value));
    }
    let body = request.body.as_ref();
    if let Some(body) = body {
        let (kind, length) = (one_line(&body.content_type), body.bytes.len());
        head += &format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n");
    }
    head += "\r\n";
    [head.as_bytes(), body.map_or(&[], |body| &body.bytes)].concat()
}

/// What comes before the body of a response, as it would be sent without codings.
#[cfg(feature = "http")]
pub(crate) fn response_head(response: &Response) -> Vec<u8> {
    let reason = reqwest::StatusCode::from_u16(response.status).ok();
    let reason = reason.and_then(|status| status.canonical_reason()).unwrap_or("");
    let mut head = format!("HTTP/1.1 {:03} {reason}\r\n", response.status);
    for (name, value) in &response.headers {
        let stale = name.eq_ignore_ascii_case("content-encoding")
            || name.eq_ignore_ascii_case("transfer-encoding")
            || name.eq_ignore_ascii_case("content-length") && value.trim() != response.body.len().to_string();
        let aside = if stale { ASIDE } else { "" };
        head += &format!("{aside}{}: {}\r\n", one_line(name), one_line(value));
    }
    head += "\r\n";
    head.into_bytes()
}

/// A failure as the fields of a record.
#[cfg(feature = "http")]
pub(crate) fn failure_bytes(error: &DriverError) -> Vec<u8> {
    let mut text = format!("message: {}\r\n", one_line(&error.message));
    if let Some(remedy) = &error.remedy {
        text += &format!("hint: {}\r\n", one_line(&remedy.to_string()));
        if let Some(name) = remedy.name() {
            text += &format!("remedy: {name}\r\n");
        }
    }
    text.into_bytes()
}

/// A failure from its name and the fields of its record.
#[cfg(feature = "http")]
pub(crate) fn failure(name: &str, block: &[u8]) -> DriverError {
    let mut fields = Vec::new();
    for line in block.split(|byte| *byte == b'\n') {
        push_field(&mut fields, line);
    }
    let field = |name: &str| fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
    let message = field("message").unwrap_or_else(|| "the request failed when it was recorded".to_owned());
    let error = DriverError::new(FailureKind::from_name(name), message);
    // Recordings of earlier versions have the words alone.
    let remedy = field("remedy").and_then(|name| Remedy::from_name(&name));
    match remedy.or_else(|| field("hint").map(Remedy::from)) {
        Some(remedy) => error.with_remedy(remedy),
        None => error,
    }
}

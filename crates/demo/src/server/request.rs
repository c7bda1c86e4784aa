//! Requests of clients.

use super::codec::{pairs, percent_decode};

/// A request, as it arrived.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `GET`, `HEAD`, `POST`, or anything else that the client sent.
    pub method: String,
    /// The path, decoded; begins with `/`.
    pub path: String,
    /// The pairs of the query string, decoded, in their order.
    pub query: Vec<(String, String)>,
    /// The headers, in their order; names in lower case, values trimmed.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Path and query as they were written.
    pub target: String,
}

impl Request {
    /// Is this `GET` or `HEAD`?
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD")
    }

    /// The first header of this name, which is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        first(&self.headers, name)
    }

    /// The first value of this name in the query string.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        first(&self.query, name)
    }

    /// The pairs of an urlencoded form in the body.
    #[must_use]
    pub fn form(&self) -> Vec<(String, String)> {
        pairs(&String::from_utf8_lossy(&self.body))
    }

    /// The cookie of this name.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .filter(|(header, _)| header == "cookie")
            .flat_map(|(_, value)| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(found, value)| (found == name).then_some(value))
    }
}

fn first<'p>(pairs: &'p [(String, String)], name: &str) -> Option<&'p str> {
    pairs
        .iter()
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.as_str())
}

/// A request without its body, and what the server needs to continue.
pub(super) struct Head {
    pub(super) request: Request,
    /// Bytes of the body.
    pub(super) length: usize,
    /// Does the client want to keep the connection?
    pub(super) keep: bool,
}

/// The length of the head in `bytes`, if it is complete: up to and including the first empty line. Lines end in LF, or
/// in CR LF. Empty lines before the first line belong to it, as RFC 9112 wants.
///
/// `from` is the number of bytes that were checked before, so that a head that arrives byte by byte takes linear time.
pub(super) fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
    let from = from.saturating_sub(3).max(start);
    (from..bytes.len())
        .filter(|at| bytes[*at] == b'\n')
        .find_map(|at| match bytes[at + 1..] {
            [b'\n', ..] => Some(at + 2),
            [b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        })
}

/// Reads a whole head; the error is the status that refuses it.
pub(super) fn parse(head: &[u8], most_headers: usize) -> Result<Head, u16> {
    let head = std::str::from_utf8(head).map_err(|_| 400u16)?;
    let mut lines = head
        .trim_start_matches(['\r', '\n'])
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line));
    let mut words = lines.next().unwrap_or("").split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(400);
    };
    if method.is_empty() || !method.bytes().all(is_token) || target.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(400);
    }
    let mut keep = match version {
        "HTTP/1.1" => true,
        "HTTP/1.0" => false,
        _ if version.starts_with("HTTP/") => return Err(505),
        _ => return Err(400),
    };
    let target = origin(target).ok_or(400u16)?;
    let mut request = Request {
        method: method.to_owned(),
        target: target.to_owned(),
        ..Request::default()
    };
    let bare = target.split('#').next().unwrap_or("");
    let (path, query) = bare.split_once('?').unwrap_or((bare, ""));
    request.path = percent_decode(path);
    request.query = pairs(query);
    let mut length = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        if request.headers.len() == most_headers {
            return Err(431);
        }
        let (name, value) = line.split_once(':').ok_or(400u16)?;
        if name.is_empty() || !name.bytes().all(is_token) || value.bytes().any(|byte| byte < b' ' && byte != b'\t') {
            return Err(400);
        }
        let (name, value) = (name.to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "content-length" => {
                // `parse` would accept a sign.
                if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(400);
                }
                let stated = value.parse().map_err(|_| 413u16)?;
                if length.is_some_and(|length| length != stated) {
                    return Err(400);
                }
                length = Some(stated);
            }
            "transfer-encoding" => return Err(501),
            "connection" if value.split(',').any(|word| word.trim().eq_ignore_ascii_case("close")) => keep = false,
            _ => {}
        }
        request.headers.push((name, value.to_owned()));
    }
    Ok(Head {
        request,
        length: length.unwrap_or(0),
        keep,
    })
}

/// Path and query of a request target: `/a?b`, or `http://host/a?b` as it is sent to proxies, or `*`.
fn origin(target: &str) -> Option<&str> {
    if target.starts_with('/') || target == "*" {
        return Some(target);
    }
    let (_, rest) = target.split_once("://")?;
    Some(rest.find('/').map_or("/", |at| &rest[at..]))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

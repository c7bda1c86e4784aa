//! The answer of a site: a response, or a response that is broken on purpose.

use std::io::Write;
use std::time::Duration;

/// A response. The server adds `Content-Length` and `Connection`.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Names and values. Control characters in values are not sent.
    pub headers: Vec<(&'static str, String)>,
    /// The body, which is not sent for `HEAD`.
    pub body: Vec<u8>,
}

impl Response {
    /// A response of a status and a media type.
    #[must_use]
    pub fn new(status: u16, media: &str, body: impl Into<Vec<u8>>) -> Response {
        Response {
            status,
            headers: vec![("Content-Type", media.to_owned())],
            body: body.into(),
        }
    }

    /// An HTML page.
    #[must_use]
    pub fn html(page: impl Into<Vec<u8>>) -> Response {
        Response::new(200, "text/html; charset=utf-8", page)
    }

    /// Plain text.
    #[must_use]
    pub fn text(text: impl Into<Vec<u8>>) -> Response {
        Response::new(200, "text/plain; charset=utf-8", text)
    }

    /// JSON.
    #[must_use]
    pub fn json(text: impl Into<Vec<u8>>) -> Response {
        Response::new(200, "application/json", text)
    }

    /// Sends the client elsewhere with `GET`: 303.
    #[must_use]
    pub fn see_other(address: &str) -> Response {
        Response::new(303, "text/plain; charset=utf-8", "see the other page\n").with_header("Location", address)
    }

    /// A plain page for a status.
    #[must_use]
    pub fn plain(status: u16) -> Response {
        Response::new(
            status,
            "text/plain; charset=utf-8",
            format!("{status} {}\n", reason(status)),
        )
    }

    /// The refusal of a method, with those that are allowed: 405.
    #[must_use]
    pub fn not_allowed(allowed: &str) -> Response {
        Response::plain(405).with_header("Allow", allowed)
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Response {
        self.status = status;
        self
    }

    /// The same with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    /// Writes everything before the body.
    pub(super) fn write_head(&self, out: &mut Vec<u8>, length: Option<u64>, keep: bool) {
        // Writing into a vector does not fail.
        let _ = write!(out, "HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            let _ = write!(out, "{name}: ");
            out.extend(value.bytes().filter(|byte| !byte.is_ascii_control()));
            out.extend_from_slice(b"\r\n");
        }
        if let Some(length) = length {
            let _ = write!(out, "Content-Length: {length}\r\n");
        }
        let connection: &[u8] = if keep { b"\r\n" } else { b"Connection: close\r\n\r\n" };
        out.extend_from_slice(connection);
    }
}

/// What happens to a request.
///
/// All variants except the first two end the connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// The response, as it should be.
    Whole(Response),
    /// The response, after a while.
    Late(Response, Duration),
    /// The response's head and the first bytes of its body, though the head promises all of it.
    Cut {
        /// The announced response.
        response: Response,
        /// Bytes of the body that are sent.
        after: usize,
    },
    /// The response with a wrong `Content-Length`.
    Misstated {
        /// What is sent.
        response: Response,
        /// The announced length.
        length: u64,
    },
    /// The response's body again and again, without a length, until the client closes the connection.
    Endless {
        /// What is sent.
        response: Response,
        /// How long to wait between two rounds.
        pause: Duration,
    },
    /// These bytes, which need not be HTTP.
    Raw(Vec<u8>),
    /// Nothing: the connection is reset.
    Reset,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        Answer::Whole(response)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        414 => "URI Too Long",
        421 => "Misdirected Request",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Status",
    }
}

//! One request, one response: the interface of a transport.
//!
//! A transport follows no redirects, keeps no cookies and reads no HTML; [`Web`](crate::Web) does that, so that all
//! drivers behave the same. It does enforce its [`Budget`], because only it sees bytes as they arrive.
//!
//! A transport sees every real exchange: failed tries, robots.txt, each hop of a redirect. It does not see answers from
//! the cache.

use page::driver::DriverError;
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Requests a page.
    Get,
    /// Sends a form.
    Post,
}

impl Method {
    /// The method as HTTP spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

/// What a form sends in the body of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its media type.
    pub content_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A request to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The address; a fragment is not sent.
    pub url: Url,
    /// The body.
    pub body: Option<Body>,
    /// Other headers, such as cookies and the referrer.
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// A request for a page.
    pub fn get(url: Url) -> Request {
        Request {
            method: Method::Get,
            url,
            body: None,
            headers: Vec::new(),
        }
    }

    /// The first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// The answer of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, in order; a name may occur more than once.
    pub headers: Vec<(String, String)>,
    /// The body, with any compression undone.
    pub body: Vec<u8>,
    /// The address of the server that answered, if known: not in memory, not through a proxy.
    pub remote: Option<IpAddr>,
}

impl Response {
    /// A page of HTML in UTF-8.
    pub fn html(body: impl Into<Vec<u8>>) -> Response {
        Response {
            status: 200,
            body: body.into(),
            ..Response::default()
        }
        .with("Content-Type", "text/html; charset=utf-8")
    }

    /// An answer without a body.
    pub fn status(status: u16) -> Response {
        Response {
            status,
            ..Response::default()
        }
    }

    /// The same answer with another header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Response {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

pub(crate) fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// What one request may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of the body, after any compression is undone.
    pub bytes: usize,
    /// Time until the last byte of the body.
    pub time: Duration,
    /// May the server be at a loopback or private address? The transport must check the very address that it connects
    /// to.
    pub private: bool,
    /// Is a body beyond the limit cut there? Otherwise it is an error.
    pub cut: bool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            bytes: page::Limits::default().bytes,
            time: Duration::from_secs(30),
            private: true,
            cut: false,
        }
    }
}

/// Answers requests, also several at the same time.
pub trait Fetch: Send + Sync {
    /// Answers one request, whatever the status.
    ///
    /// # Errors
    ///
    /// There is no answer, or it is beyond the budget.
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError>;
}

impl Fetch for Box<dyn Fetch> {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        (**self).fetch(request, budget)
    }
}

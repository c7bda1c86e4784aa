//! What every driver without scripts shares: from a request to a page.
//!
//! Redirects are followed here rather than by the transport, because each hop must pass the same rules as a link: only
//! http and https, a bounded number, one deadline for all of them together. Cookies are kept here for the same reason.
//! They are the one thing that outlives a page, so branches of one expression share them, as tabs of a browser do.
//!
//! A file is opened only when the user names it. A page may never send the driver to one: what a page links to, frames
//! or redirects to is checked, and `file:` fails the check whatever the settings say.
//!
//! Known gaps: no list of public suffixes, so a server may set a cookie for all of `.co.uk`; `<meta http-equiv=refresh>`
//! is not followed; a page of plain text or JSON is read as if it were HTML.

use crate::act::{self, Effect};
use crate::fetch::{Budget, Fetch, Method, Request, Response};
use cookie_store::CookieStore;
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options, Outcome};
use page::{Limits, NodeId, Page};
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// How to browse.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a page may cost; its bytes bound what is read from a server.
    pub limits: Limits,
    /// How long a page may take, its redirects included, unless an action says otherwise.
    pub timeout: Duration,
    /// How many redirects are followed in a row.
    pub redirects: usize,
    /// May the user open files? Pages never may.
    pub allow_file: bool,
    /// How the driver names itself to servers.
    pub user_agent: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            timeout: Duration::from_secs(30),
            redirects: 10,
            allow_file: true,
            user_agent: concat!("wrapwright/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// A driver without scripts over some transport.
///
/// Clones share all they have, cookies included, so that several threads can browse as one visitor.
pub struct Web<F> {
    shared: Arc<Shared<F>>,
}

struct Shared<F> {
    fetch: F,
    settings: Settings,
    cookies: Mutex<CookieStore>,
}

impl<F> Clone for Web<F> {
    fn clone(&self) -> Web<F> {
        Web {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<F: Fetch> Web<F> {
    /// A driver over a transport.
    pub fn over(fetch: F, settings: Settings) -> Web<F> {
        Web {
            shared: Arc::new(Shared {
                fetch,
                settings,
                cookies: Mutex::default(),
            }),
        }
    }

    /// What requests go through.
    pub(crate) fn transport(&self) -> &F {
        &self.shared.fetch
    }

    fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    fn cookies(&self) -> MutexGuard<'_, CookieStore> {
        self.shared.cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a request, follows where it leads and reads the page there.
    fn load(&self, mut request: Request, options: &Options) -> Result<Live, DriverError> {
        let time = options.timeout.unwrap_or(self.settings().timeout);
        let start = Instant::now();
        let mut followed = 0;
        loop {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(timed_out(&request.url, time));
            }
            let response = self.exchange(&mut request, left).map_err(|error| match error.kind {
                FailureKind::Timeout => timed_out(&request.url, time),
                _ => error,
            })?;
            let location = match response.status {
                301 | 302 | 303 | 307 | 308 => response.header("location"),
                _ => None,
            };
            let Some(location) = location else {
                return self.read(&request.url, &response);
            };
            followed += 1;
            if followed > self.settings().redirects {
                let message = format!(
                    "{} redirects more than {} times",
                    brief(&request.url),
                    self.settings().redirects
                );
                return Err(DriverError::new(FailureKind::Other, message));
            }
            request = redirected(request, response.status, location)?;
        }
    }

    /// Makes one request, with the cookies it carries and brings.
    fn exchange(&self, request: &mut Request, time: Duration) -> Result<Response, DriverError> {
        allowed(&request.url)?;
        let mut cookies: Vec<String> = self
            .cookies()
            .get_request_values(&request.url)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        // The store hands them out in the order of a hash table; requests should not change from run to run.
        cookies.sort_unstable();
        if !cookies.is_empty() {
            request.headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
        let budget = Budget {
            bytes: self.settings().limits.bytes,
            time,
        };
        let response = self.shared.fetch.fetch(request, &budget)?;
        for (name, value) in &response.headers {
            if name.eq_ignore_ascii_case("set-cookie") {
                // A cookie that the rules refuse is no reason to refuse the page.
                let _ = self.cookies().parse(value, &request.url);
            }
        }
        Ok(response)
    }

    fn read(&self, url: &Url, response: &Response) -> Result<Live, DriverError> {
        if !(200..300).contains(&response.status) {
            let status = response.status;
            let error = DriverError::new(
                FailureKind::Status(status),
                format!("{} answered {}", brief(url), named(status)),
            );
            return Err(match status {
                401 | 403 => error.with_hint("the site may want a login, or refuse programs"),
                429 | 503 => error.with_hint("the site asks for fewer requests; try again later"),
                _ => error,
            });
        }
        let content_type = response.header("content-type").unwrap_or("");
        if let Some(kind) = not_text(content_type) {
            let message = format!("{} is {kind}, expected a page of HTML", brief(url));
            return Err(DriverError::new(FailureKind::Other, message));
        }
        self.parse(&response.body, charset(content_type), url.as_str())
    }

    fn parse(&self, bytes: &[u8], charset: Option<&str>, url: &str) -> Result<Live, DriverError> {
        let settings = page::Settings {
            limits: self.settings().limits,
            charset: charset.map(str::to_owned),
        };
        match Page::parse(bytes, &settings) {
            Ok(page) => Ok(Live::new(Arc::new(page), url)),
            Err(error) => Err(DriverError::new(
                FailureKind::TooLarge,
                format!("{}: {error}", shorten(url)),
            )),
        }
    }

    fn open_file(&self, url: &Url) -> Result<Live, DriverError> {
        if !self.settings().allow_file {
            let message = format!("{} is a file, and files may not be opened here", brief(url));
            return Err(DriverError::new(FailureKind::Forbidden, message));
        }
        let failed = |error: &dyn std::fmt::Display| {
            DriverError::new(
                FailureKind::Unreachable,
                format!("{} cannot be read: {error}", brief(url)),
            )
        };
        let path = url.to_file_path().map_err(|()| {
            let message = format!("{} names no file on this machine", brief(url));
            DriverError::new(FailureKind::BadUrl, message).with_hint("write file:///path/to/page.html")
        })?;
        // Pipes and devices may never end.
        let about = std::fs::metadata(&path).map_err(|error| failed(&error))?;
        if !about.is_file() {
            return Err(failed(&"it is not a regular file"));
        }
        let most = self.settings().limits.bytes;
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).map_err(|error| failed(&error))?;
        file.take((most as u64).saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        self.parse(&bytes, None, url.as_str())
    }
}

impl<F: Fetch> Driver for Web<F> {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        let parsed = Url::parse(url.trim()).map_err(|error| {
            let message = format!("\"{}\" is no address: {error}", shorten(url));
            DriverError::new(FailureKind::BadUrl, message).with_hint("an address begins with http:// or https://")
        })?;
        match parsed.scheme() {
            "file" => self.open_file(&parsed),
            _ => self.load(Request::get(parsed), options),
        }
    }

    /// Acts on a node. [`Options::wait`] changes nothing: without scripts a page does not change while one waits.
    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        match act::act(on, node, action)? {
            Effect::Stay(live) => Ok(Outcome::Same(live)),
            Effect::Inline(html) => Ok(Outcome::New(self.parse(html.as_bytes(), Some("utf-8"), &on.url)?)),
            Effect::Go(mut request) => {
                allowed(&request.url)?;
                if let Some(referrer) = Url::parse(&on.url).ok().and_then(|from| referrer(&from, &request.url)) {
                    request.headers.push(("Referer".to_owned(), referrer));
                }
                self.load(request, options).map(Outcome::New)
            }
        }
    }

    fn may_go_ahead(&self, on: &Live, node: NodeId, action: &Action) -> bool {
        matches!(act::act(on, node, action), Ok(Effect::Go(request)) if request.method == Method::Get)
    }
}

/// May a page, or a redirect, send us there?
fn allowed(url: &Url) -> Result<(), DriverError> {
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(()),
        scheme => {
            let message = format!("{} is a {scheme}: address, expected http: or https:", brief(url));
            Err(DriverError::new(FailureKind::Forbidden, message))
        }
    }
}

/// The request that a redirect asks for. What was sent is sent again only where the status says so.
fn redirected(old: Request, status: u16, location: &str) -> Result<Request, DriverError> {
    let mut url = old.url.join(location).map_err(|error| {
        let message = format!(
            "{} redirects to \"{}\", which is no address: {error}",
            brief(&old.url),
            shorten(location)
        );
        DriverError::new(FailureKind::BadUrl, message)
    })?;
    if url.fragment().is_none() {
        url.set_fragment(old.url.fragment());
    }
    let again = old.method == Method::Get || matches!(status, 307 | 308);
    // Cookies are chosen anew for each hop; a referrer must not leak to another site.
    let keep = |name: &str| name.eq_ignore_ascii_case("referer") && old.url.origin() == url.origin();
    let headers = old.headers.iter().filter(|(name, _)| keep(name)).cloned().collect();
    Ok(if again {
        Request {
            method: old.method,
            body: old.body,
            url,
            headers,
        }
    } else {
        Request {
            headers,
            ..Request::get(url)
        }
    })
}

/// What browsers send by default: all of the address within a site, the site alone to others, nothing from https to http.
fn referrer(from: &Url, to: &Url) -> Option<String> {
    if !matches!(from.scheme(), "http" | "https") || (from.scheme() == "https" && to.scheme() == "http") {
        return None;
    }
    let mut bare = from.clone();
    bare.set_fragment(None);
    bare.set_username("").ok()?;
    bare.set_password(None).ok()?;
    Some(if from.origin() == to.origin() {
        bare.into()
    } else {
        format!("{}/", from.origin().ascii_serialization())
    })
}

/// The charset that a media type names.
pub fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

/// The media type, if it is one that never is text.
fn not_text(content_type: &str) -> Option<String> {
    let kind = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let family = kind.split('/').next().unwrap_or("");
    let binary = matches!(family, "image" | "audio" | "video" | "font") && kind != "image/svg+xml";
    let known = matches!(
        &*kind,
        "application/pdf" | "application/zip" | "application/gzip" | "application/wasm"
    );
    (binary || known).then_some(kind)
}

fn named(status: u16) -> String {
    let words = match status {
        400 => "bad request",
        401 => "unauthorized",
        403 => "forbidden",
        404 => "not found",
        405 => "method not allowed",
        410 => "gone",
        429 => "too many requests",
        500 => "internal server error",
        502 => "bad gateway",
        503 => "service unavailable",
        504 => "gateway timeout",
        _ => return status.to_string(),
    };
    format!("{status} {words}")
}

fn timed_out(url: &Url, time: Duration) -> DriverError {
    let message = format!("{} took longer than {} s", brief(url), time.as_secs_f64());
    DriverError::new(FailureKind::Timeout, message)
}

/// An address for people: without its password, and not too long.
pub(crate) fn brief(url: &Url) -> String {
    if url.password().is_none() {
        return shorten(url.as_str());
    }
    let mut bare = url.clone();
    let _ = bare.set_password(None);
    shorten(bare.as_str())
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

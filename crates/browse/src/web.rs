//! What every driver without scripts shares: from a request to a page.
//!
//! Redirects are followed here rather than by the transport, because each hop must pass the same rules as a link: only
//! http and https, a bounded number, one deadline for all of them together, no way from public to private addresses
//! (`address`). Cookies are kept here for the same reason. They are the only state that outlives a page, so branches of
//! one expression share them, as tabs of a browser do.
//!
//! A file is opened only when the user names it. A page can never lead to one: its links, frames and redirects are
//! checked, and `file:` fails the check whatever the settings say. A page in a file counts as public, because it is not
//! known where it was saved from.
//!
//! Known gap: a page of plain text or JSON is read as if it were HTML.

use crate::act::{self, Effect};
use crate::archive::Tape;
use crate::cache::{check_whole, write_whole};
use crate::carry::{Carrier, Errand, Trip};
#[cfg(feature = "chromium")]
use crate::cookies::Cookie;
use crate::cookies::{self, Jar};
use crate::fetch::{Fetch, Method, Request, Response, header};
use crate::log::Deed;
use crate::login::{self, Named, Site};
use crate::message::charset;
use crate::recording::Recall;
use crate::refresh::{self, Refresh};
use crate::settings::HttpSettings;
use crate::stats::Stats;
use page::driver::{Action, Driver, DriverError, FailureKind, Foresight, Live, Options, Outcome};
use page::{Markup, NodeId, Page, Remedy};
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};
use url::Url;

/// A driver without scripts over any transport.
///
/// Clones share everything, so that several threads can browse as one visitor: cookies and logins, turns at hosts,
/// robots.txt files, the cache, the counters.
pub struct Web<F> {
    shared: Arc<Shared<F>>,
}

struct Shared<F> {
    carrier: Carrier<F>,
    cookies: Mutex<Jar>,
    /// The sites that the user named.
    named: Named,
}

/// The answer for a page, after redirects: its bytes and its headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The address that answered, after redirects.
    pub url: String,
    /// The status code, whatever it is.
    pub status: u16,
    /// The headers, in order; a name may occur more than once.
    pub headers: Vec<(String, String)>,
    /// The body, with any compression undone.
    pub body: Vec<u8>,
    /// Is it from the disk cache?
    pub from_cache: bool,
    /// The number of tries.
    pub tries: u32,
}

impl Fetched {
    /// The first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

impl<F> Clone for Web<F> {
    fn clone(&self) -> Web<F> {
        Web {
            shared: Arc::clone(&self.shared),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<F: Fetch> Web<F> {
    /// A driver over a transport.
    pub fn over(fetch: F, settings: HttpSettings) -> Web<F> {
        Web::made(fetch, settings, None, None)
    }

    /// A driver over a transport that is asked only for what a run did not get before.
    pub fn recalling(fetch: F, settings: HttpSettings, recall: Arc<dyn Recall>) -> Web<F> {
        Web::made(fetch, settings, None, Some(recall))
    }

    /// A driver over a transport that records all answers.
    ///
    /// ```
    /// use browse::{Archive, HttpSettings, Tape, Web, Wire};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # let file = dir.path().join("run.warc.gz");
    /// let tape = Tape::create(&file, false)?;
    /// let settings = HttpSettings::default();
    /// let driver = Web::recorded(Wire::new(&settings)?, settings, tape.clone());
    /// // … browse …
    /// tape.finish()?;
    /// let replay = Web::over(Archive::open(&file)?, HttpSettings::offline());
    /// # Ok(()) }
    /// ```
    pub fn recorded(fetch: F, settings: HttpSettings, tape: Tape) -> Web<F> {
        Web::made(fetch, settings, Some(tape), None)
    }

    fn made(fetch: F, settings: HttpSettings, tape: Option<Tape>, recall: Option<Arc<dyn Recall>>) -> Web<F> {
        Web {
            shared: Arc::new(Shared {
                carrier: Carrier::new(fetch, settings, tape, recall),
                cookies: Mutex::default(),
                named: Named::default(),
            }),
        }
    }

    /// What requests pass through.
    pub fn transport(&self) -> &F {
        &self.shared.carrier.fetch
    }

    /// The settings of this driver.
    pub fn settings(&self) -> &HttpSettings {
        &self.shared.carrier.settings
    }

    /// Counters of all clones together.
    pub fn stats(&self) -> Stats {
        self.shared.carrier.counters.read()
    }

    /// Problems since the last call that did not make a page fail.
    pub fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.shared.carrier.warnings))
    }

    /// Adds the cookies of a file in the format of `cookies.txt`, and returns their number.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or does not contain cookies.
    pub fn load_cookies(&self, path: &Path) -> Result<usize, DriverError> {
        let bytes = cookies::open(path).map_err(|error| {
            let message = format!("the cookies in {} cannot be read: {error}", path.display());
            DriverError::new(FailureKind::Other, message).with_source(error)
        })?;
        let text = String::from_utf8_lossy(&bytes);
        if cookies::is_something_else(&text) {
            let message = format!(
                "found no cookies in {}, expected the format of cookies.txt",
                path.display()
            );
            return Err(DriverError::new(FailureKind::Other, message)
                .with_remedy("it would be overwritten; choose another name, or remove it first"));
        }
        Ok(lock(&self.shared.cookies).read(&text, SystemTime::now()))
    }

    /// Writes all cookies to a file in the format of `cookies.txt`, completely or not at all.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn save_cookies(&self, path: &Path) -> Result<(), DriverError> {
        let text = lock(&self.shared.cookies).write();
        write_whole(path, &[text.as_bytes()]).map_err(|error| not_saved(path, error))
    }

    /// Can the cookies be written to this file, as far as is known without trying?
    ///
    /// # Errors
    ///
    /// They cannot.
    pub fn check_cookies_file(&self, path: &Path) -> Result<(), DriverError> {
        check_whole(path).map_err(|error| not_saved(path, error))
    }

    /// The bytes at an address: one that the user named, or one that a page leads to and that may be relative to it.
    /// All rules for pages apply, redirects are followed, and any status is an answer. [`Web::read`] parses it.
    ///
    /// # Errors
    ///
    /// The address is not valid or not allowed, or there is no answer.
    pub fn get(&self, url: &str, from: Option<&Live>, options: &Options) -> Result<Fetched, DriverError> {
        let (request, private) = match from {
            None => (
                Request::get(self.shared.named.add(address(url, None)?)),
                self.may_name_private(),
            ),
            Some(live) => self.led(Request::get(address(url, act::base_of(live).as_ref())?), live)?,
        };
        self.go(request, private, options, false).map(|(fetched, _)| fetched)
    }

    /// The bytes of a file that a page links to, such as an image. The rules for links apply, redirects are followed, and any
    /// status is an answer. It is neither recorded nor cached. `most` is the most bytes.
    ///
    /// # Errors
    ///
    /// The address is not valid or not allowed, there is no answer, or it is too large.
    pub fn download(&self, url: &str, page: &str, most: usize, options: &Options) -> Result<Fetched, DriverError> {
        let (request, private) = self.led_from(Request::get(address(url, None)?), Url::parse(page).ok())?;
        let trip = Trip::for_file(self.settings(), options, most);
        self.go_on(request, private, trip, false).map(|(fetched, _)| fetched)
    }

    /// Treats an address as named by the user, as if it had been opened: its site gets the user's headers, and the
    /// login in the address. For pages that were fetched before and are not fetched again.
    pub fn name(&self, url: &str) {
        if let Ok(url) = address(url, None) {
            self.shared.named.add(url);
        }
    }

    /// Was the host of this address reached at private addresses, and never at others?
    pub fn was_private(&self, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| self.shared.carrier.origins.is_private(&url))
    }

    /// Treats the host of this address as reached at a private address, until it is reached at another one.
    pub fn set_private(&self, url: &str) {
        if let Ok(url) = Url::parse(url) {
            let private = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
            self.shared.carrier.origins.reached(&url, private);
        }
    }

    /// The page that was fetched.
    ///
    /// # Errors
    ///
    /// Not a page: the status is an error, or the content is not HTML; or the page is beyond a limit.
    pub fn read(&self, fetched: &Fetched) -> Result<Live, DriverError> {
        match refusal(fetched) {
            Some(error) => Err(error),
            None => {
                let content_type = fetched.header("content-type").unwrap_or("");
                self.parse(
                    &fetched.body,
                    charset(content_type),
                    Markup::of_media(content_type),
                    &fetched.url,
                )
            }
        }
    }

    /// All cookies.
    #[cfg(feature = "chromium")]
    pub(crate) fn cookies(&self) -> Vec<Cookie> {
        lock(&self.shared.cookies).all()
    }

    /// Replaces all cookies.
    #[cfg(feature = "chromium")]
    pub(crate) fn set_cookies(&self, cookies: &[Cookie]) {
        lock(&self.shared.cookies).replace(cookies, SystemTime::now());
    }

    /// Did the user name the site of this address?
    #[cfg(feature = "chromium")]
    pub(crate) fn is_named(&self, url: &Url) -> bool {
        self.shared.named.site(&mut url.clone()).is_named
    }

    /// What requests pass through.
    #[cfg(feature = "chromium")]
    pub(crate) fn carrier(&self) -> &Carrier<F> {
        &self.shared.carrier
    }

    /// May an address that the user names be private?
    fn may_name_private(&self) -> bool {
        let settings = &self.shared.carrier.settings;
        settings.allow_named_private || settings.allow_private
    }

    /// A request that a page leads to, and whether it may go to a private address.
    fn led(&self, request: Request, from: &Live) -> Result<(Request, bool), DriverError> {
        self.led_from(request, Url::parse(&from.url).ok())
    }

    /// The same, by the address of the page.
    fn led_from(&self, mut request: Request, from: Option<Url>) -> Result<(Request, bool), DriverError> {
        allowed(&request.url)?;
        if let Some(referrer) = from.as_ref().and_then(|from| referrer(from, &request.url)) {
            request.headers.push(("Referer".to_owned(), referrer));
        }
        let carrier = &self.shared.carrier;
        let private = match &from {
            Some(from) => carrier.may_be_private_from(from),
            None => carrier.settings.allow_private,
        };
        Ok((request, private))
    }

    /// Makes a request and follows redirects; also returns the page if it had to be parsed or is wanted.
    fn go(
        &self,
        request: Request,
        private: bool,
        options: &Options,
        wanted: bool,
    ) -> Result<(Fetched, Option<Live>), DriverError> {
        let trip = Trip::new(&self.shared.carrier.settings, options);
        self.go_on(request, private, trip, wanted)
    }

    fn go_on(
        &self,
        mut request: Request,
        mut private: bool,
        mut trip: Trip,
        wanted: bool,
    ) -> Result<(Fetched, Option<Live>), DriverError> {
        let carrier = &self.shared.carrier;
        loop {
            let (response, from_cache) = self.exchange(&mut request, private, &mut trip)?;
            private = carrier.may_be_private_from(&request.url);
            let location = match response.status {
                301 | 302 | 303 | 307 | 308 => response.header("location"),
                _ => None,
            };
            if let Some(location) = location {
                self.count_redirect(&request.url, &mut trip)?;
                request = redirected(request, response.status, location)?;
                continue;
            }
            let fetched = Fetched {
                url: request.url.to_string(),
                status: response.status,
                headers: response.headers,
                body: response.body,
                from_cache,
                tries: trip.tries,
            };
            let live = match wanted {
                true => Some(self.read(&fetched)?),
                // Something that is not a page, or too large, has no refresh.
                false if !trip.is_file() && refresh::is_possible(&fetched.body) => self.read(&fetched).ok(),
                false => None,
            };
            let Some((refresh, target)) = self.refresh(&fetched, live.as_ref(), &request.url) else {
                return Ok((fetched, live));
            };
            self.count_redirect(&request.url, &mut trip)?;
            if trip
                .deadline
                .is_none_or(|deadline| Instant::now() + refresh.delay < deadline)
            {
                carrier.wait(refresh.delay);
            }
            request = Request::get(target);
        }
    }

    /// Where the refresh of a page leads, and when.
    fn refresh(&self, fetched: &Fetched, live: Option<&Live>, url: &Url) -> Option<(Refresh, Url)> {
        let by_header = fetched.header("refresh").and_then(refresh::parse);
        let by_page = || live.and_then(|live| refresh::of_page(&live.page));
        let refresh = by_header.or_else(by_page)?;
        let base = live.and_then(act::base_of);
        let target = base.as_ref().unwrap_or(url).join(&refresh.address).ok()?;
        let bare = |url: &Url| url.as_str().split('#').next().unwrap_or("").to_owned();
        let elsewhere = bare(&target) != bare(url);
        let web = matches!(target.scheme(), "http" | "https") && matches!(url.scheme(), "http" | "https");
        let ok = (200..300).contains(&fetched.status);
        (ok && web && elsewhere && refresh.delay <= refresh::MOST_DELAY).then_some((refresh, target))
    }

    fn count_redirect(&self, url: &Url, trip: &mut Trip) -> Result<(), DriverError> {
        trip.followed += 1;
        let most = self.settings().redirects;
        if trip.followed > most {
            let message = format!("{} redirects more than {most} times", brief(url));
            return Err(DriverError::new(FailureKind::Other, message));
        }
        Ok(())
    }

    /// Makes one request; sends cookies and stores new ones.
    fn exchange(&self, request: &mut Request, private: bool, trip: &mut Trip) -> Result<(Response, bool), DriverError> {
        allowed(&request.url)?;
        self.add_headers(request);
        let errand = Errand {
            request,
            private,
            robots: false,
        };
        let (response, from_cache) = self.shared.carrier.ask(&errand, trip)?;
        for (name, value) in &response.headers {
            if name.eq_ignore_ascii_case("set-cookie") {
                lock(&self.shared.cookies).take(value, &request.url);
            }
        }
        Ok((response, from_cache))
    }

    /// Adds what is sent to the site with a request: the user's headers, the login, cookies.
    fn add_headers(&self, request: &mut Request) {
        let own = self.own_headers(&mut request.url);
        let mut cookies = lock(&self.shared.cookies).of(&request.url);
        for (name, value) in own {
            match name.eq_ignore_ascii_case("cookie") {
                true => cookies.push(value),
                false => request.headers.push((name, value)),
            }
        }
        if !cookies.is_empty() {
            request.headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
    }

    /// The user's headers for the site of an address, and the login there; a login is removed from the address.
    pub(crate) fn own_headers(&self, url: &mut Url) -> Vec<(String, String)> {
        let Site { is_named, login } = self.shared.named.site(url);
        let settings = self.settings();
        let for_site = login::for_site(&settings.site_headers, url);
        let for_all = settings.headers.iter().filter(|(name, _)| {
            let is_known = for_site.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
            (is_named || login::is_harmless(name)) && !is_known
        });
        let all = for_all.chain(for_site.iter().copied());
        let mut headers: Vec<(String, String)> = all
            .filter(|(name, _)| !(name.eq_ignore_ascii_case("authorization") && login.is_some()))
            .cloned()
            .collect();
        headers.extend(login.map(|login| ("Authorization".to_owned(), login)));
        headers
    }

    fn parse(&self, bytes: &[u8], charset: Option<&str>, markup: Markup, url: &str) -> Result<Live, DriverError> {
        let settings = page::ParseSettings {
            limits: self.settings().limits,
            charset: charset.map(str::to_owned),
            markup,
        };
        let start = Instant::now();
        let parsed = Page::parse(bytes, &settings);
        self.shared.carrier.counters.parsing.add_since(start);
        match parsed {
            Ok(page) => Ok(Live::new(Arc::new(page), url)),
            Err(error) => {
                let failure = DriverError::new(FailureKind::TooLarge, format!("{}: {error}", shorten(url)));
                Err(failure.with_remedy(error.remedy()).with_source(error))
            }
        }
    }

    fn load(&self, request: Request, private: bool, options: &Options) -> Result<Live, DriverError> {
        match self.go(request, private, options, true)? {
            (_, Some(live)) => Ok(live),
            (fetched, None) => self.read(&fetched),
        }
    }

    fn open_file(&self, url: &Url) -> Result<Live, DriverError> {
        if !self.settings().allow_file {
            let message = format!("{} is a file, and opening files is not allowed here", brief(url));
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
            DriverError::new(FailureKind::BadUrl, message).with_remedy("write file:///path/to/page.html")
        })?;
        // Pipes and devices may never end.
        let about = std::fs::metadata(&path).map_err(|error| failed(&error).with_source(error))?;
        if !about.is_file() {
            return Err(failed(&"it is not a regular file"));
        }
        let most = self.settings().limits.bytes;
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).map_err(|error| failed(&error).with_source(error))?;
        file.take((most as u64).saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error).with_source(error))?;
        let carrier = &self.shared.carrier;
        carrier.tell(url, std::time::Duration::ZERO, || Deed::ReadFile { bytes: bytes.len() });
        self.parse(&bytes, None, Markup::of_file(&path), url.as_str())
    }
}

impl<F: Fetch> Driver for Web<F> {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        let parsed = address(url, None)?;
        match parsed.scheme() {
            "file" => self.open_file(&parsed),
            _ => {
                let private = self.may_name_private();
                self.load(Request::get(self.shared.named.add(parsed)), private, options)
            }
        }
    }

    fn open_from(&mut self, url: &str, from: &Live, options: &Options) -> Result<Live, DriverError> {
        let (request, private) = self.led(Request::get(address(url, act::base_of(from).as_ref())?), from)?;
        self.load(request, private, options)
    }

    /// Acts on a node. [`Options::wait`] changes nothing: without scripts a page does not change with time.
    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        match act::act(on, node, action)? {
            Effect::Stay(live) => Ok(Outcome::Same(live)),
            Effect::Inline(html) => {
                let page = self.parse(html.as_bytes(), Some("utf-8"), Markup::Html, &on.url)?;
                Ok(Outcome::New(page))
            }
            Effect::Go(request) => {
                let (request, private) = self.led(request, on)?;
                self.load(request, private, options).map(Outcome::New)
            }
        }
    }

    fn foresee(&self, on: &Live, node: NodeId, action: &Action) -> Foresight {
        match act::act(on, node, action) {
            Ok(Effect::Stay(_)) => Foresight::Stays,
            Ok(Effect::Go(mut request)) if request.method == Method::Get => {
                request.url.set_fragment(None);
                Foresight::Asks(request.url.into())
            }
            _ => Foresight::Unknown,
        }
    }
}

fn not_saved(path: &Path, error: std::io::Error) -> DriverError {
    let message = format!("the cookies cannot be written to {}: {error}", path.display());
    DriverError::new(FailureKind::Other, message).with_source(error)
}

/// An address, perhaps relative to another.
pub(crate) fn address(text: &str, base: Option<&Url>) -> Result<Url, DriverError> {
    Url::options().base_url(base).parse(text.trim()).map_err(|error| {
        let message = format!("\"{}\" is not an address: {error}", shorten(text));
        DriverError::new(FailureKind::BadUrl, message)
            .with_remedy("an address begins with http:// or https://")
            .with_source(error)
    })
}

/// May a page or a redirect lead there?
fn allowed(url: &Url) -> Result<(), DriverError> {
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(()),
        scheme => {
            let message = format!("{} is a {scheme}: address, expected http: or https:", brief(url));
            Err(DriverError::new(FailureKind::Forbidden, message))
        }
    }
}

/// Why an answer is not a page: the status is an error, or the content is not text.
pub(crate) fn refusal(fetched: &Fetched) -> Option<DriverError> {
    let (status, url) = (fetched.status, shorten(&fetched.url));
    if !(200..300).contains(&status) {
        let times = match fetched.tries {
            0 | 1 => String::new(),
            tries => format!(", {tries} times"),
        };
        let message = format!("{url} answered {}{times}", named(status));
        let error = DriverError::new(FailureKind::Status(status), message);
        return Some(match (status, fetched.header("retry-after")) {
            (401 | 403, _) => error.with_remedy("the site may need a login, or refuse programs"),
            (429 | 503, Some(time)) => {
                error.with_remedy(format!("the site asks to wait: Retry-After: {}", shorten(time)))
            }
            (429 | 503, None) => error.with_remedy(Remedy::AskLessOften),
            _ => error,
        });
    }
    let kind = not_text(fetched.header("content-type").unwrap_or(""))?;
    let message = format!("{url} is {kind}, expected a page of HTML");
    Some(DriverError::new(FailureKind::Other, message))
}

/// The request that a redirect asks for. The body is sent again only if the status says so.
pub(crate) fn redirected(old: Request, status: u16, location: &str) -> Result<Request, DriverError> {
    let mut url = old.url.join(location).map_err(|error| {
        let message = format!(
            "{} redirects to \"{}\", which is not an address: {error}",
            brief(&old.url),
            shorten(location)
        );
        DriverError::new(FailureKind::BadUrl, message).with_source(error)
    })?;
    if url.fragment().is_none() {
        url.set_fragment(old.url.fragment());
    }
    let again = old.method == Method::Get || matches!(status, 307 | 308);
    // Cookies are chosen for each hop; a referrer must not leak to another site.
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

/// What browsers send by default: all of the address within a site, the site alone to others, nothing from https to
/// http.
pub(crate) fn referrer(from: &Url, to: &Url) -> Option<String> {
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

/// The kind of content, if its media type is never text.
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

/// An address for messages: without its password, and not too long.
pub(crate) fn brief(url: &Url) -> String {
    if url.password().is_none() {
        return shorten(url.as_str());
    }
    let mut bare = url.clone();
    let _ = bare.set_password(None);
    shorten(bare.as_str())
}

pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

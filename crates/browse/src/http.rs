//! Requests over the network.
//!
//! The client is `reqwest`'s async one; nothing outside this module is async. Each thread that makes a request takes a
//! *lane*: a runtime that runs on that thread, with its own client and so its own open connections. Afterwards the lane
//! goes back on a stack. So there are as many lanes as there ever were requests at the same time, and the lane used
//! last, whose connections are warm, is used next. `reqwest`'s blocking client has one thread for all requests, and
//! each request must cross to it and back: on loopback that took about 47 µs of processor time per page, while a lane
//! takes 36 µs (`examples/speed.rs`), and parallel threads share nothing.
//!
//! Open connections are open files, and a connection to a host that is not used again is useless. So a lane that has
//! visited many hosts is replaced by a new one: all lanes together keep at most about [`KEPT`] connections.
//!
//! An unused lane does not notice that a server has closed a connection; so each request first lets the lane's runtime
//! check, and connections that were idle for [`REST`] are not used again.
//!
//! TLS is `rustls` over `ring`: it needs only a C compiler to build, and no system library. The system decides which
//! servers to trust, so its root certificates are used. HTTP/1.1 only: HTTP/2 does not help when pages are fetched one
//! at a time, and it would add a third to the build.
//!
//! The client follows no redirects and keeps no cookies: see [`Web`]. Bodies are read in pieces up to the limit,
//! then unpacked under the same limit (`unpack`), so an endless body or a decompression bomb ends there. A body with
//! fewer bytes than announced is an error; by the rules of HTTP, further bytes are not part of it.
//!
//! Where no private address is allowed ([`Budget::private`]) another client is used, whose resolver leaves private
//! addresses out. So the address that was checked is the one that is connected to, and connections of the other client
//! are not reused.

use crate::address::{self, Written};
use crate::fetch::{Budget, Fetch, Method, Request, Response};
use crate::proxy::Proxies;
use crate::settings::HttpSettings;
use crate::unpack::{self, Bounds, Failure};
use crate::web::{Web, brief};
use page::driver::{Again, DriverError, FailureKind};
use page::{Limit, Remedy};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Proxy};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use url::Url;

/// A driver over plain HTTP: links, forms and cookies, no scripts.
///
/// ```no_run
/// use browse::{Http, HttpSettings};
/// use page::driver::{Driver, Options};
/// let mut driver = Http::new(HttpSettings::default())?;
/// let live = driver.open("https://example.org/", &Options::default())?;
/// assert_eq!(&*live.url, "https://example.org/");
/// # Ok::<(), page::driver::DriverError>(())
/// ```
pub type Http = Web<Wire>;

impl Http {
    /// A driver over the network.
    ///
    /// # Errors
    ///
    /// The client cannot be set up: the user agent, a header or the proxy address is not valid.
    pub fn new(settings: HttpSettings) -> Result<Http, DriverError> {
        Ok(Web::over(Wire::new(&settings)?, settings))
    }
}

/// How long a connection may be idle and still be used.
const REST: Duration = Duration::from_secs(15);

/// The most connections that all lanes together keep; most systems allow a process 1024 open files.
const KEPT: usize = 512;

/// Longer than any request takes.
const MOST_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The transport over the network.
///
/// It blocks, on its own runtime, and so must not be called from inside another runtime.
pub struct Wire {
    make: Maker,
    lanes: Mutex<Vec<Lane>>,
    /// The number of lanes, including those in use.
    count: AtomicUsize,
}

/// A runtime, and what runs on it.
struct Lane {
    runtime: Option<Runtime>,
    open: Client,
    /// For requests that may not reach private addresses; created when first needed.
    strict: Option<Client>,
    /// The hosts it has visited.
    hosts: BTreeSet<String>,
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Otherwise a pending name lookup would delay the end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What clients are made of.
struct Maker {
    tls: ClientConfig,
    user_agent: HeaderValue,
    proxies: Arc<Proxies>,
    resolve: Arc<BTreeMap<String, IpAddr>>,
}

impl Wire {
    /// A transport alone, for use with [`Web::over`].
    ///
    /// # Errors
    ///
    /// As [`Http::new`].
    pub fn new(settings: &HttpSettings) -> Result<Wire, DriverError> {
        let failed = |what: String| DriverError::new(FailureKind::Other, what);
        let for_sites = settings.site_headers.values().flatten();
        for (name, value) in settings.headers.iter().chain(for_sites) {
            let ours = [
                "content-length",
                "transfer-encoding",
                "connection",
                "accept-encoding",
                "host",
            ];
            if HeaderName::from_bytes(name.as_bytes()).is_err() || HeaderValue::from_str(value).is_err() {
                // The value may be a secret.
                return Err(failed(format!("\"{name}\" and its value are not a valid header")));
            }
            if ours.iter().any(|our| our.eq_ignore_ascii_case(name)) {
                return Err(failed(format!(
                    "the header \"{name}\" cannot be set; it is the client's own"
                )));
            }
        }
        let user_agent = HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| failed(format!("\"{}\" cannot be a user agent", settings.user_agent)))?;
        let proxies = match &settings.proxy {
            Some(address) => Proxies::one(address)?,
            None if settings.env_proxy => Proxies::from_environment(|name| std::env::var(name).ok())?,
            None => Proxies::default(),
        };
        let make = Maker {
            tls: tls()
                .map_err(|error| failed(format!("the HTTP client cannot be set up: {error}")).with_source(error))?,
            user_agent,
            proxies: Arc::new(proxies),
            resolve: Arc::new(settings.resolve.clone()),
        };
        let first = make.lane()?;
        Ok(Wire {
            make,
            lanes: Mutex::new(vec![first]),
            count: AtomicUsize::new(1),
        })
    }

    /// A lane to that host.
    fn lane(&self, url: &Url) -> Result<Lane, DriverError> {
        let resting = self.lanes.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let host = url.host_str().unwrap_or("");
        let most = (KEPT / self.count.load(Ordering::Relaxed).max(1)).clamp(1, 64);
        let mut lane = match resting {
            Some(lane) if lane.hosts.contains(host) => return Ok(lane),
            Some(lane) if lane.hosts.len() < most => lane,
            Some(lane) => {
                // Its connections must be closed before new ones are opened.
                drop(lane);
                self.make.lane().inspect_err(|_| {
                    self.count.fetch_sub(1, Ordering::Relaxed);
                })?
            }
            None => {
                let lane = self.make.lane()?;
                self.count.fetch_add(1, Ordering::Relaxed);
                lane
            }
        };
        lane.hosts.insert(host.to_owned());
        Ok(lane)
    }
}

impl Maker {
    fn lane(&self) -> Result<Lane, DriverError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| match is_out_of_files(&error) {
            true => out_of_files("the HTTP client cannot be set up"),
            false => {
                let message = format!("the HTTP client cannot be set up: {error}");
                DriverError::new(FailureKind::Other, message).with_source(error)
            }
        })?;
        let open = self.client(false)?;
        Ok(Lane {
            runtime: Some(runtime),
            open,
            strict: None,
            hosts: BTreeSet::new(),
        })
    }

    fn client(&self, strict: bool) -> Result<Client, DriverError> {
        let mut headers = HeaderMap::new();
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        );
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(unpack::ACCEPTED));
        let mut builder = Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .no_proxy()
            .pool_idle_timeout(REST)
            .tcp_nodelay(true)
            .user_agent(self.user_agent.clone())
            .default_headers(headers)
            .dns_resolver(Arc::new(Resolver {
                table: Arc::clone(&self.resolve),
                proxies: Arc::clone(&self.proxies),
                strict,
            }));
        let proxies = Arc::clone(&self.proxies);
        builder = builder.proxy(Proxy::custom(move |url| proxies.of(url).cloned()));
        builder.build().map_err(|error| {
            let message = format!("the HTTP client cannot be set up: {}", causes(&error));
            DriverError::new(FailureKind::Other, message)
        })
    }
}

/// TLS with the system's root certificates. Without any, http still works; https fails with an unknown issuer.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = || ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder_with_roots = builder()?.with_platform_verifier();
    let wanting = match builder_with_roots {
        Ok(builder) => builder,
        Err(_) => builder()?.with_root_certificates(rustls::RootCertStore::empty()),
    };
    Ok(wanting.with_no_client_auth())
}

/// Looks names up, and leaves out the addresses that may not be connected to.
struct Resolver {
    table: Arc<BTreeMap<String, IpAddr>>,
    proxies: Arc<Proxies>,
    strict: bool,
}

/// A name that has only private addresses.
#[derive(Debug)]
struct OnlyPrivate;

impl fmt::Display for OnlyPrivate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is at a private address")
    }
}

impl Error for OnlyPrivate {}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_ascii_lowercase();
        let known = self.table.get(&host).copied();
        // The user chose the proxy, so its address may be private.
        let strict = self.strict && !self.proxies.is_proxy(&host);
        Box::pin(async move {
            let found: Vec<SocketAddr> = match known {
                Some(address) => vec![SocketAddr::new(address, 0)],
                None => tokio::net::lookup_host((host, 0)).await?.collect(),
            };
            let any = !found.is_empty();
            let allowed: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| !strict || !address::is_private(address.ip()))
                .collect();
            if any && allowed.is_empty() {
                return Err(OnlyPrivate.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

impl Fetch for Wire {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        // A time that does not fit means no limit.
        let time = budget.time.min(MOST_TIME);
        let until = Instant::now() + time;
        let proxied = self.make.proxies.of(&request.url).is_some();
        if !budget.private {
            // Literal addresses are not looked up, and with a proxy only the proxy's own name is.
            let host = request.url.host_str().unwrap_or("");
            let hidden = !proxied && self.make.proxies.is_proxy(host);
            if hidden || address::written(&request.url) == Written::Private {
                return Err(private(request));
            }
        }
        let mut lane = self.lane(&request.url)?;
        if !budget.private && lane.strict.is_none() {
            lane.strict = Some(self.make.client(true)?);
        }
        let client = match &lane.strict {
            Some(strict) if !budget.private => strict,
            _ => &lane.open,
        };
        let answer = match &lane.runtime {
            Some(runtime) => runtime.block_on(async {
                // Lets the runtime notice what happened to its connections while it was not running.
                tokio::task::yield_now().await;
                let exchange = exchange(client, request, budget);
                match tokio::time::timeout(time, exchange).await {
                    Ok(answer) => answer,
                    Err(_) => Err(too_long(request, Again::IfHarmless)),
                }
            }),
            None => Err(DriverError::new(FailureKind::Other, "the HTTP client has ended")),
        };
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).push(lane);
        let mut response = answer?;
        if proxied {
            response.remote = None;
        }
        unpacked(request, response, budget, until)
    }
}

/// Sends the request and reads the body, as it was sent, up to the limit.
async fn exchange(client: &Client, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
    let method = match request.method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
    };
    let mut builder = client.request(method, request.url.clone());
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    if let Some(body) = &request.body {
        builder = builder
            .header(CONTENT_TYPE, &body.content_type)
            .body(body.bytes.clone());
    }
    let mut answer = builder.send().await.map_err(|error| failure(request, error))?;
    let length = answer.content_length();
    if !budget.cut && length.is_some_and(|length| length > budget.bytes as u64) {
        return Err(too_large(request, budget));
    }
    let headers = answer
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
        .collect();
    let mut response = Response {
        status: answer.status().as_u16(),
        headers,
        body: Vec::with_capacity(length.map_or(0, |length| length.min(1 << 20)) as usize),
        remote: answer.remote_addr().map(|address| address.ip()),
    };
    while let Some(piece) = answer.chunk().await.map_err(|error| ended_early(request, error))? {
        let room = budget.bytes - response.body.len();
        response.body.extend_from_slice(&piece[..piece.len().min(room)]);
        match budget.cut {
            _ if piece.len() <= room => {}
            true => break,
            false => return Err(too_large(request, budget)),
        }
    }
    Ok(response)
}

/// Undoes the compression of a body.
fn unpacked(
    request: &Request,
    mut response: Response,
    budget: &Budget,
    until: Instant,
) -> Result<Response, DriverError> {
    let coding = match response.header("content-encoding") {
        Some(coding) if unpack::is_packed(coding) => coding.to_owned(),
        _ => return Ok(response),
    };
    let bounds = Bounds {
        bytes: budget.bytes,
        cut: budget.cut,
        until,
    };
    let body = std::mem::take(&mut response.body);
    response.body = unpack::unpack(body, &coding, &bounds).map_err(|failure| match failure {
        Failure::TooLarge => too_large(request, budget),
        Failure::TooLong => too_long(request, Again::No),
        Failure::Damaged(why) => {
            let message = format!("{} sent a damaged body ({coding}): {why}", brief(&request.url));
            DriverError::new(FailureKind::Unreachable, message).with_again(Again::IfHarmless)
        }
    })?;
    // They describe the packed body.
    let gone = ["content-encoding", "content-length"];
    response
        .headers
        .retain(|(name, _)| !gone.iter().any(|gone| gone.eq_ignore_ascii_case(name)));
    Ok(response)
}

/// The text of a header: UTF-8 if it is valid, as in some redirects, or else Latin-1.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}

fn too_large(request: &Request, budget: &Budget) -> DriverError {
    let message = format!(
        "{} is larger than the limit of {} bytes",
        brief(&request.url),
        budget.bytes
    );
    DriverError::new(FailureKind::TooLarge, message).with_remedy(Remedy::RaiseLimit(Limit::Bytes))
}

fn too_long(request: &Request, again: Again) -> DriverError {
    DriverError::new(FailureKind::Timeout, format!("{} took too long", brief(&request.url))).with_again(again)
}

/// The refusal of a private address that a public page leads to.
pub(crate) fn private(request: &Request) -> DriverError {
    let message = format!(
        "{} is at a private address, where a public page may not lead",
        brief(&request.url)
    );
    DriverError::new(FailureKind::Forbidden, message).with_remedy(Remedy::AllowPrivate)
}

fn failure(request: &Request, error: reqwest::Error) -> DriverError {
    if find::<OnlyPrivate>(&error) {
        return private(request);
    }
    let again = match error.is_connect() {
        true => Again::Yes,
        false => Again::IfHarmless,
    };
    if error.is_timeout() {
        return too_long(request, again);
    }
    if is_out_of_files(&error) {
        return out_of_files(&format!("{} cannot be reached", brief(&request.url))).with_again(again);
    }
    let why = causes(&error);
    let message = format!("{} cannot be reached: {why}", brief(&request.url));
    let is_tls = find::<rustls::Error>(&error);
    // The address may contain a password.
    let failure = DriverError::new(FailureKind::Unreachable, message).with_source(error.without_url());
    if is_tls {
        return match why.contains("certificate") {
            true => {
                failure.with_remedy("this system does not trust the server: check that root certificates are installed")
            }
            false => failure,
        };
    }
    let failure = failure.with_again(again);
    if why.contains("dns") || why.contains("lookup") {
        failure.with_remedy("check the spelling of the host name")
    } else {
        failure
    }
}

fn ended_early(request: &Request, error: reqwest::Error) -> DriverError {
    if error.is_timeout() {
        return too_long(request, Again::IfHarmless);
    }
    let message = format!("{} ended early: {}", brief(&request.url), causes(&error));
    DriverError::new(FailureKind::Unreachable, message)
        .with_again(Again::IfHarmless)
        .with_source(error.without_url())
}

/// The system allows no more open files; this is not the server's fault.
fn out_of_files(what: &str) -> DriverError {
    let message = format!("{what}: too many open files on this machine");
    DriverError::new(FailureKind::Other, message).with_remedy(Remedy::FewerJobs)
}

/// Is the cause that the process, or the system, has too many files open?
fn is_out_of_files(error: &(dyn Error + 'static)) -> bool {
    // ENFILE and EMFILE, which have these numbers on all Unix systems; elsewhere they mean something else.
    let codes: &[i32] = if cfg!(unix) { &[23, 24] } else { &[] };
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<std::io::Error>() {
            let carried = error.get_ref().is_some_and(|carried| is_out_of_files(carried));
            if carried || error.raw_os_error().is_some_and(|code| codes.contains(&code)) {
                return true;
            }
        }
        cause = error.source();
    }
    false
}

/// Is there an error of this kind among the causes?
fn find<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // An I/O error does not show its inner error as a source.
        let carried = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        if error.is::<E>() || carried.is_some_and(|carried| find::<E>(carried)) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The causes of an error, without the first one, which says only that there was an error.
fn causes(error: &dyn Error) -> String {
    let mut chain = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        chain.push(error.to_string());
        cause = error.source();
    }
    // The last cause says what happened, the one before it where.
    match chain.as_slice() {
        [] => error.to_string(),
        [.., before, last] if !last.contains(before.as_str()) => format!("{before}: {last}"),
        [.., last] => last.clone(),
    }
}

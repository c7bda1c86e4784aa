//! Requests over the network.
//!
//! One client for the life of the driver, so connections are kept between pages. The client is `reqwest`'s blocking
//! one, whose own thread runs what is async. TLS is `rustls` over `ring`: it builds with a C compiler alone and needs
//! no library of the system. Whom to trust is for the system to say, so the roots are its own.
//!
//! The client follows no redirects and keeps no cookies: see [`Web`]. It asks for gzip and undoes it; the limit on bytes
//! counts what comes out, read in pieces, so that a small answer cannot swell beyond it. HTTP/1.1 only: a page at a
//! time gains nothing from HTTP/2, which would cost a third of the build.

use crate::fetch::{Budget, Fetch, Method, Request, Response};
use crate::web::{Settings, Web, brief};
use page::driver::{DriverError, FailureKind};
use reqwest::blocking::Client;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use std::error::Error;
use std::io::Read;
use std::sync::Arc;
use std::time::Instant;

/// A driver over plain HTTP: links, forms and cookies, no scripts.
///
/// ```no_run
/// use browse::{Http, Settings};
/// use page::driver::{Driver, Options};
/// let mut driver = Http::new(Settings::default())?;
/// let live = driver.open("https://example.org/", &Options::default())?;
/// assert_eq!(&*live.url, "https://example.org/");
/// # Ok::<(), page::driver::DriverError>(())
/// ```
pub type Http = Web<Wire>;

impl Http {
    /// A driver with a client of its own.
    ///
    /// # Errors
    ///
    /// The client cannot be set up: the user agent is no header value, or no thread can be started.
    pub fn new(settings: Settings) -> Result<Http, DriverError> {
        Ok(Web::over(Wire::new(&settings)?, settings))
    }
}

/// The transport that is a network.
pub struct Wire {
    client: Client,
}

impl Wire {
    /// A transport with a client of its own.
    ///
    /// # Errors
    ///
    /// The client cannot be set up: the user agent is no header value, or no thread can be started.
    pub fn new(settings: &Settings) -> Result<Wire, DriverError> {
        let failed = |error: &dyn Error| {
            DriverError::new(
                FailureKind::Other,
                format!("the HTTP client cannot be set up: {}", causes(error)),
            )
        };
        let mut headers = HeaderMap::new();
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        );
        let client = Client::builder()
            .tls_backend_preconfigured(tls().map_err(|error| failed(&error))?)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(settings.timeout)
            .user_agent(&settings.user_agent)
            .default_headers(headers)
            .build()
            .map_err(|error| failed(&error))?;
        Ok(Wire { client })
    }
}

/// TLS with the system's roots. A system without any still serves http; https then fails with an unknown issuer.
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

impl Fetch for Wire {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        let start = Instant::now();
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
        };
        let mut builder = self.client.request(method, request.url.clone()).timeout(budget.time);
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some(body) = &request.body {
            builder = builder
                .header(CONTENT_TYPE, &body.content_type)
                .body(body.bytes.clone());
        }
        let mut answer = builder.send().map_err(|error| failure(request, &error))?;
        let too_large = || {
            let message = format!(
                "{} is larger than the limit of {} bytes",
                brief(&request.url),
                budget.bytes
            );
            DriverError::new(FailureKind::TooLarge, message)
        };
        if answer
            .content_length()
            .is_some_and(|length| length > budget.bytes as u64)
        {
            return Err(too_large());
        }
        let headers = answer
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
            .collect();
        let status = answer.status().as_u16();
        let mut body = Vec::new();
        let mut piece = vec![0; 64 << 10];
        loop {
            // Each read is bounded by the client; this bounds a server that sends a byte now and then.
            if start.elapsed() >= budget.time {
                return Err(DriverError::new(
                    FailureKind::Timeout,
                    format!("{} took too long", brief(&request.url)),
                ));
            }
            match answer.read(&mut piece) {
                Ok(0) => break,
                Ok(n) if body.len() + n > budget.bytes => return Err(too_large()),
                Ok(n) => body.extend_from_slice(&piece[..n]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
                    return Err(match inner {
                        Some(inner) => failure(request, inner),
                        None => unreachable_because(request, &error),
                    });
                }
            }
        }
        Ok(Response { status, headers, body })
    }
}

/// The text of a header: UTF-8 where it is, as some redirects are, or else Latin-1.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}

fn failure(request: &Request, error: &reqwest::Error) -> DriverError {
    if error.is_timeout() {
        return DriverError::new(FailureKind::Timeout, format!("{} took too long", brief(&request.url)));
    }
    unreachable_because(request, error)
}

fn unreachable_because(request: &Request, error: &dyn Error) -> DriverError {
    let why = causes(error);
    let failure = DriverError::new(
        FailureKind::Unreachable,
        format!("{} cannot be reached: {why}", brief(&request.url)),
    );
    if why.contains("certificate") {
        failure.with_hint("this system does not trust the server; are its root certificates installed")
    } else if why.contains("DNS") {
        failure.with_hint("is the host's name spelled right")
    } else {
        failure
    }
}

/// The causes of an error from the second on: the first only says that there was one.
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

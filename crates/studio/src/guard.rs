//! Who may talk to the studio.
//!
//! A server on loopback is reachable by every program of this machine and, through the browser, by every web page that its
//! user opens. So each request passes these checks, in this order:
//!
//! 1. **Host**: `127.0.0.1:PORT` or `localhost:PORT`, or the request is refused. A page on a name that was rebound to loopback
//!    sends its own name.
//! 2. **Who**: a cookie with a secret of 256 bits. It is given once, in exchange for the token in the first address, and is
//!    `HttpOnly` and `SameSite=Strict`. The token is used up by that: an address in a history or a log opens nothing.
//! 3. **From where**: `Sec-Fetch-Site`, if the browser sends it, must say that our own page or the user asks. A page on another
//!    port of this machine has the same *site*, so the cookie alone would not be enough.
//! 4. **Writes** also need an `Origin` that is ours (or, without one, `Sec-Fetch-Site: same-origin`) and the content type
//!    `application/json`, which no form can send.
//!
//! No answer has CORS headers, and all have a content security policy.
//!
//! Known gaps: browsers do not keep cookies apart by port, so a malicious server of another user on this machine could receive
//! the cookie if the user opens its page in the same browser. Whoever starts a browser with the address as an argument shows the
//! token to the other users of the machine for a moment; if one of them is faster, the user is told that the address was used.

use hyper::header::{CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, StatusCode};
use ring::rand::{SecureRandom, SystemRandom};
use std::io;
use std::sync::{Mutex, PoisonError};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The checks, with their secrets.
pub(crate) struct Guard {
    port: u16,
    /// Present until somebody has used it.
    token: Mutex<Option<String>>,
    secret: String,
}

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is answered.
    Granted,
    /// The token was right: the cookie is given, and the address cleaned.
    Enter,
    /// Somebody who is known came with an old token: the address is cleaned.
    Again,
    /// It is refused, for this reason.
    Refused(StatusCode, &'static str),
}

impl Guard {
    /// Makes secrets for a server at this port.
    pub(crate) fn new(port: u16) -> io::Result<Guard> {
        let random = SystemRandom::new();
        let secret = || {
            let mut bytes = [0; 32];
            random
                .fill(&mut bytes)
                .map_err(|_| io::Error::other("the system gives no random numbers"))?;
            Ok::<String, io::Error>(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
        };
        Ok(Guard {
            port,
            token: Mutex::new(Some(secret()?)),
            secret: secret()?,
        })
    }

    /// The path that lets somebody in, once.
    pub(crate) fn entry(&self) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        format!("/enter?token={}", token.as_deref().unwrap_or_default())
    }

    /// The cookie that is given at the entry.
    pub(crate) fn cookie(&self) -> String {
        format!(
            "{}={}; Path=/; HttpOnly; SameSite=Strict",
            self.cookie_name(),
            self.secret
        )
    }

    fn cookie_name(&self) -> String {
        format!("wrapwright-studio-{}", self.port)
    }

    /// May this request be answered?
    pub(crate) fn admit(&self, method: &Method, path: &str, query: &str, headers: &HeaderMap) -> Admission {
        use Admission::Refused;
        let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_one = headers.get_all(HOST).iter().count() == 1;
        let Some(host) = text(&HOST).filter(|host| is_one && hosts.iter().any(|own| own == host)) else {
            return Refused(StatusCode::MISDIRECTED_REQUEST, "this host name is not served here");
        };
        if !matches!(*method, Method::GET | Method::POST) {
            return Refused(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST are served");
        }
        let known = self.is_known(headers);
        if path == "/enter" && *method == Method::GET {
            let given = query.strip_prefix("token=").unwrap_or_default();
            return match (self.spend(given), known) {
                (true, _) => Admission::Enter,
                (false, true) => Admission::Again,
                (false, false) => Refused(
                    StatusCode::FORBIDDEN,
                    "this address was used already; start the studio again",
                ),
            };
        }
        if !known {
            return Refused(
                StatusCode::FORBIDDEN,
                "open the address that the program printed; it works once, in one browser",
            );
        }
        let site = text(&SITE);
        if *method == Method::GET {
            return match site {
                None | Some("same-origin" | "none") => Admission::Granted,
                Some(_) => Refused(StatusCode::FORBIDDEN, "another page asked for this"),
            };
        }
        let own = match (text(&ORIGIN), site) {
            (Some(origin), None | Some("same-origin")) => origin == format!("http://{host}"),
            (None, Some("same-origin")) => true,
            _ => false,
        };
        if !own {
            return Refused(StatusCode::FORBIDDEN, "another page asked for this");
        }
        let media = text(&CONTENT_TYPE).unwrap_or_default();
        let media = media.split(';').next().unwrap_or_default().trim();
        match media.eq_ignore_ascii_case("application/json") {
            true => Admission::Granted,
            false => Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json"),
        }
    }

    /// Is the token right? It is used up then.
    fn spend(&self, given: &str) -> bool {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = token.as_deref().is_some_and(|token| same(token, given));
        if is_right {
            *token = None;
        }
        is_right
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(key, value)| key == name && same(value, &self.secret))
    }
}

/// Are two texts the same? Takes as long for each pair of the same length.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differ == 0
}

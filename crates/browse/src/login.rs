//! Secrets that are sent only where the user wants them.
//!
//! A login in an address that the user opens (`http://me:secret@…`) is removed from it, so that no page, message or
//! recording contains it. It is sent to that origin only, with every request from then on. A login in an address on a
//! page is sent with that one request, as browsers do.
//!
//! The user's own headers are sent to the sites that the user opened, also over https if the address said http. Any of
//! them may be a secret, so only headers that are known to be harmless are sent to all sites.
//!
//! Known gap: only Basic logins (RFC 7617).

use crate::base64;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// Scheme, host and port.
type Key = (String, String, u16);

/// How many sites are remembered.
const MOST_SITES: usize = 10_000;

/// Is this header known not to be a secret?
pub(crate) fn is_harmless(name: &str) -> bool {
    const HARMLESS: [&str; 6] = [
        "accept",
        "accept-language",
        "dnt",
        "sec-gpc",
        "upgrade-insecure-requests",
        "user-agent",
    ];
    HARMLESS.iter().any(|harmless| name.eq_ignore_ascii_case(harmless))
}

/// The headers that are meant for the host of an address, with its port or with all.
pub(crate) fn for_site<'s>(all: &'s BTreeMap<String, Vec<(String, String)>>, url: &Url) -> Vec<&'s (String, String)> {
    let (Some(host), false) = (url.host_str(), all.is_empty()) else {
        return Vec::new();
    };
    let with_port = format!("{host}:{}", url.port_or_known_default().unwrap_or(0));
    let found = [host, &with_port].into_iter().filter_map(|name| all.get(name));
    found.flatten().collect()
}

/// The sites that the user named, and the logins there.
#[derive(Default)]
pub(crate) struct Named(Mutex<BTreeMap<Key, Option<String>>>);

/// What may be sent to a site.
pub(crate) struct Site {
    /// Did the user name it?
    pub(crate) is_named: bool,
    /// The login to send, as a header value.
    pub(crate) login: Option<String>,
}

impl Named {
    /// Remembers an address that the user named, and returns it without its login.
    pub(crate) fn add(&self, mut url: Url) -> Url {
        let login = take_login(&mut url);
        if let Some(key) = key(&url) {
            let mut named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if named.len() < MOST_SITES || named.contains_key(&key) {
                let known = named.entry(key).or_default();
                *known = login.or(known.take());
            }
        }
        url
    }

    /// What may be sent to the site of an address; a login is removed from the address.
    pub(crate) fn site(&self, url: &mut Url) -> Site {
        let own = take_login(url);
        let key = key(url);
        let named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = key.as_ref().and_then(|key| named.get(key));
        let is_named = known.is_some();
        let login = own.or_else(|| known.cloned().flatten());
        // A site named by http includes its https.
        let before = key.filter(|key| key.0 == "https" && key.2 == 443);
        let before = before.map(|key| ("http".to_owned(), key.1, 80));
        Site {
            is_named: is_named || before.is_some_and(|key| named.contains_key(&key)),
            login,
        }
    }
}

fn key(url: &Url) -> Option<Key> {
    Some((
        url.scheme().to_owned(),
        url.host_str()?.to_owned(),
        url.port_or_known_default()?,
    ))
}

/// Removes the login from an address, and returns it as a header value (RFC 7617).
pub(crate) fn take_login(url: &mut Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut login = unescaped(url.username());
    login.push(b':');
    login.extend(unescaped(url.password().unwrap_or("")));
    // Fails only for addresses that cannot have a login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(format!("Basic {}", base64::encode(&login)))
}

pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        match hex
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())
        {
            Some(byte) if bytes[at] == b'%' => {
                out.push(byte);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_and_their_logins() {
        let url = |text: &str| Url::parse(text).unwrap();
        let named = Named::default();
        assert_eq!(named.add(url("http://me:pass@a.test/x")).as_str(), "http://a.test/x");
        named.add(url("http://a.test/"));
        let rows = [
            ("http://a.test/y", true, Some("Basic bWU6cGFzcw==")),
            ("https://a.test/y", true, None),
            ("http://a.test:8080/", false, None),
            ("http://b.a.test/", false, None),
            ("http://you@b.test/", false, Some("Basic eW91Og==")),
            ("http://b.test/", false, None),
        ];
        for (text, is_named, login) in rows {
            let site = named.site(&mut url(text));
            assert_eq!((site.is_named, site.login.as_deref()), (is_named, login), "{text}");
        }
    }

    #[test]
    fn logins_leave_their_addresses() {
        let rows = [
            ("http://a.test/", None, "http://a.test/"),
            ("http://me@a.test/", Some("Basic bWU6"), "http://a.test/"),
            ("http://me:pass@a.test/x", Some("Basic bWU6cGFzcw=="), "http://a.test/x"),
            ("http://:p@a.test/", Some("Basic OnA="), "http://a.test/"),
            (
                "http://a%20b:%C3%A4%zz@a.test/",
                Some("Basic YSBiOsOkJXp6"),
                "http://a.test/",
            ),
        ];
        for (written, login, left) in rows {
            let mut url = Url::parse(written).unwrap();
            assert_eq!(take_login(&mut url).as_deref(), login, "{written}");
            assert_eq!(url.as_str(), left);
        }
    }
}

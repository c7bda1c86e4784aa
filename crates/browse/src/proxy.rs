//! Which requests go through a proxy.
//!
//! The user's setting comes first, for both http and https; without it the environment variables are read, as curl
//! does: `http_proxy`, `https_proxy`, `all_proxy`, with `no_proxy` for exceptions, each in lower case before upper
//! case. `HTTP_PROXY` is ignored where `REQUEST_METHOD` is set, because there a client can set it (CGI). Loopback hosts
//! are always reached directly: for a proxy, loopback is its own machine.
//!
//! A proxy looks up names itself, so the rule on private addresses applies only to literal addresses. The user name and
//! password of a proxy are sent to the proxy and never shown.

use crate::address;
use crate::settings::HttpSettings;
use page::Remedy;
use page::driver::{DriverError, FailureKind};
use std::net::IpAddr;
use url::{Host, Url};

/// The proxies, and the exceptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    http: Option<Url>,
    https: Option<Url>,
    /// Hosts that are never reached through a proxy, from `NO_PROXY`.
    direct: Vec<String>,
}

impl Proxies {
    /// The proxies that the settings ask for.
    pub(crate) fn of_settings(settings: &HttpSettings) -> Result<Proxies, DriverError> {
        match &settings.proxy {
            Some(address) => Proxies::one(address),
            None if settings.env_proxy => Proxies::from_environment(|name| std::env::var(name).ok()),
            None => Ok(Proxies::default()),
        }
    }

    /// Is there none?
    #[cfg(feature = "chromium")]
    pub(crate) fn is_empty(&self) -> bool {
        self.http.is_none() && self.https.is_none()
    }

    /// One proxy for everything.
    pub(crate) fn one(address: &str) -> Result<Proxies, DriverError> {
        let proxy = parse(address)?;
        Ok(Proxies {
            http: Some(proxy.clone()),
            https: Some(proxy),
            direct: Vec::new(),
        })
    }

    /// The proxies that the environment names.
    pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Proxies, DriverError> {
        let get = |name: &str| {
            let found = variable(name).or_else(|| variable(&name.to_uppercase()));
            found.filter(|value| !value.trim().is_empty())
        };
        let proxy = |name: &str, value: Option<String>| match value {
            Some(value) => parse(&value).map(Some).map_err(|error| {
                let name = name.to_uppercase();
                error.with_remedy(Remedy::CorrectProxy { variable: name })
            }),
            None => Ok(None),
        };
        let http = match variable("REQUEST_METHOD") {
            Some(_) => variable("http_proxy"),
            None => get("http_proxy"),
        };
        let all = proxy("all_proxy", get("all_proxy"))?;
        Ok(Proxies {
            http: proxy("http_proxy", http)?.or_else(|| all.clone()),
            https: proxy("https_proxy", get("https_proxy"))?.or(all),
            direct: get("no_proxy")
                .unwrap_or_default()
                .split([',', ' '])
                .map(|entry| entry.trim().to_ascii_lowercase())
                .filter(|entry| !entry.is_empty())
                .collect(),
        })
    }

    /// The proxy for an address.
    pub(crate) fn of(&self, url: &Url) -> Option<&Url> {
        let proxy = match url.scheme() {
            "https" => self.https.as_ref(),
            _ => self.http.as_ref(),
        }?;
        let direct = address::is_loopback(url) || self.direct.iter().any(|entry| is_exempt(entry, url));
        (!direct).then_some(proxy)
    }

    /// Is this the name of a proxy?
    pub(crate) fn is_proxy(&self, host: &str) -> bool {
        [&self.http, &self.https]
            .into_iter()
            .flatten()
            .any(|proxy| proxy.host_str() == Some(host))
    }
}

/// Does an entry of `NO_PROXY` match this address? `*`, a domain with those below it, an address, a range of addresses,
/// each with or without a port.
fn is_exempt(entry: &str, url: &Url) -> bool {
    if entry == "*" {
        return true;
    }
    let (entry, port) = match entry.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port.parse::<u16>().ok()),
        _ => (entry, None),
    };
    if port.is_some() && port != url.port_or_known_default() {
        return false;
    }
    let address = match url.host() {
        Some(Host::Domain(name)) => {
            let domain = entry.strip_prefix("*.").or(entry.strip_prefix('.')).unwrap_or(entry);
            return match name.strip_suffix(domain) {
                Some(before) => !domain.is_empty() && (before.is_empty() || before.ends_with('.')),
                None => false,
            };
        }
        Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
        Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
        None => return false,
    };
    let (range, bits) = match entry.split_once('/') {
        Some((range, bits)) => (range, bits.parse::<u32>().ok()),
        None => (entry, Some(128)),
    };
    let range = range.trim_start_matches('[').trim_end_matches(']');
    let same = |a: u128, b: u128, width: u32, bits: u32| {
        let ignored = width - bits.min(width);
        ignored >= 128 || a >> ignored == b >> ignored
    };
    match (range.parse(), address, bits) {
        (Ok(IpAddr::V4(range)), IpAddr::V4(v4), Some(bits)) => {
            same(u32::from(range).into(), u32::from(v4).into(), 32, bits)
        }
        (Ok(IpAddr::V6(range)), IpAddr::V6(v6), Some(bits)) => same(range.into(), v6.into(), 128, bits),
        _ => false,
    }
}

/// The address of a proxy; `http://` if it has no scheme.
fn parse(address: &str) -> Result<Url, DriverError> {
    let address = address.trim();
    let whole = match address.contains("://") {
        true => address.to_owned(),
        false => format!("http://{address}"),
    };
    let url = Url::parse(&whole).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") && url.has_host());
    url.ok_or_else(|| {
        // It may contain a password, so it is not shown.
        let message = "not a proxy address; expected something like http://proxy.example:3128";
        DriverError::new(FailureKind::BadUrl, message)
            .with_remedy("a proxy address begins with http://, https://, socks5:// or socks5h://")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(proxies: &Proxies, url: &str) -> String {
        let proxy = proxies.of(&Url::parse(url).unwrap());
        proxy.map_or("-".to_owned(), |proxy| proxy.host_str().unwrap().to_owned())
    }

    #[test]
    fn the_environment() {
        let environment = |pairs: &'static [(&str, &str)]| {
            Proxies::from_environment(move |name| {
                pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned())
            })
        };
        let none = environment(&[]).unwrap();
        assert_eq!(host(&none, "http://a.test/"), "-");
        let both = environment(&[
            ("http_proxy", "one:3128"),
            ("HTTPS_PROXY", "http://u:p@two"),
            ("HTTP_PROXY", "x"),
        ])
        .unwrap();
        assert_eq!(host(&both, "http://a.test/"), "one");
        assert_eq!(host(&both, "https://a.test/"), "two");
        for url in [
            "http://localhost:80/",
            "http://127.0.0.1/",
            "https://[::1]/",
            "http://a.localhost/",
        ] {
            assert_eq!(host(&both, url), "-", "{url}");
        }
        assert!(both.is_proxy("two") && !both.is_proxy("a.test"));
        let all = environment(&[("ALL_PROXY", "socks5h://all"), ("https_proxy", " ")]).unwrap();
        assert_eq!(
            (host(&all, "http://a.test/"), host(&all, "https://a.test/")),
            ("all".into(), "all".into())
        );
        let cgi = environment(&[("HTTP_PROXY", "evil"), ("REQUEST_METHOD", "GET")]).unwrap();
        assert_eq!(host(&cgi, "http://a.test/"), "-");
        let error = environment(&[("https_proxy", "ftp://me:secret@x/")]).unwrap_err();
        assert!(
            !error.to_string().contains("secret") && error.to_string().contains("HTTPS_PROXY"),
            "{error}"
        );
    }

    #[test]
    fn exceptions() {
        let rows = [
            ("*", "http://a.test/", true),
            ("a.test", "http://a.test/", true),
            ("a.test", "http://b.a.test/", true),
            (".a.test", "http://b.a.test/", true),
            ("*.a.test", "http://b.a.test/", true),
            ("a.test", "http://ba.test/", false),
            ("a.test:8080", "http://a.test/", false),
            ("a.test:80", "http://a.test/", true),
            ("10.0.0.0/8", "http://10.9.9.9/", true),
            ("10.0.0.0/8", "http://11.0.0.1/", false),
            ("0.0.0.0/0", "http://11.0.0.1/", true),
            ("10.0.0.1", "http://10.0.0.1/", true),
            ("[fd00::1]:80", "http://[fd00::1]/", true),
            ("fd00::/8", "http://[fd12::1]/", true),
            ("::/0", "http://[fd12::1]/", true),
            ("10.0.0.0/x", "http://10.0.0.1/", false),
            (".", "http://a.test/", false),
        ];
        for (entry, url, expected) in rows {
            assert_eq!(is_exempt(entry, &Url::parse(url).unwrap()), expected, "{entry} {url}");
        }
    }
}

//! Which addresses are outside the public internet.
//!
//! A page may be hostile, and the machine that reads it may be inside a network that the page's author cannot reach. A
//! link or redirect to `http://192.168.0.1/reboot` or to a cloud's metadata service would let the author act inside
//! that network. So a page from a public address may lead to public addresses only. Addresses that the user opens, and
//! links on pages at private addresses, are not restricted.
//!
//! Host names do not decide, except `localhost`: the transport checks the addresses it is about to connect to
//! ([`Budget::private`](crate::Budget)), so a name that resolves differently between check and connection gains
//! nothing. The spellings of a literal (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`) need no care here: `url`
//! normalises them, and an IPv6 address that embeds an IPv4 address is judged by the latter.
//!
//! [`Origins`], of bounded size, remembers by host name whether a page came from a private address. A name that was
//! once reached at a public address stays public, so it cannot become private for pages that it served before; an
//! unknown name is public.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use url::{Host, Url};

/// Is this an address that can be reached only from inside a private network?
pub(crate) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

/// The special-purpose registry of IPv4 (RFC 6890), without those that are reachable from everywhere.
fn is_private_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    match a {
        // This network, private, loopback.
        0 | 10 | 127 => true,
        // Carrier-grade NAT.
        100 => b & 0xC0 == 64,
        // Link-local, where clouds keep their metadata.
        169 => b == 254,
        172 => b & 0xF0 == 16,
        192 => b == 168 || (b == 0 && (c == 0 || c == 2)),
        // Benchmarks, documentation.
        198 => b & 0xFE == 18 || (b == 51 && c == 100),
        203 => b == 0 && c == 113,
        // Multicast, reserved, broadcast.
        224.. => true,
        _ => false,
    }
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    let s = v6.segments();
    let embedded = |high: u16, low: u16| is_private_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match s {
        // Unspecified, loopback, IPv4-compatible; IPv4-mapped.
        [0, 0, 0, 0, 0, 0, high, low] => high == 0 || embedded(high, low),
        [0, 0, 0, 0, 0, 0xFFFF, high, low] => embedded(high, low),
        // IPv4-translated, NAT64, its local prefix, 6to4.
        [0, 0, 0, 0, 0xFFFF, 0, high, low] => embedded(high, low),
        [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x64, 0xFF9B, 1, ..] => true,
        [0x2002, high, low, ..] => embedded(high, low),
        // Teredo, whose server and client are IPv4 addresses in disguise; documentation; discard.
        [0x2001, 0 | 0xDB8, ..] | [0x100, 0, 0, 0, ..] => true,
        // Unique local, link-local, site-local, multicast.
        [first, ..] => {
            first & 0xFE00 == 0xFC00 || first & 0xFFC0 == 0xFE80 || first & 0xFFC0 == 0xFEC0 || first & 0xFF00 == 0xFF00
        }
    }
}

/// What is known about the host of an address before any name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// A private address, or `localhost`.
    Private,
    /// A public address.
    Public,
    /// A name, which can resolve to any address.
    Name,
}

/// What the host of an address is, as written.
pub(crate) fn written(url: &Url) -> Written {
    let address = match url.host() {
        Some(Host::Domain(name)) if is_localhost(name) => return Written::Private,
        Some(Host::Domain(_)) | None => return Written::Name,
        Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
        Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
    };
    if is_private(address) {
        Written::Private
    } else {
        Written::Public
    }
}

/// Does the address, as written, mean this machine?
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(v4)) => v4.is_loopback(),
        Some(Host::Ipv6(v6)) => v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback()),
        None => false,
    }
}

/// Names that never leave the machine (RFC 6761).
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// How many hosts are remembered.
const HOSTS: usize = 10_000;

/// Where hosts were reached: for each, whether always at private addresses.
#[derive(Default)]
pub(crate) struct Origins(Mutex<BTreeMap<String, bool>>);

impl Origins {
    /// Remembers the address that a page came from.
    pub(crate) fn reached(&self, url: &Url, at: Option<IpAddr>) {
        let (Some(host), Some(at), Written::Name) = (url.host_str(), at, written(url)) else {
            return;
        };
        let private = is_private(at);
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(always) = hosts.get_mut(host) {
            *always &= private;
        } else if hosts.len() < HOSTS {
            hosts.insert(host.to_owned(), private);
        }
    }

    /// May a page from there lead to private addresses?
    pub(crate) fn is_private(&self, url: &Url) -> bool {
        match written(url) {
            Written::Private => true,
            Written::Public => false,
            Written::Name => {
                let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                url.host_str()
                    .and_then(|host| hosts.get(host))
                    .is_some_and(|always| *always)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_however_they_are_spelled() {
        let private = [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "017700000001",
            "127.0.0.1.",
            "0",
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "192.0.0.8",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "[::]",
            "[::1]",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:10.0.0.1]",
            "[::ffff:0:10.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::]",
            "[2001::1]",
            "[2001:db8::1]",
            "[fc00::1]",
            "[fdff::1]",
            "[fe80::1]",
            "[febf::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[100::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "１２７.0.0.1",
            "203.0.113.7",
        ];
        for host in private {
            let url = Url::parse(&format!("http://{host}:8080/")).unwrap();
            assert_eq!(written(&url), Written::Private, "{host}");
        }
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.0.1",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.167.0.1",
            "192.0.1.1",
            "169.253.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "[2606:4700::1111]",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::8.8.8.8]",
            "[2002:808:808::]",
            "[2001:4860:4860::8888]",
        ];
        for host in public {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(written(&url), Written::Public, "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "notlocalhost",
        ] {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(written(&url), Written::Name, "{host}");
        }
        for (host, expected) in [
            ("127.0.0.2", true),
            ("[::1]", true),
            ("[::ffff:127.0.0.1]", true),
            ("localhost", true),
            ("10.0.0.1", false),
            ("a.test", false),
        ] {
            assert_eq!(
                is_loopback(&Url::parse(&format!("http://{host}/")).unwrap()),
                expected,
                "{host}"
            );
        }
    }

    #[test]
    fn a_host_once_public_stays_public() {
        let url = |text: &str| Url::parse(text).unwrap();
        let origins = Origins::default();
        let (inside, outside) = (Some(IpAddr::from([10, 0, 0, 1])), Some(IpAddr::from([8, 8, 8, 8])));
        assert!(!origins.is_private(&url("http://a.test/")), "nobody knows it");
        origins.reached(&url("http://a.test/"), None);
        assert!(!origins.is_private(&url("http://a.test/")), "still");
        origins.reached(&url("http://a.test/"), inside);
        assert!(origins.is_private(&url("https://a.test:8443/x")));
        origins.reached(&url("http://a.test/"), outside);
        origins.reached(&url("http://a.test/"), inside);
        assert!(!origins.is_private(&url("http://a.test/")));
        assert!(origins.is_private(&url("http://10.0.0.1/")));
        for n in 0..2 * HOSTS {
            origins.reached(&url(&format!("http://h{n}.test/")), inside);
        }
        assert_eq!(origins.0.lock().unwrap().len(), HOSTS);
    }
}

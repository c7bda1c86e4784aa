//! Settings for drivers. The defaults are safe for the machine and polite to servers.

use crate::log::Log;
use crate::polite::Turns;
use page::Limits;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Settings for drivers.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// Limits on the size of pages; the limit on bytes also applies to what is read from a server.
    pub limits: Limits,
    /// How long it may take to fetch a page, including its redirects, unless an action says otherwise. Waiting for a
    /// turn does not count, and each retry gets the same time again.
    pub timeout: Duration,
    /// The most redirects that are followed in a row, including those by `<meta http-equiv=refresh>`.
    pub redirects: usize,
    /// May the user open files? Pages never may.
    pub allow_file: bool,
    /// May pages from public addresses lead to loopback and private ones?
    pub allow_private: bool,
    /// May addresses that the user names be private? No, if whoever names them is not the user of this machine.
    pub allow_named_private: bool,
    /// How the driver names itself to servers; robots.txt is read for the name before the first `/`.
    pub user_agent: String,
    /// The user's own headers. They are sent to the sites that the user names, see [`Web`](crate::Web).
    pub headers: Vec<(String, String)>,
    /// Headers for one host each, by its name in lower case, with a port (`shop.example:8080`) or for all ports.
    pub site_headers: BTreeMap<String, Vec<(String, String)>>,
    /// Is robots.txt respected?
    pub robots: bool,
    /// The most requests to a host at the same time. If absent 1, and any number for loopback hosts.
    pub per_host: Option<usize>,
    /// The time from the start of a request to the start of the next one to the same host. If absent 1 s, and 0 for
    /// loopback hosts. robots.txt can make it longer.
    pub delay: Option<Duration>,
    /// Turns that are shared with other processes; if absent, the delay is that of this driver alone.
    pub turns: Option<Arc<dyn Turns>>,
    /// The most retries for a page, including its redirects.
    pub retries: u32,
    /// The pause before the first retry; it doubles for each further one.
    pub backoff: Duration,
    /// A folder for a cache of answers; if absent there is no cache.
    pub cache: Option<PathBuf>,
    /// How old an answer in the cache may be.
    pub cache_age: Duration,
    /// The address of a proxy for all requests, except those to loopback hosts: `http://`, `https://`, `socks5://`,
    /// `socks5h://`.
    pub proxy: Option<String>,
    /// If no proxy is set, may the environment name one? By `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, and `NO_PROXY`
    /// for exceptions.
    pub env_proxy: bool,
    /// Fixed addresses of hosts, by name in lower case, that are used instead of a lookup.
    pub resolve: BTreeMap<String, IpAddr>,
    /// Who is told of each step; if absent nobody is.
    pub log: Option<Arc<dyn Log>>,
}

impl Default for HttpSettings {
    fn default() -> HttpSettings {
        HttpSettings {
            limits: Limits::default(),
            timeout: Duration::from_secs(30),
            redirects: 10,
            allow_file: true,
            allow_private: false,
            allow_named_private: true,
            user_agent: user_agent(),
            headers: Vec::new(),
            site_headers: BTreeMap::new(),
            robots: true,
            per_host: None,
            delay: None,
            turns: None,
            retries: 2,
            backoff: Duration::from_secs(1),
            cache: None,
            cache_age: Duration::from_secs(24 * 60 * 60),
            proxy: None,
            env_proxy: true,
            resolve: BTreeMap::new(),
            log: None,
        }
    }
}

impl HttpSettings {
    /// For transports that reach no server, such as memory and recordings: no robots.txt, no delay, no retries, no
    /// files.
    pub fn offline() -> HttpSettings {
        HttpSettings {
            allow_file: false,
            robots: false,
            per_host: Some(usize::MAX),
            delay: Some(Duration::ZERO),
            retries: 0,
            env_proxy: false,
            ..HttpSettings::default()
        }
    }
}

/// `wrapwright/VERSION`, and the address of the project if the package names one.
fn user_agent() -> String {
    let name = concat!("wrapwright/", env!("CARGO_PKG_VERSION"));
    let places = [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")];
    match places.iter().find(|place| !place.is_empty()) {
        Some(place) => format!("{name} (+{place})"),
        None => name.to_owned(),
    }
}

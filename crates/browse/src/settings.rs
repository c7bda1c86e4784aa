//! How to browse: everything that can be set, with defaults that are safe for the machine and polite to servers.

use page::Limits;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How to browse.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a page may cost; its bytes bound what is read from a server.
    pub limits: Limits,
    /// How long a page may take to be fetched, its redirects included, unless an action says otherwise. Waiting for one's
    /// turn does not count, and a page that is asked for once more has as long again.
    pub timeout: Duration,
    /// How many redirects are followed in a row, those by `<meta http-equiv=refresh>` among them.
    pub redirects: usize,
    /// May the user open files? Pages never may.
    pub allow_file: bool,
    /// May pages from public addresses lead to loopback and private ones?
    pub allow_private: bool,
    /// How the driver names itself to servers; robots.txt is read for the name before the first `/`.
    pub user_agent: String,
    /// Headers of the user's own. They are sent to the sites that the user names, see [`Web`](crate::Web).
    pub headers: Vec<(String, String)>,
    /// Is robots.txt honoured?
    pub robots: bool,
    /// How many requests may be under way at a host at once. If absent 1, and any number at loopback hosts.
    pub per_host: Option<usize>,
    /// How long after the start of a request the next may start at the same host. If absent 1 s, and none at loopback
    /// hosts. What robots.txt says may make it longer.
    pub delay: Option<Duration>,
    /// How often a page is asked for again when that may help, its redirects included.
    pub retries: u32,
    /// How long to wait before the first retry; before each further one twice as long.
    pub backoff: Duration,
    /// A folder for a cache of answers; none without one.
    pub cache: Option<PathBuf>,
    /// How old an answer in the cache may be.
    pub cache_age: Duration,
    /// The address of a proxy for all requests but those to loopback hosts: `http://`, `https://`, `socks5://`,
    /// `socks5h://`.
    pub proxy: Option<String>,
    /// If no proxy is set, may the environment name one? By `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, and `NO_PROXY` for
    /// exceptions.
    pub env_proxy: bool,
    /// Addresses of hosts, in lower case, that are not to be looked up.
    pub resolve: BTreeMap<String, IpAddr>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            timeout: Duration::from_secs(30),
            redirects: 10,
            allow_file: true,
            allow_private: false,
            user_agent: user_agent(),
            headers: Vec::new(),
            robots: true,
            per_host: None,
            delay: None,
            retries: 2,
            backoff: Duration::from_secs(1),
            cache: None,
            cache_age: Duration::from_secs(24 * 60 * 60),
            proxy: None,
            env_proxy: true,
            resolve: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// For transports that reach no server, such as memory and recordings: no robots.txt, no delay, no retries, no files.
    pub fn offline() -> Settings {
        Settings {
            allow_file: false,
            robots: false,
            per_host: Some(usize::MAX),
            delay: Some(Duration::ZERO),
            retries: 0,
            env_proxy: false,
            ..Settings::default()
        }
    }
}

/// `wrapwright/VERSION`, and where to read about it once the package says so.
fn user_agent() -> String {
    let name = concat!("wrapwright/", env!("CARGO_PKG_VERSION"));
    let places = [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")];
    match places.iter().find(|place| !place.is_empty()) {
        Some(place) => format!("{name} (+{place})"),
        None => name.to_owned(),
    }
}

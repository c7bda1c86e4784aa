//! The way from a browser to the network: a proxy on this machine that applies our rules.
//!
//! A page in a browser makes requests of many kinds: documents, frames, scripts, `fetch`, WebSockets, workers, beacons.
//! The DevTools protocol shows some of them, late, and not those of every worker; and it does not show which address a
//! name is about to be connected to. So the browser is started with this proxy as its only way out, and each request
//! passes here, whatever made it:
//!
//! ```text
//! pages from public addresses  ─▶ door Public  ─┐
//!                                               ├─▶ look up ─▶ check ─▶ connect to the checked address
//! pages from private addresses ─▶ door Private ─┘       (or to the user's own proxy)
//! ```
//!
//! **A door for each zone.** A proxy does not see which page makes a request. But a browser can have several contexts,
//! each with its own proxy, and every worker, frame and window of a page belongs to the page's context. So pages from
//! public addresses are opened in one context and pages from private ones in another. At the door `Public`, private
//! addresses are refused without exception. At the door `Private` both are allowed, because a page of an intranet may
//! use scripts of a public host; but no *document* of a public host is opened there (see `chromium::tab`), neither as
//! a page nor in a frame, so no foreign page gets to that door. It is opened in the other context instead.
//!
//! **Names are looked up here**, once for each connection, and the connection goes to an address that was checked, so a
//! name that changes its address in between gains nothing. A name belongs to the zone where it was first found: if all
//! of its addresses were private it is private. Later only addresses of that zone are used, so a name cannot change
//! sides while its pages are open. The rule itself is the one of the HTTP driver (`address`), and so are its
//! exceptions: loopback is never reached through the user's proxy, and a name that the user's proxy looks up is public.
//!
//! http requests are forwarded one by one; https, wss and ws ask for a tunnel (`CONNECT`), which is not decrypted. What
//! does not use proxies at all is turned off when the browser is started (`chromium::launch`): QUIC, UDP for WebRTC,
//! the browser's own name lookups.
//!
//! **Who may use it?** The doors listen on loopback only. Chromium cannot send a password to a proxy without a question
//! for each context, which pages can delay; so instead, where the system shows the owner of a connection (Linux), a
//! door serves only processes of the same user. Those can do all that we can do anyway. Elsewhere any process of this
//! machine can use the doors while the browser runs; it gains the network of this machine, which it usually has.
//! Pages in other browsers gain nothing: what they can send here is not a request to a proxy, and is refused.
//! A page in our own browser reaches neither the doors nor the browser's control port: both are refused as targets.
//!
//! Cost: two more copies of each byte and one more connection for each of the browser's, see `bench/record`.
//!
//! Known gaps: a browser that we did not start has its own way to the network. `https` through a user's proxy, and any
//! name that it looks up, cannot be checked.

mod dial;
mod peer;
mod serve;

use crate::address::{self, Written};
use crate::http;
use crate::proxy::Proxies;
use crate::settings::HttpSettings;
use page::driver::{DriverError, FailureKind};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use url::Url;

/// The header by which the browser's driver recognises our own answers. It is removed from all other answers.
pub(crate) const MARK: &str = "x-wrapwright-gate";

/// The most names that are remembered.
const MOST_NAMES: usize = 10_000;

/// Where a host is, or a page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    Public,
    Private,
}

/// Why a request got no answer from its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is at a private address, and the page is public.
    Private,
    /// The name changed its zone.
    Moved,
    /// The target is this gate, or the browser's control port.
    Own,
    NoHost,
    Refused,
    Late,
    Other(String),
}

/// A running gate. It ends when it is dropped.
pub(crate) struct Gate {
    inner: Arc<Inner>,
    public: SocketAddr,
    private: SocketAddr,
    handle: Handle,
    stop: Mutex<Option<oneshot::Sender<()>>>,
}

type Reached = Box<dyn Fn(&Url, IpAddr) + Send + Sync>;

struct Inner {
    table: BTreeMap<String, IpAddr>,
    proxies: Proxies,
    tls: TlsConnector,
    /// Are private addresses allowed for all?
    free: bool,
    zones: Mutex<BTreeMap<String, Zone>>,
    /// The last failure of each host and port.
    troubles: Mutex<BTreeMap<(String, u16), Why>>,
    /// Ports of this machine that nobody may reach through us.
    own: Mutex<BTreeSet<u16>>,
    reached: Reached,
    connections: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(error: std::io::Error) -> DriverError {
    let message = format!("the browser's way to the network cannot be set up: {error}");
    DriverError::new(FailureKind::Other, message).with_source(error)
}

impl Gate {
    /// Starts a gate; none if there is nothing to check and no proxy to pass requests to. `reached` is told the address
    /// of each host that is connected to.
    pub(crate) fn start(
        settings: &HttpSettings,
        reached: impl Fn(&Url, IpAddr) + Send + Sync + 'static,
    ) -> Result<Option<Gate>, DriverError> {
        let proxies = Proxies::of_settings(settings)?;
        let free = settings.allow_private;
        if free && proxies.is_empty() && settings.resolve.is_empty() {
            return Ok(None);
        }
        let tls = http::tls().map_err(|error| {
            let message = format!("the browser's way to the network cannot be set up: {error}");
            DriverError::new(FailureKind::Other, message).with_source(error)
        })?;
        let inner = Arc::new(Inner {
            table: settings.resolve.clone(),
            proxies,
            tls: TlsConnector::from(Arc::new(tls)),
            free,
            zones: Mutex::default(),
            troubles: Mutex::default(),
            own: Mutex::default(),
            reached: Box::new(reached),
            connections: AtomicUsize::new(0),
        });
        let (public, private) = (listen().map_err(failed)?, listen().map_err(failed)?);
        let addresses = [&public, &private].map(TcpListener::local_addr);
        let [at_public, at_private] = addresses;
        let (at_public, at_private) = (at_public.map_err(failed)?, at_private.map_err(failed)?);
        lock(&inner.own).extend([at_public.port(), at_private.port()]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = Arc::clone(&inner);
        let run = move || {
            runtime.block_on(async {
                for (listener, zone) in [(public, Zone::Public), (private, Zone::Private)] {
                    if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                        tokio::spawn(serve::accept(listener, zone, Arc::clone(&serving)));
                    }
                }
                // An error means that the gate was dropped.
                let _ = stopped.await;
            });
            // A pending name lookup must not delay the end.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("gate".to_owned());
        thread.spawn(run).map_err(failed)?;
        Ok(Some(Gate {
            inner,
            public: at_public,
            private: at_private,
            handle,
            stop: Mutex::new(Some(stop)),
        }))
    }

    /// Closes the doors and all connections.
    pub(crate) fn end(&self) {
        drop(lock(&self.stop).take());
    }

    /// The address of a door.
    pub(crate) fn door(&self, zone: Zone) -> SocketAddr {
        match zone {
            Zone::Public => self.public,
            Zone::Private => self.private,
        }
    }

    /// Are private addresses allowed for all pages? Then one door is enough, the private one.
    pub(crate) fn is_free(&self) -> bool {
        self.inner.free
    }

    /// A port of this machine that no page may reach.
    pub(crate) fn close_port(&self, port: u16) {
        lock(&self.inner.own).insert(port);
    }

    /// Where the host of an address is; looks its name up.
    pub(crate) fn zone(&self, url: &Url, deadline: Instant) -> Result<Zone, Why> {
        let (sender, answer) = mpsc::channel();
        self.zone_then(url, move |zone| {
            let _ = sender.send(zone);
        });
        let time = deadline.saturating_duration_since(Instant::now());
        answer.recv_timeout(time).unwrap_or(Err(Why::Late))
    }

    /// The same for callers that must not wait: `then` is called at once if the answer is known, or else from the
    /// gate's thread.
    pub(crate) fn zone_then(&self, url: &Url, then: impl FnOnce(Result<Zone, Why>) + Send + 'static) {
        if let Some(zone) = self.known(url) {
            return then(Ok(zone));
        }
        let (inner, url) = (Arc::clone(&self.inner), url.clone());
        self.handle.spawn(async move { then(inner.zone(&url).await) });
    }

    /// Where the host of an address is, if that is known.
    pub(crate) fn known(&self, url: &Url) -> Option<Zone> {
        self.inner.known(url)
    }

    /// Why the last request to the host and port of this address failed, if it did.
    pub(crate) fn trouble(&self, url: &Url) -> Option<Why> {
        lock(&self.inner.troubles).get(&key(url)?).cloned()
    }
}

fn listen() -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn key(url: &Url) -> Option<(String, u16)> {
    Some((url.host_str()?.to_owned(), url.port_or_known_default()?))
}

/// How long a name lookup may take.
const LOOKUP: Duration = Duration::from_secs(20);

impl Inner {
    /// The zone of a host, if no lookup is needed.
    fn known(&self, url: &Url) -> Option<Zone> {
        match address::written(url) {
            Written::Private => Some(Zone::Private),
            Written::Public => Some(Zone::Public),
            // Its name is looked up by the proxy.
            Written::Name if self.proxies.of(url).is_some() => Some(Zone::Public),
            Written::Name => lock(&self.zones).get(url.host_str()?).copied(),
        }
    }

    async fn zone(&self, url: &Url) -> Result<Zone, Why> {
        match self.known(url) {
            Some(zone) => Ok(zone),
            None => {
                let found = self.look_up(url).await?;
                Ok(self.remember(url, &found, true))
            }
        }
    }

    /// The zone of a name with these addresses: the one that it has had, or else the one of its addresses, which is
    /// kept if asked for.
    fn remember(&self, url: &Url, found: &[SocketAddr], keep: bool) -> Zone {
        let zone = match found.iter().all(|at| address::is_private(at.ip())) {
            true => Zone::Private,
            false => Zone::Public,
        };
        let mut zones = lock(&self.zones);
        let host = url.host_str().unwrap_or("");
        match zones.get(host) {
            Some(zone) => *zone,
            None => {
                if keep && zones.len() < MOST_NAMES {
                    zones.insert(host.to_owned(), zone);
                }
                zone
            }
        }
    }

    /// The addresses of a host; at least one.
    async fn look_up(&self, url: &Url) -> Result<Vec<SocketAddr>, Why> {
        let port = url.port_or_known_default().unwrap_or(0);
        let name = match url.host() {
            Some(url::Host::Ipv4(v4)) => return Ok(vec![SocketAddr::new(v4.into(), port)]),
            Some(url::Host::Ipv6(v6)) => return Ok(vec![SocketAddr::new(v6.into(), port)]),
            Some(url::Host::Domain(name)) => name,
            None => return Err(Why::NoHost),
        };
        if let Some(address) = self.table.get(name) {
            return Ok(vec![SocketAddr::new(*address, port)]);
        }
        // These names never leave the machine, whatever a name server says.
        if address::is_localhost(name) {
            let loopback = [
                IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
            ];
            return Ok(loopback.map(|address| SocketAddr::new(address, port)).into());
        }
        let found = tokio::time::timeout(LOOKUP, tokio::net::lookup_host((name, port))).await;
        match found {
            Ok(Ok(found)) => Some(found.collect::<Vec<_>>())
                .filter(|found| !found.is_empty())
                .ok_or(Why::NoHost),
            Ok(Err(_)) => Err(Why::NoHost),
            Err(_) => Err(Why::Late),
        }
    }

    /// The addresses that a request from this door may be connected to.
    async fn allowed(&self, url: &Url, door: Zone) -> Result<Vec<SocketAddr>, Why> {
        if !self.free && door == Zone::Public && address::written(url) == Written::Private {
            return Err(Why::Private);
        }
        let mut found = self.look_up(url).await?;
        let zone = match address::written(url) {
            // At the public door only public addresses are used in any case, and a hostile page can make up any number
            // of names, which must not displace others.
            Written::Name => self.remember(url, &found, door == Zone::Private),
            Written::Private => Zone::Private,
            Written::Public => Zone::Public,
        };
        if !self.free {
            let zone_of = |at: &SocketAddr| match address::is_private(at.ip()) {
                true => Zone::Private,
                false => Zone::Public,
            };
            found.retain(|at| zone_of(at) == zone);
            if door == Zone::Public {
                found.retain(|at| zone_of(at) == Zone::Public);
            }
            if found.is_empty() {
                return Err(match (door, zone) {
                    (Zone::Private, _) => Why::Moved,
                    (Zone::Public, _) => Why::Private,
                });
            }
        }
        let own = lock(&self.own);
        let is_own = |at: &SocketAddr| {
            let ip = at.ip().to_canonical();
            (ip.is_loopback() || ip.is_unspecified()) && own.contains(&at.port())
        };
        match found.iter().any(is_own) {
            true => Err(Why::Own),
            false => Ok(found),
        }
    }

    fn note(&self, url: &Url, why: Option<&Why>) {
        let Some(key) = key(url) else { return };
        let mut troubles = lock(&self.troubles);
        match why {
            Some(why) => {
                if troubles.len() >= MOST_NAMES {
                    troubles.clear();
                }
                troubles.insert(key, why.clone());
            }
            None => {
                troubles.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests;

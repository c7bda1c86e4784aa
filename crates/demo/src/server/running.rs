//! Accepting connections, and stopping.
//!
//! One thread accepts; each connection has its own thread. Stopping must wake all of them with `std` alone: a flag says
//! that the server stops, a connection to ourselves wakes the accepting thread, and closing the open sockets wakes the
//! threads that read or write. Sleeping threads wait on the condition variable.

use super::connection;
use super::{Limits, Site};
use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long stopping waits for answers in progress.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves a site with the default limits. Port 0 takes any free port.
///
/// # Errors
///
/// The server cannot listen on the address: it is taken, or not an address of this machine.
pub fn start(address: impl ToSocketAddrs, site: impl Site) -> io::Result<Running> {
    start_with(address, site, Limits::default())
}

/// Serves a site.
///
/// # Errors
///
/// As for [`start`].
pub fn start_with(address: impl ToSocketAddrs, site: impl Site, limits: Limits) -> io::Result<Running> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let shared = Arc::new(Shared {
        site: Box::new(site),
        limits,
        state: Mutex::default(),
        changed: Condvar::new(),
    });
    let acceptor = thread::Builder::new().name("accept".to_owned()).spawn({
        let shared = Arc::clone(&shared);
        move || accept(&listener, &shared)
    })?;
    Ok(Running {
        address,
        shared,
        acceptor: Some(acceptor),
    })
}

/// A server at work. It stops when this is dropped.
pub struct Running {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of its first page, with a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.stop();
        // Not every system can connect to the address that means "all addresses"; loopback always works.
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        // If this fails, there are others in the queue, and one of them wakes the thread.
        let _ = TcpStream::connect_timeout(&SocketAddr::new(ip, self.address.port()), Duration::from_secs(1));
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        self.shared.wait_for_end();
    }
}

/// What the threads of a server share.
pub(super) struct Shared {
    pub(super) site: Box<dyn Site>,
    pub(super) limits: Limits,
    state: Mutex<State>,
    /// Signals that a connection ended or the server stops.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stopping: bool,
    /// Does a client wait for a connection to end?
    crowded: bool,
    /// The open connections, in order of arrival.
    open: BTreeMap<u64, TcpStream>,
    next: u64,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Should connections be closed rather than kept for a next request?
    pub(super) fn wants_room(&self) -> bool {
        let state = self.state();
        state.crowded || state.stopping
    }

    /// Sleeps; false if the server stopped meanwhile.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        let (state, _) = self
            .changed
            .wait_timeout_while(self.state(), time, |state| !state.stopping)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopping
    }

    fn stop(&self) {
        let mut state = self.state();
        state.stopping = true;
        for stream in state.open.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.changed.notify_all();
    }

    fn wait_for_end(&self) {
        let end = Instant::now() + PATIENCE;
        let mut state = self.state();
        while !state.open.is_empty() {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return;
            };
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for a free place and adds a connection; none if the server stopped or the system has no handle left.
    fn admit(&self, stream: &TcpStream) -> Option<u64> {
        let mut state = self.state();
        while !state.stopping && state.open.len() >= self.limits.connections.max(1) {
            state.crowded = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.crowded = false;
        if state.stopping {
            return None;
        }
        let id = state.next;
        state.next += 1;
        state.open.insert(id, stream.try_clone().ok()?);
        Some(id)
    }
}

/// Removes a connection from the list, however its thread ends.
struct Seat<'s> {
    shared: &'s Shared,
    id: u64,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.shared.state().open.remove(&self.id);
        self.shared.changed.notify_all();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // No handle left, or the client left the queue.
            if !shared.sleep(Duration::from_millis(10)) {
                return;
            }
            continue;
        };
        if !shared.sleep(Duration::ZERO) {
            return;
        }
        let Some(id) = shared.admit(&stream) else {
            continue;
        };
        let spawned = thread::Builder::new().name("connection".to_owned()).spawn({
            let shared = Arc::clone(shared);
            move || {
                let _seat = Seat { shared: &shared, id };
                // Moved, so that it is closed before its place is free.
                let stream = stream;
                connection::serve(&stream, &shared);
            }
        });
        if spawned.is_err() {
            drop(Seat { shared, id });
        }
    }
}

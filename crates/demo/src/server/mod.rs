//! An HTTP/1.1 server for tests, benches and the demo.
//!
//! All three need a server that is small enough to read, fast enough not to distort measurements, and able to misbehave
//! on request. So it is blocking, with a thread for each connection: for the few dozen connections of a crawler this is
//! as fast as an asynchronous server, and a [`Site`] is a plain function from a [`Request`] to an [`Answer`]. The price
//! is that it does not scale to thousands of connections; their number is limited ([`Limits::connections`]), and
//! further connections wait in the kernel's queue.
//!
//! Input is hostile until parsed: the head, the number of headers, the body and the time of a request are limited, and
//! a request that breaks a rule gets a status that names the rule. Each response is one `write`, with Nagle's algorithm
//! off.
//!
//! Left out because it is not needed: TLS, HTTP/2, chunked requests (501), ranges, compression, `Expect`.
//!
//! ```
//! use demo::server::{self, Answer, Request, Response};
//!
//! let running = server::start("127.0.0.1:0", |request: &Request| -> Answer {
//!     Response::text(format!("you asked for {}", request.path)).into()
//! })?;
//! assert!(running.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod codec;
mod connection;
mod request;
mod running;

pub use answer::{Answer, Response};
pub use codec::{encode, pairs, percent_decode};
pub use request::Request;
pub use running::{Running, start, start_with};

use std::time::Duration;

/// What a server serves.
///
/// It is called from many threads. If it panics, its connection is dropped and the server continues.
pub trait Site: Send + Sync + 'static {
    /// The answer to a request. For `HEAD`, answer as for `GET`: the server leaves the body out.
    fn answer(&self, request: &Request) -> Answer;
}

impl<F: Fn(&Request) -> Answer + Send + Sync + 'static> Site for F {
    fn answer(&self, request: &Request) -> Answer {
        self(request)
    }
}

/// Limits on clients.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request before its body.
    pub head: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// How long a connection may be silent; only one second while others wait for its place.
    pub idle: Duration,
    /// How long a request may take to arrive, and how long a client may stop reading a response.
    pub request: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head: 16 << 10,
            headers: 100,
            body: 1 << 20,
            connections: 256,
            idle: Duration::from_secs(15),
            request: Duration::from_secs(30),
        }
    }
}

//! An HTTP/1.1 server for tests, benches and the demo.
//!
//! It exists because those three want the same odd thing: a server that is small enough to read, fast enough not to be
//! what is measured, and able to misbehave on request. So it is blocking, with a thread for each connection: at the few
//! dozen connections that a crawler opens this is as fast as anything asynchronous, and a [`Site`] is a plain function
//! from a [`Request`] to an [`Answer`]. The price is that it does not scale to thousands of connections at once; their
//! number is bounded ([`Limits::connections`]), and whoever comes later waits in the kernel's queue.
//!
//! What arrives is hostile until parsed: the head, the number of headers, the body and the time that a request may take
//! are limited, and what breaks a rule is answered with a status that names it. What is sent is one `write` for each
//! response, with Nagle's algorithm off.
//!
//! Not here, because nobody needs it: TLS, HTTP/2, chunked requests (501), ranges, compression, `Expect`.
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
/// It is called from many threads at once. If it panics, its connection is dropped and the server goes on.
pub trait Site: Send + Sync + 'static {
    /// The answer to a request. For `HEAD`, answer as for `GET`: the server leaves the body out.
    fn answer(&self, request: &Request) -> Answer;
}

impl<F: Fn(&Request) -> Answer + Send + Sync + 'static> Site for F {
    fn answer(&self, request: &Request) -> Answer {
        self(request)
    }
}

/// What a client may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request before its body.
    pub head: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// Connections that are served at once.
    pub connections: usize,
    /// How long a connection may be silent; a second, while others wait for its place.
    pub idle: Duration,
    /// How long a request may take to arrive, and how long a client may take nothing of a response.
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

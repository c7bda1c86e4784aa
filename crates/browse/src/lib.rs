//! Drivers: pages over plain HTTP, from a recording or from memory, with links, forms and cookies.
//!
//! ```text
//! Action ──act──▶ stays on the page, with other field values
//!            └──▶ Request ──web──▶ redirects, cookies ──carry──▶ cache, robots.txt, turns, retries ──▶ Fetch
//!                                                                                                  │
//! Live ◀──page── Response ◀────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! What a click means without scripts is a fact about the page, so it is a pure function (`act`); what happens to a
//! request on its way is the same for every transport, so [`Web`] does it once over the small trait [`Fetch`]; what is
//! left for a transport is to answer one request. [`Http`] does so over the network, [`Memory`] from a table, [`Archive`]
//! from a file that [`Web::recorded`] wrote.
//!
//! Scripts do not run here. What only a script could do is refused with
//! [`FailureKind::NeedsBrowser`](page::driver::FailureKind) rather than passed over, because an expression that goes on
//! from the wrong page extracts the wrong records.

mod act;
mod address;
mod archive;
mod cache;
mod carry;
mod cookies;
mod encode;
mod fetch;
mod http;
mod login;
mod memory;
mod message;
mod polite;
mod proxy;
mod refresh;
mod retry;
mod robots;
mod settings;
mod stats;
mod unpack;
pub mod warc;
mod web;

pub use archive::{Archive, Tape, TapeError};
pub use fetch::{Body, Budget, Fetch, Method, Request, Response};
pub use http::{Http, Wire};
pub use memory::{Memory, Pages};
pub use message::{BodyError, Message};
pub use settings::Settings;
pub use stats::Stats;
pub use web::{Fetched, Web, charset};

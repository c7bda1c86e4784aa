//! Drivers: pages over plain HTTP, from a recording or from memory, with links, forms and cookies.
//!
//! ```text
//! Action ──act──▶ stays on the page, with other field values
//!            └──▶ Request ──web──▶ redirects, cookies ──carry──▶ cache, robots.txt, turns, retries ──▶ Fetch
//!                                                                                                  │
//! Live ◀──page── Response ◀────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! What a click does without scripts depends on the page alone, so it is a pure function (`act`). Cookies, redirects,
//! robots.txt and retries are the same for every transport, so [`Web`] handles them once, over the small trait
//! [`Fetch`]. A transport only answers one request: [`Http`] over the network, [`Memory`] from a table, [`Archive`]
//! from a file that [`Web::recorded`] wrote.
//!
//! These drivers run no scripts. An action that needs a script is refused with
//! [`FailureKind::NeedsBrowser`](page::driver::FailureKind) rather than ignored, because an expression that continues
//! from the wrong page extracts the wrong records.

mod act;
mod address;
mod archive;
mod cache;
mod carry;
#[cfg(feature = "chromium")]
pub mod chromium;
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

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
//!
//! All drivers need the feature `http`. Without it, this crate reads WARC files ([`warc`], [`Message`]) and no more.

#[cfg(feature = "http")]
mod act;
#[cfg(feature = "http")]
mod address;
#[cfg(feature = "http")]
mod archive;
#[cfg(feature = "http")]
pub mod base64;
#[cfg(feature = "http")]
mod cache;
#[cfg(feature = "http")]
mod carry;
#[cfg(feature = "chromium")]
pub mod chromium;
#[cfg(feature = "http")]
mod cookies;
#[cfg(feature = "http")]
mod encode;
#[cfg(feature = "http")]
mod fetch;
#[cfg(feature = "chromium")]
mod gate;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod log;
#[cfg(feature = "http")]
mod login;
#[cfg(feature = "http")]
mod memory;
mod message;
#[cfg(feature = "http")]
pub mod pager;
#[cfg(feature = "http")]
mod polite;
#[cfg(feature = "http")]
mod proxy;
#[cfg(feature = "http")]
mod recording;
#[cfg(feature = "http")]
mod refresh;
#[cfg(feature = "http")]
mod retry;
#[cfg(feature = "http")]
mod robots;
#[cfg(feature = "http")]
mod settings;
#[cfg(feature = "http")]
mod stats;
#[cfg(feature = "http")]
mod unpack;
pub mod warc;
#[cfg(feature = "http")]
mod web;

#[cfg(feature = "http")]
pub use archive::{Archive, Tape, TapeError, fingerprint};
#[cfg(feature = "http")]
pub use cache::{in_hex, sha256};
#[cfg(feature = "http")]
pub use fetch::{Body, Budget, Fetch, Method, Request, Response};
#[cfg(feature = "http")]
pub use http::{Http, Wire};
#[cfg(feature = "http")]
pub use log::{Deed, Log, Step};
#[cfg(feature = "http")]
pub use memory::{Memory, Pages};
pub use message::{BodyError, Message, charset};
#[cfg(feature = "http")]
pub use polite::Turns;
#[cfg(feature = "http")]
pub use recording::{Answers, Kept, Moment, Packed, Recall, Recalled, Recording, recording_in};
#[cfg(feature = "http")]
pub use settings::HttpSettings;
#[cfg(feature = "http")]
pub use stats::Stats;
#[cfg(feature = "http")]
pub use web::{Fetched, Web};

//! Wrapwright: programs that turn the pages of a web site into records.
//!
//! This crate is the front door: it re-exports what users need and adds what touches the file system.
//!
//! ```
//! use wrapwright::{Page, Query, Value};
//!
//! let page = Page::parse(b"<ul><li>one<li>two</ul>", &Default::default())?;
//! let query = Query::compile("//li[last()]").expect("a valid expression");
//! let Value::Nodes(found) = query.evaluate(&page)? else { unreachable!("a path gives nodes") };
//! assert_eq!(page.string_value(found[0]), "two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All are on by default. Without any of them, this crate reads pages from files and WARC files, evaluates XPath, runs
//! OXPath over a [`Driver`] of your own, and extracts records with saved wrappers.
//!
//! | Feature | Adds |
//! |---|---|
//! | `http` | drivers for pages over HTTP, from recordings and from memory; saving pages |
//! | `chromium` | the driver for an installed Chromium; implies `http` |
//! | `learn` | making wrappers, checking and repairing them |
//! | `history` | the history of a watched wrapper, in an SQLite file; implies `learn` |

mod archived;
#[cfg(feature = "http")]
pub mod config;
#[cfg(feature = "http")]
mod errand;
pub mod extract;
#[cfg(feature = "history")]
pub mod history;
pub mod input;
mod local;
#[cfg(feature = "learn")]
pub mod make;
mod manifest;
mod parallel;
#[cfg(feature = "http")]
pub mod save;
#[cfg(feature = "http")]
pub mod session;
pub mod show;
mod table;
pub mod template;
#[cfg(feature = "learn")]
pub mod tend;
pub mod whole;

pub use local::Local;
#[cfg(feature = "learn")]
pub use make::infer;
pub use oxpath::css;
pub use oxpath::run::{Ended, Failure, Progress, RunOptions, RunSummary, Script, Stop, Tail, Workers};
pub use oxpath::syntax::free_variables;
pub use oxpath::{CompileError, EvalError, Query, Value, diag, number_to_string};
pub use page::driver::{
    Action, Again, Driver, DriverError, FailureKind, Field, Fields, Foresight, Live, Options, Outcome,
};
pub use page::{
    Document, Job, Kind, Limit, LimitError, Limits, NodeId, Page, ParseSettings, Paths, Remedy, decode, is_charset, job,
};
pub use parallel::map_in_order;
pub use record::{self, Record, RecordType, Sink, SinkSpec};
#[cfg(feature = "http")]
pub use session::{Session, SessionSettings};
pub use table::{Table, TableError};
pub use whole::{replace_wrapper, save_wrapper};
pub use wrapper::{self, Wrapper, profile, rule, schema};

/// Learners: wrappers from pages.
#[cfg(feature = "learn")]
pub use learn;

/// Drivers: how pages are had and acted on.
pub mod drivers {
    #[cfg(feature = "chromium")]
    pub use browse::chromium::{Chromium, Setup};
    #[cfg(feature = "http")]
    pub use browse::{Archive, Tape, TapeError};
    #[cfg(feature = "http")]
    pub use browse::{Budget, Fetch, Fetched, Http, HttpSettings, Memory, Method, Request, Response, Stats, Web, Wire};
    pub use browse::{charset, warc};
}

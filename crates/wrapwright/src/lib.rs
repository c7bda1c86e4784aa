//! Wrapwright: programs that turn the pages of a web site into records.
//!
//! This crate is the library behind every door: the command line, and whatever else makes, runs or repairs wrappers. Three
//! calls are the common path. [`infer`] makes a wrapper from pages, [`Wrapper::open`] and [`Wrapper::extract`] use a saved one:
//!
//! ```
//! use wrapwright::make::InferSettings;
//! use wrapwright::{Document, Job, Limits, Page, Wrapper};
//!
//! let page = |title: &str, price: &str| -> Result<Document, Box<dyn std::error::Error>> {
//!     let html = format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>");
//!     Ok(Document::new(title, Page::parse_str(&html, &Limits::default())?))
//! };
//! let pages = [page("Kelp", "7.25")?, page("Rope Work", "11.00")?, page("Tides", "9.50")?];
//! let inferred = wrapwright::infer(&pages, &InferSettings::default(), &Job::new())?;
//! # let folder = tempfile::tempdir()?;
//! let file = "shop.wrapper.json";
//! # let file = folder.path().join(file);
//! wrapwright::save_wrapper(file.as_ref(), &inferred.wrapper)?;
//!
//! let records = Wrapper::open(file)?.extract(&page("Salt and Ledger", "3.00")?)?;
//! assert_eq!(records[0].get("price"), Some("3.00"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Session`] runs OXPath expressions, which navigate and extract, and gives their records as an iterator:
//!
//! ```
//! use wrapwright::{Script, Session, SessionSettings, Value};
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("shelf.html").display().to_string();
//! # std::fs::write(&file, "<ul><li>Kelp<li>Tides</ul>")?;
//!
//! // A file or an address with `<ul><li>Kelp<li>Tides</ul>`.
//! let shelf = ("shelf", Value::String(file));
//! let script = Script::compile("doc($shelf)//li:<book>[.:<title=string(.)>]", &[shelf])?;
//! let mut session = Session::http(&SessionSettings::default())?;
//! let titles: Result<Vec<String>, _> = session
//!     .run(&script)?
//!     .map(|record| record.map(|record| record.get("title").unwrap_or_default().to_owned()))
//!     .collect();
//! assert_eq!(titles?, ["Kelp", "Tides"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Below that, a [`Page`] answers XPath:
//!
//! ```
//! use wrapwright::{Page, Query, Value};
//!
//! let page = Page::parse(b"<ul><li>one<li>two</ul>", &Default::default())?;
//! let query = Query::compile("//li[last()]")?;
//! let Value::Nodes(found) = query.evaluate(&page)? else { unreachable!("a path gives nodes") };
//! assert_eq!(page.string_value(found[0]), "two");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All but `columnar` are on by default. Without any of them, this crate reads pages from files and WARC files, evaluates XPath, runs
//! OXPath over a [`Driver`] of your own, and extracts records with saved wrappers.
//!
//! | Feature | Adds |
//! |---|---|
//! | `http` | drivers for pages over HTTP, from recordings and from memory; saving pages |
//! | `chromium` | the driver for an installed Chromium; implies `http` |
//! | `learn` | making wrappers, checking and repairing them |
//! | `history` | the history of a watched wrapper, in an SQLite file; implies `learn` |
//! | `runs` | runs that go on after they were killed; implies `http` |
//! | `columnar` | pages from Arrow batches; records in Parquet files, Arrow streams, SQLite and PostgreSQL; or one of them: `parquet`, `sqlite`, `postgres` |

mod archived;
pub mod batch;
pub mod bounded;
mod clip;
#[cfg(feature = "parquet")]
pub mod columns;
#[cfg(feature = "http")]
pub mod config;
#[cfg(feature = "http")]
pub mod crawl;
#[cfg(feature = "http")]
pub mod details;
#[cfg(feature = "http")]
pub mod download;
#[cfg(feature = "http")]
mod errand;
pub mod extract;
#[cfg(feature = "learn")]
pub mod fields;
#[cfg(feature = "http")]
pub mod frontier;
#[cfg(feature = "history")]
pub mod history;
pub mod input;
mod local;
#[cfg(feature = "learn")]
pub mod make;
mod manifest;
pub mod output;
#[cfg(feature = "http")]
pub mod pager;
mod parallel;
#[cfg(feature = "runs")]
pub mod runs;
#[cfg(feature = "http")]
pub mod sample;
#[cfg(feature = "http")]
pub mod save;
#[cfg(feature = "http")]
pub mod session;
pub mod shard;
pub mod show;
pub mod source;
mod table;
pub mod template;
#[cfg(feature = "learn")]
pub mod tend;
#[cfg(feature = "http")]
pub mod trial;
#[cfg(feature = "http")]
pub mod visit;
pub mod whole;

pub use local::Local;
#[cfg(feature = "learn")]
pub use make::infer;
pub use oxpath::css;
pub use oxpath::run::{Ended, Failure, LackingField, Progress, RunOptions, RunSummary, Script, Stop, Tail, Workers};
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
pub use shard::Shard;
pub use table::{Table, TableError};
pub use whole::{replace_wrapper, save_wrapper};
pub use wrapper::{self, Wrapper, profile, rule, schema};

/// Learners: wrappers from pages.
#[cfg(feature = "learn")]
pub use learn;

/// Records as Arrow record batches in memory.
#[cfg(feature = "parquet")]
pub use columnar::Batches;

/// Drivers: how pages are had and acted on.
pub mod drivers {
    #[cfg(feature = "http")]
    pub use browse::base64;
    #[cfg(feature = "chromium")]
    pub use browse::chromium::{Chromium, Patience, Setup};
    #[cfg(feature = "http")]
    pub use browse::{Archive, Deed, Log, Recall, Recalled, Recording, Step, Tape, TapeError};
    #[cfg(feature = "http")]
    pub use browse::{Budget, Fetch, Fetched, Http, HttpSettings, Memory, Method, Request, Response, Stats, Web, Wire};
    pub use browse::{charset, warc};
}

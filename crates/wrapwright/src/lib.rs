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

mod archived;
mod errand;
pub mod history;
pub mod input;
mod local;
mod manifest;
mod parallel;
mod runs;
pub mod save;
mod table;
pub mod template;

pub use local::Local;
pub use oxpath::css;
pub use oxpath::run::{Ended, Failure, Outline, Progress, Record, RunOptions, RunSummary, Script, Stop, Tail, Workers};
pub use oxpath::syntax::free_variables;
pub use oxpath::{EvalError, Query, Value, diag, number_to_string};
pub use page::driver::{Driver, DriverError, FailureKind, Live};
pub use page::{Document, Kind, Limit, LimitError, Limits, NodeId, Page, Paths, Remedy, Settings, decode, is_charset};
pub use parallel::map_in_order;
pub use runs::{Watch, run_all};
pub use table::{Table, TableError};
pub use wrapper::{artifact, model, profile, rule, schema, sink};

/// Learners: wrappers from pages.
pub use learn;
/// Wrappers that are kept alive: check and repair.
pub use tend;

/// Drivers: how pages are had and acted on.
pub mod drivers {
    #[cfg(feature = "chromium")]
    pub use browse::chromium::{Chromium, Setup};
    pub use browse::warc;
    pub use browse::{Archive, Tape, TapeError};
    pub use browse::{
        Budget, Fetch, Fetched, Http, Memory, Method, Request, Response, Settings, Stats, Web, Wire, charset,
    };
}

//! Wrapwright for Python: conversions between Python's values and the library's, and errors in Python's words.
//!
//! There is no logic here. What reads pages, makes, runs and repairs wrappers is in the crate `wrapwright`; what only
//! arranges Python's own objects (data frames, notebooks, Scrapy) is in the package `wrapwright` beside this crate.
//!
//! Python's lock is released around everything that takes time, so threads run side by side. Long work runs on a thread of
//! its own while the caller's thread looks for signals (`wait`): Ctrl-C ends it within a tenth of a second or as soon as
//! the work looks at its job. Objects are immutable, but for `Records`, which is an iterator and can be used by
//! one thread at a time.

mod arrow_in;
mod arrow_out;
mod errors;
mod inputs;
mod make;
mod net;
mod nodes;
mod page;
mod records;
mod remedy;
mod run;
mod tables;
mod tend;
mod values;
mod wait;
mod wrapper;
mod xpath;

use mimalloc::MiMalloc;
use pyo3::prelude::*;
use std::ffi::OsString;

/// As in the program; Python's own objects are not concerned.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The part of the package that is written in Rust.
#[pymodule]
mod _wrapwright {
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::make::{infer, learn, sources};
    #[pymodule_export]
    use super::nodes::{Node, Nodes};
    #[pymodule_export]
    use super::page::Page;
    #[pymodule_export]
    use super::records::{Records, RecordsIterator};
    #[pymodule_export]
    use super::run::run;
    #[pymodule_export]
    use super::tables::{Table, warc, warc_columns};
    #[pymodule_export]
    use super::wrapper::Wrapper;
    #[pymodule_export]
    use super::xpath::{XPath, compile, css_to_xpath};
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// Runs the command line with these arguments, the first of which is the name of the program; gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| wrapwright_cli::main(arguments))
}

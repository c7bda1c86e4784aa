//! Makes rules from pages: from values on them, or from the pages alone.
//!
//! | from | module | rule |
//! |---|---|---|
//! | all values on some pages | [`learn_best`], [`learn`] | delimiters |
//! | the values of a few records | [`guided`] | paths |
//! | programs that recognize values | [`label`] | delimiters |
//! | pages alone | [`infer`], [`exalg`] | landmarks, template |
//! | one page alone | [`regions`] | paths |
//!
//! This crate does no I/O, and nothing is left to chance: the same pages give the same rule.
//!
//! ```
//! use learn::guided::{Lesson, Wanted, learn_guided};
//! use page::{Job, Limits, Page};
//! use wrapper::rule::paths::PathsRun;
//!
//! let page = Page::parse_str("<h1>Kelp</h1><p>Price: <b>7.25</b></p>", &Limits::default())?;
//! let price = Wanted { name: "price".to_owned(), many: false };
//! let lesson = Lesson { name: "a.html", page: &page, records: vec![vec![vec!["7.25".to_owned()]]] };
//! let taught = learn_guided(&[price], &[lesson], false, &Job::new())?;
//!
//! let other = Page::parse_str("<h1>Tides</h1><p>Price: <b>9.50</b></p>", &Limits::default())?;
//! let found = PathsRun::new(&taught.rule)?.page(&other);
//! assert_eq!(found[0].values[0].text, "9.50");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auto;
pub mod choose;
pub mod exalg;
mod example;
pub mod guided;
mod induce;
pub mod infer;
pub mod label;
mod naming;
pub mod regions;
mod soft;
pub mod tables;

pub use auto::{DelimiterSettings, Learned, learn_best, pac_bound};
pub use example::{Example, LabelError, check_labels};
pub use induce::{Allow, Cause, Impossible, Prefer, gives, learn};

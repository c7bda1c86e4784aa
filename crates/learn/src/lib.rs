//! Learns wrappers from pages.
//!
//! [`learn`] is the exact learner of one class of delimiter wrappers. Nothing here does I/O, and nothing is left to chance.

mod example;
mod induce;
pub mod infer;

pub use example::{Example, LabelError, check_labels};
pub use induce::{Cause, Impossible, Prefer, gives, learn};

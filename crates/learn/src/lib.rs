//! Learns wrappers from pages.
//!
//! [`learn`] is the exact learner of one class of delimiter wrappers. Nothing here does I/O, and nothing is left to chance.

mod auto;
pub mod choose;
pub mod exalg;
mod example;
pub mod guided;
mod induce;
pub mod infer;
pub mod label;
mod soft;

pub use auto::{DelimiterSettings, Learned, learn_best, pac_bound};
pub use example::{Example, LabelError, check_labels};
pub use induce::{Allow, Cause, Impossible, Prefer, gives, learn};

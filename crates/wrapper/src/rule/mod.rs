//! Rules that cut records out of pages: what learners make and `extract` runs.

pub mod delimiter;
mod execute;
pub mod guided;
pub mod landmark;
mod loose;
pub mod template;

pub use delimiter::{Class, Delimiters, Edges, Left, RuleError};
pub use execute::{End, Extraction, Found, Program};
pub use loose::Loosened;

//! Rules that cut records out of pages: what learners make and `extract` runs.

pub(crate) mod assemble;
pub mod delimiter;
mod event;
mod execute;
pub mod landmark;
mod loose;
pub mod paths;
pub mod template;

pub use delimiter::{Class, Delimiters, Edges, Left, RuleError};
pub use event::Event;
pub use execute::{End, Extraction, Found, Program};
pub use loose::Loosened;

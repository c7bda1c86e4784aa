//! Rules that find records on pages: learners make them and `extract` runs them.

pub(crate) mod absolute;
pub(crate) mod assemble;
pub mod delimiter;
mod event;
mod execute;
pub mod landmark;
mod loose;
pub mod paths;
pub mod template;
mod translate;

pub use delimiter::{Class, Delimiters, Edges, Left, RuleError};
pub use event::Event;
pub use execute::{End, Extraction, Found, Program};
pub use loose::Loosened;
pub use translate::Translation;

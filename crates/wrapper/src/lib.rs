//! What wrappers are, what they give, and the forms both are written in.
//!
//! Nothing here opens files: sinks take a [`Write`](std::io::Write), artifacts are text.

pub mod artifact;
pub mod model;
pub mod profile;
mod record;
pub mod rule;
pub mod schema;
pub mod sink;

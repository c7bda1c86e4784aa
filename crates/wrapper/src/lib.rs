//! What wrappers give, and the forms it is written in.
//!
//! Nothing here opens files: sinks take a [`Write`](std::io::Write).

pub mod sink;

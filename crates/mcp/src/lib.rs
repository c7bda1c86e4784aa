//! Wrappers as tools of the Model Context Protocol, over standard input and output.
//!
//! *Idea.* A program that speaks the protocol gets six tools: infer, fields, learn, extract, check, repair. Each is one call of
//! the library, as the commands of the same names are. Messages are JSON-RPC 2.0, a line each. The protocol that tools need is
//! four methods, so it is written here, over `serde_json`; the crate `rmcp` would bring an async runtime, macros and a hundred
//! thousand lines to build for the same four.
//!
//! *Limits*, so that a caller neither breaks out nor is flooded:
//!
//! - Files are read and written below one directory, which is given at start. Names are resolved before they are compared, so
//!   `..`, absolute names and symbolic links do not lead out ([`Root`]). There is no network.
//! - A result has at most [`MOST_TEXT`] characters; more is cut, and the result says so. Records can go to a file.
//! - A call has at most `MOST_PAGES` pages, a page `MOST_PAGE_BYTES` bytes; a call that takes longer than `LONGEST_CALL`
//!   is stopped. A message has at most [`LONGEST_MESSAGE`] bytes.
//! - What comes from pages is between two lines that it cannot contain, and is said to be data.
//!
//! *Known failures*: somebody else who changes the directory while a call runs can put a link where a file was. A call cannot be
//! cancelled by a message, because calls are worked on one after the other.

mod confine;
mod protocol;
mod tools;

pub use confine::{Refused, Root};
pub use protocol::{LONGEST_MESSAGE, serve};
pub use tools::MOST_TEXT;

//! The script that we run in pages, see `world.js`.

/// Creates our world in a document, if it is not there yet.
pub(super) const SCRIPT: &str = include_str!("world.js");

//! The script that we run in pages, see `world.js`.

/// Makes our world in a document; does nothing where it is already.
pub(super) const SCRIPT: &str = include_str!("world.js");

//! Whole files, and standard output where no file is named.

use crate::terminal;
use anyhow::Context;
use std::io;
use std::path::Path;
pub(crate) use wrapwright::whole::Pieces;

/// Writes a whole file, or to standard output where there is no target.
pub(crate) fn write_or_print(target: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match target {
        Some(file) => write(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display())),
        None => terminal::print(text),
    }
}

/// Writes a whole file.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    wrapwright::whole::write(target, bytes)
}

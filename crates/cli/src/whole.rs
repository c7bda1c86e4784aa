//! Whole files, and standard output where no file is named.

use anyhow::Context;
use std::io::{self, Write as _};
use std::path::Path;
pub(crate) use wrapwright::whole::{Pieces, Whole};

/// Writes a whole file, or to standard output where there is no target.
pub(crate) fn write_or_print(target: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    match target {
        Some(file) => write(file, bytes).with_context(|| format!("cannot write {}", file.display())),
        None => io::stdout()
            .lock()
            .write_all(bytes)
            .context("cannot write to standard output"),
    }
}

/// Writes a whole file.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    wrapwright::whole::write(target, bytes)
}

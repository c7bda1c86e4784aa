//! How a test says that it cannot be made here, because data or a program is missing.
//!
//! The test harness hides what a passing test prints, so a test that returns early looks like one that passed.
//! [`skip`] writes to standard error past the harness, and appends the same line to the file that the variable
//! `WRAPWRIGHT_SKIPPED` names. `scripts/test` sets it, ends with a summary of that file, and fails in CI if there is one.

use std::fs::OpenOptions;
use std::io::{Write, stderr};

/// The variable that names the file of skipped tests.
pub const FILE: &str = "WRAPWRIGHT_SKIPPED";

/// Says that a test, or a part of it, is skipped and why.
///
/// # Panics
///
/// `WRAPWRIGHT_SKIPPED` names a file that cannot be written: the skip would be lost.
pub fn skip(test: &str, why: &str) {
    let line = format!("SKIPPED: {test}: {}\n", why.trim().replace('\n', " "));
    // A closed standard error is no reason to fail.
    let _ = stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os(FILE) {
        // In one write, so that lines of several processes do not mix.
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }
}

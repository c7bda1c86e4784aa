//! Expressions on pages with scripts, in a real Chromium. Without one the tests say so and pass.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod actions;
mod content;
mod runs;
mod stage;

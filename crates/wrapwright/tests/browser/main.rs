//! Expressions on pages with scripts, in a real Chromium. Without one the tests say so and pass.

mod actions;
mod content;
mod forms;
mod growing;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod net;
mod odd;
mod runs;
mod stage;
mod states;
mod visitor;
mod waits;

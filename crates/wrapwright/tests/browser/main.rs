//! Expressions on pages with scripts, in a real Chromium. Without one the tests say so and pass.

mod actions;
mod content;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod net;
mod odd;
mod growing;
mod runs;
mod stage;
mod states;

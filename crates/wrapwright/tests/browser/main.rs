//! Expressions on pages with scripts, in a real Chromium. Without one the tests say so and pass.

mod actions;
mod content;
mod forms;
mod growing;
#[cfg(target_os = "linux")]
mod inside;
mod model;
#[cfg(target_os = "linux")]
mod net;
mod odd;
#[path = "../../../oxpath/tests/run_oracle/oracle/mod.rs"]
mod oracle;
mod runs;
mod stage;
mod states;
mod visitor;
mod waits;

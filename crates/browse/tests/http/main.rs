//! The HTTP driver against real servers on loopback.

mod faults;
mod hostile;
mod inside;
mod pages;
mod rules;
mod server;

//! The HTTP driver against real servers on loopback.

mod faults;
mod inside;
mod pages;
mod rules;
mod server;

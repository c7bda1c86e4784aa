//! The studio in a real Chromium, and a little in Firefox: hostile pages, and whole journeys with mouse and keyboard.

#[path = "../common/mod.rs"]
mod common;
mod firefox;
mod hostile;
mod journeys;
mod lists;
mod pictures;
mod states;
mod tab;
mod views;
mod wire;

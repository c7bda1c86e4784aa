//! The studio in a real Chromium: hostile pages, and whole journeys with mouse and keyboard.

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod journeys;
mod lists;
mod pictures;
mod tab;
mod views;

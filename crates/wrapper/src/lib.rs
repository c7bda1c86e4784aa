//! Defines wrappers and runs them.
//!
//! A [`Wrapper`] consists of a [`Rule`] of one of five kinds, the type of the records it gives, and evidence: what it
//! was made from and what its values look like. [`Wrapper::runner`] makes it ready to run, and [`Runner::run`] gives
//! the records of a document. Every learner ends by calling [`Wrapper::made`]. [`mod@file`] defines how wrappers are
//! saved, [`schema`] reads the DTDs and JSON Schemas that users write, and [`profile`] describes values. A
//! [`Navigation`] says how the pages of a site are reached.
//!
//! This crate opens only one kind of file: wrappers, with [`Wrapper::open`].

pub mod file;
mod fit;
mod navigation;
pub mod profile;
pub mod rule;
pub mod schema;
mod wrapper;

pub use file::{
    Doubt, Evidence, OpenError, OpenProblem, Seen, VERSION, WrapperError, profiles_from_json, profiles_to_json,
};
pub use fit::Misfit;
pub use navigation::{Links, Navigation, Onward};
pub use wrapper::{Extracted, Given, Observer, Rule, Runner, Wrapper, hash};

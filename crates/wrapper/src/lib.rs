//! What a wrapper is and how it runs.
//!
//! A [`Wrapper`] is a [`Rule`] of one of five kinds, the type of the records it gives, and evidence: what it was made from and
//! what its values are like. [`Wrapper::runner`] makes it ready; [`Runner::run`] gives the records of a document.
//! [`Wrapper::made`] is how every learner ends. [`file`] is the form in which wrappers are saved, [`schema`] reads the DTDs
//! and JSON Schemas that users write, [`profile`] says what values are like.
//!
//! The only file that is opened here is a wrapper's own, by [`Wrapper::open`].

pub mod file;
pub mod profile;
pub mod rule;
pub mod schema;
mod wrapper;

pub use file::{Evidence, OpenError, OpenProblem, Seen, VERSION, WrapperError};
pub use wrapper::{Extracted, Given, Observer, Rule, Runner, Wrapper, hash};

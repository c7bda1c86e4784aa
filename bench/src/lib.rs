//! What the benches share: synthetic redesigns of pages ([`mutate`]), and what becomes of wrappers under them
//! ([`survival`]).

pub mod mutate;
pub mod survival;

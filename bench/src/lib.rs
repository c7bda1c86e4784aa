//! What the benches share: synthetic redesigns of pages ([`mutate`]), and how wrappers survive them ([`survival`]).

pub mod mutate;
pub mod survival;

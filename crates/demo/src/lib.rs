//! A small web to practise on.

pub mod server;

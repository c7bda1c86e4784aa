//! Labels: where the values of a page are, from what is known of them.

mod values;

pub use values::{PlaceError, Placing, Wanted, column_order, place};

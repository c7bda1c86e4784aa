//! Labels: where the values of a page are, from what is known of them.
//!
//! [`place_all`] finds given values; [`corroborate`](corroborate()) combines the finds of several [`Recognizer`]s, of which
//! all but one may make mistakes.

pub(crate) mod align;
mod built_in;
mod corroborate;
mod hypotheses;
mod occurrences;
mod recognize;
mod tags;
mod values;

pub use corroborate::{Corroborated, NotCorroborated, corroborate};
pub use hypotheses::{Column, Contradiction};
pub use recognize::{Mistakes, Recognizer, RecognizerError, Scope, built_in_names};
pub use values::{PlaceError, Placing, Wanted, column_order, place, place_all};

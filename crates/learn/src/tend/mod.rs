//! Keeping wrappers alive: what their values are like, whether they still are, and where they went.
//!
//! [`gather`] looks at values on their pages and makes the [`Profile`] that is kept with a wrapper. [`check`] compares a
//! later run with it. [`recover`] finds the values on pages that the wrapper no longer fits, by what is known of them:
//!
//! 1. *Features*: of each field the words before its values, how these are written, whether they are links, what their
//!    elements are called, and some of the values themselves (see [`wrapper::profile`]).
//! 2. *Items*: everything that a page says is a candidate. Candidates that stand in the same place of the page's structure
//!    are a *column*, because what a template repeats it repeats alike; a column is judged as a whole, so a word that
//!    happens to look like a date does not count for much ([`columns`]).
//! 3. *Blocks*: on pages with several records, each set of like elements is tried as the set of records. The better each
//!    field finds a column with one item in each element, the better the set ([`blocks`]).
//! 4. *Labels*: what was found are examples, and the wrapper's own learner makes a new rule from them.
//!
//! The evidence of a field and a column is a sum of opinions, each between 0 and 1 and weighted by how much it says: a
//! value that recurs word for word says most, a label nearly as much, a way of writing less, a tag little. No weight was
//! fitted to a site.

mod blocks;
mod check;
mod columns;
mod evidence;
mod recover;
mod relearn;
mod repair;
#[cfg(test)]
mod tests;
mod watch;

pub use check::{Alarm, DOUBT, Health, Verdict, check};
pub use evidence::gather;
pub use recover::{Recovered, recover};
pub use repair::{Mended, Repair, RepairError, repair};
pub use watch::{Observer, Report, Rows, Sheet, TableReport, Unwatched, compare, observe, rows};

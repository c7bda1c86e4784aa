//! Keeping wrappers alive: what their values are like, whether they still are, and where they went.
//!
//! [`gather`] looks at values on their pages and makes the [`Profile`](wrapper::profile::Profile) that is kept with a wrapper. [`check`] compares a
//! later run with it. [`recover`] finds the values on pages that the wrapper no longer fits, by what is known of them:
//!
//! 1. *Features*: of each field the words before its values, how these are written, whether they are links, what their
//!    elements are called, and some of the values themselves (see [`wrapper::profile`]).
//! 2. *Items*: everything that a page says is a candidate: elements, texts beside others, attributes, and parts of texts
//!    that are written as values are. Candidates that stand in the same place of the page's structure are a *column*,
//!    because what a template repeats it repeats alike; a column is judged as a whole, so a word that happens to look like a
//!    date does not count for much (`columns`).
//! 3. *Blocks*: on pages with several records, each set of like elements, or of runs of neighbours that these begin, is
//!    tried as the set of records. The better each field finds a column with one item in each block, the better the set
//!    (`blocks`). On pages with one record a list is a column or the part of one below an element.
//! 4. *Choice*: the fields take columns together, so that what they find is worth most and none says what another says
//!    (`assign`).
//! 5. *Labels*: what was found are examples, and the wrapper's own learner makes a new rule from them.
//!
//! The evidence of a field and a column is a sum of opinions, each between 0 and 1 and weighted by how much it says: a
//! value that recurs, word for word or nearly, says most; then the words that the field has more often than the rest of the
//! page (`words`), a label, what elements are called and ways of writing; a tag says little. The weights are judgements,
//! not fitted to a site (`weights`). How sure a find is depends on how well it fits, and on how well the next best candidate
//! fits that says something else.
//!
//! [`repair`] puts these steps together. It takes a [`Job`](page::Job), which can stop it.
//!
//! **Cost**: one pass over a page's columns for each of some hundred sets of blocks; tenths of a second for a large page.
//!
//! Known failures: two columns of the same kind without labels or known values (which of two links, a list that stands in
//! the text and again in a card); values that are written in another language than before.

mod assign;
mod blocks;
mod check;
mod columns;
mod compare;
mod evidence;
mod recover;
mod relearn;
mod repair;
mod report;
#[cfg(test)]
mod tests;
mod weights;
mod words;

pub use check::{Alarm, DOUBT, Health, Verdict, check};
pub use compare::{Report, TableReport, Unknown, compare, gather};
pub use recover::{Recovered, recover};
pub use repair::{FieldRepair, Repair, RepairError, repair};

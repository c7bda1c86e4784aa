//! Maintains wrappers: records what their values look like, checks whether they still do, and finds them again after a
//! change.
//!
//! [`gather`] looks at values on their pages and makes the [`Profile`](wrapper::profile::Profile) that is kept with a
//! wrapper. [`check`] compares a later run with it, and [`Survey`] says which pages differ. [`recover`] finds the values
//! on pages that the wrapper no longer matches, by what is known about them:
//!
//! 1. *Features*: for each field the words before its values, how these are written, whether they are links, the names
//!    of their elements, and some of the values themselves (see [`wrapper::profile`]).
//! 2. *Items*: every text of a page is a candidate: elements, texts next to others, attributes, and parts of texts that
//!    are written like values. Candidates at the same place in the page's structure form a *column*, because a template
//!    repeats things in the same way. A column is judged as a whole, so a word that happens to look like a date does
//!    not count for much (`columns`).
//! 3. *Blocks*: on pages with several records, each set of similar elements, or of runs of neighbours that these begin,
//!    is tried as the set of records. The better each field finds a column with one item in each block, the better the
//!    set (`blocks`). On pages with one record, a list is a column or the part of one below an element.
//! 4. *Choice*: the fields choose columns together, so that the total worth is greatest and no two fields take the same
//!    text (`assign`).
//! 5. *Labels*: the values that were found are examples, and the wrapper's own learner makes a new rule from them.
//!
//! How well a column fits a field is a sum of criteria, each between 0 and 1 and weighted by its importance. A value
//! that recurs, exactly or nearly, counts most. Then come the words that are more frequent in the field than in the
//! rest of the page (`words`), a label, the names of elements, and how values are written; a tag counts little. The
//! weights are judgements, not fitted to a site (`weights`). The score of a result depends on how well it fits, and on how
//! well the next best column with other values fits. How sure it is, is the share of results with such a score that were
//! right on pages whose values are known (`calibration`).
//!
//! [`repair`] puts these steps together. It takes a [`Job`](page::Job), which can stop it.
//!
//! **Cost**: one pass over the columns of a page for each of several hundred sets of blocks; tenths of a second for a
//! large page.
//!
//! Known weaknesses: two columns of the same kind without labels or known values (which of two links; a list that is in
//! the text and again in a card), and values that are written in another language than before.
//!
//! ```
//! use page::{Document, Job, Limits, Page};
//! use record::RecordType;
//! use wrapper::rule::paths::{PathField, Paths, Way};
//! use wrapper::{Rule, Wrapper};
//!
//! let pages = |html: fn(&str) -> String| -> Result<Vec<Document>, page::LimitError> {
//!     let page = |price: &&str| Ok(Document::new(*price, Page::parse_str(&html(price), &Limits::default())?));
//!     ["7.25", "9.50", "11.00"].iter().map(page).collect()
//! };
//! let before = pages(|price| format!("<p class=price>Price: <b>{price}</b></p>"))?;
//! let after = pages(|price| format!("<table><tr><td>Price:</td><td>{price}</td></tr></table>"))?;
//!
//! let way = Way { path: ".//p/b".to_owned(), ..Way::default() };
//! let rule = Paths { fields: vec![PathField { many: false, ways: vec![way] }], ..Paths::default() };
//! let wrapper = Wrapper::made(Rule::Paths(rule), RecordType::flat("page", ["price"]), None, &before)?;
//!
//! assert!(tend::compare(&wrapper, wrapper.observe(&before)?)?.is_fine());
//! assert!(!tend::compare(&wrapper, wrapper.observe(&after)?)?.is_fine());
//! let repaired = tend::repair(&wrapper, &after, &Job::new())?.wrapper;
//! assert_eq!(repaired.extract(&after[1])?[0].get("price"), Some("9.50"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod assign;
mod bare;
mod blocks;
mod calibration;
mod check;
mod columns;
mod compare;
mod evidence;
mod findings;
mod guarded;
mod halves;
mod healthy;
mod lost;
mod missing;
mod near;
mod prune;
mod recover;
mod relearn;
mod repair;
mod report;
mod sift;
mod signs;
mod stranger;
mod survey;
mod suspect;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_frames;
#[cfg(test)]
mod tests_labels;
#[cfg(test)]
mod tests_rows;
mod ways;
mod weights;
mod words;

pub use check::{Alarm, DOUBT, Health, Verdict, check};
pub use compare::{Report, TableReport, Unknown, compare, gather};
pub use findings::{Findings, FindingsError, NAMED};
pub use recover::{Recovered, recover};
pub use repair::{ENOUGH, FieldRepair, Repair, RepairError, repair, repair_at_least};
pub use stranger::strangers;
pub use survey::{PageCounts, PageReport, PageState, Survey};

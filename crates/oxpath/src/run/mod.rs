//! Running an OXPath expression: navigation, actions and extraction, one page at a time.
//!
//! An expression is compiled to a *program*, a sequence of operations. Simple paths (no actions, no markers) are one
//! operation each and are evaluated by the XPath engine; the other operations are `doc()`, actions, markers, predicates with
//! any of these inside, and repetitions. The *machine* runs the program on **context tuples** `⟨node, parent, last⟩`, as in
//! section 4.4 of the paper, where parent and last are output nodes: a marker makes its output node a child of *parent* and
//! the new *last*; a predicate starts with *last* as *parent*.
//!
//! The order is depth first: one tuple is taken to the end of the program before the next begins. So a record is finished
//! before the next one starts, records stream out in document order, and the only pages in memory are those that a
//! waiting tuple still needs. The machine keeps these tuples on an explicit stack. The last alternative of a page leaves
//! the stack before it is followed, so a pager over a hundred thousand pages needs one page at a time, and there is no
//! recursion from page to page (the paper's `Free` flag, by reference counts). Predicates have stacks of their own, above
//! the one they belong to, so a run can pause anywhere: [`Run`] gives its events one at a time, and [`Script::run`] calls
//! back for each.
//!
//! **Polynomial time**: a page has memo tables, which are dropped with it. They contain the answers of the simple engine,
//! the outcome of each predicate with actions or markers for each tuple (the paper's `Lookup∃`), and which tuples reached
//! which operation. So no tuple is taken twice along the same way, and sets of tuples are really sets.
//!
//! **Differences from the paper.** Output order is depth first by tuple; the paper does not define it. A marker is
//! extracted once for each input node, parent and place in the expression, so that `:<x=@a>:<x=@b>` gives both. The
//! action-free prefix of a contextual action is the trail of simple operations that this tuple took since the last new
//! page; this is equivalent, and also works inside repetitions. Acting on a node leads to one page for each tuple, place in
//! the expression and, in a repetition with bounds, round; in the paper it leads to one page for all of them.
//!
//! Within a repetition, links of one page to the same address count as one: a pager with its link above and below the list
//! would otherwise be walked twice from each page on, which doubles the work with every page. A repetition that comes back
//! to an address it has been on ends there. If a page was not requested by its address alone, but by a POST for example, its
//! text must be the same too.
//!
//! A repetition that acts on one page again and again, such as a click on "load more", comes to states of this page that
//! contain each other. What follows the repetition is given nodes that are new, and the repetition ends when there are none:
//! see `news`.
//!
//! Failures: see [`Failure`]; a page or an action that fails ends its own branch only. The types of the records are known
//! before the run: see [`Script::record_types`].

mod act;
mod ahead;
mod evaluate;
mod explain;
mod extract;
mod failure;
mod frame;
mod hash;
mod hints;
mod machine;
mod news;
mod normal;
mod options;
mod output;
mod program;
mod progress;
mod required;
mod scope;
mod summary;
mod tail;
mod types;
mod workers;

pub use failure::Failure;
pub use hints::{ScriptedPage, SkippedFields};
pub use options::{RunOptions, Stop};
pub use program::Script;
pub use progress::{Event, Progress, Run};
pub use required::LackingField;
pub(crate) use required::REQUIRED;
pub use summary::{Ended, RunSummary};
pub use tail::{OnPage, Tail, TailError};
pub use workers::Workers;

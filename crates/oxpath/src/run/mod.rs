//! Running an OXPath expression: navigation, actions and extraction, page at a time.
//!
//! An expression is compiled to a *program*, a sequence of operations: simple paths (no actions, no
//! markers), which the XPath engine takes at once, and between them what touches the world: `doc()`, actions, markers,
//! predicates with any of these inside, and repetitions. The *machine* runs it by **context tuples**
//! `⟨node, parent, last⟩` as the paper's section 4.4 has them, where parent and last are output nodes: a marker makes its
//! output node a child of *parent* and the new *last*; a predicate starts with *last* as *parent*.
//!
//! The order is depth first: one tuple is taken to the end of the program before the next begins. So a record is finished
//! before the next one starts, records stream out in document order, and the only pages in memory are those that a
//! waiting tuple still needs. The machine's stack holds those tuples explicitly; the last alternative of a page leaves the
//! stack before it is followed, so a pager over a hundred thousand pages holds one page at a time, and no recursion
//! follows the pages (the paper's `Free` flag, by reference counts). Predicates have stacks of their own, above the one they
//! belong to, so a run can pause anywhere: [`Run`] gives its events one at a time, and [`Script::run`] calls back for each.
//!
//! **Polynomial**: a page carries its memo tables and drops them when it goes. They hold the simple engine's answers, the
//! outcome of each predicate with actions or markers for each tuple (the paper's `Lookup∃`), and which tuples reached
//! which operation, so that no tuple is taken twice along the same way; this is also what makes sets of tuples sets.
//!
//! **Departures from the paper.** Output order is depth first by tuple, where the paper leaves it open. A marker is
//! extracted once for each input node, parent and place in the expression, so that `:<x=@a>:<x=@b>` gives both. The
//! action-free prefix of a contextual action is the trail of simple operations that this tuple took since the last new
//! page, which is the same thing but also holds inside repetitions. Acting on a node leads to one page for each tuple, place
//! in the expression and, in a repetition with bounds, round; in the paper it leads to one page, whoever asks.
//!
//! Within a repetition, links of one page that ask for one address are one way: a pager with its link above and below would
//! otherwise be walked twice from each page on, two to the power of its pages in all. A repetition that comes back to an
//! address, on its way from where it began, ends there; where a page was not asked for by its address alone, but by a POST
//! say, the text must be the same too.
//!
//! Known failures: see [`Failure`]; one failing page or action ends its branch only.

mod act;
mod ahead;
mod evaluate;
mod explain;
mod extract;
mod failure;
mod frame;
mod hash;
mod machine;
mod normal;
mod options;
mod outline;
mod output;
mod program;
mod progress;
mod scope;
mod summary;
mod tail;
mod types;
mod workers;

pub use failure::Failure;
pub use options::{RunOptions, Stop};
pub use outline::Outline;
pub use program::Script;
pub use progress::{Event, Progress, Run};
pub use summary::{Ended, RunSummary};
pub use tail::{Tail, TailError};
pub use workers::Workers;

//! Rules by schema, from examples: somebody says what a page says, and the program finds out how it could be said again.
//!
//! **In**: pages, and for each the records it has, field by field, as a reader would write them down. **Out**: a
//! [`Paths`] rule: a path to the records if there are several on a page, and paths to the values of each field.
//!
//! 1. *Where*: the places of each value on its page ([`wrapper::profile::Places`]).
//! 2. *Which record*: on pages with several records, the places that go together: one of each field, in the order of the
//!    records, near each other; around them the largest element that has nothing of another record (`records`).
//! 3. *Which path*: all paths that lead to the places of one page are tried on all others (`paths`). The ones that are
//!    right most often stay; among them the most trusted is first, and the next that leans on something else is kept beside
//!    it, for pages and times on which the first one fails.
//! 4. *Missing means missing*: if a label, a name or a class leads to the value and to nothing else, only such paths are kept.
//!    A position would give the value of another row on pages that lack this one. Words right before a value count as its label
//!    if they end with a colon, are marked as one, say what the field is called, begin one of several rows of the same shape,
//!    or are there on two examples.
//! 5. Two fields with the same value are two places, if the page has two.
//! 6. Pages without examples decide among paths that fit the examples equally well (`unseen`).
//!    Records of the same list that are not given count in the same way: one record shows its list (`alone`).
//! 7. If the examples are from several lists of a page, the path to the records is a union (`lists`).
//!
//! With one example every path that leads there is right, so what it leans on decides; each further example can only rule
//! paths out. A field that a page does not have says so by its absence: a path that finds something there is wrong.
//!
//! **Cost**: some hundred paths for each field, each evaluated once for each example and record; milliseconds for a page.
//!
//! Known failures: a value that is glued together from several places has none; a value that is cut out of a text needs
//! the same words around it every time.

mod alone;
mod each;
mod fields;
mod found;
mod labels;
mod lists;
mod paths;
mod pointed;
mod records;
mod similar;
mod tables;
mod trust;
mod unseen;

pub use alone::places_like;
pub use paths::caption;
pub(crate) use paths::{literal, spaced};
pub use pointed::{Shown, learn_field};
pub use tables::{Chapter, learn_tables, record_type, wanted};
pub use trust::{Trial, Trials, Trust, Weights};

use page::{Job, NodeId, Page};
use std::fmt;
use wrapper::profile::{Places, Spot};
use wrapper::rule::paths::Paths;

/// A field that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// May a record have several of them?
    pub many: bool,
}

/// A page with its records.
#[derive(Clone, Debug)]
pub struct Lesson<'p> {
    /// What messages call it.
    pub name: &'p str,
    /// The page.
    pub page: &'p Page,
    /// For each record the values of each field, in the order of the fields; none where it has none.
    pub records: Vec<Vec<Vec<String>>>,
}

/// Why there is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// No page, or none with a value.
    NoExamples,
    /// A value that its page does not say.
    NotFound {
        /// The page.
        page: String,
        /// The field.
        field: String,
        /// The value.
        value: String,
    },
    /// The values of a field are there, but nothing leads to them.
    NoPath {
        /// The field.
        field: String,
    },
    /// The records of a page do not stand apart.
    NoRecords {
        /// The page.
        page: String,
    },
    /// The job was stopped before there was a rule.
    Stopped,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoExamples => f.write_str("there is no example with a value, expected at least one"),
            Trouble::NotFound { page, field, value } => {
                write!(f, "{page} does not say \"{value}\", which is given for `{field}`")
            }
            Trouble::NoPath { field } => write!(f, "no path leads to the values of `{field}`"),
            Trouble::NoRecords { page } => write!(f, "the records on {page} do not stand apart from each other"),
            Trouble::Stopped => f.write_str("the work was stopped"),
        }
    }
}

impl std::error::Error for Trouble {}

/// Some of many pages without examples, from everywhere among them: as many as are looked at.
pub fn some<T>(pages: &[T]) -> Vec<&T> {
    let picked = fields::spread(pages.len(), unseen::MOST).into_iter();
    picked.map(|at| &pages[at]).collect()
}

/// How often a page says a text.
pub fn occurrences(page: &Page, text: &str) -> usize {
    let spots = Places::new(page).of(text);
    let mut nodes: Vec<NodeId> = spots.iter().map(|spot| spot.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes.len()
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Taught {
    /// The rule.
    pub rule: Paths,
    /// For each field, the share of the examples' records that the rule gets right.
    pub right: Vec<f64>,
    /// Values that could not be found where they were said to be.
    pub missed: Vec<Trouble>,
}

/// Learns a rule; `listed` if a page may have several records.
///
/// # Errors
///
/// See [`Trouble`].
pub fn learn_guided(wanted: &[Wanted], lessons: &[Lesson<'_>], listed: bool, job: &Job) -> Result<Taught, Trouble> {
    learn_also(wanted, lessons, &[], listed, job)
}

/// The same, with pages that have no examples: which of several rules that fit the examples is right, may show there.
///
/// # Errors
///
/// See [`Trouble`].
pub fn learn_also(
    wanted: &[Wanted],
    lessons: &[Lesson<'_>],
    also: &[&Page],
    listed: bool,
    job: &Job,
) -> Result<Taught, Trouble> {
    learn_weighed(wanted, lessons, (also, &Weights::default()), listed, job)
}

/// The same, with other weights for what paths depend on.
///
/// # Errors
///
/// See [`Trouble`].
pub fn learn_weighed(
    wanted: &[Wanted],
    lessons: &[Lesson<'_>],
    by: (&[&Page], &Weights),
    listed: bool,
    job: &Job,
) -> Result<Taught, Trouble> {
    let pins = vec![Vec::new(); lessons.len()];
    learn_pinned(wanted, lessons, &pins, by, listed, job)
}

/// For each field, and for the records if a page has several, the paths that fit one example best, and how right each is on other
/// pages: what weights are learned from.
pub fn trials(wanted: &[Wanted], from: &Lesson<'_>, others: &[Lesson<'_>], listed: bool, weights: &Weights) -> Trials {
    match listed {
        true => records::trials(wanted, from, others, weights),
        false => fields::trials(wanted, from, others, weights),
    }
}

/// Tells that another field is being learned, if the work may go on.
fn next_field(number: usize, of: usize, job: &Job) -> Result<(), Trouble> {
    job.tell(page::job::Event::Step {
        done: number as u64,
        of: Some(of as u64),
    });
    match job.is_stopped() {
        true => Err(Trouble::Stopped),
        false => Ok(()),
    }
}

/// Values of a page whose nodes are known.
type Pins = Vec<(String, NodeId)>;

/// The spots of a value: those that were pointed at, if it was one of these.
fn spots_of(page: &Page, places: &Places, pins: &Pins, text: &str) -> Vec<Spot> {
    let mut spots = places.of(text);
    let shown: Vec<NodeId> = pins
        .iter()
        .filter(|(known, _)| known == text)
        .map(|(_, node)| *node)
        .collect();
    let is_shown = |spot: &Spot| {
        shown
            .iter()
            .any(|node| *node <= spot.node && spot.node < page.end(*node).max(NodeId(node.0 + 1)))
    };
    if spots.iter().any(is_shown) {
        spots.retain(is_shown);
    }
    // What can be chosen from is the same on every page; what was chosen is said elsewhere.
    let is_choice = |spot: &Spot| {
        page.ancestors(spot.node)
            .chain([spot.node])
            .any(|up| page.name(up) == "option")
    };
    if spots.iter().any(|spot| !is_choice(spot)) {
        spots.retain(|spot| !is_choice(spot));
    }
    spots
}

fn learn_pinned(
    wanted: &[Wanted],
    lessons: &[Lesson<'_>],
    pins: &[Pins],
    by: (&[&Page], &Weights),
    listed: bool,
    job: &Job,
) -> Result<Taught, Trouble> {
    if !lessons
        .iter()
        .any(|lesson| lesson.records.iter().flatten().any(|values| !values.is_empty()))
    {
        return Err(Trouble::NoExamples);
    }
    match listed {
        true => records::learn(wanted, lessons, pins, by, job),
        false => fields::learn(wanted, lessons, pins, by, job),
    }
}

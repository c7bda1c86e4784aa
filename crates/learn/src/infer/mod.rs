//! Wrappers from pages without labels: landmark rules.
//!
//! Two objectives. [`Objective::Tokens`] is the paper's (the *smallest extraction problem*, k-SEP): as few tokens as
//! possible are left to be extracted; see `ksep`. [`Objective::Records`] is ours and the default: what counts is that a field
//! holds the same datum on every page; see `records`. Both make the same kind of rule, run by `wrapper::rule::landmark`.

mod ksep;
mod landmarks;
pub(crate) mod names;
mod records;
mod site;
#[cfg(test)]
mod tests;

use page::Page;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wrapper::rule::landmark::{Grain, Landmarks};

/// What a good rule is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Fields that hold the same datum on every page.
    #[default]
    Records,
    /// As few extracted tokens as possible.
    Tokens,
}

/// How the fewest tokens are sought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// The optimum, with the incompressible cost as bound.
    #[default]
    Astar,
    /// The landmark of the least bound; of several the likeliest to be template.
    GreedyInf,
    /// The landmark of the least bound; of several any.
    GreedyRnd,
    /// Any landmark.
    Random,
}

/// How to infer.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a good rule is.
    pub objective: Objective,
    /// How the fewest tokens are sought.
    pub search: Search,
    /// In how many regions a landmark must occur.
    pub k: usize,
    /// May attributes tell tags apart (dynamic tokenization)?
    pub lattice: bool,
    /// The attributes whose values may do so, beside the names of all.
    pub attributes: Vec<String>,
    /// Are constant fields wanted, too?
    pub all: bool,
    /// Where chance begins.
    pub seed: u64,
    /// Splits after which the search is greedy.
    pub budget: u64,
    /// Raised from outside to end the search with the best tree so far.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Settings {
    fn stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            objective: Objective::Records,
            search: Search::Astar,
            k: 2,
            lattice: true,
            attributes: ["id", "class"].map(str::to_owned).to_vec(),
            all: false,
            seed: 1,
            budget: 50_000,
            stop: None,
        }
    }
}

/// A rule and how it came about.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The rule.
    pub rule: Landmarks,
    /// Split operations made by the search.
    pub splits: u64,
    /// Was the search for the fewest tokens cut short somewhere, so that the choice there was greedy?
    pub cut: bool,
}

/// Why nothing can be inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InferError {
    /// Fewer than two pages.
    TooFew(usize),
    /// No page has text.
    NoText,
    /// All pages are the same.
    Identical,
}

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InferError::TooFew(count) => write!(
                f,
                "found {count} page(s), expected at least two: a template is what pages share"
            ),
            InferError::NoText => f.write_str("found pages without text, expected some"),
            InferError::Identical => f.write_str("found pages that are all the same, expected some that differ"),
        }
    }
}

impl std::error::Error for InferError {}

/// Infers a landmark rule from pages of one template.
///
/// # Errors
///
/// When the pages are too few, empty, or all the same.
///
/// ```
/// use page::Page;
/// let page = |title, price| {
///     let html = format!("<h1>{title}</h1><table><tr><td>Price:<td>{price}</table>");
///     Page::parse(html.as_bytes(), &Default::default()).unwrap()
/// };
/// let pages = [page("Star Wars", "9.98"), page("Alien", "7.50"), page("Solaris", "8.00")];
/// let inferred = learn::infer::infer(&pages.iter().collect::<Vec<_>>(), &Default::default())?;
/// let names: Vec<&str> = inferred.rule.fields.iter().map(|field| field.name.as_str()).collect();
/// assert_eq!(names, ["h1", "price"]);
/// # Ok::<(), learn::infer::InferError>(())
/// ```
pub fn infer(pages: &[&Page], settings: &Settings) -> Result<Inferred, InferError> {
    if pages.len() < 2 {
        return Err(InferError::TooFew(pages.len()));
    }
    let grain = match settings.objective {
        Objective::Records => Grain::Nodes,
        Objective::Tokens => Grain::Words,
    };
    let site = site::Site::new(pages, grain);
    if site.texts.is_empty() {
        return Err(InferError::NoText);
    }
    let same = |doc: &site::Doc<'_>| doc.texts == site.docs[0].texts && doc.page.text() == site.docs[0].page.text();
    if !settings.all && site.docs.iter().all(same) {
        return Err(InferError::Identical);
    }
    let mut inferred = match settings.objective {
        Objective::Records => {
            let rule = records::infer(&site, settings);
            Inferred {
                splits: rule.parts.len() as u64,
                rule,
                cut: false,
            }
        }
        Objective::Tokens => {
            let outcome = ksep::infer(&site, settings);
            Inferred {
                rule: outcome.rule,
                splits: outcome.splits,
                cut: settings.search == Search::Astar && !outcome.exact,
            }
        }
    };
    let nodes;
    let site = match settings.objective {
        Objective::Records => &site,
        Objective::Tokens => {
            nodes = site::Site::new(pages, Grain::Nodes);
            &nodes
        }
    };
    names::name_fields(site, &mut inferred.rule);
    Ok(inferred)
}

/// How many templates seem to have made the pages.
///
/// Pages are compared by the attribute values and tag paths that several of them have: two of one template share most of
/// theirs. Pages are joined while the likest two groups share at least a third.
pub fn templates(pages: &[&Page]) -> usize {
    let kinds: Vec<std::collections::BTreeSet<String>> = pages.iter().map(|page| kinds(page)).collect();
    let mut leaders: Vec<&std::collections::BTreeSet<String>> = Vec::new();
    for kinds in &kinds {
        let like = |leader: &&&std::collections::BTreeSet<String>| {
            let shared = leader.intersection(kinds).count();
            3 * shared >= leader.len().min(kinds.len()).max(1)
        };
        if !leaders.iter().any(|leader| like(&leader)) {
            leaders.push(kinds);
        }
    }
    leaders.len()
}

/// The kinds of elements on a page: tag, class and those of the parent.
fn kinds(page: &Page) -> std::collections::BTreeSet<String> {
    let kind = |node| {
        format!(
            "{}.{}",
            page.name(node),
            page.attribute_value(node, "class").unwrap_or("")
        )
    };
    let elements = page.elements().iter().copied();
    elements
        .map(|node| format!("{}/{}", page.parent(node).map(kind).unwrap_or_default(), kind(node)))
        .collect()
}

//! Wrappers from pages without labels: landmark rules.
//!
//! Two objectives. [`Objective::Tokens`] is the paper's (the *smallest extraction problem*, k-SEP): as few tokens as
//! possible are left to be extracted; see `ksep`. [`Objective::Records`] is ours and the default: what counts is that a field
//! holds the same datum on every page; see `records`. Both make the same kind of rule, run by `wrapper::rule::landmark`.

mod blocks;
mod classes;
pub(crate) mod columns;
mod cut;
pub mod data;
mod ksep;
mod labelled;
mod landmarks;
mod mentions;
pub(crate) mod names;
#[cfg(test)]
mod oracle;
mod quick;
mod records;
mod site;
#[cfg(test)]
mod tests;
mod wrapped;

use page::job::Event;
use page::{Job, Page};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use wrapper::rule::Event as Found;
use wrapper::rule::landmark::{Grain, Landmarks, Run};

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
pub struct LandmarkSettings {
    /// What a good rule is.
    pub objective: Objective,
    /// How the fewest tokens are sought.
    pub search: Search,
    /// In how many regions a landmark must occur; without a number, in half as many as there are pages.
    pub k: Option<usize>,
    /// May attributes tell tags apart (dynamic tokenization)?
    pub lattice: bool,
    /// The attributes whose values may do so, beside the names of all; without a list, those of `id` and `class` for the fewest
    /// tokens, as in the paper, and all that are no data for records.
    pub attributes: Option<Vec<String>>,
    /// The attributes of landmarks whose values are fields where they vary.
    pub values: Vec<String>,
    /// Are constant fields wanted, too?
    pub all: bool,
    /// Where chance begins.
    pub seed: u64,
    /// Region sets solved after which the search is greedy.
    pub budget: u64,
    /// Stops the search, which then gives the best tree so far, and is told how it goes: a step is a split, and there are
    /// as many more as region sets that are not divided yet.
    pub job: Job,
}

impl LandmarkSettings {
    /// In how many regions a landmark must occur, given the number of pages.
    fn k(&self, pages: usize) -> usize {
        self.k.unwrap_or(pages.div_ceil(2)).max(1)
    }

    /// May the values of an attribute tell tags apart?
    fn telling(&self, attribute: &str) -> bool {
        self.lattice
            && match (&self.attributes, self.objective) {
                (Some(attributes), _) => attributes.iter().any(|known| known == attribute),
                (None, Objective::Tokens) => matches!(attribute, "id" | "class"),
                (None, Objective::Records) => page::vocabulary::tells_role(attribute),
            }
    }

    /// Tells the splits that were made and how many region sets are left.
    fn tell(&self, splits: u64, left: u64) {
        self.job.tell(Event::Step {
            done: splits,
            of: Some(splits + left),
        });
    }

    fn stopped(&self) -> bool {
        self.job.is_stopped()
    }
}

impl Default for LandmarkSettings {
    fn default() -> LandmarkSettings {
        LandmarkSettings {
            objective: Objective::Records,
            search: Search::Astar,
            k: None,
            lattice: true,
            attributes: None,
            values: page::vocabulary::STAND_INS.map(str::to_owned).to_vec(),
            all: false,
            seed: 1,
            budget: 50_000,
            job: Job::new(),
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
    /// Was the search for the fewest tokens cut short, so that its cost is not proved to be the least?
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
/// assert_eq!(names, ["title", "price"]);
/// # Ok::<(), learn::infer::InferError>(())
/// ```
pub fn infer(pages: &[&Page], settings: &LandmarkSettings) -> Result<Inferred, InferError> {
    if pages.len() < 2 {
        return Err(InferError::TooFew(pages.len()));
    }
    let grain = match settings.objective {
        Objective::Records => Grain::Nodes,
        Objective::Tokens => Grain::Words,
    };
    let mut site = site::Site::new(pages, grain, settings);
    if site.texts.is_empty() {
        return Err(InferError::NoText);
    }
    let same = |doc: &site::Doc<'_>| doc.texts == site.docs[0].texts && doc.page.text() == site.docs[0].page.text();
    if !settings.all && site.docs.iter().all(same) {
        return Err(InferError::Identical);
    }
    let mut inferred = match settings.objective {
        Objective::Records => {
            let (rule, splits) = records::infer(&mut site, settings);
            Inferred {
                splits,
                rule,
                cut: settings.stopped(),
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
            nodes = site::Site::new(pages, Grain::Nodes, settings);
            &nodes
        }
    };
    let run = Run::new(&inferred.rule);
    let mut found: Vec<Vec<Found>> = site.docs.iter().map(|doc| run.page(doc.page, true)).collect();
    if settings.objective == Objective::Records {
        mentions::join(&mut inferred.rule, &mut found);
        labelled::add(site, &mut inferred.rule, &mut found);
        cut::cut(&mut inferred.rule, &mut found);
    }
    names::name_fields(site, &mut inferred.rule, &found);
    if settings.objective == Objective::Records {
        data::add(pages, &mut inferred.rule, &found);
    }
    Ok(inferred)
}

/// The pages by the template that seems to have made them, the largest group first; pages by their places.
///
/// Pages are compared by the kinds of elements that they have, a tag and a class below another: two of one template share
/// most of theirs. A page joins the group whose first page it is likest, if they share at least a third of the kinds of the
/// one with fewer; else it begins a group. Time grows with pages times groups; of the groups, `GROUPS` at most are made.
pub fn clusters(pages: &[&Page]) -> Vec<Vec<usize>> {
    let kinds: Vec<BTreeSet<String>> = pages.iter().map(|page| kinds(page)).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, kinds_here) in kinds.iter().enumerate() {
        // Shared kinds per thousand of the smaller set.
        let alike = |group: &Vec<usize>| {
            let leader = &kinds[group[0]];
            let fewer = leader.len().min(kinds_here.len());
            let shared = leader.intersection(kinds_here).count();
            // A page without elements is like any other.
            (1000 * shared).checked_div(fewer).unwrap_or(1000)
        };
        let best = (0..groups.len()).max_by_key(|group| (alike(&groups[*group]), Reverse(*group)));
        let full = groups.len() == GROUPS;
        match best.filter(|group| full || alike(&groups[*group]) >= 333) {
            Some(group) => groups[group].push(at),
            None => groups.push(vec![at]),
        }
    }
    groups.sort_by_key(|group| (Reverse(group.len()), group[0]));
    groups
}

/// More templates are not told apart.
const GROUPS: usize = 32;

/// The kinds of elements on a page: tag, class and those of the parent.
fn kinds(page: &Page) -> BTreeSet<String> {
    let kind = |node| {
        format!(
            "{}.{}",
            page.name(node),
            page.attribute_value(node, "class").unwrap_or("")
        )
    };
    // What every page has tells nothing.
    let shell = |node: &page::NodeId| page::vocabulary::is_shell(page.name(*node));
    let elements = page.elements().iter().copied().filter(|node| !shell(node));
    elements
        .map(|node| format!("{}/{}", page.parent(node).map(kind).unwrap_or_default(), kind(node)))
        .collect()
}

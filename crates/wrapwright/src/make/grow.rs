//! A sample of pages that grows until a wrapper is settled.
//!
//! Twenty pages show the template of most sites, and not that of some: a part that one page in thirty has, or rows of a kind
//! that comes late. So a wrapper that was inferred from a sample reads as many pages again that it was not made from. If it
//! does clearly worse there than on its own pages, these pages join the sample, and a wrapper is inferred from all of them. This
//! ends when the wrapper is settled, when there are no more pages, or at [`MOST`] of them. [`Draws`] says which pages are next, so that
//! every caller draws the same ones, and reads only these.
//!
//! Clearly worse is: less of the text that differs between pages is found, by five parts in a hundred; or a field that half of
//! its own pages have is found on less than half as many of the others. Both limits are judgements, not fitted.
//!
//! Cost: at most twice that of inferring from the last sample, and reading as many pages again.

use super::asked::suit;
use super::infer::{InferSettings, Inferred, found, infer, sample};
use super::{Asked, MakeError, Pick};
use crate::{Document, Job, Page, Wrapper};
use ::learn::choose::describe;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;

/// The pages of a sample without a size.
const SAMPLE: usize = 20;
/// Fewer pages do not tell what a template is.
const LEAST: usize = 2;
/// The most pages that a sample grows to.
const MOST: usize = 160;
/// A difference in found text that counts, in thousandths.
const LESS: u64 = 50;
/// Fewer held-back pages do not tell how often a field is filled.
const FEWEST: usize = 5;

/// Which of many pages are looked at: a sample that a seed draws, and further ones as long as it grows.
///
/// ```
/// let mut draws = wrapwright::make::Draws::new(300, None, 1);
/// assert_eq!(draws.drawn().len(), 20);
/// assert_eq!(draws.more(20).len(), 20);
/// assert_eq!(draws.drawn().len(), 40);
/// ```
#[derive(Debug, Clone)]
pub struct Draws {
    given: usize,
    drawn: usize,
    grows: bool,
    seed: u64,
}

impl Draws {
    /// Draws from a number of pages. Without a size, the sample has twenty of them and may grow.
    pub fn new(given: usize, size: Option<usize>, seed: u64) -> Draws {
        Draws {
            given,
            drawn: size.unwrap_or(SAMPLE).max(LEAST).min(given),
            grows: size.is_none(),
            seed,
        }
    }

    /// The numbers of the pages that were drawn until now, in their order.
    pub fn drawn(&self) -> Vec<usize> {
        sample((0..self.given).collect(), self.drawn, self.seed)
    }

    /// Draws up to `count` further pages, none if the sample has a size: their numbers, in their order.
    pub fn more(&mut self, count: usize) -> Vec<usize> {
        if !self.grows {
            return Vec::new();
        }
        let known = self.drawn();
        self.drawn = self.drawn.saturating_add(count).min(self.given);
        let mut drawn = self.drawn();
        drawn.retain(|number| known.binary_search(number).is_err());
        drawn
    }

    /// What is looked at, in words; nothing if it is everything.
    pub fn note(&self) -> Option<String> {
        let Draws { given, drawn, seed, .. } = self;
        (drawn < given).then(|| format!("looking at {drawn} of {given} pages, drawn with seed {seed}"))
    }
}

/// A wrapper, and the pages that it was inferred from.
#[derive(Debug)]
pub struct Grown {
    /// The pages of the sample.
    pub documents: Vec<Document>,
    /// The wrapper that was made from all of them.
    pub inferred: Inferred,
    /// Which fields were chosen for those that were asked for.
    pub picks: Vec<Pick>,
}

/// Infers a wrapper from a sample, and from twice as many pages as long as it does clearly worse on pages that are not in the
/// sample. `more` gives up to that number of further pages, or none if there are no more. Then fields are chosen for those that are
/// asked for, if any are.
///
/// # Errors
///
/// As [`infer`]; and [`MakeError::Rename`] if none of the fields that are asked for was found.
pub fn infer_growing(
    mut documents: Vec<Document>,
    settings: &InferSettings,
    asked: &[Asked],
    job: &Job,
    more: &mut dyn FnMut(usize) -> Vec<Document>,
) -> Result<Grown, MakeError> {
    let begun = documents.len();
    loop {
        let mut inferred = infer(&documents, settings, job)?;
        if !job.is_stopped() && documents.len() * 2 <= MOST {
            let held = more(documents.len());
            if !held.is_empty() && !is_settled(&inferred.wrapper, &documents, &held) {
                documents.extend(held);
                continue;
            }
        }
        let grown = documents.len();
        if grown > begun {
            inferred.notes.push(format!(
                "a wrapper from {begun} pages did not hold on others, so {grown} pages were used"
            ));
        }
        let (inferred, picks) = match asked {
            [] => (inferred, Vec::new()),
            _ => suit(inferred, &documents, settings, asked, job)?,
        };
        return Ok(Grown {
            documents,
            inferred,
            picks,
        });
    }
}

/// Does a wrapper do as well on pages that it was not made from as on its own?
fn is_settled(wrapper: &Wrapper, own: &[Document], held: &[Document]) -> bool {
    let read = |documents: &[Document]| {
        let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
        let found = found(&wrapper.rule, &pages);
        let share = describe(&pages, &found, 0).found;
        (share, filled(&found))
    };
    let ((own_share, own_filled), (held_share, held_filled)) = (read(own), read(held));
    if held_share + LESS < own_share {
        return false;
    }
    // Shares of pages, as products.
    let fails = |(field, times): (&u32, &usize)| {
        let others = held_filled.get(field).copied().unwrap_or(0);
        times * 2 >= own.len() && others * 2 * own.len() < times * held.len()
    };
    held.len() < FEWEST || !own_filled.iter().any(fails)
}

/// On how many pages each field has a value.
fn filled(found: &[Vec<Event>]) -> BTreeMap<u32, usize> {
    let mut filled: BTreeMap<u32, usize> = BTreeMap::new();
    for events in found {
        let value = |event: &Event| match event {
            Event::Value { field, .. } => Some(*field),
            _ => None,
        };
        let fields: BTreeSet<u32> = events.iter().filter_map(value).collect();
        fields
            .into_iter()
            .for_each(|field| *filled.entry(field).or_default() += 1);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseSettings;

    /// A page about a plant; with a note, there is a text more that differs from page to page.
    fn page(number: usize, note: bool) -> Document {
        let note = match note {
            true => format!(
                "<div><h2>Notes</h2><p>Seen near stone {number} by {number} walkers in the year {number}</p></div>"
            ),
            false => String::new(),
        };
        let html = format!(
            "<title>Plant{number}</title><h1>Plant{number}</h1><p>Price: <b>{number}.50</b></p><p>Town: <i>Town{number}</i></p>{note}"
        );
        Document::from_source(format!("{number}"), html, &ParseSettings::default()).expect("a page")
    }

    fn grown(first: usize, all: usize, has_note: impl Fn(usize) -> bool) -> (usize, Vec<String>) {
        let pages = |from: usize, to: usize| {
            (from..to)
                .map(|number| page(number, has_note(number)))
                .collect::<Vec<_>>()
        };
        let mut next = first;
        let mut more = |count: usize| {
            let from = next;
            next = (next + count).min(all);
            pages(from, next)
        };
        let settings = InferSettings::default();
        let grown = infer_growing(pages(0, first), &settings, &[], &Job::new(), &mut more).expect("a wrapper");
        (grown.documents.len(), grown.inferred.notes)
    }

    #[test]
    fn draws_give_each_page_once() {
        let mut draws = Draws::new(50, None, 7);
        let mut all = draws.drawn();
        assert_eq!(
            draws.note().as_deref(),
            Some("looking at 20 of 50 pages, drawn with seed 7")
        );
        all.extend(draws.more(20));
        all.extend(draws.more(40));
        assert_eq!(all.len(), 50);
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..50));
        assert_eq!((draws.more(80), draws.note()), (Vec::new(), None));
    }

    #[test]
    fn a_sample_with_a_size_does_not_grow() {
        let mut draws = Draws::new(50, Some(5), 1);
        assert_eq!((draws.drawn().len(), draws.more(5).len()), (5, 0));
        assert_eq!(Draws::new(50, Some(0), 1).drawn().len(), 2);
        assert_eq!(Draws::new(0, None, 1).drawn().len(), 0);
        assert_eq!(Draws::new(1, None, 1).drawn(), [0]);
    }

    #[test]
    fn a_sample_that_shows_all_stays_as_it_is() {
        assert_eq!(grown(20, 200, |_| false).0, 20);
        assert_eq!(grown(20, 200, |number| number % 3 == 0).0, 20);
        assert_eq!(grown(20, 20, |_| false).0, 20, "there are no others");
    }

    #[test]
    fn a_sample_that_lacks_a_part_of_the_template_grows() {
        let (pages, notes) = grown(20, 200, |number| number >= 20 && number % 2 == 0);
        assert_eq!(pages, 40, "{notes:?}");
        let said = "a wrapper from 20 pages did not hold on others, so 40 pages were used";
        assert!(notes.iter().any(|note| note == said), "{notes:?}");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        // A part of its own in each doubling.
        let (pages, _) = grown(20, 10_000, |number| (number / 20).count_ones() % 2 == 1);
        assert!(pages <= MOST, "{pages}");
    }
}

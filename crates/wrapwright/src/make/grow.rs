//! A sample of pages that grows until a wrapper is settled.
//!
//! Twenty pages show the template of most sites, and not that of some: a part that one page in thirty has, or rows of a kind
//! that comes late. So a wrapper that was inferred from a sample reads as many pages again that it was not made from. If it
//! does clearly worse there than on its own pages, these pages join the sample, and a wrapper is inferred from all of them. This
//! ends when the wrapper is settled, when there are no more pages, or at [`MOST`] of them.
//!
//! Clearly worse is: less of the text that differs between pages is found, by five parts in a hundred; or a field that half of
//! its own pages have is found on less than half as many of the others. Both limits are judgements, not fitted.
//!
//! Cost: at most twice that of inferring from the last sample, and reading as many pages again.

use super::MakeError;
use super::infer::{InferSettings, Inferred, found, infer};
use crate::{Document, Job, Page, Wrapper};
use ::learn::choose::describe;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::Event;

/// The most pages that a sample grows to.
const MOST: usize = 160;
/// A difference in found text that counts, in thousandths.
const LESS: u64 = 50;
/// Fewer held-back pages do not tell how often a field is filled.
const FEWEST: usize = 5;

/// A wrapper, and the pages that it was inferred from.
#[derive(Debug)]
pub struct Grown {
    /// The pages of the sample.
    pub documents: Vec<Document>,
    /// The wrapper that was made from all of them.
    pub inferred: Result<Inferred, MakeError>,
}

/// Infers a wrapper from a sample, and from twice as many pages as long as it does clearly worse on pages that are not in the
/// sample. `more` gives up to that number of further pages, or none if there are no more.
pub fn infer_growing(
    mut documents: Vec<Document>,
    settings: &InferSettings,
    job: &Job,
    more: &mut dyn FnMut(usize) -> Vec<Document>,
) -> Grown {
    let mut begun = 0;
    loop {
        let mut inferred = infer(&documents, settings, job);
        if let Ok(made) = &mut inferred {
            let settled = job.is_stopped() || documents.len() * 2 > MOST || {
                let held = more(documents.len());
                let unsettled = !held.is_empty() && !is_settled(&made.wrapper, &documents, &held);
                if unsettled {
                    begun = if begun == 0 { documents.len() } else { begun };
                    documents.extend(held);
                }
                !unsettled
            };
            if !settled {
                continue;
            }
            if begun > 0 {
                let grown = documents.len();
                made.notes.push(format!(
                    "a wrapper from {begun} pages did not hold on others, so {grown} pages were used"
                ));
            }
        }
        return Grown { documents, inferred };
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
        let grown = infer_growing(pages(0, first), &InferSettings::default(), &Job::new(), &mut more);
        (grown.documents.len(), grown.inferred.expect("a wrapper").notes)
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

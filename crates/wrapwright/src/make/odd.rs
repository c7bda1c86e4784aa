//! Pages of another kind among those that a wrapper is inferred from.
//!
//! A sample of a site may have some lists among its products. A landmark rule that is made from all of them has fields that mean different things on
//! the two kinds. **In**: a wrapper and the pages that it was made from. **Out**: the pages that lack most of what the others have.
//!
//! A field is usual if most pages have it. A page is odd if it has at most a third of the usual fields, as for [`Misfit`](wrapper::Misfit);
//! there nearly all pages must have a field, because a saved wrapper meets single pages. A value far longer than most of its field
//! does not count: it goes on to the end of the page because a landmark is missing. Lists may be empty, so templates and paths
//! have no odd pages. **Cost**: one extraction from each page.

use super::values::values;
use crate::{Document, Wrapper};
use wrapper::Rule;

/// The share of pages that have a usual field.
const USUAL: f64 = 0.6;
/// With fewer usual fields, nothing is said.
const FIELDS: usize = 4;
/// A page with at most a third of the usual fields is odd.
const ONE_IN: usize = 3;
/// A value is too long from this many times the middle length of its field on, and this many characters more.
const TIMES: usize = 4;
const MORE: usize = 200;

/// The odd pages, by their places.
pub(super) fn odd_pages(wrapper: &Wrapper, documents: &[Document]) -> Vec<usize> {
    if !matches!(wrapper.rule, Rule::Landmarks(_)) {
        return Vec::new();
    }
    let all = Wrapper {
        // A record of a page that does not fit would not be seen.
        evidence: Default::default(),
        ..wrapper.clone()
    };
    let mut has = vec![0; documents.len()];
    let mut usual = 0;
    for field in values(&all, documents) {
        let is_usual = field.firsts.len() as f64 >= USUAL * documents.len() as f64;
        if !is_usual || field.is_twin || field.is_constant() {
            continue;
        }
        usual += 1;
        let mut lengths: Vec<usize> = field.firsts.iter().map(|(_, text, _)| text.len()).collect();
        lengths.sort_unstable();
        let most = lengths[lengths.len() / 2] * TIMES + MORE;
        let sane = field.firsts.iter().filter(|(_, text, _)| text.len() <= most);
        sane.for_each(|(number, _, _)| has[*number] += 1);
    }
    if usual < FIELDS {
        return Vec::new();
    }
    let odd = has.iter().enumerate().filter(|(_, has)| **has * ONE_IN <= usual);
    odd.map(|(at, _)| at).collect()
}

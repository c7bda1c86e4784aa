//! How wrappers survive when their site is redesigned.
//!
//! The pages of a site are put in an order that depends on the seed. The first few have labels. The next are pages that
//! a wrapper met before the redesign, without labels. The next are those that it meets first after the redesign, from
//! which it may be repaired. The rest are scored, and nothing is ever learned from them.
//!
//! The score is F1 over pairs of page and value, averaged over the fields that are on the scored pages. A field that a
//! redesign dropped is right if nothing is given for it. If a wrapper gives something, the field counts against it,
//! with the share of pages on which it gave nothing as its score; the field never counts in favour of a wrapper.

mod indexed;
mod learners;
mod plot;
#[cfg(test)]
mod tests;
mod watched;

use crate::mutate::{Redesign, Sample};
use learn::guided::{Lesson, Wanted};
use page::Page;
use std::collections::BTreeSet;
use std::path::Path;
use xtask::sites::{self, normal};

pub use indexed::Indexed;
pub use learners::Learner;
pub use plot::{Curve, plot};
pub use watched::Watched;

/// The number of pages of a site for each purpose.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Pages with labels.
    pub labelled: usize,
    /// Pages met before the redesign.
    pub met: usize,
    /// Pages met after it, to repair from.
    pub fresh: usize,
    /// Pages that are scored.
    pub scored: usize,
}

/// A site before any change.
#[derive(Debug)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// The names of its fields.
    pub fields: Vec<String>,
    /// Pages with labels.
    pub labelled: Vec<Sample>,
    /// Pages that a wrapper met before the redesign.
    pub met: Vec<Sample>,
    /// Pages that it meets after the redesign, followed by those that are scored.
    pub later: Vec<Sample>,
    /// The number of those it is repaired from.
    pub fresh: usize,
}

impl Site {
    /// Reads a site; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a page exceeds the limits.
    pub fn read(packs: &Path, name: &str, seed: u64, counts: Counts) -> anyhow::Result<Option<Site>> {
        let (Some(files), Some(truth)) = (sites::files(packs, name)?, sites::truth(packs, name, false)?) else {
            return Ok(None);
        };
        let fields: Vec<String> = truth.keys().cloned().collect();
        let order = sites::shuffled(files.len(), seed, name);
        let all = counts.labelled + counts.met + counts.fresh + counts.scored;
        let mut samples = Vec::new();
        for at in order.into_iter().take(all) {
            let (page, bytes) = &files[at];
            let settings = page::ParseSettings {
                charset: Some("utf-8".to_owned()),
                ..Default::default()
            };
            samples.push(Sample {
                name: page.clone(),
                page: Page::parse(bytes, &settings)?,
                truth: fields.iter().map(|field| sites::values(&truth, field, page)).collect(),
            });
        }
        // All pages are written and parsed once, those before the redesign like those after it.
        let mut labelled = Redesign::new(samples, name, seed)?.samples().to_vec();
        let mut met = labelled.split_off(counts.labelled.min(labelled.len()));
        let later = met.split_off(counts.met.min(met.len()));
        Ok(Some(Site {
            name: name.to_owned(),
            fields,
            labelled,
            met,
            later,
            fresh: counts.fresh,
        }))
    }

    /// The fields, as given by the labels on the first `labels` pages.
    pub fn wanted(&self, labels: usize) -> Vec<Wanted> {
        let several = |field: usize| {
            self.labelled
                .iter()
                .take(labels)
                .any(|sample| sample.truth[field].len() > 1)
        };
        let wanted = |(field, name): (usize, &String)| Wanted {
            name: name.clone(),
            many: several(field),
        };
        self.fields.iter().enumerate().map(wanted).collect()
    }

    /// The first `labels` pages with labels, as examples.
    pub fn lessons(&self, labels: usize) -> Vec<Lesson<'_>> {
        let lessons = self.labelled.iter().take(labels).map(|sample| Lesson {
            name: &sample.name,
            page: &sample.page,
            records: vec![sample.truth.clone()],
        });
        lessons.collect()
    }
}

/// A wrapper of any kind.
pub trait Wrapper {
    /// The values of each field on a page.
    fn extract(&self, page: &Page) -> Vec<Vec<String>>;

    /// Checks the wrapper on pages of the site as it is now, and repairs it if it no longer matches.
    /// [`Repaired`] also says if nothing seems to be wrong, or if nothing can be done.
    fn repair(&self, pages: &[Sample]) -> Repaired<Self>
    where
        Self: Sized;

    /// For each field, how sure its repair was said to be; `None` for fields that were not repaired.
    fn said(&self) -> Vec<Option<Said>>;
}

/// What was said of the repair of a field.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// How well it fits.
    pub score: f64,
    /// How sure that is.
    pub sure: f64,
    /// Was it left out?
    pub left_out: bool,
}

/// The result for a wrapper that met new pages.
#[derive(Debug)]
pub enum Repaired<W> {
    /// Nothing seems to be wrong.
    Fine,
    /// Something is wrong, and it could not be repaired.
    Lost,
    /// There is a new wrapper.
    New(W),
}

/// The score of a wrapper on pages.
pub fn score(wrapper: &impl Wrapper, pages: &[Sample], dropped: &BTreeSet<usize>) -> f64 {
    let found: Vec<Vec<Vec<String>>> = pages.iter().map(|sample| wrapper.extract(&sample.page)).collect();
    let fields = f1(&found, pages, dropped);
    let scored: Vec<f64> = fields.into_iter().flatten().collect();
    scored.iter().sum::<f64>() / scored.len().max(1) as f64
}

/// The score of each field; `None` if there is nothing to find.
pub fn f1(found: &[Vec<Vec<String>>], pages: &[Sample], dropped: &BTreeSet<usize>) -> Vec<Option<f64>> {
    let fields = pages.first().map_or(0, |sample| sample.truth.len());
    (0..fields)
        .map(|field| {
            let (mut right, mut given, mut asked, mut silent) = (0, 0, 0, 0);
            for (found, sample) in found.iter().zip(pages) {
                let wanted: BTreeSet<&str> = sample.truth[field].iter().map(String::as_str).collect();
                let mine: BTreeSet<String> = found
                    .get(field)
                    .into_iter()
                    .flatten()
                    .map(|text| normal(text))
                    .collect();
                right += mine.iter().filter(|text| wanted.contains(text.as_str())).count();
                given += mine.len();
                asked += wanted.len();
                silent += usize::from(mine.is_empty());
            }
            match (asked, dropped.contains(&field)) {
                (0, true) if given > 0 => Some(silent as f64 / pages.len() as f64),
                (0, _) => None,
                _ => Some(2.0 * right as f64 / (given + asked) as f64),
            }
        })
        .collect()
}

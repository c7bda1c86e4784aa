//! Rules by schema, learned from labels and repaired from what is known of their values.

use super::{Mended, Sample, Site, Wrapper, lesson};
use learn::guided::{Lesson, Trouble, Wanted, learn_guided};
use learn::tend::{Verdict, check, gather, recover};
use page::Page;
use wrapper::profile::Profile;
use wrapper::rule::guided::{Guided, GuidedRun};

/// A rule, with what is known of its values.
#[derive(Debug)]
pub struct Rules {
    wanted: Vec<Wanted>,
    run: GuidedRun,
    profile: Profile,
}

impl Rules {
    /// Learns from the first so many labels; what is known of values comes from these, and if it is `met` from the pages
    /// met before the redesign as well.
    ///
    /// # Errors
    ///
    /// Labels that no rule follows from.
    pub fn learn(site: &Site, labels: usize, met: bool) -> Result<Rules, Trouble> {
        let (wanted, mut lessons) = (site.wanted(labels), site.lessons(labels));
        let run = run(&learn_guided(&wanted, &lessons, false)?.rule)?;
        if met {
            lessons.extend(seen(&run, &site.met, wanted.len()));
        }
        let profile = gather(&wanted, &lessons);
        Ok(Rules { wanted, run, profile })
    }

    /// Is what it gives on pages no longer what it was?
    pub fn is_alarmed(&self, pages: &[Sample]) -> bool {
        let now = seen(&self.run, pages, self.wanted.len());
        let silent = now
            .iter()
            .all(|lesson| lesson.records.iter().flatten().all(Vec::is_empty));
        silent || check(&self.wanted, &self.profile, &gather(&self.wanted, &now)).verdict == Verdict::Changed
    }

    /// The values of each page as they are found again, without a rule.
    pub fn recovered(&self, pages: &[Sample]) -> Vec<Vec<Vec<String>>> {
        let found = |sample: &Sample| recover(&sample.page, &self.wanted, &self.profile, false);
        let first = |sample| found(sample).records.into_iter().next();
        pages.iter().map(|sample| first(sample).unwrap_or_default()).collect()
    }

    /// A rule from what is found again.
    ///
    /// # Errors
    ///
    /// Values that no rule follows from.
    pub fn relearn(&self, pages: &[Sample]) -> Result<Rules, Trouble> {
        let found = self.recovered(pages);
        let lessons: Vec<Lesson<'_>> = pages
            .iter()
            .zip(found)
            .map(|(sample, record)| lesson(sample, vec![record]))
            .collect();
        let run = run(&learn_guided(&self.wanted, &lessons, false)?.rule)?;
        Ok(Rules {
            wanted: self.wanted.clone(),
            profile: gather(&self.wanted, &seen(&run, pages, self.wanted.len())),
            run,
        })
    }
}

impl Wrapper for Rules {
    fn extract(&self, page: &Page) -> Vec<Vec<String>> {
        extract(&self.run, page, self.wanted.len())
    }

    fn mend(&self, pages: &[Sample]) -> Mended<Rules> {
        match self.is_alarmed(pages) {
            false => Mended::Fine,
            true => self.relearn(pages).map_or(Mended::Lost, Mended::New),
        }
    }
}

fn run(rule: &Guided) -> Result<GuidedRun, Trouble> {
    // What was learned can be run; a rule that cannot has no path.
    GuidedRun::new(rule).map_err(|error| Trouble::NoPath {
        field: error.to_string(),
    })
}

fn extract(run: &GuidedRun, page: &Page, fields: usize) -> Vec<Vec<String>> {
    let mut values = vec![Vec::new(); fields];
    for value in run.page(page).into_iter().flat_map(|record| record.values) {
        values[value.field].push(value.text);
    }
    values
}

/// Pages with what a rule finds there.
fn seen<'p>(run: &GuidedRun, pages: &'p [Sample], fields: usize) -> Vec<Lesson<'p>> {
    let seen = |sample: &'p Sample| lesson(sample, vec![extract(run, &sample.page, fields)]);
    pages.iter().map(seen).collect()
}

//! A repair that somebody is looking at: pages of before and of now beside each other, corrected by pointing.
//!
//! While a repair is looked at, everything on the screen is what it gives. Pointing corrects it; other changes must wait until
//! it is accepted or rejected. Corrections can be taken back one by one.
//!
//! Pages of before are those that were kept when the wrapper was last saved (`site.pages`), or else the files that it was made
//! from. A page of now belongs to the page of before with the same address, or the same file name, or else the same place.

use crate::api;
use crate::edit::pointed;
use crate::project::{Project, Trouble};
use crate::view::View;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use wrapwright::make::{self, Pointed};
use wrapwright::tend::{self, RepairOutcome, RepairSettings, Report};
use wrapwright::{Document, Job, Wrapper, input, save};

/// The most pages of before that are read.
const MOST_OLD: usize = 60;
/// The most values of a field that are shown.
const SOME: usize = 3;

/// A repair that somebody is looking at.
#[derive(Clone)]
pub(crate) struct Mending {
    pub(crate) outcome: RepairOutcome,
    /// What the repaired wrapper gives.
    pub(crate) view: Arc<View>,
    /// The pages of before.
    pub(crate) old: Arc<Vec<Document>>,
    /// What the wrapper gave on them.
    pub(crate) old_view: Arc<View>,
    /// The check before the repair.
    report: Option<Arc<Report>>,
    points: BTreeMap<String, Vec<Pointed>>,
    /// The fields that somebody corrected.
    pub(crate) corrected: BTreeSet<String>,
    /// The state before the last correction, and the field that was corrected.
    before: Option<(String, Arc<Mending>)>,
}

impl Mending {
    /// The repaired wrapper.
    pub(crate) fn wrapper(&self) -> Option<&Wrapper> {
        self.outcome.repair().map(|repair| &repair.wrapper)
    }

    /// The last correction, in words.
    pub(crate) fn correction(&self) -> Option<&str> {
        self.before.as_ref().map(|(what, _)| what.as_str())
    }

    /// The page of before that belongs to a page of now.
    pub(crate) fn old_of(&self, document: &Document, number: usize) -> Option<usize> {
        let name = |document: &Document| document.url.as_ref().unwrap_or(&document.name).to_string();
        let file = |document: &Document| Path::new(&*document.name).file_name().map(|name| name.to_owned());
        let own = name(document);
        let same = self.old.iter().position(|old| name(old) == own);
        let alike = || {
            self.old
                .iter()
                .position(|old| file(old).is_some_and(|name| Some(name) == file(document)))
        };
        let last = self.old.len().checked_sub(1)?;
        Some(same.or_else(alike).unwrap_or(number.min(last)))
    }
}

impl Project {
    pub(crate) fn repair(self: &Arc<Project>) -> Result<(), Trouble> {
        let (_, now, wrapper) = self.with_wrapper()?;
        self.busy("repairing", |job| {
            let failed = |error: tend::RepairError| Trouble::with(&error, error.remedy());
            let outcome =
                tend::repair_with(&wrapper, &now.documents, &RepairSettings::default(), job).map_err(failed)?;
            let known = self.lock().health.clone();
            let report = known.or_else(|| tend::check(&wrapper, now.documents.iter(), job).ok().map(Arc::new));
            let view = match outcome.repair() {
                Some(repair) => Arc::new(View::new(&repair.wrapper, &now.documents).map_err(Trouble::from_display)?),
                None => Arc::clone(&self.lock().view),
            };
            let old = self.old_pages(&wrapper, &now.documents);
            let old_view = View::new(&wrapper, &old).map_err(Trouble::from_display)?;
            let mut inner = self.lock();
            if let RepairOutcome::Healthy(report) = &outcome {
                inner.checked(Some(report.clone()));
            }
            inner.repair = Some(Arc::new(Mending {
                outcome,
                view,
                old: Arc::new(old),
                old_view: Arc::new(old_view),
                report,
                points: BTreeMap::new(),
                corrected: BTreeSet::new(),
                before: None,
            }));
            inner.notes.clear();
            inner.rev += 1;
            Ok(())
        })
    }

    /// The pages of before that are still there.
    fn old_pages(&self, wrapper: &Wrapper, now: &[Document]) -> Vec<Document> {
        let kept = save::pages_beside(&self.lock().file);
        let names: Vec<String> = match kept.is_dir() {
            true => vec![kept.display().to_string()],
            false => {
                let made = wrapper.evidence.pages.iter().map(|page| page.name.clone());
                let is_open = |name: &String| now.iter().any(|document| *document.name == **name);
                made.filter(|name| Path::new(name).is_file() && !is_open(name))
                    .collect()
            }
        };
        let (places, _) = input::find(names.iter().map(String::as_str));
        let read = places.iter().take(MOST_OLD);
        read.filter_map(|place| place.document(&self.opening.parse, true).ok())
            .collect()
    }

    /// A value that somebody points at corrects the repair.
    pub(crate) fn correct(
        self: &Arc<Project>,
        mending: &Arc<Mending>,
        page: usize,
        at: &api::Spot,
        field: &str,
        is_wrong: bool,
    ) -> Result<(), Trouble> {
        self.busy("learning", |job: &Job| {
            let now = self.lock().now.clone();
            let point = pointed(&now.documents, page, at, is_wrong)?;
            let mut new = (**mending).clone();
            let points = new.points.entry(field.to_owned()).or_default();
            points.retain(|old| (old.document, old.node) != (point.document, point.node));
            points.push(point);
            if is_wrong && points.iter().all(|point| point.is_wrong) {
                points.extend(crate::edit::others(&mending.view, &now.documents, field, &point));
            }
            let name = field.rsplit('.').next().unwrap_or(field);
            let made = make::point(&now.documents, mending.wrapper(), name, points, job)?;
            let view = View::new(&made.wrapper, &now.documents).map_err(Trouble::from_display)?;
            let (RepairOutcome::Repaired(repair) | RepairOutcome::Partly(repair) | RepairOutcome::Unsure(repair)) =
                &mut new.outcome
            else {
                return Err(Trouble::new(
                    "there is nothing to correct: the wrapper works on these pages",
                ));
            };
            repair.wrapper = made.wrapper;
            for field in repair.fields.iter_mut().filter(|known| known.name == field) {
                field.after = view.some(&field.name, SOME);
                // Somebody has seen it.
                field.sure = 1.0;
                field.left_out = false;
            }
            new.view = Arc::new(view);
            new.corrected.insert(field.to_owned());
            new.before = Some((format!("correct {field}"), Arc::clone(mending)));
            let mut inner = self.lock();
            inner.repair = Some(Arc::new(new));
            inner.notes = made.warnings.into_iter().chain(made.notes).collect();
            inner.rev += 1;
            Ok(())
        })
    }

    /// Takes the last correction back.
    pub(crate) fn uncorrect(&self) -> Result<(), Trouble> {
        let mut inner = self.lock();
        let before = inner.repair.as_ref().and_then(|mending| mending.before.clone());
        let Some((what, before)) = before else {
            return Err(Trouble::new("nothing was corrected yet; reject the repair to leave it"));
        };
        inner.repair = Some(before);
        inner.notes = vec![format!("undone: {what}")];
        inner.rev += 1;
        Ok(())
    }

    /// Uses the repaired wrapper from now on, without some of its fields.
    pub(crate) fn accept(self: &Arc<Project>, leave: &[String]) -> Result<(), Trouble> {
        let (rev, mut now, old) = self.with_wrapper()?;
        let mending = self.lock().repair.clone();
        let found = mending
            .as_deref()
            .and_then(|mending| Some((mending, mending.outcome.repair()?)));
        let Some((mending, repair)) = found else {
            return Err(Trouble::new("there is no repair to accept"));
        };
        let wrapper = tend::accept_repair(&repair.wrapper, leave)?;
        if let Some(report) = &mending.report {
            let entry = tend::accepted_entry(&old, report, repair, &wrapper, &now.documents, &Job::new());
            now.mended = entry.ok().map(Arc::new);
        }
        now.wrapper = Some(Arc::new(wrapper));
        now.points = Arc::new(mending.points.clone());
        self.lock().is_suspect = false;
        let note = "the repaired wrapper is in use; save it to keep it, the old version stays beside it".to_owned();
        self.commit(rev, "repair", now, vec![note])
    }

    /// The page of before that belongs to a page of now: its number, its name and the values on it.
    pub(crate) fn old(&self, page: usize) -> Option<(Arc<Mending>, usize)> {
        let inner = self.lock();
        let mending = Arc::clone(inner.repair.as_ref()?);
        let number = mending.old_of(inner.now.documents.get(page)?, page)?;
        Some((mending, number))
    }
}

//! The rule as people read it: the ways to each field, changed by hand, and the whole in OXPath.

use crate::api;
use crate::project::{Project, Trouble};
use crate::view::{clip, place};
use std::sync::Arc;
use wrapwright::Document;
use wrapwright::make::{self, TriedWay, TryWayError, WayListed};
use wrapwright::rule::paths::Way;
use wrapwright::show::{self, Language};

/// The most values of a path that are shown as examples.
const SOME: usize = 5;

impl Project {
    /// The rule in words and, if there is one, as an OXPath expression.
    pub(crate) fn rule(&self, field: Option<&str>) -> api::Rule {
        let (rev, now) = self.now();
        let Some(wrapper) = now.wrapper.as_deref() else {
            return api::Rule {
                rev,
                ..api::Rule::default()
            };
        };
        let each = make::eaches(wrapper, &now.documents, field)
            .into_iter()
            .map(|each| api::Each {
                path: each.path,
                filled: each.filled.0,
                of: each.filled.1,
                records: each.records,
            });
        api::Rule {
            rev,
            kind: wrapper.rule.kind(),
            text: show::text(wrapper),
            oxpath: show::in_language(wrapper, Language::Oxpath).ok(),
            each: each.collect(),
        }
    }

    /// The ways to a field.
    pub(crate) fn ways(&self, field: &str) -> api::Ways {
        let (rev, now) = self.now();
        let found = now.wrapper.as_deref();
        let found = found.map(|wrapper| make::ways(wrapper, &now.documents, field));
        let each = found.into_iter().flatten().map(|way| api::Way {
            path: way.path,
            around: way.around,
            filled: way.filled.0,
            of: way.filled.1,
        });
        api::Ways {
            rev,
            ways: each.collect(),
        }
    }

    /// What a path that somebody is writing would give; `at` is the way that it takes the place of.
    pub(crate) fn tried(&self, field: &str, at: usize, path: &str, page: usize) -> Result<api::Tried, Trouble> {
        let (_, now, wrapper) = self.with_wrapper()?;
        let way = rewritten(&make::ways(&wrapper, &[], field), at, path);
        let tried = match make::try_way(&wrapper, &now.documents, field, &way) {
            Ok(tried) => tried,
            Err(error) => return mistaken(error, path),
        };
        Ok(told(&tried, &now.documents, page))
    }

    /// What a path to records that somebody is writing would find.
    pub(crate) fn tried_each(&self, field: Option<&str>, path: &str, page: usize) -> Result<api::Tried, Trouble> {
        let (_, now, wrapper) = self.with_wrapper()?;
        match make::try_each(&wrapper, &now.documents, field, path) {
            Ok((tried, records)) => Ok(api::Tried {
                records,
                ..told(&tried, &now.documents, page)
            }),
            Err(error) => mistaken(error, path),
        }
    }

    /// Takes a path to records that somebody wrote.
    pub(crate) fn set_each(&self, field: Option<&str>, at: usize, path: &str) -> Result<(), Trouble> {
        let (rev, mut now, wrapper) = self.with_wrapper()?;
        now.wrapper = Some(Arc::new(make::set_each(&wrapper, &now.documents, field, at, path)?));
        self.commit(rev, "write a path to the records", now, Vec::new())
    }

    /// Takes a path that somebody wrote.
    pub(crate) fn set_way(&self, field: &str, at: usize, path: &str) -> Result<(), Trouble> {
        let (rev, mut now, wrapper) = self.with_wrapper()?;
        let way = rewritten(&make::ways(&wrapper, &[], field), at, path.trim());
        now.wrapper = Some(Arc::new(make::set_way(&wrapper, &now.documents, field, at, way)?));
        self.commit(rev, &format!("write a path to {field}"), now, Vec::new())
    }

    /// Says the rule as paths, which can be changed.
    pub(crate) fn to_paths(self: &Arc<Project>) -> Result<(), Trouble> {
        let (rev, mut now, wrapper) = self.with_wrapper()?;
        self.busy("learning paths", |job| {
            let made = match self.by_paths(&now, job) {
                Some(made) => made,
                None => make::to_paths(&wrapper, &now.documents, job)?,
            };
            now.wrapper = Some(Arc::new(made.wrapper));
            self.commit(rev, "say the rule as paths", now, made.warnings)
        })
    }
}

/// What a path gives, and where on a page.
fn told(tried: &TriedWay, documents: &[Document], page: usize) -> api::Tried {
    let here = tried.values.iter().filter(|(document, _, _)| *document == page);
    let tree = documents.get(page).map(|document| &document.page);
    let spots = here.filter_map(|(_, node, _)| place(tree?, *node));
    api::Tried {
        problem: None,
        filled: tried.filled.0,
        of: tried.filled.1,
        samples: tried.values.iter().take(SOME).map(|(_, _, text)| clip(text)).collect(),
        at: spots.collect(),
        records: 0,
    }
}

/// What is wrong with a path, and where.
fn mistaken(error: TryWayError, path: &str) -> Result<api::Tried, Trouble> {
    let TryWayError::Path(error) = error else {
        return Err(Trouble::from_display(error));
    };
    let found = error.diagnostics().first();
    let characters = |bytes: u32| path.get(..bytes as usize).map_or(0, |text| text.chars().count());
    Ok(api::Tried {
        problem: found.map(|found| api::Mistake {
            message: found.message.clone(),
            from: characters(found.span.start),
            to: characters(found.span.end),
            hints: found.hints.clone(),
        }),
        ..api::Tried::default()
    })
}

/// A way with another path; the words around its value stay.
fn rewritten(known: &[WayListed], at: usize, path: &str) -> Way {
    let old = known.get(at);
    let (after, before) = old.map(|way| way.around.clone()).unwrap_or_default();
    Way {
        path: path.to_owned(),
        skips: old.map(|way| way.skips.clone()).unwrap_or_default(),
        after,
        before,
        matching: old.map(|way| way.matching.clone()).unwrap_or_default(),
    }
}

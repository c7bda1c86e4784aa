//! What a check found on some pages: a value that merges, so that pages can be looked at in parts, on any number of
//! machines, and be judged once.
//!
//! *Idea.* A verdict needs sums only: the profiles of all pages, the number of pages in each state, and the smallest chance
//! of a single page. All of these merge. Names of pages are for people; only some are kept.
//!
//! *Input* is what a [`Survey`](crate::Survey) found; *output* is a [`Report`]. *Size*: JSON has at most [`NAMED`] pages for
//! each state and the samples that profiles keep, whatever the number of pages.
//!
//! *Known failures*: a profile keeps some labels, shapes and samples, the first ones. If there are more, which ones are kept
//! depends on the order in which parts are merged. Numbers of different values are then upper bounds. Merge parts in a fixed
//! order to get the same report again.

use crate::check::{DOUBT, Verdict, at_least};
use crate::compare::{Report, Unknown, compare};
use crate::survey::{PageCounts, PageReport, PageState};
use serde_json::{Value, json};
use std::fmt;
use wrapper::profile::{FieldProfile, Profile};
use wrapper::{Wrapper, profiles_from_json, profiles_to_json};

/// How many pages of each state keep their names.
pub const NAMED: usize = 100;

/// How often a page of a healthy site raises an alarm by itself. One in seven hundred was measured (`cargo xtask alarms`); sites differ, so ten times as
/// many are taken as usual.
pub(crate) const ODD_PAGE: f64 = 0.015;

/// The most characters of a name or a reason that is kept in JSON.
const LONGEST: usize = 1000;

/// What was found on some pages.
#[derive(Clone, Debug)]
pub struct Findings {
    /// For each table, without pages of another kind.
    pub(crate) profiles: Vec<Profile>,
    /// For each table, of pages of another kind.
    pub(crate) others: Vec<Profile>,
    /// Some of the pages, or all.
    pub(crate) pages: Vec<PageReport>,
    pub(crate) counts: PageCounts,
    /// The smallest chance of a page that has records.
    pub(crate) least: f64,
    /// Pages that could not be read.
    pub(crate) unread: u64,
    /// Why the first of them could not be read.
    pub(crate) first_unread: Option<String>,
}

/// Why JSON is not what a check found with a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingsError(String);

impl fmt::Display for FindingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a part of a check with this wrapper: {}", self.0)
    }
}

impl std::error::Error for FindingsError {}

impl Findings {
    /// No page.
    pub fn none(wrapper: &Wrapper) -> Findings {
        let tables = wrapper.record_type.tables();
        let empty: Vec<Profile> = tables
            .iter()
            .map(|table| Profile {
                fields: vec![FieldProfile::default(); table.columns.len()],
                ..Profile::default()
            })
            .collect();
        Findings {
            others: empty.clone(),
            profiles: empty,
            pages: Vec::new(),
            counts: PageCounts::default(),
            least: 1.0,
            unread: 0,
            first_unread: None,
        }
    }

    /// The pages that were looked at.
    pub fn counts(&self) -> PageCounts {
        self.counts
    }

    pub(crate) fn add_others(&mut self, profiles: &[Profile]) {
        add(&mut self.others, profiles);
    }

    /// Adds what was found on other pages.
    pub fn merge(&mut self, other: &Findings) {
        add(&mut self.profiles, &other.profiles);
        add(&mut self.others, &other.others);
        self.pages.extend(other.pages.iter().cloned());
        self.shorten();
        let (mine, more) = (&mut self.counts, other.counts);
        mine.as_before = mine.as_before.saturating_add(more.as_before);
        mine.changed = mine.changed.saturating_add(more.changed);
        mine.others = mine.others.saturating_add(more.others);
        self.least = self.least.min(other.least);
        self.unread = self.unread.saturating_add(other.unread);
        if self.first_unread.is_none() {
            self.first_unread.clone_from(&other.first_unread);
        }
    }

    /// Keeps [`NAMED`] pages of each state.
    pub(crate) fn shorten(&mut self) {
        let mut kept = PageCounts::default();
        self.pages.retain(|page| {
            kept.add(&page.state);
            let so_far = match page.state {
                PageState::AsBefore => kept.as_before,
                PageState::Changed(_) => kept.changed,
                PageState::Other => kept.others,
            };
            so_far <= NAMED as u64
        });
    }

    /// Compares what was found with what the wrapper knows.
    ///
    /// # Errors
    ///
    /// The wrapper knows nothing.
    pub fn judge(mut self, wrapper: &Wrapper) -> Result<Report, Unknown> {
        let PageCounts { changed, others, .. } = self.counts;
        let of_kind = self.counts.all() - others;
        if others.saturating_mul(2) >= self.counts.all() {
            add(&mut self.profiles, &self.others);
        }
        let mut report = compare(wrapper, self.profiles)?;
        report.pages = self.pages;
        report.counts = self.counts;
        if let Some(first) = self.first_unread {
            let pages = if self.unread == 1 { "page" } else { "pages" };
            report
                .notes
                .push(format!("{} {pages} could not be read; the first: {first}", self.unread));
        }
        let chance = match others.saturating_mul(2) > self.counts.all() {
            // Most pages are of another kind: whatever is found on them is nothing.
            true => 0.0,
            false => at_least(changed, of_kind, ODD_PAGE).min(self.least * of_kind as f64),
        };
        if let Some(outer) = report
            .tables
            .first_mut()
            .filter(|outer| chance < outer.alarm.chance && chance < DOUBT)
        {
            outer.alarm.chance = chance;
            outer.alarm.verdict = Verdict::Changed;
        }
        Ok(report)
    }

    /// As JSON, for another process with the same wrapper.
    pub fn to_json(&self) -> String {
        let mut short = self.clone();
        short.shorten();
        let pages = short.pages.iter().map(|page| match &page.state {
            PageState::Changed(reason) => json!([cut(&page.name), page.state.name(), cut(reason)]),
            PageState::AsBefore | PageState::Other => json!([cut(&page.name), page.state.name()]),
        });
        let counts = self.counts;
        let unread = json!([self.unread, self.first_unread.as_deref().map(cut)]);
        json!({
            "profiles": profiles_to_json(&self.profiles),
            "others": profiles_to_json(&self.others),
            "pages": pages.collect::<Vec<_>>(),
            "counts": [counts.as_before, counts.changed, counts.others],
            "least": self.least,
            "unread": unread,
        })
        .to_string()
    }

    /// Reads what [`to_json`](Findings::to_json) wrote with the same wrapper.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub fn from_json(text: &str, wrapper: &Wrapper) -> Result<Findings, FindingsError> {
        let bad = |what: &str| FindingsError(format!("found no `{what}`"));
        let value: Value = serde_json::from_str(text).map_err(|error| FindingsError(error.to_string()))?;
        let profiles = |key: &str| {
            profiles_from_json(&value[key], &wrapper.record_type).map_err(|error| FindingsError(error.to_string()))
        };
        let number = |key: &str, at: usize| value[key][at].as_u64().ok_or_else(|| bad(key));
        let pages = value["pages"].as_array().ok_or_else(|| bad("pages"))?;
        let pages: Option<Vec<PageReport>> = pages.iter().map(read_page).collect();
        Ok(Findings {
            profiles: profiles("profiles")?,
            others: profiles("others")?,
            pages: pages.ok_or_else(|| bad("pages"))?,
            counts: PageCounts {
                as_before: number("counts", 0)?,
                changed: number("counts", 1)?,
                others: number("counts", 2)?,
            },
            least: value["least"].as_f64().ok_or_else(|| bad("least"))?,
            unread: number("unread", 0)?,
            first_unread: value["unread"][1].as_str().map(str::to_owned),
        })
    }
}

fn read_page(value: &Value) -> Option<PageReport> {
    let state = match value[1].as_str()? {
        "as before" => PageState::AsBefore,
        "another kind" => PageState::Other,
        _ => PageState::Changed(value[2].as_str()?.to_owned()),
    };
    let name = value[0].as_str()?.to_owned();
    Some(PageReport { name, state })
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

fn add(sums: &mut [Profile], more: &[Profile]) {
    for (sum, profile) in sums.iter_mut().zip(more) {
        sum.merge(profile);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Survey;
    use page::{Document, ParseSettings};
    use record::RecordType;
    use wrapper::Rule;
    use wrapper::rule::paths::{PathField, Paths, Way};

    fn document(name: usize, html: &str) -> Document {
        Document::from_source(format!("p{name}"), html, &ParseSettings::default()).expect("a small page")
    }

    fn wrapper(pages: &[Document]) -> Wrapper {
        let title = Way {
            path: ".//h1".to_owned(),
            ..Way::default()
        };
        let fields = vec![PathField {
            many: false,
            ways: vec![title],
        }];
        let rule = Paths {
            fields,
            ..Paths::default()
        };
        Wrapper::made(Rule::Paths(rule), RecordType::flat("page", ["title"]), None, pages).expect("a rule that runs")
    }

    fn survey<'d>(wrapper: &Wrapper, pages: impl IntoIterator<Item = &'d Document>) -> Findings {
        let mut survey = Survey::new(wrapper).expect("a rule that runs");
        for page in pages {
            survey.add(page);
        }
        survey.findings()
    }

    #[test]
    fn parts_through_json_are_judged_as_the_whole() {
        let good: Vec<Document> = (0..40)
            .map(|at| document(at, &format!("<h1>Book {at}</h1><p>Price: {at}</p>")))
            .collect();
        let bad: Vec<Document> = (40..60)
            .map(|at| document(at, &format!("<h2>Book {at}</h2><p>Book 1</p>")))
            .collect();
        let wrapper = wrapper(&good);
        for pages in [
            good.iter().collect::<Vec<_>>(),
            good.iter().chain(&bad).collect(),
            bad.iter().collect(),
        ] {
            let whole = survey(&wrapper, pages.iter().copied())
                .judge(&wrapper)
                .expect("profiles");
            let mut all = Findings::none(&wrapper);
            for part in pages.chunks(7) {
                let part = survey(&wrapper, part.iter().copied()).to_json();
                all.merge(&Findings::from_json(&part, &wrapper).expect("what was written"));
            }
            let merged = all.judge(&wrapper).expect("profiles");
            assert_eq!(merged.is_fine(), pages.len() == 40);
            assert_eq!(merged.counts, whole.counts);
            assert_eq!(merged.to_json(), whole.to_json());
        }
    }

    #[test]
    fn the_number_of_pages_does_not_make_it_larger() {
        let pages: Vec<Document> = (0..400)
            .map(|at| document(at, &format!("<h1>Book {}</h1>", at % 50)))
            .collect();
        let wrapper = wrapper(&pages[..50]);
        let found = survey(&wrapper, &pages);
        let (few, many) = (survey(&wrapper, &pages[..200]).to_json(), found.to_json());
        assert!(
            many.len() < few.len() + few.len() / 20,
            "{} and {}",
            few.len(),
            many.len()
        );
        let back = Findings::from_json(&many, &wrapper).expect("what was written");
        assert_eq!((back.counts.as_before, back.pages.len()), (400, NAMED));
    }

    #[test]
    fn other_json_is_an_error() {
        let wrapper = wrapper(&[document(0, "<h1>a</h1>")]);
        for text in ["", "{}", "[]", r#"{"profiles":[],"others":[],"pages":[]}"#] {
            assert!(Findings::from_json(text, &wrapper).is_err(), "{text}");
        }
    }

    #[test]
    fn pages_that_cannot_be_read_are_told() {
        let page = document(0, "<h1>a</h1>");
        let wrapper = wrapper(std::slice::from_ref(&page));
        let mut survey = Survey::new(&wrapper).expect("a rule that runs");
        survey.add(&page);
        survey.add_unread("x: found a PNG image");
        let report = survey.finish().expect("profiles");
        assert_eq!(
            report.notes,
            ["1 page could not be read; the first: x: found a PNG image"]
        );
    }
}

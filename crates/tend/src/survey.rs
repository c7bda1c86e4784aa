//! Looks at pages one by one: which are as before, which are not, and which are pages of another kind.
//!
//! *Idea.* A check of all pages together says whether something is wrong, but not where. While a site is being redesigned,
//! some of its pages are old and some are new, and an average of the two says little about either. So each page is also checked
//! by itself, with the same questions ([`check`](crate::check())). There are three results ([`PageState`]):
//!
//! - *as before*;
//! - *changed*: nothing is found on the page, or what is found raises an alarm by itself;
//! - *of another kind*: nothing is found on it, or less than half of the usual fields, and it has few of the labels and values that are known ([`is_familiar`]). That is what an
//!   error page, a login or a list of links looks like, and it says nothing about the site. Such pages do not count as long as they are the
//!   minority; a redesign that leaves no word as it was looks like this, too. A page on which hardly anything is found and that calls itself
//!   an error or a login is one of them, too (`stranger`).
//!
//! *Verdict.* A healthy page raises an alarm by itself with a chance below [`DOUBT`], so the chance of the number of such pages
//! is at most that of a binomial distribution. If it is below [`DOUBT`], the site has changed, even if all pages together
//! look fine. The same holds if one page with records is so odd that its chance, times the number of pages, is below
//! [`DOUBT`]: its list is gone, or its columns were swapped. If other pages are as before, the report says that the pages are mixed ([`Report::is_mixed`]).
//!
//! *Cost*: a check for each page, which is little next to its extraction. Pages are not kept, only their names and results.
//!
//! *Parts.* What was found on some pages is a value of its own, [`Findings`], which merges with what was found on others. So
//! pages can be looked at on several machines, and all of them are judged once.
//!
//! *Known failures*: after learning from one or two pages, one page alone is no evidence unless most of its fields are missing,
//! so pages on which only one field is gone are told only by the check of all pages.

use crate::check::{Alarm, Verdict, check_table};
use crate::compare::{Report, Unknown};
use crate::findings::Findings;
use crate::stranger::stranger;
use learn::guided::wanted;
use page::{Document, Page};
use record::Rows;
use wrapper::profile::{FieldProfile, Profile};
use wrapper::rule::paths::{tidy, value};
use wrapper::{Observer, Wrapper, WrapperError};

/// What a check says of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReport {
    /// Its name.
    pub name: String,
    /// What it is like.
    pub state: PageState,
}

/// What a page is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageState {
    /// As pages were before.
    AsBefore,
    /// It has changed, with the most important reason.
    Changed(String),
    /// It is not of the kind that the wrapper is for.
    Other,
}

impl PageState {
    /// Its name in reports for programs.
    pub fn name(&self) -> &'static str {
        match self {
            PageState::AsBefore => "as before",
            PageState::Changed(_) => "changed",
            PageState::Other => "another kind",
        }
    }
}

/// How many pages are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// As pages were before.
    pub as_before: u64,
    /// Changed.
    pub changed: u64,
    /// Not of the kind that the wrapper is for.
    pub others: u64,
}

impl PageCounts {
    /// All pages.
    pub fn all(&self) -> u64 {
        self.as_before.saturating_add(self.changed).saturating_add(self.others)
    }

    /// Counts a page.
    pub(crate) fn add(&mut self, state: &PageState) {
        match state {
            PageState::AsBefore => self.as_before += 1,
            PageState::Changed(_) => self.changed += 1,
            PageState::Other => self.others += 1,
        }
    }
}

/// A check that looks at pages one by one.
#[derive(Debug)]
pub struct Survey<'w> {
    wrapper: &'w Wrapper,
    observer: Observer,
    /// What was found, without the profiles of the observer.
    found: Findings,
}

impl<'w> Survey<'w> {
    /// Starts without any page.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn new(wrapper: &'w Wrapper) -> Result<Survey<'w>, WrapperError> {
        let observer = Observer::new(wrapper)?;
        Ok(Survey {
            wrapper,
            observer,
            found: Findings::none(wrapper),
        })
    }

    /// Adds a page; returns the rows that were found on it.
    pub fn add(&mut self, document: &Document) -> Rows {
        let (rows, profiles) = self.observer.look(document);
        let state = self.judge(&document.page, &profiles);
        match state {
            PageState::Other => self.found.add_others(&profiles),
            _ => self.observer.merge(&profiles),
        }
        self.found.counts.add(&state);
        self.found.pages.push(PageReport {
            name: document.name.to_string(),
            state,
        });
        rows
    }

    /// Adds a page that could not be read, with the reason.
    pub fn add_unread(&mut self, reason: &str) {
        self.found.unread += 1;
        self.found.first_unread.get_or_insert_with(|| reason.to_owned());
    }

    /// The number of pages so far.
    pub fn pages(&self) -> usize {
        self.found.pages.len()
    }

    /// Forgets the names of pages that a report does not list, so that memory does not grow with the number of pages.
    pub fn forget(&mut self) {
        self.found.shorten();
    }

    fn judge(&mut self, page: &Page, profiles: &[Profile]) -> PageState {
        let known = &self.wrapper.evidence.profiles;
        if stranger(known, profiles, page).is_some() {
            return PageState::Other;
        }
        // An expression may give a record for any page, if nothing in it is required.
        let has_value = profiles
            .iter()
            .flat_map(|profile| &profile.fields)
            .any(|field| field.count > 0);
        if !has_value {
            return match is_familiar(known, page) {
                true => PageState::Changed("nothing was found on it".to_owned()),
                false => PageState::Other,
            };
        }
        let tables = self.wrapper.record_type.tables();
        for (table, (known, now)) in tables.iter().zip(known.iter().zip(profiles)) {
            let alarm = check_table(&wanted(table), known, now, !table.path.is_empty());
            self.found.least = self.found.least.min(alarm.chance);
            if alarm.verdict == Verdict::Changed {
                return match has_most(known, now) || is_familiar(&self.wrapper.evidence.profiles, page) {
                    true => PageState::Changed(reason(&alarm)),
                    false => PageState::Other,
                };
            }
        }
        PageState::AsBefore
    }

    /// What was found, to be merged with what is found on other pages.
    pub fn findings(self) -> Findings {
        Findings {
            profiles: self.observer.finish(),
            ..self.found
        }
    }

    /// Compares what was found with what is known.
    ///
    /// # Errors
    ///
    /// The wrapper knows nothing.
    pub fn finish(self) -> Result<Report, Unknown> {
        let wrapper = self.wrapper;
        let lacking = self.observer.lacking().to_vec();
        let report = self.findings().judge(wrapper)?;
        Ok(Report { lacking, ..report })
    }
}

impl Report {
    /// The names of the pages in a state, in order.
    fn named(&self, is: fn(&PageState) -> bool) -> Vec<&str> {
        let pages = self.pages.iter().filter(|page| is(&page.state));
        pages.map(|page| page.name.as_str()).collect()
    }

    /// The listed pages that are as before.
    pub fn as_before(&self) -> Vec<&str> {
        self.named(|state| *state == PageState::AsBefore)
    }

    /// The listed pages that have changed.
    pub fn changed(&self) -> Vec<&str> {
        self.named(|state| matches!(state, PageState::Changed(_)))
    }

    /// The listed pages of another kind than those that the wrapper is for.
    pub fn others(&self) -> Vec<&str> {
        self.named(|state| *state == PageState::Other)
    }

    /// Has the site changed on some pages, and not on others?
    pub fn is_mixed(&self) -> bool {
        self.has_changed() && self.counts.as_before > 0 && self.counts.changed > 0
    }
}

/// The most important reason of an alarm.
fn reason(alarm: &Alarm) -> String {
    let worst = alarm.fields.iter().min_by(|a, b| a.chance.total_cmp(&b.chance));
    let of_field = worst.and_then(|field| Some(format!("{}: {}", field.name, field.reasons.first()?)));
    let of_records = alarm.reasons.first().cloned();
    of_records
        .or(of_field)
        .unwrap_or_else(|| "several fields are unusual".to_owned())
}

/// The shortest label and the shortest value by which a page is recognized: shorter ones are found anywhere.
const SHORTEST: (usize, usize) = (3, 6);

/// Values of one field, each from a page of its own, that tell an overview of several such pages.
const OVERVIEW: usize = 3;
/// One of this number of labels must be on a page of the right kind.
const LABELS: usize = 3;

/// Has a page at least half of the fields that most records have?
fn has_most(known: &Profile, now: &Profile) -> bool {
    let usual = known.fields.iter().zip(&now.fields);
    let usual = usual.filter(|(was, _)| was.records.saturating_mul(2) >= known.records && was.count > 0);
    let (all, found) = usual.fold((0, 0), |(all, found), (_, is)| {
        (all + 1, found + usize::from(is.count > 0))
    });
    found * 2 >= all
}

/// Does a page have some of the labels, or a value, that are known? If each page is about one thing, a page with the values of several things and without their labels is
/// an overview of them.
fn is_familiar(known: &[Profile], page: &Page) -> bool {
    let text = said(page);
    let fields = || known.iter().flat_map(|profile| &profile.fields);
    let mut labels: Vec<&str> = fields().filter_map(FieldProfile::label).collect();
    labels.retain(|label| label.chars().count() >= SHORTEST.0);
    labels.sort_unstable();
    labels.dedup();
    let found = labels.iter().filter(|label| has_words(&text, label)).count();
    if found > 0 && found * LABELS >= labels.len() {
        return true;
    }
    let is_one = known.first().is_some_and(|profile| profile.records <= profile.pages);
    let of = |field: &FieldProfile| {
        let samples = field.samples.iter().filter(|value| value.chars().count() >= SHORTEST.1);
        samples.filter(|value| has_words(&text, value)).count()
    };
    let counts: Vec<usize> = fields().map(of).collect();
    let is_overview = is_one && !labels.is_empty() && counts.iter().any(|count| *count >= OVERVIEW);
    !is_overview && counts.iter().any(|count| *count > 0)
}

/// The text of a page, with a space between texts, since those of two elements are not one word.
pub(crate) fn said(page: &Page) -> String {
    let texts: Vec<String> = page.texts().iter().map(|node| value(page, *node)).collect();
    tidy(&texts.join(" "))
}

/// Does a text have these words, not only as a part of longer ones?
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let starts = is_word(words.chars().next());
    let ends = is_word(words.chars().next_back());
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !(starts && is_word(before) || ends && is_word(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_one_of_three_fields_is_not_one_of_the_kind() {
        let profile = |counts: [u64; 3]| {
            let field = |count: u64| FieldProfile {
                count,
                records: count,
                ..FieldProfile::default()
            };
            Profile {
                records: 9,
                fields: counts.map(field).to_vec(),
                ..Profile::default()
            }
        };
        let known = profile([9, 9, 8]);
        assert!(has_most(&known, &profile([1, 0, 1])));
        assert!(!has_most(&known, &profile([1, 0, 0])));
        // What few records have does not count.
        assert!(has_most(&profile([9, 9, 1]), &profile([1, 0, 0])));
    }

    #[test]
    fn words_are_whole() {
        let check = |text: &str, words: &str, expected: bool| {
            assert_eq!(has_words(text, words), expected, "{words} in {text}");
        };
        check("Update your cart", "date", false);
        check("Date: May 4", "Date:", true);
        check("Our Price: 12", "Price", true);
        check("Prices, Price", "Price", true);
        check("a C++ book", "C++", true);
    }
}

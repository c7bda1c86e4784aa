//! Looks at pages one by one: which are as before, which are not, and which are pages of another kind.
//!
//! *Idea.* A check of all pages together says whether something is wrong, but not where. While a site is being redesigned,
//! some of its pages are old and some are new, and an average of the two says little about either. So each page is also checked
//! by itself, with the same questions ([`check`](crate::check())). There are three results ([`PageState`]):
//!
//! - *as before*;
//! - *changed*: nothing is found on the page, or what is found raises an alarm by itself;
//! - *of another kind*: nothing is found on it, or less than half of the usual fields, and it has few of the labels and values that are known, or
//!   it is an overview of several such pages ([`Said`]). That is what an error page, a login or a list of links looks like, and it says nothing about the site. Such pages do not count as long as they are the
//!   minority; a redesign that leaves no word as it was looks like this, too. A page on which hardly anything is found and that calls itself
//!   an error or a login is one of them, too (`stranger`).
//!
//! *Verdict.* A healthy page raises an alarm by itself with a small chance ([`ODD_PAGE`](crate::findings::ODD_PAGE)), so the chance of the number of such pages
//! is at most that of a binomial distribution. If it is below [`DOUBT`], the site has changed, even if all pages together
//! look fine. The same holds if one page with records is so odd that its chance, times the number of pages, is below
//! [`DOUBT`]: its list is gone, or its columns were swapped. And it holds if nothing is found on a page that surely has records, or that is surely one of the kind where each known page had one. If other pages are as before, the report says that the pages are mixed ([`Report::is_mixed`]).
//!
//! *Cost*: a check for each page, which is little next to its extraction. Pages are not kept, only their names and results.
//!
//! *Parts.* What was found on some pages is a value of its own, [`Findings`], which merges with what was found on others. So
//! pages can be looked at on several machines, and all of them are judged once.
//!
//! *Known failures*: after learning from one or two pages, one page alone is no evidence unless most of its fields are missing,
//! so pages on which only one field is gone are told only by the check of all pages.

use crate::check::{Alarm, Asked, Verdict, check_table};
use crate::compare::{Report, Unknown};
use crate::findings::Findings;
use crate::stranger::{stranger, usual};
use page::{Document, Page};
use record::Rows;
use wrapper::profile::{FieldProfile, Profile, shape};
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
            let text = Said::new(page);
            if text.has_records(known) {
                // There is no doubt about this page, however many others are as before.
                self.found.least = 0.0;
                return PageState::Changed("its records are not read".to_owned());
            }
            let may_be_empty = known
                .first()
                .is_some_and(|outer| outer.per_page.0 == 0 && outer.per_page.1 > 1);
            if !text.is_familiar(known) {
                return PageState::Other;
            }
            if may_be_empty {
                return PageState::AsBefore;
            }
            if text.is_one_of_them(known) {
                self.found.least = self.found.least.min(EMPTY_PAGE);
            }
            return PageState::Changed("nothing was found on it".to_owned());
        }
        let tables = self.wrapper.record_type.tables();
        let mut least = self.found.least;
        for (table, (known, now)) in tables.iter().zip(known.iter().zip(profiles)) {
            let alarm = check_table(&Asked::of(self.wrapper, table), known, now);
            least = least.min(alarm.chance);
            if alarm.verdict == Verdict::Changed {
                if !has_most(known, now) && !Said::new(page).is_familiar(&self.wrapper.evidence.profiles) {
                    return PageState::Other;
                }
                self.found.least = least;
                return PageState::Changed(reason(&alarm));
            }
        }
        self.found.least = least;
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
    let worst = alarm.fields.iter().filter(|field| field.is_shown);
    let worst = worst.min_by(|a, b| a.chance.total_cmp(&b.chance));
    let of_field = worst.and_then(|field| Some(format!("{}: {}", field.name, field.reasons.first()?)));
    let of_records = alarm.reasons.first().cloned();
    of_records
        .or(of_field)
        .unwrap_or_else(|| "several fields are unusual".to_owned())
}

/// The shortest label and the shortest value by which a page is recognized: shorter ones are found anywhere.
const SHORTEST: (usize, usize) = (3, 6);

/// This number of values of one field, each from a page of its own, tells an overview of several such pages; and so does this multiple of the texts that are
/// written like values. Where there are several records, a label is said at least this number of times.
const SEVERAL: usize = 3;
/// One of this number of labels must be on a page of the right kind.
const LABELS: usize = 2;

/// The chance that nothing is found on a healthy page that says what such pages say, if something was found on all known pages: below one in a thousand, as for the answers
/// that decide by themselves.
const EMPTY_PAGE: f64 = 0.002;
/// The least number of fields whose known values a page has, and of texts that are written like values, that tell that a page is one of the kind.
const ALIKE: usize = 2;

/// Has a page at least half of the fields that most records have, without those that are in the title of each page?
fn has_most(known: &Profile, now: &Profile) -> bool {
    let (all, found) = usual((known, now)).fold((0, 0), |(all, found), (_, is)| {
        (all + 1, found + usize::from(is.count > 0))
    });
    found * 2 >= all
}

/// What a page says, looked through for what is known.
struct Said<'p> {
    page: &'p Page,
    /// All texts, with a space between them.
    text: String,
    /// Where in it each text begins.
    starts: Vec<usize>,
}

impl<'p> Said<'p> {
    fn new(page: &'p Page) -> Said<'p> {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for own in page.texts().iter().map(|node| tidy(&value(page, *node))) {
            if !text.is_empty() && !own.is_empty() {
                text.push(' ');
            }
            starts.push(text.len());
            text += &own;
        }
        Said { page, text, starts }
    }

    /// Does a page have some of the labels, or a value, that are known, or as many texts that are written like values as a page about one thing had? And is it not an
    /// overview of several such pages?
    fn is_familiar(&self, known: &[Profile]) -> bool {
        let (found, all) = self.labels(known, 1);
        let has_value = || self.known_values(known).iter().any(|count| *count > 0);
        let has_kinds = || {
            let mut outer = known.first().into_iter().filter(|outer| outer.records <= outer.pages);
            outer.any(|outer| per_page(outer) >= 1.0 && self.written(outer) >= per_page(outer))
        };
        (found > 0 && found * LABELS >= all || has_value() || has_kinds()) && !self.is_overview(known)
    }

    /// Is a page on which nothing is found surely one of the kind? It has known values of at least half of the fields, or as many texts that are written like values as a page had; and
    /// each known page had a record.
    fn is_one_of_them(&self, known: &[Profile]) -> bool {
        let had_records = |table: &&Profile| table.pages > 0 && !table.counts.contains_key(&0);
        known.iter().filter(had_records).any(|table| {
            let values = self.known_values(std::slice::from_ref(table));
            let some = values.iter().filter(|count| **count > 0).count();
            let written = per_page(table);
            let has_values = some >= ALIKE && some * 2 >= table.fields.len();
            has_values || written >= ALIKE as f64 && self.written(table) >= written
        })
    }

    /// How many of the labels of fields are said at least `times` times, and how many there are. A single label must be the beginning of a text, since it may be no more than the name of
    /// the site, which is also in the footer. What is in the title of the page is no label, for the same reason.
    fn labels(&self, known: &[Profile], times: usize) -> (usize, usize) {
        let title = self
            .page
            .name_id("title")
            .and_then(|name| self.page.elements_named(name).first());
        let title = title
            .map(|node| tidy(self.page.string_value(*node)))
            .unwrap_or_default();
        let fields = known.iter().flat_map(|profile| &profile.fields);
        let labels = fields.filter_map(FieldProfile::label);
        let mut labels: Vec<&str> = labels.map(|label| label.trim_end_matches([':', ' '])).collect();
        labels.retain(|label| label.chars().count() >= SHORTEST.0 && !has_words(&title, label));
        labels.sort_unstable();
        labels.dedup();
        let is_one = labels.len() == 1;
        let is_start = |(at, _): &(usize, &str)| !is_one || self.starts.binary_search(at).is_ok();
        let found = labels.iter().filter(|label| {
            let said = matches(&self.text, label).filter(is_start);
            said.take(times).count() == times
        });
        (found.count(), labels.len())
    }

    /// For each field, how many of its known values are on the page.
    fn known_values(&self, known: &[Profile]) -> Vec<usize> {
        let of = |field: &FieldProfile| {
            let samples = field.samples.iter().filter(|value| value.chars().count() >= SHORTEST.1);
            samples.filter(|value| has_words(&self.text, value)).count()
        };
        known.iter().flat_map(|profile| &profile.fields).map(of).collect()
    }

    /// If each page is about one thing: does this one have the values of several? It has many more texts that are written like values; or several known values of
    /// a field that had one on each page, hardly any of the other fields, and few labels.
    fn is_overview(&self, known: &[Profile]) -> bool {
        let Some(outer) = known.first().filter(|outer| outer.records <= outer.pages) else {
            return false;
        };
        let written = per_page(outer);
        if written >= 1.0 && self.written(outer) >= SEVERAL as f64 * written {
            return true;
        }
        let values = self.known_values(&known[..1]);
        let each = || outer.fields.iter().zip(&values);
        let is_several = each().any(|(field, count)| field.count <= field.records && *count >= SEVERAL);
        let some = each().filter(|(_, count)| **count > 0).count();
        let (found, all) = self.labels(known, 1);
        is_several && some * 2 <= outer.fields.len() && !(found >= 2 && found * 2 >= all)
    }

    /// The number of texts that are written like values of a table, if few texts are.
    fn written(&self, table: &Profile) -> f64 {
        let shapes = table.written();
        let texts = self.page.texts().iter();
        let like = texts.filter(|node| shapes.contains(&shape(&value(self.page, **node))));
        like.count() as f64
    }

    /// Are there surely records on a page on which nothing was found? One that each page has: most of its labels are there, and there are several.
    /// A list: labels are said several times, or texts are written like values, at least half as many as the shortest list had, and several more
    /// than other texts were. The headings of an empty list are no record.
    fn has_records(&self, known: &[Profile]) -> bool {
        let Some(outer) = known.first() else { return false };
        if self.is_overview(known) {
            return false;
        }
        let is_list = outer.records > outer.pages;
        let times = if is_list { SEVERAL } else { 1 };
        let (found, all) = self.labels(&known[..1], times);
        if found >= 2 && found * 2 >= all {
            return true;
        }
        let others = outer.strays.1 as f64 / outer.pages.max(1) as f64;
        let least = (outer.per_page.0 as f64 / 2.0).max(SEVERAL as f64) + 2.0 * others;
        is_list && self.written(outer) >= least
    }
}

/// The texts on a page of before that were written like values, read or not.
fn per_page(table: &Profile) -> f64 {
    table.strays.0.saturating_add(table.strays.1) as f64 / table.pages.max(1) as f64
}

/// The text of a page, with a space between texts, since those of two elements are not one word.
pub(crate) fn said(page: &Page) -> String {
    let texts: Vec<String> = page.texts().iter().map(|node| value(page, *node)).collect();
    tidy(&texts.join(" "))
}

/// Does a text have these words, not only as a part of longer ones?
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    matches(text, words).next().is_some()
}

/// The places where a text has these words.
fn matches<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let starts = is_word(words.chars().next());
    let ends = is_word(words.chars().next_back());
    text.match_indices(words).filter(move |(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !(starts && is_word(before) || ends && is_word(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::ParseSettings;
    use record::RecordType;
    use wrapper::Rule;
    use wrapper::rule::paths::{PathField, Paths, Way};

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

    fn documents(pages: &[String]) -> Vec<Document> {
        let pages = pages.iter().enumerate();
        let read = |(at, html): (usize, &String)| {
            Document::from_source(format!("p{at}"), html.as_str(), &ParseSettings::default()).expect("a small page")
        };
        pages.map(read).collect()
    }

    /// A wrapper for a title and two prices by paths, each in a record at a path.
    fn wrapper(record: Option<&str>, paths: [&str; 3], pages: &[String]) -> Wrapper {
        let field = |path: &str| PathField {
            many: false,
            ways: vec![Way {
                path: path.to_owned(),
                ..Way::default()
            }],
        };
        let rule = Paths {
            each: record.map(str::to_owned).into_iter().collect(),
            fields: paths.map(field).to_vec(),
            ..Paths::default()
        };
        let fields = RecordType::flat("book", ["title", "disc", "tape"]);
        Wrapper::made(Rule::Paths(rule), fields, None, &documents(pages)).expect("a rule that runs")
    }

    fn report(wrapper: &Wrapper, pages: &[String]) -> Report {
        let mut survey = Survey::new(wrapper).expect("a rule that runs");
        documents(pages).iter().for_each(|page| drop(survey.add(page)));
        survey.finish().expect("profiles")
    }

    fn first_line(wrapper: &Wrapper, pages: &[String]) -> String {
        let text = report(wrapper, pages).to_text(100, false);
        text.lines().next().unwrap_or_default().to_owned()
    }

    /// A page about one book, and the same in a new design.
    fn book(at: usize) -> String {
        format!(
            "<title>Book {at} - Shop</title><h1>Story {at}</h1><p><b>DVD:</b> <i>${at}.10</i></p><p><b>VHS:</b> <i>${at}.75</i></p>"
        )
    }

    fn new_book(at: usize) -> String {
        format!("<title>Book {at} - Shop</title><h2>Story {at}</h2><dl><dt>DVD<dd>${at}.10<dt>VHS<dd>${at}.75</dl>")
    }

    fn books(range: std::ops::Range<usize>, page: impl Fn(usize) -> String) -> Vec<String> {
        range.map(page).collect()
    }

    const BOOK: [&str; 3] = [".//h1", ".//p[1]/i", ".//p[2]/i"];

    #[test]
    fn one_page_whose_record_is_not_read_is_told_among_many_good_ones() {
        let wrapper = wrapper(None, BOOK, &books(10..15, book));
        let mixed = [books(20..29, book), books(29..30, new_book)].concat();
        assert_eq!(
            first_line(&wrapper, &mixed),
            "✗ The pages are mixed: 9 of 10 are as before, 1 has changed."
        );
        assert!(report(&wrapper, &books(20..30, book)).is_fine());
        // An error says nothing about the site.
        let error = "<title>Not found</title><h2>Not found</h2>".to_owned();
        assert!(report(&wrapper, &[books(20..29, book), vec![error]].concat()).is_fine());
    }

    #[test]
    fn one_empty_page_of_ten_that_says_what_such_pages_say_is_told() {
        // Without labels, only known values and how values are written tell.
        let known = |at: usize| format!("<h1>Story {at}</h1><p><i>${at}.10</i></p><p><i>${at}.75</i></p>");
        let wrapper = wrapper(None, BOOK, &books(10..14, known));
        let new = |at: usize| format!("<h2>Story {at}</h2><dl><dd>${at}.10<dd>${at}.75</dl>");
        for at in [12, 90] {
            let mixed = [books(20..29, known), books(at..at + 1, new)].concat();
            assert_eq!(
                first_line(&wrapper, &mixed),
                "✗ The pages are mixed: 9 of 10 are as before, 1 has changed."
            );
        }
        // A page of another kind that names one of them.
        let about = "<h2>About us</h2><p>We sell Story 12 and others.</p>".to_owned();
        assert!(report(&wrapper, &[books(20..29, known), vec![about]].concat()).is_fine());
    }

    #[test]
    fn a_field_that_is_not_shown_raises_no_alarm() {
        let without_tape = |at: usize| format!("<h1>Story {at}</h1><p><b>DVD:</b> <i>${at}.10</i></p>");
        let shows = |fields: &[&str]| Wrapper {
            shown: Some(fields.iter().map(|field| (*field).to_owned()).collect()),
            ..wrapper(None, BOOK, &books(10..35, book))
        };
        let pages = books(40..45, without_tape);
        assert!(!report(&shows(&["title", "tape"]), &pages).is_fine());
        let alone = shows(&["title", "disc"]);
        let found = report(&alone, &pages);
        assert!(found.is_fine() && found.gone().next().is_none());
        assert!(
            !found.to_text(100, false).contains("tape"),
            "{}",
            found.to_text(100, false)
        );
        // That no page has a record any more is told, whatever is shown.
        assert!(!report(&alone, &books(40..45, new_book)).is_fine());
    }

    #[test]
    fn what_every_record_had_and_none_has_is_named() {
        let wrapper = wrapper(None, BOOK, &books(10..12, book));
        let page = |at: usize| format!("<h1>Story {at}</h1><p><b>DVD:</b> <i>${at}.10</i></p>");
        let report = report(&wrapper, &books(20..21, page));
        assert!(report.is_fine());
        assert_eq!(report.gone().collect::<Vec<_>>(), ["tape"]);
    }

    #[test]
    fn an_overview_of_pages_is_of_another_kind() {
        let wrapper = wrapper(None, BOOK, &books(10..15, book));
        let rows = |range: std::ops::Range<usize>| -> String {
            range
                .map(|at| format!("<li><a href=\"{at}\">Story {at}</a> ${at}.10</li>"))
                .collect()
        };
        for range in [10..20, 50..60] {
            let page = format!("<title>All books</title><h2>All books</h2><ul>{}</ul>", rows(range));
            let line = first_line(&wrapper, &[page]);
            assert!(line.contains("of another kind"), "{line}");
        }
        // The same words, but about one book.
        assert!(first_line(&wrapper, &books(50..51, new_book)).contains("site has changed"));
    }

    #[test]
    fn a_list_whose_second_half_has_a_new_design_is_told() {
        let rows = |range: std::ops::Range<usize>| -> String {
            range
                .map(|at| format!("<tr><td>Story {at}<td>${at}.10<td>${at}.75"))
                .collect()
        };
        let page = |rows: &str| format!("<table>{rows}</table>");
        let known = [page(&rows(10..18)), page(&rows(20..26))];
        let wrapper = wrapper(Some("//tr"), ["td[1]", "td[2]", "td[3]"], &known);
        assert!(report(&wrapper, &[page(&rows(30..38))]).is_fine());
        let new: String = (40..46)
            .map(|at| format!("<p>Story {at} <b>${at}.10</b> <b>${at}.75</b></p>"))
            .collect();
        assert!(!report(&wrapper, &[page(&rows(30..38)) + &new]).is_fine());
    }
}

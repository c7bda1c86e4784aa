//! A wrapper: how records are found, what type they have, and what is known about them.
//!
//! [`Wrapper::made`] is the only place where a new wrapper gets its evidence: the pages it was made from and, for each
//! table of its records, the profile of what it gives on them. Everything that makes rules (a learner, an inference, a
//! repair) ends here.

use crate::file::{Evidence, Seen, WrapperError, shape};
use crate::fit::{Fit, Misfit};
use crate::navigation::Navigation;
use crate::profile::{FieldProfile, Gathering, Profile};
use crate::rule::absolute::{self, InSource};
use crate::rule::assemble::assemble;
use crate::rule::landmark::{self, Landmarks};
use crate::rule::paths::{self, Paths, PathsRun};
use crate::rule::template::{self, Template};
use crate::rule::{Delimiters, End, Event, Program};
use crate::schema::{SchemaError, from_dtd, from_json_schema};
use oxpath::run::{LackingField, RunOptions};
use page::{Document, LimitError, Limits, NodeId, Page};
use record::{Choice, Record, RecordType, Rows};
use std::collections::HashSet;
use std::sync::Arc;

/// A wrapper with everything that is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrapper {
    /// The type of its records.
    pub record_type: RecordType,
    /// The schema from the user, as it was written.
    pub given: Option<Given>,
    /// How records are found.
    pub rule: Rule,
    /// What it was made from.
    pub evidence: Evidence,
    /// The fields that it shows, by their paths, in order; none if it shows all. The others are still found, compared and
    /// repaired, so they can be shown again.
    pub shown: Option<Vec<String>>,
    /// The fields that tell its records apart, by their paths; empty if nobody said. A table is updated by them.
    pub key: Vec<String>,
    /// How its pages are reached on the live site, if that is known. An expression navigates by itself.
    pub navigation: Option<Navigation>,
}

/// The rule of a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Strings before and after the values; its attributes are the text fields of the type, in order.
    Delimiters(Delimiters),
    /// Landmarks around the values, on the page's tree.
    Landmarks(Landmarks),
    /// Strings and type constructors.
    Template(Template),
    /// Paths to the records and to the values of each field.
    Paths(Paths),
    /// An expression that navigates, acts and extracts.
    Oxpath(String),
}

impl Rule {
    /// The name of the kind in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Rule::Delimiters(_) => "delimiters",
            Rule::Landmarks(_) => "landmarks",
            Rule::Template(_) => "template",
            Rule::Paths(_) => "paths",
            Rule::Oxpath(_) => "oxpath",
        }
    }
}

/// A schema as a user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A DTD.
    Dtd(String),
    /// A JSON Schema.
    JsonSchema(String),
}

impl Given {
    /// The type of records that it describes.
    ///
    /// # Errors
    ///
    /// The schema cannot be used.
    pub fn record_type(&self) -> Result<RecordType, SchemaError> {
        match self {
            Given::Dtd(text) => from_dtd(text),
            Given::JsonSchema(text) => from_json_schema(text),
        }
    }
}

/// A wrapper made ready to run. It can be used on any number of pages, from any number of threads.
#[derive(Debug)]
pub struct Runner {
    record_type: RecordType,
    /// The fields that are shown, and the type of records with these.
    shown: Option<(Choice, RecordType)>,
    /// What pages must have.
    fit: Option<Fit>,
    program: Ready,
}

#[derive(Debug)]
enum Ready {
    Delimiters(Box<Program>),
    Landmarks(Box<landmark::Run>),
    Template(Box<template::Run>),
    Paths(Box<PathsRun>),
    Oxpath(Box<oxpath::run::Tail>),
}

/// What a wrapper gives on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The records, in page order.
    pub records: Vec<Record>,
    /// How the run of the rule ended.
    pub end: End,
    /// The paths of fields that have only one value, but of which the rule found several in a record. They are joined,
    /// with a space between them.
    pub joined: Vec<String>,
    /// Set if the page is not of the kind that the wrapper is for. Then there are no records.
    pub misfit: Option<Misfit>,
    /// Records that lack a field which the expression calls required, once for each field.
    pub lacking: Vec<LackingField>,
}

impl Runner {
    /// Does the rule read the source of a page, rather than its tree?
    pub fn reads_source(&self) -> bool {
        matches!(self.program, Ready::Delimiters(_))
    }

    /// The type of the records that [`run`](Runner::run) gives: with the fields that the wrapper shows. How their numbers and
    /// dates are written is known from the wrapper's evidence.
    pub fn record_type(&self) -> &RecordType {
        self.shown.as_ref().map_or(&self.record_type, |(_, shown)| shown)
    }

    /// The records of a document; `raw` gives values as they are in the source. If a rule reads the source and the
    /// document has none, the page is written as HTML and that is read.
    ///
    /// The records fit their type: if a page has several values where the pages that the wrapper was made from have
    /// one, they are joined. Addresses of links and pictures are absolute, if the address of the page is known. A page that
    /// lacks most of what nearly all pages had gives no record ([`Extracted::misfit`]).
    pub fn run(&self, document: &Document, raw: bool) -> Extracted {
        let mut found = self.fitting(self.find(document, raw, true), Some(&document.page));
        let page = &document.page;
        if !raw
            && !matches!(self.program, Ready::Oxpath(_) | Ready::Delimiters(_))
            && let Some(base) = oxpath::address::base(document.address(), page.base_href())
        {
            absolute::in_records(&mut found.records, page, &base);
        }
        if self.may_exceed() {
            let each = found.records.iter_mut();
            found.joined = each.flat_map(|record| self.record_type.join(record)).collect();
            found.joined.sort_unstable();
            found.joined.dedup();
        }
        self.chosen(found)
    }

    /// Nothing, if the page does not fit.
    fn fitting(&self, mut found: Extracted, page: Option<&Page>) -> Extracted {
        let whole = matches!(self.program, Ready::Template(_)) && found.end == End::Regular;
        let by_records = || {
            let fit = self.fit.as_ref()?;
            let misfit = fit.misfit(&found.records, page)?;
            (!(whole && fit.has_own(&found.records))).then_some(misfit)
        };
        found.misfit = found.misfit.or_else(by_records);
        if found.misfit.is_some() {
            found.records.clear();
        }
        found
    }

    /// Only what the wrapper shows.
    fn chosen(&self, mut found: Extracted) -> Extracted {
        if let Some((choice, _)) = &self.shown {
            let records = found.records.into_iter();
            found.records = records.map(|record| choice.of_record(record)).collect();
        }
        found
    }

    /// May the rule find several values of a field that has only one? Its regions contain whatever a page has there.
    fn may_exceed(&self) -> bool {
        matches!(self.program, Ready::Landmarks(_) | Ready::Template(_))
    }

    /// What the rule finds. `whole` makes addresses absolute that delimiters cut out of the source, or that an expression gives.
    fn find(&self, document: &Document, raw: bool, whole: bool) -> Extracted {
        let (name, page) = (document.address(), &document.page);
        let mut lacking = Vec::new();
        let mut misfit = None;
        let (records, end) = match &self.program {
            Ready::Delimiters(program) => {
                return match &document.source {
                    Some(source) => self.cut(program, name, source, raw, whole),
                    None => self.cut(program, name, &page.to_html(NodeId::DOCUMENT), raw, whole),
                };
            }
            Ready::Landmarks(run) => {
                let (events, labelled) = run.page_with_labels(page, raw);
                let assembled = |events| landmark::assemble(run.rule(), &self.record_type.name, events, name);
                if !labelled.is_empty()
                    && let Some(fit) = &self.fit
                {
                    let by_label =
                        |event: &Event| matches!(event, Event::Value { field, .. } if labelled.contains(field));
                    let own = events.iter().filter(|event| !by_label(event)).cloned().collect();
                    let own: Vec<Record> = assembled(own).into_iter().collect();
                    misfit = fit.misfit_without(&own, &landmark::only_labelled(run.rule()), Some(page));
                }
                (assembled(events).into_iter().collect(), End::Regular)
            }
            Ready::Template(run) => {
                let (events, gaps) = run.page(page);
                let record = template::assemble(run.template(), &self.record_type.name, events, name);
                let end = match gaps.len() {
                    0 => End::Regular,
                    gaps => End::Gaps(gaps as u32),
                };
                (record.into_iter().collect(), end)
            }
            Ready::Paths(run) => (paths::assemble(&self.record_type, &run.page(page), name), End::Regular),
            Ready::Oxpath(tail) => {
                let options = RunOptions {
                    whole_addresses: whole,
                    ..RunOptions::default()
                };
                let found = tail.page_with(page, name, &options);
                let end = match found.failures.len() {
                    0 => End::Regular,
                    count => End::Failed(count as u32),
                };
                lacking = found.lacking;
                (found.records, end)
            }
        };
        Extracted {
            records,
            end,
            joined: Vec::new(),
            misfit,
            lacking,
        }
    }

    /// The records of a page, given its decoded source. `name` is its address, if it is known. Rules that read the source need no tree, so none is built for
    /// them.
    ///
    /// # Errors
    ///
    /// A tree is needed, and the page exceeds one of the limits.
    pub fn run_source(
        &self,
        name: &Arc<str>,
        source: &str,
        limits: &Limits,
        raw: bool,
    ) -> Result<Extracted, LimitError> {
        match &self.program {
            Ready::Delimiters(program) => {
                Ok(self.chosen(self.fitting(self.cut(program, name, source, raw, true), None)))
            }
            _ => {
                let page = Page::parse_str(source, limits)?;
                Ok(self.run(&Document::new(Arc::clone(name), page), raw))
            }
        }
    }

    fn cut(&self, program: &Program, name: &Arc<str>, source: &str, raw: bool, whole: bool) -> Extracted {
        let found = program.apply(source);
        let text = InSource::new(name, source, whole);
        Extracted {
            records: assemble(&self.record_type, &found.values, &text, name, raw),
            end: found.end,
            joined: Vec::new(),
            misfit: None,
            lacking: Vec::new(),
        }
    }

    /// What the rule finds on a document, as rows of each table, with all values of a field even if it should have only
    /// one.
    pub fn rows(&self, document: &Document) -> Rows {
        self.record_type.rows(&self.find(document, false, false).records)
    }
}

impl Wrapper {
    /// A wrapper for a rule, with its evidence: the pages it was made from, and what it gives on them.
    ///
    /// A region of an inferred rule contains as many values as a page has there, so the pages decide: a field that has
    /// several values in some record is a list.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn made(
        rule: Rule,
        record_type: RecordType,
        given: Option<Given>,
        documents: &[Document],
    ) -> Result<Wrapper, WrapperError> {
        let mut wrapper = Wrapper::bare(rule, record_type, given);
        let mut observer = Observer::new(&wrapper)?;
        let pages = observer.add_all(documents);
        if wrapper.given.is_none() {
            wrapper.record_type.clone_from(observer.record_type());
        }
        let profiles = observer.finish();
        wrapper.evidence = Evidence {
            pages,
            profiles,
            later: Vec::new(),
            doubts: Vec::new(),
        };
        Ok(wrapper)
    }

    /// A wrapper without evidence: it runs, but cannot be checked.
    pub fn bare(rule: Rule, record_type: RecordType, given: Option<Given>) -> Wrapper {
        Wrapper {
            record_type,
            given,
            rule,
            evidence: Evidence::default(),
            shown: None,
            key: Vec::new(),
            navigation: None,
        }
    }

    /// Makes the wrapper ready to run.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn runner(&self) -> Result<Runner, WrapperError> {
        let fault = |(part, message): (usize, String)| shape(&format!("rule.parts[{part}]"), &message);
        let program = match &self.rule {
            Rule::Delimiters(rule) => {
                let program = Program::new(rule);
                let program = program.map_err(|error| shape(&format!("rule.{}", error.place), &error.message))?;
                Ready::Delimiters(Box::new(program))
            }
            Rule::Landmarks(rule) => match rule.fault() {
                Some(found) => return Err(fault(found)),
                None => Ready::Landmarks(Box::new(landmark::Run::new(rule))),
            },
            Rule::Template(rule) => match rule.fault() {
                Some(found) => return Err(fault(found)),
                None => Ready::Template(Box::new(template::Run::new(rule))),
            },
            Rule::Paths(rule) => {
                let run = PathsRun::new(rule);
                let run = run.map_err(|error| shape(&format!("rule.{}", error.place), &error.message))?;
                Ready::Paths(Box::new(run))
            }
            Rule::Oxpath(text) => {
                let tail = oxpath::run::Tail::new(text).map_err(|error| shape("rule", &error.to_string()))?;
                Ready::Oxpath(Box::new(tail))
            }
        };
        let shown = self.shown.as_ref().map(Choice::new);
        let record_type = self.decided_type();
        Ok(Runner {
            shown: shown.map(|choice| {
                let shown = choice.of_type(&record_type);
                (choice, shown)
            }),
            record_type,
            fit: Fit::of(self),
            program,
        })
    }

    /// The type of the records that it gives, as a sink needs it: with the fields that it shows, and with the conventions of
    /// numbers and dates that the samples in the profiles decide, so that a value is read in the same way whichever page
    /// comes first.
    pub fn sink_type(&self) -> RecordType {
        let decided = self.decided_type();
        match &self.shown {
            Some(shown) => Choice::new(shown).of_type(&decided),
            None => decided,
        }
    }

    /// The type of all fields, with their conventions.
    fn decided_type(&self) -> RecordType {
        let mut kind = self.record_type.clone();
        let mut samples: Vec<Vec<&[String]>> = Vec::new();
        for profile in &self.evidence.profiles {
            samples.push(profile.fields.iter().map(|field| field.samples.as_slice()).collect());
        }
        kind.decide_conventions(&samples);
        kind
    }

    /// The records of a page. For many pages, make a [`Runner`] once with [`Wrapper::runner`].
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    ///
    /// ```
    /// use page::{Document, Limits, Page};
    /// use record::RecordType;
    /// use wrapper::rule::paths::{PathField, Paths, Way};
    /// use wrapper::{Rule, Wrapper};
    ///
    /// let title = Way { path: ".//h1".to_owned(), ..Way::default() };
    /// let rule = Paths { fields: vec![PathField { many: false, ways: vec![title] }], ..Paths::default() };
    /// let wrapper = Wrapper::bare(Rule::Paths(rule), RecordType::flat("page", ["title"]), None);
    /// let page = Page::parse_str("<h1>Kelp</h1>", &Limits::default())?;
    /// let records = wrapper.extract(&Document::new("a.html", page))?;
    /// assert_eq!(records[0].get("title"), Some("Kelp"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extract(&self, document: &Document) -> Result<Vec<Record>, WrapperError> {
        Ok(self.runner()?.run(document, false).records)
    }

    /// The profiles of what the wrapper gives on documents, one for each table.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn observe(&self, documents: &[Document]) -> Result<Vec<Profile>, WrapperError> {
        let mut observer = Observer::new(self)?;
        for document in documents {
            observer.add(document);
        }
        Ok(observer.finish())
    }

    /// Does it have profiles of its values, so that a run can be compared with them?
    pub fn is_known(&self) -> bool {
        self.evidence.profiles.iter().any(|profile| profile.records > 0)
    }
}

/// The most threads that gather profiles: somebody waits for a wrapper, but other work goes on, too.
const MOST_THREADS: usize = 8;
/// The fewest documents that are worth a thread.
const A_THREAD: usize = 3;

/// What a thread found on a document.
struct Looked {
    seen: Seen,
    profiles: Vec<Profile>,
    lacking: Vec<LackingField>,
}

/// Gathers the profiles of what a wrapper gives, page by page, so that the number of pages is not limited.
#[derive(Debug)]
pub struct Observer {
    runner: Runner,
    record_type: RecordType,
    profiles: Vec<Profile>,
    /// For each table, what is known of how its values are written.
    written: Vec<HashSet<String>>,
    lacking: Vec<LackingField>,
}

impl Observer {
    /// Starts without any page.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn new(wrapper: &Wrapper) -> Result<Observer, WrapperError> {
        let tables = wrapper.record_type.tables();
        let profiles = tables.iter().map(|table| Profile {
            fields: vec![FieldProfile::default(); table.columns.len()],
            ..Profile::default()
        });
        let known = |table: usize| wrapper.evidence.profiles.get(table).map(Profile::written);
        Ok(Observer {
            written: (0..tables.len())
                .map(|table| known(table).unwrap_or_default())
                .collect(),
            profiles: profiles.collect(),
            runner: wrapper.runner()?,
            record_type: wrapper.record_type.clone(),
            lacking: Vec::new(),
        })
    }

    /// Adds a document; returns the rows of each table that were found on it.
    pub fn add(&mut self, document: &Document) -> Rows {
        let (rows, profiles) = self.look(document);
        self.merge(&profiles);
        rows
    }

    /// Adds documents, on several threads if there are enough of them; returns what was seen of each.
    fn add_all(&mut self, documents: &[Document]) -> Vec<Seen> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = cores.min(MOST_THREADS).min(documents.len() / A_THREAD);
        if threads < 2 || self.runner.may_exceed() {
            return documents
                .iter()
                .map(|document| Seen::of(document, &self.add(document)))
                .collect();
        }
        let part = documents.len().div_ceil(threads);
        let on = |documents: &[Document]| -> Vec<Looked> {
            documents.iter().map(|document| self.looked(document)).collect()
        };
        let parts: Vec<Option<Vec<Looked>>> = std::thread::scope(|scope| {
            let started: Vec<_> = documents
                .chunks(part)
                .map(|part| std::thread::Builder::new().spawn_scoped(scope, || on(part)).ok())
                .collect();
            started.into_iter().map(|thread| thread?.join().ok()).collect()
        });
        let chunks = documents.chunks(part).zip(parts);
        // Where the system gave no thread, or one broke down, the work is done here, as if there were none.
        let looked: Vec<Looked> = chunks
            .flat_map(|(documents, part)| part.unwrap_or_else(|| on(documents)))
            .collect();
        let mut all = Vec::new();
        for each in looked {
            self.merge(&each.profiles);
            LackingField::add_all(&mut self.lacking, &each.lacking);
            all.push(each.seen);
        }
        all
    }

    /// The rows of each table on a document and their profiles, which are not added.
    pub fn look(&mut self, document: &Document) -> (Rows, Vec<Profile>) {
        let Extracted { records, lacking, .. } = self.runner.find(document, false, false);
        LackingField::add_all(&mut self.lacking, &lacking);
        if self.runner.may_exceed() {
            records.iter().for_each(|record| self.record_type.widen(record));
        }
        self.gathered(document, &records)
    }

    /// The same for a rule whose records are never more than their type says.
    fn looked(&self, document: &Document) -> Looked {
        let Extracted { records, lacking, .. } = self.runner.find(document, false, false);
        let (rows, profiles) = self.gathered(document, &records);
        Looked {
            seen: Seen::of(document, &rows),
            profiles,
            lacking,
        }
    }

    fn gathered(&self, document: &Document, records: &[Record]) -> (Rows, Vec<Profile>) {
        let rows = self.record_type.rows(records);
        let tables = self.profiles.iter().zip(&self.written).zip(&rows);
        let gathering = Gathering::new(&document.page);
        let profiles = tables.map(|((profile, written), rows)| gathering.of(profile.fields.len(), rows, written));
        let profiles = profiles.collect();
        (rows, profiles)
    }

    /// Adds the profiles of a document.
    pub fn merge(&mut self, profiles: &[Profile]) {
        for (profile, new) in self.profiles.iter_mut().zip(profiles) {
            profile.merge(new);
        }
    }

    /// The records so far that lack a required field, once for each field.
    pub fn lacking(&self) -> &[LackingField] {
        &self.lacking
    }

    /// The type that all records so far fit: a field of which one has several values is a list.
    pub fn record_type(&self) -> &RecordType {
        &self.record_type
    }

    /// The profile of each table.
    pub fn finish(self) -> Vec<Profile> {
        self.profiles
    }
}

impl Seen {
    /// A document that these rows were found on.
    pub fn of(document: &Document, rows: &Rows) -> Seen {
        Seen {
            name: document.name.to_string(),
            bytes: document.text().len() as u64,
            // Whether its source is kept is a matter of the rule and of the door that the page came through; it is the same page.
            hash: hash(document.page.text()),
            values: rows.iter().flatten().flatten().map(|values| values.len() as u64).sum(),
        }
    }
}

/// A hash of a page's text, as sixteen hexadecimal digits: FNV-1a with 64 bits.
pub fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::paths::{PathField, Way};

    #[test]
    fn threads_see_what_one_after_the_other_sees() {
        let way = |path: &str| PathField {
            many: false,
            ways: vec![Way {
                path: path.to_owned(),
                ..Way::default()
            }],
        };
        let rule = Paths {
            each: vec!["//li".to_owned()],
            fields: vec![way("b"), way("i")],
            ..Paths::default()
        };
        let kind = RecordType::flat("record", ["title", "price"]);
        let page = |number: usize| {
            let items: String = (0..number % 5)
                .map(|item| format!("<li><b>T {number} {item}</b> Price: <i>{item}.50</i>"))
                .collect();
            let page = Page::parse_str(&format!("<ul>{items}</ul>"), &Limits::default()).expect("a page");
            Document::new(format!("{number}.html"), page)
        };
        for count in [0, 1, 7, 25] {
            let documents: Vec<Document> = (0..count).map(page).collect();
            let made = Wrapper::made(Rule::Paths(rule.clone()), kind.clone(), None, &documents).expect("a wrapper");
            let mut observer = Observer::new(&made).expect("an observer");
            let pages: Vec<Seen> = documents
                .iter()
                .map(|document| Seen::of(document, &observer.add(document)))
                .collect();
            assert_eq!(made.evidence.pages, pages, "{count}");
            assert_eq!(made.evidence.profiles, observer.finish(), "{count}");
        }
    }
}

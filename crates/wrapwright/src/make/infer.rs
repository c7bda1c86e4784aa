//! Wrappers from pages alone.
//!
//! There are four methods. Landmarks find what all pages share and name fields after the page's own labels: for pages with one
//! record each. Templates, by EXALG, find lists of records; both need several pages. Regions find the list of records on a single
//! page, or on each of several. Structured data alone is enough for a page that says to programs which thing it is about.
//! [`Method::Auto`], the default, decides whether pages are records or lists of them
//! ([`learn::choose`](::learn::choose)), and takes the method that suits them. What it chose must pass a check: a wrapper that finds
//! nothing on half of its own pages is not taken if there is another. All pages must come from one template; [`clusters`] tells
//! whether they seem to.

use super::MakeError;
use super::odd::odd_pages;
use crate::fields::Listed;
use crate::{Document, Job, Page, Wrapper};
use ::learn::choose::{self, Description, describe};
use ::learn::infer::{Objective, Search};
use ::learn::regions::{self, Region, Thing};
use ::learn::{exalg, infer as by_landmarks, tables};
use page::structured::Source;
use page::{Kind, NodeId};
use record::{Field, RecordType};
use wrapper::Rule;
use wrapper::rule::paths::{PathRecord, PathsRun};
use wrapper::rule::{Event, landmark, template};

/// How to infer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The method that suits the pages.
    #[default]
    Auto,
    /// Landmarks around the values.
    Landmarks,
    /// A template, by EXALG.
    Exalg,
    /// A list of records, found on each page alone.
    Regions,
    /// What structured data says about the thing of each page.
    Data,
}

/// How to infer a wrapper.
#[derive(Clone, Debug)]
pub struct InferSettings {
    /// The method.
    pub method: Method,
    /// What a good rule is; for landmarks.
    pub objective: Objective,
    /// How the fewest tokens are sought; for [`Objective::Tokens`].
    pub search: Search,
    /// In how many pages a landmark must occur, without a number in half of them; for [`Objective::Tokens`].
    pub k: Option<usize>,
    /// May attributes tell tags apart? For landmarks.
    pub lattice: bool,
    /// The attributes whose values may do so, beside the names of all; for landmarks.
    pub attributes: Option<Vec<String>>,
    /// The attributes of landmarks whose values are fields where they vary.
    pub values: Vec<String>,
    /// Are texts that are the same on all pages fields, too? For landmarks.
    pub all: bool,
    /// Where chance begins.
    pub seed: u64,
    /// How many tokens a class must have; for EXALG.
    pub size: usize,
    /// On which part of the pages a class must be; for EXALG.
    pub support: f64,
    /// Which of the lists of a page, the best being the first; counted from 1.
    pub list: usize,
    /// What a record is called.
    pub record: String,
}

impl Default for InferSettings {
    fn default() -> InferSettings {
        let landmarks = by_landmarks::LandmarkSettings::default();
        let template = exalg::TemplateSettings::default();
        InferSettings {
            method: Method::default(),
            objective: landmarks.objective,
            search: landmarks.search,
            k: landmarks.k,
            lattice: landmarks.lattice,
            attributes: landmarks.attributes,
            values: landmarks.values,
            all: landmarks.all,
            seed: landmarks.seed,
            size: template.size,
            support: template.support,
            list: 1,
            record: "record".to_owned(),
        }
    }
}

/// A wrapper that was inferred.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// How well its rule describes the pages.
    pub description: Description,
    /// The names of the fields.
    pub fields: Vec<String>,
    /// How it was made, in words.
    pub notes: Vec<String>,
    /// The names of pages that are of another kind than most, so that the wrapper is not made from them.
    pub left_out: Vec<String>,
    /// The next list of the page with the same columns.
    pub like: Option<LikeList>,
}

/// A list of a page that has the same columns as the one that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikeList {
    /// Its number among the lists of the page, which [`InferSettings::list`] asks for.
    pub number: usize,
    /// The heading above it.
    pub title: Option<String>,
    /// The number of its records on the page.
    pub records: usize,
}

/// Infers a wrapper from documents that one template made.
///
/// A stopped job ends the search with the best rule so far. The job is told of each step: splits made, of those known.
///
/// # Errors
///
/// [`MakeError::Infer`] when the pages are too few, without text, or all the same, [`MakeError::NoValues`] when they share nothing with a
/// value in it, and [`MakeError::Stopped`] when the job was stopped before something was found.
///
/// ```
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let page = |name: &str, title: &str, price: &str| {
///     let html = format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>");
///     Document::from_source(name, html, &ParseSettings::default())
/// };
/// let pages = [page("a", "Kelp", "12.50")?, page("b", "Moss", "8.00")?, page("c", "Fern", "9.75")?];
///
/// let inferred = wrapwright::infer(&pages, &Default::default(), &Job::new())?;
/// let records = inferred.wrapper.extract(&pages[1])?;
/// assert_eq!(records[0].get("title"), Some("Moss"));
/// assert_eq!(records[0].get("price"), Some("8.00"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn infer(documents: &[Document], settings: &InferSettings, job: &Job) -> Result<Inferred, MakeError> {
    if let [only] = documents
        && only.page.string_value(NodeId::DOCUMENT).trim().is_empty()
        && only.page.elements().len() <= SHELL
    {
        return Err(MakeError::Empty(only.name.to_string()));
    }
    let inferred = from_all(documents, settings, job).map_err(|error| match job.is_stopped() {
        true => MakeError::Stopped,
        false => error,
    })?;
    let odd = odd_pages(&inferred.wrapper, documents);
    if odd.is_empty() || odd.len() * 2 >= documents.len() || job.is_stopped() {
        return Ok(inferred);
    }
    // Pages of another kind spoil the fields of the others.
    let rest = documents.iter().enumerate().filter(|(at, _)| !odd.contains(at));
    let rest: Vec<Document> = rest.map(|(_, document)| document.clone()).collect();
    let Ok(mut better) = from_all(&rest, settings, job) else {
        return Ok(inferred);
    };
    better.left_out = odd.iter().map(|at| documents[*at].name.to_string()).collect();
    let some: Vec<&str> = better.left_out.iter().take(NAMES).map(String::as_str).collect();
    let more = if odd.len() > NAMES { ", …" } else { "" };
    better.notes.insert(
        1,
        format!(
            "left out {} of {} pages, which are of another kind: {}{more}",
            odd.len(),
            documents.len(),
            some.join(", ")
        ),
    );
    Ok(better)
}

/// The elements of a page without anything in it: `html`, `head` and `body`.
const SHELL: usize = 3;
/// The most pages that a note names.
const NAMES: usize = 3;

fn from_all(documents: &[Document], settings: &InferSettings, job: &Job) -> Result<Inferred, MakeError> {
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    let ways = Ways {
        documents,
        pages: &pages,
        settings,
        job,
    };
    let mut inferred = match settings.method {
        // What only landmarks can do was asked for.
        Method::Auto if settings.all || settings.objective == Objective::Tokens => ways.made(ways.landmarks()?)?,
        Method::Auto => ways.first_sound(ways.auto()?)?,
        Method::Regions => ways.made(ways.regions()?)?,
        Method::Landmarks => ways.made(ways.landmarks()?)?,
        // One page does not show what pages share, but what repeats on it.
        Method::Exalg if documents.len() == 1 => ways.made(ways.regions()?)?,
        Method::Exalg => ways.made(ways.exalg()?)?,
        Method::Data => ways.made(ways.data()?)?,
    };
    if inferred.wrapper.evidence.pages.iter().all(|page| page.values == 0) {
        return Err(MakeError::NoValues(pages.len()));
    }
    // What is the same on all pages was asked for, too, so nothing is hidden.
    if !settings.all {
        inferred.wrapper.shown = super::shown::choose(&inferred.wrapper, documents);
    }
    let listed = crate::fields::list(&inferred.wrapper);
    let never = never_filled(&listed);
    if !never.is_empty() {
        inferred
            .notes
            .push(format!("no page has a value of {}", never.join(", ")));
    }
    let without: Vec<&str> = documents
        .iter()
        .filter(|document| {
            inferred
                .wrapper
                .extract(document)
                .is_ok_and(|records| records.is_empty())
        })
        .map(|document| &*document.name)
        .collect();
    if !without.is_empty() {
        let some = without[..without.len().min(NAMES)].join(", ");
        let more = if without.len() > NAMES { ", …" } else { "" };
        let all = counted(documents.len(), "page");
        inferred
            .notes
            .push(format!("no record on {} of {all}: {some}{more}", without.len()));
    }
    inferred
        .notes
        .insert(0, format!("found {}", summary(&inferred.wrapper, &listed)));
    let shown: Vec<String> = listed
        .into_iter()
        .filter(|field| field.shown)
        .map(|field| field.name)
        .collect();
    // A wrapper without a field gives nothing on any page.
    if shown.is_empty() {
        return Err(MakeError::NoValues(pages.len()));
    }
    let hidden = match inferred.fields.len().saturating_sub(shown.len()) {
        0 => String::new(),
        count => format!(" and {count} that are not shown"),
    };
    inferred.notes.push(format!(
        "{}{hidden} from {}: {}",
        counted(shown.len(), "field"),
        counted(pages.len(), "page"),
        shown.join(", ")
    ));
    Ok(inferred)
}

/// A wrapper for a list, and the names of its fields.
pub(super) fn from_region(
    region: Region,
    record: &str,
    documents: &[Document],
) -> Result<(Wrapper, Vec<String>), MakeError> {
    let kind = region_type(&region, record);
    let Region { rule, names, .. } = region;
    Ok((Wrapper::made(Rule::Paths(rule), kind, None, documents)?, names))
}

/// The type of the records of a list.
fn region_type(region: &Region, record: &str) -> RecordType {
    let fields = region
        .names
        .iter()
        .zip(&region.rule.fields)
        .map(|(name, field)| match field.many {
            true => Field::texts(name.as_str()),
            false => Field::text(name.as_str()),
        });
    RecordType::new(record, fields.collect())
}

/// What a wrapper gives, in a few words: one record a page, or a list of records.
fn summary(wrapper: &Wrapper, fields: &[Listed]) -> String {
    let shown = |path: &str| {
        let is_in = |name: &str| path.is_empty() || name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        fields.iter().filter(|field| field.shown && is_in(&field.name)).count()
    };
    let pages = wrapper.evidence.pages.len().max(1) as u64;
    let tables = wrapper.record_type.tables();
    let profiles = &wrapper.evidence.profiles;
    let main = match &wrapper.rule {
        Rule::Paths(rule) if !rule.each.is_empty() => Some(0),
        // The list with most values.
        Rule::Template(_) => (1..tables.len().min(profiles.len()))
            .filter(|table| profiles[*table].records >= 2 * pages && shown(&tables[*table].name()) >= 2)
            .max_by_key(|table| profiles[*table].fields.iter().map(|field| field.count).sum::<u64>()),
        _ => None,
    };
    let Some(main) = main else {
        return format!("one record a page with {}", counted(shown(""), "field"));
    };
    let records = profiles.get(main).map_or(0, |profile| profile.records);
    let with = counted(shown(&tables[main].name()), "field");
    match pages {
        1 => format!("a list of {} with {with}", counted(records as usize, "record")),
        _ => {
            let each = counted((records as f64 / pages as f64).round() as usize, "record");
            format!("a list of about {each} a page with {with}")
        }
    }
}

/// The fields that are shown and have no value on any page.
fn never_filled(fields: &[Listed]) -> Vec<String> {
    let never = fields.iter().filter(|field| field.shown && field.values.0 == 0);
    never.map(|field| format!("`{}`", field.name)).collect()
}

/// A rule that a wrapper may be made of. The evidence of a wrapper takes longer than most rules, so that of those which are not
/// taken is never gathered.
struct Candidate {
    rule: Rule,
    kind: RecordType,
    description: Description,
    fields: Vec<String>,
    notes: Vec<String>,
    like: Option<LikeList>,
    /// The fields of a region that are told by labels, classes or forms.
    told: Vec<usize>,
}

struct Ways<'w> {
    documents: &'w [Document],
    pages: &'w [&'w Page],
    settings: &'w InferSettings,
    job: &'w Job,
}

impl Ways<'_> {
    /// The wrapper of a rule.
    fn made(&self, candidate: Candidate) -> Result<Inferred, MakeError> {
        let wrapper = Wrapper::made(candidate.rule, candidate.kind, None, self.documents)?;
        Ok(Inferred {
            wrapper,
            description: candidate.description,
            fields: candidate.fields,
            notes: candidate.notes,
            left_out: Vec::new(),
            like: candidate.like,
        })
    }

    /// The first wrapper that finds something on more than half of the pages that it was made from, or else the first one.
    fn first_sound(&self, candidates: Vec<Candidate>) -> Result<Inferred, MakeError> {
        let mut first = Err(MakeError::NoList);
        for candidate in candidates {
            let made = self.made(candidate);
            if made.as_ref().is_ok_and(|made| self.is_sound(made)) {
                return made;
            }
            first = first.or(made);
        }
        first
    }

    /// The rules of the method that suits the pages, the best first.
    fn auto(&self) -> Result<Vec<Candidate>, MakeError> {
        // A page that says to programs which thing it is about is no list.
        let thing = match self.pages.len() {
            1 if self.settings.list == 1 => self.data().ok(),
            _ => None,
        };
        let (regions, labelled) = self.lists();
        if let Some(thing) = thing {
            // An article may be a list.
            return match regions {
                Ok(list) if may_be_list(&thing) && self.is_index(&list) => Ok(vec![list]),
                _ => Ok(vec![thing]),
            };
        }
        if self.pages.len() == 1 {
            let labelled = labelled.filter(|_| self.settings.list == 1);
            let has_list = regions.is_ok();
            return Ok(vec![labelled.map_or(regions, |thing| Ok(self.thing(thing, has_list)))?]);
        }
        let (pages, named) = (self.pages.len(), choose::named(self.pages));
        let share = regions.as_ref().map_or(0, |made| made.description.list.share);
        // Where many pages have names and no list is in sight, a template would not change that.
        let is_clear = named >= NAMED && share * 2 < choose::needed(pages, named);
        let is_large = self.pages.iter().any(|page| page.elements().len() > LARGE);
        let template = match is_clear || is_large || self.is_no_list(choose::needed(pages, named)) {
            true => None,
            false => Some(self.exalg()),
        };
        let mut lists = Vec::new();
        for made in template.into_iter().chain([regions]) {
            lists.extend(made.ok());
        }
        let descriptions: Vec<Description> = lists.iter().map(|made| made.description).collect();
        let mut agree = None;
        if let ([template, regions], [by_template, by_regions]) = (&descriptions[..], &lists[..]) {
            let mut found = [by_regions, by_template].map(|made| found(&made.rule, self.pages));
            if regions.grouped {
                found[0] = found[0].iter().map(|events| choose::without_groups(events)).collect();
            }
            agree = choose::agree(&found[0], &found[1]);
            let headings = choose::takes_headings(&found[0], &found[1]);
            // Rows of tables with different columns are not one list.
            let mixed = tables::mixes_tables(self.pages, &found[1]) && !tables::mixes_tables(self.pages, &found[0]);
            // A template with the label in its values, or with those of several fields in one, such as links of several kinds in an inner list.
            let told = &by_regions.told;
            let names_inner = || choose::names_inner(&found[0], &found[1], told, &by_regions.fields);
            let told = agree.is_some_and(|fields| fields < usize::MAX || names_inner())
                && regions.listed >= template.listed
                && choose::tells_more(&found[0], &found[1], told, &by_regions.fields);
            let shifted = choose::reaches_over_breaks(self.pages, &found[0], &found[1]);
            // The same list as a part of what the pages say about one thing.
            let has_own = agree.is_some() && choose::labelled_outside(self.pages, &found[1]) >= OWN;
            let is_wrong = headings || mixed || shifted;
            if is_wrong || !has_own && (told || choose::prefers_regions(regions, template, agree)) {
                lists.swap(0, 1);
            }
        }
        let is_table = |made: &Candidate| {
            matches!(made.rule, Rule::Paths(_)) && choose::are_properties(self.pages, &found(&made.rule, self.pages))
        };
        let are_lists = choose::are_lists(pages, named, &descriptions, agree.is_some());
        let is_table = lists.iter().any(is_table);
        let mut made = match are_lists && !is_table {
            true => lists,
            false => match self.landmarks() {
                Ok(record) => {
                    let nests = |list: &Candidate| {
                        let is_template = matches!(list.rule, Rule::Template(_));
                        are_lists && is_template && choose::nests_list(&list.description, &record.description)
                    };
                    let at = lists.iter().position(nests);
                    let better = at.map(|at| lists.remove(at));
                    better.into_iter().chain([record]).chain(lists).collect()
                }
                // Pages that are all the same may still have a list, and pages without texts structured data.
                Err(error) if lists.is_empty() => return Ok(vec![self.data().map_err(|_| error)?]),
                Err(_) => lists,
            },
        };
        if made.is_empty() {
            made.push(self.landmarks()?);
        }
        Ok(made)
    }

    /// Is a large part of a page a list of links? The paragraphs of an article may be a list as well, but they are no links.
    fn is_index(&self, list: &Candidate) -> bool {
        let (mut all, mut in_links) = (0, 0);
        for (page, events) in self.pages.iter().zip(found(&list.rule, self.pages)) {
            for event in events {
                let Event::Value { node, text, .. } = event else {
                    continue;
                };
                if page.kind(node) == Kind::Text {
                    all += text.len();
                    let is_linked = page.ancestors(node).any(|up| page.name(up) == "a");
                    in_links += if is_linked { text.len() } else { 0 };
                }
            }
        }
        list.description.list.share >= LISTED && in_links * 2 > all
    }

    /// Do a few of many large pages say that a template would not be a list? `needed` is the part of the data that must be in one.
    fn is_no_list(&self, needed: u64) -> bool {
        let elements: usize = self.pages.iter().map(|page| page.elements().len()).sum();
        if elements <= LONG || self.pages.len() <= 2 * TRIAL {
            return false;
        }
        let few = self.pages.iter().step_by(self.pages.len() / TRIAL).take(TRIAL);
        let few: Vec<&Page> = few.copied().collect();
        let Ok(inferred) = exalg::infer(&few, &self.template_settings(), self.job) else {
            return false;
        };
        let parts = inferred.template.parts.len();
        let description = describe(&few, &found(&Rule::Template(inferred.template), &few), parts);
        choose::list_share(&[description]) + DOUBT < needed
    }

    fn template_settings(&self) -> exalg::TemplateSettings {
        exalg::TemplateSettings {
            size: self.settings.size.max(1),
            support: self.settings.support,
            ..exalg::TemplateSettings::default()
        }
    }

    /// Does a wrapper find something on more than half of the pages that it was made from?
    fn is_sound(&self, made: &Inferred) -> bool {
        let filled = made.wrapper.evidence.pages.iter().filter(|page| page.values > 0);
        filled.count() * 2 > self.pages.len()
    }

    /// A list of records, found on one of the first pages; the one that describes all pages best.
    fn regions(&self) -> Result<Candidate, MakeError> {
        self.lists().0
    }

    /// The same, and the one thing that the first page is about.
    fn lists(&self) -> (Result<Candidate, MakeError>, Option<Thing>) {
        let mut thing = None;
        let list = self.list(|number, page| {
            let found = regions::look(page, self.job);
            if number == 0 {
                thing = found.thing;
            }
            found.lists
        });
        (list, thing)
    }

    fn list(&self, mut find: impl FnMut(usize, &Page) -> Vec<Region>) -> Result<Candidate, MakeError> {
        let number = self.settings.list.max(1);
        // Many pages with names of their own are hardly lists, so a rough look at theirs is enough.
        let is_about_one = self.settings.method == Method::Auto && choose::named(self.pages) >= NAMED;
        let mut best: Option<Found> = None;
        let mut most = 0;
        for (from, page) in self.pages.iter().enumerate().take(TRIED) {
            let mut regions = find(from, page);
            most = most.max(regions.len());
            if regions.len() < number {
                continue;
            }
            let at = match is_about_one || number > 1 {
                true => number - 1,
                false => self.with_data(from, &regions),
            };
            let region = regions.remove(at);
            let Some(description) = described(&region, self.pages) else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|best| description.bits < best.description.bits)
            {
                best = Some(Found {
                    from,
                    at,
                    region,
                    description,
                    others: regions,
                });
            }
        }
        if let Some(best) = best.as_mut().filter(|best| {
            !is_about_one && choose::is_list(&best.description.list) && best.description.list.share >= JOINED
        }) {
            self.join(best);
        }
        let Some(Found {
            at: taken,
            region,
            description,
            others,
            ..
        }) = best
        else {
            return Err(match most {
                0 => MakeError::NoList,
                most => MakeError::FewerLists {
                    found: most,
                    wanted: number,
                },
            });
        };
        // Without headings of their own, two lists may have the same records.
        let is_like = |other: &Region| {
            let titles = other.title.as_ref().zip(region.title.as_ref());
            other.names == region.names && titles.is_some_and(|(other, own)| other != own)
        };
        let like = others.iter().position(is_like).map(|at| LikeList {
            // The one that was taken is missing among the others.
            number: if at < taken { at + 1 } else { at + 2 },
            title: others[at].title.clone(),
            records: others[at].records,
        });
        let kind = region_type(&region, &self.settings.record);
        let mut notes = Vec::new();
        if number > 1 {
            notes.push(format!("this is list {number} of the page"));
        }
        if !others.is_empty() {
            let more = if others.len() == 1 { "list" } else { "lists" };
            notes.push(format!("the page has {} other {more}", others.len()));
        }
        Ok(Candidate {
            rule: Rule::Paths(region.rule),
            kind,
            description,
            fields: region.names,
            notes,
            like,
            told: region.told,
        })
    }

    /// Which of the lists of a page to take: the first one, or one of the next, if that has far more of what differs from page
    /// to page. Links to other sites are the same on each. A few pages tell.
    fn with_data(&self, from: usize, regions: &[Region]) -> usize {
        let others = self.pages.iter().enumerate().filter(|(number, _)| *number != from);
        let few: Vec<&Page> = std::iter::once(self.pages[from])
            .chain(others.map(|(_, page)| *page))
            .take(TRIED)
            .collect();
        if few.len() == 1 {
            return 0;
        }
        let list = |region: &Region| described(region, &few).map(|description| description.list);
        let Some(own) = regions.first().and_then(list).filter(|own| own.share < CLEAR) else {
            return 0;
        };
        let has_more = |region: &Region| list(region).is_some_and(|other| choose::has_far_more(&other, &own));
        let others = regions.iter().take(LISTS).skip(1).position(has_more);
        others.map_or(0, |other| other + 1)
    }

    /// Takes the fields from the records of all pages, if these say as much.
    fn join(&self, best: &mut Found) {
        let Some(joined) = regions::find_joined(self.pages, best.from, &best.region, self.job) else {
            return;
        };
        let mut same = joined.clone();
        same.rule.each.clone_from(&best.region.rule.each);
        for region in [joined, same] {
            let Some(description) = described(&region, self.pages) else {
                continue;
            };
            if choose::prefers_joined(&description, &best.description) {
                best.region = region;
                best.description = description;
            }
        }
    }

    /// The rule for the one thing that a single page is about.
    fn thing(&self, thing: Thing, has_list: bool) -> Candidate {
        let fields = thing.names.iter().map(|name| Field::text(name.as_str())).collect();
        Candidate {
            kind: RecordType::new(self.settings.record.as_str(), fields),
            rule: Rule::Paths(thing.rule),
            description: Description::default(),
            fields: thing.names,
            notes: has_list
                .then(|| "the page seems to be about one thing; the method `regions` gives its list".to_owned())
                .into_iter()
                .collect(),
            like: None,
            told: Vec::new(),
        }
    }

    /// What structured data says about the thing of each page.
    fn data(&self) -> Result<Candidate, MakeError> {
        let rule = by_landmarks::data::of_things(self.pages).ok_or(MakeError::NoData)?;
        let fields = rule.fields.iter().map(|field| field.name.clone()).collect();
        let from = rule.fields.iter().find_map(|field| field.data.as_ref());
        let from = from.map(|data| format!("{} {}", data.source.name(), data.kind.as_deref().unwrap_or("thing")));
        let kind = landmark::record_type(&rule, &self.settings.record);
        Ok(Candidate {
            rule: Rule::Landmarks(rule),
            kind,
            description: Description::default(),
            fields,
            notes: from
                .map(|from| format!("all values come from structured data ({from})"))
                .into_iter()
                .collect(),
            like: None,
            told: Vec::new(),
        })
    }

    fn landmarks(&self) -> Result<Candidate, MakeError> {
        let settings = self.settings;
        let how = by_landmarks::LandmarkSettings {
            objective: settings.objective,
            search: settings.search,
            k: settings.k,
            lattice: settings.lattice,
            attributes: settings.attributes.clone(),
            values: settings.values.clone(),
            all: settings.all,
            seed: settings.seed,
            job: self.job.clone(),
            ..by_landmarks::LandmarkSettings::default()
        };
        let by_landmarks::Inferred { rule, splits, cut, .. } = by_landmarks::infer(self.pages, &how)?;
        let mut notes = Vec::new();
        if cut {
            notes.push(format!(
                "after {splits} splits some regions are divided greedily: a smaller extraction may exist"
            ));
        }
        let (parts, kind) = (rule.parts.len(), landmark::record_type(&rule, &settings.record));
        let fields = rule.fields.iter().map(|field| field.name.clone()).collect();
        let rule = Rule::Landmarks(rule);
        let description = describe(self.pages, &found(&rule, self.pages), parts);
        Ok(Candidate {
            rule,
            kind,
            description,
            fields,
            notes,
            like: None,
            told: Vec::new(),
        })
    }

    fn exalg(&self) -> Result<Candidate, MakeError> {
        let rule = exalg::infer(self.pages, &self.template_settings(), self.job)?.template;
        let (parts, kind) = (rule.parts.len(), template::record_type(&rule, &self.settings.record));
        let fields = rule.fields.clone();
        let rule = Rule::Template(rule);
        let description = describe(self.pages, &found(&rule, self.pages), parts);
        Ok(Candidate {
            rule,
            kind,
            description,
            fields,
            notes: Vec::new(),
            like: None,
            told: Vec::new(),
        })
    }
}

/// With more elements on a page, no template is tried unasked: where a parent has very many children, its time grows faster than the
/// page (5 s for 20,000 of them).
const LARGE: usize = 10_000;

/// An article with this part of its words in one list of links, in thousandths, is a list: a third, as for pages without names.
const LISTED: u64 = 333;

/// May a page be a list, though its structured data is about one thing: is that an article, or does no more than `meta` say so?
fn may_be_list(made: &Candidate) -> bool {
    let Rule::Landmarks(rule) = &made.rule else {
        return false;
    };
    let mut data = rule.fields.iter().filter_map(|slot| slot.data.as_ref());
    let is_article = |kind: &str| kind.ends_with("Article") || matches!(kind, "BlogPosting" | "Blog" | "Report");
    data.any(|data| data.source == Source::Meta || data.kind.as_deref().is_some_and(is_article))
}

/// With more elements on all pages together, a template is first tried on [`TRIAL`] of them: it takes about 100 ms for 1,000 elements, and most
/// large pages are no lists.
const LONG: usize = 20_000;
const TRIAL: usize = 3;
/// How much less of the data than needed a few pages may have in a list, in thousandths, and all pages still be tried.
const DOUBT: u64 = 250;

/// This number of pages with names of their own says that a page is about one thing, if no list contradicts.
const NAMED: usize = 5;

/// This number of values of the page with labels of their own, beside a list, says that the list is a part of what the page is about. Lists say how many records there are, and
/// on which page one is.
const OWN: usize = 3;

/// How many lists of a page are compared by what differs from page to page.
const LISTS: usize = 4;
/// With this part of the data in a list, in thousandths, no other one can have far more ([`choose::has_far_more`]).
const CLEAR: u64 = 425;
/// Lists with less than this part of the data, in thousandths, are not what pages are about, so that their fields need not be known better.
const JOINED: u64 = 100;

/// The most pages whose lists are tried on the others.
const TRIED: usize = 3;

/// A list that was found on a page.
struct Found {
    /// The number of the page, and that of the list among those of the page.
    from: usize,
    at: usize,
    region: Region,
    description: Description,
    others: Vec<Region>,
}

/// How well a list describes pages.
fn described(region: &Region, pages: &[&Page]) -> Option<Description> {
    let run = PathsRun::new(&region.rule).ok()?;
    let found: Vec<Vec<Event>> = pages.iter().map(|page| events(page, &run.page(page))).collect();
    let mut description = describe(pages, &found, region.rule.fields.len() + 1);
    description.headed = region.headed && description.listed == pages.len();
    description.grouped = region.grouped;
    Some(description)
}

/// A number of things, in words.
fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// What a rule finds on pages; nothing for rules that are not inferred.
pub(super) fn found(rule: &Rule, pages: &[&Page]) -> Vec<Vec<Event>> {
    let each = |find: &dyn Fn(&Page) -> Vec<Event>| pages.iter().map(|page| find(page)).collect();
    match rule {
        Rule::Landmarks(rule) => {
            let run = landmark::Run::new(rule);
            each(&|page| run.page(page, false))
        }
        Rule::Template(rule) => {
            let run = template::Run::new(rule);
            each(&|page| run.page(page).0)
        }
        Rule::Paths(rule) => match PathsRun::new(rule) {
            Ok(run) => each(&|page| events(page, &run.page(page))),
            Err(_) => each(&|_| Vec::new()),
        },
        _ => each(&|_| Vec::new()),
    }
}

/// What paths found, as events: each record is an item of a list. A value in an element is given with the element's
/// first text.
fn events(page: &Page, records: &[PathRecord]) -> Vec<Event> {
    let mut events = Vec::new();
    for record in records {
        events.push(Event::Open(0));
        for value in &record.values {
            let texts = page.texts();
            let first = texts.get(texts.partition_point(|text| *text < value.node));
            let node = match first {
                Some(first) if *first < page.end(value.node) => *first,
                _ => value.node,
            };
            events.push(Event::Value {
                field: value.field as u32,
                node,
                text: value.text.clone(),
            });
        }
        events.push(Event::Close);
    }
    events
}

/// The documents by the template that seems to have made them, the largest group first; documents by their places.
pub fn clusters(documents: &[Document]) -> Vec<Vec<usize>> {
    let pages: Vec<&Page> = documents.iter().map(|document| &*document.page).collect();
    by_landmarks::clusters(&pages)
}

/// A sample of this many items, in their order. The same seed draws the same sample.
///
/// ```
/// let drawn = wrapwright::make::sample((0..100).collect(), 5, 1);
/// assert_eq!(drawn.len(), 5);
/// assert!(drawn.is_sorted());
/// ```
pub fn sample<T>(items: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    // Each item gets a number by chance; those with the least are drawn.
    let chance = |number: u64| {
        let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let mut numbered: Vec<(u64, usize, T)> = items
        .into_iter()
        .enumerate()
        .map(|(at, item)| (chance(at as u64 + 1), at, item))
        .collect();
    numbered.sort_by_key(|(chance, at, _)| (*chance, *at));
    numbered.truncate(count);
    numbered.sort_by_key(|(_, at, _)| *at);
    numbered.into_iter().map(|(_, _, item)| item).collect()
}

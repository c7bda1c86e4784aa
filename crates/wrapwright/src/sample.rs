//! A few pages of a live site, to infer a wrapper from, and the way to all of them.
//!
//! **In**: an address, and how many pages are wanted. **Out**: documents of one template, and the [`Navigation`] that leads to
//! all pages like them.
//!
//! The address is that of a list. The links that lead to the pages of its records are guessed ([`details`]), some of
//! these pages are opened, and the guess is kept if they are more like each other than like the list. Otherwise the next guess is
//! tried. If none is right, records are taken from the list itself. The pager leads to more pages of the list, and the
//! pages of records are taken evenly from several of them.
//!
//! Two pages are as alike as the kinds of elements that they share: a tag and a class below another.
//!
//! **Cost**: at most [`LISTS`] pages of the list, [`TRIED`] pages for each of a few guesses, and the sample itself.

use crate::crawl::{Next, Route, plain};
use crate::errand::map_until;
use crate::visit::{Visit, Visitor};
use crate::{CompileError, Document, Remedy, details};
use page::driver::{DriverError, Live, Options};
use page::{Job, Page};
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use wrapper::{Links, Navigation, Onward};

/// How many pages of a list are opened to find pages of records.
pub const LISTS: usize = 3;
/// How many pages are opened to see whether a guess is right.
pub const TRIED: usize = 3;
/// Pages of one template share at least this part of their kinds of elements.
const ALIKE: f64 = 0.5;

/// How a sample is taken.
#[derive(Clone, Debug)]
pub struct SampleSettings {
    /// How many pages are wanted.
    pub pages: usize,
    /// What leads to the next page of the list.
    pub next: NextChoice,
    /// Which links lead to the pages of records.
    pub follow: FollowChoice,
    /// How many pages to open at once.
    pub jobs: usize,
    /// Stop at this time.
    pub deadline: Option<Instant>,
}

impl Default for SampleSettings {
    fn default() -> SampleSettings {
        SampleSettings {
            pages: 20,
            next: NextChoice::Auto,
            follow: FollowChoice::Auto,
            jobs: 1,
            deadline: None,
        }
    }
}

/// What leads to the next page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextChoice {
    /// The pager, if there is one.
    Auto,
    /// There is no next page.
    Nothing,
    /// This.
    This(Onward),
}

/// Which links lead to the pages of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowChoice {
    /// They are found, if there are any.
    Auto,
    /// None: the records are on the pages of the list.
    Nothing,
    /// These.
    These(Vec<Links>),
}

/// Pages of a site.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The pages.
    pub pages: Vec<Visit>,
    /// The way to all pages like them.
    pub navigation: Navigation,
    /// Pages that could not be opened.
    pub failures: Vec<DriverError>,
    /// What was found, in words.
    pub note: String,
}

impl Sampled {
    /// The pages as documents; `with_source` keeps their sources.
    pub fn documents(&self, with_source: bool) -> Vec<Document> {
        self.pages.iter().map(|visit| visit.document(with_source)).collect()
    }
}

/// Why there is no sample.
#[derive(Debug)]
#[non_exhaustive]
pub enum SampleError {
    /// The first page cannot be opened.
    Start(DriverError),
    /// An expression of the navigation is wrong.
    Compile(CompileError),
    /// The links that were asked for are not on the page.
    NoLinks,
    /// There is only one page.
    OnePage,
    /// The system gives no thread to work on.
    Threads(io::Error),
    /// The job was stopped.
    Stopped,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Start(error) => error.fmt(f),
            SampleError::Compile(error) => f.write_str(error.message()),
            SampleError::NoLinks => f.write_str("the links to follow are not on the first page"),
            SampleError::OnePage => {
                f.write_str("found one page only: neither a link to a next page nor links to pages of records")
            }
            SampleError::Threads(error) => write!(f, "the system gives no thread to work on: {error}"),
            SampleError::Stopped => f.write_str("stopped before there were enough pages"),
        }
    }
}

impl std::error::Error for SampleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SampleError::Start(error) => Some(error),
            SampleError::Compile(error) => Some(error),
            SampleError::Threads(error) => Some(error),
            SampleError::NoLinks | SampleError::OnePage | SampleError::Stopped => None,
        }
    }
}

impl SampleError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            SampleError::Start(error) => error.remedy.clone(),
            SampleError::OnePage => {
                Some("name several pages of the same kind, or an address with a list of them".into())
            }
            SampleError::NoLinks => {
                Some("look at the page: scripts may make its links, or the expression is wrong".into())
            }
            SampleError::Compile(_) | SampleError::Threads(_) | SampleError::Stopped => None,
        }
    }
}

impl From<CompileError> for SampleError {
    fn from(error: CompileError) -> SampleError {
        SampleError::Compile(error)
    }
}

/// Takes a sample of the site of an address.
///
/// # Errors
///
/// The first page cannot be opened, there is nothing to follow, or the job was stopped; see [`SampleError`].
pub fn sample(
    visitor: &Arc<dyn Visitor>,
    start: &str,
    settings: &SampleSettings,
    job: &Job,
) -> Result<Sampled, SampleError> {
    // One page does not tell what a template is.
    let settings = &SampleSettings {
        pages: settings.pages.max(2),
        ..settings.clone()
    };
    let mut sampler = Sampler {
        visitor,
        settings,
        job,
        failures: Vec::new(),
    };
    let first = sampler.open(start, None).map_err(SampleError::Start)?;
    let next = match &settings.next {
        NextChoice::Nothing => None,
        NextChoice::This(next) => Some(next.clone()),
        NextChoice::Auto => {
            let route = Route::new(Some(Next::Pager), Vec::new());
            route.onward(&first.live).map(|_| Onward::Pager)
        }
    };
    let navigation = Navigation {
        start: vec![start.to_owned()],
        next,
        follow: match &settings.follow {
            FollowChoice::Nothing => Vec::new(),
            FollowChoice::These(links) => links.clone(),
            FollowChoice::Auto => sampler.guess(&first)?,
        },
    };
    let pages = sampler.pages(first, &navigation)?;
    if pages.len() < 2 {
        return Err(SampleError::OnePage);
    }
    Ok(Sampled {
        note: note(&navigation, pages.len()),
        pages,
        navigation,
        failures: sampler.failures,
    })
}

/// Takes a sample along a navigation that is known. If none of the links to follow is on the first page, the site has
/// changed: then the links are found anew, and the navigation of the sample has these.
///
/// # Errors
///
/// As [`sample`].
pub fn along(
    visitor: &Arc<dyn Visitor>,
    navigation: &Navigation,
    settings: &SampleSettings,
    job: &Job,
) -> Result<Sampled, SampleError> {
    let mut sampler = Sampler {
        visitor,
        settings,
        job,
        failures: Vec::new(),
    };
    let mut navigation = navigation.clone();
    let mut pages: Vec<Visit> = Vec::new();
    for start in navigation.start.clone() {
        let first = match sampler.open(&start, None) {
            Ok(first) => first,
            Err(error) => {
                sampler.failures.push(error);
                continue;
            }
        };
        if !navigation.follow.is_empty() && Route::of(&navigation)?.details(&first.live).is_empty() {
            let guess = sampler.guess(&first)?;
            if !guess.is_empty() {
                navigation.follow = guess;
            }
        }
        match sampler.pages(first, &navigation) {
            Ok(more) => pages.extend(more),
            Err(SampleError::NoLinks) => {}
            Err(error) => return Err(error),
        }
    }
    if let (true, Some(error)) = (pages.is_empty(), sampler.failures.first()) {
        return Err(SampleError::Start(error.clone()));
    }
    let pages = evenly(&pages, settings.pages);
    Ok(Sampled {
        note: note(&navigation, pages.len()),
        pages,
        navigation,
        failures: sampler.failures,
    })
}

/// What was found, in words.
fn note(navigation: &Navigation, pages: usize) -> String {
    let next = match &navigation.next {
        None => "no next page",
        Some(Onward::Pager) => "a pager",
        Some(Onward::Link(_)) => "a link to the next page",
    };
    let follow: Vec<String> = navigation
        .follow
        .iter()
        .map(|links| match links {
            Links::Like(address) => format!("links to {address}"),
            Links::Path(path) => format!("links at {path}"),
        })
        .collect();
    match follow.is_empty() {
        true => format!("found a list with {next}; looking at {pages} of its pages"),
        false => format!(
            "found a list with {next} and {}; looking at {pages} of the pages that they lead to",
            follow.join(", ")
        ),
    }
}

struct Sampler<'s> {
    visitor: &'s Arc<dyn Visitor>,
    settings: &'s SampleSettings,
    job: &'s Job,
    failures: Vec<DriverError>,
}

impl Sampler<'_> {
    fn options(&self) -> Options {
        Options {
            deadline: self.settings.deadline,
            ..Options::default()
        }
    }

    fn is_over(&self) -> bool {
        self.job.is_stopped()
            || self
                .settings
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn open(&self, url: &str, from: Option<&Live>) -> Result<Visit, DriverError> {
        self.visitor.open(url, from, &self.options())
    }

    /// Opens pages that a page leads to, in their order; those that cannot be opened are failures.
    fn all(&mut self, urls: Vec<String>, from: &Live) -> Result<Vec<Visit>, SampleError> {
        let work = {
            let (visitor, from, options) = (Arc::clone(self.visitor), from.clone(), self.options());
            move |url: &String| visitor.open(url, Some(&from), &options)
        };
        let mut out = Vec::new();
        let mut failures = Vec::new();
        let mapped = map_until(
            urls,
            self.settings.jobs.max(1),
            work,
            &|| self.is_over(),
            |_, answer| {
                match answer {
                    Some(Ok(visit)) => out.push(visit),
                    Some(Err(error)) => failures.push(error),
                    None => {}
                }
                true
            },
        );
        mapped.map_err(SampleError::Threads)?;
        self.failures.append(&mut failures);
        Ok(out)
    }

    /// The links that lead to pages of records, as far as can be seen from the first page.
    fn guess(&mut self, first: &Visit) -> Result<Vec<Links>, SampleError> {
        let list = kinds(&first.live.page);
        for group in details::find(&first.live) {
            if self.is_over() {
                break;
            }
            // From the whole list, because its first records may be special.
            let urls = evenly(&group.urls, TRIED);
            let pages = self.all(urls, &first.live)?;
            let kinds: Vec<BTreeSet<String>> = pages.iter().map(|visit| kinds(&visit.live.page)).collect();
            let mut among: f64 = 1.0;
            let mut with_list: f64 = 0.0;
            for (at, one) in kinds.iter().enumerate() {
                for other in &kinds[at + 1..] {
                    among = among.min(alike(one, other));
                }
                with_list = with_list.max(alike(one, &list));
            }
            if pages.len() > 1 && among >= ALIKE && among > with_list {
                return Ok(vec![group.links]);
            }
        }
        Ok(Vec::new())
    }

    /// The pages with records.
    fn pages(&mut self, first: Visit, navigation: &Navigation) -> Result<Vec<Visit>, SampleError> {
        let pages = match navigation.follow.is_empty() {
            true => self.onward(first, navigation, self.settings.pages)?,
            false => self.details(first, navigation)?,
        };
        match self.job.is_stopped() {
            true => Err(SampleError::Stopped),
            false => Ok(pages),
        }
    }

    /// Some pages of a list, one after the other.
    fn onward(&mut self, first: Visit, navigation: &Navigation, most: usize) -> Result<Vec<Visit>, SampleError> {
        let route = Route::of(navigation)?;
        let mut been = HashSet::from([plain(&first.live.url)]);
        let mut pages = vec![first];
        while pages.len() < most && !self.is_over() {
            let Some(last) = pages.last() else { break };
            let Some(next) = route.onward(&last.live).filter(|next| been.insert(plain(next))) else {
                break;
            };
            match self.open(&next, Some(&last.live)) {
                Ok(visit) => pages.push(visit),
                Err(error) => {
                    self.failures.push(error);
                    break;
                }
            }
        }
        Ok(pages)
    }

    /// Pages of records.
    fn details(&mut self, first: Visit, navigation: &Navigation) -> Result<Vec<Visit>, SampleError> {
        let route = Route::of(navigation)?;
        let lists = self.onward(first, navigation, LISTS)?;
        let mut seen = HashSet::new();
        let mut urls = Vec::new();
        for list in &lists {
            let of_list = route.details(&list.live);
            urls.extend(of_list.into_iter().filter(|url| seen.insert(plain(url))));
        }
        let Some(first) = lists.first().filter(|_| !urls.is_empty()) else {
            return Err(SampleError::NoLinks);
        };
        let urls = evenly(&urls, self.settings.pages.max(2));
        self.all(urls, &first.live)
    }
}

/// An even sample of some items, in their order.
fn evenly<T: Clone>(items: &[T], most: usize) -> Vec<T> {
    let all = items.len().max(1);
    let is_taken = |at: usize| most >= all || (at + 1) * most / all > at * most / all;
    let taken = items.iter().enumerate().filter(|(at, _)| is_taken(*at));
    taken.map(|(_, item)| item.clone()).collect()
}

/// The kinds of elements on a page.
fn kinds(page: &Page) -> BTreeSet<String> {
    let kind = |node| {
        let class = page.attribute_value(node, "class").unwrap_or("");
        format!("{}.{class}", page.name(node))
    };
    let elements = page.elements().iter().copied();
    elements
        .map(|node| format!("{}/{}", page.parent(node).map(kind).unwrap_or_default(), kind(node)))
        .collect()
}

/// How many of their kinds of elements two pages share.
fn alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let shared = one.intersection(other).count() as f64;
    shared / (one.union(other).count() as f64).max(1.0)
}

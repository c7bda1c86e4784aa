//! From what was named to pages and a first wrapper.
//!
//! The answer comes first: opening reads the pages, infers a wrapper if none was given, checks it if one was, and takes up
//! changes that were not saved.

use crate::api::{Dropped, Said};
use crate::files;
use crate::project::{Project, Snapshot, Trouble};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wrapwright::drivers::base64;
use wrapwright::input::{self, InputError, Place};
use wrapwright::make::{self, Draws, InferSettings, Method};
use wrapwright::sample::{self, SampleError, SampleSettings, Sampled};
use wrapwright::wrapper::Navigation;
use wrapwright::{Document, Job, Options, Wrapper, tend};

/// The most pages that are read when something is opened or added; of more, a sample is drawn.
const MOST_PAGES: usize = 60;
/// The most pages that are open at the same time.
const MOST_OPEN: usize = 300;
/// The pages that are taken from a site.
const SAMPLED: usize = 20;
/// Where chance begins.
const SEED: u64 = 1;

/// Pages that were read.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) documents: Vec<Document>,
    pub(crate) failed: Vec<Said>,
    notes: Vec<String>,
    navigation: Option<Navigation>,
}

impl Project {
    /// Opens what was named at the start.
    pub(crate) fn open(self: &Arc<Project>) {
        let done = self.busy("opening", |job| self.opened(job));
        if let Err(trouble) = done {
            let mut inner = self.lock();
            inner.error = Some(trouble.0);
            inner.rev += 1;
        }
    }

    fn opened(self: &Arc<Project>, job: &Job) -> Result<(), Trouble> {
        let opening = &self.opening;
        let given = match &opening.wrapper {
            Some(file) => Some(Wrapper::open(file).map_err(Trouble::from_display)?),
            None => None,
        };
        let file = match &opening.wrapper {
            Some(file) => file.clone(),
            None => files::new_wrapper(&opening.project, &about(&opening.pages)),
        };
        self.lock().file.clone_from(&file);
        let read = match (&given, opening.pages.is_empty()) {
            (_, false) => self.read(&opening.pages, job)?,
            (Some(wrapper), true) => self.pages_of(wrapper, job)?,
            (None, true) => Read::default(),
        };
        self.lock().failed = read.failed;
        let draft = Wrapper::open(files::draft(&file)).ok();
        let saved = given.map(Arc::new);
        let mut first = Snapshot::default().with_documents(read.documents);
        first.wrapper.clone_from(&saved);
        let mut notes = read.notes;
        let mut inferred = Ok(());
        if first.wrapper.is_none() && !first.documents.is_empty() {
            set_busy(self, "looking for fields");
            match infer(&first, Method::Auto, 1, job) {
                Ok((mut wrapper, words)) => {
                    wrapper.navigation = read.navigation;
                    notes.extend(words);
                    first.wrapper = Some(Arc::new(wrapper));
                }
                Err(trouble) => inferred = Err(trouble),
            }
        }
        let checked = first.clone();
        let is_given = saved.is_some();
        self.begin(first.clone(), saved, notes)?;
        if let Some(draft) = draft
            .map(Arc::new)
            .filter(|draft| checked.wrapper.as_ref() != Some(draft))
        {
            let rev = self.lock().rev;
            first.wrapper = Some(draft);
            let note = "changes that were not saved last time are here again; undo takes them away".to_owned();
            self.commit(rev, "changes of last time", first, vec![note])?;
        } else if let Some(wrapper) = checked.wrapper.filter(|_| is_given && !checked.documents.is_empty()) {
            // Without anything to compare with there is nothing to say.
            if let Ok(report) = tend::check(&wrapper, checked.documents.iter(), job) {
                self.lock().checked(Some(report));
            }
        }
        inferred
    }

    /// Adds pages that the page named: an address, or files of the project.
    pub(crate) fn add(self: &Arc<Project>, name: &str, is_alone: bool) -> Result<(), Trouble> {
        self.busy("reading pages", |job| {
            let name = name.trim();
            let read = match input::is_address(name) {
                true if is_alone => self.one(name)?,
                true => self.read(&[name.to_owned()], job)?,
                false => {
                    let path = files::existing(&self.opening.project, name).map_err(Trouble::from_display)?;
                    self.read_files(&[path], job)?
                }
            };
            self.added(read, job)
        })
    }

    /// Adds files that were dropped on the window: they become files of the project.
    pub(crate) fn dropped(self: &Arc<Project>, dropped: &[Dropped]) -> Result<(), Trouble> {
        if self
            .lock()
            .repair
            .as_ref()
            .is_some_and(|mending| mending.wrapper().is_some())
        {
            return Err(Trouble::new("accept or reject the repair first"));
        }
        self.busy("reading pages", |job| {
            let mut paths = Vec::new();
            for file in dropped.iter().take(MOST_PAGES) {
                let bytes =
                    base64::decode(&file.data).ok_or_else(|| Trouble::new(format!("{}: cannot be read", file.name)))?;
                let path = files::drop_in(&self.opening.project, &file.name, &bytes);
                paths.push(path.map_err(|error| Trouble::new(format!("{}: {error}", file.name)))?);
            }
            let read = self.read_files(&paths, job)?;
            self.added(read, job)
        })
    }

    fn read_files(&self, paths: &[PathBuf], job: &Job) -> Result<Read, Trouble> {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let (mut places, errors) = input::find(names.iter().map(String::as_str));
        places.retain(|place| match place {
            Place::File(path) | Place::Listed { path, .. } => files::is_in(&self.opening.project, path),
            _ => true,
        });
        self.documents(places, errors, job)
    }

    /// Adds pages to those that are open, and looks for fields if there are none yet.
    fn added(self: &Arc<Project>, read: Read, job: &Job) -> Result<(), Trouble> {
        let (rev, mut now) = self.now();
        let known = |document: &Document| now.documents.iter().any(|other| other.name == document.name);
        let new: Vec<Document> = read
            .documents
            .iter()
            .filter(|document| !known(document))
            .cloned()
            .collect();
        if new.is_empty() {
            let first = read.failed.into_iter().next();
            return Err(first.map_or_else(|| Trouble::new("all these pages are open already"), Trouble));
        }
        let mut documents = now.documents.to_vec();
        let count = new.len();
        documents.extend(new);
        if documents.len() > MOST_OPEN {
            return Err(Trouble::new(format!("at most {MOST_OPEN} pages can be open")));
        }
        now = now.with_documents(documents);
        let mut notes = read.notes;
        if now.wrapper.is_none() {
            set_busy(self, "looking for fields");
            let (mut wrapper, words) = infer(&now, Method::Auto, 1, job)?;
            wrapper.navigation = read.navigation;
            notes.extend(words);
            now.wrapper = Some(Arc::new(wrapper));
        }
        let pages = if count == 1 { "page" } else { "pages" };
        self.commit(rev, &format!("{count} more {pages}"), now, notes)?;
        self.lock().failed = read.failed;
        Ok(())
    }

    /// Infers again.
    pub(crate) fn infer(self: &Arc<Project>, method: Option<&str>, list: usize) -> Result<(), Trouble> {
        let method = match method {
            None | Some("auto") => Method::Auto,
            Some("landmarks") => Method::Landmarks,
            Some("exalg") => Method::Exalg,
            Some("regions") => Method::Regions,
            Some("data") => Method::Data,
            Some(other) => return Err(Trouble::new(format!("there is no method `{other}`"))),
        };
        self.busy("looking for fields", |job| {
            let (rev, mut now) = {
                let inner = self.lock();
                (inner.rev, inner.now.clone())
            };
            let (mut wrapper, notes) = infer(&now, method, list, job)?;
            let old = now.wrapper.as_ref().and_then(|wrapper| wrapper.navigation.clone());
            wrapper.navigation = old;
            now.wrapper = Some(Arc::new(wrapper));
            now.points = Arc::default();
            self.commit(rev, "fields found again", now, notes)
        })
    }

    /// The pages that arguments name.
    fn read(&self, named: &[String], job: &Job) -> Result<Read, Trouble> {
        if let [address] = named
            && input::is_address(address)
        {
            return self.site(address, job);
        }
        let (named, mut errors) = input::expand(named.iter().map(String::as_str));
        let names = || named.iter().map(String::as_str);
        let (places, more) = match &self.opening.visitor {
            Some(visitor) => input::find_with(names(), visitor),
            None => input::find(names()),
        };
        errors.extend(more);
        self.documents(places, errors, job)
    }

    fn documents(&self, places: Vec<Place>, errors: Vec<InputError>, job: &Job) -> Result<Read, Trouble> {
        let said = |error: &InputError| Trouble::with(error, error.remedy()).0;
        let mut read = Read {
            failed: errors.iter().map(said).collect(),
            ..Read::default()
        };
        let given = places.len();
        let places = make::sample(places, MOST_PAGES, SEED);
        if given > places.len() {
            read.notes
                .push(format!("{} of {given} pages, drawn by chance", places.len()));
        }
        for place in &places {
            if job.is_stopped() {
                return Err(Trouble::new("stopped"));
            }
            job.tell(wrapwright::job::Event::Page(&place.to_string()));
            // Rules that cut the source need it, and repairs may make one.
            match place.document(&self.opening.parse, true) {
                Ok(document) => read.documents.push(document),
                Err(error) => read.failed.push(said(&error)),
            }
        }
        match (read.documents.is_empty(), read.failed.first()) {
            (true, Some(first)) => Err(Trouble(first.clone())),
            _ => Ok(read),
        }
    }

    /// A sample of a site; its first page alone, if it leads nowhere.
    fn site(&self, address: &str, job: &Job) -> Result<Read, Trouble> {
        let Some(visitor) = &self.opening.visitor else {
            return Err(Trouble::new("addresses cannot be opened here"));
        };
        let settings = SampleSettings {
            pages: SAMPLED,
            ..SampleSettings::default()
        };
        match sample::sample(visitor, address, &settings, job) {
            Ok(sampled) => Ok(taken(sampled)),
            Err(SampleError::OnePage) => self.one(address),
            Err(error) => Err(Trouble::with(&error, error.remedy())),
        }
    }

    /// The page of an address, alone.
    fn one(&self, address: &str) -> Result<Read, Trouble> {
        let visitor = self.opening.visitor.as_ref();
        let visitor = visitor.ok_or_else(|| Trouble::new("addresses cannot be opened here"))?;
        let visit = visitor.open(address, None, &Options::default());
        let visit = visit.map_err(|error| Trouble::with(&error, error.remedy.clone()))?;
        Ok(Read {
            documents: vec![visit.document(true)],
            navigation: Some(Navigation {
                start: vec![address.to_owned()],
                ..Navigation::default()
            }),
            ..Read::default()
        })
    }

    /// The pages of a wrapper: along its navigation, or those that it was made from, if they are still there.
    pub(crate) fn pages_of(&self, wrapper: &Wrapper, job: &Job) -> Result<Read, Trouble> {
        let navigation = wrapper
            .navigation
            .as_ref()
            .filter(|navigation| !navigation.start.is_empty());
        if let (Some(navigation), Some(visitor)) = (navigation, &self.opening.visitor) {
            let settings = SampleSettings {
                pages: SAMPLED,
                ..SampleSettings::default()
            };
            let sampled = sample::along(visitor, navigation, &settings, job);
            return sampled
                .map(taken)
                .map_err(|error| Trouble::with(&error, error.remedy()));
        }
        let names = wrapper.evidence.pages.iter().map(|page| page.name.as_str());
        let there: Vec<&str> = names.filter(|name| Path::new(name).is_file()).collect();
        let (places, errors) = input::find(there);
        self.documents(places, errors, job)
    }
}

fn taken(sampled: Sampled) -> Read {
    let failed = sampled.failures.iter();
    Read {
        documents: sampled.documents(true),
        failed: failed
            .map(|error| Trouble::with(error, error.remedy.clone()).0)
            .collect(),
        notes: vec![sampled.note],
        navigation: Some(sampled.navigation),
    }
}

fn set_busy(project: &Project, what: &str) {
    if let Some(busy) = &mut project.lock().busy {
        what.clone_into(&mut busy.what);
        busy.step = None;
    }
}

/// A wrapper from the pages of the largest group, and how it was made.
fn infer(now: &Snapshot, method: Method, list: usize, job: &Job) -> Result<(Wrapper, Vec<String>), Trouble> {
    let largest = now.documents.iter().zip(now.groups.iter());
    let largest: Vec<Document> = largest
        .filter(|(_, group)| **group == 0)
        .map(|(document, _)| document.clone())
        .collect();
    let others = now.documents.len() - largest.len();
    let mut draws = Draws::new(largest.len(), None, SEED);
    let taken =
        |numbers: Vec<usize>| -> Vec<Document> { numbers.into_iter().map(|number| largest[number].clone()).collect() };
    let settings = InferSettings {
        method,
        list,
        ..InferSettings::default()
    };
    let first = taken(draws.drawn());
    let grown = make::infer_growing(first, &settings, &[], job, &mut |count| taken(draws.more(count)))?;
    let inferred = grown.inferred;
    let mut notes = inferred.notes;
    if others > 0 {
        let pages = if others == 1 { "page looks" } else { "pages look" };
        notes.push(format!("{others} {pages} different and were left out"));
    }
    Ok((inferred.wrapper, notes))
}

/// What a wrapper for these pages may be called: the host, or the name of the directory.
fn about(pages: &[String]) -> String {
    let Some(first) = pages.first() else {
        return String::new();
    };
    match first.split_once("://") {
        Some((_, rest)) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            host.rsplit('@').next().unwrap_or_default().to_owned()
        }
        None => {
            let path = Path::new(first);
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default()
        }
    }
}

//! An open project: pages, the wrapper, what was changed, and what is not saved yet.
//!
//! Each change makes a new [`Snapshot`]; undo and redo are stacks of these, which share all that did not change. Work that
//! takes a while is done on a copy without holding the lock, so the page can always ask how things are; the result is taken only
//! if nothing else changed in the meantime.
//!
//! Nothing is lost: after each change a draft is written next to the wrapper's file, as a whole or not at all, and the next
//! start takes it up. Saving keeps the version before under another name.

use crate::ahead::Ahead;
use crate::api::{self, Said};
use crate::files;
use crate::going::Going;
use crate::load::Loading;
use crate::mend::Mending;
use crate::state::relative;
use crate::view::View;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wrapwright::drivers::Recall;
use wrapwright::history::{self, History};
use wrapwright::job::Event;
use wrapwright::make::Pointed;
use wrapwright::session::SessionError;
use wrapwright::tend::Report;
use wrapwright::visit::Visitor;
use wrapwright::{Document, Job, ParseSettings, Remedy, Session, Wrapper, make, replace_wrapper, save, save_wrapper};

/// What a studio opens.
#[derive(Clone)]
pub struct Opening {
    /// The directory whose files the page may name, and where wrappers are saved.
    pub project: PathBuf,
    /// A wrapper to begin with.
    pub wrapper: Option<PathBuf>,
    /// Pages: files, directories, WARC files, addresses. One address alone is the start of a sample of its site.
    pub pages: Vec<String>,
    /// Who opens addresses. Without one, they are refused.
    pub visitor: Option<Arc<dyn Visitor>>,
    /// What runs over a site get their pages from. Without it, there are no runs.
    pub sessions: Option<Sessions>,
    /// How pages are read.
    pub parse: ParseSettings,
}

/// Sessions for runs, one for each.
#[derive(Clone)]
pub struct Sessions {
    /// Begins a session that keeps its answers, if something is given to keep them in.
    pub begin: Begin,
    /// Can answers be kept? Not those of a browser.
    pub can_keep: bool,
    /// The same run as whoever started the studio would write it. It is kept with the run, so that the run can be resumed there.
    pub arguments: Arguments,
}

/// What writes a run as arguments.
pub type Arguments = Arc<dyn Fn(&RunNames<'_>) -> Vec<String> + Send + Sync>;

/// The files of a run, relative to the project.
#[derive(Clone, Copy, Debug)]
pub struct RunNames<'a> {
    /// The wrapper.
    pub wrapper: &'a str,
    /// The file for the records. Cells that a spreadsheet would compute are made safe.
    pub output: &'a str,
    /// The directory that keeps the run.
    pub folder: &'a str,
    /// Is what a stopped run left to be replaced?
    pub replace: bool,
}

/// What begins a session.
pub type Begin = Arc<dyn Fn(Option<Arc<dyn Recall>>) -> Result<Session, SessionError> + Send + Sync>;

/// The most changes that can be taken back.
const MOST_UNDONE: usize = 100;

/// A state of the work.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    pub(crate) documents: Arc<Vec<Document>>,
    /// For each document the group of pages that it belongs to; 0 is the largest.
    pub(crate) groups: Arc<Vec<usize>>,
    pub(crate) wrapper: Option<Arc<Wrapper>>,
    /// What somebody pointed at, for each field.
    pub(crate) points: Arc<BTreeMap<String, Vec<Pointed>>>,
    /// The repair that somebody accepted, for the history. It is added there when the wrapper is saved.
    pub(crate) mended: Option<Arc<history::Entry>>,
}

impl Snapshot {
    /// The same with other documents.
    pub(crate) fn with_documents(&self, documents: Vec<Document>) -> Snapshot {
        let mut groups = vec![0; documents.len()];
        for (number, group) in make::clusters(&documents).iter().enumerate() {
            group.iter().for_each(|at| groups[*at] = number);
        }
        Snapshot {
            documents: Arc::new(documents),
            groups: Arc::new(groups),
            ..self.clone()
        }
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble(pub(crate) Said);

impl Trouble {
    pub(crate) fn new(message: impl Into<String>) -> Trouble {
        Trouble(Said {
            message: message.into(),
            remedy: None,
        })
    }

    /// The same, with what can be done about it.
    pub(crate) fn advised(mut self, remedy: &str) -> Trouble {
        self.0.remedy = Some(remedy.to_owned());
        self
    }

    pub(crate) fn with(message: impl ToString, remedy: Option<Remedy>) -> Trouble {
        Trouble(Said {
            message: message.to_string(),
            remedy: remedy.map(|remedy| remedy.to_string()),
        })
    }
}

impl From<make::MakeError> for Trouble {
    fn from(error: make::MakeError) -> Trouble {
        Trouble::with(&error, error.remedy())
    }
}

/// What is under the lock.
#[derive(Default)]
pub(crate) struct Inner {
    pub(crate) rev: u64,
    pub(crate) busy: Option<api::Busy>,
    pub(crate) error: Option<Said>,
    pub(crate) notes: Vec<String>,
    pub(crate) failed: Vec<Said>,
    pub(crate) now: Snapshot,
    pub(crate) view: Arc<View>,
    pub(crate) undo: Vec<(String, Snapshot)>,
    pub(crate) redo: Vec<(String, Snapshot)>,
    /// What the file contains.
    pub(crate) saved: Option<Arc<Wrapper>>,
    pub(crate) file: PathBuf,
    pub(crate) saves: usize,
    pub(crate) health: Option<Arc<Report>>,
    /// Did the last check find that the site has changed? Then the open pages are no example of how it was.
    pub(crate) is_suspect: bool,
    /// The repair that somebody is looking at. All that is shown is what it gives.
    pub(crate) repair: Option<Arc<Mending>>,
    /// The repairs that are in the history, by their times.
    noted: HashSet<String>,
}

impl Inner {
    /// Takes what a check found.
    pub(crate) fn checked(&mut self, report: Option<Report>) {
        self.is_suspect = report.as_ref().is_some_and(|report| !report.is_fine());
        self.health = report.map(Arc::new);
        self.rev += 1;
    }

    /// The values that are shown: those of the repair, if somebody is looking at one.
    pub(crate) fn shown(&self) -> Arc<View> {
        Arc::clone(self.repair.as_ref().map_or(&self.view, |mending| &mending.view))
    }
}

/// An open project.
pub(crate) struct Project {
    pub(crate) opening: Opening,
    inner: Mutex<Inner>,
    /// What is under way.
    job: Mutex<Option<Job>>,
    /// The run over the site that is under way, or the last one.
    pub(crate) going: Mutex<Option<Arc<Going>>>,
    /// Pictures and styles of pages.
    pub(crate) loading: Loading,
    /// The rule as paths, which is made before somebody needs it.
    pub(crate) ahead: Mutex<Option<Arc<Ahead>>>,
}

impl Project {
    pub(crate) fn new(opening: Opening) -> Project {
        Project {
            opening,
            inner: Mutex::default(),
            job: Mutex::default(),
            going: Mutex::default(),
            loading: Loading::default(),
            ahead: Mutex::default(),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something that takes a while: nothing else can begin before it ends, and it can be stopped.
    pub(crate) fn busy<T>(
        self: &Arc<Project>,
        what: &str,
        work: impl FnOnce(&Job) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        {
            let mut inner = self.lock();
            if let Some(busy) = &inner.busy {
                return Err(Trouble::new(format!("wait until this is done: {}", busy.what)));
            }
            inner.busy = Some(api::Busy {
                what: what.to_owned(),
                step: None,
            });
            inner.error = None;
        }
        // However the work ends, a panic included, the next one can begin.
        let _done = Done(Arc::clone(self));
        let told = Arc::downgrade(self);
        let job = Job::new().on_event(move |event| {
            let step = match event {
                Event::Step { done, of: Some(of) } => format!("{done} of {of}"),
                Event::Step { done, of: None } => done.to_string(),
                Event::Page(name) => name.to_owned(),
                _ => return,
            };
            if let Some(project) = told.upgrade()
                && let Some(busy) = &mut project.lock().busy
            {
                busy.step = Some(step);
            }
        });
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job.clone());
        work(&job)
    }

    /// Stops what is under way.
    pub(crate) fn cancel(&self) {
        if let Some(job) = &*self.job.lock().unwrap_or_else(PoisonError::into_inner) {
            job.stop();
        }
    }

    /// Takes a new state, if the one that it was made from is still the present one.
    pub(crate) fn commit(&self, from: u64, what: &str, new: Snapshot, notes: Vec<String>) -> Result<(), Trouble> {
        let view = match &new.wrapper {
            Some(wrapper) => View::new(wrapper, &new.documents).map_err(Trouble::from_display)?,
            None => View::default(),
        };
        let mut inner = self.lock();
        if inner.rev != from {
            return Err(Trouble::new("something else was changed in the meantime; try again"));
        }
        let old = std::mem::replace(&mut inner.now, new);
        inner.undo.push((what.to_owned(), old));
        if inner.undo.len() > MOST_UNDONE {
            inner.undo.remove(0);
        }
        inner.redo.clear();
        inner.changed(view, notes);
        drop(inner);
        self.prepare();
        Ok(())
    }

    /// Takes a state that nobody can take back: the first one.
    pub(crate) fn begin(&self, new: Snapshot, saved: Option<Arc<Wrapper>>, notes: Vec<String>) -> Result<(), Trouble> {
        let view = match &new.wrapper {
            Some(wrapper) => View::new(wrapper, &new.documents).map_err(Trouble::from_display)?,
            None => View::default(),
        };
        let mut inner = self.lock();
        inner.now = new;
        inner.saved = saved;
        inner.replaced(view, notes);
        drop(inner);
        self.prepare();
        Ok(())
    }

    /// Takes the last change back, or makes it again.
    pub(crate) fn step(&self, is_undo: bool) -> Result<(), Trouble> {
        let mut inner = self.lock();
        let stack = if is_undo { &mut inner.undo } else { &mut inner.redo };
        let Some((what, new)) = stack.pop() else {
            return Err(Trouble::new(if is_undo {
                "there is nothing to undo"
            } else {
                "there is nothing to redo"
            }));
        };
        let view = match &new.wrapper {
            Some(wrapper) => View::new(wrapper, &new.documents).map_err(Trouble::from_display)?,
            None => View::default(),
        };
        let old = std::mem::replace(&mut inner.now, new);
        let note = format!("{}: {what}", if is_undo { "undone" } else { "done again" });
        let other = if is_undo { &mut inner.redo } else { &mut inner.undo };
        other.push((what, old));
        inner.changed(view, vec![note]);
        drop(inner);
        self.prepare();
        Ok(())
    }

    /// Saves the wrapper; the version before is kept.
    pub(crate) fn save(&self, name: Option<&str>) -> Result<(), Trouble> {
        let mut inner = self.lock();
        let Some(wrapper) = inner.now.wrapper.clone() else {
            return Err(Trouble::new("there is no wrapper yet"));
        };
        let own = relative(&self.opening.project, &inner.file);
        if let Some(name) = name.filter(|name| *name != own) {
            let file = files::wrapper(&self.opening.project, name).map_err(Trouble::from_display)?;
            let _ = fs::remove_file(files::draft(&inner.file));
            inner.file = file;
        }
        let file = inner.file.clone();
        let kept = replace_wrapper(&file, &wrapper).map_err(Trouble::from_display)?;
        // Its content is in the file now. What is left of it is found again at the next start, and is the same.
        let _ = fs::remove_file(files::draft(&file));
        inner.saved = Some(wrapper);
        inner.saves += 1;
        inner.rev += 1;
        inner.error = None;
        let mut note = format!("saved {}", relative(&self.opening.project, &file));
        if let Some(kept) = &kept {
            note += &format!("; the version before is {}", relative(&self.opening.project, kept));
        }
        inner.notes = vec![note];
        inner.keep_beside(&file, kept.as_deref());
        Ok(())
    }
}

/// Ends what is under way.
struct Done(Arc<Project>);

impl Drop for Done {
    fn drop(&mut self) {
        *self.0.job.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.0.lock().busy = None;
    }
}

impl Trouble {
    pub(crate) fn from_display(error: impl std::fmt::Display) -> Trouble {
        Trouble::new(error.to_string())
    }
}

impl Inner {
    /// After the wrapper was saved: the pages that it works on are kept, to be compared with later ones, and an accepted repair
    /// goes into the history. What cannot be kept is told, but the wrapper is saved.
    fn keep_beside(&mut self, file: &Path, kept: Option<&Path>) {
        if !self.is_suspect
            && let Err(error) = save::keep_documents(&save::pages_beside(file), &self.now.documents)
        {
            self.notes.push(format!("the pages cannot be kept: {error}"));
        }
        let Some(entry) = self
            .now
            .mended
            .clone()
            .filter(|entry| !self.noted.contains(&entry.when))
        else {
            return;
        };
        let mut entry = (*entry).clone();
        if let (Some(repair), Some(kept)) = (&mut entry.repair, kept) {
            repair.kept_as = kept.display().to_string();
        }
        let added = History::open(&history::default_path(file)).and_then(|mut history| history.add(&entry));
        match added {
            Ok(()) => drop(self.noted.insert(entry.when)),
            Err(error) => self.notes.push(format!("the repair is not in the history: {error}")),
        }
    }

    /// After the snapshot was changed by somebody: the draft is written.
    fn changed(&mut self, view: View, notes: Vec<String>) {
        self.replaced(view, notes);
        let draft = files::draft(&self.file);
        let is_changed = !self.undo.is_empty() && self.now.wrapper != self.saved;
        match self.now.wrapper.as_ref().filter(|_| is_changed) {
            Some(wrapper) => {
                if let Err(error) = save_wrapper(&draft, wrapper) {
                    self.notes.push(format!("unsaved changes cannot be kept: {error}"));
                }
            }
            // A draft would say the same as the file, or what is found again by itself.
            None => drop(fs::remove_file(draft)),
        }
    }

    /// After there is another snapshot: what was computed from the old one is gone.
    fn replaced(&mut self, view: View, notes: Vec<String>) {
        self.view = Arc::new(view);
        self.notes = notes;
        self.error = None;
        self.health = None;
        self.repair = None;
        self.rev += 1;
    }
}

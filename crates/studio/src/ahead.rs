//! The rule as paths, made before somebody needs it.
//!
//! A field by pointing needs a rule by paths, and most inferred rules are of another kind. To say such a rule as paths takes about
//! a second for twenty pages, and the first click would have to wait for it. So it is begun as soon as there is a wrapper, on a thread
//! of its own, and stopped when there is another one. Nothing depends on it: whoever comes too early waits for the rest of it, and
//! where it failed, it is tried again by the click, which then tells why.

use crate::project::{Project, Snapshot};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use wrapwright::make::{self, Made};
use wrapwright::wrapper::Rule;
use wrapwright::{Document, Job, Wrapper};

/// Several changes may follow each other: the last one counts.
const PAUSE: Duration = Duration::from_millis(150);
/// With more nodes on all pages, nothing is done that nobody asked for.
const MOST_NODES: usize = 400_000;

/// What is known of the work.
#[derive(Default)]
enum Work {
    #[default]
    Begun,
    Failed,
    Done(Box<Made>),
}

/// A rule that is being said as paths.
pub(crate) struct Ahead {
    of: Arc<Wrapper>,
    documents: Arc<Vec<Document>>,
    job: Job,
    work: Arc<(Mutex<Work>, Condvar)>,
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.job.stop();
    }
}

/// Tells what came of the work, however it ends, a panic included: nobody waits in vain.
struct Ending {
    told: Arc<(Mutex<Work>, Condvar)>,
    made: Option<Made>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let done = self.made.take();
        *self.told.0.lock().unwrap_or_else(PoisonError::into_inner) =
            done.map_or(Work::Failed, |made| Work::Done(Box::new(made)));
        self.told.1.notify_all();
    }
}

impl Ahead {
    /// Begins, if there is something to do.
    fn begin(now: &Snapshot) -> Option<Ahead> {
        let of = now.wrapper.clone()?;
        let nodes: usize = now.documents.iter().map(|document| document.page.len()).sum();
        if matches!(of.rule, Rule::Paths(_) | Rule::Oxpath(_)) || now.documents.is_empty() || nodes > MOST_NODES {
            return None;
        }
        let documents = Arc::clone(&now.documents);
        let (job, work) = (Job::new(), Arc::<(Mutex<Work>, Condvar)>::default());
        let (own, wrapper, pages, told) = (job.clone(), Arc::clone(&of), Arc::clone(&documents), Arc::clone(&work));
        let run = move || {
            let mut ending = Ending { told, made: None };
            std::thread::sleep(PAUSE);
            if !own.is_stopped() {
                ending.made = make::to_paths(&wrapper, &pages, &own).ok();
            }
            if own.is_stopped() {
                ending.made = None;
            }
        };
        std::thread::Builder::new()
            .name("studio-ahead".to_owned())
            .spawn(run)
            .ok()?;
        Some(Ahead {
            of,
            documents,
            job,
            work,
        })
    }

    /// What came of it, as soon as it is there; none if it failed, or if whoever waits was stopped.
    fn wait(&self, job: &Job) -> Option<Made> {
        let mut work = self.work.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*work {
                Work::Done(made) => return Some((**made).clone()),
                Work::Failed => return None,
                Work::Begun if job.is_stopped() => return None,
                Work::Begun => {
                    let waited = self.work.1.wait_timeout(work, Duration::from_millis(50));
                    work = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }
}

impl Project {
    /// Begins to say the rule of the present wrapper as paths, if that is not done yet.
    pub(crate) fn prepare(&self) {
        let now = self.lock().now.clone();
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |ahead: &Arc<Ahead>| {
            now.wrapper
                .as_ref()
                .is_some_and(|wrapper| Arc::ptr_eq(wrapper, &ahead.of))
                && Arc::ptr_eq(&now.documents, &ahead.documents)
        };
        if !ahead.as_ref().is_some_and(is_same) {
            *ahead = Ahead::begin(&now).map(Arc::new);
        }
    }

    /// A wrapper with its rule as paths, and what differs, if that was begun; none otherwise.
    pub(crate) fn by_paths(&self, now: &Snapshot, job: &Job) -> Option<Made> {
        let ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let is_same = now
            .wrapper
            .as_ref()
            .is_some_and(|wrapper| Arc::ptr_eq(wrapper, &ahead.of))
            && Arc::ptr_eq(&now.documents, &ahead.documents);
        is_same.then(|| ahead.wait(job)).flatten()
    }
}

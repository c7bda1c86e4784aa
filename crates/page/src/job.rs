//! Long work that can be watched and stopped.
//!
//! Every operation that may take long takes a [`Job`]. Whoever starts the work keeps a copy: it raises the flag to stop the
//! work, and it is told how the work goes. The work looks at the flag between steps and then ends with what it has. Both
//! sides are cheap: a flag that is read without a lock, and a function that is called only if somebody gave one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle to long work: stops it, and is told how it goes.
///
/// ```
/// use page::job::{Event, Job};
/// use std::sync::{Arc, Mutex};
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let log = Arc::clone(&seen);
/// let job = Job::new().on_event(move |event| log.lock().unwrap().push(format!("{event:?}")));
/// job.tell(Event::Step { done: 1, of: Some(20) });
/// assert_eq!(seen.lock().unwrap().len(), 1);
///
/// let copy = job.clone();
/// copy.stop();
/// assert!(job.is_stopped());
/// ```
#[derive(Clone, Default)]
pub struct Job {
    stopped: Arc<AtomicBool>,
    listener: Option<Arc<Listener>>,
}

/// Somebody who is told what happens.
type Listener = dyn Fn(Event<'_>) + Send + Sync;

/// What happens during long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'e> {
    /// Steps done, and how many there are as far as is known.
    Step {
        /// Done.
        done: u64,
        /// Of this many, as far as is known.
        of: Option<u64>,
    },
    /// A page is being worked on.
    Page(&'e str),
    /// Something worth knowing.
    Note(&'e str),
    /// Something that may make the result worse.
    Warning(&'e str),
}

impl Job {
    /// A job that nobody listens to.
    pub fn new() -> Job {
        Job::default()
    }

    /// A job that this flag stops, for a handler of signals that has one.
    pub fn stopped_by(flag: Arc<AtomicBool>) -> Job {
        Job {
            stopped: flag,
            listener: None,
        }
    }

    /// The same job, with a listener. It may be called from several threads.
    pub fn on_event(self, listener: impl Fn(Event<'_>) + Send + Sync + 'static) -> Job {
        Job {
            listener: Some(Arc::new(listener)),
            ..self
        }
    }

    /// Asks the work to end with what it has.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Was the work asked to end?
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that stops the work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// Tells the listener, if there is one.
    pub fn tell(&self, event: Event<'_>) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Tells a warning.
    pub fn warn(&self, text: &str) {
        self.tell(Event::Warning(text));
    }

    /// Tells a note.
    pub fn note(&self, text: &str) {
        self.tell(Event::Note(text));
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("stopped", &self.is_stopped()).finish()
    }
}

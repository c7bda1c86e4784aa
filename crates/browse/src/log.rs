//! A log of what drivers do, for whoever wants to see it: a trait that a driver tells its steps to.
//!
//! A step is data, so that a door can write it as words or as JSON. Addresses have no passwords in them, and answers are not
//! part of a step.

use std::fmt;
use std::time::Duration;

/// Takes the steps of drivers, from any of their threads. It must not wait for the driver.
pub trait Log: fmt::Debug + Send + Sync {
    /// Something was done.
    fn tell(&self, step: &Step);
}

/// Something that a driver did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What.
    pub deed: Deed,
    /// The address it was about.
    pub url: String,
    /// How long it took.
    pub time: Duration,
}

/// What a driver did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deed {
    /// A request was answered.
    Answered {
        /// `GET` or `POST`.
        method: &'static str,
        /// The status of the answer.
        status: u16,
        /// The size of its body.
        bytes: usize,
    },
    /// The answer was in the cache.
    Cached,
    /// The answer was known from the part of the run before it was interrupted.
    Recalled,
    /// A request failed.
    Failed {
        /// Why.
        why: String,
    },
    /// The same request is made again after this time.
    Again {
        /// The pause before it.
        after: Duration,
    },
    /// A file was read.
    ReadFile {
        /// Its size.
        bytes: usize,
    },
    /// A page was opened in a browser.
    Opened,
    /// An element was acted on.
    Acted {
        /// The action.
        action: String,
        /// The start tag of the element.
        on: String,
    },
}

impl Deed {
    /// Its name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Deed::Answered { .. } => "answered",
            Deed::Cached => "cached",
            Deed::Recalled => "recalled",
            Deed::Failed { .. } => "failed",
            Deed::Again { .. } => "again",
            Deed::ReadFile { .. } => "read",
            Deed::Opened => "opened",
            Deed::Acted { .. } => "acted",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (url, seconds) = (&self.url, self.time.as_secs_f64());
        match &self.deed {
            Deed::Answered { method, status, bytes } => {
                write!(f, "{method} {url}: {status}, {bytes} bytes in {seconds:.3} s")
            }
            Deed::Cached => write!(f, "{url}: from the cache"),
            Deed::Recalled => write!(f, "{url}: known from before"),
            Deed::Failed { why } => write!(f, "{url}: failed after {seconds:.3} s: {why}"),
            Deed::Again { after } => write!(f, "{url}: again in {:.1} s", after.as_secs_f64()),
            Deed::ReadFile { bytes } => write!(f, "{url}: {bytes} bytes read"),
            Deed::Opened => write!(f, "{url}: opened in the browser in {seconds:.3} s"),
            Deed::Acted { action, on } => write!(f, "{action} on {on} of {url}: {seconds:.3} s"),
        }
    }
}

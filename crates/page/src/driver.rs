//! Opening pages and acting on them: the interface between the language and whatever fetches pages.
//!
//! The language asks for a URL or for an action on a node; a [`Driver`] answers with a page in a state. Both sides know
//! only this module, so an expression runs the same way over plain HTTP, in a browser or from a recording.
//!
//! Pages are immutable, so what a user typed is kept beside the tree: a [`Live`] is a tree, its address, and the
//! [`Fields`] whose values differ from the markup. Typing then costs a small map, the tree is shared, and several
//! branches can act on one page without affecting each other. That is why [`Outcome`] separates a page that kept its
//! tree ([`Outcome::Same`]: node ids and everything computed from the tree stay valid) from one with a new tree
//! ([`Outcome::New`]).
//!
//! The trait is blocking and object safe; a driver that needs async hides it inside. What drivers share about forms is
//! in [`crate::form`].

use crate::{NodeId, Page, Remedy};
use std::any::Any;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A page in a state: the tree, where it came from, and what was typed into it.
///
/// Cloning costs a few reference counts.
#[derive(Clone, Debug)]
pub struct Live {
    /// The tree.
    pub page: Arc<Page>,
    /// The address the tree came from, after redirects. Relative links are relative to it and to the page's `base`.
    pub url: Arc<str>,
    /// What was typed, checked and selected since.
    pub fields: Arc<Fields>,
    /// What the driver keeps for this page, such as a browser's tab; freed with the last copy. Only the driver that
    /// created it knows its type.
    pub state: Option<Arc<dyn Any + Send + Sync>>,
    /// Can it change by itself, or do more than its markup says? Then its address alone does not identify it.
    pub scripted: bool,
    /// Where in this tree the element is that was acted on to get here.
    pub acted: Acted,
    /// What lasts from one state of the page to the next, if the driver knows.
    pub lasting: Option<Lasting>,
}

/// What lasts from one state of a page to the next: the page itself, and those of its elements that were not replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasting {
    /// Different for every page that is loaded, and the same for all its states.
    pub page: u64,
    /// A number for each element of the tree, by rank. An element keeps its number as long as it exists; no other element
    /// of any page has it.
    pub elements: Arc<[u64]>,
}

/// Where the element is that was acted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Acted {
    /// The driver does not know. The node in the same position on the new page may be taken for it.
    #[default]
    Unknown,
    /// It is this one.
    At(NodeId),
    /// It is not on the page any more, and no other can be taken for it.
    Gone,
}

impl Live {
    /// A page as it arrived, with nothing typed into it.
    pub fn new(page: Arc<Page>, url: impl Into<Arc<str>>) -> Live {
        Live {
            page,
            url: url.into(),
            fields: Arc::default(),
            state: None,
            scripted: false,
            acted: Acted::Unknown,
            lasting: None,
        }
    }
}

/// Values that differ from the markup, by field.
///
/// A field whose value is that of the markup is absent, so two states are the same exactly when they compare equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(pub BTreeMap<NodeId, Field>);

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// What was typed into an `input` or `textarea`.
    Text(String),
    /// Whether a checkbox or radio button is checked.
    Checked(bool),
    /// The selected `option` elements of a `select`, in document order.
    Selected(Vec<NodeId>),
}

/// What to do to a node of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Click it: follow a link, press a button, toggle a checkbox, choose an option.
    Click,
    /// Click it twice.
    DoubleClick,
    /// Click it with the right button.
    RightClick,
    /// Move the mouse over it.
    MouseOver,
    /// Give it the focus.
    Focus,
    /// Scroll it into view.
    Scroll,
    /// Submit the form it is or belongs to.
    Submit,
    /// Check a checkbox or radio button, if it is not checked already.
    Check,
    /// Uncheck a checkbox, if it is checked.
    Uncheck,
    /// Press a key in it, by its name in the UI Events standard: `Enter`, `Tab`, `a`.
    Press(String),
    /// Press a key in it and hold it, by its name as for [`Action::Press`].
    KeyDown(String),
    /// Release a key.
    KeyUp(String),
    /// Drag it by pixels to the right and down (`120,0`), or onto the first element of a CSS selector (`#basket`).
    Drag(String),
    /// Replace its text; on a `select`, choose by visible text.
    Type(String),
    /// Choose an option by its visible text, or else by its value.
    Select(String),
    /// Choose an option by its index, from 0.
    SelectIndex(usize),
    /// Continue inside a frame.
    EnterFrame,
    /// Load the document of a frame as a page of its own.
    MoveToFrame,
    /// Load the address in its `href`.
    MoveToHref,
    /// Send another mouse event, by name: `mousedown`, `mouseout`, `wheel`.
    Mouse(String),
}

impl Action {
    /// Its name in a log; never what is typed, which may be a password.
    pub fn name(&self) -> &str {
        match self {
            Action::Click => "click",
            Action::DoubleClick => "double click",
            Action::RightClick => "right click",
            Action::MouseOver => "mouse over",
            Action::Focus => "focus",
            Action::Scroll => "scroll",
            Action::Submit => "submit",
            Action::Check => "check",
            Action::Uncheck => "uncheck",
            Action::Press(_) => "press",
            Action::KeyDown(_) => "key down",
            Action::KeyUp(_) => "key up",
            Action::Drag(_) => "drag",
            Action::Type(_) => "type",
            Action::Select(_) | Action::SelectIndex(_) => "select",
            Action::EnterFrame => "enter frame",
            Action::MoveToFrame => "move to frame",
            Action::MoveToHref => "move to href",
            Action::Mouse(event) => event,
        }
    }
}

/// How long an action may take.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Wait this long after the action, for scripts to settle.
    pub wait: Option<Duration>,
    /// Give up after this long; the driver's own default if absent.
    pub timeout: Option<Duration>,
    /// Give up at this time in any case: the end of the whole run.
    pub deadline: Option<Instant>,
    /// Never bring a state back: act on the page as it is now, in the order of the expression.
    pub noback: bool,
    /// The number of the run that asks, among several that are made at the same time. A driver that gives answers of before
    /// tells the runs apart by it.
    pub run: u64,
}

/// What an action led to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The same tree: node ids stay valid, fields may differ.
    Same(Live),
    /// A new tree.
    New(Live),
}

impl Outcome {
    /// The page after the action, whichever tree it has.
    pub fn live(&self) -> &Live {
        match self {
            Outcome::Same(live) | Outcome::New(live) => live,
        }
    }

    /// The page after the action, whichever tree it has.
    pub fn into_live(self) -> Live {
        match self {
            Outcome::Same(live) | Outcome::New(live) => live,
        }
    }
}

/// What an action would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// The page stays; its fields may change.
    Stays,
    /// A page is requested by its address, which has no fragment, and the request changes nothing here or there: a
    /// link, a form sent by GET. It may be requested early, even if it is not needed in the end.
    Asks(String),
    /// Anything may happen.
    Unknown,
}

/// Opens pages and acts on them.
pub trait Driver {
    /// Opens an address that the user named.
    ///
    /// # Errors
    ///
    /// The address is not valid or not allowed, or it does not lead to a page.
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError>;

    /// Opens an address that a page gave, such as one computed from its links. It may be relative to the page. The page's
    /// author wrote it, not the user, so it is as restricted as a link that is clicked: it may not lead to files, nor from
    /// the public web to private addresses, and the user's secrets are sent only to sites that the user named.
    ///
    /// # Errors
    ///
    /// As [`Driver::open`].
    fn open_from(&mut self, url: &str, from: &Live, options: &Options) -> Result<Live, DriverError>;

    /// Acts on a node of a page that this driver gave.
    ///
    /// # Errors
    ///
    /// The node does not support the action, the driver cannot perform it, or it does not lead to a page.
    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError>;

    /// Waits for a page to change by itself, as pages with scripts do. Gives the changed page, or [`Outcome::Same`] if
    /// no change is expected within this time.
    ///
    /// # Errors
    ///
    /// The page is no longer available.
    fn watch(&mut self, on: &Live, _options: &Options) -> Result<Outcome, DriverError> {
        Ok(Outcome::Same(on.clone()))
    }

    /// Tells the driver that the run gives up on a page, for drivers that keep pictures of such pages. `kind` is a short
    /// name for the reason, such as `condition-not-met`. Failures that the driver itself reports are not told.
    fn failed(&mut self, _on: &Live, _kind: &str) {}

    /// What an action would do, as far as is known without doing it. Uses no network.
    fn foresee(&self, _on: &Live, _node: NodeId, _action: &Action) -> Foresight {
        Foresight::Unknown
    }
}

/// Why a driver could not give a page.
///
/// The message is complete: it includes what [`source`](std::error::Error::source) says, if there is a source.
#[derive(Clone, Debug)]
pub struct DriverError {
    /// What went wrong, for programs.
    pub kind: FailureKind,
    /// What went wrong, for people: lower case, without a full stop.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<Remedy>,
    /// Is it worth trying again?
    pub again: Again,
    /// The error that caused this one.
    cause: Option<Arc<dyn Error + Send + Sync>>,
}

/// Equal errors say the same to people and programs; their causes are not compared.
impl PartialEq for DriverError {
    fn eq(&self, other: &DriverError) -> bool {
        let told = |error: &DriverError| (error.kind, error.again);
        told(self) == told(other) && self.message == other.message && self.remedy == other.remedy
    }
}

impl Eq for DriverError {}

/// Whether a request that failed may be sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Again {
    /// No: it would fail again.
    #[default]
    No,
    /// Only if the request changes nothing on the server, because the server may have acted on it.
    IfHarmless,
    /// Yes: the server never saw the request.
    Yes,
}

/// What went wrong in a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// There was no connection, or it broke.
    Unreachable,
    /// The server answered with an error status.
    Status(u16),
    /// It took too long.
    Timeout,
    /// The page is beyond a limit.
    TooLarge,
    /// The address is not valid.
    BadUrl,
    /// The address may not be visited.
    Forbidden,
    /// The site's robots.txt asks programs to stay away from it.
    Robots,
    /// Only a script can do that.
    NeedsBrowser,
    /// The node does not support the action.
    NotActionable,
    /// A recording is replayed, and it does not contain the answer.
    NotRecorded,
    /// Anything else.
    Other,
}

/// The names of kinds, for files and programs; they never change.
const KINDS: [(FailureKind, &str); 10] = [
    (FailureKind::Unreachable, "unreachable"),
    (FailureKind::Timeout, "timeout"),
    (FailureKind::TooLarge, "too-large"),
    (FailureKind::BadUrl, "bad-url"),
    (FailureKind::Forbidden, "forbidden"),
    (FailureKind::Robots, "robots"),
    (FailureKind::NeedsBrowser, "needs-browser"),
    (FailureKind::NotActionable, "not-actionable"),
    (FailureKind::NotRecorded, "not-recorded"),
    (FailureKind::Other, "other"),
];

impl FailureKind {
    /// The name of the kind: `timeout`, or `status-404`.
    ///
    /// ```
    /// use page::driver::FailureKind;
    /// assert_eq!(FailureKind::TooLarge.name(), "too-large");
    /// assert_eq!(FailureKind::from_name("status-404"), FailureKind::Status(404));
    /// ```
    pub fn name(self) -> String {
        if let FailureKind::Status(status) = self {
            return format!("status-{status}");
        }
        let found = KINDS.iter().find(|(kind, _)| *kind == self);
        found.map_or("other", |(_, name)| name).to_owned()
    }

    /// The kind of that name; [`FailureKind::Other`] for an unknown name.
    pub fn from_name(name: &str) -> FailureKind {
        if let Some(status) = name.strip_prefix("status-").and_then(|status| status.parse().ok()) {
            return FailureKind::Status(status);
        }
        let found = KINDS.iter().find(|(_, known)| *known == name);
        found.map_or(FailureKind::Other, |(kind, _)| *kind)
    }
}

impl DriverError {
    /// An error without a remedy.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> DriverError {
        DriverError {
            kind,
            message: message.into(),
            remedy: None,
            again: Again::No,
            cause: None,
        }
    }

    /// The same error, for a request that may be sent again.
    #[must_use]
    pub fn with_again(mut self, again: Again) -> DriverError {
        self.again = again;
        self
    }

    /// The same error with a remedy; a text is [`Remedy::Advice`].
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Remedy>) -> DriverError {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same error with the error that caused it.
    #[must_use]
    pub fn with_source(mut self, cause: impl Error + Send + Sync + 'static) -> DriverError {
        self.cause = Some(Arc::new(cause));
        self
    }
}

/// The message, and the remedy in neutral words.
impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.remedy {
            Some(remedy) => write!(f, " ({remedy})"),
            None => Ok(()),
        }
    }
}

impl Error for DriverError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

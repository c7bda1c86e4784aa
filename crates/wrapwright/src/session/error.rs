//! Why a session cannot begin, cannot run an expression, or cannot keep what it should.

use browse::TapeError;
use oxpath::CompileError;
use page::Remedy;
use page::driver::DriverError;
use std::fmt;
use std::io;
use wrapper::WrapperError;

/// Why a session cannot begin, or cannot run an expression.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// A setting cannot be used: a proxy, a recording to replay, the file of cookies.
    Driver(DriverError),
    /// The browser cannot be started or reached.
    Browser(DriverError),
    /// The recording cannot be written.
    Tape(TapeError),
    /// A browser does not have this yet.
    NotInBrowser(NotInBrowser),
    /// The expression does not begin with `doc(…)`.
    NoStartPage,
    /// The wrapper does not say how its pages are reached.
    NoNavigation,
    /// The wrapper cannot be run.
    Wrapper(WrapperError),
    /// An expression of the navigation is wrong.
    Navigation(CompileError),
    /// The expression names computed styles, which this session does not read from its pages.
    NoStyles(Vec<String>),
    /// The system gives no thread to work on.
    Threads(io::Error),
}

/// What works without a browser only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotInBrowser {
    /// [`SessionSettings::record`](super::SessionSettings::record).
    Record,
    /// [`SessionSettings::recall`](super::SessionSettings::recall): a browser has state that no recording has.
    Run,
    /// [`HttpSettings::cache`](browse::HttpSettings::cache).
    Cache,
    /// [`SessionSettings::cookies`](super::SessionSettings::cookies) with a browser that is running already: it has
    /// cookies of its own, which must not end up in a file.
    Cookies,
}

impl SessionError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            SessionError::Driver(error) | SessionError::Browser(error) => error.remedy.clone(),
            SessionError::Tape(error) => error.remedy(),
            SessionError::NoStartPage => Some("write doc(\"https://…\") in front of it".into()),
            SessionError::NoStyles(_) => Some(Remedy::UseBrowser),
            SessionError::Threads(_) => Some(Remedy::FewerJobs),
            SessionError::NoNavigation => Some("say where to start, or infer the wrapper from an address".into()),
            SessionError::NotInBrowser(_) | SessionError::Wrapper(_) | SessionError::Navigation(_) => None,
        }
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Driver(error) | SessionError::Browser(error) => f.write_str(&error.message),
            SessionError::Tape(error) => error.fmt(f),
            SessionError::NotInBrowser(what) => f.write_str(match what {
                NotInBrowser::Record => "recording does not work with a browser yet",
                NotInBrowser::Run => {
                    "a run in a browser cannot be resumed, because the state of a browser cannot be kept"
                }
                NotInBrowser::Cache => "the cache does not work with a browser yet",
                NotInBrowser::Cookies => {
                    "a file of cookies does not work with a running browser, which has its own cookies"
                }
            }),
            SessionError::NoStartPage => {
                f.write_str("the expression does not begin with doc(…), so there is no page to start on")
            }
            SessionError::NoNavigation => f.write_str("the wrapper does not say where its site begins"),
            SessionError::Wrapper(error) => error.fmt(f),
            SessionError::Navigation(error) => f.write_str(error.message()),
            SessionError::NoStyles(styles) => write!(
                f,
                "the expression asks for styles ({}), which only a browser knows",
                styles.join(", ")
            ),
            SessionError::Threads(error) => write!(f, "the system gives no thread to work on: {error}"),
        }
    }
}

impl std::error::Error for SessionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SessionError::Driver(error) | SessionError::Browser(error) => Some(error),
            SessionError::Tape(error) => Some(error),
            SessionError::Threads(error) => Some(error),
            SessionError::Wrapper(error) => Some(error),
            SessionError::Navigation(error) => Some(error),
            SessionError::NotInBrowser(_)
            | SessionError::NoStartPage
            | SessionError::NoNavigation
            | SessionError::NoStyles(_) => None,
        }
    }
}

impl From<DriverError> for SessionError {
    fn from(error: DriverError) -> SessionError {
        SessionError::Driver(error)
    }
}

impl From<TapeError> for SessionError {
    fn from(error: TapeError) -> SessionError {
        SessionError::Tape(error)
    }
}

/// What a session could not keep at its end; at least one of these.
#[derive(Debug)]
pub struct NotKept {
    /// Why the cookies were not written.
    pub cookies: Option<DriverError>,
    /// Why the recording is not whole.
    pub recording: Option<TapeError>,
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.cookies {
            f.write_str(&error.message)?;
        }
        if let Some(error) = &self.recording {
            let between = if self.cookies.is_some() { "; " } else { "" };
            write!(f, "{between}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for NotKept {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match (&self.cookies, &self.recording) {
            (Some(error), _) => Some(error),
            (None, Some(error)) => Some(error),
            (None, None) => None,
        }
    }
}

//! How pages are fetched, by keyword arguments.

use crate::errors;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::time::Duration;
use wrapwright::diag::nearest;
use wrapwright::session::{RunSettings, Session, SessionSettings};

/// The keyword arguments.
const NAMES: [&str; 20] = [
    "allow_private",
    "cache",
    "cache_hours",
    "cookies",
    "delay",
    "fail_fast",
    "headers",
    "max_depth",
    "max_page_bytes",
    "max_pages",
    "max_time",
    "no_sandbox",
    "per_host",
    "proxy",
    "record",
    "replay",
    "retries",
    "robots",
    "timeout",
    "user_agent",
];

/// How pages are fetched, and how far a run goes.
pub(crate) struct Net {
    pub(crate) session: SessionSettings,
    pub(crate) run: RunSettings,
    replay: Option<PathBuf>,
    browser: bool,
}

impl Net {
    /// Reads keyword arguments. `browser` is a truth value, or the path of a browser.
    pub(crate) fn new(browser: Option<&Bound<'_, PyAny>>, given: Option<&Bound<'_, PyDict>>) -> PyResult<Net> {
        let mut net = Net {
            session: SessionSettings::default(),
            run: RunSettings::default(),
            replay: None,
            browser: false,
        };
        if let Some(browser) = browser {
            match browser.extract::<bool>() {
                Ok(wanted) => net.browser = wanted,
                Err(_) => {
                    net.browser = true;
                    net.session.browser.program = Some(browser.extract()?);
                }
            }
        }
        for (name, value) in given.into_iter().flatten() {
            let name: String = name.extract()?;
            // As elsewhere, None is what is usual.
            if !value.is_none() {
                net.set(&name, &value)?;
            }
        }
        Ok(net)
    }

    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (web, run) = (&mut self.session.web, &mut self.run);
        match name {
            "allow_private" => web.allow_private = value.extract()?,
            "cache" => web.cache = Some(value.extract()?),
            "cache_hours" => web.cache_age = seconds(name, value, 3600.0)?,
            "cookies" => self.session.cookies = Some(value.extract()?),
            "delay" => web.delay = Some(seconds(name, value, 1.0)?),
            "fail_fast" => run.fail_fast = value.extract()?,
            "headers" => {
                for (name, value) in value.cast::<PyDict>()? {
                    let (name, value): (String, String) = (name.extract()?, value.extract()?);
                    self.session.set_header(&name, &value);
                }
            }
            "max_depth" => run.max_depth = Some(value.extract()?),
            "max_page_bytes" => web.limits.bytes = value.extract()?,
            "max_pages" => run.max_pages = Some(value.extract()?),
            "max_time" => run.max_time = Some(seconds(name, value, 1.0)?),
            "no_sandbox" => self.session.browser.no_sandbox = value.extract()?,
            "per_host" => web.per_host = Some(value.extract()?),
            "proxy" => web.proxy = Some(value.extract()?),
            "record" => self.session.record = Some(value.extract()?),
            "replay" => self.replay = Some(value.extract()?),
            "retries" => web.retries = value.extract()?,
            "robots" => web.robots = value.extract()?,
            "timeout" => web.timeout = seconds(name, value, 1.0)?,
            "user_agent" => web.user_agent = value.extract()?,
            _ => {
                let hint = nearest(name, NAMES).map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return Err(PyTypeError::new_err(format!(
                    "got an unexpected keyword argument {name:?}{hint}"
                )));
            }
        }
        Ok(())
    }

    /// Is there a browser, which knows styles?
    pub(crate) fn is_browser(&self) -> bool {
        self.browser
    }

    /// Begins a session that can run expressions with these styles.
    pub(crate) fn open(&mut self, py: Python<'_>, styles: &[String]) -> PyResult<Session> {
        self.session.browser.styles = styles.to_vec();
        self.session.browser.tabs = self.run.jobs;
        let (settings, browser, replay) = (&self.session, self.browser, &self.replay);
        if browser && replay.is_some() {
            return Err(PyValueError::new_err(
                "found both browser and replay; a recording needs no browser",
            ));
        }
        let session = py.detach(|| match replay {
            Some(file) => Session::archive(file, settings),
            None if browser => Session::chromium(settings),
            None => Session::http(settings),
        });
        let session = session.map_err(|error| errors::session(py, &error))?;
        for warning in session.warnings() {
            errors::warn(py, "RunWarning", &warning)?;
        }
        Ok(session)
    }
}

/// A time, given in units of this many seconds.
fn seconds(name: &str, value: &Bound<'_, PyAny>, unit: f64) -> PyResult<Duration> {
    let number: f64 = value.extract()?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| {
        PyValueError::new_err(format!(
            "found {number} for {name}, expected a number that is not negative"
        ))
    })
}

//! Sessions: where pages come from, and the runs that use them.
//!
//! A [`Session`] is a visitor. It owns drivers that share cookies, logins, turns at hosts and counters; the file of
//! cookies; and the recording. Its pages come over HTTP, from a browser, from a recording, or from a driver of one's own.
//!
//! An expression is run by [`Session::run`], which gives [`Records`]: an iterator that works when it is asked. If nobody
//! asks, nothing is fetched, and dropping it stops the run. With several jobs, pages that will be needed are fetched ahead;
//! the records and their order are the same. One expression with many sets of values is [`Runs`], and
//! [`Session::run_all`] runs it.
//!
//! ```
//! use wrapwright::session::{Session, SessionSettings};
//! use wrapwright::{Script, Value};
//!
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("list.html");
//! # std::fs::write(&file, "<li>one<li>two")?;
//! # let address = file.display().to_string();
//! // An address such as https://example.org, or the path of a file.
//! let script = Script::compile("doc($address)//li:<item=.>", &[("address", Value::String(address))])?;
//! let mut found = Vec::new();
//! for record in Session::http(&SessionSettings::default())?.run(&script)? {
//!     found.push(record?.value.unwrap_or_default());
//! }
//! assert_eq!(found, ["one", "two"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bindings;
mod error;
mod lanes;
mod navigates;
mod records;
mod report;
mod settings;
mod site;

pub(crate) use bindings::first_page;
pub use bindings::{Bindings, Checks, RESERVED, Runs, RunsError, RunsProblem};
pub use error::{NotInBrowser, NotKept, SessionError};
pub use navigates::expression_of;
pub use records::{Records, RunEvent};
pub use report::{Notice, OTHER_KIND, RunReport, kind_of};
pub use settings::{KnownPages, RunSettings, SessionSettings};

use crate::Local;
use crate::visit::{ByDriver, MakeDriver, Visitor};
#[cfg(feature = "chromium")]
use browse::chromium::Chromium;
use browse::{Archive, Fetch, HttpSettings, Stats, Tape, Web, Wire};
use lanes::Lanes;
use oxpath::run::{RunOptions, Script, Stop, Workers};
use page::NodeId;
use page::driver::{Action, Driver, DriverError, Foresight, Live, Options, Outcome};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use wrapper::Wrapper;

/// Where pages come from, and what outlives a run: cookies, a recording, counters.
pub struct Session {
    source: Source,
    tape: Option<Tape>,
    cookies: Option<PathBuf>,
    warnings: Mutex<Vec<String>>,
    /// The workers of the last run.
    workers: Option<Workers>,
}

enum Source {
    Web(Web<Box<dyn Fetch>>),
    #[cfg(feature = "chromium")]
    Browser {
        web: Web<Box<dyn Fetch>>,
        browser: Chromium,
        styles: Vec<String>,
    },
    Own(MakeDriver),
}

impl Session {
    /// Pages over HTTP, and files that the user names.
    ///
    /// # Errors
    ///
    /// A setting cannot be used: a proxy, the file of cookies, the recording.
    pub fn http(settings: &SessionSettings) -> Result<Session, SessionError> {
        let fetch = Box::new(Wire::new(&settings.web)?);
        Session::over(fetch, settings.web.clone(), settings)
    }

    /// Pages from a recording, without the network. Of the settings for fetching, only the limits on pages and the
    /// permission to open files count.
    ///
    /// # Errors
    ///
    /// The recording cannot be read, or a setting cannot be used.
    pub fn archive(file: &Path, settings: &SessionSettings) -> Result<Session, SessionError> {
        let archive = Archive::open(file)?;
        let mut warnings: Vec<String> = archive
            .faults()
            .iter()
            .map(|fault| format!("{}: {fault}", file.display()))
            .collect();
        if archive.further_faults() > 0 {
            let more = archive.further_faults();
            warnings.push(format!("{}: {more} more places cannot be read", file.display()));
        }
        let offline = HttpSettings {
            limits: settings.web.limits,
            allow_file: settings.web.allow_file,
            allow_private: true,
            log: settings.web.log.clone(),
            ..HttpSettings::offline()
        };
        let session = Session::over(Box::new(archive), offline, settings)?;
        session.lock_warnings().append(&mut warnings);
        Ok(session)
    }

    /// Pages from an installed Chromium, with scripts. Styles that expressions ask for must be in
    /// [`Setup::styles`](browse::chromium::Setup::styles).
    ///
    /// # Errors
    ///
    /// The browser cannot be started, or a setting cannot be used or does not work with a browser.
    #[cfg(feature = "chromium")]
    pub fn chromium(settings: &SessionSettings) -> Result<Session, SessionError> {
        let set = [
            (NotInBrowser::Record, settings.record.is_some()),
            (NotInBrowser::Run, settings.recall.is_some()),
            (NotInBrowser::Cache, settings.web.cache.is_some()),
            (
                NotInBrowser::Cookies,
                settings.cookies.is_some() && settings.browser.connect.is_some(),
            ),
        ];
        if let Some((what, _)) = set.into_iter().find(|(_, is_set)| *is_set) {
            return Err(SessionError::NotInBrowser(what));
        }
        let web = Web::over(
            Box::new(Wire::new(&settings.web)?) as Box<dyn Fetch>,
            settings.web.clone(),
        );
        load_cookies(&web, settings)?;
        let browser = Chromium::start(settings.browser.clone(), web.clone()).map_err(SessionError::Browser)?;
        let styles = settings.browser.styles.clone();
        Ok(Session {
            cookies: settings.cookies.clone(),
            ..Session::of(Source::Browser { web, browser, styles })
        })
    }

    /// Pages from a driver of one's own. Several jobs take turns with it.
    ///
    /// ```
    /// use wrapwright::drivers::Memory;
    /// use wrapwright::session::Session;
    /// use wrapwright::Script;
    ///
    /// let pages = Memory::new([("http://a.test/", "<p>one<p>two")]);
    /// let mut session = Session::with_driver(Box::new(pages));
    /// let script = Script::compile("doc('http://a.test/')//p:<p=.>", &[])?;
    /// let mut records = session.run(&script)?;
    /// assert_eq!(records.record_types()[0].name, "p");
    /// let first = records.next().expect("a record")?;
    /// assert_eq!(first.value.as_deref(), Some("one"));
    /// assert_eq!(records.summary().pages, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_driver(driver: Box<dyn Driver + Send>) -> Session {
        let turns = Turns(Arc::new(Mutex::new(driver)));
        Session::with_drivers(move || Box::new(turns.clone()))
    }

    /// Pages from drivers of one's own, one for each job.
    pub fn with_drivers(make: impl Fn() -> Box<dyn Driver + Send> + Send + Sync + 'static) -> Session {
        Session::of(Source::Own(Arc::new(make)))
    }

    fn of(source: Source) -> Session {
        Session {
            source,
            tape: None,
            cookies: None,
            warnings: Mutex::default(),
            workers: None,
        }
    }

    fn over(fetch: Box<dyn Fetch>, web: HttpSettings, settings: &SessionSettings) -> Result<Session, SessionError> {
        // After what can be refused. If it is dropped before anything was recorded, it leaves no file.
        let tape = match &settings.record {
            Some(file) => Some(Tape::create(file, false)?),
            None => None,
        };
        let web = match (&tape, &settings.recall) {
            (Some(tape), _) => Web::recorded(fetch, web, tape.clone()),
            (None, Some(recall)) => Web::recalling(fetch, web, Arc::clone(recall)),
            (None, None) => Web::over(fetch, web),
        };
        load_cookies(&web, settings)?;
        Ok(Session {
            tape,
            cookies: settings.cookies.clone(),
            ..Session::of(Source::Web(web))
        })
    }

    /// A session that is the same visitor. It keeps no recording and no file of cookies; this one does.
    pub(crate) fn twin(&self) -> Session {
        Session::of(match &self.source {
            Source::Web(web) => Source::Web(web.clone()),
            #[cfg(feature = "chromium")]
            Source::Browser { web, browser, styles } => Source::Browser {
                web: web.clone(),
                browser: browser.clone(),
                styles: styles.clone(),
            },
            Source::Own(make) => Source::Own(Arc::clone(make)),
        })
    }

    /// A driver. All drivers of a session are one visitor.
    pub fn driver(&self) -> Box<dyn Driver + Send> {
        match &self.source {
            Source::Web(web) => Box::new(Local(web.clone())),
            #[cfg(feature = "chromium")]
            Source::Browser { browser, .. } => Box::new(Local(browser.clone())),
            Source::Own(make) => make(),
        }
    }

    /// What opens pages for whoever saves them, samples them or extracts from them. It is the same visitor as the drivers.
    pub fn visitor(&self) -> Arc<dyn Visitor> {
        match &self.source {
            Source::Web(web) => Arc::new(web.clone()),
            #[cfg(feature = "chromium")]
            Source::Browser { web, browser, .. } => {
                let browser = browser.clone();
                Arc::new(ByDriver {
                    make: Arc::new(move || Box::new(browser.clone())),
                    web: Some(web.clone()),
                })
            }
            Source::Own(make) => Arc::new(ByDriver {
                make: Arc::clone(make),
                web: None,
            }),
        }
    }

    /// The driver without scripts, which gives the bytes of pages, too; none for drivers of one's own.
    pub fn web(&self) -> Option<&Web<Box<dyn Fetch>>> {
        match &self.source {
            Source::Web(web) => Some(web),
            #[cfg(feature = "chromium")]
            Source::Browser { web, .. } => Some(web),
            Source::Own(_) => None,
        }
    }

    /// Do pages come from a browser?
    pub fn is_browser(&self) -> bool {
        !matches!(self.source, Source::Web(_) | Source::Own(_))
    }

    /// What fetching has cost so far; zero for drivers of one's own.
    pub fn stats(&self) -> Stats {
        self.web().map(Web::stats).unwrap_or_default()
    }

    /// Problems since the last call that made no page fail.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut *self.lock_warnings());
        warnings.extend(self.web().map(Web::warnings).unwrap_or_default());
        warnings
    }

    fn lock_warnings(&self) -> MutexGuard<'_, Vec<String>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an expression, one page at a time.
    ///
    /// # Errors
    ///
    /// It does not begin with `doc(…)`, or asks for styles that pages of this session do not have; or the system gives no
    /// thread.
    pub fn run<'s>(&'s mut self, script: &'s Script) -> Result<Records<'s>, SessionError> {
        self.run_with(script, &RunSettings::default())
    }

    /// Runs an expression.
    ///
    /// # Errors
    ///
    /// As [`Session::run`].
    pub fn run_with<'s>(&'s mut self, script: &'s Script, settings: &RunSettings) -> Result<Records<'s>, SessionError> {
        self.check(script, &script.styles())?;
        let workers = Workers::new(settings.jobs, || self.driver()).map_err(SessionError::Threads)?;
        let web = self.web().cloned();
        let workers = self.workers.insert(workers);
        let run = script.start_with(workers, None, &options(settings));
        let source = records::Source::One(Box::new(run), false);
        Ok(Records::new(source, script.record_types(), settings.job.clone(), web))
    }

    /// Runs an expression with all its sets of values. Events come as if the runs were made one after the other. They stop
    /// when one of them ends early.
    ///
    /// # Errors
    ///
    /// As [`Session::run`].
    pub fn run_all<'s>(&'s mut self, runs: &'s Runs, settings: &RunSettings) -> Result<Records<'s>, SessionError> {
        if runs.count() == 1 {
            return self.run_with(runs.first(), settings);
        }
        self.check(runs.first(), runs.styles())?;
        let jobs = settings.jobs.max(1);
        // Who may open a page is decided in the order of runs, so runs that share a number of pages are made one by one.
        let width = match settings.max_pages {
            Some(_) => 1,
            None => jobs.min(runs.count()).max(1),
        };
        let share = |lane: usize| jobs / width + usize::from(lane < jobs % width);
        let workers: Result<Vec<Workers>, _> = (0..width)
            .map(|lane| Workers::new(share(lane), || self.driver()))
            .collect();
        let workers = workers.map_err(SessionError::Threads)?;
        let lanes = Lanes::start(runs, workers, &options(settings)).map_err(SessionError::Threads)?;
        let source = records::Source::Several(Box::new(lanes));
        let types = runs.first().record_types();
        Ok(Records::new(source, types, settings.job.clone(), self.web().cloned()))
    }

    /// Runs a wrapper over the live site: from the start of the navigation along its pager, following its links. Pages are
    /// visited in the order of the list, and records come in the order of the pages, whatever the number of jobs.
    ///
    /// ```
    /// use wrapwright::drivers::Memory;
    /// use wrapwright::session::{RunSettings, Session};
    /// use wrapwright::wrapper::{Navigation, Onward, Rule};
    /// use wrapwright::{RecordType, Wrapper};
    ///
    /// let pages = Memory::new([
    ///     ("http://a.test/1", "<li>one<li>two<a href=/2 rel=next>Next</a>"),
    ///     ("http://a.test/2", "<li>three"),
    /// ]);
    /// let rule = Rule::Oxpath("//li:<item>[.:<text=string(.)>]".to_owned());
    /// let mut wrapper = Wrapper::bare(rule, RecordType::flat("item", ["text"]), None);
    /// wrapper.navigation = Some(Navigation {
    ///     start: vec!["http://a.test/1".to_owned()],
    ///     next: Some(Onward::Pager),
    ///     follow: Vec::new(),
    /// });
    /// let session = Session::with_drivers(move || Box::new(pages.clone()));
    /// let records = session.run_wrapper(&wrapper, &RunSettings::default())?;
    /// assert_eq!(records.count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The wrapper has no navigation, or it cannot be run.
    pub fn run_wrapper(&self, wrapper: &Wrapper, settings: &RunSettings) -> Result<Records<'static>, SessionError> {
        let navigation = wrapper
            .navigation
            .as_ref()
            .filter(|navigation| !navigation.start.is_empty());
        let navigation = navigation.ok_or(SessionError::NoNavigation)?;
        let site = site::Site::new(self.visitor(), wrapper, navigation, settings)?;
        let types = vec![wrapper.sink_type()];
        let source = records::Source::Site(Box::new(site));
        Ok(Records::new(source, types, settings.job.clone(), self.web().cloned()))
    }

    /// Can this session run an expression that asks for these styles?
    fn check(&self, script: &Script, styles: &[String]) -> Result<(), SessionError> {
        if script.needs_start_page() {
            return Err(SessionError::NoStartPage);
        }
        let known: &[String] = match &self.source {
            Source::Web(_) => &[],
            #[cfg(feature = "chromium")]
            Source::Browser { styles, .. } => styles,
            // Its pages may have any.
            Source::Own(_) => return Ok(()),
        };
        let missing: Vec<String> = styles.iter().filter(|style| !known.contains(style)).cloned().collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(SessionError::NoStyles(missing)),
        }
    }

    /// Ends the browser, if there is one, after its cookies were taken over.
    fn end_browser(&self) -> Result<(), DriverError> {
        #[cfg(feature = "chromium")]
        if let Source::Browser { browser, .. } = &self.source {
            let taken = match self.cookies {
                Some(_) => browser.take_cookies(),
                None => Ok(()),
            };
            browser.end();
            return taken;
        }
        Ok(())
    }

    /// Ends the session: closes the browser, writes the cookies, completes the recording. Keeps as much of it as can be
    /// kept.
    ///
    /// # Errors
    ///
    /// Something could not be kept.
    pub fn finish(&self) -> Result<(), NotKept> {
        let taken = self.end_browser();
        let cookies = match (self.web(), &self.cookies) {
            // Without the browser's cookies the file stays as it is.
            (Some(web), Some(file)) => taken.and_then(|()| web.save_cookies(file)),
            _ => Ok(()),
        };
        let recording = self.tape.as_ref().map_or(Ok(()), Tape::finish);
        match (cookies.err(), recording.err()) {
            (None, None) => Ok(()),
            (cookies, recording) => Err(NotKept { cookies, recording }),
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

/// Begins with the cookies of the file, if there is one.
fn load_cookies(web: &Web<Box<dyn Fetch>>, settings: &SessionSettings) -> Result<(), DriverError> {
    if let Some(file) = &settings.cookies {
        // Better now than after a long run.
        web.check_cookies_file(file)?;
        if file.is_file() {
            web.load_cookies(file)?;
        }
    }
    Ok(())
}

fn options(settings: &RunSettings) -> RunOptions {
    RunOptions {
        fail_fast: settings.fail_fast,
        whole_addresses: settings.whole_addresses,
        pages_left: settings.max_pages.map(|most| Arc::new(AtomicUsize::new(most))),
        max_depth: settings.max_depth,
        deadline: settings.max_time.and_then(|time| Instant::now().checked_add(time)),
        stop: Some(Stop::from(settings.job.flag())),
        run: 0,
    }
}

/// A driver that several threads take turns with.
#[derive(Clone)]
struct Turns(Arc<Mutex<Box<dyn Driver + Send>>>);

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Box<dyn Driver + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver for Turns {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        self.lock().open(url, options)
    }

    fn open_from(&mut self, url: &str, from: &Live, options: &Options) -> Result<Live, DriverError> {
        self.lock().open_from(url, from, options)
    }

    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        self.lock().act(on, node, action, options)
    }

    fn watch(&mut self, on: &Live, options: &Options) -> Result<Outcome, DriverError> {
        self.lock().watch(on, options)
    }

    fn failed(&mut self, on: &Live, kind: &str) {
        self.lock().failed(on, kind);
    }

    fn foresee(&self, on: &Live, node: NodeId, action: &Action) -> Foresight {
        self.lock().foresee(on, node, action)
    }
}

#[cfg(test)]
mod tests;

//! Pages with scripts: an installed Chromium, driven over its DevTools protocol.
//!
//! ```text
//! act ─▶ place (tab in that state?) ─▶ hand: mouse and keys ─▶ tab: ready? ─▶ world.js sends the tree ─▶ read ─▶ Live
//!            │ no: open the address again, repeat the actions since            │
//!            └────────────────────────────────────────────────────────────────┘
//! ```
//!
//! **A page is copied once and evaluated here.** One script in an isolated world sends the tree, form values and
//! visibility in a single answer, and computed styles and boxes only if the expression names some. Elements keep their
//! rank, which identifies them in actions.
//!
//! **A page is not left by following its links.** While we act on a page, its attempts to go elsewhere are caught (by
//! the Navigation API, after all handlers of the page have run) and the address is opened in another tab. So a page
//! with a hundred links stays as it is while they are followed, and the driver never has to go back. Going back was a
//! weakness of earlier implementations, because it loses what a script did to the page. Forms that post do leave their
//! page, and so do scripts whose navigation cannot be caught.
//!
//! **States that only a script can reach** stay in their tab as long as nothing else is done there. The copied tree of
//! a state stays valid for extraction; only an action on a state that its tab has left needs to reach that state again
//! (see `place`).
//!
//! **Crashes are repaired.** A lost tab or browser is noticed at once; the page is opened again, in a new browser if
//! necessary, its actions are repeated, and the operation is tried again.
//!
//! Known gaps: frames of other origins are empty, but `{movetoframe /}` opens them as pages; the cache and recordings
//! work with the HTTP driver only; closed shadow trees are not visible; a page that keeps changing
//! is copied as it is after a few seconds.

mod browser;
mod cookies;
mod drag;
mod frames;
mod hand;
mod headers;
mod keys;
mod launch;
mod perform;
mod place;
mod read;
mod regain;
mod sign;
mod socket;
mod tab;
mod visit;
mod wire;
mod world;

use crate::act::{self, Effect};
use crate::carry::more_time;
use crate::fetch::{Fetch, Method};
use crate::gate::Gate;
use crate::log::Deed;
use crate::stats::Stats;
use crate::web::{Web, brief};
use browser::{Browser, Lease};
use hand::Trouble;
use page::NodeId;
use page::driver::{Action, Driver, DriverError, FailureKind, Foresight, Live, Options, Outcome};
use perform::Acted;
use place::{How, Place, Places};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;
use wire::Fault;

/// Which browser to use, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program; if absent, the first installed one of a list.
    pub program: Option<PathBuf>,
    /// The address of a running browser, `ws://…`; then no browser is started.
    pub connect: Option<String>,
    /// Show its windows?
    pub headed: bool,
    /// Run it without its sandbox? For root it is always off.
    pub no_sandbox: bool,
    /// Load images, fonts and advertisements? If styles are needed they are always loaded, because boxes depend on
    /// them.
    pub load_images: bool,
    /// The computed styles and boxes to copy with pages, by name.
    pub styles: Vec<String>,
    /// The number of tabs that are kept for the next page.
    pub tabs: usize,
    /// A folder for a screenshot of each page on which something failed.
    pub screenshots: Option<PathBuf>,
    /// When a page with scripts counts as ready.
    pub patience: Patience,
}

/// When a page with scripts counts as ready: it is loaded, no request that it made is running, and its tree does not
/// change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// After an action, a page has this long to start something.
    pub react: Duration,
    /// Its tree must not have changed for this long; half of it, if it has changed since the last answer came.
    pub quiet: Duration,
    /// A page that is loaded, but does not become quiet, is used as it is after this long. Requests that an action
    /// started are waited for until then.
    pub settle: Duration,
}

impl Default for Patience {
    /// Short enough for pages that do nothing, long enough for most that do.
    fn default() -> Patience {
        Patience {
            react: Duration::from_millis(300),
            quiet: Duration::from_millis(100),
            settle: Duration::from_secs(8),
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            program: None,
            connect: None,
            headed: false,
            no_sandbox: false,
            load_images: false,
            styles: Vec::new(),
            tabs: 1,
            screenshots: None,
            patience: Patience::default(),
        }
    }
}

/// The rules that tabs must know.
pub(crate) struct Rules {
    web: Web<Box<dyn Fetch>>,
    block: bool,
    allow_private: bool,
    /// Are there headers of the user?
    has_headers: bool,
    patience: Patience,
    /// The way to the network; none if nothing needs to be checked, or if somebody else started the browser.
    gate: Option<Gate>,
}

impl Rules {
    fn is_private(&self, url: &Url) -> bool {
        self.web.carrier().may_be_private_from(url)
    }

    fn reached(&self, url: &Url, remote: Option<IpAddr>) {
        self.web.carrier().origins.reached(url, remote);
    }

    fn count_bytes(&self, bytes: u64) {
        self.web.carrier().counters.bytes.add(bytes);
    }
}

/// A driver over an installed Chromium.
///
/// Clones share the browser, so several threads are one visitor with several tabs.
#[derive(Clone)]
pub struct Chromium {
    shared: Arc<Shared>,
}

struct Shared {
    setup: Setup,
    web: Web<Box<dyn Fetch>>,
    rules: Arc<Rules>,
    browser: Mutex<Option<Arc<Browser>>>,
    places: Mutex<Places>,
    started: AtomicUsize,
    ended: AtomicBool,
    pictures: AtomicUsize,
    most_tabs: AtomicUsize,
}

/// The most starts of a browser in one run; after that it counts as broken.
const MOST_STARTS: usize = 100;

fn failed(kind: FailureKind, message: String) -> DriverError {
    DriverError::new(kind, message)
}

impl Chromium {
    /// A driver with the settings of `web`: limits, timeouts, robots.txt, turns at hosts, private addresses.
    ///
    /// # Errors
    ///
    /// No browser is installed, or it does not start.
    pub fn start(setup: Setup, web: Web<Box<dyn Fetch>>) -> Result<Chromium, DriverError> {
        let gate = match setup.connect {
            Some(_) => None,
            None => {
                let settings = web.settings().clone();
                let web = web.clone();
                let reached = move |url: &Url, at| web.carrier().origins.reached(url, Some(at));
                Gate::start(&settings, reached)?
            }
        };
        let rules = Arc::new(Rules {
            gate,
            web: web.clone(),
            block: !setup.load_images && setup.styles.is_empty(),
            allow_private: web.settings().allow_private,
            has_headers: !(web.settings().headers.is_empty() && web.settings().site_headers.is_empty()),
            patience: setup.patience,
        });
        let all = web.settings().site_headers.values().flatten();
        for (name, _) in all.chain(&web.settings().headers) {
            if headers::is_its_own(name) {
                web.carrier().warn(format!(
                    "the header {name} is not sent, because only the browser can set it"
                ));
            }
        }
        let chromium = Chromium {
            shared: Arc::new(Shared {
                setup,
                web,
                rules,
                browser: Mutex::default(),
                places: Mutex::default(),
                started: AtomicUsize::new(0),
                ended: AtomicBool::new(false),
                pictures: AtomicUsize::new(0),
                most_tabs: AtomicUsize::new(0),
            }),
        };
        chromium.browser()?;
        Ok(chromium)
    }

    /// Takes the cookies of the browser over into the driver without scripts that it was started with, from which they can
    /// be saved. Until then, that one has the cookies that the browser started with.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub fn take_cookies(&self) -> Result<(), DriverError> {
        let browser = self.lock().clone().filter(|browser| !browser.wire.is_gone());
        let Some(browser) = browser else {
            let message = "the cookies of the browser are lost, because it is gone".to_owned();
            return Err(failed(FailureKind::Other, message));
        };
        let contexts = browser.cookies()?;
        let web = &self.shared.web;
        web.set_cookies(&cookies::merged(&web.cookies(), &contexts));
        Ok(())
    }

    /// Ends the browser. No page can be opened after this.
    pub fn end(&self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        let browser = self.lock().take();
        if let Some(browser) = browser {
            self.note(&browser);
            browser.end();
        }
        if let Some(gate) = &self.shared.rules.gate {
            gate.end();
        }
    }

    /// The id of the browser's process, if it runs and we started it.
    pub fn process(&self) -> Option<u32> {
        self.lock().as_ref().and_then(|browser| browser.process())
    }

    /// The address of the browser, if it runs and we started it.
    pub fn address(&self) -> Option<String> {
        self.lock().as_ref().and_then(|browser| browser.address())
    }

    /// How often a browser was started.
    pub fn starts(&self) -> usize {
        self.shared.started.load(Ordering::Relaxed)
    }

    /// The most tabs that were in use at once.
    pub fn most_tabs(&self) -> usize {
        let now = self.lock().as_ref().map_or(0, |browser| browser.most_used());
        now.max(self.shared.most_tabs.load(Ordering::Relaxed))
    }

    /// What browsing has cost so far, all clones together.
    pub fn stats(&self) -> Stats {
        self.shared.web.stats()
    }

    /// Problems since the last call that did not make a page fail.
    pub fn warnings(&self) -> Vec<String> {
        self.shared.web.warnings()
    }

    /// Goes to an address, waits until the page is ready, and does nothing else: the least that a page costs.
    ///
    /// # Errors
    ///
    /// The address does not lead to a page.
    pub fn visit_bare(&self, url: &str, options: &Options) -> Result<(), DriverError> {
        let url = Url::parse(url).map_err(|error| failed(FailureKind::BadUrl, error.to_string()).with_source(error))?;
        let how = How::Open {
            url: url.clone(),
            referrer: None,
            private: true,
        };
        self.again(&brief(&url), options, || {
            let deadline = self.deadline(options);
            let lease = self.enter(&how, deadline)?;
            lease.tab.loaded(deadline)?;
            lease.tab.settle(false, deadline)?;
            Ok(())
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Browser>>> {
        self.shared.browser.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> std::sync::MutexGuard<'_, Places> {
        self.shared.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, browser: &Browser) {
        self.shared.most_tabs.fetch_max(browser.most_used(), Ordering::Relaxed);
    }

    /// The browser; a new one if the last one is gone.
    fn browser(&self) -> Result<Arc<Browser>, DriverError> {
        let mut browser = self.lock();
        // Threads may still be working when a run is stopped, and must not start another browser.
        if self.shared.ended.load(Ordering::SeqCst) {
            return Err(failed(FailureKind::Other, "the browser was ended".to_owned()));
        }
        if let Some(browser) = browser.as_ref().filter(|browser| !browser.wire.is_gone()) {
            return Ok(Arc::clone(browser));
        }
        if let Some(old) = browser.take() {
            self.note(&old);
            old.end();
            self.warn("the browser was gone and is started again".to_owned());
        }
        if self.shared.started.fetch_add(1, Ordering::Relaxed) >= MOST_STARTS {
            let message = "the browser ended too often to be started again".to_owned();
            return Err(failed(FailureKind::Other, message));
        }
        let rules = Arc::clone(&self.shared.rules);
        let new = Browser::start(&self.shared.setup, self.shared.web.settings(), rules)?;
        *browser = Some(Arc::clone(&new));
        Ok(new)
    }

    fn warn(&self, warning: String) {
        self.shared.web.carrier().warn(warning);
    }

    fn deadline(&self, options: &Options) -> Instant {
        let time = options.timeout.unwrap_or(self.shared.web.settings().timeout) + options.wait.unwrap_or_default();
        let now = Instant::now();
        let end = now.checked_add(time).unwrap_or(now + Duration::from_secs(1 << 20));
        options.deadline.map_or(end, |deadline| deadline.min(end))
    }

    /// Does something, and again if the browser or the tab was gone. At most twice: when many tabs crash together, the
    /// next one may get a process that is dead already.
    fn again<T>(
        &self,
        about: &str,
        options: &Options,
        mut something: impl FnMut() -> Result<T, Trouble>,
    ) -> Result<T, DriverError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let fault = match something() {
                Ok(done) => return Ok(done),
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::Elsewhere(url)) => {
                    let message = format!("{about} now leads to {}", brief(&url));
                    return Err(failed(FailureKind::Other, message));
                }
                Err(Trouble::Fault(fault)) => fault,
            };
            if matches!(fault, Fault::Gone | Fault::Tab(_)) && tries < 3 {
                self.look_after();
                continue;
            }
            return Err(self.explain(about, fault, options));
        }
    }

    /// A fault in words.
    fn explain(&self, about: &str, fault: Fault, options: &Options) -> DriverError {
        match fault {
            Fault::Gone => failed(FailureKind::Other, format!("{about}: the browser is gone")),
            Fault::Tab(why) => failed(FailureKind::Other, format!("{about}: {why}")),
            Fault::Late if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                let message = format!("the time for the run was over before {about} was ready");
                failed(FailureKind::Timeout, message)
            }
            Fault::Late => {
                let time = options.timeout.unwrap_or(self.shared.web.settings().timeout);
                let message = format!("{about} took longer than {} s", time.as_secs_f64());
                failed(FailureKind::Timeout, message).with_remedy(more_time(options.timeout.is_some()))
            }
            Fault::Refused(why) => failed(FailureKind::Other, format!("{about}: the browser says: {why}")),
        }
    }

    /// After a tab crashed: is its browser still there? When a browser crashes, its tabs notice first.
    fn look_after(&self) {
        let browser = self.lock().clone();
        if let Some(browser) = browser
            && !browser.answers()
        {
            browser.wire.close();
        }
    }
}

/// Is it a click on a link that does not look scripted?
fn is_plain_link(on: &Live, node: NodeId, action: &Action) -> bool {
    let Some(link) = act::element(on, node).filter(|_| *action == Action::Click) else {
        return false;
    };
    let has = |name: &str| on.page.attribute_value(link, name).is_some();
    on.page.name(link) == "a" && has("href") && !has("onclick") && !has("role") && !has("download")
}

impl Driver for Chromium {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        let parsed = Url::parse(url).map_err(|error| {
            let message = format!("\"{}\" is not an address: {error}", crate::web::shorten(url));
            failed(FailureKind::BadUrl, message).with_source(error)
        })?;
        match parsed.scheme() {
            "http" | "https" => {}
            "file" if self.shared.web.settings().allow_file => {}
            "file" => {
                let message = format!("{} is a file, and opening files is not allowed here", brief(&parsed));
                return Err(failed(FailureKind::Forbidden, message));
            }
            _ => {
                let message = format!("{} may not be opened, expected http or https", brief(&parsed));
                return Err(failed(FailureKind::Forbidden, message));
            }
        }
        self.shared.web.name(url);
        self.visit(&parsed, None, true, 1, options)
    }

    fn open_from(&mut self, url: &str, from: &Live, options: &Options) -> Result<Live, DriverError> {
        let target = crate::web::address(url, act::base_of(from).as_ref())?;
        self.follow(target.as_str(), from, options).map(Outcome::into_live)
    }

    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        let Some(place) = Place::of(on) else {
            let message = "the page is not from this browser".to_owned();
            return Err(failed(FailureKind::NotActionable, message));
        };
        // Without scripts a link is its address.
        if !on.scripted
            && let Ok(Effect::Go(request)) = act::act(on, node, action)
            && request.method == Method::Get
        {
            return self.follow(request.url.as_str(), on, options);
        }
        let start = Instant::now();
        let acted = self.again(&on.url, options, || self.act_live(on, &place, node, action, options));
        if let Ok(url) = Url::parse(&on.url) {
            self.shared.web.carrier().tell(&url, start.elapsed(), || Deed::Acted {
                action: action.name().to_owned(),
                on: act::tag(on, node),
            });
        }
        match acted? {
            Acted::Live(outcome) => Ok(outcome),
            Acted::Go(url) => self.follow(&url, on, options),
        }
    }

    fn watch(&mut self, on: &Live, options: &Options) -> Result<Outcome, DriverError> {
        let Some(place) = Place::of(on).filter(|_| on.scripted) else {
            return Ok(Outcome::Same(on.clone()));
        };
        let start = Instant::now();
        let deadline = self.deadline(options);
        let mut held = place.lease();
        let Some(lease) = held.take().filter(Lease::is_alive) else {
            return Ok(Outcome::Same(on.clone()));
        };
        let is_same = |news: &tab::News| news.changes == 0 && news.url == *on.url;
        let mut news = lease
            .tab
            .change(0, start + deadline.saturating_duration_since(start) / 2);
        if news.as_ref().is_ok_and(is_same) {
            // A page that should grow when its end is seen may have missed that: so it is shown once more.
            let _ = lease.tab.ask("nudge()", deadline);
            news = lease.tab.change(0, deadline);
        }
        let told = match news {
            Ok(news) if is_same(&news) => {
                *held = Some(lease);
                return Ok(Outcome::Same(on.clone()));
            }
            Ok(_) => self.tell(&lease.tab, deadline + Duration::from_secs(5)),
            Err(fault) => Err(fault.into()),
        };
        let how = Arc::clone(&place.how);
        match told {
            Ok(told) => {
                let how = place.later(sign::print(&told.page), start.elapsed());
                let live = self.live_from(told, how, place.depth, lease, Arc::downgrade(&place));
                Ok(Outcome::New(live))
            }
            Err(trouble) => match self.given_up(lease, trouble) {
                Trouble::Error(error) => Err(error),
                Trouble::Elsewhere(url) => self.follow(url.as_str(), on, options),
                Trouble::Fault(Fault::Gone | Fault::Tab(_)) => self.again(&on.url, options, || {
                    let deadline = self.deadline(options);
                    let (lease, told) = self.rebuild(&how, None, deadline)?;
                    Ok(Outcome::New(self.live(told, Arc::clone(&how), place.depth, lease)))
                }),
                Trouble::Fault(fault) => Err(self.explain(&on.url, fault, options)),
            },
        }
    }

    fn failed(&mut self, on: &Live, kind: &str) {
        if let Some(place) = Place::of(on)
            && let Some(lease) = &*place.lease()
        {
            self.picture(&lease.tab, kind);
        }
    }

    fn foresee(&self, on: &Live, node: NodeId, action: &Action) -> Foresight {
        match on.scripted {
            // What a page with scripts does is known only afterwards, but its plain links are probably links. Links are
            // followed ahead of their turn by clicking, so a wrong guess does no harm.
            true if !is_plain_link(on, node, action) => Foresight::Unknown,
            true => match self.shared.web.foresee(on, node, action) {
                Foresight::Asks(url) if on.url.split('#').next() != Some(url.as_str()) => Foresight::Asks(url),
                _ => Foresight::Unknown,
            },
            false => self.shared.web.foresee(on, node, action),
        }
    }
}

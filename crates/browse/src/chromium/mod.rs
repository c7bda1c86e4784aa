//! Pages with scripts: an installed Chromium, driven over its DevTools protocol.
//!
//! ```text
//! act ─▶ place (tab in that state?) ─▶ hand: mouse and keys ─▶ tab: ready? ─▶ world.js tells the tree ─▶ read ─▶ Live
//!            │ no: open the address again, repeat the actions since            │
//!            └────────────────────────────────────────────────────────────────┘
//! ```
//!
//! **A page is copied once and evaluated here.** One script in a world of its own tells tree, form values and visibility
//! in a single answer; computed styles and boxes only if the expression names some. Elements keep their rank, which is how
//! actions name them.
//!
//! **A page is not left by following its links.** While we act on a page, its attempts to go elsewhere are caught (by the
//! Navigation API, after all handlers of the page have run) and the address is opened in another tab. So a page with a
//! hundred links stays as it is while they are followed, without any going back, which is what broke earlier
//! implementations: whatever a script had done to a page was lost by it. Forms that post leave their page all the same,
//! and so does a script that is not to be caught.
//!
//! **States that only a script can reach** stay in their tab as long as nothing else is done there. The tree that was
//! told of a state stays good for extraction; only who acts on a state that its tab has left pays for getting there again
//! ([`place`]).
//!
//! **What breaks is started again.** A tab or browser that is gone is noticed at once; the page is opened again, in a new
//! browser if need be, its actions repeated, and what was asked for is tried once more.
//!
//! Known gaps: frames of other origins are empty, `{movetoframe /}` opens them as pages; `--header`, `--cookies`, `--cache` and `--record` belong to the HTTP driver; a shadow tree that its page
//! closed cannot be seen; a page that keeps changing is taken as it is after a few seconds.

mod browser;
mod hand;
mod keys;
mod launch;
mod place;
mod read;
mod socket;
mod tab;
mod wire;
mod world;

use crate::act::{self, Effect};
use crate::fetch::{Fetch, Method};
use crate::stats::Stats;
use crate::web::{Fetched, Web, brief, referrer, refusal};
use browser::{Browser, Lease};
use hand::{Done, Hand, Trouble};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options, Outcome};
use page::{LimitError, NodeId};
use place::{How, Place, Step};
use read::Told;
use serde_json::json;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tab::Tab;
use url::Url;
use wire::Fault;

/// Which browser, and how it is to be run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program; if absent, the first of the usual ones that is installed.
    pub program: Option<PathBuf>,
    /// The address of a browser that runs already, `ws://…`; then none is started.
    pub connect: Option<String>,
    /// Show its windows?
    pub headed: bool,
    /// Run it without its sandbox? For root there is none anyway.
    pub no_sandbox: bool,
    /// Load images, fonts and advertisements? Where styles are asked for they are loaded in any case, because boxes
    /// depend on them.
    pub load_images: bool,
    /// The computed styles and boxes that pages are to carry, by name.
    pub styles: Vec<String>,
    /// How many tabs are kept for the next page.
    pub tabs: usize,
    /// A folder for a picture of each page that something failed on.
    pub screenshots: Option<PathBuf>,
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
        }
    }
}

/// What tabs must know of the rules.
pub(crate) struct Rules {
    web: Web<Box<dyn Fetch>>,
    block: bool,
    allow_private: bool,
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
    started: AtomicUsize,
    pictures: AtomicUsize,
    most_tabs: AtomicUsize,
}

/// How often a browser is started in one run: one that always dies is not worth it.
const MOST_STARTS: usize = 100;

fn failed(kind: FailureKind, message: String) -> DriverError {
    DriverError::new(kind, message)
}

impl Chromium {
    /// A driver that keeps to the settings of `web`: limits, timeouts, robots.txt, turns at hosts, private addresses.
    ///
    /// # Errors
    ///
    /// There is no browser, or it does not start.
    pub fn start(setup: Setup, web: Web<Box<dyn Fetch>>) -> Result<Chromium, DriverError> {
        let rules = Arc::new(Rules {
            web: web.clone(),
            block: !setup.load_images && setup.styles.is_empty(),
            allow_private: web.settings().allow_private,
        });
        let chromium = Chromium {
            shared: Arc::new(Shared {
                setup,
                web,
                rules,
                browser: Mutex::default(),
                started: AtomicUsize::new(0),
                pictures: AtomicUsize::new(0),
                most_tabs: AtomicUsize::new(0),
            }),
        };
        chromium.browser()?;
        Ok(chromium)
    }

    /// Ends the browser. Whoever asks for a page after this starts another.
    pub fn end(&self) {
        let browser = self.lock().take();
        if let Some(browser) = browser {
            self.note(&browser);
            browser.end();
        }
    }

    /// The number of the browser's process, if it runs and is ours.
    pub fn process(&self) -> Option<u32> {
        self.lock().as_ref().and_then(|browser| browser.process())
    }

    /// Where the browser can be connected to, if it runs and is ours.
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

    /// Goes to an address and waits until the page is ready, and nothing else: what a page costs at least.
    ///
    /// # Errors
    ///
    /// There is no page.
    pub fn visit_bare(&self, url: &str, options: &Options) -> Result<(), DriverError> {
        let url = Url::parse(url).map_err(|error| failed(FailureKind::BadUrl, error.to_string()))?;
        let how = How::Open {
            url: url.clone(),
            referrer: None,
            private: true,
        };
        self.twice(&brief(&url), || {
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

    fn note(&self, browser: &Browser) {
        self.shared.most_tabs.fetch_max(browser.most_used(), Ordering::Relaxed);
    }

    /// The browser; another if the last one is gone.
    fn browser(&self) -> Result<Arc<Browser>, DriverError> {
        let mut browser = self.lock();
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

    /// Does something; once more if the browser or the tab was gone.
    fn twice<T>(&self, about: &str, mut something: impl FnMut() -> Result<T, Trouble>) -> Result<T, DriverError> {
        let mut first = true;
        loop {
            let fault = match something() {
                Ok(done) => return Ok(done),
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::Fault(fault)) => fault,
            };
            if matches!(fault, Fault::Gone | Fault::Tab(_)) && std::mem::take(&mut first) {
                self.look_after();
                continue;
            }
            return Err(match fault {
                Fault::Gone => failed(FailureKind::Other, format!("{about}: the browser is gone")),
                Fault::Tab(why) => failed(FailureKind::Other, format!("{about}: {why}")),
                Fault::Late => {
                    let message = format!(
                        "{about} took longer than {} s",
                        self.shared.web.settings().timeout.as_secs_f64()
                    );
                    failed(FailureKind::Timeout, message).with_hint("--timeout gives it more time")
                }
                Fault::Refused(why) => failed(FailureKind::Other, format!("{about}: the browser says: {why}")),
            });
        }
    }

    /// After a tab broke: is its browser still there? When a browser dies its tabs are the first to tell.
    fn look_after(&self) {
        let browser = self.lock().clone();
        if let Some(browser) = browser
            && !browser.answers()
        {
            browser.wire.close();
        }
    }

    /// Opens an address in a tab of its own.
    fn visit(&self, url: &Url, from: Option<String>, private: bool, options: &Options) -> Result<Live, DriverError> {
        let carrier = self.shared.web.carrier();
        let turn = match url.scheme() {
            "file" => None,
            _ => Some(carrier.admit(url, private, options)?),
        };
        let how = Arc::new(How::Open {
            url: url.clone(),
            referrer: from,
            private,
        });
        let start = Instant::now();
        carrier.counters.requests.add(1);
        let live = self.twice(&brief(url), || {
            let deadline = self.deadline(options);
            let lease = self.enter(&how, deadline)?;
            let arrived = self.arrive(&lease, options, false, deadline);
            match arrived {
                Ok(told) => Ok(live(told, Arc::clone(&how), lease)),
                Err(trouble) => Err(self.given_up(lease, trouble)),
            }
        });
        carrier.counters.fetching.add_since(start);
        drop(turn);
        live
    }

    /// A tab on its way to an address.
    fn enter(&self, how: &How, deadline: Instant) -> Result<Lease, Trouble> {
        let How::Open { url, referrer, private } = how else {
            return Err(failed(
                FailureKind::Other,
                "a page without an address cannot be opened".to_owned(),
            )
            .into());
        };
        let lease = self.browser()?.tab()?;
        let mut tries = 0;
        loop {
            let error = match lease.tab.navigate(url, referrer.as_deref(), *private, deadline) {
                Ok(error) => error,
                Err(fault) => return Err(self.given_up(lease, fault.into())),
            };
            let Some(why) = error else { return Ok(lease) };
            tries += 1;
            // What the page before in this tab was still up to may get in the way, once.
            let unclear = why == "net::ERR_ABORTED" && !lease.tab.doing().was_answered();
            if unclear && tries == 1 {
                continue;
            }
            let error = unreached(url, &why, &lease.tab);
            return Err(self.given_up(lease, error.into()));
        }
    }

    /// Lets go of a tab that something failed in: with a picture, and for good if it does not answer.
    fn given_up(&self, lease: Lease, trouble: Trouble) -> Trouble {
        match &trouble {
            Trouble::Fault(_) => {
                lease
                    .tab
                    .doing()
                    .dead
                    .get_or_insert_with(|| "it did not answer".to_owned());
            }
            Trouble::Error(error) => self.picture(&lease.tab, error),
        }
        trouble
    }

    /// Waits until the page in a tab is ready, and has it told.
    fn arrive(&self, lease: &Lease, options: &Options, acted: bool, deadline: Instant) -> Result<Told, Trouble> {
        let tab = &lease.tab;
        if acted {
            tab.settle(true, deadline)?;
        }
        tab.loaded(deadline)?;
        self.acceptable(tab)?;
        if let Some(wait) = options.wait {
            std::thread::sleep(wait.min(deadline.saturating_duration_since(Instant::now())));
            return self.tell(tab, deadline);
        }
        let told = self.tell(tab, deadline)?;
        if !told.scripted || acted {
            return Ok(told);
        }
        let documents = tab.doing().documents;
        let news = tab.settle(false, deadline)?;
        let moved = tab.doing().documents != documents;
        if news.changes == 0 && news.url == told.url && !moved {
            return Ok(told);
        }
        self.acceptable(tab)?;
        self.tell(tab, deadline)
    }

    /// Is what the tab shows a page, and one that may be visited?
    fn acceptable(&self, tab: &Tab) -> Result<(), DriverError> {
        let doing = tab.doing();
        if let Some(url) = &doing.refused {
            let message = format!("{url} is a private address, and the page that leads there is public");
            return Err(failed(FailureKind::Forbidden, message).with_hint("--allow-private allows it"));
        }
        let Some(status) = doing.status else { return Ok(()) };
        let fetched = Fetched {
            url: doing.url(),
            status,
            headers: vec![("content-type".to_owned(), doing.mime.clone())],
            body: Vec::new(),
            from_cache: false,
            tries: 1,
        };
        refusal(&fetched).map_or(Ok(()), Err)
    }

    /// Has the page in a tab told.
    fn tell(&self, tab: &Tab, deadline: Instant) -> Result<Told, Trouble> {
        let (setup, limits) = (&self.shared.setup, self.shared.web.settings().limits);
        let ask = format!("read({}, {}, {})", json!(setup.styles), limits.nodes, limits.bytes);
        loop {
            let told = match tab.ask(&ask, deadline) {
                Ok(told) => told,
                Err(fault) if fault.is_new_document() && Instant::now() < deadline => {
                    tab.loaded(deadline)?;
                    continue;
                }
                Err(fault) => return Err(fault.into()),
            };
            let start = Instant::now();
            let page = read::page(&told, &setup.styles, limits);
            self.shared.web.carrier().counters.parsing.add_since(start);
            return page.map_err(|error: LimitError| {
                let message = format!("{}: {error}", tab.doing().url());
                failed(FailureKind::TooLarge, message).into()
            });
        }
    }

    /// Brings a tab into a state again.
    fn rebuild(&self, how: &How, deadline: Instant) -> Result<(Lease, u64), Trouble> {
        let lost = |why: &str| {
            let message = format!("the page cannot be brought back to the state it was in: {why}");
            Trouble::from(failed(FailureKind::Other, message))
        };
        let Some((open, steps)) = how.steps() else {
            return Err(lost("too much was done to it"));
        };
        let mut lease = self.enter(open, deadline)?;
        let options = Options::default();
        let mut told = self.arrive(&lease, &options, false, deadline)?;
        for step in steps {
            let sign = format!("sign({}, {})", told.version, step.rank);
            if lease.tab.ask(&sign, deadline)? != step.sign {
                return Err(lost("it is not what it was"));
            }
            let hand = Hand {
                tab: &lease.tab,
                version: told.version,
                rank: step.rank,
                tag: &step.sign,
                deadline,
                warn: &|_| {},
            };
            hand.perform(&step.action)?;
            lease.tab.settle(true, deadline)?;
            if let Some(window) = take_popup(&lease.tab) {
                lease = self.browser()?.adopt(window);
            }
            told = self.arrive(&lease, &options, true, deadline)?;
        }
        Ok((lease, told.version))
    }

    /// Acts on a page in its tab.
    fn act_live(
        &self,
        on: &Live,
        place: &Place,
        node: NodeId,
        action: &Action,
        options: &Options,
    ) -> Result<Acted, Trouble> {
        let deadline = self.deadline(options);
        let Some(element) = act::element(on, node).or_else(|| on.page.elements().first().copied()) else {
            return Err(failed(FailureKind::NotActionable, "the page has no elements".to_owned()).into());
        };
        let Ok(rank) = on.page.elements().binary_search(&element) else {
            return Err(failed(FailureKind::NotActionable, "the node is not on this page".to_owned()).into());
        };
        let mut held = place.lease();
        let (lease, version) = match held.take().filter(Lease::is_alive) {
            Some(lease) => (lease, place.version),
            None => {
                // The old browser may be gone with all its tabs; this is when another is started.
                self.rebuild(&place.how, deadline)?
            }
        };
        let tag = act::tag(on, node);
        let hand = Hand {
            tab: &lease.tab,
            version,
            rank,
            tag: &tag,
            deadline,
            warn: &|warning| self.warn(warning),
        };
        let documents = lease.tab.doing().documents;
        if let Some(stray) = take_popup(&lease.tab) {
            stray.close();
        }
        lease.tab.ask("arm(true)", deadline)?;
        let done = match hand.perform(action) {
            Ok(done) => done,
            Err(Trouble::Error(error)) => {
                // Nothing was done, so the tab is as it was.
                self.picture(&lease.tab, &error);
                let _ = lease.tab.ask("arm(false)", deadline);
                if version == place.version {
                    *held = Some(lease);
                }
                return Err(error.into());
            }
            Err(trouble) => return Err(self.given_up(lease, trouble)),
        };
        if let Done::Go(url) = done {
            let _ = lease.tab.ask("arm(false)", deadline);
            if version == place.version {
                *held = Some(lease);
            }
            return Ok(Acted::Go(url));
        }
        let news = match options.wait {
            None => lease.tab.settle(place.scripted || may_leave(action), deadline),
            Some(wait) => {
                std::thread::sleep(wait.min(deadline.saturating_duration_since(Instant::now())));
                lease.tab.settle(false, deadline)
            }
        };
        let news = match news {
            Ok(news) => news,
            Err(fault) => return Err(self.given_up(lease, fault.into())),
        };
        let moved = lease.tab.doing().documents != documents;
        let touched = moved || news.changes > 0 || news.url != *on.url;
        let step = Step {
            rank,
            sign: sign(on, element),
            action: action.clone(),
        };
        if let Some(window) = take_popup(&lease.tab) {
            let _ = lease.tab.ask("arm(false)", deadline);
            if !touched && version == place.version {
                *held = Some(lease);
            }
            let lease = self.browser()?.adopt(window);
            let told = match self.arrive(&lease, options, true, deadline) {
                Ok(told) => told,
                Err(trouble) => return Err(self.given_up(lease, trouble)),
            };
            let how = reached(&told.url, &lease.tab, place, step);
            return Ok(Acted::Live(Outcome::New(live(told, how, lease))));
        }
        if let Some(url) = news.going {
            let _ = lease.tab.ask("arm(false)", deadline);
            if !touched && version == place.version {
                *held = Some(lease);
            }
            return Ok(Acted::Go(url));
        }
        if !moved {
            let _ = lease.tab.ask("arm(false)", deadline);
        }
        if !touched {
            let fields = match lease.tab.ask("fields()", deadline) {
                Ok(told) => read::fields(&told, &on.page),
                Err(fault) => return Err(self.given_up(lease, fault.into())),
            };
            if fields == *on.fields && version == place.version && *action != Action::EnterFrame {
                *held = Some(lease);
                return Ok(Acted::Live(Outcome::Same(on.clone())));
            }
            if *action != Action::EnterFrame {
                let place = Place::new(then(place, step), version, place.scripted, lease);
                let state: Arc<dyn std::any::Any + Send + Sync> = Arc::new(place);
                return Ok(Acted::Live(Outcome::Same(Live {
                    fields: Arc::new(fields),
                    state: Some(state),
                    ..on.clone()
                })));
            }
        }
        let told = if moved {
            self.arrive(&lease, options, false, deadline)
        } else {
            self.tell(&lease.tab, deadline)
        };
        match told {
            Ok(told) => {
                let how = match moved {
                    true => reached(&told.url, &lease.tab, place, step),
                    false => then(place, step),
                };
                Ok(Acted::Live(Outcome::New(live(told, how, lease))))
            }
            Err(trouble) => Err(self.given_up(lease, trouble)),
        }
    }

    /// Takes a picture of a page that something failed on.
    fn picture(&self, tab: &Tab, error: &DriverError) {
        let Some(folder) = &self.shared.setup.screenshots else {
            return;
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        let Ok(answer) = tab.call("Page.captureScreenshot", &json!({ "format": "png" }), deadline) else {
            return;
        };
        let bytes = base64(answer["data"].as_str().unwrap_or(""));
        let number = self.shared.pictures.fetch_add(1, Ordering::Relaxed) + 1;
        let file = folder.join(format!("{number:03}-{}.png", error.kind.name()));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, bytes));
        if let Err(why) = written {
            self.warn(format!("the picture {} cannot be written: {why}", file.display()));
        }
    }

    /// Goes where a page leads.
    fn follow(&self, url: &str, from: &Live, options: &Options) -> Result<Outcome, DriverError> {
        let from = Url::parse(&from.url).ok();
        let target = Url::parse(url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(target) = target else {
            let message = format!("the page leads to \"{}\", which is no page", crate::web::shorten(url));
            return Err(failed(FailureKind::Forbidden, message));
        };
        let private = from.as_ref().map_or(self.shared.rules.allow_private, |from| {
            self.shared.rules.is_private(from)
        });
        let referrer = from.as_ref().and_then(|from| referrer(from, &target));
        self.visit(&target, referrer, private, options).map(Outcome::New)
    }
}

/// What came of acting on a page.
enum Acted {
    Live(Outcome),
    Go(String),
}

/// May the action lead away from a page without scripts?
fn may_leave(action: &Action) -> bool {
    !matches!(
        action,
        Action::Type(_)
            | Action::Select(_)
            | Action::SelectIndex(_)
            | Action::Check
            | Action::Uncheck
            | Action::Focus
            | Action::Scroll
            | Action::MouseOver
            | Action::EnterFrame
    )
}

/// The last window that a page opened; the others are closed.
fn take_popup(tab: &Tab) -> Option<Arc<Tab>> {
    let mut popups = std::mem::take(&mut tab.doing().popups);
    let last = popups.pop();
    popups.iter().for_each(|popup| popup.close());
    last
}

fn live(told: Told, how: Arc<How>, lease: Lease) -> Live {
    let place: Arc<dyn std::any::Any + Send + Sync> = Arc::new(Place::new(how, told.version, told.scripted, lease));
    Live {
        page: Arc::new(told.page),
        url: told.url.into(),
        fields: Arc::new(told.fields),
        state: Some(place),
    }
}

fn then(place: &Place, step: Step) -> Arc<How> {
    Arc::new(How::Then {
        before: Some(Arc::clone(&place.how)),
        step,
    })
}

/// How to get to a page that came by itself: by its address, unless a form was sent to get it.
fn reached(url: &str, tab: &Tab, place: &Place, step: Step) -> Arc<How> {
    let posted = tab.doing().posted;
    match Url::parse(url) {
        Ok(url) if !posted && matches!(url.scheme(), "http" | "https") => Arc::new(How::Open {
            url,
            referrer: None,
            private: true,
        }),
        _ => then(place, step),
    }
}

fn sign(on: &Live, element: NodeId) -> String {
    let id = on.page.attribute_value(element, "id").unwrap_or("");
    format!("{}#{id}", on.page.name(element))
}

/// Why there is no page at an address.
fn unreached(url: &Url, why: &str, tab: &Tab) -> DriverError {
    let doing = tab.doing();
    if let Some(refused) = &doing.refused {
        let message = format!("{refused} may not be visited from a public page");
        return failed(FailureKind::Forbidden, message).with_hint("--allow-private allows private addresses");
    }
    if let Some(status) = doing.status.filter(|status| !(200..300).contains(status)) {
        return failed(FailureKind::Status(status), format!("{} answered {status}", brief(url)));
    }
    let url = brief(url);
    match why {
        "net::ERR_ABORTED" => failed(
            FailureKind::Other,
            format!("{url} is a download, or nothing, expected a page"),
        ),
        "net::ERR_NAME_NOT_RESOLVED" => failed(FailureKind::Unreachable, format!("{url}: there is no such host")),
        "net::ERR_CONNECTION_REFUSED" => failed(FailureKind::Unreachable, format!("{url}: the connection was refused")),
        "net::ERR_TIMED_OUT" | "net::ERR_CONNECTION_TIMED_OUT" => {
            failed(FailureKind::Timeout, format!("{url} does not answer"))
        }
        _ => failed(FailureKind::Unreachable, format!("{url} is not reached: {why}")),
    }
}

/// The bytes of base64; what is none is left out.
fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

impl Driver for Chromium {
    fn open(&mut self, url: &str, options: &Options) -> Result<Live, DriverError> {
        let parsed = Url::parse(url).map_err(|error| {
            let message = format!("\"{}\" is no address: {error}", crate::web::shorten(url));
            failed(FailureKind::BadUrl, message)
        })?;
        match parsed.scheme() {
            "http" | "https" => {}
            "file" if self.shared.web.settings().allow_file => {}
            _ => {
                let message = format!("{} may not be opened, expected http or https", brief(&parsed));
                return Err(failed(FailureKind::Forbidden, message));
            }
        }
        self.visit(&parsed, None, true, options)
    }

    fn act(&mut self, on: &Live, node: NodeId, action: &Action, options: &Options) -> Result<Outcome, DriverError> {
        let place = on.state.as_ref().and_then(|state| state.downcast_ref::<Place>());
        let Some(place) = place else {
            let message = "the page is not from this browser".to_owned();
            return Err(failed(FailureKind::NotActionable, message));
        };
        // Without scripts a link is its address.
        if !place.scripted
            && let Ok(Effect::Go(request)) = act::act(on, node, action)
            && request.method == Method::Get
            && matches!(request.url.scheme(), "http" | "https")
        {
            return self.follow(request.url.as_str(), on, options);
        }
        let acted = self.twice(&on.url, || self.act_live(on, place, node, action, options))?;
        match acted {
            Acted::Live(outcome) => Ok(outcome),
            Acted::Go(url) => self.follow(&url, on, options),
        }
    }

    fn watch(&mut self, on: &Live, options: &Options) -> Result<Outcome, DriverError> {
        let place = on.state.as_ref().and_then(|state| state.downcast_ref::<Place>());
        let Some(place) = place.filter(|place| place.scripted) else {
            return Ok(Outcome::Same(on.clone()));
        };
        let deadline = self.deadline(options);
        let mut held = place.lease();
        let Some(lease) = held.take().filter(Lease::is_alive) else {
            return Ok(Outcome::Same(on.clone()));
        };
        let news = lease.tab.change(0, deadline);
        let told = match news {
            Ok(news) if news.changes == 0 && news.url == *on.url => {
                *held = Some(lease);
                return Ok(Outcome::Same(on.clone()));
            }
            Ok(_) => self.tell(&lease.tab, deadline + Duration::from_secs(5)),
            Err(fault) => Err(fault.into()),
        };
        let how = Arc::clone(&place.how);
        match told {
            Ok(told) => Ok(Outcome::New(live(told, how, lease))),
            Err(trouble) => {
                let trouble = self.given_up(lease, trouble);
                let mut trouble = Some(trouble);
                self.twice(&on.url, || Err(trouble.take().unwrap_or(Trouble::Fault(Fault::Late))))
            }
        }
    }

    fn may_go_ahead(&self, on: &Live, node: NodeId, action: &Action) -> bool {
        let place = on.state.as_ref().and_then(|state| state.downcast_ref::<Place>());
        place.is_some_and(|place| !place.scripted)
            && matches!(act::act(on, node, action), Ok(Effect::Go(request)) if request.method == Method::Get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_bytes() {
        assert_eq!(base64("aGVsbG8="), b"hello");
        assert_eq!(base64("aGVsbG8h"), b"hello!");
        assert_eq!(base64(""), b"");
    }
}

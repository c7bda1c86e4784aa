//! The browser and its tabs.
//!
//! A few unused tabs are kept for the next page, because opening a tab costs as much as a small page. Each tab has its
//! own window: tabs in one window hide each other, and a hidden tab does not paint, so lists that load more when they
//! become visible would not grow.
//!
//! Pages from private addresses are opened in a browser context of their own, which reaches the network through the
//! other door of the [`gate`](crate::gate). It is created when it is first needed. The contexts share no cookies; a host
//! is in one zone, so this separates only cookies of a domain with hosts in both.
//!
//! Windows that a page opens attach by themselves and wait until the tab whose page opened them takes them over, if
//! that happened during an action.

use super::cookies;
use super::launch::Launched;
use super::tab::Tab;
use super::wire::{Fault, Listener, Wire};
use super::{Rules, Setup};
use crate::cookies::Cookie;
use crate::gate::Zone;
use crate::settings::HttpSettings;
use page::Remedy;
use page::driver::{DriverError, FailureKind};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use url::Url;

/// How long the browser itself may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// A page with more dialogs than this may open further ones at any time, which would delay the next page in its tab.
const MOST_DIALOGS: usize = 3;
/// A tab is used for at most this many pages, because some pages leave state behind.
const MOST_USES: usize = 200;

/// A running browser.
pub(super) struct Browser {
    pub(super) wire: Arc<Wire>,
    launched: Mutex<Option<Launched>>,
    windows: Arc<Windows>,
    rules: Arc<Rules>,
    /// The context for private pages, if there is one.
    inside: Mutex<Option<String>>,
    /// Unused tabs, and how many pages each has had.
    idle: Mutex<Vec<(Arc<Tab>, usize)>>,
    most_idle: usize,
    /// Tabs in use, and the most at the same time.
    used: AtomicUsize,
    most_used: AtomicUsize,
}

/// Attached windows that no tab has taken over yet.
struct Windows {
    wire: Weak<Wire>,
    rules: Arc<Rules>,
    new: Mutex<HashMap<String, String>>,
    tabs: Mutex<HashMap<String, Weak<Tab>>>,
    arrived: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Windows {
    fn know(&self, target: String, tab: &Arc<Tab>) {
        let mut tabs = lock(&self.tabs);
        tabs.retain(|_, tab| tab.strong_count() > 0);
        tabs.insert(target, Arc::downgrade(tab));
    }
}

impl Listener for Windows {
    fn event(&self, wire: &Wire, method: &str, params: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        match method {
            "Target.attachedToTarget" => {
                let about = &params["targetInfo"];
                let (target, session) = (text(&about["targetId"]), text(&params["sessionId"]));
                let opener = about["openerId"].as_str().unwrap_or("");
                let tab = lock(&self.tabs).get(opener).and_then(Weak::upgrade);
                if let (Some(opener), Some(own)) = (tab, self.wire.upgrade()) {
                    let mut doing = opener.doing();
                    // A page can open any number of windows; a few are enough.
                    if doing.popups.len() >= 8 {
                        drop(doing);
                        wire.post("", "Target.closeTarget", &json!({ "targetId": target }));
                        return;
                    }
                    // At once, because its opener is blocked until the window runs.
                    let private = doing.private();
                    let rules = Arc::clone(&self.rules);
                    let (tab, _) = Tab::new(own, rules, (target.clone(), session), (opener.zone, private));
                    (doing.related, tab.doing().related) = (true, true);
                    doing.popups.push(Arc::clone(&tab));
                    drop(doing);
                    self.know(target, &tab);
                    opener.stir();
                    return;
                }
                // It may belong to another client; and nothing relevant can happen in our own window yet.
                wire.post(&session, "Runtime.runIfWaitingForDebugger", &json!({}));
                lock(&self.new).insert(target, session);
                self.arrived.notify_all();
            }
            "Target.detachedFromTarget" => {
                let session = text(&params["sessionId"]);
                lock(&self.new).retain(|_, known| *known != session);
                wire.give_up(&session, "the tab was closed");
            }
            _ => {}
        }
    }

    fn gone(&self) {
        self.arrived.notify_all();
    }
}

/// A tab that returns to its browser when it is dropped.
pub(super) struct Lease {
    pub(super) tab: Arc<Tab>,
    browser: Arc<Browser>,
    uses: usize,
}

impl Lease {
    /// Does the browser of this tab still run?
    pub(super) fn is_alive(&self) -> bool {
        !self.tab.wire.is_gone() && self.tab.doing().dead.is_none()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.browser.used.fetch_sub(1, Ordering::Relaxed);
        let clean = self.is_alive() && self.uses < MOST_USES && self.tab.doing().is_calm(MOST_DIALOGS);
        let mut idle = lock(&self.browser.idle);
        if clean && idle.len() < self.browser.most_idle {
            idle.push((Arc::clone(&self.tab), self.uses + 1));
            return;
        }
        drop(idle);
        self.browser.close_tab(&self.tab);
    }
}

fn failed(message: String) -> DriverError {
    DriverError::new(FailureKind::Other, message)
}

impl Browser {
    /// Starts a browser or connects to one.
    pub(super) fn start(
        setup: &Setup,
        settings: &HttpSettings,
        rules: Arc<Rules>,
    ) -> Result<Arc<Browser>, DriverError> {
        let (launched, address) = match &setup.connect {
            Some(address) => (None, connectable(address)?),
            None => {
                let agent =
                    (settings.user_agent != HttpSettings::default().user_agent).then_some(&*settings.user_agent);
                let door = rules.gate.as_ref().map(|gate| gate.door(home(&rules)));
                let launched = Launched::start(setup, door, agent)?;
                let address = launched.address.clone();
                if let (Some(gate), Some(port)) = (&rules.gate, address.port()) {
                    gate.close_port(port);
                }
                (Some(launched), address)
            }
        };
        let wire = Wire::connect(&address)
            .map_err(|error| failed(format!("the browser at {address} cannot be reached: {error}")).with_source(error));
        let wire = match (wire, launched) {
            (Err(error), Some(mut launched)) => {
                launched.kill();
                launched.end();
                return Err(error);
            }
            (Err(error), None) => return Err(error),
            (Ok(wire), launched) => (wire, launched),
        };
        let (wire, launched) = wire;
        let windows = Arc::new(Windows {
            wire: Arc::downgrade(&wire),
            rules: Arc::clone(&rules),
            new: Mutex::default(),
            tabs: Mutex::default(),
            arrived: Condvar::new(),
        });
        let weak = Arc::downgrade(&windows);
        wire.listen("", weak);
        let browser = Arc::new(Browser {
            wire,
            launched: Mutex::new(launched),
            windows,
            rules,
            inside: Mutex::default(),
            idle: Mutex::default(),
            most_idle: setup.tabs.clamp(1, 64),
            used: AtomicUsize::new(0),
            most_used: AtomicUsize::new(0),
        });
        let deadline = Instant::now() + PATIENCE;
        let attach = json!({
            "autoAttach": true,
            "waitForDebuggerOnStart": true,
            "flatten": true,
            "filter": [{ "type": "page" }],
        });
        browser.call("Target.setAutoAttach", &attach, deadline)?;
        browser
            .wire
            .post("", "Browser.setDownloadBehavior", &no_downloads(None));
        if setup.connect.is_none() {
            browser.set_cookies(None, deadline).map_err(refused)?;
        }
        Ok(browser)
    }

    fn call(&self, method: &str, params: &Value, deadline: Instant) -> Result<Value, DriverError> {
        self.wire.call("", method, params, deadline).map_err(refused)
    }

    /// Sets the cookies that all contexts start with.
    fn set_cookies(&self, context: Option<&str>, deadline: Instant) -> Result<(), Fault> {
        let cookies = cookies::all_to_browser(&self.rules.web.cookies());
        if cookies.is_empty() {
            return Ok(());
        }
        let set = |cookies: &[Value]| {
            let params = within(context, json!({ "cookies": cookies }));
            self.wire.call("", "Storage.setCookies", &params, deadline)
        };
        match set(&cookies) {
            // One that it does not take spoils all.
            Err(Fault::Refused(_)) => {
                let refused = cookies
                    .iter()
                    .filter(|cookie| set(std::slice::from_ref(cookie)).is_err());
                let names: Vec<&str> = refused.filter_map(|cookie| cookie["name"].as_str()).collect();
                let carrier = self.rules.web.carrier();
                carrier.warn(format!("the browser does not take these cookies: {}", names.join(", ")));
                Ok(())
            }
            other => other.map(|_| ()),
        }
    }

    /// The cookies of each context.
    pub(super) fn cookies(&self) -> Result<Vec<Vec<Cookie>>, DriverError> {
        let deadline = Instant::now() + PATIENCE;
        let inside = lock(&self.inside).clone();
        let contexts = std::iter::once(None).chain(inside.as_deref().map(Some));
        let asked = contexts.map(|context| {
            let told = self.call("Storage.getCookies", &within(context, json!({})), deadline)?;
            Ok(cookies::all_from_browser(&told))
        });
        asked.collect()
    }

    /// Does it answer?
    pub(super) fn answers(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        self.call("Browser.getVersion", &json!({}), deadline).is_ok()
    }

    /// The id of the browser's process, if we started it.
    pub(super) fn process(&self) -> Option<u32> {
        lock(&self.launched).as_ref().map(Launched::id)
    }

    /// Where the browser listens, if we started it.
    pub(super) fn address(&self) -> Option<String> {
        lock(&self.launched)
            .as_ref()
            .map(|launched| launched.address.to_string())
    }

    /// Tabs in use.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// The most tabs that were in use at the same time.
    pub(super) fn most_used(&self) -> usize {
        self.most_used.load(Ordering::Relaxed)
    }

    fn lease(self: &Arc<Browser>, tab: Arc<Tab>, uses: usize) -> Lease {
        let used = self.used.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_used.fetch_max(used, Ordering::Relaxed);
        Lease {
            tab,
            browser: Arc::clone(self),
            uses,
        }
    }

    /// The context for private pages.
    fn inside(&self, deadline: Instant) -> Result<Option<String>, Fault> {
        let mut inside = lock(&self.inside);
        if let (None, Some(gate)) = (&*inside, &self.rules.gate) {
            let params = json!({
                "proxyServer": gate.door(Zone::Private).to_string(),
                "proxyBypassList": "<-loopback>",
                "disposeOnDetach": true,
            });
            let answer = self.wire.call("", "Target.createBrowserContext", &params, deadline)?;
            let context = answer["browserContextId"].as_str().map(str::to_owned);
            // Without a context of its own, such a page would be at the wrong door.
            let context = context.ok_or_else(|| Fault::Refused("no browser context was created".to_owned()))?;
            self.wire
                .post("", "Browser.setDownloadBehavior", &no_downloads(Some(&context)));
            self.set_cookies(Some(&context), deadline)?;
            *inside = Some(context);
        }
        Ok(inside.clone())
    }

    /// A tab for a new page of this zone.
    pub(super) fn tab(self: &Arc<Browser>, zone: Zone) -> Result<Lease, Fault> {
        loop {
            let mut all = lock(&self.idle);
            let at = all.iter().rposition(|(tab, _)| tab.zone == zone);
            let idle = at.map(|at| all.remove(at));
            drop(all);
            let Some((tab, uses)) = idle else { break };
            let alive = tab.doing().dead.is_none();
            if alive {
                return Ok(self.lease(tab, uses));
            }
        }
        let deadline = Instant::now() + PATIENCE;
        let mut params = json!({ "url": "about:blank", "newWindow": true });
        if zone != home(&self.rules)
            && let Some(context) = self.inside(deadline)?
        {
            params["browserContextId"] = context.into();
        }
        let answer = self.wire.call("", "Target.createTarget", &params, deadline)?;
        let target = answer["targetId"].as_str().unwrap_or("").to_owned();
        let mut new = lock(&self.windows.new);
        let session = loop {
            if let Some(session) = new.remove(&target) {
                break session;
            }
            if self.wire.is_gone() {
                return Err(Fault::Gone);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Late);
            }
            let waited = self
                .windows
                .arrived
                .wait_timeout(new, left.min(Duration::from_millis(250)));
            new = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(new);
        let (wire, rules) = (Arc::clone(&self.wire), Arc::clone(&self.rules));
        let (tab, set_up) = Tab::new(wire, rules, (target.clone(), session), (zone, true));
        self.windows.know(target, &tab);
        let lease = self.lease(tab, 0);
        for pending in set_up {
            pending.wait(deadline)?;
        }
        Ok(lease)
    }

    /// Takes over a window that a page opened.
    pub(super) fn adopt(self: &Arc<Browser>, tab: Arc<Tab>) -> Lease {
        self.lease(tab, 0)
    }

    fn close_tab(&self, tab: &Tab) {
        lock(&self.windows.tabs).remove(&tab.target);
        tab.close();
    }

    /// Ends the browser, or the connection to one that is not ours.
    pub(super) fn end(&self) {
        let idle = std::mem::take(&mut *lock(&self.idle));
        let launched = lock(&self.launched).take();
        match launched {
            Some(mut launched) => {
                self.wire.post("", "Browser.close", &json!({}));
                launched.end();
            }
            None => idle.iter().for_each(|(tab, _)| self.close_tab(tab)),
        }
        self.wire.close();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end();
    }
}

/// The zone of the browser's first context.
fn home(rules: &Rules) -> Zone {
    match rules.gate.as_ref().is_some_and(|gate| gate.is_free()) {
        true => Zone::Private,
        false => Zone::Public,
    }
}

fn refused(fault: Fault) -> DriverError {
    match fault {
        Fault::Gone => failed("the browser is gone".to_owned()),
        Fault::Late => failed("the browser does not answer".to_owned()),
        Fault::Tab(why) | Fault::Refused(why) => failed(format!("the browser says: {why}")),
    }
}

fn no_downloads(context: Option<&str>) -> Value {
    within(context, json!({ "behavior": "deny", "eventsEnabled": false }))
}

/// The parameters for a context; the browser's first one if none is named.
fn within(context: Option<&str>, mut params: Value) -> Value {
    if let Some(context) = context {
        params["browserContextId"] = context.into();
    }
    params
}

/// The WebSocket address of a running browser.
fn connectable(address: &str) -> Result<Url, DriverError> {
    let parsed = Url::parse(address).ok().filter(|url| url.scheme() == "ws");
    parsed.ok_or_else(|| {
        let message =
            format!("\"{address}\" is not the address of a browser, expected ws://host:port/devtools/browser/…");
        failed(message).with_remedy(Remedy::ConnectBrowser)
    })
}

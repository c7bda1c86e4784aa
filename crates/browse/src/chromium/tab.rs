//! One tab: what it is doing, according to its events, and when it is ready.
//!
//! **When is a page ready?** When its document is loaded, no request is running, and its tree has not changed for a
//! short time; all with a time limit, because some pages never stop. A page without scripts cannot change by itself, so
//! it is ready when it is loaded. Directly after an action nothing may have started yet, so then the page gets a little
//! more time to start something. There are no fixed sleeps: the driver waits for the page.
//!
//! How long, is a setting ([`Patience`](super::Patience)). Requests that were started by an action, or by opening the page,
//! count until its time limit, because data of the page may come with them. Requests from before it count for a few
//! seconds, and streams of events do not count, because they may never end. Images, fonts and
//! similar files are refused if no style is needed, and so are requests to well-known advertisers and visitor counters.
//!
//! The tab's listener runs on the reading thread, so a dialog is answered while its opener still waits for it.

use super::frames::Frame;
use super::wire::{Fault, Listener, Pending, Wire};
use super::{Rules, world};
use crate::address::{self, Written};
use crate::gate::{MARK, Why, Zone};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use url::Url;

/// Requests from before an action do not count if they are older than this.
const STALE: Duration = Duration::from_secs(5);
/// What the browser says if a proxy makes no tunnel.
const NO_TUNNEL: &str = "net::ERR_TUNNEL_CONNECTION_FAILED";
/// The most requests that are counted.
const MOST_REQUESTS: usize = 10_000;

/// What a tab is doing.
#[derive(Default)]
pub(super) struct Doing {
    pub(super) loading: bool,
    /// The number of documents it has had.
    pub(super) documents: u64,
    requests: HashMap<String, Asked>,
    last_request: Option<Instant>,
    last_answer: Option<Instant>,
    /// The last action, or the last visit.
    acted: Option<Instant>,
    /// When the document was loaded.
    arrived: Option<Instant>,
    /// The answer with the document.
    pub(super) status: Option<u16>,
    pub(super) mime: String,
    pub(super) posted: bool,
    /// An address that was refused because it may not be visited.
    pub(super) refused: Option<String>,
    /// Why the server of the document did not answer, according to the gate.
    pub(super) failure: Option<Why>,
    /// A public address that this tab, which is for private ones, was to open.
    pub(super) elsewhere: Option<Elsewhere>,
    /// The file that the user named.
    file: Option<Url>,
    /// The request for the document.
    request: Option<String>,
    /// The frames of other processes.
    frames: Vec<Arc<Frame>>,
    pub(super) download: bool,
    /// The address of the last requested document, and whether it may be private.
    document: Option<Url>,
    private: bool,
    /// The number of dialogs that the page has opened.
    pub(super) dialogs: usize,
    /// Windows that the page opened.
    pub(super) popups: Vec<Arc<Tab>>,
    /// Has a page here opened a window, or was this one opened by a page? Both then share a process.
    pub(super) related: bool,
    pub(super) dead: Option<String>,
    /// What the mouse carries, in a drag that the browser handed over.
    pub(super) carried: Option<Value>,
    /// The world of our script, and its document.
    world: Option<(u64, u64)>,
}

/// A document that belongs into a tab of the other zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Elsewhere {
    pub(super) url: Url,
    /// Was a form sent there?
    pub(super) posted: bool,
}

/// One tab of a browser.
pub(super) struct Tab {
    /// The zone of the pages that it shows.
    pub(super) zone: Zone,
    me: Weak<Tab>,
    pub(super) wire: Arc<Wire>,
    pub(super) target: String,
    pub(super) session: String,
    rules: Arc<Rules>,
    doing: Mutex<Doing>,
    changed: Condvar,
}

/// A request that is not answered yet.
struct Asked {
    at: Instant,
    /// The document that asks; for a document, its own request.
    loader: String,
    frame: String,
}

/// What has happened on a page since its tree was copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct News {
    /// The number of changes of the tree.
    pub(super) changes: u64,
    /// Where the page tried to go.
    pub(super) going: Option<String>,
    /// Its address now.
    pub(super) url: String,
    /// Can it not change by itself, because no scripts run in it?
    still: bool,
}

impl Tab {
    /// A tab for a page that may be private or not; a waiting window continues. When all answers are there it is ready
    /// to navigate: a new tab that navigates while it is being created crashes.
    pub(super) fn new(
        wire: Arc<Wire>,
        rules: Arc<Rules>,
        (target, session): (String, String),
        (zone, private): (Zone, bool),
    ) -> (Arc<Tab>, Vec<Pending>) {
        let tab = Arc::new_cyclic(|me| Tab {
            zone,
            me: Weak::clone(me),
            wire,
            target,
            session,
            rules,
            doing: Mutex::default(),
            changed: Condvar::new(),
        });
        tab.doing().private = private;
        let weak = Arc::downgrade(&tab);
        tab.wire.listen(&tab.session, weak);
        let mut patterns = vec![json!({ "resourceType": "Document" })];
        if tab.rules.has_headers {
            patterns = vec![json!({ "urlPattern": "*" })];
        } else if tab.rules.block {
            patterns.extend(["Image", "Font", "Media"].map(|kind| json!({ "resourceType": kind })));
            patterns.push(json!({ "urlPattern": "*/favicon.ico" }));
            patterns.extend(ADS.map(|host| json!({ "urlPattern": format!("*://*{host}/*") })));
        }
        let mut setup = vec![
            ("Page.enable", json!({})),
            (
                "Network.enable",
                json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 }),
            ),
            ("Inspector.enable", json!({})),
            ("Fetch.enable", json!({ "patterns": patterns })),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
        ];
        if tab.is_guarded() {
            setup.push(("Target.setAutoAttach", Frame::attach()));
        }
        setup.push(("Runtime.runIfWaitingForDebugger", json!({})));
        let set_up = setup
            .iter()
            .map(|(method, params)| tab.wire.send(&tab.session, method, params));
        let set_up = set_up.collect();
        (tab, set_up)
    }

    /// Must documents of public hosts be kept out of this tab?
    fn is_guarded(&self) -> bool {
        self.zone == Zone::Private && self.rules.gate.as_ref().is_some_and(|gate| !gate.is_free())
    }

    pub(super) fn doing(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes threads that wait for events here.
    pub(super) fn stir(&self) {
        self.changed.notify_all();
    }

    fn wait(&self, doing: MutexGuard<'_, Doing>, until: Instant) {
        let time = until.saturating_duration_since(Instant::now());
        drop(self.changed.wait_timeout(doing, time));
    }

    pub(super) fn call(&self, method: &str, params: &Value, deadline: Instant) -> Result<Value, Fault> {
        if let Some(why) = &self.doing().dead {
            return Err(Fault::Tab(why.clone()));
        }
        self.wire.call(&self.session, method, params, deadline)
    }

    /// Goes to an address; when this returns the document exists, but its content may be incomplete.
    pub(super) fn navigate(
        &self,
        url: &Url,
        referrer: Option<&str>,
        private: bool,
        deadline: Instant,
    ) -> Result<Option<String>, Fault> {
        {
            let mut doing = self.doing();
            doing.requests.clear();
            (doing.status, doing.refused, doing.download) = (None, None, false);
            (doing.failure, doing.elsewhere, doing.request) = (None, None, None);
            doing.file = (url.scheme() == "file").then(|| url.clone());
            doing.dialogs = 0;
            doing.mime.clear();
            (doing.document, doing.private, doing.loading) = (None, private, true);
            doing.acted = Some(Instant::now());
        }
        let mut params = json!({ "url": url.as_str() });
        if let Some(referrer) = referrer {
            params["referrer"] = referrer.into();
        }
        let answer = self.call("Page.navigate", &params, deadline)?;
        let error = answer["errorText"].as_str().map(str::to_owned);
        if error.is_some() {
            self.doing().loading = false;
        }
        Ok(error)
    }

    /// Prepares the page for an action on an element.
    pub(super) fn arm(&self, version: u64, rank: usize, deadline: Instant) -> Result<(), Fault> {
        self.doing().acted = Some(Instant::now());
        self.ask(&format!("arm(true, {version}, {rank})"), deadline)?;
        Ok(())
    }

    /// Waits until the document is loaded and no request is running.
    pub(super) fn loaded(&self, deadline: Instant) -> Result<(), Fault> {
        let most = self.rules.patience.settle;
        let restless = (Instant::now() + most).min(deadline);
        loop {
            let doing = self.doing();
            if let Some(why) = &doing.dead {
                return Err(Fault::Tab(why.clone()));
            }
            let now = Instant::now();
            if !doing.loading && !doing.is_busy(now, most) {
                return Ok(());
            }
            // A document that never finishes loading may still be useful.
            let until = match doing.loading {
                true => deadline,
                false => restless,
            };
            if now >= until {
                return match doing.loading && doing.status.is_none() {
                    true => Err(Fault::Late),
                    false => Ok(()),
                };
            }
            // Requests become stale without an event.
            self.wait(doing, until.min(now + STALE / 5));
        }
    }

    /// Waits until a page with scripts is ready. With `acted`, an action was just performed and its effects may not
    /// have started.
    pub(super) fn settle(&self, acted: bool, deadline: Instant) -> Result<News, Fault> {
        let patience = self.rules.patience;
        let begin = Instant::now();
        let restless = (begin + patience.settle).min(deadline);
        let documents = self.doing().documents;
        let mut is_first = acted;
        loop {
            self.loaded(deadline)?;
            let now = Instant::now();
            let left = restless.saturating_duration_since(now).as_millis();
            let first = match acted && !self.doing().is_stirred(begin, documents) {
                true => patience.react.max(patience.quiet),
                false => patience.quiet,
            };
            // The page still has to process an answer that has just arrived.
            let answered = self.doing().answered();
            let answered = answered.map_or("-1".to_owned(), |at| now.duration_since(at).as_millis().to_string());
            let [silence, first] = [patience.quiet, first].map(|time| time.as_millis());
            let asked = format!("quiet({silence}, {first}, {answered}, {left}, {is_first})");
            let news = match self.ask(&asked, deadline) {
                Ok(told) => news(&told),
                Err(fault) if fault.is_new_document() && Instant::now() < deadline => continue,
                Err(fault) => return Err(fault),
            };
            // What changed may have come with an answer, or have asked for one.
            if std::mem::take(&mut is_first) && news.changes > 0 && news.going.is_none() && Instant::now() < restless {
                continue;
            }
            let mut doing = self.doing();
            // Without scripts our own script cannot wait in the page, and what an action starts must be seen from here.
            if news.still && acted {
                let until = (begin + patience.react).min(deadline);
                while Instant::now() < until && !doing.is_stirred(begin, documents) {
                    self.wait(doing, until);
                    doing = self.doing();
                }
            }
            if Instant::now() >= restless || news.going.is_some() || !doing.popups.is_empty() {
                return Ok(news);
            }
            // An answer that came in the meantime: the page may not have processed it when it was found quiet.
            let answered = doing.last_answer.is_some_and(|at| at >= now);
            if !doing.loading && !answered && !doing.is_busy(Instant::now(), patience.settle) {
                return Ok(news);
            }
        }
    }

    /// What the mouse carries, if the browser tells it in time.
    pub(super) fn carried(&self, until: Instant) -> Option<Value> {
        loop {
            let mut doing = self.doing();
            if doing.carried.is_some() || doing.dead.is_some() || Instant::now() >= until {
                return doing.carried.take();
            }
            self.wait(doing, until);
        }
    }

    /// Waits until the tree changes, or the time is up.
    pub(super) fn change(&self, since: u64, deadline: Instant) -> Result<News, Fault> {
        loop {
            let step = (Instant::now() + Duration::from_millis(100)).min(deadline);
            let documents = self.doing().documents;
            let told = match self.ask("news()", deadline + Duration::from_secs(5)) {
                Ok(told) => news(&told),
                Err(fault) if fault.is_new_document() => News {
                    changes: since + 1,
                    ..News::default()
                },
                Err(fault) => return Err(fault),
            };
            let doing = self.doing();
            if told.changes > since || doing.documents != documents || Instant::now() >= deadline {
                return Ok(told);
            }
            self.wait(doing, step);
        }
    }

    /// Calls our script in the page; the answer is text.
    pub(super) fn ask(&self, what: &str, deadline: Instant) -> Result<String, Fault> {
        let result = self.evaluate(what, true, deadline)?;
        Ok(result["value"].as_str().unwrap_or("").to_owned())
    }

    /// The same, but returns a handle to the result.
    pub(super) fn handle(&self, what: &str, deadline: Instant) -> Result<Option<String>, Fault> {
        let result = self.evaluate(what, false, deadline)?;
        Ok(result["objectId"].as_str().map(str::to_owned))
    }

    fn evaluate(&self, what: &str, by_value: bool, deadline: Instant) -> Result<Value, Fault> {
        let (world, is_new) = self.world(deadline)?;
        let us = "globalThis[Symbol.for(\"wrapwright\")]";
        let script = match is_new {
            true => format!("{}\n{us}.{what}", world::SCRIPT),
            false => format!("{us}.{what}"),
        };
        let params = json!({
            "expression": script,
            "contextId": world,
            "returnByValue": by_value,
            "awaitPromise": true,
            "userGesture": true,
        });
        let mut answer = self.call("Runtime.evaluate", &params, deadline)?;
        if let Some(details) = answer.get("exceptionDetails") {
            let why = details["exception"]["description"].as_str();
            let why = why.or_else(|| details["text"].as_str()).unwrap_or("no reason given");
            return Err(Fault::Refused(why.chars().take(300).collect()));
        }
        Ok(answer["result"].take())
    }

    /// The world of our script in the present document, and whether it is new.
    fn world(&self, deadline: Instant) -> Result<(u64, bool), Fault> {
        let documents = {
            let doing = self.doing();
            match doing.world {
                Some((world, document)) if document == doing.documents => return Ok((world, false)),
                _ => doing.documents,
            }
        };
        let params = json!({ "frameId": self.target, "worldName": "wrapwright", "grantUniveralAccess": true });
        let answer = self.call("Page.createIsolatedWorld", &params, deadline)?;
        let world = answer["executionContextId"].as_u64().unwrap_or(0);
        self.doing().world = Some((world, documents));
        Ok((world, true))
    }

    /// Closes the tab.
    pub(super) fn close(&self) {
        let mut doing = self.doing();
        doing.dead.get_or_insert_with(|| "it was closed".to_owned());
        let popups = std::mem::take(&mut doing.popups);
        drop(doing);
        popups.iter().for_each(|popup| popup.close());
        self.wire.forget(&self.session, "the tab was closed");
        self.wire
            .post("", "Target.closeTarget", &json!({ "targetId": self.target }));
    }

    fn paused(&self, wire: &Wire, params: &Value) {
        let id = &params["requestId"];
        let url = params["request"]["url"].as_str().unwrap_or("");
        let refuse = |reason: &str| {
            let params = json!({ "requestId": id, "errorReason": reason });
            wire.post(&self.session, "Fetch.failRequest", &params);
        };
        let parsed = Url::parse(url).ok();
        let main = params["frameId"].as_str() == Some(self.target.as_str());
        if params["resourceType"] != "Document" {
            if !self.rules.has_headers || self.is_unwanted(params, parsed.as_ref()) {
                return refuse("BlockedByClient");
            }
            // What a frame loads may be asked for by a document of somebody else.
            let page = self.doing().document.clone().filter(|_| main);
            let headers = page.and_then(|page| self.rules.headers(&params["request"], Some(&page)));
            return self.go_on(id, headers);
        }
        // A document in a frame is part of the page.
        let page = self.doing().document.clone().filter(|_| !main);
        let headers = match (main, &page) {
            (false, None) => None,
            _ => self.rules.headers(&params["request"], page.as_ref()),
        };
        let mut doing = self.doing();
        if main {
            // Redirects arrive here one by one; after a public address, no private one is allowed.
            let public = doing.document.as_ref().is_some_and(|from| !self.rules.is_private(from));
            doing.private &= !public;
            doing.document.clone_from(&parsed);
            doing.posted = params["request"]["method"] == "POST";
        }
        let named = main
            && parsed
                .as_ref()
                .is_some_and(|url| url.scheme() == "file" && doing.is_named(url));
        let web = parsed.filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(web) = web else {
            if named {
                drop(doing);
                return self.go_on(id, None);
            }
            if main {
                doing.refused = Some(url.chars().take(200).collect());
            }
            drop(doing);
            return refuse("BlockedByClient");
        };
        if self.is_guarded() {
            drop(doing);
            return self.paused_inside(id, web, main, headers);
        }
        let private = address::written(&web) == Written::Private;
        let may = match self.rules.gate {
            Some(_) => self.zone == Zone::Private,
            None => doing.private || self.rules.allow_private,
        };
        if private && !may {
            if main {
                doing.refused = Some(url.chars().take(200).collect());
            }
            drop(doing);
            return refuse("BlockedByClient");
        }
        drop(doing);
        self.go_on(id, headers);
    }

    /// Is this something that is left out if no style is needed?
    fn is_unwanted(&self, params: &Value, url: Option<&Url>) -> bool {
        let kind = params["resourceType"].as_str().unwrap_or("");
        let is_ad = |host: &str| ADS.iter().any(|ad| host.ends_with(ad) || host == &ad[1..]);
        self.rules.block
            && (["Image", "Font", "Media"].contains(&kind)
                || url.is_some_and(|url| url.path() == "/favicon.ico" || url.host_str().is_some_and(is_ad)))
    }

    fn go_on(&self, id: &Value, headers: Option<Value>) {
        let mut params = json!({ "requestId": id });
        if let Some(headers) = headers {
            params["headers"] = headers;
        }
        self.wire.post(&self.session, "Fetch.continueRequest", &params);
    }

    /// A document is asked for in a tab for private pages: public ones belong elsewhere.
    fn paused_inside(&self, id: &Value, url: Url, main: bool, headers: Option<Value>) {
        let (me, id) = (Weak::clone(&self.me), id.clone());
        let asked = url.clone();
        let then = move |zone: Result<Zone, Why>| {
            let Some(tab) = me.upgrade() else { return };
            let reason = match zone {
                Ok(Zone::Private) => return tab.go_on(&id, headers),
                // The document that is there stays.
                Ok(Zone::Public) if main => {
                    let mut doing = tab.doing();
                    let posted = doing.posted;
                    doing.elsewhere = Some(Elsewhere { url, posted });
                    "Aborted"
                }
                Ok(Zone::Public) => "BlockedByClient",
                Err(why) => {
                    if main {
                        tab.doing().failure = Some(why);
                    }
                    "NameNotResolved"
                }
            };
            let params = json!({ "requestId": id, "errorReason": reason });
            tab.wire.post(&tab.session, "Fetch.failRequest", &params);
            tab.stir();
        };
        if let Some(gate) = &self.rules.gate {
            gate.zone_then(&asked, then);
        }
    }

    /// The gate answered the request for the document itself, or the tunnel to its server failed.
    fn gate_failed(&self, doing: &mut Doing, url: &Url) {
        let why = self.rules.gate.as_ref().and_then(|gate| gate.trouble(url));
        match why {
            Some(Why::Private) => doing.refused = Some(crate::web::brief(url)),
            Some(why) => doing.failure = Some(why),
            None => {}
        }
    }

    /// The document was not reached: was it the gate that refused a tunnel?
    pub(super) fn note_tunnel(&self, why: &str) {
        let mut doing = self.doing();
        if why == NO_TUNNEL
            && let Some(url) = doing.document.clone()
        {
            self.gate_failed(&mut doing, &url);
        }
    }

    /// Attaches to a frame of another process.
    fn frame(&self, params: &Value) {
        let session = params["sessionId"].as_str().unwrap_or("").to_owned();
        let rules = Arc::clone(&self.rules);
        let frame = Frame::new(Arc::clone(&self.wire), rules, session);
        let mut doing = self.doing();
        doing.frames.push(frame);
        // A frame of another site is in a process of its own: nobody tells this tab when its document has come.
        let id = params["targetInfo"]["targetId"].as_str().unwrap_or("");
        doing
            .requests
            .retain(|request, asked| asked.frame != id || asked.loader != *request);
    }
}

impl Doing {
    /// Was the last request for a document answered?
    pub(super) fn was_answered(&self) -> bool {
        self.status.is_some()
            || self.download
            || self.refused.is_some()
            || self.failure.is_some()
            || self.elsewhere.is_some()
    }

    /// Has anything happened since then?
    fn is_stirred(&self, since: Instant, documents: u64) -> bool {
        self.documents != documents || self.last_request.is_some_and(|at| at >= since) || !self.popups.is_empty()
    }

    /// When the last answer came, if one has come since the last action.
    fn answered(&self) -> Option<Instant> {
        self.last_answer
            .filter(|at| self.acted.is_none_or(|acted| *at >= acted))
    }

    /// Can the tab be used for another page?
    pub(super) fn is_calm(&self, most_dialogs: usize) -> bool {
        !self.related && self.dialogs <= most_dialogs
    }

    /// May what it opens be private?
    pub(super) fn private(&self) -> bool {
        self.private
    }

    /// The address of the last requested document.
    pub(super) fn document(&self) -> Option<&Url> {
        self.document.as_ref()
    }

    /// Is this the file that the user named?
    pub(super) fn is_named(&self, url: &Url) -> bool {
        self.file.as_ref().is_some_and(|file| file.path() == url.path())
    }

    /// The same, for messages.
    pub(super) fn url(&self) -> String {
        self.document
            .as_ref()
            .map_or_else(|| "the page".to_owned(), crate::web::brief)
    }

    fn is_busy(&self, now: Instant, most: Duration) -> bool {
        let since = self.acted.max(self.arrived);
        self.requests
            .values()
            .any(|Asked { at: begin, .. }| match (self.acted, since) {
                (Some(acted), Some(since)) if *begin >= acted => now.duration_since(since) < most,
                _ => now.duration_since(*begin) < STALE,
            })
    }
}

fn news(told: &str) -> News {
    let told: Value = serde_json::from_str(told).unwrap_or_default();
    News {
        changes: told[0].as_u64().unwrap_or(0),
        going: told[1].as_str().filter(|url| !url.is_empty()).map(str::to_owned),
        url: told[2].as_str().unwrap_or("").to_owned(),
        still: told[3] == false,
    }
}

impl Listener for Tab {
    fn event(&self, wire: &Wire, method: &str, params: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let is_main = |frame: &Value| frame.as_str() == Some(self.target.as_str());
        match method {
            "Fetch.requestPaused" => self.paused(wire, params),
            "Input.dragIntercepted" => {
                self.doing().carried = Some(params["data"].clone());
                self.stir();
            }
            "Network.requestWillBeSent" => {
                let kind = params["type"].as_str().unwrap_or("");
                let url = params["request"]["url"].as_str().unwrap_or("");
                // Requests by the browser itself, such as for the tab's icon, do not count.
                let aside = [
                    "EventSource",
                    "WebSocket",
                    "Ping",
                    "Prefetch",
                    "Media",
                    "Manifest",
                    "Other",
                ];
                let counts = !aside.contains(&kind);
                if kind == "Document" && is_main(&params["frameId"]) {
                    self.doing().request = params["requestId"].as_str().map(str::to_owned);
                }
                if counts && url.starts_with("http") {
                    let now = Instant::now();
                    let mut doing = self.doing();
                    doing.last_request = Some(now);
                    if doing.requests.len() < MOST_REQUESTS {
                        let request = Asked {
                            at: now,
                            loader: text(&params["loaderId"]),
                            frame: text(&params["frameId"]),
                        };
                        doing.requests.insert(text(&params["requestId"]), request);
                    }
                }
            }
            "Network.responseReceived" => {
                if params["response"]["mimeType"] == "text/event-stream"
                    && let Some(id) = params["requestId"].as_str()
                {
                    self.doing().requests.remove(id);
                }
                if params["type"] == "Document" && is_main(&params["frameId"]) {
                    let response = &params["response"];
                    let mut doing = self.doing();
                    doing.status = response["status"]
                        .as_u64()
                        .and_then(|status| u16::try_from(status).ok());
                    doing.mime = text(&response["mimeType"]);
                    let url = Url::parse(response["url"].as_str().unwrap_or("")).ok();
                    let Some(url) = url else { return };
                    if self.rules.gate.is_some() {
                        // The other end of the connection is the gate.
                        if url.scheme() == "http" && response["headers"].get(MARK).is_some() {
                            self.gate_failed(&mut doing, &url);
                        }
                    } else {
                        let remote = text(&response["remoteIPAddress"]);
                        let remote = remote.trim_matches(['[', ']']).parse().ok();
                        if remote.is_some_and(address::is_private) && !doing.private && !self.rules.allow_private {
                            doing.refused = Some(url.to_string());
                        }
                        self.rules.reached(&url, remote);
                    }
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                let mut doing = self.doing();
                if params["errorText"] == NO_TUNNEL
                    && params["requestId"].as_str() == doing.request.as_deref()
                    && let Some(url) = doing.document.clone()
                {
                    self.gate_failed(&mut doing, &url);
                }
                // Refused requests, and the document itself, cause no further work in the page.
                let refused = params["errorText"] == "net::ERR_BLOCKED_BY_CLIENT";
                if let Some(id) = params["requestId"].as_str()
                    && let Some(asked) = doing.requests.remove(id)
                    && !refused
                    && asked.loader != id
                {
                    doing.last_answer = Some(Instant::now());
                }
                if let Some(bytes) = params["encodedDataLength"].as_f64() {
                    self.rules.count_bytes(bytes as u64);
                }
            }
            "Page.frameStartedLoading" | "Page.frameStoppedLoading" if is_main(&params["frameId"]) => {
                let mut doing = self.doing();
                doing.loading = method == "Page.frameStartedLoading";
                if !doing.loading {
                    doing.arrived = Some(Instant::now());
                }
            }
            "Page.frameNavigated" if is_main(&params["frame"]["id"]) => {
                let loader = text(&params["frame"]["loaderId"]);
                let mut doing = self.doing();
                doing.documents += 1;
                doing.requests.retain(|_, asked| asked.loader == loader);
            }
            "Page.javascriptDialogOpening" => {
                self.doing().dialogs += 1;
                let answer = json!({ "accept": true, "promptText": params["defaultPrompt"] });
                wire.post(&self.session, "Page.handleJavaScriptDialog", &answer);
            }
            "Target.attachedToTarget" => self.frame(params),
            "Target.detachedFromTarget" => {
                let session = params["sessionId"].as_str().unwrap_or("");
                self.doing().frames.retain(|frame| !frame.is(session));
            }
            "Page.downloadWillBegin" => self.doing().download = true,
            "Inspector.targetCrashed" | "Inspector.detached" => {
                let why = match method {
                    "Inspector.detached" => "the tab was closed",
                    _ => "the tab crashed",
                };
                self.doing().dead.get_or_insert_with(|| why.to_owned());
                wire.give_up(&self.session, why);
            }
            // Unknown or irrelevant events.
            _ => return,
        }
        self.changed.notify_all();
    }

    fn gone(&self) {
        self.doing()
            .dead
            .get_or_insert_with(|| "the browser is gone".to_owned());
        self.changed.notify_all();
    }
}

/// Hosts that serve advertisements and count visitors, but no content.
const ADS: [&str; 16] = [
    ".doubleclick.net",
    ".googlesyndication.com",
    ".google-analytics.com",
    ".googletagmanager.com",
    ".googletagservices.com",
    ".googleadservices.com",
    ".adnxs.com",
    ".criteo.com",
    ".criteo.net",
    ".taboola.com",
    ".outbrain.com",
    ".scorecardresearch.com",
    ".amazon-adsystem.com",
    ".hotjar.com",
    ".pubmatic.com",
    ".rubiconproject.com",
];

//! Reaching a page: opening its address, or returning to one of its states.

use super::browser::{Browser, Lease};
use super::hand::Trouble;
use super::place::{How, Place};
use super::read::{self, Told};
use super::tab::{Elsewhere, Tab};
use super::wire::Fault;
use super::{Chromium, failed};
use crate::gate::{Why, Zone};
use crate::log::Deed;
use crate::web::{Fetched, brief, referrer, refusal};
use page::driver::{Acted, DriverError, FailureKind, Lasting, Live, Options};
use page::{Limit, LimitError, Remedy};
use serde_json::json;
use std::sync::{Arc, Weak};
use std::time::Instant;
use url::Url;

impl Chromium {
    /// Opens an address in a tab of its own.
    pub(super) fn visit(
        &self,
        url: &Url,
        from: Option<String>,
        private: bool,
        depth: usize,
        options: &Options,
    ) -> Result<Live, DriverError> {
        let (mut url, mut from, mut private) = (url.clone(), from, private);
        let most = self.shared.web.settings().redirects;
        for _ in 0..=most {
            match self.visit_once(&url, from, private, depth, options)? {
                Went::Live(live) => return Ok(live),
                // From a private page to a public one, by a redirect or a script.
                Went::Elsewhere(next) => {
                    from = referrer(&url, &next);
                    (url, private) = (next, false);
                }
            }
        }
        let message = format!("{} redirects more than {most} times", brief(&url));
        Err(failed(FailureKind::Other, message))
    }

    fn visit_once(
        &self,
        url: &Url,
        from: Option<String>,
        private: bool,
        depth: usize,
        options: &Options,
    ) -> Result<Went, DriverError> {
        let carrier = self.shared.web.carrier();
        let turn = match url.scheme() {
            "file" => {
                self.readable(url)?;
                None
            }
            _ => Some(carrier.admit(url, private, options)?),
        };
        let how = Arc::new(How::Open {
            url: url.clone(),
            referrer: from,
            private,
        });
        let start = Instant::now();
        carrier.counters.requests.add(1);
        let live = self.again(&brief(url), options, || {
            let deadline = self.deadline(options);
            let lease = self.enter(&how, deadline)?;
            let arrived = self.arrive(&lease, options, false, deadline);
            match arrived {
                Ok(told) => Ok(Went::Live(self.live(told, Arc::clone(&how), depth, lease))),
                Err(Trouble::Elsewhere(next)) => Ok(Went::Elsewhere(next)),
                Err(trouble) => Err(self.given_up(lease, trouble)),
            }
        });
        carrier.counters.fetching.add_since(start);
        carrier.tell(url, start.elapsed(), || match &live {
            Ok(_) => Deed::Opened,
            Err(error) => Deed::Failed { why: error.to_string() },
        });
        drop(turn);
        live
    }

    /// May this file be opened? The same holds for it as without a browser.
    fn readable(&self, url: &Url) -> Result<(), DriverError> {
        let unreadable = |why: &dyn std::fmt::Display| {
            let message = format!("{} cannot be read: {why}", brief(url));
            failed(FailureKind::Unreachable, message)
        };
        let path = url.to_file_path().map_err(|()| {
            let message = format!("{} names no file on this machine", brief(url));
            failed(FailureKind::BadUrl, message).with_remedy("write file:///path/to/page.html")
        })?;
        let about = std::fs::metadata(&path).map_err(|error| unreadable(&error).with_source(error))?;
        // Pipes and devices may never end; a folder is not a page.
        if !about.is_file() {
            return Err(unreadable(&"it is not a regular file"));
        }
        let most = self.shared.web.settings().limits.bytes;
        if about.len() > most as u64 {
            let message = format!("{} is larger than the limit of {most} bytes", brief(url));
            return Err(failed(FailureKind::TooLarge, message).with_remedy(Remedy::RaiseLimit(Limit::Bytes)));
        }
        Ok(())
    }

    /// In which zone an address is opened.
    fn zone(&self, url: &Url, private: bool, deadline: Instant) -> Result<Zone, DriverError> {
        match &self.shared.rules.gate {
            None => Ok(Zone::Public),
            Some(gate) if gate.is_free() => Ok(Zone::Private),
            // Where public pages lead; and a page in a file counts as public.
            Some(_) if !private || url.scheme() == "file" => Ok(Zone::Public),
            Some(gate) => gate.zone(url, deadline).map_err(|why| unanswered(url, &why)),
        }
    }

    /// A tab on its way to an address.
    pub(super) fn enter(&self, how: &How, deadline: Instant) -> Result<Lease, Trouble> {
        let How::Open { url, referrer, private } = how else {
            return Err(failed(
                FailureKind::Other,
                "a page without an address cannot be opened".to_owned(),
            )
            .into());
        };
        let zone = self.zone(url, *private, deadline)?;
        let lease = self.tab(|browser| browser.tab(zone))?;
        let mut tries = 0;
        loop {
            let error = match lease.tab.navigate(url, referrer.as_deref(), *private, deadline) {
                Ok(error) => error,
                Err(fault) => return Err(self.given_up(lease, fault.into())),
            };
            let Some(why) = error else { return Ok(lease) };
            if lease.tab.doing().elsewhere.is_some() {
                return Ok(lease);
            }
            lease.tab.note_tunnel(&why);
            tries += 1;
            // Leftover work of the previous page in this tab can interfere, once.
            let unclear = why == "net::ERR_ABORTED" && !lease.tab.doing().was_answered();
            if unclear && tries == 1 {
                continue;
            }
            let error = unreached(url, &why, &lease.tab);
            return Err(self.given_up(lease, error.into()));
        }
    }

    /// Releases a tab in which something failed: takes a screenshot, and closes the tab if it does not answer.
    pub(super) fn given_up(&self, lease: Lease, trouble: Trouble) -> Trouble {
        match &trouble {
            Trouble::Fault(fault) => {
                if *fault == Fault::Late {
                    self.picture(&lease.tab, &FailureKind::Timeout.name());
                }
                lease
                    .tab
                    .doing()
                    .dead
                    .get_or_insert_with(|| "it did not answer".to_owned());
            }
            Trouble::Error(error) => self.picture(&lease.tab, &error.kind.name()),
            Trouble::Elsewhere(_) => {}
        }
        trouble
    }

    /// Waits until the page in a tab is ready, and copies it.
    pub(super) fn arrive(
        &self,
        lease: &Lease,
        options: &Options,
        acted: bool,
        deadline: Instant,
    ) -> Result<Told, Trouble> {
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

    /// Does the tab show a page, and may that page be visited?
    pub(super) fn acceptable(&self, tab: &Tab) -> Result<(), Trouble> {
        let doing = tab.doing();
        if let Some(Elsewhere { url, posted }) = &doing.elsewhere {
            if *posted {
                let message = format!("a form of a private page leads to {}, which is public", brief(url));
                let error = failed(FailureKind::Forbidden, message);
                return Err(error.with_remedy(Remedy::AllowPrivate).into());
            }
            return Err(Trouble::Elsewhere(url.clone()));
        }
        if let Some(url) = &doing.refused {
            return Err(refused(url).into());
        }
        if let (Some(why), Some(url)) = (&doing.failure, doing.document()) {
            return Err(unanswered(url, why).into());
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
        refusal(&fetched).map_or(Ok(()), |error| Err(error.into()))
    }

    /// May the document at this address be read in this tab? Documents can change at any time, so this is asked for
    /// each one that was read.
    fn in_place(&self, tab: &Tab, url: &str) -> Result<(), Trouble> {
        self.acceptable(tab)?;
        let Ok(url) = Url::parse(url) else { return Ok(()) };
        match url.scheme() {
            // What the browser shows instead of a page.
            "chrome-error" => {
                let asked = tab.doing().url();
                let message = format!("{asked} cannot be reached");
                return Err(failed(FailureKind::Unreachable, message).into());
            }
            "file" if !tab.doing().is_named(&url) => return Err(refused(&brief(&url)).into()),
            "http" | "https" => {}
            _ => return Ok(()),
        }
        let known = self.shared.rules.gate.as_ref().filter(|gate| !gate.is_free());
        match (tab.zone, known.and_then(|gate| gate.known(&url))) {
            (Zone::Public, Some(Zone::Private)) => Err(refused(&brief(&url)).into()),
            (Zone::Private, Some(Zone::Public)) => Err(Trouble::Elsewhere(url)),
            _ => Ok(()),
        }
    }

    /// Copies the page in a tab.
    pub(super) fn tell(&self, tab: &Tab, deadline: Instant) -> Result<Told, Trouble> {
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
            let told = page.map_err(|error: LimitError| {
                let message = format!("{}: {error}", tab.doing().url());
                let failure = failed(FailureKind::TooLarge, message).with_remedy(error.remedy());
                Trouble::from(failure.with_source(error))
            })?;
            self.in_place(tab, &told.url)?;
            return Ok(told);
        }
    }

    /// A tab, and room for it.
    pub(super) fn tab(&self, take: impl FnOnce(&Arc<Browser>) -> Result<Lease, Fault>) -> Result<Lease, Trouble> {
        let browser = self.browser()?;
        let places = self.places();
        let most = places.depth().max(1) + self.shared.setup.tabs.max(1);
        while browser.used() >= most && places.make_room() {}
        // Still under the lock: the next caller must see this tab.
        Ok(take(&browser)?)
    }

    /// Keeps the place of a page, with its tab.
    pub(super) fn keep(&self, place: Place) -> Arc<dyn std::any::Any + Send + Sync> {
        let place = Arc::new(place);
        self.places().add(&place);
        place
    }

    pub(super) fn live(&self, told: Told, how: Arc<How>, depth: usize, lease: Lease) -> Live {
        self.live_from(told, how, depth, lease, Weak::new())
    }

    /// The same, with the place that the tab was taken from.
    pub(super) fn live_from(&self, told: Told, how: Arc<How>, depth: usize, lease: Lease, from: Weak<Place>) -> Live {
        let acted = told.acted.flatten().map_or(Acted::Unknown, Acted::At);
        let place = Place::new(how, depth, told.version, lease, from);
        let lasting = told.elements.map(|elements| Lasting {
            page: place.page,
            elements,
        });
        Live {
            acted,
            lasting,
            page: Arc::new(told.page),
            url: told.url.into(),
            fields: Arc::new(told.fields),
            state: Some(self.keep(place)),
            scripted: told.scripted,
        }
    }
}

/// What became of a visit.
enum Went {
    Live(Live),
    Elsewhere(Url),
}

/// The refusal of an address that a public page leads to.
fn refused(url: &str) -> DriverError {
    if !url.starts_with("http") {
        let message = format!("the page leads to \"{url}\", which is not a page");
        return failed(FailureKind::Forbidden, message);
    }
    let message = format!("{url} is at a private address, where a public page may not lead");
    failed(FailureKind::Forbidden, message).with_remedy(Remedy::AllowPrivate)
}

/// Why a server did not answer.
fn unanswered(url: &Url, why: &Why) -> DriverError {
    let about = brief(url);
    match why {
        Why::Private => refused(&about),
        Why::Moved => {
            let message = format!("{about} has changed between a private and a public address");
            failed(FailureKind::Forbidden, message).with_remedy(Remedy::AllowPrivate)
        }
        Why::Own => failed(FailureKind::Forbidden, format!("{about} is the browser itself")),
        Why::NoHost => failed(FailureKind::Unreachable, format!("{about}: there is no such host")),
        Why::Refused => failed(FailureKind::Unreachable, format!("{about}: the connection was refused")),
        Why::Late => failed(FailureKind::Timeout, format!("{about} does not answer")),
        Why::Other(why) => failed(FailureKind::Unreachable, format!("{about} cannot be reached: {why}")),
    }
}

/// Why an address does not lead to a page.
fn unreached(url: &Url, why: &str, tab: &Tab) -> DriverError {
    let doing = tab.doing();
    if let Some(url) = &doing.refused {
        return refused(url);
    }
    if let Some(why) = &doing.failure {
        return unanswered(doing.document().unwrap_or(url), why);
    }
    if let Some(status) = doing.status.filter(|status| !(200..300).contains(status)) {
        return failed(FailureKind::Status(status), format!("{} answered {status}", brief(url)));
    }
    let url = brief(url);
    match why {
        "net::ERR_ABORTED" => failed(
            FailureKind::Other,
            format!("{url} is a download, or empty, expected a page"),
        ),
        "net::ERR_NAME_NOT_RESOLVED" => failed(FailureKind::Unreachable, format!("{url}: there is no such host")),
        "net::ERR_CONNECTION_REFUSED" => failed(FailureKind::Unreachable, format!("{url}: the connection was refused")),
        "net::ERR_TIMED_OUT" | "net::ERR_CONNECTION_TIMED_OUT" => {
            failed(FailureKind::Timeout, format!("{url} does not answer"))
        }
        _ => failed(FailureKind::Unreachable, format!("{url} cannot be reached: {why}")),
    }
}

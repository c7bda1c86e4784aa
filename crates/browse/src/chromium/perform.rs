//! Acting on a page in its tab, and the result.

use super::browser::Lease;
use super::hand::{Done, Hand, Trouble};
use super::place::{How, Place, Step};
use super::read::Told;
use super::regain::Regained;
use super::sign::{self, Sign};
use super::tab::{Elsewhere, Tab};
use super::{Chromium, failed, read};
use crate::web::referrer;
use crate::{act, base64};
use page::NodeId;
use page::driver::{self, Action, DriverError, FailureKind, Live, Options, Outcome};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use url::Url;

/// The result of acting on a page.
pub(super) enum Acted {
    Live(Outcome),
    Go(String),
}

impl Chromium {
    /// Acts on a page in its tab.
    pub(super) fn act_live(
        &self,
        on: &Live,
        place: &Arc<Place>,
        node: NodeId,
        action: &Action,
        options: &Options,
    ) -> Result<Acted, Trouble> {
        let begun = Instant::now();
        let deadline = self.deadline(options);
        let Some(element) = act::element(on, node).or_else(|| on.page.elements().first().copied()) else {
            return Err(failed(FailureKind::NotActionable, "the page has no elements".to_owned()).into());
        };
        let Ok(rank) = on.page.elements().binary_search(&element) else {
            return Err(failed(FailureKind::NotActionable, "the node is not on this page".to_owned()).into());
        };
        let tag = act::tag(on, node);
        let mut held = place.lease();
        place.set_pending(None);
        let Regained {
            lease,
            version,
            rank,
            is_other,
            witness,
        } = match held.take().filter(Lease::is_alive) {
            Some(lease) => Regained::own(lease, place.version, rank),
            // The old browser may be gone with all its tabs; then a new one is started here.
            None => self.regain(place, on, element, action, options)?,
        };
        // If nothing was done, the tab is as it was: in the state, or moved on from it.
        let is_own = version == place.version;
        let put_back = |lease: Lease, held: &mut Option<Lease>| match (is_own, is_other) {
            (true, false) => *held = Some(lease),
            (true, true) => place.take_back(lease),
            (false, _) => {}
        };
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
        lease.tab.arm(version, rank, deadline)?;
        let done = match hand.perform(action) {
            Ok(done) => done,
            Err(Trouble::Error(error)) => {
                // Nothing was done, so the tab is as it was.
                self.picture(&lease.tab, &error.kind.name());
                let _ = lease.tab.ask("arm(false)", deadline);
                put_back(lease, &mut held);
                return Err(error.into());
            }
            Err(trouble) => return Err(self.given_up(lease, trouble)),
        };
        if let Done::Go(url) = done {
            let _ = lease.tab.ask("arm(false)", deadline);
            put_back(lease, &mut held);
            return Ok(Acted::Go(url));
        }
        let news = match options.wait {
            None => lease.tab.settle(on.scripted || may_leave(action), deadline),
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
        let step = |after: u64| Step {
            sign: Sign::of(&on.page, element),
            tag: tag.clone(),
            action: action.clone(),
            wait: options.wait,
            after,
            took: begun.elapsed(),
        };
        let elsewhere = lease.tab.doing().elsewhere.clone();
        if let Some(Elsewhere { url, posted }) = elsewhere {
            if posted {
                let error = self.acceptable(&lease.tab).err();
                return Err(self.given_up(lease, error.unwrap_or(Trouble::Elsewhere(url))));
            }
            // The document is still there.
            lease.tab.doing().elsewhere = None;
            let _ = lease.tab.ask("arm(false)", deadline);
            if !touched {
                put_back(lease, &mut held);
            }
            return Ok(Acted::Go(url.into()));
        }
        if let Some(window) = take_popup(&lease.tab) {
            let _ = lease.tab.ask("arm(false)", deadline);
            if !touched {
                put_back(lease, &mut held);
            }
            let lease = self.tab(|browser| Ok(browser.adopt(window)))?;
            let told = match self.arrive(&lease, options, true, deadline) {
                Ok(told) => told,
                Err(Trouble::Elsewhere(url)) => return Ok(Acted::Go(url.into())),
                Err(trouble) => return Err(self.given_up(lease, trouble)),
            };
            let how = reached(&told, &lease.tab, place, step);
            return Ok(Acted::Live(Outcome::New(self.live(told, how, place.depth + 1, lease))));
        }
        if let Some(url) = news.going {
            let _ = lease.tab.ask("arm(false)", deadline);
            if !touched {
                put_back(lease, &mut held);
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
            if fields == *on.fields && version == place.version && !is_other && *action != Action::EnterFrame {
                *held = Some(lease);
                place.set_pending(Some(step(sign::print(&on.page))));
                return Ok(Acted::Live(Outcome::Same(on.clone())));
            }
            // The tree is that of the state, so its ranks hold in the tab.
            if !is_other && *action != Action::EnterFrame {
                let how = then(place, step(sign::print(&on.page)));
                let place = Place::new(how, place.depth, version, lease, Arc::downgrade(place));
                return Ok(Acted::Live(Outcome::Same(Live {
                    fields: Arc::new(fields),
                    state: Some(self.keep(place)),
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
            Ok(told) if moved => {
                let how = reached(&told, &lease.tab, place, step);
                Ok(Acted::Live(Outcome::New(self.live(told, how, place.depth + 1, lease))))
            }
            Ok(told) => {
                if let Some(witness) = witness {
                    self.compare(place, witness, rank_of(on, element), action, options, &told);
                }
                let how = then(place, step(sign::print(&told.page)));
                let mut live = self.live_from(told, how, place.depth + 1, lease, Arc::downgrade(place));
                if is_other && live.acted == driver::Acted::Unknown {
                    live.acted = driver::Acted::Gone;
                }
                Ok(Acted::Live(Outcome::New(live)))
            }
            Err(Trouble::Elsewhere(url)) => Ok(Acted::Go(url.into())),
            Err(trouble) => Err(self.given_up(lease, trouble)),
        }
    }

    /// Takes a screenshot of a page on which something failed.
    pub(super) fn picture(&self, tab: &Tab, kind: &str) {
        let Some(folder) = &self.shared.setup.screenshots else {
            return;
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        let Ok(answer) = tab.call("Page.captureScreenshot", &json!({ "format": "png" }), deadline) else {
            return;
        };
        let bytes = base64::decode(answer["data"].as_str().unwrap_or("")).unwrap_or_default();
        let number = self.shared.pictures.fetch_add(1, Ordering::Relaxed) + 1;
        let file = folder.join(format!("{number:03}-{kind}.png"));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, bytes));
        if let Err(why) = written {
            self.warn(format!("the screenshot {} cannot be written: {why}", file.display()));
        }
    }

    /// Follows where a page leads.
    pub(super) fn follow(&self, url: &str, from: &Live, options: &Options) -> Result<Outcome, DriverError> {
        let depth = Place::of(from).map_or(1, |place| place.depth + 1);
        let from = Url::parse(&from.url).ok();
        let target = Url::parse(url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(target) = target else {
            let message = format!(
                "the page leads to \"{}\", which is not a page",
                crate::web::shorten(url)
            );
            return Err(failed(FailureKind::Forbidden, message));
        };
        let private = from.as_ref().map_or(self.shared.rules.allow_private, |from| {
            self.shared.rules.is_private(from)
        });
        let referrer = from.as_ref().and_then(|from| referrer(from, &target));
        self.visit(&target, referrer, private, depth, options).map(Outcome::New)
    }
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
            | Action::KeyUp(_)
            | Action::Drag(_)
            | Action::EnterFrame
    )
}

/// The last window that a page opened; the others are closed.
pub(super) fn take_popup(tab: &Tab) -> Option<Arc<Tab>> {
    let mut popups = std::mem::take(&mut tab.doing().popups);
    let last = popups.pop();
    popups.iter().for_each(|popup| popup.close());
    last
}

fn rank_of(on: &Live, element: NodeId) -> usize {
    on.page.elements().partition_point(|other| *other < element)
}

fn then(place: &Place, step: Step) -> Arc<How> {
    Arc::new(How::Then {
        before: Some(Arc::clone(&place.how)),
        step,
    })
}

/// How to reach a page that opened by itself: by its address, unless a form was sent.
fn reached(told: &Told, tab: &Tab, place: &Place, step: impl FnOnce(u64) -> Step) -> Arc<How> {
    let doing = tab.doing();
    let (posted, private) = (doing.posted, doing.private());
    drop(doing);
    match Url::parse(&told.url) {
        Ok(url) if !posted && matches!(url.scheme(), "http" | "https") => Arc::new(How::Open {
            url,
            referrer: None,
            private,
        }),
        _ => then(place, step(sign::print(&told.page))),
    }
}

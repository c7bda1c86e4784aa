//! Getting back to a state that its tab has left.
//!
//! There are two ways. The state is *brought back*: its address is opened again and the actions since are repeated. Or the
//! action is performed *in place*, in the tab that has moved on from the state, if the element is still there.
//!
//! Bringing back is right whenever it succeeds: each element is recognised by what it is ([`Sign`]), each step waits as it
//! did the first time, until the page is as it was or has the element that is needed next. If the page is different, and
//! the element is nowhere, the branch fails and says why.
//!
//! In place is fast, and right on pages where a row opens a panel that the next row fills again. It is wrong where things
//! accumulate: rows that stay open, a list of what was seen. So the first time both are done, and compared: the action is
//! performed on the state that was brought back, which is the answer, and once more in the tab that has moved on. If both
//! come to the same page, all further actions of this kind on this state are performed in place.
//!
//! If a state cannot be brought back (after a login the first page is another one), the action is performed in place all
//! the same, and a warning says what is assumed. `noback` asks for that from the start.

use super::browser::Lease;
use super::hand::{Done, Hand, Trouble};
use super::perform::take_popup;
use super::place::{How, Place, Trust};
use super::read::Told;
use super::sign::{self, Sign};
use super::{Chromium, failed};
use page::NodeId;
use page::driver::{Action, FailureKind, Live, Options};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A tab in which an action can be performed.
pub(super) struct Regained {
    pub(super) lease: Lease,
    /// The number of the tree in the tab that has the element, and its rank there.
    pub(super) version: u64,
    pub(super) rank: usize,
    /// Is the page in the tab another one than the state shows?
    pub(super) is_other: bool,
    /// The tab that has moved on, to see whether the action comes to the same there.
    pub(super) witness: Option<Lease>,
}

impl Regained {
    pub(super) fn own(lease: Lease, version: u64, rank: usize) -> Regained {
        Regained {
            lease,
            version,
            rank,
            is_other: false,
            witness: None,
        }
    }
}

/// More time than a step took the first time.
const SLACK: Duration = Duration::from_secs(2);

impl Chromium {
    /// A tab in which an action on a state can be performed that its tab has left.
    pub(super) fn regain(
        &self,
        place: &Arc<Place>,
        on: &Live,
        element: NodeId,
        action: &Action,
        options: &Options,
    ) -> Result<Regained, Trouble> {
        let deadline = self.deadline(options);
        let rank = on.page.elements().partition_point(|other| *other < element);
        let here = |tab: &Lease| {
            let asked = tab.tab.ask(&format!("is({}, {rank})", place.version), deadline);
            asked.is_ok_and(|told| told == "yes")
        };
        let moved_on = place.moved_on();
        let trust = place.trust(action);
        let in_place = |lease: Lease| Regained {
            is_other: true,
            ..Regained::own(lease, place.version, rank)
        };
        let moved_on = match moved_on {
            Some(lease) if (options.noback || trust == Some(Trust::InPlace)) && here(&lease) => {
                return Ok(in_place(lease));
            }
            None if options.noback => return Err(lost("nothing of it is left").into()),
            Some(lease) if options.noback => {
                place.take_back(lease);
                return Err(lost("the element is not on the page any more").into());
            }
            other => other,
        };
        let wanted = Sign::of(&on.page, element);
        match self.rebuild(&place.how, Some(&wanted), deadline) {
            Ok((lease, told)) => {
                let Some(found) = wanted.find(&told.page) else {
                    return Err(self.given_up(lease, lost("the element is not there").into()));
                };
                let is_other = sign::print(&told.page) != sign::print(&on.page);
                let new = told.page.elements().partition_point(|other| *other < found);
                Ok(Regained {
                    rank: new,
                    is_other,
                    witness: moved_on.filter(|_| trust.is_none()),
                    ..Regained::own(lease, told.version, new)
                })
            }
            Err(Trouble::Error(error)) => match moved_on {
                Some(lease) if trust != Some(Trust::Never) && here(&lease) => {
                    self.warn(format!(
                        "{}: {}; the run goes on in the page as it is, as if earlier actions on it made no difference",
                        on.url, error.message
                    ));
                    place.set_trust(action, Trust::InPlace);
                    Ok(in_place(lease))
                }
                moved_on => {
                    moved_on.into_iter().for_each(|lease| place.take_back(lease));
                    Err(error.into())
                }
            },
            Err(trouble) => Err(trouble),
        }
    }

    /// Performs an action in a tab that has moved on, to see whether that comes to the same as `right`.
    pub(super) fn compare(
        &self,
        place: &Arc<Place>,
        witness: Lease,
        rank: usize,
        action: &Action,
        options: &Options,
        right: &Told,
    ) {
        let deadline = self.deadline(options);
        let tried = self.try_in_place(&witness, place.version, rank, action, options, deadline);
        let same = tried.is_ok_and(|told| told.url == right.url && sign::print(&told.page) == sign::print(&right.page));
        place.set_trust(action, if same { Trust::InPlace } else { Trust::Never });
        if same {
            place.take_back(witness);
        }
    }

    fn try_in_place(
        &self,
        lease: &Lease,
        version: u64,
        rank: usize,
        action: &Action,
        options: &Options,
        deadline: Instant,
    ) -> Result<Told, Trouble> {
        let documents = lease.tab.doing().documents;
        lease.tab.arm(version, rank, deadline)?;
        let hand = Hand {
            tab: &lease.tab,
            version,
            rank,
            tag: "the element",
            deadline,
            warn: &|_| {},
        };
        let done = hand.perform(action)?;
        self.wait_after(lease, options.wait, deadline)?;
        let left =
            done != Done::Touched || lease.tab.doing().documents != documents || take_popup(&lease.tab).is_some();
        if left {
            return Err(lost("it was left").into());
        }
        lease.tab.ask("arm(false)", deadline)?;
        self.tell(&lease.tab, deadline)
    }

    /// Waits after an action, as the expression says, or until the page is ready.
    fn wait_after(&self, lease: &Lease, wait: Option<Duration>, deadline: Instant) -> Result<(), Trouble> {
        match wait {
            None => lease.tab.settle(true, deadline)?,
            Some(wait) => {
                std::thread::sleep(wait.min(deadline.saturating_duration_since(Instant::now())));
                lease.tab.settle(false, deadline)?
            }
        };
        Ok(())
    }

    /// Brings a tab into a state that was left, on which an element with this sign is wanted.
    pub(super) fn rebuild(
        &self,
        how: &How,
        wanted: Option<&Sign>,
        deadline: Instant,
    ) -> Result<(Lease, Told), Trouble> {
        let Some((open, steps)) = how.steps() else {
            return Err(lost("too much was done to it").into());
        };
        let mut lease = self.enter(open, deadline)?;
        let options = Options::default();
        let mut told = self.arrive(&lease, &options, false, deadline)?;
        let mut patience = SLACK;
        for (number, step) in steps.iter().enumerate() {
            told = self.until_there(&lease, told, &step.sign, patience)?;
            let Some(element) = step.sign.find(&told.page) else {
                let why = format!("{} is not there, or not alone", step.tag);
                return Err(self.given_up(lease, lost(&why).into()));
            };
            let rank = told.page.elements().partition_point(|other| *other < element);
            // Each step has as much time as the first time.
            let deadline = self.deadline(&options).max(deadline) + step.wait.unwrap_or_default();
            lease.tab.arm(told.version, rank, deadline)?;
            let hand = Hand {
                tab: &lease.tab,
                version: told.version,
                rank,
                tag: &step.tag,
                deadline,
                warn: &|_| {},
            };
            let documents = lease.tab.doing().documents;
            hand.perform(&step.action)?;
            self.wait_after(&lease, step.wait, deadline)?;
            if let Some(window) = take_popup(&lease.tab) {
                lease = self.tab(|browser| Ok(browser.adopt(window)))?;
            } else if lease.tab.doing().documents == documents {
                lease.tab.ask("arm(false)", deadline)?;
            }
            told = self.arrive(&lease, &options, true, deadline)?;
            patience = step.took + SLACK;
            let next = steps.get(number + 1).map(|next| &next.sign).or(wanted);
            told = self.until_like(&lease, told, step.after, next, patience)?;
            if lease.tab.doing().posted {
                self.warn(format!("a form was sent once more to get back to {}", told.url));
            }
        }
        Ok((lease, told))
    }

    /// Waits until a page is as it was, or at least has the element that is needed next.
    fn until_like(
        &self,
        lease: &Lease,
        mut told: Told,
        after: u64,
        next: Option<&Sign>,
        patience: Duration,
    ) -> Result<Told, Trouble> {
        let end = Instant::now() + patience;
        while sign::print(&told.page) != after && next.is_none_or(|next| next.find(&told.page).is_none()) {
            match self.changed(lease, end)? {
                Some(new) => told = new,
                None => break,
            }
        }
        Ok(told)
    }

    fn until_there(&self, lease: &Lease, mut told: Told, sign: &Sign, patience: Duration) -> Result<Told, Trouble> {
        let end = Instant::now() + patience;
        while sign.find(&told.page).is_none() {
            match self.changed(lease, end)? {
                Some(new) => told = new,
                None => break,
            }
        }
        Ok(told)
    }

    /// The page once it has changed by itself; none if it has not by then.
    fn changed(&self, lease: &Lease, end: Instant) -> Result<Option<Told>, Trouble> {
        let news = lease.tab.change(0, end)?;
        if news.changes == 0 && Instant::now() >= end {
            return Ok(None);
        }
        self.tell(&lease.tab, end + SLACK).map(Some)
    }
}

fn lost(why: &str) -> page::driver::DriverError {
    let message = format!("the page cannot be brought back to the state it was in: {why}");
    failed(FailureKind::Other, message)
}

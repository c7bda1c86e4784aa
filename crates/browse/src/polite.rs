//! Turns: how many requests a host gets at the same time, and the delay between them.
//!
//! Each host has one gate, shared by all clones of a driver. A request joins the end of the host's queue; the first in
//! the queue starts when fewer than the allowed number of requests are running *and* the delay since the start of the
//! last one is over. So turns are given in order of arrival. A waiting thread sleeps on a condition variable: the end
//! of a request or a timer wakes it, and it never polls. Without delay and limit there is no gate, which is the default
//! for loopback hosts.
//!
//! A host is its name without the port, because the load is on the machine. The gate does not know redirects or
//! robots.txt; the delay that a site asks for is passed with each request. `Retry-After` delays all requests to the
//! host ([`Polite::hold`]), not only the one that was answered with it.
//!
//! Processes that must be polite together share [`Turns`]; the gate then only limits the requests at the same time.
//!
//! Waiting is limited by a deadline, and a turn that cannot come in time is refused at once. Unused gates are removed
//! when there are many.

use page::driver::DriverError;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Turns at hosts that several processes share, so that the delay between requests holds for all of them together.
pub trait Turns: Send + Sync + fmt::Debug {
    /// Takes the next turn at a host and waits for it; false if it cannot come before the deadline. The turn after it comes
    /// no earlier than after `delay`.
    ///
    /// # Errors
    ///
    /// Nobody can say when the turn is.
    fn take(&self, host: &str, delay: Duration, deadline: Option<Instant>) -> Result<bool, DriverError>;

    /// No turn at a host before this time is over, because the host asked for it.
    fn hold(&self, host: &str, pause: Duration);
}

/// What is allowed at a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manners {
    /// The number of requests at the same time.
    pub(crate) at_once: usize,
    /// The time between the starts of two requests.
    pub(crate) delay: Duration,
}

/// The gates of all hosts.
#[derive(Default)]
pub(crate) struct Polite(Mutex<BTreeMap<String, Arc<Gate>>>);

/// Unused gates are removed when there are more than this.
const GATES: usize = 1000;

#[derive(Default)]
struct Gate {
    queue: Mutex<Queue>,
    moved: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Waiting requests, in order of arrival.
    waiting: VecDeque<u64>,
    next_ticket: u64,
    under_way: usize,
    /// No request starts before this time.
    not_before: Option<Instant>,
}

impl Gate {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Permission to make one request; ends when dropped.
pub(crate) struct Turn(Option<Arc<Gate>>);

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(gate) = &self.0 {
            gate.queue().under_way -= 1;
            gate.moved.notify_all();
        }
    }
}

impl Polite {
    fn gate(&self, host: &str) -> Arc<Gate> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gate) = gates.get(host) {
            return Arc::clone(gate);
        }
        if gates.len() >= GATES {
            let now = Instant::now();
            // A gate that only this table refers to has no request waiting or running.
            gates.retain(|_, gate| Arc::strong_count(gate) > 1 || gate.queue().not_before.is_some_and(|t| t > now));
        }
        let gate = Arc::<Gate>::default();
        gates.insert(host.to_owned(), Arc::clone(&gate));
        gate
    }

    /// Waits for a turn at a host; none if it cannot come before the deadline.
    pub(crate) fn turn(&self, host: &str, manners: Manners, deadline: Option<Instant>) -> Option<Turn> {
        if manners.at_once == usize::MAX && manners.delay.is_zero() && !self.is_held(host) {
            return Some(Turn(None));
        }
        let gate = self.gate(host);
        let mut queue = gate.queue();
        let ticket = queue.next_ticket;
        queue.next_ticket += 1;
        queue.waiting.push_back(ticket);
        loop {
            let now = Instant::now();
            let late = |time: Instant| deadline.is_some_and(|deadline| time >= deadline);
            let first = queue.waiting.front() == Some(&ticket);
            // The first one waits for its time; the others wait to become first, or until their deadline.
            let next = match queue.not_before {
                Some(time) if time > now => Some(time),
                _ => None,
            };
            if late(now) || (first && next.is_some_and(late)) {
                queue.waiting.retain(|other| *other != ticket);
                drop(queue);
                gate.moved.notify_all();
                return None;
            }
            let free = queue.under_way < manners.at_once.max(1);
            if first && free && next.is_none() {
                queue.waiting.pop_front();
                queue.under_way += 1;
                queue.not_before = Some(now + manners.delay);
                drop(queue);
                gate.moved.notify_all();
                return Some(Turn(Some(gate)));
            }
            let until = match next {
                Some(time) if first && free => Some(time),
                _ => deadline,
            };
            queue = match until {
                Some(time) => {
                    let wait = gate.moved.wait_timeout(queue, time.saturating_duration_since(now));
                    wait.unwrap_or_else(PoisonError::into_inner).0
                }
                None => gate.moved.wait(queue).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Delays all requests to a host until this time.
    pub(crate) fn hold(&self, host: &str, until: Instant) {
        let gate = self.gate(host);
        let mut queue = gate.queue();
        queue.not_before = Some(queue.not_before.map_or(until, |time| time.max(until)));
    }

    fn is_held(&self, host: &str) -> bool {
        let gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let not_before = gates.get(host).and_then(|gate| gate.queue().not_before);
        not_before.is_some_and(|time| time > Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const MS: Duration = Duration::from_millis(1);

    fn manners(at_once: usize, delay: Duration) -> Manners {
        Manners { at_once, delay }
    }

    #[test]
    fn as_many_at_once_as_allowed_and_no_more() {
        for at_once in [1, 3] {
            let polite = Polite::default();
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        for _ in 0..5 {
                            let turn = polite.turn("a", manners(at_once, Duration::ZERO), None).unwrap();
                            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                            std::thread::sleep(MS);
                            now.fetch_sub(1, Ordering::SeqCst);
                            drop(turn);
                        }
                    });
                }
            });
            assert_eq!(most.load(Ordering::SeqCst), at_once);
        }
    }

    #[test]
    fn starts_are_apart_and_hosts_are_on_their_own() {
        let polite = Polite::default();
        let starts = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for host in ["a", "b"] {
                for _ in 0..4 {
                    let (polite, starts) = (&polite, &starts);
                    scope.spawn(move || {
                        let _turn = polite.turn(host, manners(2, 100 * MS), None).unwrap();
                        starts.lock().unwrap().push((host, Instant::now()));
                    });
                }
            }
        });
        let starts = starts.into_inner().unwrap();
        let [a, b] = ["a", "b"].map(|host| {
            let mut times: Vec<Instant> = starts.iter().filter(|s| s.0 == host).map(|s| s.1).collect();
            times.sort();
            assert!(times[3] - times[0] >= 290 * MS, "{times:?}");
            times
        });
        assert!(a[0] < b[3] && b[0] < a[3], "hosts waited for each other: {a:?}, {b:?}");
    }

    #[test]
    fn turns_are_given_in_the_order_of_asking() {
        let polite = Polite::default();
        let first = polite.turn("a", manners(1, Duration::ZERO), None).unwrap();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for n in 0..6 {
                let (polite, order) = (&polite, &order);
                scope.spawn(move || {
                    let _turn = polite.turn("a", manners(1, Duration::ZERO), None).unwrap();
                    order.lock().unwrap().push(n);
                });
                while polite.gate("a").queue().waiting.len() <= n {
                    std::thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn nobody_waits_for_what_comes_too_late() {
        let polite = Polite::default();
        let rules = manners(1, Duration::from_secs(60));
        let soon = |time| Some(Instant::now() + time);
        let turn = polite.turn("a", rules, None).unwrap();
        let start = Instant::now();
        assert!(
            polite.turn("a", rules, soon(20_000 * MS)).is_none(),
            "the delay is longer"
        );
        assert!(start.elapsed() < 10_000 * MS, "and that is known at once");
        drop(turn);
        let rules = manners(1, Duration::ZERO);
        let _turn = polite.turn("b", rules, None).unwrap();
        assert!(
            polite.turn("b", rules, soon(20 * MS)).is_none(),
            "someone else has the turn"
        );
        assert!(
            polite.gate("b").queue().waiting.is_empty(),
            "who gives up leaves the queue"
        );
    }

    #[test]
    fn a_host_may_be_held_and_gates_are_few() {
        let polite = Polite::default();
        let free = manners(usize::MAX, Duration::ZERO);
        let start = Instant::now();
        polite.hold("a", start + 300 * MS);
        polite.turn("b", free, None).unwrap();
        assert!(start.elapsed() < 280 * MS);
        polite.turn("a", free, None).unwrap();
        assert!(start.elapsed() >= 300 * MS);
        for n in 0..3 * GATES {
            polite.turn(&n.to_string(), manners(1, Duration::ZERO), None).unwrap();
        }
        assert!(polite.0.lock().unwrap().len() <= GATES + 1);
    }
}

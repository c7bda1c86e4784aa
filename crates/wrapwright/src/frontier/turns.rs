//! Turns at hosts, taken from a frontier before each request.
//!
//! Turns are exactly a delay apart in the frontier. A worker that uses its turn late, because its machine was busy or the
//! answer was slow, comes closer to the next one. So a turn that is late by more than a quarter of the delay is not used,
//! and the next one is reserved; after three of them the machine is simply slow, and the request is made.

use super::{AHEAD, Frontier, Turn};
use browse::Turns;
use page::driver::{Again, DriverError, FailureKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often to look whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// A turn may be used this part of the delay too late.
const LATE: u32 = 4;

/// Turns that are not used because they are late, at most.
const UNUSED: usize = 3;

/// Turns that all workers of a frontier share.
#[derive(Debug)]
pub struct HostTurns {
    frontier: Arc<dyn Frontier>,
    /// Raised when nobody wants more pages.
    halt: Arc<AtomicBool>,
}

impl HostTurns {
    /// Turns of this frontier. Who waits for one stops waiting when `halt` is raised.
    pub fn new(frontier: Arc<dyn Frontier>, halt: Arc<AtomicBool>) -> HostTurns {
        HostTurns { frontier, halt }
    }

    /// Waits; false if it was stopped, or the deadline would pass.
    fn wait(&self, time: Duration, deadline: Option<Instant>) -> bool {
        let Some(end) = Instant::now().checked_add(time) else {
            return false;
        };
        if deadline.is_some_and(|deadline| end >= deadline) {
            return false;
        }
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            if self.halt.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }
}

impl Turns for HostTurns {
    fn take(&self, host: &str, delay: Duration, deadline: Option<Instant>) -> Result<bool, DriverError> {
        let mut unused = 0;
        loop {
            let begun = Instant::now();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let longest = left.map_or(AHEAD, |left| left.min(AHEAD));
            let turn = self.frontier.turn(host, delay, longest).map_err(|error| {
                let message = format!("{host} gets no turn: {error}");
                DriverError::new(FailureKind::Other, message).with_again(Again::Yes)
            })?;
            match turn {
                Turn::In(time) => {
                    if !self.wait(time, deadline) {
                        return Ok(false);
                    }
                    // The frontier counted from some moment after `begun`.
                    if begun.elapsed().saturating_sub(time) <= delay / LATE || unused >= UNUSED {
                        return Ok(true);
                    }
                    unused += 1;
                }
                // It can be reserved when it is near enough.
                Turn::NotBefore(time) => {
                    let pause = time.saturating_sub(AHEAD).max(LOOK);
                    if left.is_some_and(|left| left <= time) || !self.wait(pause, deadline) {
                        return Ok(false);
                    }
                }
            }
        }
    }

    fn hold(&self, host: &str, pause: Duration) {
        // The worker that was asked to wait does so in any case.
        let _ = self.frontier.hold(host, pause);
    }
}

//! Work on many items in parallel, with results in order.
//!
//! Worker `w` of `n` takes items `w`, `w + n`, `w + 2n`, … and puts each result into its own channel; the consumer
//! takes from the channels in turn. So results come in the order of the items without sorting, and because a channel's
//! capacity is small, memory is limited however slow the consumer is. The disadvantage is that one slow item delays the
//! others once their channels are full.
//!
//! A system may refuse to start a thread. Then those that were started do the work, so a worker waits to be told how many
//! there are.

use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, Scope};

/// How many results a worker may be ahead of the consumer.
const AHEAD: usize = 4;

/// Calls `work` for every item, on `jobs` threads, and `take` with the results in the order of the items, until it
/// returns false.
///
/// # Errors
///
/// The system starts no thread at all. With one job none is needed.
pub fn map_in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    take: impl FnMut(R) -> bool,
) -> io::Result<()> {
    map_on(Builder::new, items, jobs, work, take)
}

/// The same, on threads that a builder starts.
fn map_on<T: Sync, R: Send>(
    builder: impl Fn() -> Builder,
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> bool,
) -> io::Result<()> {
    let jobs = jobs.clamp(1, items.len().max(1));
    if jobs == 1 {
        for item in items {
            if !take(work(item)) {
                break;
            }
        }
        return Ok(());
    }
    std::thread::scope(|scope| {
        let mut receivers = Vec::new();
        let mut begins = Vec::new();
        for worker in 0..jobs {
            let (sender, receiver) = sync_channel(AHEAD);
            match start(scope, builder(), worker, items, &work, sender) {
                Ok(begin) => {
                    begins.push(begin);
                    receivers.push(receiver);
                }
                Err(error) if receivers.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        let jobs = receivers.len();
        for begin in begins {
            // A worker waits for this, so it is there.
            let _ = begin.send(jobs);
        }
        for at in 0..items.len() {
            // A worker that panicked has closed its channel; leaving the scope passes the panic on.
            if !receivers[at % jobs].recv().is_ok_and(&mut take) {
                break;
            }
        }
        drop(receivers);
        Ok(())
    })
}

/// Starts a worker, which begins when it is told the number of workers.
fn start<'scope, T: Sync, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    builder: Builder,
    worker: usize,
    items: &'scope [T],
    work: &'scope (impl Fn(&T) -> R + Sync),
    sender: SyncSender<R>,
) -> io::Result<Sender<usize>> {
    let (begin, told): (Sender<usize>, Receiver<usize>) = channel();
    builder.spawn_scoped(scope, move || {
        let Ok(jobs) = told.recv() else { return };
        for item in items.iter().skip(worker).step_by(jobs) {
            // The consumer has stopped and wants no more results.
            if sender.send(work(item)).is_err() {
                return;
            }
        }
    })?;
    Ok(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_jobs() {
        let items: Vec<usize> = (0..1000).collect();
        for jobs in [0, 1, 2, 3, 7, 2000] {
            let mut out = Vec::new();
            map_in_order(
                &items,
                jobs,
                |n| n * 2,
                |n| {
                    out.push(n);
                    true
                },
            )
            .expect("threads");
            assert_eq!(out, items.iter().map(|n| n * 2).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn the_consumer_may_stop_early() {
        let items: Vec<usize> = (0..1000).collect();
        let mut taken = 0;
        map_in_order(
            &items,
            2,
            |n| *n,
            |_| {
                taken += 1;
                taken < 10
            },
        )
        .expect("threads");
        assert_eq!(taken, 10);
    }

    /// A stack that no machine has room for: the system refuses to start such a thread.
    const HUGE: usize = 1 << 60;

    #[test]
    fn a_system_that_starts_no_thread() {
        let items: Vec<usize> = (0..100).collect();
        let huge = || Builder::new().stack_size(HUGE);
        let mut taken = 0;
        let mut take = |_| {
            taken += 1;
            true
        };
        let refused = map_on(huge, &items, 4, |n| *n, &mut take).is_err();
        assert!(refused);
        assert_eq!(taken, 0);
    }

    #[test]
    fn a_system_that_starts_some_threads() {
        let items: Vec<usize> = (0..100).collect();
        for enough in 1..5 {
            let started = std::cell::Cell::new(0);
            let builder = || {
                started.set(started.get() + 1);
                match started.get() <= enough {
                    true => Builder::new(),
                    false => Builder::new().stack_size(HUGE),
                }
            };
            let mut out = Vec::new();
            let take = |n| {
                out.push(n);
                true
            };
            map_on(builder, &items, 8, |n| *n, take).expect("some threads");
            assert_eq!(out, items, "{enough} threads");
        }
    }
}

//! Work that can be abandoned before it ends.
//!
//! A fetch that has started cannot be cancelled, and a user who presses Ctrl-C will not wait for it. So the work is
//! done on separate threads that are never joined. The consumer checks regularly whether to stop, and returns when it
//! should; a thread ends when it finds that its result is no longer wanted. Results come in the order of the items and
//! memory is limited, as in [`map_in_order`](crate::map_in_order), which is for work that is short and may borrow.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::Duration;

/// How often to check whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// How many results a worker may be ahead of the consumer.
const AHEAD: usize = 4;

/// Calls `work` for every item, on `jobs` threads, and `take` with each item's number and result, in order, until
/// `take` returns false or `is_over` returns true. If the work panicked, there is no result (`None`).
///
/// # Errors
///
/// The system starts no thread. If it starts some, those do all of the work.
pub(crate) fn map_until<T, R>(
    items: Vec<T>,
    jobs: usize,
    work: impl Fn(&T) -> R + Send + Sync + 'static,
    is_over: &dyn Fn() -> bool,
    mut take: impl FnMut(usize, Option<R>) -> bool,
) -> io::Result<()>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let count = items.len();
    let jobs = jobs.clamp(1, count.max(1));
    let shared = Arc::new((items, work));
    let mut receivers: Vec<Receiver<Option<R>>> = Vec::new();
    let mut begins = Vec::new();
    for worker in 0..jobs {
        let (sender, receiver) = sync_channel(AHEAD);
        let (begin, told) = channel();
        let shared = Arc::clone(&shared);
        let started = std::thread::Builder::new().spawn(move || {
            let (items, work) = &*shared;
            let Ok(jobs) = told.recv() else { return };
            for item in items.iter().skip(worker).step_by(jobs) {
                let result = catch_unwind(AssertUnwindSafe(|| work(item))).ok();
                if sender.send(result).is_err() {
                    return;
                }
            }
        });
        match started {
            Ok(_) => {
                receivers.push(receiver);
                begins.push(begin);
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
    for at in 0..count {
        let result = loop {
            if is_over() {
                return Ok(());
            }
            match receivers[at % jobs].recv_timeout(LOOK) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break None,
            }
        };
        if !take(at, result) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn results_come_in_order() {
        for jobs in [1, 3, 50] {
            let mut out = Vec::new();
            let work = |n: &usize| {
                assert_ne!(*n, 7, "panics on purpose");
                n * 2
            };
            map_until((0..20).collect(), jobs, work, &|| false, |at, result| {
                out.push((at, result));
                at < 18
            })
            .expect("threads");
            let expected: Vec<_> = (0..19).map(|n| (n, (n != 7).then_some(n * 2))).collect();
            assert_eq!(out, expected, "{jobs} jobs");
        }
    }

    #[test]
    fn nobody_waits_for_work_that_is_not_wanted() {
        let begin = Instant::now();
        let over = || begin.elapsed() > Duration::from_millis(20);
        let work = |_: &usize| std::thread::sleep(Duration::from_secs(60));
        map_until(vec![1, 2, 3], 2, work, &over, |_, _| true).expect("threads");
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}

//! Work on many items in parallel, with results in order.
//!
//! Worker `w` of `n` takes items `w`, `w + n`, `w + 2n`, … and puts each result into its own channel; the consumer
//! takes from the channels in turn. So results come in the order of the items without sorting, and because a channel's
//! capacity is small, memory is limited however slow the consumer is. The disadvantage is that one slow item delays the
//! others once their channels are full.

use std::sync::mpsc::sync_channel;

/// How many results a worker may be ahead of the consumer.
const AHEAD: usize = 4;

/// Calls `work` for every item, on `jobs` threads, and `take` with the results in the order of the items, until it
/// returns false.
pub fn map_in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> bool,
) {
    let jobs = jobs.clamp(1, items.len().max(1));
    if jobs == 1 {
        for item in items {
            if !take(work(item)) {
                return;
            }
        }
        return;
    }
    std::thread::scope(|scope| {
        let receivers: Vec<_> = (0..jobs)
            .map(|worker| {
                let (sender, receiver) = sync_channel(AHEAD);
                let work = &work;
                scope.spawn(move || {
                    for item in items.iter().skip(worker).step_by(jobs) {
                        // The consumer has stopped and wants no more results.
                        if sender.send(work(item)).is_err() {
                            return;
                        }
                    }
                });
                receiver
            })
            .collect();
        for at in 0..items.len() {
            // A worker that panicked has closed its channel; leaving the scope passes the panic on.
            if !receivers[at % jobs].recv().is_ok_and(&mut take) {
                break;
            }
        }
        drop(receivers);
    });
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
            );
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
        );
        assert_eq!(taken, 10);
    }
}

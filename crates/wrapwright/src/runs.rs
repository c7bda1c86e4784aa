//! Several runs of one expression, one for each set of bindings, at once and with their records in order.
//!
//! With one run, all workers serve it. With several, runs are dealt to as many *lanes* as there are workers; each lane is
//! a thread with its share of the workers that takes every n-th run and sends what comes of it through a channel of
//! bounded length. The caller's thread empties the channels run by run, so records and failures come as if the runs had
//! been made one after the other, and a lane that is ahead waits when its channel is full.

use oxpath::run::{Ended, Failure, Progress, RunOptions, RunSummary, Script, Stop, Workers};
use page::driver::Driver;
use record::Record;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What a lane may be ahead by: records, failures and pages.
const AHEAD: usize = 1024;

/// What is told while runs go.
pub trait Watch: Progress {
    /// The run with this number begins; what comes next is its.
    fn run(&mut self, number: usize);
}

enum Event {
    Record(Record),
    Failure(Failure),
    Page(usize),
    Done(Box<RunSummary>),
}

/// Makes so many runs with `jobs` drivers at once and sums up what they did. Stops when the consumer wants no more, or when
/// a run ended early. Scripts are made when their turn comes, because there may be a million of them.
///
/// # Errors
///
/// The system gives no thread to work on.
pub fn run_all(
    count: usize,
    script: &(dyn Fn(usize) -> Script + Sync),
    jobs: usize,
    driver: &(dyn Fn() -> Box<dyn Driver + Send> + Sync),
    options: &RunOptions,
    watch: &mut dyn Watch,
) -> io::Result<RunSummary> {
    let jobs = jobs.max(1);
    // Who may open a page is decided in the order of runs, so runs that share a number of pages are made one by one.
    let lanes = match options.pages_left {
        Some(_) => 1,
        None => jobs.min(count).max(1),
    };
    let mut total = RunSummary::default();
    if lanes == 1 {
        let mut workers = Workers::new(jobs, driver)?;
        for number in 0..count {
            watch.run(number);
            add(&mut total, &script(number).run_with(&mut workers, None, options, watch));
            if total.ended.is_some() {
                break;
            }
        }
        return Ok(total);
    }
    // Lanes that work ahead have no reason to go on once nobody takes what they give.
    let enough = Arc::new(AtomicBool::new(false));
    let (raised, asked) = (Arc::clone(&enough), options.stop.clone());
    let options = &RunOptions {
        stop: Some(Stop::when(move || {
            raised.load(Ordering::Relaxed) || asked.as_ref().is_some_and(Stop::is_now)
        })),
        ..options.clone()
    };
    std::thread::scope(|scope| -> io::Result<()> {
        let receivers: Vec<Receiver<Event>> = (0..lanes)
            .map(|lane| {
                let (sender, receiver) = sync_channel(AHEAD);
                let share = jobs / lanes + usize::from(lane < jobs % lanes);
                let scripts = (lane..count).step_by(lanes).map(script);
                let workers = Workers::new(share, driver)?;
                let lane = move || run_lane(scripts, workers, options, sender);
                std::thread::Builder::new().spawn_scoped(scope, lane)?;
                Ok(receiver)
            })
            .collect::<io::Result<_>>()
            .inspect_err(|_| enough.store(true, Ordering::Relaxed))?;
        for number in 0..count {
            watch.run(number);
            let done = follow(&receivers[number % lanes], watch);
            add(&mut total, &done);
            if total.ended.is_some() {
                break;
            }
        }
        enough.store(true, Ordering::Relaxed);
        drop(receivers);
        Ok(())
    })?;
    Ok(total)
}

/// Passes on what comes of one run.
fn follow(lane: &Receiver<Event>, watch: &mut dyn Watch) -> RunSummary {
    // What is known of a run that does not come to its end.
    let mut so_far = RunSummary::default();
    // A lane that is gone without saying so has panicked; leaving the scope passes that on.
    while let Ok(event) = lane.recv() {
        match event {
            Event::Record(record) => {
                so_far.records += 1;
                if !watch.record(record) {
                    so_far.ended = Some(Ended::Consumer);
                    break;
                }
            }
            Event::Failure(failure) => {
                so_far.failures += usize::from(!matches!(failure, Failure::Circle { .. }));
                watch.failure(&failure);
            }
            Event::Page(depth) => {
                so_far.pages += 1;
                watch.page(depth);
            }
            Event::Done(summary) => return *summary,
        }
    }
    so_far
}

fn run_lane(
    scripts: impl Iterator<Item = Script>,
    mut workers: Workers,
    options: &RunOptions,
    sender: SyncSender<Event>,
) {
    let mut events = Events { sender };
    for script in scripts {
        let summary = script.run_with(&mut workers, None, options, &mut events);
        if events.sender.send(Event::Done(Box::new(summary))).is_err() {
            return;
        }
    }
}

struct Events {
    sender: SyncSender<Event>,
}

impl Progress for Events {
    fn record(&mut self, record: Record) -> bool {
        self.sender.send(Event::Record(record)).is_ok()
    }

    // Where nobody listens any more, the next record ends the run.
    fn failure(&mut self, failure: &Failure) {
        let _ = self.sender.send(Event::Failure(failure.clone()));
    }

    fn page(&mut self, depth: usize) {
        let _ = self.sender.send(Event::Page(depth));
    }
}

fn add(total: &mut RunSummary, run: &RunSummary) {
    total.pages += run.pages;
    total.actions += run.actions;
    total.records += run.records;
    total.failures += run.failures;
    total.cut += run.cut;
    total.waiting += run.waiting;
    total.most_pages = total.most_pages.max(run.most_pages);
    total.ended = total.ended.or(run.ended);
}

#[cfg(test)]
mod tests {
    use super::*;
    use browse::Memory;
    use oxpath::Value;

    #[derive(Default)]
    struct Lines {
        lines: Vec<String>,
        run: usize,
        most: Option<usize>,
    }

    impl Progress for Lines {
        fn record(&mut self, record: Record) -> bool {
            self.lines
                .push(format!("{}: {}", self.run, record.value.unwrap_or_default()));
            self.most.is_none_or(|most| self.lines.len() < most)
        }

        fn failure(&mut self, failure: &Failure) {
            self.lines.push(format!("{}: {failure}", self.run));
        }
    }

    impl Watch for Lines {
        fn run(&mut self, number: usize) {
            self.run = number;
        }
    }

    fn run(jobs: usize, most: Option<usize>) -> (Lines, RunSummary) {
        run_with(jobs, most, &RunOptions::default())
    }

    fn run_with(jobs: usize, most: Option<usize>, options: &RunOptions) -> (Lines, RunSummary) {
        let pages = (0..20)
            .filter(|n| n % 7 != 3)
            .map(|n| (format!("http://a/{n}"), format!("<p>{n}a<p>{n}b")));
        let driver = Memory::new(pages);
        let script = |n: usize| {
            let url = Value::String(format!("http://a/{n}"));
            Script::compile("doc($url)//p:<x=.>", &[("url", url)]).expect("a valid expression")
        };
        let mut lines = Lines {
            most,
            ..Lines::default()
        };
        let summary = run_all(20, &script, jobs, &|| Box::new(driver.clone()), options, &mut lines).expect("threads");
        (lines, summary)
    }

    #[test]
    fn records_come_in_the_order_of_runs_whatever_the_number_of_jobs() {
        let (one, summary) = run(1, None);
        assert_eq!((summary.records, summary.failures), (34, 3));
        assert_eq!(one.lines[..3], ["0: 0a", "0: 0b", "1: 1a"]);
        assert!(
            one.lines[6].starts_with("3: http://a/3 answered 404"),
            "{}",
            one.lines[6]
        );
        for jobs in [2, 3, 7, 50] {
            let (many, summary) = run(jobs, None);
            assert_eq!(many.lines, one.lines, "{jobs} jobs");
            assert_eq!((summary.records, summary.failures), (34, 3));
        }
    }

    #[test]
    fn the_consumer_may_stop_all_runs() {
        for jobs in [1, 4] {
            let (lines, summary) = run(jobs, Some(5));
            let seen = (lines.lines.len(), summary.records, summary.ended);
            assert_eq!(seen, (5, 5, Some(Ended::Consumer)), "{jobs} jobs");
        }
    }

    #[test]
    fn pages_that_runs_share_go_to_the_first_runs() {
        let seen: Vec<Vec<String>> = [1, 2, 8]
            .map(|jobs| {
                let options = RunOptions {
                    pages_left: Some(Arc::new(6.into())),
                    ..RunOptions::default()
                };
                let (lines, summary) = run_with(jobs, None, &options);
                assert_eq!(summary.ended, Some(Ended::MaxPages));
                lines.lines
            })
            .into();
        assert_eq!(seen[0].len(), 11, "five pages of two records, and one that is missing");
        assert_eq!((&seen[1], &seen[2]), (&seen[0], &seen[0]));
    }

    /// Runs that never give a record: one ends with a failure, the others go on for ever.
    #[test]
    fn lanes_without_records_end_with_the_others() {
        let driver = Memory::with(|request| {
            let number: usize = request.url.path().trim_start_matches('/').parse().ok()?;
            (number > 0).then(|| browse::Response::html(format!("<a href='/{}'>on</a>", number + 1)))
        });
        let script = |n: usize| {
            let url = Value::String(format!("http://a/{}", n * 1_000_000));
            Script::compile("doc($url)/(//a/{click /})*//p:<x=.>", &[("url", url)]).expect("a valid expression")
        };
        let options = RunOptions {
            fail_fast: true,
            ..RunOptions::default()
        };
        let mut lines = Lines::default();
        let summary = run_all(4, &script, 4, &|| Box::new(driver.clone()), &options, &mut lines).expect("threads");
        assert_eq!((summary.failures, summary.ended), (1, Some(Ended::Failure)));
    }
}

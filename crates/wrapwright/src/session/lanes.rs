//! Several runs of one expression at the same time, with their events in order.
//!
//! Runs are dealt to *lanes*. A lane is a thread with its share of the workers; it takes every n-th run and sends what
//! happens through a channel of bounded length. Whoever asks for events empties the channels run by run, so events come as
//! if the runs had been made one after the other. A lane that is ahead waits when its channel is full; if there is only
//! one lane, it is never ahead by more than one event, so that nothing is fetched for a caller who stops asking.

use super::bindings::Runs;
use super::records::RunEvent;
use oxpath::run::{Ended, Event, RunOptions, RunSummary, Stop, Workers};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// What one of several lanes may be ahead by: records, failures and pages.
const AHEAD: usize = 1024;

enum Told {
    /// An event, and why the run ends early if it does.
    Event(Event, Option<Ended>),
    Done(Box<RunSummary>),
}

/// Runs that are under way.
pub(super) struct Lanes {
    /// None once there is nothing more to tell.
    lanes: Vec<Receiver<Told>>,
    threads: Vec<JoinHandle<()>>,
    /// The run whose events come next, and whether it was announced.
    number: usize,
    announced: bool,
    count: usize,
    /// Runs that came to their end.
    total: RunSummary,
    /// What is known of the present run.
    so_far: RunSummary,
    /// Lanes that work ahead stop once nobody takes what they give.
    enough: Arc<AtomicBool>,
}

impl Lanes {
    /// Starts runs with these workers, each of which belongs to one lane.
    pub(super) fn start(runs: &Runs, workers: Vec<Workers>, options: &RunOptions) -> io::Result<Lanes> {
        let enough = Arc::new(AtomicBool::new(false));
        let (raised, asked) = (Arc::clone(&enough), options.stop.clone());
        let options = RunOptions {
            stop: Some(Stop::when(move || {
                raised.load(Ordering::Relaxed) || asked.as_ref().is_some_and(Stop::is_now)
            })),
            ..options.clone()
        };
        let width = workers.len();
        let mut lanes = Lanes {
            lanes: Vec::new(),
            threads: Vec::new(),
            number: 0,
            announced: false,
            count: runs.count(),
            total: RunSummary::default(),
            so_far: RunSummary::default(),
            enough,
        };
        for (lane, workers) in workers.into_iter().enumerate() {
            let (sender, receiver) = sync_channel(if width > 1 { AHEAD } else { 0 });
            let (runs, options) = (runs.clone(), options.clone());
            let work = move || run_lane(&runs, (lane, width), workers, &options, &sender);
            // Those that were started are ended when `lanes` is dropped.
            lanes.threads.push(std::thread::Builder::new().spawn(work)?);
            lanes.lanes.push(receiver);
        }
        Ok(lanes)
    }

    /// The next event; none at the end.
    pub(super) fn next(&mut self) -> Option<RunEvent> {
        while !self.lanes.is_empty() && self.number < self.count {
            if !self.announced {
                self.announced = true;
                return Some(RunEvent::Run(self.number));
            }
            let lane = self.number % self.lanes.len();
            match self.lanes[lane].recv() {
                Ok(Told::Event(event, ending)) => {
                    self.so_far.ended = ending;
                    match &event {
                        Event::Record(_) => self.so_far.records += 1,
                        Event::Failure(failure) if failure.is_warning() => {}
                        Event::Failure(_) => self.so_far.failures += 1,
                        Event::Page { .. } => self.so_far.pages += 1,
                        _ => {}
                    }
                    if let Some(event) = RunEvent::of(event) {
                        return Some(event);
                    }
                }
                Ok(Told::Done(summary)) => {
                    self.so_far = RunSummary::default();
                    add(&mut self.total, &summary);
                    self.number += 1;
                    self.announced = false;
                    if self.total.ended.is_some() {
                        break;
                    }
                }
                // A lane that ends without a word has panicked.
                Err(_) => {
                    if let Err(panic) = self.threads.swap_remove(lane).join() {
                        self.end();
                        std::panic::resume_unwind(panic);
                    }
                    break;
                }
            }
        }
        self.end();
        None
    }

    /// What was done so far.
    pub(super) fn summary(&self) -> RunSummary {
        let mut total = self.total.clone();
        add(&mut total, &self.so_far);
        total
    }

    /// Does the present run end early?
    pub(super) fn is_ending(&self) -> bool {
        self.so_far.ended.is_some()
    }

    /// Ends all runs.
    pub(super) fn stop(&mut self) {
        if !self.lanes.is_empty() {
            self.so_far.ended = Some(Ended::Consumer);
            self.end();
        }
    }

    fn end(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        // A lane that waits to be heard finds that nobody listens.
        self.lanes.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        self.end();
    }
}

fn run_lane(
    runs: &Runs,
    (lane, width): (usize, usize),
    mut workers: Workers,
    options: &RunOptions,
    sender: &SyncSender<Told>,
) {
    for number in (lane..runs.count()).step_by(width) {
        let script = runs.script(number);
        let options = RunOptions {
            run: number as u64,
            ..options.clone()
        };
        let mut run = script.start_with(&mut workers, None, &options);
        while let Some(event) = run.next() {
            let ending = run.ending();
            if sender.send(Told::Event(event, ending)).is_err() {
                return;
            }
        }
        let summary = run.summary();
        drop(run);
        if sender.send(Told::Done(Box::new(summary))).is_err() {
            return;
        }
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
    if total.scripted.is_none() {
        total.scripted.clone_from(&run.scripted);
    }
    run.skipped.iter().for_each(|skipped| total.add_skipped(skipped));
    run.lacking.iter().for_each(|lacking| total.add_lacking(lacking));
}

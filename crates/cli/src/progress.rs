//! What a run is doing, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wrapwright::Job;
use wrapwright::job::Event;

/// A line that tells splits and regions while inference goes.
pub(crate) struct InferProgress {
    shared: Arc<Splits>,
    /// The thread that draws the line, where somebody looks, and what ends it.
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

/// Splits that were made, and all that are known.
#[derive(Default)]
struct Splits {
    done: AtomicU64,
    of: AtomicU64,
}

impl InferProgress {
    pub(crate) fn new(quiet: bool) -> InferProgress {
        let shared = Arc::new(Splits::default());
        if quiet || !io::stderr().is_terminal() {
            return InferProgress { shared, drawing: None };
        }
        let (end, ended) = mpsc::channel();
        let looked_at = Arc::clone(&shared);
        let drawing = std::thread::Builder::new().spawn(move || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let splits = looked_at.done.load(Ordering::Relaxed);
                let left = looked_at.of.load(Ordering::Relaxed).saturating_sub(splits);
                bar.set_message(format!("{splits} splits, {left} regions left"));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        // Without a thread there is no line, but the work goes on.
        let drawing = drawing.ok().map(|thread| (end, thread));
        InferProgress { shared, drawing }
    }

    /// The job, with this line listening to its steps.
    pub(crate) fn listen(&self, job: Job) -> Job {
        let shared = Arc::clone(&self.shared);
        job.on_event(move |event| {
            if let Event::Step { done, of: Some(of) } = event {
                shared.done.store(done, Ordering::Relaxed);
                shared.of.store(of, Ordering::Relaxed);
            }
        })
    }

    pub(crate) fn finish(self) {
        if let Some((end, thread)) = self.drawing {
            drop(end);
            let _ = thread.join();
        }
    }
}

/// A line that tells pages, records, rate and depth while a run goes; nothing where nobody looks.
pub(crate) struct RunProgress {
    bar: ProgressBar,
    begin: Instant,
    pages: usize,
    records: usize,
    depth: usize,
    shown: Instant,
}

impl RunProgress {
    /// `to_file` says that the records go somewhere else than to standard output.
    pub(crate) fn new(quiet: bool, to_file: bool) -> RunProgress {
        // Records on the same terminal show how it goes, and a bar among them would only be in the way.
        let alone = to_file || !io::stdout().is_terminal();
        let visible = !quiet && io::stderr().is_terminal() && alone;
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        if visible {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        let now = Instant::now();
        RunProgress {
            bar,
            begin: now,
            pages: 0,
            records: 0,
            depth: 0,
            shown: now,
        }
    }

    pub(crate) fn page(&mut self, depth: usize) {
        self.pages += 1;
        self.depth = depth;
        self.show();
    }

    pub(crate) fn record(&mut self) {
        self.records += 1;
        self.show();
    }

    /// Says something without tearing the line apart.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&mut self) {
        if self.bar.is_hidden() || self.shown.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.shown = Instant::now();
        let rate = self.pages as f64 / self.begin.elapsed().as_secs_f64().max(0.001);
        let message = format!(
            "{} pages, {} records, {rate:.1} pages/s, {} pages deep",
            self.pages, self.records, self.depth
        );
        self.bar.set_message(message);
    }
}

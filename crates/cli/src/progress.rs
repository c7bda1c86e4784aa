//! What a run is doing, on a terminal.

use crate::args::{Format, Level, MESSAGES, RunArgs, seconds};
use crate::report;
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wrapwright::drivers::Stats;
use wrapwright::job::Event;
use wrapwright::session::kind_of;
use wrapwright::{Failure, Job};

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
        if quiet || report::level() != Level::Info || !io::stderr().is_terminal() {
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

/// How a run tells how far it is.
#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// The summary: `text` or `json` for a line on standard error, or a file for JSON
    #[arg(help_heading = MESSAGES, long, value_name = "FORMAT|FILE", default_value = "text", value_parser = summary_to)]
    pub(crate) summary: SummaryTo,

    /// Write a line that tells how far the run is, each time after this number of seconds [default: 60 if standard error is not a terminal]
    #[arg(help_heading = MESSAGES, long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) log_interval: Option<f64>,

    /// Format of these lines and of failures
    ///
    /// As JSON, each is an object with "event": "begin", "progress", "failure" or "end".
    #[arg(help_heading = MESSAGES, long, value_name = "FORMAT")]
    pub(crate) log: Option<Format>,
}

/// Where the summary of a run goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SummaryTo {
    /// Standard error, as a line of text.
    Text,
    /// Standard error, as a line of JSON.
    Json,
    /// A file, as JSON.
    File(PathBuf),
}

fn summary_to(text: &str) -> Result<SummaryTo, String> {
    match text {
        "text" => Ok(SummaryTo::Text),
        "json" => Ok(SummaryTo::Json),
        file if file.contains(['.', '/', '\\']) => Ok(SummaryTo::File(file.into())),
        _ => Err("expected text, json, or a file such as summary.json".to_owned()),
    }
}

/// Tells how far a run is: a line that changes on a terminal, otherwise a line from time to time.
pub(crate) struct RunProgress {
    bar: ProgressBar,
    shared: Arc<Mutex<Counts>>,
    json: bool,
    shown: Instant,
    /// The thread that writes lines, and what ends it.
    writing: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How far a run is.
struct Counts {
    begin: Instant,
    pages: usize,
    records: usize,
    failures: usize,
    depth: usize,
    /// Pages that are known and not used yet, where that is known.
    queue: Option<usize>,
    stats: Stats,
    max_pages: Option<usize>,
    /// When the last line was written, and the pages at that time.
    last: (Instant, usize),
}

impl Counts {
    /// Pages per second since the last line.
    fn rate(&self) -> f64 {
        (self.pages - self.last.1) as f64 / self.last.0.elapsed().as_secs_f64().max(0.001)
    }

    /// The seconds that are left, if the number of pages has a limit.
    fn left(&self) -> Option<u64> {
        let left = self.max_pages?.saturating_sub(self.pages);
        let rate = self.pages as f64 / self.begin.elapsed().as_secs_f64().max(0.001);
        (rate > 0.0).then(|| (left as f64 / rate) as u64)
    }

    fn line(&self, event: &str, json: bool) -> String {
        let (seconds, rate) = (self.begin.elapsed().as_secs(), (self.rate() * 10.0).round() / 10.0);
        let Stats {
            requests,
            bytes,
            recalled,
            ..
        } = self.stats;
        if json {
            let line = serde_json::json!({
                "event": event, "seconds": seconds, "pages": self.pages, "pages_per_second": rate,
                "records": self.records, "failures": self.failures, "requests": requests, "recalled": recalled,
                "bytes": bytes, "depth": self.depth, "queue": self.queue, "seconds_left": self.left(),
            });
            return line.to_string();
        }
        let mut line = format!(
            "{seconds} s: {} pages ({rate} a second), {} records, {} failures, {:.1} MB",
            self.pages,
            self.records,
            self.failures,
            bytes as f64 / 1e6
        );
        if let Some(queue) = self.queue {
            line += &format!(", {queue} waiting");
        }
        if recalled > 0 {
            line += &format!(", {recalled} answers known before");
        }
        if let Some(left) = self.left() {
            line += &format!(", at most {left} s left");
        }
        line
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunProgress {
    /// `to_file` says that the records go somewhere else than to standard output.
    pub(crate) fn new(args: &RunArgs, to_file: bool) -> RunProgress {
        let is_terminal = io::stderr().is_terminal();
        let json = args.log.log == Some(Format::Json);
        // Records on the same terminal show how it goes, and a bar among them would only be in the way.
        let alone = to_file || !io::stdout().is_terminal();
        let is_alone = is_terminal && alone && report::level() == Level::Info;
        let visible = !args.quiet && is_alone && args.log.log_interval.is_none() && !json;
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
        let shared = Arc::new(Mutex::new(Counts {
            begin: now,
            pages: 0,
            records: 0,
            failures: 0,
            depth: 0,
            queue: None,
            stats: Stats::default(),
            max_pages: args.max_pages,
            last: (now, 0),
        }));
        let usual = (!args.quiet && !is_terminal || json).then_some(USUAL);
        let interval = args.log.log_interval.map_or(usual, |seconds| {
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|interval| !interval.is_zero())
        });
        if json {
            report::words(&lock(&shared).line("begin", true));
        }
        let writing = interval.and_then(|interval| write_lines(Arc::clone(&shared), interval, json));
        RunProgress {
            bar,
            shared,
            json,
            shown: now,
            writing,
        }
    }

    pub(crate) fn page(&mut self, depth: usize, stats: Stats, queue: Option<usize>) {
        let mut counts = lock(&self.shared);
        counts.pages += 1;
        counts.queue = queue;
        counts.depth = depth;
        counts.stats = stats;
        drop(counts);
        self.show();
    }

    pub(crate) fn record(&mut self) {
        lock(&self.shared).records += 1;
        self.show();
    }

    /// Counts a failure, and tells it as a line of JSON or in words.
    pub(crate) fn failure(&self, failure: &Failure, say: impl FnOnce()) {
        if !failure.is_warning() {
            lock(&self.shared).failures += 1;
        }
        match self.json {
            false => self.aside(say),
            true => report::words(
                &serde_json::json!({
                    "event": "failure", "kind": kind_of(failure), "message": failure.to_string(),
                    "warning": failure.is_warning(),
                })
                .to_string(),
            ),
        }
    }

    /// A file could not be downloaded.
    pub(crate) fn download(&self, message: &str, say: impl FnOnce()) {
        lock(&self.shared).failures += 1;
        match self.json {
            false => self.aside(say),
            true => report::words(
                &serde_json::json!({"event": "failure", "kind": "download", "message": message, "warning": false})
                    .to_string(),
            ),
        }
    }

    /// Says something without tearing the line apart.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    pub(crate) fn finish(&mut self) {
        self.bar.finish_and_clear();
        if let Some((end, thread)) = self.writing.take() {
            drop(end);
            let _ = thread.join();
        }
        if self.json {
            let mut counts = lock(&self.shared);
            counts.last = (counts.begin, 0);
            report::words(&counts.line("end", true));
        }
    }

    fn show(&mut self) {
        if self.bar.is_hidden() || self.shown.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.shown = Instant::now();
        let counts = lock(&self.shared);
        let rate = counts.pages as f64 / counts.begin.elapsed().as_secs_f64().max(0.001);
        let mut message = format!(
            "{} pages, {} records, {rate:.1} pages/s, {:.1} MB, {} failures, {} pages deep",
            counts.pages,
            counts.records,
            counts.stats.bytes as f64 / 1e6,
            counts.failures,
            counts.depth
        );
        if let Some(queue) = counts.queue {
            message += &format!(", {queue} waiting");
        }
        if let Some(left) = counts.left() {
            message += &format!(", at most {left} s left");
        }
        drop(counts);
        self.bar.set_message(message);
    }
}

/// How often to write a line where nobody looks all the time.
const USUAL: Duration = Duration::from_secs(60);

/// Writes a line each time the interval is over, until the sender is dropped.
fn write_lines(shared: Arc<Mutex<Counts>>, interval: Duration, json: bool) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (end, ended) = mpsc::channel();
    let writing = std::thread::Builder::new().spawn(move || {
        while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            let mut counts = lock(&shared);
            let line = counts.line("progress", json);
            counts.last = (Instant::now(), counts.pages);
            drop(counts);
            report::words(&line);
        }
    });
    // Without a thread there are no lines, but the run goes on.
    writing.ok().map(|thread| (end, thread))
}

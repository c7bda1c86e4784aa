//! What a run is doing, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

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
    pub(crate) fn new(quiet: bool) -> RunProgress {
        // Records on the same terminal show how it goes, and a bar among them would only be in the way.
        let visible = !quiet && io::stderr().is_terminal() && !io::stdout().is_terminal();
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

//! How a run went: a line of words, or of JSON.

use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use wrapwright::drivers::Stats;
use wrapwright::{Ended, Failure, RunSummary};

/// What a run did. Times are in seconds; those of several workers are added up, so they may exceed the whole.
#[derive(Default, Serialize)]
pub(crate) struct Summary {
    records: usize,
    pages: usize,
    actions: usize,
    failures: usize,
    failures_by_kind: BTreeMap<String, usize>,
    /// Repetitions that came back to a page and were ended there.
    circles: usize,
    /// Branches that were not followed further because of --max-depth.
    cut: usize,
    /// Why the run ended before the expression did.
    ended: Option<&'static str>,
    most_pages_held: usize,
    requests: u64,
    bytes: u64,
    retries: u64,
    cache_hits: u64,
    seconds: f64,
    seconds_fetching: f64,
    seconds_parsing: f64,
    seconds_evaluating: f64,
    seconds_waiting_to_be_polite: f64,
}

impl Summary {
    pub(crate) fn failure(&mut self, failure: &Failure) {
        if matches!(failure, Failure::Circle { .. }) {
            self.circles += 1;
            return;
        }
        *self.failures_by_kind.entry(kind(failure)).or_default() += 1;
    }

    pub(crate) fn finish(&mut self, total: &RunSummary, stats: &Stats, time: Duration) {
        self.records = total.records;
        self.pages = total.pages;
        self.actions = total.actions;
        self.failures = total.failures;
        self.cut = total.cut;
        self.most_pages_held = total.most_pages;
        self.ended = total.ended.map(|ended| match ended {
            Ended::Failure => "fail-fast",
            Ended::MaxPages => "max-pages",
            Ended::Deadline => "max-time",
            Ended::Stop => "interrupted",
            _ => "output",
        });
        self.requests = stats.requests;
        self.bytes = stats.bytes;
        self.retries = stats.retries;
        self.cache_hits = stats.cache_hits;
        self.seconds = round(time);
        self.seconds_fetching = round(stats.fetching);
        self.seconds_parsing = round(stats.parsing);
        self.seconds_waiting_to_be_polite = round(stats.waiting);
        self.seconds_evaluating = round(time.saturating_sub(total.waiting));
    }

    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{} from {}, {}",
            many(self.records, "record"),
            many(self.pages, "page"),
            many(self.failures, "failure")
        );
        if self.cut > 0 {
            text.push_str(&format!(
                "; {} not followed because of --max-depth",
                many(self.cut, "branch")
            ));
        }
        text.push_str(match self.ended {
            Some("max-pages") => "; stopped by --max-pages",
            Some("max-time") => "; stopped by --max-time",
            Some("fail-fast") => "; stopped by --fail-fast",
            Some("interrupted") => "; interrupted",
            _ => "",
        });
        // Whoever waits most of the time should know what for.
        if self.seconds > 5.0 && self.seconds_waiting_to_be_polite > self.seconds / 2.0 {
            text.push_str("\nnote: most of the time was spent waiting between requests to one host; see --delay");
        }
        text
    }
}

fn round(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Failures are counted by these names.
fn kind(failure: &Failure) -> String {
    let name = match failure {
        Failure::Driver(error) => return error.kind.name(),
        Failure::Eval(_) => "evaluation",
        Failure::NodeLost { .. } => "node-lost",
        Failure::ConditionNotMet { .. } => "condition-not-met",
        _ => "other",
    };
    name.to_owned()
}

fn many(count: usize, noun: &str) -> String {
    match (count, noun.ends_with('h')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{count} {noun}es"),
        (_, false) => format!("{count} {noun}s"),
    }
}

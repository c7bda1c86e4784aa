//! How a run went: a line of words, or of JSON.

use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use wrapwright::Ended;
use wrapwright::record::Tally;
use wrapwright::runs::News;
use wrapwright::session::RunReport;

/// What a run did. Times are in seconds; those of several workers are added up, so they may exceed the whole.
#[derive(Serialize)]
pub(crate) struct Summary {
    records: usize,
    pages: usize,
    actions: usize,
    failures: usize,
    failures_by_kind: BTreeMap<String, usize>,
    /// The first failure of each kind.
    first_failures: BTreeMap<String, String>,
    /// What became of the records: written, left out, and in a table with a key what was new. Null if the output failed.
    written: Option<Written>,
    /// Records that were left out because an earlier run found them.
    known: u64,
    /// How many records lack each required field, by the path of the field.
    lacking: BTreeMap<String, usize>,
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
    /// Answers that an earlier process of the same run had kept.
    recalled: u64,
    /// Pages that have not changed since an earlier run, as servers said.
    unchanged: u64,
    seconds: f64,
    seconds_fetching: f64,
    seconds_parsing: f64,
    seconds_evaluating: f64,
    seconds_waiting_to_be_polite: f64,
}

/// What became of records.
#[derive(Serialize)]
struct Written {
    records: u64,
    left_out: u64,
    misfits: u64,
    new: u64,
    changed: u64,
    gone: u64,
}

impl Summary {
    pub(crate) fn new(report: &RunReport, tally: Option<&Tally>, news: Option<News>) -> Summary {
        let news = news.unwrap_or_default();
        let RunReport {
            summary, stats, time, ..
        } = report;
        Summary {
            records: summary.records,
            pages: summary.pages,
            actions: summary.actions,
            failures: summary.failures,
            failures_by_kind: report.failures_by_kind.clone(),
            first_failures: report.first_failures.clone(),
            written: tally.map(|tally| Written {
                records: tally.records,
                left_out: tally.dropped + tally.keyless,
                misfits: tally.misfits.iter().map(|field| field.count).sum(),
                new: news.added,
                changed: news.changed,
                gone: news.gone,
            }),
            known: 0,
            lacking: (summary.lacking.iter())
                .map(|lacking| (format!("{}.{}", lacking.record, lacking.field), lacking.records))
                .collect(),
            circles: report.circles,
            cut: summary.cut,
            ended: summary.ended.map(|ended| match ended {
                Ended::Failure => "fail-fast",
                Ended::MaxPages => "max-pages",
                Ended::Deadline => "max-time",
                Ended::Stop => "interrupted",
                _ => "output",
            }),
            most_pages_held: summary.most_pages,
            requests: stats.requests,
            bytes: stats.bytes,
            retries: stats.retries,
            cache_hits: stats.cache_hits,
            recalled: stats.recalled,
            unchanged: stats.unchanged,
            seconds: round(*time),
            seconds_fetching: round(stats.fetching),
            seconds_parsing: round(stats.parsing),
            seconds_evaluating: round(time.saturating_sub(summary.waiting)),
            seconds_waiting_to_be_polite: round(stats.waiting),
        }
    }

    /// With the records that an earlier run knew, and whether these ended the run.
    pub(crate) fn known(mut self, known: u64, has_enough: bool) -> Summary {
        self.known = known;
        if has_enough {
            self.ended = Some("known");
        }
        self
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
        if self.known > 0 {
            text.push_str(&format!("; {} known before", many(self.known as usize, "record")));
        }
        text.push_str(match self.ended {
            Some("known") => "; stopped by --stop-at-known",
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

fn many(count: usize, noun: &str) -> String {
    match (count, noun.ends_with('h')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{count} {noun}es"),
        (_, false) => format!("{count} {noun}s"),
    }
}

//! A run from its first event to its last: records go to their output, and the directory of the run is kept up to date.

use super::{Finish, KeptError, KeptRun};
use crate::download::Filler;
use crate::output::{self, Output, OutputError};
use crate::session::{Records, RunEvent, RunReport};
use oxpath::run::Ended;
use record::{Ending, Record, Sink};
use std::fmt;
use std::io;

/// What became of a run.
#[derive(Debug)]
pub struct Carried {
    /// Pages, records, failures.
    pub report: RunReport,
    /// What became of the output; none if it could not be ended.
    pub ended: Option<output::Ended>,
    /// How the run ended.
    pub finish: Finish,
    /// What went wrong with writing, if anything did.
    pub problem: Option<CarryProblem>,
}

/// Why the records of a run could not be written to the end.
#[derive(Debug)]
#[non_exhaustive]
pub enum CarryProblem {
    /// A record could not be written, or an answer could not be kept.
    Write(io::Error),
    /// The output could not be ended.
    Output(OutputError),
    /// The directory of the run could not be brought up to date.
    Kept(KeptError),
}

impl fmt::Display for CarryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CarryProblem::Write(error) => write!(f, "the records cannot be written: {error}"),
            CarryProblem::Output(error) => error.fmt(f),
            CarryProblem::Kept(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CarryProblem {}

/// Hears of each event of a run before it is used. It may tell the output something about the records that come.
pub type Tell<'a> = &'a mut dyn FnMut(&RunEvent, &Records<'_>, &mut Output<'_>);

/// Takes all events of a run, writes its records and keeps how far it is: the one loop that all runs have. Gives what became of the
/// run, and why its records could not be written to the end. `files` gives records the files that they link to.
///
/// A run whose records cannot be written is stopped, as is one that has come to known records ([`KeptRun::has_enough`]).
pub fn follow(
    mut records: Records<'_>,
    out: &mut Output<'_>,
    kept: &mut Option<KeptRun>,
    files: &mut Filler,
    tell: Tell<'_>,
) -> (RunReport, Option<io::Error>) {
    let mut error = None;
    // How many files could not be had, and why the first could not.
    let mut lacking = (0, String::new());
    while let Some(event) = records.next_event() {
        // Records that wait belong to what was before.
        if matches!(event, RunEvent::Run(_) | RunEvent::Found { .. }) {
            error = error.or_else(|| write_filled(files, &records, out, kept, &mut lacking, tell).err());
        }
        tell(&event, &records, out);
        kept.iter_mut().for_each(|kept| kept.hear(&event));
        if let RunEvent::Record(record) = event {
            let is_ending = records.is_ending();
            let written = match files.wait(record, is_ending) {
                Some(record) => write(&record, is_ending, out, kept),
                None if files.is_full() => write_filled(files, &records, out, kept, &mut lacking, tell),
                None => Ok(()),
            };
            error = error.or(written.err());
        }
        if let Some(kept) = kept {
            error = error.or_else(|| kept.tick(|| records.report()).err());
        }
        if error.is_some() || kept.as_ref().is_some_and(KeptRun::has_enough) {
            records.stop();
        }
    }
    error = error.or_else(|| write_filled(files, &records, out, kept, &mut lacking, tell).err());
    error = error.or_else(|| out.finish().err());
    let mut report = records.report();
    if lacking.0 > 0 {
        report.count_downloads(lacking.0, lacking.1);
    }
    (report, error)
}

fn write(record: &Record, is_ending: bool, out: &mut Output<'_>, kept: &mut Option<KeptRun>) -> io::Result<()> {
    match kept {
        Some(kept) => kept.write(out, record, is_ending),
        None => out.record(record),
    }
}

/// Writes the records that wait for their files.
fn write_filled(
    files: &mut Filler,
    records: &Records<'_>,
    out: &mut Output<'_>,
    kept: &mut Option<KeptRun>,
    lacking: &mut (usize, String),
    tell: Tell<'_>,
) -> io::Result<()> {
    let filled = files.filled(&mut |failure| {
        if lacking.0 == 0 {
            lacking.1.clone_from(&failure.message);
        }
        lacking.0 += 1;
        tell(&RunEvent::NoFile(failure), records, out);
    })?;
    filled
        .iter()
        .try_for_each(|(record, is_ending)| write(record, *is_ending, out, kept))
}

/// How a run ended: for its output, and for its directory.
pub fn ending(report: &RunReport, failed: bool, has_enough: bool) -> (Ending, Finish) {
    match (report.summary.ended, report.summary.failures) {
        _ if failed => (Ending::Broken, Finish::Failed),
        _ if has_enough => (Ending::Gaps, Finish::Ended),
        (Some(Ended::Stop | Ended::Consumer), _) => (Ending::Broken, Finish::Stopped),
        (Some(_), _) => (Ending::Gaps, Finish::Limit),
        (None, 0) => (Ending::Complete, Finish::Ended),
        (None, _) => (Ending::Gaps, Finish::Ended),
    }
}

/// A run from its first event to its last: [`follow`], and then its output and its directory are ended.
///
/// A run that is stopped, by its [`Job`](page::Job) or because something cannot be written, leaves its output as
/// [`Output::end`] says, and can be resumed if it is kept.
pub fn carry_out(records: Records<'_>, mut out: Output<'_>, mut kept: Option<KeptRun>, tell: Tell<'_>) -> Carried {
    let (report, error) = follow(records, &mut out, &mut kept, &mut Filler::none(), tell);
    let has_enough = kept.as_ref().is_some_and(KeptRun::has_enough);
    let (ending, finish) = ending(&report, error.is_some(), has_enough);
    let mut problem = error.map(CarryProblem::Write);
    let ended = match out.end(ending) {
        Ok(ended) => Some(ended),
        Err(error) => {
            problem.get_or_insert(CarryProblem::Output(error));
            None
        }
    };
    let finish = if problem.is_some() { Finish::Failed } else { finish };
    if let Some(kept) = kept {
        let tally = ended.as_ref().map(|ended| &ended.tally);
        if let Err(error) = kept.end(finish, &report, tally) {
            problem.get_or_insert(CarryProblem::Kept(error));
        }
    }
    Carried {
        report,
        ended,
        finish,
        problem,
    }
}

//! `wrapwright extract`: a wrapper over any number of pages, records as they come.

use crate::args::{ExtractArgs, Format};
use crate::report::counted;
use crate::terminal::Stdout;
use crate::{Exit, interrupt, report, sheets};
use anyhow::Context;
use std::io::BufWriter;
use std::path::Path;
use wrapwright::extract::{self, ExtractError, ExtractSettings, Trouble};
use wrapwright::output::{Output, advice};
use wrapwright::record::{Ending, Sink};
use wrapwright::wrapper::OpenProblem;
use wrapwright::{Limits, ParseSettings, Wrapper, input};

/// Reads a wrapper, or says what is wrong with it.
pub(crate) fn read_wrapper(file: &Path) -> Option<Wrapper> {
    Wrapper::open(file)
        .map_err(|error| {
            let hint = match error.problem {
                OpenProblem::Wrapper(_) if file.extension().is_some_and(|ending| ending == "oxp") => {
                    Some("this is a file with an expression: `wrapwright run` runs it, and `wrapwright learn` makes a wrapper of it")
                }
                OpenProblem::Wrapper(_) => {
                    Some("a wrapper is a file that `wrapwright learn`, `infer` or `repair` wrote")
                }
                _ => None,
            };
            report::mistake(&error.to_string(), hint);
        })
        .ok()
}

/// Runs the command.
pub(crate) fn run(args: &ExtractArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let spec = args.records.spec().keyed_by(&wrapper).sharded(args.shard.shard());
    let types = [wrapper.sink_type()];
    // A mistake must not cost a file that is there.
    if let Err(exit) = report::check_output(&spec, &types) {
        return Ok(exit);
    }
    let stdout = Stdout::open().context("cannot write to standard output")?;
    let mut out = match spec.open(&types, BufWriter::new(stdout)) {
        Ok(out) => out,
        Err(error) => return Ok(report::output(&error)),
    };
    let place = format!("cannot write {}", out.place());
    let written = write(args, &wrapper, &mut out);
    let exit = match &written {
        Ok(exit) => *exit,
        Err(_) => Exit::Outside,
    };
    let ended = out.end(match exit {
        Exit::Fine => Ending::Complete,
        Exit::Partial => Ending::Gaps,
        _ => Ending::Broken,
    });
    match (written, ended) {
        (Err(error), ended) => {
            if let Ok(ended) = &ended {
                report::kept(ended);
            }
            let hint = error.downcast_ref().and_then(advice);
            let error = error.context(place);
            if let Some(hint) = hint.filter(|_| !report::is_broken_pipe(&error)) {
                report::failure(&error);
                report::words(&format!("  hint: {}", crate::remedy::in_words(&hint)));
                return Ok(Exit::Outside);
            }
            Err(error)
        }
        (Ok(_), Err(error)) => Ok(report::output(&error)),
        (Ok(exit), Ok(ended)) => {
            report::kept(&ended);
            if !args.quiet {
                report::tally(&ended.tally, spec.sink.on_misfit, wrapper.given.is_some());
            }
            Ok(exit)
        }
    }
}

/// Records that do not fit their schema, and pages of another kind, are told one by one up to this number.
const TOLD: usize = 10;

/// Warnings about what a wrapper gives, as many as a person reads.
pub(crate) struct Warnings {
    quiet: bool,
    misfits: usize,
    others: usize,
    joined: usize,
}

impl Warnings {
    pub(crate) fn new(quiet: bool) -> Warnings {
        Warnings {
            quiet,
            misfits: 0,
            others: 0,
            joined: 0,
        }
    }

    /// Tells what is wrong, or counts it.
    pub(crate) fn tell(&mut self, trouble: &Trouble) {
        let is_told = match trouble {
            Trouble::Unread(error) => return report::input(error, Format::Text),
            Trouble::Misfit { .. } => count(&mut self.misfits) <= TOLD,
            Trouble::OtherKind { .. } => count(&mut self.others) <= TOLD,
            Trouble::Joined { .. } => count(&mut self.joined) <= 1,
            // Told at the end, once for each field.
            Trouble::Lacking(_) => false,
            _ => true,
        };
        if is_told && !self.quiet {
            report::words(&format!("warning: {trouble}"));
        }
    }

    /// Tells how much was only counted.
    pub(crate) fn finish(&self) {
        if self.quiet {
            return;
        }
        if self.misfits > TOLD {
            let more = self.misfits - TOLD;
            report::words(&format!("warning: {more} more records do not fit the schema"));
        }
        if self.others > TOLD {
            let more = self.others - TOLD;
            report::words(&format!("warning: {more} more pages are of another kind"));
        }
        if self.joined > 1 {
            let more = self.joined - 1;
            report::words(&format!(
                "warning: {more} more pages have a field with more values than expected"
            ));
        }
        if self.joined > 0 {
            report::words("  hint: to get a list of values, infer again with such a page, or give the field");
            report::words("        the kind { \"list\": \"text\" } in the schema of the wrapper's file");
        }
    }
}

fn count(number: &mut usize) -> usize {
    *number += 1;
    *number
}

fn write(args: &ExtractArgs, wrapper: &Wrapper, sink: &mut Output<'_>) -> anyhow::Result<Exit> {
    let settings = ExtractSettings {
        page: ParseSettings {
            limits: Limits {
                bytes: args.max_page_bytes,
                ..Limits::default()
            },
            charset: args.charset.clone(),
            ..ParseSettings::default()
        },
        raw: args.raw,
        jobs: args.jobs,
    };
    let (places, errors) = match sheets::find(&args.pages) {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    for error in &errors {
        report::input(error, Format::Text);
    }
    let all = places.len();
    let places = input::of_shard(places, args.shard.shard().as_ref());
    args.shard.tell_empty(places.len(), all, "page", args.quiet);
    let mut warnings = Warnings::new(args.quiet);
    let mut tell = |trouble: &Trouble| warnings.tell(trouble);
    let done = extract::all_telling(
        wrapper,
        &places,
        &settings,
        sink as &mut dyn Sink,
        &mut tell,
        &interrupt::job(),
    );
    let summary = match done {
        Ok(summary) => summary,
        Err(ExtractError::Write(error)) => return Err(error.into()),
        Err(error @ ExtractError::NoSource(_)) => {
            report::mistake(&error.to_string(), Some("leave out --raw"));
            return Ok(Exit::Mistake);
        }
        Err(error @ ExtractError::Thread(_)) => {
            report::mistake(&error.to_string(), Some("--jobs 1 needs no other thread"));
            return Ok(Exit::Outside);
        }
        Err(error) => {
            report::mistake(&error.to_string(), None);
            return Ok(Exit::Mistake);
        }
    };
    if summary.stopped {
        let pages = counted(summary.pages, "page");
        report::words(&format!(
            "interrupted: the records of {pages} of {} are written",
            places.len()
        ));
        return Ok(Exit::Interrupted);
    }
    warnings.finish();
    if !args.quiet {
        for lacking in &summary.lacking {
            report::words(&format!("warning: {lacking}"));
        }
    }
    if summary.empty > 0 && !args.quiet {
        let pages = counted(summary.pages, "page");
        match summary.is_empty() {
            true => report::words(&format!("warning: found no record on {pages}")),
            false => report::words(&format!("warning: {} of {pages} have no record", summary.empty)),
        }
    }
    Ok(match summary.is_fine() && errors.is_empty() {
        true => Exit::Fine,
        false if places.is_empty() => Exit::Mistake,
        false => Exit::Partial,
    })
}

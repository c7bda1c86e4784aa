//! `wrapwright run`: an OXPath expression, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RunArgs};
use crate::extract::read_wrapper;
use crate::net::{self, Net};
use crate::progress::RunProgress;
use crate::summary::Summary;
use crate::terminal::Stdout;
use crate::{interrupt, remedy, report, runs, terminal};
use anyhow::{Context, anyhow};
use std::io;
use std::time::Duration;
use wrapwright::output::{Output, advice};
use wrapwright::record::{Ending, Sink};
use wrapwright::session::{Notice, RunEvent, RunReport, RunSettings, Runs, SessionError};
use wrapwright::wrapper::Rule;
use wrapwright::{Ended, Failure, Job, bounded};

/// The most bytes of an expression: more than the parser takes.
const LONGEST: u64 = 2 << 20;

/// Runs the command. Whatever can be found wrong without fetching anything is found before anything is written.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let wrapper = args.file.as_deref().filter(|file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        args.expression.is_none() && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    });
    let source = match wrapper {
        Some(file) => match read_wrapper(file).map(|wrapper| wrapper.rule) {
            Some(Rule::Oxpath(source)) => source,
            Some(rule) => {
                let text = format!(
                    "{}: found a wrapper of kind `{}`, expected an expression",
                    file.display(),
                    rule.kind()
                );
                report::mistake(&text, Some("`wrapwright extract` runs it over pages"));
                return Ok(Exit::Mistake);
            }
            None => return Ok(Exit::Mistake),
        },
        None => match read_source(args) {
            Ok(source) => source,
            Err((place, error)) => return Ok(report::unreadable(&place, &error, "an expression")),
        },
    };
    let job = interrupt::job();
    let runs = match runs::compile(args, &source, &job) {
        Ok(runs) => runs,
        Err(exit) => return Ok(exit),
    };
    if args.explain {
        terminal::print(&runs.first().explain())?;
    }
    if args.check || args.explain {
        return Ok(Exit::Fine);
    }
    let (spec, types) = (args.records.spec(), runs.first().record_types());
    let checked = report::check_output(&spec, &types).and_then(|()| net::configuration(args.quiet));
    let config = match checked {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    let stdout = Stdout::open().context("cannot write to standard output")?;
    let mut out = match spec.open(&types, stdout) {
        Ok(out) => out,
        Err(error) => return Ok(report::output(&error)),
    };
    let wants = net::Wants {
        styles: runs.styles().to_vec(),
        jobs: args.jobs.unwrap_or(1),
    };
    let mut net = match net::prepare(&args.net, &config, &wants) {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let (report, error) = match go(args, &runs, &mut net, &mut out, job) {
        Ok(done) => done,
        Err(error) => return Ok(net::refused(&error)),
    };
    // The records come first: what else cannot be written must not take them along.
    let place = format!("cannot write {}", out.place());
    let ended = out.end(ending(&report, error.is_some()));
    let hint = error.as_ref().and_then(advice);
    let (error, tally) = match (error, ended) {
        (error, Ok(ended)) => {
            report::kept(&ended);
            (error.map(|error| anyhow!(error).context(place)), Some(ended.tally))
        }
        (Some(error), Err(_)) => (Some(anyhow!(error).context(place)), None),
        (None, Err(error)) => (Some(anyhow!(error)), None),
    };
    let kept = net.finish();
    let gone = error.as_ref().is_some_and(report::is_broken_pipe);
    if let Some(error) = error.as_ref().filter(|_| !gone) {
        report::failure(error);
        if let Some(hint) = hint {
            report::words(&format!("  hint: {}", remedy::in_words(&hint)));
        }
    }
    if let Some(tally) = tally.filter(|_| !args.quiet) {
        report::tally(&tally, spec.sink.on_misfit, false);
    }
    if !args.quiet {
        report.notices().iter().for_each(noticed);
    }
    match args.summary {
        Format::Json => report::words(&Summary::new(&report).json()),
        Format::Text if !args.quiet => report::words(&Summary::new(&report).text()),
        Format::Text => {}
    }
    let total = &report.summary;
    Ok(match (total.ended, total.failures, total.records) {
        _ if !kept => Exit::Outside,
        _ if gone => Exit::Fine,
        _ if error.is_some() => Exit::Outside,
        (Some(Ended::Stop), _, _) => Exit::Interrupted,
        (_, 0, _) => Exit::Fine,
        // Nothing came of it at all: the outside failed.
        (_, _, 0) => Exit::Outside,
        _ => Exit::Partial,
    })
}

/// How a run ended, as a sink must know it.
fn ending(report: &RunReport, failed: bool) -> Ending {
    match (report.summary.ended, report.summary.failures) {
        _ if failed => Ending::Broken,
        (Some(Ended::Stop | Ended::Consumer), _) => Ending::Broken,
        (None, 0) => Ending::Complete,
        _ => Ending::Gaps,
    }
}

/// Makes all runs; gives what became of them, and why records could not be written to their end.
fn go(
    args: &RunArgs,
    runs: &Runs,
    net: &mut Net,
    sink: &mut Output<'_>,
    job: Job,
) -> Result<(RunReport, Option<io::Error>), SessionError> {
    let settings = RunSettings {
        jobs: args.jobs.unwrap_or(1),
        max_pages: args.max_pages,
        max_depth: args.max_depth,
        max_time: args.max_time.map(Duration::from_secs_f64),
        fail_fast: args.fail_fast,
        job,
    };
    let mut records = net.session.run_all(runs, &settings)?;
    let mut progress = RunProgress::new(args.quiet);
    let mut error = None;
    while let Some(event) = records.next_event() {
        match event {
            RunEvent::Run(number) if args.with_bindings => sink.bindings(&runs.bindings().of(number)),
            RunEvent::Record(record) => {
                progress.record();
                error = sink.record(&record).err();
                if error.is_some() {
                    records.stop();
                }
            }
            RunEvent::Failure(failure) if args.quiet && failure.is_warning() => {}
            RunEvent::Failure(failure) => progress.aside(|| failed(&failure)),
            RunEvent::Page { depth } => progress.page(depth),
            _ => {}
        }
    }
    progress.finish();
    let error = error.or_else(|| sink.finish().err());
    Ok((records.report(), error))
}

fn noticed(notice: &Notice) {
    let hint = remedy::in_words(&notice.remedy);
    report::words(&format!("warning: {}\n  hint: {hint}", notice.message));
}

fn failed(failure: &Failure) {
    match failure {
        Failure::Driver(error) => report::trouble(&failure.to_string(), error.remedy.as_ref()),
        failure if failure.is_warning() => report::words(&format!("warning: {failure}")),
        _ => report::mistake(&failure.to_string(), None),
    }
}

fn read_source(args: &RunArgs) -> Result<String, (String, io::Error)> {
    if let Some(expression) = &args.expression {
        return Ok(expression.clone());
    }
    let Some(file) = &args.file else {
        return Ok(String::new());
    };
    let place = file.display().to_string();
    let read = match place == "-" {
        true => bounded::read_from(io::stdin().lock(), LONGEST),
        false => bounded::read(file, LONGEST),
    };
    read.and_then(bounded::text).map_err(|error| (place, error))
}

//! `wrapwright run`: an OXPath expression, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RunArgs};
use crate::extract::read_wrapper;
use crate::net::{self, Net};
use crate::progress::RunProgress;
use crate::summary::Summary;
use crate::terminal::Stdout;
use crate::whole::Whole;
use crate::{interrupt, remedy, report, runs, terminal};
use anyhow::{Context, anyhow};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use wrapwright::session::{Notice, RunEvent, RunReport, RunSettings, Runs, SessionError};
use wrapwright::wrapper::Rule;
use wrapwright::{Ended, Failure, Job, Script, bounded};

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
    let config = match check_output(args, runs.first()).and_then(|()| net::configuration(args.quiet)) {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    let mut out = Output::open(args.records.output.as_deref())?;
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
    let error = out.end(error);
    let kept = net.finish();
    let gone = error.as_ref().is_some_and(report::is_broken_pipe);
    if let Some(error) = error.as_ref().filter(|_| !gone) {
        report::failure(error);
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

/// Finds what is wrong with the way records are to be written; reports it.
fn check_output(args: &RunArgs, first: &Script) -> Result<(), Exit> {
    report::check_rows(&args.records.spec(), &first.record_types())?;
    match args.records.output.as_deref().filter(|file| file.is_dir()) {
        None => Ok(()),
        Some(file) => {
            let text = format!("{} is a directory, expected a file for the records", file.display());
            report::mistake(&text, Some("name a file in it"));
            Err(Exit::Mistake)
        }
    }
}

/// Makes all runs; gives what became of them, and why records could not be written to their end.
fn go(
    args: &RunArgs,
    runs: &Runs,
    net: &mut Net,
    out: &mut Output,
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
    let spec = args.records.spec();
    let mut sink = spec.open(records.record_types(), out).expect("rows were checked");
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

/// Where records go.
enum Output {
    Stdout(Stdout),
    File(Whole, PathBuf),
}

impl Output {
    fn open(file: Option<&Path>) -> anyhow::Result<Output> {
        Ok(match file {
            None => Output::Stdout(Stdout::open().context("cannot write to standard output")?),
            Some(file) => {
                let whole = Whole::create(file).with_context(|| format!("cannot write {}", file.display()))?;
                Output::File(whole, file.to_owned())
            }
        })
    }

    /// Puts a file in its place or, if it is not whole, says where it is. Gives what went wrong.
    fn end(self, error: Option<io::Error>) -> Option<anyhow::Error> {
        let (error, place) = match self {
            Output::Stdout(_) => (error, "cannot write to standard output".to_owned()),
            Output::File(whole, file) => {
                let error = match error {
                    None => whole.finish().err(),
                    error => {
                        if let Some(kept) = whole.keep() {
                            report::words(&format!("note: the records written so far are in {}", kept.display()));
                        }
                        error
                    }
                };
                (error, format!("cannot write {}", file.display()))
            }
        };
        error.map(|error| anyhow!(error).context(place))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(out) => out.write(bytes),
            Output::File(whole, _) => whole.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.flush(),
            Output::File(whole, _) => whole.flush(),
        }
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

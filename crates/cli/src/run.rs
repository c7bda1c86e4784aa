//! `wrapwright run`: an OXPath expression or a wrapper, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RunArgs};
use crate::extract::{Warnings, read_wrapper};
use crate::net::{self, Net};
use crate::progress::RunProgress;
use crate::summary::Summary;
use crate::terminal::Stdout;
use crate::whole::Whole;
use crate::{interrupt, remedy, report, runs, terminal, way};
use anyhow::{Context, anyhow};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use wrapwright::session::{Notice, OTHER_KIND, Records, RunEvent, RunReport, RunSettings, Runs};
use wrapwright::wrapper::Rule;
use wrapwright::{Ended, Failure, Job, RecordType, Script, Wrapper, bounded};

/// The most bytes of an expression: more than the parser takes.
const LONGEST: u64 = 2 << 20;

/// Runs the command. Whatever can be found wrong without fetching anything is found before anything is written.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let wrapper = args.file.as_deref().filter(|_| is_wrapper(args));
    let source = match wrapper {
        Some(file) => match read_wrapper(file) {
            Some(wrapper) => match navigates(&wrapper) {
                Some(source) => source,
                None => return run_wrapper(args, file, wrapper),
            },
            None => return Ok(Exit::Mistake),
        },
        None => match read_source(args) {
            Ok(source) => source,
            Err((place, error)) => return Ok(report::unreadable(&place, &error, "an expression")),
        },
    };
    if !args.way.start.is_empty() || args.way.links.next.is_some() || !args.way.links.follow.is_empty() {
        let hint = "its doc(…) says where it starts, and its actions where it goes; bind a variable to change that";
        report::mistake(
            "found --start, --next or --follow for an expression, which navigates by itself",
            Some(hint),
        );
        return Ok(Exit::Mistake);
    }
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
    let types = runs.first().record_types();
    let config = match check_output(args, &types).and_then(|()| net::configuration(args.quiet)) {
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
    let settings = settings(args, job);
    let (report, error) = match net.session.run_all(&runs, &settings) {
        Ok(records) => go(args, records, Some(&runs), &mut out),
        Err(error) => return Ok(net::refused(&error)),
    };
    Ok(end(args, &net, out, &report, error))
}

/// Is it a wrapper, by the name of its file?
fn is_wrapper(args: &RunArgs) -> bool {
    let ending = args.file.as_deref().and_then(|file| file.extension()?.to_str());
    args.expression.is_none() && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// The expression of a wrapper that navigates by itself.
fn navigates(wrapper: &Wrapper) -> Option<String> {
    match &wrapper.rule {
        Rule::Oxpath(source) if wrapper.navigation.is_none() => {
            let script = Script::compile(source, &[]);
            // One with variables is compiled with their values.
            let navigates = script.map_or(true, |script| !script.needs_start_page());
            navigates.then(|| source.clone())
        }
        _ => None,
    }
}

/// Runs a wrapper over its site, or over another one.
fn run_wrapper(args: &RunArgs, file: &Path, mut wrapper: Wrapper) -> anyhow::Result<Exit> {
    if args.explain || !args.bindings.is_empty() || args.bind_file.is_some() {
        let kind = wrapper.rule.kind();
        let text = format!(
            "{}: a wrapper of kind `{kind}` has no variables and no plan",
            file.display()
        );
        report::mistake(&text, Some("leave out --explain, --bind and --bind-file"));
        return Ok(Exit::Mistake);
    }
    way::change(&mut wrapper, &args.way);
    if let Err(exit) = way::check(&wrapper, file) {
        return Ok(exit);
    }
    if args.check {
        return Ok(Exit::Fine);
    }
    let types = [wrapper.sink_type()];
    let config = match check_output(args, &types).and_then(|()| net::configuration(args.quiet)) {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    let job = interrupt::job();
    let mut out = Output::open(args.records.output.as_deref())?;
    let wants = net::Wants {
        styles: Vec::new(),
        jobs: args.jobs.unwrap_or(1),
    };
    let mut net = match net::prepare(&args.net, &config, &wants) {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let (report, error) = match net.session.run_wrapper(&wrapper, &settings(args, job)) {
        Ok(records) => go(args, records, None, &mut out),
        Err(error) => return Ok(net::refused(&error)),
    };
    let is_empty = report.summary.records == 0 && report.summary.failures == 0;
    let is_changed = report.summary.records == 0 && report.failures_by_kind.contains_key(OTHER_KIND);
    let exit = end(args, &net, out, &report, error);
    if is_changed && !args.quiet {
        let file = file.display();
        report::words(&format!(
            "  hint: the site may have changed; `wrapwright watch {file}` checks and repairs the wrapper"
        ));
    }
    Ok(match exit {
        Exit::Fine if is_empty => {
            if !args.quiet {
                report::words("warning: found no record");
            }
            Exit::Partial
        }
        exit => exit,
    })
}

/// Ends a run: completes its output, and tells what became of it.
fn end(args: &RunArgs, net: &Net, out: Output, report: &RunReport, error: Option<io::Error>) -> Exit {
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
        Format::Json => report::words(&Summary::new(report).json()),
        Format::Text if !args.quiet => report::words(&Summary::new(report).text()),
        Format::Text => {}
    }
    let total = &report.summary;
    match (total.ended, total.failures, total.records) {
        _ if !kept => Exit::Outside,
        _ if gone => Exit::Fine,
        _ if error.is_some() => Exit::Outside,
        (Some(Ended::Stop), _, _) => Exit::Interrupted,
        (_, 0, _) => Exit::Fine,
        // Nothing came of it at all: the outside failed.
        (_, _, 0) => Exit::Outside,
        _ => Exit::Partial,
    }
}

/// Finds what is wrong with the way records are to be written; reports it.
fn check_output(args: &RunArgs, types: &[RecordType]) -> Result<(), Exit> {
    report::check_rows(&args.records.spec(), types)?;
    match args.records.output.as_deref().filter(|file| file.is_dir()) {
        None => Ok(()),
        Some(file) => {
            let text = format!("{} is a directory, expected a file for the records", file.display());
            report::mistake(&text, Some("name a file in it"));
            Err(Exit::Mistake)
        }
    }
}

/// How far a run goes.
fn settings(args: &RunArgs, job: Job) -> RunSettings {
    RunSettings {
        jobs: args.jobs.unwrap_or(1),
        max_pages: args.max_pages,
        max_depth: args.max_depth,
        max_time: args.max_time.map(Duration::from_secs_f64),
        fail_fast: args.fail_fast,
        whole_addresses: is_wrapper(args),
        job,
    }
}

/// Makes all runs; gives what became of them, and why records could not be written to their end.
fn go(
    args: &RunArgs,
    mut records: Records<'_>,
    runs: Option<&Runs>,
    out: &mut Output,
) -> (RunReport, Option<io::Error>) {
    let spec = args.records.spec();
    let mut sink = spec.open(records.record_types(), out).expect("rows were checked");
    let mut progress = RunProgress::new(args.quiet);
    let mut error = None;
    let mut warnings = Warnings::new(args.quiet);
    while let Some(event) = records.next_event() {
        match event {
            RunEvent::Run(number) if args.with_bindings => {
                runs.iter().for_each(|runs| sink.bindings(&runs.bindings().of(number)));
            }
            RunEvent::Trouble(trouble) => progress.aside(|| warnings.tell(&trouble)),
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
    warnings.finish();
    let error = error.or_else(|| sink.finish().err());
    (records.report(), error)
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

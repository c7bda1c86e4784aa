//! `wrapwright run`: an OXPath expression, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RecordFormat, RunArgs};
use crate::config::Config;
use crate::extract::read_wrapper;
use crate::net::{self, Net};
use crate::progress::RunProgress;
use crate::runs::Runs;
use crate::summary::Summary;
use crate::whole::{Pieces, Whole};
use crate::{interrupt, report};
use anyhow::{Context, anyhow};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};
use wrapwright::Sink;
use wrapwright::wrapper::Rule;
use wrapwright::{Ended, Failure, Progress, Record, RunOptions, RunSummary, Script, Watch, run_all};

/// An expression longer than the parser takes is not read to its end.
const LONGEST: u64 = 2 << 20;

/// Runs the command. Whatever can be found wrong without fetching anything is found before anything is written.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let wrapper = args.file.as_deref().filter(|file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        args.expression.is_none() && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    });
    let source = match (wrapper, read_source(args)) {
        (Some(file), Ok(_)) => match read_wrapper(file).map(|wrapper| wrapper.rule) {
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
        (_, Ok(source)) => source,
        (_, Err((place, error))) => return Ok(report::unreadable(&place, &error, "an expression")),
    };
    let runs = match Runs::new(args, &source) {
        Ok(runs) => runs,
        Err(exit) => return Ok(exit),
    };
    let Some((first, styles)) = runs.check() else {
        return Ok(Exit::Mistake);
    };
    if args.explain {
        io::stdout()
            .lock()
            .write_all(first.explain().as_bytes())
            .context("cannot write to standard output")?;
    }
    if args.check || args.explain {
        return Ok(Exit::Fine);
    }
    let config = match net::configuration() {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    if let Err(exit) = check_output(args, &config, &first) {
        return Ok(exit);
    }
    let mut out = Output::open(args.records.output.as_deref())?;
    let wants = net::Wants {
        styles,
        jobs: args.jobs.or(config.jobs).unwrap_or(1),
    };
    let net = match net::prepare(&args.net, &config, &wants) {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let begin = Instant::now();
    let (total, mut summary, error) = go(args, &runs, &config, &net, &first, &mut out)?;
    // The records come first: what else cannot be written must not take them along.
    let error = out.end(error);
    let kept = net.finish();
    let gone = error.as_ref().is_some_and(report::is_broken_pipe);
    if let Some(error) = error.as_ref().filter(|_| !gone) {
        report::failure(error);
    }
    summary.finish(&total, &net.stats(), begin.elapsed());
    match args.summary {
        Format::Json => report::words(&summary.json()),
        Format::Text if !args.quiet => report::words(&summary.text()),
        Format::Text => {}
    }
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
fn check_output(args: &RunArgs, config: &Config, first: &Script) -> Result<(), Exit> {
    let refused = |text: &str, hint: &str| {
        report::mistake(text, Some(hint));
        Err(Exit::Mistake)
    };
    if args.records.rows.is_some() && format(args, config) != RecordFormat::Csv {
        return refused("--rows is about the rows of a table", "add --format csv");
    }
    if let Err(no) = args.records.spec(config.format).check(&first.record_types()) {
        report::no_such_rows(&no);
        return Err(Exit::Mistake);
    }
    if let Some(file) = args.records.output.as_deref().filter(|file| file.is_dir()) {
        let text = format!("{} is a directory, expected a file for the records", file.display());
        return refused(&text, "name a file in it");
    }
    Ok(())
}

fn format(args: &RunArgs, config: &Config) -> RecordFormat {
    args.records.format.or(config.format).unwrap_or(RecordFormat::Ndjson)
}

/// Makes all runs; gives what they did, and why they could not be written to their end.
fn go(
    args: &RunArgs,
    runs: &Runs<'_>,
    config: &Config,
    net: &Net,
    first: &Script,
    out: &mut Output,
) -> anyhow::Result<(RunSummary, Summary, Option<io::Error>)> {
    let sink = args.records.spec(config.format).open(&first.record_types(), out)?;
    let max_time = args.max_time.or(config.max_time).map(Duration::from_secs_f64);
    let options = RunOptions {
        fail_fast: args.fail_fast,
        pages_left: args
            .max_pages
            .or(config.max_pages)
            .map(|most| Arc::new(AtomicUsize::new(most))),
        max_depth: args.max_depth.or(config.max_depth),
        deadline: max_time.and_then(|time| Instant::now().checked_add(time)),
        stop: Some(interrupt::flag().into()),
    };
    let mut writer = Writer {
        runs,
        bound: args.with_bindings,
        sink,
        error: None,
        progress: RunProgress::new(args.quiet),
        summary: Summary::default(),
    };
    let script = |number: usize| runs.script(number).expect("all were compiled when they were checked");
    let jobs = args.jobs.or(config.jobs).unwrap_or(1);
    let total = run_all(runs.count(), &script, jobs, &|| net.driver(), &options, &mut writer)
        .context("cannot start to work")?;
    writer.progress.finish();
    if writer.error.is_none() {
        writer.error = writer.sink.finish().err();
    }
    Ok((total, writer.summary, writer.error))
}

/// Where records go.
enum Output {
    Stdout(Pieces),
    File(Whole, PathBuf),
}

impl Output {
    fn open(file: Option<&Path>) -> anyhow::Result<Output> {
        Ok(match file {
            None => Output::Stdout(Pieces::stdout().context("cannot write to standard output")?),
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
            Output::Stdout(pieces) => pieces.write(bytes),
            Output::File(whole, _) => whole.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(pieces) => pieces.flush(),
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
    let mut source = String::new();
    let read = if place == "-" {
        io::stdin().lock().take(LONGEST).read_to_string(&mut source)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(LONGEST).read_to_string(&mut source))
    };
    read.map(|_| source).map_err(|error| (place, error))
}

struct Writer<'a> {
    runs: &'a Runs<'a>,
    /// Do values go into the records?
    bound: bool,
    sink: Box<dyn Sink + 'a>,
    error: Option<io::Error>,
    progress: RunProgress,
    summary: Summary,
}

impl Progress for Writer<'_> {
    fn record(&mut self, record: Record) -> bool {
        self.progress.record();
        self.error = self.sink.record(&record).err();
        self.error.is_none()
    }

    fn failure(&mut self, failure: &Failure) {
        self.summary.failure(failure);
        self.progress.aside(|| match failure {
            Failure::Driver(error) => report::trouble(&failure.to_string(), error.remedy.as_ref()),
            Failure::Circle { .. } => report::words(&format!("warning: {failure}")),
            _ => report::mistake(&failure.to_string(), None),
        });
    }

    fn page(&mut self, depth: usize) {
        self.progress.page(depth);
    }
}

impl Watch for Writer<'_> {
    fn run(&mut self, number: usize) {
        if self.bound {
            self.sink.bindings(&self.runs.bindings(number));
        }
    }
}

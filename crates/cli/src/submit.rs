//! `run --frontier`: submits a run for workers on any machine, and writes its records.

use crate::args::RunArgs;
use crate::kept::Keeper;
use crate::progress::RunProgress;
use crate::terminal::Stdout;
use crate::worker::refused;
use crate::{Exit, net, report, run};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::io;
use wrapwright::frontier::{self, Followed, Following, FrontierError, Program, Task, Unit};
use wrapwright::output::{Output, OutputSpec};
use wrapwright::record::Sink;
use wrapwright::session::{RunReport, Runs};
use wrapwright::{Ended, Job, RecordType, Wrapper};

/// Who does the work.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "On several machines")]
pub(crate) struct FrontierArgs {
    /// Submit the run to this database, for `wrapwright worker` on any machine, and write the records as they come
    ///
    /// postgresql://USER@HOST/DATABASE, the password may be in PGPASSWORD. Each set of values, or each address of --start, is
    /// a unit of work. Records come in the same order as without --frontier. The same command goes on with a run that
    /// was interrupted. --delay holds for all workers together; --max-pages, --max-depth and --max-time hold for each unit.
    /// How pages are fetched otherwise is said to the workers.
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with_all = ["run", "resume", "record", "driver", "cookies", "headers", "fail_fast"]
    )]
    pub(crate) frontier: Option<String>,

    /// With --frontier: how often a unit is tried, if workers die or pages do not answer
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) tries: i32,
}

/// Submits the runs of an expression.
pub(crate) fn expression(args: &RunArgs, address: &str, source: &str, runs: &Runs, job: Job) -> anyhow::Result<Exit> {
    let task = Task::Expression {
        source: source.to_owned(),
        whole_addresses: run::is_wrapper(args),
    };
    let units = frontier::units_of_runs(source, runs);
    let types = runs.first().record_types();
    follow(
        args,
        address,
        task,
        &units,
        (args.records.spec(), &types),
        Some(runs),
        job,
    )
}

/// Submits a wrapper with all the addresses that it starts at.
pub(crate) fn wrapper(args: &RunArgs, address: &str, wrapper: &Wrapper, job: Job) -> anyhow::Result<Exit> {
    let units = frontier::units_of_wrapper(wrapper);
    let task = Task::Wrapper {
        file: wrapper.to_json(),
    };
    let spec = args.records.spec().keyed_by(wrapper);
    follow(args, address, task, &units, (spec, &[wrapper.sink_type()]), None, job)
}

fn follow(
    args: &RunArgs,
    address: &str,
    task: Task,
    units: &[Unit],
    (spec, types): (OutputSpec, &[RecordType]),
    runs: Option<&Runs>,
    job: Job,
) -> anyhow::Result<Exit> {
    if net::is_browser(&args.net) {
        report::mistake("--frontier does not work with a browser: workers have none", None);
        return Ok(Exit::Mistake);
    }
    let mut spec = spec.sharded(args.shard.shard());
    if let Err(exit) = report::check_output(&spec, types) {
        return Ok(exit);
    }
    let program = Program {
        delay: args.net.fetching.delay,
        max_pages: args.max_pages,
        max_depth: args.max_depth,
        tries: args.frontier.tries,
        ..Program::new(task)
    };
    let program = Program {
        max_seconds: args.max_time.unwrap_or(program.max_seconds),
        ..program
    };
    let begun = || -> Result<_, FrontierError> {
        let frontier = frontier::open(address, std::env::var("PGPASSWORD").ok().as_deref())?;
        let submitted = frontier.submit(&program, units)?;
        let following = Following::new(&frontier, &submitted, job)?;
        Ok((frontier, submitted, following))
    };
    let (frontier, submitted, following) = match begun() {
        Ok(begun) => begun,
        Err(error) => return Ok(refused(&error)),
    };
    if !args.quiet {
        let number = submitted.job.0;
        let units = report::counted(units.len(), "unit");
        report::words(&match submitted.again {
            true => format!("note: going on with job {number}, which has {units}"),
            false => {
                format!("note: job {number} has {units}; `wrapwright worker ADDRESS` on any machine works on them")
            }
        });
    }
    submitted.prepare(&mut spec);
    let stdout = Stdout::open().context("cannot write to standard output")?;
    let out = match spec.open(types, stdout) {
        Ok(out) => out,
        Err(error) => return Ok(report::output(&error)),
    };
    if let Err(error) = frontier.opened(submitted.job, out.bytes_before()) {
        return Ok(refused(&error));
    }
    finish(args, &spec, following, out, runs)
}

/// Writes all records, and ends the job if that went well.
fn finish(
    args: &RunArgs,
    spec: &OutputSpec,
    mut following: Following,
    mut out: Output<'_>,
    runs: Option<&Runs>,
) -> anyhow::Result<Exit> {
    let mut progress = RunProgress::new(args, args.records.output.is_some());
    let mut error: Option<io::Error> = None;
    let mut broken: Option<FrontierError> = None;
    while error.is_none() {
        match following.next_event() {
            Ok(None) => break,
            Ok(Some(Followed::Unit(number))) if args.with_bindings => {
                runs.iter().for_each(|runs| out.bindings(&runs.bindings().of(number)));
            }
            Ok(Some(Followed::Record(record))) => {
                progress.record();
                error = out.record(&record).err();
            }
            Ok(Some(Followed::Over(unit))) => {
                (0..unit.pages).for_each(|_| progress.page(1, Default::default(), None));
                for words in unit.first_failures.values().filter(|_| !args.quiet) {
                    progress.aside(|| report::mistake(words, None));
                }
            }
            Ok(Some(_)) => {}
            Err(problem) => {
                broken = Some(problem);
                break;
            }
        }
    }
    progress.finish();
    let is_over = following.is_over();
    let mut total: RunReport = following.report();
    if broken.is_some() || error.is_some() {
        total.summary.ended = Some(Ended::Consumer);
    }
    let error = error.or_else(|| out.finish().err());
    let (exit, is_written) = run::end_with(args, spec, None, out, Keeper::none(), &total, error);
    if let Some(problem) = broken {
        refused(&problem);
        report::words("note: the same command goes on with this run");
        return Ok(Exit::Outside);
    }
    if is_over && is_written {
        if let Err(problem) = following.forget() {
            refused(&problem);
        }
    } else if !args.quiet {
        report::words("note: the same command goes on with this run");
    }
    Ok(exit)
}

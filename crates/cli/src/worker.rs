//! `wrapwright worker`: runs units of jobs that others submitted to a frontier.

use crate::args::{FetchingArgs, NetArgs, jobs, seconds};
use crate::report::counted;
use crate::{Exit, interrupt, net, report};
use clap::Args as ClapArgs;
use std::time::Duration;
use wrapwright::frontier::{self, FrontierError, Lease, UnitReport, WorkError, WorkerEvent, WorkerSettings};

const EXAMPLES: &str = "\
Examples:
  wrapwright worker postgresql://ada@db.example.org/crawl            until it is stopped
  wrapwright worker postgresql://ada@db.example.org/crawl --jobs 32  32 units at once
  wrapwright worker postgresql://ada@db.example.org/crawl --idle 60  until nothing is left to do

`wrapwright run … --frontier postgresql://…` submits the work and writes the records. Workers may come and go
at any time; one that dies loses nothing.

A worker runs what is in the database. It opens no files, and no private addresses without --allow-private; but who
can write to the database can make it fetch any public page, with its headers and cookies.";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// The database that has the work: postgresql://USER@HOST/DATABASE (the password may be in PGPASSWORD)
    #[arg(value_name = "ADDRESS")]
    address: String,

    /// Units to run at the same time
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = jobs())]
    jobs: usize,

    /// End if no unit waits for this many seconds [default: never]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle: Option<f64>,

    /// If this worker is silent for this many seconds, others take over its units
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    lease: f64,

    /// Print only errors
    #[arg(help_heading = crate::args::MESSAGES, long, short)]
    quiet: bool,

    #[command(flatten)]
    fetching: FetchingArgs,
}

/// The shortest lease: heartbeats must have a chance.
const SHORTEST: f64 = 0.5;

/// Runs the command.
pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<Exit> {
    let config = match net::configuration(args.quiet) {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    let fetching = NetArgs {
        fetching: args.fetching.clone(),
        ..NetArgs::untyped(&config)
    };
    let session = match net::session_settings(&fetching, &config) {
        Ok(session) => session,
        Err(exit) => return Ok(exit),
    };
    let frontier = match frontier::open(&args.address, std::env::var("PGPASSWORD").ok().as_deref()) {
        Ok(frontier) => frontier,
        Err(error) => return Ok(refused(&error)),
    };
    let settings = WorkerSettings {
        jobs: args.jobs,
        limit: Duration::from_secs_f64(args.lease.max(SHORTEST)),
        idle: args.idle.map(Duration::from_secs_f64),
        job: interrupt::job(),
        ..WorkerSettings::new(session)
    };
    if !args.quiet {
        report::words("note: waiting for units; Ctrl-C ends this worker in good order");
    }
    let worked = frontier::work(&frontier, &settings, &mut |event| tell(&event, args.quiet));
    match worked {
        Ok(done) => {
            if !args.quiet {
                let units = counted(usize::try_from(done.units).unwrap_or(usize::MAX), "unit");
                let records = counted(usize::try_from(done.records).unwrap_or(usize::MAX), "record");
                report::words(&format!(
                    "{units} done, {records} from {} pages, {} failures, {} units to be tried again",
                    done.pages, done.failures, done.again
                ));
            }
            Ok(match settings.job.is_stopped() {
                true => Exit::Interrupted,
                false => Exit::Fine,
            })
        }
        Err(WorkError::Frontier(error)) => Ok(refused(&error)),
        Err(WorkError::Session(error)) => Ok(net::refused(&error)),
        Err(error) => {
            report::mistake(&error.to_string(), Some("use fewer --jobs"));
            Ok(Exit::Outside)
        }
    }
}

fn tell(event: &WorkerEvent, quiet: bool) {
    let words = match event {
        _ if quiet => return,
        WorkerEvent::Done(lease, unit) if !unit.failures.is_empty() => failure(lease, unit),
        WorkerEvent::Again(lease, unit) => {
            format!("{}; it will be tried again, if tries are left", failure(lease, unit))
        }
        WorkerEvent::Dropped(lease) => format!("warning: {}: another worker has it now", name(lease)),
        WorkerEvent::GivenUp => "warning: this worker was silent for too long, and starts anew".to_owned(),
        WorkerEvent::Waits(error) => format!("warning: {error}; waiting for it"),
        _ => return,
    };
    report::words(&words);
}

fn name(lease: &Lease) -> String {
    format!("job {}, unit {}", lease.job.0, lease.number)
}

fn failure(lease: &Lease, unit: &UnitReport) -> String {
    let first = unit.first_failures.values().next();
    format!(
        "warning: {}: {}",
        name(lease),
        first.map_or("it failed", String::as_str)
    )
}

/// Reports why a frontier cannot be used.
pub(crate) fn refused(error: &FrontierError) -> Exit {
    report::trouble(&error.to_string(), error.remedy().as_ref());
    match error.is_mistake() {
        true => Exit::Mistake,
        false => Exit::Outside,
    }
}

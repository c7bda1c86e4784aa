//! `run --run` and `run --resume`: what was typed, and the directory that keeps it.

use crate::args::{Args, Command, RunArgs};
use crate::progress::SummaryTo;
use crate::{Exit, net, remedy, report};
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wrapwright::bounded;
use wrapwright::output::{Output, OutputSpec};
use wrapwright::record::Tally;
use wrapwright::runs::{Finish, KeptError, KeptProblem, KeptRun, News, Plan, ending, last_before};
use wrapwright::session::{KnownPages, RunReport, SessionSettings};

/// Which directory keeps a run.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Runs that go on")]
pub(crate) struct KeepArgs {
    /// Keep the run in this directory, so that it can go on after it was killed
    ///
    /// The directory is made. It gets everything that is fetched, and what was asked for, including headers and passwords
    /// that were typed; only you can read it. Records must go to a file or a table (-o). With a browser, a run that goes on asks
    /// for its pages again, so a table needs --key.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["record", "resume"])]
    pub(crate) run: Option<PathBuf>,

    /// Go on with the run that this directory keeps; nothing else has to be said again
    ///
    /// Pages that were fetched are taken from the directory, and records that were written are not written again. --jobs,
    /// --max-pages, --max-depth, --max-time, --quiet, --log, --log-interval and --summary may be changed.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "expression", "output"])]
    pub(crate) resume: Option<PathBuf>,

    /// With --resume: ask again for pages that failed, also if the run has ended; for files, and for tables with --key
    #[arg(long, requires = "resume")]
    pub(crate) retry_failed: bool,

    /// With --resume: go on even if the expression or the records have changed
    #[arg(long, requires = "resume")]
    pub(crate) force: bool,

    /// With --run: leave out records that the run of this directory found, and write only what is new or changed
    ///
    /// Servers are asked for a page only if it has changed (ETag, Last-Modified). A wrapper does not read a page again that has
    /// the same content as then.
    #[arg(long, value_name = "DIR", requires = "run", conflicts_with = "mark_gone")]
    pub(crate) since: Option<PathBuf>,

    /// With --run: --since the last run beside that directory that did the same and has ended, if there is one
    #[arg(long, requires = "run", conflicts_with_all = ["mark_gone", "since"])]
    pub(crate) incremental: bool,

    /// With --since or --incremental: end the run after N known records one after the other; for lists with the newest first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) stop_at_known: Option<u64>,
}

/// A run that is kept in a directory, or one that is not.
pub(crate) struct Keeper(Option<KeptRun>);

/// What was typed when a run was begun, and the run.
pub(crate) fn resume(typed: &RunArgs, folder: &Path) -> Result<(RunArgs, Keeper), Exit> {
    let opened = match typed.keep.retry_failed {
        true => KeptRun::retry(folder),
        false => KeptRun::resume(folder),
    };
    let mut kept = opened.map_err(|error| refused(&error))?;
    if typed.keep.force {
        kept.force();
    }
    let plan = kept.plan();
    if let Err(error) = std::env::set_current_dir(&plan.folder) {
        let text = format!(
            "cannot go to {}, where the run was begun: {error}",
            plan.folder.display()
        );
        report::mistake(&text, None);
        return Err(Exit::Outside);
    }
    let words = std::iter::once("wrapwright".to_owned()).chain(plan.arguments.iter().cloned());
    let args = Args::read_from(words).map_err(|error| net::misconfigured(&error))?;
    let Command::Run(mut args) = args.command else {
        report::mistake("the run was begun by something else than `wrapwright run`", None);
        return Err(Exit::Mistake);
    };
    // What is typed now counts; otherwise what was typed then, or set in the environment or the configuration.
    args.jobs = typed.jobs.or(Some(plan.jobs));
    args.max_pages = typed.max_pages.or(plan.max_pages);
    args.max_depth = typed.max_depth.or(plan.max_depth);
    args.max_time = typed.max_time.or(args.max_time);
    args.log.log_interval = typed.log.log_interval.or(args.log.log_interval);
    args.log.log = typed.log.log.or(args.log.log);
    args.quiet |= typed.quiet;
    if typed.log.summary != SummaryTo::Text {
        args.log.summary = typed.log.summary.clone();
    }
    if !args.quiet {
        report::words(&format!(
            "note: going on with {}; {} answers are known",
            folder.display(),
            kept.known()
        ));
    }
    Ok((*args, Keeper(Some(kept))))
}

impl Keeper {
    /// A run that is not kept yet.
    pub(crate) fn none() -> Keeper {
        Keeper(None)
    }

    /// The expression that the run began with, if it came from standard input.
    pub(crate) fn stdin(&self) -> Option<String> {
        let plan = self.0.as_ref()?.plan();
        Some(plan.source.clone())
    }

    /// Begins to keep the run if that was asked for, or checks that a run that goes on is the same. `decides` are texts that
    /// decide what the records are, besides the expression.
    pub(crate) fn begin(mut self, args: &RunArgs, source: &str) -> Result<Keeper, Exit> {
        if args.keep.stop_at_known.is_some() && args.keep.since.is_none() && !args.keep.incremental {
            report::mistake(
                "found --stop-at-known without --since or --incremental",
                Some("add --since DIR, the directory of an earlier run"),
            );
            return Err(Exit::Mistake);
        }
        let mut decides = vec![source.to_owned()];
        // A run without them is the same whoever began it.
        let typed = &args.way;
        if !(args.bindings.is_empty() && typed.start.is_empty() && typed.links.follow.is_empty())
            || typed.links.next.is_some()
        {
            decides.push(format!("{:?} {:?}", args.bindings, args.way));
        }
        if let Some(file) = &args.bind_file {
            let text = bounded::read_text(file, bounded::LONGEST_LIST);
            decides.push(text.map_err(|error| report::unreadable(&file.display().to_string(), &error, "values"))?);
        }
        let mut plan = Plan {
            hash: Plan::hash_of(decides.iter().map(String::as_str)),
            jobs: args.jobs.unwrap_or(1),
            max_pages: args.max_pages,
            max_depth: args.max_depth,
            browser: net::is_browser(&args.net),
            ..Plan::of(source)
        };
        if let Some(kept) = &self.0 {
            kept.check(&plan).map_err(|error| refused(&error))?;
            let earlier = kept.earlier().map_err(|error| refused(&error))?;
            self.since(args, earlier)?;
            return Ok(self);
        }
        let Some(folder) = &args.keep.run else { return Ok(self) };
        plan.folder = std::env::current_dir().map_err(|error| {
            report::mistake(&format!("there is no current directory: {error}"), None);
            Exit::Outside
        })?;
        plan.arguments = std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let folder = args.shard.folder(folder);
        let kept = KeptRun::begin(&folder, &plan).map_err(|error| refused(&error))?;
        let earlier = match &args.keep.since {
            Some(folder) => Some(folder.clone()),
            None if args.keep.incremental => last_before(&folder, &plan),
            None => None,
        };
        self.0 = Some(kept);
        match self.since(args, earlier) {
            Ok(()) => Ok(self),
            Err(exit) => {
                self.discard();
                Err(exit)
            }
        }
    }

    /// Leaves out the records of an earlier run.
    fn since(&mut self, args: &RunArgs, earlier: Option<PathBuf>) -> Result<(), Exit> {
        let (Some(kept), Some(folder)) = (&mut self.0, earlier) else {
            return Ok(());
        };
        if args.keep.incremental && !args.quiet {
            report::words(&format!("note: leaving out what {} found", folder.display()));
        }
        kept.since(&folder, args.keep.stop_at_known)
            .map_err(|error| refused(&error))
    }

    /// What a run of a wrapper must know of pages.
    pub(crate) fn known_pages(&self) -> Option<Arc<dyn KnownPages>> {
        self.0.as_ref().map(KeptRun::known_pages)
    }

    /// What is new, if that is known.
    pub(crate) fn news(&self, tally: &Tally, report: &RunReport) -> News {
        let finish = self.finish(report, false);
        match &self.0 {
            Some(kept) => kept.news(tally, report, finish),
            None => News::of(tally),
        }
    }

    fn finish(&self, report: &RunReport, failed: bool) -> Finish {
        ending(report, failed, self.has_enough()).1
    }

    /// Has the run come to records that are known?
    pub(crate) fn has_enough(&self) -> bool {
        self.0.as_ref().is_some_and(KeptRun::has_enough)
    }

    /// How many records were left out, because they were known.
    pub(crate) fn left_out(&self) -> u64 {
        self.0.as_ref().map_or(0, KeptRun::left_out)
    }

    /// Makes the output and the session go on where the run was.
    pub(crate) fn prepare(&self, spec: &mut OutputSpec) {
        self.0.iter().for_each(|kept| kept.prepare(spec));
    }

    /// Where the session gets answers from.
    pub(crate) fn settings(&self, settings: &mut SessionSettings) {
        settings.recall = self.0.as_ref().and_then(KeptRun::recall);
    }

    /// Takes note of the output.
    pub(crate) fn opened(&self, output: &Output<'_>) -> Result<(), Exit> {
        let noted = self.0.as_ref().map_or(Ok(()), |kept| kept.opened(output));
        noted.map_err(|error| refused(&error))
    }

    /// Forgets a run that could not start.
    pub(crate) fn discard(self) {
        if let Some(kept) = self.0 {
            kept.discard();
        }
    }

    /// The run that is kept, if it is.
    pub(crate) fn run(&mut self) -> &mut Option<KeptRun> {
        &mut self.0
    }

    /// Ends the work on the run, and says how to go on if it has not ended.
    pub(crate) fn end(self, args: &RunArgs, report: &RunReport, tally: Option<&Tally>, failed: bool) {
        let finish = self.finish(report, failed);
        let Some(kept) = self.0 else { return };
        let folder = kept.folder().display().to_string();
        if let Err(error) = kept.end(finish, report, tally) {
            report::trouble(&error.to_string(), error.remedy().as_ref());
        }
        if finish != Finish::Ended && !args.quiet {
            report::words(&format!(
                "note: `wrapwright run --resume {folder}` goes on with this run"
            ));
        }
    }
}

/// Reports why a run cannot be kept or resumed.
pub(crate) fn refused(error: &KeptError) -> Exit {
    let folder = error.folder.display();
    let hint = match &error.problem {
        KeptProblem::Ended => {
            report::words(&format!("note: {error}"));
            return Exit::Fine;
        }
        KeptProblem::Exists { ended: false } => Some(format!(
            "`wrapwright run --resume {folder}` goes on with it; or choose another directory"
        )),
        KeptProblem::Changed => Some("begin a new run in another directory; --force goes on nevertheless".to_owned()),
        _ => error.remedy().map(|remedy| remedy::in_words(&remedy)),
    };
    report::mistake(&error.to_string(), hint.as_deref());
    match error.is_mistake() {
        true => Exit::Mistake,
        false => Exit::Outside,
    }
}

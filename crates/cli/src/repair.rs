//! `wrapwright repair`: a new rule for a wrapper whose pages have changed, shown before it is trusted.

use crate::args::Format;
use crate::extract::read_wrapper;
use crate::sheets::{self, ReadArgs, Reading};
use crate::{Exit, interrupt, report, terminal};
use std::path::PathBuf;
use wrapwright::tend::{self, RepairError, RepairOutcome, RepairSettings};
use wrapwright::{Document, replace_wrapper};

const EXAMPLES: &str = "\
Examples:
  wrapwright repair site.wrapper.json new/                       show what would change
  wrapwright repair site.wrapper.json new/ -o new.wrapper.json   write the new wrapper
  wrapwright repair site.wrapper.json new/ -o site.wrapper.json  in its place; the old one is kept

Exit code 0: the new wrapper is sure enough, or the old one works; 1: some fields are not sure
enough, and the new wrapper is without them; 3: no common field is, the pages are errors or logins, or
there is no new wrapper, and nothing was written. A wrapper that is replaced is kept as site.old-1.wrapper.json beside it.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct RepairArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Changed pages: files, directories (every .htm and .html below, sorted), WARC files, addresses, @FILE for a list of
    /// these, or - for standard input
    #[arg(value_name = "PAGE", required = true)]
    pages: Vec<String>,

    /// Write the new wrapper to this file; without it, nothing is written
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// How sure a field must be, from 0 to 1; others are left out
    #[arg(long, value_name = "SURE", default_value_t = tend::ENOUGH, value_parser = sheets::share)]
    at_least: f64,

    /// Keep fields that are not sure enough, too; and repair also if the old wrapper still works
    #[arg(long)]
    force: bool,

    /// Somebody has looked at the result: later checks do not tell which fields it left out or was not sure of
    #[arg(long)]
    accept: bool,

    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the command.
pub(crate) fn run(args: &RepairArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let Some(settings) = args.read.settings() else {
        return Ok(Exit::Mistake);
    };
    let job = interrupt::job();
    let mut reading = match Reading::new(&args.pages, settings, wrapper.runner()?.reads_source()) {
        Ok(reading) => reading,
        Err(exit) => return Ok(exit),
    };
    let pages: Vec<Document> = reading.by_ref().collect();
    let settings = RepairSettings {
        at_least: args.at_least,
        force: args.force,
        accept: args.accept,
    };
    let outcome = match tend::repair_with(&wrapper, &pages, &settings, &job) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(complain(args, &error)),
    };
    let Some(repair) = outcome.repair() else {
        let gone: Vec<&str> = match &outcome {
            RepairOutcome::Healthy(report) => report.gone().collect(),
            _ => Vec::new(),
        };
        let works = match gone[..] {
            [] => "works on these pages as it did".to_owned(),
            _ => format!(
                "works on these pages as it did, but for {}, which no record has and all had; too few pages are known to tell that the site has changed",
                gone.join(", ")
            ),
        };
        let words = format!("{works}, so nothing was repaired; --force repairs it anyway");
        report::words(&format!("{} {words}", args.wrapper.display()));
        return Ok(reading.exit());
    };
    let text = match args.format {
        Format::Text => tend::repair_text(&wrapper, repair),
        Format::Json => {
            let is_sure = matches!(outcome, RepairOutcome::Repaired(_));
            format!("{}\n", tend::repair_json(repair, is_sure))
        }
    };
    terminal::print(&text)?;
    let Some(new) = outcome.accepted(&settings) else {
        let text = format!("{}, so nothing was written", tend::not_sure(repair, args.at_least));
        let hint = "look at the samples: if they are right, --force writes it anyway; more pages may make it surer";
        report::mistake(&text, Some(hint));
        return Ok(Exit::Failed);
    };
    match &args.output {
        None => report::words("nothing was written; name a file with -o to keep the new wrapper"),
        Some(target) => {
            let kept = replace_wrapper(target, new)?;
            let kept = kept.map_or_else(String::new, |kept| format!("; the old one is {}", kept.display()));
            report::words(&format!("wrote {}{kept}", target.display()));
        }
    }
    if matches!(outcome, RepairOutcome::Partly(_)) {
        let text = format!("{}, so they are left out", tend::not_sure(repair, args.at_least));
        let hint = "look at the pages: if the fields are still there, more pages may make them surer, or --force keeps what was found";
        report::mistake(&text, Some(hint));
        return Ok(Exit::Partial);
    }
    // The notes say how many records there are.
    if repair.fewer.is_some() || repair.unread.is_some() {
        let hint = "look at the pages: do they have more records than it finds?";
        report::mistake("the new wrapper may not read all records", Some(hint));
        return Ok(Exit::Partial);
    }
    Ok(reading.exit())
}

fn complain(args: &RepairArgs, error: &RepairError) -> Exit {
    if matches!(error, RepairError::Unknown(_)) {
        return sheets::unknown(&args.wrapper);
    }
    if matches!(error, RepairError::Stopped) {
        report::words("interrupted: nothing was written");
        return Exit::Interrupted;
    }
    let text = format!("{}: {error}", args.wrapper.display());
    report::trouble(&text, error.remedy().as_ref());
    match error {
        RepairError::OtherKind(_) | RepairError::NothingFound | RepairError::NoRule(_) | RepairError::Worse(_) => {
            Exit::Failed
        }
        _ => Exit::Mistake,
    }
}

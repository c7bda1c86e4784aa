//! `wrapwright check`: does a wrapper still give what it gave?

use crate::args::Format;
use crate::extract::read_wrapper;
use crate::report::counted;
use crate::sheets::{self, ReadArgs, Reading};
use crate::{Exit, interrupt, report, terminal};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use wrapwright::save_wrapper;
use wrapwright::tend::{self, TendError};

const EXAMPLES: &str = "\
Examples:
  wrapwright check site.wrapper.json new/               a table, and exit code 0 or 3
  wrapwright check site.wrapper.json new/ --format json for programs
  wrapwright check site.wrapper.json good/ --accept     these are right: remember what they are like

Exit code 0: it gives what it gave; 1: so it does, but some pages could not be read, or records lack a
required field; 3: the site has changed, or a field is missing that the last repair left out.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Files, directories (every .htm and .html below, sorted), WARC files, addresses, @FILE for a list of these, or - for
    /// standard input
    #[arg(value_name = "PAGE", required = true)]
    pages: Vec<String>,

    #[command(flatten)]
    shard: crate::shards::ShardArgs,

    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Accept what the wrapper gives on these pages as right, and add it to the wrapper's profile
    #[arg(long, conflicts_with = "shard")]
    accept: bool,

    /// Print only errors about files; the exit code is the answer
    #[arg(help_heading = crate::args::MESSAGES, long, short)]
    quiet: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// The width of a report.
pub(crate) const WIDTH: usize = 100;

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let Some(mut wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let Some(settings) = args.read.settings() else {
        return Ok(Exit::Mistake);
    };
    let job = interrupt::job();
    // Pages that were accepted are known by their source, as those that were learned from are.
    let with_source = args.accept || wrapper.runner()?.reads_source();
    let mut reading = match Reading::new(&args.pages, settings, with_source) {
        Ok(reading) => reading,
        Err(exit) => return Ok(exit),
    };
    let all = reading.left();
    reading.shard(args.shard.shard().as_ref());
    if args.shard.shard().is_some() && reading.left() == 0 && all > 0 {
        args.shard.tell_empty(0, all, "page", args.quiet);
        return Ok(reading.exit());
    }
    if args.accept {
        let accepted = match tend::accept(&mut wrapper, &mut reading, &job) {
            Ok(accepted) => accepted,
            Err(error) => return Ok(complain(args, &error)),
        };
        save_wrapper(&args.wrapper, &wrapper)?;
        if !args.quiet {
            let pages = counted(accepted.pages as usize, "page");
            let records = counted(accepted.records as usize, "record");
            let known = match accepted.known {
                0 => String::new(),
                known => format!(" ({known} of them known already, and not counted again)"),
            };
            report::words(&format!(
                "{} remembers {records} of {pages}{known}",
                args.wrapper.display()
            ));
        }
        return Ok(reading.exit());
    }
    let found = match tend::check(&wrapper, &mut reading, &job) {
        Ok(found) => found,
        Err(error) => return Ok(complain(args, &error)),
    };
    if !args.quiet {
        match args.format {
            Format::Text => terminal::print_painted(&found.to_text(WIDTH, io::stdout().is_terminal()))?,
            Format::Json => terminal::print(&format!("{}\n", found.to_json()))?,
        }
    }
    if reading.failed > 0 && !args.quiet {
        let pages = counted(reading.failed, "page");
        report::words(&format!("{pages} could not be read; the report is about the others"));
    }
    Ok(match found.is_fine() {
        false => Exit::Failed,
        true if !found.lacking.is_empty() => Exit::Partial,
        true => reading.exit(),
    })
}

fn complain(args: &CheckArgs, error: &TendError) -> Exit {
    match error {
        TendError::Unknown(_) => return sheets::unknown(&args.wrapper),
        TendError::NoRecords => report::mistake(
            &format!("{}: {error}", args.wrapper.display()),
            Some("give pages on which the wrapper works; `wrapwright repair` repairs one that does not"),
        ),
        TendError::Stopped => {
            report::words("interrupted: the check was not finished");
            return Exit::Interrupted;
        }
        _ => report::trouble(&error.to_string(), error.remedy().as_ref()),
    }
    Exit::Mistake
}

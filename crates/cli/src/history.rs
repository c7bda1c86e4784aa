//! `wrapwright history`: what the runs of `wrapwright watch` found.

use crate::Exit;
use crate::args::Format;
use crate::show::write;
use crate::{remedy, report, terminal};
use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use wrapwright::history::{self, History, HistoryError, Trouble};

const EXAMPLES: &str = "\
Examples:
  wrapwright history site.wrapper.json                   a line a run, and a row of signs for each field
  wrapwright history site.wrapper.json --svg health.svg  the same as a picture
  wrapwright history site.wrapper.json --last 1 --format json

The history of site.wrapper.json is site.history.sqlite beside it, which `wrapwright watch` writes.";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// A wrapper file that `wrapwright watch` has checked
    #[arg(value_name = "WRAPPER")]
    pub(crate) wrapper: PathBuf,

    /// Draw the records of each run and the health of each field as SVG in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Only the last runs [default: all; as text at most 60, as a picture at most 720]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) last: Option<usize>,

    /// How to print runs [default: text, or not at all with --svg]
    ///
    /// As JSON, each run is a line: {"when":…, "wrapper":…, "pages":…, "failed_pages":…, "records":…, "verdict":…,
    /// "fields":[{"name":…, "count":…, "chance":…, "reason":…}], "repair":{"from":…, "to":…, "kept_as":…,
    /// "fields":[{"name":…, "sure":…}], "note":…}}; a reason and a repair may be null.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
}

/// Runs the command.
pub(crate) fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    let path = history::default_path(&args.wrapper);
    let read = || History::existing(&path)?.last(args.last.unwrap_or(usize::MAX));
    let entries = match read() {
        Ok(entries) => entries,
        Err(error) => return Ok(complain(args, &error)),
    };
    if let Some(file) = &args.svg {
        let name = args.wrapper.file_name().unwrap_or(args.wrapper.as_os_str());
        let title = format!("Health of {}", name.to_string_lossy());
        write(file, &history::svg(&entries, &title))?;
    }
    let out = match (args.format, &args.svg) {
        (None, Some(_)) => return Ok(Exit::Fine),
        (None | Some(Format::Text), _) => history::text(&entries),
        (Some(Format::Json), _) => history::json_lines(&entries),
    };
    terminal::print(&out)?;
    Ok(Exit::Fine)
}

fn complain(args: &HistoryArgs, error: &HistoryError) -> Exit {
    let format = args.format.unwrap_or(Format::Text);
    let is_missing = error.trouble == Trouble::Missing;
    if is_missing && !args.wrapper.exists() {
        let text = format!("{}: no such file, expected a wrapper", args.wrapper.display());
        report::message(&text, None, None, format);
        return Exit::Mistake;
    }
    let hint = match is_missing {
        true => format!(
            "`wrapwright watch {} --pages …` makes it, and adds what each run finds",
            args.wrapper.display()
        ),
        false => remedy::in_words(&error.remedy()),
    };
    report::message(&error.to_string(), Some(&hint), None, format);
    exit(error)
}

/// A file that is not a history is the user's mistake; everything else is the outside's.
pub(crate) fn exit(error: &HistoryError) -> Exit {
    match error.trouble {
        Trouble::Missing | Trouble::NoDatabase | Trouble::NoHistory | Trouble::Newer(_) => Exit::Mistake,
        _ => Exit::Outside,
    }
}

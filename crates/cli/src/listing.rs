//! `wrapwright runs`: the runs in a directory.

use crate::args::Format;
use crate::{Exit, kept, terminal};
use clap::Args as ClapArgs;
use std::fmt::Write;
use std::path::PathBuf;
use wrapwright::runs::{RunEntry, list};

const EXAMPLES: &str = "\
Examples:
  wrapwright run shop.json -o shop.sqlite#books --key title --run runs/monday
  wrapwright runs runs                              a line for each run in it
  wrapwright runs runs --format json                for programs";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct RunsArgs {
    /// The directory of a run, or one with such directories
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// How to print runs
    ///
    /// As JSON, each run is a line: {"folder":…, "run":…, "state":…, "begun":…, "ended":…, "processes":…, "pages":…,
    /// "records":…, "failures":…, "failures_by_kind":{…}, "requests":…, "bytes":…, "added":…, "changed":…, "gone":…,
    /// "output":…}.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// Runs the command.
pub(crate) fn run(args: &RunsArgs) -> anyhow::Result<Exit> {
    let entries = match list(&args.folder) {
        Ok(entries) => entries,
        Err(error) => return Ok(kept::refused(&error)),
    };
    let mut out = String::new();
    match args.format {
        Format::Json => {
            for entry in &entries {
                writeln!(out, "{}", serde_json::to_string(entry)?)?;
            }
        }
        Format::Text => entries.iter().for_each(|entry| out.push_str(&line(entry))),
    }
    terminal::print(&out)?;
    Ok(Exit::Fine)
}

/// A run in words.
fn line(entry: &RunEntry) -> String {
    let seconds = entry.begun.get(..19).unwrap_or(&entry.begun);
    let mut line = format!(
        "{seconds}Z  {:<8} {:>8} pages {:>8} records {:>6} failures  {}",
        entry.state,
        entry.pages,
        entry.records,
        entry.failures,
        entry.folder.display()
    );
    let kinds: Vec<String> = entry
        .failures_by_kind
        .iter()
        .map(|(kind, count)| format!("{kind}: {count}"))
        .collect();
    if !kinds.is_empty() {
        line += &format!(" ({})", kinds.join(", "));
    }
    if entry.added + entry.changed + entry.gone > 0 {
        line += &format!("; {} new, {} changed, {} gone", entry.added, entry.changed, entry.gone);
    }
    if entry.processes > 1 {
        line += &format!("; resumed {} times", entry.processes - 1);
    }
    line + "\n"
}

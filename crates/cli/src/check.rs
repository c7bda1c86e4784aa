//! `wrapwright check`: does a wrapper still give what it gave?

use crate::args::Format;
use crate::extract::read_wrapper;
use crate::report::counted;
use crate::sheets::{self, ReadArgs};
use crate::{Exit, check_report, report, whole};
use anyhow::Context;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use wrapwright::tend::{Report, compare};
use wrapwright::wrapper::Wrapper;

const EXAMPLES: &str = "\
Examples:
  wrapwright check site.wrapper.json new/               a table, and exit code 0 or 3
  wrapwright check site.wrapper.json new/ --format json for programs
  wrapwright check site.wrapper.json good/ --accept     these are right: remember what they are like

Exit code 0: it gives what it gave; 1: so it does, but some pages could not be read; 3: the site
has changed.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// A wrapper, as learn, infer or repair writes it
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Files, directories (every .htm and .html below, sorted), WARC files, or - for standard input
    #[arg(value_name = "PAGE", required = true)]
    pages: Vec<String>,

    /// How to print what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Take what the wrapper gives on these pages for right, and keep in the wrapper what it is like
    #[arg(long)]
    accept: bool,

    /// Print nothing but what is wrong with files; the exit code tells
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let Some(mut artifact) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let Some(settings) = args.read.settings() else {
        return Ok(Exit::Mistake);
    };
    let (places, mut failed) = sheets::places(&args.pages);
    let mut read = 0;
    let mut observer = wrapwright::wrapper::Observer::new(&artifact)?;
    let with_source = artifact.runner()?.reads_source();
    for place in &places {
        match sheets::read(place, &settings, with_source) {
            Ok(sheet) => {
                observer.add(&sheet);
                read += 1;
            }
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    if read == 0 {
        report::mistake(
            "there is no page to check the wrapper with, expected at least one",
            None,
        );
        return Ok(Exit::Mistake);
    }
    let now = observer.finish();
    if args.accept {
        if now.iter().all(|profile| profile.records == 0) {
            report::mistake(
                &format!(
                    "{}: found no record on these pages, so there is nothing to keep",
                    args.wrapper.display()
                ),
                Some("give pages on which the wrapper works; `wrapwright repair` mends one that does not"),
            );
            return Ok(Exit::Mistake);
        }
        let pages = counted(read, "page");
        let records = now.first().map_or(0, |profile| profile.records);
        let records = counted(records as usize, "record");
        match artifact.evidence.profiles.is_empty() {
            true => artifact.evidence.profiles = now,
            false => {
                for (known, now) in artifact.evidence.profiles.iter_mut().zip(&now) {
                    known.merge(now);
                }
            }
        }
        whole::write_or_print(Some(&args.wrapper), artifact.to_json().as_bytes())?;
        if !args.quiet {
            report::words(&format!("{} remembers {records} of {pages}", args.wrapper.display()));
        }
        return Ok(if failed > 0 { Exit::Partial } else { Exit::Fine });
    }
    let Ok(found) = compare(&artifact, now) else {
        return Ok(sheets::unwatched(&args.wrapper));
    };
    if !args.quiet {
        let color = io::stdout().is_terminal();
        let text = match args.format {
            Format::Text => text(&found, color),
            Format::Json => format!("{}\n", as_json(&artifact, &found)),
        };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .context("cannot write to standard output")?;
    }
    Ok(match found.is_fine() {
        false => Exit::Failed,
        true if failed > 0 => Exit::Partial,
        true => Exit::Fine,
    })
}

/// The width of what is printed.
const WIDTH: usize = 100;

/// A report in words.
pub(crate) fn text(report: &Report, color: bool) -> String {
    let mut out = String::new();
    for table in &report.tables {
        if table.table.columns.is_empty() {
            continue;
        }
        if !table.table.path.is_empty() {
            out += &format!("\n{}\n", table.table.name());
        }
        out += &check_report::render(&table.alarm, &table.known, &table.now, WIDTH, color);
    }
    out
}

/// A report for programs.
pub(crate) fn as_json(artifact: &Wrapper, report: &Report) -> serde_json::Value {
    let tables: Vec<serde_json::Value> = report
        .tables
        .iter()
        .map(|table| {
            let mut value = check_report::json(&table.alarm, &table.known, &table.now);
            if let Some(members) = value.as_object_mut() {
                members.insert("table".to_owned(), json!(table.table.name()));
            }
            value
        })
        .collect();
    json!({ "kind": artifact.rule.kind(), "fine": report.is_fine(), "tables": tables })
}

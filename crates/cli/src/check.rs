//! `wrapwright check`: does a wrapper still give what it gave?

use crate::args::Format;
use crate::extract::read_wrapper;
use crate::sheets::{self, ReadArgs};
use crate::{Exit, check_report, report, whole};
use anyhow::Context;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use wrapwright::artifact::Artifact;
use wrapwright::learn::tend::{Observer, Report, compare};

const EXAMPLES: &str = "\
Examples:
  wrapwright check site.wrapper.json new/               a table, and exit code 0 or 3
  wrapwright check site.wrapper.json new/ --format json for programs
  wrapwright check site.wrapper.json good/ --accept     these pages are as they should be: remember them";

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
    let mut observer = Observer::new(&artifact)?;
    let with_source = artifact.runner()?.reads_source();
    for place in &places {
        match sheets::read(place, &settings, with_source) {
            Ok(sheet) => {
                observer.add(&sheet.name, &sheet.page, sheet.source.as_deref());
            }
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    if places.len() < failed || places.is_empty() {
        report::mistake("there is no page to check the wrapper with", None);
        return Ok(Exit::Mistake);
    }
    let now = observer.finish();
    if args.accept {
        if now.iter().all(|profile| profile.records == 0) {
            report::mistake(
                "the wrapper gives no record on these pages, so there is nothing to keep",
                None,
            );
            return Ok(Exit::Mistake);
        }
        let pages = now.first().map_or(0, |profile| profile.pages);
        let records = now.first().map_or(0, |profile| profile.records);
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
            report::words(&format!(
                "{} remembers {records} records of {pages} pages",
                args.wrapper.display()
            ));
        }
        return Ok(Exit::Fine);
    }
    let found = match compare(&artifact, now) {
        Ok(found) => found,
        Err(error) => {
            let hint = "`wrapwright check … --accept` with pages on which it works makes it do so";
            report::mistake(&format!("{}: {error}", args.wrapper.display()), Some(hint));
            return Ok(Exit::Mistake);
        }
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
pub(crate) fn as_json(artifact: &Artifact, report: &Report) -> serde_json::Value {
    let tables: Vec<serde_json::Value> = report
        .tables
        .iter()
        .map(|table| {
            let mut value = check_report::json(&table.alarm, &table.known, &table.now);
            value["table"] = json!(table.table.name());
            value
        })
        .collect();
    json!({ "kind": artifact.rule.kind(), "fine": report.is_fine(), "tables": tables })
}

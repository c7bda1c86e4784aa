//! The runs that were asked for, and what is wrong with them in words.

use crate::Exit;
use crate::args::{Format, RecordFormat, RunArgs};
use crate::{net, report};
use std::path::Path;
use wrapwright::diag::Diagnostic;
use wrapwright::session::{Bindings, Checks, RESERVED, Runs, RunsError, RunsProblem};
use wrapwright::{Job, Table, bounded};

/// The runs that were asked for; reports what is wrong with them, and warnings.
pub(crate) fn compile(args: &RunArgs, source: &str, job: &Job) -> Result<Runs, Exit> {
    let table = args.bind_file.as_deref().map(read_table).transpose()?;
    let checks = Checks {
        opens_page: args.check,
        runnable: !args.check && !args.explain,
        browser: net::is_browser(&args.net),
        strict: args.strict,
        allow_unbound: args.check,
    };
    let mut bindings = Bindings::new(args.bindings.clone(), table);
    if let Some(shard) = &args.shard.shard() {
        let all = bindings.count();
        if all == 1 && args.bind_file.is_none() {
            report::mistake(
                "found --shard, but there is only one set of values",
                Some("--shard divides the rows of --bind-file, or the addresses of --start"),
            );
            return Err(Exit::Mistake);
        }
        bindings = bindings.shard(shard, source);
        args.shard.tell_empty(bindings.count(), all, "row", args.quiet);
    }
    let runs = Runs::compile(source, bindings, &checks, job);
    let runs = runs.map_err(|error| refused(args, &error))?;
    warn(args, runs.first_source(), runs.first().warnings());
    warn(args, runs.first_source(), &runs.unbound());
    Ok(runs)
}

fn warn(args: &RunArgs, source: &str, warnings: &[Diagnostic]) {
    if !args.quiet {
        diagnostics(args, source, warnings);
    }
}

/// Does an editor ask? It reads lines of JSON.
pub(crate) fn for_editor(args: &RunArgs) -> bool {
    let is_json = matches!(args.records.format, Some(RecordFormat::Json | RecordFormat::Ndjson));
    args.check && is_json
}

/// Reports what is wrong with the expression, by the name of its file.
fn diagnostics(args: &RunArgs, source: &str, found: &[Diagnostic]) {
    let file = args.file.as_deref().filter(|_| args.expression.is_none());
    let place = file.map_or("expression".to_owned(), |file| file.display().to_string());
    let found: Vec<Diagnostic> = found
        .iter()
        .map(|found| report::bindable(source, found, "--bind"))
        .collect();
    match for_editor(args) {
        // Nobody reads on if this fails.
        true => drop(report::print_diagnostics(&place, source, &found)),
        false => report::diagnostics_in(&place, source, &found, Format::Text),
    }
}

/// Reports why the expression cannot be run.
fn refused(args: &RunArgs, error: &RunsError) -> Exit {
    if let Some((source, warnings)) = &error.warnings {
        warn(args, source, warnings);
    }
    let words = error.problem.to_string();
    match &*error.problem {
        RunsProblem::Stopped => return Exit::Interrupted,
        RunsProblem::Compile(error) => diagnostics(args, error.source_text(), error.diagnostics()),
        RunsProblem::Warnings { source, warnings } => {
            warn(args, source, warnings);
            report::mistake("warnings are errors with --strict", None);
        }
        RunsProblem::Unbound(name) => {
            report::mistake(&words, Some(&format!("bind it with --bind {name}=VALUE")));
        }
        RunsProblem::Reserved(_) => {
            let hint = format!("call it something else: these are {}", RESERVED.join(", "));
            report::mistake(&words, Some(&hint));
        }
        RunsProblem::NoStartPage { source, found } => diagnostics(args, source, std::slice::from_ref(&**found)),
        RunsProblem::NeedsBrowser(_) => report::mistake(&words, Some("--browser runs it in an installed Chromium")),
        _ => report::mistake(&words, None),
    }
    if error.several && error.number.is_some() {
        let place = match (&args.bind_file, error.line) {
            (Some(file), Some(line)) => format!("{}, line {line}: ", file.display()),
            _ => String::new(),
        };
        let values = error.values_in_words();
        report::mistake(&format!("{place}the expression cannot be run with {values}"), None);
    }
    Exit::Mistake
}

fn read_table(file: &Path) -> Result<Table, Exit> {
    let place = file.display().to_string();
    let text = bounded::read_text(file, bounded::LONGEST_LIST)
        .map_err(|error| report::unreadable(&place, &error, "a table"))?;
    Table::read(&text).map_err(|error| {
        report::mistake(&format!("{place}: {error}"), None);
        Exit::Mistake
    })
}

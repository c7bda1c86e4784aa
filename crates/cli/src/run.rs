//! `wrapwright run`: an OXPath expression or a wrapper, from the first page to the last record.

use crate::Exit;
use crate::args::RunArgs;
use crate::extract::{Warnings, read_wrapper};
use crate::kept::{self, Keeper};
use crate::net::{self, Net};
use crate::progress::{RunProgress, SummaryTo};
use crate::summary::Summary;
use crate::terminal::Stdout;
use crate::{interrupt, remedy, report, runs, submit, terminal, way};
use anyhow::{Context, anyhow};
use std::io;
use std::path::Path;
use std::time::Duration;
use wrapwright::download::Filler;
use wrapwright::output::{Output, OutputSpec, advice};
use wrapwright::record::Sink;
use wrapwright::runs::{ending, follow};
use wrapwright::session::{Notice, OTHER_KIND, Records, RunEvent, RunReport, RunSettings, Runs};
use wrapwright::wrapper::Rule;
use wrapwright::{Ended, Failure, Job, RecordType, Script, Wrapper, bounded, source};

/// The most bytes of an expression: more than the parser takes.
const LONGEST: u64 = 2 << 20;

/// Runs the command. Whatever can be found wrong without fetching anything is found before anything is written.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    match &args.keep.resume {
        None => run_kept(args, Keeper::none()),
        Some(folder) => match kept::resume(args, folder) {
            Ok((args, keeper)) => run_kept(&args, keeper),
            Err(exit) => Ok(exit),
        },
    }
}

/// Runs the command in a directory that keeps it, or without one.
fn run_kept(args: &RunArgs, keeper: Keeper) -> anyhow::Result<Exit> {
    let wrapper = args.file.as_deref().filter(|_| is_wrapper(args));
    let source = match wrapper {
        Some(file) => match read_wrapper(file) {
            Some(wrapper) => match navigates(&wrapper) {
                Some(source) => source,
                None => return run_wrapper(args, file, wrapper, keeper),
            },
            None => return Ok(Exit::Mistake),
        },
        None => match read_source(args, &keeper) {
            Ok((place, source)) => match source::gather(&place, &source) {
                Ok(source) => source,
                Err(error) if runs::for_editor(args) => {
                    report::print_diagnostics(&error.file, &error.text, std::slice::from_ref(&error.found))?;
                    return Ok(Exit::Mistake);
                }
                Err(error) => return Ok(report::import(&error)),
            },
            Err((place, error)) => {
                let exit = report::unreadable(&place, &error, "an expression");
                meant(&place)
                    .iter()
                    .for_each(|hint| report::words(&format!("  hint: {hint}")));
                return Ok(exit);
            }
        },
    };
    if !args.way.start.is_empty() || args.way.links.next.is_some() || !args.way.links.follow.is_empty() {
        let hint = "its doc(…) says where it starts, and its actions where it goes; bind a variable to change that";
        report::mistake(
            "found --start, --next or --follow for an expression, which navigates by itself",
            Some(hint),
        );
        return Ok(Exit::Mistake);
    }
    let job = interrupt::job();
    let runs = match runs::compile(args, &source, &job) {
        Ok(runs) => runs,
        Err(exit) => return Ok(exit),
    };
    if args.explain {
        terminal::print(&runs.first().explain())?;
    }
    if args.check || args.explain {
        return Ok(Exit::Fine);
    }
    if let Some(address) = &args.frontier.frontier {
        return submit::expression(args, address, &source, &runs, job);
    }
    let wants = net::Wants {
        styles: runs.styles().to_vec(),
        jobs: args.jobs.unwrap_or(1),
    };
    let begun = begin(
        args,
        keeper,
        args.records.spec(),
        &source,
        &runs.first().record_types(),
        &wants,
        &job,
    )?;
    let Begun {
        spec,
        mut keeper,
        mut out,
        mut net,
        mut filler,
    } = match begun {
        Ok(begun) => begun,
        Err(exit) => return Ok(exit),
    };
    let settings = settings(args, job);
    let (report, error) = match net.session.run_all(&runs, &settings) {
        Ok(records) => go(args, records, Some(&runs), &mut out, &mut keeper, &mut filler),
        Err(error) => {
            keeper.discard();
            return Ok(net::refused(&error));
        }
    };
    Ok(end(args, &spec, &net, out, keeper, &report, error))
}

/// What a run needs.
struct Begun {
    spec: OutputSpec,
    keeper: Keeper,
    out: Output<'static>,
    net: Net,
    filler: Filler,
}

/// Opens the output and the session, and the directory that keeps the run. `source` is what decides the records.
fn begin(
    args: &RunArgs,
    keeper: Keeper,
    spec: OutputSpec,
    source: &str,
    types: &[RecordType],
    wants: &net::Wants,
    job: &Job,
) -> anyhow::Result<Result<Begun, Exit>> {
    let types = match args.files.types(types) {
        Ok(types) => types,
        Err(exit) => return Ok(Err(exit)),
    };
    let types = &types[..];
    let mut spec = spec.sharded(args.shard.shard());
    let checked = report::check_output(&spec, types).and_then(|()| net::configuration(args.quiet));
    let begun = checked.and_then(|config| Ok((config, keeper.begin(args, source)?)));
    let (config, keeper) = match begun {
        Ok(begun) => begun,
        Err(exit) => return Ok(Err(exit)),
    };
    keeper.prepare(&mut spec);
    let stdout = Stdout::open().context("cannot write to standard output")?;
    let out = spec.open(types, stdout).map_err(|error| report::output(&error));
    let out = out.and_then(|out| keeper.opened(&out).map(|()| out));
    let net = out.and_then(|out| {
        let net = net::prepare_with(&args.net, &config, wants, |settings| keeper.settings(settings))?;
        let filler = args.files.open(wants.jobs, &spec.run, &net.session, job)?;
        Ok((out, net, filler))
    });
    Ok(match net {
        Ok((out, net, filler)) => Ok(Begun {
            spec,
            keeper,
            out,
            net,
            filler,
        }),
        Err(exit) => {
            keeper.discard();
            Err(exit)
        }
    })
}

/// What was meant by something that is no file.
fn meant(place: &str) -> Option<String> {
    let is_address = ["http://", "https://", "file://"]
        .iter()
        .any(|scheme| place.starts_with(scheme));
    if is_address {
        return Some(format!(
            "to make a wrapper of a site, use `wrapwright infer {place}`; an expression opens a page by itself: -e 'doc(\"{place}\")…'"
        ));
    }
    place
        .contains(['(', '/', '<'])
        .then(|| wrapwright::Query::compile(place).is_ok() || Script::compile(place, &[]).is_ok())
        .filter(|is_expression| *is_expression)
        .map(|_| "an expression that is not in a file comes after -e".to_owned())
}

/// Is it a wrapper, by the name of its file?
pub(crate) fn is_wrapper(args: &RunArgs) -> bool {
    let ending = args.file.as_deref().and_then(|file| file.extension()?.to_str());
    args.expression.is_none() && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// The expression of a wrapper that navigates by itself.
fn navigates(wrapper: &Wrapper) -> Option<String> {
    match &wrapper.rule {
        Rule::Oxpath(source) if wrapper.navigation.is_none() => {
            let script = Script::compile(source, &[]);
            // One with variables is compiled with their values.
            let navigates = script.map_or(true, |script| !script.needs_start_page());
            navigates.then(|| source.clone())
        }
        _ => None,
    }
}

/// Runs a wrapper over its site, or over another one.
fn run_wrapper(args: &RunArgs, file: &Path, mut wrapper: Wrapper, keeper: Keeper) -> anyhow::Result<Exit> {
    if args.explain || !args.bindings.is_empty() || args.bind_file.is_some() {
        let kind = wrapper.rule.kind();
        let text = format!(
            "{}: a wrapper of kind `{kind}` has no variables and no plan",
            file.display()
        );
        report::mistake(&text, Some("leave out --explain, --bind and --bind-file"));
        return Ok(Exit::Mistake);
    }
    if let Err(exit) = way::change(&mut wrapper, &args.way).and_then(|()| way::check(&wrapper, file)) {
        return Ok(exit);
    }
    if let Err(exit) = way::shard(&mut wrapper, args) {
        return Ok(exit);
    }
    if args.check {
        return Ok(Exit::Fine);
    }
    let job = interrupt::job();
    if let Some(address) = &args.frontier.frontier {
        return submit::wrapper(args, address, &wrapper, job);
    }
    let wants = net::Wants {
        styles: Vec::new(),
        jobs: args.jobs.unwrap_or(1),
    };
    let source = wrapper.to_json();
    let spec = args.records.spec().keyed_by(&wrapper);
    let begun = begin(args, keeper, spec, &source, &[wrapper.sink_type()], &wants, &job)?;
    let Begun {
        spec,
        mut keeper,
        mut out,
        net,
        mut filler,
    } = match begun {
        Ok(begun) => begun,
        Err(exit) => return Ok(exit),
    };
    let has_starts = wrapper.navigation.as_ref().is_some_and(|way| !way.start.is_empty());
    if args.shard.shard().is_some() && !has_starts {
        // The output of this part is there, and empty.
        return Ok(end(args, &spec, &net, out, keeper, &RunReport::default(), None));
    }
    let settings = RunSettings {
        known: keeper.known_pages(),
        ..settings(args, job)
    };
    let (report, error) = match net.session.run_wrapper(&wrapper, &settings) {
        Ok(records) => go(args, records, None, &mut out, &mut keeper, &mut filler),
        Err(error) => {
            keeper.discard();
            return Ok(net::refused(&error));
        }
    };
    let is_empty = report.summary.records == 0 && report.summary.failures == 0;
    let is_changed = report.summary.records == 0 && report.failures_by_kind.contains_key(OTHER_KIND);
    let exit = end(args, &spec, &net, out, keeper, &report, error);
    if is_changed && !args.quiet {
        let file = file.display();
        report::words(&format!(
            "  hint: the site may have changed; `wrapwright watch {file}` checks and repairs the wrapper"
        ));
    }
    Ok(match exit {
        Exit::Fine if is_empty => {
            if !args.quiet {
                report::words("warning: found no record");
            }
            Exit::Partial
        }
        exit => exit,
    })
}

/// Ends a run: completes its output, and tells what became of it.
fn end(
    args: &RunArgs,
    spec: &OutputSpec,
    net: &Net,
    out: Output<'_>,
    keeper: Keeper,
    report: &RunReport,
    error: Option<io::Error>,
) -> Exit {
    end_with(args, spec, Some(net), out, keeper, report, error).0
}

/// The same for a run that may have no session; also says whether all records were written.
pub(crate) fn end_with(
    args: &RunArgs,
    spec: &OutputSpec,
    net: Option<&Net>,
    out: Output<'_>,
    keeper: Keeper,
    report: &RunReport,
    error: Option<io::Error>,
) -> (Exit, bool) {
    // The records come first: what else cannot be written must not take them along.
    let place = format!("cannot write {}", out.place());
    let ended = out.end(ending(report, error.is_some(), keeper.has_enough()).0);
    let hint = error.as_ref().and_then(advice);
    let (error, tally) = match (error, ended) {
        (error, Ok(ended)) => {
            report::kept(&ended);
            (error.map(|error| anyhow!(error).context(place)), Some(ended.tally))
        }
        (Some(error), Err(_)) => (Some(anyhow!(error).context(place)), None),
        (None, Err(error)) => (Some(anyhow!(error)), None),
    };
    let mut kept = net.is_none_or(Net::finish);
    let failed = error.is_some();
    let gone = error.as_ref().is_some_and(report::is_broken_pipe);
    if let Some(error) = error.as_ref().filter(|_| !gone) {
        report::failure(error);
        if let Some(hint) = hint {
            report::words(&format!("  hint: {}", remedy::in_words(&hint)));
        }
    }
    if let Some(tally) = tally.as_ref().filter(|_| !args.quiet) {
        report::tally(tally, spec.sink.on_misfit, false);
    }
    if !args.quiet {
        report.notices().iter().for_each(noticed);
    }
    let news = tally.as_ref().map(|tally| keeper.news(tally, report));
    let summary = Summary::new(report, tally.as_ref(), news).known(keeper.left_out(), keeper.has_enough());
    match &args.log.summary {
        SummaryTo::Json => report::words(&summary.json()),
        SummaryTo::Text if !args.quiet => report::words(&summary.text()),
        SummaryTo::Text => {}
        SummaryTo::File(file) => {
            if !args.quiet {
                report::words(&summary.text());
            }
            if let Err(error) = crate::show::write(file, &(summary.json() + "\n")) {
                report::failure(&error);
                kept = false;
            }
        }
    }
    keeper.end(args, report, tally.as_ref(), failed);
    let total = &report.summary;
    let exit = match (total.ended, total.failures, total.records) {
        _ if !kept => Exit::Outside,
        _ if gone => Exit::Fine,
        _ if error.is_some() => Exit::Outside,
        (Some(Ended::Stop), _, _) => Exit::Interrupted,
        (_, 0, _) if total.lacking.is_empty() => Exit::Fine,
        (_, 0, _) => Exit::Partial,
        // Nothing came of it at all: the outside failed.
        (_, _, 0) => Exit::Outside,
        _ => Exit::Partial,
    };
    (exit, !failed)
}

/// How far a run goes.
fn settings(args: &RunArgs, job: Job) -> RunSettings {
    RunSettings {
        jobs: args.jobs.unwrap_or(1),
        max_pages: args.max_pages,
        max_depth: args.max_depth,
        max_time: args.max_time.map(Duration::from_secs_f64),
        fail_fast: args.fail_fast,
        whole_addresses: is_wrapper(args),
        job,
        known: None,
    }
}

/// Makes all runs; gives what became of them, and why records could not be written to their end.
fn go(
    args: &RunArgs,
    records: Records<'_>,
    runs: Option<&Runs>,
    sink: &mut Output<'_>,
    keeper: &mut Keeper,
    files: &mut Filler,
) -> (RunReport, Option<io::Error>) {
    let mut progress = RunProgress::new(args, args.records.output.is_some());
    let mut warnings = Warnings::new(args.quiet);
    let mut tell = |event: &RunEvent, records: &Records<'_>, sink: &mut Output<'_>| match event {
        RunEvent::Run(number) if args.with_bindings => {
            runs.iter().for_each(|runs| sink.bindings(&runs.bindings().of(*number)));
        }
        RunEvent::Trouble(trouble) => progress.aside(|| warnings.tell(trouble)),
        RunEvent::Record(_) => progress.record(),
        RunEvent::Failure(failure) if args.quiet && failure.is_warning() => {}
        RunEvent::Failure(failure) => progress.failure(failure, || failed(failure)),
        RunEvent::NoFile(failure) => progress.download(&failure.message, || {
            report::trouble(&failure.message, failure.remedy.as_ref());
        }),
        RunEvent::Page { depth } => progress.page(*depth, records.stats(), records.queue()),
        _ => {}
    };
    let done = follow(records, sink, keeper.run(), files, &mut tell);
    progress.finish();
    warnings.finish();
    done
}

fn noticed(notice: &Notice) {
    let hint = remedy::in_words(&notice.remedy);
    report::words(&format!("warning: {}\n  hint: {hint}", notice.message));
}

fn failed(failure: &Failure) {
    match failure {
        Failure::Driver(error) => report::trouble(&failure.to_string(), error.remedy.as_ref()),
        failure if failure.is_warning() => report::words(&format!("warning: {failure}")),
        _ => report::mistake(&failure.to_string(), None),
    }
}

/// The expression, and the name of its place.
fn read_source(args: &RunArgs, keeper: &Keeper) -> Result<(String, String), (String, io::Error)> {
    if let Some(expression) = &args.expression {
        return Ok(("expression".to_owned(), expression.clone()));
    }
    let Some(file) = &args.file else {
        return Ok(Default::default());
    };
    let place = file.display().to_string();
    if let Some(source) = keeper.stdin().filter(|_| place == "-") {
        return Ok((place, source));
    }
    let read = match place == "-" {
        true => bounded::read_from(io::stdin().lock(), LONGEST),
        false => bounded::read(file, LONGEST),
    };
    match read.and_then(bounded::text) {
        Ok(text) => Ok((place, text)),
        Err(error) => Err((place, error)),
    }
}

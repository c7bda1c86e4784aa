//! `wrapwright extract`: a wrapper over any number of pages, records as they come.

use crate::Exit;
use crate::args::{ExtractArgs, Format};
use crate::report;
use crate::whole::Whole;
use anyhow::Context;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use wrapwright::input::{self, InputError, Place, Problem};
use wrapwright::rule::End;
use wrapwright::wrapper::{OpenProblem, Runner};
use wrapwright::{Document, Limits, Record, RecordType, Settings, Sink, SinkSpec, Wrapper};

/// Reads a wrapper, or says what is wrong with it.
pub(crate) fn read_wrapper(file: &Path) -> Option<Wrapper> {
    Wrapper::open(file)
        .map_err(|error| {
            let hint = match error.problem {
                OpenProblem::Wrapper(_) => {
                    Some("a wrapper is a file that `wrapwright learn`, `infer` or `repair` wrote")
                }
                _ => None,
            };
            report::mistake(&error.to_string(), hint);
        })
        .ok()
}

/// Runs the command.
pub(crate) fn run(args: &ExtractArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let runner = match wrapper.runner() {
        Ok(runner) => runner,
        Err(error) => {
            report::message(&error.to_string(), None, None, Format::Text);
            return Ok(Exit::Mistake);
        }
    };
    if let Some(charset) = args
        .charset
        .as_deref()
        .filter(|charset| !wrapwright::is_charset(charset))
    {
        report::message(
            &format!("found the unknown charset `{charset}`"),
            None,
            None,
            Format::Text,
        );
        return Ok(Exit::Mistake);
    }
    let spec = args.records.spec(None);
    // A mistake must not cost a file that is there.
    if let Err(no) = spec.check(std::slice::from_ref(&wrapper.record_type)) {
        report::no_such_rows(&no);
        return Ok(Exit::Mistake);
    }
    match &args.records.output {
        None => write(args, &spec, &wrapper, &runner, BufWriter::new(io::stdout().lock()))
            .context("cannot write to standard output"),
        Some(file) => {
            let place = || format!("cannot write {}", file.display());
            let mut whole = Whole::create(file).with_context(place)?;
            let exit = write(args, &spec, &wrapper, &runner, BufWriter::new(&mut whole)).with_context(place)?;
            whole.finish().with_context(place)?;
            Ok(exit)
        }
    }
}

fn write(
    args: &ExtractArgs,
    spec: &SinkSpec,
    wrapper: &Wrapper,
    runner: &Runner,
    out: impl Write,
) -> anyhow::Result<Exit> {
    let mut sink = spec.open(std::slice::from_ref(&wrapper.record_type), out)?;
    // Only a schema that the user gave says what records must be like.
    let kind = wrapper.given.as_ref().map(|_| &wrapper.record_type);
    extract(args, runner, kind, &mut *sink)
}

/// Records that do not fit their schema are told one by one up to this number.
const TOLD: usize = 10;

/// A page's records and how the wrapper's run over it ended.
type Outcome = Result<(String, Vec<Record>, End), InputError>;

fn extract(
    args: &ExtractArgs,
    runner: &Runner,
    kind: Option<&RecordType>,
    sink: &mut dyn Sink,
) -> anyhow::Result<Exit> {
    let settings = Settings {
        limits: Limits {
            bytes: args.max_page_bytes,
            ..Limits::default()
        },
        charset: args.charset.clone(),
    };
    let (places, errors) = input::find(args.pages.iter().map(String::as_str));
    for error in &errors {
        report::input(error, Format::Text);
    }
    let jobs = match args.jobs {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        jobs => jobs,
    };
    let work = |place: &Place| -> Outcome {
        let name: Arc<str> = place.to_string().into();
        let found = match runner.reads_source() {
            true => {
                let source = place.source(&settings)?;
                let found = runner.run_source(&name, &source, &settings.limits, args.raw);
                found.map_err(|error| InputError {
                    place: name.to_string(),
                    problem: Problem::Limit(error),
                })?
            }
            false => runner.run(&Document::new(Arc::clone(&name), place.read(&settings)?), args.raw),
        };
        Ok((name.to_string(), found.records, found.end))
    };
    let mut failed = errors.len();
    let mut invalid = 0;
    let mut written = Ok(());
    wrapwright::map_in_order(&places, jobs, work, |outcome| {
        match outcome {
            Ok((name, records, end)) => {
                written = records.iter().try_for_each(|record| sink.record(record));
                if let Some(kind) = kind {
                    for (number, record) in records.iter().enumerate() {
                        let found = kind.misfits(record);
                        if let Some(first) = found.first() {
                            invalid += 1;
                            if invalid <= TOLD && !args.quiet {
                                let more = match found.len() {
                                    1 => String::new(),
                                    count => format!(", and {} more", count - 1),
                                };
                                let number = number + 1;
                                report::words(&format!("warning: {name}, record {number}: {first}{more}"));
                            }
                        }
                    }
                }
                if let Some(words) = in_words(end) {
                    failed += 1;
                    if !args.quiet {
                        // A template goes on after a place that does not fit; delimiters end there.
                        let before = match end {
                            End::Gaps(_) | End::Failed(_) | End::OverLimit(_) => String::new(),
                            _ => format!("; {} records were found before that", records.len()),
                        };
                        report::words(&format!("warning: {name}: {words}{before}"));
                    }
                }
            }
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
        written.is_ok()
    });
    written.and_then(|()| sink.finish())?;
    if invalid > TOLD && !args.quiet {
        report::words(&format!(
            "warning: {} more records do not fit the schema",
            invalid - TOLD
        ));
    }
    Ok(match failed + invalid {
        0 => Exit::Fine,
        _ if places.is_empty() => Exit::Mistake,
        _ => Exit::Partial,
    })
}

/// What was missing on a page; nothing on one that is as it should be.
fn in_words(end: End) -> Option<String> {
    match end {
        End::Regular => None,
        End::NoHead => Some("the head delimiter is not on the page".to_owned()),
        End::NoTail => Some("the tail delimiter is missing after the last record".to_owned()),
        End::NoClose => Some("the close delimiter is missing after the last record, which is left out".to_owned()),
        End::Unfinished(field) => Some(format!("a record breaks off at its attribute {}", field + 1)),
        End::OverLimit(error) => Some(error.to_string()),
        End::Gaps(1) => Some("one place does not fit the template and was left out".to_owned()),
        End::Failed(1) => Some("the expression could not be evaluated in one place".to_owned()),
        End::Failed(count) => Some(format!("the expression could not be evaluated in {count} places")),
        End::Gaps(count) => Some(format!("{count} places do not fit the template and were left out")),
    }
}

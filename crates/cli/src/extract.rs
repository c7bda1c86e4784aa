//! `wrapwright extract`: a wrapper over any number of pages, records as they come.

use crate::Exit;
use crate::args::{ExtractArgs, Format, RecordFormat};
use crate::report;
use crate::whole::Whole;
use anyhow::Context;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use wrapwright::artifact::{Artifact, Runner};
use wrapwright::input::{self, InputError, Place};
use wrapwright::model::Model;
use wrapwright::rule::End;
use wrapwright::sink::{Csv, Ndjson, Shape, Sink, Xml};
use wrapwright::{Limits, Record, Settings};

/// A longer file is no wrapper.
const LONGEST: usize = 16 << 20;

/// Reads a wrapper, or says what is wrong with it.
pub(crate) fn read_wrapper(file: &Path) -> Option<Artifact> {
    let place = file.display();
    let complain = |text: String, hint: Option<&str>| report::message(&text, hint, None, Format::Text);
    let text = match std::fs::read(file) {
        Ok(bytes) if bytes.len() > LONGEST => {
            complain(
                format!("{place}: found {} bytes, expected a wrapper", bytes.len()),
                None,
            );
            return None;
        }
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "no such file".to_owned(),
                io::ErrorKind::IsADirectory => "found a directory, expected a wrapper".to_owned(),
                _ => error.to_string(),
            };
            complain(format!("{place}: {reason}"), None);
            return None;
        }
    };
    match Artifact::from_json(&text) {
        Ok(artifact) => Some(artifact),
        Err(error) => {
            complain(
                format!("{place}: {error}"),
                Some("a wrapper is a file that `wrapwright learn`, `infer` or `repair` wrote"),
            );
            None
        }
    }
}

fn format(args: &ExtractArgs) -> RecordFormat {
    args.records.format.unwrap_or(RecordFormat::Ndjson)
}

fn rows(args: &ExtractArgs) -> &str {
    args.records.rows.as_deref().unwrap_or_default()
}

/// Runs the command.
pub(crate) fn run(args: &ExtractArgs) -> anyhow::Result<Exit> {
    let Some(artifact) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let runner = match artifact.runner() {
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
    // A mistake must not cost a file that is there.
    if format(args) == RecordFormat::Csv
        && let Err(no) = Csv::new(
            io::sink(),
            &[artifact.schema.outline()],
            rows(args),
            Shape::default(),
            false,
        )
    {
        let text = format!("--rows {}: the wrapper has no nested records of that name", rows(args));
        let hint = match no.there_are.as_slice() {
            [] => "it has no nested records at all".to_owned(),
            names => format!("it has: {}", names.join(", ")),
        };
        report::mistake(&text, Some(&hint));
        return Ok(Exit::Mistake);
    }
    match &args.records.output {
        None => write(args, &artifact, &runner, BufWriter::new(io::stdout().lock()))
            .context("cannot write to standard output"),
        Some(file) => {
            let place = || format!("cannot write {}", file.display());
            let mut whole = Whole::create(file).with_context(place)?;
            let exit = write(args, &artifact, &runner, BufWriter::new(&mut whole)).with_context(place)?;
            whole.finish().with_context(place)?;
            Ok(exit)
        }
    }
}

fn write(args: &ExtractArgs, artifact: &Artifact, runner: &Runner, out: impl Write) -> anyhow::Result<Exit> {
    let model = artifact.given.as_ref().and_then(|given| given.model().ok());
    let model = model.as_ref();
    let shape = Shape {
        no_meta: args.records.no_meta,
        arrays: args.records.arrays,
    };
    match format(args) {
        RecordFormat::Ndjson => match model {
            Some(model) => extract(args, runner, Some(model), &mut Ndjson::by(out, shape, model)),
            None => extract(args, runner, None, &mut Ndjson::new(out, shape)),
        },
        RecordFormat::Xml => match model {
            Some(model) => extract(args, runner, Some(model), &mut Xml::by(out, model)),
            None => extract(args, runner, None, &mut Xml::new(out)),
        },
        RecordFormat::Csv => match Csv::new(
            out,
            &[artifact.schema.outline()],
            rows(args),
            shape,
            args.records.safe_csv,
        ) {
            Ok(mut csv) => extract(args, runner, model, &mut csv),
            Err(_) => Ok(Exit::Mistake),
        },
    }
}

/// Records that do not fit their schema are told one by one up to this number.
const TOLD: usize = 10;

/// A page's records and how the wrapper's run over it ended.
type Outcome = Result<(String, Vec<Record>, End), InputError>;

fn extract(args: &ExtractArgs, runner: &Runner, model: Option<&Model>, sink: &mut dyn Sink) -> anyhow::Result<Exit> {
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
        let (records, end) = match runner.reads_source() {
            true => runner.run(&name, &place.source(&settings)?, args.raw),
            false => runner.run_page(&name, &place.read(&settings)?, args.raw),
        };
        Ok((name.to_string(), records, end))
    };
    let mut failed = errors.len();
    let mut invalid = 0;
    let mut written = Ok(());
    wrapwright::map_in_order(&places, jobs, work, |outcome| {
        match outcome {
            Ok((name, records, end)) => {
                written = records.iter().try_for_each(|record| sink.record(record));
                if let Some(model) = model {
                    for (number, record) in records.iter().enumerate() {
                        let found = model.faults(record);
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
                            End::Gaps(_) | End::OverLimit(_) => String::new(),
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
        End::Gaps(count) => Some(format!("{count} places do not fit the template and were left out")),
    }
}

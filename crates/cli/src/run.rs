//! `wrapwright run`: an OXPath expression, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RecordFormat, RunArgs};
use crate::config::Config;
use crate::net::{self, Net};
use crate::progress::RunProgress;
use crate::summary::Summary;
use crate::whole::{Pieces, Whole};
use crate::{interrupt, report};
use anyhow::{Context, anyhow};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};
use wrapwright::diag::Severity;
use wrapwright::sink::{Csv, Ndjson, Shape, Sink, Xml};
use wrapwright::{Ended, Failure, Progress, Record, RunOptions, Script, Table, Value, Watch, run_all, template};

/// An expression longer than the parser takes is not read to its end.
const LONGEST: u64 = 2 << 20;

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let source = match read_source(args) {
        Ok(source) => source,
        Err((place, error)) => return Ok(cannot_read(&place, &error, "an expression")),
    };
    let rows = match args.bind_file.as_deref().map(read_rows) {
        None => vec![Vec::new()],
        Some(Ok(rows)) => rows,
        Some(Err(exit)) => return Ok(exit),
    };
    let runs = Runs {
        args,
        source: &source,
        rows,
        combinations: combinations(&args.bindings),
    };
    let Some(first) = runs.check() else {
        return Ok(Exit::Mistake);
    };
    if args.explain {
        io::stdout()
            .lock()
            .write_all(first.explain().as_bytes())
            .context("cannot write to standard output")?;
    }
    if args.check || args.explain {
        return Ok(Exit::Fine);
    }
    if first.needs_start_page() {
        let text = "the expression does not begin with doc(…), so there is no page to start on";
        report::mistake(text, Some("write doc(\"https://…\") in front of it"));
        return Ok(Exit::Mistake);
    }
    let styles = first.styles();
    if !styles.is_empty() {
        let text = format!(
            "the expression asks for styles ({}), which only a browser knows",
            styles.join(", ")
        );
        let hint = "this version reads pages without a browser; select by class, id or text instead";
        report::mistake(&text, Some(hint));
        return Ok(Exit::Mistake);
    }
    let (config, net) = match net::prepare(&args.net) {
        Ok(prepared) => prepared,
        Err(exit) => return Ok(exit),
    };
    match &args.output {
        None => {
            let mut out = Pieces::stdout().context("cannot write to standard output")?;
            runs.go(&config, &net, &first, &mut out)?
                .result("cannot write to standard output")
        }
        Some(file) => {
            let place = format!("cannot write {}", file.display());
            let mut whole = Whole::create(file).context(place.clone())?;
            let done = runs.go(&config, &net, &first, &mut whole)?;
            match done.error {
                None => whole.finish().with_context(|| place.clone())?,
                Some(_) => {
                    let kept = whole.keep();
                    report::words(&format!("note: the records written so far are in {}", kept.display()));
                }
            }
            done.result(&place)
        }
    }
}

/// All runs that were asked for: the expression, for each row of a file and each combination of values.
struct Runs<'a> {
    args: &'a RunArgs,
    source: &'a str,
    rows: Vec<Vec<(String, String)>>,
    combinations: Vec<Vec<(String, String)>>,
}

/// How runs ended: with what the shell is to know, or with output that could not be written.
struct Done {
    exit: Exit,
    error: Option<io::Error>,
}

impl Done {
    fn result(self, place: &str) -> anyhow::Result<Exit> {
        match self.error {
            None => Ok(self.exit),
            Some(error) => Err(anyhow!(error).context(place.to_owned())),
        }
    }
}

impl Runs<'_> {
    fn count(&self) -> usize {
        self.rows.len() * self.combinations.len()
    }

    /// The values of variables in a run. What was typed says more than what is in a file.
    fn bindings(&self, number: usize) -> Vec<(String, String)> {
        let (row, combination) = (number / self.combinations.len(), number % self.combinations.len());
        let mut bindings = self.combinations[combination].clone();
        for (name, value) in &self.rows[row] {
            if !bindings.iter().any(|(bound, _)| bound == name) {
                bindings.push((name.clone(), value.clone()));
            }
        }
        bindings
    }

    /// Checks the expression with all bindings and reports what is wrong; gives the first script.
    fn check(&self) -> Option<Script> {
        if self.count() == 0 {
            report::mistake("the file of bindings has no rows, so there is nothing to run", None);
            return None;
        }
        let first = compile(self.args, self.source, &self.bindings(0), true)?;
        // Values of variables are only values, but what fills a template is part of the expression.
        if template::fill(self.source, &[]).1.is_empty() {
            return Some(first);
        }
        for number in 1..self.count() {
            compile(self.args, self.source, &self.bindings(number), false)?;
        }
        Some(first)
    }

    /// Makes all runs and sums up.
    fn go(&self, config: &Config, net: &Net, first: &Script, out: &mut dyn Write) -> anyhow::Result<Done> {
        let args = self.args;
        let begin = Instant::now();
        let shape = Shape {
            no_meta: args.no_meta,
            arrays: args.arrays,
        };
        let format = args.format.or(config.format).unwrap_or(RecordFormat::Ndjson);
        let sink: Box<dyn Sink> = match format {
            RecordFormat::Ndjson => Box::new(Ndjson::new(out, shape)),
            RecordFormat::Xml => Box::new(Xml::new(out)),
            RecordFormat::Csv => match Csv::new(out, &first.outline(), &args.rows, shape, args.safe_csv) {
                Ok(csv) => Box::new(csv),
                Err(no) => {
                    let text = format!(
                        "--rows {}: the expression has no nested records of that name",
                        args.rows
                    );
                    let hint = match no.there_are.as_slice() {
                        [] => "it has no nested records at all".to_owned(),
                        names => format!("it has: {}", names.join(", ")),
                    };
                    report::mistake(&text, Some(&hint));
                    return Ok(Done {
                        exit: Exit::Mistake,
                        error: None,
                    });
                }
            },
        };
        let max_time = args.max_time.or(config.max_time).map(Duration::from_secs_f64);
        let options = RunOptions {
            fail_fast: args.fail_fast,
            pages_left: args
                .max_pages
                .or(config.max_pages)
                .map(|most| Arc::new(AtomicUsize::new(most))),
            max_depth: args.max_depth.or(config.max_depth),
            deadline: max_time.and_then(|time| begin.checked_add(time)),
            stop: Some(interrupt::flag().into()),
        };
        let mut writer = Writer {
            runs: self,
            sink,
            error: None,
            progress: RunProgress::new(args.quiet),
            summary: Summary::default(),
        };
        let script = |number: usize| {
            let bindings = self.bindings(number);
            compile(args, self.source, &bindings, false).unwrap_or_else(|| first.clone())
        };
        let jobs = args.jobs.or(config.jobs).unwrap_or(1);
        let total = run_all(self.count(), &script, jobs, &|| net.driver(), &options, &mut writer)
            .context("cannot start to work")?;
        writer.progress.finish();
        if writer.error.is_none() {
            writer.error = writer.sink.finish().err();
        }
        let mut summary = writer.summary;
        let kept = net.finish();
        summary.finish(&total, &net.stats(), begin.elapsed());
        match args.summary {
            Format::Json => report::words(&summary.json()),
            Format::Text if !args.quiet => report::words(&summary.text()),
            Format::Text => {}
        }
        let exit = match (total.ended, total.failures, total.records) {
            (Some(Ended::Stop), _, _) => Exit::Interrupted,
            (_, 0, _) => Exit::Fine,
            // Nothing came of it at all: the outside failed.
            (_, _, 0) => Exit::Outside,
            _ => Exit::Partial,
        };
        kept?;
        Ok(Done {
            exit,
            error: writer.error,
        })
    }
}

fn cannot_read(place: &str, error: &io::Error, expected: &str) -> Exit {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::InvalidData => format!("found bytes that are no UTF-8, expected {expected}"),
        _ => error.to_string(),
    };
    report::mistake(&format!("{place}: {reason}"), None);
    Exit::Mistake
}

fn read_source(args: &RunArgs) -> Result<String, (String, io::Error)> {
    if let Some(expression) = &args.expression {
        return Ok(expression.clone());
    }
    let Some(file) = &args.file else {
        return Ok(String::new());
    };
    let place = file.display().to_string();
    let mut source = String::new();
    let read = if place == "-" {
        io::stdin().lock().take(LONGEST).read_to_string(&mut source)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(LONGEST).read_to_string(&mut source))
    };
    read.map(|_| source).map_err(|error| (place, error))
}

/// The bindings of each row of a file.
fn read_rows(file: &Path) -> Result<Vec<Vec<(String, String)>>, Exit> {
    let place = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| cannot_read(&place, &error, "a table"))?;
    let table = Table::read(&text).map_err(|error| {
        report::mistake(&format!("{place}: {error}"), None);
        Exit::Mistake
    })?;
    let names = &table.names;
    let bind = |row: Vec<String>| {
        let names = names
            .iter()
            .map(|name| name.strip_prefix('$').unwrap_or(name).to_owned());
        names.zip(row).collect()
    };
    Ok(table.rows.into_iter().map(bind).collect())
}

/// One set of bindings for each combination of the values given, in the order given.
fn combinations(bindings: &[(String, String)]) -> Vec<Vec<(String, String)>> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in bindings {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for name in names {
        let values: Vec<&(String, String)> = bindings.iter().filter(|(bound, _)| bound == name).collect();
        all = all
            .iter()
            .flat_map(|before| {
                let with = |binding: &&(String, String)| before.iter().cloned().chain([(*binding).clone()]).collect();
                values.iter().map(with).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Compiles the expression for one set of bindings; reports what is wrong, warnings for the first set only.
fn compile(args: &RunArgs, source: &str, bindings: &[(String, String)], first: bool) -> Option<Script> {
    let pairs: Vec<(&str, &str)> = bindings
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let (source, missing) = template::fill(source, &pairs);
    if !missing.is_empty() && !args.check {
        let hint = format!("bind it with --bind {}=VALUE", missing[0]);
        let text = format!("`${{{}}}` in the expression is not bound", missing[0]);
        report::mistake(&text, Some(&hint));
        return None;
    }
    // A check is about the expression, whatever its templates will be filled with.
    let source = if missing.is_empty() {
        source
    } else {
        let ones: Vec<(&str, &str)> = missing.iter().map(|name| (name.as_str(), "1")).collect();
        template::fill(&source, &ones).0
    };
    let mut variables: Vec<(&str, Value)> = pairs
        .iter()
        .map(|(name, value)| (*name, Value::String((*value).to_owned())))
        .collect();
    // So are variables: whoever runs it will bind them.
    let free = if args.check {
        wrapwright::free_variables(&source)
    } else {
        Vec::new()
    };
    for name in &free {
        if !variables.iter().any(|(bound, _)| bound == name) {
            variables.push((name, Value::String(String::new())));
        }
    }
    match Script::compile(&source, &variables) {
        Ok(script) => {
            let warnings = script.warnings();
            if first && !args.quiet {
                report::diagnostics(&source, warnings, Format::Text);
            }
            if args.strict && warnings.iter().any(|warning| warning.severity == Severity::Warning) {
                report::mistake("warnings are errors with --strict", None);
                return None;
            }
            Some(script)
        }
        Err(found) => {
            report::diagnostics(&source, &found, Format::Text);
            None
        }
    }
}

struct Writer<'a> {
    runs: &'a Runs<'a>,
    sink: Box<dyn Sink + 'a>,
    error: Option<io::Error>,
    progress: RunProgress,
    summary: Summary,
}

impl Progress for Writer<'_> {
    fn record(&mut self, record: Record) -> bool {
        self.progress.record();
        self.error = self.sink.record(&record).err();
        self.error.is_none()
    }

    fn failure(&mut self, failure: &Failure) {
        self.summary.failure(failure);
        self.progress.aside(|| match failure {
            Failure::Driver(error) => report::mistake(&failure.to_string(), error.hint.as_deref()),
            Failure::Circle { .. } => report::words(&format!("warning: {failure}")),
            _ => report::mistake(&failure.to_string(), None),
        });
    }

    fn page(&mut self, depth: usize) {
        self.progress.page(depth);
    }
}

impl Watch for Writer<'_> {
    fn run(&mut self, number: usize) {
        if self.runs.args.with_bindings {
            self.sink.bindings(&self.runs.bindings(number));
        }
    }
}

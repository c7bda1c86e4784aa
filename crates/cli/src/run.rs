//! `wrapwright run`: an OXPath expression, from the first page to the last record.

use crate::Exit;
use crate::args::{Format, RecordFormat, RunArgs};
use crate::report;
use crate::whole::Whole;
use anyhow::Context;
use std::io::{self, Read, Write};
use wrapwright::diag::Severity;
use wrapwright::drivers::{Http, Settings};
use wrapwright::sink::{Ndjson, Shape, Sink, Xml};
use wrapwright::{Failure, Local, Progress, Record, RunOptions, RunSummary, Script, Value, template};

/// An expression longer than the parser takes is not read to its end.
const LONGEST: u64 = 2 << 20;

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let source = match read_source(args) {
        Ok(source) => source,
        Err((place, error)) => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "no such file".to_owned(),
                io::ErrorKind::InvalidData => "found bytes that are no UTF-8, expected an expression".to_owned(),
                _ => error.to_string(),
            };
            report::message(&format!("{place}: {reason}"), None, None, Format::Text);
            return Ok(Exit::Mistake);
        }
    };
    let mut scripts = Vec::new();
    for bindings in combinations(&args.bindings) {
        match compile(args, &source, &bindings, scripts.is_empty()) {
            Some(script) => scripts.push(script),
            None => return Ok(Exit::Mistake),
        }
    }
    if args.explain {
        let out = scripts.first().map(Script::explain).unwrap_or_default();
        io::stdout()
            .lock()
            .write_all(out.as_bytes())
            .context("cannot write to standard output")?;
    }
    if args.check || args.explain {
        return Ok(Exit::Fine);
    }
    if scripts.iter().any(Script::needs_start_page) {
        let text = "the expression does not begin with doc(…), so there is no page to start on";
        report::message(
            text,
            Some("write doc(\"https://…\") in front of it"),
            None,
            Format::Text,
        );
        return Ok(Exit::Mistake);
    }
    let styles = scripts.first().map(Script::styles).unwrap_or_default();
    if !styles.is_empty() {
        let text = format!(
            "the expression asks for styles ({}), which only a browser knows",
            styles.join(", ")
        );
        let hint = "this version reads pages without a browser; select by class, id or text instead";
        report::message(&text, Some(hint), None, Format::Text);
        return Ok(Exit::Mistake);
    }
    let driver = match Http::new(Settings::default()) {
        Ok(driver) => driver,
        Err(error) => {
            report::message(&error.message, error.hint.as_deref(), None, Format::Text);
            return Ok(Exit::Outside);
        }
    };
    let mut driver = Local(driver);
    match &args.output {
        None => {
            let out = io::stdout().lock();
            run_all(args, &scripts, &mut driver, out).context("cannot write to standard output")
        }
        Some(file) => {
            let place = || format!("cannot write {}", file.display());
            let mut whole = Whole::create(file).with_context(place)?;
            let exit = run_all(args, &scripts, &mut driver, &mut whole).with_context(place)?;
            whole.finish().with_context(place)?;
            Ok(exit)
        }
    }
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

/// One set of bindings for each combination of the values given, in the order given.
fn combinations(bindings: &[(String, String)]) -> Vec<Vec<(&str, &str)>> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in bindings {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut all: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for name in names {
        let values: Vec<&str> = bindings
            .iter()
            .filter(|(bound, _)| bound == name)
            .map(|(_, value)| value.as_str())
            .collect();
        all = all
            .iter()
            .flat_map(|before| {
                values
                    .iter()
                    .map(|value| before.iter().copied().chain([(name, *value)]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}

/// Compiles the expression for one set of bindings; reports what is wrong, warnings for the first set only.
fn compile(args: &RunArgs, source: &str, bindings: &[(&str, &str)], first: bool) -> Option<Script> {
    let (source, missing) = template::fill(source, bindings);
    if !missing.is_empty() && !args.check {
        let hint = format!("bind it with --bind {}=VALUE", missing[0]);
        report::message(
            &format!("`${{{}}}` in the expression is not bound", missing[0]),
            Some(&hint),
            None,
            Format::Text,
        );
        return None;
    }
    // A check is about the expression, whatever its templates will be filled with.
    let source = if missing.is_empty() {
        source
    } else {
        let ones: Vec<(&str, &str)> = missing.iter().map(|name| (name.as_str(), "1")).collect();
        template::fill(&source, &ones).0
    };
    let mut variables: Vec<(&str, Value)> = bindings
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
                report::message("warnings are errors with --strict", None, None, Format::Text);
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

fn run_all(args: &RunArgs, scripts: &[Script], driver: &mut Local<Http>, out: impl Write) -> io::Result<Exit> {
    let shape = Shape {
        no_meta: args.no_meta,
        arrays: args.arrays,
    };
    let mut ndjson;
    let mut xml;
    let sink: &mut dyn Sink = match args.format {
        RecordFormat::Ndjson => {
            ndjson = Ndjson::new(out, shape);
            &mut ndjson
        }
        RecordFormat::Xml => {
            xml = Xml::new(out);
            &mut xml
        }
    };
    let options = RunOptions {
        fail_fast: args.fail_fast,
    };
    let mut writer = Writer { sink, error: None };
    let mut total = RunSummary::default();
    for script in scripts {
        let summary = script.run(driver, None, &options, &mut writer);
        total.pages += summary.pages;
        total.records += summary.records;
        total.failures += summary.failures;
        if summary.stopped || (args.fail_fast && summary.failures > 0) {
            break;
        }
    }
    if let Some(error) = writer.error {
        return Err(error);
    }
    writer.sink.finish()?;
    if !args.quiet {
        let RunSummary {
            pages,
            records,
            failures,
            ..
        } = total;
        report::words(&format!(
            "{} from {}, {}",
            many(records, "record"),
            many(pages, "page"),
            many(failures, "failure")
        ));
    }
    Ok(match (total.failures, total.records) {
        (0, _) => Exit::Fine,
        // Nothing came of it at all: the outside failed.
        (_, 0) => Exit::Outside,
        _ => Exit::Partial,
    })
}

fn many(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

struct Writer<'s> {
    sink: &'s mut dyn Sink,
    error: Option<io::Error>,
}

impl Progress for Writer<'_> {
    fn record(&mut self, record: Record) -> bool {
        self.error = self.sink.record(&record).err();
        self.error.is_none()
    }

    fn failure(&mut self, failure: &Failure) {
        let hint = match failure {
            Failure::Driver(error) => error.hint.as_deref(),
            Failure::Circle { .. } => return report::words(&format!("warning: {failure}")),
            _ => None,
        };
        report::message(&failure.to_string(), hint, None, Format::Text);
    }
}

//! Words for people and JSON for programs, on standard error.

use crate::Exit;
use crate::args::{Format, Level};
use crate::terminal::Colour;
use crate::{remedy, terminal};
use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use wrapwright::diag::{Code, Diagnostic, Severity, Span};
use wrapwright::drivers::{Deed, Log, Step};
use wrapwright::input::InputError;
use wrapwright::output::{Ended, OutputError, OutputSpec};
use wrapwright::record::{Format as RecordFormat, OnMisfit, Tally};
use wrapwright::source::{GatherError, in_file};
use wrapwright::{RecordType, Remedy};

/// Is this the reader of our output going away? That is no failure of ours.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Reports what stopped the program.
pub(crate) fn failure(error: &anyhow::Error) {
    say(&format!("error: {}\n", causes(error)));
}

/// An error with its causes. Many messages end with that of their cause, which is then not said twice.
fn causes(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.ends_with(&cause) {
            words += &format!(": {cause}");
        }
    }
    words
}

/// Reports what is wrong with an expression of the command line.
pub(crate) fn diagnostics(source: &str, found: &[Diagnostic], format: Format) {
    diagnostics_in("expression", source, found, format);
}

/// A diagnostic about an unknown variable, with the flag that binds it.
pub(crate) fn bindable(source: &str, found: &Diagnostic, flag: &str) -> Diagnostic {
    let mut found = found.clone();
    let name = source
        .get(found.span.range())
        .and_then(|written| written.strip_prefix('$'));
    if let (Code::UnknownVariable, Some(name)) = (found.code, name)
        && !["this", "lhs", "rhs"].contains(&name)
    {
        found.hints.push(format!("bind it with {flag} {name}=VALUE"));
    }
    found
}

/// Prints what is wrong with an expression as lines of JSON on standard output, for editors.
pub(crate) fn print_diagnostics(place: &str, source: &str, found: &[Diagnostic]) -> anyhow::Result<()> {
    for diagnostic in found {
        let in_file = in_file(source, diagnostic);
        let (place, source, diagnostic) = match &in_file {
            Some((place, source, diagnostic)) => (*place, *source, diagnostic),
            None => (place, source, diagnostic),
        };
        terminal::print(&json_line(&EditorJson::new(place, source, diagnostic)))?;
    }
    Ok(())
}

/// Reports what is wrong with an expression that is written at `place`.
pub(crate) fn diagnostics_in(place: &str, source: &str, found: &[Diagnostic], format: Format) {
    for diagnostic in found {
        // Of several files, the one that it is about.
        let in_file = in_file(source, diagnostic);
        let (place, source, diagnostic) = match &in_file {
            Some((place, source, diagnostic)) => (*place, *source, diagnostic),
            None => (place, source, diagnostic),
        };
        match format {
            Format::Text => say_painted(&render(place, source, diagnostic, use_colour())),
            Format::Json => say(&json_line(&DiagnosticJson::new(source, diagnostic))),
        }
    }
}

/// Reports an import that is wrong.
pub(crate) fn import(error: &GatherError) -> Exit {
    diagnostics_in(
        &error.file,
        &error.text,
        std::slice::from_ref(&error.found),
        Format::Text,
    );
    Exit::Mistake
}

/// Reports an input that could not be had.
pub(crate) fn input(error: &InputError, format: Format) {
    let hint = error.remedy().as_ref().map(remedy::in_words);
    message(&error.to_string(), hint.as_deref(), Some(&error.place), format);
}

/// Reports an error in words.
pub(crate) fn message(text: &str, hint: Option<&str>, page: Option<&str>, format: Format) {
    match format {
        Format::Text => {
            let hint = hint.map(|hint| format!("  hint: {hint}\n")).unwrap_or_default();
            say(&format!("error: {text}\n{hint}"));
        }
        Format::Json => say(&json_line(&MessageJson {
            severity: "error",
            message: text,
            page,
            hints: hint.into_iter().collect(),
        })),
    }
}

/// Reports an error and what to do about it, for people.
pub(crate) fn trouble(text: &str, remedy: Option<&Remedy>) {
    mistake(text, remedy.map(remedy::in_words).as_deref());
}

/// Reports an error in words, for people.
pub(crate) fn mistake(text: &str, hint: Option<&str>) {
    message(text, hint, None, Format::Text);
}

/// Reports a file that cannot be read, which is a mistake.
pub(crate) fn unreadable(place: &str, error: &io::Error, expected: &str) -> Exit {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::IsADirectory => "found a directory, expected a file".to_owned(),
        io::ErrorKind::InvalidData => format!("found bytes that are no UTF-8, expected {expected}"),
        _ => error.to_string(),
    };
    mistake(&format!("{place}: {reason}"), None);
    Exit::Mistake
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Says how a run went, or warns of something, unless that is more than was asked for.
pub(crate) fn words(text: &str) {
    if is_told(text) {
        say(&format!("{text}\n"));
    }
}

/// Was the last message left out? Lines that are indented belong to the message before them.
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Is this told at the level that was asked for? Errors and what became of unfinished work always are.
fn is_told(text: &str) -> bool {
    if text.starts_with("  ") {
        return !IS_SILENT.load(Ordering::Relaxed);
    }
    let of = match text.split_once(':').map(|(kind, _)| kind) {
        Some("error" | "note" | "interrupted") => Level::Error,
        Some("warning") => Level::Warning,
        // JSON was asked for.
        Some(kind) if kind.starts_with('{') => Level::Error,
        _ => Level::Info,
    };
    // What is not a warning has its own conditions where -q is given.
    let is_told = match level() {
        Level::Error => of != Level::Warning,
        level => of <= level,
    };
    IS_SILENT.store(!is_told, Ordering::Relaxed);
    is_told
}

/// How much is told; set once, before anything is said.
static LEVEL: OnceLock<(Level, Format)> = OnceLock::new();

/// Decides how much is told, and the form of the steps of drivers.
pub(crate) fn set_level(level: Level, steps: Format) {
    // Nobody has asked before.
    let _ = LEVEL.set((level, steps));
}

/// How much is told.
pub(crate) fn level() -> Level {
    LEVEL.get().map(|(level, _)| *level).unwrap_or_default()
}

/// Writes the steps of drivers to standard error.
#[derive(Debug)]
pub(crate) struct StepLog;

impl Log for StepLog {
    fn tell(&self, step: &Step) {
        if !matches!(LEVEL.get(), Some((_, Format::Json))) {
            return say(&format!("{step}\n"));
        }
        let mut line = serde_json::json!({
            "event": step.deed.name(), "url": step.url, "seconds": step.time.as_secs_f64(),
        });
        match &step.deed {
            Deed::Answered { method, status, bytes } => {
                (line["method"], line["status"], line["bytes"]) = ((*method).into(), (*status).into(), (*bytes).into());
            }
            Deed::ReadFile { bytes } => line["bytes"] = (*bytes).into(),
            Deed::Failed { why } => line["message"] = why.as_str().into(),
            Deed::Again { after } => line["after"] = after.as_secs_f64().into(),
            Deed::Acted { action, on } => (line["action"], line["on"]) = (action.as_str().into(), on.as_str().into()),
            _ => {}
        }
        say(&format!("{line}\n"));
    }
}

/// Writes to standard error, whatever pages put into the text. There is nobody to tell if that fails.
fn say(text: &str) {
    say_painted(&terminal::escaped(text));
}

/// Writes to standard error as it is.
fn say_painted(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// What was asked for; set once, before anything is said.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Decides when messages are coloured.
pub(crate) fn set_colour(colour: Colour) {
    // Nobody has asked before.
    let _ = COLOUR.set(colour);
}

fn use_colour() -> bool {
    match COLOUR.get() {
        Some(Colour::Always) => true,
        Some(Colour::Never) => false,
        _ => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

fn render(place: &str, source: &str, diagnostic: &Diagnostic, colour: bool) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let config = Config::default()
        .with_color(colour)
        .with_index_type(IndexType::Byte)
        .with_char_set(CharSet::Unicode);
    let place = &*terminal::escaped(place);
    let source = &*terminal::blanked(source);
    let mut report = Report::build(kind, (place, diagnostic.span.range()))
        .with_config(config)
        .with_code(diagnostic.code.as_str())
        .with_message(terminal::escaped(&diagnostic.message));
    let label = if diagnostic.label.is_empty() {
        "here"
    } else {
        &diagnostic.label
    };
    report.add_label(
        Label::new((place, diagnostic.span.range()))
            .with_message(terminal::escaped(label))
            .with_color(Color::Red)
            .with_order(0),
    );
    if let Some((span, text)) = &diagnostic.secondary {
        report.add_label(
            Label::new((place, span.range()))
                .with_message(terminal::escaped(text))
                .with_color(Color::Blue)
                .with_order(1),
        );
    }
    for hint in &diagnostic.hints {
        report.add_help(terminal::escaped(hint));
    }
    let mut out = Vec::new();
    match report.finish().write((place, Source::from(source)), &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(_) => format!("error: {}\n", terminal::escaped(&diagnostic.message)),
    }
}

fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).map(|line| line + "\n").unwrap_or_default()
}

#[derive(Serialize)]
struct MessageJson<'a> {
    severity: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a str>,
    hints: Vec<&'a str>,
}

#[derive(Serialize)]
struct DiagnosticJson<'a> {
    severity: &'a str,
    code: &'a str,
    message: &'a str,
    label: &'a str,
    span: SpanJson,
    secondary: Option<SecondaryJson<'a>>,
    hints: &'a [String],
    expression: &'a str,
}

/// Bytes from 0, and lines and characters from 1.
#[derive(Serialize)]
struct SpanJson {
    start: u32,
    end: u32,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct SecondaryJson<'a> {
    span: SpanJson,
    label: &'a str,
}

impl SpanJson {
    fn new(source: &str, span: wrapwright::diag::Span) -> SpanJson {
        let before = source.get(..span.start as usize).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        SpanJson {
            start: span.start,
            end: span.end,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl<'a> DiagnosticJson<'a> {
    fn new(source: &'a str, diagnostic: &'a Diagnostic) -> DiagnosticJson<'a> {
        DiagnosticJson {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code.as_str(),
            message: &diagnostic.message,
            label: &diagnostic.label,
            span: SpanJson::new(source, diagnostic.span),
            secondary: diagnostic.secondary.as_ref().map(|(span, label)| SecondaryJson {
                span: SpanJson::new(source, *span),
                label,
            }),
            hints: &diagnostic.hints,
            expression: source,
        }
    }
}

/// A diagnostic for an editor. Positions are those of the Language Server Protocol: lines and UTF-16 units from 0.
#[derive(Serialize)]
struct EditorJson<'a> {
    file: &'a str,
    severity: &'a str,
    code: &'a str,
    message: &'a str,
    range: RangeJson,
    label: &'a str,
    related: Option<RelatedJson<'a>>,
    hints: &'a [String],
    /// What to write instead, where that is known exactly.
    fix: Option<FixJson<'a>>,
}

#[derive(Serialize)]
struct RangeJson {
    start: PositionJson,
    end: PositionJson,
}

#[derive(Serialize)]
struct PositionJson {
    line: usize,
    character: usize,
}

#[derive(Serialize)]
struct RelatedJson<'a> {
    range: RangeJson,
    message: &'a str,
}

#[derive(Serialize)]
struct FixJson<'a> {
    range: RangeJson,
    text: &'a str,
}

impl RangeJson {
    fn new(source: &str, span: Span) -> RangeJson {
        let position = |offset: u32| {
            let before = source.get(..offset as usize).unwrap_or(source);
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            PositionJson {
                line: before.matches('\n').count(),
                character: before[line_start..].encode_utf16().count(),
            }
        };
        RangeJson {
            start: position(span.start),
            end: position(span.end),
        }
    }
}

impl<'a> EditorJson<'a> {
    fn new(file: &'a str, source: &str, diagnostic: &'a Diagnostic) -> EditorJson<'a> {
        EditorJson {
            file,
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code.as_str(),
            message: &diagnostic.message,
            range: RangeJson::new(source, diagnostic.span),
            label: &diagnostic.label,
            related: diagnostic.secondary.as_ref().map(|(span, message)| RelatedJson {
                range: RangeJson::new(source, *span),
                message,
            }),
            hints: &diagnostic.hints,
            fix: diagnostic.fix.as_ref().map(|fix| FixJson {
                range: RangeJson::new(source, fix.span),
                text: &fix.text,
            }),
        }
    }
}

/// Can records be written as was asked for? Reports why not. Only a table has rows.
pub(crate) fn check_output(spec: &OutputSpec, types: &[RecordType]) -> Result<(), Exit> {
    let is_table = matches!(spec.target.format(), Some(RecordFormat::Csv | RecordFormat::Tsv));
    if spec.sink.rows.is_some() && !is_table {
        mistake("--rows is about the rows of a table", Some("add --format csv"));
        return Err(Exit::Mistake);
    }
    spec.sink.check(types).map_err(|no| {
        let hint = match no.there_are.as_slice() {
            [] => "there are no nested records at all".to_owned(),
            names => format!("there are: {}", names.join(", ")),
        };
        let text = format!("--rows {}: there are no nested records of that name", no.path);
        mistake(&text, Some(&hint));
        Exit::Mistake
    })?;
    spec.check(types).map_err(|error| output(&error))
}

/// Reports why records cannot be written.
pub(crate) fn output(error: &OutputError) -> Exit {
    trouble(&error.to_string(), error.remedy().as_ref());
    match error.is_mistake() {
        true => Exit::Mistake,
        false => Exit::Outside,
    }
}

/// Says where the records of a run are that broke off.
pub(crate) fn kept(ended: &Ended) {
    if let Some(part) = &ended.kept {
        words(&format!("note: the records written so far are in {}", part.display()));
    }
    if ended.taken_back {
        words("note: nothing was published, because the run did not end");
    }
}

/// Says what a sink has done that its user should know; `told` if misfits were told one by one.
pub(crate) fn tally(tally: &Tally, on: OnMisfit, told: bool) {
    for notice in &tally.notices {
        words(&format!("warning: {notice}"));
    }
    for misfits in tally.misfits.iter().filter(|_| !told) {
        words(&format!("warning: {misfits}"));
    }
    if !tally.misfits.is_empty() {
        words(match on {
            OnMisfit::Null => "  note: values that do not fit are null, and their texts are in _misfit",
            OnMisfit::KeepText => "  note: values that do not fit are written as they are",
            OnMisfit::Drop | OnMisfit::Fail => "  note: records with values that do not fit were left out",
        });
    }
    for (count, why) in [
        (tally.dropped, "because a value does not fit"),
        (tally.keyless, "because they have no value for the key"),
    ] {
        if count > 0 {
            let records = counted(usize::try_from(count).unwrap_or(usize::MAX), "record");
            words(&format!("warning: {records} left out {why}"));
        }
    }
    if tally.added + tally.changed + tally.gone > 0 {
        let same = tally.records.saturating_sub(tally.added + tally.changed);
        words(&format!(
            "records: {} new, {} changed, {same} as before, {} gone",
            tally.added, tally.changed, tally.gone
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use wrapwright::input::{InputError, Problem};

    #[test]
    fn no_cause_is_told_twice() {
        let error = InputError {
            place: "a.html".to_owned(),
            problem: Problem::Io(io::Error::other("the disk is gone")),
        };
        let error = Err::<(), _>(error).context("cannot go on").expect_err("an error");
        assert_eq!(causes(&error), "cannot go on: a.html: the disk is gone");
    }
}

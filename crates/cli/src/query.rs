//! `wrapwright query`: an expression on saved pages.

use crate::Exit;
use crate::args::{Format, Level, QueryArgs};
use crate::terminal::Stdout;
use crate::{report, sheets, whole};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZero;
use std::path::Path;
use wrapwright::input::{self, InputError, Place};
use wrapwright::{EvalError, Kind, Limits, NodeId, Page, ParseSettings, Paths, Query, Value, number_to_string};

/// With at least this many pages, a terminal gets a progress bar.
const MANY: usize = 20;

enum PageError {
    Input(InputError),
    Eval(String, EvalError),
}

/// Runs the command.
pub(crate) fn run(args: &QueryArgs) -> anyhow::Result<Exit> {
    let format = args.format();
    let variables: Vec<(&str, Value)> = args
        .variables
        .iter()
        .map(|(name, value)| (name.as_str(), Value::String(value.clone())))
        .collect();
    let expression = match expression(args) {
        Ok(expression) => expression,
        Err(exit) => return Ok(exit),
    };
    let query = match Query::with_variables(&expression, &variables) {
        Ok(query) => query,
        Err(found) => {
            let bound = |found| report::bindable(&expression, found, "--var");
            let found: Vec<_> = found.diagnostics().iter().map(bound).collect();
            report::diagnostics(&expression, &found, format);
            return Ok(Exit::Mistake);
        }
    };
    if !args.quiet {
        report::diagnostics(&expression, query.warnings(), format);
        if query.warnings().is_empty() {
            report::diagnostics(&expression, query.warning_at_document().as_slice(), format);
        }
    }
    if let Some(charset) = &args.charset
        && !wrapwright::is_charset(charset)
    {
        let hint = "labels are those of the Encoding Standard, such as utf-8, latin1, windows-1251, shift_jis";
        report::message(
            &format!("found the unknown charset `{charset}`"),
            Some(hint),
            None,
            format,
        );
        return Ok(Exit::Mistake);
    }
    let settings = ParseSettings {
        limits: Limits {
            bytes: args.max_page_bytes,
            nodes: args.max_page_nodes,
            depth: args.max_page_depth,
        },
        charset: args.charset.clone(),
        ..ParseSettings::default()
    };

    let (places, errors) = match sheets::find(&args.pages) {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    for error in &errors {
        report::input(error, format);
    }
    if let Some(dump) = &args.xml_dump {
        let [place] = &places[..] else {
            if errors.is_empty() {
                let text = format!("found {} pages, expected one page with --xml-dump", places.len());
                report::message(&text, Some("dump them one by one"), None, format);
            }
            return Ok(Exit::Mistake);
        };
        return run_with_dump(args, &query, place, &settings, dump.as_deref());
    }

    // A shard prints the lines that the whole would.
    let all = places.len();
    let places = input::of_shard(places, args.shard.shard().as_ref());
    args.shard.tell_empty(places.len(), all, "page", args.quiet);
    let printer = Printer {
        args,
        format,
        name_pages: all > 1 && !args.no_filename,
    };
    let jobs = if args.jobs == 0 {
        std::thread::available_parallelism().map_or(1, NonZero::get)
    } else {
        args.jobs
    };
    let progress = progress_bar(places.len(), args.quiet);
    let mut out = BufWriter::new(Stdout::open().context("cannot write to standard output")?);
    let mut failed = errors.len();
    let mut written = Ok(());
    let mapped = wrapwright::map_in_order(
        &places,
        jobs,
        |place| evaluate(&query, place, &settings),
        |outcome| {
            progress.inc(1);
            match outcome {
                Ok(answer) if progress.is_hidden() => written = printer.print(&mut out, &answer),
                Ok(answer) => {
                    written = progress.suspend(|| printer.print(&mut out, &answer).and_then(|()| out.flush()));
                }
                Err(error) => {
                    failed += 1;
                    progress.suspend(|| error.report(format));
                }
            }
            written.is_ok()
        },
    );
    progress.finish_and_clear();
    if let Err(error) = mapped {
        let text = format!("cannot start a thread: {error}");
        report::message(&text, Some("--jobs 1 needs no other thread"), None, format);
        return Ok(Exit::Outside);
    }
    written
        .and_then(|()| out.flush())
        .context("cannot write to standard output")?;
    Ok(match failed {
        0 => Exit::Fine,
        failed if failed < places.len() + errors.len() => Exit::Partial,
        _ => Exit::Mistake,
    })
}

/// The expression that was asked for, as XPath.
fn expression(args: &QueryArgs) -> Result<Cow<'_, str>, Exit> {
    if !args.css {
        return Ok(Cow::Borrowed(&args.expression));
    }
    wrapwright::css::to_xpath(&args.expression)
        .map(Cow::Owned)
        .map_err(|error| {
            report::message(&error.to_string(), None, None, args.format());
            Exit::Mistake
        })
}

/// Evaluates one page and writes its tree as XML.
fn run_with_dump(
    args: &QueryArgs,
    query: &Query,
    place: &Place,
    settings: &ParseSettings,
    file: Option<&Path>,
) -> anyhow::Result<Exit> {
    let format = args.format();
    let answer = match evaluate(query, place, settings) {
        Ok(answer) => answer,
        Err(error) => {
            error.report(format);
            return Ok(Exit::Mistake);
        }
    };
    let xml = answer.page.to_xml(NodeId::DOCUMENT);
    let mut out = BufWriter::new(Stdout::open().context("cannot write to standard output")?);
    match file {
        None => out.write_all(xml.as_bytes()),
        Some(file) => {
            whole::write(file, xml.as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
            Printer {
                args,
                format,
                name_pages: false,
            }
            .print(&mut out, &answer)
        }
    }
    .and_then(|()| out.flush())
    .context("cannot write to standard output")?;
    Ok(Exit::Fine)
}

fn progress_bar(pages: usize, quiet: bool) -> ProgressBar {
    let is_told = !quiet && report::level() >= Level::Info;
    if !is_told || pages < MANY || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(pages as u64).with_style(style)
}

impl PageError {
    fn report(&self, format: Format) {
        match self {
            PageError::Input(error) => report::input(error, format),
            PageError::Eval(page, error) => report::message(&format!("{page}: {error}"), None, Some(page), format),
        }
    }
}

/// A page and what the expression gives there.
struct Answer {
    name: String,
    page: Page,
    value: Value,
}

fn evaluate(query: &Query, place: &Place, settings: &ParseSettings) -> Result<Answer, PageError> {
    let page = place.read(settings).map_err(PageError::Input)?;
    let value = query
        .evaluate(&page)
        .map_err(|error| PageError::Eval(place.to_string(), error))?;
    Ok(Answer {
        name: place.to_string(),
        page,
        value,
    })
}

/// Turns values into lines, as they are written: a page may give far more output than it is long itself.
struct Printer<'a> {
    args: &'a QueryArgs,
    format: Format,
    name_pages: bool,
}

impl Printer<'_> {
    fn print(&self, out: &mut impl Write, answer: &Answer) -> io::Result<()> {
        match self.format {
            Format::Text => self.print_text(out, answer),
            Format::Json => self.print_json(out, answer),
        }
    }

    fn print_text(&self, out: &mut impl Write, answer: &Answer) -> io::Result<()> {
        let mut line = |text: &str| {
            let mut line = if self.name_pages {
                format!("{}: ", answer.name)
            } else {
                String::new()
            };
            push_one_line(&mut line, text);
            line.push('\n');
            out.write_all(line.as_bytes())
        };
        match &answer.value {
            Value::Nodes(nodes) if self.args.count => line(&nodes.len().to_string()),
            Value::Nodes(nodes) => nodes.iter().try_for_each(|node| line(answer.page.string_value(*node))),
            // A text that has several lines stays readable, such as all of `data()`.
            Value::String(text) if text.trim().is_empty() => line(""),
            Value::String(text) => {
                let mut lines = text.lines().filter(|text| !text.trim().is_empty());
                lines.try_for_each(line)
            }
            Value::Number(number) => line(&number_to_string(*number)),
            Value::Boolean(truth) => line(&truth.to_string()),
        }
    }

    fn print_json(&self, out: &mut impl Write, answer: &Answer) -> io::Result<()> {
        let mut json = PageJson {
            page: &answer.name,
            kind: "node-set",
            count: None,
            value: None,
            matches: None,
        };
        match &answer.value {
            Value::Nodes(nodes) if self.args.count => json.count = Some(nodes.len()),
            Value::Nodes(nodes) => {
                json.matches = Some(Matches {
                    page: &answer.page,
                    paths: Paths::new(&answer.page).into(),
                    nodes,
                });
            }
            Value::String(text) => {
                json.kind = "string";
                json.value = Some(text.as_str().into());
            }
            // JSON has no NaN and no infinity; they are null.
            Value::Number(number) => {
                json.kind = "number";
                json.value = Some((*number).into());
            }
            Value::Boolean(truth) => {
                json.kind = "boolean";
                json.value = Some((*truth).into());
            }
        }
        serde_json::to_writer(&mut *out, &json)?;
        out.write_all(b"\n")
    }
}

/// Appends a text as one line: white space joined, and control characters, which might steer a terminal, replaced.
fn push_one_line(out: &mut String, text: &str) {
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.extend(word.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }));
    }
}

#[derive(Serialize)]
struct PageJson<'a> {
    page: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Matches<'a>>,
}

/// Matches that are made one by one while they are written.
struct Matches<'a> {
    page: &'a Page,
    paths: RefCell<Paths<'a>>,
    nodes: &'a [NodeId],
}

impl Serialize for Matches<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut paths = self.paths.borrow_mut();
        serializer.collect_seq(
            self.nodes
                .iter()
                .map(|node| MatchJson::new(self.page, &mut paths, *node)),
        )
    }
}

#[derive(Serialize)]
struct MatchJson<'a> {
    path: String,
    kind: &'static str,
    name: &'a str,
    value: &'a str,
    html: String,
}

impl<'a> MatchJson<'a> {
    fn new(page: &'a Page, paths: &mut Paths<'_>, node: NodeId) -> MatchJson<'a> {
        let kind = match page.kind(node) {
            Kind::Document => "document",
            Kind::Element => "element",
            Kind::Attribute => "attribute",
            Kind::Text => "text",
            Kind::Comment => "comment",
        };
        MatchJson {
            path: paths.path(node),
            kind,
            name: page.name(node),
            value: page.string_value(node),
            html: page.to_html(node),
        }
    }
}

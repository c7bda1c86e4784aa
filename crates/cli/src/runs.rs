//! The sets of values that an expression is run with, and the expression with each of them.
//!
//! There is a run for each row of a table and each combination of the values that were typed. Values may be part of the
//! expression's text, and constants are checked when it is compiled, so what is fine with one set may be a mistake with
//! another: all are compiled before anything is fetched, and compiled again when their turn comes, because there may be
//! a million of them.

use crate::Exit;
use crate::args::{Format, RunArgs};
use crate::{net, report};
use std::path::Path;
use wrapwright::diag::Severity;
use wrapwright::record::Field;
use wrapwright::{RecordType, Script, Table, Value, template};

/// Keys of ours in records, which no marker may have for a name.
const OURS: [&str; 4] = ["_bind", "_page", "_record", "_value"];

/// All runs that were asked for: the expression, for each row of a file and each combination of values.
pub(crate) struct Runs<'a> {
    args: &'a RunArgs,
    source: &'a str,
    rows: Vec<Row>,
    combinations: Vec<Vec<(String, String)>>,
}

/// The values of one row, and the line it begins on.
#[derive(Default)]
struct Row {
    line: usize,
    values: Vec<(String, String)>,
}

impl<'a> Runs<'a> {
    /// The runs that were asked for; reports what is wrong with the file of rows.
    pub(crate) fn new(args: &'a RunArgs, source: &'a str) -> Result<Runs<'a>, Exit> {
        let rows = match args.bind_file.as_deref() {
            None => vec![Row::default()],
            Some(file) => read_rows(file)?,
        };
        Ok(Runs {
            args,
            source,
            rows,
            combinations: combinations(&args.bindings),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len() * self.combinations.len()
    }

    fn row(&self, number: usize) -> &Row {
        &self.rows[number / self.combinations.len()]
    }

    /// The values of variables in a run. What was typed says more than what is in a file.
    pub(crate) fn bindings(&self, number: usize) -> Vec<(String, String)> {
        let mut bindings = self.combinations[number % self.combinations.len()].clone();
        for (name, value) in &self.row(number).values {
            if !bindings.iter().any(|(bound, _)| bound == name) {
                bindings.push((name.clone(), value.clone()));
            }
        }
        bindings
    }

    /// Checks the expression with all bindings and reports what is wrong; gives the first script, and the styles that all
    /// of them ask for.
    pub(crate) fn check(&self) -> Option<(Script, Vec<String>)> {
        let (mut first, mut styles) = (None, Vec::new());
        for number in 0..self.count() {
            let script = self.compile(number, number == 0);
            let Some(script) = script.filter(|script| self.is_fine(script)) else {
                self.name(number);
                return None;
            };
            styles.extend(script.styles());
            first.get_or_insert(script);
            styles.sort_unstable();
            styles.dedup();
        }
        if first.is_none() {
            report::mistake("the file of bindings has no rows, so there is nothing to run", None);
        }
        Some((first?, styles))
    }

    /// The expression of a run, which was checked before.
    pub(crate) fn script(&self, number: usize) -> Option<Script> {
        self.compile(number, false)
    }

    /// Says which of several runs something is about.
    fn name(&self, number: usize) {
        const MOST: usize = 200;
        if self.count() == 1 && self.args.bind_file.is_none() {
            return;
        }
        let values: Vec<String> = self
            .bindings(number)
            .iter()
            .map(|(name, value)| format!("${name} = {value:?}"))
            .collect();
        let mut values = values.join(", ");
        if let Some((end, _)) = values.char_indices().nth(MOST) {
            values.truncate(end);
            values.push('…');
        }
        let place = match &self.args.bind_file {
            Some(file) => format!("{}, line {}: ", file.display(), self.row(number).line),
            None => String::new(),
        };
        report::mistake(&format!("{place}the expression cannot be run with {values}"), None);
    }

    /// Can this be run? Reports what stands against it.
    fn is_fine(&self, script: &Script) -> bool {
        if let Some(name) = ours(&script.record_types()) {
            let text = format!("the marker `{name}` has the name of a key that records have anyway");
            report::mistake(
                &text,
                Some(&format!("call it something else: these are {}", OURS.join(", "))),
            );
            return false;
        }
        if self.args.check || self.args.explain {
            return true;
        }
        if script.needs_start_page() {
            let text = "the expression does not begin with doc(…), so there is no page to start on";
            report::mistake(text, Some("write doc(\"https://…\") in front of it"));
            return false;
        }
        let styles = script.styles();
        if !styles.is_empty() && !net::is_browser(&self.args.net) {
            let text = format!(
                "the expression asks for styles ({}), which only a browser knows",
                styles.join(", ")
            );
            report::mistake(&text, Some("--browser runs it in an installed Chromium"));
            return false;
        }
        true
    }

    /// Compiles the expression for one set of bindings; reports what is wrong, and warnings if they are wanted or errors.
    fn compile(&self, number: usize, warn: bool) -> Option<Script> {
        let (args, bindings) = (self.args, self.bindings(number));
        let pairs: Vec<(&str, &str)> = bindings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let (source, missing) = template::fill(self.source, &pairs);
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
                let strict = args.strict && warnings.iter().any(|warning| warning.severity == Severity::Warning);
                if (warn || strict) && !args.quiet {
                    report::diagnostics(&source, warnings, Format::Text);
                }
                if strict {
                    report::mistake("warnings are errors with --strict", None);
                    return None;
                }
                Some(script)
            }
            Err(found) => {
                report::diagnostics(&source, found.diagnostics(), Format::Text);
                None
            }
        }
    }
}

/// A marker that has the name of a key of ours.
fn ours(types: &[RecordType]) -> Option<String> {
    fn inside(fields: &[Field]) -> Option<&str> {
        let taken = |field: &Field| OURS.contains(&field.name.as_str());
        fields.iter().find_map(|field| match taken(field) {
            true => Some(field.name.as_str()),
            false => inside(field.content.fields()),
        })
    }
    types.iter().find_map(|kind| match OURS.contains(&kind.name.as_str()) {
        true => Some(kind.name.clone()),
        false => inside(kind.fields()).map(str::to_owned),
    })
}

/// The bindings of each row of a file.
fn read_rows(file: &Path) -> Result<Vec<Row>, Exit> {
    let place = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| report::unreadable(&place, &error, "a table"))?;
    let table = Table::read(&text).map_err(|error| {
        report::mistake(&format!("{place}: {error}"), None);
        Exit::Mistake
    })?;
    let names = &table.names;
    let rows = table.rows.into_iter().zip(table.lines).map(|(row, line)| Row {
        line,
        values: names.iter().cloned().zip(row).collect(),
    });
    Ok(rows.collect())
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

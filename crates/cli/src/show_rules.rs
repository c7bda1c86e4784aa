//! `wrapwright show` for wrappers by paths and for expressions: in words, as XQuery, as OXPath.

use crate::args::{Language, ShowArgs, TypeFormat};
use crate::{Exit, report};
use anyhow::Context;
use std::io::{self, Write};
use wrapwright::record::Table;
use wrapwright::record::XmlRoot;
use wrapwright::rule::paths::{Paths, to_oxpath, to_xquery};
use wrapwright::wrapper::{Given, Rule, Wrapper};

/// Runs the command for a wrapper of one of these kinds.
pub(crate) fn run(args: &ShowArgs, artifact: &Wrapper) -> anyhow::Result<Exit> {
    if args.svg.is_some() || args.html.is_some() {
        report::mistake(
            &format!(
                "found a wrapper of kind `{}`, expected one by landmarks for --svg and --on",
                artifact.rule.kind()
            ),
            None,
        );
        return Ok(Exit::Mistake);
    }
    let text = match (args.language, args.schema) {
        (_, Some(format)) => schema(artifact, format),
        (Some(language), None) => in_language(artifact, language),
        (None, None) => Ok(describe(artifact)),
    };
    match text {
        Ok(text) => {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())
                .context("cannot write to standard output")?;
            Ok(Exit::Fine)
        }
        Err(why) => {
            report::mistake(&why, None);
            Ok(Exit::Mistake)
        }
    }
}

/// The schema that a wrapper was learned by.
fn schema(artifact: &Wrapper, format: TypeFormat) -> Result<String, String> {
    match (&artifact.given, format) {
        (Some(Given::Dtd(text)), TypeFormat::Dtd) | (Some(Given::JsonSchema(text)), TypeFormat::Json) => {
            Ok(format!("{}\n", text.trim_end()))
        }
        (Some(Given::Dtd(_)), _) => Err("the wrapper was learned by a DTD: use --schema dtd".to_owned()),
        (Some(Given::JsonSchema(_)), _) => {
            Err("the wrapper was learned by a JSON Schema: use --schema json".to_owned())
        }
        (None, _) => Err("the wrapper was not learned by a schema".to_owned()),
    }
}

/// A rule in another language.
fn in_language(artifact: &Wrapper, language: Language) -> Result<String, String> {
    match (&artifact.rule, language) {
        (Rule::Oxpath(text), Language::Oxpath) => Ok(format!("{}\n", text.trim_end())),
        (Rule::Paths(rule), Language::Oxpath) => {
            to_oxpath(rule, &artifact.record_type, "doc($page)").ok_or_else(|| {
                "there is no equivalent OXPath: a name is no marker, or records inside are not inside of their elements"
                    .to_owned()
            })
        }
        (Rule::Paths(rule), Language::Xquery) => {
            let document = match &artifact.record_type.root {
                XmlRoot::Element(name) => Some(name.as_str()),
                _ => None,
            };
            to_xquery(rule, &artifact.record_type, document).ok_or_else(|| {
                "there is no equivalent XQuery: records inside are not inside of their elements".to_owned()
            })
        }
        (rule, _) => Err(format!(
            "found a wrapper of kind `{}`, expected one of kind `paths` for --as",
            rule.kind()
        )),
    }
}

/// A wrapper in words.
pub(crate) fn describe(artifact: &Wrapper) -> String {
    let mut out = match &artifact.rule {
        Rule::Paths(rule) => {
            let tables = artifact.record_type.tables();
            let mut out = format!("wrapper by paths; records: {}\n", artifact.record_type.name);
            let mut next = 0;
            paths(rule, &tables, &mut next, &mut out);
            out
        }
        Rule::Oxpath(text) => format!(
            "wrapper by an OXPath expression; records: {}\n\n{}\n",
            artifact.record_type.name,
            text.trim_end()
        ),
        _ => String::new(),
    };
    if let Some(profile) = artifact.evidence.profiles.first() {
        out += "\nWhat is known of the values:\n";
        let columns = artifact.record_type.tables();
        let columns = columns.first().map_or(&[][..], |table| &table.columns);
        for (column, field) in columns.iter().zip(&profile.fields) {
            let label = field
                .label()
                .map_or_else(|| "-".to_owned(), |label| format!("{label:?}"));
            let link = if field.link_share() >= 0.5 { "links" } else { "no links" };
            out += &format!(
                "  {:<20} {link:<9} behind {label:<24} {}\n",
                column.name(),
                field.pattern()
            );
        }
    }
    let pages = &artifact.evidence.pages;
    if !pages.is_empty() {
        let names: Vec<&str> = pages.iter().take(5).map(|page| page.name.as_str()).collect();
        let more = if pages.len() > 5 {
            format!(" and {} more", pages.len() - 5)
        } else {
            String::new()
        };
        out += &format!("\nLearned from {}{more}.\n", names.join(", "));
    }
    out
}

fn paths(rule: &Paths, tables: &[Table], next: &mut usize, out: &mut String) {
    let Some(table) = tables.get(*next) else { return };
    *next += 1;
    *out += &match (table.path.is_empty(), rule.each.is_empty()) {
        (true, true) => "\na page is a record\n".to_owned(),
        (true, false) => format!("\nfor each {}\n", rule.each.join("\n   or else ")),
        (false, _) => format!(
            "\nin it, for each `{}` {}\n",
            table.name(),
            rule.each.join("\n   or else ")
        ),
    };
    for (column, field) in table.columns.iter().zip(&rule.fields) {
        let ways: Vec<String> = field
            .ways
            .iter()
            .map(|way| {
                let after = if way.after.is_empty() {
                    String::new()
                } else {
                    format!(", after {:?}", way.after)
                };
                let before = if way.before.is_empty() {
                    String::new()
                } else {
                    format!(", before {:?}", way.before)
                };
                format!("{}{after}{before}", way.path)
            })
            .collect();
        let many = if field.many { "*" } else { "" };
        let name = format!("{}{many}", column.name());
        let between = format!("\n  {:<20} ", "or else");
        let ways = if ways.is_empty() {
            "(no path)".to_owned()
        } else {
            ways.join(&between)
        };
        *out += &format!("  {name:<20} {ways}\n");
    }
    for inner in &rule.inner {
        paths(inner, tables, next, out);
    }
}

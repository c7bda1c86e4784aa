//! `wrapwright show`: a wrapper in words.

use crate::Exit;
use crate::args::ShowArgs;
use crate::extract::read_wrapper;
use crate::{report, show_landmarks, show_template};
use anyhow::Context;
use std::io::{self, Write};
use wrapwright::artifact::{Artifact, Rule};
use wrapwright::rule::{Delimiters, Left};

/// Runs the command.
pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let Some(artifact) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    if let Rule::Template(rule) = &artifact.rule {
        return show_template::run(args, &artifact, rule);
    }
    if args.schema.is_some() {
        report::mistake("found a wrapper that is no template, expected one for --schema", None);
        return Ok(Exit::Mistake);
    }
    if let Rule::Landmarks(rule) = &artifact.rule {
        return show_landmarks::run(args, &artifact, rule);
    }
    if args.svg.is_some() || args.html.is_some() {
        report::mistake(
            "found a wrapper by delimiters, expected one by landmarks for --svg and --on",
            None,
        );
        return Ok(Exit::Mistake);
    }
    io::stdout()
        .lock()
        .write_all(describe(&artifact).as_bytes())
        .context("cannot write to standard output")?;
    Ok(Exit::Fine)
}

/// A wrapper in words.
pub(crate) fn describe(artifact: &Artifact) -> String {
    let Rule::Delimiters(rule) = &artifact.rule else {
        return "a rule of a kind that this program cannot show\n".to_owned();
    };
    let names: Vec<&str> = artifact.schema.leaves().iter().map(|leaf| leaf.name).collect();
    let extended = if rule.is_pure() { "" } else { ", extended" };
    let levels = artifact.schema.levels().join(" > ");
    let mut out = format!("{} wrapper by delimiters{extended}; records: {levels}\n\n", rule.class);
    for (letter, what, text) in [
        ("h", "head", &rule.head),
        ("t", "tail", &rule.tail),
        ("o", "open", &rule.open),
        ("c", "close", &rule.close),
    ] {
        if let Some(text) = text {
            out += &format!("{letter}   {what:<8}{}\n", quote(text));
        }
    }
    for (number, (edges, name)) in rule.fields.iter().zip(&names).enumerate() {
        let optional = if edges.optional { ", may be missing" } else { "" };
        let left: Vec<String> = edges.left.iter().map(left_in_words).collect();
        let right: Vec<String> = edges.right.iter().map(|text| quote(text)).collect();
        out += &format!(
            "l{n}  {name}, before: {}{optional}\nr{n}  {name}, behind: {}\n",
            left.join(" or "),
            right.join(" or "),
            n = number + 1
        );
    }
    out += &format!("\n{}", procedure(rule));
    out += "\nThere is no equivalent OXPath: delimiters cut the source of a page, not its tree.\n";
    if !artifact.evidence.pages.is_empty() {
        let pages: Vec<&str> = artifact.evidence.pages.iter().map(|page| page.name.as_str()).collect();
        out += &format!("\nLearned from {}.\n", pages.join(", "));
    }
    out
}

fn quote(text: &str) -> String {
    if text.is_empty() {
        "(nothing)".to_owned()
    } else {
        format!("{text:?}")
    }
}

fn left_in_words(left: &Left) -> String {
    let behind: Vec<String> = left
        .skips
        .iter()
        .map(|skip| format!("behind {}, ", quote(skip)))
        .collect();
    format!("{}{}", behind.concat(), quote(&left.text))
}

/// What the wrapper does, step by step.
fn procedure(rule: &Delimiters) -> String {
    let mut steps = Vec::new();
    if let Some(head) = rule.head.as_ref().filter(|head| !head.is_empty()) {
        steps.push(format!("go to the first {}", quote(head)));
    }
    let stop = rule
        .tail
        .as_ref()
        .map(|tail| format!(" and {} does not come first", quote(tail)))
        .unwrap_or_default();
    if rule.class.is_nested() {
        steps.push(format!(
            "after a value of level k look for the left delimiters of the levels 1 to k + 1 and take the one that comes \
             first; the value goes up to the next right delimiter of its level; go on while one is found{stop}"
        ));
    } else {
        let begin = match &rule.open {
            Some(open) => format!("while there is {}{stop}, go there", quote(open)),
            None => format!("while there is the left delimiter of the first attribute{stop}"),
        };
        steps.push(format!(
            "{begin}: for each attribute in turn go behind its next left delimiter; the value goes up to its next right one"
        ));
        if let Some(close) = rule.close.as_ref().filter(|close| !close.is_empty()) {
            steps.push(format!("behind each record go to the next {}", quote(close)));
        }
    }
    let lines: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| format!("{}. {step}\n", at + 1))
        .collect();
    lines.concat()
}

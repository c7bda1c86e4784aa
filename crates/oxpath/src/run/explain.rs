//! A program for people: what each operation does, which pages it holds, when they go.

use super::program::{Action, Condition, Op, Test};
use std::fmt::Write;

/// Writes operations, one a line.
pub(super) fn operations(out: &mut String, ops: &[Op], depth: usize) {
    let indent = "  ".repeat(depth);
    for (at, op) in ops.iter().enumerate() {
        let last = at + 1 == ops.len();
        let _ = match op {
            Op::Walk { .. } => writeln!(out, "{indent}walk to the nodes of a simple path, set at a time"),
            Op::Doc { .. } => writeln!(
                out,
                "{indent}open a page; the page before it is freed unless another tuple waits on it"
            ),
            Op::Act {
                action,
                absolute,
                options,
                ..
            } => {
                let what = describe(action);
                let then = if *absolute {
                    "go on at the new page's root"
                } else {
                    "go on at the corresponding node, found by the action-free prefix unless the page is unchanged"
                };
                let until = if options.until.is_some() {
                    "; wait for a condition"
                } else {
                    ""
                };
                writeln!(
                    out,
                    "{indent}{what}, {then}{until}; the page is kept while nodes of it wait, freed with the last of them"
                )
            }
            Op::Mark(mark) => {
                let kind = if mark.value.is_some() { "value" } else { "record" };
                let open = match (mark.value.is_some(), mark.keeps_open) {
                    (true, _) => "",
                    (false, true) => "; written when this branch ends",
                    (false, false) => "; written when its predicates are done",
                };
                let _ = writeln!(out, "{indent}extract the {kind} `{}`{open}", mark.name);
                mark.tests.iter().for_each(|test| predicate(out, test, depth + 1));
                Ok(())
            }
            Op::Test(test) => {
                predicate(out, test, depth);
                Ok(())
            }
            Op::Choose { body, .. } => {
                let _ = writeln!(out, "{indent}choose by position among what these give:");
                body.iter().for_each(|branch| operations(out, branch, depth + 1));
                Ok(())
            }
            Op::Loop { body, min, max, .. } => {
                let most = max.map_or("any number of".to_owned(), |max| format!("at most {max}"));
                let order = if last {
                    ""
                } else {
                    ", and go on below after each round before the next"
                };
                let _ = writeln!(out, "{indent}repeat at least {min}, {most} times{order}:");
                body.iter().for_each(|branch| operations(out, branch, depth + 1));
                Ok(())
            }
        };
    }
}

fn predicate(out: &mut String, test: &Test, depth: usize) {
    let indent = "  ".repeat(depth);
    let kind = if test.optional {
        "optional predicate"
    } else {
        "predicate"
    };
    let _ = writeln!(
        out,
        "{indent}{kind}, its outcome memoized by node and record; this page is kept meanwhile:"
    );
    condition(out, &test.condition, depth + 1);
}

fn condition(out: &mut String, what: &Condition, depth: usize) {
    let indent = "  ".repeat(depth);
    match what {
        Condition::Simple(_) => {
            let _ = writeln!(out, "{indent}a simple condition");
        }
        Condition::Path(ops) => operations(out, ops, depth),
        Condition::Any(parts) | Condition::All(parts) => {
            let all = matches!(what, Condition::All(_));
            let _ = writeln!(
                out,
                "{indent}{} of these, all of them evaluated:",
                if all { "all" } else { "any" }
            );
            parts.iter().for_each(|part| condition(out, part, depth + 1));
        }
    }
}

fn describe(action: &Action) -> String {
    match action {
        Action::Fixed(action) => format!("{action:?}").to_lowercase(),
        Action::Type(_) => "type a text".to_owned(),
        Action::Select(_) => "select an option".to_owned(),
        Action::Press(_) => "press a key".to_owned(),
        Action::KeyDown(_) => "press a key and hold it".to_owned(),
        Action::KeyUp(_) => "release a key".to_owned(),
        Action::Drag(_) => "drag".to_owned(),
        Action::NextClick => "click, if that leads to a page not seen yet".to_owned(),
        Action::ClickWithChange => "click, if that changes the page".to_owned(),
    }
}

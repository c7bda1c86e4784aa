//! The known differences between libxml2 and this library, each with an expression that shows it.
//!
//! `docs/conformance.md` explains every row. The generator avoids them, so they would go unnoticed if they were not
//! checked here. If *our* answer differs from the listed one, that is a disagreement. If the answer of libxml2 differs,
//! a line is printed, since another release may have fixed it.

use super::peer::{Answer, Peer};
use super::{evaluate, readable_bytes};
use anyhow::Result;
use oxpath::Value;
use page::{NodeId, Page, Paths};

const PAGE: &[u8] = b"<p id=a lang=en-GB title=t>x<b>1e3</b></p></html><!--end-->";

/// One difference.
struct Known {
    kind: &'static str,
    expression: &'static str,
    ours: &'static str,
    theirs: &'static str,
}

const fn row(kind: &'static str, expression: &'static str, ours: &'static str, theirs: &'static str) -> Known {
    Known {
        kind,
        expression,
        ours,
        theirs,
    }
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    row("number-to-string", "string(1000000000000)", "'1000000000000'", "'1e+12'"),
    row("number-to-string", "string(0.000001)", "'0.000001'", "'1e-06'"),
    row("number-to-string", "string(1 div 3)", "'0.3333333333333333'", "'0.333333333333333'"),
    row("number-to-string", "string(0.1 + 0.2)", "'0.30000000000000004'", "'0.3'"),
    row("exponent", "number('1e3')", "NaN", "1000"),
    row("exponent", "//b = 1000", "false", "true"),
    row("exponent", "1e3", "error", "1000"),
    row("decimal-rounding", "number('12345678901234567890') = 12345678901234567168", "true", "false"),
    row("decimal-rounding", "round(0.49999999999999994)", "0", "1"),
    row("following-of-attribute", "//@title/following::node()",
        "/html[1]/body[1]/p[1]/text()[1] /html[1]/body[1]/p[1]/b[1] /html[1]/body[1]/p[1]/b[1]/text()[1] /comment()[1]",
        "/comment()[1]"),
    row("preceding-of-epilogue", "/comment()/preceding::html", "/html[1]", ""),
    row("position-outside", "position() + last()", "2", "error"),
    row("id", "id('a')", "/html[1]/body[1]/p[1]", ""),
    row("lang", "//p[lang('en')]", "/html[1]/body[1]/p[1]", ""),
    row("case", "//P/@TITLE", "/html[1]/body[1]/p[1]/@title", ""),
    row("namespace-axis", "count(//p/namespace::*)", "0", "1"),
    row("prefix", "//o:p", "", "error"),
    row("functions", "ends-with('ab', 'b')", "true", "error"),
];

/// Evaluates every known difference on both sides; returns the number of rows where our answer is not as listed.
pub(crate) fn check(peer: &mut Peer) -> Result<usize> {
    let page = readable_bytes(PAGE, false)?;
    peer.load(page.to_xml(NodeId::DOCUMENT))?;
    let context = page.elements()[0];
    let mut surprises = 0;
    for known in KNOWN {
        let ours = brief(&page, evaluate(&page, context, known.expression));
        let theirs = brief(
            &page,
            match peer.ask(context, known.expression)? {
                Answer::Value(value) => Ok(value),
                Answer::Error(error) => Err(error),
                Answer::TooSlow => Err("too slow".to_owned()),
            },
        );
        if ours != known.ours {
            surprises += 1;
            println!(
                "\n{}: {}\n  listed  {}\n  ours    {ours}",
                known.kind, known.expression, known.ours
            );
        }
        if theirs != known.theirs {
            println!(
                "\n{}: {}\n  listed  {}\n  theirs  {theirs}",
                known.kind, known.expression, known.theirs
            );
        }
    }
    println!(
        "{} known differences asked for, {surprises} of them not as listed",
        KNOWN.len()
    );
    Ok(surprises)
}

fn brief(page: &Page, value: Result<Value, String>) -> String {
    let mut paths = Paths::new(page);
    match value {
        Ok(Value::Nodes(nodes)) => nodes.iter().map(|node| paths.path(*node)).collect::<Vec<_>>().join(" "),
        Ok(Value::String(text)) => format!("'{text}'"),
        Ok(Value::Number(number)) => number.to_string(),
        Ok(Value::Boolean(truth)) => truth.to_string(),
        Err(_) => "error".to_owned(),
    }
}

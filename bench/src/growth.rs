//! `wrapwright-bench growth`: families of OXPath expressions for which a naive evaluator takes exponential time.
//!
//! Each family is run with its nesting from 1 to 8 over pages in memory. The table shows the actions performed, the
//! most pages in memory at once, and the time: as a multiple of that of the first level, and as a multiple of the time to
//! parse the page, measured just before. Polynomial growth shows as factors that rise slowly; two versions of the program
//! are compared by the multiple of parsing, because a faster first level makes the other factor larger.

use anyhow::{Result, anyhow};
use browse::Memory;
use oxpath::run::{Failure, Progress, RunOptions, Script};
use page::{Page, ParseSettings};
use record::Record;
use std::time::Instant;

const LEVELS: std::ops::RangeInclusive<usize> = 1..=8;
/// The best of these counts.
const ROUNDS: usize = 50;

struct Count(usize);

impl Progress for Count {
    fn record(&mut self, _: Record) -> bool {
        self.0 += 1;
        true
    }

    fn failure(&mut self, _: &Failure) {}
}

/// The table, as Markdown.
pub(crate) fn table() -> Result<String> {
    // Nested elements of three names, each with a link to a small page, so that every step can reach a node in many
    // ways.
    let inner = "<a href='http://m/leaf'>a</a><b><c>".repeat(6) + "x" + &"</c></b>".repeat(6);
    let page = format!("<div>{inner}</div><div>{inner}</div>");
    let leaf = "<p>leaf</p><b><c>y</c></b>".to_owned();
    let mut out = String::new();
    for (name, write) in families() {
        out += &format!(
            "{name}\n\n| n | actions | most pages | records | time / time at 1 | time / parsing |\n|--:|--:|--:|--:|--:|--:|\n"
        );
        let mut first = None;
        for n in LEVELS {
            let source = write(n);
            let script = Script::compile(&source, &[]).map_err(|found| anyhow!("{source}: {found:?}"))?;
            let mut best = f64::MAX;
            let mut row = String::new();
            let parsing = parsing(&page)?;
            for _ in 0..ROUNDS {
                let mut driver = Memory::new([("http://m/", page.clone()), ("http://m/leaf", leaf.clone())]);
                let mut count = Count(0);
                let start = Instant::now();
                let summary = script.run(&mut driver, None, &RunOptions::default(), &mut count);
                best = best.min(start.elapsed().as_secs_f64());
                row = format!("| {n} | {} | {} | {} |", summary.actions, summary.most_pages, count.0);
            }
            let first = *first.get_or_insert(best);
            out += &format!("{row} {:.1} | {:.1} |\n", best / first, best / parsing);
        }
        out.push('\n');
    }
    Ok(out)
}

/// The best time to parse a page.
fn parsing(html: &str) -> Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        std::hint::black_box(Page::parse(html.as_bytes(), &ParseSettings::default())?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

type Family = (&'static str, fn(usize) -> String);

fn families() -> Vec<Family> {
    fn nest(n: usize, open: &str, close: &str) -> String {
        format!("{}{}", open.repeat(n), close.repeat(n))
    }
    vec![
        ("`//b[.//a/{click /}][.//c[…]]`: actions in nested predicates", |n| {
            format!("doc('http://m/')//b{}", nest(n, "[.//a/{click /}//p][.//c[.//b", "]]"))
        }),
        ("`(…(.//b)*…)*`: nested repetitions", |n| {
            format!("doc('http://m/')/{}.//b{}:<r>", "(".repeat(n), ")*".repeat(n))
        }),
        ("`(//b:<r>)*` … repetitions with markers in a row", |n| {
            format!("doc('http://m/'){}", "/(.//b:<r>)*".repeat(n))
        }),
        (
            "`/descendant-or-self::*[self::*]` in a row, with a marker each (figure 13)",
            |n| format!("doc('http://m/'){}", "/descendant-or-self::*[self::*]:<r>".repeat(n)),
        ),
        ("`[$lhs/… = $rhs]::b[…]`: intensional axes in predicates", |n| {
            format!("doc('http://m/')//b{}:<r>", nest(n, "[./[$lhs/c = $rhs/c]::b", "]"))
        }),
        ("`[? .//c:<r>[…]]`: nested optional predicates with markers", |n| {
            format!("doc('http://m/')//b:<r>{}", nest(n, "[? .//c:<r>", "]"))
        }),
    ]
}

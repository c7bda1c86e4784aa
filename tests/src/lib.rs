//! The suites in `suite/*.ox`: pages, expressions and what they give.
//!
//! A file is a sequence of blocks. A block begins with a line `=== page` or `=== EXPRESSION`; what follows up to the next
//! such line is the page, or the expected answer of the expression on the last page:
//!
//! ```text
//! === page
//! <ul><li>one<li>two</ul>
//! === //li[1]
//! /html[1]/body[1]/ul[1]/li[1] "one"
//! === count(//li)
//! number 2
//! ```
//!
//! An answer is a line for each node, with its canonical path and its value, or one line with a type and a value, or a
//! line for each mistake in the expression. Lines beginning with `#` before the first block are comments.
//! `UPDATE_SUITE=1 cargo test -p wrapwright-tests` writes the answers of today into the files, to be read before they are
//! committed.

use std::fmt::Write;
use wrapwright::{Page, Paths, Query, Value, number_to_string};

/// The text of a suite file with the answers of today, which is the file itself when all is well.
///
/// # Panics
///
/// When the file does not follow the format.
pub fn answer(file: &str) -> String {
    let mut out = String::new();
    let mut page = None;
    let first = file.find("=== ").expect("a suite has blocks");
    out.push_str(&file[..first]);
    for block in split_blocks(&file[first..]) {
        let (title, body) = block.split_once('\n').unwrap_or((block, ""));
        let title = title.strip_prefix("=== ").expect("blocks begin with ===");
        let _ = writeln!(out, "=== {title}");
        if title == "page" {
            page = Some(Page::parse(body.trim_end().as_bytes(), &Default::default()).expect("a small page"));
            out.push_str(body);
        } else {
            out.push_str(&evaluate(
                title,
                page.as_ref().expect("a page comes before expressions"),
            ));
        }
    }
    out
}

fn split_blocks(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices("\n=== ").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

fn evaluate(expression: &str, page: &Page) -> String {
    let mut out = String::new();
    let query = match Query::compile(expression) {
        Ok(query) => query,
        Err(found) => {
            for mistake in found.diagnostics() {
                let _ = writeln!(
                    out,
                    "{} {:?} {}",
                    mistake.code.as_str(),
                    mistake.span.range(),
                    mistake.message
                );
            }
            return out;
        }
    };
    let _ = match query.evaluate(page) {
        Ok(Value::Nodes(nodes)) => {
            let mut paths = Paths::new(page);
            nodes
                .iter()
                .try_for_each(|node| writeln!(out, "{} {:?}", paths.path(*node), page.string_value(*node)))
        }
        Ok(Value::String(text)) => writeln!(out, "string {text:?}"),
        Ok(Value::Number(number)) => writeln!(out, "number {}", number_to_string(number)),
        Ok(Value::Boolean(truth)) => writeln!(out, "boolean {truth}"),
        Err(error) => writeln!(out, "error {error}"),
    };
    out
}

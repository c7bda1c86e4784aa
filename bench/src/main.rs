//! Our side of `bench/compare.py` and `bench/crawl.py`: does a piece of work and prints timings as one JSON object.
//!
//! ```text
//! wrapwright-bench parse ENGINE FILE…    seconds per round of bytes → tree; ENGINE is ours, html5ever or scraper
//! wrapwright-bench xpath FILE…           queries, one per line on stdin; seconds and counts of each on every file
//! wrapwright-bench dump FILE…            each page as XML, one JSON string per line
//! wrapwright-bench repeat TIMES FILE     the page as HTML, with the content of its body repeated, as a JSON string
//! wrapwright-bench growth                growth of OXPath evaluation with the nesting of an expression, as a table
//! wrapwright-bench citations [--port N] [--branching N] [--delay MILLISECONDS]
//!                                        serves a citation site; the first line of output is its address
//! wrapwright-bench load URL N [--branching N]
//!                                        pages that such a site sends on N connections
//! ```
//!
//! Timings are the best of a few rounds after a warm-up, since noise can only add time. The script starts this program
//! and the others in turns, in one run on one machine, because only ratios between such timings mean anything.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

mod citations;
mod growth;
mod html5;
mod load;

use anyhow::{Context, Result, bail};
use oxpath::{Query, Value};
use page::{NodeId, Page, ParseSettings};
use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::io::BufRead;
use std::time::{Duration, Instant};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["parse", engine, files @ ..] => println!("{}", parse(engine, &read(files)?)?),
        ["xpath", files @ ..] => println!("{}", xpath(&read(files)?)?),
        ["dump", files @ ..] => {
            for bytes in read(files)? {
                println!("{}", json!(load(&bytes)?.to_xml(NodeId::DOCUMENT)));
            }
        }
        ["repeat", times, file] => println!("{}", json!(repeat_body(&load(&std::fs::read(file)?)?, times.parse()?))),
        ["growth"] => println!("{}", growth::table()?),
        ["citations", words @ ..] => citations::serve(words)?,
        ["load", url, connections] => println!("{}", load::load(url, connections.parse()?, citations::BRANCHING)?),
        ["load", url, connections, "--branching", branching] => {
            println!("{}", load::load(url, connections.parse()?, branching.parse()?)?);
        }
        _ => bail!(
            "usage: wrapwright-bench parse ENGINE FILE… | xpath FILE… | dump FILE… | repeat TIMES FILE | growth | \
             citations [--port N] [--branching N] [--delay MILLISECONDS] | load URL N [--branching N]"
        ),
    }
    Ok(())
}

fn read(files: &[&str]) -> Result<Vec<Vec<u8>>> {
    files
        .iter()
        .map(|file| std::fs::read(file).with_context(|| format!("cannot read {file}")))
        .collect()
}

fn load(bytes: &[u8]) -> Result<Page> {
    Ok(Page::parse(bytes, &ParseSettings::default())?)
}

/// The best time of one round over all pages, in seconds; trees are dropped inside it, as a crawler would.
fn parse(engine: &str, sources: &[Vec<u8>]) -> Result<Json> {
    let work: fn(&[u8]) = match engine {
        "ours" => |bytes| drop(black_box(Page::parse(bytes, &ParseSettings::default()))),
        // Both need text, so they decode here what our parser decodes itself.
        "html5ever" => |bytes| html5::parse(&String::from_utf8_lossy(bytes)),
        "scraper" => |bytes| {
            drop(black_box(scraper::Html::parse_document(&String::from_utf8_lossy(
                bytes,
            ))))
        },
        other => bail!("unknown engine `{other}`"),
    };
    let best = best_of(4, Duration::from_secs(3), || {
        sources.iter().for_each(|bytes| work(bytes))
    });
    let mut answer = json!({ "seconds": best, "bytes": sources.iter().map(Vec::len).sum::<usize>() });
    if engine == "ours" {
        let mut ratios = Vec::new();
        for bytes in sources {
            ratios.push(load(bytes)?.heap_size() as f64 / bytes.len().max(1) as f64);
        }
        answer["heap_mean"] = json!(ratios.iter().sum::<f64>() / ratios.len() as f64);
        answer["heap_worst"] = json!(ratios.iter().copied().fold(0.0, f64::max));
    }
    Ok(answer)
}

/// For each query the best time on each page, in seconds, and how many nodes it selects there.
fn xpath(sources: &[Vec<u8>]) -> Result<Json> {
    let pages = sources.iter().map(|bytes| load(bytes)).collect::<Result<Vec<Page>>>()?;
    let mut answers = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let source = line?;
        let query = match Query::compile(&source) {
            Ok(query) => query,
            Err(found) => bail!("{source}: {}", found.message()),
        };
        let mut seconds = Vec::new();
        let mut counts = Vec::new();
        for page in &pages {
            let mut count = 0;
            seconds.push(best_of(5, Duration::from_millis(200), || {
                count = match black_box(query.evaluate(page)) {
                    Ok(Value::Nodes(nodes)) => nodes.len(),
                    _ => 0,
                };
            }));
            counts.push(count);
        }
        answers.push(json!({ "seconds": seconds, "counts": counts }));
    }
    Ok(Json::Array(answers))
}

/// The best of several rounds, after one that does not count: at least three, and up to a bound as many as fit into a
/// time.
fn best_of(rounds: usize, time: Duration, mut work: impl FnMut()) -> f64 {
    work();
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    let mut done = 0;
    while done < 3 || (done < rounds && begin.elapsed() < time) {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
        done += 1;
    }
    best
}

/// The page as HTML with the content of its body repeated.
fn repeat_body(page: &Page, times: usize) -> String {
    let body = page
        .name_id("body")
        .and_then(|name| page.elements_named(name).first().copied());
    let Some(body) = body else {
        return page.to_html(NodeId::DOCUMENT);
    };
    let inner = page.inner_html(body);
    let whole = page.to_html(NodeId::DOCUMENT);
    match whole.rfind(&inner) {
        Some(at) => format!("{}{}{}", &whole[..at], inner.repeat(times), &whole[at + inner.len()..]),
        None => whole,
    }
}

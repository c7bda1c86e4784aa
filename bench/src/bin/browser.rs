//! Measures what the browser driver costs on top of the browser.
//!
//! `cargo run --release -p wrapwright-bench --bin browser -- 500` serves that many pages of about 100 KB on loopback
//! and visits them all in turns of fifty: bare, which is navigation with the same rule for when a page is ready, and
//! with the driver, which also follows the link from the list, copies the page and counts what is on it. Then it runs
//! the five intensional axes of the paper's table 4 on a page of 3,000 elements. It prints the times, their ratio, the
//! memory of all processes together after each turn, and the most tabs in use.
//!
//! With `gate` after the number it measures instead what the gate costs, the proxy between the browser and the network:
//! the same pages in turns, in a browser with it and in one without it (private addresses are allowed for all, so there
//! is nothing to check). Once for pages of one file, once for pages with twenty scripts each.

#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use anyhow::{Context, anyhow};
use browse::chromium::{Chromium, Setup};
use browse::{Fetch, HttpSettings, Web, Wire};
use demo::server::{self, Answer, Request, Response};
use oxpath::run::{Failure, Progress, RunOptions, Script};
use page::driver::{Action, Driver, Options};
use record::Record;
use std::fmt::Write;
use std::time::{Duration, Instant};

const TURN: usize = 50;

fn main() -> anyhow::Result<()> {
    let count: usize = match std::env::args().nth(1) {
        Some(count) => count.parse().context("expected a number of pages")?,
        None => 500,
    };
    let body = body();
    let running = server::start("127.0.0.1:0", move |request: &Request| -> Answer {
        match request.path.as_str() {
            "/" => {
                let links = (0..count).fold(String::new(), |mut links, n| {
                    let _ = writeln!(links, "<a href=/p/{n}>{n}</a>");
                    links
                });
                Response::html(links).into()
            }
            "/boxes" => Response::html(boxes()).into(),
            path if path.ends_with(".js") => {
                let script = format!("globalThis.n = (globalThis.n ?? 0) + 1; /* {} */", "x".repeat(4000));
                Response::new(200, "text/javascript", script)
                    .with_header("Cache-Control", "no-store")
                    .into()
            }
            path if path.starts_with("/parts/") => {
                let scripts = (0..20).fold(String::new(), |mut scripts, n| {
                    let _ = write!(scripts, "<script src={path}/{n}.js></script>");
                    scripts
                });
                Response::html(format!("<h1>{path}</h1><p id=p></p>{body}{scripts}")).into()
            }
            path => Response::html(format!("<h1>{path}</h1><p id=p></p>{body}")).into(),
        }
    })?;
    let url = running.url();
    if std::env::args().nth(2).is_some_and(|what| what == "gate") {
        gate(&url, "p", count)?;
        return gate(&url, "parts", count);
    }
    overhead(&url, count)?;
    axes(&url)
}

fn start(styles: &[&str]) -> anyhow::Result<Chromium> {
    start_with(styles, false)
}

fn start_with(styles: &[&str], allow_private: bool) -> anyhow::Result<Chromium> {
    let settings = HttpSettings {
        robots: false,
        allow_private,
        ..HttpSettings::default()
    };
    let wire: Box<dyn Fetch> = Box::new(Wire::new(&settings)?);
    let setup = Setup {
        styles: styles.iter().map(|style| (*style).to_owned()).collect(),
        ..Setup::default()
    };
    Ok(Chromium::start(setup, Web::over(wire, settings))?)
}

fn overhead(url: &str, count: usize) -> anyhow::Result<()> {
    let mut chromium = start(&[])?;
    let options = Options::default();
    let list = chromium.open(url, &options)?;
    let links = list.page.name_id("a").ok_or_else(|| anyhow!("no links"))?;
    let links = list.page.elements_named(links).to_vec();
    // The first pages pay for what is started only once.
    for (n, link) in links.iter().take(10).enumerate() {
        chromium.visit_bare(&format!("{url}p/{n}"), &options)?;
        chromium.act(&list, *link, &Action::Click, &options)?;
    }
    let (mut bare, mut ours) = (Duration::ZERO, Duration::ZERO);
    for turn in 0..count.div_ceil(TURN) {
        let pages = turn * TURN..((turn + 1) * TURN).min(count);
        let begin = Instant::now();
        for n in pages.clone() {
            chromium.visit_bare(&format!("{url}p/{n}"), &options)?;
        }
        bare += begin.elapsed();
        let begin = Instant::now();
        for n in pages {
            let page = chromium
                .act(&list, links[n], &Action::Click, &options)?
                .into_live()
                .page;
            let h1 = page.name_id("h1").map_or(0, |name| page.elements_named(name).len());
            if h1 != 1 {
                return Err(anyhow!("page {n} has {h1} headings"));
            }
        }
        ours += begin.elapsed();
        println!("turn {:2}: {:4} MB in all processes", turn + 1, memory() >> 20);
    }
    let per = |time: Duration| time.as_secs_f64() * 1000.0 / count as f64;
    println!(
        "{count} pages: bare {:.1} ms, driver {:.1} ms a page, ratio {:.3}; at most {} tabs",
        per(bare),
        per(ours),
        ours.as_secs_f64() / bare.as_secs_f64(),
        chromium.most_tabs()
    );
    chromium.end();
    Ok(())
}

/// The cost of the gate. Turns are short and alternate, so that both browsers see the same load of the machine.
fn gate(url: &str, kind: &str, count: usize) -> anyhow::Result<()> {
    let turn = 10;
    let options = Options::default();
    let browsers = [start_with(&[], false)?, start_with(&[], true)?];
    for browser in &browsers {
        for n in 0..turn {
            browser.visit_bare(&format!("{url}{kind}/{n}"), &options)?;
        }
    }
    let mut times = [Vec::new(), Vec::new()];
    for at in 0..count.div_ceil(turn) {
        for which in [at % 2, 1 - at % 2] {
            for n in at * turn..((at + 1) * turn).min(count) {
                let begin = Instant::now();
                browsers[which].visit_bare(&format!("{url}{kind}/{n}"), &options)?;
                times[which].push(begin.elapsed());
            }
        }
    }
    let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1000.0 / times.len() as f64;
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1000.0
    };
    let [mut with, mut without] = times;
    let means = (mean(&with), mean(&without));
    let medians = (median(&mut with), median(&mut without));
    println!(
        "{count} pages /{kind}/: with the gate {:.1} ms, without {:.1} ms a page, ratio {:.3}; medians {:.1} and {:.1} ms, ratio {:.3}",
        means.0,
        means.1,
        means.0 / means.1,
        medians.0,
        medians.1,
        medians.0 / medians.1
    );
    browsers.iter().for_each(Chromium::end);
    Ok(())
}

struct Count(usize);

impl Progress for Count {
    fn record(&mut self, _: Record) -> bool {
        self.0 += 1;
        true
    }

    fn failure(&mut self, failure: &Failure) {
        println!("failed: {failure}");
    }
}

/// Table 4 of the paper; the third with `p` instead of books, which pages of this kind do not have.
const AXES: [(&str, &str); 5] = [
    (
        "same colour and size",
        "//a/[$lhs/^color = $rhs/^color and $lhs/^font-size = $rhs/^font-size]::*:<x>",
    ),
    (
        "to the north-west",
        "//a/[$rhs/^box-right < $lhs/^box-left and $rhs/^box-bottom < $lhs/^box-top]::div:<x>",
    ),
    (
        "same author, and cites",
        "//p/[$lhs/b = $rhs/b and $lhs/@id = $rhs/i/@title]::p:<x>",
    ),
    (
        "same font, north, same value below",
        "//div/[$lhs/^font-family = $rhs/^font-family and $rhs subset $lhs//a/[$lhs = $rhs and $lhs/^box-bottom <= $rhs/^box-top]::*]::*:<x>",
    ),
    (
        "visually contained",
        "//div/[$lhs/^box-left <= $rhs/^box-left and $lhs/^box-right >= $rhs/^box-right and $lhs/^box-top <= $rhs/^box-top and $lhs/^box-bottom >= $rhs/^box-bottom]::*:<x>",
    ),
];

fn axes(url: &str) -> anyhow::Result<()> {
    let styles = [
        "color",
        "font-size",
        "font-family",
        "box-left",
        "box-right",
        "box-top",
        "box-bottom",
    ];
    let mut chromium = start(&styles)?;
    let begin = Instant::now();
    let live = chromium.open(&format!("{url}boxes"), &Options::default())?;
    let elements = live.page.elements().len();
    println!(
        "{elements} elements with {} styles, opened in {} ms",
        styles.len(),
        begin.elapsed().as_millis()
    );
    for (name, expression) in AXES {
        let script = Script::compile(expression, &[]).map_err(|found| anyhow!("{name}: {found:?}"))?;
        let mut count = Count(0);
        let begin = Instant::now();
        script.run(&mut chromium, Some(live.clone()), &RunOptions::default(), &mut count);
        println!(
            "{name}: {:.1} ms, {} nodes",
            begin.elapsed().as_secs_f64() * 1000.0,
            count.0
        );
    }
    chromium.end();
    Ok(())
}

/// About 100 KB of markup and a script that changes it once.
fn body() -> String {
    let mut body = String::new();
    for n in 0..700 {
        let _ = write!(
            body,
            "<div class=row data-n={n}><a href=\"/p/{n}\" title=\"row {n}\">Row number {n}</a><span class=price>{n}.00</span>\
             <p>Some words about it, as many as there usually are.</p></div>"
        );
    }
    body + "<script>document.getElementById('p').textContent = 'by script'</script>"
}

/// 3,000 elements in boxes.
fn boxes() -> String {
    let mut page = "<style>div{display:inline-block;width:120px} .x{color:#767676;font-size:12px}</style>".to_owned();
    for n in 0..500 {
        let _ = write!(
            page,
            "<div><a class={} href=#>{}</a><em>{n}</em><p id=p{n}><b>author {}</b><i title=p{}>cites</i></p></div>",
            if n % 3 == 0 { "x" } else { "y" },
            n % 50,
            n % 20,
            (n * 7) % 500
        );
    }
    page
}

/// The memory of this process and all processes below it; shared pages count proportionally.
fn memory() -> u64 {
    let mut parents = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parents.push((process, parent.unwrap_or(0)));
    }
    let mut ours = vec![std::process::id()];
    let mut at = 0;
    while let Some(&process) = ours.get(at) {
        ours.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == process)
                .map(|(child, _)| *child),
        );
        at += 1;
    }
    let share = |process: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("Pss:")).unwrap_or("");
        line.split_whitespace()
            .nth(1)
            .and_then(|kb| kb.parse::<u64>().ok())
            .unwrap_or(0)
            << 10
    };
    ours.iter().map(share).sum()
}

//! Searches for slow shapes of expressions: random expressions on growing pages, and how their time grows.
//!
//! *Idea.* An expression is slow by nature if its time grows faster than the page. Which shapes do so is hard to see in
//! an evaluator with many special cases, and easy to measure: evaluate a random expression on pages of 10³ to 10⁶ nodes
//! and fit the exponent `e` in `time = c · nodesᵉ`, which is the slope of a line through the logarithms. Large pages do
//! not fit the caches of a processor, and then even a single pass takes more time for each node. So times are divided by
//! that of [`REFERENCE`] on the same page, which visits each element and its text once.
//!
//! *Input.* A seed. [`expression`](grammar::expression) is a grammar of what people write and of what they could write:
//! all axes, nested predicates, counts, existence, positions, strings, comparisons of nodes, and CSS selectors.
//! [`page`](grammar::page) has three families of pages: a table, one long list of siblings, and a tree that gets deeper
//! and wider. The names include one that every page has once at the start, one at the end, and one that is missing: a
//! search that stops at the first hit is only slow where there is no hit.
//!
//! *Bound.* No evaluation is waited for: the next page is tried only if the time, should it grow with the cube of the
//! nodes, stays below a limit. A slow shape is therefore measured on small pages, a fast one on large ones.
//!
//! *Output.* The worst shapes, and those above [`MOST`] that are not [argued](argued::reason); the chore fails if there are any. Times
//! below [`SHORTEST`] are noise and left out of the fit. A shape above [`MOST`] is measured again before it counts.

mod argued;
mod grammar;

use crate::Options;
use oxpath::Query;
use page::{Page, ParseSettings};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use xtask::random::Random;

/// The largest exponent that counts as linear: sorting and caches that overflow give a little more than 1.
const MOST: f64 = 1.2;

/// An expression whose time is linear by its nature, and which uses memory as others do.
const REFERENCE: &str = "count(//*[2][@u]) + count(//*[parent::u or . = 'zz' or @class = 'zz' or text() = 'zz'])";

/// Shorter times are not used.
const SHORTEST: Duration = Duration::from_micros(500);

/// The number of largest pages that decide.
const FITTED: usize = 4;
/// Smaller pages do not decide if there are enough larger ones: on them an evaluation may still walk from node to node,
/// before it makes a table.
const SMALL: usize = 8_000;

/// The numbers of nodes: half a power of ten between each and the next.
const NODES: [usize; 7] = [1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000];

/// Runs the search.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let seed = options.number("seed", 1)?;
    let count = options.number("expressions", 400)?;
    let seconds = Duration::from_secs(options.number("seconds", 600)?);
    let most = options.number("nodes", 1_000_000)? as usize;
    let show = options.number("show", 20)? as usize;
    let limit = Duration::from_millis(options.number("limit", 2_000)?);
    let pages = pages(most)?;
    if let Some(source) = options.text("one") {
        return one(source, &pages, limit);
    }
    let start = Instant::now();
    let mut random = Random::new(seed);
    let mut found: Vec<Measured> = Vec::new();
    let mut tried = 0;
    for _ in 0..count {
        if start.elapsed() > seconds {
            break;
        }
        let source = grammar::expression(&mut random);
        let query =
            Query::compile(&source).map_err(|error| anyhow::anyhow!("`{source}` is not an expression: {error}"))?;
        tried += 1;
        for family in &pages {
            let mut measured = measure(&query, &source, family, limit);
            // Other programs on the machine can only add time.
            for _ in 0..2 {
                if measured.exponent.is_some_and(|exponent| exponent > MOST) {
                    measured.improve(measure(&query, &source, family, limit));
                }
            }
            found.push(measured);
        }
    }
    report(&mut found, tried, seed, show)
}

/// Measures one expression, and prints all its times.
fn one(source: &str, pages: &[Family], limit: Duration) -> anyhow::Result<ExitCode> {
    let query = Query::compile(source).map_err(|error| anyhow::anyhow!("`{source}` is not an expression: {error}"))?;
    for family in pages {
        println!("{}", measure(&query, source, family, limit));
    }
    Ok(ExitCode::SUCCESS)
}

fn report(found: &mut [Measured], tried: usize, seed: u64, show: usize) -> anyhow::Result<ExitCode> {
    found.sort_by(|a, b| b.exponent.unwrap_or(0.0).total_cmp(&a.exponent.unwrap_or(0.0)));
    let fitted = found.iter().filter(|measured| measured.exponent.is_some()).count();
    println!(
        "{tried} expressions (seed {seed}), {} measurements, {fitted} long enough to fit",
        found.len()
    );
    let (mut above, mut argued) = (0, 0);
    for measured in found.iter().take_while(|measured| measured.exponent > Some(MOST)) {
        match argued::reason(&measured.source) {
            Some(reason) => {
                argued += 1;
                if argued <= show {
                    println!("argued ({reason}): {measured}");
                }
            }
            None => {
                above += 1;
                if above <= show {
                    println!("slow: {measured}");
                }
            }
        }
    }
    for measured in found.iter().filter(|m| m.exponent.is_some_and(|e| e <= MOST)).take(3) {
        println!("{measured}");
    }
    println!("above {MOST}: {above}, and {argued} that are argued");
    Ok(if above == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// Pages of one kind, by size.
struct Family {
    name: &'static str,
    /// With the time of the reference for each.
    pages: Vec<(Page, Duration)>,
}

fn pages(most: usize) -> anyhow::Result<Vec<Family>> {
    let reference = Query::compile(REFERENCE).map_err(|error| anyhow::anyhow!("`{REFERENCE}`: {error}"))?;
    let mut families = Vec::new();
    for name in grammar::FAMILIES {
        let mut pages = Vec::new();
        for nodes in NODES.into_iter().filter(|nodes| *nodes <= most) {
            let html = grammar::page(name, nodes);
            let page = Page::parse(html.as_bytes(), &ParseSettings::default())?;
            let times = (0..8).map(|_| shortest(&reference, &page));
            let time = times.min().unwrap_or_default();
            pages.push((page, time));
        }
        families.push(Family { name, pages });
    }
    Ok(families)
}

/// How the time of an expression grows on a family of pages.
struct Measured {
    source: String,
    family: &'static str,
    times: Vec<(usize, Duration)>,
    /// The times of the reference on the same pages.
    references: Vec<Duration>,
    /// Missing where it was never slow enough to measure.
    exponent: Option<f64>,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.exponent {
            Some(exponent) => write!(f, "{exponent:.2}")?,
            None => write!(f, "-")?,
        }
        write!(f, " {} `{}`", self.family, self.source)?;
        for (nodes, time) in &self.times {
            write!(f, " {nodes}:{:.1}ms", time.as_secs_f64() * 1e3)?;
        }
        Ok(())
    }
}

impl Measured {
    /// Takes the shorter of each two times.
    fn improve(&mut self, other: Measured) {
        for (time, again) in self.times.iter_mut().zip(&other.times) {
            time.1 = time.1.min(again.1);
        }
        self.fit();
    }

    /// Fits the exponent to the times on large pages, or else to the last [`FITTED`].
    fn fit(&mut self) {
        let times = self.times.iter().zip(&self.references);
        let long: Vec<(usize, f64)> = times
            .filter(|((_, time), _)| *time >= SHORTEST)
            .map(|((nodes, time), reference)| (*nodes, time.as_secs_f64() / reference.as_secs_f64()))
            .collect();
        let large: Vec<(usize, f64)> = long.iter().copied().filter(|(nodes, _)| *nodes >= SMALL).collect();
        let slope = slope(&large).or_else(|| slope(&long[long.len().saturating_sub(FITTED)..]));
        self.exponent = slope.map(|slope| 1.0 + slope);
    }
}

fn measure(query: &Query, source: &str, family: &Family, limit: Duration) -> Measured {
    let mut measured = Measured {
        source: source.to_owned(),
        family: family.name,
        times: Vec::new(),
        references: Vec::new(),
        exponent: None,
    };
    for (page, reference) in &family.pages {
        let time = shortest(query, page);
        measured.times.push((page.len(), time));
        measured.references.push(*reference);
        // The next page has √10 times the nodes: 32 times the time, if it is cubic.
        if time * 32 > limit * if measured.times.len() < 3 { 1 } else { 3 } {
            break;
        }
    }
    measured.fit();
    measured
}

/// The processor time of this thread, so that other programs do not count; where the system does not say it, the time
/// since the first call. The system adds the time up when a thread yields.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    std::thread::yield_now();
    let of_thread = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = of_thread.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// The shortest of a few evaluations; of one, if it takes long.
fn shortest(query: &Query, page: &Page) -> Duration {
    let mut best = Duration::MAX;
    let mut spent = Duration::ZERO;
    for _ in 0..5 {
        let start = now();
        // Only the time matters; a computed pattern may be invalid on some pages.
        let _ = std::hint::black_box(query.evaluate(page));
        let time = now().saturating_sub(start);
        best = best.min(time);
        spent += time;
        if spent > Duration::from_millis(60) {
            break;
        }
    }
    best
}

/// The slope of the line through the logarithms, by least squares; over at least a power of ten in nodes.
fn slope(points: &[(usize, f64)]) -> Option<f64> {
    let points: Vec<(f64, f64)> = points
        .iter()
        .map(|(nodes, time)| ((*nodes as f64).ln(), time.ln()))
        .collect();
    let (first, last) = (points.first()?, points.last()?);
    if last.0 - first.0 < 2.0 {
        return None;
    }
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
    let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let below: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    Some(above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small search by the number of visits, which is the same on every machine. Linear evaluation visits each node a
    /// few times for each step and predicate; a quadratic one visits thousands of nodes for each.
    #[test]
    fn no_random_expression_visits_a_page_too_often() {
        const MOST_VISITS: u64 = 150;
        let mut random = Random::new(3);
        let pages: Vec<Page> = grammar::FAMILIES
            .into_iter()
            .map(|family| {
                let html = grammar::page(family, 12_000);
                Page::parse(html.as_bytes(), &ParseSettings::default()).expect("the page is small")
            })
            .collect();
        let mut measured = 0;
        for _ in 0..80 {
            let source = grammar::expression(&mut random);
            let query = Query::compile(&source).unwrap_or_else(|error| panic!("{source}: {error}"));
            if argued::reason(&source).is_some() {
                continue;
            }
            for page in &pages {
                let visits = query.visits(page).unwrap_or_else(|error| panic!("{source}: {error}"));
                let nodes = page.len() as u64;
                assert!(
                    visits <= MOST_VISITS * nodes,
                    "{source}: {visits} visits on {nodes} nodes"
                );
                measured += u64::from(visits > nodes);
            }
        }
        assert!(measured > 60, "only {measured} measurements say something");
    }

    /// The shapes that were slow, on 12,000 nodes.
    #[test]
    fn shapes_that_were_quadratic_are_not() {
        let shapes = [
            ("table", "count(//td[count(following::td) > 5])"),
            ("table", "count(//td[count(preceding::td) > 5])"),
            ("table", "count(//td[count(//td) > 5])"),
            ("table", "count(//td[not(. = preceding::td)])"),
            ("table", "count(//a[not(@href = preceding::a/@href)])"),
            ("table", "count(//td[. != //th or . > //b])"),
            ("table", "count(//td[count(preceding::h1 | preceding::b) > 5])"),
            ("table", "count(//td[string((preceding::b)[last()]) = '1'])"),
            ("table", "count(//tr[sum(preceding-sibling::tr/td[2]) > 5])"),
            ("siblings", "count(//p[count(preceding-sibling::*) > 5])"),
            (
                "siblings",
                "count(//p[count(following-sibling::li[@class = 'x1']) > 5])",
            ),
            ("siblings", "count(//p[preceding-sibling::u])"),
            ("siblings", "count(//p[count(../li) > 5])"),
            ("siblings", "count(//p/preceding-sibling::u[1])"),
            ("siblings", "count(//p/following-sibling::p[position() > 3])"),
            ("siblings", "count(//p[contains(.., 'zz')])"),
            ("siblings", "//preceding::b[translate(., '1', last())]"),
            ("tree", "count(//div[count(ancestor::div/preceding-sibling::div) > 5])"),
        ];
        let css = [
            "p ~ li:nth-child(2n)",
            "p ~ li:nth-last-child(3n)",
            "p:has(~ u)",
            "p ~ li ~ b",
            "li ~ p:nth-of-type(2n+1)",
        ];
        let css = css.map(|selector| oxpath::css::to_xpath(selector).expect("it is a selector"));
        let shapes = shapes
            .into_iter()
            .chain(css.iter().map(|xpath| ("siblings", xpath.as_str())));
        for (family, source) in shapes {
            let html = grammar::page(family, 12_000);
            let page = Page::parse(html.as_bytes(), &ParseSettings::default()).expect("the page is small");
            let query = Query::compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            let visits = query.visits(&page).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert!(visits <= 60 * page.len() as u64, "{source}: {visits} visits");
        }
    }

    #[test]
    fn the_slope_is_the_exponent() {
        let times = |exponent: f64| -> Vec<(usize, f64)> {
            NODES
                .iter()
                .map(|nodes| (*nodes, 1e-3 * (*nodes as f64).powf(exponent)))
                .collect()
        };
        for exponent in [0.0, 0.5, 1.0] {
            let found = slope(&times(exponent)).expect("there are enough points");
            assert!((found - exponent).abs() < 0.01, "{found} instead of {exponent}");
        }
        assert_eq!(slope(&times(1.0)[..2]), None, "too short a range");
    }
}

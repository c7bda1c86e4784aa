//! Compares the answers to XPath expressions with those of libxml2.
//!
//! libxml2 has been the common implementation for twenty years. If its answer differs from ours, one side has a bug or
//! somebody made a choice. This chore makes random expressions ([`generate`]) from the words of real pages
//! ([`vocabulary`]) and along nodes that exist ([`witness`]). It evaluates them on both sides ([`peer`]), and prints
//! every difference that is not in the list of `docs/conformance.md`. Both sides see the same tree: the page that we
//! parsed, written as XML.
//!
//! XML cannot represent every page. If the dump changed a node, expressions about it would differ for reasons unrelated
//! to XPath. So names that XML forbids, and dashes in comments, are replaced in the source first, and a page that still
//! cannot be represented is skipped in favour of the next one of its site.

mod generate;
mod known;
mod peer;
mod vocabulary;
mod witness;

use crate::random::Random;
use crate::{Options, pages};
use anyhow::{Context, Result, bail};
use generate::Generator;
use oxpath::{Query, Value};
use page::{Kind, NodeId, Page, ParseSettings, Paths};
use peer::{Answer, Peer};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use vocabulary::Vocabulary;

/// Runs the comparison; the exit code is 1 if there is a disagreement, 2 if there is nothing to compare with.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let expressions = options.number("expressions", 6000)? as usize;
    let seed = options.number("seed", 1)?;
    let show = options.number("show", 20)? as usize;
    let Some(mut peer) = Peer::start(options.text("python").unwrap_or("python3"))? else {
        eprintln!("{}", peer::MISSING);
        return Ok(ExitCode::from(2));
    };
    let surprises = known::check(&mut peer)?;
    let pages = choose_pages(options)?;
    println!(
        "{expressions} expressions about {} pages, seed {seed}, against {}",
        pages.len(),
        peer.versions
    );
    let mut totals = Totals {
        disagreements: surprises,
        ..Totals::default()
    };
    for (at, (path, page)) in pages.iter().enumerate() {
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(at as u64));
        let nodes = peer
            .load(page.to_xml(NodeId::DOCUMENT))
            .with_context(|| path.display().to_string())?;
        if nodes != page.len() {
            bail!(
                "{}: the page has {} nodes, its dump {nodes}",
                path.display(),
                page.len()
            );
        }
        let words = Vocabulary::of(page, &mut random);
        let share = expressions * (at + 1) / pages.len() - expressions * at / pages.len();
        for _ in 0..share {
            let context = context_node(page, &mut random);
            let expression = Generator::new(page, &words, &mut random, context).expression();
            totals.compare(&mut peer, path, page, context, &expression, show)?;
        }
    }
    totals.print();
    Ok(if totals.disagreements == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The results.
#[derive(Default)]
struct Totals {
    agreements: usize,
    not_empty: usize,
    refused: usize,
    rounding: usize,
    too_slow: usize,
    disagreements: usize,
    our_time: Duration,
    our_slowest: Option<(Duration, String)>,
}

impl Totals {
    fn compare(
        &mut self,
        peer: &mut Peer,
        path: &Path,
        page: &Page,
        context: NodeId,
        expression: &str,
        show: usize,
    ) -> Result<()> {
        let start = Instant::now();
        let ours = evaluate(page, context, expression);
        let took = start.elapsed();
        self.our_time += took;
        if self.our_slowest.as_ref().is_none_or(|(slowest, _)| took > *slowest) {
            self.our_slowest = Some((took, expression.to_owned()));
        }
        let theirs = match peer.ask(context, expression)? {
            Answer::TooSlow => {
                self.too_slow += 1;
                return Ok(());
            }
            Answer::Value(value) => Ok(value),
            Answer::Error(error) => Err(error),
        };
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) if same(ours, theirs) => {
                self.agreements += 1;
                self.not_empty += usize::from(!is_empty(ours));
            }
            (Err(_), Err(_)) => self.refused += 1,
            (Ok(ours), Ok(theirs)) if differ_by_rounding(ours, theirs) => self.rounding += 1,
            _ => {
                self.disagreements += 1;
                if self.disagreements <= show {
                    let mut paths = Paths::new(page);
                    println!("\n{expression}");
                    println!("  page    {}, context {}", path.display(), paths.path(context));
                    println!("  ours    {}", describe(&ours, theirs.as_ref().ok(), &mut paths));
                    println!("  theirs  {}", describe(&theirs, ours.as_ref().ok(), &mut paths));
                }
            }
        }
        Ok(())
    }

    fn print(&self) {
        let total = self.agreements + self.refused + self.rounding + self.too_slow + self.disagreements;
        println!("\n{total:>8} expressions");
        println!(
            "{:>8} agreements, {} of them about something",
            self.agreements, self.not_empty
        );
        println!("{:>8} refused by both", self.refused);
        println!(
            "{:>8} known differences: libxml2 rounds a decimal to a neighbour",
            self.rounding
        );
        println!("{:>8} not compared: libxml2 took too long", self.too_slow);
        println!("{:>8} disagreements", self.disagreements);
        if let Some((slowest, expression)) = &self.our_slowest {
            println!("our time {:.1?}, at most {slowest:.1?} for {expression}", self.our_time);
        }
    }
}

fn evaluate(page: &Page, context: NodeId, expression: &str) -> Result<Value, String> {
    let query = Query::compile(expression).map_err(|found| {
        let messages: Vec<String> = found
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.message.clone())
            .collect();
        messages.join("; ")
    })?;
    query.evaluate_at(page, context).map_err(|error| error.to_string())
}

/// Are two values equal? All NaN count as equal.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => ours == theirs || (ours.is_nan() && theirs.is_nan()),
        _ => ours == theirs,
    }
}

/// libxml2 reads `12.99` as 12 + 99 / 100, which may be next to the nearest floating-point number.
fn differ_by_rounding(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => (ours - theirs).abs() <= 1e-14 * ours.abs().max(theirs.abs()),
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Nodes(nodes) => nodes.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Number(number) => *number == 0.0 || number.is_nan(),
        Value::Boolean(_) => false,
    }
}

/// Describes a value; for nodes only those that the other side does not have.
fn describe(value: &Result<Value, String>, other: Option<&Value>, paths: &mut Paths<'_>) -> String {
    match (value, other) {
        (Ok(Value::Nodes(nodes)), Some(Value::Nodes(others))) => {
            let mut extra = nodes.iter().filter(|node| !others.contains(node));
            let some: Vec<String> = extra.by_ref().take(3).map(|node| paths.path(*node)).collect();
            format!(
                "{} nodes, {} of them here alone: {}",
                nodes.len(),
                some.len() + extra.count(),
                some.join(" ")
            )
        }
        (Ok(Value::Nodes(nodes)), _) => format!("{} nodes", nodes.len()),
        (Ok(value), _) => format!("{value:?}").chars().take(300).collect(),
        (Err(error), _) => format!("error: {error}"),
    }
}

/// A context node: mostly the root.
fn context_node(page: &Page, random: &mut Random) -> NodeId {
    if random.chance(50) {
        return page.elements()[0];
    }
    *random.pick(page.elements())
}

fn choose_pages(options: &Options) -> Result<Vec<(PathBuf, Page)>> {
    let mut chosen = Vec::new();
    if let Some(directory) = options.text("pages") {
        for path in pages::files_below(Path::new(directory), &["htm", "html"])? {
            chosen.extend(readable(&path)?.map(|page| (path, page)));
        }
    } else {
        let wanted = options.number("per-site", 2)? as usize;
        for (site, mut paths) in pages::sites()? {
            let before = chosen.len();
            // Small pages first: libxml2 takes quadratic time for many expressions.
            paths.sort_by_key(|path| path.metadata().map_or(u64::MAX, |metadata| metadata.len()));
            for path in paths {
                if chosen.len() < before + wanted {
                    chosen.extend(readable(&path)?.map(|page| (path, page)));
                }
            }
            if chosen.len() == before {
                println!("{site}: XML can carry none of its pages");
            }
        }
    }
    if chosen.is_empty() {
        bail!("there is no page that XML can carry");
    }
    Ok(chosen)
}

/// A page in a form that XML can represent, if there is one.
fn readable(path: &Path) -> Result<Option<Page>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let page = readable_bytes(&bytes, true).with_context(|| path.display().to_string())?;
    let carried = (0..page.len() as u32).map(NodeId).all(|node| {
        let text = page.string_value(node);
        let is_comment = page.kind(node) == Kind::Comment;
        let is_forbidden = |c: char| match c {
            '\t' | '\n' | '\r' => false,
            _ => c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}'),
        };
        is_xml_name(page.name(node))
            && !text.contains(is_forbidden)
            && !(is_comment && (text.contains("--") || text.ends_with('-') || text.contains('\r')))
    });
    Ok(carried.then_some(page))
}

/// Parses a page with as few changes as XML requires.
fn readable_bytes(bytes: &[u8], around_bug: bool) -> Result<Page> {
    let page = Page::parse(bytes, &ParseSettings::default())?;
    let mut source = bytes.to_vec();
    for node in (0..page.len() as u32).map(NodeId) {
        let name = page.name(node);
        if !is_xml_name(name) {
            let plain: Vec<u8> = name
                .bytes()
                .map(|b| if b.is_ascii_alphanumeric() { b } else { b'-' })
                .collect();
            replace(&mut source, name.as_bytes(), &[b"x", &plain[1..]].concat());
        }
    }
    replace(&mut source, b"xmlns", b"no-ns");
    replace_dashes_in_comments(&mut source);
    // The `preceding` axis of libxml2 omits a root element that is the first node of the document, if evaluated after
    // it.
    if around_bug && page.end(page.elements()[0]) < page.end(NodeId::DOCUMENT) {
        let mark = if source.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        source.splice(mark..mark, *b"<!---->");
    }
    Ok(Page::parse(&source, &ParseSettings::default())?)
}

/// Is it empty, or a name that the dump writes unchanged?
fn is_xml_name(name: &str) -> bool {
    !name.starts_with(|c: char| !c.is_ascii_alphabetic())
        && !name.starts_with("xmlns")
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// XML forbids two dashes in a comment, and one at its end.
fn replace_dashes_in_comments(text: &mut [u8]) {
    let mut at = 0;
    let find = |text: &[u8], from: usize, what: &[u8]| {
        text[from..]
            .windows(what.len())
            .position(|window| window == what)
            .map(|found| from + found)
    };
    while let Some(start) = find(text, at, b"<!--").map(|start| start + 4) {
        at = find(text, start, b"-->").unwrap_or(text.len());
        text[start..at]
            .iter_mut()
            .filter(|byte| **byte == b'-')
            .for_each(|byte| *byte = b'=');
    }
}

/// Replaces a word, in any case, by another one.
fn replace(text: &mut Vec<u8>, word: &[u8], with: &[u8]) {
    let mut at = 0;
    while at + word.len() <= text.len() {
        if text[at..at + word.len()].eq_ignore_ascii_case(word) {
            text.splice(at..at + word.len(), with.iter().copied());
            at += with.len();
        } else {
            at += 1;
        }
    }
}

//! The translation against a matcher that looks at elements one by one.
//!
//! Selectors are generated as trees and printed, with spaces, comments and escapes strewn in. The parser must give the
//! tree back, and the XPath must find what [`matches`] finds, which follows the words of the Selectors specification and
//! asks of each element of a page whether it fits, trying all elements for what stands left of a combinator.

use super::super::parse;
use super::super::{Combinator, Compare, Compound, Nth, Selector, Step, Take, Test};
use crate::oracle::generate::{self, Tape};
use crate::{Query, Value};
use page::{Kind, NodeId, Page};
use proptest::collection::vec;
use proptest::num::u16::ANY;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use std::cell::Cell;

fn elements(page: &Page) -> impl Iterator<Item = NodeId> + '_ {
    (0..page.len() as u32)
        .map(NodeId)
        .filter(|node| page.kind(*node) == Kind::Element)
}

fn name(page: &Page, node: NodeId) -> String {
    page.name(node).to_ascii_lowercase()
}

/// The elements with the same parent, the element itself among them.
fn siblings(page: &Page, node: NodeId) -> Vec<NodeId> {
    elements(page)
        .filter(|other| page.parent(*other) == page.parent(node))
        .collect()
}

fn related(page: &Page, left: NodeId, combinator: Combinator, right: NodeId) -> bool {
    let family = siblings(page, right);
    let place = |node| family.iter().position(|other| *other == node);
    match combinator {
        Combinator::Descendant => page.ancestors(right).any(|above| above == left),
        Combinator::Child => page.parent(right) == Some(left),
        Combinator::Next => place(left).is_some_and(|at| Some(at + 1) == place(right)),
        Combinator::Later => place(left).is_some_and(|at| Some(at) < place(right)),
    }
}

/// Does an element fit the end of a path that begins anywhere, or at an element?
fn fits(page: &Page, start: Option<NodeId>, path: &[Step], node: NodeId) -> bool {
    let Some((last, before)) = path.split_last() else {
        return false;
    };
    let left = |left| related(page, left, last.combinator, node);
    matches(page, &last.compound, node)
        && match (before, start) {
            ([], None) => true,
            ([], Some(start)) => left(start),
            _ => elements(page).any(|other| left(other) && fits(page, start, before, other)),
        }
}

fn matches(page: &Page, compound: &Compound, node: NodeId) -> bool {
    let any = |list: &[Compound]| list.iter().any(|inner| matches(page, inner, node));
    compound.name.as_ref().is_none_or(|wanted| *wanted == name(page, node))
        && compound.tests.iter().all(|test| match test {
            Test::Attribute { name, compare, value } => {
                let found = page.attribute_value(node, name);
                found.is_some_and(|found| compared(found, *compare, value))
            }
            Test::Nth(nth) => {
                let mut family = siblings(page, node);
                family.retain(|other| nth.of.is_none() || name(page, *other) == name(page, node));
                if nth.from_end {
                    family.reverse();
                }
                let index = 1 + family
                    .iter()
                    .position(|other| *other == node)
                    .expect("it is one of them") as i64;
                (0..100).any(|n| nth.step * n + nth.offset == index)
            }
            Test::Not(list) => !any(list),
            Test::Is(list) => any(list),
            Test::Has(paths) => paths
                .iter()
                .any(|path| elements(page).any(|other| fits(page, Some(node), path, other))),
            Test::Empty => page.children(node).all(|child| page.kind(child) == Kind::Comment),
            Test::Root => page.parent(node) == Some(NodeId::DOCUMENT),
            Test::Contains(text) => page.string_value(node).contains(&**text),
        })
}

fn compared(found: &str, compare: Compare, value: &str) -> bool {
    let some = !value.is_empty();
    match compare {
        Compare::Exists => true,
        Compare::Equal => found == value,
        Compare::Word => found.split([' ', '\t', '\n', '\r']).any(|word| some && word == value),
        Compare::Dash => found == value || found.strip_prefix(value).is_some_and(|rest| rest.starts_with('-')),
        Compare::Prefix => some && found.starts_with(value),
        Compare::Suffix => some && found.ends_with(value),
        Compare::Infix => some && found.contains(value),
    }
}

/// The nodes that selectors find, in document order.
fn find(page: &Page, selectors: &[Selector]) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for Selector { path, take } in selectors {
        let matched: Vec<NodeId> = elements(page).filter(|node| fits(page, None, path, *node)).collect();
        // `a ::text` means the text of `a` as well.
        let last = path.last().expect("paths are not empty");
        let before = &path[..path.len() - 1];
        let bare = last.combinator == Combinator::Descendant && last.compound == Compound::default();
        let itself = elements(page).filter(|node| bare && fits(page, None, before, *node));
        let sources = matched.iter().copied().chain(itself);
        match take {
            Take::Elements => nodes.extend(matched),
            Take::Text => nodes
                .extend(sources.flat_map(|node| page.children(node).filter(|child| page.kind(*child) == Kind::Text))),
            Take::Attribute(wanted) => nodes.extend(
                sources
                    .flat_map(|node| page.attributes(node).map(NodeId))
                    .filter(|at| name(page, *at) == *wanted),
            ),
        }
    }
    nodes.sort();
    nodes.dedup();
    nodes
}

const NAMES: [&str; 10] = [
    "b",
    "div",
    "span",
    "ul",
    "li",
    "x:b",
    "template",
    "body",
    "lineargradient",
    "a.b",
];
const ATTRIBUTES: [&str; 6] = ["class", "id", "n", "lang", "x:n", "title"];
const VALUES: [&str; 16] = [
    "x", "1", "y", "xx", "2", "x y", " ", "", "de", "b", "äx€", "\u{a0}x", "y\tx\n y", "'", "\"'", "a\\b\"",
];

/// One of a list, mostly of its first.
fn likely(tape: &mut Tape<'_>, from: &[&str]) -> String {
    let most = if tape.once_in(3) { from.len() } else { 5 };
    tape.pick(&from[..most]).to_owned()
}

fn selectors(tape: &mut Tape<'_>) -> Vec<Selector> {
    let one = |tape: &mut Tape<'_>| Selector {
        path: path(tape, Combinator::Descendant, 2),
        take: match tape.below(8) {
            6 => Take::Text,
            7 => Take::Attribute(likely(tape, &ATTRIBUTES)),
            _ => Take::Elements,
        },
    };
    (0..=tape.below(6) / 5).map(|_| one(tape)).collect()
}

fn combinator(tape: &mut Tape<'_>) -> Combinator {
    use Combinator::{Child, Descendant, Later, Next};
    tape.pick(&[Descendant, Child, Next, Later])
}

fn path(tape: &mut Tape<'_>, first: Combinator, depth: usize) -> Vec<Step> {
    let mut steps = vec![Step {
        combinator: first,
        compound: compound(tape, None, depth),
    }];
    for _ in 0..tape.below(5) / 2 {
        steps.push(Step {
            combinator: combinator(tape),
            compound: compound(tape, None, depth),
        });
    }
    steps
}

fn compound(tape: &mut Tape<'_>, around: Option<&str>, depth: usize) -> Compound {
    let name = tape.once_in(2).then(|| likely(tape, &NAMES));
    let name = name.filter(|_| around.is_none() || tape.once_in(4));
    let known = name.as_deref().or(around);
    let most = tape.pick(&[0, 1, 1, 0, 1, 2, 3]);
    let tests = (0..most).map(|_| test(tape, known, depth)).collect();
    Compound { name, tests }
}

fn test(tape: &mut Tape<'_>, name: Option<&str>, depth: usize) -> Test {
    use Compare::{Dash, Equal, Exists, Infix, Prefix, Suffix, Word};
    let list = |tape: &mut Tape<'_>| (0..=tape.below(2)).map(|_| compound(tape, name, depth - 1)).collect();
    match tape.below(if depth == 0 { 10 } else { 14 }) {
        0..3 => {
            let compare = tape.pick(&[Word, Equal, Exists, Dash, Prefix, Suffix, Infix]);
            let value = likely(tape, &VALUES);
            Test::Attribute {
                name: likely(tape, &ATTRIBUTES),
                compare,
                value: if compare == Exists { String::new() } else { value },
            }
        }
        3..7 => Test::Nth(Nth {
            step: tape.pick(&[0, 0, 1, 2, 3, -1, -2]),
            offset: tape.pick(&[1, 2, 3, 0, -1, 4, -3]),
            from_end: tape.once_in(3),
            of: name.filter(|_| tape.once_in(2)).map(str::to_owned),
        }),
        7 => Test::Empty,
        8 if tape.once_in(3) => Test::Root,
        8 | 9 => Test::Contains(likely(tape, &VALUES)),
        10 | 11 => Test::Not(list(tape)),
        12 => Test::Is(list(tape)),
        _ => {
            let one = |tape: &mut Tape<'_>| {
                let first = combinator(tape);
                path(tape, first, depth - 1)
            };
            Test::Has((0..=tape.below(2)).map(|_| one(tape)).collect())
        }
    }
}

/// Prints what was generated, by whims of its own.
struct Printer<'t> {
    whims: Tape<'t>,
}

impl Printer<'_> {
    fn gap(&mut self) -> &'static str {
        self.whims.pick(&["", "", " ", "/* , */", "\n\t", " /**/ "])
    }

    fn list<T>(&mut self, list: &[T], one: impl Fn(&mut Self, &T) -> String) -> String {
        let mut out = String::new();
        for (at, item) in list.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            out += &[comma, self.gap(), &one(self, item), self.gap()].concat();
        }
        out
    }

    fn selector(&mut self, selector: &Selector) -> String {
        // White space before `::` would be a combinator.
        let path = self.path(&selector.path, false);
        match &selector.take {
            Take::Elements => path,
            Take::Text => path + "::text",
            Take::Attribute(name) => format!("{path}::attr({}{}{})", self.gap(), self.ident(name), self.gap()),
        }
    }

    fn path(&mut self, steps: &[Step], relative: bool) -> String {
        let mut out = String::new();
        for (at, step) in steps.iter().enumerate() {
            let sign = match step.combinator {
                Combinator::Descendant => " ",
                Combinator::Child => ">",
                Combinator::Next => "+",
                Combinator::Later => "~",
            };
            if at > 0 || relative {
                out += &[self.gap(), sign, self.gap()].concat();
            }
            out += &self.compound(&step.compound);
        }
        out
    }

    fn compound(&mut self, compound: &Compound) -> String {
        let mut out = match &compound.name {
            Some(name) if self.whims.once_in(4) => self.ident(&name.to_ascii_uppercase()),
            Some(name) => self.ident(name),
            None if compound.tests.is_empty() || self.whims.once_in(3) => "*".to_owned(),
            None => String::new(),
        };
        for test in &compound.tests {
            if self.whims.once_in(8) && !out.is_empty() {
                out += "/* x */";
            }
            out += &self.test(test);
        }
        out
    }

    fn test(&mut self, test: &Test) -> String {
        match test {
            Test::Attribute {
                name,
                compare: Compare::Word,
                value,
            } if name == "class" && !value.is_empty() && self.whims.once_in(2) => ".".to_owned() + &self.ident(value),
            Test::Attribute {
                name,
                compare: Compare::Equal,
                value,
            } if name == "id" && !value.is_empty() && self.whims.once_in(2) => "#".to_owned() + &self.ident(value),
            Test::Attribute { name, compare, value } => {
                let sign = match compare {
                    Compare::Exists => return ["[", self.gap(), &self.ident(name), self.gap(), "]"].concat(),
                    Compare::Equal => "=",
                    Compare::Word => "~=",
                    Compare::Dash => "|=",
                    Compare::Prefix => "^=",
                    Compare::Suffix => "$=",
                    Compare::Infix => "*=",
                };
                let (name, value) = (self.ident(name), self.text(value));
                [
                    "[",
                    self.gap(),
                    &name,
                    self.gap(),
                    sign,
                    self.gap(),
                    &value,
                    self.gap(),
                    "]",
                ]
                .concat()
            }
            Test::Nth(nth) => self.nth(nth),
            Test::Not(list) => format!(":not({})", self.list(list, Self::compound)),
            Test::Is(list) => format!(":is({})", self.list(list, Self::compound)),
            Test::Has(paths) => format!(":has({})", self.list(paths, |printer, path| printer.path(path, true))),
            Test::Empty => ":empty".to_owned(),
            Test::Root => ":root".to_owned(),
            Test::Contains(text) => [":contains(", self.gap(), &self.text(text), self.gap(), ")"].concat(),
        }
    }

    fn nth(&mut self, nth: &Nth) -> String {
        let kind = if nth.of.is_some() { "of-type" } else { "child" };
        let (from, end) = if nth.from_end {
            ("nth-last", "last")
        } else {
            ("nth", "first")
        };
        match (nth.step, nth.offset) {
            (0, 1) if self.whims.once_in(2) => format!(":{end}-{kind}"),
            (0, offset) => format!(":{from}-{kind}({}{offset}{})", self.gap(), self.gap()),
            (2, 1) if self.whims.once_in(2) => format!(":{from}-{kind}(odd)"),
            (2, 0) if self.whims.once_in(2) => format!(":{from}-{kind}( EVEN)"),
            (step, 0) => format!(":{from}-{kind}({step}n)"),
            (step, offset) => {
                let step = match step {
                    1 => "n".to_owned(),
                    -1 => "-n".to_owned(),
                    _ => format!("{step}n"),
                };
                let sign = if offset < 0 { "-" } else { "+" };
                let gaps = [self.gap(), self.gap()];
                format!(":{from}-{kind}({step}{}{sign}{}{})", gaps[0], gaps[1], offset.abs())
            }
        }
    }

    /// A name, with all escaped that must be, and some that need not.
    fn ident(&mut self, name: &str) -> String {
        let mut out = String::new();
        for (at, c) in name.char_indices() {
            let last = at + c.len_utf8() == name.len();
            let plain = c.is_ascii_alphabetic() || c == '€' || c == 'ä';
            if plain && !self.whims.once_in(12) {
                out.push(c);
            } else if !c.is_ascii_alphanumeric() && !c.is_whitespace() && self.whims.once_in(2) {
                out.extend(['\\', c]);
            } else if !last && self.whims.once_in(2) {
                // A space after it would belong to it, even if it has all its digits.
                out += &format!("\\{:06X}", u32::from(c));
            } else {
                out += &format!("\\{:x} ", u32::from(c));
            }
        }
        out
    }

    fn text(&mut self, text: &str) -> String {
        if !text.is_empty() && self.whims.once_in(3) {
            return self.ident(text);
        }
        let quote = self.whims.pick(&["'", "\""]);
        let inner = text
            .replace('\\', "\\\\")
            .replace('\n', "\\a ")
            .replace(quote, &format!("\\{quote}"));
        [quote, &inner, quote].concat()
    }
}

#[test]
fn xpath_finds_what_the_matcher_finds() {
    let from_environment = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let cases = from_environment("ORACLE_CASES").map_or(3000, |cases: u64| cases as u32);
    let mut runner = TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(from_environment("ORACLE_SEED").unwrap_or(2011)),
        failure_persistence: None,
        ..Config::default()
    });
    let (found, partial) = (Cell::new(0), Cell::new(0));
    let tapes = (vec(ANY, 0..240), vec(ANY, 0..80), vec(ANY, 0..60));
    let outcome = runner.run(&tapes, |(page, selector, whims)| {
        let html = generate::page(&mut Tape::new(&page));
        let page = super::parse(&html);
        let expected = selectors(&mut Tape::new(&selector));
        let whims = Tape::new(&whims);
        let source = Printer { whims }.list(&expected, Printer::selector);
        let parsed = parse::parse(&source).map_err(|error| TestCaseError::fail(format!("{source}\n{error}")))?;
        if parsed != expected {
            return Err(TestCaseError::fail(format!("{source}\n{parsed:?}\n{expected:?}")));
        }
        let xpath = super::to_xpath(&source).map_err(|error| TestCaseError::fail(format!("{source}\n{error}")))?;
        let query = Query::compile(&xpath).map_err(|errors| TestCaseError::fail(format!("{xpath}\n{errors:?}")))?;
        let (ours, theirs) = (query.evaluate(&page), find(&page, &expected));
        if ours != Ok(Value::Nodes(theirs.clone())) || !super::is_quiet(&query) {
            let message = format!("{html}\n{source}\n{xpath}\n{ours:?} instead of {theirs:?}");
            return Err(TestCaseError::fail(message));
        }
        found.set(found.get() + u32::from(!theirs.is_empty()));
        partial.set(partial.get() + u32::from(!theirs.is_empty() && theirs.len() < elements(&page).count() / 2));
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        // The tapes say nothing to anybody; the reason has all.
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(error) => panic!("{error}"),
    }
    // Selectors that find nothing would agree with anything.
    assert!(
        found.get() > cases / 4 && partial.get() > cases / 8,
        "{found:?} {partial:?} of {cases}"
    );
}

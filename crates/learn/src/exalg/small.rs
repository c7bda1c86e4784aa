//! Classes that the thresholds miss.
//!
//! A class needs SIZETHRES tokens because smaller ones are mostly accidents of markup. But a plain list has only the
//! start and the end of its elements. So, when nothing else is left to find, the start and end of an element that are
//! in no class also become a class, if they repeat and mostly contain text. Elements for items of a list (`li`) need to repeat less, and so do those that
//! the same words are always between, as in a line of names: `<a>Ada</a>, <a>Bob</a>`. And a class needs SUPTHRES because rare
//! ones are mostly words of the data. But many tokens that occur together on a few pages are not chance either: the
//! last stage accepts classes of twice the size on a tenth of the pages, so that optional and rare parts do not remain
//! in the text of their neighbours.

use super::dtokens::Symbol;
use super::findeq::{Class, Dtoken, Limits, Member, NONE, Strings, find, members};
use super::handinv;
use std::collections::{BTreeMap, BTreeSet};
use wrapper::rule::template::What;

/// How often an element must be on a page, on average, to be one of a list.
const OFTEN: usize = 3;

/// In a line, this many times two elements must have the same words between them.
const PAIRS: usize = 5;

/// Rare classes are on at least one page in this many.
const RARE: usize = 10;
/// And on at least this many pages.
const FEWEST: usize = 3;

/// Which classes are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Those of the paper.
    Large,
    /// Also single elements.
    Pairs,
    /// Also classes that are large, but rare.
    Rare,
}

impl Stage {
    pub(crate) fn next(self) -> Option<Stage> {
        match self {
            Stage::Large => Some(Stage::Pairs),
            Stage::Pairs => Some(Stage::Rare),
            Stage::Rare => None,
        }
    }
}

/// The classes of a stage, ordered and nested.
pub(crate) fn handle<'s>(
    strings: &Strings,
    limits: Limits,
    stage: Stage,
    symbol: impl Fn(Dtoken) -> Option<&'s Symbol>,
    is_item: impl Fn(&Symbol) -> bool,
) -> Vec<Class> {
    if stage == Stage::Large {
        return handinv::handle(strings, find(strings, limits), limits);
    }
    let pair = |class: &Class| match class.tokens[..] {
        [start, end] => match (symbol(start), symbol(end)) {
            (Some(start), Some(end)) => start.path == end.path && start.what == What::Start && end.what == What::End,
            _ => false,
        },
        _ => false,
    };
    let rare = strings.pages.len().div_ceil(RARE).max(FEWEST);
    let small = Limits {
        paper: limits.paper,
        size: limits.size.min(2),
        support: if stage == Stage::Rare {
            limits.support.min(rare)
        } else {
            limits.support
        },
    };
    let mut classes = find(strings, small);
    let texts = texts(strings, &classes);
    let lines = lines(strings, &classes);
    let mut number = 0;
    classes.retain(|class| {
        let (times, texts) = texts[number];
        let item = class
            .tokens
            .first()
            .and_then(|token| symbol(*token))
            .is_some_and(&is_item);
        let often =
            times >= OFTEN * class.vector.len() || lines[number].is_list() || item && times > class.vector.len();
        number += 1;
        let size = class.tokens.len();
        let frequent = class.vector.len() >= limits.support;
        match frequent {
            true => size >= limits.size || pair(class) && often && texts * 2 >= times,
            false => size >= 2 * limits.size,
        }
    });
    let mut classes = handinv::handle(strings, classes, small);
    classes.retain(|class| class.tokens.len() >= limits.size || pair(class));
    classes
}

/// For each class of two tokens, how often it occurs, and how often with words.
fn texts(strings: &Strings, classes: &[Class]) -> Vec<(usize, usize)> {
    let members = members(classes, strings.count);
    let mut out = vec![(0, 0); classes.len()];
    let mut words = 0usize;
    let mut begun = vec![usize::MAX; classes.len()];
    for (page, nodes) in strings.pages.iter().zip(&strings.nodes) {
        for (at, token) in page.iter().enumerate() {
            words += usize::from(nodes[at] != NONE);
            let Member { class, place } = members[*token as usize];
            if class == NONE || classes[class as usize].tokens.len() != 2 {
                continue;
            }
            if place == 0 {
                begun[class as usize] = words;
            } else {
                out[class as usize].0 += 1;
                out[class as usize].1 += usize::from(begun[class as usize] < words);
            }
        }
    }
    out
}

/// What is between two elements of a class with the same parent.
#[derive(Clone, Default)]
struct Line {
    /// The words between them, if there are always the same and nothing else.
    between: Option<Vec<Dtoken>>,
    odd: bool,
    /// How often two are beside each other, and which numbers of them an element has.
    pairs: usize,
    counts: BTreeSet<usize>,
}

impl Line {
    /// Are they items of a line: the same words between any two, and not always the same number of them?
    fn is_list(&self) -> bool {
        !self.odd && self.pairs >= PAIRS && self.counts.len() > 1
    }
}

/// For each class of two tokens, what is between its elements.
fn lines(strings: &Strings, classes: &[Class]) -> Vec<Line> {
    let members = members(classes, strings.count);
    let mut out: Vec<Line> = vec![Line::default(); classes.len()];
    for (number, page) in strings.pages.iter().enumerate() {
        let (Some(parents), Some(nodes)) = (strings.parents.get(number), strings.nodes.get(number)) else {
            continue;
        };
        // For each class, where its last element ended, in which parent, and how many it has there.
        let mut last: BTreeMap<u32, (usize, u32, usize)> = BTreeMap::new();
        for (at, token) in page.iter().enumerate() {
            let Member { class, place } = members[*token as usize];
            if class == NONE || classes[class as usize].tokens.len() != 2 {
                continue;
            }
            let line = &mut out[class as usize];
            if place == 1 {
                let (end, _, _) = last.entry(class).or_insert((at, parents[at], 1));
                *end = at;
                continue;
            }
            match last.get_mut(&class) {
                Some((end, parent, count)) if *parent == parents[at] => {
                    let between = &page[*end + 1..at];
                    let words = !between.is_empty() && (*end + 1..at).all(|at| nodes[at] != NONE);
                    line.odd |= !words || line.between.as_ref().is_some_and(|known| known != between);
                    line.between.get_or_insert_with(|| between.to_vec());
                    line.pairs += 1;
                    *count += 1;
                }
                Some(known) => {
                    line.counts.insert(known.2);
                    *known = (at, parents[at], 1);
                }
                None => {
                    last.insert(class, (at, parents[at], 1));
                }
            }
        }
        for (class, (_, _, count)) in last {
            out[class as usize].counts.insert(count);
        }
    }
    out
}

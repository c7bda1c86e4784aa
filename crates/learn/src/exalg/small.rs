//! Classes that the thresholds miss.
//!
//! A class needs SIZETHRES tokens because smaller ones are mostly accidents of markup. But a plain list has only the
//! start and the end of its elements. So, when nothing else is left to find, the start and end of an element that are
//! in no class also become a class, if they repeat and mostly contain text. And a class needs SUPTHRES because rare
//! ones are mostly words of the data. But many tokens that occur together on a few pages are not chance either: the
//! last stage accepts classes of twice the size on a tenth of the pages, so that optional and rare parts do not remain
//! in the text of their neighbours.

use super::dtokens::Symbol;
use super::findeq::{Class, Dtoken, Limits, Member, NONE, Strings, find, members};
use super::handinv;
use wrapper::rule::template::What;

/// How often an element must be on a page, on average, to be one of a list.
const OFTEN: usize = 3;

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
    let mut number = 0;
    classes.retain(|class| {
        let (times, texts) = texts[number];
        number += 1;
        let size = class.tokens.len();
        let frequent = class.vector.len() >= limits.support;
        match frequent {
            true => size >= limits.size || pair(class) && times >= OFTEN * class.vector.len() && texts * 2 >= times,
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

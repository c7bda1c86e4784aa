//! Distinguishes tags by their place in the tree.
//!
//! Tags come in pairs, and elements have contents; the paper ignores that. An end tag has the same role as its start
//! tag. And an element that directly contains a token of the root class, which occurs once on each page, is different
//! from all others with its path: the cell around a label, then the row around that cell. Only the root determines
//! roles upwards: in the rows of a list something may be missing, and a row without it is a row like the others. There is one exception: an element
//! that begins and ends with words of one class that no page has twice ("Members rate it 4.2 stars", which few pages have) has the role of that class.
//!
//! Two passes over the pages.

use super::findeq::{Class, Dtoken, Member, NONE, Strings, members};
use std::collections::HashMap;

/// Differentiates dtokens; returns the old dtoken for each new one, or `None` if no dtoken could be differentiated.
pub(crate) fn differentiate(strings: &mut Strings, classes: &[Class]) -> Option<Vec<Dtoken>> {
    let root = classes.iter().position(|class| strings.is_root(class))? as u32;
    let members = members(classes, strings.count);
    let frames = frames(strings, classes, &members);
    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    let mut first: Vec<u32> = vec![NONE; strings.count as usize];
    let mut again: HashMap<(Dtoken, u32), Dtoken> = HashMap::new();
    for ((page, (parents, mates)), frames) in strings
        .pages
        .iter_mut()
        .zip(strings.parents.iter().zip(&strings.mates))
        .zip(&frames)
    {
        let mut held: HashMap<u32, Dtoken> = HashMap::new();
        for (token, parent) in page.iter().zip(parents) {
            if *parent != NONE && members[*token as usize].class == root {
                held.entry(*parent).or_insert(*token);
            }
        }
        for at in 0..page.len() {
            let token = page[at];
            let mate = mates[at];
            if mate == NONE || members[token as usize].class != NONE {
                continue;
            }
            let context = match (mate as usize) < at {
                true => page[mate as usize],
                false => held
                    .get(&(at as u32))
                    .or(frames.get(&(at as u32)))
                    .copied()
                    .unwrap_or(NONE - 1),
            };
            let known = &mut first[token as usize];
            if *known == NONE {
                *known = context;
            } else if *known != context {
                page[at] = *again.entry((token, context)).or_insert_with(|| {
                    old.push(token);
                    old.len() as Dtoken - 1
                });
            }
        }
    }
    if again.is_empty() {
        return None;
    }
    strings.count = old.len() as u32;
    Some(old)
}

/// For each page the elements that begin and end with words of one class that no page has twice, with the first of these words: on all pages that
/// have the class, or it is a part of a longer text.
fn frames(strings: &Strings, classes: &[Class], members: &[Member]) -> Vec<HashMap<u32, Dtoken>> {
    let mut times = vec![0usize; classes.len()];
    let mut out: Vec<HashMap<u32, Dtoken>> = vec![HashMap::new(); strings.pages.len()];
    let class = |token: Dtoken| members[token as usize].class;
    for (number, nodes) in strings.nodes.iter().enumerate() {
        let (page, mates) = (&strings.pages[number], &strings.mates[number]);
        for (at, mate) in (0u32..)
            .zip(mates)
            .filter(|(at, mate)| **mate != NONE && **mate > at + 2)
        {
            let (from, to) = (at as usize + 1, *mate as usize - 1);
            let own = class(page[from]);
            if own != NONE && own == class(page[to]) && nodes[from] != NONE && nodes[to] != NONE {
                out[number].insert(at, page[from]);
                times[own as usize] += 1;
            }
        }
    }
    let always = |token: &Dtoken| {
        let class = &classes[class(*token) as usize];
        class.vector.iter().all(|(_, times)| *times == 1)
            && times[members[*token as usize].class as usize] == class.vector.len()
    };
    out.iter_mut()
        .for_each(|frames| frames.retain(|_, token| always(token)));
    out
}

//! Distinguishes tags by their place in the tree.
//!
//! Tags come in pairs, and elements have contents; the paper ignores that. An end tag has the same role as its start
//! tag. And an element that directly contains a token of the root class, which occurs once on each page, is different
//! from all others with its path: the cell around a label, then the row around that cell. Only the root determines
//! roles upwards: in the rows of a list something may be missing, and a row without it is a row like the others. There is one exception: an element
//! that begins and ends with words of one class that no page has twice ("Members rate it 4.2 stars", which few pages have) has the role of that class.
//!
//! One pass over the pages.

use super::findeq::{Class, Dtoken, NONE, Strings, members};
use std::collections::HashMap;

/// Differentiates dtokens; returns the old dtoken for each new one, or `None` if no dtoken could be differentiated.
pub(crate) fn differentiate(strings: &mut Strings, classes: &[Class]) -> Option<Vec<Dtoken>> {
    let root = classes.iter().position(|class| strings.is_root(class))? as u32;
    let members = members(classes, strings.count);
    let once: Vec<bool> = classes
        .iter()
        .map(|class| class.vector.iter().all(|(_, times)| *times == 1))
        .collect();
    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    let mut first: Vec<u32> = vec![NONE; strings.count as usize];
    let mut again: HashMap<(Dtoken, u32), Dtoken> = HashMap::new();
    for (number, (page, (parents, mates))) in strings
        .pages
        .iter_mut()
        .zip(strings.parents.iter().zip(&strings.mates))
        .enumerate()
    {
        let nodes = strings.nodes.get(number);
        // The first word of a class with which an element begins and ends.
        let framed = |page: &[Dtoken], start: usize, end: usize| {
            let word = |at: usize| nodes.is_some_and(|nodes| nodes[at] != NONE) && start < at && at < end;
            let class = |at: usize| members[page[at] as usize].class;
            let (from, to) = (start + 1, end.checked_sub(1)?);
            let same = word(from) && word(to) && class(from) == class(to) && class(from) != NONE;
            (same && from < to && once[class(from) as usize]).then(|| page[from])
        };
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
                    .copied()
                    .or_else(|| framed(page, at, mate as usize))
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

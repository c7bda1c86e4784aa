//! Telling tags apart by the tree.
//!
//! Tags come in pairs, and elements hold what is in them; the paper leaves that aside. An end tag has the role that its start
//! tag gives it. And an element that directly holds a token of the root class, which is once on each page, is that element and
//! no other of its path: the cell around a label, then the row around that cell. Only the root gives roles upwards: in
//! the rows of a list something may be missing, and a row without it is a row like the others.
//!
//! One pass over the pages.

use super::findeq::{Class, Dtoken, NONE, Strings, members};
use std::collections::HashMap;

/// Tells dtokens apart; gives for each new dtoken the old one, or nothing if none could be told apart.
pub(crate) fn differentiate(strings: &mut Strings, classes: &[Class]) -> Option<Vec<Dtoken>> {
    let root = classes.iter().position(|class| strings.is_root(class))? as u32;
    let members = members(classes, strings.count);
    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    let mut first: Vec<u32> = vec![NONE; strings.count as usize];
    let mut again: HashMap<(Dtoken, u32), Dtoken> = HashMap::new();
    for (page, (parents, mates)) in strings.pages.iter_mut().zip(strings.parents.iter().zip(&strings.mates)) {
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
                false => held.get(&(at as u32)).map_or(NONE - 1, |held| *held),
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

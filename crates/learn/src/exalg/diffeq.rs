//! DIFFEQ: distinguishes the roles of dtokens by where they are in the equivalence classes (Observation 4.5).
//!
//! The context of an occurrence is the list of classes whose spans contain it, with its position in each; as classes
//! are nested, that is a stack. A dtoken that was seen in several contexts becomes several dtokens. One pass over the
//! pages.

use super::findeq::{Class, Dtoken, Member, NONE, Strings, members};
use std::collections::HashMap;

/// Differentiates dtokens; returns the old dtoken for each new one, or `None` if no dtoken could be differentiated.
pub(crate) fn differentiate(strings: &mut Strings, classes: &[Class]) -> Option<Vec<Dtoken>> {
    let members = members(classes, strings.count);
    let mut contexts: HashMap<(u32, u32, u32), u32> = HashMap::new();
    let mut first: Vec<u32> = vec![NONE; strings.count as usize];
    let mut again: HashMap<(Dtoken, u32), Dtoken> = HashMap::new();
    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    for page in &mut strings.pages {
        // The class, its own context, and the context of what follows its last dtoken.
        let mut open: Vec<(u32, u32, u32)> = Vec::new();
        for token in page {
            let Member { class, place } = members[*token as usize];
            let mut context = open.last().map_or(0, |(_, _, inside)| *inside);
            if class != NONE {
                if let Some(at) = open.iter().rposition(|(known, _, _)| *known == class) {
                    open.truncate(at + 1);
                    context = open[at].1;
                } else {
                    open.push((class, context, context));
                }
                if place as usize + 1 == classes[class as usize].tokens.len() {
                    open.pop();
                } else if let Some((_, _, inside)) = open.last_mut() {
                    let next = contexts.len() as u32 + 1;
                    *inside = *contexts.entry((context, class, place)).or_insert(next);
                }
            }
            let known = &mut first[*token as usize];
            if *known == NONE {
                *known = context;
            } else if *known != context {
                let was = *token;
                *token = *again.entry((was, context)).or_insert_with(|| {
                    old.push(was);
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

//! The paths of tokens from the root of the page (occurrence-paths, section 4.3 of the paper).
//!
//! A step is the name of an element. If the elements of one path always have the same number of children of one name,
//! as the rows of a table have cells, the child's number is part of the step: `td 2 of 4`. The learner decides where
//! this applies.

use crate::rule::landmark::{Piece, Tokens};
use page::{Kind, NameId, NodeId, Page};

/// Children with more different names than this are not counted.
const MOST_NAMES: usize = 64;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The path that it extends.
    pub parent: u32,
    /// The element's name.
    pub name: String,
    /// Its number, from 1, and the number of children of that name.
    pub nth: Option<(u32, u32)>,
}

/// The position of an element among the children of its parent that have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Siblings {
    /// How many there are.
    pub count: u32,
    /// Its own number, from 1.
    pub nth: u32,
}

/// The path of each token of a page: for a tag that of its element, for a word that of the element around it.
///
/// `step` returns the path of an element, given that of its parent.
pub fn walk(page: &Page, tokens: &Tokens, mut step: impl FnMut(u32, NodeId, NameId, Siblings) -> u32) -> Vec<u32> {
    let mut paths = Vec::with_capacity(tokens.tokens.len());
    let mut open: Vec<(u32, usize)> = Vec::new();
    // The names of the children of open elements, with their total number and the number so far.
    let mut names: Vec<(NameId, u32, u32)> = Vec::new();
    count(page, NodeId::DOCUMENT, &mut names);
    for token in &tokens.tokens {
        match token.piece {
            Piece::Start => {
                let (parent, from) = open.last().copied().unwrap_or((0, 0));
                let name = page.name_of(token.node);
                let sibling = names[from..].iter_mut().find(|(known, _, _)| Some(*known) == name);
                let siblings = sibling.map_or(Siblings { count: 1, nth: 1 }, |(_, count, seen)| {
                    *seen += 1;
                    Siblings {
                        count: *count,
                        nth: *seen,
                    }
                });
                let path = name.map_or(u32::MAX, |name| step(parent, token.node, name, siblings));
                open.push((path, names.len()));
                count(page, token.node, &mut names);
                paths.push(path);
            }
            Piece::End => {
                let (path, from) = open.pop().unwrap_or((0, 0));
                names.truncate(from);
                paths.push(path);
            }
            Piece::Text | Piece::Word => paths.push(open.last().map_or(0, |(path, _)| *path)),
        }
    }
    paths
}

fn count(page: &Page, node: NodeId, names: &mut Vec<(NameId, u32, u32)>) {
    let from = names.len();
    for child in page.children(node) {
        if page.kind(child) != Kind::Element {
            continue;
        }
        let Some(name) = page.name_of(child) else { continue };
        let room = names.len() < from + MOST_NAMES;
        match names[from..].iter_mut().find(|(known, _, _)| *known == name) {
            Some((_, count, _)) => *count += 1,
            None if room => names.push((name, 1, 0)),
            None => {}
        }
    }
}

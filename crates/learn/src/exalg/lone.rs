//! One page with a list: its rows are treated as pages.
//!
//! One page alone, or several identical ones, do not show what pages share. But the rows of a list are also made from
//! one template. So the rows of the page's best list are treated as pages, and the template that results is the element
//! of a set. The list is the element whose children with the same name, which in turn have children with the same
//! names, have the most words; at least three rows are needed. Linear in the page, except that the rows share each
//! other's paths.

use page::Page;
use std::collections::BTreeMap;
use wrapper::rule::landmark::{Piece, Tokens};
use wrapper::rule::template::{Part, Step, Template};

/// Fewer rows are not a list.
const FEWEST: usize = 3;
/// Rows after this many are ignored.
const MOST: usize = 200;

/// Ranges of tokens.
type Rows = Vec<(usize, usize)>;

/// The rows of the best list on a page, as ranges of its tokens.
pub(crate) fn rows(page: &Page, tokens: &Tokens) -> Option<Rows> {
    // For each parent's start, kind of child and names of its children: the rows and their words.
    let mut lists: BTreeMap<(usize, Vec<&str>), (Rows, usize)> = BTreeMap::new();
    let mut words = vec![0usize; tokens.tokens.len() + 1];
    // The start of each open element and the names of its children so far, its own first.
    let mut open: Vec<(usize, Vec<&str>)> = Vec::new();
    for (at, token) in tokens.tokens.iter().enumerate() {
        words[at + 1] = words[at] + usize::from(token.piece == Piece::Word);
        match token.piece {
            Piece::Start => {
                let name = page.name(token.node);
                if let Some((_, names)) = open.last_mut() {
                    names.push(name);
                }
                open.push((at, vec![name]));
            }
            Piece::End => {
                let Some((start, names)) = open.pop() else { continue };
                let Some((parent, _)) = open.last() else { continue };
                let (rows, count) = lists.entry((*parent, names)).or_default();
                rows.push((start, at + 1));
                *count += words[at + 1] - words[start];
            }
            Piece::Text | Piece::Word => {}
        }
    }
    let long = lists
        .into_values()
        .filter(|(rows, words)| rows.len() >= FEWEST && *words >= rows.len());
    let best = long.max_by_key(|(rows, words)| (*words, rows.len()));
    best.map(|(mut rows, _)| {
        rows.truncate(MOST);
        rows
    })
}

/// A template without parts.
pub(crate) fn nothing() -> Template {
    let root = Step {
        parent: 0,
        name: String::new(),
        nth: None,
    };
    Template {
        paths: vec![root],
        parts: vec![Part::Basic(None)],
        fields: Vec::new(),
        rows: Vec::new(),
    }
}

/// The template of a page whose list has elements of this template.
pub(crate) fn list_of(element: Template) -> Template {
    let shift = |part: &mut Part| {
        let ids: Vec<&mut u32> = match part {
            Part::Basic(_) => Vec::new(),
            Part::Tuple { parts, .. } | Part::Either(parts) | Part::Mixed { parts, .. } => parts.iter_mut().collect(),
            Part::Set { of, .. } | Part::Optional(of) => vec![of],
        };
        ids.into_iter().for_each(|id| *id += 2);
    };
    let mut parts = vec![
        Part::Tuple {
            strings: vec![Vec::new(), Vec::new()],
            parts: vec![1],
            wholes: Vec::new(),
        },
        Part::Set {
            name: if element.fields.len() > 1 {
                "items".to_owned()
            } else {
                String::new()
            },
            of: 2,
            separator: Vec::new(),
        },
    ];
    parts.extend(element.parts);
    parts.iter_mut().skip(2).for_each(shift);
    Template { parts, ..element }
}

//! Elements of one path whose children have one name: where lists may be.

use page::vocabulary::{is_phrasing, is_unseen};
use page::{Kind, NodeId, Page};
use std::collections::HashMap;

/// Elements that are never rows: cells of a row, parts of a control, and what has no content.
const NEVER: [&str; 14] = [
    "td", "th", "option", "optgroup", "col", "colgroup", "hr", "input", "link", "meta", "param", "source", "area",
    "legend",
];

/// Elements around possible rows.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The names of the elements from the root to these.
    pub(super) path: Vec<String>,
    /// The name of the rows.
    pub(super) row: String,
    /// Does a row extend to the next one?
    pub(super) run: bool,
    /// The text before them, if that tells them from others.
    pub(super) label: Option<String>,
    /// The page and the element.
    pub(super) parents: Vec<(usize, NodeId)>,
}

/// A path: the one before it, and the name.
type Paths<'p> = HashMap<(u32, &'p str), u32>;

struct Seen {
    parents: Vec<(usize, NodeId)>,
    rows: usize,
    most: usize,
    size: usize,
    /// The size of what is beside the rows.
    beside: usize,
}

/// The groups, those with the most text first.
pub(super) fn groups(pages: &[&Page]) -> Vec<Group> {
    let mut ids: Paths<'_> = HashMap::new();
    let mut seen: HashMap<(u32, &str), Seen> = HashMap::new();
    for (number, page) in pages.iter().enumerate() {
        // The open elements: where each ends, and its path.
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let mut skipped = NodeId(0);
        for &node in page.elements() {
            if node < skipped {
                continue;
            }
            if is_unseen(page.name(node)) || matches!(page.name(node), "head" | "select" | "svg") {
                skipped = page.end(node);
                continue;
            }
            while open.last().is_some_and(|(end, _)| node >= *end) {
                open.pop();
            }
            let above = open.last().map_or(0, |(_, path)| *path);
            let next = ids.len() as u32 + 1;
            let path = *ids.entry((above, page.name(node))).or_insert(next);
            open.push((page.end(node), path));
            let mut names: Vec<(&str, usize, usize)> = Vec::new();
            let mut all = 0;
            for child in page.children(node) {
                let length = page.string_value(child).trim().len();
                all += length;
                if page.kind(child) != Kind::Element {
                    continue;
                }
                let name = page.name(child);
                let room = names.len() < 16;
                match names.iter_mut().find(|(known, ..)| *known == name) {
                    Some((_, count, size)) => {
                        *count += 1;
                        *size += length;
                    }
                    None if room => names.push((name, 1, length)),
                    None => {}
                }
            }
            for (name, count, size) in names {
                let inline = is_phrasing(name) && name != "a";
                if inline || NEVER.contains(&name) || is_unseen(name) {
                    continue;
                }
                let known = seen.entry((path, name)).or_insert(Seen {
                    parents: Vec::new(),
                    rows: 0,
                    most: 0,
                    size: 0,
                    beside: 0,
                });
                known.parents.push((number, node));
                known.rows += count;
                known.most = known.most.max(count);
                known.size += size;
                known.beside += all - size;
            }
        }
    }
    let back: HashMap<u32, (u32, &str)> = ids.iter().map(|(key, id)| (*id, *key)).collect();
    let path_of = |mut id: u32| {
        let mut path = Vec::new();
        while let Some((above, name)) = back.get(&id) {
            path.push((*name).to_owned());
            id = *above;
        }
        path.reverse();
        path
    };
    let fine = |seen: &Seen| seen.most >= 2 && seen.rows >= 3 && seen.size >= seen.rows;
    let mut found: Vec<((u32, &str), Seen)> = seen.into_iter().filter(|(_, seen)| fine(seen)).collect();
    found.sort_by_key(|((path, name), seen)| (std::cmp::Reverse(seen.size), *path, *name));
    let mut out = Vec::new();
    for ((path, row), seen) in found {
        let group = Group {
            path: path_of(path),
            row: row.to_owned(),
            run: false,
            label: None,
            parents: seen.parents,
        };
        // What is beside the rows may belong to them.
        if seen.beside * 5 >= seen.size {
            out.push(Group {
                run: true,
                ..group.clone()
            });
        }
        out.push(group);
    }
    out
}

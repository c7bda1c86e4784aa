//! The columns of a page: what stands in the same place of its structure.

use super::evidence::sight;
use crate::guided::locate::Places;
use page::{Kind, NodeId, Page};
use std::collections::{HashMap, HashSet};
use wrapper::profile::Sight;

/// Texts longer than this are no items.
const LONGEST: usize = 4000;

/// Nodes that say something, with what is seen of them.
pub(super) struct Items {
    pub(super) nodes: Vec<NodeId>,
    pub(super) sights: Vec<Sight>,
    /// Numbers of items that stand in the same place, in the order of the page.
    pub(super) columns: Vec<Vec<usize>>,
}

/// The place of a node in a page's structure: the names of the elements above it, the nearest with their classes.
pub(super) fn place(page: &Page, node: NodeId, classes: usize) -> String {
    let mut out = match page.kind(node) {
        Kind::Attribute => format!("@{}", page.name(node)),
        Kind::Text => "text".to_owned(),
        _ => String::new(),
    };
    let elements = std::iter::once(node)
        .chain(page.ancestors(node))
        .filter(|up| page.is_element(*up));
    for (number, up) in elements.enumerate() {
        out.push('<');
        out.push_str(page.name(up));
        if number < classes
            && let Some(class) = page.attribute_value(up, "class")
        {
            let mut tokens: Vec<&str> = class
                .split_whitespace()
                .filter(|token| !token.chars().any(|c| c.is_ascii_digit()))
                .collect();
            tokens.sort_unstable();
            for token in tokens {
                out.push('.');
                out.push_str(token);
            }
        }
    }
    out
}

impl Items {
    pub(super) fn new(page: &Page) -> Items {
        let places = Places::new(page);
        let none = HashSet::new();
        let (mut nodes, mut sights) = (Vec::new(), Vec::new());
        for &node in &places.leaves {
            if page.string_value(node).len() > LONGEST {
                continue;
            }
            let sight = sight(page, node, &none);
            if !sight.text.is_empty() {
                nodes.push(node);
                sights.push(sight);
            }
        }
        // By tags alone, and by tags and classes: which of them the template means is not known.
        let mut columns: Vec<Vec<usize>> = Vec::new();
        let mut known: HashSet<Vec<usize>> = HashSet::new();
        for classes in [0, 1, 3] {
            let mut by: HashMap<String, Vec<usize>> = HashMap::new();
            for (number, node) in nodes.iter().enumerate() {
                by.entry(place(page, *node, classes)).or_default().push(number);
            }
            let mut new: Vec<Vec<usize>> = by.into_values().collect();
            new.sort_unstable();
            columns.extend(new.into_iter().filter(|column| known.insert(column.clone())));
        }
        Items { nodes, sights, columns }
    }
}

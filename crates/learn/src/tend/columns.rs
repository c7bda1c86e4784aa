//! The columns of a page: what stands in the same place of its structure.

use super::evidence::{Known, Look, sight};
use crate::guided::locate::Places;
use page::{Kind, NodeId, Page};
use std::collections::{HashMap, HashSet};

/// Texts longer than this are no items.
const LONGEST: usize = 4000;

/// Nodes that say something, with what is seen of them.
pub(super) struct Items {
    pub(super) nodes: Vec<NodeId>,
    pub(super) looks: Vec<Look>,
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
        let (mut nodes, mut looks) = (Vec::new(), Vec::new());
        for &node in &places.leaves {
            if page.string_value(node).len() > LONGEST {
                continue;
            }
            let sight = sight(page, node, &none);
            if !sight.text.is_empty() {
                nodes.push(node);
                looks.push(Look::new(sight));
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
        Items { nodes, looks, columns }
    }

    /// Adds columns of parts: where most items of a column have a part that is written as the values of a field are.
    pub(super) fn cut(&mut self, known: &Known<'_>) {
        let mut new: Vec<Vec<usize>> = Vec::new();
        let mut parts: HashMap<usize, usize> = HashMap::new();
        let whole = self.nodes.len();
        for column in self.columns.clone() {
            let found: Vec<(usize, Look)> = column
                .iter()
                .filter(|item| **item < whole)
                .filter_map(|item| {
                    let (before, part) = known.part(&self.looks[*item])?;
                    Some((*item, self.looks[*item].cut(part, before)))
                })
                .collect();
            if found.len() * 3 < column.len() * 2 || found.is_empty() {
                continue;
            }
            let mut cut = Vec::new();
            for (item, look) in found {
                // An item may be in several columns, its part is one.
                let number = *parts.entry(item).or_insert_with(|| {
                    self.nodes.push(self.nodes[item]);
                    self.looks.push(look);
                    self.nodes.len() - 1
                });
                cut.push(number);
            }
            new.push(cut);
        }
        self.columns.extend(new);
    }
}

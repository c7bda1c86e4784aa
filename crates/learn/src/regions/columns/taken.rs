//! How the values of a column are taken from its elements: the whole text, some texts beside elements, or all texts.
//!
//! Linear in the nodes of the elements.

use super::super::heads::LEAVES;
use super::super::items;
use super::{MOST, Maker, NEARLY_ALL, PATTERNS, PLACES, is_told};
use page::{Kind, NameId, NodeId};

/// How the values of a column are taken from its elements.
pub(super) enum Taken {
    /// The text of the element is the value.
    Whole,
    /// This many texts that are children of the element are a value each.
    Texts(usize),
    /// All texts in the element are values.
    AllTexts,
}

impl Maker<'_, '_> {
    /// How the values of a column are taken from its elements.
    pub(super) fn taken(&self, at: usize) -> Taken {
        let nodes = || self.cells[at].nodes.iter().flatten();
        if self.pieced.contains(&at)
            || self.keys[at].attribute.is_some()
            || nodes().all(|node| self.sight.range(*node).len() <= 1)
        {
            return Taken::Whole;
        }
        let count = nodes().count();
        let pattern = self.pattern(at);
        // What nearly all records mark in the same way is no sentence with some words in bold.
        if let Some((texts, share)) = pattern
            && share >= NEARLY_ALL
            && count >= 3
        {
            return Taken::Texts(texts);
        }
        let leads = nodes().filter(|node| self.leads(**node)).count();
        if leads as f64 >= NEARLY_ALL * count as f64 && count >= 2 {
            return Taken::Texts(1);
        }
        if nodes().all(|node| self.sight.is_one_run(*node)) {
            return Taken::Whole;
        }
        let broken = nodes().filter(|node| self.sight.has_long_run(**node)).count();
        match pattern {
            Some((texts, _)) if (broken as f64) < (1.0 - MOST) * count as f64 => Taken::Texts(texts),
            _ if nodes().any(|node| self.is_divided(*node)) && !nodes().all(|node| self.is_spaced(*node)) => {
                Taken::AllTexts
            }
            _ => Taken::Whole,
        }
    }

    /// Has an element one text, before elements that are no words of it: boxes with a class, or blocks?
    fn leads(&self, node: NodeId) -> bool {
        let page = self.page;
        let is_box = |child: NodeId| {
            let name = page.name(child);
            name == "time" || (name == "span" && is_told(page, child)) || !page::vocabulary::is_phrasing(name)
        };
        let mut texts = 0;
        page.children(node)
            .enumerate()
            .all(|(at, child)| match page.kind(child) {
                Kind::Text if page.string_value(child).contains(char::is_alphanumeric) => {
                    texts += 1;
                    at == 0
                }
                Kind::Element => is_box(child) && (texts > 0 || self.sight.range(child).is_empty()),
                _ => true,
            })
            && texts == 1
    }

    /// Does an element contain line breaks or blocks, so that its words would run into each other?
    fn is_divided(&self, node: NodeId) -> bool {
        let inside = (node.0 + 1..self.page.end(node).0).map(NodeId);
        let mut elements = inside.filter(|node| self.page.is_element(*node));
        elements.any(|element| {
            let name = self.page.name(element);
            name == "br" || !page::vocabulary::is_phrasing(name)
        })
    }

    /// Are the lines of an element a text of its own, without links or items, and is there white space between its words?
    fn is_spaced(&self, node: NodeId) -> bool {
        let inside = (node.0 + 1..self.page.end(node).0).map(NodeId);
        let mut elements = inside.filter(|node| self.page.is_element(*node));
        if elements.any(|element| matches!(self.page.name(element), "a" | "li" | "tr" | "dd" | "img")) {
            return false;
        }
        let texts = self.sight.leaves[self.sight.range(node)].iter();
        let words: usize = texts
            .map(|leaf| self.page.string_value(leaf.node).split_whitespace().count())
            .sum();
        self.page.string_value(node).split_whitespace().count() >= words
    }

    /// The number of texts among the children of the elements of a column, if most of them have the same children, and the
    /// share that have.
    fn pattern(&self, at: usize) -> Option<(usize, f64)> {
        let mut times: Vec<(Vec<Option<NameId>>, usize)> = Vec::new();
        let mut all = 0_u32;
        for node in self.cells[at].nodes.iter().flatten() {
            let children = self.page.children(*node);
            let children = children.filter(|child| match self.page.kind(*child) {
                Kind::Text => !items::is_blank(self.page.string_value(*child)),
                kind => kind == Kind::Element,
            });
            let pattern: Vec<Option<NameId>> = children.map(|child| self.page.name_of(child)).take(LEAVES).collect();
            all += 1;
            match times.iter().position(|(known, _)| *known == pattern) {
                Some(at) => times[at].1 += 1,
                None if times.len() < PATTERNS => times.push((pattern, 1)),
                None => {}
            }
        }
        let (pattern, most) = times.into_iter().max_by_key(|(_, times)| *times)?;
        let texts = pattern.iter().filter(|child| child.is_none()).count();
        let share = most as f64 / f64::from(all);
        (share >= MOST && texts <= PLACES).then_some((texts, share))
    }
}

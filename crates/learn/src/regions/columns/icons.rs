//! Elements that a picture before their text tells apart: `<li><i class=icon-bed></i> 3</li><li><i class=icon-bath></i> 2</li>`.
//!
//! Their places do not tell them where a record lacks one. If each of several elements has one element without a text in it, whose class no other element of the record has, then elements
//! with one such class are a column, called by the last word of it. Linear in the elements.

use super::{Cells, Key, Maker, Written};
use crate::guided::literal;
use page::NodeId;
use std::collections::BTreeMap;

/// The most classes of one path.
const ICONS: usize = 12;
/// The shortest word that names a field.
const SHORTEST: usize = 3;

impl Maker<'_, '_> {
    /// Makes a column for each class of the pictures in elements that a record has several of.
    pub(super) fn tell_by_icon(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            let is_plain = key.attribute.is_none() && key.sign.is_none() && key.told.is_none() && key.written.is_none();
            let is_free = is_plain && key.role.is_none() && key.around.is_none() && !key.steps.is_empty();
            if !is_free || self.cells[at].nodes.iter().all(|nodes| nodes.len() < 2) {
                continue;
            }
            let Some(icons) = self.icons(at) else { continue };
            let key = key.clone();
            let old = std::mem::replace(&mut self.cells[at].nodes, vec![Vec::new(); self.count]);
            for icon in icons {
                let written = Written {
                    paths: vec![self.path(&key, &format!("[*[@class={}]]", literal(&icon)))],
                    label: None,
                    name: name(&icon),
                };
                let own = |nodes: &Vec<NodeId>| -> Vec<NodeId> {
                    let is_own = |node: &&NodeId| self.icon(**node) == Some(&icon);
                    nodes.iter().filter(is_own).copied().collect()
                };
                let nodes = old.iter().map(own).collect();
                self.keys.push(Key {
                    written: Some(written),
                    ..key.clone()
                });
                self.cells.push(Cells { nodes });
            }
        }
    }

    /// The classes of the pictures in the elements of a column, in the order of the page, if they tell the elements apart.
    fn icons(&self, at: usize) -> Option<Vec<String>> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for nodes in &self.cells[at].nodes {
            let mut known: Vec<&str> = Vec::new();
            for node in nodes {
                let icon = self.icon(*node)?;
                if known.contains(&icon) {
                    return None;
                }
                known.push(icon);
                if !order.contains(&icon) {
                    order.push(icon);
                }
                *times.entry(icon).or_default() += 1;
            }
        }
        let tells = (2..=ICONS).contains(&order.len()) && times.values().all(|times| *times >= 2);
        tells.then(|| order.into_iter().map(str::to_owned).collect())
    }

    /// The class of the only element in another one that has a text beside it, if that element has none.
    fn icon(&self, node: NodeId) -> Option<&str> {
        let page = self.page;
        let mut elements = page.children(node).filter(|child| page.is_element(*child));
        let icon = elements.next()?;
        let is_alone = elements.next().is_none() && self.sight.range(icon).is_empty();
        let class = page.attribute_value(icon, "class").map(str::trim)?;
        (is_alone && !self.sight.range(node).is_empty() && !class.is_empty()).then_some(class)
    }
}

/// What a class calls the values: its last word, if there is one.
fn name(icon: &str) -> Option<String> {
    let word = icon.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let is_word = word.chars().count() >= SHORTEST && word.chars().all(char::is_alphabetic);
    is_word.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn icons_tell_what_a_record_lacks() {
        let names = ["Kelp", "Moss", "Fern", "Reed", "Oak", "Elm", "Ash", "Ivy"];
        let page = |without: &[usize]| {
            let card = |at: usize| {
                let beds = match without.contains(&at) {
                    true => String::new(),
                    false => format!("<li><i class='fa fa-bed'></i> {}</li>", at + 1),
                };
                format!(
                    "<article><h3><a href=/{at}>{} House</a></h3><ul>{beds}<li><i class='fa fa-bath'></i> {}</li><li><i class='fa fa-car'></i> {}</li></ul></article>",
                    names[at],
                    at + 20,
                    at + 40
                )
            };
            let cards: String = (0..8).map(card).collect();
            Page::parse_str(&format!("<h1>Houses</h1><main>{cards}</main>"), &Default::default()).unwrap()
        };
        let best = crate::regions::find(&page(&[1, 4]), &Job::new()).remove(0);
        assert_eq!(
            best.names,
            ["title", "link", "bed", "bath", "car"],
            "{:?}",
            best.rule.fields
        );
        let records = PathsRun::new(&best.rule).unwrap().page(&page(&[0, 3]));
        let said = |at: usize| -> Vec<&str> { records[at].values.iter().map(|value| value.text.as_str()).collect() };
        assert_eq!(said(0), ["Kelp House", "/0", "20", "40"]);
        assert_eq!(said(1), ["Moss House", "/1", "2", "21", "41"]);
    }
}

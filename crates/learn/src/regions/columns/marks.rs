//! Texts that are marked in several ways are values of one column all the same: in bold in a few records, or a link in some rows of a table.
//!
//! Linear in the elements of the columns.

use super::super::sight;
use super::{Key, Maker, NEARLY_ALL, ODD, Step, full, is_told};
use page::NodeId;
use std::collections::BTreeMap;

impl Maker<'_, '_> {
    /// Puts the texts of a few records that are in bold, or marked in another way, where those of the other records are.
    pub(super) fn unmark(&mut self) {
        let page = self.page;
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            let is_mark = |(name, cell): &&Step| cell.is_none() && sight::is_marking(page.name_text(*name));
            let most = key.steps.iter().rev().take_while(is_mark).count();
            let odd = full(&self.cells[at]);
            if key.attribute.is_some() || key.sign.is_some() || odd.len() * ODD > self.count {
                continue;
            }
            let usual = |marks: usize| {
                let bare = Key {
                    steps: key.steps[..key.steps.len() - marks].to_vec(),
                    ..key.clone()
                };
                let to = self.numbers.get(&bare).copied()?;
                let usual = full(&self.cells[to]);
                let both = odd.iter().any(|record| usual.binary_search(record).is_ok());
                (!both && usual.len() * 2 >= self.count).then_some((to, marks))
            };
            let Some((to, marks)) = (1..=most).find_map(usual) else {
                continue;
            };
            for record in odd {
                let marked = std::mem::take(&mut self.cells[at].nodes[record]);
                let bare = marked.iter().filter_map(|node| page.ancestors(*node).nth(marks - 1));
                let mut bare: Vec<NodeId> = bare.collect();
                bare.dedup();
                self.cells[to].nodes[record] = bare;
            }
        }
    }

    /// Makes one column of the only text of a cell that is marked in several ways: in some rows the words of a cell are a link,
    /// in others they are not. Where all of them are marked in the same way, and nothing tells that this means something, other pages may
    /// have some that are not.
    pub(super) fn unite_cells(&mut self) {
        let mut groups: BTreeMap<Vec<(u32, Option<usize>)>, Vec<usize>> = BTreeMap::new();
        for (at, key) in self.keys.iter().enumerate().filter(|(_, key)| key.attribute.is_none()) {
            if let (None, Some(cell)) = (key.role, key.steps.iter().rposition(|(_, cell)| cell.is_some())) {
                let steps = key.steps[..=cell].iter();
                let cell = steps.map(|(name, cell)| (name.index() as u32, *cell)).collect();
                groups.entry(cell).or_default().push(at);
            }
        }
        let is_plain = |at: usize| {
            let mut nodes = self.cells[at].nodes.iter().flatten();
            !nodes.any(|node| is_told(self.page, *node))
        };
        let is_below = |cell: &[(u32, Option<usize>)], group: &[usize]| {
            group.len() > 1 || (self.keys[group[0]].steps.len() > cell.len() && is_plain(group[0]))
        };
        let groups: Vec<_> = groups
            .into_iter()
            .filter(|(cell, group)| is_below(cell, group))
            .collect();
        for (cell, group) in groups {
            let (mut single, mut several) = (0, 0);
            let cells = (0..self.count).map(|number| {
                let up = |at: usize, node: NodeId| {
                    let mut around = std::iter::once(node).chain(self.page.ancestors(node));
                    around.nth(self.keys[at].steps.len() - cell.len())
                };
                let nodes = group
                    .iter()
                    .flat_map(|at| self.cells[*at].nodes[number].iter().map(|node| (*at, *node)));
                let nodes: Vec<NodeId> = nodes.filter_map(|(at, node)| up(at, node)).collect();
                match nodes[..] {
                    [] => {}
                    [only] if self.sight.range(only).len() == 1 => single += 1,
                    _ => several += 1,
                }
                nodes.into_iter().take(1).collect()
            });
            let cells: Vec<Vec<NodeId>> = cells.collect();
            // Of a column that many records lack, the mark tells which have it.
            let is_sparse = (single as f64) < NEARLY_ALL * self.count as f64;
            if several * 10 > single || (group.len() == 1 && (several > 0 || is_sparse)) {
                continue;
            }
            let steps = self.keys[group[0]].steps[..cell.len()].to_vec();
            self.keys[group[0]].steps = steps;
            self.cells[group[0]].nodes = cells;
            for other in &group[1..] {
                self.cells[*other].nodes = vec![Vec::new(); self.count];
            }
        }
    }
}

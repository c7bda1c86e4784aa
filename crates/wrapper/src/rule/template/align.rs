//! Aligns a row with the cells of its list.
//!
//! The cells are those of a full row. A row may lack some, have others between them, or write one with another inline tag.
//! The heaviest alignment that keeps the order decides which leaf of the row is which cell. A leaf can only be a cell with
//! the same path, or the same but for inline tags. What the leaf says (the cell's constant words, or its kinds of value),
//! its position from the first and from the last cell, and its class decide between several.
//!
//! Cost: cells times leaves, both limited to [`MOST`]. If a row has exactly the paths of a full row, nothing is computed.

use super::leaves::{Leaf, MOST, bare};
use super::rows::RowCell;
use record::values::{Kind, Kinds, kinds};
use std::cell::OnceCell;

/// Weights of the evidence that a leaf is a cell. They are judgements, not fitted: the path says most, constant words
/// decide where there are any, and a missing cell costs less than a wrong one.
mod weight {
    /// The same path.
    pub(super) const PATH: i32 = 4;
    /// The same path but for inline tags.
    pub(super) const BARE: i32 = 2;
    /// The cell's constant words.
    pub(super) const WORDS: i32 = 4;
    /// Other words where the cell has constant ones.
    pub(super) const OTHER_WORDS: i32 = -4;
    /// Other words where the cell has a label: worse than a missing cell and an extra leaf.
    pub(super) const OTHER_LABEL: i32 = -12;
    /// A kind of value that the cell has.
    pub(super) const KIND: i32 = 2;
    /// None of the kinds that the cell has.
    pub(super) const OTHER_KIND: i32 = -3;
    /// The same place, counted from the first.
    pub(super) const PLACE: i32 = 2;
    /// The same cell, counted from the last.
    pub(super) const NUMBER: i32 = 1;
    /// The same class.
    pub(super) const CLASS: i32 = 2;
    /// Another class.
    pub(super) const OTHER_CLASS: i32 = -1;
    /// A cell that rows usually have is missing.
    pub(super) const MISSING: i32 = -2;
    /// An extra leaf.
    pub(super) const EXTRA: i32 = -1;
}

/// The kinds of a text that tell it from other texts.
pub fn telling_kinds(text: &str) -> Kinds {
    kinds(text)
        .iter()
        .filter(|kind| !matches!(kind, Kind::Text | Kind::Name))
        .collect()
}

/// Are the words a label, by their colon or their element?
fn is_label(words: &str, path: &str) -> bool {
    words.ends_with(':') || path.rsplit('/').next().is_some_and(page::vocabulary::is_label)
}

/// Is the first row the headings of the columns? Where cells have a kind of value, none of its texts is one.
pub fn is_head(cells: &[RowCell], leaves: &[Leaf], aligned: &[Option<usize>]) -> bool {
    let mut asked = 0;
    for (cell, leaf) in cells.iter().zip(aligned) {
        let Some(leaf) = leaf.map(|leaf| &leaves[leaf]) else {
            continue;
        };
        if cell.kinds.is_empty() || leaf.text.is_empty() {
            continue;
        }
        asked += 1;
        if !cell.kinds.shared(telling_kinds(&leaf.text)).is_empty() {
            return false;
        }
    }
    asked > 0
}

/// A path and the same without inline tags, as numbers.
#[derive(Clone, Copy)]
struct Numbered {
    path: usize,
    bare: usize,
}

/// Numbers for paths, which are compared for each cell and leaf. A row has few different ones.
#[derive(Default)]
struct Paths<'r> {
    seen: Vec<(&'r str, usize)>,
    bares: Vec<String>,
}

impl<'r> Paths<'r> {
    fn number(&mut self, path: &'r str) -> Numbered {
        if let Some(at) = self.seen.iter().position(|(known, _)| *known == path) {
            let bare = self.seen[at].1;
            return Numbered { path: at, bare };
        }
        let plain = bare(path);
        let known = self.bares.iter().position(|known| *known == plain);
        let bare = known.unwrap_or_else(|| {
            self.bares.push(plain);
            self.bares.len() - 1
        });
        self.seen.push((path, bare));
        Numbered {
            path: self.seen.len() - 1,
            bare,
        }
    }
}

/// For each cell the number of its leaf.
pub fn align(cells: &[RowCell], leaves: &[Leaf]) -> Vec<Option<usize>> {
    let same = |(cell, leaf): (&RowCell, &Leaf)| {
        cell.path == leaf.path && cell.words.as_ref().is_none_or(|words| *words == leaf.text)
    };
    if cells.len() == leaves.len() && cells.iter().zip(leaves).all(same) {
        return (0..cells.len()).map(Some).collect();
    }
    let cells = &cells[..cells.len().min(MOST)];
    let leaves = &leaves[..leaves.len().min(MOST)];
    let last_cell = cells.iter().map(|cell| cell.number).max().unwrap_or(0);
    let last_leaf = leaves.last().map_or(0, |leaf| leaf.cell);
    // Few cells ask for the kind of a leaf.
    let told: Vec<OnceCell<Kinds>> = vec![OnceCell::new(); leaves.len()];
    let told = |l: usize| *told[l].get_or_init(|| telling_kinds(&leaves[l].text));
    let mut paths = Paths::default();
    let of_cells: Vec<Numbered> = cells.iter().map(|cell| paths.number(&cell.path)).collect();
    let of_leaves: Vec<Numbered> = leaves.iter().map(|leaf| paths.number(&leaf.path)).collect();
    let weigh = |c: usize, l: usize| -> Option<i32> {
        let mut sum = match of_cells[c].path == of_leaves[l].path {
            true => weight::PATH,
            false if of_cells[c].bare == of_leaves[l].bare => weight::BARE,
            false => return None,
        };
        let (cell, leaf) = (&cells[c], &leaves[l]);
        match &cell.words {
            Some(words) if *words == leaf.text => sum += weight::WORDS,
            Some(words) if is_label(words, &cell.path) => sum += weight::OTHER_LABEL,
            Some(_) => sum += weight::OTHER_WORDS,
            None if leaf.text.is_empty() || cell.kinds.is_empty() => {}
            None if cell.kinds.shared(told(l)).is_empty() => sum += weight::OTHER_KIND,
            None => sum += weight::KIND,
        }
        sum += weight::PLACE * i32::from(cell.place == leaf.place);
        sum += weight::NUMBER * i32::from(last_cell - cell.number == last_leaf - leaf.cell);
        if !cell.class.is_empty() && !leaf.class.is_empty() {
            sum += if cell.class == leaf.class {
                weight::CLASS
            } else {
                weight::OTHER_CLASS
            };
        }
        Some(sum)
    };
    // The best weight for the first cells and leaves.
    let width = leaves.len() + 1;
    let missing = |cell: &RowCell| if cell.usual { weight::MISSING } else { 0 };
    let extra = |leaf: &Leaf| if leaf.text.is_empty() { 0 } else { weight::EXTRA };
    let mut best = vec![0i32; (cells.len() + 1) * width];
    for l in 1..width {
        best[l] = best[l - 1] + extra(&leaves[l - 1]);
    }
    for c in 1..=cells.len() {
        best[c * width] = best[(c - 1) * width] + missing(&cells[c - 1]);
        for l in 1..width {
            let up = best[(c - 1) * width + l] + missing(&cells[c - 1]);
            let left = best[c * width + l - 1] + extra(&leaves[l - 1]);
            let both = weigh(c - 1, l - 1).map(|weight| best[(c - 1) * width + l - 1] + weight);
            best[c * width + l] = up.max(left).max(both.unwrap_or(i32::MIN));
        }
    }
    let mut out = vec![None; cells.len()];
    let (mut c, mut l) = (cells.len(), leaves.len());
    while c > 0 && l > 0 {
        let here = best[c * width + l];
        let both = weigh(c - 1, l - 1).map(|weight| best[(c - 1) * width + l - 1] + weight);
        if both == Some(here) {
            out[c - 1] = Some(l - 1);
            c -= 1;
            l -= 1;
        } else if here == best[(c - 1) * width + l] + missing(&cells[c - 1]) {
            c -= 1;
        } else {
            l -= 1;
        }
    }
    out
}

/// Is what was aligned a row? At least half of the cells that rows usually have must be there, or two thirds if their paths
/// are only nearly the same, and one must have text.
pub fn is_row(cells: &[RowCell], leaves: &[Leaf], aligned: &[Option<usize>]) -> bool {
    let mut usual = 0;
    let mut there = 0;
    for (cell, leaf) in cells.iter().zip(aligned).filter(|(cell, _)| cell.usual) {
        usual += 1;
        there += leaf.map_or(0, |leaf| if leaves[leaf].path == cell.path { 4 } else { 3 });
    }
    let said = aligned.iter().flatten().any(|leaf| !leaves[*leaf].text.is_empty());
    said && there >= 2 * usual && there > 0
}

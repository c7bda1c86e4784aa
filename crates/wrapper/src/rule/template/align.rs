//! Aligns a row with the cells of its list.
//!
//! The cells are those of a full row. A row may lack some, have others between them, or write one with another inline tag.
//! The heaviest alignment that keeps the order decides which leaf of the row is which cell. A leaf can only be a cell with
//! the same path, or the same but for inline tags. What the leaf says (the cell's constant words, or its kinds of value),
//! its position from the first and from the last cell, and its class decide between several. Where only some rows have values with labels, a value goes to the cell of
//! its label and to no other.
//!
//! Cost: cells times leaves, both limited to [`MOST`]. If a row has exactly the paths of a full row, nothing is computed.

use super::leaves::{Leaf, MOST, bare};
use super::rows::{Make, RowCell};
use super::rows_json::kind_name;
use record::values::{Kind, Kinds, kinds};
use std::cell::OnceCell;
use std::collections::HashMap;

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
    /// Other words where the cell has a label, another label before it, or a kind that rules the cell's out: worse than a missing cell and an extra leaf.
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

/// Do two sets of kinds rule each other out, as a date and a price do? Numbers and codes may be in one column, and an address may be anything.
fn are_contrary(one: Kinds, other: Kinds) -> bool {
    let class = |kind: Kind| match kind {
        Kind::Integer | Kind::Decimal | Kind::Code | Kind::Phone => Kind::Code,
        Kind::Link | Kind::Image => Kind::Link,
        kind => kind,
    };
    let classes = |kinds: Kinds| -> Kinds { kinds.iter().map(class).collect() };
    let (one, other) = (classes(one), classes(other));
    // A date with a time is both.
    let open = |kinds: Kinds| kinds.is_empty() || kinds.contains(Kind::Address) || kinds.contains(Kind::DateTime);
    !open(one) && !open(other) && one.shared(other).is_empty()
}

/// The label of a leaf, of those that are known: the words that its text begins with, or the leaf before it. A label has none itself.
pub fn label_before<'l>(labels: &[&'l str], leaves: &[Leaf], leaf: usize) -> Option<&'l str> {
    let text = leaves[leaf].text.as_str();
    if labels.contains(&text) {
        return None;
    }
    let begins = |label: &&&str| {
        let rest = text.strip_prefix(**label);
        rest.is_some_and(|rest| label.ends_with(':') && rest.starts_with(char::is_whitespace))
    };
    let before = leaf.checked_sub(1).map(|before| leaves[before].text.as_str());
    let inside = labels.iter().filter(begins).max_by_key(|label| label.len());
    inside
        .or_else(|| labels.iter().find(|label| before == Some(**label)))
        .copied()
}

/// Are the words a label, by their colon or their element?
fn is_label(words: &str, path: &str) -> bool {
    words.ends_with(':') || path.rsplit('/').next().is_some_and(page::vocabulary::is_label)
}

/// Is a leaf with this path in a link?
pub fn is_link(path: &str) -> bool {
    path.split('/').any(|step| step == "a")
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

/// What tells each leaf of a row from others: its path, and whether it is a label or has one, or else which kind of value it is. The cells of a table are told by
/// their number.
pub fn tells(leaves: &[Leaf], labels: &[&str]) -> Vec<String> {
    let tell = |(at, leaf): (usize, &Leaf)| {
        let first = leaf.path.split('/').next().unwrap_or_default();
        let kind = telling_kind(&leaf.text).filter(|_| !matches!(first, "td" | "th"));
        match labels.contains(&leaf.text.as_str()) || label_before(labels, leaves, at).is_some() {
            true => format!("{} :", leaf.path),
            false => kind.map_or_else(
                || leaf.path.clone(),
                |kind| format!("{} {}", leaf.path, kind_name(kind)),
            ),
        }
    };
    leaves.iter().enumerate().map(tell).collect()
}

/// The kind of value that tells a text from others. Numbers and codes are one, and most of what they are is digits: `Walk 12` is a title. An address tells nothing.
pub fn telling_kind(text: &str) -> Option<Kind> {
    const ORDER: [Kind; 7] = [
        Kind::DateTime,
        Kind::Date,
        Kind::Time,
        Kind::Price,
        Kind::Percentage,
        Kind::Email,
        Kind::Link,
    ];
    let kinds = telling_kinds(text);
    let figures = [Kind::Integer, Kind::Decimal, Kind::Phone, Kind::Code];
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_figure = digits > letters && figures.iter().any(|kind| kinds.contains(*kind));
    let known = ORDER.into_iter().find(|kind| kinds.contains(*kind));
    known.or(is_figure.then_some(Kind::Code))
}

/// The labels that cells have.
fn labels(cells: &[RowCell]) -> Vec<&str> {
    cells.iter().filter_map(|cell| cell.label.as_deref()).collect()
}

/// Are the constant words of a cell a label, by their colon, by their element, or because all cells of their class have such, each right before a value?
fn are_labels(cells: &[RowCell]) -> Vec<bool> {
    // How many cells of each class and path there are, and whether each has words and a value after it. Rows are many, so cells are not compared with each other.
    let mut classes: HashMap<(&str, &str), (usize, bool)> = HashMap::new();
    for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.class.is_empty()) {
        let is_value = cells.get(at + 1).is_some_and(|next| next.words.is_none());
        let (count, lead) = classes.entry((&cell.class, &cell.path)).or_insert((0, true));
        *count += 1;
        *lead &= cell.words.is_some() && is_value;
    }
    let by_class = |cell: &RowCell| {
        let known = classes.get(&(cell.class.as_str(), cell.path.as_str()));
        known.is_some_and(|(count, lead)| *count > 1 && *lead)
    };
    let label = |cell: &RowCell| {
        let words = cell.words.as_deref();
        words.is_some_and(|words| is_label(words, &cell.path) || by_class(cell))
    };
    cells.iter().map(label).collect()
}

/// The label of each cell: that which it has, or the constant words of the cell right before it, if these are a label and no other cell has it.
pub fn labels_of(cells: &[RowCell]) -> Vec<Option<&str>> {
    let are_labels = are_labels(cells);
    let before = |at: usize| {
        let label = at.checked_sub(1).filter(|label| are_labels[*label])?;
        cells[label].words.as_deref().filter(|_| cells[at].words.is_none())
    };
    let all: Vec<Option<&str>> = (0..cells.len())
        .map(|at| cells[at].label.as_deref().or_else(|| before(at)))
        .collect();
    let times = |label: &str| all.iter().flatten().filter(|other| **other == label).count();
    let is_told = |at: usize, label: &str| cells[at].label.is_some() || times(label) == 1;
    let each = all.iter().copied().enumerate();
    each.map(|(at, label)| label.filter(|label| is_told(at, label)))
        .collect()
}

/// For each cell the number of its leaf. A row with the paths of a full row is one, and rows of a known make are read alike.
pub fn align(cells: &[RowCell], makes: &[Make], leaves: &[Leaf]) -> Vec<Option<usize>> {
    let has_paths = |make: &&Make| {
        let mut both = make.leaves.iter().zip(leaves);
        let same = |(known, leaf): (&String, &Leaf)| known.split(' ').next() == Some(leaf.path.as_str());
        make.leaves.len() == leaves.len() && both.all(same)
    };
    if makes.iter().any(|make| has_paths(&make)) {
        let tells = tells(leaves, &labels(cells));
        // Rows of one make may have other labels.
        let are_labels = are_labels(cells);
        let has_words = |make: &Make| {
            let mut both = make.cells.iter().zip(leaves);
            both.all(|(cell, leaf)| {
                let cell = cell
                    .map(|cell| cell as usize)
                    .filter(|cell| are_labels.get(*cell) == Some(&true));
                cell.is_none_or(|cell| cells[cell].words.as_deref() == Some(leaf.text.as_str()))
            })
        };
        let fits = |make: &&Make| make.leaves == tells && has_words(make);
        if let Some(make) = makes.iter().find(fits) {
            let mut out = vec![None; cells.len()];
            for (leaf, cell) in make.cells.iter().enumerate() {
                if let Some(cell) = cell.and_then(|cell| out.get_mut(cell as usize)) {
                    *cell = Some(leaf);
                }
            }
            return out;
        }
    }
    let same = |(cell, leaf): (&RowCell, &Leaf)| {
        cell.path == leaf.path && cell.words.as_ref().is_none_or(|words| *words == leaf.text)
    };
    if cells.len() == leaves.len() && cells.iter().zip(leaves).all(same) {
        return (0..cells.len()).map(Some).collect();
    }
    align_anew(cells, leaves, &|_, _| 0)
}

/// The same for a row that may have other cells than the known ones, though it has their paths. `alike` is what else says that a leaf is, or is not, a cell.
pub fn align_anew(cells: &[RowCell], leaves: &[Leaf], alike: &dyn Fn(usize, usize) -> i32) -> Vec<Option<usize>> {
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
    let own = labels_of(cells);
    let are_labels = are_labels(cells);
    let labels: Vec<&str> = own.iter().flatten().copied().collect();
    let labelled: Vec<Option<&str>> = (0..leaves.len()).map(|l| label_before(&labels, leaves, l)).collect();
    // The words of a link tell it: "Agenda" is not the link to the minutes.
    let is_known = |leaf: &Leaf| {
        let mut same = cells.iter().filter(|cell| cell.path == leaf.path);
        is_link(&leaf.path) && same.any(|cell| cell.words.as_deref() == Some(leaf.text.as_str()))
    };
    let known: Vec<bool> = leaves.iter().map(is_known).collect();
    let weigh = |c: usize, l: usize| -> Option<i32> {
        let mut sum = match of_cells[c].path == of_leaves[l].path {
            true => weight::PATH,
            false if of_cells[c].bare == of_leaves[l].bare => weight::BARE,
            false => return None,
        };
        let (cell, leaf) = (&cells[c], &leaves[l]);
        match &cell.words {
            Some(words) if *words == leaf.text => sum += weight::WORDS,
            _ if known[l] => sum += weight::OTHER_LABEL,
            Some(_) if are_labels[c] => sum += weight::OTHER_LABEL,
            Some(_) => sum += weight::OTHER_WORDS,
            None if leaf.text.is_empty() => {}
            None if labels.contains(&leaf.text.as_str()) => sum += weight::OTHER_LABEL,
            None if labelled[l].is_some() && own[c] != labelled[l] => sum += weight::OTHER_LABEL,
            None if cell.label.is_some() && labelled[l].is_none() => sum += weight::OTHER_LABEL,
            None if labelled[l].is_some() => sum += weight::WORDS,
            None if cell.kinds.is_empty() => {}
            None if are_contrary(cell.kinds, told(l)) => sum += weight::OTHER_LABEL,
            None if cell.kinds.shared(told(l)).is_empty() => sum += weight::OTHER_KIND,
            None => sum += weight::KIND,
        }
        sum += alike(c, l);
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
/// are only nearly the same, and one must have text. What has a label may be missing: if all that has none is there, a row may have one labelled value, if it has
/// nothing else.
pub fn is_row(cells: &[RowCell], leaves: &[Leaf], aligned: &[Option<usize>]) -> bool {
    let said = aligned.iter().flatten().any(|leaf| !leaves[*leaf].text.is_empty());
    let weigh = |cell: &RowCell, leaf: &Option<usize>| {
        leaf.map_or(0, |leaf| if leaves[leaf].path == cell.path { 4 } else { 3 })
    };
    let usual = || cells.iter().zip(aligned).filter(|(cell, _)| cell.usual);
    let there: usize = usual().map(|(cell, leaf)| weigh(cell, leaf)).sum();
    if said && there >= 2 * usual().count() && there > 0 {
        return true;
    }
    let own = labels_of(cells);
    let is_label = |cell: &RowCell| cell.words.as_deref().is_some_and(|words| own.contains(&Some(words)));
    let mut plain = 0;
    let mut labelled = 0;
    for ((cell, leaf), own) in cells.iter().zip(aligned).zip(&own) {
        let is_there = leaf.is_some_and(|leaf| leaves[leaf].path == cell.path);
        if own.is_some() {
            labelled += usize::from(is_there);
        } else if cell.usual && !is_label(cell) {
            plain += 1;
            if !is_there {
                return false;
            }
        }
    }
    let read = aligned
        .iter()
        .flatten()
        .filter(|leaf| !leaves[**leaf].text.is_empty())
        .count();
    let all = leaves.iter().filter(|leaf| !leaf.text.is_empty()).count();
    said && plain > 0 && labelled > 0 && read == all
}

#[cfg(test)]
mod tests {
    use super::super::leaves::{Stretch, leaves};
    use super::*;
    use page::Page;

    fn row(html: &str) -> Vec<Leaf> {
        let page = Page::parse_str(&format!("<p id=row>{html}"), &Default::default()).expect("a page");
        let mut elements = page.elements().iter().copied();
        let row = elements.find(|node| page.name(*node) == "p").expect("a row");
        leaves(&page, Stretch::element(&page, row))
    }

    fn cells(html: &str) -> Vec<RowCell> {
        let cell = |leaf: Leaf| RowCell {
            path: leaf.path,
            number: leaf.cell,
            place: leaf.place,
            class: leaf.class,
            words: None,
            label: None,
            kinds: telling_kinds(&leaf.text),
            usual: false,
            field: None,
            attributes: Vec::new(),
            split: None,
        };
        row(html).into_iter().map(cell).collect()
    }

    #[test]
    fn a_link_is_told_by_its_words() {
        let mut known = cells("<a href=1>Agenda</a> <a href=2>Minutes</a>");
        // Without words the first link is the first cell.
        let minutes = row("<a href=5>Minutes</a>");
        assert_eq!(align(&known, &[], &minutes), [Some(0), None]);
        for (cell, words) in known.iter_mut().zip(["Agenda", "Minutes"]) {
            cell.words = Some(words.to_owned());
        }
        assert_eq!(align(&known, &[], &minutes), [None, Some(0)]);
    }

    #[test]
    fn a_label_brings_its_value_along() {
        let mut known = cells("<i>Lot: 5</i> <i>Hall: 7</i>");
        let hall = row("<i>Hall: 9</i>");
        assert_eq!(align(&known, &[], &hall), [Some(0), None]);
        for (cell, label) in known.iter_mut().zip(["Lot:", "Hall:"]) {
            cell.label = Some(label.to_owned());
        }
        assert_eq!(align(&known, &[], &hall), [None, Some(0)]);
        // What has no label is neither.
        assert_eq!(align(&known, &[], &row("<i>9</i>")), [None, None]);
    }

    #[test]
    fn rows_of_a_known_make_are_read_alike() {
        let known = cells("<i>New</i> <i>Elm Lamp</i>");
        let lamp = row("<i>Oak Lamp</i>");
        assert_eq!(align(&known, &[], &lamp), [Some(0), None]);
        let make = Make {
            leaves: vec!["i".to_owned()],
            cells: vec![Some(1)],
        };
        assert_eq!(align(&known, &[make], &lamp), [None, Some(0)]);
    }

    #[test]
    fn a_price_is_no_date() {
        let known = cells("<i>May 3, 2019</i> <i>$5</i>");
        assert_eq!(align(&known, &[], &row("<i>$7</i>")), [None, Some(0)]);
    }
}

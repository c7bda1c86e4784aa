//! The cells of a list's rows, by aligning the rows with each other.
//!
//! Rows with the same paths of leaves, labels and kinds of values are of one kind. The most frequent kind gives the first cells. One row of each
//! other kind is aligned with them, the frequent kinds first, and leaves that are no cell become new ones where they are.
//! Then all rows are aligned; cells that few rows have are dropped, and what the others say tells which words are
//! constant, which kinds of value a cell has, and what is a field.
//!
//! Cost: kinds times cells times leaves, at most [`KINDS`] kinds; then one alignment for each row.

use super::alike::{self, Texts};
use super::groups::Group;
use super::parts;
use super::told;
use page::vocabulary::{DATA, is_label};
use page::{NodeId, Page};
use record::values::{Kind, Kinds, kinds};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::template::{
    Cut, Leaf, Make, RowCell, RowWhole, Split, Stretch, align, align_anew, are_rows, block, cut, is_head, is_link,
    is_row, label_before, labels_of, leaves, stretches, telling_kinds, tells,
};

/// The most kinds of row that are aligned with each other.
const KINDS: usize = 60;
/// How many rows decide what is a list and which cells it has.
const SAMPLE: usize = 150;
/// The most rows of a list.
const MOST: usize = 20_000;
/// Among the first five rows, large ones do not matter.
const FEW: usize = 5;
/// Rows with more leaves on average are parts of a page, not rows.
const LARGE: usize = 120;
/// The most cells.
const CELLS: usize = 160;
/// A cell that less than this part of the rows have, in percent, is dropped, or that one row has.
const RARE: usize = 4;
/// A cell that this part of the rows have, in percent, is usual.
const USUAL: usize = 80;
/// At least this part of the candidates must be rows, in percent.
const FITTING: usize = 50;
/// By how much the text of single links counts less.
const MENU: usize = 10;
/// With this number of cells that differ, at most one of them a link, a row has data of its own.
const RICH: usize = 3;
/// How many rows below an element are compared by their number.
const NUMBERS: usize = 8;
/// Up to this number of links in an element are no list: "ada (50)", of which both are links.
const LINE: usize = 2;
/// An attribute that one row in this many has is a field: only meetings of the past may have a link to their minutes. Fewer are chance.
const LINKED: usize = 10;
/// How many texts of a cell are asked for their kinds.
const ASKED: usize = 40;

/// A row of a group.
pub(super) struct Row {
    pub(super) page: usize,
    parent: NodeId,
    pub(super) stretch: Stretch,
    pub(super) leaves: Vec<Leaf>,
    aligned: Option<Vec<Option<usize>>>,
}

impl Row {
    /// Its whole text.
    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self.leaves.iter().map(|leaf| leaf.text.as_str()).collect();
        texts.join(" ")
    }

    fn cut(mut self, cuts: &[Cut]) -> Row {
        self.leaves = cut(self.leaves, cuts);
        self
    }

    fn leaf(&self, cell: usize) -> Option<&Leaf> {
        self.aligned.as_ref()?[cell].map(|leaf| &self.leaves[leaf])
    }

    /// The text of a cell.
    pub(super) fn cell(&self, cell: usize) -> Option<&str> {
        self.leaf(cell)
            .map(|leaf| leaf.text.as_str())
            .filter(|text| !text.is_empty())
    }
}

/// A group whose children are rows.
pub(super) struct Learned {
    pub(super) group: Group,
    pub(super) cuts: Vec<Cut>,
    pub(super) makes: Vec<Make>,
    pub(super) cells: Vec<RowCell>,
    rows: Vec<Row>,
}

impl Learned {
    /// The rows that fit.
    pub(super) fn good(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.aligned.is_some())
    }

    /// How much text the rows have.
    pub(super) fn size(&self) -> usize {
        let texts = self.good().flat_map(|row| &row.leaves);
        texts.map(|leaf| leaf.text.len()).sum()
    }

    /// The first nodes of the rows below an element.
    pub(super) fn rows_of(&self, page: usize, parent: NodeId) -> Vec<NodeId> {
        let here = self.good().filter(|row| row.page == page && row.parent == parent);
        here.map(|row| row.stretch.from).collect()
    }

    /// How much a reader may want the list: its text, less if its rows are single links, as those of menus are.
    pub(super) fn worth(&self) -> usize {
        let mut usual = self.cells.iter().filter(|cell| cell.usual);
        let link = |cell: &RowCell| cell.path.split('/').any(|step| step == "a") || self.group.row == "a";
        let menu = matches!((usual.next(), usual.next()), (Some(cell), None) if link(cell));
        if menu { self.size() / MENU } else { self.size() }
    }

    /// The element around each row, which tells rows apart if there are several on a page.
    pub(super) fn around(row: &Row) -> (usize, NodeId) {
        (row.page, row.parent)
    }

    /// The pages with rows.
    pub(super) fn pages(&self) -> BTreeSet<usize> {
        self.good().map(|row| row.page).collect()
    }

    /// Has each list the usual cells of the other, in elements of the same names? What few rows have may be more than usual.
    pub(super) fn is_like(&self, other: &Learned) -> bool {
        let (a, b) = (&self.group, &other.group);
        let has = |list: &Learned, other: &Learned| {
            let mut cells = list.cells.iter();
            let mut usual = other.cells.iter().filter(|cell| cell.usual);
            usual.all(|usual| cells.any(|cell| cell.path == usual.path))
        };
        a.row == b.row
            && a.run == b.run
            && a.label == b.label
            && a.path.last() == b.path.last()
            && a.path != b.path
            && has(self, other)
            && has(other, self)
    }

    /// What lists that only labels tell apart have in common.
    pub(super) fn key(&self) -> (&[String], &str, bool) {
        (&self.group.path, &self.group.row, self.group.run)
    }

    /// How many rows of other lists are in each row of this one.
    pub(super) fn counts_of(&self, inner: &[&Learned]) -> Vec<usize> {
        if inner.iter().any(|inner| inner.group.path == self.group.path) {
            return Vec::new();
        }
        // Empty cells count.
        let rows = inner.iter().flat_map(|inner| &inner.rows);
        let mut places: Vec<(usize, NodeId)> = rows.map(|row| (row.page, row.stretch.from)).collect();
        places.sort_unstable();
        let count = |row: &Row| {
            let from = places.partition_point(|place| *place < (row.page, row.stretch.from));
            let to = places.partition_point(|place| *place < (row.page, row.stretch.to));
            to - from
        };
        self.good().map(count).collect()
    }

    /// Do the rows have several cells with data of their own, as those of menus, cells and labelled lines do not?
    pub(super) fn is_rich(&self) -> bool {
        let varies = |(at, cell): &(usize, &RowCell)| {
            let texts: BTreeSet<&str> = self.good().filter_map(|row| row.cell(*at)).collect();
            cell.usual && cell.words.is_none() && texts.len() > 1
        };
        let cells: Vec<&RowCell> = self
            .cells
            .iter()
            .enumerate()
            .filter(varies)
            .map(|(_, cell)| cell)
            .collect();
        let plain = cells
            .iter()
            .filter(|cell| !cell.path.split('/').any(|step| step == "a"));
        cells.len() >= RICH && plain.count() + 1 >= RICH
    }

    /// Is each row a single text?
    pub(super) fn is_single(&self) -> bool {
        self.cells.iter().filter(|cell| cell.usual).count() == 1
    }

    /// Are there usual cells of one path whose texts are of different kinds?
    pub(super) fn has_columns(&self) -> bool {
        let usual: Vec<&RowCell> = self
            .cells
            .iter()
            .filter(|cell| cell.usual && cell.words.is_none())
            .collect();
        let differ = |one: &RowCell, other: &RowCell| {
            let plain = one.kinds.is_empty() && other.kinds.is_empty();
            one.path == other.path && !plain && one.kinds.shared(other.kinds).is_empty()
        };
        usual.iter().any(|one| usual.iter().any(|other| differ(one, other)))
    }

    /// How many rows each element with rows has, on average.
    pub(super) fn on_average(&self) -> usize {
        self.good().count() / self.group.parents.len().max(1)
    }

    /// Have the rows different kinds of value by their number, as cells have?
    fn differ_by_number(&self) -> bool {
        let mut numbered: Vec<Vec<&str>> = Vec::new();
        let mut last = None;
        let mut number = 0;
        for row in self.good() {
            number = if last == Some((row.page, row.parent)) {
                number + 1
            } else {
                0
            };
            last = Some((row.page, row.parent));
            if number >= NUMBERS {
                continue;
            }
            if numbered.len() <= number {
                numbered.push(Vec::new());
            }
            if let Some(leaf) = row.leaves.iter().find(|leaf| !leaf.text.is_empty()) {
                numbered[number].push(&leaf.text);
            }
        }
        let kinds: BTreeSet<Kinds> = numbered
            .iter()
            .filter(|texts| texts.len() >= 3)
            .map(|texts| common_kinds(texts))
            .filter(|kinds| !kinds.is_empty())
            .collect();
        kinds.len() > 1
    }

    /// Are the rows rather parts of a line: one or two links, each with nothing but its words?
    pub(super) fn is_line(&self) -> bool {
        self.group.row == "a" && !self.group.run && !self.is_rich() && self.on_average() <= LINE
    }

    /// Is each cell of the rows a record of its own: the same make, with a link of its own?
    pub(super) fn is_grid(&self, pages: &[&Page]) -> bool {
        let good: Vec<&Row> = self.good().take(ASKED).collect();
        let usual: Vec<usize> = (0..self.cells.len())
            .filter(|cell| self.cells[*cell].usual && good.iter().any(|row| row.cell(*cell).is_some()))
            .collect();
        let make = |cell: usize| (self.cells[cell].path.as_str(), attributes(pages, &good, cell));
        let Some((first, rest)) = usual.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return false;
        };
        let (path, linked) = make(*first);
        !linked.is_empty() && rest.iter().all(|cell| make(*cell) == (path, linked.clone()))
    }

    /// Are the rows rather the parts of a tuple: equally many everywhere, and each number with a make of its own?
    pub(super) fn is_tuple(&self) -> bool {
        if !self.is_rich() && self.differ_by_number() {
            return true;
        }
        let mut around: BTreeMap<(usize, NodeId), Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            around.entry((row.page, row.parent)).or_default().push(row);
        }
        let count = around.values().next().map_or(0, Vec::len);
        if around.len() < 2 || around.values().any(|rows| rows.len() != count) {
            return false;
        }
        let make = |row: &Row| -> Vec<String> { row.leaves.iter().map(|leaf| leaf.path.clone()).collect() };
        let word = |row: &Row| {
            row.leaves
                .iter()
                .find_map(|leaf| leaf.text.split(' ').next().map(str::to_owned))
        };
        // The make that most rows with a number have, and whether nearly all do; and the label of each number.
        let mut makes: BTreeMap<Vec<String>, Vec<Option<String>>> = BTreeMap::new();
        for number in 0..count {
            let mut times: BTreeMap<Vec<String>, usize> = BTreeMap::new();
            let full = around
                .values()
                .map(|rows| rows[number])
                .filter(|row| !row.leaves.is_empty());
            full.for_each(|row| *times.entry(make(row)).or_default() += 1);
            let all: usize = times.values().sum();
            let Some((most, times)) = times.into_iter().max_by_key(|(_, times)| *times) else {
                continue;
            };
            if times * 10 < all * 9 {
                return false;
            }
            // The word with which they begin, if it is always the same.
            let full = around
                .values()
                .map(|rows| rows[number])
                .filter(|row| !row.leaves.is_empty());
            // A whole row that is always the same has no label.
            let texts: BTreeSet<String> = full.clone().map(Row::text).collect();
            let words: BTreeSet<Option<String>> = full.map(word).collect();
            let label = match words.len() {
                1 if texts.len() > 1 => words.into_iter().next().flatten(),
                _ => None,
            };
            makes.entry(most).or_default().push(label);
        }
        // Labels tell rows of one make apart if half of them have one (a title, and `Item 7` below it); a word that comes back in the first of three rows
        // alone is chance.
        let apart = |labels: &Vec<Option<String>>| {
            let plain = labels.iter().filter(|label| label.is_none()).count();
            match plain * 2 > labels.len() {
                true => 1,
                false => labels.iter().collect::<BTreeSet<_>>().len(),
            }
        };
        makes.values().map(apart).sum::<usize>() * 2 > count
    }

    /// Do rows of both share a part of a page?
    pub(super) fn overlaps(&self, other: &Learned) -> bool {
        let mut places: Vec<(usize, NodeId, NodeId)> = self
            .good()
            .map(|row| (row.page, row.stretch.from, row.stretch.to))
            .collect();
        places.sort_unstable();
        other.good().any(|row| {
            let at = places.partition_point(|(page, _, to)| (*page, *to) <= (row.page, row.stretch.from));
            places
                .get(at)
                .is_some_and(|(page, from, _)| *page == row.page && *from < row.stretch.to)
        })
    }

    fn align(&mut self) {
        let mut last = None;
        let mut first = true;
        for row in &mut self.rows {
            first |= last != Some((row.page, row.parent));
            last = Some((row.page, row.parent));
            let aligned = align(&self.cells, &self.makes, &row.leaves);
            let fits = is_row(&self.cells, &row.leaves, &aligned);
            let head = first && fits && is_head(&self.cells, &row.leaves, &aligned);
            first &= !fits;
            row.aligned = (fits && !head).then_some(aligned);
        }
    }

    /// Drops the parents without rows that fit, and their rows.
    fn settle(&mut self) {
        let mut full: HashMap<(usize, NodeId), Vec<bool>> = HashMap::new();
        for row in self.rows.iter().filter(|row| !row.leaves.is_empty()) {
            let fits = row.aligned.is_some();
            full.entry((row.page, row.parent)).or_default().push(fits);
        }
        let fine = |key: &(usize, NodeId)| full.get(key).is_some_and(|full| are_rows(full));
        self.rows.retain(|row| fine(&(row.page, row.parent)));
        self.group.parents.retain(fine);
    }

    /// What the rows say about each cell.
    fn describe(&mut self) {
        let good: Vec<&Row> = self.rows.iter().filter(|row| row.aligned.is_some()).collect();
        let all = good.len();
        let mut cells = self.cells.clone();
        for (number, cell) in cells.iter_mut().enumerate() {
            let found: Vec<&Leaf> = good.iter().filter_map(|row| row.leaf(number)).collect();
            let texts: Vec<&str> = found.iter().map(|leaf| leaf.text.as_str()).collect();
            cell.usual = found.len() * 100 >= all * USUAL;
            // A text that is always the same is a label, unless it is all that its cell says: then it is a value that
            // has not changed yet.
            // Words that tell a cell are known, though few rows may have them.
            let known = cell.words.is_some();
            let constant = (texts.len() >= 3 || known && !texts.is_empty())
                && !texts[0].is_empty()
                && texts.iter().all(|text| *text == texts[0]);
            let inner = cell.path.rsplit('/').next().unwrap_or_default();
            let same = self.cells.iter().filter(|other| other.number == cell.number).count();
            let alone = same == 1 && self.cells.len() > 1 && !cell.path.is_empty();
            let label = !alone || is_label(inner) || texts.first().is_some_and(|text| text.ends_with(':'));
            // A date is a value, though all rows may be of one day.
            let dated = constant && kinds(texts[0]).contains(Kind::Date);
            cell.words = (constant && (label || known) && !dated).then(|| texts[0].to_owned());
            cell.class = most(found.iter().map(|leaf| leaf.class.as_str()), found.len() * 9 / 10);
            cell.kinds = common_kinds(&texts);
        }
        self.cells = cells;
    }
}

/// The most frequent text, if it comes more often than `more` times.
fn most<'t>(texts: impl Iterator<Item = &'t str>, more: usize) -> String {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    texts.for_each(|text| *times.entry(text).or_default() += 1);
    let found = times.into_iter().max_by_key(|(_, times)| *times);
    found
        .filter(|(_, times)| *times > more)
        .map_or("", |(text, _)| text)
        .to_owned()
}

/// The kinds that most texts have.
fn common_kinds(texts: &[&str]) -> Kinds {
    let mut times: BTreeMap<Kind, usize> = BTreeMap::new();
    let step = texts.len().div_ceil(ASKED).max(1);
    let mut asked = 0;
    for text in texts.iter().filter(|text| !text.is_empty()).step_by(step) {
        asked += 1;
        telling_kinds(text)
            .iter()
            .for_each(|kind| *times.entry(kind).or_default() += 1);
    }
    let common = times.into_iter().filter(|(_, times)| times * 10 >= asked * 8);
    common.map(|(kind, _)| kind).collect()
}

/// What is known of the texts of rows.
struct Known {
    labels: Vec<String>,
    links: Vec<String>,
}

impl Known {
    fn of(rows: &[Row]) -> Known {
        Known {
            labels: told::labels(rows).into_iter().collect(),
            links: told::link_words(rows).into_iter().collect(),
        }
    }

    fn labels(&self) -> Vec<&str> {
        self.labels.iter().map(String::as_str).collect()
    }

    /// The number of the label that a leaf is or has, or of the words that tell it.
    fn number(&self, leaves: &[Leaf], at: usize) -> Option<usize> {
        let leaf = &leaves[at];
        let label = label_before(&self.labels(), leaves, at).unwrap_or(&leaf.text);
        let known = self.labels.iter().position(|known| known == label);
        let link = || self.links.iter().position(|known| *known == leaf.text);
        known.or_else(|| link().filter(|_| is_link(&leaf.path)).map(|at| at + self.labels.len()))
    }
}

/// A cell for a leaf that no cell has yet.
fn cell_of(leaves: &[Leaf], at: usize, known: &Known) -> RowCell {
    let leaf = &leaves[at];
    let is_told = known.number(leaves, at).is_some();
    let label = label_before(&known.labels(), leaves, at).map(str::to_owned);
    let words = (is_told && label.is_none()).then(|| leaf.text.clone());
    RowCell {
        path: leaf.path.clone(),
        number: leaf.cell,
        place: leaf.place.clone(),
        class: leaf.class.clone(),
        words,
        label,
        kinds: telling_kinds(&leaf.text),
        usual: false,
        field: None,
        attributes: Vec::new(),
        split: None,
    }
}

/// The rows of a group, if they are alike enough and say different things.
///
/// A sample of the rows decides, so that large parts of pages that are no lists cost little.
pub(super) fn learn(pages: &[&Page], group: &Group) -> Option<Learned> {
    let mut places: Vec<(usize, NodeId, Stretch)> = Vec::new();
    for (page, parent) in &group.parents {
        let found = stretches(pages[*page], *parent, &group.row, group.run);
        places.extend(found.into_iter().map(|stretch| (*page, *parent, stretch)));
    }
    places.truncate(MOST);
    let row = |(page, parent, stretch): &(usize, NodeId, Stretch)| Row {
        page: *page,
        parent: *parent,
        stretch: *stretch,
        leaves: leaves(pages[*page], *stretch),
        aligned: None,
    };
    let step = places.len().div_ceil(SAMPLE).max(1);
    let mut rows: Vec<Row> = Vec::new();
    let mut total = 0;
    for (number, place) in places.iter().step_by(step).enumerate() {
        rows.push(row(place));
        total += rows[number].leaves.len();
        if total > (number + FEW) * LARGE {
            return None;
        }
    }
    let mut learned = cells(group, &[], rows)?;
    let cuts = told::cuts(&learned);
    if !cuts.is_empty() {
        let rows = places.iter().step_by(step).map(row).map(|row| row.cut(&cuts)).collect();
        // Pieces are worth it if it is known what most of them are.
        let pieces = cells(group, &cuts, rows).filter(|pieces| pieces.is_list() && pieces.is_told());
        learned = pieces.unwrap_or(learned);
    }
    if !learned.is_list() {
        return None;
    }
    if step > 1 {
        learned.group = group.clone();
        learned.rows = places.iter().map(row).map(|row| row.cut(&learned.cuts)).collect();
        learned.align();
        learned.settle();
        learned.describe();
    }
    learned.is_list().then_some(learned)
}

/// The cells of rows.
fn cells(group: &Group, cuts: &[Cut], rows: Vec<Row>) -> Option<Learned> {
    let known = Known::of(&rows);
    let mut kinds: HashMap<Vec<(String, Option<usize>)>, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| !row.leaves.is_empty()) {
        let tells = tells(&row.leaves, &known.labels()).into_iter().enumerate();
        let kind = tells
            .map(|(leaf, tell)| (tell, known.number(&row.leaves, leaf)))
            .collect();
        kinds.entry(kind).or_default().push(at);
    }
    let mut kinds: Vec<Vec<usize>> = kinds.into_values().collect();
    let said = |row: usize| rows[row].leaves.iter().filter(|leaf| !leaf.text.is_empty()).count();
    kinds.sort_by_key(|members| (std::cmp::Reverse((members.len(), said(members[0]))), members[0]));
    let first = kinds.first()?.clone();
    let leaves = &rows[first[0]].leaves;
    let mut learned = Learned {
        group: group.clone(),
        cuts: cuts.to_vec(),
        makes: Vec::new(),
        cells: (0..leaves.len()).map(|at| cell_of(leaves, at, &known)).collect(),
        rows,
    };
    for row in &first {
        learned.rows[*row].aligned = Some((0..learned.cells.len()).map(Some).collect());
    }
    learned.describe();
    learned.count_known(&known);
    learned.rows.iter_mut().for_each(|row| row.aligned = None);
    let mut texts: Vec<Texts> = (0..learned.cells.len()).map(|at| learned.texts(&first, at)).collect();
    for members in kinds[1..].iter().take(KINDS) {
        learned.add(members, &known, &mut texts);
    }
    learned.keep_makes();
    learned.align();
    learned.settle();
    let good: Vec<&Row> = learned.good().collect();
    let support: Vec<usize> = (0..learned.cells.len())
        .map(|cell| good.iter().filter(|row| row.leaf(cell).is_some()).count())
        .collect();
    let all = good.len();
    let before = learned.cells.len();
    let mut left = 0;
    let number = |support: &usize| {
        let stays = *support * 100 >= all * RARE && (*support >= 2 || all < 4);
        left += u32::from(stays);
        stays.then(|| left - 1)
    };
    let numbers: Vec<Option<u32>> = support.iter().map(number).collect();
    let mut stays = numbers.iter().map(Option::is_some);
    learned.cells.retain(|_| stays.next() == Some(true));
    learned.renumber(&numbers);
    if learned.cells.len() < before {
        learned.align();
    }
    learned.describe();
    // Labels that all rows have are words of the row, and tell nothing else.
    let is_optional = |cell: &RowCell| cell.label.is_some() && !cell.usual;
    if !learned.cells.iter().any(is_optional) {
        learned.cells.iter_mut().for_each(|cell| cell.label = None);
    }
    learned.align();
    learned.settle();
    learned.describe();
    Some(learned)
}

impl Learned {
    /// Are there enough rows, alike, that say different things?
    fn is_list(&self) -> bool {
        let good = self.good().count();
        let full = self.rows.iter().filter(|row| !row.leaves.is_empty()).count();
        let varies = |(at, cell): (usize, &RowCell)| {
            let mut texts = self.good().filter_map(|row| row.cell(at));
            let first = texts.next();
            cell.words.is_none() && first.is_some_and(|first| texts.any(|text| text != first))
        };
        good >= 3 && good * 100 >= full * FITTING && self.is_coherent() && self.cells.iter().enumerate().any(varies)
    }

    /// Are the texts of the rows mostly in cells that most rows have, or that labels tell?
    fn is_coherent(&self) -> bool {
        let (mut usual, mut all) = (0, 0);
        for row in self.good() {
            all += row.leaves.iter().filter(|leaf| !leaf.text.is_empty()).count();
            let cells = self.cells.iter().enumerate();
            // What a label tells belongs to the row, however many rows have it.
            let is_own = |cell: &RowCell| cell.usual || cell.label.is_some();
            usual += cells
                .filter(|(at, cell)| is_own(cell) && row.cell(*at).is_some())
                .count();
        }
        // Rows that are not elements have only this to hold them together.
        let least = if self.group.run { 75 } else { 40 };
        let parents = self.group.parents.len();
        let count = self.good().count();
        // A list with one row almost everywhere is not seen to be one.
        usual * 100 >= all * least && count * 2 >= parents * if self.group.run { 6 } else { 3 }
    }

    /// Is it known what at least this part of the texts are, in percent: has their cell a label, words, a kind of value, or is it one that most rows have?
    fn is_told(&self) -> bool {
        const TOLD: usize = 80;
        let is_known =
            |cell: &RowCell| cell.usual || cell.words.is_some() || cell.label.is_some() || !cell.kinds.is_empty();
        let (mut told, mut all) = (0, 0);
        for row in self.good() {
            all += row.leaves.iter().filter(|leaf| !leaf.text.is_empty()).count();
            let cells = self.cells.iter().enumerate();
            told += cells
                .filter(|(at, cell)| is_known(cell) && row.cell(*at).is_some())
                .count();
        }
        told * 100 >= all * TOLD
    }

    /// Which cells with labels or words of links are usual: all rows say that, not those of one kind. Otherwise rows that lack several of them would be none.
    fn count_known(&mut self, known: &Known) {
        let full = self.rows.iter().filter(|row| !row.leaves.is_empty());
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        for row in full.clone() {
            let own: BTreeSet<usize> = (0..row.leaves.len())
                .filter_map(|at| known.number(&row.leaves, at))
                .collect();
            own.into_iter()
                .for_each(|number| *times.entry(number).or_default() += 1);
        }
        let all = full.count();
        for cell in &mut self.cells {
            let told = cell.label.as_ref().or(cell.words.as_ref());
            let mut texts = known.labels.iter().chain(&known.links);
            let number = told.and_then(|told| texts.position(|text| text == told));
            if let Some(times) = number.and_then(|number| times.get(&number)) {
                cell.usual = times * 100 >= all * USUAL;
            }
        }
    }

    /// The texts that rows have at a leaf.
    fn texts(&self, rows: &[usize], leaf: usize) -> Texts {
        Texts::new(rows.iter().map(|row| self.rows[*row].leaves[leaf].text.as_str()))
    }

    /// Adds the cells that rows of a kind have beside those known. `texts` are those of each cell so far.
    fn add(&mut self, rows: &[usize], known: &Known, texts: &mut Vec<Texts>) {
        let leaves = &self.rows[rows[0]].leaves;
        let own: Vec<Texts> = (0..leaves.len()).map(|at| self.texts(rows, at)).collect();
        let alike = |cell: usize, leaf: usize| {
            let likeness = texts[cell].likeness(&own[leaf]);
            if self.cells[cell].usual {
                likeness.max(alike::UNLIKE)
            } else {
                likeness
            }
        };
        let new = |at: usize| {
            let texts: Vec<&str> = rows
                .iter()
                .map(|row| self.rows[*row].leaves[at].text.as_str())
                .collect();
            RowCell {
                kinds: common_kinds(&texts),
                ..cell_of(leaves, at, known)
            }
        };
        let aligned = align_anew(&self.cells, leaves, &alike);
        if !is_row(&self.cells, leaves, &aligned) || self.cells.len() + leaves.len() > CELLS {
            return;
        }
        let mut cells: Vec<RowCell> = Vec::new();
        let mut all: Vec<Texts> = Vec::new();
        let mut make: Vec<Option<u32>> = Vec::new();
        let mut numbers: Vec<Option<u32>> = Vec::new();
        let old = self.cells.iter().zip(&aligned).zip(std::mem::take(texts));
        for ((cell, leaf), mut said) in old {
            if let Some(leaf) = *leaf {
                for (at, texts) in own.iter().enumerate().take(leaf).skip(make.len()) {
                    make.push(Some(cells.len() as u32));
                    cells.push(new(at));
                    all.push(texts.clone());
                }
                make.push(Some(cells.len() as u32));
                said.extend(&own[leaf]);
            }
            numbers.push(Some(cells.len() as u32));
            cells.push(cell.clone());
            all.push(said);
        }
        for (at, texts) in own.iter().enumerate().skip(make.len()) {
            make.push(Some(cells.len() as u32));
            cells.push(new(at));
            all.push(texts.clone());
        }
        let leaves = tells(leaves, &known.labels());
        self.cells = cells;
        *texts = all;
        self.renumber(&numbers);
        self.makes.push(Make { leaves, cells: make });
    }

    /// Gives the cells of the known makes other numbers, or none.
    fn renumber(&mut self, numbers: &[Option<u32>]) {
        for cell in self.makes.iter_mut().flat_map(|make| &mut make.cells) {
            *cell = cell.and_then(|cell| numbers[cell as usize]);
        }
    }

    /// Keeps the makes that say more than each row of them does. Labels tell rows by themselves.
    fn keep_makes(&mut self) {
        let makes = std::mem::take(&mut self.makes);
        let says_more = |make: &Make| {
            let labelled = make.leaves.iter().any(|leaf| leaf.ends_with(" :"));
            let row = self.rows.iter().find(|row| tells(&row.leaves, &[]) == make.leaves);
            let known = row.map(|row| align(&self.cells, &[], &row.leaves));
            let made = row.map(|row| align(&self.cells, std::slice::from_ref(make), &row.leaves));
            // What words tell, a make does not.
            let is_only = makes.iter().all(|other| other.leaves != make.leaves || other == make);
            !labelled && is_only && known != made
        };
        self.makes = makes.iter().filter(|make| says_more(make)).cloned().collect();
    }

    /// The cells with fields, the texts of several cells, and the number of fields.
    pub(super) fn fields(&self, pages: &[&Page]) -> (Vec<RowCell>, Vec<RowWhole>, u32) {
        let mut fields = 0;
        let mut field = || {
            fields += 1;
            fields - 1
        };
        let good: Vec<&Row> = self.good().collect();
        let mut cells = self.cells.clone();
        let mut wholes = Vec::new();
        let labels = labels_of(&self.cells);
        // Values with their labels say nothing more together.
        let is_labelled = |at: usize| self.cells[at].words.is_some() || labels[at].is_some();
        for (from, to) in self.blocks(pages, &good) {
            if (from..to).all(is_labelled) {
                continue;
            }
            wholes.push(RowWhole {
                field: field(),
                from: from as u32,
                to: to as u32,
            });
        }
        for (number, cell) in cells.iter_mut().enumerate() {
            let texts: Vec<&str> = good.iter().filter_map(|row| row.cell(number)).collect();
            cell.attributes = attributes(pages, &good, number)
                .into_iter()
                .map(|(element, name)| (element, name, field()))
                .collect();
            if texts.is_empty() || cell.words.is_some() {
                continue;
            }
            let parts = parts::parts(&texts);
            let trim = parts.as_ref().is_some_and(parts::Parts::is_trim);
            cell.field = (!trim).then(&mut field);
            cell.split = parts.map(|parts| Split {
                fields: (0..=parts.separators.len()).map(|_| field()).collect(),
                before: parts.before,
                after: parts.after,
                separators: parts.separators,
            });
        }
        (cells, wholes, fields)
    }

    /// Runs of cells that are one text to a reader.
    fn blocks(&self, pages: &[&Page], good: &[&Row]) -> Vec<(usize, usize)> {
        let count = self.cells.len();
        // For each cell, how often it is in the block of the cell before it, and how often both are there.
        let mut joined = vec![(0usize, 0usize); count];
        let mut bare = true;
        for row in good.iter().take(ASKED) {
            let mut last: Option<(usize, Option<NodeId>)> = None;
            for number in 0..count {
                let Some(leaf) = row.leaf(number).filter(|leaf| !leaf.text.is_empty()) else {
                    continue;
                };
                let around = block(pages[row.page], row.stretch, leaf.node);
                let around = around.filter(|node| !(row.stretch.inside && *node == row.stretch.from));
                bare &= around.is_none();
                if let Some((before, known)) = last {
                    for (same, both) in &mut joined[before + 1..=number] {
                        *same += usize::from(known == around);
                        *both += 1;
                    }
                }
                last = Some((number, around));
            }
        }
        let mut out = Vec::new();
        let mut from = 0;
        for number in 1..=count {
            if joined.get(number).is_some_and(|(same, both)| same * 2 > *both) {
                continue;
            }
            let texts = (from..number)
                .filter(|cell| good.iter().any(|row| row.cell(*cell).is_some()))
                .count();
            // Text that is directly in the row is one with the row only if nothing else is in it.
            let direct = good.iter().take(ASKED).any(|row| {
                let leaf = (from..number).find_map(|cell| row.leaf(cell).filter(|leaf| !leaf.text.is_empty()));
                leaf.is_some_and(|leaf| {
                    let around = block(pages[row.page], row.stretch, leaf.node);
                    around.is_none_or(|node| row.stretch.inside && node == row.stretch.from)
                })
            });
            if texts > 1 && (bare || !direct) {
                out.push((from, number));
            }
            from = number;
        }
        out
    }
}

/// The attributes with data that some rows have at a cell, and that differ.
fn attributes(pages: &[&Page], good: &[&Row], cell: usize) -> Vec<(String, String)> {
    let mut seen: BTreeMap<(&str, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
    let mut all = 0;
    for row in good {
        let Some(leaf) = row.leaf(cell) else { continue };
        let page = pages[row.page];
        all += 1;
        let mut names: Vec<&str> = Vec::new();
        for node in leaf.opens.iter().rev() {
            // Of two elements with one name the inner one.
            if names.contains(&page.name(*node)) {
                continue;
            }
            names.push(page.name(*node));
            for name in DATA {
                if let Some(value) = page.attribute_value(*node, name) {
                    let (times, values) = seen.entry((page.name(*node), name)).or_default();
                    *times += 1;
                    if values.len() < 2 {
                        values.insert(value);
                    }
                }
            }
        }
    }
    let wanted = seen
        .into_iter()
        .filter(|(_, (times, values))| times * LINKED >= all && values.len() > 1);
    wanted
        .map(|((element, name), _)| (element.to_owned(), name.to_owned()))
        .collect()
}

//! The cells of records that are rows: which column a cell is in, also where a row lacks one, and how a column is told.
//!
//! Most rows of a list have the same number of cells: `td` in a table, and elsewhere the children of a record, if all have one name. A
//! column is told by an attribute that says which one it is, if half of the columns have such a one (`td[@data-label="Day"]`), by its
//! heading in a table with a row of `th`, and else by its place. A row with fewer cells lacks some of them. Which ones is decided by the values: the cells of such a row are
//! aligned with the columns, in order, so that each is most like what the other rows have there. If cells that reach over several columns make up for what a row lacks, each is
//! in the first column that it reaches over, and likeness is not asked. Rows that lack the same number
//! of cells are read alike, as most of them are aligned; a path tells them by the number of their cells. If the page has no row with one cell
//! less than usual, `short` says how such a row of another page is read. Where cells reach over several rows, `spans` says which columns a row lacks. Elsewhere than in a table, records of which some have more elements than usual, or whose
//! texts are told by how they are written (`forms`), are no rows of cells, and neither are rows of a table without headings that have different numbers of cells ([`are_loose`]).
//!
//! Linear in the cells of the records that are looked at, times the columns for rows that lack some.

use super::short::Short;
use super::sight::{Sight, mix};
use super::spans::{Spans, columns_of};
use super::{Candidate, forms, is_one_of};
use crate::guided::literal;
use page::{NameId, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wrapper::rule::paths::value;

/// The share of the rows that must have the same number of cells in a table, and elsewhere.
const MOST: f64 = 0.7;
const ELSEWHERE: f64 = 0.8;
/// The most cells of a row.
pub(super) const CELLS: usize = 60;
/// Fewer rows without headings do not tell how many cells are usual.
const ROWS: usize = 3;
/// The longest value of an attribute that tells a column, in bytes.
const LONGEST: usize = 80;
/// How many characters of a text make its shape.
const SHAPE: usize = 20;
/// Attributes that say which column a cell is in.
const TELLING: [&str; 9] = [
    "itemprop",
    "headers",
    "data-label",
    "data-title",
    "data-th",
    "data-stat",
    "data-field",
    "data-column",
    "class",
];

/// The cells of the records.
pub(super) struct Grid {
    /// The name of the cells.
    name: NameId,
    /// The columns of cells in rows that lack some, from 1.
    places: HashMap<NodeId, usize>,
    /// For a number of cells, less than usual, the place of each column among them.
    odd: BTreeMap<usize, Vec<Option<usize>>>,
    /// Tests of attributes, by column.
    told: HashMap<usize, String>,
    /// The headings of the columns.
    headings: Option<Headings>,
    /// How rows of other pages that lack a cell are read.
    short: Option<Short>,
    /// How many cells are usual.
    usual: usize,
    /// The columns, from 1, in which a cell of a row above may be that of a row, too.
    covered: Vec<usize>,
    /// May a heading of a row above be that of a row, too?
    is_below: bool,
    /// The columns that some rows have at another place, after a cell that reaches over several.
    moved: BTreeSet<usize>,
}

/// The headings of columns.
struct Headings {
    /// The path to them, from a cell.
    path: &'static str,
    /// The heading of each column, if no other has the same.
    texts: Vec<Option<String>>,
}

impl Grid {
    /// The cells of the records of a list, if most of them have the same number.
    pub(super) fn new(sight: &Sight<'_>, candidate: &Candidate, count: usize) -> Option<Grid> {
        let page = sight.page;
        let records = &candidate.records[..count];
        // Headings tell how many cells are usual, however few rows there are.
        if count < ROWS && !is_headed(page, candidate) || records.iter().any(|record| record.len() != 1) {
            return None;
        }
        if are_loose(sight, candidate, count) {
            return None;
        }
        let rows: Vec<NodeId> = records.iter().map(|at| candidate.items.nodes[at.start]).collect();
        let table = page.name(rows[0]) == "tr";
        let name = match table {
            true => page.name_id("td")?,
            false => page.children(rows[0]).find_map(|child| page.name_of(child))?,
        };
        let cells: Vec<Vec<NodeId>> = rows.iter().map(|row| cells(page, *row, name)).collect();
        let whole = |row: &NodeId| {
            let mut others = page.children(*row).filter(|child| page.is_element(*child));
            table || others.all(|child| page.name_of(child) == Some(name))
        };
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        let above = table.then(|| Spans::new(page, &rows, name)).flatten();
        let usual = rows.iter().zip(&cells).filter(|(row, _)| whole(row));
        usual.for_each(|(row, cells)| {
            let width = above.as_ref().map_or(cells.len(), |above| above.width(*row));
            *times.entry(width).or_default() += 1;
        });
        let (usual, most) = times.into_iter().max_by_key(|(_, times)| *times)?;
        let needed = if table { MOST } else { ELSEWHERE };
        if !(2..=CELLS).contains(&usual) || (most as f64) < needed * count as f64 {
            return None;
        }
        let full: Vec<&Vec<NodeId>> = cells.iter().filter(|cells| cells.len() == usual).collect();
        if full.is_empty() {
            return None;
        }
        let mut grid = Grid {
            name,
            places: HashMap::new(),
            odd: BTreeMap::new(),
            told: told(page, &full, usual),
            headings: table.then(|| headings(page, rows[0], usual)).flatten(),
            short: None,
            usual,
            covered: Vec::new(),
            is_below: table && has_headings_above(page, &rows),
            moved: BTreeSet::new(),
        };
        // Elsewhere than in a table, an element more in some records may be any of theirs, and forms tell more than places.
        let is_even = cells.iter().all(|row| row.len() == usual);
        let is_long = || cells.iter().any(|row| row.len() > usual);
        if !table
            && grid.told.is_empty()
            && !is_even
            && (is_long() || forms::aligned(&texts(page, &cells), false).is_some())
        {
            return None;
        }
        let columns: Vec<Column> = (0..usual).map(|at| Column::new(sight, &full, at)).collect();
        let mut found: BTreeMap<usize, BTreeMap<Vec<Option<usize>>, usize>> = BTreeMap::new();
        let covering = |at: usize| above.as_ref().and_then(|above| above.places(rows[at], usual));
        let lacking = |(_, row): &(usize, &Vec<NodeId>)| !row.is_empty() && row.len() < usual;
        let (mut wide, mut short): (Vec<_>, Vec<_>) = cells
            .iter()
            .enumerate()
            .filter(lacking)
            .partition(|(at, row)| covering(*at).is_none() && widths(page, row).iter().sum::<usize>() == usual);
        // Rows are told by the number of their cells, so all with that number must be alike, unless cells from above tell which columns are lacking.
        let counts: BTreeSet<usize> = short.iter().map(|(_, row)| row.len()).collect();
        let is_same = |(_, row): &(usize, &Vec<NodeId>)| counts.contains(&row.len());
        match above.is_some() {
            true if wide.iter().any(is_same) => grid.moved.extend(1..=usual),
            true => {}
            false => {
                short.extend(wide.iter().filter(|row| is_same(row)));
                wide.retain(|row| !is_same(row));
            }
        }
        for (_, row) in wide {
            let mut column = 1;
            for ((at, cell), width) in row.iter().enumerate().zip(widths(page, row)) {
                grid.places.insert(*cell, column);
                if column != at + 1 {
                    grid.moved.extend([column, at + 1]);
                }
                column += width;
            }
        }
        let mut covered: BTreeSet<usize> = BTreeSet::new();
        for (at, row) in short {
            let below = covering(at);
            let places = below.iter().flatten().enumerate();
            covered.extend(places.filter(|(_, place)| place.is_none()).map(|(at, _)| at + 1));
            let aligned = below.unwrap_or_else(|| align(sight, row, &columns));
            *found.entry(row.len()).or_default().entry(aligned).or_default() += 1;
        }
        for (length, ways) in found {
            let best = ways.into_iter().max_by_key(|(_, times)| *times);
            grid.odd.extend(best.map(|(way, _)| (length, way)));
        }
        grid.covered = covered.into_iter().collect();
        if count >= ROWS && !grid.odd.contains_key(&(usual - 1)) {
            grid.short = Some(Short::new(page, page.name_text(name), &full, usual));
        }
        for row in &cells {
            let Some(way) = grid.odd.get(&row.len()).filter(|_| !grid.places.contains_key(&row[0])) else {
                continue;
            };
            for (column, place) in way.iter().enumerate() {
                grid.places.extend(place.map(|place| (row[place - 1], column + 1)));
            }
        }
        Some(grid)
    }

    /// The column of a child of a record, counted from 1; `None` if it is no cell.
    pub(super) fn column(&self, page: &Page, node: NodeId) -> Option<usize> {
        if page.name_of(node) != Some(self.name) {
            return None;
        }
        let place = || {
            let siblings = page.parent(node).into_iter().flat_map(|parent| page.children(parent));
            let before = siblings.take_while(|other| *other <= node);
            before.filter(|other| page.name_of(*other) == Some(self.name)).count()
        };
        Some(self.places.get(&node).copied().unwrap_or_else(place))
    }

    /// Paths to a cell that a path tells by its place. With headings, three: where the heading has the same place, where it has another one,
    /// and where there is none; a table with other headings, and not as many, lacks the column. One more is for rows that lack an
    /// earlier cell.
    pub(super) fn ways(&self, page: &Page, path: &str) -> Option<Vec<String>> {
        let (open, path) = path.strip_prefix('(').map_or(("", path), |path| ("(", path));
        let name = page.name_text(self.name);
        let (place, rest) = path.strip_prefix(name)?.strip_prefix('[')?.split_once(']')?;
        let column: usize = place.parse().ok()?;
        let step = |place: usize, tests: &str| format!("{open}{name}[{place}]{tests}{rest}");
        let in_place = self
            .short
            .as_ref()
            .map(|short| short.in_place(column))
            .unwrap_or_default();
        let moved = self.short.as_ref().and_then(|short| short.moved(column));
        let headings = self.headings.as_ref();
        let heading =
            headings.and_then(|headings| Some((headings, headings.texts.get(column.checked_sub(1)?)?.as_ref()?)));
        let Some((Headings { path: way, texts }, heading)) = heading else {
            let moved = moved.map(|(place, test)| step(place, &test));
            return Some([step(column, &in_place)].into_iter().chain(moved).collect());
        };
        let said = format!("[normalize-space()={}]", literal(heading));
        let here = format!("{way}[{column}]{said}");
        let count = texts.len();
        // Where columns have moved, only full rows are read.
        let full = match self.short {
            Some(_) => format!("[count(../td)>=count({way})]"),
            None => String::new(),
        };
        let mut ways = vec![
            step(column, &format!("[{here}]{in_place}")),
            format!(
                "{open}td[count(preceding-sibling::td)=count({way}{said}/preceding-sibling::th)][{way}{said}][not({here})]{full}{rest}"
            ),
            step(
                column,
                &format!("[not({way}{said})][not({way}) or count({way})={count}]{in_place}"),
            ),
        ];
        ways.extend(moved.map(|(place, test)| step(place, &format!("[{here}]{test}"))));
        Some(ways)
    }

    /// The path to the cell of a row above that reaches over a row, for a path to the cells of such a column.
    pub(super) fn above(&self, page: &Page, path: &str) -> Option<String> {
        let (open, path) = path.strip_prefix('(').map_or(("", path), |path| ("(", path));
        if self.is_below && path.starts_with("th[1]") {
            return Some(format!(
                "{open}self::tr[not(th)]/preceding-sibling::tr[th and td][1]/{path}"
            ));
        }
        let name = page.name_text(self.name);
        let is_in = |column: &&usize| path.starts_with(&format!("{name}{}", self.test(page, self.name, **column)));
        let column = *self.covered.iter().find(is_in)?;
        let counts = |has: bool| {
            let those = self.odd.iter().filter(|(_, way)| way[column - 1].is_some() == has);
            let counts = those.map(|(count, _)| *count).chain(has.then_some(self.usual));
            let counts: Vec<String> = counts.map(|count| format!("count({name})={count}")).collect();
            counts.join(" or ")
        };
        let (lack, have) = (counts(false), counts(true));
        Some(format!(
            "{open}self::tr[{lack}]/preceding-sibling::tr[{have}][1]/{path}"
        ))
    }

    /// The test for the cells of a column, as predicates.
    pub(super) fn test(&self, page: &Page, name: NameId, column: usize) -> String {
        if name != self.name {
            return format!("[{column}]");
        }
        if let Some(told) = self.told.get(&column) {
            return told.clone();
        }
        let name = page.name_text(name);
        let place = |way: &Vec<Option<usize>>| way.get(column - 1).copied().flatten();
        let odd: Vec<(usize, Option<usize>)> = self.odd.iter().map(|(count, way)| (*count, place(way))).collect();
        let odd: Vec<(usize, Option<usize>)> = odd
            .into_iter()
            .filter(|(count, place)| *place != Some(column) && !(place.is_none() && *count < column))
            .collect();
        let is_moved = self.moved.contains(&column);
        if odd.is_empty() && !is_moved {
            return format!("[{column}]");
        }
        let not = odd.iter().map(|(count, _)| format!(" and count(../{name})!={count}"));
        let mut test = format!("position()={column}{}", not.collect::<String>());
        for (count, place) in &odd {
            if let Some(place) = place {
                test += &format!(" or position()={place} and count(../{name})={count}");
            }
        }
        if is_moved {
            let (wide, before) = (format!("../{name}/@colspan"), format!("preceding-sibling::{name}"));
            let columns = format!("count({before})+sum({before}/@colspan)-count({before}/@colspan)");
            test = format!("not({wide}) and ({test}) or {wide} and {columns}={}", column - 1);
        }
        format!("[{test}]")
    }
}

/// How many columns each cell of a row reaches over.
fn widths(page: &Page, row: &[NodeId]) -> Vec<usize> {
    row.iter().map(|cell| columns_of(page, *cell)).collect()
}

/// Are the records rows of a table without headings and without cells across columns that have different numbers of cells, one text in each, which are told by how
/// they are written? Then the place of a cell says less than its text. Two values of one kind in a row are told by their places.
pub(super) fn are_loose(sight: &Sight<'_>, candidate: &Candidate, count: usize) -> bool {
    let page = sight.page;
    let records = &candidate.records[..count];
    let Some(name) = page.name_id("td") else { return false };
    let rows: Vec<NodeId> = records.iter().map(|at| candidate.items.nodes[at.start]).collect();
    if count < ROWS || records.iter().any(|record| record.len() != 1) || rows.iter().any(|row| page.name(*row) != "tr")
    {
        return false;
    }
    let cells: Vec<Vec<NodeId>> = rows.iter().map(|row| cells(page, *row, name)).collect();
    let is_wide = |cell: &NodeId| {
        ["colspan", "rowspan"]
            .iter()
            .any(|name| page.attribute_value(*cell, name).is_some())
    };
    let is_plain = |cell: &NodeId| !is_wide(cell) && sight.range(*cell).len() == 1;
    let is_even = cells.iter().all(|row| row.len() == cells[0].len());
    if is_even || is_headed(page, candidate) || !cells.iter().flatten().all(is_plain) {
        return false;
    }
    let columns = forms::aligned(&texts(page, &cells), false);
    let is_once = |told: &forms::Told| !matches!(told, forms::Told::Form { nth: Some(_), .. });
    columns.is_some_and(|columns| columns.told.iter().all(is_once))
}

/// Are the records rows of a table with a heading for each column?
pub(super) fn is_headed(page: &Page, candidate: &Candidate) -> bool {
    let row = candidate.items.nodes[candidate.records[0].start];
    let Some(name) = page.name_id("td").filter(|_| page.name(row) == "tr") else {
        return false;
    };
    headings(page, row, cells(page, row, name).len()).is_some()
}

/// The headings of the columns of the table that a row is in: its first row, or the only row in its head, if that has `th` alone, one for each
/// column.
fn headings(page: &Page, row: NodeId, usual: usize) -> Option<Headings> {
    let body = page.parent(row)?;
    let named =
        |parent: NodeId, name: &'static str| page.children(parent).filter(move |child| page.name(*child) == name);
    let head = page.parent(body).and_then(|table| named(table, "thead").next());
    let mut in_head = head.into_iter().flat_map(|head| named(head, "tr"));
    let (heading, path) = match (in_head.next(), in_head.next()) {
        (Some(only), None) => (only, "../../../thead/tr/th"),
        _ => (named(body, "tr").next()?, "../../tr[1]/th"),
    };
    let cells: Vec<NodeId> = page
        .children(heading)
        .filter(|child| page.is_element(*child))
        .take(CELLS + 1)
        .collect();
    let is_plain = |cell: &NodeId| page.name(*cell) == "th" && page.attribute_value(*cell, "colspan").is_none();
    if heading == row || cells.len() != usual || !cells.iter().all(is_plain) {
        return None;
    }
    let texts: Vec<String> = cells.iter().map(|cell| value(page, *cell)).collect();
    let is_told = |(at, text): (usize, &String)| {
        let once = texts.iter().filter(|other| *other == text).count() == 1;
        // XPath knows fewer kinds of white space.
        let plain = page
            .string_value(cells[at])
            .chars()
            .all(|c| !c.is_whitespace() || c.is_ascii());
        (once && plain && !text.is_empty() && text.len() <= LONGEST).then(|| text.clone())
    };
    let texts: Vec<Option<String>> = texts.iter().enumerate().map(is_told).collect();
    (texts.iter().flatten().count() >= 2).then_some(Headings { path, texts })
}

/// What the cells of each row say that have a text of their own.
fn texts(page: &Page, rows: &[Vec<NodeId>]) -> Vec<Vec<String>> {
    let has_text = |cell: &&NodeId| {
        let mut children = page.children(**cell);
        children.any(|child| page.kind(child) == page::Kind::Text && !page.string_value(child).trim().is_empty())
    };
    let row = |row: &Vec<NodeId>| row.iter().filter(has_text).map(|cell| value(page, *cell)).collect();
    rows.iter().map(row).collect()
}

/// Do rows have at most one heading each, of which some reach over rows that have none?
fn has_headings_above(page: &Page, rows: &[NodeId]) -> bool {
    let Some(name) = page.name_id("th") else { return false };
    let headings: Vec<Vec<NodeId>> = rows.iter().map(|row| cells(page, *row, name)).collect();
    let reaches = |cell: &NodeId| page.attribute_value(*cell, "rowspan").is_some();
    let mut known = headings.iter();
    known.clone().all(|row| row.len() <= 1)
        && known.clone().any(Vec::is_empty)
        && known.any(|row| row.iter().any(reaches))
}

/// The children of a row with a name.
pub(super) fn cells(page: &Page, row: NodeId, name: NameId) -> Vec<NodeId> {
    let children = page.children(row).filter(|child| page.name_of(*child) == Some(name));
    children.take(CELLS + 1).collect()
}

/// The columns whose cells, and no others, have the same value of an attribute that tells columns; if half of all columns have one.
fn told(page: &Page, rows: &[&Vec<NodeId>], count: usize) -> HashMap<usize, String> {
    for attribute in TELLING {
        let mut values: Vec<Option<&str>> = Vec::new();
        for column in 0..count {
            let first = page.attribute_value(rows[0][column], attribute);
            let first = first.filter(|value| !value.trim().is_empty() && value.len() <= LONGEST);
            let same = |row: &&Vec<NodeId>| page.attribute_value(row[column], attribute) == first;
            values.push(first.filter(|_| rows.iter().all(same)));
        }
        // What cells of other columns say in some rows tells nothing.
        let known: Vec<HashSet<&str>> = (0..count)
            .map(|column| {
                let values = rows
                    .iter()
                    .filter_map(|row| page.attribute_value(row[column], attribute));
                values.collect()
            })
            .collect();
        let own = |(column, value): (usize, &Option<&str>)| {
            let value = (*value)?;
            let others = known.iter().enumerate().filter(|(other, _)| *other != column);
            let alone = others.into_iter().all(|(_, known)| !known.contains(value));
            alone.then(|| (column + 1, format!("[@{attribute}={}]", literal(value))))
        };
        let told: HashMap<usize, String> = values.iter().enumerate().filter_map(own).collect();
        if told.len() >= 2 && told.len() * 2 >= count {
            return told;
        }
    }
    HashMap::new()
}

/// What the cells of a column are like.
struct Column {
    rows: f64,
    /// How often each look comes.
    looks: HashMap<u64, usize>,
    /// How often each text comes.
    texts: HashMap<String, usize>,
}

impl Column {
    fn new(sight: &Sight<'_>, rows: &[&Vec<NodeId>], at: usize) -> Column {
        let (mut column, page) = (
            Column {
                rows: rows.len() as f64,
                looks: HashMap::new(),
                texts: HashMap::new(),
            },
            sight.page,
        );
        for row in rows {
            for look in looks(sight, row[at]) {
                *column.looks.entry(look).or_default() += 1;
            }
            let text = page.string_value(row[at]).trim().to_owned();
            *column.texts.entry(text).or_default() += 1;
        }
        column
    }

    /// How like the cells of the column a cell is.
    fn likeness(&self, sight: &Sight<'_>, cell: NodeId) -> f64 {
        let share = |times: Option<&usize>| times.map_or(0.0, |times| *times as f64 / self.rows);
        let looks: f64 = looks(sight, cell)
            .into_iter()
            .map(|look| share(self.looks.get(&look)))
            .sum();
        looks + share(self.texts.get(sight.page.string_value(cell).trim()))
    }
}

/// What a cell looks like, each as a number: the class, the kind of its text, what it is to people, links, and its shape.
fn looks(sight: &Sight<'_>, cell: NodeId) -> [u64; 5] {
    use record::values::Kind::{Date, DateTime, Price, Time};
    let page = sight.page;
    let text = page.string_value(cell).trim();
    let first = sight.leaves[sight.range(cell)].first();
    let kinds = [&[Date, DateTime][..], &[Time], &[Price]];
    let kind = kinds.iter().position(|kinds| is_one_of(text, kinds));
    let class = page.attribute_value(cell, "class").unwrap_or("");
    let all = [
        class.bytes().fold(7, |sum, byte| mix(sum, u64::from(byte))),
        first.map_or(0, |leaf| u64::from(leaf.kind())),
        kind.map_or(0, |kind| kind as u64 + 1),
        u64::from(first.is_some_and(|leaf| leaf.link().is_some())),
        shape(text),
    ];
    let mut number = 0;
    all.map(|look| {
        number += 1;
        mix(number, look)
    })
}

/// The shape of a text: letters and digits in a row are one of them.
fn shape(text: &str) -> u64 {
    let (mut hash, mut last) = (11, 0);
    for c in text.chars().take(SHAPE) {
        let class = match c {
            c if c.is_alphabetic() => 1,
            c if c.is_numeric() => 2,
            c => u64::from(c),
        };
        if class != last || class > 2 {
            hash = mix(hash, class);
        }
        last = class;
    }
    hash
}

/// For each column the place of its cell in a row that lacks some, counted from 1; the best alignment in order, and of equal ones that
/// with the cells in the first columns.
fn align(sight: &Sight<'_>, row: &[NodeId], columns: &[Column]) -> Vec<Option<usize>> {
    let width = columns.len() + 1;
    // The best sum of likeness of the cells from one on in the columns from one on.
    let mut best = vec![vec![f64::MIN; width]; row.len() + 1];
    best[row.len()].fill(0.0);
    let likeness: Vec<Vec<f64>> = row
        .iter()
        .map(|cell| columns.iter().map(|column| column.likeness(sight, *cell)).collect())
        .collect();
    for cell in (0..row.len()).rev() {
        for column in (0..columns.len()).rev() {
            let taken = likeness[cell][column] + best[cell + 1][column + 1];
            best[cell][column] = taken.max(best[cell][column + 1]);
        }
    }
    let mut aligned = vec![None; columns.len()];
    let mut cell = 0;
    for (column, place) in aligned.iter_mut().enumerate() {
        if cell < row.len() && likeness[cell][column] + best[cell + 1][column + 1] >= best[cell][column + 1] {
            *place = Some(cell + 1);
            cell += 1;
        }
    }
    aligned
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    fn table(columns: &[&str], head: bool) -> String {
        let cell = |row: usize, column: &str| match column {
            "Day" => format!("<td>May {}, 2019</td>", row + 1),
            "Body" => format!("<td>Board number {row}</td>"),
            "Place" if row == 1 => "<td></td>".to_owned(),
            other => format!("<td>{other} of {row}</td>"),
        };
        let row = |row: usize| {
            format!(
                "<tr>{}</tr>",
                columns.iter().map(|column| cell(row, column)).collect::<String>()
            )
        };
        let rows: String = (0..5).map(row).collect();
        let names: String = columns.iter().map(|column| format!("<th>{column}</th>")).collect();
        match head {
            true => format!("<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>"),
            false => format!("<table><tr>{names}</tr>{rows}</table>"),
        }
    }

    #[test]
    fn cells_with_a_space_that_does_not_break_are_empty() {
        let row = |at: usize| {
            let note = if at.is_multiple_of(3) { "1/9/2019" } else { "&nbsp;" };
            format!("<tr><td><a href=/c{at}>Case number {at}</a></td><td>Hon. Judge {at}</td><td>{note}</td></tr>")
        };
        let rows: String = (1..11).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Cases</h1><table>{rows}</table>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let dated = records
            .iter()
            .filter(|record| record.values.iter().any(|value| value.text == "1/9/2019"));
        assert_eq!(dated.count(), 3, "{:?}", best.rule.fields);
    }

    #[test]
    fn columns_are_found_by_their_headings() {
        for head in [true, false] {
            let page = Page::parse_str(&table(&["Day", "Body", "Place"], head), &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            let run = PathsRun::new(&best.rule).unwrap();
            let place = |name: &str| best.names.iter().position(|known| known == name).unwrap();
            let said = |columns: &[&str]| {
                let other = Page::parse_str(&table(columns, head), &Default::default()).unwrap();
                let records = run.page(&other);
                assert_eq!(records.len(), 5, "{columns:?}");
                let value = |row: usize, name: &str| {
                    let mut values = records[row].values.iter();
                    let found = values.find(|value| value.field == place(name));
                    found.map_or("-".to_owned(), |value| value.text.clone())
                };
                [value(2, "day"), value(2, "body"), value(2, "place"), value(1, "place")].join(" | ")
            };
            let all = "May 3, 2019 | Board number 2 | Place of 2 | -";
            assert_eq!(said(&["Day", "Body", "Place"]), all);
            assert_eq!(said(&["Remark", "Day", "Body", "Place"]), all);
            assert_eq!(said(&["Place", "Body", "Day"]), all);
            assert_eq!(said(&["Day", "Place"]), "May 3, 2019 | - | Place of 2 | -");
            // A heading with another name leaves the column where it is.
            assert_eq!(
                said(&["Day", "Body", "Where"]),
                "May 3, 2019 | Board number 2 | Where of 2 | Where of 1"
            );
        }
    }

    #[test]
    fn a_cell_is_in_the_first_column_that_it_reaches_over() {
        let people = ["Ann Lee", "Bo Day", "Cy Fox", "Di Orr", "Eve Roe", "Hal Berg"];
        for after in [false, true] {
            let row = |number: usize| {
                let room = if after {
                    format!("<td>Room {number}</td>")
                } else {
                    String::new()
                };
                match number % 3 {
                    2 => format!("<tr><td>{}:30</td><td colspan=2>Long Lunch</td>{room}</tr>", 9 + number),
                    _ => format!(
                        "<tr><td>{}:30</td><td>A talk about {number} things of note</td><td>{}</td>{room}</tr>",
                        9 + number,
                        people[number % 6]
                    ),
                }
            };
            let rows: String = (0..10).map(row).collect();
            let page = Page::parse_str(&format!("<table>{rows}</table>"), &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            let records = PathsRun::new(&best.rule).unwrap().page(&page);
            let field = |number: usize, text: &str| {
                let found = records[number].values.iter().find(|value| value.text == text);
                found.map(|found| found.field)
            };
            assert_eq!(records.len(), 10, "{:?}", best.rule);
            let title = field(0, "A talk about 0 things of note");
            assert!(title.is_some() && field(2, "Long Lunch") == title, "{:?}", best.rule);
            assert!(
                !after || field(2, "Room 2").is_some() && field(2, "Room 2") == field(0, "Room 0"),
                "{:?}",
                best.rule
            );
        }
    }
}

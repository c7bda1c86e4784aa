//! The cells of records that are rows: which column a cell is in, also where a row lacks one, and how a column is told.
//!
//! Most rows of a list have the same number of cells: `td` in a table, and elsewhere the children of a record, if all have one name. A
//! column is told by an attribute that says which one it is, if half of the columns have such a one (`td[@data-label="Day"]`), and
//! else by its place. A row with fewer cells lacks some of them. Which ones is decided by the values: the cells of such a row are
//! aligned with the columns, in order, so that each is most like what the other rows have there. Rows that lack the same number
//! of cells are read alike, as most of them are aligned; a path tells them by the number of their cells.
//!
//! Linear in the cells of the records that are looked at, times the columns for rows that lack some.

use super::sight::{Sight, mix};
use super::{Candidate, is_one_of};
use crate::guided::literal;
use page::{NameId, NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The share of the rows that must have the same number of cells in a table, and elsewhere.
const MOST: f64 = 0.7;
const ELSEWHERE: f64 = 0.8;
/// The most cells of a row.
const CELLS: usize = 60;
/// Fewer rows do not tell how many cells are usual.
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
}

impl Grid {
    /// The cells of the records of a list, if most of them have the same number.
    pub(super) fn new(sight: &Sight<'_>, candidate: &Candidate, count: usize) -> Option<Grid> {
        let page = sight.page;
        let records = &candidate.records[..count];
        if count < ROWS || records.iter().any(|record| record.len() != 1) {
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
        let usual = rows.iter().zip(&cells).filter(|(row, _)| whole(row));
        usual.for_each(|(_, cells)| *times.entry(cells.len()).or_default() += 1);
        let (usual, most) = times.into_iter().max_by_key(|(_, times)| *times)?;
        let needed = if table { MOST } else { ELSEWHERE };
        if !(2..=CELLS).contains(&usual) || (most as f64) < needed * count as f64 {
            return None;
        }
        let full: Vec<&Vec<NodeId>> = cells.iter().filter(|cells| cells.len() == usual).collect();
        let mut grid = Grid {
            name,
            places: HashMap::new(),
            odd: BTreeMap::new(),
            told: told(page, &full, usual),
        };
        let columns: Vec<Column> = (0..usual).map(|at| Column::new(sight, &full, at)).collect();
        let mut found: BTreeMap<usize, BTreeMap<Vec<Option<usize>>, usize>> = BTreeMap::new();
        for row in cells.iter().filter(|row| !row.is_empty() && row.len() < usual) {
            let aligned = align(sight, row, &columns);
            *found.entry(row.len()).or_default().entry(aligned).or_default() += 1;
        }
        for (length, ways) in found {
            let best = ways.into_iter().max_by_key(|(_, times)| *times);
            grid.odd.extend(best.map(|(way, _)| (length, way)));
        }
        for row in &cells {
            let Some(way) = grid.odd.get(&row.len()) else { continue };
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
        if odd.is_empty() {
            return format!("[{column}]");
        }
        let not = odd.iter().map(|(count, _)| format!(" and count(../{name})!={count}"));
        let mut test = format!("position()={column}{}", not.collect::<String>());
        for (count, place) in &odd {
            if let Some(place) = place {
                test += &format!(" or position()={place} and count(../{name})={count}");
            }
        }
        format!("[{test}]")
    }
}

/// The children of a row with a name.
fn cells(page: &Page, row: NodeId, name: NameId) -> Vec<NodeId> {
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

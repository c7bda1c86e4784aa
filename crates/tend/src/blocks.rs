//! Finds the parts of a page that are its records.
//!
//! A block is an element, or a run of neighbours that begins with a certain element and ends before the next such one
//! (a heading and the paragraphs below it). These sets of blocks are tried: the elements at the same place in the
//! page's structure, all of them or those of one parent, and the runs that these elements begin. Within a set, every
//! field takes a column that has one item in each block. A column that has several items in each block is cut by their
//! number, so the cells of a row become columns of their own. If the items that were cut off would have fitted as well,
//! each block contains several records. The worth of a set depends on what its fields find in it. A set of blocks that
//! are too small (one cell each) lacks fields, and in a set of blocks that are too large (one table each) no column has
//! one item in each.
//!
//! Blocks of another list of the same make are sifted out of the best set ([`crate::sift`]).
//!
//! A value that is in no block may be above several: for the best set, the columns between blocks are tried as their
//! headings.
//!
//! Cost: one pass over the columns for each of at most [`SETS`] sets; fewer sets on a page with more than [`WORK`] / [`SETS`] items,
//! so that the time is linear in the page up to that size and nearly constant beyond it.

use crate::assign::assign;
use crate::columns::{Items, Place, Structure};
use crate::evidence::{Known, tied};
use crate::healthy::{self, Fixed};
use crate::signs::are_counted;
use crate::weights;
use learn::guided::Wanted;
use page::{NodeId, Page};
use record::Row;
use std::collections::{HashMap, HashSet};
use wrapper::profile::Profile;

/// The most sets of elements that are tried, largest first, and the most sets of runs.
const SETS: usize = 400;
const RUNS: usize = 100;
/// The most items that are looked at, over all sets; but [`FEWEST`] sets are always tried.
const WORK: usize = 60_000_000;
const FEWEST: usize = 24;
/// The most blocks of a set.
const LARGEST: usize = 50_000;
/// The most items of one column in one block for the column to be cut.
const CUT: usize = 12;
/// The number of items that are considered to judge a column.
const SEEN: usize = 24;
/// The number of columns of a field that are weighed against those of other fields.
const OFFERS: usize = 8;
/// How well a column fits a field by chance.
const CHANCE: f64 = 0.25;
/// A larger set that contains a smaller one must be worth at least this share of the smaller one.
const LARGER: f64 = 0.85;
/// A heading is worth this share of a value inside the block. The next constant is the same for runs of one element.
const ABOVE: f64 = 0.8;
const RUN: f64 = 0.97;
/// Times as many records as any page had are more than a page has.
const MORE_THAN_EVER: f64 = 1.25;
/// Blocks that contain several records each are worth this share of blocks that contain one.
const OVER: f64 = 0.6;

/// A node, and the node before which the block ends.
pub(crate) type Block = (NodeId, NodeId);
/// The items of each block.
type Column = Vec<Vec<usize>>;

/// The number of items of a next best column that are kept, to be shown.
const INSTEAD: usize = 3;

/// The records of a page as they were found: for each field the items in each block, and how well they fit.
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    /// For each field its worth, and its items in each block.
    pub(crate) fields: Vec<(f64, Column)>,
    /// For each field, the worth of the best column that has other values and that no field has taken.
    pub(crate) rivals: Vec<f64>,
    /// For each field, the first items of that column.
    pub(crate) instead: Vec<Vec<usize>>,
    /// For each field, what would be lost if it exchanged its column with another field, at least.
    pub(crate) margins: Vec<f64>,
    /// What is left of how sure all fields are: less than 1 if the blocks may be those of another list.
    pub(crate) left: f64,
    /// The most that any field is sure.
    pub(crate) most: f64,
    worth: f64,
    /// How likely its kind of set is, which is a factor of its worth.
    prior: f64,
    /// The number of blocks that have most of the fields.
    whole: usize,
}

/// The input of the search for blocks.
pub(crate) struct Sought<'a> {
    pub(crate) page: &'a Page,
    pub(crate) structure: &'a Structure,
    pub(crate) items: &'a Items,
    pub(crate) wanted: &'a [Wanted],
    pub(crate) known: &'a [Known<'a>],
    pub(crate) profile: &'a Profile,
    /// Elements that may be the records, by the paths of the old rule.
    pub(crate) before: &'a [Vec<NodeId>],
    /// For each pair of field numbers: are values of the first field parts of values of the second?
    pub(crate) within: &'a [Vec<bool>],
    /// The fields whose values are known, if any, and the rows of the page with these.
    pub(crate) fixed: Option<Fixed<'a>>,
}

/// Finds the blocks of a page.
pub(crate) fn find(sought: &Sought<'_>) -> Option<Blocks> {
    let each: usize = sought.items.columns.iter().map(Vec::len).sum();
    let most = (WORK / each.max(1)).max(FEWEST);
    // If there are more than ever, there are others among them.
    let most_ever = sought.profile.per_page.1 as f64 * MORE_THAN_EVER;
    let before = sought.before.iter().filter(|nodes| nodes.len() as f64 <= most_ever);
    let before = before.map(|nodes| {
        let blocks = nodes.iter().map(|node| (*node, sought.page.end(*node)));
        (blocks.collect(), weights::SAME_PATH)
    });
    let sets = sets(sought.page, sought.structure, sought.items, sought.wanted.len() > 1);
    if let Some(fixed) = sought.fixed {
        let sets: Vec<Vec<Block>> = sets.into_iter().map(|(blocks, _)| blocks).collect();
        let blocks = healthy::blocks(sought.items, &sets, fixed.rows)?;
        return Some(sought.weigh(blocks, 1.0, true));
    }
    let mut tried: Vec<Blocks> = before
        .chain(sets.into_iter().take(most))
        .map(|(blocks, prior)| sought.weigh(blocks, prior, false))
        .filter(|tried| tried.worth > 0.0)
        // What the best set gives is computed again below.
        .map(|tried| Blocks {
            fields: Vec::new(),
            rivals: Vec::new(),
            instead: Vec::new(),
            ..tried
        })
        .collect();
    tried.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.blocks.cmp(&b.blocks)));
    // Every second row may have another class. So a set that contains all these blocks and more is better if it is
    // nearly as good.
    let (worth, inside) = (tried.first()?.worth, &tried.first()?.blocks);
    let starts = |blocks: &[Block]| -> HashSet<NodeId> { blocks.iter().map(|block| block.0).collect() };
    let best = tried
        .iter()
        .filter(|other| other.worth >= worth * LARGER)
        .filter(|other| {
            let starts = starts(&other.blocks);
            inside.iter().all(|block| starts.contains(&block.0))
        })
        .max_by(|a, b| a.whole.cmp(&b.whole).then_with(|| a.worth.total_cmp(&b.worth)))?;
    let found = sought.sift(sought.weigh(best.blocks.clone(), 1.0, true));
    Some(match rival(&tried, best) {
        Some(rival) => sought.weighed_against(found, &rival.blocks),
        None => found,
    })
}

/// The best other set of about as many records, apart from a set, that is nearly as good. The old paths say nothing here: without names of classes they lead to the first
/// of two lists, whichever it is.
fn rival<'t>(tried: &'t [Blocks], best: &Blocks) -> Option<&'t Blocks> {
    let plain = |set: &Blocks| set.worth / set.prior;
    let is_near = |other: &&Blocks| {
        plain(other) >= plain(best) * LARGER && other.whole * 2 >= best.whole && are_apart(&best.blocks, &other.blocks)
    };
    tried
        .iter()
        .filter(is_near)
        .max_by(|a, b| plain(a).total_cmp(&plain(b)))
}

/// Is no block of one set inside of one of the other set? Both are in page order.
fn are_apart(one: &[Block], other: &[Block]) -> bool {
    let (mut at, mut to) = (0, 0);
    while at < one.len() && to < other.len() {
        match (one[at].1 <= other[to].0, other[to].1 <= one[at].0) {
            (true, _) => at += 1,
            (_, true) => to += 1,
            (false, false) => return false,
        }
    }
    true
}

/// The sets of blocks of a page, each with how likely its kind is. Records with several fields are elements with several nodes.
/// Elements without any item are no records, such as the empty cells and rows that some tables have as gaps.
fn sets(page: &Page, structure: &Structure, items: &Items, several: bool) -> Vec<(Vec<Block>, f64)> {
    let mut nodes: Vec<NodeId> = items.nodes.clone();
    nodes.sort_unstable();
    let has_item = |node: &NodeId| {
        let first = nodes.partition_point(|item| item < node);
        nodes.get(first).is_some_and(|item| *item < page.end(*node))
    };
    let mut sets: Vec<Vec<NodeId>> = Vec::new();
    let mut seen: HashSet<Vec<NodeId>> = HashSet::new();
    let mut add = |found: Vec<Vec<NodeId>>| {
        let filled = found
            .into_iter()
            .map(|nodes| nodes.into_iter().filter(has_item).collect::<Vec<_>>());
        let new = filled.filter(|nodes| nodes.len() > 1 && nodes.len() <= LARGEST && seen.insert(nodes.clone()));
        sets.extend(new);
    };
    for classes in [0, 1, 3] {
        let mut by: HashMap<Place<'_>, Vec<NodeId>> = HashMap::new();
        for element in page.elements() {
            let place = structure.place(page, *element, classes);
            by.entry(place).or_default().push(*element);
        }
        add(by.into_values().collect());
    }
    // The children of one element, whatever their classes.
    let mut by: HashMap<(Option<NodeId>, &str), Vec<NodeId>> = HashMap::new();
    for element in page.elements() {
        let key = (page.parent(*element), page.name(*element));
        by.entry(key).or_default().push(*element);
    }
    add(by.into_values().collect());
    sets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut runs: Vec<(Vec<Block>, f64)> = Vec::new();
    for nodes in &sets {
        if runs.len() == RUNS {
            break;
        }
        runs.extend(self::runs(page, nodes).map(|blocks| (blocks, RUN)));
    }
    let is_large = |node: &NodeId| page.end(*node).0 - node.0 > 2;
    sets.retain(|nodes| !several || nodes.iter().take(8).any(is_large));
    sets.truncate(SETS);
    let whole = |nodes: Vec<NodeId>| (nodes.into_iter().map(|node| (node, page.end(node))).collect(), 1.0);
    sets.into_iter().map(whole).chain(runs).collect()
}

/// The runs of neighbours that begin with these elements, if most of these elements have neighbours before the next
/// one.
fn runs(page: &Page, nodes: &[NodeId]) -> Option<Vec<Block>> {
    let followed = nodes
        .windows(2)
        .filter(|pair| page.parent(pair[0]) == page.parent(pair[1]))
        .filter(|pair| next_element(page, pair[0]).is_some_and(|next| next != pair[1]));
    if followed.count() * 2 < nodes.len() {
        return None;
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut longest = 1;
    for (number, node) in nodes.iter().enumerate() {
        let parent = page.parent(*node)?;
        let neighbours = || std::iter::successors(Some(*node), |node| next_element(page, *node));
        let next = nodes.get(number + 1).filter(|next| page.parent(**next) == Some(parent));
        let end = match next {
            Some(next) => {
                longest = longest.max(neighbours().take_while(|node| node < next).count());
                *next
            }
            // The last run ends with its parent, or is as long as the longest run.
            None => neighbours().nth(longest).unwrap_or(page.end(parent)),
        };
        blocks.push((*node, end));
    }
    Some(blocks)
}

fn next_element(page: &Page, node: NodeId) -> Option<NodeId> {
    let parent = page.parent(node)?;
    let mut next = page.end(node);
    while next < page.end(parent) {
        if page.is_element(next) {
            return Some(next);
        }
        next = page.end(next);
    }
    None
}

/// For each field that has a column, what would be lost by an exchange with the other field for which that is least.
fn margins(fields: &[(f64, Column)], suits: &dyn Fn(usize, usize) -> f64) -> Vec<f64> {
    let taken: Vec<usize> = (0..fields.len()).filter(|field| fields[*field].0 > 0.0).collect();
    let margin = |one: usize| {
        let lost = taken.iter().filter(|other| **other != one).map(|other| {
            let now = suits(one, one) + suits(*other, *other);
            now - suits(one, *other) - suits(*other, one)
        });
        lost.fold(f64::INFINITY, f64::min)
    };
    (0..fields.len()).map(margin).collect()
}

fn spread(items: &[usize]) -> Vec<usize> {
    let stride = items.len().div_ceil(SEEN).max(1);
    items.iter().step_by(stride).copied().collect()
}

impl Sought<'_> {
    /// Tries a set of blocks as records.
    pub(crate) fn weigh(&self, blocks: Vec<Block>, prior: f64, headed: bool) -> Blocks {
        let (mut columns, uncut) = self.inside(&blocks);
        let used = (0..blocks.len())
            .filter(|at| columns.iter().any(|column| !column[*at].is_empty()))
            .count()
            .max(1);
        let own = columns.len();
        if headed {
            columns.extend(self.above(&blocks));
        }
        let mut offers: Vec<Vec<(f64, usize)>> = Vec::new();
        for field in 0..self.wanted.len() {
            let mut offer: Vec<(f64, usize)> = columns
                .iter()
                .enumerate()
                .filter(|(number, _)| *number < own || self.repeats(field))
                .filter(|(_, column)| !self.is_fixed(field) && !self.is_taken(field, column))
                .map(|(number, column)| {
                    let worth = self.suits(field, column, used);
                    (if number < own { worth } else { worth * ABOVE }, number)
                })
                .filter(|(worth, _)| *worth > 0.0)
                .collect();
            offer.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            offer.truncate(OFFERS);
            offers.push(offer);
        }
        let worths: Vec<Vec<f64>> = offers
            .iter()
            .map(|offer| offer.iter().map(|(worth, _)| *worth).collect())
            .collect();
        let mut chosen = assign(&worths, &|a, b| {
            let (one, other) = (offers[a.0][a.1].1, offers[b.0][b.1].1);
            one == other || self.exclude((a.0, &columns[one]), (b.0, &columns[other]))
        });
        let tied = tied(self.known).filter(|_| headed).and_then(|(text, address)| {
            let of = match self.is_fixed(text) {
                true => self.fixed_column(text, &columns)?,
                false => &columns[offers[text][chosen[text]?].1],
            };
            let best = offers[address].first()?.0 * weights::SAME_LINK;
            let same = offers[address]
                .iter()
                .position(|(worth, number)| *worth >= best && self.same_links(of, &columns[*number]))?;
            chosen[address] = Some(same);
            // No other field has these links.
            let number = offers[address][same].1;
            for (field, chosen) in chosen.iter_mut().enumerate().filter(|(field, _)| *field != address) {
                *chosen = chosen.filter(|chosen| offers[field][*chosen].1 != number);
            }
            Some(address)
        });
        if headed {
            for (field, chosen) in chosen.iter().enumerate() {
                if let Some(chosen) = *chosen {
                    let number = &mut offers[field][chosen].1;
                    *number = self.level(field, &columns[..own], *number);
                }
            }
        }
        let taken: Vec<&Column> = chosen
            .iter()
            .enumerate()
            .filter_map(|(field, chosen)| Some(&columns[offers[field][(*chosen)?].1]))
            .collect();
        let rivals = offers.iter().enumerate().map(|(field, offer)| {
            let free = |column: &Column| taken.iter().all(|taken| !self.same(column, taken));
            // Other links have other texts.
            let rival = offer
                .iter()
                .find(|(_, number)| tied != Some(field) && free(&columns[*number]));
            rival.map_or((0.0, Vec::new()), |(worth, number)| {
                let items = columns[*number].iter().flatten().take(INSTEAD).copied();
                (*worth, items.collect())
            })
        });
        let (rivals, instead): (Vec<f64>, Vec<Vec<usize>>) = rivals.unzip();
        let mut fields: Vec<(f64, Column)> = vec![(0.0, vec![Vec::new(); blocks.len()]); self.wanted.len()];
        // If most fields occur several times in each block, all alike, each block contains several records; unless the fields
        // themselves are these several values, as two prices are.
        let (mut some, mut over) = (0, 0);
        let whole_of = |number: usize| uncut.get(number).copied().flatten();
        let taken: Vec<Option<usize>> = chosen
            .iter()
            .enumerate()
            .map(|(field, chosen)| chosen.and_then(|chosen| whole_of(offers[field][chosen].1)))
            .collect();
        for (field, chosen) in chosen.into_iter().enumerate() {
            if let Some((worth, number)) = chosen.map(|chosen| offers[field][chosen]) {
                some += 1;
                let is_over = taken[field].is_some_and(|whole| {
                    let sharing = taken.iter().filter(|other| **other == Some(whole)).count();
                    let most = columns[whole].iter().map(Vec::len).max().unwrap_or(0);
                    most > sharing && self.repeated(field, &columns[number], &columns[whole])
                });
                over += usize::from(is_over);
                fields[field] = (worth, columns[number].clone());
            }
        }
        let margins = match headed {
            true => margins(&fields, &|field, other| self.suits(field, &fields[other].1, used)),
            false => Vec::new(),
        };
        for (field, found) in fields.iter_mut().enumerate().filter(|(field, _)| self.is_fixed(*field)) {
            if let Some(column) = self.fixed_column(field, &columns) {
                *found = (1.0, column.clone());
            }
        }
        // Every column fits a little.
        let sum: f64 = fields.iter().map(|(worth, _)| (worth - CHANCE).max(0.0)).sum();
        let had: f64 = self.profile.records as f64 / self.profile.pages.max(1) as f64;
        // Blocks that are records have most of the fields.
        let whole = (0..blocks.len()).filter(|block| {
            let filled = fields.iter().filter(|(_, column)| !column[*block].is_empty()).count();
            filled * 2 > self.wanted.len()
        });
        let whole = whole.count();
        // A few more or fewer records do not matter; one instead of fifty is suspicious.
        let ratio = ((whole as f64 + 2.0) / (had + 2.0)).ln();
        let count = (-(if ratio < 0.0 { -ratio * 0.2 } else { ratio * 0.05 })).exp();
        // Most blocks should be records, and a single record is not a list.
        let prior = if over * 2 > some { prior * OVER } else { prior };
        let listed = (whole as f64 / used as f64).sqrt() * whole as f64 / (whole as f64 + 1.0);
        Blocks {
            prior,
            worth: sum / self.wanted.len().max(1) as f64 * count * prior * listed,
            blocks,
            fields,
            rivals,
            instead,
            margins,
            left: 1.0,
            most: 1.0,
            whole,
        }
    }

    /// Are the values of a field known?
    fn is_fixed(&self, field: usize) -> bool {
        self.fixed.is_some_and(|fixed| fixed.keeps[field])
    }

    /// Has a field whose values are known this column?
    fn is_taken(&self, field: usize, column: &Column) -> bool {
        let was_within = |other: usize| self.within[field][other] || self.within[other][field];
        self.fixed
            .is_some_and(|fixed| healthy::is_taken(&self.items.looks, column, fixed, &was_within))
    }

    /// The column with the values of a field that are known.
    fn fixed_column<'c>(&self, field: usize, columns: &'c [Column]) -> Option<&'c Column> {
        let rows = self.fixed?.rows;
        let count = |column: &&Column| {
            let both = column.iter().zip(rows);
            let is_value = |item: &usize, row: &Row| row[field].first() == Some(&self.items.looks[*item].sight.text);
            both.filter(|(items, row)| items.len() == 1 && is_value(&items[0], row))
                .count()
        };
        columns.iter().max_by_key(count).filter(|column| count(column) > 0)
    }

    /// The columns within blocks, cut if a block has several items; and for each cut column the number of the uncut
    /// one.
    fn inside(&self, blocks: &[Block]) -> (Vec<Column>, Vec<Option<usize>>) {
        let mut uncut: Vec<Option<usize>> = Vec::new();
        let mut columns: Vec<Column> = Vec::new();
        for column in &self.items.columns {
            // Both are in page order, so the block of an item is that of the previous item or a later one.
            let mut at = 0;
            let mut homes: Vec<(usize, usize)> = Vec::new();
            for item in column {
                let node = self.items.nodes[*item];
                while at < blocks.len() && blocks[at].1 <= node {
                    at += 1;
                }
                if at < blocks.len() && blocks[at].0 <= node {
                    homes.push((at, *item));
                }
            }
            if homes.len() * 2 < blocks.len() {
                continue;
            }
            let mut inside: Column = vec![Vec::new(); blocks.len()];
            for (block, item) in homes {
                inside[block].push(item);
            }
            let most = inside.iter().map(Vec::len).max().unwrap_or(0);
            if most > 1 && most <= CUT {
                for number in 0..most {
                    let cut = inside
                        .iter()
                        .map(|items| items.get(number).copied().into_iter().collect());
                    columns.push(cut.collect());
                }
                uncut.resize(columns.len(), Some(columns.len()));
            }
            columns.push(inside);
            uncut.push(None);
        }
        (columns, uncut)
    }

    /// The columns above blocks: each block gets the last item before it, and most items must be above a block.
    fn above(&self, blocks: &[Block]) -> Vec<Column> {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return Vec::new();
        };
        // Items far away from all blocks are not headings of theirs.
        let around = self.page.ancestors(first.0).find(|up| self.page.end(*up) >= last.1);
        let around = around.and_then(|up| self.page.parent(up)).unwrap_or(NodeId::DOCUMENT);
        let mut columns = Vec::new();
        for column in &self.items.columns {
            let near: Vec<usize> = column
                .iter()
                .copied()
                .filter(|item| self.items.nodes[*item] >= around && self.items.nodes[*item] < last.0)
                .collect();
            if near.is_empty() || near.len() * 2 > blocks.len() {
                continue;
            }
            let mut at = 0;
            let mut used: HashSet<usize> = HashSet::new();
            let heads: Column = blocks
                .iter()
                .map(|block| {
                    while at < near.len() && self.items.nodes[near[at]] < block.0 {
                        at += 1;
                    }
                    let head = at.checked_sub(1).map(|at| near[at]);
                    used.extend(head);
                    head.into_iter().collect()
                })
                .collect();
            let inside = near.iter().any(|item| {
                let node = self.items.nodes[*item];
                let block = blocks.partition_point(|block| block.0 <= node);
                block > 0 && node < blocks[block - 1].1
            });
            if !inside && used.len() * 2 > near.len() {
                columns.push(heads);
            }
        }
        columns
    }

    /// The column whose values recur to the letter most often, of those inside the items of a column or around them. That
    /// decides whether an element or a part of it is the value.
    fn level(&self, field: usize, columns: &[Column], number: usize) -> usize {
        let Some(chosen) = columns.get(number) else {
            return number;
        };
        let flat = |column: &Column| -> Vec<usize> { column.iter().flatten().copied().collect() };
        let recurring = |column: &Column| {
            let items = column.iter().flatten().copied();
            self.known[field].recurring(&self.items.looks, items)
        };
        let items = flat(chosen);
        if let Some(bare) = self.without_number(field, columns, chosen) {
            return bare;
        }
        if let Some(whole) = self.around_parts(field, columns, chosen) {
            return whole;
        }
        let mut best = (recurring(chosen), number);
        for (at, column) in columns.iter().enumerate() {
            let (count, others) = (recurring(column), flat(column));
            // A part that some of the items lack would lose values.
            if count > best.0 && others.len() >= items.len() && self.items.are_levels(self.page, &items, &others) {
                best = (count, at);
            }
        }
        best.1
    }

    /// If the items of a column are parts of texts, and longer parts at the same places are written exactly as known values are, too, the column of these: `08:00 AM – 05:00 PM`, not
    /// `08:00 AM`, where some values were so.
    fn around_parts(&self, field: usize, columns: &[Column], chosen: &Column) -> Option<usize> {
        let known = &self.known[field];
        let flat = |column: &Column| -> Vec<usize> { column.iter().flatten().copied().collect() };
        let parts = flat(chosen);
        let recurring = known.recurring(&self.items.looks, parts.iter().copied());
        let is_known = recurring as f64 >= weights::KNOWN * parts.len() as f64;
        if is_known || !parts.iter().all(|item| self.items.is_part(*item)) {
            return None;
        }
        let text = |item: &usize| self.items.looks[*item].sight.text.as_str();
        let is_around = |column: &Column| {
            let mut both = chosen.iter().zip(column);
            both.all(|(part, whole)| match (part.first(), whole.first()) {
                (Some(part), Some(whole)) => text(whole).len() > text(part).len() && text(whole).contains(text(part)),
                (part, whole) => part.is_none() && whole.is_none(),
            })
        };
        columns.iter().position(|column| {
            let items = flat(column);
            is_around(column)
                && known.are_written_exactly(&self.items.looks, &items)
                && self.items.are_levels(self.page, &parts, &items)
        })
    }

    /// If the texts of a column begin with the numbers of the records, the column of their parts without these: a redesign has put the numbers before the values.
    fn without_number(&self, field: usize, columns: &[Column], chosen: &Column) -> Option<usize> {
        let text = |item: &usize| self.items.looks[*item].sight.text.as_str();
        let whole: Vec<&str> = chosen.iter().flatten().map(text).collect();
        if !are_counted(&whole) || are_counted(&self.known[field].field.samples) {
            return None;
        }
        let is_rest = |(whole, part): (&Vec<usize>, &Vec<usize>)| match (whole.first(), part.first()) {
            (Some(whole), Some(part)) => {
                let number = text(whole).strip_suffix(text(part)).map(str::trim);
                number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_numeric() || c == '.'))
            }
            (whole, part) => whole.is_none() && part.is_none(),
        };
        columns.iter().position(|part| chosen.iter().zip(part).all(is_rest))
    }

    /// Do the items left out of a cut column fit the field as well as the others?
    fn repeated(&self, field: usize, cut: &Column, whole: &Column) -> bool {
        let flat = |column: &Column| -> Vec<usize> { column.iter().flatten().copied().collect() };
        let (cut, whole) = (flat(cut), flat(whole));
        let fit = |items: &[usize]| self.known[field].fit(&self.items.looks, &spread(items), 1.0);
        whole.len() * 2 > cut.len() * 3 && fit(&whole) > fit(&cut) * 0.9
    }

    /// Do several records have the same value of a field, as records below one heading do?
    fn repeats(&self, field: usize) -> bool {
        let field = self.known[field].field;
        field.different * 2 <= field.count
    }

    /// How well a column within blocks suits a field.
    fn suits(&self, field: usize, column: &[Vec<usize>], used: usize) -> f64 {
        let filled = column.iter().filter(|items| !items.is_empty()).count();
        let single = column.iter().filter(|items| items.len() == 1).count();
        let all: Vec<usize> = column.iter().flatten().copied().collect();
        let per_record = all.len() as f64 / filled.max(1) as f64;
        let some = spread(&all);
        let mut texts: Vec<&str> = some
            .iter()
            .map(|item| self.items.looks[*item].sight.text.as_str())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        if self.known[field].is_with_label(&texts) {
            return 0.0;
        }
        let first = all.iter().take(SEEN);
        let first: Vec<&str> = first.map(|item| self.items.looks[*item].sight.text.as_str()).collect();
        let is_counted = are_counted(&first) && !are_counted(&self.known[field].field.samples);
        let signed = match is_counted || self.known[field].is_signed(&texts) {
            true => weights::SIGNED,
            false => 1.0,
        };
        // Links that all said "Agenda", or led to agendas, are not those that say or lead to something else.
        let said = match self.known[field].lacks_said(&self.items.looks, &some) {
            true => weights::WITHOUT_LABEL,
            false => 1.0,
        };
        let led = match self.known[field].leads_elsewhere(&self.items.looks, &some) {
            true => weights::ELSEWHERE,
            false => 1.0,
        };
        let fit = self.known[field].fit(&self.items.looks, &some, per_record) * signed * said * led;
        let coverage = filled as f64 / used as f64;
        let alone = if self.wanted[field].many {
            1.0
        } else {
            single as f64 / filled.max(1) as f64
        };
        fit * (0.25 + 0.75 * coverage) * alone * alone
    }

    /// Are the values of two columns at the same links, in most blocks that have both?
    fn same_links(&self, texts: &Column, addresses: &Column) -> bool {
        let pairs = texts
            .iter()
            .zip(addresses)
            .filter_map(|(text, address)| Some((text.first()?, address.first()?)));
        let pairs: Vec<bool> = pairs
            .take(SEEN)
            .map(|(text, address)| self.items.are_one(self.page, *text, *address))
            .collect();
        pairs.iter().filter(|same| **same).count() * 2 > pairs.len()
    }

    /// Do two columns have the same text in most blocks that have both?
    fn same(&self, a: &Column, b: &Column) -> bool {
        let text = |inside: &Vec<usize>| inside.first().map(|item| self.items.looks[*item].sight.text.as_str());
        let pairs: Vec<(&str, &str)> = a
            .iter()
            .zip(b)
            .filter_map(|(a, b)| Some((text(a)?, text(b)?)))
            .collect();
        pairs.iter().take(SEEN).filter(|(a, b)| a == b).count() * 2 > pairs.len().min(SEEN)
    }

    /// Is it impossible that two fields have these columns? It is if both use the same text, or if the text of one
    /// contains the text of the other and this was not so before.
    fn exclude(&self, (one, a): (usize, &Column), (other, b): (usize, &Column)) -> bool {
        let first = |inside: &Vec<usize>| inside.first().copied();
        let pairs = a.iter().zip(b).filter_map(|(a, b)| Some((first(a)?, first(b)?)));
        let pairs: Vec<(usize, usize)> = pairs.take(SEEN).collect();
        let nodes = &self.items.nodes;
        let mut parts = [0, 0];
        for (a, b) in &pairs {
            if nodes[*a] == nodes[*b] {
                let looks = &self.items.looks;
                // Two parts of one text may be two values.
                if looks[*a].sight.text.contains(&looks[*b].sight.text)
                    || looks[*b].sight.text.contains(&looks[*a].sight.text)
                {
                    return true;
                }
            }
            let (a, b) = (&self.items.looks[*a].sight, &self.items.looks[*b].sight);
            if !a.attribute && !b.attribute {
                parts[0] += usize::from(a.text.len() > 3 && b.text.contains(&a.text));
                parts[1] += usize::from(b.text.len() > 3 && a.text.contains(&b.text));
            }
        }
        let most = |part: usize| part * 2 > pairs.len();
        (most(parts[0]) && !self.within[one][other]) || (most(parts[1]) && !self.within[other][one])
    }
}

//! How good a division of a row into records is.
//!
//! Records of one list look alike: the paths to their leaves, the kinds of their texts and the classes around them are
//! *tokens*, and a record is compared with the mean of all records by the tokens that it shares with them (the Dice
//! coefficient, each token weighted by the share of the other records that have it). A second and third leaf with the same
//! path are tokens of their own, further ones are not, so that a longer list inside a record does no harm.
//!
//! The score of a list is the text of its records, each times its likeness above [`UNLIKE`]: a record that is less alike
//! counts against the list. This decides which rows belong to it, since a heading has little text and little likeness, and
//! how a row is divided, since a wrong division makes records less alike. Four factors say what a list of records is rather
//! than a menu, an article or the frame of a page:
//!
//! - *few records* prove little;
//! - *poor records*, with one kind of leaf, may be parts of something;
//! - *records that are lists themselves* (a row of cards, a column of results) are not the records that are meant;
//! - *links alone* are for getting around; a link around several texts is a card, and so are several links to one page.
//!
//! Linear in the leaves that are looked at.

use super::heads::LEAVES;
use super::items::Items;
use super::sight::{Leaf, Sight, Tokens};
use page::{Kind, NodeId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A record with less likeness than this is better left out.
pub(super) const UNLIKE: f64 = 0.4;
/// Records that count themselves are at least so alike.
const SAME_LIST: f64 = 0.7;
/// What this share of the records have, all have: one odd record makes the others no less alike.
const USUAL: f64 = 0.8;
/// How much the kind of a text, and the class around it, count beside its path.
const ASIDE: f64 = 0.5;
/// How many leaves of a record with the same path are told apart.
const SAME: u32 = 3;
/// The kinds of leaves that two records must have at least to be a list.
const PAIR_KINDS: f64 = 3.0;
/// How alike two records must be to be a list.
const PAIR_ALIKE: f64 = 0.55;
/// The factor for records that are lists themselves.
const COMPOSITE: f64 = 0.5;
/// The factor for records that begin without a title.
const UNTITLED: f64 = 0.85;
/// The least factor for lists that leave records out.
const MISSED: f64 = 0.4;
/// An item with this share of the likeness of heads looks like a head.
const HEADLIKE: f64 = 0.7;
/// The share of heads that must begin with a date for another item that does to look like one.
const NEARLY_ALL: f64 = 0.9;
/// Heads need not be more alike than this for another item to be compared with them.
const ENOUGH: f64 = 0.85;
/// The factor for records of links alone.
const LINKS: f64 = 0.5;
/// From this share of its text on, a record is a link and nothing else.
const LINKED: f64 = 0.9;

/// What the leaves of the items of a row look like.
pub(super) struct Looks {
    items: Vec<Vec<Tokens>>,
    text: Vec<f64>,
    in_links: Vec<f64>,
    /// The number of links.
    links: Vec<usize>,
    /// Is the first text with words like a title?
    titled: Vec<bool>,
    /// Is the first text a date?
    dated: Vec<bool>,
}

impl Looks {
    /// Looks at some items.
    pub(super) fn new(sight: &Sight<'_>, items: &Items, those: Range<usize>) -> Looks {
        let look = |at: usize| -> Vec<Tokens> {
            let leaves = &sight.leaves[items.leaves[at].clone()];
            // A line of one text in bold is a heading, a row of several a row.
            let marks = leaves.len() < 2;
            let leaves = leaves.iter().take(LEAVES);
            leaves
                .filter_map(|leaf| sight.tokens(leaf, items.nodes[at], marks))
                .collect()
        };
        let links = |at: usize| {
            let leaves = sight.leaves[items.leaves[at].clone()].iter().take(LEAVES);
            let mut links: Vec<NodeId> = leaves.filter_map(Leaf::link).collect();
            links.dedup();
            // A picture and a title that lead to the same page are one link.
            links.dedup_by_key(|link| sight.page.attribute_value(*link, "href").unwrap_or("").trim());
            links.len()
        };
        let titled = |at: usize| {
            let mut leaves = sight.leaves[items.leaves[at].clone()].iter().take(LEAVES);
            leaves
                .find(|leaf| leaf.is_wordy())
                .is_some_and(|leaf| sight.is_title(leaf, items.nodes[at]))
        };
        let dated = |at: usize| {
            let mut leaves = items.leaves[at].clone();
            leaves
                .find(|leaf| sight.page.kind(sight.leaves[*leaf].node) == Kind::Text)
                .is_some_and(|leaf| sight.is_date(leaf))
        };
        Looks {
            items: those.clone().map(look).collect(),
            text: those.clone().map(|at| sight.text(&items.leaves[at])).collect(),
            in_links: those.clone().map(|at| sight.in_links(&items.leaves[at])).collect(),
            links: those.clone().map(links).collect(),
            titled: those.clone().map(titled).collect(),
            dated: those.map(dated).collect(),
        }
    }

    /// How many tokens there are: the cost of a look at all of them.
    pub(super) fn cost(&self) -> usize {
        self.items.iter().map(Vec::len).sum()
    }

    fn tokens<'l>(&'l self, record: &Range<usize>) -> impl Iterator<Item = &'l Tokens> {
        self.items[record.clone()].iter().flatten()
    }

    /// Where the last record of a row ends: no later than the others are long, and before the first item that looks
    /// like nothing in them.
    pub(super) fn last(&self, records: &[Range<usize>]) -> usize {
        let Some((last, others)) = records.split_last() else {
            return 0;
        };
        let longest = others.iter().map(|record| record.len()).max().unwrap_or(1);
        let known: HashSet<u64> = others
            .iter()
            .flat_map(|record| self.tokens(record))
            .map(|tokens| tokens.path)
            .collect();
        let most = (last.start + longest).min(last.end);
        let fits = |at: &usize| self.items[*at].iter().all(|tokens| known.contains(&tokens.path));
        (last.start + 1..most).find(|at| !fits(at)).unwrap_or(most)
    }
}

/// How like the records of a row other items are, which were not compared with them.
pub(super) fn likeness(looks: &Looks, records: &[Range<usize>], others: &Looks) -> Vec<f64> {
    let keyed: Vec<Keys> = records.iter().map(|record| keys(looks, record)).collect();
    let profile = Profile::new(&keyed);
    (0..others.items.len())
        .map(|at| profile.likeness(&keys(others, &(at..at + 1)), false))
        .collect()
}

/// How good a division is.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    pub(super) score: f64,
    /// How like the others each record is, from 0 to 1.
    pub(super) alike: Vec<f64>,
    /// The characters of the records.
    pub(super) text: f64,
    /// How many kinds of leaves a record has.
    pub(super) rich: f64,
}

/// The tokens of a record, each with how often it came before, and their weights.
type Keys = Vec<((u64, u32), f64)>;

/// What records have in common.
struct Profile {
    spread: HashMap<(u64, u32), u32>,
    count: usize,
    /// The mean weight of a record.
    mean: f64,
}

impl Profile {
    fn new(records: &[Keys]) -> Profile {
        let mut spread: HashMap<(u64, u32), u32> = HashMap::new();
        for (key, _) in records.iter().flatten() {
            *spread.entry(*key).or_default() += 1;
        }
        Profile {
            spread,
            count: records.len(),
            mean: records.iter().flatten().map(|(_, weight)| weight).sum::<f64>() / records.len().max(1) as f64,
        }
    }

    /// How like the records one is; `own` if it is one of them, which does not count.
    fn likeness(&self, keys: &Keys, own: bool) -> f64 {
        let all: f64 = keys.iter().map(|(_, weight)| weight).sum();
        let own = u32::from(own);
        let others = (self.count as f64 - f64::from(own)).max(1.0);
        let spread = |key: &(u64, u32)| f64::from(self.spread.get(key).map_or(0, |spread| spread - own));
        let share = |key: &(u64, u32)| (spread(key) / others / USUAL).min(1.0);
        let shared: f64 = keys.iter().map(|(key, weight)| weight * share(key)).sum();
        (2.0 * shared / (all + self.mean).max(f64::MIN_POSITIVE)).min(1.0)
    }
}

/// Judges a division of a row into records, which are ranges of items. Records that are `numbered` are records, however unlike, and
/// what has no number is not a record, however like.
pub(super) fn judge(looks: &Looks, records: &[Range<usize>], numbered: bool) -> Verdict {
    let count = records.len();
    if count < 2 {
        return Verdict::default();
    }
    let keyed: Vec<Keys> = records.iter().map(|record| keys(looks, record)).collect();
    let profile = Profile::new(&keyed);
    let alike: Vec<f64> = keyed.iter().map(|keys| profile.likeness(keys, true)).collect();
    let text = |record: &Range<usize>| looks.text[record.clone()].iter().sum::<f64>();
    let linked = |record: &Range<usize>| {
        let links: usize = looks.links[record.clone()].iter().sum();
        let in_links: f64 = looks.in_links[record.clone()].iter().sum();
        in_links >= LINKED * text(record) && looks.tokens(record).count() < 2 * links
    };
    let sum: f64 = records
        .iter()
        .zip(&alike)
        .map(|(record, alike)| {
            let alike = if numbered { alike.max(SAME_LIST) } else { *alike };
            text(record) * (alike - UNLIKE)
        })
        .sum();
    let share = |those: usize| those as f64 / count as f64;
    let composite = share(records.iter().filter(|record| is_composite(looks, record)).count());
    let missed = if numbered { 0.0 } else { missed(looks, records) };
    let only_links = share(records.iter().filter(|record| linked(record)).count());
    let kinds: usize = records.iter().map(|record| kinds(looks, record)).sum();
    let rich = kinds as f64 / count as f64;
    // Two things are a list only if they are much like records, and like each other.
    if count == 2 && (rich < PAIR_KINDS || alike.iter().any(|alike| *alike < PAIR_ALIKE)) {
        return Verdict {
            alike,
            ..Verdict::default()
        };
    }
    let factors = (1.0 - 1.0 / count as f64) * rich / (rich + 1.0)
        * (1.0 - (1.0 - COMPOSITE) * composite)
        * (1.0 - (2.0 * missed).min(1.0 - MISSED))
        * headed(looks, records)
        * (1.0 - (1.0 - LINKS) * only_links);
    Verdict {
        score: sum * factors,
        alike,
        text: records.iter().map(text).sum(),
        rich,
    }
}

/// The factor for how the records begin, if they have several items: a title is a link, a heading or bold.
fn headed(looks: &Looks, records: &[Range<usize>]) -> f64 {
    if records.iter().all(|record| record.len() == 1) {
        return 1.0;
    }
    let titled = records.iter().filter(|record| looks.titled[record.start]).count();
    UNTITLED + (1.0 - UNTITLED) * titled as f64 / records.len() as f64
}

/// How many items of the row that are not heads look like heads, for each record, or begin with a date like all of them.
///
/// A division that takes several records for one has such items, and so has one that leaves records out.
fn missed(looks: &Looks, records: &[Range<usize>]) -> f64 {
    let heads: Vec<Keys> = records
        .iter()
        .map(|record| keys(looks, &(record.start..record.start + 1)))
        .collect();
    let profile = Profile::new(&heads);
    let mut likeness: Vec<f64> = heads.iter().map(|keys| profile.likeness(keys, true)).collect();
    likeness.sort_by(f64::total_cmp);
    let usual = likeness[likeness.len() / 2].min(ENOUGH);
    let dated = records.iter().filter(|record| looks.dated[record.start]).count();
    let dated = dated as f64 >= NEARLY_ALL * records.len() as f64;
    let heads: HashSet<usize> = records.iter().map(|record| record.start).collect();
    let others = (0..looks.items.len()).filter(|at| !looks.items[*at].is_empty() && !heads.contains(at));
    let like = others.filter(|at| {
        (dated && looks.dated[*at]) || profile.likeness(&keys(looks, &(*at..*at + 1)), false) >= HEADLIKE * usual
    });
    like.count() as f64 / records.len() as f64
}

/// The tokens of a record with their weights; each with how often it came before.
fn keys(looks: &Looks, record: &Range<usize>) -> Keys {
    let mut times: HashMap<u64, u32> = HashMap::new();
    let mut keys = Vec::new();
    for tokens in looks.tokens(record).take(LEAVES) {
        let each = [
            (Some(tokens.path), 1.0),
            (Some(tokens.kind), ASIDE),
            (tokens.class, ASIDE),
        ];
        for (token, weight) in each {
            let Some(token) = token else { continue };
            let before = times.entry(token).or_default();
            if *before < SAME {
                keys.push(((token, *before), weight));
                *before += 1;
            }
        }
    }
    keys
}

/// How many different paths the leaves of a record have; in a table, each column has its own.
fn kinds(looks: &Looks, record: &Range<usize>) -> usize {
    let mut paths: Vec<u64> = looks.tokens(record).map(|tokens| tokens.cell).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

/// Is a record a list of several like things, each with several leaves?
fn is_composite(looks: &Looks, record: &Range<usize>) -> bool {
    let paths: Vec<u64> = looks.tokens(record).map(|tokens| tokens.path).take(LEAVES).collect();
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    paths.iter().for_each(|path| *times.entry(*path).or_default() += 1);
    if times.len() < 2 || paths.len() < 4 {
        return false;
    }
    // Each path as often as the others, one after the other: a b a b a b.
    let periods = (2..=paths.len() / 2).filter(|period| paths.len().is_multiple_of(*period));
    periods.into_iter().any(|period| {
        let same = paths
            .iter()
            .zip(&paths[period..])
            .filter(|(one, other)| one == other)
            .count();
        let distinct: BTreeSet<&u64> = paths[..period].iter().collect();
        distinct.len() >= 2 && same * 10 >= (paths.len() - period) * 9
    })
}

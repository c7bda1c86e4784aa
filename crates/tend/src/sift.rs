//! Blocks that look like records but are not: a second list of the same make, and rows of another class.
//!
//! *Idea.* A page may have two lists of the same make, such as coming events and past ones, and a rule reads one of them, told by an `id`. Where a redesign changes the
//! `id`, all blocks of both lists fit, and a set with more blocks is better. But a profile knows more: how many records a page had, and whether there
//! were other texts written like values, and other parts of the list like those that were read ([`Profile::strays`], [`Profile::parts`]). And where
//! values recur, they recur in the list that was read.
//!
//! *Input*: the best set of blocks. *Output*: the same, without a group of blocks that is surely another list; or less sure, if the page has more
//! records than ever before, in several groups, and nothing says which of them were read. Groups are the blocks of one part of the page, and the
//! blocks of one class. *Cost*: a pass over the items and blocks.
//!
//! A list that has grown, in which new records are a group of their own, looks like two lists. So nothing is left away unless the page had other texts like
//! values before; but it is doubted if it was one list and has half as many records more than ever.
//!
//! A second list may also stand apart, in an element of its own, so that the best set has only one of the two. Which of them fits a little better says nothing. So
//! the best set is weighed against another one of about as many records that fits nearly as well: known records must tell them apart.
//!
//! *Known failures*: two lists where a page had one and its profile is from pages of very different lengths.

use crate::blocks::{Block, Blocks, Sought};
use crate::check::was_one_list;
use crate::weights;
use page::NodeId;
use std::collections::{BTreeMap, HashSet};
use wrapper::profile::shape;

/// A page has more records than before if it has more than this multiple of the most that a page had; and many more.
const MORE: f64 = 1.2;
const MANY_MORE: f64 = 1.5;
/// Values, or parts of lists, that tell whether there were others.
const ENOUGH: u64 = 5;
/// At least one other for this number of those that were read: there were others. Fewer than one for this larger number: there were none.
const OTHERS: (u64, u64) = (8, 20);
/// The share of fields that recur in each block of the list that was read; in other blocks at most this part of it.
const RECUR: f64 = 0.5;
const HARDLY: f64 = 0.25;
/// The share of rows that are read may differ by this from before.
const SHARE: f64 = 0.15;
/// If fewer than one of this number of the texts that were not read are left, they are read now.
const SWALLOWED: u64 = 3;
/// Known records that tell which of two lists is meant: one may be in both, as the next event is.
const RECORDS: usize = 2;
/// The most groups: more are not lists but parts of records.
const GROUPS: usize = 12;

/// The most lists of one make of which some may be others; more are parts of one.
const LISTS: usize = 3;

/// The numbers of the blocks of each group.
type Groups = Vec<Vec<usize>>;

impl Sought<'_> {
    /// The same blocks without those that are surely no records; less sure if nothing says which are.
    pub(crate) fn sift(&self, found: Blocks) -> Blocks {
        let most = self.profile.per_page.1.max(1) as f64;
        let count = found.blocks.len() as f64;
        let by_class = self.by_class(&found.blocks);
        if let Some(share) = self.read_share() {
            match self.like_before(&by_class, share) {
                Some(kept) if kept.len() < found.blocks.len() => return self.only(&found, &kept),
                Some(_) => {}
                None if by_class.len() > 1 => return doubted(found),
                None => {}
            }
        }
        let others = self.had_others();
        let is_more = count >= most * MORE || others == Some(true) && self.swallows(&found.blocks);
        // Where all records were in one list, many more in several lists are not its growth, though nothing on the page was like a record.
        let is_divided = count >= most * MANY_MORE && was_one_list(self.profile);
        if !is_more || others == Some(false) && !is_divided {
            return self.as_one_list(found);
        }
        let is_many = count >= most * MANY_MORE || others == Some(true);
        let recurring = self.recurring_fields(&found.blocks);
        for (is_apart, mut groups) in [(true, self.by_list(&found.blocks)), (false, by_class)] {
            groups.retain(|group| group.len() > 1);
            if groups.len() < 2 || groups.len() > GROUPS {
                continue;
            }
            let means: Vec<f64> = groups
                .iter()
                .map(|group| group.iter().map(|block| recurring[*block]).sum::<f64>() / group.len() as f64)
                .collect();
            let best = means.iter().copied().fold(0.0, f64::max);
            let kept: Vec<usize> = groups
                .iter()
                .zip(&means)
                .filter(|(_, mean)| **mean > best * HARDLY)
                .flat_map(|(group, _)| group.iter().copied())
                .collect();
            let is_told = best >= RECUR && kept.len() < found.blocks.len();
            // Every second row may have another class, so classes alone say nothing.
            match others {
                Some(true) if is_told => return self.only(&found, &kept),
                _ if is_told || is_apart && is_many && best < RECUR => return doubted(found),
                _ => {}
            }
        }
        self.as_one_list(found)
    }

    /// The same blocks, not too sure if they are in a few lists, the records of each page were in one, and no known values tell that all of these are meant: the list was divided, or
    /// another one came to the page. Where pages have very different numbers of records, their number does not tell.
    fn as_one_list(&self, mut found: Blocks) -> Blocks {
        let mut groups = self.by_list(&found.blocks);
        groups.retain(|group| group.len() > 1);
        if !was_one_list(self.profile) || groups.len() < 2 || groups.len() > LISTS {
            return found;
        }
        let recurring = self.recurring_fields(&found.blocks);
        let is_known =
            |group: &Vec<usize>| group.iter().map(|block| recurring[*block]).sum::<f64>() >= RECUR * group.len() as f64;
        if !groups.iter().all(is_known) {
            found.most = weights::UNTOLD;
        }
        found
    }

    /// The same blocks, less sure if another list of the page fits nearly as well and no known records tell which of the two is meant.
    pub(crate) fn weighed_against(&self, found: Blocks, rival: &[Block]) -> Blocks {
        let known = |blocks: &[Block]| {
            let recurring = self.recurring_fields(blocks);
            recurring.iter().filter(|share| **share >= RECUR).count()
        };
        let (own, other) = (known(&found.blocks), known(rival));
        match own >= RECORDS && other as f64 <= own as f64 * HARDLY {
            true => found,
            false => doubted(found),
        }
    }

    /// The set of some of the blocks.
    fn only(&self, found: &Blocks, kept: &[usize]) -> Blocks {
        let mut kept: Vec<usize> = kept.to_vec();
        kept.sort_unstable();
        self.weigh(kept.iter().map(|at| found.blocks[*at]).collect(), 1.0, true)
    }

    /// Were there other texts on the pages that are written like values? Unknown if values are not told by how they are written.
    fn had_others(&self) -> Option<bool> {
        let (read, others) = self.profile.strays;
        match read {
            _ if read < ENOUGH => None,
            _ if others.saturating_mul(OTHERS.0) >= read => Some(true),
            _ if others.saturating_mul(OTHERS.1) < read => Some(false),
            _ => None,
        }
    }

    /// Are there now far fewer texts outside of the blocks that are written like values, for each inside of them, than there were?
    fn swallows(&self, blocks: &[Block]) -> bool {
        let (read, others) = self.profile.strays;
        let written = self.profile.written();
        let (mut inside, mut outside) = (0_u64, 0_u64);
        for (node, look) in self.items.nodes.iter().zip(&self.items.looks) {
            if look.sight.attribute || !written.contains(&shape(&look.sight.text)) {
                continue;
            }
            let at = blocks.partition_point(|block| block.0 <= *node);
            match at.checked_sub(1).is_some_and(|at| *node < blocks[at].1) {
                true => inside += 1,
                false => outside += 1,
            }
        }
        outside.saturating_mul(read).saturating_mul(SWALLOWED) < others.saturating_mul(inside)
    }

    /// If the list had other rows that look like its records: the share of its rows that were read.
    fn read_share(&self) -> Option<f64> {
        let (read, others) = self.profile.parts;
        let is_some = read >= ENOUGH && others.saturating_mul(OTHERS.0) >= read;
        is_some.then(|| read as f64 / (read + others) as f64)
    }

    /// The group that has about the same share of all blocks as the rows that were read had of all rows, if it is the only one.
    fn like_before(&self, groups: &Groups, share: f64) -> Option<Vec<usize>> {
        let all: usize = groups.iter().map(Vec::len).sum();
        let is_like = |group: &&Vec<usize>| (group.len() as f64 / all.max(1) as f64 - share).abs() <= SHARE;
        let mut like = groups.iter().filter(is_like);
        let only = like.next()?;
        like.next().is_none().then(|| only.clone())
    }

    /// The blocks of each child of the smallest element around all blocks; nothing if these are the blocks themselves.
    fn by_list(&self, blocks: &[Block]) -> Groups {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return Groups::new();
        };
        let Some(around) = self.page.ancestors(first.0).find(|up| self.page.end(*up) > last.0) else {
            return Groups::new();
        };
        let mut groups: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for (number, block) in blocks.iter().enumerate() {
            let mut line = std::iter::once(block.0).chain(self.page.ancestors(block.0));
            let Some(child) = line.find(|up| self.page.parent(*up) == Some(around)) else {
                return Groups::new();
            };
            groups.entry(child).or_default().push(number);
        }
        groups.into_values().collect()
    }

    /// The blocks that begin with elements of the same class.
    fn by_class(&self, blocks: &[Block]) -> Groups {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, block) in blocks.iter().enumerate() {
            let class = self.page.attribute_value(block.0, "class").unwrap_or_default();
            groups.entry(class.trim()).or_default().push(number);
        }
        groups.into_values().collect()
    }

    /// For each block, the share of the fields with many different values of which it has a known value.
    fn recurring_fields(&self, blocks: &[Block]) -> Vec<f64> {
        let varies = |field: &usize| {
            let known = self.known[*field].field;
            known.count > 0 && known.different.saturating_mul(2) > known.count
        };
        let fields: Vec<usize> = (0..self.known.len()).filter(varies).collect();
        let mut counts = vec![0_usize; blocks.len()];
        for field in &fields {
            let mut having: HashSet<usize> = HashSet::new();
            for (node, look) in self.items.nodes.iter().zip(&self.items.looks) {
                if self.known[*field].has_value(look) {
                    let at = blocks.partition_point(|block| block.0 <= *node);
                    having.extend(at.checked_sub(1).filter(|at| *node < blocks[*at].1));
                }
            }
            counts
                .iter_mut()
                .enumerate()
                .for_each(|(block, count)| *count += usize::from(having.contains(&block)));
        }
        let all = fields.len().max(1) as f64;
        counts.into_iter().map(|count| count as f64 / all).collect()
    }
}

/// The same blocks, less sure.
fn doubted(mut found: Blocks) -> Blocks {
    found.left = weights::WHICH_LIST;
    found
}

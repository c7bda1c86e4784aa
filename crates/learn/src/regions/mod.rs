//! The lists of records on a single page.
mod columns;
mod heads;
mod items;
mod judge;
mod names;
mod places;
mod sight;

use heads::{COMPARED, Heads};
use items::Items;
use judge::{Looks, UNLIKE, Verdict, judge};
use page::{Job, NodeId, Page};
use sight::Sight;
use std::ops::Range;
use std::rc::Rc;
use wrapper::rule::paths::Paths;

/// How many lists are given.
const LISTS: usize = 10;
/// How many candidates are kept until the end.
const KEPT: usize = 60;
/// What each step of a test takes from the score: of two tests that find about the same, the simpler one is right.
const DOUBT: f64 = 0.005;
/// The cost of leaving out records at both ends, which takes positions.
const BOUNDS: usize = 8;
/// The factor for records with different parents, which are more often two lists than one.
const APART: f64 = 0.95;
/// The factor for lists in parts of the page for getting around.
const FRAMING: f64 = 0.2;
/// The most tokens that are compared, over all candidates of a page.
const WORK: usize = 40_000_000;

/// A list of records on a page.
#[derive(Clone, Debug)]
pub struct Region {
    /// The rule that finds its records.
    pub rule: Paths,
    /// The names of its fields.
    pub names: Vec<String>,
    /// The number of its records on the page.
    pub records: usize,
    /// How good it is; only for comparison with others of the page.
    pub score: f64,
}

/// A division of a row into records.
struct Candidate {
    items: Rc<Items>,
    heads: Heads,
    /// The items of each record.
    records: Vec<Range<usize>>,
    verdict: Verdict,
}

impl Candidate {
    /// The first node of each record.
    fn firsts(&self) -> Vec<NodeId> {
        self.records
            .iter()
            .map(|record| self.items.nodes[record.start])
            .collect()
    }
}

/// Finds the lists of records on a page, the best first.
pub fn find(page: &Page, job: &Job) -> Vec<Region> {
    let sight = Sight::new(page);
    let found = candidates(&sight, job);
    let mut regions = Vec::new();
    for candidate in &found {
        if regions.len() == LISTS {
            break;
        }
        regions.extend(region(&sight, candidate));
    }
    regions
}

fn region(sight: &Sight<'_>, candidate: &Candidate) -> Option<Region> {
    let page = sight.page;
    let (each, firsts) = places::each(sight, candidate)?;
    let columns = columns::columns(sight, candidate);
    if columns.is_empty() {
        return None;
    }
    let (names, fields) = columns.into_iter().map(|column| (column.name, column.field)).unzip();
    Some(Region {
        rule: Paths {
            each: vec![each],
            fields,
            inner: Vec::new(),
        },
        names,
        records: firsts.len(),
        score: candidate.verdict.score,
    })
}

/// The best candidates, each unlike the better ones.
fn candidates(sight: &Sight<'_>, job: &Job) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    let mut work = 0;
    for items in items::rows(sight) {
        if work > WORK || job.is_stopped() {
            break;
        }
        let looks = Looks::new(sight, &items, 0..items.nodes.len().min(COMPARED));
        let items = Rc::new(items);
        for heads in heads::heads(sight, &items) {
            work += 2 * looks.cost();
            let single: Vec<Range<usize>> = heads.at.iter().map(|at| *at..*at + 1).collect();
            let spread = items.is_flat().then(|| spread(&looks, &items, &heads)).flatten();
            for records in [Some(single), spread].into_iter().flatten() {
                let given = records.len();
                if let Some((records, mut verdict)) = trimmed(&looks, records) {
                    let bounds = if records.len() < given { BOUNDS } else { 0 };
                    verdict.score *= 1.0 - DOUBT * (heads.test.cost() + bounds) as f64;
                    if !items.is_flat() {
                        verdict.score *= APART;
                    }
                    if sight.is_framing(items.nodes[records[0].start]) {
                        verdict.score *= FRAMING;
                    }
                    all.push(Candidate {
                        items: items.clone(),
                        heads: heads.clone(),
                        records,
                        verdict,
                    });
                }
            }
        }
        if all.len() > 4 * KEPT {
            sort(&mut all);
            all.truncate(KEPT);
        }
    }
    sort(&mut all);
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in all {
        let known = |other: &Candidate| other.firsts() == candidate.firsts();
        if !kept.iter().any(known) {
            kept.push(candidate);
        }
    }
    kept
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| other.verdict.score.total_cmp(&one.verdict.score));
}

/// The records that reach from each head to the next, if there is something between heads.
fn spread(looks: &Looks, items: &Items, heads: &Heads) -> Option<Vec<Range<usize>>> {
    let end = items.nodes.len().min(COMPARED);
    let ends = heads.at.iter().skip(1).copied().chain([end]);
    let mut records: Vec<Range<usize>> = heads.at.iter().zip(ends).map(|(at, end)| *at..end).collect();
    let last = looks.last(&records);
    records.last_mut()?.end = last;
    let full = |record: &Range<usize>| (record.start + 1..record.end).any(|at| !items.leaves[at].is_empty());
    records.iter().any(full).then_some(records)
}

/// Leaves out the records at both ends that are unlike the others.
fn trimmed(looks: &Looks, mut records: Vec<Range<usize>>) -> Option<(Vec<Range<usize>>, Verdict)> {
    let mut verdict = judge(looks, &records);
    for _ in 0..3 {
        let low = |alike: &&f64| **alike < UNLIKE;
        let before = verdict.alike.iter().take_while(low).count();
        let after = verdict.alike.iter().rev().take_while(low).count();
        if before + after == 0 {
            break;
        }
        if before + after + 2 > records.len() {
            return None;
        }
        records.truncate(records.len() - after);
        records.drain(..before);
        verdict = judge(looks, &records);
    }
    (verdict.score > 0.0).then_some((records, verdict))
}

//! The smallest extraction problem as the paper defines it: find a landmark-tree that leaves as few tokens as possible
//! to be extracted, where each landmark occurs at most once in every region and exactly once in at least `k` of them.
//!
//! **The search.** A state of the paper's A* is a whole tree, and two trees that differ in one corner are two states.
//! But once a set of regions is split at a landmark, the best choices for the part before it, the part inside it and
//! the part after it are independent of each other: the cost of a tree is the sum of the tokens at its leaves, and a
//! landmark is judged by its own region set alone. So the least cost of a region set is
//!
//! ```text
//! best(R) = |R|                                                        if no token may be a landmark of R
//! best(R) = min over landmarks l of  missing(R, l) + best(R<l) + best(R^l) + best(R>l)      otherwise
//! ```
//!
//! where `missing` counts the tokens of regions without the landmark, which are extracted whole. This is the cost of
//! the paper's optimal goal state, by induction on the number of tokens, which every split decreases: a goal state is a
//! tree, its root is one of the landmarks of the minimum, and its three subtrees are goal states of their region sets.
//! The same region set is reached in many ways and solved once (memo). Landmarks are tried in the order of a lower
//! bound, and one whose bound is not below the best cost found so far is skipped, which does not change the minimum.
//!
//! **The bound** is the paper's incompressible cost: tokens that occur in fewer than `k` regions of the set, and tags
//! whose other half is outside. Splits separate occurrences and never join them, so none of these can become part of a
//! landmark: the bound never exceeds the cost. With dynamic tokenization a tag can also be identified by its
//! attributes, one or several. Those are further landmarks of the same recurrence, and the attributes of a tag in fewer than `k`
//! regions are not in more. Where a tag has more attributes than are combined, the cost is not said to be the least.
//!
//! **Limits.** The number of trees is exponential in the worst case, so the search has a budget of region sets; and
//! where a region set is large, the best of the [`WIDTH`] most frequent candidates is taken. Both make the choice
//! greedy for that region set alone. [`Outcome::exact`] says whether the cost is still the least, and this is proved,
//! not estimated: a set's cost is the least if it equals the set's own bound, or if every candidate was either solved
//! to the least cost or has a bound that is not below it.
//!
//! Costs: the time of a split is linear in the tokens of its region set, and greedy strategies make one split for each
//! landmark.

use super::classes::{Candidate, Class, Classes};
use super::site::{Region, Site, Sym};
use super::{LandmarkSettings, Search};
use std::collections::HashMap;
use wrapper::rule::landmark::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Slot, Test, What};

/// How many candidates are tried where there are many tokens.
const WIDTH: usize = 6;
/// For region sets of at most this many tokens all candidates are tried.
const SMALL: usize = 256;
/// Deeper trees are cut off.
const DEEPEST: usize = 900;

/// The result of a search.
pub(crate) struct Outcome {
    pub(crate) rule: Landmarks,
    /// The number of tokens that are extracted.
    #[cfg_attr(not(test), expect(dead_code, reason = "what the tests compare"))]
    pub(crate) cost: u64,
    /// The number of split operations.
    pub(crate) splits: u64,
    /// Is the cost proved to be the least?
    pub(crate) exact: bool,
}

/// The solution of a region set.
#[derive(Clone, Copy)]
struct Solved {
    cost: u64,
    landmark: Option<Class>,
    /// Is the cost proved to be the least?
    proved: bool,
}

/// A landmark and the region sets that it splits a region set into.
struct Way {
    /// A lower bound of the cost.
    bound: u64,
    parts: [Vec<Region>; 3],
    missing: u64,
    candidate: Candidate,
}

struct Solver<'s, 'p> {
    site: &'s Site<'p>,
    settings: LandmarkSettings,
    classes: Classes,
    memo: HashMap<Vec<Region>, Solved>,
    k: usize,
    /// Splits made, including those made only for their bound: the number that the paper counts.
    splits: u64,
    /// Splits whose parts were solved.
    solved: u64,
    /// Region sets that are known and not yet solved.
    left: u64,
    random: u64,
    parts: Vec<Part>,
    slots: Vec<Slot>,
}

/// Infers a landmark-tree.
pub(crate) fn infer(site: &Site<'_>, settings: &LandmarkSettings) -> Outcome {
    let mut search = Solver {
        site,
        settings: settings.clone(),
        classes: Classes::new(site),
        memo: HashMap::new(),
        k: settings.k(site.docs.len()),
        splits: 0,
        solved: 0,
        left: 0,
        random: settings.seed,
        parts: Vec::new(),
        slots: Vec::new(),
    };
    let regions = site.whole();
    let solved = search.best(&regions, 0);
    search.build(&regions, 0);
    let mut rule = Landmarks {
        grain: Grain::Words,
        parts: search.parts,
        fields: search.slots,
    };
    rule.prune();
    Outcome {
        rule,
        cost: solved.cost,
        splits: search.splits,
        exact: solved.proved && !search.classes.cut,
    }
}

fn size(regions: &[Region]) -> u64 {
    regions.iter().map(|region| u64::from(region.to - region.from)).sum()
}

impl Solver<'_, '_> {
    fn chance(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The three region sets around a landmark, and the tokens of regions without it.
    fn divide(&self, regions: &[Region], candidate: &Candidate) -> ([Vec<Region>; 3], u64) {
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        let mut missing = 0;
        for (region, place) in regions.iter().zip(&candidate.places) {
            let Some(place) = *place else {
                missing += u64::from(region.to - region.from);
                continue;
            };
            let mate = self.site.docs[region.doc as usize].tokens.tokens[place as usize].mate;
            let cuts = [
                (region.from, place),
                (place + 1, mate.max(place + 1)),
                (mate + 1, region.to),
            ];
            for (part, (from, to)) in parts.iter_mut().zip(cuts) {
                part.push(Region {
                    doc: region.doc,
                    from,
                    to,
                });
            }
        }
        for part in &mut parts {
            part.retain(|region| region.from < region.to);
        }
        (parts, missing)
    }

    /// The least cost of a region set, and the landmark that achieves it.
    fn best(&mut self, regions: &[Region], depth: usize) -> Solved {
        if regions.is_empty() {
            return Solved {
                cost: 0,
                landmark: None,
                proved: true,
            };
        }
        if let Some(solved) = self.memo.get(regions) {
            return *solved;
        }
        let all = size(regions);
        let mut candidates = self.classes.candidates(self.site, regions, self.k);
        let halted = depth > DEEPEST || self.settings.stopped();
        if candidates.is_empty() || halted {
            let solved = Solved {
                cost: all,
                landmark: None,
                proved: candidates.is_empty(),
            };
            self.memo.insert(regions.to_vec(), solved);
            return solved;
        }
        let spent = self.solved >= self.settings.budget;
        let large = all as usize > SMALL;
        let mut every = true;
        match self.settings.search {
            Search::Random => {
                every = candidates.len() == 1;
                let at = (self.chance() % candidates.len() as u64) as usize;
                candidates = vec![candidates.swap_remove(at)];
            }
            _ if (large || spent) && candidates.len() > WIDTH => {
                every = false;
                self.preselect(regions, &mut candidates);
            }
            _ => {}
        }
        let mut ways = self.ways(regions, candidates);
        if self.settings.search == Search::GreedyRnd {
            let least = ways.iter().map(|way| way.bound).min().unwrap_or(0);
            every &= ways.len() == 1;
            ways.retain(|way| way.bound == least);
            let at = (self.chance() % ways.len() as u64) as usize;
            ways = vec![ways.swap_remove(at)];
        } else {
            ways.sort_by_cached_key(|way| (way.bound, self.rank(&way.candidate)));
        }
        let mut best = Solved {
            cost: u64::MAX,
            landmark: None,
            proved: every,
        };
        // The least possible cost of a landmark whose cost is not proved.
        let mut unproved = u64::MAX;
        for (number, way) in ways.into_iter().enumerate() {
            if way.bound >= best.cost {
                break;
            }
            let once = self.settings.search != Search::Astar || large || self.solved >= self.settings.budget;
            if number > 0 && once {
                unproved = unproved.min(way.bound);
                break;
            }
            self.solved += 1;
            self.left += 3;
            self.settings.tell(self.splits, self.left);
            let (mut cost, mut proved) = (way.missing, true);
            for part in &way.parts {
                let solved = self.best(part, depth + 1);
                cost += solved.cost;
                proved &= solved.proved;
                self.left -= 1;
                self.settings.tell(self.splits, self.left);
            }
            if !proved {
                unproved = unproved.min(way.bound);
            }
            if cost < best.cost {
                best.cost = cost;
                best.landmark = Some(way.candidate.class);
            }
        }
        best.proved &= unproved >= best.cost;
        best.proved |= best.cost == self.classes.incompressible(self.site, regions, self.k);
        self.memo.insert(regions.to_vec(), best);
        best
    }

    /// The result of splitting the region set at each candidate.
    fn ways(&mut self, regions: &[Region], candidates: Vec<Candidate>) -> Vec<Way> {
        let mut ways = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let (parts, missing) = self.divide(regions, &candidate);
            self.splits += 1;
            let bound = match self.settings.search {
                Search::Random => 0,
                _ => {
                    let rest = parts
                        .iter()
                        .map(|part| self.classes.incompressible(self.site, part, self.k));
                    missing + rest.sum::<u64>()
                }
            };
            ways.push(Way {
                bound,
                parts,
                missing,
                candidate,
            });
        }
        ways
    }

    /// Keeps the most promising candidates: the most frequent ones, and of those the ones nearest to the middle of the
    /// region.
    fn preselect(&self, regions: &[Region], candidates: &mut Vec<Candidate>) {
        let most = candidates.first().map_or(0, |candidate| candidate.ones);
        if self.settings.search == Search::GreedyRnd {
            candidates.retain(|candidate| candidate.ones == most);
            candidates.truncate(64);
            return;
        }
        let middle = |candidate: &Candidate| {
            let first = regions
                .iter()
                .zip(&candidate.places)
                .find_map(|(region, place)| Some((region, (*place)?)));
            first.map_or(0, |(region, place)| (2 * place).abs_diff(region.from + region.to))
        };
        candidates.sort_by_cached_key(|candidate| {
            (
                std::cmp::Reverse(candidate.ones),
                self.rank(candidate).0,
                middle(candidate),
                candidate.class,
            )
        });
        candidates.truncate(WIDTH);
    }

    /// The order of candidates with equal bounds: texts before tags, longer texts first, higher tags first.
    fn rank(&self, candidate: &Candidate) -> (u32, u32, Class) {
        match candidate.class {
            Class::Word(text) => (
                0,
                u32::MAX - self.site.texts[text as usize].len() as u32,
                candidate.class,
            ),
            Class::Tag(_) | Class::Attribute(..) | Class::Attributes(..) => {
                let first = candidate.places.iter().flatten().next().copied().unwrap_or(0);
                (1, first, candidate.class)
            }
        }
    }

    /// Builds the tree that the search chose.
    fn build(&mut self, regions: &[Region], depth: usize) -> PartId {
        let id = self.parts.len() as PartId;
        self.parts.push(Part::Nothing);
        let chosen = self
            .memo
            .get(regions)
            .and_then(|solved| solved.landmark)
            .filter(|_| depth <= DEEPEST);
        let candidate = chosen.map(|class| self.classes.occurrences(self.site, regions, class));
        let Some(candidate) = candidate else {
            if let Some(field) = self.field(regions) {
                self.parts[id as usize] = Part::Field(field);
            }
            return id;
        };
        let (parts, _) = self.divide(regions, &candidate);
        let missing: Vec<Region> = regions
            .iter()
            .zip(&candidate.places)
            .filter(|(_, place)| place.is_none())
            .map(|(region, _)| *region)
            .collect();
        let failed = self.field(&missing);
        let [before, inner, after] = parts.map(|part| self.build(&part, depth + 1));
        let what = match candidate.class {
            Class::Word(text) => What::Word(self.site.texts[text as usize].clone()),
            Class::Tag(tag) | Class::Attribute(tag, _) | Class::Attributes(tag, _) => self.site.what(tag),
        };
        let attributes = self.classes.attributes(candidate.class).into_iter();
        let attributes: Vec<_> = attributes
            .map(|attribute| self.site.attributes[attribute as usize].clone())
            .collect();
        let tests = match attributes.is_empty() {
            true => Vec::new(),
            false => vec![Test {
                attributes,
                ..Test::default()
            }],
        };
        let mark = Mark {
            landmark: Landmark { what, tests },
            attributes: Vec::new(),
            inner,
            after,
        };
        self.parts[id as usize] = Part::Split {
            before,
            marks: vec![mark],
            failed,
        };
        id
    }

    /// A field for the words of a region set, unless there are none or they are always the same.
    fn field(&mut self, regions: &[Region]) -> Option<u32> {
        let mut texts: Vec<Vec<Sym>> = Vec::new();
        for region in regions {
            let doc = &self.site.docs[region.doc as usize];
            let words =
                (region.from..region.to).filter(|place| doc.tokens.tokens[*place as usize].piece == Piece::Word);
            let words: Vec<Sym> = words.map(|place| doc.texts[place as usize]).collect();
            if !words.is_empty() {
                texts.push(words);
            }
        }
        texts.sort_unstable();
        texts.dedup();
        if texts.is_empty() || texts.len() == 1 && !self.settings.all && regions.len() > 1 {
            return None;
        }
        self.slots.push(Slot::default());
        Some(self.slots.len() as u32 - 1)
    }
}

//! The smallest extraction problem as the paper poses it: a landmark-tree that leaves as few tokens as possible to be
//! extracted, where each landmark occurs at most once in every region and exactly once in at least `k` of them.
//!
//! **The search.** A state of the paper's A* is a whole tree, and two trees that differ in one corner are two states. But once a
//! set of regions is split at a landmark, what is best for the part before it, the part inside and the part behind it does
//! not depend on the other two: the cost of a tree is the sum of the tokens at its leaves, and a landmark is judged by its own
//! region set alone. So the least cost of a region set is
//!
//! ```text
//! best(R) = |R|                                                        if no token may be a landmark of R
//! best(R) = min over landmarks l of  missing(R, l) + best(R<l) + best(R^l) + best(R>l)      otherwise
//! ```
//!
//! where `missing` counts the tokens of regions without the landmark, which are extracted whole. By induction on the number of
//! tokens, which every split lowers, this is the cost of the paper's optimal goal state: a goal state is a tree, its root is one
//! of the landmarks of the minimum, and its three subtrees are goal states of their region sets. A region set is met on many
//! ways and solved once (memo). Landmarks are tried in the order of a lower bound, and one whose bound is not below the
//! best cost found so far is left out, so that the minimum is kept.
//!
//! **The bound** is the paper's incompressible cost: tokens that occur in fewer than `k` regions of the set, and tags whose
//! other half lies outside. Splits separate occurrences and never join them, so none of these can become part of a
//! landmark: the bound never exceeds the cost.
//!
//! **Limits.** The number of landmarks is exponential in the worst case, so the search has a budget of splits; and where a region
//! set is large, only the [`WIDTH`] most frequent candidates are tried. Both make the choice greedy for that region set alone,
//! and [`Outcome::exact`] tells that it happened.
//!
//! Costs: a split takes time with the tokens of its region set, and greedy strategies make one for each landmark.

use super::site::{Region, Site, Sym};
use super::{Search, Settings};
use std::collections::HashMap;
use wrapper::rule::landmark::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Slot, Test, What};

/// How many candidates are tried where there are many tokens.
const WIDTH: usize = 6;
/// Region sets of at most so many tokens try all of their candidates.
const SMALL: usize = 256;
/// Deeper trees are cut off.
const DEEPEST: usize = 900;

/// What may be a landmark: a kind of tag or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    Word(Sym),
    Tag(Sym),
    Attribute(Sym, Sym),
}

/// What a search came to.
pub(crate) struct Outcome {
    pub(crate) rule: Landmarks,
    /// Tokens that are extracted.
    #[cfg_attr(not(test), expect(dead_code, reason = "what the tests compare"))]
    pub(crate) cost: u64,
    /// Split operations made.
    pub(crate) splits: u64,
    /// Was the optimum found everywhere?
    pub(crate) exact: bool,
}

struct Candidate {
    class: Class,
    ones: u32,
    /// Where it is in each region, if there.
    places: Vec<Option<u32>>,
}

struct Solver<'s, 'p> {
    site: &'s Site<'p>,
    settings: Settings,
    memo: HashMap<Vec<Region>, (u64, Option<Class>)>,
    splits: u64,
    exact: bool,
    random: u64,
    parts: Vec<Part>,
    slots: Vec<Slot>,
}

/// Infers a landmark-tree.
pub(crate) fn infer(site: &Site<'_>, settings: &Settings) -> Outcome {
    let mut search = Solver {
        site,
        settings: settings.clone(),
        memo: HashMap::new(),
        splits: 0,
        exact: settings.search == Search::Astar,
        random: settings.seed,
        parts: Vec::new(),
        slots: Vec::new(),
    };
    let regions = site.whole();
    let cost = search.best(&regions, 0);
    search.build(&regions, 0);
    let mut rule = Landmarks {
        grain: Grain::Words,
        parts: search.parts,
        fields: search.slots,
    };
    rule.prune();
    Outcome {
        rule,
        cost,
        splits: search.splits,
        exact: search.exact,
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

    /// The classes of the token at a place that may be landmarks of a region that ends at `to`.
    fn classes(&self, doc: u32, place: u32, to: u32, mut take: impl FnMut(Class)) {
        let doc = &self.site.docs[doc as usize];
        let token = doc.tokens.tokens[place as usize];
        match token.piece {
            Piece::Word | Piece::Text => take(Class::Word(doc.texts[place as usize])),
            Piece::Start if token.mate < to => {
                let tag = doc.tags[place as usize];
                take(Class::Tag(tag));
                if self.settings.lattice {
                    for attribute in doc.attributes(place) {
                        let (name, value) = &self.site.attributes[*attribute as usize];
                        let known = self.settings.attributes.iter().any(|known| known == name);
                        if value.is_none() || known {
                            take(Class::Attribute(tag, *attribute));
                        }
                    }
                }
            }
            Piece::Start | Piece::End => {}
        }
    }

    /// The tokens that may be landmarks of a region set.
    fn candidates(&self, regions: &[Region]) -> Vec<Candidate> {
        let mut found: HashMap<Class, Option<Candidate>> = HashMap::new();
        for (number, region) in regions.iter().enumerate() {
            for place in region.from..region.to {
                self.classes(region.doc, place, region.to, |class| {
                    let entry = found.entry(class).or_insert_with(|| {
                        Some(Candidate {
                            class,
                            ones: 0,
                            places: Vec::new(),
                        })
                    });
                    let Some(candidate) = entry else { return };
                    if candidate.places.len() > number {
                        // Twice in one region.
                        *entry = None;
                        return;
                    }
                    candidate.places.resize(number, None);
                    candidate.places.push(Some(place));
                    candidate.ones += 1;
                });
            }
        }
        let mut all: Vec<Candidate> = found.into_values().flatten().collect();
        all.retain(|candidate| candidate.ones as usize >= self.settings.k.max(1));
        all.iter_mut()
            .for_each(|candidate| candidate.places.resize(regions.len(), None));
        all.sort_unstable_by_key(|candidate| (std::cmp::Reverse(candidate.ones), candidate.class));
        all
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

    /// Tokens that no landmark below this region set can cover.
    fn bound(&self, regions: &[Region]) -> u64 {
        let mut counts: HashMap<(bool, Sym), (u32, u32, u64)> = HashMap::new();
        let mut bound = 0;
        for (number, region) in (1u32..).zip(regions) {
            let doc = &self.site.docs[region.doc as usize];
            for place in region.from..region.to {
                let token = doc.tokens.tokens[place as usize];
                let key = match token.piece {
                    Piece::Word | Piece::Text => (true, doc.texts[place as usize]),
                    Piece::Start if token.mate < region.to => (false, doc.tags[place as usize]),
                    Piece::End if token.mate >= region.from => continue,
                    Piece::Start | Piece::End => {
                        bound += 1;
                        continue;
                    }
                };
                let entry = counts.entry(key).or_default();
                if entry.0 != number {
                    *entry = (number, entry.1 + 1, entry.2);
                }
                entry.2 += if key.0 { 1 } else { 2 };
            }
        }
        let rare = counts
            .into_values()
            .filter(|(_, spread, _)| (*spread as usize) < self.settings.k.max(1));
        bound + rare.map(|(_, _, tokens)| tokens).sum::<u64>()
    }

    /// The least cost of a region set.
    fn best(&mut self, regions: &[Region], depth: usize) -> u64 {
        if regions.is_empty() {
            return 0;
        }
        if let Some((cost, _)) = self.memo.get(regions) {
            return *cost;
        }
        let all = size(regions);
        let mut candidates = self.candidates(regions);
        if candidates.is_empty() || depth > DEEPEST || self.settings.stopped() {
            self.memo.insert(regions.to_vec(), (all, None));
            return all;
        }
        let spent = self.splits >= self.settings.budget;
        let greedy = self.settings.search != Search::Astar || spent;
        match self.settings.search {
            Search::Random => {
                let at = (self.chance() % candidates.len() as u64) as usize;
                candidates = vec![candidates.swap_remove(at)];
            }
            _ if (all as usize > SMALL || spent) && candidates.len() > WIDTH => {
                self.exact = false;
                self.preselect(regions, &mut candidates);
            }
            _ => {}
        }
        let mut ways: Vec<(u64, [Vec<Region>; 3], u64, Candidate)> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let (parts, missing) = self.divide(regions, &candidate);
            let bound = match self.settings.search {
                Search::Random => 0,
                _ => missing + parts.iter().map(|part| self.bound(part)).sum::<u64>(),
            };
            ways.push((bound, parts, missing, candidate));
        }
        match self.settings.search {
            Search::GreedyRnd => {
                let least = ways.iter().map(|way| way.0).min().unwrap_or(0);
                ways.retain(|way| way.0 == least);
                let at = (self.chance() % ways.len() as u64) as usize;
                ways = vec![ways.swap_remove(at)];
            }
            _ => ways.sort_by_cached_key(|way| (way.0, self.rank(&way.3))),
        }
        let mut best = (u64::MAX, None);
        for (bound, parts, missing, candidate) in ways {
            if bound >= best.0 {
                break;
            }
            self.splits += 1;
            let mut cost = missing;
            for part in &parts {
                cost += self.best(part, depth + 1);
            }
            if cost < best.0 {
                best = (cost, Some(candidate.class));
            }
            if greedy || all as usize > SMALL || self.splits >= self.settings.budget {
                break;
            }
        }
        self.memo.insert(regions.to_vec(), best);
        best.0
    }

    /// Keeps the candidates most worth trying: the most frequent ones, and of those the ones that halve the region.
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

    /// Of equal bounds: texts before tags, longer texts first, higher tags first.
    fn rank(&self, candidate: &Candidate) -> (u32, u32, Class) {
        match candidate.class {
            Class::Word(text) => (
                0,
                u32::MAX - self.site.texts[text as usize].len() as u32,
                candidate.class,
            ),
            Class::Tag(_) | Class::Attribute(..) => {
                let first = candidate.places.iter().flatten().next().copied().unwrap_or(0);
                (1, first, candidate.class)
            }
        }
    }

    /// Makes the tree that the search chose.
    fn build(&mut self, regions: &[Region], depth: usize) -> PartId {
        let id = self.parts.len() as PartId;
        self.parts.push(Part::Nothing);
        let chosen = self
            .memo
            .get(regions)
            .and_then(|(_, class)| *class)
            .filter(|_| depth <= DEEPEST);
        let candidate = chosen.and_then(|class| self.occurrences(regions, class));
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
        let (what, attribute) = match candidate.class {
            Class::Word(text) => (What::Word(self.site.texts[text as usize].clone()), None),
            Class::Tag(tag) => (self.site.what(tag), None),
            Class::Attribute(tag, attribute) => (
                self.site.what(tag),
                Some(self.site.attributes[attribute as usize].clone()),
            ),
        };
        let tests = attribute
            .into_iter()
            .map(|pair| Test {
                attributes: vec![pair],
                ..Test::default()
            })
            .collect();
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

    fn occurrences(&self, regions: &[Region], class: Class) -> Option<Candidate> {
        let mut candidate = Candidate {
            class,
            ones: 0,
            places: Vec::new(),
        };
        for region in regions {
            let mut at = None;
            for place in region.from..region.to {
                self.classes(region.doc, place, region.to, |found| {
                    if found == class {
                        at = at.or(Some(place));
                    }
                });
            }
            candidate.ones += u32::from(at.is_some());
            candidate.places.push(at);
        }
        (candidate.ones > 0).then_some(candidate)
    }

    /// A field for the words of a region set, unless they are none or always the same.
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

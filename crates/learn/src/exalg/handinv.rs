//! HANDINV: handles equivalence classes that no type constructor can have made (Appendix A).
//!
//! A class of a type constructor is ordered, and two such classes are nested. So:
//!
//! 1. An unordered class is divided into ordered ones that do not overlap. The coarsest such division is unique: `a`
//!    and `b` are neighbours in one part exactly if, among the class's own dtokens, `b` directly follows every `a`. The
//!    parts are the chains of that relation; an ordered class is one chain.
//! 2. Of two classes that are neither nested nor nearly nested, one is an accident. The class with the most such
//!    partners is removed, then the next, until no such pair is left.
//! 3. Two classes that are nearly nested but cross contain dtokens that were put together by accident. A class is cut
//!    where its dtokens are in different positions of the other: the one that never occurs without the other, or both
//!    if each sometimes occurs alone.
//!
//! Parts below SIZETHRES are not large classes and are dropped. One departure from the paper: a single word of the data
//! that happens to occur once on every page would, by rule 1, split the class that it fell into wherever it occurs. So
//! an unordered class first loses the dtokens that are out of order (those outside a common subsequence of all its
//! occurrences) if that makes it ordered and leaves most of it; the removed dtokens are divided by rule 1. The root
//! class must stay whole for there to be one template, so it is always repaired that way.
//!
//! For the same reason words of the data are taken out of the root class before step 2: see `strays`.
//!
//! Every pass walks the pages once, with the list of classes whose spans are open: linear for nested classes.

use super::findeq::{Class, Dtoken, Limits, Member, NONE, Strings, members};
use super::strays;
use std::collections::{BTreeMap, BTreeSet};

/// After this many rounds of cutting, classes that still cross are removed.
const ROUNDS: usize = 4;
/// The most spans that are kept open at once.
const DEEPEST: usize = 256;

/// Makes the classes ordered and nested in each other.
pub(crate) fn handle(strings: &Strings, classes: Vec<Class>, limits: Limits) -> Vec<Class> {
    let mut classes = order(strings, classes, limits);
    if !limits.paper {
        strays::drop_phrases(strings, &mut classes);
        strays::drop(strings, &mut classes);
    }
    classes.retain(|class| class.tokens.len() >= limits.size);
    for round in 0..=ROUNDS {
        let relations = Relations::of(strings, &classes);
        let kept = without_bad(strings, &classes, &relations.bad);
        let mut near = relations.crossing(&kept);
        if round == ROUNDS {
            let crossing: BTreeSet<(u32, u32)> = near.into_iter().collect();
            let kept = without_bad(strings, &classes, &crossing);
            return keep(classes, &kept);
        }
        if near.is_empty() {
            return keep(classes, &kept);
        }
        near.sort_unstable();
        let cut = cuts(strings, &classes, &relations, &near);
        let mut next = Vec::new();
        for (number, class) in classes.iter().enumerate().filter(|(number, _)| kept[*number]) {
            let mut part = Vec::new();
            for (place, token) in class.tokens.iter().enumerate() {
                if cut[number].contains(&(place as u32)) {
                    next.push(class.with(std::mem::take(&mut part)));
                }
                part.push(*token);
            }
            next.push(class.with(part));
        }
        next.retain(|class| class.tokens.len() >= limits.size);
        classes = next;
    }
    classes
}

fn keep(classes: Vec<Class>, kept: &[bool]) -> Vec<Class> {
    let kept = classes.into_iter().zip(kept).filter(|(_, kept)| **kept);
    kept.map(|(class, _)| class).collect()
}

/// The dtokens of one class in the order of the pages, as indices into the class; `ends` says where each page's part
/// ends.
#[derive(Clone, Debug, Default)]
struct Sequence {
    places: Vec<u32>,
    ends: Vec<usize>,
    /// One more than the number of the page that is being read.
    page: usize,
}

impl Sequence {
    fn pages(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, to)| &self.places[from..*to])
    }

    /// The same with some of the dtokens; `place` gives their new indices.
    fn only(&self, place: &[Option<u32>]) -> Sequence {
        let mut out = Sequence::default();
        for page in self.pages() {
            out.places.extend(page.iter().filter_map(|at| place[*at as usize]));
            out.ends.push(out.places.len());
        }
        out
    }

    /// The order of the dtokens, if they have one.
    fn order(&self, size: usize) -> Option<Vec<u32>> {
        let order = self.pages().next()?.get(..size)?;
        let fits = |page: &[u32]| page.chunks(size).all(|chunk| chunk == order);
        self.pages().all(fits).then(|| order.to_vec())
    }

    /// The chains of dtokens that always follow each other.
    fn chains(&self, size: usize) -> Vec<Vec<u32>> {
        const FREE: u32 = NONE - 1;
        let mut next = vec![FREE; size];
        for page in self.pages() {
            for pair in page.windows(2) {
                let known = &mut next[pair[0] as usize];
                *known = if *known == FREE || *known == pair[1] {
                    pair[1]
                } else {
                    NONE
                };
            }
            if let Some(last) = page.last() {
                next[*last as usize] = NONE;
            }
        }
        let mut head = vec![true; size];
        for &next in next.iter().filter(|next| **next < FREE) {
            head[next as usize] = false;
        }
        let chain = |first: u32| {
            let follow = |at: &u32| Some(next[*at as usize]).filter(|next| *next < FREE);
            std::iter::successors(Some(first), follow).collect()
        };
        (0..size as u32).filter(|at| head[*at as usize]).map(chain).collect()
    }

    /// Dtokens in the same order everywhere: the longest increasing run of each occurrence in that of those before.
    fn common(&self, size: usize) -> Vec<u32> {
        let mut common: Option<Vec<u32>> = None;
        for page in self.pages() {
            // The n-th occurrences of all dtokens, in the order of the page.
            let mut times = vec![0usize; size];
            let mut rounds: Vec<Vec<u32>> = Vec::new();
            for &place in page {
                let round = times[place as usize];
                times[place as usize] += 1;
                if rounds.len() <= round {
                    rounds.push(Vec::new());
                }
                rounds[round].push(place);
            }
            for round in rounds {
                common = Some(match common {
                    None => round,
                    Some(common) => {
                        let mut rank = vec![NONE; size];
                        for (number, place) in (0u32..).zip(&round) {
                            rank[*place as usize] = number;
                        }
                        let ranks: Vec<u32> = common.iter().map(|place| rank[*place as usize]).collect();
                        increasing(&ranks).into_iter().map(|at| common[at]).collect()
                    }
                });
            }
        }
        common.unwrap_or_default()
    }
}

/// The indices of a longest increasing subsequence.
fn increasing(values: &[u32]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<usize> = vec![usize::MAX; values.len()];
    for (at, value) in values.iter().enumerate() {
        let length = tails.partition_point(|tail| values[*tail] < *value);
        if length > 0 {
            before[at] = tails[length - 1];
        }
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let last = tails.last().copied();
    let mut out: Vec<usize> =
        std::iter::successors(last, |at| Some(before[*at]).filter(|at| *at != usize::MAX)).collect();
    out.reverse();
    out
}

/// Step 1: every class is ordered, divided or dropped.
fn order(strings: &Strings, classes: Vec<Class>, limits: Limits) -> Vec<Class> {
    let members = members(&classes, strings.count);
    let mut sequences = vec![Sequence::default(); classes.len()];
    for (number, page) in (1..).zip(&strings.pages) {
        for token in page {
            let member = &members[*token as usize];
            if member.class == NONE {
                continue;
            }
            let sequence = &mut sequences[member.class as usize];
            if std::mem::replace(&mut sequence.page, number) != number && !sequence.places.is_empty() {
                sequence.ends.push(sequence.places.len());
            }
            sequence.places.push(member.place);
        }
    }
    for sequence in &mut sequences {
        sequence.ends.push(sequence.places.len());
    }
    let mut out = Vec::new();
    for (class, sequence) in classes.iter().zip(&sequences) {
        let size = class.tokens.len();
        let mut push = |places: &[u32]| {
            if places.len() >= limits.size {
                out.push(class.with(places.iter().map(|place| class.tokens[*place as usize]).collect()));
            }
        };
        if let Some(order) = sequence.order(size) {
            push(&order);
            continue;
        }
        let common = sequence.common(size);
        let place_in = |list: &[u32]| {
            let mut place = vec![None; size];
            for (number, at) in (0u32..).zip(list) {
                place[*at as usize] = Some(number);
            }
            place
        };
        let whole = strings.is_root(class) || common.len() * 2 > size && !limits.paper;
        let core = whole
            .then(|| sequence.only(&place_in(&common)).order(common.len()))
            .flatten();
        let rest: Vec<u32> = match &core {
            None => (0..size as u32).collect(),
            Some(_) => {
                push(&common);
                let inside = place_in(&common);
                (0..size as u32).filter(|at| inside[*at as usize].is_none()).collect()
            }
        };
        for chain in sequence.only(&place_in(&rest)).chains(rest.len()) {
            let chain: Vec<u32> = chain.iter().map(|at| rest[*at as usize]).collect();
            push(&chain);
        }
    }
    out
}

/// Where the dtokens of classes are in the spans of other classes.
struct Relations {
    /// For each dtoken of a class, the classes whose spans contained it, and at which position.
    inside: BTreeMap<Dtoken, Vec<(u32, u32)>>,
    /// Pairs that are not even nearly nested.
    bad: BTreeSet<(u32, u32)>,
    /// Pairs of which the first was seen in a span of the second.
    within: BTreeSet<(u32, u32)>,
}

impl Relations {
    fn of(strings: &Strings, classes: &[Class]) -> Relations {
        let members = members(classes, strings.count);
        let mut inside: Vec<Vec<(u32, u32)>> = vec![Vec::new(); strings.count as usize];
        let mut bad = BTreeSet::new();
        let mut within = BTreeSet::new();
        for page in &strings.pages {
            // The classes whose spans are open, and their last dtoken.
            let mut open: Vec<(u32, u32)> = Vec::new();
            for &token in page {
                let Member { class, place } = members[token as usize];
                if class == NONE {
                    continue;
                }
                let mut own = None;
                for (at, &(other, position)) in open.iter().enumerate() {
                    if other == class {
                        own = Some(at);
                        continue;
                    }
                    match inside[token as usize].iter().find(|(known, _)| *known == other) {
                        Some((_, known)) if *known != position => {
                            bad.insert((class.min(other), class.max(other)));
                        }
                        Some(_) => {}
                        None => {
                            inside[token as usize].push((other, position));
                            within.insert((class, other));
                        }
                    }
                }
                let last = place as usize + 1 == classes[class as usize].tokens.len();
                match own {
                    Some(at) if last => {
                        open.remove(at);
                    }
                    Some(at) => open[at].1 = place,
                    None if !last && open.len() < DEEPEST => open.push((class, place)),
                    None => {}
                }
            }
        }
        let inside = (0u32..).zip(inside).filter(|(_, inside)| !inside.is_empty()).collect();
        Relations { inside, bad, within }
    }

    /// Pairs of kept classes each of which is partly in spans of the other.
    fn crossing(&self, kept: &[bool]) -> Vec<(u32, u32)> {
        let crosses = |(a, b): &&(u32, u32)| a < b && self.within.contains(&(*b, *a));
        let alive = |(a, b): &&(u32, u32)| kept[*a as usize] && kept[*b as usize];
        self.within.iter().filter(crosses).filter(alive).copied().collect()
    }
}

/// Step 2: which classes remain when those with the most bad partners are removed first.
fn without_bad(strings: &Strings, classes: &[Class], bad: &BTreeSet<(u32, u32)>) -> Vec<bool> {
    let mut kept = vec![true; classes.len()];
    let mut partners: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); classes.len()];
    for (a, b) in bad {
        partners[*a as usize].insert(*b);
        partners[*b as usize].insert(*a);
    }
    let mut queue: BTreeSet<(usize, std::cmp::Reverse<usize>, usize)> = BTreeSet::new();
    let rank =
        |partners: &[BTreeSet<u32>], at: usize| (partners[at].len(), std::cmp::Reverse(classes[at].tokens.len()), at);
    for (at, class) in classes.iter().enumerate() {
        if !partners[at].is_empty() && !strings.is_root(class) {
            queue.insert(rank(&partners, at));
        }
    }
    while let Some((_, _, worst)) = queue.pop_last() {
        if partners[worst].is_empty() {
            continue;
        }
        kept[worst] = false;
        for other in std::mem::take(&mut partners[worst]) {
            let other = other as usize;
            let was = queue.remove(&rank(&partners, other));
            partners[other].remove(&(worst as u32));
            if was {
                queue.insert(rank(&partners, other));
            }
        }
    }
    kept
}

/// Step 3: the indices before which each class is cut.
fn cuts(strings: &Strings, classes: &[Class], relations: &Relations, near: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut cut = vec![BTreeSet::new(); classes.len()];
    let lonely = lonely(strings, classes, near);
    let position = |token: Dtoken, other: u32| {
        let inside = relations.inside.get(&token)?;
        inside
            .iter()
            .find(|(class, _)| *class == other)
            .map(|(_, position)| *position)
    };
    let mut divide = |class: u32, other: u32| {
        let tokens = &classes[class as usize].tokens;
        for (place, pair) in (1u32..).zip(tokens.windows(2)) {
            if position(pair[0], other) != position(pair[1], other) {
                cut[class as usize].insert(place);
            }
        }
    };
    for ((a, b), (a_alone, b_alone)) in near.iter().zip(lonely) {
        let roots = (
            strings.is_root(&classes[*a as usize]),
            strings.is_root(&classes[*b as usize]),
        );
        match (a_alone, b_alone, roots) {
            (_, _, (true, true)) => {}
            (_, _, (true, false)) | (true, false, (false, false)) => divide(*b, *a),
            (_, _, (false, true)) | (false, true, _) => divide(*a, *b),
            (true, true, _) => {
                divide(*a, *b);
                divide(*b, *a);
            }
            // Neither ever occurs alone: the smaller is less likely to be right.
            (false, false, _) => {
                if classes[*a as usize].tokens.len() < classes[*b as usize].tokens.len() {
                    divide(*a, *b);
                } else {
                    divide(*b, *a);
                }
            }
        }
    }
    cut
}

/// For each pair, whether the first and the second have an occurrence that the other does not overlap.
fn lonely(strings: &Strings, classes: &[Class], near: &[(u32, u32)]) -> Vec<(bool, bool)> {
    let members = members(classes, strings.count);
    let mut wanted = vec![false; classes.len()];
    for (a, b) in near {
        wanted[*a as usize] = true;
        wanted[*b as usize] = true;
    }
    // The spans of each class, numbered consecutively over all pages.
    let mut spans: Vec<Vec<(usize, usize)>> = vec![Vec::new(); classes.len()];
    let mut base = 0;
    for page in &strings.pages {
        for (at, token) in page.iter().enumerate() {
            let Member { class, place } = members[*token as usize];
            if class == NONE || !wanted[class as usize] {
                continue;
            }
            if place == 0 {
                spans[class as usize].push((base + at, base + at));
            } else if let Some(span) = spans[class as usize].last_mut() {
                span.1 = base + at;
            }
        }
        base += page.len();
    }
    let alone = |a: &[(usize, usize)], b: &[(usize, usize)]| {
        a.iter().any(|(from, to)| {
            let next = b.partition_point(|span| span.1 < *from);
            b.get(next).is_none_or(|span| span.0 > *to)
        })
    };
    let pair = |(a, b): &(u32, u32)| {
        let (a, b) = (&spans[*a as usize], &spans[*b as usize]);
        (alone(a, b), alone(b, a))
    };
    near.iter().map(pair).collect()
}

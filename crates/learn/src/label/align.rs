//! Alignment: which of its possible places each value of a sequence has, all of them together.
//!
//! **In**: for each page its values in the order of the page, each with the places where it could be. A place has a
//! *look* (numbers that say what is around it, such as hashes of the text on its left) and a score of its own. **Out**: one
//! place for each value, such that places are in order and do not overlap.
//!
//! Three things decide. The looks of the places of one field are usually the same, on all pages of a site. What is
//! *between* two neighbouring values, such as the tags, is usually the same for all pairs of these two fields. And a place may be
//! better by itself, because it is visible, or does not begin inside a word.
//!
//! None of this is known before the places are, so it is done in rounds. In the first round each value has one vote, which
//! is divided among all its places, and the looks with most votes win. Each further round counts only the places that
//! were chosen in the round before, and what is between them. A value never votes for itself: with few values, every choice
//! would confirm itself. Each round finds the best sequence by dynamic programming (Viterbi).
//!
//! **Cost**: rounds × places × [`WINDOW`]: for each place, only the nearest places of the value before are compared by what is
//! between; of those further away, the best by itself counts.
//!
//! Known failure: where the values of a record occur twice in the same order and with similar looks, as in a list and a
//! hidden copy of it, the first copy is taken.

use std::collections::HashMap;

/// The numbers that a look consists of.
pub(crate) const LOOKS: usize = 8;
/// The places of the value before that are compared by what is between.
const WINDOW: usize = 24;
/// Rounds after the first one; most pages need one or two.
const ROUNDS: usize = 4;
/// The weight of what is between two values, relative to one number of a look.
const BETWEEN: f64 = 4.0;
/// What a byte between two values costs. It decides only between places that are otherwise equal.
const FAR: f64 = 1e-7;
/// The same for the distance of the first value from the beginning of its page.
const LATE: f64 = 1e-9;

/// A place where a value could be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How good it is by itself.
    pub(crate) own: f64,
    /// What is around it.
    pub(crate) look: [u64; LOOKS],
}

/// The values of a page, in order.
pub(crate) struct Sequence<'s> {
    /// The field and the record of each value.
    pub(crate) values: Vec<(usize, usize)>,
    /// Where each could be, sorted by start; never empty.
    pub(crate) candidates: Vec<Vec<Candidate>>,
    /// A number for what is between two positions.
    pub(crate) between: Box<dyn Fn(usize, usize) -> u64 + 's>,
}

/// The places of the values of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aligned {
    /// For each value, the number of its place.
    pub(crate) chosen: Vec<usize>,
    /// The values for which another place between its neighbours is as good.
    pub(crate) ambiguous: Vec<usize>,
}

/// Two fields whose values follow each other, and whether they do so inside a record.
type Pair = (usize, usize, bool);

impl Sequence<'_> {
    /// The pair that a value makes with the one before it.
    fn pair(&self, number: usize) -> Option<Pair> {
        let (before, record) = *self.values.get(number.checked_sub(1)?)?;
        let (field, own) = *self.values.get(number)?;
        Some((before, field, record == own))
    }

    fn at(&self, chosen: &[usize], number: usize) -> &Candidate {
        &self.candidates[number][chosen[number]]
    }

    /// What is between a value and the one before it, as they were chosen.
    fn gap(&self, chosen: &[usize], number: usize) -> Option<u64> {
        let before = self.at(chosen, number.checked_sub(1)?);
        Some((self.between)(before.end, self.at(chosen, number).start))
    }
}

/// What is usual.
#[derive(Default)]
struct Votes {
    looks: HashMap<(usize, usize, u64), f64>,
    fields: HashMap<usize, f64>,
    gaps: HashMap<(Pair, u64), f64>,
    pairs: HashMap<Pair, f64>,
}

impl Votes {
    fn look(&mut self, field: usize, candidate: &Candidate, weight: f64) {
        for (number, look) in candidate.look.iter().enumerate() {
            *self.looks.entry((field, number, *look)).or_default() += weight;
        }
    }

    /// One vote for each value, divided among its places.
    fn of_all(pages: &[Sequence<'_>]) -> Votes {
        let mut votes = Votes::default();
        for page in pages {
            for ((field, _), candidates) in page.values.iter().zip(&page.candidates) {
                *votes.fields.entry(*field).or_default() += 1.0;
                let weight = 1.0 / candidates.len().max(1) as f64;
                candidates
                    .iter()
                    .for_each(|candidate| votes.look(*field, candidate, weight));
            }
        }
        votes
    }

    /// The votes of the places that were chosen.
    fn of_chosen(pages: &[Sequence<'_>], chosen: &[Option<Vec<usize>>]) -> Votes {
        let mut votes = Votes::default();
        for (page, chosen) in pages.iter().zip(chosen) {
            let Some(chosen) = chosen else { continue };
            for (number, (field, _)) in page.values.iter().enumerate() {
                *votes.fields.entry(*field).or_default() += 1.0;
                votes.look(*field, page.at(chosen, number), 1.0);
                if let (Some(pair), Some(gap)) = (page.pair(number), page.gap(chosen, number)) {
                    *votes.gaps.entry((pair, gap)).or_default() += 1.0;
                    *votes.pairs.entry(pair).or_default() += 1.0;
                }
            }
        }
        votes
    }

    /// How good a place is for a field, without the vote of the value's present place.
    fn score(&self, field: usize, candidate: &Candidate, present: Option<&Candidate>) -> f64 {
        let all = self.fields.get(&field).copied().unwrap_or(0.0) - f64::from(u8::from(present.is_some()));
        if all < 0.5 {
            return candidate.own;
        }
        let mut sum = 0.0;
        for (number, look) in candidate.look.iter().enumerate() {
            let votes = self.looks.get(&(field, number, *look)).copied().unwrap_or(0.0);
            let mine = present.is_some_and(|present| present.look[number] == *look);
            sum += votes - f64::from(u8::from(mine));
        }
        candidate.own + sum / all
    }

    /// How usual it is that this is between two values, without the vote of the present pair.
    fn usual(&self, pair: Pair, gap: u64, present: Option<u64>) -> f64 {
        let all = self.pairs.get(&pair).copied().unwrap_or(0.0) - f64::from(u8::from(present.is_some()));
        if all < 0.5 {
            return 0.0;
        }
        let votes = self.gaps.get(&(pair, gap)).copied().unwrap_or(0.0);
        BETWEEN * (votes - f64::from(u8::from(present == Some(gap)))) / all
    }
}

/// Finds the places of the values of all pages; for a page on which they cannot be in order, the first value that cannot.
pub(crate) fn align(pages: &[Sequence<'_>]) -> Vec<Result<Aligned, usize>> {
    let mut votes = Votes::of_all(pages);
    let first: Vec<Result<Vec<usize>, usize>> = pages.iter().map(|page| best(page, &votes, None)).collect();
    let mut chosen: Vec<Option<Vec<usize>>> = first.iter().map(|chosen| chosen.as_ref().ok().cloned()).collect();
    for _ in 0..ROUNDS {
        votes = Votes::of_chosen(pages, &chosen);
        let next: Vec<Option<Vec<usize>>> = pages
            .iter()
            .zip(&chosen)
            .map(|(page, chosen)| best(page, &votes, Some(chosen.as_ref()?)).ok())
            .collect();
        if next == chosen {
            break;
        }
        chosen = next;
    }
    let each = pages.iter().zip(chosen).zip(first);
    each.map(|((page, chosen), first)| match (chosen, first) {
        (Some(chosen), _) => Ok(Aligned {
            ambiguous: ambiguous(page, &votes, &chosen),
            chosen,
        }),
        (None, Err(number)) => Err(number),
        (None, Ok(_)) => Err(0),
    })
    .collect()
}

/// The best sequence of places of a page; if there is none, the first value that has no place after those before it.
fn best(page: &Sequence<'_>, votes: &Votes, present: Option<&Vec<usize>>) -> Result<Vec<usize>, usize> {
    // The best total of a sequence that ends with each place, and the place before it in that sequence.
    let mut totals: Vec<Vec<(f64, usize)>> = Vec::with_capacity(page.values.len());
    for (number, candidates) in page.candidates.iter().enumerate() {
        let field = page.values[number].0;
        let now = present.map(|chosen| page.at(chosen, number));
        let score = |candidate: &Candidate| votes.score(field, candidate, now);
        let mut row = vec![(f64::NEG_INFINITY, 0); candidates.len()];
        let Some(pair) = page.pair(number) else {
            for (cell, candidate) in row.iter_mut().zip(candidates) {
                *cell = (score(candidate) - candidate.start as f64 * LATE, 0);
            }
            totals.push(row);
            continue;
        };
        let (before, sums) = (&page.candidates[number - 1], &totals[number - 1]);
        let gap = present.and_then(|chosen| page.gap(chosen, number));
        // The places of the value before, by their ends.
        let mut order: Vec<usize> = (0..before.len()).filter(|at| sums[*at].0.is_finite()).collect();
        order.sort_by_key(|at| before[*at].end);
        let reached = |place: &usize, start: usize| before[*place].end <= start;
        let (mut next, mut far): (usize, Option<usize>) = (0, None);
        for (cell, candidate) in row.iter_mut().zip(candidates) {
            while next < order.len() && reached(&order[next], candidate.start) {
                // Of equals, the latest, which is the nearest.
                if far.is_none_or(|far| sums[order[next]].0 >= sums[far].0) {
                    far = Some(order[next]);
                }
                next += 1;
            }
            let near = order[next.saturating_sub(WINDOW)..next].iter().copied();
            let with = |place: usize, usual: f64| {
                let distance = (candidate.start - before[place].end) as f64;
                (sums[place].0 + usual - distance * FAR, place)
            };
            let near = near.map(|place| {
                let between = (page.between)(before[place].end, candidate.start);
                with(place, votes.usual(pair, between, gap))
            });
            let all = near.chain(far.map(|place| with(place, 0.0)));
            if let Some((sum, place)) = all.max_by(|a, b| a.0.total_cmp(&b.0)) {
                *cell = (sum + score(candidate), place);
            }
        }
        if row.iter().all(|(total, _)| total.is_infinite()) {
            return Err(number);
        }
        totals.push(row);
    }
    let mut chosen = vec![0; page.values.len()];
    if let Some(last) = totals.last() {
        let mut at = (0..last.len())
            .max_by(|a, b| last[*a].0.total_cmp(&last[*b].0))
            .unwrap_or(0);
        for number in (0..chosen.len()).rev() {
            chosen[number] = at;
            at = totals[number][at].1;
        }
    }
    Ok(chosen)
}

/// The values for which another place between its neighbours is as good.
fn ambiguous(page: &Sequence<'_>, votes: &Votes, chosen: &[usize]) -> Vec<usize> {
    let between = |number: usize, candidate: &Candidate| {
        let mut sum = 0.0;
        if let Some(pair) = page.pair(number) {
            let gap = (page.between)(page.at(chosen, number - 1).end, candidate.start);
            sum += votes.usual(pair, gap, page.gap(chosen, number));
        }
        if let Some(pair) = page.pair(number + 1) {
            let gap = (page.between)(candidate.end, page.at(chosen, number + 1).start);
            sum += votes.usual(pair, gap, page.gap(chosen, number + 1));
        }
        sum
    };
    let is_ambiguous = |number: &usize| {
        let now = page.at(chosen, *number);
        let low = number.checked_sub(1).map_or(0, |before| page.at(chosen, before).end);
        let high = chosen
            .get(number + 1)
            .map_or(usize::MAX, |_| page.at(chosen, number + 1).start);
        let field = page.values[*number].0;
        let value = |candidate: &Candidate| votes.score(field, candidate, Some(now)) + between(*number, candidate);
        let candidates = &page.candidates[*number];
        let first = candidates.partition_point(|candidate| candidate.start < low);
        let mut rivals = candidates[first..]
            .iter()
            .take_while(|rival| rival.start < high)
            .filter(|rival| rival.end <= high && (rival.start, rival.end) != (now.start, now.end))
            .take(WINDOW)
            .peekable();
        rivals.peek().is_some() && {
            let least = value(now) - 1e-9;
            rivals.any(|rival| value(rival) >= least)
        }
    };
    (0..chosen.len()).filter(is_ambiguous).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates by start, end and look.
    fn page(values: &[(usize, usize)], candidates: &[&[(usize, usize, u64)]]) -> Sequence<'static> {
        let candidate = |(start, end, look): &(usize, usize, u64)| Candidate {
            start: *start,
            end: *end,
            own: 0.0,
            look: [*look; LOOKS],
        };
        Sequence {
            values: values.to_vec(),
            candidates: candidates
                .iter()
                .map(|places| places.iter().map(candidate).collect())
                .collect(),
            between: Box::new(|end, start| (start - end) as u64),
        }
    }

    #[test]
    fn places_are_in_order_and_look_alike() {
        let one = page(
            &[(0, 0), (1, 0)],
            &[&[(0, 2, 1), (10, 12, 2)], &[(5, 6, 3), (20, 21, 4)]],
        );
        let other = page(&[(0, 0), (1, 0)], &[&[(10, 12, 2)], &[(20, 21, 4)]]);
        let got = align(&[one, other]);
        assert_eq!(
            got[0].as_ref().map(|aligned| aligned.chosen.as_slice()),
            Ok(&[1, 1][..])
        );
        let wrong = page(&[(0, 0), (1, 0)], &[&[(10, 12, 0)], &[(5, 6, 0)]]);
        assert_eq!(align(&[wrong]), [Err(1)]);
    }

    #[test]
    fn what_is_between_decides_among_places_that_look_alike() {
        // Records of two values, the second two bytes after the first; in the last record it could also be nearer.
        let values = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)];
        let candidates: [&[(usize, usize, u64)]; 6] = [
            &[(0, 1, 1)],
            &[(3, 4, 2)],
            &[(10, 11, 1)],
            &[(13, 14, 2)],
            &[(20, 21, 1)],
            &[(22, 23, 2), (23, 24, 2), (27, 28, 2)],
        ];
        let got = align(&[page(&values, &candidates)]);
        let aligned = got[0].as_ref().expect("places");
        assert_eq!(aligned.chosen, [0, 0, 0, 0, 0, 1]);
        assert!(aligned.ambiguous.is_empty());
    }

    #[test]
    fn a_single_value_is_ambiguous_if_its_places_are_alike() {
        let got = align(&[page(&[(0, 0)], &[&[(3, 4, 1), (7, 8, 1)]])]);
        let aligned = got[0].as_ref().expect("places");
        assert_eq!((aligned.chosen[0], aligned.ambiguous.as_slice()), (0, &[0][..]));
    }
}

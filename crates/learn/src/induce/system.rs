//! Left delimiters that compete: those of the nested classes, and `l1` against a tail.
//!
//! Each `lk` is a suffix of the longest common suffix Lk of the gaps that lead to level k, so its length determines it.
//! Write n for the length of the one that should win a gap of g bytes, which therefore begins at g − n, and m for a
//! rival's length. Let the text up to some position e end like the rival's L in c bytes. Then the rival is found there
//! exactly if m ≤ c, and it begins at e − m. It does no harm if it begins later, or at the same position and is
//! shorter: so for every position e
//!
//! > m > c, or n ≥ m + (g − e), and one more than that if the rival wins ties there.
//!
//! Two solutions of such a constraint have a third: take the larger length on both sides. (If the larger m is above c,
//! the constraint is met; otherwise both m are at most c, both n are large enough, and so is the larger.) The same is
//! true of constraints on one length alone: that `lk` is first found at the end of its own gaps (a least length); that
//! it does not interfere with the tail delimiter (forbidden lengths); that the tail does not begin before it (a least
//! length). Hence if there is a solution, there is a greatest one, and it is found from above. Start with all lengths
//! as large as possible. Where a constraint fails, its m must decrease to the next length that meets it, since no n can
//! be larger than it is. The lengths only decrease, so this ends, after at most as many steps as the delimiters have
//! bytes together.
//!
//! So the nested classes, for which the paper's learners need time exponential in K, take time `K n` to set up and
//! almost none to solve. For tables the system has one length, that of `l1`, and no rivals.

use super::edges::{self, Blame};
use super::gaps::{Gaps, rivals};
use wrapper::rule::Class;

/// The constraints on the lengths of left delimiters, except those from tails.
pub(crate) struct System<'g, 'a> {
    pub(crate) gaps: &'g Gaps<'a>,
    pub(crate) class: Class,
    /// The longest each can be: Lk.
    pub(crate) longest: Vec<&'a str>,
    /// The least length of each.
    pub(crate) least: Vec<usize>,
    /// For each rival and winner: by the rival's length m, how much longer than m the winner must at least be.
    demands: Vec<Demand>,
    /// For each delimiter and each end of a page where it is searched for: how many bytes of it each prefix of the text
    /// ends with.
    tails: Vec<Vec<Option<Vec<u32>>>>,
}

struct Demand {
    rival: usize,
    winner: usize,
    /// By m from 0; the least possible number where there is no constraint.
    margin: Vec<i64>,
    /// A gap that has this constraint.
    gap: usize,
}

/// The constraints from a tail delimiter.
pub(crate) struct TailDemand {
    /// The least length of each left delimiter.
    pub(crate) least: Vec<usize>,
    /// Which lengths are allowed.
    pub(crate) allowed: Vec<Vec<bool>>,
}

impl<'g, 'a> System<'g, 'a> {
    /// Sets up the system of a class: all left delimiters of a nested one, `l1` of a tabular one.
    pub(crate) fn new(gaps: &'g Gaps<'a>, class: Class) -> Result<System<'g, 'a>, (usize, Blame)> {
        let count = if class.is_nested() { gaps.fields } else { 1 };
        let mut longest = Vec::new();
        for field in 0..count {
            longest.push(edges::left_longest(gaps, field).map_err(|blame| (field, blame))?);
        }
        let looked = |state: usize| rivals(class, state, gaps.fields);
        let mut system = System {
            gaps,
            class,
            least: vec![1; count],
            demands: Vec::new(),
            tails: vec![Vec::new(); count],
            longest,
        };
        for (field, text) in system.longest.clone().into_iter().enumerate() {
            let mut margins: Vec<Option<(Vec<i64>, usize)>> = vec![None; count];
            for (number, gap) in gaps.gaps.iter().enumerate() {
                if !looked(gap.state).contains(&field) || (gap.state == 0 && class.has_head()) {
                    continue;
                }
                let Some(to) = gap.to else {
                    let lengths = suffix_lengths(gap.text.as_bytes(), text.as_bytes());
                    if class.has_head() {
                        system.tails[field].push(Some(lengths));
                    } else {
                        let most = lengths.into_iter().max().unwrap_or(0) as usize;
                        system
                            .raise(field, most + 1)
                            .map_err(|()| (field, Blame::Elsewhere(number)))?;
                    }
                    continue;
                };
                if to == field {
                    let lengths = suffix_lengths(gap.text.as_bytes(), text.as_bytes());
                    let early = &lengths[..gap.text.len().saturating_sub(1)];
                    let most = early.iter().copied().max().unwrap_or(0) as usize;
                    system
                        .raise(field, most + 1)
                        .map_err(|()| (field, Blame::Elsewhere(number)))?;
                    continue;
                }
                // A rival is searched for here. It may begin in the gap and end after it.
                let reach = (gap.text.len() + text.len()).min(gap.onward.len());
                let lengths = suffix_lengths(&gap.onward.as_bytes()[..reach], text.as_bytes());
                let (margin, _) = margins[to].get_or_insert_with(|| (vec![i64::MIN; text.len() + 1], number));
                for (at, common) in lengths.iter().enumerate().filter(|(_, common)| **common > 0) {
                    let short = gap.text.len() as i64 - (at + 1) as i64;
                    let wins_tie = short < 0 || (short == 0 && field < to);
                    let slot = &mut margin[*common as usize];
                    *slot = (*slot).max(short + i64::from(wins_tie));
                }
            }
            // What is found with more bytes is also found with fewer.
            for (winner, margin) in margins.into_iter().enumerate() {
                if let Some((mut margin, gap)) = margin {
                    for at in (0..margin.len() - 1).rev() {
                        margin[at] = margin[at].max(margin[at + 1]);
                    }
                    system.demands.push(Demand {
                        rival: field,
                        winner,
                        margin,
                        gap,
                    });
                }
            }
            // Tails where it is not searched for get an empty entry, so that each list has one entry for each tail.
            if class.has_head() {
                let mut found = std::mem::take(&mut system.tails[field]).into_iter();
                let all = gaps.gaps.iter().filter(|gap| gap.is_tail());
                system.tails[field] = all
                    .map(|gap| {
                        if looked(gap.state).contains(&field) {
                            found.next().flatten()
                        } else {
                            None
                        }
                    })
                    .collect();
            }
        }
        Ok(system)
    }

    fn raise(&mut self, field: usize, least: usize) -> Result<(), ()> {
        self.least[field] = self.least[field].max(least);
        if self.least[field] > self.longest[field].len() {
            Err(())
        } else {
            Ok(())
        }
    }

    /// The delimiter of a given length.
    pub(crate) fn text(&self, field: usize, len: usize) -> &'a str {
        let longest = self.longest[field];
        &longest[longest.len() - len..]
    }

    /// The constraints from a tail that begins at these positions in the ends of the pages; `None` if they allow no
    /// length.
    pub(crate) fn tail_demand(&self, tail: &str, places: &[usize]) -> Option<TailDemand> {
        let mut demand = TailDemand {
            least: self.least.clone(),
            allowed: Vec::new(),
        };
        // It must not begin before a delimiter that leads to a value, nor at the same position.
        let finder = memchr::memmem::Finder::new(tail);
        for gap in edges::watched(self.gaps, self.class) {
            let Some(to) = gap.to else { continue };
            let reach = (gap.text.len() + tail.len() - 1).min(gap.onward.len());
            if let Some(at) = finder
                .find(&gap.onward.as_bytes()[..reach])
                .filter(|at| *at < gap.text.len())
            {
                let least = &mut demand.least[to];
                *least = (*least).max(gap.text.len() - at + 1);
                if *least > self.longest[to].len() {
                    return None;
                }
            }
        }
        for (field, longest) in self.longest.iter().enumerate() {
            // Counts how many positions forbid each length.
            let mut forbidden = vec![0i32; longest.len() + 2];
            for (lengths, place) in self.tails[field].iter().zip(places) {
                // What is found farther away begins after the tail.
                for (at, common) in lengths.iter().flatten().enumerate().take(place + longest.len()) {
                    // Found with at most `common` bytes; begins before the tail if it is longer than `harmless`.
                    let harmless = (at + 1).saturating_sub(*place);
                    if (*common as usize) > harmless {
                        forbidden[harmless + 1] += 1;
                        forbidden[*common as usize + 1] -= 1;
                    }
                }
            }
            let mut count = 0;
            let allowed = forbidden[..=longest.len()].iter().map(|change| {
                count += change;
                count == 0
            });
            demand.allowed.push(allowed.collect());
        }
        Some(demand)
    }

    /// The greatest lengths that solve the system, the first at most `cap`, or the gap that prevents a solution.
    pub(crate) fn solve(&self, tail: Option<&TailDemand>, cap: usize) -> Result<Vec<usize>, Option<(usize, usize)>> {
        let least = tail.map_or(&self.least, |tail| &tail.least);
        let fit = |field: usize, most: usize| {
            let longest = self.longest[field];
            let good = |len: &usize| {
                longest.is_char_boundary(longest.len() - len) && tail.is_none_or(|tail| tail.allowed[field][*len])
            };
            (least[field]..=most.min(longest.len())).rev().find(good)
        };
        let mut lengths = Vec::new();
        for (field, longest) in self.longest.iter().enumerate() {
            let most = if field == 0 { cap } else { longest.len() };
            lengths.push(fit(field, most).ok_or(None)?);
        }
        loop {
            let mut changed = false;
            for demand in &self.demands {
                let winner = lengths[demand.winner] as i64;
                let fails = |len: usize| winner < (len as i64).saturating_add(demand.margin[len]);
                if fails(lengths[demand.rival]) {
                    let lower = (1..lengths[demand.rival]).rev().find(|len| !fails(*len));
                    let lower = lower.and_then(|len| fit(demand.rival, len));
                    lengths[demand.rival] = lower.ok_or(Some((demand.rival, demand.gap)))?;
                    changed = true;
                }
            }
            if !changed {
                return Ok(lengths);
            }
        }
    }
}

/// For the position after each byte of the text: in how many bytes the text up to there ends like the pattern.
///
/// The Z algorithm, run backwards: linear in both.
pub(crate) fn suffix_lengths(text: &[u8], pattern: &[u8]) -> Vec<u32> {
    let own = z_from_behind(pattern, pattern, &[]);
    z_from_behind(text, pattern, &own)
}

fn z_from_behind(text: &[u8], pattern: &[u8], own: &[u32]) -> Vec<u32> {
    let n = text.len();
    let is_own = own.is_empty();
    let mut z = vec![0u32; n];
    // `low..high` is the range, counted from the end, that is known to match the pattern's end.
    let (mut low, mut high) = (0, 0);
    for at in 0..n {
        if is_own && at == 0 {
            z[n - 1] = n as u32;
            continue;
        }
        let mut len = 0;
        if at < high {
            let inner = at - low;
            let known = if is_own {
                z[n - 1 - inner]
            } else {
                own[pattern.len() - 1 - inner]
            } as usize;
            len = known.min(high - at);
        }
        while len < pattern.len() && at + len < n && text[n - 1 - at - len] == pattern[pattern.len() - 1 - len] {
            len += 1;
        }
        if at + len > high {
            (low, high) = (at, at + len);
        }
        z[n - 1 - at] = len as u32;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;

    #[test]
    fn suffix_lengths_are_what_they_say() {
        let mut random = Random(5);
        for _ in 0..2000 {
            let mut word = |most: usize| -> Vec<u8> {
                (0..1 + random.below(most))
                    .map(|_| b'a' + random.below(2) as u8)
                    .collect()
            };
            let (text, pattern) = (word(12), word(6));
            let slow: Vec<u32> = (1..=text.len())
                .map(|end| {
                    text[..end]
                        .iter()
                        .rev()
                        .zip(pattern.iter().rev())
                        .take_while(|(a, b)| a == b)
                        .count() as u32
                })
                .collect();
            assert_eq!(suffix_lengths(&text, &pattern), slow, "{text:?} {pattern:?}");
        }
    }
}

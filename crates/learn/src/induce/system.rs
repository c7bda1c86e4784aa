//! Left delimiters that compete: those of the nested classes, and `l1` against a tail.
//!
//! Each `lk` is a suffix of the longest common suffix Lk of the gaps that lead to level k, so it is known by its length. Write
//! n for the length of the one that should win a gap of g bytes, which therefore begins at g − n, and m for a rival's. Where
//! the text up to some place e ends like the rival's L in c bytes, the rival is found there exactly if m ≤ c, and then it
//! begins at e − m. It does no harm if it begins later, or together and shorter: so for every place e
//!
//! > m > c, or n ≥ m + (g − e), and one more than that if the rival wins ties there.
//!
//! Two solutions of such a constraint have a third: take the larger length on both sides. (If the larger m is above c, it is
//! met; otherwise both m are at most c, both n are large enough, and so is the larger.) The same holds for constraints on one
//! length alone: that `lk` is found first at the end of its own gaps (a least length); that it leaves the tail delimiter
//! alone (lengths that are not allowed); that the tail does not begin before it (a least length). Hence if there is a
//! solution there is a greatest one, and it is found from above: start with all lengths as large as they can be; where a
//! constraint fails, its m must come down to the next length that meets it, since no n can be larger than it is. The
//! lengths only fall, so this ends, after at most as many steps as the delimiters have bytes together.
//!
//! So the nested classes, for which the paper's learners need time exponential in K, take time `K n` to set up and next to
//! nothing to solve. For tables the system has one length, that of `l1`, and no rivals.

use super::edges::{self, Blame};
use super::gaps::{Gaps, rivals};
use wrapper::rule::Class;

/// What is demanded of the lengths of left delimiters, tails aside.
pub(crate) struct System<'g, 'a> {
    pub(crate) gaps: &'g Gaps<'a>,
    pub(crate) class: Class,
    /// The longest each can be: Lk.
    pub(crate) longest: Vec<&'a str>,
    /// The least length of each.
    pub(crate) least: Vec<usize>,
    /// For each rival and winner: by the rival's length m, how much longer than m the winner must be at least.
    demands: Vec<Demand>,
    /// For each delimiter and each end of a page where it is looked for: how much of it the text up to each byte ends like.
    tails: Vec<Vec<Option<Vec<u32>>>>,
}

struct Demand {
    rival: usize,
    winner: usize,
    /// By m from 0; the least possible number where nothing is demanded.
    margin: Vec<i64>,
    /// A gap that shows it.
    gap: usize,
}

/// What a tail delimiter demands.
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
                // A rival here. It may begin in the gap and end behind it.
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
            // What is found with more bytes is found with fewer.
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
            // Tails where it is not looked for hold a place, so that all lists are as long as there are tails.
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

    /// The delimiter of a length.
    pub(crate) fn text(&self, field: usize, len: usize) -> &'a str {
        let longest = self.longest[field];
        &longest[longest.len() - len..]
    }

    /// What a tail demands that begins at these places in the ends of the pages; `None` if it leaves no length at all.
    pub(crate) fn tail_demand(&self, tail: &str, places: &[usize]) -> Option<TailDemand> {
        let mut demand = TailDemand {
            least: self.least.clone(),
            allowed: Vec::new(),
        };
        // It must not begin before what leads to a value, nor with it.
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
            // Counts how many places forbid each length.
            let mut forbidden = vec![0i32; longest.len() + 2];
            for (lengths, place) in self.tails[field].iter().zip(places) {
                // Whatever is found farther off begins behind the tail.
                for (at, common) in lengths.iter().flatten().enumerate().take(place + longest.len()) {
                    // Found with at most `common` bytes; begins before the tail with more than these.
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

    /// The greatest lengths that solve the system with the first at most `cap`, or the gap that speaks against it.
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

/// For each place behind a byte of the text: in how many bytes the text up to it ends like the pattern.
///
/// The Z algorithm, read from behind: linear in both.
pub(crate) fn suffix_lengths(text: &[u8], pattern: &[u8]) -> Vec<u32> {
    let own = z_from_behind(pattern, pattern, &[]);
    z_from_behind(text, pattern, &own)
}

fn z_from_behind(text: &[u8], pattern: &[u8], own: &[u32]) -> Vec<u32> {
    let n = text.len();
    let is_own = own.is_empty();
    let mut z = vec![0u32; n];
    // `low..high` is the stretch, counted from behind, that is known to match the pattern's end.
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

//! Where the values of one field may be, given what its recognizer found and where the anchor's values are.
//!
//! The anchor is a field whose recognizer is exact. Its values divide each page into regions: the one before the first
//! value, those between two values, the one after the last. Between two anchors there is exactly one value of every
//! other field, whatever the order. So a field that comes *before* the anchor has one value in every region but the
//! last, and one that comes *after* it has one in every region but the first. For each of the two cases this gives a
//! few hypotheses, each a position in every region:
//!
//! - A recognizer without false positives has at most one find in a region, and none in the region that must have none.
//!   Where it found nothing (a false negative), the value is searched for between the surroundings that all the others
//!   share: the longest piece of their common left and right surroundings that is found in every such region. Where it
//!   is found several times, the number of the right one, counted from the start or from the end, must be the same as
//!   in the known regions.
//! - A recognizer without false negatives has at least one find in each region, and one of them is right. All the right
//!   ones have similar surroundings, because a wrapper must exist. So each find of the region with the fewest finds is
//!   assumed to be right in turn, and in each other region the finds most similar to it are taken. The required
//!   similarity is the highest that every region can match.
//!
//! Hypotheses are ranked by how many finds with the same surroundings they leave unexplained, then by the amount of
//! similarity. The time is (finds in the region with the fewest, at most 16) × finds × surroundings (at most 200
//! bytes).

use super::recognize::Mistakes;
use crate::induce::{Prefer, common_prefix, common_suffix, lefts};
use memchr::memmem;
use std::cmp::Reverse;
use std::ops::Range;

/// What the recognizer of a field found.
#[derive(Clone, Debug)]
pub struct Column {
    /// The mistakes that it is declared to make.
    pub mistakes: Mistakes,
    /// For each page the positions, in order.
    pub found: Vec<Vec<Range<usize>>>,
}

/// A recognizer makes a mistake that it is declared not to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The number of its field.
    pub column: usize,
    /// The number of the page.
    pub page: usize,
    /// The position where the mistake is, in bytes.
    pub byte: usize,
    /// What was found there.
    pub message: &'static str,
}

/// A part of a page between two anchors.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) page: usize,
    /// The number of anchors before it.
    pub(super) number: usize,
    /// Is it the last of the page?
    last: bool,
    range: Range<usize>,
}

impl Region {
    /// Does it contain a value of a field that comes before (or, if not `before`, after) the anchor?
    pub(super) fn takes(&self, before: bool) -> bool {
        if before { !self.last } else { self.number > 0 }
    }
}

/// A position in each region, or `None` where there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hypothesis {
    /// Does the field come before the anchor?
    pub(super) before: bool,
    pub(super) picks: Vec<Option<Range<usize>>>,
    rank: (usize, Reverse<usize>),
}

/// The distance, in bytes, up to which surroundings are compared.
const FAR: usize = 200;
/// The most finds that are assumed to be right in turn.
const MOST_SEEDS: usize = 16;
/// The most hypotheses for one field.
const MOST: usize = 8;

/// The regions of all pages; a page without an anchor has no regions.
pub(super) fn regions(pages: &[&str], anchors: &[Vec<Range<usize>>]) -> Vec<Region> {
    let mut regions = Vec::new();
    for (page, (text, anchors)) in pages.iter().zip(anchors).enumerate() {
        if anchors.is_empty() {
            continue;
        }
        let mut start = 0;
        for number in 0..=anchors.len() {
            let end = anchors.get(number).map_or(text.len(), |anchor| anchor.start);
            regions.push(Region {
                page,
                number,
                last: number == anchors.len(),
                range: start..end.max(start),
            });
            start = anchors.get(number).map_or(end, |anchor| anchor.end);
        }
    }
    regions
}

/// What is known when hypotheses are made.
pub(super) struct Scene<'a> {
    pub(super) pages: &'a [&'a str],
    pub(super) regions: &'a [Region],
    /// For each page, the positions of values of known fields that are certain, ordered by start, each with its field.
    pub(super) sure: &'a [Vec<(Range<usize>, usize)>],
}

impl<'a> Scene<'a> {
    /// The hypotheses about a field that is not the anchor, the best first.
    pub(super) fn hypotheses(&self, number: usize, column: &Column) -> Result<Vec<Hypothesis>, Contradiction> {
        let finds = self.finds(number, column)?;
        let mut all = Vec::new();
        let mut wrong = None;
        for before in [false, true] {
            let found = match column.mistakes {
                Mistakes::FalsePositives => self.among_many(number, &finds, before),
                _ => self
                    .sure_ones(number, &finds, before)
                    .map(|picks| match column.mistakes {
                        Mistakes::None => vec![Hypothesis {
                            before,
                            rank: (0, Reverse(0)),
                            picks,
                        }],
                        _ => self.filled(number, &picks, before),
                    }),
            };
            match found {
                Ok(found) => all.extend(found),
                Err(contradiction) => wrong = Some(contradiction),
            }
        }
        all.sort_by_key(|hypothesis: &Hypothesis| hypothesis.rank);
        let mut distinct: Vec<Hypothesis> = Vec::new();
        for hypothesis in all {
            let same = |other: &Hypothesis| other.before == hypothesis.before && other.picks == hypothesis.picks;
            if distinct.len() < MOST && !distinct.iter().any(same) {
                distinct.push(hypothesis);
            }
        }
        match wrong {
            Some(contradiction) if distinct.is_empty() => Err(contradiction),
            _ => Ok(distinct),
        }
    }

    /// The finds in each region, without those that cannot be right because others are certain.
    fn finds(&self, number: usize, column: &Column) -> Result<Vec<Vec<Range<usize>>>, Contradiction> {
        let mut finds = vec![Vec::new(); self.regions.len()];
        for (page, found) in column.found.iter().enumerate() {
            for place in found {
                let taken = self.is_taken(number, page, place);
                let behind = |region: &Region| (region.page, region.range.start) <= (page, place.start);
                let region = self.regions.partition_point(behind).checked_sub(1);
                let inside = |at: &usize| self.regions[*at].page == page && place.end <= self.regions[*at].range.end;
                match region.filter(inside) {
                    Some(region) if !taken => finds[region].push(place.clone()),
                    _ if column.mistakes == Mistakes::FalsePositives => {}
                    _ => {
                        return Err(Contradiction {
                            column: number,
                            page,
                            byte: place.start,
                            message: if taken {
                                "a value that overlaps one of another recognizer that is said to find values only"
                            } else {
                                "a value, but none of the recognizer that is said to make no mistakes"
                            },
                        });
                    }
                }
            }
        }
        Ok(finds)
    }

    /// Does a position overlap one that is certainly a value of another field?
    fn is_taken(&self, number: usize, page: usize, place: &Range<usize>) -> bool {
        let sure = &self.sure[page];
        let end = sure.partition_point(|(sure, _)| sure.start < place.end);
        // Values do not overlap, so those that begin long before have ended; a few steps back allow for inexact
        // recognizers.
        let near = sure[..end].iter().rev().take(8);
        near.into_iter()
            .any(|(sure, other)| *other != number && sure.end > place.start)
    }

    /// At most one find in each region.
    fn sure_ones(
        &self,
        number: usize,
        finds: &[Vec<Range<usize>>],
        before: bool,
    ) -> Result<Vec<Option<Range<usize>>>, Contradiction> {
        let mut picks = Vec::with_capacity(finds.len());
        for (region, finds) in self.regions.iter().zip(finds) {
            let most = usize::from(region.takes(before));
            if let Some(find) = finds.get(most) {
                return Err(Contradiction {
                    column: number,
                    page: region.page,
                    byte: find.start,
                    message: "one value more than there can be between two records",
                });
            }
            picks.push(finds.first().cloned());
        }
        Ok(picks)
    }

    /// The picks, with the empty regions filled by the surroundings that the others share.
    fn filled(&self, number: usize, picks: &[Option<Range<usize>>], before: bool) -> Vec<Hypothesis> {
        let known: Vec<(&Region, &Range<usize>)> = self
            .regions
            .iter()
            .zip(picks)
            .filter_map(|(region, pick)| Some((region, pick.as_ref()?)))
            .collect();
        let hole = |region: &Region, pick: &Option<Range<usize>>| region.takes(before) && pick.is_none();
        let holes: Vec<usize> = (0..picks.len())
            .filter(|at| hole(&self.regions[*at], &picks[*at]))
            .collect();
        let Some((first, rest)) = known.split_first() else {
            return Vec::new();
        };
        if holes.is_empty() {
            return vec![Hypothesis {
                before,
                picks: picks.to_vec(),
                rank: (0, Reverse(0)),
            }];
        }
        let (mut left, mut right) = self.around(first.0, first.1);
        for (region, pick) in rest {
            let (more_left, more_right) = self.around(region, pick);
            left = common_suffix(left, more_left);
            right = common_prefix(right, more_right);
        }
        if left.is_empty() || right.is_empty() {
            return Vec::new();
        }
        let mut hypotheses: Vec<Hypothesis> = Vec::new();
        for (left, right) in pairs(left, right) {
            for from_end in [before, !before] {
                // The number of the right position among those with the same surroundings, which is the same in all
                // known regions.
                let number_of = |(region, pick): &(&Region, &Range<usize>)| {
                    let all = self.between(number, region, left, right);
                    let at = all.iter().position(|place| place == *pick)?;
                    Some(if from_end { all.len() - 1 - at } else { at })
                };
                let Some(at) = number_of(first) else { continue };
                if !rest.iter().all(|known| number_of(known) == Some(at)) {
                    continue;
                }
                let mut picks = picks.to_vec();
                let all_filled = holes.iter().all(|hole| {
                    let mut all = self.between(number, &self.regions[*hole], left, right);
                    if from_end {
                        all.reverse();
                    }
                    picks[*hole] = all.get(at).cloned();
                    picks[*hole].is_some()
                });
                if all_filled {
                    hypotheses.push(Hypothesis {
                        before,
                        picks,
                        rank: (0, Reverse(left.len() + right.len())),
                    });
                }
            }
        }
        hypotheses
    }

    /// The text before and after a position, in its region, as far as it is compared.
    fn around(&self, region: &Region, place: &Range<usize>) -> (&'a str, &'a str) {
        let text = self.pages[region.page];
        let mut start = region.range.start.max(place.start.saturating_sub(FAR));
        let mut end = region.range.end.min(place.end + FAR);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        (&text[start..place.start], &text[place.end..end])
    }

    /// The positions in a region between two strings, except those that are certainly something else.
    fn between(&self, number: usize, region: &Region, left: &str, right: &str) -> Vec<Range<usize>> {
        let text = &self.pages[region.page].as_bytes()[region.range.clone()];
        let mut places: Vec<Range<usize>> = Vec::new();
        for at in memmem::find_iter(text, left) {
            let begin = at + left.len();
            let Some(len) = memmem::find(&text[begin..], right.as_bytes()) else {
                break;
            };
            let place = region.range.start + begin..region.range.start + begin + len;
            if !self.is_taken(number, region.page, &place) {
                places.push(place);
            }
        }
        places
    }

    /// Hypotheses that choose one of several finds in each region.
    fn among_many(
        &self,
        number: usize,
        finds: &[Vec<Range<usize>>],
        before: bool,
    ) -> Result<Vec<Hypothesis>, Contradiction> {
        let wanted: Vec<usize> = (0..finds.len()).filter(|at| self.regions[*at].takes(before)).collect();
        if let Some(empty) = wanted.iter().find(|at| finds[**at].is_empty()) {
            return Err(Contradiction {
                column: number,
                page: self.regions[*empty].page,
                byte: self.regions[*empty].range.start,
                message: "no value up to the next record, though it is said to find them all",
            });
        }
        let Some(poorest) = wanted.iter().min_by_key(|at| finds[**at].len()).copied() else {
            return Ok(Vec::new());
        };
        let around: Vec<Vec<(&str, &str)>> = finds
            .iter()
            .zip(self.regions)
            .map(|(finds, region)| finds.iter().map(|find| self.around(region, find)).collect())
            .collect();
        let mut hypotheses = Vec::new();
        for seed in around[poorest].iter().take(MOST_SEEDS) {
            let alike =
                |(left, right): &(&str, &str)| (common_suffix(seed.0, left).len(), common_prefix(seed.1, right).len());
            let likeness: Vec<Vec<(usize, usize)>> =
                around.iter().map(|finds| finds.iter().map(alike).collect()).collect();
            let Some((left, right)) = shared(&likeness, &wanted) else {
                continue;
            };
            let suits = |(a, b): &(usize, usize)| *a >= left && *b >= right;
            let twins = likeness.iter().flatten().filter(|like| suits(like)).count() - wanted.len();
            // Where several finds in a region fit, a wrapper finds the first; counted from the anchor it may be the
            // last.
            for last in [before, !before] {
                let picks = (0..finds.len()).map(|at| {
                    if !self.regions[at].takes(before) {
                        return None;
                    }
                    let mut suiting = (0..finds[at].len()).filter(|find| suits(&likeness[at][*find]));
                    let pick = if last { suiting.next_back() } else { suiting.next() };
                    pick.map(|pick| finds[at][pick].clone())
                });
                hypotheses.push(Hypothesis {
                    before,
                    picks: picks.collect(),
                    rank: (twins, Reverse(left.min(FAR / 4) + right.min(FAR / 4))),
                });
            }
        }
        Ok(hypotheses)
    }
}

/// How much of the left and right surroundings of a seed every wanted region can match, at best.
fn shared(likeness: &[Vec<(usize, usize)>], wanted: &[usize]) -> Option<(usize, usize)> {
    let mut lengths: Vec<usize> = wanted
        .iter()
        .flat_map(|at| likeness[*at].iter().map(|(left, _)| *left))
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    let right = |least: usize| {
        let best = |at: &usize| {
            likeness[*at]
                .iter()
                .filter(|(left, _)| *left >= least)
                .map(|(_, right)| *right)
                .max()
        };
        wanted.iter().map(|at| best(at).unwrap_or(0)).min().unwrap_or(0)
    };
    let pairs = lengths.into_iter().map(|left| (left, right(left)));
    pairs
        .filter(|(left, right)| *left > 0 && *right > 0)
        .max_by_key(|(left, right)| left.min(&(FAR / 4)) + right.min(&(FAR / 4)))
}

/// Pieces of the common surroundings to search between, the longest first.
fn pairs<'t>(left: &'t str, right: &'t str) -> Vec<(&'t str, &'t str)> {
    let mut rights: Vec<&str> = vec![right];
    let cuts = right.char_indices().map(|(at, c)| at + c.len_utf8());
    let whole = cuts.filter(|end| right[..*end].ends_with(['>', '\n', '"', '\'']) || right[*end..].starts_with('<'));
    rights.extend(whole.map(|end| &right[..end]).rev().take(6));
    rights.extend(right.char_indices().nth(1).map(|(at, _)| &right[..at]));
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for left in lefts(left, Prefer::Tags).into_iter().chain([left]) {
        pairs.extend(rights.iter().map(|right| (left, *right)));
    }
    pairs.sort_by_key(|(left, right)| Reverse(left.len() + right.len()));
    pairs.dedup();
    pairs
}

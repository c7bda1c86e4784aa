//! Head and tail: HLRT and N-HLRT.
//!
//! The right delimiters and, in a table, the left ones from the second on are as in LR. Besides them a wrapper needs
//! `h`, `t` and left delimiters that meet these conditions, where `H` is the beginning of a page up to its first value:
//!
//! 1. `h` is found in every H; from there on `l1` is first found at the end of H, and `t` does not begin before it or
//!    with it;
//! 2. between values the correct left delimiter comes first, and `t` does not begin before it or with it;
//! 3. at the end of every page `t` is found, and begins before any left delimiter that is searched for, or with it.
//!
//! Given `h` and `t`, this is a [`System`] of lengths. It remains to find `h` and `t`.
//!
//! **`t`.** Strings that begin at the same positions in the ends of the pages are equivalent there, and the longest of
//! them is found in the fewest other positions. So there is one candidate for each class of [`classes`](super::classes)
//! by beginnings.
//!
//! **`h`.** Let L be the longest common suffix of all texts that lead to the first field, and let `t` be given. If `h`
//! begins no later than L in every H, then it does not limit the length of `l1`. The greatest solution n of the system
//! is then the best length, because a longer `l1` is found too early in fewer positions and begins before more tails.
//! So `h` is valid if in every H it begins after the last `l1` that comes too early and after the last `t` before the
//! last `l1`. Only its first positions matter, so the candidates are one string for each class by beginnings, and the
//! empty string. Otherwise `h` begins inside the last L of some page, at offset d. Then it is a piece of L, and the
//! whole rest `L[d..]` may replace it: the rest is found no earlier in any H, and still before `l1`, which is no
//! longer. So besides the classes only the suffixes of L need to be tried as heads, each with the greatest solution
//! that it leaves room for.
//!
//! Before all that, pieces that begin and end at tags or lines are tried. They are what a person would choose, and
//! usually one of them works, so that no automaton is built.

use super::classes::{By, common};
use super::edges::Blame;
use super::gaps::Gaps;
use super::prefer::{self, Prefer};
use super::system::System;
use memchr::memmem::{self, Finder};
use std::collections::BTreeMap;
use wrapper::rule::Class;

/// The result of a search for head and tail.
pub(crate) struct Frame<'a> {
    pub(crate) head: &'a str,
    pub(crate) tail: &'a str,
    /// The longest left delimiters that go with them: all of them in a tree, the first in a table.
    pub(crate) left: Vec<&'a str>,
}

/// Why there is no frame.
pub(crate) enum NoFrame {
    /// This field has no left delimiter, whatever head and tail are.
    Left(usize, Blame),
    /// No `t` occurs in all ends of pages, before any `l`, without stopping the run too early elsewhere.
    Tail,
    /// No `h` occurs in the beginnings of all pages after the part that must be skipped.
    Head,
    /// There is too much to search.
    TooMuch,
}

/// The limit of the search, roughly in nanoseconds.
const MOST_STEPS: usize = 60_000_000;

struct Search<'g, 'a> {
    system: System<'g, 'a>,
    /// The beginnings of pages, each with the whole page.
    heads: Vec<(&'a str, &'a str)>,
    tails: Vec<&'a str>,
    steps: usize,
}

/// A tail with the lengths of the left delimiters that go with it.
struct Tail<'a> {
    text: &'a str,
    lengths: Vec<usize>,
    /// For each H, the byte after which a head must begin.
    behind: Vec<Option<usize>>,
}

/// A head, with the position where it begins in each H.
struct Head<'a> {
    text: &'a str,
    first: Vec<usize>,
}

/// Finds head, tail and the longest left delimiters that go with them.
pub(crate) fn frame<'a>(gaps: &Gaps<'a>, class: Class, prefer: Prefer) -> Result<Frame<'a>, NoFrame> {
    let system = System::new(gaps, class).map_err(|(field, blame)| NoFrame::Left(field, blame))?;
    let cap = system.longest[0].len();
    if let Err(place) = system.solve(None, cap) {
        let (field, gap) = place.unwrap_or((0, 0));
        return Err(NoFrame::Left(field, Blame::Elsewhere(gap)));
    }
    let mut search = Search {
        system,
        heads: gaps
            .gaps
            .iter()
            .filter(|gap| gap.is_head())
            .map(|gap| (gap.text, gap.onward))
            .collect(),
        tails: gaps
            .gaps
            .iter()
            .filter(|gap| gap.is_tail())
            .map(|gap| gap.text)
            .collect(),
        steps: 0,
    };
    match search.quick(prefer) {
        Some(found) => Ok(found),
        None => search.whole(),
    }
}

impl<'a> Search<'_, 'a> {
    /// The position where a string first begins in each end of a page, if it occurs in all of them.
    fn places(&mut self, text: &str) -> Option<Vec<usize>> {
        let finder = Finder::new(text);
        self.steps += 64;
        self.tails.iter().map(|tail| finder.find(tail.as_bytes())).collect()
    }

    /// The lengths that go with a tail that begins at these positions.
    fn tail(&mut self, text: &'a str, places: &[usize]) -> Option<Tail<'a>> {
        let near: usize = places.iter().map(|place| place + self.system.longest[0].len()).sum();
        self.steps += self.system.gaps.gaps.len() * 60 + near * self.system.longest.len();
        let demand = self.system.tail_demand(text, places)?;
        let cap = self.system.longest[0].len();
        let lengths = self.system.solve(Some(&demand), cap).ok()?;
        let behind = self.behind(text, lengths[0]);
        Some(Tail { text, lengths, behind })
    }

    /// For each H, what a head must come after: the last `l1` that is too early, and the last `t` before the last `l1`.
    fn behind(&mut self, tail: &str, len: usize) -> Vec<Option<usize>> {
        let first = self.system.text(0, len);
        let places = self.heads.iter().map(|(head, onward)| {
            self.steps += head.len() / 4;
            let early = memmem::rfind(&head.as_bytes()[..head.len().saturating_sub(1)], first.as_bytes());
            let reach = (head.len() - len + tail.len()).min(onward.len());
            early.max(memmem::rfind(&onward.as_bytes()[..reach], tail.as_bytes()))
        });
        places.collect()
    }

    fn head(&mut self, text: &'a str) -> Option<Head<'a>> {
        let finder = Finder::new(text);
        self.steps += self.heads.iter().map(|(head, _)| 30 + head.len() / 16).sum::<usize>();
        let first = self
            .heads
            .iter()
            .map(|(head, _)| finder.find(head.as_bytes()))
            .collect::<Option<Vec<_>>>()?;
        Some(Head { text, first })
    }

    /// Does the head come after what it must, and leave room for `l1`?
    fn suits(&self, head: &Head<'_>, behind: &[Option<usize>], len: usize) -> bool {
        self.heads
            .iter()
            .zip(&head.first)
            .zip(behind)
            .all(|(((text, _), at), behind)| at + len <= text.len() && behind.is_none_or(|behind| *at > behind))
    }

    fn found(&self, head: &'a str, tail: &'a str, lengths: &[usize]) -> Frame<'a> {
        let left = lengths
            .iter()
            .enumerate()
            .map(|(field, len)| self.system.text(field, *len))
            .collect();
        Frame { head, tail, left }
    }

    /// Tries what a person would try.
    fn quick(&mut self, prefer: Prefer) -> Option<Frame<'a>> {
        const MOST: usize = 300;
        const ENOUGH: usize = 4;
        let shortest = self.tails.iter().min_by_key(|text| text.len())?;
        let mut tails = Vec::new();
        for piece in prefer::pieces(shortest).into_iter().take(MOST) {
            let Some(places) = self.places(piece) else { continue };
            tails.extend(self.tail(piece, &places));
            if tails.len() >= ENOUGH {
                break;
            }
        }
        tails.sort_by_key(|tail| (tail.behind.iter().any(Option::is_some), piece_rank(tail.text, prefer)));
        if tails.is_empty() {
            return None;
        }
        let shortest = self.heads.iter().map(|(head, _)| *head).min_by_key(|text| text.len())?;
        let mut pieces = prefer::pieces(shortest);
        pieces.reverse();
        pieces.truncate(MOST);
        let mut heads: Vec<Head<'a>> = pieces
            .into_iter()
            .chain([""])
            .filter_map(|piece| self.head(piece))
            .collect();
        heads.sort_by_key(|head| piece_rank(head.text, prefer));
        for tail in &tails {
            if let Some(head) = heads
                .iter()
                .find(|head| self.suits(head, &tail.behind, tail.lengths[0]))
            {
                return Some(self.found(head.text, tail.text, &tail.lengths));
            }
        }
        None
    }

    /// Tries all classes of strings.
    fn whole(&mut self) -> Result<Frame<'a>, NoFrame> {
        let mut heads = vec![Head {
            text: "",
            first: vec![0; self.heads.len()],
        }];
        let texts: Vec<&'a str> = self.heads.iter().map(|(head, _)| *head).collect();
        for class in common(&texts, By::Start).ok_or(NoFrame::TooMuch)? {
            let first = class.first.iter().map(|at| *at as usize).collect();
            heads.push(Head {
                text: class.longest,
                first,
            });
        }
        let tails = common(&self.tails, By::Start).ok_or(NoFrame::TooMuch)?;
        let mut some_tail = false;
        // The demands on heads depend on little, so remember those that no head meets.
        let mut in_vain = BTreeMap::new();
        for class in tails {
            let places: Vec<usize> = class.first.iter().map(|at| *at as usize).collect();
            let Some(tail) = self.tail(class.longest, &places) else {
                continue;
            };
            some_tail = true;
            if in_vain.insert((tail.behind.clone(), tail.lengths[0]), ()).is_none() {
                self.steps += heads.len();
                if let Some(head) = heads
                    .iter()
                    .find(|head| self.suits(head, &tail.behind, tail.lengths[0]))
                {
                    return Ok(self.found(head.text, tail.text, &tail.lengths));
                }
            }
            if let Some(found) = self.late(&tail, &places) {
                return Ok(found);
            }
            if self.steps > MOST_STEPS {
                return Err(NoFrame::TooMuch);
            }
        }
        Err(if some_tail { NoFrame::Head } else { NoFrame::Tail })
    }

    /// Tries the suffixes of L as heads.
    fn late(&mut self, tail: &Tail<'a>, places: &[usize]) -> Option<Frame<'a>> {
        let longest = self.system.longest[0];
        let demand = self.system.tail_demand(tail.text, places)?;
        for start in (1..longest.len()).filter(|at| longest.is_char_boundary(*at)) {
            if self.steps > MOST_STEPS {
                return None;
            }
            let head = self.head(&longest[start..])?;
            let room = self
                .heads
                .iter()
                .zip(&head.first)
                .map(|((text, _), at)| text.len() - at)
                .min()?;
            let Ok(lengths) = self.system.solve(Some(&demand), room) else {
                continue;
            };
            let behind = self.behind(tail.text, lengths[0]);
            if self.suits(&head, &behind, lengths[0]) {
                return Some(self.found(head.text, tail.text, &lengths));
            }
        }
        None
    }
}

/// One whole tag is better than several tags, and tags are better than text.
pub(crate) fn piece_rank(text: &str, prefer: Prefer) -> usize {
    let tags = text.matches('<').count();
    let whole = text.starts_with('<') && text.trim_end().ends_with('>');
    match prefer {
        Prefer::Long => usize::MAX - text.len(),
        Prefer::Short => text.len(),
        Prefer::Tags if whole => tags,
        Prefer::Tags => 10 + tags,
    }
}

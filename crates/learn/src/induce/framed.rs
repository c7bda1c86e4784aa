//! Head and tail: HLRT and N-HLRT.
//!
//! Beyond its right delimiters and its left ones from the second on, which are as in LR and N-LR (but need not fear the ends
//! of the pages), a wrapper needs `h`, `t` and `l1` such that, with `H` the beginning of a page up to its first value:
//!
//! 1. `h` is found in every H; from there on `l1` is first found at its end, and `t` does not end before that;
//! 2. `l1` is first found at the end of the text between tuples, and `t` does not end there before it;
//! 3. at the end of every page `t` is found and ends before any left delimiter that is looked for.
//!
//! **`l1`.** Let L be the longest common suffix of all texts that lead to the first attribute. For a fixed `h` and `t`, a
//! longer `l1` is found in fewer places and therefore does no worse, as long as it fits behind the beginning of `h`. So if
//! `h` begins no later than L in every H, `l1 = L` decides. Otherwise `h` begins inside the last L of some page, at offset d,
//! is itself a piece of L, and `l1` is at most `L[d..]`. Then `h = l1 = L[d..]` will do as well: it is found no earlier than `h`
//! was. Because `l1` is then found once in every H, so is L, and `h = l1 = L` would do too, unless `t` is found in L before
//! offset d. If there is text between tuples, it ends in L and forbids that. So only where every page has one tuple must `d`
//! be looked for, and the least d that leaves `t` behind is best.
//!
//! **`t`.** Strings that end at the same places in the tails do alike there, and of these the longest is found in the
//! fewest other places: one candidate for each class of [`classes`](super::classes) of the tails.
//!
//! **`h`.** Given L, a head is good if in every H it begins behind the last too early L and behind the last `t`: only its
//! first places count, so one candidate for each class by beginnings. Pairs of `t` and `h` are compared by those numbers alone.
//!
//! Before all that, pieces that begin and end at tags or lines are tried: they are what a person would choose, and mostly one
//! of them will do, so that no automaton is built.

use super::classes::{By, common};
use super::edges::{self, Blame, Scope};
use super::gaps::{Gaps, rivals};
use super::prefer::{self, Prefer};
use memchr::memmem::{self, Finder, FinderRev};
use wrapper::rule::Class;

/// What a search for head and tail finds.
pub(crate) struct Frame<'a> {
    pub(crate) head: &'a str,
    pub(crate) tail: &'a str,
    /// The longest `l1` that goes with them.
    pub(crate) first: &'a str,
}

/// Why there is no frame.
pub(crate) enum NoFrame {
    /// There is no `l1` whatever head and tail are.
    First(Blame),
    /// No `t` is in all ends of pages, before any `l`, and not where it would stop too early.
    Tail,
    /// No `h` is in all beginnings of pages behind what must be skipped.
    Head,
    /// Too much to look at.
    TooMuch,
}

/// Pairs that are compared at most.
const MOST_PAIRS: usize = 20_000_000;
/// Bytes that are searched at most.
const MOST_SEARCHED: usize = 200 << 20;

/// A tail, with the last place in each head where it would stop too early.
struct Tail<'a> {
    text: &'a str,
    last: Vec<Option<usize>>,
}

/// A head, with the place where it begins in each H.
struct Head<'a> {
    text: &'a str,
    first: Vec<usize>,
}

struct Search<'g, 'a> {
    class: Class,
    gaps: &'g Gaps<'a>,
    heads: Vec<&'a str>,
    tails: Vec<&'a str>,
    watched: Vec<&'a str>,
    /// The longest left delimiters from the second on.
    rest: &'g [&'a str],
    searched: usize,
}

/// Finds head, tail and the longest `l1`; `rest` are the longest left delimiters of the other attributes.
pub(crate) fn frame<'a>(gaps: &Gaps<'a>, class: Class, rest: &[&'a str], prefer: Prefer) -> Result<Frame<'a>, NoFrame> {
    let inner = Scope { heads: false, tails: false };
    let longest = edges::left_longest(gaps, 0).map_err(NoFrame::First)?;
    if let Some(number) = edges::left_fails(gaps, class, 0, inner, longest) {
        return Err(NoFrame::First(Blame::Elsewhere(number)));
    }
    let mut search = Search {
        class,
        gaps,
        heads: gaps.gaps.iter().filter(|gap| gap.is_head()).map(|gap| gap.text).collect(),
        tails: gaps.gaps.iter().filter(|gap| gap.is_tail()).map(|gap| gap.text).collect(),
        watched: edges::watched(gaps, class).map(|gap| gap.text).collect(),
        rest,
        searched: 0,
    };
    // The longest texts that must not be in front of a tail show most bad tails at once.
    search.watched.sort_by_key(|text| std::cmp::Reverse(text.len()));
    search.watched.dedup();
    let early = search.last_early(longest);
    let quick = search.quick(longest, &early, prefer);
    if let Some(found) = quick {
        return Ok(found);
    }
    search.whole(longest, &early)
}

impl<'a> Search<'_, 'a> {
    /// For each H the last place where a string ends before the end of H: what a head must leave behind.
    fn last_early(&self, text: &str) -> Vec<Option<usize>> {
        let finder = FinderRev::new(text);
        let place = |head: &&str| finder.rfind(&head.as_bytes()[..head.len().saturating_sub(1)]);
        self.heads.iter().map(place).collect()
    }

    /// For each tail, the end of the first left delimiter that is looked for there.
    fn bounds(&self, first: &str) -> Vec<usize> {
        let tails = self.gaps.gaps.iter().filter(|gap| gap.is_tail());
        tails
            .map(|gap| {
                let fields = rivals(self.class, gap.state, self.gaps.fields);
                let ends = fields.filter_map(|field| {
                    let text = if field == 0 { first } else { self.rest[field - 1] };
                    memmem::find(gap.text.as_bytes(), text.as_bytes()).map(|at| at + text.len())
                });
                ends.min().unwrap_or(usize::MAX)
            })
            .collect()
    }

    /// Is this a tail: found first of all at the end of each page, and nowhere where it would stop too early?
    fn tail(&mut self, text: &'a str, bounds: &[usize]) -> Option<Tail<'a>> {
        let finder = Finder::new(text);
        for (tail, bound) in self.tails.iter().zip(bounds) {
            self.searched += 64;
            let end = finder.find(tail.as_bytes())? + text.len();
            if end >= *bound {
                return None;
            }
        }
        for gap in &self.watched {
            self.searched += 64 + gap.len();
            if finder.find(&gap.as_bytes()[..gap.len().saturating_sub(1)]).is_some() {
                return None;
            }
        }
        self.searched += self.heads.iter().map(|head| head.len()).sum::<usize>();
        Some(Tail { text, last: self.last_early(text) })
    }

    fn head(&mut self, text: &'a str) -> Option<Head<'a>> {
        let finder = Finder::new(text);
        let places = self.heads.iter().map(|head| {
            self.searched += 64;
            finder.find(head.as_bytes())
        });
        let first = places.collect::<Option<Vec<_>>>()?;
        Some(Head { text, first })
    }

    /// Does the head leave behind what it must, and room for `l1`?
    fn suits(&self, head: &Head<'_>, first: &str, early: &[Option<usize>], tail: &[Option<usize>]) -> bool {
        let heads = self.heads.iter().zip(&head.first);
        heads.zip(early.iter().zip(tail)).all(|((text, at), (early, tail))| {
            at + first.len() <= text.len()
                && early.is_none_or(|early| *at > early)
                && tail.is_none_or(|tail| *at > tail)
        })
    }

    /// Tries what a person would.
    fn quick(&mut self, longest: &'a str, early: &[Option<usize>], prefer: Prefer) -> Option<Frame<'a>> {
        const MOST: usize = 300;
        let bounds = self.bounds(longest);
        let shortest = self.tails.iter().min_by_key(|text| text.len())?;
        let mut tails = Vec::new();
        for piece in prefer::pieces(shortest).into_iter().take(MOST) {
            if let Some(tail) = self.tail(piece, &bounds) {
                let harmless = tail.last.iter().all(Option::is_none);
                tails.push(tail);
                if harmless && tails.len() >= 4 {
                    break;
                }
            }
        }
        tails.sort_by_key(|tail| (tail.last.iter().any(Option::is_some), tail_rank(tail.text, prefer)));
        let nothing = vec![None; self.heads.len()];
        let shortest = self.heads.iter().min_by_key(|text| text.len())?;
        let mut pieces = prefer::pieces(shortest);
        pieces.reverse();
        pieces.truncate(MOST);
        let mut heads = Vec::new();
        for piece in pieces.into_iter().chain([""]) {
            if let Some(head) = self.head(piece).filter(|head| self.suits(head, longest, early, &nothing)) {
                heads.push(head);
            }
        }
        heads.sort_by_key(|head| head_rank(head.text, prefer));
        for tail in &tails {
            if let Some(head) = heads.iter().find(|head| self.suits(head, longest, early, &tail.last)) {
                return Some(Frame { head: head.text, tail: tail.text, first: longest });
            }
        }
        None
    }

    /// Tries all classes of strings.
    fn whole(&mut self, longest: &'a str, early: &[Option<usize>]) -> Result<Frame<'a>, NoFrame> {
        let alone = !self.gaps.gaps.iter().any(|gap| gap.is_separator());
        let bounds = self.bounds(longest);
        // With one tuple a page a shorter l1 may be wanted, which bounds the tails no less.
        let classes = common(&self.tails, By::End).ok_or(NoFrame::TooMuch)?;
        let mut tails = Vec::new();
        for class in &classes {
            if let Some(tail) = self.tail(class.longest, &bounds) {
                tails.push(tail);
            }
            if self.searched > MOST_SEARCHED {
                return Err(NoFrame::TooMuch);
            }
        }
        if tails.is_empty() {
            return Err(NoFrame::Tail);
        }
        let nothing = vec![None; self.heads.len()];
        let mut heads = Vec::new();
        let empty = Head { text: "", first: vec![0; self.heads.len()] };
        if self.suits(&empty, longest, early, &nothing) {
            heads.push(empty);
        }
        for class in common(&self.heads, By::Start).ok_or(NoFrame::TooMuch)? {
            let first = class.first.iter().map(|at| *at as usize).collect();
            let head = Head { text: class.longest, first };
            if self.suits(&head, longest, early, &nothing) {
                heads.push(head);
            }
        }
        let mut pairs = 0;
        for tail in &tails {
            for head in &heads {
                if self.suits(head, longest, early, &tail.last) {
                    return Ok(Frame { head: head.text, tail: tail.text, first: longest });
                }
            }
            pairs += heads.len();
            if pairs > MOST_PAIRS {
                return Err(NoFrame::TooMuch);
            }
            if alone && let Some(found) = self.late(longest, tail.text) {
                return Ok(found);
            }
        }
        Err(NoFrame::Head)
    }

    /// With one tuple a page: head and `l1` the same piece of L, beginning behind the last `t` in it.
    fn late(&self, longest: &'a str, tail: &'a str) -> Option<Frame<'a>> {
        let mut start = memmem::rfind(&longest.as_bytes()[..longest.len().saturating_sub(1)], tail.as_bytes())? + 1;
        while !longest.is_char_boundary(start) {
            start += 1;
        }
        let first = &longest[start..];
        let inner = Scope { heads: true, tails: false };
        let good = !first.is_empty()
            && edges::left_fails(self.gaps, self.class, 0, inner, first).is_none()
            && self.tails.iter().zip(self.bounds(first)).all(|(text, bound)| {
                memmem::find(text.as_bytes(), tail.as_bytes()).is_some_and(|at| at + tail.len() < bound)
            });
        good.then_some(Frame { head: first, tail, first })
    }
}

/// Early tails of one whole tag are the best guess at what ends a list everywhere.
fn tail_rank(text: &str, prefer: Prefer) -> (u32, usize) {
    match prefer {
        Prefer::Long => (0, usize::MAX - text.len()),
        Prefer::Short => (0, text.len()),
        Prefer::Tags => (piece_rank(text), 0),
    }
}

fn head_rank(text: &str, prefer: Prefer) -> (u32, usize) {
    match prefer {
        Prefer::Long => (0, usize::MAX - text.len()),
        Prefer::Short => (0, text.len()),
        Prefer::Tags => (piece_rank(text), 0),
    }
}

/// One whole tag is better than several, and tags better than text.
pub(crate) fn piece_rank(text: &str) -> u32 {
    let tags = text.matches('<').count() as u32;
    let whole = text.starts_with('<') && text.trim_end().ends_with('>');
    match (whole, tags) {
        (true, tags) => tags,
        (false, tags) => 10 + tags,
    }
}

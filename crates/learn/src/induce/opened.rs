//! Open and close: OCLR and HOCLRT.
//!
//! The right delimiters and the left ones from the second on are as in LR. What remains is to find `o`, `c`, `l1`, and in
//! HOCLRT `h` and `t`, such that
//!
//! 1. in the beginning H of every page, from `h` on, `o` is found, and from there on `l1` is first found at the end of H;
//! 2. in every text S between tuples `c` is found, from there on `o`, and from there on `l1` is first found at the end of S;
//! 3. at the end T of every page `c` is found, and from there on no `o`, or `t` begins before it or with it;
//! 4. `t` is found in every T, and where `o` is looked for in 1 and 2 it does not begin before `o` or with it.
//!
//! **OCLR.** Let L be the longest common suffix of all H and S. If `o` and `c` begin no later than the last L in every H and S,
//! then `l1 = L` does no worse than a shorter one. If `o` begins inside the last L somewhere, then it is a piece of L, and so is
//! found inside every L; where L is found before the end of an H or S, behind `c`, so was `o` and behind it `l1`, too early.
//! Hence L is found there once, and nowhere behind `c` in a T, and `o = l1 = L` will do. If `c` begins inside the last L, the
//! same argument shows that L is found once in every H and S and in no T, and `c = ""`, `o = l1 = L` will do. So `l1 = L`
//! always. Strings that begin at the same places in all H and S do alike there, and of these the longest is found least in the
//! tails: one candidate `o` for each class of H and S by beginnings. For `c` only its first place in each S and T counts:
//! one candidate for each class, and the empty string. Pairs are tried by searching, heads first.
//!
//! **HOCLRT.** It has what HLRT has (`o = l1`, `c = ""`) and more. If no `o` stays behind in the tails, any tail that does no
//! harm will do: that is tried next. What is left is searched whole, by classes of beginnings throughout, since only beginnings
//! are compared: for each `o`, `l1` is L, or the rest of L from where `o` begins in it (an `o` inside the last L cannot be
//! replaced by a longer one here, for a `t` may begin between the two); for each `c` the ends of pages are cut to what lies between `c` and the
//! first `o`, and `t` is a longest string of its class common to all these; the head then depends on `o`, `t` and
//! `l1` only. This can be long, so it has a budget of steps; a search that spends it says "undecided" and not "no".

use super::classes::{By, common};
use super::edges::{self, Blame, is_proper_suffix};
use super::framed::piece_rank;
use super::gaps::{Gap, Gaps};
use super::prefer::{self, Prefer};
use memchr::memmem;
use std::collections::BTreeSet;

/// What a search for open and close finds.
pub(crate) struct Opening<'a> {
    pub(crate) open: &'a str,
    pub(crate) close: &'a str,
    /// The longest `l1` that goes with them.
    pub(crate) first: &'a str,
    /// `h` and `t`, in HOCLRT.
    pub(crate) frame: Option<(&'a str, &'a str)>,
}

impl<'a> From<super::framed::Frame<'a>> for Opening<'a> {
    /// An HLRT wrapper as an HOCLRT wrapper.
    fn from(frame: super::framed::Frame<'a>) -> Opening<'a> {
        let first = frame.left[0];
        Opening { open: first, close: "", first, frame: Some((frame.head, frame.tail)) }
    }
}

/// Why there is no opening.
pub(crate) enum NoOpening {
    /// There is no `l1` whatever the others are.
    First(Blame),
    /// No combination will do.
    Nothing,
    /// Too much to look at.
    TooMuch,
}

/// Steps of a search; a step is about a comparison of a few dozen bytes.
const BUDGET: usize = 1_500_000;

struct Texts<'a> {
    heads: Vec<Lead<'a>>,
    separators: Vec<Lead<'a>>,
    tails: Vec<&'a str>,
    first: &'a str,
}

/// A text that leads to a tuple, and the page from there on.
#[derive(Clone, Copy)]
struct Lead<'a> {
    text: &'a str,
    onward: &'a str,
}

impl<'a> Texts<'a> {
    fn new(gaps: &Gaps<'a>) -> Result<Texts<'a>, NoOpening> {
        let leads = |wanted: fn(&Gap<'_>) -> bool| {
            let gaps = gaps.gaps.iter().filter(|gap| wanted(gap));
            let mut leads: Vec<_> = gaps.map(|gap| Lead { text: gap.text, onward: gap.onward }).collect();
            leads.sort_by_key(|lead| (lead.text.len(), lead.text));
            leads
        };
        Ok(Texts {
            heads: leads(|gap| gap.is_head()),
            separators: leads(|gap| gap.is_separator()),
            tails: distinct(gaps.gaps.iter().filter(|gap| gap.is_tail()).map(|gap| gap.text)),
            first: edges::left_longest(gaps, 0).map_err(NoOpening::First)?,
        })
    }

    /// The texts that lead to a tuple, each once.
    fn before(&self) -> Vec<&'a str> {
        distinct(self.separators.iter().chain(&self.heads).map(|lead| lead.text))
    }

    /// The texts behind a tuple, each once.
    fn behind(&self) -> Vec<&'a str> {
        distinct(self.separators.iter().map(|lead| lead.text).chain(self.tails.iter().copied()))
    }
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut texts: Vec<&'a str> = texts.collect();
    texts.sort_by_key(|text| (text.len(), *text));
    texts.dedup();
    texts
}

fn find(text: &str, part: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), part.as_bytes())
}

/// Is `o` found here, and behind its beginning `l1` first at the end?
fn opens(text: &str, open: &str, first: &str) -> bool {
    find(text, open).is_some_and(|at| is_proper_suffix(&text[at..], first))
}

/// Rules 2 and 3 without a tail delimiter.
fn closes(texts: &Texts<'_>, open: &str, close: &str, steps: &mut usize) -> bool {
    let behind = |text: &str| find(text, close).is_some_and(|at| opens(&text[at..], open, texts.first));
    let ends = |text: &str| find(text, close).is_some_and(|at| find(&text[at..], open).is_none());
    let mut count = |good: bool| {
        *steps += 1;
        good
    };
    texts.separators.iter().all(|lead| count(behind(lead.text))) && texts.tails.iter().all(|text| count(ends(text)))
}

/// An `o` and a `c` for OCLR.
pub(crate) fn opening<'a>(gaps: &Gaps<'a>) -> Result<Opening<'a>, NoOpening> {
    let texts = Texts::new(gaps)?;
    let mut steps = 0;
    let found = |open, close| Opening { open, close, first: texts.first, frame: None };
    let leads = |open: &str| texts.heads.iter().all(|lead| opens(lead.text, open, texts.first));
    // What a person would try, and the reduction of LR.
    let closes_tried = close_pieces(&texts);
    for open in open_pieces(&texts).into_iter().filter(|open| leads(open)) {
        if let Some(close) = closes_tried.iter().find(|close| closes(&texts, open, close, &mut steps)) {
            return Ok(found(open, *close));
        }
    }
    let opens_all = common(&texts.before(), By::Start).ok_or(NoOpening::TooMuch)?;
    let closes_all = common(&texts.behind(), By::Start).ok_or(NoOpening::TooMuch)?;
    for open in opens_all.iter().map(|class| class.longest).filter(|open| leads(open)) {
        for close in closes_all.iter().map(|class| class.longest).chain([""]) {
            if closes(&texts, open, close, &mut steps) {
                return Ok(found(open, close));
            }
            if steps > BUDGET {
                return Err(NoOpening::TooMuch);
            }
        }
    }
    Err(NoOpening::Nothing)
}

fn open_pieces<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    let mut pieces = prefer::pieces(texts.before().first().copied().unwrap_or_default());
    pieces.truncate(60);
    pieces.sort_by_key(|piece| piece_rank(piece, Prefer::Tags));
    // `o = l1` is the way out that always exists where an LR wrapper does.
    pieces.push(texts.first);
    pieces
}

fn close_pieces<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    let behind = texts.behind();
    let mut pieces = prefer::pieces(behind.first().copied().unwrap_or_default());
    pieces.truncate(30);
    pieces.sort_by_key(|piece| piece_rank(piece, Prefer::Tags));
    pieces.push("");
    pieces.retain(|piece| behind.iter().all(|text| find(text, piece).is_some()));
    pieces
}

/// A head, tail, `o` and `c` for HOCLRT; `hlrt` is what HLRT found.
pub(crate) fn framed_opening<'a>(gaps: &Gaps<'a>, hlrt: Option<Opening<'a>>) -> Result<Opening<'a>, NoOpening> {
    if let Some(found) = hlrt {
        return Ok(found);
    }
    let texts = Texts::new(gaps)?;
    // No `o` behind the last `c`: any harmless tail will do, and no head is needed.
    if let Ok(plain) = opening(gaps) {
        let harmless = |tail: &&&str| {
            texts.tails.iter().all(|text| find(text, tail).is_some())
                && texts.heads.iter().chain(&texts.separators).all(|lead| {
                    let reach = (lead.text.len() + tail.len() - 1).min(lead.onward.len());
                    memmem::find(&lead.onward.as_bytes()[..reach], tail.as_bytes()).is_none()
                })
        };
        let pieces = prefer::pieces(texts.tails.first().copied().unwrap_or_default());
        if let Some(tail) = pieces.iter().take(300).find(harmless) {
            return Ok(Opening { frame: Some(("", *tail)), ..plain });
        }
    }
    Whole::new(&texts)?.run()
}

/// The whole search for HOCLRT.
struct Whole<'t, 'a> {
    texts: &'t Texts<'a>,
    opens: Vec<&'a str>,
    closes: Vec<&'a str>,
    heads: Vec<&'a str>,
    steps: usize,
}

impl<'t, 'a> Whole<'t, 'a> {
    fn new(texts: &'t Texts<'a>) -> Result<Whole<'t, 'a>, NoOpening> {
        let strings = |texts: &[&'a str]| -> Result<Vec<&'a str>, NoOpening> {
            let classes = common(texts, By::Start).ok_or(NoOpening::TooMuch)?;
            Ok(classes.into_iter().map(|class| class.longest).collect())
        };
        let with_empty = |mut strings: Vec<&'a str>| {
            strings.push("");
            strings
        };
        Ok(Whole {
            texts,
            opens: strings(&texts.before())?,
            closes: with_empty(strings(&texts.behind())?),
            heads: with_empty(strings(&distinct(texts.heads.iter().map(|lead| lead.text)))?),
            steps: 0,
        })
    }

    fn spend(&mut self, steps: usize) -> Result<(), NoOpening> {
        self.steps += steps;
        if self.steps > BUDGET { Err(NoOpening::TooMuch) } else { Ok(()) }
    }

    fn run(&mut self) -> Result<Opening<'a>, NoOpening> {
        let whole = self.texts.first;
        for open in std::mem::take(&mut self.opens) {
            let mut firsts = vec![whole];
            let inside = (1..whole.len()).filter(|at| whole.as_bytes()[*at..].starts_with(open.as_bytes()));
            firsts.extend(inside.map(|at| &whole[at..]));
            for first in firsts {
                if let Some(found) = self.with_open(open, first)? {
                    return Ok(found);
                }
            }
        }
        Err(NoOpening::Nothing)
    }

    fn with_open(&mut self, open: &'a str, first: &'a str) -> Result<Option<Opening<'a>>, NoOpening> {
        let texts = self.texts;
        // Which heads lead to the first tuple, tails aside? If none, there is no need to look at the rest.
        self.spend(self.heads.len())?;
        let leads = |head: &str, text: &str| find(text, head).is_some_and(|at| opens(&text[at..], open, first));
        let good = |head: &&&'a str| texts.heads.iter().all(|lead| leads(head, lead.text));
        let heads: Vec<&'a str> = self.heads.iter().filter(good).copied().collect();
        if heads.is_empty() {
            return Ok(None);
        }
        let mut seen = BTreeSet::new();
        self.spend(self.closes.len())?;
        for close in self.closes.clone() {
            let between = texts.separators.iter().map(|lead| find(lead.text, close)).collect::<Option<Vec<_>>>();
            let last = texts.tails.iter().map(|text| find(text, close)).collect::<Option<Vec<_>>>();
            let (Some(between), Some(last)) = (between, last) else { continue };
            let separators = || texts.separators.iter().zip(&between);
            // Only where `c` is found counts.
            if !seen.insert((between.clone(), last.clone()))
                || !separators().all(|(lead, at)| opens(&lead.text[*at..], open, first))
            {
                continue;
            }
            // Where a tail may begin: up to an `o` that is left, or anywhere if none is.
            let room = |(text, at): (&&'a str, &usize)| match find(&text[*at..], open) {
                Some(found) => (&text[*at..], found),
                None => (*text, text.len()),
            };
            let rooms: Vec<(&'a str, usize)> = texts.tails.iter().zip(&last).map(room).collect();
            let ends: Vec<&'a str> = rooms.iter().map(|(text, _)| *text).collect();
            self.spend(ends.iter().map(|text| text.len() / 16 + 1).sum())?;
            for tail in common(&ends, By::Start).ok_or(NoOpening::TooMuch)? {
                self.spend(1 + heads.len())?;
                if !rooms.iter().zip(&tail.first).all(|((_, most), first)| *first as usize <= *most)
                    || !separators().all(|(lead, at)| is_free(lead, *at, open, tail.longest))
                {
                    continue;
                }
                let free = |head: &str, lead: &Lead<'_>| {
                    find(lead.text, head).is_some_and(|at| is_free(lead, at, open, tail.longest))
                };
                if let Some(head) = heads.iter().find(|head| texts.heads.iter().all(|lead| free(head, lead))) {
                    return Ok(Some(Opening { open, close, first, frame: Some((head, tail.longest)) }));
                }
            }
        }
        Ok(None)
    }
}

/// Does the first `o` from `at` on begin before the tail does?
fn is_free(lead: &Lead<'_>, at: usize, open: &str, tail: &str) -> bool {
    let opens = find(&lead.text[at..], open);
    let reach = (lead.text.len() + tail.len()).min(lead.onward.len());
    let stops = memmem::find(&lead.onward.as_bytes()[at..reach], tail.as_bytes());
    stops.is_none_or(|tail| opens.is_some_and(|open| open < tail))
}

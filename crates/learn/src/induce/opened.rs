//! Open and close: OCLR and HOCLRT.
//!
//! The right delimiters and the left ones from the second on are as in LR. What remains is to find `o`, `c`, `l1`, and in
//! HOCLRT `h` and `t`, such that
//!
//! 1. in the beginning H of every page, from `h` on, `o` is found, and from there on `l1` is first found at the end of H;
//! 2. in every text S between tuples `c` is found, from there on `o`, and from there on `l1` is first found at the end of S;
//! 3. at the end T of every page `c` is found, and from there on no `o`, or `t` ends before it;
//! 4. `t` is found in every T, and where `o` is looked for in 1 and 2 it does not end before `o` does.
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
//! harm will do: that is tried next. What is left is searched whole: the length of `o` now matters, since `t` competes with
//! its end, and an `o` inside the last L may not be replaced by a longer one. For each `o` (every common string of H and S), `l1` is L,
//! or the rest of L from where `o` begins in it; for each `c` the tails are cut to what lies between `c` and the first `o`, and the
//! candidates for `t` are the longest of each class of strings common to all these; the head then depends on `o`, `t`
//! and `l1` only. This can be long, so it has a budget of steps; a search that spends it says "undecided" and not "no".

use super::classes::{By, Class, common};
use super::edges::{self, Blame, is_proper_suffix};
use super::framed::piece_rank;
use super::gaps::Gaps;
use super::prefer;
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
        Opening { open: frame.first, close: "", first: frame.first, frame: Some((frame.head, frame.tail)) }
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

pub(crate) struct Texts<'a> {
    heads: Vec<&'a str>,
    separators: Vec<&'a str>,
    tails: Vec<&'a str>,
    first: &'a str,
}

impl<'a> Texts<'a> {
    fn new(gaps: &Gaps<'a>) -> Result<Texts<'a>, NoOpening> {
        let pick = |wanted: fn(&super::gaps::Gap<'_>) -> bool| {
            let mut texts: Vec<&'a str> = gaps.gaps.iter().filter(|gap| wanted(gap)).map(|gap| gap.text).collect();
            texts.sort_by_key(|text| (text.len(), *text));
            texts.dedup();
            texts
        };
        Ok(Texts {
            heads: pick(|gap| gap.is_head()),
            separators: pick(|gap| gap.is_separator()),
            tails: pick(|gap| gap.is_tail()),
            first: edges::left_longest(gaps, 0).map_err(NoOpening::First)?,
        })
    }
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
    texts.separators.iter().all(|text| count(behind(text))) && texts.tails.iter().all(|text| count(ends(text)))
}

/// An `o` and a `c` for OCLR.
pub(crate) fn opening<'a>(gaps: &Gaps<'a>) -> Result<Opening<'a>, NoOpening> {
    let texts = Texts::new(gaps)?;
    let mut steps = 0;
    let found = |open, close| Opening { open, close, first: texts.first, frame: None };
    // What a person would try, and the reduction of LR.
    let closes_tried = close_pieces(&texts);
    for open in open_pieces(&texts) {
        if !texts.heads.iter().all(|head| opens(head, open, texts.first)) {
            continue;
        }
        if let Some(close) = closes_tried.iter().find(|close| closes(&texts, open, close, &mut steps)) {
            return Ok(found(open, *close));
        }
    }
    let opens_all = common(&lead(&texts), By::Start).ok_or(NoOpening::TooMuch)?;
    let closes_all = common(&behind(&texts), By::Start).ok_or(NoOpening::TooMuch)?;
    for open in &opens_all {
        steps += 1;
        if !texts.heads.iter().all(|head| opens(head, open.longest, texts.first)) {
            continue;
        }
        for close in closes_all.iter().map(|class| class.longest).chain([""]) {
            if closes(&texts, open.longest, close, &mut steps) {
                return Ok(found(open.longest, close));
            }
            if steps > BUDGET {
                return Err(NoOpening::TooMuch);
            }
        }
    }
    Err(NoOpening::Nothing)
}

/// The texts that lead to a tuple.
fn lead<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    texts.separators.iter().chain(&texts.heads).copied().collect()
}

/// The texts behind a tuple.
fn behind<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    texts.separators.iter().chain(&texts.tails).copied().collect()
}

fn open_pieces<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    let shortest = lead(texts).into_iter().min_by_key(|text| text.len()).unwrap_or_default();
    let mut pieces = prefer::pieces(shortest);
    pieces.truncate(200);
    pieces.sort_by_key(|piece| piece_rank(piece));
    // `o = l1` is the way out that always exists where an LR wrapper does.
    pieces.push(texts.first);
    pieces
}

fn close_pieces<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    let shortest = behind(texts).into_iter().min_by_key(|text| text.len()).unwrap_or_default();
    let mut pieces = prefer::pieces(shortest);
    pieces.truncate(100);
    pieces.sort_by_key(|piece| piece_rank(piece));
    pieces.push("");
    pieces.retain(|piece| behind(texts).iter().all(|text| find(text, piece).is_some()));
    pieces
}

/// A head, tail, `o` and `c` for HOCLRT.
pub(crate) fn framed_opening<'a>(gaps: &Gaps<'a>, hlrt: Option<Opening<'a>>) -> Result<Opening<'a>, NoOpening> {
    if let Some(found) = hlrt {
        return Ok(found);
    }
    let texts = Texts::new(gaps)?;
    // No `o` behind the last `c`: any harmless tail will do, and no head is needed.
    if let Ok(plain) = opening(gaps) {
        let shortest = texts.tails.first().copied().unwrap_or_default();
        let harmless = |tail: &&&str| {
            texts.tails.iter().all(|text| find(text, tail).is_some())
                && texts.heads.iter().chain(&texts.separators).all(|text| find(text, tail).is_none())
        };
        if let Some(tail) = prefer::pieces(shortest).iter().take(300).find(harmless) {
            return Ok(Opening { frame: Some(("", *tail)), ..plain });
        }
    }
    Whole::new(&texts)?.run()
}

/// The whole search for HOCLRT.
struct Whole<'t, 'a> {
    texts: &'t Texts<'a>,
    opens: Vec<Class<'a>>,
    closes: Vec<&'a str>,
    heads: Vec<&'a str>,
    steps: usize,
}

impl<'t, 'a> Whole<'t, 'a> {
    fn new(texts: &'t Texts<'a>) -> Result<Whole<'t, 'a>, NoOpening> {
        let classes = |texts: &[&'a str]| common(texts, By::Start).ok_or(NoOpening::TooMuch);
        let strings = |classes: Vec<Class<'a>>| classes.into_iter().map(|class| class.longest).chain([""]).collect();
        Ok(Whole {
            texts,
            opens: classes(&lead(texts))?,
            closes: strings(classes(&behind(texts))?),
            heads: strings(classes(&texts.heads)?),
            steps: 0,
        })
    }

    fn spend(&mut self, steps: usize) -> Result<(), NoOpening> {
        self.steps += steps;
        if self.steps > BUDGET { Err(NoOpening::TooMuch) } else { Ok(()) }
    }

    fn run(&mut self) -> Result<Opening<'a>, NoOpening> {
        let whole = self.texts.first;
        for class in std::mem::take(&mut self.opens) {
            for len in (class.shortest..=class.longest.len()).filter(|len| class.longest.is_char_boundary(*len)) {
                let open = &class.longest[..len];
                let mut firsts = vec![whole];
                firsts.extend((1..whole.len()).filter(|at| whole.as_bytes()[*at..].starts_with(open.as_bytes())).map(|at| &whole[at..]));
                for first in firsts {
                    self.spend(1)?;
                    if let Some(found) = self.with_open(open, first)? {
                        return Ok(found);
                    }
                }
            }
        }
        Err(NoOpening::Nothing)
    }

    fn with_open(&mut self, open: &'a str, first: &'a str) -> Result<Option<Opening<'a>>, NoOpening> {
        // Which heads lead to the first tuple, tails aside? None: no need to look at the rest.
        let mut heads = Vec::new();
        for head in self.heads.clone() {
            self.spend(1)?;
            let good = |text: &&str| find(text, head).is_some_and(|at| opens(&text[at..], open, first));
            if self.texts.heads.iter().all(|text| good(text)) {
                heads.push(head);
            }
        }
        if heads.is_empty() {
            return Ok(None);
        }
        let mut seen = BTreeSet::new();
        for close in self.closes.clone() {
            self.spend(1)?;
            let Some(places) = behind(self.texts).iter().map(|text| find(text, close)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            // Only where `c` is found counts.
            if !seen.insert(places.clone()) {
                continue;
            }
            let (between, last) = places.split_at(self.texts.separators.len());
            let separators = self.texts.separators.iter().zip(between);
            if !separators.clone().all(|(text, at)| opens(&text[*at..], open, first)) {
                continue;
            }
            // Where a tail may be: before the end of an `o` that is left, or anywhere if none is.
            let room = |(text, at): (&&'a str, &usize)| -> &'a str {
                match find(&text[*at..], open) {
                    Some(found) => text.get(*at..at + found + open.len() - 1).unwrap_or(&text[*at..at + found]),
                    None => text,
                }
            };
            let rooms: Vec<&'a str> = self.texts.tails.iter().zip(last).map(room).collect();
            let watched: Vec<&'a str> =
                separators.filter_map(|(text, at)| watched(text, *at, open)).collect();
            self.spend(rooms.iter().map(|room| room.len() / 16 + 1).sum())?;
            for tail in common(&rooms, By::End).ok_or(NoOpening::TooMuch)? {
                self.spend(1)?;
                if watched.iter().any(|text| find(text, tail.longest).is_some()) {
                    continue;
                }
                for head in &heads {
                    self.spend(1)?;
                    let free = |text: &&str| {
                        let at = find(text, head).unwrap_or(0);
                        watched_free(text, at, open, tail.longest)
                    };
                    if self.texts.heads.iter().all(|text| free(text)) {
                        return Ok(Some(Opening { open, close, first, frame: Some((head, tail.longest)) }));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// The text in which a tail would end before the first `o` from `at` on does.
fn watched<'a>(text: &'a str, at: usize, open: &str) -> Option<&'a str> {
    let found = find(&text[at..], open)?;
    text.get(at..at + found + open.len() - 1).or_else(|| text.get(at..at + found))
}

fn watched_free(text: &str, at: usize, open: &str, tail: &str) -> bool {
    watched(text, at, open).is_none_or(|watched| find(watched, tail).is_none())
}

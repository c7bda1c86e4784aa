//! Open and close: OCLR and HOCLRT.
//!
//! The right delimiters and the left ones from the second on are as in LR. It remains to find `o`, `c`, `l1`, and in
//! HOCLRT `h` and `t`, such that
//!
//! 1. in the beginning H of every page, from `h` on, `o` is found, and from there on `l1` is first found at the end of
//!    H;
//! 2. in every text S between tuples `c` is found, from there on `o`, and from there on `l1` is first found at the end
//!    of S;
//! 3. at the end T of every page `c` is found, and from there on no `o`, or `t` begins before it or with it;
//! 4. `t` is found in every T, and where `o` is searched for in 1 and 2, `t` does not begin before `o` or with it.
//!
//! **OCLR.** Let L be the longest common suffix of all H and S. If `o` and `c` begin no later than the last L in every
//! H and S, then `l1 = L` is at least as good as a shorter one. If `o` begins inside the last L somewhere, then it is a
//! piece of L, and so is found inside every L. If L were also found after `c` before the end of an H or S, then `o`
//! would be found there, and `l1` after it, too early. Hence L is found there once, and nowhere after `c` in a T, and
//! `o = l1 = L` works. If `c` begins inside the last L, the same argument shows that L is found once in every H and S
//! and in no T, and `c = ""`, `o = l1 = L` works. So `l1 = L` always. Strings that begin at the same positions in all H
//! and S are equivalent there, and the longest of them has the fewest occurrences in the tails: one candidate `o` for
//! each class of H and S by beginnings. For `c` only its first position in each S and T matters: one candidate for each
//! class, and the empty string. Pairs are tried by searching, heads first.
//!
//! **HOCLRT.** It includes every wrapper of HLRT (`o = l1`, `c = ""`) and more. If no `o` remains in the tails, any
//! tail that does no harm works: that is tried next. The remaining cases are searched exhaustively, by classes of
//! beginnings throughout, since only beginnings are compared. For each `o`, `l1` is L, or the rest of L from where `o`
//! begins in it (an `o` inside the last L cannot be replaced by a longer one here, because a `t` may begin between the
//! two). For each `c`, the ends of pages are cut to the text between `c` and the first `o`, and `t` is the longest
//! string of a class common to all these. The head then depends on `o`, `t` and `l1` only. This can take long, so it
//! has a budget of steps; a search that uses it up answers "undecided" and not "no".

use super::classes::{By, common};
use super::edges::{self, Blame};
use super::framed::piece_rank;
use super::gaps::{Gap, Gaps};
use super::prefer::{self, Prefer};
use memchr::memmem;
use std::collections::BTreeSet;

/// The result of a search for open and close.
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
        Opening {
            open: first,
            close: "",
            first,
            frame: Some((frame.head, frame.tail)),
        }
    }
}

/// Why there is no opening.
pub(crate) enum NoOpening {
    /// There is no `l1`, whatever the other delimiters are.
    First(Blame),
    /// No combination works.
    Nothing,
    /// There is too much to search.
    TooMuch,
}

/// The limit of the search, roughly in nanoseconds.
const BUDGET: usize = 60_000_000;

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
            let mut leads: Vec<_> = gaps
                .map(|gap| Lead {
                    text: gap.text,
                    onward: gap.onward,
                })
                .collect();
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

    /// The texts after a tuple, each once.
    fn behind(&self) -> Vec<&'a str> {
        distinct(
            self.separators
                .iter()
                .map(|lead| lead.text)
                .chain(self.tails.iter().copied()),
        )
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

/// Where the search for `o` in a text must begin so that `l1` is then first found at the end of the text: after the
/// first position, up to the second.
///
/// The last `l1` that comes too early must be before the `o` that is found; the last `o` that leaves room for `l1` is
/// the last one that may be found.
#[derive(Clone, Copy)]
struct Window {
    behind: Option<usize>,
    last: usize,
}

impl Window {
    fn new(text: &str, open: &str, first: &str) -> Option<Window> {
        let bytes = text.as_bytes();
        let room = text.len().checked_sub(first.len())?;
        let early = memmem::rfind(&bytes[..text.len() - 1], first.as_bytes());
        let last = memmem::rfind(&bytes[..(room + open.len()).min(text.len())], open.as_bytes())?;
        let behind =
            early.and_then(|early| memmem::rfind(&bytes[..(early + open.len()).min(text.len())], open.as_bytes()));
        early
            .is_none_or(|early| last > early)
            .then_some(Window { behind, last })
    }

    fn has(&self, place: usize) -> bool {
        place <= self.last && self.behind.is_none_or(|behind| place > behind)
    }
}

/// The cost of a search in all texts, roughly in nanoseconds.
fn cost(leads: &[Lead<'_>]) -> usize {
    leads.iter().map(|lead| 100 + lead.text.len() / 4).sum()
}

/// A string and its first position in each of some texts.
struct Placed<'a> {
    text: &'a str,
    first: Vec<usize>,
}

/// One string for each combination of first positions in all texts, and the empty string.
fn placed<'a>(texts: &[&'a str]) -> Result<Vec<Placed<'a>>, NoOpening> {
    let once = distinct(texts.iter().copied());
    let numbers: Vec<usize> = texts
        .iter()
        .map(|text| {
            once.binary_search_by_key(&(text.len(), *text), |text| (text.len(), *text))
                .unwrap_or(0)
        })
        .collect();
    let classes = common(&once, By::Start).ok_or(NoOpening::TooMuch)?;
    let each = classes.into_iter().map(|class| Placed {
        text: class.longest,
        first: numbers.iter().map(|number| class.first[*number] as usize).collect(),
    });
    let empty = Placed {
        text: "",
        first: vec![0; texts.len()],
    };
    Ok([empty].into_iter().chain(each).collect())
}

/// Rules 2 and 3 without a tail delimiter: `windows` are those of the separators, `last` is the last `o` in each tail.
fn closes(close: &[usize], windows: &[Window], last: &[Option<usize>]) -> bool {
    let (between, behind) = close.split_at(windows.len());
    between.iter().zip(windows).all(|(at, window)| window.has(*at))
        && behind
            .iter()
            .zip(last)
            .all(|(at, last)| last.is_none_or(|last| *at > last))
}

/// An `o` and a `c` for OCLR.
pub(crate) fn opening<'a>(gaps: &Gaps<'a>) -> Result<Opening<'a>, NoOpening> {
    let texts = Texts::new(gaps)?;
    let mut steps = 0;
    let behind: Vec<&'a str> = texts
        .separators
        .iter()
        .map(|lead| lead.text)
        .chain(texts.tails.iter().copied())
        .collect();
    // What a person would try, and the case of LR.
    let tried = close_pieces(&texts).into_iter().filter_map(|text| {
        let first = behind.iter().map(|gap| find(gap, text)).collect::<Option<Vec<_>>>()?;
        Some(Placed { text, first })
    });
    if let Some(found) = with_closes(&texts, open_pieces(&texts), &tried.collect::<Vec<_>>(), &mut steps)? {
        return Ok(found);
    }
    let opens = common(&texts.before(), By::Start).ok_or(NoOpening::TooMuch)?;
    let opens = opens.into_iter().map(|class| class.longest).collect();
    with_closes(&texts, opens, &placed(&behind)?, &mut steps)?.ok_or(NoOpening::Nothing)
}

/// The first pair of an `o` and a `c` that works.
fn with_closes<'a>(
    texts: &Texts<'a>,
    opens: Vec<&'a str>,
    closers: &[Placed<'a>],
    steps: &mut usize,
) -> Result<Option<Opening<'a>>, NoOpening> {
    let windows = |leads: &[Lead<'_>], open: &str| -> Option<Vec<Window>> {
        leads
            .iter()
            .map(|lead| Window::new(lead.text, open, texts.first))
            .collect()
    };
    for open in opens {
        *steps += cost(&texts.heads);
        let heads = windows(&texts.heads, open);
        if !heads.is_some_and(|heads| heads.iter().all(|window| window.has(0))) {
            continue;
        }
        *steps += cost(&texts.separators);
        let Some(separators) = windows(&texts.separators, open) else {
            continue;
        };
        let last: Vec<_> = texts
            .tails
            .iter()
            .map(|text| memmem::rfind(text.as_bytes(), open.as_bytes()))
            .collect();
        *steps += closers.len() * 4;
        if let Some(close) = closers.iter().find(|close| closes(&close.first, &separators, &last)) {
            return Ok(Some(Opening {
                open,
                close: close.text,
                first: texts.first,
                frame: None,
            }));
        }
        if *steps > BUDGET {
            return Err(NoOpening::TooMuch);
        }
    }
    Ok(None)
}

fn open_pieces<'a>(texts: &Texts<'a>) -> Vec<&'a str> {
    let mut pieces = prefer::pieces(texts.before().first().copied().unwrap_or_default());
    pieces.truncate(60);
    pieces.sort_by_key(|piece| piece_rank(piece, Prefer::Tags));
    // `o = l1` always works where there is an LR wrapper.
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
    // No `o` after the last `c`: any harmless tail works, and no head is needed.
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
            return Ok(Opening {
                frame: Some(("", *tail)),
                ..plain
            });
        }
    }
    Whole::new(&texts)?.run()
}

/// The exhaustive search for HOCLRT.
struct Whole<'t, 'a> {
    texts: &'t Texts<'a>,
    opens: Vec<&'a str>,
    /// By their first positions in the separators, then in the tails.
    closes: Vec<Placed<'a>>,
    heads: Vec<Placed<'a>>,
    steps: usize,
}

impl<'t, 'a> Whole<'t, 'a> {
    fn new(texts: &'t Texts<'a>) -> Result<Whole<'t, 'a>, NoOpening> {
        let heads: Vec<&'a str> = texts.heads.iter().map(|lead| lead.text).collect();
        let behind: Vec<&'a str> = texts
            .separators
            .iter()
            .map(|lead| lead.text)
            .chain(texts.tails.iter().copied())
            .collect();
        let opens = common(&texts.before(), By::Start).ok_or(NoOpening::TooMuch)?;
        Ok(Whole {
            texts,
            opens: opens.into_iter().map(|class| class.longest).collect(),
            closes: placed(&behind)?,
            heads: placed(&heads)?,
            steps: 0,
        })
    }

    fn spend(&mut self, steps: usize) -> Result<(), NoOpening> {
        self.steps += steps;
        if self.steps > BUDGET {
            Err(NoOpening::TooMuch)
        } else {
            Ok(())
        }
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
        let windows = |leads: &[Lead<'_>]| -> Option<Vec<Window>> {
            leads.iter().map(|lead| Window::new(lead.text, open, first)).collect()
        };
        self.spend(cost(&texts.heads) + 4 * self.heads.len())?;
        let Some(into) = windows(&texts.heads) else {
            return Ok(None);
        };
        // Which heads lead to the first tuple, ignoring tails? If none does, the rest need not be searched.
        let good = |head: &Placed<'a>| head.first.iter().zip(&into).all(|(at, window)| window.has(*at));
        let heads: Vec<usize> = (0..self.heads.len()).filter(|head| good(&self.heads[*head])).collect();
        if heads.is_empty() {
            return Ok(None);
        }
        self.spend(cost(&texts.separators) + 4 * self.closes.len())?;
        let Some(between) = windows(&texts.separators) else {
            return Ok(None);
        };
        let mut seen = BTreeSet::new();
        for number in 0..self.closes.len() {
            let (separators, tails) = self.closes[number].first.split_at(between.len());
            // Only the position of `c` matters.
            if !separators.iter().zip(&between).all(|(at, window)| window.has(*at))
                || !seen.insert(self.closes[number].first.clone())
            {
                continue;
            }
            // Where a tail may begin: up to the first remaining `o`, or anywhere if there is none.
            let room = |(text, at): (&&'a str, &usize)| match find(&text[*at..], open) {
                Some(found) => (&text[*at..], found),
                None => (*text, text.len()),
            };
            let rooms: Vec<(&'a str, usize)> = texts.tails.iter().zip(tails).map(room).collect();
            let separators = separators.to_vec();
            let ends: Vec<&'a str> = rooms.iter().map(|(text, _)| *text).collect();
            self.spend(ends.iter().map(|text| 200 * text.len() + 100).sum())?;
            for tail in common(&ends, By::Start).ok_or(NoOpening::TooMuch)? {
                self.spend(100 + tail.longest.len())?;
                if !rooms
                    .iter()
                    .zip(&tail.first)
                    .all(|((_, most), first)| *first as usize <= *most)
                {
                    continue;
                }
                self.spend(cost(&texts.separators))?;
                if !texts
                    .separators
                    .iter()
                    .zip(&separators)
                    .all(|(lead, at)| is_free(lead, *at, open, tail.longest))
                {
                    continue;
                }
                for head in &heads {
                    self.spend(cost(&texts.heads))?;
                    let head = &self.heads[*head];
                    if texts
                        .heads
                        .iter()
                        .zip(&head.first)
                        .all(|(lead, at)| is_free(lead, *at, open, tail.longest))
                    {
                        let frame = Some((head.text, tail.longest));
                        return Ok(Some(Opening {
                            open,
                            close: self.closes[number].text,
                            first,
                            frame,
                        }));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Does the first `o` from `at` on begin before the tail?
fn is_free(lead: &Lead<'_>, at: usize, open: &str, tail: &str) -> bool {
    let opens = find(&lead.text[at..], open);
    let reach = (lead.text.len() + tail.len()).min(lead.onward.len());
    let stops = memmem::find(&lead.onward.as_bytes()[at..reach], tail.as_bytes());
    stops.is_none_or(|tail| opens.is_some_and(|open| open < tail))
}

//! Distinguishes dtokens by their ordinal number, where that number is meaningful.
//!
//! When neither paths nor positions distinguish anything more, some dtokens may still have several roles in one
//! position of a class: the line breaks between the lines of an address, the rows of a table whose labels are not quite
//! constant. Three cases are safe. First, in a class that repeats, a dtoken that occurs in one position equally often in
//! every occurrence: the n-th one there has the n-th role. Second, in any class, another class that occurs equally
//! often in a position, with labels between its occurrences: words that hardly differ from page to page, but differ
//! from each other. Third, line breaks that are equally often in one element on every page: the lines of an address. A list of constant length passes neither test. The authors' program must do something similar: see
//! `docs/exalg.md`.
//!
//! Two passes over the pages.

use super::findeq::{Class, Dtoken, Member, NONE, Strings, members};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More than this are a list.
const MOST: usize = 16;
/// More line breaks are the lines of a list.
const LINES: usize = 5;
/// On fewer pages, the same number of lines may be chance.
const PAGES: usize = 8;
/// If one place has more distinct words, they are not labels.
const LABELS: usize = 8;

/// A position of a class.
type Place = (u32, u32);

/// The contents of one position in one occurrence of a class.
#[derive(Default)]
struct Frame {
    class: u32,
    place: u32,
    /// Loose dtokens and how often they occur there.
    tokens: BTreeMap<Dtoken, usize>,
    /// Loose words.
    words: Vec<Dtoken>,
    /// Classes, and the number of words before each occurrence.
    classes: BTreeMap<u32, Vec<usize>>,
}

/// How often something occurs in its position.
struct Times {
    place: Place,
    times: usize,
    seen: usize,
    steady: bool,
    /// For classes, the words before each occurrence except the first.
    labels: Vec<BTreeSet<Vec<Dtoken>>>,
}

impl Times {
    fn note(known: &mut Times, place: Place, times: usize) {
        known.seen += 1;
        known.steady &= known.place == place && known.times == times;
    }

    fn new(place: Place, times: usize) -> Times {
        Times {
            place,
            times,
            seen: 0,
            steady: (2..=MOST).contains(&times),
            labels: vec![BTreeSet::new(); times.min(MOST)],
        }
    }

    /// Are there labels between the occurrences?
    fn is_labelled(&self) -> bool {
        let between = &self.labels[1..];
        let label = |said: &BTreeSet<Vec<Dtoken>>| {
            said.len() <= LABELS && said.len() * 4 <= self.seen.max(4) && said.iter().all(|words| !words.is_empty())
        };
        let distinct: BTreeSet<&BTreeSet<Vec<Dtoken>>> = between.iter().collect();
        between.iter().all(label) && distinct.len() == between.len()
    }
}

/// Differentiates dtokens; returns the old dtoken for each new one, or `None` if no dtoken could be differentiated.
pub(crate) fn differentiate(
    strings: &mut Strings,
    classes: &[Class],
    is_break: impl Fn(Dtoken) -> bool,
) -> Option<Vec<Dtoken>> {
    let members = members(classes, strings.count);
    let (tokens, subclasses) = count(strings, classes, &members, is_break);
    if tokens.is_empty() && subclasses.is_empty() {
        return None;
    }
    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    let mut again: HashMap<(Dtoken, usize), Dtoken> = HashMap::new();
    let mut number = |token: &mut Dtoken, nth: usize| {
        if nth > 0 {
            let was = *token;
            *token = *again.entry((was, nth)).or_insert_with(|| {
                old.push(was);
                old.len() as Dtoken - 1
            });
        }
    };
    for page in &mut strings.pages {
        let mut open: Vec<(u32, usize, HashMap<u32, usize>)> = Vec::new();
        for token in page {
            let Member { class, place } = members[*token as usize];
            if class == NONE {
                if tokens.contains(token)
                    && let Some((_, _, seen)) = open.last_mut()
                {
                    let nth = seen.entry(*token).or_default();
                    *nth += 1;
                    let nth = *nth - 1;
                    number(token, nth);
                }
                continue;
            }
            if place == 0 {
                // Classes are numbered after the dtokens.
                let key = strings.count + class;
                let nth = open.last_mut().map_or(0, |(_, _, seen)| {
                    let nth = seen.entry(key).or_default();
                    *nth += 1;
                    *nth - 1
                });
                open.push((class, nth, HashMap::new()));
            } else if let Some(at) = open.iter().rposition(|(known, _, _)| *known == class) {
                open.truncate(at + 1);
                open[at].2.clear();
            } else {
                continue;
            }
            let nth = open.last().map_or(0, |(_, nth, _)| *nth);
            if place as usize + 1 == classes[class as usize].tokens.len() {
                open.pop();
            }
            if subclasses.contains(&class) {
                number(token, nth);
            }
        }
    }
    strings.count = old.len() as u32;
    Some(old)
}

/// The loose dtokens and the classes whose ordinal numbers are meaningful.
fn count(
    strings: &Strings,
    classes: &[Class],
    members: &[Member],
    is_break: impl Fn(Dtoken) -> bool,
) -> (BTreeSet<Dtoken>, BTreeSet<u32>) {
    let mut tokens: BTreeMap<Dtoken, Times> = BTreeMap::new();
    let mut subclasses: BTreeMap<u32, Times> = BTreeMap::new();
    let mut close = |frame: &mut Frame| {
        let place = (frame.class, frame.place);
        for (token, times) in std::mem::take(&mut frame.tokens) {
            Times::note(
                tokens.entry(token).or_insert_with(|| Times::new(place, times)),
                place,
                times,
            );
        }
        let words = std::mem::take(&mut frame.words);
        for (class, places) in std::mem::take(&mut frame.classes) {
            let known = subclasses
                .entry(class)
                .or_insert_with(|| Times::new(place, places.len()));
            Times::note(known, place, places.len());
            for (labels, pair) in known.labels.iter_mut().skip(1).zip(places.windows(2)) {
                if labels.len() <= LABELS {
                    labels.insert(words[pair[0]..pair[1]].to_vec());
                }
            }
        }
    };
    // Tags that are all in one element on each page, and the start tag of each end tag.
    let mut alone: BTreeSet<Dtoken> = tokens_of(strings);
    let mut ends: HashMap<Dtoken, Dtoken> = HashMap::new();
    for (page, (parents, mates)) in strings.pages.iter().zip(strings.parents.iter().zip(&strings.mates)) {
        let mut around: HashMap<Dtoken, u32> = HashMap::new();
        for (at, token) in page.iter().enumerate() {
            if mates[at] != NONE && (mates[at] as usize) < at {
                ends.insert(*token, page[mates[at] as usize]);
            }
            if *around.entry(*token).or_insert(parents[at]) != parents[at] {
                alone.remove(token);
            }
        }
    }
    for (number, page) in strings.pages.iter().enumerate() {
        let nodes = strings.nodes.get(number);
        let mut open: Vec<Frame> = Vec::new();
        for (at, token) in page.iter().enumerate() {
            let Member { class, place } = members[*token as usize];
            if class == NONE {
                if let Some(frame) = open.last_mut() {
                    *frame.tokens.entry(*token).or_default() += 1;
                    if nodes.is_some_and(|nodes| nodes[at] != NONE) {
                        frame.words.push(*token);
                    }
                }
                continue;
            }
            if place == 0 {
                if let Some(frame) = open.last_mut() {
                    let before = frame.words.len();
                    frame.classes.entry(class).or_default().push(before);
                }
                open.push(Frame {
                    class,
                    ..Frame::default()
                });
            } else if let Some(found) = open.iter().rposition(|frame| frame.class == class) {
                open.truncate(found + 1);
                close(&mut open[found]);
                open[found].place = place;
            } else {
                continue;
            }
            if place as usize + 1 == classes[class as usize].tokens.len() {
                open.pop();
            }
        }
    }
    let occurrences = |class: u32| -> usize {
        classes[class as usize]
            .vector
            .iter()
            .map(|(_, times)| *times as usize)
            .sum()
    };
    let always = |times: &Times| times.steady && times.seen == occurrences(times.place.0);
    let repeats = |times: &Times| occurrences(times.place.0) >= 2 * classes[times.place.0 as usize].vector.len();
    let chosen = tokens
        .iter()
        .filter(|(token, times)| {
            // Enough occurrences tell that the number is no chance, and few lines that they are not a list.
            let lines =
                times.times <= LINES && times.seen >= PAGES && is_break(ends.get(token).copied().unwrap_or(**token));
            always(times) && (repeats(times) || lines && alone.contains(token))
        })
        .map(|(token, _)| *token);
    let labelled = subclasses
        .iter()
        .filter(|(_, times)| always(times) && times.is_labelled())
        .map(|(class, _)| *class);
    (chosen.collect(), labelled.collect())
}

/// All dtokens that are on the pages.
fn tokens_of(strings: &Strings) -> BTreeSet<Dtoken> {
    strings.pages.iter().flatten().copied().collect()
}

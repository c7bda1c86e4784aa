//! The strings that several texts have in common, grouped by where they occur.
//!
//! A head, tail, open or close delimiter may be any substring of the texts in which it must occur: far too many to try.
//! But only the position of a string's first occurrence in each text matters, so strings with the same positions are
//! equivalent. The candidates are therefore the classes of substrings with equal sets of end positions. These are the
//! states of a suffix automaton of all the texts; there are at most twice as many of them as bytes. A class is one
//! string and a range of lengths: all its members are suffixes of the longest. For strings that are compared by where
//! they begin, the same is done with the texts reversed.
//!
//! The automaton is built text by text (the usual online construction, restarted at the root). Its edges are in linked
//! lists, about 60 bytes for each byte of text. Each text is walked through it, climbing suffix links up to the first
//! state that this text has already marked. This gives, for each state, the number of texts in which its strings occur
//! and their first positions. The result contains the classes that occur in all texts. [`MOST_BYTES`] limits the input;
//! callers treat a larger one as undecided.

/// If the texts together have more bytes, they are not searched.
pub(crate) const MOST_BYTES: usize = 512 << 10;
/// The most numbers that a result may contain.
const MOST_PLACES: usize = 16 << 20;

/// Which end of a string its positions refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// Where it begins.
    Start,
    /// Where it ends.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the other side of the same construction, for its test")
    )]
    End,
}

/// Strings that occur at the same places.
#[derive(Clone, Debug)]
pub(crate) struct Class<'t> {
    /// The longest of them that begins and ends at character boundaries.
    pub(crate) longest: &'t str,
    /// The shortest length, in bytes.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for the test: all members of a class do alike")
    )]
    pub(crate) shortest: usize,
    /// Where they first begin, or end, in each text.
    pub(crate) first: Vec<u32>,
}

/// The classes of non-empty strings that occur in all texts; `None` if there is too much text.
pub(crate) fn common<'t>(texts: &[&'t str], by: By) -> Option<Vec<Class<'t>>> {
    let total: usize = texts.iter().map(|text| text.len()).sum();
    if total > MOST_BYTES || texts.is_empty() {
        return (total <= MOST_BYTES).then(Vec::new);
    }
    let bytes: Vec<Vec<u8>> = texts
        .iter()
        .map(|text| match by {
            By::Start => text.bytes().rev().collect(),
            By::End => text.bytes().collect(),
        })
        .collect();
    let mut automaton = Automaton::new(total);
    for text in &bytes {
        automaton.add(text);
    }
    // In how many texts does each state occur?
    let mut seen = vec![u32::MAX; automaton.len.len()];
    let mut count = vec![0u32; automaton.len.len()];
    for (number, text) in bytes.iter().enumerate() {
        automaton.visit(text, number as u32, by, &mut seen, |state, _| count[state] += 1);
    }
    let mut row = vec![u32::MAX; automaton.len.len()];
    let mut rows = 0u32;
    for state in 1..row.len() {
        if count[state] as usize == texts.len() {
            row[state] = rows;
            rows += 1;
        }
    }
    if rows as usize * texts.len() > MOST_PLACES {
        return None;
    }
    let mut first = vec![vec![0u32; texts.len()]; rows as usize];
    seen.fill(u32::MAX);
    for (number, text) in bytes.iter().enumerate() {
        automaton.visit(text, number as u32, by, &mut seen, |state, end| {
            if row[state] != u32::MAX {
                first[row[state] as usize][number] = match by {
                    By::End => end as u32,
                    By::Start => (text.len() - end) as u32,
                };
            }
        });
    }
    let mut classes = Vec::with_capacity(rows as usize);
    for state in 1..row.len() {
        if row[state] == u32::MAX {
            continue;
        }
        let first = std::mem::take(&mut first[row[state] as usize]);
        let shortest = automaton.len[automaton.link[state] as usize] as usize + 1;
        let mut longest = automaton.len[state] as usize;
        let at = first[0] as usize;
        let text = texts[0];
        let edge = |len: usize| match by {
            By::Start => at + len,
            By::End => at - len,
        };
        while longest >= shortest && !text.is_char_boundary(edge(longest)) {
            longest -= 1;
        }
        if longest < shortest || !text.is_char_boundary(at) {
            continue;
        }
        let range = at.min(edge(longest))..at.max(edge(longest));
        classes.push(Class {
            longest: &text[range],
            shortest,
            first,
        });
    }
    Some(classes)
}

const NONE: u32 = u32::MAX;

struct Automaton {
    len: Vec<u32>,
    link: Vec<u32>,
    /// The first edge of each state.
    edges: Vec<u32>,
    /// Byte, target, next edge.
    pool: Vec<(u8, u32, u32)>,
}

impl Automaton {
    fn new(total: usize) -> Automaton {
        let mut automaton = Automaton {
            len: Vec::with_capacity(2 * total + 1),
            link: Vec::with_capacity(2 * total + 1),
            edges: Vec::with_capacity(2 * total + 1),
            pool: Vec::with_capacity(3 * total),
        };
        automaton.state(0, NONE, NONE);
        automaton
    }

    fn state(&mut self, len: u32, link: u32, edges: u32) -> u32 {
        self.len.push(len);
        self.link.push(link);
        self.edges.push(edges);
        (self.len.len() - 1) as u32
    }

    fn edge(&self, state: u32, byte: u8) -> Option<usize> {
        let mut at = self.edges[state as usize];
        while at != NONE {
            let (label, _, next) = self.pool[at as usize];
            if label == byte {
                return Some(at as usize);
            }
            at = next;
        }
        None
    }

    fn target(&self, state: u32, byte: u8) -> Option<u32> {
        self.edge(state, byte).map(|edge| self.pool[edge].1)
    }

    fn connect(&mut self, state: u32, byte: u8, target: u32) {
        self.pool.push((byte, target, self.edges[state as usize]));
        self.edges[state as usize] = (self.pool.len() - 1) as u32;
    }

    fn add(&mut self, text: &[u8]) {
        let mut last = 0;
        for &byte in text {
            last = self.extend(last, byte);
        }
    }

    fn extend(&mut self, last: u32, byte: u8) -> u32 {
        if let Some(next) = self.target(last, byte) {
            return if self.len[next as usize] == self.len[last as usize] + 1 {
                next
            } else {
                self.split(last, byte, next)
            };
        }
        let new = self.state(self.len[last as usize] + 1, 0, NONE);
        let mut at = last;
        loop {
            if at == NONE {
                return new;
            }
            if let Some(next) = self.target(at, byte) {
                let link = if self.len[next as usize] == self.len[at as usize] + 1 {
                    next
                } else {
                    self.split(at, byte, next)
                };
                self.link[new as usize] = link;
                return new;
            }
            self.connect(at, byte, new);
            at = self.link[at as usize];
        }
    }

    /// Makes a new state for the strings of `next` that end as `at` does.
    fn split(&mut self, at: u32, byte: u8, next: u32) -> u32 {
        let clone = self.state(self.len[at as usize] + 1, self.link[next as usize], NONE);
        let mut edge = self.edges[next as usize];
        while edge != NONE {
            let (label, target, following) = self.pool[edge as usize];
            self.connect(clone, label, target);
            edge = following;
        }
        self.link[next as usize] = clone;
        let mut at = at;
        while at != NONE {
            match self.edge(at, byte) {
                Some(edge) if self.pool[edge].1 == next => self.pool[edge].1 = clone,
                _ => break,
            }
            at = self.link[at as usize];
        }
        clone
    }

    /// Calls `mark` for each state whose strings occur in a text, with the end of the first occurrence, or of the last
    /// one if the text is reversed.
    fn visit(&self, text: &[u8], number: u32, by: By, seen: &mut [u32], mut mark: impl FnMut(usize, usize)) {
        let mut path = Vec::with_capacity(text.len());
        let mut at = 0;
        for &byte in text {
            // The text was added, so the edge exists.
            at = self.target(at, byte).unwrap_or(0);
            path.push(at);
        }
        let mut climb = |index: usize| {
            let mut state = path[index];
            while state != 0 && seen[state as usize] != number {
                seen[state as usize] = number;
                mark(state as usize, index + 1);
                state = self.link[state as usize];
            }
        };
        match by {
            By::End => (0..text.len()).for_each(&mut climb),
            By::Start => (0..text.len()).rev().for_each(&mut climb),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// All common substrings by brute force, grouped by their first positions.
    fn slow(texts: &[&str], by: By) -> BTreeMap<String, Vec<u32>> {
        let base = texts[0];
        let mut all = BTreeMap::new();
        for start in 0..base.len() {
            for end in start + 1..=base.len() {
                let part = &base[start..end];
                let places: Option<Vec<u32>> = texts
                    .iter()
                    .map(|text| {
                        text.find(part).map(|at| match by {
                            By::Start => at as u32,
                            By::End => (at + part.len()) as u32,
                        })
                    })
                    .collect();
                if let Some(places) = places {
                    all.insert(part.to_owned(), places);
                }
            }
        }
        all
    }

    #[test]
    fn every_common_substring_is_in_a_class() {
        let mut random = 7u64;
        for _ in 0..500 {
            let mut text = || {
                random = random
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let len = 1 + (random >> 60) as usize;
                (0..len)
                    .map(|at| if random >> (20 + at) & 1 == 0 { 'a' } else { 'b' })
                    .collect::<String>()
            };
            let texts = [text(), text(), text()];
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for by in [By::Start, By::End] {
                let mut expected = slow(&texts, by);
                for class in common(&texts, by).expect("little text") {
                    for len in class.shortest..=class.longest.len() {
                        let part = match by {
                            By::Start => &class.longest[..len],
                            By::End => &class.longest[class.longest.len() - len..],
                        };
                        assert_eq!(expected.remove(part), Some(class.first.clone()), "{part} in {texts:?}");
                    }
                }
                assert!(expected.is_empty(), "{expected:?} in {texts:?}");
            }
        }
    }
}

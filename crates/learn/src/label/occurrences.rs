//! Where many short texts occur in one long text.
//!
//! A list of thousands of records has ten thousands of values, and to search the page for each of them takes quadratic time. So the places of
//! all sequences of [`GRAM`] bytes are written down once; a text is then compared only where its rarest sequence is. The answers are those of a plain
//! search: all places from left to right that do not overlap.
//!
//! Cost: memory of four bytes for each byte of the long text, and time that is linear in it; for each text as many comparisons as its rarest sequence has places.
//! Texts shorter than a sequence are searched plainly.

use memchr::memmem;
use std::cell::OnceCell;

/// The bytes of a sequence. Four tell most values from each other; fewer values are shorter.
const GRAM: usize = 4;
/// The logarithm of the number of lists that sequences are sorted into; more lists than this do not fit into a processor's cache.
const LISTS: u32 = 16;
/// A text is searched plainly as long as few bytes in all were looked at: to sort the sequences of a page costs about as much as a few hundred searches.
const FEW: usize = 200;

/// A long text in which many texts are sought.
pub(super) struct Occurrences {
    /// How often it was searched.
    searches: std::cell::Cell<usize>,
    index: OnceCell<Index>,
}

/// The places of all sequences, list by list.
struct Index {
    /// Where each list begins, and after the last one the end.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Occurrences {
    pub(super) fn new() -> Occurrences {
        Occurrences {
            searches: std::cell::Cell::new(0),
            index: OnceCell::new(),
        }
    }

    /// The places of a text in the long one, which is always the same one.
    pub(super) fn of(&self, long: &str, text: &str) -> Vec<usize> {
        let (long, text) = (long.as_bytes(), text.as_bytes());
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() <= FEW || text.len() < GRAM || u32::try_from(long.len()).is_err() {
            return memmem::find_iter(long, text).collect();
        }
        let index = self.index.get_or_init(|| Index::new(long));
        let lists = text.windows(GRAM).enumerate().map(|(at, gram)| (index.list(gram), at));
        let Some((list, offset)) = lists.min_by_key(|(list, _)| list.len()) else {
            return Vec::new();
        };
        let mut found: Vec<usize> = Vec::new();
        let mut free = 0;
        for place in list {
            let Some(start) = (*place as usize).checked_sub(offset).filter(|start| *start >= free) else {
                continue;
            };
            if long[start..].starts_with(text) {
                found.push(start);
                free = start + text.len();
            }
        }
        found
    }
}

impl Index {
    fn new(long: &[u8]) -> Index {
        let mut starts = vec![0_u32; (1 << LISTS) + 1];
        for gram in long.windows(GRAM) {
            starts[number(gram) + 1] += 1;
        }
        for list in 1..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![0; long.len().saturating_sub(GRAM - 1)];
        for (at, gram) in long.windows(GRAM).enumerate() {
            let next = &mut next[number(gram)];
            places[*next as usize] = at as u32;
            *next += 1;
        }
        Index { starts, places }
    }

    /// The places of the sequences of one list, from left to right.
    fn list(&self, gram: &[u8]) -> &[u32] {
        let number = number(gram);
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// The list of a sequence.
fn number(gram: &[u8]) -> usize {
    let bytes = gram.iter().fold(0_u32, |bytes, byte| bytes << 8 | u32::from(*byte));
    // Multiplication by an odd number with bits everywhere mixes the bytes into the high bits (Fibonacci hashing).
    (bytes.wrapping_mul(0x9E37_79B1) >> (u32::BITS - LISTS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_those_of_a_plain_search() {
        let long: String = (0..4000)
            .map(|at| format!("<li>No {} aaaaa é{}</li>", at % 700, at % 13))
            .collect();
        let occurrences = Occurrences::new();
        let mut texts: Vec<String> = (0..FEW * 2).map(|at| format!("No {at}")).collect();
        texts.extend(["aaaa", "aa", "é1", "</li><li>", "aaaaa é12</li>", "not there"].map(str::to_owned));
        for text in &texts {
            let plain: Vec<usize> = memmem::find_iter(long.as_bytes(), text).collect();
            assert_eq!(occurrences.of(&long, text), plain, "{text}");
        }
        assert!(
            occurrences.index.get().is_some(),
            "many texts are sought with the index"
        );
    }
}

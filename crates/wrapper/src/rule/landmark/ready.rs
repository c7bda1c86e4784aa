//! Landmark rules made ready to run: names and texts become numbers, so that tests on a page compare no strings.

use super::{Landmark, Test, What};
use std::collections::HashMap;

/// Numbered strings. Nearly all other strings are rejected quickly, by first byte and length.
#[derive(Debug)]
pub(super) struct Lookup {
    numbers: HashMap<String, u32>,
    /// For each first byte, the set of lengths modulo 64 that occur.
    lengths: Box<[u64; 256]>,
}

impl Default for Lookup {
    fn default() -> Lookup {
        Lookup {
            numbers: HashMap::new(),
            lengths: Box::new([0; 256]),
        }
    }
}

fn cell(text: &str) -> (usize, u64) {
    let first = text.as_bytes().first().copied().unwrap_or(0);
    (first.into(), 1 << (text.len() % 64))
}

impl Lookup {
    /// The number of a text; a new text gets the number `next`.
    pub(super) fn number(&mut self, text: &str, next: u32) -> u32 {
        let (first, length) = cell(text);
        self.lengths[first] |= length;
        *self.numbers.entry(text.to_owned()).or_insert(next)
    }

    pub(super) fn get(&self, text: &str) -> Option<u32> {
        let (first, length) = cell(text);
        if self.lengths[first] & length == 0 {
            return None;
        }
        self.numbers.get(text).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// The kind of a landmark, with its name as a number.
#[derive(Debug)]
pub(super) enum Is {
    Element(u32),
    Text,
    Word(String),
}

/// An attribute that a test looks for.
#[derive(Debug)]
pub(super) struct Has {
    pub(super) name: u32,
    /// Is it `class`, which has several values?
    pub(super) classes: bool,
    pub(super) value: Option<String>,
}

/// A test with names and texts as numbers.
#[derive(Debug)]
pub(super) struct ReadyTest {
    pub(super) has: Vec<Has>,
    pub(super) plain: bool,
    pub(super) says: Option<u32>,
    pub(super) holds: Option<u32>,
}

/// A landmark with names and texts as numbers.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) is: Is,
    pub(super) tests: Vec<ReadyTest>,
}

/// The numbers of the names and texts of a rule.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The names of elements and attributes.
    pub(super) names: Vec<String>,
    name_ids: HashMap<String, u32>,
    /// The texts that tests look for.
    pub(super) phrases: Lookup,
    /// The attributes that tests look for inside elements: a name, and its values.
    pub(super) held: Vec<(String, Lookup)>,
    pub(super) held_count: u32,
}

impl Numbers {
    fn name(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.name_ids.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        })
    }

    fn held(&mut self, name: &str, value: &str) -> u32 {
        let at = self
            .held
            .iter()
            .position(|(known, _)| known == name)
            .unwrap_or_else(|| {
                self.held.push((name.to_owned(), Lookup::default()));
                self.held.len() - 1
            });
        let number = self.held[at].1.number(value, self.held_count);
        self.held_count += u32::from(number == self.held_count);
        number
    }

    /// Makes a landmark ready.
    pub(super) fn ready(&mut self, landmark: &Landmark) -> Ready {
        let is = match &landmark.what {
            What::Element(name) => Is::Element(self.name(name)),
            What::Text => Is::Text,
            What::Word(word) => Is::Word(word.clone()),
        };
        let tests = landmark.tests.iter().map(|test| self.test(test)).collect();
        Ready { is, tests }
    }

    /// The number of a text.
    pub(super) fn phrase(&mut self, text: &str) -> u32 {
        let next = self.phrases.len() as u32;
        self.phrases.number(text, next)
    }

    fn test(&mut self, test: &Test) -> ReadyTest {
        let has = test.attributes.iter().map(|(name, value)| Has {
            name: self.name(name),
            classes: name == "class",
            value: value.clone(),
        });
        ReadyTest {
            has: has.collect(),
            plain: test.plain,
            says: test.says.as_ref().map(|says| self.phrase(says)),
            holds: test.holds.as_ref().map(|(name, value)| self.held(name, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_finds_what_is_in_it_and_nothing_else() {
        let mut lookup = Lookup::default();
        for (number, text) in ["Price:", "Prize:", "", "ü", "Price:"].into_iter().enumerate() {
            lookup.number(text, number as u32);
        }
        let found = ["Price:", "Prize:", "", "ü", "Pride:", "P", "x"].map(|text| lookup.get(text));
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), None, None, None]);
        assert_eq!(lookup.len(), 4);
    }
}

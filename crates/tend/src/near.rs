//! Finds values that are nearly the same as known ones, by the words that they share.
//!
//! Rare words count more: two ingredients that share "coarse" and "salt" are closer than two that share "of" and "the". A text is compared only with
//! those known values that have one of its words, so the cost is that of its words, not of all values.

use crate::weights;
use crate::words::Words;
use std::collections::{BTreeMap, HashMap};

/// Values indexed by their words, to find values that are nearly the same.
pub(crate) struct Pieces {
    samples: Vec<Vec<String>>,
    /// The values that contain a word.
    having: HashMap<String, Vec<usize>>,
}

/// The words and numbers of a text.
fn pieces(text: &str) -> Vec<String> {
    let pieces = text.split(|c: char| !c.is_alphanumeric());
    let pieces = pieces.filter(|piece| !piece.is_empty()).take(80);
    let mut pieces: Vec<String> = pieces.map(str::to_lowercase).collect();
    pieces.sort();
    pieces.dedup();
    pieces
}

impl Pieces {
    pub(crate) fn new(samples: &[String]) -> Pieces {
        let samples: Vec<Vec<String>> = samples.iter().map(|text| pieces(text)).collect();
        let mut having: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, sample) in samples.iter().enumerate() {
            for piece in sample {
                having.entry(piece.clone()).or_default().push(number);
            }
        }
        Pieces { samples, having }
    }

    /// How close a text is to one of the values: 0 if they share less than half of its words, where rare words count
    /// more.
    pub(crate) fn near(&self, text: &str, elsewhere: &Words) -> f64 {
        let own = pieces(text);
        if own.len() < weights::FEWEST_WORDS {
            return 0.0;
        }
        let weight = |piece: &String| -elsewhere.share(piece).ln();
        let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
        for piece in &own {
            for number in self.having.get(piece).into_iter().flatten() {
                *shared.entry(*number).or_default() += weight(piece);
            }
        }
        let all: f64 = own.iter().map(weight).sum();
        let mut best: f64 = 0.0;
        for (number, shared) in shared {
            if self.samples[number].len() >= weights::FEWEST_WORDS && shared > weights::NEARLY * all {
                let other: f64 = self.samples[number].iter().map(weight).sum();
                best = best.max(2.0 * shared / (all + other));
            }
        }
        ((best - weights::NEARLY) / (1.0 - weights::NEARLY)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_the_same_is_known() {
        let samples = Pieces::new(&["2 Tbsp coarse salt".to_owned(), "1 cup sugar".to_owned()]);
        let elsewhere = Words::default();
        assert!(samples.near("2 tbsp. salt, coarse or fine", &elsewhere) > 0.3);
        assert_eq!(samples.near("3 cloves of garlic", &elsewhere), 0.0);
        assert_eq!(samples.near("salt", &elsewhere), 0.0);
    }
}

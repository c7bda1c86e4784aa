//! How like two columns of texts are.
//!
//! Rows that lack a cell have fewer texts, and where no path, label or kind of value tells which one is missing, the texts of all rows of that make do: titles are
//! like titles, and "New" is not. Likeness is counted in what needs no knowledge of a language: how many words a text has, how they are written, and which first
//! words and whole texts come again.
//!
//! Cost: linear in the texts. Known failure: columns that are alike in all of this, such as two names.

use std::collections::BTreeMap;

/// The weight of likeness in an alignment: columns without anything in common are kept apart, though they have the same path and place. The weights of `wrapper`'s
/// `align` give the scale.
const WEIGHT: f64 = 30.0;
/// The lowest likeness for a cell that rows usually have: its texts may differ, and a row without it is odd.
pub(super) const UNLIKE: i32 = -8;
/// Two columns are neither like nor unlike each other at this likeness.
const MIDDLE: f64 = 0.5;
/// With fewer texts, likeness counts less.
const FEW: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    /// The number of words, about twice as many each time.
    Words(u32),
    /// Whether words have capitals, digits or neither.
    Shape(String),
    First(String),
    Whole(String),
}

/// The texts of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    count: usize,
    features: BTreeMap<Feature, usize>,
}

impl Texts {
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Texts {
        let mut own = Texts::default();
        for text in texts.filter(|text| !text.is_empty()) {
            own.count += 1;
            for feature in features(text) {
                *own.features.entry(feature).or_default() += 1;
            }
        }
        own
    }

    pub(super) fn extend(&mut self, other: &Texts) {
        self.count += other.count;
        for (feature, times) in &other.features {
            *self.features.entry(feature.clone()).or_default() += times;
        }
    }

    /// What the texts say about two columns being one, for an alignment.
    pub(super) fn likeness(&self, other: &Texts) -> i32 {
        let few = self.count.min(other.count).min(FEW);
        if few == 0 {
            return 0;
        }
        // Numbers of words and ways of writing are compared by how usual they are, words by whether they are known.
        let (mut usual, mut known) = (0.0, 0.0);
        for (feature, times) in &other.features {
            let own = self.features.get(feature).copied().unwrap_or(0);
            let share = *times as f64 / other.count as f64;
            match feature {
                Feature::Words(_) | Feature::Shape(_) => usual += share.min(own as f64 / self.count as f64),
                Feature::First(_) | Feature::Whole(_) if own > 0 => known += share,
                _ => {}
            }
        }
        let score = (2.0 * usual + known) / 5.0_f64.max(2.0 * usual + known);
        (WEIGHT * (score - MIDDLE) * few as f64 / FEW as f64).round() as i32
    }
}

fn features(text: &str) -> [Feature; 4] {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut shape = String::new();
    for word in &words {
        let sign = match word.chars().find(|c| c.is_alphanumeric()) {
            Some(c) if c.is_uppercase() && word.len() > 1 && !word.contains(char::is_lowercase) => 'A',
            _ if word.contains(|c: char| c.is_ascii_digit()) => '0',
            Some(c) if c.is_uppercase() => 'a',
            Some(_) => 'w',
            None => '.',
        };
        if !shape.ends_with(sign) {
            shape.push(sign);
        }
    }
    let number = words.len() as u32;
    [
        Feature::Words(if number > 3 { 2 + number.ilog2() } else { number }),
        Feature::Shape(shape),
        Feature::First(words.first().copied().unwrap_or_default().to_owned()),
        Feature::Whole(text.to_owned()),
    ]
}

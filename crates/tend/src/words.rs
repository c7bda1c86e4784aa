//! Which words belong to a field: those that occur in its values but not in the rest of a page.
//!
//! A text is split into words without regard to case, numbers by how many digits they have, and signs. The score of a
//! word for a field is the logarithm of how much more often it occurs in the field's values than elsewhere. Elsewhere
//! means the whole text of the page and the values of the other fields. Half of the weight is reserved for unknown
//! words, so a word that no value had costs little: new values have new words. The score of a text is the mean of its
//! words.

use std::collections::HashMap;

/// The most words of a text that are considered.
const WORDS: usize = 80;
/// The highest score of a word.
const MOST: f64 = 4.0;

/// The words, numbers and signs of a text.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(first) = letters.next() {
        if out.len() == WORDS {
            break;
        }
        if first.is_alphabetic() {
            let mut word: String = first.to_lowercase().collect();
            while let Some(next) = letters.next_if(|c| c.is_alphabetic()) {
                word.extend(next.to_lowercase());
            }
            out.push(word);
        } else if first.is_numeric() {
            let mut digits = "0".to_owned();
            while letters.next_if(|c| c.is_numeric()).is_some() {
                if digits.len() < 5 {
                    digits.push('0');
                }
            }
            out.push(digits);
        } else if !first.is_whitespace() {
            out.push(first.to_string());
        }
    }
    out
}

/// How often each word occurs somewhere.
#[derive(Clone, Default)]
pub(crate) struct Words {
    counts: HashMap<String, f64>,
    total: f64,
}

impl Words {
    pub(crate) fn add(&mut self, tokens: &[String]) {
        for token in tokens {
            match self.counts.get_mut(token) {
                Some(count) => *count += 1.0,
                None => {
                    self.counts.insert(token.clone(), 1.0);
                }
            }
        }
        self.total += tokens.len() as f64;
    }

    /// How common a word is, from 0 to 1. It is never 0, because an unseen word is rare rather than impossible.
    pub(crate) fn share(&self, token: &str) -> f64 {
        (self.counts.get(token).copied().unwrap_or(0.0) + 0.5) / (self.total + 1.0)
    }

    /// How strongly the words of a text suggest these words rather than those elsewhere: from about -0.7 to 4.
    pub(crate) fn speak(&self, tokens: &[String], elsewhere: &Words) -> f64 {
        if tokens.is_empty() || self.total == 0.0 {
            return -std::f64::consts::LN_2;
        }
        let sum: f64 = tokens
            .iter()
            .map(|token| {
                let here = self.counts.get(token).copied().unwrap_or(0.0) / self.total;
                (0.5 + 0.5 * here / elsewhere.share(token)).ln().min(MOST)
            })
            .sum();
        // A single word is more easily an accident than ten are, so one unknown word is added to them.
        (sum - std::f64::consts::LN_2) / (tokens.len() as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_words_numbers_and_signs() {
        assert_eq!(
            tokens("Roe v. State, 12-345"),
            ["roe", "v", ".", "state", ",", "00", "-", "000"]
        );
        assert_eq!(tokens(" \n"), Vec::<String>::new());
        assert_eq!(tokens(&"a ".repeat(1000)).len(), WORDS);
    }

    #[test]
    fn a_field_speaks_through_its_own_words() {
        let (mut names, mut elsewhere) = (Words::default(), Words::default());
        for text in ["Roe v. Wade", "Brown v. Board", "In re Gault"] {
            names.add(&tokens(text));
            elsewhere.add(&tokens(text));
        }
        for text in [
            "Opens in a new window",
            "Search all opinions",
            "Affirmed",
            "Board of review",
        ] {
            elsewhere.add(&tokens(text));
        }
        let speak = |text: &str| names.speak(&tokens(text), &elsewhere);
        assert!(speak("Smith v. Jones") > speak("Opens in a new window"));
        assert!(speak("Smith v. Jones") > speak("Smith Jones"));
        assert!(speak("") < 0.0);
    }
}

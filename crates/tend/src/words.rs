//! Which words belong to a field: those that its values have and the rest of a page has not.
//!
//! A text is taken as words without regard to capitals, numbers by how many digits they have, and signs. How much a word
//! speaks for a field is the logarithm of how much more often it stands in the field's values than elsewhere, where
//! elsewhere is all that the page says and what the other fields say. Half of the weight is left to what is not known, so
//! a word that no value had costs little: new values have new words. The measure of a text is the mean of its words.

use std::collections::HashMap;

/// Words of a text that are looked at, at most.
const WORDS: usize = 80;
/// A word says no more than this for a field.
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

/// How often each word stands somewhere.
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

    /// How common a word is, from 0 to 1; never 0, because what is not seen is rare rather than impossible.
    pub(crate) fn share(&self, token: &str) -> f64 {
        (self.counts.get(token).copied().unwrap_or(0.0) + 0.5) / (self.total + 1.0)
    }

    /// How much the words of a text speak for these rather than for those elsewhere: from about -0.7 to 4.
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
        // A single word is an accident more easily than ten: one more that is not known is counted with them.
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

//! Words and signs around values: what the template puts before or after each value, and labels that values begin with.

use super::Known;
use crate::signs::{first_sign, last_sign};
use crate::weights;
use crate::words::tokens;
use std::collections::{HashMap, HashSet};
use wrapper::profile::shape;

impl Known<'_> {
    /// Do all of these different texts begin with the same sign, or end with it, although no known value does? It is a box to tick, or a bar between
    /// fields.
    pub(crate) fn is_signed(&self, texts: &[&str]) -> bool {
        self.is_between(texts, &[first_sign, last_sign])
    }

    /// Do all of these different texts begin with the same word or sign, or end with it, although no known value does? Then each is a value with
    /// something of the template around it, such as a box before it or the word "Reviews" after it.
    ///
    /// This is for texts of different pages. In a list all may be about the same thing. Months, years and places may be the same in all new
    /// values. So words with digits do not count, nor do dates, nor words at an end where most known values had one and the same word.
    pub(crate) fn is_framed(&self, texts: &[&str]) -> bool {
        self.is_signed(texts)
            || self.is_with_label(texts)
            || !self.dated() && self.is_between(texts, &[first_word, last_word])
    }

    fn is_between(&self, texts: &[&str], ends: &[fn(&str) -> Option<&str>]) -> bool {
        let known = &self.field.samples;
        if texts.len() < weights::FRAMED_TEXTS || known.len() < weights::FRAMED_TEXTS {
            return false;
        }
        ends.iter().any(|end| {
            let Some(piece) = texts.first().and_then(|text| end(text)) else {
                return false;
            };
            if piece.chars().any(char::is_numeric) || !texts.iter().all(|text| end(text) == Some(piece)) {
                return false;
            }
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for piece in known.iter().filter_map(|text| end(text)) {
                *counts.entry(piece).or_default() += 1;
            }
            !counts.contains_key(piece) && counts.values().all(|count| count * 2 < known.len())
        })
    }

    /// Do all of these different texts begin with the same label, such as "Author:", and no known value does? The value is what follows it.
    pub(crate) fn is_with_label(&self, texts: &[&str]) -> bool {
        let Some(label) = texts.first().and_then(|text| label_in(text)) else {
            return false;
        };
        let has = |text: &str| label_in(text) == Some(label);
        // Where many values are known and none has a label, two texts do not have the same one by chance.
        let least = match self.field.samples.len() >= weights::MADE_OF {
            true => 2,
            false => weights::FRAMED_TEXTS,
        };
        texts.len() >= least && texts.iter().all(|text| has(text)) && !self.field.samples.iter().any(|text| has(text))
    }

    /// Are most of these parts of texts written exactly as known values are, or known, and hardly any of the whole texts, and has no known value the word or sign that is
    /// around them? Then the word is one of the template.
    pub(crate) fn is_freed(&self, word: &str, parts: &[(&str, &str)]) -> bool {
        let known = &self.field.samples;
        let has = |text: &String| text.split_whitespace().any(|own| own == word);
        if self.is_address() || known.len() < weights::FRAMED_TEXTS || known.iter().any(has) {
            return false;
        }
        let different: HashSet<&str> = parts.iter().map(|(_, part)| *part).collect();
        let is_most = |is_so: &dyn Fn(&str) -> bool| {
            let (mut wholes, mut freed) = (0, 0);
            for (whole, part) in parts {
                wholes += usize::from(is_so(whole));
                freed += usize::from(is_so(part));
            }
            freed * 2 >= parts.len() && wholes * weights::HARDLY <= parts.len()
        };
        let is_known = |text: &str| self.exact.contains(text);
        let is_written = |text: &str| self.shapes.contains(&shape(text));
        different.len() >= weights::FRAMED_TEXTS && (is_most(&is_known) || is_most(&is_written))
    }
}

/// The first of several words.
fn first_word(text: &str) -> Option<&str> {
    text.split_once(char::is_whitespace).map(|(word, _)| word)
}

/// The last of several words.
fn last_word(text: &str) -> Option<&str> {
    text.rsplit_once(char::is_whitespace).map(|(_, word)| word)
}

/// The longest label in a value, in bytes.
const LONGEST_IN_VALUE: usize = 30;

/// The label that a value begins with, such as "Publisher" in "Publisher: Knopf".
pub(crate) fn label_in(text: &str) -> Option<&str> {
    let (label, rest) = text.split_once(':')?;
    let is_label = label.contains(char::is_alphabetic) && !label.contains(char::is_numeric);
    (is_label && label.len() <= LONGEST_IN_VALUE && !rest.starts_with("//")).then_some(label)
}

/// The label that all of some values begin with.
pub(crate) fn common_label(texts: &[String]) -> Option<&str> {
    let first = label_in(texts.first()?)?;
    texts.iter().all(|text| label_in(text) == Some(first)).then_some(first)
}

/// The words and signs that all of some texts have. Full stops, commas and quotes do not count, nor do numbers.
pub(super) fn constant(texts: &[String]) -> Vec<String> {
    let telling = |token: &String| !token.starts_with('0') && !".,;'\"’".contains(token.as_str());
    let mut texts = texts.iter();
    let first: Vec<String> = texts.next().map(|text| tokens(text)).unwrap_or_default();
    let first = first.into_iter().filter(telling).collect();
    texts.fold(first, |mut constant: Vec<String>, text| {
        if !constant.is_empty() {
            let own = tokens(text);
            constant.retain(|token| own.contains(token));
        }
        constant
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::profile::FieldProfile;

    #[test]
    fn words_around_values_are_noticed() {
        let check = |known: &[&str], now: &[&str], expected: bool| {
            let field = FieldProfile {
                samples: known.iter().map(|text| (*text).to_owned()).collect(),
                ..FieldProfile::default()
            };
            assert_eq!(Known::new(&field, "name").is_framed(now), expected, "{now:?}");
        };
        let names = ["Ocean Star", "Ame", "The Yellow House", "Chez Panisse"];
        check(
            &names,
            &["Zuni Café Review", "Kokkari Review", "Boulevard Review"],
            true,
        );
        check(
            &["Knopf (Trade)", "Penguin (USA)", "Ace"],
            &["A (See All)", "B (See All)", "C (See All)"],
            true,
        );
        check(&names, &["▢ Zuni Café", "▢ Kokkari", "▢ Boulevard"], true);
        check(&names, &["Zuni Café", "Kokkari", "Boulevard"], false);
        // Two may do so by chance, and what known values had is no surprise.
        check(&names, &["Zuni Café Review", "Kokkari Review"], false);
        check(
            &["Zuni Review", "Ame", "Star"],
            &["A Review", "B Review", "C Review"],
            false,
        );
        check(
            &["Lansing, MI", "Flint, MI", "Niles, MI"],
            &["Cary, IL", "Elgin, IL", "Pekin, IL"],
            false,
        );
        check(
            &["June 7, 2019", "May 8, 2019", "May 9, 2019"],
            &["July 1, 2020", "July 2, 2020", "July 4, 2020"],
            false,
        );
    }
}

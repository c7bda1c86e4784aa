//! Where a date is in a text, so that it is not cut: `Filed Feb 23, 2018`, where all rows are of one year.
//!
//! A date is the longest run of words that is nothing but a date, or a date with a time. Words that join dates and times (`at`) do not end one.
//! At most [`ASKED`] texts are asked, each word of them with some words after it.

use record::values::{Kind, kinds};
use std::ops::Range;

/// How many texts are asked.
const ASKED: usize = 40;
/// The most words of a date with a time.
const WORDS: usize = 7;
/// Longer texts are not asked, in bytes.
const LONGEST: usize = 200;
/// In every hundred texts this many must agree.
const NEARLY_ALL: usize = 95;
/// Words between a date and a time, or two dates.
const JOINTS: [&str; 9] = ["at", "from", "to", "on", "um", "von", "bis", "al", "a"];

/// What is around the dates of texts.
pub(super) struct Around {
    /// What nearly all texts have before their date, if that is the same.
    pub(super) head: Option<String>,
    /// What nearly all texts have after it, if that is the same.
    pub(super) tail: Option<String>,
}

/// What is around the dates of texts, if nearly all of them have one.
pub(super) fn around(texts: &[&str]) -> Option<Around> {
    let step = texts.len().div_ceil(ASKED).max(1);
    let asked: Vec<&str> = texts.iter().copied().step_by(step).collect();
    let mut misses = 0;
    let mut sides: Vec<(&str, &str)> = Vec::new();
    for text in &asked {
        match date(text) {
            Some(date) => sides.push((&text[..date.start], &text[date.end..])),
            None => misses += 1,
        }
        if misses * 100 > asked.len() * (100 - NEARLY_ALL) {
            return None;
        }
    }
    let (heads, tails): (Vec<&str>, Vec<&str>) = sides.into_iter().unzip();
    Some(Around {
        head: most(&heads).map(str::to_owned),
        tail: most(&tails).map(str::to_owned),
    })
}

/// The text that nearly all texts are.
fn most<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    let same = sorted.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
    (same.len() * 100 >= texts.len() * NEARLY_ALL).then_some(same[0])
}

/// Where the first date of a text is.
fn date(text: &str) -> Option<Range<usize>> {
    if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let words: Vec<Range<usize>> = text
        .split_whitespace()
        .map(|word| start(word)..start(word) + word.len())
        .collect();
    let is_joint = |word: &Range<usize>| JOINTS.contains(&text[word.clone()].to_lowercase().as_str());
    for first in 0..words.len() {
        if is_joint(&words[first]) {
            continue;
        }
        for count in (1..=WORDS.min(words.len() - first)).rev() {
            let last = &words[first + count - 1];
            if is_joint(last) {
                continue;
            }
            let run = words[first].start..last.end;
            let bare = text[run.clone()].trim_matches(|c: char| !c.is_alphanumeric());
            // What is in brackets is not one with what is before them.
            if !bare.contains(['(', ')', '[', ']', '|', ';']) && is_date(bare) {
                let from = start(bare);
                return Some(from..from + bare.len());
            }
        }
    }
    None
}

/// Is a text a date that begins with the day of the week and a comma? What is before the comma is one word, and a date is left without it.
pub(super) fn begins_with_day(text: &str) -> bool {
    text.split_once(", ").is_some_and(|(day, rest)| {
        let is_word = !day.is_empty() && day.chars().all(|c| c.is_alphabetic() || c == '.');
        is_word && rest.contains(|c: char| !c.is_ascii_digit()) && is_date(rest) && is_date(text)
    })
}

/// Is a text a date, perhaps with a time, and nothing else?
fn is_date(text: &str) -> bool {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let kinds = kinds(text);
    kinds.contains(Kind::Date) && !kinds.contains(Kind::Text) && !kinds.contains(Kind::Name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_found_in_its_words() {
        let cases = [
            "Filed Feb 23, 2018 => Feb 23, 2018",
            "July 28, 2022 Planning Commission Meeting => July 28, 2022",
            "State v. Brown, 14-194 (July 15, 2016) => July 15, 2016",
            "July 26, 2017 at 10:30 am => July 26, 2017 at 10:30 am",
            "12 Angry Men => -",
            "05/27/2016, No. 15-2658 => 05/27/2016",
        ];
        for case in cases {
            let (text, expected) = case.split_once(" => ").expect("a case");
            let found = date(text).map_or("-", |date| &text[date]);
            assert_eq!(found, expected, "{text}");
        }
    }
}

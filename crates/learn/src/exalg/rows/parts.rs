//! Parts of a text without markup: `2019-1234 – Smith v. Jones` over many rows is a number, a separator and a name.
//!
//! Words and signs that begin or end (nearly) all texts of a column do not belong to its values. A sign or word that is in
//! (nearly) all of them separates two parts, if at least one of the parts is a kind of value in (nearly) all rows: a date,
//! a number, a code. Texts that are one such value as a whole are not divided, so the comma of a date is not a separator.
//! Names and plain words are no kind, so `Smith v. Jones` stays whole. Lines are parts, as many as nearly all rows have.
//!
//! Sorting the texts gives the beginning that most of them share; otherwise linear in the texts.

use record::values::{Kind, Kinds, kinds};
use std::collections::BTreeMap;

/// Fewer texts do not tell.
const FEWEST: usize = 3;
/// In every hundred texts this many must agree.
const NEARLY_ALL: usize = 95;
/// The most separators of a text.
const MOST: usize = 3;
/// The most line breaks of a text that separate parts.
const LINES: usize = 8;
/// Signs that separate parts, those that separate more first.
const SIGNS: [&str; 15] = [
    " | ", "|", " – ", " — ", " - ", " • ", " · ", " / ", "; ", ": ", " (", ", ", "–", "—", ")",
];
/// Signs that may be around a value without being part of it.
const LOOSE: &str = ",;:|–—-•·/()[]\"“”«»";

/// How the texts of a column are divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) before: String,
    pub(super) after: String,
    pub(super) separators: Vec<String>,
}

impl Parts {
    /// Is only a label or sign taken away, so that the whole text is no other value?
    pub(super) fn is_trim(&self) -> bool {
        let label = |text: &str| {
            let text = text.trim();
            text.is_empty() || text.ends_with(':') || text.chars().all(|c| LOOSE.contains(c) || c.is_whitespace())
        };
        self.separators.is_empty() && label(&self.before) && label(&self.after)
    }
}

/// How many of these texts must agree.
fn enough(count: usize) -> usize {
    (count * NEARLY_ALL).div_ceil(100).max(FEWEST)
}

/// How texts that are not all the same are divided, if they are.
pub(super) fn parts(texts: &[&str]) -> Option<Parts> {
    if texts.len() < FEWEST {
        return None;
    }
    let before = shared_start(texts);
    let reversed: Vec<String> = texts.iter().map(|text| text.chars().rev().collect()).collect();
    let reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    let after: String = shared_start(&reversed).chars().rev().collect();
    let mut found = Parts {
        before,
        after,
        separators: Vec::new(),
    };
    // Words of a value that is whole as it is, such as the year of a date, are not around it.
    if !found.is_trim() && are_whole(texts) {
        found = Parts::default();
    }
    let mut rest: Vec<&str> = texts
        .iter()
        .map(|text| {
            let text = text.strip_prefix(found.before.as_str()).unwrap_or(text);
            text.strip_suffix(found.after.as_str()).unwrap_or(text).trim()
        })
        .collect();
    if texts.iter().all(|text| *text == texts[0]) {
        return None;
    }
    if rest.iter().any(|text| text.is_empty()) {
        found = Parts::default();
        rest = texts.to_vec();
    }
    // Lines are parts: as many as nearly all rows have.
    let mut lines: Vec<usize> = rest.iter().map(|text| text.split('\n').count()).collect();
    lines.sort_unstable();
    let breaks = (lines[lines.len() - enough(lines.len()).min(lines.len())] - 1).min(LINES);
    if breaks > 0 {
        found.separators = vec!["\n".to_owned(); breaks];
        return Some(found);
    }
    while found.separators.len() < MOST
        && let Some(separator) = separator(&rest)
    {
        let after = |text: &&str| text.split_once(separator.as_str()).map(|(_, after)| after.to_owned());
        let next: Vec<String> = rest.iter().filter_map(after).collect();
        found.separators.push(separator);
        // The rest is a part of the texts, so what divides it divides them.
        rest = texts
            .iter()
            .filter_map(|text| {
                next.iter()
                    .find(|next| text.ends_with(next.as_str()))
                    .map(|next| &text[text.len() - next.len()..])
            })
            .collect();
        if rest.len() < FEWEST {
            break;
        }
    }
    (found != Parts::default()).then_some(found)
}

/// What nearly all texts begin with, up to the end of a word or of signs.
fn shared_start(texts: &[&str]) -> String {
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    let width = enough(sorted.len());
    if sorted.len() < width {
        return String::new();
    }
    let shared = |(a, b): (&str, &str)| {
        let length: usize = a
            .chars()
            .zip(b.chars())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        length
    };
    let windows = sorted
        .windows(width)
        .map(|window| (window[0], shared((window[0], window[width - 1]))));
    let Some((text, length)) = windows.max_by_key(|(_, length)| *length) else {
        return String::new();
    };
    let start = &text[..length];
    // Signs alone, or whole words with a space after them.
    let loose = start.trim_end_matches(|c: char| !LOOSE.contains(c) && !c.is_whitespace());
    let signs: String = start
        .chars()
        .take_while(|c| LOOSE.contains(*c) || c.is_whitespace())
        .collect();
    let words = loose.rfind(char::is_whitespace).map_or("", |at| {
        let end = at + loose[at..].chars().next().map_or(0, char::len_utf8);
        &loose[..end]
    });
    let kept = if words.len() > signs.len() {
        words.to_owned()
    } else {
        signs
    };
    // Words of a value that most rows share are not a label: only what is short, or ends with a colon.
    match kept.trim().ends_with(':') || kept.split_whitespace().count() <= 2 {
        true => kept,
        false => String::new(),
    }
}

/// The kinds of a text that tell it from other texts.
fn telling(text: &str) -> Kinds {
    kinds(text)
        .iter()
        .filter(|kind| !matches!(kind, Kind::Text | Kind::Name))
        .collect()
}

/// Have nearly all texts a kind in common?
fn agree(texts: &[&str]) -> bool {
    let mut times: BTreeMap<Kind, usize> = BTreeMap::new();
    for text in texts {
        telling(text)
            .iter()
            .for_each(|kind| *times.entry(kind).or_default() += 1);
    }
    times.values().any(|times| *times >= enough(texts.len()))
}

/// Are most texts one value as a whole? A date with a time is two.
fn are_whole(texts: &[&str]) -> bool {
    let whole = |text: &&&str| {
        let kinds = kinds(text);
        let moment = kinds.contains(Kind::DateTime) || kinds.contains(Kind::Date) && kinds.contains(Kind::Time);
        !kinds.is_empty() && !kinds.contains(Kind::Text) && !kinds.contains(Kind::Name) && !moment
    };
    texts.iter().filter(whole).count() * 2 > texts.len()
}

/// What divides texts in two.
fn separator(texts: &[&str]) -> Option<String> {
    if are_whole(texts) {
        return None;
    }
    let fits = |separator: &str| {
        let halves: Vec<(&str, &str)> = texts
            .iter()
            .filter_map(|text| text.split_once(separator))
            .map(|(left, right)| (left.trim(), right.trim()))
            .filter(|(left, right)| !left.is_empty() && !right.is_empty())
            .collect();
        if halves.len() < enough(texts.len()) {
            return false;
        }
        let (lefts, rights): (Vec<&str>, Vec<&str>) = halves.into_iter().unzip();
        agree(&lefts) || agree(&rights)
    };
    if let Some(sign) = SIGNS.into_iter().find(|sign| fits(sign)) {
        return Some(sign.to_owned());
    }
    // Words that are once in nearly all texts.
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        let mut words: Vec<&str> = text.split(' ').collect();
        words.sort_unstable();
        words
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() == 1)
            .for_each(|same| {
                *times.entry(same[0]).or_default() += 1;
            });
    }
    let words = times
        .into_iter()
        .filter(|(word, times)| *times >= enough(texts.len()) && !word.is_empty());
    words.map(|(word, _)| format!(" {word} ")).find(|word| fits(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(texts: &[&str]) -> String {
        match parts(texts) {
            None => "-".to_owned(),
            Some(parts) => format!("{}[{}]{}", parts.before, parts.separators.join("]["), parts.after),
        }
    }

    #[test]
    fn a_text_is_divided_where_signs_and_kinds_agree() {
        let cases = [
            "2019-1234 – Smith v. Jones; 2018-77 – In re Y. L.; 2020-9 – A – B => [ – ]",
            "Filed: May 3, 2019; Filed: June 4, 2020; Filed: July 9, 2021 => Filed: []",
            "May 3, 2019; June 4, 2020; July 9, 2021 => -",
            "Smith v. Jones; Doe v. Roe; Hall v. Hill => -",
            "(Tom); (Ann); (Joe) => ([])",
            "12 May 2019 at City Hall; 3 June 2020 at Library; 4 July 2021 at Town Hall => [ at ]",
            "alpha; beta; gamma => -",
            "one two; one two => -",
            "1 High St\nKew\nNSW; 2 Low St\nBow\nVIC\nAustralia; 3 Old Rd\nLee\nSA => [\n][\n]",
        ];
        for case in cases {
            let (texts, expected) = case.split_once(" => ").expect("a case");
            let texts: Vec<&str> = texts.split("; ").collect();
            assert_eq!(said(&texts), expected, "{texts:?}");
        }
    }
}

//! Parts of a text without markup: `2019-1234 – Smith v. Jones` over many rows is a number, a separator and a name.
//!
//! Words and signs that begin or end (nearly) all texts of a column do not belong to its values. A sign or word that is in
//! (nearly) all of them separates two parts, if at least one of the parts is a kind of value in (nearly) all rows: a date,
//! a number, a code. Texts that are one such value as a whole are not divided, so the comma of a date is not a separator, but the one after the
//! day of the week is.
//! Codes of a few capitals, as for states, are a kind here, too. What is left of words around such a value belongs to the separator: in
//! `Filed 05/27/2016, No. 15-2658` that is `, No. `. A code before words, or a date before a time, is divided from them by the space.
//! A date is never cut: what all texts share is no longer than what is before and after their dates (`moments`), also if all dates are of one year.
//! Names and plain words are no kind, so `Smith v. Jones` stays whole. Lines are parts, as many as nearly all rows have.
//!
//! Sorting the texts gives the beginning that most of them share; otherwise linear in the texts.

use super::moments;
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
/// The fewest characters of a code that a space divides from the words after it.
const LONG_CODE: usize = 5;
/// Signs that separate parts, those that separate more first.
const SIGNS: [&str; 15] = [
    " | ", "|", " – ", " — ", " - ", " • ", " · ", " / ", "; ", ": ", " (", ", ", "–", "—", ")",
];
/// Signs that may be around a value without being part of it.
const LOOSE: &str = ",;:|–—-•·/()[]\"“”«»";

/// Brackets, in pairs.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('“', '”'), ('«', '»')];

/// How the texts of a column are divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) separators: Vec<String>,
}

impl Parts {
    /// Is only a label or sign taken away, so that the whole text is no other value?
    pub(crate) fn is_trim(&self) -> bool {
        let label = |text: &str| {
            let text = text.trim();
            text.is_empty() || text.ends_with(':') || text.chars().all(|c| LOOSE.contains(c) || c.is_whitespace())
        };
        self.separators.is_empty() && label(&self.before) && label(&self.after)
    }

    /// Keeps what would lose one bracket of two: the `)` of `4.36 (6)` is cut off with its `(`, or not at all.
    fn balance(&mut self) {
        let inner: String = [&self.before]
            .into_iter()
            .chain(&self.separators)
            .map(String::as_str)
            .collect();
        if loses_partner(&inner, &self.after) {
            self.after.clear();
        }
        let inner: String = self
            .separators
            .iter()
            .chain([&self.after])
            .map(String::as_str)
            .collect();
        let turned = |text: &str| text.chars().rev().map(partner).collect::<String>();
        if loses_partner(&turned(&inner), &turned(&self.before)) {
            self.before.clear();
        }
    }
}

/// The other bracket of two.
fn partner(sign: char) -> char {
    let found = BRACKETS.iter().find_map(|(open, close)| match sign {
        _ if sign == *open => Some(*close),
        _ if sign == *close => Some(*open),
        _ => None,
    });
    found.unwrap_or(sign)
}

/// Does a text close brackets that neither it nor the text before it opens?
fn loses_partner(before: &str, text: &str) -> bool {
    BRACKETS.iter().any(|(open, close)| {
        let mut depth = before.matches(*open).count() as i64 - before.matches(*close).count() as i64;
        depth = depth.max(0);
        text.chars().any(|sign| {
            depth += i64::from(sign == *open) - i64::from(sign == *close);
            depth < 0
        })
    })
}

/// How many of these texts must agree.
fn enough(count: usize) -> usize {
    (count * NEARLY_ALL).div_ceil(100).max(FEWEST)
}

/// How texts that are not all the same are divided, if they are.
pub(crate) fn parts(texts: &[&str]) -> Option<Parts> {
    if texts.len() < FEWEST {
        return None;
    }
    let mut before = shared_start(texts);
    let reversed: Vec<String> = texts.iter().map(|text| text.chars().rev().collect()).collect();
    let reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    let mut after: String = shared_start(&reversed).chars().rev().collect();
    // The zone of a time is part of it.
    if texts.iter().filter(|text| ends_with_time(text, &after)).count() >= enough(texts.len()) {
        after.clear();
    }
    // What is around a date does not begin in it.
    if let Some(around) = moments::around(texts) {
        let is_framed = around.head.is_some() && around.tail.is_some();
        before = around
            .head
            .filter(|head| is_framed || head.len() < before.len())
            .unwrap_or(before);
        after = around
            .tail
            .filter(|tail| is_framed || tail.len() < after.len())
            .unwrap_or(after);
    }
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
    // What a bracket opens ends where it closes.
    if let Some(close) = opened(&found.before) {
        let pairs: Vec<(&str, &str)> = rest.iter().filter_map(|text| text.split_once(close)).collect();
        let (inside, behind): (Vec<&str>, Vec<&str>) = pairs.into_iter().unzip();
        let is_pair = inside.len() >= enough(texts.len())
            && inside.iter().all(|text| text.contains(char::is_alphanumeric))
            && behind.iter().all(|text| text.contains(char::is_alphanumeric));
        if is_pair {
            let signs: String = shared_start(&behind)
                .chars()
                .take_while(|c| LOOSE.contains(*c) || c.is_whitespace())
                .collect();
            let separator = format!("{close}{signs}");
            rest = rest
                .iter()
                .filter_map(|text| text.split_once(separator.as_str()))
                .map(|(_, behind)| behind)
                .collect();
            found.separators.push(separator);
        } else if !found.after.contains(close) {
            let kept = found.before.trim_end().len() - 1;
            found.before.truncate(kept);
            rest = texts
                .iter()
                .map(|text| {
                    let text = text.strip_prefix(found.before.as_str()).unwrap_or(text);
                    text.strip_suffix(found.after.as_str()).unwrap_or(text).trim()
                })
                .collect();
        }
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
        let separator = widened(&separator, &rest);
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
    found.balance();
    (found != Parts::default()).then_some(found)
}

/// The sign that closes the bracket that a text ends with.
fn opened(text: &str) -> Option<char> {
    match text.trim_end().chars().last()? {
        '(' => Some(')'),
        '[' => Some(']'),
        _ => None,
    }
}

/// Is the end of a text with some words at its end, but not without them, a time?
fn ends_with_time(text: &str, after: &str) -> bool {
    const WORDS: usize = 4;
    if !after.contains(char::is_alphabetic) {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    (2..=WORDS.min(words.len())).any(|count| {
        let kinds = kinds(&words[words.len() - count..].join(" "));
        kinds.contains(Kind::Time) || kinds.contains(Kind::DateTime)
    })
}

/// A separator with the word before it and the words after it that nearly all texts have, if values are left without them.
fn widened(separator: &str, texts: &[&str]) -> String {
    let halves = texts.iter().filter_map(|text| text.split_once(separator));
    let (lefts, rights): (Vec<&str>, Vec<&str>) = halves.unzip();
    let mut wide = separator.to_owned();
    let most = |stripped: &[&str]| stripped.len() >= enough(texts.len()) && agree(stripped);
    // The month of a date and the zone of a time are parts of it.
    let are_moments = |halves: &[&str]| {
        use Kind::{Date, DateTime, Time};
        let is_moment = |text: &&&str| [Date, DateTime, Time].iter().any(|kind| kinds(text).contains(*kind));
        halves.iter().filter(is_moment).count() >= enough(texts.len())
    };
    if !are_moments(&lefts)
        && let Some((_, word)) = lefts.first().and_then(|left| left.rsplit_once(' '))
    {
        let word = format!(" {word}");
        let stripped: Vec<&str> = lefts
            .iter()
            .filter_map(|left| left.strip_suffix(word.as_str()))
            .collect();
        if most(&stripped) {
            wide = format!("{word}{wide}");
        }
    }
    if !are_moments(&rights) {
        let start = shared_start(&rights);
        let stripped: Vec<&str> = rights
            .iter()
            .filter_map(|right| right.strip_prefix(start.as_str()))
            .collect();
        if !start.is_empty() && most(&stripped) {
            wide += &start;
        }
    }
    wide
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
    agree_but(texts, None)
}

/// Have nearly all texts a kind in common, other than one?
fn agree_but(texts: &[&str], other: Option<Kind>) -> bool {
    let mut times: BTreeMap<Kind, usize> = BTreeMap::new();
    for text in texts {
        telling(text)
            .iter()
            .for_each(|kind| *times.entry(kind).or_default() += 1);
    }
    times.retain(|kind, _| Some(*kind) != other);
    let codes = texts.iter().filter(|text| is_short_code(text)).count();
    times.values().any(|times| *times >= enough(texts.len())) || codes >= enough(texts.len())
}

/// Is the first word a year?
fn begins_with_year(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    word.len() == 4
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && (word.starts_with("19") || word.starts_with("20"))
}

/// Is it a few capitals, as the code of a state or country?
fn is_short_code(text: &str) -> bool {
    (2..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The label of the kind that nearly all texts have.
pub(crate) fn label(texts: &[&str]) -> Option<&'static str> {
    const LABELS: [(Kind, &str); 6] = [
        (Kind::DateTime, "Date"),
        (Kind::Date, "Date"),
        (Kind::Time, "Time"),
        (Kind::Price, "Price"),
        (Kind::Phone, "Phone"),
        (Kind::Code, "Number"),
    ];
    let known: Vec<Kinds> = texts.iter().map(|text| kinds(text)).collect();
    let is_one = |kind: Kind| {
        let times = known.iter().filter(|kinds| kinds.contains(kind)).count();
        times >= enough(texts.len())
    };
    LABELS
        .into_iter()
        .find(|(kind, _)| is_one(*kind))
        .map(|(_, label)| label)
}

/// Are most texts one value as a whole? A date with a time is two, and so is a phone number with the code of an area before it.
fn are_whole(texts: &[&str]) -> bool {
    let whole = |text: &&&str| {
        let kinds = kinds(text);
        let moment = kinds.contains(Kind::DateTime) || kinds.contains(Kind::Date) && kinds.contains(Kind::Time);
        let area = kinds.contains(Kind::Phone) && text.contains(')');
        !kinds.is_empty() && !kinds.contains(Kind::Text) && !kinds.contains(Kind::Name) && !moment && !area
    };
    texts.iter().filter(whole).count() * 2 > texts.len()
}

/// What divides texts in two.
fn separator(texts: &[&str]) -> Option<String> {
    if are_whole(texts) {
        let days = texts.iter().filter(|text| moments::begins_with_day(text)).count();
        return (days >= enough(texts.len())).then(|| ", ".to_owned());
    }
    // Digits and names are also what an address is, so before and after plain words that says nothing.
    let fits = |separator: &str, tells: &dyn Fn(&[&str]) -> bool| {
        let halves: Vec<(&str, &str)> = texts
            .iter()
            .filter_map(|text| text.split_once(separator))
            .map(|(left, right)| (left.trim(), right.trim()))
            .filter(|(left, right)| !left.is_empty() && !right.is_empty())
            .collect();
        if halves.len() < enough(texts.len()) {
            return false;
        }
        // The comma of a date is before its year.
        if halves.iter().filter(|(_, right)| begins_with_year(right)).count() * 2 > halves.len() {
            return false;
        }
        let (lefts, rights): (Vec<&str>, Vec<&str>) = halves.into_iter().unzip();
        tells(&lefts) || tells(&rights)
    };
    if let Some(sign) = SIGNS.into_iter().find(|sign| fits(sign, &agree)) {
        return Some(sign.to_owned());
    }
    // A code before words, or a date before a time.
    let begins = |text: &&&str| {
        text.split_once(' ').is_some_and(|(first, rest)| {
            let (left, right) = (kinds(first), kinds(rest));
            let is_code = left.contains(Kind::Code)
                && first.len() >= LONG_CODE
                && first.contains(|c: char| c.is_ascii_digit())
                && rest.starts_with(char::is_alphabetic);
            is_code || left.contains(Kind::Date) && right.contains(Kind::Time)
        })
    };
    if texts.iter().filter(begins).count() >= enough(texts.len()) {
        return Some(" ".to_owned());
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
    // A word with digits is a value, even if it is the same everywhere.
    let words = times.into_iter().filter(|(word, times)| {
        *times >= enough(texts.len()) && !word.is_empty() && !word.contains(|c: char| c.is_ascii_digit())
    });
    let no_address = |texts: &[&str]| agree_but(texts, Some(Kind::Address));
    words
        .map(|(word, _)| format!(" {word} "))
        .find(|word| fits(word, &no_address))
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
    fn what_a_bracket_opens_ends_where_it_closes() {
        let years = [
            "(1874–1927), a sculptor",
            "(1900–1988), painter in oil",
            "(1854–1953), a poet",
            "(1897–1979), potter",
        ];
        let found = parts(&years).unwrap();
        assert_eq!(
            (found.before.as_str(), &found.separators[..]),
            ("(", &["), ".to_owned()][..])
        );
        // Where most do not close it, it is part of the value.
        let open = ["(a, see 1874", "(be, see 1900", "(see 1854", "(also 1897"];
        assert!(parts(&open).is_none_or(|found| !found.before.contains('(')));
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
            "4.36 (6); 4.02 (55); 4.03 (179) => -",
            "see [a7]; read [b9]; use [c2] => -",
            "5D16-2993 Holmes v. City; 5D16-4338 Jones v. State; 5D17-311 Ramsey v. Dewitt => [ ]",
            "Filed 05/27/2016, No. 15-2658; Filed 05/25/2016, No. 15-3863; Filed 05/24/2016, No. 14-4766 => Filed [, No. ]",
            "- size 6,828 bytes - 4/28/97 5:38:56 PM GMT; - size 8,599 bytes - 5/28/97 4:16:18 PM GMT; - size 17 bytes - 5/2/97 1:16:08 AM GMT => - size [ bytes - ][ ]",
            "Langley, WA; Leavenworth, ME; Miami, FL => [, ]",
            "Smith, Ann; Doe, Joe; Roe, Kim => -",
            "(520)704-0213; (503)222-5794; (308)436-2450 => ([)]",
            "Wed Nov 05, 2025 5:57 am; Sat Mar 07, 2026 6:35 pm; Wed Dec 17, 2025 7:29 pm => -",
            "May 3, 2019 at City Hall; June 4, 2020 at Library; July 9, 2021 at Town Hall => [ at ]",
            "12 Angry Men; 3 Idiots; 21 Grams => -",
            "Thursday, October 17, 2019; Friday, October 11, 2019; Friday, October 4, 2019 => [, ]",
            "June 8, 2016; May 3, 2016; June 9, 2016 => -",
            "July 28, 2022 Planning Commission Meeting; June 23, 2022 Planning Commission Meeting; May 5, 2022 Planning Commission Meeting => [] Planning Commission Meeting",
            "State v. Brown, 14-194 (July 15, 2016); Tempest v. State, 15-257 (July 14, 2016); State v. Soler, 13-241 (June 12, 2016) => [ (])",
            "Filed Feb 23, 2018; Filed Feb 21, 2018; Filed Feb 2, 2018 => Filed []",
            "July 26, 2017 at 10:30 am; May 3, 2017 at 10:30 am; June 4, 2017 at 10:30 am => [ at ]",
            "1 High St\nKew\nNSW; 2 Low St\nBow\nVIC\nAustralia; 3 Old Rd\nLee\nSA => [\n][\n]",
        ];
        for case in cases {
            let (texts, expected) = case.split_once(" => ").expect("a case");
            let texts: Vec<&str> = texts.split("; ").collect();
            assert_eq!(said(&texts), expected, "{texts:?}");
        }
    }
}

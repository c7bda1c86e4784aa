//! What the texts of a column have in common at their ends.
//!
//! A sign at the end of most of them divides them from what is after them (`22-0282/AR (`, `16-0775:`) and is no part of the value. So does
//! one at the beginning of all of them (`, SCBD-7627`).
//! Words at the beginning of all of them are a label if all that is after them is a number, a date, a time or a price: `Filed May 9, 2018`. Such a
//! column is two: the text as it is, and what is after the label, named by it. Words with a colon are a label of anything, and *by* is one of
//! names (`By Ann Lee`, `Written by Bo Day`).
//!
//! Linear in the texts.

use super::is_data;
use crate::naming::{is_before_names, label_name};

/// Signs that divide texts.
const SIGNS: &str = "([{:|,;-–—/·•";
/// Those of them that no value begins with.
const FIRST_SIGNS: &str = ")]}:|,;–—·•";
/// Fewer texts have something in common by chance.
const FEWEST: usize = 4;
/// The share of the texts that must end with a sign.
const MOST: f64 = 0.8;
/// Signs that divide texts where they hang after a space, and the fewest texts that show it.
const DIVIDERS: &str = "|-–—/·•";
const HANGING: usize = 2;
/// The longest label, in words and in characters.
const WORDS: usize = 3;
const LONGEST: usize = 25;

/// The sign at the end of most texts, if it is nowhere else in them and there is something before it.
pub(super) fn sign(texts: &[&str]) -> Option<String> {
    let hanging = texts.iter().find_map(|text| {
        let end = text.chars().last().filter(|end| DIVIDERS.contains(*end))?;
        text.strip_suffix(end)?.ends_with(' ').then(|| format!(" {end}"))
    });
    // `Ann Lee |`: a sign after a space is no part of a value, however few texts have it.
    if let Some(sign) = hanging {
        let cut = texts.iter().filter_map(|text| text.strip_suffix(sign.as_str()));
        let cut: Vec<&str> = cut.collect();
        let fits = |rest: &&str| rest.contains(char::is_alphanumeric) && !rest.contains(sign.as_str());
        let inside = |text: &&str| text.contains(sign.as_str()) && !text.ends_with(sign.as_str());
        return (cut.len() >= HANGING && cut.iter().all(fits) && !texts.iter().any(inside)).then_some(sign);
    }
    let ends = texts.iter().filter_map(|text| text.chars().last());
    let sign = ends.into_iter().find(|end| SIGNS.contains(*end))?;
    let rest = |text: &&str| text.strip_suffix(sign).map(str::to_owned);
    let rests: Vec<String> = texts.iter().filter_map(rest).collect();
    let fits = |rest: &String| rest.contains(char::is_alphanumeric) && !rest.contains(sign);
    let inside = |text: &&str| text.contains(sign) && !text.ends_with(sign);
    let most = rests.len() as f64 >= MOST * texts.len() as f64 && texts.len() >= FEWEST;
    (most && rests.iter().all(fits) && !texts.iter().any(inside)).then(|| sign.to_string())
}

/// The sign at the beginning of all texts, if it is nowhere else in them.
pub(super) fn first_sign(texts: &[&str]) -> Option<String> {
    let first = texts.first()?;
    let sign = first.chars().next()?;
    // With a space after it, it is no part of a number.
    let is_apart = DIVIDERS.contains(sign)
        && texts
            .iter()
            .all(|text| text[sign.len_utf8().min(text.len())..].starts_with(' '));
    if !FIRST_SIGNS.contains(sign) && !is_apart {
        return None;
    }
    let fits = |text: &&str| {
        let rest = text.strip_prefix(sign);
        rest.is_some_and(|rest| rest.contains(char::is_alphanumeric) && !rest.contains(sign))
    };
    (texts.len() >= FEWEST && texts.iter().all(fits)).then(|| sign.to_string())
}

/// Brackets around all texts, if there is nothing but a number in them: `(206)`.
pub(super) fn brackets(texts: &[&str]) -> bool {
    let number = |text: &&str| {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        inner.is_some_and(|inner| {
            inner.contains(char::is_numeric) && inner.chars().all(|c| c.is_numeric() || ".,' ".contains(c))
        })
    };
    texts.len() >= FEWEST && texts.iter().all(number)
}

/// The words at the beginning of all texts that are a label of the rest.
pub(super) fn label(texts: &[&str]) -> Option<String> {
    let colon = colon(texts);
    if colon.is_some() {
        return colon;
    }
    let first = texts.first().filter(|_| texts.len() >= FEWEST)?;
    // `May 9` is a date, and `May` no label.
    let are_data = texts.iter().filter(|text| is_data(text)).count() * 2 > texts.len();
    let ends: Vec<usize> = first.match_indices(' ').map(|(end, _)| end).take(WORDS).collect();
    for (number, end) in ends.iter().enumerate() {
        let beginning = &first[..*end];
        // `Posted on`: a small word is part of the label.
        let longer = ends.get(number + 1).map(|longer| &first[..*longer]);
        let has_small = |longer: &&str| {
            let word = &longer[end + 1..];
            let is_small = !word.is_empty() && word.chars().all(char::is_lowercase);
            is_small
                && texts
                    .iter()
                    .all(|text| text.strip_prefix(*longer).is_some_and(|rest| rest.starts_with(' ')))
        };
        if longer.is_some_and(|longer| has_small(&longer)) {
            continue;
        }
        if beginning.chars().count() > LONGEST || label_name(beginning).is_none() {
            continue;
        }
        let rest = |text: &&str| {
            let rest = text.strip_prefix(beginning)?.strip_prefix(' ')?;
            let is_code = !are_data && rest.contains(char::is_numeric) && !rest.contains(' ');
            (is_code || is_data(rest) || is_before_names(beginning) && is_name(rest)).then(|| rest.to_owned())
        };
        let Some(mut rests) = texts.iter().map(rest).collect::<Option<Vec<String>>>() else {
            continue;
        };
        rests.sort_unstable();
        rests.dedup();
        // What says the same in most records is no value of its own, but all of them may have one date.
        let are_dates = rests.iter().all(|rest| super::is_date(rest));
        if (are_dates || rests.len() * 2 > texts.len()) && !beginning.contains(char::is_numeric) {
            return Some(beginning.to_owned());
        }
    }
    None
}

/// May a text be the name of somebody: two to four words with capital letters, without digits?
fn is_name(text: &str) -> bool {
    const NAMES: usize = 4;
    let words: Vec<&str> = text.split(' ').collect();
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    (2..=NAMES).contains(&words.len())
        && words.iter().filter(|word| is_capital(word)).count() >= 2
        && !text.contains(char::is_numeric)
        && !text.contains(['.', ',', ':', ';', '!', '?'])
}

/// Words with a colon at the beginning of all texts, if these say different things after it. What a colon ends is a label, whatever is after it.
fn colon(texts: &[&str]) -> Option<String> {
    let (beginning, _) = texts.first()?.split_once(": ")?;
    let is_label = beginning.chars().count() <= LONGEST
        && beginning.split(' ').count() <= WORDS
        && !beginning.contains(char::is_numeric)
        && label_name(beginning).is_some();
    let label = format!("{beginning}:");
    let rest = |text: &&str| text.strip_prefix(&label)?.strip_prefix(' ').map(str::to_owned);
    let mut rests = texts.iter().map(rest).collect::<Option<Vec<String>>>()?;
    // `15.00 · Sold out` is several values, which are told apart elsewhere.
    let divided = |rest: &String| {
        rest.split(' ')
            .any(|word| word.chars().count() == 1 && DIVIDERS.contains(word))
    };
    let parts = rests.iter().filter(|rest| divided(rest)).count();
    rests.sort_unstable();
    rests.dedup();
    (is_label && rests.len() >= 2 && parts * 2 < texts.len()).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_at_the_end_divides() {
        assert_eq!(sign(&["1/AR (", "2/NA (", "3/AF (", "4/AR ("]), Some("(".to_owned()));
        assert_eq!(
            sign(&["7 and", "1/AR (", "2/NA (", "3/AF (", "4/AR ("]),
            Some("(".to_owned())
        );
        assert_eq!(sign(&["1/AR (", "2/NA (", "3/AF", "4/AR"]), None);
        assert_eq!(
            sign(&["a (b) (", "c (", "d (", "e ("]),
            None,
            "the sign is in the value"
        );
        assert_eq!(sign(&["a.", "b.", "c.", "d."]), None, "a sentence ends with a stop");
        assert_eq!(sign(&["Ann |", "Bob", "Cy |", "Dan", "Eve"]), Some(" |".to_owned()));
        assert_eq!(sign(&["A-1 -", "A-2", "A-3 -"]), Some(" -".to_owned()));
    }

    #[test]
    fn brackets_are_around_numbers() {
        assert!(brackets(&["(206)", "(1,204)", "(7)", "(19)"]));
        assert!(!brackets(&["(206)", "(Bo)", "(7)", "(19)"]));
        assert!(!brackets(&["206", "(7)", "(8)", "(19)"]));
    }

    #[test]
    fn a_sign_at_the_beginning_divides() {
        assert_eq!(first_sign(&[", A-1", ", A-2", ", B-1", ", C-7"]), Some(",".to_owned()));
        assert_eq!(first_sign(&[", A-1", ", A-2", "B-1", ", C-7"]), None);
        assert_eq!(
            first_sign(&[", A, b", ", c", ", d", ", e"]),
            None,
            "the sign is in the value"
        );
        assert_eq!(first_sign(&["-1", "-2", "-3", "-4"]), None, "numbers");
        assert_eq!(first_sign(&["- 7k", "- 2k", "- 3k", "- 4k"]), Some("-".to_owned()));
    }

    #[test]
    fn words_before_data_are_a_label() {
        let filed = [
            "Filed May 9, 2018",
            "Filed Jun 1, 2018",
            "Filed Jun 2, 2018",
            "Filed Jul 3, 2017",
        ];
        assert_eq!(label(&filed), Some("Filed".to_owned()));
        assert_eq!(label(&[filed[0]; 4]), Some("Filed".to_owned()));
        let posted = [
            "Posted on 4/3/2021",
            "Posted on 1/13/2022",
            "Posted on 2/3/2021",
            "Posted on 5/3/2021",
        ];
        assert_eq!(label(&posted), Some("Posted on".to_owned()));
        let cases = ["Case No. 16-1", "Case No. 16-2", "Case No. 17-9", "Case No. 18-4"];
        assert_eq!(label(&cases), Some("Case No.".to_owned()));
        let names = ["The Garden", "The Sea", "The Rock", "The Road"];
        assert_eq!(label(&names), None);
        let authors = ["By Ann Lee", "By Bo Day", "By Cy van Holt", "By Ann Lee"];
        assert_eq!(label(&authors), Some("By".to_owned()));
        let written = [
            "Written by Ann Lee",
            "Written by Bo Day",
            "Written by Cy Holt",
            "Written by Di Fox",
        ];
        assert_eq!(label(&written), Some("Written by".to_owned()));
        assert_eq!(
            label(&["The Old Mill", "The Sea Road", "The Rock Pool", "The Road Back"]),
            None
        );
        assert_eq!(label(&["In a Mill", "In the Sea", "In Old Rock", "In Bo Day"]), None);
        assert_eq!(label(&["May 1", "May 2", "May 3", "May 4"]), None);
        assert_eq!(label(&["For 1 sea", "For 2 seas", "For 3 seas", "For 4 seas"]), None);
        assert_eq!(label(&["Room 1", "Room 1", "Room 1", "Room 2"]), None);
        assert_eq!(label(&[]), None);
        assert_eq!(label(&["Status: Open", "Status: Closed"]), Some("Status:".to_owned()));
        assert_eq!(label(&["Status: Open", "Status: Open"]), None);
        assert_eq!(label(&["Price: 15.00 · Sold out", "Price: 7.25 · In stock"]), None);
    }
}

//! Texts that a time divides: `May 5, 2019 7:00 PM City Hall`, `School Board, 6:30 PM, Room 3`.
//!
//! **In**: the texts of a column. **Out**: their date, the words before the time, the time, and the words after it, each a column if nearly all texts have it; the last may be
//! missing. No sign needs to be between them, because a date and a time are known by how they are written. A short word in small letters before a part does not belong to
//! it (`at 7 pm`). Texts with other signs that divide, and spans of time, are left to `texts`.
//!
//! Linear in the texts; of each, the first words are looked at.

use super::columns::Unnamed;
use super::{forms, is_one_of, texts};
use record::values::Kind;
use wrapper::rule::paths::{PathField, Way, matched, pattern};

/// The most words before a time, and the most words of a date and of a time.
const BEFORE: usize = 14;
const DATE: usize = 5;
const TIME: usize = 2;
/// The share of the texts that must be divided alike.
const NEARLY_ALL: f64 = 0.9;
/// Fewer texts do not tell.
const FEWEST: usize = 4;
/// What may be between two parts.
const BETWEEN: &str = r"[ ,;:|@/–—-]+(?:\p{Ll}{1,3} )?";
const SIGNS: &str = " ,;:|@/–—-";

/// The parts of a text.
struct Parts<'t> {
    date: &'t str,
    words: &'t str,
    time: &'t str,
    rest: &'t str,
}

/// Is a text of one of the two kinds, and of no other that counts?
fn is(text: &str, kind: Kind) -> bool {
    let other = if kind == Kind::Date { Kind::Time } else { Kind::Date };
    is_one_of(text, &[kind]) && !is_one_of(text, &[other, Kind::Text, Kind::Name])
}

/// The longest beginning of a text, of up to `words` words, that is of a kind, and what follows.
fn beginning(text: &str, words: usize, kind: Kind) -> Option<(&str, &str)> {
    let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let ends: Vec<usize> = ends.take(words).collect();
    let mut beginnings = ends.into_iter().rev().map(|end| text.split_at(end));
    // A short word after a date does not belong to it.
    let is_open = |first: &str| kind == Kind::Date && first.rsplit(' ').next().is_some_and(is_short);
    let found = beginnings.find(|(first, _)| !is_open(first) && is(first.trim_matches(|c| SIGNS.contains(c)), kind));
    found.map(|(first, rest)| (first.trim_matches(|c| SIGNS.contains(c)), rest))
}

/// Is it a short word in small letters?
fn is_short(word: &str) -> bool {
    word.chars().count() <= 3 && word.chars().all(char::is_lowercase)
}

/// A text without signs, and a short word in small letters, at its beginning.
fn stripped(text: &str) -> &str {
    let text = text.trim_start_matches(|c| SIGNS.contains(c));
    match text.split_once(' ') {
        Some((word, rest)) if is_short(word) => rest,
        _ => text,
    }
}

fn divided(text: &str) -> Option<Parts<'_>> {
    let (date, after) = beginning(text, DATE, Kind::Date).unwrap_or(("", text));
    let after = stripped(after);
    let starts = after.match_indices(' ').map(|(at, _)| at + 1);
    let mut starts = std::iter::once(0).chain(starts).take(BEFORE);
    let (start, (time, rest)) = starts.find_map(|at| Some((at, beginning(&after[at..], TIME, Kind::Time)?)))?;
    let words = after[..start].trim_end_matches(|c| SIGNS.contains(c));
    // The short word before the time does not belong to the words.
    let words = match words.rsplit_once(' ') {
        Some((first, last)) if is_short(last) => first.trim_end_matches(|c| SIGNS.contains(c)),
        _ => words,
    };
    let rest = stripped(rest);
    let is_span = beginning(rest, TIME, Kind::Time).is_some();
    (!is_span).then_some(Parts {
        date,
        words,
        time,
        rest,
    })
}

/// The parts of texts that a time divides; none if it does not.
pub(super) fn parts(way: &Way, values: &[Vec<String>]) -> Vec<Unnamed> {
    let said: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    let found: Vec<Parts<'_>> = said.iter().filter_map(|text| divided(text)).collect();
    let enough = |count: usize| count >= FEWEST && count as f64 >= NEARLY_ALL * said.len() as f64;
    let has_sign = |text: &&&str| texts::SEPARATORS.iter().any(|sign| text.contains(sign));
    if !enough(found.len()) || said.iter().filter(has_sign).count() * 2 > said.len() {
        return Vec::new();
    }
    let dated = found.iter().filter(|parts| !parts.date.is_empty()).count();
    let worded = found.iter().filter(|parts| !parts.words.is_empty()).count();
    let rests = found.iter().filter(|parts| !parts.rest.is_empty()).count();
    let is_even = |count: usize| count == 0 || enough(count);
    if !is_even(dated) || !is_even(worded) || worded + rests == 0 || worded == 0 && rests * 2 < said.len() {
        return Vec::new();
    }
    let dates: Vec<&str> = found
        .iter()
        .map(|parts| parts.date)
        .filter(|date| !date.is_empty())
        .collect();
    let times: Vec<&str> = found.iter().map(|parts| parts.time).collect();
    let (Some(date), Some(time)) = (forms::dates(&dates), forms::times(&times)) else {
        return Vec::new();
    };
    let all: [Column; 4] = [
        (date, Some("Date"), dated > 0, |parts| parts.date),
        (".+?".to_owned(), None, worded > 0, |parts| parts.words),
        (time, Some("Time"), true, |parts| parts.time),
        (".+".to_owned(), None, rests > 0, |parts| parts.rest),
    ];
    columns(way, values, &all, divided)
}

/// The date that texts begin with, and the words after it; none if nearly all texts do not have both.
pub(super) fn dated(way: &Way, values: &[Vec<String>]) -> Vec<Unnamed> {
    let said: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    let found: Vec<Parts<'_>> = said.iter().filter_map(|text| led(text)).collect();
    if found.len() < FEWEST || (found.len() as f64) < NEARLY_ALL * said.len() as f64 {
        return Vec::new();
    }
    let dates: Vec<&str> = found.iter().map(|parts| parts.date).collect();
    let Some(date) = forms::dates(&dates) else {
        return Vec::new();
    };
    let all: [Column; 2] = [
        (date, Some("Date"), true, |parts| parts.date),
        (".+".to_owned(), None, true, |parts| parts.rest),
    ];
    columns(way, values, &all, led)
}

/// A date and the words after it.
fn led(text: &str) -> Option<Parts<'_>> {
    let (date, rest) = beginning(text, DATE, Kind::Date)?;
    let rest = stripped(rest).trim_end_matches(|c| SIGNS.contains(c));
    rest.starts_with(char::is_alphabetic).then_some(Parts {
        date,
        words: "",
        time: "",
        rest,
    })
}

/// A part of texts: an expression for it, its label, whether texts have it, and what it is of one of them.
type Column = (String, Option<&'static str>, bool, for<'p> fn(&Parts<'p>) -> &'p str);

/// The columns of parts, if their expressions find in nearly all texts what is there. The last part may be missing.
fn columns(
    way: &Way,
    values: &[Vec<String>],
    all: &[Column],
    divided: for<'p> fn(&'p str) -> Option<Parts<'p>>,
) -> Vec<Unnamed> {
    let said: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    let enough = |count: usize| count >= FEWEST && count as f64 >= NEARLY_ALL * said.len() as f64;
    let used: Vec<usize> = (0..all.len()).filter(|at| all[*at].2).collect();
    let mut columns = Vec::new();
    for wanted in &used {
        let mut matching = String::new();
        for (number, at) in used.iter().enumerate() {
            let between = if number == 0 { "" } else { BETWEEN };
            let expression = &all[*at].0;
            matching += &match (at == wanted, *at == all.len() - 1) {
                (true, _) => format!("{between}({expression})"),
                (false, true) => format!("(?:{between}{expression})?"),
                (false, false) => format!("{between}(?:{expression})"),
            };
        }
        let Ok(test) = pattern(&matching) else {
            return Vec::new();
        };
        let is_found = |text: &&&str| {
            let own = divided(text)
                .map(|parts| all[*wanted].3(&parts))
                .filter(|own| !own.is_empty());
            matched(text, &test) == own
        };
        if !enough(said.iter().filter(is_found).count()) {
            return Vec::new();
        }
        let own = |texts: &Vec<String>| -> Vec<String> {
            let parts = texts.iter().filter_map(|text| matched(text, &test));
            parts.map(str::to_owned).collect()
        };
        columns.push(Unnamed {
            field: PathField {
                many: false,
                ways: vec![Way {
                    matching,
                    ..way.clone()
                }],
            },
            nodes: Vec::new(),
            attribute: None,
            label: all[*wanted].1.map(str::to_owned),
            values: values.iter().map(own).collect(),
        });
    }
    columns
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// The values of the records of a list with these items.
    fn said(item: fn(usize, &str) -> String) -> Vec<Vec<String>> {
        let places = [
            "City Hall",
            "Main Library",
            "Room 3",
            "Council Chambers, Floor 2",
            "Old Mill",
            "Dock",
        ];
        let items: String = (0..6)
            .map(|number| format!("<li>{}</li>", item(number, places[number])))
            .collect();
        let page = Page::parse_str(&format!("<h1>Meetings</h1><ul>{items}</ul>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let texts = |record: wrapper::rule::paths::PathRecord| -> Vec<String> {
            record.values.into_iter().map(|value| value.text).collect()
        };
        records.into_iter().map(texts).collect()
    }

    #[test]
    fn a_time_divides_a_text() {
        let makes: [fn(usize, &str) -> String; 4] = [
            |number, place| format!("May {}, 2019 {}:30 PM {place}", number + 1, number + 2),
            |number, place| format!("May {}, 2019, {}:30 PM, {place}", number + 1, number + 2),
            |number, place| format!("May {}, 2019 at {}:30 PM in {place}", number + 1, number + 2),
            |number, place| format!("<b>May {}, 2019</b> {}:30 PM {place}", number + 1, number + 2),
        ];
        for make in makes {
            let said = said(make);
            for wanted in ["May 4, 2019", "5:30 PM", "Council Chambers, Floor 2"] {
                assert!(said[3].iter().any(|text| text == wanted), "{wanted}: {said:?}");
            }
        }
    }

    #[test]
    fn words_after_a_date_are_a_part() {
        let places = [
            "City Hall",
            "Main Library",
            "Old Mill",
            "Council Chambers, Floor 2",
            "Dock",
        ];
        let text = |(number, place): (usize, &&str)| vec![format!("May {}, 2019, {place}", number + 1)];
        let values: Vec<Vec<String>> = places.iter().enumerate().map(text).collect();
        let columns = super::dated(&super::Way::default(), &values);
        let said: Vec<&str> = columns.iter().map(|column| column.values[3][0].as_str()).collect();
        assert_eq!(said, ["May 4, 2019", "Council Chambers, Floor 2"]);
    }

    #[test]
    fn words_before_a_time_are_a_part() {
        let said = said(|number, place| format!("Board of Health, {}:00 AM, {place}", number + 2));
        for wanted in ["Board of Health", "6:00 AM", "Old Mill"] {
            assert!(said[4].iter().any(|text| text == wanted), "{wanted}: {said:?}");
        }
    }
}

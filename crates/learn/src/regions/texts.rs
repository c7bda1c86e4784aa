//! Columns whose texts are divided in parts, each a column of its own beside the whole: `2017-0482, In re Y. L.`
//!
//! Where texts are divided is decided as for templates (`exalg::parts`): by signs and words that nearly all texts have, beside a part that
//! is a kind of value. Of a date with the same words around it everywhere, these are cut off. A part is what is between two of them, each at its first place after the one before. The whole stays a
//! column, because readers may want that.
//!
//! Where parts are optional, their forms tell them (`forms`), and a regular expression finds each: `Night Ledger - $5 - May 9`, `Salt and Rope - May 9`. Such parts are taken if they are as many as
//! signs and words give.
//!
//! Where a time divides a text, or only a date at its beginning tells where it may be divided, `moments` knows its parts.
//!
//! Linear in the texts, but for sorting.

use super::columns::{self, Made, Unnamed};
use super::forms::{Columns, Told};
use super::moments;
use crate::exalg::parts;
use std::collections::HashSet;
use std::ops::Range;
use wrapper::rule::paths::{PathField, Way, part};

/// What divides texts in several parts. Commas are in sentences, too.
pub(super) const SEPARATORS: [&str; 9] = [" | ", " · ", " • ", " ¦ ", " / ", " — ", " – ", " - ", "; "];
/// What a text in several parts is called if nothing else says it.
pub(super) const WHOLE: &str = "Text";
/// The most parts of a text.
const PIECES: usize = 12;
/// The share of the texts that must have the same number of parts.
const NEARLY_ALL: f64 = 0.9;
/// The fewest texts that begin or end with a sign.
const FRAMED: usize = 3;
/// Fewer texts have signs in common by chance.
const FEWEST: usize = 4;

/// The parts of the texts of a column, if they are divided; a part that says the same everywhere is left out.
pub(super) fn parts(one: &Made, values: &[Vec<String>], is_mixed: bool) -> Vec<Unnamed> {
    let by_words = by_words(one, values);
    let [way] = &one.field.ways[..] else { return by_words };
    if one.attribute.is_none() && !one.field.many && way.is_whole() {
        let moments = moments::parts(way, values);
        if !moments.is_empty() {
            return moments;
        }
    }
    if is_mixed || one.attribute.is_some() || one.field.many || !way.is_whole() {
        return by_words;
    }
    let told = columns::pieces(one, way, values);
    if told.is_empty() && by_words.is_empty() {
        return moments::dated(way, values);
    }
    if told.is_empty() || told.len() < by_words.len() {
        return by_words;
    }
    let column = |(field, label, values)| Unnamed {
        field,
        nodes: Vec::new(),
        attribute: None,
        label,
        values,
    };
    told.into_iter().map(column).collect()
}

/// Parts that are told by the signs and words between them.
fn by_words(one: &Made, values: &[Vec<String>]) -> Vec<Unnamed> {
    let [way] = &one.field.ways[..] else {
        return Vec::new();
    };
    let texts: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    if one.attribute.is_some() || one.field.many || !way.is_whole() || texts.len() < FEWEST {
        return Vec::new();
    }
    let several = pieces(way, &texts, values, 2..PIECES);
    if !several.is_empty() {
        return several;
    }
    let two = pieces(way, &texts, values, 1..2);
    let Some(found) = parts::parts(&texts) else {
        return two;
    };
    // A sign between spaces divides more than a comma does.
    let is_finer = |separator: &String| SEPARATORS.iter().any(|sign| separator.contains(sign.trim()));
    if !two.is_empty() && !found.separators.iter().any(is_finer) {
        return two;
    }
    // What is before and after all parts is passed like a separator; the sign at an end is cut off elsewhere.
    let is_one = found.separators.is_empty();
    // A label before the values names the field.
    if found.is_trim() || is_one && found.after.is_empty() {
        return Vec::new();
    }
    let first = (!found.before.is_empty()).then_some(found.before);
    let begins: Vec<&String> = first.iter().chain(&found.separators).collect();
    let sign = match &found.separators[..] {
        [space] if space == " " => sign(&texts),
        _ => None,
    };
    let mut columns: Vec<Unnamed> = Vec::new();
    let mut are_moments = Vec::new();
    for number in 0..=found.separators.len() {
        // The words before this part, and those before the earlier ones.
        let passed = &begins[..number + usize::from(first.is_some())];
        let (after, skips) = match passed.split_last() {
            Some((after, skips)) => (after.as_str(), skips),
            None => ("", &[][..]),
        };
        let before = found.separators.get(number).unwrap_or(&found.after);
        let way = Way {
            path: way.path.clone(),
            skips: skips.iter().map(|words| (*words).clone()).collect(),
            after: after.to_owned(),
            before: before.clone(),
            ..Way::default()
        };
        let own = |texts: &Vec<String>| {
            texts
                .iter()
                .filter_map(|text| part(text, &way))
                .map(str::to_owned)
                .collect()
        };
        let own: Vec<Vec<String>> = values.iter().map(own).collect();
        let said: Vec<&str> = own.iter().flatten().map(String::as_str).collect();
        let label = parts::label(&said).map(str::to_owned);
        are_moments.push(label.as_deref().is_some_and(|label| matches!(label, "Date" | "Time")));
        let different: HashSet<&str> = said.iter().copied().collect();
        if different.len() < 2 && label.is_none() || is_one && !are_moments[0] {
            continue;
        }
        // A sign before the space belongs to neither part, where it is.
        let with_sign = |words: &str| match sign {
            Some(sign) if words == " " => format!("{sign} "),
            _ => words.to_owned(),
        };
        let better = Way {
            after: with_sign(&way.after),
            before: with_sign(&way.before),
            ..way.clone()
        };
        let ways = if better == way { vec![way] } else { vec![better, way] };
        columns.push(Unnamed {
            field: PathField { many: false, ways },
            nodes: one.nodes.clone(),
            attribute: None,
            label,
            values: own,
        });
    }
    // Words between two parts divide only dates and times from others: a sentence with a number in it is no value in parts.
    let divides = |(number, separator): (usize, &String)| {
        !separator.contains(char::is_alphabetic)
            || separator.contains(is_sign)
            || are_moments[number]
            || are_moments[number + 1]
    };
    match found.separators.iter().enumerate().all(divides) {
        true => columns,
        false => Vec::new(),
    }
}

/// The parts of texts that one separator divides into the same number of parts: `Ann Lee | $5 | May 9, 2018`. `times` says how often it may be in a text. A text
/// with another number of them has no parts, because it is not known which of them it lacks.
fn pieces(way: &Way, texts: &[&str], values: &[Vec<String>], times: Range<usize>) -> Vec<Unnamed> {
    let parts = |separator: &'static str| {
        let count = texts[0].matches(separator).count();
        let same = texts
            .iter()
            .filter(|text| text.matches(separator).count() == count)
            .count();
        let full = |text: &&str| text.split(separator).all(|part| part.contains(char::is_alphanumeric));
        let fits = times.contains(&count)
            && same as f64 >= NEARLY_ALL * texts.len() as f64
            && texts.iter().filter(|text| full(text)).count() as f64 >= NEARLY_ALL * texts.len() as f64;
        fits.then_some((separator, count))
    };
    let is_alone = |separator: &&str| times.start > 1 || separator.starts_with(' ') && *separator != " / ";
    let Some((separator, count)) = SEPARATORS.into_iter().filter(is_alone).find_map(parts) else {
        return Vec::new();
    };
    // The sign is part of words elsewhere if there are more of it.
    let sign = separator.trim();
    let is_sign = |text: &&str| text.matches(sign).count() == text.matches(separator).count();
    let path = match texts.iter().all(is_sign) {
        true => format!(
            "{}[string-length(translate(., \"{sign}\", \"\")) = string-length(.) - {count}]",
            way.path
        ),
        false => way.path.clone(),
    };
    let mut columns = Vec::new();
    for number in 0..=count {
        let way = Way {
            path: path.clone(),
            skips: vec![separator.to_owned(); number.saturating_sub(1)],
            after: if number > 0 {
                separator.to_owned()
            } else {
                String::new()
            },
            before: if number < count {
                separator.to_owned()
            } else {
                String::new()
            },
            ..Way::default()
        };
        let own = |texts: &Vec<String>| {
            let parts = texts.iter().filter_map(|text| part(text, &way));
            parts.map(str::to_owned).collect()
        };
        let own: Vec<Vec<String>> = values.iter().map(own).collect();
        let said: Vec<&str> = own.iter().flatten().map(String::as_str).collect();
        let label = parts::label(&said).map(str::to_owned);
        columns.push(Unnamed {
            field: PathField {
                many: false,
                ways: vec![way],
            },
            // What the whole text looks like says nothing about a part.
            nodes: Vec::new(),
            attribute: None,
            label,
            values: own,
        });
    }
    columns
}

/// The pieces of a text between signs that say something.
pub(super) fn cut(text: &str, separator: &str) -> Vec<String> {
    let sign = separator.trim();
    let text = text.trim();
    let text = text
        .strip_prefix(sign)
        .filter(|rest| rest.starts_with(' '))
        .unwrap_or(text);
    let text = text.strip_suffix(sign).unwrap_or(text);
    // A colon before what is after the text is no part of it.
    let text = text.strip_suffix(':').unwrap_or(text);
    let pieces = text.split(separator).map(str::trim);
    let pieces = pieces.filter(|piece| piece.contains(char::is_alphanumeric));
    pieces.map(str::to_owned).collect()
}

/// Do nearly all texts begin or end with a sign, as between elements?
pub(super) fn are_framed(texts: &[Vec<String>], separator: &str) -> bool {
    let sign = separator.trim();
    let is_framed = |text: &&String| {
        let after = text.strip_prefix(sign).is_some_and(|rest| rest.starts_with(' '));
        after || text.strip_suffix(sign).is_some_and(|rest| rest.ends_with(' '))
    };
    let texts: Vec<&String> = texts.iter().flatten().collect();
    let framed = texts.iter().copied().filter(|text| is_framed(text)).count();
    framed >= FRAMED && framed as f64 >= NEARLY_ALL * texts.len() as f64
}

/// An expression for texts of which half or more begin or end with a sign, as between elements; its group is the text without it.
pub(super) fn framed(texts: &[String]) -> Option<String> {
    let sign = |separator: &&&str| {
        let sign = separator.trim();
        let is_framed = |text: &&String| {
            text.strip_prefix(sign).is_some_and(|rest| rest.starts_with(' '))
                || text.strip_suffix(sign).is_some_and(|rest| rest.ends_with(' '))
        };
        separator.starts_with(' ') && texts.iter().filter(is_framed).count() * 2 >= texts.len().max(1)
    };
    let sign = regex::escape(SEPARATORS.iter().find(sign)?.trim());
    Some(format!("(?:{sign} )?(.+?)(?: {sign})?"))
}

/// For each column of pieces an expression for the whole text, whose group is the piece. A piece with a form is wherever it is; one
/// without is the n-th of those, and the first of these may have the sign in it.
pub(super) fn matchings(columns: &Columns, separator: &str) -> Option<Vec<String>> {
    let sign = regex::escape(separator.trim());
    let is_spaced = separator.starts_with(' ');
    let (before, after) = match is_spaced {
        true => (format!("(?:(?:.* )?{sign} )?"), format!("(?: {sign}(?: .*)?)?")),
        false => (format!("(?:.*{sign} )?"), format!("(?:{sign}(?: .*)?)?")),
    };
    let (all, wide) = (columns.any(), regex::escape(separator));
    let other = format!("[^{sign}]+?");
    let matching = |told: &Told| match told {
        Told::Form { nth: Some(_), .. } | Told::Counted(_) => None,
        Told::Form { label: Some(label), .. } => Some(format!("{before}{} ?(.+?){after}:?", regex::escape(label))),
        Told::Form { expression, .. } => Some(format!("{before}({expression}){after}:?")),
        Told::Plain(nth) => {
            let piece = |at: usize| {
                let piece = if at == 0 { ".+?" } else { &other };
                match at == *nth {
                    true => format!("({piece})"),
                    false => piece.to_owned(),
                }
            };
            let pieces: Vec<String> = (0..columns.plain.max(nth + 1)).map(piece).collect();
            let (first, then) = match all.is_empty() {
                true => (String::new(), String::new()),
                false => (format!("(?:(?:{all}){wide})*"), format!("(?:{wide}(?:{all}))*")),
            };
            let between = format!("{then}{wide}");
            let end = if is_spaced {
                format!("(?: {sign})?")
            } else {
                format!("(?:{sign})?")
            };
            Some(format!("(?:{sign} )?{first}{}{then}{end}:?", pieces.join(&between)))
        }
    };
    columns.told.iter().map(matching).collect()
}

/// The sign that most first words end with.
fn sign(texts: &[&str]) -> Option<char> {
    let firsts = texts.iter().filter_map(|text| text.split(' ').next());
    let ends: Vec<char> = firsts.filter_map(|first| first.chars().last()).collect();
    let sign = ends.iter().find(|end| is_sign(**end) && **end != ')')?;
    (ends.iter().filter(|end| *end == sign).count() * 2 > texts.len()).then_some(*sign)
}

/// Is it a sign that divides, and no part of a word?
fn is_sign(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !".'’".contains(c)
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn a_text_is_divided_and_stays_whole_too() {
        let cases = [
            "2017-0482, In re Y. L.",
            "2016-0354, Polonsky v. Bedford",
            "2017-0066, Pembroke v. Allenstown",
        ];
        let row = |(number, case): (usize, &&str)| format!("<li><a href=o{number}>{case}</a></li>");
        let more = ["2017-0198 Loon v. Pollock", "2017-0246, Hampshire v. Surrell, Jr."];
        let list: String = cases.iter().chain(&more).enumerate().map(row).collect();
        let page = Page::parse_str(&format!("<ul>{list}</ul>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let last: Vec<&str> = records[4].values.iter().map(|value| value.text.as_str()).collect();
        let fourth: Vec<&str> = records[3].values.iter().map(|value| value.text.as_str()).collect();
        assert_eq!(fourth[1..3], ["2017-0198", "Loon v. Pollock"]);
        let whole = "2017-0246, Hampshire v. Surrell, Jr.";
        assert_eq!(
            last,
            [whole, "2017-0246", "Hampshire v. Surrell, Jr.", "o4"],
            "{:?}",
            best.names
        );
    }

    #[test]
    fn one_separator_divides_a_text_in_several_parts() {
        let people = [
            "Vera Dunn",
            "Nils Gray",
            "Hugo Brandt",
            "Ines Weber",
            "Ann Lee",
            "Cy Moss",
        ];
        let line = |number: usize, middle: &str| {
            let (name, day) = (people[number % 6], 10 + number);
            format!(
                "<dt><a href=/{number}>Book of {name}</a></dt><dd>{name} | ${day}.73 | {middle}July {day}, 2016</dd>"
            )
        };
        let page = |middle: &dyn Fn(usize) -> String| {
            let list: String = (0..6).map(|number| line(number, &middle(number))).collect();
            Page::parse_str(&format!("<h1>Books</h1><dl>{list}</dl>"), &Default::default()).unwrap()
        };
        let old = |number: usize| format!("${}.20 | ", 30 + number);
        let from = page(&old);
        let best = crate::regions::find(&from, &Job::new()).remove(0);
        let run = PathsRun::new(&best.rule).unwrap();
        let said = |page: &Page, number: usize| -> Vec<String> {
            let records = run.page(page);
            records[number].values.iter().map(|value| value.text.clone()).collect()
        };
        let whole = "Nils Gray | $11.73 | $31.20 | July 11, 2016";
        let expected = [
            "Book of Nils Gray",
            "/1",
            whole,
            "Nils Gray",
            "$11.73",
            "$31.20",
            "July 11, 2016",
        ];
        assert_eq!(said(&from, 1), expected, "{:?}", best.names);
        let date = best.names.iter().position(|name| name == "date");
        assert_eq!(date, Some(6), "{:?}", best.names);
        // A text with fewer parts does not say which it lacks.
        let other = page(&|number| if number == 2 { String::new() } else { old(number) });
        assert_eq!(said(&other, 2)[2..], ["Hugo Brandt | $12.73 | July 12, 2016"]);
        assert_eq!(said(&other, 1), expected);
    }

    #[test]
    fn lines_that_begin_with_a_word_begin_records() {
        let case = |number: usize, name: &str| {
            format!(
                "Filed 05/{}/2016, No. 15-{}<br><a href=o{number}>{name} v. State</a><br>{name} district<br><br>",
                10 + number,
                2600 + number
            )
        };
        let names = ["Davis", "Holding", "Nerius", "Camden", "Moore", "Stirk"];
        let cases: String = names
            .iter()
            .enumerate()
            .map(|(number, name)| case(number, name))
            .collect();
        let menu = "<a href=a>Opinions Filed Today</a><br><a href=b>Search</a><br><hr><br>";
        let page = Page::parse_str(&format!("<div>{menu}{cases}</div>"), &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        assert_eq!(records.len(), 6, "{:?}", best.rule);
        let said: Vec<&str> = records[1].values.iter().map(|value| value.text.as_str()).collect();
        let expected = [
            "Filed 05/11/2016, No. 15-2601",
            "05/11/2016",
            "15-2601",
            "Holding v. State",
            "o1",
            "Holding district",
        ];
        assert_eq!(said, expected, "{:?}", best.names);
    }
}

//! A field from a part of a text that somebody selected: the year in `Ugo (1972)`.
//!
//! **In**: what [`point`] takes, one node, and the part of its text. **Out**: a wrapper whose field is that part in every record.
//!
//! The ways to the text are those that [`point`] learns. The part is cut out by the words before and after it. Candidates are
//! the signs and words next to the selected part, up to [`LONGEST`] bytes; the pair that cuts a value out of most texts of the
//! other records is taken, the shortest one of these. If the part begins or ends with the text, nothing is needed there.
//!
//! **Cost**: at most [`MOST`] candidates on each side, each pair tried on at most [`OTHERS`] texts.
//!
//! **Known failures**: one example does not tell whether `1972` is the first number or the one in brackets, so the pair may cut
//! something else out of texts that are written in another way.

use super::point::{Pointed, point};
use super::ways::{changed, try_way};
use super::{Made, MakeError};
use crate::{Document, Job, Wrapper};
use std::ops::Range;
use wrapper::rule::paths::{Way, part, value};

/// The most bytes of the words on each side.
const LONGEST: usize = 40;
/// The most candidates on each side.
const MOST: usize = 12;
/// The most texts of other records.
const OTHERS: usize = 200;

/// The wrapper with a field that is a part of the text where somebody pointed. `selected` is a range of bytes of the text as a
/// value: each run of white space is one space.
///
/// # Errors
///
/// As [`point`]; and [`MakeError::Paths`] if nothing is selected, or if no words tell where the part begins and ends.
///
/// ```
/// use wrapwright::make::{Pointed, point_part};
/// use wrapwright::{Document, Job, ParseSettings};
///
/// let page = |name: &str, by: &str| {
///     Document::from_source(name, format!("<h1>{name}</h1><p>By: <i>{by}</i></p>"), &ParseSettings::default())
/// };
/// let pages = [page("Kelp", "Ugo (1972)")?, page("Moss", "Ada Lovelace (1843)")?];
/// let by = *pages[0].page.texts().last().ok_or("no text")?;
/// let at = Pointed { document: 0, node: by, is_wrong: false };
/// let made = point_part(&pages, None, "year", at, 5..9, &Job::new())?;
/// assert_eq!(made.wrapper.extract(&pages[1])?[0].get("year"), Some("1843"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn point_part(
    documents: &[Document],
    wrapper: Option<&Wrapper>,
    field: &str,
    at: Pointed,
    selected: Range<usize>,
    job: &Job,
) -> Result<Made, MakeError> {
    let refused = |message: &str, advice: &'static str| MakeError::Paths {
        place: format!("`{field}`"),
        message: message.to_owned(),
        advice,
    };
    let mut made = point(documents, wrapper, field, &[at], job)?;
    // `point` has refused what is not on a page.
    let text = value(&documents[at.document].page, at.node);
    let wanted = text
        .get(selected.clone())
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let Some(wanted) = wanted else {
        return Err(refused("nothing is selected", "select a part of the text"));
    };
    if wanted == text {
        return Ok(made);
    }
    let begin = selected.start + text[selected.clone()].len() - text[selected].trim_start().len();
    let name = full_name(&made.wrapper, field);
    let tried = try_way(&made.wrapper, documents, &name, &first_way(&made.wrapper, &name));
    let others: Vec<String> = tried
        .map(|tried| tried.values.into_iter().map(|(_, _, text)| text).take(OTHERS).collect())
        .unwrap_or_default();
    let Some((after, before)) = around(&text, begin..begin + wanted.len(), &others) else {
        return Err(refused(
            "no words tell where this part of the text begins and ends",
            "select it with a word before or after it",
        ));
    };
    made.wrapper = changed(&made.wrapper, documents, &name, |ways| {
        for way in ways.iter_mut() {
            way.skips.clear();
            way.matching.clear();
            way.after.clone_from(&after);
            way.before.clone_from(&before);
        }
        Ok(())
    })?;
    made.notes
        .push(format!("the part of the text after {after:?} and before {before:?}"));
    Ok(made)
}

/// The name of a field with those of the records around it.
fn full_name(wrapper: &Wrapper, field: &str) -> String {
    let tables = wrapper.record_type.tables();
    let found = tables
        .iter()
        .find(|table| table.columns.iter().any(|column| column.path == [field]));
    let around = found.map_or(&[][..], |table| &table.path[..]);
    [around, &[field.to_owned()]].concat().join(".")
}

fn first_way(wrapper: &Wrapper, field: &str) -> Way {
    let first = super::ways::ways(wrapper, &[], field).into_iter().next();
    Way {
        path: first.map(|way| way.path).unwrap_or_default(),
        ..Way::default()
    }
}

/// The words before and after a part of a text that serve most of the other texts.
fn around(text: &str, selected: Range<usize>, others: &[String]) -> Option<(String, String)> {
    let wanted = &text[selected.clone()];
    let (head, tail) = (&text[..selected.start], &text[selected.end..]);
    let mut best: Option<(usize, std::cmp::Reverse<usize>, Way)> = None;
    for after in edges(head, true) {
        for before in edges(tail, false) {
            let way = Way {
                after: after.to_owned(),
                before: before.to_owned(),
                ..Way::default()
            };
            if part(text, &way) != Some(wanted) {
                continue;
            }
            let served = others.iter().filter(|other| part(other, &way).is_some()).count();
            let length = std::cmp::Reverse(after.len() + before.len());
            if best
                .as_ref()
                .is_none_or(|(most, least, _)| (served, length) > (*most, *least))
            {
                best = Some((served, length, way));
            }
        }
    }
    best.map(|(_, _, way)| (way.after, way.before))
}

/// The ends of a text, or its beginnings, that are whole words or signs, the shortest first; nothing if there is no text.
fn edges(text: &str, at_end: bool) -> Vec<&str> {
    if text.trim().is_empty() {
        return vec![""];
    }
    let is_cut = |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at..].chars().next());
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !(word(before) && word(after))
    };
    let cuts = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .filter(|at| is_cut(*at));
    let piece = |at: usize| if at_end { &text[at..] } else { &text[..at] };
    let pieces = cuts
        .map(piece)
        .filter(|piece| !piece.trim().is_empty() && piece.len() <= LONGEST);
    let mut pieces: Vec<&str> = pieces.collect();
    pieces.sort_by_key(|piece| piece.len());
    pieces.truncate(MOST);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_by_the_words_around_it() {
        let check = |text: &str, wanted: &str, others: &[&str], expected: Option<(&str, &str)>| {
            let begin = text.find(wanted).expect("a part");
            let others: Vec<String> = others.iter().map(|other| (*other).to_owned()).collect();
            let found = around(text, begin..begin + wanted.len(), &others);
            let found = found.as_ref().map(|(after, before)| (after.as_str(), before.as_str()));
            assert_eq!(found, expected, "{wanted} in {text}");
        };
        check("Ugo (1972)", "1972", &["Ada (1843)"], Some(("(", ")")));
        check("Ugo (1972)", "Ugo", &["Ada (1843)"], Some(("", " (")));
        check(
            "Price: 7.25 EUR",
            "7.25",
            &["Price: 9.10 EUR", "Price: 3 USD"],
            Some((": ", " EUR")),
        );
        check("2 reviews", "2", &["11 reviews"], Some(("", " reviews")));
        // The sign next to it comes twice, so more words are needed.
        check("a: b: c", "c", &["x: b: y"], Some(("b: ", "")));
        check("aXb", "X", &[], Some(("a", "b")));
        // Nothing tells the middle one from the first.
        assert_eq!(around("aaa", 1..2, &[]), None);
    }
}

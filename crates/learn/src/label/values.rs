//! From values to positions: which of the many occurrences of a text is the one that is meant.
//!
//! A value may be in the text of the page, with tags and references inside it, or in the source itself, such as an
//! address in an HTML attribute; both are searched. Most values occur several times, so the positions of all values of
//! all pages are chosen together ([`align`](super::align)): values are in the order of the page and do not overlap, values
//! of one field have similar surroundings (the 1, 3, 6 and 12 bytes on each side), and the tags between two neighbouring
//! values are usually the same. What a reader sees is preferred to what is in an attribute, a comment or a script, and
//! whole words to parts of them. These are preferences and no conditions: a value that is visible only as the beginning of
//! the next one is the one in the attribute before it.
//!
//! Values that occur only once are anchors and narrow the choice for those between them, so the time is about linear in
//! the number of values times their positions between two anchors.
//!
//! Known failure: where a record's values occur twice in the same order and in similar surroundings, as in a list and a
//! hidden copy of it, the first copy is taken.

use super::align::{Candidate, LOOKS, Sequence, align};
use super::occurrences::Occurrences;
use super::tags::Tags;
use page::SourceText;
use std::collections::BTreeMap;
use std::fmt;
use wrapper::rule::Found;

/// A value to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its field, from 0.
    pub field: usize,
    /// Its text.
    pub text: String,
    /// The number of its tuple, from 0.
    pub tuple: usize,
}

/// Where values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    /// One position for each value, in order.
    pub values: Vec<Found>,
    /// The numbers of the values for which another position would fit as well.
    pub ambiguous: Vec<usize>,
}

/// Why values could not be placed; the number is that of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// The value is empty.
    Empty(usize),
    /// The value is not on the page.
    NotFound(usize),
    /// The value is on the page, but not after the values before it.
    OutOfOrder(usize),
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::Empty(_) => {
                f.write_str("found an empty value, expected some text, or null where it is missing")
            }
            PlaceError::NotFound(_) => f.write_str("the value is not on the page"),
            PlaceError::OutOfOrder(_) => f.write_str("the value is on the page, but not after the values before it"),
        }
    }
}

impl std::error::Error for PlaceError {}

/// With more positions than this, only those of a value that do not begin or end inside a word are considered: a digit is inside
/// of many numbers.
const MOST_PLACES: usize = 4000;
/// The most positions of one value that are considered then.
const MOST_WHOLE: usize = 100_000;
/// The most positions of all values of a page; with more, each value keeps those nearest to where it is expected.
const MOST_IN_ALL: usize = 200_000;
/// The fewest positions that a value keeps then.
const LEAST_KEPT: usize = 8;
/// What it is worth that a position is visible, relative to one of the eight pieces of text around it.
const SEEN: f64 = 3.0;
/// What it is worth that it does not begin or end inside a word.
const WHOLE: f64 = 1.0;

#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    /// Does it begin and end at word boundaries?
    whole: bool,
    /// Is it visible to a reader?
    seen: bool,
}

/// Finds the positions of all values of a page, which must be given in the order of the page.
///
/// # Errors
///
/// The first value that is missing, or is not where it would have to be.
pub fn place(page: &str, wanted: &[Wanted]) -> Result<Placing, PlaceError> {
    let mut placed = place_all(&[(page, wanted)]);
    placed.pop().unwrap_or(Err(PlaceError::Empty(0)))
}

/// Finds the positions of all values of several pages of a site: what the surroundings of a field look like on one page helps
/// to find it on the others. The values of each page must be given in the order of the page.
pub fn place_all(pages: &[(&str, &[Wanted])]) -> Vec<Result<Placing, PlaceError>> {
    let mut errors: Vec<Option<PlaceError>> = Vec::new();
    let mut sequences = Vec::new();
    for (page, wanted) in pages {
        match sequence(page, wanted) {
            Ok(sequence) => {
                sequences.push(sequence);
                errors.push(None);
            }
            Err(error) => errors.push(Some(error)),
        }
    }
    let mut aligned = align(&sequences).into_iter().zip(&sequences);
    let each = pages.iter().zip(errors).map(|((_, wanted), error)| {
        if let Some(error) = error {
            return Err(error);
        }
        let Some((aligned, sequence)) = aligned.next() else {
            return Err(PlaceError::Empty(0));
        };
        let aligned = aligned.map_err(PlaceError::OutOfOrder)?;
        let found = |(number, chosen): (usize, &usize)| {
            let candidate = sequence.candidates[number][*chosen];
            Found {
                field: wanted[number].field as u32,
                start: candidate.start as u32,
                end: candidate.end as u32,
            }
        };
        Ok(Placing {
            values: aligned.chosen.iter().enumerate().map(found).collect(),
            ambiguous: aligned.ambiguous,
        })
    });
    each.collect()
}

/// The values of a page with all their places.
fn sequence<'s>(page: &'s str, wanted: &[Wanted]) -> Result<Sequence<'s>, PlaceError> {
    let source = Source::new(page);
    let mut known: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    for (number, value) in wanted.iter().enumerate() {
        if value.text.trim().is_empty() {
            return Err(PlaceError::Empty(number));
        }
        let places = known
            .entry(&value.text)
            .or_insert_with(|| source.places_of(&value.text));
        if places.is_empty() {
            return Err(PlaceError::NotFound(number));
        }
    }
    let all: Vec<&[Place]> = wanted
        .iter()
        .map(|value| known.get(value.text.as_str()).map_or(&[][..], Vec::as_slice))
        .collect();
    let look = |place: &Place| Candidate {
        start: place.start,
        end: place.end,
        own: f64::from(u8::from(place.whole)) * WHOLE + f64::from(u8::from(place.seen)) * SEEN,
        look: around(page.as_bytes(), place),
    };
    let candidates = narrow(&all).into_iter().map(|places| places.iter().map(look).collect());
    let tags = Tags::new(page);
    Ok(Sequence {
        values: wanted.iter().map(|value| (value.field, value.tuple)).collect(),
        candidates: candidates.collect(),
        between: Box::new(move |from, to| tags.between(from, to)),
    })
}

/// A page to search for values.
struct Source<'p> {
    page: &'p str,
    /// What a reader sees.
    text: SourceText,
    /// Where scripts and styles are, which a reader does not see.
    hidden: Vec<(usize, usize)>,
    in_page: Occurrences,
    in_text: Occurrences,
}

impl<'p> Source<'p> {
    fn new(page: &'p str) -> Source<'p> {
        let mut hidden = Vec::new();
        for (begin, end) in [("<script", "</script"), ("<style", "</style")] {
            let mut at = 0;
            while let Some(start) = find_tag(page, begin, at) {
                at = find_tag(page, end, start).unwrap_or(page.len());
                hidden.push((start, at));
            }
        }
        hidden.sort_unstable();
        Source {
            page,
            text: SourceText::new(page),
            hidden,
            in_page: Occurrences::new(),
            in_text: Occurrences::new(),
        }
    }

    fn is_hidden(&self, at: usize) -> bool {
        let after = self.hidden.partition_point(|(start, _)| *start <= at);
        after > 0 && at < self.hidden[after - 1].1
    }

    /// All positions where a text occurs, in order.
    fn places_of(&self, text: &str) -> Vec<Place> {
        let page = self.page;
        let mut places = Vec::new();
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut push = |start: usize, end: usize, seen: bool, only_whole: bool| {
            let before = word(page[..start].chars().next_back()) && word(page[start..].chars().next());
            let behind = word(page[end..].chars().next()) && word(page[..end].chars().next_back());
            let whole = !before && !behind;
            if places.len() < MOST_WHOLE && (whole || !only_whole) {
                places.push(Place {
                    start,
                    end,
                    whole,
                    seen,
                });
            }
        };
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = self.in_text.of(&self.text.text, &joined);
        let frequent = found.len() > MOST_PLACES;
        for at in found {
            if let Some((start, end)) = self.text.place(at, at + joined.len()) {
                push(start, end, !self.is_hidden(start), frequent);
            }
        }
        for form in written(text.trim()) {
            let found = self.in_page.of(page, &form);
            let frequent = found.len() > MOST_PLACES;
            for at in found {
                push(at, at + form.len(), false, frequent);
            }
        }
        places.sort_by_key(|place| (place.start, place.end, !place.seen));
        places.dedup_by_key(|place| (place.start, place.end));
        places
    }
}

/// The forms in which an attribute may have a value: as it is, or with references.
fn written(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    let amp = text.replace('&', "&amp;");
    let signs = amp.replace('<', "&lt;").replace('>', "&gt;");
    forms.push(amp);
    for (double, single) in [
        ("&quot;", "'"),
        ("&quot;", "&#39;"),
        ("&#34;", "&#x27;"),
        ("\"", "&#039;"),
    ] {
        forms.push(signs.replace('"', double).replace('\'', single));
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Where a tag next begins, in letters of either case.
fn find_tag(page: &str, tag: &str, from: usize) -> Option<usize> {
    let bytes = page.as_bytes();
    memchr::memchr_iter(b'<', &bytes[from..])
        .map(|at| from + at)
        .find(|at| {
            bytes
                .get(*at..at + tag.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(tag.as_bytes()))
        })
}

/// For each value, the positions between the anchors around it.
fn narrow<'a>(places: &[&'a [Place]]) -> Vec<&'a [Place]> {
    let anchors: Vec<usize> = (0..places.len()).filter(|number| places[*number].len() == 1).collect();
    let starts: Vec<usize> = anchors.iter().map(|number| places[*number][0].start).collect();
    let kept = longest_rising(&starts);
    let mut kept = kept.into_iter().map(|at| anchors[at]).peekable();
    let mut low = 0;
    let mut narrowed = Vec::with_capacity(places.len());
    for (number, all) in places.iter().enumerate() {
        if kept.next_if_eq(&number).is_some() {
            low = all[0].end;
            narrowed.push(*all);
            continue;
        }
        let high = kept.peek().map_or(usize::MAX, |anchor| places[*anchor][0].start);
        let first = all.partition_point(|place| place.start < low);
        let end = all.partition_point(|place| place.start < high);
        // If none is left, the anchors are wrong, or the value is: the order decides.
        narrowed.push(if first < end { &all[first..end] } else { all });
    }
    fewer(&mut narrowed);
    narrowed
}

/// Keeps the positions in the middle of what is left for each value, if there are too many in all.
fn fewer(places: &mut [&[Place]]) {
    let all: usize = places.iter().map(|places| places.len()).sum();
    if all <= MOST_IN_ALL {
        return;
    }
    let most = (MOST_IN_ALL / places.len().max(1)).max(LEAST_KEPT);
    let count = places.len();
    for (number, places) in places.iter_mut().enumerate() {
        if places.len() > most {
            // A value in the middle of its page is expected in the middle of its positions.
            let spare = places.len() - most;
            let first = spare * number / count.max(1);
            *places = &places[first..first + most];
        }
    }
}

/// The members of a longest rising subsequence.
fn longest_rising(values: &[usize]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; values.len()];
    for (at, value) in values.iter().enumerate() {
        let place = ends.partition_point(|end| values[*end] < *value);
        if place > 0 {
            before[at] = ends[place - 1];
        }
        if place == ends.len() {
            ends.push(at);
        } else {
            ends[place] = at;
        }
    }
    let mut chain = Vec::new();
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        chain.push(at);
        at = before[at];
    }
    chain.reverse();
    chain
}

const SURROUNDINGS: [usize; LOOKS / 2] = [1, 3, 6, 12];

/// Hashes of the text on both sides of a position.
fn around(bytes: &[u8], place: &Place) -> [u64; LOOKS] {
    let mut look = [0; LOOKS];
    for (number, len) in SURROUNDINGS.into_iter().enumerate() {
        look[2 * number] = hash(&bytes[place.start.saturating_sub(len)..place.start]);
        look[2 * number + 1] = hash(&bytes[place.end..(place.end + len).min(bytes.len())]);
    }
    look
}

/// The FNV hash of some bytes.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The most tuples of a page, and the most positions of a value, that the order of fields is judged by.
const JUDGED: (usize, usize) = (200, 64);

/// The order in which fields occur on the pages; where that does not show, the given order. `pages` are pages with the
/// tuples wanted there.
///
/// The field with most values that occur once on their page tells where each tuple is. One field is before another in a tuple
/// if all its positions between the neighbouring tuples are.
pub fn column_order(fields: usize, pages: &[(&str, &[Vec<Option<String>>])]) -> Vec<usize> {
    let mut before = vec![vec![0i64; fields]; fields];
    for (page, tuples) in pages {
        let source = Source::new(page);
        let mut known: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        let mut rows: Vec<Vec<Option<&str>>> = Vec::new();
        for tuple in tuples.iter().take(JUDGED.0) {
            let texts = tuple
                .iter()
                .map(|value| value.as_deref().filter(|text| !text.trim().is_empty()));
            let texts: Vec<Option<&str>> = texts.collect();
            for text in texts.iter().flatten() {
                known.entry(text).or_insert_with(|| source.places_of(text));
            }
            rows.push(texts);
        }
        let places = |row: &[Option<&str>], field: usize| -> &[Place] {
            let text = row.get(field).copied().flatten();
            text.and_then(|text| known.get(text)).map_or(&[], Vec::as_slice)
        };
        let once = |field: usize, row: &Vec<Option<&str>>| match places(row, field) {
            [place] => Some((place.start, place.end)),
            _ => None,
        };
        let count = |field: &usize| rows.iter().filter(|row| once(*field, row).is_some()).count();
        let Some(anchor) = (0..fields).rev().max_by_key(count) else {
            continue;
        };
        let anchors: Vec<Option<(usize, usize)>> = rows.iter().map(|row| once(anchor, row)).collect();
        for (number, row) in rows.iter().enumerate() {
            let earlier = anchors[..number].iter().rev().flatten().next();
            let later = anchors[number + 1..].iter().flatten().next();
            let (low, high) = match (earlier, later) {
                (Some(earlier), Some(later)) if earlier.1 > later.0 => (0, usize::MAX),
                (earlier, later) => (earlier.map_or(0, |at| at.1), later.map_or(usize::MAX, |at| at.0)),
            };
            // The first and the last position of each field.
            let spans: Vec<Option<(usize, usize)>> = (0..fields)
                .map(|field| {
                    let all = places(row, field);
                    let mut own = all
                        .iter()
                        .filter(|place| place.start >= low && place.end <= high)
                        .map(|place| place.start);
                    let first = own.next().filter(|_| all.len() <= JUDGED.1)?;
                    Some((first, own.next_back().unwrap_or(first)))
                })
                .collect();
            for (a, first) in spans.iter().enumerate() {
                for (b, second) in spans.iter().enumerate() {
                    if let (Some(first), Some(second)) = (first, second)
                        && first.1 < second.0
                    {
                        before[a][b] += 1;
                    }
                }
            }
        }
    }
    // There are few fields, so move each to the front of those that it precedes more often than it follows.
    let mut order: Vec<usize> = Vec::new();
    for (field, ahead) in before.iter().enumerate() {
        let stands_before = |other: &usize| ahead[*other] > before[*other][field];
        let at = order.iter().position(stands_before).unwrap_or(order.len());
        order.insert(at, field);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(tuples: &[&[&str]]) -> Vec<Wanted> {
        let each = tuples.iter().enumerate().flat_map(|(tuple, values)| {
            values.iter().enumerate().map(move |(field, text)| Wanted {
                field,
                text: (*text).to_owned(),
                tuple,
            })
        });
        each.collect()
    }

    #[test]
    fn surroundings_tell_like_values_apart() {
        let page = "<p>20 codes, 1 of 2</p><b>Egypt</b> <i>20</i><b>Russia</b> <i>7</i><b>20</b> <i>1</i><p>1 7</p>";
        let got = place(page, &wanted(&[&["Egypt", "20"], &["Russia", "7"], &["20", "1"]])).expect("places");
        let around: Vec<&str> = got
            .values
            .iter()
            .map(|value| &page[value.start as usize - 3..value.end as usize + 2])
            .collect();
        assert_eq!(
            around,
            ["<b>Egypt</", "<i>20</", "<b>Russia</", "<i>7</", "<b>20</", "<i>1</"]
        );
        assert!(got.ambiguous.is_empty());
    }

    #[test]
    fn values_read_as_a_reader_sees_them() {
        let page = "<a href=\"?a=1&amp;b=2\">Bed &amp;\n <b>Breakfast</b></a>";
        let got = place(page, &wanted(&[&["?a=1&b=2", "Bed & Breakfast"]])).expect("places");
        let texts: Vec<&str> = got.values.iter().map(|value| &page[value.range()]).collect();
        assert_eq!(texts, ["?a=1&amp;b=2", "Bed &amp;\n <b>Breakfast"]);
    }

    #[test]
    fn what_cannot_be_placed_is_told() {
        let page = "<p>a</p><q>b</q>";
        assert_eq!(place(page, &wanted(&[&["a", "c"]])), Err(PlaceError::NotFound(1)));
        assert_eq!(
            place("<p>aa</p><q>bb</q>", &wanted(&[&["bb", "aa"]])),
            Err(PlaceError::OutOfOrder(1))
        );
        assert_eq!(place(page, &wanted(&[&["a", " "]])), Err(PlaceError::Empty(1)));
        assert_eq!(
            column_order(
                2,
                &[("<p>xa</p><p>yb</p>", &[vec![Some("yb".into()), Some("xa".into())]])]
            ),
            [1, 0]
        );
        assert_eq!(column_order(2, &[(page, &[])]), [0, 1]);
    }
}

//! From values to positions: which of the many occurrences of a text is the one that is meant.
//!
//! A value may be in the text of the page, with tags and references inside it, or in the source itself, such as an
//! address in an HTML attribute; both are searched. Most values occur several times, so the positions are chosen
//! together: values are in the order of the page and do not overlap, and values of one field have similar surroundings.
//! Every position gets a score by how common its left and right surroundings (of 1, 3, 6 and 12 bytes) are among the
//! positions of its field; each value has one vote, divided among its positions. A position in the middle of a word
//! scores less. Dynamic programming finds the best sequence in order. Values that occur only once are anchors and
//! narrow the choice for those between them, so the time is about linear in the number of values times their positions
//! between two anchors.
//!
//! Two more facts about a field help. If all its values are visible on the page, the visible positions are meant, not
//! those in an address or a comment. And the tags between a value and its neighbours are usually the same: where a
//! value has several positions between its neighbours, it is moved to the one whose tags, on both sides, are those of
//! most others. This is repeated until nothing moves.
//!
//! Known failure: where a record's values occur twice in the same order and in similar surroundings, as in a list and a
//! hidden copy of it, the first copy is taken.

use memchr::memmem;
use page::SourceText;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use wrapper::rule::Found;

/// A value to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its field, from 0.
    pub field: usize,
    /// Its text.
    pub text: String,
    /// The number of its tuple, from 0, for messages.
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
            PlaceError::OutOfOrder(_) => f.write_str("the value is on the page, but not behind the values before it"),
        }
    }
}

impl std::error::Error for PlaceError {}

/// The most positions of one value that are considered.
const MOST_PLACES: usize = 4000;

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
    let seen = SourceText::new(page);
    let mut places = all_places(page, &seen, wanted)?;
    prefer_seen(wanted, &mut places);
    narrow(&mut places);
    let scores = scores(page, wanted, &places);
    // The best total of a sequence that ends with each position, and the position before it in that sequence.
    let mut totals: Vec<Vec<(f64, usize)>> = Vec::with_capacity(wanted.len());
    for (number, candidates) in places.iter().enumerate() {
        let mut row = vec![(f64::NEG_INFINITY, 0); candidates.len()];
        if number == 0 {
            for (at, place) in candidates.iter().enumerate() {
                row[at] = (scores[0][at] - place.start as f64 * 1e-9, 0);
            }
        } else {
            // The positions of the value before, by their ends; the best of those that end early enough.
            let before = &places[number - 1];
            let mut order: Vec<usize> = (0..before.len()).collect();
            order.sort_by_key(|at| before[*at].end);
            let (mut next, mut best): (usize, Option<usize>) = (0, None);
            for (at, place) in candidates.iter().enumerate() {
                while next < order.len() && before[order[next]].end <= place.start {
                    let gain = totals[number - 1][order[next]].0;
                    // Of equals, the latest, which is the nearest.
                    if best.is_none_or(|best| gain >= totals[number - 1][best].0) {
                        best = Some(order[next]);
                    }
                    next += 1;
                }
                if let Some(best) = best {
                    let gap = (place.start - before[best].end) as f64;
                    row[at] = (totals[number - 1][best].0 + scores[number][at] - gap * 1e-7, best);
                }
            }
        }
        if row.iter().all(|(total, _)| total.is_infinite()) {
            return Err(PlaceError::OutOfOrder(number));
        }
        totals.push(row);
    }
    let mut chosen = vec![0; wanted.len()];
    if let Some(last) = totals.last() {
        let mut at = (0..last.len())
            .max_by(|a, b| last[*a].0.total_cmp(&last[*b].0))
            .unwrap_or(0);
        for number in (0..wanted.len()).rev() {
            chosen[number] = at;
            at = totals[number][at].1;
        }
    }
    refine(page, wanted, &places, &scores, &mut chosen);
    let at = |number: usize| places[number][chosen[number]];
    let ambiguous = (0..wanted.len()).filter(|number| {
        let low = if *number == 0 { 0 } else { at(number - 1).end };
        let high = if number + 1 == wanted.len() {
            usize::MAX
        } else {
            at(number + 1).start
        };
        let rival = |(other, place): (usize, &Place)| {
            other != chosen[*number]
                && place.start >= low
                && place.end <= high
                && scores[*number][other] >= scores[*number][chosen[*number]] - 1e-9
        };
        places[*number].iter().enumerate().any(rival)
    });
    Ok(Placing {
        values: (0..wanted.len())
            .map(|number| Found {
                field: wanted[number].field as u32,
                start: at(number).start as u32,
                end: at(number).end as u32,
            })
            .collect(),
        ambiguous: ambiguous.collect(),
    })
}

fn all_places(page: &str, seen: &SourceText, wanted: &[Wanted]) -> Result<Vec<Vec<Place>>, PlaceError> {
    let mut known: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    let mut all = Vec::with_capacity(wanted.len());
    for (number, value) in wanted.iter().enumerate() {
        if value.text.trim().is_empty() {
            return Err(PlaceError::Empty(number));
        }
        let places = known
            .entry(&value.text)
            .or_insert_with(|| places_of(page, seen, &value.text));
        if places.is_empty() {
            return Err(PlaceError::NotFound(number));
        }
        all.push(places.clone());
    }
    Ok(all)
}

/// All positions where a text occurs, in order.
fn places_of(page: &str, seen: &SourceText, text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut push = |start: usize, end: usize, seen: bool| {
        let before = word(page[..start].chars().next_back()) && word(page[start..].chars().next());
        let behind = word(page[end..].chars().next()) && word(page[..end].chars().next_back());
        places.push(Place {
            start,
            end,
            whole: !before && !behind,
            seen,
        });
    };
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for at in memmem::find_iter(seen.text.as_bytes(), &joined).take(MOST_PLACES) {
        if let Some((start, end)) = seen.place(at, at + joined.len()) {
            push(start, end, true);
        }
    }
    let trimmed = text.trim();
    let escaped = trimmed.replace('&', "&amp;");
    for form in [trimmed, &escaped] {
        for at in memmem::find_iter(page.as_bytes(), form).take(MOST_PLACES) {
            push(at, at + form.len(), false);
        }
        if !trimmed.contains('&') {
            break;
        }
    }
    places.sort_by_key(|place| (place.start, place.end, !place.seen));
    places.dedup_by_key(|place| (place.start, place.end));
    places
}

/// Keeps only visible positions, for fields whose values are all visible.
fn prefer_seen(wanted: &[Wanted], places: &mut [Vec<Place>]) {
    let mut hidden = BTreeSet::new();
    for (value, places) in wanted.iter().zip(&*places) {
        if !places.iter().any(|place| place.seen) {
            hidden.insert(value.field);
        }
    }
    for (value, places) in wanted.iter().zip(places) {
        if !hidden.contains(&value.field) {
            places.retain(|place| place.seen);
        }
    }
}

/// Moves values between their neighbours to where the tags around them are most common.
fn refine(page: &str, wanted: &[Wanted], places: &[Vec<Place>], scores: &[Vec<f64>], chosen: &mut [usize]) {
    const MOST_ROUNDS: usize = 4;
    const MOST_RIVALS: usize = 50;
    for _ in 0..MOST_ROUNDS {
        let at = |number: usize, chosen: &[usize]| places[number][chosen[number]];
        let tags = |from: usize, to: usize| shape(&page[from..to]);
        let kind = |number: usize| (wanted[number].field, wanted.get(number + 1).map(|next| next.field));
        // How often each pair of fields has each sequence of tags between its values.
        let mut usual: BTreeMap<((usize, Option<usize>), u64), usize> = BTreeMap::new();
        for number in 1..wanted.len() {
            let between = tags(at(number - 1, chosen).end, at(number, chosen).start);
            *usual.entry((kind(number - 1), between)).or_default() += 1;
        }
        let mut moved = false;
        for number in 0..wanted.len() {
            let low = number.checked_sub(1).map(|before| at(before, chosen).end);
            let high = (number + 1 < wanted.len()).then(|| at(number + 1, chosen).start);
            let first = places[number].partition_point(|place| place.start < low.unwrap_or(0));
            let end = high.unwrap_or(page.len());
            let inside = (first..places[number].len()).take_while(|rival| places[number][*rival].start < end);
            let rivals = inside
                .filter(|rival| places[number][*rival].end <= end)
                .take(MOST_RIVALS);
            let count = |rival: usize| {
                let place = places[number][rival];
                let own = usize::from(rival == chosen[number]);
                let before = low.map_or(0, |low| {
                    let key = (kind(number - 1), tags(low, place.start));
                    usual.get(&key).copied().unwrap_or(0).saturating_sub(own)
                });
                let behind = high.map_or(0, |high| {
                    let key = (kind(number), tags(place.end, high));
                    usual.get(&key).copied().unwrap_or(0).saturating_sub(own)
                });
                before + behind
            };
            let rivals: Vec<usize> = rivals.collect();
            if rivals.len() < 2 {
                continue;
            }
            let order = |rival: &usize| {
                (
                    count(*rival),
                    (scores[number][*rival] * 1e6) as i64,
                    *rival == chosen[number],
                )
            };
            let best = rivals.into_iter().max_by_key(order).unwrap_or(chosen[number]);
            if best != chosen[number] && count(best) > count(chosen[number]) {
                chosen[number] = best;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
}

/// A hash of the names of the tags in a text; only the beginning of a long text counts.
fn shape(text: &str) -> u64 {
    const MOST_TAGS: usize = 60;
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut mix = |byte: u8| hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3);
    for at in memchr::memchr_iter(b'<', bytes).take(MOST_TAGS) {
        mix(b'<');
        let name = bytes[at + 1..].iter();
        name.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'/')
            .for_each(|byte| mix(*byte));
    }
    hash
}

/// Keeps, for each value, the positions between the anchors around it.
fn narrow(places: &mut [Vec<Place>]) {
    let anchors: Vec<usize> = (0..places.len()).filter(|number| places[*number].len() == 1).collect();
    let kept = longest_rising(
        &anchors
            .iter()
            .map(|number| places[*number][0].start)
            .collect::<Vec<_>>(),
    );
    let mut kept = kept.into_iter().map(|at| anchors[at]).peekable();
    let mut low = 0;
    let mut next = kept.next();
    for number in 0..places.len() {
        while next.is_some_and(|anchor| anchor < number) {
            next = kept.next();
        }
        if next == Some(number) {
            low = places[number][0].end;
            continue;
        }
        let high = next.map_or(usize::MAX, |anchor| places[anchor][0].start);
        let inside = |place: &&Place| place.start >= low && place.end <= high;
        let inner: Vec<Place> = places[number].iter().filter(inside).copied().collect();
        if !inner.is_empty() {
            places[number] = inner;
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

const SURROUNDINGS: [usize; 4] = [1, 3, 6, 12];

fn scores(page: &str, wanted: &[Wanted], places: &[Vec<Place>]) -> Vec<Vec<f64>> {
    let bytes = page.as_bytes();
    let left = |place: &Place, len: usize| &bytes[place.start.saturating_sub(len)..place.start];
    let right = |place: &Place, len: usize| &bytes[place.end..(place.end + len).min(bytes.len())];
    let mut votes: BTreeMap<(usize, bool, &[u8]), f64> = BTreeMap::new();
    let mut count: BTreeMap<usize, f64> = BTreeMap::new();
    for (value, candidates) in wanted.iter().zip(places) {
        *count.entry(value.field).or_default() += 1.0;
        let vote = 1.0 / candidates.len() as f64;
        for place in candidates {
            for len in SURROUNDINGS {
                *votes.entry((value.field, false, left(place, len))).or_default() += vote;
                *votes.entry((value.field, true, right(place, len))).or_default() += vote;
            }
        }
    }
    let score = |value: &Wanted, place: &Place| {
        let mut sum = 0.0;
        for len in SURROUNDINGS {
            for key in [
                (value.field, false, left(place, len)),
                (value.field, true, right(place, len)),
            ] {
                sum += votes.get(&key).copied().unwrap_or(0.0);
            }
        }
        sum / count.get(&value.field).copied().unwrap_or(1.0) + if place.whole { 1.0 } else { 0.0 }
    };
    let row =
        |(value, candidates): (&Wanted, &Vec<Place>)| candidates.iter().map(|place| score(value, place)).collect();
    wanted.iter().zip(places).map(row).collect()
}

/// The order in which fields occur on the pages, judged by values that occur once; where that is not enough, the given
/// order. `pages` are pages with the tuples wanted there.
pub fn column_order(fields: usize, pages: &[(&str, &[Vec<Option<String>>])]) -> Vec<usize> {
    let mut before = vec![vec![0i64; fields]; fields];
    for (page, tuples) in pages {
        let seen = SourceText::new(page);
        for tuple in tuples.iter().take(50) {
            let once = |value: &Option<String>| {
                let value = value.as_ref().filter(|value| !value.trim().is_empty())?;
                match &places_of(page, &seen, value)[..] {
                    [place] => Some(place.start),
                    _ => None,
                }
            };
            let places: Vec<Option<usize>> = tuple.iter().map(once).collect();
            for (a, first) in places.iter().enumerate() {
                for (b, second) in places.iter().enumerate() {
                    if let (Some(first), Some(second)) = (first, second)
                        && first < second
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

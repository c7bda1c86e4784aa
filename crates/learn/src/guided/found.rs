//! Where the values of a page's records are.
//!
//! Each value may be in many places. The places of all values of all pages are chosen together by [`align`]: values are in the order of
//! the page and do not overlap, values of one field look alike (the names of the elements around them, their classes, whether they
//! are all of a text), and as much is between two neighbouring values in each record. In which order the fields of a record come is
//! told by the values that have only one place.
//!
//! Values that are said once for several records, as in a heading, have too few places; they and values that are not in
//! order are placed afterwards. One field is the *anchor* of its record: the one with most values in place. Of each other value the place
//! is taken that is between the anchors before and after, or else the last one above.

use super::{Lesson, Pins, Trouble, Wanted, paths, spots_of};
use crate::label::align::{Candidate, LOOKS, Sequence, align};
use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wrapper::profile::{Places, Spot};

/// The records of one page, found on it.
pub(super) struct Found {
    /// The anchor of each record.
    pub(super) anchors: Vec<Option<NodeId>>,
    /// The spots of each record's values: by field, by value.
    pub(super) spots: Spots,
}

/// For each record, for each field, for each value: where it may be.
pub(super) type Spots = Vec<Vec<Vec<Vec<Spot>>>>;

/// The look of a spot: the names of the elements around it, and whether it is all of its text.
pub(super) fn sign(page: &Page, spot: &Spot) -> String {
    let names = page.ancestors(spot.node).map(|up| page.name(up));
    let own = match page.kind(spot.node) {
        Kind::Attribute => format!("@{}", page.name(spot.node)),
        Kind::Text => "text".to_owned(),
        _ => page.name(spot.node).to_owned(),
    };
    let whole = if spot.is_whole() { "" } else { "~" };
    format!("{whole}{own}<{}", names.collect::<Vec<_>>().join("<"))
}

/// Finds the values of the records of all pages.
pub(super) fn find(wanted: &[Wanted], lessons: &[Lesson<'_>], pins: &[Pins], missed: &mut Vec<Trouble>) -> Vec<Found> {
    let spots: Vec<Spots> = lessons
        .iter()
        .zip(pins)
        .map(|(lesson, pins)| all_spots(wanted, lesson, pins, missed))
        .collect();
    let order = order(wanted, lessons, &spots);
    let mut left_out: Vec<LeftOut> = lessons
        .iter()
        .zip(&spots)
        .map(|(lesson, spots)| LeftOut::new(wanted, lesson, spots))
        .collect();
    // A value that is not in order is left out, and so is a field with several such values.
    let chosen = loop {
        let sequences: Vec<(Sequence<'_>, Vec<Value>)> = lessons
            .iter()
            .zip(&spots)
            .zip(&left_out)
            .map(|((lesson, spots), left_out)| sequence(lesson, spots, &order, left_out))
            .collect();
        let (sequences, values): (Vec<Sequence<'_>>, Vec<Vec<Value>>) = sequences.into_iter().unzip();
        let aligned = align(&sequences);
        let mut again = false;
        for ((aligned, values), left_out) in aligned.iter().zip(&values).zip(&mut left_out) {
            if let Err(number) = aligned {
                again |= left_out.add(values.get(*number).copied());
            }
        }
        if !again {
            let each = aligned.into_iter().zip(values).map(|(aligned, values)| match aligned {
                Ok(aligned) => values.into_iter().zip(aligned.chosen).collect::<BTreeMap<_, _>>(),
                Err(_) => BTreeMap::new(),
            });
            break each.collect::<Vec<_>>();
        }
    };
    let each = lessons.iter().zip(spots).zip(&chosen);
    each.map(|((lesson, spots), chosen)| placed(wanted, lesson, spots, chosen))
        .collect()
}

/// All places of the values of a page.
pub(super) fn all_spots(wanted: &[Wanted], lesson: &Lesson<'_>, pins: &Pins, missed: &mut Vec<Trouble>) -> Spots {
    let places = Places::new(lesson.page);
    let mut known: HashMap<&str, Vec<Spot>> = HashMap::new();
    for text in lesson.records.iter().flatten().flatten() {
        known.entry(text.as_str()).or_insert_with(|| {
            let mut spots = spots_of(lesson.page, &places, pins, text);
            spots.sort_by_key(|spot| span(lesson.page, spot, text));
            spots
        });
    }
    let spots: Spots = lesson
        .records
        .iter()
        .map(|record| {
            record
                .iter()
                .map(|values| values.iter().map(|text| known[text.as_str()].clone()).collect())
                .collect()
        })
        .collect();
    for (record, spots) in lesson.records.iter().zip(&spots) {
        for ((want, values), spots) in wanted.iter().zip(record).zip(spots) {
            let lost = values.iter().zip(spots).filter(|(_, spots)| spots.is_empty());
            missed.extend(lost.map(|(text, _)| Trouble::NotFound {
                page: lesson.name.to_owned(),
                field: want.name.clone(),
                value: text.clone(),
            }));
        }
    }
    spots
}

/// Where a value is in the text of the page. An attribute is before the text of its element, and takes no room.
fn span(page: &Page, spot: &Spot, value: &str) -> (usize, usize) {
    let range = page.text_range(paths::owner(page, spot.node));
    if page.is_attribute(spot.node) {
        return (range.start, range.start);
    }
    let range = page.text_range(spot.node);
    match spot.is_whole() {
        true => (range.start, range.end),
        false => {
            let start = range.start + spot.before.len().min(range.len());
            (start, (start + value.len()).min(range.end.max(start)))
        }
    }
}

/// A value of a page: its record and its field.
type Value = (usize, usize);

/// What is not placed by alignment.
struct LeftOut {
    fields: HashSet<usize>,
    values: HashSet<Value>,
}

/// The values of a field that may be out of order before the field is left out.
const OUT_OF_ORDER: usize = 2;

impl LeftOut {
    /// Fields with several values in a record, and those that have fewer places than values.
    fn new(wanted: &[Wanted], lesson: &Lesson<'_>, spots: &Spots) -> LeftOut {
        let is_left_out = |field: &usize| {
            let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
            for (record, spots) in lesson.records.iter().zip(spots) {
                let values = record.get(*field).into_iter().flatten();
                for (text, spots) in values.zip(spots.get(*field).into_iter().flatten()) {
                    counts.entry(text).or_insert((0, spots.len())).0 += 1;
                }
            }
            wanted[*field].many || counts.values().any(|(records, places)| *places > 0 && records > places)
        };
        LeftOut {
            fields: (0..wanted.len()).filter(is_left_out).collect(),
            values: HashSet::new(),
        }
    }

    /// Leaves out a value; false if there is none.
    fn add(&mut self, value: Option<Value>) -> bool {
        let Some((record, field)) = value else { return false };
        self.values.insert((record, field));
        if self.values.iter().filter(|(_, other)| *other == field).count() > OUT_OF_ORDER {
            self.fields.insert(field);
        }
        true
    }
}

/// The order in which fields come in records, by the values that have one place; where that does not show, the given order.
fn order(wanted: &[Wanted], lessons: &[Lesson<'_>], spots: &[Spots]) -> Vec<usize> {
    let count = wanted.len();
    let mut before = vec![vec![0i64; count]; count];
    for (lesson, spots) in lessons.iter().zip(spots) {
        for (record, texts) in spots.iter().zip(&lesson.records) {
            let only = |field: usize| match record.get(field)?.first()?.as_slice() {
                [spot] => Some(span(lesson.page, spot, texts.get(field)?.first()?)),
                _ => None,
            };
            let places: Vec<Option<(usize, usize)>> = (0..count).map(only).collect();
            for (one, place) in places.iter().enumerate() {
                for (other, there) in places.iter().enumerate() {
                    if let (Some(place), Some(there)) = (place, there) {
                        before[one][other] += i64::from(place < there) - i64::from(there < place);
                    }
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    let wins = |field: usize| (0..count).filter(|other| before[field][*other] > 0).count();
    order.sort_by_key(|field| std::cmp::Reverse(wins(*field)));
    // Fields whose place does not show stay beside those that are given before them.
    for (field, votes) in before.iter().enumerate() {
        let shows = votes.iter().any(|votes| *votes != 0);
        if !shows && let Some(at) = order.iter().position(|other| *other == field) {
            order.remove(at);
            let to = match field.checked_sub(1) {
                Some(previous) => order.iter().position(|other| *other == previous).map_or(0, |at| at + 1),
                None => 0,
            };
            order.insert(to, field);
        }
    }
    order
}

/// What it is worth that a value is all of its text, relative to one number of a look; a part of a text is worth as much less as it is
/// shorter. So the smallest of the elements around a part is taken.
const WHOLE: f64 = 2.0;
/// What a text is worth more than an attribute.
const TEXT: f64 = 1.0;

/// The values of a page that are placed by alignment, in order.
fn sequence<'s>(lesson: &Lesson<'s>, spots: &Spots, order: &[usize], left_out: &LeftOut) -> (Sequence<'s>, Vec<Value>) {
    let page = lesson.page;
    let mut values = Vec::new();
    let mut candidates = Vec::new();
    for (record, fields) in spots.iter().enumerate() {
        for field in order.iter().copied() {
            let all = fields
                .get(field)
                .and_then(|values| values.first())
                .filter(|all| !all.is_empty());
            let Some(all) = all.filter(|_| !left_out.fields.contains(&field)) else {
                continue;
            };
            if left_out.values.contains(&(record, field)) {
                continue;
            }
            values.push((record, field));
            let text = &lesson.records[record][field][0];
            candidates.push(all.iter().map(|spot| candidate(page, spot, text)).collect());
        }
    }
    let sequence = Sequence {
        values: values.iter().map(|(record, field)| (*field, *record)).collect(),
        candidates,
        between: Box::new(move |from, to| {
            let begins = |at: usize| page.texts().partition_point(|text| page.text_range(*text).start < at);
            (begins(to) - begins(from).min(begins(to))) as u64
        }),
    };
    (sequence, values)
}

fn candidate(page: &Page, spot: &Spot, text: &str) -> Candidate {
    let hash = |of: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        of(&mut hasher);
        hasher.finish()
    };
    let name = |node: NodeId| (page.name(node), page.attribute_value(node, "class").unwrap_or(""));
    let around = |levels: usize| {
        hash(&|hasher| {
            page.is_attribute(spot.node).hash(hasher);
            let up = std::iter::once(spot.node).chain(page.ancestors(spot.node));
            up.take(levels).for_each(|up| name(up).hash(hasher));
        })
    };
    let sign = hash(&|hasher| sign(page, spot).hash(hasher));
    let whole = u64::from(spot.is_whole());
    let (start, end) = span(page, spot, text);
    let around_it = spot.before.len() + spot.behind.len();
    let share = text.len() as f64 / (text.len() + around_it).max(1) as f64;
    let (before, behind) = (spot.before.chars().next_back(), spot.behind.chars().next());
    let signs = hash(&|hasher| (before, behind).hash(hasher));
    let mut look = [0; LOOKS];
    look.copy_from_slice(&[sign, sign, sign, around(1), around(2), around(3), whole, signs]);
    Candidate {
        start,
        end: end.max(start),
        own: WHOLE * share + TEXT * f64::from(u8::from(!page.is_attribute(spot.node))),
        look,
    }
}

/// The anchors of a page's records and the spots of their values, the likeliest first.
fn placed(wanted: &[Wanted], lesson: &Lesson<'_>, mut spots: Spots, chosen: &BTreeMap<Value, usize>) -> Found {
    let page = lesson.page;
    // The look that most of the places of a field have.
    for field in 0..wanted.len() {
        let mut looks: BTreeMap<String, usize> = BTreeMap::new();
        for (record, fields) in spots.iter().enumerate() {
            if let Some(place) = chosen.get(&(record, field)) {
                *looks.entry(sign(page, &fields[field][0][*place])).or_default() += 1;
            }
        }
        let usual = looks.into_iter().max_by_key(|(_, count)| *count).map(|(look, _)| look);
        for (record, fields) in spots.iter_mut().enumerate() {
            let Some(all) = fields.get_mut(field).and_then(|values| values.first_mut()) else {
                continue;
            };
            if let Some(place) = chosen.get(&(record, field)) {
                let first = all.remove(*place);
                all.retain(|spot| Some(sign(page, spot)) == usual);
                all.insert(0, first);
            }
        }
    }
    let anchors = anchors(wanted, lesson, &spots, chosen);
    for number in 0..spots.len() {
        let Some(anchor) = anchors[number] else { continue };
        let earlier = anchors[..number].iter().rev().flatten().next().copied();
        let before = earlier.unwrap_or(NodeId::DOCUMENT);
        let behind = anchors[number + 1..].iter().flatten().next().copied();
        let own = |spot: &Spot| spot.node > before && behind.is_none_or(|behind| spot.node < behind);
        for (field, values) in spots[number].iter_mut().enumerate() {
            for (at, spots) in values.iter_mut().enumerate() {
                if at == 0 && chosen.contains_key(&(number, field)) {
                    let first = spots.remove(0);
                    spots.retain(own);
                    spots.sort_by_key(|spot| spot.node.0.abs_diff(anchor.0));
                    spots.insert(0, first);
                } else if spots.iter().any(own) {
                    spots.retain(own);
                    spots.sort_by_key(|spot| spot.node.0.abs_diff(anchor.0));
                } else {
                    // A heading: the last one above.
                    spots.retain(|spot| spot.node < anchor);
                    spots.sort_by_key(|spot| std::cmp::Reverse(spot.node));
                }
            }
        }
    }
    Found { anchors, spots }
}

/// The anchor of each record: the place of the field with most values in place, and among these with most different ones.
fn anchors(
    wanted: &[Wanted],
    lesson: &Lesson<'_>,
    spots: &Spots,
    chosen: &BTreeMap<Value, usize>,
) -> Vec<Option<NodeId>> {
    let mut best: (usize, usize, Vec<Option<NodeId>>) = (0, 0, vec![None; spots.len()]);
    for field in 0..wanted.len() {
        let texts = lesson.records.iter().filter_map(|record| record.get(field)?.first());
        let distinct: HashSet<&String> = texts.collect();
        let mut last = NodeId::DOCUMENT;
        let mut anchors = Vec::new();
        for (record, fields) in spots.iter().enumerate() {
            // A record is an element, also if an attribute is what is known of it.
            let place = chosen
                .get(&(record, field))
                .map(|_| paths::owner(lesson.page, fields[field][0][0].node));
            let place = place.filter(|node| *node > last);
            last = place.unwrap_or(last);
            anchors.push(place);
        }
        let count = anchors.iter().flatten().count();
        if (count, distinct.len()) > (best.0, best.1) {
            best = (count, distinct.len(), anchors);
        }
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::learned;

    type Row<'r> = [&'r str; 3];

    fn given<'r>(rows: &'r [Row<'r>]) -> Vec<&'r [&'r str]> {
        rows.iter().map(<[&str; 3]>::as_slice).collect()
    }

    #[test]
    fn values_that_repeat_are_told_apart_by_their_order() {
        // The same few words in two columns and in a menu of the same look.
        let page = |rows: &[Row<'_>]| {
            let menu = "<tr><td>A</td><td>B</td><td>C</td></tr>".repeat(2);
            let rows = rows
                .iter()
                .map(|[name, one, other]| format!("<tr><td>{name}</td><td>{one}</td><td>{other}</td></tr>"));
            let rows: String = rows.collect();
            format!("<table>{menu}</table><p>Marks</p><table>{rows}</table>")
        };
        let rows = [
            ["Ash", "B", "A"],
            ["Elm", "A", "A"],
            ["Fir", "A", "B"],
            ["Ivy", "B", "C"],
        ];
        let other = page(&[["Oak", "C", "B"], ["Yew", "A", "C"]]);
        let found = learned(&["name", "first", "second"], &page(&rows), &given(&rows), &other);
        assert_eq!(found, ["Oak|C|B", "Yew|A|C"]);
    }

    #[test]
    fn a_value_may_begin_the_next_one() {
        let page = |rows: &[Row<'_>]| {
            let rows = rows
                .iter()
                .map(|[short, long, year]| format!("<li>{short}: <b>{long}</b> <i>{year}</i></li>"));
            format!("<ul>{}</ul>", rows.collect::<String>())
        };
        let rows = [
            ["Ash", "Ash in May", "1990"],
            ["Elm", "Elm in June", "1991"],
            ["Fir", "Fir in July", "1992"],
        ];
        let other = page(&[["Oak", "Oak in March", "1995"], ["Yew", "Yew in April", "1996"]]);
        let found = learned(&["tree", "title", "year"], &page(&rows), &given(&rows), &other);
        assert_eq!(found, ["Oak|Oak in March|1995", "Yew|Yew in April|1996"]);
    }

    #[test]
    fn values_may_be_given_in_any_order_of_fields() {
        let page = |rows: &[Row<'_>]| {
            let rows = rows
                .iter()
                .map(|[year, name, link]| format!("<p><a href={link}>{name}</a> since {year}.</p>"));
            rows.collect::<String>()
        };
        let rows = [["1990", "Ash", "/a"], ["1990", "Elm", "/e"], ["1992", "Fir", "/f"]];
        let other = page(&[["2001", "Oak", "/o"], ["2001", "Yew", "/y"]]);
        let found = learned(&["since", "name", "link"], &page(&rows), &given(&rows), &other);
        assert_eq!(found, ["2001|Oak|/o", "2001|Yew|/y"]);
    }

    #[test]
    fn two_records_in_a_row() {
        let page = |rows: &[[&str; 2]]| {
            let rows = rows
                .iter()
                .map(|[one, other]| format!("<tr><td>{one}</td><td>&nbsp;</td><td><br></td><td>{other}</td></tr>"));
            format!("<p>Dates</p><table>{}</table>", rows.collect::<String>())
        };
        let first = page(&[
            ["May 1", "June 3"],
            ["May 7", "June 9"],
            ["May 9", "July 1"],
            ["May 30", "&nbsp;"],
        ]);
        let other = page(&[["August 1", "August 2"], ["August 3", " "]]);
        let given = ["May 1", "June 3", "May 7", "June 9", "May 9", "July 1", "May 30"];
        let given: Vec<Vec<&str>> = given.iter().map(|date| vec![*date]).collect();
        let given: Vec<&[&str]> = given.iter().map(Vec::as_slice).collect();
        let found = learned(&["date"], &first, &given, &other);
        assert_eq!(found, ["August 1", "August 2", "August 3"]);
    }
}

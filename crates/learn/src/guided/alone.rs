//! The list that a record belongs to, if it is the only one that is given of its page, or one of few.
//!
//! Many records show where one ends and the next begins; one does not. What shows it is what repeats around the record:
//!
//! 1. *Where*: a value may be in many places. Those that are deepest inside one element together are taken (`gather`): first those
//!    where a value is all of a text, and if these show no list, also those where it is a part of one.
//! 2. *One element*: if that element is one of several in the same place of the structure in which most fields find something, it is
//!    the record (`similar`), unless the labels of its values are different in all others (`has_own_labels`). Paths are chosen with
//!    regard to these others from the beginning (`in_same_places`): what only one record says leads to nothing there.
//! 3. *Rows below a heading* (`below_heading`): the first values of the page's order may be a heading of several records. The others are
//!    in one element, and the heading has several of that kind below it, more or fewer of them in each group: columns of a row would be
//!    as many in each row. A heading that the page has once counts only with two examples: one may be of a page that is one record,
//!    with other things like it below.
//! 4. *Several elements in a row* (`run`): `dt` and `dd`, two rows of a table, a heading and paragraphs. The values are in different children
//!    of one element. One of them begins the record: the only one of its shape among the children from the first value to the last.
//!    If there are others of this shape, with most fields after each of them and before the next, each begins a record.
//!
//! A page that is one record repeats, too: rows with a label and a value. There the values of the example are spread over rows of
//! the *same* shape, so no shape is that of one row only, and there is no run. If the shapes differ by chance, labels decide:
//! those of a list are the same in each record, those of one record are all different. Words with digits are no labels, since
//! they may be about one record.
//!
//! Each of a few records is looked at by itself. If all are found to be of one list, and it has at least as many more, that is the list, so
//! that a further record takes nothing away.
//!
//! **Cost**: linear in the elements of the page, for each field.
//!
//! Known failures: records of one field; two values in each row of a page that is one record look like a list, if their labels do not say what the fields are called; a record without the field that begins it joins the record before.

use super::labels::{self, Labels, label, says_something};
use super::paths::owner;
use super::records::holds;
use super::unseen::{LIKE, alike};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::profile::{Places, Spot};
use wrapper::rule::paths::value;

/// The fewest records of a list, with the one that is given: two things of one shape may be alike by chance.
pub(super) const LEAST: usize = 3;
/// The most places of one value that are looked at, and the most before and after a place of another value.
const PLACES: usize = 64;
/// The most further places of a value that most records of a long list have.
const FAR: usize = 10_000;
/// At least one group in three must have several records, or its heading is a value of one record.
const GROUPS: usize = 3;
/// Elements that a parser opens again if they are not closed: the formatting elements of the HTML standard without links.
const FORMATTING: [&str; 13] = [
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// The most steps from a child to a value; a longer way is no shape of a row.
const STEPS: usize = 24;

/// Adds the places of a value that many records say, of which only the first are known: nodes whose whole text it is, and which cannot be chosen in a form.
pub(super) fn add_far(page: &Page, places: &Places, text: &str, spots: &mut Vec<Spot>) {
    let all = places.everywhere(text);
    let Some(last) = spots.iter().map(|spot| spot.node).max() else {
        return;
    };
    if !spots.iter().all(Spot::is_whole) {
        return;
    }
    let is_choice = |node: NodeId| page.ancestors(node).chain([node]).any(|up| page.name(up) == "option");
    let more = all.iter().copied().filter(|node| *node > last && !is_choice(*node));
    spots.extend(more.take(FAR).map(|node| Spot {
        node,
        before: String::new(),
        behind: String::new(),
    }));
}

/// The places of a value as a part of texts, between words, if it is the whole text of others: the record may say `by Acme`, and a menu `Acme`.
pub(super) fn parts(page: &Page, places: &Places, text: &str, whole: &[Spot]) -> Vec<Spot> {
    if !whole.first().is_some_and(Spot::is_whole) {
        return Vec::new();
    }
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_word = |spot: &Spot| !is_letter(spot.before.chars().next_back()) && !is_letter(spot.behind.chars().next());
    let is_text = |spot: &Spot| page.kind(spot.node) != Kind::Attribute;
    let mut parts = places.parts(text);
    parts.retain(|spot| !spot.is_whole() && is_word(spot) && is_text(spot));
    parts.truncate(PLACES);
    parts
}

/// Takes, for each value of a record, the place that is deepest inside one element together with the other values.
pub(super) fn gather(page: &Page, spots: &mut [Vec<Vec<Spot>>]) {
    let mut values: Vec<(usize, usize)> = spots
        .iter()
        .enumerate()
        .flat_map(|(field, values)| (0..values.len()).map(move |at| (field, at)))
        .filter(|(field, at)| !spots[*field][*at].is_empty())
        .collect();
    // The value with the fewest places says most about where the others are.
    values.sort_by_key(|(field, at)| spots[*field][*at].len());
    let Some((first, at)) = values.first().copied().filter(|_| values.len() > 1) else {
        return;
    };
    // The places of each value in the order of the page.
    let orders: HashMap<(usize, usize), Vec<usize>> = values
        .iter()
        .map(|(field, number)| {
            let all = &spots[*field][*number];
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by_key(|at| all[*at].node);
            ((*field, *number), order)
        })
        .collect();
    let mut best: Option<(usize, Vec<usize>)> = None;
    for seed in 0..spots[first][at].len().min(PLACES) {
        let node = spots[first][at][seed].node;
        // Elements around the seed, by how deep they are.
        let mut around: Vec<NodeId> = std::iter::once(node).chain(page.ancestors(node)).collect();
        around.reverse();
        let depths: HashMap<NodeId, usize> = around.iter().enumerate().map(|(depth, up)| (*up, depth)).collect();
        let (mut depth, mut picked, mut taken) = (0, Vec::new(), Vec::new());
        for (field, number) in &values {
            if (*field, *number) == (first, at) {
                picked.push(seed);
                taken.push((node, spots[first][at][seed].is_whole()));
                continue;
            }
            let of = |spot: &Spot| {
                let mut up = std::iter::once(spot.node).chain(page.ancestors(spot.node));
                let depth = up.find_map(|up| depths.get(&up).copied()).unwrap_or(0);
                // Another value says it all: a number in a name is not the number that is meant. The address of a link is no part
                // of its text.
                let is_shown = page.kind(spot.node) != Kind::Attribute;
                let is_taken = |(node, whole): &(NodeId, bool)| {
                    *whole && (*node == spot.node || is_shown && holds(page, *node, spot.node))
                };
                let is_free = !taken.iter().any(is_taken);
                let rest = std::cmp::Reverse(spot.before.len() + spot.behind.len());
                let distance = std::cmp::Reverse(spot.node.0.abs_diff(node.0));
                (is_free, depth, spot.is_whole(), is_shown, rest, distance)
            };
            // Those around the seed. The first of equals.
            let order = &orders[&(*field, *number)];
            let all = &spots[*field][*number];
            let middle = order.partition_point(|at| all[*at].node < node);
            let near = &order[middle.saturating_sub(PLACES)..order.len().min(middle + PLACES)];
            let key = |at: &&usize| (of(&all[**at]), std::cmp::Reverse(**at));
            let Some(place) = near.iter().max_by_key(key).copied() else {
                continue;
            };
            let spot = &all[place];
            depth += of(spot).1;
            picked.push(place);
            taken.push((spot.node, spot.is_whole()));
        }
        if best.as_ref().is_none_or(|(most, _)| depth > *most) {
            best = Some((depth, picked));
        }
    }
    for ((field, number), place) in values.iter().zip(best.into_iter().flat_map(|(_, picked)| picked)) {
        let all = &mut spots[*field][*number];
        let spot = all.remove(place);
        all.insert(0, spot);
    }
}

/// The records like one of a page, the given one first, and whether its values are inside of it.
pub(super) struct Alike {
    pub(super) records: Vec<NodeId>,
    pub(super) inside: bool,
}

/// The names of an element and of those around it: its place in the structure. A parser opens elements that a page forgot to close again in
/// all that follows, so that records are deeper and deeper; beyond the paragraph or cell they do not count.
pub(super) fn way(page: &Page, node: NodeId) -> impl Iterator<Item = &str> {
    let up = std::iter::once(node).chain(page.ancestors(node));
    up.scan(false, |is_beyond, up| {
        let name = page.name(up);
        let is_left_out = *is_beyond && FORMATTING.contains(&name);
        *is_beyond |= !vocabulary::is_phrasing(name);
        Some((!is_left_out).then_some(name))
    })
    .flatten()
}

/// The list of a record, if more than its one element shows it; `fields` are the places of its values. A heading that the page has once
/// may be what the whole page is about, so it is one of a list only if there are `several` examples.
pub(super) fn list(page: &Page, fields: &[Vec<Vec<Spot>>], names: &[&str], several: bool) -> Option<Alike> {
    let mut values: Vec<(usize, &Spot)> = fields
        .iter()
        .enumerate()
        .filter_map(|(field, values)| Some((field, values.first()?.first()?)))
        .collect();
    values.sort_by_key(|(field, spot)| (spot.node, *field));
    let example = Example { page, values, names };
    let with = |inside: bool| move |records: Vec<NodeId>| Alike { records, inside };
    let below = (1..).take_while(|count| count + 2 <= example.values.len());
    let mut below = below.filter_map(|count| example.below_heading(count, several));
    below.next().map(with(true)).or_else(|| example.run().map(with(false)))
}

/// The elements in the same place of the structure as the smallest one around the values of a record in which most fields find
/// something in the same place, with the given one. If its values are all in one text, every text would be like it, so the signs around
/// the values must be the same.
pub(super) fn in_same_places(page: &Page, fields: &[Vec<Vec<Spot>>]) -> Vec<NodeId> {
    let example = Example::of(page, fields);
    let Some(own) = example.around(&example.values).filter(|_| example.values.len() > 1) else {
        return Vec::new();
    };
    let nodes: HashSet<NodeId> = example.values.iter().map(|(_, spot)| spot.node).collect();
    if nodes.len() == 1 {
        return with_same_signs(&example, own);
    }
    let shapes = example.values.iter().map(|(_, spot)| Shape::new(page, own, spot.node));
    let Some(shapes) = shapes.collect::<Option<Vec<Shape<'_>>>>() else {
        return Vec::new();
    };
    let mut similar = example.similar(own);
    similar.retain(|record| {
        let found = shapes.iter().filter(|shape| shape.find(page, *record).is_some());
        *record == own || found.count() * 3 >= shapes.len() * 2
    });
    similar
}

/// Are the elements around the values of each record different ones in the same place, with as many others like them?
pub(super) fn are_of_one_list(page: &Page, records: &[Vec<Vec<Vec<Spot>>>]) -> bool {
    let own = |fields: &Vec<Vec<Vec<Spot>>>| {
        let example = Example::of(page, fields);
        example.around(&example.values)
    };
    let owns: HashSet<NodeId> = records.iter().filter_map(own).collect();
    let similar = records
        .first()
        .map(|fields| in_same_places(page, fields))
        .unwrap_or_default();
    owns.len() == records.len() && similar.len() >= records.len() * 2 && owns.iter().all(|own| similar.contains(own))
}

/// The elements in the same place as one whose text has all values in it, if most of them have the signs that are around the values.
fn with_same_signs(example: &Example<'_>, own: NodeId) -> Vec<NodeId> {
    let page = example.page;
    let text = value(page, own);
    // What is left of the text without its values.
    let mut is_value = vec![false; text.len()];
    for (_, spot) in &example.values {
        let end = text.len().saturating_sub(spot.behind.len());
        let of = spot.before.len().min(end)..end;
        is_value[of].fill(true);
    }
    let signs: BTreeSet<char> = text
        .char_indices()
        .filter(|(at, letter)| !is_value[*at] && !letter.is_alphanumeric() && !letter.is_whitespace())
        .map(|(_, letter)| letter)
        .collect();
    let similar = example.similar(own);
    let has_signs = |node: &NodeId| {
        let text = page.string_value(*node);
        signs.iter().all(|sign| text.contains(*sign))
    };
    let like: Vec<NodeId> = similar.iter().copied().filter(has_signs).collect();
    match !signs.is_empty() && like.len() * 3 >= similar.len() * 2 {
        true => like,
        false => Vec::new(),
    }
}

/// Do the places of a record's values show a list?
pub(super) fn shows_list(page: &Page, fields: &[Vec<Vec<Spot>>], names: &[&str], several: bool) -> bool {
    in_same_places(page, fields).len() >= LEAST || list(page, fields, names, several).is_some()
}

/// Have the values of a record, which is the element `own`, labels that the same places of other elements do not have? Then these are other
/// parts of the same record: `SKU A-1, Brand Acme` in a row, and `Stock 3, Weight 2 kg` in the next.
pub(super) fn has_own_labels(
    page: &Page,
    fields: &[Vec<Vec<Spot>>],
    names: &[&str],
    (own, similar): (NodeId, &[NodeId]),
) -> bool {
    let spots = fields.iter().enumerate();
    let values: Vec<(usize, &Spot)> = spots
        .filter_map(|(field, values)| Some((field, values.first()?.first()?)))
        // Labels are before texts.
        .filter(|(_, spot)| holds(page, own, spot.node) && page.kind(spot.node) != Kind::Attribute)
        .collect();
    let places: Vec<Vec<usize>> = values.iter().map(|(_, spot)| steps(page, own, spot.node)).collect();
    let example = Example { page, values, names };
    let mut labels = Labels::new(example.labels_in(&example.values, own, similar));
    for other in similar.iter().filter(|other| **other != own) {
        let found: Vec<Option<NodeId>> = places.iter().map(|steps| reached(page, *other, steps)).collect();
        labels.see(page, &found);
    }
    labels.all_differ()
}

/// Which child to take at each step from an element down to a node.
fn steps(page: &Page, from: NodeId, to: NodeId) -> Vec<usize> {
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let Some(up) = page.parent(at) else { break };
        steps.push(page.children(up).take_while(|child| *child < at).count());
        at = up;
    }
    steps.reverse();
    steps
}

/// Where the same steps lead from another element.
fn reached(page: &Page, from: NodeId, steps: &[usize]) -> Option<NodeId> {
    steps.iter().try_fold(from, |at, step| page.children(at).nth(*step))
}

/// The places of the values of a record, in the order of the page.
struct Example<'e> {
    page: &'e Page,
    values: Vec<(usize, &'e Spot)>,
    names: &'e [&'e str],
}

impl<'e> Example<'e> {
    /// The first value of each field of a record.
    fn of(page: &'e Page, fields: &'e [Vec<Vec<Spot>>]) -> Example<'e> {
        let spots = fields.iter().enumerate();
        Example {
            page,
            values: spots
                .filter_map(|(field, values)| Some((field, values.first()?.first()?)))
                .collect(),
            names: &[],
        }
    }

    /// The smallest element around some values.
    fn around(&self, values: &[(usize, &Spot)]) -> Option<NodeId> {
        let (_, first) = values.first()?;
        let mut up = std::iter::once(first.node).chain(self.page.ancestors(first.node));
        up.find(|up| self.page.is_element(*up) && values.iter().all(|(_, spot)| holds(self.page, *up, spot.node)))
    }

    /// The elements on the page in the same place of the structure as one.
    fn similar(&self, element: NodeId) -> Vec<NodeId> {
        let page = self.page;
        let Some(name) = page.name_of(element) else {
            return Vec::new();
        };
        let all = page.elements_named(name).iter().copied();
        all.filter(|other| way(page, *other).eq(way(page, element))).collect()
    }

    /// The label of each of these values: where it is, and what it says.
    fn labels(&self, values: &[(usize, &Spot)]) -> Vec<Option<(NodeId, String)>> {
        let of = |(field, spot): &(usize, &Spot)| {
            label(
                self.page,
                spot,
                self.names.get(*field).copied().unwrap_or(""),
                &self.values,
            )
        };
        values.iter().map(of).collect()
    }

    /// What the labels of the values of the record `own` say, which is one of several similar ones.
    fn labels_in(&self, values: &[(usize, &Spot)], own: NodeId, similar: &[NodeId]) -> Vec<Option<String>> {
        labels::in_list(self.page, self.labels(values), own, similar)
    }

    /// Records that are elements below headings, if the first `count` values are those of a heading.
    fn below_heading(&self, count: usize, several: bool) -> Option<Vec<NodeId>> {
        let page = self.page;
        let (heading, rest) = self.values.split_at(count);
        let (whole, own) = (self.around(&self.values)?, self.around(rest)?);
        if whole == own || heading.iter().any(|(_, spot)| holds(page, own, spot.node)) {
            return None;
        }
        let shapes: Vec<Shape<'_>> = rest
            .iter()
            .map(|(_, spot)| Shape::new(page, own, spot.node))
            .collect::<Option<_>>()?;
        let found =
            |record: NodeId| -> Vec<Option<NodeId>> { shapes.iter().map(|shape| shape.find(page, record)).collect() };
        let mut records = self.similar(own);
        records.retain(|record| found(*record).iter().flatten().count() * 3 >= shapes.len() * 2);
        let mut labels = Labels::new(self.labels_in(rest, own, &records));
        records.iter().for_each(|record| labels.see(page, &found(*record)));
        // A heading is beside the records, so what holds it is not one of them.
        let holds_heading = |record: &NodeId| heading.iter().any(|(_, spot)| holds(page, *record, spot.node));
        if records.len() < LEAST
            || !labels.are_the_same()
            || !records.contains(&own)
            || records.iter().any(holds_heading)
        {
            return None;
        }
        // What is below each heading: up to the next one, or in the same element.
        let (_, last) = heading.last()?;
        let shape = Shape::new(page, whole, last.node)?;
        let mut wholes = self.similar(whole);
        wholes.retain(|whole| shape.find(page, *whole).is_some());
        let parts: Vec<(NodeId, NodeId)> = match wholes.len() {
            0 | 1 => {
                let mut children = page.children(whole);
                let child = children.find(|child| holds(page, *child, last.node) || *child == last.node)?;
                let shape = Shape::new(page, child, last.node)?;
                let starts = page.children(whole).filter(|child| shape.find(page, *child).is_some());
                let starts: Vec<NodeId> = starts.collect();
                let ends = starts.iter().skip(1).copied().chain([page.end(whole)]);
                starts.iter().copied().zip(ends).collect()
            }
            _ => wholes.into_iter().map(|whole| (whole, page.end(whole))).collect(),
        };
        let below = |(start, end): &(NodeId, NodeId)| {
            let from = records.partition_point(|record| record < start);
            from..records.partition_point(|record| record < end).max(from)
        };
        let parts: Vec<std::ops::Range<usize>> = parts.iter().map(below).collect();
        let counts = parts.iter().map(ExactSizeIterator::len);
        let groups: Vec<usize> = counts.filter(|count| *count > 0).collect();
        let large = groups.iter().filter(|count| **count > 1).count();
        let differ = groups.windows(2).any(|pair| pair[0] != pair[1]) || (groups.len() == 1 && several);
        if large * GROUPS < groups.len() || large == 0 || !differ {
            return None;
        }
        let records: Vec<NodeId> = parts.into_iter().flat_map(|part| records[part].to_vec()).collect();
        let is_list = records.len() >= LEAST && records.contains(&own);
        is_list.then(|| self.lifted(own, records, whole))
    }

    /// The largest elements that have one of the records each; the given one first.
    fn lifted(&self, own: NodeId, mut records: Vec<NodeId>, whole: NodeId) -> Vec<NodeId> {
        let page = self.page;
        let place = records.iter().position(|record| *record == own).unwrap_or(0);
        loop {
            let up: Option<Vec<NodeId>> = records.iter().map(|record| page.parent(*record)).collect();
            let Some(up) = up.filter(|up| up[place] != whole && !holds(page, up[place], whole)) else {
                break;
            };
            let is_alone = up.windows(2).all(|pair| !holds(page, pair[0], pair[1]));
            let is_free = |(_, spot): &(usize, &Spot)| {
                holds(page, records[place], spot.node) || !holds(page, up[place], spot.node)
            };
            if !is_alone || !self.values.iter().all(is_free) {
                break;
            }
            records = up;
        }
        let given = records.remove(place);
        records.insert(0, given);
        records
    }

    /// The children of one element that begin records; the given one first.
    fn run(&self) -> Option<Vec<NodeId>> {
        let (page, values) = (self.page, &self.values);
        let list = self.around(values).filter(|_| values.len() > 1)?;
        let children: Vec<NodeId> = page.children(list).collect();
        let place = |node: NodeId| children.partition_point(|child| *child <= node).checked_sub(1);
        let places: Vec<usize> = values.iter().map(|(_, spot)| place(spot.node)).collect::<Option<_>>()?;
        let shapes: Vec<Shape<'_>> = values
            .iter()
            .zip(&places)
            .map(|((_, spot), at)| Shape::new(page, children[*at], spot.node))
            .collect::<Option<_>>()?;
        let (start, end) = (*places.iter().min()?, *places.iter().max()?);
        if start == end {
            return None;
        }
        // Where each field may be, by child.
        let reached: Vec<Vec<Option<NodeId>>> = shapes
            .iter()
            .map(|shape| children.iter().map(|child| shape.find(page, *child)).collect())
            .collect();
        let begins = |shape: &usize| {
            let own = &reached[*shape][start..=end];
            page.is_element(children[places[*shape]]) && own.iter().flatten().count() == 1
        };
        let anchor = (0..shapes.len()).filter(begins).min_by_key(|shape| places[*shape])?;
        let starts: Vec<usize> = (0..children.len())
            .filter(|at| reached[anchor][*at].is_some())
            .collect();
        // Values before the child that begins the record are between it and the one before.
        let part = |number: usize, shape: usize| match places[shape] < places[anchor] {
            true => number.checked_sub(1).map_or(0, |before| starts[before] + 1)..starts[number],
            false => starts[number]..starts.get(number + 1).copied().unwrap_or(children.len()),
        };
        // Words before the list are its heading.
        let own = self.labels(values).into_iter();
        let own = own.map(|label| {
            label
                .filter(|(text, _)| holds(page, list, *text))
                .map(|(_, words)| words)
        });
        let mut labels = Labels::new(own.collect());
        let mut records = Vec::new();
        for (number, at) in starts.iter().enumerate() {
            let of = |shape: usize| reached[shape][part(number, shape)].iter().flatten().next().copied();
            let found: Vec<Option<NodeId>> = (0..shapes.len()).map(of).collect();
            labels.see(page, &found);
            if found.iter().flatten().count() * 3 >= shapes.len() * 2 {
                records.push(children[*at]);
            }
        }
        let given = children[places[anchor]];
        let is_list = records.len() >= LEAST && records.len() * 2 >= starts.len() && labels.are_the_same();
        if !is_list || !records.contains(&given) {
            return None;
        }
        records.retain(|record| *record != given);
        records.insert(0, given);
        Some(records)
    }
}

/// How many places of a page are like that of a text: in the same place of the structure, not after its own label, and written alike.
/// With several of them, one value does not tell whether the page is a list.
pub fn places_like(page: &Page, text: &str, name: &str) -> usize {
    let spots = Places::new(page).of(text);
    let of = |spot: &Spot| {
        let example = Example {
            page,
            values: vec![(0, spot)],
            names: &[name],
        };
        let element = owner(page, spot.node);
        if example.labels(&example.values).iter().any(Option::is_some) {
            return 0;
        }
        let all = example.similar(element).into_iter();
        let is_like = |other: &NodeId| *other != element && alike(&value(page, *other), text) >= LIKE;
        all.filter(is_like).count()
    };
    // Only the first place: others are copies of it, or the text says it by chance.
    spots.first().map_or(0, of)
}

/// Where a value is in an element: the names of the elements on the way to it, the first of which is the element's own.
struct Shape<'p> {
    kind: Kind,
    names: Vec<&'p str>,
}

impl<'p> Shape<'p> {
    fn new(page: &'p Page, element: NodeId, node: NodeId) -> Option<Shape<'p>> {
        let up = std::iter::once(node).chain(page.ancestors(node));
        let mut names: Vec<&str> = up.take_while(|up| *up >= element).map(|up| page.name(up)).collect();
        names.reverse();
        (names.len() <= STEPS).then(|| Shape {
            kind: page.kind(node),
            names,
        })
    }

    /// The first node of this shape in an element, if it says something.
    fn find(&self, page: &Page, child: NodeId) -> Option<NodeId> {
        let (first, rest) = self.names.split_first()?;
        if page.name(child) != *first {
            return None;
        }
        let mut now = vec![child];
        for (step, name) in rest.iter().enumerate() {
            let is_named = |node: &NodeId| page.name(*node) == *name;
            now = match step + 1 == rest.len() && self.kind == Kind::Attribute {
                true => {
                    let attributes = now.iter().flat_map(|node| page.attributes(*node).map(NodeId));
                    attributes.filter(is_named).collect()
                }
                false => now
                    .iter()
                    .flat_map(|node| page.children(*node))
                    .filter(is_named)
                    .collect(),
            };
        }
        let says = |node: &NodeId| page.kind(*node) == self.kind && says_something(page, *node);
        now.into_iter().find(says)
    }
}

#[cfg(test)]
mod tests;

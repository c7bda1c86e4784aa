//! Pages with several records: which values belong together, and where one record ends and the next begins.
//!
//! One field is the *anchor*: the one whose values are found most often, once each, in the order of the records. The
//! other values of a record are searched for around its anchor: between the previous anchor and the next. A value that
//! is not there is above, as the heading of several records (`header` below).
//!
//! The *block* of a record is the largest element that contains its anchor and no other anchor. If it contains the
//! values of its record, records are such elements and paths begin there. If it does not (two rows of a table for one
//! record, `dt` and `dd`, lines in one paragraph), the anchor itself represents the record and paths lead from it to
//! its neighbours.
//!
//! Records of one page may be from several lists (`lists`); each field gets a further path for records in which the first is wrong.

use super::alone::{self, Alike};
use super::each::{self, each_ways, fit, most_trusted, sets};
use super::fields::{self, By, Candidate, Case, choose, values_of};
use super::found::{Found, Spots, all_spots, find};
use super::lists;
use super::paths::{self, Hints, Leans, Tells};
use super::similar::with_similar;
use super::trust::{Trial, Trials, Trust, Weights};
use super::unseen::{self, Unseen};
use super::{Lesson, Pins, Taught, Trouble, Wanted, next_field};
use oxpath::{Query, Value};
use page::{Job, NodeId, Page};
use std::collections::{BTreeSet, HashMap, HashSet};
use wrapper::profile::{Places, Spot};
use wrapper::rule::paths::{PathField, PathRecord, Paths, PathsRun, Way, tidy, value};

/// The number of records that paths are made from.
const SOURCES: usize = 3;

/// A rule for pages with several records.
pub(super) fn learn(
    wanted: &[Wanted],
    lessons: &[Lesson<'_>],
    pins: &[Pins],
    (also, weights): (&[&Page], &Weights),
    job: &Job,
) -> Result<Taught, Trouble> {
    let mut missed = Vec::new();
    let mut found = find(wanted, lessons, pins, &mut missed);
    let lists = alone(wanted, lessons, pins, &mut found);
    let blocks: Vec<Vec<Option<NodeId>>> = lessons
        .iter()
        .zip(&found)
        .map(|(lesson, found)| blocks(lesson.page, found))
        .collect();
    let inside = match &lists {
        Some(lists) => lists.iter().flatten().all(|list| list.inside),
        None => apart(lessons, &found, &blocks),
    };
    let contexts: Vec<Vec<Option<NodeId>>> = match (&lists, inside) {
        (Some(lists), _) => {
            let given = |lists: &Vec<Alike>| lists.iter().map(|list| list.records.first().copied()).collect();
            lists.iter().map(given).collect()
        }
        (None, true) => blocks,
        (None, false) => found.iter().map(|found| found.anchors.clone()).collect(),
    };
    if contexts.iter().flatten().flatten().next().is_none() {
        let page = lessons.first().map(|lesson| lesson.name.to_owned()).unwrap_or_default();
        return Err(missed.into_iter().next().unwrap_or(Trouble::NoRecords { page }));
    }
    let given = Given {
        lessons,
        found: &found,
        contexts: &contexts,
        inside,
    };
    let names: Vec<&str> = wanted.iter().map(|want| want.name.as_str()).collect();
    let mut rule = Paths::default();
    let mut unseen = match &lists {
        Some(lists) => not_given(lessons, &contexts, &all_of(lists)),
        None => in_same_places(lessons, &found, &contexts),
    };
    // Where the records of pages without examples are shows once there is a rule; then the fields are chosen again.
    for again in [false, true] {
        if again && unseen.is_empty() {
            break;
        }
        rule.fields.clear();
        for (field, want) in wanted.iter().enumerate() {
            next_field(field, wanted.len(), job)?;
            let by = By {
                unseen: &unseen,
                weights,
            };
            rule.fields.push(learn_field(field, want, given, by));
        }
        // Better paths may find more records like those that are given.
        let wide = match &lists {
            Some(lists) => all_of(lists),
            None => with_similar((lessons, &found, &names), contexts.clone(), &rule),
        };
        rule.each = each::learn(lessons, &wide, (also, weights), &rule);
        unseen = records_of(also, &rule);
        unseen.extend(not_given(lessons, &contexts, &wide));
    }
    if rule.each.is_empty() || rule.fields.iter().all(|field| field.ways.is_empty()) {
        let page = lessons.first().map(|lesson| lesson.name.to_owned()).unwrap_or_default();
        return Err(Trouble::NoRecords { page });
    }
    let right = rights(&rule, lessons);
    if let Some(strict) = in_such_rows(&rule, lessons, &contexts) {
        let as_right = rights(&strict, lessons);
        if as_right.iter().zip(&right).all(|(strict, loose)| strict >= loose) {
            rule = strict;
        }
    }
    Ok(Taught { rule, right, missed })
}

/// The same rule, if it finds columns by their headings: by position these are found only in rows with as many cells. The paths to the records
/// depend on the positions, so this comes last.
fn in_such_rows(rule: &Paths, lessons: &[Lesson<'_>], contexts: &[Vec<Option<NodeId>>]) -> Option<Paths> {
    let each = lessons.iter().zip(contexts);
    let (page, context) = each
        .flat_map(|(lesson, contexts)| contexts.iter().flatten().map(|context| (lesson.page, *context)))
        .next()?;
    let mut strict = rule.clone();
    for field in &mut strict.fields {
        let is_by_heading = |way: &Way| way.path.contains(paths::FIRST_ROWS);
        if !field.ways.first().is_some_and(is_by_heading) {
            continue;
        }
        for way in field.ways.iter_mut().filter(|way| !is_by_heading(way)) {
            way.path = paths::in_such_a_row(page, context, &way.path);
        }
    }
    (strict != *rule).then_some(strict)
}

/// With more records of a page than this, they are all of them or show by themselves what a record is.
const SHOWN: usize = 8;

/// If few records are given, the lists that they are of: for each page, and each of its records. Only if all are of one kind, those of a
/// page are of one list, and it has at least as many more. The values of a record that is alone are looked for where they are together.
fn alone(wanted: &[Wanted], lessons: &[Lesson<'_>], pins: &[Pins], found: &mut [Found]) -> Option<Vec<Vec<Alike>>> {
    if lessons.iter().any(|lesson| lesson.records.len() > SHOWN) {
        return None;
    }
    let names: Vec<&str> = wanted.iter().map(|want| want.name.as_str()).collect();
    let (mut places, mut lists) = (Vec::new(), Vec::new());
    for (lesson, pins) in lessons.iter().zip(pins) {
        let mut spots = all_spots(wanted, lesson, pins, &mut Vec::new());
        let known = Places::new(lesson.page);
        let several = lesson.records.len() > 1;
        let is_pinned = |text: &str| pins.iter().any(|(pin, _)| pin == text);
        for (record, fields) in lesson.records.iter().zip(&mut spots) {
            let texts = record.iter().flatten().zip(fields.iter_mut().flatten());
            for (text, spots) in texts.filter(|(text, _)| !is_pinned(text)) {
                alone::add_far(lesson.page, &known, text, spots);
            }
            // Places that say the value and nothing else, if they show a list.
            let (mut whole, mut more) = (fields.clone(), false);
            alone::gather(lesson.page, &mut whole);
            // A place that was pointed at is the only one.
            let texts = record.iter().flatten().zip(fields.iter_mut().flatten());
            for (text, spots) in texts.filter(|(text, _)| !is_pinned(text)) {
                let parts = alone::parts(lesson.page, &known, text, spots);
                more |= !parts.is_empty();
                spots.extend(parts);
            }
            match more && !alone::shows_list(lesson.page, &whole, &names, several) {
                true => alone::gather(lesson.page, fields),
                false => *fields = whole,
            }
        }
        let each = spots
            .iter()
            .map(|fields| alone::list(lesson.page, fields, &names, several));
        lists.push(each.collect::<Option<Vec<Alike>>>());
        places.push(spots);
    }
    let is_list = |lists: &Vec<Alike>| {
        let given: HashSet<Option<&NodeId>> = lists.iter().map(|list| list.records.first()).collect();
        let same = lists
            .windows(2)
            .all(|pair| in_order(&pair[0].records) == in_order(&pair[1].records));
        let more = lists.iter().all(|list| list.records.len() >= lists.len() * 2);
        same && more && given.len() == lists.len()
    };
    let lists: Option<Vec<Vec<Alike>>> = lists.into_iter().collect();
    let lists = lists.filter(|lists| {
        let mut kinds = lists.iter().flatten().map(|list| list.inside);
        let first = kinds.next();
        kinds.all(|inside| Some(inside) == first) && lists.iter().all(is_list)
    });
    // Values that several records share are beside the others of their record, if each record is an element of one list.
    let is_placed = |(lesson, spots): (&Lesson<'_>, &Spots)| {
        lesson.records.len() == 1 || alone::are_of_one_list(lesson.page, spots)
    };
    if lists.is_some() || lessons.iter().zip(&places).all(is_placed) {
        for ((lesson, found), spots) in lessons.iter().zip(found).zip(places) {
            let first = |fields: &Vec<Vec<Vec<Spot>>>| fields.iter().flatten().flatten().next().map(|spot| spot.node);
            let owner = |node| paths::owner(lesson.page, node);
            found.anchors = spots.iter().map(|fields| first(fields).map(owner)).collect();
            found.spots = spots;
        }
    }
    lists
}

/// The records of each page's list.
fn all_of(lists: &[Vec<Alike>]) -> Vec<Vec<Option<NodeId>>> {
    let all = |lists: &Vec<Alike>| lists.first().map(|list| in_order(&list.records)).unwrap_or_default();
    lists.iter().map(all).collect()
}

/// What may be records like the only one that is given of each page, if they are enough for a list.
fn in_same_places<'p>(lessons: &[Lesson<'p>], found: &[Found], contexts: &[Vec<Option<NodeId>>]) -> Vec<Unseen<'p>> {
    let mut all = Vec::new();
    for ((lesson, found), contexts) in lessons.iter().zip(found).zip(contexts) {
        let ([Some(own)], [fields]) = (&contexts[..], &found.spots[..]) else {
            return Vec::new();
        };
        let similar = alone::in_same_places(lesson.page, fields);
        if similar.len() >= alone::LEAST && similar.contains(own) {
            let others = similar.into_iter().filter(|node| node != own);
            all.extend(others.map(|context| Unseen {
                page: lesson.page,
                context,
            }));
        }
    }
    all
}

fn in_order(nodes: &[NodeId]) -> Vec<Option<NodeId>> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.into_iter().map(Some).collect()
}

/// Records like those that are given, on the same pages.
fn not_given<'p>(
    lessons: &[Lesson<'p>],
    contexts: &[Vec<Option<NodeId>>],
    wide: &[Vec<Option<NodeId>>],
) -> Vec<Unseen<'p>> {
    let mut all = Vec::new();
    for ((lesson, given), wide) in lessons.iter().zip(contexts).zip(wide) {
        let given: HashSet<NodeId> = given.iter().flatten().copied().collect();
        let others = wide.iter().flatten().filter(|node| !given.contains(node));
        all.extend(others.map(|context| Unseen {
            page: lesson.page,
            context: *context,
        }));
    }
    all
}

/// For each field, and for the records themselves, the paths that fit the examples of one page best, and how right each is on other
/// pages.
pub(super) fn trials(wanted: &[Wanted], from: &Lesson<'_>, others: &[Lesson<'_>], weights: &Weights) -> Trials {
    let mut missed = Vec::new();
    let from = std::slice::from_ref(from);
    let mut place = |lessons: &[Lesson<'_>], inside: Option<bool>| {
        let found = find(wanted, lessons, &vec![Vec::new(); lessons.len()], &mut missed);
        let blocks: Vec<Vec<Option<NodeId>>> = lessons
            .iter()
            .zip(&found)
            .map(|(lesson, found)| blocks(lesson.page, found))
            .collect();
        let inside = inside.unwrap_or_else(|| apart(lessons, &found, &blocks));
        let contexts = match inside {
            true => blocks,
            false => found.iter().map(|found| found.anchors.clone()).collect(),
        };
        (found, contexts, inside)
    };
    let (found, contexts, inside) = place(from, None);
    let given = Given {
        lessons: from,
        found: &found,
        contexts: &contexts,
        inside,
    };
    let (there, elsewhere, _) = place(others, Some(inside));
    let other = Given {
        lessons: others,
        found: &there,
        contexts: &elsewhere,
        inside,
    };
    let mut rule = Paths::default();
    let mut all = Vec::new();
    for (field, want) in wanted.iter().enumerate() {
        let (ways, cases) = field_ways(field, want, given);
        let (_, there) = field_ways(field, want, other);
        all.push(fields::tried_on(ways, &cases, &there, want.many, weights));
        let by = By { unseen: &[], weights };
        rule.fields.push(learn_field(field, want, given, by));
    }
    let (own, others) = (sets(from, &contexts), sets(others, &elsewhere));
    let each = most_trusted(each_ways(from, &own, &rule), weights).into_iter();
    let each: Vec<(f64, f64, Trust)> = each
        .filter_map(|(_, path)| {
            let query = Query::compile(&path.text).ok()?;
            Some((fit(&query, &own), fit(&query, &others), path.trust))
        })
        .collect();
    let best = each.iter().map(|(fits, ..)| *fits).fold(0.0, f64::max);
    let best = each.into_iter().filter(|(fits, ..)| *fits > best - 1e-9 && best > 0.0);
    let each = best.map(|(_, right, trust)| Trial { trust, right }).collect();
    Trials {
        values: all,
        records: vec![each],
    }
}

/// What is known of the examples.
#[derive(Clone, Copy)]
struct Given<'g> {
    lessons: &'g [Lesson<'g>],
    found: &'g [Found],
    contexts: &'g [Vec<Option<NodeId>>],
    /// Are the values of a record inside of its element?
    inside: bool,
}

/// The records that a rule finds on pages without examples.
fn records_of<'p>(also: &[&'p Page], rule: &Paths) -> Vec<Unseen<'p>> {
    let query = rule.each.first().and_then(|each| Query::compile(each).ok());
    let mut all = Vec::new();
    for page in also.iter().filter(|_| query.is_some()).take(unseen::MOST) {
        let nodes = query.as_ref().map(|query| query.evaluate(page));
        if let Some(Ok(Value::Nodes(nodes))) = nodes {
            all.extend(nodes.iter().map(|context| Unseen {
                page,
                context: *context,
            }));
        }
    }
    all
}

/// The most records with the same value that are compared with an example.
const MOST_ALIKE: usize = 32;
/// A page with more examples than this is assumed to have no other records, unless its list goes on.
pub(super) const FEW: usize = 2;

pub(super) fn holds(page: &Page, element: NodeId, node: NodeId) -> bool {
    element <= node && node < page.end(element)
}

/// The block of each record: the largest element that contains its anchor and no other.
fn blocks(page: &Page, found: &Found) -> Vec<Option<NodeId>> {
    let anchors = &found.anchors;
    let block = |number: usize| -> Option<NodeId> {
        let anchor = anchors[number]?;
        let near = [
            anchors[..number].iter().rev().flatten().next().copied(),
            anchors[number + 1..].iter().flatten().next().copied(),
        ];
        let alone = |element: &NodeId| near.iter().flatten().all(|other| !holds(page, *element, *other));
        let around = std::iter::once(anchor).chain(page.ancestors(anchor));
        let mut around = around.filter(|up| page.is_element(*up)).take_while(alone);
        if near.iter().flatten().next().is_none() {
            // The only record of its page: the block is just large enough for its values.
            let all: Vec<NodeId> = found.spots[number]
                .iter()
                .flatten()
                .filter_map(|spots| Some(spots.first()?.node))
                .collect();
            return around.find(|up| all.iter().all(|node| holds(page, *up, *node)));
        }
        let around: Vec<NodeId> = around.collect();
        match anchors.len() <= FEW {
            true => lists::row(page, &around, &found.spots[number]),
            false => around.last().copied(),
        }
    };
    let mut blocks: Vec<Option<NodeId>> = (0..anchors.len()).map(block).collect();
    lists::alike(page, found, &mut blocks);
    blocks
}

/// Are the values of records in their blocks, except for headings?
fn apart(lessons: &[Lesson<'_>], found: &[Found], blocks: &[Vec<Option<NodeId>>]) -> bool {
    let (mut inside, mut outside) = (0, 0);
    for ((lesson, found), blocks) in lessons.iter().zip(found).zip(blocks) {
        for (number, block) in blocks.iter().enumerate() {
            let (Some(block), Some(anchor)) = (block, found.anchors[number]) else {
                continue;
            };
            for spot in found.spots[number].iter().flatten().filter_map(|spots| spots.first()) {
                let before = found.anchors[..number].iter().rev().flatten().next();
                match holds(lesson.page, *block, spot.node) {
                    true => inside += usize::from(spot.node != anchor),
                    false if before.is_none_or(|before| spot.node > *before) && spot.node > anchor => outside += 1,
                    false => {}
                }
            }
        }
    }
    inside >= outside
}

/// The paths to one field of records.
fn learn_field(field: usize, want: &Wanted, given: Given<'_>, by: By<'_>) -> PathField {
    let (ways, cases) = field_ways(field, want, given);
    let chosen = choose(ways, &cases, want.many, by);
    let (mut found, right) = (chosen.field, chosen.right);
    if !want.many {
        found.ways.extend(unlinked(&found, &cases));
    }
    if right < 1.0
        && let Some(both) = with_rest(&found, field, want, given, by)
    {
        return both;
    }
    found
}

/// Records that look different have paths of their own: those that are right in the records that the first ones are wrong in, before or after
/// them, if more of the examples are right then.
fn with_rest(found: &PathField, field: usize, want: &Wanted, given: Given<'_>, by: By<'_>) -> Option<PathField> {
    let (ways, cases) = field_ways(field, want, given);
    let all = cases.len();
    let right = |ways: Vec<Way>| {
        let field = PathField { many: want.many, ways };
        (fields::right_in(&field, &cases), field)
    };
    let (before, _) = right(found.ways.clone());
    let wrong = fields::wrong_in(found, &cases);
    // One record is enough if few are given and their elements have different names: they are from two lists.
    let name = |at: usize| cases[at].page.name(cases[at].context);
    let least = match all <= FEW && (1..all).any(|at| name(at) != name(0)) {
        true => 1,
        false => LEAST_REST,
    };
    if wrong.len() < least || wrong.len() * SMALLEST_REST < all {
        return None;
    }
    let rest: Vec<Case<'_>> = wrong
        .iter()
        .map(|at| Case {
            page: cases[*at].page,
            context: cases[*at].context,
            says: cases[*at].says.clone(),
        })
        .collect();
    let second = choose(ways, &rest, want.many, By { unseen: &[], ..by }).field.ways;
    let after = found.ways.iter().chain(&second).cloned().collect();
    let first = second.iter().chain(&found.ways).cloned().collect();
    let [after, first] = [after, first].map(right);
    let best = if first.0 > after.0 { first } else { after };
    (best.0 >= before + least).then_some(best.1)
}

/// The fewest such records.
pub(super) const LEAST_REST: usize = 2;
/// At least one record in this many must be such a record.
pub(super) const SMALLEST_REST: usize = 10;

/// The paths to one field of records to choose from, and what it says in each record.
fn field_ways<'g>(field: usize, want: &Wanted, given: Given<'g>) -> (Vec<Candidate>, Vec<Case<'g>>) {
    let Given {
        lessons,
        found,
        contexts,
        inside,
    } = given;
    let mut cases: Vec<(Case<'_>, &Vec<Vec<Spot>>)> = Vec::new();
    let none = Vec::new();
    for ((lesson, found), contexts) in lessons.iter().zip(found).zip(contexts) {
        for (number, context) in contexts.iter().enumerate() {
            let Some(context) = *context else { continue };
            let says = lesson.records[number]
                .get(field)
                .into_iter()
                .flatten()
                .map(|text| tidy(text))
                .collect();
            let spots = found.spots[number].get(field).unwrap_or(&none);
            cases.push((
                Case {
                    page: lesson.page,
                    context,
                    says,
                },
                spots,
            ));
        }
    }
    let values: HashSet<String> = lessons.iter().flat_map(values_of).collect();
    let shared = fields::shared(cases.iter().flat_map(|(_, spots)| spots.iter()).map(Vec::as_slice));
    let hints = Hints {
        values: &values,
        name: &want.name,
        shared: shared.as_ref(),
        others: &[],
    };
    let sources: Vec<&(Case<'_>, &Vec<Vec<Spot>>)> = cases
        .iter()
        .filter(|(case, spots)| !case.says.is_empty() && spots.iter().any(|spots| !spots.is_empty()))
        .collect();
    let picked = [0, sources.len() / 2, sources.len().saturating_sub(1)];
    let mut ways: Vec<Candidate> = Vec::new();
    let mut seen = HashSet::new();
    for at in picked.into_iter().take(SOURCES).filter(|at| seen.insert(*at)) {
        let Some((case, spots)) = sources.get(at) else { continue };
        let own: Vec<Vec<Spot>> = spots
            .iter()
            .map(|spots| {
                spots
                    .iter()
                    .filter(|spot| holds(case.page, case.context, spot.node))
                    .take(4)
                    .cloned()
                    .collect()
            })
            .collect();
        if inside && own.iter().any(|spots| !spots.is_empty()) {
            ways.extend(fields::candidates(case, &own, want.many, hints));
        }
        for spot in spots.iter().flat_map(|spots| spots.first()) {
            if spot.node == case.context {
                ways.extend(fields::around(
                    spot,
                    vec![paths::Path {
                        text: ".".to_owned(),
                        trust: Trust::FULL,
                        leans: Leans::Position,
                        tells: Tells::Yes,
                    }],
                    hints.shared,
                ));
            } else if !holds(case.page, case.context, spot.node) {
                ways.extend(fields::around(
                    spot,
                    paths::beside(case.page, case.context, spot.node),
                    hints.shared,
                ));
            } else if !inside {
                ways.extend(fields::candidates(case, &[vec![spot.clone()]], want.many, hints));
            }
        }
    }
    (ways, cases.into_iter().map(|(case, _)| case).collect())
}

/// The end of a path to what has no link.
pub(super) const UNLINKED: &str = "[not(.//a)]";

/// A way for records whose value is not a link, if in the examples it is one, and the link is all that its cell says: dates of meetings
/// are links once there are minutes.
fn unlinked(field: &PathField, cases: &[Case<'_>]) -> Option<Way> {
    let way = field.ways.first().filter(|way| way.is_whole())?;
    let link = way.path.strip_suffix("/a").or((way.path == "a").then_some("."))?;
    let path = match link {
        "." | "./" => format!("self::*{UNLINKED}"),
        // `.//a` is a link anywhere in the record.
        link if link.ends_with('/') => return None,
        link => format!("{link}{UNLINKED}"),
    };
    let query = Query::compile(link).ok()?;
    let says_it = |case: &Case<'_>| match query.evaluate_at(case.page, case.context) {
        Ok(Value::Nodes(nodes)) => match (&nodes[..], &case.says[..]) {
            (_, []) => true,
            ([cell], [said]) => value(case.page, *cell) == *said,
            _ => false,
        },
        _ => false,
    };
    let known = field.ways.iter().any(|way| way.path == path);
    (!known && cases.iter().any(|case| !case.says.is_empty()) && cases.iter().all(says_it))
        .then(|| Way { path, ..Way::default() })
}

/// For each field, the share of records that a rule gets right.
fn rights(rule: &Paths, lessons: &[Lesson<'_>]) -> Vec<f64> {
    let Ok(run) = PathsRun::new(rule) else {
        return vec![0.0; rule.fields.len()];
    };
    let mut right = vec![0.0; rule.fields.len()];
    let all: usize = lessons.iter().map(|lesson| lesson.records.len()).sum();
    for lesson in lessons {
        let records = run.page(lesson.page);
        // A record that is missing or too much must not make all after it wrong, so each is compared with those that have a
        // value in common with it.
        let mut with: HashMap<(usize, &str), Vec<usize>> = HashMap::new();
        for (number, record) in records.iter().enumerate() {
            for value in &record.values {
                let of = with.entry((value.field, &value.text)).or_default();
                if of.len() < MOST_ALIKE {
                    of.push(number);
                }
            }
        }
        for wanted in &lesson.records {
            let says: Vec<Vec<String>> = (0..rule.fields.len())
                .map(|field| wanted.get(field).into_iter().flatten().map(|text| tidy(text)).collect())
                .collect();
            // Which fields of a record are right.
            let fits = |record: &PathRecord| -> Vec<bool> {
                let of = |field: usize| record.values.iter().filter(move |value| value.field == field);
                let same = |field: usize| {
                    of(field)
                        .map(|value| value.text.as_str())
                        .eq(says[field].iter().map(String::as_str))
                };
                (0..says.len()).map(same).collect()
            };
            let said = says
                .iter()
                .enumerate()
                .flat_map(|(field, says)| says.iter().map(move |text| (field, text.as_str())));
            let alike: BTreeSet<usize> = said.filter_map(|said| with.get(&said)).flatten().copied().collect();
            let best = alike
                .into_iter()
                .map(|number| fits(&records[number]))
                .max_by_key(|fits| fits.iter().filter(|fits| **fits).count());
            for (right, fits) in right.iter_mut().zip(best.into_iter().flatten()) {
                *right += f64::from(u8::from(fits));
            }
        }
    }
    right.iter_mut().for_each(|right| *right /= all.max(1) as f64);
    right
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::guided::learn_guided;

    fn page(html: &str) -> Page {
        Page::parse(html.as_bytes(), &Default::default()).expect("a page")
    }

    /// What a rule that is learned from the records of one page finds on another: records with `|` between their values.
    pub(in crate::guided) fn learned(fields: &[&str], html: &str, records: &[&[&str]], other: &str) -> Vec<String> {
        let first = page(html);
        let wanted: Vec<Wanted> = fields
            .iter()
            .map(|name| Wanted {
                name: (*name).to_owned(),
                many: false,
            })
            .collect();
        let value = |text: &&str| vec![(*text).to_owned()];
        let lesson = Lesson {
            name: "first",
            page: &first,
            records: records
                .iter()
                .map(|record| record.iter().map(value).collect())
                .collect(),
        };
        let taught = learn_guided(&wanted, &[lesson], true, &Job::new()).expect("a rule");
        let found = PathsRun::new(&taught.rule).expect("a rule").page(&page(other));
        let words = |record: &PathRecord| {
            let texts: Vec<&str> = record.values.iter().map(|value| value.text.as_str()).collect();
            texts.join("|")
        };
        found.iter().map(words).collect()
    }

    #[test]
    fn values_of_a_record_are_near_each_other() {
        // The same dates are links of a list elsewhere on the page.
        let html = |rows: &[(&str, &str)]| {
            let links = rows.iter().map(|(date, _)| format!("<li><a href=m>{date}</a></li>"));
            let links: String = links.collect();
            let text = "<p>A paragraph.</p>".repeat(40);
            let rows = rows
                .iter()
                .map(|(date, place)| format!("<tr><td>{date}</td><td>9 a.m.</td><td>{place}</td></tr>"));
            let rows: String = rows.collect();
            format!("<ul>{links}</ul>{text}<table>{rows}</table>")
        };
        let first = html(&[("Jan. 18", "Zoo"), ("Feb. 15", "Harbour"), ("March 15", "Zoo")]);
        let other = html(&[("May 17", "Park"), ("June 21", "Zoo")]).replacen("<li><a href=m>May 17</a></li>", "", 1);
        let records: [&[&str]; 3] = [&["Jan. 18", "Zoo"], &["Feb. 15", "Harbour"], &["March 15", "Zoo"]];
        let found = learned(&["date", "place"], &first, &records, &other);
        assert_eq!(found, ["May 17|Park", "June 21|Zoo"]);
    }

    #[test]
    fn a_value_need_not_be_a_link() {
        let first = "<ul><li><a href=1>May 9</a></li><li><a href=2>May 10</a></li><li><a href=3>May 11</a></li></ul>";
        let other = "<ul><li><a href=4>June 1</a></li><li>June 2</li></ul>";
        let records: [&[&str]; 3] = [&["1", "May 9"], &["2", "May 10"], &["3", "May 11"]];
        let found = learned(&["agenda", "date"], first, &records, other);
        assert_eq!(found, ["4|June 1", "June 2"]);
        let cells = |rows: &[(&str, &str)]| {
            let rows = rows
                .iter()
                .map(|(date, time)| format!("<tr><td>{date}</td><td>{time}</td></tr>"));
            format!("<table>{}</table>", rows.collect::<String>())
        };
        let first = cells(&[
            ("<a href=1>May 9</a>", "10:30"),
            ("<a href=2>May 10</a>", "11:00"),
            ("<a href=3>May 11</a>", "9:00"),
        ]);
        let other = cells(&[("June 1", "10:00"), ("<a href=4>June 2</a>", "12:00")]);
        let records: [&[&str]; 3] = [&["May 9", "10:30"], &["May 10", "11:00"], &["May 11", "9:00"]];
        assert_eq!(
            learned(&["date", "time"], &first, &records, &other),
            ["June 1|10:00", "June 2|12:00"]
        );
    }

    #[test]
    fn a_list_may_be_in_one_element_more() {
        let list = |names: &[&str]| {
            let item = |name: &&str| format!("<li><a href=/{name}>{name}</a></li>");
            format!("<ol>{}</ol>", names.iter().map(item).collect::<String>())
        };
        let first = format!("<h3>All about kelp:</h3><div>{}</div>", list(&["Ash", "Elm", "Fir"]));
        let other = format!("<h3>All about moss:</h3>{}", list(&["Ivy", "Oak"]));
        let records: [&[&str]; 3] = [&["/Ash", "Ash"], &["/Elm", "Elm"], &["/Fir", "Fir"]];
        let found = learned(&["link", "name"], &first, &records, &other);
        assert_eq!(found, ["/Ivy|Ivy", "/Oak|Oak"]);
    }

    #[test]
    fn a_picture_may_be_in_a_link() {
        let row = |(name, link, picture): &(&str, &str, &str)| {
            let picture = match *picture {
                "" => String::new(),
                picture => format!("<img src={picture}>"),
            };
            match *link {
                "" => format!("<tr><th>{name}</th><td>{picture} x</td></tr>"),
                link => format!("<tr><th>{name}</th><td><a href={link}>{picture} y</a></td></tr>"),
            }
        };
        let html = |rows: &[(&str, &str, &str)]| {
            let rows: String = rows.iter().map(row).collect();
            format!("<table>{rows}</table>")
        };
        // One of eleven pictures is in a link.
        let names = ["Ash", "Box", "Elm", "Fir", "Gum", "Ivy", "Oak", "Pea", "Rue", "Tea"];
        let pictures: Vec<String> = names.iter().map(|name| format!("{name}.gif")).collect();
        let mut rows: Vec<(&str, &str, &str)> = names
            .iter()
            .zip(&pictures)
            .map(|(name, picture)| (*name, "", picture.as_str()))
            .collect();
        rows.push(("Yew", "/yew", "yew.gif"));
        let given: Vec<[&str; 2]> = rows.iter().map(|(name, _, picture)| [*name, *picture]).collect();
        let given: Vec<&[&str]> = given.iter().map(<[&str; 2]>::as_slice).collect();
        let other = html(&[("Kelp", "/k", "k.gif"), ("Moss", "", "m.gif"), ("Reed", "/r", "")]);
        let found = learned(&["name", "picture"], &html(&rows), &given, &other);
        assert_eq!(found, ["Kelp|k.gif", "Moss|m.gif", "Reed"]);
    }

    #[test]
    fn what_was_chosen_is_known_by_its_form() {
        let names = ["Baht", "Dinar", "Euro", "Krona", "Peso", "Rand", "Yen"];
        let select = |name: &str, chosen: &str| {
            let option = |text: &&str| match *text == chosen {
                true => format!("<option selected>{text}"),
                false => format!("<option>{text}"),
            };
            let all: String = names.iter().map(option).collect();
            format!("<select name={name}>{all}</select>")
        };
        let html = |from: &str, to: &str, rate: &str| {
            format!(
                "<div><p>Rate: <b>{rate}</b></p>{}{}</div>",
                select("from", from),
                select("to", to)
            )
        };
        let records: [&[&str]; 1] = [&["Krona", "Peso", "1.7"]];
        let found = learned(
            &["one", "other", "rate"],
            &html("Krona", "Peso", "1.7"),
            &records,
            &html("Yen", "Baht", "0.3"),
        );
        assert_eq!(found, ["Yen|Baht|0.3"]);
    }

    #[test]
    fn a_heading_is_joined_to_the_rows_below_it() {
        let html = |groups: &[(&str, &[&str])]| {
            let group = |(date, names): &(&str, &[&str])| {
                let names = names.iter().map(|name| format!("<li><a href=x>{name}</a></li>"));
                format!("<h3>{date}</h3><ul>{}</ul>", names.collect::<String>())
            };
            groups.iter().map(group).collect::<String>()
        };
        let first = html(&[("May 9", &["Zoo", "Park"]), ("May 10", &["Harbour", "Hall"])]);
        let other = html(&[("June 1", &["Pool"]), ("June 2", &["Mill", "Gate", "Yard"])]);
        let records: [&[&str]; 4] = [
            &["May 9", "Zoo"],
            &["May 9", "Park"],
            &["May 10", "Harbour"],
            &["May 10", "Hall"],
        ];
        let found = learned(&["date", "name"], &first, &records, &other);
        assert_eq!(found, ["June 1|Pool", "June 2|Mill", "June 2|Gate", "June 2|Yard"]);
    }

    #[test]
    fn a_column_is_found_by_its_heading() {
        let first = "<table><thead><tr><th>Case</th><th>Filed</th></tr></thead><tbody><tr><td>A v. B</td><td>May 9</td></tr>\
                     <tr><td>C v. D</td><td>May 8</td></tr><tr><td>E v. F</td><td>May 7</td></tr></tbody></table>";
        let other = "<table><thead><tr><th>Case</th><th>Court</th><th>Filed</th></tr></thead><tbody>\
                     <tr><td>G v. H</td><td>North</td><td>May 2</td></tr><tr><td>I v. J</td><td>South</td><td>May 1</td></tr></tbody></table>";
        let records: [&[&str]; 3] = [&["A v. B", "May 9"], &["C v. D", "May 8"], &["E v. F", "May 7"]];
        let found = learned(&["case", "filed"], first, &records, other);
        assert_eq!(found, ["G v. H|May 2", "I v. J|May 1"]);
        // Without headings, by position.
        let bare = "<table><tbody><tr><td>G v. H</td><td>May 2</td></tr><tr><td>I v. J</td><td>May 1</td></tr></tbody></table>";
        let found = learned(&["case", "filed"], first, &records, bare);
        assert_eq!(found, ["G v. H|May 2", "I v. J|May 1"]);
    }
}

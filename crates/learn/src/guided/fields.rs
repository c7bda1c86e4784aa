//! The paths to one field, chosen by examples; and rules for pages that are one record.

use super::paths::{self, Hints, Leans, Path, Tells};
use super::trust::{self, Trial, Trials, Trust, Weights};
use super::unseen::{self, Heard, Unseen, hear};
use super::{Lesson, Pins, Taught, Trouble, Wanted, next_field, spots_of};
use oxpath::{Query, Value};
use page::{Job, Kind, NodeId, Page};
use std::collections::{BTreeSet, HashSet};
use wrapper::profile::{Places, Spot};
use wrapper::rule::paths::tidy;
use wrapper::rule::paths::{PathField, Paths, PathsRun, Way, part, value};

/// How many alternative paths to a field are kept.
const KEPT: usize = 3;
/// The number of pages that paths are made from.
const SOURCES: usize = 4;
/// The most paths that are tried for one field.
const TRIED: usize = 400;
/// The most records that all of them are tried on, and how many of the paths are then tried on all records.
const CASES: usize = 40;
const TRIED_ON_ALL: usize = 40;
/// The most values that are looked at on a page without examples.
const MANY: usize = 20;
/// Two choices whose scores differ by less are equally good.
const CLOSE: f64 = 0.1;
/// The most paths that may be united into one.
const UNITED: usize = 4;

/// A record to learn from: its page, the node where its paths begin, and the values that a field should have.
pub(super) struct Case<'p> {
    pub(super) page: &'p Page,
    pub(super) context: NodeId,
    pub(super) says: Vec<String>,
}

/// A rule for pages that are one record.
pub(super) fn learn(
    wanted: &[Wanted],
    lessons: &[Lesson<'_>],
    pins: &[Pins],
    (also, weights): (&[&Page], &Weights),
    job: &Job,
) -> Result<Taught, Trouble> {
    let unseen: Vec<Unseen<'_>> = also
        .iter()
        .map(|page| Unseen {
            page,
            context: NodeId::DOCUMENT,
        })
        .collect();
    let mut taught = Taught {
        rule: Paths::default(),
        right: Vec::new(),
        missed: Vec::new(),
    };
    let values: Vec<HashSet<String>> = lessons.iter().map(values_of).collect();
    let by = By {
        unseen: &unseen,
        weights,
    };
    let known = known(wanted, lessons, pins, &values, by, &mut taught.missed);
    let mut chosen = Vec::new();
    for (number, field) in known.iter().enumerate() {
        next_field(number, wanted.len(), job)?;
        chosen.push(field.choose(None));
    }
    tell_apart(&known, &mut chosen);
    for (field, chosen) in known.iter().zip(chosen) {
        let found = field.spots.iter().flatten().any(|spots| !spots.is_empty());
        if chosen.field.ways.is_empty() && field.cases.iter().any(|case| !case.says.is_empty()) && !found {
            // A value that is missing cannot be learned from; the others can still be used.
            taught.missed.push(Trouble::NoPath {
                field: field.want.name.clone(),
            });
        }
        taught.rule.fields.push(chosen.field);
        taught.right.push(chosen.right);
    }
    match taught.rule.fields.iter().all(|field| field.ways.is_empty()) {
        true => Err(taught.missed.into_iter().next().unwrap_or(Trouble::NoExamples)),
        false => Ok(taught),
    }
}

/// What is known of each field on each page.
fn known<'k>(
    wanted: &'k [Wanted],
    lessons: &[Lesson<'k>],
    pins: &[Pins],
    values: &'k [HashSet<String>],
    by: By<'k>,
    missed: &mut Vec<Trouble>,
) -> Vec<Known<'k>> {
    let places: Vec<Places> = lessons.iter().map(|lesson| Places::new(lesson.page)).collect();
    let mut known: Vec<Known<'_>> = Vec::new();
    for (number, want) in wanted.iter().enumerate() {
        let mut field = Known {
            want,
            values,
            cases: Vec::new(),
            spots: Vec::new(),
            others: Vec::new(),
            by,
        };
        for (at, lesson) in lessons.iter().enumerate() {
            let says = lesson
                .records
                .first()
                .and_then(|record| record.get(number))
                .cloned()
                .unwrap_or_default();
            let found: Vec<Vec<Spot>> = says
                .iter()
                .map(|text| spots_of(lesson.page, &places[at], &pins[at], text))
                .collect();
            for (text, _) in says.iter().zip(&found).filter(|(_, spots)| spots.is_empty()) {
                missed.push(Trouble::NotFound {
                    page: lesson.name.to_owned(),
                    field: want.name.clone(),
                    value: text.clone(),
                });
            }
            field.spots.push(found);
            field.cases.push(Case {
                page: lesson.page,
                context: NodeId::DOCUMENT,
                says: says.iter().map(|text| tidy(text)).collect(),
            });
        }
        known.push(field);
    }
    for number in 0..known.len() {
        let others = (0..lessons.len()).map(|at| {
            let others = known.iter().enumerate().filter(|(other, _)| *other != number);
            let mut nodes: Vec<NodeId> = others
                .flat_map(|(_, field)| field.spots[at].iter().flatten().map(|spot| spot.node))
                .collect();
            nodes.sort_unstable();
            nodes
        });
        known[number].others = others.collect();
    }
    known
}

/// A field, with what is known of it on each page.
struct Known<'k> {
    want: &'k Wanted,
    values: &'k [HashSet<String>],
    cases: Vec<Case<'k>>,
    /// For each page, the spots of each value.
    spots: Vec<Vec<Vec<Spot>>>,
    /// For each page, where the values of other fields are.
    others: Vec<Vec<NodeId>>,
    by: By<'k>,
}

/// What decides among paths that fit the examples equally well.
#[derive(Clone, Copy)]
pub(super) struct By<'b> {
    /// Places without examples.
    pub(super) unseen: &'b [Unseen<'b>],
    /// How far each path is trusted.
    pub(super) weights: &'b Weights,
}

impl Known<'_> {
    /// Chooses paths; not to a node of a page, if it is taken.
    fn choose(&self, taken: Option<(usize, NodeId)>) -> Chosen {
        choose(self.ways(taken), &self.cases, self.want.many, self.by)
    }

    /// The paths to choose from.
    fn ways(&self, taken: Option<(usize, NodeId)>) -> Vec<Candidate> {
        let free = |case: usize, spot: &Spot| taken != Some((case, spot.node));
        let spots = self.spots.iter().enumerate().map(|(case, found)| {
            let free = |spots: &Vec<Spot>| spots.iter().filter(|spot| free(case, spot)).cloned().collect();
            (case, found.iter().map(free).collect::<Vec<Vec<Spot>>>())
        });
        let spots: Vec<(usize, Vec<Vec<Spot>>)> = spots
            .filter(|(_, found)| found.iter().any(|spots| !spots.is_empty()))
            .collect();
        let shared = shared(spots.iter().flat_map(|(_, found)| found).map(Vec::as_slice));
        let mut ways = Vec::new();
        for (case, found) in spots.iter().take(SOURCES) {
            let hints = Hints {
                values: &self.values[*case],
                name: &self.want.name,
                shared: shared.as_ref(),
                others: &self.others[*case],
            };
            ways.extend(candidates(&self.cases[*case], found, self.want.many, hints));
        }
        ways
    }

    /// The node that a rule for this field finds on a page.
    fn node(&self, chosen: &Chosen, case: usize) -> Option<NodeId> {
        let rule = Paths {
            fields: vec![chosen.field.clone()],
            ..Paths::default()
        };
        let run = PathsRun::new(&rule).ok()?;
        let found = run.field(self.cases[case].page, NodeId::DOCUMENT, 0);
        found.first().map(|value| value.node)
    }
}

/// For each field, the paths that fit the examples of one page best, and how right each is on other pages.
pub(super) fn trials(wanted: &[Wanted], from: &Lesson<'_>, others: &[Lesson<'_>], weights: &Weights) -> Trials {
    let by = By { unseen: &[], weights };
    let pins = vec![Vec::new(); others.len() + 1];
    let mut missed = Vec::new();
    let (from, values) = (std::slice::from_ref(from), [values_of(from)]);
    let from = known(wanted, from, &pins, &values, by, &mut missed);
    let values: Vec<HashSet<String>> = others.iter().map(values_of).collect();
    let others = known(wanted, others, &pins, &values, by, &mut missed);
    let each = from.iter().zip(&others);
    let each =
        each.map(|(from, others)| tried_on(from.ways(None), &from.cases, &others.cases, from.want.many, weights));
    Trials {
        values: each.collect(),
        records: Vec::new(),
    }
}

/// The ways that fit some cases best, and how right each is in others.
pub(super) fn tried_on(
    ways: Vec<Candidate>,
    cases: &[Case<'_>],
    others: &[Case<'_>],
    many: bool,
    weights: &Weights,
) -> Vec<Trial> {
    let ways = most_trusted(ways, weights);
    let some = |cases: &'_ [Case<'_>]| spread(cases.len(), CASES);
    let cases: Vec<&Case<'_>> = some(cases).into_iter().map(|at| &cases[at]).collect();
    let others: Vec<&Case<'_>> = some(others).into_iter().map(|at| &others[at]).collect();
    let tried: Vec<Tried<'_>> = ways
        .iter()
        .filter_map(|way| try_on(way, &cases, many, weights))
        .collect();
    let best = tried.iter().map(|tried| tried.share).fold(0.0, f64::max);
    let best = tried.iter().filter(|tried| tried.share > best - 1e-9 && best > 0.0);
    best.filter_map(|tried| {
        let more = if tried.exact { Trust::FULL } else { trust::FOUND_MORE };
        Some(Trial {
            trust: tried.candidate.trust * more,
            right: try_on(tried.candidate, &others, many, weights)?.share,
        })
    })
    .collect()
}

/// If two fields have the same value on a page that says it twice, they are two places: the field that can be found as well
/// elsewhere gives way.
fn tell_apart(known: &[Known<'_>], chosen: &mut [Chosen]) {
    for second in 1..known.len() {
        for first in 0..second {
            let same = (0..known[first].cases.len()).find(|case| {
                let (one, other) = (&known[first].cases[*case].says, &known[second].cases[*case].says);
                let twice = known[second].spots[*case].first().is_some_and(|spots| spots.len() > 1);
                one.len() == 1 && one == other && twice
            });
            let Some(case) = same else { continue };
            let nodes = [first, second].map(|field| known[field].node(&chosen[field], case));
            let [Some(node), Some(other)] = nodes else { continue };
            if node != other {
                continue;
            }
            let without = [first, second].map(|field| known[field].choose(Some((case, node))));
            let [first_elsewhere, second_elsewhere] = without;
            let moves_first = first_elsewhere.score + chosen[second].score;
            let moves_second = chosen[first].score + second_elsewhere.score;
            // If nothing else decides, they stand in the order in which they are given.
            let in_order = known[first]
                .node(&first_elsewhere, case)
                .is_some_and(|place| place < node);
            let moves = match (moves_first - moves_second).abs() < CLOSE {
                true => in_order,
                false => moves_first > moves_second,
            };
            match moves {
                true => chosen[first] = first_elsewhere,
                false => chosen[second] = second_elsewhere,
            }
        }
    }
}

/// All values of an example, which therefore are not labels.
pub(super) fn values_of(lesson: &Lesson<'_>) -> HashSet<String> {
    lesson
        .records
        .iter()
        .flatten()
        .flatten()
        .map(|text| tidy(text))
        .collect()
}

/// A way to find a field, and its trust.
pub(super) struct Candidate {
    pub(super) way: Way,
    pub(super) trust: Trust,
    pub(super) leans: Leans,
    pub(super) tells: Tells,
}

fn whole(path: Path) -> Candidate {
    Candidate {
        way: Way {
            path: path.text,
            ..Way::default()
        },
        trust: path.trust,
        leans: path.leans,
        tells: path.tells,
    }
}

/// The ways that lead to the values of one record, made from their spots.
pub(super) fn candidates(case: &Case<'_>, spots: &[Vec<Spot>], many: bool, hints: Hints<'_>) -> Vec<Candidate> {
    let page = case.page;
    let mut found = Vec::new();
    if many && spots.len() > 1 {
        found = together(case, spots, hints);
        // They may be apart, each in a place of its own.
        if spots.len() > UNITED {
            return found;
        }
    }
    let is_shown = |spot: &Spot| page.kind(spot.node) != Kind::Attribute;
    let shown = spots.iter().flatten().any(is_shown);
    let chosen = spots.iter().flatten().any(|spot| !is_choice(page, spot.node));
    let spots = spots.iter().flat_map(|spots| spots.iter().enumerate());
    for (number, spot) in spots {
        let mut paths = match many {
            true => paths::to_many(page, case.context, &[spot.node], hints),
            false => paths::to_one(page, case.context, spot.node, hints),
        };
        if shown && !is_shown(spot) {
            paths
                .iter_mut()
                .for_each(|path| path.trust = path.trust * trust::UNSEEN_VALUE);
        }
        if chosen && is_choice(page, spot.node) {
            for path in &mut paths {
                path.trust = path.trust * trust::CHOICE;
                path.tells = Tells::No;
            }
        }
        let place = of_place(page, (spot.node, number), hints.others);
        paths.iter_mut().for_each(|path| path.trust = path.trust * place);
        found.extend(around(spot, paths, hints.shared));
        if spot.is_whole() {
            continue;
        }
        // The words in the text may identify it.
        let word = spot.before.trim();
        if word.chars().any(char::is_alphabetic) && word.len() <= 60 && !hints.says_value(word) {
            let root = if case.context == NodeId::DOCUMENT { "//" } else { ".//" };
            let name = if page.is_element(spot.node) {
                page.name(spot.node)
            } else {
                "text()"
            };
            found.push(Candidate {
                way: Way {
                    path: format!("{root}{name}[contains(normalize-space(.), {})]", paths::literal(word)),
                    after: word.to_owned(),
                    before: first_words(&spot.behind),
                    ..Way::default()
                },
                trust: place
                    * match word.ends_with(':') {
                        true => trust::COLON_INSIDE,
                        false => trust::OTHER_WORDS,
                    },
                leans: Leans::Label,
                tells: if word.ends_with(':') {
                    Tells::Yes
                } else {
                    Tells::IfConfirmed
                },
            });
        }
    }
    found
}

/// Places with fewer nodes between them are next to each other, and places with more are far apart.
const NEXT: u32 = 30;
const FAR: u32 = 300;

/// What the place of a value is trusted for: one of several places of the value, with a number.
fn of_place(page: &Page, (node, number): (NodeId, usize), others: &[NodeId]) -> Trust {
    let mut all = Trust::FULL;
    let around = || {
        std::iter::once(node)
            .chain(page.ancestors(node))
            .map(|up| page.name(up))
    };
    if around().any(|name| name == "head") {
        all = all * trust::IN_HEAD;
    }
    if around().any(|name| name == "a") {
        all = all * trust::IN_LINK;
    }
    if number > 0 {
        all = all * trust::LATER_SPOT;
    }
    let after = others.partition_point(|other| *other < node);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
    let distances = near
        .filter_map(|at| others.get(at))
        .map(|other| other.0.abs_diff(node.0));
    match distances.min() {
        Some(..NEXT) => all * trust::NEAR_SPOT,
        Some(FAR..) => all * trust::FAR_SPOT,
        _ => all,
    }
}

/// Is it one of the choices of a form that nobody has made?
fn is_choice(page: &Page, node: NodeId) -> bool {
    let mut around = std::iter::once(node).chain(page.ancestors(node));
    let option = around.find(|up| page.name(*up) == "option");
    option.is_some_and(|option| page.attribute_value(option, "selected").is_none())
}

/// Ways by these paths to a spot: the whole text or a part of it.
pub(super) fn around(spot: &Spot, paths: Vec<Path>, shared: Option<&(String, String)>) -> Vec<Candidate> {
    if spot.is_whole() {
        return paths.into_iter().map(whole).collect();
    }
    let mut found = Vec::new();
    let shared = shared.filter(|(after, before)| {
        let fits = spot.before.ends_with(after) && spot.behind.starts_with(before);
        fits && after.is_empty() == spot.before.is_empty() && before.is_empty() == spot.behind.is_empty()
    });
    let plain = |(after, before): (String, String)| (Vec::new(), after, before);
    let near = arounds(spot).into_iter().map(|around| (plain(around), Trust::FULL));
    let shared = shared.cloned().map(|shared| (plain(shared), trust::ALL_SHARED));
    let passed = chains(spot).into_iter().map(|chain| (chain, trust::PASSED_WORDS));
    for ((skips, after, before), factor) in near.chain(shared).chain(passed) {
        found.extend(paths.iter().cloned().map(|path| Candidate {
            way: Way {
                path: path.text,
                skips: skips.clone(),
                after: after.clone(),
                before: before.clone(),
                ..Way::default()
            },
            trust: path.trust * trust::PART_OF_TEXT * factor,
            leans: path.leans,
            tells: path.tells,
        }));
    }
    found
}

/// What all values of a field that are parts of texts have before and after them, if there are several.
pub(super) fn shared<'s>(values: impl Iterator<Item = &'s [Spot]>) -> Option<(String, String)> {
    let mut known: Option<(String, String)> = None;
    let mut count = 0;
    for spot in values.filter_map(|spots| spots.iter().find(|spot| !spot.is_whole())) {
        count += 1;
        known = Some(match known {
            None => (spot.before.clone(), spot.behind.clone()),
            Some((before, behind)) => {
                let same = before
                    .chars()
                    .rev()
                    .zip(spot.before.chars().rev())
                    .take_while(|(a, b)| a == b);
                let length: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
                let after = before[before.len() - length..].to_owned();
                let same = behind.chars().zip(spot.behind.chars()).take_while(|(a, b)| a == b);
                let length: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
                (after, behind[..length].to_owned())
            }
        });
    }
    known.filter(|_| count > 1)
}

/// Descriptions of the text around a value: all of it, or the nearest sign or word on each side.
fn arounds(spot: &Spot) -> Vec<(String, String)> {
    let near = |text: &str| -> String {
        let word = text.trim_end().rsplit(' ').next().unwrap_or("");
        text[text.trim_end().len() - word.len()..].to_owned()
    };
    let signs = |c: char| !c.is_alphanumeric();
    let last_signs = &spot.before[spot.before.trim_end_matches(signs).len()..];
    let first_signs = &spot.behind[..spot.behind.len() - spot.behind.trim_start_matches(signs).len()];
    let all = [
        (near(&spot.before), first_words(&spot.behind)),
        (last_signs.to_owned(), first_signs.to_owned()),
        (near(&spot.before), first_signs.to_owned()),
        (last_signs.to_owned(), first_words(&spot.behind)),
        (spot.before.clone(), spot.behind.clone()),
    ];
    let mut arounds: Vec<(String, String)> = Vec::new();
    for (after, before) in all {
        // Text on a side must be described, or the whole text would be returned.
        let said = after.is_empty() == spot.before.is_empty() && before.is_empty() == spot.behind.is_empty();
        let short = after.len() <= LONGEST_AROUND && before.len() <= LONGEST_AROUND;
        if said && short && !arounds.contains(&(after.clone(), before.clone())) {
            arounds.push((after, before));
        }
    }
    arounds
}

/// The longest text beside a value that describes where it is, in bytes. A longer one is this page's own.
const LONGEST_AROUND: usize = 80;
/// The most words that are passed before a value, and the most words that are tried as the one to pass.
const PASSED: usize = 6;
const PASSABLE: usize = 3;

/// Words to pass, and the signs before and after a value: for values that are not after the first such sign of their text, such
/// as the time in `size 6,828 bytes - 4/28/97 5:38:56`. Either the signs are passed several times, or a word without digits,
/// which may be the same in other records.
fn chains(spot: &Spot) -> Vec<(Vec<String>, String, String)> {
    let signs = |c: char| !c.is_alphanumeric();
    let after = &spot.before[spot.before.trim_end_matches(signs).len()..];
    if after.is_empty() || !spot.before.trim_end_matches(signs).contains(after) {
        return Vec::new();
    }
    let first_signs = &spot.behind[..spot.behind.len() - spot.behind.trim_start_matches(signs).len()];
    let mut befores = vec![first_signs.to_owned(), first_words(&spot.behind)];
    befores.dedup();
    befores.retain(|before| before.is_empty() == spot.behind.is_empty());
    let mut passed: Vec<Vec<String>> = Vec::new();
    let times = spot.before.matches(after).count();
    if times <= PASSED {
        passed.push(vec![after.to_owned(); times - 1]);
    }
    // Words after which the signs are first found right before the value.
    let leads = |words: &&str| {
        let rest = spot.before.find(*words).map(|at| &spot.before[at + words.len()..]);
        rest.is_some_and(|rest| rest.find(after) == rest.len().checked_sub(after.len()))
    };
    let is_fixed = |words: &&str| !words.is_empty() && !words.chars().any(char::is_numeric);
    let words = spot
        .before
        .split(' ')
        .rev()
        .filter(is_fixed)
        .filter(leads)
        .take(PASSABLE);
    passed.extend(words.map(|words| vec![words.to_owned()]));
    let all = passed.iter().flat_map(|skips| {
        befores
            .iter()
            .map(move |before| (skips.clone(), after.to_owned(), before.clone()))
    });
    all.collect()
}

/// The first sign or word after a value.
fn first_words(text: &str) -> String {
    let lead = text.len() - text.trim_start().len();
    let end = text[lead..].find(' ').map_or(text.len(), |at| lead + at);
    text[..end].to_owned()
}

/// The ways to several values of one field: the spots of each value that are nearest to those of the others.
fn together(case: &Case<'_>, spots: &[Vec<Spot>], hints: Hints<'_>) -> Vec<Candidate> {
    let page = case.page;
    // Spots of one kind, by the names of the elements around them.
    let sign = |node: NodeId| -> String {
        let names = page.ancestors(node).map(|up| page.name(up));
        std::iter::once(page.name(node))
            .chain(names)
            .collect::<Vec<_>>()
            .join("<")
    };
    let mut signs: Vec<(String, usize)> = Vec::new();
    for spots in spots {
        let mine: BTreeSet<String> = spots
            .iter()
            .filter(|spot| spot.is_whole())
            .map(|spot| sign(spot.node))
            .collect();
        for sign in mine {
            match signs.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, count)) => *count += 1,
                None => signs.push((sign, 1)),
            }
        }
    }
    signs.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut found = Vec::new();
    for (kind, _) in signs.iter().take(4) {
        let mut nodes: Vec<NodeId> = Vec::new();
        for spots in spots {
            let mut mine = spots
                .iter()
                .filter(|spot| spot.is_whole() && sign(spot.node) == *kind)
                .map(|spot| spot.node);
            // In the order of the page, after the previous one.
            let last = nodes.last().copied();
            let next = mine
                .clone()
                .find(|node| last.is_none_or(|last| *node > last))
                .or_else(|| mine.next());
            nodes.extend(next);
        }
        nodes.sort_unstable();
        nodes.dedup();
        found.extend(paths::to_many(page, case.context, &nodes, hints).into_iter().map(whole));
    }
    found
}

/// A way, what it finds for each case, and how well that agrees with the example.
struct Tried<'c> {
    candidate: &'c Candidate,
    /// How far it is trusted.
    trust: f64,
    found: Vec<Vec<String>>,
    /// The mean agreement over the cases, from 0 to 1.
    share: f64,
    /// Did it never find anything else?
    exact: bool,
    /// What pages without examples tell.
    heard: Heard,
}

impl Tried<'_> {
    /// Examples decide first; trust decides among ways that fit them equally well.
    fn score(&self) -> f64 {
        self.share * trust::EXAMPLES + self.trust * self.heard.factor
    }
}

/// The numbers of some of many cases, from everywhere among them. Not every second or third: rows often look different by
/// turns.
pub(super) fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    // Steps by the golden ratio come near every place and meet no period.
    let place = |turn: usize| (turn as f64 * 0.618_033_988_749_895).fract() * count as f64;
    let mut picked: Vec<usize> = (0..most).map(|turn| place(turn) as usize).collect();
    picked.sort_unstable();
    picked.dedup();
    picked
}

fn try_on<'c>(candidate: &'c Candidate, cases: &[&Case<'_>], many: bool, weights: &Weights) -> Option<Tried<'c>> {
    let query = Query::compile(&candidate.way.path).ok()?;
    let found = cases.iter().map(|case| {
        let most = case.says.len() * 2 + 20;
        find(&query, &candidate.way, case.page, case.context, most)
    });
    let found: Vec<Vec<String>> = found.collect();
    let (share, exact) = judge(&found, cases.iter().copied(), many);
    // A path that finds more than it should depends on its position.
    let more = if exact { Trust::FULL } else { trust::FOUND_MORE };
    Some(Tried {
        candidate,
        trust: weights.of(&(candidate.trust * more)),
        found,
        share,
        exact,
        heard: Heard::NOTHING,
    })
}

fn judge<'c>(found: &[Vec<String>], cases: impl ExactSizeIterator<Item = &'c Case<'c>>, many: bool) -> (f64, bool) {
    let count = cases.len();
    let scores = found
        .iter()
        .zip(cases)
        .map(|(found, case)| agreement(found, &case.says, many));
    let (sum, exact) = scores.fold((0.0, true), |(sum, exact), (score, only)| (sum + score, exact & only));
    (sum / count.max(1) as f64, exact)
}

/// The paths that were chosen for a field.
pub(super) struct Chosen {
    pub(super) field: PathField,
    /// The share of cases that they get right.
    pub(super) right: f64,
    /// The score of the best one.
    score: f64,
}

/// Tries the ways that fit the examples best where there are no examples, and orders them anew.
fn listen(tried: &mut [Tried<'_>], cases: &[Case<'_>], unseen: &[Unseen<'_>]) {
    let best = tried.first().map_or(0.0, |best| best.share);
    let equal = tried.iter().take_while(|tried| tried.share > best - 1e-9).count();
    if unseen.is_empty() || equal < 2 {
        return;
    }
    let tried = &mut tried[..equal.min(unseen::WAYS)];
    let places = spread(unseen.len(), unseen::MOST);
    let found: Vec<Vec<Vec<String>>> = tried
        .iter()
        .map(|tried| {
            let way = &tried.candidate.way;
            let query = Query::compile(&way.path).ok();
            let find = |at: &usize| match &query {
                Some(query) => find(query, way, unseen[*at].page, unseen[*at].context, MANY),
                None => Vec::new(),
            };
            places.iter().map(find).collect()
        })
        .collect();
    let examples: Vec<&str> = cases.iter().flat_map(|case| &case.says).map(String::as_str).collect();
    let row = &unseen[..unseen.len().min(unseen::TURNS)];
    for (tried, heard) in tried.iter_mut().zip(hear(&found, &examples)) {
        let way = &tried.candidate.way;
        let found = |query: &Query| -> Vec<bool> {
            let finds = |place: &Unseen<'_>| !find(query, way, place.page, place.context, 1).is_empty();
            row.iter().map(finds).collect()
        };
        let is_marked = matches!(tried.candidate.leans, Leans::Class | Leans::Name);
        let query = Query::compile(&way.path).ok().filter(|_| is_marked);
        tried.heard = Heard {
            by_turns: query.is_some_and(|query| unseen::by_turns(&found(&query))),
            ..heard
        };
    }
    tried.sort_by(|a, b| b.score().total_cmp(&a.score()));
}

fn has_digits(text: &str) -> bool {
    text.chars().any(|letter| letter.is_ascii_digit())
}

/// Chooses among ways by what they find for each case, and where there are no examples.
pub(super) fn choose(ways: Vec<Candidate>, cases: &[Case<'_>], many: bool, by: By<'_>) -> Chosen {
    let ways = most_trusted(ways, by.weights);
    let some: Vec<&Case<'_>> = spread(cases.len(), CASES).into_iter().map(|at| &cases[at]).collect();
    let mut tried: Vec<Tried<'_>> = ways
        .iter()
        .filter_map(|way| try_on(way, &some, many, by.weights))
        .collect();
    tried.sort_by(|a, b| b.score().total_cmp(&a.score()));
    if some.len() < cases.len() {
        let all: Vec<&Case<'_>> = cases.iter().collect();
        let best = tried.iter().take(TRIED_ON_ALL);
        tried = best
            .filter_map(|tried| try_on(tried.candidate, &all, many, by.weights))
            .collect();
        tried.sort_by(|a, b| b.score().total_cmp(&a.score()));
    }
    listen(&mut tried, cases, by.unseen);
    let united = if many { unite(&tried, cases) } else { None };
    // What tells by itself which field it is, is enough: where it is absent, the field is, and a position would give the
    // value of another one.
    let shown = cases.iter().filter(|case| !case.says.is_empty()).count();
    let best = tried.first().map_or(0.0, |best| best.share);
    let in_list = by.unseen.iter().all(|unseen| unseen.context != NodeId::DOCUMENT);
    let tells = |tried: &Tried<'_>| {
        let confirmed = shown > 1 || tried.heard.is_confirmed;
        let enough = if confirmed { Tells::IfConfirmed } else { Tells::Yes };
        // What no other record of the list has, though they have the value, or only every second one, tells records from each other.
        // So does a number in a name or in words that only one record has.
        let is_numbered = || tried.candidate.way.path.split('"').skip(1).step_by(2).any(has_digits);
        let is_absent = tried.heard.is_absent || tried.heard.is_nowhere && is_numbered();
        let is_own = in_list && (is_absent || tried.heard.by_turns);
        tried.exact && tried.share > best - 1e-9 && tried.candidate.tells >= enough && !is_own
    };
    if tried.iter().any(tells) {
        tried.retain(tells);
    }
    let mut kept: Vec<&Candidate> = united.iter().collect();
    let top = tried.first().map_or(0.0, Tried::score);
    let like = tried.first().map_or(0.0, |best| best.heard.likeness);
    for tried in tried.iter().filter(|_| united.is_none()) {
        // Besides the best, ways that are equally right and depend on something else.
        let other = kept.iter().all(|kept| kept.leans != tried.candidate.leans);
        let as_good = tried.score() > top - 1.0 && tried.heard.likeness * 2.0 > like;
        if kept.len() < KEPT && (kept.is_empty() || (other && as_good)) {
            kept.push(tried.candidate);
        }
    }
    let field = PathField {
        many,
        ways: kept.iter().map(|candidate| candidate.way.clone()).collect(),
    };
    let rule = Paths {
        fields: vec![field],
        ..Paths::default()
    };
    Chosen {
        right: share_right(&rule, cases, many),
        field: rule.fields.into_iter().next().unwrap_or_default(),
        score: top,
    }
}

/// The ways to try, each once, the most trusted first.
pub(super) fn most_trusted(ways: Vec<Candidate>, weights: &Weights) -> Vec<Candidate> {
    let mut ways: Vec<(f64, Candidate)> = ways.into_iter().map(|way| (weights.of(&way.trust), way)).collect();
    ways.sort_by(|(trust, a), (other, b)| {
        let length = || a.way.path.len().cmp(&b.way.path.len()).then_with(|| a.way.cmp(&b.way));
        other.total_cmp(trust).then_with(length)
    });
    let mut known = HashSet::new();
    ways.retain(|(_, candidate)| known.insert(candidate.way.clone()));
    ways.truncate(TRIED);
    ways.into_iter().map(|(_, way)| way).collect()
}

/// Several paths as one, for values in different places: only if they find more together than any alone.
fn unite(tried: &[Tried<'_>], cases: &[Case<'_>]) -> Option<Candidate> {
    let best = tried.first()?.share;
    if best > 0.999 {
        return None;
    }
    let mut found: Vec<Vec<String>> = vec![Vec::new(); cases.len()];
    let mut parts: Vec<&Candidate> = Vec::new();
    let (mut share, mut trust) = (0.0, Trust::FULL);
    while parts.len() < UNITED {
        let with = |more: &Tried<'_>| -> (f64, Vec<Vec<String>>) {
            let both = found.iter().zip(&more.found).map(|(found, more)| {
                let new = more.iter().filter(|text| !found.contains(text));
                found.iter().chain(new).cloned().collect()
            });
            let both: Vec<Vec<String>> = both.collect();
            (judge(&both, cases.iter(), true).0, both)
        };
        let whole = tried.iter().filter(|tried| tried.candidate.way.is_whole());
        // They are ordered by trust, so the first of equals is the one to take.
        let mut next: Option<(f64, Vec<Vec<String>>, &Candidate)> = None;
        for more in whole {
            let (gain, both) = with(more);
            if gain > share + 1e-9 && next.as_ref().is_none_or(|next| gain > next.0 + 1e-9) {
                next = Some((gain, both, more.candidate));
            }
        }
        let Some((gain, both, candidate)) = next else { break };
        (share, found) = (gain, both);
        trust = trust * candidate.trust;
        parts.push(candidate);
    }
    (share > best + 1e-9 && parts.len() > 1).then(|| Candidate {
        way: Way {
            path: parts
                .iter()
                .map(|part| part.way.path.as_str())
                .collect::<Vec<_>>()
                .join(" | "),
            ..Way::default()
        },
        trust,
        leans: parts[0].leans,
        tells: parts.iter().map(|part| part.tells).min().unwrap_or(Tells::No),
    })
}

/// The share of cases that a field's ways get right together.
fn share_right(rule: &Paths, cases: &[Case<'_>], many: bool) -> f64 {
    right_cases(rule, cases, many).iter().filter(|right| **right).count() as f64 / cases.len().max(1) as f64
}

/// How many cases a field's ways get right.
pub(super) fn right_in(field: &PathField, cases: &[Case<'_>]) -> usize {
    cases.len() - wrong_in(field, cases).len()
}

/// The cases that a field's ways get wrong.
pub(super) fn wrong_in(field: &PathField, cases: &[Case<'_>]) -> Vec<usize> {
    let rule = Paths {
        fields: vec![field.clone()],
        ..Paths::default()
    };
    let right = right_cases(&rule, cases, field.many).into_iter().enumerate();
    right.filter(|(_, right)| !right).map(|(at, _)| at).collect()
}

/// For each case, whether a field's ways get it right together.
fn right_cases(rule: &Paths, cases: &[Case<'_>], many: bool) -> Vec<bool> {
    let Ok(run) = PathsRun::new(rule) else {
        return vec![false; cases.len()];
    };
    let right = cases.iter().map(|case| {
        let found: Vec<String> = run
            .field(case.page, case.context, 0)
            .into_iter()
            .map(|value| value.text)
            .collect();
        agreement(&found, &case.says, many).0 > 0.999
    });
    right.collect()
}

fn find(query: &Query, way: &Way, page: &Page, context: NodeId, most: usize) -> Vec<String> {
    let Ok(Value::Nodes(nodes)) = query.evaluate_at(page, context) else {
        return Vec::new();
    };
    let texts = nodes.iter().take(most).filter_map(|node| {
        let text = value(page, *node);
        part(&text, way).map(str::to_owned)
    });
    texts.collect()
}

/// How well the found values agree with the expected ones: from 0 to 1, and whether nothing else was found.
fn agreement(found: &[String], says: &[String], many: bool) -> (f64, bool) {
    match (many, found, says) {
        (_, [], []) => (1.0, true),
        (_, [], _) | (_, _, []) => (0.0, found.is_empty()),
        (false, [first, rest @ ..], says) => {
            let right = says.contains(first);
            (f64::from(u8::from(right)), rest.iter().all(|text| says.contains(text)))
        }
        (true, found, says) => {
            let mut left: Vec<&String> = says.iter().collect();
            let mut hits = 0;
            for text in found {
                if let Some(at) = left.iter().position(|said| *said == text) {
                    left.remove(at);
                    hits += 1;
                }
            }
            let hits = f64::from(hits);
            let (precision, recall) = (hits / found.len() as f64, hits / says.len() as f64);
            let f = if hits == 0.0 {
                0.0
            } else {
                2.0 * precision * recall / (precision + recall)
            };
            (f, precision == 1.0)
        }
    }
}

#[cfg(test)]
mod tests;

//! Mentions: data that a page shows more than once.
//!
//! Pages repeat themselves: the maker is in the heading and in the table; the title is in the breadcrumb, above the
//! text and in an attribute of the picture. To the learner each mention is a separate field, but to a user they are one
//! datum.
//!
//! - Fields with the same value on every page that has both become **one field**, so that a table has no two equal
//!   columns and a page without the first mention has the second.
//! - If one of two fields contains the words of the other on every page that has both ("Canon" and "Canon, Inc"), they
//!   remain separate fields. But their values are **also those of a field of all mentions**, if each is nearest to the
//!   other: no other field adds fewer words to it.
//!
//! Agreement counts only if it is unlikely to be chance: it must save more bits than it costs to name the pair of
//! fields. A page's value is worth the bits of its frequency in its field. So agreement between two columns of zeros
//! counts for nothing, but agreement between two columns of ten makers' names on twenty pages does count. Fields with
//! fewer than four different values are flags or grades, which can agree without being the same.
//!
//! Input: a rule and what it finds on the pages. The rule's parts get the field of the first mention, and fields get
//! [`Slot::also`]. The time is proportional to the number of pairs of fields that share a word on some page, times the
//! pages. Fields inside lists are not changed: their values belong to their item.
//!
//! Known failure: two data that agree on all pages seen, such as a price and a list price, are treated as one; where
//! they differ later, the field has both.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Landmarks, Part, Slot};

/// If more fields contain a word on one page, the word does not show that any two of them are related.
const CROWD: usize = 24;
/// Fields with fewer different values are not compared.
const FEWEST: usize = 4;
/// Longer texts are prose, which may mention anything.
const LONGEST: usize = 40;

/// The value of a field on one page: the text, and its words.
struct Said<'e> {
    text: &'e str,
    words: Vec<String>,
}

/// For one page, the value of each field that has exactly one.
type PageSaid<'e> = BTreeMap<u32, Said<'e>>;

/// Joins the fields of a rule that are mentions of one datum, and renumbers the fields of `found` to match the rule.
pub(super) fn join(rule: &mut Landmarks, found: &mut [Vec<Event>]) {
    let single = outside_lists(rule);
    let said: Vec<PageSaid<'_>> = found.iter().map(|events| said(events, &single)).collect();
    let pairs = pairs(&said);
    let cost = 2.0 * (rule.fields.len().max(2) as f64).log2();
    let mut leaders: Vec<u32> = (0..rule.fields.len() as u32).collect();
    let same = |a: &Said<'_>, b: &Said<'_>| (a.text == b.text).then_some(0);
    for &(first, second) in &pairs {
        let free = leaders[first as usize] == first && leaders[second as usize] == second;
        if free && agreement(&said, first, second, same).is_some_and(|(_, bits)| bits > cost) {
            leaders[second as usize] = first;
        }
    }
    let mut nearest: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for &(first, second) in &pairs {
        if leaders[first as usize] != first || leaders[second as usize] != second {
            continue;
        }
        let Some((distance, _)) = agreement(&said, first, second, extra).filter(|(_, bits)| *bits > cost) else {
            continue;
        };
        for (one, other) in [(first, second), (second, first)] {
            let best = nearest.entry(one).or_insert((distance, other));
            if distance < best.0 {
                *best = (distance, other);
            }
        }
    }
    for (one, (_, other)) in &nearest {
        if one < other && nearest.get(other).is_some_and(|(_, back)| back == one) {
            let both = rule.fields.len() as u32;
            rule.fields.push(Slot::default());
            rule.fields[*one as usize].also = Some(both);
            rule.fields[*other as usize].also = Some(both);
        }
    }
    for part in &mut rule.parts {
        match part {
            Part::Field(field) => *field = leaders[*field as usize],
            Part::Split { marks, .. } => {
                let attributes = marks.iter_mut().flat_map(|mark| &mut mark.attributes);
                attributes.for_each(|(_, field)| *field = leaders[*field as usize]);
            }
            Part::Nothing | Part::Unwrap { .. } | Part::Group { .. } | Part::List { .. } => {}
        }
    }
    let numbers = rule.prune();
    for event in found.iter_mut().flatten() {
        if let Event::Value { field, .. } = event
            && let Some(number) = numbers[leaders[*field as usize] as usize]
        {
            *field = number;
        }
    }
}

/// Which fields contain texts or attributes outside lists, and are not in a group.
pub(super) fn outside_lists(rule: &Landmarks) -> Vec<bool> {
    let mut inside = vec![false; rule.parts.len()];
    let mut single = vec![false; rule.fields.len()];
    for (at, part) in rule.parts.iter().enumerate() {
        let listed = inside[at] || matches!(part, Part::List { .. });
        for child in part.parts() {
            inside[child as usize] |= listed;
        }
        if !inside[at] && !matches!(part, Part::Group { .. }) {
            part.fields()
                .into_iter()
                .for_each(|field| single[field as usize] = true);
        }
    }
    single
}

fn said<'e>(events: &'e [Event], single: &[bool]) -> PageSaid<'e> {
    let mut texts: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for event in events {
        if let Event::Value { field, text, .. } = event
            && single[*field as usize]
        {
            texts.entry(*field).or_default().push(text);
        }
    }
    let one = |(field, texts): (u32, Vec<&'e str>)| {
        let &[text] = texts.as_slice() else { return None };
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).take(LONGEST + 1).collect();
        (!words.is_empty()).then_some((field, Said { text, words }))
    };
    texts.into_iter().filter_map(one).collect()
}

/// The pairs of fields that have a word in common on some page.
fn pairs(said: &[PageSaid<'_>]) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for said in said {
        let mut having: HashMap<&str, Vec<u32>> = HashMap::new();
        for (field, said) in said {
            for word in &said.words {
                let fields = having.entry(word).or_default();
                if fields.last() != Some(field) {
                    fields.push(*field);
                }
            }
        }
        let mut having: Vec<Vec<u32>> = having.into_values().filter(|fields| fields.len() <= CROWD).collect();
        having.sort_unstable();
        for fields in having {
            for (at, first) in fields.iter().enumerate() {
                pairs.extend(fields[at + 1..].iter().map(|second| (*first, *second)));
            }
        }
    }
    pairs
}

/// How many words the longer text adds to the shorter, which it contains as one run; `None` if it does not contain it.
fn extra(a: &Said<'_>, b: &Said<'_>) -> Option<usize> {
    let (short, long) = match a.words.len() <= b.words.len() {
        true => (&a.words, &b.words),
        false => (&b.words, &a.words),
    };
    let holds = long.len() <= LONGEST && long.windows(short.len()).any(|window| window == short);
    holds.then(|| long.len() - short.len())
}

/// The mean distance of two fields, and the bits that their agreement saves; `None` if they disagree on some page or
/// hardly vary.
fn agreement(
    said: &[PageSaid<'_>],
    first: u32,
    second: u32,
    distance: impl Fn(&Said<'_>, &Said<'_>) -> Option<usize>,
) -> Option<(f64, f64)> {
    let mut counts: BTreeMap<&[String], u32> = BTreeMap::new();
    let (mut all, mut far) = (0u32, 0);
    for said in said {
        let (Some(a), Some(b)) = (said.get(&first), said.get(&second)) else {
            continue;
        };
        far += distance(a, b)?;
        let short = if a.words.len() <= b.words.len() { a } else { b };
        *counts.entry(&short.words).or_default() += 1;
        all += 1;
    }
    if counts.len() < FEWEST {
        return None;
    }
    let bits = |count: &u32| f64::from(*count) * (f64::from(all) / f64::from(*count)).log2();
    Some((far as f64 / f64::from(all.max(1)), counts.values().map(bits).sum()))
}

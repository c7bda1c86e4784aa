//! Which units of a region set are its landmarks.
//!
//! A unit can be identified by its tag, by an attribute, by having none, by a text in it, by an attribute of something
//! in it, or by its position. What occurs at most once in every region is a candidate. The question of the Landmark
//! Lemma, template or data, is answered by description length. Let `n` of `N` regions have the candidate, among `M`
//! units of its tag. Making it a landmark saves `n log2(M / n)` bits, which a list of such units would need to
//! distinguish its items. It costs the bits to say which regions have it, `N H(n / N)`, and those to write it down. So
//! a label that nearly all pages have is a landmark, and a genre that a third of the films have, one of three on each
//! page, is not: the less a word distinguishes, the more often it must occur. A tag is compared with no structure at
//! all, at [`TAG`] bits.
//!
//! Candidates that occur at the same units are one landmark that can be identified in several ways. This makes it
//! robust: when a class changes, its text still finds it. The most frequent are taken first, as long as their order is
//! consistent: landmarks of one region have the same order on all pages.
//!
//! The weights are description lengths in round numbers and are not fitted to pages: a tag is one of about thirty, an
//! attribute one of some hundreds, a text one of a thousand.

use super::quick::QuickMap;
use super::records::Learner;
use super::site::{Doc, NO_TEXT, Region, Sym, TEXT};
use page::vocabulary::NAMING;
use wrapper::rule::landmark::{Landmark, Test};

/// Bits to write a tag down, and the cost of one where nothing is known.
const TAG: f64 = 5.0;
/// Bits to write an attribute down.
const ATTRIBUTE: f64 = 8.0;
/// Bits to write down a text, or something inside a unit.
const TEXT_BITS: f64 = 10.0;
/// Bits to write down what is in every region: a list would also pay for its spelling, so only the choice costs bits.
const EVERYWHERE: f64 = 2.0;
/// A longer run of one tag is a list, whatever its length; and a region has no more landmarks than this. Both limit the
/// time for a hostile page, which grows with the square.
const MOST: usize = 1000;
/// How many identifications of a landmark are kept: of attributes, texts and things inside.
const WAYS: [usize; 3] = [4, 3, 2];

/// Something by which a unit of a region can be identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Says(Sym, Sym),
    Attribute(Sym, Sym),
    Holds(Sym, Sym),
    Plain(Sym),
    Tag(Sym),
    Nth(Sym, u32),
}

#[derive(Default)]
struct Count {
    total: u32,
    /// Units that are the only ones with the key in their region.
    ones: Vec<(u32, u32)>,
    /// The number of regions with several such units.
    several: u32,
    last: Option<(u32, u32)>,
    most: u32,
}

/// Keys that occur at the same units: one landmark, identified in several ways.
pub(super) struct Group {
    keys: Vec<Key>,
    pub(super) ones: Vec<(u32, u32)>,
    several: u32,
    weak: bool,
}

/// Bits to say which `ones` of `all` have something.
fn presence(ones: usize, all: usize) -> f64 {
    let p = ones as f64 / all as f64;
    if p <= 0.0 || p >= 1.0 {
        return 0.0;
    }
    -(all as f64) * (p * p.log2() + (1.0 - p) * (1.0 - p).log2())
}

impl Learner<'_, '_> {
    /// The landmarks of a region set, in their order.
    pub(super) fn landmarks(&self, regions: &[Region], units: &[Vec<u32>]) -> Vec<Group> {
        let mut counts: QuickMap<Key, Count> = QuickMap::default();
        let mut tag_totals: QuickMap<Sym, u32> = QuickMap::default();
        // For each text that fills its unit: how many of these units are followed by something of another kind.
        let mut labels: QuickMap<(Sym, Sym), u32> = QuickMap::default();
        for (number, (region, units)) in (0u32..).zip(regions.iter().zip(units)) {
            let doc = &self.site.docs[region.doc as usize];
            self.count_labels(doc, units, &mut labels);
            for (index, &unit) in (0u32..).zip(units) {
                let tag = doc.tags[unit as usize];
                *tag_totals.entry(tag).or_default() += 1;
                let mut note = |key: Key| {
                    let count = counts.entry(key).or_default();
                    match count.last {
                        Some((region, last)) if region == number => {
                            if last == index {
                                return;
                            }
                            if count.ones.last().is_some_and(|(region, _)| *region == number) {
                                count.ones.pop();
                                count.several += 1;
                                count.most = count.most.max(2);
                            } else {
                                count.most += 1;
                            }
                        }
                        _ => count.ones.push((number, index)),
                    }
                    count.last = Some((number, index));
                    count.total += 1;
                };
                note(Key::Tag(tag));
                for attribute in doc.attributes(unit) {
                    note(Key::Attribute(tag, *attribute));
                }
                if self.settings.lattice && tag != TEXT && doc.attributes(unit).is_empty() {
                    note(Key::Plain(tag));
                }
                let mate = doc.tokens.tokens[unit as usize].mate;
                for at in unit..=mate {
                    let text = doc.texts[at as usize];
                    if text != NO_TEXT && self.site.spread[text as usize] > 1 {
                        note(Key::Says(tag, text));
                    }
                    if at > unit {
                        for &attribute in doc.attributes(at) {
                            if self.site.attribute_spread[attribute as usize] > 1 {
                                note(Key::Holds(tag, attribute));
                            }
                        }
                    }
                }
            }
        }
        let all = regions.len();
        let gain = |key: Key, count: &Count| {
            let ones = count.ones.len();
            let (bits, template) = match key {
                Key::Tag(_) | Key::Nth(..) => (TAG, TAG),
                Key::Plain(tag) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), TAG),
                Key::Holds(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), TEXT_BITS),
                Key::Attribute(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), ATTRIBUTE),
                Key::Says(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), TEXT_BITS),
            };
            // What is in every region is not a coincidence; both descriptions pay for its spelling.
            let template = if ones == all { EVERYWHERE } else { template };
            bits * ones as f64 - presence(ones, all) - template
        };
        let mut keys: Vec<(Key, Count)> = counts.into_iter().filter(|(_, count)| !count.ones.is_empty()).collect();
        keys.sort_unstable_by_key(|(key, _)| *key);
        let mut groups: Vec<(Group, f64)> = Vec::new();
        let mut by_ones: QuickMap<Vec<(u32, u32)>, usize> = QuickMap::default();
        for (key, count) in keys {
            if count.several > 0 {
                continue;
            }
            if let Key::Says(tag, text) = key
                && count.ones.len() < all
                && labels
                    .get(&(tag, text))
                    .is_some_and(|times| (*times as usize) * 2 < count.ones.len())
            {
                continue;
            }
            let gain = gain(key, &count);
            match by_ones.get(&count.ones) {
                Some(&at) => {
                    groups[at].0.keys.push(key);
                    groups[at].0.several = groups[at].0.several.min(count.several);
                    groups[at].1 = groups[at].1.max(gain);
                }
                None => {
                    by_ones.insert(count.ones.clone(), groups.len());
                    let group = Group {
                        keys: vec![key],
                        ones: count.ones,
                        several: count.several,
                        weak: false,
                    };
                    groups.push((group, gain));
                }
            }
        }
        for (group, gain) in self.positions(regions, units) {
            if !by_ones.contains_key(&group.ones) {
                groups.push((group, gain));
            }
        }
        groups.retain(|(_, gain)| *gain > 0.0);
        groups.sort_by(|(a, _), (b, _)| {
            (a.weak, b.ones.len(), a.several, &a.keys).cmp(&(b.weak, a.ones.len(), b.several, &b.keys))
        });
        choose(groups.into_iter().map(|(group, _)| group), units)
    }

    /// Counts, for each text that fills its unit, how often it is a label: what follows it is of another kind.
    fn count_labels(&self, doc: &Doc<'_>, units: &[u32], labels: &mut QuickMap<(Sym, Sym), u32>) {
        let mut last: Option<(Sym, Option<Sym>, Option<Sym>)> = None;
        for &unit in units.iter().rev() {
            let (tag, class, only) = self.kind(doc, unit);
            let Some(only) = only else { continue };
            if let Some(text) = only {
                let label = last.is_some_and(|(t, c, o)| t != tag || c != class || o.is_none());
                *labels.entry((tag, text)).or_default() += u32::from(label);
            }
            last = Some((tag, class, only));
        }
    }

    /// The tag and class of a unit, and its text if it has exactly one; for separators there is no text (`None`).
    fn kind(&self, doc: &Doc<'_>, unit: u32) -> (Sym, Option<Sym>, Option<Option<Sym>>) {
        let mate = doc.tokens.tokens[unit as usize].mate;
        let said = doc.texts[unit as usize..=mate as usize]
            .iter()
            .filter(|text| **text != NO_TEXT);
        let mut said = said.filter(|text| self.site.texts[**text as usize].chars().any(char::is_alphanumeric));
        let only = match (said.next(), said.next()) {
            (None, _) => None,
            (Some(text), None) => Some(Some(*text)),
            _ => Some(None),
        };
        let class = |attribute: &&Sym| {
            let (name, value) = &self.site.attributes[**attribute as usize];
            name == "class" && value.is_some()
        };
        (
            doc.tags[unit as usize],
            doc.attributes(unit).iter().find(class).copied(),
            only,
        )
    }

    /// Positions among the units of a tag, where nearly all regions have the same number of such units.
    fn positions(&self, regions: &[Region], units: &[Vec<u32>]) -> Vec<(Group, f64)> {
        let mut by_tag: QuickMap<Sym, Vec<Vec<(u32, u32)>>> = QuickMap::default();
        for (number, (region, units)) in (0u32..).zip(regions.iter().zip(units)) {
            let doc = &self.site.docs[region.doc as usize];
            for (index, &unit) in (0u32..).zip(units) {
                let places = by_tag.entry(doc.tags[unit as usize]).or_default();
                match places.last_mut() {
                    Some(last) if last[0].0 == number => last.push((number, index)),
                    _ => places.push(vec![(number, index)]),
                }
            }
        }
        let mut tags: Vec<_> = by_tag.into_iter().collect();
        tags.sort_unstable_by_key(|(tag, _)| *tag);
        let mut groups = Vec::new();
        for (tag, places) in tags {
            let mut lengths: QuickMap<usize, usize> = QuickMap::default();
            places.iter().for_each(|p| *lengths.entry(p.len()).or_default() += 1);
            let Some((&length, &times)) = lengths.iter().max_by_key(|(length, times)| (**times, **length)) else {
                continue;
            };
            if !(2..=MOST).contains(&length) || times * 10 < places.len() * 9 || places.len() < 2 {
                continue;
            }
            for nth in 0..length {
                let ones: Vec<(u32, u32)> = places.iter().filter(|p| p.len() == length).map(|p| p[nth]).collect();
                let gain = TAG * ones.len() as f64 - presence(ones.len(), regions.len()) - TAG;
                groups.push((
                    Group {
                        keys: vec![Key::Nth(tag, nth as u32 + 1)],
                        ones,
                        several: 0,
                        weak: true,
                    },
                    gain,
                ));
            }
        }
        groups
    }

    /// How to identify a landmark, the most reliable way first.
    pub(super) fn landmark(&self, group: &Group) -> Landmark {
        let mut tests = Vec::new();
        let mut what = TEXT;
        let (mut says, mut attributes, mut holds) = (0, 0, 0);
        let mut keys = group.keys.clone();
        keys.sort_by_key(|key| match key {
            Key::Attribute(_, attribute) => {
                let (name, value) = &self.site.attributes[*attribute as usize];
                (
                    0,
                    NAMING.iter().position(|known| known == name).unwrap_or(NAMING.len())
                        + if value.is_some() { 0 } else { 20 },
                )
            }
            Key::Says(_, text) => {
                // Words are more specific than punctuation, and short texts are labels rather than prose.
                let text = &self.site.texts[*text as usize];
                (
                    1,
                    text.len()
                        + if text.chars().filter(|c| c.is_alphabetic()).count() > 2 {
                            0
                        } else {
                            1000
                        },
                )
            }
            Key::Holds(_, attribute) => (2, *attribute as usize),
            Key::Plain(_) => (3, 0),
            Key::Tag(_) => (4, 0),
            Key::Nth(..) => (5, 0),
        });
        for key in keys {
            let mut test = Test::default();
            match key {
                Key::Attribute(tag, attribute) => {
                    what = tag;
                    attributes += 1;
                    if attributes > WAYS[0] {
                        continue;
                    }
                    test.attributes.push(self.site.attributes[attribute as usize].clone());
                }
                Key::Says(tag, text) => {
                    what = tag;
                    says += 1;
                    if says > WAYS[1] {
                        continue;
                    }
                    test.says = Some(self.site.texts[text as usize].clone());
                }
                Key::Holds(tag, attribute) => {
                    what = tag;
                    holds += 1;
                    let (name, value) = &self.site.attributes[attribute as usize];
                    let Some(value) = value.clone().filter(|_| holds <= WAYS[2]) else {
                        continue;
                    };
                    test.holds = Some((name.clone(), value));
                }
                Key::Plain(tag) => {
                    what = tag;
                    test.plain = true;
                }
                Key::Tag(tag) => what = tag,
                Key::Nth(tag, nth) => {
                    what = tag;
                    test.nth = Some(nth);
                }
            }
            tests.push(test);
        }
        Landmark {
            what: self.site.what(what),
            tests,
        }
    }
}

/// Takes groups in turn, skipping those that conflict with others about the order or the unit.
fn choose(groups: impl Iterator<Item = Group>, units: &[Vec<u32>]) -> Vec<Group> {
    let mut chosen: Vec<Group> = Vec::new();
    // For each region and unit, the index in `chosen` of the group there; `order` lists these indices in page order.
    let mut taken: Vec<Vec<Option<u32>>> = units.iter().map(|units| vec![None; units.len()]).collect();
    let mut order: Vec<u32> = Vec::new();
    for group in groups {
        if chosen.len() == MOST {
            break;
        }
        let mut rank = vec![0usize; chosen.len()];
        for (position, place) in order.iter().enumerate() {
            rank[*place as usize] = position;
        }
        // The new one goes between the positions `low - 1` and `high`.
        let (mut low, mut high) = (0, order.len());
        let mut fits = true;
        for &(region, index) in &group.ones {
            let taken = &taken[region as usize];
            if taken[index as usize].is_some() {
                fits = false;
                break;
            }
            if let Some(place) = taken[..index as usize].iter().rev().flatten().next() {
                low = low.max(rank[*place as usize] + 1);
            }
            if let Some(place) = taken[index as usize + 1..].iter().flatten().next() {
                high = high.min(rank[*place as usize]);
            }
            if low > high {
                fits = false;
                break;
            }
        }
        if !fits {
            continue;
        }
        order.insert(low, chosen.len() as u32);
        for &(region, index) in &group.ones {
            taken[region as usize][index as usize] = Some(chosen.len() as u32);
        }
        chosen.push(group);
    }
    let mut slots: Vec<Option<Group>> = chosen.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|place| slots[place as usize].take())
        .collect()
}

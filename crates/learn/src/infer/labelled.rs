//! Labels that lead to values wherever they stand.
//!
//! Landmarks divide a page from the outside in, and what is between two of them is a field. That loses a value whose row moves to
//! another column or parent on some pages, whose label only few pages have, or which only the heading of its column
//! tells from its neighbours. A reader finds all of these by their labels. **In**: a landmark rule and what it finds on its pages.
//! **Out**: the same rule with [`Label`]s. A label is given to the field that it agrees with, for the pages where the landmarks of that field
//! lead nowhere; otherwise it is a field of its own.
//!
//! - A text may be a label if several pages have it and it ends with a colon, or if it is in a *place of labels*: elements of the same
//!   tags and classes in which at least half of the texts are on at least half of the pages. So a label that two pages have is
//!   known by those that all have.
//! - A heading above its value is no value of a label itself.
//! - It is a label if its values differ, if they are seldom labels themselves, and if pages hardly ever have it several times with
//!   different values, which would be a list.
//! - Spellings that differ in case, in signs or in a plural, and of which a page has one, are one label.
//! - It belongs to the field with the same values, if that field has none on pages without the label.
//!
//! **Cost**: linear in the texts, and in the values of labels. The shares are judgements.
//!
//! **Known failures**: labels of several texts; labels and values in one text, with other values in it.

use super::mentions::outside_lists;
use super::site::{Doc, NO_TEXT, Site, Sym};
use crate::naming::LONGEST;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Label, Landmarks, Part, Piece, Side, Slot};

/// The most fields that only a label leads to.
const MOST: usize = 60;
/// How many elements above a text make its place.
const ABOVE: usize = 3;
/// The fewest pages with a label.
const FEWEST: usize = 2;
/// One value in this many may be a label, and one page in this many may have several values in different places.
const RARELY: usize = 4;
/// How many texts with the words of a label are tried on a page.
const OCCURRENCES: usize = 8;

/// The texts that may be labels.
struct Candidates {
    /// Where each is, by page and position.
    places: BTreeMap<Sym, Vec<(usize, u32)>>,
    /// Those that certainly are labels.
    sure: HashSet<Sym>,
}

/// A label and its values: the positions of the texts on each page.
struct Found {
    spellings: Vec<Sym>,
    side: Side,
    values: BTreeMap<usize, Vec<u32>>,
}

impl Found {
    /// Where its values are, by page and position.
    fn places(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let values = self.values.iter();
        values.flat_map(|(doc, texts)| texts.iter().map(|at| (*doc, *at)))
    }
}

/// Adds labels to a rule, and what they lead to, to what it finds.
pub(super) fn add(site: &Site<'_>, rule: &mut Landmarks, found: &mut [Vec<Event>]) {
    let candidates = candidates(site);
    let sure = &candidates.sure;
    let after = candidates.places.iter();
    let mut labels: Vec<Found> = after
        .filter_map(|(text, places)| read(site, *text, places, Side::After, sure))
        .collect();
    // What is the value of a label is no heading.
    let taken: HashSet<Sym> = labels.iter().flat_map(|label| label.spellings.clone()).collect();
    let is_value: HashSet<(usize, u32)> = labels.iter().flat_map(Found::places).collect();
    for (text, places) in candidates.places.iter().filter(|(text, _)| !taken.contains(text)) {
        if !places.iter().any(|place| is_value.contains(place)) {
            labels.extend(read(site, *text, places, Side::Below, sure));
        }
    }
    let mut labels = join(site, labels);
    // From here on a label is what is known to be one when the rule runs.
    let known: HashSet<Sym> = labels.iter().flat_map(|label| label.spellings.clone()).collect();
    for label in &mut labels {
        let places: Vec<(usize, u32)> = label
            .spellings
            .iter()
            .flat_map(|text| candidates.places[text].clone())
            .collect();
        label.values = values(site, &places, label.side, &known).0;
    }
    labels.retain(|label| varies(site, &label.values));
    give(site, rule, found, labels);
}

fn candidates(site: &Site<'_>) -> Candidates {
    // For each place, the texts on at least half of the pages, and all.
    let mut usual: HashMap<u64, (u32, u32)> = HashMap::new();
    let mut kinds: Vec<HashMap<u32, u64>> = Vec::new();
    let is_common = |text: Sym| site.spread[text as usize] as usize * 2 >= site.docs.len();
    for doc in &site.docs {
        let mut here = HashMap::new();
        for (at, text) in texts(doc) {
            let kind = place(doc, at);
            here.insert(at, kind);
            let (common, all) = usual.entry(kind).or_default();
            *common += u32::from(is_common(text));
            *all += 1;
        }
        kinds.push(here);
    }
    let mut found = Candidates {
        places: BTreeMap::new(),
        sure: HashSet::new(),
    };
    for (number, doc) in site.docs.iter().enumerate() {
        for (at, text) in texts(doc) {
            if (site.spread[text as usize] as usize) < FEWEST || !is_wordy(&site.texts[text as usize]) {
                continue;
            }
            let (common, all) = usual[&kinds[number][&at]];
            let ends = site.texts[text as usize].ends_with(':');
            let is_usual = common * 2 >= all;
            if ends || is_usual {
                found.places.entry(text).or_default().push((number, at));
                if ends || is_common(text) {
                    found.sure.insert(text);
                }
            }
        }
    }
    found
}

fn is_wordy(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) && text.chars().count() <= LONGEST
}

fn texts<'d>(doc: &'d Doc<'_>) -> impl Iterator<Item = (u32, Sym)> + 'd {
    let texts = (0u32..).zip(doc.texts.iter().copied());
    texts.filter(|(at, text)| *text != NO_TEXT && doc.tokens.tokens[*at as usize].piece == Piece::Text)
}

/// The kind of place of a text: the tags and classes above it.
fn place(doc: &Doc<'_>, at: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    let above = doc.page.ancestors(doc.tokens.tokens[at as usize].node).take(ABOVE);
    for node in above {
        doc.page.name(node).hash(&mut hasher);
        doc.page.attribute_value(node, "class").hash(&mut hasher);
    }
    hasher.finish()
}

/// The values of a text on its side, if it is a label.
fn read(site: &Site<'_>, text: Sym, places: &[(usize, u32)], side: Side, sure: &HashSet<Sym>) -> Option<Found> {
    let none = HashSet::new();
    let (all, several) = values(site, places, side, &none);
    if several * RARELY > all.len() {
        return None;
    }
    let is_label = |(doc, texts): (&usize, &Vec<u32>)| {
        let first = texts.first().map(|at| site.docs[*doc].texts[*at as usize]);
        first.is_some_and(|first| sure.contains(&first))
    };
    let labels = all.iter().filter(|pair| is_label(*pair)).count();
    if labels * RARELY > all.len() {
        return None;
    }
    let (values, _) = values(site, places, side, sure);
    varies(site, &values).then(|| Found {
        spellings: vec![text],
        side,
        values,
    })
}

/// What a label leads to on each page, and the number of pages where it is several times with different values.
fn values(
    site: &Site<'_>,
    places: &[(usize, u32)],
    side: Side,
    known: &HashSet<Sym>,
) -> (BTreeMap<usize, Vec<u32>>, usize) {
    let mut on: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (doc, at) in places {
        on.entry(*doc).or_default().push(*at);
    }
    let mut several = 0;
    let mut found = BTreeMap::new();
    for (number, mut places) in on {
        places.sort_unstable();
        let doc = &site.docs[number];
        let is_label = |at: u32| known.contains(&doc.texts[at as usize]);
        let read = |at: u32| side.values(doc.page, &doc.tokens, at, &is_label);
        let all: Vec<Vec<u32>> = (places.into_iter().take(OCCURRENCES).map(read))
            .filter(|texts| !texts.is_empty())
            .collect();
        let said = |texts: &[u32]| texts.iter().map(|at| doc.texts[*at as usize]).collect::<Vec<Sym>>();
        several += usize::from(all.iter().any(|texts| said(texts) != said(&all[0])));
        found.extend(all.into_iter().next().map(|texts| (number, texts)));
    }
    (found, several)
}

/// Do pages say different things?
fn varies(site: &Site<'_>, values: &BTreeMap<usize, Vec<u32>>) -> bool {
    let said: BTreeSet<Vec<Sym>> = values.iter().map(|(doc, texts)| said(site, *doc, texts)).collect();
    values.len() >= FEWEST && said.len() > 1
}

fn said(site: &Site<'_>, doc: usize, texts: &[u32]) -> Vec<Sym> {
    texts.iter().map(|at| site.docs[doc].texts[*at as usize]).collect()
}

/// Joins the spellings of one label.
fn join(site: &Site<'_>, labels: Vec<Found>) -> Vec<Found> {
    let fold = |text: Sym| {
        let plain = site.texts[text as usize].chars().filter(|c| c.is_alphanumeric());
        let plain: String = plain.flat_map(char::to_lowercase).collect();
        plain.strip_suffix('s').map(str::to_owned).unwrap_or(plain)
    };
    let mut joined: Vec<Found> = Vec::new();
    let mut known: HashMap<(String, Side), usize> = HashMap::new();
    for label in labels {
        let key = (fold(label.spellings[0]), label.side);
        match known.get(&key) {
            Some(&at) if label.values.keys().all(|doc| !joined[at].values.contains_key(doc)) => {
                joined[at].spellings.extend(label.spellings);
                joined[at].values.extend(label.values);
            }
            _ => {
                known.insert(key, joined.len());
                joined.push(label);
            }
        }
    }
    joined
}

/// Gives labels to the fields that they agree with, and makes fields of the others.
fn give(site: &Site<'_>, rule: &mut Landmarks, found: &mut [Vec<Event>], labels: Vec<Found>) {
    let single = outside_groups(rule);
    let texts = fields_said(found, &single);
    // The fields with a value on a page, to find those that a label may belong to.
    let mut saying: HashMap<(usize, &[String]), Vec<u32>> = HashMap::new();
    for (field, pages) in &texts {
        for (doc, said) in pages {
            saying.entry((*doc, said)).or_default().push(*field);
        }
    }
    let mut alone = Vec::new();
    for label in labels {
        let mut agreeing: BTreeMap<u32, usize> = BTreeMap::new();
        let said = |doc: usize, texts: &[u32]| -> Vec<String> {
            let mut once: Vec<String> = Vec::new();
            for text in said(site, doc, texts) {
                let text = &site.texts[text as usize];
                if !once.contains(text) {
                    once.push(text.clone());
                }
            }
            once
        };
        for (doc, texts) in &label.values {
            for field in saying.get(&(*doc, &said(*doc, texts)[..])).into_iter().flatten() {
                *agreeing.entry(*field).or_default() += 1;
            }
        }
        // The values of a list are found as a list.
        if agreeing
            .iter()
            .any(|(field, times)| !single[*field as usize] && *times == label.values.len())
        {
            continue;
        }
        let owner = agreeing.into_iter().filter(|(field, times)| {
            let is_free = single[*field as usize] && rule.fields[*field as usize].label.is_none();
            is_free && *times == texts[field].len() && *times >= FEWEST
        });
        let owner = owner.max_by_key(|(field, times)| (*times, std::cmp::Reverse(*field)));
        match owner {
            Some((field, _)) => attach(site, rule, found, field, label),
            None => alone.push(label),
        }
    }
    alone.sort_by_key(|label| std::cmp::Reverse(label.values.len()));
    for label in alone.into_iter().take(MOST) {
        let field = rule.fields.len() as u32;
        rule.fields.push(Slot {
            name: format!("field_{field}"),
            ..Slot::default()
        });
        attach(site, rule, found, field, label);
    }
}

/// Which fields are neither in lists nor made of whole elements.
fn outside_groups(rule: &Landmarks) -> Vec<bool> {
    let mut single = outside_lists(rule);
    for part in &rule.parts {
        if let Part::Group { field, .. } = part {
            single[*field as usize] = false;
        }
    }
    single
}

/// What fields say on each page; separators are left out.
fn fields_said(found: &[Vec<Event>], single: &[bool]) -> BTreeMap<u32, BTreeMap<usize, Vec<String>>> {
    let mut texts: BTreeMap<u32, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
    for (doc, events) in found.iter().enumerate() {
        for event in events {
            if let Event::Value { field, text, .. } = event {
                let said = texts.entry(*field).or_default().entry(doc).or_default();
                // A field outside of lists gives each of its mentions once.
                let is_again = single[*field as usize] && said.contains(text);
                if text.chars().any(char::is_alphanumeric) && !is_again {
                    said.push(text.clone());
                }
            }
        }
    }
    texts
}

/// Gives a label to a field, and the field its values on pages where it has none.
fn attach(site: &Site<'_>, rule: &mut Landmarks, found: &mut [Vec<Event>], field: u32, label: Found) {
    let spelled = |text: &Sym| site.texts[*text as usize].clone();
    rule.fields[field as usize].label = Some(Label {
        words: label.spellings.iter().map(spelled).collect(),
        side: label.side,
        many: label.values.values().any(|texts| texts.len() > 1),
    });
    for (number, texts) in &label.values {
        let has = |event: &Event| matches!(event, Event::Value { field: other, .. } if *other == field);
        if found[*number].iter().any(has) {
            continue;
        }
        let doc = &site.docs[*number];
        found[*number].extend(texts.iter().map(|at| Event::Value {
            field,
            node: doc.tokens.tokens[*at as usize].node,
            text: site.texts[doc.texts[*at as usize] as usize].clone(),
        }));
    }
}

//! Does a region tell fields apart that a template does not?
//!
//! A region finds fields by labels, classes and forms of their texts. A template with the same records may have the label in the value (`Date: May 9`), or values of
//! two optional fields in one. Then none of its fields has the values of the region's, and the region is better, if it loses hardly a word.
//!
//! Linear in the values, but for sorting.

use super::rows;
use page::NodeId;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use wrapper::rule::Event;

/// The share of the values of a field that another one must have to be the same, in hundredths.
const SAME_VALUES: usize = 95;

/// How many different texts of a field are looked at for a label before them.
const LOOKED: usize = 200;
/// The share of the words of a template's rows that a region may lack, in hundredths.
const LOST_WORDS: usize = 5;

/// Has a region with the same records, and nearly all words that the rows of a template have, a field that is told by a label, a class or a form (`told`) and
/// that no field of the template has? Then the template has the label in the value, or values of several fields in one. So it has if one of its fields is a label and the value, whatever others it has. Labels name the fields of a region, so words of
/// its `names` are not lost.
pub fn tells_more(regions: &[Vec<Event>], template: &[Vec<Event>], told: &[usize], names: &[String]) -> bool {
    let (own, theirs) = (texts_of(regions), texts_of(template));
    let same = |one: &BTreeMap<(usize, &str), usize>, other: &BTreeMap<(usize, &str), usize>| {
        let common: usize = one
            .iter()
            .map(|(text, times)| (*times).min(other.get(text).copied().unwrap_or(0)))
            .sum();
        let most = one.values().sum::<usize>().max(other.values().sum());
        common * 100 >= most * SAME_VALUES
    };
    let mut told = told.iter().filter_map(|field| own.get(&(*field as u32)));
    let lacks = |own: &BTreeMap<(usize, &str), usize>| !theirs.values().any(|theirs| same(own, theirs));
    let has_label = |own: &BTreeMap<(usize, &str), usize>| theirs.values().any(|theirs| begins_with_label(own, theirs));
    if !told.any(|own| lacks(own) || has_label(own)) {
        return false;
    }
    let names: HashSet<&str> = names.iter().flat_map(|name| name.split('_')).collect();
    let (mut all, mut lost) = (0, 0);
    for (region, template) in regions.iter().zip(template) {
        let records: Vec<(NodeId, NodeId)> = rows(region).into_values().flatten().collect();
        let (mine, theirs) = (words_of(region, &records), words_of(template, &records));
        for (mine, theirs) in mine.iter().zip(&theirs) {
            all += theirs.len();
            // Without a space between them, a label and the value after it are one word.
            let is_joined = |word: &str| {
                names
                    .iter()
                    .any(|name| word.strip_prefix(name).is_some_and(|rest| mine.contains(rest)))
            };
            let is_lost = |word: &&String| !mine.contains(*word) && !names.contains(word.as_str()) && !is_joined(word);
            lost += theirs.iter().filter(is_lost).count();
        }
    }
    lost * 100 <= all * LOST_WORDS
}

/// Has a field of a template the values of a field of a region, each after the same words? These are its label.
fn begins_with_label(own: &BTreeMap<(usize, &str), usize>, theirs: &BTreeMap<(usize, &str), usize>) -> bool {
    let mut label: Option<&str> = None;
    let mut looked = 0;
    for (page, text) in theirs.keys().take(LOOKED) {
        let ends =
            |(number, value): &&(usize, &str)| number == page && text.len() > value.len() && text.ends_with(value);
        let Some((_, value)) = own.keys().take(LOOKED).find(ends) else {
            return false;
        };
        let before = &text[..text.len() - value.len()];
        if label.is_some_and(|label| label != before) || !before.contains(char::is_alphabetic) {
            return false;
        }
        label = Some(before);
        looked += 1;
    }
    looked >= 2
}

/// Are lists inside of the records of a template nothing but links that a region with the same records has as fields of their own, by their words (*Agenda*, *Minutes*)? Then each of their
/// values is one of a field that is `told`, or the words that it is named after.
pub fn names_inner(regions: &[Vec<Event>], template: &[Vec<Event>], told: &[usize], names: &[String]) -> bool {
    let words: HashSet<&str> = told
        .iter()
        .filter_map(|field| names.get(*field))
        .flat_map(|name| name.split('_'))
        .collect();
    let (mut all, mut known) = (0, 0);
    for (region, template) in regions.iter().zip(template) {
        let own = region.iter().filter_map(|event| match event {
            Event::Value { field, text, .. } if told.contains(&(*field as usize)) => Some(text.as_str()),
            _ => None,
        });
        let own: HashSet<&str> = own.collect();
        let mut depth = 0;
        for event in template {
            match event {
                Event::Open(_) => depth += 1,
                Event::Close => depth -= 1,
                Event::Value { text, .. } if depth > 1 => {
                    let said = text.to_lowercase();
                    let mut said = said
                        .split(|c: char| !c.is_alphanumeric())
                        .filter(|word| !word.is_empty());
                    all += 1;
                    known += usize::from(own.contains(text.as_str()) || said.all(|word| words.contains(word)));
                }
                Event::Value { .. } => {}
            }
        }
    }
    all > 0 && known * 100 >= all * SAME_VALUES
}

/// The words of the values in each record, in small letters; a record reaches to the next one.
fn words_of(events: &[Event], records: &[(NodeId, NodeId)]) -> Vec<BTreeSet<String>> {
    let mut words = vec![BTreeSet::new(); records.len()];
    let end = records.last().map_or(NodeId::DOCUMENT, |(_, last)| *last);
    for event in events {
        let Event::Value { node, text, .. } = event else {
            continue;
        };
        let after = records.partition_point(|(first, _)| first <= node);
        if after == 0 || *node > end {
            continue;
        }
        let own = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words[after - 1].extend(own.map(str::to_lowercase));
    }
    words
}

/// How often each field says a text on a page.
fn texts_of(pages: &[Vec<Event>]) -> BTreeMap<u32, BTreeMap<(usize, &str), usize>> {
    let mut fields: BTreeMap<u32, BTreeMap<(usize, &str), usize>> = BTreeMap::new();
    for (page, events) in pages.iter().enumerate() {
        for event in events {
            if let Event::Value { field, text, .. } = event {
                let texts = fields.entry(*field).or_default();
                *texts.entry((page, text.as_str())).or_default() += 1;
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records with a value for each field, at nodes one after the other.
    fn events(records: &[&[(u32, &str)]]) -> Vec<Vec<Event>> {
        let mut events = Vec::new();
        for (number, record) in records.iter().enumerate() {
            events.push(Event::Open(0));
            for (at, (field, text)) in record.iter().enumerate() {
                events.push(Event::Value {
                    field: *field,
                    node: NodeId((10 * number + at + 1) as u32),
                    text: (*text).to_owned(),
                });
            }
            events.push(Event::Close);
        }
        vec![events]
    }

    #[test]
    fn lists_of_links_are_fields_if_their_words_tell_them() {
        let names = ["title", "agenda", "minutes"].map(str::to_owned);
        let region = events(&[&[(0, "Kelp"), (1, "/a1"), (2, "/m1")], &[(0, "Moss"), (2, "/m2")]]);
        let template = |last: &str| {
            let mut events = Vec::new();
            for (title, links) in [
                ("Kelp", vec![("/a1", "Agenda"), ("/m1", "Minutes")]),
                ("Moss", vec![("/m2", last)]),
            ] {
                let value = |field: u32, text: &str| Event::Value {
                    field,
                    node: NodeId(1),
                    text: text.to_owned(),
                };
                events.extend([Event::Open(0), value(0, title)]);
                for (link, words) in links {
                    events.extend([Event::Open(1), value(1, link), value(2, words), Event::Close]);
                }
                events.push(Event::Close);
            }
            vec![events]
        };
        assert!(names_inner(&region, &template("Minutes"), &[1, 2], &names));
        assert!(
            !names_inner(&region, &template("Minutes"), &[1], &names),
            "not all are told"
        );
        assert!(
            !names_inner(&region, &template("Ann Lee"), &[1, 2], &names),
            "the words say something else"
        );
    }

    #[test]
    fn a_label_in_the_value_is_told() {
        let names = ["title".to_owned(), "date".to_owned()];
        let region = events(&[
            &[(0, "Kelp"), (1, "May 9")],
            &[(0, "Moss")],
            &[(0, "Fern"), (1, "May 7")],
        ]);
        let whole = events(&[
            &[(0, "Kelp"), (1, "Date: May 9")],
            &[(0, "Moss")],
            &[(0, "Fern"), (1, "Date: May 7")],
        ]);
        assert!(tells_more(&region, &whole, &[1], &names));
        assert!(!tells_more(&region, &whole, &[], &names), "no field is told");
        assert!(!tells_more(&region, &region, &[1], &names), "the template has it, too");
        let more = events(&[
            &[(0, "Kelp"), (1, "Date: May 9"), (2, "Ann Lee")],
            &[(0, "Moss"), (2, "Bob Roe")],
            &[(0, "Fern"), (1, "Date: May 7"), (2, "Cy Doe")],
        ]);
        assert!(!tells_more(&region, &more, &[1], &names), "words are lost");
    }
}

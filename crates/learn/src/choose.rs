//! Which of two wrappers for the same pages is better: the one with the shorter description.
//!
//! Pages are described by a rule and by the data that the rule does not fix. A rule costs bits for each of its fields
//! and parts; the text that all pages share is the same in every description and is left out. Words in texts that all
//! pages share cost nothing. All other words of a page are data: in a value, a word costs its characters; outside all
//! values it costs twice that, because it must be encoded some other way. So leaving out data is expensive, and so is a
//! field for each row of a list where a few fields would be enough for all rows. Linear in the pages.

use page::{Kind, NodeId, Page};
use std::collections::{HashMap, HashSet};
use wrapper::rule::Event;
use wrapper::rule::landmark::clean;

/// Bits for each field.
const FIELD: u64 = 32;
/// Bits for each part of a rule.
const PART: u64 = 8;
/// Bits for each character of data.
const CHARACTER: u64 = 4;

/// How well a rule describes pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// The length of the description, in bits.
    pub bits: u64,
    /// The number of fields with values.
    pub fields: usize,
    /// The number of items of lists.
    pub rows: usize,
    /// The words of the data that are in values, in thousandths of all words of the data.
    pub found: u64,
}

/// Describes pages by what a rule with `parts` parts finds on each.
pub fn describe(pages: &[&Page], found: &[Vec<Event>], parts: usize) -> Description {
    let mut spread: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let said: HashSet<String> = texts(page).map(|(_, text)| text).collect();
        let mut said: Vec<String> = said.into_iter().collect();
        said.sort_unstable();
        said.into_iter().for_each(|text| *spread.entry(text).or_default() += 1);
    }
    let mut fields: HashSet<u32> = HashSet::new();
    let (mut rows, mut inside, mut outside) = (0, 0, 0);
    for (page, events) in pages.iter().zip(found) {
        // How often each word of the page is in a value.
        let mut values: HashMap<&str, usize> = HashMap::new();
        for event in events {
            match event {
                Event::Value { field, node, text } => {
                    fields.insert(*field);
                    if page.kind(*node) == Kind::Text {
                        text.split_whitespace()
                            .for_each(|word| *values.entry(word).or_default() += 1);
                    }
                }
                Event::Open(_) => rows += 1,
                Event::Close => {}
            }
        }
        for (_, text) in texts(page) {
            if spread[&text] == pages.len() {
                continue;
            }
            for word in text.split_whitespace() {
                let length = word.chars().count() as u64 + 1;
                match values.get_mut(word) {
                    Some(times) if *times > 0 => {
                        *times -= 1;
                        inside += length;
                    }
                    _ => outside += length,
                }
            }
        }
    }
    Description {
        bits: FIELD * fields.len() as u64 + PART * parts as u64 + CHARACTER * (inside + 2 * outside),
        fields: fields.len(),
        rows,
        found: 1000 * inside / (inside + outside).max(1),
    }
}

/// The visible texts of a page.
fn texts(page: &Page) -> impl Iterator<Item = (NodeId, String)> + '_ {
    let texts = page.texts().iter().copied();
    let texts = texts.filter(|node| page::vocabulary::is_seen(page, *node));
    texts
        .map(|node| (node, clean(page.string_value(node)).into_owned()))
        .filter(|(_, text)| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_shorter_as_one_than_as_many_fields() {
        let page = |names: [&str; 3]| {
            let html: String = names.iter().map(|name| format!("<li>{name}")).collect();
            Page::parse(html.as_bytes(), &Default::default()).unwrap()
        };
        let pages = [page(["a", "b", "c"]), page(["d", "e", "f"])];
        let pages: Vec<&Page> = pages.iter().collect();
        let events = |many: bool| -> Vec<Vec<Event>> {
            let value = |(number, node): (usize, &NodeId), page: &Page| Event::Value {
                field: if many { number as u32 } else { 0 },
                node: *node,
                text: page.string_value(*node).to_owned(),
            };
            let one = |page: &&Page| page.texts().iter().enumerate().map(|text| value(text, page)).collect();
            pages.iter().map(one).collect()
        };
        let (many, one) = (describe(&pages, &events(true), 3), describe(&pages, &events(false), 3));
        assert!(one.bits < many.bits, "{one:?} {many:?}");
        assert_eq!((many.fields, one.fields, one.found), (3, 1, 1000));
        let none = describe(&pages, &[Vec::new(), Vec::new()], 0);
        assert_eq!((none.fields, none.found), (0, 0));
    }
}

//! Which of two wrappers for the same pages is better: the one with the shorter description.
//!
//! Pages are described by a rule and by the data that the rule does not fix. A rule costs bits for each of its fields
//! and parts; the text that all pages share is the same in every description and is left out. Words in texts that all
//! pages share cost nothing. All other words of a page are data: in a value, a word costs its characters; outside all
//! values it costs twice that, because it must be encoded some other way. So leaving out data is expensive, and so is a
//! field for each row of a list where a few fields would be enough for all rows. Linear in the pages.

use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};
use wrapper::rule::Event;
use wrapper::rule::landmark::clean;

/// Bits for each field.
const FIELD: u64 = 32;
/// Bits for each part of a rule.
const PART: u64 = 8;
/// Bits for each character of data.
const CHARACTER: u64 = 4;

/// How well a rule describes pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The length of the description, in bits.
    pub bits: u64,
    /// The number of fields with values.
    pub fields: usize,
    /// The number of items of lists.
    pub rows: usize,
    /// The words of the data that are in values, in thousandths of all words of the data.
    pub found: u64,
    /// The main list: the one with most words of the data.
    pub list: MainList,
}

/// The list with most words of the data, among those that are in no other list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MainList {
    /// The words of the data in it, in thousandths of all words of the data.
    pub share: u64,
    /// Its items on the page in the middle, by their number.
    pub rows: usize,
    /// Its own fields, without those of lists in it.
    pub fields: usize,
    /// How well its items fill its fields, in thousandths: 1000 if each item has a value of each field.
    pub filled: u64,
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
    let mut lists: BTreeMap<u32, Listed> = BTreeMap::new();
    let (mut rows, mut inside, mut outside) = (0, 0, 0);
    for (number, (page, events)) in pages.iter().zip(found).enumerate() {
        // For each word of the page the outermost lists of the values that it is in.
        let mut values: HashMap<&str, Vec<Option<u32>>> = HashMap::new();
        let mut open: Vec<u32> = Vec::new();
        let mut filled: HashSet<u32> = HashSet::new();
        for event in events {
            match event {
                Event::Value { field, node, text } => {
                    fields.insert(*field);
                    if open.len() == 1 {
                        filled.insert(*field);
                    }
                    if page.kind(*node) == Kind::Text {
                        let list = open.first().copied();
                        text.split_whitespace()
                            .for_each(|word| values.entry(word).or_default().push(list));
                    }
                }
                Event::Open(list) => {
                    rows += 1;
                    open.push(*list);
                    if open.len() == 1 {
                        let listed = lists.entry(*list).or_default();
                        listed.rows.resize(pages.len(), 0);
                        listed.rows[number] += 1;
                        filled.clear();
                    }
                }
                Event::Close => {
                    if let (Some(list), true) = (open.pop(), open.is_empty()) {
                        let listed = lists.entry(list).or_default();
                        let mut filled: Vec<u32> = filled.drain().collect();
                        filled.sort_unstable();
                        filled
                            .into_iter()
                            .for_each(|field| *listed.fields.entry(field).or_default() += 1);
                    }
                }
            }
        }
        for (_, text) in texts(page) {
            if spread[&text] == pages.len() {
                continue;
            }
            for word in text.split_whitespace() {
                let length = word.chars().count() as u64 + 1;
                match values.get_mut(word).and_then(Vec::pop) {
                    Some(list) => {
                        inside += length;
                        if let Some(listed) = list.and_then(|list| lists.get_mut(&list)) {
                            listed.inside += length;
                        }
                    }
                    None => outside += length,
                }
            }
        }
    }
    let all = (inside + outside).max(1);
    let main = lists.into_values().max_by_key(|listed| listed.inside);
    Description {
        bits: FIELD * fields.len() as u64 + PART * parts as u64 + CHARACTER * (inside + 2 * outside),
        fields: fields.len(),
        rows,
        found: 1000 * inside / all,
        list: main.map_or_else(MainList::default, |main| main.summary(all)),
    }
}

/// What is known of a list.
#[derive(Default)]
struct Listed {
    /// The letters of the data in it.
    inside: u64,
    /// Its items on each page.
    rows: Vec<usize>,
    /// In how many items each of its fields has a value.
    fields: BTreeMap<u32, u64>,
}

impl Listed {
    fn summary(mut self, all: u64) -> MainList {
        let items: usize = self.rows.iter().sum();
        self.rows.sort_unstable();
        let filled: u64 = self.fields.values().sum();
        MainList {
            share: 1000 * self.inside / all,
            rows: self.rows.get(self.rows.len() / 2).copied().unwrap_or(0),
            fields: self.fields.len(),
            filled: 1000 * filled / (items * self.fields.len()).max(1) as u64,
        }
    }
}

/// The pages whose `title` names something of their own, in thousandths of all pages: it has words that the titles of most others
/// lack, numbers aside, and no other page has the same.
pub fn own_names(pages: &[&Page]) -> u64 {
    let names: Vec<Vec<String>> = pages.iter().map(|page| title_words(page)).collect();
    let mut spread: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        let words: HashSet<&str> = name.iter().map(String::as_str).collect();
        let mut words: Vec<&str> = words.into_iter().collect();
        words.sort_unstable();
        words.into_iter().for_each(|word| *spread.entry(word).or_default() += 1);
    }
    let rare = |word: &&str| spread[*word] * 2 <= pages.len();
    let mut owns: Vec<Vec<&str>> = Vec::new();
    for name in &names {
        owns.push(name.iter().map(String::as_str).filter(rare).collect());
    }
    let mut times: HashMap<&[&str], usize> = HashMap::new();
    owns.iter().for_each(|own| *times.entry(own).or_default() += 1);
    let count = owns.iter().filter(|own| !own.is_empty() && times[own.as_slice()] == 1);
    1000 * count.count() as u64 / pages.len().max(1) as u64
}

/// The words of a page's title, without numbers.
fn title_words(page: &Page) -> Vec<String> {
    let title = page.elements().iter().copied().find(|node| page.name(*node) == "title");
    let text = title.map(|title| clean(page.string_value(title)).to_lowercase());
    let text = text.unwrap_or_default();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().any(char::is_alphabetic));
    words.map(str::to_owned).collect()
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

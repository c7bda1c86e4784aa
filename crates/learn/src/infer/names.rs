//! Names of fields, from the words on the page.
//!
//! A field is named after the nearest template text before its values (`Director:`), because a reader also sees that as
//! its label; else after the label inside its text nodes; else after the `itemprop`, `id` or `class` around them; else
//! after its tag if that is meaningful; else by its number. Labels are searched for on every page and the most frequent
//! one is taken, so a page with something else in between does not matter. A text is template if it is on at least half
//! of the pages that have the field and is not a value itself. Another value in between ends the search, because the
//! label then belongs to that value. A value in a table whose row has no label of its own is named after the heading of
//! its column.

use super::columns;
use super::site::{Doc, NO_TEXT, Site};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Landmarks, Part, Piece};

/// How many texts before the value a label may be.
const REACH: usize = 6;
/// How many mentions of a datum are considered.
const MENTIONS: u32 = 4;
/// The longest label, in characters.
pub(crate) const LONGEST: usize = 48;

/// Names the fields of a rule, and marks those that follow a label inside their own text nodes; `found` is what the
/// rule finds on the pages.
pub(crate) fn name_fields(site: &Site<'_>, rule: &mut Landmarks, found: &[Vec<Event>]) {
    let mut labels: Vec<HashMap<String, u32>> = vec![HashMap::new(); rule.fields.len()];
    let mut pages: Vec<u32> = vec![0; rule.fields.len()];
    let mut firsts: Vec<Vec<(usize, NodeId)>> = vec![Vec::new(); rule.fields.len()];
    let mut texts: Vec<Vec<&str>> = vec![Vec::new(); rule.fields.len()];
    for (number, events) in found.iter().enumerate() {
        let mut first: BTreeMap<u32, NodeId> = BTreeMap::new();
        for event in events {
            if let Event::Value { field, node, text } = event {
                first.entry(*field).or_insert(*node);
                texts[*field as usize].push(text);
            }
        }
        for (field, node) in first {
            pages[field as usize] += 1;
            firsts[field as usize].push((number, node));
        }
    }
    // A text that is always the same may be a label, whether it is extracted or not.
    let mut varies: Vec<bool> = texts
        .iter()
        .map(|texts| texts.iter().any(|text| *text != texts[0]))
        .collect();
    // The texts of a group are those of its fields.
    for part in &rule.parts {
        if let Part::Group { field, .. } = part {
            varies[*field as usize] = false;
        }
    }
    // A datum with several mentions gets the best label of all of them.
    let mut given = vec![0u32; rule.fields.len()];
    rule.parts
        .iter()
        .flat_map(Part::fields)
        .for_each(|field| given[field as usize] += 1);
    for (doc, events) in site.docs.iter().zip(found) {
        let sight = Sight::new(site, doc, events, &varies);
        let mut looked: HashMap<u32, u32> = HashMap::new();
        let mut said: BTreeSet<(u32, &str)> = BTreeSet::new();
        for event in events {
            let Event::Value { field, node, .. } = event else {
                continue;
            };
            let times = looked.entry(*field).or_default();
            *times += 1;
            if *times <= given[*field as usize].min(MENTIONS)
                && let Some(label) = sight.label(*node, pages[*field as usize])
            {
                said.insert((*field, label));
            }
        }
        for (field, label) in said {
            *labels[field as usize].entry(label.to_owned()).or_default() += 1;
        }
    }
    let mut used = Used::default();
    let group = |part: &Part| match part {
        Part::Group { field, .. } => Some(*field),
        _ => None,
    };
    let groups: HashSet<u32> = rule.parts.iter().filter_map(group).collect();
    let mut whole: Vec<(usize, String)> = Vec::new();
    let mentions: HashSet<u32> = rule.fields.iter().filter_map(|slot| slot.also).collect();
    for (field, slot) in rule.fields.iter_mut().enumerate() {
        if mentions.contains(&(field as u32)) {
            continue;
        }
        if let Some(prefix) = label_inside(&texts[field]) {
            slot.prefix = prefix;
        }
        // A text with a colon is a label.
        let label = labels[field]
            .iter()
            .filter(|(_, times)| **times * 2 >= pages[field])
            .max_by_key(|(text, times)| (text.ends_with(':'), **times, std::cmp::Reverse(text.as_str())))
            .map(|(text, _)| text.as_str());
        let own = Some(slot.prefix.as_str()).filter(|prefix| !prefix.is_empty());
        let name = own.or(label).map(slug).filter(|name| !name.is_empty());
        let name = name
            .or_else(|| around(site, &firsts[field]))
            .unwrap_or_else(|| format!("field_{}", field + 1));
        match groups.contains(&(field as u32)) {
            true => whole.push((field, name)),
            false => slot.name = used.fresh(name),
        }
    }
    // The name itself goes to the first field in a group.
    for (field, name) in whole {
        rule.fields[field].name = used.fresh(format!("{name}_all"));
    }
    for field in 0..rule.fields.len() {
        if let Some(also) = rule.fields[field].also
            && rule.fields[also as usize].name.is_empty()
        {
            rule.fields[also as usize].name = used.fresh(format!("{}_mentions", rule.fields[field].name));
        }
    }
    // Nested records are named after their first field.
    let mut firsts: Vec<Option<u32>> = vec![None; rule.parts.len()];
    for at in (0..rule.parts.len()).rev() {
        let below = rule.parts[at]
            .parts()
            .into_iter()
            .filter_map(|child| firsts[child as usize]);
        firsts[at] = rule.parts[at].fields().into_iter().chain(below).min();
        if let (Part::List { name, .. }, Some(first)) = (&mut rule.parts[at], firsts[at])
            && !name.is_empty()
        {
            let base = format!("{}_items", rule.fields[first as usize].name);
            *name = used.fresh(base);
        }
    }
}

/// One page, prepared for finding labels.
struct Sight<'s, 'p> {
    site: &'s Site<'p>,
    doc: &'s Doc<'p>,
    /// The nodes of values that vary.
    values: HashSet<NodeId>,
    places: HashMap<NodeId, usize>,
}

impl<'s, 'p> Sight<'s, 'p> {
    fn new(site: &'s Site<'p>, doc: &'s Doc<'p>, events: &[Event], varies: &[bool]) -> Sight<'s, 'p> {
        let varying = |event: &Event| match event {
            Event::Value { node, field, .. } if varies[*field as usize] => Some(*node),
            _ => None,
        };
        Sight {
            site,
            doc,
            values: events.iter().filter_map(varying).collect(),
            places: (0..doc.tokens.tokens.len())
                .filter(|at| doc.tokens.tokens[*at].piece != Piece::End)
                .map(|at| (doc.tokens.tokens[at].node, at))
                .collect(),
        }
    }

    /// The text at a position if it may be a label, and the number of pages that have it.
    fn said(&self, place: usize) -> Option<(&'s str, u32)> {
        let sym = self.doc.texts[place];
        let text = self.site.texts.get(sym as usize)?;
        let wordy = text.chars().any(char::is_alphabetic) && text.chars().count() <= LONGEST;
        wordy.then(|| (text.as_str(), self.site.spread[sym as usize]))
    }

    /// The label of a value of a field that `pages` pages have.
    fn label(&self, node: NodeId, pages: u32) -> Option<&'s str> {
        let page = self.doc.page;
        let owner = match page.kind(node) {
            Kind::Attribute => page.parent(node)?,
            _ => node,
        };
        let place = *self.places.get(&owner)?;
        let tokens = &self.doc.tokens.tokens;
        let template = |shared: u32| shared > 1 && shared * 2 >= pages;
        let near = (0..place)
            .rev()
            .filter(|at| self.doc.texts[*at] != NO_TEXT && tokens[*at].piece == Piece::Text);
        let mut label = None;
        for at in near.take(REACH) {
            if self.values.contains(&tokens[at].node) {
                break;
            }
            if let Some((text, shared)) = self.said(at) {
                label = template(shared).then_some((text, at));
                break;
            }
        }
        // A text in another row is not a label for this row, but the column's heading is.
        let row = columns::row(page, owner);
        let own = label.filter(|(_, at)| row.is_none_or(|row| tokens[*at].node > row));
        let heading = || {
            let headings = columns::headings(page, owner).into_iter();
            let mut texts = headings.filter(|node| !self.values.contains(node));
            texts.find_map(|node| {
                let (text, shared) = self.said(*self.places.get(&node)?)?;
                template(shared).then_some(text)
            })
        };
        let label = label.map(|(text, _)| text);
        own.map(|(text, _)| text).or_else(heading).or(label)
    }
}

/// Names that are already used.
#[derive(Default)]
pub(crate) struct Used {
    names: HashSet<String>,
    /// How often each name was requested.
    asked: HashMap<String, u32>,
}

impl Used {
    /// The name, with a number after it if it is already used: the tenth `isbn` does not get the name of an `isbn_10`.
    pub(crate) fn fresh(&mut self, name: String) -> String {
        let asked = self.asked.entry(name.clone()).or_default();
        loop {
            *asked += 1;
            let fresh = match *asked {
                1 => name.clone(),
                times => format!("{name}_{times}"),
            };
            if self.names.insert(fresh.clone()) {
                return fresh;
            }
        }
    }
}

/// The common beginning of all values, up to a colon.
fn label_inside(texts: &[&str]) -> Option<String> {
    let (first, rest) = texts.split_first()?;
    if rest.iter().all(|text| text == first) {
        return None;
    }
    let mut length = first.len();
    for text in rest {
        length = first
            .bytes()
            .zip(text.bytes())
            .take(length)
            .take_while(|(a, b)| a == b)
            .count();
    }
    let mut end = first.get(..length).or_else(|| first.get(..length.checked_sub(1)?))?;
    let colon = end.rfind(':')?;
    end = &end[..=colon];
    // The scheme of an address is not a label.
    let fine = end.chars().any(char::is_alphabetic) && end.chars().count() <= LONGEST;
    (fine && texts.iter().all(|text| !text[end.len()..].starts_with("//"))).then(|| end.to_owned())
}

/// A name from the attributes and tags around the values.
fn around(site: &Site<'_>, firsts: &[(usize, NodeId)]) -> Option<String> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for (doc, node) in firsts {
        if let Some(name) = name_around(site.docs[*doc].page, *node) {
            *votes.entry(name).or_default() += 1;
        }
    }
    let (name, times) = votes
        .into_iter()
        .max_by_key(|(name, times)| (*times, std::cmp::Reverse(name.clone())))?;
    (times * 2 >= firsts.len()).then_some(name)
}

pub(crate) fn name_around(page: &Page, node: NodeId) -> Option<String> {
    let mut at = if page.kind(node) == Kind::Attribute {
        page.parent(node)?
    } else {
        node
    };
    for _ in 0..4 {
        if page.is_element(at) {
            for attribute in vocabulary::NAMING {
                let value = page
                    .attribute_value(at, attribute)
                    .map(slug)
                    .filter(|name| !name.is_empty());
                if value.is_some() {
                    return value;
                }
            }
            if vocabulary::is_telling(page.name(at)) {
                return Some(page.name(at).to_owned());
            }
        }
        at = page.parent(at)?;
    }
    None
}

/// A text as a name: letters and digits in lower case, and one underscore for everything between.
pub(crate) fn slug(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().take(LONGEST) {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_fields_have_one_name() {
        let mut used = Used::default();
        let asked = ["isbn", "isbn", "isbn_2", "isbn_3", "isbn", "isbn_2"];
        let names: Vec<String> = asked.iter().map(|name| used.fresh((*name).to_owned())).collect();
        assert_eq!(names, ["isbn", "isbn_2", "isbn_2_2", "isbn_3", "isbn_4", "isbn_2_3"]);
    }
}

//! Labels of landmark fields, and with them their names.
//!
//! The label of a field is the nearest template text before its values (`Director:`), because a reader also sees that as
//! its label, or the label inside its text nodes. Labels are searched for on every page and the most frequent
//! one is taken, so a page with something else in between does not matter. A text is template if it is on at least half
//! of the pages that have the field and is not a value itself. Another value in between ends the search, because the
//! label then belongs to that value. A value in a table whose row has no label of its own has the heading of
//! its column as its label. Links, buttons and choices of forms are no labels. Names, also of fields without a label, come from
//! [`crate::naming`].

use super::columns;
use super::site::{Doc, NO_TEXT, Site};
use crate::naming::{LONGEST, Naming, PLACES, Unnamed, Used, may_be_label};
use page::{Kind, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Landmarks, Part, Piece};

/// How many texts before the value a label may be.
const REACH: usize = 6;
/// How many mentions of a datum are considered.
const MENTIONS: u32 = 4;
/// How many values of a field are looked at on each page.
const EACH: usize = 6;

/// Names the fields of a rule, and marks those that follow a label inside their own text nodes; `found` is what the
/// rule finds on the pages.
pub(crate) fn name_fields(site: &Site<'_>, rule: &mut Landmarks, found: &[Vec<Event>]) {
    let mut labels: Vec<HashMap<String, u32>> = vec![HashMap::new(); rule.fields.len()];
    let mut pages: Vec<u32> = vec![0; rule.fields.len()];
    let mut places: Vec<Vec<(usize, NodeId)>> = vec![Vec::new(); rule.fields.len()];
    let mut texts: Vec<Vec<&str>> = vec![Vec::new(); rule.fields.len()];
    for (number, events) in found.iter().enumerate() {
        let mut here: BTreeMap<u32, usize> = BTreeMap::new();
        for event in events {
            if let Event::Value { field, node, text } = event {
                let times = here.entry(*field).or_default();
                *times += 1;
                if *times <= EACH {
                    places[*field as usize].push((number, *node));
                }
                texts[*field as usize].push(text);
            }
        }
        here.keys().for_each(|field| pages[*field as usize] += 1);
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
    let group = |part: &Part| match part {
        Part::Group { field, .. } => Some(*field),
        _ => None,
    };
    let groups: HashSet<u32> = rule.parts.iter().filter_map(group).collect();
    let mentions: HashSet<u32> = rule.fields.iter().filter_map(|slot| slot.also).collect();
    let records = records(rule);
    let mut unnamed: Vec<Unnamed> = Vec::new();
    for (field, slot) in rule.fields.iter_mut().enumerate() {
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
        let own = own.or_else(|| Some(slot.label.as_ref()?.words[0].as_str()).filter(|_| given[field] == 0));
        // A list has more places than are looked at: those of all pages are.
        let places = &mut places[field];
        if places.len() > PLACES {
            let step = places.len().div_ceil(PLACES);
            *places = places.iter().copied().step_by(step).collect();
        }
        unnamed.push(Unnamed {
            places: std::mem::take(places),
            label: own.or(label).map(str::to_owned),
            record: records.fields[field],
            may_be_main: !groups.contains(&(field as u32)),
        });
    }
    // The name itself goes to the first field in a group, and to the mentions in their own places.
    let is_plain = |field: usize| !groups.contains(&(field as u32)) && !mentions.contains(&(field as u32));
    let plain: Vec<usize> = (0..rule.fields.len()).filter(|field| is_plain(*field)).collect();
    let sources: Vec<&Page> = site.docs.iter().map(|doc| doc.page).collect();
    let naming = Naming::new(&sources);
    let named: Vec<Unnamed> = plain.iter().map(|field| unnamed[*field].clone()).collect();
    let mut used: HashMap<usize, Used> = HashMap::new();
    for (field, name) in plain.iter().zip(naming.names(&named)) {
        rule.fields[*field].name = used.entry(records.fields[*field]).or_default().fresh(name);
    }
    for field in (0..rule.fields.len()).filter(|field| groups.contains(&(*field as u32))) {
        let name = naming.name_of(&unnamed[field]);
        let name = name.unwrap_or_else(|| format!("field_{}", field + 1));
        rule.fields[field].name = used
            .entry(records.fields[field])
            .or_default()
            .fresh(format!("{name}_all"));
    }
    for field in 0..rule.fields.len() {
        if let Some(also) = rule.fields[field].also
            && mentions.contains(&also)
            && rule.fields[also as usize].name.is_empty()
        {
            let name = format!("{}_mentions", rule.fields[field].name);
            rule.fields[also as usize].name = used.entry(0).or_default().fresh(name);
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
            let base = items_name(&rule.fields[first as usize].name);
            *name = used.entry(records.parts[at]).or_default().fresh(base);
        }
    }
}

/// The name of the records of a list, after its first field. The title of an item is not what the list is called, and a number says
/// nothing.
pub(crate) fn items_name(first: &str) -> String {
    let is_number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit());
    match first {
        "title" | "name" | "link" | "image" | "image_text" => "items".to_owned(),
        _ if first.strip_prefix("field_").is_some_and(is_number) => "items".to_owned(),
        first => format!("{first}_items"),
    }
}

/// The records that the parts and fields of a rule belong to: 0 for that of the page, else a number for each list of records.
struct Records {
    parts: Vec<usize>,
    fields: Vec<usize>,
}

fn records(rule: &Landmarks) -> Records {
    let mut of = Records {
        parts: vec![0; rule.parts.len()],
        fields: vec![0; rule.fields.len()],
    };
    // Parts come after those that contain them.
    for (at, part) in rule.parts.iter().enumerate() {
        for child in part.parts() {
            of.parts[child as usize] = of.parts[at];
        }
        if let Part::List { name, each, .. } = part
            && !name.is_empty()
        {
            of.parts[*each as usize] = at + 1;
        }
        for field in part.fields() {
            of.fields[field as usize] = of.parts[at];
        }
    }
    of
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
                let is_label = template(shared) && may_be_label(page, tokens[at].node, owner);
                label = is_label.then_some((text, at));
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

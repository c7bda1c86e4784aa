//! Landmark grammars whose objective is the records.

use super::site::{NO_TEXT, Region, Site, Sym, TEXT};
use std::collections::HashMap;
use wrapper::rule::landmark::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Slot, Test};

/// Deeper regions are left whole.
const DEEPEST: usize = 300;

/// Something that a unit of a region may be known by.
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
    /// Units that are alone with the key in their region.
    ones: Vec<(u32, u32)>,
    /// Regions with several.
    several: u32,
    last: Option<(u32, u32)>,
    most: u32,
}

struct Group {
    keys: Vec<Key>,
    ones: Vec<(u32, u32)>,
    several: u32,
    weak: bool,
}

/// A field of texts.
struct Leaf {
    field: u32,
    /// Does it say the same everywhere?
    constant: bool,
    /// What kind of place it has.
    place: u64,
}

pub(crate) struct Learner<'s, 'p> {
    pub(crate) site: &'s Site<'p>,
    pub(crate) parts: Vec<Part>,
    pub(crate) slots: Vec<Slot>,
    leaves: Vec<Leaf>,
}

pub(crate) fn infer(site: &Site<'_>, all: bool) -> Landmarks {
    let mut learner = Learner { site, parts: Vec::new(), slots: Vec::new(), leaves: Vec::new() };
    learner.region_set(&site.whole(), 0);
    if !all {
        learner.drop_constants();
    }
    let mut rule = Landmarks { grain: Grain::Nodes, parts: learner.parts, fields: learner.slots };
    rule.prune();
    rule
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
    fn region_set(&mut self, regions: &[Region], depth: usize) -> PartId {
        let id = self.parts.len() as PartId;
        self.parts.push(Part::Nothing);
        let units: Vec<Vec<u32>> = regions
            .iter()
            .map(|region| self.site.docs[region.doc as usize].tokens.units(region.from, region.to).collect())
            .collect();
        if units.iter().all(Vec::is_empty) {
            return id;
        }
        if depth > DEEPEST {
            self.parts[id as usize] = self.leaf(regions);
            return id;
        }
        if let Some(part) = self.single(regions, &units) {
            self.parts[id as usize] = part;
            return id;
        }
        if let Some((tag, unwrapped)) = self.unwrapped(regions, &units) {
            let of = self.region_set(&unwrapped, depth + 1);
            let wrapper = Landmark { what: self.site.what(tag), tests: Vec::new() };
            self.parts[id as usize] = Part::Unwrap { wrapper, of };
            return id;
        }
        let chosen = self.landmarks(regions, &units);
        if !chosen.is_empty() {
            self.parts[id as usize] = self.split(regions, &units, &chosen, depth);
            return id;
        }
        self.parts[id as usize] = self.list(id, regions, &units, depth);
        id
    }

    /// A region set whose regions are texts, or things with one text that differ in their markup.
    fn single(&mut self, regions: &[Region], units: &[Vec<u32>]) -> Option<Part> {
        let mut tags: Vec<Sym> = Vec::new();
        for (region, units) in regions.iter().zip(units) {
            if units.len() > 1 {
                return None;
            }
            let doc = &self.site.docs[region.doc as usize];
            for unit in units {
                tags.push(doc.tags[*unit as usize]);
                let mate = doc.tokens.tokens[*unit as usize].mate;
                let texts = (*unit..=mate).filter(|at| doc.texts[*at as usize] != NO_TEXT).count();
                if texts > 1 {
                    return None;
                }
            }
        }
        tags.sort_unstable();
        tags.dedup();
        (tags.len() > 1 || tags == [TEXT]).then(|| self.leaf(regions))
    }

    /// Regions of which some are one element that holds what the others are: the same, less that element.
    fn unwrapped(&self, regions: &[Region], units: &[Vec<u32>]) -> Option<(Sym, Vec<Region>)> {
        let kind = |region: &Region, unit: u32| {
            let doc = &self.site.docs[region.doc as usize];
            let class = |attribute: &&Sym| {
                let (name, value) = &self.site.attributes[**attribute as usize];
                value.is_some() && matches!(name.as_str(), "class" | "id")
            };
            (doc.tags[unit as usize], doc.attributes(unit).iter().find(class).copied())
        };
        let mut tags: Vec<Sym> = Vec::new();
        for (region, units) in regions.iter().zip(units) {
            if let [unit] = units[..] {
                tags.push(self.site.docs[region.doc as usize].tags[unit as usize]);
            }
        }
        tags.retain(|tag| *tag != TEXT);
        tags.sort_unstable();
        tags.dedup();
        'tags: for tag in tags {
            let mut plain: HashMap<(Sym, Option<Sym>), u32> = HashMap::new();
            let mut wrapped = Vec::new();
            for (region, units) in regions.iter().zip(units) {
                let kinds: Vec<_> = units.iter().map(|unit| kind(region, *unit)).collect();
                match kinds[..] {
                    [(only, _)] if only == tag => wrapped.push((region, units[0])),
                    _ => kinds.into_iter().for_each(|kind| *plain.entry(kind).or_default() += 1),
                }
            }
            let (mut known, mut all) = (0, 0);
            for (region, unit) in &wrapped {
                if plain.contains_key(&kind(region, *unit)) {
                    continue 'tags;
                }
                let doc = &self.site.docs[region.doc as usize];
                for inner in doc.tokens.units(unit + 1, doc.tokens.tokens[*unit as usize].mate) {
                    all += 1;
                    known += u32::from(plain.contains_key(&kind(region, inner)));
                }
            }
            if known == 0 || known * 2 < all {
                continue;
            }
            let unwrap = |(region, units): (&Region, &Vec<u32>)| match units[..] {
                [unit] if self.site.docs[region.doc as usize].tags[unit as usize] == tag => {
                    let mate = self.site.docs[region.doc as usize].tokens.tokens[unit as usize].mate;
                    Region { doc: region.doc, from: unit + 1, to: mate }
                }
                _ => *region,
            };
            return Some((tag, regions.iter().zip(units).map(unwrap).collect()));
        }
        None
    }

    fn leaf(&mut self, regions: &[Region]) -> Part {
        let mut texts: Vec<Sym> = Vec::new();
        for region in regions {
            let doc = &self.site.docs[region.doc as usize];
            texts.extend(doc.texts[region.from as usize..region.to as usize].iter().filter(|text| **text != NO_TEXT));
        }
        texts.sort_unstable();
        texts.dedup();
        // Separators are no values.
        texts.retain(|text| self.site.texts[*text as usize].chars().any(char::is_alphanumeric));
        if texts.is_empty() {
            return Part::Nothing;
        }
        let field = self.slots.len() as u32;
        self.leaves.push(Leaf { field, constant: texts.len() == 1, place: self.place(regions) });
        self.slots.push(Slot { name: format!("field_{field}"), ..Slot::default() });
        Part::Field(field)
    }

    /// The kind of place that a region has: its tags and classes, and the positions of the innermost ones among their like.
    fn place(&self, regions: &[Region]) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        let first = regions.iter().find(|region| {
            let doc = &self.site.docs[region.doc as usize];
            doc.texts[region.from as usize..region.to as usize].iter().any(|text| *text != NO_TEXT)
        });
        let Some(region) = first else { return 0 };
        let doc = &self.site.docs[region.doc as usize];
        let text = (region.from..region.to).find(|at| doc.texts[*at as usize] != NO_TEXT).unwrap_or(region.from);
        let page = doc.page;
        let mut node = doc.tokens.tokens[text as usize].node;
        for level in 0.. {
            page.name(node).hash(&mut hasher);
            if level < 3 {
                page.attribute_value(node, "class").hash(&mut hasher);
                let mut position = 0;
                if let Some(parent) = page.parent(node) {
                    let like = |child: &page::NodeId| {
                        page.kind(*child) == page.kind(node) && page.name(*child) == page.name(node)
                    };
                    position = page.children(parent).take_while(|child| *child != node).filter(like).take(64).count();
                }
                if level < 2 {
                    position.hash(&mut hasher);
                }
            }
            match page.parent(node) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        hasher.finish()
    }

    /// Leaves out fields that always say the same, except where other fields in the same kind of place do not: there the value
    /// merely happens to be the same.
    fn drop_constants(&mut self) {
        let mut places: HashMap<u64, (u32, u32)> = HashMap::new();
        for leaf in &self.leaves {
            let entry = places.entry(leaf.place).or_default();
            if leaf.constant { entry.0 += 1 } else { entry.1 += 1 }
        }
        let mut dropped = vec![false; self.slots.len()];
        for leaf in &self.leaves {
            let (constant, varying) = places[&leaf.place];
            dropped[leaf.field as usize] = leaf.constant && varying < constant;
        }
        for part in &mut self.parts {
            if let Part::Field(field) = part
                && dropped[*field as usize]
            {
                *part = Part::Nothing;
            }
        }
    }

    fn landmarks(&self, regions: &[Region], units: &[Vec<u32>]) -> Vec<Group> {
        let mut counts: HashMap<Key, Count> = HashMap::new();
        let mut tag_totals: HashMap<Sym, u32> = HashMap::new();
        for (number, (region, units)) in (0u32..).zip(regions.iter().zip(units)) {
            let doc = &self.site.docs[region.doc as usize];
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
                if tag != TEXT && doc.attributes(unit).is_empty() {
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
                Key::Tag(_) | Key::Nth(..) => (5.0, 5.0),
                Key::Plain(tag) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), 5.0),
                Key::Holds(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), 10.0),
                Key::Attribute(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), 8.0),
                Key::Says(tag, _) => ((f64::from(tag_totals[&tag]) / ones as f64).log2(), 10.0),
            };
            // What is in every region is no coincidence; its spelling is paid for by either description.
            let template = if ones == all { 2.0 } else { template };
            bits * ones as f64 - presence(ones, all) - template
        };
        let mut keys: Vec<(Key, Count)> = counts.into_iter().filter(|(_, count)| count.ones.len() > 0).collect();
        keys.sort_unstable_by_key(|(key, _)| *key);
        let mut groups: Vec<(Group, f64)> = Vec::new();
        let mut by_ones: HashMap<Vec<(u32, u32)>, usize> = HashMap::new();
        for (key, count) in keys {
            if count.several > 0 {
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
                    let group = Group { keys: vec![key], ones: count.ones, several: count.several, weak: false };
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

    /// Positions among the units of a tag, where nearly all regions have the same number of them.
    fn positions(&self, regions: &[Region], units: &[Vec<u32>]) -> Vec<(Group, f64)> {
        let mut by_tag: HashMap<Sym, Vec<Vec<(u32, u32)>>> = HashMap::new();
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
            let mut lengths: HashMap<usize, usize> = HashMap::new();
            places.iter().for_each(|p| *lengths.entry(p.len()).or_default() += 1);
            let Some((&length, &times)) = lengths.iter().max_by_key(|(length, times)| (**times, **length)) else { continue };
            if length < 2 || times * 10 < places.len() * 9 || places.len() < 2 {
                continue;
            }
            for nth in 0..length {
                let ones: Vec<(u32, u32)> = places.iter().filter(|p| p.len() == length).map(|p| p[nth]).collect();
                let gain = 5.0 * ones.len() as f64 - presence(ones.len(), regions.len()) - 5.0;
                groups.push((Group { keys: vec![Key::Nth(tag, nth as u32 + 1)], ones, several: 0, weak: true }, gain));
            }
        }
        groups
    }

    fn split(&mut self, regions: &[Region], units: &[Vec<u32>], chosen: &[Group], depth: usize) -> Part {
        // Where each landmark is in each region.
        let mut places: Vec<Vec<Option<u32>>> = vec![vec![None; chosen.len()]; regions.len()];
        for (mark, group) in chosen.iter().enumerate() {
            for &(region, index) in &group.ones {
                places[region as usize][mark] = Some(units[region as usize][index as usize]);
            }
        }
        let mut before = Vec::new();
        let mut inner = vec![Vec::new(); chosen.len()];
        let mut after = vec![Vec::new(); chosen.len()];
        for (region, places) in regions.iter().zip(&places) {
            let doc = &self.site.docs[region.doc as usize];
            let mut from = region.from;
            let mut last: Option<usize> = None;
            let mut gap = |last: Option<usize>, from: u32, to: u32| {
                let gap = Region { doc: region.doc, from, to };
                match last {
                    None => before.push(gap),
                    Some(mark) => after[mark].push(gap),
                }
            };
            for (mark, place) in places.iter().enumerate() {
                let Some(place) = *place else { continue };
                gap(last, from, place);
                let token = doc.tokens.tokens[place as usize];
                inner[mark].push(match token.piece {
                    Piece::Start => Region { doc: region.doc, from: place + 1, to: token.mate },
                    _ => Region { doc: region.doc, from: place, to: place + 1 },
                });
                from = token.mate + 1;
                last = Some(mark);
            }
            gap(last, from, region.to);
        }
        let before = self.region_set(&before, depth + 1);
        let mut marks = Vec::new();
        for (mark, group) in chosen.iter().enumerate() {
            let landmark = self.landmark(group);
            let attributes = self.attribute_fields(&inner[mark]);
            let inner = self.whole(&inner[mark], depth + 1);
            let after = self.region_set(&after[mark], depth + 1);
            marks.push(Mark { landmark, attributes, inner, after });
        }
        Part::Split { before, marks, failed: None }
    }

    /// The inside of an element, which is a group if it holds several values in a line of text.
    fn whole(&mut self, regions: &[Region], depth: usize) -> PartId {
        let phrasing = regions.iter().all(|region| {
            let doc = &self.site.docs[region.doc as usize];
            (region.from..region.to).all(|at| self.site.phrasing[doc.tags[at as usize] as usize])
        });
        if !phrasing {
            return self.region_set(regions, depth);
        }
        let id = self.parts.len() as PartId;
        let slots = self.slots.len();
        self.parts.push(Part::Nothing);
        let of = self.region_set(regions, depth);
        let texts = self.leaves.iter().filter(|leaf| leaf.field as usize >= slots && !leaf.constant).count();
        if texts < 2 {
            self.parts[id as usize] = std::mem::replace(&mut self.parts[of as usize], Part::Nothing);
            return id;
        }
        let field = self.slots.len() as u32;
        self.slots.push(Slot { name: format!("field_{field}"), ..Slot::default() });
        self.parts[id as usize] = Part::Group { field, of };
        id
    }

    /// Attributes of landmarks whose values are data.
    fn attribute_fields(&mut self, inner: &[Region]) -> Vec<(String, u32)> {
        let mut fields = Vec::new();
        for name in ["content", "alt"] {
            let mut values: Vec<&str> = Vec::new();
            for region in inner.iter().filter(|region| region.from > 0) {
                let doc = &self.site.docs[region.doc as usize];
                let token = doc.tokens.tokens[region.from as usize - 1];
                if token.piece == Piece::Start
                    && let Some(value) = doc.page.attribute_value(token.node, name)
                    && !value.trim().is_empty()
                {
                    values.push(value);
                }
            }
            values.sort_unstable();
            values.dedup();
            if values.len() > 1 {
                let field = self.slots.len() as u32;
                self.slots.push(Slot { name: format!("field_{field}"), ..Slot::default() });
                fields.push((name.to_owned(), field));
            }
        }
        fields
    }

    fn landmark(&self, group: &Group) -> Landmark {
        let mut tests = Vec::new();
        let mut what = TEXT;
        let (mut says, mut attributes, mut holds) = (0, 0, 0);
        let mut keys = group.keys.clone();
        keys.sort_by_key(|key| match key {
            Key::Attribute(_, attribute) => {
                let (name, value) = &self.site.attributes[*attribute as usize];
                let order = ["id", "itemprop", "property", "class", "name"];
                (0, order.iter().position(|known| known == name).unwrap_or(9) + if value.is_some() { 0 } else { 20 })
            }
            Key::Says(_, text) => {
                // Words tell more than signs, and short ones are labels rather than prose.
                let text = &self.site.texts[*text as usize];
                (1, text.len() + if text.chars().filter(|c| c.is_alphabetic()).count() > 2 { 0 } else { 1000 })
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
                    if attributes > 4 {
                        continue;
                    }
                    test.attributes.push(self.site.attributes[attribute as usize].clone());
                }
                Key::Says(tag, text) => {
                    what = tag;
                    says += 1;
                    if says > 3 {
                        continue;
                    }
                    test.says = Some(self.site.texts[text as usize].clone());
                }
                Key::Holds(tag, attribute) => {
                    what = tag;
                    holds += 1;
                    let (name, value) = &self.site.attributes[attribute as usize];
                    let Some(value) = value.clone().filter(|_| holds <= 2) else { continue };
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
        Landmark { what: self.site.what(what), tests }
    }

    fn list(&mut self, id: PartId, regions: &[Region], units: &[Vec<u32>], depth: usize) -> Part {
        debug_assert_eq!(id as usize, self.parts.len() - 1);
        // The tag with most units; of several, the one that comes first.
        let mut totals: HashMap<Sym, (u32, u32)> = HashMap::new();
        let mut repeats = false;
        for (region, units) in regions.iter().zip(units) {
            let doc = &self.site.docs[region.doc as usize];
            let mut here: Vec<Sym> = Vec::new();
            for (index, unit) in (0u32..).zip(units) {
                let tag = doc.tags[*unit as usize];
                let entry = totals.entry(tag).or_default();
                entry.0 += 1;
                if !here.contains(&tag) {
                    entry.1 += index;
                    here.push(tag);
                }
                repeats |= here.len() < index as usize + 1;
            }
        }
        let best = totals.into_iter().max_by_key(|(tag, (total, first))| (*total, u32::MAX - first, *tag));
        let Some((tag, _)) = best.filter(|_| repeats) else { return self.leaf(regions) };
        let mut before = Vec::new();
        let mut items = Vec::new();
        let mut longest = 0;
        for (region, units) in regions.iter().zip(units) {
            let doc = &self.site.docs[region.doc as usize];
            let starts: Vec<u32> = units.iter().copied().filter(|unit| doc.tags[*unit as usize] == tag).collect();
            longest = longest.max(starts.len());
            before.push(Region { to: starts.first().copied().unwrap_or(region.to), ..*region });
            for (number, from) in starts.iter().enumerate() {
                items.push(Region { doc: region.doc, from: *from, to: starts.get(number + 1).copied().unwrap_or(region.to) });
            }
        }
        if longest < 2 {
            return self.leaf(regions);
        }
        let before = self.region_set(&before, depth + 1);
        let leaves = self.leaves.len();
        let each = self.region_set(&items, depth + 1);
        let records = self.leaves[leaves..].iter().filter(|leaf| !leaf.constant).count() > 1;
        Part::List { name: if records { "items".to_owned() } else { String::new() }, start: Landmark { what: self.site.what(tag), tests: Vec::new() }, before, each }
    }
}

/// Takes groups in turn, leaving out those that disagree with others about the order or the unit.
fn choose(groups: impl Iterator<Item = Group>, units: &[Vec<u32>]) -> Vec<Group> {
    let mut chosen: Vec<Group> = Vec::new();
    // For each region and unit the chosen group there, by its place in `chosen`; `order` lists places as they stand.
    let mut taken: Vec<Vec<Option<u32>>> = units.iter().map(|units| vec![None; units.len()]).collect();
    let mut order: Vec<u32> = Vec::new();
    for group in groups {
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
    order.into_iter().filter_map(|place| slots[place as usize].take()).collect()
}

//! Runs a landmark rule on a page.

use super::{Grain, Landmark, Landmarks, Part, PartId, Piece, Test, Tokens, What, clean};
use page::{NameId, NodeId, Page};
use std::collections::{HashMap, HashSet};

/// What a run finds, in document order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A value of a field.
    Value {
        /// The field.
        field: u32,
        /// The text or attribute node that it is from.
        node: NodeId,
        /// The value.
        text: String,
    },
    /// An item of the list at this part begins.
    Open(PartId),
    /// The item ends.
    Close,
}

/// A rule made ready to run.
#[derive(Debug)]
pub struct Run {
    rule: Landmarks,
    /// The texts that tests ask for.
    phrases: HashMap<String, u32>,
    /// The attributes that tests ask for inside of things, by name and then by value.
    held: HashMap<String, HashMap<String, u32>>,
    held_count: usize,
    /// Which fields are those of groups.
    groups: Vec<bool>,
    /// Which fields are of several parts, so that a page may say the same twice.
    shared: Vec<bool>,
    names: Vec<String>,
    name_ids: HashMap<String, u32>,
}

/// What is known of one page.
struct At<'p> {
    run: &'p Run,
    raw: bool,
    page: &'p Page,
    tokens: Tokens,
    /// Where each phrase is.
    places: Vec<Vec<u32>>,
    /// Where each held attribute is.
    held: Vec<Vec<u32>>,
    names: Vec<Option<NameId>>,
}

impl Run {
    /// Makes a rule ready.
    pub fn new(rule: &Landmarks) -> Run {
        let mut run = Run {
            rule: rule.clone(),
            phrases: HashMap::new(),
            held: HashMap::new(),
            held_count: 0,
            groups: vec![false; rule.fields.len()],
            shared: vec![false; rule.fields.len()],
            names: Vec::new(),
            name_ids: HashMap::new(),
        };
        let mut given = vec![false; rule.fields.len()];
        for field in rule.parts.iter().flat_map(Part::fields) {
            run.shared[field as usize] |= std::mem::replace(&mut given[field as usize], true);
        }
        for also in rule.fields.iter().filter_map(|slot| slot.also) {
            run.shared[also as usize] = true;
        }
        for part in &rule.parts {
            match part {
                Part::Split { marks, .. } => marks.iter().for_each(|mark| run.note(&mark.landmark)),
                Part::List { start, .. } => run.note(start),
                Part::Unwrap { wrapper, .. } => run.note(wrapper),
                Part::Group { field, .. } => run.groups[*field as usize] = true,
                Part::Nothing | Part::Field(_) => {}
            }
        }
        run
    }

    fn note(&mut self, landmark: &Landmark) {
        if let What::Element(name) = &landmark.what {
            self.note_name(name);
        }
        for test in &landmark.tests {
            if let Some(says) = &test.says {
                let next = self.phrases.len() as u32;
                self.phrases.entry(says.clone()).or_insert(next);
            }
            if let Some((name, value)) = &test.holds {
                self.held
                    .entry(name.clone())
                    .or_default()
                    .entry(value.clone())
                    .or_insert_with(|| {
                        self.held_count += 1;
                        self.held_count as u32 - 1
                    });
            }
            test.attributes.iter().for_each(|(name, _)| self.note_name(name));
        }
    }

    fn note_name(&mut self, name: &str) {
        let next = self.names.len() as u32;
        self.name_ids.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        });
    }

    /// The rule.
    pub fn rule(&self) -> &Landmarks {
        &self.rule
    }

    /// What the rule finds on a page; `raw` gives the whole text nodes that values are in, with their labels.
    pub fn page(&self, page: &Page, raw: bool) -> Vec<Event> {
        let tokens = Tokens::new(page, self.rule.grain);
        let mut places = vec![Vec::new(); self.phrases.len()];
        if !self.phrases.is_empty() {
            for (place, token) in (0u32..).zip(&tokens.tokens) {
                if token.piece == Piece::Text
                    && let Some(&phrase) = self.phrases.get(&*clean(page.string_value(token.node)))
                {
                    places[phrase as usize].push(place);
                }
            }
        }
        let held = self.held_places(page, &tokens);
        let names = self.names.iter().map(|name| page.name_id(name)).collect();
        let at = At {
            run: self,
            raw,
            page,
            tokens,
            places,
            held,
            names,
        };
        let mut events = Vec::new();
        at.part(0, 0, at.tokens.len(), &mut events);
        if self.shared.contains(&true) {
            self.say_once(&mut events);
        }
        events
    }

    /// Leaves out what a field of several mentions has said before.
    fn say_once(&self, events: &mut Vec<Event>) {
        let mut before: HashSet<(u32, String)> = HashSet::new();
        events.retain(|event| match event {
            Event::Value { field, text, .. } if self.shared[*field as usize] => before.insert((*field, text.clone())),
            _ => true,
        });
    }

    /// Where on a page the attributes are that tests ask for.
    fn held_places(&self, page: &Page, tokens: &Tokens) -> Vec<Vec<u32>> {
        let mut held = vec![Vec::new(); self.held_count];
        if self.held_count == 0 {
            return held;
        }
        let mut wanted: Vec<(NameId, &HashMap<String, u32>)> = self
            .held
            .iter()
            .filter_map(|(name, values)| Some((page.name_id(name)?, values)))
            .collect();
        wanted.sort_unstable_by_key(|(name, _)| name.index());
        for (place, token) in (0u32..).zip(&tokens.tokens) {
            if token.piece != Piece::Start {
                continue;
            }
            for id in page.attributes(token.node) {
                let Some(name) = page.name_of(NodeId(id)) else { continue };
                let Some((_, values)) = wanted.iter().find(|(wanted, _)| *wanted == name) else {
                    continue;
                };
                let value = page.string_value(NodeId(id));
                if page.name_text(name) == "class" {
                    let found = value.split_ascii_whitespace().filter_map(|class| values.get(class));
                    found.for_each(|number| held[*number as usize].push(place));
                } else if let Some(number) = values.get(value.trim()) {
                    held[*number as usize].push(place);
                }
            }
        }
        held
    }
}

impl At<'_> {
    fn part(&self, part: PartId, from: u32, to: u32, events: &mut Vec<Event>) {
        if from >= to {
            return;
        }
        match &self.run.rule.parts[part as usize] {
            Part::Nothing => {}
            Part::Field(field) => self.field(*field, from, to, events),
            Part::Split { before, marks, failed } => {
                let landmarks: Vec<&Landmark> = marks.iter().map(|mark| &mark.landmark).collect();
                let found = self.find(&landmarks, from, to);
                if let Some(field) = failed
                    && found.iter().all(Option::is_none)
                {
                    return self.field(*field, from, to, events);
                }
                // The parts for the stretch up to the next landmark: the one behind the last landmark that is there, and
                // those behind the ones that are missing since.
                let mut next = vec![*before];
                let mut start = from;
                for (mark, place) in marks.iter().zip(found) {
                    let Some(place) = place else {
                        next.push(mark.after);
                        continue;
                    };
                    self.first_of(&next, start, place, events);
                    let token = self.tokens.tokens[place as usize];
                    for (name, field) in &mark.attributes {
                        if let Some(id) = self.page.name_id(name)
                            && let Some(attribute) = self.page.attribute(token.node, id)
                        {
                            self.value(*field, attribute, self.page.string_value(attribute), events);
                        }
                    }
                    match token.piece {
                        Piece::Start => self.part(mark.inner, place + 1, token.mate, events),
                        Piece::Text => self.part(mark.inner, place, place + 1, events),
                        Piece::End | Piece::Word => {}
                    }
                    next.clear();
                    next.push(mark.after);
                    start = token.mate + 1;
                }
                self.first_of(&next, start, to, events);
            }
            Part::Unwrap { wrapper, of } => {
                let mut units = self.tokens.units(from, to);
                match (units.next(), units.next()) {
                    (Some(unit), None) if self.starts(wrapper, unit) => {
                        self.part(*of, unit + 1, self.tokens.tokens[unit as usize].mate, events);
                    }
                    _ => self.part(*of, from, to, events),
                }
            }
            Part::Group { field, of } => {
                let first = events.len();
                let group = *field;
                self.part(*of, from, to, events);
                let parts: Vec<Event> = events[first..]
                    .iter()
                    .filter_map(|event| match event {
                        Event::Value { node, text, field }
                            if self.page.kind(*node) == page::Kind::Text && !self.run.groups[*field as usize] =>
                        {
                            Some(Event::Value {
                                field: group,
                                node: *node,
                                text: text.clone(),
                            })
                        }
                        _ => None,
                    })
                    .collect();
                events.extend(parts);
            }
            Part::List {
                start, before, each, ..
            } => {
                let units = self.tokens.units(from, to);
                let mut places: Vec<u32> = units.filter(|unit| self.starts(start, *unit)).collect();
                self.part(*before, from, places.first().copied().unwrap_or(to), events);
                places.push(to);
                for item in places.windows(2) {
                    events.push(Event::Open(part));
                    self.part(*each, item[0], item[1], events);
                    events.push(Event::Close);
                }
            }
        }
    }

    /// Cuts a region with the first of several parts that finds something in it.
    fn first_of(&self, parts: &[PartId], from: u32, to: u32, events: &mut Vec<Event>) {
        let before = events.len();
        for part in parts {
            self.part(*part, from, to, events);
            if events.len() > before {
                return;
            }
        }
    }

    fn field(&self, field: u32, from: u32, to: u32, events: &mut Vec<Event>) {
        let tokens = &self.tokens.tokens[from as usize..to as usize];
        if self.run.rule.grain == Grain::Nodes {
            for token in tokens.iter().filter(|token| token.piece == Piece::Text) {
                self.value(field, token.node, self.page.string_value(token.node), events);
            }
            return;
        }
        let mut words = tokens.iter().filter(|token| token.piece == Piece::Word).peekable();
        if self.raw {
            let mut last = None;
            for word in words {
                if last.replace(word.node) != Some(word.node) {
                    self.value(field, word.node, self.page.string_value(word.node), events);
                }
            }
            return;
        }
        let Some(node) = words.peek().map(|word| word.node) else {
            return;
        };
        let mut text = String::new();
        for word in words {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.page.word(word.node, word.range.0..word.range.1));
        }
        self.value(field, node, &text, events);
    }

    fn value(&self, field: u32, node: NodeId, text: &str, events: &mut Vec<Event>) {
        let slot = &self.run.rule.fields[field as usize];
        let text = clean(text);
        let text = match self.raw {
            true => &text,
            false => text.strip_prefix(&slot.prefix).unwrap_or(&text).trim(),
        };
        if !text.is_empty() {
            let fields = std::iter::once(field).chain(slot.also);
            events.extend(fields.map(|field| Event::Value {
                field,
                node,
                text: text.to_owned(),
            }));
        }
    }

    fn is_what(&self, what: &What, place: u32) -> bool {
        let token = self.tokens.tokens[place as usize];
        match what {
            What::Element(name) => {
                token.piece == Piece::Start
                    && self.run.name_ids.get(&**name).is_some_and(|id| {
                        self.names[*id as usize].is_some_and(|name| self.page.is_element_named(token.node, name))
                    })
            }
            What::Text => token.piece == Piece::Text,
            What::Word(word) => {
                token.piece == Piece::Word && self.page.word(token.node, token.range.0..token.range.1) == word
            }
        }
    }

    /// Does the thing at a place pass a test, its number aside?
    fn passes(&self, test: &Test, place: u32) -> bool {
        let token = self.tokens.tokens[place as usize];
        if let Some(says) = &test.says {
            let Some(phrase) = self.run.phrases.get(&**says) else {
                return false;
            };
            let places = &self.places[*phrase as usize];
            let next = places.partition_point(|p| *p < place);
            if places.get(next).is_none_or(|p| *p > token.mate) {
                return false;
            }
        }
        if let Some((name, value)) = &test.holds {
            let number = self.run.held.get(&**name).and_then(|values| values.get(&**value));
            let Some(places) = number.map(|number| &self.held[*number as usize]) else {
                return false;
            };
            let next = places.partition_point(|p| *p <= place);
            if places.get(next).is_none_or(|p| *p > token.mate) {
                return false;
            }
        }
        if test.plain && !self.page.attributes(token.node).is_empty() {
            return false;
        }
        test.attributes.iter().all(|(name, value)| {
            let id = self.run.name_ids.get(&**name).and_then(|id| self.names[*id as usize]);
            let Some(attribute) = id.and_then(|id| self.page.attribute(token.node, id)) else {
                return false;
            };
            let Some(value) = value else { return true };
            let text = self.page.string_value(attribute);
            if name == "class" {
                text.split_ascii_whitespace().any(|class| class == value)
            } else {
                text.trim() == value
            }
        })
    }

    fn starts(&self, landmark: &Landmark, place: u32) -> bool {
        self.is_what(&landmark.what, place)
            && (landmark.tests.is_empty() || landmark.tests.iter().any(|test| self.passes(test, place)))
    }

    /// Where each of the landmarks of a region is.
    fn find(&self, landmarks: &[&Landmark], from: u32, to: u32) -> Vec<Option<u32>> {
        let units: Vec<u32> = match self.run.rule.grain {
            Grain::Nodes => self.tokens.units(from, to).collect(),
            Grain::Words => (from..to)
                .filter(|place| {
                    let token = self.tokens.tokens[*place as usize];
                    token.piece == Piece::Word || token.piece == Piece::Start && token.mate < to
                })
                .collect(),
        };
        let matches = |mark: usize, test: usize, unit: usize| {
            let landmark = landmarks[mark];
            self.is_what(&landmark.what, units[unit])
                && landmark
                    .tests
                    .get(test)
                    .is_none_or(|test| self.passes(test, units[unit]))
        };
        let found = locate(landmarks, units.len(), matches);
        found.into_iter().map(|unit| unit.map(|unit| units[unit])).collect()
    }
}

/// Finds landmarks among the units of a region: for each the index of its unit.
///
/// Strong tests, which look at attributes or texts, are tried for all landmarks before weak ones, and each landmark is sought
/// only between those already found around it. A test that no unit or several units pass says nothing.
pub fn locate(
    landmarks: &[&Landmark],
    units: usize,
    matches: impl Fn(usize, usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; landmarks.len()];
    let none = Test::default();
    for round in 0..4 {
        let mut low = 0;
        for mark in 0..landmarks.len() {
            if let Some(unit) = found[mark] {
                low = unit + 1;
                continue;
            }
            // Strong tests in the first round are sought everywhere, so that one early mistake does not hide the rest.
            let high = found[mark + 1..].iter().flatten().next().copied().unwrap_or(units);
            let count = landmarks[mark].tests.len().max(1);
            for number in 0..count {
                let test = landmarks[mark].tests.get(number).unwrap_or(&none);
                if strength(test) != round {
                    continue;
                }
                let unit = match test.nth {
                    Some(nth) => {
                        let mut passing = (0..units).filter(|unit| matches(mark, number, *unit));
                        passing
                            .nth((nth as usize).saturating_sub(1))
                            .filter(|unit| (low..high).contains(unit))
                    }
                    None => {
                        let mut passing = (low..high).filter(|unit| matches(mark, number, *unit));
                        passing.next().filter(|_| passing.next().is_none())
                    }
                };
                if let Some(unit) = unit {
                    found[mark] = Some(unit);
                    low = unit + 1;
                    break;
                }
            }
        }
    }
    found
}

/// The round in which a test is tried.
fn strength(test: &Test) -> usize {
    let strong =
        test.attributes.iter().any(|(_, value)| value.is_some()) || test.says.is_some() || test.holds.is_some();
    match (strong, test.nth) {
        (true, None) => 0,
        (true, Some(_)) => 1,
        (false, None) => 2,
        (false, Some(_)) => 3,
    }
}

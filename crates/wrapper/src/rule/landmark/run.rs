//! Runs a landmark rule on a page.

use super::named::{Named, Owners};
use super::ready::{Is, Lookup, Numbers, Ready, ReadyTest};
use super::{Grain, Landmark, Landmarks, Mark, Part, PartId, Piece, Test, Tokens, clean};
use crate::rule::Event;
use page::structured::Structured;
use page::{NameId, NodeId, Page};
use std::collections::HashSet;
use std::ops::Range;

/// A rule made ready to run.
#[derive(Debug)]
pub struct Run {
    rule: Landmarks,
    /// The landmarks of each part.
    ready: Vec<Vec<Ready>>,
    numbers: Numbers,
    /// Which fields belong to groups.
    groups: Vec<bool>,
    /// The fields with labels, and the numbers of their words.
    labels: Vec<(u32, Vec<u32>)>,
    /// Which fields belong to several parts, so that a page may give the same value twice.
    shared: Vec<bool>,
    /// The landmarks that an `id` names.
    named: Named,
}

/// How many texts with the words of a label are tried on a page.
const OCCURRENCES: usize = 8;
/// The fewest landmarks that tell a frame from an element that the region always had.
const SURE: usize = 2;
/// The most frames inside one another: that of a partner, a column of it, and a box in that.
const FRAMES: usize = 3;
/// How often a page is read again because elements with an `id` are not where they were: once more for all of them, and once more for those
/// that were in one of them.
const PASSES: usize = 3;

/// The state of a run on one page.
struct At<'p> {
    run: &'p Run,
    raw: bool,
    page: &'p Page,
    tokens: Tokens,
    /// The positions of each phrase.
    places: Vec<Vec<u32>>,
    /// The positions of each attribute that tests look for inside elements.
    held: Vec<Vec<u32>>,
    names: Vec<Option<NameId>>,
    /// The elements of the page that landmarks are by their `id`, and which of them were found.
    owners: Owners,
}

impl Run {
    /// Makes a rule ready.
    pub fn new(rule: &Landmarks) -> Run {
        let mut groups = vec![false; rule.fields.len()];
        let mut shared = vec![false; rule.fields.len()];
        let mut given = vec![false; rule.fields.len()];
        for field in rule.parts.iter().flat_map(Part::fields) {
            shared[field as usize] |= std::mem::replace(&mut given[field as usize], true);
        }
        for also in rule.fields.iter().filter_map(|slot| slot.also) {
            shared[also as usize] = true;
        }
        let mut numbers = Numbers::default();
        let mut ready = Vec::with_capacity(rule.parts.len());
        for part in &rule.parts {
            ready.push(match part {
                Part::Split { marks, .. } => marks.iter().map(|mark| numbers.ready(&mark.landmark)).collect(),
                Part::List { start, .. } => vec![numbers.ready(start)],
                Part::Unwrap { wrapper, .. } => vec![numbers.ready(wrapper)],
                Part::Group { field, .. } => {
                    groups[*field as usize] = true;
                    Vec::new()
                }
                Part::Nothing | Part::Field(_) => Vec::new(),
            });
        }
        let mut labels = Vec::new();
        for (field, slot) in (0u32..).zip(&rule.fields) {
            if let Some(label) = &slot.label {
                labels.push((field, label.words.iter().map(|word| numbers.phrase(word)).collect()));
            }
        }
        Run {
            rule: rule.clone(),
            labels,
            ready,
            numbers,
            groups,
            shared,
            named: Named::new(rule),
        }
    }

    /// The rule.
    pub fn rule(&self) -> &Landmarks {
        &self.rule
    }

    /// What the rule finds on a page; `raw` gives the whole text nodes that contain the values, with their labels.
    pub fn page(&self, page: &Page, raw: bool) -> Vec<Event> {
        self.page_with_labels(page, raw).0
    }

    /// The same, and the fields that only a label gave a value.
    pub(crate) fn page_with_labels(&self, page: &Page, raw: bool) -> (Vec<Event>, Vec<u32>) {
        let (mut events, labelled) = self.look(page, raw);
        if self.shared.contains(&true) {
            self.say_once(&mut events);
        }
        (events, labelled)
    }

    /// The same, with every mention of a datum that occurs several times on the page.
    pub fn mentions(&self, page: &Page, raw: bool) -> Vec<Event> {
        self.look(page, raw).0
    }

    fn look(&self, page: &Page, raw: bool) -> (Vec<Event>, Vec<u32>) {
        let named = |element: &str| self.numbers.names.iter().any(|name| name == element);
        let tokens = Tokens::for_rule(page, self.rule.grain, named);
        let mut owners = self.named.owners(page, &tokens);
        let mut apart = self.named.blocks(&owners);
        // What comes first is for the first part; the others are for the marks that they are.
        let own = apart.len();
        let mut events = Vec::new();
        for _ in 0..PASSES {
            let (cut, starts) = tokens.apart(&apart);
            let end = starts.get(own).copied().unwrap_or(cut.len());
            let mut at = self.at(page, raw, cut, owners);
            events.clear();
            at.part(0, 0, end, &mut events);
            for start in starts.into_iter().skip(own) {
                let element = at.tokens.tokens[start as usize].node;
                if let Some(mark) = self.named.mark(&self.rule, &at.owners, element) {
                    at.owners.found(element);
                    at.mark(mark, start, &mut events);
                }
            }
            owners = at.owners;
            let strays = owners.strays(page, &apart);
            if strays.is_empty() {
                break;
            }
            owners.forget();
            apart.extend(strays);
        }
        // Labels lead to values on the page as it is.
        let at = self.at(page, raw, tokens, owners);
        let labelled = at.labelled(&mut events);
        self.data(page, &mut events);
        (events, labelled)
    }

    fn at<'p>(&'p self, page: &'p Page, raw: bool, tokens: Tokens, owners: Owners) -> At<'p> {
        let phrases = &self.numbers.phrases;
        let mut places = vec![Vec::new(); phrases.len()];
        if phrases.len() > 0 {
            for (place, token) in (0u32..).zip(&tokens.tokens) {
                if token.piece == Piece::Text
                    && let Some(phrase) = phrases.get(&clean(page.string_value(token.node)))
                {
                    places[phrase as usize].push(place);
                }
            }
        }
        At {
            run: self,
            raw,
            page,
            places,
            held: self.held_places(page, &tokens),
            tokens,
            names: self.numbers.names.iter().map(|name| page.name_id(name)).collect(),
            owners,
        }
    }

    /// Adds what the structured data of a page says.
    fn data(&self, page: &Page, events: &mut Vec<Event>) {
        let slots = (0u32..).zip(&self.rule.fields);
        let mut wanted = slots
            .filter_map(|(field, slot)| Some((field, slot.data.as_ref()?)))
            .peekable();
        if wanted.peek().is_none() {
            return;
        }
        let data = Structured::of(page);
        for (field, datum) in wanted {
            let values = datum
                .values(&data)
                .map(|fact| (fact.node, clean(&fact.value).into_owned()));
            let values = values.filter(|(_, text)| !text.is_empty());
            events.extend(values.map(|(node, text)| Event::Value { field, node, text }));
        }
    }

    /// Removes values that a field with several mentions has already given.
    fn say_once(&self, events: &mut Vec<Event>) {
        let mut before: HashSet<(u32, String)> = HashSet::new();
        events.retain(|event| match event {
            Event::Value { field, text, .. } if self.shared[*field as usize] => before.insert((*field, text.clone())),
            _ => true,
        });
    }

    /// The positions on a page of the attributes that tests look for.
    fn held_places(&self, page: &Page, tokens: &Tokens) -> Vec<Vec<u32>> {
        let mut held = vec![Vec::new(); self.numbers.held_count as usize];
        let wanted: Vec<(NameId, &Lookup)> = self
            .numbers
            .held
            .iter()
            .filter_map(|(name, values)| Some((page.name_id(name)?, values)))
            .collect();
        if wanted.is_empty() {
            return held;
        }
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
                    found.for_each(|number| held[number as usize].push(place));
                } else if let Some(number) = values.get(value.trim()) {
                    held[number as usize].push(place);
                }
            }
        }
        held
    }
}

impl At<'_> {
    fn part(&mut self, part: PartId, from: u32, to: u32, events: &mut Vec<Event>) {
        if from >= to {
            return;
        }
        let run = self.run;
        match &run.rule.parts[part as usize] {
            Part::Nothing => {}
            Part::Field(field) => self.field(*field, from, to, events),
            Part::Split { before, marks, failed } => {
                let landmarks: Vec<&Landmark> = marks.iter().map(|mark| &mark.landmark).collect();
                let (found, opened) = self.find_in_frames(part, &landmarks, from, to);
                if let Some(field) = failed
                    && found.iter().all(Option::is_none)
                {
                    return self.field(*field, from, to, events);
                }
                // The parts for the stretch up to the next landmark: the part after the last landmark that was found,
                // and the parts after the missing landmarks since then.
                let mut next = vec![*before];
                let mut start = from;
                for (mark, place) in marks.iter().zip(found) {
                    let Some(place) = place else {
                        next.push(mark.after);
                        continue;
                    };
                    self.first_of(&next, start, place, events);
                    self.owners.found(self.tokens.tokens[place as usize].node);
                    self.mark(mark, place, events);
                    next.clear();
                    next.push(mark.after);
                    start = self.tokens.tokens[place as usize].mate + 1;
                }
                self.first_of(&next, start, to, events);
                opened.into_iter().for_each(|frame| self.tokens.set_open(frame, false));
            }
            Part::Unwrap { wrapper, of } if !wrapper.tests.is_empty() => {
                let found = self.find(part, &[wrapper], &run.ready[part as usize], from, to);
                let start = found.into_iter().flatten().next();
                start.into_iter().for_each(|start| self.tokens.set_open(start, true));
                self.part(*of, from, to, events);
                start.into_iter().for_each(|start| self.tokens.set_open(start, false));
            }
            Part::Unwrap { of, .. } => {
                let wrapper = &run.ready[part as usize][0];
                let units: Vec<u32> = self.tokens.units(from, to).take(2).collect();
                let only = units.first().copied().filter(|_| units.len() == 1);
                match only.filter(|unit| self.starts(wrapper, *unit)) {
                    Some(unit) => self.part(*of, unit + 1, self.tokens.tokens[unit as usize].mate, events),
                    None => self.part(*of, from, to, events),
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
            Part::List { before, each, .. } => {
                let start = &run.ready[part as usize][0];
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

    /// The position of each landmark of a region, and the elements that were opened for that.
    ///
    /// A page may have a frame that no known page had, around what a region has on other pages. If less than half of the landmarks are there that
    /// attributes or texts tell, the largest element is opened if half of them, at least two, are beside one another in it.
    fn find_in_frames(
        &mut self,
        part: PartId,
        landmarks: &[&Landmark],
        from: u32,
        to: u32,
    ) -> (Vec<Option<u32>>, Vec<u32>) {
        let run = self.run;
        let ready = &run.ready[part as usize];
        let mut found = self.find(part, landmarks, ready, from, to);
        let mut opened = Vec::new();
        let is_strong = |test: &Test| strength(test) == 0;
        let all = landmarks.iter().filter(|mark| mark.tests.iter().any(is_strong)).count();
        if all < SURE || run.rule.grain == Grain::Words || self.told(landmarks, ready, &found) * 2 >= all {
            return (found, opened);
        }
        for _ in 0..FRAMES {
            let units = self.tokens.units(from, to);
            let size = |unit: &u32| self.tokens.tokens[*unit as usize].mate - unit;
            let largest = units
                .filter(|unit| size(unit) > 0)
                .max_by_key(|unit| (size(unit), std::cmp::Reverse(*unit)));
            let Some(frame) = largest else { break };
            self.tokens.set_open(frame, true);
            opened.push(frame);
            let inside = self.find(part, landmarks, ready, from, to);
            let told = self.told(landmarks, ready, &inside);
            if told >= SURE && told * 2 >= all {
                found = inside;
                return (found, opened);
            }
        }
        opened.drain(..).for_each(|frame| self.tokens.set_open(frame, false));
        (found, opened)
    }

    /// The number of landmarks that were found and pass a test of attributes or texts.
    fn told(&self, landmarks: &[&Landmark], ready: &[Ready], found: &[Option<u32>]) -> usize {
        let is_told = |(at, place): (usize, &Option<u32>)| {
            let Some(place) = *place else { return false };
            let mut tests = landmarks[at].tests.iter().zip(&ready[at].tests);
            tests.any(|(test, ready)| strength(test) == 0 && self.passes(ready, place))
        };
        found.iter().enumerate().filter(|pair| is_told(*pair)).count()
    }

    /// What is inside of a landmark, and its attributes.
    fn mark(&mut self, mark: &Mark, place: u32, events: &mut Vec<Event>) {
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
    }

    /// Adds the values that labels lead to, of fields that no part has given a value, and returns these fields.
    fn labelled(&self, events: &mut Vec<Event>) -> Vec<u32> {
        let run = self.run;
        let mut fields = Vec::new();
        if run.labels.is_empty() {
            return fields;
        }
        let mut given = vec![false; run.rule.fields.len()];
        for event in events.iter() {
            if let Event::Value { field, .. } = event {
                given[*field as usize] = true;
            }
        }
        let places = |words: &[u32]| {
            let mut places: Vec<u32> = words
                .iter()
                .flat_map(|word| &self.places[*word as usize])
                .copied()
                .collect();
            places.sort_unstable();
            places
        };
        let all: HashSet<u32> = run.labels.iter().flat_map(|(_, words)| places(words)).collect();
        for (field, words) in run.labels.iter().filter(|(field, _)| !given[*field as usize]) {
            let Some(label) = &run.rule.fields[*field as usize].label else {
                continue;
            };
            let values = |place: u32| {
                label
                    .side
                    .values(self.page, &self.tokens, place, &|at| all.contains(&at))
            };
            let found = places(words).into_iter().take(OCCURRENCES).map(values);
            let texts = found.into_iter().find(|texts| !texts.is_empty()).unwrap_or_default();
            if !texts.is_empty() {
                fields.push(*field);
            }
            for text in texts {
                let node = self.tokens.tokens[text as usize].node;
                self.value(*field, node, self.page.string_value(node), events);
            }
        }
        fields
    }

    /// Cuts a region with the first of several parts that finds something in it.
    fn first_of(&mut self, parts: &[PartId], from: u32, to: u32, events: &mut Vec<Event>) {
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
            text.push_str(word.word(self.page));
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

    fn is(&self, what: &Is, place: u32) -> bool {
        let token = self.tokens.tokens[place as usize];
        match what {
            Is::Element(name) => {
                token.piece == Piece::Start
                    && self.names[*name as usize].is_some_and(|name| self.page.is_element_named(token.node, name))
            }
            Is::Text => token.piece == Piece::Text,
            Is::Word(word) => token.piece == Piece::Word && token.word(self.page) == word,
        }
    }

    /// Does the token at a position pass a test, apart from its number?
    fn passes(&self, test: &ReadyTest, place: u32) -> bool {
        let token = self.tokens.tokens[place as usize];
        let between = |places: &[u32], from: u32| {
            let next = places.partition_point(|p| *p < from);
            places.get(next).is_some_and(|p| *p <= token.mate)
        };
        if test
            .says
            .is_some_and(|says| !between(&self.places[says as usize], place))
            || test
                .holds
                .is_some_and(|held| !between(&self.held[held as usize], place + 1))
            || test.plain && !self.page.attributes(token.node).is_empty()
        {
            return false;
        }
        test.has.iter().all(|has| {
            let name = self.names[has.name as usize];
            let Some(attribute) = name.and_then(|name| self.page.attribute(token.node, name)) else {
                return false;
            };
            let Some(value) = &has.value else { return true };
            let text = self.page.string_value(attribute);
            if has.classes {
                text.split_ascii_whitespace().any(|class| class == value)
            } else {
                text.trim() == value
            }
        })
    }

    /// The kind of the token at a position as a number: that of the element's name, or zero.
    fn kind(&self, place: u32) -> u32 {
        let token = self.tokens.tokens[place as usize];
        match token.piece {
            Piece::Start => self
                .page
                .name_of(token.node)
                .map_or(u32::MAX, |name| name.index() as u32 + 1),
            _ => 0,
        }
    }

    /// The only unit of a range that passes a test, or the one with the required number among them.
    fn only(
        &self,
        mark: &Ready,
        test: usize,
        units: &[u32],
        kinds: &[u32],
        range: Range<usize>,
        nth: Option<u32>,
    ) -> Option<usize> {
        let kind = match mark.is {
            Is::Element(name) => self.names[name as usize]?.index() as u32 + 1,
            Is::Text | Is::Word(_) => 0,
        };
        let test = mark.tests.get(test);
        let fits = |unit: &usize| {
            kinds[*unit] == kind
                && (kind > 0 || self.is(&mark.is, units[*unit]))
                && test.is_none_or(|test| self.passes(test, units[*unit]))
        };
        if let Some(nth) = nth {
            let mut passing = (0..units.len()).filter(fits);
            return passing
                .nth((nth as usize).saturating_sub(1))
                .filter(|unit| range.contains(unit));
        }
        // If a text or something inside is required, only the units around its positions are candidates.
        let says = test.and_then(|test| test.says).map(|says| &self.places[says as usize]);
        let held = test.and_then(|test| test.holds).map(|held| &self.held[held as usize]);
        let Some(places) = says.or(held) else {
            let mut passing = range.filter(fits);
            return passing.next().filter(|_| passing.next().is_none());
        };
        let first = *units.get(range.start).filter(|_| !range.is_empty())?;
        let last = self.tokens.tokens[units[range.end - 1] as usize].mate;
        let from = places.partition_point(|place| *place < first);
        let mut found = None;
        for place in places[from..].iter().take_while(|place| **place <= last) {
            let unit = units.partition_point(|unit| unit <= place) - 1;
            if found != Some(unit) && fits(&unit) && found.replace(unit).is_some() {
                return None;
            }
        }
        found
    }

    fn starts(&self, landmark: &Ready, place: u32) -> bool {
        self.is(&landmark.is, place)
            && (landmark.tests.is_empty() || landmark.tests.iter().any(|test| self.passes(test, place)))
    }

    /// The position of each landmark of a region.
    fn find(&self, part: PartId, landmarks: &[&Landmark], ready: &[Ready], from: u32, to: u32) -> Vec<Option<u32>> {
        let units: Vec<u32> = match self.run.rule.grain {
            Grain::Nodes => self.tokens.units(from, to).collect(),
            Grain::Words => (from..to)
                .filter(|place| {
                    let token = self.tokens.tokens[*place as usize];
                    token.piece == Piece::Word || token.piece == Piece::Start && token.mate < to
                })
                .collect(),
        };
        let kinds: Vec<u32> = units.iter().map(|unit| self.kind(*unit)).collect();
        let find = |mark: usize, test: usize, range: Range<usize>, nth: Option<u32>| {
            let unit = self.only(&ready[mark], test, &units, &kinds, range, nth)?;
            // If the page has the element that the landmark's `id` names, then no other one is the landmark.
            let owner = self.run.named.key(part, mark).and_then(|key| self.owners.of(key));
            (owner.is_none_or(|owner| self.tokens.tokens[units[unit] as usize].node == owner)).then_some(unit)
        };
        let found = locate(landmarks, units.len(), find);
        found.into_iter().map(|unit| unit.map(|unit| units[unit])).collect()
    }
}

/// Finds landmarks among the units of a region; returns the index of the unit of each landmark.
///
/// Strong tests, which look at attributes or texts, are tried for all landmarks before weak ones. Each landmark is
/// sought only between those already found around it. A test that no unit or several units pass is inconclusive. For a
/// landmark and its test, `find` returns the only unit of a range that passes, or the one with the required number
/// among all that pass.
fn locate(
    landmarks: &[&Landmark],
    units: usize,
    find: impl Fn(usize, usize, Range<usize>, Option<u32>) -> Option<usize>,
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
            // In the first round, strong tests search everywhere, so that one early mistake does not hide the rest.
            let high = found[mark + 1..].iter().flatten().next().copied().unwrap_or(units);
            let count = landmarks[mark].tests.len().max(1);
            for number in 0..count {
                let test = landmarks[mark].tests.get(number).unwrap_or(&none);
                if strength(test) != round {
                    continue;
                }
                let unit = find(mark, number, low..high.max(low), test.nth);
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
pub(super) fn strength(test: &Test) -> usize {
    let strong =
        test.attributes.iter().any(|(_, value)| value.is_some()) || test.says.is_some() || test.holds.is_some();
    match (strong, test.nth) {
        (true, None) => 0,
        (true, Some(_)) => 1,
        (false, None) => 2,
        (false, Some(_)) => 3,
    }
}

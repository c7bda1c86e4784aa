//! Reads pages with a template.
//!
//! A page is a sequence of symbols, one for each token that the template knows, and it is read from left to right. Each
//! string of a tuple is followed by a part. Basic text extends to the next string of the tuple. For any other part,
//! each of its elements is read wherever it begins, until the next string comes. If a string closes an element that an
//! earlier string of the same tuple opened, its position is where that element ends on this page, and nothing of the
//! tuple is sought after that.
//!
//! On a page that does not fit, some string cannot be found. Then the tuple is read again with less trust. Its strings
//! are broken into short chunks, all positions of each chunk in the tuple's stretch are candidates, and a heaviest
//! chain of candidates, in order and without overlap, decides where the strings are. A part is read if its two
//! neighbouring chunks are both in that chain; every other part is reported as a [`Gap`]. A stretch is an element of
//! the page, or it extends to where the next element of the set begins. So an odd record affects only itself and never
//! shifts what follows.
//!
//! Cost: linear in the page if it fits; chains take `n log n`. The work that a hostile page can cause is bounded by a
//! multiple of its length; when the bound is reached, everything left is a gap.

use super::{FoundRow, Leaf, Mark, Part, PartId, Rows, Template, What, walk};
use crate::rule::Event;
use crate::rule::landmark::{Grain, Piece, Tokens, clean};
use page::{Kind, NodeId, Page};
use std::collections::HashMap;

/// The longest chunk of a string, in marks.
const CHUNK: usize = 6;
/// The most positions of a chunk that are considered.
const CANDIDATES: usize = 200;
/// The most steps for each token of a page.
const EFFORT: usize = 200;

/// A stretch of a page that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The fields that are missing because of it; empty for text in a place where the template has none.
    pub fields: Vec<u32>,
    /// The text.
    pub text: String,
}

type Sym = u32;
/// The parent path of a step, its name, and its number.
type StepKey = (u32, u32, Option<(u32, u32)>);
/// The symbol of tokens that the template does not contain.
const OTHER: Sym = u32::MAX;

/// A template made ready to read pages.
#[derive(Debug)]
pub struct Run {
    template: Template,
    names: HashMap<String, u32>,
    steps: HashMap<StepKey, u32>,
    words: HashMap<String, u32>,
    symbols: HashMap<(u32, u32), Sym>,
    /// The only number among the constant words with a path: `12` in `12 entries were found`.
    numbers: HashMap<u32, Option<Sym>>,
    plans: Vec<Plan>,
}

/// What is known about a part before any page is read.
#[derive(Debug, Default)]
struct Plan {
    /// The strings of a tuple, or the separator of a set.
    strings: Vec<Vec<Sym>>,
    /// Starts of elements that a later string of the tuple closes.
    opens: Vec<Open>,
    /// The tuples that can begin an element of this part, and the set that they are elements of.
    heads: Vec<(PartId, Option<PartId>)>,
}

#[derive(Debug)]
struct Open {
    /// The string and the position in it.
    string: usize,
    at: usize,
    closing: usize,
    closing_at: usize,
}

impl Run {
    /// Makes a template ready.
    pub fn new(template: &Template) -> Run {
        let mut run = Run {
            template: template.clone(),
            names: HashMap::new(),
            steps: HashMap::new(),
            words: HashMap::new(),
            symbols: HashMap::new(),
            numbers: HashMap::new(),
            plans: Vec::new(),
        };
        for (id, step) in (0u32..).zip(&template.paths).skip(1) {
            let next = run.names.len() as u32;
            let name = *run.names.entry(step.name.clone()).or_insert(next);
            run.steps.insert((step.parent, name, step.nth), id);
        }
        let mut plans: Vec<Plan> = Vec::new();
        for part in &template.parts {
            let mut plan = Plan::default();
            match part {
                Part::Tuple { strings, .. } => {
                    plan.strings = strings.iter().map(|string| run.symbols_of(string)).collect();
                    plan.opens = opens(strings);
                }
                Part::Set { separator, .. } => plan.strings = vec![run.symbols_of(separator)],
                _ => {}
            }
            plans.push(plan);
        }
        for at in (0..template.parts.len()).rev() {
            let heads: Vec<(PartId, Option<PartId>)> = match &template.parts[at] {
                Part::Basic(_) => Vec::new(),
                Part::Tuple { strings, .. } if strings[0].is_empty() => Vec::new(),
                Part::Tuple { .. } => vec![(at as PartId, None)],
                Part::Set { of, .. } => {
                    let inner = plans[*of as usize].heads.iter();
                    inner.map(|(tuple, _)| (*tuple, Some(at as PartId))).collect()
                }
                part => part
                    .parts()
                    .iter()
                    .flat_map(|of| plans[*of as usize].heads.clone())
                    .collect(),
            };
            plans[at].heads = heads;
        }
        run.plans = plans;
        run
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    fn symbols_of(&mut self, string: &[Mark]) -> Vec<Sym> {
        let mut out = Vec::with_capacity(string.len());
        for mark in string {
            let code = match &mark.what {
                What::Start => 0,
                What::End => 1,
                What::Word(word) => {
                    let next = self.words.len() as u32 + 2;
                    *self.words.entry(word.clone()).or_insert(next)
                }
            };
            let next = self.symbols.len() as Sym;
            let symbol = *self.symbols.entry((mark.path, code)).or_insert(next);
            if matches!(&mark.what, What::Word(word) if is_number(word)) {
                let number = self.numbers.entry(mark.path).or_insert(Some(symbol));
                *number = number.filter(|known| *known == symbol);
            }
            out.push(symbol);
        }
        out
    }

    /// What the template finds on a page, and the stretches that could not be read.
    ///
    /// If there are such stretches, a constant number of the template may be a count that was the same on the pages that it was made from. So the page is read
    /// again with any number in its place, and the better reading counts.
    pub fn page(&self, page: &Page) -> (Vec<Event>, Vec<Gap>) {
        let exact = self.read(page, false);
        if exact.1.is_empty() || self.numbers.values().all(Option::is_none) {
            return exact;
        }
        let loose = self.read(page, true);
        match loose.1.len() < exact.1.len() {
            true => loose,
            false => exact,
        }
    }

    /// The same; if `loose`, any number is the constant number that the template has there.
    fn read(&self, page: &Page, loose: bool) -> (Vec<Event>, Vec<Gap>) {
        let mut tokens = Tokens::for_rule(page, Grain::Words, |element| self.names.contains_key(element));
        let find = |rows: &Rows| match rows.backs {
            Some(_) => Vec::new(),
            None => rows.find_beside(page, self.has_others(rows)),
        };
        let lists: Vec<Vec<FoundRow>> = self.template.rows.iter().map(find).collect();
        if lists.iter().any(|rows| !rows.is_empty()) {
            tokens = tokens.without(&left_out(&lists));
        }
        let mut names: HashMap<page::NameId, u32> = HashMap::new();
        let paths = walk(page, &tokens, |parent, _, name, siblings| {
            let name = names
                .entry(name)
                .or_insert_with(|| self.names.get(page.name_text(name)).copied().unwrap_or(OTHER));
            let nth = Some((siblings.nth, siblings.count));
            let known = self.steps.get(&(parent, *name, nth));
            known
                .or_else(|| self.steps.get(&(parent, *name, None)))
                .copied()
                .unwrap_or(OTHER)
        });
        let mut symbols = Vec::with_capacity(paths.len());
        for (token, path) in tokens.tokens.iter().zip(paths) {
            let code = match token.piece {
                Piece::Start => Some(0),
                Piece::End => Some(1),
                Piece::Text => None,
                Piece::Word => self.words.get(token.word(page)).copied(),
            };
            let symbol = code
                .filter(|_| path != OTHER)
                .and_then(|code| self.symbols.get(&(path, code)));
            let is_any = loose && symbol.is_none() && token.piece == Piece::Word && is_number(token.word(page));
            let number = self.numbers.get(&path).copied().flatten().filter(|_| is_any);
            symbols.push(symbol.copied().or(number).unwrap_or(OTHER));
        }
        let mut places = vec![Vec::new(); self.symbols.len()];
        for (at, symbol) in (0u32..).zip(&symbols) {
            if *symbol != OTHER {
                places[*symbol as usize].push(at);
            }
        }
        let mut reader = Reader {
            run: self,
            page,
            effort: EFFORT * (tokens.tokens.len() + 100),
            tokens,
            symbols,
            places,
            events: Vec::new(),
            gaps: Vec::new(),
        };
        let all = reader.tokens.len();
        reader.content(0, 0, all);
        let (mut events, mut gaps) = (reader.events, reader.gaps);
        for rows in &self.template.rows {
            if let Some(set) = rows.backs {
                self.back(page, rows, set, &mut events, &mut gaps);
            }
        }
        let first = self.template.parts.len() as u32;
        for ((id, rows), found) in (first..).zip(&self.template.rows).zip(&lists) {
            rows.events(page, id, found, &mut events);
        }
        (events, gaps)
    }
}

impl Run {
    /// Do labels tell a list from others of the same path?
    fn has_others(&self, rows: &Rows) -> bool {
        let other = |other: &Rows| other.path == rows.path && other.row == rows.row && other.label.is_some();
        rows.label.is_some()
            && self
                .template
                .rows
                .iter()
                .any(|known| other(known) && known.label != rows.label)
    }

    /// Reads the elements of a set by their rows, if the set did not find all of them.
    fn back(&self, page: &Page, rows: &Rows, set: PartId, events: &mut Vec<Event>, gaps: &mut Vec<Gap>) {
        let fields = self.template.fields_below(set);
        let lost = |gap: &Gap| gap.fields.iter().any(|field| fields.contains(field));
        let found = rows.find_beside(page, self.has_others(rows));
        let count = found.iter().filter(|row| row.aligned.is_some()).count();
        let elements = events.iter().filter(|event| **event == Event::Open(set)).count();
        if count < elements || count == elements && !gaps.iter().any(lost) {
            return;
        }
        // Where the elements were, the rows are.
        let place = events
            .iter()
            .position(|event| *event == Event::Open(set))
            .unwrap_or(events.len());
        let mut inside = 0;
        events.retain(|event| {
            let was = inside;
            match event {
                Event::Open(list) if inside > 0 || *list == set => inside += 1,
                Event::Close if inside > 0 => inside -= 1,
                _ => {}
            }
            was == 0 && inside == 0
        });
        let mut read = Vec::new();
        rows.events(page, set, &found, &mut read);
        let place = place.min(events.len());
        events.splice(place..place, read);
        gaps.retain(|gap| !lost(gap) || gap.fields.iter().any(|field| !fields.contains(field)));
        // What a row says beside its cells is told.
        for row in &found {
            let Some(aligned) = &row.aligned else { continue };
            let beside = |(at, leaf): &(usize, &Leaf)| {
                let cell = aligned.iter().position(|aligned| *aligned == Some(*at));
                let words = cell.and_then(|cell| rows.cells[cell].words.as_ref());
                !leaf.text.is_empty() && (cell.is_none() || words.is_some_and(|words| *words != leaf.text))
            };
            let texts: Vec<&str> = row
                .leaves
                .iter()
                .enumerate()
                .filter(beside)
                .map(|(_, leaf)| leaf.text.as_str())
                .collect();
            if !texts.is_empty() {
                gaps.push(Gap {
                    fields: Vec::new(),
                    text: texts.join(" "),
                });
            }
        }
    }
}

/// Is a word a number?
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
}

/// The parts of a page that lists read, for the rest of the template not to see them.
pub fn left_out(lists: &[Vec<FoundRow>]) -> Vec<(NodeId, NodeId)> {
    let rows = lists.iter().flatten().filter(|row| row.aligned.is_some());
    let mut out: Vec<(NodeId, NodeId)> = rows.map(|row| (row.stretch.from, row.stretch.to)).collect();
    out.sort_unstable();
    // Of two lists one inside the other, the outer one hides the inner one.
    let mut end = NodeId(0);
    out.retain(|(from, to)| {
        let fresh = *from >= end;
        end = end.max(*to);
        fresh
    });
    out
}

/// Finds the strings that open elements which later strings close.
fn opens(strings: &[Vec<Mark>]) -> Vec<Open> {
    let mut out = Vec::new();
    let mut open: Vec<(u32, usize, usize)> = Vec::new();
    for (string, marks) in strings.iter().enumerate() {
        for (at, mark) in marks.iter().enumerate() {
            match mark.what {
                What::Start => open.push((mark.path, string, at)),
                What::End => {
                    if let Some(found) = open.iter().rposition(|(path, _, _)| *path == mark.path) {
                        let (_, from, place) = open[found];
                        open.truncate(found);
                        if from < string {
                            out.push(Open {
                                string: from,
                                at: place,
                                closing: string,
                                closing_at: at,
                            });
                        }
                    }
                }
                What::Word(_) => {}
            }
        }
    }
    out
}

struct Reader<'r> {
    run: &'r Run,
    page: &'r Page,
    tokens: Tokens,
    symbols: Vec<Sym>,
    /// The positions of each symbol.
    places: Vec<Vec<u32>>,
    /// The remaining steps.
    effort: usize,
    events: Vec<Event>,
    gaps: Vec<Gap>,
}

impl<'r> Reader<'r> {
    fn matches(&self, string: &[Sym], at: u32, to: u32) -> bool {
        let (at, to) = (at as usize, to as usize);
        at + string.len() <= to && self.symbols[at..at + string.len()] == *string
    }

    /// The first position of a string in a stretch.
    fn find(&mut self, string: &[Sym], from: u32, to: u32) -> Option<u32> {
        let Some(first) = string.first() else { return Some(from) };
        let places = &self.places[*first as usize];
        let start = places.partition_point(|at| *at < from);
        for (tried, at) in places[start..].iter().enumerate() {
            if *at >= to || tried >= self.effort {
                break;
            }
            if self.matches(string, *at, to) {
                self.effort -= tried.min(self.effort);
                return Some(*at);
            }
        }
        None
    }

    /// Reads a stretch that belongs to a part as a whole.
    fn content(&mut self, part: PartId, from: u32, to: u32) {
        match &self.run.template.parts[part as usize] {
            Part::Basic(field) => self.value(*field, from, to),
            Part::Tuple { .. } => {
                self.tuple(part, from, to);
            }
            _ => {
                self.scan(part, from, to, None, None);
            }
        }
    }

    fn tuple(&mut self, part: PartId, from: u32, to: u32) -> u32 {
        let (events, gaps) = (self.events.len(), self.gaps.len());
        if let Some(end) = self.exact(part, from, to) {
            return end;
        }
        self.events.truncate(events);
        self.gaps.truncate(gaps);
        self.recover(part, from, to)
    }

    /// Reads a tuple whose strings are all present.
    fn exact(&mut self, part: PartId, from: u32, to: u32) -> Option<u32> {
        self.effort = self.effort.checked_sub(1)?;
        let run = self.run;
        let Part::Tuple {
            strings: marks,
            parts,
            wholes,
        } = &run.template.parts[part as usize]
        else {
            return None;
        };
        let plan = &run.plans[part as usize];
        let mut places: Vec<u32> = Vec::with_capacity(plan.strings.len());
        let first = self.find(&plan.strings[0], from, to)?;
        places.push(first);
        self.attributes(&marks[0], first);
        let mut at = first + plan.strings[0].len() as u32;
        for (number, child) in parts.iter().enumerate() {
            let next = &plan.strings[number + 1];
            let mut bound = to;
            let mut required = None;
            for open in plan
                .opens
                .iter()
                .filter(|open| open.string <= number && open.closing > number)
            {
                let mate = self.tokens.tokens[places[open.string] as usize + open.at].mate;
                if open.closing == number + 1 {
                    let place = mate.checked_sub(open.closing_at as u32)?;
                    if required.is_some_and(|known| known != place) {
                        return None;
                    }
                    required = Some(place);
                    bound = bound.min(place + next.len() as u32);
                } else {
                    bound = bound.min(mate);
                }
            }
            if bound < at || bound > to || required.is_some_and(|place| place < at || !self.matches(next, place, to)) {
                return None;
            }
            let place = match &run.template.parts[*child as usize] {
                Part::Basic(field) => {
                    let place = match required {
                        Some(place) => place,
                        None if next.is_empty() => bound,
                        None => self.find(next, at, bound)?,
                    };
                    self.value(*field, at, place);
                    place
                }
                Part::Tuple { .. } => {
                    let end = self.exact(*child, at, required.unwrap_or(bound))?;
                    let place = match required {
                        Some(place) => place,
                        None => self.find(next, end, bound)?,
                    };
                    self.loose(None, end, place);
                    place
                }
                _ => self.scan(*child, at, bound, Some(next), required)?,
            };
            places.push(place);
            self.attributes(&marks[number + 1], place);
            at = place + next.len() as u32;
        }
        for whole in wholes {
            let place = |(string, mark): (u32, u32)| places[string as usize] + mark;
            if place(whole.from) <= place(whole.to) {
                self.value(Some(whole.field), place(whole.from), place(whole.to));
            }
        }
        Some(at)
    }

    /// Reads elements of a part wherever they begin, up to the next string.
    fn scan(&mut self, part: PartId, from: u32, to: u32, next: Option<&[Sym]>, required: Option<u32>) -> Option<u32> {
        let run = self.run;
        let heads = &run.plans[part as usize].heads;
        let separator: &[Sym] = run.plans[part as usize].strings.first().map_or(&[], |string| string);
        let rest = match &run.template.parts[part as usize] {
            Part::Mixed { rest, .. } => *rest,
            _ => None,
        };
        let stop = required.unwrap_or(to);
        let mut at = from;
        let mut loose = from;
        let end = loop {
            if at >= stop {
                break stop;
            }
            let ends = required.is_none() && next.is_some_and(|next| !next.is_empty() && self.matches(next, at, to));
            let least = if ends { next.map_or(0, <[Sym]>::len) } else { 0 };
            let begins = |(tuple, _): &&(PartId, Option<PartId>)| {
                let first = &run.plans[*tuple as usize].strings[0];
                first.len() > least && self.matches(first, at, stop)
            };
            let head = heads
                .iter()
                .filter(begins)
                .max_by_key(|(tuple, _)| run.plans[*tuple as usize].strings[0].len());
            if let Some((tuple, set)) = head.copied() {
                self.loose(rest, loose, at);
                if let Some(set) = set {
                    self.events.push(Event::Open(set));
                }
                // An element that ends with text extends to the beginning of the next element.
                let plan = &run.plans[tuple as usize];
                let mut bound = stop;
                if plan.strings.last().is_some_and(Vec::is_empty) {
                    for (other, _) in heads.iter() {
                        let behind = at + plan.strings[0].len() as u32;
                        bound = self
                            .find(&run.plans[*other as usize].strings[0], behind, bound)
                            .unwrap_or(bound);
                    }
                    if let Some(next) = next.filter(|next| !next.is_empty() && required.is_none()) {
                        bound = self.find(next, at + 1, bound).unwrap_or(bound);
                    }
                }
                at = self.tuple(tuple, at, bound).max(at + 1);
                if set.is_some() {
                    self.events.push(Event::Close);
                }
                if !separator.is_empty() && self.matches(separator, at, stop) {
                    at += separator.len() as u32;
                }
                loose = at;
            } else if ends {
                break at;
            } else {
                self.effort = self.effort.checked_sub(1)?;
                at += 1;
            }
        };
        if end == to && required.is_none() && next.is_some_and(|next| !next.is_empty()) {
            return None;
        }
        self.loose(rest, loose, end.max(loose));
        if let Part::Mixed { whole, .. } = &run.template.parts[part as usize] {
            self.value(*whole, from, end.max(at));
        }
        Some(end.max(at))
    }

    /// Reports text where the template has none, or gives it as the value of a field.
    fn loose(&mut self, field: Option<u32>, from: u32, to: u32) {
        if field.is_some() {
            return self.value(field, from, to);
        }
        if let Some((_, text)) = self.text(from, to) {
            self.gaps.push(Gap {
                fields: Vec::new(),
                text,
            });
        }
    }

    fn attributes(&mut self, string: &[Mark], at: u32) {
        for (mark, at) in string.iter().zip(at as usize..) {
            for (name, field) in &mark.attributes {
                let node = self.tokens.tokens[at].node;
                if let Some(id) = self.page.name_id(name)
                    && let Some(attribute) = self.page.attribute(node, id)
                {
                    let text = clean(self.page.string_value(attribute)).into_owned();
                    if !text.is_empty() {
                        self.events.push(Event::Value {
                            field: *field,
                            node: attribute,
                            text,
                        });
                    }
                }
            }
        }
    }

    fn value(&mut self, field: Option<u32>, from: u32, to: u32) {
        if let Some(field) = field
            && let Some((node, text)) = self.text(from, to)
        {
            self.events.push(Event::Value { field, node, text });
        }
    }

    /// The text of a stretch and the node where it begins, or `None` if there are no words.
    fn text(&self, from: u32, to: u32) -> Option<(NodeId, String)> {
        let mut text = String::new();
        let mut first = None;
        let mut last: Option<(NodeId, u32)> = None;
        let mut apart = false;
        for token in &self.tokens.tokens[from as usize..to as usize] {
            if token.piece != Piece::Word {
                apart |= !page::vocabulary::joins_words(self.page.name(token.node));
                continue;
            }
            let here = self.page.string_value(token.node);
            let joined = match last {
                None => true,
                Some((node, end)) if node == token.node => end == token.range.0,
                Some((node, end)) => {
                    let touch = token.range.0 == 0 && end as usize == self.page.string_value(node).len();
                    // A text node between them contains only white space, otherwise it would have words.
                    let between = || (node.0 + 1..token.node.0).any(|id| self.page.kind(NodeId(id)) == Kind::Text);
                    !apart && touch && !between()
                }
            };
            if !joined {
                text.push(' ');
            }
            text.push_str(&here[token.range.0 as usize..token.range.1 as usize]);
            first = first.or(Some(token.node));
            last = Some((token.node, token.range.1));
            apart = false;
        }
        first.map(|node| (node, text))
    }

    /// Reads as much as possible of a tuple some of whose strings are missing.
    fn recover(&mut self, part: PartId, from: u32, to: u32) -> u32 {
        let run = self.run;
        let Part::Tuple {
            strings: marks,
            parts,
            wholes,
        } = &run.template.parts[part as usize]
        else {
            return from;
        };
        let plan = &run.plans[part as usize];
        let begins = !plan.strings[0].is_empty() && self.matches(&plan.strings[0], from, to);
        let element = plan
            .opens
            .iter()
            .filter(|open| begins && open.string == 0)
            .min_by_key(|open| open.at);
        let behind = from + plan.strings[0].len() as u32;
        let end = match element {
            Some(open) => self.tokens.tokens[from as usize + open.at].mate + 1,
            None if begins => self.find(&plan.strings[0], behind, to).unwrap_or(to),
            None => to,
        };
        let end = end.min(to);
        // The chunks: a string, the position in it, the length.
        let mut chunks: Vec<(usize, usize, usize)> = Vec::new();
        for (number, string) in plan.strings.iter().enumerate() {
            let count = string.len().div_ceil(CHUNK);
            for chunk in 0..count {
                let at = chunk * string.len() / count;
                chunks.push((number, at, (chunk + 1) * string.len() / count - at));
            }
        }
        let found = self.chain(&plan.strings, &chunks, from, end);
        let mut lefts: Vec<Option<u32>> = vec![None; plan.strings.len()];
        let mut rights: Vec<Option<u32>> = vec![None; plan.strings.len()];
        for (&(string, at, length), place) in chunks.iter().zip(&found) {
            if let Some(place) = place {
                if at == 0 {
                    rights[string] = Some(*place);
                }
                if at + length == plan.strings[string].len() {
                    lefts[string] = Some(*place + length as u32);
                }
            }
        }
        if plan.strings[0].is_empty() {
            lefts[0] = Some(from);
        }
        if plan.strings[parts.len()].is_empty() {
            rights[parts.len()] = Some(end);
        }
        let mut next = chunks.iter().zip(&found).peekable();
        let mut unread = from;
        for number in 0..plan.strings.len() {
            while let Some((&(_, at, length), place)) = next.next_if(|((string, _, _), _)| *string == number) {
                if let Some(place) = place {
                    self.attributes(&marks[number][at..at + length], *place);
                    unread = *place + length as u32;
                }
            }
            let Some(child) = parts.get(number) else { break };
            match (lefts[number], rights[number + 1]) {
                (Some(left), Some(right)) if left <= right => {
                    self.content(*child, left, right);
                    unread = right;
                }
                _ => {
                    let fields = run.template.fields_below(*child);
                    let behind = chunks.iter().zip(&found).filter(|((string, _, _), _)| *string > number);
                    let to = behind.filter_map(|(_, place)| *place).next().unwrap_or(end);
                    let text = self.text(unread.min(to), to).map_or(String::new(), |(_, text)| text);
                    if !fields.is_empty() {
                        self.gaps.push(Gap { fields, text });
                    }
                    unread = unread.max(to);
                }
            }
        }
        // A text with words of the strings is read if all of its parts were.
        let place = |(string, mark): (u32, u32)| {
            let (string, mark) = (string as usize, mark as usize);
            if mark == plan.strings[string].len() {
                return lefts[string];
            }
            let holds =
                |(known, at, length): &(usize, usize, usize)| *known == string && (*at..at + length).contains(&mark);
            let (chunk, place) = chunks.iter().zip(&found).find(|(chunk, _)| holds(chunk))?;
            place.map(|place| place + (mark - chunk.1) as u32)
        };
        for whole in wholes {
            let mut inside = whole.from.0 as usize..whole.to.0 as usize;
            let read = inside.all(|number| lefts[number].is_some() && rights[number + 1].is_some());
            if let (true, Some(from), Some(to)) = (read, place(whole.from), place(whole.to))
                && from <= to
            {
                self.value(Some(whole.field), from, to);
            }
        }
        let read = chunks
            .iter()
            .zip(&found)
            .rev()
            .find_map(|((_, _, length), place)| Some((*place)? + *length as u32));
        match element {
            Some(_) => end,
            None => read.unwrap_or(behind).min(end),
        }
    }

    /// The positions of chunks in a heaviest chain of them.
    fn chain(
        &mut self,
        strings: &[Vec<Sym>],
        chunks: &[(usize, usize, usize)],
        from: u32,
        to: u32,
    ) -> Vec<Option<u32>> {
        let size = (to - from) as usize + 1;
        let cost = size + chunks.len();
        let mut found = vec![None; chunks.len()];
        if self.effort < cost {
            self.effort = 0;
            return found;
        }
        self.effort -= cost;
        // A candidate: its chunk, its position, the weight of the chain up to it, and its predecessor.
        let mut candidates: Vec<(usize, u32, u32, u32)> = Vec::new();
        // A Fenwick tree over the ends of chains: the heaviest chain, and among equals the one that ends first.
        let mut best: Vec<(u32, u32, u32)> = vec![(0, 0, OTHER); size + 1];
        for (number, &(string, at, length)) in chunks.iter().enumerate() {
            let chunk = &strings[string][at..at + length];
            let places = &self.places[chunk[0] as usize];
            let start = places.partition_point(|place| *place < from);
            let fitting: Vec<u32> = places[start..]
                .iter()
                .copied()
                .take_while(|place| *place < to)
                .filter(|place| self.matches(chunk, *place, to))
                .take(CANDIDATES)
                .collect();
            let first = candidates.len();
            for place in fitting {
                let mut heaviest = (0, 0, OTHER);
                let mut slot = (place - from) as usize + 1;
                while slot > 0 {
                    heaviest = heaviest.max(best[slot]);
                    slot &= slot - 1;
                }
                candidates.push((number, place, heaviest.0 + length as u32, heaviest.2));
            }
            for (id, &(_, place, weight, _)) in candidates.iter().enumerate().skip(first) {
                let end = place - from + length as u32;
                let entry = (weight, u32::MAX - end, id as u32);
                let mut slot = end as usize + 1;
                while slot <= size {
                    best[slot] = best[slot].max(entry);
                    slot += slot & slot.wrapping_neg();
                }
            }
            self.effort = self.effort.saturating_sub(candidates.len() - first);
        }
        let last = (0u32..)
            .zip(&candidates)
            .max_by_key(|(id, candidate)| (candidate.2, u32::MAX - candidate.1, *id));
        let mut next = last.map_or(OTHER, |(id, _)| id);
        while next != OTHER {
            let (chunk, place, _, before) = candidates[next as usize];
            found[chunk] = Some(place);
            next = before;
        }
        found
    }
}

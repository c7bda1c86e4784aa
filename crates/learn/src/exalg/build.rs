//! CONSTTEMP: builds the template from the nested classes.
//!
//! A class becomes a tuple: its tokens are the strings, cut at the positions where something is between two of them.
//! The type of a position (Table 1 of the paper) is decided by what is there in all occurrences of the class, as a
//! sequence of classes and loose tokens:
//!
//! | pattern | part |
//! |---|---|
//! | 1, 2: `E`, again and again, with the same string or nothing between | set |
//! | 3: one of several classes | disjunction |
//! | 4: a class or nothing | optional |
//! | 5: loose tokens and classes without positions | basic |
//! | 6: anything else | basic |
//!
//! This differs from the paper in three ways. A disjunction may have any number of alternatives. Loose tags without
//! words do not invalidate a pattern. And pattern 6 does not hide classes that contain a tenth of the words there, or
//! that repeat: these are kept as [`Part::Mixed`] beside the text between them, and the whole position is also a value,
//! as in the paper. If that text always follows the elements of a set, each element instead gets the text after it.
//! Positions of classes without positions are basic, so that the text of a choice between constants is a value.
//!
//! One pass over the pages collects the sequences; the rest is linear in them.

use super::TemplateSettings;
use super::dtokens::{Collection, Symbol};
use super::findeq::{Class, Dtoken, Member, NONE, members};
use page::Page;
use page::vocabulary::DATA;
use std::collections::HashMap;
use wrapper::rule::template::{Mark, Part, PartId, Step, Template, What, Whole};

/// What occurs at least this often in a position, on average, is a list.
const OFTEN: usize = 3;
/// Classes with less than one part in this many of the words in a position are left as text.
const LEAST: u32 = 10;
/// Deeper classes are left as text.
const DEEPEST: usize = 50;

/// Something in a position, with its range on its page.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// The class, or [`NONE`] for loose tokens.
    class: u32,
    page: u32,
    from: u32,
    to: u32,
}

struct Builder<'c, 'p> {
    collection: &'c Collection<'p>,
    classes: &'c [Class],
    /// For each class and position, the contents in each occurrence.
    positions: Vec<Vec<Vec<Vec<Item>>>>,
    /// Classes for which some position is not empty.
    full: Vec<bool>,
    /// For each page, the number of words before each token.
    words: Vec<Vec<u32>>,
    attributes: HashMap<Dtoken, Vec<&'static str>>,
    parts: Vec<Part>,
    fields: u32,
    /// Without our additions.
    paper: bool,
}

/// The template of a collection with these classes.
pub(crate) fn template(collection: &Collection<'_>, classes: &[Class], settings: &TemplateSettings) -> Template {
    let mut builder = Builder {
        collection,
        classes,
        positions: positions(collection, classes),
        full: Vec::new(),
        words: Vec::new(),
        attributes: HashMap::new(),
        parts: Vec::new(),
        fields: 0,
        paper: settings.paper,
    };
    builder.full = builder
        .positions
        .iter()
        .map(|class| class.iter().any(|p| p.iter().any(|s| !s.is_empty())))
        .collect();
    for page in &collection.strings.pages {
        let mut count = 0;
        let mut words = Vec::with_capacity(page.len() + 1);
        for token in page {
            words.push(count);
            let symbol = &collection.symbols[*token as usize];
            count += u32::from(
                symbol
                    .as_ref()
                    .is_some_and(|symbol| matches!(symbol.what, What::Word(_))),
            );
        }
        words.push(count);
        builder.words.push(words);
    }
    if settings.attributes && !settings.paper {
        builder.attributes = varying(collection, classes);
    }
    let root = classes.iter().position(|class| collection.strings.is_root(class));
    match root {
        Some(root) => {
            builder.class(root as u32, 0);
        }
        None => {
            builder.basic(true);
        }
    }
    let mut template = Template {
        paths: collection.paths.clone(),
        parts: builder.parts,
        fields: (1..=builder.fields).map(|number| format!("field_{number}")).collect(),
        rows: Vec::new(),
    };
    keep_used_paths(&mut template);
    template
}

/// The contents of the positions of each class.
fn positions(collection: &Collection<'_>, classes: &[Class]) -> Vec<Vec<Vec<Vec<Item>>>> {
    let members = members(classes, collection.strings.count);
    let mut out: Vec<Vec<Vec<Vec<Item>>>> = classes
        .iter()
        .map(|class| vec![Vec::new(); class.tokens.len() - 1])
        .collect();
    struct Frame {
        class: u32,
        from: u32,
        items: Vec<Item>,
    }
    for (page, string) in (0u32..).zip(&collection.strings.pages) {
        let mut open: Vec<Frame> = Vec::new();
        for (at, token) in (0u32..).zip(string) {
            let Member { class, place } = members[*token as usize];
            if class == NONE {
                let Some(frame) = open.last_mut() else { continue };
                match frame.items.last_mut() {
                    Some(item) if item.class == NONE && item.to == at => item.to = at + 1,
                    _ => frame.items.push(Item {
                        class: NONE,
                        page,
                        from: at,
                        to: at + 1,
                    }),
                }
                continue;
            }
            if place == 0 {
                open.push(Frame {
                    class,
                    from: at,
                    items: Vec::new(),
                });
                continue;
            }
            let Some(found) = open.iter().rposition(|frame| frame.class == class) else {
                continue;
            };
            open.truncate(found + 1);
            let Some(frame) = open.last_mut() else { continue };
            let items = std::mem::take(&mut frame.items);
            out[class as usize][place as usize - 1].push(items);
            if place as usize + 1 == classes[class as usize].tokens.len()
                && let Some(frame) = open.pop()
                && let Some(parent) = open.last_mut()
            {
                parent.items.push(Item {
                    class,
                    page,
                    from: frame.from,
                    to: at + 1,
                });
            }
        }
    }
    out
}

/// The attributes of each start tag in a class that contain data and differ.
fn varying(collection: &Collection<'_>, classes: &[Class]) -> HashMap<Dtoken, Vec<&'static str>> {
    #[derive(Clone, Default)]
    struct Seen<'p> {
        first: Option<&'p str>,
        times: u32,
        differs: bool,
    }
    let members = members(classes, collection.strings.count);
    let mut seen: HashMap<Dtoken, (u32, Vec<Seen<'_>>)> = HashMap::new();
    for (doc, string) in collection.docs.iter().zip(&collection.strings.pages) {
        let page: &Page = doc.page;
        let ids = DATA.map(|name| page.name_id(name));
        for (token, dtoken) in doc.tokens.tokens[doc.from..doc.to]
            .iter()
            .zip(&string[collection.dummies..])
        {
            let symbol = &collection.symbols[*dtoken as usize];
            let start = symbol.as_ref().is_some_and(|symbol| symbol.what == What::Start);
            if !start || members[*dtoken as usize].class == NONE || page.attributes(token.node).is_empty() {
                continue;
            }
            let (_, stats) = seen
                .entry(*dtoken)
                .or_insert_with(|| (0, vec![Seen::default(); DATA.len()]));
            for (stat, id) in stats.iter_mut().zip(&ids) {
                let Some(value) = id
                    .and_then(|id| page.attribute(token.node, id))
                    .map(|node| page.string_value(node))
                else {
                    continue;
                };
                stat.times += 1;
                stat.differs |= stat.first.is_some_and(|first| first != value);
                stat.first.get_or_insert(value);
            }
        }
    }
    let mut occurrences: HashMap<Dtoken, u32> = HashMap::new();
    for class in classes {
        let times = class.vector.iter().map(|(_, times)| *times).sum();
        occurrences.extend(class.tokens.iter().map(|token| (*token, times)));
    }
    let wanted = |(token, (_, stats)): (Dtoken, (u32, Vec<Seen<'_>>))| {
        let names = stats.iter().zip(DATA);
        let names: Vec<&'static str> = names
            .filter(|(stat, _)| stat.differs && stat.times * 2 >= occurrences[&token])
            .map(|(_, name)| name)
            .collect();
        (!names.is_empty()).then_some((token, names))
    };
    seen.into_iter().filter_map(wanted).collect()
}

impl Builder<'_, '_> {
    fn reserve(&mut self) -> PartId {
        self.parts.push(Part::Basic(None));
        self.parts.len() as PartId - 1
    }

    fn field(&mut self) -> u32 {
        self.fields += 1;
        self.fields - 1
    }

    fn basic(&mut self, text: bool) -> PartId {
        let id = self.reserve();
        if text {
            self.parts[id as usize] = Part::Basic(Some(self.field()));
        }
        id
    }

    /// The tuple of a class.
    fn class(&mut self, class: u32, depth: usize) -> PartId {
        let id = self.reserve();
        let mut strings = vec![Vec::new()];
        let mut parts = Vec::new();
        let tokens = self.classes[class as usize].tokens.clone();
        for (place, token) in tokens.into_iter().enumerate() {
            let mark = self.mark(token);
            if let (Some(mark), Some(string)) = (mark, strings.last_mut()) {
                string.push(mark);
            }
            let filled = self.positions[class as usize]
                .get(place)
                .is_some_and(|p| p.iter().any(|s| !s.is_empty()));
            if filled {
                let part = self.position(class, place, depth + 1);
                parts.push(part);
                strings.push(Vec::new());
            }
        }
        let wholes = match self.paper {
            true => Vec::new(),
            false => self.wholes(&strings, &parts),
        };
        self.parts[id as usize] = Part::Tuple { strings, parts, wholes };
        id
    }

    /// The texts of a tuple that contain words beside values, except where a label with a colon precedes the value.
    fn wholes(&mut self, strings: &[Vec<Mark>], parts: &[PartId]) -> Vec<Whole> {
        #[derive(Default)]
        struct Text {
            from: (u32, u32),
            words: u32,
            values: u32,
            /// Does the last word before the first value end with a colon?
            label: bool,
            /// Are there words after a value?
            behind: bool,
        }
        let begin = |from| Text {
            from,
            ..Text::default()
        };
        let mut wholes = Vec::new();
        let mut open: Option<Text> = None;
        for (string, marks) in (0u32..).zip(strings) {
            for (at, mark) in (0u32..).zip(marks) {
                if let What::Word(word) = &mark.what {
                    let text = open.get_or_insert_with(|| begin((string, at)));
                    text.words += 1;
                    text.behind |= text.values > 0;
                    text.label = word.ends_with(':') && text.values == 0;
                } else if let Some(text) = open.take()
                    && text.words > 0
                    && text.values > 0
                    && (text.behind || !text.label)
                {
                    wholes.push(Whole {
                        field: self.field(),
                        from: text.from,
                        to: (string, at),
                    });
                }
            }
            let Some(part) = parts.get(string as usize) else { break };
            match self.parts[*part as usize] {
                Part::Basic(Some(_)) => open.get_or_insert_with(|| begin((string, marks.len() as u32))).values += 1,
                Part::Basic(None) => {}
                _ => open = None,
            }
        }
        wholes
    }

    fn mark(&mut self, token: Dtoken) -> Option<Mark> {
        let Symbol { path, what } = self.collection.symbols[token as usize].clone()?;
        let names = self.attributes.get(&token).cloned().unwrap_or_default();
        let attributes = names.into_iter().map(|name| (name.to_owned(), self.field())).collect();
        Some(Mark { path, what, attributes })
    }

    fn words_in(&self, item: &Item) -> u32 {
        let words = &self.words[item.page as usize];
        words[item.to as usize] - words[item.from as usize]
    }

    /// The part for a position.
    fn position(&mut self, class: u32, place: usize, depth: usize) -> PartId {
        let strings = std::mem::take(&mut self.positions[class as usize][place]);
        let words: u32 = strings.iter().flatten().map(|item| self.words_in(item)).sum();
        let is_full = |item: &Item| item.class != NONE && self.full[item.class as usize];
        // Classes without positions count as loose tokens.
        let loose: u32 = strings
            .iter()
            .flatten()
            .filter(|item| !is_full(item))
            .map(|item| self.words_in(item))
            .sum();
        // The classes, in the order in which they come, with the most of each in one occurrence and in all.
        let mut found: Vec<(u32, usize)> = Vec::new();
        let mut totals: HashMap<u32, (usize, usize)> = HashMap::new();
        for string in &strings {
            let mut times: HashMap<u32, usize> = HashMap::new();
            for item in string.iter().filter(|item| is_full(item)) {
                let (number, total) = totals.entry(item.class).or_insert_with(|| {
                    found.push((item.class, 0));
                    (found.len() - 1, 0)
                });
                *total += 1;
                let times = times.entry(item.class).or_default();
                *times += 1;
                let most = &mut found[*number].1;
                *most = (*most).max(*times);
            }
        }
        // Repetition shows a list, even if most of its text is between the elements.
        let often = found.iter().any(|(class, _)| totals[class].1 >= OFTEN * strings.len());
        let inside = words - loose;
        if found.is_empty() || depth > DEEPEST || inside * LEAST < words && !often {
            return self.basic(words > 0);
        }
        if let [(only, 2..)] = found[..]
            && loose > 0
            && self.ends_with_elements(&strings)
        {
            let separator = self.separator(&strings);
            if !separator.is_empty() {
                return self.set(only, separator, depth);
            }
        }
        if loose == 0 {
            let sequences: Vec<Vec<&Item>> = strings
                .iter()
                .map(|s| s.iter().filter(|item| is_full(item)).collect())
                .collect();
            let missing = sequences.iter().any(Vec::is_empty);
            let alone = sequences.iter().all(|sequence| sequence.len() <= 1);
            match found[..] {
                [(only, _)] if alone && !missing => return self.class(only, depth),
                [(only, _)] if alone => {
                    return self.around(depth, |builder, depth| Part::Optional(builder.class(only, depth)));
                }
                [(only, _)] => {
                    let separator = self.separator(&strings);
                    return self.set(only, separator, depth);
                }
                _ if alone => {
                    let either = |builder: &mut Self, depth| {
                        let parts = found.iter().map(|(class, _)| builder.class(*class, depth));
                        Part::Either(parts.collect())
                    };
                    if !missing {
                        return self.around(depth, either);
                    }
                    return self.around(depth, |builder, depth| Part::Optional(builder.around(depth, either)));
                }
                _ => {}
            }
        }
        if self.paper {
            return self.basic(words > 0);
        }
        if let [(only, 2..)] = found[..] {
            let headless = |string: &Vec<Item>| {
                let before = string.iter().take_while(|item| !is_full(item));
                before.map(|item| self.words_in(item)).sum::<u32>() == 0
            };
            if strings.iter().all(headless) {
                let set = self.set(only, Vec::new(), depth);
                self.with_tail(set);
                return set;
            }
        }
        self.around(depth, |builder, depth| {
            // Contents that are not mainly lists are also one value, since a reader may see them as one.
            let once = found.iter().all(|(_, most)| *most == 1);
            let whole = (once || loose > inside).then(|| builder.field());
            let rest = (loose > 0).then(|| builder.field());
            let parts = found.iter().map(|(class, most)| match most {
                1 => builder.around(depth, |builder, depth| Part::Optional(builder.class(*class, depth))),
                _ => builder.set(*class, Vec::new(), depth),
            });
            Part::Mixed {
                parts: parts.collect(),
                rest,
                whole,
            }
        })
    }

    fn around(&mut self, depth: usize, part: impl FnOnce(&mut Self, usize) -> Part) -> PartId {
        let id = self.reserve();
        self.parts[id as usize] = part(self, depth + 1);
        id
    }

    fn set(&mut self, class: u32, separator: Vec<Mark>, depth: usize) -> PartId {
        self.around(depth, |builder, depth| {
            let before = builder.fields;
            let of = builder.class(class, depth);
            let records = builder.fields - before > 1;
            Part::Set {
                name: if records { "items".to_owned() } else { String::new() },
                of,
                separator,
            }
        })
    }

    /// Gives the elements of a set the text after them.
    fn with_tail(&mut self, set: PartId) {
        let tail = self.basic(true);
        let Part::Set { of, name, .. } = &mut self.parts[set as usize] else {
            return;
        };
        let of = *of as usize;
        *name = "items".to_owned();
        if let Part::Tuple { strings, parts, .. } = &mut self.parts[of] {
            strings.push(Vec::new());
            parts.push(tail);
        }
    }

    /// Are all words of a position inside elements or between two of them?
    fn ends_with_elements(&self, strings: &[Vec<Item>]) -> bool {
        let is_full = |item: &&Item| item.class != NONE && self.full[item.class as usize];
        let silent = |item: &Item| self.words_in(item) == 0;
        strings.iter().all(|string| {
            let first = string.iter().position(|item| is_full(&item)).unwrap_or(string.len());
            let last = string.iter().rposition(|item| is_full(&item)).map_or(0, |at| at + 1);
            string[..first].iter().all(silent) && string[last.max(first)..].iter().all(silent)
        })
    }

    /// The tokens that are between any two elements of a set, if they are always the same.
    fn separator(&self, strings: &[Vec<Item>]) -> Vec<Mark> {
        let mut known: Option<&[Dtoken]> = None;
        for string in strings {
            let mut last: Option<&Item> = None;
            for item in string
                .iter()
                .filter(|item| item.class != NONE && self.full[item.class as usize])
            {
                if let Some(last) = last {
                    let page = &self.collection.strings.pages[item.page as usize];
                    let between = &page[last.to as usize..item.from as usize];
                    if known.is_some_and(|known| known != between) {
                        return Vec::new();
                    }
                    known = Some(between);
                }
                last = Some(item);
            }
        }
        let symbols = known
            .unwrap_or_default()
            .iter()
            .filter_map(|token| self.collection.symbols[*token as usize].clone());
        let plain = |Symbol { path, what }| Mark {
            path,
            what,
            attributes: Vec::new(),
        };
        symbols.map(plain).collect()
    }
}

/// Removes the paths that no mark needs.
fn keep_used_paths(template: &mut Template) {
    let mut used = vec![false; template.paths.len()];
    used[0] = true;
    for mark in template.parts.iter().flat_map(Part::marks) {
        used[mark.path as usize] = true;
    }
    for at in (1..used.len()).rev() {
        if used[at] {
            used[template.paths[at].parent as usize] = true;
        }
    }
    let mut new = vec![0u32; used.len()];
    let mut paths: Vec<Step> = Vec::new();
    for (at, step) in template.paths.iter().enumerate() {
        if used[at] {
            new[at] = paths.len() as u32;
            paths.push(Step {
                parent: new[step.parent as usize],
                ..step.clone()
            });
        }
    }
    template.paths = paths;
    for part in &mut template.parts {
        let marks: Vec<&mut Mark> = match part {
            Part::Tuple { strings, .. } => strings.iter_mut().flatten().collect(),
            Part::Set { separator, .. } => separator.iter_mut().collect(),
            _ => Vec::new(),
        };
        marks.into_iter().for_each(|mark| mark.path = new[mark.path as usize]);
    }
}

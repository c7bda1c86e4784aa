//! Distinguishes tags by the label inside them.
//!
//! Pages about one thing have labelled lines, of which some are optional: `<p><b>Coach:</b> Ann</p>` is on four of ten pages. By
//! the paper's contexts, its tags are those of all other labelled lines that are not in the root class, so that optional lines are
//! taken for a list, or their values for a part of the line before. A reader sees the label. So an element that begins with a label
//! has a role of its own, as do its words, the element around it, and the line break that ends its line. So has what follows an element that is nothing
//! but a label, as a list follows its heading: the next element, and those of its path right after it.
//!
//! What is a label? A text, or its beginning up to a colon, that no page has twice in one context (or no row of a list, if it ends with a colon or is in an element for headings), that is on one page in [`RARE`] at
//! least, has a letter, and stands where labels of the root class stand: at least [`HABIT`] texts with the same path are wholly
//! in the root class, and hardly any is something else. In lists that is not so: the texts in their cells differ.
//!
//! Two passes over the pages. Known failures: labels without any in the root class beside them; a label that one page repeats.

use super::findeq::{Class, Dtoken, NONE, NUMBER, Strings, members};
use std::collections::{HashMap, HashSet};

/// This many texts of the root with the same path make that path a place of labels.
const HABIT: usize = 2;
/// A label is on at least one page in this many, and on two.
const RARE: usize = 10;
/// In elements for headings, labels on one page in this many (SUPTHRES) show that labels are there.
const SUPPORT: usize = 4;
/// The longest label, in words.
const LONGEST: usize = 6;
/// The most elements after a label that it is about.
const FOLLOWING: usize = 1000;
/// More labels are the entries of an index.
const MOST: usize = 500;

/// What is known about tokens from the beginning.
pub(crate) trait About {
    /// The path of a token.
    fn path(&self, token: Dtoken) -> Option<u32>;
    /// Is it a word that ends with a colon?
    fn ends_label(&self, token: Dtoken) -> bool;
    /// Is it a line break?
    fn is_break(&self, token: Dtoken) -> bool;
    /// Is it a word in an element for headings?
    fn is_heading(&self, token: Dtoken) -> bool;
    /// Are these words a date, a number or another value by themselves?
    fn is_value(&self, words: &[Dtoken]) -> bool;
}

/// A text that may be a label: where its words are, and whether it is all of its text.
struct Text {
    from: usize,
    to: usize,
    whole: bool,
}

/// Where a text was seen.
#[derive(Clone, Copy, Default)]
struct Said {
    pages: u32,
    /// Does it end with a colon, or is it in an element for headings?
    told: bool,
    /// Has a page it twice, and in one line or row?
    again: bool,
    twice: bool,
    /// The last page, and the element around its line there.
    last: u32,
    unit: u32,
}

/// The texts of a page, each up to its first colon if it has one.
fn texts(strings: &Strings, number: usize, about: &impl About) -> Vec<Text> {
    let page = &strings.pages[number];
    let Some(nodes) = strings.nodes.get(number) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < page.len() {
        let node = nodes[at];
        if node == NONE {
            at += 1;
            continue;
        }
        let same = |other: &u32| *other != NONE && *other & !NUMBER == node & !NUMBER;
        let end = at + nodes[at..].iter().take_while(|other| same(other)).count();
        let colon = (at..end)
            .find(|word| about.ends_label(page[*word]))
            .map_or(end, |word| word + 1);
        let letters = (at..colon).any(|word| nodes[word] & NUMBER == 0);
        if letters && colon - at <= LONGEST {
            out.push(Text {
                from: at,
                to: colon,
                whole: colon == end,
            });
        }
        at = end;
    }
    out
}

/// Differentiates dtokens; returns the old dtoken for each new one, or `None` if no dtoken could be differentiated.
pub(crate) fn differentiate(strings: &mut Strings, classes: &[Class], about: &impl About) -> Option<Vec<Dtoken>> {
    let root = classes.iter().position(|class| strings.is_root(class))? as u32;
    let members = members(classes, strings.count);
    let in_root = |token: &Dtoken| members[*token as usize].class == root;
    let all: Vec<Vec<Text>> = (0..strings.pages.len())
        .map(|page| texts(strings, page, about))
        .collect();

    // Where labels of the root stand, and which texts come once on enough pages.
    let mut habits: HashMap<(u32, bool), HashSet<Dtoken>> = HashMap::new();
    let mut said: HashMap<&[Dtoken], Said> = HashMap::new();
    for ((number, page), texts) in (0u32..).zip(&strings.pages).zip(&all) {
        let parents = &strings.parents[number as usize];
        for text in texts {
            let words = &page[text.from..text.to];
            let labels = text.whole || about.ends_label(words[words.len() - 1]);
            let Some(path) = about.path(words[0]).filter(|_| labels) else {
                continue;
            };
            if words.iter().all(in_root) {
                habits.entry((path, text.whole)).or_default().insert(words[0]);
                continue;
            }
            let told = about.ends_label(words[words.len() - 1]) || text.whole && about.is_heading(words[0]);
            let above = |at: u32| if at == NONE { NONE } else { parents[at as usize] };
            let line = parents[text.from];
            let unit = above(if text.whole { above(line) } else { line });
            let known = said.entry(words).or_insert(Said {
                told,
                ..Said::default()
            });
            known.again |= known.pages > 0 && known.last == number;
            known.twice |= known.pages > 0 && known.last == number && known.unit == unit;
            known.pages += u32::from(known.pages == 0 || known.last != number);
            (known.last, known.unit) = (number, unit);
        }
    }
    let least = strings.pages.len().div_ceil(RARE).max(2);
    said.retain(|_, known| known.pages as usize >= least && (!known.again || known.told && !known.twice));
    // Elements for headings have labels, also where none is on every page. And a text on every page is like one of the root, though another label may share
    // a word with it ("Prep time:", "Cooking time:").
    let support = strings.pages.len().div_ceil(SUPPORT).max(2);
    for (page, texts) in strings.pages.iter().zip(&all) {
        for text in texts {
            let words = &page[text.from..text.to];
            let Some(known) = said.get(words) else { continue };
            let pages = known.pages as usize;
            let heading = pages >= support && known.told && (text.whole || known.again);
            if let Some(path) = about.path(words[0])
                && (heading || pages == strings.pages.len())
                && !about.is_value(words)
            {
                habits.entry((path, text.whole)).or_default().insert(words[0]);
            }
        }
    }
    // Of the texts at a place, most must be labels.
    let mut places: HashMap<(u32, bool), (usize, usize)> = HashMap::new();
    for (page, texts) in strings.pages.iter().zip(&all) {
        for text in texts {
            let words = &page[text.from..text.to];
            let label = words.iter().all(in_root) || said.contains_key(words);
            if let Some(path) = about.path(words[0]) {
                let (labels, all) = places.entry((path, text.whole)).or_default();
                *labels += usize::from(label);
                *all += 1;
            }
        }
    }
    habits.retain(|place, labels| {
        let (labelled, all) = places.get(place).copied().unwrap_or_default();
        labels.len() >= HABIT && labelled * 10 >= all * 8
    });
    if habits.is_empty() || said.is_empty() || said.len() > MOST {
        return None;
    }
    // A label by its number; the number does not depend on the dtokens of its words, which may change.
    let mut order: Vec<&[Dtoken]> = said.keys().copied().collect();
    order.sort_unstable();
    let numbers: HashMap<&[Dtoken], u32> = order.into_iter().zip(0u32..).collect();

    // The context of each tag that a label decides.
    let mut contexts: Vec<HashMap<u32, u32>> = Vec::new();
    for ((page, texts), (parents, mates)) in strings
        .pages
        .iter()
        .zip(&all)
        .zip(strings.parents.iter().zip(&strings.mates))
    {
        let mut here: HashMap<u32, u32> = HashMap::new();
        // For each element, the label of the line that is open in it.
        let mut lines: HashMap<u32, u32> = HashMap::new();
        // For each element that begins with a label its number, and the ends of those that are nothing but one.
        let mut begun: HashMap<u32, u32> = HashMap::new();
        let mut whole: Vec<(u32, u32)> = Vec::new();
        let mut texts = texts.iter().peekable();
        for at in 0..page.len() {
            if let Some(text) = texts.next_if(|text| text.from == at) {
                let words = &page[text.from..text.to];
                let place = about.path(words[0]).map(|path| (path, text.whole));
                let known = place.is_some_and(|place| habits.contains_key(&place));
                let label = match numbers.get(words).filter(|_| known) {
                    Some(number) => Some(number + 1),
                    // A label of the root ends the line before it, too.
                    None => (known && words.iter().all(in_root)).then_some(0),
                };
                if let Some(label) = label {
                    // Labels may share words: "Singles titles", "Doubles titles".
                    let own = (text.from..text.to).filter(|word| label > 0 && !in_root(&page[*word]));
                    here.extend(own.map(|word| (word as u32, label)));
                    let (mut inner, mut element) = (at as u32, parents[at]);
                    // The end of the outermost element that is nothing but the label, and where that of the next one would be.
                    let (mut outer, mut end) = (None, text.to as u32);
                    // Up from the label, as long as it is the first thing in the element.
                    while element != NONE && element + 1 == inner {
                        if label > 0 && !in_root(&page[element as usize]) {
                            here.insert(element, label);
                        }
                        lines.insert(element, label);
                        begun.insert(element, label);
                        if mates[element as usize] == end {
                            outer = Some(end);
                            end += 1;
                        }
                        inner = element;
                        element = parents[element as usize];
                    }
                    lines.insert(element, label);
                    whole.extend(outer.map(|end| (end, label)));
                }
            }
            if mates[at] != NONE && (mates[at] as usize) < at {
                if let Some(label) = here.get(&mates[at]).copied() {
                    here.insert(at as u32, label);
                }
            } else if about.is_break(page[at])
                && let Some(label) = lines.remove(&parents[at])
                && label > 0
                && !in_root(&page[at])
            {
                here.insert(at as u32, label);
                here.insert(mates[at], label);
            }
        }
        for (end, label) in whole.into_iter().filter(|(_, label)| *label > 0) {
            for element in followers(page, parents, mates, end, about) {
                if in_root(&page[element as usize]) || begun.contains_key(&element) {
                    break;
                }
                here.entry(element).or_insert(label);
                here.entry(mates[element as usize]).or_insert(label);
            }
        }
        contexts.push(here);
    }

    let mut old: Vec<Dtoken> = (0..strings.count).collect();
    let mut first: Vec<u32> = vec![NONE; strings.count as usize];
    let mut again: HashMap<(Dtoken, u32), Dtoken> = HashMap::new();
    for (page, contexts) in strings.pages.iter_mut().zip(&contexts) {
        for (at, token) in (0u32..).zip(page.iter_mut()) {
            let context = contexts.get(&at).copied().unwrap_or(0);
            let known = &mut first[*token as usize];
            if *known == NONE {
                *known = context;
            } else if *known != context {
                let was = *token;
                *token = *again.entry((was, context)).or_insert_with(|| {
                    old.push(was);
                    old.len() as Dtoken - 1
                });
            }
        }
    }
    if again.is_empty() {
        return None;
    }
    strings.count = old.len() as u32;
    Some(old)
}

/// The elements that a label before them is about: the next one of the same parent, and those of its path that follow it.
fn followers(page: &[Dtoken], parents: &[u32], mates: &[u32], end: u32, about: &impl About) -> Vec<u32> {
    let parent = parents[end as usize];
    let mut out: Vec<u32> = Vec::new();
    let mut at = end + 1;
    while (at as usize) < page.len() && parents[at as usize] == parent && out.len() < FOLLOWING {
        let mate = mates[at as usize];
        if mate == NONE {
            at += 1;
            continue;
        }
        let path = |at: u32| about.path(page[at as usize]);
        if mate < at || out.last().is_some_and(|last| path(*last) != path(at)) {
            break;
        }
        out.push(at);
        at = mate + 1;
    }
    out
}

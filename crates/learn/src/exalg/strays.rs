//! Removes words of the data that got into the root class because they happen to occur once on every page.
//!
//! The same happens to smaller classes: with few pages, words often have the same vector as some markup.
//!
//! Two signs distinguish them from words of the template. A word of the template has a fixed place: its neighbour
//! before it in the same text node is always data or never, and so is the one after it ("1 - 25 of 300"). A word of the
//! data sometimes begins a value and sometimes ends one ("Football Federation of Malta", "Danish Football Union"). And
//! a word of the data may be in a row of a list: inside an occurrence of a class that repeats, or, beside other text,
//! between two of them. If most occurrences of that class contain a token of the root, they are rows of labels, and the
//! class is an accident of markup, which HANDINV removes. If few do, the token is out of place. The exception is a word
//! with letters that fills its text node, in a row that has the same number on every page, counted from the first or
//! from the last, as headings above and below a list have.

use super::findeq::{Class, Dtoken, Member, NONE, NUMBER, Strings, members};
use std::collections::{BTreeMap, BTreeSet};

/// The most spans that are kept open at once.
const DEEPEST: usize = 256;
/// A class with this many occurrences on all pages together is not chance, whatever its words.
const EVIDENCE: usize = 8;
/// A class of words inside text needs this many (the paper's SIZETHRES), and so does a text of which few occurrences are known.
const WORDS: usize = 3;

/// How often a word of the root has other text before and after it.
#[derive(Clone, Copy, Default)]
struct Sides {
    times: u32,
    left: u32,
    right: u32,
    /// Is it without letters?
    number: bool,
}

/// The rows of a class that repeats.
#[derive(Clone, Default)]
struct Rows {
    all: usize,
    /// Rows that contain a token of the root.
    marked: usize,
    /// For each other class, the rows that contain a word of it: labels in rows of an optional part.
    marked_by: BTreeMap<u32, usize>,
}

/// The number of the row that contains a token of the root.
#[derive(Clone, Copy)]
struct Row {
    from_first: Option<usize>,
    from_last: Option<usize>,
    /// Is it always after the row's last token, and before the next row?
    behind: bool,
}

/// Takes words beside other text out of classes that are rare, and drops classes that have few words and no others.
///
/// If a word occurs as often on every page as some tag, but only a few times in all, that is weak evidence. A text node
/// that belongs wholly to one class is a label; words in the middle of other text ("4 days, 7 hours") usually are not.
/// But each word that comes back is evidence: if a text is mainly words of one class wherever it occurs, and has several
/// of them ("Alphabetical listing for: M"), a few pages are enough.
pub(crate) fn drop_phrases(strings: &Strings, classes: &mut Vec<Class>) {
    let members = members(classes, strings.count);
    let texts = texts(strings, &members);
    let plain = |token: &Dtoken| !texts[*token as usize].mixed();
    for class in classes.iter_mut().filter(|class| times(class) < EVIDENCE) {
        class
            .tokens
            .retain(|token| plain(token) || texts[*token as usize].is_phrase());
    }
    // Several words that come together often are a constructor without tags.
    classes.retain(|class| class.tokens.iter().any(plain) || class.tokens.len() >= WORDS && times(class) >= EVIDENCE);
}

/// The text nodes that a dtoken is a word of.
#[derive(Clone, Copy, Default)]
struct Texts {
    /// The words of these nodes.
    words: usize,
    /// Those of the class of the dtoken.
    own: usize,
    /// The fewest of them in one node.
    fewest: Option<usize>,
}

impl Texts {
    /// Is there a node that also has words of another class, or of none?
    fn mixed(&self) -> bool {
        self.own < self.words
    }

    /// Are the nodes mainly words of the class, with enough of them to be no chance?
    fn is_phrase(&self) -> bool {
        self.fewest.is_some_and(|fewest| fewest >= WORDS) && self.own >= EVIDENCE && self.own * 2 > self.words
    }
}

/// For each dtoken, the text nodes that it is a word of.
fn texts(strings: &Strings, members: &[Member]) -> Vec<Texts> {
    let mut texts = vec![Texts::default(); strings.count as usize];
    // How many words of the text have each class; those of no class come last.
    let classes = members.iter().map(|member| member.class).filter(|class| *class != NONE);
    let none = classes.max().map_or(0, |class| class as usize + 1);
    let class = |token: &Dtoken| match members[*token as usize].class {
        NONE => none,
        class => class as usize,
    };
    let mut own = vec![0usize; none + 1];
    for (page, nodes) in strings.pages.iter().zip(&strings.nodes) {
        let mut from = 0;
        while from < page.len() {
            let node = nodes[from];
            let mut to = from + 1;
            while node != NONE && to < page.len() && nodes[to] != NONE && nodes[to] & !NUMBER == node & !NUMBER {
                to += 1;
            }
            for token in &page[from..to] {
                own[class(token)] += 1;
            }
            for token in &page[from..to] {
                let own = own[class(token)];
                let known = &mut texts[*token as usize];
                known.words += to - from;
                known.own += own;
                known.fewest = Some(known.fewest.map_or(own, |fewest| fewest.min(own)));
            }
            for token in &page[from..to] {
                own[class(token)] = 0;
            }
            from = to;
        }
    }
    texts
}

/// Takes words of the data out of the root class.
pub(crate) fn drop(strings: &Strings, classes: &mut [Class]) {
    let Some(root) = classes.iter().position(|class| strings.is_root(class)) else {
        return;
    };
    let members = members(classes, strings.count);
    let sides = sides(strings, classes, &members, root as u32);
    let (rows, places, crossing) = rows(strings, classes, &members, root);
    let times: Vec<usize> = classes.iter().map(times).collect();
    let texts = texts(strings, &members);
    let mut numbers = vec![false; strings.count as usize];
    for (page, nodes) in strings.pages.iter().zip(&strings.nodes) {
        for (token, node) in page.iter().zip(nodes) {
            numbers[*token as usize] |= *node != NONE && node & NUMBER != 0;
        }
    }
    let mut strays: BTreeSet<Dtoken> = BTreeSet::new();
    for (token, side) in &sides {
        let partly = |times: u32| times > 0 && times < side.times;
        if partly(side.left) || partly(side.right) {
            strays.insert(*token);
        }
    }
    for ((token, class), row) in &places {
        let rows = &rows[*class as usize];
        let own = members[*token as usize].class as usize;
        if own != root {
            // If a class extends over several rows, its words in them are strays unless they are labels.
            let crosses = crossing.contains(&(own as u32, *class));
            let weak = texts[*token as usize].mixed() || numbers[*token as usize] || times[own] < 2 * EVIDENCE;
            let labels = rows
                .marked_by
                .get(&(own as u32))
                .is_some_and(|marked| marked * 2 >= rows.all);
            let few = rows.marked * 2 < rows.all && !labels;
            if !row.behind && weak && crosses && few && times[*class as usize] >= 2 * times[own] {
                strays.insert(*token);
            }
            continue;
        }
        let whole = sides.get(token).is_none_or(|side| side.left == 0 && side.right == 0);
        let letters = sides.get(token).is_none_or(|side| !side.number);
        let fixed = row.from_first.is_some() || row.from_last.is_some();
        let odd = if row.behind {
            !whole
        } else {
            !(whole && letters && fixed)
        };
        if rows.marked * 2 < rows.all && odd {
            strays.insert(*token);
        }
    }
    for class in classes {
        class.tokens.retain(|token| !strays.contains(token));
    }
}

/// How often a class occurs on all pages.
fn times(class: &Class) -> usize {
    class.vector.iter().map(|(_, times)| *times as usize).sum()
}

/// For each word of the root, how many of its occurrences have other text of the same node beside them.
///
/// Words of a constructor without tags are no data: "Sent on", and "Sent (free of charge by Ada)? on" on other pages.
fn sides(strings: &Strings, classes: &[Class], members: &[Member], root: u32) -> BTreeMap<Dtoken, Sides> {
    let is_phrase = |class: &Class| class.tokens.len() >= WORDS && times(class) >= EVIDENCE;
    let fixed: Vec<bool> = classes.iter().map(is_phrase).collect();
    let is_fixed = |class: u32| class == root || fixed.get(class as usize).is_some_and(|fixed| *fixed);
    let mut sides: BTreeMap<Dtoken, Sides> = BTreeMap::new();
    for (page, nodes) in strings.pages.iter().zip(&strings.nodes) {
        for (at, token) in page.iter().enumerate() {
            if members[*token as usize].class != root || nodes[at] == NONE {
                continue;
            }
            let node = |at: usize| nodes.get(at).filter(|node| **node != NONE).map(|node| node & !NUMBER);
            let data = |other: Option<usize>| {
                other.is_some_and(|other| node(other) == node(at) && !is_fixed(members[page[other] as usize].class))
            };
            let side = sides.entry(*token).or_default();
            side.times += 1;
            side.number = nodes[at] & NUMBER != 0;
            side.left += u32::from(data(at.checked_sub(1)));
            side.right += u32::from(data(Some(at + 1)));
        }
    }
    sides
}

/// For each class its rows, the places of words in them, and pairs of a class and one that it crosses: it extends over
/// several rows of that class, or is partly outside them.
type Found = (Vec<Rows>, BTreeMap<(Dtoken, u32), Row>, BTreeSet<(u32, u32)>);

/// The classes that repeat, and where in them tokens of the root and words of other classes are.
fn rows(strings: &Strings, classes: &[Class], members: &[Member], root: usize) -> Found {
    let repeats = |class: &Class| times(class) >= 2 * class.vector.len();
    let repeated: Vec<bool> = classes.iter().map(repeats).collect();
    let mut rows: Vec<Rows> = vec![Rows::default(); classes.len()];
    let mut places: BTreeMap<(Dtoken, u32), Row> = BTreeMap::new();
    let mut crossing: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (page, nodes) in strings.pages.iter().zip(&strings.nodes) {
        // The class, whether the row is marked, and whether its last token was seen.
        let mut open: Vec<(u32, bool, bool)> = Vec::new();
        let mut counts = vec![0usize; classes.len()];
        let mut hits: Vec<(Dtoken, u32, usize, bool)> = Vec::new();
        let mut left = left_on(page, members, classes.len());
        // A class that repeats, the number of its row, and the class of a word in it.
        let mut marks: BTreeSet<(u32, usize, u32)> = BTreeSet::new();
        // For each class, the rows that contained its last token.
        let mut rows_of: Vec<Option<Vec<(u32, usize)>>> = vec![None; classes.len()];
        for (at, &token) in page.iter().enumerate() {
            let Member { class, place } = members[token as usize];
            if class == NONE {
                continue;
            }
            for (other, marked, behind) in open.iter_mut().filter(|(other, _, _)| *other != class) {
                *marked |= class as usize == root;
                if class as usize != root && nodes[at] != NONE && !*behind {
                    marks.insert((*other, counts[*other as usize], class));
                }
                if class as usize == root || nodes[at] != NONE {
                    hits.push((token, *other, counts[*other as usize], *behind));
                }
            }
            if class as usize != root {
                let within = open.iter().filter(|(other, _, behind)| *other != class && !behind);
                let here: Vec<(u32, usize)> = within.map(|(other, _, _)| (*other, counts[*other as usize])).collect();
                let one_only = |of: &[(u32, usize)], and: &[(u32, usize)], crossing: &mut BTreeSet<(u32, u32)>| {
                    crossing.extend(
                        of.iter()
                            .filter(|row| !and.contains(row))
                            .map(|(other, _)| (class, *other)),
                    );
                };
                let known = &mut rows_of[class as usize];
                if let Some(before) = known.as_ref().filter(|before| place > 0 && **before != here) {
                    one_only(before, &here, &mut crossing);
                    one_only(&here, before, &mut crossing);
                }
                *known = Some(here);
            }
            if class as usize != root && repeated[class as usize] {
                let mut close = |open: &mut Vec<(u32, bool, bool)>| {
                    if let Some(at) = open.iter().position(|(known, _, _)| *known == class) {
                        let (_, marked, _) = open.remove(at);
                        rows[class as usize].all += 1;
                        rows[class as usize].marked += usize::from(marked);
                        counts[class as usize] += 1;
                    }
                };
                if place == 0 {
                    close(&mut open);
                    if open.len() < DEEPEST {
                        open.push((class, false, false));
                    }
                }
                if place as usize + 1 == classes[class as usize].tokens.len() {
                    let left = &mut left[class as usize];
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        close(&mut open);
                    } else if let Some((_, _, behind)) = open.iter_mut().find(|(known, _, _)| *known == class) {
                        *behind = true;
                    }
                }
            }
        }
        for (class, _, by) in marks {
            *rows[class as usize].marked_by.entry(by).or_default() += 1;
        }
        for (token, class, number, behind) in hits {
            let count = counts[class as usize];
            let here = Row {
                from_first: Some(number),
                from_last: count.checked_sub(number),
                behind,
            };
            let known = places.entry((token, class)).or_insert(here);
            known.behind &= behind;
            known.from_first = known.from_first.filter(|known| *known == number);
            known.from_last = known.from_last.filter(|known| Some(*known) == here.from_last);
        }
    }
    (rows, places, crossing)
}

/// How often each class occurs on a page.
fn left_on(page: &[Dtoken], members: &[Member], classes: usize) -> Vec<usize> {
    let mut left = vec![0; classes];
    for token in page {
        let Member { class, place } = members[*token as usize];
        if class != NONE && place == 0 {
            left[class as usize] += 1;
        }
    }
    left
}

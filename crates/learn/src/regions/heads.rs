//! Which items of a row may begin a record: sets of items with a test that XPath can express.
//!
//! The items with one tag are such a set, and of these the ones that contain an element (`tr[td/b/a]`), that have an
//! attribute (`tr[@class="odd"]`), a number of children, a word that they begin with if they are texts, or certain elements before or after them, and every second, third
//! or fourth, and those that begin with numbers that count up. Sets with the same items are one set, with the simplest test.

use super::items::Items;
use super::sight::{Sight, mix};
use crate::guided::literal;
use page::{Kind, NameId, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use wrapper::profile::words;

/// The most items of a row that are compared; the test finds the others.
pub(super) const COMPARED: usize = 400;
/// The most leaves of an item that are looked at.
pub(super) const LEAVES: usize = 200;
/// The most sets for one tag.
const SETS: usize = 60;
/// From this number on, numbers that count up are no accident.
const COUNTED: usize = 4;
/// The fewest rows that show what is below headings.
const DIGITS: usize = 4;
/// The longest value of an attribute in a test, in bytes.
const LONGEST: usize = 80;

/// Words of a class that call a row one of headings.
const HEAD: [&str; 4] = ["head", "header", "heading", "headings"];
/// What may be around the number that a record begins with.
const AROUND: &str = ".)(][#:";

/// What ends a line.
const BREAKS: [&str; 10] = ["br", "hr", "p", "div", "h1", "h2", "h3", "h4", "ul", "table"];

/// How items of one tag are told from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// They are not.
    Any,
    /// An element is below them, by the names on the way.
    Has(Vec<NameId>),
    /// They have an attribute with a value.
    Is(NameId, String),
    /// They have a class.
    Class(String),
    /// They are rows with several cells; what is in the cells may be missing elsewhere.
    Cells,
    /// They have this many child elements.
    Children(usize),
    /// The elements before them have these names, the nearest first.
    After(Vec<NameId>),
    /// The element after them has this name.
    Before(NameId),
    /// They are texts that begin with a word.
    Begins(String),
    /// They are texts at the beginning of a line.
    Line,
    /// They begin with a number.
    Numbered,
    /// Each n-th, from one on; counted from 1.
    Every(usize, usize),
}

/// Items that may begin a record.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    /// The tag; `None` for texts.
    pub(super) tag: Option<NameId>,
    pub(super) test: Test,
    /// Their places in the row, in order.
    pub(super) at: Vec<usize>,
    /// Do they begin with numbers that count up by one, as results do?
    pub(super) numbered: bool,
}

impl Test {
    /// The simpler, the less.
    pub(super) fn cost(&self) -> usize {
        match self {
            Test::Any => 0,
            Test::Class(_) => 1,
            Test::Cells | Test::Line => 2,
            Test::Has(names) => 1 + names.len(),
            Test::Begins(_) => 3,
            Test::Is(..) | Test::Numbered => 6,
            Test::Children(_) => 7,
            Test::After(names) => 7 + names.len(),
            Test::Before(_) => 9,
            Test::Every(..) => 10,
        }
    }

    /// The test as a predicate of XPath; empty for [`Test::Any`].
    pub(super) fn predicate(&self, page: &Page) -> String {
        match self {
            Test::Any => String::new(),
            Test::Has(names) => {
                let names: Vec<&str> = names.iter().map(|name| page.name_text(*name)).collect();
                format!("[{}]", names.join("/"))
            }
            Test::Is(name, value) => format!("[@{}={}]", page.name_text(*name), literal(value)),
            Test::Class(token) => format!(
                "[contains(concat(\" \", normalize-space(@class), \" \"), {})]",
                literal(&format!(" {token} "))
            ),
            Test::Cells => "[td[2]]".to_owned(),
            Test::Children(count) => format!("[count(*)={count}]"),
            Test::After(names) => {
                let each = names.iter().enumerate().map(|(at, name)| {
                    let name = page.name_text(*name);
                    format!("[preceding-sibling::*[{}][self::{name}]]", at + 1)
                });
                each.collect()
            }
            Test::Before(name) => format!("[following-sibling::*[1][self::{}]]", page.name_text(*name)),
            // What is before them is no link, word in bold or the like.
            Test::Line => format!(
                "[not(preceding-sibling::*[1][not(self::{})])]",
                BREAKS.join(" or self::")
            ),
            Test::Begins(word) => format!("[starts-with(normalize-space(), {})]", literal(&format!("{word} "))),
            Test::Numbered => format!(
                "[translate(substring-before(concat(normalize-space(translate(descendant-or-self::text()[translate(normalize-space(), \
                 \"\u{a0}\", \"\")][1], \"\u{a0}\", \" \")), \" \"), \" \"), \"0123456789{AROUND}\", \"\")=\"\"]"
            ),
            Test::Every(step, first) => format!("[position() mod {step} = {}]", first % step),
        }
    }

    /// Does it depend on what is beside the items, rather than on what they are?
    pub(super) fn is_by_place(&self) -> bool {
        matches!(
            self,
            Test::After(_) | Test::Before(_) | Test::Every(..) | Test::Children(_)
        )
    }

    /// Does the predicate mean the same on another axis?
    pub(super) fn is_free(&self) -> bool {
        !matches!(self, Test::Every(..))
    }
}

/// The sets of items of a row that may begin a record.
pub(super) fn heads(sight: &Sight<'_>, items: &Items) -> Vec<Heads> {
    let page = sight.page;
    let mut tags: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    let headings = headings(sight, items);
    for (at, node) in items.nodes.iter().enumerate().take(COMPARED) {
        if Some(at) != headings && !items.leaves[at].is_empty() && !goes_on(page, items, at) {
            let tag = page.name_of(*node).map(|name| name.index() as u32);
            tags.entry(tag).or_default().push(at);
        }
    }
    let numbers: Vec<Option<u32>> = items
        .nodes
        .iter()
        .take(COMPARED)
        .map(|node| number(page, *node))
        .collect();
    let mut all = Vec::new();
    for at in tags.into_values().filter(|at| at.len() >= 2) {
        let tag = page.name_of(items.nodes[at[0]]);
        all.extend(sets(sight, items, &numbers, tag, at));
    }
    all
}

/// Are the items rows of a table whose columns have headings: a row of headings among them, or one in the head of the table?
pub(super) fn has_headings(sight: &Sight<'_>, items: &Items) -> bool {
    let page = sight.page;
    if page.name(items.nodes[0]) != "tr" {
        return false;
    }
    let table = page.ancestors(items.nodes[0]).find(|up| page.name(*up) == "table");
    let head = table
        .into_iter()
        .flat_map(|table| page.children(table))
        .find(|child| page.name(*child) == "thead");
    let cells = |head: NodeId| {
        let inside = (head.0 + 1..page.end(head).0).map(NodeId);
        inside.filter(|node| page.name(*node) == "th").count()
    };
    head.is_some_and(|head| cells(head) > 1) || headings(sight, items).is_some()
}

/// The row with the headings of columns: the first one with several cells, if each has a short text without a digit that is said
/// once, and either all or none of them are links. In a table, no cell below looks like one of them; a row of something else
/// has a class that says so.
fn headings(sight: &Sight<'_>, items: &Items) -> Option<usize> {
    const LONG: usize = 40;
    let page = sight.page;
    let full = |at: &usize| page.is_element(items.nodes[*at]) && !items.leaves[*at].is_empty();
    let first = (0..items.nodes.len().min(COMPARED)).find(full)?;
    let row = items.nodes[first];
    let others = || {
        (first + 1..items.nodes.len().min(COMPARED))
            .filter(full)
            .filter(|at| page.name_of(items.nodes[*at]) == page.name_of(row))
    };
    let said = page
        .attribute_value(row, "class")
        .is_some_and(|class| words(class).iter().any(|word| HEAD.contains(&word.as_str())));
    if (page.name(row) != "tr" && !said) || others().count() < 2 {
        return None;
    }
    let leaves = &sight.leaves[items.leaves[first].clone()];
    let mut cells: Vec<NodeId> = Vec::new();
    let mut texts: Vec<&str> = Vec::new();
    for leaf in leaves {
        let text = page.string_value(leaf.node).trim();
        let short = text.chars().count() <= LONG && !text.chars().any(char::is_numeric);
        let mut above = std::iter::once(leaf.node).chain(page.ancestors(leaf.node));
        let cell = above.find(|up| page.parent(*up) == Some(row))?;
        if page.kind(leaf.node) != Kind::Text || !short || cells.contains(&cell) || texts.contains(&text) {
            return None;
        }
        cells.push(cell);
        texts.push(text);
    }
    let links = leaves.iter().filter(|leaf| leaf.link().is_some()).count();
    if cells.len() < 2 || (links > 0 && links < cells.len()) {
        return None;
    }
    if said {
        return Some(first);
    }
    let rows: Vec<NodeId> = others().map(|at| items.nodes[at]).collect();
    if has_digits_below(page, row, &rows) {
        return Some(first);
    }
    let looks: Vec<u64> = cells.iter().map(|cell| look(sight, *cell)).collect();
    let others = others().flat_map(|at| page.children(items.nodes[at]).take(LEAVES));
    let mut others = others.filter(|cell| page.is_element(*cell) && !sight.range(*cell).is_empty());
    (!others.any(|cell| looks.contains(&look(sight, cell)))).then_some(first)
}

/// Do the cells below a row without digits have digits, in most columns? If only the row itself is marked, in two columns.
fn has_digits_below(page: &Page, row: NodeId, others: &[NodeId]) -> bool {
    let cells = |row: NodeId| page.children(row).filter(|child| page.is_element(*child)).take(LEAVES);
    let count = cells(row).count();
    let mut digits = vec![0; count];
    let mut rows = 0;
    for other in others.iter().filter(|other| cells(**other).count() == count) {
        rows += 1;
        for (digits, cell) in digits.iter_mut().zip(cells(*other)) {
            *digits += usize::from(page.string_value(cell).contains(char::is_numeric));
        }
    }
    let columns = digits.iter().filter(|digits| **digits * 10 >= rows * 9).count();
    let mark = |row: NodeId| ["class", "style", "bgcolor"].map(|name| page.attribute_value(row, name));
    let is_marked = mark(row).iter().any(Option::is_some) && others.iter().all(|other| mark(*other) != mark(row));
    rows >= DIGITS && rows * 10 >= others.len() * 9 && columns >= 2 && (columns * 2 > count || is_marked)
}

/// What a cell looks like: its tag, its attributes but for sizes, and whether its first text is a link, or in bold.
fn look(sight: &Sight<'_>, cell: NodeId) -> u64 {
    let page = sight.page;
    let mut hash = hash_of(page.name(cell));
    for attribute in page.attributes(cell).map(NodeId) {
        let name = page.name(attribute);
        if matches!(name, "class" | "style" | "bgcolor" | "scope") {
            hash = mix(hash, mix(hash_of(name), hash_of(page.string_value(attribute))));
        }
    }
    let first = sight.leaves[sight.range(cell)].first();
    let titled = first.is_some_and(|leaf| sight.is_title(leaf, cell));
    let linked = first.is_some_and(|leaf| leaf.link().is_some());
    mix(hash, u64::from(titled) + u64::from(linked))
}

/// Is it a text that goes on after a link or other part of the same line? No record begins there.
fn goes_on(page: &Page, items: &Items, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| items.nodes[before]);
    let inline =
        |node: NodeId| page.is_element(node) && vocabulary::is_phrasing(page.name(node)) && page.name(node) != "br";
    page.kind(items.nodes[at]) == Kind::Text && before.is_some_and(inline)
}

/// Do records begin in the middle of lines, each with a text before it that no line break divides from it? Then what a line begins with would be
/// read as the end of the record before: `2019: <b>Ann Day</b><br>2018: <b>Bo Reed</b><br>`.
pub(super) fn begin_in_lines(sight: &Sight<'_>, items: &Items, records: &[Range<usize>]) -> bool {
    let page = sight.page;
    let is_inline = |at: &usize| {
        let node = items.nodes[*at];
        !page.is_element(node) || vocabulary::is_phrasing(page.name(node)) && page.name(node) != "br"
    };
    let begins_within = |record: &&Range<usize>| {
        let mut line = (0..record.start).rev().take_while(is_inline);
        line.any(|at| page.kind(items.nodes[at]) == Kind::Text && !items.leaves[at].is_empty())
    };
    let has_break = |record: &&Range<usize>| {
        let mut nodes = items.nodes[record.start..record.end].iter();
        nodes.any(|node| page.name(*node) == "br")
    };
    let broken: Vec<&Range<usize>> = records.iter().filter(has_break).collect();
    // The last record ends without a line break.
    let is_broken = records.len() >= COUNTED && broken.len() + 1 >= records.len();
    is_broken && records.iter().filter(begins_within).count() * 10 >= records.len() * 9
}

fn sets(sight: &Sight<'_>, items: &Items, numbers: &[Option<u32>], tag: Option<NameId>, at: Vec<usize>) -> Vec<Heads> {
    let page = sight.page;
    let mut found = Found::default();
    for place in &at {
        let node = items.nodes[*place];
        if tag.is_some() {
            for leaf in items.leaves[*place].clone().take(LEAVES) {
                let names = sight.names(&sight.leaves[leaf], node);
                let mut hash = 1;
                for length in 1..=names.len() {
                    hash = mix(hash, names[length - 1].index() as u64);
                    found.add(hash, *place, || Test::Has(names[..length].to_vec()));
                }
            }
            attributes(page, node, |hash, test| found.add(hash, *place, || test.clone()));
            let children = page.children(node).filter(|child| page.is_element(*child)).count();
            found.add(mix(hash_of("children"), children as u64), *place, || {
                Test::Children(children)
            });
            let mut cells = page.children(node).filter(|child| page.name(*child) == "td");
            if page.name(node) == "tr" && cells.nth(1).is_some() {
                found.add(hash_of("cells"), *place, || Test::Cells);
            }
        }
        if tag.is_none()
            && let Some(word) = first_word(page.string_value(node))
        {
            found.add(mix(6, hash_of(word)), *place, || Test::Begins(word.to_owned()));
        }
        neighbours(page, items, *place, |hash, test| {
            found.add(hash, *place, || test.clone());
        });
    }
    let mut by_set: BTreeMap<Vec<usize>, Test> = BTreeMap::new();
    for (places, test) in found.sets {
        if places.len() >= 2 && places.len() < at.len() {
            match by_set.get_mut(&places) {
                Some(known) if known.cost() <= test.cost() => {}
                Some(known) => *known = test,
                None => drop(by_set.insert(places, test)),
            }
        }
    }
    for step in 2..=4 {
        for first in 0..step {
            let places: Vec<usize> = at.iter().copied().skip(first).step_by(step).collect();
            if places.len() >= 2 && items.is_flat() && tag.is_some() {
                let ordinal = ordinal(page, items.nodes[places[0]]);
                by_set.entry(places).or_insert(Test::Every(step, ordinal));
            }
        }
    }
    let counted: Vec<usize> = at.iter().copied().filter(|place| numbers[*place].is_some()).collect();
    if counts_up(numbers, &counted) {
        by_set.entry(counted).or_insert(Test::Numbered);
    }
    // Texts that go on after a link or the like are left out before.
    let is_text = |node: &&NodeId| page.kind(**node) == Kind::Text;
    let is_all =
        tag.is_some() || !items.is_flat() || items.nodes.iter().take(COMPARED).filter(is_text).count() == at.len();
    by_set.insert(at, if is_all { Test::Any } else { Test::Line });
    let made = |(at, test): (Vec<usize>, Test)| Heads {
        tag,
        numbered: counts_up(numbers, &at),
        test,
        at,
    };
    let mut sets: Vec<Heads> = by_set.into_iter().map(made).collect();
    sets.sort_by_key(|heads| (!heads.numbered, std::cmp::Reverse(heads.at.len()), heads.test.cost()));
    sets.truncate(SETS);
    sets
}

/// The word that a text begins with, if it has letters and is not all of the text: `Filed` in `Filed 05/27/2016`.
fn first_word(text: &str) -> Option<&str> {
    let mut words = text.split_ascii_whitespace();
    let (word, _) = (words.next()?, words.next()?);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= 2 && word.len() <= LONGEST && !word.contains(char::is_numeric)).then_some(word)
}

/// Do some items begin with numbers that count up by one?
fn counts_up(numbers: &[Option<u32>], at: &[usize]) -> bool {
    let follows =
        |two: &[usize]| matches!((numbers[two[0]], numbers[two[1]]), (Some(one), Some(next)) if next == one + 1);
    at.len() >= COUNTED && at.windows(2).all(follows)
}

/// The number that the first text of an item begins with, as the first word: `1.`, `(1)`, `[1]`, `#1`.
fn number(page: &Page, item: NodeId) -> Option<u32> {
    let mut texts = (item.0..page.end(item).0).take(LEAVES).map(NodeId);
    let said = |node: &NodeId| {
        page.kind(*node) == Kind::Text && page.string_value(*node).contains(|c: char| !c.is_whitespace())
    };
    let text = page.string_value(texts.find(said)?);
    let word = text.split_whitespace().next()?.trim_matches(|c| AROUND.contains(c));
    let digits = !word.is_empty() && word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

/// The place of an element among its siblings of the same name, from 1.
pub(super) fn ordinal(page: &Page, node: NodeId) -> usize {
    let siblings = page.parent(node).into_iter().flat_map(|parent| page.children(parent));
    let alike = siblings.take_while(|other| *other <= node);
    alike.filter(|other| page.name_of(*other) == page.name_of(node)).count()
}

/// Sets of places by the hashes of their tests.
#[derive(Default)]
struct Found {
    numbers: HashMap<u64, usize>,
    sets: Vec<(Vec<usize>, Test)>,
}

impl Found {
    fn add(&mut self, hash: u64, place: usize, test: impl FnOnce() -> Test) {
        let number = *self.numbers.entry(hash).or_insert_with(|| {
            self.sets.push((Vec::new(), test()));
            self.sets.len() - 1
        });
        let places = &mut self.sets[number].0;
        if places.last() != Some(&place) {
            places.push(place);
        }
    }
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(11, |hash, byte| mix(hash, u64::from(byte)))
}

fn attributes(page: &Page, node: NodeId, mut add: impl FnMut(u64, Test)) {
    for attribute in page.attributes(node).map(NodeId) {
        let (name, value) = (page.name(attribute), page.string_value(attribute));
        let Some(id) = page.name_of(attribute) else { continue };
        if value.len() > LONGEST || name == "id" || !vocabulary::tells_role(name) {
            continue;
        }
        add(mix(hash_of(name), hash_of(value)), Test::Is(id, value.to_owned()));
        if name == "class" {
            for token in value.split_whitespace().take(6) {
                add(mix(3, hash_of(token)), Test::Class(token.to_owned()));
            }
        }
    }
}

fn neighbours(page: &Page, items: &Items, place: usize, mut add: impl FnMut(u64, Test)) {
    if !items.is_flat() {
        return;
    }
    let named = |node: &NodeId| page.name_of(*node);
    let before: Vec<NameId> = items.nodes[..place]
        .iter()
        .rev()
        .take(6)
        .filter_map(named)
        .take(2)
        .collect();
    let mut hash = 4;
    for length in 1..=before.len() {
        hash = mix(hash, before[length - 1].index() as u64);
        add(hash, Test::After(before[..length].to_vec()));
    }
    if let Some(after) = items.nodes[place + 1..].iter().take(6).find_map(named) {
        add(mix(5, after.index() as u64), Test::Before(after));
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn a_first_row_without_digits_above_columns_with_digits_has_the_headings() {
        let rows = |more: &str| {
            let row = |at: usize| {
                format!(
                    "<tr><td>Team {}</td><td>{at}</td><td>{}</td></tr>",
                    ["Ash", "Oak", "Elm"][at % 3],
                    at * 7 % 10
                )
            };
            format!(
                "<h1>Cup</h1><table>{more}{}</table>",
                (0..8).map(row).collect::<String>()
            )
        };
        let found = |more: &str| {
            let page = Page::parse_str(&rows(more), &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            (best.records, best.names)
        };
        let names = ["team", "played", "points"].map(str::to_owned).to_vec();
        assert_eq!(
            found("<tr><td>Team</td><td>Played</td><td>Points</td></tr>"),
            (8, names)
        );
        assert_eq!(found("<tr><td>Team Fir</td><td>3</td><td>none</td></tr>").0, 9);
    }

    #[test]
    fn a_line_begins_with_its_first_text() {
        let names = ["Ann Day", "Bo Reed", "Cy Marsh", "Dee Holt", "Eve Lund", "Fay Roe"];
        let line = |(at, name): (usize, &&str)| {
            format!("{}: <b>{name}</b>, <i>The book of {name}</i> (Press {at})", 2019 - at)
        };
        let lines: Vec<String> = names.iter().enumerate().map(line).collect();
        let html = format!("<h2>Winners</h2><p>{}</p>", lines.join("<br>\n"));
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        assert_eq!(records.len(), 6, "{:?}", best.rule);
        for (at, record) in records.iter().enumerate() {
            let said = format!("{record:?}");
            assert!(
                said.contains(names[at]) && said.contains(&format!("\"{}", 2019 - at)),
                "{said}"
            );
        }
    }
}

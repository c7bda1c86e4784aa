//! Values with labels in a record: `<b>Source:</b> Reuters <br> <b>Date:</b> May 9`, a line for each.
//!
//! **In**: for each record the elements in it, with their children; a record of several siblings is such a row of children, too. **Out**: a
//! field for each label that enough records have, with steps to the label and from there to what is after it.
//!
//! A *label* is one of these:
//!
//! - a text up to its first colon (`Price: $5`), or all of it, if an element is after it (`Author: <a>Ann</a>`);
//! - an element whose text ends with a colon, or that has the colon right after it (`<b>Price</b>: $5`);
//! - a `dt`, or an element without a colon, if all elements that look like it say what elements of other records say, each once in a record,
//!   with something after each that is different from record to record (`<span class=k>Price</span> $5`).
//!
//! A value reaches to the next label, and to the end of the line if its label is on the same one. Two labels that half of the records have
//! make sure that it is not the colon of a title; then others of the same make need two records only, since lines are optional. One label
//! alone must be an element with a colon; of such, fewer records are enough. A value is found by the words of its label, so a record that lacks a line lacks one value, and the
//! others stay where they are.
//!
//! Linear in the children of the elements. *Known failures*: labels in a text that ends with another sign than a colon; several labelled
//! values in one text; a text with a colon that is not a label, but is in most records beside a label.

use super::sight::Sight;
use crate::guided::literal;
use crate::naming::{LONGEST, label_name};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wrapper::rule::paths::value;

/// A label is sure if this share of the records have it.
const OFTEN: f64 = 0.5;
/// Labels in elements must be in this share of the records, and those without a colon be nearly all that elements of their kind say.
const RECURS: f64 = 0.3;
const NEARLY_ALL: f64 = 0.9;
/// The fewest records with a label that fewer than half of them have.
const FEWEST: usize = 3;
/// The most children of an element that are looked at.
const CHILDREN: usize = 200;
/// The most labels of one element.
const LABELS: usize = 30;
/// A label that comes more often in a record is one of records inside of it.
const TIMES: usize = 4;
/// Signs that say nothing by themselves: they divide values from labels and from each other.
const SIGNS: &str = " \u{a0},;|/:-–—·•";
/// The text of a node, with all its spaces made plain ones.
pub(super) const TEXT: &str = "normalize-space(translate(., \"\u{a0}\", \" \"))";

/// The children of an element of a record, with the number of its place: elements at the same place of their records have the same.
pub(super) struct Children {
    pub(super) place: usize,
    pub(super) nodes: Vec<NodeId>,
    /// Are they siblings, of which the first begins the record? There may be very many of them.
    pub(super) is_open: bool,
}

/// A way from the element around to a value: the label, as the name of a node and a test of it, what is after it, and the words to cut off.
pub(super) struct Found {
    pub(super) label: (String, String),
    pub(super) rest: String,
    pub(super) after: String,
}

/// A field with a label.
pub(super) struct Labelled {
    pub(super) place: usize,
    pub(super) label: String,
    pub(super) ways: Vec<Found>,
    pub(super) many: bool,
    /// The first node of each value.
    pub(super) nodes: Vec<NodeId>,
    /// The label is what the record begins with.
    pub(super) is_first: bool,
    /// The links that the values are, if many are.
    pub(super) links: Vec<NodeId>,
}

/// What is labelled in the records.
#[derive(Default)]
pub(super) struct Labels {
    pub(super) fields: Vec<Labelled>,
    /// The texts of labels and of their values.
    pub(super) leaves: HashSet<NodeId>,
    /// For each place with labels, a test that nodes beside them pass.
    pub(super) others: HashMap<usize, String>,
    /// Is each label an element with a colon that begins a line, or comes after a sign? Then nothing else is torn apart by it.
    pub(super) are_apart: bool,
}

/// How a label is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// An element, with a colon in it or without.
    Element,
    /// An element with a colon in the text after it.
    Before,
    /// A text: a label alone, or a label and its value.
    Text,
}

/// A label and what is after it.
struct Line {
    record: usize,
    place: usize,
    written: Written,
    /// The tag of an element.
    tag: Option<String>,
    label: String,
    node: NodeId,
    nodes: Vec<NodeId>,
    /// Is there a line break between label and value?
    is_broken: bool,
    is_first: bool,
    has_colon: bool,
    /// Does the label begin a line, or come after a sign?
    begins: bool,
}

/// Does a text say something, rather than dividing others?
fn says(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && !SIGNS.contains(c))
}

fn may_be_label(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.chars().count() <= LONGEST && label_name(text).is_some()
}

/// The beginning of a text up to its first colon, if that may be a label.
pub(super) fn beginning(text: &str) -> Option<&str> {
    let end = text.find(':')? + 1;
    let (label, rest) = text.split_at(end);
    let is_label = !label.chars().any(|c| c.is_ascii_digit()) && (rest.is_empty() || rest.starts_with(' '));
    (is_label && may_be_label(label)).then_some(label)
}

/// A kind of elements: at one place, of one name and class.
type Make<'p> = (usize, &'p str, Option<&'p str>);

fn make<'p>(page: &'p Page, place: usize, node: NodeId) -> Make<'p> {
    (place, page.name(node), page.attribute_value(node, "class"))
}

/// Finds labels and their values in records.
/// Links that `signs` knows by their words end a line: they are fields of their own.
pub(super) fn labels(sight: &Sight<'_>, records: &[Vec<Children>], is_signed: &dyn Fn(NodeId) -> bool) -> Labels {
    let bare = bare(sight, records);
    let mut lines: Vec<Line> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        for children in record.iter().filter(|children| children.nodes.len() <= CHILDREN) {
            read(sight, number, children, &bare, is_signed, &mut lines);
        }
    }
    let kept = sure(&lines, records.len());
    lines.retain(|line| kept.contains(&key(line)));
    // A text with labels in it is not a value.
    let labels: BTreeSet<NodeId> = lines.iter().map(|line| line.node).collect();
    let is_inside = |node: &NodeId| {
        let inside = NodeId(node.0 + 1)..sight.page.end(*node).max(NodeId(node.0 + 1));
        labels.range(inside).next().is_some()
    };
    lines.retain(|line| !line.nodes.iter().any(is_inside));
    made(sight, records, &lines)
}

type LineKey<'l> = (usize, bool, &'l str);

fn key(line: &Line) -> (usize, bool, String) {
    (line.place, line.written == Written::Text, line.label.clone())
}

/// The labels that are sure, and those of the same make that two records have.
fn sure(lines: &[Line], records: usize) -> BTreeSet<(usize, bool, String)> {
    struct Count {
        records: BTreeSet<usize>,
        full: usize,
        times: usize,
        colons: bool,
    }
    let mut counts: BTreeMap<LineKey<'_>, Count> = BTreeMap::new();
    for line in lines {
        let key: LineKey<'_> = (line.place, line.written == Written::Text, &line.label);
        let count = counts.entry(key).or_insert(Count {
            records: BTreeSet::new(),
            full: 0,
            times: 0,
            colons: line.has_colon,
        });
        count.records.insert(line.record);
        count.full += usize::from(!line.nodes.is_empty());
        count.times += 1;
    }
    counts.retain(|_, count| count.full * 2 >= count.times && count.times <= TIMES * count.records.len());
    let often = |count: &&Count| count.records.len() >= 2 && count.records.len() as f64 >= OFTEN * records as f64;
    // An element with a colon is hardly anything else than a label.
    let is_plain = |count: &Count| {
        count.colons && count.records.len() >= FEWEST && count.records.len() as f64 >= RECURS * records as f64
    };
    let mut several: BTreeMap<usize, usize> = BTreeMap::new();
    for count in counts.values().filter(often) {
        count
            .records
            .iter()
            .for_each(|record| *several.entry(*record).or_default() += 1);
    }
    let with_two = several.values().filter(|labels| **labels >= 2).count();
    let are_sure = with_two as f64 >= OFTEN * records as f64;
    let mut kept = BTreeSet::new();
    let mut makes: BTreeSet<(usize, bool)> = BTreeSet::new();
    for ((place, is_text, label), count) in &counts {
        if often(&count) && are_sure || !is_text && count.colons && (often(&count) || is_plain(count)) {
            makes.insert((*place, *is_text));
            kept.insert((*place, *is_text, (*label).to_owned()));
        }
    }
    for ((place, is_text, label), count) in &counts {
        if count.records.len() >= 2 && makes.contains(&(*place, *is_text)) {
            kept.insert((*place, *is_text, (*label).to_owned()));
        }
    }
    kept
}

/// The elements without colons that are labels: what each says is said in other records, and something is after each.
fn bare<'p>(sight: &Sight<'p>, records: &[Vec<Children>]) -> HashSet<NodeId> {
    struct Group {
        nodes: Vec<(usize, NodeId, String)>,
        followed: usize,
        /// How many of them several elements with classes of their own follow.
        listed: usize,
        after: BTreeMap<String, HashSet<String>>,
    }
    let page = sight.page;
    let mut groups: BTreeMap<Make<'p>, Group> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        for children in record.iter().filter(|children| children.nodes.len() <= CHILDREN) {
            let mut nodes = children.nodes.iter().peekable();
            while let Some(node) = nodes.next() {
                let is_plain = page.is_element(*node) && sight.range(*node).len() == 1 && page.name(*node) != "a";
                let leaf = || &sight.leaves[sight.range(*node).start];
                if !is_plain || !leaf().is_text() || leaf().link().is_some() {
                    continue;
                }
                let text = value(page, *node);
                let group = groups.entry(make(page, children.place, *node)).or_insert(Group {
                    nodes: Vec::new(),
                    followed: 0,
                    listed: 0,
                    after: BTreeMap::new(),
                });
                let next = nodes.clone().find(|next| {
                    page.name(**next) == "br" || says(page.string_value(**next)) && page.kind(**next) != Kind::Comment
                });
                let next = next.filter(|next| {
                    page.name(**next) != "br"
                        && (page.kind(**next) == Kind::Text
                            || make(page, children.place, **next) != make(page, children.place, *node))
                });
                group.listed += usize::from(has_classes(page, nodes.clone().copied()));
                if let Some(next) = next {
                    group.followed += 1;
                    group.after.entry(text.clone()).or_default().insert(value(page, *next));
                }
                group.nodes.push((number, *node, text));
            }
        }
    }
    let mut found = HashSet::new();
    for ((_, tag, _), group) in groups {
        let mut times: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (record, _, text) in &group.nodes {
            times.entry(text).or_default().insert(*record);
        }
        let is_label = |text: &str| {
            let often = times[text].len();
            often >= 2 && often as f64 >= RECURS * records.len() as f64 && may_be_label(text) && !text.ends_with(':')
        };
        let labels: Vec<&str> = times.keys().copied().filter(|text| is_label(text)).collect();
        let known = group
            .nodes
            .iter()
            .filter(|(_, _, text)| labels.contains(&text.as_str()))
            .count();
        let mut each: BTreeMap<usize, usize> = BTreeMap::new();
        for label in &labels {
            times[label]
                .iter()
                .for_each(|record| *each.entry(*record).or_default() += 1);
        }
        let together = each.values().filter(|labels| **labels >= 2).count();
        let once = labels.iter().map(|label| times[label].len()).sum::<usize>() == known;
        let differ = |label: &&str| {
            let after = group.after.get(*label).map_or(0, HashSet::len);
            after * 2 > times[label].len()
        };
        let all = group.nodes.len() as f64;
        let is_sure = labels.len() >= 2
            && labels.len() <= LABELS
            && once
            && known as f64 >= NEARLY_ALL * all
            && group.followed as f64 >= NEARLY_ALL * all
            && together as f64 >= OFTEN * records.len() as f64
            && labels.iter().filter(|label| differ(label)).count() * 2 >= labels.len();
        let is_term = tag == "dt" && group.followed as f64 >= NEARLY_ALL * all && group.listed * 2 <= group.nodes.len();
        for (_, node, text) in &group.nodes {
            if (is_sure && is_label(text)) || (is_term && may_be_label(text)) {
                found.insert(*node);
            }
        }
    }
    found
}

/// Are the next nodes several `dd`, each with a class of its own? These tell them, and what they have in common is no label.
fn has_classes<'p>(page: &'p Page, after: impl Iterator<Item = NodeId>) -> bool {
    let mut classes: Vec<Option<&'p str>> = Vec::new();
    for node in after
        .filter(|node| page.is_element(*node))
        .take_while(|node| page.name(*node) == "dd")
    {
        classes.push(page.attribute_value(node, "class"));
    }
    let is_own = |(at, class): (usize, &Option<&str>)| class.is_some() && !classes[..at].contains(class);
    classes.len() >= 2 && classes.iter().enumerate().all(is_own)
}

/// Reads the labelled lines of an element.
fn read(
    sight: &Sight<'_>,
    record: usize,
    children: &Children,
    bare: &HashSet<NodeId>,
    is_signed: &dyn Fn(NodeId) -> bool,
    lines: &mut Vec<Line>,
) {
    let page = sight.page;
    let mut open: Option<Line> = None;
    let mut nodes = children.nodes.iter().enumerate().peekable();
    let mut begins = true;
    while let Some((number, node)) = nodes.next() {
        let (node, name) = (*node, page.name(*node));
        let is_text = page.kind(node) == Kind::Text;
        if name == "br" {
            begins = true;
            match &mut open {
                Some(line) if line.nodes.is_empty() => line.is_broken = true,
                _ => lines.extend(open.take()),
            }
            continue;
        }
        let text = value(page, node);
        if !(is_text || page.is_element(node)) || !says(&text) || vocabulary::is_unseen(name) {
            begins |= is_text && text.contains(|c: char| SIGNS.contains(c) && !c.is_whitespace());
            continue;
        }
        let is_block = !is_text && !vocabulary::is_phrasing(name);
        let ends = is_block || text.trim_end().ends_with(|c| SIGNS.contains(c));
        let begins = std::mem::replace(&mut begins, ends);
        // After a value, a link that is known by its words is another one.
        if !is_text && open.as_ref().is_some_and(|line| !line.nodes.is_empty()) && is_signed(node) {
            lines.extend(open.take());
            continue;
        }
        let mut colon_after = || {
            let next = nodes.peek().map(|(_, next)| **next);
            let next = next.filter(|next| page.kind(*next) == Kind::Text);
            next.is_some_and(|next| page.string_value(next).trim_start().starts_with(':'))
        };
        let leaves = sight.range(node);
        let is_word = leaves.len() == 1 && sight.leaves[leaves.start].link().is_none();
        let found = match is_text {
            true => beginning(&text).map(|label| (label.to_owned(), Written::Text)),
            false if !is_word || !may_be_label(&text) => None,
            false if text.ends_with(':') => Some((text.clone(), Written::Element)),
            false if colon_after() => Some((text.clone(), Written::Before)),
            false if bare.contains(&node) => Some((text.clone(), Written::Element)),
            false => None,
        };
        let Some((label, written)) = found else {
            if let Some(line) = &mut open {
                if is_block && !line.nodes.is_empty() {
                    lines.extend(open.take());
                    continue;
                }
                // A text that is a label has the element after it as its value.
                if line.written != Written::Text || (!is_text && !line.nodes.contains(&line.node)) {
                    line.nodes.push(node);
                }
            }
            continue;
        };
        lines.extend(open.take());
        let is_whole = label.len() == text.len();
        open = Some(Line {
            record,
            place: children.place,
            written,
            tag: (!is_text).then(|| name.to_owned()),
            has_colon: written == Written::Before || label.ends_with(':'),
            label,
            node,
            nodes: if is_whole { Vec::new() } else { vec![node] },
            is_broken: false,
            is_first: children.is_open && number == 0,
            begins,
        });
    }
    lines.extend(open);
}

/// The fields of labels that are sure.
fn made(sight: &Sight<'_>, records: &[Vec<Children>], lines: &[Line]) -> Labels {
    let page = sight.page;
    let mut labels = Labels::default();
    let mut groups: BTreeMap<(usize, bool, &str), Vec<&Line>> = BTreeMap::new();
    let mut places: BTreeMap<usize, Vec<&Line>> = BTreeMap::new();
    for line in lines {
        let key = (line.place, line.written == Written::Text, line.label.as_str());
        groups.entry(key).or_default().push(line);
        places.entry(line.place).or_default().push(line);
    }
    // What each label looks like, for each place, and what else is there.
    let mut tests: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (place, lines) in &places {
        tests.insert(*place, ends(page, records, *place, lines));
    }
    let open: HashSet<usize> = records
        .iter()
        .flatten()
        .filter(|one| one.is_open)
        .map(|one| one.place)
        .collect();
    for ((place, is_text, label), lines) in &groups {
        let own: Vec<&NodeId> = lines.iter().filter_map(|line| line.nodes.first()).collect();
        if own.is_empty() {
            continue;
        }
        let broken = lines.iter().filter(|line| line.is_broken).count() * 2 > lines.len();
        let many = !open.contains(place) && lines.iter().any(|line| line.nodes.len() > 1) || repeats(lines);
        let links = lines
            .iter()
            .filter_map(|line| line.nodes.first())
            .filter(|node| page.name(**node) == "a");
        let links: Vec<NodeId> = links
            .copied()
            .filter(|link| page.attribute_value(*link, "href").is_some())
            .collect();
        let written: BTreeSet<Written> = lines.iter().map(|line| line.written).collect();
        let tag = lines.iter().find_map(|line| line.tag.clone()).unwrap_or_default();
        let ends = &tests[place];
        let ways = match is_text {
            true => text_ways(label, many),
            false => written
                .into_iter()
                .flat_map(|written| element_ways(written, &tag, label, ends, many, broken))
                .collect(),
        };
        labels.fields.push(Labelled {
            place: *place,
            label: (*label).to_owned(),
            ways,
            many,
            nodes: own.into_iter().copied().collect(),
            is_first: lines.iter().any(|line| line.is_first),
            links: if links.len() * 2 >= lines.len() {
                links
            } else {
                Vec::new()
            },
        });
        for line in lines {
            let nodes = std::iter::once(&line.node).chain(&line.nodes);
            let leaves = nodes.flat_map(|node| sight.leaves[sight.range(*node)].iter());
            labels
                .leaves
                .extend(leaves.filter(|leaf| leaf.is_text()).map(|leaf| leaf.node));
        }
    }
    labels.fields.sort_by_key(|field| field.nodes.first().copied());
    let is_apart = |line: &Line| line.written != Written::Text && line.has_colon && line.begins;
    labels.are_apart = lines.iter().all(is_apart);
    for (place, lines) in &places {
        let mut texts: Vec<&str> = Vec::new();
        for line in lines.iter().filter(|line| line.written == Written::Text) {
            if !texts.contains(&line.label.as_str()) {
                texts.push(&line.label);
            }
        }
        let ends = tests[place].join(" or ");
        let mut not = Vec::new();
        if !ends.is_empty() {
            let elements = || lines.iter().filter(|line| line.written != Written::Text);
            let broken = elements().filter(|line| line.is_broken).count() * 2 > elements().count();
            // What is in a line after a label is its value, or right after it where the label has a line of its own.
            let before = if broken { says_test() } else { ends.clone() };
            not.push(format!("preceding-sibling::node()[{before} or self::br][1][{ends}]"));
            if broken {
                not.push(format!("preceding-sibling::node()[{before}][1][{ends}]"));
            }
        }
        for label in texts {
            not.push(format!("self::text()[starts-with({TEXT}, {})]", literal(label)));
            not.push(format!(
                "self::*[preceding-sibling::node()[{} or self::br][1][self::text()[{TEXT}={}]]]",
                says_test(),
                literal(label)
            ));
        }
        labels.others.insert(*place, format!("[not({})]", not.join(" or ")));
    }
    labels
}

fn repeats(lines: &[&Line]) -> bool {
    lines.windows(2).any(|two| two[0].record == two[1].record)
}

/// The tests of nodes that are labels in elements, at a place: by the name of the element, and, if others there have that, by a class or by what they say.
fn ends(page: &Page, records: &[Vec<Children>], place: usize, lines: &[&Line]) -> Vec<String> {
    let mut tags: Vec<&str> = lines.iter().filter_map(|line| line.tag.as_deref()).collect();
    tags.sort_unstable();
    tags.dedup();
    let labels: HashSet<NodeId> = lines.iter().map(|line| line.node).collect();
    let test = |tag: &str| {
        let own: Vec<&&Line> = lines.iter().filter(|line| line.tag.as_deref() == Some(tag)).collect();
        let there = records.iter().flatten().filter(|children| children.place == place);
        let nodes = there.flat_map(|children| children.nodes.iter());
        let others: Vec<NodeId> = nodes
            .copied()
            .filter(|node| page.name(*node) == tag && page.is_element(*node) && !labels.contains(node))
            .collect();
        if others.is_empty() {
            return format!("self::{tag}");
        }
        let class = |node: NodeId| {
            page.attribute_value(node, "class")
                .filter(|class| !class.trim().is_empty())
        };
        if let Some(shared) = class(own[0].node)
            && own.iter().all(|line| class(line.node) == Some(shared))
            && !others.iter().any(|other| class(*other) == Some(shared))
        {
            return format!("self::{tag}[@class={}]", literal(shared));
        }
        if own.iter().all(|line| line.label.ends_with(':')) {
            return format!("self::{tag}[ends-with({TEXT}, \":\")]");
        }
        let mut said: Vec<&str> = own.iter().map(|line| line.label.as_str()).collect();
        said.sort_unstable();
        said.dedup();
        let said: Vec<String> = said
            .into_iter()
            .map(|label| format!("{TEXT}={}", literal(label)))
            .collect();
        format!("self::{tag}[{}]", said.join(" or "))
    };
    tags.into_iter().map(test).collect()
}

/// The test of a node that says something.
fn says_test() -> String {
    format!("translate(normalize-space(), \"{SIGNS}\", \"\")")
}

fn element_ways(written: Written, tag: &str, label: &str, ends: &[String], many: bool, broken: bool) -> Vec<Found> {
    let says = says_test();
    let said = format!("[{TEXT}={}]", literal(label));
    let labels = ends.join(" or ");
    let (stops, stop) = match broken {
        true => (labels.clone(), String::new()),
        false => (format!("{labels} or self::br"), " or self::br".to_owned()),
    };
    let rest = match many {
        false => format!("/following-sibling::node()[{says}{stop}][1][not({stops})]"),
        true => format!(
            "/following-sibling::node()[{says}][not({stops})][preceding-sibling::node()[{stops}][1][self::{tag}{said}]]"
        ),
    };
    let way = |rest: String, after: &str| Found {
        label: (tag.to_owned(), said.clone()),
        rest,
        after: after.to_owned(),
    };
    match written {
        Written::Before => vec![
            way(format!("{rest}[self::text()[starts-with({TEXT}, \":\")]]"), ":"),
            way(rest, ""),
        ],
        _ => vec![way(rest, "")],
    }
}

fn text_ways(label: &str, many: bool) -> Vec<Found> {
    let (says, said) = (says_test(), literal(label));
    let rest = match many {
        false => format!("/following-sibling::node()[{says} or self::br][1][self::*][not(self::br)]"),
        true => format!(
            "/following-sibling::*[{says}][preceding-sibling::node()[self::br or self::text()[ends-with({TEXT}, \":\")]][1][{TEXT}={said}]]"
        ),
    };
    let alone = Found {
        label: ("text()".to_owned(), format!("[{TEXT}={said}]")),
        rest,
        after: String::new(),
    };
    let beginning = Found {
        label: ("text()".to_owned(), format!("[starts-with({TEXT}, {said})]")),
        rest: String::new(),
        after: label.to_owned(),
    };
    vec![alone, beginning]
}

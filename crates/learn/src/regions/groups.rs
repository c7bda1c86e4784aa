//! Headings above groups of records, and lists that have a heading each.
//!
//! A line between records that has one text may be about all records below it, up to the next such line: the day of some meetings, the
//! part of a catalogue. It is a field of these records if there is one before the first record, several of them, and if they
//! say different things; an advert between records is no heading. Where groups have elements of their own, the heading is the `h1` to
//! `h6` before such an element, or its `caption`.
//!
//! Two or three groups in elements of their own, each with a heading of words, are lists of their own (*Singles*, *Doubles*): nothing
//! says that they have one meaning. So are tables whose columns have different headings. Headings with digits are days or years of one list, and many groups are one list.
//! Two things say that groups are one list. Headings may differ in a letter or Roman numeral alone (*Group A*, *Group B*), so that they count. Or records may have a
//! class in common that says what each of them is (`<div class=dish>`); rows of tables and items of lists mostly have one for their looks.
//!
//! A table may repeat the headings of its columns before each group, with the name of the group above the first column.
//!
//! Linear in the records that are looked at.

use super::Candidate;
use super::columns::Made;
use super::heads::{COMPARED, LEAVES};
use super::items::Items;
use super::sight::Sight;
use crate::guided::literal;
use crate::tables;
use oxpath::{Query, Value};
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wrapper::rule::paths::{PathField, Way, value};

/// The most groups that may be lists of their own.
const LISTS: usize = 3;
/// A longer text is no heading, in characters.
const LONG: usize = 120;
/// Fewer rows do not tell whether they begin alike.
const ROWS: usize = 4;
/// At most one row in this number looks different.
const ODD: usize = 5;
/// The share of the records that must be in sections, in tenths.
const MOSTLY: usize = 8;
/// The fewest texts and pictures before the parts of a card.
const CARD: usize = 2;
/// A longer line in bold is no heading, in characters.
const SHORT: usize = 60;
/// The most texts that introduce a list.
const INTRODUCING: usize = 2;
/// What Roman numerals consist of.
const ROMAN: &str = "IVXL";
/// The name of the field, as a label; days have a name of their own.
const LABEL: &str = "Group";
const DAYS: &str = "Date";

fn is_heading(sight: &Sight<'_>, node: NodeId) -> bool {
    let name = sight.page.name(node);
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption") || is_bold_line(sight, node)
}

/// Is an element a line of one short text in bold, as headings are where nothing calls them so?
pub(super) fn is_bold_line(sight: &Sight<'_>, node: NodeId) -> bool {
    let page = sight.page;
    let [leaf] = &sight.leaves[sight.range(node)] else {
        return false;
    };
    let is_bold = |up: NodeId| matches!(page.name(up), "b" | "strong");
    let mut within = page.ancestors(leaf.node).take_while(|up| *up >= node);
    leaf.is_text()
        && leaf.link().is_none()
        && !matches!(page.name(node), "tr" | "td" | "th" | "table" | "ul" | "ol" | "li")
        && page.string_value(node).trim().chars().count() <= SHORT
        && within.any(is_bold)
}

/// The element before another one.
fn before(page: &Page, node: NodeId) -> Option<NodeId> {
    let siblings = page.children(page.parent(node)?);
    let before = siblings.take_while(|other| *other < node);
    before.filter(|other| page.is_element(*other)).last()
}

/// The heading of a group: right before the element around it, or its caption if that counts.
pub(super) fn heading(sight: &Sight<'_>, base: NodeId, record: NodeId, captions: bool) -> Option<NodeId> {
    let page = sight.page;
    let is_heading = |node: NodeId| is_heading(sight, node) && (captions || page.name(node) != "caption");
    let is_aside = |node: NodeId| sight.range(node).is_empty() || matches!(page.name(node), "thead" | "caption");
    let mut at = page.parent(record)?;
    while at > base {
        // What is before it may be empty, or be the headings of the columns.
        let mut other = at;
        loop {
            match before(page, other) {
                Some(found) if is_heading(found) => return Some(found),
                Some(found) if is_aside(found) => other = found,
                Some(_) => return None,
                None => break,
            }
        }
        at = page.parent(at)?;
    }
    None
}

/// The heading among the siblings of a record, with nothing but records between them.
fn own_heading(sight: &Sight<'_>, records: &[NodeId], record: NodeId) -> Option<NodeId> {
    let page = sight.page;
    let siblings = page.children(page.parent(record)?).take_while(|other| *other < record);
    let siblings: Vec<NodeId> = siblings.filter(|other| !sight.range(*other).is_empty()).collect();
    let mut before = siblings.into_iter().rev();
    let other = before.find(|other| records.binary_search(other).is_err())?;
    (page.is_element(other) && is_heading(sight, other)).then_some(other)
}

/// Do texts differ in one word only, which is a letter or a Roman numeral in each of them? Then they count groups of one list.
fn count_on(texts: &[String]) -> bool {
    let words: Vec<Vec<&str>> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
    let Some((first, others)) = words.split_first().filter(|(_, others)| !others.is_empty()) else {
        return false;
    };
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.chars().count() == 1 || !word.is_empty() && word.chars().all(|c| ROMAN.contains(c))
    };
    let is_counted = |at: usize| {
        let same = |other: &Vec<&str>| {
            other.len() == first.len() && other[..at] == first[..at] && other[at + 1..] == first[at + 1..]
        };
        others.iter().all(same) && words.iter().all(|words| is_number(words[at]))
    };
    first.len() >= 2 && (0..first.len()).any(is_counted)
}

/// Have records a word of their class in common that says what each of them is?
pub(super) fn are_of_a_class(page: &Page, records: impl Iterator<Item = NodeId>) -> bool {
    let classes = |node: NodeId| -> BTreeSet<&str> {
        let class = page.attribute_value(node, "class").unwrap_or_default();
        class.split_ascii_whitespace().collect()
    };
    let mut shared: Option<BTreeSet<&str>> = None;
    for record in records {
        if matches!(page.name(record), "tr" | "li") {
            return false;
        }
        let own = classes(record);
        shared = Some(match shared {
            Some(known) => known.intersection(&own).copied().collect(),
            None => own,
        });
    }
    shared.is_some_and(|shared| !shared.is_empty())
}

/// Are these the headings of different lists, each said once in words?
pub(super) fn tell_lists(texts: &[String]) -> bool {
    let is_told = |(at, text): (usize, &String)| {
        !text.is_empty() && !text.chars().any(char::is_numeric) && !texts[..at].contains(text)
    };
    texts.len() >= 2 && texts.iter().enumerate().all(is_told) && !count_on(texts)
}

/// The first records of two or three lists, each with a heading of words, if the records of a row with several parents are such lists.
pub(super) fn lists(sight: &Sight<'_>, candidate: &Candidate) -> Option<Vec<NodeId>> {
    if candidate.items.is_flat() {
        return None;
    }
    let page = sight.page;
    let mut groups: BTreeMap<NodeId, (NodeId, usize)> = BTreeMap::new();
    // Of a long row only the beginning was compared; what follows may be the next list.
    let compared = candidate.records.last().map_or(0, |record| record.end);
    let rest = match candidate.items.nodes.len() > COMPARED {
        true => &candidate.items.nodes[compared..],
        false => &[],
    };
    for first in candidate.firsts().iter().chain(rest) {
        let first = *first;
        groups.entry(page.parent(first)?).or_insert((first, 0)).1 += 1;
    }
    // Columns with other headings are other columns.
    if tables::differ(page, groups.values().map(|(first, _)| *first)) {
        return Some(groups.values().map(|(first, _)| *first).collect());
    }
    if groups.len() > LISTS || are_of_a_class(page, candidate.firsts().into_iter()) {
        return None;
    }
    let told = |captions: bool| {
        let heading = |(first, count): &(NodeId, usize)| {
            let heading = heading(sight, candidate.items.base, *first, captions).filter(|_| *count >= 2);
            heading.map(|heading| value(page, heading))
        };
        let texts = groups.values().map(heading).collect::<Option<Vec<String>>>()?;
        tell_lists(&texts).then(|| groups.values().map(|(first, _)| *first).collect())
    };
    told(false).or_else(|| told(true))
}

/// Are the records of a candidate such lists, each with its heading?
pub(super) fn is_whole(page: &Page, candidate: &Candidate, lists: &[NodeId]) -> bool {
    let nodes = &candidate.items.nodes;
    let holds = |(record, first): (&Range<usize>, &NodeId)| {
        nodes[record.start] < *first && *first < page.end(nodes[record.end - 1])
    };
    candidate.records.len() == lists.len() && candidate.records.iter().zip(lists).all(holds)
}

/// The field with the headings of the groups that the records are in, if there is one.
pub(super) fn field(sight: &Sight<'_>, candidate: &Candidate) -> Option<Made> {
    let page = sight.page;
    if candidate.records.iter().any(|record| record.len() != 1) {
        return None;
    }
    let firsts = candidate.firsts();
    let headings: Vec<NodeId> = match candidate.items.is_flat() {
        true => between(sight, candidate)?,
        false => {
            // The parts of a card are below its title as records are below the heading of their group, but they are single texts of different classes.
            let are_things = are_of_a_class(page, firsts.iter().copied())
                && candidate
                    .records
                    .iter()
                    .all(|record| candidate.leaves(record).len() >= 2);
            let own = |first: NodeId| own_heading(sight, &firsts, first).filter(|_| are_things);
            let told = |captions: bool| -> Option<Vec<NodeId>> {
                let heading = |first: NodeId| heading(sight, candidate.items.base, first, captions);
                let each = firsts.iter().map(|first| own(*first).or_else(|| heading(*first)));
                each.collect()
            };
            told(false).or_else(|| told(true))?
        }
    };
    let mut said: Vec<String> = headings.iter().map(|heading| value(page, *heading)).collect();
    said.sort_unstable();
    said.dedup();
    if said.len() < 2 {
        return None;
    }
    let path = path(page, candidate, &firsts, &headings)?;
    let label = match said.iter().all(|text| super::is_date(text)) {
        true => DAYS,
        false => LABEL,
    };
    Some(Made {
        field: PathField {
            many: false,
            ways: vec![Way { path, ..Way::default() }],
        },
        nodes: headings,
        attribute: None,
        label: Some(label.to_owned()),
    })
}

/// Is it the field with the headings of groups? Only their paths lead to what is before a record.
pub(super) fn is_field(field: &PathField) -> bool {
    field.ways.iter().any(|way| way.path.starts_with("preceding"))
}

/// Is an item a line of one short text, as headings are?
fn is_line(sight: &Sight<'_>, items: &Items, at: usize) -> bool {
    let (page, node) = (sight.page, items.nodes[at]);
    let leaves = &sight.leaves[items.leaves[at].clone()];
    page.is_element(node)
        && leaves.len() == 1
        && leaves[0].is_text()
        && leaves[0].link().is_none()
        && page.string_value(node).trim().chars().count() <= LONG
}

/// Is an item a line that says a day?
pub(super) fn is_day(sight: &Sight<'_>, items: &Items, at: usize) -> bool {
    is_line(sight, items, at) && super::is_date(value(sight.page, items.nodes[at]).as_str())
}

/// How many records are before the first heading of a group and only introduce the list? They are texts alone, and most others have several values.
pub(super) fn introduced(sight: &Sight<'_>, items: &Items, records: &[Range<usize>]) -> usize {
    let page = sight.page;
    let node = |at: usize| items.nodes[records[at].start];
    let is_single = |record: &Range<usize>| record.len() == 1;
    if !records.iter().all(is_single) || page.parent(node(0)) != page.parent(node(records.len() - 1)) {
        return 0;
    }
    let is_record = |other: NodeId| {
        records
            .binary_search_by_key(&other, |record| items.nodes[record.start])
            .is_ok()
    };
    let is_headed = |at: usize| {
        let heading = before(page, node(at)).filter(|other| !is_record(*other));
        heading.is_some_and(|other| is_heading(sight, other))
    };
    let headed: Vec<usize> = (0..records.len()).filter(|at| is_headed(*at)).collect();
    let &[first, _, ..] = &headed[..] else { return 0 };
    let leaves = |record: &Range<usize>| &sight.leaves[items.leaves[record.start].clone()];
    let is_text = |record: &Range<usize>| matches!(leaves(record), [only] if only.is_text() && only.link().is_none());
    let others = &records[first..];
    let several = others.iter().filter(|record| leaves(record).len() > 1).count();
    let is_intro = first <= INTRODUCING && records[..first].iter().all(is_text) && several * 2 > others.len();
    if is_intro { first } else { 0 }
}

/// Do records reach beyond a part of the page in which each group has its heading? What is elsewhere without headings is another list, of links for getting around, say.
pub(super) fn reach_beyond(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    if candidate.items.is_flat() {
        return false;
    }
    let page = sight.page;
    let mut groups: Vec<NodeId> = candidate
        .firsts()
        .iter()
        .filter_map(|first| page.parent(*first))
        .collect();
    groups.dedup();
    let firsts = candidate.firsts();
    let of = |group: &NodeId| firsts.iter().copied().find(|first| page.parent(*first) == Some(*group));
    let is_headed =
        |group: &&NodeId| of(group).is_some_and(|first| heading(sight, candidate.items.base, first, false).is_some());
    let (with, without): (Vec<&NodeId>, Vec<&NodeId>) = groups.iter().partition(is_headed);
    let around = with.first().and_then(|group| page.parent(**group));
    with.len() >= 2
        && with.len() > without.len()
        && with.iter().all(|group| page.parent(**group) == around)
        && without.iter().any(|group| page.parent(**group) != around)
}

/// Are the records of a candidate groups of records, each below its heading? They are if each is a line and then one or more elements that look
/// alike, of several leaves each, mostly several of them, and if these are not the same number everywhere or all begin with different texts,
/// unlike lines of one record.
pub(super) fn are_groups(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let (page, items) = (sight.page, &candidate.items);
    let is_full = |at: &usize| !items.leaves[*at].is_empty();
    let rows = candidate
        .records
        .iter()
        .map(|record| record.clone().skip(1).filter(is_full));
    let Some(first) = rows.clone().flatten().next() else {
        return false;
    };
    // Every other row may have a class more, or another one.
    let class = |at: usize| {
        let class = page.attribute_value(items.nodes[at], "class");
        class.and_then(|class| class.split_ascii_whitespace().next())
    };
    let alternate = rows
        .clone()
        .flatten()
        .find(|at| class(*at) != class(first))
        .is_some_and(|other| {
            let classes: Vec<Option<&str>> = rows.clone().flatten().map(class).collect();
            let changes = classes.windows(2).filter(|two| two[0] != two[1]).count();
            changes * 2 >= classes.len()
                && (has_leaves(sight, items, first, other) || has_leaves(sight, items, other, first))
        });
    let look = |at: usize| (page.name_of(items.nodes[at]), class(at).filter(|_| !alternate));
    // A row with one text is a record that lacks all else, if the text is a link; one that looks different is an advert.
    let (mut short, mut odd, mut full) = (0, 0, 0);
    let mut are_rows = true;
    for at in rows.clone().flatten() {
        let leaves = &sight.leaves[items.leaves[at].clone()];
        full += 1;
        match look(at) == look(first) {
            true => {
                short += usize::from(leaves.len() == 1);
                are_rows &= leaves.len() >= 2 || leaves[0].link().is_some();
            }
            false => odd += 1,
        }
    }
    are_rows &= odd * ODD <= full;
    let have_lines = candidate
        .records
        .iter()
        .all(|record| is_line(sight, items, record.start));
    // What each row begins with: lines of one record begin with the same labels in each of them.
    let mut said: Vec<&str> = Vec::new();
    for at in rows.clone().flatten() {
        let leaf = sight.leaves[items.leaves[at].clone()]
            .iter()
            .find(|leaf| leaf.is_text());
        said.extend(leaf.map(|leaf| page.string_value(leaf.node).trim()));
    }
    let all = said.len();
    said.sort_unstable();
    said.dedup();
    let counts: Vec<usize> = rows.map(Iterator::count).collect();
    let several = counts.iter().filter(|count| **count >= 2).count();
    let differ = counts.iter().any(|count| *count != counts[0]) || all >= ROWS && said.len() * 10 >= all * 9;
    let are_titles = short == 0 || said.len() * 10 >= all * 9;
    have_lines && are_rows && are_titles && several * 2 > counts.len() && differ
}

/// Has an item leaves of all the makes that another one has, and several?
fn has_leaves(sight: &Sight<'_>, items: &Items, all: usize, some: usize) -> bool {
    let made = |at: usize| {
        let leaves = sight.leaves[items.leaves[at].clone()].iter().take(LEAVES);
        leaves.map(move |leaf| {
            (
                leaf.is_text(),
                leaf.link().is_some(),
                sight.names(leaf, items.nodes[at]),
            )
        })
    };
    items.leaves[some].len() >= 2 && made(some).all(|leaf| made(all).any(|other| other == leaf))
}

/// Are the records of one candidate sections of another: each a line, and then one element with lists whose items are the records of the
/// other, or one element with both in it? Sections have different numbers of them, more than one here and there; a term with its description has one always.
pub(super) fn are_sections(sight: &Sight<'_>, outer: &Candidate, inner: &Candidate) -> bool {
    let (page, items) = (sight.page, &outer.items);
    let firsts = inner.firsts();
    if firsts.len() <= outer.records.len() || inner.records.iter().any(|record| record.len() != 1) {
        return false;
    }
    let starts = |node: NodeId| {
        let place = |node: NodeId| firsts.partition_point(|first| *first < node);
        place(page.end(node)) - place(node)
    };
    // What is in a card below its title is no list.
    let is_listed = matches!(page.name(firsts[0]), "tr" | "li") && inner.verdict.rich >= 2.0;
    let (mut counts, mut lists) = (Vec::new(), Vec::new());
    for record in &outer.records {
        let list = match record.len() {
            1 if !is_listed => None,
            1 => list_in(sight, items.nodes[record.start]),
            _ => list_after(sight, items, record),
        };
        let Some(list) = list else { return false };
        counts.push(starts(list));
        lists.push(list);
    }
    let inside: usize = counts.iter().sum();
    // A card with something before its parts is no list of them.
    let before = |list: &NodeId| {
        let first = firsts[firsts.partition_point(|first| first < list)..].first();
        let leaves = |from: NodeId, to: NodeId| {
            sight.leaves.partition_point(|leaf| leaf.node < to) - sight.leaves.partition_point(|leaf| leaf.node < from)
        };
        first.map_or(0, |first| leaves(*list, *first))
    };
    let are_cards = lists.iter().filter(|list| before(list) >= CARD).count() * 10 >= lists.len() * MOSTLY;
    let differ = counts.iter().any(|count| *count != counts[0]);
    // The first line may look different, so that it begins no record.
    inside * 10 >= firsts.len() * MOSTLY && differ && !are_cards && counts.iter().all(|count| *count > 0)
}

/// The only element after the line that a record of several items begins with.
fn list_after(sight: &Sight<'_>, items: &Items, record: &Range<usize>) -> Option<NodeId> {
    if !is_line(sight, items, record.start) || sight.page.name(items.nodes[record.start]) == "dt" {
        return None;
    }
    let mut rest = record.clone().skip(1).filter(|at| !items.leaves[*at].is_empty());
    match (rest.next(), rest.next()) {
        // The cells of a row are no list.
        (Some(list), None) if sight.page.name(items.nodes[list]) != "tr" => Some(items.nodes[list]),
        _ => None,
    }
}

/// The only element after the heading that a section begins with.
fn list_in(sight: &Sight<'_>, section: NodeId) -> Option<NodeId> {
    let page = sight.page;
    let mut full = page.children(section).filter(|child| !sight.range(*child).is_empty());
    let heading = full
        .next()
        .filter(|first| page.is_element(*first) && is_heading(sight, *first))?;
    let is_line = matches!(&sight.leaves[sight.range(heading)], [only] if only.link().is_none());
    match (full.next(), full.next()) {
        (Some(list), None) if page.is_element(list) && is_line => Some(list),
        _ => None,
    }
}

/// Do records reach over the heading of the group below them? The same kind of line is right before the first of them then.
pub(super) fn take_headings(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let items = &candidate.items;
    let is_full = |at: &usize| !items.leaves[*at].is_empty();
    let before = (0..candidate.records[0].start).rev().find(is_full);
    let Some(before) = before.filter(|at| is_line(sight, items, *at)) else {
        return false;
    };
    let look = |at: usize| sight.page.name_of(items.nodes[at]);
    let each = candidate.records.iter();
    let mut rest = each
        .flat_map(|record| record.clone().skip(1))
        .filter(is_full)
        .peekable();
    rest.peek().is_some() && rest.all(|at| look(at) == look(before) && is_line(sight, items, at))
}

/// Do records reach over the next record? That one is an element of the same look, and one of both has all leaves of the other: a title and a
/// date, and now and then a remark. Lines of one record have leaves of other kinds, or begin with a label.
pub(super) fn take_records(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let (page, items) = (sight.page, &candidate.items);
    let look = |at: usize| {
        let node = items.nodes[at];
        (page.name_of(node), page.attribute_value(node, "class"))
    };
    let made = |at: usize| {
        let leaves = items.leaves[at].clone();
        leaves.map(move |leaf| {
            let (leaf, is_data) = (&sight.leaves[leaf], sight.is_data(leaf));
            // A reduced price is in other elements than a usual one.
            let names = if is_data {
                Vec::new()
            } else {
                sight.names(leaf, items.nodes[at])
            };
            (leaf.is_text(), leaf.link().is_some(), is_data, names)
        })
    };
    let holds = |all: usize, some: usize| {
        let mut here = made(all);
        items.leaves[some].len() >= 2 && made(some).all(|leaf| here.any(|other| other == leaf))
    };
    let is_like = |one: usize, other: usize| look(one) == look(other) && (holds(one, other) || holds(other, one));
    let (mut several, mut taking) = (0, 0);
    let mut said = Vec::new();
    for record in &candidate.records {
        let mut rest = record
            .clone()
            .skip(1)
            .filter(|at| !items.leaves[*at].is_empty())
            .peekable();
        several += usize::from(rest.peek().is_some());
        if let Some(at) = rest.find(|at| is_like(record.start, *at)) {
            taking += 1;
            let first = &sight.leaves[items.leaves[at].start];
            said.push(page.string_value(first.node).trim());
        }
    }
    said.sort_unstable();
    said.dedup();
    taking >= 2 && taking * 2 > several && said.len() * 10 >= taking * 9 && !spans(page, items, candidate)
}

/// Do cells of the first record reach over several rows?
fn spans(page: &Page, items: &Items, candidate: &Candidate) -> bool {
    let first = items.nodes[candidate.records[0].start];
    page.children(first)
        .any(|cell| page.attribute_value(cell, "rowspan").is_some())
}

/// For each record the line above its group, among the items of one row.
fn between(sight: &Sight<'_>, candidate: &Candidate) -> Option<Vec<NodeId>> {
    let page = sight.page;
    let items = &candidate.items;
    let starts: Vec<usize> = candidate.records.iter().map(|record| record.start).collect();
    let full = |at: &usize| !items.leaves[*at].is_empty();
    let repeated = repeated_heads(page, items);
    let mut headings = Vec::new();
    let mut last: Option<NodeId> = None;
    let mut begin = 0;
    for start in starts {
        // Only what is right before a record is a heading.
        if let Some(at) = (begin..start).rev().find(full) {
            if is_line(sight, items, at) {
                last = Some(items.nodes[at]);
            } else if let Some(row) = repeated.iter().find(|row| page.parent(**row) == Some(items.nodes[at])) {
                last = Some(*row);
            }
        }
        headings.push(last?);
        begin = start + 1;
    }
    let first = headings[0];
    let name = page.name_of(first);
    headings
        .iter()
        .all(|heading| page.name_of(*heading) == name)
        .then_some(headings)
}

/// The first cells of rows of headings that a table repeats, if these rows are alike but for them: the names of groups.
fn repeated_heads(page: &Page, items: &Items) -> Vec<NodeId> {
    let cells = |row: NodeId| -> Option<Vec<NodeId>> {
        let cells: Vec<NodeId> = page.children(row).filter(|cell| page.is_element(*cell)).collect();
        let is_head = cells.len() >= 2 && cells.iter().all(|cell| page.name(*cell) == "th");
        (page.name(row) == "tr" && is_head).then_some(cells)
    };
    let rows: Vec<Vec<NodeId>> = items.nodes.iter().filter_map(|row| cells(*row)).collect();
    let said = |cells: &[NodeId]| -> Vec<String> { cells.iter().map(|cell| value(page, *cell)).collect() };
    let Some(first) = rows.first() else { return Vec::new() };
    let columns = said(&first[1..]);
    match rows.iter().all(|row| said(&row[1..]) == columns) {
        true => rows.iter().map(|row| row[0]).collect(),
        false => Vec::new(),
    }
}

/// The path from a record to its heading, if one leads from each record to its own.
fn path(page: &Page, candidate: &Candidate, firsts: &[NodeId], headings: &[NodeId]) -> Option<String> {
    let name = page.name(headings[0]);
    let mut tried = Vec::new();
    if candidate.items.is_flat() {
        let axis = format!("preceding-sibling::{name}");
        if name == "th" {
            tried.push("preceding-sibling::tr[th][not(td)][1]/th[1]".to_owned());
        }
        if let Some(class) = page.attribute_value(headings[0], "class")
            && !class.trim().is_empty()
        {
            tried.push(format!("{axis}[@class={}][1]", literal(class)));
        }
        if page.name(firsts[0]) != name {
            tried.push(format!("{axis}[1]"));
        }
        let child = page.children(headings[0]).find(|child| page.is_element(*child));
        tried.extend(child.map(|child| format!("{axis}[{}][1]", page.name(child))));
        let children = page.children(headings[0]).filter(|child| page.is_element(*child));
        tried.push(format!("{axis}[count(*)={}][1]", children.count()));
        tried.push(format!(
            "{axis}[not(self::node(){})][1]",
            candidate.heads.test.predicate(page)
        ));
    } else {
        tried.push(format!("preceding::{name}[1]"));
    }
    // On other pages, records may be one after the other without a heading between them.
    let place = format!("preceding-sibling::{name}[");
    let is_of_records = |path: &String| {
        let test = path.strip_prefix(&place).and_then(|rest| rest.strip_suffix("[1]"));
        let test = test.map(|test| format!("boolean(self::{name}[{test})"));
        let Some(Ok(query)) = test.map(|test| Query::compile(&test)) else {
            return false;
        };
        let holds = |first: &NodeId| matches!(query.evaluate_at(page, *first), Ok(Value::Boolean(true)));
        firsts.iter().any(holds)
    };
    let leads = |path: &String| {
        let Ok(query) = Query::compile(path) else { return false };
        let right = |(first, heading): (&NodeId, &NodeId)| match query.evaluate_at(page, *first) {
            Ok(Value::Nodes(found)) => found == [*heading],
            _ => false,
        };
        firsts.iter().zip(headings).all(right)
    };
    let (certain, others): (Vec<String>, Vec<String>) = tried.into_iter().partition(|path| !is_of_records(path));
    certain.into_iter().chain(others).find(leads)
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn rows_of_two_classes_below_headings_are_the_records() {
        let row = |at: usize| {
            let class = ["odd", "even"][at % 2];
            let price = if at.is_multiple_of(3) {
                ""
            } else {
                "<i>Price</i> <b>$7.50</b><br>"
            };
            format!(
                "<div class={class}><a href=/{at}>Walk {at} to the shore</a><br>{price}<i>Time</i> <b>1{}:15</b></div>",
                at % 10
            )
        };
        let mut html = String::new();
        let mut at = 0;
        for (month, count) in ["May", "June", "July", "August", "March", "April"]
            .iter()
            .zip([3, 2, 4, 1, 2, 3])
        {
            html += &format!("<h2>{month} 2021</h2>");
            html.extend((at..at + count).map(row));
            at += count;
        }
        let page = Page::parse_str(&format!("<main>{html}</main>"), &Default::default()).unwrap();
        let list = crate::regions::find(&page, &Job::new()).remove(0);
        assert_eq!((list.records, list.grouped), (15, true), "{:?}", list.rule.each);
    }

    #[test]
    fn a_record_with_more_than_others_is_a_record() {
        let row = |number: usize| {
            let more = ["", " <em>Cancelled</em>"][usize::from(number.is_multiple_of(4))];
            format!("<li><a href=/m/{number}>Meeting {number} of the board</a> <b>May {number}, 2019</b>{more}</li>")
        };
        let html = format!("<h1>Meetings</h1><ul>{}</ul>", (1..25).map(row).collect::<String>());
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        assert_eq!((best.records, best.rule.fields.len()), (24, 4), "{:?}", best.rule);
    }

    /// The values of the records of the best list, and its names.
    fn said(html: &str) -> (Vec<Vec<String>>, Vec<String>) {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let texts = |record: wrapper::rule::paths::PathRecord| -> Vec<String> {
            record.values.into_iter().map(|value| value.text).collect()
        };
        (records.into_iter().map(texts).collect(), best.names)
    }

    const FILES: [&str; 14] = [
        "Open Library",
        "Water Plan",
        "Quiet Garden Walk",
        "Budget",
        "Harbour Survey",
        "Old Mill",
        "School Report",
        "Trees",
        "Roads",
        "Night Bus",
        "Museum Guide",
        "Parks",
        "Late Market",
        "Bridge",
    ];

    /// Files below years in bold.
    fn years(file: fn(usize) -> String, frame: [&str; 2]) -> String {
        let mut html = String::new();
        for (year, numbers) in [(2024, 0..5), (2023, 5..9), (2022, 9..14)] {
            let files: String = numbers.map(file).collect();
            html += &format!("<p><b>{year}</b></p>{}{files}{}", frame[0], frame[1]);
        }
        html
    }

    #[test]
    fn lines_in_bold_between_records_are_headings() {
        let file = |number: usize| format!("<p><a href=/f/{number}.pdf>{}</a></p>", FILES[number]);
        let (records, names) = said(&format!("<body>{}</body>", years(file, ["", ""])));
        assert_eq!(records.len(), 14, "{records:?}");
        assert_eq!(records[6], [FILES[6], "/f/6.pdf", "2023"], "{names:?}");
    }

    #[test]
    fn the_parts_of_events_below_their_days_are_no_records() {
        let event = |at: usize| {
            let cost = if at % 3 == 1 { "" } else { "<div class=cost>Free</div>" };
            format!(
                "<h2>May {}, 2019</h2><div class=event><i>{}:30 pm</i><h3><a href=/e{at}>{}</a></h3><div class=venue>Hall {at}</div>{cost}</div>",
                at + 1,
                at % 7 + 1,
                FILES[at]
            )
        };
        let (records, names) = said(&format!("<main>{}</main>", (0..12).map(event).collect::<String>()));
        assert_eq!(records.len(), 12, "{names:?} {records:?}");
        assert!(records[3].contains(&FILES[3].to_owned()), "{names:?} {records:?}");
    }

    #[test]
    fn days_above_one_or_two_rows_are_headings_of_groups() {
        let row = |at: usize| {
            let note = if at.is_multiple_of(3) {
                "<i>Seen from the road</i>"
            } else {
                ""
            };
            format!(
                "<div class='row sighting'><b>{}</b> <span class=site>Point {at}</span> <span class=who>Ann Lee {at}</span>{note}</div>",
                FILES[at]
            )
        };
        let day = |at: usize| format!("<h3>May {}, 2019</h3>", at + 1);
        let counts = [2, 2, 2, 1, 2, 1, 2];
        let (mut html, mut at) = (String::new(), 0);
        for count in counts {
            html += &day(at);
            html.extend((at..at + count).map(row));
            at += count;
        }
        let (records, names) = said(&format!("<h1>Birds</h1><div class=content>{html}</div>"));
        assert_eq!(records.len(), 12, "{names:?} {records:?}");
        assert!(records[1].contains(&"May 1, 2019".to_owned()), "{names:?} {records:?}");
    }

    #[test]
    fn days_above_one_row_each_are_headings_of_groups() {
        let row = |at: usize| {
            let cost = ["Free", "&nbsp;"][at % 2];
            format!(
                "<tr><td>{}:30 pm</td><td><a href=/e{at}>{}</a></td><td>Hall {at}</td><td>{cost}</td></tr>",
                at % 7 + 1,
                FILES[at]
            )
        };
        let day = |at: usize| format!("<tr><td colspan=4><b>May {}, 2019</b></td></tr>", at + 1);
        let page = |rows: String| Page::parse_str(&format!("<table>{rows}</table>"), &Default::default()).unwrap();
        let learned = page((0..8).map(|at| day(at) + &row(at)).collect());
        let best = crate::regions::find(&learned, &Job::new()).remove(0);
        let other = page(day(1) + &row(1) + &row(2) + &day(4) + &row(4));
        let records = PathsRun::new(&best.rule).unwrap().page(&other);
        let said = format!("{records:?}");
        assert_eq!((records.len(), said.matches("May 2, 2019").count()), (3, 2), "{said}");
    }

    #[test]
    fn a_menu_beside_groups_is_no_group() {
        let file = |number: usize| format!("<li><a href=/f/{number}.pdf>{}</a></li>", FILES[number]);
        let menu =
            "<ul><li><a href=/>Home page</a></li><li><a href=/s>Search</a></li><li><a href=/h>Help</a></li></ul>";
        let html = format!(
            "<table><tr><td>{menu}</td><td>{}</td></tr></table>",
            years(file, ["<ul>", "</ul>"])
        );
        let (records, names) = said(&html);
        assert_eq!(records.len(), 14, "{records:?}");
        assert_eq!(records[9], [FILES[9], "/f/9.pdf", "2022"], "{names:?}");
    }

    #[test]
    fn a_text_above_the_first_heading_is_no_record() {
        let mut html = "<div><p>All meetings are held at 6 pm in the old mill. Everyone is welcome.</p>".to_owned();
        for (year, days) in [(2024, 1..5), (2023, 5..8), (2022, 8..12)] {
            html += &format!("<h3>{year}</h3>");
            for day in days {
                let minutes = if day % 3 == 0 {
                    String::new()
                } else {
                    format!(", <a href=/m{day}>Minutes</a>")
                };
                html += &format!("<p>May {day}, {year} - <a href=/a{day}>Agenda</a>{minutes}</p>");
            }
        }
        let (records, names) = said(&format!("{html}</div>"));
        assert_eq!(records.len(), 11, "{records:?}");
        assert!(records[0].contains(&"2024".to_owned()), "{names:?} {records:?}");
    }

    /// The records of two or three groups, with the group of each.
    fn grouped(html: &str) -> Vec<(String, String)> {
        let (records, names) = said(html);
        let group = names.iter().position(|name| name == "group");
        let group = group.unwrap_or_else(|| panic!("{names:?} {records:?}"));
        let each = records
            .into_iter()
            .map(|record| (record[0].clone(), record[group.min(record.len() - 1)].clone()));
        each.collect()
    }

    #[test]
    fn headings_that_count_are_groups_of_one_list() {
        let table = |title: &str, from: usize| {
            let row = |at: usize| format!("<tr><td>{}</td><td>{at}</td><td>{}</td></tr>", FILES[at], at * 7 % 5);
            let rows: String = (from..from + 4).map(row).collect();
            format!("<h3>{title}</h3><table><tr><th>Team</th><th>Played</th><th>Points</th></tr>{rows}</table>")
        };
        for titles in [
            ["Group A", "Group B", "Group C"],
            ["Part I", "Part II", "Part III"],
            ["A Pool", "B Pool", "C Pool"],
        ] {
            for count in [2, 3] {
                let tables: String = titles[..count]
                    .iter()
                    .enumerate()
                    .map(|(at, title)| table(title, at * 5))
                    .collect();
                let found = grouped(&format!("<h1>Cup</h1>{tables}"));
                assert_eq!(found.len(), 4 * count, "{found:?}");
                let last = (FILES[(count - 1) * 5].to_owned(), titles[count - 1].to_owned());
                assert_eq!(found[(count - 1) * 4], last, "{found:?}");
            }
        }
    }

    #[test]
    fn elements_of_one_class_in_sections_are_groups_of_one_list() {
        let card = |at: usize| {
            let note = if at == 6 {
                String::new()
            } else {
                format!("<p>Note about the {}</p>", FILES[at])
            };
            format!(
                "<article class='item wide'><div><b>{}</b><i>{}.50</i></div>{note}</article>",
                FILES[at],
                at + 3
            )
        };
        for [open, close] in [["", ""], ["<div class=grid>", "</div>"]] {
            let part = |title: &str, numbers: std::ops::Range<usize>| {
                let cards: String = numbers.map(card).collect();
                format!("<section><h2>{title}</h2>{open}{cards}{close}</section>")
            };
            let html = format!(
                "<main>{}{}{}</main>",
                part("Ponds", 0..4),
                part("Trees", 4..9),
                part("Walls", 9..13)
            );
            let page = Page::parse_str(&html, &Default::default()).unwrap();
            let best = crate::regions::find(&page, &Job::new()).remove(0);
            let records = PathsRun::new(&best.rule).unwrap().page(&page);
            let group = best
                .names
                .iter()
                .position(|name| name == "group")
                .unwrap_or_else(|| panic!("{:?}", best.names));
            let groups: Vec<&str> = records
                .iter()
                .flat_map(|record| record.values.iter().filter(|value| value.field == group))
                .map(|value| value.text.as_str())
                .collect();
            let expected = [vec!["Ponds"; 4], vec!["Trees"; 5], vec!["Walls"; 4]].concat();
            assert_eq!(groups, expected, "{open}");
        }
    }

    #[test]
    fn the_parts_of_a_card_are_no_group_below_its_title() {
        let card = |at: usize| {
            let name = FILES[at];
            let code = if at.is_multiple_of(2) {
                String::new()
            } else {
                format!("<span class=code>K-{at}</span>")
            };
            format!(
                "<article><h3><a href=/p/{at}>{name}</a></h3><span class=stock>Open</span><span class=price>${at}.50</span>{code}</article>"
            )
        };
        let cards: String = (0..6).map(card).collect();
        let (records, names) = said(&format!("<h1>Shop</h1><div class=results>{cards}</div>"));
        assert_eq!(records.len(), 6, "{names:?} {records:?}");
        assert!(!names.contains(&"group".to_owned()), "{names:?}");
    }

    #[test]
    fn headings_of_columns_that_are_repeated_name_the_groups() {
        let rows = |from: usize| -> String {
            let row = |at: usize| format!("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", FILES[at], at * 3, 40 - at);
            (from..from + 4).map(row).collect()
        };
        let group =
            |(at, title): (usize, &&str)| format!("<tr><th>{title}</th><th>Won</th><th>Lost</th></tr>{}", rows(at * 4));
        let groups: String = ["North", "South", "Coast"].iter().enumerate().map(group).collect();
        let (records, names) = said(&format!("<h1>League</h1><table>{groups}</table>"));
        assert_eq!(names[1..], ["won", "lost", "group"], "{names:?}");
        assert_ne!(names[0], "north");
        assert_eq!(records.len(), 12);
        assert_eq!(records[5], [FILES[5], "15", "35", "South"]);
    }

    #[test]
    fn items_of_lists_below_lines_are_records() {
        let days = [
            ("July 3, 2018", 1),
            ("June 28, 2018", 1),
            ("June 22, 2018", 3),
            ("June 8, 2018", 2),
            ("May 1, 2018", 1),
        ];
        let mut number = 0;
        let mut html = "<h1>Opinions</h1>".to_owned();
        for (day, count) in days {
            html += &format!("<p><strong>{day}</strong></p><ul>");
            for _ in 0..count {
                number += 1;
                html += &format!("<li><a href=o{number}.pdf>Party number {number} v. the other one</a></li>");
            }
            html += "</ul>";
        }
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let said = |at: usize| -> Vec<&str> { records[at].values.iter().map(|value| value.text.as_str()).collect() };
        assert_eq!(records.len(), 8, "{:?}", best.rule);
        assert_eq!(
            said(4),
            ["Party number 5 v. the other one", "o5.pdf", "June 22, 2018"],
            "{:?}",
            best.names
        );
    }

    #[test]
    fn sections_with_a_list_in_each_are_no_records() {
        let card = |number: usize| {
            let words = [
                "Kelp", "Moss", "Fern", "Reed", "Sedge", "Lichen", "Algae", "Oak", "Ash", "Elm",
            ];
            let name = words[number % 10];
            format!(
                "<div class=card><img src={number}.png alt='{name} kit'><a href=p{number}>{name} power station</a><b>${number}9.99</b></div>"
            )
        };
        let cards = |numbers: std::ops::Range<usize>| numbers.map(card).collect::<String>();
        let html = format!(
            "<div class=section><h2>Best sellers</h2><div><div class=row>{}</div></div><p>All of them</p></div>\
             <div class=section><h2>You may also like</h2><div class=row>{}</div></div>",
            cards(0..4),
            cards(4..10)
        );
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        assert!(best.records >= 4, "{:?}", best.rule);
    }
}

//! Rows of nodes in which records may be: the children of an element, the children of several like elements, or elements of one class.
//!
//! Records mostly are children of one element, each alone or with those after it. In a grid the cards of each row have a
//! parent of their own, and so have the items of a list that is divided into sections. So there is a row of items also for
//! all elements that have the same name and the same grandparent, or the same names and the same great-grandparent. The rows of tables and
//! the items of lists may be one step further down: sections with a heading and a table in each. Parts of the page with other names and headings of their own are no
//! sections of one list: news beside the list that is meant.
//! A page whose sections are made in different ways has cards at different places; what they share is a word of their class. So
//! there is a row of items also for the elements with such a word, if none is in another. Replies are inside of what they reply to, but what each of them says is
//! in such an element.
//! The rows of a page have as many nodes as the page, eight times at most.

use super::heads::COMPARED;
use super::sight::Sight;
use page::{Kind, NameId, NodeId, Page};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most words of a class that are looked at.
const WORDS: usize = 4;
/// How many elements with a word of their class in common a section must have on average for them to be records.
const CARDS: usize = 3;
/// The most parts of a page that one is compared with.
const PARTS: usize = 20;
/// The fewest replies of a thread.
const REPLIES: usize = 2;
/// The most rows of elements by a word of their class, those with most text first.
const CARD_ROWS: usize = 20;

/// A row of nodes.
pub(super) struct Items {
    /// The element above all of them.
    pub(super) base: NodeId,
    /// The names between `base` and the nodes; empty if `base` is their parent.
    pub(super) steps: Vec<NameId>,
    /// May the nodes be anywhere below `base`?
    pub(super) anywhere: bool,
    /// Are they the parts of elements that are in each other, such as replies?
    pub(super) thread: bool,
    /// The nodes: elements, also empty ones, and texts that are not blank.
    pub(super) nodes: Vec<NodeId>,
    /// The leaves of each.
    pub(super) leaves: Vec<Range<usize>>,
}

impl Items {
    /// Do all nodes have one parent?
    pub(super) fn is_flat(&self) -> bool {
        self.steps.is_empty() && !self.anywhere
    }

    /// How many items there are for each one that is compared.
    pub(super) fn compared(&self) -> f64 {
        self.nodes.len().max(COMPARED) as f64 / COMPARED as f64
    }
}

/// Is it a text of white space alone, as XPath knows white space?
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// All rows of items of a page, those with many items first.
pub(super) fn rows(sight: &Sight<'_>) -> Vec<Items> {
    let page = sight.page;
    let mut rows: Vec<Items> = Vec::new();
    // Elements with leaves of their own or below, by what is one and two steps above them.
    let mut beside: BTreeMap<(NodeId, Vec<NameId>), Vec<NodeId>> = BTreeMap::new();
    for parent in parents(sight) {
        let Some(name) = page.name_of(parent) else { continue };
        let up = page.parent(parent).filter(|up| page.is_element(*up));
        if let Some(up) = up {
            beside.entry((up, vec![name])).or_default().push(parent);
            if let (Some(upper), Some(above)) = (page.parent(up), page.name_of(up))
                && page.is_element(upper)
            {
                beside.entry((upper, vec![above, name])).or_default().push(parent);
                // Between the rows of a table, or the items of a list, and the section that it is in there is one element more.
                let top = page.parent(upper).filter(|top| page.is_element(*top));
                if let (Some(top), Some(section)) = (top, page.name_of(upper))
                    && matches!(page.name(parent), "tbody" | "ul" | "ol")
                {
                    beside
                        .entry((top, vec![section, above, name]))
                        .or_default()
                        .push(parent);
                }
            }
        }
        let items = below(sight, parent, Vec::new(), &[parent]);
        if items.leaves.iter().filter(|leaves| !leaves.is_empty()).count() >= 2 {
            rows.push(items);
        }
    }
    for ((base, steps), parents) in beside {
        // With one parent above all, the shorter way says the same.
        let above = |node: NodeId| page.ancestors(node).nth(steps.len().saturating_sub(2));
        let parts = match &steps[..] {
            [_] => vec![parents],
            _ => parts(page, parents, above),
        };
        for parents in parts {
            let apart = match &steps[..] {
                [_] => parents.len() > 1,
                _ => parents.windows(2).any(|two| above(two[0]) != above(two[1])),
            };
            if !apart {
                continue;
            }
            let items = below(sight, base, steps.clone(), &parents);
            let full = items.leaves.iter().filter(|leaves| !leaves.is_empty()).count();
            if full > parents.len() {
                rows.push(items);
            }
        }
    }
    rows.extend(cards(sight));
    rows.sort_by_key(|items| std::cmp::Reverse(items.nodes.len()));
    rows
}

/// Elements by the part of the page that they are in, which is what is `above` them: `<div id=main>` with a list and `<div id=news>` with a heading and another one are two. Parts
/// with the same id but for its digits, or with a class in common, are one, and so are those without headings, such as two columns.
fn parts(page: &Page, parents: Vec<NodeId>, above: impl Fn(NodeId) -> Option<NodeId>) -> Vec<Vec<NodeId>> {
    struct Part {
        id: String,
        classes: Vec<String>,
        is_headed: bool,
        above: Option<NodeId>,
        parents: Vec<NodeId>,
    }
    let mut parts: Vec<Part> = Vec::new();
    for parent in parents {
        let up = above(parent);
        if let Some(part) = parts.iter_mut().find(|part| part.above == up) {
            part.parents.push(parent);
            continue;
        }
        let said = |name: &str| {
            let value = up.and_then(|up| page.attribute_value(up, name)).unwrap_or_default();
            value.replace(|c: char| c.is_ascii_digit(), "")
        };
        let id = said("id");
        let classes: Vec<String> = said("class").split_whitespace().map(str::to_owned).collect();
        let before = up.map_or(parent.0, |up| up.0)..parent.0;
        let is_headed = before
            .map(NodeId)
            .any(|node| page.is_element(node) && matches!(page.name(node), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
        let is_same = |part: &&mut Part| {
            let is_shared = part.classes.iter().any(|class| classes.contains(class));
            let is_named = !(id.is_empty() && classes.is_empty() && part.id.is_empty() && part.classes.is_empty());
            let is_other = is_named && !is_shared && (part.id != id || id.is_empty());
            !(is_other && (part.is_headed || is_headed))
        };
        match parts.iter_mut().take(PARTS).find(is_same) {
            Some(part) => part.parents.push(parent),
            None => parts.push(Part {
                id,
                classes,
                is_headed,
                above: up,
                parents: vec![parent],
            }),
        }
    }
    parts.into_iter().map(|part| part.parents).collect()
}

/// The elements that share a word of their class and are at different places of the page.
fn cards(sight: &Sight<'_>) -> Vec<Items> {
    let page = sight.page;
    // `None` for words of elements that are in each other.
    let mut by_word: BTreeMap<(NameId, &str), Option<Vec<NodeId>>> = BTreeMap::new();
    for element in parents(sight) {
        let (Some(name), Some(class)) = (page.name_of(element), page.attribute_value(element, "class")) else {
            continue;
        };
        if sight.is_framing(element) {
            continue;
        }
        for word in class.split_whitespace().take(WORDS) {
            let those = by_word.entry((name, word)).or_insert_with(|| Some(Vec::new()));
            if let Some(nodes) = those {
                match nodes.last() {
                    // The same word twice.
                    Some(last) if *last == element => {}
                    Some(last) if element < page.end(*last) => *those = None,
                    _ => nodes.push(element),
                }
            }
        }
    }
    // In one section, they are in a row already. Boxes with this and that are one in each.
    let is_apart = |nodes: &Vec<NodeId>| {
        let full = nodes.iter().filter(|node| sight.range(**node).len() >= 2);
        let mut sections: Vec<Option<NodeId>> = full.map(|node| page.ancestors(*node).nth(2)).collect();
        let count = sections.len();
        sections.dedup();
        sections.len() >= 2 && (count >= CARDS * sections.len() || is_thread(page, nodes))
    };
    let mut found: Vec<Vec<NodeId>> = by_word.into_values().flatten().filter(is_apart).collect();
    found.sort();
    found.dedup();
    let text = |nodes: &Vec<NodeId>| nodes.iter().map(|node| sight.text(&sight.range(*node))).sum::<f64>();
    found.sort_by(|one, other| text(other).total_cmp(&text(one)));
    found.truncate(CARD_ROWS);
    found.into_iter().map(|nodes| anywhere(sight, nodes)).collect()
}

/// Are these the parts of elements of one make that are in each other, as a reply is in what it replies to?
fn is_thread(page: &Page, nodes: &[NodeId]) -> bool {
    let word = |node: NodeId| {
        page.attribute_value(node, "class")
            .and_then(|class| class.split_whitespace().next())
    };
    let around: Vec<NodeId> = nodes.iter().filter_map(|node| page.parent(*node)).collect();
    let is_same = |node: &NodeId| page.name_of(*node) == page.name_of(around[0]) && word(*node) == word(around[0]);
    // In document order, an element that another one is in comes after it and before its end.
    let mut end = NodeId::DOCUMENT;
    let is_inner = |node: &&NodeId| {
        let inner = **node < end;
        end = end.max(page.end(**node));
        inner
    };
    let inner = around.iter().filter(is_inner).count();
    let mut apart = around.clone();
    apart.dedup();
    apart.len() == nodes.len()
        && word(around[0]).is_some()
        && around.iter().all(is_same)
        && inner >= REPLIES
        && inner < nodes.len()
}

/// A row of nodes that may be anywhere below what is above all of them.
fn anywhere(sight: &Sight<'_>, nodes: Vec<NodeId>) -> Items {
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    let mut above = sight.page.ancestors(first);
    let base = above.find(|up| last < sight.page.end(*up)).unwrap_or(NodeId::DOCUMENT);
    let leaves = nodes.iter().map(|node| sight.range(*node)).collect();
    Items {
        base,
        steps: Vec::new(),
        anywhere: true,
        thread: is_thread(sight.page, &nodes),
        nodes,
        leaves,
    }
}

/// The elements with leaves, in document order.
fn parents(sight: &Sight<'_>) -> Vec<NodeId> {
    let page = sight.page;
    let mut seen = vec![false; page.len()];
    let mut parents = Vec::new();
    for leaf in &sight.leaves {
        for up in page.ancestors(leaf.node) {
            if std::mem::replace(&mut seen[up.index()], true) || !page.is_element(up) {
                break;
            }
            parents.push(up);
        }
    }
    parents.sort_unstable();
    parents
}

fn below(sight: &Sight<'_>, base: NodeId, steps: Vec<NameId>, parents: &[NodeId]) -> Items {
    let page = sight.page;
    let nodes = parents.iter().flat_map(|parent| page.children(*parent));
    let nodes: Vec<NodeId> = nodes.filter(|node| is_item(page, *node)).collect();
    let leaves = nodes.iter().map(|node| sight.range(*node)).collect();
    Items {
        base,
        steps,
        anywhere: false,
        thread: false,
        nodes,
        leaves,
    }
}

fn is_item(page: &Page, node: NodeId) -> bool {
    match page.kind(node) {
        Kind::Element => true,
        Kind::Text => !is_blank(page.string_value(node)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::regions::{self, Region};
    use page::{Job, Page};

    fn card(kind: &str, number: usize) -> String {
        let date = format!("{} May 2024", number + 1);
        format!(
            "<div class='card {kind}'><a href=/{number}>Story number {number}</a> <i>by Ann</i> <b>{date}</b></div>"
        )
    }

    fn cards(kind: &str, numbers: std::ops::Range<usize>) -> impl Iterator<Item = String> {
        numbers.map(move |number| card(kind, number))
    }

    fn best(html: &str) -> Region {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        regions::find(&page, &Job::new()).remove(0)
    }

    #[test]
    fn cards_of_sections_that_are_made_in_different_ways_are_one_list() {
        let listed = |kind: &str, numbers| {
            cards(kind, numbers)
                .map(|card| format!("<li>{card}</li>"))
                .collect::<String>()
        };
        let html = format!(
            "<h1>News</h1><section><h2>Top</h2><div><div>{}</div></div></section>\
             <section><h2>Science</h2><ul>{}</ul><p>More</p></section>\
             <section><h2>Sports</h2><div><ul>{}</ul></div></section>",
            cards("wide", 0..4).collect::<String>(),
            listed("small", 4..8),
            listed("flat", 8..12),
        );
        let found = best(&html);
        assert_eq!(found.records, 12);
        assert!(found.rule.each[0].contains("\" card \""), "{:?}", found.rule.each);
    }

    #[test]
    fn many_sections_are_no_records_either() {
        let section = |number: usize| {
            let all: String = cards("wide", 20 * number..20 * number + 20).collect();
            format!("<section><h2>Part {number}</h2>{all}</section>")
        };
        assert_eq!(best(&(0..300).map(section).collect::<String>()).records, 6000);
    }

    #[test]
    fn paragraphs_are_not_the_list_that_is_meant() {
        let sentence = "Silver has been worn for evenings and for days, with pearls, with stones, and with nothing at all beside it. ";
        let goods: String = (1..9)
            .map(|number| format!("<li><b>Ring {number}</b> <i>{number}.50 €</i></li>"))
            .collect();
        let html = format!(
            "<ul>{goods}</ul><div>{}</div>",
            format!("<p>{}</p>", sentence.repeat(3)).repeat(5)
        );
        assert_eq!(best(&html).records, 8);
    }

    #[test]
    fn cards_beside_a_list_with_most_of_them_are_no_part_of_it() {
        let html = format!(
            "<h1>Shop</h1><div><div><div id=all>{}</div></div></div><aside><p>You may like</p><section><div><span>{}</span></div></section></aside>",
            cards("wide", 0..12).collect::<String>(),
            cards("wide", 20..24).collect::<String>(),
        );
        assert_eq!(best(&html).records, 12);
    }

    #[test]
    fn rows_of_tables_in_sections_with_a_heading_are_the_records() {
        let row = |number: usize| {
            format!("<tr><td><a href=o{number}>A{number}</a></td><td>Smith {number} v. State</td></tr>")
        };
        let section = |(at, numbers): (usize, std::ops::Range<usize>)| {
            let rows: String = numbers.map(row).collect();
            format!(
                "<div class=part><h5><b>May {}, 2019</b></h5><table><thead><tr><th></th><th></th></tr></thead><tbody>{rows}</tbody></table></div>",
                at + 3
            )
        };
        let sections: String = [0..2, 2..4, 4..5, 5..7, 7..8, 8..10]
            .into_iter()
            .enumerate()
            .map(section)
            .collect();
        let found = best(&format!("<h1>Opinions</h1><div>{sections}</div>"));
        assert_eq!(found.records, 10, "{:?}", found.rule.each);
        assert!(found.names.iter().any(|name| name == "date"), "{:?}", found.names);
    }
    #[test]
    fn a_list_in_another_part_of_the_page_is_no_section() {
        let item =
            |number: usize| format!("<li><a href=/{number}>Story number {number}</a> <i>{number} May 2024</i></li>");
        let items = |numbers: std::ops::Range<usize>| numbers.map(item).collect::<String>();
        let html = format!(
            "<div id=main><h1>All</h1><ul>{}</ul></div><div id=side><h3>News</h3><ul>{}</ul></div>",
            items(1..6),
            items(20..23)
        );
        assert_eq!(best(&html).records, 5);
        // Two columns have no headings.
        let html = format!(
            "<h1>All</h1><div class=left><ul>{}</ul></div><div class=right><ul>{}</ul></div>",
            items(1..6),
            items(20..25)
        );
        assert_eq!(best(&html).records, 10);
    }

    #[test]
    fn replies_are_records_like_what_they_reply_to() {
        fn comment(at: usize, replies: &str) -> String {
            let names = [
                "Ann Lee", "Bo Day", "Cy Holt", "Di Fox", "Eve Lund", "Fay Roe", "Gus Ash", "Ida Elm", "Jo Fir",
            ];
            let name = names[at];
            format!(
                "<li class='comment depth'><article class=body><b>{name}</b> <time>May {}, 2019</time><p>What {name} thinks about the old garden, number {at}</p></article>{replies}</li>",
                at + 1
            )
        }
        let below = |inner: String| format!("<ol class=children>{inner}</ol>");
        let deep = comment(2, &below(comment(3, "")));
        let thread = [
            comment(0, ""),
            comment(1, &below(deep)),
            comment(4, ""),
            comment(5, &below(comment(6, "") + &comment(7, ""))),
            comment(8, ""),
        ];
        let html = format!(
            "<h1>The garden</h1><p>All about it.</p><ol class=list>{}</ol>",
            thread.concat()
        );
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = crate::regions::find(&page, &Job::new()).remove(0);
        let records = wrapper::rule::paths::PathsRun::new(&best.rule).unwrap().page(&page);
        let days = records.iter().map(|record| {
            record
                .values
                .iter()
                .filter(|value| value.text.starts_with("May "))
                .count()
        });
        assert_eq!((records.len(), days.max()), (9, Some(1)), "{:?}", best.rule);
    }
}

//! Records that are in several lists of one page: two tables, or a table of the new ones and a plain list of the old ones.
//!
//! One path leads to the records of most pages. Where the best one leads to something else besides, or to some of the records
//! only, paths that lead to nothing but records are joined, the one to most of them first: `//table[@id="new"]//tr | //ul/li`. The
//! union is taken if it fits the examples clearly better than the best single path, and if each of its paths leads to enough
//! records for a list. One odd row is not a list.
//!
//! **Cost**: as many paths as for a single list are tried again for each further list, and only where one path is not enough.
//!
//! Known failure: a list of which the examples show one record is not told from an odd row.

use super::each::{Sets, fit};
use super::found::Found;
use super::paths::Path;
use super::records::{LEAST_REST, SMALLEST_REST, holds};
use oxpath::{Query, Value};
use page::{NodeId, Page};
use std::collections::BTreeMap;
use wrapper::profile::Spot;

/// The most lists of one page that are read by one rule.
const MOST_LISTS: usize = 4;
/// How much better a union must fit than a single path, from 0 to 1: as much as the smallest list is worth.
const GAIN: f64 = 0.5 / SMALLEST_REST as f64;
/// The most groups of records that paths are made from for one list.
const GROUPS: usize = 4;

/// A union of paths that fits the examples better than the best single one, which fits as well as `single`. `ways` makes paths to
/// records, the most trusted first.
pub(super) fn united(single: f64, sets: &Sets<'_>, ways: impl Fn(&Sets<'_>) -> Vec<(f64, Path)>) -> Option<String> {
    let all: usize = sets.iter().map(|(_, nodes)| nodes.len()).sum();
    let least = LEAST_REST.max(all.div_ceil(SMALLEST_REST));
    if single > 1.0 - GAIN {
        return None;
    }
    let mut rest = sets.clone();
    let mut chosen: Vec<String> = Vec::new();
    while chosen.len() < MOST_LISTS {
        let mut best: Option<(usize, f64, String)> = None;
        for group in groups(&rest) {
            for (trust, path) in ways(&group) {
                let count = Query::compile(&path.text)
                    .ok()
                    .and_then(|query| gain(&query, sets, &rest))
                    .unwrap_or(0);
                if count >= least
                    && best
                        .as_ref()
                        .is_none_or(|(most, trusted, _)| (count, trust) > (*most, *trusted))
                {
                    best = Some((count, trust, path.text));
                }
            }
        }
        let Some((_, _, path)) = best else { break };
        let query = Query::compile(&path).ok()?;
        for (page, nodes) in &mut rest {
            if let Ok(Value::Nodes(got)) = query.evaluate(page) {
                nodes.retain(|node| got.binary_search(node).is_err());
            }
        }
        chosen.push(path);
    }
    let union = chosen.join(" | ");
    let fits = fit(&Query::compile(&union).ok()?, sets);
    (chosen.len() > 1 && fits >= single + GAIN).then_some(union)
}

/// How many of the records that are left a path leads to; `None` if it also leads to something else, or to a single record of each
/// page, which is no list.
fn gain(query: &Query, sets: &Sets<'_>, rest: &Sets<'_>) -> Option<usize> {
    let (mut count, mut most) = (0, 0);
    for ((page, nodes), (_, left)) in sets.iter().zip(rest) {
        let Ok(Value::Nodes(got)) = query.evaluate(page) else {
            return None;
        };
        if got.iter().any(|node| nodes.binary_search(node).is_err()) {
            return None;
        }
        count += got.iter().filter(|node| left.binary_search(node).is_ok()).count();
        most = most.max(got.len());
    }
    (most >= LEAST_REST).then_some(count)
}

/// The records that paths are made from: all that are left, and those of each list of the first page that has some.
fn groups<'p>(rest: &Sets<'p>) -> Vec<Sets<'p>> {
    let mut groups = vec![rest.clone()];
    if let Some((page, nodes)) = rest.iter().find(|(_, nodes)| !nodes.is_empty()) {
        let mut lists = by_parent(page, nodes);
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        lists.truncate(GROUPS);
        groups.extend(lists.into_iter().map(|list| vec![(*page, list)]));
    }
    groups
}

/// Nodes by the element that they are in, in document order.
pub(super) fn by_parent(page: &Page, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut lists: BTreeMap<Option<NodeId>, Vec<NodeId>> = BTreeMap::new();
    for node in nodes {
        lists.entry(page.parent(*node)).or_default().push(*node);
    }
    lists.into_values().collect()
}

/// The element of a record whose list has no other example: `around` are the elements around its anchor, the smallest first. It is
/// the first that contains all values of the record and has a neighbour of the same shape, or else the largest.
pub(super) fn row(page: &Page, around: &[NodeId], spots: &[Vec<Vec<Spot>>]) -> Option<NodeId> {
    let values = spots.iter().flatten().filter_map(|spots| spots.first());
    let values: Vec<NodeId> = values.map(|spot| spot.node).collect();
    let holds_all = |up: &NodeId| values.len() > 1 && values.iter().all(|node| holds(page, *up, *node));
    let repeats = |up: &NodeId| {
        let shape = shape(page, *up);
        let mut others = page.parent(*up).into_iter().flat_map(|list| page.children(list));
        others.any(|other| other != *up && page.is_element(other) && self::shape(page, other) == shape)
    };
    let mut whole = around.iter().filter(|up| holds_all(up));
    whole.find(|up| repeats(up)).or(around.last()).copied()
}

/// The blocks of records, each as large as most of them: the only record of a group is not the whole group. Of two different ones the smaller
/// says what a record is, if the other record is in such an element, too. Looks are the names of elements around a block.
pub(super) fn alike(page: &Page, found: &Found, blocks: &mut [Option<NodeId>]) {
    let look = |node: NodeId| -> Vec<&str> {
        let up = std::iter::once(node).chain(page.ancestors(node));
        up.map(|up| page.name(up)).collect()
    };
    let mut looks: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for block in blocks.iter().flatten() {
        *looks.entry(look(*block)).or_default() += 1;
    }
    let most = looks.iter().max_by_key(|(_, count)| **count);
    let most = most.filter(|(_, count)| **count * 2 > blocks.len());
    let usual = match (most, blocks.len()) {
        (Some((usual, _)), _) => usual,
        (None, 2) => match looks.keys().max_by_key(|look| look.len()) {
            Some(smallest) => smallest,
            None => return,
        },
        _ => return,
    };
    for ((anchor, spots), block) in found.anchors.iter().zip(&found.spots).zip(blocks) {
        let (Some(anchor), Some(block)) = (anchor, block) else {
            continue;
        };
        let around: Vec<NodeId> = std::iter::once(*anchor).chain(page.ancestors(*anchor)).collect();
        // Only one element around the anchor is as deep as the usual block.
        let at = around.len().checked_sub(usual.len());
        let Some(smaller) = at.map(|at| around[at]) else {
            continue;
        };
        let mut values = spots.iter().flatten().filter_map(|spots| spots.first());
        let is_such = smaller != *block && page.is_element(smaller) && holds(page, *block, smaller);
        if is_such && look(smaller) == *usual && (most.is_some() || values.all(|spot| holds(page, smaller, spot.node)))
        {
            *block = smaller;
        }
    }
}

/// The most elements that a shape tells.
const SHAPE: usize = 64;

/// The names of an element and of those inside of it.
fn shape(page: &Page, node: NodeId) -> Vec<&str> {
    let inside = (node.0..page.end(node).0).map(NodeId);
    let elements = inside.filter(|node| page.is_element(*node)).take(SHAPE);
    elements.map(|node| page.name(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::learned;

    type Rows<'r> = &'r [(&'r str, &'r str)];

    fn table(id: &str, rows: Rows<'_>) -> String {
        let rows = rows
            .iter()
            .map(|(name, price)| format!("<tr><td>{name}</td><td>{price}</td></tr>"));
        format!("<table id={id}>{}</table>", rows.collect::<String>())
    }

    fn list(items: Rows<'_>) -> String {
        let items = items
            .iter()
            .map(|(name, price)| format!("<li><b>{name}</b> <i>{price}</i></li>"));
        format!("<ul>{}</ul>", items.collect::<String>())
    }

    const NEW: Rows<'_> = &[("Kelp", "4"), ("Moss", "5"), ("Reed", "6")];
    const OLD: Rows<'_> = &[("Fern", "7"), ("Ivy", "8"), ("Oak", "9")];

    fn records<'r>(lists: &[Rows<'r>]) -> Vec<Vec<&'r str>> {
        let rows = lists.iter().flat_map(|rows| rows.iter());
        rows.map(|(name, price)| vec![*name, *price]).collect()
    }

    fn check(first: &str, given: &[Rows<'_>], other: &str, expected: &[&str]) {
        let given = records(given);
        let given: Vec<&[&str]> = given.iter().map(Vec::as_slice).collect();
        assert_eq!(learned(&["name", "price"], first, &given, other), expected);
    }

    #[test]
    fn lists_that_look_different() {
        let page = |new: Rows<'_>, old: Rows<'_>| format!("<h2>New</h2>{}<h2>Old</h2>{}", table("t", new), list(old));
        let first = page(NEW, OLD);
        let other = page(&[("Ash", "14"), ("Elm", "15")], &[("Fir", "17")]);
        check(&first, &[NEW, OLD], &other, &["Ash|14", "Elm|15", "Fir|17"]);
        // Examples of one list are about this one.
        check(&first, &[NEW], &other, &["Ash|14", "Elm|15"]);
        check(&first, &[OLD], &other, &["Fir|17"]);
        // The first records of each.
        check(&first, &[&NEW[..1], &OLD[..1]], &other, &["Ash|14", "Elm|15", "Fir|17"]);
    }

    #[test]
    fn two_of_three_tables() {
        let page = |new: Rows<'_>, sold: Rows<'_>, old: Rows<'_>| {
            table("new", new) + "<p>Sold:</p>" + &table("sold", sold) + "<p>Old:</p>" + &table("old", old)
        };
        let first = page(NEW, &[("Gorse", "1"), ("Heath", "2")], OLD);
        let other = page(
            &[("Ash", "14")],
            &[("Yew", "3"), ("Box", "4")],
            &[("Fir", "17"), ("Elm", "15")],
        );
        check(&first, &[NEW, OLD], &other, &["Ash|14", "Fir|17", "Elm|15"]);
    }

    #[test]
    fn one_record_of_each_of_two_tables() {
        let page =
            |new: Rows<'_>, old: Rows<'_>| format!("<div>{}</div><div>{}</div>", table("a", new), table("b", old));
        let other = page(&[("Ash", "14"), ("Elm", "15")], &[("Fir", "17")]);
        check(
            &page(NEW, OLD),
            &[&NEW[..1], &OLD[..1]],
            &other,
            &["Ash|14", "Elm|15", "Fir|17"],
        );
    }

    /// A group with one record is not a record itself.
    #[test]
    fn a_group_of_one() {
        let group = |name: &str, rows: Rows<'_>| format!("<div><h5>{name}</h5>{}</div>", table("t", rows));
        let page = |new: Rows<'_>, one: Rows<'_>, other: Rows<'_>| {
            let all = group("New", new) + &group("One", one) + &group("Two", other);
            format!("<section><p>Lists:</p>{all}</section>")
        };
        let (one, two): (Rows<'_>, Rows<'_>) = (&[("Gorse", "1")], &[("Heath", "2")]);
        let other = page(&[("Ash", "14")], &[("Yew", "3"), ("Box", "4")], &[("Fir", "17")]);
        check(
            &page(NEW, one, two),
            &[NEW, one, two],
            &other,
            &["Ash|14", "Yew|3", "Box|4", "Fir|17"],
        );
    }

    /// Two examples, one of which is the only record of its row of cards.
    #[test]
    fn a_row_of_one_card() {
        let row = |cards: Rows<'_>| {
            let card = |(name, price): &(&str, &str)| {
                format!("<div class=col><div><h4>{name}</h4></div><div><p>{price}</p></div></div>")
            };
            format!("<div class=row>{}</div>", cards.iter().map(card).collect::<String>())
        };
        let page = |rows: &[Rows<'_>]| {
            format!(
                "<main>{}</main>",
                rows.iter().map(|cards| row(cards)).collect::<String>()
            )
        };
        let first = page(&[NEW, &[("Fern", "7")]]);
        let other = page(&[&[("Ash", "14"), ("Elm", "15")], &[("Fir", "17")]]);
        check(
            &first,
            &[&NEW[1..2], &[("Fern", "7")]],
            &other,
            &["Ash|14", "Elm|15", "Fir|17"],
        );
    }

    #[test]
    fn cards_stay_whole() {
        let card = |(name, price): &(&str, &str)| {
            format!("<div class=card><div><b>{name}</b></div><div><b>{price}</b></div></div>")
        };
        let page = |rows: Rows<'_>| rows.iter().map(card).collect::<String>();
        let other = page(&[("Ash", "14"), ("Elm", "15")]);
        check(&page(NEW), &[&NEW[..2]], &other, &["Ash|14", "Elm|15"]);
    }
}

//! The path to the records of a list: one that gives these nodes on the page, by what is likely to be on other pages too.
//!
//! What comes first is tried first: the class of the records, an `id` or a class of an element above them, the names of
//! the elements above, and at last the path from the root with positions. The first path that gives exactly the records is
//! taken. Some dozens of paths are evaluated at most.

use super::Candidate;
use super::heads::{COMPARED, Test};
use super::judge::{self, Looks, UNLIKE};
use super::sight::Sight;
use crate::guided::literal;
use oxpath::{Query, Value};
use page::{Kind, NodeId, Page};
use std::ops::Range;

/// How far above the records a path may begin.
const ABOVE: usize = 8;

/// The most records at the end of a long row that are left out.
const TAIL: usize = 8;

/// The nodes that a path gives on a page.
pub(super) fn evaluate(page: &Page, path: &str) -> Vec<NodeId> {
    match Query::compile(path).map(|query| query.evaluate(page)) {
        Ok(Ok(Value::Nodes(nodes))) => nodes,
        _ => Vec::new(),
    }
}

/// The path to the records of a candidate, and the records' first nodes.
pub(super) fn each(sight: &Sight<'_>, candidate: &Candidate) -> Option<(String, Vec<NodeId>)> {
    let page = sight.page;
    let items = &candidate.items;
    let firsts = candidate.firsts();
    let step = step(page, candidate);
    let steps = items.steps.iter().map(|name| format!("{}/", page.name_text(*name)));
    let inner = format!("{}{step}", steps.collect::<String>());
    // Of a long row only the beginning was compared.
    let firsts = match items.nodes.len() > COMPARED {
        false => firsts,
        true => {
            let path = format!("{}/{inner}", absolute(page, items.base));
            let first = firsts[0];
            let mut nodes = evaluate(page, &path);
            nodes.retain(|node| *node >= first);
            without_tail(sight, candidate, nodes)
        }
    };
    let mut tried = Vec::new();
    if let Some(class) = shared_class(page, &firsts) {
        tried.push(format!("//{}{class}", name(page, firsts[0])));
        tried.push(format!(
            "//{}{class}{}",
            name(page, firsts[0]),
            candidate.heads.test.predicate(page)
        ));
    }
    tried.extend(anchored(page, items.base, &inner));
    tried.push(format!("{}/{inner}", absolute(page, items.base)));
    if let Some(path) = tried.into_iter().find(|path| evaluate(page, path) == firsts) {
        return Some((path, firsts));
    }
    by_position(page, candidate, &firsts).map(|path| (path, firsts))
}

/// The records of a long row without those at its end that are unlike the ones that were compared.
fn without_tail(sight: &Sight<'_>, candidate: &Candidate, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    let items = &candidate.items;
    let looks = Looks::new(sight, items, 0..COMPARED);
    let heads: Vec<Range<usize>> = candidate
        .records
        .iter()
        .map(|record| record.start..record.start + 1)
        .collect();
    for _ in 0..TAIL {
        let Some(last) = nodes.last().filter(|_| nodes.len() > candidate.records.len()) else {
            break;
        };
        let Ok(at) = items.nodes.binary_search(last) else { break };
        let tail = Looks::new(sight, items, at..at + 1);
        if judge::likeness(&looks, &heads, &tail)[0] >= UNLIKE {
            break;
        }
        nodes.pop();
    }
    nodes
}

fn name(page: &Page, node: NodeId) -> &str {
    match page.kind(node) {
        Kind::Text => "text()",
        _ => page.name(node),
    }
}

/// The last step, with its test.
fn step(page: &Page, candidate: &Candidate) -> String {
    let first = candidate.items.nodes[candidate.records[0].start];
    let blank = match page.kind(first) {
        Kind::Text => "[normalize-space()]",
        _ => "",
    };
    format!("{}{blank}{}", name(page, first), candidate.heads.test.predicate(page))
}

/// A test for the class that all nodes have.
fn shared_class(page: &Page, nodes: &[NodeId]) -> Option<String> {
    let class = page.attribute_value(*nodes.first()?, "class")?;
    let has = |node: &NodeId| page.attribute_value(*node, "class");
    if nodes.iter().all(|node| has(node) == Some(class)) && !class.trim().is_empty() {
        return Some(format!("[@class={}]", literal(class)));
    }
    let shared = |token: &&str| {
        nodes
            .iter()
            .all(|node| has(node).is_some_and(|class| class.split_whitespace().any(|other| other == *token)))
    };
    let token = class.split_whitespace().find(shared)?;
    Some(Test::Class(token.to_owned()).predicate(page))
}

/// Paths from elements above that can be told from others.
fn anchored(page: &Page, base: NodeId, inner: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut plain = Vec::new();
    let mut rest = inner.to_owned();
    let above = std::iter::once(base).chain(page.ancestors(base));
    for element in above.filter(|node| page.is_element(*node)).take(ABOVE) {
        let tag = page.name(element);
        for attribute in ["id", "class"] {
            if let Some(value) = page.attribute_value(element, attribute)
                && !value.trim().is_empty()
                && value.len() <= 80
            {
                paths.push(format!("//{tag}[@{attribute}={}]/{rest}", literal(value)));
            }
        }
        rest = format!("{tag}/{rest}");
        plain.push(format!("//{rest}"));
    }
    // With fewer than two elements above, a path may give the items of other lists on other pages.
    paths.extend(plain);
    paths
}

/// The path from the root, with positions.
pub(super) fn absolute(page: &Page, node: NodeId) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let (Some(parent), true) = (page.parent(at), page.is_element(at)) {
        let alike = |other: &NodeId| page.name_of(*other) == page.name_of(at) && page.is_element(*other);
        let (mut place, mut count) = (0, 0);
        for other in page.children(parent).filter(alike) {
            count += 1;
            if other <= at {
                place = count;
            }
        }
        steps.push(match count {
            1 => page.name(at).to_owned(),
            _ => format!("{}[{place}]", page.name(at)),
        });
        at = parent;
    }
    steps.reverse();
    format!("/{}", steps.join("/"))
}

/// A path by the positions of the first and the last record among the items of the test.
fn by_position(page: &Page, candidate: &Candidate, firsts: &[NodeId]) -> Option<String> {
    let items = &candidate.items;
    let base = absolute(page, items.base);
    let steps = items.steps.iter().map(|name| page.name_text(*name).to_owned());
    let steps: Vec<String> = steps.chain([step(page, candidate)]).collect();
    let path = format!("{base}/{}", steps.join("/"));
    let all = evaluate(page, &path);
    let start = all.iter().position(|node| Some(node) == firsts.first())?;
    let end = all.iter().position(|node| Some(node) == firsts.last())? + 1;
    let low = if start > 0 {
        Some(format!("position() > {start}"))
    } else {
        None
    };
    let high = if end < all.len() {
        Some(format!("position() <= {end}"))
    } else {
        None
    };
    let bounds: Vec<String> = low.into_iter().chain(high).collect();
    let path = match items.is_flat() {
        true => format!("{path}[{}]", bounds.join(" and ")),
        false => format!("({path})[{}]", bounds.join(" and ")),
    };
    (evaluate(page, &path) == firsts).then_some(path)
}

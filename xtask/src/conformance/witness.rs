//! Finds real nodes that lead an expression to a result.
//!
//! A path of random steps mostly selects nothing, and then all implementations agree. So a path is made along a
//! witness: a node that the steps so far select, from which the next step leads to another existing node.

use crate::random::Random;
use page::{Kind, NodeId, Page};

/// Some node on an axis of another one.
pub(crate) fn reach(page: &Page, random: &mut Random, node: NodeId, axis: &str) -> Option<NodeId> {
    let among = |random: &mut Random, nodes: Vec<NodeId>| (!nodes.is_empty()).then(|| *random.pick(&nodes));
    match axis {
        "self" => Some(node),
        "parent" => page.parent(node),
        "child" => among(random, page.children(node).collect()),
        "attribute" => among(random, page.attributes(node).map(NodeId).collect()),
        "ancestor" => among(random, page.ancestors(node).collect()),
        "ancestor-or-self" => among(random, std::iter::once(node).chain(page.ancestors(node)).collect()),
        "following-sibling" => among(
            random,
            std::iter::successors(page.next_sibling(node), |n| page.next_sibling(*n))
                .take(5)
                .collect(),
        ),
        "preceding-sibling" => {
            let before = std::iter::successors(page.previous_sibling(node), |n| page.previous_sibling(*n));
            among(random, before.take(5).collect())
        }
        "descendant" => between(page, random, node.0 + 1, page.end(node).0),
        "descendant-or-self" if random.chance(15) => Some(node),
        "descendant-or-self" => between(page, random, node.0 + 1, page.end(node).0).or(Some(node)),
        "following" => between(page, random, page.end(node).0, page.len() as u32),
        "preceding" => between(page, random, 0, node.0).filter(|found| page.end(*found) <= node),
        _ => None,
    }
}

/// Some node in a range of ids that is not an attribute, if a few draws find one.
fn between(page: &Page, random: &mut Random, from: u32, to: u32) -> Option<NodeId> {
    let draw = |random: &mut Random| NodeId(from + random.below((to - from) as usize) as u32);
    (0..if from < to { 6 } else { 0 })
        .map(|_| draw(random))
        .find(|node| !page.is_attribute(*node))
}

/// A node test that a node passes; a name only if it means the same to both sides.
pub(crate) fn test_for(page: &Page, random: &mut Random, node: NodeId) -> String {
    let test = match page.kind(node) {
        _ if random.chance(8) => "node()",
        Kind::Text => "text()",
        Kind::Comment => "comment()",
        Kind::Document => "node()",
        Kind::Element | Kind::Attribute if random.chance(20) => "*",
        Kind::Element | Kind::Attribute => return name_test(page.name(node)).unwrap_or_else(|| "*".to_owned()),
    };
    test.to_owned()
}

/// A name that means the same to both sides: in lower case, since our names match without regard to case, and in ASCII.
pub(crate) fn name_test(name: &str) -> Option<String> {
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    (starts && name.bytes().all(is_plain)).then(|| name.to_owned())
}

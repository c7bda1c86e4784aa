//! One axis of all nodes at once: what each node finds along it.
//!
//! *Idea.* Give every node of a page a weight: whether it is wanted, how many ways lead on from it, its number. Then ask
//! for every node what the weights along one of its axes come to. Because nodes are stored in document order with the
//! ends of their subtrees, one pass over the page answers this for all nodes, whatever the axis:
//!
//! | axis | pass |
//! |---|---|
//! | child, attribute | each node adds to its parent |
//! | descendant | the same from the last node to the first, with what the node has collected itself |
//! | ancestor | from the first to the last: the parent's answer and the parent |
//! | following | sums from the end of the page; a node takes the sum at the end of its subtree |
//! | preceding | the nodes before `n` without its ancestors are those whose subtree ends at or before `n`: each adds to its end, sums from the start |
//! | siblings | a running sum for each parent |
//!
//! No pass subtracts, so any weight with an associative and commutative sum will do: *or*, *plus*, *minimum*, *maximum*.
//!
//! *Cost.* Time and memory linear in the page, for each step of a path.

use crate::plan::Axis;
use page::{NodeId, Page};

/// What is summed along an axis.
pub(super) trait Weight: Copy {
    /// The sum of nothing.
    const NONE: Self;
    /// The sum of two: associative and commutative.
    fn plus(self, other: Self, page: &Page) -> Self;
}

impl Weight for bool {
    const NONE: bool = false;
    fn plus(self, other: bool, _: &Page) -> bool {
        self | other
    }
}

impl Weight for u64 {
    const NONE: u64 = 0;
    fn plus(self, other: u64, _: &Page) -> u64 {
        self.saturating_add(other)
    }
}

/// The first of the nodes.
#[derive(Clone, Copy)]
pub(super) struct First(pub(super) u32);

impl Weight for First {
    const NONE: First = First(u32::MAX);
    fn plus(self, other: First, _: &Page) -> First {
        First(self.0.min(other.0))
    }
}

/// The least and the greatest number; NaN if there is no number.
#[derive(Clone, Copy)]
pub(super) struct Extremes(pub(super) f64, pub(super) f64);

impl Weight for Extremes {
    const NONE: Extremes = Extremes(f64::NAN, f64::NAN);
    // `min` and `max` ignore NaN.
    fn plus(self, other: Extremes, _: &Page) -> Extremes {
        Extremes(self.0.min(other.0), self.1.max(other.1))
    }
}

/// A sum of whole numbers.
#[derive(Clone, Copy)]
pub(super) struct Total {
    pub(super) sum: i64,
    /// Is something not a number?
    pub(super) nan: bool,
    /// Is a number not whole, so that its sums depend on the order?
    pub(super) odd: bool,
}

impl Weight for Total {
    const NONE: Total = Total {
        sum: 0,
        nan: false,
        odd: false,
    };
    fn plus(self, other: Total, _: &Page) -> Total {
        Total {
            sum: self.sum.saturating_add(other.sum),
            nan: self.nan | other.nan,
            odd: self.odd | other.odd,
        }
    }
}

/// Have all nodes the same string-value?
#[derive(Clone, Copy)]
pub(super) enum Values {
    None,
    /// That of this node.
    One(NodeId),
    Many,
}

impl Weight for Values {
    const NONE: Values = Values::None;
    fn plus(self, other: Values, page: &Page) -> Values {
        match (self, other) {
            (Values::None, only) | (only, Values::None) => only,
            (Values::One(a), Values::One(b)) if page.string_value(a) == page.string_value(b) => self,
            _ => Values::Many,
        }
    }
}

/// For each node of the page, the sum of the weights along an axis.
pub(super) fn gather<W: Weight>(page: &Page, axis: Axis, from: &[W]) -> Vec<W> {
    let all = (0..page.len() as u32).map(NodeId);
    let mut out = vec![W::NONE; page.len()];
    // An attribute is on no axis but its own and those that include the context node.
    let inner = |node: &NodeId| !page.is_attribute(*node);
    let add = |sum: &mut W, weight: W| *sum = sum.plus(weight, page);
    match axis {
        Axis::Self_ => out.copy_from_slice(from),
        Axis::Parent => {
            for node in all {
                if let Some(parent) = page.parent(node) {
                    out[node.index()] = from[parent.index()];
                }
            }
        }
        Axis::Child => {
            for node in all.filter(inner) {
                if let Some(parent) = page.parent(node) {
                    add(&mut out[parent.index()], from[node.index()]);
                }
            }
        }
        Axis::Attribute | Axis::Style => {
            let style = axis == Axis::Style;
            for node in all.filter(|node| page.is_attribute(*node) && page.is_style(*node) == style) {
                if let Some(parent) = page.parent(node) {
                    add(&mut out[parent.index()], from[node.index()]);
                }
            }
        }
        Axis::Descendant | Axis::DescendantOrSelf => {
            for node in all.clone().rev().filter(inner) {
                if let Some(parent) = page.parent(node) {
                    let below = from[node.index()].plus(out[node.index()], page);
                    add(&mut out[parent.index()], below);
                }
            }
            if axis == Axis::DescendantOrSelf {
                all.for_each(|node| add(&mut out[node.index()], from[node.index()]));
            }
        }
        Axis::Ancestor | Axis::AncestorOrSelf => {
            for node in all.clone() {
                if let Some(parent) = page.parent(node) {
                    out[node.index()] = from[parent.index()].plus(out[parent.index()], page);
                }
            }
            if axis == Axis::AncestorOrSelf {
                all.for_each(|node| add(&mut out[node.index()], from[node.index()]));
            }
        }
        Axis::Following => {
            let mut sums = vec![W::NONE; page.len() + 1];
            for node in all.clone().rev() {
                sums[node.index()] = sums[node.index() + 1];
                if inner(&node) {
                    add(&mut sums[node.index()], from[node.index()]);
                }
            }
            all.for_each(|node| out[node.index()] = sums[page.end(node).index()]);
        }
        Axis::Preceding => {
            let mut sums = vec![W::NONE; page.len() + 1];
            for node in all.clone().filter(inner) {
                add(&mut sums[page.end(node).index()], from[node.index()]);
            }
            let mut sum = W::NONE;
            for node in all {
                add(&mut sum, sums[node.index()]);
                out[node.index()] = sum;
            }
        }
        Axis::FollowingSibling => siblings(page, from, all.rev(), &mut out),
        Axis::PrecedingSibling => siblings(page, from, all, &mut out),
        Axis::Namespace => {}
    }
    out
}

fn siblings<W: Weight>(page: &Page, from: &[W], order: impl Iterator<Item = NodeId>, out: &mut [W]) {
    let mut sums = vec![W::NONE; page.len()];
    for node in order.filter(|node| !page.is_attribute(*node)) {
        if let Some(parent) = page.parent(node) {
            let sum = &mut sums[parent.index()];
            out[node.index()] = *sum;
            *sum = sum.plus(from[node.index()], page);
        }
    }
}

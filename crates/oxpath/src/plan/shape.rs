//! Which paths can be walked depth first: see [`Path::walkable`](super::Path::walkable).

use super::{Axis, Start, Step, Walk};

/// How a path can be walked.
pub(super) struct Shape {
    pub(super) walkable: bool,
    pub(super) ordered: bool,
}

/// The relative positions of the nodes that a walk has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// At most one node.
    Single,
    /// In document order, none below another.
    Disjoint,
    /// None below another.
    Apart,
    /// Each below the next.
    Chain,
    /// Each once.
    Distinct,
}

/// The walk recurses with each step, so longer paths are evaluated set at a time.
const MOST_WALKED: usize = 8;

/// Walks nest as predicates do; in predicates nested deeper than this, only single steps are walked.
const DEEPEST_WALK: usize = 8;

/// Can the steps be walked depth first, node by node, without visiting a node twice, and in document order? `depth` is
/// the number of predicates around the path.
pub(super) fn shape(start: &Start, steps: &[Step], depth: usize) -> Shape {
    let mut lie = match start {
        Start::Context | Start::Root => Lie::Single,
        Start::Nodes(_) => {
            return Shape {
                walkable: false,
                ordered: false,
            };
        }
    };
    if steps.len() > if depth < DEEPEST_WALK { MOST_WALKED } else { 1 } {
        return Shape {
            walkable: false,
            ordered: false,
        };
    }
    let mut ordered = true;
    for step in steps {
        if step.walk == Walk::Grouped || step.detour.is_some() {
            return Shape {
                walkable: false,
                ordered: false,
            };
        }
        let picks_one = super::rewrite::picks_one(step);
        ordered &= lie != Lie::Distinct || step.axis == Axis::Self_;
        lie = match (lie, step.axis) {
            (lie, Axis::Self_) => lie,
            (Lie::Single, _) if picks_one => Lie::Single,
            (Lie::Single, Axis::Parent) => Lie::Single,
            (Lie::Single, Axis::Attribute | Axis::Child | Axis::FollowingSibling) => Lie::Disjoint,
            (Lie::Single, Axis::PrecedingSibling) => {
                ordered = false;
                Lie::Apart
            }
            (Lie::Single, Axis::Ancestor | Axis::AncestorOrSelf) => {
                ordered = false;
                Lie::Chain
            }
            (Lie::Single, _) => {
                ordered &= step.axis != Axis::Preceding;
                Lie::Distinct
            }
            (Lie::Disjoint, Axis::Child | Axis::Attribute) => Lie::Disjoint,
            (Lie::Disjoint, Axis::Descendant | Axis::DescendantOrSelf) => Lie::Distinct,
            (Lie::Apart, Axis::Child | Axis::Attribute) => Lie::Apart,
            (Lie::Apart, Axis::Descendant | Axis::DescendantOrSelf) => Lie::Distinct,
            // The siblings of a node are below its ancestors and not below the siblings of these.
            (Lie::Chain, Axis::FollowingSibling | Axis::PrecedingSibling) => Lie::Apart,
            (Lie::Chain | Lie::Distinct, Axis::Child | Axis::Attribute) => Lie::Distinct,
            _ => {
                return Shape {
                    walkable: false,
                    ordered: false,
                };
            }
        };
    }
    Shape {
        walkable: true,
        ordered,
    }
}

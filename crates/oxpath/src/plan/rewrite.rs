//! Paths in a form that can be answered for many nodes at once, and which of them are worth it.
//!
//! - `(following::a)[1]` is `following::a[1]`, and `(preceding::a)[last()]` is `preceding::a[1]`: the positions of a
//!   filter count in document order, which from one node is the order of a forward axis and the reverse of the others.
//! - `preceding::a[p] | preceding::b` is `preceding::*[self::a[p] or self::b]`, whose nodes can be counted.
//! - To ask whether `x[position() > 3]` exists is to ask for `x[4]`.

use super::shape::shape;
use super::{Axis, Nodes, Path, Predicate, Start, Step, Test, Truth, Walk};

/// The nodes of a base that pass predicates, whose positions count in document order.
pub(super) fn filter(base: Nodes, predicates: Vec<Predicate>, depth: usize) -> Nodes {
    let fits = |nodes: &Nodes| match nodes {
        Nodes::Path(path) => single_step(path).is_some_and(|step| match step.axis {
            Axis::Child | Axis::Descendant | Axis::Following | Axis::FollowingSibling => true,
            axis if is_reverse(axis) => {
                matches!(
                    predicates[..],
                    [Predicate::Nth(_) | Predicate::Last | Predicate::FromEnd(_), ..]
                )
            }
            _ => false,
        }),
        _ => false,
    };
    if !fits(&base) {
        return Nodes::Filter {
            base: Box::new(base),
            predicates,
        };
    }
    let Nodes::Path(mut path) = base else { return base };
    for step in &mut path.steps {
        let before = step.predicates.len();
        step.predicates.extend_from_slice(&predicates);
        if is_reverse(step.axis) {
            // At most one node is left for the predicates after it.
            step.predicates[before] = match &predicates[0] {
                Predicate::Last => Predicate::Nth(1),
                Predicate::FromEnd(n) => Predicate::Nth(n + 1),
                Predicate::Nth(n) if *n > 1 => Predicate::FromEnd(n - 1),
                _ => Predicate::Last,
            };
        }
        if step.predicates.iter().any(|predicate| !is_filter(predicate)) {
            step.walk = Walk::Each;
        }
    }
    reshaped(path, depth)
}

/// The nodes of all operands. `slots` gives a path its slots.
pub(super) fn union(operands: Vec<Nodes>, depth: usize, mut slots: impl FnMut(Nodes) -> Nodes) -> Nodes {
    // The operands of one axis together, in the place of the first.
    let mut groups: Vec<Vec<Nodes>> = Vec::with_capacity(operands.len());
    let mut places: Vec<(Axis, usize)> = Vec::new();
    for operand in operands {
        let axis = axis_of(&operand);
        let place = places.iter().find(|(other, _)| Some(*other) == axis);
        match place {
            Some((_, at)) => groups[*at].push(operand),
            None => {
                places.extend(axis.map(|axis| (axis, groups.len())));
                groups.push(vec![operand]);
            }
        }
    }
    let mut merged: Vec<Nodes> = groups.into_iter().map(|group| together(group, depth)).collect();
    if merged.len() == 1 {
        return merged.swap_remove(0);
    }
    let merged: Vec<Nodes> = merged.into_iter().map(&mut slots).collect();
    // From one node, nodes in different directions are different.
    let sides: Option<Vec<u8>> = merged.iter().map(|nodes| axis_of(nodes).map(sides)).collect();
    match sides {
        Some(sides) if sides.iter().map(|side| side.count_ones()).sum::<u32>() == union_of(&sides).count_ones() => {
            Nodes::Disjoint(merged)
        }
        _ => Nodes::Union(merged),
    }
}

fn union_of(sides: &[u8]) -> u8 {
    sides.iter().fold(0, |all, side| all | side)
}

/// The directions of an axis, a bit each.
fn sides(axis: Axis) -> u8 {
    match axis {
        Axis::Self_ => 1,
        Axis::Ancestor | Axis::Parent => 2,
        Axis::Descendant | Axis::Child => 4,
        Axis::Following | Axis::FollowingSibling => 8,
        Axis::Preceding | Axis::PrecedingSibling => 16,
        Axis::AncestorOrSelf => 1 | 2,
        Axis::DescendantOrSelf => 1 | 4,
        Axis::Attribute => 32,
        Axis::Style => 64,
        Axis::Namespace => 0,
    }
}

/// The axis of a path with one step and no positions.
fn axis_of(nodes: &Nodes) -> Option<Axis> {
    match nodes {
        Nodes::Path(path) => single_step(path).map(|step| step.axis),
        _ => None,
    }
}

/// Single steps along one axis as one.
fn together(mut operands: Vec<Nodes>, depth: usize) -> Nodes {
    if operands.len() == 1 {
        return operands.swap_remove(0);
    }
    let mut steps: Vec<Step> = Vec::with_capacity(operands.len());
    for nodes in operands {
        if let Nodes::Path(path) = nodes {
            steps.extend(path.steps);
        }
    }
    let axis = steps.first().map_or(Axis::Self_, |step| step.axis);
    let elements = |step: &Step| matches!(step.test, Test::AnyElement | Test::Element(_) | Test::ElementPrefix(_));
    let attributes = |step: &Step| {
        matches!(
            step.test,
            Test::AnyAttribute | Test::Attribute(_) | Test::AttributePrefix(_)
        )
    };
    let test = match () {
        () if steps.iter().all(elements) => Test::AnyElement,
        () if steps.iter().all(attributes) => Test::AnyAttribute,
        () if axis == Axis::Style => Test::AnyStyle,
        () => Test::Node,
    };
    let alternative = |step: Step| {
        let conditions = step.predicates.into_iter().filter_map(|predicate| match predicate {
            Predicate::Filter(truth) => Some(truth),
            _ => None,
        });
        Truth::All(std::iter::once(Truth::Is(step.test)).chain(conditions).collect())
    };
    let any = Truth::Any(steps.into_iter().map(alternative).collect());
    let path = Path {
        start: Start::Context,
        steps: vec![Step {
            axis,
            detour: None,
            test,
            predicates: vec![Predicate::Filter(any)],
            walk: Walk::Set,
            list: None,
        }],
        walkable: true,
        ordered: true,
        table: None,
    };
    reshaped(path, depth)
}

/// Nodes that exist whenever these do.
pub(super) fn existence(nodes: Nodes, depth: usize) -> Nodes {
    let Nodes::Path(mut path) = nodes else { return nodes };
    match path.steps.last_mut().and_then(|step| step.predicates.last_mut()) {
        Some(last @ Predicate::Between(..)) => {
            if let Predicate::Between(from, to) = *last
                && from <= to
            {
                *last = Predicate::Nth(from);
            }
        }
        _ => return Nodes::Path(path),
    }
    reshaped(path, depth)
}

fn reshaped(path: Path, depth: usize) -> Nodes {
    let shape = shape(&path.start, &path.steps, depth);
    Nodes::Path(Path {
        walkable: shape.walkable,
        ordered: shape.ordered,
        table: None,
        ..path
    })
}

/// The only step of a path from the context node, if no predicate of it depends on a position.
fn single_step(path: &Path) -> Option<&Step> {
    match (&path.start, &path.steps[..]) {
        (Start::Context, [step]) if step.detour.is_none() && step.predicates.iter().all(is_filter) => Some(step),
        _ => None,
    }
}

fn is_filter(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Filter(_))
}

fn is_reverse(axis: Axis) -> bool {
    matches!(
        axis,
        Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling
    )
}

/// Does a step lead from one node to at most one, by the first predicate that depends on a position?
pub(super) fn picks_one(step: &Step) -> bool {
    let first = step.predicates.iter().find(|predicate| !is_filter(predicate));
    matches!(first, Some(Predicate::Nth(_) | Predicate::Last | Predicate::FromEnd(_)))
}

/// Is a table of the answers for all nodes possible, and may it be better than walks from each?
pub(super) fn wants_table(path: &Path) -> bool {
    let possible = |step: &Step| {
        step.detour.is_none()
            && (step.walk != Walk::Each || matches!(step.axis, Axis::Child | Axis::Attribute) || picks_one(step))
    };
    // Walks that only go up, or only down to children, take linear time for all nodes together.
    let all = |axes: &[Axis]| path.steps.iter().all(|step| axes.contains(&step.axis));
    matches!(path.start, Start::Context)
        && path.steps.iter().all(possible)
        && !all(&[Axis::Self_, Axis::Attribute, Axis::Style, Axis::Parent])
        && !all(&[Axis::Self_, Axis::Attribute, Axis::Style, Axis::Child])
}

/// May a list of the nodes that pass the first predicates be better than walks along the axis?
pub(super) fn wants_list(step: &Step) -> bool {
    let first = step.predicates.iter().find(|predicate| !is_filter(predicate));
    step.walk == Walk::Each
        && step.detour.is_none()
        && first.is_some()
        && matches!(
            step.axis,
            Axis::Child
                | Axis::Descendant
                | Axis::Following
                | Axis::FollowingSibling
                | Axis::Preceding
                | Axis::PrecedingSibling
        )
}

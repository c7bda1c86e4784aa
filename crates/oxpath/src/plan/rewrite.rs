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
            axis if is_reverse(axis) => matches!(predicates[..], [Predicate::Nth(1) | Predicate::Last, ..]),
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
            step.predicates[before] = match &predicates[0] {
                Predicate::Last => Predicate::Nth(1),
                _ => Predicate::Last,
            };
        }
        if step.predicates.iter().any(|predicate| !is_filter(predicate)) {
            step.walk = Walk::Each;
        }
    }
    reshaped(path, depth)
}

/// The nodes of all operands.
pub(super) fn union(operands: Vec<Nodes>, depth: usize) -> Nodes {
    let step = |nodes: &Nodes| match nodes {
        Nodes::Path(path) => single_step(path).cloned(),
        _ => None,
    };
    let steps: Option<Vec<Step>> = operands.iter().map(step).collect();
    let Some(steps) = steps.filter(|steps| steps.len() > 1 && steps.iter().all(|step| step.axis == steps[0].axis))
    else {
        return Nodes::Union(operands);
    };
    if matches!(steps[0].axis, Axis::Attribute | Axis::Style | Axis::Namespace) {
        return Nodes::Union(operands);
    }
    let axis = steps[0].axis;
    let elements = |step: &Step| matches!(step.test, Test::AnyElement | Test::Element(_) | Test::ElementPrefix(_));
    let test = match steps.iter().all(elements) {
        true => Test::AnyElement,
        false => Test::Node,
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
        && matches!(
            first,
            Some(Predicate::Nth(_) | Predicate::Last | Predicate::FromEnd(_) | Predicate::Between(..))
        )
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

//! What the machine works on: context tuples, what is left to do for each, and the stacks they wait on.

use super::news::News;
use super::output::OutputId;
use super::program::{Condition, Mark, Op, Test};
use super::scope::{Been, Scope};
use crate::plan::{Nodes, Truth};
use page::NodeId;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A context tuple.
#[derive(Clone)]
pub(super) struct Tuple<'s> {
    pub(super) scope: Rc<Scope>,
    pub(super) node: NodeId,
    pub(super) parent: OutputId,
    pub(super) last: OutputId,
    /// The simple operations since the page was new, the last one first.
    pub(super) trail: Option<Rc<Trail<'s>>>,
    /// The station it came from, in a predicate.
    pub(super) way: usize,
    /// What the repetition that it comes from has given, until the next walk.
    pub(super) news: Option<Rc<RefCell<News>>>,
}

pub(super) struct Trail<'s> {
    pub(super) taken: Taken<'s>,
    pub(super) before: Option<Rc<Trail<'s>>>,
}

#[derive(Clone, Copy)]
pub(super) enum Taken<'s> {
    Walk(&'s Nodes),
    Test(&'s Truth),
}

impl Drop for Trail<'_> {
    /// A long trail must not be dropped by recursion.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(trail) = before {
            before = Rc::into_inner(trail).and_then(|mut trail| trail.before.take());
        }
    }
}

/// What is left to do for a tuple, as a list.
#[derive(Clone)]
pub(super) struct Rest<'s>(pub(super) Option<Rc<RestNode<'s>>>);

pub(super) struct RestNode<'s> {
    pub(super) todo: Todo<'s>,
    pub(super) then: Rest<'s>,
}

#[derive(Clone)]
pub(super) enum Todo<'s> {
    Ops(&'s [Op]),
    Round(Round<'s>),
    /// The next round, if the last one gave something new.
    Again(Again<'s>),
}

/// A repetition between two rounds.
#[derive(Clone)]
pub(super) struct Again<'s> {
    /// The repetition as it is on the present page.
    pub(super) now: Round<'s>,
    /// What it is after the next round.
    pub(super) next: Round<'s>,
    /// Has the last round led to another state? Then it ends if that has nothing new.
    pub(super) is_new: bool,
}

/// A repetition after `done` rounds.
#[derive(Clone)]
pub(super) struct Round<'s> {
    pub(super) id: usize,
    pub(super) body: &'s [Vec<Op>],
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    pub(super) done: u32,
    /// The page it is on, how many it was on before, and which.
    pub(super) on: u64,
    pub(super) deep: usize,
    pub(super) been: Rc<RefCell<Been>>,
    /// What it has given on the states of a page.
    pub(super) news: Rc<RefCell<News>>,
    pub(super) ends: Ends,
}

impl Round<'_> {
    /// Has the repetition been on this page?
    pub(super) fn is_back(&self, scope: &Scope) -> bool {
        scope.number != self.on && self.been.borrow().places.contains(&scope.place())
    }

    /// Is it taken exactly once? Then it is only a group.
    pub(super) fn is_group(&self) -> bool {
        self.max == Some(1)
    }

    /// May the repetition end here? May it go on?
    pub(super) fn may_end(&self) -> bool {
        self.done >= self.min
    }

    pub(super) fn may_go_on(&self) -> bool {
        self.max.is_none_or(|max| self.done < max)
    }
}

/// Output nodes that end with a repetition, where a tuple may come to a marker again in another round.
pub(super) type Ends = Option<Rc<RefCell<Vec<OutputId>>>>;

/// What waits on a stack.
pub(super) enum Frame<'s> {
    Tuple(Rest<'s>, Tuple<'s>),
    /// The same for several nodes of one page, and how many of them were looked at ahead.
    Nodes(Rest<'s>, Tuple<'s>, std::vec::IntoIter<NodeId>, usize),
    /// An output node that gets no more children once this is reached.
    End(OutputId),
    /// The same for all of a repetition.
    Ends(Rc<RefCell<Vec<OutputId>>>),
    /// A predicate that is being evaluated; the stacks above are about its parts.
    Testing(Box<Testing<'s>>),
    /// A choice by position; the stack above finds what to choose from.
    Choosing(Box<Choosing<'s>>),
}

/// What one sequence of operations has still to do. Stacks nest: a predicate, or a choice by position, has a stack of its
/// own above the one it belongs to.
pub(super) struct Stack<'s> {
    pub(super) frames: Vec<Frame<'s>>,
    pub(super) purpose: Purpose<'s>,
}

/// What the tuples that come through are wanted for.
pub(super) enum Purpose<'s> {
    /// For nothing: a branch of the program.
    Branch,
    /// To know whether there are any: a path in a predicate.
    Exists(Rc<Cell<bool>>),
    /// To choose from them.
    Collect(Collected<'s>),
}

/// Tuples to choose from, and the output nodes that stay open for what is chosen.
#[derive(Default)]
pub(super) struct Collected<'s> {
    pub(super) tuples: Vec<Tuple<'s>>,
    pub(super) ends: Vec<OutputId>,
}

/// A predicate that is being evaluated. All parts of its condition are, because all may extract.
pub(super) struct Testing<'s> {
    pub(super) test: &'s Test,
    /// The tuple inside the predicate: its parent is the last record before.
    pub(super) inside: Tuple<'s>,
    /// The simple conditions and paths that are still to be evaluated.
    pub(super) parts: std::vec::IntoIter<&'s Condition>,
    /// What the others came to.
    pub(super) answers: Vec<bool>,
    pub(super) after: After<'s>,
}

/// What comes after a predicate.
pub(super) enum After<'s> {
    /// The operations after it.
    Step(Rest<'s>, Tuple<'s>),
    /// The other predicates of a marker.
    Mark(Marking<'s>),
}

/// A record whose predicates are being evaluated.
pub(super) struct Marking<'s> {
    pub(super) mark: &'s Mark,
    /// How many of its predicates hold so far.
    pub(super) passed: usize,
    pub(super) rest: Rest<'s>,
    /// The tuple after the marker.
    pub(super) next: Tuple<'s>,
    pub(super) id: OutputId,
    /// Was it extracted before?
    pub(super) known: bool,
    /// How many branches had failed when the marker was reached.
    pub(super) failures: usize,
}

/// A choice by position.
pub(super) struct Choosing<'s> {
    pub(super) position: &'s Truth,
    pub(super) rest: Rest<'s>,
    pub(super) collected: Collected<'s>,
}

/// A tuple at an operation: what becomes of it depends on nothing else.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Station {
    pub(super) op: usize,
    pub(super) node: NodeId,
    pub(super) parent: OutputId,
    pub(super) last: OutputId,
    /// The rounds done in each repetition around the operation.
    pub(super) rounds: Vec<u32>,
}

/// What is known of a tuple that came to an operation.
pub(super) struct Seen {
    /// Did it, or what became of it, come through the program?
    pub(super) through: Rc<Cell<bool>>,
    /// The run it was seen in, and its number there.
    pub(super) run: u64,
    pub(super) way: usize,
}

/// The ways through a predicate: which stations lead to which. A station that another run of the same predicate comes to
/// is not taken again, so it must be known whether it leads through.
pub(super) struct Ways {
    pub(super) run: u64,
    /// For each station, whether it leads through and the stations that lead to it.
    pub(super) stations: Vec<(Rc<Cell<bool>>, Vec<usize>)>,
}

impl Ways {
    /// Notes that the station, and every station that leads to it, leads through.
    pub(super) fn through(&mut self, station: usize) {
        let mut open = vec![station];
        while let Some(station) = open.pop() {
            if let Some((through, from)) = self.stations.get_mut(station)
                && !through.replace(true)
            {
                open.append(from);
            }
        }
    }
}

impl<'s> Rest<'s> {
    /// Will what is done now be done again, on other pages?
    pub(super) fn is_repeated(&self) -> bool {
        let mut at = &self.0;
        while let Some(node) = at {
            if matches!(&node.todo, Todo::Round(round) if round.max != Some(1)) {
                return true;
            }
            at = &node.then.0;
        }
        false
    }

    /// What ends with the outermost repetition that counts its rounds.
    pub(super) fn ends(&self) -> Ends {
        let mut outermost = None;
        let mut at = &self.0;
        while let Some(node) = at {
            if let Todo::Round(Round { ends: Some(ends), .. }) = &node.todo {
                outermost = Some(Rc::clone(ends));
            }
            at = &node.then.0;
        }
        outermost
    }

    /// The rounds done in each repetition that waits.
    pub(super) fn rounds(&self) -> Vec<u32> {
        let mut rounds = Vec::new();
        let mut at = &self.0;
        while let Some(node) = at {
            if let Todo::Round(round) = &node.todo {
                rounds.push(round.done);
            }
            at = &node.then.0;
        }
        rounds
    }

    pub(super) fn before(&self, todo: Todo<'s>) -> Rest<'s> {
        Rest(Some(Rc::new(RestNode {
            todo,
            then: self.clone(),
        })))
    }
}

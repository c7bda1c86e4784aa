//! The machine: context tuples on explicit stacks.
//!
//! [`Machine::next_event`] takes one frame after the other from the innermost stack until there is something to tell. A
//! predicate does not recurse: it leaves a frame with what it knows so far ([`Testing`]) and opens a stack for its path;
//! when that stack is empty, its answer is written into the frame below. A choice by position works alike. So a run can
//! stop between any two frames, however deeply its predicates nest.

use super::act::Deed;
use super::ahead::{Ahead, Hands};
use super::failure::Failure;
use super::frame::{
    After, Choosing, Collected, Frame, Marking, Purpose, Rest, Round, Seen, Stack, Station, Taken, Testing, Todo,
    Trail, Tuple, Ways,
};
use super::options::{RunOptions, Stop};
use super::output::{Output, OutputId};
use super::program::{Condition, Mark, Op, Program, Test};
use super::progress::Event;
use super::scope::{Been, PageCount, Scope};
use super::summary::{Ended, RunSummary};
use super::workers::Task;
use crate::eval::Evaluator;
use crate::plan::{Nodes, Shared, Text, Truth};
use page::NodeId;
use page::driver::{Foresight, Live};
use record::Record;
use std::cell::{Cell, RefCell};
use std::collections::hash_map::Entry;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

pub(super) struct Machine<'s, 'd> {
    pub(super) hands: Hands<'d>,
    pub(super) ahead: Ahead<'s>,
    pub(super) options: RunOptions,
    shared: &'s Shared,
    pub(super) output: Output,
    pages: Rc<PageCount>,
    /// Where `{nextclick}` has been.
    pub(super) clicked: HashSet<Arc<str>>,
    /// For each predicate that is being evaluated, the innermost last.
    ways: Vec<Ways>,
    runs: u64,
    pub(super) summary: RunSummary,
    /// Nothing more is done; only what was begun is ended.
    pub(super) stop: bool,
    /// The run stops with the record that is being made.
    pub(super) last_record: bool,
    /// Where each branch starts; none once all have.
    start: Option<Tuple<'s>>,
    branches: std::slice::Iter<'s, Vec<Op>>,
    /// What is being done, the innermost last.
    stacks: Vec<Stack<'s>>,
    /// A stack to be put above the present one.
    entered: Option<Stack<'s>>,
    /// What happened and was not yet told.
    pub(super) events: VecDeque<Event>,
}

impl<'s, 'd> Machine<'s, 'd> {
    pub(super) fn new(program: &'s Program, hands: Hands<'d>, page: Live, options: RunOptions) -> Machine<'s, 'd> {
        let pages = Rc::new(PageCount::default());
        let start = Tuple {
            scope: Rc::new(Scope::new(page, 0, false, &program.shared, &pages)),
            node: NodeId::DOCUMENT,
            parent: OutputId::ROOT,
            last: OutputId::ROOT,
            trail: None,
            way: 0,
        };
        Machine {
            hands,
            ahead: Ahead::default(),
            options,
            shared: &program.shared,
            output: Output::default(),
            pages,
            clicked: HashSet::new(),
            ways: Vec::new(),
            runs: 0,
            summary: RunSummary::default(),
            stop: false,
            last_record: false,
            start: Some(start),
            branches: program.branches.iter(),
            stacks: Vec::new(),
            entered: None,
            events: VecDeque::new(),
        }
    }

    /// What the run did so far.
    pub(super) fn summary(&self) -> RunSummary {
        RunSummary {
            most_pages: self.pages.most.get(),
            ..self.summary.clone()
        }
    }

    /// Forgets all that is left to do and to tell.
    pub(super) fn abandon(&mut self) {
        self.events.clear();
        self.stacks.clear();
        self.ways.clear();
        self.start = None;
    }
}

impl<'s> Machine<'s, '_> {
    /// Works until something happens; none once the run is over.
    pub(super) fn next_event(&mut self) -> Option<Event> {
        while self.events.is_empty() {
            let Some(mut stack) = self.stacks.pop() else {
                let (Some(start), Some(branch)) = (&self.start, self.branches.next()) else {
                    self.start = None;
                    return None;
                };
                let rest = Rest(None).before(Todo::Ops(branch));
                self.stacks.push(Stack {
                    frames: vec![Frame::Tuple(rest, start.clone())],
                    purpose: Purpose::Branch,
                });
                continue;
            };
            self.run_stack(&mut stack);
            match self.entered.take() {
                Some(inner) => self.stacks.extend([stack, inner]),
                None if stack.frames.is_empty() => self.leave(stack.purpose),
                None => self.stacks.push(stack),
            }
        }
        self.events.pop_front()
    }

    /// Hands what a finished stack came to to the frame that waits for it.
    fn leave(&mut self, purpose: Purpose<'s>) {
        let waiting = self.stacks.last_mut().and_then(|stack| stack.frames.last_mut());
        match (purpose, waiting) {
            (Purpose::Exists(through), Some(Frame::Testing(testing))) => {
                self.ways.pop();
                testing.answers.push(through.get());
            }
            (Purpose::Collect(collected), Some(Frame::Choosing(choosing))) => choosing.collected = collected,
            _ => {}
        }
    }

    /// Takes frames until something happens, or a stack is to be put above this one.
    fn run_stack(&mut self, stack: &mut Stack<'s>) {
        while self.events.is_empty()
            && self.entered.is_none()
            && let Some(frame) = stack.frames.pop()
        {
            let done = match frame {
                Frame::End(id) => {
                    self.end(id);
                    Ok(())
                }
                Frame::Ends(ids) => {
                    // The last first: children before their parents.
                    ids.take().into_iter().rev().for_each(|id| self.end(id));
                    Ok(())
                }
                Frame::Testing(testing) => self.go_on_testing(testing, stack),
                Frame::Choosing(choosing) => self.choose(*choosing, stack),
                // After a stop only the ends are still of interest.
                Frame::Nodes(..) | Frame::Tuple(..) if self.must_stop() => Ok(()),
                Frame::Nodes(rest, tuple, nodes, seen) => {
                    self.next_node(rest, tuple, nodes, seen, stack);
                    Ok(())
                }
                Frame::Tuple(rest, tuple) => match rest.0 {
                    Some(node) => self.step(&node.todo, node.then.clone(), tuple, stack),
                    None => {
                        if let Purpose::Collect(collected) = &mut stack.purpose {
                            collected.tuples.push(tuple);
                        } else if let Some(ways) = self.ways.last_mut() {
                            ways.through(tuple.way);
                        }
                        Ok(())
                    }
                },
            };
            if let Err(failure) = done {
                self.fail(failure);
            }
        }
    }

    fn next_node(
        &mut self,
        rest: Rest<'s>,
        tuple: Tuple<'s>,
        mut nodes: std::vec::IntoIter<NodeId>,
        seen: usize,
        stack: &mut Stack<'s>,
    ) {
        let Some(node) = nodes.next() else { return };
        if nodes.len() == 0 {
            stack.frames.push(Frame::Tuple(rest, Tuple { node, ..tuple }));
        } else {
            let next = Tuple { node, ..tuple.clone() };
            let seen = seen.saturating_sub(1);
            stack.frames.push(Frame::Nodes(rest.clone(), tuple, nodes, seen));
            self.look_ahead(stack);
            stack.frames.push(Frame::Tuple(rest, next));
        }
    }

    fn fail(&mut self, failure: Failure) {
        // A circle is how some pagers end.
        if !matches!(failure, Failure::Circle { .. }) {
            self.summary.failures += 1;
            if self.options.fail_fast {
                self.end_early(Ended::Failure);
            }
        }
        self.events.push_back(Event::Failure(failure));
    }

    /// Ends the run: what waits is not done any more.
    pub(super) fn end_early(&mut self, why: Ended) {
        self.stop = true;
        self.summary.ended.get_or_insert(why);
    }

    /// Is the run over, or has its time come?
    pub(super) fn must_stop(&mut self) -> bool {
        if self.stop {
            return true;
        }
        let options = &self.options;
        if options.stop.as_ref().is_some_and(Stop::is_now) {
            self.end_early(Ended::Stop);
        } else if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.end_early(Ended::Deadline);
        }
        self.stop
    }

    fn end(&mut self, id: OutputId) {
        let ready = self.output.end(id);
        self.hand_out(ready);
    }

    fn hand_out(&mut self, ready: Vec<Record>) {
        self.stop |= self.last_record && !ready.is_empty();
        self.events.extend(ready.into_iter().map(Event::Record));
    }

    /// Is the tuple the first of its kind at an operation? Otherwise what becomes of it is known, or being found out.
    fn is_first(&mut self, op: usize, rest: &Rest<'s>, tuple: &mut Tuple<'s>) -> bool {
        let station = Station {
            op,
            node: tuple.node,
            parent: tuple.parent,
            last: tuple.last,
            rounds: rest.rounds(),
        };
        let seen = &mut tuple.scope.tables.borrow_mut().seen;
        let ways = self.ways.last_mut();
        match (seen.entry(station), ways) {
            (Entry::Occupied(seen), Some(ways)) => {
                let seen = seen.get();
                if seen.through.get() {
                    ways.through(tuple.way);
                } else if seen.run == ways.run {
                    ways.stations[seen.way].1.push(tuple.way);
                }
                false
            }
            (Entry::Occupied(_), None) => false,
            (Entry::Vacant(seen), ways) => {
                let through = Rc::default();
                let (mut run, mut way) = (0, 0);
                if let Some(ways) = ways {
                    (run, way) = (ways.run, ways.stations.len());
                    ways.stations.push((Rc::clone(&through), vec![tuple.way]));
                }
                seen.insert(Seen { through, run, way });
                tuple.way = way;
                true
            }
        }
    }

    fn step(
        &mut self,
        todo: &Todo<'s>,
        then: Rest<'s>,
        tuple: Tuple<'s>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        match todo {
            Todo::Ops([]) => stack.frames.push(Frame::Tuple(then, tuple)),
            Todo::Ops([op, ops @ ..]) => {
                let rest = if ops.is_empty() {
                    then
                } else {
                    then.before(Todo::Ops(ops))
                };
                self.operate(op, rest, tuple, stack)?;
            }
            Todo::Round(round) => self.round(round, then, tuple, stack),
        }
        Ok(())
    }

    fn operate(&mut self, op: &'s Op, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        match op {
            Op::Walk { id, nodes, .. } => {
                let mut tuple = tuple;
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let known = tuple.scope.walked.borrow_mut().remove(&(*id, tuple.node));
                let found = match known {
                    Some(found) => Rc::unwrap_or_clone(found),
                    None => self.nodes(nodes, &tuple.scope, tuple.node)?,
                };
                let trail = Some(Rc::new(Trail {
                    taken: Taken::Walk(nodes),
                    before: tuple.trail.clone(),
                }));
                stack
                    .frames
                    .push(Frame::Nodes(rest, Tuple { trail, ..tuple }, found.into_iter(), 0));
            }
            Op::Doc { id, url, options } => {
                let mut tuple = tuple;
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let url = self.text(url, &tuple)?;
                let foresight = Foresight::Asks(url.clone());
                let task = Task::Open(url, self.for_driver(options));
                // A page that the expression names begins a branch of its own.
                let Some(outcome) = self.perform(task, &foresight, 0)? else {
                    return Ok(());
                };
                let scope = self.scope(outcome.into_live(), 1, true);
                self.count_page(&scope);
                let next = self.arrive(scope, &tuple, options)?;
                drop(tuple);
                stack.frames.push(Frame::Tuple(rest, next));
            }
            Op::Act {
                id,
                action,
                absolute,
                options,
            } => {
                let mut tuple = tuple;
                let performed = self.performed(action, &tuple)?;
                let foresight = self.foresee(&tuple.scope, tuple.node, &performed);
                let node = tuple.node;
                // A pager often has its link twice, above and below: within a repetition that is one way, not two.
                if rest.is_repeated()
                    && let Foresight::Asks(url) = &foresight
                {
                    tuple.node = tuple.scope.first_to_ask(*id, url, node);
                }
                let first = self.is_first(*id, &rest, &mut tuple);
                tuple.node = node;
                if !first {
                    return Ok(());
                }
                let deed = Deed {
                    id: *id,
                    action,
                    performed,
                    foresight,
                    absolute: *absolute,
                    options,
                };
                if let Some(next) = self.act(deed, tuple)? {
                    stack.frames.push(Frame::Tuple(rest, next));
                }
            }
            Op::Mark(mark) => self.mark(mark, rest, tuple, stack)?,
            Op::Test(test) => match recall(test, &tuple) {
                Some(passes) => pass(passes, test, rest, tuple, stack),
                None => {
                    let inside = tuple.clone();
                    begin_test(test, inside, After::Step(rest, tuple), stack);
                }
            },
            Op::Choose { body, position } => self.collect(body, position, rest, &tuple, stack),
            Op::Loop {
                id,
                body,
                min,
                max,
                counts,
            } => {
                let ends = counts.then(Rc::default);
                if let Some(ends) = &ends {
                    stack.frames.push(Frame::Ends(Rc::clone(ends)));
                }
                let been = Rc::new(RefCell::new(Been::default()));
                been.borrow_mut().enter(0, tuple.scope.place());
                let round = Round {
                    id: *id,
                    body,
                    min: *min,
                    max: *max,
                    done: 0,
                    on: tuple.scope.number,
                    deep: 1,
                    been,
                    ends,
                };
                stack.frames.push(Frame::Tuple(rest.before(Todo::Round(round)), tuple));
            }
        }
        Ok(())
    }

    /// Goes on behind a repetition, and into its next round.
    fn round(&mut self, round: &Round<'s>, then: Rest<'s>, mut tuple: Tuple<'s>, stack: &mut Stack<'s>) {
        let mut next = round.clone();
        if tuple.scope.number != round.on {
            if !round.been.borrow_mut().enter(round.deep, tuple.scope.place()) {
                self.fail(Failure::Circle {
                    url: Arc::clone(&tuple.scope.live.url),
                });
                return;
            }
            next.on = tuple.scope.number;
            next.deep = round.deep + 1;
        }
        let here = then.before(Todo::Round(round.clone()));
        if !self.is_first(round.id, &here, &mut tuple) {
            return;
        }
        if round.may_go_on() {
            // Without a bound it only matters whether there were enough.
            next.done = match round.max {
                None => (round.done + 1).min(round.min),
                Some(_) => round.done + 1,
            };
            let again = then.before(Todo::Round(next));
            // Pushed first, so done last: what is behind the repetition comes before the next round.
            for branch in round.body.iter().rev() {
                let rest = again.before(Todo::Ops(branch));
                let nodes = vec![tuple.node].into_iter();
                stack.frames.push(Frame::Nodes(rest, tuple.clone(), nodes, 0));
            }
            self.look_ahead(stack);
        }
        if round.may_end() {
            stack.frames.push(Frame::Tuple(then, tuple));
        }
    }

    fn mark(&mut self, mark: &'s Mark, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        let key = (mark.id, tuple.node, tuple.parent);
        let known = tuple.scope.tables.borrow().marks.get(&key).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let value = match &mark.value {
                    Some(value) => Some(self.text(value, &tuple)?),
                    None => None,
                };
                let record = Record {
                    value,
                    ..Record::new(mark.name.clone(), &tuple.scope.live.url, tuple.node)
                };
                // A value is a leaf: what comes after it attaches to the last record.
                let id = if mark.value.is_some() {
                    let (id, ready) = self.output.leaf(tuple.parent, record);
                    self.hand_out(ready);
                    id
                } else {
                    self.output.begin(tuple.parent, record)
                };
                tuple.scope.tables.borrow_mut().marks.insert(key, id);
                id
            }
        };
        if mark.value.is_some() {
            stack.frames.push(Frame::Tuple(rest, tuple));
            return Ok(());
        }
        let marking = Marking {
            mark,
            passed: 0,
            rest,
            next: Tuple { last: id, ..tuple },
            id,
            known: known.is_some(),
        };
        self.go_on_marking(marking, stack);
        Ok(())
    }

    /// Goes on with the predicates of a marker, up to one that must be evaluated.
    fn go_on_marking(&mut self, mut marking: Marking<'s>, stack: &mut Stack<'s>) {
        while let Some(test) = marking.mark.tests.get(marking.passed) {
            match recall(test, &marking.next) {
                Some(true) => marking.passed += 1,
                Some(false) => return self.marked(marking, false, stack),
                None => {
                    let inside = marking.next.clone();
                    return begin_test(test, inside, After::Mark(marking), stack);
                }
            }
        }
        self.marked(marking, true, stack);
    }

    /// Goes on after a marker and its predicates.
    fn marked(&mut self, marking: Marking<'s>, goes_on: bool, stack: &mut Stack<'s>) {
        let Marking {
            mark,
            rest,
            next,
            id,
            known,
            ..
        } = marking;
        if !known {
            if let Some(ends) = rest.ends().filter(|_| mark.keeps_open) {
                ends.borrow_mut().push(id);
            } else {
                match &mut stack.purpose {
                    _ if !mark.keeps_open || !goes_on => self.end(id),
                    Purpose::Collect(collected) => collected.ends.push(id),
                    Purpose::Branch | Purpose::Exists(_) => stack.frames.push(Frame::End(id)),
                }
            }
        }
        if goes_on {
            stack.frames.push(Frame::Tuple(rest, next));
        }
    }

    /// Evaluates the parts of a predicate, up to one that needs a stack of its own.
    fn go_on_testing(&mut self, mut testing: Box<Testing<'s>>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        while let Some(part) = testing.parts.next() {
            match part {
                Condition::Simple(truth) => match self.truth(truth, &testing.inside.scope, testing.inside.node) {
                    Ok(holds) => testing.answers.push(holds),
                    Err(failure) => {
                        if let After::Mark(marking) = testing.after {
                            self.marked(marking, false, stack);
                        }
                        return Err(failure);
                    }
                },
                Condition::Path(ops) => {
                    self.entered = Some(self.exists(ops, testing.inside.clone()));
                    stack.frames.push(Frame::Testing(testing));
                    return Ok(());
                }
                // Taken apart in `begin_test`.
                Condition::Any(_) | Condition::All(_) => {}
            }
        }
        let Testing {
            test,
            inside,
            answers,
            after,
            ..
        } = *testing;
        let holds = combine(&test.condition, &mut answers.into_iter());
        let key = (test.id, inside.node, inside.parent);
        inside.scope.tables.borrow_mut().tests.insert(key, holds);
        drop(inside);
        let passes = holds || test.optional;
        match after {
            After::Step(rest, tuple) => pass(passes, test, rest, tuple, stack),
            After::Mark(marking) if !passes => self.marked(marking, false, stack),
            After::Mark(mut marking) => {
                marking.passed += 1;
                self.go_on_marking(marking, stack);
            }
        }
        Ok(())
    }

    /// A stack for the path of a predicate.
    fn exists(&mut self, ops: &'s [Op], tuple: Tuple<'s>) -> Stack<'s> {
        self.runs += 1;
        let through = Rc::new(Cell::new(false));
        self.ways.push(Ways {
            run: self.runs,
            stations: vec![(Rc::clone(&through), Vec::new())],
        });
        let rest = Rest(None).before(Todo::Ops(ops));
        Stack {
            frames: vec![Frame::Tuple(rest, Tuple { way: 0, ..tuple })],
            purpose: Purpose::Exists(through),
        }
    }

    /// Opens a stack that finds the tuples to choose from.
    fn collect(
        &mut self,
        body: &'s [Vec<Op>],
        position: &'s Truth,
        rest: Rest<'s>,
        tuple: &Tuple<'s>,
        stack: &mut Stack<'s>,
    ) {
        let frames = body.iter().rev().map(|branch| {
            let rest = Rest(None).before(Todo::Ops(branch));
            Frame::Tuple(rest, tuple.clone())
        });
        self.entered = Some(Stack {
            frames: frames.collect(),
            purpose: Purpose::Collect(Collected::default()),
        });
        stack.frames.push(Frame::Choosing(Box::new(Choosing {
            position,
            rest,
            collected: Collected::default(),
        })));
    }

    /// Goes on with the tuples at the positions asked for.
    fn choose(&mut self, choosing: Choosing<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        let Choosing {
            position,
            rest,
            collected: Collected { mut tuples, ends },
        } = choosing;
        stack.frames.extend(ends.into_iter().map(Frame::End));
        // Restriction R2: all are on one page, so their order is that of the page.
        tuples.sort_by_key(|tuple| tuple.node);
        let size = tuples.len();
        for (at, tuple) in tuples.into_iter().enumerate().rev() {
            if self.truth_at(position, &tuple.scope, tuple.node, at + 1, size)? {
                stack.frames.push(Frame::Tuple(rest.clone(), tuple));
            }
        }
        Ok(())
    }

    pub(super) fn scope(&self, live: Live, depth: usize, by_address: bool) -> Rc<Scope> {
        Rc::new(Scope::new(live, depth, by_address, self.shared, &self.pages))
    }

    pub(super) fn nodes(&self, nodes: &'s Nodes, scope: &Scope, node: NodeId) -> Result<Vec<NodeId>, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator.nodes_at(nodes, node).map_err(Failure::Eval)
    }

    pub(super) fn truth(&self, truth: &'s Truth, scope: &Scope, node: NodeId) -> Result<bool, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator.truth_at(truth, node).map_err(Failure::Eval)
    }

    fn truth_at(
        &self,
        truth: &'s Truth,
        scope: &Scope,
        node: NodeId,
        position: usize,
        size: usize,
    ) -> Result<bool, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator
            .truth_among(truth, node, position, size)
            .map_err(Failure::Eval)
    }

    pub(super) fn text(&self, text: &'s Text, tuple: &Tuple<'s>) -> Result<String, Failure> {
        let mut memory = tuple.scope.memory.borrow_mut();
        let live = &tuple.scope.live;
        let mut evaluator = Evaluator::new(self.shared, &live.page, Some(&live.url), &mut memory);
        evaluator.text_at(text, tuple.node).map_err(Failure::Eval)
    }
}

/// What is known of a predicate at a tuple.
fn recall(test: &Test, tuple: &Tuple<'_>) -> Option<bool> {
    let key = (test.id, tuple.node, tuple.last);
    let known = tuple.scope.tables.borrow().tests.get(&key).copied();
    known.map(|holds| holds || test.optional)
}

/// Puts a predicate on the stack, to be evaluated next.
fn begin_test<'s>(test: &'s Test, tuple: Tuple<'s>, after: After<'s>, stack: &mut Stack<'s>) {
    let mut parts = Vec::with_capacity(1);
    take_apart(&test.condition, &mut parts);
    let answers = Vec::with_capacity(parts.len());
    stack.frames.push(Frame::Testing(Box::new(Testing {
        test,
        inside: Tuple {
            parent: tuple.last,
            ..tuple
        },
        parts: parts.into_iter(),
        answers,
        after,
    })));
}

/// The simple conditions and paths of a condition, in order.
fn take_apart<'s>(condition: &'s Condition, parts: &mut Vec<&'s Condition>) {
    match condition {
        Condition::Simple(_) | Condition::Path(_) => parts.push(condition),
        Condition::Any(inner) | Condition::All(inner) => inner.iter().for_each(|part| take_apart(part, parts)),
    }
}

/// Does a condition hold, given the answers of its parts?
fn combine(condition: &Condition, answers: &mut impl Iterator<Item = bool>) -> bool {
    match condition {
        Condition::Simple(_) | Condition::Path(_) => answers.next().unwrap_or(false),
        // No short cut: each part takes its answer.
        Condition::Any(parts) => parts.iter().fold(false, |any, part| combine(part, answers) | any),
        Condition::All(parts) => parts.iter().fold(true, |all, part| combine(part, answers) & all),
    }
}

/// Goes on after a predicate.
fn pass<'s>(passes: bool, test: &'s Test, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) {
    if !passes {
        return;
    }
    let trail = match &test.simple {
        Some(truth) if !test.optional => Some(Rc::new(Trail {
            taken: Taken::Test(truth),
            before: tuple.trail.clone(),
        })),
        _ => tuple.trail.clone(),
    };
    stack.frames.push(Frame::Tuple(rest, Tuple { trail, ..tuple }));
}

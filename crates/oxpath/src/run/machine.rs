//! The machine: context tuples on explicit stacks.
//!
//! [`Machine::next_event`] takes one frame after the other from the innermost stack until there is something to tell. A
//! predicate does not recurse: it leaves a frame with what it knows so far ([`Testing`](super::frame::Testing)) and opens a stack for its path;
//! when that stack is empty, its answer is written into the frame below. A choice by position works alike. So a run can
//! stop between any two frames, however deeply its predicates nest.

use super::act::Deed;
use super::ahead::{Ahead, Hands};
use super::extract::{begin_test, pass, recall};
use super::failure::Failure;
use super::frame::{After, Again, Frame, Purpose, Rest, Round, Seen, Stack, Station, Taken, Todo, Trail, Tuple, Ways};
use super::news::{Goes, News, Walk};
use super::options::{RunOptions, Stop};
use super::output::{Output, OutputId};
use super::program::{Action, Op, Program};
use super::progress::Event;
use super::required::{self, Needs};
use super::scope::{Been, PageCount, Scope};
use super::summary::{Ended, RunSummary};
use super::workers::Task;
use crate::plan::Shared;
use page::NodeId;
use page::driver::{self, Foresight, Live, Outcome};
use record::Record;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a run that was stopped may work on the record that it has begun.
const GRACE: Duration = Duration::from_secs(2);

pub(super) struct Machine<'s, 'd> {
    pub(super) hands: Hands<'d>,
    pub(super) ahead: Ahead<'s>,
    pub(super) options: RunOptions,
    pub(super) shared: &'s Shared,
    /// What is required of records.
    needs: &'s [Needs],
    pub(super) output: Output,
    pub(super) pages: Rc<PageCount>,
    /// Where `{nextclick}` has been.
    pub(super) clicked: HashSet<Arc<str>>,
    /// For each predicate that is being evaluated, the innermost last.
    pub(super) ways: Vec<Ways>,
    pub(super) runs: u64,
    pub(super) summary: RunSummary,
    /// Nothing more is done; only what was begun is ended.
    pub(super) stop: bool,
    /// The run stops with the record that is being made.
    pub(super) last_record: bool,
    /// When it was decided to end the run before its work is done.
    ending: Option<Instant>,
    /// Where each branch starts; none once all have.
    start: Option<Tuple<'s>>,
    branches: std::slice::Iter<'s, Vec<Op>>,
    /// What is being done, the innermost last.
    stacks: Vec<Stack<'s>>,
    /// A stack to be put above the present one.
    pub(super) entered: Option<Stack<'s>>,
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
            news: None,
        };
        Machine {
            hands,
            ahead: Ahead::default(),
            options,
            shared: &program.shared,
            needs: &program.needs,
            output: Output::default(),
            pages,
            clicked: HashSet::new(),
            ways: Vec::new(),
            runs: 0,
            summary: RunSummary::default(),
            stop: false,
            last_record: false,
            ending: None,
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

    /// Forgets everything that is left to do and to report.
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
        if !failure.is_warning() {
            self.summary.failures += 1;
            if self.options.fail_fast {
                self.end_early(Ended::Failure);
            }
        }
        self.events.push_back(Event::Failure(failure));
    }

    /// Ends the run: no more pages are opened. A record that was begun is finished with the pages at hand, because a
    /// record that is cut off in its middle looks like one whose page has no more.
    pub(super) fn end_early(&mut self, why: Ended) {
        self.summary.ended.get_or_insert(why);
        if why != Ended::MaxPages {
            self.ending.get_or_insert_with(Instant::now);
        }
        self.last_record = true;
        self.stop |= self.output.is_empty();
    }

    /// May no more pages be opened?
    pub(super) fn must_end(&mut self) -> bool {
        self.must_stop() || self.ending.is_some()
    }

    /// Is the run over? If a record takes too long to finish, it is given up.
    pub(super) fn must_stop(&mut self) -> bool {
        if self.stop {
            return true;
        }
        if let Some(since) = self.ending {
            if since.elapsed() > GRACE {
                self.output = Output::default();
                self.stop = true;
            }
            return self.stop;
        }
        let options = &self.options;
        if options.stop.as_ref().is_some_and(Stop::is_now) {
            self.end_early(Ended::Stop);
        } else if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.end_early(Ended::Deadline);
        }
        self.stop
    }

    pub(super) fn end(&mut self, id: OutputId) {
        let ready = self.output.end(id);
        self.hand_out(ready);
    }

    pub(super) fn hand_out(&mut self, ready: Vec<Record>) {
        self.stop |= self.last_record && !ready.is_empty();
        if !self.needs.is_empty() {
            for record in &ready {
                required::look(self.needs, record, &mut |lacking| self.summary.add_lacking(&lacking));
            }
        }
        self.events.extend(ready.into_iter().map(Event::Record));
    }

    /// Is the tuple the first of its kind at an operation? If not, its outcome is known, or is being computed.
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
            Todo::Round(round) => self.round(round, then, tuple, stack)?,
            Todo::Again(again) => self.again(again, &then, tuple, stack)?,
        }
        Ok(())
    }

    fn operate(
        &mut self,
        op: &'s Op,
        rest: Rest<'s>,
        mut tuple: Tuple<'s>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        // What comes first after a repetition is given what is new. A group, or an optional predicate, is looked into.
        let news = tuple.news.take();
        match op {
            Op::Walk { id, nodes, .. } => {
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let known = tuple.scope.walked.borrow_mut().remove(&(*id, tuple.node));
                let found = match known {
                    Some(found) => Rc::unwrap_or_clone(found),
                    None => self.nodes(nodes, &tuple.scope, tuple.node)?,
                };
                let found = match news.zip(walk(*id, &tuple)) {
                    Some((news, walk)) => news.borrow_mut().only_new(walk, &tuple.scope.live, found),
                    None => found,
                };
                let trail = Some(Rc::new(Trail {
                    taken: Taken::Walk(nodes),
                    before: tuple.trail.clone(),
                }));
                stack
                    .frames
                    .push(Frame::Nodes(rest, Tuple { trail, ..tuple }, found.into_iter(), 0));
            }
            Op::Doc {
                id,
                url,
                is_of_page,
                options,
            } => {
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let url = self.text(url, &tuple)?;
                let foresight = Foresight::Asks(url.clone());
                let task = Task::Open(
                    url,
                    is_of_page.then(|| tuple.scope.live.clone()),
                    self.for_driver(options),
                );
                // A page that the expression names begins a branch of its own.
                let Some(outcome) = self.perform(task, &foresight, 0)? else {
                    return Ok(());
                };
                let scope = self.scope(outcome.into_live(), 1, true);
                self.count_page(&scope);
                let next = self.arrive(scope, &tuple, false, options)?;
                drop(tuple);
                stack.frames.push(Frame::Tuple(rest, next));
            }
            Op::Act {
                id,
                action,
                absolute,
                options,
            } => {
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
            Op::Test(test) => {
                let inside = Tuple {
                    news: news.clone().filter(|_| test.optional),
                    ..tuple.clone()
                };
                tuple.news = news;
                match recall(test, &tuple) {
                    Some(passes) => pass(passes, test, rest, tuple, stack),
                    None => begin_test(test, inside, After::Step(rest, tuple), stack),
                }
            }
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
                    news: Rc::new(RefCell::new(News::new(scrolls(body)))),
                    ends,
                };
                tuple.news = news.filter(|_| round.is_group());
                stack.frames.push(Frame::Tuple(rest.before(Todo::Round(round)), tuple));
            }
        }
        Ok(())
    }

    /// Goes on after a repetition, and into its next round.
    fn round(
        &mut self,
        round: &Round<'s>,
        then: Rest<'s>,
        mut tuple: Tuple<'s>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        let mut now = round.clone();
        let is_new = tuple.scope.number != round.on;
        if is_new {
            if !round.been.borrow_mut().enter(round.deep, tuple.scope.place()) {
                let is_state = round.news.borrow().is_on(&tuple.scope.live);
                if !is_state {
                    let url = Arc::clone(&tuple.scope.live.url);
                    self.fail(Failure::Circle { url });
                    return Ok(());
                }
                // The last round changed nothing: unless something comes yet, that is the end.
                let patience = round.news.borrow_mut().patience();
                return self.wait_for_more(round, &then, tuple, patience, stack);
            }
            now.on = tuple.scope.number;
            now.deep = round.deep + 1;
        }
        let here = then.before(Todo::Round(round.clone()));
        if !self.is_first(round.id, &here, &mut tuple) {
            return Ok(());
        }
        let has_states = !round.is_group() && tuple.scope.live.lasting.is_some();
        if has_states && (is_new || round.done == 0) {
            round.news.borrow_mut().enter(&tuple.scope.live);
        }
        if round.may_go_on() {
            let mut next = now.clone();
            // Without a bound it only matters whether there were enough.
            next.done = match round.max {
                None => (round.done + 1).min(round.min),
                Some(_) => round.done + 1,
            };
            let again = then.before(Todo::Again(Again { now, next, is_new }));
            // Pushed first, so done last: what is after the repetition comes before the next round.
            let nodes = vec![tuple.node].into_iter();
            stack.frames.push(Frame::Nodes(again, tuple.clone(), nodes, 0));
            self.look_ahead(stack);
        }
        if round.may_end() {
            if has_states {
                tuple.news = Some(Rc::clone(&round.news));
            }
            stack.frames.push(Frame::Tuple(then, tuple));
        }
        Ok(())
    }

    /// Goes into the next round of a repetition, unless the last one led to a state with nothing new.
    fn again(
        &mut self,
        again: &Again<'s>,
        then: &Rest<'s>,
        tuple: Tuple<'s>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        let Again { now, next, is_new } = again;
        if *is_new && now.max.is_none() && now.news.borrow().is_on(&tuple.scope.live) {
            let goes = now.news.borrow_mut().goes_on();
            match goes {
                Goes::On => {}
                Goes::IfChanged(patience) => return self.wait_for_more(now, then, tuple, patience, stack),
                Goes::Barren => {
                    let url = Arc::clone(&tuple.scope.live.url);
                    self.fail(Failure::NothingNew { url });
                    return Ok(());
                }
            }
        }
        let rest = then.before(Todo::Round(next.clone()));
        for branch in next.body.iter().rev() {
            let rest = rest.before(Todo::Ops(branch));
            let nodes = vec![tuple.node].into_iter();
            stack.frames.push(Frame::Nodes(rest, tuple.clone(), nodes, 0));
        }
        self.look_ahead(stack);
        Ok(())
    }

    /// Gives a state with nothing new some time to change by itself, and goes on with what it has become.
    fn wait_for_more(
        &mut self,
        round: &Round<'s>,
        then: &Rest<'s>,
        tuple: Tuple<'s>,
        patience: Duration,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        if tuple.node != NodeId::DOCUMENT || patience.is_zero() {
            return Ok(());
        }
        let options = driver::Options {
            timeout: Some(patience),
            deadline: self.options.deadline,
            run: self.options.run,
            ..driver::Options::default()
        };
        let watch = Task::Watch(tuple.scope.live.clone(), options);
        if let Some(Outcome::New(live)) = self.perform(watch, &Foresight::Stays, tuple.scope.depth)? {
            let scope = self.scope(live, tuple.scope.depth, false);
            let next = Tuple { scope, ..tuple };
            stack
                .frames
                .push(Frame::Tuple(then.before(Todo::Round(round.clone())), next));
        }
        Ok(())
    }
}

/// A walk after a repetition; none if it starts at a node that cannot be recognised in another state.
fn walk(op: usize, tuple: &Tuple<'_>) -> Option<Walk> {
    let live = &tuple.scope.live;
    let start = match tuple.node {
        NodeId::DOCUMENT => 0,
        node => {
            let rank = live.page.elements().binary_search(&node).ok()?;
            *live.lasting.as_ref()?.elements.get(rank)?
        }
    };
    Some(Walk {
        op,
        parent: tuple.parent,
        last: tuple.last,
        start,
    })
}

/// Is scrolling all that is done on the way?
fn scrolls(body: &[Vec<Op>]) -> bool {
    let mut actions = body.iter().flatten().filter(|op| !matches!(op, Op::Walk { .. }));
    actions.all(|op| {
        matches!(
            op,
            Op::Act {
                action: Action::Fixed(driver::Action::Scroll),
                ..
            }
        )
    })
}

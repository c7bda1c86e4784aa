//! Running a program: context tuples on an explicit stack.

use super::output::{Output, OutputId, Record};
use super::program::{Action, Condition, Mark, Op, Options, Script, Test};
use crate::eval::{EvalError, Evaluator, Memory};
use crate::plan::{Nodes, Shared, Text, Truth};
use page::NodeId;
use page::driver::{self, Driver, DriverError, Live, Outcome};
use std::cell::{Cell, RefCell};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Stop at the first failure instead of going on with other branches.
    pub fail_fast: bool,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// Pages opened, by `doc()` or an action.
    pub pages: usize,
    /// Actions performed.
    pub actions: usize,
    /// Top-level records handed out.
    pub records: usize,
    /// The most pages held at once.
    pub most_pages: usize,
    /// Branches that failed.
    pub failures: usize,
    /// Did the consumer of records stop the run?
    pub stopped: bool,
}

/// Why a branch ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The driver could not open a page or perform an action.
    Driver(DriverError),
    /// A simple part of the expression could not be evaluated.
    Eval(EvalError),
    /// After a contextual action the node could not be found again.
    NodeLost {
        /// The page after the action.
        url: Arc<str>,
    },
    /// The condition of `[until=…]` does not hold on the new page.
    ConditionNotMet {
        /// The page after the action.
        url: Arc<str>,
    },
    /// A repetition came back to a page that it had been on.
    Circle {
        /// That page.
        url: Arc<str>,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Driver(error) => f.write_str(&error.message),
            Failure::Eval(error) => error.fmt(f),
            Failure::NodeLost { url } => {
                write!(f, "{url}: the node that was acted on is not on the page any more")
            }
            Failure::ConditionNotMet { url } => write!(f, "{url}: the condition of [until=…] does not hold"),
            Failure::Circle { url } => write!(f, "{url}: a repetition came back to this page and stops here"),
        }
    }
}

impl std::error::Error for Failure {}

/// What a run tells while it goes.
pub trait Progress {
    /// A top-level record is finished. False stops the run.
    fn record(&mut self, record: Record) -> bool;
    /// A branch failed, or came full circle; the others go on.
    fn failure(&mut self, failure: &Failure);
}

impl Script {
    /// Runs the expression. The expression opens its first page itself, by `doc()`, or starts on `page`.
    pub fn run(
        &self,
        driver: &mut dyn Driver,
        page: Option<Live>,
        options: &RunOptions,
        progress: &mut dyn Progress,
    ) -> RunSummary {
        let pages = Rc::new(PageCount::default());
        let start = page.unwrap_or_else(empty_page);
        let tuple = Tuple {
            scope: Rc::new(Scope::new(start, &self.program.shared, &pages)),
            node: NodeId::DOCUMENT,
            parent: OutputId::ROOT,
            last: OutputId::ROOT,
            trail: None,
            way: 0,
        };
        let mut machine = Machine {
            driver,
            progress,
            options,
            shared: &self.program.shared,
            output: Output::default(),
            pages: Rc::clone(&pages),
            clicked: HashSet::new(),
            ways: Vec::new(),
            runs: 0,
            summary: RunSummary::default(),
            stop: false,
        };
        for branch in &self.program.branches {
            machine.run(branch, tuple.clone());
        }
        machine.summary.most_pages = pages.most.get();
        machine.summary
    }
}

/// What a run starts on when it has no page: an empty one.
fn empty_page() -> Live {
    Live {
        page: Arc::new(page::Page::empty()),
        url: "about:blank".into(),
        fields: Arc::default(),
    }
}

/// What tells pages apart for the guard against circles: the address, and a hash of the text, because a pager may post to
/// one address for ever.
type Place = (Arc<str>, u64);

/// How many pages are held, and were.
#[derive(Default)]
struct PageCount {
    made: Cell<u64>,
    now: Cell<usize>,
    most: Cell<usize>,
}

/// A page on the current branch, with all that is remembered about it.
struct Scope {
    /// Different for every page of a run.
    number: u64,
    live: Live,
    memory: RefCell<Memory>,
    /// Outcomes of predicates.
    tests: RefCell<HashMap<(usize, NodeId, OutputId), bool>>,
    /// Tuples that came to an operation.
    seen: RefCell<HashMap<Station, Seen>>,
    /// What was extracted.
    marks: RefCell<HashMap<(usize, NodeId, OutputId), OutputId>>,
    pages: Rc<PageCount>,
}

impl Scope {
    fn new(live: Live, shared: &Shared, pages: &Rc<PageCount>) -> Scope {
        pages.made.set(pages.made.get() + 1);
        pages.now.set(pages.now.get() + 1);
        pages.most.set(pages.most.get().max(pages.now.get()));
        let memory = RefCell::new(Memory::new(shared, &live.page));
        Scope {
            number: pages.made.get(),
            live,
            memory,
            tests: RefCell::default(),
            seen: RefCell::default(),
            marks: RefCell::default(),
            pages: Rc::clone(pages),
        }
    }

    fn place(&self) -> Place {
        let mut hasher = std::hash::DefaultHasher::new();
        self.live.page.text().hash(&mut hasher);
        (Arc::clone(&self.live.url), hasher.finish())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.pages.now.set(self.pages.now.get() - 1);
    }
}

/// A tuple at an operation: what becomes of it depends on nothing else.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Station {
    op: usize,
    node: NodeId,
    parent: OutputId,
    last: OutputId,
    /// The rounds done in each repetition around the operation.
    rounds: Vec<u32>,
}

/// What is known of a tuple that came to an operation.
struct Seen {
    /// Did it, or what became of it, come through the program?
    through: Rc<Cell<bool>>,
    /// The run it was seen in, and its number there.
    run: u64,
    way: usize,
}

/// The ways through a predicate: which stations lead to which. A station that another run of the same predicate comes to
/// is not taken again, so it must be known whether it leads through.
struct Ways {
    run: u64,
    /// For each station, whether it leads through and the stations that lead to it.
    stations: Vec<(Rc<Cell<bool>>, Vec<usize>)>,
}

impl Ways {
    /// The station, and all that lead to it, lead through.
    fn through(&mut self, station: usize) {
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

/// A context tuple.
#[derive(Clone)]
struct Tuple<'s> {
    scope: Rc<Scope>,
    node: NodeId,
    parent: OutputId,
    last: OutputId,
    /// The simple operations since the page was new, the last one first.
    trail: Option<Rc<Trail<'s>>>,
    /// The station it came from, in a predicate.
    way: usize,
}

struct Trail<'s> {
    taken: Taken<'s>,
    before: Option<Rc<Trail<'s>>>,
}

#[derive(Clone, Copy)]
enum Taken<'s> {
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
struct Rest<'s>(Option<Rc<RestNode<'s>>>);

struct RestNode<'s> {
    todo: Todo<'s>,
    then: Rest<'s>,
}

#[derive(Clone)]
enum Todo<'s> {
    Ops(&'s [Op]),
    /// A repetition after so many rounds; the pages it was on.
    Round {
        id: usize,
        body: &'s [Vec<Op>],
        min: u32,
        max: Option<u32>,
        done: u32,
        been: Rc<HashSet<Place>>,
        on: u64,
        ends: Ends,
    },
}

/// Output nodes that end with a repetition, where a tuple may come to a marker again in another round.
type Ends = Option<Rc<RefCell<Vec<OutputId>>>>;

/// What waits on the stack.
enum Frame<'s> {
    Tuple(Rest<'s>, Tuple<'s>),
    /// The same for several nodes of one page.
    Nodes(Rest<'s>, Tuple<'s>, std::vec::IntoIter<NodeId>),
    /// An output node that gets no more children once this is reached.
    End(OutputId),
    /// The same for all of a repetition.
    Ends(Rc<RefCell<Vec<OutputId>>>),
}

/// What one run has before it.
struct Stack<'s> {
    frames: Vec<Frame<'s>>,
    /// Where the tuples that come through are wanted: they, and the ends that must wait for them.
    collected: Option<Collected<'s>>,
}

#[derive(Default)]
struct Collected<'s> {
    tuples: Vec<Tuple<'s>>,
    ends: Vec<OutputId>,
}

struct Machine<'s, 'd> {
    driver: &'d mut dyn Driver,
    progress: &'d mut dyn Progress,
    options: &'d RunOptions,
    shared: &'s Shared,
    output: Output,
    pages: Rc<PageCount>,
    /// Where `{nextclick}` has been.
    clicked: HashSet<Arc<str>>,
    /// For each predicate that is being evaluated, the innermost last.
    ways: Vec<Ways>,
    runs: u64,
    summary: RunSummary,
    stop: bool,
}

impl<'s> Machine<'s, '_> {
    /// Runs the operations of a predicate on a tuple; true if any tuple came through.
    fn exists(&mut self, ops: &'s [Op], tuple: Tuple<'s>) -> bool {
        self.runs += 1;
        let through = Rc::new(Cell::new(false));
        self.ways.push(Ways {
            run: self.runs,
            stations: vec![(Rc::clone(&through), Vec::new())],
        });
        self.run(ops, Tuple { way: 0, ..tuple });
        self.ways.pop();
        through.get()
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
        let mut seen = tuple.scope.seen.borrow_mut();
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

    /// Runs operations on a tuple.
    fn run(&mut self, ops: &'s [Op], tuple: Tuple<'s>) {
        let mut stack = Stack {
            frames: vec![Frame::Tuple(Rest(None).before(Todo::Ops(ops)), tuple)],
            collected: None,
        };
        self.run_stack(&mut stack);
    }

    /// Runs operations on a tuple up to a choice by position: gives the tuples that came through, and the output nodes that
    /// they may still attach to.
    fn collect(&mut self, body: &'s [Vec<Op>], tuple: &Tuple<'s>) -> Collected<'s> {
        let mut stack = Stack {
            frames: Vec::new(),
            collected: Some(Collected::default()),
        };
        for branch in body.iter().rev() {
            let rest = Rest(None).before(Todo::Ops(branch));
            stack.frames.push(Frame::Tuple(rest, tuple.clone()));
        }
        self.run_stack(&mut stack);
        stack.collected.unwrap_or_default()
    }

    fn run_stack(&mut self, stack: &mut Stack<'s>) {
        while let Some(frame) = stack.frames.pop() {
            match frame {
                Frame::End(id) => self.end(id),
                // The last first: children before their parents.
                Frame::Ends(ids) => ids.take().into_iter().rev().for_each(|id| self.end(id)),
                // After a stop only the ends are still of interest.
                _ if self.stop => {}
                Frame::Nodes(rest, tuple, mut nodes) => {
                    let Some(node) = nodes.next() else { continue };
                    if nodes.len() == 0 {
                        stack.frames.push(Frame::Tuple(rest, Tuple { node, ..tuple }));
                    } else {
                        let next = Tuple { node, ..tuple.clone() };
                        stack.frames.push(Frame::Nodes(rest.clone(), tuple, nodes));
                        stack.frames.push(Frame::Tuple(rest, next));
                    }
                }
                Frame::Tuple(rest, tuple) => match rest.0 {
                    None => {
                        if let Some(collected) = &mut stack.collected {
                            collected.tuples.push(tuple);
                        } else if let Some(ways) = self.ways.last_mut() {
                            ways.through(tuple.way);
                        }
                    }
                    Some(node) => {
                        if let Err(failure) = self.step(&node.todo, node.then.clone(), tuple, stack) {
                            self.fail(&failure);
                        }
                    }
                },
            }
        }
    }

    fn fail(&mut self, failure: &Failure) {
        self.progress.failure(failure);
        // A circle is how some pagers end.
        if !matches!(failure, Failure::Circle { .. }) {
            self.summary.failures += 1;
            self.stop |= self.options.fail_fast;
        }
    }

    fn end(&mut self, id: OutputId) {
        for record in self.output.end(id) {
            if self.summary.stopped {
                return;
            }
            self.summary.records += 1;
            if !self.progress.record(record) {
                self.stop = true;
                self.summary.stopped = true;
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
            Todo::Round { .. } => self.round(todo, then, tuple, stack),
        }
        Ok(())
    }

    fn operate(&mut self, op: &'s Op, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        match op {
            Op::Walk { id, nodes } => {
                let mut tuple = tuple;
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let found = self.nodes(nodes, &tuple.scope, tuple.node)?;
                let trail = Some(Rc::new(Trail {
                    taken: Taken::Walk(nodes),
                    before: tuple.trail.clone(),
                }));
                stack
                    .frames
                    .push(Frame::Nodes(rest, Tuple { trail, ..tuple }, found.into_iter()));
            }
            Op::Doc { id, url, options } => {
                let mut tuple = tuple;
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                let url = self.text(url, &tuple)?;
                let live = self.driver.open(&url, &for_driver(options)).map_err(Failure::Driver)?;
                let next = self.arrive(live, &tuple, options)?;
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
                if !self.is_first(*id, &rest, &mut tuple) {
                    return Ok(());
                }
                if let Some(next) = self.act(action, *absolute, options, tuple)? {
                    stack.frames.push(Frame::Tuple(rest, next));
                }
            }
            Op::Mark(mark) => self.mark(mark, rest, tuple, stack)?,
            Op::Test(test) => {
                if self.test(test, &tuple)? {
                    let trail = match &test.simple {
                        Some(truth) if !test.optional => Some(Rc::new(Trail {
                            taken: Taken::Test(truth),
                            before: tuple.trail.clone(),
                        })),
                        _ => tuple.trail.clone(),
                    };
                    stack.frames.push(Frame::Tuple(rest, Tuple { trail, ..tuple }));
                }
            }
            Op::Choose { body, position } => {
                let Collected { mut tuples, ends } = self.collect(body, &tuple);
                stack.frames.extend(ends.into_iter().map(Frame::End));
                // Restriction R2: all are on one page, so their order is that of the page.
                tuples.sort_by_key(|tuple| tuple.node);
                let size = tuples.len();
                for (at, tuple) in tuples.into_iter().enumerate().rev() {
                    if self.truth_at(position, &tuple.scope, tuple.node, at + 1, size)? {
                        stack.frames.push(Frame::Tuple(rest.clone(), tuple));
                    }
                }
            }
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
                let been = Rc::new(HashSet::from([tuple.scope.place()]));
                let on = tuple.scope.number;
                let round = Todo::Round {
                    id: *id,
                    body,
                    min: *min,
                    max: *max,
                    done: 0,
                    been,
                    on,
                    ends,
                };
                stack.frames.push(Frame::Tuple(rest.before(round), tuple));
            }
        }
        Ok(())
    }

    /// Goes on behind a repetition, and into its next round.
    fn round(&mut self, todo: &Todo<'s>, then: Rest<'s>, mut tuple: Tuple<'s>, stack: &mut Stack<'s>) {
        let Todo::Round {
            id,
            body,
            min,
            max,
            done,
            been,
            on,
            ends,
        } = todo
        else {
            return;
        };
        let (done, mut been) = (*done, Rc::clone(been));
        if tuple.scope.number != *on && !Rc::make_mut(&mut been).insert(tuple.scope.place()) {
            self.fail(&Failure::Circle {
                url: Arc::clone(&tuple.scope.live.url),
            });
            return;
        }
        let here = then.before(todo.clone());
        if !self.is_first(*id, &here, &mut tuple) {
            return;
        }
        if max.is_none_or(|max| done < max) {
            let on = tuple.scope.number;
            let next = Todo::Round {
                id: *id,
                body,
                min: *min,
                max: *max,
                // Without a bound it only matters whether there were enough.
                done: if max.is_none() { (done + 1).min(*min) } else { done + 1 },
                been,
                on,
                ends: ends.clone(),
            };
            let again = then.before(next);
            // Pushed first, so done last: what is behind the repetition comes before the next round.
            for branch in body.iter().rev() {
                stack
                    .frames
                    .push(Frame::Tuple(again.before(Todo::Ops(branch)), tuple.clone()));
            }
        }
        if done >= *min {
            stack.frames.push(Frame::Tuple(then, tuple));
        }
    }

    fn mark(&mut self, mark: &'s Mark, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
        let key = (mark.id, tuple.node, tuple.parent);
        let known = tuple.scope.marks.borrow().get(&key).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let value = match &mark.value {
                    Some(value) => Some(self.text(value, &tuple)?),
                    None => None,
                };
                let record = Record {
                    name: mark.name.clone(),
                    value,
                    children: Vec::new(),
                    page: Arc::clone(&tuple.scope.live.url),
                    node: tuple.node,
                };
                let id = self.output.begin(tuple.parent, record);
                tuple.scope.marks.borrow_mut().insert(key, id);
                id
            }
        };
        if mark.value.is_some() {
            // A value is a leaf: what comes behind attaches to the last record.
            if known.is_none() {
                self.end(id);
            }
            stack.frames.push(Frame::Tuple(rest, tuple));
            return Ok(());
        }
        let next = Tuple { last: id, ..tuple };
        let mut passed = Ok(true);
        for test in &mark.tests {
            passed = self.test(test, &next);
            if !matches!(passed, Ok(true)) {
                break;
            }
        }
        let goes_on = matches!(passed, Ok(true));
        if known.is_none() {
            if let Some(ends) = rest.ends().filter(|_| mark.keeps_open) {
                ends.borrow_mut().push(id);
            } else {
                match &mut stack.collected {
                    _ if !mark.keeps_open || !goes_on => self.end(id),
                    Some(collected) => collected.ends.push(id),
                    None => stack.frames.push(Frame::End(id)),
                }
            }
        }
        if goes_on {
            stack.frames.push(Frame::Tuple(rest, next));
        }
        passed.map(|_| ())
    }

    /// Evaluates a predicate with actions or markers inside, once for each tuple.
    fn test(&mut self, test: &'s Test, tuple: &Tuple<'s>) -> Result<bool, Failure> {
        let key = (test.id, tuple.node, tuple.last);
        if let Some(answer) = tuple.scope.tests.borrow().get(&key) {
            return Ok(*answer || test.optional);
        }
        let inside = Tuple {
            parent: tuple.last,
            ..tuple.clone()
        };
        let answer = self.condition(&test.condition, &inside)?;
        tuple.scope.tests.borrow_mut().insert(key, answer);
        Ok(answer || test.optional)
    }

    /// Evaluates all parts of a condition, because all may extract.
    fn condition(&mut self, condition: &'s Condition, tuple: &Tuple<'s>) -> Result<bool, Failure> {
        Ok(match condition {
            Condition::Simple(truth) => self.truth(truth, &tuple.scope, tuple.node)?,
            Condition::Path(ops) => self.exists(ops, tuple.clone()),
            Condition::Any(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.condition(part, tuple)?;
                }
                any
            }
            Condition::All(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.condition(part, tuple)?;
                }
                all
            }
        })
    }

    /// Performs an action; none if its own rule says to go no further.
    fn act(
        &mut self,
        action: &'s Action,
        absolute: bool,
        options: &'s Options,
        tuple: Tuple<'s>,
    ) -> Result<Option<Tuple<'s>>, Failure> {
        self.summary.actions += 1;
        let performed = match action {
            Action::Fixed(action) => action.clone(),
            Action::Type(text) => driver::Action::Type(self.text(text, &tuple)?),
            Action::Select(text) => driver::Action::Select(self.text(text, &tuple)?),
            Action::Press(key) => driver::Action::Press(self.text(key, &tuple)?),
            Action::NextClick | Action::ClickWithChange => driver::Action::Click,
        };
        let live = &tuple.scope.live;
        let outcome = self
            .driver
            .act(live, tuple.node, &performed, &for_driver(options))
            .map_err(Failure::Driver)?;
        let (after, same) = match outcome {
            Outcome::Same(after) => (after, true),
            Outcome::New(after) => (after, false),
        };
        match action {
            Action::NextClick if after.url == live.url || !self.clicked.insert(Arc::clone(&after.url)) => {
                return Ok(None);
            }
            Action::ClickWithChange if same => return Ok(None),
            _ => {}
        }
        if same && !absolute {
            // The page is as it was: the node needs no finding. Only what was typed differs.
            let scope = if after.fields == live.fields {
                Rc::clone(&tuple.scope)
            } else {
                Rc::new(Scope::new(after, self.shared, &self.pages))
            };
            return Ok(Some(Tuple { scope, ..tuple }));
        }
        let arrived = self.arrive(after, &tuple, options)?;
        if absolute {
            return Ok(Some(arrived));
        }
        match self.find_again(&tuple, &arrived.scope)? {
            Some(node) => Ok(Some(Tuple {
                node,
                trail: tuple.trail,
                ..arrived
            })),
            None => Err(Failure::NodeLost {
                url: Arc::clone(&arrived.scope.live.url),
            }),
        }
    }

    /// The tuple at the document of a new page.
    fn arrive(&mut self, live: Live, from: &Tuple<'s>, options: &'s Options) -> Result<Tuple<'s>, Failure> {
        self.summary.pages += 1;
        let scope = Rc::new(Scope::new(live, self.shared, &self.pages));
        if let Some(until) = &options.until
            && !self.truth(until, &scope, NodeId::DOCUMENT)?
        {
            return Err(Failure::ConditionNotMet {
                url: Arc::clone(&scope.live.url),
            });
        }
        Ok(Tuple {
            scope,
            node: NodeId::DOCUMENT,
            parent: from.parent,
            last: from.last,
            trail: None,
            way: from.way,
        })
    }

    /// Finds the node that corresponds to a tuple's on a new page: the one in the same position among those that the
    /// action-free prefix gives (rule N7).
    fn find_again(&mut self, tuple: &Tuple<'s>, scope: &Rc<Scope>) -> Result<Option<NodeId>, Failure> {
        let mut taken = Vec::new();
        let mut at = tuple.trail.as_ref();
        while let Some(trail) = at {
            taken.push(trail.taken);
            at = trail.before.as_ref();
        }
        taken.reverse();
        let before = self.follow(&taken, &tuple.scope)?;
        let Ok(position) = before.binary_search(&tuple.node) else {
            return Ok(None);
        };
        Ok(self.follow(&taken, scope)?.get(position).copied())
    }

    fn follow(&mut self, taken: &[Taken<'s>], scope: &Rc<Scope>) -> Result<Vec<NodeId>, Failure> {
        let mut set = vec![NodeId::DOCUMENT];
        for taken in taken {
            let mut next = Vec::new();
            for node in set {
                match taken {
                    Taken::Walk(nodes) => next.extend(self.nodes(nodes, scope, node)?),
                    Taken::Test(truth) if self.truth(truth, scope, node)? => next.push(node),
                    Taken::Test(_) => {}
                }
            }
            next.sort_unstable();
            next.dedup();
            set = next;
        }
        Ok(set)
    }

    fn nodes(&self, nodes: &'s Nodes, scope: &Scope, node: NodeId) -> Result<Vec<NodeId>, Failure> {
        let mut memory = scope.memory.borrow_mut();
        let mut evaluator = Evaluator::new(self.shared, &scope.live.page, Some(&scope.live.url), &mut memory);
        evaluator.nodes_at(nodes, node).map_err(Failure::Eval)
    }

    fn truth(&self, truth: &'s Truth, scope: &Scope, node: NodeId) -> Result<bool, Failure> {
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

    fn text(&self, text: &'s Text, tuple: &Tuple<'s>) -> Result<String, Failure> {
        let mut memory = tuple.scope.memory.borrow_mut();
        let live = &tuple.scope.live;
        let mut evaluator = Evaluator::new(self.shared, &live.page, Some(&live.url), &mut memory);
        evaluator.text_at(text, tuple.node).map_err(Failure::Eval)
    }
}

impl<'s> Rest<'s> {
    /// What ends with the outermost repetition that counts its rounds.
    fn ends(&self) -> Ends {
        let mut outermost = None;
        let mut at = &self.0;
        while let Some(node) = at {
            if let Todo::Round { ends: Some(ends), .. } = &node.todo {
                outermost = Some(Rc::clone(ends));
            }
            at = &node.then.0;
        }
        outermost
    }

    /// The rounds done in each repetition that waits.
    fn rounds(&self) -> Vec<u32> {
        let mut rounds = Vec::new();
        let mut at = &self.0;
        while let Some(node) = at {
            if let Todo::Round { done, .. } = node.todo {
                rounds.push(done);
            }
            at = &node.then.0;
        }
        rounds
    }

    fn before(&self, todo: Todo<'s>) -> Rest<'s> {
        Rest(Some(Rc::new(RestNode {
            todo,
            then: self.clone(),
        })))
    }
}

fn for_driver(options: &Options) -> driver::Options {
    let seconds = |seconds: Option<f64>| seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    driver::Options {
        wait: seconds(options.wait),
        timeout: seconds(options.timeout),
        deadline: None,
    }
}

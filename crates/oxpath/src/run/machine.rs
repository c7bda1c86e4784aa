//! Running a program: context tuples on an explicit stack.

use super::ahead::{Ahead, Early, Hands};
use super::hash::Map;
use super::output::{Output, OutputId};
use super::program::{Action, Condition, Mark, Op, Options, Script, Test};
use super::workers::{Task, Workers};
use crate::eval::{EvalError, Evaluator, Memory};
use crate::plan::{Nodes, Shared, Text, Truth};
use page::NodeId;
use page::driver::{self, Driver, DriverError, Foresight, Live, Outcome};
use record::Record;
use std::cell::{Cell, RefCell};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long the condition of `[until=…]` is waited for, unless the expression says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Stop at the first failure instead of going on with other branches.
    pub fail_fast: bool,
    /// Pages that may still be opened, by this run and by others that share the number.
    pub pages_left: Option<Arc<AtomicUsize>>,
    /// Follow no branch further than this many pages from its start; the page that it starts with is the first.
    pub max_depth: Option<usize>,
    /// Stop at this time.
    pub deadline: Option<Instant>,
    /// Stop when this says so.
    pub stop: Option<Stop>,
}

/// Whether to stop, asked again and again while a run goes.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl Stop {
    /// Asks a function.
    pub fn when(stopped: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Arc::new(stopped))
    }

    /// Is it time?
    pub fn is_now(&self) -> bool {
        (self.0)()
    }
}

impl From<Arc<AtomicBool>> for Stop {
    /// Stops when the flag is raised.
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop::when(move || flag.load(Ordering::Relaxed))
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stop").field(&self.is_now()).finish()
    }
}

/// Why a run ended before its expression did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The consumer of records wanted no more.
    Consumer,
    /// [`RunOptions::fail_fast`].
    Failure,
    /// [`RunOptions::pages_left`].
    MaxPages,
    /// [`RunOptions::deadline`].
    Deadline,
    /// [`RunOptions::stop`].
    Stop,
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
    /// Branches that were not followed further because of [`RunOptions::max_depth`].
    pub cut: usize,
    /// Time spent waiting for the driver.
    pub waiting: Duration,
    /// Why the run ended early, if it did.
    pub ended: Option<Ended>,
}

/// Why a branch ended early.
#[derive(Clone, Debug)]
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
    /// Another page is there, so many pages from the start of its branch.
    fn page(&mut self, _depth: usize) {}
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
        self.run_by(Hands::One(driver), page, options, progress)
    }

    /// Runs the expression with several drivers at once: pages that will be needed are fetched ahead. Records and failures
    /// are the same as with one, and come in the same order.
    pub fn run_with(
        &self,
        workers: &mut Workers,
        page: Option<Live>,
        options: &RunOptions,
        progress: &mut dyn Progress,
    ) -> RunSummary {
        self.run_by(Hands::Many(workers), page, options, progress)
    }

    fn run_by<'d>(
        &self,
        hands: Hands<'d>,
        page: Option<Live>,
        options: &'d RunOptions,
        progress: &'d mut dyn Progress,
    ) -> RunSummary {
        let pages = Rc::new(PageCount::default());
        let start = page.unwrap_or_else(empty_page);
        let tuple = Tuple {
            scope: Rc::new(Scope::new(start, 0, false, &self.program.shared, &pages)),
            node: NodeId::DOCUMENT,
            parent: OutputId::ROOT,
            last: OutputId::ROOT,
            trail: None,
            way: 0,
        };
        let mut machine = Machine {
            hands,
            ahead: Ahead::default(),
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
            last_record: false,
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
    Live::new(Arc::new(page::Page::empty()), "about:blank")
}

/// What tells pages apart for the guard against circles: a hash of the address and of what was typed; and of the text,
/// where the page was not asked for by its address alone, because a pager may post to one address for ever.
type Place = u64;

/// The pages that a repetition was on, on its way to the current tuple. Tuples are taken depth first, so what was
/// entered deeper than the current one belongs to branches that are done.
#[derive(Default)]
struct Been {
    way: Vec<Place>,
    places: HashSet<Place>,
}

impl Been {
    /// Enters a page, so many pages into the way; false if the way has been there.
    fn enter(&mut self, deep: usize, place: Place) -> bool {
        for left in self.way.drain(deep.min(self.way.len())..) {
            self.places.remove(&left);
        }
        let new = self.places.insert(place);
        if new {
            self.way.push(place);
        }
        new
    }
}

/// How many pages are held, and were.
#[derive(Default)]
struct PageCount {
    made: Cell<u64>,
    now: Cell<usize>,
    most: Cell<usize>,
    /// Tables of pages that are gone, empty, for pages to come; never more than pages were held at once.
    spare: RefCell<Vec<Tables>>,
}

/// What is remembered of the tuples on a page.
#[derive(Default)]
struct Tables {
    /// Outcomes of predicates.
    tests: Map<(usize, NodeId, OutputId), bool>,
    /// Tuples that came to an operation.
    seen: Map<Station, Seen>,
    /// What was extracted.
    marks: Map<(usize, NodeId, OutputId), OutputId>,
}

impl Tables {
    /// Larger tables are not kept: one large page must not make all that follow it expensive.
    const LARGE: usize = 4096;

    fn clear(&mut self) {
        self.tests.clear();
        self.seen.clear();
        self.marks.clear();
    }

    fn is_large(&self) -> bool {
        self.tests
            .capacity()
            .max(self.seen.capacity())
            .max(self.marks.capacity())
            > Tables::LARGE
    }
}

/// What walks gave, by operation and node.
type Walked = Map<(usize, NodeId), Rc<Vec<NodeId>>>;

/// A page on the current branch, with all that is remembered about it.
pub(super) struct Scope {
    /// Different for every page of a run.
    pub(super) number: u64,
    /// How many pages from the start of its branch; the first is 1.
    pub(super) depth: usize,
    /// Was it asked for by its address and by nothing else?
    by_address: bool,
    pub(super) live: Live,
    memory: RefCell<Memory>,
    tables: RefCell<Tables>,
    /// Walks that were taken ahead of their time, by operation and node.
    pub(super) walked: RefCell<Walked>,
    /// Actions that were performed, by operation and node.
    pub(super) asked: RefCell<HashSet<(usize, NodeId)>>,
    /// The first node whose action asked for an address, by operation and address.
    askers: RefCell<HashMap<(usize, String), NodeId>>,
    pages: Rc<PageCount>,
}

impl Scope {
    fn new(live: Live, depth: usize, by_address: bool, shared: &Shared, pages: &Rc<PageCount>) -> Scope {
        pages.made.set(pages.made.get() + 1);
        pages.now.set(pages.now.get() + 1);
        pages.most.set(pages.most.get().max(pages.now.get()));
        let memory = RefCell::new(Memory::new(shared, &live.page));
        // Pages of one site are alike, so tables that need not grow again save a good part of the work on a page.
        let tables = pages.spare.borrow_mut().pop().unwrap_or_default();
        Scope {
            number: pages.made.get(),
            depth,
            by_address: by_address && !live.scripted,
            live,
            memory,
            tables: RefCell::new(tables),
            walked: RefCell::default(),
            asked: RefCell::default(),
            askers: RefCell::default(),
            pages: Rc::clone(pages),
        }
    }

    fn place(&self) -> Place {
        let mut hasher = std::hash::DefaultHasher::new();
        self.live.url.split('#').next().hash(&mut hasher);
        if !self.by_address {
            self.live.page.text().hash(&mut hasher);
        }
        if !self.live.fields.0.is_empty() {
            format!("{:?}", self.live.fields).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The first node on the page whose action asked for that address.
    pub(super) fn first_to_ask(&self, op: usize, url: &str, node: NodeId) -> NodeId {
        *self.askers.borrow_mut().entry((op, url.to_owned())).or_insert(node)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.pages.now.set(self.pages.now.get() - 1);
        let mut tables = self.tables.take();
        if !tables.is_large() {
            tables.clear();
            self.pages.spare.borrow_mut().push(tables);
        }
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
pub(super) struct Tuple<'s> {
    pub(super) scope: Rc<Scope>,
    pub(super) node: NodeId,
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
pub(super) struct Rest<'s>(pub(super) Option<Rc<RestNode<'s>>>);

pub(super) struct RestNode<'s> {
    pub(super) todo: Todo<'s>,
    pub(super) then: Rest<'s>,
}

#[derive(Clone)]
pub(super) enum Todo<'s> {
    Ops(&'s [Op]),
    Round(Round<'s>),
}

/// A repetition after so many rounds.
#[derive(Clone)]
pub(super) struct Round<'s> {
    id: usize,
    pub(super) body: &'s [Vec<Op>],
    min: u32,
    max: Option<u32>,
    done: u32,
    /// The page it is on, how many it was on before, and which.
    on: u64,
    deep: usize,
    been: Rc<RefCell<Been>>,
    ends: Ends,
}

impl Round<'_> {
    /// Has the repetition been on this page?
    pub(super) fn is_back(&self, scope: &Scope) -> bool {
        scope.number != self.on && self.been.borrow().places.contains(&scope.place())
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
type Ends = Option<Rc<RefCell<Vec<OutputId>>>>;

/// An action that is to be performed.
struct Deed<'s> {
    id: usize,
    action: &'s Action,
    performed: driver::Action,
    foresight: Foresight,
    absolute: bool,
    options: &'s Options,
}

/// What waits on the stack.
pub(super) enum Frame<'s> {
    Tuple(Rest<'s>, Tuple<'s>),
    /// The same for several nodes of one page; so many of them were looked at ahead.
    Nodes(Rest<'s>, Tuple<'s>, std::vec::IntoIter<NodeId>, usize),
    /// An output node that gets no more children once this is reached.
    End(OutputId),
    /// The same for all of a repetition.
    Ends(Rc<RefCell<Vec<OutputId>>>),
}

/// What one run has before it.
pub(super) struct Stack<'s> {
    pub(super) frames: Vec<Frame<'s>>,
    /// Where the tuples that come through are wanted: they, and the ends that must wait for them.
    collected: Option<Collected<'s>>,
}

#[derive(Default)]
struct Collected<'s> {
    tuples: Vec<Tuple<'s>>,
    ends: Vec<OutputId>,
}

pub(super) struct Machine<'s, 'd> {
    pub(super) hands: Hands<'d>,
    pub(super) ahead: Ahead<'s>,
    progress: &'d mut dyn Progress,
    pub(super) options: &'d RunOptions,
    shared: &'s Shared,
    pub(super) output: Output,
    pages: Rc<PageCount>,
    /// Where `{nextclick}` has been.
    clicked: HashSet<Arc<str>>,
    /// For each predicate that is being evaluated, the innermost last.
    ways: Vec<Ways>,
    runs: u64,
    pub(super) summary: RunSummary,
    /// Nothing more is done; only what was begun is ended.
    pub(super) stop: bool,
    /// The run stops with the record that is being made.
    pub(super) last_record: bool,
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
                _ if self.must_stop() => {}
                Frame::Nodes(rest, tuple, mut nodes, seen) => {
                    let Some(node) = nodes.next() else { continue };
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
                Frame::Tuple(rest, tuple) => match rest.0 {
                    None => {
                        if let Some(collected) = &mut stack.collected {
                            collected.tuples.push(tuple);
                        } else if let Some(ways) = self.ways.last_mut() {
                            ways.through(tuple.way);
                        }
                    }
                    Some(node) => {
                        let stepped = self.step(&node.todo, node.then.clone(), tuple, stack);
                        if let Err(failure) = stepped {
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
            if self.options.fail_fast {
                self.end_early(Ended::Failure);
            }
        }
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
        let options = self.options;
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
        for record in ready {
            if self.summary.ended == Some(Ended::Consumer) {
                return;
            }
            self.summary.records += 1;
            self.stop |= self.last_record;
            if !self.progress.record(record) {
                self.stop = true;
                self.summary.ended = Some(Ended::Consumer);
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
                self.fail(&Failure::Circle {
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
                    name: mark.name.clone(),
                    value,
                    children: Vec::new(),
                    page: Arc::clone(&tuple.scope.live.url),
                    node: tuple.node,
                };
                // A value is a leaf: what comes behind attaches to the last record.
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
        let known = tuple.scope.tables.borrow().tests.get(&key).copied();
        if let Some(answer) = known {
            return Ok(answer || test.optional);
        }
        let inside = Tuple {
            parent: tuple.last,
            ..tuple.clone()
        };
        let answer = self.condition(&test.condition, &inside)?;
        tuple.scope.tables.borrow_mut().tests.insert(key, answer);
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

    /// An action with its texts.
    fn performed(&self, action: &'s Action, tuple: &Tuple<'s>) -> Result<driver::Action, Failure> {
        Ok(match action {
            Action::Fixed(action) => action.clone(),
            Action::Type(text) => driver::Action::Type(self.text(text, tuple)?),
            Action::Select(text) => driver::Action::Select(self.text(text, tuple)?),
            Action::Press(key) => driver::Action::Press(self.text(key, tuple)?),
            Action::NextClick | Action::ClickWithChange => driver::Action::Click,
        })
    }

    /// Performs an action; none if its own rule says to go no further.
    fn act(&mut self, deed: Deed<'s>, tuple: Tuple<'s>) -> Result<Option<Tuple<'s>>, Failure> {
        let Deed {
            id,
            action,
            performed,
            foresight,
            absolute,
            options,
        } = deed;
        self.summary.actions += 1;
        let live = &tuple.scope.live;
        let depth = tuple.scope.depth + 1;
        let by_address = matches!(foresight, Foresight::Asks(_));
        tuple.scope.asked.borrow_mut().insert((id, tuple.node));
        let (after, ready, same) = match self.early(id, &tuple)? {
            Early::Here(scope) => (scope.live.clone(), Some(scope), false),
            Early::Stopped => return Ok(None),
            Early::Not => {
                let task = Task::Act(live.clone(), tuple.node, performed, self.for_driver(options));
                match self.perform(task, &foresight, tuple.scope.depth)? {
                    Some(Outcome::Same(after)) => (after, None, true),
                    Some(Outcome::New(after)) => (after, None, false),
                    None => return Ok(None),
                }
            }
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
                self.scope(after, tuple.scope.depth, tuple.scope.by_address)
            };
            return Ok(Some(Tuple { scope, ..tuple }));
        }
        let scope = ready.unwrap_or_else(|| match same {
            true => self.scope(after, tuple.scope.depth, tuple.scope.by_address),
            false => self.scope(after, depth, by_address),
        });
        if !same {
            self.count_page(&scope);
        }
        let arrived = self.arrive(scope, &tuple, options)?;
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

    fn count_page(&mut self, scope: &Scope) {
        self.summary.pages += 1;
        self.progress.page(scope.depth);
    }

    /// The tuple at the document of a new page, once the page is as it should be.
    fn arrive(&mut self, scope: Rc<Scope>, from: &Tuple<'s>, options: &'s Options) -> Result<Tuple<'s>, Failure> {
        let scope = match &options.until {
            Some(until) => self.until(until, scope, options)?,
            None => scope,
        };
        Ok(Tuple {
            scope,
            node: NodeId::DOCUMENT,
            parent: from.parent,
            last: from.last,
            trail: None,
            way: from.way,
        })
    }

    /// Waits until a condition holds on a page, for as long as the page may change by itself.
    fn until(&mut self, until: &'s Truth, mut scope: Rc<Scope>, options: &'s Options) -> Result<Rc<Scope>, Failure> {
        let start = Instant::now();
        let mut asked = self.for_driver(options);
        // The wait is over; from here on it is the condition that counts.
        asked.wait = None;
        let patience = asked.timeout.unwrap_or(PATIENCE);
        loop {
            if self.truth(until, &scope, NodeId::DOCUMENT)? {
                return Ok(scope);
            }
            asked.timeout = Some(patience.saturating_sub(start.elapsed()));
            let task = Task::Watch(scope.live.clone(), asked.clone());
            match self.perform(task, &Foresight::Stays, scope.depth)? {
                Some(Outcome::New(live)) => scope = self.scope(live, scope.depth, false),
                _ => {
                    return Err(Failure::ConditionNotMet {
                        url: Arc::clone(&scope.live.url),
                    });
                }
            }
        }
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

    fn text(&self, text: &'s Text, tuple: &Tuple<'s>) -> Result<String, Failure> {
        let mut memory = tuple.scope.memory.borrow_mut();
        let live = &tuple.scope.live;
        let mut evaluator = Evaluator::new(self.shared, &live.page, Some(&live.url), &mut memory);
        evaluator.text_at(text, tuple.node).map_err(Failure::Eval)
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
    fn ends(&self) -> Ends {
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
    fn rounds(&self) -> Vec<u32> {
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

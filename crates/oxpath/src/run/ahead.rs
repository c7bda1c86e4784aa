//! Fetching ahead: pages that the machine will ask for are fetched while it works on something else.
//!
//! The machine takes one tuple after the other, so records come in document order whatever happens here. But its stack
//! shows what it will do next: the nodes of a page that wait, and the operations to come for each of them. *Looking ahead*
//! walks along these operations without extracting anything, up to the first actions, and orders the pages of these
//! actions from the [`Workers`]. When an ordered page arrives early, the operations after the action are looked at on that
//! page, too. The results of the walks are kept for the machine, so nothing is evaluated twice.
//!
//! An action is ordered only if the driver says that it changes nothing (links, forms sent by GET), and only if the machine
//! will probably come to it: not after a predicate whose own actions are still to be performed. After an action that may
//! change something, such as a POST, all earlier orders are forgotten, so a page is never older than it would be with one
//! worker. Two kinds of orders are wasted: those that are still open when a run ends early, and the successors of a page
//! that turns out to be a repetition.
//!
//! **Memory**: for each action in the expression, the number of waiting pages is at most the number of workers, not counting
//! pages nearer to the start of the branch. So a run keeps at most workers × actions × depth pages more than with one
//! worker, where depth is how often an action is nested in itself. Pages nearer to the start are not counted because they
//! wait long: they were ordered first, and would leave no room for the pages that are needed next. Orders from pages that
//! wait themselves get only the room that nothing else needs; otherwise a pager would be followed to its end.
//!
//! **Limits**: an order takes its page from the pages that a run may still open, so a run with a limit asks for no more
//! pages than with one worker. One page is always left for what the machine does now. If the machine needs more than that
//! before it comes to what was ordered, the last order is withdrawn, and may have been fetched in vain.
//!
//! Known failures: an order whose tuple turns out to be a repetition of another is kept until its page is freed.

use super::failure::Failure;
use super::frame::{Frame, Rest, Stack, Todo, Tuple};
use super::hash::Map;
use super::machine::Machine;
use super::program::{Action, Condition, Op, Options, Test};
use super::scope::Scope;
use super::summary::Ended;
use super::workers::{Task, Workers};
use page::NodeId;
use page::driver::{self, Driver, Foresight, Outcome};
use std::rc::{Rc, Weak};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// How long a worker is waited for before looking whether the run was stopped.
const PATIENCE: Duration = Duration::from_millis(50);
/// Operations that are looked at for one node: enough for any expression that a person wrote.
const FUEL: usize = 200;
/// Frames of the stack that are looked at: more than any expression nests.
const FRAMES: usize = 64;

/// Who does what the machine asks for.
pub(super) enum Hands<'d> {
    One(&'d mut dyn Driver),
    Many(&'d mut Workers),
}

/// What is ordered: an action, by its operation, on a node of a page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    page: u64,
    node: NodeId,
    op: usize,
}

/// What was ordered and not yet asked for.
#[derive(Default)]
pub(super) struct Ahead<'s> {
    orders: Map<Key, Order<'s>>,
    numbers: Map<u64, Key>,
    /// How many wait for their turn, by operation and depth.
    waiting: Map<(usize, usize), usize>,
    /// Is it a page that waits itself that is being looked at?
    beyond: bool,
    /// Is it the body of a repetition that is being looked at?
    repeated: bool,
    /// Orders that there was no room for.
    refused: usize,
}

impl Ahead<'_> {
    /// How many were ordered.
    pub(super) fn len(&self) -> usize {
        self.orders.len()
    }
}

struct Order<'s> {
    number: u64,
    depth: usize,
    /// The page that the action is on; once it is gone, no tuple can ask.
    from: Weak<Scope>,
    /// What comes after the action, where that is known to begin at the new page's root.
    then: Option<Rest<'s>>,
    state: State,
}

impl Order<'_> {
    fn is_open(&self) -> bool {
        matches!(self.state, State::Ordered)
    }
}

enum State {
    Ordered,
    Here(Rc<Scope>),
    /// The action failed, or stayed on its page: the tuple that asks gets this.
    Other(Result<Outcome, driver::DriverError>),
}

/// What became of an action that may have been ordered.
pub(super) enum Early {
    Here(Rc<Scope>),
    Not,
    Stopped,
}

impl<'s> Machine<'s, '_> {
    pub(super) fn for_driver(&self, options: &Options) -> driver::Options {
        let seconds = |seconds: Option<f64>| seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        driver::Options {
            wait: seconds(options.wait),
            timeout: seconds(options.timeout),
            deadline: self.options.deadline,
            noback: options.noback,
            run: self.options.run,
        }
    }

    /// What an action would do.
    pub(super) fn foresee(&self, scope: &Scope, node: NodeId, action: &driver::Action) -> Foresight {
        match &self.hands {
            Hands::One(driver) => driver.foresee(&scope.live, node, action),
            Hands::Many(workers) => workers.foresee(&scope.live, node, action),
        }
    }

    /// Has the driver do something; nothing if the run is to go no further. `depth` is that of the page acted on.
    pub(super) fn perform(
        &mut self,
        task: Task,
        foresight: &Foresight,
        depth: usize,
    ) -> Result<Option<Outcome>, Failure> {
        if *foresight != Foresight::Stays && !self.may_go(depth) {
            return Ok(None);
        }
        let start = Instant::now();
        let outcome = match &mut self.hands {
            Hands::One(driver) => Some(task.perform(*driver)),
            Hands::Many(workers) => {
                let number = workers.order(task, true);
                self.wait_for(number)
            }
        };
        self.summary.waiting += start.elapsed();
        match (&outcome, foresight) {
            // It came to no page after all.
            (Some(Ok(Outcome::Same(_))), Foresight::Unknown | Foresight::Asks(_)) => {
                if let Some(left) = &self.options.pages_left {
                    left.fetch_add(1, Relaxed);
                }
            }
            // What was fetched before something was changed may be different now.
            (Some(Ok(Outcome::New(_))), Foresight::Unknown) => self.forget_orders(),
            _ => {}
        }
        match outcome {
            // What the end of the run cut off did not fail.
            Some(Err(_)) if self.must_end() => Ok(None),
            outcome => outcome.transpose().map_err(Failure::Driver),
        }
    }

    /// Forgets everything that was ordered: a tuple that needs it asks again.
    pub(super) fn forget_orders(&mut self) {
        if let Hands::Many(workers) = &self.hands {
            workers.cancel();
            let ahead = std::mem::take(&mut self.ahead);
            self.give_back(ahead.orders.len());
        }
    }

    /// Gives back pages that were taken from the limit and not used.
    fn give_back(&self, pages: usize) {
        if let Some(left) = &self.options.pages_left {
            left.fetch_add(pages, Relaxed);
        }
    }

    /// Takes a page from the limit, if there is one, unless no more than `kept` are left.
    fn take_page(&self, kept: usize) -> bool {
        let Some(left) = &self.options.pages_left else {
            return true;
        };
        let take = |left: usize| (left > kept).then(|| left - 1);
        left.fetch_update(Relaxed, Relaxed, take).is_ok()
    }

    /// Withdraws the last order, and takes over the page that it took from the limit; false if there is none.
    fn withdraw_order(&mut self) -> bool {
        let last = self.ahead.orders.iter().max_by_key(|(_, order)| order.number);
        let Some((key, number)) = last.map(|(key, order)| (*key, order.number)) else {
            return false;
        };
        if let Hands::Many(workers) = &self.hands {
            workers.withdraw(number);
        }
        self.ahead.forget(&key).is_some()
    }

    /// The page of an action that was ordered.
    pub(super) fn early(&mut self, op: usize, tuple: &Tuple<'s>) -> Result<Early, Failure> {
        let key = Key {
            page: tuple.scope.number,
            node: tuple.node,
            op,
        };
        let Some((number, ordered)) = self.ahead.orders.get(&key).map(|order| (order.number, order.is_open())) else {
            return Ok(Early::Not);
        };
        if !self.may_leave(tuple.scope.depth) {
            return Ok(Early::Stopped);
        }
        let start = Instant::now();
        if ordered && let Hands::Many(workers) = &self.hands {
            workers.hurry(number);
        }
        while self.ahead.orders.get(&key).is_some_and(Order::is_open) {
            if !self.take_answer(PATIENCE) && self.must_end() {
                return Ok(Early::Stopped);
            }
        }
        self.summary.waiting += start.elapsed();
        match self.ahead.forget(&key).map(|order| order.state) {
            Some(State::Here(scope)) => Ok(Early::Here(scope)),
            Some(State::Other(Err(_))) if self.must_end() => Ok(Early::Stopped),
            Some(State::Other(Err(error))) => Err(Failure::Driver(error)),
            Some(_) => {
                self.give_back(1);
                Ok(Early::Not)
            }
            None => Ok(Early::Not),
        }
    }

    /// May another page be opened from one at this depth? If so, it is taken from the limit.
    fn may_go(&mut self, depth: usize) -> bool {
        if !self.may_leave(depth) {
            return false;
        }
        if !self.take_page(0) && !self.withdraw_order() {
            self.end_early(Ended::MaxPages);
            return false;
        }
        true
    }

    /// May a page at this depth be left for another one, whatever the limit on pages?
    fn may_leave(&mut self, depth: usize) -> bool {
        if self.options.max_depth.is_some_and(|most| depth >= most) {
            self.summary.cut += 1;
            return false;
        }
        !self.must_end()
    }

    fn wait_for(&mut self, number: u64) -> Option<Result<Outcome, driver::DriverError>> {
        loop {
            let Hands::Many(workers) = &self.hands else { return None };
            match workers.answer(PATIENCE) {
                Some((answered, outcome)) if answered == number => return Some(outcome),
                Some((answered, outcome)) => self.keep(answered, outcome),
                None if self.must_end() => return None,
                None => {}
            }
        }
    }

    /// Waits a little for an answer; was there one?
    fn take_answer(&mut self, patience: Duration) -> bool {
        let Hands::Many(workers) = &self.hands else {
            return false;
        };
        match workers.answer(patience) {
            Some((number, outcome)) => {
                self.keep(number, outcome);
                true
            }
            None => false,
        }
    }

    /// Keeps a page until its turn, and looks further ahead on it.
    fn keep(&mut self, number: u64, outcome: Result<Outcome, driver::DriverError>) {
        let Some(key) = self.ahead.numbers.remove(&number) else {
            return;
        };
        let Some(order) = self.ahead.orders.get_mut(&key) else {
            return;
        };
        let live = match outcome {
            Ok(Outcome::New(live)) => live,
            other => {
                order.state = State::Other(other);
                return;
            }
        };
        let (depth, then) = (order.depth, order.then.clone());
        let scope = self.scope(live, depth, true);
        if let Some(order) = self.ahead.orders.get_mut(&key) {
            order.state = State::Here(Rc::clone(&scope));
        }
        if let Some(then) = then {
            self.ahead.beyond = true;
            self.scout(&then, &scope, NodeId::DOCUMENT, &mut FUEL.clone());
            self.ahead.beyond = false;
        }
    }

    /// Orders what the stack will ask for, as far as there is room.
    pub(super) fn look_ahead(&mut self, stack: &mut Stack<'s>) {
        if !matches!(&self.hands, Hands::Many(workers) if workers.size() > 1) {
            return;
        }
        while self.take_answer(Duration::ZERO) {}
        for frame in stack.frames.iter_mut().rev().take(FRAMES) {
            let Frame::Nodes(rest, tuple, nodes, seen) = frame else {
                continue;
            };
            if !acts_later(rest) {
                continue;
            }
            while let Some(node) = nodes.as_slice().get(*seen) {
                let refused = self.ahead.refused;
                self.scout(rest, &tuple.scope, *node, &mut FUEL.clone());
                if self.ahead.refused > refused {
                    // There is no room for all of it; what was ordered stays so, the rest is tried again later.
                    break;
                }
                *seen += 1;
            }
        }
    }

    /// May another page of this operation wait for its turn at this depth?
    fn has_room(&mut self, op: usize, depth: usize) -> bool {
        let Hands::Many(workers) = &self.hands else {
            return false;
        };
        let most = workers.size();
        if self.ahead.waiting(op, depth) >= most {
            let forgotten = self.ahead.forget_orphans();
            self.give_back(forgotten);
        }
        self.ahead.waiting(op, depth) < most
    }

    /// Looks along what is left to do for a node, up to the first actions.
    fn scout(&mut self, rest: &Rest<'s>, scope: &Rc<Scope>, node: NodeId, fuel: &mut usize) {
        let Some(todo) = &rest.0 else { return };
        match &todo.todo {
            Todo::Ops(ops) => self.scout_ops(ops, &todo.then, scope, node, fuel),
            Todo::Round(round) => {
                if round.is_back(scope) {
                    return;
                }
                if round.may_end() {
                    self.scout(&todo.then, scope, node, fuel);
                }
                if round.may_go_on() {
                    for branch in round.body {
                        self.scout_ops(branch, rest, scope, node, fuel);
                    }
                }
            }
            Todo::Again(again) => {
                let rest = todo.then.before(Todo::Round(again.next.clone()));
                for branch in again.next.body {
                    self.scout_ops(branch, &rest, scope, node, fuel);
                }
            }
        }
    }

    fn scout_ops(&mut self, ops: &'s [Op], then: &Rest<'s>, scope: &Rc<Scope>, node: NodeId, fuel: &mut usize) {
        let Some((op, after)) = ops.split_first() else {
            return self.scout(then, scope, node, fuel);
        };
        if *fuel == 0 || (!ops.iter().any(acts) && !acts_later(then)) {
            return;
        }
        *fuel -= 1;
        match op {
            Op::Walk { id, nodes, .. } => {
                let key = (*id, node);
                let known = scope.walked.borrow().get(&key).cloned();
                let found = match known {
                    Some(found) => found,
                    None => {
                        // What cannot be evaluated is reported when its turn comes.
                        let Ok(found) = self.nodes(nodes, scope, node) else {
                            return;
                        };
                        let found = Rc::new(found);
                        scope.walked.borrow_mut().insert(key, Rc::clone(&found));
                        found
                    }
                };
                let refused = self.ahead.refused;
                for &node in found.iter() {
                    if *fuel == 0 || self.ahead.refused > refused {
                        return;
                    }
                    self.scout_ops(after, then, scope, node, fuel);
                }
            }
            Op::Act {
                id,
                action,
                absolute,
                options,
            } => {
                // The others go on only to some pages, which is decided when their turn comes.
                let follows = *absolute && !matches!(action, Action::NextClick | Action::ClickWithChange);
                let then = follows.then(|| then.before(Todo::Ops(after)));
                self.order(*id, action, options, then, scope, node);
            }
            Op::Mark(mark) => {
                for test in &mark.tests {
                    if !self.scout_test(test, scope, node, fuel) {
                        return;
                    }
                }
                self.scout_ops(after, then, scope, node, fuel);
            }
            Op::Test(test) => {
                if self.scout_test(test, scope, node, fuel) {
                    self.scout_ops(after, then, scope, node, fuel);
                }
            }
            Op::Loop { body, min, .. } => {
                if *min == 0 {
                    self.scout_ops(after, then, scope, node, fuel);
                }
                // What comes after a round is not known here, so nothing is looked at beyond its first action.
                let repeated = std::mem::replace(&mut self.ahead.repeated, true);
                for branch in body {
                    self.scout_ops(branch, &Rest(None), scope, node, fuel);
                }
                self.ahead.repeated = repeated;
            }
            Op::Doc { .. } | Op::Choose { .. } => {}
        }
    }

    /// Looks into a predicate; is it certain that the node passes it?
    fn scout_test(&mut self, test: &'s Test, scope: &Rc<Scope>, node: NodeId, fuel: &mut usize) -> bool {
        if let Some(truth) = &test.simple {
            return test.optional || self.truth(truth, scope, node).unwrap_or(false);
        }
        self.scout_condition(&test.condition, scope, node, fuel);
        test.optional
    }

    fn scout_condition(&mut self, condition: &'s Condition, scope: &Rc<Scope>, node: NodeId, fuel: &mut usize) {
        match condition {
            Condition::Simple(_) => {}
            Condition::Path(ops) => self.scout_ops(ops, &Rest(None), scope, node, fuel),
            Condition::Any(parts) | Condition::All(parts) => {
                for part in parts {
                    self.scout_condition(part, scope, node, fuel);
                }
            }
        }
    }

    fn order(
        &mut self,
        op: usize,
        action: &'s Action,
        options: &'s Options,
        then: Option<Rest<'s>>,
        scope: &Rc<Scope>,
        node: NodeId,
    ) {
        let repeated = self.ahead.repeated || then.as_ref().is_some_and(Rest::is_repeated);
        let page = scope.number;
        let key = Key { page, node, op };
        let depth = scope.depth + 1;
        if self.ahead.orders.contains_key(&key)
            || scope.asked.borrow().contains(&(op, node))
            || self.options.max_depth.is_some_and(|deepest| depth > deepest)
        {
            return;
        }
        if !self.has_room(op, depth) {
            self.ahead.refused += 1;
            return;
        }
        let performed = match action {
            Action::Fixed(action) => action.clone(),
            Action::NextClick | Action::ClickWithChange => driver::Action::Click,
            Action::Type(_)
            | Action::Select(_)
            | Action::Press(_)
            | Action::KeyDown(_)
            | Action::KeyUp(_)
            | Action::Drag(_) => return,
        };
        let options = self.for_driver(options);
        let Hands::Many(workers) = &mut self.hands else { return };
        let Foresight::Asks(url) = workers.foresee(&scope.live, node, &performed) else {
            return;
        };
        if repeated && scope.first_to_ask(op, &url, node) != node {
            return;
        }
        // The node that the machine is at comes first, and is not looked at ahead.
        if !self.take_page(1) {
            self.ahead.refused += 1;
            return;
        }
        let Hands::Many(workers) = &mut self.hands else { return };
        let number = workers.order(Task::Act(scope.live.clone(), node, performed, options), false);
        self.ahead.numbers.insert(number, key);
        *self.ahead.waiting.entry((op, depth)).or_default() += 1;
        let order = Order {
            number,
            depth,
            from: Rc::downgrade(scope),
            then,
            state: State::Ordered,
        };
        self.ahead.orders.insert(key, order);
    }
}

impl<'s> Ahead<'s> {
    /// How many take up the room that an order at this depth would need: those of its depth and deeper, which are needed
    /// sooner; all of them where the page itself waits.
    fn waiting(&self, op: usize, depth: usize) -> usize {
        let blocks = |(waiting, at): &(usize, usize)| *waiting == op && (self.beyond || *at >= depth);
        let blocking = self.waiting.iter().filter(|(place, _)| blocks(place));
        blocking.map(|(_, count)| count).sum()
    }

    fn forget(&mut self, key: &Key) -> Option<Order<'s>> {
        let order = self.orders.remove(key)?;
        self.numbers.remove(&order.number);
        let place = (key.op, order.depth);
        if let Some(waiting) = self.waiting.get_mut(&place) {
            *waiting -= 1;
            if *waiting == 0 {
                self.waiting.remove(&place);
            }
        }
        Some(order)
    }

    /// Forgets the orders of pages that are gone; how many were there?
    fn forget_orphans(&mut self) -> usize {
        let mut orphans: Vec<Key> = self
            .orders
            .iter()
            .filter(|(_, order)| order.from.strong_count() == 0)
            .map(|(key, _)| *key)
            .collect();
        orphans.sort_unstable();
        for key in &orphans {
            self.forget(key);
        }
        orphans.len()
    }
}

/// Is there an action in what is left to do?
fn acts_later(rest: &Rest<'_>) -> bool {
    let mut at = &rest.0;
    while let Some(node) = at {
        let here = match &node.todo {
            Todo::Ops(ops) => ops.iter().any(acts),
            Todo::Round(round) => round.body.iter().flatten().any(acts),
            Todo::Again(again) => again.next.body.iter().flatten().any(acts),
        };
        if here {
            return true;
        }
        at = &node.then.0;
    }
    false
}

fn acts(op: &Op) -> bool {
    match op {
        Op::Act { .. } => true,
        Op::Walk { .. } | Op::Doc { .. } => false,
        Op::Mark(mark) => mark.tests.iter().any(|test| condition_acts(&test.condition)),
        Op::Test(test) => condition_acts(&test.condition),
        Op::Loop { body, .. } | Op::Choose { body, .. } => body.iter().flatten().any(acts),
    }
}

fn condition_acts(condition: &Condition) -> bool {
    match condition {
        Condition::Simple(_) => false,
        Condition::Path(ops) => ops.iter().any(acts),
        Condition::Any(parts) | Condition::All(parts) => parts.iter().any(condition_acts),
    }
}

//! Drivers on threads of their own, so that pages are fetched and parsed while others are evaluated.
//!
//! The machine stays where it is and takes one tuple at a time; what goes to other threads is what waits for a network.
//! Orders are numbered; answers come back in any order and are kept until somebody asks for them. Threads are never joined: a run that
//! ends early leaves a worker with the page it waits for, and the worker ends when that page is there or given up.

use page::NodeId;
use page::driver::{Action, Driver, DriverError, FailureKind, Foresight, Live, Options, Outcome};
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Something to ask of a driver.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Open an address: the user's, or that of a page.
    Open(String, Option<Live>, Options),
    Act(Live, NodeId, Action, Options),
    /// Wait for a page to change by itself.
    Watch(Live, Options),
    /// Note that a branch failed on a page, for this kind of reason.
    Failed(Live, &'static str),
}

impl Task {
    pub(super) fn perform(self, driver: &mut dyn Driver) -> Result<Outcome, DriverError> {
        match self {
            Task::Open(url, None, options) => driver.open(&url, &options).map(Outcome::New),
            Task::Open(url, Some(from), options) => driver.open_from(&url, &from, &options).map(Outcome::New),
            Task::Act(live, node, action, options) => driver.act(&live, node, &action, &options),
            Task::Watch(live, options) => driver.watch(&live, &options),
            Task::Failed(live, kind) => {
                driver.failed(&live, kind);
                Ok(Outcome::Same(live))
            }
        }
    }
}

pub(super) type Answer = (u64, Result<Outcome, DriverError>);

/// Drivers that work at once, each on a thread of its own.
pub struct Workers {
    orders: Arc<Orders>,
    answers: Receiver<Answer>,
    /// Answers questions that need no network.
    adviser: Box<dyn Driver + Send>,
    size: usize,
    made: u64,
}

struct Orders {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(u64, Task)>,
    closed: bool,
}

impl Workers {
    /// Workers that each take a driver made by `driver`: as many as `size`, or fewer if the system gives no more threads, but
    /// at least one.
    ///
    /// # Errors
    ///
    /// The system gives no thread at all.
    pub fn new(size: usize, driver: impl Fn() -> Box<dyn Driver + Send>) -> io::Result<Workers> {
        let size = size.max(1);
        let orders = Arc::new(Orders {
            queue: Mutex::default(),
            changed: Condvar::new(),
        });
        let (sender, answers) = channel();
        let mut started = 0;
        for _ in 0..size {
            let (orders, sender, driver) = (Arc::clone(&orders), sender.clone(), driver());
            match std::thread::Builder::new().spawn(move || work(&orders, &sender, driver)) {
                Ok(_) => started += 1,
                Err(error) if started == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(Workers {
            orders,
            answers,
            adviser: driver(),
            size: started,
            made: 0,
        })
    }

    /// How many work at once.
    pub fn size(&self) -> usize {
        self.size
    }

    pub(super) fn foresee(&self, live: &Live, node: NodeId, action: &Action) -> Foresight {
        self.adviser.foresee(live, node, action)
    }

    /// Forgets the orders that no worker has taken yet.
    pub(super) fn cancel(&self) {
        self.orders.lock().waiting.clear();
    }

    /// Orders a task; an urgent one goes before all others.
    pub(super) fn order(&mut self, task: Task, urgent: bool) -> u64 {
        self.made += 1;
        let mut queue = self.orders.lock();
        if urgent {
            queue.waiting.push_front((self.made, task));
        } else {
            queue.waiting.push_back((self.made, task));
        }
        drop(queue);
        self.orders.changed.notify_one();
        self.made
    }

    /// Withdraws an order, if no worker has taken it yet.
    pub(super) fn withdraw(&self, order: u64) {
        self.orders.lock().waiting.retain(|(number, _)| *number != order);
    }

    /// Moves an order before all others, if no worker has taken it yet.
    pub(super) fn hurry(&self, order: u64) {
        let mut queue = self.orders.lock();
        if let Some(at) = queue.waiting.iter().position(|(number, _)| *number == order)
            && let Some(order) = queue.waiting.remove(at)
        {
            queue.waiting.push_front(order);
        }
    }

    /// The next answer, if there is one in that time.
    pub(super) fn answer(&self, within: Duration) -> Option<Answer> {
        self.answers.recv_timeout(within).ok()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let mut queue = self.orders.lock();
        queue.closed = true;
        queue.waiting.clear();
        drop(queue);
        self.orders.changed.notify_all();
    }
}

impl Orders {
    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<(u64, Task)> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(order) = queue.waiting.pop_front() {
                return Some(order);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work(orders: &Orders, answers: &Sender<Answer>, mut driver: Box<dyn Driver + Send>) {
    while let Some((number, task)) = orders.next() {
        // A driver that panics is a bug, but without an answer the machine would wait forever.
        let answer = catch_unwind(AssertUnwindSafe(|| task.perform(driver.as_mut())));
        let gone = || Err(DriverError::new(FailureKind::Other, "the driver panicked on this page"));
        if answers.send((number, answer.unwrap_or_else(|_| gone()))).is_err() {
            return;
        }
    }
}

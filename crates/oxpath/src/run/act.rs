//! Actions: performing them, and finding the place where the run goes on.

use super::ahead::Early;
use super::failure::Failure;
use super::frame::{Taken, Tuple};
use super::hints::ScriptedPage;
use super::machine::Machine;
use super::program::{Action, Options};
use super::progress::Event;
use super::scope::Scope;
use super::workers::Task;
use crate::plan::Truth;
use page::driver::{self, Acted, FailureKind, Foresight, Outcome};
use page::{Kind, NodeId};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for the condition of `[until=…]`, unless the expression says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// An action that is to be performed.
pub(super) struct Deed<'s> {
    pub(super) id: usize,
    pub(super) action: &'s Action,
    pub(super) performed: driver::Action,
    pub(super) foresight: Foresight,
    pub(super) absolute: bool,
    pub(super) options: &'s Options,
}

impl<'s> Machine<'s, '_> {
    /// An action with its texts.
    pub(super) fn performed(&self, action: &'s Action, tuple: &Tuple<'s>) -> Result<driver::Action, Failure> {
        Ok(match action {
            Action::Fixed(action) => action.clone(),
            Action::Type(text) => driver::Action::Type(self.text(text, tuple)?),
            Action::Select(text) => driver::Action::Select(self.text(text, tuple)?),
            Action::Press(key) => driver::Action::Press(self.text(key, tuple)?),
            Action::KeyDown(key) => driver::Action::KeyDown(self.text(key, tuple)?),
            Action::KeyUp(key) => driver::Action::KeyUp(self.text(key, tuple)?),
            Action::Drag(by) => driver::Action::Drag(self.text(by, tuple)?),
            Action::NextClick | Action::ClickWithChange => driver::Action::Click,
        })
    }

    /// Performs an action; none if its own rule says to go no further.
    pub(super) fn act(&mut self, deed: Deed<'s>, tuple: Tuple<'s>) -> Result<Option<Tuple<'s>>, Failure> {
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
        if same && !absolute && options.until.is_none() {
            // The page is as it was: the node needs no finding. Only what was typed differs.
            let scope = if after.fields == live.fields {
                Rc::clone(&tuple.scope)
            } else {
                self.scope(after, tuple.scope.depth, tuple.scope.by_address)
            };
            return Ok(Some(Tuple { scope, ..tuple }));
        }
        let scope = ready.unwrap_or_else(|| match same {
            true if !absolute && after.fields == live.fields => Rc::clone(&tuple.scope),
            true => self.scope(after, tuple.scope.depth, tuple.scope.by_address),
            false => self.scope(after, depth, by_address),
        });
        if !same {
            self.count_page(&scope);
        }
        let arrived = self.arrive(scope, &tuple, true, options)?;
        if absolute {
            return Ok(Some(arrived));
        }
        match self.acted_on(&tuple, &arrived.scope)? {
            Some(node) => Ok(Some(Tuple {
                node,
                trail: tuple.trail,
                ..arrived
            })),
            None => {
                let lost = Failure::NodeLost {
                    url: Arc::clone(&arrived.scope.live.url),
                };
                self.tell_driver(&arrived.scope, "node-lost");
                Err(lost)
            }
        }
    }

    /// The node that was acted on, on the page after the action.
    fn acted_on(&mut self, tuple: &Tuple<'s>, scope: &Rc<Scope>) -> Result<Option<NodeId>, Failure> {
        let before = &tuple.scope.live.page;
        if Arc::ptr_eq(before, &scope.live.page) {
            return Ok(Some(tuple.node));
        }
        match scope.live.acted {
            Acted::At(element) if before.kind(tuple.node) == Kind::Element => Ok(Some(element)),
            Acted::Gone => Ok(None),
            _ => self.find_again(tuple, scope),
        }
    }

    /// Tells the driver that a branch fails on a page.
    fn tell_driver(&mut self, scope: &Scope, kind: &'static str) {
        let task = Task::Failed(scope.live.clone(), kind);
        // There is nothing more to be done if this fails, too.
        let _ = self.perform(task, &Foresight::Stays, scope.depth);
    }

    pub(super) fn count_page(&mut self, scope: &Scope) {
        self.summary.pages += 1;
        let summary = &mut self.summary;
        // A browser runs scripts, and its pages last.
        if summary.records == 0 && summary.scripted.is_none() && scope.live.lasting.is_none() {
            summary.scripted = ScriptedPage::of(&scope.live.page, &scope.live.url);
        }
        self.events.push_back(Event::Page { depth: scope.depth });
    }

    /// The tuple at the document of a new page, once the page is as it should be. With `acted`, an action on the node of
    /// the tuple `from` led there.
    pub(super) fn arrive(
        &mut self,
        scope: Rc<Scope>,
        from: &Tuple<'s>,
        acted: bool,
        options: &'s Options,
    ) -> Result<Tuple<'s>, Failure> {
        let scope = match &options.until {
            Some(until) => self.until(until, scope, acted.then_some(from), options)?,
            None => scope,
        };
        Ok(Tuple {
            scope,
            node: NodeId::DOCUMENT,
            parent: from.parent,
            last: from.last,
            trail: None,
            way: from.way,
            news: None,
        })
    }

    /// Waits until a condition holds on a page, for as long as the page may change by itself. The condition sees the node
    /// that was acted on as `$this`.
    fn until(
        &mut self,
        until: &'s Truth,
        mut scope: Rc<Scope>,
        acted: Option<&Tuple<'s>>,
        options: &'s Options,
    ) -> Result<Rc<Scope>, Failure> {
        let start = Instant::now();
        let mut asked = self.for_driver(options);
        // The wait is over; from here on it is the condition that counts.
        asked.wait = None;
        let patience = asked.timeout.unwrap_or(PATIENCE);
        loop {
            let this = match acted {
                Some(tuple) => self.acted_on(tuple, &scope)?,
                None => None,
            };
            if self.truth_with(until, &scope, this)? {
                return Ok(scope);
            }
            let left = patience.saturating_sub(start.elapsed());
            asked.timeout = Some(left);
            let task = Task::Watch(scope.live.clone(), asked.clone());
            let changed = match left.is_zero() {
                true => None,
                false => match self.perform(task, &Foresight::Stays, scope.depth) {
                    // It was the condition that the time was for.
                    Err(Failure::Driver(error)) if error.kind == FailureKind::Timeout => None,
                    changed => changed?,
                },
            };
            match changed {
                Some(Outcome::New(live)) => scope = self.scope(live, scope.depth, false),
                _ => {
                    let waited = (start.elapsed() >= patience).then_some(patience);
                    self.tell_driver(&scope, "condition-not-met");
                    return Err(Failure::ConditionNotMet {
                        url: Arc::clone(&scope.live.url),
                        waited,
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
}

//! Extraction: markers, their predicates, and choices by position.
//!
//! A predicate with actions or markers inside is evaluated once for each tuple. Its frame ([`Testing`]) collects the
//! answers of its parts; for each path among them the machine opens a stack of its own above the frame.

use super::failure::Failure;
use super::frame::{
    After, Choosing, Collected, Frame, Marking, Purpose, Rest, Stack, Taken, Testing, Todo, Trail, Tuple, Ways,
};
use super::hints::SkippedFields;
use super::machine::Machine;
use super::program::{Condition, Mark, Op, Test};
use crate::address;
use crate::plan::Truth;
use record::Record;
use std::cell::Cell;
use std::rc::Rc;

impl<'s> Machine<'s, '_> {
    pub(super) fn mark(
        &mut self,
        mark: &'s Mark,
        rest: Rest<'s>,
        tuple: Tuple<'s>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
        let key = (mark.id, tuple.node, tuple.parent);
        let known = tuple.scope.tables.borrow().marks.get(&key).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let value = match &mark.value {
                    Some(value) => {
                        let mut text = self.text(value, &tuple)?;
                        // What is no date of its format is kept, so that whoever writes the record can tell of it.
                        if let Some(source) = value.undated().filter(|_| text.is_empty()) {
                            text = self.text(source, &tuple)?;
                        }
                        Some(self.whole(text, &tuple))
                    }
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
            failures: self.summary.failures,
        };
        self.go_on_marking(marking, stack);
        Ok(())
    }

    /// The value, absolute if it is an address and that was asked for.
    fn whole(&self, value: String, tuple: &Tuple<'s>) -> String {
        let live = &tuple.scope.live;
        if !self.options.whole_addresses || !address::is_address(&live.page, tuple.node, &value) {
            return value;
        }
        let base = address::base(&live.url, live.page.base_href());
        base.and_then(|base| address::absolute(&base, &value)).unwrap_or(value)
    }

    /// Goes on with the predicates of a marker, up to one that must be evaluated.
    fn go_on_marking(&mut self, mut marking: Marking<'s>, stack: &mut Stack<'s>) {
        while let Some(test) = marking.mark.tests.get(marking.passed) {
            match recall(test, &marking.next) {
                Some(true) => marking.passed += 1,
                Some(false) => {
                    self.note_skipped(&marking);
                    return self.marked(marking, false, stack);
                }
                None => {
                    let inside = marking.next.clone();
                    return begin_test(test, inside, After::Mark(marking), stack);
                }
            }
        }
        self.marked(marking, true, stack);
    }

    /// Notes the fields that a record lacks because the present predicate of its marker is false.
    fn note_skipped(&mut self, marking: &Marking<'s>) {
        // A predicate that failed, or that the end of the run cut off, says nothing about its page.
        let is_sure = self.summary.ended.is_none() && self.summary.failures == marking.failures;
        if marking.known || !is_sure || marking.passed + 1 >= marking.mark.tests.len() {
            return;
        }
        if let Some(skipped) = SkippedFields::of(marking.mark, marking.passed) {
            self.summary.add_skipped(&skipped);
        }
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
    pub(super) fn go_on_testing(
        &mut self,
        mut testing: Box<Testing<'s>>,
        stack: &mut Stack<'s>,
    ) -> Result<(), Failure> {
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
            After::Mark(marking) if !passes => {
                self.note_skipped(&marking);
                self.marked(marking, false, stack);
            }
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
    pub(super) fn collect(
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
    pub(super) fn choose(&mut self, choosing: Choosing<'s>, stack: &mut Stack<'s>) -> Result<(), Failure> {
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
}

/// What is known of a predicate at a tuple.
pub(super) fn recall(test: &Test, tuple: &Tuple<'_>) -> Option<bool> {
    let key = (test.id, tuple.node, tuple.last);
    let known = tuple.scope.tables.borrow().tests.get(&key).copied();
    known.map(|holds| holds || test.optional)
}

/// Puts a predicate on the stack, to be evaluated next.
pub(super) fn begin_test<'s>(test: &'s Test, tuple: Tuple<'s>, after: After<'s>, stack: &mut Stack<'s>) {
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
pub(super) fn pass<'s>(passes: bool, test: &'s Test, rest: Rest<'s>, tuple: Tuple<'s>, stack: &mut Stack<'s>) {
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
